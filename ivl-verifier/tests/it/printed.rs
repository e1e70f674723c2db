//! Programs as they are printed: as they were read, and as they are verified.

use crate::command::{lines, run, write};

#[test]
fn programs_are_printed_as_they_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = "type T _;\ndatatype D<a> { C(f: a), E() }\nconst unique c: T int;\nvar g: <a>[T a]a where g[c] > 0;\n\
        function f<a>(a, [int]bool): bool;\nfunction h(x: int): int { (if x > 0 && (x < 9 || x == -1) then x - (1 - x) else h(x)[0 := 1][2]) }\n\
        axiom (forall<a> x: a, y: [int]bool :: {:weight 3} { f(x, y) } f(x, y) ==> (exists z: int :: !y[z]));\n\
        procedure {:inline 1} P<a>(x: a) returns (y: D a);\n  requires old(g)[c] div 2 * 3 == 1;\n  modifies g;\n  free ensures y is C && y->f == x;\n\
        implementation P(x: a) returns (y: D a) {\n  var m: [int]int;\n  L: m[1], y := 2, C(x);\n  while (*) invariant true; { if (m[0] == 1) { break L; } else if (*) { havoc m; } else { call y := P(x); } }\n  assert {:msg \"no\"} m[3:1] ++ 1bv2 == 2bv3; goto L;\n}\n";
    write(folder.path(), "p.bpl", program);
    let print = |name: &str| {
        let (text, _) = run(folder.path(), &["boogie", "-noResolve", "-print:-", "-env:0", name]);
        text
    };
    let once = print("p.bpl");
    for line in [
        "type T _;",
        "const unique c: T int;",
        "var g: <a>[T a]a where g[c] > 0;",
        "  (if x > 0 && (x < 9 || x == -1) then x - (1 - x) else h(x)[0 := 1][2])",
        "  requires old(g)[c] div 2 * 3 == 1;",
        "  free ensures y is C && y->f == x;",
        "    assert {:msg \"no\"} m[3:1] ++ 1bv2 == 2bv3;",
    ] {
        assert!(once.lines().any(|it| it == line), "{line} in\n{once}");
    }
    // What is printed reads as what it was printed from.
    write(folder.path(), "q.bpl", &once);
    assert_eq!(print("q.bpl"), once);
}

/// Seen with Boogie 2.4.1.
#[test]
fn long_lines_are_broken_and_numbers_written_as_boogie_does() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "function aFunctionWhoseNameIsLong(x: int, y: int, z: int): int;\n\
        procedure {:q} P({:a 1} first: int where first > 0, second: int, third: int) returns (sum: int where sum > 0, x: real)\n\
        requires (forall bound: int, another: int :: {aFunctionWhoseNameIsLong(bound, another, 1)} \
        aFunctionWhoseNameIsLong(bound, another, 1) > 0 && bound < another ==> bound + another > 17);\n\
        { assert aFunctionWhoseNameIsLong(first, second, third) > aFunctionWhoseNameIsLong(third, second, first) && \
        sum + first + second + third + sum + first + second + third + sum > 10; \
        sum := if aFunctionWhoseNameIsLong(first, second, third) > 1000000 then aFunctionWhoseNameIsLong(1, 2, 3) else 3; \
        assert x != 100.0 && x != 0.0 && x != 0.025 && x != 12e3 && x != 1.50; }\n";
    write(folder.path(), "p.bpl", text);
    let expected = "
function aFunctionWhoseNameIsLong(x: int, y: int, z: int) : int;

procedure {:q} P({:a 1} first: int where first > 0, second: int, third: int)
   returns (sum: int where sum > 0, x: real);
  requires (forall bound: int, another: int :: 
    { aFunctionWhoseNameIsLong(bound, another, 1) } 
    aFunctionWhoseNameIsLong(bound, another, 1) > 0 && bound < another
       ==> bound + another > 17);



implementation {:q} P(first: int, second: int, third: int) returns (sum: int, x: real)
{
    assert aFunctionWhoseNameIsLong(first, second, third)
         > aFunctionWhoseNameIsLong(third, second, first)
       && sum + first + second + third + sum + first + second + third + sum > 10;
    sum := (if aFunctionWhoseNameIsLong(first, second, third) > 1000000
       then aFunctionWhoseNameIsLong(1, 2, 3)
       else 3);
    assert x != 1e2 && x != 0e0 && x != 25e-3 && x != 12e3 && x != 15e-1;
}
";
    let (printed, _) = run(folder.path(), &["boogie", "-noVerify", "-print:-", "-env:0", "p.bpl"]);
    let printed: String =
        printed.lines().take_while(|line| !line.starts_with("Boogie")).map(|it| format!("{it}\n")).collect();
    assert_eq!(printed.trim(), expected.trim());
}

#[test]
fn what_is_verified_can_be_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "procedure {:inline 1} Q(a: bool) returns (b: bool);\n  ensures b == !a;\n\
        implementation {:inline 1} Q(a: bool) returns (b: bool) { if (a) { b := false; } else { b := true; } }\n\
        procedure P(n: int) { var c: bool; while (n > 0) { call c := Q(c); } }\n";
    write(folder.path(), "p.bpl", text);
    let body = "anon0:\n goto anon3_Then, anon3_Else;\n anon3_Then:\n assume {:partition} a;\n b := false;\n return;\n\
        anon3_Else:\n assume {:partition} !a;\n b := true;\n return;";
    for option in ["-printUnstructured", "-printUnstructured:2"] {
        let (printed, _) = run(folder.path(), &["boogie", "-noVerify", "-print:-", option, "p.bpl"]);
        assert!(lines(&printed).join("\n").contains(&lines(body).join("\n")), "{option}: {printed}");
    }
    // What is inlined stands where the call was, the last of two ways first.
    let inlined = "after inlining procedure calls\nprocedure P(n: int);\nimplementation P(n: int)\n{\nvar c: bool;\n\
        var inline$Q$0$a: bool;\nvar inline$Q$0$b: bool;\nanon0:\ngoto anon2_LoopHead;\n\
        anon2_LoopHead:\ngoto anon2_LoopDone, anon2_LoopBody;\n\
        anon2_LoopBody:\nassume {:partition} n > 0;\ngoto inline$Q$0$Entry;\n\
        inline$Q$0$Entry:\ninline$Q$0$a := c;\nhavoc inline$Q$0$b;\ngoto inline$Q$0$anon0;\n\
        inline$Q$0$anon0:\ngoto inline$Q$0$anon3_Then, inline$Q$0$anon3_Else;\n\
        inline$Q$0$anon3_Else:\nassume {:partition} !inline$Q$0$a;\ninline$Q$0$b := true;\ngoto inline$Q$0$Return;\n\
        inline$Q$0$anon3_Then:\nassume {:partition} inline$Q$0$a;\ninline$Q$0$b := false;\ngoto inline$Q$0$Return;\n\
        inline$Q$0$Return:\nassert inline$Q$0$b <==> !inline$Q$0$a;\nc := inline$Q$0$b;\ngoto anon2_LoopBody$1;\n\
        anon2_LoopBody$1:\ngoto anon2_LoopHead;\n\
        anon2_LoopDone:\nassume {:partition} 0 >= n;\nreturn;\n}";
    let (printed, _) = run(folder.path(), &["boogie", "-printInlined", "-inline:spec", "p.bpl"]);
    assert!(lines(&printed).join("\n").starts_with(inlined), "{printed}");
    // Variables that nothing mentions are gone, and what a global variable was is known when all is set up.
    let text = "var g: int;\nprocedure {:inline 1} Q(a: int)\n  modifies g; { var b, c: int; b := g; g := a + old(g); }\n\
        procedure P(n: int where n > 0)\n  modifies g; { var d: int; call Q(n); }\n";
    write(folder.path(), "q.bpl", text);
    let inlined = "after inlining procedure calls\nprocedure P(n: int where n > 0);\nmodifies g;\nimplementation P(n: int)\n{\n\
        var inline$Q$0$b: int;\nvar inline$Q$0$a: int;\nvar inline$Q$0$g: int;\nanon0:\ngoto inline$Q$0$Entry;\n\
        inline$Q$0$Entry:\ninline$Q$0$a := n;\nhavoc inline$Q$0$b;\ninline$Q$0$g := g;\ngoto inline$Q$0$anon0;\n";
    let (printed, _) = run(folder.path(), &["boogie", "-printInlined", "q.bpl"]);
    assert!(lines(&printed).join("\n").starts_with(inlined), "{printed}");
    // The whole program as it is verified is a program.
    let (printed, _) = run(folder.path(), &["boogie", "-printInstrumented", "p.bpl"]);
    let end = printed.find("Boogie program verifier").expect("a closing line");
    write(folder.path(), "again.bpl", &printed[..end]);
    let (again, code) = run(folder.path(), &["boogie", "again.bpl"]);
    assert_eq!((again.as_str(), code), (&printed[end - 1..], 0), "{printed}");
}

/// What is printed of programs that are verified: blocks that are one in Boogie, in its order, assignments to elements
/// of maps, equality of truth values, loops that are cut, and tests in copies of loops. Seen with Boogie 2.4.1.
#[test]
fn blocks_are_printed_as_boogie_has_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let printed = |text: &str, options: &[&str]| {
        write(folder.path(), "p.bpl", text);
        let mut words = vec!["boogie", "-noVerify", "-printInstrumented", "p.bpl"];
        words.extend(options);
        let (text, _) = run(folder.path(), &words);
        let text = lines(&text).join("\n");
        let start = text.find("anon0").unwrap_or_else(|| panic!("{text}"));
        text[start..].split("\n}").next().unwrap_or_default().to_owned()
    };
    let text = "procedure P(n: int, m: [int][int]int) {\n  var i: int; var a: [int][int]int; var b, c: bool;\n\
        i := 0; a[1][2] := 3; a[i] := a[2]; b := c != (n < 3);\n\
        while (i < n) { if (i == 3) { i := i + 1; } else if (!(i == 4)) { i := i + 2; } else { i := 9; } i := i + 1; }\n\
        assert i >= n; }\n";
    let expected = "anon0:\ni := 0;\na[1][2] := 3;\na[i] := a[2];\nb := c <==> !(n < 3);\ngoto anon7_LoopHead;\n\
        anon7_LoopHead:  // cut point\nassume {:inferred} 0 <= i;\ngoto anon7_LoopDone, anon7_LoopBody;\n\
        anon7_LoopBody:\nassume {:partition} i < n;\ngoto anon8_Then, anon8_Else;\n\
        anon8_Else:\nassume {:partition} i != 3;\ngoto anon9_Then, anon9_Else;\n\
        anon9_Else:\nassume {:partition} i == 4;\ni := 9;\ngoto anon5;\n\
        anon5:\ni := i + 1;\ngoto anon7_LoopHead;\n\
        anon9_Then:\nassume {:partition} !(i == 4);\ni := i + 2;\ngoto anon5;\n\
        anon8_Then:\nassume {:partition} i == 3;\ni := i + 1;\ngoto anon5;\n\
        anon7_LoopDone:\nassume {:partition} n <= i;\nassert i >= n;\nreturn;";
    assert_eq!(printed(text, &["-infer:j"]), expected);
    let text = "procedure P(a: int) { var i: int; i := 0; while (i < a) { i := i + 1; } assert i >= a; }\n";
    let expected = "anon0#1:\ni := 0;\ngoto anon3_LoopHead#1;\nanon3_LoopHead#1:\ngoto anon3_LoopDone#1, anon3_LoopBody#1;\n\
        anon3_LoopBody#1:\nassume {:partition} i < a;\ni := i + 1;\ngoto anon3_LoopHead#0;\n\
        anon3_LoopHead#0:\nassume false;\nreturn;\n\
        anon3_LoopDone#1:\nassume {:partition} a <= i;\nassert i >= a;\nreturn;";
    assert_eq!(printed(text, &["-loopUnroll:1"]), expected);
    // Behind what never holds nothing follows, and before and after each block it is said what is known.
    let text = "procedure P(x: int, p: bool) { var y: int; y := 2; if (x == 1) { y := 10; assume false; }\n\
        assume 3 <= x && x < 6; y := y + x; assume !(y < 6 || p); assume p; }\n";
    let expected = "anon0:\nassume {:inferred} true;\ny := 2;\nassume {:inferred} y == 2;\ngoto anon3_Then, anon3_Else;\n\
        anon3_Else:\nassume {:inferred} y == 2;\nassume {:partition} x != 1;\nassume 3 <= x && x < 6;\ny := y + x;\n\
        assume !(y < 6 || p);\nassume p;\n\
        assume {:inferred} 5 <= y && y < 8 && 3 <= x && x < 6 && p;\nreturn;\n\
        anon3_Then:\nassume {:inferred} y == 2;\nassume {:partition} x == 1;\ny := 10;\nassume false;\n\
        assume {:inferred} false;\nreturn;";
    assert_eq!(printed(text, &["-infer:j", "-instrumentInfer:e"]), expected);
}

/// Errors in programs that are printed stand where they were printed, lines counted as if none were broken, columns
/// from 0. Seen with Boogie 2.4.1, in Boogie 3.5's words.
#[test]
fn errors_stand_where_the_program_was_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let told = |text: &str, options: &[&str]| {
        write(folder.path(), "p.bpl", text);
        let mut words = vec!["boogie", "-env:0", "p.bpl"];
        words.extend(options);
        let (text, _) = run(folder.path(), &words);
        let places = |line: &&str| {
            ["<console>(", "<no file>(", "out.bpl(", "p.bpl("].iter().any(|it| line.trim().starts_with(it))
        };
        text.lines().filter(places).map(|line| line.trim().to_owned()).collect::<Vec<String>>()
    };
    let text = "procedure P(x: int) returns (r: int)\n  requires x > 5;\n  ensures r > 0;\n{\n  var y: int;\n\
        \x20 start: y := x;\n  if (x > 7) { r := x - y; assert r > 0; return; } else { r := 3; }\n\
        \x20 while (y > 0) invariant y > 4; { y := y - 1; }\n}\n";
    // Structured statements, and what the printed text has no word for, keep their places.
    let written = [
        "p.bpl(8,17): Error: this invariant could not be proved to be maintained by the loop",
        "p.bpl(6,3): start",
        "p.bpl(7,61): anon4_Else",
        "p.bpl(8,3): anon5_LoopHead",
        "p.bpl(8,38): anon5_LoopBody",
    ];
    let assertion =
        ["Error: this assertion could not be proved", "p.bpl(6,3): start", "p.bpl(7,18): anon4_Then"];
    for (option, name) in [("-print:-", "<console>"), ("-print:out.bpl", "out.bpl")] {
        let first = format!("{name}(17,8): {}", assertion[0]);
        let expected: Vec<&str> =
            written.iter().copied().chain([first.as_str()]).chain(assertion[1..].iter().copied()).collect();
        assert_eq!(told(text, &[option]), expected);
    }
    // Two lines say first by which command it was printed.
    assert!(told(text, &["-print:-", "-env:1"])[5].starts_with("<console>(19,8)"));
    // Blocks have lines of their own, below what they were made of.
    let blocks = [
        "<console>(40,4): Error: this assertion could not be proved",
        "<console>(33,0): start",
        "<console>(37,0): anon4_Then",
        "<console>(52,4): Error: this invariant could not be proved to be maintained by the loop",
        "<console>(33,0): start",
        "<console>(43,0): anon4_Else",
        "<console>(51,0): anon5_LoopHead",
        "<console>(55,0): anon5_LoopBody",
    ];
    assert_eq!(told(text, &["-print:-", "-printUnstructured"]), blocks);
    let instrumented = [
        "<no file>(21,4): Error: this invariant could not be proved to be maintained by the loop",
        "<no file>(11,0): start",
        "<no file>(15,0): anon4_Else",
        "<no file>(20,0): anon5_LoopHead",
        "<no file>(24,0): anon5_LoopBody",
        "<no file>(36,4): Error: this assertion could not be proved",
        "<no file>(11,0): start",
        "<no file>(33,0): anon4_Then",
    ];
    assert_eq!(told(text, &["-printInstrumented"]), instrumented);
    // A precondition of what was inlined has the place of its call, and a postcondition that of the jump behind it.
    let text = "procedure P(x: int) { var w: int; call w := A(x); }\n\
        procedure {:inline 1} A(x: int) returns (r: int)\n  requires x > 5;\n  ensures r > 9;\n{ r := x; }\n";
    let inlined = [
        "p.bpl(1,35): Error: a precondition for this call could not be proved",
        "p.bpl(3,3): Related location: this is the precondition that could not be proved",
        "<console>(7,0): anon0",
        "<console>(10,0): inline$A$0$Entry",
        "<console>(23,4): Error: a postcondition could not be proved on this return path",
        "p.bpl(4,3): Related location: this is the postcondition that could not be proved",
        "<console>(7,0): anon0",
        "<console>(10,0): inline$A$0$Entry",
        "<console>(20,0): inline$A$0$Return",
    ];
    assert_eq!(told(text, &["-printInlined"]), inlined);
    let both = told(text, &["-printInlined", "-print:-"]);
    assert_eq!(both[0], "<console>(11,4): Error: a precondition for this call could not be proved");
    assert_eq!(
        both[1],
        "<console>(18,2): Related location: this is the precondition that could not be proved"
    );
    // Names and types are looked at after the program was printed.
    let text = "axiom x;\nprocedure P() { assert z > 0; }\n";
    let names = [
        "<console>(2,5): Error: undeclared identifier: x",
        "<console>(10,10): Error: undeclared identifier: z",
    ];
    assert_eq!(told(text, &["-print:-"]), names);
    let text = "axiom 3;\nprocedure P(x: int) { x := 3; assert x + true; }\n";
    let types = [
        "<console>(2,-1): Error: axioms must be of type bool",
        "<console>(10,3): Error: command assigns to an immutable variable: x",
        "<console>(11,10): Error: invalid argument types (int and bool) to binary operator +",
    ];
    assert_eq!(told(text, &["-print:-"]), types);
}
