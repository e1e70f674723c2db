//! Keys of results, and what an edit did to an implementation.

use cache_core::key::{Change, Key, KeyBuilder, PartKind};

use crate::base::engine::Engine;
use crate::resolve::program::{AxiomId, ImplementationId, Program};
use crate::resolve::reach::Reach;
use crate::snapshot::checksum::Checksums;

/// Raised whenever lowering, verification conditions, translation or the stored results change.
pub(crate) const VERSION: u32 = 38;

/// How what runs out of its limits is divided further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeepGoing {
    /// Into how many pieces; 0 and 1 mean that it is not.
    pub pieces: u32,
    /// How long the solver may take for each of them, in milliseconds; 0 means as long as it needs.
    pub limit_ms: u64,
    /// How long for one check on one path, where nothing is left to be divided.
    pub last_ms: u64,
}

impl Default for KeepGoing {
    /// Not divided, with Boogie's limits for what programs ask to be divided.
    fn default() -> Self {
        Self { pieces: 1, limit_ms: 1_000, last_ms: 30_000 }
    }
}

/// The settings that can change a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct KeyOptions {
    /// The solver.
    pub(crate) engine: Engine,
    /// After how many failing checks of an implementation to stop; 0 means never.
    pub(crate) error_limit: u32,
    /// Whether each check is a query of its own.
    pub(crate) each_check: bool,
    /// Into how many pieces checks are shared out otherwise.
    pub(crate) max_pieces: u32,
    /// What becomes of pieces that run out of their limits.
    pub(crate) keep_going: KeepGoing,
    /// The solver's options.
    pub(crate) solver: Vec<(String, String)>,
    /// A lie that is to be told: dependencies are left out.
    pub(crate) drop_dependencies: bool,
}

impl KeyOptions {
    /// What the keys of all results under these settings begin with.
    pub(crate) fn begin(&self) -> KeyBuilder {
        let Self { engine, error_limit, each_check, max_pieces, keep_going, solver, drop_dependencies: _ } =
            self;
        let begin = KeyBuilder::new("ivl result", VERSION)
            .engine(engine.family.name(), &engine.version)
            .option("error limit", error_limit)
            .option("solver options", solver);
        let begin = match (*each_check, *max_pieces) {
            (false, 1) => begin,
            pieces => begin.option("pieces", &pieces),
        };
        match *keep_going {
            usual if usual == KeepGoing::default() => begin,
            KeepGoing { pieces, limit_ms, last_ms } => {
                begin.option("keep going", &(u64::from(pieces), limit_ms, last_ms))
            }
        }
    }
}

/// The key of an implementation's result, from its [beginning](KeyOptions::begin); and the axioms that it reaches in
/// the order of their checksums, so that the order of the text does not matter.
pub(crate) fn key(
    program: &Program,
    checksums: &mut Checksums<'_>,
    id: ImplementationId,
    reach: &Reach,
    begin: &KeyBuilder,
    drop_dependencies: bool,
) -> (Key, Vec<AxiomId>) {
    let names = &program.names;
    let mut axioms: Vec<_> = reach.axioms.iter().map(|axiom| (checksums.axiom(*axiom), *axiom)).collect();
    axioms.sort_by_key(|(checksum, _)| *checksum);
    let (axioms, order): (Vec<_>, Vec<_>) = axioms.into_iter().unzip();
    let name = names.text(program.implementations[id].name);
    let mut builder = begin.clone().content(name, &checksums.implementation(id));
    if drop_dependencies {
        return (builder.finish(), order);
    }
    let mut words = String::new();
    for procedure in &reach.procedures {
        let name = named(&mut words, "procedure ", names.text(program.procedures[*procedure].name));
        builder = builder.dependency(name, &checksums.procedure(*procedure));
    }
    for function in &reach.functions {
        let name = named(&mut words, "function ", names.text(program.functions[*function].name));
        builder = builder.dependency(name, &checksums.function(*function));
    }
    for constant in &reach.constants {
        let name = named(&mut words, "constant ", names.text(program.constants[*constant].name));
        builder = builder.dependency(name, &checksums.constant(*constant));
    }
    for global in &reach.globals {
        let name = named(&mut words, "variable ", names.text(program.variables[*global].name));
        builder = builder.dependency(name, &checksums.global(*global));
    }
    for ty in &reach.types {
        let name = named(&mut words, "type ", names.text(program.type_constructors[*ty].name));
        builder = builder.dependency(name, &checksums.type_name(*ty));
    }
    // Axioms have no names: all together are one part.
    (builder.dependency("axioms", &axioms).finish(), order)
}

/// What a part of a key is called, in a text that is used again and again.
fn named<'w>(words: &'w mut String, kind: &str, name: &str) -> &'w str {
    words.clear();
    words.push_str(kind);
    words.push_str(name);
    words
}

/// What an edit did to an implementation, and with that how urgent it is: section 3.3 of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Priority {
    /// Only something that the implementation depends on changed.
    Low,
    /// The implementation itself changed.
    Medium,
    /// Nothing is known about an earlier version.
    High,
    /// Nothing that matters changed: the stored result is shown at once.
    Highest,
}

impl Priority {
    /// The class of an implementation whose key has no result, by how the key differs from the latest
    /// one that the implementation had.
    pub(crate) fn of_changes(changes: Option<&[Change]>) -> Self {
        match changes {
            None => Self::High,
            Some(changes) if changes.iter().any(is_incomparable) => Self::High,
            Some(changes) if changes.iter().any(|change| kind(change) == PartKind::Content) => Self::Medium,
            Some(_) => Self::Low,
        }
    }

    /// The paper's word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Highest => "highest",
        }
    }
}

fn kind(change: &Change) -> PartKind {
    match change {
        Change::Changed(kind, _) | Change::Added(kind, _) | Change::Removed(kind, _) => *kind,
    }
}

/// Whether the result before is another version's, whose parts may be digested otherwise: how it differs says nothing
/// of what was edited.
fn is_incomparable(change: &Change) -> bool {
    kind(change) == PartKind::Schema
}

/// Changes in words for users.
pub(crate) fn describe(changes: &[Change]) -> Vec<String> {
    match changes.iter().find(|change| is_incomparable(change)) {
        Some(version) => vec![in_words(version)],
        None => changes.iter().map(in_words).collect(),
    }
}

fn in_words(change: &Change) -> String {
    let (kind, name, what) = match change {
        Change::Changed(kind, name) => (kind, name, "changed"),
        Change::Added(kind, name) => (kind, name, "is new"),
        Change::Removed(kind, name) => (kind, name, "is gone"),
    };
    match kind {
        PartKind::Content => format!("its body {what}"),
        PartKind::Dependency if name == "axioms" => "the axioms it can use changed".to_owned(),
        PartKind::Dependency => format!("{name} {what}"),
        PartKind::Option => format!("the option `{name}` {what}"),
        PartKind::Engine => "the solver's version changed".to_owned(),
        PartKind::Schema => "the result was stored by another version of ivl".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Key, KeyBuilder, Priority, describe};

    fn key(version: u32, body: u32, dependency: u32) -> Key {
        KeyBuilder::new("ivl result", version)
            .content("P", &body)
            .dependency("function f", &dependency)
            .finish()
    }

    #[test]
    fn of_what_another_version_stored_no_change_is_told() {
        let told = |now: &Key, before: &Key| {
            let changes = now.changes_since(&before.parts());
            (describe(&changes).join(", "), Priority::of_changes(Some(&changes)))
        };
        let now = key(2, 1, 1);
        let another = "the result was stored by another version of ivl".to_owned();
        assert_eq!(told(&now, &key(1, 2, 2)), (another.clone(), Priority::High));
        assert_eq!(told(&now, &key(1, 1, 1)), (another, Priority::High));
        assert_eq!(told(&now, &key(2, 2, 1)), ("its body changed".to_owned(), Priority::Medium));
        assert_eq!(told(&now, &key(2, 1, 2)), ("function f changed".to_owned(), Priority::Low));
    }
}
