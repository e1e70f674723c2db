//! The oracle of `rtcheck`'s goals: a goal means the same compiled in a clause, called as a term, asserted, loaded as
//! the clause of a dynamic predicate, and entered at the top level; with `--peers` the same as in SWI-Prolog.
//!
//! Goals are made of what different ways of running could see differently: cuts in control constructs and in variables
//! that are goals, arithmetic with atoms, goals of a module, arguments that need a module, exceptions.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use super::random::Random;
use super::{Oracle, Planted};
use crate::error::Error;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;

/// The faults that `rtcheck` can be built to commit. Each is a row of `docs/soundness.md`.
pub(super) const FAULTS: [Planted; 4] =
    [("known-atoms", 0), ("bound-goals", 0), ("own-arguments", 0), ("string-atoms", 0)];

/// A goal.
#[derive(Debug, Clone)]
pub(super) enum Goal {
    /// One that is not taken apart.
    Simple(&'static str),
    /// A text with a place for each of some conjunctions: `( @ -> @ ; @ )`.
    Control(&'static str, Vec<Vec<Goal>>),
}

/// What is not taken apart, with how often.
const SIMPLE: [(usize, &[&str]); 8] = [
    // Solutions to cut.
    (6, &["member(X, [1, 2, 3])", "member(Y, [1, 2])", "( X = 4 ; X = 5 )", "X = 1", "Y = 2"]),
    // Arithmetic.
    (
        5,
        &[
            "Z is pi",
            "Z is e",
            "Z is foo",
            "Z is Y",
            "Z is X + 1",
            "Y = pi",
            "Y is pi",
            "pi is pi",
            "Z = foo",
            "Z is cputime",
            "Z is [7]",
            "X < 2",
            "X > 1",
            "pi =:= pi",
            "X =:= Y",
            "Z is random_float",
            "Z = pi, Y is Z",
            "Z is -(pi)",
            "Y = e, X is Y",
            "Z is 3 + foo",
        ],
    ),
    // Goals in variables.
    (
        6,
        &[
            "G = !",
            "G = (!, fail)",
            "G = fail",
            "G = true",
            "G = (member(X, [1, 2]), !)",
            "G = (X = 6 ; X = 7)",
            "G = (! ; true)",
            "G = throw(ball)",
            "H = user",
            "G = user:(!)",
        ],
    ),
    (6, &["G", "G", "call(G)", "user:G", "H:G", "once(G)", "\\+ G", "ignore(G)", "call((G, true))"]),
    (2, &["!", "!", "fail", "true", "throw(oops)", "user:(!)"]),
    // Arguments that need a module.
    (3, &["q(a, Z)", "q(b:c, Z)", "call(q, d, Z)", "call(q(e), Z)", "user:q(f, Z)", "q(Y, Z)", "r(g, Z)"]),
    (3, &["var(X)", "nonvar(Y)", "integer(X)", "atomic(Z)", "X == Y", "X \\== 1", "float(Z)"]),
    // Texts: strings and the atoms of the same text.
    (
        6,
        &[
            "X = \"b\"",
            "X = b",
            "Y = \"ab\"",
            "Z = f(\"b\", b)",
            "member(X, [b, \"b\", \"\"])",
            "string(X)",
            "atom(X)",
            "Y = \"b\", X = Y",
            "X @< \"b\"",
            "X == \"b\"",
            "compare(Z, X, \"b\")",
            "string_concat(X, Y, \"bc\")",
            "atom_concat(X, Y, \"bc\")",
            "string_concat(\"a\", b, Z)",
            "sub_string(\"abab\", X, 2, _, Y)",
            "sub_atom(\"abab\", X, _, 0, Y)",
            "split_string(\"a-b\", \"-\", \"\", Z)",
            "atomic_list_concat([\"a\", b], Z)",
            "atom_string(X, \"b\")",
            "atom_string(b, Y)",
            "string_chars(X, [b])",
            "number_string(Z, \"12\")",
            "term_to_atom(Z, \"f(\\\"b\\\")\")",
            "string_length(X, Z)",
            "Z is \"a\" + 1",
            "Z is Y",
            "s(\"b\", Z)",
            "s(b, Z)",
            "s(X, Z)",
            "format(string(Z), \"~w~q\", [\"b\", \"b\"])",
            "msort([b, \"b\", 1, f, \"a\"], [_, Z|_])",
            "functor(Z, \"b\", 0)",
            "Z = \"b\", Z = \"b\"",
            "Z =.. [\"b\"]",
            "atom_length(Y, Z)",
            "must_be(string, X)",
            "text_to_string(X, Z)",
            "string_code(1, Y, Z)",
            "string_upper(X, Z)",
            "upcase_atom(X, Z)",
        ],
    ),
];

const CONTROL: [(usize, &str); 14] = [
    (4, "( @ )"),
    (4, "( @ ; @ )"),
    (4, "( @ -> @ ; @ )"),
    (2, "( @ -> @ )"),
    (2, "( @ *-> @ ; @ )"),
    (2, "\\+ ( @ )"),
    (4, "call(( @ ))"),
    (2, "findall(X, ( @ ), L), L = Z"),
    (1, "findall(Y, ( @ ), _)"),
    (2, "once(( @ ))"),
    (2, "catch(( @ ), _, true)"),
    (1, "forall(( @ ), ( @ ))"),
    (1, "user:( @ )"),
    (1, "ignore(( @ ))"),
];

fn conjunction(random: &mut Random, depth: usize) -> Vec<Goal> {
    let length = random.from(1..=if depth == 0 { 6 } else { 4 });
    (0..length).map(|_| goal(random, depth)).collect()
}

fn goal(random: &mut Random, depth: usize) -> Goal {
    if depth < 3 && random.chance(1, 3) {
        let text = CONTROL[random.weighted(&CONTROL.map(|(weight, _)| weight))].1;
        let parts = text.matches('@').count();
        return Goal::Control(text, (0..parts).map(|_| conjunction(random, depth + 1)).collect());
    }
    let kind = random.weighted(&SIMPLE.map(|(weight, _)| weight));
    Goal::Simple(random.one(SIMPLE[kind].1))
}

fn text(goals: &[Goal]) -> String {
    let texts: Vec<String> = goals
        .iter()
        .map(|goal| match goal {
            Goal::Simple(text) => (*text).to_owned(),
            Goal::Control(text, parts) => {
                let mut pieces = text.split('@');
                let mut whole = pieces.next().unwrap_or_default().to_owned();
                for (part, piece) in parts.iter().zip(pieces) {
                    whole.push_str(&self::text(part));
                    whole.push_str(piece);
                }
                whole
            }
        })
        .collect();
    texts.join(", ")
}

/// What all ways need. A solution is printed without what may differ: numbers of variables, and floats.
const COMMON: &str = "\
:- set_prolog_flag(double_quotes, string).
s(\"b\", 1).
s(b, 2).
s(\"ab\", 3).
s(1, 4).
:- meta_predicate q(:, ?).
q(M:A, M-A).
:- meta_predicate r(0, ?).
r(G, Z) :- ( G = M:A -> Z = M/A ; Z = none ).
out(Vs) :- copy_term(Vs, C), shown(C, S), numbervars(S, 0, _), write('  '),
    write_term(S, [quoted(true), numbervars(true)]), nl.
shown(V, V) :- var(V), !.
shown(F, float) :- float(F), !.
shown(T, S) :- compound(T), !, T =.. [N|As], shown_all(As, Bs), S =.. [N|Bs].
shown(T, T).
shown_all([], []).
shown_all([A|As], [B|Bs]) :- shown(A, B), shown_all(As, Bs).
threw(error(F, _)) :- !, out(threw(F)).
threw(B) :- out(threw(B)).
way(N, G) :- write('== '), write(N), nl, ( catch(G, E, threw(E)) -> true ; true ).
";

/// The ways in which a file runs a goal.
const WAYS: [&str; 4] = ["compiled", "called", "asserted", "loaded"];

fn program(cases: &[Vec<Goal>]) -> String {
    let mut program = COMMON.to_owned();
    for number in 0..cases.len() {
        program.push_str(&format!(":- dynamic(loaded{number}/0).\n"));
    }
    let mut runs = String::new();
    for (number, case) in cases.iter().enumerate() {
        let goal = format!("{}, out([X, Y, Z]), fail", text(case));
        program.push_str(&format!("compiled{number} :- {goal}.\nloaded{number} :- {}.\n", qualified(&goal)));
        let first = WAYS.len() * number;
        runs.push_str(&format!(
            "run{number} :- way({first}, compiled{number}), T = ( {goal} ), way({}, T),\n    \
             assertz(( asserted{number} :- {goal2} )), way({}, asserted{number}), way({}, loaded{number}).\n\
             :- initialization(run{number}).\n",
            first + 1,
            first + 2,
            first + 3,
            // The clause has its own variables.
            goal2 = goal
                .replace('X', "X2")
                .replace('Y', "Y2")
                .replace('Z', "Z2")
                .replace('G', "G2")
                .replace('H', "H2")
                .replace('L', "L2"),
        ));
    }
    program + &runs
}

/// A goal whose arguments say the module that they get otherwise.
fn qualified(goal: &str) -> String {
    let said = [
        ("q(a,", "q(user:a,"),
        ("q(f,", "q(user:f,"),
        ("q(Y,", "q(user:Y,"),
        ("r(g,", "r(user:g,"),
        ("call(q, d,", "call(q, user:d,"),
        ("call(q(e)", "call(q(user:e)"),
    ];
    said.iter().fold(goal.to_owned(), |goal, (plain, said)| goal.replace(plain, said))
}

/// What a program printed for each case, by ways.
fn by_way(printed: &str, cases: usize) -> Vec<String> {
    let mut found = vec![String::new(); cases * WAYS.len()];
    let mut current = None;
    for line in printed.lines() {
        if let Some(number) = line.strip_prefix("== ").and_then(|number| number.parse::<usize>().ok()) {
            current = Some(number);
        } else if let Some(found) = current.and_then(|number| found.get_mut(number))
            && line.starts_with("  ")
        {
            found.push_str(line);
            found.push('\n');
        }
    }
    found
}

/// Runs goals as `rtcheck` and, if asked for, SWI-Prolog do.
pub(super) struct Goals {
    pub(super) programs: Programs,
    /// Options that make it commit a fault.
    pub(super) plant: Vec<String>,
    pub(super) scratch: Scratch,
    pub(super) peers: bool,
}

impl Goals {
    /// What a command prints on standard output.
    fn printed(&self, mut command: Command, input: &str) -> Result<String, Error> {
        let shown = process::shown(&command);
        let start = |source| Error::Start { command: shown.clone(), source };
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(start)?;
        if let Some(mut stdin) = child.stdin.take() {
            // Who reads no input ends without it.
            let _ = stdin.write_all(input.as_bytes());
        }
        let output = child.wait_with_output().map_err(start)?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// What the top level prints for goals that are entered there.
    fn entered(&self, cases: &[Vec<Goal>]) -> Result<Vec<String>, Error> {
        let file = self.scratch.path().join("common.pl");
        fs::write(&file, COMMON).map_err(Error::writing(&file))?;
        let mut input = String::new();
        for (number, case) in cases.iter().enumerate() {
            let number = WAYS.len() * number;
            input.push_str(&format!("write('== '), write({number}), nl.\n"));
            input.push_str(&format!("{}, out([X, Y, Z]), fail.\n", text(case)));
        }
        let mut command = self.programs.command("rtcheck", &self.scratch);
        command.args(["top", "--time-limit", "5"]).args(&self.plant).arg(&file);
        let printed = self.printed(command, &input)?;
        Ok(by_way(&printed, cases.len()).into_iter().step_by(WAYS.len()).collect())
    }
}

impl Oracle for Goals {
    type Case = Vec<Goal>;
    const BATCH: usize = 100;

    fn generate(&self, random: &mut Random) -> Vec<Goal> {
        conjunction(random, 0)
    }

    fn smaller(&self, case: &Vec<Goal>) -> Vec<Vec<Goal>> {
        let mut smaller = Vec::new();
        for at in 0..case.len() {
            let with = |goals: &[Goal]| [&case[..at], goals, &case[at + 1..]].concat();
            if case.len() > 1 {
                smaller.push(with(&[]));
            }
            if let Goal::Control(text, parts) = &case[at] {
                smaller.extend(parts.iter().map(|part| with(part)));
                for (number, part) in parts.iter().enumerate() {
                    for less in self.smaller(part) {
                        let mut parts = parts.clone();
                        parts[number] = less;
                        smaller.push(with(&[Goal::Control(text, parts)]));
                    }
                }
            }
        }
        smaller
    }

    fn files(&self, cases: &[Vec<Goal>]) -> Vec<(String, String)> {
        vec![("case.pl".to_owned(), program(cases))]
    }

    fn remark(&self) -> Result<Option<String>, Error> {
        Ok(self.peers.then(|| "the same as in SWI-Prolog".to_owned()))
    }

    fn differences(&self, cases: &[Vec<Goal>]) -> Result<Vec<Option<String>>, Error> {
        let file = self.scratch.path().join("case.pl");
        fs::write(&file, program(cases)).map_err(Error::writing(&file))?;
        let mut command = self.programs.command("rtcheck", &self.scratch);
        command.args(["run", "--time-limit", "5"]).args(&self.plant).arg(&file);
        let found = by_way(&self.printed(command, "")?, cases.len());
        let entered = self.entered(cases)?;
        let peer = if self.peers {
            let mut command = Command::new("swipl");
            command.args(["-q", "-g", "halt"]).arg(&file);
            Some(by_way(&self.printed(command, "")?, cases.len()))
        } else {
            None
        };
        let difference = |number: usize| {
            let ways = &found[WAYS.len() * number..][..WAYS.len()];
            for (way, other) in WAYS.iter().zip(ways).skip(1) {
                if *other != ways[0] {
                    return Some(format!("{}:\n{}{way}:\n{other}", WAYS[0], ways[0]));
                }
            }
            // The top level tells errors in its own words.
            let without_errors: String = ways[0]
                .lines()
                .filter(|line| !line.starts_with("  threw("))
                .map(|line| format!("{line}\n"))
                .collect();
            if entered[number] != without_errors {
                return Some(format!("{}:\n{}entered:\n{}", WAYS[0], ways[0], entered[number]));
            }
            // A string of another length than 1 in an expression: we expect a character, SWI-Prolog 9.0.4 expects `[]`.
            let theirs = &peer.as_ref()?[WAYS.len() * number];
            let theirs = &theirs.replace("type_error([],", "type_error(character,");
            // To it a goal of an unknown module is an error or one of `user`, depending on where it stands, and
            // it compiles no negation of a variable that is new.
            let uncompiled = theirs.contains("existence_error(procedure,compiled");
            if uncompiled || text(&cases[number]).contains("H:G") {
                return None;
            }
            (*theirs != ways[0]).then(|| format!("rtcheck:\n{}SWI-Prolog:\n{theirs}", ways[0]))
        };
        Ok((0..cases.len())
            .map(|number| difference(number).map(|how| format!("{}\n{how}", text(&cases[number]))))
            .collect())
    }
}
