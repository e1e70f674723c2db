//! What a single literal of an assertion asks: a test of the machine's, a regular type, or a goal that is called.

use super::{Builder, Declared, Field, Problem};
use crate::assertions::properties::{self, CompProperty};
use crate::check::Site;
use crate::machine::{Kind, Literal, Property, PropertyTest};
use crate::regtype::{Primitive, TypeExpression, Types};
use crate::term::{Atom, Cell, Record, atom, variables};

/// What the machine can decide by itself.
enum Native {
    Trivial,
    Property(Property),
    No,
}

impl Builder<'_> {
    /// The number of a literal, or of several that are checked as one; `None` if it always holds.
    pub(super) fn literal(
        &mut self,
        declared: &Declared,
        literals: &[Cell],
        field: Field,
    ) -> Result<Option<u16>, String> {
        let compatible = matches!(field, Field::Compat | Field::CompatAfter);
        let mut property = match literals {
            [literal] => match self.native(declared, *literal, compatible)? {
                Native::Trivial => return Ok(None),
                Native::Property(property) => Some(property),
                Native::No => None,
            },
            _ => None,
        };
        if property.is_none() {
            for &literal in literals {
                self.must_exist(literal)?;
            }
            let test = if compatible { PropertyTest::CallCompatible } else { PropertyTest::Call };
            property = Some(Property { argument: 0, test, site: Site(0) });
        }
        let Some(mut property) = property else { return Ok(None) };
        let mut goal = literals[literals.len() - 1];
        for &literal in literals[..literals.len() - 1].iter().rev() {
            goal = self.machine.store.compound(atom::COMMA, &[literal, goal]);
        }
        // `compat(P)` and `instance(P)` say how `P` is meant.
        if let Some((name, 1)) = self.machine.store.functor(goal)
            && property.test.is_called()
            && matches!(self.machine.atoms.text(name), "compat" | "instance")
        {
            if self.machine.atoms.text(name) == "compat" {
                property.test = PropertyTest::CallCompatible;
            }
            goal = self.machine.store.argument(goal, 0);
        }
        let literal = self.literal_term(declared, goal);
        let side = &mut self.sides[usize::from(matches!(field, Field::Success | Field::CompatAfter))];
        let known = side.properties.iter().zip(&side.literals).position(|(known, text)| {
            (known.argument, known.test) == (property.argument, property.test)
                && (!property.test.is_called()
                    || (&text.term, text.module) == (&literal.term, literal.module))
        });
        let number = known.unwrap_or_else(|| {
            side.properties.push(property);
            side.literals.push(literal);
            side.properties.len() - 1
        });
        Ok(Some(number as u16))
    }

    /// A literal with its variables in front, to be filled in.
    fn literal_term(&mut self, declared: &Declared, goal: Cell) -> Literal {
        let head = &declared.assertion.head.arguments;
        let store = &mut self.machine.store;
        let others: Vec<Cell> =
            variables(store, goal).into_iter().filter(|variable| !head.contains(variable)).collect();
        let mut arguments = vec![goal];
        arguments.extend(head);
        arguments.extend(&others);
        let names = others
            .iter()
            .map(|variable| {
                let name = declared.names.iter().find(|(known, _)| known == variable).map(|&(_, name)| name);
                name.unwrap_or_else(|| self.machine.atoms.intern("_"))
            })
            .collect();
        let term = store.compound(atom::VAR_FUNCTOR, &arguments);
        Literal {
            term: Record::new(store, term),
            others: names,
            module: self.machine.source_module,
            own: false,
        }
    }

    /// A literal that the machine decides by itself.
    fn native(&mut self, declared: &Declared, literal: Cell, compatible: bool) -> Result<Native, String> {
        let store = &self.machine.store;
        let head = &declared.assertion.head.arguments;
        let (name, arity) = store.functor(literal).ok_or("expected a property")?;
        if let Some((applied, compatible)) = self.meant(literal, name, arity) {
            return self.native(declared, applied, compatible);
        }
        let store = &self.machine.store;
        let cells: Vec<Cell> = (0..arity).map(|i| store.argument(literal, i)).collect();
        let positions: Vec<usize> = (0..arity).filter(|&i| head.contains(&cells[i])).collect();
        let &[subject] = positions.as_slice() else {
            // `list(L,T)` and `list(T,L)`: whatever else is a variable is no type.
            return Ok(Native::No);
        };
        let Some(argument) = head.iter().position(|argument| *argument == cells[subject]) else {
            return Ok(Native::No);
        };
        let argument = argument as u16;
        let property = |test: PropertyTest| Native::Property(Property { argument, test, site: Site(0) });
        match (self.machine.atoms.text(name), arity) {
            ("var" | "free", 1) => return Ok(property(PropertyTest::Var)),
            ("nonvar" | "not_free", 1) if compatible => return Ok(Native::Trivial),
            ("nonvar" | "not_free", 1) => return Ok(property(PropertyTest::Nonvar)),
            _ => {}
        }
        let module = self.machine.source_module;
        let type_name = self.machine.type_name(module, name, arity - 1);
        let types = &self.machine.types;
        if !types.is_type(type_name, arity - 1) {
            return Ok(Native::No);
        }
        // A program may define a predicate with the name of a built-in type.
        let own = self
            .machine
            .find_predicate(name, arity)
            .is_some_and(|id| matches!(self.machine.predicate_at(id).kind, Kind::Static | Kind::Dynamic));
        if own && types.definition(type_name, arity - 1).is_none() {
            return Ok(Native::No);
        }
        let parameters = cells
            .iter()
            .enumerate()
            .filter(|&(i, _)| i != subject)
            .map(|(_, &cell)| self.machine.type_expression(module, cell))
            .collect::<Result<Vec<_>, _>>();
        let Ok(parameters) = parameters else { return Ok(Native::No) };
        let expression = TypeExpression::Applied(type_name, parameters);
        let resolved = self.machine.types.resolve(&self.machine.atoms, &expression);
        let id = match resolved {
            Ok(id) => id,
            Err(reason) => {
                // What is not deterministic or not regular is called, if it can be.
                self.must_exist(literal).map_err(|_| {
                    let text = self.machine.atoms.text(name);
                    format!("`{text}/{arity}` is not a regular type that can be checked: {reason}")
                })?;
                for parameter in
                    cells.iter().enumerate().filter(|&(i, _)| i != subject).map(|(_, &cell)| cell)
                {
                    self.must_exist_applied(parameter).map_err(|missing| {
                        format!("unknown property `{missing}`: it is neither a regular type nor a predicate")
                    })?;
                }
                return Ok(Native::No);
            }
        };
        if id == Types::primitive(Primitive::Term) {
            return Ok(Native::Trivial);
        }
        Ok(property(if compatible { PropertyTest::Compatible(id) } else { PropertyTest::Type(id) }))
    }

    /// `compat(X, P)` and `inst(X, P)` say how `P(X)` is meant: that, and whether it is compatibility.
    fn meant(&mut self, literal: Cell, name: Atom, arity: usize) -> Option<(Cell, bool)> {
        let compatible = match (self.machine.atoms.text(name), arity) {
            ("compat", 2) => true,
            ("inst", 2) => false,
            _ => return None,
        };
        let predicate = self.machine.find_predicate(name, arity)?;
        if matches!(self.machine.predicate_at(predicate).kind, Kind::Static | Kind::Dynamic) {
            return None;
        }
        let store = &mut self.machine.store;
        let (subject, property) = (store.argument(literal, 0), store.argument(literal, 1));
        let (property_name, parameters) = store.functor(property)?;
        let mut arguments: Vec<Cell> = (0..parameters).map(|i| store.argument(property, i)).collect();
        arguments.push(subject);
        Some((store.compound(property_name, &arguments), compatible))
    }

    /// A literal that is called must be a predicate's.
    fn must_exist(&self, literal: Cell) -> Result<(), String> {
        let store = &self.machine.store;
        let mut pending = vec![literal];
        while let Some(goal) = pending.pop() {
            let (module, goal) = self.machine.strip_module(self.machine.source_module, goal);
            let Some((name, arity)) = store.functor(goal) else {
                return Err("expected a property".to_owned());
            };
            let text = self.machine.atoms.text(name);
            match (text, arity) {
                ("," | ";" | "->" | "*->", 2) => {
                    pending.extend([store.argument(goal, 1), store.argument(goal, 0)]);
                    continue;
                }
                ("\\+" | "not" | "once" | "compat" | "instance" | "succeeds", 1) => {
                    pending.push(store.argument(goal, 0));
                    continue;
                }
                _ => {}
            }
            if self.machine.find_predicate_in(module, name, arity).is_none() {
                return Err(format!(
                    "unknown property `{text}/{arity}`: it is neither a regular type nor a predicate"
                ));
            }
        }
        Ok(())
    }

    /// A parameter of a property must be one itself: gives the name and arity of what is missing.
    fn must_exist_applied(&self, parameter: Cell) -> Result<(), String> {
        let Some((name, arity)) = self.machine.store.functor(parameter) else { return Ok(()) };
        let type_name = self.machine.type_name(self.machine.source_module, name, arity);
        let known = self.machine.types.is_type(type_name, arity)
            || self.machine.find_predicate(name, arity + 1).is_some();
        if known { Ok(()) } else { Err(format!("{}/{}", self.machine.atoms.text(name), arity + 1)) }
    }

    /// A property of the computation; `None`, with a problem noted, if it is not checked.
    pub(super) fn comp(&mut self, declared: &Declared, literal: Cell) -> Option<Literal> {
        let (name, arity) = self.machine.store.functor(literal)?;
        let text = self.machine.atoms.text(name).to_owned();
        match properties::comp_property(&text, arity) {
            Some(CompProperty::Checked) => Some(self.literal_term(declared, literal)),
            Some(CompProperty::Silent) => None,
            Some(CompProperty::Unchecked) => {
                let note = format!("`{text}` has no meaning at run time: it is not checked");
                self.problems.push(Problem::Note(note));
                None
            }
            None if self.machine.find_predicate(name, arity + 1).is_some() => {
                Some(Literal { own: true, ..self.literal_term(declared, literal) })
            }
            None => {
                let message = format!("unknown property of the computation `{text}/{arity}`");
                self.problems.push(Problem::Error(message));
                None
            }
        }
    }
}
