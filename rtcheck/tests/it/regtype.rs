//! Regular types as automata.

use crate::random::Random;
use crate::support::{open, run, run_files};
use rtcheck::machine::RunOutcome;
use rtcheck::session::Options;

fn automaton(program: &str, regtype: &str) -> Result<String, String> {
    open(program, Options::default()).0.automaton(regtype)
}

/// Which of some terms have a type, as `y` and `n`.
fn accepted(program: &str, regtype: &str, terms: &[&str]) -> String {
    let tests: Vec<String> = terms.iter().map(|term| format!("try({term})")).collect();
    let program = format!(
        "{program}\n:- pred p(X) : {regtype}.\np(_).\n:- initialization(main).\nmain :- {}.\n\
         try(X) :- catch((p(X), write(y)), rtcheck(_,_,_,_,_,_), write(n)).\n",
        tests.join(", ")
    );
    let ran = run(&program);
    assert_eq!(ran.error, "", "{program}");
    ran.output
}

/// Example 2 of the paper.
const BINTREE: &str = "
:- regtype bintree/2.
bintree(empty,_T).
bintree(tree(LC,X,RC),T) :- bintree(LC,T),T(X),bintree(RC,T).
";

#[test]
fn example_2_is_the_papers_automaton() {
    insta::assert_snapshot!(automaton(BINTREE, "bintree(int)").expect("it is regular"), @r#"
empty -> bintree(int)
tree(bintree(int),int,bintree(int)) -> bintree(int)
"#);
}

#[test]
fn instances_are_states_of_one_automaton() {
    insta::assert_snapshot!(automaton(BINTREE, "list(bintree(list(atm)))").expect("it is regular"), @r#"
[] -> list(bintree(list(atm)))
'.'(bintree(list(atm)),list(bintree(list(atm)))) -> list(bintree(list(atm)))
empty -> bintree(list(atm))
tree(bintree(list(atm)),list(atm),bintree(list(atm))) -> bintree(list(atm))
[] -> list(atm)
'.'(atm,list(atm)) -> list(atm)
"#);
}

/// A definition, the type as a property of `X`, terms, and which of them have it.
const DEFINITIONS: [(&str, &str, &[&str], &str); 31] = [
    // Constants of every kind.
    (
        ":- regtype c/1.\nc(red).\nc(1).\nc(-2).\nc(1.5).\nc(100000000000000000000).\nc([]).",
        "c(X)",
        &["red", "1", "-2", "1.5", "100000000000000000000", "[]", "blue", "2", "1.0", "_", "f(red)", "'[]'"],
        "yyyyyynnnnny",
    ),
    // Both orders of arguments, and call/2 written out.
    (
        ":- regtype bt/2.\nbt(_, e).\nbt(T, n(L,X,R)) :- bt(T, L), call(T, X), bt(T, R).",
        "bt(int, X)",
        &["e", "n(e,1,e)", "n(e,a,e)", "n(n(e,1,e),2,e)", "n(_,1,e)", "_"],
        "yynynn",
    ),
    (
        ":- regtype bt2/2.\nbt2(e, _).\nbt2(n(L,X,R), T) :- bt2(L, T), T(X), bt2(R, T).",
        "bt2(X, list(atm))",
        &["e", "n(e,[],e)", "n(e,[a,1],e)", "n(e,[a|_],e)"],
        "yynn",
    ),
    (
        ":- regtype bt/2.\n:- meta_predicate bt(pred(1), ?).\nbt(_, X) :- X = e.\nbt(T, X) :- X = n(L,Y,R), bt(T, L), T(Y), bt(T, R).",
        "bt(int, X)",
        &["e", "n(e,1,n(e,2,e))", "n(e,1,f)"],
        "yyn",
    ),
    // Aliases, forwards and backwards, also of parameters; one that only names itself has no terms.
    (
        ":- regtype a/1.\na(X) :- b(X).\n:- regtype b/1.\nb(X) :- list(int, X).",
        "a(X)",
        &["[1]", "[a]", "[]"],
        "yny",
    ),
    (":- regtype same/2.\nsame(T, X) :- T(X).", "same(int, X)", &["1", "a"], "yn"),
    (
        ":- regtype lists/2.\nlists(T, X) :- list(list(T), X).",
        "lists(int, X)",
        &["[[1],[]]", "[1]", "[]"],
        "yny",
    ),
    (":- regtype loop/1.\nloop(X) :- loop(X).\nloop(a).", "loop(X)", &["a", "b", "_"], "ynn"),
    // Disjunctions in bodies; unifications in bodies; failing alternatives.
    (
        ":- regtype d/1.\nd(X) :- ( int(X) ; atm(X) ; X = f(Y), ( Y = a ; int(Y) ) ).",
        "d(X)",
        &["1", "a", "f(a)", "f(1)", "f(b)", "1.5", "_", "f(_)"],
        "yyyynnnn",
    ),
    (
        ":- regtype u/1.\nu(X) :- X = p(A, B), A = q(C), int(C), atm(B).",
        "u(X)",
        &["p(q(1),a)", "p(q(a),a)", "p(1,a)"],
        "ynn",
    ),
    (
        ":- regtype n/1.\nn(f(X)) :- X = a, X = b.\nn(f(X)) :- fail, int(X).\nn(c) :- true.",
        "n(X)",
        &["c", "f(a)", "f(1)"],
        "ynn",
    ),
    // Nested terms in heads.
    (
        ":- regtype h/1.\nh(f(g(X, a), [Y])) :- int(X), atm(Y).",
        "h(X)",
        &["f(g(1,a),[b])", "f(g(1,b),[b])", "f(g(1,a),[b,c])", "f(g(1,_),[b])"],
        "ynnn",
    ),
    // Mutual recursion.
    (
        ":- regtype even/1.\neven(z).\neven(s(X)) :- odd(X).\n:- regtype odd/1.\nodd(s(X)) :- even(X).",
        "even(X)",
        &["z", "s(z)", "s(s(z))", "s(s(s(z)))"],
        "ynyn",
    ),
    // Unions of types, also of types with the same functors, as long as one argument tells.
    (
        ":- regtype v/1.\nv(X) :- int(X).\nv(X) :- list(v, X).\nv(w(X)) :- v(X).",
        "v(X)",
        &["1", "[1,[2],w([])]", "w(w(3))", "w(a)", "[a]"],
        "yyynn",
    ),
    (
        ":- regtype f/1.\nf(f(X)) :- int(X).\nf(f(X)) :- atm(X).\nf(f(X)) :- list(X).",
        "f(X)",
        &["f(1)", "f(a)", "f([_])", "f(1.5)", "f(_)"],
        "yyynn",
    ),
    (
        ":- regtype m/1.\nm(t(a, X)) :- int(X).\nm(t(b, X)) :- int(X).\nm(t(c, X)) :- num(X).\nm(t(a, X)) :- num(X).\nm(t(b, X)) :- num(X).",
        "m(X)",
        &["t(a,1)", "t(b,2.5)", "t(c,1.5)", "t(d,1)"],
        "yyyn",
    ),
    (
        ":- regtype w/1.\nw(X) :- list(int, X).\nw(X) :- list(num, X).",
        "w(X)",
        &["[1]", "[1.5]", "[a]"],
        "yyn",
    ),
    // A variable with several types has all of them.
    (
        ":- regtype i/1.\ni(f(X)) :- gnd(X), list(X), any(X).",
        "i(X)",
        &["f([a])", "f([_])", "f(a)", "f([])"],
        "ynny",
    ),
    (":- regtype j/1.\nj(X) :- callable(X), constant(X).", "j(X)", &["a", "1", "f(x)", "_"], "ynnn"),
    // Every term, and the types that hold of every compound term.
    (
        ":- regtype s/1.\ns(X) :- struct(X).\ns(f(X)) :- int(X).\ns(a).",
        "s(X)",
        &["a", "f(b)", "g(_)", "[_|_]", "b", "_"],
        "yyyynn",
    ),
    (
        ":- regtype o/1.\no(X) :- gnd(X).\no(f(_)).",
        "o(X)",
        &["1", "g(a)", "g(_)", "f(_)", "[a]", "[_]", "_"],
        "yynyynn",
    ),
    (":- regtype x/1.\nx(f(_, a)).", "x(X)", &["f(_,a)", "f(b,a)", "f(b,_)"], "yyn"),
    // ^ makes a type of a constructor.
    ("", "list(^(a), X)", &["[a,a]", "[]", "[b]"], "yyn"),
    ("", "list(^(p(int, list(atm))), X)", &["[p(1,[])]", "[p(1,[a]),p(2,[b])]", "[p(a,[])]", "[q]"], "yynn"),
    // Ciao's library.
    ("", "nlist(int, X)", &["[]", "1", "[1,[2,[3]]]", "[a]", "[1|2]"], "yyyny"),
    ("", "sequence(atm, X)", &["a", "(a,b,c)", "(a,1)", "((a,b),c)"], "yynn"),
    ("", "string(X)", &["[0'a]", "[]", "[a]", "abc"], "yynn"),
    ("", "predname(X)", &["a/1", "a/ -1", "1/1", "foo"], "ynnn"),
    ("", "gndstr(X)", &["f(a)", "f(_)", "[a]", "a"], "ynyn"),
    ("", "operator_specifier(X)", &["xfx", "fy", "xx"], "yyn"),
    ("", "atm_or_atm_list(X)", &["a", "[a]", "[]", "[1]", "1"], "yyynn"),
];

#[test]
fn definitions_as_programmers_write_them_hold_of_what_they_should() {
    for (program, regtype, terms, expected) in DEFINITIONS {
        assert_eq!(accepted(program, regtype, terms), expected, "{program} {regtype} {terms:?}");
    }
}

#[test]
fn what_is_not_regular_or_not_deterministic_is_told_with_the_reason() {
    for (program, regtype, reason) in [
        (":- regtype t/1.\nt(f(a,X)) :- int(X).\nt(f(b,X)) :- atm(X).\n", "t", "`f/2` with different types"),
        (
            ":- regtype t/1.\nt([X,Y]) :- int(X), atm(Y).\nt([X,Y]) :- atm(X), int(Y).\n",
            "t",
            "not deterministic",
        ),
        (":- regtype t/2.\nt(f(X), T) :- t(X, list(T)).\nt(a, _).\n", "t(int)", "ever more instances"),
        (":- regtype t/1.\nt(f(X,X)).\n", "t", "occurs twice"),
        (":- regtype t/1.\nt(f(X,Y)) :- X = Y.\n", "t", "occurs twice"),
        (":- regtype t/1.\nt(X) :- int(Y).\n", "t", "not in the term"),
        (":- regtype t/1.\nt(f(X,Y)) :- less(X,Y).\n", "t", "relates two parts"),
        (":- regtype t/1.\nt(X) :- X > 0.\n", "t", "no type of a variable"),
        (":- regtype t/1.\nt(X) :- int(X), !.\n", "t", "no type of a variable"),
        (":- regtype t/1.\nt(X) :- X = f(X).\n", "t", "cyclic"),
        (":- regtype t/2.\nt(int, X) :- int(X).\nt(atm, X) :- atm(X).\n", "t(int)", "distinct variables"),
        (":- dynamic(t/1).\n:- regtype t/1.\nt(a).\n", "t", "may change"),
        ("", "nlist(list(int))", "not deterministic"),
        ("", "nonsense", "unknown type"),
    ] {
        let told = automaton(program, regtype).unwrap_err();
        assert!(told.contains(reason), "{program}{regtype}: {told}");
    }
}

#[test]
fn a_declared_type_that_is_not_regular_is_a_warning_at_its_clause() {
    let ran = run(":- regtype t/1.\nt(f(a,X)) :- int(X).\nt(f(b,X)) :- atm(X).\nmain.\n");
    assert_eq!(ran.exit, 0);
    insta::assert_snapshot!(ran.error, @r"
    warning: `t/1` is not a regular type: it is checked by calling it
     --> v.pl:3:1
      |
    3 | t(f(b,X)) :- atm(X).
      | ^^^^^^^^^^^^^^^^^^^ clauses for `f/2` with different types of arguments are not deterministic
    ");
}

#[test]
fn definitions_that_accept_the_same_terms_are_one_type() {
    let program = "
:- regtype ints/1.
ints([]).
ints([X|Xs]) :- int(X), ints(Xs).
% The same two cells at a time, and through another name.
:- regtype unrolled/1.
unrolled([]).
unrolled([X|Xs]) :- int(X), more(Xs).
:- regtype more/1.
more(X) :- unrolled(X).
% The first cell by itself.
:- regtype first/1.
first([]).
first([X|Xs]) :- integer(X), ints(Xs).
:- regtype other/1.
other([]).
other([X|Xs]) :- atm(X), ints(Xs).
:- regtype l/1.
l(e).
l(n(A, B)) :- l(A), r(B).
:- regtype r/1.
r(e).
r(n(A, B)) :- r(A), l(B).
:- regtype both/1.
both(e).
both(n(A, B)) :- both(A), both(B).
";
    let (mut session, _) = open(program, Options::default());
    let mut resolve = |text: &str| {
        let name = session.machine.atoms.intern(text);
        let expression = rtcheck::regtype::TypeExpression::Applied(name, Vec::new());
        session.machine.types.resolve(&session.machine.atoms, &expression).expect("it is regular")
    };
    let ints = resolve("ints");
    assert_eq!([resolve("unrolled"), resolve("more"), resolve("first")], [ints; 3]);
    assert_ne!(resolve("other"), ints);
    let both = resolve("both");
    assert_eq!([resolve("l"), resolve("r")], [both; 2]);
    assert_ne!(both, ints);
    let told = session.automaton("unrolled").expect("it is regular");
    assert!(told.starts_with("% unrolled accepts the same terms as ints\n"), "{told}");
    assert!(
        session.automaton("list(int)").expect("it is regular").starts_with("% list(int) accepts the same")
    );
}

#[test]
fn modules_may_have_types_of_the_same_name() {
    let files = [
        (
            "v.pl",
            ":- module(v, [main/0]).\n:- use_module(w).\n:- regtype t/1.\nt(a).\n:- regtype u/1.\nu(f(X)) :- t(X).\n\
             :- pred p(X) : u(X).\np(_).\nmain :- try(p(f(a))), try(p(f(b))), try(q(g(b))), try(q(g(a))).\n\
             try(G) :- catch((G, write(y)), rtcheck(_,_,_,_,_,_), write(n)).\n",
        ),
        (
            "w.pl",
            ":- module(w, [q/1]).\n:- regtype t/1.\nt(b).\n:- regtype u/1.\nu(g(X)) :- t(X).\n:- pred q(X) : u(X).\nq(_).\n",
        ),
    ];
    let ran = run_files(&files, &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("ynyn", ""));
}

#[test]
fn a_changed_definition_changes_what_depends_on_it_and_nothing_else() {
    use rtcheck::regtype::{Definition, TypeExpression};
    let program = ":- regtype e/1.\ne(a).\n:- regtype t/1.\nt(f(X)) :- e(X).\n:- regtype u/1.\nu(b).\n";
    let (mut session, _) = open(program, Options::default());
    let machine = &mut session.machine;
    let [e, t, u] = ["e", "t", "u"].map(|name| machine.atoms.intern(name));
    let applied = |name| TypeExpression::Applied(name, Vec::new());
    let before =
        [e, t, u].map(|name| machine.types.resolve(&machine.atoms, &applied(name)).expect("regular"));
    let define = |machine: &mut rtcheck::machine::Machine, argument: &str| {
        let clause = rtcheck::term::Cell::atom(machine.atoms.intern(argument));
        let clause = machine.store.compound(e, &[clause]);
        let definition = Definition::new(&machine.store, &[clause], &|_, _| None).expect("it is regular");
        machine.types.define(e, definition);
    };
    define(machine, "c");
    let changed =
        [e, t, u].map(|name| machine.types.resolve(&machine.atoms, &applied(name)).expect("regular"));
    assert!(changed[0] != before[0] && changed[1] != before[1] && changed[2] == before[2]);
    define(machine, "a");
    let restored =
        [e, t, u].map(|name| machine.types.resolve(&machine.atoms, &applied(name)).expect("regular"));
    assert_eq!(restored, before);
}

#[test]
fn compatibility_asks_for_an_instance() {
    // The type, terms, and whether each has an instance of the type.
    let program = "
:- regtype t/1.
t(e).
t(n(L, X, R)) :- t(L), int(X), t(R).
:- regtype p/1.
p(p(X, Y)) :- int(X), atm(Y).
:- regtype q/1.
q(p(X, Y)) :- list(int, X), list(num, Y).
:- regtype never/1.
never(f(X)) :- never(X).
";
    for (regtype, terms) in [
        (
            "t",
            &[("X", true), ("n(X,Y,Z)", true), ("n(X,X,Z)", false), ("n(X,Y,X)", true), ("n(X,a,Z)", false)]
                [..],
        ),
        ("p", &[("p(X,Y)", true), ("p(X,X)", false), ("p(X,1)", false)]),
        ("q", &[("p(X,X)", true), ("p([A|X],[A|X])", true), ("p([A],[b])", false)]),
        ("list(int)", &[("[1|X]", true), ("[X,X|Y]", true), ("[a|X]", false), ("[1|2]", false)]),
        ("gnd", &[("f(X)", true), ("X", true)]),
        ("never", &[("X", false), ("f(X)", false)]),
    ] {
        for &(term, expected) in terms {
            let (mut session, _) = open(program, Options::default());
            let machine = &mut session.machine;
            let mut read = |text: &str| {
                let text = format!("{text} .");
                let mut parser = rtcheck::read::Parser::new(&text, 0, machine.flags);
                let read = parser.read(&mut machine.store, &mut machine.atoms, &machine.operators);
                read.expect("it is a term").expect("it is there").term
            };
            let (regtype_term, term_cell) = (read(regtype), read(term));
            let regtype_term = machine.store.deref(regtype_term);
            let expression =
                rtcheck::regtype::TypeExpression::read(&machine.store, regtype_term, 0, &|_| None)
                    .expect("a type");
            let id = machine.types.resolve(&machine.atoms, &expression).expect("it is regular");
            let found = rtcheck::check::compatible(&machine.store, &machine.types, term_cell, id);
            assert_eq!(found, expected, "{regtype} {term}");
        }
    }
}

fn random_goal(random: &mut Random, variable: &str) -> String {
    match random.below(8) {
        0 => format!("int({variable})"),
        1 => format!("atm({variable})"),
        2 => format!("gnd({variable})"),
        3 => format!("{variable} = a"),
        4 => format!("list(t{}, {variable})", random.below(5)),
        _ => format!("t{}({variable})", random.below(5)),
    }
}

/// Random definitions of types t0 to t4 over a few functors. Of the same term they only name later types, so that
/// proofs end.
fn random_definitions(random: &mut Random) -> String {
    let mut text = String::new();
    for name in 0..5 {
        text.push_str(&format!(":- regtype t{name}/1.\n"));
        for _ in 0..=random.below(4) {
            let (first, second, third) =
                (random_goal(random, "X"), random_goal(random, "Y"), random_goal(random, "X"));
            let later =
                if name == 4 { "int".to_owned() } else { format!("t{}", name + 1 + random.below(4 - name)) };
            let clause = match random.below(10) {
                0 => format!("t{name}(a)"),
                1 => format!("t{name}([])"),
                2 => format!("t{name}(X) :- int(X)"),
                3 => format!("t{name}(X) :- {later}(X)"),
                4 => format!("t{name}(f(X)) :- {first}"),
                5 => format!("t{name}(f(a))"),
                6 => format!("t{name}(g(X,Y)) :- {first}, {second}"),
                7 => format!("t{name}([X|Y]) :- {first}, {second}"),
                8 => format!("t{name}(g(X,Y)) :- ( {first} ; {third} ), t{name}(Y)"),
                _ => format!("t{name}(X) :- list(X), {later}(X)"),
            };
            text.push_str(&clause);
            text.push_str(".\n");
        }
    }
    text
}

fn random_term(random: &mut Random, depth: u64) -> String {
    match random.below(if depth == 0 { 4 } else { 9 }) {
        0 => "a".to_owned(),
        1 => "b".to_owned(),
        2 => "[]".to_owned(),
        3 => "1".to_owned(),
        4 => format!("f({})", random_term(random, depth - 1)),
        5 | 6 => format!("g({},{})", random_term(random, depth - 1), random_term(random, depth - 1)),
        _ => format!("[{}|{}]", random_term(random, depth - 1), random_term(random, depth - 1)),
    }
}

/// The automaton against the clauses: a ground term has the type exactly if the predicate succeeds.
#[test]
fn automata_accept_what_the_clauses_prove() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let (mut native, mut holding) = (0, 0);
    for _ in 0..200 {
        let definitions = random_definitions(&mut random);
        let terms: Vec<String> = (0..40).map(|_| random_term(&mut random, 4)).collect();
        let (mut session, _) = open(&definitions, Options::default());
        for name in ["t0", "t1"] {
            let machine = &mut session.machine;
            let atom = machine.atoms.intern(name);
            let expression = rtcheck::regtype::TypeExpression::Applied(atom, Vec::new());
            let Ok(id) = machine.types.resolve(&machine.atoms, &expression) else { continue };
            native += 1;
            for term in &terms {
                let text = format!("{name}({term}) .");
                let mut parser = rtcheck::read::Parser::new(&text, 0, machine.flags);
                let read = parser.read(&mut machine.store, &mut machine.atoms, &machine.operators);
                let goal = machine.store.deref(read.expect("a term").expect("it is there").term);
                let argument = machine.store.argument(goal, 0);
                let site = rtcheck::check::Site(0);
                let checked = machine.checker.check(&machine.store, &machine.types, argument, id, site);
                let proved = matches!(machine.run(goal), RunOutcome::Succeeded);
                assert_eq!(checked, proved, "{definitions}{text}");
                holding += u32::from(checked);
            }
        }
    }
    assert!(native > 100 && holding > 500, "{native} {holding}");
}
