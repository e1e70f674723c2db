//! Numbers: small integers in a cell, others in boxes.

use super::rational::{compare_ratios, quotient_as_float, whole};
use super::{Cell, Rational, Store, Tag};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use std::cmp::Ordering;

/// A number taken out of its cell. Integers that fit into 64 bits are always `Int`.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// An integer of up to 64 bits.
    Int(i64),
    /// A larger integer.
    Big(BigInt),
    /// A float.
    Float(f64),
    /// A rational number that is no integer.
    Rational(Box<Rational>),
}

impl Number {
    /// The integer in its normal form.
    #[must_use]
    pub fn integer(value: BigInt) -> Self {
        value.to_i64().map_or(Self::Big(value), Self::Int)
    }

    /// The nearest float; infinite if there is none.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        match self {
            Self::Int(value) => *value as f64,
            Self::Big(value) => value.to_f64().unwrap_or(f64::INFINITY),
            Self::Float(value) => *value,
            Self::Rational(value) => quotient_as_float(value.numerator(), value.denominator()),
        }
    }

    /// The integer as a big one; `None` for a float or a fraction.
    #[must_use]
    pub fn to_big(&self) -> Option<BigInt> {
        match self {
            Self::Int(value) => Some(BigInt::from(*value)),
            Self::Big(value) => Some(value.clone()),
            Self::Float(_) | Self::Rational(_) => None,
        }
    }

    /// Order by value; `None` if one of them is not a number at all.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self, other) {
            (Self::Int(left), Self::Int(right)) => Some(left.cmp(right)),
            (Self::Float(left), Self::Float(right)) => left.partial_cmp(right),
            (Self::Float(left), right) => compare_float(*left, right),
            (left, Self::Float(right)) => compare_float(*right, left).map(Ordering::reverse),
            (Self::Rational(_), _) | (_, Self::Rational(_)) => {
                Some(compare_ratios(&self.to_ratio()?, &other.to_ratio()?))
            }
            (left, right) => Some(left.to_big().cmp(&right.to_big())),
        }
    }
}

/// Compares a float with an integer exactly, without rounding it, and with the float nearest to a fraction.
fn compare_float(float: f64, integer: &Number) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    // Integers of up to 53 bits are floats.
    if let Number::Int(small) = integer
        && small.unsigned_abs() <= 1 << 53
    {
        return float.partial_cmp(&(*small as f64));
    }
    if float.is_infinite() {
        return Some(if float > 0.0 { Ordering::Greater } else { Ordering::Less });
    }
    // As SWI-Prolog does: `0.1 =:= 1r10`.
    if let Number::Rational(_) = integer {
        return float.partial_cmp(&integer.to_f64());
    }
    let whole = whole(float.trunc());
    let fraction = float.fract().partial_cmp(&0.0)?;
    Some(whole.cmp(&integer.to_big()?).then(fraction))
}

impl Store {
    /// The number of a dereferenced cell, if it is one.
    #[must_use]
    pub fn number(&self, cell: Cell) -> Option<Number> {
        match cell.tag() {
            Tag::Int => Some(Number::Int(cell.int_value())),
            Tag::Box => {
                let header = self.cells[cell.index()];
                let words = &self.cells[cell.index() + 1..=cell.index() + header.header_words()];
                if header.header_is_float() {
                    return Some(Number::Float(f64::from_bits(words[0].bits())));
                }
                if header.header_is_rational() {
                    let (above, below) = words[1..].split_at(words[0].bits() as usize);
                    return Number::quotient(integer_of(above), integer_of(below));
                }
                if let [word] = words {
                    return Some(Number::Int(word.bits() as i64));
                }
                Some(Number::Big(integer_of(words)))
            }
            _ => None,
        }
    }

    /// Whether a dereferenced cell is an integer of any size.
    #[must_use]
    pub fn is_integer(&self, cell: Cell) -> bool {
        let header = || self.cells[cell.index()];
        cell.tag() == Tag::Int
            || (cell.tag() == Tag::Box && !header().header_is_float() && !header().header_is_rational())
    }

    /// Whether a dereferenced cell is a float.
    #[must_use]
    pub fn is_float(&self, cell: Cell) -> bool {
        cell.tag() == Tag::Box && self.cells[cell.index()].header_is_float()
    }

    /// Whether a dereferenced cell is an integer or a rational number.
    #[must_use]
    pub fn is_rational(&self, cell: Cell) -> bool {
        cell.tag() == Tag::Int || (cell.tag() == Tag::Box && !self.cells[cell.index()].header_is_float())
    }

    /// The cell of a number.
    pub fn make_number(&mut self, number: &Number) -> Cell {
        match number {
            Number::Int(value) => {
                Cell::small(*value).unwrap_or_else(|| self.boxed(Cell::header(false, 1), &[*value as u64]))
            }
            Number::Big(value) => {
                let words = words_of(value);
                self.boxed(Cell::header(false, words.len()), &words)
            }
            Number::Float(value) => self.boxed(Cell::header(true, 1), &[value.to_bits()]),
            Number::Rational(value) => {
                // How many words the numerator has stands in front of both.
                let above = words_of(value.numerator());
                let mut words = vec![above.len() as u64];
                words.extend(above);
                words.extend(words_of(value.denominator()));
                self.boxed(Cell::rational_header(words.len()), &words)
            }
        }
    }

    fn boxed(&mut self, header: Cell, words: &[u64]) -> Cell {
        let index = self.push(header);
        self.cells.extend(words.iter().map(|&word| Cell::raw(word)));
        Cell::boxed(index)
    }
}

fn integer_of(words: &[Cell]) -> BigInt {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.bits().to_le_bytes()).collect();
    BigInt::from_signed_bytes_le(&bytes)
}

fn words_of(value: &BigInt) -> Vec<u64> {
    let mut bytes = value.to_signed_bytes_le();
    let fill = if value.sign() == num_bigint::Sign::Minus { 0xff } else { 0 };
    bytes.resize(bytes.len().next_multiple_of(8), fill);
    bytes.as_chunks::<8>().0.iter().map(|chunk| u64::from_le_bytes(*chunk)).collect()
}
