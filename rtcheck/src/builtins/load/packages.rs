//! Packages, and what changes the terms of a text: Ciao's packages `argnames` and `define_flag`, and functions of dicts.
//!
//! `:- argnames person(name, age).` names the arguments of a structure; `person${age => A}` is `person(_, A)`
//! from there on. A fact `define_flag(Name, Values, Default)` is a flag as well as a fact.
//!
//! Packages that are libraries of the engine's own (`TRANSLATED`) translate the text by their `sentence/3`.
//!
//! SWI-Prolog's functions of dicts, `X = Dict.key`, are goals in front of the goal that has them. Texts without such a
//! term are not looked through: the reader interns the name of these terms where it reads the first.

use super::dialects::BLOCK;
use super::directives::items;
use super::files::{self, Spec};
use super::{LoadError, Loader, Mode, show};
use crate::assertions::ModePackage;
use crate::base::{Diagnostic, Span};
use crate::machine::{Machine, RunOutcome};
use crate::read::{FUNCTION_NAME, ReadTerm};
use crate::term::{Cell, OperatorDefinition, OperatorKind, Tag, atom};

/// Ciao's packages whose syntax and predicates are here, whether a program names them or not.
const PACKAGES: &[&str] = &[
    "assertions",
    "assertions_basic",
    "assertions/assertions_props",
    "basic_props",
    "block",
    "chr",
    "clpfd",
    "clpq",
    "clpr",
    "basicmodes",
    "argnames",
    "attr",
    "classic",
    "compressed_bytecode",
    "condcomp",
    "datafacts",
    "dcg",
    "dcg/dcg_phrase",
    "dcg_phrase",
    "debug",
    "default",
    "default_predicates",
    "default_for_ciaosh",
    "define_flag",
    "doccomments",
    "dynamic",
    "dynamic_clauses",
    "dif",
    "errors",
    "embedded_rt",
    "expander",
    "fd",
    "global_vars",
    "freeze",
    "hiord",
    "indexer",
    "initial",
    "hiord_old",
    "iso",
    "inliner",
    "iso_byte_char",
    "iso_char",
    "iso_incomplete",
    "iso_misc",
    "iso_strict",
    "isomodes",
    "metaprops",
    "metatypes",
    "modes",
    "modular",
    "mutables",
    "nativeprops",
    "nodebug",
    "nonpure",
    "noprelude",
    "nortchecks",
    "pillow",
    "prelude",
    "profiler",
    "pure",
    "regexp",
    "regtypes",
    "resdefs",
    "rtchecks",
    "rtchecks_opt",
    "runtime_ops",
    "streams",
    "strings",
    "tabling",
    "trace",
    "unittest",
    "unittestdecls",
    "unittestprops",
    "when",
];

/// Names with their priorities and kinds.
type Operators = &'static [(&'static str, u16, OperatorKind)];

/// The operators of packages that add nothing else, or declarations for other tools.
const OPERATORS: &[(&str, Operators)] = &[
    ("inliner", &[("inline", 1150, OperatorKind::Fx), ("unfold", 1150, OperatorKind::Fx)]),
    ("pillow", &[("$", 150, OperatorKind::Xfx), ("$", 150, OperatorKind::Fx)]),
    ("profiler", &[("cost_center", 1150, OperatorKind::Fx), ("no_cost_center", 1150, OperatorKind::Fx)]),
    ("regexp", &[("=~", 700, OperatorKind::Xfx)]),
    ("resdefs", &[("resource", 1150, OperatorKind::Fx)]),
];

/// How many folders above the text are looked through for a package.
const HEIGHT: usize = 8;

/// Ciao's packages that are libraries with a translation of the text's terms, `sentence/3`, and the library's name.
const TRANSLATED: &[(&str, &str)] = &[
    ("andprolog", "andprolog"),
    ("andprolog_nd", "andprolog"),
    ("bf", "bf"),
    ("bf/bfall", "bf"),
    ("bf/af", "bf"),
    ("fsyntax_lazy", "lazy"),
    ("lazy", "lazy"),
    ("persdb", "persdb"),
    ("traits", "traits"),
    ("class", "objects"),
    ("class/class", "objects"),
    ("interface", "objects"),
    ("objects", "objects"),
];

/// What declares functions in the package that `fsyntax` was first.
const FUNCTIONS: &[(&str, u16, OperatorKind)] = &[("function", 1150, OperatorKind::Fx)];

/// What declares arguments to find clauses by, which all are.
const INDEX: &[(&str, u16, OperatorKind)] = &[("index", 1150, OperatorKind::Fx)];

/// Whether a package is one of those.
fn is_translated(package: &str) -> bool {
    TRANSLATED.iter().any(|(known, _)| *known == package)
}

impl Loader {
    /// Uses the packages of a list: what each adds to the language, or a warning that it is not known.
    ///
    /// # Errors
    /// Where a file that belongs to a package cannot be loaded.
    pub(super) fn use_packages(
        &mut self,
        machine: &mut Machine,
        packages: Cell,
        span: Span,
    ) -> Result<(), LoadError> {
        if packages.tag() == Tag::Ref {
            return Ok(());
        }
        for (_, package) in items(machine, atom::USER, packages) {
            let text = show(machine, package);
            let message = match text.as_str() {
                "fsyntax" | "functional" | "functions" => {
                    let package = package.as_atom();
                    let module = machine.source_module;
                    machine.module(module).packages.push(package);
                    self.use_functional(machine, text == "functional");
                    if text == "functions" {
                        self.define_operators(machine, FUNCTIONS);
                    }
                    continue;
                }
                known if is_translated(known) => {
                    self.use_translated(machine, &text, span)?;
                    continue;
                }
                known if PACKAGES.contains(&known) || known.starts_with("engine(") => {
                    if package.tag() == Tag::Atm {
                        let module = machine.source_module;
                        machine.module(module).packages.push(package.as_atom());
                    }
                    if let Some((_, operators)) = OPERATORS.iter().find(|(package, _)| *package == known) {
                        self.define_operators(machine, operators);
                    }
                    match known {
                        "nortchecks" => self.checks = false,
                        "noprelude" => self.redefine_all(),
                        "define_flag" => self.defines_flags = true,
                        "argnames" => self.use_argument_names(machine),
                        "block" => self.define_operators(machine, BLOCK),
                        "indexer" => self.define_operators(machine, INDEX),
                        "chr" | "clpfd" | "clpq" | "clpr" | "fd" => {
                            let spec = Spec::Alias("library".to_owned(), text.clone());
                            let module = machine.source_module;
                            self.load_other(machine, &spec, module, None, Mode::Module, span)?;
                        }
                        "rtchecks" => self.checks = true,
                        // To Ciao strings are lists of codes.
                        "assertions" | "basic_props" | "regtypes" => {
                            let module = machine.source_module;
                            machine.take_codes_as_strings(module);
                        }
                        "basicmodes" => self.declarations.modes.package = ModePackage::Basic,
                        "isomodes" => self.declarations.modes.package = ModePackage::Iso,
                        _ => {}
                    }
                    continue;
                }
                _ if self.include_package(machine, package, span)? => continue,
                // What is not found below the folders of the text is a part of the library.
                known if known.starts_with("library(") => continue,
                // Which resources are counted matters to analysers only.
                known if known == "predefres" || known.starts_with("predefres(") => continue,
                unknown => format!("the package `{unknown}` is not known"),
            };
            self.lack_package(machine, &text);
            let diagnostic =
                Diagnostic::warning(message, span).help("what the package adds to the language is missing");
            self.diagnostics.push(diagnostic);
        }
        Ok(())
    }

    /// A package of [`TRANSLATED`].
    pub(super) fn use_translated(
        &mut self,
        machine: &mut Machine,
        package: &str,
        span: Span,
    ) -> Result<(), LoadError> {
        let library = TRANSLATED.iter().find(|(known, _)| *known == package).map_or(package, |known| known.1);
        let module = machine.source_module;
        let name = machine.atoms.intern(package);
        machine.module(module).packages.push(name);
        match library {
            "lazy" => self.use_functional(machine, false),
            "traits" => machine.flags.methods = true,
            _ => {}
        }
        let spec = Spec::Alias("library".to_owned(), library.to_owned());
        self.load_other(machine, &spec, module, None, Mode::Module, span)?;
        self.translate_by(machine, library);
        if matches!(package, "class" | "class/class" | "interface") {
            let kind = if package == "interface" { package } else { "class" };
            let [begin, kind] = ["begin", kind].map(|name| machine.atoms.intern(name));
            let goal = machine.store.compound(begin, &[Cell::atom(module), Cell::atom(kind)]);
            let home = machine.atoms.intern(library);
            let goal = machine.qualified(home, goal);
            self.run_goal(machine, goal, span)?;
        }
        Ok(())
    }

    /// Reads a package that is a text beside this one (`p`, `.(p)`) or below a folder that this one lies in
    /// (`library(a/p)`, as in the folders of Ciao's library). Tells whether there is one.
    pub(super) fn include_package(
        &mut self,
        machine: &mut Machine,
        package: Cell,
        span: Span,
    ) -> Result<bool, LoadError> {
        let name = match machine.store.functor(package) {
            Some((_, 1)) => machine.store.argument(package, 0),
            _ => package,
        };
        let name = show(machine, name).replace('\'', "");
        let last = name.rsplit('/').next().unwrap_or_default().to_owned();
        for height in 0..HEIGHT {
            let above = "../".repeat(height);
            for path in [format!("{above}{name}"), format!("{above}{name}/{last}")] {
                let found = files::text(machine, &Spec::Path(path.clone()));
                if found.is_ok_and(|(_, text)| text.contains(":- package(")) {
                    let path = Cell::atom(machine.atoms.intern(&path));
                    self.include(machine, path, span)?;
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The package `argnames`.
    pub(super) fn use_argument_names(&mut self, machine: &mut Machine) {
        self.names_arguments = true;
        self.define_operators(
            machine,
            &[
                ("$", 150, OperatorKind::Xfx),
                ("=>", 950, OperatorKind::Xfx),
                ("argnames", 1150, OperatorKind::Fx),
            ],
        );
    }

    /// Makes operators of a package.
    pub(super) fn define_operators(&self, machine: &mut Machine, operators: &[(&str, u16, OperatorKind)]) {
        for &(name, priority, kind) in operators {
            let name = machine.atoms.intern(name);
            machine.operators.define(name, OperatorDefinition { priority, kind });
        }
    }

    /// What the packages make of a term, or of what the text's expansions `made` of it; `None` where all stays
    /// as it was read.
    pub(super) fn with_package_terms(
        &mut self,
        machine: &mut Machine,
        term: Cell,
        made: Option<Cell>,
        read: &ReadTerm,
    ) -> Result<Option<Cell>, LoadError> {
        let mut made = made;
        // The engine's own texts have none, the library that translates them among these.
        let has_functions =
            !self.source.name.starts_with("library(") && machine.atoms.find(FUNCTION_NAME).is_some();
        for (name, used) in [
            ("$with_named_arguments", self.names_arguments),
            ("$with_flags", self.defines_flags),
            ("$with_functions", has_functions),
        ] {
            if !used {
                continue;
            }
            let name = machine.atoms.intern(name);
            let module = Cell::atom(machine.source_module);
            let result = machine.store.variable();
            let goal = machine.store.compound(name, &[made.unwrap_or(term), module, result]);
            match machine.run(goal) {
                RunOutcome::Succeeded => made = Some(machine.store.deref(result)),
                RunOutcome::Failed => {}
                RunOutcome::Halted(code) => return Err(LoadError::Halted(code)),
                RunOutcome::Threw(ball) => self.threw(machine, goal, &ball, read.span),
            }
        }
        Ok(made)
    }
}
