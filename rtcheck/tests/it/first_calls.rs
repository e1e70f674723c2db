//! Predicates of the library, which are compiled when they are called first.

use crate::support::{open, run, run_with};
use rtcheck::session::Options;

#[test]
fn what_the_library_says_is_compiled_at_the_first_call_as_if_it_had_been_at_the_start() {
    // Operators, flags and predicates of the program are nothing to the library's texts.
    let ran = run(":- op(0, xfx, is), op(0, xfx, =:=), op(200, xfy, -).
         :- set_prolog_flag(double_quotes, atom).
         :- initialization(main).
         must_be(_, _).
         dcg_translate_rule(_, _) :- fail.
         last(_, own).
         main :- nth1(2, [a, b], X), sumlist([1, 2], S), phrase(digits(Ds), [0'1, 0'2], R), last([1, 2], L),
             writeq([X, S, Ds, R, L]), nl.");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("[b,3,[49,50],[],own]\n", ""));
    // A call counts as it did, also under limits and in the goal of an engine, and so does what waits.
    let ran = run(
        ":- initialization(main).
         main :-
             call_with_depth_limit(subtract([1, 2], [1], A), 20, D1), call_with_depth_limit(subtract([1, 2], [1], A), 20, D2),
             ( D1 == D2 -> print(A) ; print(D1-D2) ), nl,
             call_with_inference_limit(sum_list([1, 2], S), 1000, R), print(S-R), nl,
             engine_create(X, permutation([1, 2], X), E), engine_next(E, P), print(P), nl,
             freeze(V, ( sumlist([1, 2], W), print(V-W), nl )), freeze(V, ( max_list([1, 2], M), print(M), nl )), V = 1,
             garbage_collect, last([x, V], Z), print(Z), nl,
             catch(nb_setval(k, 1), _, true), catch(nth0(a, [b], _), error(Error, _), true), print(Error), nl.",
    );
    let expected = "[2]\n3-!\n[1,2]\n1-3\n2\n1\ntype_error(integer,a)\n";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn what_is_called_first_where_a_program_is_in_the_middle_of_something_is_compiled_there() {
    // Behind a continuation, in a table, a cleanup, a message, and with collections of atoms.
    let program = ":- initialization(main).
        :- table t/1.
        t(X) :- sumlist([1, 2], X).
        :- multifile prolog:message/1.
        prolog:message(m(L)) --> { last(L, X) }, ['told ~w'-[X]].
        main :- reset(( shift(a), subtract([1, 2], [1], L), print(L), nl ), a, C), call(C),
            t(X), print(X), nl,
            setup_call_cleanup(true, fail, ( nth0(1, [a, b], Y), print(Y), nl )).
        main :- print_message(error, m([1, 2])), findall(A, ( between(1, 100, I), atom_number(A, I) ), As),
            garbage_collect_atoms, length(As, N), sort(0, @>=, As, [Z|_]), list_to_ord_set([b, a], S), garbage_collect_atoms,
            union(S, [c], U), print(N-Z-U), nl,
            ( current_module(atts) -> print(y) ; print(n) ), freeze(V, true), copy_term(V, _, _),
            ( current_module(atts) -> print(y) ; print(n) ), nl.";
    let ran = run(program);
    assert!(ran.error.contains("told 2"), "{}", ran.error);
    assert_eq!(ran.output, "[2]\n3\nb\n100-'99'-[a,b,c]\nnn\n", "{}", ran.error);
    // A program's own clauses for what the library has, and the standard's way.
    let own = ":- initialization(main).\nsystem:last(_, own).\nmain :- last([1], X), print(X), nl.";
    let ran = run(own);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("own\n", ""));
    let strict = Options { iso: true, ..Options::default() };
    let ran =
        run_with(":- initialization(main).\nmain :- append(X, [b], [a, b]), print(X), nl.", &[], strict);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("[a]\n", ""));
    let (mut session, _) = open("p.", Options::default());
    let listing = session.listing("append", 3).expect("the library has it");
    assert!(listing.contains("Proceed") && !listing.contains("Uncompiled"), "{listing}");
}
