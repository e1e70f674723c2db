//! The partial order of values and constants that say what is above them, as programs had it before Boogie 3.

use crate::command::{run, write};

fn said(text: &str, options: &[&str]) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", text);
    let arguments: Vec<&str> =
        ["boogie", "-errorTrace:0"].iter().chain(options).copied().chain(["p.bpl"]).collect();
    run(folder.path(), &arguments).0
}

/// Classes with their bases, some below edges that are apart, some complete.
const CLASSES: &str = "type Class;\n\
    const unique Object: Class extends;\n\
    const unique Shape: Class extends unique Object complete;\n\
    const unique Text: Class extends unique Object;\n\
    const unique Round, Square: Class extends Shape;\n\
    function kind(n: int): Class;\n";

#[test]
fn values_are_ordered_and_constants_say_how() {
    let text = format!(
        "{CLASSES}\
        procedure P(c, d: Class, n: int) {{\n\
        assert c <: c && (c <: d && d <: c ==> c == d);\n\
        assert Round <: Shape && Square <: Object && !(Object <: Shape);\n\
        assert Object <: c ==> c == Object;\n\
        assert c <: Shape ==> !(c <: Text);\n\
        assert kind(n) <: Shape && kind(n) != Shape ==> kind(n) <: Round || kind(n) <: Square;\n\
        assert Round <: c && c <: Shape ==> c == Round || c == Shape;\n\
        assert (forall e: Class :: e <: Round ==> e <: Object);\n\
        assert 3 <: 3 && (forall x, y, z: int :: x <: y && y <: z ==> x <: z);\n\
        assert c <: Round ==> !(c <: Square);\n\
        }}\n\
        procedure Q<T>(x, y: [T]T) {{ assert x <: y && y <: x ==> x == y; assert x <: y; }}\n"
    );
    let expected = "p.bpl(16,1): Error: this assertion could not be proved\n\
        p.bpl(18,66): Error: this assertion could not be proved\n\n\
        Boogie program verifier finished with 0 verified, 2 errors\n";
    for options in [&[][..], &["-prune:1"], &["-useArrayAxioms"]] {
        assert_eq!(said(&text, options), expected, "{options:?}");
    }
}

/// What is no order is told, and nothing is proved from it.
#[test]
fn what_is_wrong_with_an_order_is_told() {
    let text = "type t; const a: t extends a; const b: t extends nobody; const c: t extends d, d; const d: t;\n\
        var g: t; const e: t extends g; const f: t extends h; const h: t extends f;\n\
        procedure P() { assert false; }\n";
    let expected = "p.bpl(1,27): Error: constant cannot be its own parent\n\
        p.bpl(1,49): Error: undeclared identifier: nobody\n\
        p.bpl(1,79): Error: d occurs more than once as parent\n\
        p.bpl(2,29): Error: the parent of a constant has to be a constant\n\
        p.bpl(2,51): Error: the constants above f lead back to it\n\
        p.bpl(2,73): Error: the constants above h lead back to it\n\
        6 name resolution errors detected in p.bpl\n";
    assert_eq!(said(text, &[]), expected);
    let text =
        "type t; const a: int extends b; const b: t;\nprocedure P() { assert 3 <: true; assert 1 <: 2; }\n";
    let expected = "p.bpl(1,29): Error: parent of constant has incompatible type (t instead of int)\n\
        p.bpl(2,25): Error: invalid argument types (int and bool) to binary operator <:\n\
        2 type checking errors detected in p.bpl\n";
    assert_eq!(said(text, &[]), expected);
}

#[test]
fn an_order_is_printed_as_it_was_written() {
    let text = "type t; const unique a, b: t extends; const c: t extends a, unique b complete;\n\
        axiom (a <: b || b <: c) && (b <: c) == (c <: b);\n";
    let printed = said(text, &["-noVerify", "-env:0", "-print:-"]);
    for line in [
        "const unique a: t extends;\n",
        "const unique b: t extends;\n",
        "const c: t extends a, unique b complete;\n",
        "axiom (a <: b || b <: c) && (b <: c) == (c <: b);\n",
    ] {
        assert!(printed.contains(line), "{line}: {printed}");
    }
    let (program, _) = printed.split_once("\nBoogie program verifier").expect("a summary");
    assert_eq!(said(program, &["-noVerify", "-env:0", "-print:-"]), printed);
}

/// Names that came to be types later are what a program declares under them.
#[test]
fn a_program_may_declare_types_that_are_built_in_now() {
    let text = "type string = [int]bv8; type regex; type rmode = int;\n\
        procedure P(s: string, r: regex, m: rmode) {\n\
        assert s[0 := 3bv8][0] == 3bv8 && r == r && m < m + 1;\n\
        assert s[0] == 3bv8;\n\
        }\n";
    let expected = "p.bpl(4,1): Error: this assertion could not be proved\n\n\
        Boogie program verifier finished with 0 verified, 1 error\n";
    assert_eq!(said(text, &[]), expected);
}

/// What proves everything is warned of: nothing is between a constant and its parents, and one of these parents is.
#[test]
fn a_parent_beside_what_is_above_it_is_warned_of() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "type C;\nconst unique Top: C;\nconst unique Middle: C extends Top;\n\
        const unique Low: C extends Middle;\nconst unique Bottom: C extends Low, Top;\n\
        const unique Twice: C extends Middle, Low;\nconst unique Fine: C extends Low;\n\
        procedure P() { assert Bottom <: Top && 1 == 2; }\n";
    write(folder.path(), "p.bpl", text);
    let told = run(folder.path(), &["verify", "p.bpl"]).0;
    let warnings: Vec<&str> = told.lines().filter(|line| line.contains("warning")).collect();
    let above = "nothing is between a constant and what it extends, so everything can be proved";
    assert_eq!(
        warnings,
        [
            format!("warning: Bottom extends Low and Top, which is above Low: {above}"),
            format!("warning: Twice extends Low and Middle, which is above Low: {above}"),
        ],
        "{told}"
    );
    let expected = "\nBoogie program verifier finished with 1 verified, 0 errors\n";
    assert_eq!(said(text, &[]), expected);
}

/// A warning about something else does not take what is known of the order away.
#[test]
fn an_order_is_known_beside_a_warning() {
    let text = "type C; type D _; const a: C; const b: C extends a; function e<A>(): D A;\n\
        axiom (forall x: int :: e() == e());\nprocedure P() { assert b <: a; }\n";
    let told = said(text, &[]);
    assert!(told.contains("Warning") && told.contains("1 verified, 0 errors"), "{told}");
}
