//! What is wrong with programs, table by table: syntax, tokens, names, types. Nearly all was seen with Boogie 2.4.1.

use crate::front_end::check;
use crate::support::Session;

/// Programs with what is said about them: place and text of each mistake, in order. Seen with Boogie 2.4.1, but for
/// what Boogie 3.5 words by its own grammar (`invalid Ident`, which was `ident expected`; the invariants of loops).
#[test]
fn a_parser_goes_on_after_a_mistake() {
    let parsed: &[(&str, &[&str])] = &[
        (
            "procedure P() { assert ; assume true }\nconst ;\nprocedure Q() { havoc }\n",
            &[
                "1,24: invalid UnaryExpression",
                "1,38: \";\" expected",
                "2,7: invalid Ident",
                "3,23: invalid Ident",
            ],
        ),
        // What is wrong with jumps is found where the body ends, or is given up.
        (
            "procedure P() { break 3; }\n",
            &["1,23: \";\" expected", "1,17: Error: break statement is not inside a loop"],
        ),
        // What follows within two tokens is a consequence, and what no declaration begins with is the end.
        (
            "function {:builtin \"f\" :rm \"RNE\"} f(x: int): int;\n",
            &["1,24: \"}\" expected", "1,28: invalid Function"],
        ),
        ("procedure P() { assert x @ y; }\nprocedure Q() { assert %; }\n", &["1,26: \";\" expected"]),
        ("axiom f(,);\naxiom f(1,);\naxiom ();\n", &["1,9: invalid AtomExpression"]),
        ("const 1; const c: int;", &["1,7: invalid Ident"]),
        ("axiom true;\n procedure P() 5", &["2,16: invalid Procedure"]),
        (
            "procedure P() { foo }\nprocedure Q() { bar; }\n",
            &["1,21: invalid LabelOrAssign", "2,20: invalid LabelOrAssign"],
        ),
        (
            "procedure P() { x := ; y := 1 + ; z := (1; }\n",
            &["1,22: invalid UnaryExpression", "1,33: invalid UnaryExpression", "1,42: \")\" expected"],
        ),
        (
            "axiom (forall x :: true);\naxiom (forall x: int : true);\n",
            &["1,17: \":\" expected", "2,22: invalid QSep"],
        ),
        (
            "procedure P() { while (true) invariant ; { } if () { } }\n",
            &["1,40: invalid WhileCmd", "1,50: invalid Guard"],
        ),
        (
            "procedure P()\n  requires ;\n  ensures x\n  modifies\n{ }\n",
            &["2,12: invalid UnaryExpression", "4,3: \";\" expected"],
        ),
        ("function f(x: int) returns int { 3 }\n", &["1,28: \"(\" expected"]),
        (
            "type T = ;\ntype U\nvar x: [int;\nvar y: int",
            &["1,10: invalid Type", "3,1: \";\" expected", "3,12: \"]\" expected", "5,1: \";\" expected"],
        ),
        ("const \\int: int; axiom int == int;\n", &["1,28: \"(\" expected", "1,34: \"(\" expected"]),
        ("function f(x: int, y): int;\n", &["1,20: the type of the last parameter is unspecified"]),
        (
            "function g([int]int: int, z: int): int;\n",
            &["1,20: expected identifier before ':'", "1,12: expecting an identifier as parameter name"],
        ),
        ("axiom {:a \"x} true;\naxiom z;\n", &["1,11: \"}\" expected"]),
        ("axiom 1e+5 == 2.0; axiom 0x10 == 3;\n", &["1,8: \";\" expected"]),
        ("axiom |{ x := 1; }|;\n", &["1,12: \":\" expected"]),
        ("axiom |{ A: B: return true; }| == true;\n", &["1,14: SpecBlock's can only have one label"]),
        ("procedure P() { if (*) { } else 5 }\n", &["1,33: invalid IfCmd"]),
        ("procedure P() free modifies x; { }\n", &["1,20: invalid SpecPrePost"]),
        ("procedure P() { free assert true; }\n", &["1,22: \"call\" expected"]),
        ("procedure P() { call x; }\n", &["1,23: invalid CallParams"]),
        ("axiom x->5 == 3;\n", &["1,10: invalid ArrayExpression"]),
        ("axiom x : ; axiom true;\n", &["1,11: invalid CoercionExpression"]),
        ("axiom {:a 1, } true;\n", &["1,14: invalid AttributeParameter"]),
        ("axiom { } true;\n", &["1,9: invalid AttributeOrTrigger"]),
        ("axiom {:yield} true;\n", &["1,9: invalid Ident"]),
        ("procedure P() { hide 3; }\n", &["1,22: invalid LabelOrCmd"]),
        ("pure function f(): int;\n", &["1,6: invalid BoogiePL"]),
        ("axiom [int] == 3;\n", &["1,7: invalid UnaryExpression"]),
        ("axiom 1-0x1.0e0f24e8 == 3.0;\n", &["1,8: \";\" expected"]),
        // Of the right form, and not allowed.
        (
            "axiom {x} true;\nprocedure {3} P() { assert {true} true; }\naxiom true ==> false <== true;\n",
            &[
                "1,9: only attributes, not triggers, allowed here",
                "2,13: only attributes, not triggers, allowed here",
                "2,33: only attributes, not triggers, allowed here",
                "3,22: illegal mixture of ==> and <==, use parentheses to disambiguate",
            ],
        ),
        (
            "implementation P(x: int where x > 0) { }\naxiom (forall x: int where x > 0 :: true);\n",
            &[
                "1,35: where clause not allowed on the 'implementation' copies of formals",
                "2,32: where clause not allowed on bound variables",
            ],
        ),
        (
            "axiom (lambda x: int :: {x} x) == 3;\naxiom x[1:0, 2] == 3;\naxiom x[1:0 := 2] == 3;\naxiom x[(3:2)]==2;axiom x[y:2]==y;\n",
            &[
                "1,29: triggers not allowed in lambda expressions",
                "2,14: bitvectors only have one dimension",
                "3,16: assignment to bitvectors is not possible",
                "4,12: parentheses around bitvector bounds are not allowed",
                "4,29: arguments of extract need to be integer literals",
            ],
        ),
        (
            "datatype D { C(x: int), C(y: int) }\n",
            &["1,33: constructor name C used more than once in datatype"],
        ),
        (
            "datatype D { C(x: int where x > 0) }\n",
            &["1,33: where clause not allowed on datatype constructor"],
        ),
        (
            "function {:define} f<a>(x: a): int { 3 }\nfunction {:inline} {:define} g(): int { 3 }\nfunction {:inline} {:define} h(): int;\n",
            &[
                "1,40: function with :define attribute has to be monomorphic",
                "2,43: function cannot have both :inline and :define attributes",
            ],
        ),
        // Jumps are looked at as far as they were read.
        (
            "procedure P() { goto A; A: assert }\nprocedure Q() { break; x := ; goto B; }\n",
            &[
                "1,35: invalid UnaryExpression",
                "2,29: invalid UnaryExpression",
                "2,17: Error: break statement is not inside a loop",
                "2,31: Error: goto label 'B' is undefined",
            ],
        ),
        // Lines for other readers, which count from column 0.
        ("#line4;\naxiom x;\n", &["1,0: Unrecognized pragma: #line4;"]),
        (
            "/* a\n#foo\n*/ axiom x;\n#line x\n",
            &["2,0: Unrecognized pragma: #foo", "4,0: Malformed (#line num [filename]) pragma: #line x"],
        ),
        (" #foo\naxiom x;\n", &["1,2: EOF expected"]),
        ("#if A\naxiom x;\n", &["3,0: Unrecognized pragma: #MalformedInput: missing #endif"]),
        ("#else\naxiom x;\n", &["1,0: Unrecognized pragma: #MalformedInput: misplaced #else"]),
        ("#endif\n", &["1,0: Unrecognized pragma: #MalformedInput: misplaced #endif"]),
    ];
    for (program, mistakes) in parsed {
        let mut expected: String = mistakes
            .iter()
            .filter_map(|mistake| mistake.split_once(": "))
            .map(|(place, message)| format!("p.bpl({place}): error: {message}\n"))
            .collect();
        expected.push_str(&format!("{} parse errors detected in p.bpl\n", mistakes.len()));
        check(program, &expected);
    }
}

/// What means nothing is told by its name, so names show what was read.
#[test]
fn names_numbers_and_texts_are_read_as_the_longest_token() {
    let undeclared: &[(&str, &[&str])] = &[
        ("axiom \\foo; axiom \\procedure;", &["1,6: foo", "1,18: procedure"]),
        (
            "axiom .a == `b && 'c == ~d && #e == $f && ^g == _h && ?i == i.j;",
            &[
                "1,6: .a",
                "1,12: `b",
                "1,18: 'c",
                "1,24: ~d",
                "1,30: #e",
                "1,36: $f",
                "1,42: ^g",
                "1,48: _h",
                "1,54: ?i",
                "1,60: i.j",
            ],
        ),
        ("axiom {:a \"x\\\"} x;\naxiom {:b \"\\\\\"} y;", &["1,16: x", "2,16: y"]),
        ("axiom {:a} { :b} {:a 1, \"b\", true ==> false, x} y;", &["1,45: x", "1,48: y"]),
        ("#if A\naxiom x;\n  #else\naxiom y;\n#endif\naxiom z;", &["4,6: y", "6,6: z"]),
        ("#if FILE_0\naxiom x;\n#elsif B\naxiom y;\n#endif\n#if !FILE_0\naxiom z;\n#endif\n", &["2,6: x"]),
        (
            "#if !A\naxiom x;\n#if A\naxiom y;\n#else\naxiom z;\n#endif\n#else\naxiom v;\n#endif\n",
            &["2,6: x", "6,6: z"],
        ),
        (
            "#if A\n#if B\n#elsif C\n#else\nfoo\n#endif\n#elsif FILE_0\naxiom x;\n#else\naxiom y;\n#endif\n",
            &["8,6: x"],
        ),
    ];
    for (program, names) in undeclared {
        let mut expected: String = names
            .iter()
            .filter_map(|name| name.split_once(": "))
            .map(|(place, name)| format!("p.bpl({place}): Error: undeclared identifier: {name}\n"))
            .collect();
        expected.push_str(&format!("{} name resolution errors detected in p.bpl\n", names.len()));
        check(program, &expected);
    }
    let equal = |left: &str, right: &str| {
        let program = format!("procedure P() {{ assert {left} == {right}; }}\n");
        let seen = Session::from_scratch().verify("p.bpl", &program);
        assert_eq!((seen.text.as_str(), seen.errors(), seen.reports.len()), ("", 0, 1), "{left}");
    };
    equal("1e2", "100.0");
    equal("12.5e-1", "1.25");
    equal("-0x1.0e1f24e8", "-0x10.0e0f24e8");
    equal("0x1.0e1f24e8", "0x10.0e0f24e8");
    equal("0x1.0e-1f24e8", "0x0.1e0f24e8");
    equal("0x0.eeee0f24e8", "0x0.eeee0f24e8");
    equal("1bv8++2bv8", "258bv16");
}

/// Programs with everything that is wrong with their names, or with their types. Seen with Boogie 2.4.1 but for what
/// Boogie 3.5 does otherwise: functions and procedures have name spaces of their own, parameters of a procedure with a
/// body are looked at twice with their attributes, and an assignment is compared only if its sides are right.
#[test]
fn all_that_is_wrong_is_told_and_told_once() {
    let names: &[(&str, &[&str])] = &[
        // What leads into a cycle is taken for `bool`, too.
        (
            "type X = Y; type Y = X; type Z = [X]int; type T a = T2 a; type T2 a = T a; type U = int;",
            &[
                "1,5: type synonym could not be resolved because of cycles: X (replacing body with \"bool\" to continue resolving)",
                "1,17: type synonym could not be resolved because of cycles: Y (replacing body with \"bool\" to continue resolving)",
                "1,29: type synonym could not be resolved because of cycles: Z (replacing body with \"bool\" to continue resolving)",
                "1,46: type synonym could not be resolved because of cycles: T (replacing body with \"bool\" to continue resolving)",
                "1,63: type synonym could not be resolved because of cycles: T2 (replacing body with \"bool\" to continue resolving)",
            ],
        ),
        // Synonyms that lead into none come before, in the order in which Boogie gets to them.
        (
            "type R = R; type U a a = V int; type V b b = [b]int; type W c c = V bool;",
            &[
                "1,41: more than one declaration of type variable: b",
                "1,62: more than one declaration of type variable: c",
                "1,66: type synonym received wrong number of arguments: V",
                "1,21: more than one declaration of type variable: a",
                "1,25: type synonym received wrong number of arguments: V",
                "1,5: type synonym could not be resolved because of cycles: R (replacing body with \"bool\" to continue resolving)",
            ],
        ),
        // What a procedure may change comes before its conditions.
        (
            "procedure P() returns (r: int); requires r > 0; ensures z; modifies h;",
            &[
                "1,68: undeclared identifier: h",
                "1,41: undeclared identifier: r",
                "1,56: undeclared identifier: z",
            ],
        ),
        (
            "function f(x: int, x: int) returns (x: int); function g(y: int) returns (z: bool) { z }",
            &[
                "1,19: more than one declaration of variable name: x",
                "1,36: more than one declaration of variable name: x",
                "1,84: undeclared identifier: z",
            ],
        ),
        // What stands in an implementation of nothing, in the index of nothing and in a trigger's quantifier is
        // looked at.
        (
            "implementation Q() { var t: int; var t: int; w[y] := 3; assert z; }",
            &[
                "1,15: implementation given for undeclared procedure: Q",
                "1,37: more than one declaration of variable name: t",
                "1,45: undeclared identifier: w",
                "1,47: undeclared identifier: y",
                "1,63: undeclared identifier: z",
            ],
        ),
        (
            "axiom (forall x: int :: {(forall y: int :: y > x)} x > 0);",
            &[
                "1,26: quantifiers are not allowed in triggers",
                "1,45: arithmetic comparisons are not allowed in triggers",
            ],
        ),
        // A type that is not there mentions no parameter.
        (
            "type F a; type M = <A>[U A]int; type N = <A, B>[F A A]B; var v: <A>[F]A; var w: <A, B>[F A A, A]int;",
            &[
                "1,19: type variable must occur in map arguments: A",
                "1,23: undeclared type: U (replacing with \"bool\" to continue resolving)",
                "1,41: type variable must occur in map arguments: A",
                "1,48: type constructor received wrong number of arguments: F",
                "1,68: type constructor received wrong number of arguments: F",
                "1,80: type variable must occur in map arguments: B",
                "1,87: type constructor received wrong number of arguments: F",
            ],
        ),
        (
            "procedure P() returns (a: int); procedure Q() { var r: int; call r, r := P(); call r, r := R(); }",
            &[
                "1,60: left-hand side of call command contains variable twice: r",
                "1,60: wrong number of result variables in call to P: 2",
                "1,78: call to undeclared procedure: R",
                "1,78: left-hand side of call command contains variable twice: r",
            ],
        ),
        (
            "type T; type T a; var t: T; var u: T int;",
            &[
                "1,13: more than one declaration of type name: T",
                "1,35: type constructor received wrong number of arguments: T",
            ],
        ),
        (
            "const c: int; const c: bool;\nvar c: int; axiom c == 3;",
            &[
                "1,14: more than one declaration of variable name: c",
                "2,4: more than one declaration of variable name: c",
            ],
        ),
        (
            "function f(): int; function f(): bool; procedure f(); procedure f();",
            &[
                "1,28: more than one declaration of function name: f",
                "1,64: more than one declaration of procedure name: f",
            ],
        ),
        (
            "datatype D { C(x: int, x: bool) } function C(): int; axiom {:name \"A\"} true; axiom {:name \"A\"} false;",
            &[
                "1,23: more than one declaration of variable name: x",
                "1,43: more than one declaration of function name: C",
                "1,93: more than one declaration of axiom name: A",
            ],
        ),
        (
            "type T; function f<T>(x: T): T; function g<bv4>(x: bv4): int;\nfunction h<a>(x: <a>[a]int): a; var n: <a,a>[a]int;",
            &[
                "1,19: name is already reserved for type constructor: T",
                "1,43: type name: bv4 is registered for bitvectors",
                "2,18: more than one declaration of type variable: a",
                "2,42: more than one declaration of type variable: a",
            ],
        ),
        (
            "function f<a>(x: int): int; procedure P<a>(); procedure Q<a>(x: int) { }\nimplementation P<a>() { }",
            &[
                "1,9: type variable must occur in function arguments: a",
                "1,38: type variable must occur in procedure arguments: a",
                "1,56: type variable must occur in procedure arguments: a",
                "1,56: type variable must occur in implementation arguments: a",
                "2,15: type variable must occur in implementation arguments: a",
            ],
        ),
        (
            "var a: bv3 int; var b: float24e8 int; var c: rmode int; var d: string int; var e: regex int; function f<a>(x: a int): a;",
            &[
                "1,7: bitvector types must not be applied to arguments: bv3",
                "1,23: float types must not be applied to arguments: float24e8",
                "1,45: rounding mode type must not be applied to arguments: rmode",
                "1,63: string type must not be applied to arguments: string",
                "1,82: regex type must not be applied to arguments: regex",
                "1,110: type variables must not be applied to arguments: a",
            ],
        ),
        (
            "procedure P(x: int, x: int) returns (y: int, y: int) { var y: int; }",
            &[
                "1,20: more than one declaration of variable name: x",
                "1,45: more than one declaration of variable name: y",
                "1,20: more than one declaration of variable name: x",
                "1,45: more than one declaration of variable name: y",
                "1,59: more than one declaration of variable name: y",
            ],
        ),
        (
            "procedure {:a old(1)} P() { var x: int where old(x) == 3; assert {:b q} old(x) == x; }",
            &[
                "1,14: old expressions allowed only in two-state contexts",
                "1,14: old expressions allowed only in two-state contexts",
                "1,45: old expressions allowed only in two-state contexts",
                "1,69: undeclared identifier: q",
            ],
        ),
        (
            "var g: int; axiom old(g) == 3;",
            &[
                "1,18: old expressions allowed only in two-state contexts",
                "1,22: cannot refer to a global variable in this context: g",
            ],
        ),
        (
            "axiom (var x, x := 1, 2; x == 3); axiom (var y, z := 1; y == z);",
            &[
                "1,14: more than one declaration of variable name: x",
                "1,41: number of left-hand sides does not match number of right-hand sides",
            ],
        ),
        (
            "procedure P({:a q1} x: int) requires {:a q2} true; ensures {:a q3} true;\n{ var {:a q4} y: int; while (*) invariant {:a q5} true; { } }\naxiom (forall {:a q6} x: int :: {:a q7} x == x);",
            &[
                "1,16: undeclared identifier: q1",
                "1,41: undeclared identifier: q2",
                "1,63: undeclared identifier: q3",
                "1,16: undeclared identifier: q1",
                "2,10: undeclared identifier: q4",
                "2,46: undeclared identifier: q5",
                "3,18: undeclared identifier: q6",
                "3,36: undeclared identifier: q7",
            ],
        ),
        (
            "datatype D { A(x: int) } datatype D { B(y: bool) } function f(d: D): int { d->x }",
            &["1,34: more than one declaration of type name: D"],
        ),
        (
            "procedure P() { assert |{ A: goto B; A: return true; }|; }",
            &["1,29: goto to unknown block: B", "1,37: more than one declaration of block name: A"],
        ),
        (
            "procedure P(b: bool) { assume {:minimize 1, 2} b; assume {:maximize} b; assert {:verified_under b, b} b; }",
            &[
                "1,30: attributes :minimize and :maximize accept only one argument",
                "1,57: attributes :minimize and :maximize accept only one argument",
                "1,79: attribute :verified_under accepts only one argument",
            ],
        ),
    ];
    let types: &[(&str, &[&str])] = &[
        // What is ambiguous is not told of a program with mistakes, wherever these are.
        (
            "function e<a>(): [a]int; procedure P() { assert e() == e(); assert 1; }",
            &["1,60: an asserted expression must be of type bool (got: int)"],
        ),
        ("const c: int; procedure P() modifies c; { }", &["1,24: modifies list contains constant: c"]),
        (
            "procedure P(v: bv8) { assert v[9:0] == 1bv9; assert v[9:8] == 1bv1 || v[9:0] == v; }",
            &[
                "1,30: extract operand must be a bitvector of at least 9 bits (got bv8)",
                "1,71: extract operand must be a bitvector of at least 9 bits (got bv8)",
            ],
        ),
        (
            "axiom 3; axiom {:a} {:b 3} 1;",
            &["1,0: axioms must be of type bool", "1,25: axioms must be of type bool"],
        ),
        (
            "axiom (lambda<a> x: int :: x)[3] == 3;",
            &["1,7: the type variable a does not occur in types of the lambda parameters"],
        ),
        (
            "function f(x: int): int { true } function {:inline} g(): bool { 3 } function {:define} h(): real { 3 }",
            &[
                "1,9: invalid argument types (int and bool) to binary operator ==",
                "1,64: function body with invalid type: int (expected: bool)",
                "1,87: invalid argument types (real and int) to binary operator ==",
                "1,99: function body with invalid type: int (expected: real)",
            ],
        ),
        (
            "function h<a>(x: a, y: [int]a): a; procedure G<a>(x: a, y: a) returns (z: a);\nprocedure P() { var i: int; var b: bool; call i := G(1, true); call b := G(1, 2); assert h(1, 2) == 1; }",
            &[
                "2,56: invalid type for argument 1 in call to G: bool (expected: a)",
                "2,68: invalid type for out-parameter 0 in call to G: bool (expected: int)",
                "2,94: invalid type for argument 1 in application of h: int (expected: [int]a)",
            ],
        ),
        (
            "procedure P(x: float24e8, r: real, b: bool) { var i: int; var f: float24e8; f := -x; i := -b; i := (r: int); i := r ** r; i := i ** i; r := 2; r, b := 2, b + 1; }",
            &[
                "1,81: invalid argument type (float24e8) to unary operator -",
                "1,90: invalid argument type (bool) to unary operator -",
                "1,101: real cannot be coerced to int",
                "1,109: mismatched types in assignment command (cannot assign real to int)",
                "1,129: invalid argument types (int and int) to binary operator **",
                "1,137: command assigns to an immutable variable: r",
                "1,135: mismatched types in assignment command (cannot assign int to real)",
                "1,156: invalid argument types (bool and int) to binary operator +",
            ],
        ),
        (
            "procedure P() { var m: [int]bool; assert real(true); assert int(2) + 1; assert m[1 := 2]; assert !m[1 := 2]; }",
            &[
                "1,41: argument type bool does not match expected type int",
                "1,34: an asserted expression must be of type bool (got: real)",
                "1,60: argument type int does not match expected type real",
                "1,86: right-hand side in map store with wrong type: int (expected: bool)",
                "1,105: right-hand side in map store with wrong type: int (expected: bool)",
            ],
        ),
        (
            "procedure P<a>(x: int, y: a) returns (z: int); implementation P(x: bool) { }\nimplementation P<b>(x: bool, y: b) { } implementation P<c>(x: int, q: int, y: c) returns (z: bool) { }",
            &[
                "1,62: mismatched number of type parameters in procedure implementation: P",
                "2,15: mismatched type of in-parameter in implementation P: x",
                "2,15: mismatched number of out-parameters in procedure implementation: P",
                "2,54: mismatched number of in-parameters in procedure implementation: P",
                "2,54: mismatched type of out-parameter in implementation P: z",
            ],
        ),
        (
            "procedure P(b: bool, i: int, r: real) { assert |{ A: return 5; }|; assert (if i then i else r) == i; assert if b then i else r; assume {:minimize b} b; }",
            &[
                "1,60: a return expression must be of type bool (got: int)",
                "1,75: the first argument to if-then-else should be bool, not int",
                "1,108: branches of if-then-else have incompatible types int and real",
                "1,135: attributes :minimize and :maximize accept only one argument of type int, real or bv",
            ],
        ),
        // The place is where the value ends.
        (
            "procedure P() { assert |{ A: return 3 + 4; }|; }",
            &["1,40: a return expression must be of type bool (got: int)"],
        ),
        (
            "type T a; var m: <b>[T b]b; var n: <b>[b]int; axiom (lambda<b> x: T b, y: b :: y) == 3;\nprocedure P() { assert m == n; assert n == m; assert m == m; }",
            &[
                "1,82: invalid argument types (<b>[T b,b]b and int) to binary operator ==",
                "2,25: invalid argument types (<b>[T b]b and <b>[b]int) to binary operator ==",
                "2,40: invalid argument types (<b>[b]int and <b>[T b]b) to binary operator ==",
            ],
        ),
    ];
    for (table, kind) in [(names, "name resolution"), (types, "type checking")] {
        for (program, mistakes) in table {
            are_told(kind, program, mistakes);
        }
    }
}

/// That just these mistakes of a kind are told of a program, in whatever order, each as `line,column: message`.
#[track_caller]
pub(crate) fn are_told(kind: &str, program: &str, mistakes: &[&str]) {
    let places = mistakes.iter().filter_map(|mistake| mistake.split_once(": "));
    let mut expected: Vec<String> =
        places.map(|(place, message)| format!("p.bpl({place}): Error: {message}")).collect();
    expected.push(format!("{} {kind} errors detected in p.bpl", mistakes.len()));
    let seen = Session::from_scratch().verify("p.bpl", program);
    let mut found: Vec<&str> = seen.text.lines().collect();
    expected.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, expected, "{program}");
}

/// As in Boogie 3.5.
#[test]
fn what_is_wrong_with_targets_is_told_before_what_is_wrong_with_values() {
    let program = "datatype D { D(f: int) }
var m: [int]D; var n: [int]D;
procedure P()
modifies m, n;
{
  m[0]->g, n[1]->h := m[1]->k + 1, n[true]->f;
}
";
    let seen = Session::from_scratch().verify("p.bpl", program);
    let places: Vec<&str> =
        seen.text.lines().filter_map(|line| line.split_once(')').map(|it| it.0)).collect();
    assert_eq!(places, ["p.bpl(6,8", "p.bpl(6,17", "p.bpl(6,28", "p.bpl(6,37"], "{}", seen.text);
}

/// Attributes stand wherever Boogie's grammar has them.
#[test]
fn attributes_stand_at_jumps_and_tests_and_assignments() {
    let program = "datatype D { C(n: int) }\n\
        procedure P(m: int) returns (r: int) { var x: int; var d: D;\n\
        if {:a} (m > 0) { x := {:b} 1; return {:c}; } else if {:d 1} (m < 0) { goto {:e} L; }\n\
        L: d := C(x); C(x) := {:f} d; x, r := {:g} r, x; return {:h \"h\"};\n\
        }\n\
        axiom (var {:a} x, {:b} y := 1, 2; {:c} x < y);\n\
        axiom |{ A: goto {:a} B; B: return {:b} true; }|;\n";
    let seen = Session::from_scratch().verify("p.bpl", program);
    assert_eq!((seen.text.as_str(), seen.errors(), seen.reports.len()), ("", 0, 1));
    // A program that is printed has them still.
    let printed = crate::laws::printed(program).expect("a program");
    for part in ["if {:a} (m > 0)", "x := {:b} 1;", "return {:c};", "else if {:d 1} (m < 0)", "goto {:e} L;"]
    {
        assert!(printed.contains(part), "{printed}");
    }
    for part in
        ["C(x) := {:f} d;", "x, r := {:g} r, x;", "return {:h \"h\"};", "goto {:a} B;", "return {:b} true;"]
    {
        assert!(printed.contains(part), "{printed}");
    }
}
