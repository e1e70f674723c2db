//! The ktest format, byte by byte.

use proptest::prelude::*;
use symexec::testcase::{KTest, KTestError};

#[test]
fn numbers_have_their_highest_byte_first() {
    let test = KTest {
        arguments: vec!["a.bc".into()],
        objects: vec![("k".into(), vec![1, 2, 3])],
        ..KTest::default()
    };
    let expected =
        b"KTEST\0\0\0\x03\0\0\0\x01\0\0\0\x04a.bc\0\0\0\0\0\0\0\0\0\0\0\x01\0\0\0\x01k\0\0\0\x03\x01\x02\x03";
    assert_eq!(test.to_bytes().unwrap(), expected);
}

#[test]
fn other_files_are_told_from_tests() {
    assert_eq!(KTest::from_bytes(b"ktest"), Err(KTestError::Magic));
    assert_eq!(KTest::from_bytes(b"KTEST\0\0\0\x09"), Err(KTestError::Version(9)));
    let mut bytes = KTest::default().to_bytes().unwrap();
    bytes.push(0);
    assert_eq!(KTest::from_bytes(&bytes), Err(KTestError::Long(1)));
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        arguments in prop::collection::vec("[a-z]{0,5}", 0..4),
        objects in prop::collection::vec(("[a-z]{0,5}", prop::collection::vec(any::<u8>(), 0..9)), 0..4),
        symbolic_arguments: u32,
        symbolic_argument_length: u32,
    ) {
        let test = KTest { arguments, symbolic_arguments, symbolic_argument_length, objects };
        let bytes = test.to_bytes().unwrap();
        prop_assert_eq!(KTest::from_bytes(&bytes).unwrap(), test);
        for end in 0..bytes.len() {
            prop_assert!(KTest::from_bytes(&bytes[..end]).is_err());
        }
    }

    #[test]
    fn no_bytes_make_the_reader_panic(bytes: Vec<u8>) {
        let _ = KTest::from_bytes(&bytes);
        let _ = KTest::from_bytes(&[b"KTEST\0\0\0\x03".as_slice(), &bytes].concat());
    }
}
