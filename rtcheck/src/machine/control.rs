//! Code that is always there: what backtracks and stops, and the predicates of control that are instructions rather than
//! clauses.

use super::{Address, Instruction, Kind, Live, Machine, PredicateId};
use crate::term::{Cell, atom};

/// Where the machine's own instructions lie.
pub(super) mod fixed {
    use super::Address;
    /// `Fail`, so that a test without another address backtracks.
    pub(in crate::machine) const FAIL: Address = 0;
    pub(in crate::machine) const STOP: Address = 1;
    pub(in crate::machine) const STOP_FAIL: Address = 2;
    pub(in crate::machine) const POP_FAIL: Address = 3;
    pub(in crate::machine) const DYNAMIC_NEXT: Address = 4;
    pub(in crate::machine) const CLEANUP: Address = 5;
}

impl Machine {
    /// `call/N` adds fewer arguments than this. The standard has it up to `call/8`; SWI-Prolog has no end.
    const MOST_ADDITIONAL: u16 = 16;

    /// The predicates of control that are instructions rather than clauses.
    pub(super) fn define_control(&mut self) {
        use Instruction as I;
        for additional in 0..Self::MOST_ADDITIONAL {
            let call = self.predicate(atom::CALL, additional as usize + 1);
            self.define_code(call, &[I::MetaCall(additional)]);
        }
        let call = PredicateId::CALL;
        let catch = self.predicate(atom::CATCH, 3);
        self.define_code(
            catch,
            &[
                I::Allocate(1),
                I::PushCatch,
                I::Call(call, Live::NONE),
                I::PopCatch,
                I::Deallocate,
                I::Proceed,
            ],
        );
        // `:/2` puts itself together again.
        let qualified = self.predicate(atom::COLON, 2);
        let functor = Cell::functor(atom::COLON, 2);
        self.define_code(
            qualified,
            &[I::PutStructure(2, functor), I::SetValueX(0), I::SetValueX(1), I::Move(2, 0), I::MetaCall(0)],
        );
        let collect = self.atoms.intern("garbage_collect");
        let collect = self.predicate(collect, 0);
        self.define_code(collect, &[I::Collect, I::Proceed]);
        for (name, code) in [(atom::TRUE, I::Proceed), (atom::FAIL, I::Fail), (atom::FALSE, I::Fail)] {
            let predicate = self.predicate(name, 0);
            self.define_code(predicate, &[code]);
        }
        let body = self.atoms.intern("$rtc_body");
        let body = self.predicate_in(atom::SYSTEM, body, 2);
        self.define_code(body, &[I::ContractBody]);
        self.define_signals();
        self.define_continuations();
        self.define_engines();
    }

    pub(super) fn define_code(&mut self, predicate: PredicateId, code: &[Instruction]) {
        let address = self.add_code(code);
        self.define(predicate, Kind::Control, address);
    }
}
