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
fn what_is_much_larger_in_memory_comes_back_at_every_length() {
    // Numbers of eight bytes that are encoded in one.
    for length in [0, 1, 4_095, 4_096, 4_097, (1 << 20) - 8, 1 << 20, 3 << 20] {
        let numbers = vec![1_u64; length];
        let back: Vec<u64> = codec::decode(&codec::encode(&numbers).unwrap()).unwrap();
        assert!(back == numbers, "{length} numbers");
    }
}

#[test]
fn no_bytes_are_an_error() {
    assert!(matches!(codec::decode::<()>(&[]), Err(CodecError::Damaged(_))));
}

/// A list that holds itself: two levels, an option and a structure, for each element.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
struct Chain {
    next: Option<Box<Chain>>,
}

impl Chain {
    fn of(length: usize) -> Self {
        (0..length).fold(Self::default(), |next, _| Self { next: Some(Box::new(next)) })
    }
}

/// A derived drop would call itself once for each element.
impl Drop for Chain {
    fn drop(&mut self) {
        let mut next = self.next.take();
        while let Some(mut chain) = next {
            next = chain.next.take();
        }
    }
}

#[test]
fn nesting_is_carried_up_to_its_bound_and_refused_beyond_in_both_directions() {
    let deepest = (codec::MAX_DEPTH - 1) / 2;
    let bytes = codec::encode(&Chain::of(deepest)).unwrap();
    assert_eq!(codec::decode::<Chain>(&bytes).unwrap(), Chain::of(deepest));
    for length in [deepest + 1, 1_000_000] {
        let error = codec::encode(&Chain::of(length)).unwrap_err();
        assert!(matches!(&error, CodecError::Unsupported(why) if why.contains("nested")), "{error}");
        // Each element is one byte: an option that is there. The last one is none.
        let mut forged = vec![1; length + 2];
        forged[0] = codec::FORMAT;
        forged[length + 1] = 0;
        let error = codec::decode::<Chain>(&forged).unwrap_err();
        assert!(matches!(&error, CodecError::Damaged(why) if why.contains("nested")), "{error}");
    }
}

/// Every way in which a type can hold another one.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Nested {
    Leaf,
    Newtype(Box<Nested>),
    Tuple(u8, Box<Nested>),
    Struct { inner: Box<Nested> },
    Sequence(Vec<Nested>),
    Map(BTreeMap<String, Nested>),
    Wrapped(Wrapper),
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Wrapper(Box<Nested>);

#[test]
fn every_way_to_nest_is_counted() {
    let ways: [fn(Nested) -> Nested; 6] = [
        |inner| Nested::Newtype(Box::new(inner)),
        |inner| Nested::Tuple(7, Box::new(inner)),
        |inner| Nested::Struct { inner: Box::new(inner) },
        |inner| Nested::Sequence(vec![inner]),
        |inner| Nested::Map(BTreeMap::from([("inner".to_owned(), inner)])),
        |inner| Nested::Wrapped(Wrapper(Box::new(inner))),
    ];
    for (number, way) in ways.into_iter().enumerate() {
        let nested = |depth: usize| (0..depth).fold(Nested::Leaf, |inner, _| way(inner));
        let bytes = codec::encode(&nested(10)).unwrap();
        assert_eq!(codec::decode::<Nested>(&bytes).unwrap(), nested(10), "way {number}");
        let error = codec::encode(&nested(codec::MAX_DEPTH + 1)).unwrap_err().to_string();
        assert!(error.contains("nested"), "way {number}: {error}");
    }
}

/// Types that are written otherwise for people are written as bytes here, and come back.
#[test]
fn what_people_would_read_otherwise_is_stored_as_bytes() {
    let address: std::net::IpAddr = "2001:db8::1".parse().unwrap();
    let bytes = codec::encode(&address).unwrap();
    assert!(bytes.len() <= 1 + 1 + 16, "{bytes:?}");
    assert_eq!(codec::decode::<std::net::IpAddr>(&bytes).unwrap(), address);
}
