//! What an analysis proves of a text's assertion conditions: found out when the text is loaded, and put to work.

use super::Loader;
use crate::analysis::{Analysis, Given, Site, Why, analyse};
use crate::compile::{Exit, compile_by_exits};
use crate::machine::{
    Address, Alternative, Behind, Claims, Contract, Judged, JudgedCall, Judgement, Kind, Machine,
    PredicateId, TextProofs,
};
use crate::term::{Cell, Watch, atom};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

impl Loader {
    /// Looks through the text, whose contracts are installed, for checks that need not be made: `checked` are its
    /// predicates with one contract for all calls, `others` those with other contracts. Each by number.
    pub(super) fn spare_checks(
        &mut self,
        machine: &mut Machine,
        checked: &FxHashMap<PredicateId, u32>,
        others: &[PredicateId],
    ) {
        if machine.proofs.on && machine.atoms.has_watched(Watch::Proofs) {
            machine.give_up_proofs();
        }
        if checked.is_empty() || !machine.rtchecks.checks {
            return;
        }
        let scope = machine.begin_scope();
        let given = self.given(machine, checked, others);
        if machine.analyses() {
            self.prove(machine, &given);
        }
        self.settle_exits(machine, &given);
        machine.drop_scope(scope);
    }

    /// Analyses predicates.
    fn prove(&mut self, machine: &mut Machine, given: &[Given]) {
        if let Some(analysis) = analyse(machine, given) {
            self.judge(machine, given, &analysis);
            if machine.proofs.on {
                self.install_proofs(machine, given, &analysis);
            }
        }
    }

    /// The predicates whose clauses are all here and stay as they are.
    fn given(
        &self,
        machine: &mut Machine,
        checked: &FxHashMap<PredicateId, u32>,
        others: &[PredicateId],
    ) -> Vec<Given> {
        let mut given = Vec::new();
        for pending in &self.predicates {
            let predicate = machine.predicate_at(pending.id);
            let whole = predicate.kind == Kind::Static
                && predicate.module == machine.source_module
                && !predicate.multifile
                && predicate.meta.is_empty()
                && !pending.rules
                && !pending.foreign.contains(&true)
                && machine.loading.texts.contains_key(&pending.id);
            if !whole || self.tabled.contains_key(&pending.id) || others.contains(&pending.id) {
                continue;
            }
            let clauses = pending.clauses.iter().map(|clause| clause.restore(&mut machine.store)).collect();
            given.push(Given { id: pending.id, clauses, contract: checked.get(&pending.id).copied() });
        }
        given
    }

    /// Keeps what was found out of each contract.
    fn judge(&self, machine: &mut Machine, given: &[Given], analysis: &Analysis) {
        for (i, one) in given.iter().enumerate() {
            let Some(contract) = one.contract else { continue };
            let calls = analysis
                .sites
                .values()
                .filter(|site| site.callee == i)
                .map(|site| {
                    let caller = given[analysis.caller(site)].id;
                    JudgedCall {
                        caller,
                        lines: self.clause_lines(caller, site.clause),
                        judgement: match site.why {
                            None => Judgement::Proved,
                            Some(Why::Missing(number)) => Judgement::Unknown(number),
                            Some(Why::Refuted(number)) => Judgement::Refuted(number),
                            Some(Why::BehindUnknown | Why::Beyond) => Judgement::BehindUnknown,
                        },
                    }
                })
                .collect();
            let successes = analysis.predicates[i].successes.clone();
            machine.proofs.judged.push(Judged { contract, calls, successes });
        }
    }

    fn clause_lines(&self, id: PredicateId, clause: usize) -> (usize, usize) {
        let pending = self.positions.get(&id).map(|&position| &self.predicates[position]);
        pending
            .and_then(|pending| Some(super::lines_of(&pending.source, *pending.spans.get(clause)?)))
            .unwrap_or_default()
    }

    /// Compiles the second bodies, and lets contracts and each other enter them.
    fn install_proofs(&mut self, machine: &mut Machine, given: &[Given], analysis: &Analysis) {
        let mut proofs = TextProofs { rests_on: analysis.rests_on.clone(), ..TextProofs::default() };
        proofs.rests_on.extend(given.iter().map(|one| one.id));
        let has_plan = |one: &Given| one.contract.is_none_or(|number| machine.has_plan(number));
        let followed: Vec<bool> = given
            .iter()
            .zip(&analysis.predicates)
            .map(|(one, found)| found.reached && has_plan(one))
            .collect();
        let shadows: Vec<Option<PredicateId>> = given
            .iter()
            .zip(&followed)
            .map(|(one, followed)| followed.then(|| machine.shadow(one.id)))
            .collect();
        for (one, shadow) in given.iter().zip(&shadows) {
            proofs.shadows.extend(shadow.map(|shadow| (shadow, one.id)));
        }
        let partial = partial(machine, given, analysis, &shadows);
        for (&(callee, _), &shadow) in &partial {
            proofs.shadows.push((shadow, given[callee].id));
        }
        let ways = Ways { shadows, partial };
        let bodies: Vec<Option<Address>> = (0..given.len())
            .map(|i| {
                followed[i].then_some(())?;
                ways.redirect(machine, analysis, i);
                self.second_body(machine, &given[i], &[])
            })
            .collect();
        for (i, one) in given.iter().enumerate() {
            let Some(shadow) = ways.shadows[i] else { continue };
            let entry = machine.predicate_at(one.id).entry;
            let (Some(body), Some(number)) = (bodies[i], one.contract) else {
                machine.set_shadow(shadow, bodies[i].unwrap_or(entry));
                continue;
            };
            let successes: Vec<bool> =
                analysis.predicates[i].successes.iter().map(|judged| *judged == Judgement::Proved).collect();
            let (behind, known) = if machine.proofs.audits {
                let claims = Claims { calls: true, successes, ..Claims::default() };
                let (again, wrapper) = install_again(machine, number, |contract| contract.claims = claims);
                proofs.contracts.push(again);
                machine.set_second_body(again, body, Behind::Checked);
                // Behind the entry are the call of the body and the instruction that it returns to.
                (Behind::Audited(wrapper + 2), wrapper)
            } else if successes.iter().all(|&proved| proved) {
                (Behind::Proved, body)
            } else {
                (Behind::Checked, machine.enter_behind_calls(number).unwrap_or(entry))
            };
            machine.set_second_body(number, body, behind);
            proofs.contracts.push(number);
            machine.set_shadow(shadow, known);
            for ((_, missing), &shadow) in ways.partial.range((i, Vec::new())..(i + 1, Vec::new())) {
                let audits = machine.proofs.audits;
                let (again, wrapper) =
                    install_again(machine, number, |contract| leave(contract, missing, audits));
                proofs.contracts.push(again);
                machine.set_second_body(again, body, behind);
                machine.set_shadow(shadow, wrapper);
            }
        }
        for (opening, &i) in ways.useful_openings(given, analysis) {
            ways.redirect(machine, analysis, opening);
            if let Some(body) = self.second_body(machine, &given[i], &[]) {
                machine.open(given[i].id, body);
                proofs.opened.push(given[i].id);
            }
        }
        machine.proofs.redirected.clear();
        machine.keep_proofs(proofs);
    }

    /// Compiles the clauses of a predicate with their exits and the calls that are redirected. `None` if that fails.
    pub(super) fn second_body(
        &self,
        machine: &mut Machine,
        given: &Given,
        exits: &[Exit],
    ) -> Option<Address> {
        let pending = &self.predicates[*self.positions.get(&given.id)?];
        let module = machine.source_module;
        machine.source_module = machine.predicate_at(given.id).module;
        let clauses: &[Cell] = &given.clauses;
        let address = compile_by_exits(machine, clauses, exits);
        machine.source_module = module;
        let address = address.ok()?;
        let file = machine.atoms.intern(&pending.source.name);
        let lines: Vec<(usize, usize)> =
            pending.spans.iter().map(|&span| super::lines_of(&pending.source, span)).collect();
        Self::note_clauses(machine, given.id, file, &pending.foreign, &lines);
        Some(address)
    }
}

/// Where calls in second bodies go.
struct Ways {
    /// For each predicate, if it is followed: the shadow that calls whose condition is proved go to.
    shadows: Vec<Option<PredicateId>>,
    /// By the predicate that is called, and the properties that have to be looked at: the shadow that calls go to of
    /// which the other properties are known to hold.
    partial: BTreeMap<(usize, Vec<u16>), PredicateId>,
}

impl Ways {
    /// Where a call goes in second bodies. `None` if that is where it goes in first ones.
    fn of(&self, site: &Site) -> Option<PredicateId> {
        match &site.missing {
            Some(missing) if missing.is_empty() => self.shadows[site.callee],
            Some(missing) => self.partial.get(&(site.callee, missing.clone())).copied(),
            None => None,
        }
    }

    /// Sends the calls of a predicate's clauses on their ways, in what is compiled next.
    fn redirect(&self, machine: &mut Machine, analysis: &Analysis, caller: usize) {
        machine.proofs.redirected = analysis
            .sites
            .range((caller, 0)..(caller + 1, 0))
            .filter_map(|(&(_, place), site)| Some((place, self.of(site)?)))
            .collect();
    }

    /// The openings from which calls of contracts are reached of which something is proved, each as a caller with the
    /// position of its predicate.
    fn useful_openings<'a>(
        &self,
        given: &[Given],
        analysis: &'a Analysis,
    ) -> impl Iterator<Item = (usize, &'a usize)> + use<'a> {
        let mut callers = vec![Vec::new(); given.len()];
        let mut pending = Vec::new();
        for site in analysis.sites.values().filter(|site| self.of(site).is_some()) {
            callers[site.callee].push(site.caller);
            if given[site.callee].contract.is_some() {
                pending.push(site.caller);
            }
        }
        let mut useful = vec![false; given.len() + analysis.openings.len()];
        while let Some(one) = pending.pop() {
            if !std::mem::replace(&mut useful[one], true) && one < given.len() {
                pending.extend_from_slice(&callers[one]);
            }
        }
        (given.len()..).zip(&analysis.openings).filter(move |&(opening, _)| useful[opening])
    }
}

/// Shadows for calls of which some properties are known to hold, and others are not.
fn partial(
    machine: &mut Machine,
    given: &[Given],
    analysis: &Analysis,
    shadows: &[Option<PredicateId>],
) -> BTreeMap<(usize, Vec<u16>), PredicateId> {
    let mut partial = BTreeMap::new();
    for site in analysis.sites.values() {
        let (Some(missing), Some(number), Some(_)) =
            (&site.missing, given[site.callee].contract, shadows[site.callee])
        else {
            continue;
        };
        let contract = &machine.contracts[number as usize];
        let is_part = |alternative: &Alternative| {
            missing.len() < contract.preconditions[alternative.precondition as usize].len()
        };
        if !missing.is_empty() && contract.calls.iter().all(is_part) {
            partial
                .entry((site.callee, missing.clone()))
                .or_insert_with(|| machine.shadow(given[site.callee].id));
        }
    }
    partial
}

/// Installs a contract once more, changed, and returns its number and the address of its wrapper.
fn install_again(machine: &mut Machine, number: u32, change: impl FnOnce(&mut Contract)) -> (u32, Address) {
    let violations = machine.atoms.intern("$rtc_violations");
    let violations = machine.predicate_in(atom::SYSTEM, violations, 1);
    let mut again = Contract { again: true, ..machine.contracts[number as usize].clone() };
    change(&mut again);
    machine.contracts.push(again);
    let again = machine.contracts.len() as u32 - 1;
    let wrapper = machine.add_wrapper(again, violations);
    (again, wrapper)
}

/// Leaves of what a contract demands of calls what is missing; or, for an audit, notes that the rest is proved.
fn leave(contract: &mut Contract, missing: &[u16], audits: bool) {
    let [alternative] = &contract.calls[..] else { return };
    let precondition = &mut contract.preconditions[alternative.precondition as usize];
    if audits {
        contract.claims.properties =
            precondition.iter().copied().filter(|number| !missing.contains(number)).collect();
    } else {
        precondition.retain(|number| missing.contains(number));
    }
}
