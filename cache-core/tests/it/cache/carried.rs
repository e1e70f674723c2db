//! Answers of types that the encoding does not carry: none comes back as another one, and who uses such a type
//! is told.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::DeserializeOwned;

use super::*;

macro_rules! answers {
    ($($type:ty),*) => {$(
        impl Answer for $type {
            fn out_of_limits(&self) -> bool {
                false
            }
            fn agrees_with(&self, fresh: &Self) -> bool {
                self == fresh
            }
        }
    )*};
}
answers!(Skipping, Untagged, Tagged, Adjacent, Flat, OneWay, Deep, Number);

/// Decodes to another value of the same length: the first field takes the place of the one that was left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Skipping {
    #[serde(skip_serializing_if = "is_zero", default)]
    first: u8,
    second: Vec<u8>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this shape")]
fn is_zero(value: &u8) -> bool {
    *value == 0
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Number(u32),
    Text(String),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Tagged {
    Number { value: u32 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "value")]
enum Adjacent {
    Number(u32),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Flat {
    number: u32,
    #[serde(flatten)]
    rest: BTreeMap<String, u32>,
}

/// What is written is not what is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct OneWay(#[serde(serialize_with = "doubled")] u32);

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for this shape")]
fn doubled<S: serde::Serializer>(value: &u32, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_u32(value * 2)
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Deep(Option<Box<Deep>>);

impl Deep {
    fn of(levels: usize) -> Self {
        (0..levels).fold(Self(None), |inner, _| Self(Some(Box::new(inner))))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Number(f64);

/// How often the engine is asked in two runs over one store, and what the cache warns of; both runs give
/// the engine's answer.
fn two_runs<A: Answer + Debug + DeserializeOwned>(answer: &A) -> (u32, Vec<String>) {
    let (store, asked) = (memory_store(), Cell::new(0));
    let mut warnings = Vec::new();
    for _ in 0..2 {
        let mut cache: Cache<A> = Cache::new(CacheConfig::default().store(Arc::clone(&store)));
        let ask = || {
            asked.set(asked.get() + 1);
            Ok::<_, String>(Asked { answer: answer.clone(), cost: Cost::default() })
        };
        let answered = cache.answer(&question(1), &Limits::default(), ask).unwrap().answer;
        assert_eq!(format!("{answered:?}"), format!("{answer:?}"));
        warnings.extend(cache.take_warnings());
    }
    (asked.get(), warnings)
}

fn refused<A: Answer + Debug + DeserializeOwned>(answer: &A) {
    let (asked, warnings) = two_runs(answer);
    assert_eq!(asked, 2, "{answer:?} is not kept");
    assert!(warnings.iter().any(|warning| warning.contains("is not kept")), "{answer:?}: {warnings:?}");
}

fn kept<A: Answer + Debug + DeserializeOwned>(answer: &A) {
    assert_eq!(two_runs(answer), (1, Vec::new()), "{answer:?}");
}

#[test]
fn what_the_encoding_would_alter_is_not_kept_and_told() {
    let skipped = Skipping { first: 0, second: vec![0] };
    let bytes = cache_core::codec::encode(&skipped).unwrap();
    let altered: Skipping = cache_core::codec::decode(&bytes).unwrap();
    assert_ne!(altered, skipped, "the encoding does not notice");
    refused(&skipped);
    refused(&OneWay(21));
    refused(&Untagged::Text("x".to_owned()));
    refused(&Untagged::Number(7));
    refused(&Tagged::Number { value: 7 });
    refused(&Adjacent::Number(7));
    refused(&Flat { number: 1, rest: BTreeMap::from([("x".to_owned(), 2)]) });
    refused(&Deep::of(cache_core::codec::MAX_DEPTH));
    // What does not equal itself hides what else comes back as something else.
    refused(&Number(f64::NAN));
}

#[test]
fn what_comes_back_is_kept_whatever_its_type() {
    kept(&Skipping { first: 3, second: vec![0] });
    kept(&OneWay(0));
    kept(&Deep::of(20));
    kept(&Number(0.5));
}
