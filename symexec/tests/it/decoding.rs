//! Bytes from outside never make a decoder panic.

use proptest::prelude::*;
use symexec::module::reader;
use symexec::solver::question::{Question, Request, Term, Wanted};
use symexec::testcase::KTest;

use crate::decoding_law::decode_all;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_refused_or_read(bytes: Vec<u8>) {
        decode_all(&bytes);
    }

    #[test]
    fn altered_tests_are_refused_or_read(place: prop::sample::Index, byte: u8, version in 1u8..4) {
        let test = KTest {
            arguments: vec!["a.bc".to_owned(), "-x".to_owned()],
            objects: vec![("k".to_owned(), vec![1, 2, 3])],
            ..KTest::default()
        };
        let mut bytes = test.to_bytes().unwrap();
        bytes[8] = version;
        let at = place.index(bytes.len());
        bytes[at] = byte;
        decode_all(&bytes);
    }

    #[test]
    fn altered_questions_are_refused_or_read(place: prop::sample::Index, change: u8, cut: prop::sample::Index) {
        let terms = vec![(8, Term::Input(0)), (8, Term::Constant(5)), (16, Term::Concat(0, 1))];
        let question = Question { terms, roots: vec![2], inputs: 1 };
        let request = Request { question, wanted: Wanted::Model, wall_ms: Some(9), resource: None, give_up: Some(7), exact: true };
        let mut bytes = reader::encode(&request).unwrap();
        let at = place.index(bytes.len());
        bytes[at] ^= change;
        decode_all(&bytes);
        bytes.truncate(cut.index(bytes.len()));
        decode_all(&bytes);
    }
}
