//! That a transcript is the solver's own also where options, refused statements and the solver's manners come in.

use std::fs;

use super::Bench;

#[test]
fn a_success_that_a_solver_says_to_an_echo_of_ours_is_not_the_askers() {
    let bench = Bench::new();
    bench.is("This is cvc5");
    let says = |script: &str| {
        let said = bench.run(script);
        said.lines()
            .map(|line| if line.starts_with("(error") { "error" } else { line })
            .collect::<Vec<_>>()
            .join(" ")
    };
    let script = "(set-option :print-success true)(declare-const x Int)(check-sat)(get-value (wrong))(get-proof)(check-sat)";
    let said = "success success sat error success sat";
    assert_eq!(says(script), said);
    assert_eq!(says(script), said, "the error is asked for again");
    assert_eq!(says(&format!("{script}\n)(check-sat)")), format!("{said} sat"), "what follows is passed on");
}

#[test]
fn a_solver_that_was_to_read_a_file_speaks_of_that_file() {
    let bench = Bench::new();
    bench.is("This is cvc5");
    let file = bench.path("script.smt2");
    fs::write(&file, "(set-info :source |\none\n\ntwo|)\n(push 1)\n\n(somewhere)\n").unwrap();
    let name = file.to_str().unwrap();
    let said = bench.run_file(name);
    let place =
        said.strip_prefix(&format!("(error \"Parse Error: {name}:")).and_then(|it| it.split_once('.'));
    assert!(matches!(place, Some((_, "6: somewhere\n"))), "{said}");
    fs::write(&file, "(start)\n").unwrap();
    fs::remove_file(bench.path("lines")).unwrap();
    assert_eq!(
        bench.run_file(name),
        format!("(error \"Parse Error: {name}:1.5: start\n"),
        "as cvc5 counts there"
    );
    let source = fs::read_to_string(bench.path("source")).unwrap();
    assert_eq!(
        source.trim(),
        "(set-info :source | one  two|)",
        "cvc5 cannot read several lines from its input"
    );
}

#[test]
fn a_logic_that_z3_does_not_know_is_as_good_as_none() {
    let bench = Bench::new();
    let script = "(set-logic NONE)(declare-const x Int)(assert (> x 3))(check-sat)";
    for _ in 0..2 {
        assert_eq!(bench.run_with(script, &[], &[]), ("unsupported\nsat\n".to_owned(), 0));
    }
    assert_eq!(bench.started(), 1);
    assert!(!bench.asks("(declare-const y Int)(assert (> y 3))(check-sat)"));
    assert!(bench.asks("(set-logic QF_LIA)(declare-const y Int)(assert (> y 3))(check-sat)"));
}

#[test]
fn a_solver_is_known_by_what_it_says_of_itself() {
    let bench = Bench::new();
    std::os::unix::fs::symlink(bench.path("z3"), bench.path("prover")).unwrap();
    let (solver, cache) = (bench.path("prover"), bench.path("cache"));
    let (said, status) = bench.run_by(&solver, &cache, "(check-sat)", &[], &["-in"]);
    assert_eq!((said.as_str(), status), ("sat\n", 0));
    assert_eq!(fs::read_to_string(bench.path("arguments")).unwrap(), "-in\n");
}

#[test]
fn a_script_is_asked_for_its_version_each_time() {
    let bench = Bench::new();
    assert_eq!(bench.run("(check-sat)"), "sat\n");
    // What it starts is replaced, and it stays as it was.
    fs::write(bench.path("version"), "Z3 of another day\n").unwrap();
    bench.says("unsat");
    assert_eq!(bench.run("(check-sat)"), "unsat\n");
    assert_eq!(bench.started(), 2);
}

#[test]
fn an_error_names_the_column_that_z3_would_name() {
    let bench = Bench::new();
    let at = |script: &str| bench.run(script);
    assert_eq!(at("(push 1)\n  (whereabouts)\n"), "(error \"column 2\")\n");
    assert_eq!(
        at("(push 1)\n; words\n  (whereabouts)\n"),
        "(error \"column 3\")\n",
        "behind a comment from 1"
    );
    assert_eq!(at("(push 1) ; words\n(whereabouts)\n"), "(error \"column 1\")\n");
    assert_eq!(at("(push 1) ; words\n\n(whereabouts)\n"), "(error \"column 0\")\n", "that line alone");
}

#[test]
fn success_is_said_to_what_follows_the_option_alone() {
    let bench = Bench::new();
    let script = "(set-logic QF_LIA)(declare-const x Int)(set-option :print-success true)(assert (> x 3))\
                  (set-option :print-success false)(assert (> x 4))(set-option :print-success true)(check-sat)";
    for _ in 0..3 {
        assert_eq!(bench.run(script), "success\nsuccess\nsuccess\nsat\n");
    }
    assert_eq!(bench.started(), 1);
}

#[test]
fn what_is_said_of_one_statement_is_not_said_of_the_next() {
    let bench = Bench::new();
    // The first is refused, the second is a remark, which is in no key of answers.
    let script = "(push 1)(declare-const y Int)(set-option :print-success true)\n(assert broken)\n(set-option :print-success false)(reset-assertions)";
    for _ in 0..2 {
        assert_eq!(bench.run(script), "success\n(error \"line 2 column 14: not well sorted\")\n");
    }
    assert_eq!(bench.started(), 1);
}

#[test]
fn whether_success_is_said_can_be_asked() {
    let bench = Bench::new();
    for _ in 0..2 {
        assert_eq!(bench.run("(get-option :print-success)"), "false\n");
        assert_eq!(
            bench.run("(set-option :print-success true)(get-option :print-success)"),
            "success\ntrue\n"
        );
    }
}

#[test]
fn an_option_behind_a_check_is_not_the_one_in_front_of_it() {
    for name in ["This is cvc5", "Z3"] {
        let bench = Bench::new();
        bench.is(name);
        bench.run("(set-option :late 1)(check-sat)(declare-const x Int)(check-sat)");
        fs::remove_file(bench.path("checks")).unwrap();
        let said = bench.run("(check-sat)(set-option :late 1)(declare-const x Int)(check-sat)");
        assert!(said.contains("already fully initialized"), "{name}: {said}");
        // The check is known by now, and has to be asked all the same.
        let said = bench.run("(check-sat)(set-option :late 2)(declare-const x Int)(check-sat)");
        assert!(said.contains("already fully initialized"), "{name}: {said}");
    }
}

#[test]
fn a_check_is_not_asked_again_behind_what_ended_its_model() {
    let bench = Bench::new();
    bench.run("(check-sat)");
    fs::remove_file(bench.path("checks")).unwrap();
    bench.run("(check-sat)(assert true)(get-model)");
    assert!(!bench.path("checks").exists(), "the solver would have a model");
    bench.run("(check-sat)(declare-const x Int)(get-model)");
    assert!(bench.path("checks").exists(), "a declaration ends no model");
}

#[test]
fn options_survive_a_reset_of_z3() {
    let bench = Bench::new();
    assert_eq!(
        bench.run("(set-option :print-success true)(reset)(check-sat)(exit)"),
        "success\nsuccess\nsat\nsuccess\n"
    );
    bench.says("unknown");
    bench.run("(set-option :rlimit 10)(reset)(declare-const x Int)(assert (> x 3))(check-sat)");
    bench.says("sat");
    let unbounded = "(reset)(declare-const x Int)(assert (> x 3))(check-sat)";
    assert_eq!(bench.run(unbounded), "sat\n", "it was given up for want of a budget that is gone");
}

#[test]
fn a_client_that_resets_and_says_its_options_again_asks_the_same() {
    let bench = Bench::new();
    let question = "(reset)(set-option :smt.mbqi false)(declare-const x Int)(assert (> x 3))(check-sat)";
    bench.run(question);
    bench.run("(set-option :smt.mbqi false)(reset)");
    assert!(!bench.asks(&format!("(set-option :smt.mbqi false){question}")));
    assert!(bench.asks(&format!("(set-option :smt.arith.solver 2){question}")), "another option is left");
    let logic = "(set-logic QF_LIA)(check-sat)";
    bench.run(logic);
    assert!(bench.asks(&format!("(set-logic QF_BV){logic}")), "a solver may refuse the second");
}

#[test]
fn objections_to_options_are_known_where_everything_was_written_the_same() {
    let bench = Bench::new();
    let script = "(set-option :wrong 3)\n(declare-const x Int)(assert (> x 3))(check-sat)";
    let said = bench.run_with(script, &[], &[]);
    assert!(said.0.starts_with("(error") && said.0.ends_with("sat\n") && said.1 == 1, "{said:?}");
    assert_eq!(bench.run_with(script, &[], &[]), said);
    assert_eq!(bench.started(), 1);
    assert!(bench.asks(&script.replace('x', "y")));
}

#[test]
fn a_solver_that_is_to_write_elsewhere_is_not_waited_for() {
    let script = "(check-sat)\n(set-option :regular-output-channel \"elsewhere\")\n(check-sat)\n(exit)";
    for name in ["This is cvc5", "Z3"] {
        let (ended, end) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let bench = Bench::new();
            bench.is(name);
            let said = [bench.run(script), bench.run(script)];
            let elsewhere = fs::read_to_string(bench.path("elsewhere"));
            ended.send((said, elsewhere.unwrap())).unwrap();
        });
        // Nobody ends a wait that has no end.
        let (said, elsewhere) = end.recv_timeout(std::time::Duration::from_secs(60)).unwrap();
        assert_eq!(said, ["sat\n", "sat\n"]);
        assert_eq!(elsewhere, "sat\n");
    }
}
