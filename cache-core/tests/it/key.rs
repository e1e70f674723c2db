//! Laws of `cache_core::key` and `cache_core::digest`: nothing that matters is lost on the way into a key.

use std::collections::BTreeMap;

use cache_core::deps::Checksum;
use cache_core::digest::{Confirm, Digest, Encoder};
use cache_core::key::{CacheKey, Change, Key, KeyBuilder, PartKind};
use proptest::prelude::*;

use crate::planted::is_broken;

/// A value of any type that keys are made of.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Truth(bool),
    Unsigned(u64),
    Signed(i64),
    Wide(u128),
    Text(String),
    Bytes(Vec<u8>),
    Digest(u8),
    Confirm(u8),
    Sequence(Vec<Value>),
    Optional(Option<Box<Value>>),
    Variant(u32, Box<Value>),
}

impl CacheKey for Value {
    fn encode(&self, out: &mut Encoder) {
        match self {
            Self::Truth(value) => value.encode(out),
            Self::Unsigned(value) => value.encode(out),
            Self::Signed(value) => value.encode(out),
            Self::Wide(value) => value.encode(out),
            Self::Text(value) => value.encode(out),
            Self::Bytes(value) => out.raw(value),
            Self::Digest(value) => Digest::of(&[*value]).encode(out),
            Self::Confirm(value) => Confirm::of(&[*value]).encode(out),
            Self::Sequence(values) => values.encode(out),
            Self::Optional(value) => value.encode(out),
            Self::Variant(number, value) => {
                out.variant(*number);
                value.encode(out);
            }
        }
    }
}

fn value() -> impl Strategy<Value = Value> {
    // Small ranges and equal numbers in every type, so that values of different types come close.
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::Truth),
        (0_u64..4).prop_map(Value::Unsigned),
        (-2_i64..3).prop_map(Value::Signed),
        (0_u128..4).prop_map(Value::Wide),
        // Bytes 5 and 6 are those that begin texts and bytes.
        "[ab\u{5}]{0,3}".prop_map(Value::Text),
        proptest::collection::vec(5_u8..8, 0..3).prop_map(Value::Bytes),
        (0_u8..3).prop_map(Value::Digest),
        (0_u8..3).prop_map(Value::Confirm),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::Sequence),
            proptest::option::of(inner.clone()).prop_map(|value| Value::Optional(value.map(Box::new))),
            (0_u32..3, inner).prop_map(|(number, value)| Value::Variant(number, Box::new(value))),
        ]
    })
}

fn values() -> impl Strategy<Value = (Vec<Value>, Vec<Value>)> {
    (proptest::collection::vec(value(), 0..3), proptest::collection::vec(value(), 0..3))
}

fn encoded(values: &[Value]) -> Vec<u8> {
    let mut out = Encoder::new();
    for value in values {
        value.encode(&mut out);
    }
    out.bytes().to_vec()
}

/// Wrong: what a hash without types and lengths would be taken of.
fn run_together(values: &[Value]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for value in values {
        match value {
            Value::Truth(value) => bytes.push(u8::from(*value)),
            Value::Unsigned(value) => bytes.extend(value.to_le_bytes()),
            Value::Signed(value) => bytes.extend(value.to_le_bytes()),
            Value::Wide(value) => bytes.extend(value.to_le_bytes()),
            Value::Text(value) => bytes.extend(value.bytes()),
            Value::Bytes(value) => bytes.extend(value),
            Value::Digest(value) | Value::Confirm(value) => bytes.push(*value),
            Value::Sequence(values) => bytes.extend(run_together(values)),
            Value::Optional(value) => {
                bytes.extend(value.iter().flat_map(|value| run_together(&[(**value).clone()])));
            }
            Value::Variant(number, value) => {
                bytes.extend(number.to_le_bytes());
                bytes.extend(run_together(&[(**value).clone()]));
            }
        }
    }
    bytes
}

fn no_two_sequences_write_the_same(
    encode: fn(&[Value]) -> Vec<u8>,
    (left, right): &(Vec<Value>, Vec<Value>),
) -> Result<(), TestCaseError> {
    prop_assert_eq!(left == right, encode(left) == encode(right));
    Ok(())
}

/// The parts of a key: kind, name, value.
type Parts = Vec<(u8, String, Value)>;

fn key(parts: &Parts) -> Key {
    let mut builder = KeyBuilder::new("test", 1);
    for (kind, name, value) in parts {
        builder = match kind {
            0 => builder.option(name, value),
            1 => builder.content(name, value),
            _ => builder.dependency(name, value),
        };
    }
    builder.finish()
}

fn parts() -> impl Strategy<Value = Parts> {
    proptest::collection::vec((0_u8..3, "[ab]{1,2}", value()), 0..4)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn two_sequences_of_values_write_the_same_bytes_only_if_they_are_equal(values in values()) {
        no_two_sequences_write_the_same(encoded, &values)?;
    }

    #[test]
    fn keys_are_equal_exactly_if_all_parts_are(left in parts(), right in parts()) {
        let same = left == right;
        let (left, right) = (key(&left), key(&right));
        prop_assert_eq!(left.digest() == right.digest(), same);
        prop_assert_eq!(left.confirm() == right.confirm(), same);
    }

    #[test]
    fn the_order_of_parts_matters(parts in parts().prop_filter("some parts", |parts| !parts.is_empty()), a: prop::sample::Index, b: prop::sample::Index) {
        let (a, b) = (a.index(parts.len()), b.index(parts.len()));
        let mut moved = parts.clone();
        moved.swap(a, b);
        prop_assert_eq!(key(&parts).digest() == key(&moved).digest(), parts[a] == parts[b]);
        prop_assert_eq!(key(&parts).confirm() == key(&moved).confirm(), parts[a] == parts[b]);
    }

    #[test]
    fn what_changed_is_told_by_kind_and_name(before in parts(), after in parts()) {
        let (old, new) = (key(&before), key(&after));
        // A naive answer: for each kind and name, the values in order.
        let kinds = [PartKind::Option, PartKind::Content, PartKind::Dependency];
        let by_name = |parts: &Parts| {
            let mut map: BTreeMap<(PartKind, String), Vec<Value>> = BTreeMap::new();
            for (kind, name, value) in parts {
                map.entry((kinds[usize::from(*kind)], name.clone())).or_default().push(value.clone());
            }
            map
        };
        let (old_parts, new_parts) = (by_name(&before), by_name(&after));
        let mut expected = Vec::new();
        for ((kind, name), values) in &new_parts {
            match old_parts.get(&(*kind, name.clone())) {
                None => expected.push(Change::Added(*kind, name.clone())),
                Some(old) if old != values => expected.push(Change::Changed(*kind, name.clone())),
                Some(_) => {}
            }
        }
        for (kind, name) in old_parts.keys().filter(|place| !new_parts.contains_key(place)) {
            expected.push(Change::Removed(*kind, name.clone()));
        }
        expected.sort();
        prop_assert_eq!(new.changes_since(old.parts()), expected);
        prop_assert_eq!(new.changes_since(new.parts()), []);
    }
}

#[test]
fn the_law_of_encoding_catches_bytes_that_run_together() {
    assert!(is_broken(4000, &values(), |values| no_two_sequences_write_the_same(run_together, &values)));
    let pair = (
        vec![Value::Text("ab".to_owned()), Value::Text("c".to_owned())],
        vec![Value::Text("a".to_owned()), Value::Text("bc".to_owned())],
    );
    assert!(no_two_sequences_write_the_same(run_together, &pair).is_err());
    assert!(no_two_sequences_write_the_same(encoded, &pair).is_ok());
}

#[test]
fn a_text_that_holds_a_tag_does_not_pass_for_two_texts() {
    let texts = |texts: &[&str]| {
        encoded(&texts.iter().map(|text| Value::Text((*text).to_owned())).collect::<Vec<_>>())
    };
    // Byte 5 begins a text.
    assert_ne!(texts(&["a", ""]), texts(&["a\u{5}"]));
    assert_ne!(texts(&["a", "b"]), texts(&["a\u{5}b"]));
    let bytes =
        |parts: &[&[u8]]| encoded(&parts.iter().map(|part| Value::Bytes(part.to_vec())).collect::<Vec<_>>());
    assert_ne!(bytes(&[b"a", b""]), bytes(&[b"a\x06"]));
}

#[test]
fn every_kind_of_part_and_every_name_is_kept_apart() {
    let base = || KeyBuilder::new("schema", 1).engine("z3", "5.4.0").option("o", &1_u8).content("c", "x");
    let keys = [
        base().finish(),
        KeyBuilder::new("schema", 2).engine("z3", "5.4.0").option("o", &1_u8).content("c", "x").finish(),
        KeyBuilder::new("other", 1).engine("z3", "5.4.0").option("o", &1_u8).content("c", "x").finish(),
        KeyBuilder::new("schema", 1).engine("z3", "5.4.1").option("o", &1_u8).content("c", "x").finish(),
        KeyBuilder::new("schema", 1).engine("z4", "5.4.0").option("o", &1_u8).content("c", "x").finish(),
        KeyBuilder::new("schema", 1).engine("z3", "5.4.0").option("p", &1_u8).content("c", "x").finish(),
        KeyBuilder::new("schema", 1).engine("z3", "5.4.0").option("o", &2_u8).content("c", "x").finish(),
        KeyBuilder::new("schema", 1).engine("z3", "5.4.0").content("o", &1_u8).content("c", "x").finish(),
        KeyBuilder::new("schema", 1).engine("z3", "5.4.0").option("o", &1_u8).dependency("c", "x").finish(),
        KeyBuilder::new("schema", 1).engine("z3", "5.4.0").option("o", &1_u8).content("c", "y").finish(),
        base().content("c", "x").finish(),
        base().dependency("d", "").finish(),
    ];
    for (a, left) in keys.iter().enumerate() {
        for (b, right) in keys.iter().enumerate() {
            assert_eq!(left.digest() == right.digest(), a == b, "digests of {a} and {b}");
            assert_eq!(left.confirm() == right.confirm(), a == b, "confirming digests of {a} and {b}");
        }
    }
    assert_eq!(base().finish().digest(), keys[0].digest(), "the same parts give the same key");
}

#[test]
fn a_checksum_in_a_key_is_confirmed_by_the_key() {
    // Two checksums whose short digests collide, as an adversary could make them.
    let digest = Digest::of(b"same");
    let key = |confirm| KeyBuilder::new("test", 1).dependency("f", &Checksum { digest, confirm }).finish();
    assert_ne!(key(Confirm::of(b"one")).confirm(), key(Confirm::of(b"two")).confirm());
}

#[test]
fn digests_survive_being_written_as_bytes() {
    let (digest, confirm) = (Digest::of(b"x"), Confirm::of(b"x"));
    assert_eq!(Digest::from_bytes(digest.to_bytes()), digest);
    assert_eq!(Confirm::from_bytes(confirm.to_bytes()), confirm);
    assert_eq!(digest.to_bytes()[..8], digest.low().to_le_bytes());
}

#[test]
fn a_key_is_the_same_on_every_run_and_machine() {
    let key = KeyBuilder::new("test", 1)
        .engine("z3", "5.4.0")
        .option("limit", &Some(-1_i32))
        .content("body", &vec![("x", 1_u128), ("y", 2)])
        .dependency("f", &Checksum::of(&true))
        .finish();
    insta::assert_snapshot!(key.digest(), @"2e662009643fb9333ac55c03c86f058b");
    insta::assert_snapshot!(key.confirm(), @"a39d8544ca13c0b9a4072b32a866e64029c513653762a3e2962b97156c252810");
}
