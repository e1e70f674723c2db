//! The comparisons of texts that x86_64 has since SSE4.2 (`pcmpistri` and its relatives), as Intel describes them.
//!
//! Two vectors hold texts of bytes or 16-bit units, each up to its first zero or of a length that is given. A known
//! number says how they are compared, and the result is a place, a mask, or one of the flags. Comparisons are made of
//! all pairs of units, so that nothing here is a choice.

use symexec::base::bits::BinaryOp;
use symexec::module::{Operand, Predicate};

use super::function::Body;
use super::x86_vectors::Scalars;

/// What the known number says.
#[derive(Clone, Copy)]
struct Control(u64);

/// How units become the first result.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aggregation {
    /// Units of the second text that are any of the first.
    Any,
    /// Those in a range whose ends are two neighbours in the first.
    Ranges,
    /// Those that equal the one at their own place.
    Each,
    /// Places at which the first text stands, as far as the vector tells.
    Ordered,
}

impl Control {
    /// How wide units are.
    fn width(self) -> u32 {
        if self.0 & 1 == 0 { 8 } else { 16 }
    }

    fn is_signed(self) -> bool {
        self.0 & 2 != 0
    }

    fn aggregation(self) -> Aggregation {
        match self.0 >> 2 & 3 {
            0 => Aggregation::Any,
            1 => Aggregation::Ranges,
            2 => Aggregation::Each,
            _ => Aggregation::Ordered,
        }
    }

    /// Whether the result is inverted.
    fn is_negative(self) -> bool {
        self.0 & 0x10 != 0
    }

    /// Whether what lies behind the end is left out of that.
    fn is_masked(self) -> bool {
        self.0 & 0x20 != 0
    }

    /// Whether the last place is wanted, or a mask of whole units.
    fn is_wide(self) -> bool {
        self.0 & 0x40 != 0
    }
}

/// A text: its units, and for each whether the text reaches there.
struct Text {
    units: Vec<Operand>,
    inside: Vec<Operand>,
}

impl Body<'_, '_> {
    /// Lowers such a function; `None` if it is none of these.
    pub(super) fn text_comparison(&mut self, name: &str, arguments: &[Scalars]) -> Option<Vec<Operand>> {
        let name = name.strip_prefix("sse42.pcmp")?.strip_suffix("128")?;
        let (kind, wanted) = name.split_at_checked(4)?;
        let (a, b, lengths, control) = match (kind, arguments) {
            ("istr", [a, b, control]) => (a, b, [None; 2], control),
            ("estr", [a, of_a, b, of_b, control]) => {
                (a, b, [Some(*of_a.0.first()?), Some(*of_b.0.first()?)], control)
            }
            _ => return None,
        };
        let control = Control(self.known_number(*control.0.first()?)?);
        let [a, b] = [(a, lengths[0]), (b, lengths[1])]
            .map(|((bytes, _), length)| self.machine_text(bytes, length, control.width()));
        let found: Vec<Operand> = match control.aggregation() {
            Aggregation::Any | Aggregation::Ranges => self.found_units(&a, &b, control),
            Aggregation::Each => {
                (0..b.units.len()).map(|at| self.same_ends(&a, &b, at, at, control)).collect()
            }
            Aggregation::Ordered => {
                let count = b.units.len();
                (0..count)
                    .map(|start| {
                        let mut all = self.lowering.bits(1, 1);
                        for at in 0..count - start {
                            let one = self.begins_with(&a, &b, at, start + at, control);
                            all = self.binary(BinaryOp::And, 1, all, one);
                        }
                        all
                    })
                    .collect()
            }
        };
        let found: Vec<Operand> = found
            .into_iter()
            .zip(&b.inside)
            .map(|(found, inside)| match (control.is_negative(), control.is_masked()) {
                (false, _) => found,
                (true, false) => self.invert(1, found),
                (true, true) => self.binary(BinaryOp::Xor, 1, found, *inside),
            })
            .collect();
        match wanted {
            "i" => Some(vec![self.place_of(&found, control.is_wide())]),
            "m" => self.mask_of(&found, control),
            _ => self
                .text_flag(wanted.strip_prefix('i')?, &found, &a, &b)
                .map(|flag| vec![self.extend(false, 1, 32, flag)]),
        }
    }

    /// The text in a vector: up to a zero, or of the magnitude of a length.
    fn machine_text(&mut self, bytes: &[Operand], length: Option<Operand>, width: u32) -> Text {
        let units: Vec<Operand> = match width {
            8 => bytes.to_vec(),
            _ => bytes.chunks_exact(2).map(|pair| self.concat((pair[1], 8), (pair[0], 8))).collect(),
        };
        let length = length.map(|length| {
            let zero = self.lowering.bits(32, 0);
            let minus = self.binary(BinaryOp::Sub, 32, zero, length);
            let negative = self.compare(Predicate::Slt, 32, length, zero);
            self.select(32, negative, minus, length)
        });
        let mut goes_on = self.lowering.bits(1, 1);
        let mut inside = Vec::new();
        for (place, unit) in (0..).zip(&units) {
            goes_on = match length {
                Some(length) => {
                    let place = self.lowering.bits(32, place);
                    self.compare(Predicate::Ult, 32, place, length)
                }
                None => {
                    let zero = self.lowering.bits(width, 0);
                    let there = self.compare(Predicate::Ne, width, *unit, zero);
                    self.binary(BinaryOp::And, 1, goes_on, there)
                }
            };
            inside.push(goes_on);
        }
        Text { units, inside }
    }

    /// For each unit of `b`, whether it is one of `a`, or in one of its ranges.
    fn found_units(&mut self, a: &Text, b: &Text, control: Control) -> Vec<Operand> {
        let (width, is_range) = (control.width(), control.aggregation() == Aggregation::Ranges);
        let (least, most) = if control.is_signed() {
            (Predicate::Sge, Predicate::Sle)
        } else {
            (Predicate::Uge, Predicate::Ule)
        };
        let mut all = Vec::new();
        for (unit, inside) in b.units.iter().zip(&b.inside) {
            let mut any = self.lowering.bits(1, 0);
            for (limits, there) in
                a.units.chunks(1 + usize::from(is_range)).zip(a.inside.chunks(1 + usize::from(is_range)))
            {
                let mut one = *inside;
                for (side, (limit, there)) in limits.iter().zip(there).enumerate() {
                    let predicate = match (is_range, side) {
                        (false, _) => Predicate::Eq,
                        (true, 0) => least,
                        (true, _) => most,
                    };
                    let holds = self.compare(predicate, width, *unit, *limit);
                    let holds = self.binary(BinaryOp::And, 1, holds, *there);
                    one = self.binary(BinaryOp::And, 1, one, holds);
                }
                any = self.binary(BinaryOp::Or, 1, any, one);
            }
            all.push(any);
        }
        all
    }

    /// Whether units are equal, or both texts have ended.
    fn same_ends(&mut self, a: &Text, b: &Text, of_a: usize, of_b: usize, control: Control) -> Operand {
        let equal = self.compare(Predicate::Eq, control.width(), a.units[of_a], b.units[of_b]);
        let both = self.binary(BinaryOp::And, 1, a.inside[of_a], b.inside[of_b]);
        let either = self.binary(BinaryOp::Or, 1, a.inside[of_a], b.inside[of_b]);
        let equal = self.binary(BinaryOp::And, 1, both, equal);
        let neither = self.invert(1, either);
        self.binary(BinaryOp::Or, 1, equal, neither)
    }

    /// Whether units are equal, or the first text has ended.
    fn begins_with(&mut self, a: &Text, b: &Text, of_a: usize, of_b: usize, control: Control) -> Operand {
        let equal = self.compare(Predicate::Eq, control.width(), a.units[of_a], b.units[of_b]);
        let equal = self.binary(BinaryOp::And, 1, equal, b.inside[of_b]);
        let ended = self.invert(1, a.inside[of_a]);
        self.binary(BinaryOp::Or, 1, equal, ended)
    }

    /// The first or last place that was found; how many there are if there is none.
    fn place_of(&mut self, found: &[Operand], last: bool) -> Operand {
        let mut place = self.lowering.bits(32, found.len() as u64);
        let mut take = |number: usize| {
            let here = self.lowering.bits(32, number as u64);
            place = self.select(32, found[number], here, place);
        };
        // What is taken last counts.
        if last {
            (0..found.len()).for_each(&mut take);
        } else {
            (0..found.len()).rev().for_each(&mut take);
        }
        place
    }

    /// A vector with a bit for each place, in its lowest bytes, or with all bits of each unit.
    fn mask_of(&mut self, found: &[Operand], control: Control) -> Option<Vec<Operand>> {
        let bytes_each = (control.width() / 8) as usize;
        if control.is_wide() {
            let mut mask = Vec::new();
            for one in found {
                let byte = self.extend(true, 1, 8, *one);
                mask.extend(vec![byte; bytes_each]);
            }
            return Some(mask);
        }
        let mut mask = Vec::new();
        for bits in found.chunks(8) {
            mask.push(self.join(&[1; 8], bits)?.0);
        }
        mask.resize(16, self.lowering.bits(8, 0));
        Some(mask)
    }

    /// A flag: carry (something was found), zero and sign (the second, the first text ends within its vector), overflow
    /// (the first place was found), above (neither carry nor zero).
    fn text_flag(&mut self, flag: &str, found: &[Operand], a: &Text, b: &Text) -> Option<Operand> {
        let mut any = self.lowering.bits(1, 0);
        for one in found {
            any = self.binary(BinaryOp::Or, 1, any, *one);
        }
        Some(match flag {
            "c" => any,
            "o" => *found.first()?,
            "s" => self.invert(1, *a.inside.last()?),
            "z" => self.invert(1, *b.inside.last()?),
            "a" => {
                let none = self.invert(1, any);
                self.binary(BinaryOp::And, 1, none, *b.inside.last()?)
            }
            _ => return None,
        })
    }
}
