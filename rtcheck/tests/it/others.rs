//! Programs as others write them, for SWI-Prolog above all: what their texts say must load, and do the same.

use crate::support::{open, run, run_files};
use rtcheck::report::TestResult;
use rtcheck::session::Options;

/// A program that does not fail says this, and nothing is told of it.
fn says(program: &str, output: &str) {
    let ran = run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (output, ""), "{program}");
}

#[test]
fn an_encoding_may_stand_in_front_of_the_module() {
    says(":- encoding(utf8).\n:- module(m, [main/0]).\nmain :- writeln(here).\n", "here\n");
}

#[test]
fn what_foreign_code_defines_is_unknown_where_it_is_called() {
    let module = ":- module(m, [p/1, q/1]).\n:- use_foreign_library(foreign(m)).\np(1).\n";
    let program = ":- use_module(m).\n:- initialization(main).\n\
                   main :- p(X), catch(q(_), error(E, _), true), print(X-E), nl.\n";
    let ran = run_files(&[("v.pl", program), ("m.pl", module)], &[], Options::default());
    assert_eq!(ran.output, "1-existence_error(procedure,m:q/1)\n");
}

#[test]
fn a_library_may_lack_what_a_program_imports() {
    let program = ":- use_module(library(date), [no_such/3, date_time_value/3]).\nmain :- writeln(runs).\n";
    let ran = run(program);
    assert_eq!(ran.output, "runs\n");
    assert!(ran.error.contains("warning: `library(date)` does not export `no_such/3`"), "{}", ran.error);
}

#[test]
fn a_name_of_symbols_may_be_the_tag_of_a_dict() {
    says("main :- X = #{a: 1}, get_dict(a, X, V), print(V), nl.\n", "1\n");
    // An operator is one.
    says("main :- X = -{a}, X =.. L, print(L), nl.\n", "[-,{a}]\n");
}

#[test]
fn clauses_may_come_before_their_predicate_is_declared_dynamic() {
    let program = "p(1).\np(X) :- q(X).\nq(2).\n:- dynamic p/1, q/1.\np(3).\n\
                   main :- retract(p(3)), assertz(q(4)), findall(X, p(X), L), print(L), nl.\n";
    let ran = run(program);
    assert_eq!(ran.output, "[1,2,4]\n");
    assert!(ran.error.contains("warning: `p/1` has clauses already"), "{}", ran.error);
}

#[test]
fn clauses_of_other_files_stay_when_a_predicate_is_declared_dynamic() {
    let module = ":- module(m, []).\n:- multifile user:p/1.\n:- dynamic user:p/1, user:q/1.\nuser:p(3).\n";
    let program = ":- multifile p/1.\np(1).\np(X) :- q(X).\nq(2).\n:- use_module(m).\n\
                   main :- assertz(p(4)), findall(X, p(X), L), print(L), nl.\n";
    let ran = run_files(&[("v.pl", program), ("m.pl", module)], &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("[1,2,3,4]\n", ""));
}

#[test]
fn what_is_loaded_when_it_is_missing_gives_way_to_a_definition() {
    let module = ":- module(m, [p/1, q/1]).\np(1).\nq(1).\n";
    let program = ":- module(v, [main/0]).\n:- autoload(m, [p/1, q/1]).\n:- autoload(library(error), [must_be/2]).\n\
                   p(2).\nmust_be(x, y).\n\
                   main :- p(X), q(Y), must_be(A, B), print([X, Y, A, B]), nl.\n";
    let ran = run_files(&[("v.pl", program), ("m.pl", module)], &[], Options::default());
    assert_eq!(ran.output, "[2,1,x,y]\n", "{}", ran.error);
    assert!(!ran.error.contains("error"), "{}", ran.error);
}

#[test]
fn expansions_may_be_defined_for_all_modules() {
    says(
        ":- multifile system:term_expansion/2, system:goal_expansion/2.\n\
         :- dynamic system:term_expansion/2, system:goal_expansion/2.\n\
         system:term_expansion(old(X), new(X)).\nsystem:goal_expansion(shout(X), writeln(X)).\n\
         old(1).\nmain :- new(X), shout(X).\n",
        "1\n",
    );
}

#[test]
fn a_program_may_have_functions_of_its_own_in_arithmetic() {
    says(
        ":- use_module(library(arithmetic)).\n:- arithmetic_function(double/1).\n:- arithmetic_function(seven/0).\n\
         double(X, Y) :- Y is X*2.\nseven(7).\n\
         main :- X is 1 + double(double(seven)), print(X), nl, ( double(X) > 57 -> writeln(more) ; true ).\n",
        "29\nmore\n",
    );
}

#[test]
fn flags_of_other_systems_are_known() {
    says(
        "main :- ( current_prolog_flag(break_level, _) -> writeln(level) ; writeln(none) ),\n\
         current_prolog_flag(max_char_code, M), current_prolog_flag(float_max, F), F > 1.0e308, print(M), nl,\n\
         catch(current_prolog_flag(no_such_flag, _), error(E, _), true), print(E), nl.\n",
        "none\n1114111\ndomain_error(prolog_flag,no_such_flag)\n",
    );
}

/// What `swipl` 9.0.4 prints, 40 insertions, 33 deletions and the other predicates of the library.
#[test]
fn red_black_trees_have_their_own_shape() {
    says(
        "main :- rb_new(T0), rb_insert(T0, b, 1, T1), rb_insert(T1, a, 2, T2), rb_insert(T2, c, 3, T3),\n\
             rb_insert(T3, d, 4, T4), show(T4), rb_delete(T4, b, V, T5), print(V), nl, show(T5),\n\
             list_to_rbtree([a-1, b-2, c-3, d-4], T6), show(T6), rb_next(T6, b, N, NV), rb_previous(T6, b, P, _),\n\
             print(N/NV/P), nl, rb_partial_map(T6, [b, d], succ, T7), rb_visit(T7, Ps), print(Ps), nl,\n\
             ( rb_next(T6, d, _, _) -> true ; writeln(none) ).\n\
         show(t(N, T)) :- \\+ \\+ ( N = black('', k, v, ''), shown(T, S), print(S), nl ).\n\
         shown(black('', _, _, ''), []) :- !.\n\
         shown(T, t(C, L, K, R)) :- T =.. [C, L0, K, _, R0], shown(L0, L), shown(R0, R).\n",
        "t(black,t(black,[],a,[]),b,t(black,[],c,t(red,[],d,[])))\n1\n\
         t(black,t(black,[],a,[]),c,t(black,[],d,[]))\n\
         t(black,t(black,[],a,[]),b,t(black,[],c,t(red,[],d,[])))\nc/3/a\n[a-1,b-3,c-3,d-5]\nnone\n",
    );
    let random = "main :- ks(40, 17, Ks), foldl(ins, Ks, t, T), ks(33, 5, Ds), foldl(del, Ds, T, _), writeln(sound).\n\
         ks(N, F, Ks) :- numlist(1, N, L), findall(K, ( member(X, L), K is X*F mod 41 ), Ks).\n\
         ins(K, T0, T) :- ( T0 == t -> rb_new(T1) ; T1 = T0 ), rb_insert(T1, K, K, T), is_rbtree(T).\n\
         del(K, T0, T) :- ( rb_delete(T0, K, K, T) -> is_rbtree(T) ; \\+ rb_lookup(K, _, T0), T = T0 ).\n";
    says(random, "sound\n");
}

#[test]
fn abstractions_may_be_nested() {
    says("main :- maplist(\\X^Y^(Y is X+1), [1], L), print(L), nl.\n", "[2]\n");
}

#[test]
fn a_tabled_call_may_be_negated() {
    says(
        ":- table win/1.\nwin(X) :- move(X, Y), tnot(win(Y)).\n\
         move(1, 2).\nmove(2, 3).\nmove(3, 4).\nmove(1, 3).\n\
         main :- findall(X, ( member(X, [1, 2, 3, 4]), win(X) ), L), print(L), nl,\n\
             catch(tnot(move(1, _)), error(E, _), true), print(E), nl.\n",
        "[1,3]\npermission_error(tnot,non_tabled_procedure,move/2)\n",
    );
}

#[test]
fn goals_that_call_conjunctions_have_lines_of_their_own() {
    says(
        "main :- portray_clause((p(X) :- findall(Y, ( q(X, Y), Y > 1 ), L), \\+ ( a, b ), forall(r(L), ( s ; t )))).\n",
        "p(A) :-\n    findall(B,\n            ( q(A, B),\n              B>1\n            ),\n            C),\n    \\+ ( a,\n         b\n       ),\n    forall(r(C),\n           (   s\n           ;   t\n           )).\n",
    );
}

#[test]
fn a_test_may_name_an_unknown_procedure_without_its_module() {
    let program = ":- module(m, _, [assertions, nativeprops, unittestdecls]).\n\
         :- test p + exception(error(existence_error(procedure, no_such/1), _)).\np :- no_such(1).\n\
         :- test q + exception(error(existence_error(procedure, no_such/2), _)).\nq :- no_such(1).\n";
    let (mut session, _) = open(program, Options::default());
    let results: Vec<TestResult> = session.test("").into_iter().map(|run| run.result).collect();
    assert!(matches!(results[..], [TestResult::Passed, TestResult::Failed]), "{results:?}");
}

#[test]
fn built_in_predicates_of_gnu_prolog_are_there() {
    says(
        "main :- g_read(k, X), g_assign(k, 3), g_inc(k, Y), write_to_atom(A, f(x)), lower_upper(ab, U),\n\
             number_atom(N, '12'), argument_counter(C), print([X, Y, A, U, N, C]), nl.\n",
        "[0,4,'f(x)','AB',12,1]\n",
    );
    says(
        "main :- findall(I-D, (for(I, 1, 2), call_det(member(X, [I]), D), X == I), L), print(L), call_det(member(_, [a, b]), E),\n\
             decompose_file_name('/a.b/c.pl', F, P, S), decompose_file_name(d, G, Q, T), print([E, F, P, S, G, Q, T]),\n\
             prolog_file_name(x, N), print_to_atom(A, f('B c')), print(N/A), system_time(M), integer(M), nl.\n",
        "[1-true,2-true][false,'/a.b/',c,'.pl','',d,'']'x.pl'/'f(\\'B c\\')'\n",
    );
}

#[test]
fn rarer_predicates_of_swi_prolog_are_there() {
    says(
        "main :- catch(abort, E, true), swritef(S, '%w-%d', [a, 3]), expand_goal(p(1), _, G, _), not_exists(fail),\n\
             print([E, S, G]), nl.\n",
        "['$aborted',\"a-3\",p(1)]\n",
    );
}

#[test]
fn an_assertion_that_fails_says_which() {
    says(
        "main :- assertion(1 =:= 1), catch(assertion(1 =:= 2), error(E, _), true), print(E), nl.\n",
        "assertion_error(fail,user:(1=:=2))\n",
    );
}

#[test]
fn a_program_may_provide_the_value_of_a_global_variable() {
    says(
        ":- multifile user:exception/3.\nuser:exception(undefined_global_variable, k, retry) :- nb_setval(k, 7).\n\
         main :- nb_getval(k, X), b_getval(k, Y), print(X/Y), nl, catch(nb_getval(l, _), error(E, _), true), print(E), nl.\n",
        "7/7\nexistence_error(variable,l)\n",
    );
}

#[test]
fn hooks_of_user_are_shared_by_texts_without_a_declaration() {
    let module = ":- module(m, []).\nuser:portray(two) :- write(zwei).\nuser:file_search_path(here, '.').\n";
    let program = "portray(one) :- write(eins).\n:- use_module(m).\n\
                   main :- asserta((portray(three) :- write(drei))), print([one, two, three]), nl,\n\
                   findall(P, file_search_path(here, P), L), print(L), nl.\n";
    let ran = run_files(&[("v.pl", program), ("m.pl", module)], &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("[eins,zwei,drei]\n['.']\n", ""));
}

#[test]
fn flags_that_a_program_makes_have_any_value() {
    says(
        ":- create_prolog_flag(mine, f(X, X, \"t\"), []).\n:- create_prolog_flag(mine, 1, [keep(true)]).\n\
         main :- current_prolog_flag(mine, f(A, B, _)), A == B, set_prolog_flag(mine, [1.5]),\n\
         current_prolog_flag(mine, V), print(V), nl.\n",
        "[1.5]\n",
    );
}

#[test]
fn predicates_and_goals_are_said_to_be_deterministic() {
    says(
        ":- det(p/1).\np(1).\np(2) :- member(_, [1, 2]).\np(3) :- fail.\np(4) :- q(_), !.\nq(1).\nq(2).\n\
         :- det(r//1).\nr(X) --> [X].\n\
         t(G) :- catch((G -> write(yes) ; write(no)), error(E, _), print(E)), nl.\n\
         main :- t(p(1)), t(p(2)), t(p(3)), t(p(4)), t(p(9)), t(phrase(r(_), [a])), t(phrase(r(a), [b])),\n\
         t($(member(_, [1]))), t($(fail)), t(($(member(X, [1, 2])), X == 1)).\n",
        "yes\ndeterminism_error(p/1,det,nondet,property)\ndeterminism_error(p/1,det,fail,property)\nyes\n\
         determinism_error(p/1,det,fail,property)\nyes\ndeterminism_error(r/3,det,fail,property)\nyes\n\
         determinism_error(fail,det,fail,goal)\ndeterminism_error(member(1,[1,2]),det,nondet,goal)\n",
    );
}

#[test]
fn a_cut_that_promises_determinism_is_a_cut() {
    says(
        "r(0) => true.\nr(N) => $q(_), $, M is N-1, r(M).\nq(1).\n\
         s(X) :- member(X, [1, 2, 3]), X > 1, $, true.\n\
         t(X) :- ( member(X, [1, 2]), $ ; X = 3 ).\n\
         main :- r(300000), findall(X, s(X), L), findall(X, t(X), M), print(L-M), nl,\n\
         X = $a, print([X, $]), nl.\n",
        "[2]-[1]\n[$a,$]\n",
    );
}

#[test]
fn programs_may_have_goals_with_a_dollar_of_their_own() {
    says(
        ":- op(900, fx, $).\n$(G) :- write(call(G)), nl, G.\n($) :- fail.\n\
         main :- $member(_, [1, 2]), !, ( $ -> write(cut) ; write(own) ), nl.\n",
        "call(member(_1,[1,2]))\nown\n",
    );
}

#[test]
fn lists_of_dicts_are_sorted_by_a_key() {
    says(
        "t(K, O, L) :- catch(( sort(K, O, L, S), print(S) ), error(E, _), print(E)), nl.\n\
         main :- t(a, @<, [x{a: 2}, y{a: 1}, z{a: 2}]), t(a, @>=, [x{a: 2, b: 1}, y{a: 1}, z{a: 2}]),\n\
             t([1, a], @<, [f(x{a: 2}), f(x{a: 1})]), t(b, @<, [x{a: 2}]), t(a, @<, [f(2)]), t(f(x), @<, []).\n",
        "[y{a:1},x{a:2}]\n[x{a:2,b:1},z{a:2},y{a:1}]\n[f(x{a:1}),f(x{a:2})]\nexistence_error(key,b,x{a:2})\n\
         type_error(dict,f(2))\ntype_error(sort_key,f(x))\n",
    );
}

#[test]
fn what_json_has_in_brackets_is_kept_apart_from_what_stands_before() {
    says(
        ":- use_module(library(http/json)).\n\
         main :- write('['), json_write(current_output, json([a=1]), [width(0)]), write(','),\n\
         json_write(current_output, [1], [width(0)]), write(x), json_write(current_output, 1), nl,\n\
         json_write(current_output, json([a=1])), nl.\n",
        "[ {\"a\":1}, [1 ]x1\n{\"a\":1}\n",
    );
}

#[test]
fn calls_wait_for_arguments_as_block_says() {
    let program = ":- block merge(-, ?, -), merge(?, -, -).\n\
        merge([], Y, Y).\nmerge(X, [], X).\n\
        merge([H|X], [E|Y], [H|Z]) :- H @< E, merge(X, [E|Y], Z).\n\
        merge([H|X], [E|Y], [E|Z]) :- H @>= E, merge([H|X], Y, Z).\n\
        :- block positive(-).\npositive(X) :- X > 0.\n\
        main :- merge(A, B, C), positive(N), write(waiting), nl, A = [1, 3], B = [2], print(C), nl,\n\
        ( N = -1 -> write(no) ; write(failed) ), nl.\n";
    // SICStus Prolog needs no more; Ciao has a package of this name.
    says(program, "waiting\n[1,2,3]\nfailed\n");
    says(&format!(":- module(m, [main/0], [block]).\n{program}"), "waiting\n[1,2,3]\nfailed\n");
}

#[test]
fn flags_that_swi_prolog_s_libraries_know_may_be_set() {
    says(
        "main :- ( current_prolog_flag(default_charset, _) -> true ; set_prolog_flag(default_charset, utf8) ),\n\
         current_prolog_flag(default_charset, X), print(X), nl,\n\
         catch(set_prolog_flag(nobody_knows, 1), error(E, _), true), print(E), nl.\n",
        "utf8\ndomain_error(prolog_flag,nobody_knows)\n",
    );
}

#[test]
fn predicates_are_wrapped_while_they_stay_what_they_are() {
    says(
        ":- use_module(library(prolog_wrap)).\n\
         :- dynamic d/1.\n\
         f(0, 1) :- !.\nf(N, F) :- N1 is N - 1, f(N1, F1), F is N * F1.\n\
         main :- wrap_predicate(f(N, F), seen, W, ( writeq(in(N)), W, writeq(out(F)) )), f(2, R), nl,\n\
         wrap_predicate(f(N1, F1), large, W1, ( N1 > 100 -> F1 = large ; W1 )), f(200, R2), writeq(R-R2), nl,\n\
         forall(current_predicate_wrapper(f(_, _), Name, _, _), ( writeq(Name), nl )),\n\
         unwrap_predicate(f/2, seen), f(2, R3), f(200, R4), writeq(R3-R4), nl,\n\
         ( unwrap_predicate(f/2, nobody) -> true ; writeq(none) ), nl,\n\
         unwrap_predicate(f/2, large), f(2, R5), writeq(R5), nl,\n\
         wrap_predicate(d(_), calls, W2, ( write(called), W2 )), assertz(d(5)), d(X1), writeq(X1), nl,\n\
         clause(d(X2), true), retract(d(X2)), ( d(_) -> true ; writeq(gone) ), nl,\n\
         wrap_predicate(d(X3), calls, W3, ( W3 ; X3 = more )), findall(Y, d(Y), Ys), writeq(Ys), nl,\n\
         ( wrap_predicate(nobody_defines(_), w, _, true) -> true ; writeq(undefined) ), nl.\n",
        "in(2)in(1)in(0)out(1)out(1)out(2)\n2-large\nseen\nlarge\n2-large\nnone\n2\ncalled5\ncalledgone\n[more]\n\
         undefined\n",
    );
}

#[test]
fn a_compound_term_without_arguments_is_no_atom() {
    says(
        "foo() :- write(foo).\n\
         t --> rest(), [a].\nrest() --> [].\n\
         main :- foo, foo(), X = f(a(), - - b(), 'A b'()), print(X), nl, write_canonical(X), nl,\n\
         ( X = f(A, _, _), A == a -> true ; writeq(no) ), nl, t([a], []), phrase(rest(), []),\n\
         term_to_atom(g(C, V), 'g(c(), D)'), var(V), writeq(C), nl,\n\
         assertz(kept(a())), ( kept(K), K == a() -> writeq(K) ; true ), nl,\n\
         findall(K0, ( kept(K0), K0 =@= a() ), L), length(L, N), writeq(N), nl.\n",
        "foofoof(a(),- -b(),'A b'())\nf(a(),-(-(b())),'A b'())\nno\nc()\na()\n1\n",
    );
}

#[test]
fn terms_are_written_to_binary_streams_and_read_back() {
    says(
        "main :- open('f', write, S, [type(binary)]), fast_write(S, foo(B, [1, 2.5, 'A b', -(1), - 1|T], B, T)), fast_write(S, a), close(S),\n\
         open('f', read, R, [type(binary)]), fast_read(R, X), fast_read(R, Y), fast_read(R, Z), close(R),\n\
         X = foo(V, [_, _, A, M, N|W], V1, W1), ( V == V1, W == W1, V \\== W -> true ; writeq(apart) ), writeq([A, M, N, Y, Z]), nl,\n\
         open('f', write, S1, [type(binary)]), put_byte(S1, 0), put_byte(S1, 0), put_byte(S1, 0), put_byte(S1, 9), close(S1),\n\
         open('f', read, R1, [type(binary)]), catch(fast_read(R1, _), error(E, _), true), close(R1), functor(E, F, K), writeq(F/K), nl,\n\
         atom_string(é, Q), fast_term_serialized(g(U, U, Q), D), fast_term_serialized(g(U1, U2, Q2), D), ( U1 == U2, Q2 == Q -> writeq(yes) ; true ), nl.\n",
        "['A b',- (1),-1,a,end_of_file]\nio_error/2\nyes\n",
    );
}

#[test]
fn clauses_that_are_control_are_written_in_lines() {
    let program = ":- initialization(main).
        main :- portray_clause((a, b)), portray_clause((a, ( b ; c ))), portray_clause((a -> b)), portray_clause(\\+ ( a, b )).";
    let ran = run(program);
    let expected = "a,\nb.\na,\n(   b\n;   c\n).\n(   a\n->  b\n).\n\\+ ( a,\n     b\n   ).\n";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn labeling_takes_one_option_of_each_kind() {
    for (options, told) in
        [("[ff, ff]", "e"), ("[up, ff, down]", "e"), ("[ff, up, bisect]", "1"), ("[min(X), max(X)]", "1")]
    {
        let program = format!(
            ":- use_module(library(clpfd)).\n:- initialization(main).\nmain :- X in 1..1,
             catch(( labeling({options}, [X]), print(X) ), error(domain_error(nonrepeating_labeling_options, _), _), print(e))."
        );
        assert_eq!(run(&program).output, told, "{options}");
    }
}

#[test]
fn a_clause_may_have_very_many_goals() {
    let ran = run(":- initialization(main).
        :- dynamic many/2.
        goals(1, A, B, succ(A, B)) :- !.
        goals(N, A, C, ( succ(A, B), Gs )) :- N1 is N - 1, goals(N1, B, C, Gs).
        calls(1, A, B, next(A, B)) :- !.
        calls(N, A, C, ( next(A, B), Gs )) :- N1 is N - 1, calls(N1, B, C, Gs).
        next(A, B) :- B is A + 1.
        main :- goals(20000, A, B, Gs), assertz(( many(A, B) :- Gs )), many(0, N), print(N), nl,
            retractall(many(_, _)), calls(30000, C, D, Cs), assertz(( many(C, D) :- Cs )), many(0, M), print(M).");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("20000\n30000", ""));
}

#[test]
fn streams_in_pairs_and_outputs_that_are_streams() {
    says(
        ":- initialization(main).
        main :- open('f', write, W), with_output_to(W, ( write(a(1)), write('.'), nl ; true )), close(W),
            catch(with_output_to(W, write(x)), error(E, _), true), functor(E, N, _), print(N), nl,
            open('f', read, R), open('g', write, W2), stream_pair(P, R, W2), read(P, X), write(P, X), close(P),
            print(X), nl, catch(close(P), error(existence_error(stream, _), _), ( write(closed), nl )),
            ( stream_property(_, file_name(g)) -> write(open) ; true ),
            read_file_to_string(g, S, []), print(S), nl.",
        "domain_error\na(1)\nclosed\n\"a(1)\"\n",
    );
}

#[test]
fn who_asks_for_options_with_options_gets_exceptions() {
    says(
        ":- use_module(library(main)).
        :- initialization(go).
        opt_type(n, number, integer).
        go :- catch(argv_options(['-n', x], _, _, []), error(E, _), true), print(E), nl.",
        "opt_error(value_type(n,integer,x))\n",
    );
}

#[test]
fn defaults_of_settings_may_compute_with_the_environment() {
    says(
        ":- use_module(library(settings)).
        :- setenv('BASE', '11').
        :- setting(port, integer, 5900 + env('BASE') * env('FACTOR', 2), 'A port').
        :- initialization(( setting(port, X), print(X), nl )).",
        "5922\n",
    );
}

#[test]
fn goals_that_portray_are_the_callers() {
    let module = ":- module(m, [shown/1]).\nshown(T) :- write_term(T, [portray_goal(angled), quoted(true)]).\n\
                  angled(X, Os) :- atom(X), memberchk(quoted(Q), Os), format('<~w ~w>', [X, Q]).\n";
    let program = ":- use_module(m).\n:- initialization(( shown(f(a, 1)), nl )).\n";
    let ran = run_files(&[("v.pl", program), ("m.pl", module)], &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("f(<a true>,1)\n", ""));
}

#[test]
fn parts_of_an_authority_may_be_put_together() {
    says(
        ":- use_module(library(uri)).
        :- initialization(main).
        main :- uri_authority_data(host, C, h), uri_authority_data(port, C, 80), uri_authority_components(A, C), print(A), nl,
            findall(D, code_type(D, xdigit(11)), Ds), print(Ds), nl.",
        "'h:80'\n[98]\n",
    );
}

#[test]
fn main_1_may_be_a_module_s() {
    let program = ":- module(a, []).\n:- use_module(library(main)).\n:- initialization(main, main).\nmain(L) :- print(L), nl.\n";
    says(program, "[]\n");
}

#[test]
fn grammars_say_where_in_a_file_they_are() {
    says(
        ":- use_module(library(pure_input)).
        :- initialization(main).
        bad --> \"ab\", syntax_error(wrong).
        in_file --> \"ab\\tc\\n\\tab\", lazy_list_location(L), lazy_list_character_count(C), { told(L), print(C), nl }, nested, syntax_error(wrong).
        nested --> { atom_codes(xyz, Cs), phrase(in_list, Cs) }, [].
        in_list --> [_], lazy_list_location(L), { print(L), nl }, [_, _].
        told(L) :- L =.. [Kind, Path|Where], file_base_name(Path, Name), print(Kind-Name-Where), nl.
        main :- atom_codes(abcd, Cs), catch(phrase(bad, Cs, _), error(E, L), ( print(E-L), nl )),
            open('f.txt', write, S), format(S, 'ab\\tc~n\\tabef~n', []), close(S),
            catch(phrase_from_file(in_file, 'f.txt'), error(E1, L1), ( print(E1), nl, told(L1) )),
            phrase(in_list, [a, b, c]), ( catch(phrase(bad, [0'a, 0'b|_], _), error(T, _), ( functor(T, N, A), print(N/A), nl )) -> true ; true ).\n",
        "syntax_error(wrong)-(end_of_file-2)\nfile-'f.txt'-[2,10,8]\n8\nend_of_file-2\nsyntax_error(wrong)\n\
         file-'f.txt'-[2,10,8]\nend_of_file-2\ntype_error/2\n",
    );
}

#[test]
fn html_is_written_as_swi_prolog_writes_it() {
    let ran = run(include_str!("cases/html.pl"));
    assert_eq!(ran.output, include_str!("cases/html.txt"));
    assert_eq!(ran.error, "ERROR: Failed to translate to HTML: f(a,b,c)\n");
}

#[test]
fn words_of_older_systems_declare_nothing() {
    says(
        ":- mode p(+, -).\n:- export p/2, main/0.\n:- public p/2.\np(X, X).\nmain :- p(1, X), writeln(X), Y = mode, writeln(Y).\n",
        "1\nmode\n",
    );
    says(":- dynamic mode/1.\nmode(1).\n:- mode(X), writeln(X).\nmain :- mode(X), writeln(X).\n", "1\n1\n");
}
