//! Conditions around calls: whatever they say of whatever terms is told as it is without any short way.

use crate::support::{Ran, run_files, run_with};
use rtcheck::check::{CacheKind, Configuration};
use rtcheck::machine::{CheckFlags, Limits, OnViolation};
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

#[test]
fn violations_are_told_alike_however_clauses_are_left() {
    for property in PROPERTIES {
        let mut program = format!(
            "{PRELUDE}
            % Clauses that call nothing, and one that does.
            :- pred own(N, Y) : int(N) => {property}(Y).
            own(1, Y) :- !, term(Y, Y).
            own(N, Y) :- N > 1, Y = Z, value(N, Z).
            :- pred fact(Y, N) : int(N) => ({property}(Y), int(N)).
            fact(bound(a), 0).
            "
        );
        for (term, n) in TERMS.iter().zip(1..) {
            program += &format!("fact({term}, {n}).\nvalue({n}, {term}).\n");
        }
        program += &format!(
            "term(Y, Y).
            % Last calls that promise the same of the same variable, through two clauses, or of another one, or less.
            :- pred outer(N, Y) : int(N) => {property}(Y).
            outer(N, Y) :- compare(_, N, 1), inner(Y, N).
            :- pred inner(Y, N) : int(N) => (int(N), {property}(Y)).
            inner(Y, N) :- fact(Y, N).
            :- pred crossed(N, Y, Z) : int(N) => {property}(Y).
            crossed(N, Y, Z) :- pair(N, Z, Y).
            :- pred pair(N, Y, Z) : int(N) => {property}(Y).
            pair(N, 1, Z) :- value(N, Z).
            :- pred both(N, Y, Z) : int(N) => ({property}(Y), {property}(Z)).
            both(N, Y, Z) :- pair(N, Y, Z).
            % A call whose own condition is violated.
            :- pred wrong(N, Y) => {property}(Y).
            wrong(N, Y) :- own(N, Y).
            :- pred chosen(N, Y) : int(N) => {property}(Y).
            chosen(N, Y) :- value(N, Y).
            chosen(N, Y) :- N > 5, !, outer(N, Y).
            chosen(_, 1).
            main :- forall(between(1, 22, N), (
                try(forall(fact(_, N), true)), try(own(N, _)), try(outer(N, _)), try(crossed(N, _, _)),
                try(both(N, _, _)), try(wrong(N, _)), try(forall(chosen(N, Y), (print(Y), nl))) )),
                try(wrong(a, _)), try(outer(a, _)), try(intercepted).
            intercepted.
            "
        );
        printed(&program);
        // A goal may go on behind a violation where a program has a name for what lets it.
        let goes_on = "intercepted :- intercept(outer(6, Y), rtcheck(K, _, _, P, _, _), (print(K-P), nl)), print(Y), nl.";
        printed(&program.replace("            intercepted.\n", goes_on));
    }
}

#[test]
fn frames_that_are_left_in_turn_are_told_of_and_counted_as_one_by_one() {
    // Frames of one contract, one below the other: trees of several functors, lists, constants, what is known already,
    // and what was made before a choicepoint.
    let program = |wrong: &str| {
        format!(
            "{PRELUDE}
            :- pred grow(N, K, T) : int(N) => tree(T).
            grow(0, _, leaf).
            grow(N, K, T) :- N > 0, part(N, K, L, T), N1 is N - 1, grow(N1, K, L).
            part(K, K, L, node(L, {wrong}, leaf)) :- !.
            part(N, _, L, other(L)) :- N mod 5 =:= 1, !.
            part(N, _, L, node(other(leaf), N, L)) :- N mod 5 =:= 2, !.
            part(N, _, L, L) :- N mod 7 =:= 3, !.
            part(N, _, L, node(L, X, leaf)) :- N mod 7 =:= 4, !, member(X, [N, {wrong}]).
            part(N, _, L, node(L, N, leaf)).
            :- pred row(N, K, S) : int(N) => ints(S).
            row(0, _, []).
            row(N, K, S) :- N > 0, cell(N, K, R, S), N1 is N - 1, row(N1, K, R).
            cell(K, K, R, [{wrong}|R]) :- !.
            cell(N, _, R, [N, N|R]) :- N mod 5 =:= 1, !.
            cell(N, _, R, R) :- N mod 5 =:= 2, !.
            cell(N, _, R, [X|R]) :- N mod 7 =:= 4, !, member(X, [N, {wrong}]).
            cell(N, _, R, [N|R]).
            :- pred last(N, K, X) : int(N) => colour(X).
            last(0, K, X) :- ( K > 5 -> X = {wrong} ; X = green ).
            last(N, K, X) :- N > 0, Y = X, N1 is N - 1, step(N1, K, Y).
            step(N, K, X) :- last(N, K, X).
            main :- forall(member(K, [0, 1, 2, 8, 20, 21]), (
                try(( grow(20, K, T), print(T), nl, fail )), try(( row(20, K, S), print(S), nl, fail )),
                try(last(9, K, _)) ; true )).
            "
        )
    };
    for wrong in TERMS {
        printed(&program(wrong));
    }
    let counts = [CacheKind::Cells, CacheKind::None].map(|cache| {
        let configuration = Configuration { cache, ..Configuration::default() };
        let ran = run_with(&program("1"), &[], Options { configuration, ..options() });
        assert_eq!(ran.error, "");
        ran.counters.checks
    });
    assert_eq!(counts[0], counts[1]);
    assert!(counts[0] > 500, "{counts:?}");
}

#[test]
fn last_calls_that_make_the_checks_of_their_clause_take_no_memory() {
    let program = format!(
        "{PRELUDE}
        :- pred count(N, X) : int(N) => int(X).
        count(0, X) :- !, X = 7.
        count(N, X) :- N1 is N - 1, turn(X, N1).
        :- pred turn(X, N) : int(N) => int(X).
        turn(X, N) :- N >= 0, count(N, X).
        main :- count(300000, X), print(X), nl."
    );
    let limits = Limits { memory: 16 << 20, ..Limits::default() };
    let ran = run_with(&program, &[], Options { limits, ..options() });
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("7\n", ""));
}

#[test]
fn a_clause_that_hands_on_is_checked_again_once_its_last_call_is_not() {
    let main = "
        :- use_package([assertions]).
        :- pred p(X) => int(X).
        p(X) :- q(X).
        :- pred q(X) => int(X).
        q(1).
        l :- catch(( p(X), print(X) ), rtcheck(K, _, _, _, _, _), print(K)), nl.
        main :- l, open('b.pl', write, S), write(S, 'q(a). '), close(S), load_files(b, [redefine_module(true)]), l.
        :- initialization(main).
    ";
    let outputs = [CacheKind::Cells, CacheKind::None].map(|cache| {
        let configuration = Configuration { cache, ..Configuration::default() };
        let ran = run_files(&[("v.pl", main), ("b.pl", "")], &[], Options { configuration, ..options() });
        (ran.output, ran.error)
    });
    assert_eq!(outputs[0], outputs[1]);
    assert!(outputs[0].0.starts_with("1\n"), "{outputs:?}");
}

#[test]
fn a_check_is_left_to_a_last_call_only_where_that_makes_it() {
    // What the last call promises, and what happens before or in it.
    let last_calls = [
        // A condition that speaks of some calls only.
        "p(N, X) :- q(N, X).
         :- success q(N, X) : int(N) => int(X).
         q(_, X) :- value(X).",
        // Clauses tried before, and goals in front, that switch checks off.
        "p(_, _) :- set_prolog_flag(runtime_checks, no), fail.
         p(N, X) :- q(N, X).
         :- pred q(_, X) => int(X).
         q(_, X) :- value(X).",
        "p(N, X) :- r(N, X).
         p(N, X) :- q(N, X).
         :- pred r(_, X) => int(X).
         r(_, _) :- set_prolog_flag(runtime_checks, no), fail.
         :- pred q(_, X) => int(X).
         q(_, X) :- value(X).",
        "p(N, X) :- off, q(N, X).
         off :- set_prolog_flag(runtime_checks, no).
         :- pred q(_, X) => int(X).
         q(_, X) :- value(X).",
        // The last call does so itself.
        "p(N, X) :- q(N, X).
         :- pred q(_, X) => int(X).
         q(_, X) :- set_prolog_flag(runtime_checks, no), value(X).",
        "p(N, X) :- q(N, X).
         :- pred q(_, X) => int(X).
         q(_, X) :- set_prolog_flag(on_violation, report), value(X).",
        "p(N, X) :- q(N, X).
         :- pred q(_, X) => int(X).
         q(_, _) :- set_prolog_flag(on_violation, record), fail.
         q(_, X) :- value(X).",
        // It is left with a goal that waits, again and again, or by a continuation.
        "p(N, X) :- q(N, X).
         :- pred q(_, X) => int(X).
         q(_, X) :- freeze(X, true), value(X).",
        "p(N, X) :- q(N, X).
         :- pred q(_, X) => int(X).
         q(_, X) :- freeze(X, set_prolog_flag(runtime_checks, no)), value(X).
         q(_, 7).",
        "p(N, X) :- q(N, X).
         :- pred q(_, X) => int(X).
         q(N, X) :- r(N, X).
         :- pred r(_, X) => int(X).
         r(_, 1).
         r(N, X) :- N > 0, !, N1 is N - 1, q(N1, X).
         r(_, X) :- value(X).",
        "p(N, X) :- q(N, X).
         :- pred q(_, X) => int(X).
         q(_, X) :- shift(ball), value(X).",
        // It is wrapped while another call of the clause runs.
        "p(N, X) :- q(N, X).
         :- pred q(_, X) => int(X).
         q(N, X) :- N > 0, wrap_predicate(q(_, Y), w, W, ( W, print(wrapped(Y)), nl )), N1 is N - 1, p(N1, X).
         q(0, X) :- value(X).",
        // Clauses that exclude each other, or seem to.
        "p(N, X) :- r(N, a, X).
         :- pred r(_, A, X) : atm(A) => int(X).
         r(_, b, _) :- set_prolog_flag(runtime_checks, no), fail.
         r(N, a, X) :- q(N, X).
         :- pred q(_, X) => int(X).
         q(_, X) :- value(X).",
        "p(N, X) :- r(N, _, X).
         :- pred r(_, A, X) : term(A) => int(X).
         r(_, b, _) :- set_prolog_flag(runtime_checks, no), fail.
         r(N, a, X) :- q(N, X).
         :- pred q(_, X) => int(X).
         q(_, X) :- value(X).",
        // A built-in leaves several solutions.
        "p(N, X) :- q(N, X).
         :- pred q(_, X) => int(X).
         q(_, X) :- value(X), between(1, 2, _), between(1, 2, Y), X = Y.
         q(N, X) :- between(1, N, X), atom_length(abc, X).",
    ];
    let contract = ":- pred p(_, X) => int(X).";
    let mut told = String::new();
    for last_call in last_calls {
        for value in ["1", "b", "_"] {
            let program = format!(
                "{PRELUDE}
                value({value}).
                {contract}
                {last_call}
                each(G, X) :- try(forall(G, (print(X), nl))).
                main :- each(p(a, X), X), each(p(1, X), X), each(call_with_depth_limit(p(2, X), 4, D), X-D),
                    each(freeze(X, (print(woken), nl)), p(1, X), X), each(( reset(p(0, X), B, C), print(B), call(C) ), X).
                each(F, G, X) :- try(forall(( F, G ), (print(X), nl))).
                "
            );
            told += &printed(&program);
        }
    }
    assert!(told.contains("success-"), "{told}");
}
