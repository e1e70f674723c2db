//! What the solver said, in a form that does not speak of the asker's names.

use cache_core::cache::Answer;
use cache_core::rename::{AtomId, Renaming};
use serde::{Deserialize, Serialize};
use yaspar::tokens::Token;

use super::read::{tokens, written};
use super::script::Place;
use super::term::{Names, Sense};

/// The answer to `check-sat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Verdict {
    Sat,
    Unsat,
    Unknown,
}

impl Verdict {
    /// The verdict that a response is, if it is nothing else.
    pub(crate) fn of(response: &str) -> Option<Self> {
        [Self::Sat, Self::Unsat, Self::Unknown].into_iter().find(|it| it.word() == response.trim_end())
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Sat => "sat",
            Self::Unsat => "unsat",
            Self::Unknown => "unknown",
        }
    }
}

/// What is kept of the solver's words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Said {
    /// Nothing: these statements are in order.
    Nothing,
    /// What was said of each of several statements, of which some are refused.
    Objections(Vec<Option<Vec<Piece>>>),
    /// The answer to `check-sat`.
    Verdict(Verdict),
    /// All that the solver said before it ended for want of time, and the status with which it did.
    Ended { text: String, status: u8 },
    /// What the solver said of its own work.
    Words(String),
    /// Any other response, and whether it belongs to a check that the solver gave up.
    Text { pieces: Vec<Piece>, gave_up: bool },
}

/// A piece of a response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Piece {
    /// What stands between symbols.
    Raw(String),
    /// A symbol that is the solver's.
    Symbol(String),
    /// A name of the asker, by its number in the question.
    Name(u32),
    /// The tester of a constructor.
    Tester(u32),
    /// An element made up for a sort.
    Element(u32, String),
    /// So many columns before the end of the command, on the line where it ends.
    Place(usize),
    /// A term of the command, by its number: Z3 repeats terms as they were written.
    Asked(u32),
}

impl Answer for Said {
    fn out_of_limits(&self) -> bool {
        matches!(
            self,
            Self::Verdict(Verdict::Unknown) | Self::Ended { .. } | Self::Text { gave_up: true, .. }
        )
    }

    /// Verdicts are compared. Of a model, another one may be as good: whether it is one is asked of the solver by the
    /// session.
    fn agrees_with(&self, fresh: &Self) -> bool {
        match (self, fresh) {
            (Self::Text { .. }, Self::Text { .. }) | (Self::Words(_), Self::Words(_)) => true,
            _ => self == fresh,
        }
    }
}

/// What a response may repeat of its command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repeated {
    /// Where the command ends.
    pub(crate) end: Place,
    /// The terms whose values are asked for, as they are written; none where the solver writes them anew.
    pub(crate) terms: Vec<String>,
    /// Whether whoever is given the response wrote the command in the same words, so that places within it are theirs
    /// too.
    pub(crate) as_written: bool,
}

/// A response in terms of the question; absent if it cannot be said in them.
pub(crate) fn to_form(
    response: &str,
    repeated: &Repeated,
    names: &Names,
    renaming: &Renaming,
) -> Option<Vec<Piece>> {
    if response.starts_with("(error") {
        return error(response, repeated, names);
    }
    let mut pieces = Vec::new();
    let (mut raw, mut depth, mut terms) = (0, 0_usize, repeated.terms.iter().zip(0..));
    for placed in tokens(response)? {
        if placed.bytes.start < raw {
            // Within a term that is repeated.
            continue;
        }
        match placed.token {
            Token::Lparen => depth += 1,
            Token::Rparen => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if placed.token == Token::Lparen
            && depth == 2
            && let Some((term, number)) = terms.next()
            && response.get(placed.bytes.end..)?.starts_with(term)
        {
            pieces.push(Piece::Raw(response.get(raw..placed.bytes.end)?.to_owned()));
            pieces.push(Piece::Asked(number));
            raw = placed.bytes.end + term.len();
            continue;
        }
        let (Token::SimpSymbol(symbol) | Token::QuotSymbol(symbol)) = &placed.token else { continue };
        let number = |atom: AtomId| renaming.number(atom);
        let piece = match names.sense(symbol) {
            // It may be either.
            Sense::Declared(_) if names.made_of(symbol) != Sense::Foreign => return None,
            Sense::Declared(atom) => Piece::Name(number(atom)?),
            Sense::Tester(atom) => Piece::Tester(number(atom)?),
            Sense::Element(atom, rest) => Piece::Element(number(atom)?, rest.to_owned()),
            Sense::Foreign => match names.label(symbol).and_then(number) {
                Some(number) => Piece::Name(number),
                None => Piece::Symbol(symbol.clone()),
            },
        };
        pieces.push(Piece::Raw(response.get(raw..placed.bytes.start)?.to_owned()));
        pieces.push(piece);
        raw = placed.bytes.end;
    }
    pieces.push(Piece::Raw(response.get(raw..)?.to_owned()));
    Some(pieces)
}

/// An error that speaks of no name, and of no place, or of no place but the end of the command or one near it.
fn error(response: &str, repeated: &Repeated, names: &Names) -> Option<Vec<Piece>> {
    let head = "(error \"";
    let message = response.strip_prefix(head)?;
    let end = repeated.end;
    let (place, rest) = match message.strip_prefix(&format!("line {} column ", end.line)) {
        Some(rest) => {
            let digits = rest.find(|c: char| !c.is_ascii_digit())?;
            let (column, rest) = rest.split_at(digits);
            let before = end.column.checked_sub(column.parse().ok()?)?;
            if before > 0 && !repeated.as_written {
                return None;
            }
            (Some(Piece::Place(before)), rest)
        }
        // Other solvers name no place where it is the command as such that is out of place.
        None if !message.contains(|c: char| c.is_ascii_digit()) => (None, message),
        None => return None,
    };
    let words = rest.split(|c: char| !yaspar::tokens::is_simple(c));
    let mut words = words.flat_map(|word| [word, word.trim_end_matches(['.', '?', '!'])]);
    let speaks = words.any(|word| names.sense(word) != Sense::Foreign);
    let pieces = [Some(Piece::Raw(head.to_owned())), place, Some(Piece::Raw(rest.to_owned()))];
    (!speaks).then(|| pieces.into_iter().flatten().collect())
}

/// A response in the asker's names; absent if it does not fit them.
pub(crate) fn to_own(
    pieces: &[Piece],
    repeated: &Repeated,
    names: &Names,
    renaming: &Renaming,
) -> Option<String> {
    let end = repeated.end;
    let mut response = String::new();
    let name = |number: u32| Some(names.spelled(renaming.atom(number)?));
    for piece in pieces {
        match piece {
            Piece::Raw(text) => response.push_str(text),
            // The solver's symbol would be taken for the asker's.
            Piece::Symbol(symbol) if names.sense(symbol) != Sense::Foreign => return None,
            Piece::Symbol(symbol) => response.push_str(&written(symbol)),
            Piece::Name(number) => response.push_str(&written(name(*number)?)),
            Piece::Tester(number) => response.push_str(&written(&format!("is-{}", name(*number)?))),
            Piece::Element(number, rest) => response.push_str(&written(&format!("{}{rest}", name(*number)?))),
            Piece::Asked(number) => response.push_str(repeated.terms.get(usize::try_from(*number).ok()?)?),
            Piece::Place(before) => {
                let column = end.column.checked_sub(*before)?;
                response.push_str(&format!("line {} column {column}", end.line));
            }
        }
    }
    Some(response)
}
