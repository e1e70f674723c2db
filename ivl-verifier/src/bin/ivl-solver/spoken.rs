//! What solvers say in SMT-LIB 2: S-expressions, read from a stream as they come.

use std::io::BufRead;

use ivl_verifier::smt::answer::Value;
use num_bigint::BigInt;

/// How deep lists may be in each other.
const MAX_DEPTH: usize = 10_000;
/// How many bytes one answer may have.
const MAX_BYTES: usize = 64 << 20;

/// An S-expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Spoken {
    /// A symbol without its bars, a keyword, or a number.
    Word(String),
    /// A string.
    Text(String),
    List(Vec<Self>),
}

impl Spoken {
    /// Reads the next one.
    ///
    /// # Errors
    /// A message for the end of the stream and for what is none.
    pub(crate) fn read(input: &mut impl BufRead) -> Result<Self, String> {
        let mut open: Vec<Vec<Self>> = Vec::new();
        let mut read = 0;
        loop {
            let byte = next(input, &mut read)?;
            let item = match byte {
                b' ' | b'\t' | b'\r' | b'\n' => continue,
                b';' => {
                    while next(input, &mut read)? != b'\n' {}
                    continue;
                }
                b'(' if open.len() < MAX_DEPTH => {
                    open.push(Vec::new());
                    continue;
                }
                b'(' => return Err("the solver's answer is nested too deeply".to_owned()),
                b')' => Self::List(open.pop().ok_or("the solver's answer has a parenthesis too many")?),
                b'"' => Self::Text(quoted(input, b'"', &mut read)?),
                b'|' => Self::Word(quoted(input, b'|', &mut read)?),
                first => Self::Word(word(first, input, &mut read)?),
            };
            match open.last_mut() {
                None => return Ok(item),
                Some(list) => list.push(item),
            }
        }
    }

    /// The message of `(error "...")`.
    pub(crate) fn error(&self) -> Option<&str> {
        match self {
            Self::List(parts) => match parts.as_slice() {
                [Self::Word(head), Self::Text(message)] if head == "error" => Some(message),
                _ => None,
            },
            _ => None,
        }
    }

    /// The second part of the only pair in a list, or of a pair: what `get-value` of one term and `get-info` say.
    pub(crate) fn second(&self) -> Option<&Self> {
        match self {
            Self::List(parts) => match parts.as_slice() {
                [only @ Self::List(_)] => only.second(),
                [_, second] => Some(second),
                _ => None,
            },
            _ => None,
        }
    }

    /// A whole number.
    pub(crate) fn integer(&self) -> Option<BigInt> {
        match self {
            Self::Word(word) => word.strip_suffix(".0").unwrap_or(word).parse().ok(),
            Self::List(parts) => match parts.as_slice() {
                [Self::Word(minus), number] if minus == "-" => number.integer().map(|number| -number),
                _ => None,
            },
            Self::Text(_) => None,
        }
    }

    /// A value of a model; what has no form of its own is told as it was said.
    pub(crate) fn value(&self) -> Value {
        self.plain().unwrap_or_else(|| Value::Other(self.to_string()))
    }

    fn plain(&self) -> Option<Value> {
        if let Some(number) = self.integer() {
            let real = self.to_string().contains('.');
            let number = number.to_string();
            return Some(if real { Value::Real(number, "1".to_owned()) } else { Value::Int(number) });
        }
        match self {
            Self::Word(word) => match word.as_str() {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                _ => {
                    let (digits, radix, bits) = match (word.strip_prefix("#x"), word.strip_prefix("#b")) {
                        (Some(digits), _) => (digits, 16, 4),
                        (_, Some(digits)) => (digits, 2, 1),
                        _ => return None,
                    };
                    let width = u32::try_from(digits.len()).ok()?.checked_mul(bits)?;
                    let value = BigInt::parse_bytes(digits.as_bytes(), radix)?;
                    Some(Value::BitVector(value.to_string(), width))
                }
            },
            Self::Text(text) => Some(Value::Text(text.clone())),
            Self::List(parts) => match parts.as_slice() {
                [Self::Word(minus), inner] if minus == "-" => match inner.plain()? {
                    Value::Real(numerator, denominator) => {
                        Some(Value::Real(format!("-{numerator}"), denominator))
                    }
                    _ => None,
                },
                [Self::Word(over), numerator, denominator] if over == "/" => {
                    Some(Value::Real(numerator.integer()?.to_string(), denominator.integer()?.to_string()))
                }
                _ => None,
            },
        }
    }
}

impl std::fmt::Display for Spoken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Word(word) => f.write_str(word),
            Self::Text(text) => write!(f, "\"{}\"", text.replace('"', "\"\"")),
            Self::List(parts) => {
                f.write_str("(")?;
                for (index, part) in parts.iter().enumerate() {
                    if index > 0 {
                        f.write_str(" ")?;
                    }
                    part.fmt(f)?;
                }
                f.write_str(")")
            }
        }
    }
}

fn peek(input: &mut impl BufRead) -> Result<Option<u8>, String> {
    let bytes = input.fill_buf().map_err(|error| format!("the solver cannot be read: {error}"))?;
    Ok(bytes.first().copied())
}

fn next(input: &mut impl BufRead, read: &mut usize) -> Result<u8, String> {
    let byte = peek(input)?.ok_or("the solver ended before it had answered")?;
    input.consume(1);
    *read += 1;
    if *read > MAX_BYTES { Err("the solver's answer is too long".to_owned()) } else { Ok(byte) }
}

/// What stands up to a mark; the mark of strings stands for itself where it is there twice.
fn quoted(input: &mut impl BufRead, mark: u8, read: &mut usize) -> Result<String, String> {
    let mut bytes = Vec::new();
    loop {
        let byte = next(input, read)?;
        if byte != mark {
            bytes.push(byte);
        } else if mark == b'"' && peek(input)? == Some(mark) {
            bytes.push(next(input, read)?);
        } else {
            return Ok(String::from_utf8_lossy(&bytes).into_owned());
        }
    }
}

fn word(first: u8, input: &mut impl BufRead, read: &mut usize) -> Result<String, String> {
    let mut bytes = vec![first];
    while let Some(byte) = peek(input)?.filter(|byte| !b" \t\r\n()\";|".contains(byte)) {
        bytes.push(byte);
        next(input, read)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Spoken, String> {
        Spoken::read(&mut text.as_bytes())
    }

    #[test]
    fn answers_are_read_one_after_the_other() {
        let mut input =
            "sat ; a remark\n(((ControlFlow 0 1) (- 3)))\n(error \"it \"\"broke\"\"\")\n|a b|".as_bytes();
        let mut next = || Spoken::read(&mut input);
        assert_eq!(next(), Ok(Spoken::Word("sat".to_owned())));
        assert_eq!(next().map(|it| it.second().and_then(Spoken::integer)), Ok(Some(BigInt::from(-3))));
        assert_eq!(next().map(|it| it.error().map(str::to_owned)), Ok(Some("it \"broke\"".to_owned())));
        assert_eq!(next(), Ok(Spoken::Word("a b".to_owned())));
        assert!(next().is_err());
    }

    #[test]
    fn values_have_the_forms_of_the_linked_solver() {
        let value = |text: &str| read(text).map(|it| it.value());
        assert_eq!(value("(- 7)"), Ok(Value::Int("-7".to_owned())));
        assert_eq!(value("2.0"), Ok(Value::Real("2".to_owned(), "1".to_owned())));
        assert_eq!(value("(- (/ 1.0 3.0))"), Ok(Value::Real("-1".to_owned(), "3".to_owned())));
        assert_eq!(value("#xff"), Ok(Value::BitVector("255".to_owned(), 8)));
        assert_eq!(value("#b101"), Ok(Value::BitVector("5".to_owned(), 3)));
        assert_eq!(value("(f \"a\"\"\" 1)"), Ok(Value::Other("(f \"a\"\"\" 1)".to_owned())));
    }

    #[test]
    fn what_is_no_answer_is_told() {
        for text in ["", "(sat", ")", "\"open", &"(".repeat(MAX_DEPTH + 1)] {
            assert!(read(text).is_err(), "{text:.20}");
        }
    }
}
