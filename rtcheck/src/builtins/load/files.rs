//! Files: from what a program calls them to their text.

use super::super::library::ON_DEMAND;
use super::libraries::{in_folder, library};
use super::unloading::unload;
use super::{LoadError, Loader, Mode};
use crate::base::Source;
use crate::machine::{Loading, Machine, OpenFile, RunOutcome, SourceFile, StreamError, StreamId};
use crate::term::{Atom, Cell, Operators, Tag, atom};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

/// What a program calls a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Spec {
    /// A path, perhaps without its extension.
    Path(String),
    /// `library(Name)`, `engine(Name)` or another alias, and the name.
    Alias(String, String),
    /// `user`: standard input.
    Input,
    /// A text that a stream gave, under the name of a file.
    Text(String, String),
}

/// What loading a file gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Loaded {
    /// The file with this position among those that are loaded.
    File(usize),
    /// A part of the engine's own library: the name of its text, if it has one of its own.
    Library(Option<Atom>),
}

/// The name of a file in a program's term.
pub(super) fn spec(machine: &Machine, term: Cell) -> Option<Spec> {
    let term = machine.store.deref(term);
    if term == Cell::atom(atom::USER) {
        return Some(Spec::Input);
    }
    if let Some((alias, 1)) = machine.store.functor(term) {
        let name = path_text(machine, machine.store.argument(term, 0))?;
        // Ciao: in the folder of the text.
        if alias == atom::DOT {
            return Some(Spec::Path(name));
        }
        return Some(Spec::Alias(machine.atoms.text(alias).to_owned(), name));
    }
    path_text(machine, term).map(Spec::Path)
}

/// `a` or `a/b` as text.
fn path_text(machine: &Machine, term: Cell) -> Option<String> {
    let mut parts = Vec::new();
    let mut term = machine.store.deref(term);
    while let Some([left, right]) = machine.store.match_structure::<2>(term, atom::SLASH) {
        parts.push(right);
        term = left;
    }
    parts.push(term);
    let texts: Option<Vec<&str>> = parts
        .iter()
        .rev()
        .map(|part| matches!(part.tag(), Tag::Atm | Tag::Txt).then(|| machine.atoms.text(part.as_atom())))
        .collect();
    Some(texts?.join("/"))
}

impl Spec {
    /// As programs write it.
    pub(super) fn show(&self) -> String {
        match self {
            Self::Path(path) => format!("`{path}`"),
            Self::Alias(alias, name) => format!("`{alias}({name})`"),
            Self::Input => "`user`".to_owned(),
            Self::Text(name, _) => format!("`{name}`"),
        }
    }
}

/// Loads a file for a module and imports nothing.
pub(super) fn load(
    machine: &mut Machine,
    spec: &Spec,
    importer: Atom,
    mode: Mode,
) -> Result<Loaded, LoadError> {
    if let Spec::Alias(alias, name) = spec
        && let Some(library) = library(machine, alias, name)
    {
        // What the program asks of the library's module it does not mean to get of its own.
        let module = machine.atoms.intern(&name.replace('/', "_"));
        machine.set_library(module);
        return Ok(Loaded::Library(library));
    }
    if let Spec::Alias(alias, name) = spec
        && alias == "library"
        && let Some(&(_, text)) = ON_DEMAND.iter().find(|(known, _)| known == name)
    {
        let path = machine.atoms.intern(&format!("library({name})"));
        if let Some(file) = machine.loading.file(path) {
            return known(machine, file, Mode::Module);
        }
        // Whatever holds for the program's text, this one is as it was written.
        let flags = std::mem::take(&mut machine.flags);
        let known_to_all = Operators::new(&mut machine.atoms);
        let operators = std::mem::replace(&mut machine.operators, known_to_all);
        let path = machine.atoms.text(path).to_owned();
        let file = load_text(machine, &path, text.to_owned(), importer);
        (machine.flags, machine.operators) = (flags, operators);
        return known(machine, file?, Mode::Module);
    }
    if let Spec::Alias(alias, name) = spec
        && alias == "library"
        && search_path(machine, alias)?.is_empty()
        && let Some(name) = in_folder(machine, name)
    {
        return load(machine, &Spec::Alias(alias.clone(), name), importer, mode);
    }
    let (path, bytes) = match spec {
        Spec::Input => ("user".to_owned(), read_input(machine)?),
        Spec::Text(path, text) => (path.clone(), text.clone().into_bytes()),
        Spec::Path(_) | Spec::Alias(..) => {
            let mut candidates = candidates(machine, spec)?;
            for path in &mut candidates {
                *path = name(machine, std::mem::take(path));
                if let Some(atom) = machine.atoms.find(path)
                    && let Some(file) = machine.loading.file(atom)
                    && (mode != Mode::Consult || machine.loading.is_open(file))
                    && !machine.loading.files[file].gone
                {
                    return known(machine, file, mode);
                }
            }
            read(machine, spec, candidates)?
        }
    };
    let text = decode(&path, bytes)?;
    begin_file(machine, &path, importer);
    if *spec != Spec::Input {
        let known = file_of(machine, &path, importer);
        if machine.loading.files[known].absolute.is_none() {
            machine.loading.files[known].absolute = absolute(machine, &path);
        }
    }
    let file = load_text(machine, &path, text, importer)?;
    known(machine, file, mode)
}

/// The position of a file that is loaded, as a program calls it.
pub(super) fn loaded(machine: &mut Machine, spec: &Spec) -> Option<usize> {
    let candidates = candidates(machine, spec).ok()?;
    candidates.into_iter().find_map(|path| {
        let path = name(machine, path);
        let file = machine.loading.file(machine.atoms.find(&path)?)?;
        (!machine.loading.files[file].gone).then_some(file)
    })
}

/// Loads a text under a name, in addition to what was loaded under it before.
pub(super) fn load_text(
    machine: &mut Machine,
    path: &str,
    text: String,
    importer: Atom,
) -> Result<usize, LoadError> {
    if machine.loading.open.len() >= Loading::MAX_NESTING {
        return Err(LoadError::TooDeep);
    }
    let file = file_of(machine, path, importer);
    machine.loading.open.push(OpenFile { file, lines: (1, 1) });
    let source_module = std::mem::replace(&mut machine.source_module, importer);
    let mut loader = Loader::new(Rc::new(Source::new(path, text)), Some(file));
    let result = loader.load(machine);
    machine.source_module = source_module;
    machine.loading.open.pop();
    // What is left of it keeps atoms that no collection looks for.
    machine.atoms.keep_all();
    result.map(|()| file)
}

/// The path and the text of a file.
pub(super) fn text(machine: &mut Machine, spec: &Spec) -> Result<(String, String), LoadError> {
    let candidates = candidates(machine, spec)?.into_iter().map(|path| name(machine, path)).collect();
    let (path, bytes) = read(machine, spec, candidates)?;
    let text = decode(&path, bytes)?;
    Ok((path, text))
}

/// A file that is loaded, or is being loaded: circles are allowed.
fn known(machine: &Machine, file: usize, mode: Mode) -> Result<Loaded, LoadError> {
    let known = &machine.loading.files[file];
    if mode == Mode::Module && !known.is_module {
        return Err(LoadError::NotAModule { path: machine.atoms.text(known.path).to_owned() });
    }
    Ok(Loaded::File(file))
}

/// The path from the root, without `.` and `..`.
fn absolute(machine: &Machine, path: &str) -> Option<PathBuf> {
    Some(normalized(&machine.system.working_directory().ok()?.join(path)))
}

/// The path from the root of a text that is loaded, as it was when the text was opened; of another file, as it is now.
/// `None` of what is no file: `user`, and the library's own texts.
pub(super) fn absolute_name(machine: &Machine, name: Atom) -> Option<String> {
    let text = machine.atoms.text(name);
    let path = match machine.loading.file(name) {
        Some(file) => machine.loading.files[file].absolute.clone(),
        None if name == atom::USER || text.starts_with("library(") => None,
        None => absolute(machine, text),
    };
    path.map(|path| path.display().to_string())
}

/// The folder of a text, from the root; where the program is, if the text is no file.
pub(super) fn folder(machine: &Machine, file: usize) -> PathBuf {
    let absolute = machine.loading.files[file].absolute.as_deref().and_then(Path::parent);
    absolute.map_or_else(|| machine.system.working_directory().unwrap_or_default(), Path::to_path_buf)
}

/// The name of the file that a path leads to: the one under which it was loaded before, whichever way led to it; the
/// path itself; or the path from the root, where another file has the path for its name because the program went to
/// another folder in between.
fn name(machine: &Machine, path: String) -> String {
    let Some(absolute) = absolute(machine, &path) else { return path };
    let files = &machine.loading.files;
    if let Some(known) = files.iter().find(|file| file.absolute.as_ref() == Some(&absolute)) {
        return machine.atoms.text(known.path).to_owned();
    }
    let taken = machine.atoms.find(&path).and_then(|name| machine.loading.file(name));
    match taken.and_then(|file| files[file].absolute.as_ref()) {
        Some(other) if *other != absolute => absolute.display().to_string(),
        _ => path,
    }
}

/// Forgets what a file defined when it was loaded before.
fn begin_file(machine: &mut Machine, path: &str, importer: Atom) {
    let version = machine.file_version(&place(machine, path));
    let file = file_of(machine, path, importer);
    machine.loading.files[file].version = version;
    machine.loading.files[file].gone = false;
    unload(machine, file);
}

/// The position of a file among those that are loaded, where it is entered if it is new.
fn file_of(machine: &mut Machine, path: &str, importer: Atom) -> usize {
    let path = machine.atoms.intern(path);
    if let Some(file) = machine.loading.file(path) {
        return file;
    }
    machine.loading.files.push(SourceFile {
        path,
        absolute: None,
        module: importer,
        is_module: false,
        version: None,
        predicates: Vec::new(),
        clauses: Vec::new(),
        unchecked: Vec::new(),
        gone: false,
    });
    machine.loading.files.len() - 1
}

/// Whether the engine has `library(Name)`.
pub(super) fn is_library(machine: &Machine, name: &str) -> bool {
    ON_DEMAND.iter().any(|(known, _)| *known == name) || library(machine, "library", name).is_some()
}

/// The paths that a name may stand for, most likely first.
fn candidates(machine: &mut Machine, spec: &Spec) -> Result<Vec<String>, LoadError> {
    let folders = folders(machine);
    let places = |path: &Path, found: &mut Vec<String>| {
        folders.iter().for_each(|folder| extensions(&folder.join(path), found));
    };
    let mut found = Vec::new();
    match spec {
        Spec::Path(name) => places(Path::new(name), &mut found),
        Spec::Alias(alias, name) => {
            for place in search_path(machine, alias)? {
                places(&Path::new(&place).join(name), &mut found);
            }
            if found.is_empty() {
                return Err(LoadError::NoLibrary(spec.show()));
            }
        }
        Spec::Input | Spec::Text(..) => {}
    }
    Ok(found)
}

/// The folders where the text that is being loaded looks for others: its own, as its name says; where the program went
/// to another folder since, its own from the root, and then the one where the program is.
fn folders(machine: &Machine) -> Vec<PathBuf> {
    let Some(open) = machine.loading.open.last() else { return vec![PathBuf::new()] };
    let file = &machine.loading.files[open.file];
    let name = machine.atoms.text(file.path);
    let parent = |path: &Path| path.parent().map(Path::to_path_buf).unwrap_or_default();
    match &file.absolute {
        Some(path) if absolute(machine, name).as_ref() != Some(path) => vec![parent(path), PathBuf::new()],
        _ => vec![parent(Path::new(name))],
    }
}

fn extensions(path: &Path, found: &mut Vec<String>) {
    let path = normalized(path);
    let with = |extension: &str| format!("{}.{extension}", path.display());
    let plain = path.display().to_string();
    if path.extension().is_some_and(|extension| extension == "pl") {
        found.push(plain);
    } else if path.extension().is_some() {
        found.extend([plain, with("pl")]);
    } else {
        found.extend([with("pl"), with("pro"), plain]);
    }
}

/// A path without `.` and, where a folder precedes it, `..`.
fn normalized(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir if matches!(parts.components().next_back(), Some(Component::Normal(_))) => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts
}

/// What `user:file_search_path(Alias, Place)` says, as far as places are paths.
fn search_path(machine: &mut Machine, alias: &str) -> Result<Vec<String>, LoadError> {
    let name = machine.atoms.intern("file_search_path");
    let Some(id) = machine.find_predicate_in(atom::USER, name, 2) else { return Ok(Vec::new()) };
    if machine.predicate_at(id).module != atom::USER {
        return Ok(Vec::new());
    }
    let scope = machine.begin_scope();
    let alias = Cell::atom(machine.atoms.intern(alias));
    let (place, list) = (machine.store.variable(), machine.store.variable());
    let goal = machine.store.compound(name, &[alias, place]);
    let findall = machine.atoms.intern("findall");
    let goal = machine.store.compound(findall, &[place, goal, list]);
    let mut places = Vec::new();
    let outcome = machine.run(goal);
    if let RunOutcome::Succeeded = outcome {
        let found = machine.store.list_elements(list).unwrap_or_default();
        places.extend(found.into_iter().filter_map(|place| path_text(machine, place)));
    }
    match (machine.end_scope(scope), outcome) {
        (Some(code), _) | (None, RunOutcome::Halted(code)) => Err(LoadError::Halted(code)),
        _ => Ok(places),
    }
}

/// Where the file of a name lies: a name of a file that is loaded means this one, whichever folder the program is in.
pub(super) fn place(machine: &Machine, name: &str) -> PathBuf {
    let known = machine.atoms.find(name).and_then(|name| machine.loading.file(name));
    match known.and_then(|file| machine.loading.files[file].absolute.clone()) {
        Some(path) if absolute(machine, name).as_ref() != Some(&path) => path,
        _ => PathBuf::from(name),
    }
}

/// The first candidate that can be read.
fn read(machine: &Machine, spec: &Spec, candidates: Vec<String>) -> Result<(String, Vec<u8>), LoadError> {
    let mut unreadable = None;
    for path in &candidates {
        match machine.system.read_file(&place(machine, path)) {
            Ok(bytes) => return Ok((path.clone(), bytes)),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => {
                unreadable.get_or_insert((path.clone(), error.to_string()));
            }
        }
    }
    Err(match unreadable {
        Some((path, reason)) => LoadError::Read { path, reason },
        None => LoadError::Missing { name: spec.show(), tried: candidates },
    })
}

fn read_input(machine: &mut Machine) -> Result<Vec<u8>, LoadError> {
    let unreadable = |reason: String| LoadError::Read { path: "standard input".to_owned(), reason };
    let Some(stream) = machine.streams.get_mut(StreamId::INPUT) else { return Ok(Vec::new()) };
    match stream.rest(&mut *machine.system) {
        Ok(text) => Ok(text.into_bytes()),
        Err(StreamError::PastEnd) => Ok(Vec::new()),
        Err(StreamError::System(error)) => Err(unreadable(error.to_string())),
        Err(StreamError::Encoding) => Err(unreadable("it is not UTF-8 text".to_owned())),
    }
}

fn decode(path: &str, bytes: Vec<u8>) -> Result<String, LoadError> {
    let text = String::from_utf8(bytes).map_err(|error| LoadError::Encoding {
        path: path.to_owned(),
        offset: error.utf8_error().valid_up_to(),
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}
