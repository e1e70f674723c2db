//! One goal, one meaning: compiled in a clause, called as a term, asserted, and loaded as the clause of a dynamic
//! predicate.

use crate::support::{output, run, run_files, run_with};
use rtcheck::session::Options;

/// What a goal gives in each of the ways in which it can be run: its solutions for `X`, or its error.
fn ways(goal: &str) -> [String; 4] {
    let program = format!(
        ":- dynamic loaded/1.\n\
         compiled(X) :- {goal}.\n\
         loaded(X) :- {goal}.\n\
         show(G, X) :- catch(findall(X, G, L), error(E, _), L = E), print(L), nl.\n\
         :- initialization(main).\n\
         main :- show(compiled(X1), X1), T = X2^({goal_of_x2}), T = X2^G2, show(G2, X2),\n\
         assertz((asserted(X3) :- {goal_of_x3})), show(asserted(X4), X4), show(loaded(X5), X5).\n",
        goal_of_x2 = goal.replace('X', "X2").replace('Z', "Z2"),
        goal_of_x3 = goal.replace('X', "X3").replace('Z', "Z3"),
    );
    let ran = run(&program);
    let lines: Vec<String> = ran.output.lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 4, "{goal}: {}{}", ran.output, ran.error);
    std::array::from_fn(|i| lines[i].clone())
}

#[test]
fn a_goal_means_the_same_in_every_way_of_running_it() {
    for (goal, expected) in [
        // Functions without arguments are evaluated, and unknown ones are errors.
        ("X is pi", "[3.141592653589793]"),
        ("X is e", "[2.718281828459045]"),
        ("X is inf, X > 0", "[1.0Inf]"),
        ("X is foo", "type_error(evaluable,foo/0)"),
        ("X is []", "type_error(evaluable,[]/0)"),
        ("X is max_tagged_integer - max_tagged_integer", "[0]"),
        ("X is random, X = random", "[]"),
        ("pi is pi, X = 1", "[]"),
        ("Z = foo, X is Z", "type_error(evaluable,foo/0)"),
        ("( fail ; X is pi )", "[3.141592653589793]"),
        ("( X is cputime -> X \\== cputime ; true ), X = 1", "[]"),
        // Lists of one element are evaluated, others are not.
        ("X is [7]", "[7]"),
        ("X is [1,2]", "type_error(evaluable,'.'/2)"),
        ("X is [1|Z]", "instantiation_error"),
        ("X is 1 + [Z]", "instantiation_error"),
        // A goal that is a variable has cuts of its own, wherever it stands.
        ("Z = !, member(X, [1,2]), Z", "[1,2]"),
        ("call((Z = !, member(X, [1,2]), Z))", "[1,2]"),
        ("once(( Z = !, member(X, [1,2]), Z, X > 1 ))", "[2]"),
        ("( Z = !, member(X, [1,2]), Z ; X = 3 )", "[1,2,3]"),
        ("call(( Z = !, member(X, [1,2]), Z ; X = 3 ))", "[1,2,3]"),
        ("call(( Z = !, ( true -> member(X, [1,2]), Z ; true ) ))", "[1,2]"),
        ("call(( Z = !, \\+ ( member(X, [1,2]), Z, X > 1 ) ))", "[]"),
        ("call(( Z = !, user:( member(X, [1,2]), Z ) ))", "[1,2]"),
        ("call(( Z = user, member(X, [1,2]), Z:! ))", "[1,2]"),
        ("call(( Z = (!, true), member(X, [1,2]), user:Z ))", "[1,2]"),
        ("findall(X1, ( Z = !, member(X1, [1,2]), Z ), X)", "[[1,2]]"),
        ("call(( member(X, [1,2]), ! ))", "[1]"),
        // A goal of an unknown module.
        ("Z:true, X = 1", "instantiation_error"),
        ("call(( X = 1, Z:fail ))", "instantiation_error"),
        ("f(x):true, X = 1", "type_error(atom,f(x))"),
        ("Z = ( member(X, [1,2]), ! ), Z", "[1]"),
    ] {
        assert_eq!(ways(goal), [expected; 4].map(str::to_owned), "{goal}");
    }
}

#[test]
fn what_needs_its_module_gets_it_in_calls_of_its_own_module() {
    let user = "
:- meta_predicate g(:), h(0, ?), k(^, ?).
g(M:G) :- writeq(M:G), nl.
h(M:G, X) :- writeq(M:G/X), nl.
k(M:G, X) :- writeq(M:G/X), nl.
:- initialization(main).
main :- g(a), g(b:c), G = g(d), call(G), call(g, e), h(p, 1), k(z^q, 2), maplist(g, [x]), m:t.
:- use_module(m).
";
    let module = "
:- module(m, [t/0]).
:- meta_predicate g(:), r(:, ?).
g(M:G) :- writeq(M:G), nl.
r(M:N, L) :- ( N > 0 -> N1 is N - 1, r(M:N1, L) ; L = M ).
t :- g(a), call(g, b), g(n:c), r(3, L), writeq(L), nl.
";
    let ran = run_files(&[("v.pl", user), ("m.pl", module)], &[], Options::default());
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("user:a\nb:c\nuser:d\nuser:e\nuser:p/1\nuser:z^q/2\nuser:x\nm:a\nm:b\nn:c\nm\n", "")
    );
}

#[test]
fn reverse_ends_where_one_of_its_lists_does() {
    for (goal, printed) in [
        ("findall(X, reverse(X, [1,2]), L), print(L)", "[[2,1]]"),
        ("findall(X, reverse(X, 2), L), print(L)", "[]"),
        ("findall(X, reverse([1|X], [2,1]), L), print(L)", "[[2]]"),
        ("findall(X, reverse([1,2|X], [_]), L), print(L)", "[]"),
        ("findall(X-Y, limit(2, reverse([a|X], [b|Y])), [P|_]), print(P)", "[b]-[a]"),
        ("findall(X, reverse([1|X], X), L), print(L)", "[]"),
        ("findall(X, reverse(f(X), X), L), print(L)", "[]"),
    ] {
        assert_eq!(output(goal), printed, "{goal}");
    }
}

#[test]
fn small_ones_of_the_library_do_what_others_do() {
    for (goal, printed) in [
        (r#"split_string("//a//b//", "/", "/", L), print(L)"#, r#"["a","b"]"#),
        (r#"split_string("/home//jan", "/", "", L), print(L)"#, r#"["","home","","jan"]"#),
        (r#"split_string("  a ; b  ;c", ";", " ", L), print(L)"#, r#"["a","b","c"]"#),
        (r#"split_string("///", "/", "/", L), print(L)"#, r#"[""]"#),
        (r#"split_string("a; ", ";", " ", L), print(L)"#, r#"["a",""]"#),
        (r#"split_string("ab.a", ".", " b.", L), print(L)"#, r#"["a","a"]"#),
        ("catch(call(_^true), error(E, _), true), print(E)", "existence_error(procedure,(^)/2)"),
        ("assertz((b1 :- call(C), C)), clause(b1, B), B = (call(X), call(Y)), X == Y, print(ok)", "ok"),
        ("catch(setup_call_cleanup(true, throw(x), _), error(E, _), true), print(E)", "instantiation_error"),
        ("read_term_from_atom('\"ab\"', T, [double_quotes(atom)]), print(T)", "ab"),
        ("read_term_from_atom('\"ab\"', T, [double_quotes(chars)]), print(T)", "[a,b]"),
        ("set_prolog_flag(double_quotes, atom), term_to_atom(T, 'f(\"ab\")'), print(T)", "f(ab)"),
    ] {
        assert_eq!(output(goal), printed, "{goal}");
    }
    let module = ":- module(m, [main/0]).\n:- initialization(main).\n\
        main :- catch(setup_call_cleanup(true, throw(x), _), error(E, _), true), print(E).\n";
    assert_eq!(run(module).output, "instantiation_error");
}

#[test]
fn a_clause_of_a_dynamic_predicate_shows_the_goals_that_variables_stand_for() {
    let program = ":- dynamic p/1, q/1.\np(X) :- X.\nq(X) :- call(X).\n:- initialization(main).\n\
        main :- clause(p(X), B), B = call(Y), X == Y, clause(q(Z), C), C = call(W), Z == W, print(ok).\n";
    assert_eq!(run(program).output, "ok");
}

#[test]
fn functional_notation_reads_terms_with_colons() {
    let program = ":- module(m, _, [fsyntax]).\n:- initialization(main).\n\
        main :- p(a:N), N = 1, q(X), print(X), s:t = Y, print(Y), f(Z), print(Z).\n\
        p(_:1).\nq(a:_:b).\nf := x:N :- N = ~g.\ng := 3.\n";
    let ran = run(program);
    assert_eq!(
        (ran.output.contains("a:_"), ran.output.ends_with("x:3"), ran.error.as_str()),
        (true, true, "")
    );
}

/// Operations on dynamic predicates take time in proportion to their number: ten times as many take about ten times as
/// many steps of the machine, which is measured by a limit on calls of the whole test.
#[test]
fn queues_stacks_and_loops_that_retract_are_linear() {
    let program = "
:- dynamic c/1, e/2, f/3.
fill(N) :- forall(between(1, N, X), assertz(c(X))).
pop :- retract(c(_)), !, pop.
pop.
queue(0) :- !.
queue(N) :- retract(c(X)), !, Y is X + 1, assertz(c(Y)), N1 is N - 1, queue(N1).
stack(0) :- !.
stack(N) :- asserta(c(s)), retract(c(s)), !, N1 is N - 1, stack(N1).
keyed(N) :- forall(between(1, N, X), assertz(e(k, X))), forall(between(1, N, X), retract(e(k, X))).
same(N) :- forall(between(1, N, X), assertz(e(k, X))), repeat, \\+ retract(e(k, _)), !.
second(N) :- forall(between(1, N, X), ( Y is X mod 10, assertz(f(Y, X, z)) )), forall(between(1, N, X), f(_, X, _)),
    forall(between(1, N, X), retract(f(_, X, _))).
third(N) :- forall(between(1, N, X), assertz(f(a, b, X))), forall(between(1, N, X), f(a, b, X)).
:- initialization(main).
main :- fill(40000), pop, fill(20000), queue(40000), pop, fill(20000), ( retract(c(X)), X > 19000 -> true ; true ),
    stack(40000), pop, keyed(40000), same(40000), second(40000), third(40000), write(done).
";
    assert_eq!(run(program).output, "done");
}

#[test]
fn searches_see_the_clauses_that_there_were_when_they_began() {
    let facts = "forall(between(1, 20, X), ( Y is X mod 3, assertz(p(X, Y, z)) ))";
    for (goal, printed) in [
        // In the chain of any argument: what is erased or added meanwhile changes nothing.
        ("findall(X, ( p(X, 1, _), retract(p(X, _, _)) ), L), print(L)", "[1,4,7,10,13,16,19]"),
        ("findall(X, ( p(X, 1, _), retractall(p(_, 1, _)) ), L), print(L)", "[1,4,7,10,13,16,19]"),
        (
            "findall(X, ( p(X, 1, _), X < 30, Y is X + 20, assertz(p(Y, 1, z)) ), L), length(L, N), print(N)",
            "7",
        ),
        ("findall(X, ( p(X, 1, _), Y is X + 20, asserta(p(Y, 1, z)) ), L), print(L)", "[1,4,7,10,13,16,19]"),
        ("retractall(p(_, 1, _)), findall(X, p(X, 1, _), L), print(L)", "[]"),
        ("assertz(p(0, _, z)), findall(X, p(X, 1, _), L), print(L)", "[1,4,7,10,13,16,19,0]"),
        (
            "( p(X, 1, _), X >= 4, assertz(p(99, _, z)), p(A, 1, z), A > 50, retract(p(99, _, _)), fail ; \
             findall(X, p(X, 1, z), L), print(L) )",
            "[1,4,7,10,13,16,19]",
        ),
        (
            "p(X, 2, z), X > 2, retract(p(X, 2, _)), !, findall(Y, p(Y, 2, _), L), print(L)",
            "[2,8,11,14,17,20]",
        ),
        ("findall(X, retract(p(X, 0, z)), L), findall(X, p(X, 0, _), M), print(L/M)", "[3,6,9,12,15,18]/[]"),
    ] {
        assert_eq!(output(&format!("{facts}, {goal}")), printed, "{goal}");
    }
}

#[test]
fn operators_of_one_priority_bind_to_the_right_first() {
    let operators = "op(700, fy, fy), op(700, yf, yf), op(700, xfy, xfy), op(700, yfx, yfx), op(200, fy, 'my op '), \
        op(200, yf, 'post op ')";
    for (text, canonical, quoted) in [
        ("fy 2 yf", "fy(yf(2))", "fy 2 yf"),
        ("(fy 2) yf", "yf(fy(2))", "(fy 2)yf"),
        ("1 xfy 2 yfx 3", "xfy(1,yfx(2,3))", "1 xfy 2 yfx 3"),
        ("(1 xfy 2) yfx 3", "yfx(xfy(1,2),3)", "(1 xfy 2) yfx 3"),
        ("1 yfx 2 yfx 3", "yfx(yfx(1,2),3)", "1 yfx 2 yfx 3"),
        ("1 xfy 2 xfy 3", "xfy(1,xfy(2,3))", "1 xfy 2 xfy 3"),
        ("fy 1 yfx 2", "fy(yfx(1,2))", "fy 1 yfx 2"),
        ("\\'my op \\' \\'a b\\'", "\\'my op \\'(\\'a b\\')", "\\'my op \\' \\'a b\\'"),
        ("0 \\'post op \\'", "\\'post op \\'(0)", "0 \\'post op \\'"),
        (
            "16 \\'post op \\' \\'post op \\'",
            "\\'post op \\'(\\'post op \\'(16))",
            "16 \\'post op \\' \\'post op \\'",
        ),
    ] {
        let goal = format!(
            "{operators}, atom_to_term('{text}', T, _), with_output_to(atom(C), write_canonical(T)), \
             with_output_to(atom(Q), writeq(T)), atom_to_term(Q, T2, _), ( T2 == T -> true ; write(other) ), \
             ( C == '{canonical}' -> true ; write(C) ), ( Q == '{quoted}' -> true ; write(Q) )"
        );
        assert_eq!(output(&goal), "", "{text}");
    }
}

/// ISO 13211-1, 7.2: a float precedes an integer, whatever their values are; and the flag may change.
#[test]
fn the_standard_order_of_numbers_is_iso_s_while_its_flag_is_on() {
    let program = ":- initialization(main).
        main :- order, set_prolog_flag(iso, false), order, set_prolog_flag(iso, true), order.
        order :-
            msort([2, 1.5, 1, 1.0, 3.5, f(2), f(1.5), f(2.5)], L), writeq(L), nl,
            compare(O, 1.1, 1), writeq(O), nl,
            ( 1 @< 1.1 -> writeq(less) ; writeq(greater) ), nl,
            sort([2.0, 1, 2, 1.0], S), writeq(S), nl.
        ";
    let ran = run_with(program, &[], Options { iso: true, ..Options::default() });
    let iso = "[1.0,1.5,3.5,1,2,f(1.5),f(2.5),f(2)]\n<\ngreater\n[1.0,2.0,1,2]\n";
    let by_value = "[1.0,1,1.5,2,3.5,f(1.5),f(2),f(2.5)]\n>\nless\n[1.0,1,2.0,2]\n";
    assert_eq!(ran.output, format!("{iso}{by_value}{iso}"));
}

/// A vanilla interpreter calls what is built in, and looks for the clauses of everything else.
#[test]
fn interpreters_of_programs_are_told_what_is_built_in() {
    let ran = run(":- initialization(main).
        :- dynamic p/1.
        p(X) :- between(1, 3, X), format('~w ', [X]), forall(member(Y, [X]), nb_setval(last, Y)).
        solve(true) :- !.
        solve((A, B)) :- !, solve(A), solve(B).
        solve(G) :- predicate_property(G, built_in), !, call(G).
        solve(G) :- clause(G, B), solve(B).
        main :- findall(X, solve((p(X), X > 1, writeln(X))), Xs), nb_getval(last, L), writeln(Xs-L).");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("1 2 2\n3 3\n[2,3]-3\n", ""));
}

/// Programs are interpreted as they stand, without a declaration of what is dynamic; the standard says otherwise.
#[test]
fn clauses_of_static_predicates_are_there_for_interpreters_but_not_with_iso() {
    let program = ":- initialization(main).
        app([], L, L).
        app([X|Xs], Ys, [X|Zs]) :- app(Xs, Ys, Zs).
        go :- app(_, [X], [1, 2]), !, print(X), nl.
        solve(true) :- !.
        solve((A, B)) :- !, solve(A), solve(B).
        solve(H) :- \\+ predicate_property(H, built_in), clause(H, B), solve(B).
        solve(H) :- predicate_property(H, built_in), call(H).
        main :- catch(all, error(E, _), (print(E), nl)).
        all :-
            findall(X-Y, solve(app(X, Y, [a])), L), print(L), nl,
            findall(H-B, (H = app(_, _, _), clause(H, B)), C), length(C, N), print(N), nl,
            ( clause(go, (app(_, _, _), !, _)) -> print(yes) ; print(no) ), nl,
            clause(app(a, _, _), _).
        ";
    let ran = run(program);
    assert_eq!(ran.output, "[[]-[a],[a]-[]]\n2\nyes\n", "{}", ran.error);
    let ran = run_with(program, &[], Options { iso: true, ..Options::default() });
    assert_eq!(ran.output, "permission_error(access,private_procedure,app/3)\n");
}

#[test]
fn goals_are_expanded_where_a_disjunction_or_a_rule_has_them() {
    let ran = run(":- initialization(main).
         goal_expansion(first(X), (X -> true)).
         goal_expansion(old, new).
         one(X) :- ( first(X = 1) ; X = 2 ).
         :- meta_predicate calls(0).
         two :- calls(old).
         calls(G) :- call(G).
         three => old.
         four, old => true.
         new.
         main :- findall(X, one(X), L), print(L), nl, two, three, four, writeln(done).");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("[1,2]\ndone\n", ""));
}

#[test]
fn what_a_module_makes_of_a_term_goes_on_to_user() {
    let main = ":- use_module(m).\n:- initialization(main).\n\
        main :- last, other, findall(x, clause(m:last, true), L), print(L), nl.\n";
    let module = ":- module(m, [last/0, other/0]).\n:- discontiguous last/0.\n:- multifile user:term_expansion/2.\n:- dynamic user:term_expansion/2.\n\
        user:term_expansion(second, last).\nterm_expansion(first, second).\nterm_expansion(none, []).\n\
        term_expansion(several, [second, other]).\nfirst.\nnone.\nseveral.\n";
    let ran = run_files(&[("v.pl", main), ("m.pl", module)], &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("[x,x]\n", ""));
}

#[test]
fn clauses_of_static_predicates_show_calls_of_variables() {
    let ran = run(":- initialization(main).
         t(X) :- X, true.
         u :- \\+ 3.
         v(A, B, C, D, E, F, G, H, I) :- writeln([A, B, C, D, E, F, G, H, I]).
         main :- clause(t(a), B), print(B), nl, catch(u, error(E, _), true), print(E), nl,
             call(v, 1, 2, 3, 4, 5, 6, 7, 8, 9), ( current_predicate(t//0) -> true ; writeln(no) ),
             catch(tabled(_), error(F, _), true), functor(F, N, _), writeln(N).
         :- table fib/1.
         fib(_).
         tabled(X) :- freeze(X, true), fib(X).");
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("call(a),true\ntype_error(callable,3)\n[1,2,3,4,5,6,7,8,9]\nno\ntype_error\n", "")
    );
}

#[test]
fn dicts_have_functions_in_texts() {
    let ran = run(":- initialization(main).
         :- initialization((writeln(_{a: 5}.a))).
         area(S, A) :- A is S.w * S.h.
         inner(D, D.get(a).b).
         M.times(F) := point{x: X, y: Y} :- X is M.x * F, Y is M.y * F.
         twice(L, R) :- maplist([D, V]>>(V = D.k), L, R).
         main :- area(_{w: 2, h: 3}, A), writeln(A), inner(_{a: _{b: c}}, C), writeln(C),
             X = _{a: 1}.put(b, 2).put(_{c: 3}), print(X.c), nl, ( Y = X.get(z) -> writeln(Y) ; writeln(none) ),
             twice([_{k: 1}, _{k: 2}], Ks), writeln(Ks), K = b, writeln(X.K),
             catch(writeln(X.nokey), error(E, _), ( E = existence_error(key, Key, _), writeln(Key) )),
             Z = _{}.put(p/q, 7), writeln(Z.p.q).
         ends(X):-X=Y.
         ends(_).");
    assert_eq!(ran.output, "6\nc\n3\nnone\n[1,2]\n2\nnokey\n7\n5\n");
    // A point behind a variable still ends a clause, and `--iso` knows no functions.
    let ran = run(":- initialization(main).\nmain :- p(X),\nwriteln(X).\np(Y) :- Y=a.% end\nq(X):-p(X).\n");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("a\n", ""));
}
