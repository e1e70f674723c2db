//! Inside a crate the modules are layers, in the order of ARCHITECTURE.md's code map: a lower one never
//! imports a higher one, so there is no circle either.
//!
//! Code under `#[cfg(test)]` may reach up: a test of a machine may well parse its program.

use std::collections::BTreeMap;

use super::{Finding, Tree};
use crate::tidy::source::Place;

const MAP: &str = "ARCHITECTURE.md";

/// Checks every path that leads from one top-level module to another, and that the code map names
/// exactly the modules that exist.
pub(super) fn modules_are_layers(tree: &Tree) -> Vec<Finding> {
    let (map, macros) = (code_map(tree), macros(tree));
    let mut findings = Vec::new();
    if map.is_empty() {
        findings.push(Finding::at(MAP, 0, "has no code map: a fenced block with a line per crate"));
    }
    for source in &tree.sources {
        let (Some(package), Some(layer)) = (source.package(), source.layer()) else { continue };
        let Some(order) = map.get(package) else { continue };
        let Some(own) = position(order, layer) else {
            findings.push(Finding::at(
                &source.path,
                0,
                format!("module `{layer}` is not in the code map of {MAP}"),
            ));
            continue;
        };
        for path in source.paths().iter().filter(|path| !path.test) {
            let Some(target) = source.leads_to(path) else { continue };
            // A macro is imported from the crate's root, wherever it is defined.
            let target = macros.get(&(package, target)).copied().flatten().unwrap_or(target);
            let shown = path.segments.join("::");
            match position(order, target) {
                Some(other) if other <= own => {}
                Some(_) => findings.push(Finding::at(
                    &source.path,
                    path.line,
                    format!("`{shown}`: layer `{layer}` is below `{target}` and must not know it"),
                )),
                // Said once, at the module itself.
                None if exists(tree, package, target) => {}
                None => findings.push(Finding::at(
                    &source.path,
                    path.line,
                    format!("`{shown}` leads through the crate's root; name the module that has it"),
                )),
            }
        }
    }
    for (package, order) in &map {
        let exists = |name: &str| {
            tree.sources
                .iter()
                .any(|source| source.package() == Some(package) && source.layer() == Some(name))
        };
        let absent = order.iter().filter(|name| !exists(name));
        findings
            .extend(absent.map(|name| {
                Finding::at(MAP, 0, format!("names the module `{name}`, which {package} lacks"))
            }));
    }
    findings
}

fn exists(tree: &Tree, package: &str, module: &str) -> bool {
    tree.sources.iter().any(|source| source.package() == Some(package) && source.layer() == Some(module))
}

/// The layers that define macros, by package and the macro's name; the first where there are several.
fn macros(tree: &Tree) -> BTreeMap<(&str, &str), Option<&str>> {
    let mut macros = BTreeMap::new();
    for source in &tree.sources {
        let Some(package) = source.package() else { continue };
        // `macro_rules`, `!` and the name.
        for window in source.tokens.windows(3) {
            if let [rules, _, name] = window
                && rules.text == "macro_rules"
            {
                macros.entry((package, name.text.as_str())).or_insert(source.layer());
            }
        }
    }
    macros
}

fn position(order: &[String], module: &str) -> Option<usize> {
    order.iter().position(|name| name == module)
}

/// The layers of each crate, lowest first, read from the lines `crate/   module module ... + programs`.
/// xtask is left out: it has commands, not layers.
fn code_map(tree: &Tree) -> BTreeMap<String, Vec<String>> {
    let text = tree.files.get(MAP).map_or("", String::as_str);
    let libraries: Vec<&str> = tree
        .sources
        .iter()
        .filter_map(|source| match &source.place {
            Place::Root { package } => Some(package.as_str()),
            Place::Module { .. } | Place::Program { .. } | Place::Beside => None,
        })
        .collect();
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let package = words.next()?.strip_suffix('/')?;
        if !libraries.contains(&package) {
            return None;
        }
        let modules = words.take_while(|word| *word != "+").map(|word| word.trim_end_matches(',').to_owned());
        Some((package.to_owned(), modules.collect()))
    };
    text.lines().filter_map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::super::check::places;
    use super::modules_are_layers;

    const MAP: (&str, &str) = ("ARCHITECTURE.md", "```\ntool/     low middle, high   + program tool\n```\n");
    const ROOT: (&str, &str) = ("tool/src/lib.rs", "pub mod low; pub mod middle; pub mod high;");
    const MIDDLE: (&str, &str) = ("tool/src/middle.rs", "use crate::low::X;");
    const HIGH: (&str, &str) = ("tool/src/high/inner.rs", "use crate::{low, middle::Y}; use super::Z;");

    #[test]
    fn downward_imports_are_fine() {
        let low = ("tool/src/low.rs", "use std::fmt; #[cfg(test)] mod tests { use crate::high::X; }");
        assert!(places(modules_are_layers, &[MAP, ROOT, low, MIDDLE, HIGH]).is_empty());
    }

    #[test]
    fn an_upward_import_is_found_however_it_is_written() {
        let low = ("tool/src/low/deep.rs", "\nuse crate::{\n  middle};\nfn f() { super::super::high::g() }");
        let found = places(modules_are_layers, &[MAP, ROOT, low, MIDDLE, HIGH]);
        assert_eq!(found, ["tool/src/low/deep.rs:3", "tool/src/low/deep.rs:4"]);
    }

    #[test]
    fn a_macro_belongs_to_the_layer_that_defines_it() {
        let low = ("tool/src/low.rs", "#[macro_export] macro_rules! ids { () => {} }");
        let middle = ("tool/src/middle.rs", "use crate::ids;\nuse crate::deeper;");
        let high = ("tool/src/high.rs", "#[macro_export] macro_rules! deeper { () => {} }");
        assert_eq!(places(modules_are_layers, &[MAP, ROOT, low, middle, high]), ["tool/src/middle.rs:2"]);
    }

    #[test]
    fn a_module_off_the_map_and_a_name_without_a_module_are_found() {
        let odd = ("tool/src/odd.rs", "");
        let found = places(modules_are_layers, &[MAP, ROOT, odd, MIDDLE, HIGH]);
        assert_eq!(found, ["ARCHITECTURE.md:0", "tool/src/odd.rs:0"]);
    }

    #[test]
    fn a_way_around_through_the_root_is_found() {
        let low = ("tool/src/low.rs", "use crate::ReExported;");
        assert_eq!(places(modules_are_layers, &[MAP, ROOT, low, MIDDLE, HIGH]), ["tool/src/low.rs:1"]);
    }
}
