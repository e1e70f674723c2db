//! Two transcripts of one script: equal, or different where models and cores may differ, and then judged by the solver.

use super::words::{items, meaning, members, plain};
use crate::error::Error;

/// With this `smt_cache` refuses what is asked about a check that its solver decides otherwise, or not.
const REFUSAL: &str = "(error \"the solver has another model than the one that was given:";

/// Asks the solver from scratch; what it printed.
pub(super) type Ask<'a> = &'a dyn Fn(&str) -> Result<String, Error>;

/// How far two transcripts agree.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Agreement {
    /// Models, values and cores that differ and are as good.
    pub(super) as_good: usize,
    /// Of those, the ones that the solver cannot judge (a value without a name).
    pub(super) unjudged: usize,
    /// Verdicts where the solver gave up.
    pub(super) knows_more: usize,
    /// What was asked about those, and refused: the solver has no model of what it gave up.
    pub(super) refused: usize,
}

/// Compares what a solver says with what was said in its place: how far they agree, or what differs.
pub(super) fn compare(
    script: &str,
    expected: &str,
    said: &str,
    ask: Ask<'_>,
) -> Result<Result<Agreement, String>, Error> {
    let mut agreement = Agreement::default();
    if meaning(expected) == meaning(said) {
        return Ok(Ok(agreement));
    }
    let differs = |what: &str| Ok(Err(format!("{what}\nthe solver:\n{expected}\nin its place:\n{said}")));
    let (mut expected_items, mut said_items) = (items(expected), items(said));
    let is_status = |item: &String| item.starts_with("(status ");
    if expected_items.pop_if(|it| is_status(it)) != said_items.pop_if(|it| is_status(it)) {
        return differs("the status differs");
    }
    if expected_items.len() != said_items.len() {
        return differs("the number of answers differs");
    }
    let Some(askers) = askers(script, ask)?.filter(|askers| askers.len() == said_items.len()) else {
        return differs("an answer differs");
    };
    let commands = items(script);
    // The last check of which more is known than the solver says.
    let mut known_better = None;
    let is = |number: usize, what: &str| commands.get(number).is_some_and(|it| it.starts_with(what));
    for (at, (one, other)) in expected_items.iter().zip(&said_items).enumerate() {
        if meaning(one) == meaning(other) {
            continue;
        }
        if one == "unknown" && (other == "sat" || other == "unsat") {
            agreement.knows_more += 1;
            known_better = Some(askers[at]);
            continue;
        }
        let command = askers[at];
        let check = (0..command).rev().find(|number| is(*number, "(check-sat"));
        let better = check.is_some() && check == known_better;
        if better && other.starts_with(REFUSAL) {
            agreement.refused += 1;
            continue;
        }
        if one.starts_with("(error") && !better
            || other.starts_with("(error")
            || !one.starts_with('(')
            || !other.starts_with('(')
        {
            return differs(&format!("answer {at} differs"));
        }
        let Some(check) = check else {
            return differs("an answer about no check differs");
        };
        let before: Vec<&String> = commands[..check].iter().filter(|it| !is_question(it)).collect();
        let judged = if is(command, "(get-unsat-core") {
            let core = members(other);
            let kept = before.iter().filter(|it| match label(it) {
                // Solvers write a symbol without bars where it needs none.
                Some(label) => core.iter().any(|name| plain(name) == plain(&label)),
                None => true,
            });
            let text: Vec<&str> = kept.map(|it| it.as_str()).chain([commands[check].as_str()]).collect();
            let verdict = items(&ask(&text.join("\n"))?).pop().unwrap_or_default();
            if verdict != "unsat" {
                return differs(&format!("answer {at} is no core: the solver says {verdict} of it"));
            }
            true
        } else {
            // All that was said of this model together.
            let same = (0..=at).filter(|earlier| askers[*earlier] > check);
            let values: Vec<String> = same.flat_map(|earlier| equations(&said_items[earlier])).collect();
            let text: Vec<&str> = before
                .iter()
                .map(|it| it.as_str())
                .chain(values.iter().map(String::as_str))
                .chain([commands[check].as_str()])
                .collect();
            let printed = items(&ask(&text.join("\n"))?);
            match printed.last().map(String::as_str) {
                Some("unsat") => return differs(&format!("the values of answer {at} are no model")),
                Some("sat") => !printed.iter().any(|it| it.starts_with("(error")),
                _ => false,
            }
        };
        agreement.as_good += 1;
        agreement.unjudged += usize::from(!judged);
    }
    Ok(Ok(agreement))
}

/// For each answer the command that it answers; absent where that cannot be told.
fn askers(script: &str, ask: Ask<'_>) -> Result<Option<Vec<usize>>, Error> {
    let mut commands = items(script);
    if let Some(end) = commands.iter().position(|it| it == "(exit)") {
        commands.truncate(end + 1);
    }
    // Every command has one answer where `success` is said, which the script itself must not change.
    let praise = |command: &String| match members(command).as_slice() {
        [word, option, value] if word == "set-option" && option == ":print-success" => Some(value == "true"),
        _ => None,
    };
    let asked = commands.iter().map(|it| if praise(it).is_some() { "(echo \"set\")" } else { it.as_str() });
    let asked: Vec<&str> = std::iter::once("(set-option :print-success true)").chain(asked).collect();
    let printed = items(&ask(&asked.join("\n"))?);
    if printed.len() != commands.len() + 1 {
        return Ok(None);
    }
    let mut praised = false;
    let mut askers = Vec::new();
    for (at, (command, answer)) in commands.iter().zip(printed.iter().skip(1)).enumerate() {
        let told = praise(command);
        praised = told.unwrap_or(praised);
        if praised || told.is_none() && answer != "success" {
            askers.push(at);
        }
    }
    Ok(Some(askers))
}

fn is_question(command: &str) -> bool {
    ["(check-sat", "(get-", "(echo"].iter().any(|begin| command.starts_with(begin))
}

/// The label of an assertion as a whole.
fn label(command: &str) -> Option<String> {
    let [word, term] = members(command).try_into().ok()?;
    (word == "assert").then_some(())?;
    let parts = members(&term);
    let at = parts.iter().position(|part| part == ":named")?;
    (parts.first().is_some_and(|it| it == "!")).then(|| parts.get(at + 1).cloned()).flatten()
}

/// What `get-value` or `get-model` said, as assertions about constants.
fn equations(answer: &str) -> Vec<String> {
    let mut equations = Vec::new();
    for entry in members(answer) {
        match members(&entry).as_slice() {
            [word, name, parameters, _, value] if word == "define-fun" && members(parameters).is_empty() => {
                equations.push(format!("(assert (= {name} {value}))"));
            }
            [term, value] => equations.push(format!("(assert (= {term} {value}))")),
            _ => {}
        }
    }
    equations
}

#[cfg(test)]
mod tests {
    use super::compare;

    #[test]
    fn a_model_is_judged_where_success_is_said() {
        let script = "(set-option :print-success true)(declare-const x Int)(assert (> x 3))(check-sat)(get-value (x))\
            (set-option :print-success false)(declare-const y Int)(exit)";
        let ask = |text: &str| {
            Ok(match text {
                _ if text.contains("(echo") => {
                    "success set success success sat ((x 4)) set success success".to_owned()
                }
                _ if text.contains("(= x 2)") => "unsat".to_owned(),
                _ => "sat".to_owned(),
            })
        };
        let said = |value: u32| format!("success success success sat ((x {value}))");
        let verdict = |value| compare(script, &said(4), &said(value), &ask).ok().map(|it| it.is_ok());
        assert_eq!(verdict(5), Some(true));
        assert_eq!(verdict(2), Some(false));
    }

    #[test]
    fn a_model_that_is_none_is_noticed() {
        let script = "(declare-const x Int)(assert (> x 3))(check-sat)(get-value (x))";
        let ask = |text: &str| {
            Ok(match text {
                _ if text.contains("print-success") => "success success success sat ((x 4))".to_owned(),
                _ if text.contains("(= x 2)") => "unsat".to_owned(),
                _ => "sat".to_owned(),
            })
        };
        let verdict = |said: &str| compare(script, "sat\n((x 4))", said, &ask).ok().map(|it| it.is_ok());
        assert_eq!(verdict("sat\n((x  4))"), Some(true));
        assert_eq!(verdict("sat\n((x 5))"), Some(true));
        assert_eq!(verdict("sat\n((x 2))"), Some(false));
        assert_eq!(verdict("unsat\n((x 4))"), Some(false));
        assert_eq!(verdict("sat"), Some(false));
    }
}
