//! The programs that are tried: their parts, how they are written as Prolog, and how they are made
//! smaller.

use std::fmt::Write as _;

/// A goal with the types it is about.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    /// A type may mention earlier ones, and itself.
    pub(super) types: Vec<Shape>,
    pub(super) goal: Vec<Step>,
}

/// The number of variables of a goal.
pub(super) const VARIABLES: usize = 6;

/// A regular type; the numbers are [`Element`]s.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    /// `[]`, or an element in front of a list.
    List(Element),
    /// `leaf`, or `node(Left, Element, Right)`.
    Tree(Element),
    /// `z`, or `s(Chain)`.
    Chain,
    /// `pair(One, Other)`.
    Pair(Element, Element),
    /// `none`, or `some(Element)`.
    Option(Element),
}

/// What a type is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Element {
    Integer,
    Atom,
    /// Type number so many of the case.
    Type(usize),
}

/// A term of a program.
#[derive(Debug, Clone)]
pub(super) enum Term {
    Variable(usize),
    Integer(usize),
    Compound(&'static str, Vec<Term>),
}

/// One goal of a conjunction.
#[derive(Debug, Clone)]
pub(super) enum Step {
    /// Unifies (with occurs check: a cyclic term would make the walkers run for ever).
    Unify(usize, Term),
    /// Unifies with one term after the other.
    Choose(usize, Vec<Term>),
    /// Calls a predicate whose precondition is a type.
    Check {
        kind: usize,
        variable: usize,
    },
    /// Calls a recursive predicate that is checked at every step down.
    Walk {
        kind: usize,
        variable: usize,
    },
    /// Calls a predicate with a type before and another one after, which hands its argument on.
    Convert {
        before: usize,
        after: usize,
        from: usize,
        to: usize,
    },
    /// Changes an argument, undone on backtracking.
    SetArgument {
        position: usize,
        variable: usize,
        value: Term,
    },
    Either(Vec<Step>, Vec<Step>),
    IfThenElse(Vec<Step>, Vec<Step>, Vec<Step>),
    Not(Vec<Step>),
    /// Prints what is thrown and goes on.
    Catch(Vec<Step>),
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

/// Every case with a prelude, each tried for all its solutions; starts each one's output with `== N`.
pub(super) fn program(cases: &[Case]) -> String {
    let mut text = String::from(PRELUDE);
    for (number, case) in cases.iter().enumerate() {
        for (kind, shape) in case.types.iter().enumerate() {
            write_type(&mut text, number, kind, *shape);
            for after in 0..case.types.len() {
                write!(
                    text,
                    ":- pred c{number}_convert{kind}_{after}(X, Y) : c{number}_t{kind}(X) => c{number}_t{after}(Y).\n\
                     c{number}_convert{kind}_{after}(X, X).\n"
                )
                .ok();
            }
        }
        let variables = (0..VARIABLES).map(|index| format!("V{index}")).collect::<Vec<_>>().join(", ");
        write!(text, "case({number}) :-\n    Vs = [{variables}],\n{},\n", steps(&case.goal, number, 1)).ok();
        text.push_str("    write('answer '), show(Vs), nl, fail.\n");
        write!(text, "case({number}).\n\n").ok();
    }
    text.push_str("main :- ");
    let runs: Vec<String> = (0..cases.len()).map(|number| format!("run({number})")).collect();
    text.push_str(&runs.join(", "));
    text.push_str(".\n");
    text
}

const PRELUDE: &str = "\
:- module(_, [main/0], [assertions, regtypes]).
:- initialization(main).

% Variables have no names here, since names may depend on what was allocated. What lies deep is left
% out, since shared parts may make a term much larger than its storage.
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

run(N) :- write('== '), write(N), nl, catch(case(N), E, thrown(E)).

thrown(E) :- write('thrown '), show(E), nl.

";

fn element(element: Element, case: usize) -> String {
    match element {
        Element::Integer => "int".to_owned(),
        Element::Atom => "atm".to_owned(),
        Element::Type(kind) => format!("c{case}_t{kind}"),
    }
}

/// A type with its checked predicates.
fn write_type(text: &mut String, case: usize, kind: usize, shape: Shape) {
    let name = format!("c{case}_t{kind}");
    let walk = format!("c{case}_walk{kind}");
    let (clauses, walker) = match shape {
        Shape::List(of) => {
            let of = element(of, case);
            (
                format!("{name}([]).\n{name}([X|Xs]) :- {of}(X), {name}(Xs).\n"),
                format!("{walk}([]).\n{walk}([_|Xs]) :- {walk}(Xs).\n"),
            )
        }
        Shape::Tree(of) => {
            let of = element(of, case);
            (
                format!("{name}(leaf).\n{name}(node(L, X, R)) :- {name}(L), {of}(X), {name}(R).\n"),
                format!("{walk}(leaf).\n{walk}(node(L, _, R)) :- {walk}(L), {walk}(R).\n"),
            )
        }
        Shape::Chain => (
            format!("{name}(z).\n{name}(s(X)) :- {name}(X).\n"),
            format!("{walk}(z).\n{walk}(s(X)) :- {walk}(X).\n"),
        ),
        Shape::Pair(one, other) => {
            let (one, other) = (element(one, case), element(other, case));
            (format!("{name}(pair(X, Y)) :- {one}(X), {other}(Y).\n"), format!("{walk}(pair(_, _)).\n"))
        }
        Shape::Option(of) => {
            let of = element(of, case);
            (
                format!("{name}(none).\n{name}(some(X)) :- {of}(X).\n"),
                format!("{walk}(none).\n{walk}(some(_)).\n"),
            )
        }
    };
    write!(
        text,
        ":- regtype {name}/1.\n{clauses}\n\
         :- pred c{case}_check{kind}(X) : {name}(X).\nc{case}_check{kind}(_).\n\n\
         :- pred {walk}(X) : {name}(X).\n{walker}\n"
    )
    .ok();
}

fn steps(steps: &[Step], case: usize, depth: usize) -> String {
    let indent = "    ".repeat(depth);
    if steps.is_empty() {
        return format!("{indent}true");
    }
    let lines: Vec<String> = steps.iter().map(|one| format!("{indent}{}", step(one, case, depth))).collect();
    lines.join(",\n")
}

fn step(one: &Step, case: usize, depth: usize) -> String {
    let indent = "    ".repeat(depth);
    let inner = |all: &[Step]| steps(all, case, depth + 1);
    match one {
        Step::Unify(variable, value) => format!("unify_with_occurs_check(V{variable}, {})", term(value)),
        Step::Choose(variable, values) => {
            let values: Vec<String> = values.iter().map(term).collect();
            format!("choose(V{variable}, [{}])", values.join(", "))
        }
        Step::Check { kind, variable } => format!("c{case}_check{kind}(V{variable})"),
        Step::Walk { kind, variable } => format!("c{case}_walk{kind}(V{variable})"),
        Step::Convert { before, after, from, to } => {
            format!("c{case}_convert{before}_{after}(V{from}, V{to})")
        }
        Step::SetArgument { position, variable, value } => {
            format!("( compound(V{variable}) -> setarg({position}, V{variable}, {}) ; true )", term(value))
        }
        Step::Either(one, other) => format!("(\n{}\n{indent};\n{}\n{indent})", inner(one), inner(other)),
        Step::IfThenElse(test, one, other) => {
            format!("(\n{}\n{indent}->\n{}\n{indent};\n{}\n{indent})", inner(test), inner(one), inner(other))
        }
        Step::Not(all) => format!("\\+ (\n{}\n{indent})", inner(all)),
        Step::Catch(all) => format!("catch((\n{}\n{indent}), E{depth}, thrown(E{depth}))", inner(all)),
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

fn term(value: &Term) -> String {
    match value {
        Term::Variable(index) => format!("V{index}"),
        Term::Integer(number) => number.to_string(),
        Term::Compound(name, arguments) if arguments.is_empty() => (*name).to_owned(),
        Term::Compound("[|]", arguments) => {
            let arguments: Vec<String> = arguments.iter().map(term).collect();
            format!("[{}]", arguments.join("|"))
        }
        Term::Compound(name, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(term).collect();
            format!("{name}({})", arguments.join(", "))
        }
    }
}

impl Case {
    /// One step less, in every way, or a step replaced by what it holds.
    pub(super) fn smaller(&self) -> Vec<Case> {
        let with = |goal| Case { types: self.types.clone(), goal };
        smaller(&self.goal).into_iter().map(with).collect()
    }
}

fn smaller(all: &[Step]) -> Vec<Vec<Step>> {
    let mut smaller_ones = Vec::new();
    let splice = |at: usize, instead: &[Step]| -> Vec<Step> {
        all[..at].iter().chain(instead).chain(&all[at + 1..]).cloned().collect()
    };
    for at in (0..all.len()).rev() {
        smaller_ones.push(splice(at, &[]));
    }
    for (at, step) in all.iter().enumerate() {
        let parts: Vec<&Vec<Step>> = match step {
            Step::Either(one, other) => vec![one, other],
            Step::IfThenElse(test, one, other) => vec![test, one, other],
            Step::Not(inside) | Step::Catch(inside) | Step::FindAll(_, inside) => vec![inside],
            _ => Vec::new(),
        };
        smaller_ones.extend(parts.iter().map(|part| splice(at, part)));
        let inside: Vec<Step> = match step {
            Step::Either(one, other) => {
                let ones = smaller(one).into_iter().map(|one| Step::Either(one, other.clone()));
                ones.chain(smaller(other).into_iter().map(|other| Step::Either(one.clone(), other))).collect()
            }
            Step::IfThenElse(test, one, other) => {
                let ones =
                    smaller(one).into_iter().map(|one| Step::IfThenElse(test.clone(), one, other.clone()));
                let others = smaller(other)
                    .into_iter()
                    .map(|other| Step::IfThenElse(test.clone(), one.clone(), other));
                ones.chain(others).collect()
            }
            Step::Not(inside) => smaller(inside).into_iter().map(Step::Not).collect(),
            Step::Catch(inside) => smaller(inside).into_iter().map(Step::Catch).collect(),
            Step::FindAll(variable, inside) => {
                smaller(inside).into_iter().map(|inside| Step::FindAll(*variable, inside)).collect()
            }
            Step::Choose(variable, terms) if terms.len() > 1 => {
                terms.iter().map(|one| Step::Unify(*variable, one.clone())).collect()
            }
            _ => Vec::new(),
        };
        smaller_ones.extend(inside.iter().map(|instead| splice(at, std::slice::from_ref(instead))));
    }
    smaller_ones
}
