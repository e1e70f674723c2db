//! The names of libraries: which of them are there without a text, and what paths in Ciao's library stand for.

use super::super::library::ON_DEMAND;
use crate::machine::Machine;
use crate::term::Atom;

/// Libraries whose predicates are there without a text of that name: those of SWI-Prolog and of Ciao that programs
/// name. What one of them lacks here is an unknown procedure where it is called.
const LIBRARIES: &[&str] = &[
    "attr/attr_rt",
    "timeout",
    "counters",
    "iso_misc",
    "fastrw",
    "dynamic_rt",
    "aggregates",
    "apply_macros",
    "aggregate",
    "arrays",
    "assoc",
    "atom_to_term",
    "attr",
    "attributes",
    "backtrace",
    "basicprops",
    "between",
    "compiler",
    "concurrency",
    "cont",
    "coroutining",
    "crypto",
    "debug",
    "datafacts/datafacts_rt",
    "dcg/basics",
    "dcg/dcg_phrase_rt",
    "dec10_io",
    "dialect",
    "dict",
    "dif",
    "dynamic",
    "edit",
    "error",
    "edinburgh",
    "errhandle",
    "etypes",
    "exceptions",
    "file_utils",
    "filenames",
    "format",
    "formulae",
    "freeze",
    "gensym",
    "getopt",
    "global_vars",
    "heaps",
    "hiordlib",
    "idlists",
    "intercept",
    "io",
    "iso_byte_char",
    "iso_char",
    "iso_incomplete",
    "keys",
    "lists",
    "listing",
    "llists",
    "logic",
    "md5",
    "messages",
    "metaprops",
    "metatypes",
    "modes",
    "mutables",
    "numlists",
    "old_database",
    "option",
    "ordsets",
    "pairs",
    "pio",
    "pure_input",
    "pathnames",
    "plunit",
    "port_reify",
    "pretty_print",
    "prolog_flags",
    "prolog_stack",
    "prolog_sys",
    "prompt",
    "quintus",
    "random",
    "read",
    "read_from_string",
    "readutil",
    "regexp",
    "rtchecks",
    "runtime_ops",
    "sets",
    "sha",
    "shell",
    "sicsrd",
    "solution_sequences",
    "sort",
    "stream_basic",
    "stream_utils",
    "streams",
    "system",
    "tabling",
    "terms",
    "terms_check",
    "terms_vars",
    "time",
    "toplevel",
    "ttyout",
    "ugraphs",
    "unittest",
    "unittest/unittest_props",
    "users",
    "utf8",
    "uuid",
    "vndict",
    "wfs",
    "when",
    "write",
    "writef",
    "yall",
    "atom2term",
    "bundle/bundle_paths",
    "getopts",
    "make/system_extra",
    "patterns",
    "regexp/regexp_code",
    "source_tree/source_tree",
    "source_tree",
    "system_extra",
    "term_basic",
    "version_strings",
];

/// The folders of Ciao's library in which lies what has names of its own.
const CIAO_FOLDERS: &[&str] = &[
    "concurrency",
    "dcg",
    "dynamic",
    "graphs",
    "hiord",
    "io",
    "lists",
    "process",
    "random",
    "regexp",
    "strings",
    "terms",
];

/// Whether a name stands for the engine's own library, and for which of its texts.
pub(super) fn library(machine: &Machine, alias: &str, name: &str) -> Option<Option<Atom>> {
    if alias == "engine" {
        return Some(None);
    }
    if alias != "library" {
        return None;
    }
    let text = machine.atoms.find(&format!("library({name})"));
    if let Some(text) = text.filter(|text| machine.loading.libraries.contains(text)) {
        return Some(Some(text));
    }
    LIBRARIES.contains(&name).then_some(None)
}

/// The library that a path in the folders of Ciao's library stands for: `library(process/process)`,
/// `library(graphs/ugraphs)`.
pub(super) fn in_folder(machine: &Machine, name: &str) -> Option<String> {
    let (folder, last) = name.rsplit_once('/')?;
    let last = last.strip_suffix("_rt").unwrap_or(last);
    let is_known = |name: &str| {
        library(machine, "library", name).is_some() || ON_DEMAND.iter().any(|&(known, _)| known == name)
    };
    (folder == last || CIAO_FOLDERS.contains(&folder)).then_some(())?;
    is_known(last).then(|| last.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_is_there_always_or_on_demand_and_listed_once() {
        let names: Vec<&str> =
            LIBRARIES.iter().copied().chain(ON_DEMAND.iter().map(|&(name, _)| name)).collect();
        let mut once = names.clone();
        once.sort_unstable();
        once.dedup();
        let twice: Vec<&&str> =
            once.iter().filter(|name| names.iter().filter(|other| other == name).count() > 1).collect();
        assert!(twice.is_empty(), "{twice:?}");
    }
}
