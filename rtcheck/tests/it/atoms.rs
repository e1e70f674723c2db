//! Collections of atoms: what nothing mentions goes, whatever anything mentions stays.

use crate::support::{Ran, run_with};
use rtcheck::check::{CacheKind, Configuration};
use rtcheck::machine::Limits;
use rtcheck::session::Options;

/// A checked loop over names that are made and forgotten.
const NAMES: &str = "
:- use_package([assertions, regtypes]).
:- regtype kind/1.
kind(odd).
kind(even).
:- regtype named/1.
named(name(N, K)) :- atm(N), kind(K).
:- pred make(I, T) : int(I) => named(T).
make(I, name(N, K)) :- atom_concat(name_, I, N), ( I mod 2 =:= 0 -> K = even ; K = odd ).
:- pred last(T, Ts, L) : (named(T), list(Ts, named)) => named(L).
last(T, _, T).
count(I, N, _) :- I > N, !.
count(I, N, T0) :- make(I, T), last(T, [T0, T], L), J is I + 1, count(J, N, L).
:- initialization(main).
";

fn names(count: usize, configuration: Configuration) -> Ran {
    let program = format!("{NAMES}main :- count(1, {count}, name(a, odd)), write(done), nl.\n");
    let limits = Limits { memory: 64 << 20, ..Limits::default() };
    run_with(&program, &[], Options { limits, configuration, analysis: false, ..Options::default() })
}

#[test]
fn names_without_end_take_no_more_memory_than_some_of_them() {
    // Each takes 70 bytes, 140 MB together, and the limit is 64 MiB.
    let program = "
:- initialization(main).
count(N, N) :- !.
count(I, N) :- J is I + 1, atom_concat(name_, J, A), atom_length(A, L), L > 5, count(J, N).
main :- count(0, 2000000), write(done), nl.
";
    let limits = Limits { memory: 64 << 20, ..Limits::default() };
    let ran = run_with(program, &[], Options { limits, ..Options::default() });
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("done\n", ""));
}

#[test]
fn checks_stay_right_under_every_cache_while_names_come_and_go() {
    for cache in CacheKind::ALL {
        let ran = names(600_000, Configuration { cache, ..Configuration::default() });
        assert_eq!((ran.output.as_str(), ran.error.as_str()), ("done\n", ""), "{cache:?}");
        assert!(ran.counters.checks > 1_000_000, "{cache:?}");
    }
}

#[test]
fn strings_go_as_well() {
    let program = "
:- initialization(main).
count(N, N) :- !.
count(I, N) :- J is I + 1, string_concat(\"some longer text \", J, S), string_length(S, L), L > 5, count(J, N).
main :- count(0, 1000000), statistics(agc, N), statistics(agc_gained, M), ( N > 0, M > 900000 -> write(done) ; write(N-M) ), nl.
";
    let limits = Limits { memory: 64 << 20, ..Limits::default() };
    let ran = run_with(program, &[], Options { limits, ..Options::default() });
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("done\n", ""));
}

/// Keeps names in every place that a program has.
const KEEPERS: &str = "
:- initialization(main).
:- dynamic fact/1, rule/1, gone/1.
:- table path/2.
n(I, A) :- atom_concat(made_, I, A).
noise(0) :- !.
noise(I) :- atom_concat(noise_, I, A), atom_length(A, _), J is I - 1, noise(J).
edge(X, Y) :- fact(X), fact(Y), X @< Y.
path(X, Y) :- edge(X, Y).
path(X, Y) :- path(X, Z), edge(Z, Y).
running(A) :- gone(A).
main :-
    n(1, A1), assertz(fact(A1)), n(2, A2), assertz(fact(A2)),
    n(3, A3), n(4, A4), assertz((rule(X) :- X = A3 ; X = A4)),
    n(5, A5), nb_setval(kept, f(A5)), n(6, A6), b_setval(for_now, A6),
    n(7, A7), nb_setval(A7, 1),
    n(8, A8), recordz(A8, A1),
    n(9, A9), op(700, xfx, A9),
    n(10, A10), set_prolog_flag(double_quotes, codes), create_prolog_flag(A10, A1, []),
    n(11, A11), F =.. [A11, 1, 2],
    n(12, A12), catch((noise(600), throw(A12)), B, true),
    n(13, A13), engine_create(Y-A13, (member(Y, [A1, A2]), noise(600)), E),
    n(14, A14), findall(Z-A14, (member(Z, [1, 2]), noise(600)), Zs),
    atom_string(A14, S14), string_concat(S14, \"_string\", S),
    n(15, A15), G15 =.. [A15, 1], assertz(G15),
    n(16, A16), assertz(A16:here(1)),
    n(17, A17), assertz(gone(A17)), running(A18), retract(gone(A18)),
    findall(P, path(P, _), Ps),
    thread_self(Me), n(19, A19), thread_send_message(Me, m(A19)),
    n(20, A20), setup_call_cleanup(true, (member(M, [1, 2]), noise(600)), (write(cleanup(A20)), nl)),
    freeze(V, (write(woken(V, A20)), nl)),
    noise(3000), garbage_collect_atoms, noise(3000),
    engine_next(E, E1), engine_next(E, E2),
    forall(fact(Q), (writeq(Q), nl)),
    forall(rule(R), (writeq(R), nl)),
    nb_getval(kept, K), b_getval(for_now, N), writeq(K-N), nl, nb_getval(A7, One), writeq(One), nl,
    recorded(A8, Rec), writeq(Rec), nl,
    T =.. [A9, 1, 2], writeq(T), nl,
    current_prolog_flag(A10, Flag), writeq(Flag), nl,
    writeq([F, B, E1, E2, Zs, S, Ps, A18, M]), nl,
    call(G15), call(A16:here(One)), forall(A16:here(H), (writeq(A16:H), nl)),
    findall(P2, path(P2, _), Ps2), writeq(Ps2), nl,
    thread_get_message(m(Message)), writeq(Message), nl,
    V = 1.
";

#[test]
fn what_is_mentioned_anywhere_stays() {
    let expected = run_with(KEEPERS, &[], Options::default());
    assert_eq!(expected.error, "");
    assert!(expected.output.contains("made_3\nmade_4\nf(made_5)-made_6\n1\nmade_1\n1 made_9 2\nmade_1\n"));
    for collect_every in [1, 7] {
        let options = Options { collect_every: Some(collect_every), ..Options::default() };
        let ran = run_with(KEEPERS, &[], options);
        assert_eq!(
            (ran.output.as_str(), ran.error.as_str()),
            (expected.output.as_str(), ""),
            "{collect_every}"
        );
    }
}

#[cfg(feature = "plant")]
#[test]
fn a_collection_that_forgets_records_would_be_noticed() {
    use rtcheck::base::plant::Fault;
    let program = "
:- initialization(main).
noise(0) :- !.
noise(I) :- atom_concat(noise_, I, A), atom_length(A, _), J is I - 1, noise(J).
made(I, A) :- member(I, [1, 2]), atom_concat(made_, I, A), noise(100).
main :- findall(A, made(_, A), As), writeq(As), nl.
";
    let output = |plant| {
        let options = Options { plant, collect_every: Some(1), ..Options::default() };
        std::panic::catch_unwind(|| run_with(program, &[], options).output).unwrap_or_default()
    };
    assert_eq!(output(None), "[made_1,made_2]\n");
    assert_ne!(output(Some(Fault::ForgetRecords)), "[made_1,made_2]\n");
}

#[test]
fn current_atom_tells_the_atoms_that_there_are() {
    let program = "
:- initialization(main).
main :-
    ( current_atom(A), A == main -> write(yes) ; write(no) ), nl,
    ( current_atom(foo) -> write(yes) ; write(no) ), nl,
    catch(current_atom(1), error(E, _), (writeq(E), nl)),
    statistics(atoms, N0), fill, garbage_collect_atoms, statistics(atoms, N1),
    ( N1 - N0 < 20 -> write(few) ; write(N0-N1) ), nl.
fill :- forall(between(1, 1000, I), atom_concat(filler_, I, _)).
";
    let ran = run_with(program, &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("yes\nyes\ntype_error(atom,1)\nfew\n", ""));
}
