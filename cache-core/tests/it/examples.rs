//! The example programs do what they are there to show.

#[expect(dead_code, reason = "as a program it has a `main`")]
#[path = "../../examples/toy_types/main.rs"]
mod toy_types;

#[test]
fn the_toy_type_checker_infers_what_an_edit_touched_and_says_why() {
    insta::assert_snapshot!(toy_types::report(), @r"
    as first written
      same   : t0 -> t0                           inferred: nothing is stored for it
      twice  : (t0 -> t0) -> t0 -> t0             inferred: nothing is stored for it
      next   : number -> number                   inferred: nothing is stored for it
      later  : number -> number                   inferred: nothing is stored for it
      0 from the cache, 4 inferred, 0 of them again

    with other variables, and in another order
      next   : number -> number                   from the cache
      twice  : (t0 -> t0) -> t0 -> t0             from the cache
      same   : t0 -> t0                           from the cache
      later  : number -> number                   from the cache
      4 from the cache, 0 inferred, 0 of them again

    with another `next`
      next   : t0 -> t0                           from the cache
      twice  : (t0 -> t0) -> t0 -> t0             from the cache
      same   : t0 -> t0                           from the cache
      later  : t0 -> t0                           inferred again: dependency `next` changed
      3 from the cache, 1 inferred, 1 of them again

    with the first `next`, and a `twice` that has no type
      next   : number -> number                   from the cache
      twice  : (its type would contain itself)    inferred again: content `body` changed
      same   : t0 -> t0                           from the cache
      later  : (twice has no type)                inferred again: dependency `twice` changed
      2 from the cache, 2 inferred, 2 of them again
    ");
}

#[expect(dead_code, reason = "as a program it has a `main`")]
#[path = "../../examples/summaries/main.rs"]
mod summaries;

#[test]
fn an_edit_that_changes_no_summary_costs_one_function() {
    insta::assert_snapshot!(summaries::report().unwrap(), @r"
    as first written: 2047 of 2047 functions looked at
    7 instead of 2047: 11 digested, 1 looked at, as from scratch
    -7 instead of 7: 11 digested, 11 looked at, as from scratch
    ");
}

#[expect(dead_code, reason = "as a program it has a `main`")]
#[path = "../../examples/solver_queries.rs"]
mod solver_queries;

#[test]
fn queries_with_other_variables_in_another_order_are_answered_from_the_cache() {
    insta::assert_snapshot!(solver_queries::report().unwrap(), @r"
    run 1
      a < b, b < c: a = 0, b = 1, c = 2 (37 tries: nothing is stored for it)
      a < b, b < a: unsatisfiable (16 tries: nothing is stored for it)
      a < b, b < c, c < d, d < e: out of budget (100 tries: nothing is stored for it)
    run 2
      y < z, x < y: x = 0, y = 1, z = 2 (from the cache)
      y < z: x = 0, y = 1, z = 2 (satisfies more than this)
      q < p, p < q: unsatisfiable (from the cache)
      b < c, b < a, a < b: unsatisfiable (contains a known contradiction)
      v < w, w < x, x < y, y < z: out of budget (from the cache)
      v < w, w < x, x < y, y < z: unsatisfiable (1024 tries: the stored answer ran out of smaller limits)
    ");
}

#[expect(dead_code, reason = "as a program it has a `main`")]
#[path = "../../examples/supervised_worker.rs"]
mod supervised_worker;

/// The child is this test program, whose harness writes to standard output: a shell moves the pipe away first.
#[test]
fn a_crash_and_a_hang_of_the_engine_cost_one_answer_each() {
    const ROLE: &str = "REPRISE_TEST_FACTOR";
    if std::env::var_os(ROLE).is_some() {
        let pipe = std::fs::OpenOptions::new().write(true).open("/proc/self/fd/3").unwrap();
        cache_core::worker::serve_on(
            std::io::stdin(),
            pipe,
            cache_core::worker::Orphaned::end,
            supervised_worker::factor,
        )
        .unwrap();
        return;
    }
    let name = "examples::a_crash_and_a_hang_of_the_engine_cost_one_answer_each";
    let program = std::env::current_exe().unwrap();
    let child = cache_core::worker::WorkerConfig::new("/bin/sh")
        .arguments(["-c", "exec 3>&1 1>/dev/null; exec \"$0\" \"$@\""].map(std::ffi::OsString::from))
        .variable(ROLE, "serve");
    let mut child = child;
    child.arguments.push(program.into());
    child.arguments.extend(["--exact", name, "--nocapture"].map(std::ffi::OsString::from));
    // Long enough for a child of a busy machine to start, which counts.
    let patient =
        supervised_worker::report(child.clone(), &[91, 0, 77, 91], std::time::Duration::from_secs(60));
    insta::assert_snapshot!(patient.unwrap(), @r"
    91: Least(7)
    0: the engine failed
    77: Least(7)
    91: Least(7), from the cache
    2 children
    ");
    // One that never ends loses.
    insta::assert_snapshot!(supervised_worker::race(&child, [1, 91]).unwrap(), @r"
    91: 7
    1: the request was cancelled
    ");
    // For this one no time is long enough.
    let hurried = supervised_worker::report(child, &[1, 1], std::time::Duration::from_millis(50));
    insta::assert_snapshot!(hurried.unwrap(), @r"
    1: OutOfTime
    1: OutOfTime, from the cache
    1 children
    ");
}

#[expect(dead_code, reason = "as a program it has a `main`")]
#[path = "../../examples/normal_forms.rs"]
mod normal_forms;

#[test]
fn questions_that_differ_in_nothing_that_matters_are_one() {
    insta::assert_snapshot!(normal_forms::report(), @r"
    order and repetition
      proved: x, y, !x: x and !x contradict each other
      known:  !x, y, y, x: !x and x contradict each other
      proved: y, x: no contradiction
      proved: x & y, !x: x & y and !x contradict each other
      known:  !x, y & x & y: !x and y & x & y contradict each other
    a truth and its opposite
      proved: y follows from x: false
      known:  y does not follow from x: true
      proved: x follows from x: true
    positions and bound names
      proved: 3: i == i, 4: i == j: line 4 fails
      known:  7: n == n, 9: n == m: line 9 fails
      proved: 7: n == n, 9: m == m: no check fails
    names of variables
      (a & b) | a and (b & c) | b: one question, 2 variables renamed
      (a & b) | a and (a & b) | c: two questions, 0 variables renamed
      (b & c) | b and (a & b) | c: two questions, 0 variables renamed
    ");
}

#[expect(dead_code, reason = "as a program it has a `main`")]
#[path = "../../examples/side_by_side.rs"]
mod side_by_side;

#[test]
fn what_an_edit_touched_is_looked_at_side_by_side_and_the_report_says_why() {
    insta::assert_snapshot!(side_by_side::report().unwrap(), @r"
    as first written
      expression: calls itself in no way (new)
      main: calls itself in no way (new)
      next: calls itself in no way (new)
      parse: calls itself in no way (new)
      print: calls itself in no way (new)
    expression calls itself in parentheses
      expression: may call itself (changed)
      main: calls itself in no way (`expression` changed, through `parse`; `parenthesis` is new, through `parse`, `expression`)
      parenthesis: may call itself (new)
      parse: calls itself in no way (`expression` changed; `parenthesis` is new, through `expression`)
    print calls next
      main: calls itself in no way (`print` changed)
      print: calls itself in no way (changed)
    ");
}

#[expect(dead_code, reason = "as a program it has a `main`")]
#[path = "../../examples/backtracking.rs"]
mod backtracking;

#[test]
fn a_machine_that_backtracks_forgets_what_is_true_no_more() {
    insta::assert_snapshot!(backtracking::report(), @r"
    no room     : yyyynny, 51 cells looked at, 0 remembered
    every cell  : yyyynny, 19 cells looked at, 8 remembered
    every fourth: yyyynny, 19 cells looked at, 2 remembered
    ");
}
