//! Two libraries of the paper, expat and json-c, from the distribution's sources: fetched into a temporary
//! folder, compiled there with drivers of our own, and gone with it.
//!
//! `apt-get` is told to use a list of sources, indexes and a cache in that folder, so the system's own
//! configuration is read (for the mirror) and nothing of it touched.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::grid::COMPARED;
use crate::bench::table::{Table, ratio};
use crate::error::Error;
use crate::explore::{
    Allocation, Bitcode, Explored, Model, Setting, Tests, demand_equal, demand_fewer, explore,
};
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;
use crate::setup::root;

const DRIVERS: &str = "fixtures/symexec/libraries";
/// The distribution's keys; where they lie elsewhere, apt's own are used.
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// A library and its driver.
struct Library {
    /// The source package, and the name of the driver.
    name: &'static str,
    /// What is compiled, below the only folder in the archive.
    sources: &'static [&'static str],
    /// Where its headers are, below the same folder.
    include: &'static str,
    options: &'static [&'static str],
    macros: &'static [&'static str],
}

const LIBRARIES: [Library; 2] = [
    Library {
        name: "expat",
        sources: &["expat/lib/xmlparse.c", "expat/lib/xmlrole.c", "expat/lib/xmltok.c"],
        include: "expat/lib",
        options: &[
            "-DXML_POOR_ENTROPY",
            "-DXML_NS",
            "-DXML_DTD",
            "-DXML_CONTEXT_BYTES=1024",
            "-DHAVE_MEMMOVE",
            "-DBYTEORDER=1234",
        ],
        macros: &["LEN=4"],
    },
    Library {
        name: "json-c",
        sources: &[
            "json_object.c",
            "linkhash.c",
            "arraylist.c",
            "printbuf.c",
            "json_util.c",
            "debug.c",
            "strerror_override.c",
        ],
        include: "",
        // With the last one the hash reads no byte behind a key, which would be an error here.
        options: &["-D_GNU_SOURCE", "-DVALGRIND"],
        macros: &["KEYS=4"],
    },
];

/// Fetches, compiles and explores both; where they cannot be fetched, the table says why.
pub(super) fn measure(tools: &Programs) -> Result<Table, Error> {
    let mut table = Table::new(
        "symexec: expat and json-c from the distribution's sources",
        "Shared allocation, all paths; the factor is of solver queries, base by address-aware. The paper, with \
         other versions, drivers and more input: expat 89,740 to 31,747 (2.83x) in the forking model and 2.83x in the \
         segmented one, json-c 15,364 to 5,246 (2.93x) and 1.81x.",
        &[
            "library",
            "model",
            "paths",
            "instructions",
            "solver queries: base",
            "AA",
            "factor",
            "cache: base",
            "AA",
            "seconds: base",
            "AA",
        ],
    );
    let scratch = Scratch::new()?;
    for library in &LIBRARIES {
        let folder = scratch.path().join(library.name);
        fs::create_dir_all(&folder).map_err(Error::writing(&folder))?;
        let source = match fetch(&folder, library.name) {
            Ok(source) => source,
            Err(error) => {
                let mut row = vec![library.name.to_owned(), format!("not fetched: {error}")];
                row.resize(table.heads.len(), "-".to_owned());
                table.rows.push(row);
                continue;
            }
        };
        let bitcode = compile(&folder, &source, library)?;
        let mut forking = None;
        for model in Model::ALL {
            let mut runs = Vec::new();
            for cache in COMPARED {
                let setting = Setting { model, allocation: Allocation::Shared, cache };
                runs.push((setting, explore(tools, &bitcode, setting, Tests::Left, &[])?));
            }
            let [(one, base), (other, aware)] = runs.as_slice() else { continue };
            demand_equal(library.name, (*one, &base.outcome), (*other, &aware.outcome))?;
            match &forking {
                None => forking = Some(base.outcome.clone()),
                Some(forking) => demand_fewer(library.name, forking, &base.outcome)?,
            }
            table.rows.push(row(library, model, base, aware));
        }
    }
    Ok(table)
}

fn row(library: &Library, model: Model, base: &Explored, aware: &Explored) -> Vec<String> {
    vec![
        format!("{} {}", library.name, library.macros.join(" ")),
        model.name().to_owned(),
        base.outcome.paths.to_string(),
        base.outcome.instructions.to_string(),
        base.solver_queries().to_string(),
        aware.solver_queries().to_string(),
        ratio(base.solver_queries() as f64 / aware.solver_queries() as f64),
        base.cache_size().to_string(),
        aware.cache_size().to_string(),
        format!("{:.1}", base.run.seconds),
        format!("{:.1}", aware.run.seconds),
    ]
}

/// The library's sources and its driver as bitcode.
fn compile(folder: &Path, source: &Path, library: &Library) -> Result<Bitcode, Error> {
    let drivers = root().join(DRIVERS);
    let mut options = vec!["-w".to_owned()];
    options.extend(library.options.iter().map(|option| (*option).to_owned()));
    options.extend(library.macros.iter().map(|one| format!("-D{one}")));
    let include = |folder: &Path| format!("-I{}", folder.display());
    options.push(include(&drivers.join(format!("{}-config", library.name))));
    options.push(include(&source.join(library.include)));
    let mut sources: Vec<PathBuf> = library.sources.iter().map(|file| source.join(file)).collect();
    sources.push(drivers.join(format!("{}.c", library.name)));
    Bitcode::compile(folder, library.name, &sources, &options)
}

/// Fetches and unpacks a source package; the folder that its archive holds.
fn fetch(folder: &Path, package: &str) -> Result<PathBuf, Error> {
    let place = |name: &str| folder.join(name);
    for name in ["lists/partial", "cache/archives/partial", "source"] {
        fs::create_dir_all(place(name)).map_err(Error::writing(&place(name)))?;
    }
    let mut targets = Command::new("apt-get");
    targets.args(["indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)", "Created-By: Packages"]);
    let known = process::stdout(&mut targets)?;
    let Some(target) = known.lines().next() else {
        return Err(Error::Findings("apt-get knows no mirror".to_owned()));
    };
    let signed = if Path::new(KEYS).exists() { format!(" [signed-by={KEYS}]") } else { String::new() };
    let list = place("sources.list");
    fs::write(&list, format!("deb-src{signed} {target}\n")).map_err(Error::writing(&list))?;
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        for (option, value) in [
            ("Dir::Etc::sourcelist", list.display().to_string()),
            ("Dir::Etc::sourceparts", "/dev/null".to_owned()),
            ("Dir::State::lists", place("lists").display().to_string()),
            ("Dir::Cache", place("cache").display().to_string()),
            ("APT::Sandbox::User", String::new()),
        ] {
            command.args(["-o", &format!("{option}={value}")]);
        }
        command.args(["-q"]).args(arguments).current_dir(place("source"));
        process::stdout(&mut command)
    };
    apt(&["update"])?;
    apt(&["source", "--download-only", package])?;
    let archive = only(&place("source"), |name| name.contains(".orig.tar"))?;
    let unpacked = place("unpacked");
    fs::create_dir_all(&unpacked).map_err(Error::writing(&unpacked))?;
    let mut tar = Command::new("tar");
    tar.arg("xf").arg(&archive).arg("-C").arg(&unpacked);
    process::stdout(&mut tar)?;
    only(&unpacked, |_| true)
}

/// The only entry of a folder with such a name.
fn only(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<PathBuf, Error> {
    for entry in fs::read_dir(folder).map_err(Error::reading(folder))? {
        let path = entry.map_err(Error::reading(folder))?.path();
        if path.file_name().is_some_and(|name| wanted(&name.to_string_lossy())) {
            return Ok(path);
        }
    }
    Err(Error::Findings(format!("{} does not hold what was fetched", folder.display())))
}
