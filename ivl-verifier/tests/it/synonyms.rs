//! Types in messages, as the program writes them.

use crate::mistakes::are_told;

/// Types are told as they were declared, with synonyms, through which is seen where elements of maps are asked for.
/// Seen with Boogie 2.4.1.
#[test]
fn types_are_told_with_the_synonyms_that_names_have() {
    let programs: &[(&str, &[&str])] = &[
        ("type E _; axiom (1:E <a>[a]int) == 2;", &["1,18: int cannot be coerced to E <a>[a]int"]),
        (
            "type A; type B = A; type C a = [a]B; type D = C int; type E a b = [a][b]D; type F = int;\n\
            var a: A; var b: B; var c: C int; var d: D; var e: E int bool; var f: F; var m: [B]C int; var n: <t>[C t]D;\n\
            function ff(x: B, y: F) returns (D); function gg<t>(x: C t) returns (C t);\n\
            procedure P(x: B, y: F) returns (z: D);\n\
            procedure Q(w: B) returns (v: D) modifies a, b, c, d, e, f;\n\
            {\n\
            \x20 f := b; f := c; f := d; f := e; f := w; f := v; f := m; f := n;\n\
            \x20 f := c[1]; f := d[1]; f := e[1]; f := e[1][true]; f := e[1][true][3]; f := m[b]; f := m[b][1]; f := n[c]; f := n[c][2];\n\
            \x20 f := ff(b, f);             f := ff(b, f)[1];\n\
            \x20 f := c[1 := a]; f := old(d); f := if true then d else d; f := if true then d else b;\n\
            }",
            &[
                "7,2: mismatched types in assignment command (cannot assign B to F)",
                "7,10: mismatched types in assignment command (cannot assign C int to F)",
                "7,18: mismatched types in assignment command (cannot assign D to F)",
                "7,26: mismatched types in assignment command (cannot assign E int bool to F)",
                "7,34: mismatched types in assignment command (cannot assign B to F)",
                "7,42: mismatched types in assignment command (cannot assign D to F)",
                "7,50: mismatched types in assignment command (cannot assign [B]C int to F)",
                "7,58: mismatched types in assignment command (cannot assign <t>[C t]D to F)",
                "8,2: mismatched types in assignment command (cannot assign B to F)",
                "8,13: mismatched types in assignment command (cannot assign B to F)",
                "8,24: mismatched types in assignment command (cannot assign [bool]D to F)",
                "8,35: mismatched types in assignment command (cannot assign D to F)",
                "8,52: mismatched types in assignment command (cannot assign B to F)",
                "8,72: mismatched types in assignment command (cannot assign C int to F)",
                "8,83: mismatched types in assignment command (cannot assign B to F)",
                "8,97: mismatched types in assignment command (cannot assign D to F)",
                "8,108: mismatched types in assignment command (cannot assign B to F)",
                "9,2: mismatched types in assignment command (cannot assign D to F)",
                "9,29: mismatched types in assignment command (cannot assign B to F)",
                "10,2: mismatched types in assignment command (cannot assign C int to F)",
                "10,18: mismatched types in assignment command (cannot assign D to F)",
                "10,31: mismatched types in assignment command (cannot assign D to F)",
                "10,64: branches of if-then-else have incompatible types D and B",
            ],
        ),
        (
            "type A; type B = A; type C a = [a]B; type D = C int; type F = int; type G = bool; type H = [F]G;\n\
            var a: A; var b: B; var c: C int; var d: D; var f: F; var g: G; var h: H;\n\
            function ff(x: B, y: F) returns (D); function gg<t>(x: C t) returns (C t); function hh(x: G): H;\n\
            procedure P(x: B, y: F) returns (z: D);\n\
            procedure Q(w: B) returns (v: D) modifies a, b, c, d, f, g, h;\n\
            {\n\
            \x20 call f := P(c, d); call d := P(f, b);\n\
            \x20 assert b == c; assert b + f == 1; assert d && g; assert -b == 1; assert !d; assert b; assume d; assert f; assert g; assert h;\n\
            \x20 assert ff(c, g) == d;                    assert hh(f)[g]; assert h[g]; assert c[b] == a; \n\
            \x20 h[b] := true; h[1] := f; c[1] := f; g := h; h := g; d := c; c := d; f := g; b := f; a := f; \n\
            \x20 assert b[1] == 2; assert if f then g else g; assert (forall x: B :: x); assert (exists x: F, y: G :: x == y); assert f < g; assert f ==> g; assert b < b;\n\
            }",
            &[
                "7,14: invalid type for argument 0 in call to P: C int (expected: B)",
                "7,17: invalid type for argument 1 in call to P: D (expected: F)",
                "7,7: invalid type for out-parameter 0 in call to P: F (expected: D)",
                "7,33: invalid type for argument 0 in call to P: F (expected: B)",
                "7,36: invalid type for argument 1 in call to P: B (expected: F)",
                "8,11: invalid argument types (B and C int) to binary operator ==",
                "8,26: invalid argument types (B and F) to binary operator +",
                "8,45: invalid argument types (D and G) to binary operator &&",
                "8,58: invalid argument type (B) to unary operator -",
                "8,74: invalid argument type (D) to unary operator !",
                "8,78: an asserted expression must be of type bool (got: B)",
                "8,88: an assumed expression must be of type bool (got: D)",
                "8,98: an asserted expression must be of type bool (got: F)",
                "8,118: an asserted expression must be of type bool (got: H)",
                "9,12: invalid type for argument 0 in application of ff: C int (expected: B)",
                "9,15: invalid type for argument 1 in application of ff: G (expected: F)",
                "9,53: invalid type for argument 0 in application of hh: F (expected: G)",
                "9,69: invalid type for argument 0 in map select: G (expected: F)",
                "9,82: invalid type for argument 0 in map select: B (expected: int)",
                "10,4: invalid type for argument 0 in map assignment: B (expected: F)",
                "10,17: mismatched types in assignment command (cannot assign F to G)",
                "10,28: mismatched types in assignment command (cannot assign F to B)",
                "10,38: mismatched types in assignment command (cannot assign H to G)",
                "10,46: mismatched types in assignment command (cannot assign G to H)",
                "10,70: mismatched types in assignment command (cannot assign G to F)",
                "10,78: mismatched types in assignment command (cannot assign F to B)",
                "10,86: mismatched types in assignment command (cannot assign F to A)",
                "11,9: map select applied to a non-map: b",
                "11,27: the first argument to if-then-else should be bool, not F",
                "11,55: quantifier body must be of type bool",
                "11,105: invalid argument types (F and G) to binary operator ==",
                "11,121: invalid argument types (F and G) to binary operator <",
                "11,135: invalid argument types (F and G) to binary operator ==>",
                "11,151: invalid argument types (B and B) to binary operator <",
            ],
        ),
        (
            "type B = int; type G = bool; type bvt = bv8;\n\
            const x: bvt; const y: B; axiom x ++ y == x; axiom x[4:0] == x; axiom x == y; axiom y[3:0] == x;                   \n\
            function f(x: B): G;      function g(x: bvt): B;      axiom y; axiom f(x); axiom f(y) == y;",
            &[
                "2,34: ++ operands need to be bitvectors (got bvt, B)",
                "2,58: invalid argument types (bv4 and bvt) to binary operator ==",
                "2,72: invalid argument types (bvt and B) to binary operator ==",
                "2,85: extract operand must be a bitvector of at least 3 bits (got B)",
                "3,54: axioms must be of type bool",
                "3,71: invalid type for argument 0 in application of f: bvt (expected: B)",
                "3,86: invalid argument types (G and B) to binary operator ==",
            ],
        ),
    ];
    for (program, expected) in programs {
        are_told("type checking", program, expected);
    }
}

/// The same of parameters in bodies of functions, and of lambdas. A body that is wrong in itself has no type.
/// Seen with Boogie 2.4.1.
#[test]
fn types_are_told_with_the_synonyms_of_what_is_bound() {
    let programs: &[(&str, &[&str])] = &[
        (
            "type S = int; type M = [S]bool; type P a = [a]S;\n\
            function k(x: S, m: M): S { x && m }\n\
            function k2(x: S, m: M): M { x }\n\
            function k3(x: S): bool { x }\n\
            function k4<a>(x: P a): P a { x[1] }\n\
            function k5<a>(x: P a): a { x }\n\
            function {:inline} k6(x: M): S { x }\n\
            function k7(x: M): S { x[true] }\n\
            function {:inline} k8(x: M): S { x[true] }",
            &[
                "2,30: invalid argument types (S and M) to binary operator &&",
                "3,9: invalid argument types (M and S) to binary operator ==",
                "4,9: invalid argument types (bool and S) to binary operator ==",
                "5,32: invalid type for argument 0 in map select: int (expected: a)",
                "6,9: invalid argument types (a and P a) to binary operator ==",
                "7,33: function body with invalid type: M (expected: S)",
                "8,25: invalid type for argument 0 in map select: bool (expected: S)",
                "9,35: invalid type for argument 0 in map select: bool (expected: S)",
                "9,34: function body with invalid type: bool (expected: S)",
            ],
        ),
        (
            "type S = int; type M = [S]bool; type P a = [a]S;\n\
            procedure Q(m: M) {\n\
            assert (lambda x: S :: x);\n\
            assert (lambda x: S :: x) == m;\n\
            assert (lambda<a> x: P a :: x) == m;\n\
            assert (lambda x: S, y: M :: x + 1);\n\
            assert (lambda x: S :: m)[1];\n\
            assert (lambda x: S :: (lambda y: M :: y));\n\
            }",
            &[
                "3,0: an asserted expression must be of type bool (got: [S]S)",
                "4,26: invalid argument types ([S]S and M) to binary operator ==",
                "5,31: invalid argument types (<a>[P a]P a and M) to binary operator ==",
                "6,0: an asserted expression must be of type bool (got: [S,M]int)",
                "7,0: an asserted expression must be of type bool (got: M)",
                "8,0: an asserted expression must be of type bool (got: [S][M]M)",
            ],
        ),
    ];
    for (program, expected) in programs {
        are_told("type checking", program, expected);
    }
}
