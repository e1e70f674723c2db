//! How clauses are chosen never shows: static predicates, which are compiled behind switches and guards, answer as
//! dynamic ones, whose clauses are tried one after the other.

use crate::random::Random;
use crate::support::{open, run, run_with};
use rtcheck::session::Options;
use std::fmt::Write as _;

const HELPERS: &str = "
:- initialization(main).
:- discontiguous(t/0).
answers(G, A, B, C, W, Rs) :-
    catch(findall(t(A, B, C, W), G, Rs0), E, (E = error(Kind, _) -> Rs0 = Kind ; Rs0 = E)),
    ( acyclic_term(Rs0) -> numbervars(Rs0, 0, _), Rs = Rs0 ; Rs = cyclic ).
same(S, D, A, B, C, W) :-
    \\+ \\+ ( answers(S, A, B, C, W, Rs1), answers(D, A, B, C, W, Rs2),
        ( Rs1 == Rs2 -> true ; writeq(differ(S, Rs1, Rs2)), nl ),
        ( Rs1 = [_|_] -> write(some), nl ; true ) ).
";

impl Random {
    fn pattern(&mut self, depth: u64, variables: &[&str]) -> String {
        match self.below(if depth == 0 { 7 } else { 11 }) {
            0..=2 => variables[self.below(variables.len() as u64) as usize].to_owned(),
            3 => "a".to_owned(),
            4 => "1".to_owned(),
            5 => ["[]", "b", "2"][self.below(3) as usize].to_owned(),
            6 => ["36893488147419103232", "1.5", "a"][self.below(3) as usize].to_owned(),
            7 | 8 => {
                format!("f({}, {})", self.pattern(depth - 1, variables), self.pattern(depth - 1, variables))
            }
            9 => format!("[{}|{}]", self.pattern(depth - 1, variables), self.pattern(depth - 1, variables)),
            _ => format!("g({})", self.pattern(depth - 1, variables)),
        }
    }

    fn test(&mut self) -> String {
        let mut operand = || ["X", "Y", "Z", "1", "X", "Y"][self.below(6) as usize];
        let (left, right) = (operand(), operand());
        match self.below(8) {
            0 => format!("var({left})"),
            1 => format!("nonvar({left})"),
            2 => format!("atom({left})"),
            3 => format!("{left} == {right}"),
            4 => format!("{left} @< {right}"),
            5 => format!("number({left}), number({right}), {left} =< {right} + 1"),
            6 => format!("{left} \\== {right}"),
            _ => format!("{left} < {right}"),
        }
    }

    fn body(&mut self, number: u64) -> String {
        let mut body = String::new();
        for _ in 0..self.below(3) {
            let _ = write!(body, "{}, ", self.test());
        }
        if self.below(3) > 0 {
            body.push_str("!, ");
        }
        format!("{body}W = {number}")
    }

    /// An argument of a call: free, one that a clause has, or any.
    fn argument(&mut self, of_clauses: &[String]) -> String {
        match self.below(5) {
            0 => ["A", "B", "_"][self.below(3) as usize].to_owned(),
            1 => self.pattern(2, &["A", "B", "A"]),
            _ => {
                let known = &of_clauses[self.below(of_clauses.len() as u64) as usize];
                let value = ["a", "A", "B", "1"][self.below(4) as usize];
                known.replace(['X', 'Z'], value).replace(['Y', 'U'], "A")
            }
        }
    }
}

/// Predicates with many kinds of clauses, each static and dynamic, and calls of them: the output has a line for each
/// call that has an answer, and others where the two kinds differ.
fn program(random: &mut Random, predicates: usize) -> String {
    let mut text = String::from(HELPERS);
    let mut calls = String::from("main :- true");
    for name in 0..predicates {
        let clauses: Vec<[String; 3]> = (0..2 + random.below(5))
            .map(|_| std::array::from_fn(|_| random.pattern(2, &["X", "Y", "Z", "U"])))
            .collect();
        let bodies: Vec<String> = (0..clauses.len()).map(|number| random.body(number as u64)).collect();
        let _ = writeln!(text, ":- dynamic(d{name}/4).");
        for kind in ["s", "d"] {
            for (arguments, body) in clauses.iter().zip(&bodies) {
                let _ = writeln!(text, "{kind}{name}({}, W) :- {body}.", arguments.join(", "));
            }
        }
        for _ in 0..10 {
            let arguments: [String; 3] = std::array::from_fn(|i| {
                let known: Vec<String> = clauses.iter().map(|clause| clause[i].clone()).collect();
                random.argument(&known)
            });
            let (arguments, w) = (arguments.join(", "), if random.below(4) == 0 { "1" } else { "W" });
            let _ = writeln!(
                text,
                "t :- same(s{name}({arguments}, {w}), d{name}({arguments}, {w}), {arguments}, {w}), fail."
            );
        }
    }
    calls.push_str(", t.\nmain.\n");
    text + &calls
}

#[test]
fn switches_and_guards_change_no_answer() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let (mut answered, mut guards) = (0, 0);
    for _ in 0..3 {
        let program = program(&mut random, 24);
        let ran = run_with(&program, &[], Options::default());
        let differ: Vec<&str> = ran.output.lines().filter(|line| line.starts_with("differ")).collect();
        assert!(differ.is_empty() && ran.exit == 0, "{differ:#?}\n{}\n{program}", ran.error);
        answered += ran.output.lines().count();
        let (mut session, _) = open(&program, Options::default());
        for name in 0..24 {
            let listing = session.listing(&format!("s{name}"), 4).expect("it is defined");
            guards += usize::from(listing.contains("Match"));
        }
    }
    // Answers are frequent enough, and so are guards, that a difference would show.
    assert!(answered > 120 && guards > 15, "{answered} calls with answers, {guards} predicates with guards");
}

/// Choicepoints show by what a deterministic predicate leaves behind: none, though its clauses are told apart by other
/// arguments than the first, by tests, or by structures with a cut behind.
#[test]
fn usual_patterns_leave_no_choicepoint() {
    let program = "
second(_, [], 0).
second(X, [_|T], N) :- second(X, T, M), N is M + 1.
third(a, x, 1).
third(a, y, 2).
third(b, x, 3).
third(b, y, 4).
deriv(U + V, X, DU + DV) :- !, deriv(U, X, DU), deriv(V, X, DV).
deriv(X, X, 1) :- !.
deriv(_, _, 0).
merge([], L, L) :- !.
merge(L, [], L) :- !.
merge([X|Xs], [Y|Ys], [X|Zs]) :- X =< Y, !, merge(Xs, [Y|Ys], Zs).
merge(Xs, [Y|Ys], [Y|Zs]) :- merge(Xs, Ys, Zs).
:- initialization(main).
det(G) :- call_cleanup(G, Det = true), ( Det == true -> true ; writeq(left(G)), nl ).
main :- det(second(x, [1,2,3], 3)), det(third(a, x, _)), det(third(b, x, _)),
    det(third(_, x, 3)), det(deriv(x + 1 + x, x, _)), det(merge([1,4], [2,3,9], _)).
";
    let ran = run_with(program, &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.exit), ("", 0), "{}", ran.error);
}

/// What is different each time it is evaluated is evaluated once for each time a clause is tried, so some clause
/// applies to each call: of those that are compiled behind guards as of those that are not. Where numbers are compared
/// there is still a guard.
#[test]
fn tests_that_come_out_differently_twice_lose_no_clause() {
    const CLAUSES: &str = "
coin(heads) :- random < 0.5, !.
coin(tails).
p(0, R) :- random(2) =:= 0, !, R = a.
p(_, b).
nested(f(_), R) :- 1 + 2 * random_float < 2.0, !, R = a.
nested(_, b).
big(X, yes) :- X > 0.5, !.
big(_, no).
sum(f(X), yes) :- X + 1 > 1.5, !.
sum(_, no).
both(f(X, Y), yes) :- X < Y, !.
both(_, no).
";
    const MAIN: &str = "
:- initialization(main).
goal(coin(A), A). goal(p(0, A), A). goal(nested(f(1), A), A). goal(big(random, A), A).
goal(big(random + 0, A), A). goal(sum(f(random), A), A). goal(both(f(random, random), A), A).
calls(0, _, _) :- !.
calls(N, G, A) :- ( \\+ G -> writeq(failed(G)), nl ; true ), M is N - 1, calls(M, G, A).
seen(G, A) :- findall(A, (between(1, 100, _), once(G)), As), sort(As, Both), length(Both, N), write(N), nl.
main :- goal(G, A), calls(1000, G, A), seen(G, A), fail.
main.
";
    let dynamic = ":- dynamic([coin/1, p/2, nested/2, big/2, sum/2, both/2]).\n";
    for declaration in ["", dynamic] {
        let ran = run_with(&format!("{declaration}{CLAUSES}{MAIN}"), &[], Options::default());
        // Both answers come up.
        assert_eq!(
            (ran.output.as_str(), ran.error.as_str()),
            ("2\n".repeat(7).as_str(), ""),
            "{declaration}"
        );
    }
    let (mut session, _) = open(&format!("{CLAUSES}{MAIN}"), Options::default());
    let listing = session.listing("sum", 2).expect("it is defined");
    assert!(listing.contains("Test Number") && listing.contains("Match"), "{listing}");
}

/// Instructions, numbers and entries of retracted clauses are used again, however many there were.
#[test]
fn retracted_clauses_leave_no_room_behind() {
    let program = "
:- dynamic(fact/2).
main([A]) :- atom_number(A, N), turn(N).
turn(0) :- !.
turn(N) :- X is N + 0.5, assertz(fact(N, X)), assertz((fact(a, Y) :- Y > X, b(Y))), retract(fact(N, X)),
    retractall(fact(_, _)), N1 is N - 1, turn(N1).
b(_).
";
    let length = |turns: &str| {
        let (mut session, _) = open(program, Options::default());
        assert_eq!(session.run(vec![turns.to_owned()]), 0);
        session.machine.next_address()
    };
    let (some, more) = (length("3000"), length("12000"));
    assert!(more < some + 100, "{some} instructions became {more}");
}

/// A clause that retracts itself runs on, whatever is asserted in between: at its calls, at alternatives inside it, and
/// in goals that a built-in runs.
#[test]
fn a_retracted_clause_that_runs_keeps_its_code() {
    let program = "
:- initialization(main).
:- dynamic([calls/1, branches/1, nested/1, f/1]).
churn(0) :- !.
churn(N) :- assertz(f(N)), assertz((f(X) :- X > N, g(X), g(N))), retract(f(N)), retractall(f(_)), N1 is N - 1, churn(N1).
g(_).
calls(N) :- retract((calls(_) :- _)), churn(900), g(N), M is N + 1, churn(900), write(M), nl.
branches(N) :- ( retract((branches(_) :- _)), churn(900), g(N), fail ; churn(900), M is N + 2, write(M), nl ).
nested(N) :- catch(setup_call_cleanup(true, retract((nested(_) :- _)), churn(1800)), _, true), g(N), M is N + 3, write(M), nl.
main :- calls(1), branches(1), nested(1), churn(900), \\+ clause(calls(_), _), write(end), nl.
";
    let ran = run_with(program, &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("2\n3\n4\nend\n", ""));
}

#[test]
fn clauses_have_references_that_end_with_them() {
    let ran = run(":- dynamic p/1.
         :- initialization(main).
         main :-
             assertz(p(1), R1), assertz((p(X) :- X > 1), R2), asserta(p(0), R0),
             clause(H, B, R2), copy_term(H-B, H1-B1), numbervars(H1-B1, 0, _), print((H1 :- B1)), nl,
             nth_clause(p(_), N, R2), print(N), nl, nth_clause(p(_), 1, R), ( R == R0 -> writeln(first) ; true ),
             findall(R3, clause(p(_), _, R3), Rs), ( Rs == [R0, R1, R2] -> writeln(all) ; true ),
             clause_property(R1, fact), clause_property(R2, predicate(PI)), print(PI), nl, instance(R1, I), print(I), nl,
             erase(R1), findall(Y, clause(p(Y), true), Ys), print(Ys), nl,
             ( clause(_, _, R1) -> true ; writeln(gone) ),
             ( erase(R1) -> true ; writeln(gone) ),
             retract(p(0)), ( nth_clause(_, _, R0) -> true ; writeln(gone) ),
             assertz(p(7), R7), ( R7 == R1 -> writeln(same) ; writeln(other) ),
             catch(assertz(p(1), bound), error(E1, _), ( print(E1), nl )),
             catch(clause(_, _, foo), error(E2, _), ( print(E2), nl )).");
    assert_eq!(
        (ran.output.replace('_', ""), ran.error.as_str()),
        (
            "p(A):-A>1\n".to_owned()
                + "3\nfirst\nall\nuser:p/1\np(1):-true\n[0]\ngone\ngone\ngone\nother\nuninstantiationerror(bound)\ntypeerror(dbreference,foo)\n",
            ""
        )
    );
}

/// A clause that copies a list is run as one instruction, and does what its goals say one by one: beside a predicate
/// that says the same with one goal more.
#[test]
fn copying_a_list_at_once_is_calling_its_clause_again_and_again() {
    let program = "
:- initialization(main).
app([], L, L).
app([X|Xs], L, [X|Ys]) :- app(Xs, L, Ys).
slow([], L, L).
slow([X|Xs], L, [Y|Ys]) :- Y = X, slow(Xs, L, Ys).
both(Goal) :- Goal =.. [_|As], copy_term(As, Bs), answers(app, As, 3, L1), answers(slow, Bs, 3, L2),
    ( variant(L1, L2) -> true ; print(As), nl, print(L1), nl, print(L2), nl ).
variant(A, B) :- cyclic_term(A), !, A = B.
variant(A, B) :- A =@= B.
answers(P, As, N, L) :- G =.. [P|As], nb_setval(left, N),
    findall(As-R, ( call_with_inference_limit(G, 3000, R), nb_getval(left, K), K1 is K - 1, nb_setval(left, K1),
        ( K1 > 0, R \\== inference_limit_exceeded -> true ; ! ) ), L).
main :- both(p([], [a], _)), both(p([1,2,3], [a], _)), both(p([1,X,Y,f(X)], [Y], _)), both(p(_, [a], [1,2])),
    both(p([a|_], [b], _)), both(p([1,2], _, [1|_])), both(p([1,2], _, [1,3|_])), both(p([1,2,3], _, [_,Z,Z|_])),
    both(p([1|a], [b], _)), both(p([1,2], [b], [1|c])), both(p(_, _, _)), both(p([A|B], [A], B)),
    numlist(1, 2000, Long), both(p(Long, [a], _)), C = [a,b|C], both(p(C, [], [a,b,a,b,a,c|_])), both(p(C, [], _)),
    member(T, [[c], [d,e]]), app([a|T], [b], L), print(L), nl, fail.
main :- member(N, [0,1,2,600]), numlist(1, N, L), ( app(L, [z], R), length(R, K), print(K), nl, fail ; true ), fail.
main :- freeze(V, ( print(bound), nl )), app([1,2], [3], [1|V]), print(done), nl, fail.
main :- length(L, 5), app(L, [y], R), ( L = [1|_], print(R), nl, fail ; L = [2|_], nth0(0, R, E), print(E), nl, fail ).
main.
";
    let expected = "[a,c,b]\n[a,d,e,b]\n2\n3\n601\nbound\ndone\n";
    for collect_every in [None, Some(1), Some(5)] {
        let ran = run_with(program, &[], Options { collect_every, ..Options::default() });
        let output: Vec<&str> = ran.output.lines().collect();
        let (shared, last) = output.split_at(output.len().saturating_sub(2));
        assert_eq!(
            (shared.join("\n") + "\n", ran.error.as_str()),
            (expected.to_owned(), ""),
            "{collect_every:?}"
        );
        assert!(last[0].starts_with("[1,") && last[0].ends_with(",y]") && last[1] == "2", "{last:?}");
    }
    let listing = open(program, Options::default()).0.listing("app", 3).expect("it is defined");
    assert!(listing.contains("CopyList"), "{listing}");
}

/// The instruction that copies lists stands aside where calls mean something else: for the tracer and for contracts.
#[test]
fn a_copied_list_is_traced_and_checked() {
    let program = "
:- initialization(main).
:- pred app(Xs, L, Ys) : (list(int, Xs), list(int, L)) => list(int, Ys).
app([], L, L).
app([X|Xs], L, [X|Ys]) :- app(Xs, L, Ys).
main :- app([1,2,3], [4], L), print(L), nl, catch(app([1,2,a], [4], _), _, ( print(violated), nl )).
";
    let ran = run_with(program, &[], Options { analysis: false, ..Options::default() });
    assert_eq!(ran.output, "[1,2,3,4]\nviolated\n");
    assert!(ran.counters.checks >= 12, "{:?}", ran.counters);
}

#[test]
fn clauses_of_static_predicates_have_references_too() {
    let ran = run("p(1). p(2) :- q(a), true. p(X) :- X > 3.
         q(a).
         shown(T) :- numbervars(T, 0, _), print(T), nl.
         :- initialization(main).
         main :-
             forall(clause(p(X), B, R), ( clause(H, B1, R), shown((X, B, H, B1)) )),
             nth_clause(p(_), 2, R2), clause(p(2), B2, R2), print(B2), nl, nth_clause(P, N, R2), shown(P-N),
             findall(M, nth_clause(p(_), M, _), Ms), print(Ms), nl, ( nth_clause(p(_), 4, _) -> true ; writeln(none) ),
             nth_clause(p(_), 1, R1), clause_property(R1, fact), clause_property(R1, predicate(PI)), print(PI), nl,
             forall(rule(p(_), Rule), shown(Rule)),
             catch(clause(atom_length(_, _), _, _), error(E, _), ( print(E), nl )),
             ( clause(_, _, '$clause'(user:p/1, 4)) -> true ; catch(clause(_, _, '$clause'(nosuch, 4)), _, true) -> true ; writeln(no) ).");
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        (
            "1,true,p(1),true\n2,(q(a),true),p(2),q(a),true\nA,A>3,p(B),B>3\nq(a),true\np(A)-2\n[1,2,3]\nnone\n\
             user:p/1\np(1)\np(2):-q(a),true\np(A):-A>3\npermission_error(access,private_procedure,atom_length/2)\nno\n",
            ""
        )
    );
}

#[test]
fn a_transaction_changes_all_or_nothing() {
    let ran = run(":- dynamic p/1, q/1.
         p(1). p(2). p(3). q(1).
         :- initialization(main).
         shown :- findall(X, p(X), L), findall(X, p(X), L1), findall(X, q(X), M), print(L/L1/M), nl.
         main :-
             ( transaction(( retract(p(2)), assertz(p(4)), asserta(q(0)), fail )) -> true ; shown ),
             catch(transaction(( retractall(p(_)), assertz(p(9)), throw(x) )), x, shown),
             snapshot(( retract(p(1)), assertz(q(2)), shown )), shown,
             transaction(( retract(p(2)), X = 5, assertz(p(X)), assertz(q(3)) )), shown,
             % What an inner one takes back, and what an outer one takes back of an inner one that succeeded.
             transaction(( assertz(q(4)), ( transaction(( assertz(q(5)), retract(q(1)), fail )) ; true ), shown )),
             ( transaction(( transaction(retract(q(4))), shown, fail )) ; shown ),
             % Look-ups by arguments, and a search that is under way.
             ( p(1), transaction(( retract(p(3)), fail )) ; true ), ( p(3) -> writeln(found) ; writeln(lost) ),
             findall(Y, ( p(Y), \\+ transaction(( retract(p(3)), fail )) ), Ys), print(Ys), nl,
             numlist(10, 200, Ns), forall(member(N, Ns), assertz(p(N))),
             \\+ transaction(( retract(p(100)), p(150), \\+ p(100), fail )), ( p(100), p(150) -> writeln(found) ; writeln(lost) ).");
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        (
            "[1,2,3]/[1,2,3]/[1]\n[1,2,3]/[1,2,3]/[1]\n[2,3]/[2,3]/[1,2]\n[1,2,3]/[1,2,3]/[1]\n\
             [1,3,5]/[1,3,5]/[1,3]\n[1,3,5]/[1,3,5]/[1,3,4]\n[1,3,5]/[1,3,5]/[1,3]\n\
             [1,3,5]/[1,3,5]/[1,3,4]\nfound\n[1,3,5]\nfound\n",
            ""
        )
    );
}

#[test]
fn clauses_of_static_predicates_are_found_by_any_argument() {
    // What is found by an index is what a call finds, in the same order.
    let program = "
        p(a, 1, x). p(b, 2, x). p(_, 3, y). p(\"s\", 4, y). p(1.5, 5, f(z)). p(f(1), 6, f(z)). p([c], 7, f(w)).
        p(a, 8, _). p(f(2), 9, []). p(100000000000000000000, 10, x). p(b, 11, y). p(g(_), 12, x).
        q(a, 1). q(b, 2). q(a, 3). q(c, 4). q(d, 5). q(e, 6). q(f, 7). q(a, 8). q(g, 9). q(h, 10).
        value(_). value(a). value(b). value(zz). value(\"s\"). value(1.5). value(f(_)). value(f(2)). value([_|_]).
        value(100000000000000000000). value(g(1)). value([]).
        last(_). last(x). last(y). last(f(_)). last(f(w)). last([]). last(n).
        called(X, Z, L) :- findall(X-Y-Z, p(X, Y, Z), L).
        read(X, Z, L) :- findall(X-Y-Z, clause(p(X, Y, Z), true), L).
        main :- forall(( value(X), last(Z) ), ( called(X, Z, L), read(X, Z, M), ( L =@= M -> true ; print(X-Z-L-M), nl ) )),
            findall(Y, clause(q(a, Y), true), Ys), print(Ys), nl,
            ( clause(q(h, N), true), clause(p(b, 2, x), B) -> print(N-B) ; true ), nl,
            ( call_cleanup(clause(q(b, _), true), write(det)) -> nl ; true ),
            ( clause(q(zz, _), _) -> write(yes) ; write(no) ), nl.
        :- initialization(main).
    ";
    assert_eq!(run(program).output, "[1,3,8]\n10-true\ndet\nno\n");
}

#[test]
fn goals_of_a_long_clause_find_registers_for_what_they_build_and_leave() {
    // Built-ins in a row keep what they make in registers, so many that every free one between them is needed again.
    let count = 4000;
    let goals: Vec<String> = (0..count)
        .map(|i| match i % 4 {
            0 => format!("X{} is X{i} + 1", i + 1),
            1 => format!("f(X{i}, [X{i}|T{i}]) = f(X{}, [_|t])", i + 1),
            2 => format!("atom_length(abc, L{i}), X{} is X{i} + L{i}", i + 1),
            _ => format!(
                "( X{i} > 0 -> X{n} = X{i} ; X{n} is X{i} - 1 ), T{before} == t",
                n = i + 1,
                before = i - 2
            ),
        })
        .collect();
    let program =
        format!("p(X0, X{count}) :- {}.\n:- initialization((p(1, X), write(X))).\n", goals.join(", "));
    let ran = run(&program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("4001", ""));
}

#[test]
fn a_warning_of_variables_that_occur_once_names_the_first() {
    let variables: Vec<String> = (0..2000).map(|i| format!("A{i}")).collect();
    let ran = run(&format!("p :- p({}).\n", variables.join(", ")));
    let named = "variables occur only once: A0, A1, A2, A3, A4, A5, A6, A7, A8, A9, A10, A11 and 1988 more";
    assert!(ran.error.contains(named) && ran.error.len() < 1000, "{}", ran.error);
}
