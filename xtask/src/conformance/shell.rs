//! Command lines as the tests' `RUN:` lines have them: words, quotes, pipes, redirections, `&&`, `||`, `;`, and a
//! leading `!` or `not`.

/// One command of a pipe.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) words: Vec<String>,
    /// `< FILE`
    pub(super) input: Option<String>,
    /// `> FILE`, or added to it.
    pub(super) output: Option<(String, bool)>,
    /// `2> FILE`, or added to it.
    pub(super) errors: Option<(String, bool)>,
    /// `2>&1`
    pub(super) errors_too: bool,
}

/// Commands of which each reads what the one before it prints.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pipe {
    /// Whether it must not succeed.
    pub(super) negated: bool,
    pub(super) commands: Vec<Command>,
}

/// When a pipe is run, given how the one before it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum When {
    Always,
    AfterSuccess,
    AfterFailure,
}

/// A word, or an operator outside of quotes.
#[derive(Debug, PartialEq, Eq)]
enum Token {
    Word(String),
    Sign(&'static str),
}

/// The operators, longer ones first.
const SIGNS: [&str; 12] = ["2>&1", "2>>", "2>", "&>", "&&", "||", ">>", ">", "<", "|", ";", "&"];

/// Reads a command line; nothing if it is none.
pub(super) fn parse(line: &str) -> Option<Vec<(When, Pipe)>> {
    let mut pipes = Vec::new();
    let (mut when, mut pipe, mut command) = (When::Always, Pipe::default(), Command::default());
    let mut tokens = tokens(line)?.into_iter();
    while let Some(token) = tokens.next() {
        let mut file = || match tokens.next() {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        };
        match token {
            Token::Word(word) if matches!(word.as_str(), "!" | "not") && command.words.is_empty() => {
                pipe.negated = !pipe.negated;
            }
            Token::Word(word) => command.words.push(word),
            Token::Sign("<") => command.input = Some(file()?),
            Token::Sign(sign @ (">" | ">>")) => command.output = Some((file()?, sign == ">>")),
            Token::Sign(sign @ ("2>" | "2>>")) => command.errors = Some((file()?, sign == "2>>")),
            Token::Sign("&>") => {
                command.output = Some((file()?, false));
                command.errors_too = true;
            }
            Token::Sign("2>&1") => command.errors_too = true,
            Token::Sign("|") => pipe.commands.push(finished(&mut command)?),
            Token::Sign(sign) => {
                pipe.commands.push(finished(&mut command)?);
                pipes.push((when, std::mem::take(&mut pipe)));
                when = match sign {
                    "&&" => When::AfterSuccess,
                    "||" => When::AfterFailure,
                    ";" => When::Always,
                    _ => return None,
                };
            }
        }
    }
    if command.words.is_empty() && pipe.commands.is_empty() && when == When::Always && !pipes.is_empty() {
        // A semicolon at the end.
        return Some(pipes);
    }
    pipe.commands.push(finished(&mut command)?);
    pipes.push((when, pipe));
    Some(pipes)
}

fn finished(command: &mut Command) -> Option<Command> {
    (!command.words.is_empty()).then(|| std::mem::take(command))
}

/// Words and operators; quotes of both kinds group, anywhere in a word. Nothing if a quote is open at the end.
fn tokens(line: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        if quote.is_none() {
            // `2>` is an operator only where a word could begin.
            let sign = SIGNS
                .iter()
                .find(|sign| rest.starts_with(**sign) && (word.is_none() || !sign.starts_with('2')));
            if let Some(sign) = sign {
                tokens.extend(word.take().map(Token::Word));
                tokens.push(Token::Sign(sign));
                rest = &rest[sign.len()..];
                continue;
            }
        }
        rest = &rest[c.len_utf8()..];
        match (c, quote) {
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, Some(open)) if c == open => quote = None,
            (c, None) if c.is_whitespace() => tokens.extend(word.take().map(Token::Word)),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    tokens.extend(word.map(Token::Word));
    quote.is_none().then_some(tokens)
}

#[cfg(test)]
mod tests {
    use super::{When, parse};

    /// A line as text again, with its structure marked.
    fn shown(line: &str) -> Option<String> {
        let mut out = String::new();
        for (when, pipe) in parse(line)? {
            out.push_str(match when {
                When::Always => "; ",
                When::AfterSuccess => "&& ",
                When::AfterFailure => "|| ",
            });
            out.push_str(if pipe.negated { "NOT " } else { "" });
            for command in pipe.commands {
                out.push_str(&format!("{:?}", command.words));
                let files = [
                    ("<", command.input.map(|it| (it, false))),
                    (">", command.output),
                    ("2>", command.errors),
                ];
                for (mark, file) in files {
                    if let Some((file, add)) = file {
                        out.push_str(&format!(" {mark}{}{file}", if add { "+" } else { "" }));
                    }
                }
                out.push_str(if command.errors_too { " 2>&1" } else { "" });
                out.push_str(" | ");
            }
        }
        Some(out)
    }

    #[test]
    fn lines_are_read() {
        for (line, expected) in [
            (
                "! %boogie -a \"-p:O:x=2\" -b:\"%t\"c \"%s\" >> \"%t\"",
                "; NOT [\"%boogie\", \"-a\", \"-p:O:x=2\", \"-b:%tc\", \"%s\"] >+%t | ",
            ),
            ("not a 2>&1 | grep 'x > y'", "; NOT [\"a\"] 2>&1 | [\"grep\", \"x > y\"] | "),
            ("a>b 2>c || true", "; [\"a\"] >b 2>c | || [\"true\"] | "),
            ("a x2>b; c < d && e;", "; [\"a\", \"x2\"] >b | ; [\"c\"] <d | && [\"e\"] | "),
            ("a &> b", "; [\"a\"] >b 2>&1 | "),
            ("a \"\" ''", "; [\"a\", \"\", \"\"] | "),
        ] {
            assert_eq!(shown(line).as_deref(), Some(expected), "{line}");
        }
        for line in ["", "a |", "a >", "a && ", "a 'b", "| a", "a & b"] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
