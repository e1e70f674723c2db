//! Built-ins that load, and that tell what is loaded.

use super::{LoadError, Mode, files, show};
use crate::machine::{Kind, Link, Machine, Meta, Module, Outcome, Predicate, PredicateId, Throw};
use crate::term::{Atom, Cell, Tag, atom};

pub(crate) fn define(machine: &mut Machine) {
    machine.define_builtin("$load", 3, load);
    machine.define_builtin("$set_module", 1, |m| {
        let module = m.argument(0);
        if module.tag() != Tag::Atm {
            return m.type_error(atom::ATOM, module);
        }
        m.module(module.as_atom());
        m.source_module = module.as_atom();
        Ok(true)
    });
    // '$library_exists'(Name): whether `library(Name)` is one of the engine's own.
    machine.define_builtin("$library_exists", 1, |m| {
        let name = m.argument(0);
        let text = super::super::written::text_of(m, name, crate::term::WriteOptions::PLAIN);
        Ok(files::is_library(m, &text))
    });
    // '$library_of'(Name, Arity, Library): which library on demand defines a predicate.
    machine.define_builtin("$library_of", 3, |m| {
        let (name, arity) = (m.argument(0), m.argument(1));
        let library = match (name.tag(), usize::try_from(arity.int_value())) {
            (Tag::Atm, Ok(arity)) if !m.flags.strict => {
                super::super::library::library_of(m.atoms.text(name.as_atom()), arity)
            }
            _ => None,
        };
        let Some(library) = library else { return Ok(false) };
        let library = Cell::atom(m.atoms.intern(library));
        Ok(m.unify_argument(2, library))
    });
    // '$meta_declaration'(Goal, Head): what a module says of a predicate's arguments, which need not have clauses yet.
    machine.define_builtin("$meta_declaration", 2, |m| {
        let (module, goal) = m.strip_module(atom::USER, m.argument(0));
        let Some((name, arity)) = m.store.functor(goal) else { return Ok(false) };
        let own = m.predicate_in(module, name, arity);
        let id = match m.predicate_at(own).meta.is_empty() {
            true => m.find_predicate_in(module, name, arity).unwrap_or(own),
            false => own,
        };
        let meta = m.predicate_at(id).meta.clone();
        if meta.is_empty() || arity == 0 {
            return Ok(false);
        }
        let arguments: Vec<Cell> = meta.iter().take(arity).map(|&meta| meta_term(meta)).collect();
        let head = m.store.compound(name, &arguments);
        Ok(m.unify_argument(1, head))
    });
    machine.define_builtin("$plunit_tests", 1, super::plunit::tests);
    // '$base_module'(Module, Base): whose predicates a module sees where it says nothing itself.
    machine.define_builtin("$base_module", 2, |m| {
        let module = m.argument(0);
        if module.tag() != Tag::Atm {
            return m.type_error(atom::ATOM, module);
        }
        let base = match module.as_atom() {
            atom::SYSTEM => return Ok(false),
            atom::USER => atom::SYSTEM,
            other => m.base_of(other).unwrap_or(atom::USER),
        };
        Ok(m.unify_argument(1, Cell::atom(base)))
    });
    machine.define_builtin("$set_base_module", 2, |m| {
        let (module, base) = (m.argument(0), m.argument(1));
        for name in [module, base] {
            if name.tag() != Tag::Atm {
                return m.type_error(atom::ATOM, name);
            }
        }
        let (module, base) = (module.as_atom(), base.as_atom());
        // Everybody sees `user` and `system` anyway, and nobody may see himself through others.
        let mut step = Some(base);
        while let Some(name) = step {
            if name == module {
                return m.permission_error("add_import", "module", Cell::atom(base));
            }
            step = m.base_of(name);
        }
        if !matches!(module, atom::USER | atom::SYSTEM) {
            m.set_base(module, base);
        }
        Ok(true)
    });
    machine.define_builtin("$source_module", 1, |m| {
        let module = Cell::atom(m.source_module);
        Ok(m.unify_argument(0, module))
    });
    machine.define_builtin("$modules", 1, |m| {
        // A module that clauses only name is none yet: when these were compiled is nobody's affair.
        let is_there = |&module: &&Module| {
            let defines = |&id: &PredicateId| m.predicate_at(id).kind != Kind::Undefined;
            // That of a unit of tests sees what its text sees, though it may define nothing.
            module.file.is_some()
                || module.base.is_some()
                || matches!(module.name, atom::USER | atom::SYSTEM)
                || module.predicates.iter().any(defines)
        };
        let modules = m.all_modules().iter().filter(is_there);
        let names: Vec<Cell> = modules.map(|module| Cell::atom(module.name)).collect();
        let list = m.store.list(&names, Cell::atom(atom::NIL));
        Ok(m.unify_argument(0, list))
    });
    machine.define_builtin("$module_exports", 2, |m| {
        let module = m.argument(0);
        if module.tag() != Tag::Atm {
            return Ok(false);
        }
        let Some(module) = m.find_module(module.as_atom()) else { return Ok(false) };
        let exports = module.exports.clone();
        let cells: Vec<Cell> = exports.into_iter().map(|(name, arity)| m.indicator(name, arity)).collect();
        let list = m.store.list(&cells, Cell::atom(atom::NIL));
        Ok(m.unify_argument(1, list))
    });
    machine.define_builtin("$module_file", 2, |m| {
        let module = m.argument(0);
        if module.tag() != Tag::Atm {
            return Ok(false);
        }
        match m.find_module(module.as_atom()).and_then(|module| module.file) {
            Some(file) => Ok(m.unify_argument(1, Cell::atom(file))),
            None => Ok(false),
        }
    });
    machine.define_builtin("$module_predicates", 2, |m| module_predicates(m, false));
    machine.define_builtin("$visible_predicates", 2, |m| module_predicates(m, true));
    machine.define_builtin("$program_predicate", 1, |m| {
        let (module, head) = m.strip_module(atom::USER, m.argument(0));
        let Some((name, arity)) = m.store.functor(head) else { return Ok(false) };
        let found = m.find_predicate_in(module, name, arity);
        Ok(found.is_some_and(|id| matches!(m.predicate_at(id).kind, Kind::Static | Kind::Dynamic)))
    });
    machine.define_builtin("$predicate_properties", 2, properties);
    machine.define_builtin("$redefine", 1, redefine);
    machine.define_builtin("$import", 3, |m| {
        let (into, from, spec) = (m.argument(0), m.argument(1), m.argument(2));
        let Some((name, arity)) = super::directives::indicator(m, spec) else {
            return m.type_error(atom::PREDICATE_INDICATOR, spec);
        };
        if into.tag() != Tag::Atm || from.tag() != Tag::Atm {
            return m.instantiation_error();
        }
        let from = m.predicate_in(from.as_atom(), name, arity);
        match m.import(into.as_atom(), from, name, false) {
            Ok(()) => Ok(true),
            Err(_) => m.permission_error("import", "procedure", spec),
        }
    });
    machine.define_builtin("$export", 2, |m| {
        let (module, spec) = (m.argument(0), m.argument(1));
        let Some(export) = super::directives::indicator(m, spec) else {
            return m.type_error(atom::PREDICATE_INDICATOR, spec);
        };
        if module.tag() != Tag::Atm {
            return m.instantiation_error();
        }
        let exports = &mut m.module(module.as_atom()).exports;
        if !exports.contains(&export) {
            exports.push(export);
        }
        Ok(true)
    });
    machine.define_builtin("$loaded_files", 1, |m| {
        let files = m.loading.files.iter().filter(|file| !file.gone);
        let files: Vec<Cell> = files.map(|file| Cell::atom(file.path)).collect();
        let list = m.store.list(&files, Cell::atom(atom::NIL));
        Ok(m.unify_argument(0, list))
    });
    machine.define_builtin("unload_file", 1, unload_file);
    machine.define_builtin("$changed_files", 1, |m| {
        let files = m.loading.files.iter();
        let known: Vec<_> = files.map(|file| (file.path, file.module, file.version, file.gone)).collect();
        let mut changed = Vec::new();
        for (path, module, version, gone) in known {
            let now = m.file_version(&files::place(m, m.atoms.text(path)));
            if version.is_some() && now.is_some() && now != version && !gone {
                let pair = [Cell::atom(path), Cell::atom(module)];
                changed.push(m.store.compound(atom::MINUS, &pair));
            }
        }
        let list = m.store.list(&changed, Cell::atom(atom::NIL));
        Ok(m.unify_argument(0, list))
    });
    machine.define_builtin("$open_file", 4, |m| {
        let Some(open) = m.loading.open.last().copied() else { return Ok(false) };
        let file = m.loading.files[open.file].path;
        let folder = files::folder(m, open.file).display().to_string();
        let folder = Cell::atom(m.atoms.intern(&folder));
        Ok(m.unify_argument(0, Cell::atom(file))
            && m.unify_argument(1, folder)
            && m.unify_argument(2, Cell::count(open.lines.0))
            && m.unify_argument(3, Cell::count(open.lines.1)))
    });
    // '$is_property'(Module:Goal): the goal is of a predicate that its text declares as a property or a type.
    machine.define_builtin("$is_property", 1, |m| {
        let (module, goal) = m.strip_module(atom::USER, m.argument(0));
        let Some((name, arity)) = m.store.functor(goal) else { return Ok(false) };
        let Some(id) = m.find_predicate_in(module, name, arity) else { return Ok(false) };
        Ok(m.predicate_at(m.origin(id)).property)
    });
    // '$absolute_text'(Name, Path): the name of a text as it was given, and from the root. What is no loaded file may be any
    // file's name; texts that are no files have the name alone.
    machine.define_builtin("$absolute_text", 2, |m| {
        let name = m.argument(0);
        let known = (name.tag() == Tag::Atm).then(|| files::absolute_name(m, name.as_atom())).flatten();
        let path = known.map_or(name, |path| Cell::atom(m.atoms.intern(&path)));
        Ok(m.unify_argument(1, path))
    });
    machine.define_builtin("$at", 3, super::transparent::at);
    machine.define_builtin("$context_goal", 3, super::transparent::context_goal);
}

/// `unload_file(File)`: one that is not loaded is no error.
fn unload_file(m: &mut Machine) -> Outcome {
    let (_, name) = m.strip_module(atom::USER, m.argument(0));
    if name.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    let Some(spec) = files::spec(m, name) else { return m.domain_error("source_sink", name) };
    let Some(file) = files::loaded(m, &spec) else { return Ok(true) };
    if m.loading.is_open(file) {
        return m.permission_error("unload", "file", name);
    }
    super::unloading::forget(m, file);
    Ok(true)
}

/// `'$load'(Module:File, Mode, Imports)`, with the mode `consult`, `ensure` or `module`.
fn load(m: &mut Machine) -> Outcome {
    let (module, file) = m.strip_module(atom::USER, m.argument(0));
    if file.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    // '$text'(Name, Text): what a stream gave.
    let text = m.atoms.intern("$text");
    let spec = match m.store.match_structure::<2>(file, text) {
        Some([name, text]) => Some(files::Spec::Text(show_plain(m, name), show_plain(m, text))),
        None => files::spec(m, file),
    };
    let Some(spec) = spec else { return m.domain_error("source_sink", file) };
    let mode = match show(m, m.argument(1)).as_str() {
        "ensure" => Mode::Ensure,
        "module" => Mode::Module,
        _ => Mode::Consult,
    };
    let imports = m.argument(2);
    let imports = (imports != Cell::atom(m.atoms.intern("all"))).then_some(imports);
    match super::load_and_import(m, &spec, module, mode, imports) {
        Ok(complete) => Ok(imports.is_none() || complete),
        Err(LoadError::Interrupted) => {
            let ball = m.interrupt_term();
            m.throw_term(ball)
        }
        Err(LoadError::Halted(code)) => Err(Throw::Halt(code)),
        Err(LoadError::Missing { .. } | LoadError::NoLibrary(_)) => m.existence_error("source_sink", file),
        Err(LoadError::TooDeep) => {
            let what = m.atoms.intern("load_depth");
            m.resource_error(what)
        }
        Err(LoadError::NotAModule { .. }) => m.domain_error("module_file", file),
        Err(LoadError::Read { .. } | LoadError::Encoding { .. }) => {
            m.permission_error("load", "source_sink", file)
        }
    }
}

/// A term's text without quotes.
fn show_plain(m: &Machine, term: Cell) -> String {
    super::super::written::text_of(m, term, crate::term::WriteOptions::PLAIN)
}

/// `'$module_predicates'(Module, Indicators)`: those that it defines, and with `visible` those that it imports.
fn module_predicates(m: &mut Machine, visible: bool) -> Outcome {
    let module = m.argument(0);
    if module.tag() != Tag::Atm {
        return Ok(false);
    }
    let Some(found) = m.find_module(module.as_atom()) else { return Ok(false) };
    let wanted: Vec<(Atom, usize)> = found
        .predicates
        .iter()
        .filter(|&&id| {
            let predicate = m.predicate_at(id);
            let origin = m.predicate_at(m.origin(id));
            let counts = match predicate.link {
                Link::Own => true,
                Link::Imported { .. } => visible && origin.module != atom::SYSTEM,
                Link::Inherited(_) => false,
            };
            counts && origin.kind != Kind::Undefined && !m.atoms.text(predicate.name).starts_with('$')
        })
        .map(|&id| (m.predicate_at(id).name, m.predicate_at(id).arity))
        .collect();
    let cells: Vec<Cell> = wanted.into_iter().map(|(name, arity)| m.indicator(name, arity)).collect();
    let list = m.store.list(&cells, Cell::atom(atom::NIL));
    Ok(m.unify_argument(1, list))
}

/// `'$redefine'(Module:Head)`: the module may define a predicate of its own in place of a built-in one, be it
/// protected. Fails for control constructs, which clauses do not call.
fn redefine(m: &mut Machine) -> Outcome {
    let (module, head) = m.strip_module(atom::USER, m.argument(0));
    let Some((name, arity)) = m.store.functor(head) else { return Ok(false) };
    let control = matches!(
        (name, arity),
        (atom::COMMA | atom::SEMICOLON | atom::ARROW | atom::SOFT_ARROW | atom::COLON, 2)
            | (atom::NOT, 1)
            | (atom::CUT, 0)
            | (atom::CALL, 1..)
    );
    if control {
        return Ok(false);
    }
    let id = m.predicate_in(module, name, arity);
    m.replace_built_in(id);
    Ok(true)
}

/// `'$predicate_properties'(Module:Head, Properties)`.
fn properties(m: &mut Machine) -> Outcome {
    let (module, head) = m.strip_module(atom::USER, m.argument(0));
    let Some((name, arity)) = m.store.functor(head) else { return Ok(false) };
    let Some(id) = m.find_predicate_in(module, name, arity) else { return Ok(false) };
    let predicate = m.predicate_at(id).clone();
    let mut found: Vec<Cell> = Vec::new();
    let mut plain = |m: &mut Machine, name: &str| found.push(Cell::atom(m.atoms.intern(name)));
    plain(m, "defined");
    plain(m, "visible");
    plain(m, if predicate.kind == Kind::Dynamic { "dynamic" } else { "static" });
    match predicate.kind {
        Kind::Control => {
            plain(m, "built_in");
            plain(m, "system");
            plain(m, "iso");
        }
        // Interpreters of programs ask which goals they are to call: those that have no clauses for `clause/2`.
        Kind::Library => {
            plain(m, "built_in");
            plain(m, "system");
        }
        // It has clauses: what those ask for who go through a program's predicates.
        Kind::Static | Kind::Dynamic => plain(m, "interpreted"),
        Kind::Undefined => {}
    }
    for (holds, name) in [
        (predicate.multifile, "multifile"),
        (predicate.discontiguous, "discontiguous"),
        (predicate.rules, "ssu"),
        (is_exported(m, &predicate), "exported"),
        (predicate.meta.iter().any(|meta| meta.needs_module()), "transparent"),
    ] {
        if holds {
            plain(m, name);
        }
    }
    if predicate.module != module && predicate.module != atom::SYSTEM {
        found.push(one(m, "imported_from", Cell::atom(predicate.module)));
    }
    let arity = predicate.arity;
    let declared = predicate.meta.iter().take(arity);
    let is_declared = !predicate.passes_context() || declared.clone().any(|meta| meta.needs_module());
    if is_declared && declared.len() > 0 {
        let arguments: Vec<Cell> = predicate.meta.iter().take(arity).map(|&meta| meta_term(meta)).collect();
        let head = m.store.compound(name, &arguments);
        found.push(one(m, "meta_predicate", head));
    }
    if let Some(place) = predicate.place.filter(|_| predicate.module != atom::SYSTEM) {
        found.push(one(m, "file", Cell::atom(place.file)));
        found.push(one(m, "line_count", Cell::count(place.line)));
    }
    if let Some(count) = clause_count(m, id) {
        found.push(one(m, "number_of_clauses", Cell::count(count)));
    }
    let list = m.store.list(&found, Cell::atom(atom::NIL));
    Ok(m.unify_argument(1, list))
}

fn is_exported(m: &Machine, predicate: &Predicate) -> bool {
    m.find_module(predicate.module)
        .is_some_and(|module| module.exports.contains(&(predicate.name, predicate.arity)))
}

/// How many clauses a predicate of a program has.
fn clause_count(m: &Machine, id: PredicateId) -> Option<usize> {
    let id = m.origin(id);
    match m.predicate_at(id).kind {
        Kind::Dynamic => Some(m.count_clauses(id)),
        Kind::Static => m.loading.texts.get(&id).map(Vec::len),
        Kind::Control | Kind::Library | Kind::Undefined => None,
    }
}

fn one(m: &mut Machine, name: &str, argument: Cell) -> Cell {
    let name = m.atoms.intern(name);
    m.store.compound(name, &[argument])
}

fn meta_term(meta: Meta) -> Cell {
    match meta {
        Meta::Plain(mode) => Cell::atom(mode),
        Meta::Context => Cell::atom(atom::QUESTION),
        Meta::Goal(extra) => Cell::int(i64::from(extra)),
        Meta::Module | Meta::Each => Cell::atom(atom::COLON),
        Meta::Exists => Cell::atom(atom::CARET),
        Meta::Grammar => Cell::atom(atom::INT_DIVIDE),
    }
}
