//! Sequences in which a part is replaced, which not every solver can do.

use crate::command::{run, write};

const NAMES: &str = "type {:builtin \"Seq\"} S _;\n\
    function {:builtin \"seq.unit\"} one<T>(x: T): S T;\n\
    function {:builtin \"seq.++\"} cat<T>(a: S T, b: S T): S T;\n\
    function {:builtin \"seq.len\"} size<T>(a: S T): int;\n\
    function {:builtin \"seq.nth\"} nth<T>(a: S T, i: int): T;\n\
    function {:builtin \"seq.update\"} put<T>(a: S T, i: int, b: S T): S T;\n";

/// What is said of a program that begins with the names of sequences, in six lines, and has enough time.
fn said(text: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", &format!("{NAMES}{text}"));
    run(folder.path(), &["boogie", "-errorTrace:0", "-timeLimit:0", "-rlimit:20000000", "p.bpl"]).0
}

/// What is meant is said in other operations.
#[test]
fn a_part_of_a_sequence_is_replaced() {
    let printed = said(
        "procedure P(a: S int, i: int) requires 0 <= i && i < size(a); {\n\
        assert size(put(a, i, one(5))) == size(a);\n\
        assert nth(put(a, i, one(5)), i) == 5;\n\
        assert put(a, -1, one(5)) == a && put(a, size(a), one(5)) == a;\n\
        assert put(one(1), 0, cat(one(2), one(3))) == one(2);\n\
        assert put(cat(one(1), one(2)), 1, one(3)) == cat(one(1), one(3));\n\
        assert put(cat(one(1), one(2)), 1, one(3)) == cat(one(1), one(2));\n\
        }\n",
    );
    let expected = "p.bpl(13,1): Error: this assertion could not be proved\n\n\
        Boogie program verifier finished with 0 verified, 1 error\n";
    assert_eq!(printed, expected);
}

/// Elements beside those that are replaced stay, through one update and several, also in sequences of sequences; and
/// only these.
#[test]
fn what_is_not_replaced_stays() {
    let printed = said(
        "procedure P(a: S int, i, j, k: int) requires 0 <= k && k < size(a); {\n\
        var b: S int;\n\
        b := put(put(a, i, one(5)), j, cat(one(6), one(7)));\n\
        assert k != i && k != j && k != j + 1 ==> nth(b, k) == nth(a, k);\n\
        assert 0 <= j && k == j + 1 ==> nth(b, k) == 7;\n\
        assert size(b) == size(a);\n\
        assert k != i && k != j ==> nth(b, k) == nth(a, k);\n\
        }\n\
        procedure Swap(a: S int, i, j: int) returns (b: S int)\n\
        requires 0 <= i && i < size(a) && 0 <= j && j < size(a);\n\
        ensures nth(b, i) == nth(a, j) && nth(b, j) == nth(a, i);\n\
        ensures (forall k: int :: 0 <= k && k < size(a) && k != i && k != j ==> nth(b, k) == nth(a, k));\n\
        { b := put(a, i, one(nth(a, j))); b := put(b, j, one(nth(a, i))); }\n\
        procedure Deep(m: S (S int), i, j, k: int)\n\
        requires 0 <= i && i < size(m) && 0 <= k && k < size(m) && 0 <= j && j < size(nth(m, i));\n\
        { var n: S (S int); n := put(m, i, one(put(nth(m, i), j, one(5))));\n\
        assert nth(nth(n, i), j) == 5 && size(nth(n, i)) == size(nth(m, i));\n\
        assert i != k ==> nth(n, k) == nth(m, k);\n\
        assert nth(n, k) == nth(m, k);\n\
        }\n",
    );
    let expected = "p.bpl(13,1): Error: this assertion could not be proved\n\
        p.bpl(25,1): Error: this assertion could not be proved\n\n\
        Boogie program verifier finished with 1 verified, 2 errors\n";
    assert_eq!(printed, expected);
}

/// What is put over all of what was put there before is all that is left of both.
#[test]
fn what_is_replaced_again_is_replaced_once() {
    let printed = said(
        "procedure P(a: S int, i, x, y: int) {\n\
        assert put(put(a, i, one(x)), i, one(y)) == put(a, i, one(y));\n\
        assert put(put(a, i, cat(one(x), one(x))), i, one(y)) == put(a, i, one(y));\n\
        }\n",
    );
    let expected = "p.bpl(9,1): Error: this assertion could not be proved\n\n\
        Boogie program verifier finished with 0 verified, 1 error\n";
    assert_eq!(printed, expected);
}

/// What is put at two places may be put there in either order, if the places differ; what was there is put there again
/// for nothing; and sequences that are found to differ do so at a place.
#[test]
fn sequences_with_the_same_elements_are_equal() {
    let printed = said(
        "procedure Swap(s: S int, i, j, a, b: int) requires i != j; {\n\
        var t: S int; t := put(s, i, one(a));\n\
        assert put(t, j, one(b)) == put(put(s, j, one(b)), i, one(a)); }\n\
        procedure Other(s: S int, i, j, a, b: int) {\n\
        assert put(put(s, i, one(a)), j, one(b)) == put(put(s, j, one(b)), i, one(a)); }\n\
        procedure Three(s: S int, i, j, k: int) requires i != j && j != k && i != k; {\n\
        assert put(put(put(s, i, one(1)), j, one(2)), k, one(3))\n\
        == put(put(put(s, k, one(3)), j, one(2)), i, one(1)); }\n\
        procedure Same(s, t: S int, i: int) requires 0 <= i && i < size(s); {\n\
        if (put(s, i, one(nth(s, i))) != s) { assert false; }\n\
        assert size(t) == size(s) && (forall k: int :: 0 <= k && k < size(s) ==> nth(t, k) == nth(s, k))\n\
        ==> put(s, i, one(nth(t, i))) == t; }\n\
        procedure Shorter(s, t: S int) requires (forall k: int :: 0 <= k && k < size(s) ==> nth(t, k) == nth(s, k)); {\n\
        assert put(s, 0, one(nth(s, 0))) == t; }\n",
    );
    let failed: Vec<&str> = printed.lines().filter(|line| line.contains("Error")).collect();
    let expected = [11, 20].map(|line| format!("p.bpl({line},1): Error: this assertion could not be proved"));
    assert_eq!(failed, expected, "{printed}");
    assert!(printed.contains("3 verified, 2 errors"), "{printed}");
}

/// So are sequences of sequences in whose elements others were put at two places in either order, wherever they are.
#[test]
fn sequences_with_equal_sequences_inside_are_equal() {
    let printed = said(
        "datatype Box { Box(inside: S int) }\n\
        procedure Whole(m: S (S int), i, j, k, a, b: int) requires 0 <= i && i < size(m) && j != k; {\n\
        var n, p: S (S int);\n\
        n := put(m, i, one(put(put(nth(m, i), j, one(a)), k, one(b))));\n\
        p := put(m, i, one(put(put(nth(m, i), k, one(b)), j, one(a))));\n\
        assert nth(n, i) == nth(p, i);\n\
        assert n == p; }\n\
        procedure Made(s: S int, j, k, a, b: int) requires j != k; {\n\
        assert one(put(put(s, j, one(a)), k, one(b))) == one(put(put(s, k, one(b)), j, one(a))); }\n\
        procedure Kept(m, n: [int](S int), c, d: Box, j, k, a, b: int) requires j != k; {\n\
        assume m[1] == put(put(m[0], j, one(a)), k, one(b)) && m[2] == put(put(m[0], k, one(b)), j, one(a));\n\
        assume c->inside == m[1] && d->inside == m[2];\n\
        assert m[1] == m[2];\n\
        assert c->inside == d->inside; }\n\
        procedure Other(m: S (S int), i, j, k, a: int) {\n\
        assert nth(put(m, i, one(put(nth(m, i), j, one(a)))), k) == nth(m, k); }\n",
    );
    let failed: Vec<&str> = printed.lines().filter(|line| line.contains("Error")).collect();
    assert_eq!(failed, ["p.bpl(22,1): Error: this assertion could not be proved"], "{printed}");
    assert!(printed.contains("3 verified, 1 error\n"), "{printed}");
}

/// An update is an application, of which a trigger may speak.
#[test]
fn a_trigger_speaks_of_an_update() {
    let printed = said(
        "function good<T>(a: S T): bool;\n\
        function other(i: int): bool;\n\
        axiom (forall a: S int, i: int :: {put(a, i, one(0))} good(a) && other(i));\n\
        procedure Q(a: S int) { var b: S int; b := put(a, 3, one(0)); assert size(b) == size(a); assert good(a); }\n\
        procedure R(a: S int) { assert good(a); }\n",
    );
    assert!(printed.contains("p.bpl(11,25): Error"), "{printed}");
    assert!(printed.ends_with("finished with 1 verified, 1 error\n"), "{printed}");
}

/// Elements may be of types that the program declares, also inside of others, and of type variables.
#[test]
fn elements_may_be_of_any_type() {
    let printed = said(
        "type $Ref; type Field _; function {:builtin \"seq.empty\"} none<T>(): S T;\n\
        procedure P(a, b: S $Ref, x: $Ref) {\n\
        assert size(cat(a, b)) == size(a) + size(b) && nth(one(x), 0) == x;\n\
        assert cat(none(): S $Ref, a) == a;\n\
        assert cat(a, b) == cat(b, a);\n\
        }\n\
        procedure Q<T>(a: S T, m: [$Ref](S (Field T)), r: $Ref, x: T, i: int) requires 0 <= i && i < size(a); {\n\
        assert nth(put(a, i, one(x)), i) == x && size(cat(m[r], m[r])) == 2 * size(m[r]);\n\
        assert size(m[r]) == size(a);\n\
        }\n",
    );
    let expected = "p.bpl(11,1): Error: this assertion could not be proved\n\
        p.bpl(15,1): Error: this assertion could not be proved\n\n\
        Boogie program verifier finished with 0 verified, 2 errors\n";
    assert_eq!(printed, expected);
}
