//! Programs as they are printed: as they were read, and as they are verified.

use crate::command::{lines, run, write};

#[test]
fn programs_are_printed_as_they_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = "type T _;\ndatatype D<a> { C(f: a), E() }\nconst unique c: T int;\nvar g: <a>[T a]a where g[c] > 0;\n\
        function f<a>(a, [int]bool): bool;\nfunction {:inline} h(x: int): int { (if x > 0 && (x < 9 || x == -1) then x - (1 - x) else h(x)[0 := 1][2]) }\n\
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
    // A line that is broken counts as one, also in the implementations before.
    let sum = "1000000000000 + y > 1000000000000 + y - 1";
    let text = format!(
        "procedure Q(y: int) {{ assert {sum} || {sum} || y > 3; }}\nprocedure P(x: int) {{ assert x > 3; }}\n"
    );
    let broken = ["<no file>(23,4): Error: this assertion could not be proved", "<no file>(22,0): anon0"];
    assert_eq!(told(&text, &["-printInstrumented"]), broken);
}

/// Attributes of quantifiers stay where the program is printed as it was resolved, as they were written. Seen with
/// Boogie 2.4.1.
#[test]
fn attributes_of_quantifiers_are_printed_as_they_were_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "function f(int): int;
procedure {:inline 1} Q(y: int) requires (exists z: int :: {:qid \"ex\"} z > y);
{ assert (forall i: int :: {:mine y, \"t\"} {:weight 5} {:skolemid \"7\"} {f(i)} f(i) > i); }
procedure P(x: int)
{ var m: [int]int; m := (lambda i: int :: {:lb 3} i + x);
  call Q(x); assert (forall i: int :: {:nopats f(i)} {:qid \"late\"} i > x); }
";
    write(folder.path(), "p.bpl", text);
    for option in ["-printInlined", "-printInstrumented"] {
        let (printed, _) = run(folder.path(), &["boogie", "-noVerify", option, "p.bpl"]);
        for line in [
            "m := (lambda i: int :: {:lb 3} i + x);",
            "assert (exists z: int :: {:qid \"ex\"} z > inline$Q$0$y);",
            "assert (forall i: int :: {:mine y, \"t\"} {:weight 5} {:skolemid \"7\"} { f(i) } f(i) > i);",
            "assert (forall i: int :: {:qid \"late\"} {:nopats f(i) } i > x);",
        ] {
            assert!(printed.contains(line), "{option}: {line}\n{printed}");
        }
    }
}

/// Attributes are printed as they were written, whatever became of what they are at. Seen with Boogie 2.4.1.
#[test]
fn attributes_are_printed_as_they_were_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "type S = int;\nfunction f(x: S): S;\nvar {:global 1} g: int where g > 0;\n\
        procedure {:inline 1} Q({:in 3} a: S where a > 1) returns ({:out} r: S where r > a);\n\
        \x20 requires {:req a} a > 2;\n  free requires a > 3;\n  modifies g;\n  ensures {:ens} r > old(g);\n\
        implementation {:inline 1} {:impl} Q(a: S) returns (r: S) {\n  var {:loc \"x\"} l: S where l > 0;\n\
        \x20 assume {:print \"x\", l} l > 2;\n  assert {:msg \"hey\"} {:id \"k\"} l > 1;\n\
        \x20 assume {:captureState \"s\"} true;\n\
        \x20 assert (forall i: int :: {:weight 3} {f(i)} f(i) > 0);\n  r := l;\n\
        \x20 while (r < a) invariant {:inv a} r > 0; free invariant {:finv} true; { r := r + 1; }\n\
        \x20 call {:cl a} P(r);\n}\nprocedure P(x: int);\n\
        procedure {:main} M() modifies g; { var k: S; call {:si} k := Q(k + 1); }\n";
    write(folder.path(), "p.bpl", text);
    let expected = "implementation {:main} M()\n{\nvar k: S;\nvar {:loc \"x\"} inline$Q$0$l: S where inline$Q$0$l > 0;\n\
        var {:in 3} inline$Q$0$a: S;\nvar {:out} inline$Q$0$r: S where inline$Q$0$r > inline$Q$0$a;\n\
        var inline$Q$0$g: int;\nanon0:\ngoto inline$Q$0$Entry;\n\
        inline$Q$0$Entry:\ninline$Q$0$a := k + 1;\nassert inline$Q$0$a > 2;\nassert true;\n\
        havoc inline$Q$0$l /* where inline$Q$0$l > 0 */, inline$Q$0$r /* where inline$Q$0$r > inline$Q$0$a */;\n\
        inline$Q$0$g := g;\ngoto inline$Q$0$anon0;\n\
        inline$Q$0$anon0:\nassume {:print \"x\", l} inline$Q$0$l > 2;\n\
        assert {:msg \"hey\"} {:id \"k\"} inline$Q$0$l > 1;\nassume {:captureState \"s\"} true;\n\
        assert (forall i: int :: {:weight 3} { f(i) } f(i) > 0);\ninline$Q$0$r := inline$Q$0$l;\n\
        goto inline$Q$0$anon3_LoopHead;\ninline$Q$0$anon3_LoopHead:\nassert {:inv a} inline$Q$0$r > 0;\n\
        assume {:finv} true;\n";
    for option in ["-printInlined", "-printInstrumented"] {
        let (printed, _) = run(folder.path(), &["boogie", "-noVerify", option, "p.bpl"]);
        let printed = lines(&printed).join("\n");
        assert!(printed.contains(expected), "{option}: {printed}");
        assert!(printed.contains("call {:cl a} P(inline$Q$0$r);"), "{option}: {printed}");
    }
    // Invariants of unrolled loops are assertions.
    let (printed, _) =
        run(folder.path(), &["boogie", "-noVerify", "-printInstrumented", "-loopUnroll:1", "p.bpl"]);
    assert!(
        printed.contains("assert {:inv a} r > 0;") && printed.contains("assume {:finv} true;"),
        "{printed}"
    );
    // Errors stand at the commands, also behind one that stands for an attribute.
    let text = "procedure P(x: int) {\n  assume {:print x} x > 1;\n  assert {:id \"k\"} x > 2;\n}\n";
    write(folder.path(), "q.bpl", text);
    let (told, _) = run(folder.path(), &["boogie", "-printInstrumented", "q.bpl"]);
    let line =
        told.lines().position(|line| line.contains("assert {:id \"k\"} x > 2;")).expect("the assertion");
    assert!(told.contains(&format!("<no file>({},4): Error", line + 1)), "{told}");
}

/// Seen with Boogie 2.4.1.
#[test]
fn calls_are_printed_with_what_they_stand_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "type Set a = [a]bool;\ntype F a;\nvar h: <a>[F a]a;\nvar g: int where g > 0;\nvar gg: Set int;\n\
        axiom (forall x: bool, y: bool :: (x == y) != y);\n\
        procedure Q<a>(f: F a, v: a where v == v) returns (r: a, s: int where s > g, t: Set a where t[v]);\n\
        \x20 requires h[f] == v;\n  free requires g > 4;\n  modifies h, g;\n\
        \x20 ensures {:ee} h == old(h)[f := r];\n  free ensures old(g) + g == s + old(s);\n  ensures old(gg) == gg;\n\
        procedure P(i: F int) modifies h, g; {\n  var k: int; var s: int where s > k; var z: Set int;\n\
        \x20 h[i] := h[i] + 1;\n  call {:cc 3} {:dd} k, s, z := Q(i, k);\n  while (k < 3) { havoc s, g; call E(); }\n}\n\
        procedure E();\n";
    write(folder.path(), "p.bpl", text);
    let call = "
    call {:cc 3} {:dd} k, s, z := Q(i, k);
    /*** desugaring:
    {
      var call0formal#AT#f: F int;
      var call1formal#AT#v: int;
      var call2old#AT#h: <a>[F a]a;
      var call3old#AT#g: int;
      var call4formal#AT#r: int;
      var call5formal#AT#s: int where call5formal#AT#s > g;
      var call6formal#AT#t: Set int where call6formal#AT#t[call1formal#AT#v];
      call0formal#AT#f := i;
      call1formal#AT#v := k;
      assert {:cc 3} {:dd} h[call0formal#AT#f] == call1formal#AT#v;
      call2old#AT#h := h;
      call3old#AT#g := g;
      havoc h, g /* where g > 0 */, call4formal#AT#r, call5formal#AT#s /* where call5formal#AT#s > g */, call6formal#AT#t /* where call6formal#AT#t[call1formal#AT#v] */;
      assume h == call2old#AT#h[call0formal#AT#f := call4formal#AT#r];
      assume call3old#AT#g + g == call5formal#AT#s + call5formal#AT#s;
      assume gg == gg;
      k := call4formal#AT#r;
      s := call5formal#AT#s;
      z := call6formal#AT#t;
    }
    **** end desugaring */
";
    let inside = "
        havoc s /* where s > k */, g /* where g > 0 */;
        call E();
        /*** desugaring:
        {
          havoc ;
        }
        **** end desugaring */
";
    let (told, _) =
        run(folder.path(), &["boogie", "-noVerify", "-print:-", "-env:0", "-printDesugared", "p.bpl"]);
    for part in [call, inside, "\n    h[i] := h[i] + 1;\n"] {
        assert!(told.contains(part), "{part} in {told}");
    }
    // First as it was parsed, then as it was understood.
    assert!(told.contains(":: (x == y) != y);") && told.contains(":: x <==> y <==> !y);"), "{told}");
    assert_eq!(told.matches("procedure E();").count(), 2, "{told}");
    // What is not understood is printed once.
    write(folder.path(), "q.bpl", "procedure P() { call Q(); assert 3; }\nprocedure Q();\n");
    let (told, _) =
        run(folder.path(), &["boogie", "-noVerify", "-print:-", "-env:0", "-printDesugared", "q.bpl"]);
    assert_eq!(told.matches("procedure Q();").count(), 1, "{told}");
    assert!(told.contains("<console>(9,3): Error: an asserted expression"), "{told}");
}

/// Seen with Boogie 2.4.1.
#[test]
fn parameters_of_generic_procedures_have_the_types_of_what_is_passed_as_they_are_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "type S = [int]bool;\nvar s: S; var t: [int]bool;\n\
        procedure Q<a>(x: a) returns (y: a);\n\
        procedure P(i: int) modifies s, t; { call s := Q(t); call t := Q(s); call s := Q(s[i := true]); }\n";
    write(folder.path(), "p.bpl", text);
    let (told, _) =
        run(folder.path(), &["boogie", "-noVerify", "-print:-", "-env:0", "-printDesugared", "p.bpl"]);
    let types = told.lines().filter_map(|line| line.trim().strip_prefix("var call")?.strip_suffix(';'));
    let expected = [
        "0formal#AT#x: [int]bool",
        "1formal#AT#y: S",
        "0formal#AT#x: S",
        "1formal#AT#y: [int]bool",
        "0formal#AT#x: S",
        "1formal#AT#y: S",
    ];
    assert_eq!(types.collect::<Vec<_>>(), expected, "{told}");
}

/// Seen with Boogie 2.4.1.
#[test]
fn what_was_inferred_says_so_where_loops_are_unrolled() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "procedure P(n: int) {\n  var i: int;\n  i := 0;\n  while (i < n) invariant true; {\n\
        \x20   i := i + 1;\n    if (i > 5) { break; }\n  }\n  assert i >= 0;\n}\n";
    write(folder.path(), "p.bpl", text);
    let options = ["boogie", "-infer:j", "-loopUnroll:2", "-printInstrumented", "p.bpl"];
    let (told, _) = run(folder.path(), &options);
    assert_eq!(told.matches("    assume {:inferred} 0 <= i && i < 6;\n").count(), 3, "{told}");
    assert!(told.contains("1 verified, 0 errors"), "{told}");
    // What is asserted where control is not looked at further is still checked.
    write(folder.path(), "q.bpl", &text.replace("invariant true", "invariant i < 2"));
    let (told, _) = run(folder.path(), &["boogie", "-infer:j", "-loopUnroll:2", "q.bpl"]);
    assert!(told.contains("0 verified, 1 error"), "{told}");
}

/// Seen with Boogie 2.4.1.
#[test]
fn control_flow_is_written_for_graphviz() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "procedure P(x: int) { if (x > 0) { assert x > 1; } while (*) { } goto A, B; A: return; B: goto A; }\n\
        procedure Q() { }\n";
    write(folder.path(), "p.bpl", text);
    let (_, code) = run(folder.path(), &["boogie", "-noVerify", "-printCFG:flow", "p.bpl"]);
    assert_eq!(code, 0);
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a graph");
    let expected = "digraph G {
  \"anon0\" [shape=box];
  \"anon5_Then\" [shape=box];
  \"anon5_Else\" [shape=box];
  \"anon2\" [shape=box];
  \"anon6_LoopHead\" [shape=box];
  \"anon6_LoopDone\" [shape=box];
  \"anon6_LoopBody\" [shape=box];
  \"anon4\" [shape=box];
  \"A\" [shape=box];
  \"B\" [shape=box];
  \"anon0\" -> \"anon5_Then\";
  \"anon0\" -> \"anon5_Else\";
";
    assert!(read("flow.P.dot").starts_with(expected), "{}", read("flow.P.dot"));
    assert_eq!(read("flow.Q.dot"), "digraph G {\n  \"anon0\" [shape=box];\n}\n");
}

/// Seen with Boogie 2.4.1.
#[test]
fn empty_lines_and_parentheses_stand_where_boogie_has_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let printed = |text: &str| {
        write(folder.path(), "p.bpl", text);
        let options = ["boogie", "-noVerify", "-print:-", "-env:0", "-printUnstructured", "p.bpl"];
        run(folder.path(), &options).0
    };
    let end = "\nBoogie program verifier finished with 0 verified, 0 errors\n";
    assert_eq!(printed("// nothing\n"), format!("\n{end}"));
    let text = "type B a b;\ntype A;\nconst x: B (B A A) ([A]A);\nconst y: B ([A]A) A;\nprocedure P() { }\n";
    let expected = "
type B _ _;

type A;

const x: B (B A A) [A]A;

const y: B ([A]A) A;

procedure P();



implementation P()
{
  /*** structured program:
  **** end structured program */

  anon0:
    return;
}


";
    assert_eq!(printed(text), format!("{expected}{end}"));
}

#[test]
fn copies_are_not_called_as_the_program_calls_something() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "var g: int;\nprocedure {:inline 1} Set(v: int) modifies g; { g := v; }\n\
        procedure M() modifies g; { var inline$q, inline$$$: int; call Set(inline$q + inline$$$); }\n\
        procedure N() modifies g; { inline$lab: call Set(3); }\n";
    write(folder.path(), "p.bpl", text);
    let (printed, _) = run(folder.path(), &["boogie", "-noVerify", "-printInlined", "p.bpl"]);
    for part in [
        "inline$$$$Set$0$Entry:\n    inline$$$$Set$0$v := inline$q + inline$$$;",
        "goto inline$$Set$0$Entry;",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
}

/// Boogie quotes what could be taken for a type or a keyword wherever it is a name, and types are names until they are
/// resolved; labels are never quoted.
#[test]
fn names_that_look_like_types_are_quoted() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "const bv3: int;\nconst bvx: rmode;\nfunction bv7(cast: bv8) : [bv2]bv1;\nvar public: bv9999999999;\n\
        procedure {:inline 1} bv1(bv2: bv2)\n{\n  var bv4: bv2;\n\n  bv5:\n    bv4 := bv2;\n    goto bv5;\n}\n\
        procedure Q(b: bv2)\n{\n  call bv1(b);\n}\n";
    write(folder.path(), "p.bpl", &text.replace("var public: bv9999999999;\n", ""));
    write(folder.path(), "q.bpl", text);
    let (printed, _) = run(folder.path(), &["boogie", "-noVerify", "-noResolve", "-print:-", "q.bpl"]);
    for part in [
        "const \\bv3: int;",
        "const bvx: \\rmode;",
        "function \\bv7(\\cast: \\bv8) : [\\bv2]\\bv1;",
        "var \\public: bv9999999999;",
        "procedure {:inline 1} \\bv1(\\bv2: \\bv2);",
        "  var \\bv4: \\bv2;\n\n  bv5:\n    \\bv4 := \\bv2;\n    goto bv5;",
        "    call \\bv1(b);",
    ] {
        assert!(printed.contains(part), "{part}: {printed}");
    }
    let (printed, _) = run(folder.path(), &["boogie", "-noVerify", "-printInlined", "p.bpl"]);
    assert!(printed.contains("implementation Q(b: bv2)\n{\n  var inline$bv1$0$bv4: bv2;"), "{printed}");
}

/// As in Boogie, where a function is defined by an axiom of its own unless its body is put in the place of calls or is a
/// definition for the solver.
#[test]
fn functions_are_printed_with_the_axioms_that_define_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "function {:k 1} f(x: int, y: bool): int { x } uses { axiom f(1, true) == 1; }\n\
        function {:inline false} g<T>(x: T): bv8 { 3bv8 }\nrevealed function n(): int { 3 }\n\
        function u(int): int { 3 }\nfunction {:inline} {:define false} i(x: int): int { x }\nfunction {:define} d(x: int): int { x }\n\
        datatype {:a} D { C({:b} x: int) }\nprocedure P() { assert f(2, true) == n(); }\n";
    write(folder.path(), "p.bpl", text);
    let expected = "\nfunction {:k 1} f(x: int, y: bool) : int\nuses {\n\
        axiom (forall x: int, y: bool :: {:k 1} { f(x, y): int } f(x, y): int == x);\naxiom f(1, true) == 1;\n}\n\n\
        function {:inline false} g<T>(x: T) : \\bv8\nuses {\n\
        axiom (forall<T> x: T :: {:inline false} { g(x): \\bv8 } g(x): \\bv8 == 3bv8);\n}\n\n\
        revealed function n() : int\nuses {\naxiom n(): int == 3;\n}\n\n\
        function u(int) : int\nuses {\naxiom (forall _0: int :: { u(_0): int } u(_0): int == 3);\n}\n\n\
        function {:inline} {:define false} i(x: int) : int\n{\n  x\n}\n\nfunction {:define} d(x: int) : int\n{\n  x\n}\n\n\
        datatype D {\n  C(x: int)\n}\n\nprocedure P();\n";
    let (printed, _) = run(folder.path(), &["boogie", "-noVerify", "-env:0", "-print:-", "p.bpl"]);
    assert!(printed.starts_with(expected), "{printed}");
    // Where types are known they are no names any more.
    let (printed, _) = run(folder.path(), &["boogie", "-noVerify", "-printInstrumented", "p.bpl"]);
    assert!(printed.trim_start().starts_with(expected.replace("\\bv8", "bv8").trim_start()), "{printed}");
}

/// Seen with Boogie 2.4.1.
#[test]
fn attributes_of_names_for_values_are_printed_and_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "axiom (var {:a 1} y, {:b \"t\"} z := 1, 2; {:c \"x\", y + z} {:d} y < z);\n";
    write(folder.path(), "p.bpl", text);
    let (printed, _) = run(folder.path(), &["boogie", "-noVerify", "-env:0", "-print:-", "p.bpl"]);
    assert!(printed.starts_with(&format!("\n{text}\n")), "{printed}");
    let wrong =
        [("zz", "(1,23): Error: undeclared identifier: zz"), ("1 + true", "(1,25): Error: invalid arg")];
    for (attribute, expected) in wrong {
        write(folder.path(), "q.bpl", &format!("axiom (var y := 1; {{:c {attribute}}} y < 2);\n"));
        let (said, _) = run(folder.path(), &["boogie", "q.bpl"]);
        assert!(said.starts_with(&format!("q.bpl{expected}")), "{said}");
    }
}
