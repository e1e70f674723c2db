//! Each part of the keys is needed: where one is left out, an answer is given to a question that it is not of.
//!
//! Not among them are two parts that others imply: `verdict`, of a question about a check, beside all that holds, and
//! `statements`, of an objection, beside all that was said up to them, of which they are the end.

use std::fs;

use super::Bench;

/// A part of the keys, and a few sessions whose last transcript is the solver's only if the part is there.
type Sessions = (&'static str, fn(&Asked) -> bool);

const PARTS: [Sessions; 16] = [
    ("solver", a_solver_of_another_version),
    ("arguments", other_arguments),
    ("settings", other_options),
    ("check", other_assertions),
    ("accepted", other_statements),
    ("objected", a_statement_behind_others),
    ("history", giving_up_behind_something_else),
    ("session", an_end_behind_something_else),
    ("limits", an_end_within_another_budget),
    ("said", another_value),
    ("asked", another_term),
    ("names", another_name),
    ("response", another_model),
    ("alone", another_option),
    ("praised", an_option_that_is_no_setting),
    ("statistics", other_checks),
];

/// A bench whose sessions leave a part out of their keys.
struct Asked {
    bench: Bench,
    left_out: Option<&'static str>,
}

impl Asked {
    fn new(left_out: Option<&'static str>) -> Self {
        Self { bench: Bench::new(), left_out }
    }

    /// The transcript of a script.
    fn with(&self, script: &str, options: &[&str], arguments: &[&str]) -> String {
        self.of(&self.bench, script, options, arguments)
    }

    fn run(&self, script: &str) -> String {
        self.with(script, &[], &[])
    }

    /// The same where the solver is another bench's.
    fn of(&self, solver: &Bench, script: &str, options: &[&str], arguments: &[&str]) -> String {
        let lie = self.left_out.iter().flat_map(|part| ["--leave-out", part]);
        let options: Vec<&str> = options.iter().copied().chain(lie).collect();
        let arguments: Vec<&str> = ["-in"].iter().chain(arguments).copied().collect();
        let (solver, cache) = (solver.path("z3"), self.bench.path("cache"));
        self.bench.run_by(&solver, &cache, script, &options, &arguments).0
    }

    /// The solver's error about statements with a doubtful word; none if it is empty.
    fn doubts(&self, words: &str) {
        fs::write(self.bench.path("doubt"), words).unwrap();
    }
}

#[test]
fn a_part_that_is_left_out_of_keys_is_missed() {
    let ill = |what: &str, lie: fn(&'static str) -> Option<&'static str>, right: bool| {
        let parts = PARTS.iter().filter(|(part, sessions)| sessions(&Asked::new(lie(part))) != right);
        let names: Vec<&str> = parts.map(|(part, _)| *part).collect();
        assert!(names.is_empty(), "{what}: {names:?}");
    };
    ill("the transcript is not the solver's", |_| None, true);
    ill("nobody misses", Some, false);
}

const CHECK: &str = "(declare-const x Int)(assert (> x 3))(check-sat)";

fn a_solver_of_another_version(asked: &Asked) -> bool {
    asked.run(CHECK);
    let other = Bench::new();
    other.is("Z3, the next one,");
    other.says("unsat");
    asked.of(&other, CHECK, &[], &[]) == "unsat\n"
}

fn other_arguments(asked: &Asked) -> bool {
    asked.run(CHECK);
    asked.bench.says("unsat");
    asked.with(CHECK, &[], &["auto_config=false"]) == "unsat\n"
}

fn other_options(asked: &Asked) -> bool {
    asked.run(CHECK);
    asked.bench.says("unsat");
    asked.run(&format!("(set-option :smt.arith.solver 2){CHECK}")) == "unsat\n"
}

fn other_assertions(asked: &Asked) -> bool {
    asked.run(CHECK);
    asked.bench.says("unsat");
    asked.run(&CHECK.replace('>', "<")) == "unsat\n"
}

fn other_statements(asked: &Asked) -> bool {
    asked.run("(declare-const x Int)(echo \"a\")");
    asked.run("(declare-const x Int)(assert wrong)(echo \"a\")").contains("(error")
}

/// An error that the solver takes back once the word is declared.
fn a_statement_behind_others(asked: &Asked) -> bool {
    let script = "(check-sat)(assert doubtful)(echo \"a\")";
    asked.doubts("it is unknown");
    asked.run(script);
    asked.doubts("");
    asked.run(&format!("(declare-const doubtful Bool){script}")) == "sat\na\n"
}

fn giving_up_behind_something_else(asked: &Asked) -> bool {
    asked.bench.says("unknown");
    asked.run(CHECK);
    asked.bench.says("sat");
    asked.run(&format!("(push 1)(pop 1){CHECK}")) == "sat\n"
}

/// What was done before a reset counts towards the time that a process has.
fn an_end_behind_something_else(asked: &Asked) -> bool {
    asked.bench.ends("timeout");
    asked.with(&format!("(declare-const p Bool)(reset){CHECK}"), &[], &["-T:5"]);
    asked.bench.says("sat");
    asked.with(&format!("(reset){CHECK}"), &[], &["-T:5"]) == "sat\n"
}

fn an_end_within_another_budget(asked: &Asked) -> bool {
    asked.bench.ends("timeout");
    asked.with(CHECK, &[], &["-T:5", "rlimit=200"]);
    asked.bench.says("sat");
    asked.with(CHECK, &[], &["-T:5", "rlimit=100"]) == "sat\n"
}

fn another_value(asked: &Asked) -> bool {
    let script = format!("(declare-const y Int){CHECK}(get-value (x))");
    asked.run(&script);
    asked.bench.gives("5");
    asked.run(&script.replace("value (x)", "value (y)")) == "sat\n((y 5))\n"
}

/// Asked behind the same question as before, in the same names.
fn another_term(asked: &Asked) -> bool {
    let first = format!("(declare-const y Int){CHECK}(get-value (x))");
    asked.run(&format!("{first}(get-value (y))"));
    asked.run(&format!("{first}(get-value ((- y)))")) == "sat\n((x 4))\n(((- y 4))\n"
}

/// Asked behind the same question as before, in the same way.
fn another_name(asked: &Asked) -> bool {
    let first = format!("(declare-const y Int)(declare-const z Int){CHECK}(get-value (x))");
    asked.run(&format!("{first}(get-value (y))"));
    asked.bench.gives("5");
    asked.run(&format!("{first}(get-value (z))")) == "sat\n((x 4))\n((z 5))\n"
}

/// A value belongs to the model of which other values were told.
fn another_model(asked: &Asked) -> bool {
    let first = format!("(declare-const y Int){CHECK}(get-value (x))");
    let both = format!("{first}(get-value (y))");
    asked.run(&both);
    asked.bench.gives("5");
    asked.with(&first, &["--mode", "rebuild"], &[]);
    asked.run(&both) == "sat\n((x 5))\n((y 5))\n"
}

fn another_option(asked: &Asked) -> bool {
    asked.run("(get-option :print-success)");
    asked.run("(get-option :doubtful)").is_empty()
}

fn an_option_that_is_no_setting(asked: &Asked) -> bool {
    let script = "(get-option :print-success)";
    asked.run(script);
    asked.run(&format!("(set-option :print-success true){script}")) == "success\ntrue\n"
}

/// What a solver did for another check is not what it does for this one.
fn other_checks(asked: &Asked) -> bool {
    asked.with(CHECK, &[], &["-st"]);
    let other = CHECK.replace('>', "<");
    asked.run(&other);
    asked.with(&other, &[], &["-st"]) == "sat\n(:started 3)\n"
}
