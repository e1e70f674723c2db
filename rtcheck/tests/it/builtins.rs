//! Built-in and library predicates, by tables of goals and their answers in `cases/`.
//!
//! A line is `goal ==> answers`. The answers are what backtracking into the goal gives: for each solution its
//! variables in order of occurrence, `true` if there are none; solutions are separated by `; `; an exception
//! ends them, written as its formal part or as `throw(Ball)`; a goal without any is `false`. Variables that are
//! still free are named A, B, ... within one solution. After six solutions `...` stands for others.

use crate::support::run_with;
use rtcheck::read::Quotes;
use rtcheck::session::Options;
use std::fmt::Write as _;

const DRIVER: &str = "
:- initialization(main).
main :- 'case'(N, Goal, Bindings), write(N), write(':'), answers(Goal, Bindings), nl, fail.
main.
answers(Goal, Bindings) :-
    nb_setval(answers, 0),
    catch(answer(Goal, Bindings), Ball, (separate, ball(Ball))),
    !.
answers(_, _) :- nb_getval(answers, 0), !, write(false).
answers(_, _).
answer(Goal, Bindings) :-
    call(Goal), separate, show(Bindings), nb_getval(answers, 6), separate, write('...').
separate :-
    nb_getval(answers, N), ( N > 0 -> write('; ') ; true ), N1 is N + 1, nb_setval(answers, N1).
ball(error(Formal, _)) :- !, show(Formal).
ball(Ball) :- show(throw(Ball)).
show(Term) :-
    copy_term_nat(Term, Copy), term_variables(Copy, Variables), name_all(Variables, 0), written(Copy).
name_all([], _).
name_all(['$VAR'(N)|Variables], N) :- N1 is N + 1, name_all(Variables, N1).
written([]) :- !, write(true).
written([Name = Value|Rest]) :- !, binding(Name, Value), more(Rest).
written(Term) :- writeq(Term).
more([]).
more([Name = Value|Rest]) :- write(', '), binding(Name, Value), more(Rest).
binding(Name, Value) :- write(Name), write(' = '), print(Value).
";

/// The variables of a text, in order of first occurrence; those that start with `_` are not shown.
fn variables(text: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        let word = |from: usize| {
            text[from..].find(|c: char| !c.is_alphanumeric() && c != '_').map_or(text.len(), |n| from + n)
        };
        match bytes[i] {
            b'0' if bytes.get(i + 1) == Some(&b'\'') => i += 3,
            quote @ (b'\'' | b'"') => {
                i += 1;
                while i < bytes.len() && bytes[i] != quote {
                    i += if bytes[i] == b'\\' { 2 } else { 1 };
                }
                i += 1;
            }
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                let end = word(i);
                if byte.is_ascii_uppercase() && !found.contains(&&text[i..end]) {
                    found.push(&text[i..end]);
                }
                i = end;
            }
            _ => i += 1,
        }
    }
    found
}

/// Runs the cases of one table in one program and compares all answers.
fn check(table: &str, options: Options) {
    let cases: Vec<(&str, &str)> = table
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('%'))
        .map(|line| line.split_once(" ==> ").expect("every case has its answers"))
        .collect();
    let mut program = String::from(DRIVER);
    for (number, (goal, _)) in cases.iter().enumerate() {
        let bindings: Vec<String> = variables(goal).iter().map(|name| format!("'{name}' = {name}")).collect();
        let _ = writeln!(program, "'case'({number}, ({goal}), [{}]).", bindings.join(", "));
    }
    let ran = run_with(&program, &[], options);
    let mut wrong = String::new();
    for (number, (goal, expected)) in cases.iter().enumerate() {
        let start = format!("{number}:");
        let answers = ran.output.lines().find_map(|line| line.strip_prefix(&start));
        if answers != Some(expected.trim()) {
            let _ =
                writeln!(wrong, "{goal}\n  expected {expected}\n  found    {}", answers.unwrap_or("nothing"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}{}", ran.error);
}

macro_rules! tables {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            check(include_str!(concat!("cases/", stringify!($name), ".txt")), Options::default());
        })*
    };
}

tables!(arithmetic, atoms, attributes, control, database, grammar, iso, libraries, lists, solutions, terms);

/// As SWI-Prolog 9 answers, which reads text in double quotes as strings.
#[test]
fn strings() {
    let options = Options { double_quotes: Quotes::String, ..Options::default() };
    check(include_str!("cases/strings.txt"), options);
}

#[test]
fn answers_do_not_depend_on_collections() {
    let options = Options { collect_every: Some(1), ..Options::default() };
    check(include_str!("cases/control.txt"), options);
    check(include_str!("cases/terms.txt"), options);
    check(include_str!("cases/attributes.txt"), options);
}
