//! From assertions to assertion conditions (section 2), in the shared form of section 4.

use super::parse::{Assertion, Formula};
use crate::check::Site;
use crate::machine::{Alternative, Contract, Kind, Machine, Property, PropertyTest, SuccessCondition};
use crate::regtype::{Primitive, TypeExpression, Types};
use crate::term::{Atom, Cell, Record, Tag, atom};

/// A contract, or why parts of the assertions are not in it.
#[derive(Debug, Default)]
pub struct Normalized {
    /// The conditions; `None` if all of them are trivial.
    pub contract: Option<Contract>,
    /// Assertions left out, by position, and why.
    pub problems: Vec<(usize, String)>,
}

/// A literal after classification.
enum Literal {
    Trivial,
    Property(Property),
}

/// Builds the contract of a predicate from its assertions, each with the lines on which it stands. `names`
/// are those of the head's variables in messages, `lines` those of the clauses.
pub fn normalize(
    machine: &mut Machine,
    assertions: &[(Assertion, (usize, usize))],
    names: &[Atom],
    file: Atom,
    lines: (usize, usize),
) -> Normalized {
    let mut normalized = Normalized::default();
    let Some((first, _)) = assertions.first() else { return normalized };
    let (name, arity) = (first.head.name, first.head.arguments.len());
    let predicate = machine.predicate(name, arity);
    if machine.predicate_at(predicate).kind == Kind::Dynamic {
        normalized.problems.push((0, "calls of dynamic predicates are not checked".to_owned()));
        return normalized;
    }
    let names = names.to_vec();
    let mut builder = Builder { machine, before: Vec::new(), after: Vec::new(), preconditions: Vec::new() };
    let mut calls: Option<Vec<Alternative>> = Some(Vec::new());
    let mut restricted = false;
    let mut successes = Vec::new();
    for (position, (assertion, lines)) in assertions.iter().enumerate() {
        for part in &assertion.unchecked {
            normalized.problems.push((position, format!("{part} are not checked yet")));
        }
        let result = builder.assertion(assertion);
        let (pre, post) = match result {
            Ok(conditions) => conditions,
            Err(reason) => {
                // Without its precondition the calls condition would be too strict: it is given up.
                normalized.problems.push((position, reason));
                if assertion.restricts_calls {
                    calls = None;
                }
                continue;
            }
        };
        let always = pre.iter().any(Vec::is_empty);
        let numbers: Vec<u16> =
            if always { Vec::new() } else { pre.into_iter().map(|pre| builder.precondition(pre)).collect() };
        if assertion.restricts_calls {
            restricted = true;
            if always {
                calls = None;
            } else if let Some(calls) = &mut calls {
                for &precondition in &numbers {
                    if calls.iter().all(|known| known.precondition != precondition) {
                        calls.push(Alternative { precondition, lines: *lines });
                    }
                }
            }
        }
        if !post.iter().any(Vec::is_empty) {
            let success = SuccessCondition { preconditions: numbers, postconditions: post, lines: *lines };
            if !successes.contains(&success) {
                successes.push(success);
            }
        }
    }
    let calls = if restricted { calls.unwrap_or_default() } else { Vec::new() };
    let Builder { before, after, preconditions, .. } = builder;
    if preconditions.len() > Contract::MAX_PRECONDITIONS {
        normalized.problems.push((0, format!("more than {} preconditions", Contract::MAX_PRECONDITIONS)));
        return normalized;
    }
    if calls.is_empty() && successes.is_empty() {
        return normalized;
    }
    let mut next_site: usize =
        machine.contracts.iter().map(|contract| contract.before.len() + contract.after.len()).sum();
    let mut place = |(property, _): (Property, Cell)| {
        next_site += 1;
        Property { site: Site(next_site as u32 - 1), ..property }
    };
    let template = template(machine, name, &names, &before, &after);
    normalized.contract = Some(Contract {
        predicate,
        before: before.into_iter().map(&mut place).collect(),
        after: after.into_iter().map(&mut place).collect(),
        preconditions,
        calls,
        successes,
        template,
        names,
        file,
        lines,
    });
    normalized
}

struct Builder<'a> {
    machine: &'a mut Machine,
    before: Vec<(Property, Cell)>,
    after: Vec<(Property, Cell)>,
    preconditions: Vec<Vec<u16>>,
}

impl Builder<'_> {
    /// Both formulas of an assertion, their literals numbered.
    #[expect(clippy::type_complexity, reason = "the pair is taken apart at once")]
    fn assertion(&mut self, assertion: &Assertion) -> Result<(Vec<Vec<u16>>, Vec<Vec<u16>>), String> {
        let pre = self.formula(&assertion.calls, &assertion.head.arguments, true)?;
        let post = self.formula(&assertion.success, &assertion.head.arguments, false)?;
        Ok((pre, post))
    }

    fn formula(
        &mut self,
        formula: &Formula,
        arguments: &[Cell],
        before: bool,
    ) -> Result<Vec<Vec<u16>>, String> {
        formula
            .iter()
            .map(|conjunction| {
                let mut numbers = Vec::new();
                for &literal in conjunction {
                    if let Literal::Property(property) = self.literal(literal, arguments)? {
                        let table = if before { &mut self.before } else { &mut self.after };
                        let known = table.iter().position(|(known, _)| {
                            (known.argument, known.test) == (property.argument, property.test)
                        });
                        let number = known.unwrap_or_else(|| {
                            table.push((property, literal));
                            table.len() - 1
                        }) as u16;
                        if !numbers.contains(&number) {
                            numbers.push(number);
                        }
                    }
                }
                Ok(numbers)
            })
            .collect()
    }

    /// The number of a precondition; equal conjunctions share one.
    fn precondition(&mut self, mut conjunction: Vec<u16>) -> u16 {
        conjunction.sort_unstable();
        let known = self.preconditions.iter().position(|known| *known == conjunction);
        known.unwrap_or_else(|| {
            self.preconditions.push(conjunction);
            self.preconditions.len() - 1
        }) as u16
    }

    fn literal(&mut self, literal: Cell, arguments: &[Cell]) -> Result<Literal, String> {
        let store = &self.machine.store;
        let (name, arity) = store.functor(literal).ok_or("expected a property")?;
        let cells: Vec<Cell> = (0..arity).map(|i| store.argument(literal, i)).collect();
        let position = |cell: &Cell| arguments.iter().position(|argument| argument == cell);
        let indicator = format!("{}/{arity}", self.machine.atoms.text(name));
        let module = self.machine.source_module;
        let type_name = self.machine.type_name(module, name, arity.saturating_sub(1));
        let definition = self.machine.types.definition(type_name, arity.saturating_sub(1));
        // A type's own definition says which argument is the term; of `list/2` both orders are in use.
        let subject = match definition {
            Some(definition) if name != atom::LIST => Some(definition.subject),
            _ => (0..arity).rev().find(|&i| position(&cells[i]).is_some()),
        };
        let subject = subject.filter(|&i| i < arity);
        let Some((subject, argument)) = subject.and_then(|i| Some((i, position(&cells[i])?))) else {
            return Err(format!("`{indicator}` does not speak of an argument of the predicate"));
        };
        let argument = argument as u16;
        match (name, arity) {
            (atom::VAR, 1) => {
                return Ok(Literal::Property(Property { argument, test: PropertyTest::Var, site: Site(0) }));
            }
            (atom::NONVAR, 1) => {
                return Ok(Literal::Property(Property {
                    argument,
                    test: PropertyTest::Nonvar,
                    site: Site(0),
                }));
            }
            _ => {}
        }
        if !self.machine.types.is_type(type_name, arity - 1) {
            return Err(format!("unknown property `{indicator}`: it is neither a regular type nor built in"));
        }
        let parameters = cells
            .iter()
            .enumerate()
            .filter(|&(i, _)| i != subject)
            .map(|(_, &cell)| self.machine.type_expression(module, cell))
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| error.to_string())?;
        let expression = TypeExpression::Applied(type_name, parameters);
        let id =
            self.machine.types.resolve(&self.machine.atoms, &expression).map_err(|error| {
                format!("`{indicator}` is not a regular type that can be checked: {error}")
            })?;
        if id == Types::primitive(Primitive::Term) {
            return Ok(Literal::Trivial);
        }
        Ok(Literal::Property(Property { argument, test: PropertyTest::Type(id), site: Site(0) }))
    }
}

/// `t(Head, [Before, ...], [After, ...])` with `'$VAR'(Name)` for the head's variables.
fn template(
    machine: &mut Machine,
    name: Atom,
    names: &[Atom],
    before: &[(Property, Cell)],
    after: &[(Property, Cell)],
) -> Record {
    let variables: Vec<Cell> =
        names.iter().map(|&name| machine.store.compound(atom::VAR_FUNCTOR, &[Cell::atom(name)])).collect();
    let head = machine.store.compound(name, &variables);
    let lists = [before, after].map(|table| {
        let literals: Vec<Cell> = table
            .iter()
            .map(|(property, literal)| {
                let literal = machine.store.deref(*literal);
                let Some((name, arity)) = machine.store.functor(literal) else { return literal };
                let arguments: Vec<Cell> = (0..arity)
                    .map(|i| {
                        let argument = machine.store.argument(literal, i);
                        if argument.tag() == Tag::Ref {
                            variables[property.argument as usize]
                        } else {
                            argument
                        }
                    })
                    .collect();
                machine.store.compound(name, &arguments)
            })
            .collect();
        machine.store.list(&literals, Cell::atom(atom::NIL))
    });
    let t = machine.atoms.intern("t");
    let term = machine.store.compound(t, &[head, lists[0], lists[1]]);
    Record::new(&machine.store, term)
}
