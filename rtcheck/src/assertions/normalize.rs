//! From assertions to assertion conditions (section 2), in the shared form of section 4.

use super::parse::{Assertion, AssertionKind, Formula};
use super::properties::{self, CompProperty};
use crate::check::Site;
use crate::machine::{
    AfterKind, Alternative, AssertionPlace, Claims, CompCondition, Contract, Kind, Literal, Machine,
    PredicateId, Property, PropertyTest, SuccessCondition,
};
use crate::regtype::{Primitive, TypeExpression, Types};
use crate::term::{Atom, Cell, Record, atom, variables};

/// An assertion with where it stands and what it calls its variables.
#[derive(Clone, Debug)]
pub struct Declared {
    /// The assertion.
    pub assertion: Assertion,
    /// Where it stands; the names are those of the head's arguments.
    pub place: AssertionPlace,
    /// The module whose names its properties have.
    pub module: Atom,
    /// The names of all its variables.
    pub names: Vec<(Cell, Atom)>,
    /// Whether it is known to be checked: the flags of its own file said so.
    pub chosen: bool,
}

impl Declared {
    /// The predicate that it is about; the text that is being loaded is that of the predicate's module.
    fn predicate(&self, machine: &mut Machine) -> PredicateId {
        let Assertion { head, .. } = &self.assertion;
        let module = head.module.unwrap_or(machine.source_module);
        machine.predicate_in(module, head.name, head.arguments.len())
    }
}

/// A predicate's contracts, or why parts of the assertions are not in them.
#[derive(Debug, Default)]
pub struct Normalized {
    /// The conditions on all calls; `None` if all of them are trivial.
    pub inner: Option<Contract>,
    /// Those on calls from other modules, if they are others.
    pub exported: Option<Contract>,
    /// Assertions left out or in part, by position, and why.
    pub problems: Vec<(usize, Problem)>,
}

/// Why an assertion is not checked whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// It is wrong.
    Error(String),
    /// It is right, and has no meaning at run time.
    Note(String),
}

/// Builds the contracts of a predicate from its assertions. `file` and `lines` are the place of its clauses.
pub fn normalize(
    machine: &mut Machine,
    declared: &[Declared],
    file: Atom,
    lines: (usize, usize),
) -> Normalized {
    let mut normalized = Normalized::default();
    let active: Vec<usize> = (0..declared.len())
        .filter(|&i| declared[i].chosen || declared[i].assertion.is_checked(machine.rtchecks))
        .collect();
    let Some(&first) = active.first() else { return normalized };
    let predicate = declared[first].predicate(machine);
    if machine.predicate_at(predicate).kind == Kind::Dynamic {
        let note = "calls of dynamic predicates are not checked".to_owned();
        normalized.problems.push((first, Problem::Note(note)));
        return normalized;
    }
    let outside =
        |i: &usize| matches!(declared[*i].assertion.kind, AssertionKind::Entry | AssertionKind::Exit);
    let inside: Vec<usize> = active.iter().copied().filter(|i| !outside(i)).collect();
    normalized.inner = contract(machine, declared, &inside, (file, lines), &mut normalized.problems);
    if active.iter().any(outside) {
        // Problems of the assertions that count for all calls are told already.
        let mut problems = Vec::new();
        normalized.exported = contract(machine, declared, &active, (file, lines), &mut problems);
        normalized.problems.extend(problems.into_iter().filter(|(i, _)| outside(i)));
    }
    normalized
}

/// The contract of a unit test: what its goal must satisfy. `None` if that is nothing.
pub fn normalize_test(
    machine: &mut Machine,
    declared: &Declared,
) -> (Option<Contract>, Vec<(usize, Problem)>) {
    let mut problems = Vec::new();
    let place = (declared.place.file, (0, 0));
    let contract = contract(machine, std::slice::from_ref(declared), &[0], place, &mut problems);
    let driver = machine.atoms.intern("$rtc_comp");
    let driver = Some(machine.predicate_in(atom::SYSTEM, driver, 2));
    (contract.map(|contract| Contract { driver, test: true, ..contract }), problems)
}

/// The contract of some of a predicate's assertions.
fn contract(
    machine: &mut Machine,
    declared: &[Declared],
    chosen: &[usize],
    (file, lines): (Atom, (usize, usize)),
    problems: &mut Vec<(usize, Problem)>,
) -> Option<Contract> {
    let predicate = declared[*chosen.first()?].predicate(machine);
    let module = machine.source_module;
    let mut builder = Builder {
        machine,
        sides: [Side::default(), Side::default()],
        preconditions: Vec::new(),
        problems: Vec::new(),
    };
    let mut calls = Restriction::default();
    let mut compat = Restriction::default();
    let mut successes: Vec<SuccessCondition> = Vec::new();
    let mut comps: Vec<CompCondition> = Vec::new();
    let mut assertions = Vec::new();
    for &position in chosen {
        let Declared { assertion, place, .. } = &declared[position];
        builder.machine.source_module = declared[position].module;
        let number = assertions.len() as u16;
        assertions.push(place.clone());
        let restricts =
            matches!(assertion.kind, AssertionKind::Pred | AssertionKind::Calls | AssertionKind::Entry);
        // The numbers of a formula's conjunctions as preconditions; none if one of them is trivial.
        let pre = builder.formula(&declared[position], &assertion.calls, Field::Calls);
        let compatible = builder.formula(&declared[position], &assertion.compat, Field::Compat);
        let pre = pre.map(|formula| builder.preconditions(formula));
        let compatible = compatible.map(|formula| builder.preconditions(formula));
        if restricts {
            calls.add(pre.as_deref(), number);
            // Without a field of their own all calls are compatible with what such an assertion says.
            compat.add(compatible.as_deref(), number);
        }
        if let Some(guard) = &compatible
            && !guard.is_empty()
            && let Some(post) = builder.formula(&declared[position], &assertion.compat, Field::CompatAfter)
        {
            successes.push(SuccessCondition {
                kind: AfterKind::Compatible,
                preconditions: guard.clone(),
                postconditions: post,
                assertion: number,
            });
        }
        let Some(pre) = pre else {
            problems.extend(builder.problems.drain(..).map(|problem| (position, problem)));
            continue;
        };
        if let Some(post) = builder.formula(&declared[position], &assertion.success, Field::Success)
            && !post.iter().any(Vec::is_empty)
        {
            let same = successes.iter().any(|known| {
                known.kind == AfterKind::Success && known.preconditions == pre && known.postconditions == post
            });
            if !same {
                successes.push(SuccessCondition {
                    kind: AfterKind::Success,
                    preconditions: pre.clone(),
                    postconditions: post,
                    assertion: number,
                });
            }
        }
        for &literal in &assertion.comp {
            if let Some(literal) = builder.comp(&declared[position], literal) {
                comps.push(CompCondition { preconditions: pre.clone(), literal, assertion: number });
            }
        }
        problems.extend(builder.problems.drain(..).map(|problem| (position, problem)));
    }
    builder.machine.source_module = module;
    let (calls, compat) = (calls.alternatives(), compat.alternatives());
    let Builder { sides: [before, after], preconditions, machine, .. } = builder;
    if preconditions.len() > Contract::MAX_PRECONDITIONS {
        let message = format!("more than {} preconditions of one predicate", Contract::MAX_PRECONDITIONS);
        problems.push((chosen[0], Problem::Error(message)));
        return None;
    }
    if calls.is_empty() && compat.is_empty() && successes.is_empty() && comps.is_empty() {
        return None;
    }
    let called = before.properties.iter().chain(&after.properties).any(|property| property.test.is_called());
    let driver = match (called, comps.is_empty(), successes.is_empty()) {
        (_, false, _) => Some("$rtc_comp"),
        (true, _, false) => Some("$rtc_success"),
        (true, _, true) => Some("$rtc_calls"),
        (false, ..) => None,
    };
    let driver = driver.map(|name| {
        let name = machine.atoms.intern(name);
        machine.predicate_in(atom::SYSTEM, name, 2)
    });
    let mut shared = 0;
    for &precondition in successes
        .iter()
        .flat_map(|success| &success.preconditions)
        .chain(comps.iter().flat_map(|comp| &comp.preconditions))
    {
        shared |= 1 << precondition;
    }
    let (counted, mut next_site) = machine.counted_sites;
    let new = machine.contracts[counted..].iter();
    next_site += new.map(|contract| contract.before.len() + contract.after.len()).sum::<usize>();
    machine.counted_sites = (machine.contracts.len(), next_site);
    let mut place = |property: Property| {
        next_site += 1;
        Property { site: Site(next_site as u32 - 1), ..property }
    };
    Some(Contract {
        predicate,
        before: before.properties.into_iter().map(&mut place).collect(),
        after: after.properties.into_iter().map(&mut place).collect(),
        literals: [before.literals, after.literals],
        preconditions,
        shared,
        calls,
        compat,
        successes,
        comps,
        assertions,
        file,
        lines,
        driver,
        claims: Claims::default(),
        again: false,
        test: false,
    })
}

/// The alternatives of what calls may look like.
#[derive(Default)]
struct Restriction {
    alternatives: Vec<Alternative>,
    /// Some assertion admits every call, or cannot be understood.
    open: bool,
}

impl Restriction {
    /// Adds what one assertion admits: one of these preconditions, every call if there is none.
    fn add(&mut self, preconditions: Option<&[u16]>, assertion: u16) {
        let Some(preconditions) = preconditions.filter(|numbers| !numbers.is_empty()) else {
            self.open = true;
            return;
        };
        for &precondition in preconditions {
            if self.alternatives.iter().all(|known| known.precondition != precondition) {
                self.alternatives.push(Alternative { precondition, assertion });
            }
        }
    }

    fn alternatives(self) -> Vec<Alternative> {
        if self.open { Vec::new() } else { self.alternatives }
    }
}

/// Where a formula stands.
#[derive(Clone, Copy, PartialEq)]
enum Field {
    Calls,
    Compat,
    Success,
    CompatAfter,
}

/// The literals before or behind the call.
#[derive(Default)]
struct Side {
    properties: Vec<Property>,
    literals: Vec<Literal>,
}

struct Builder<'a> {
    machine: &'a mut Machine,
    sides: [Side; 2],
    preconditions: Vec<Vec<u16>>,
    problems: Vec<Problem>,
}

impl Builder<'_> {
    /// A formula with its literals numbered. `None`, with a problem noted, if some literal cannot be checked.
    fn formula(&mut self, declared: &Declared, formula: &Formula, field: Field) -> Option<Vec<Vec<u16>>> {
        let mut result = Vec::with_capacity(formula.len());
        for conjunction in formula {
            let mut numbers = Vec::new();
            for literals in self.connected(declared, conjunction) {
                match self.literal(declared, &literals, field) {
                    Ok(None) => {}
                    Ok(Some(number)) => {
                        if !numbers.contains(&number) {
                            numbers.push(number);
                        }
                    }
                    Err(reason) => {
                        // Told once, though both sides of a call ask.
                        if field != Field::CompatAfter {
                            self.problems.push(Problem::Error(reason));
                        }
                        return None;
                    }
                }
            }
            result.push(numbers);
        }
        Some(result)
    }

    /// The literals of a conjunction, those together that share variables other than the head's: such a variable's
    /// value is found by one and looked at by another.
    fn connected(&self, declared: &Declared, conjunction: &[Cell]) -> Vec<Vec<Cell>> {
        let store = &self.machine.store;
        let head = &declared.assertion.head.arguments;
        let mut groups: Vec<(Vec<Cell>, Vec<Cell>)> = Vec::new();
        for &literal in conjunction {
            let others: Vec<Cell> =
                variables(store, literal).into_iter().filter(|variable| !head.contains(variable)).collect();
            let mut merged = (Vec::new(), others.clone());
            let mut rest = Vec::new();
            for (literals, known) in groups {
                if known.iter().any(|variable| others.contains(variable)) {
                    merged.0.extend(literals);
                    merged.1.extend(known);
                } else {
                    rest.push((literals, known));
                }
            }
            merged.0.push(literal);
            rest.push(merged);
            groups = rest;
        }
        groups.into_iter().map(|(literals, _)| literals).collect()
    }

    /// The numbers of a formula's conjunctions as preconditions; none if one of them is trivial.
    fn preconditions(&mut self, formula: Vec<Vec<u16>>) -> Vec<u16> {
        if formula.iter().any(Vec::is_empty) {
            return Vec::new();
        }
        formula.into_iter().map(|conjunction| self.precondition(conjunction)).collect()
    }

    /// The number of a precondition; equal conjunctions share one, however they are ordered.
    fn precondition(&mut self, conjunction: Vec<u16>) -> u16 {
        let sorted = |conjunction: &[u16]| {
            let mut sorted = conjunction.to_vec();
            sorted.sort_unstable();
            sorted
        };
        let wanted = sorted(&conjunction);
        let known = self.preconditions.iter().position(|known| sorted(known) == wanted);
        known.unwrap_or_else(|| {
            self.preconditions.push(conjunction);
            self.preconditions.len() - 1
        }) as u16
    }

    /// The number of a literal, or of several that are checked as one; `None` if it always holds.
    fn literal(
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
    fn comp(&mut self, declared: &Declared, literal: Cell) -> Option<Literal> {
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

/// What the machine can decide by itself.
enum Native {
    Trivial,
    Property(Property),
    No,
}
