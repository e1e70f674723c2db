//! Random predicates with assertions that call each other: what an analysis can prove of some calls and not of others.
//!
//! A relay has two arguments, mostly with a type before for the first and a type after for the second. Its clauses take
//! the first apart and build the second of what they know, and in between call other relays, directly or through a
//! goal; change terms, let goals wait for variables, test, choose, cut, catch and fail. Relays call earlier ones only,
//! so that they end.

use std::fmt::Write as _;

use super::super::random::Random;
use super::term::{Element, Shape, Term, term_named};

/// The variables of a clause: its arguments first.
const NAMES: [&str; 7] = ["X", "Y", "A", "B", "C", "D", "E"];

/// A predicate.
#[derive(Debug, Clone)]
pub(super) struct Relay {
    pub(super) before: Option<Element>,
    pub(super) after: Option<Element>,
    pub(super) clauses: Vec<Clause>,
}

/// One of its clauses.
#[derive(Debug, Clone)]
pub(super) struct Clause {
    /// The first argument of the head.
    head: Term,
    pub(super) acts: Vec<Act>,
}

/// A goal of a clause.
#[derive(Debug, Clone)]
pub(super) enum Act {
    Unify(usize, Term),
    Relay {
        number: usize,
        from: usize,
        to: usize,
    },
    /// The same by `call/N`.
    Meta {
        number: usize,
        from: usize,
        to: usize,
    },
    Change(usize, Term),
    /// When the first variable is bound, the second one's term is changed.
    Wait(usize, usize),
    Test(&'static str, usize),
    Evaluate {
        to: usize,
        operator: &'static str,
        of: usize,
    },
    Either(Vec<Act>, Vec<Act>),
    Choose(Vec<Act>, Vec<Act>, Vec<Act>),
    Not(Vec<Act>),
    Catch(Vec<Act>),
    Cut,
    Fail,
}

/// Some relays over the types of a case.
pub(super) fn relays(random: &mut Random, types: &[Shape]) -> Vec<Relay> {
    let mut relays: Vec<Relay> = Vec::new();
    if random.chance(1, 2) {
        chain(random, types, &mut relays);
    }
    for _ in 0..random.from(3..=6) {
        let before = element(random, types);
        let after = element(random, types);
        let count = random.from(1..=3);
        let clauses = (0..count).map(|_| clause(random, types, &relays, before, after)).collect();
        relays.push(Relay { before, after, clauses });
    }
    // Those without assertions that nobody calls are followed in a way of their own.
    for _ in 0..random.from(0..=2) {
        let count = random.from(1..=2);
        let clauses = (0..count).map(|_| clause(random, types, &relays, None, None)).collect();
        relays.push(Relay { before: None, after: None, clauses });
    }
    relays
}

fn element(random: &mut Random, types: &[Shape]) -> Option<Element> {
    match random.below(11) {
        0 => None,
        10 => Some(Element::Text),
        1 => Some(Element::Atom),
        2 | 3 => Some(Element::Integer),
        4 => Some(Element::Ground),
        _ => Some(Element::Type(random.below(types.len()))),
    }
}

/// A clause under way: what its variables are believed to be.
struct Writer<'a> {
    random: &'a mut Random,
    types: &'a [Shape],
    relays: &'a [Relay],
    known: [Option<Element>; NAMES.len()],
    /// Whether nothing is called that an analysis does not understand.
    clean: bool,
}

fn clause(
    random: &mut Random,
    types: &[Shape],
    relays: &[Relay],
    before: Option<Element>,
    after: Option<Element>,
) -> Clause {
    let mut known = [None; NAMES.len()];
    known[0] = before;
    let clean = random.chance(1, 2);
    let mut writer = Writer { random, types, relays, known, clean };
    let head = writer.head();
    let taken = writer.known;
    let mut acts = Vec::new();
    for _ in 0..writer.random.from(0..=4) {
        let act = writer.act(0);
        if let Act::Relay { from, to, .. } = act
            && !clean
            && writer.random.chance(1, 4)
        {
            // What is called changes what it was given when it answers.
            acts.push(Act::Wait(to, from));
        }
        acts.push(act);
    }
    if writer.random.chance(7, 8) {
        let value = writer.value(after, 3);
        // Sometimes early: what waits for the second argument is then called in the midst of the clause.
        let at = if writer.random.chance(1, 3) { writer.random.from(0..=acts.len()) } else { acts.len() };
        acts.insert(at, Act::Unify(1, value));
    }
    if writer.random.chance(1, 6) {
        hand_on(&mut writer, after, &mut acts, taken);
    }
    Clause { head, acts }
}

/// Ends a clause with a call that promises what the clause promises, of its second argument or of another variable:
/// mostly behind goals that call nothing, often behind none at all. At its head so much was `known`.
fn hand_on(
    writer: &mut Writer<'_>,
    after: Option<Element>,
    acts: &mut Vec<Act>,
    known: [Option<Element>; NAMES.len()],
) {
    let same = |number: &usize| after.is_some() && writer.relays[*number].after == after;
    let others: Vec<usize> = (0..writer.relays.len()).filter(same).collect();
    if others.is_empty() {
        return;
    }
    match writer.random.below(4) {
        0 => {}
        1 => acts.retain(|act| matches!(act, Act::Unify(..) | Act::Test(..) | Act::Cut)),
        _ => {
            acts.clear();
            writer.known = known;
        }
    }
    let number = writer.random.one(&others);
    acts.push(passed_on(writer, number));
}

/// A call with what is known for its first argument. It answers by the second argument of its clause, or by a variable
/// that nobody looks at.
fn passed_on(writer: &mut Writer<'_>, number: usize) -> Act {
    let from = writer.known_as(writer.relays[number].before).unwrap_or(0);
    let to = if writer.random.chance(1, 2) { 1 } else { writer.free() };
    Act::Relay { number, from, to }
}

/// A relay that mostly answers what it promises, and one or two that hand its answer on, or something else as if it
/// were that. What they want is seen at a glance, so that calls pass without a walk, and what a clause does before its
/// last call is no call.
fn chain(random: &mut Random, types: &[Shape], relays: &mut Vec<Relay>) {
    let before = Some(random.one(&[Element::Integer, Element::Atom]));
    let after = element(random, types).or(Some(Element::Integer));
    let mut known = [None; NAMES.len()];
    known[0] = before;
    for link in 0..random.from(2..=3) {
        let mut clauses = Vec::new();
        for _ in 0..random.from(1..=2) {
            let mut writer = Writer { random, types, relays, known, clean: true };
            let mut acts = Vec::new();
            if link == 0 || writer.random.chance(1, 3) {
                acts.push(Act::Unify(1, writer.value(after, 1)));
            }
            if link > 0 {
                if writer.random.chance(1, 4) {
                    let other = element(writer.random, types);
                    acts.push(Act::Unify(writer.free(), writer.value(other, 1)));
                }
                acts.push(passed_on(&mut writer, relays.len() - 1));
            }
            clauses.push(Clause { head: Term::Variable(0), acts });
        }
        relays.push(Relay { before, after, clauses });
    }
}

impl Shape {
    /// A constructor of a type of this shape, and what its arguments are: one that ends the term if that is wanted and
    /// there is one, else one that goes on. `own` is the type itself.
    fn constructor(self, own: Element, ends: bool) -> (&'static str, Vec<Element>) {
        match self {
            Self::List(_) | Self::Library(_) if ends => ("[]", vec![]),
            Self::Tree(_) if ends => ("leaf", vec![]),
            Self::Chain if ends => ("z", vec![]),
            Self::Sequence(_) if ends => ("nil", vec![]),
            Self::Option(_) if ends => ("none", vec![]),
            Self::List(one) | Self::Library(one) => ("[|]", vec![one, own]),
            Self::Tree(one) => ("node", vec![own, one, own]),
            Self::Chain => ("s", vec![own]),
            Self::Pair(one, other) => ("pair", vec![one, other]),
            Self::Option(one) => ("some", vec![one]),
            Self::Rose(one) => ("rose", vec![one, Element::Any]),
            Self::Sequence(one) => ("cons", vec![one, own]),
        }
    }
}

impl Writer<'_> {
    /// The first argument, perhaps taken apart.
    fn head(&mut self) -> Term {
        let Some(Element::Type(kind)) = self.known[0] else { return Term::Variable(0) };
        if self.random.chance(1, 3) {
            return Term::Variable(0);
        }
        let own = Element::Type(kind);
        let shape = self.types.get(kind).copied().unwrap_or(Shape::Chain);
        let ends = self.random.chance(1, 4);
        // A chain is always taken apart.
        let (name, parts) = shape.constructor(own, ends && !matches!(shape, Shape::Chain));
        let arguments = (2..)
            .zip(parts)
            .map(|(variable, element)| {
                self.known[variable] = Some(element);
                Term::Variable(variable)
            })
            .collect();
        self.known[0] = None;
        Term::Compound(name, arguments)
    }

    fn acts(&mut self, depth: usize) -> Vec<Act> {
        (0..self.random.from(1..=2)).map(|_| self.act(depth + 1)).collect()
    }

    fn act(&mut self, depth: usize) -> Act {
        let deep = usize::from(depth < 2);
        let any = self.some();
        let unclean = usize::from(!self.clean);
        let kinds = [
            4,
            12,
            2 * unclean,
            4 * unclean,
            2 * unclean,
            2,
            2,
            3 * deep,
            3 * deep,
            deep,
            deep * unclean,
            1,
            usize::from(depth > 0),
        ];
        match self.random.weighted(&kinds) {
            0 => {
                let element = element(self.random, self.types);
                let value = self.value(element, 2);
                self.known[any] = element;
                Act::Unify(any, value)
            }
            kind @ (1 | 2) if !self.relays.is_empty() => {
                let number = self.random.below(self.relays.len());
                let before = self.relays[number].before;
                let from = self.known_as(before).unwrap_or(any);
                let to = self.free();
                self.known[to] = self.relays[number].after;
                if kind == 1 { Act::Relay { number, from, to } } else { Act::Meta { number, from, to } }
            }
            // What is changed is believed to be what it was.
            3 => Act::Change(self.typed().unwrap_or(any), Term::Compound("a", Vec::new())),
            4 => {
                let waits = if self.random.chance(1, 2) { 1 } else { any };
                Act::Wait(waits, self.typed().unwrap_or(any))
            }
            5 => {
                let test = self.random.one(&["integer", "atom", "compound", "nonvar", "var", "number"]);
                if test == "integer" {
                    self.known[any] = Some(Element::Integer);
                }
                Act::Test(test, any)
            }
            6 => {
                let of = self.known_as(Some(Element::Integer)).unwrap_or(any);
                let to = self.free();
                let operator = self.random.one(&["+", "*", "//", "/", "-"]);
                self.known[to] = Some(Element::Integer);
                Act::Evaluate { to, operator, of }
            }
            7 => {
                let known = self.known;
                let one = self.acts(depth);
                let first = std::mem::replace(&mut self.known, known);
                let other = self.acts(depth);
                self.believe(first);
                Act::Either(one, other)
            }
            8 => {
                let known = self.known;
                let (test, one) = (self.acts(depth), self.acts(depth));
                let first = std::mem::replace(&mut self.known, known);
                let other = self.acts(depth);
                self.believe(first);
                Act::Choose(test, one, other)
            }
            9 => Act::Not(self.acts(depth)),
            10 => Act::Catch(self.acts(depth)),
            11 => Act::Cut,
            _ if depth > 0 => Act::Fail,
            _ => Act::Cut,
        }
    }

    /// A variable that is believed to be of a type.
    fn known_as(&mut self, element: Option<Element>) -> Option<usize> {
        let fitting: Vec<usize> =
            (0..NAMES.len()).filter(|&i| element.is_some() && self.known[i] == element).collect();
        if fitting.is_empty() || self.random.chance(1, 12) { None } else { Some(self.random.one(&fitting)) }
    }

    /// Believes behind branches what one of them left.
    fn believe(&mut self, first: [Option<Element>; NAMES.len()]) {
        if self.random.chance(1, 2) {
            self.known = first;
        }
    }

    /// A variable, mostly one of which something is believed.
    fn some(&mut self) -> usize {
        let known: Vec<usize> = (0..NAMES.len()).filter(|&i| self.known[i].is_some()).collect();
        if known.is_empty() || self.random.chance(1, 5) {
            self.random.below(NAMES.len())
        } else {
            self.random.one(&known)
        }
    }

    /// A variable that is believed to be of one of the case's types.
    fn typed(&mut self) -> Option<usize> {
        let typed = |&i: &usize| matches!(self.known[i], Some(Element::Type(_)));
        let typed: Vec<usize> = (0..NAMES.len()).filter(typed).collect();
        if typed.is_empty() { None } else { Some(self.random.one(&typed)) }
    }

    /// A variable of which nothing is believed.
    fn free(&mut self) -> usize {
        let free: Vec<usize> = (1..NAMES.len()).filter(|&i| self.known[i].is_none()).collect();
        if free.is_empty() { 1 } else { self.random.one(&free) }
    }

    /// A term that is mostly of a type.
    fn value(&mut self, element: Option<Element>, depth: usize) -> Term {
        if self.random.chance(1, 2)
            && let Some(variable) = self.known_as(element)
        {
            return Term::Variable(variable);
        }
        if self.random.chance(1, 15) {
            return Term::Variable(self.random.below(NAMES.len()));
        }
        let kind = match element {
            Some(Element::Type(kind)) => kind,
            Some(Element::Integer) => return Term::Integer(self.random.below(5)),
            Some(Element::Text) => {
                return Term::Compound(self.random.one(&["\"a\"", "\"b\"", "\"leaf\"", "a"]), Vec::new());
            }
            _ => return Term::Compound(self.random.one(&["a", "b", "leaf"]), Vec::new()),
        };
        let own = Element::Type(kind);
        let ends = depth == 0 || self.random.chance(1, 3);
        let shape = self.types.get(kind).copied().unwrap_or(Shape::Chain);
        if let Shape::Rose(one) = shape {
            let first = self.value(Some(one), 0);
            return Term::Compound("rose", vec![first, Term::Compound("[]", Vec::new())]);
        }
        let (name, parts) = shape.constructor(own, ends);
        let arguments =
            parts.into_iter().map(|part| self.value(Some(part), depth.saturating_sub(1))).collect();
        Term::Compound(name, arguments)
    }
}

/// How a relay is written: its name, its properties, and the names of the others.
pub(super) struct Names<'a> {
    pub(super) relay: &'a dyn Fn(usize) -> String,
    pub(super) property: &'a dyn Fn(Element, &str) -> String,
}

impl Relay {
    /// The predicate as Prolog.
    pub(super) fn write(&self, text: &mut String, number: usize, names: &Names<'_>) {
        let name = (names.relay)(number);
        let before = self.before.map_or(String::new(), |one| format!(" : {}", (names.property)(one, "X")));
        let after = self.after.map_or(String::new(), |one| format!(" => {}", (names.property)(one, "Y")));
        // Writing to a string cannot fail.
        if !before.is_empty() || !after.is_empty() {
            writeln!(text, ":- pred {name}(X, Y){before}{after}.").ok();
        }
        for Clause { head, acts } in &self.clauses {
            writeln!(text, "{name}({}, Y) :- {}.", written(head), conjunction(acts, names)).ok();
        }
        text.push('\n');
    }

    /// Whether a clause ends with a call, so that a check may be left to what is called.
    pub(super) fn hands_on(&self) -> bool {
        self.after.is_some()
            && self.clauses.iter().any(|one| matches!(one.acts.last(), Some(Act::Relay { .. })))
    }

    /// The relay with one of its goals or clauses less, in every way.
    pub(super) fn smaller(&self) -> Vec<Relay> {
        let mut smaller = Vec::new();
        for at in 0..self.clauses.len() {
            if self.clauses.len() > 1 {
                let mut less = self.clone();
                less.clauses.remove(at);
                smaller.push(less);
            }
            for act in 0..self.clauses[at].acts.len() {
                let mut less = self.clone();
                less.clauses[at].acts.remove(act);
                smaller.push(less);
            }
        }
        smaller
    }
}

fn written(value: &Term) -> String {
    term_named(value, &|variable| NAMES.get(variable).unwrap_or(&"_").to_string())
}

fn conjunction(acts: &[Act], names: &Names<'_>) -> String {
    if acts.is_empty() {
        return "true".to_owned();
    }
    let acts: Vec<String> = acts.iter().map(|one| act(one, names)).collect();
    acts.join(", ")
}

fn act(one: &Act, names: &Names<'_>) -> String {
    let all = |acts: &[Act]| conjunction(acts, names);
    let name = |variable: &usize| NAMES[*variable];
    match one {
        // A cyclic term would make the walkers run for ever.
        Act::Unify(variable, value @ Term::Compound(_, arguments)) if arguments.is_empty() => {
            format!("{} = {}", name(variable), written(value))
        }
        Act::Unify(variable, value) => {
            format!("unify_with_occurs_check({}, {})", name(variable), written(value))
        }
        Act::Relay { number, from, to } => {
            format!("{}({}, {})", (names.relay)(*number), name(from), name(to))
        }
        Act::Meta { number, from, to } => {
            format!("call({}, {}, {})", (names.relay)(*number), name(from), name(to))
        }
        Act::Change(variable, value) => {
            let variable = name(variable);
            format!("( compound({variable}) -> setarg(1, {variable}, {}) ; true )", written(value))
        }
        Act::Wait(variable, other) => format!("freeze({}, spoil({}))", name(variable), name(other)),
        Act::Test(test, variable) => format!("{test}({})", name(variable)),
        Act::Evaluate { to, operator, of } => {
            format!("( number({1}) -> {0} is {1} {operator} 2 ; true )", name(to), name(of))
        }
        Act::Either(one, other) => format!("( {} ; {} )", all(one), all(other)),
        Act::Choose(test, one, other) => format!("( {} -> {} ; {} )", all(test), all(one), all(other)),
        Act::Not(inner) => format!("\\+ ( {} )", all(inner)),
        Act::Catch(inner) => format!("catch(( {} ), Ball, thrown(Ball))", all(inner)),
        Act::Cut => "!".to_owned(),
        Act::Fail => "fail".to_owned(),
    }
}
