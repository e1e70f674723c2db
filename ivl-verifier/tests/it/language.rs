//! The language, construct by construct: programs in which `// expect: error` stands behind every check that must
//! fail, and every other one must be proved.

use ivl_verifier::report::Verdict;
use ivl_verifier::service::{Axioms, Expansion, Hiding, Inlining, Maps, Options};
use ivl_verifier::syntax::library::library;

use crate::command::{run, write};
use crate::support::{Session, fixture, options};

/// Verifies a fixture, twice in one session: what fails is what is marked, and the second time nothing
/// is asked.
fn check(name: &str) {
    check_with(name, options());
}

/// The same with options.
fn check_with(name: &str, options: Options) {
    let file = format!("{name}.bpl");
    let text = std::fs::read_to_string(fixture(&format!("language/{file}"))).expect("a fixture");
    let marked: Vec<String> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.ends_with("// expect: error"))
        .map(|(index, _)| format!("{file}({}", index + 1))
        .collect();
    let mut session = Session::with(options);
    for round in 0..2 {
        let seen = session.verify(&file, &text);
        let mut found: Vec<String> = seen
            .text
            .lines()
            .filter(|line| line.contains("): Error"))
            .filter_map(|line| line.split_once(',').map(|(place, _)| place.to_owned()))
            .collect();
        found.sort_by_key(|place| (place.len(), place.clone()));
        assert_eq!(found, marked, "{}", seen.text);
        assert!(
            !seen.text.contains("inconclusive") && !seen.text.contains("errors detected"),
            "{}",
            seen.text
        );
        assert!(round == 0 || seen.asked().is_empty(), "asked again: {:?}", seen.asked());
    }
}

#[test]
fn polymorphic_programs_are_proved_for_all_types() {
    check("polymorphic");
}

#[test]
fn quantifiers_over_types_may_stand_anywhere() {
    check("named");
}

#[test]
fn terms_of_pools_are_put_for_the_variables_of_quantifiers() {
    check("pools");
}

#[test]
fn what_is_bound_inside_stays_inside() {
    check("bound");
}

#[test]
fn code_expressions_have_loops_and_calls() {
    check("code");
}

#[test]
fn names_of_the_solver_are_names_like_others() {
    check("names");
}

#[test]
fn theories_of_the_solver_are_reached_by_their_names() {
    check("theories");
}

#[test]
fn clients_print_old_notations() {
    check("clients");
}

#[test]
fn maps_are_read_as_they_are_written() {
    for maps in [Maps::Chosen, Maps::Arrays, Maps::Axioms] {
        check_with("maps", Options { maps, ..options() });
    }
}

/// Nothing says of maps with axioms that they are equal where their elements are.
#[test]
fn maps_with_equal_elements_are_equal_as_arrays_only() {
    let text = "procedure P(m: [int]int, i: int) { assert m[i := m[i]] == m; }\n";
    for (maps, holds) in [(Maps::Arrays, true), (Maps::Chosen, true), (Maps::Axioms, false)] {
        assert_eq!(said(Options { maps, ..options() }, text).is_empty(), holds, "{maps:?}");
    }
    // What only arrays have makes arrays of all maps.
    let text = format!("function {{:builtin \"store\"}} put([int]int, int, int): [int]int;\n{text}");
    assert!(said(Options { maps: Maps::Axioms, ..options() }, &text).is_empty());
}

#[test]
fn what_a_built_in_function_is_given_too_much_of_is_no_answer() {
    for (declared, applied) in [
        ("{:builtin \"not\"} f(bool, bool): bool", "f(false, false)"),
        ("{:builtin \"rem\"} f(int, int, int): int", "f(5, 3, 1) == 2"),
        ("{:builtin \"MapConst\"} f(int, int): [int]int", "f(1, 2)[0] == 1"),
        ("{:builtin \"MapConst\"} f(bool): [int,int]int", "f(true)[0, 0] == 1"),
        (
            "{:builtin \"MapAdd\"} f([int]int, [bool]int): [int]int",
            "(forall a: [int]int, b: [bool]int :: f(a, b)[0] == 1)",
        ),
        ("{:bvbuiltin \"bvnot\"} f(bv8, int): bv8", "f(0bv8, 1) == 255bv8"),
        ("{:bvbuiltin \"(_ int2bv 8)\"} f(int, int): bv8", "f(3, 4) == 3bv8"),
    ] {
        let text = said(options(), &format!("function {declared};\nprocedure P() {{ assert {applied}; }}\n"));
        assert!(text.contains("Verification inconclusive (P)"), "{declared}: {text}");
    }
}

#[test]
fn values_are_those_of_the_place_where_they_are_bound() {
    check("values");
}

#[test]
fn bodies_mean_what_they_do() {
    check("bodies");
}

#[test]
fn conditions_of_inlined_variables() {
    check("conditions");
}

/// Verifies a text with options, and gives what is said.
fn said(options: Options, text: &str) -> String {
    let mut session = Session::with(options);
    session.verify("p.bpl", text).text
}

/// Boogie assumes the conditions of all global variables on entry.
#[test]
fn conditions_of_global_variables_hold_where_only_others_are_mentioned() {
    let text = "var a: int where a > 0;\nvar b: int where a < b && b < c;\nvar c: int where c < 5;\n\
        procedure P() { assert a < 4; }\n\
        procedure Q() modifies a; { havoc a; assert a < 4; }\n\
        procedure R() { assert a < 2; }\n";
    let failed = |line| {
        format!(
            "p.bpl({line}): Error: this assertion could not be proved\nExecution trace:\n    p.bpl({line}): anon0\n"
        )
    };
    for axioms in [Axioms::Reached, Axioms::AsPruned, Axioms::All] {
        let with = || Options { axioms, ..options() };
        let first = failed("5,38").replace("5,38): anon0", "5,29): anon0");
        assert_eq!(said(with(), text), first + &failed("6,17"), "{axioms:?}");
        let none = "var a: int where false; function f(int): int; var b: int where (forall i: int :: {f(i)} f(i) < b);\n\
            procedure P() { assert false; }\n";
        assert_eq!(said(with(), none), "");
    }
}

#[test]
fn loops_are_followed_as_often_as_asked() {
    let text = "procedure P(n: int) {\n  var i: int;\n  i := 0;\n  while (i < n) { i := i + 1; }\n  assert i != 2;\n}\n";
    let unrolled = |times, sound| {
        let expansion =
            Expansion { loop_unroll: Some(times), sound_unrolling: sound, ..Expansion::default() };
        said(Options { expansion, ..options() }, text)
    };
    // Boogie 2.4.1 says the same: the head to which the last back edge leads is not looked at, nor left.
    assert_eq!(unrolled(0, false), "");
    assert_eq!(unrolled(2, false), "");
    assert_eq!(
        unrolled(3, false),
        "p.bpl(5,3): Error: this assertion could not be proved\nExecution trace:\n    p.bpl(3,5): anon0#3\n    \
         p.bpl(4,21): anon3_LoopBody#3\n    p.bpl(4,21): anon3_LoopBody#2\n    p.bpl(4,3): anon3_LoopDone#3\n"
    );
    assert_eq!(
        unrolled(1, true),
        "p.bpl(4,3): Error: this assertion could not be proved\nExecution trace:\n    p.bpl(3,5): anon0#1\n    \
         p.bpl(4,21): anon3_LoopBody#1\n    p.bpl(4,3): anon3_LoopHead#0\n"
    );
}

/// As Boogie 2.4.1 says with `-kInductionDepth:2`.
#[test]
fn loops_are_proved_by_induction_as_deep_as_asked() {
    let with = |depth| {
        let expansion = Expansion { induction: Some(depth), ..Expansion::default() };
        Options { expansion, ..options() }
    };
    check_with("induction", with(2));
    let text = "procedure P() {\n  var a, b, c, t: int;\n  a, b, c := 1, 2, 3;\n  while (*) invariant a != b; {\n    while (*) { t := t + 1; assert t != 3; }\n    t := a; a := b; b := c; c := t;\n  }\n}\n";
    let error = |at: &str, trace: &[&str]| {
        let trace: String = trace.iter().map(|line| format!("    p.bpl{line}\n")).collect();
        format!("p.bpl({at}): Error: this assertion could not be proved\nExecution trace:\n{trace}")
    };
    let entry = "(3,11): anon0";
    let inner = "(5,19): anon5_LoopBody_step_assertion";
    let head = "(4,3): anon4_LoopHead_step_assertion";
    assert_eq!(said(with(0), text), error("4,13", &[entry, head]) + &error("5,29", &[entry, head, inner]));
    let told = said(with(3), text);
    assert!(!told.contains("p.bpl(4,13)"), "{told}");
    let first = ["(4,3): anon4_LoopHead_base_1", "(5,19): anon5_LoopBody_base_1_base_1"];
    assert!(told.starts_with(&error("5,29", &[entry, first[0], first[1]])), "{told}");
}

#[test]
fn calls_are_inlined_as_asked() {
    let text = "procedure {:inline 0} Q();\n  ensures false;\nimplementation Q() { assume false; }\nprocedure P() {\n  call Q();\n  assert false;\n}\n";
    let with = |inlining| {
        let expansion = Expansion { inlining, ..Expansion::default() };
        said(Options { expansion, ..options() }, text)
    };
    assert_eq!(with(Inlining::Assume), "");
    assert_eq!(with(Inlining::Spec), "");
    assert!(with(Inlining::Assert).starts_with("p.bpl(5,3): Error"));
}

/// As Boogie 2.4.1 says: the body is there, so a free call is checked, and what is free is nowhere relied on.
#[test]
fn conditions_around_inlined_bodies_are_checked_unless_they_are_free() {
    let callee = "procedure {:inline 1} A(x: int) returns (y: int) requires x > 5; { y := x; }\n";
    let unchecked = format!("{callee}procedure P() {{ var y: int; free call y := A(3); }}\n");
    assert!(said(options(), &unchecked).starts_with("p.bpl(2,34): Error: a precondition"));
    let free = "procedure {:inline 1} A(x: int) returns (y: int)\n  free requires x > 5; free ensures y > 5; { y := x; }\n";
    let trusted =
        format!("{free}procedure P(x: int) {{ var y: int; call y := A(x); assert x > 5 || y > 5; }}\n");
    assert!(said(options(), &trusted).starts_with("p.bpl(3,51): Error: this assertion"));
    // What is assumed behind the body is no check, and is relied on.
    let callee =
        "procedure {:inline 1} A(x: int) returns (y: int) ensures {:InlineAssume} y > 5; { y := x; }\n";
    let assumed = |claim: &str| {
        said(
            options(),
            &format!("{callee}procedure P(x: int) {{ var y: int; call y := A(x); assert {claim}; }}\n"),
        )
    };
    assert_eq!(assumed("x > 5"), "");
    assert!(assumed("x > 6").starts_with("p.bpl(2,51): Error: this assertion"));
}

#[test]
fn conditions_of_inlined_bodies_that_are_free_are_printed_as_boogie_prints_them() {
    let text = "procedure {:inline 1} A(x: int) free requires x > 5; requires x > 6; free ensures x > 7; { }\nprocedure P() { call A(9); }\n";
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", text);
    let (text, _) = run(folder.path(), &["boogie", "-printInlined", "p.bpl"]);
    let place = |line: &str| text.lines().position(|it| it.trim() == line).expect(line);
    assert_eq!(place("assert inline$A$0$x > 6;"), place("assert true;") + 1, "{text}");
    assert!(place("assume true;") > place("inline$A$0$Return:"), "{text}");
}

#[test]
fn pieces_behind_inlined_calls_are_called_after_the_block_that_they_are_of() {
    let text = "procedure {:inline 1} A() { }\nprocedure P(b: bool) {\n  if (b) { return; }\n  call A();\n  call A();\n  assert false;\n}\n";
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "p.bpl", text);
    let (text, _) = run(folder.path(), &["boogie", "p.bpl"]);
    // Boogie 2.4.1 says the same: what comes behind `return` is a part of the way that goes there.
    assert!(text.contains("p.bpl(3,3): anon3_Else$2\n"), "{text}");
}

#[test]
fn what_procedures_change_is_inferred_where_asked() {
    let text = "var x: int;\nprocedure P() requires x == 0; { call Q(); assert x == 0; }\nprocedure Q() { x := 1; }\n";
    assert!(said(options(), text).contains("modifies clause"));
    let expansion = Expansion { infer_modifies: true, ..Expansion::default() };
    assert!(said(Options { expansion, ..options() }, text).starts_with("p.bpl(2,44): Error: this assertion"));
}

#[test]
fn an_attribute_that_is_given_twice_means_its_last_value_and_bodies_to_inline_are_not_verified() {
    let body = "{ assert false; }\n";
    for (attributes, verified) in [
        ("{:inline}", true),
        ("{:inline 1}", false),
        ("{:inline -1}", false),
        ("{:inline true}", false),
        ("{:inline 1, 2}", true),
        ("{:verify 1}", true),
        ("{:verify true} {:verify false}", false),
        ("{:verify false} {:verify true}", true),
    ] {
        let seen = Session::in_memory().verify("p.bpl", &format!("procedure {attributes} P() {body}"));
        assert_eq!(
            (seen.reports.len(), seen.errors()),
            (usize::from(verified), usize::from(verified)),
            "{attributes}"
        );
    }
    // What an implementation says counts for it; how often to inline is up to the procedure.
    let text = format!("procedure {{:verify false}} P();\nimplementation {{:verify true}} P() {body}");
    assert_eq!(Session::in_memory().verify("p.bpl", &text).errors(), 1);
    let text = "var x: int; procedure {:inline 1} P(); modifies x;\nimplementation {:inline 0} P() { x := 1; }\nprocedure Q() modifies x; { call P(); assert x == 1; assert false; }\n";
    assert_eq!(Session::in_memory().verify("p.bpl", text).errors(), 1);
}

#[test]
fn the_first_text_that_stands_alone_is_the_message() {
    let text = "procedure P() { assert {:msg \"a\", 1} false; }\nprocedure Q() { assert {:msg 1} {:msg \"b\"} {:msg \"c\"} false; }\n";
    let seen = Session::with(options()).verify("p.bpl", text);
    let errors = seen.reports.iter().flat_map(|report| &report.errors);
    let messages: Vec<&str> = errors.map(|error| error.diagnostic.message.as_str()).collect();
    assert_eq!(messages, ["this assertion could not be proved", "b"]);
}

#[test]
fn candidates_that_fail_are_dropped() {
    let text = "const {:existential true} a: bool;\nconst {:existential true} b: bool;\nvar x: int;\nprocedure P() modifies x; ensures a ==> x > 0; ensures b ==> x == 2; { x := 1; }\nprocedure Q() modifies x; { call P(); assert x > 0; assert x == 2; }\n";
    let mut session = Session::with(Options { infer_contracts: true, ..options() });
    let seen = session.verify("p.bpl", text);
    assert_eq!(seen.assignment, [("a".to_owned(), true), ("b".to_owned(), false)]);
    assert!(seen.text.starts_with("p.bpl(5,53): Error") && seen.errors() == 1, "{}", seen.text);
}

#[test]
fn pruning_drops_what_nothing_leads_to() {
    let text = "function f(int): bool;\naxiom (forall x: int :: f(x));\nprocedure P() { assert f(1); }\n";
    assert_eq!(said(options(), text), "");
    assert!(said(Options { axioms: Axioms::AsPruned, ..options() }, text).starts_with("p.bpl(3,17): Error"));
}

#[test]
fn libraries_hold_together() {
    let base = library("base").expect("a library");
    let text = format!(
        "{base}{}\nprocedure P(v: Vec int, a: [int]bool) {{\n  assert Vec_Nth(Vec_Append(v, 3), Vec_Len(v)) == 3;\n  assert Set_IsSubset(a, Set_Union(a, Set_Singleton(4)));\n  assert Map_At(Map_Update(Map_Empty(), 1, true), 1);\n  assert Set_Size(Set_Remove(Set_Add(a, 5), 5)) == Set_Size(Set_Add(a, 5)) - 1;\n  assert false;\n}}\n",
        library("set_size").expect("a library")
    );
    let mut session = Session::in_memory();
    let seen = session.verify("p.bpl", &text);
    assert_eq!(seen.errors(), 1, "{}", seen.text);
    assert!(library("nothing").is_none());
}

#[test]
fn the_solver_is_told_when_to_instantiate_before_it_is_made() {
    // Each step costs its weight; the default stops before the last one.
    let text = "function f(int): int;\naxiom (forall x: int :: {:weight 30} { f(x) } x > 0 ==> f(x) == f(x - 1));\nprocedure P() { assert f(2) == f(0); }\n";
    assert!(said(options(), text).starts_with("p.bpl(3,17): Error"));
    let solver_options = vec![("qi.eager_threshold".to_owned(), "100".to_owned())];
    assert_eq!(said(Options { solver_options, ..options() }, text), "");
}

#[test]
fn lambdas_are_one_where_only_fixed_parts_and_names_differ() {
    // Without the axiom that maps with equal elements are equal, the same function of equal parts remains.
    let arrays = vec![("array.extensional".to_owned(), "false".to_owned())];
    let with = |lift_variables, body: &str| {
        let text = format!(
            "function f(int): int;\nprocedure P(m: [int,int]int, a: int, b: int) requires a == b; {{\n  {body}\n}}\n"
        );
        said(Options { lift_variables, solver_options: arrays.clone(), ..options() }, &text).is_empty()
    };
    let parts = "assert (lambda x: int :: x + m[a, a]) == (lambda x: int :: x + m[a, b]);";
    assert!(with(false, parts) && !with(true, parts));
    let names = "assert (lambda x: int :: (exists y: int :: { f(y) } f(y) == x)) == \
        (lambda u: int :: (exists v: int :: { f(v) } f(v) == u));";
    assert!(with(false, names) && with(true, names));
    // Literals are no parts: these are two functions.
    assert!(!with(false, "assert (lambda x: int :: 1) == (lambda x: int :: 2 - 1);"));
    // Triggers and attributes make a difference.
    assert!(!with(
        false,
        "assert (lambda x: int :: (exists y: int :: { f(y) } f(y) == x)) == \
         (lambda x: int :: (exists y: int :: f(y) == x));"
    ));
    assert!(!with(
        false,
        "assert (lambda x: int :: (exists y: int :: {:a} { f(y) } f(y) == x)) == \
         (lambda x: int :: (exists y: int :: {:b} { f(y) } f(y) == x));"
    ));
}

#[test]
fn types_are_inferred_from_how_values_are_used() {
    let front = "const p: <a>[]a;\nconst q: [int]bool;\n";
    let warned = |axiom: &str| said(options(), &format!("{front}axiom {axiom};\n"));
    assert_eq!(warned("p[][4 := true] == q"), "");
    assert_eq!(
        warned("p[][4]"),
        "p.bpl(3,7): Warning: type parameter a is ambiguous, instantiating to <arg0,res>[arg0]res\n"
    );
    assert_eq!(
        warned("p[] ++ 3bv4 == 5bv9"),
        "p.bpl(3,7): Warning: type parameter a is ambiguous, instantiating to bv5\n"
    );
    assert!(warned("p[] ++ 3bv4 == 1bv2").contains("invalid argument types"));
    assert!(warned("p[][true := true] == q").contains("invalid argument types ([?]? and [int]bool)"));
    assert_eq!(
        warned("p[][2:0] == 1bv2"),
        "p.bpl(3,7): Warning: type parameter a is ambiguous, instantiating to bv2\n"
    );
}

/// A field of which the value has none is that of the first constructor with one, and changing it makes a value of that
/// constructor, of the value's other fields.
#[test]
fn a_field_that_the_value_does_not_have_is_changed_by_the_first_constructor_with_one() {
    let proved = |statements: &str| {
        let text = format!(
            "datatype D {{ A(x: int), B(x: int, y: bool), C(y: bool) }}\n\
             procedure P(d: D) {{ var e: D; {statements} }}\n"
        );
        Session::in_memory().verify("p.bpl", &text).errors() == 0
    };
    assert!(proved("assert d->(x := 3)->x == 3;"));
    assert!(proved("e := d; e->x := 3; assert e->x == 3;"));
    assert!(proved("assume d is A; assert d->(x := 3) == A(3);"));
    assert!(proved("assume d is B; assert d->(x := 3) == B(3, d->y);"));
    assert!(proved("assume d is C; assert d->(x := 3) == A(3);"));
    assert!(!proved("assume d is C; assert d->(x := 3) == d;"));
    assert!(proved("assume d == A(7); assert d->(y := true) == B(7, true);"));
    assert!(proved("assume d == C(true); assert d->y;"));
    assert!(!proved("assume d == C(true); assert d->x == 0;"));
}

#[test]
fn nodes_of_a_list_are_between_its_ends() {
    let libraries = [library("base"), library("node")].map(|text| text.expect("a library")).concat();
    let text = format!(
        "{libraries}\ntype V;\nprocedure P(f: [One Loc]Node V, x: Loc, y: Loc)\n  \
         requires f[One(x)]->next == Some(y) && f[One(y)]->next == None() && x != y;\n{{\n  \
         assert Between(f, Some(x), Some(y), None());\n  \
         assert BetweenSet(f, Some(x), None())[Some(y)];\n  assert !Between(f, Some(y), Some(x), None());\n  \
         assert false;\n}}\n"
    );
    let seen = Session::in_memory().verify("p.bpl", &text);
    assert_eq!(seen.errors(), 1, "{}", seen.text);
    assert!(seen.text.contains("this assertion") && seen.errors() == 1);
}

/// A function with an axiom that can be hidden, and a procedure that is inlined.
fn hiding(callee: &str, caller: &str) -> String {
    format!(
        "function f(x: int): int uses {{ hideable axiom (forall x: int :: {{ f(x) }} f(x) == x); }}\n\
         procedure {{:inline 1}} Q(x: int); requires f(x) == x || x == 7; ensures f(x + 1) == x + 1 || x == 7;\n\
         implementation {{:inline 1}} Q(x: int) {{ {callee} }}\n\
         procedure P(b: bool) {{ {caller} }}\n"
    )
}

#[test]
fn what_is_hidden_stays_hidden_in_and_behind_inlined_procedures() {
    let failing = |callee: &str, caller: &str| {
        let seen = Session::with(options()).verify("p.bpl", &hiding(callee, caller));
        assert!(!seen.text.contains("errors detected"), "{}", seen.text);
        seen.errors()
    };
    // Nothing is hidden; then the caller hides before the call: the precondition, what the body checks and the
    // postcondition are checked with what the caller may use.
    assert_eq!(failing("assert f(5) == 5;", "call Q(1);"), 0);
    assert_eq!(failing("assert f(5) == 5;", "hide f; call Q(1);"), 3);
    assert_eq!(failing("assert f(5) == 5;", "hide f; call Q(7);"), 1);
    // The callee reveals for itself and its caller, or in a scope of its own.
    assert_eq!(failing("reveal f;", "hide f; call Q(7); assert f(2) == 2;"), 0);
    assert_eq!(failing("push; reveal f; assert f(3) == 3; pop;", "hide f; call Q(7); assert f(2) == 2;"), 1);
    // It hides for itself and its caller, and not when it is not called.
    assert_eq!(failing("hide *;", "call Q(7); assert f(2) == 2;"), 1);
    assert_eq!(failing("push; hide *; pop;", "call Q(7); assert f(2) == 2;"), 0);
    assert_eq!(failing("hide *;", "if (b) { call Q(7); assert f(3) == 3; } assert f(2) == 2;"), 1);
    // Returns meet, too: what is visible at one of them is for the postconditions.
    for (first, expected) in [("reveal f; ", 0), ("", 1)] {
        let text = format!(
            "function f(int): int uses {{ hideable axiom (forall x: int :: {{ f(x) }} f(x) > 0); }}\n\
             procedure G() ensures f(1) > 0; {{ var b: bool; hide f; if (b) {{ {first}return; }} }}\n"
        );
        assert_eq!(Session::with(options()).verify("p.bpl", &text).errors(), expected);
    }
}

#[test]
fn what_is_asked_at_once_may_use_what_one_check_may() {
    let failing = |hiding: Hiding, body: &str| {
        let expansion = Expansion { hiding, ..Expansion::default() };
        let seen = Session::with(Options { expansion, ..options() }).verify("p.bpl", &self::hiding("", body));
        assert!(!seen.text.contains("errors detected"), "{}", seen.text);
        seen.errors()
    };
    let apart = "hide f; assert f(2) == 2; reveal f; assert f(3) == 3;";
    let hidden = "hide f; assert f(2) == 2; reveal f;";
    let counts = |body: &str| {
        [Hiding::EachCheck, Hiding::Together, Hiding::Ignored].map(|hiding| failing(hiding, body))
    };
    assert_eq!(counts(apart), [1, 0, 0]);
    assert_eq!(counts(hidden), [1, 1, 0]);
    // What is to be asked in pieces is not asked at once.
    assert_eq!(counts("hide f; assert f(2) == 2; reveal f; assert {:split_here} f(3) == 3;"), [1, 1, 0]);
}

#[test]
fn hidden_axioms_prove_nothing() {
    let front = "function f(x: int): int uses { hideable axiom (forall x: int :: { f(x) } f(x) == x); }\n\
        revealed function g(x: int): int uses { hideable axiom (forall x: int :: { g(x) } g(x) == x); }\n";
    let proved = |body: &str| {
        let text = format!("{front}procedure P(b: bool) ensures b ==> f(1) == 1; {{\n{body}\n}}\n");
        let said = said(options(), &text);
        assert!(!said.contains("error") && !said.contains("undeclared"), "{said}");
        said.is_empty()
    };
    // Everything can be used until something is hidden, and what is revealed for good always.
    assert!(proved("assert f(2) == 2;"));
    assert!(!proved("hide f; assert f(2) == 2; reveal f;"));
    assert!(proved("hide *; assert g(2) == 2; reveal *;"));
    // A check behind another one may use what is visible there, and no more.
    assert!(proved("hide *; reveal f; assert f(2) == 2;"));
    assert!(!proved("assert f(2) == 2; hide f; assert f(3) == 3; reveal f;"));
    // What was proved is known.
    assert!(proved("assert f(2) == 2; hide f; assert f(2) == 2; reveal f;"));
    // Scopes bring back what was visible before.
    assert!(!proved("hide f; push; reveal f; pop; assert f(2) == 2; reveal f;"));
    assert!(proved("push; hide f; pop; assert f(2) == 2;"));
    // Where ways meet, what one of them may use may be used; what both hide is hidden.
    assert!(proved("if (b) { hide f; } assert f(2) == 2; reveal f;"));
    assert!(!proved("if (b) { hide f; } else { hide *; } assert f(2) == 2; reveal f;"));
    // So it is in each of several scopes.
    assert!(!proved("hide f; push; if (b) { reveal f; } pop; assert f(2) == 2; reveal f;"));
    assert!(proved("hide f; if (b) { reveal f; } push; hide f; pop; assert f(2) == 2; reveal f;"));
    // What a loop reveals is not known when it is entered, and what is revealed for a while is known then only.
    assert!(!proved("hide f; while (*) { assert f(2) == 2; reveal f; } reveal f;"));
    assert!(proved("hide f; while (*) { reveal f; assert f(2) == 2; } reveal f;"));
    let kept = |end: &str| {
        proved(&format!(
            "var i: int; i := 0; while (*) invariant f(i) == i; {{ hide f; i := i + 1; {end} }} reveal f;"
        ))
    };
    assert!(kept("reveal f;") && !kept(""));
    // Postconditions and invariants are checks too.
    assert!(!proved("hide f;"));
    assert!(!proved("hide f; while (*) invariant f(2) == 2; { } reveal f;"));
    // A check at the head of a loop is an invariant only if nothing stands before it.
    let looping = |between: &str| {
        let start = "var i: int; i := 0; goto head; head:";
        let end = "if (i > 5) { goto done; } i := i + 1; goto head; done: return;";
        proved(&format!("{start} assert i >= 0; {between} assert i <= 6; {end}"))
    };
    assert!(looping("") && !looping("push; pop;"));
    // Scopes belong to each way.
    for unbalanced in
        ["pop;", "if (b) { push; }", "if (b) { push; } else { push; pop; }", "while (*) { pop; }"]
    {
        let text = format!("{front}procedure P(b: bool) {{ {unbalanced} }}");
        assert!(said(options(), &text).contains("unbalanced use of push and pop"), "{unbalanced}");
    }
    // The words are names elsewhere.
    assert_eq!(
        said(
            options(),
            "var hide: int;\nprocedure push() modifies hide; { havoc hide; assume hide == 1; call push(); }\n"
        ),
        ""
    );
}

/// What is chosen for two quantifiers is one thing only if somebody lies.
#[cfg(feature = "plant")]
#[test]
fn a_lie_about_what_is_chosen_for_pools_is_found() {
    use ivl_verifier::base::plant::Fault;
    let text = "function f(int): int;
                axiom (forall {:pool \"A\"} x: int :: f(x) >= 0);
                procedure P() requires (exists x: int :: {:add_to_pool \"A\", x} f(x) == 1);
                  requires (exists x: int :: {:add_to_pool \"A\", x} f(x) == 2); ensures false; {}";
    let errors = |options: Options| Session::with(options).verify("p.bpl", text).errors();
    assert_eq!(errors(options()), 1);
    assert_eq!(errors(Options { fault: Some(Fault::ChooseOnce), ..options() }), 0, "the lie is not told");
}

#[test]
fn bit_vectors_of_no_bits_are_refused_in_one_way() {
    for text in [
        "procedure P() { assert 0bv0 == 0bv0; }",
        "procedure P(x: bv8) { assert x[2:2] == x[1:1]; }",
        "procedure P(x: bv0) { assert x == x; }",
        "procedure P(x: bv8) { assert x ++ 0bv0 == x; }",
        "procedure P(x: int) { var m: [bv0]int; assert m[0bv0] == x; }",
    ] {
        let seen = Session::from_scratch().verify("p.bpl", text);
        let Verdict::Unsupported(why) = &seen.reports[0].verdict else { panic!("{text}: {}", seen.text) };
        assert_eq!(why, "bit vectors of width 0 are not supported", "{text}");
    }
}
