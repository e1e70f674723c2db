//! The terms that tell what was violated: `rtcheck(Type, Pred, Dict, Prop, Valid, Locs)`, as Ciao signals them.
//!
//! `Pred` is `Module:Head` and `Prop` the property, with `'$VAR'(Name)` for variables; `Dict` has `Name=Value` for each
//! argument. If a condition has alternatives, `Prop` is the disjunction of the first property of each that failed
//! (Ciao shows those of the first alternative only). `Valid` says what was found instead: `'$VAR'(Name)=Value` for the
//! arguments that the failed properties speak of, `exception(E)` if a property threw, what a computation did.

use super::evaluate::{Failure, Status, Violated};
use super::{AssertionPlace, Contract, Literal};
use crate::machine::{Machine, PredicateId};
use crate::term::{Atom, Cell, Tag, atom};

/// What is put together into one term.
struct Report<'a> {
    kind: &'a str,
    predicate: PredicateId,
    /// The first assertion's names are used.
    assertions: Vec<&'a AssertionPlace>,
    properties: Vec<Cell>,
    valid: Vec<Cell>,
    /// Where the predicate is.
    place: (Atom, (usize, usize)),
}

impl Machine {
    /// A list of one term per violated condition.
    pub(super) fn violations(
        &mut self,
        contract: &Contract,
        before: bool,
        failures: &[Failure],
        statuses: &[Status],
        values: &[Cell],
    ) -> Cell {
        let mut conditions: Vec<Violated> = Vec::new();
        for failure in failures {
            if !conditions.contains(&failure.violated) {
                conditions.push(failure.violated);
            }
        }
        for condition in &conditions {
            let claimed = match condition {
                Violated::Calls => {
                    let claimed = |failure: &Failure| {
                        failure.violated == *condition
                            && contract.claims.properties.contains(&failure.property)
                    };
                    contract.claims.calls || failures.iter().any(claimed)
                }
                Violated::Compat => false,
                Violated::After(number) => {
                    contract.claims.successes.get(*number as usize).copied().unwrap_or_default()
                }
            };
            if claimed {
                self.checker.disagree();
            }
        }
        let literals = &contract.literals[usize::from(!before)];
        let balls: Vec<Cell> = conditions
            .into_iter()
            .map(|condition| {
                let kind = match condition {
                    Violated::Calls => "calls",
                    Violated::Compat => "compat",
                    Violated::After(number) => contract.successes[number as usize].kind.name(),
                };
                let mut report = Report {
                    kind,
                    predicate: contract.predicate,
                    assertions: Vec::new(),
                    properties: Vec::new(),
                    valid: Vec::new(),
                    place: (contract.file, contract.lines),
                };
                let mut told: Vec<(u16, bool)> = Vec::new();
                let mut thrown = Vec::new();
                for failure in failures.iter().filter(|failure| failure.violated == condition) {
                    let assertion = &contract.assertions[failure.assertion as usize];
                    if !report.assertions.contains(&assertion) {
                        report.assertions.push(assertion);
                    }
                    if told.contains(&(failure.property, true)) {
                        continue;
                    }
                    told.push((failure.property, true));
                    let names = &report.assertions[0].names;
                    let literal = &literals[failure.property as usize];
                    let (property, arguments) = self.named_literal(literal, names);
                    report.properties.push(property);
                    for argument in arguments {
                        let pair = self.named_value(names[argument], values[argument]);
                        let same = |&known: &Cell| {
                            self.store.argument(known, 0) == self.store.argument(pair, 0)
                                || self.store.argument(self.store.argument(known, 0), 0)
                                    == Cell::atom(names[argument])
                        };
                        if !report.valid.iter().any(same) {
                            report.valid.push(pair);
                        }
                    }
                    if let Some(Status::Threw(ball)) = statuses.get(failure.property as usize) {
                        thrown.push(*ball);
                    }
                }
                report.valid.extend(thrown);
                self.violation_term(report, values)
            })
            .collect();
        self.store.list(&balls, Cell::atom(atom::NIL))
    }

    /// The term for a computation property that does not hold, with what happened instead.
    pub(super) fn comp_violation(
        &mut self,
        contract: &Contract,
        number: usize,
        instead: Cell,
        values: &[Cell],
    ) -> Cell {
        let comp = &contract.comps[number];
        let assertion = &contract.assertions[comp.assertion as usize];
        let (property, _) = self.named_literal(&comp.literal, &assertion.names);
        let report = Report {
            kind: "comp",
            predicate: contract.predicate,
            assertions: vec![assertion],
            properties: vec![property],
            valid: vec![instead],
            place: (contract.file, contract.lines),
        };
        self.violation_term(report, values)
    }

    /// `'$VAR'(Name)=Value`.
    fn named_value(&mut self, name: Atom, value: Cell) -> Cell {
        let name = self.store.compound(atom::VAR_FUNCTOR, &[Cell::atom(name)]);
        let value = self.store.deref(value);
        self.store.compound(atom::EQUALS, &[name, value])
    }

    /// A literal with `'$VAR'(Name)` for its variables, and which arguments of the head occur in it.
    pub(crate) fn named_literal(&mut self, literal: &Literal, names: &[Atom]) -> (Cell, Vec<usize>) {
        let term = literal.term.restore(&mut self.store);
        let (first, _) = self.store.arguments(term);
        let goal = self.store.at(first);
        let variables = crate::term::variables(&self.store, goal);
        let arguments = (0..names.len())
            .filter(|&i| variables.contains(&self.store.deref(self.store.at(first + 1 + i))))
            .collect();
        for (i, &name) in names.iter().chain(&literal.others).enumerate() {
            let name = self.store.compound(atom::VAR_FUNCTOR, &[Cell::atom(name)]);
            self.store.cells[first + 1 + i] = name;
        }
        (self.store.deref(self.store.at(first)), arguments)
    }

    /// Which module a predicate is said to be of: a file that declares none is one for messages.
    fn module_in_messages(&mut self, id: PredicateId, file: Atom) -> Atom {
        let module = self.predicate_at(id).module;
        if module != atom::USER {
            return module;
        }
        let text = self.atoms.text(file).to_owned();
        let stem = text.rsplit('/').next().unwrap_or(&text);
        let stem = stem.strip_suffix(".pl").unwrap_or(stem).to_owned();
        self.atoms.intern(&stem)
    }

    fn violation_term(&mut self, report: Report<'_>, values: &[Cell]) -> Cell {
        let names = report.assertions[0].names.clone();
        let (name, module) = {
            let name = self.predicate_at(report.predicate).name;
            (name, self.module_in_messages(report.predicate, report.place.0))
        };
        let variables: Vec<Cell> =
            names.iter().map(|&name| self.store.compound(atom::VAR_FUNCTOR, &[Cell::atom(name)])).collect();
        let head = self.store.compound(name, &variables);
        let head = self.store.compound(atom::COLON, &[Cell::atom(module), head]);
        let dictionary: Vec<Cell> = names
            .iter()
            .zip(values)
            .map(|(&name, &value)| {
                let value = self.store.deref(value);
                self.store.compound(atom::EQUALS, &[Cell::atom(name), value])
            })
            .collect();
        let mut alternatives = report.properties;
        let mut property = alternatives.pop().unwrap_or(Cell::atom(atom::FAIL));
        while let Some(alternative) = alternatives.pop() {
            property = self.store.compound(atom::SEMICOLON, &[alternative, property]);
        }
        let mut locations = Vec::new();
        if let Some(caller) = self.call_location() {
            locations.push(caller);
        }
        if self.rtchecks.predicate_locations && report.place.1 != (0, 0) {
            let location = self.location(report.place.0, report.place.1);
            let predloc = self.atoms.intern("predloc");
            locations.push(self.store.compound(predloc, &[head, location]));
        }
        if self.rtchecks.assertion_locations {
            for assertion in report.assertions {
                let location = self.location(assertion.file, assertion.lines);
                let asrloc = self.atoms.intern("asrloc");
                locations.push(self.store.compound(asrloc, &[location]));
            }
        }
        let nil = Cell::atom(atom::NIL);
        let dictionary = self.store.list(&dictionary, nil);
        let valid = self.store.list(&report.valid, nil);
        let locations = self.store.list(&locations, nil);
        let kind = Cell::atom(self.atoms.intern(report.kind));
        self.store.compound(atom::RTCHECK, &[kind, head, dictionary, property, valid, locations])
    }

    /// Whether a property is checked at a program point: as its module says, or, of texts without one, that of the
    /// clause that asks, if it says anything.
    pub(crate) fn checks_point(&self, goal: Cell) -> bool {
        let own = &self.loading.own_checks;
        let text = || match self.strip_module(atom::USER, goal).0 {
            atom::USER => self.calling_clause().map(|(code, _)| code.file),
            module => self.find_module(module)?.file,
        };
        let text = if own.is_empty() { None } else { text() };
        text.and_then(|file| own.get(&file).copied()).unwrap_or(self.rtchecks.checks)
    }

    /// `'$pp_ball'(Goal, Valid, Ball)`: a property that does not hold at a program point.
    pub(crate) fn point_ball(&mut self) -> crate::machine::Outcome {
        let (goal, valid) = (self.argument(0), self.argument(1));
        let nil = Cell::atom(atom::NIL);
        let (mut predicate, mut locations) = (Cell::atom(atom::USER), nil);
        if let Some((code, _)) = self.calling_clause() {
            let (name, arity) = {
                let predicate = self.predicate_at(code.predicate);
                (predicate.name, predicate.arity)
            };
            let module = self.module_in_messages(code.predicate, code.file);
            let indicator = self.indicator(name, arity);
            predicate = self.store.compound(atom::COLON, &[Cell::atom(module), indicator]);
            let location = self.location(code.file, code.lines);
            let pploc = self.atoms.intern("pploc");
            let location = self.store.compound(pploc, &[location]);
            locations = self.store.list(&[location], nil);
        }
        let free = crate::term::variables(&self.store, goal);
        let valid = if valid.tag() == Tag::Lis { valid } else { nil };
        let dictionary = self.store.list(&free, nil);
        let kind = Cell::atom(self.atoms.intern("pp_check"));
        let ball = self.store.compound(atom::RTCHECK, &[kind, predicate, dictionary, goal, valid, locations]);
        Ok(self.unify_argument(2, ball))
    }

    /// The call that is being checked: `callloc(Caller, loc(...))`, or `litloc(Literal, loc(...)-Caller)`.
    fn call_location(&mut self) -> Option<Cell> {
        use crate::machine::CallLocation;
        let detail = self.rtchecks.call_locations;
        if detail == CallLocation::No {
            return None;
        }
        let (code, called) = self.calling_clause()?;
        let (name, arity) = {
            let predicate = self.predicate_at(code.predicate);
            (predicate.name, predicate.arity)
        };
        let module = self.module_in_messages(code.predicate, code.file);
        let indicator = self.indicator(name, arity);
        let caller = self.store.compound(atom::COLON, &[Cell::atom(module), indicator]);
        let location = self.location(code.file, code.lines);
        if detail == CallLocation::Literal
            && let Some(called) = called
        {
            let (name, arity) = {
                let predicate = self.predicate_at(called);
                (predicate.name, predicate.arity)
            };
            let literal = self.indicator(name, arity);
            let pair = self.store.compound(atom::MINUS, &[location, caller]);
            let litloc = self.atoms.intern("litloc");
            return Some(self.store.compound(litloc, &[literal, pair]));
        }
        let callloc = self.atoms.intern("callloc");
        Some(self.store.compound(callloc, &[caller, location]))
    }

    /// `loc(File, FirstLine, LastLine)`.
    fn location(&mut self, file: Atom, lines: (usize, usize)) -> Cell {
        let name = self.atoms.intern("loc");
        self.store.compound(name, &[Cell::atom(file), Cell::count(lines.0), Cell::count(lines.1)])
    }
}
