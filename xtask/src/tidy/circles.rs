//! A rule about how files lean on each other: within a crate, no files take names from each other in a
//! circle, so that each can be read with only those before it in mind.
//!
//! A file takes a name from another where a path of its code leads there: each path is followed from module
//! to module, through imports and re-exports, to the file that has the name. A module and the files below it
//! are a whole and its parts, and take names from each other as they like. What a facade passes on
//! (`pub use`) it does not take, unless it also says the name itself. Methods are no paths, so the methods of
//! one type may be spread over files. Code of tests does not count. The circles are the strongly connected
//! components; all this costs the number of paths.

use std::collections::BTreeMap;

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::source::{Path, Source};
use super::{Finding, Tree};

/// A crate: where its root lies, and its files by the path of their module.
struct Crate<'t> {
    files: BTreeMap<Vec<String>, &'t Source>,
}

/// The names that each file takes from each other one, by the modules' paths.
type Takes<'f> = BTreeMap<(&'f [String], &'f [String]), Vec<String>>;

/// No files of a crate take names from each other in a circle.
pub(super) fn names_go_one_way(tree: &Tree) -> Vec<Finding> {
    crates(tree).iter().flat_map(Crate::circles).collect()
}

/// A crate's root is a `lib.rs` or `main.rs`; it has the files below its folder that no deeper root has.
fn crates(tree: &Tree) -> Vec<Crate<'_>> {
    let is_root = |path: &str| path.ends_with("/lib.rs") || path.ends_with("/main.rs");
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| format!("{folder}/"));
    let roots: Vec<String> = tree
        .sources
        .iter()
        .filter(|source| is_root(&source.path))
        .map(|source| folder(&source.path))
        .collect();
    let mut crates: BTreeMap<&str, Crate<'_>> = BTreeMap::new();
    for source in &tree.sources {
        let below = roots.iter().filter(|root| source.path.starts_with(root.as_str()));
        let Some(root) = below.max_by_key(|root| root.len()) else { continue };
        let module = match source.path[root.len()..].trim_end_matches(".rs") {
            "lib" | "main" => Vec::new(),
            path => path.split('/').map(str::to_owned).collect(),
        };
        let files = BTreeMap::new();
        crates.entry(root).or_insert(Crate { files }).files.insert(module, source);
    }
    crates.into_values().collect()
}

impl Crate<'_> {
    fn circles(&self) -> Vec<Finding> {
        let takes = self.takes();
        let mut graph: DiGraph<&[String], ()> = DiGraph::new();
        let nodes: BTreeMap<&[String], NodeIndex> =
            self.files.keys().map(|module| (module.as_slice(), graph.add_node(module))).collect();
        for (from, to) in takes.keys() {
            if let (Some(from), Some(to)) = (nodes.get(from), nodes.get(to)) {
                graph.add_edge(*from, *to, ());
            }
        }
        let components = tarjan_scc(&graph).into_iter().filter(|component| component.len() > 1);
        components.filter_map(|component| {
            let mut files: Vec<&[String]> =
                component.into_iter().filter_map(|node| graph.node_weight(node).copied()).collect();
            files.sort();
            let within = takes.iter().filter(|((from, to), _)| files.contains(from) && files.contains(to));
            let lines: Vec<String> = within
                .map(|((from, to), names)| {
                    format!("{} takes {} from {}", shown(from), names.join(", "), shown(to))
                })
                .collect();
            let first = self.files.get(*files.first()?)?;
            Some(Finding::at(
                &first.path,
                0,
                format!(
                    "{} files take names from each other in a circle; what several need goes to a file that \
                     needs none of them:\n      {}",
                    files.len(),
                    lines.join("\n      ")
                ),
            ))
        }).collect()
    }

    /// Which names go from file to file.
    fn takes(&self) -> Takes<'_> {
        let mut takes = Takes::new();
        for (module, source) in &self.files {
            for path in source.paths().iter().filter(|path| !path.test) {
                let Some(name) = path.segments.last() else { continue };
                let said_again = || source.names(path.alias.as_ref().unwrap_or(name)) > 1;
                if path.public && name != "*" && !said_again() {
                    continue;
                }
                let Some(start) = self.absolute(module, path) else { continue };
                let Some(owner) = self.owner(&start, 0) else { continue };
                if !owner.starts_with(module) && !module.starts_with(owner) {
                    let names = takes.entry((module.as_slice(), owner)).or_default();
                    if !names.contains(name) {
                        names.push(name.clone());
                    }
                }
            }
        }
        takes
    }

    /// A path from the crate's root, `None` where it leads out of the crate or begins with a name that an
    /// import has brought, which counts by itself.
    fn absolute(&self, module: &[String], path: &Path) -> Option<Vec<String>> {
        let segments = path.segments.as_slice();
        let (base, rest) = match segments.first()?.as_str() {
            "crate" => (&[][..], &segments[1..]),
            "self" => (module, &segments[1..]),
            "super" => {
                let supers = segments.iter().take_while(|segment| *segment == "super").count();
                // Modules within the file are left first.
                let out = supers.saturating_sub(path.inline);
                (module.get(..module.len().checked_sub(out)?)?, &segments[supers..])
            }
            child if self.files.contains_key(&joined(module, &[child.to_owned()])) => (module, segments),
            _ => return None,
        };
        Some(joined(base, rest))
    }

    /// The module whose file has the name that an absolute path leads to.
    fn owner(&self, path: &[String], hops: usize) -> Option<&[String]> {
        /// Longer chains of re-exports than this are no chains.
        const HOPS: usize = 16;
        let length = (0..=path.len()).rev().find(|&length| self.files.contains_key(&path[..length]))?;
        let (module, source) = self.files.get_key_value(&path[..length])?;
        let Some(name) = path.get(length).filter(|_| hops < HOPS) else { return Some(module) };
        let brought = source.paths().into_iter().find(|import| {
            import.import
                && import.inline == 0
                && import.alias.as_ref().or(import.segments.last()).is_some_and(|known| known == name)
        });
        let Some(brought) = brought else { return Some(module) };
        let mut further = self.absolute(module, &brought)?;
        further.extend_from_slice(&path[length + 1..]);
        self.owner(&further, hops + 1)
    }
}

fn joined(base: &[String], rest: &[String]) -> Vec<String> {
    [base, rest].concat()
}

fn shown(module: &[String]) -> String {
    if module.is_empty() { "the root".to_owned() } else { module.join("/") }
}

#[cfg(test)]
mod tests {
    use super::super::check::places;
    use super::names_go_one_way;

    #[track_caller]
    fn circles(files: &[(&str, &str)]) -> Vec<String> {
        let mut all = vec![("a/src/lib.rs", "pub mod b; mod c; pub mod d;")];
        all.extend_from_slice(files);
        places(names_go_one_way, &all)
    }

    #[test]
    fn names_in_both_directions_are_found() {
        let found = circles(&[
            ("a/src/b.rs", "use crate::c::C; pub struct B;"),
            ("a/src/c.rs", "pub struct C; fn f(b: &super::b::B) {}"),
            ("a/src/d.rs", "use crate::b::B; use crate::c::C;"),
        ]);
        assert_eq!(found, ["a/src/b.rs:0"]);
    }

    #[test]
    fn a_name_is_followed_through_facades() {
        let facade = ("a/src/b.rs", "mod x; mod y; pub use x::X; pub use y::Y as Z;");
        let one_way = ("a/src/b/x.rs", "pub struct X; fn f(z: super::Z) {}");
        assert!(circles(&[facade, one_way, ("a/src/b/y.rs", "pub struct Y;")]).is_empty());
        let back = ("a/src/b/y.rs", "use super::X; pub struct Y;");
        assert_eq!(circles(&[facade, one_way, back]), ["a/src/b/x.rs:0"]);
    }

    #[test]
    fn a_facade_takes_what_it_says_itself_and_only_that() {
        let other = ("a/src/c.rs", "pub struct C; fn f(p: crate::b::P) {}");
        assert!(circles(&[("a/src/b.rs", "pub use crate::c::C; pub struct P;"), other]).is_empty());
        let says = ("a/src/b.rs", "pub use crate::c::C; pub struct P; fn g(c: C) {}");
        assert_eq!(circles(&[says, other]), ["a/src/b.rs:0"]);
    }

    #[test]
    fn a_whole_and_its_parts_tests_and_modules_within_a_file_are_no_circle() {
        let found = circles(&[
            ("a/src/b.rs", "mod x; use x::X; pub struct B; #[cfg(test)] mod tests { use crate::c::C; }"),
            ("a/src/b/x.rs", "pub struct X(super::B); mod own { use super::X; }"),
            ("a/src/c.rs", "pub struct C(crate::b::B);"),
        ]);
        assert!(found.is_empty());
    }

    #[test]
    fn crates_of_one_package_are_apart() {
        let found = places(
            names_go_one_way,
            &[
                ("a/src/lib.rs", "pub mod b;"),
                ("a/src/b.rs", "pub struct B(crate::c::C);"),
                ("a/src/bin/p/main.rs", "mod b; mod c;"),
                ("a/src/bin/p/b.rs", "pub fn f(m: crate::c::M) {}"),
                ("a/src/bin/p/c.rs", "pub struct M; fn g() { super::b::f(M) }"),
            ],
        );
        assert_eq!(found, ["a/src/bin/p/b.rs:0"]);
    }
}
