//! Numbers that front ends give what they print. Constants whose value is assumed on entry are sent as that value, so a
//! program whose numbers move has the same queries as before.

use ivl_verifier::report::Verdict;
use ivl_verifier::smt::answer::Outcome;

use crate::command::{run, write};
use crate::support::Session;

/// A program in Dafny's manner: functions and methods have heights, axioms of functions hold below callers.
fn program(heights: [u32; 4]) -> String {
    let [f, g, a, b] = heights;
    format!(
        "const $Height: int;\nfunction f(x: int): int;\nfunction g(x: int): int;\n\
         axiom {f} <= $Height ==> (forall x: int :: {{f(x)}} {f} != $Height || x > 9 ==> f(x) == x + 1);\n\
         axiom {g} <= $Height ==> (forall x: int :: {{g(x)}} g(x) == f(f(x)));\n\
         procedure A(x: int);\n  free requires {a} == $Height;\n\
         implementation A(x: int) {{ assert {f} != $Height ==> f(x) > x; assert {g} < $Height ==> g(x) == x + 2; }}\n\
         procedure B(x: int);\n  free requires $Height == {b} && x > 0;\n\
         implementation B(x: int) {{ call A(x); assert f(x) == x + 1; assert f(x) > 1; }}\n"
    )
}

fn verdicts(seen: &crate::support::Seen) -> Vec<(&str, bool)> {
    let proved = |it: &Verdict| *it == Verdict::Decided(Outcome::Valid);
    seen.reports.iter().map(|it| (it.name.as_str(), proved(&it.verdict))).collect()
}

#[test]
fn numbers_that_move_together_cost_nothing() {
    let mut session = Session::in_memory();
    let first = session.verify("p.bpl", &program([3, 4, 5, 6]));
    assert_eq!(verdicts(&first), [("A", true), ("B", true)], "{}", first.text);
    assert_eq!(first.asked().len(), 2);
    // One is new between them, or far below; axioms come in the same order, whatever their texts are.
    for heights in [[3, 4, 6, 7], [3, 5, 7, 8], [103, 104, 105, 106], [0, 10, 200, 3000]] {
        let seen = session.verify("p.bpl", &program(heights));
        assert_eq!(seen.asked(), Vec::<&str>::new(), "{heights:?}: {}", seen.explanations);
        assert_eq!(verdicts(&seen), [("A", true), ("B", true)], "{heights:?}");
    }
}

#[test]
fn another_order_of_numbers_is_another_question() {
    let mut session = Session::in_memory();
    session.verify("p.bpl", &program([3, 4, 5, 6]));
    for (heights, expected) in [
        // The axiom of `f` does not hold at `B`.
        ([7, 4, 8, 6], [("A", true), ("B", false)]),
        // It holds, and says nothing of small numbers there.
        ([6, 4, 7, 6], [("A", true), ("B", false)]),
        // That of `g` holds at `A` no more, which does not ask for it then.
        ([3, 5, 5, 6], [("A", true), ("B", true)]),
        ([5, 6, 5, 9], [("A", true), ("B", true)]),
    ] {
        let seen = session.verify("p.bpl", &program(heights));
        let scratch = Session::from_scratch().verify("p.bpl", &program(heights));
        assert_eq!(verdicts(&seen), expected, "{heights:?}: {}", seen.text);
        assert_eq!(seen.text, scratch.text, "{heights:?}");
    }
}

#[test]
fn what_is_said_of_such_a_constant_elsewhere_still_counts() {
    for (text, proved) in [
        // The background says something else of it.
        ("const c: int; axiom c == 3; procedure P() requires c == 5; { assert false; }", true),
        (
            "const c: int; axiom c > 3; procedure P() requires c == 5; { assert c == 5; assert c == 3; }",
            false,
        ),
        ("const c, d: int; axiom d == c + 1; procedure P() requires c == 5; { assert d == 6; }", true),
        // It differs from others.
        ("const unique c, d: int; procedure P() requires c == 5; { assert d != 5; }", true),
        ("const unique c, d: int; procedure P() requires c == 5 && d == 5; { assert false; }", true),
        // Two values.
        ("const c: int; procedure P() requires c == 5; requires 6 == c; { assert false; }", true),
        // It is not assumed on every way, or not before what is checked.
        ("const c: int; procedure P(b: bool) requires b ==> c == 5; { assert c == 5; }", false),
        ("const c: int; procedure P(b: bool) { assert c == 5; assume c == 5; }", false),
        ("const c: int; procedure P(b: bool) { assume c == 5; assert c == 5; }", true),
        ("const c: int; procedure P(b: bool) { if (b) { assume c == 5; } assert c == 5; }", false),
        // Inside functions that are replaced by their bodies, and beside what is bound.
        (
            "const c: int; function {:inline} f(x: int): bool { x < c } function g(int): bool;\n\
             axiom (forall x: int :: {g(x)} g(x) <==> f(x));\n\
             procedure P() requires c == 5; { assert g(4) && !g(5); assert (exists y: int :: y == c && f(y - 1)); }",
            true,
        ),
        ("const c: int; procedure P() requires c == 5; { assert (lambda x: int :: x + c)[1] == 6; }", true),
    ] {
        let seen = Session::from_scratch().verify("p.bpl", text);
        assert_eq!(verdicts(&seen), [("P", proved)], "{text}\n{}", seen.text);
    }
}

#[test]
fn the_value_of_such_a_constant_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "const c: int;\nprocedure P(x: int) requires c == 5 && x > c; {\n\
        \x20 assume {:print \"c=\", c, \" c+1=\", c + 1} true; assert x == 0;\n}\n";
    write(folder.path(), "p.bpl", text);
    let (told, _) = run(folder.path(), &["boogie", "-enhancedErrorMessages:1", "p.bpl"]);
    assert!(told.contains("\nc=5 c+1=6\n"), "{told}");
    let (told, _) = run(folder.path(), &["boogie", "-printModel:1", "p.bpl"]);
    assert!(told.contains("\nc -> 5\n") && !told.contains("offset"), "{told}");
}

#[cfg(feature = "plant")]
#[test]
fn a_lie_about_numbers_is_found() {
    use crate::support::options;
    use ivl_verifier::base::plant::Fault;
    use ivl_verifier::service::Options;
    let text = "const c: int; function f(int): int; axiom 6 <= c ==> (forall x: int :: f(x) == x);
                procedure P() requires c == 5; { assert f(3) == 3; }";
    let errors = |options: Options| Session::with(options).verify("p.bpl", text).errors();
    assert_eq!(errors(options()), 1);
    assert_eq!(errors(Options { fault: Some(Fault::BlurNumbers), ..options() }), 0, "the lie is not told");
}
