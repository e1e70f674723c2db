//! Implementations of `CacheKey`: every field is named, so that a new one cannot be forgotten; an id
//! is never a key, for its number depends on the run; and nothing goes through `Hash`, which promises
//! nothing across runs.

use super::source::{Place, Source};
use super::{Finding, Tree};

/// Checks every `impl CacheKey for ...`. The core's own leaves (integers, strings, sequences) have no
/// fields to name; everything else takes itself apart by a pattern without `..`.
pub(super) fn keys_name_every_field(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for source in tree.sources.iter().filter(|source| source.place != Place::Beside) {
        for (at, token) in source.tokens.iter().enumerate() {
            if token.text == "impl" && !token.test {
                check_implementation(source, at, &mut findings);
            }
        }
    }
    findings
}

fn check_implementation(source: &Source, start: usize, findings: &mut Vec<Finding>) {
    let text = |at: usize| source.tokens.get(at).map_or("", |token| token.text.as_str());
    let Some(open) = (start..source.tokens.len()).find(|at| matches!(text(*at), "{" | ";")) else { return };
    let Some(of) = (start..open).find(|at| text(*at) == "CacheKey" && text(at + 1) == "for") else { return };
    let mut find = |at: usize, message: &str| {
        let line = source.tokens.get(at).map_or(0, |token| token.line);
        findings.push(Finding::at(&source.path, line, message));
    };
    let name =
        (of + 2..open).map(text).take_while(|text| *text != "<" && *text != "where").last().unwrap_or("");
    if name == "Symbol" || (name.ends_with("Id") && name.len() > 2) {
        find(start, "an id or a symbol is no key: its number depends on the run");
    }
    if (start..open).any(|at| text(at) == "Hash") {
        find(start, "a key through `Hash` differs between runs and versions");
    }

    let close = end_of_group(source, open);
    for at in open..close {
        let rest = text(at) == ".."
            && matches!(text(at.saturating_sub(1)), "," | "{" | "(" | "[")
            && matches!(text(at + 1), "}" | ")" | "]");
        if rest {
            find(at, "`..` lets a new field be forgotten in the key; name every field");
        }
    }
    let leaf = matches!(&source.place, Place::Module { package, path } if package == "cache-core" && path.first().is_some_and(|module| module == "key"));
    let takes_apart = (open..close).any(|at| match text(at) {
        "let" => text(at + 1) == "Self" || (text(at + 1) == name && !name.is_empty()),
        "match" => text(at + 1) == "self" || (text(at + 1) == "*" && text(at + 2) == "self"),
        _ => false,
    });
    if !leaf && !takes_apart {
        find(
            start,
            "takes itself not apart; begin with `let Self { .. }` naming every field, or `match self`",
        );
    }
}

/// The index of the delimiter that closes the one at `open`.
fn end_of_group(source: &Source, open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in source.tokens.iter().enumerate().skip(open) {
        match token.text.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    source.tokens.len()
}

#[cfg(test)]
mod tests {
    use super::super::check::places;
    use super::keys_name_every_field;

    #[track_caller]
    fn check(text: &str, lines: &[usize]) {
        let expected: Vec<String> = lines.iter().map(|line| format!("tool/src/resolve.rs:{line}")).collect();
        assert_eq!(places(keys_name_every_field, &[("tool/src/resolve.rs", text)]), expected);
    }

    #[test]
    fn a_key_that_names_its_fields_is_fine() {
        check(
            "impl CacheKey for Point { fn feed(&self, e: &mut E) { let Self { x, y } = self; e.add(&x[0..]); } }",
            &[],
        );
        check(
            "impl<T: CacheKey> key::CacheKey for Tree<T> { fn feed(&self) { match self { Self::A(x) => x.feed() } } }",
            &[],
        );
    }

    #[test]
    fn a_field_left_out_is_found() {
        check("impl CacheKey for Point {\n fn feed(&self) {\n let Self { x, .. } = self; } }", &[3]);
        check(
            "impl CacheKey for Shape {\n fn feed(&self) { match self {\n Shape::Circle(..) => {} } } }",
            &[3],
        );
    }

    #[test]
    fn a_key_that_is_not_taken_apart_is_found() {
        check("\nimpl CacheKey for Point { fn feed(&self) { self.x.feed() } }", &[2]);
    }

    #[test]
    fn ids_symbols_and_hashes_are_no_keys() {
        check("impl CacheKey for TermId { fn feed(&self) { let Self(n) = self; } }", &[1]);
        check("impl CacheKey for intern::Symbol { fn feed(&self) { let Self(n) = self; } }", &[1]);
        check("impl<T: Hash> CacheKey for T { fn feed(&self) { match self { _ => {} } } }", &[1]);
    }
}
