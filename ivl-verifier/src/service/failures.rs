//! Failing checks at their current positions, in Boogie's words.

mod exit;

use crate::base::diagnostic::{Diagnostic, Stage};
use crate::base::source::Span;
use crate::lower::{CheckKind, Passive, PassiveBlock, PassiveCommand};
use crate::report::{Candidate, CandidatePlace, CheckError, Obligation};
use crate::resolve::program::Program;
use crate::smt::answer::{Failure, Model, Outcome, Response};
use crate::vc;

use self::exit::Exit;
use super::values::Told;

/// What the model of a failure is read with, and that model, by the failure's place. A model may say nothing: then the
/// way to the check is still what it is, with what is printed on it.
pub(super) type Telling<'t> = &'t dyn Fn(usize) -> Option<(&'t Told, &'t Model)>;

/// The errors that a response means, sorted by position. `None` if the response does not belong to
/// these blocks. `telling` gives what is needed to tell the values of a failure, by its place.
pub(super) fn errors(
    program: &Program,
    passive: &Passive,
    response: &Response,
    telling: Telling<'_>,
) -> Option<Vec<CheckError>> {
    let condition = vc::condition(passive);
    // In the order of the checks: which one is found first is the solver's affair.
    let mut failures: Vec<(usize, &Failure)> = response.failures.iter().enumerate().collect();
    failures.sort_by_key(|(_, failure)| condition.checks.get(failure.label as usize));
    let mut errors = failures
        .into_iter()
        .map(|(index, failure)| {
            let mut error = error(program, passive, &condition, failure)?;
            if let Some((told, model)) = telling(index) {
                let check = *condition.checks.get(failure.label as usize)?;
                let mut found = told.counterexample(program, passive, &failure.path, check, model);
                found.candidate = response.outcome == Outcome::NotProved;
                error.counterexample = Some(Box::new(found));
            }
            Some(error)
        })
        .collect::<Option<Vec<CheckError>>>()?;
    errors.sort_by_key(|error| {
        (error.diagnostic.span, error.diagnostic.related.first().map(|(span, _)| *span))
    });
    Some(errors)
}

/// The checks that a query asks about, with what came out, and those that control does not get to.
pub(super) fn obligations(passive: &Passive, response: &Response) -> Vec<Obligation> {
    let condition = vc::condition(passive);
    let failed: Vec<Option<&usize>> =
        response.failures.iter().map(|failure| condition.checks.get(failure.label as usize)).collect();
    let asked = |command: &PassiveCommand| match command {
        PassiveCommand::Assert(assertion) if !assertion.settled => Some(assertion.check),
        _ => None,
    };
    let obligation = |check: usize| {
        Some(Obligation { span: passive.checks.get(check)?.span, failed: failed.contains(&Some(&check)) })
    };
    let unreached = |span: &Span| Obligation { span: *span, failed: false };
    let of_block = |block: &PassiveBlock| -> Vec<Obligation> {
        let checks = block.commands.iter().filter_map(asked).filter_map(obligation);
        checks.chain(block.beyond.iter().map(unreached)).collect()
    };
    passive.blocks.iter().flat_map(of_block).collect()
}

/// What is said of each check that fails, in the order of the checks, without places and without the program's own
/// words, which are told as they are at present.
pub(super) fn words(program: &Program, passive: &Passive) -> Vec<String> {
    let mut passive = passive.clone();
    passive.checks.iter_mut().for_each(|check| check.message = None);
    let passive = &passive;
    let condition = vc::condition(passive);
    let said = |label| {
        let failure = Failure { label, path: Vec::new(), refuted: true };
        let CheckError { diagnostic, candidate, .. } = error(program, passive, &condition, &failure)?;
        let related = diagnostic.related.into_iter().map(|(_, words)| words);
        let candidate = candidate.map(|it| format!("candidate {}", it.name));
        let words = [diagnostic.message].into_iter().chain(related).chain(candidate);
        Some(words.collect::<Vec<_>>().join("; "))
    };
    (0..).zip(&condition.checks).filter_map(|(label, _)| said(label)).collect()
}

fn error(
    program: &Program,
    passive: &Passive,
    condition: &vc::Condition,
    failure: &Failure,
) -> Option<CheckError> {
    let check = passive.checks.get(*condition.checks.get(failure.label as usize)?)?;
    let blocks =
        failure.path.iter().map(|block| passive.blocks.get(*block as usize)).collect::<Option<Vec<_>>>()?;
    let leaves = check.kind == CheckKind::Postcondition;
    let merges = leaves && program.merges_exits && !program.keeps_empty_blocks;
    let exit = if merges { Exit::of(program, passive) } else { None };
    let says = |at: &u32| match &exit {
        Some(exit) => exit.says(*at as usize),
        None => passive.blocks.get(*at as usize).is_some_and(|block| !block.commands.is_empty()),
    };
    let mut trace = trace(program, &blocks, &failure.path.iter().map(says).collect::<Vec<_>>());
    let named = exit.as_ref().and_then(|exit| exit.name);
    trace.extend(named.map(|(label, span)| (span, program.names.text(label).to_owned())));
    if program.shows_added_blocks {
        let exit_is_added = leaves && passive.leaving.is_some() && named.is_none();
        add_blocks(program, &blocks, exit_is_added, &mut trace);
    }
    let mut related = Vec::new();
    let (span, words) = match check.kind {
        CheckKind::Assertion => (check.span, "this assertion could not be proved"),
        CheckKind::Unpacking => (check.span, "the precondition for unpack could not be proved"),
        CheckKind::Precondition => {
            if let Some(condition) = check.condition {
                related.push((condition, "this is the precondition that could not be proved".to_owned()));
            }
            (check.span, "a precondition for this call could not be proved")
        }
        CheckKind::Postcondition => {
            related.push((check.span, "this is the postcondition that could not be proved".to_owned()));
            // Control returned from the first block that says where; the one behind the body comes after it.
            let stays = |block: &u32| exit.as_ref().is_none_or(|exit| !exit.removes(*block as usize));
            let mut ways = blocks.iter().zip(&failure.path);
            let returned = ways.find_map(|(block, at)| block.returns.filter(|_| stays(at)));
            let returned = returned.or(exit.as_ref().map(|exit| exit.end));
            (returned.unwrap_or(check.span), "a postcondition could not be proved on this return path")
        }
        CheckKind::InlinedPostcondition => {
            if let Some(condition) = check.condition {
                related.push((condition, "this is the postcondition that could not be proved".to_owned()));
            }
            (check.span, "a postcondition could not be proved on this return path")
        }
        CheckKind::InvariantEntry => (check.span, "this loop invariant could not be proved on entry"),
        CheckKind::InvariantMaintained => {
            (check.span, "this invariant could not be proved to be maintained by the loop")
        }
    };
    let message = check.message.clone().unwrap_or_else(|| words.to_owned());
    let diagnostic = Diagnostic { related, ..Diagnostic::error(Stage::Verification, span, message) };
    let place = match check.kind {
        CheckKind::Precondition => CandidatePlace::Precondition,
        CheckKind::Postcondition | CheckKind::InlinedPostcondition => CandidatePlace::Postcondition,
        CheckKind::Assertion
        | CheckKind::Unpacking
        | CheckKind::InvariantEntry
        | CheckKind::InvariantMaintained => CandidatePlace::Body,
    };
    let named = |id| program.names.text(program.constants[id].name).to_owned();
    let candidate = check.candidate.map(|id| Candidate { name: named(id), place });
    let loops = matches!(check.kind, CheckKind::InvariantEntry | CheckKind::InvariantMaintained);
    let own_words = check.message.is_some() && !loops;
    let inlined_end = check.kind == CheckKind::InlinedPostcondition;
    Some(CheckError { diagnostic, words, trace, own_words, inlined_end, candidate, counterexample: None })
}

/// Puts the blocks into a trace that Boogie has in front of a body, unless nothing is said in the block behind it, and
/// behind a body in which control ends in several places. They are nowhere in the program.
fn add_blocks(
    program: &Program,
    blocks: &[&PassiveBlock],
    exit_is_added: bool,
    trace: &mut Vec<(Span, String)>,
) {
    let added = |name: &str| (Span::NOWHERE, name.to_owned());
    let [entry, body @ ..] = blocks else { return };
    if exit_is_added {
        trace.push(added("GeneratedUnifiedExit"));
    }
    let more = body.iter().skip(1).take_while(|block| block.continues).count();
    let mut first = body.iter().take(1 + more);
    if entry.label.is_none() && (program.keeps_empty_blocks || first.any(|block| !block.commands.is_empty()))
    {
        trace.insert(0, added("PreconditionGeneratedEntry"));
    }
}

/// The blocks on a way, as Boogie tells them: those that are one for Boogie once, under the name of the first, and
/// none but the first in which nothing is assumed or checked, as `says` has it. Blocks that lowering adds have no names.
fn trace(program: &Program, blocks: &[&PassiveBlock], says: &[bool]) -> Vec<(Span, String)> {
    let mut trace = Vec::new();
    let mut rest = 0;
    while let Some((first, others)) = blocks.get(rest..).and_then(<[_]>::split_first) {
        let more = others.iter().take_while(|block| block.continues).count();
        let empty = says[rest..=rest + more].iter().all(|says| !says);
        let labels = [first].into_iter().chain(&others[..more]).filter_map(|block| block.label);
        let mut labels = labels.map(|(label, span)| (span, program.names.text(label)));
        if let Some((span, name)) = labels.find(|(_, name)| !name.is_empty())
            && (!empty || trace.is_empty() || program.keeps_empty_blocks)
        {
            trace.push((span, name.to_owned()));
        }
        rest += more + 1;
    }
    trace
}
