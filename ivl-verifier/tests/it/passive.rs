//! The passive form of programs, as Boogie prints it: whole and in parts.

use crate::command::{run, write};

/// Loops, calls with results and conditions, several returns, incarnations where ways meet.
const PROGRAM: &str = "\
var g: int where g >= 0;
var h: [int]int;
procedure Q(a: int) returns (b: int where b > 0);
  requires a > 0;
  modifies g;
  ensures b == a + g && g == old(g) + 1;
procedure P(x: int where x > 1, y: int) returns (r: int)
  requires y > 0;
  modifies g, h;
  ensures r >= 0;
  ensures g > old(g);
{
  var i: int, k: int;
  i := 0; k := y;
  while (i < x)
    invariant 0 <= i;
    free invariant k == y;
  {
    if (i > 5) { h[i] := k; i := i + 2; } else { call k := Q(i + 1); i := i + 1; }
  }
  if (*) { r := 3; return; }
  assert {:msg \"no\"} i >= 0;
  havoc k;
  r := k * k;
}
";

/// Seen with Boogie 2.4.1 (`-noinfer -traceverify`, behind its last step).
#[test]
fn the_passive_form_has_boogies_blocks_names_and_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", PROGRAM);
    run(folder.path(), &["boogie", "-printPassive:out.bpl", "p.bpl"]);
    let printed = std::fs::read_to_string(folder.path().join("out.bpl")).expect("what was printed");
    let expected = "\
implementation P(x: int, y: int) returns (r: int)
{
  var i: int;
  var k: int;
  var k#AT#0: int;
  var g#AT#0: int;
  var i#AT#0: int;
  var h#AT#0: [int]int;
  var h#AT#1: [int]int;
  var i#AT#1: int;
  var call0formal#AT#a#AT#0: int;
  var g#AT#1: int;
  var call2formal#AT#b#AT#0: int;
  var i#AT#2: int;
  var k#AT#1: int;
  var r#AT#0: int;
  var g#AT#2: int;
  var r#AT#1: int;


  PreconditionGeneratedEntry:
    assume g >= 0;
    assume x > 1;
    assume y > 0;
    goto anon0;

  anon0:
    assert 0 <= 0;
    goto anon7_LoopHead;

  anon7_LoopHead:
    assume g#AT#0 >= 0;
    assume 0 <= i#AT#0;
    assume k#AT#0 == y;
    goto anon7_LoopDone, anon7_LoopBody;

  anon7_LoopBody:
    assume {:partition} i#AT#0 < x;
    goto anon8_Then, anon8_Else;

  anon8_Else:
    assume {:partition} 5 >= i#AT#0;
    assume call2formal#AT#b > 0;
    assume call0formal#AT#a#AT#0 == i#AT#0 + 1;
    assert call0formal#AT#a#AT#0 > 0;
    assume g#AT#1 >= 0;
    assume call2formal#AT#b#AT#0 > 0;
    assume call2formal#AT#b#AT#0 == call0formal#AT#a#AT#0 + g#AT#1 && g#AT#1 == g#AT#0 + 1;
    assume i#AT#2 == i#AT#0 + 1;
    assert 0 <= i#AT#2;
    assume false;
    assume g#AT#2 == g#AT#1;
    assume r#AT#1 == r;
    return;

  anon8_Then:
    assume {:partition} i#AT#0 > 5;
    assume h#AT#1 == h#AT#0[i#AT#0 := k#AT#0];
    assume i#AT#1 == i#AT#0 + 2;
    assert 0 <= i#AT#1;
    assume false;
    assume g#AT#2 == g#AT#0;
    assume r#AT#1 == r;
    return;

  anon7_LoopDone:
    assume {:partition} x <= i#AT#0;
    goto anon9_Then, anon9_Else;

  anon9_Else:
    assert {:msg \"no\"} i#AT#0 >= 0;
    assume r#AT#0 == k#AT#1 * k#AT#1;
    assume g#AT#2 == g#AT#0;
    assume r#AT#1 == r#AT#0;
    goto GeneratedUnifiedExit;

  GeneratedUnifiedExit:
    assert r#AT#1 >= 0;
    assert g#AT#2 > g;
    return;

  anon9_Then:
    assume g#AT#2 == g#AT#0;
    assume r#AT#1 == 3;
    goto GeneratedUnifiedExit;
}
";
    assert!(printed.contains(expected), "{printed}");
    // What is declared besides is there as well.
    assert!(printed.contains("  free ensures") || printed.contains("  ensures g > old(g);"), "{printed}");
}

/// Truth values are said to be equal in the same words as numbers; what is always so is left out of a value. Types are
/// those that were written. Seen with Boogie 2.4.1.
#[test]
fn equations_of_the_passive_form_are_boogies() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "type Id = int;\nvar a: Id;\nvar t: bool;\nprocedure Q();\n  modifies t, a;\n\
        procedure P(p: bool)\n  modifies a, t;\n{ var {:assumption} v: bool; var b, c: bool;\n\
        v := v && p; b := p && t; if (b == p) { t := true; } else { call Q(); } c, a := !t, a + 1; assert c && v; }\n";
    write(folder.path(), "p.bpl", text);
    let (printed, _) = run(folder.path(), &["boogie", "-printPassive:out.bpl", "p.bpl"]);
    assert!(printed.contains("1 error"), "{printed}");
    let printed = std::fs::read_to_string(folder.path().join("out.bpl")).expect("what was printed");
    let expected = "  PreconditionGeneratedEntry:
    goto anon0;

  anon0:
    assume v#AT#0 == p;
    assume b#AT#0 == (p && t);
    goto anon4_Then, anon4_Else;

  anon4_Else:
    assume {:partition} b#AT#0 <==> !p;
    assume t#AT#1 == t#AT#0;
    goto anon3;

  anon3:
    assume c#AT#0 == !t#AT#1 && a#AT#1 == a + 1;
    assert c#AT#0 && v#AT#0;
    return;

  anon4_Then:
    assume {:partition} b#AT#0 <==> p;
    assume t#AT#1 == true;
    goto anon3;
";
    assert!(printed.contains(expected), "{printed}");
    assert!(printed.contains("  var a#AT#0: Id;\n"), "{printed}");
}

/// What each part is called, what it asks and what it takes for known.
#[test]
fn parts_are_printed_with_their_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "procedure P(x: int) returns (r: int)\n  ensures r >= 0;\n{\n  assert {:isolate} x == x;\n\
        \x20 if (x > 0) { r := x; } else { r := 0; return {:isolate}; }\n  assert r >= 0;\n}\n\
        procedure F(x: int)\n{\n  if (x > 0) { assert {:focus} x > 0;\n  } else { assert x <= 0; }\n\
        \x20 assert {:split_here} x == x;\n}\n";
    write(folder.path(), "p.bpl", text);
    let (printed, _) = run(folder.path(), &["boogie", "-printSplit:-", "p.bpl"]);
    let said =
        |line: &&str| ["implementation", "assert", "assume"].iter().any(|it| line.trim().starts_with(it));
    let told: Vec<&str> = printed.lines().filter(said).map(str::trim).collect();
    let expected = [
        "implementation P/return@5(x: int) returns (r: int)",
        "assume x == x;",
        "assume {:partition} 0 >= x;",
        "assume r#AT#0 == 0;",
        "assert r#AT#0 >= 0;",
        "implementation P/remainingAssertions/assert@4(x: int) returns (r: int)",
        "assert {:isolate} x == x;",
        "implementation P/remainingAssertions(x: int) returns (r: int)",
        "assume x == x;",
        "assume {:partition} x > 0;",
        "assert x >= 0;",
        "assume r#AT#0 == x;",
        "assert r#AT#0 >= 0;",
        "implementation F(x: int)",
        "assume {:partition} 0 >= x;",
        "assert x <= 0;",
        "assume x == x;",
        "implementation F/split@12(x: int)",
        "assume {:partition} 0 >= x;",
        "assume x <= 0;",
        "assert {:split_here} x == x;",
        "implementation F/focus[10](x: int)",
        "assume {:partition} x > 0;",
        "assert {:focus} x > 0;",
        "assume x == x;",
        "implementation F/focus[10]/split@12(x: int)",
        "assume {:partition} x > 0;",
        "assume x > 0;",
        "assert {:split_here} x == x;",
    ];
    assert_eq!(told, expected, "{printed}");
    // Each part has a file of its own where a name is given.
    run(folder.path(), &["boogie", "-printSplit:s", "-vcsDumpSplits", "-proc:F", "p.bpl"]);
    for name in ["s-F.spl", "s-F_split_12.spl", "s-F_focus_10_.spl", "F.split.0.bpl", "F.split.3.dot"] {
        assert!(folder.path().join(name).exists(), "{name}");
    }
    let dot = std::fs::read_to_string(folder.path().join("F.split.1.dot")).expect("a graph");
    assert_eq!(dot, "digraph G {\nn0 [label=\"anon0:\\n(1.0+2.0)*1.0\",shape=box];\n}\n");
}

/// The graph of what is asked at once has Boogie's numbers. Seen with Boogie 2.4.1 (`-noinfer -vcsDumpSplits`).
#[test]
fn costs_of_blocks_are_drawn() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", PROGRAM);
    run(folder.path(), &["boogie", "-vcsDumpSplits", "p.bpl"]);
    let dot = std::fs::read_to_string(folder.path().join("P.split.-1.dot")).expect("a graph");
    let expected = "digraph G {
n0 -> n2;
n0 [label=\"PreconditionGeneratedEntry:\\n(1.0+3.0)*1.0\",shape=box];
n2 -> n6;
n2 -> n3;
n2 [label=\"anon7_LoopHead:\\n(0.0+3.0)*1.0\"];
n3 -> n5;
n3 -> n4;
n3 [label=\"anon7_LoopBody:\\n(0.0+1.0)*1.0\"];
n4 [label=\"anon8_Else:\\n(2.0+10.0)*1.0\",shape=box];
n5 [label=\"anon8_Then:\\n(1.0+6.0)*1.0\",shape=box];
n6 -> n9;
n6 -> n7;
n6 [label=\"anon7_LoopDone:\\n(0.0+1.0)*1.0\"];
n7 -> n8;
n7 [label=\"anon9_Else:\\n(1.0+3.0)*1.0\",shape=box];
n8 [label=\"GeneratedUnifiedExit:\\n(2.0+0.0)*1.6\",shape=box];
n9 -> n8;
n9 [label=\"anon9_Then:\\n(0.0+2.0)*1.0\"];
}
";
    assert_eq!(dot, expected);
}

/// What pruning leaves is written before and after, and with each part.
#[test]
fn what_pruning_leaves_is_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "const c: int;\nfunction f(int): int uses { axiom (forall x: int :: {f(x)} f(x) > 0); }\n\
        function g(int): int;\naxiom (forall x: int :: {g(x)} g(x) > 1);\nvar v: int;\n\
        procedure P() { assert f(3) > 0; }\n";
    write(folder.path(), "p.bpl", text);
    run(
        folder.path(),
        &["boogie", "-prune:1", "-printPruned:q", "-printSplit:s", "-printSplitDeclarations", "p.bpl"],
    );
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    let function = "\nfunction f(int) : int\nuses {\naxiom (forall x: int :: { f(x) } f(x) > 0);\n}\n";
    let rest = "\nfunction g(int) : int;\n\naxiom (forall x: int :: { g(x) } g(x) > 1);\n";
    assert_eq!(read("q-before-P"), format!("\nconst c: int;\n{function}{rest}"));
    assert_eq!(read("q-after-P"), function);
    let part = read("s-P.spl");
    assert!(
        part.starts_with("\nimplementation P()\n{\n") && part.contains("    assert f(3) > 0;\n"),
        "{part}"
    );
    assert!(
        part.contains(&format!("}}\n\n\n{function}\nvar v: int;\n")) && !part.contains("g(int)"),
        "{part}"
    );
}
