//! SMT-LIB as words: just enough to cut a script into commands and to rename what it declares. Written apart from the
//! reader that is tested.

use std::collections::BTreeMap;

/// The words of a text: parentheses, texts, quoted symbols, everything else; with white space and comments between
/// them as words too, so that all words together are the text.
pub(super) fn words(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut words = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let begin = at;
        let until = |from: usize, end: u8| {
            bytes[from..].iter().position(|byte| *byte == end).map_or(bytes.len(), |it| from + it + 1)
        };
        at = match bytes[at] {
            b'(' | b')' => at + 1,
            b'"' => {
                let mut end = until(at + 1, b'"');
                while bytes.get(end) == Some(&b'"') {
                    end = until(end + 1, b'"');
                }
                end
            }
            b'|' => until(at + 1, b'|'),
            b';' => until(at, b'\n'),
            byte if byte.is_ascii_whitespace() => {
                at + bytes[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
            }
            _ => {
                let ends = |byte: &&u8| !byte.is_ascii_whitespace() && !b"()\"|;".contains(byte);
                at + bytes[at..].iter().take_while(ends).count().max(1)
            }
        };
        words.push(&text[begin..at]);
    }
    words
}

fn is_blank(word: &str) -> bool {
    word.starts_with(';') || word.trim().is_empty()
}

/// The words that mean something.
pub(super) fn meaning(text: &str) -> Vec<&str> {
    words(text).into_iter().filter(|word| !is_blank(word)).collect()
}

/// The top level of a text: lists and single words, each as it is written.
pub(super) fn items(text: &str) -> Vec<String> {
    let (mut items, mut open, mut depth) = (Vec::new(), String::new(), 0_usize);
    for word in words(text) {
        if depth == 0 && is_blank(word) {
            continue;
        }
        open.push_str(word);
        match word {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            items.push(std::mem::take(&mut open));
        }
    }
    if !open.trim().is_empty() {
        items.push(open);
    }
    items
}

/// The members of a list as they are written.
pub(super) fn members(list: &str) -> Vec<String> {
    let inner = list.trim().strip_prefix('(').and_then(|list| list.strip_suffix(')')).unwrap_or("");
    items(inner)
}

/// A symbol without its bars.
pub(super) fn plain(word: &str) -> &str {
    word.strip_prefix('|').and_then(|word| word.strip_suffix('|')).unwrap_or(word)
}

/// The names that a script declares, in order, once each.
pub(super) fn declared(script: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut add = |word: &str| {
        let name = plain(word).to_owned();
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    };
    for command in items(script) {
        let words = meaning(&command);
        match words.get(1).copied().unwrap_or("") {
            "declare-const" | "declare-fun" | "declare-sort" | "define-fun" | "define-fun-rec"
            | "define-sort" | "define-const" => {
                words.get(2).into_iter().for_each(|word| add(word));
            }
            "declare-datatypes" | "declare-datatype" | "define-funs-rec" => {
                words.get(2).filter(|word| **word != "(").into_iter().for_each(|word| add(word));
                // Behind the command's own name.
                for pair in words.get(2..).unwrap_or_default().windows(2) {
                    if pair[0] == "("
                        && ![
                            "(", ")", "par", "_", "Array", "Seq", "and", "or", "not", "+", "-", "ite", "=",
                            "<", "is",
                        ]
                        .contains(&pair[1])
                    {
                        add(pair[1]);
                    }
                }
            }
            _ => {}
        }
        for pair in words.windows(2) {
            if pair[0] == ":named" {
                add(pair[1]);
            }
        }
    }
    names
}

/// The script with every declared name changed.
pub(super) fn renamed(script: &str) -> String {
    let names = declared(script);
    let count = names.len();
    let new = |at: usize| match at % 5 {
        0 => format!("|new {at}\n;(|"),
        1 => format!("zz{}", count - at),
        2 => format!("|Quoted{at}|"),
        3 => format!("a-long-name-that-nobody-uses-{at}"),
        _ => format!("N{at}!"),
    };
    let map: BTreeMap<&str, String> =
        names.iter().enumerate().map(|(at, name)| (name.as_str(), new(at))).collect();
    words(script)
        .into_iter()
        .map(|word| {
            let name = plain(word);
            let tester = name.strip_prefix("is-").and_then(|name| map.get(name));
            match (map.get(name), tester) {
                (Some(new), _) => new.clone(),
                (None, Some(new)) => format!("|is-{}|", plain(new)),
                (None, None) => word.to_owned(),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{items, renamed, words};

    #[test]
    fn words_are_the_text_and_items_its_commands() {
        let script = "(a |b (| \"c \"\" )\") ; d )\n(e)\n";
        assert_eq!(words(script).concat(), script);
        assert_eq!(items(script), ["(a |b (| \"c \"\" )\")", "(e)"]);
    }

    #[test]
    fn every_declared_name_changes_and_nothing_else() {
        let script = "(declare-const x Int)(assert (! (> x 1) :named y))";
        assert_eq!(
            renamed(script),
            "(declare-const |new 0\n;(| Int)(assert (! (> |new 0\n;(| 1) :named zz1))"
        );
        let script = "(declare-datatypes ((T 0)) (((c (s Int)))))(assert ((_ is c) (c 1)))";
        assert_eq!(
            renamed(script),
            "(declare-datatypes ((|new 0\n;(| 0)) (((zz2 (|Quoted2| Int)))))(assert ((_ is zz2) (zz2 1)))"
        );
    }
}
