//! What is known of the engine's own predicates.
//!
//! A predicate stands here only if it runs no goal of a program, changes no term that exists, makes no variable that
//! goals wait for, and loads nothing. Whatever else it does (bind variables, fail, throw, write) makes no fact untrue.

use crate::regtype::Primitive;

/// What holds of an argument when the predicate has succeeded.
#[derive(Clone, Copy, Debug)]
pub(super) enum Effect {
    /// It has a primitive type.
    Has(Primitive),
    /// It is not a free variable.
    Bound,
    /// It is a list.
    List,
    /// It is an element of the argument of this number, which is a list.
    ElementOf(usize),
    /// It is a list of elements of the arguments of these numbers, which are lists.
    ListOf(&'static [usize]),
}

/// What holds of which arguments, from 0, when a predicate of the engine has succeeded. `None` if it is not known to do
/// no harm.
pub(super) fn effects(name: &str, arity: usize) -> Option<&'static [(usize, Effect)]> {
    use Effect::{Bound, ElementOf, Has, List, ListOf};
    use Primitive::{Atom, Compound, Ground, Int, NonNegative, Number, String};
    Some(match (name, arity) {
        ("compare", 3) => &[(0, Has(Atom))],
        ("length", 2) => &[(0, List), (1, Has(NonNegative))],
        ("between", 3) => &[(0, Has(Int)), (2, Has(Int))],
        ("succ", 2) => &[(0, Has(NonNegative)), (1, Has(NonNegative))],
        ("plus", 3) => &[(0, Has(Int)), (1, Has(Int)), (2, Has(Int))],
        ("string", 1) => &[(0, Has(String))],
        ("atom_length" | "string_length", 2) => &[(1, Has(NonNegative))],
        ("char_code", 2) => &[(0, Has(Atom)), (1, Has(Int))],
        ("number_codes" | "number_chars", 2) => &[(0, Has(Number))],
        ("atom_number", 2) => &[(1, Has(Number))],
        ("functor", 3) => &[(0, Bound), (2, Has(NonNegative))],
        ("arg", 3) => &[(0, Has(Int)), (1, Has(Compound))],
        ("=..", 2) => &[(0, Bound), (1, List)],
        ("is_list", 1) => &[(0, List)],
        ("ground", 1) => &[(0, Has(Ground))],
        ("sort" | "msort" | "keysort", 2) => &[(1, List), (1, ListOf(&[0]))],
        ("reverse", 2) => &[(1, ListOf(&[0]))],
        ("member" | "memberchk", 2) => &[(0, ElementOf(1))],
        ("last", 2) => &[(1, ElementOf(0))],
        ("nth0" | "nth1", 3) => &[(0, Has(NonNegative)), (2, ElementOf(1))],
        ("append", 3) => &[(0, ListOf(&[2])), (1, ListOf(&[2])), (2, ListOf(&[0, 1]))],
        ("select", 3) => &[(0, ElementOf(1)), (2, ListOf(&[1]))],
        ("delete" | "subtract", 3) => &[(2, ListOf(&[0]))],
        (
            "append"
            | "sum_list"
            | "sumlist"
            | "max_list"
            | "min_list"
            | "unify_with_occurs_check"
            | "atom_codes"
            | "atom_chars"
            | "copy_term"
            | "\\="
            | "?=",
            2,
        )
        | ("numlist" | "atom_concat", 3)
        | ("sub_atom", 5)
        | ("write" | "writeq" | "write_canonical" | "put_char" | "tab" | "throw" | "halt", 1)
        | ("write" | "writeq" | "put_char" | "tab", 2)
        | ("nl", 0 | 1)
        | ("halt", 0) => &[],
        _ => return None,
    })
}

/// Whether an arithmetic function gives integers: always, or where all its arguments are. `None` for others.
pub(super) fn gives_integers(name: &str, arity: usize) -> Option<Integers> {
    Some(match (name, arity) {
        ("mod" | "rem" | "//" | "div" | ">>" | "<<" | "/\\" | "\\/" | "xor", 2) | ("\\", 1) => {
            Integers::Always
        }
        ("+" | "-" | "*" | "min" | "max", 2) | ("-" | "+" | "abs" | "sign", 1) => Integers::OfIntegers,
        _ => return None,
    })
}

/// When a function gives integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Integers {
    /// It takes nothing else.
    Always,
    /// If its arguments are integers.
    OfIntegers,
}
