//! From assertions to assertion conditions (section 2), in the shared form of section 4.

mod literals;

use super::parse::{Assertion, AssertionKind, Formula};
use crate::check::Site;
use crate::machine::{
    AfterKind, Alternative, AssertionPlace, Claims, CompCondition, Contract, Kind, Literal, Machine,
    PredicateId, Property, SuccessCondition,
};
use crate::term::{Atom, Cell, atom, variables};

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
}
