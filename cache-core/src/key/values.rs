//! Values of std as parts of keys: each is written whole, and as it always was.

use std::borrow::Cow;
use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet, LinkedList, VecDeque};
use std::convert::Infallible;
use std::ffi::{CStr, CString, OsStr, OsString};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZero, Saturating, Wrapping};
use std::ops::{
    Bound, ControlFlow, Range, RangeBounds, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive,
};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::CacheKey;
use crate::digest::Encoder;

impl<T: CacheKey + ?Sized> CacheKey for &T {
    fn encode(&self, out: &mut Encoder) {
        (**self).encode(out);
    }
}

impl<T: CacheKey + ?Sized> CacheKey for &mut T {
    fn encode(&self, out: &mut Encoder) {
        (**self).encode(out);
    }
}

/// What keeps types of std apart that are written as integers. Never renumber.
const SIGNED: u32 = 0x7374_0001;
const FLOAT_32: u32 = 0x7374_0002;
const FLOAT_64: u32 = 0x7374_0003;
const CHARACTER: u32 = 0x7374_0004;
const DURATION: u32 = 0x7374_0005;
const ORDERING: u32 = 0x7374_0006;
const RANGE: u32 = 0x7374_0007;
const ADDRESS_4: u32 = 0x7374_0008;
const ADDRESS_6: u32 = 0x7374_0009;
const SOCKET_4: u32 = 0x7374_000a;
const SOCKET_6: u32 = 0x7374_000b;
const TIME: u32 = 0x7374_000c;

/// Pointers are what they point to: sharing shows in no key.
macro_rules! pointer_keys {
    ($($name:ident),*) => {$(
        impl<T: CacheKey + ?Sized> CacheKey for $name<T> {
            fn encode(&self, out: &mut Encoder) {
                (**self).encode(out);
            }
        }
    )*};
}
pointer_keys!(Box, Rc, Arc);

impl<T: CacheKey + ToOwned + ?Sized> CacheKey for Cow<'_, T> {
    fn encode(&self, out: &mut Encoder) {
        (**self).encode(out);
    }
}

impl CacheKey for bool {
    fn encode(&self, out: &mut Encoder) {
        out.bool(*self);
    }
}

macro_rules! unsigned_keys {
    ($($name:ty),*) => {$(
        impl CacheKey for $name {
            fn encode(&self, out: &mut Encoder) {
                out.u64(u64::from(*self));
            }
        }
    )*};
}
unsigned_keys!(u16, u32, u64);

/// A byte is an unsigned integer; many of them are bytes.
impl CacheKey for u8 {
    fn encode(&self, out: &mut Encoder) {
        out.u64(u64::from(*self));
    }

    fn encode_all(values: &[Self], out: &mut Encoder) {
        out.raw(values);
    }
}

macro_rules! signed_keys {
    ($($name:ty),*) => {$(
        impl CacheKey for $name {
            fn encode(&self, out: &mut Encoder) {
                out.i64(i64::from(*self));
            }
        }
    )*};
}
signed_keys!(i8, i16, i32, i64);

impl CacheKey for u128 {
    fn encode(&self, out: &mut Encoder) {
        out.u128(*self);
    }
}

impl CacheKey for i128 {
    fn encode(&self, out: &mut Encoder) {
        out.variant(SIGNED);
        out.u128(self.cast_unsigned());
    }
}

/// Sizes and differences are the same on machines of every width.
impl CacheKey for usize {
    fn encode(&self, out: &mut Encoder) {
        out.u64(*self as u64);
    }
}

impl CacheKey for isize {
    fn encode(&self, out: &mut Encoder) {
        out.i64(*self as i64);
    }
}

/// Bit by bit, so that 0.0 and -0.0 differ, and a value that is no number equals the same one.
macro_rules! float_keys {
    ($($name:ty: $tag:expr),*) => {$(
        impl CacheKey for $name {
            fn encode(&self, out: &mut Encoder) {
                out.variant($tag);
                out.u64(u64::from(self.to_bits()));
            }
        }
    )*};
}
float_keys!(f32: FLOAT_32, f64: FLOAT_64);

/// What cannot be zero is written as what it is otherwise.
macro_rules! nonzero_keys {
    ($($name:ty),*) => {$(
        impl CacheKey for NonZero<$name> {
            fn encode(&self, out: &mut Encoder) {
                self.get().encode(out);
            }
        }
    )*};
}
nonzero_keys!(u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize);

/// Another arithmetic or order of a value is no other value.
macro_rules! wrapper_keys {
    ($($name:ident),*) => {$(
        impl<T: CacheKey> CacheKey for $name<T> {
            fn encode(&self, out: &mut Encoder) {
                self.0.encode(out);
            }
        }
    )*};
}
wrapper_keys!(Wrapping, Saturating, Reverse);

impl CacheKey for char {
    fn encode(&self, out: &mut Encoder) {
        out.variant(CHARACTER);
        out.u64(u64::from(u32::from(*self)));
    }
}

/// The unit is written as a tuple without fields.
impl CacheKey for () {
    fn encode(&self, out: &mut Encoder) {
        out.sequence(0);
    }
}

/// So is what stands for a type alone.
impl<T: ?Sized> CacheKey for PhantomData<T> {
    fn encode(&self, out: &mut Encoder) {
        ().encode(out);
    }
}

/// There is nothing to write, since there is no value.
impl CacheKey for Infallible {
    fn encode(&self, _: &mut Encoder) {
        match *self {}
    }
}

impl CacheKey for Ordering {
    fn encode(&self, out: &mut Encoder) {
        out.variant(ORDERING);
        out.i64(match self {
            Self::Less => -1,
            Self::Equal => 0,
            Self::Greater => 1,
        });
    }
}

impl CacheKey for Duration {
    fn encode(&self, out: &mut Encoder) {
        out.variant(DURATION);
        out.u64(self.as_secs());
        out.u64(u64::from(self.subsec_nanos()));
    }
}

/// A moment is its distance from the beginning of 1970, before or after it.
impl CacheKey for SystemTime {
    fn encode(&self, out: &mut Encoder) {
        out.variant(TIME);
        self.duration_since(SystemTime::UNIX_EPOCH).map_err(|before| before.duration()).encode(out);
    }
}

/// Names of the system are their bytes, as it has them.
impl CacheKey for OsStr {
    fn encode(&self, out: &mut Encoder) {
        out.raw(self.as_encoded_bytes());
    }
}

impl CacheKey for OsString {
    fn encode(&self, out: &mut Encoder) {
        self.as_os_str().encode(out);
    }
}

impl CacheKey for Path {
    fn encode(&self, out: &mut Encoder) {
        self.as_os_str().encode(out);
    }
}

impl CacheKey for PathBuf {
    fn encode(&self, out: &mut Encoder) {
        self.as_path().encode(out);
    }
}

/// The bytes in front of the one that ends it.
impl CacheKey for CStr {
    fn encode(&self, out: &mut Encoder) {
        out.raw(self.to_bytes());
    }
}

impl CacheKey for CString {
    fn encode(&self, out: &mut Encoder) {
        self.as_c_str().encode(out);
    }
}

impl CacheKey for str {
    fn encode(&self, out: &mut Encoder) {
        out.text(self);
    }
}

impl CacheKey for String {
    fn encode(&self, out: &mut Encoder) {
        out.text(self);
    }
}

impl<T: CacheKey> CacheKey for [T] {
    fn encode(&self, out: &mut Encoder) {
        T::encode_all(self, out);
    }
}

impl<T: CacheKey, const N: usize> CacheKey for [T; N] {
    fn encode(&self, out: &mut Encoder) {
        self.as_slice().encode(out);
    }
}

impl<T: CacheKey> CacheKey for Vec<T> {
    fn encode(&self, out: &mut Encoder) {
        self.as_slice().encode(out);
    }
}

macro_rules! sequence_keys {
    ($($name:ident),*) => {$(
        impl<T: CacheKey> CacheKey for $name<T> {
            fn encode(&self, out: &mut Encoder) {
                out.sequence(self.len());
                for value in self {
                    value.encode(out);
                }
            }
        }
    )*};
}
sequence_keys!(BTreeSet, VecDeque, LinkedList);

/// Ranges are their two bounds: one that was gone through to its end excludes that end.
macro_rules! range_keys {
    ($($name:ident),*) => {$(
        impl<T: CacheKey> CacheKey for $name<T> {
            fn encode(&self, out: &mut Encoder) {
                out.variant(RANGE);
                self.start_bound().encode(out);
                self.end_bound().encode(out);
            }
        }
    )*};
}
range_keys!(Range, RangeFrom, RangeInclusive, RangeTo, RangeToInclusive);

impl CacheKey for RangeFull {
    fn encode(&self, out: &mut Encoder) {
        out.variant(RANGE);
        Bound::<()>::Unbounded.encode(out);
        Bound::<()>::Unbounded.encode(out);
    }
}

impl<T: CacheKey> CacheKey for Bound<T> {
    fn encode(&self, out: &mut Encoder) {
        match self {
            Self::Included(value) => {
                out.variant(0);
                value.encode(out);
            }
            Self::Excluded(value) => {
                out.variant(1);
                value.encode(out);
            }
            Self::Unbounded => out.variant(2),
        }
    }
}

impl<B: CacheKey, C: CacheKey> CacheKey for ControlFlow<B, C> {
    fn encode(&self, out: &mut Encoder) {
        match self {
            Self::Continue(value) => {
                out.variant(0);
                value.encode(out);
            }
            Self::Break(value) => {
                out.variant(1);
                value.encode(out);
            }
        }
    }
}

impl CacheKey for Ipv4Addr {
    fn encode(&self, out: &mut Encoder) {
        out.variant(ADDRESS_4);
        out.raw(&self.octets());
    }
}

impl CacheKey for Ipv6Addr {
    fn encode(&self, out: &mut Encoder) {
        out.variant(ADDRESS_6);
        out.raw(&self.octets());
    }
}

/// An address says of which version it is.
impl CacheKey for IpAddr {
    fn encode(&self, out: &mut Encoder) {
        match self {
            Self::V4(address) => address.encode(out),
            Self::V6(address) => address.encode(out),
        }
    }
}

impl CacheKey for SocketAddrV4 {
    fn encode(&self, out: &mut Encoder) {
        out.variant(SOCKET_4);
        self.ip().encode(out);
        self.port().encode(out);
    }
}

impl CacheKey for SocketAddrV6 {
    fn encode(&self, out: &mut Encoder) {
        out.variant(SOCKET_6);
        self.ip().encode(out);
        self.port().encode(out);
        self.flowinfo().encode(out);
        self.scope_id().encode(out);
    }
}

impl CacheKey for SocketAddr {
    fn encode(&self, out: &mut Encoder) {
        match self {
            Self::V4(address) => address.encode(out),
            Self::V6(address) => address.encode(out),
        }
    }
}

impl<T: CacheKey, E: CacheKey> CacheKey for Result<T, E> {
    fn encode(&self, out: &mut Encoder) {
        match self {
            Ok(value) => {
                out.variant(0);
                value.encode(out);
            }
            Err(error) => {
                out.variant(1);
                error.encode(out);
            }
        }
    }
}

impl<T: CacheKey> CacheKey for Option<T> {
    fn encode(&self, out: &mut Encoder) {
        match self {
            None => out.none(),
            Some(value) => {
                out.some();
                value.encode(out);
            }
        }
    }
}

impl<K: CacheKey, V: CacheKey> CacheKey for BTreeMap<K, V> {
    fn encode(&self, out: &mut Encoder) {
        out.sequence(self.len());
        for (key, value) in self {
            key.encode(out);
            value.encode(out);
        }
    }
}

/// The fields of a tuple, one after the other.
macro_rules! tuple_keys {
    ($($($name:ident)+;)*) => {$(
        impl<$($name: CacheKey),+> CacheKey for ($($name,)+) {
            #[expect(non_snake_case, reason = "each field is called what its type is called")]
            fn encode(&self, out: &mut Encoder) {
                let ($($name,)+) = self;
                $($name.encode(out);)+
            }
        }
    )*};
}
tuple_keys! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
    A B C D E F G H I;
    A B C D E F G H I J;
    A B C D E F G H I J K;
    A B C D E F G H I J K L;
}
