//! What an analysis proves of a text's assertion conditions: found out when the text is loaded, and put to work.

use super::Loader;
use crate::analysis::{Analysis, Given, Why, analyse};
use crate::compile::compile_predicate;
use crate::machine::{
    Address, Behind, Claims, Contract, Judged, JudgedCall, Judgement, Kind, Machine, PredicateId, TextProofs,
};
use crate::term::{Cell, atom};
use rustc_hash::FxHashMap;

impl Loader {
    /// Analyses the text, whose contracts are installed: `checked` are its predicates with one contract for all calls,
    /// `others` those with other contracts. Each by number.
    pub(super) fn prove(
        &mut self,
        machine: &mut Machine,
        checked: &FxHashMap<PredicateId, u32>,
        others: &[PredicateId],
    ) {
        if !machine.analyses() || checked.is_empty() {
            return;
        }
        let scope = machine.begin_scope();
        let given = self.given(machine, checked, others);
        if let Some(analysis) = analyse(machine, &given) {
            self.judge(machine, &given, &analysis);
            if machine.proofs.on {
                self.install_proofs(machine, &given, &analysis);
            }
        }
        machine.end_scope(scope);
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
                && pending.foreign == 0
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
                .map(|site| JudgedCall {
                    caller: given[site.caller].id,
                    lines: self.clause_lines(given[site.caller].id, site.clause),
                    judgement: match site.why {
                        None => Judgement::Proved,
                        Some(Why::Missing(number)) => Judgement::Unknown(number),
                        Some(Why::Refuted(number)) => Judgement::Refuted(number),
                        Some(Why::BehindUnknown | Why::Beyond) => Judgement::BehindUnknown,
                    },
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
        // A call that is not proved goes where it went before.
        machine.proofs.redirected = analysis
            .sites
            .iter()
            .filter(|(_, site)| site.why.is_none())
            .filter_map(|(&place, site)| Some((place, shadows[site.callee]?)))
            .collect();
        let bodies: Vec<Option<Address>> = given
            .iter()
            .zip(&followed)
            .map(|(one, followed)| if *followed { self.second_body(machine, one) } else { None })
            .collect();
        machine.proofs.redirected.clear();
        let violations = machine.atoms.intern("$rtc_violations");
        let violations = machine.predicate_in(atom::SYSTEM, violations, 1);
        for (i, one) in given.iter().enumerate() {
            let Some(shadow) = shadows[i] else { continue };
            let entry = machine.predicate_at(one.id).entry;
            let (Some(body), Some(number)) = (bodies[i], one.contract) else {
                machine.set_shadow(shadow, bodies[i].unwrap_or(entry));
                continue;
            };
            let successes: Vec<bool> =
                analysis.predicates[i].successes.iter().map(|judged| *judged == Judgement::Proved).collect();
            let all = successes.iter().all(|&proved| proved);
            let entry = if machine.proofs.audits {
                let claims = Claims { calls: true, successes };
                let again = Contract { claims, again: true, ..machine.contracts[number as usize].clone() };
                machine.contracts.push(again);
                let again = machine.contracts.len() as u32 - 1;
                let wrapper = machine.add_wrapper(again, violations);
                // Behind the entry are the call of the body and the instruction that it returns to.
                machine.set_second_body(number, body, Behind::Audited(wrapper + 2));
                machine.set_second_body(again, body, Behind::Checked);
                proofs.contracts.push(again);
                wrapper
            } else {
                machine.set_second_body(number, body, if all { Behind::Proved } else { Behind::Checked });
                if all { body } else { machine.enter_behind_calls(number).unwrap_or(entry) }
            };
            machine.set_shadow(shadow, entry);
            proofs.contracts.push(number);
        }
        machine.keep_proofs(proofs);
    }

    /// Compiles the clauses of a predicate with the calls that are redirected. `None` if that fails.
    fn second_body(&self, machine: &mut Machine, given: &Given) -> Option<Address> {
        let pending = &self.predicates[*self.positions.get(&given.id)?];
        let module = machine.source_module;
        machine.source_module = machine.predicate_at(given.id).module;
        let clauses: &[Cell] = &given.clauses;
        let address = compile_predicate(machine, clauses);
        machine.source_module = module;
        let address = address.ok()?;
        let file = machine.atoms.intern(&pending.source.name);
        let lines: Vec<(usize, usize)> =
            pending.spans.iter().map(|&span| super::lines_of(&pending.source, span)).collect();
        Self::note_clauses(machine, given.id, file, pending.foreign, &lines);
        Some(address)
    }
}
