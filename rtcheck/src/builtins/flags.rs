//! Flags: set_prolog_flag/2 and its relatives, character conversion.
//!
//! A flag is in the table below, with the values that it may have, or a program made it. What a flag is set to lies in
//! the machine; what is not set has its first value.

use crate::machine::{CheckFlags, FlagKind, Machine, Outcome, OwnFlag, Throw};
use crate::read::Quotes;
use crate::term::{Atom, Cell, Number, OccursCheck, Record, Tag, atom};
use std::rc::Rc;

/// Flags that SWI-Prolog has on other systems or with other libraries: programs ask for them, and there are none.
const ELSEWHERE: &[&str] = &[
    "abi_version",
    "access_level",
    "address_bits",
    "android",
    "apple",
    "apple_universal_binary",
    "arch",
    "asan",
    "associated_file",
    "backtrace",
    "backtrace_depth",
    "backtrace_goal_depth",
    "backtrace_show_lines",
    "break_level",
    "browser",
    "c_cc",
    "c_cflags",
    "c_ldflags",
    "c_libdir",
    "c_libplso",
    "chr_toplevel_show_store",
    "clpb_monotonic",
    "clpb_residuals",
    "clpb_validation",
    "clpfd_propagation",
    "cmake_build_type",
    "compiled_at",
    "compiling",
    "console_menu",
    "console_menu_version",
    "cpu_count",
    "default_charset",
    "default_mimetype",
    "emacs_inferior_process",
    "emscripten",
    "executable",
    "executable_format",
    "file_name_case_handling",
    "file_search_cache_time",
    "gui",
    "gui_tracer",
    "help_pager",
    "home",
    "html4_content_type",
    "html4_doctype",
    "html5_content_type",
    "html5_doctype",
    "html_dialect",
    "hyperlink_term",
    "libswipl",
    "log_query_file",
    "max_table_subgoal_size",
    "max_table_subgoal_size_action",
    "message_ide",
    "msys2",
    "open_shared_object",
    "optimize",
    "os_argv",
    "pack_prefix",
    "pengine_main_thread",
    "pid",
    "pldoc_collecting",
    "pldoc_errors",
    "pldoc_to_tex",
    "posix_shell",
    "prolog_debug",
    "query_debug_settings",
    "rdf_default_graph",
    "rdf_triple_format",
    "readline",
    "res_keep_foreign",
    "save_history",
    "saved_program",
    "saved_program_class",
    "shared_home",
    "shared_object_extension",
    "shared_object_search_path",
    "shell",
    "ssl_library_version",
    "system_thread_id",
    "system_type",
    "toplevel_list_wfs_residual_program",
    "unload_foreign_libraries",
    "url_encoding",
    "version_data",
    "version_git",
    "warning_action",
    "windows",
    "wine_version",
    "xhtml_content_type",
    "xhtml_doctype",
    "xpce",
    "xpce_threaded",
    "xpce_version",
    "xref_store_comments",
    "xsb_max_file_size",
];

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("set_prolog_flag", 2, set_flag);
    machine.define_builtin("$flag_values", 2, flag_values);
    machine.define_builtin("create_prolog_flag", 3, create_flag);
    machine.define_builtin("char_conversion", 2, char_conversion);
    machine.define_builtin("$char_conversions", 2, char_conversions);
}

/// The values of a flag.
#[derive(Clone, Copy)]
enum Values {
    /// One atom, for ever.
    Always(&'static str),
    /// One integer, for ever.
    Integer(i64),
    /// One floating-point number, for ever.
    Float(f64),
    /// One of these; the first until it is set.
    OneOf(&'static [&'static str]),
    /// Anything, of no consequence here: flags of other systems that programs set. The first value.
    Anything(&'static str),
    /// The arguments of the program.
    Arguments,
    /// The dialect's name with the parts of its version, and a list of what else there is to say of it.
    Version,
}

use Values::{Always, Anything, Arguments, Float, Integer, OneOf, Version};

const SWITCH: Values = OneOf(&["off", "on"]);

/// The flags, in the order of their names: the standard's, and others' that programs ask for. Those of run-time
/// checking are [`CheckFlags`].
const FLAGS: &[(&str, Values)] = &[
    ("agc_margin", Anything("10000")),
    ("allow_variable_name_as_functor", OneOf(&["false"])),
    ("answer_write_options", Anything("default")),
    ("argv", Arguments),
    ("autoload", Anything("false")),
    ("back_quotes", OneOf(&["codes", "chars", "atom", "string"])),
    ("bounded", Always("false")),
    ("char_conversion", SWITCH),
    ("character_escapes", OneOf(&["true"])),
    ("character_escapes_unicode", Anything("true")),
    ("clpfd_goal_expansion", Anything("true")),
    ("clpfd_monotonic", OneOf(&["false"])),
    ("color_term", Anything("false")),
    ("compile_meta_arguments", Anything("false")),
    ("debug", OneOf(&["off", "on", "false", "true"])),
    ("debug_on_error", Anything("false")),
    ("debug_on_interrupt", Anything("false")),
    ("debug_term_position", Anything("false")),
    ("debugger_show_context", Anything("false")),
    ("debugger_write_options", Anything("default")),
    ("determinism_error", Anything("error")),
    ("dialect", Always("rtcheck")),
    ("discontiguous_warnings", Anything("on")),
    ("double_quotes", OneOf(&["codes", "chars", "atom", "string"])),
    ("editor", Anything("default")),
    ("emulated_dialect", Always("rtcheck")),
    ("encoding", OneOf(&["utf8"])),
    ("file_name_variables", OneOf(&["false"])),
    ("fileerrors", Anything("true")),
    ("float_format", Anything("~15g|")),
    ("float_max", Float(f64::MAX)),
    ("float_max_integer", Float(9_007_199_254_740_992.0)),
    ("float_min", Float(f64::MIN_POSITIVE)),
    ("float_overflow", OneOf(&["error", "infinity"])),
    ("float_rounding", OneOf(&["to_nearest"])),
    ("float_undefined", OneOf(&["error", "nan"])),
    ("float_underflow", Anything("ignore")),
    ("float_zero_div", OneOf(&["error", "infinity"])),
    ("gc", Anything("on")),
    ("generate_debug_info", Anything("false")),
    ("heartbeat", Anything("none")),
    ("history", Anything("none")),
    ("integer_rounding_function", Always("toward_zero")),
    ("iso", OneOf(&["false", "true"])),
    ("last_call_optimisation", Anything("true")),
    ("max_answers_for_subgoal", Anything("none")),
    ("max_arity", Integer(Cell::MAX_ARITY as i64)),
    ("max_char_code", Integer(0x10_FFFF)),
    ("max_integer", Integer(i64::MAX)),
    ("max_procedure_arity", Integer(crate::machine::MAX_PROCEDURE_ARITY as i64)),
    ("max_tagged_integer", Integer(Cell::MAX_INT)),
    ("message_context", Anything("default")),
    ("message_language", Anything("default")),
    ("min_integer", Integer(i64::MIN)),
    ("min_tagged_integer", Integer(Cell::MIN_INT)),
    ("multi_arity_warnings", Anything("on")),
    ("occurs_check", OneOf(&["false", "true", "error"])),
    ("on_error", Anything("print")),
    ("on_warning", Anything("print")),
    ("optimise", Anything("false")),
    ("optimise_debug", Anything("default")),
    ("optimise_unify", Anything("true")),
    ("packs", Anything("false")),
    ("pragma_unused", Anything("off")),
    ("prefer_rationals", OneOf(&["false", "true"])),
    ("print_write_options", Anything("default")),
    ("prompt_alternatives_on", Anything("determinism")),
    ("protect_static_code", Anything("false")),
    ("qcompile", Anything("false")),
    ("quasi_quotations", Anything("false")),
    ("quiet", Anything("on")),
    ("rational_syntax", OneOf(&["compatibility"])),
    ("redefine_warnings", Anything("on")),
    ("report_error", Anything("true")),
    ("sandboxed_load", OneOf(&["false"])),
    ("shared_table_space", Anything("none")),
    ("shift_check", Anything("false")),
    ("signals", Anything("false")),
    ("single_var_warnings", Anything("on")),
    ("stack_limit", Anything("none")),
    ("stream_type_check", Anything("loose")),
    ("string_stack_tripwire", Anything("none")),
    ("table_incremental", Anything("false")),
    ("table_monotonic", Anything("eager")),
    ("table_shared", Anything("false")),
    ("table_space", Anything("none")),
    ("table_subsumptive", Anything("false")),
    ("threads", Always("false")),
    ("timezone", Integer(0)),
    ("tmp_dir", Anything("/tmp")),
    ("toplevel_extra_white_line", Anything("true")),
    ("toplevel_goal", Anything("default")),
    ("toplevel_list_wfs", Anything("true")),
    ("toplevel_mode", Anything("backtracking")),
    ("toplevel_name_variables", Anything("true")),
    ("toplevel_print_anon", Anything("true")),
    ("toplevel_print_factorized", Anything("false")),
    ("toplevel_prompt", Anything("default")),
    ("toplevel_residue_vars", Anything("false")),
    ("toplevel_var_size", Anything("none")),
    ("trace_gc", Anything("false")),
    ("traditional", Always("true")),
    ("tty_control", Anything("false")),
    ("unix", Always("true")),
    ("unknown", OneOf(&["error", "fail", "warning"])),
    ("user_flags", Anything("error")),
    ("var_prefix", OneOf(&["false"])),
    ("verbose", OneOf(&["normal", "silent"])),
    ("verbose_autoload", Anything("false")),
    ("verbose_file_search", Anything("false")),
    ("verbose_load", Anything("silent")),
    ("version", Integer(90_004)),
    ("version_data", Version),
    ("vmi_builtin", Anything("true")),
    ("warn_override_implicit_import", Anything("true")),
    ("write_attributes", Anything("ignore")),
    ("write_strings", Anything("off")),
    ("xref", Anything("false")),
];

fn known(name: &str) -> Option<Values> {
    FLAGS.binary_search_by(|(flag, _)| flag.cmp(&name)).ok().map(|i| FLAGS[i].1)
}

fn flag_name(m: &mut Machine, flag: Cell) -> Result<Atom, Throw> {
    // SWI-Prolog's flags of modules: here they are all modules'.
    let flag = if m.flags.strict { flag } else { m.strip_module(atom::USER, flag).1 };
    match flag.tag() {
        Tag::Atm => Ok(flag.as_atom()),
        _ => m.type_error(atom::ATOM, flag),
    }
}

/// What the flag `stack_limit` leaves at least.
const LEAST_STACKS: usize = 1 << 17;

fn set_flag(m: &mut Machine) -> Outcome {
    let (flag, value) = (m.argument(0), m.argument(1));
    if flag.tag() == Tag::Ref || value.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    let name = flag_name(m, flag)?;
    match m.set_check_flag(name, value) {
        Some(true) => return Ok(true),
        Some(false) => return wrong_value(m, flag, value),
        None => {}
    }
    let text = m.atoms.shared_text(name);
    match known(&text) {
        Some(Always(_) | Integer(_) | Float(_) | Arguments | Version) => {
            m.permission_error("modify", "flag", flag)
        }
        Some(OneOf(values)) => {
            let word = if value.tag() == Tag::Atm { m.atoms.shared_text(value.as_atom()) } else { "".into() };
            // The standard's switch has two words, SWI-Prolog's two others.
            let foreign = m.flags.strict && &*text == "debug" && matches!(&*word, "true" | "false");
            if foreign || !values.contains(&&*word) {
                return wrong_value(m, flag, value);
            }
            let quotes = Quotes::named(&word).unwrap_or_default();
            match &*text {
                "double_quotes" => m.read_text_as(quotes),
                "back_quotes" => m.flags.back_quotes = quotes,
                "iso" => {
                    m.flags.strict = &*word == "true";
                    m.store.floats_first = m.flags.strict;
                }
                "occurs_check" => m.store.set_occurs_check(match &*word {
                    "true" => OccursCheck::Fail,
                    "error" => OccursCheck::Throw,
                    _ => OccursCheck::Off,
                }),
                "prefer_rationals" => m.flags.rationals = &*word == "true",
                "char_conversion" => m.converts = &*word == "on",
                _ => {}
            }
            store(m, name, value)
        }
        Some(Anything(_)) => {
            if &*text == "stack_limit" {
                // A goal that handles the error needs some, too.
                m.limits.stacks = match m.store.number(value) {
                    Some(Number::Int(bytes)) => Some(usize::try_from(bytes).unwrap_or(0).max(LEAST_STACKS)),
                    Some(Number::Big(_)) => None,
                    _ => return m.type_error(atom::INTEGER, value),
                };
            }
            store(m, name, value)
        }
        None if m.has_flag(name) => match m.own_flags.get(&name).copied() {
            Some(OwnFlag { is_fixed: true, .. }) => m.permission_error("modify", "flag", flag),
            Some(own) => store_own(m, name, value, own.kind),
            None => store(m, name, value),
        },
        None if !m.flags.strict && ELSEWHERE.contains(&&*text) => store(m, name, value),
        None if m.makes_flags() => {
            m.own_flags.insert(name, OwnFlag { kind: kind_of(m, value), is_fixed: false });
            store(m, name, value)
        }
        None => m.domain_error("prolog_flag", flag),
    }
}

/// `create_prolog_flag(Flag, Value, Options)`: a flag of the program's own, which takes values of the type that the
/// options name, or of its first value's.
fn create_flag(m: &mut Machine) -> Outcome {
    let (flag, value) = (m.argument(0), m.argument(1));
    let name = flag_name(m, flag)?;
    if value.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    let options = m.store.list_elements(m.argument(2)).unwrap_or_default();
    let mut named = |option: &str| {
        let option = m.atoms.intern(option);
        let found = options.iter().find_map(|&known| m.store.match_structure::<1>(known, option));
        found.map(|[value]| m.store.deref(value))
    };
    let (keeps, kind, access) = (named("keep"), named("type"), named("access"));
    if keeps == Some(Cell::atom(atom::TRUE)) && m.has_flag(name) {
        return Ok(true);
    }
    if m.own_flags.contains_key(&name) {
        return set_flag(m);
    }
    let is_fixed = access == Some(Cell::atom(m.atoms.intern("read_only")));
    let Some(kind) = kind else {
        m.own_flags.insert(name, OwnFlag { kind: kind_of(m, value), is_fixed });
        return store(m, name, value);
    };
    let text = if kind.tag() == Tag::Atm { m.atoms.shared_text(kind.as_atom()) } else { "".into() };
    let kind = match &*text {
        "boolean" | "bool" => FlagKind::Boolean,
        "atom" => FlagKind::Atom,
        "integer" => FlagKind::Integer,
        "float" => FlagKind::Float,
        "term" => FlagKind::Term,
        _ => return m.domain_error("prolog_flag_type", kind),
    };
    let stored = store_own(m, name, value, kind)?;
    m.own_flags.insert(name, OwnFlag { kind, is_fixed });
    Ok(stored)
}

/// What values a flag takes whose first value is this one.
fn kind_of(m: &Machine, value: Cell) -> FlagKind {
    match value.tag() {
        Tag::Atm if ["true", "false", "on", "off"].contains(&m.atoms.text(value.as_atom())) => {
            FlagKind::Boolean
        }
        Tag::Atm => FlagKind::Atom,
        _ if m.store.is_integer(value) => FlagKind::Integer,
        _ if m.store.is_float(value) => FlagKind::Float,
        _ => FlagKind::Term,
    }
}

/// Stores the value of a flag that the program created, if it has the right type.
fn store_own(m: &mut Machine, name: Atom, value: Cell, kind: FlagKind) -> Outcome {
    let value = match kind {
        FlagKind::Boolean => {
            let text = if value.tag() == Tag::Atm { m.atoms.shared_text(value.as_atom()) } else { "".into() };
            match &*text {
                "true" | "on" => Cell::atom(atom::TRUE),
                "false" | "off" => Cell::atom(atom::FALSE),
                _ => return m.type_error_named("bool", value),
            }
        }
        FlagKind::Atom if value.tag() != Tag::Atm => return m.type_error(atom::ATOM, value),
        FlagKind::Integer if !m.store.is_integer(value) => return m.type_error(atom::INTEGER, value),
        FlagKind::Float if !m.store.is_float(value) => match m.store.number(value) {
            Some(number) => m.store.make_number(&Number::Float(number.to_f64())),
            None => return m.type_error_named("float", value),
        },
        _ => value,
    };
    store(m, name, value)
}

/// Throws `domain_error(flag_value, Flag+Value)`.
fn wrong_value<T>(m: &mut Machine, flag: Cell, value: Cell) -> Result<T, Throw> {
    let culprit = m.store.compound(atom::PLUS, &[flag, value]);
    m.domain_error("flag_value", culprit)
}

impl Machine {
    /// Whether somebody gave a flag a value.
    fn has_flag(&self, name: Atom) -> bool {
        self.prolog_flags.contains_key(&name) || self.prolog_flag_terms.contains_key(&name)
    }

    /// Whether set_prolog_flag/2 makes flags that there are none of: the flag `user_flags` is `silent`.
    fn makes_flags(&self) -> bool {
        let [flag, silent] = ["user_flags", "silent"].map(|name| self.atoms.find(name));
        silent.is_some()
            && flag.and_then(|flag| self.prolog_flags.get(&flag)).copied() == silent.map(Cell::atom)
    }

    /// Sets the flag `double_quotes` for the text that is being read.
    pub(crate) fn read_text_as(&mut self, quotes: Quotes) {
        self.flags.double_quotes = quotes;
        let module = self.source_module;
        let strings = quotes == Quotes::String;
        self.module(module).strings = strings;
        if strings {
            self.forget_codes_as_strings(module);
        }
    }

    /// Sets the flag `iso`.
    pub(crate) fn read_strictly(&mut self, strict: bool) {
        self.flags.strict = strict;
        self.store.floats_first = strict;
        let (name, value) =
            (self.atoms.intern("iso"), self.atoms.intern(if strict { "true" } else { "false" }));
        self.prolog_flags.insert(name, Cell::atom(value));
    }
}

fn store(m: &mut Machine, name: Atom, value: Cell) -> Outcome {
    if value.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    if value.is_immediate() {
        m.prolog_flag_terms.remove(&name);
        m.prolog_flags.insert(name, value);
        return Ok(true);
    }
    let plain = Record::plain(&m.store, value);
    m.prolog_flags.remove(&name);
    m.prolog_flag_terms.insert(name, plain);
    Ok(true)
}

/// `'$flag_values'(Flag, List)`: the values of a flag, or of all, as `Flag-Value`.
fn flag_values(m: &mut Machine) -> Outcome {
    let flag = m.argument(0);
    let flag = if m.flags.strict { flag } else { m.strip_module(atom::USER, flag).1 };
    let names: Vec<Atom> = match flag.tag() {
        Tag::Ref => {
            let mut texts: Vec<String> =
                m.prolog_flags.keys().map(|&name| m.atoms.text(name).to_owned()).collect();
            texts.extend(m.prolog_flag_terms.keys().map(|&name| m.atoms.text(name).to_owned()));
            texts.extend(FLAGS.iter().map(|&(name, _)| name.to_owned()));
            texts.extend(CheckFlags::ALL.iter().map(|&(name, _)| name.to_owned()));
            texts.sort();
            texts.dedup();
            texts.iter().map(|text| m.atoms.intern(text)).collect()
        }
        Tag::Atm => vec![flag.as_atom()],
        _ => return m.type_error(atom::ATOM, flag),
    };
    let mut pairs = Vec::with_capacity(names.len());
    for name in names {
        let text = m.atoms.shared_text(name);
        let set = match m.rtchecks.get(&text) {
            Some(value) => Some(Cell::atom(m.atoms.intern(value))),
            None => match &*text {
                // Those of the text that is being read, which are set back where it ends.
                "double_quotes" => Some(Cell::atom(m.atoms.intern(m.flags.double_quotes.name()))),
                "back_quotes" => Some(Cell::atom(m.atoms.intern(m.flags.back_quotes.name()))),
                _ => match m.prolog_flag_terms.get(&name).cloned() {
                    Some(term) => Some(term.restore(&mut m.store)),
                    None => m.prolog_flags.get(&name).copied(),
                },
            },
        };
        let value = match (set, known(&text)) {
            (Some(value), _) => value,
            (None, Some(Always(value) | Anything(value))) => Cell::atom(m.atoms.intern(value)),
            (None, Some(OneOf(values))) => Cell::atom(m.atoms.intern(values[0])),
            (None, Some(Integer(value))) => m.store.make_number(&Number::Int(value)),
            (None, Some(Float(value))) => m.store.make_number(&Number::Float(value)),
            (None, Some(Version)) => {
                let parts = env!("CARGO_PKG_VERSION").split('.');
                let mut parts: Vec<Cell> =
                    parts.map(|part| Cell::count(part.parse().unwrap_or_default())).collect();
                parts.push(Cell::atom(atom::NIL));
                let name = m.atoms.intern("rtcheck");
                m.store.compound(name, &parts)
            }
            (None, Some(Arguments)) => {
                let arguments = m.arguments.clone();
                let cells: Vec<Cell> =
                    arguments.iter().map(|text| Cell::atom(m.atoms.intern(text))).collect();
                m.store.list(&cells, Cell::atom(atom::NIL))
            }
            (None, None) if !m.flags.strict && ELSEWHERE.contains(&&*text) => continue,
            (None, None) => return m.domain_error("prolog_flag", Cell::atom(name)),
        };
        pairs.push(m.store.compound(atom::MINUS, &[Cell::atom(name), value]));
    }
    let list = m.store.list(&pairs, Cell::atom(atom::NIL));
    Ok(m.unify_argument(1, list))
}

/// The character of an argument that must be one.
fn character(m: &mut Machine, i: usize) -> Result<char, Throw> {
    let cell = m.argument(i);
    if cell.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    if cell.tag() == Tag::Atm {
        let mut characters = m.atoms.text(cell.as_atom()).chars();
        if let (Some(character), None) = (characters.next(), characters.next()) {
            return Ok(character);
        }
    }
    m.representation_error("character")
}

/// Remembers a conversion. The reader obeys it while the flag `char_conversion` is on.
fn char_conversion(m: &mut Machine) -> Outcome {
    let (from, to) = (character(m, 0)?, character(m, 1)?);
    let conversions = Rc::make_mut(&mut m.conversions);
    if from == to {
        conversions.remove(&from);
    } else {
        conversions.insert(from, to);
    }
    Ok(true)
}

/// `'$char_conversions'(In, List)`: what characters are converted to, as `In-Out`. Of all characters only those are
/// given that are converted.
fn char_conversions(m: &mut Machine) -> Outcome {
    let pairs: Vec<(char, char)> = if m.argument(0).tag() == Tag::Ref {
        m.conversions.iter().map(|(&from, &to)| (from, to)).collect()
    } else {
        let from = character(m, 0)?;
        vec![(from, m.conversions.get(&from).copied().unwrap_or(from))]
    };
    let mut cells = Vec::with_capacity(pairs.len());
    for (from, to) in pairs {
        let pair = [Cell::atom(m.atoms.character(from)), Cell::atom(m.atoms.character(to))];
        cells.push(m.store.compound(atom::MINUS, &pair));
    }
    let list = m.store.list(&cells, Cell::atom(atom::NIL));
    Ok(m.unify_argument(1, list))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        assert!(FLAGS.is_sorted_by(|left, right| left.0 < right.0));
    }
}
