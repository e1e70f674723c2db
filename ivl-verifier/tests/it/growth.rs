//! Types that need ever larger ones, which come to an end, and such as only look like it.

use crate::command::{run, write};

/// Functions whose bodies apply them to ever larger types have no end of instances: the first ones are defined. A
/// datatype of that kind has no sort.
#[test]
fn what_needs_itself_at_ever_larger_types_comes_to_an_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "type V a;\nfunction c<a>(x: a): V a;\n\
        function f<a>(x: a, n: int): int { if n <= 0 then 7 else g(c(x), n - 1) }\n\
        function g<a>(x: a, n: int): int { if n <= 0 then 8 else f((lambda i: int :: x), n - 1) + f(x, 0) }\n\
        function h<a>(x: a): [int]bool { (lambda i: int :: h(c(x))[i]) }\n\
        procedure P(n: int) {\n\
        assert f(3, 0) == 7 && f(true, 1) == 8 && f(3, 2) == 14;\n\
        assert h(3)[2] == h(c(3))[2];\n\
        assert f(3, n) == 7;\n\
        }\n";
    write(folder.path(), "p.bpl", text);
    let (printed, _) = run(folder.path(), &["boogie", "-errorTrace:0", "p.bpl"]);
    let expected = "p.bpl(9,1): Error: this assertion could not be proved\n\n\
        Boogie program verifier finished with 0 verified, 1 error\n";
    assert_eq!(printed, expected);
    let text = "datatype D<T> { C(x: D [int]T), N() }\n\
        datatype E<T, U> { C2(x: E U [int]int), N2() }\n\
        procedure P(d: D int) { assert d is C || d is N; }\n\
        procedure Q(e: E bool bool) { assert e is C2 || e is N2; }\n";
    write(folder.path(), "q.bpl", text);
    let (printed, _) = run(folder.path(), &["boogie", "q.bpl"]);
    assert!(printed.starts_with("q.bpl(3,11): Verification inconclusive (P)\n"), "{printed}");
    assert!(printed.contains("finished with 1 verified, 0 errors, 1 inconclusive"), "{printed}");
}

/// One container of many types is no growth, nor is a function that passes its type parameters on; and what a long
/// chain leaves undefined is defined where it is needed itself.
#[test]
fn what_has_many_instances_and_an_end_is_not_cut_off() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut text = "datatype List<T> { Nil(), Cons(head: T, tail: List T) }\n\
        datatype Opt<T> { None(), Some(x: T) }\n"
        .to_owned();
    for number in 1..8 {
        text += &format!("datatype A{number} {{ M{number}(x: List A{}) }}\n", number + 1);
    }
    text += "datatype A8 { M8(x: List (Opt int)) }\n\
        procedure P(a: A1) { assert a is M1; assert a->x is Nil || a->x is Cons; }\n";
    write(folder.path(), "p.bpl", &text);
    let (printed, _) = run(folder.path(), &["boogie", "p.bpl"]);
    assert_eq!(printed, "\nBoogie program verifier finished with 1 verified, 0 errors\n");
    let needed: Vec<String> =
        (4..9).map(|times| format!("g({}3{}) == 7", "c(".repeat(times), ")".repeat(times))).collect();
    let needed = needed.join(" && ");
    let text = format!(
        "type V a;\nfunction c<a>(x: a): V a;\n\
        function f<a>(x: a, n: int): int {{ if n <= 0 then 7 else f(c(x), n - 1) }}\n\
        function g<a>(x: a): int {{ f(x, 0) }}\n\
        procedure P() {{ assert f(3, 0) == 7; assert {needed}; }}\n\
        procedure Q() {{ assert {needed}; assert f(3, 0) == 7; }}\n"
    );
    write(folder.path(), "q.bpl", &text);
    let (printed, _) = run(folder.path(), &["boogie", "q.bpl"]);
    assert_eq!(printed, "\nBoogie program verifier finished with 2 verified, 0 errors\n");
}

/// The very same expression may stand at the end of a chain, where what it needs is left undefined, and elsewhere.
#[test]
fn what_a_chain_leaves_undefined_is_defined_where_the_same_expression_needs_it() {
    let folder = tempfile::tempdir().expect("a folder");
    for depth in 4..8 {
        let ty = (0..depth).fold("int".to_owned(), |ty, _| format!("V ({ty})"));
        let text = format!(
            "type V a;\nfunction e<a>(): a;\nfunction {{:inline}} i<a>(x: a): int {{ f(x, 0) }}\n\
             function f<a>(x: a, n: int): int {{ if n <= 0 then 7 else i((e(): V a)) }}\n\
             function k<b>(y: b): int {{ f((e(): {ty}), 0) }}\nfunction l<b>(y: b): int {{ i((e(): {ty})) }}\n\
             procedure P() {{ assert k(true) == 7; assert f(3, 1) == 7; }}\n\
             procedure Q() {{ assert f(3, 1) == 7; assert k(true) == 7; }}\n\
             procedure R() {{ assert f(3, 1) == 7; assert l(true) == 7; }}\n"
        );
        write(folder.path(), "p.bpl", &text);
        let (printed, _) = run(folder.path(), &["boogie", "p.bpl"]);
        assert_eq!(printed, "\nBoogie program verifier finished with 3 verified, 0 errors\n", "{depth}");
    }
}
