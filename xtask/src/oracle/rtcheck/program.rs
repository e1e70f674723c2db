//! The programs that are tried: their parts, and how they are written as Prolog.

use std::fmt::Write as _;

use super::relay::{Names, Relay};
use super::setting::Setting;
use super::term::{Element, Shape, Term, term_named};

/// A goal with the types it is about.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    /// A type may mention earlier ones, and itself.
    pub(super) types: Vec<Shape>,
    pub(super) goal: Vec<Step>,
    /// Predicates that call each other.
    pub(super) relays: Vec<Relay>,
    /// A setting to run it in besides those that all are run in.
    pub(super) drawn: Setting,
}

/// The number of variables of a goal.
pub(super) const VARIABLES: usize = 6;

/// One goal of a conjunction.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// Unifies (with occurs check: a cyclic term would make the walkers run for ever).
    Unify(usize, Term),
    /// Unifies with one term after the other.
    Choose(usize, Vec<Term>),
    /// Calls a predicate about types and variables.
    Ask(Question),
    /// Makes a deep term around a variable's value, for another variable.
    Grow {
        kind: usize,
        levels: usize,
        from: usize,
        to: usize,
    },
    /// A copy with fresh variables.
    CopyTerm {
        from: usize,
        to: usize,
    },
    /// Changes an argument, undone on backtracking.
    SetArgument {
        position: usize,
        variable: usize,
        value: Term,
    },
    /// Keeps a term in the database, or in a global variable; and asks for what was kept last.
    Keep(Place, usize),
    Recall(Place, usize),
    Either(Vec<Step>, Vec<Step>),
    IfThenElse(Vec<Step>, Vec<Step>, Vec<Step>),
    SoftIfThenElse(Vec<Step>, Vec<Step>, Vec<Step>),
    Not(Vec<Step>),
    ForAll(Vec<Step>, Vec<Step>),
    Once(Vec<Step>),
    /// Prints what is thrown and goes on.
    Catch(Vec<Step>),
    /// Throws a term.
    Throw(usize),
    FindAll(usize, Vec<Step>),
    /// Prints a variable's value.
    Show(usize),
    /// Makes much garbage, so that a collection comes soon.
    Litter,
    /// Collects now.
    Collect,
    Cut,
    Fail,
}

/// A call of a predicate with assertions.
#[derive(Debug, Clone, Copy)]
pub(super) enum Question {
    /// Its precondition is a type.
    Check { kind: usize, variable: usize },
    /// It has one of two types.
    OneOf { kind: usize, other: usize, variable: usize },
    /// It is recursive and checked at every step down.
    Walk { kind: usize, variable: usize },
    /// It is recursive, and builds its result from its argument; both are checked at every step.
    Rebuild { kind: usize, from: usize, to: usize },
    /// It has a type before and another one after, and hands its argument on.
    Convert { before: usize, after: usize, from: usize, to: usize },
    /// It wants a variable and makes it a term of a type.
    Make { kind: usize, to: usize },
    /// A relay, by number.
    Relay { number: usize, from: usize, to: usize },
    /// A deep term that has the type is asked about and becomes garbage; after a collection another one, perhaps
    /// without the type, is built in its place.
    Churn { kind: usize, levels: usize, variable: usize },
}

/// Where terms are kept outside the goal's own variables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Database,
    /// Undone on backtracking.
    Global,
    /// Not undone on backtracking.
    LastingGlobal,
}

/// Every case with a prelude, each tried for all its solutions; starts each one's output with `== N`.
pub(super) fn program(cases: &[Case]) -> String {
    let mut text = String::from(PRELUDE);
    for (number, case) in cases.iter().enumerate() {
        let writer = Writer { number, types: &case.types };
        let names = Names {
            relay: &|relay| writer.name("r", relay),
            property: &|element, variable| writer.property(element, variable),
        };
        for (relay, one) in case.relays.iter().enumerate() {
            one.write(&mut text, relay, &names);
        }
        let goal = writer.steps(&case.goal, 1);
        for kind in 0..case.types.len() {
            writer.write_type(&mut text, kind, &goal);
        }
        let variables = (0..VARIABLES).map(|index| format!("V{index}")).collect::<Vec<_>>().join(", ");
        write!(text, "case({number}) :-\n    Vs = [{variables}],\n{goal},\n").ok();
        text.push_str("    write('answer '), show(Vs), nl, fail.\n");
        write!(text, "case({number}).\n\n").ok();
    }
    text.push_str("main :- ");
    let runs: Vec<String> = (0..cases.len()).map(|number| format!("run({number})")).collect();
    text.push_str(&runs.join(", "));
    text.push_str(".\n");
    text
}

/// What all cases use. Variables have no names in what is shown, since names may depend on what was allocated;
/// what lies deep is left out, since shared parts may make a term much larger than its storage. A case ends after so
/// many calls, wherever it is, which is the same place with every cache: few run that long, and those have
/// exponentially many solutions mostly.
const PRELUDE: &str = "\
:- module(_, [main/0], [assertions, regtypes]).
:- set_prolog_flag(double_quotes, string).
:- initialization(main).
:- dynamic(kept/2).

show(T) :- show(T, 7).

show(T, _) :- var(T), !, write('_').
show(T, _) :- atomic(T), !, writeq(T).
show(_, 0) :- !, write('...').
show(T, N) :- M is N - 1, T =.. [F|As], writeq(F), write('('), show_each(As, M), write(')').

show_each([], _).
show_each([A|As], N) :- show(A, N), write(' '), show_each(As, N).

choose(X, [T|_]) :- unify_with_occurs_check(X, T).
choose(X, [_|Ts]) :- choose(X, Ts).

litter(0, _) :- !.
litter(N, T) :- M is N - 1, litter(M, f(T, N)).

% What a goal that waited does to a term.
spoil(T) :- ( compound(T) -> setarg(1, T, spoilt) ; true ).

same(X, Y) :- unify_with_occurs_check(X, Y).

keep(T) :- retractall(kept(last, _)), assertz(kept(last, T)).

run(N) :-
    write('== '), write(N), nl,
    keep(none), nb_setval(lasting, none), b_setval(global, none),
    catch(call_with_inference_limit(case(N), 20000, R), E, thrown(E)),
    ( R == inference_limit_exceeded -> write('given up'), nl ; true ).

thrown(inference_limit_exceeded) :- !, throw(inference_limit_exceeded).
thrown(E) :- write('thrown '), show(E), nl.

";

/// Writes one case.
struct Writer<'c> {
    number: usize,
    types: &'c [Shape],
}

impl Writer<'_> {
    fn name(&self, what: &str, kind: usize) -> String {
        format!("c{}_{what}{kind}", self.number)
    }

    /// A type as an expression, such as a parameter of another.
    fn expression(&self, element: Element) -> String {
        match element {
            Element::Integer => "int".to_owned(),
            Element::Atom => "atm".to_owned(),
            Element::Text => "string".to_owned(),
            Element::Ground => "gnd".to_owned(),
            Element::Any => "term".to_owned(),
            Element::Type(kind) => match self.types.get(kind) {
                Some(Shape::Sequence(of)) => {
                    format!("{}({})", self.name("t", kind), self.expression(*of))
                }
                _ => self.name("t", kind),
            },
        }
    }

    /// The property that a variable has a type.
    fn property(&self, element: Element, variable: &str) -> String {
        match element {
            Element::Type(kind) => match self.types.get(kind) {
                Some(Shape::Sequence(of)) => {
                    format!("{}({variable}, {})", self.name("t", kind), self.expression(*of))
                }
                _ => format!("{}({variable})", self.name("t", kind)),
            },
            _ => format!("{}({variable})", self.expression(element)),
        }
    }

    fn is_of(&self, kind: usize, variable: &str) -> String {
        self.property(Element::Type(kind), variable)
    }

    /// A small term of a type.
    fn sample(&self, element: Element) -> String {
        let Element::Type(kind) = element else {
            return match element {
                Element::Integer => "7",
                Element::Text => "\"a\"",
                _ => "a",
            }
            .to_owned();
        };
        match self.types.get(kind).copied().unwrap_or(Shape::Chain) {
            Shape::List(_) | Shape::Library(_) => "[]".to_owned(),
            Shape::Tree(_) => "leaf".to_owned(),
            Shape::Chain => "z".to_owned(),
            Shape::Option(_) => "none".to_owned(),
            Shape::Sequence(_) => "nil".to_owned(),
            Shape::Pair(one, other) => format!("pair({}, {})", self.sample(one), self.sample(other)),
            Shape::Rose(of) => format!("rose({}, [])", self.sample(of)),
        }
    }

    /// A type with its checked predicates, as far as the goal calls them.
    fn write_type(&self, text: &mut String, kind: usize, goal: &str) {
        let shape = self.types.get(kind).copied().unwrap_or(Shape::Chain);
        let name = self.name("t", kind);
        let of = |element, variable| self.property(element, variable);
        let (arity, clauses) = match shape {
            Shape::List(one) => {
                (1, format!("{name}([]).\n{name}([X|Xs]) :- {}, {name}(Xs).\n", of(one, "X")))
            }
            Shape::Library(one) => (1, format!("{name}(Xs) :- list({}, Xs).\n", self.expression(one))),
            Shape::Tree(one) => (
                1,
                format!("{name}(leaf).\n{name}(node(L, X, R)) :- {name}(L), {}, {name}(R).\n", of(one, "X")),
            ),
            Shape::Chain => (1, format!("{name}(z).\n{name}(s(X)) :- {name}(X).\n")),
            Shape::Pair(one, other) => {
                (1, format!("{name}(pair(X, Y)) :- {}, {}.\n", of(one, "X"), of(other, "Y")))
            }
            Shape::Option(one) => (1, format!("{name}(none).\n{name}(some(X)) :- {}.\n", of(one, "X"))),
            Shape::Rose(one) => (1, format!("{name}(rose(X, Cs)) :- {}, list({name}, Cs).\n", of(one, "X"))),
            Shape::Sequence(_) => {
                (2, format!("{name}(nil, _).\n{name}(cons(X, Xs), T) :- T(X), {name}(Xs, T).\n"))
            }
        };
        write!(text, ":- regtype {name}/{arity}.\n{clauses}\n").ok();
        self.write_predicates(text, kind, shape, goal);
    }

    /// The predicates of [`Question`] and [`Step::Grow`] for a type. None goes down a variable.
    fn write_predicates(&self, text: &mut String, kind: usize, shape: Shape, goal: &str) {
        let is = |variable| self.is_of(kind, variable);
        let calls = |name: &str| goal.contains(&format!("{name}("));
        let [check, make, grow] = ["check", "make", "grow"].map(|what| self.name(what, kind));
        let [churn, again] = ["churn", "again"].map(|what| self.name(what, kind));
        let (walk, rebuild) = (self.name("walk", kind), self.name("rebuild", kind));
        let sample = self.sample(Element::Type(kind));
        // Writing to a string cannot fail.
        if calls(&check) || calls(&churn) {
            write!(text, ":- pred {check}(X) : {}.\n{check}(_).\n\n", is("X")).ok();
        }
        if calls(&make) {
            write!(text, ":- pred {make}(X) : var(X) => {}.\n{make}({sample}).\n\n", is("X")).ok();
        }
        for other in 0..self.types.len() {
            let convert = format!("{}_{other}", self.name("convert", kind));
            let one_of = format!("{}_{other}", self.name("one_of", kind));
            if calls(&convert) {
                let after = self.is_of(other, "Y");
                write!(
                    text,
                    ":- pred {convert}(X, Y) : {} => {after}.\n{convert}(X, Y) :- same(X, Y).\n\n",
                    is("X")
                )
                .ok();
            }
            if calls(&one_of) {
                let or = self.is_of(other, "X");
                write!(
                    text,
                    ":- pred {one_of}(X) : {}.\n:- pred {one_of}(X) : {or}.\n{one_of}(_).\n\n",
                    is("X")
                )
                .ok();
            }
        }
        let (walker, builder) = match shape {
            Shape::List(_) | Shape::Library(_) => (
                format!("{walk}([]).\n{walk}([_|Xs]) :- {walk}(Xs).\n"),
                format!("{rebuild}([], []).\n{rebuild}([X|Xs], [X|Ys]) :- {rebuild}(Xs, Ys).\n"),
            ),
            Shape::Tree(_) => (
                format!("{walk}(leaf).\n{walk}(node(L, _, R)) :- {walk}(L), {walk}(R).\n"),
                format!(
                    "{rebuild}(leaf, leaf).\n\
                     {rebuild}(node(L, X, R), node(R1, X, L1)) :- {rebuild}(L, L1), {rebuild}(R, R1).\n"
                ),
            ),
            Shape::Chain => (
                format!("{walk}(z).\n{walk}(s(X)) :- {walk}(X).\n"),
                format!("{rebuild}(z, z).\n{rebuild}(s(X), s(Y)) :- {rebuild}(X, Y).\n"),
            ),
            Shape::Sequence(_) => (
                format!("{walk}(nil).\n{walk}(cons(_, Xs)) :- {walk}(Xs).\n"),
                format!("{rebuild}(nil, nil).\n{rebuild}(cons(X, Xs), cons(X, Ys)) :- {rebuild}(Xs, Ys).\n"),
            ),
            Shape::Rose(_) => (
                format!(
                    "{walk}(rose(_, Cs)) :- {walk}_all(Cs).\n\
                     {walk}_all(Cs) :- var(Cs), !.\n{walk}_all([]).\n\
                     {walk}_all([C|Cs]) :- {walk}(C), {walk}_all(Cs).\n"
                ),
                format!("{rebuild}(rose(X, Cs), rose(X, [rose(X, Cs)])).\n"),
            ),
            Shape::Pair(..) => {
                (format!("{walk}(pair(_, _)).\n"), format!("{rebuild}(pair(X, Y), pair(X, Y)).\n"))
            }
            Shape::Option(_) => (
                format!("{walk}(none).\n{walk}(some(_)).\n"),
                format!("{rebuild}(none, none).\n{rebuild}(some(X), some(X)).\n"),
            ),
        };
        let around = match shape {
            Shape::List(of) | Shape::Library(of) => format!("[{}|T]", self.sample(of)),
            Shape::Tree(of) => format!("node(T, {}, leaf)", self.sample(of)),
            Shape::Chain => "s(T)".to_owned(),
            Shape::Sequence(of) => format!("cons({}, T)", self.sample(of)),
            Shape::Rose(of) => format!("rose({}, [T])", self.sample(of)),
            // These are as deep as they are.
            Shape::Pair(..) | Shape::Option(_) => "T".to_owned(),
        };
        if calls(&walk) {
            write!(text, ":- pred {walk}(X) : {}.\n{walk}(X) :- var(X), !.\n{walker}\n", is("X")).ok();
        }
        if calls(&rebuild) {
            write!(
                text,
                ":- pred {rebuild}(X, Y) : {} => {}.\n{rebuild}(X, Y) :- var(X), !, same(X, Y).\n{builder}\n",
                is("X"),
                is("Y")
            )
            .ok();
        }
        if calls(&grow) || calls(&churn) {
            write!(text, "{grow}(0, T, T) :- !.\n{grow}(N, T, U) :- M is N - 1, {grow}(M, {around}, U).\n\n")
                .ok();
        }
        if calls(&churn) {
            write!(
                text,
                "{churn}(N, X) :- {grow}(N, {sample}, T), {check}(T), {again}(N, X).\n\
                 {again}(N, X) :- garbage_collect, {grow}(N, X, T), {check}(T).\n\n"
            )
            .ok();
        }
    }

    fn steps(&self, steps: &[Step], depth: usize) -> String {
        let indent = "    ".repeat(depth);
        if steps.is_empty() {
            return format!("{indent}true");
        }
        let lines: Vec<String> =
            steps.iter().map(|one| format!("{indent}{}", self.step(one, depth))).collect();
        lines.join(",\n")
    }

    fn step(&self, one: &Step, depth: usize) -> String {
        let indent = "    ".repeat(depth);
        let inner = |all: &[Step]| self.steps(all, depth + 1);
        let three = |test: &[Step], arrow: &str, one: &[Step], other: &[Step]| {
            format!(
                "(\n{}\n{indent}{arrow}\n{}\n{indent};\n{}\n{indent})",
                inner(test),
                inner(one),
                inner(other)
            )
        };
        match one {
            Step::Unify(variable, value) => format!("same(V{variable}, {})", term(value)),
            Step::Choose(variable, values) => {
                let values: Vec<String> = values.iter().map(term).collect();
                format!("choose(V{variable}, [{}])", values.join(", "))
            }
            Step::Ask(question) => self.question(*question),
            Step::Grow { kind, levels, from, to } => {
                let (grow, grown) = (self.name("grow", *kind), format!("G{depth}_{from}_{to}_{levels}"));
                format!("{grow}({levels}, V{from}, {grown}), same(V{to}, {grown})")
            }
            Step::CopyTerm { from, to } => {
                format!("copy_term(V{from}, C{depth}_{from}_{to}), same(V{to}, C{depth}_{from}_{to})")
            }
            Step::SetArgument { position, variable, value } => {
                let value = term(value);
                format!("( compound(V{variable}) -> setarg({position}, V{variable}, {value}) ; true )")
            }
            Step::Keep(place, variable) => match place {
                Place::Database => format!("keep(V{variable})"),
                Place::Global => format!("b_setval(global, V{variable})"),
                Place::LastingGlobal => format!("nb_setval(lasting, V{variable})"),
            },
            Step::Recall(place, variable) => match place {
                Place::Database => {
                    format!("kept(last, K{depth}_{variable}), same(V{variable}, K{depth}_{variable})")
                }
                Place::Global => {
                    format!("b_getval(global, B{depth}_{variable}), same(V{variable}, B{depth}_{variable})")
                }
                Place::LastingGlobal => {
                    format!("nb_getval(lasting, N{depth}_{variable}), same(V{variable}, N{depth}_{variable})")
                }
            },
            Step::Either(one, other) => format!("(\n{}\n{indent};\n{}\n{indent})", inner(one), inner(other)),
            Step::IfThenElse(test, one, other) => three(test, "->", one, other),
            Step::SoftIfThenElse(test, one, other) => three(test, "*->", one, other),
            Step::Not(all) => format!("\\+ (\n{}\n{indent})", inner(all)),
            Step::ForAll(all, each) => {
                format!("forall((\n{}\n{indent}), (\n{}\n{indent}))", inner(all), inner(each))
            }
            Step::Once(all) => format!("once((\n{}\n{indent}))", inner(all)),
            Step::Catch(all) => format!("catch((\n{}\n{indent}), E{depth}, thrown(E{depth}))", inner(all)),
            Step::Throw(variable) => format!("throw(ball(V{variable}))"),
            Step::FindAll(variable, all) => {
                format!("findall(V{variable}, (\n{}\n{indent}), L{depth}), show(L{depth}), nl", inner(all))
            }
            Step::Show(variable) => format!("show(V{variable}), nl"),
            Step::Litter => "litter(300, Vs)".to_owned(),
            Step::Collect => "garbage_collect".to_owned(),
            Step::Cut => "!".to_owned(),
            Step::Fail => "fail".to_owned(),
        }
    }

    fn question(&self, question: Question) -> String {
        match question {
            Question::Check { kind, variable } => format!("{}(V{variable})", self.name("check", kind)),
            Question::OneOf { kind, other, variable } => {
                format!("{}_{other}(V{variable})", self.name("one_of", kind))
            }
            Question::Walk { kind, variable } => format!("{}(V{variable})", self.name("walk", kind)),
            // A result that lies inside the argument would be built for ever, so it is fresh.
            Question::Rebuild { kind, from, to } => {
                let fresh = format!("R{kind}_{from}_{to}");
                format!("{}(V{from}, {fresh}), same(V{to}, {fresh})", self.name("rebuild", kind))
            }
            Question::Convert { before, after, from, to } => {
                format!("{}_{after}(V{from}, V{to})", self.name("convert", before))
            }
            Question::Churn { kind, levels, variable } => {
                format!("{}({levels}, V{variable})", self.name("churn", kind))
            }
            Question::Relay { number, from, to } => {
                let fresh = format!("Q{number}_{from}_{to}");
                format!("{}(V{from}, {fresh}), same(V{to}, {fresh})", self.name("r", number))
            }
            Question::Make { kind, to } => format!("{}(V{to})", self.name("make", kind)),
        }
    }
}

fn term(value: &Term) -> String {
    term_named(value, &|variable| format!("V{variable}"))
}
