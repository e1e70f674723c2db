//! What is wrong with a text is reported at its place, and nothing makes the front end give up.

use std::sync::Arc;

use cache_core::worker::Cancel;
use ivl_verifier::base::source::Sources;
use ivl_verifier::base::system::OperatingSystem;
use ivl_verifier::service::Verifier;
use ivl_verifier::smt::term::{Bound, Function, Op, Quantifier, Query, Sort, Term};
use ivl_verifier::smt::wire;
use proptest::prelude::*;

use crate::command::{run, write};
use crate::laws;
use crate::support::{Session, options};

pub(crate) fn check(program: &str, expected: &str) {
    let seen = Session::from_scratch().verify("p.bpl", program);
    assert_eq!(seen.text, expected);
    assert!(seen.reports.is_empty());
}

/// What was checked is verified as it is, also when its text is gone.
#[test]
fn a_program_that_was_checked_is_verified_without_its_text() {
    let text = "procedure P(x: int) { assert x < 1; }\nprocedure Q() { assert 1 < 2; }\n";
    let verdicts = |gone: bool| {
        let mut sources = Sources::default();
        let files = [sources.add("p.bpl", text)];
        let mut verifier = Verifier::new(options(), None, Arc::new(OperatingSystem::new()));
        let snapshot = if gone {
            let checked = verifier.check(&sources, &files);
            assert!(!checked.is_broken());
            drop(sources);
            verifier.verify_checked(checked, &Cancel::new(), |_| {})
        } else {
            verifier.verify(&sources, &files, &Cancel::new(), |_| {})
        };
        let told = snapshot.reports.iter().map(|it| (it.name.clone(), it.verdict.clone(), it.errors.clone()));
        told.collect::<Vec<_>>()
    };
    let told = verdicts(true);
    assert_eq!(told, verdicts(false));
    assert_eq!(told.iter().map(|(_, _, errors)| errors.len()).collect::<Vec<_>>(), [1, 0]);
}

#[test]
fn several_mistakes_of_one_kind_are_reported_in_one_run() {
    check(
        "procedure P();\nimplementation P() {\n  x := 1;\n  assert y;\n}\n",
        "p.bpl(3,2): Error: undeclared identifier: x\np.bpl(4,9): Error: undeclared identifier: y\n2 name resolution errors detected in p.bpl\n",
    );
    check(
        "procedure P();\nimplementation P() {\n  assert 1 + true == 2;\n  assert 3;\n}\n",
        "p.bpl(3,11): Error: invalid argument types (int and bool) to binary operator +\np.bpl(4,2): Error: an asserted expression must be of type bool (got: int)\n2 type checking errors detected in p.bpl\n",
    );
}

#[test]
fn mistakes_are_told_in_the_order_in_which_boogie_goes_through_a_program() {
    // Names are entered first, then types are resolved, then all else is, and conditions of global variables last.
    check(
        "var v: int where p;\nprocedure P() { assert x; }\naxiom y;\nvar v: int;\ntype T = U;\nprocedure P();\ntype {:a z} W;\n",
        "p.bpl(4,4): Error: more than one declaration of variable name: v\n\
         p.bpl(6,10): Error: more than one declaration of procedure name: P\n\
         p.bpl(5,9): Error: undeclared type: U (replacing with \"bool\" to continue resolving)\n\
         p.bpl(7,9): Error: undeclared identifier: z\n\
         p.bpl(2,23): Error: undeclared identifier: x\n\
         p.bpl(3,6): Error: undeclared identifier: y\n\
         p.bpl(1,17): Error: undeclared identifier: p\n\
         7 name resolution errors detected in p.bpl\n",
    );
    check(
        "procedure P() { assert 1; }\naxiom 2;\nprocedure Q() requires 3; { assert 4; }\nvar v: int where 5;\n",
        "p.bpl(1,16): Error: an asserted expression must be of type bool (got: int)\n\
         p.bpl(2,0): Error: axioms must be of type bool\n\
         p.bpl(3,14): Error: preconditions must be of type bool\n\
         p.bpl(3,28): Error: an asserted expression must be of type bool (got: int)\n\
         p.bpl(4,4): Error: where clauses must be of type bool\n\
         5 type checking errors detected in p.bpl\n",
    );
}

#[test]
fn names_of_arguments_are_looked_up_before_those_of_results() {
    check(
        "procedure P(x: int) returns (y: int, z: int);\nprocedure Q() {\n  var v: int;\n  call a, v := P(b);\n  call v, v := P(c);\n}\n",
        "p.bpl(4,17): Error: undeclared identifier: b\n\
         p.bpl(4,7): Error: undeclared identifier: a\n\
         p.bpl(5,17): Error: undeclared identifier: c\n\
         p.bpl(5,2): Error: left-hand side of call command contains variable twice: v\n\
         4 name resolution errors detected in p.bpl\n",
    );
}

#[test]
fn nothing_is_said_of_arguments_that_a_type_cannot_have() {
    check(
        "type C a; type S a = [a]int; var x: S (C); var y: S C C; var z: D (C);\n\
         var w: C (C) C; var v: <a>[a](a C); var u: C (C);\n",
        "p.bpl(1,39): Error: type constructor received wrong number of arguments: C\n\
         p.bpl(1,50): Error: type synonym received wrong number of arguments: S\n\
         p.bpl(1,64): Error: undeclared type: D (replacing with \"bool\" to continue resolving)\n\
         p.bpl(2,7): Error: type constructor received wrong number of arguments: C\n\
         p.bpl(2,30): Error: type variables must not be applied to arguments: a\n\
         p.bpl(2,46): Error: type constructor received wrong number of arguments: C\n\
         6 name resolution errors detected in p.bpl\n",
    );
}

#[test]
fn jumps_are_told_where_their_body_ends() {
    check(
        "procedure P() { goto A; }\nprocedure Q() { x := ; goto B; C: assert true; }\nprocedure R() { goto D; }\naxiom 1 +;\nprocedure S() { break; }\n",
        "p.bpl(1,17): error: Error: goto label 'A' is undefined\n\
         p.bpl(2,22): error: invalid UnaryExpression\n\
         p.bpl(2,24): error: Error: goto label 'B' is undefined\n\
         p.bpl(3,17): error: Error: goto label 'D' is undefined\n\
         p.bpl(4,10): error: invalid UnaryExpression\n\
         p.bpl(5,17): error: Error: break statement is not inside a loop\n\
         6 parse errors detected in p.bpl\n",
    );
}

#[test]
fn a_directive_names_the_place_of_the_next_line() {
    check(
        "#line 40 q.dfy\naxiom x;\n#if A\n#endif\naxiom\n #line4;\n/*\n#line 7\n*/axiom y;\n",
        "q.dfy(40,6): Error: undeclared identifier: x\nq.dfy(44,1): Error: undeclared identifier: #line4\nq.dfy(7,8): Error: undeclared identifier: y\n3 name resolution errors detected in p.bpl\n",
    );
}

/// A mark of the encoding is no column, and `-useBaseNameForFileName` is about names that were given as files.
#[test]
fn places_are_told_where_boogie_tells_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let base = ["boogie", "-useBaseNameForFileName"];
    write(folder.path(), "p.bpl", "\u{feff}procedure P() { assert false; }\n");
    let (text, _) = run(folder.path(), &[&base[..], &["./p.bpl"]].concat());
    assert!(text.starts_with("p.bpl(1,17): Error"), "{text}");
    write(folder.path(), "q.bpl", "#line 5 /a/b.c\nprocedure P() { assert false; }\n");
    let (text, _) = run(folder.path(), &[&base[..], &["./q.bpl"]].concat());
    assert!(text.starts_with("b.c(5,17): Error") && text.contains("    /a/b.c(5,17): anon0\n"), "{text}");
    write(folder.path(), "r.bpl", "#line 5 /a/b.c\naxiom x;\n");
    let (text, _) = run(folder.path(), &[&base[..], &["./r.bpl"]].concat());
    assert!(text.starts_with("/a/b.c(5,6): Error"), "{text}");
}

#[test]
fn what_is_to_be_ignored_has_a_name_and_says_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "axiom {:ignore} false;\n\
        axiom {:ignore \"no\"} two == 2;\n\
        axiom {:ignore} nobody;\n\
        const two: int;\n\
        function {:ignore} f(): int { nobody }\n\
        procedure {:ignore} P() { assert false; }\n\
        procedure Q() { assert two == 2; assert f() == 3; }\n\
        procedure R();\n\
        implementation {:ignore true} R() { assert nobody; }\n\
        implementation {:ignore false} R() { assert false; }\n";
    write(folder.path(), "p.bpl", text);
    let (text, _) = run(folder.path(), &["boogie", "-errorTrace:0", "p.bpl"]);
    let expected = "p.bpl(7,34): Error: this assertion could not be proved\n\
        p.bpl(10,38): Error: this assertion could not be proved\n\n\
        Boogie program verifier finished with 0 verified, 2 errors\n";
    assert_eq!(text, expected);
}

/// What others may use of an ignored declaration is its name and its type, and not what else it says; nor is that
/// remembered when the mark comes or goes.
#[test]
fn what_is_to_be_ignored_says_nothing_of_what_is_not() {
    let text = |mark: &str| {
        format!(
            "axiom {mark} false;\nconst {mark} unique a: T;\nconst unique b: T;\ntype T;\n\
             var {mark} g: int where g > 0;\nfunction {mark} {{:inline}} f(): int {{ 1 }}\n\
             function {mark} {{:define}} h(): int {{ 1 }}\n\
             procedure P() {{ assert a != b; }}\nprocedure Q() {{ assert g > 0; }}\n\
             procedure R() {{ assert f() == 1; }}\nprocedure S() {{ assert h() == 1; }}\n"
        )
    };
    let ignored = text("{:ignore false} {:ignore}");
    let mut session = Session::in_memory();
    for (text, errors) in [(&ignored, 4), (&text(""), 0), (&ignored, 4)] {
        assert_eq!(session.verify("p.bpl", text).errors(), errors, "{text}");
    }
}

/// Control that jumps into a loop comes to its head, where its invariants are checked; the way there is a part of the
/// block that it leaves.
#[test]
fn a_loop_that_is_entered_in_its_middle_keeps_its_invariants() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "procedure P() {\n  var x: int;\n  x := 0;\n  if (*) { goto Inside; }\n\
        \x20 while (x < 10)\n    invariant x <= 10;\n  {\n    Inside: x := x + 1;\n  }\n  assert x == 10;\n}\n";
    write(folder.path(), "p.bpl", text);
    let (told, _) = run(folder.path(), &["boogie", "p.bpl"]);
    assert_eq!(told, "\nBoogie program verifier finished with 1 verified, 0 errors\n");
    let entered = text.replace("if (*)", "assume x == 0;\n  if (true)").replace("== 10;\n}", "== 11;\n}");
    write(folder.path(), "p.bpl", &entered);
    let (told, _) = run(folder.path(), &["boogie", "p.bpl"]);
    assert!(told.contains("anon4_Then\n") && !told.contains(": Inside\n"), "{told}");
}

#[test]
fn variables_that_take_the_parts_of_a_datatype_have_their_types() {
    let datatype = "datatype L<T> { Nil(), Cons(head: T, tail: L T) }\n";
    let body = |variable: &str| {
        format!("{datatype}procedure P(l: L int) {{ var h: {variable}; var t: L int; Cons(h, t) := l; }}\n")
    };
    check(
        &body("bool"),
        "p.bpl(2,59): Error: invalid type for argument 1 in application of Cons: L int (expected: L bool)\n1 type checking errors detected in p.bpl\n",
    );
    let seen = Session::from_scratch().verify("p.bpl", &body("int"));
    assert!(
        seen.text.starts_with("p.bpl(2,62): Error: the precondition for unpack could not be proved\n"),
        "{}",
        seen.text
    );
}

/// One mistake for each line, told in the words and at the columns of Boogie 2.4.1.
#[test]
fn mistakes_are_told_in_the_words_of_boogie() {
    let front = "function f(x: int): bool; procedure Q(a: int, b: bool) returns (r: int);\n";
    let names = [
        (
            "axiom (forall x: int :: {x} f(x));",
            "25: a matching pattern must be more than just a variable by itself: x",
        ),
        (
            "axiom (forall x: int :: {f(x) && f(x)} f(x));",
            "30: boolean operators are not allowed in triggers",
        ),
        ("axiom (forall x: int :: {!f(x)} f(x));", "25: boolean operators are not allowed in triggers"),
        ("axiom (forall x: int :: {x == 3} f(x));", "27: equality is not allowed in triggers"),
        ("axiom (forall x: int :: {x < 3} f(x));", "27: arithmetic comparisons are not allowed in triggers"),
        (
            "axiom (forall x: int :: {(forall y: int :: f(y+x))} f(x));",
            "26: quantifiers are not allowed in triggers",
        ),
        (
            "axiom (forall x: int, y: int :: {f(x), f(y)} {f(x)} f(x));",
            "45: trigger must mention all quantified variables, but does not mention: y",
        ),
        ("axiom (forall x: int :: {f(q)} f(x));", "27: undeclared identifier: q"),
        ("axiom (forall x: int, x: bool :: true);", "22: more than one declaration of variable name: x"),
        ("function h(x: int, x: int): int;", "19: more than one declaration of variable name: x"),
        ("procedure P() { call R(1); }", "16: call to undeclared procedure: R"),
        ("procedure P() { call Q(1, true); }", "16: wrong number of result variables in call to Q: 0"),
        (
            "procedure P(i: int) { var r: int; call r := Q(1); }",
            "34: wrong number of arguments in call to Q: 1",
        ),
        (
            "procedure P() { var {:assumption} z: bool where z; }",
            "34: assumption variable may not be declared with a where clause",
        ),
        (
            "procedure P() { var {:assumption} z: bool; z := true; }",
            "45: RHS of assignment to assumption variable z must match expression \"z && <boolean expression>\"",
        ),
        (
            "procedure P() { var {:assumption} z: bool; z := z && true; z := z && true; }",
            "61: assumption variable may not be assigned to more than once",
        ),
    ];
    let types = [
        ("procedure P() { assume 1; }", "16: an assumed expression must be of type bool (got: int)"),
        ("procedure P(x: int) returns (y: int) { y := x[1]; }", "44: map select applied to a non-map: x"),
        (
            "procedure P() { var m: [int]int; m[1][2] := 3; }",
            "34: map assignment applied to a non-map: Microsoft.Boogie.MapAssignLhs",
        ),
        (
            "procedure P(x: int) { assert x[3:1] == 3bv2; }",
            "30: extract operand must be a bitvector of at least 2 bits (got int)",
        ),
    ];
    for (table, kind) in [(&names[..], "name resolution"), (&types[..], "type checking")] {
        for (program, expected) in table {
            let (column, message) = expected.split_once(": ").expect("a column and a message");
            let expected =
                format!("p.bpl(2,{column}): Error: {message}\n1 {kind} errors detected in p.bpl\n");
            check(&format!("{front}{program}\n"), &expected);
        }
    }
    // The test of a loop is assumed, and its negation stands nowhere.
    check(
        "procedure P() { while (2) invariant 3; { } }\n",
        "p.bpl(1,26): Error: an asserted expression must be of type bool (got: int)\n\
         p.bpl(1,16): Error: an assumed expression must be of type bool (got: int)\n\
         (0,-1): Error: invalid argument type (int) to unary operator !\n\
         3 type checking errors detected in p.bpl\n",
    );
}

#[test]
fn deep_nesting_is_answered_or_refused_with_a_position() {
    let nested = |depth: usize| {
        format!(
            "procedure P();\nimplementation P() {{ assert {}true{}; }}\n",
            "(".repeat(depth),
            ")".repeat(depth)
        )
    };
    let answered = |program: &str| {
        let seen = Session::from_scratch().verify("p.bpl", program);
        assert_eq!((seen.text.as_str(), seen.errors(), seen.reports.len()), ("", 0, 1));
    };
    answered(&nested(1000));
    let around = |open: &str, inner: &str, close: &str| open.repeat(1000) + inner + &close.repeat(1000);
    let choice = around("(if x then ", "x", " else true)");
    answered(&format!("procedure P(x: bool) {{ assert !x || {choice}; }}\n"));
    let map = around("[int]", "int", "");
    answered(&format!("procedure Q(x: {map});\nprocedure P(x: {map}) {{ call Q(x); }}\n"));
    answered(&format!("procedure P() {{ {} }}\n", around("if (*) { ", "", "}")));
    answered(&format!("procedure P() {{ {} }}\n", around("while (*) { ", "", "}")));
    answered(&format!("procedure P(x: bool) {{ assert x ==> {}; }}\n", around("!", "x", "")));
    answered(&format!("procedure P(x: bool) {{ assume {}; }}\n", around("(forall y: int :: ", "x", ")")));
    answered(&format!("procedure P(x: int) {{ assume {} == x; }}\n", around("(var y := x; ", "y", ")")));
    let refused = Session::from_scratch().verify("p.bpl", &nested(5000));
    assert!(refused.text.starts_with("p.bpl(2,"), "{}", refused.text);
    assert!(refused.text.contains("nested too deeply"), "{}", refused.text);
    let blocks = format!("procedure P() {{ {} {} }}", "if (*) {".repeat(5000), "}".repeat(5000));
    assert!(Session::from_scratch().verify("p.bpl", &blocks).text.contains("nested too deeply"));
}

#[test]
fn long_chains_of_operators_are_no_nesting() {
    let sum = vec!["x"; 5_000].join(" + ");
    let program = format!("procedure P(x: int);\nimplementation P(x: int) {{ assert {sum} == 5000 * x; }}\n");
    let seen = Session::from_scratch().verify("p.bpl", &program);
    assert_eq!((seen.text.as_str(), seen.errors()), ("", 0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_answered(text in "\\PC{0,80}") {
        laws::program(&text);
    }

    #[test]
    fn any_tokens_are_answered(words in proptest::collection::vec(proptest::sample::select(vec![
        "procedure", "implementation", "P", "(", ")", "{", "}", ";", ":", "int", "var", "x", "assert", "forall", "::",
        "[", "]", ":=", "if", "else", "while", "invariant", "1", "+", "==", "==>", "type", "<", ">", "axiom", "{:", "call",
        "hide", "*", "reveal", "push", "pop", "hideable", "uses", "function",
    ]), 0..60)) {
        laws::program(&words.join(" "));
    }

    #[test]
    fn any_expression_is_printed_so_that_it_reads_back(expr in expression()) {
        laws::program(&format!("axiom {expr};\nprocedure P() {{ assert {expr}; x[{expr}] := {expr}; }}\n"));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        laws::bytes(&bytes);
    }
}

/// Each byte of a query replaced by other ways to write the same and by other values: what is still read has
/// exactly one form.
#[test]
fn a_query_has_one_form() {
    let mut query = Query { error_limit: 5, ..Query::default() };
    query.options.push(("smt.mbqi".to_owned(), "false".to_owned()));
    let int = query.sorts.push(Sort::Int);
    let f = query.functions.push(Function {
        name: "f".to_owned(),
        arguments: vec![int],
        result: int,
        anchored: false,
    });
    let seven = query.terms.push(Term::Int(7.into()));
    let bound = Bound { name: "x".to_owned(), level: 0, sort: int };
    let x = query.terms.push(Term::Bound(bound.clone()));
    let applied = query.terms.push(Term::Apply(f, vec![x]));
    let equal = query.terms.push(Term::Op(Op::Eq, vec![applied, seven]));
    let all = query.terms.push(Term::Quantifier(Box::new(Quantifier {
        universal: true,
        bound: vec![bound],
        triggers: vec![vec![applied]],
        no_triggers: vec![],
        weight: 1,
        body: equal,
    })));
    query.background.push(all);
    let bytes = wire::write(&query);
    assert!(wire::read(&bytes).is_ok(), "{bytes:?}");
    for at in 0..bytes.len() {
        let put = |with: &[u8]| [&bytes[..at], with, &bytes[at + 1..]].concat();
        // The same number in two bytes, in ten, and with bits that no number holds.
        laws::bytes(&put(&[bytes[at] | 0x80, 0]));
        laws::bytes(&put(&[&[bytes[at] | 0x80], [0x80; 8].as_slice(), &[0]].concat()));
        laws::bytes(&put(&[&[bytes[at] | 0x80], [0x80; 8].as_slice(), &[2]].concat()));
        for other in 0..=u8::MAX {
            laws::bytes(&put(&[other]));
        }
    }
}

/// Expressions with every operator, with and without parentheses.
fn expression() -> impl Strategy<Value = String> {
    let leaf =
        proptest::sample::select(vec!["x", "1", "true", "2.5", "3bv8", "f(x)", "f()", "0.25e3", "\\old"]);
    leaf.prop_map(str::to_owned).prop_recursive(5, 40, 3, |inner| {
        let operator = proptest::sample::select(vec![
            "<==>", "==>", "<==", "&&", "||", "==", "!=", "<", "<=", ">", ">=", "++", "+", "-", "*", "div",
            "mod", "/", "**",
        ]);
        prop_oneof![
            (inner.clone(), operator.clone(), inner.clone())
                .prop_map(|(a, op, b)| format!("({a}) {op} ({b})")),
            (inner.clone(), operator.clone(), inner.clone()).prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            inner.clone().prop_map(|a| format!("!{a}")),
            inner.clone().prop_map(|a| format!("-({a})")),
            inner.clone().prop_map(|a| format!("old({a})")),
            inner.clone().prop_map(|a| format!("int({a})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a})[{b}]")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a})[{b}, x := {b}]")),
            inner.clone().prop_map(|a| format!("({a})[4:2]")),
            inner.clone().prop_map(|a| format!("({a})->g")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a})->(g := {b})")),
            inner.clone().prop_map(|a| format!("(({a}) is C)")),
            inner.clone().prop_map(|a| format!("(({a}) : int)")),
            (inner.clone(), inner.clone(), inner.clone())
                .prop_map(|(a, b, c)| format!("(if {a} then {b} else {c})")),
            (inner.clone(), inner.clone())
                .prop_map(|(a, b)| format!("(forall <a> y: a, z: [int]bool :: {{:w {a}}} {{ f(x) }} {b})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("(var y := {a}; {b})")),
        ]
    })
}
