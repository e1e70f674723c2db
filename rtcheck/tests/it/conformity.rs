//! The table of syntax conformity of WG17, `cases/conformity.txt`, read strictly.

use crate::support::run_files;
use rtcheck::session::Options;

const TABLE: &str = include_str!("cases/conformity.txt");
/// Runs one case; `cargo xtask conformance prolog` starts other systems with it too.
const DRIVER: &str = include_str!("cases/conformity.pl");

/// What a text gives, in the table's words.
fn found(operators: &str, text: &str) -> String {
    let setup = if operators == "-" { "true" } else { operators };
    let program = format!("{DRIVER}\noperators :- {setup}.\n:- initialization(run('case.txt')).\n");
    let text = format!("{}\n", text.replace('¶', "\n").replace('→', "\t"));
    let options = Options { iso: true, ..Options::default() };
    let ran = run_files(&[("v.pl", &program), ("case.txt", &text)], &[], options);
    let (printed, result) = ran.output.rsplit_once("\n#").unwrap_or((&ran.output, "nothing"));
    match result.trim_end().strip_prefix("true") {
        Some("") if printed.is_empty() => "true".to_owned(),
        Some("") => printed.to_owned(),
        Some(bindings) if printed.is_empty() => bindings.trim_start().to_owned(),
        Some(_) => printed.to_owned(),
        None => result.trim_end().to_owned(),
    }
}

#[test]
fn the_table_of_syntax_conformity_holds() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in TABLE.lines().filter(|line| !(line.is_empty() || line.starts_with('%'))) {
        let [number, operators, text, expected] =
            line.split(" || ").collect::<Vec<_>>().try_into().expect("a case has four parts");
        count += 1;
        let found = found(operators, text);
        let right = expected.split(" ;; ").any(|way| way == found || way == "true" && found.contains(" = "));
        if !right {
            wrong.push(format!("{number}: {text}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} cases:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 390, "{count}");
}
