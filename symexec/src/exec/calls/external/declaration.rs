//! How a user declares a function that lies outside: by a prototype in C.

use std::str::FromStr;

/// A declared function has at most so many parameters, and so it is given at most so many buffers.
pub(crate) const MOST_PARAMETERS: usize = 64;

/// How a value is handed over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passed {
    /// A number without a fraction, a truth, an enumeration.
    Integer,
    /// `float`.
    Single,
    /// `double`.
    Double,
    /// `long double`.
    Extended,
    /// A pointer to an object, which is handed over with it.
    Pointer,
}

/// A C function's declaration, as far as it matters to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The whole text, without a semicolon.
    pub text: String,
    /// The function.
    pub name: String,
    /// Its parameters.
    pub parameters: Vec<Passed>,
    /// What it gives back; `None` for nothing.
    pub result: Option<Passed>,
}

/// Why a declaration cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("`{text}` is no declaration that can be called: {why}")]
pub struct DeclarationError {
    text: String,
    why: String,
}

impl FromStr for Declaration {
    type Err = DeclarationError;

    /// Reads a prototype in C: `double j0(double)`, `size_t strnlen(const char *, size_t n)`.
    fn from_str(text: &str) -> Result<Self, DeclarationError> {
        let text = text.trim().trim_end_matches(';').trim();
        let failed = |why: &str| DeclarationError { text: text.to_owned(), why: why.to_owned() };
        let (head, rest) = text
            .split_once('(')
            .ok_or_else(|| failed("a prototype in C is expected, as `double j0(double)`"))?;
        let inside = rest.strip_suffix(')').ok_or_else(|| failed("its parameters do not end with `)`"))?;
        if inside.contains(['(', ')']) || text.contains(['{', '}', ';', '"', '#', '\n']) {
            return Err(failed("pointers to functions and more than a prototype are not understood"));
        }
        let head = head.trim_end();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let start = head.rfind(|c| !is_name(c)).map_or(0, |place| place + 1);
        let (result, name) = head.split_at(start);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) || result.trim().is_empty() {
            return Err(failed("it names no function with a type before it"));
        }
        let passed = |text: &str| passed(text).map_err(|why| failed(&why));
        let result =
            if words(result).eq(["void"]) && !result.contains('*') { None } else { Some(passed(result)?) };
        let parameters = match inside.trim() {
            "" | "void" => Vec::new(),
            inside => inside.split(',').map(passed).collect::<Result<_, _>>()?,
        };
        if parameters.len() > MOST_PARAMETERS {
            return Err(failed(&format!("it has more than {MOST_PARAMETERS} parameters")));
        }
        Ok(Self { text: text.to_owned(), name: name.to_owned(), parameters, result })
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}

/// How a parameter or result of a type is handed over.
fn passed(text: &str) -> Result<Passed, String> {
    if text.contains("...") {
        return Err("functions with a variable number of arguments are not called".to_owned());
    }
    if text.contains(['*', '[']) {
        return Ok(Passed::Pointer);
    }
    let has = |word: &str| words(text).any(|one| one == word);
    match () {
        () if has("struct") || has("union") => Err("structures are not handed over by value".to_owned()),
        () if has("_Complex") || has("__int128") => Err(format!("`{}` is not handed over", text.trim())),
        () if has("double") && has("long") => Ok(Passed::Extended),
        () if has("double") => Ok(Passed::Double),
        () if has("float") => Ok(Passed::Single),
        () if words(text).next().is_some() => Ok(Passed::Integer),
        () => Err("a parameter without a type".to_owned()),
    }
}
