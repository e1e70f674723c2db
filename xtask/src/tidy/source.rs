//! A Rust file as a flat list of tokens with lines, and the paths that occur in it.
//!
//! Comments and the contents of strings are no tokens, so prose never breaks a rule. Code under
//! `#[cfg(test)]` is marked.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// A Rust file.
pub(super) struct Source {
    /// Relative to the root of the checkout.
    pub(super) path: String,
    pub(super) place: Place,
    pub(super) tokens: Vec<Token>,
    /// Why the file could not be read as tokens.
    pub(super) error: Option<String>,
}

/// What a file is to its package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    /// A module of the library: the package's folder and the module's path below the crate's root.
    Module { package: String, path: Vec<String> },
    /// `lib.rs`.
    Root { package: String },
    /// `main.rs`, or a program under `src/bin`, whose name is given.
    Program { package: String, name: String },
    /// A test, benchmark, example, fuzz target or build script.
    Beside,
}

/// An identifier, a delimiter, or punctuation (`::`, `..` and `..=` are one token each). Literals are
/// kept as an empty text.
#[derive(Debug)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) line: usize,
    /// Whether it is under `#[cfg(test)]`.
    pub(super) test: bool,
    /// How many inline modules enclose it.
    inline: usize,
}

/// A path of at least two segments as it is written, imports with braces taken apart.
#[derive(Debug)]
pub(super) struct Path {
    pub(super) segments: Vec<String>,
    pub(super) line: usize,
    pub(super) test: bool,
    /// How many inline modules enclose it.
    pub(super) inline: usize,
    /// Whether it stands in a `use`, and in a `pub use` of any reach.
    pub(super) import: bool,
    pub(super) public: bool,
    /// The name behind `as`.
    pub(super) alias: Option<String>,
}

impl Source {
    pub(super) fn new(path: &str, text: &str) -> Source {
        let mut tokens = Vec::new();
        let error = match text.parse::<TokenStream>() {
            Ok(stream) => {
                flatten(stream, false, 0, &mut tokens);
                None
            }
            Err(error) => Some(error.to_string()),
        };
        Source { path: path.to_owned(), place: place(path), tokens, error }
    }

    /// The package's folder, for a file of its library or programs.
    pub(super) fn package(&self) -> Option<&str> {
        match &self.place {
            Place::Module { package, .. } | Place::Root { package } | Place::Program { package, .. } => {
                Some(package)
            }
            Place::Beside => None,
        }
    }

    /// The top-level module that the file belongs to.
    pub(super) fn layer(&self) -> Option<&str> {
        match &self.place {
            Place::Module { path, .. } => path.first().map(String::as_str),
            Place::Root { .. } | Place::Program { .. } | Place::Beside => None,
        }
    }

    /// Every path of at least two segments.
    pub(super) fn paths(&self) -> Vec<Path> {
        let mut paths = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let starts = is_name(self.text(at)) && self.text(at + 1) == "::";
            if starts {
                let import = at.checked_sub(1).filter(|&before| self.text(before) == "use");
                let before = import.and_then(|before| before.checked_sub(1));
                let public = before.is_some_and(|before| matches!(self.text(before), "pub" | ")"));
                let first = paths.len();
                at = self.path_tree(at, &[], &mut paths);
                for path in &mut paths[first..] {
                    (path.import, path.public) = (import.is_some(), public);
                }
            } else {
                at += 1;
            }
        }
        paths
    }

    /// How often a name is said outside of tests.
    pub(super) fn names(&self, name: &str) -> usize {
        self.tokens.iter().filter(|token| !token.test && token.text == name).count()
    }

    /// The text of token `at`, empty behind the last one.
    fn text(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |token| token.text.as_str())
    }

    /// Reads one path from token `at`, with the prefix that it continues; returns where it ends.
    fn path_tree(&self, mut at: usize, prefix: &[String], paths: &mut Vec<Path>) -> usize {
        let text = |at: usize| self.text(at);
        let first = at;
        let mut segments = prefix.to_vec();
        while is_name(text(at)) || text(at) == "*" {
            // `{self}` imports the prefix itself.
            if segments.is_empty() || text(at) != "self" {
                segments.push(text(at).to_owned());
            }
            at += 1;
            if text(at) != "::" {
                break;
            }
            at += 1;
            if text(at) == "{" {
                at += 1;
                while !matches!(text(at), "}" | "") {
                    let before = at;
                    at = self.path_tree(at, &segments, paths);
                    while !matches!(text(at), "," | "}" | "") {
                        at += 1;
                    }
                    if text(at) == "," || at == before {
                        at += 1;
                    }
                }
                return at + 1;
            }
        }
        if let Some(Token { line, test, inline, .. }) = self.tokens.get(first)
            && segments.len() > 1
        {
            let alias = (text(at) == "as").then(|| text(at + 1).to_owned());
            let (import, public) = (false, false);
            paths.push(Path { segments, line: *line, test: *test, inline: *inline, import, public, alias });
        }
        at
    }

    /// The top-level module of its own crate that a path leads to; `Some("")` where it leads into the
    /// crate's root, `None` where it stays in place or leads elsewhere.
    pub(super) fn leads_to<'p>(&self, path: &'p Path) -> Option<&'p str> {
        let depth = match &self.place {
            Place::Module { path, .. } => path.len(),
            Place::Root { .. } => 0,
            Place::Program { .. } | Place::Beside => return None,
        };
        let supers = path.segments.iter().take_while(|segment| *segment == "super").count();
        let start = match path.segments.first().map(String::as_str) {
            Some("crate") => 1,
            Some("super") if supers == depth + path.inline => supers,
            _ => return None,
        };
        Some(path.segments.get(start).map_or("", String::as_str))
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn place(path: &str) -> Place {
    let parts: Vec<&str> = path.split('/').collect();
    let [package, "src", rest @ ..] = parts.as_slice() else { return Place::Beside };
    let package = (*package).to_owned();
    match rest {
        ["lib.rs"] => Place::Root { package },
        ["main.rs"] => Place::Program { name: package.clone(), package },
        ["bin", program, ..] => Place::Program { name: program.trim_end_matches(".rs").to_owned(), package },
        _ => {
            let path = rest.iter().map(|part| part.trim_end_matches(".rs").to_owned()).collect();
            Place::Module { package, path }
        }
    }
}

fn flatten(stream: TokenStream, test: bool, inline: usize, tokens: &mut Vec<Token>) {
    // `pending`: a `#[cfg(test)]` was read and the item it belongs to has not ended yet.
    let mut pending = false;
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let mut at = 0;
    while let Some(tree) = trees.get(at) {
        let line = tree.span().start().line;
        let mut push =
            |text: String, line: usize, test: bool| tokens.push(Token { text, line, test, inline });
        match tree {
            TokenTree::Ident(name) => push(name.to_string(), line, test || pending),
            TokenTree::Literal(_) => push(String::new(), line, test || pending),
            TokenTree::Punct(punct) => {
                let mut text = punct.as_char().to_string();
                let mut joint = punct.spacing() == Spacing::Joint;
                while joint && let Some(TokenTree::Punct(next)) = trees.get(at + 1) {
                    let joined = format!("{text}{}", next.as_char());
                    if !matches!(joined.as_str(), "::" | ".." | "..=" | "...") {
                        break;
                    }
                    text = joined;
                    joint = next.spacing() == Spacing::Joint;
                    at += 1;
                }
                let ends = text == ";";
                push(text, line, test || pending);
                pending &= !ends;
            }
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::None => ("", ""),
                };
                let is_brace = open == "{";
                let attribute = open == "["
                    && at.checked_sub(1).and_then(|before| trees.get(before)).is_some_and(is_hash);
                if attribute && group.stream().to_string().replace(' ', "") == "cfg(test)" {
                    pending = true;
                }
                let is_module = is_brace
                    && at
                        .checked_sub(2)
                        .and_then(|before| trees.get(before))
                        .is_some_and(|tree| matches!(tree, TokenTree::Ident(name) if name == "mod"));
                push(open.to_owned(), line, test || pending);
                flatten(group.stream(), test || pending, inline + usize::from(is_module), tokens);
                let line = group.span_close().start().line;
                tokens.push(Token { text: close.to_owned(), line, test: test || pending, inline });
                pending &= !is_brace;
            }
        }
        at += 1;
    }
}

fn is_hash(tree: &TokenTree) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == '#')
}

#[cfg(test)]
mod tests {
    use super::{Place, Source};

    #[test]
    fn imports_are_taken_apart() {
        let source =
            Source::new("a/src/b/c.rs", "use std::{fs::{self, File}, io as i, env::*};\nx::<u8>(a::b::c());");
        let paths: Vec<String> = source.paths().iter().map(|path| path.segments.join("::")).collect();
        assert_eq!(
            paths,
            ["std::fs", "std::fs::File", "std::io", "std::env::*", "a::b::c"]
                .map(str::to_owned)
                .into_iter()
                .collect::<Vec<_>>()[..]
        );
    }

    #[test]
    fn strings_and_comments_are_no_paths_and_test_code_is_marked() {
        let text = "// a::b\nconst X: &str = \"c::d\";\n#[cfg(test)]\nmod t { use e::f; }\nuse g::h;";
        let paths: Vec<(String, bool)> = Source::new("a/src/b.rs", text)
            .paths()
            .iter()
            .map(|path| (path.segments.join("::"), path.test))
            .collect();
        assert_eq!(paths, [("e::f".to_owned(), true), ("g::h".to_owned(), false)]);
    }

    #[test]
    fn paths_through_super_are_followed_to_the_root() {
        let source = Source::new(
            "a/src/b/c.rs",
            "use super::super::d::X; use super::e; mod m { use super::super::super::f; }",
        );
        let leads: Vec<Option<String>> =
            source.paths().iter().map(|path| source.leads_to(path).map(str::to_owned)).collect();
        assert_eq!(leads, [Some("d".to_owned()), None, Some("f".to_owned())]);
    }

    #[test]
    fn a_file_s_place_follows_from_its_path() {
        let module = |parts: &[&str]| Place::Module {
            package: "a".to_owned(),
            path: parts.iter().map(|part| (*part).to_owned()).collect(),
        };
        assert_eq!(super::place("a/src/b.rs"), module(&["b"]));
        assert_eq!(super::place("a/src/b/c.rs"), module(&["b", "c"]));
        let program = Place::Program { package: "a".to_owned(), name: "a-solver".to_owned() };
        assert_eq!(super::place("a/src/bin/a-solver.rs"), program);
        assert_eq!(super::place("a/src/bin/a-solver/arguments.rs"), program);
        assert_eq!(super::place("a/src/bin/a-solver/main.rs"), program);
        assert_eq!(super::place("a/tests/it/main.rs"), Place::Beside);
    }
}
