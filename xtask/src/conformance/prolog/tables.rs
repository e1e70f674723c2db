//! The project's own tables of cases, in `rtcheck/tests/it/cases`: `conformity.txt`, texts and what they read as, and
//! `iso.txt`, goals and their answers. Each has a driver beside it that every system runs.

use std::fs;
use std::path::Path;

use super::system::System;
use crate::error::Error;
use crate::programs::Programs;
use crate::scratch::Scratch;

/// A case, and what it gives where that is not right.
pub(super) struct Case {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) expected: String,
    pub(super) wrong: Option<String>,
}

/// Runs the texts of `conformity.txt`, each in a program of its own: operators stay in some systems.
pub(super) fn syntax(
    folder: &Path,
    system: System,
    programs: &Programs,
    scratch: &Scratch,
) -> Result<Vec<Case>, Error> {
    let table = read(&folder.join("conformity.txt"))?;
    let driver = read(&folder.join("conformity.pl"))?;
    let place = scratch.path().join(format!("syntax-{}", system.name()));
    fs::create_dir_all(&place).map_err(Error::writing(&place))?;
    let mut cases = Vec::new();
    for line in table.lines().filter(|line| !(line.is_empty() || line.starts_with('%'))) {
        let [id, operators, text, expected] = line.split(" || ").collect::<Vec<_>>()[..] else {
            return Err(Error::Findings(format!("conformity.txt: `{line}` has not four parts")));
        };
        let setup = if operators == "-" { "true" } else { operators };
        let (program, input) = (place.join("case.pl"), place.join("case.txt"));
        let goal = format!("{driver}\noperators :- {setup}.\n:- initialization(run('case.txt')).\n");
        fs::write(&program, goal).map_err(Error::writing(&program))?;
        let input_text = format!("{}\n", text.replace('¶', "\n").replace('→', "\t"));
        fs::write(&input, input_text).map_err(Error::writing(&input))?;
        let found = of_output(&system.output(programs, scratch, &program)?);
        let is_right =
            |way: &str| way == found || way == "true" && found.contains(" = ") || names_agree(way, &found);
        let right = expected.split(" ;; ").any(is_right);
        cases.push(Case {
            id: id.to_owned(),
            text: if operators == "-" { text.to_owned() } else { format!("{text} with {operators}") },
            expected: expected.to_owned(),
            wrong: (!right).then_some(found),
        });
    }
    Ok(cases)
}

/// Whether two texts differ in the numbers of variables alone, `_1` and `_52`.
fn names_agree(one: &str, other: &str) -> bool {
    let plain = |text: &str| {
        let mut plain = String::new();
        for part in text.split('_') {
            plain.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit() || c == 'G'));
            plain.push('_');
        }
        plain
    };
    one.contains('_') && plain(one) == plain(other)
}

/// What `conformity.pl` printed, in the words of the table. Systems print messages of their own in front of it.
fn of_output(output: &str) -> String {
    let Some((printed, rest)) = output.split_once("\n#") else { return "nothing".to_owned() };
    let result = rest.lines().next().unwrap_or_default().trim_end();
    // GNU Prolog says that it has compiled the program.
    let printed =
        match printed.rfind(" bytes written, ").and_then(|at| printed[at..].find('\n').map(|n| at + n + 1)) {
            Some(start) => &printed[start..],
            None if printed.contains(" bytes written, ") => "",
            None => printed,
        };
    match result.strip_prefix("true") {
        Some("") if printed.is_empty() => "true".to_owned(),
        Some(bindings) if printed.is_empty() => bindings.trim_start().to_owned(),
        Some(_) => printed.to_owned(),
        None => result.to_owned(),
    }
}

/// Runs the goals of `iso.txt` in one program.
pub(super) fn answers(
    folder: &Path,
    system: System,
    programs: &Programs,
    scratch: &Scratch,
) -> Result<Vec<Case>, Error> {
    let table = read(&folder.join("iso.txt"))?;
    let driver = read(&folder.join("answers.pl"))?;
    let place = scratch.path().join(format!("answers-{}", system.name()));
    fs::create_dir_all(&place).map_err(Error::writing(&place))?;
    let (mut section, mut number) = (String::new(), 0);
    let (mut cases, mut text) = (Vec::new(), String::new());
    for line in table.lines().filter(|line| !line.is_empty()) {
        if let Some(title) = line.strip_prefix("% ") {
            section = title.split(' ').next().unwrap_or_default().to_owned();
            number = 0;
            continue;
        }
        let Some((goal, expected)) = line.split_once(" ==> ") else {
            return Err(Error::Findings(format!("iso.txt: `{line}` has no answers")));
        };
        number += 1;
        let ways: Vec<String> = expected
            .split("; ")
            .map(|way| if way.trim() == "..." { "more".to_owned() } else { format!("({way})") })
            .collect();
        text.push_str(&format!("{goal} .\n[{}].\n", ways.join(", ")));
        cases.push(Case {
            id: format!("{section}/{number}"),
            text: goal.to_owned(),
            expected: expected.to_owned(),
            wrong: None,
        });
    }
    let (program, input) = (place.join("cases.pl"), place.join("cases.txt"));
    fs::write(&program, format!("{driver}\n:- initialization(run('cases.txt')).\n"))
        .map_err(Error::writing(&program))?;
    fs::write(&input, text).map_err(Error::writing(&input))?;
    let output = system.output(programs, scratch, &program)?;
    for (number, case) in cases.iter_mut().enumerate() {
        let start = format!("@@{} ", number + 1);
        let found = output.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or("nothing");
        case.wrong = (found != "ok").then(|| found.to_owned());
    }
    Ok(cases)
}

fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(Error::reading(path))
}

#[cfg(test)]
mod tests {
    use super::{names_agree, of_output};

    #[test]
    fn what_drivers_print_is_read() {
        for (output, found) in [
            ("ok\n#true\n", "ok"),
            ("\n#true X = 1 & Y = a\n", "X = 1 & Y = a"),
            ("GNU\n/t/case.pl compiled, 2 lines read - 58 bytes written, 1 ms\na\n#true\n", "a"),
            ("GNU\n/t/case.pl compiled, 2 lines read - 58 bytes written, 1 ms\n#true\n", "true"),
            ("\n#throws instantiation_error\n", "throws instantiation_error"),
            ("\n#error\n", "error"),
            ("\n#true\n", "true"),
            ("", "nothing"),
        ] {
            assert_eq!(of_output(output), found, "{output}");
        }
    }

    #[test]
    fn numbers_of_variables_do_not_matter() {
        assert!(names_agree("+(_1,_2)", "+(_52,_G53)"));
        assert!(!names_agree("+(_1,_2)", "-(_52,_53)"));
        assert!(!names_agree("a", "a"));
    }
}
