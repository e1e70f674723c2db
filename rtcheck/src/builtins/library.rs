//! The library: predicates written in Prolog, a text per subject, and which predicates a program may define
//! itself.
//!
//! What needs the machine's inside or speed is a Rust function in the machine's table; everything else is in
//! these texts. When a machine is made, `index` finds out which predicates they define and where, and their directives
//! are obeyed; the clauses of a predicate are read and compiled when it is called first (`machine/program/library`). A built-in
//! or library predicate that the standard does not know may be defined by a program; the program's definition then holds
//! for the program, and the library goes on calling its own.

mod index;
mod mistakes;

pub use mistakes::library_mistakes;

use super::{LoadError, Loader};
use crate::base::Source;
use crate::compile::compile_predicate;
use crate::machine::{Address, Kind, Machine, Place, Uncompiled};
use crate::read::{Flags, Parser};
use crate::term::{Cell, atom};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

macro_rules! texts {
    ($($name:literal),* $(,)?) => {
        &[$((concat!("library(", $name, ")"), include_str!(concat!("library/", $name, ".pl")))),*]
    };
}

/// The texts, by the name that diagnostics use.
pub const TEXTS: &[(&str, &str)] = texts![
    "control",
    "modules",
    "error",
    "dcg",
    "rules",
    "terms",
    "solutions",
    "database",
    "flags",
    "streams",
    "format",
    "globals",
    "numbers",
    "atoms",
    "lists",
    "pairs",
    "apply",
    "yall",
    "ordsets",
    "assoc",
    "option",
    "gensym",
    "ugraphs",
    "dcg_basics",
    "statistics",
    "limits",
    "recorded",
    "tabling",
    "heaps",
    "attributes",
    "packages",
    "sequences",
    "compatibility",
    "types",
    "rtchecks",
    "unittest",
    "generate",
    "fsyntax",
    "tracer",
    "top",
];

macro_rules! modules {
    ($($name:literal = $($file:literal)+),* $(,)?) => {
        &[$(($name, concat!($(include_str!(concat!("library/", $file, ".pl"))),+))),*]
    };
}

/// Libraries that are modules of their own and are compiled when a program asks for them: `library(Name)` and its text, of one file or several.
pub(super) const ON_DEMAND: &[(&str, &str)] = modules![
    "clpfd" = "clpfd" "clpfd/domains" "clpfd/variables" "clpfd/queue" "clpfd/expressions" "clpfd/linear"
        "clpfd/nonlinear" "clpfd/sets" "clpfd/automata" "clpfd/schedules" "clpfd/truth" "clpfd/search",
    "clpfd/more" = "swi/clpfd_more",
    "bounds" = "swi/bounds",
    "clpz" = "swi/clpz",
    "clpb" = "swi/clpb",
    "clpq" = "swi/clpq",
    "clpqr" = "swi/clpqr",
    "clpr" = "swi/clpr",
    "gprolog_fd" = "swi/gprolog_fd",
    "lambda" = "swi/lambda",
    "reif" = "swi/reif",
    "simplex" = "swi/simplex",
    "chr" = "swi/chr",
    "record" = "swi/record",
    "ansi_term" = "swi/ansi_term",
    "arithmetic" = "swi/arithmetic",
    "base32" = "swi/base32",
    "base64" = "swi/base64",
    "charsio" = "swi/charsio",
    "codesio" = "swi/codesio",
    "csv" = "swi/csv",
    "ctypes" = "swi/ctypes",
    "date" = "swi/date",
    "dcg/high_order" = "swi/high_order",
    "main" = "swi/main",
    "nb_set" = "swi/nb_set",
    "occurs" = "swi/occurs",
    "oset" = "swi/oset",
    "prolog_code" = "swi/prolog_code",
    "strings" = "swi/strings",
    "thread" = "swi/thread",
    "varnumbers" = "swi/varnumbers",
    "dialect/hprolog" = "swi/hprolog",
    "dialect/hprolog/more" = "swi/hprolog_more",
    "prolog_source" = "swi/prolog_source",
    "prolog_xref" = "swi/prolog_xref",
    "portray_text" = "swi/portray_text",
    "prolog_wrap" = "swi/prolog_wrap",
    "thread_pool" = "swi/thread_pool",
    "hashtable" = "swi/hashtable",
    "broadcast" = "swi/broadcast",
    "dicts" = "swi/dicts",
    "filesex" = "swi/filesex",
    "http/html_write" = "swi/html_write",
    "http/json" = "swi/json",
    "operators" = "swi/operators",
    "pprint" = "swi/pprint",
    "process" = "swi/process",
    "backcomp" = "swi/backcomp",
    "coinduction" = "swi/coinduction",
    "increval" = "swi/increval",
    "lazy_lists" = "swi/lazy_lists",
    "memfile" = "swi/memory_file",
    "tables" = "swi/tables",
    "locale" = "swi/locale",
    "optparse" = "swi/optparse",
    "rbtrees" = "swi/rbtrees",
    "persistency" = "swi/persistency",
    "settings" = "swi/settings",
    "uri" = "swi/uri",
    "url" = "swi/url",
    // What Ciao's libraries have besides.
    "ciao/data_facts" = "ciao/data_facts",
    "ciao/lists" = "ciao/lists",
    "ciao/terms" = "ciao/terms",
    "ciao/streams" = "ciao/streams",
    "ciao/system" = "ciao/system",
    "ciao/collections" = "ciao/collections",
    "ciao/formulae" = "ciao/formulae",
    "andprolog" = "ciao/andprolog",
    "bf" = "ciao/bf",
    "lazy" = "ciao/lazy",
    "lazy/lazy_lib" = "ciao/lazy_lib",
    "persdb" = "ciao/persdb",
    "traits" = "ciao/traits",
    "objects" = "ciao/objects",
    "ciao/messages" = "ciao/messages",
    "fd" = "ciao/fd",
    "ciao/regexp" = "ciao/regexp",
    "ciao/more" = "ciao/more",
    "imported/more" = "ciao/more_imported",
    "imported/messages_basic" = "ciao/messages_basic",
    "imported/aggregates" = "ciao/aggregates",
    "imported/hiordlib" = "ciao/hiordlib",
    "imported/terms" = "ciao/terms_basic",
    "imported/write" = "ciao/write",
    // Scryer Prolog's.
    "atts" = "scryer/atts",
    "dcgs" = "scryer/dcgs",
    "files" = "scryer/files",
    "iso_ext" = "scryer/iso_ext",
    "os" = "scryer/os",
    "queues" = "scryer/queues",
    "serialization/json" = "scryer/json",
    "si" = "scryer/si",
    // What texts above lack that are always there, and what is built in elsewhere.
    "more/apply" = "swi/apply",
    "more/attributes" = "swi/attributes",
    "more/builtin" = "swi/builtin",
    "more/engines" = "swi/engines",
    "more/gprolog" = "swi/gprolog",
    "more/hashes" = "swi/hashes",
    "more/heaps" = "swi/heaps",
    "more/intercept" = "swi/intercept",
    "more/option" = "swi/option",
    "more/others" = "swi/others",
    "more/random" = "swi/random",
    "more/sequences" = "swi/sequences",
    "more/system" = "swi/system",
    "more/tabling" = "swi/tabling",
    "more/terms" = "swi/terms",
    "more/threads" = "swi/threads",
    "more/tries" = "swi/tries",
    "more/ugraphs" = "swi/ugraphs",
    "more/dicts" = "swi/dicts_more",
    "more/scryer/errors" = "scryer/errors",
    "more/scryer/format" = "scryer/format",
    "more/scryer/numbers" = "scryer/numbers",
    "more/scryer/pio" = "scryer/pio",
    "more/scryer/time" = "scryer/time",
];

/// Those of them whose predicates mean something only to a program that names the library: it brings
/// operators, expands clauses or calls `main/1`.
const ASKED_FOR: &[&str] = &[
    "dialect/hprolog/more",
    "andprolog",
    "bf",
    "lazy",
    "lazy/lazy_lib",
    "persdb",
    "traits",
    "objects",
    "fd",
    "bounds",
    "clpfd",
    "clpfd/more",
    "clpz",
    "clpb",
    "clpq",
    "clpqr",
    "clpr",
    "chr",
    "http/html_write",
    "lambda",
    "main",
    "persistency",
    "record",
    "reif",
    "simplex",
    "atts",
    "dcgs",
    "files",
    "iso_ext",
    "os",
    "queues",
    "serialization/json",
    "si",
];

/// The part of such a library's name that says that its predicates are there for who imports them: they have names
/// that programs may call by mistake.
const IMPORTED: &str = "imported/";

/// Predicates, by name and number of arguments, and the libraries that define them.
type Exports = FxHashMap<(&'static str, usize), &'static str>;

/// What libraries on demand define.
static EXPORTS: LazyLock<Exports> =
    LazyLock::new(|| exports_of(|library| !ASKED_FOR.contains(&library) && !library.starts_with(IMPORTED)));

/// What those define whose predicates must be imported.
static IMPORTS: LazyLock<Exports> = LazyLock::new(|| exports_of(|library| library.starts_with(IMPORTED)));

/// As the lists of exports at the head of the texts say.
fn exports_of(is_meant: impl Fn(&str) -> bool) -> Exports {
    let mut exports = FxHashMap::default();
    for &(library, text) in ON_DEMAND.iter().filter(|(library, _)| is_meant(library)) {
        let list =
            text.split_once('[').and_then(|(_, rest)| rest.split_once("])")).map_or("", |(list, _)| list);
        for indicator in list.split(',') {
            let Some((name, arity)) = indicator.trim().rsplit_once('/') else { continue };
            let Ok(arity) = arity.parse::<usize>() else { continue };
            // A rule of a grammar has two arguments more.
            let (name, arity) = name.strip_suffix('/').map_or((name, arity), |name| (name, arity + 2));
            let name = name.strip_prefix('(').and_then(|name| name.strip_suffix(')')).unwrap_or(name);
            exports.insert((name.trim_matches('\''), arity), library);
        }
    }
    exports
}

/// The library on demand that defines a predicate which programs may call without asking for it.
pub(super) fn library_of(name: &str, arity: usize) -> Option<&'static str> {
    EXPORTS.get(&(name, arity)).copied()
}

/// The library on demand that defines a predicate which is there for who imports it.
pub(super) fn imported_library_of(name: &str, arity: usize) -> Option<&'static str> {
    IMPORTS.get(&(name, arity)).copied()
}

/// What such a library has besides what is there under a name.
pub(super) fn imported_library(name: &str) -> Option<&'static str> {
    let mut known = ON_DEMAND.iter().map(|&(library, _)| library);
    known.find(|library| library.strip_prefix(IMPORTED) == Some(name))
}

/// The predicates of ISO 13211-1 with its corrigenda, and the control constructs: a program cannot define them.
/// An entry is a name with its arities.
const PROTECTED: &[(&str, &[usize])] = &[
    // Control.
    ("true", &[0]),
    ("fail", &[0]),
    ("false", &[0]),
    ("call", &[1, 2, 3, 4, 5, 6, 7, 8]),
    ("!", &[0]),
    (",", &[2]),
    (";", &[2]),
    ("->", &[2]),
    ("*->", &[2]),
    ("|", &[2]),
    (":", &[2]),
    ("catch", &[3]),
    ("throw", &[1]),
    ("\\+", &[1]),
    ("once", &[1]),
    ("repeat", &[0]),
    ("halt", &[0, 1]),
    ("findall", &[3]),
    ("bagof", &[3]),
    ("setof", &[3]),
    // Terms.
    ("=", &[2]),
    ("\\=", &[2]),
    ("unify_with_occurs_check", &[2]),
    ("subsumes_term", &[2]),
    ("var", &[1]),
    ("nonvar", &[1]),
    ("atom", &[1]),
    ("number", &[1]),
    ("integer", &[1]),
    ("float", &[1]),
    ("atomic", &[1]),
    ("compound", &[1]),
    ("callable", &[1]),
    ("ground", &[1]),
    ("acyclic_term", &[1]),
    ("==", &[2]),
    ("\\==", &[2]),
    ("@<", &[2]),
    ("@=<", &[2]),
    ("@>", &[2]),
    ("@>=", &[2]),
    ("compare", &[3]),
    ("functor", &[3]),
    ("arg", &[3]),
    ("=..", &[2]),
    ("copy_term", &[2]),
    ("term_variables", &[2]),
    ("sort", &[2]),
    ("msort", &[2]),
    ("keysort", &[2]),
    // Arithmetic.
    ("is", &[2]),
    ("=:=", &[2]),
    ("=\\=", &[2]),
    ("<", &[2]),
    ("=<", &[2]),
    (">", &[2]),
    (">=", &[2]),
    // The database.
    ("clause", &[2]),
    ("current_predicate", &[1]),
    ("asserta", &[1]),
    ("assertz", &[1]),
    ("retract", &[1]),
    ("retractall", &[1]),
    ("abolish", &[1]),
    // Atoms.
    ("atom_length", &[2]),
    ("atom_concat", &[3]),
    ("sub_atom", &[5]),
    ("atom_chars", &[2]),
    ("atom_codes", &[2]),
    ("char_code", &[2]),
    ("number_chars", &[2]),
    ("number_codes", &[2]),
    // Operators and flags.
    ("op", &[3]),
    ("current_op", &[3]),
    ("char_conversion", &[2]),
    ("current_char_conversion", &[2]),
    ("set_prolog_flag", &[2]),
    ("current_prolog_flag", &[2]),
    // Streams.
    ("current_input", &[1]),
    ("current_output", &[1]),
    ("set_input", &[1]),
    ("set_output", &[1]),
    ("open", &[3, 4]),
    ("close", &[1, 2]),
    ("flush_output", &[0, 1]),
    ("stream_property", &[2]),
    ("at_end_of_stream", &[0, 1]),
    ("set_stream_position", &[2]),
    ("get_char", &[1, 2]),
    ("peek_char", &[1, 2]),
    ("put_char", &[1, 2]),
    ("get_code", &[1, 2]),
    ("peek_code", &[1, 2]),
    ("put_code", &[1, 2]),
    ("get_byte", &[1, 2]),
    ("peek_byte", &[1, 2]),
    ("put_byte", &[1, 2]),
    ("nl", &[0, 1]),
    ("read_term", &[2, 3]),
    ("read", &[1, 2]),
    ("write_term", &[2, 3]),
    ("write", &[1, 2]),
    ("writeq", &[1, 2]),
    ("write_canonical", &[1, 2]),
];

/// Says which predicates the texts define and obeys their directives, then decides which predicates are protected.
pub(super) fn load(machine: &mut Machine) -> Result<(), LoadError> {
    machine.begin_library();
    for &(name, text) in TEXTS {
        let index = index::Index::of(text);
        let mut loader = Loader::library(Source::new(name, index.directives));
        loader.load(machine)?;
        debug_assert!(loader.diagnostics.is_empty(), "{name}: {:?}", loader.diagnostics);
        let file = machine.atoms.intern(name);
        for predicate in index.predicates {
            let atom = machine.atoms.intern(&predicate.name);
            let id = machine.predicate_in(atom::SYSTEM, atom, predicate.arity);
            machine.predicate_mut(id).place = Some(Place { file, line: predicate.line });
            let control = name == TEXTS[0].0;
            machine.define_uncompiled(id, Uncompiled { clauses: predicate.clauses, control });
        }
    }
    let protected: FxHashSet<(&str, usize)> = PROTECTED
        .iter()
        .flat_map(|&(name, arities)| arities.iter().map(move |&arity| (name, arity)))
        .collect();
    let mut kinds = Vec::new();
    for (id, predicate) in machine.predicates() {
        let name = machine.atoms.text(predicate.name);
        let known = matches!(predicate.kind, Kind::Control | Kind::Library);
        if known {
            let internal = name.starts_with('$') && name.len() > 1;
            let protect = internal || protected.contains(&(name, predicate.arity));
            kinds.push((id, if protect { Kind::Control } else { Kind::Library }));
        }
    }
    for (id, kind) in kinds {
        machine.predicate_mut(id).kind = kind;
    }
    machine.source_module = atom::USER;
    Ok(())
}

/// Compiles the clauses of a predicate as if it had been when the machine was made: what a program has declared,
/// and is doing, is nothing to them.
pub(super) fn compile(machine: &mut Machine, clauses: &[&'static str]) -> Address {
    let module = std::mem::replace(&mut machine.source_module, atom::SYSTEM);
    let flags = std::mem::take(&mut machine.flags);
    let watched = machine.atoms.take_watched();
    let compiled = std::mem::take(&mut machine.compiled);
    let redirected = std::mem::take(&mut machine.proofs.redirected);
    let operators = machine.library.operators.take();
    let terms: Vec<Cell> = clauses
        .iter()
        .filter_map(|text| {
            let mut parser = Parser::new(text, 0, Flags::default());
            let operators = operators.as_ref().unwrap_or(&machine.operators);
            let read = parser.read(&mut machine.store, &mut machine.atoms, operators);
            read.ok().flatten().map(|read| read.term)
        })
        .collect();
    // A mistake in the library is found by its tests, which compile all of it.
    debug_assert_eq!(terms.len(), clauses.len(), "{clauses:?}");
    let address = compile_predicate(machine, &terms);
    debug_assert!(address.is_ok(), "{clauses:?}");
    machine.library.operators = operators;
    machine.proofs.redirected = redirected;
    machine.compiled = compiled;
    machine.atoms.watch_again(watched);
    machine.flags = flags;
    machine.source_module = module;
    address.unwrap_or_default()
}
