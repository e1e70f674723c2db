//! The code of a predicate as text, for tests and for `rtcheck listing`.

use crate::machine::{Cases, Instruction, Machine, PredicateId, fixed};
use crate::term::{Cell, WriteOptions, Writer};
use std::collections::BTreeSet;
use std::fmt::Write as _;

impl Machine {
    /// The instructions from a predicate's entry on, one per line, with addresses relative to the entry, so
    /// that equal programs have equal listings wherever their code lies.
    #[must_use]
    pub fn listing(&self, id: PredicateId) -> String {
        let predicate = self.predicate_at(id);
        let mut text = format!("{}/{}:\n", self.atoms.text(predicate.name), predicate.arity);
        let start = predicate.wrapper.unwrap_or(predicate.body);
        // The entry comes first; the clauses that it switches between lie before it.
        let mut reached = BTreeSet::new();
        let mut pending = vec![start];
        while let Some(address) = pending.pop() {
            if address <= fixed::DYNAMIC_NEXT || !reached.insert(address) {
                continue;
            }
            let instruction = self.code_at(address);
            let falls_through = !matches!(
                instruction,
                Instruction::Proceed
                    | Instruction::Execute(_)
                    | Instruction::Jump(_)
                    | Instruction::Fail
                    | Instruction::Trust(_)
                    | Instruction::Switch(_)
                    | Instruction::SwitchList(..)
                    | Instruction::CopyList(..)
                    | Instruction::DeallocateExecute(_)
                    | Instruction::DeallocateProceed
                    | Instruction::MetaCall(_)
                    | Instruction::Undefined(_)
                    | Instruction::Uncompiled(_)
                    | Instruction::Dynamic(_)
                    | Instruction::Forward(_)
                    | Instruction::Traced(..)
                    | Instruction::FinishOne(..)
                    | Instruction::Finish(..)
            );
            // A wrapper without postconditions continues at the body of its predicate.
            let contract = instruction.entered_contract();
            let leaves =
                contract.is_some() && !matches!(self.code.get(address + 1), Some(Instruction::CallBody(_)));
            if falls_through && !leaves {
                pending.push(address + 1);
            }
            if let Some(number) = contract {
                pending.push(self.predicate_at(self.contracts[number as usize].predicate).body);
            }
            pending.extend(self.targets(instruction));
        }
        for address in reached {
            let shown = self.show(self.code_at(address), start);
            let _ = writeln!(text, "{:>6} {shown}", i64::from(address) - i64::from(start));
        }
        text
    }

    pub(in crate::machine) fn targets(&self, instruction: Instruction) -> Vec<u32> {
        match instruction {
            Instruction::Try(to, _)
            | Instruction::Retry(to)
            | Instruction::Trust(to)
            | Instruction::TryElse(to)
            | Instruction::Jump(to)
            | Instruction::Test(_, _, to)
            | Instruction::CompareNumbers(_, _, _, to)
            | Instruction::CompareTerms(_, _, _, to)
            | Instruction::CompareSmall(_, _, _, to)
            | Instruction::JumpIfFree(_, to)
            | Instruction::MatchConstant(_, to, _)
            | Instruction::MatchList(_, to)
            | Instruction::MatchStructure(_, to, _)
            | Instruction::GetList(_, to)
            | Instruction::GetStructure(_, to, _)
            | Instruction::UnifyTailList(to)
            | Instruction::UnifyTailStructure(to, _) => vec![to],
            // The body, or the clauses by their exits.
            Instruction::EnterBare(_, _, to, _)
            | Instruction::EnterBareTwo(_, _, to)
            | Instruction::EnterBareThree(_, _, to) => vec![to],
            Instruction::CopyList(_, _, _, to) => vec![to],
            Instruction::SwitchList(_, variable, list, empty) => vec![variable, list, empty],
            Instruction::SwitchListVariables(_, _, _, variable, empty) => vec![variable, empty],
            Instruction::MatchValue(_, _, different, unknown)
            | Instruction::MatchNumbers(_, _, _, different, unknown)
            | Instruction::MatchSmall(_, _, _, different, unknown) => vec![different, unknown],
            Instruction::Switch(table) => {
                let table = self.table_at(table);
                let mut targets = vec![table.variable, table.list, table.other];
                targets.extend(self.cases(&table.cases).into_iter().map(|(_, address)| address));
                targets
            }
            _ => Vec::new(),
        }
    }

    fn cases(&self, cases: &Cases) -> Vec<(Cell, u32)> {
        let mut cases: Vec<(Cell, u32)> = match cases {
            Cases::Few(cases) => cases.clone(),
            Cases::Many(cases) => {
                let mut sorted: Vec<_> = cases.iter().map(|(&cell, &address)| (cell, address)).collect();
                sorted.sort_unstable();
                sorted
            }
        };
        cases.sort_by_key(|&(_, address)| address);
        cases
    }

    fn show(&self, instruction: Instruction, start: u32) -> String {
        use Instruction as I;
        let predicate = |id: PredicateId| {
            let predicate = self.predicate_at(id);
            format!("{}/{}", self.atoms.text(predicate.name), predicate.arity)
        };
        let at = |address: u32| {
            if address <= fixed::DYNAMIC_NEXT {
                "fail".to_owned()
            } else {
                (i64::from(address) - i64::from(start)).to_string()
            }
        };
        let constant = |cell: Cell| self.show_constant(cell);
        match instruction {
            I::Call(id, _) => format!("Call {}", predicate(id)),
            I::Execute(id) => format!("Execute {}", predicate(id)),
            I::CallBody(id) => format!("CallBody {}", predicate(id)),
            I::EnterBare(number, ..) | I::EnterBareTwo(number, ..) | I::EnterBareThree(number, ..) => {
                format!("EnterBare({number})")
            }
            I::EnterFramed(number, ..) | I::EnterFramedTwo(number, ..) | I::EnterFramedThree(number, ..) => {
                format!("EnterFramed({number})")
            }
            I::EnterFramedWide(number, ..) => format!("EnterFramedWide({number})"),
            I::KeepArguments(count, _) => format!("KeepArguments({count})"),
            I::FinishOne(number, a, _) => format!("FinishOne({number}, {a})"),
            I::Finish(number, _, count) => format!("Finish({number}, {count})"),
            I::LeaveOne(number, slot, _) => format!("LeaveOne({number}, {slot})"),
            I::LeaveTwo(number, slot, other, _) => format!("LeaveTwo({number}, {slot}, {other})"),
            I::TrustElse(_) => "TrustElse".to_owned(),
            I::Undefined(_) => "Undefined".to_owned(),
            I::Uncompiled(_) => "Uncompiled".to_owned(),
            I::Traced(..) => "Traced".to_owned(),
            I::Dynamic(_) => "Dynamic".to_owned(),
            I::Try(to, arity) => format!("Try {} {arity}", at(to)),
            I::Retry(to) => format!("Retry {}", at(to)),
            I::Trust(to) => format!("Trust {}", at(to)),
            I::TryElse(to) => format!("TryElse {}", at(to)),
            I::Jump(to) => format!("Jump {}", at(to)),
            I::Test(test, a, to) => format!("Test {test:?} X{a} else {}", at(to)),
            I::CompareNumbers(comparison, a, b, to) => {
                format!("CompareNumbers {comparison:?} X{a} X{b} else {}", at(to))
            }
            I::CompareSmall(comparison, a, number, to) => {
                format!("CompareSmall {comparison:?} X{a} {number} else {}", at(to))
            }
            I::CompareTerms(comparison, a, b, to) => {
                format!("CompareTerms {comparison:?} X{a} X{b} else {}", at(to))
            }
            I::JumpIfFree(a, to) => format!("JumpIfFree X{a} {}", at(to)),
            I::MatchConstant(a, to, id) => format!("MatchConstant X{a} {} else {}", constant(id), at(to)),
            I::MatchList(a, to) => format!("MatchList X{a} else {}", at(to)),
            I::MatchStructure(a, to, id) => format!("MatchStructure X{a} {} else {}", constant(id), at(to)),
            I::MatchNumbers(comparison, a, b, different, unknown) => format!(
                "MatchNumbers {comparison:?} X{a} X{b} else {}, unknown {}",
                at(different),
                at(unknown)
            ),
            I::MatchSmall(comparison, a, number, different, unknown) => format!(
                "MatchSmall {comparison:?} X{a} {number} else {}, unknown {}",
                at(different),
                at(unknown)
            ),
            I::MatchValue(a, b, different, unknown) => {
                format!("MatchValue X{a} X{b} else {}, unknown {}", at(different), at(unknown))
            }
            I::CopyList(a, copy, id, next) => {
                format!("CopyList X{a} X{copy}, {}: {}", predicate(id), at(next))
            }
            I::SwitchListVariables(a, head, tail, variable, empty) => format!(
                "SwitchListVariables X{a}: variable {}, [] {}, list X{head} X{tail}",
                at(variable),
                at(empty)
            ),
            I::GetConstant(a, id) => format!("GetConstant X{a} {}", constant(id)),
            I::GetStructure(a, to, id) => format!("GetStructure X{a} {} else {}", constant(id), at(to)),
            I::GetList(a, to) => format!("GetList X{a} else {}", at(to)),
            I::UnifyTailList(to) => format!("UnifyTailList else {}", at(to)),
            I::DeallocateExecute(id) => format!("DeallocateExecute {}", predicate(id)),
            I::SwitchList(a, variable, list, empty) => {
                format!("SwitchList X{a}: variable {}, list {}, [] {}", at(variable), at(list), at(empty))
            }
            I::PutConstant(a, id) => format!("PutConstant X{a} {}", constant(id)),
            I::PutStructure(a, id) => format!("PutStructure X{a} {}", constant(id)),
            I::FillStructure(a, id) => format!("FillStructure X{a} {}", constant(id)),
            I::UnifyConstant(id) => format!("UnifyConstant {}", constant(id)),
            I::UnifyTailStructure(to, id) => format!("UnifyTailStructure {} else {}", constant(id), at(to)),
            I::SetConstant(id) => format!("SetConstant {}", constant(id)),
            I::SetTailStructure(id) => format!("SetTailStructure {}", constant(id)),
            I::Switch(table) => {
                let table = self.table_at(table);
                let mut text = format!(
                    "Switch X{}: variable {}, list {}, other {}",
                    table.argument,
                    at(table.variable),
                    at(table.list),
                    at(table.other)
                );
                for (cell, address) in self.cases(&table.cases) {
                    let _ = write!(text, ", {} {}", self.show_constant(cell), at(address));
                }
                text
            }
            other => format!("{other:?}"),
        }
    }

    fn show_constant(&self, cell: Cell) -> String {
        if cell.is_functor() {
            return format!("{}/{}", self.atoms.text(cell.name()), cell.arity());
        }
        let options = WriteOptions { quoted: true, ..WriteOptions::default() };
        Writer::new(&self.store, &self.atoms, &self.operators, options).text(cell, 999)
    }
}
