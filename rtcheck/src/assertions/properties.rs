//! Properties of computations, by name.

/// What is done with a property of the computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CompProperty {
    /// It is watched while the goal runs.
    Checked,
    /// It says nothing that a run could contradict, and nobody expects a note about it.
    Silent,
    /// It has no meaning at run time, in Ciao neither.
    Unchecked,
}

/// Properties that have a meaning while a goal runs, with their numbers of arguments.
const CHECKED: &[(&str, &[usize])] = &[
    ("is_det", &[0]),
    ("non_det", &[0]),
    ("det", &[0]),
    ("semidet", &[0]),
    ("multi", &[0]),
    ("nondet", &[0]),
    ("not_fails", &[0]),
    ("fails", &[0]),
    ("succeeds", &[0]),
    ("num_solutions", &[1]),
    ("solutions", &[1]),
    ("no_choicepoints", &[0]),
    ("leaves_choicepoints", &[0]),
    ("exception", &[0, 1]),
    ("no_exception", &[0, 1]),
    ("throws", &[1]),
    ("signal", &[0, 1]),
    ("no_signal", &[0, 1]),
    ("signals", &[1]),
    ("user_output", &[1]),
    ("user_error", &[1]),
    ("not_further_inst", &[1]),
];

/// Properties for analysers: cost, size, sharing of the computation as a whole.
const UNCHECKED: &[&str] = &[
    "possibly_fails",
    "possibly_nondet",
    "mut_exclusive",
    "not_mut_exclusive",
    "possibly_not_mut_exclusive",
    "covered",
    "not_covered",
    "possibly_not_covered",
    "relations",
    "finite_solutions",
    "terminates",
    "steps",
    "steps_lb",
    "steps_ub",
    "steps_o",
    "size",
    "size_lb",
    "size_ub",
    "size_o",
    "size_metric",
    "cost",
    "rsize",
    "costb",
    "cardinality",
    "equiv",
    "sideff",
    "native",
    "eval",
    "iso",
    "intervals",
    "tau",
    "deprecated",
    "basic_props",
    "no_rtcheck",
    "bind_ins",
    "error_free",
    "memo",
    "filter",
    "indep",
    "pe_type",
    "test_type",
    "exectime",
    "throw",
    "possible_exceptions",
];

/// What tests and documentation say beside an assertion.
const SILENT: &[&str] = &[
    "regtype",
    "prop_regtype",
    "times",
    "try_sols",
    "setup",
    "cleanup",
    "generate_from_calls_n",
    "timeout",
    "resource_bounds",
    "shfrontend",
];

/// What is done with a property of a name and number of arguments; `None` if it is not known.
pub(super) fn comp_property(name: &str, arity: usize) -> Option<CompProperty> {
    if CHECKED.iter().any(|(known, arities)| *known == name && arities.contains(&arity)) {
        return Some(CompProperty::Checked);
    }
    if UNCHECKED.contains(&name) {
        return Some(CompProperty::Unchecked);
    }
    SILENT.contains(&name).then_some(CompProperty::Silent)
}
