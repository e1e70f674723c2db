//! Values in responses: those of `get-value`, and of the constants in a model.

use super::read::tokens;
use yaspar::tokens::Token;

/// Whether two responses say the same but for white space, which depends on the length of names.
pub(crate) fn same_words(one: &str, other: &str) -> bool {
    let words = |text: &str| -> Option<Vec<String>> {
        let placed = tokens(text)?;
        Some(placed.into_iter().map(|it| text[it.bytes].to_owned()).collect())
    };
    match (words(one), words(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

/// Terms with their values: pairs of `get-value`, or the constants of `get-model`. An error speaks of no model. Absent
/// for other responses.
pub(crate) fn values(response: &str) -> Option<Vec<(String, String)>> {
    if response.starts_with("(error") {
        return Some(Vec::new());
    }
    let lists = |text: &str| -> Option<Vec<String>> { members(text) };
    let entries = lists(response)?;
    let mut values = Vec::new();
    for entry in entries {
        match lists(&entry)?.as_slice() {
            [word, name, parameters, _, value] if word.starts_with("define-fun") => {
                if lists(parameters).is_some_and(|it| it.is_empty()) {
                    values.push((name.clone(), value.clone()));
                }
            }
            [term, value] => values.push((term.clone(), value.clone())),
            // The cardinality of a sort, say.
            [word, ..] if word.starts_with("declare-") || word == "forall" => {}
            _ => return None,
        }
    }
    Some(values)
}

/// The texts of the members of a list; absent for anything else.
pub(crate) fn members(text: &str) -> Option<Vec<String>> {
    let (mut depth, mut begin, mut found) = (0_usize, 0, Vec::new());
    for placed in tokens(text)? {
        match placed.token {
            Token::Lparen => {
                depth += 1;
                if depth == 2 {
                    begin = placed.bytes.start;
                }
            }
            Token::Rparen => {
                depth = depth.checked_sub(1)?;
                if depth == 1 {
                    found.push(text.get(begin..placed.bytes.end)?.to_owned());
                }
            }
            _ if depth == 1 => found.push(text.get(placed.bytes)?.to_owned()),
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    Some(found)
}
