//! How programs keep a number that is 0 or 1 in a variable.

use super::numbers::Numbers;

/// What a variable is for a number to be kept in it.
#[derive(Clone, Copy)]
pub(super) enum Shape {
    Number,
    Truth,
    Real,
    Bits,
    Either,
    Element,
    Row,
    Field,
    Heap,
}

impl Shape {
    pub(super) fn any(numbers: &mut Numbers) -> Self {
        // Half of them are plain.
        let all = [
            Self::Truth,
            Self::Real,
            Self::Bits,
            Self::Either,
            Self::Element,
            Self::Row,
            Self::Field,
            Self::Heap,
        ];
        all.get(numbers.below(2 * all.len())).copied().unwrap_or(Self::Number)
    }

    pub(super) fn ty(self) -> &'static str {
        match self {
            Self::Number => "int",
            Self::Truth => "bool",
            Self::Real => "real",
            Self::Bits => "bv3",
            Self::Either => "Either",
            Self::Element => "[int]int",
            Self::Row => "[int, bool]int",
            Self::Field => "Pair",
            Self::Heap => "<k>[Field k]k",
        }
    }

    /// The number that is kept in a variable.
    pub(super) fn read(self, variable: &str) -> String {
        match self {
            Self::Number => variable.to_owned(),
            Self::Truth => format!("(if {variable} then 1 else 0)"),
            Self::Real => format!("int({variable})"),
            Self::Bits => format!("(if {variable}[2:1] == 1bv1 then 1 else 0)"),
            Self::Either => format!("(if {variable} is One then 1 else 0)"),
            Self::Element => format!("{variable}[7]"),
            Self::Row => format!("{variable}[7, true]"),
            Self::Field => format!("{variable}->first"),
            Self::Heap => format!("{variable}[number]"),
        }
    }

    /// What is assigned, and to what, for a number to be kept in a variable.
    pub(super) fn write(self, variable: &str, value: &str) -> (String, String) {
        match self {
            Self::Number => (variable.to_owned(), value.to_owned()),
            Self::Truth => (variable.to_owned(), format!("{value} == 1")),
            Self::Real => (variable.to_owned(), format!("real({value})")),
            Self::Bits => (variable.to_owned(), format!("(if {value} == 1 then 6bv3 else 5bv3)")),
            Self::Either => (variable.to_owned(), format!("(if {value} == 1 then One(2) else None())")),
            Self::Element | Self::Row | Self::Field | Self::Heap => (self.read(variable), value.to_owned()),
        }
    }
}
