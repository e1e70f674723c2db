//! Positions and names as parameters: kept out of the key, re-applied on a hit.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use super::atom::small;
use super::normalizer::{Normal, Normalizer, Translate};
use crate::digest::Encoder;
use crate::key::Checksum;

/// Values taken out of a question while it is encoded; a number is left in place of each.
///
/// ```
/// use cache_core::digest::Encoder;
/// use cache_core::rename::{AsParameters, Normalizer, Parameters, Translate};
///
/// // A check, by the line where it stands and the variable that it is about.
/// let check = |line: u32, name: &'static str| {
///     move |out: &mut Encoder, positions: &mut Parameters<u32>, names: &mut Parameters<&str>| {
///         out.text("assert 0 <=");
///         positions.occurrence(line, out);
///         names.name(name, out);
///     }
/// };
/// let before = AsParameters::new().normalize(check(7, "x"));
/// let after = AsParameters::new().normalize(check(9, "y"));
/// assert_eq!(before.checksum, after.checksum);
///
/// // The error was found at line 7; on a hit it is reported where the check stands now.
/// let stored = before.back.0.to_form(&7).unwrap();
/// assert_eq!(after.back.0.to_own(&stored), Some(9));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters<T: Ord> {
    /// Which of the tables of a question this is.
    table: u8,
    values: Vec<T>,
    /// Values of which the pattern matters, with their numbers.
    names: BTreeMap<T, u32>,
    /// Values of which only the place matters: the number of the only occurrence, or none where there are several.
    occurrences: BTreeMap<T, Option<u32>>,
}

/// How a parameter is written: neither way looks like the other, like a parameter of another table, or like
/// anything that is written without a table.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Way {
    Occurrence = 0,
    Name = 1,
}

impl<T: Ord> Default for Parameters<T> {
    fn default() -> Self {
        Self { table: 0, values: Vec::new(), names: BTreeMap::new(), occurrences: BTreeMap::new() }
    }
}

impl<T: Ord + Clone> Parameters<T> {
    /// Without parameters.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Without parameters, for questions with several tables: each has a number of its own, so that the parameters
    /// of one are never taken for those of another. [`Parameters::new`] is table 0.
    fn table(number: u8) -> Self {
        Self { table: number, ..Self::default() }
    }

    /// Takes out a value of which only the place matters, such as a source position: each occurrence has a
    /// number of its own, equal to another value or not. Returns the number.
    pub fn occurrence(&mut self, value: T, out: &mut Encoder) -> u32 {
        let number = small(self.values.len());
        out.parameter(self.table, Way::Occurrence as u8, number);
        self.occurrences.entry(value.clone()).and_modify(|only| *only = None).or_insert(Some(number));
        self.values.push(value);
        number
    }

    /// Takes out a value of which the pattern matters, such as the name of a bound variable: equal values
    /// have equal numbers, given out in order of first occurrence. Returns the number.
    pub fn name(&mut self, value: T, out: &mut Encoder) -> u32 {
        let next = small(self.values.len());
        let number = *self.names.entry(value.clone()).or_insert(next);
        if number == next {
            self.values.push(value);
        }
        out.parameter(self.table, Way::Name as u8, number);
        number
    }

    /// The values, by number. An answer that holds numbers needs no other translation.
    #[must_use]
    pub fn values(&self) -> &[T] {
        &self.values
    }
}

/// Answers that name a parameter: the value on the question's side, its number on the form's. A value
/// taken out as several occurrences, or as a name and an occurrence, does not say which one is meant, so it has
/// no form: such answers should hold the number in the first place.
impl<T: Ord + Clone> Translate<T> for Parameters<T> {
    type Form = u32;

    fn to_form(&self, own: &T) -> Option<u32> {
        match (self.names.get(own), self.occurrences.get(own)) {
            (Some(name), None) => Some(*name),
            (None, Some(only)) => *only,
            _ => None,
        }
    }

    fn to_own(&self, form: &u32) -> Option<T> {
        self.values.get(*form as usize).cloned()
    }
}

/// Normalizes questions that write themselves, given a table for positions and a table for names.
#[derive(Clone, Copy, Debug)]
pub struct AsParameters<P, N>(PhantomData<fn(P, N)>);

impl<P, N> AsParameters<P, N> {
    /// The normalizer, which has no state.
    #[must_use]
    pub fn new() -> Self {
        Self(PhantomData)
    }
}

impl<P, N> Default for AsParameters<P, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F, P, N> Normalizer<F> for AsParameters<P, N>
where
    F: FnOnce(&mut Encoder, &mut Parameters<P>, &mut Parameters<N>),
    P: Ord + Clone,
    N: Ord + Clone,
{
    type Back = (Parameters<P>, Parameters<N>);

    fn normalize(&self, question: F) -> Normal<Self::Back> {
        let (mut out, mut positions, mut names) = (Encoder::new(), Parameters::new(), Parameters::table(1));
        question(&mut out, &mut positions, &mut names);
        Normal { checksum: Checksum::of_encoded(&out), back: (positions, names) }
    }
}
