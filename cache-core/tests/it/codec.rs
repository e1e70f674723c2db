//! Laws of `cache_core::codec`.

use std::collections::BTreeMap;

use cache_core::codec::{self, CodecError};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Verdict {
    Valid,
    Refuted { model: BTreeMap<String, i64>, wide: Option<u128> },
    NotProved(Vec<(u32, String)>),
}

fn verdict() -> impl Strategy<Value = Verdict> {
    prop_oneof![
        Just(Verdict::Valid),
        (any::<BTreeMap<String, i64>>(), any::<Option<u128>>())
            .prop_map(|(model, wide)| Verdict::Refuted { model, wide }),
        any::<Vec<(u32, String)>>().prop_map(Verdict::NotProved),
    ]
}

proptest! {
    #[test]
    fn what_is_encoded_decodes_to_the_same_value(value in verdict()) {
        let bytes = codec::encode(&value).unwrap();
        prop_assert_eq!(codec::decode::<Verdict>(&bytes).unwrap(), value);
    }

    #[test]
    fn a_shortened_or_lengthened_encoding_is_an_error(value in verdict(), cut in any::<prop::sample::Index>()) {
        let bytes = codec::encode(&value).unwrap();
        let shorter = &bytes[..cut.index(bytes.len())];
        prop_assert!(codec::decode::<Verdict>(shorter).is_err());
        let longer = [bytes.as_slice(), &[0]].concat();
        prop_assert!(matches!(codec::decode::<Verdict>(&longer), Err(CodecError::Damaged(_))));
    }

    #[test]
    fn arbitrary_bytes_never_panic(mut bytes in prop::collection::vec(any::<u8>(), 1..200)) {
        let _ = codec::decode::<Verdict>(&bytes);
        bytes[0] = codec::FORMAT;
        let _ = codec::decode::<Verdict>(&bytes);
        let _ = codec::decode::<Vec<String>>(&bytes);
        let _ = codec::decode::<Vec<u128>>(&bytes);
    }
}

#[test]
fn the_first_byte_is_the_format_and_another_one_is_refused() {
    let mut bytes = codec::encode("x").unwrap();
    assert_eq!(bytes[0], codec::FORMAT);
    bytes[0] = codec::FORMAT + 1;
    let error = codec::decode::<String>(&bytes).unwrap_err();
    assert!(matches!(error, CodecError::ForeignVersion { found } if found == codec::FORMAT + 1));
}

#[test]
fn a_forged_length_is_refused_before_memory_is_set_aside() {
    // The varint marker 253 announces eight length bytes: a text of 2^62 bytes.
    let mut forged = vec![codec::FORMAT, 253];
    forged.extend_from_slice(&(1_u64 << 62).to_le_bytes());
    assert!(matches!(codec::decode::<String>(&forged), Err(CodecError::Damaged(_))));
    // A length that is only a little too large must not be believed either.
    let mut forged = vec![codec::FORMAT, 252];
    forged.extend_from_slice(&(1_u32 << 30).to_le_bytes());
    let error = codec::decode::<String>(&forged).unwrap_err().to_string();
    assert!(error.contains("LimitExceeded"), "{error}");
}

#[test]
fn no_bytes_are_an_error() {
    assert!(matches!(codec::decode::<()>(&[]), Err(CodecError::Damaged(_))));
}
