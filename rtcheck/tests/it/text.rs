//! Built-ins of text: the tables `text/*.txt`, a goal and what it prints.

use crate::support::run;

/// Runs the goals of a table in one program, each with its own variables. A goal that fails prints `no`, one that
/// throws prints `E: ` and the formal term of the error.
fn table(text: &str) {
    let cases: Vec<(&str, &str)> = text
        .lines()
        .filter(|line| !(line.is_empty() || line.starts_with("# ")))
        .map(|line| line.split_once(" || ").expect("a case has two parts"))
        .collect();
    let mut program = "
:- initialization(main).
main :- case(N, G), nl, write('@@'), write(N), write(' '), try(G), fail.
main.
try(G) :- catch(G, E, told(E)), !.
try(_) :- write(no).
told(error(F, _)) :- !, write('E: '), writeq(F).
told(B) :- write('B: '), writeq(B).
"
    .to_owned();
    for (n, (goal, _)) in cases.iter().enumerate() {
        program.push_str(&format!("case({n}, ({goal})).\n"));
    }
    let ran = run(&program);
    assert_eq!((ran.error.as_str(), ran.exit), ("", 0));
    let found: Vec<&str> = ran.output.split("\n@@").skip(1).collect();
    assert_eq!(found.len(), cases.len());
    let mut wrong = Vec::new();
    for (n, ((goal, expected), found)) in cases.iter().zip(found).enumerate() {
        let found = found.strip_prefix(&format!("{n} ")).expect("the cases run in order");
        if found.replace('\n', "¶") != *expected {
            wrong.push(format!("{goal}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

#[test]
fn operators_are_defined_and_found() {
    table(include_str!("text/operators.txt"));
}
