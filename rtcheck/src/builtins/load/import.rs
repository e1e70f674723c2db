//! Modules as a text declares them: exports and imports.

use super::super::library::{imported_library, imported_library_of, library_of};
use super::directives::{indicator, items};
use super::files::{self, Loaded};
use super::{LoadError, Loader, Mode, show};
use crate::base::{Diagnostic, Span};
use crate::machine::{Denied, Kind, Link, Machine, PredicateId};
use crate::read::Quotes;
use crate::term::{Atom, Cell, OperatorDefinition, OperatorKind, Tag, atom};

/// What an import list asks for.
struct Import {
    name: Atom,
    arity: usize,
    /// The name it gets.
    local: Atom,
}

/// The name of the module of a text. What of a library is always there is nothing that a program has named, so its
/// module leaves the name to the program's; and so does another library that comes after the program's module.
fn module_of_library(machine: &mut Machine, name: Atom, path: Option<Atom>) -> Atom {
    let Some(path) = path.map(|path| machine.atoms.text(path)).filter(|path| path.starts_with("library("))
    else {
        return name;
    };
    let is_nameless = path.starts_with("library(more/");
    let is_taken = machine.find_module(name).is_some_and(|known| known.file.is_some() && !known.library);
    if !is_nameless && !is_taken {
        return name;
    }
    let private = format!("${}", machine.atoms.text(name));
    machine.atoms.intern(&private)
}

impl Loader {
    /// `:- module(Name, Exports, Packages).`
    pub(super) fn begin_module(
        &mut self,
        machine: &mut Machine,
        name: Cell,
        exports: Cell,
        packages: Cell,
        span: Span,
        at_start: bool,
    ) -> Result<(), LoadError> {
        if !at_start {
            self.error("`:- module` must come first in its file", span);
            return Ok(());
        }
        let name = match name.tag() {
            Tag::Atm => name.as_atom(),
            // Ciao: the name of the file.
            Tag::Ref => {
                let file = self.source.name.rsplit('/').next().unwrap_or_default();
                let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
                machine.atoms.intern(stem)
            }
            _ => {
                self.error("the name of a module is an atom", span);
                return Ok(());
            }
        };
        if matches!(name, atom::USER | atom::SYSTEM) {
            self.error("`user` and `system` are modules already", span);
            return Ok(());
        }
        let path = self.file.map(|file| machine.loading.files[file].path);
        let name = module_of_library(machine, name, path);
        if let Some(known) = machine.find_module(name)
            && let Some(other) = known.file
            && Some(other) != path
        {
            let message = format!(
                "the module `{}` is defined by {} already",
                machine.atoms.text(name),
                machine.atoms.text(other)
            );
            self.error(message, span);
            return Ok(());
        }
        self.module_span = span;
        machine.module(name).file = path;
        machine.module(name).library =
            path.is_some_and(|path| machine.atoms.text(path).starts_with("library("));
        if let Some(file) = self.file {
            machine.loading.files[file].module = name;
            machine.loading.files[file].is_module = true;
        }
        machine.source_module = name;
        if !machine.module(name).library {
            // How the text that asks for the module reads its own is none of the module's.
            let given = machine.flags_of_modules;
            machine.flags.double_quotes = given.double_quotes;
            machine.flags.back_quotes = given.back_quotes;
            machine.flags.methods = given.methods;
        }
        machine.module(name).strings = machine.flags.double_quotes == Quotes::String;
        self.use_packages(machine, packages, span)?;
        self.export(machine, exports, span);
        Ok(())
    }

    /// Adds to what the module offers.
    pub(super) fn export(&mut self, machine: &mut Machine, exports: Cell, span: Span) {
        let module = machine.source_module;
        if exports.tag() == Tag::Ref {
            // Ciao: everything.
            self.exports_all = true;
            return;
        }
        for (_, export) in items(machine, module, exports) {
            if let Some((name, arity)) = indicator(machine, export) {
                let exports = &mut machine.module(module).exports;
                if !exports.contains(&(name, arity)) {
                    exports.push((name, arity));
                }
            } else if let Some(operators) = operators(machine, export) {
                for (name, definition) in operators {
                    machine.operators.define(name, definition);
                    machine.module(module).operators.push((name, definition));
                }
            } else {
                let message = format!("expected Name/Arity or op/3, found `{}`", show(machine, export));
                self.error(message, span);
            }
        }
    }

    /// What is exported must be there.
    pub(super) fn check_exports(&mut self, machine: &mut Machine) {
        let Some(file) = self.file else { return };
        if !machine.loading.files[file].is_module {
            return;
        }
        let module = machine.loading.files[file].module;
        if self.exports_all {
            let own: Vec<(Atom, usize)> = machine
                .module(module)
                .predicates
                .clone()
                .into_iter()
                .map(|id| machine.predicate_at(id))
                .filter(|predicate| predicate.link == Link::Own && predicate.kind != Kind::Undefined)
                .map(|predicate| (predicate.name, predicate.arity))
                .collect();
            let exports = &mut machine.module(module).exports;
            for export in own {
                if !exports.contains(&export) {
                    exports.push(export);
                }
            }
        }
        self.exported_operators.clone_from(&machine.module(module).operators);
        for (name, arity) in machine.module(module).exports.clone() {
            let id = machine.predicate_in(module, name, arity);
            let predicate = machine.predicate_at(id);
            let missing = match predicate.link {
                Link::Own => predicate.kind == Kind::Undefined,
                // The engine's own is what importers find, too.
                Link::Inherited(from) => machine.predicate_at(machine.origin(from)).kind == Kind::Undefined,
                Link::Imported { .. } => false,
            };
            // A library that is loaded on demand is what importers find, too.
            let later = library_of(machine.atoms.text(name), arity).is_some();
            if missing && !later && !self.outside.has_predicate(name, arity) {
                let message = format!("`{}/{arity}` is exported and not defined", machine.atoms.text(name));
                let span = self.module_span;
                let diagnostic =
                    Diagnostic::error(message, span).help("define it, or correct its name or arity");
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// `use_module` and `reexport` with one file or a list.
    pub(super) fn use_modules(
        &mut self,
        machine: &mut Machine,
        specs: Cell,
        imports: Option<Cell>,
        reexport: bool,
        span: Span,
    ) -> Result<(), LoadError> {
        for (module, file) in items(machine, machine.source_module, specs) {
            let Some(spec) = files::spec(machine, file) else {
                self.error("expected the name of a module's file", span);
                continue;
            };
            let loaded = self.load_other(machine, &spec, module, imports, Mode::Module, span)?;
            if imports.is_none()
                && let Some(Loaded::Library(_)) = loaded
                && let files::Spec::Alias(_, name) = &spec
                && let Some(more) = imported_library(name)
            {
                let more = files::Spec::Alias("library".to_owned(), more.to_owned());
                self.load_other(machine, &more, module, None, Mode::Module, span)?;
            }
            if reexport && let Some(loaded) = loaded {
                self.reexport(machine, loaded, imports);
            }
        }
        Ok(())
    }

    /// `:- import(Module, [p/1])`: without loading.
    pub(super) fn import_from(&mut self, machine: &mut Machine, module: Cell, imports: Cell, span: Span) {
        if module.tag() != Tag::Atm {
            self.error("expected the name of a module", span);
            return;
        }
        for (_, item) in items(machine, atom::USER, imports) {
            let Some((name, arity)) = indicator(machine, item) else {
                let message = format!("expected Name/Arity, found `{}`", show(machine, item));
                self.error(message, span);
                continue;
            };
            let from = machine.predicate_in(module.as_atom(), name, arity);
            let into = machine.source_module;
            self.import_one(machine, into, from, name, false, span);
        }
    }

    /// Imports what a file that was just loaded offers, or a part of it.
    pub(super) fn import_loaded(
        &mut self,
        machine: &mut Machine,
        loaded: Loaded,
        spec: &files::Spec,
        into: Atom,
        imports: Option<Cell>,
        span: Span,
    ) {
        let (from, exports) = match loaded {
            Loaded::File(file) => {
                let file = &machine.loading.files[file];
                if !file.is_module {
                    return;
                }
                let module = file.module;
                if module == into {
                    return;
                }
                for (name, definition) in machine.module(module).operators.clone() {
                    machine.operators.define(name, definition);
                }
                (module, machine.module(module).exports.clone())
            }
            Loaded::Library(text) => {
                let exports = library_exports(machine, text);
                if imports.is_none() && into == atom::USER {
                    // It is visible as it is.
                    return;
                }
                (atom::SYSTEM, exports)
            }
        };
        let weak = imports.is_none() || self.imports_what_is_missing;
        let Some(wanted) = self.wanted(machine, &exports, imports, span) else { return };
        for import in wanted {
            let id = machine.predicate_in(from, import.name, import.arity);
            let offered = exports.contains(&(import.name, import.arity));
            if !offered {
                // Another system may have in one library what this one has in another.
                let is_ours = from == atom::SYSTEM || machine.module(from).library;
                let system = machine.predicate_in(atom::SYSTEM, import.name, import.arity);
                let known = is_ours && machine.predicate_at(system).kind != Kind::Undefined;
                if known && from != atom::SYSTEM {
                    continue;
                }
                // A part of the library that is loaded when it is called.
                let later = is_ours
                    && import.local == import.name
                    && library_of(machine.atoms.text(import.name), import.arity).is_some();
                if later && !known {
                    continue;
                }
                if !known {
                    let library = imported_library_of(machine.atoms.text(import.name), import.arity);
                    if let Some(library) = library.filter(|_| is_ours) {
                        self.import_from_library(machine, library, &import, into, span);
                        continue;
                    }
                    let message = format!(
                        "{} does not export `{}/{}`",
                        spec.show(),
                        machine.atoms.text(import.name),
                        import.arity
                    );
                    // A library may lack something that the program does not come to need.
                    if is_ours {
                        self.warning(message, span);
                        continue;
                    }
                    self.error(message, span);
                    continue;
                }
            }
            if from == atom::SYSTEM
                && (machine.predicate_at(id).kind == Kind::Control
                    || self.has_from_library(machine, into, import.local, import.arity))
            {
                continue;
            }
            self.import_one(machine, into, id, import.local, weak, span);
        }
    }

    /// Whether a module has a predicate from one of the engine's libraries already, which then is what its own system
    /// means by that name.
    fn has_from_library(&self, machine: &mut Machine, into: Atom, name: Atom, arity: usize) -> bool {
        let own = machine.predicate_in(into, name, arity);
        let Link::Imported { from, .. } = machine.predicate_at(own).link else { return false };
        let module = machine.predicate_at(from).module;
        module != atom::SYSTEM && machine.find_module(module).is_some_and(|module| module.library)
    }

    /// Imports what a library on demand has under a name that nobody gets unasked.
    fn import_from_library(
        &mut self,
        machine: &mut Machine,
        library: &str,
        import: &Import,
        into: Atom,
        span: Span,
    ) {
        let spec = files::Spec::Alias("library".to_owned(), library.to_owned());
        match files::load(machine, &spec, into, Mode::Module) {
            Ok(Loaded::File(file)) => {
                let module = machine.loading.files[file].module;
                let id = machine.predicate_in(module, import.name, import.arity);
                self.import_one(machine, into, id, import.local, false, span);
            }
            Ok(Loaded::Library(_)) => {}
            Err(error) => self.error(error.to_string(), span),
        }
    }

    /// A text of Ciao's that names `print` gets Ciao's `print/1,2`, which writes no quotes.
    pub(super) fn print_as_in_ciao(&mut self, machine: &mut Machine, span: Span) {
        let into = machine.source_module;
        if self.library || !self.source.text.contains("print") {
            return;
        }
        let spec = files::Spec::Alias("library".to_owned(), "imported/write".to_owned());
        match files::load(machine, &spec, into, Mode::Module) {
            Ok(Loaded::File(file)) => {
                let module = machine.loading.files[file].module;
                for arity in [1, 2] {
                    let name = machine.atoms.intern("print");
                    let id = machine.predicate_in(module, name, arity);
                    self.import_one(machine, into, id, name, true, span);
                }
            }
            Ok(Loaded::Library(_)) => {}
            Err(error) => self.error(error.to_string(), span),
        }
    }

    fn import_one(
        &mut self,
        machine: &mut Machine,
        into: Atom,
        from: PredicateId,
        name: Atom,
        weak: bool,
        span: Span,
    ) {
        let arity = machine.predicate_at(from).arity;
        let module = machine.predicate_at(machine.origin(from)).module;
        let Err(denied) = machine.import(into, from, name, weak) else { return };
        let indicator = format!("{}/{arity}", machine.atoms.text(name));
        match denied {
            // The definition was there first, and everything was asked for.
            Denied::Defined if weak => {
                if !of_library(machine, module) {
                    let message = format!(
                        "`{indicator}` is defined here, so that of `{}` is not imported",
                        machine.atoms.text(module)
                    );
                    self.warning(message, span);
                }
            }
            Denied::Imported(other) if weak && (other == atom::SYSTEM || module == atom::SYSTEM) => {}
            Denied::Defined | Denied::Protected => {
                self.error(format!("`{indicator}` cannot be imported: it is defined here"), span);
            }
            Denied::Imported(other) => {
                let message = format!(
                    "`{indicator}` cannot be imported from `{}`: it is imported from `{}`",
                    machine.atoms.text(module),
                    machine.atoms.text(other)
                );
                let help = format!(
                    "import what you need by name, or call `{}:{}`",
                    machine.atoms.text(module),
                    machine.atoms.text(name)
                );
                // Of two libraries that a program wants whole the first stays, as in SWI-Prolog.
                let stays = weak && of_library(machine, module) && of_library(machine, other);
                let told =
                    if stays { Diagnostic::warning(message, span) } else { Diagnostic::error(message, span) };
                self.diagnostics.push(told.help(help));
            }
        }
    }

    /// What an import list asks for: `[p/1, q/2 as r]` or `except([p/1])`.
    fn wanted(
        &mut self,
        machine: &mut Machine,
        exports: &[(Atom, usize)],
        imports: Option<Cell>,
        span: Span,
    ) -> Option<Vec<Import>> {
        let all = || exports.iter().map(|&(name, arity)| Import { name, arity, local: name }).collect();
        let Some(imports) = imports else { return Some(all()) };
        let imports = machine.store.deref(imports);
        if show(machine, imports) == "all" {
            return Some(all());
        }
        let except = machine.atoms.intern("except");
        if let Some([without]) = machine.store.match_structure::<1>(imports, except) {
            let mut wanted: Vec<Import> = all();
            for (name, arity, local) in self.import_items(machine, without, span) {
                if name == local {
                    wanted.retain(|import| (import.name, import.arity) != (name, arity));
                } else if let Some(import) =
                    wanted.iter_mut().find(|import| (import.name, import.arity) == (name, arity))
                {
                    import.local = local;
                }
            }
            return Some(wanted);
        }
        let items = self.import_items(machine, imports, span);
        Some(items.into_iter().map(|(name, arity, local)| Import { name, arity, local }).collect())
    }

    fn import_items(&mut self, machine: &mut Machine, list: Cell, span: Span) -> Vec<(Atom, usize, Atom)> {
        let as_name = machine.atoms.intern("as");
        let mut found = Vec::new();
        for (_, item) in items(machine, atom::USER, list) {
            // Operators hold where the module's text is read; a pattern such as `op(_, _, name)` chooses among them.
            if machine
                .store
                .functor(item)
                .is_some_and(|(name, arity)| arity == 3 && machine.atoms.text(name) == "op")
            {
                continue;
            }
            let (spec, local) = match machine.store.match_structure::<2>(item, as_name) {
                Some([spec, local]) if local.tag() == Tag::Atm => (spec, Some(local.as_atom())),
                _ => (item, None),
            };
            match indicator(machine, spec) {
                Some((name, arity)) => found.push((name, arity, local.unwrap_or(name))),
                None => {
                    let message = format!("expected Name/Arity, found `{}`", show(machine, item));
                    self.error(message, span);
                }
            }
        }
        found
    }

    /// Offers what was imported as this module's own.
    fn reexport(&mut self, machine: &mut Machine, loaded: Loaded, imports: Option<Cell>) {
        let exports = match loaded {
            Loaded::File(file) => {
                let module = machine.loading.files[file].module;
                machine.module(module).exports.clone()
            }
            Loaded::Library(text) => library_exports(machine, text),
        };
        let Some(wanted) = self.wanted(machine, &exports, imports, Span::default()) else { return };
        let module = machine.source_module;
        let except = machine.atoms.intern("except");
        let is_whole =
            imports.is_none_or(|imports| machine.store.match_structure::<1>(imports, except).is_some());
        if let (Loaded::File(file), true) = (loaded, is_whole) {
            let from = machine.loading.files[file].module;
            let operators = machine.module(from).operators.clone();
            machine.module(module).operators.extend(operators);
        }
        for import in wanted {
            let id = machine.predicate_in(module, import.local, import.arity);
            let imported = matches!(machine.predicate_at(id).link, Link::Imported { .. });
            let exports = &mut machine.module(module).exports;
            if imported && !exports.contains(&(import.local, import.arity)) {
                exports.push((import.local, import.arity));
            }
        }
    }
}

/// Whether a module is a part of the engine's library.
fn of_library(machine: &Machine, module: Atom) -> bool {
    module == atom::SYSTEM || machine.find_module(module).is_some_and(|module| module.library)
}

/// The predicates of a text of the engine's library.
fn library_exports(machine: &Machine, text: Option<Atom>) -> Vec<(Atom, usize)> {
    let (Some(text), Some(system)) = (text, machine.find_module(atom::SYSTEM)) else { return Vec::new() };
    system
        .predicates
        .iter()
        .map(|&id| machine.predicate_at(id))
        .filter(|predicate| predicate.place.is_some_and(|place| place.file == text))
        .filter(|predicate| !machine.atoms.text(predicate.name).starts_with('$'))
        .map(|predicate| (predicate.name, predicate.arity))
        .collect()
}

/// `op(Priority, Kind, Names)` as definitions.
fn operators(machine: &Machine, term: Cell) -> Option<Vec<(Atom, OperatorDefinition)>> {
    let (name, 3) = machine.store.functor(term)? else { return None };
    if machine.atoms.text(name) != "op" {
        return None;
    }
    let [priority, kind, names] = [0, 1, 2].map(|i| machine.store.argument(term, i));
    let priority = (priority.tag() == Tag::Int).then(|| u16::try_from(priority.int_value()).ok())??;
    let kind =
        (kind.tag() == Tag::Atm).then(|| OperatorKind::from_name(machine.atoms.text(kind.as_atom())))??;
    let names = match machine.store.list_elements(names) {
        Ok(names) if !names.is_empty() => names,
        _ => vec![names],
    };
    (priority <= 1200).then_some(())?;
    names
        .into_iter()
        .map(|name| (name.tag() == Tag::Atm).then(|| (name.as_atom(), OperatorDefinition { priority, kind })))
        .collect()
}
