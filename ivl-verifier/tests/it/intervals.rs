//! Bounds that are inferred (`-infer:j`): which ones, that they prove what needs them, and that nothing else is
//! proved with them.

use ivl_verifier::base::source::Sources;
use ivl_verifier::service::{Expansion, Instrument, Prints, print_expanded};

use crate::concrete::Numbers;
use crate::support::{Session, options};

/// The declarations that all programs here share.
const AROUND: &str = "var g: int where 2 <= g;\nprocedure C(x: int) returns (y: int);\n  requires x >= 0;\n  \
                      ensures y >= 5 && y > x;\nprocedure G();\n  modifies g;\n  ensures g < 8;\n\
                      function {:identity} Lit<T>(x: T): T;\naxiom (forall<T> x: T :: {Lit(x)} Lit(x) == x);\n\
                      function {:identity} Same(x: int): int { x }\nfunction {:identity} Bare(x: int): int;\n\
                      function {:identity} One<T>(x: T): T;\naxiom (forall x: int :: {One(x)} x == One(x));\n\
                      function Plain(x: int): int;\naxiom (forall x: int :: Plain(x) == x);\n\
                      function {:identity false} No(x: int): int;\naxiom (forall x: int :: No(x) == x);\n";

fn program(body: &str) -> String {
    format!(
        "{AROUND}procedure P(n: int, p: bool) returns (r: int)\n  requires 3 < n;\n  modifies g;\n{{\n  \
         var i, j: int;\n  var w: int where w >= 7;\n  var x: real;\n  var b: bool;\n{body}\n}}\n"
    )
}

/// What is assumed at the heads of loops, one after the other.
fn inferred(body: &str) -> Vec<String> {
    let mut sources = Sources::default();
    let file = sources.add("p.bpl", &program(body));
    let expansion = Expansion { intervals: Some(Instrument::Loops), ..Expansion::default() };
    let text = print_expanded(&mut sources, &[file], &expansion, &mut Prints::default()).expect("a program");
    let assumed = text.lines().filter_map(|line| line.trim().strip_prefix("assume {:inferred} "));
    assumed.map(|it| it.trim_end_matches(';').to_owned()).collect()
}

/// Bodies with a loop, and what is inferred at its head. Seen with Boogie 2.4.1, but for the three that are said to
/// differ.
const BOUNDS: &[(&str, &str)] = &[
    // Counted up to a bound that a test names, or beyond all bounds.
    ("i := 0; while (i < 100) { i := i + 1; }", "0 <= i && i < 101"),
    ("i := 0; while (*) { i := i + 1; }", "0 <= i"),
    ("i := 0; while (n > i) { i := i + 1; }", "0 <= i"),
    ("i := 10; while (i != 0) { i := i - 1; }", "0 <= i && i < 11"),
    ("i := 50; while (!(i <= -3)) { i := i - 2; }", "i < 51"),
    // The test may stand on either side, under connectives, and in an assumption or assertion.
    ("i := 0; while (p && 10 > i) { i := i + 1; }", "0 <= i && i < 11"),
    ("i := 0; while (!(p ==> i >= 10)) { i := i + 1; }", "0 <= i"),
    ("i := 0; while (*) { assume i <= 6; i := i + 1; }", "0 <= i && i < 8"),
    ("i := 0; while (*) { assert i <= 6; i := i + 1; }", "0 <= i && i < 8"),
    ("i := 0; while (*) invariant i <= 6; { i := i + 1; }", "0 <= i && i < 8"),
    // A check on which nothing may rely says nothing here; in Boogie it does.
    ("i := 0; while (*) { assert {:subsumption 0} i <= 6; i := i + 1; }", "0 <= i"),
    ("i := 0; while (*) { assert {:verified_under p} i <= 6; i := i + 1; }", "0 <= i"),
    // Either way is possible.
    ("i := 4; while (*) { if (p) { i := 1; } else { i := 9; } }", "1 <= i"),
    ("i := 4; while (i < 9) { if (p) { i := 1; } else { i := 9; } }", "1 <= i && i < 10"),
    ("while (i == 3 || i == 5) { }", "true"),
    ("assume i == 3 || i == 5; while (*) { }", "true"),
    ("assume i == 3; while (*) { }", "i == 3"),
    ("assume 0 <= i && i != 0; while (*) { }", "1 <= i"),
    // Truth values.
    ("b := true; while (b) { if (*) { b := n > 3; } }", "b"),
    ("b := n <= 3; while (*) { }", "!b"),
    ("b := true; while (b) { b := p; }", "true"),
    // What gives its argument back.
    ("i := Lit(0); while (i < Lit(10)) { i := i + Lit(1); }", "0 <= i"),
    ("i := 3; while (i < Lit(Lit(10) + 1)) { i := Same(Lit(i)) + 1; }", "3 <= i"),
    ("i := 4; while (*) { i := 5; assume Lit(7) <= i; }", "i == 4"),
    ("x := Lit(1.5); while (*) { }", "1e0 <= x && x <= 2e0"),
    ("b := Lit(true); while (*) { }", "b"),
    ("assume Lit(n) <= 5; i := n; while (*) { }", "4 <= i"),
    ("i := Plain(0); while (*) { }", "true"),
    ("i := No(0); while (*) { }", "true"),
    // Nothing but the attribute says so of these; that is enough for Boogie.
    ("i := Bare(0); while (*) { }", "true"),
    ("i := One(0); while (*) { }", "true"),
    // Arithmetic.
    ("i := n * n; while (*) { }", "16 <= i"),
    // Boogie says `j < 5`, which is wrong.
    ("assume -2 <= i && i <= 3; j := i * i; while (*) { }", "-2 <= i && i < 4"),
    ("assume i <= -7; j := i div 2; while (*) { }", "i < -6"),
    ("j := i mod -4; while (*) { }", "true"),
    ("j := i div n; while (*) { }", "true"),
    ("i := -n; j := if p then i else 2 - n; while (*) { }", "i < -3 && j < -1"),
    // Real numbers are kept between whole ones; a bound that is not reached is none beyond.
    ("x := 1.5; while (*) { }", "1e0 <= x && x <= 2e0"),
    ("assume x < 3.0; while (*) { }", "x <= 3e0"),
    ("assume x < 2.5; i := int(x); while (*) { }", "x <= 3e0"),
    ("x := real(n); while (*) { }", "true"),
    // Calls, and variables that get any value.
    ("i := n; while (*) { call i := C(i); }", "4 <= i"),
    ("i := 9; while (*) { call i := C(i); }", "9 <= i"),
    ("i := 9; while (*) { call i := C(0); }", "4 <= i"),
    ("j := w; while (*) { havoc w; }", "true"),
    ("i := n; while (*) { havoc i; }", "true"),
    // Nothing is said of what cannot be reached, and at other places where control goes back to.
    ("assume false; while (*) { }", "unreached"),
    ("i := 0; L: i := i + 1; assume i < 9; goto L, M; M: return;", "0 <= i && i < 9"),
];

#[test]
fn bounds_hold_at_the_heads_of_loops() {
    for (body, expected) in BOUNDS {
        let found = inferred(body);
        if *expected == "unreached" {
            assert_eq!(found, Vec::<String>::new(), "{body}");
            continue;
        }
        let [found] = found.as_slice() else { panic!("{body}: {found:?}") };
        assert_eq!(found, *expected, "{body}");
    }
}

#[test]
fn what_a_call_may_change_is_forgotten() {
    // Of the global only what the callee promises is left, and the condition of the variable itself.
    assert_eq!(inferred("g := 5; call G(); while (*) { }"), ["2 <= g && g < 8"]);
    assert_eq!(inferred("g := 5; call i := C(3); while (*) { }"), ["g == 5 && 5 <= i"]);
}

/// Errors of a program whose loop says nothing about what it does.
fn errors(body: &str, intervals: Option<Instrument>) -> usize {
    let mut options = options();
    options.expansion.intervals = intervals;
    Session::with(options).verify("p.bpl", &program(body)).errors()
}

#[test]
fn bounds_prove_what_needs_them_and_nothing_that_is_wrong() {
    let proved = [
        "i := 0; while (i < 100) { i := i + 1; } assert i == 100;",
        "i := 0; j := 1; while (*) { i := i + 1; while (*) { j := j + i; } } assert j >= 1;",
        "b := true; x := 0.5; while (*) { if (b) { x := x + 1.0; } } assert b; assert x >= 0.0;",
    ];
    for body in proved {
        assert!(errors(body, None) > 0, "{body}");
        for everywhere in [Instrument::Loops, Instrument::Everywhere] {
            assert_eq!(errors(body, Some(everywhere)), 0, "{body}");
        }
    }
    // An execution refutes each of these.
    let refuted = [
        "i := 0; while (i < 100) { i := i + 1; } assert i < 100;",
        "i := 0; while (i < 100) { i := i + 3; } assert i == 100;",
        "i := 0; while (*) { assert i <= 6; i := i + 1; }",
        "i := 0; while (*) invariant i <= 6; { i := i + 1; }",
        "b := true; while (*) { b := !b; } assert b;",
        "i := 4; while (*) { if (p) { i := 1; } else { i := 9; } } assert i < 9;",
        "x := 1.5; while (*) { } assert x <= 1.4;",
        "g := 5; call G(); while (*) { } assert g == 5;",
    ];
    for body in refuted {
        for everywhere in [Instrument::Loops, Instrument::Everywhere] {
            assert!(errors(body, Some(everywhere)) > 0, "{body}");
        }
    }
}

#[test]
fn products_do_not_grow_beyond_all_bounds() {
    let body = format!("i := 3; {} while (*) {{ }}", "i := i * i; ".repeat(100));
    assert_eq!(inferred(&body), ["true"]);
    let huge = format!("x := 1.0e900; {} while (*) {{ }}", "x := x * x; ".repeat(9));
    assert_eq!(inferred(&huge), ["true"]);
    let tiny = "x := 1.0e-900; while (*) { }";
    assert_eq!(inferred(tiny).len(), 1);
}

#[test]
fn inference_ends_soon_on_many_nested_loops() {
    let mut body = String::new();
    for level in 0..40 {
        body.push_str(&format!("while (i < {level}) {{ i := i + {level}; j := j - i; w := w + j; "));
    }
    body.push_str(&"}".repeat(40));
    assert_eq!(inferred(&body).len(), 40);
}

/// Random statements over the variables of [`program`]: bounded numbers, tests and loops, and nothing that the solver
/// does not decide.
struct Maker {
    numbers: Numbers,
    text: String,
}

impl Maker {
    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.numbers.below(of.len())]
    }

    fn variable(&mut self) -> &'static str {
        self.one(&["i", "j", "w", "g", "r"])
    }

    fn value(&mut self) -> String {
        let number = self.numbers.below(9);
        match self.numbers.below(7) {
            0 => format!("{number}"),
            1 => format!("{} + {number}", self.variable()),
            2 => format!("{} - {}", self.variable(), self.variable()),
            3 => format!("{} * {number}", self.variable()),
            4 => format!("{} div {}", self.variable(), number + 1),
            5 => format!("{} mod -{}", self.variable(), number + 1),
            _ => format!("(if {} then {} else {number})", self.test(1), self.variable()),
        }
    }

    fn test(&mut self, depth: usize) -> String {
        match self.numbers.below(if depth > 0 { 8 } else { 5 }) {
            0 => "b".to_owned(),
            1 => "!p".to_owned(),
            5 => format!("!({} && {})", self.test(depth - 1), self.test(depth - 1)),
            6 => format!("({} || {})", self.test(depth - 1), self.test(depth - 1)),
            7 => {
                format!("({} {} {})", self.test(depth - 1), self.one(&["==>", "<==>"]), self.test(depth - 1))
            }
            _ => {
                let relation = self.one(&["<", "<=", ">", ">=", "==", "!="]);
                format!("{} {relation} {}", self.variable(), self.numbers.below(20))
            }
        }
    }

    fn statements(&mut self, depth: usize) {
        for _ in 0..=self.numbers.below(3) {
            let text = match self.numbers.below(if depth > 0 { 11 } else { 7 }) {
                0 | 1 => format!("{} := {};", self.variable(), self.value()),
                2 => format!("b := {};", self.test(2)),
                3 => format!("assume {};", self.test(2)),
                4 => format!("havoc {};", self.one(&["i", "b", "w", "g, j"])),
                5 => "call i := C(j);"
                    .replace('i', self.one(&["i", "r", "w"]))
                    .replace('j', self.one(&["j", "3"])),
                6 => "call G();".to_owned(),
                kind => {
                    let test = self.test(1);
                    self.text.push_str(&match kind {
                        7 | 8 => format!("if ({test}) {{\n"),
                        _ => format!("while ({}) {{\n", if kind == 9 { &test } else { "*" }),
                    });
                    self.statements(depth - 1);
                    if kind == 8 {
                        self.text.push_str("} else {\n");
                        self.statements(depth - 1);
                    }
                    "}".to_owned()
                }
            };
            self.text.push_str(&text);
            self.text.push('\n');
        }
    }
}

/// The program of a seed with what is inferred as something to be checked: at the heads of loops, as invariants,
/// which an inference that is right makes inductive.
fn checked(seed: u64, instrument: Instrument) -> String {
    let mut maker = Maker { numbers: Numbers::new(seed), text: String::new() };
    maker.statements(3);
    let mut sources = Sources::default();
    let file = sources.add("p.bpl", &program(&maker.text));
    let expansion = Expansion { intervals: Some(instrument), ..Expansion::default() };
    let text = print_expanded(&mut sources, &[file], &expansion, &mut Prints::default()).expect("a program");
    // Whether preconditions of calls hold is not the question.
    text.replace("assume {:inferred}", "assert").replace("  requires x >= 0;", "  free requires x >= 0;")
}

#[test]
fn what_is_inferred_is_provable() {
    let mut bounds = 0;
    for seed in 0..60 {
        for instrument in [Instrument::Loops, Instrument::Everywhere] {
            let text = checked(seed, instrument);
            bounds += text.matches(" && ").count();
            let seen = Session::with(options()).verify("p.bpl", &text);
            assert_eq!(seen.errors(), 0, "seed {seed}: {}{text}", seen.text);
        }
    }
    assert!(bounds > 600, "{bounds} bounds say little");
}

/// A bound from above, one narrower wherever it stands in something that is checked.
fn narrower(text: &str) -> String {
    let mut words = Vec::new();
    for line in text.lines() {
        let mut below = false;
        for word in line.split(' ') {
            let number: Option<i64> = word.trim_end_matches(';').parse().ok().filter(|_| below);
            words.push(number.map_or(word.to_owned(), |number| {
                word.replace(&number.to_string(), &(number - 1).to_string())
            }));
            below = word == "<" && line.trim_start().starts_with("assert");
        }
        words.push("\n".to_owned());
    }
    words.join(" ")
}

/// The law above notices bounds that are too narrow.
#[test]
fn bounds_that_are_too_narrow_are_noticed() {
    let notices = |seed: &u64| {
        let text = narrower(&checked(*seed, Instrument::Loops));
        Session::with(options()).verify("p.bpl", &text).errors() > 0
    };
    let noticed = (0..25).filter(notices).count();
    assert!(noticed > 0, "no bound is too narrow");
}
