//! Laws of `cache_core::key` and `cache_core::digest`: nothing that matters is lost on the way into a key.

use std::collections::BTreeMap;

use cache_core::digest::{Confirm, Digest, Encoder};
use cache_core::key::Checksum;
use cache_core::key::{CacheKey, Change, Key, KeyBuilder, PartKind};
use proptest::prelude::*;

use crate::planted::is_broken;

mod values;

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
            Self::Digest(value) => out.nested(Digest::of(&[*value])),
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
        prop_assert_eq!(left == right, same);
        let again = left.clone();
        prop_assert!(left == again, "a key equals itself");
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
        prop_assert_eq!(new.changes_since(&old.parts()), expected);
        prop_assert_eq!(new.changes_since(&new.parts()), []);
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
    assert_eq!(format!("{digest:?}"), format!("Digest({digest})"));
    assert_eq!(format!("{confirm:?}"), format!("Confirm({confirm})"));
}

#[test]
fn every_byte_of_a_value_counts_whatever_its_length() {
    for length in (0..70).chain([127, 128, 1000, 100_000]) {
        let mut bytes = vec![7_u8; length];
        let before = KeyBuilder::new("test", 1).content("body", &bytes).option("last", &true).finish();
        assert_eq!(before.parts().len(), 3, "{length} bytes");
        assert_eq!(before.checksum(), Checksum { digest: before.digest(), confirm: before.confirm() });
        let Some(last) = bytes.last_mut() else { continue };
        *last = 8;
        let after = KeyBuilder::new("test", 1).content("body", &bytes).option("last", &true).finish();
        assert_ne!(before.digest(), after.digest(), "{length} bytes");
        assert_ne!(before.confirm(), after.confirm(), "{length} bytes");
        let changed = [Change::Changed(PartKind::Content, "body".into())];
        assert_eq!(after.changes_since(&before.parts()), changed, "{length} bytes");
    }
}

#[test]
fn names_of_any_length_come_back() {
    for length in [0, 1, 127, 128, 129, 20_000] {
        let name = "n".repeat(length);
        let parts = KeyBuilder::new("test", 1).dependency(&name, &length).finish().parts();
        assert_eq!(parts[1].name, name);
    }
}

#[test]
fn a_key_is_the_same_on_every_run_and_machine() {
    let key = KeyBuilder::new("test", 1)
        .engine("z3", "5.4.0")
        .option("limit", &Some(-1_i32))
        .content("body", &vec![("x", 1_u128), ("y", 2)])
        .dependency("f", &Checksum::of(&true))
        .finish();
    insta::assert_snapshot!(key.digest(), @"437958c06a45fa8f7ca3ab3935c8b691");
    insta::assert_snapshot!(key.confirm(), @"5d34d0724cffa6c280f0adcf96c8e513c3db06d00500edc1332f6201d93df260");
}

/// Derived keys.
mod derived {
    use cache_core_derive::CacheKey;

    use super::*;

    #[derive(CacheKey)]
    struct Settings<T> {
        timeout: u64,
        solver: T,
        #[cache_key(skip = "it is shown to users only")]
        #[expect(dead_code, reason = "nothing here shows it")]
        title: &'static str,
    }

    #[derive(CacheKey)]
    enum Kind {
        Unit,
        Tuple(u8, String),
        Struct { first: bool, second: Option<Box<Kind>> },
    }

    #[derive(CacheKey)]
    struct Nothing;

    fn settings<'a>(timeout: u64, solver: &'a str, title: &'static str) -> Settings<&'a str> {
        Settings { timeout, solver, title }
    }

    #[test]
    fn every_field_enters_the_key_but_those_that_are_left_out() {
        let key = |settings: Settings<&str>| Checksum::of(&settings);
        assert_eq!(key(settings(1, "z3", "one")), key(settings(1, "z3", "other")));
        assert_ne!(key(settings(1, "z3", "one")), key(settings(2, "z3", "one")));
        assert_ne!(key(settings(1, "z3", "one")), key(settings(1, "cvc5", "one")));
    }

    #[test]
    fn variants_and_their_fields_are_told_apart() {
        let nested = |inner| Kind::Struct { first: true, second: inner };
        let kinds = [
            Kind::Unit,
            Kind::Tuple(0, "Unit".to_owned()),
            Kind::Tuple(1, String::new()),
            nested(None),
            nested(Some(Box::new(Kind::Unit))),
            nested(Some(Box::new(nested(None)))),
        ];
        let keys: Vec<Checksum> = kinds.iter().map(Checksum::of).collect();
        for (place, key) in keys.iter().enumerate() {
            assert!(!keys[..place].contains(key), "kind {place}");
        }
        assert_ne!(Checksum::of(&[Nothing, Nothing]), Checksum::of(&[Nothing]));
        assert_ne!(Checksum::of(&(Nothing, Nothing)), Checksum::of(&(Nothing,)));
    }
}

#[test]
fn two_units_are_not_one_and_one_is_not_none() {
    let written = |units: &[()]| {
        let mut out = Encoder::new();
        units.iter().for_each(|unit| unit.encode(&mut out));
        out.digest()
    };
    assert!(written(&[]) != written(&[()]) && written(&[()]) != written(&[(), ()]));
}

#[test]
fn parts_are_told_apart_at_every_length() {
    for length in 0..300 {
        let text = "x".repeat(length);
        let key = KeyBuilder::new("query", 1).content("text", text.as_str()).content("next", &7_u64).finish();
        let names: Vec<String> = key.parts().into_iter().map(|part| part.name).collect();
        assert_eq!(names, ["query", "text", "next"], "{length}");
        let longer = KeyBuilder::new("query", 1).content("text", format!("{text}x").as_str());
        let changes = longer.content("next", &7_u64).finish().changes_since(&key.parts());
        assert_eq!(changes.len(), 1, "{length}");
    }
}
