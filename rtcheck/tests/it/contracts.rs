//! Conditions around calls: whatever they say of whatever terms is told as it is without any short way.

use crate::support::{Ran, run_files, run_with};
use rtcheck::check::{CacheKind, Configuration};
use rtcheck::machine::{CheckFlags, OnViolation};
use rtcheck::session::Options;

/// Everything is checked at run time.
fn options() -> Options {
    Options { analysis: false, ..Options::default() }
}

/// The program as it is run without any short way.
fn plainly(program: &str, options: Options) -> Ran {
    let configuration = Configuration { cache: CacheKind::None, ..Configuration::default() };
    let flags = CheckFlags { shares: false, ..CheckFlags::default() };
    run_with(program, &[], Options { configuration, flags, ..options })
}

/// Runs a program with every way to tell violations, and gives what it prints, which is what it prints without a short
/// way.
fn printed(program: &str) -> String {
    let mut outputs = String::new();
    for on_violation in [OnViolation::Throw, OnViolation::Report, OnViolation::Record] {
        let options = Options { on_violation, ..options() };
        let (short, plain) = (run_with(program, &[], options), plainly(program, options));
        assert_eq!(
            (&short.output, &short.error),
            (&plain.output, &plain.error),
            "{on_violation:?}\n{program}"
        );
        assert_eq!(short.exit, plain.exit, "{on_violation:?}\n{program}");
        outputs += &short.output;
        outputs += &short.error;
    }
    outputs
}

/// Types, and what programs here use.
const PRELUDE: &str = "
:- module(_, [main/0], [assertions, regtypes]).
:- initialization(main).
:- regtype ints/1.
ints([]).
ints([X|Xs]) :- int(X), ints(Xs).
:- regtype tree/1.
tree(leaf).
tree(node(L, X, R)) :- tree(L), int(X), tree(R).
tree(other(R)) :- tree(R).
:- regtype colour/1.
colour(red).
colour(green).
colour(7).
:- regtype odd/1.
odd(X) :- int(X).
odd(f(X)) :- atm(X).
try(G) :- catch(G, rtcheck(Kind, _, _, Prop, Valid, _), ( write(Kind-Prop-Valid), nl )).
";

/// What a property may be.
const PROPERTIES: [&str; 17] = [
    "int", "nnegint", "flt", "num", "atm", "struct", "gnd", "term", "constant", "callable", "var", "nonvar",
    "list", "ints", "tree", "colour", "odd",
];

/// Terms of all kinds, some of them through bound variables.
const TERMS: [&str; 22] = [
    "1",
    "-1",
    "1.5",
    "100000000000000000000",
    "-100000000000000000000",
    "a",
    "red",
    "leaf",
    "[]",
    "[1]",
    "[a]",
    "[1|_]",
    "[_]",
    "f(a)",
    "f(_)",
    "g(1)",
    "node(leaf,1,other(leaf))",
    "node(leaf,1,other(_))",
    "_",
    "bound(1)",
    "bound([1,2])",
    "bound(_)",
];

#[test]
fn every_property_of_every_term_is_told_in_front_of_the_call_and_behind_it() {
    let mut clauses = String::new();
    let mut goals = String::new();
    for (number, property) in PROPERTIES.iter().enumerate() {
        clauses += &format!(
            ":- pred calls{number}(A, X, B, C) : (int(A), {property}(X), atm(B)).\ncalls{number}(_, _, _, _).\n\
             :- pred leaves{number}(X, Y) => {property}(Y).\nleaves{number}(X, X).\n\
             :- pred both{number}(X, Y, A) : {property}(X) => ({property}(Y), int(A)).\nboth{number}(X, X, _).\n"
        );
        for term in TERMS {
            let made = match term.strip_prefix("bound(").and_then(|term| term.strip_suffix(')')) {
                Some(value) => format!("X = Y, Y = Z, Z = {value}"),
                None => format!("X = {term}"),
            };
            goals += &format!(
                "goal :- {made}, ( try(calls{number}(1, X, a, X)) ; try(calls{number}(a, X, 1, X)) ; \
                 try(calls{number}(1, X, 1, X)) ; try(leaves{number}(X, _)) ; try(both{number}(X, _, 1)) ; \
                 try(both{number}(X, _, X)) ; try(both{number}(X, _, _)) ), fail.\n"
            );
        }
    }
    let told = printed(&format!("{PRELUDE}{clauses}{goals}main :- goal.\nmain.\n"));
    assert!(told.contains("calls") && told.contains("success"), "{told}");
}

#[test]
fn predicates_with_many_arguments_and_conditions_are_told_alike() {
    for (arity, conditions) in [(8, 8), (8, 3), (9, 9), (9, 2), (14, 14), (300, 2), (300, 300)] {
        let arguments: Vec<String> = (0..arity).map(|i| format!("A{i}")).collect();
        let from = arity - conditions;
        let properties: Vec<String> = (from..arity)
            .map(|i| if i % 3 == 2 { format!("ints(A{i})") } else { format!("int(A{i})") })
            .collect();
        let (arguments, properties) = (arguments.join(", "), properties.join(", "));
        let call = |wrong: usize| {
            let values: Vec<String> = (0..arity)
                .map(|i| {
                    if i == wrong {
                        "z"
                    } else if i % 3 == 2 {
                        "[1]"
                    } else {
                        "1"
                    }
                    .to_owned()
                })
                .collect();
            values.join(", ")
        };
        let mut text = format!(
            "{PRELUDE}:- pred p({arguments}) : ({properties}).\np({arguments}).\n\
             :- pred q({arguments}) => ({properties}).\nq({arguments}).\n"
        );
        for wrong in [arity, from, from + 1, arity - 1] {
            let call = call(wrong);
            text += &format!("goal :- try(p({call})).\ngoal :- try(q({call})).\n");
        }
        text += "main :- goal, fail.\nmain.\n";
        assert!(printed(&text).contains("success"), "{arity} {conditions}");
    }
}

#[test]
fn what_a_property_calls_is_not_checked() {
    let told = printed(&format!(
        "{PRELUDE}
:- prop small/1.
small(X) :- number(X), near(X, Y), Y < 10, far(X, _).
:- pred near(X, Y) : int(X) => atm(Y).
near(X, Y) :- Y is X + 0.
:- pred far(X, Y) => atm(Y).
far(X, X).
:- pred p(X) : small(X).
p(_).
main :- p(1.5), try(p(20)), try(near(1, _)), try(near(a, _)), try(far(1, _)), p(1), try(far(2, _)).
"
    ));
    assert!(told.contains("near"), "{told}");
    assert_eq!(told.matches("success-atm").count(), 3, "{told}");
}

#[test]
fn new_terms_of_many_levels_are_told_alike() {
    let mut clauses = String::new();
    for (number, wrong) in ["1", "a", "_", "1.5"].iter().enumerate() {
        for levels in 0..7 {
            let mut tree = format!("node(leaf, {wrong}, leaf)");
            let mut list = format!("[{wrong}]");
            for level in 0..levels {
                tree = match level % 3 {
                    0 => format!("node(leaf, {level}, {tree})"),
                    1 => format!("other({tree})"),
                    _ => format!("node({tree}, {level}, other(leaf))"),
                };
                list = format!("[{level}|{list}]");
            }
            clauses += &format!(
                ":- pred t{number}_{levels}(T) => tree(T).\nt{number}_{levels}({tree}).\n\
                 :- pred l{number}_{levels}(L) => ints(L).\nl{number}_{levels}({list}).\n\
                 :- pred b{number}_{levels}(L) => (ints(L), list(L)).\nb{number}_{levels}({list}).\n\
                 goal :- try(t{number}_{levels}(_)).\ngoal :- try(l{number}_{levels}(_)).\n\
                 goal :- try(b{number}_{levels}(_)).\n"
            );
        }
    }
    assert!(printed(&format!("{PRELUDE}{clauses}main :- goal, fail.\nmain.\n")).contains("success"));
}

#[test]
fn all_solutions_and_what_is_bound_later_are_checked() {
    let told = printed(&format!(
        "{PRELUDE}
:- pred p(X, Y) : int(X) => (ints(Y), int(X)).
p(X, [X|T]) :- tail(T).
tail([]).
tail([1]).
tail([a]).
tail(_).
main :- member(X, [1, a]), try(( p(X, Y), write(Y), nl, fail )), fail.
main :- freeze(V, ( write(woken(V)), nl )), try(p(1, [V|_])), fail.
main :- freeze(V, V = 2), try(p(1, [V|_])), fail.
main.
"
    ));
    assert!(told.contains("woken(1)"), "{told}");
}

#[test]
fn a_contract_enters_the_clauses_that_there_are_now() {
    let main = "
        w(T) :- open('a.pl', write, S),
            write(S, ':- use_package([assertions]). :- pred p(X) => int(X). :- pred q(X) : int(X). '), write(S, T),
            close(S), consult(a).
        l(N) :- catch(( p(X), print(X) ; q(N), print(yes) ), rtcheck(K, _, _, _, _, _), print(K)), nl.
        main :- w('p(1). q(1).'), l(1), w('p(2). q(_).'), l(a), w('p(_) :- fail. q(_).'), l(3), l(b),
            w('p(a). q(3).'), l(3).
        :- initialization(main).
    ";
    for (analysis, cache) in [(false, CacheKind::Cells), (true, CacheKind::Cells), (false, CacheKind::None)] {
        let configuration = Configuration { cache, ..Configuration::default() };
        let options = Options { analysis, configuration, ..Options::default() };
        let ran = run_files(&[("v.pl", main), ("a.pl", "")], &[], options);
        let expected = "1\n2\nyes\ncalls\nsuccess\n";
        assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""), "{analysis} {cache:?}");
    }
}
