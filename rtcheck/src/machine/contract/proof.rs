//! What was proved of assertion conditions before the run, as the machine uses it.
//!
//! A predicate whose clauses were followed has a second body, in which calls whose conditions are proved lead to
//! *shadows*: numbers of predicates of their own, whose entry is the second body of what is called, without
//! checks of what is proved. It is entered by a contract whose checks have just passed while no variable has
//! attributes, and by the second bodies of others. A predicate without a contract that nobody in the text calls
//! is *opened*: its entry looks whether proofs may be trusted now, and goes on at a second body of which
//! nothing was asked. Everybody else enters at the first body, as if nothing had been proved.
//!
//! What a text's proofs rest on is noted. If the meaning of one of these predicates changes, the shadows follow the
//! predicates that they stand for, and contracts enter the first body again; so do all where violations no longer
//! throw. No second body is entered once a program names a predicate whose effects outlive a call: `nb_setarg/3`
//! changes terms that a call may be backtracked into with, and `intercept/3` lets a goal run in the midst of a call
//! that violates something.

use crate::machine::program::modules::Link;
use crate::machine::{Address, Instruction, Machine, PredicateId};
use crate::term::Watch;
use rustc_hash::FxHashMap;

/// What is known of one condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// It cannot fail.
    Proved,
    /// It fails wherever it is evaluated: the property of this number cannot hold.
    Refuted(u16),
    /// It is evaluated at run time: the property of this number is not known to hold.
    Unknown(u16),
    /// It is evaluated at run time: something that is not understood happens before.
    BehindUnknown,
}

/// A call in the text of a predicate with a contract.
#[derive(Clone, Debug)]
pub struct JudgedCall {
    /// The predicate whose clause calls.
    pub caller: PredicateId,
    /// The clause's lines.
    pub lines: (usize, usize),
    /// Whether it is within what the contract demands.
    pub judgement: Judgement,
}

/// What was found out about a contract.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The contract, by number.
    pub contract: u32,
    /// The calls condition at each call of the text that checked code reaches.
    pub calls: Vec<JudgedCall>,
    /// The conditions on success.
    pub successes: Vec<Judgement>,
}

/// What is proved of a contract whose conditions are checked all the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claims {
    /// The calls condition.
    pub calls: bool,
    /// Properties before the call, by number, that hold wherever the calls condition is evaluated.
    pub properties: Vec<u16>,
    /// Conditions on success, by their order.
    pub successes: Vec<bool>,
}

/// The body of a predicate that a contract enters when its checks have passed.
#[derive(Clone, Copy, Debug)]
pub(in crate::machine) struct SecondBody {
    pub(in crate::machine) address: Address,
    /// What checks the conditions behind the call: the contract itself, nothing, or another contract from this address
    /// on.
    pub(in crate::machine) behind: Behind,
}

/// What happens behind the call of a second body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// What the contract says.
    Checked,
    /// Nothing: all is proved.
    Proved,
    /// What is proved is checked by another contract, for an audit: the call returns to this address.
    Audited(Address),
}

impl Behind {
    /// Where the call returns to if the contract's own frame returns to an address.
    pub(in crate::machine) fn back(self, own: Address) -> Address {
        match self {
            Self::Audited(other) => other,
            _ => own,
        }
    }
}

/// The proofs of one text.
#[derive(Clone, Debug, Default)]
pub struct TextProofs {
    /// Shadows, each with the predicate that it stands for.
    pub shadows: Vec<(PredicateId, PredicateId)>,
    /// Contracts that enter second bodies.
    pub contracts: Vec<u32>,
    /// Contracts that are left by the exits of their clauses.
    pub by_exits: Vec<u32>,
    /// Predicates that are opened.
    pub opened: Vec<PredicateId>,
    /// Predicates whose meaning must not change.
    pub rests_on: Vec<PredicateId>,
}

/// All proofs, and how they are used.
#[derive(Debug, Default)]
pub struct Proofs {
    /// Whether texts are analysed, and what is proved is not checked.
    pub on: bool,
    /// Whether texts are analysed, for nothing but to tell what was found.
    pub tells: bool,
    /// Whether what is proved is checked all the same.
    pub audits: bool,
    /// What was found out about contracts.
    pub judged: Vec<Judged>,
    /// By the place of a call's arguments in the store: the shadow that is called instead, while clauses are compiled.
    pub(crate) redirected: FxHashMap<usize, PredicateId>,
    texts: Vec<TextProofs>,
    rests_on: FxHashMap<PredicateId, Vec<usize>>,
}

impl Machine {
    /// Whether texts that are loaded now are analysed. Not while calls are watched: all of them are to be seen.
    #[must_use]
    pub fn analyses(&self) -> bool {
        (self.proofs.on && !self.atoms.has_watched(Watch::Proofs) && !self.watches_calls())
            || self.proofs.tells
    }

    /// A number that will stand for a predicate in second bodies.
    pub fn shadow(&mut self, of: PredicateId) -> PredicateId {
        let crate::machine::Predicate { module, name, arity, .. } = *self.predicate_at(of);
        self.new_predicate(module, name, arity)
    }

    /// Lets calls of a shadow enter at an address.
    pub fn set_shadow(&mut self, shadow: PredicateId, address: Address) {
        let predicate = self.predicate_mut(shadow);
        predicate.body = address;
        predicate.entry = address;
        predicate.exported = address;
        self.refresh_entering(shadow);
    }

    /// Code that enters a predicate's second body with a frame for what is checked behind the call, whose calls
    /// condition is proved. `None` if the calls condition does not settle which conditions behind the call apply.
    pub fn enter_behind_calls(&mut self, number: u32) -> Option<Address> {
        let predicate = self.contracts[number as usize].predicate;
        // Behind the entry of the wrapper are the call of the body and the instruction that it returns to.
        let back = self.predicate_at(predicate).wrapper? + 2;
        self.plans[number as usize].as_ref()?.is_settled_by_calls().then_some(())?;
        Some(self.add_code(&[Instruction::EnterProved(number, back)]))
    }

    /// Lets calls of a predicate without a contract enter a second body while proofs may be trusted.
    pub fn open(&mut self, id: PredicateId, address: Address) {
        let first = self.predicate_at(id).body;
        let entry = self.add_code(&[Instruction::EnterTrusted(address), Instruction::Jump(first)]);
        let predicate = self.predicate_mut(id);
        (predicate.entry, predicate.exported) = (entry, entry);
        for follower in predicate.followers.clone() {
            self.refresh(follower);
        }
    }

    /// Lets a contract enter a second body.
    pub fn set_second_body(&mut self, number: u32, address: Address, behind: Behind) {
        if let Some(Some(plan)) = self.plans.get_mut(number as usize) {
            plan.second = Some(SecondBody { address, behind });
            self.refresh_gate(number);
        }
    }

    /// Whether a contract is evaluated by a plan, which alone enters second bodies.
    #[must_use]
    pub fn has_plan(&self, number: u32) -> bool {
        self.plans.get(number as usize).is_some_and(Option::is_some)
    }

    /// Notes what a text's proofs rest on.
    pub fn keep_proofs(&mut self, proofs: TextProofs) {
        let number = self.proofs.texts.len();
        for &id in &proofs.rests_on {
            self.proofs.rests_on.entry(id).or_default().push(number);
        }
        self.proofs.texts.push(proofs);
    }

    /// A predicate's meaning changes: gives up the proofs that rest on it.
    pub(in crate::machine) fn doubt(&mut self, id: PredicateId) {
        if let Some(texts) = self.proofs.rests_on.remove(&id) {
            for text in texts {
                self.give_up(text);
            }
        }
    }

    /// Switches the analysis of texts on or off, for a program that is not yet read.
    pub fn set_analysis(&mut self, on: bool, audits: bool) {
        self.proofs.on = on;
        self.proofs.audits = audits;
        self.atoms.watch(Watch::Proofs, &["intercept", "nb_setarg"]);
    }

    /// Whether second bodies may be entered now: nothing waits for variables, which could change terms, and the program
    /// has no name for what has effects that outlive a call.
    #[inline]
    pub(in crate::machine) fn trusts_proofs(&self) -> bool {
        !self.store.has_attributes() && !self.atoms.has_watched(Watch::Proofs)
    }

    /// Called after `nb_setarg/3`: second bodies that were entered before go on with proofs that the change may have
    /// ended. Where the program does not name it, the library changed a term of its own.
    pub(crate) fn give_up_changed_proofs(&mut self) {
        if self.atoms.has_watched(Watch::Proofs) {
            self.give_up_proofs();
        }
    }

    /// Gives up all proofs.
    pub(crate) fn give_up_proofs(&mut self) {
        for text in 0..self.proofs.texts.len() {
            self.give_up(text);
        }
    }

    fn give_up(&mut self, text: usize) {
        let TextProofs { shadows, contracts, by_exits, opened, .. } =
            std::mem::take(&mut self.proofs.texts[text]);
        for contract in contracts {
            if let Some(Some(plan)) = self.plans.get_mut(contract as usize) {
                plan.second = None;
                self.refresh_gate(contract);
            }
            self.contracts[contract as usize].claims = Claims::default();
        }
        for contract in by_exits {
            self.leave_by_frames(contract);
        }
        for (shadow, of) in shadows {
            self.set_link(shadow, Link::Imported { from: of, weak: true });
        }
        for id in opened {
            self.refresh(id);
        }
    }
}
