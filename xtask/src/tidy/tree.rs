//! What the rules look at: the files of the checkout as texts and tokens, and the packages.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::source::Source;
use crate::error::Error;
use crate::process;
use crate::setup::root;

/// A checkout, or a few texts that stand for one in a test.
#[derive(Default)]
pub(super) struct Tree {
    /// Tracked (or new and not ignored) text files by path relative to the root.
    pub(super) files: BTreeMap<String, String>,
    /// The Rust files among them.
    pub(super) sources: Vec<Source>,
    /// Every package that takes part in any build of the workspace.
    pub(super) packages: Vec<Package>,
}

/// A package with what it needs, for whatever purpose (tests and build scripts included).
#[derive(Debug, Default)]
pub(super) struct Package {
    pub(super) name: String,
    /// SPDX expression, where the package states one.
    pub(super) licence: Option<String>,
    /// Whether it is a member of this workspace.
    pub(super) member: bool,
    /// Names of direct dependencies.
    pub(super) direct: BTreeSet<String>,
    /// Names of direct and indirect dependencies.
    pub(super) all: BTreeSet<String>,
}

impl Tree {
    /// The checkout that this program was built from.
    pub(super) fn of_checkout() -> Result<Tree, Error> {
        let root = root();
        let mut git = std::process::Command::new("git");
        git.current_dir(&root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
        let listing = process::stdout(&mut git)?;
        let mut files = BTreeMap::new();
        for path in listing.split('\0').filter(|path| !path.is_empty()) {
            let full = root.join(path);
            // A file may be deleted and not yet recorded so, or hold something other than text.
            if full.is_file() {
                let bytes = fs::read(&full).map_err(Error::reading(&full))?;
                if let Ok(text) = String::from_utf8(bytes) {
                    files.insert(path.to_owned(), text);
                }
            }
        }
        let mut metadata = process::cargo(&root, "metadata");
        metadata.args(["--format-version", "1", "--all-features"]);
        let packages = packages(&process::stdout(&mut metadata)?)?;
        Ok(Tree { sources: sources(&files), files, packages })
    }

    /// The packages of this workspace.
    pub(super) fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| package.member)
    }

    #[cfg(test)]
    pub(super) fn of_texts(files: &[(&str, &str)]) -> Tree {
        let files = files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        Tree { sources: sources(&files), files, packages: Vec::new() }
    }

    #[cfg(test)]
    pub(super) fn of_members(members: &[(&str, &[&str])]) -> Tree {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
        let package = |(name, needs): &(&str, &[&str])| Package {
            name: (*name).to_owned(),
            licence: None,
            member: true,
            direct: set(needs),
            all: set(needs),
        };
        Tree { packages: members.iter().map(package).collect(), ..Tree::default() }
    }
}

fn sources(files: &BTreeMap<String, String>) -> Vec<Source> {
    files
        .iter()
        .filter(|(path, _)| path.ends_with(".rs"))
        .map(|(path, text)| Source::new(path, text))
        .collect()
}

/// Reads what `cargo metadata` prints and closes the dependencies under transitivity.
fn packages(text: &str) -> Result<Vec<Package>, Error> {
    let unexpected =
        |detail: &str| Error::Output { command: "cargo metadata".to_owned(), detail: detail.to_owned() };
    let metadata: serde_json::Value =
        serde_json::from_str(text).map_err(|error| unexpected(&error.to_string()))?;
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    let string = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();

    let members: BTreeSet<String> = list(&metadata["workspace_members"]).iter().map(string).collect();
    let mut names = BTreeMap::new();
    for package in list(&metadata["packages"]) {
        let licence = package["license"].as_str().map(str::to_owned);
        names.insert(string(&package["id"]), (string(&package["name"]), licence));
    }
    let mut needs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for node in list(&metadata["resolve"]["nodes"]) {
        let dependencies = list(&node["dependencies"]).iter().map(string).collect();
        needs.insert(string(&node["id"]), dependencies);
    }
    if members.is_empty() || needs.is_empty() {
        return Err(unexpected("no members or no resolved dependencies"));
    }

    let name = |id: &String| names.get(id).map(|(name, _)| name.clone()).unwrap_or_default();
    let mut packages = Vec::new();
    for (id, direct) in &needs {
        let mut seen: BTreeSet<&String> = BTreeSet::new();
        let mut open: Vec<&String> = direct.iter().collect();
        while let Some(next) = open.pop() {
            if seen.insert(next) {
                open.extend(needs.get(next).into_iter().flatten());
            }
        }
        packages.push(Package {
            name: name(id),
            licence: names.get(id).and_then(|(_, licence)| licence.clone()),
            member: members.contains(id),
            direct: direct.iter().map(name).collect(),
            all: seen.into_iter().map(name).collect(),
        });
    }
    Ok(packages)
}

#[cfg(test)]
mod tests {
    use super::packages;

    #[test]
    fn indirect_dependencies_are_found() {
        let text = r#"{
            "workspace_members": ["path+file#a"],
            "packages": [
                {"id": "path+file#a", "name": "a", "license": "MIT"},
                {"id": "r#b", "name": "b", "license": null},
                {"id": "r#c", "name": "c", "license": "MIT"}
            ],
            "resolve": {"nodes": [
                {"id": "path+file#a", "dependencies": ["r#b"]},
                {"id": "r#b", "dependencies": ["r#c"]},
                {"id": "r#c", "dependencies": []}
            ]}
        }"#;
        let packages = packages(text).unwrap();
        let a = packages.iter().find(|package| package.name == "a").unwrap();
        assert!(a.member);
        assert_eq!(a.direct.iter().collect::<Vec<_>>(), ["b"]);
        assert_eq!(a.all.iter().collect::<Vec<_>>(), ["b", "c"]);
    }
}
