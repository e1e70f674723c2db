//! Values of std in keys.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeSet, LinkedList, VecDeque};
use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZero, Saturating, Wrapping};
use std::ops::{Bound, ControlFlow};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, SystemTime};

use super::*;

#[test]
fn values_of_std_that_differ_are_written_differently() {
    let texts = [
        Checksum::of(&1.0_f64),
        Checksum::of(&1.0_f32),
        Checksum::of(&2.0_f32),
        Checksum::of(&1.0_f64.to_bits()),
        Checksum::of(&0.0_f64),
        Checksum::of(&-0.0_f64),
        Checksum::of(&'a'),
        Checksum::of(&'b'),
        Checksum::of("a"),
        Checksum::of("b"),
        Checksum::of(Path::new("a")),
        Checksum::of(Path::new("b")),
        Checksum::of(&u32::from('a')),
        Checksum::of(&-1_i128),
        Checksum::of(&-2_i128),
        Checksum::of(&7_usize),
        Checksum::of(&8_usize),
        Checksum::of(&-7_isize),
        Checksum::of(&-8_isize),
        Checksum::of(&u128::MAX),
        Checksum::of(&(u128::MAX - 1)),
        Checksum::of(&Confirm::of(b"a")),
        Checksum::of(&Confirm::of(b"b")),
        Checksum::of(&Duration::from_secs(1)),
        Checksum::of(&Duration::from_nanos(1)),
        Checksum::of(&Ok::<u8, u8>(1)),
        Checksum::of(&Ok::<u8, u8>(2)),
        Checksum::of(&Err::<u8, u8>(1)),
        Checksum::of(&Some(1_u8)),
        Checksum::of(&Some(2_u8)),
        Checksum::of(&None::<u8>),
        Checksum::of(&()),
        Checksum::of(&BTreeSet::from([1_u64, 2])),
        Checksum::of(&BTreeSet::from([1_u64, 3])),
        Checksum::of(&[1_u8, 2]),
        Checksum::of(&[1_u16, 4]),
    ];
    for (place, text) in texts.iter().enumerate() {
        assert!(!texts[..place].contains(text), "value {place}");
    }
    // How a value is held does not matter.
    assert_eq!(Checksum::of(&Rc::new(7_u64)), Checksum::of(&7_u64));
    assert_eq!(Checksum::of(&Cow::Borrowed("a")), Checksum::of("a"));
    assert_eq!(Checksum::of(&[1_u8, 2]), Checksum::of(&vec![1_u8, 2]));
    assert_eq!(Checksum::of(&f64::NAN), Checksum::of(&f64::NAN));
}

#[test]
fn maps_and_owned_paths_are_written_as_what_they_hold() {
    assert_eq!(written(&PathBuf::from("a/b")), written(Path::new("a/b")));
    assert_ne!(written(&PathBuf::from("a/b")), written(&PathBuf::from("a/c")));
    let map = |entries: &[(u64, &str)]| -> Vec<u8> {
        written(&entries.iter().map(|(key, value)| (*key, (*value).to_owned())).collect::<BTreeMap<_, _>>())
    };
    let all = [map(&[]), map(&[(1, "a")]), map(&[(1, "b")]), map(&[(2, "a")]), map(&[(1, "a"), (2, "a")])];
    for (number, one) in all.iter().enumerate() {
        assert!(all[number + 1..].iter().all(|other| other != one), "map {number}");
    }
    assert_eq!(map(&[(2, "a"), (1, "b")]), map(&[(1, "b"), (2, "a")]));
}

/// All that a value writes.
fn written(value: &(impl CacheKey + ?Sized)) -> Vec<u8> {
    let mut out = Encoder::new();
    value.encode(&mut out);
    out.bytes().to_vec()
}

/// Values of one type, each of which is another.
fn differ<T: CacheKey + std::fmt::Debug>(values: &[T]) {
    for (place, value) in values.iter().enumerate() {
        for other in &values[..place] {
            assert_ne!(written(value), written(other), "{value:?} and {other:?}");
        }
    }
}

#[test]
fn two_values_of_a_type_of_std_are_two_keys() {
    differ(&[NonZero::new(1_u32), NonZero::new(2), None]);
    differ(&[NonZero::new(-1_i128), NonZero::new(1)]);
    differ(&[VecDeque::from([1_u8, 2]), VecDeque::from([2, 1]), VecDeque::from([1]), VecDeque::new()]);
    differ(&[LinkedList::from(["a", "b"]), LinkedList::from(["ab"]), LinkedList::new()]);
    differ(&[OsString::from("a"), OsString::from("b"), OsString::new()]);
    differ(&[c"a".to_owned(), c"b".to_owned(), c"".to_owned()]);
    differ(&[0..1, 1..2, 0..2, 1..1]);
    differ(&[0.., 1..]);
    differ(&[..0, ..1]);
    differ(&[..=0, ..=1]);
    let mut ended = 0..=1;
    assert_eq!(ended.by_ref().count(), 2);
    assert!(ended.is_empty() && ended != (0..=1), "it is another value");
    differ(&[ended, 0..=1, 1..=1, 0..=0]);
    differ(&[Ordering::Less, Ordering::Equal, Ordering::Greater]);
    differ(&[Bound::Included(0), Bound::Included(1), Bound::Excluded(0), Bound::Unbounded]);
    differ(&[ControlFlow::Break(0), ControlFlow::Break(1), ControlFlow::Continue(0)]);
    differ(&[Reverse(1), Reverse(2)]);
    differ(&[Wrapping(1_u8), Wrapping(2)]);
    differ(&[Saturating(1_u8), Saturating(2)]);
    let addresses = ["1.2.3.4", "1.2.3.5", "::1.2.3.4", "::ffff:1.2.3.4", "::1"]
        .map(|text| text.parse::<IpAddr>().unwrap());
    differ(&addresses);
    let with_port = |port: u16| addresses.map(|address| SocketAddr::new(address, port));
    differ(&[with_port(0), with_port(1)].concat());
    let six = |flow, scope| SocketAddrV6::new(Ipv6Addr::LOCALHOST, 1, flow, scope);
    differ(&[six(0, 0), six(1, 0), six(0, 1)]);
    let epoch = SystemTime::UNIX_EPOCH;
    let moments = [0, 1, 1_000_000_001].map(Duration::from_nanos);
    differ(&moments.map(|moment| epoch + moment));
    differ(&[epoch - moments[1], epoch, epoch + moments[1], epoch - moments[2]]);
    differ(&[
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
        (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
        (1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    ]);
}

#[test]
fn ways_to_have_a_value_are_written_as_the_value() {
    assert_eq!(written(&NonZero::new(7_u16)), written(&Some(7_u16)));
    assert_eq!(written(&&mut 7_u64), written(&7_u64));
    assert_eq!(written(&Reverse("a")), written("a"));
    assert_eq!(written(&(Wrapping(1_u8), Saturating(2_u8))), written(&(1_u8, 2_u8)));
    assert_eq!(written(OsStr::new("a/b")), written(Path::new("a/b")));
    assert_eq!(written(&c"a".to_owned()), written(c"a"));
    assert_eq!(written(&PhantomData::<str>), written(&()));
    assert_eq!(written(&Ok::<u8, Infallible>(1)), written(&Ok::<u8, u8>(1)));
    assert_ne!(written(&(..)), written(&(0..)));
    // Where a ring buffer begins is no part of its value.
    let mut ring = VecDeque::from([9_u16, 1, 2]);
    ring.pop_front();
    ring.push_back(3);
    assert_eq!(written(&ring), written(&[1_u16, 2, 3]));
    let version_4 = Ipv4Addr::LOCALHOST;
    assert_eq!(written(&IpAddr::V4(version_4)), written(&version_4));
    let socket = SocketAddrV4::new(version_4, 80);
    assert_eq!(written(&SocketAddr::V4(socket)), written(&socket));
}
