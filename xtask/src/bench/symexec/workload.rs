//! The named list of programs: what the goals are measured over. It is fixed; sizes grow with the run.
//!
//! The kinds are those in which address-dependent queries arise (Figure 1's table, hash tables keyed by
//! strings and by integers, trees, lists, string tables, dispatch through pointers), with allocation behind
//! and before forks, of the structure's size class and of others. What asks few such questions, or gains
//! nothing, is in the list as well.

use std::path::{Path, PathBuf};

use crate::bench::Size;
use crate::error::Error;
use crate::explore::Bitcode;
use crate::setup::root;

const FOLDER: &str = "fixtures/symexec";

/// A program with its settings for each size of a run.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) name: &'static str,
    /// Below the folder.
    file: &'static str,
    small: &'static [&'static str],
    large: &'static [&'static str],
}

impl Program {
    const fn new(
        name: &'static str,
        file: &'static str,
        small: &'static [&'static str],
        large: &'static [&'static str],
    ) -> Program {
        Program { name, file, small, large }
    }

    /// The macros of a size.
    pub(super) fn macros(&self, size: Size) -> &'static [&'static str] {
        if size == Size::Full { self.large } else { self.small }
    }

    /// Compiles the program into a folder.
    pub(super) fn compile(&self, folder: &Path, size: Size) -> Result<Bitcode, Error> {
        let fixtures = root().join(FOLDER);
        let mut options = vec![format!("-I{}", fixtures.display())];
        options.extend(self.macros(size).iter().map(|one| format!("-D{one}")));
        Bitcode::compile(folder, self.name, &[fixtures.join(self.file)], &options)
    }
}

/// Programs that ask address-dependent questions.
pub(super) const DEPENDENT: [Program; 17] = [
    Program::new("rows", "dependent/rows.c", &["N=4", "FORKS=3"], &["N=8", "FORKS=5"]),
    Program::new(
        "rows, same class",
        "dependent/rows.c",
        &["N=4", "FORKS=3", "EXTRA(b)=N"],
        &["N=8", "FORKS=6", "EXTRA(b)=N"],
    ),
    Program::new(
        "rows, before",
        "dependent/rows.c",
        &["N=4", "FORKS=3", "BEFORE"],
        &["N=8", "FORKS=6", "BEFORE"],
    ),
    Program::new(
        "strings hash",
        "dependent/strings_hash.c",
        &["FORKS=3"],
        &["FORKS=3", "KEYS=6", "LOOKUPS=2"],
    ),
    Program::new(
        "strings hash, same class",
        "dependent/strings_hash.c",
        &["FORKS=3", "EXTRA(b)=16"],
        &["FORKS=3", "KEYS=6", "LOOKUPS=2", "EXTRA(b)=16"],
    ),
    Program::new(
        "integers hash",
        "dependent/integers_hash.c",
        &["FORKS=3"],
        &["FORKS=3", "KEYS=5", "SLOTS=8", "LOOKUPS=2"],
    ),
    Program::new(
        "integers hash, same class",
        "dependent/integers_hash.c",
        &["FORKS=3", "EXTRA(b)=4"],
        &["FORKS=3", "KEYS=5", "SLOTS=8", "LOOKUPS=2", "EXTRA(b)=4"],
    ),
    Program::new("symbols", "dependent/symbols.c", &["FORKS=3"], &["FORKS=3", "NAMES=4", "ASSIGNS=3"]),
    Program::new("tree", "dependent/tree.c", &["FORKS=3"], &["FORKS=4", "KEYS=2"]),
    Program::new("list", "dependent/list.c", &["FORKS=3"], &["FORKS=3", "LEN=5", "MOVES=3"]),
    Program::new(
        "string table",
        "dependent/string_table.c",
        &["FORKS=3", "EXTRA(b)=4"],
        &["FORKS=5", "ENTRIES=8", "LETTERS=6", "EXTRA(b)=7"],
    ),
    Program::new(
        "dispatch",
        "dependent/dispatch.c",
        &["FORKS=3", "EXTRA(b)=16"],
        &["FORKS=4", "OBJECTS=6", "CALLS=2", "EXTRA(b)=16"],
    ),
    Program::new("trie", "dependent/trie.c", &["FORKS=3"], &["FORKS=4", "DEPTH=4", "WORDS=20"]),
    Program::new("graph", "dependent/graph.c", &["FORKS=3"], &["FORKS=4", "NODES=5"]),
    Program::new(
        "pool",
        "dependent/pool.c",
        &["FORKS=3", "EXTRA(b)=BYTES"],
        &["FORKS=4", "BUFFERS=5", "BYTES=16", "WRITES=2", "EXTRA(b)=BYTES"],
    ),
    Program::new(
        "pool, before",
        "dependent/pool.c",
        &["FORKS=3", "BEFORE"],
        &["FORKS=4", "BUFFERS=5", "BYTES=16", "WRITES=2", "BEFORE"],
    ),
    Program::new("queue", "dependent/queue.c", &["FORKS=3"], &["FORKS=4", "JOBS=4"]),
];

/// Figure 1's table with growing N.
pub(super) const GROWING: [Program; 4] = [
    Program::new("N = 2", "dependent/rows.c", &["N=2", "FORKS=3"], &["N=2", "FORKS=3"]),
    Program::new("N = 4", "dependent/rows.c", &["N=4", "FORKS=3"], &["N=4", "FORKS=3"]),
    Program::new("N = 8", "dependent/rows.c", &["N=8", "FORKS=3"], &["N=8", "FORKS=3"]),
    Program::new("N = 16", "dependent/rows.c", &["N=16", "FORKS=3"], &["N=16", "FORKS=3"]),
];

/// Programs that ask none.
pub(super) const INDEPENDENT: [Program; 7] = [
    Program::new("sort", "plain/sort.c", &["LEN=4"], &["LEN=5"]),
    Program::new("arithmetic", "plain/arithmetic.c", &["BOUND=8"], &["BOUND=16"]),
    Program::new("tokens", "plain/tokens.c", &["LEN=3"], &["LEN=5"]),
    Program::new("utf8", "plain/utf8.c", &["LEN=3"], &["LEN=6"]),
    Program::new("base64", "plain/base64.c", &["LEN=2"], &["LEN=4"]),
    Program::new("match", "plain/match.c", &["LEN=6"], &["LEN=10"]),
    Program::new("expression", "plain/expression.c", &["LEN=3"], &["LEN=5"]),
];

/// For the speed of interpreting: forking all the time, and not at all.
pub(super) const BRANCHING: Program = Program::new(
    "match, branching",
    "plain/match.c",
    &["LEN=10", "PATTERN=\"*a*b?*c*\""],
    &["LEN=10", "PATTERN=\"*a*b?*c*\""],
);
/// Enough paths that starting several processes is no part of it.
pub(super) const PARALLEL: [Program; 1] = [Program::new(
    "match, long",
    "plain/match.c",
    &["LEN=12", "PATTERN=\"*a*b?*c*\""],
    &["LEN=12", "PATTERN=\"*a*b?*c*\""],
)];
pub(super) const STRAIGHT: Program =
    Program::new("straight", "plain/straight.c", &["ROUNDS=80"], &["ROUNDS=200"]);

/// A program that KLEE and the authors' version were measured on, with what they needed.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) label: &'static str,
    file: &'static str,
    macros: &'static [&'static str],
    /// Queries that reached the solver: KLEE 3.3-pre with one allocator per state and with one for all, the
    /// authors' base and their address-aware version (none where it did not end).
    pub(super) klee: [u64; 2],
    pub(super) authors: (u64, Option<u64>),
    /// At most so many here.
    pub(super) goal: Option<u64>,
}

/// They lie beside the checkout, if at all.
pub(super) const KNOWN: [Known; 7] = [
    Known {
        label: "fig1-a",
        file: "fig1.c",
        macros: &["N=4", "FORKS=3"],
        klee: [133, 157],
        authors: (125, Some(65)),
        goal: Some(65),
    },
    Known {
        label: "fig1-b",
        file: "fig1.c",
        macros: &["N=4", "FORKS=3", "EXTRA=2"],
        klee: [149, 162],
        authors: (125, Some(65)),
        goal: Some(65),
    },
    Known {
        label: "fig1-c",
        file: "fig1.c",
        macros: &["N=8", "FORKS=3"],
        klee: [237, 251],
        authors: (237, Some(107)),
        goal: Some(107),
    },
    Known {
        label: "fig1-d",
        file: "fig1.c",
        macros: &["N=4", "FORKS=6", "EXTRA=2"],
        klee: [1333, 1197],
        authors: (968, Some(104)),
        goal: Some(104),
    },
    Known {
        label: "hash-a",
        file: "hashtable.c",
        macros: &["FORKS=2", "KEYS=4"],
        klee: [245, 419],
        authors: (281, Some(154)),
        goal: Some(154),
    },
    Known {
        label: "hash-b",
        file: "hashtable.c",
        macros: &["FORKS=2", "KEYS=4", "EXTRASIZE(f)=16"],
        klee: [253, 500],
        authors: (281, Some(154)),
        goal: Some(154),
    },
    Known {
        label: "bst",
        file: "bst.c",
        macros: &["SYMKEYS=2"],
        klee: [340, 640],
        authors: (443, None),
        goal: Some(340),
    },
];

impl Known {
    /// Where it would lie.
    pub(super) fn source(&self) -> PathBuf {
        root().join("../shared/programs").join(self.file)
    }

    /// Compiles it into a folder.
    pub(super) fn compile(&self, folder: &Path) -> Result<Bitcode, Error> {
        let options: Vec<String> = self.macros.iter().map(|one| format!("-D{one}")).collect();
        Bitcode::compile(folder, self.label, &[self.source()], &options)
    }
}
