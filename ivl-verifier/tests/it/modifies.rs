//! `-doModSetAnalysis` (`-inferModifies`): what procedures change is what their bodies change.

use crate::command::{run, write};

/// What clauses name counts only where there is no body; verdicts are those of Boogie 2.4.1.
#[test]
fn procedures_with_bodies_change_what_these_change_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "\
var g: int; var h: int;
procedure Direct() modifies g, h; { g := g; }
procedure Callee() { call Direct(); }
procedure Without() modifies g, h; { }
procedure NoBody(); modifies g, h;
procedure Forgets() { havoc h; }
procedure Recursive(n: int) modifies g, h; { if (n > 0) { call Other(n - 1); } }
procedure Other(n: int) { call Recursive(n); call Without(); h := n; }
procedure P() { h := 3; call Direct(); assert h == 3; assert g == old(g); }
procedure Q() { h := 3; call Callee(); assert h == 3; assert g == old(g); }
procedure R() { call Without(); assert h == old(h) && g == old(g); }
procedure S() { call NoBody(); assert h == old(h); assert g == old(g); }
procedure T() { call Forgets(); assert g == old(g); assert h == old(h); }
procedure U() { call Recursive(2); assert g == old(g); assert h == old(h); }
";
    write(folder.path(), "p.bpl", text);
    for option in ["-doModSetAnalysis", "-inferModifies"] {
        let (told, _) = run(folder.path(), &["boogie", "-noinfer", option, "p.bpl"]);
        let errors: Vec<&str> = told.lines().filter_map(|line| Some(line.split_once(": Error")?.0)).collect();
        let expected =
            ["p.bpl(9,55)", "p.bpl(10,55)", "p.bpl(12,32)", "p.bpl(12,52)", "p.bpl(13,53)", "p.bpl(14,56)"];
        assert_eq!(errors, expected, "{option}: {told}");
    }
}
