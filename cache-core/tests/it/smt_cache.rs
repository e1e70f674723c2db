//! Laws of the example `smt_cache`, with a solver that is a few lines of shell: it says what a file tells it, so that a
//! test knows when it was asked. What a real solver says is the business of `cargo xtask oracle smt`.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::{Cursor, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use clap::Parser;

#[cfg(target_os = "linux")]
mod ends;
#[cfg(feature = "plant")]
mod parts;
mod transcript;

#[expect(dead_code, reason = "as a program it has a `main`")]
#[path = "../../examples/smt_cache/main.rs"]
mod example;

/// Says `verdict` to every check (or is at work for ever), `value` of every value, the error `doubt` of what is doubtful, takes `wrong` for an error, and
/// notes every command.
const SOLVER: &str = r#"#!/bin/sh
cd "$(dirname "$0")" || exit 9
[ "$1" = --version ] && { cat version; exit 0; }
echo started >> started
echo "$*" > arguments
status=0
while IFS= read -r line || [ -n "$line" ]; do
  echo >> lines
  # As Z3 4.8 counts behind a comment.
  case "$previous" in *\;) more=1 ;; *) more=0 ;; esac
  previous=$line
  case "$line" in
    *'(echo "'*)
      line=${line#*\"}; echo "${line%\"*}"
      [ "$success" ] && grep -q cvc5 version && echo success ;;
    *'(set-logic NONE'*) echo unsupported ;;
    *':source'*) echo "$line" > source ;;
    *'(start)'*) echo "(error \"Parse Error: <stdin>:$(($(wc -l < lines) - 1)).6: start" ;;
    *somewhere*) echo '(error "Parse Error: <stdin>:5.6: somewhere' ;;
    *whereabouts*) before=${line%%\(*}; echo "(error \"column $((${#before} + more))\")" ;;
    *'(check-sat-assuming (wrong'*) echo '(error "line 1 column 9: unknown constant wrong")'; status=1 ;;
    *'(check-sat'*)
      [ -e forever ] && { exec 3> forever; echo >&3; exec sleep 600; }
      [ -s last ] && { cat last; exit 0; }
      [ -e lazy ] && [ ! "$warm" ] && { warm=1; echo unknown; continue; }
      cat verdict; echo "${line##* }" >> checks ;;
    *doubtful*) [ -s doubt ] && echo "(error \"line $(wc -l < lines | tr -d ' ') column 14: $(cat doubt)\")" ;;
    *'(get-value (wrong'*) echo '(error "line 1 column 9: unknown constant wrong")'; status=1 ;;
    *'(get-value ('*) line=${line#*"(get-value ("}; echo "((${line%%)*} $(cat value)))" ;;
    *'(get-unsat-core'*) cat core ;;
    *'(labels)'*) echo '(labels @1)' ;;
    *'(get-option :print-success)'*) [ "$success" ] && echo true || echo false ;;
    *':late'*) [ -s checks ] && { echo '(error "solver is already fully initialized")'; exit 1; } ;;
    *':regular-output-channel'*) line=${line#*\"}; exec > "${line%\"*}" ;;
    *':print-success true'*) success=1; echo success ;;
    *':print-success false'*) success= ;;
    *'(exit)'*) [ "$success" ] && echo success; exit $status ;;
    *'(set-option :wrong'*) echo "(error \"line 2 column 19: unknown parameter 'odd'\")"; status=1 ;;
    *'(get-unsat-assumptions'*) echo '()' ;;
    *'(get-model'*) [ -s refusal ] && { cat refusal; continue; }
      echo '(error "line 1 column 11: model is not available")'; status=1 ;;
    *'(assert broken'*) echo "(error \"line $(wc -l < lines | tr -d ' ') column 14: not well sorted\")" ;;
    *'wrong'*) echo '(error "line 1 column 9: unknown constant wrong")'; status=1 ;;
    *'('*) [ "$success" ] && echo success ;;
  esac
done
[ "$*" = "${*#*-st}" ] || echo "(:started $(wc -l < started | tr -d ' '))"
exit $status
"#;

struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("z3");
        // Written by another process: a program cannot be started while a child that was just made holds it open.
        let mut writer = Command::new("sh")
            .args(["-c", "cat > \"$0\" && chmod 755 \"$0\""])
            .arg(&program)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        writer.stdin.take().unwrap().write_all(SOLVER.as_bytes()).unwrap();
        assert!(writer.wait().unwrap().success());
        let bench = Self { folder };
        bench.is("Z3");
        bench.says("sat");
        bench.gives("4");
        bench.names("(one two)");
        bench
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// The solver's name.
    fn is(&self, name: &str) {
        fs::write(self.path("version"), format!("{name} of this test\n")).unwrap();
    }

    fn says(&self, verdict: &str) {
        self.ends("");
        fs::write(self.path("verdict"), format!("{verdict}\n")).unwrap();
    }

    /// The last words of a solver that ends instead of answering a check; none for one that answers.
    fn ends(&self, words: &str) {
        let words = if words.is_empty() { String::new() } else { format!("{words}\n") };
        fs::write(self.path("last"), words).unwrap();
    }

    fn gives(&self, value: &str) {
        fs::write(self.path("value"), value).unwrap();
    }

    /// The core of a contradiction.
    fn names(&self, core: &str) {
        fs::write(self.path("core"), format!("{core}\n")).unwrap();
    }

    /// How often the solver was started.
    fn started(&self) -> usize {
        fs::read_to_string(self.path("started")).map_or(0, |text| text.lines().count())
    }

    /// The transcript and the status.
    fn run_with(&self, script: &str, options: &[&str], arguments: &[&str]) -> (String, u8) {
        let arguments: Vec<&str> = ["-in"].iter().chain(arguments).copied().collect();
        self.run_by(&self.path("z3"), &self.path("cache"), script, options, &arguments)
    }

    fn run_by(
        &self,
        solver: &Path,
        cache: &Path,
        script: &str,
        options: &[&str],
        arguments: &[&str],
    ) -> (String, u8) {
        let mut words = vec!["smt_cache", "--solver", solver.to_str().unwrap()];
        words.extend(["--cache-dir", cache.to_str().unwrap()]);
        words.extend(options);
        words.push("--");
        words.extend(arguments);
        let options = example::Options::parse_from(words);
        let mut out = Vec::new();
        let input = Box::new(Cursor::new(script.as_bytes().to_vec()));
        let status = example::run(&options, input, &mut out).unwrap();
        (String::from_utf8(out).unwrap(), status)
    }

    /// The transcript of a script in a file.
    fn run_file(&self, name: &str) -> String {
        self.run_by(&self.path("z3"), &self.path("cache"), "", &[], &[name]).0
    }

    fn run(&self, script: &str) -> String {
        self.run_with(script, &[], &[]).0
    }

    /// Whether the solver is needed for a script, after whatever was run before.
    fn asks(&self, script: &str) -> bool {
        let before = self.started();
        self.run(script);
        self.started() > before
    }
}

#[test]
fn the_solver_is_started_once_and_answers_come_back_in_the_askers_names() {
    let bench = Bench::new();
    let script =
        |x: &str| format!("(declare-const {x} Int)\n(assert (> {x} 3))\n(check-sat)\n(get-value ({x}))\n");
    assert_eq!(bench.run(&script("x")), "sat\n((x 4))\n");
    assert_eq!(bench.run(&script("|a b|")), "sat\n((|a b| 4))\n");
    assert_eq!(bench.started(), 1);
}

#[test]
fn names_order_levels_and_white_space_do_not_matter() {
    let bench = Bench::new();
    bench.run("(declare-const x Int)(declare-fun p (Int) Bool)(assert (p x))(assert (forall ((y Int)) (p y)))(check-sat)");
    assert!(!bench.asks(
        "(declare-fun q (Int) Bool) ; another order\n(assert (forall ((z Int)) (q z)))\n(push 1)(declare-fun x () Int)
         (assert (q x))(check-sat)"
    ));
}

#[test]
fn a_name_that_only_looks_like_one_of_a_theory_does_not_matter() {
    let bench = Bench::new();
    assert!(bench.asks("(declare-const x Int)(declare-fun f (Int) Int)(assert (> (f x) 3))(check-sat)"));
    for (function, constant) in [("char_at", "intval"), ("bv1", "string1"), ("is_empty", "remainder")] {
        let script = format!(
            "(declare-const {constant} Int)(declare-fun {function} (Int) Int)\
             (assert (> ({function} {constant}) 3))(check-sat)"
        );
        assert!(!bench.asks(&script), "{script}");
    }
}

#[test]
fn a_bound_variable_with_a_declared_name_is_told_in_the_askers_names() {
    let bench = Bench::new();
    let script = |name: &str, other: &str| {
        format!(
            "(declare-const {name} Int)(declare-const {other} Int)(assert (> {name} 3))(check-sat)\
             (get-value ((let (({name} {other})) (= {name} {other}))))"
        )
    };
    bench.run(&script("x", "y"));
    let before = bench.started();
    let said = bench.run(&script("u", "v"));
    assert_eq!(bench.started(), before);
    assert!(said.contains("(let ((u v") && !said.contains('x'), "{said}");
    // A variable that no declaration speaks of keeps its name in the answer, so it is asked about by its name.
    let free =
        |bound: &str| script("x", "y").replace("((x y)) (= x y)", &format!("(({bound} y)) (= {bound} y)"));
    assert!(bench.asks(&free("p")));
    assert!(bench.asks(&free("q")));
}

#[test]
fn what_means_something_else_is_another_question() {
    let bench = Bench::new();
    bench.run("(declare-const x Int)(declare-const y Int)(assert (> x 3))(assert (< y 2))(check-sat)");
    for other in [
        "(declare-const x Int)(declare-const y Int)(assert (> x 3))(assert (< x 2))(check-sat)",
        "(declare-const x Real)(declare-const y Int)(assert (> x 3))(assert (< y 2))(check-sat)",
        "(declare-const x Int)(declare-const y Int)(assert (> x 3))(assert (< y 2))(assert (> y 1))(check-sat)",
        "(declare-const x Int)(declare-const y Int)(assert (> x 3))(push 1)(assert (< y 2))(pop 1)(check-sat)",
        "(set-option :smt.arith.solver 2)(declare-const x Int)(declare-const y Int)(assert (> x 3))(assert (< y 2))(check-sat)",
        "(declare-const x Int)(declare-const y Int)(assert (> x 3))(check-sat-assuming ((< y 2)))",
        // A function that a theory has already is no renamed copy of one that it has not.
        "(declare-fun abs (Bool) Int)(assert (= (abs (- 5)) 5))(check-sat)",
        "(declare-fun f (Bool) Int)(assert (= (f (- 5)) 5))(check-sat)",
        "(declare-fun head (Bool) Int)(declare-const l (List Int))(assert (= (head l) (head true)))(check-sat)",
        "(declare-fun h (Bool) Int)(declare-const l (List Int))(assert (= (h l) (h true)))(check-sat)",
        "(declare-fun is-nil (Int) Bool)(declare-const l (List Int))(assert (is-nil l))(check-sat)",
        "(declare-fun p (Int) Bool)(declare-const l (List Int))(assert (p l))(check-sat)",
        "(declare-fun equals (Bool Bool) Int)(assert (equals 1 1))(check-sat)",
        "(declare-fun g (Bool Bool) Int)(assert (g 1 1))(check-sat)",
        // One name with two sorts is not two names.
        "(declare-fun f (Int) Int)(declare-fun f (Bool) Int)(assert (= (f 1) (f true)))(check-sat)",
        "(declare-fun f (Int) Int)(declare-fun g (Bool) Int)(assert (= (g 1) (g true)))(check-sat)",
    ] {
        assert!(bench.asks(other), "{other}");
    }
}

/// Solvers pass over bound variables where they look for sorts, functions, indices and constructors, and choose among
/// declarations by those that there are; what an option changes is read differently behind it.
#[test]
fn what_only_the_solver_can_resolve_is_another_question() {
    const TREE: &str = "(declare-datatypes ((D 0)) (((c) (d) (k (s Int)) (m (t Int)))))(declare-const x D)";
    const SORTS: &str = "(declare-sort S 0)(declare-sort T 0)(assert (forall ((u S)(v S)) (= u v)))";
    const ARRAYS: &str =
        "(declare-fun f (Int) Int)(declare-fun g (Int) Int)(assert (= (f 1) 2))(assert (= (g 1) 3))";
    let sorts = |binder: &str, sort: &str| {
        format!(
            "{SORTS}(assert (forall (({binder} S)) (exists ((y {sort})(z {sort})) (distinct y z))))(check-sat)"
        )
    };
    let parameter = |name: &str| format!("{SORTS}(define-sort F ({name}) (Array Int {name}))(check-sat)");
    let tester = |bound: &str, name: &str| {
        format!("{TREE}(assert (= x c))(assert (let (({bound} 3)) ((_ is {name}) x)))(check-sat)")
    };
    let case = |bound: &str| {
        format!("{TREE}(assert (= 1 (let (({bound} 3)) (match x ((({bound} h) 1) (v 2))))))(check-sat)")
    };
    let mapped = |name: &str| {
        format!("{ARRAYS}(assert (let (({name} 0)) (= 2 (select (_ as-array {name}) 1))))(check-sat)")
    };
    let own = |name: &str| format!("{TREE}(declare-fun {name} (D) Bool)(assert ({name} x))(check-sat)");
    let list = |name: &str| {
        format!(
            "(declare-const l (List Int))(assert (= 1 (match l (({name} 0) ((insert h t) 1)))))(check-sat)"
        )
    };
    let (later, earlier) = ("(declare-fun h (Int) Int)", "(declare-fun h (Real) Int)(assert (= (h 1) 2))");
    let encoding = "(set-option :encoding ascii)";
    let text = "(assert (= (str.len \"\\u{1ffff}\") 2))";
    for (one, other) in [
        (sorts("S", "S"), sorts("T", "T")),
        (parameter("S"), parameter("X")),
        (tester("c", "c"), tester("d", "d")),
        (case("k"), case("m")),
        (mapped("f"), mapped("g")),
        (own("of"), own("is-c")),
        (list("nil"), list("other")),
        (format!("{earlier}{later}(check-sat)"), {
            let (declared, asserted) = earlier.split_once("(assert").unwrap();
            format!("{declared}{later}(assert{asserted}(check-sat)")
        }),
        (
            format!("(declare-const s String){text}{encoding}(check-sat)"),
            format!("(declare-const s String){encoding}{text}(check-sat)"),
        ),
    ] {
        let bench = Bench::new();
        bench.run(&one);
        assert!(!bench.asks(&one), "{one}");
        assert!(bench.asks(&other), "{one}\n{other}");
    }
}

#[test]
fn what_was_said_of_a_model_belongs_to_it() {
    let bench = Bench::new();
    let begin = "(declare-const x Int)(declare-const y Int)(check-sat)";
    bench.run(&format!("{begin}(get-value (x))(get-value (y))"));
    // Either name alone is the first question again; one of them twice is not both of them.
    assert!(!bench.asks(&format!("{begin}(get-value (y))")));
    assert!(bench.asks(&format!("{begin}(get-value (x))(get-value (x))")));
}

/// A solver decides some checks only thanks to what it was asked before, which nobody who knows the answers asks it.
#[test]
fn a_solver_that_gives_up_alone_is_told_all_that_was_asked() {
    let bench = Bench::new();
    let script =
        "(declare-const x Int)(push 1)(assert (> x 1))(check-sat)(pop 1)(push 1)(assert (> x 2))(check-sat)";
    assert_eq!(bench.run(script), "sat\nsat\n");
    fs::write(bench.path("lazy"), "").unwrap();
    assert_eq!(bench.run(&format!("{script}(get-value (x))")), "sat\nsat\n((x 4))\n");
    assert_eq!(bench.started(), 3, "once for the checks, once for the last one alone, once for all");
}

#[test]
fn an_error_about_a_model_says_nothing_of_its_values() {
    let bench = Bench::new();
    let script = "(declare-const x Int)(check-sat)(get-value (x))";
    bench.run(script);
    // The solver has another model now, so it is bound to the value that was given.
    bench.gives("5");
    let said = bench.run(&format!("{script}(get-value (wrong))(get-value ((+ x 1)))"));
    assert!(said.starts_with("sat\n((x 4))\n(error"), "{said}");
    assert!(!said.contains("another model"), "{said}");
}

#[test]
fn one_core_is_as_good_as_another() {
    let bench = Bench::new();
    bench.says("unsat");
    bench.run("(check-sat)(get-unsat-core)");
    bench.names("(two one)");
    let said = bench.run("(check-sat)(get-unsat-core)(get-unsat-assumptions)");
    assert!(said.starts_with("unsat\n(one two)\n"), "{said}");
    assert!(!said.contains("another model"), "{said}");
}

#[test]
fn an_error_is_the_solvers_and_nothing_is_kept_of_what_it_refuses() {
    let bench = Bench::new();
    let script = "(declare-const x Int)\n(assert (> wrong 3))\n(check-sat)\n";
    let error = "(error \"line -1 column 9: unknown constant wrong\")\nsat\n";
    for _ in 0..2 {
        let (said, status) = bench.run_with(script, &[], &[]);
        assert_eq!(said.replace("line 1", "line -1").lines().count(), error.lines().count());
        assert!(said.contains("unknown constant wrong"), "{said}");
        assert_eq!(status, 1);
    }
    assert_eq!(bench.started(), 2);
    // What was accepted is known without what was refused.
    assert!(!bench.asks("(declare-const y Int)(check-sat)"));
}

#[test]
fn an_error_that_another_solver_goes_on_after_is_kept_with_the_status_behind_it() {
    let bench = Bench::new();
    bench.is("Yices");
    bench.says("unsat");
    fs::write(bench.path("refusal"), "(error \"the context is unsatisfiable\")\n").unwrap();
    let script = |name: &str| format!("(declare-const {name} Bool)(assert {name})(check-sat)(get-model)");
    let first = bench.run_with(&script("x"), &[], &[]);
    assert_eq!(first, ("unsat\n(error \"the context is unsatisfiable\")\n".to_owned(), 0));
    assert_eq!(bench.run_with(&script("y"), &[], &[]), first);
    assert_eq!(bench.started(), 1);
    // A number may be that of a line.
    fs::write(bench.path("refusal"), "(error \"at line 1\")\n").unwrap();
    let script = "(declare-const x Int)(check-sat)(get-model)";
    bench.run(script);
    assert!(bench.asks(script));
}

#[test]
fn after_a_check_that_is_refused_the_solver_speaks_of_the_one_before() {
    let bench = Bench::new();
    let script = "(declare-const x Int)(check-sat)(check-sat-assuming (wrong))(get-value (x))";
    let said = bench.run(script);
    let checks = || fs::read_to_string(bench.path("checks")).unwrap().lines().count();
    assert_eq!(checks(), 1);
    // Now the first check is known, and the solver is asked for it all the same before it is asked for the value.
    let values =
        |said: &str| said.lines().filter(|line| !line.starts_with("(error")).collect::<Vec<_>>().join(" ");
    assert_eq!(values(&bench.run(script)), values(&said));
    assert_eq!(checks(), 2);
}

#[test]
fn a_declaration_that_comes_twice_is_not_taken_for_one() {
    let bench = Bench::new();
    bench.run("(declare-const x Int)(assert (> x 3))(check-sat)");
    assert!(bench.asks("(declare-const x Int)(declare-const x Int)(assert (> x 3))(check-sat)"));
}

#[test]
fn unknown_speaks_for_no_larger_budget_and_only_after_the_same_commands() {
    let bench = Bench::new();
    bench.says("unknown");
    let script = |budget: u32| {
        format!("(set-option :rlimit {budget})(declare-const x Int)(assert (> x 3))(check-sat)")
    };
    bench.run(&script(1000));
    assert!(!bench.asks(&script(1000)));
    assert!(!bench.asks(&script(10)));
    assert!(bench.asks(&format!("(push 1)(pop 1){}", script(1000))));
    assert!(bench.asks(&script(1000).replace('x', "y")), "names may be why a solver gives up");
    bench.says("sat");
    assert!(bench.asks(&script(1001)));
    // Decided, it speaks for every budget.
    assert_eq!(bench.run(&script(1)), "sat\n");
}

#[test]
fn an_audit_finds_a_lie_and_gives_the_solvers_answer() {
    let bench = Bench::new();
    let script = "(declare-const x Int)(assert (> x 3))(check-sat)";
    bench.says("unsat");
    assert_eq!(bench.run(script), "unsat\n");
    bench.says("sat");
    assert_eq!(bench.run(script), "unsat\n", "nobody asks");
    let stats = bench.path("stats");
    let audited = bench.run_with(script, &["--audit", "always", "--stats", stats.to_str().unwrap()], &[]);
    assert_eq!(audited.0, "sat\n");
    assert!(fs::read_to_string(stats).unwrap().contains("disagreements 1"));
    assert_eq!(bench.run(script), "sat\n");
}

#[test]
fn what_the_reader_does_not_know_is_given_to_the_solver_as_it_stands() {
    let bench = Bench::new();
    for script in [
        "(check-sat))(check-sat)",
        "(check-sat)\n(frobnicate |a\\b|)\n(check-sat)",
        "(check-sat) x (check-sat)",
    ] {
        bench.run(script);
        assert!(bench.asks(script), "{script}");
    }
}

#[test]
fn declarations_that_hold_for_ever_outlive_their_level() {
    let bench = Bench::new();
    for option in [":global-decls", ":global-declarations"] {
        let script = |end: &str| {
            format!(
                "(set-option {option} true)(push)(declare-const x Int)(assert (> x 3))(pop){end}(check-sat)"
            )
        };
        bench.run(&script("(assert (> x 4))"));
        assert!(!bench.asks(&script("(assert (> x 4))").replace('x', "y")), "{option}");
        assert!(bench.asks(&script("(declare-const x Int)(assert (> x 4))")), "declared once more");
        assert!(bench.asks(&script("(declare-const z Int)(assert (> z 4))(assert (> x 5))")));
    }
    // Whether a label outlives its assertion is the solver's business.
    let label = "(set-option :global-decls true)(push 1)(assert (! true :named a))(pop 1)(check-sat)";
    bench.run(label);
    assert!(bench.asks(label));
}

#[test]
fn a_level_without_a_number_is_one_level() {
    let bench = Bench::new();
    bench.run("(declare-const x Int)(push)(assert (> x 3))(pop)(assert (> x 5))(check-sat)");
    assert!(!bench.asks("(declare-const y Int)(assert (> y 5))(check-sat)"));
}

#[test]
fn labels_of_quantifiers_are_names_and_other_attributes_are_not() {
    let bench = Bench::new();
    let script = |attributes: &str| {
        format!("(declare-fun p (Int) Bool)(assert (forall ((y Int)) (! (p y) {attributes})))(check-sat)")
    };
    bench.run(&script(":qid |a.12:3| :skolemid |4|"));
    assert!(!bench.asks(&script(":qid |a.13:3| :skolemid |5|")));
    assert!(bench.asks(&script(":qid |a.13:3|")));
    assert!(bench.asks(&script(":pattern ((p y))")));
    assert!(bench.asks(&script(":no-pattern (p y)")));
    assert!(bench.asks(&script(":weight 3")));
    assert!(!bench.asks(&script(":no-pattern (p y)").replace('y', "z")));
}

#[test]
fn terms_come_back_as_they_were_written() {
    let bench = Bench::new();
    let script = |term: &str| format!("(declare-const x Int)(assert (> x 3))(check-sat)(get-value ({term}))");
    assert_eq!(bench.run(&script("|x|")), "sat\n((|x| 4))\n");
    assert_eq!(bench.run(&script("x")), "sat\n((x 4))\n");
    assert_eq!(bench.run(&script("  |x|")), "sat\n((|x| 4))\n");
    assert_eq!(bench.started(), 1);
}

#[test]
fn a_solver_that_ends_for_want_of_time_is_not_waited_for_again() {
    let bench = Bench::new();
    bench.ends("timeout");
    let script = "(declare-const x Int)(assert (> x 3))(check-sat)(get-value (x))";
    let run = |script: &str, seconds: &str| bench.run_with(script, &[], &["-in", seconds]);
    assert_eq!(run(script, "-T:5"), ("timeout\n".to_owned(), 0));
    assert_eq!(run(script, "-T:5"), ("timeout\n".to_owned(), 0));
    assert_eq!(run(script, "-T:3"), ("timeout\n".to_owned(), 0));
    assert_eq!(bench.started(), 1);
    run(&script.replace('x', "y"), "-T:5");
    assert_eq!(bench.started(), 2, "names may be why a solver takes long");
    bench.says("sat");
    assert_eq!(run(script, "-T:6").0, "sat\n((x 4))\n", "a larger budget");
    assert_eq!(run(script, "-T:5").0, "sat\n((x 4))\n", "decided");
    // What was done before a reset counts towards the budget of the process.
    bench.ends("timeout");
    let reset = format!("(reset){}", script.replace('3', "8"));
    assert_eq!(run(&format!("(declare-const p Bool){reset}"), "-T:5").0, "timeout\n");
    bench.says("sat");
    assert_eq!(run(&reset, "-T:5").0, "sat\n((x 4))\n", "it has all of its time");
    // One that fails in another way is asked again.
    bench.ends("segmentation fault");
    let other = "(declare-const p Bool)(assert p)(check-sat)";
    run(other, "-T:5");
    let before = bench.started();
    run(other, "-T:5");
    assert_eq!(bench.started(), before + 1);
}

#[test]
fn statistics_are_those_of_the_run_that_answered() {
    let bench = Bench::new();
    let script = "(declare-const x Int)(assert (> x 3))(check-sat)";
    let run = |script: &str| bench.run_with(script, &[], &["-in", "-st"]).0;
    assert_eq!(run(script), "sat\n(:started 1)\n");
    assert_eq!(run(&script.replace('x', "y")), "sat\n(:started 1)\n");
    assert_eq!(bench.run(script), "sat\n", "nobody asked for them");
    assert_eq!(run(&format!("{script}(check-sat)")), "sat\nsat\n(:started 2)\n");
}

#[test]
fn labels_of_boogie_are_a_question_about_the_check() {
    let bench = Bench::new();
    let script = "(declare-const x Int)(assert (! (> x 3) :lblneg @1))(check-sat)(labels)(check-sat)";
    assert_eq!(bench.run(script), "sat\n(labels @1)\nsat\n");
    assert_eq!(bench.run(&script.replace('x', "y")), "sat\n(labels @1)\nsat\n");
    assert_eq!(bench.started(), 1);
}

#[test]
fn the_language_may_be_named() {
    let bench = Bench::new();
    let script = "(declare-const x Int)(assert (> x 3))(check-sat)";
    for arguments in [&["--lang", "smt2"][..], &["--lang=smt2"], &["-L", "smt2"]] {
        assert_eq!(bench.run_with(script, &[], arguments).0, "sat\n");
    }
    assert_eq!(bench.started(), 1);
}

#[test]
fn nesting_costs_no_stack() {
    let bench = Bench::new();
    let depth = 100_000;
    let script =
        format!("(declare-const p Bool)(assert {}p{})(check-sat)", "(not ".repeat(depth), ")".repeat(depth));
    assert_eq!(bench.run(&script), "sat\n");
    assert!(!bench.asks(&script.replace("p)", "q)").replace("const p", "const q")));
}

#[test]
fn nothing_is_asked_offline() {
    let bench = Bench::new();
    bench.run("(check-sat)");
    let (said, status) = bench.run_with("(check-sat)", &["--mode", "offline"], &[]);
    assert_eq!((said.as_str(), status), ("sat\n", 0));
    assert_eq!(bench.started(), 1);
}
