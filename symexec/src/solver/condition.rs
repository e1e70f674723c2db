//! A path's condition as text for other tools: KLEE's query language, and SMT-LIB 2 with its arrays.
//!
//! Both keep what a canonical question drops: the names of inputs, and the order in which constraints came.
//! Addresses are the state's own numbers. Terms that occur more than once are written once and labelled,
//! so a text is as long as the graph is large. KLEE's language has no floating-point arithmetic.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write;

use rustc_hash::FxHashMap;

use super::no_floats::NoFloats;
use super::question::{Question, Term};
use super::{cvc, smtlib, translate};
use crate::base::bits::{BinaryOp, CompareOp};
use crate::expr::{Arena, ArrayId, ExprId};

/// What holds on a path, ready to be written.
#[derive(Clone, Debug, Default)]
pub struct Condition {
    question: Question,
    /// For each input of the question: which array, and the place in it.
    inputs: Vec<(usize, u32)>,
    /// Names and sizes of the path's inputs, in the order in which they were made.
    arrays: Vec<(String, usize)>,
}

impl Condition {
    /// The condition that these expressions make together, over a path's inputs.
    pub fn new(arena: &mut Arena, constraints: &[ExprId], inputs: &[ArrayId]) -> Self {
        let constraints: Vec<ExprId> = constraints.iter().map(|id| arena.concrete(*id)).collect();
        let translated = translate::in_order(arena, &constraints);
        let mut names = BTreeSet::new();
        let mut arrays: Vec<(String, usize)> = Vec::new();
        let mut places = FxHashMap::default();
        for (number, id) in inputs.iter().enumerate() {
            let array = arena.array(*id);
            arrays.push((identifier(&array.name, &mut names), array.bytes.len()));
            places.extend((0u32..).zip(&array.bytes).map(|(place, byte)| (*byte, (number, place))));
        }
        let inputs = translated.inputs.iter().map(|input| places.get(input).copied().unwrap_or_default());
        Self { inputs: inputs.collect(), question: translated.question, arrays }
    }

    /// As an SMT-LIB 2 script: each input is an array of bytes, as KLEE's are.
    #[must_use]
    pub fn smtlib(&self) -> String {
        self.script(false)
    }

    /// The script, which asks for the value of each byte if these are wanted.
    #[must_use]
    pub fn script(&self, with_values: bool) -> String {
        let logic = if self.question.has_floats() { "QF_AUFBVFP" } else { "QF_AUFBV" };
        let mut out = String::new();
        if with_values {
            out.push_str("(set-option :produce-models true)\n");
        }
        let _ = writeln!(out, "(set-logic {logic})");
        for (name, _) in &self.arrays {
            let _ = writeln!(out, "(declare-fun {name} () (Array (_ BitVec 32) (_ BitVec 8)))");
        }
        for (number, (array, place)) in self.inputs.iter().enumerate() {
            let name = self.arrays.get(*array).map_or("", |(name, _)| name);
            let _ = writeln!(out, "(define-fun in{number} () (_ BitVec 8) (select {name} (_ bv{place} 32)))");
        }
        out.push_str(&smtlib::terms(&self.question));
        out.push_str("(check-sat)\n");
        for (name, size) in self.arrays.iter().filter(|_| with_values) {
            for place in 0..*size {
                let _ = writeln!(out, "(get-value ((select {name} (_ bv{place} 32))))");
            }
        }
        out.push_str("(exit)\n");
        out
    }

    /// In CVC's language, as a query that is valid where the condition contradicts itself: each input is an array of
    /// bytes.
    ///
    /// # Errors
    /// If there is floating-point arithmetic.
    pub fn cvc(&self) -> Result<String, NoFloats> {
        let mut out = String::new();
        for (name, _) in &self.arrays {
            let _ = writeln!(out, "{name} : ARRAY BITVECTOR(32) OF BITVECTOR(8);");
        }
        for (number, (array, place)) in self.inputs.iter().enumerate() {
            let name = self.arrays.get(*array).map_or("", |(name, _)| name);
            let _ = writeln!(out, "in{number} : BITVECTOR(8) = {name}[0hex{place:08x}];");
        }
        out.push_str(&cvc::terms(&self.question)?);
        out.push_str("QUERY(FALSE);\n");
        Ok(out)
    }

    /// As a query in KLEE's language: whether the condition contradicts itself.
    ///
    /// # Errors
    /// If there is floating-point arithmetic.
    pub fn kquery(&self) -> Result<String, NoFloats> {
        self.query(&self.question.roots, None, "")
    }

    /// As a query whether all of its expressions but the last one imply that one.
    ///
    /// # Errors
    /// If there is floating-point arithmetic.
    pub fn implication(&self) -> Result<String, NoFloats> {
        match self.question.roots.split_last() {
            Some((last, others)) => self.query(others, Some(*last), ""),
            None => self.kquery(),
        }
    }

    /// As a query for values that its inputs may have.
    ///
    /// # Errors
    /// If there is floating-point arithmetic.
    pub fn values(&self) -> Result<String, NoFloats> {
        let names: Vec<&str> = self.arrays.iter().map(|(name, _)| name.as_str()).collect();
        let wanted = format!(" []\n       [{}]", names.join("\n        "));
        self.query(&self.question.roots, None, &wanted)
    }

    /// A query whether some expressions imply another one, or contradict themselves; `wanted` follows that.
    fn query(&self, from: &[u32], implied: Option<u32>, wanted: &str) -> Result<String, NoFloats> {
        let mut writer = Writer::new(self);
        let roots: Vec<String> = from
            .iter()
            .enumerate()
            .map(|(place, root)| {
                let indent = if place == 0 { "" } else { "\n         " };
                Ok(format!("{indent}{}", writer.expression(*root, ROOTS)?))
            })
            .collect::<Result<_, NoFloats>>()?;
        let implied =
            implied.map_or_else(|| Ok("false".to_owned()), |root| writer.expression(root, IMPLIED))?;
        let mut out = String::new();
        for (name, size) in &self.arrays {
            let _ = writeln!(out, "array {name}[{size}] : w32 -> w8 = symbolic");
        }
        out.push_str(&writer.constants);
        let _ = writeln!(out, "(query [{}]\n       {implied}{wanted})", roots.concat());
        Ok(out)
    }

    /// The first of its expressions alone, in KLEE's language.
    ///
    /// # Errors
    /// If there is floating-point arithmetic.
    pub fn first(&self) -> Result<String, NoFloats> {
        let Some(root) = self.question.roots.first() else { return Ok("true".to_owned()) };
        Writer::new(self).expression(*root, 0)
    }
}

/// A name that both languages take, each only once.
fn identifier(name: &str, taken: &mut BTreeSet<String>) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
    let mut text: String = name.chars().map(plain).collect();
    if !text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        text.insert(0, '_');
    }
    let mut unique = text.clone();
    let mut number = 0u32;
    while !taken.insert(unique.clone()) {
        number += 1;
        unique = format!("{text}_{number}");
    }
    unique
}

/// Where KLEE takes the expressions of a query to begin, and the last one.
const ROOTS: usize = 9;
const IMPLIED: usize = 7;

/// Lines begin no further to the right: deep expressions would be as long as the square of their depth.
const MOST_INDENT: usize = 120;

/// What is still to be written.
enum Piece {
    Text(Cow<'static, str>),
    /// The next line, from this column on.
    Line(usize),
    Term(u32),
    /// A constant whose width the other operand tells.
    Bare(u32),
    /// An array as it is where it is read.
    Version(u32),
}

struct Writer<'a> {
    condition: &'a Condition,
    /// How often each term is an operand.
    uses: Vec<u32>,
    labels: FxHashMap<u32, String>,
    expressions: u32,
    versions: u32,
    /// Where the line that is written begins: in the text, and in which column.
    line: usize,
    column: usize,
    /// Declarations of arrays of constants, and their names by term.
    constants: String,
    named: FxHashMap<u32, String>,
}

impl<'a> Writer<'a> {
    fn new(condition: &'a Condition) -> Self {
        let mut uses = vec![0u32; condition.question.terms.len()];
        let used = condition.question.terms.iter().flat_map(|(_, term)| operands(term));
        for operand in used.chain(condition.question.roots.iter().copied()) {
            if let Some(count) = uses.get_mut(operand as usize) {
                *count += 1;
            }
        }
        Self {
            condition,
            uses,
            labels: FxHashMap::default(),
            expressions: 0,
            versions: 0,
            line: 0,
            column: 0,
            constants: String::new(),
            named: FxHashMap::default(),
        }
    }

    fn term(&self, number: u32) -> Option<&'a (u32, Term)> {
        self.condition.question.terms.get(number as usize)
    }

    fn is_constant(&self, number: u32) -> bool {
        matches!(self.term(number), Some((_, Term::Constant(_) | Term::Wide(_))))
    }

    /// An expression that begins in a column.
    fn expression(&mut self, root: u32, column: usize) -> Result<String, NoFloats> {
        (self.line, self.column) = (0, column);
        let mut out = String::new();
        let mut stack = vec![Piece::Term(root)];
        while let Some(piece) = stack.pop() {
            let pieces = match piece {
                Piece::Text(text) => {
                    out.push_str(&text);
                    continue;
                }
                Piece::Line(column) => {
                    out.push('\n');
                    (self.line, self.column) = (out.len(), 0);
                    let _ = write!(out, "{:column$}", "");
                    continue;
                }
                Piece::Bare(number) if self.is_constant(number) => {
                    out.push_str(&self.constant(number));
                    continue;
                }
                Piece::Bare(number) | Piece::Term(number) => self.open(number, &mut out)?,
                Piece::Version(number) => self.version(number, &mut out),
            };
            stack.extend(pieces.into_iter().rev());
        }
        Ok(out)
    }

    fn constant(&self, number: u32) -> String {
        match self.term(number) {
            Some((1, Term::Constant(0))) => "false".to_owned(),
            Some((1, Term::Constant(_))) => "true".to_owned(),
            Some((_, Term::Constant(value))) => value.to_string(),
            Some((_, Term::Wide(bytes))) => num_bigint::BigUint::from_bytes_le(bytes).to_string(),
            _ => String::new(),
        }
    }

    /// The label of something that was written before; otherwise one is given to what is needed again.
    fn label(&mut self, number: u32, letter: char, out: &mut String) -> bool {
        if let Some(label) = self.labels.get(&number) {
            out.push_str(label);
            return true;
        }
        if self.uses.get(number as usize).is_some_and(|uses| *uses > 1) {
            let next = if letter == 'N' { &mut self.expressions } else { &mut self.versions };
            let label = format!("{letter}{next}");
            *next += 1;
            let _ = write!(out, "{label}:");
            self.labels.insert(number, label);
        }
        false
    }

    /// The pieces of a term, unless it was written before.
    fn open(&mut self, number: u32, out: &mut String) -> Result<Vec<Piece>, NoFloats> {
        let Some((width, term)) = self.term(number) else { return Ok(Vec::new()) };
        if self.is_constant(number) {
            let text = self.constant(number);
            out.push_str(&if *width == 1 { text } else { format!("(w{width} {text})") });
            return Ok(Vec::new());
        }
        if self.label(number, 'N', out) {
            return Ok(Vec::new());
        }
        // Truths are written without their width.
        let typed = |name: &str| if *width == 1 { name.to_owned() } else { format!("{name} w{width}") };
        if let Some((array, place, bytes)) = self.bytes_in_a_row(number) {
            let name = self.condition.arrays.get(array).map_or("", |(name, _)| name);
            let name_of_read = if bytes == 1 { "Read" } else { "ReadLSB" };
            let _ = write!(out, "({} {place} {name})", typed(name_of_read));
            return Ok(Vec::new());
        }
        // Of a known operand the other one tells the width.
        let beside = |number: u32, other: u32| {
            if self.is_constant(other) { Piece::Term(number) } else { Piece::Bare(number) }
        };
        Ok(match term {
            Term::Constant(_) | Term::Wide(_) | Term::Input(_) => Vec::new(),
            Term::Float(..) => return Err(NoFloats),
            Term::Not(a) if *width == 1 => self.operation("Eq", [text("false"), Piece::Term(*a)], out),
            Term::Not(a) => pieces(&typed("Not"), [Piece::Term(*a)]),
            Term::Binary(op, a, b) => {
                self.operation(&typed(binary_name(*op)), [beside(*a, *b), beside(*b, *a)], out)
            }
            Term::Compare(op, a, b) => {
                self.operation(compare_name(*op), [beside(*a, *b), beside(*b, *a)], out)
            }
            Term::Extract(a, low) => pieces(&format!("{} {low}", typed("Extract")), [Piece::Term(*a)]),
            Term::Concat(high, low) => {
                self.operation(&typed("Concat"), [Piece::Term(*high), Piece::Term(*low)], out)
            }
            Term::ZeroExtend(a) => pieces(&typed("ZExt"), [Piece::Term(*a)]),
            Term::SignExtend(a) => pieces(&typed("SExt"), [Piece::Term(*a)]),
            Term::Choose(condition, yes, no) => {
                let operands = [Piece::Term(*condition), Piece::Bare(*yes), Piece::Bare(*no)];
                self.operation(&typed("Select"), operands, out)
            }
            Term::Read(array, index) => self.read(*width, *array, *index),
            // Arrays are written where they are read.
            Term::Literal(_) | Term::Store(..) => vec![Piece::Version(number)],
        })
    }

    /// An operation in brackets. As KLEE writes them, operands have lines of their own, one below the other, unless all
    /// of them are short.
    fn operation<const N: usize>(&self, name: &str, operands: [Piece; N], out: &str) -> Vec<Piece> {
        let begin = self.column + out.len() - self.line;
        let column = (begin + name.len() + 2).min(MOST_INDENT);
        let is_short = operands.iter().all(|operand| match operand {
            Piece::Bare(number) | Piece::Term(number) => {
                let is_byte = matches!(self.term(*number), Some((_, Term::Input(_))));
                is_byte || self.is_constant(*number) || self.labels.contains_key(number)
            }
            _ => true,
        });
        let mut all = vec![text(format!("({name}"))];
        for (place, operand) in operands.into_iter().enumerate() {
            all.extend([if is_short || place == 0 { text(" ") } else { Piece::Line(column) }, operand]);
        }
        all.push(text(")"));
        all
    }

    /// A read; behind the end of the array is zero.
    fn read(&self, width: u32, array: u32, index: u32) -> Vec<Piece> {
        let mut root = array;
        while let Some((_, Term::Store(below, ..))) = self.term(root) {
            root = *below;
        }
        let length = match self.term(root) {
            Some((_, Term::Literal(elements))) => elements.len(),
            _ => 0,
        };
        let read = |mut more: Vec<Piece>| {
            more.push(text(format!("(Read w{width} ")));
            more.extend(short(index, self.is_constant(index)));
            more.extend([text(" "), Piece::Version(array), text(")")]);
            more
        };
        if let Some((_, Term::Constant(place))) = self.term(index)
            && *place < length as u64
        {
            return read(Vec::new());
        }
        let mut all = read(vec![
            text(format!("(Select w{width} (Ult ")),
            Piece::Term(index),
            text(format!(" {length}) ")),
        ]);
        all.push(text(" 0)"));
        all
    }

    /// An array with what was written to it, newest first.
    fn version(&mut self, number: u32, out: &mut String) -> Vec<Piece> {
        let Some((width, term)) = self.term(number) else { return Vec::new() };
        match term {
            Term::Store(below, index, value) => {
                if self.label(number, 'U', out) {
                    return Vec::new();
                }
                let mut all = vec![text("[")];
                all.extend(short(*index, self.is_constant(*index)));
                all.extend([text("="), Piece::Bare(*value), text("] @ "), Piece::Version(*below)]);
                all
            }
            Term::Literal(elements) => {
                let unknown: Vec<(usize, u32)> =
                    elements.iter().copied().enumerate().filter(|(_, id)| !self.is_constant(*id)).collect();
                let name = self.constant_array(number, *width, elements);
                if unknown.is_empty() {
                    out.push_str(&name);
                    return Vec::new();
                }
                if self.label(number, 'U', out) {
                    return Vec::new();
                }
                let mut all = vec![text("[")];
                for (nth, (place, value)) in unknown.into_iter().enumerate() {
                    let comma = if nth == 0 { "" } else { ", " };
                    all.extend([text(format!("{comma}{place}=")), Piece::Bare(value)]);
                }
                all.push(text(format!("] @ {name}")));
                all
            }
            _ => Vec::new(),
        }
    }

    /// The name of the array of a literal's constants; other elements are zero in it.
    fn constant_array(&mut self, number: u32, width: u32, elements: &[u32]) -> String {
        if let Some(name) = self.named.get(&number) {
            return name.clone();
        }
        let mut taken: BTreeSet<String> =
            self.condition.arrays.iter().map(|(name, _)| name.clone()).collect();
        taken.extend(self.named.values().cloned());
        let name = identifier("const_arr", &mut taken);
        let values: Vec<String> = elements
            .iter()
            .map(|element| if self.is_constant(*element) { self.constant(*element) } else { "0".to_owned() })
            .collect();
        let length = elements.len();
        let _ = writeln!(self.constants, "array {name}[{length}] : w32 -> w{width} = [{}]", values.join(" "));
        self.named.insert(number, name.clone());
        name
    }

    /// Input bytes of one array, put together with the first one lowest: array, first place, how many.
    fn bytes_in_a_row(&self, number: u32) -> Option<(usize, u32, u32)> {
        let byte = |number: u32| match self.term(number) {
            Some((_, Term::Input(input))) => self.condition.inputs.get(*input as usize).copied(),
            _ => None,
        };
        // Concatenations lean to one side; the other one is a byte.
        let (mut rest, mut low, mut high) = (number, Vec::new(), Vec::new());
        while let Some((_, Term::Concat(above, below))) = self.term(rest) {
            match (byte(*above), byte(*below)) {
                (_, Some(found)) => {
                    low.push(found);
                    rest = *above;
                }
                (Some(found), None) => {
                    high.push(found);
                    rest = *below;
                }
                (None, None) => return None,
            }
        }
        low.push(byte(rest)?);
        low.extend(high.into_iter().rev());
        let (array, first) = *low.first()?;
        let in_a_row = (first..).zip(&low).all(|(place, found)| *found == (array, place));
        in_a_row.then(|| (array, first, u32::try_from(low.len()).unwrap_or(u32::MAX)))
    }
}

fn text(text: impl Into<Cow<'static, str>>) -> Piece {
    Piece::Text(text.into())
}

/// An operation in brackets.
fn pieces<const N: usize>(name: &str, operands: [Piece; N]) -> Vec<Piece> {
    let mut all = vec![text(format!("({name}"))];
    for operand in operands {
        all.extend([text(" "), operand]);
    }
    all.push(text(")"));
    all
}

/// An index, of which arrays have 32 bits.
fn short(index: u32, known: bool) -> Vec<Piece> {
    if known {
        return vec![Piece::Bare(index)];
    }
    vec![text("(Extract w32 0 "), Piece::Term(index), text(")")]
}

fn operands(term: &Term) -> Vec<u32> {
    match term {
        Term::Constant(_) | Term::Wide(_) | Term::Input(_) => Vec::new(),
        Term::Not(a) | Term::Extract(a, _) | Term::ZeroExtend(a) | Term::SignExtend(a) => vec![*a],
        Term::Binary(_, a, b) | Term::Compare(_, a, b) | Term::Concat(a, b) => vec![*a, *b],
        // An index is written twice where it may lie behind the end.
        Term::Read(a, b) => vec![*a, *b, *b],
        Term::Choose(a, b, c) | Term::Store(a, b, c) => vec![*a, *b, *c],
        Term::Float(_, operands) => operands.to_vec(),
        Term::Literal(elements) => elements.clone(),
    }
}

fn binary_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "Add",
        BinaryOp::Sub => "Sub",
        BinaryOp::Mul => "Mul",
        BinaryOp::UDiv => "UDiv",
        BinaryOp::SDiv => "SDiv",
        BinaryOp::URem => "URem",
        BinaryOp::SRem => "SRem",
        BinaryOp::And => "And",
        BinaryOp::Or => "Or",
        BinaryOp::Xor => "Xor",
        BinaryOp::Shl => "Shl",
        BinaryOp::LShr => "LShr",
        BinaryOp::AShr => "AShr",
    }
}

fn compare_name(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "Eq",
        CompareOp::Ult => "Ult",
        CompareOp::Slt => "Slt",
    }
}
