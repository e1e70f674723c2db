//! A bound on how deeply values are nested, put between a type's serde implementation and the encoding.
//!
//! Neither serde nor the encoding counts: a type that holds itself (`Box<Self>`) makes both call themselves once
//! per level, and a stack ends long before an input does. [`Bounded`] hands every value on with one level
//! fewer, in both directions; a value below the last level is an error of the encoding. What is passed on is
//! the caller's value, so the bytes are those that the encoding would write by itself.
//!
//! Cost: a counter beside each call, no allocation.

use std::fmt;

use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use serde::ser::{
    self, Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use serde::{Deserialize, de::DeserializeOwned};

/// More levels than this are refused: elements, fields, options, newtypes and variants count one each.
/// Deep enough for what is no recursive type, shallow enough for the stack of any thread.
pub(super) const MAX_DEPTH: usize = 128;

/// What an error says.
const TOO_DEEP: &str = "it is nested too deeply";

/// Something (a value, a serializer, a visitor ...) below which so many levels are left.
pub(super) struct Bounded<T> {
    inner: T,
    left: usize,
}

impl<T> Bounded<T> {
    /// At the top.
    pub(super) fn new(inner: T) -> Self {
        Self { inner, left: MAX_DEPTH }
    }

    pub(super) fn into_inner(self) -> T {
        self.inner
    }

    /// `inner` as deep as this.
    fn beside<U>(&self, inner: U) -> Bounded<U> {
        Bounded { inner, left: self.left }
    }

    /// `inner` one level further down.
    fn below<U, E>(&self, inner: U, error: fn(&'static str) -> E) -> Result<Bounded<U>, E> {
        match self.left.checked_sub(1) {
            Some(left) => Ok(Bounded { inner, left }),
            None => Err(error(TOO_DEEP)),
        }
    }
}

impl<T: Serialize + ?Sized> Serialize for Bounded<&T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.inner.serialize(self.beside(serializer))
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Bounded<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(Bounded::new(deserializer)).map(Bounded::new)
    }
}

/// Methods whose argument is no other value.
macro_rules! scalars_out {
    ($($method:ident: $type:ty),* $(,)?) => {$(
        fn $method(self, value: $type) -> Result<S::Ok, S::Error> {
            self.inner.$method(value)
        }
    )*};
}

impl<S: Serializer> Serializer for Bounded<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Bounded<S::SerializeSeq>;
    type SerializeTuple = Bounded<S::SerializeTuple>;
    type SerializeTupleStruct = Bounded<S::SerializeTupleStruct>;
    type SerializeTupleVariant = Bounded<S::SerializeTupleVariant>;
    type SerializeMap = Bounded<S::SerializeMap>;
    type SerializeStruct = Bounded<S::SerializeStruct>;
    type SerializeStructVariant = Bounded<S::SerializeStructVariant>;

    scalars_out! {
        serialize_bool: bool, serialize_char: char, serialize_str: &str, serialize_bytes: &[u8],
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128,
        serialize_f32: f32, serialize_f64: f64, serialize_unit_struct: &'static str,
    }

    fn serialize_none(self) -> Result<S::Ok, S::Error> {
        self.inner.serialize_none()
    }

    fn serialize_unit(self) -> Result<S::Ok, S::Error> {
        self.inner.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        let value = self.below(value, ser::Error::custom)?;
        self.inner.serialize_some(&value)
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<S::Ok, S::Error> {
        self.inner.serialize_unit_variant(name, index, variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        let value = self.below(value, ser::Error::custom)?;
        self.inner.serialize_newtype_struct(name, &value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        let value = self.below(value, ser::Error::custom)?;
        self.inner.serialize_newtype_variant(name, index, variant, &value)
    }

    fn serialize_seq(self, length: Option<usize>) -> Result<Self::SerializeSeq, S::Error> {
        let Self { inner, left } = self;
        inner.serialize_seq(length).map(|inner| Bounded { inner, left })
    }

    fn serialize_tuple(self, length: usize) -> Result<Self::SerializeTuple, S::Error> {
        let Self { inner, left } = self;
        inner.serialize_tuple(length).map(|inner| Bounded { inner, left })
    }

    fn serialize_tuple_struct(
        self,
        name: &'static str,
        length: usize,
    ) -> Result<Self::SerializeTupleStruct, S::Error> {
        let Self { inner, left } = self;
        inner.serialize_tuple_struct(name, length).map(|inner| Bounded { inner, left })
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Self::SerializeTupleVariant, S::Error> {
        let Self { inner, left } = self;
        inner.serialize_tuple_variant(name, index, variant, length).map(|inner| Bounded { inner, left })
    }

    fn serialize_map(self, length: Option<usize>) -> Result<Self::SerializeMap, S::Error> {
        let Self { inner, left } = self;
        inner.serialize_map(length).map(|inner| Bounded { inner, left })
    }

    fn serialize_struct(self, name: &'static str, length: usize) -> Result<Self::SerializeStruct, S::Error> {
        let Self { inner, left } = self;
        inner.serialize_struct(name, length).map(|inner| Bounded { inner, left })
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        length: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        let Self { inner, left } = self;
        inner.serialize_struct_variant(name, index, variant, length).map(|inner| Bounded { inner, left })
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.inner.collect_str(value)
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

/// The traits of what has been opened: each takes one value at a time, by methods that differ in name only.
macro_rules! opened {
    ($($trait:ident: $($method:ident($($name:ident)?)),+;)*) => {$(
        impl<S: $trait> $trait for Bounded<S> {
            type Ok = S::Ok;
            type Error = S::Error;

            $(fn $method<T: Serialize + ?Sized>(
                &mut self,
                $($name: &'static str,)?
                value: &T,
            ) -> Result<(), S::Error> {
                let value = self.below(value, ser::Error::custom)?;
                self.inner.$method($($name,)? &value)
            })+

            fn end(self) -> Result<S::Ok, S::Error> {
                self.inner.end()
            }
        }
    )*};
}
opened! {
    SerializeSeq: serialize_element();
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeTupleVariant: serialize_field();
    SerializeMap: serialize_key(), serialize_value();
    SerializeStruct: serialize_field(key);
    SerializeStructVariant: serialize_field(key);
}

/// Methods that only say what kind of value is expected.
macro_rules! expectations {
    ($($method:ident($($name:ident: $type:ty),*)),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            let visitor = self.beside(visitor);
            self.inner.$method($($name,)* visitor)
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Bounded<D> {
    type Error = D::Error;

    expectations! {
        deserialize_any(), deserialize_bool(), deserialize_char(), deserialize_str(), deserialize_string(),
        deserialize_i8(), deserialize_i16(), deserialize_i32(), deserialize_i64(), deserialize_i128(),
        deserialize_u8(), deserialize_u16(), deserialize_u32(), deserialize_u64(), deserialize_u128(),
        deserialize_f32(), deserialize_f64(), deserialize_bytes(), deserialize_byte_buf(),
        deserialize_option(), deserialize_unit(), deserialize_unit_struct(name: &'static str),
        deserialize_newtype_struct(name: &'static str), deserialize_seq(), deserialize_tuple(length: usize),
        deserialize_tuple_struct(name: &'static str, length: usize), deserialize_map(),
        deserialize_struct(name: &'static str, fields: &'static [&'static str]),
        deserialize_enum(name: &'static str, variants: &'static [&'static str]),
        deserialize_identifier(), deserialize_ignored_any(),
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

/// Methods whose argument is no other value.
macro_rules! scalars_in {
    ($($method:ident: $type:ty),* $(,)?) => {$(
        fn $method<E: de::Error>(self, value: $type) -> Result<V::Value, E> {
            self.inner.$method(value)
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Bounded<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    scalars_in! {
        visit_bool: bool, visit_char: char, visit_str: &str, visit_borrowed_str: &'de str, visit_string: String,
        visit_i8: i8, visit_i16: i16, visit_i32: i32, visit_i64: i64, visit_i128: i128,
        visit_u8: u8, visit_u16: u16, visit_u32: u32, visit_u64: u64, visit_u128: u128,
        visit_f32: f32, visit_f64: f64,
        visit_bytes: &[u8], visit_borrowed_bytes: &'de [u8], visit_byte_buf: Vec<u8>,
    }

    fn visit_none<E: de::Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: de::Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        let deserializer = self.below(deserializer, de::Error::custom)?;
        self.inner.visit_some(deserializer)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        let deserializer = self.below(deserializer, de::Error::custom)?;
        self.inner.visit_newtype_struct(deserializer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let access = self.beside(access);
        self.inner.visit_seq(access)
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let access = self.beside(access);
        self.inner.visit_map(access)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        let access = self.beside(access);
        self.inner.visit_enum(access)
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Bounded<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        let deserializer = self.beside(deserializer);
        self.inner.deserialize(deserializer)
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Bounded<A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, A::Error> {
        let seed = self.below(seed, de::Error::custom)?;
        self.inner.next_element_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Bounded<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let seed = self.below(seed, de::Error::custom)?;
        self.inner.next_key_seed(seed)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, A::Error> {
        let seed = self.below(seed, de::Error::custom)?;
        self.inner.next_value_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'de, A: EnumAccess<'de>> EnumAccess<'de> for Bounded<A> {
    type Error = A::Error;
    type Variant = Bounded<A::Variant>;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Self::Variant), A::Error> {
        let Self { inner, left } = self;
        let (value, inner) = inner.variant_seed(seed)?;
        Ok((value, Bounded { inner, left }))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Bounded<A> {
    type Error = A::Error;

    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, A::Error> {
        let seed = self.below(seed, de::Error::custom)?;
        self.inner.newtype_variant_seed(seed)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, A::Error> {
        let visitor = self.beside(visitor);
        self.inner.tuple_variant(length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        let visitor = self.beside(visitor);
        self.inner.struct_variant(fields, visitor)
    }
}
