//! The text of inline assembly, in the notation of AT&T, as instructions; and the constraints that say
//! where its operands are.
//!
//! Only the shape is read here: names, and what operands are. What instructions do is in [`super::inline`].

/// Where an instruction takes an operand from or puts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// An operand of the text (`$0`), or the part of it that a modifier says.
    Operand(usize, Option<Part>),
    /// A register of the machine.
    Register(u8, Part),
    /// A number.
    Number(u64),
    /// Memory at a distance from a register or an operand, or without one, plus an index times a scale.
    Memory(u64, Option<Box<Place>>, Option<(Box<Place>, u64)>),
}

/// The part of a register that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The lowest bit.
    pub(super) low: u32,
    /// How many bits.
    pub(super) width: u32,
}

/// An instruction with its operands, the target last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Step {
    pub(super) name: String,
    pub(super) repeated: bool,
    pub(super) places: Vec<Place>,
}

/// Where an operand of the text lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Any place.
    Any,
    /// A certain register.
    Register(u8),
    /// That of another operand.
    Same(usize),
    /// A condition after the last instruction.
    Flag(Condition),
}

/// A constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Constraint {
    pub(super) is_output: bool,
    /// Whether the argument is the address of the operand.
    pub(super) is_memory: bool,
    pub(super) kind: Kind,
}

/// What can be asked of the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    pub(super) test: Test,
    pub(super) negated: bool,
}

/// The tests behind conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    Overflow,
    Carry,
    Zero,
    CarryOrZero,
    Sign,
    Parity,
    Less,
    LessOrEqual,
}

pub(super) const A: u8 = 0;
pub(super) const C: u8 = 1;
pub(super) const D: u8 = 2;
pub(super) const B: u8 = 3;
pub(super) const DI: u8 = 7;

/// The registers with names of their own, by number.
const NAMED: [&str; 8] = ["ax", "cx", "dx", "bx", "sp", "bp", "si", "di"];

/// The registers and parts that a name stands for.
fn register(name: &str) -> Option<(u8, Part)> {
    let part = |low, width| Part { low, width };
    let number = |of: &str| NAMED.iter().position(|known| *known == of).and_then(|n| u8::try_from(n).ok());
    if let Some(rest) = name.strip_prefix('r').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit())) {
        let digits = rest.trim_end_matches(|c: char| !c.is_ascii_digit());
        let width = match &rest[digits.len()..] {
            "" => 64,
            "d" => 32,
            "w" => 16,
            "b" => 8,
            _ => return None,
        };
        return digits.parse().ok().filter(|n| (8..16).contains(n)).map(|n| (n, part(0, width)));
    }
    if let Some(n) = number(name) {
        return Some((n, part(0, 16)));
    }
    let (first, rest) = name.split_at_checked(1)?;
    match (first, rest) {
        ("r", _) => number(rest).map(|n| (n, part(0, 64))),
        ("e", _) => number(rest).map(|n| (n, part(0, 32))),
        (_, "l") => number(&format!("{first}x")).map(|n| (n, part(0, 8))),
        (_, "h") => number(&format!("{first}x")).map(|n| (n, part(8, 8))),
        _ => name.strip_suffix('l').and_then(number).map(|n| (n, part(0, 8))),
    }
}

/// A condition by its name, as it stands behind `set`, `cmov` and `@cc`.
pub(super) fn condition(name: &str) -> Option<Condition> {
    let (test, negated) = match name {
        "o" => (Test::Overflow, false),
        "no" => (Test::Overflow, true),
        "b" | "c" | "nae" => (Test::Carry, false),
        "ae" | "nb" | "nc" => (Test::Carry, true),
        "e" | "z" => (Test::Zero, false),
        "ne" | "nz" => (Test::Zero, true),
        "be" | "na" => (Test::CarryOrZero, false),
        "a" | "nbe" => (Test::CarryOrZero, true),
        "s" => (Test::Sign, false),
        "ns" => (Test::Sign, true),
        "p" | "pe" => (Test::Parity, false),
        "np" | "po" => (Test::Parity, true),
        "l" | "nge" => (Test::Less, false),
        "ge" | "nl" => (Test::Less, true),
        "le" | "ng" => (Test::LessOrEqual, false),
        "g" | "nle" => (Test::LessOrEqual, true),
        _ => return None,
    };
    Some(Condition { test, negated })
}

/// The constraints of operands, in the order of their numbers; `None` if one of them is of another kind.
pub(super) fn constraints(text: &str) -> Option<Vec<Constraint>> {
    let mut all = Vec::new();
    for word in text.split(',').filter(|word| !word.is_empty() && !word.starts_with('~')) {
        let is_output = word.starts_with('=');
        let word = word.trim_start_matches(['=', '&', '%']);
        let is_memory = word.starts_with('*');
        let word = word.trim_start_matches(['*', '&', '%']);
        let kind = match word.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            Some(name) => match name.strip_prefix("@cc") {
                Some(name) => Kind::Flag(condition(name)?),
                None => Kind::Register(register(name)?.0),
            },
            None if word.starts_with('!') => return None,
            None if word.starts_with(|c: char| c.is_ascii_digit()) => Kind::Same(word.parse().ok()?),
            None => match word {
                "a" | "A" => Kind::Register(A),
                "b" => Kind::Register(B),
                "c" => Kind::Register(C),
                "d" => Kind::Register(D),
                "S" => Kind::Register(6),
                "D" => Kind::Register(DI),
                _ => Kind::Any,
            },
        };
        all.push(Constraint { is_output, is_memory, kind });
    }
    Some(all)
}

/// The instructions of a text; `None` if something in it is not understood.
pub(super) fn steps(text: &str) -> Option<Vec<Step>> {
    let mut steps = Vec::new();
    let mut repeated = false;
    for statement in text.split(['\n', ';']) {
        let mut rest = statement.split('#').next().unwrap_or_default().trim();
        loop {
            let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            match word {
                "lock" | "data16" => {}
                "rep" | "repe" | "repz" => repeated = true,
                _ => break,
            }
            rest = after.trim();
        }
        if rest.is_empty() {
            continue;
        }
        let (name, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            return None;
        }
        let places = split(operands).into_iter().map(place).collect::<Option<Vec<_>>>()?;
        steps.push(Step { name: name.to_ascii_lowercase(), repeated, places });
        repeated = false;
    }
    Some(steps)
}

/// Operands are separated by commas outside of brackets.
fn split(operands: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_u32, 0);
    for (at, character) in operands.char_indices() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(&operands[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&operands[start..]);
    if parts == [""] { Vec::new() } else { parts }
}

fn place(text: &str) -> Option<Place> {
    let text = text.trim();
    if let Some(digits) = text.strip_prefix("$$") {
        return number(digits).map(Place::Number);
    }
    if let Some(inner) = text.strip_suffix(')') {
        let (displacement, inner) = inner.split_once('(')?;
        let displacement = if displacement.trim().is_empty() { 0 } else { number(displacement)? };
        let mut parts = inner.split(',').map(str::trim);
        let mut base = None;
        if let Some(part) = parts.next().filter(|part| !part.is_empty()) {
            base = Some(Box::new(place(part)?));
        }
        let index = match parts.next() {
            None => None,
            Some(part) => Some((Box::new(place(part)?), parts.next().map_or(Some(1), number)?)),
        };
        return Some(Place::Memory(displacement, base, index));
    }
    if let Some(name) = text.strip_prefix('%') {
        return register(name).map(|(number, part)| Place::Register(number, part));
    }
    let name = text.strip_prefix('$')?;
    let Some(inner) = name.strip_prefix('{') else { return Some(Place::Operand(name.parse().ok()?, None)) };
    let (operand, modifier) =
        inner.strip_suffix('}')?.split_once(':').unwrap_or((inner.strip_suffix('}')?, ""));
    let part = match modifier {
        "" | "c" | "P" | "a" => None,
        "b" => Some(Part { low: 0, width: 8 }),
        "h" => Some(Part { low: 8, width: 8 }),
        "w" => Some(Part { low: 0, width: 16 }),
        "k" => Some(Part { low: 0, width: 32 }),
        "q" => Some(Part { low: 0, width: 64 }),
        _ => return None,
    };
    Some(Place::Operand(operand.parse().ok()?, part))
}

fn number(text: &str) -> Option<u64> {
    let text = text.trim();
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let value = match digits.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok()?,
        None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { value.wrapping_neg() } else { value })
}

#[cfg(test)]
mod tests {
    use super::{Constraint, Kind, Part, Place, Step, constraints, register, steps};

    #[test]
    fn texts_become_instructions() {
        let part = |low, width| Part { low, width };
        let step = |name: &str, places| Step { name: name.to_owned(), repeated: false, places };
        assert_eq!(
            steps("addq $5,${1:q}\n\tlock; adcq $$-1, 8(%rax,$2,4)  # why\n"),
            Some(vec![
                step("addq", vec![Place::Operand(5, None), Place::Operand(1, Some(part(0, 64)))]),
                step(
                    "adcq",
                    vec![
                        Place::Number(u64::MAX),
                        Place::Memory(
                            8,
                            Some(Box::new(Place::Register(0, part(0, 64)))),
                            Some((Box::new(Place::Operand(2, None)), 4)),
                        ),
                    ]
                ),
            ])
        );
        assert_eq!(steps("rep stosb").map(|steps| steps[0].repeated), Some(true));
        assert_eq!(steps("rep; nop").map(|steps| steps.len()), Some(1));
        for unknown in ["1: jmp 1b", ".byte 1", "mov foo, $0", "mov $0, ${1:z}", "mov (,(", "é"] {
            assert_eq!(steps(unknown), None, "{unknown}");
        }
    }

    #[test]
    fn names_of_registers_are_parts_of_registers() {
        for (name, number, low, width) in [
            ("rax", 0, 0, 64),
            ("ecx", 1, 0, 32),
            ("dx", 2, 0, 16),
            ("bl", 3, 0, 8),
            ("ah", 0, 8, 8),
            ("sil", 6, 0, 8),
            ("r8", 8, 0, 64),
            ("r15d", 15, 0, 32),
        ] {
            assert_eq!(register(name), Some((number, Part { low, width })), "{name}");
        }
        assert_eq!([register("xmm0"), register("r7"), register("r99b"), register("")], [None; 4]);
    }

    #[test]
    fn constraints_say_where_operands_are() {
        let of = |is_output, is_memory, kind| Constraint { is_output, is_memory, kind };
        assert_eq!(
            constraints("={ax},=&r,=*m,%1,rm,{dx},~{dirflag},~{flags}"),
            Some(vec![
                of(true, false, Kind::Register(0)),
                of(true, false, Kind::Any),
                of(true, true, Kind::Any),
                of(false, false, Kind::Same(1)),
                of(false, false, Kind::Any),
                of(false, false, Kind::Register(2)),
            ])
        );
        assert_eq!(constraints("={xmm1}"), None);
    }
}
