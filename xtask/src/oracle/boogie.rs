//! The oracle of verdicts: random Boogie programs, verified by `ivl boogie` and by Debian's `boogie` 2.4.1.
//!
//! What is compared is which checks fail: the failing assertions, invariants, preconditions at their calls, and
//! postconditions by themselves, since the way to them is the solver's choice. `ivl` must tell all that Boogie tells.
//! Boogie does not tell every failing check of an implementation, so what it leaves out counts only where it finds
//! nothing wrong with the procedure (with the program, where bodies are inlined). A program that both refuse, or that
//! Boogie does not get through (it ends with an exception on some), shows nothing, and neither does one in which
//! either of them runs out of time, a `break` means something else to Boogie, or it says that there are errors and tells
//! none; all are counted.
//!
//! With quantifiers the solver is not complete, and Boogie proves no `exists` whose witness nothing triggers, where `ivl`
//! puts `x == 5` into what follows. So in programs with quantifiers a check that fails for Boogie alone counts as
//! nothing, and one that fails for `ivl` alone only if it still does where `ivl` looks for instances by itself
//! (`smt.mbqi`). How often that happened is told.

mod expression;
mod generate;
mod program;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::random::Random;
use super::{Oracle, Planted};
use crate::error::Error;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;
use crate::setup::starts;
use crate::workers::side_by_side;
use program::Case;

/// What makes `ivl boogie` verify another program than it was given: one turn of each loop instead of its invariants, or
/// the first procedure alone.
pub(super) const FAULTS: [Planted; 2] = [("unroll-once", 0), ("first-alone", 0)];

/// The same for both: seconds for an implementation, and every failing check is told.
const COMMON: [&str; 2] = ["-timeLimit:10", "-errorLimit:100"];
/// How the solver is told to look for instances of quantifiers by itself.
const THOROUGH: &str = "-proverOpt:O:smt.mbqi=true";

/// Runs both as programs.
pub(super) struct Verdicts {
    programs: Programs,
    /// Options with which ours verifies something else.
    lie: Vec<&'static str>,
    scratch: Scratch,
    tried: AtomicUsize,
    /// How many programs both refused, and how many showed nothing for another reason.
    refused: AtomicUsize,
    silent: AtomicUsize,
    /// In how many Boogie told fewer failing checks of an implementation, or one of them proved less until it looked for
    /// instances by itself.
    incomplete: AtomicUsize,
}

/// What a verifier said.
#[derive(Debug, PartialEq, Eq)]
enum Said {
    /// The program has an error in names or types.
    Refused,
    /// It ended in another way, or without a verdict for every implementation.
    Nothing,
    /// The checks that fail, each as its kind and its lines.
    Failing(BTreeSet<String>),
}

impl Verdicts {
    /// # Errors
    /// Without Debian's `boogie`, and for a fault that is none of these.
    pub(super) fn new(programs: Programs, fault: Option<&str>, scratch: Scratch) -> Result<Self, Error> {
        if !starts("boogie") {
            return Err(Error::Findings("this oracle needs Debian's package `boogie`".to_owned()));
        }
        let lie = match fault {
            Some("unroll-once") => vec!["-loopUnroll:1"],
            Some("first-alone") => vec!["-proc:P0"],
            Some(other) => {
                return Err(Error::Findings(format!(
                    "there is no fault `{other}` of `ivl boogie` by itself"
                )));
            }
            None => Vec::new(),
        };
        let [tried, refused, silent, incomplete] = [0; 4].map(AtomicUsize::new);
        Ok(Self { programs, lie, scratch, tried, refused, silent, incomplete })
    }

    fn ours(&self, case: &Case, file: &Path, more: &[&str]) -> Result<Said, Error> {
        let mut command = self.programs.command("ivl", &self.scratch);
        command.arg("boogie").args(COMMON).args(&case.options).args(&self.lie).args(more).arg(file);
        Ok(Said::by(&process::output(&mut command)?))
    }

    fn theirs(case: &Case, file: &Path) -> Result<Said, Error> {
        let mut command = Command::new("boogie");
        // Bounds are inferred without being asked for there.
        let infers = case.options.contains(&"-infer:j");
        command.arg("-nologo").args((!infers).then_some("-noinfer"));
        // A search for contracts tells of every attempt.
        let traced = !case.options.contains(&generate::INFER[0]);
        command.args(traced.then_some("-trace")).args(COMMON).args(&case.options).arg(file);
        let output = process::output(&mut command)?;
        let is_lost = loses_errors(&String::from_utf8_lossy(&output.stdout));
        Ok(if is_lost { Said::Nothing } else { Said::by(&output) })
    }

    fn difference(&self, case: &Case) -> Result<Option<String>, Error> {
        let folder = Scratch::new()?;
        let file = folder.path().join("case.bpl");
        fs::write(&file, case.text()).map_err(Error::writing(&file))?;
        self.tried.fetch_add(1, Ordering::Relaxed);
        let [ours, theirs] = [self.ours(case, &file, &[])?, Self::theirs(case, &file)?];
        let (here, there) = match (&ours, &theirs) {
            (Said::Refused, Said::Refused) => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                return Ok(None);
            }
            (Said::Refused, Said::Failing(_)) | (Said::Failing(_), Said::Refused) => {
                return Ok(Some(format!("ivl:\n{ours:?}\nBoogie:\n{theirs:?}")));
            }
            (Said::Failing(here), Said::Failing(there)) if !case.leaves_a_last_loop() => (here, there),
            _ => {
                self.silent.fetch_add(1, Ordering::Relaxed);
                return Ok(None);
            }
        };
        if here == there {
            return Ok(None);
        }
        let text = case.text();
        let told: BTreeSet<usize> = there.iter().map(|check| procedure_of(&text, check)).collect();
        let mut only_here = alone(here, there);
        only_here.retain(|check| !told.contains(&procedure_of(&text, check)));
        let mut only_there = alone(there, here);
        let binds = |line: &str| line.contains("(forall") || line.contains("(exists");
        if text.lines().any(|line| !line.starts_with("axiom ") && binds(line)) {
            only_there.clear();
            if !only_here.is_empty()
                && let Said::Failing(sure) = self.ours(case, &file, &[THOROUGH])?
            {
                only_here.retain(|check| sure.contains(*check));
            }
        }
        if only_here.is_empty() && only_there.is_empty() {
            self.incomplete.fetch_add(1, Ordering::Relaxed);
            return Ok(None);
        }
        let told = |all: &[&String]| all.iter().map(|check| format!("  {check}\n")).collect::<String>();
        Ok(Some(format!(
            "{}fails for `ivl boogie` alone:\n{}fails for `boogie` alone:\n{}",
            case.options.iter().map(|option| format!("{option}\n")).collect::<String>(),
            told(&only_here),
            told(&only_there)
        )))
    }
}

impl Oracle for Verdicts {
    type Case = Case;
    const BATCH: usize = 4;

    fn generate(&self, random: &mut Random) -> Case {
        generate::case(random)
    }

    fn smaller(&self, case: &Case) -> Vec<Case> {
        case.smaller()
    }

    fn files(&self, cases: &[Case]) -> Vec<(String, String)> {
        // Each case is run by itself, so there is one.
        cases.iter().map(|case| ("case.bpl".to_owned(), case.text())).collect()
    }

    fn remark(&self) -> Result<Option<String>, Error> {
        let [tried, refused, silent, incomplete] =
            [&self.tried, &self.refused, &self.silent, &self.incomplete].map(|it| it.load(Ordering::Relaxed));
        Ok(Some(format!(
            "of {tried} programs both refused {refused}, {silent} had no verdict of one of them or a `break` that Boogie \
             takes otherwise, and in {incomplete} \
             Boogie told fewer failing checks of an implementation, or one of them proved less until it looked for \
             instances by itself"
        )))
    }

    fn differences(&self, cases: &[Case]) -> Result<Vec<Option<String>>, Error> {
        side_by_side(cases, |case| self.difference(case)).into_iter().collect()
    }
}

impl Said {
    fn by(output: &Output) -> Said {
        let printed = String::from_utf8_lossy(&output.stdout);
        if ["detected in", "parse error"].iter().any(|it| printed.contains(it)) {
            return Said::Refused;
        }
        let undecided = [
            "timed out",
            "time out",
            "out of resource",
            "inconclusive",
            "out of memory",
            "Unhandled",
            "unknown constant",
        ];
        if !printed.contains("finished with") || undecided.iter().any(|it| printed.contains(it)) {
            return Said::Nothing;
        }
        Said::Failing(failing(&printed))
    }
}

/// Whether a trace says of a procedure that it has errors and none is told: Boogie does not find the way of some.
fn loses_errors(printed: &str) -> bool {
    let mut untold = false;
    for line in printed.lines() {
        if line.starts_with("  [") {
            untold = line.ends_with("  errors") || line.ends_with("  error");
        } else if line.contains("): Error") {
            untold = false;
        } else if untold && (line.starts_with("Verifying ") || line.contains("finished with")) {
            return true;
        }
    }
    false
}

/// The checks that fail for one of the two alone. Where blocks were instrumented, and where a `break` misled it, Boogie
/// tells a loop's invariant as an assertion, or the other way round, which is the same check.
fn alone<'a>(checks: &'a BTreeSet<String>, others: &BTreeSet<String>) -> Vec<&'a String> {
    let as_assertion = |check: &str| {
        let kinds = ["invariant on entry ", "kept invariant "];
        let place = kinds.iter().find_map(|kind| check.strip_prefix(kind));
        place.map(|place| format!("assertion {place}"))
    };
    let elsewhere = |check: &str| {
        others.contains(check)
            || as_assertion(check).is_some_and(|it| others.contains(&it))
            || others.iter().any(|other| as_assertion(other).as_deref() == Some(check))
    };
    checks.iter().filter(|check| !elsewhere(check)).collect()
}

/// The line on which the procedure begins that a check is in; where bodies are inlined, checks of all procedures may be in
/// any, and it is the first line.
fn procedure_of(text: &str, check: &str) -> usize {
    if text.contains("procedure {:inline") {
        return 0;
    }
    let place = check.rsplit(' ').next().unwrap_or_default();
    let line: usize = place.split(',').next().and_then(|line| line.parse().ok()).unwrap_or_default();
    let before = text.lines().take(line).enumerate();
    before.filter(|(_, line)| line.starts_with("procedure ")).last().map_or(0, |(at, _)| at)
}

/// The failing checks among the lines that a verifier prints. A postcondition is known by its clause, which the line
/// behind its error tells, and a precondition by its call and its clause.
fn failing(printed: &str) -> BTreeSet<String> {
    let mut failing = BTreeSet::new();
    // The call of a precondition whose clause has not been told yet.
    let mut call = String::new();
    for line in printed.lines() {
        if let Some(candidate) = line.strip_suffix(" = False") {
            failing.insert(format!("candidate {candidate}"));
        }
        let Some((place, message)) = line.split_once(": ").filter(|(place, _)| place.ends_with(')')) else {
            continue;
        };
        let place = place.rsplit_once('(').map_or(place, |(_, place)| place.trim_end_matches(')'));
        let message = message.to_lowercase();
        let is_error = message.starts_with("error");
        if message.contains("precondition") {
            if is_error {
                call = place.to_owned();
            } else {
                failing.insert(format!("precondition {place} of the call {call}"));
            }
        } else if message.contains("postcondition") {
            if !is_error {
                failing.insert(format!("postcondition {place}"));
            }
        } else if is_error {
            let kinds = [("on entry", "invariant on entry"), ("invariant", "kept invariant")];
            let kind =
                kinds.iter().find(|(word, _)| message.contains(word)).map_or("assertion", |(_, kind)| kind);
            failing.insert(format!("{kind} {place}"));
        }
    }
    failing
}

#[cfg(test)]
mod tests {
    use super::{alone, failing, loses_errors, procedure_of};

    #[test]
    fn the_same_checks_in_either_wording_are_the_same() {
        let older = "\
case.bpl(4,3): Error BP5002: A precondition for this call might not hold.
case.bpl(1,3): Related location: This is the precondition that might not hold.
Execution trace:
    case.bpl(4,3): anon0
case.bpl(9,1): Error BP5003: A postcondition might not hold on this return path.
case.bpl(2,3): Related location: This is the postcondition that might not hold.
case.bpl(5,5): Error BP5005: This loop invariant might not be maintained by the loop.
case.bpl(6,5): Error BP5004: This loop invariant might not hold on entry.
case.bpl(7,5): Error BP5001: This assertion might not hold.
";
        let newer = "\
case.bpl(4,3): Error: a precondition for this call could not be proved
case.bpl(1,3): Related location: this is the precondition that could not be proved
case.bpl(8,1): Error: a postcondition could not be proved on this return path
case.bpl(2,3): Related location: this is the postcondition that could not be proved
case.bpl(5,5): Error: this invariant could not be proved to be maintained by the loop
case.bpl(6,5): Error: this loop invariant could not be proved on entry
case.bpl(7,5): Error: this assertion could not be proved
";
        let expected = [
            "assertion 7,5",
            "invariant on entry 6,5",
            "kept invariant 5,5",
            "postcondition 2,3",
            "precondition 1,3 of the call 4,3",
        ];
        assert_eq!(failing(older).iter().map(String::as_str).collect::<Vec<_>>(), expected);
        assert_eq!(failing(newer), failing(older));
    }

    #[test]
    fn an_invariant_may_be_told_as_an_assertion_and_not_as_another_invariant() {
        let set = |checks: &[&str]| checks.iter().map(|check| (*check).to_owned()).collect();
        let here = set(&["assertion 3,5", "kept invariant 4,5", "kept invariant 7,5"]);
        let there = set(&["invariant on entry 3,5", "assertion 4,5", "invariant on entry 7,5"]);
        assert_eq!(alone(&here, &there), ["kept invariant 7,5"]);
        assert_eq!(alone(&there, &here), ["invariant on entry 7,5"]);
    }

    #[test]
    fn errors_that_are_not_told_are_noticed() {
        let told = "\nVerifying P ...\n  [0.1 s, 4 proof obligations]  errors\ncase.bpl(4,3): Error BP5001: no\n\nVerifying Q ...\n  [0.1 s, 0 proof obligations]  verified\n\nBoogie program verifier finished with 1 verified, 1 error\n";
        assert!(!loses_errors(told));
        assert!(loses_errors(&told.replace("case.bpl(4,3): Error BP5001: no\n", "")));
        assert!(loses_errors(&told.replace("verified\n\n", "error\n\n")));
    }

    #[test]
    fn a_check_belongs_to_the_procedure_above_it() {
        let text = "var g: int;\nprocedure P() {\n  assert a;\n}\nprocedure Q()\n  ensures b;\n{\n}\n";
        let of = |check| procedure_of(text, check);
        assert_eq!(
            [of("assertion 3,3"), of("postcondition 6,3"), of("precondition 6,3 of the call 3,1")],
            [1, 4, 1]
        );
        assert_eq!(procedure_of(&text.replace("procedure P", "procedure {:inline 1} P"), "assertion 3,3"), 0);
    }
}
