//! The assertion language: what each form of an assertion checks, told as Ciao tells it.

use crate::support::{run, run_with};
use rtcheck::machine::OnViolation;
use rtcheck::session::Options;

/// What is told of the violations of a goal, each as `Type: Property / Instead`. The goal's failure is `failed`.
fn told(program: &str, goal: &str) -> Vec<String> {
    let program =
        format!("{program}\n:- initialization(main).\nmain :- ( {goal} -> true ; write(failed) ).\n");
    let options = Options { on_violation: OnViolation::Report, ..Options::default() };
    let ran = run_with(&program, &[], options);
    let mut told = Vec::new();
    for block in ran.error.split("{In ").skip(1) {
        let block = block.split("\n}").next().unwrap_or(block);
        let (_, rest) = block.split_once("Requires").expect("a violation");
        let (kind, rest) = rest.split_once(": \n").expect("what is required");
        let kind = kind.trim().trim_start_matches("in *").trim_end_matches('*');
        let kind = if kind.is_empty() { "comp" } else { kind };
        let rest = rest.split("\nERROR").next().unwrap_or(rest);
        let (property, instead) = rest.split_once("But instead:").unwrap_or((rest, ""));
        let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let property = joined(property);
        told.push(format!("{kind}: {} / {}", property.trim_end_matches('.'), joined(instead)));
    }
    let noise = ran.error.split("{In ").next().unwrap_or_default();
    assert!(noise.is_empty(), "{goal}: {}", ran.error);
    if ran.output.ends_with("failed") {
        told.push("failed".to_owned());
    }
    told
}

fn check(table: &[(&str, &str, &[&str])]) {
    for (program, goal, expected) in table {
        let told: Vec<String> = told(program, goal).iter().map(|line| without_numbers(line)).collect();
        let expected: Vec<String> = expected.iter().map(|line| without_numbers(line)).collect();
        assert_eq!(told, expected, "{program}\n?- {goal}.");
    }
}

#[test]
fn heads_modes_and_fields_in_every_form() {
    check(&[
        // The predicate alone, arguments named by position.
        (":- pred p/2 : int * atm.\np(_,_).", "p(a,1)", &["calls: int(_1) / _1=a"]),
        (":- pred p/1 : int.\np(_).", "p(1), p(a)", &["calls: int(_1) / _1=a"]),
        (":- pred p/1 : list(int).\np(_).", "p([1]), p([a])", &["calls: list(int,_1) / _1=[a]"]),
        (":- pred p(X) : {int, nnegint}.\np(_).", "p(-1)", &["calls: nnegint(X) / X=-1"]),
        (":- pred p/2 : list(int) * {atm, nonvar}.\np(_,_).", "p([],_)", &["calls: atm(_2) / _2=var(_)"]),
        (
            ":- pred p/3 : int * _ * (int;atm).\np(_,_,_).",
            "p(1,f,a), p(1,f,g(1))",
            &["calls: int(_3) or atm(_3) / _3=g(1)"],
        ),
        // Fields in any subset.
        (":- pred p(X) => int(X).\np(a).", "p(_)", &["success: int(X) / X=a"]),
        (
            ":- pred p(X) : var(X) => int(X) + not_fails # \"text\".\np(a) :- fail.",
            "p(_)",
            &["comp: not_fails / fails", "failed"],
        ),
        (":- pred p(X) # \"nothing to check\".\np(a).", "p(_)", &[]),
        (":- pred p(X) : X > 0 # \"positive\".\np(_).", "p(1), p(0)", &["calls: X>0 / X=0"]),
        (":- pred p(X) => X = 1 # \"one\".\np(2).", "p(_)", &["success: X=1 / X=2"]),
        // Modes.
        (
            ":- pred p(+X,-Y).\np(_,1).",
            "p(_,2) ; p(1,2) ; true",
            &["calls: nonvar(X) / X=var(_)", "calls: var(Y) / Y=2"],
        ),
        (
            ":- pred p(+list(int),-int).\np(_,a).",
            "p([1],_), p([a],_)",
            &["success: int(_2) / _2=a", "calls: list(int,_1) / _1=[a]"],
        ),
        (
            ":- pred p(?int).\np(_).",
            "p(1), p(_), p(a)",
            &["success: int(_1) / _1=var(_)", "compat: int(_1) / _1=a", "success: int(_1) / _1=a"],
        ),
        (":- pred p(@X).\np(f(1)).", "p(f(1)), p(f(_))", &["comp: not_further_inst(X) / instantiated(f(1))"]),
        (":- pred p(+,-).\np(1,2).", "p(_,_)", &["calls: nonvar(_1) / _1=var(_)"]),
        (":- pred p(+{int,nnegint}).\np(_).", "p(-1)", &["calls: nnegint(_1) / _1=-1"]),
        (":- pred p(in(X),out(Y)).\np(_,_).", "p(f(_),1)", &["calls: ground(X) / X=f(_)"]),
        (
            ":- modedef pos(A) : (int(A), A > 0) => ground(A).\n:- pred p(pos(X)).\np(_).",
            "p(1), p(0)",
            &["calls: X>0 / X=0"],
        ),
        (
            ":- modedef each(A,T) : list(T,A).\n:- pred p(each(int)).\np(_).",
            "p([a])",
            &["calls: list(int,_1) / _1=[a]"],
        ),
        (
            ":- use_package(basicmodes).\n:- pred p(+int).\np(_).",
            "p(1), p(_), p(a)",
            &["calls: nonvar(_1) / _1=var(_)", "compat: int(_1) / _1=a"],
        ),
    ]);
}

#[test]
fn kinds_and_statuses() {
    check(&[
        (":- calls p(X) : int(X).\np(_).", "p(a)", &["calls: int(X) / X=a"]),
        (
            ":- calls p(X) : int(X).\n:- calls p(X) : atm(X).\np(_).",
            "p(a), p(1), p(1.5)",
            &["calls: int(X) or atm(X) / X=1.5"],
        ),
        (":- success p(X,Y) : int(X) => int(Y).\np(_,a).", "p(b,_), p(1,_)", &["success: int(Y) / Y=a"]),
        (":- comp p(X) : int(X) + fails.\np(_).", "p(a), p(1)", &["comp: fails / not_fails"]),
        (":- check pred p(X) : int(X).\np(_).", "p(a)", &["calls: int(X) / X=a"]),
        (":- trust pred p(X) : int(X).\np(_).", "p(a)", &["calls: int(X) / X=a"]),
        (":- set_prolog_flag(rtchecks_trust, no).\n:- trust pred p(X) : int(X).\np(_).", "p(a)", &[]),
        (":- true pred p(X) : int(X).\np(_).", "p(a)", &[]),
        (":- checked pred p(X) : int(X).\np(_).", "p(a)", &[]),
        (":- false pred p(X) : int(X).\np(_).", "p(a)", &[]),
        // Several assertions: any of the calls, each success of those that apply.
        (
            ":- pred p(X,Y) : int(X) => int(Y).\n:- pred p(X,Y) : atm(X) => atm(Y).\np(1,a).\np(b,2).\np(3,4).",
            "p(1,_), p(b,_), p(3,_), (p(f,_) ; true), (p(1.5,_) ; true)",
            &["success: int(Y) / Y=a", "success: atm(Y) / Y=2", "calls: int(X) or atm(X) / X=1.5"],
        ),
    ]);
}

#[test]
fn formulas_of_conjunctions_and_disjunctions() {
    check(&[
        (
            ":- pred p(X) : (list(X) ; int(X)).\np(_).",
            "p([]), p(1), p(a)",
            &["calls: list(X) or int(X) / X=a"],
        ),
        (
            ":- pred p(X,Y) : ((int(X) ; atm(X)), (int(Y) ; atm(Y))).\np(_,_).",
            "p(1,a), p(a,1), p(1,f(x))",
            &["calls: int(Y) or atm(Y) or atm(X) / Y=f(x) X=1"],
        ),
        (
            ":- pred p(X) => ((int(X), X > 0) ; atm(X)).\np(_).",
            "p(1), p(a), p(0), p(f)",
            &["success: X>0 or atm(X) / X=0"],
        ),
    ]);
}

#[test]
fn properties_are_called_and_bind_nothing() {
    let sorted = ":- prop sorted/1.\nsorted([]).\nsorted([_]).\nsorted([X,Y|T]) :- X =< Y, sorted([Y|T]).\n";
    check(&[
        (
            &format!("{sorted}:- pred p(L) : sorted(L).\np(_)."),
            "p([1,2,3]), p([2,1])",
            &["calls: sorted(L) / L=[2,1]"],
        ),
        // A variable would have to be bound: it does not hold, and the search for a binding ends.
        (&format!("{sorted}:- pred p(L) : sorted(L).\np(_)."), "p(_)", &["calls: sorted(L) / L=var(_)"]),
        (&format!("{sorted}:- pred p(L) : sorted(L).\np(_)."), "p([1|_])", &["calls: sorted(L) / L=[1|_]"]),
        // What it throws is told.
        (
            &format!("{sorted}:- pred p(L) : sorted(L).\np(_)."),
            "p([a,b])",
            &["calls: sorted(L) / L=[a,b] exception(error(type_error(evaluable,a/0),_))"],
        ),
        // The arguments are left as they were.
        (":- prop q/1.\nq(X) :- arg(1, X, Y), var(Y).\n:- pred p(X) : q(X).\np(f(1)).", "p(f(_))", &[]),
        (":- prop q/1.\nq(X) :- \\+ X = f(1).\n:- pred p(X) : q(X).\np(_).", "p(_)", &[]),
        (":- prop q/1.\nq(X) :- setarg(1, X, 2).\n:- pred p(X) : q(X).\np(f(1)).", "p(f(1))", &[]),
        // `term` and `ground` differ, and so do the types of a list's elements.
        (":- pred p(X) : term(X).\np(_).", "p(_)", &[]),
        (":- pred p(X) : ground(X).\np(_).", "p(f(_))", &["calls: ground(X) / X=f(_)"]),
        (":- pred p(X) : list(X).\np(_).", "p([_]), p([_|_])", &["calls: list(X) / X=[_|_]"]),
        // Relations between arguments, with variables of their own.
        (":- pred p(X,Y) => Y > X.\np(1,2).\np(2,1).", "p(1,_), p(2,_)", &["success: Y>X / X=2 Y=1"]),
        (
            ":- pred p(X,N) => (length(X,L), L =:= N).\np([a],1).\np([],1).",
            "p([a],_), p([],_)",
            &["success: (length(X,L),L=:=N) / X=[] N=1"],
        ),
        // Both orders of `list/2`, and properties with other properties as parameters.
        (":- pred p(L) : list(L,int).\np(_).", "p([1]), p([a])", &["calls: list(L,int) / L=[a]"]),
        (
            &format!("{sorted}:- pred p(L) : list(sorted,L).\np(_)."),
            "p([[1,2]]), p([[2,1]])",
            &["calls: list(sorted,L) / L=[[2,1]]"],
        ),
        (
            ":- prop above/2.\nabove(N,X) :- X > N.\n:- pred p/1 : above(3).\np(_).",
            "p(4), p(3)",
            &["calls: above(3,_1) / _1=3"],
        ),
        (
            ":- pred p(X,Y) : indep(X,Y).\np(_,_).",
            "p(_,_), p(f(A),g(A,b))",
            &["calls: indep(X,Y) / X=f(_) Y=g(_,b)"],
        ),
        (":- pred p(X) : linear(X).\np(_).", "p(f(_,_)), p(f(A,A))", &["calls: linear(X) / X=f(_,_)"]),
        (
            ":- pred p(X,Y) : mshare([[X],[Y]]).\np(_,_).",
            "p(_,_), p(A,A)",
            &["calls: mshare([[X],[Y]]) / X=var(_) Y=var(_)"],
        ),
    ]);
}

/// Variables without names are written with a number, which is none of a test's business.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        out.push(character);
        if character == '_' {
            while characters.next_if(char::is_ascii_digit).is_some() {}
        }
    }
    out
}

#[test]
fn compatibility_before_and_behind_the_call() {
    let tree = ":- regtype tree/1.\ntree(e).\ntree(t(L,X,R)) :- tree(L), int(X), tree(R).\n";
    let endless = ":- regtype endless/1.\nendless(f(X)) :- endless(X).\n";
    let table: &[(&str, &str, &[&str])] = &[
        (":- pred p(X) :: list(int,X).\np(_).", "p([]), p([1]), p(foo)", &["compat: list(int,X) / X=foo"]),
        (":- pred p(X) :: int(X).\np(a).", "p(1) ; p(a) ; true", &["compat: int(X) / X=a"]),
        (":- pred p(X) :: int(X).\np(a).\np(1).", "p(1)", &[]),
        (":- pred p(X) :: int(X).\np(a).", "(p(_), true)", &["compatpos: int(X) / X=a"]),
        (
            &format!("{tree}:- pred p(X) :: tree(X).\np(_)."),
            "p(_), p(t(e,_,_)), p(t(a,_,_))",
            &["compat: tree(X) / X=t(a,_,_)"],
        ),
        // One variable must be two things at once.
        (
            &format!("{tree}:- pred p(X) :: tree(X).\np(_)."),
            "(p(t(A,1,A)), p(t(A,A,e)))",
            &["compat: tree(X) / X=t(_,_,e)"],
        ),
        // A type without finite terms has no instance of anything.
        (
            &format!("{endless}:- pred p(X) :: endless(X).\np(_)."),
            "p(f(_))",
            &["compat: endless(X) / X=f(_)"],
        ),
    ];
    check(table);
}

#[test]
fn a_called_property_of_lists_takes_the_type_in_front_or_behind() {
    let program = ":- module(_, [main/0], [assertions, regtypes]).
        :- prop even/1.
        even(X) :- int(X), 0 is X mod 2.
        :- regtype part/1.
        part(pair(A, B)) :- num(A), num(B).
        part(pair(A, B)) :- atm(A), atm(B).
        :- regtype parts/1.
        parts(X) :- list(X, part).
        :- prop sorted/1.
        sorted(X) :- list(X, int), msort(X, X).
        :- pred p(X) : list(X, even).
        p(_).
        :- pred q(X) : list(even, X).
        q(_).
        :- pred r(X) : parts(X).
        r(_).
        :- pred s(X) : sorted(X).
        s(_).
        :- pred u(X) => list(X, part).
        u(_).
        :- initialization(main).
        main :- maplist(t, [p([]), p([2]), p([1]), p(even), q([2]), q([1]), r([pair(1, 2), pair(a, b)]), r([pair(1, a)]),
            s([1, 2]), s([2, 1]), u([pair(a, b)]), u([b])]), nl.
        t(G) :- catch(( call(G) -> write(y) ; write(n) ), rtcheck(_, _, _, _, _, _), write(v)).
        ";
    let ran = run(program);
    assert_eq!(ran.output, "yyvvyvyvyvyv\n", "{}", ran.error);
}

#[test]
fn of_terms_with_variables_only_what_no_binding_could_mend_is_incompatible() {
    let program = ":- module(_, [main/0], [assertions, regtypes]).
        :- regtype two/1.
        two(f(X, Y)) :- int(X), atm(Y).
        two(f(X, Y)) :- atm(X), int(Y).
        :- regtype twos/1.
        twos([]).
        twos([X|Xs]) :- two(X), twos(Xs).
        :- prop positive/1.
        positive(X) :- X > 0.
        :- prop growing/1.
        growing([X, Y|Zs]) :- X =< Y, growing([Y|Zs]).
        growing([_]).
        growing([]).
        :- prop endless/1.
        endless(s(X)) :- endless(t(X)).
        endless(t(X)) :- endless(s(X)).
        :- prop constant/1.
        constant(k(X)) :- X > 0.
        :- pred k(X) :: constant(X).
        k(_).
        :- pred c(X) :: two(X).
        c(_).
        :- pred d(X) :: twos(X).
        d(_).
        :- pred e(X) :: positive(X).
        e(_).
        :- pred g(X) :: growing(X).
        g(_).
        :- pred h(X) :: list(X, two).
        h(_).
        :- pred i(X) : compat(X, two).
        i(_).
        :- pred j(X) :: endless(X).
        j(_).
        :- prop within(X, L, H).
        within(X, L, H) :- int(X), X >= L, X =< H.
        :- pred l(X) :: within(X, 1, 5).
        l(_).
        :- prop either/1.
        either(f(X)) :- X = 1, atom(X).
        either(f(X)) :- X = a, atom(X).
        :- pred m(X) : compat(X, either).
        m(_).
        :- prop same/1.
        same(f(X, X)) :- atom(X).
        same(f(1, _)).
        :- pred n(X) : compat(X, same).
        n(_).
        :- pred strict(X) : int(X).
        strict(_).
        :- prop calls/1.
        calls(f(_, A)) :- strict(A).
        :- pred o(X) :: calls(X).
        o(_).
        many(Xs) :- length(Ys, 25), maplist(=(f(_, _)), Ys), append(Ys, [g(_)], Xs).
        :- initialization(main).
        main :- maplist(t, [c(_), c(f(_, _)), c(f(1, _)), c(f(_, a)), c(f(1, 1)), c(f([], b(_))), c(g(_))]), nl,
            maplist(t, [d(_), d([_]), d([f(1, _)|_]), d([f(1, a), g(_)]), d([f(1, a)|b(_)])]), nl,
            maplist(t, [e(_), e(1), e(0), g([_|_]), g([1, 2, _]), g([2, 1|_]), g([_, 2, 1])]), nl,
            maplist(t, [h(_), h([_]), h([f(1, _)|_]), h([1|_]), h([f(1, 2), _])]), nl,
            maplist(t, [i(_), i(f(1, _)), i(f(1, 1)), i(g(_)), j(_), j(s(_)), k(k(_)), k(k(0)), k(a(_))]), nl,
            freeze(W, write(woke)), many(Xs),
            maplist(t, [l(_), l(f(_)), m(f(_)), m(f(W)), m(g(_)), n(f(_, _)), o(f(_, a)), d(Xs), h(Xs)]), nl.
        t(G) :- catch(( call(G) -> write(y) ; write(n) ), rtcheck(_, _, _, _, _, _), write(v)).
        ";
    let ran = run(program);
    assert_eq!(ran.output, "yyyyvvv\nyyyvv\nyyvyyvv\nyyyvv\nyyvvyyyvv\nyvyyvyyvv\n", "{}", ran.error);
}

#[test]
fn a_called_property_in_a_type_of_terms_may_have_arguments_of_its_own() {
    // In front, as in older versions of Ciao, or behind, as the order of the other arguments says.
    let program = ":- module(_, [main/0], [assertions, regtypes]).
        :- prop within(X, L, H).
        within(X, L, H) :- int(X), X >= L, X =< H.
        :- prop from(L, H, X).
        from(L, H, X) :- int(X), X >= L, X =< H.
        :- prop even/1.
        even(X) :- int(X), 0 is X mod 2.
        :- pred a(X) : list(X, within(1, 5)).
        a(_).
        :- pred b(X) : list(from(1, 5), X).
        b(_).
        :- pred c(X) : list(X, list(within(1, 5))).
        c(_).
        :- pred d(X) :: list(X, within(1, 5)).
        d(_).
        :- pred e(X) : sequence(X, even).
        e(_).
        :- pred f(X) : nlist(X, within(1, 5)).
        f(_).
        :- pred g(X) : nlist(even, X).
        g(_).
        :- pred h(X) : sequence_or_list(X, even).
        h(_).
        :- prop part/2.
        :- meta_predicate part(1, ?).
        part(T, p(X)) :- call(T, X).
        :- pred i(X) : list(X, part(even)).
        i(_).
        :- initialization(main).
        main :- maplist(t, [i([p(2)]), i([p(1)]), e(write), e(assertz), f(write), g(write)]), nl,
            maplist(t, [a([3]), a([7]), b([3]), b([7]), c([[3], []]), c([[7]]), d([_]), d([3|_]), d([7, _])]), nl,
            maplist(t, [e((2, 4)), e(2), e((2, 1)), f([1, [2]]), f([[7]]), g([2, [4]]), g([[1]]), h([2]), h((2, 4)), h((1, 2))]), nl.
        t(G) :- catch(( call(G) -> write(y) ; write(n) ), rtcheck(_, _, _, _, _, _), write(v)).
        ";
    let ran = run(program);
    assert_eq!(ran.output, "yvvvvv\nyvyvyvyyv\nyyvyvyvyyv\n", "{}", ran.error);
}
