//! Positions and names as parameters: kept out of the key, re-applied on a hit.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use super::atom::small;
use super::normalizer::{Normal, Normalizer, Translate};
use crate::digest::Encoder;

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
/// assert_eq!(before.digest, after.digest);
///
/// // The error was found at line 7; on a hit it is reported where the check stands now.
/// let stored = before.back.0.to_form(&7).unwrap();
/// assert_eq!(after.back.0.to_own(&stored), Some(9));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameters<T: Ord> {
    values: Vec<T>,
    numbers: BTreeMap<T, Number>,
}

/// The first number of a value, and whether it has others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number {
    first: u32,
    ambiguous: bool,
}

impl<T: Ord> Default for Parameters<T> {
    fn default() -> Self {
        Self { values: Vec::new(), numbers: BTreeMap::new() }
    }
}

impl<T: Ord + Clone> Parameters<T> {
    /// Without parameters.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes out a value of which only the place matters, such as a source position: each occurrence has a
    /// number of its own, equal to another value or not. Returns the number.
    pub fn occurrence(&mut self, value: T, out: &mut Encoder) -> u32 {
        let number = small(self.values.len());
        out.u64(u64::from(number));
        self.numbers
            .entry(value.clone())
            .and_modify(|known| known.ambiguous = true)
            .or_insert(Number { first: number, ambiguous: false });
        self.values.push(value);
        number
    }

    /// Takes out a value of which the pattern matters, such as the name of a bound variable: equal values
    /// have equal numbers, given out in order of first occurrence. Returns the number.
    pub fn name(&mut self, value: T, out: &mut Encoder) -> u32 {
        if let Some(&Number { first, .. }) = self.numbers.get(&value) {
            out.u64(u64::from(first));
            return first;
        }
        self.occurrence(value, out)
    }

    /// The values, by number. An answer that holds numbers needs no other translation.
    #[must_use]
    pub fn values(&self) -> &[T] {
        &self.values
    }
}

/// Answers that name a parameter: the value on the question's side, its number on the form's. A value
/// taken out as several occurrences does not say which one is meant, so it has no form: such answers
/// should hold the number in the first place.
impl<T: Ord + Clone> Translate<T> for Parameters<T> {
    type Form = u32;

    fn to_form(&self, own: &T) -> Option<u32> {
        self.numbers.get(own).filter(|number| !number.ambiguous).map(|number| number.first)
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
        let (mut out, mut positions, mut names) = (Encoder::new(), Parameters::new(), Parameters::new());
        question(&mut out, &mut positions, &mut names);
        Normal { digest: out.digest(), back: (positions, names) }
    }
}
