//! Modes of arguments: `+X`, `-list(int)`, `in(X)` and what a program defines with `modedef`.
//!
//! A mode stands for properties of one argument, perhaps with another property as its parameter: `+T` says that `T`
//! holds at the call. What a mode stands for depends on the package in use (reference: `isomodes`, `basicmodes`);
//! a program's own definition comes first.

use crate::term::{Atom, Atoms, Cell, Record, Store, Tag, atom};
use rustc_hash::FxHashMap;

/// Which of the predefined modes hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModePackage {
    /// `+T` is: `T` at the call.
    #[default]
    Iso,
    /// `+T` is: compatible with `T`, and not free, at the call.
    Basic,
}

/// The modes that assertions may use.
#[derive(Clone, Debug, Default)]
pub struct Modes {
    /// Which package says what the predefined modes mean.
    pub package: ModePackage,
    /// By name and number of parameters beside the argument: `m(Argument, [Parameter, ...], Compat, Calls,
    /// Success, Comp)`, each field a list of literals.
    defined: FxHashMap<(Atom, usize), Record>,
}

/// The properties that the modes of a head stand for, by field.
#[derive(Clone, Debug, Default)]
pub(super) struct ModeFields {
    pub(super) compat: Vec<Cell>,
    pub(super) calls: Vec<Cell>,
    pub(super) success: Vec<Cell>,
    pub(super) comp: Vec<Cell>,
}

impl Modes {
    /// Defines a mode: its argument and parameters as variables, its fields as conjunctions.
    pub(super) fn define(
        &mut self,
        store: &mut Store,
        name: Atom,
        argument: Cell,
        parameters: &[Cell],
        fields: &ModeFields,
    ) {
        let nil = Cell::atom(atom::NIL);
        let lists = [parameters, &fields.compat, &fields.calls, &fields.success, &fields.comp]
            .map(|list| store.list(list, nil));
        let cells = [argument, lists[0], lists[1], lists[2], lists[3], lists[4]];
        let term = store.compound(name, &cells);
        self.defined.insert((name, parameters.len()), Record::new(store, term));
    }

    /// Whether a name with a number of parameters beside the argument is a mode.
    pub(super) fn is_mode(&self, atoms: &Atoms, name: Atom, parameters: usize) -> bool {
        let predefined =
            parameters <= 1 && matches!(atoms.text(name), "+" | "-" | "?" | "@" | "in" | "out" | "go");
        predefined || self.defined.contains_key(&(name, parameters))
    }

    /// Adds what a mode says of an argument; false if there is no such mode.
    pub(super) fn apply(
        &self,
        store: &mut Store,
        atoms: &mut Atoms,
        name: Atom,
        argument: Cell,
        parameters: &[Cell],
        fields: &mut ModeFields,
    ) -> Result<bool, String> {
        if let Some(record) = self.defined.get(&(name, parameters.len())) {
            let term = record.restore(store);
            let list = |store: &Store, i: usize| {
                let list = store.argument(term, i);
                store.list_elements(list).unwrap_or_default()
            };
            let formal = store.argument(term, 0);
            let formals = list(store, 1);
            let mut actual = vec![(formal, argument)];
            actual.extend(formals.into_iter().zip(parameters.iter().copied()));
            for (i, field) in [
                (2, &mut fields.compat),
                (3, &mut fields.calls),
                (4, &mut fields.success),
                (5, &mut fields.comp),
            ] {
                for literal in list(store, i) {
                    field.push(instantiate(store, literal, &actual)?);
                }
            }
            return Ok(true);
        }
        let [property] = match parameters {
            [] => [None],
            [property] => [Some(*property)],
            _ => return Ok(false),
        };
        let typed = property.map(|property| apply(store, property, argument)).transpose()?;
        let mut about = |property: &str| {
            let property = atoms.intern(property);
            store.compound(property, &[argument])
        };
        match (atoms_text(name), self.package) {
            (Mode::In, ModePackage::Iso) => match typed {
                Some(typed) => fields.calls.push(typed),
                None => fields.calls.push(about("nonvar")),
            },
            (Mode::In, ModePackage::Basic) => {
                fields.compat.extend(typed);
                fields.calls.push(about("nonvar"));
            }
            (Mode::Out, package) => {
                fields.calls.push(about("var"));
                match package {
                    ModePackage::Iso => fields.success.extend(typed),
                    ModePackage::Basic => fields.compat.extend(typed),
                }
            }
            (Mode::Any, package) => {
                fields.compat.extend(typed);
                if package == ModePackage::Iso {
                    fields.success.extend(typed);
                }
            }
            (Mode::Kept, package) => {
                fields.compat.extend(typed);
                if package == ModePackage::Iso {
                    fields.success.extend(typed);
                }
                fields.comp.push(about("not_further_inst"));
            }
            (Mode::Other, _) => {
                fields.compat.extend(typed);
                match atoms.text(name) {
                    "in" => {
                        let ground = store.compound(atom::GROUND, &[argument]);
                        fields.calls.push(ground);
                        fields.success.push(ground);
                    }
                    "out" | "go" => {
                        if atoms.text(name) == "out" {
                            fields.calls.push(store.compound(atom::VAR, &[argument]));
                        }
                        fields.success.push(store.compound(atom::GROUND, &[argument]));
                    }
                    _ => return Ok(false),
                }
            }
        }
        Ok(true)
    }
}

/// The modes that are operators.
enum Mode {
    In,
    Out,
    Any,
    Kept,
    Other,
}

fn atoms_text(name: Atom) -> Mode {
    match name {
        atom::PLUS => Mode::In,
        atom::MINUS => Mode::Out,
        atom::QUESTION => Mode::Any,
        atom::AT => Mode::Kept,
        _ => Mode::Other,
    }
}

/// A property's name, perhaps with parameters, applied to a term, which becomes its last argument.
pub(super) fn apply(store: &mut Store, property: Cell, term: Cell) -> Result<Cell, String> {
    let property = store.deref(property);
    let Some((name, arity)) = store.functor(property) else {
        return Err("expected the name of a property".to_owned());
    };
    let mut arguments: Vec<Cell> = (0..arity).map(|i| store.argument(property, i)).collect();
    arguments.push(term);
    Ok(store.compound(name, &arguments))
}

/// A literal of a mode's definition with its argument and parameters filled in: `call(T, A)` is `T` applied to `A`.
fn instantiate(store: &mut Store, literal: Cell, actual: &[(Cell, Cell)]) -> Result<Cell, String> {
    let value =
        |cell: Cell| actual.iter().find(|(formal, _)| *formal == cell).map_or(cell, |&(_, value)| value);
    let Some((name, arity)) = store.functor(literal) else { return Ok(value(literal)) };
    let arguments: Vec<Cell> = (0..arity)
        .map(|i| {
            let argument = store.argument(literal, i);
            if argument.tag() == Tag::Ref { value(argument) } else { argument }
        })
        .collect();
    if let (atom::CALL, [property, term]) = (name, arguments.as_slice()) {
        return apply(store, *property, *term);
    }
    Ok(store.compound(name, &arguments))
}
