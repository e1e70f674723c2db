//! The last pass over a clause's code: how compound terms are built where they are not found, and frequent pairs.
//!
//! The emitter writes matching only. Here every `Get` and the `Unify` instructions behind it get a twin at the clause's
//! end that builds the same arguments, to which the code goes where it meets a free variable, and which leads back. So
//! no instruction asks at run time whether it matches or builds.

use super::label::{LABELS, Label};
use crate::machine::Instruction as I;

/// A twin: its instructions, the labels inside it, and where it leads back to.
struct Twin {
    code: Vec<I>,
    /// Labels with their positions in the twin, in rising order.
    entries: Vec<(Label, usize)>,
    back: Label,
}

struct Peephole<'a> {
    labels: &'a mut Vec<Option<u32>>,
    code: Vec<I>,
    twins: Vec<Twin>,
}

/// Rewrites a clause's code. Labels hold positions in the code, before and after.
pub(super) fn peephole(code: &[I], labels: &mut Vec<Option<u32>>) -> Vec<I> {
    let mut is_target = vec![false; code.len() + 1];
    for &position in labels.iter().flatten() {
        is_target[position as usize] = true;
    }
    let mut moved = vec![0; code.len() + 1];
    let old = labels.len();
    let mut pass = Peephole { labels, code: Vec::with_capacity(code.len()), twins: Vec::new() };
    let mut rest = code;
    while let Some(&instruction) = rest.first() {
        let position = code.len() - rest.len();
        moved[position] = pass.code.len() as u32;
        let taken = match instruction {
            I::GetList(..) | I::GetStructure(..) => pass.group(rest),
            _ => {
                let second = rest.get(1).filter(|_| !is_target[position + 1]);
                pass.pair(instruction, second.copied())
            }
        };
        rest = &rest[taken..];
    }
    moved[code.len()] = pass.code.len() as u32;
    for label in &mut pass.labels[..old] {
        *label = label.map(|position| moved[position as usize]);
    }
    pass.append_twins();
    pass.code
}

impl Peephole<'_> {
    fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(LABELS + self.labels.len() as u32 - 1)
    }

    fn set_label(&mut self, label: Label, position: usize) {
        self.labels[(label.0 - LABELS) as usize] = Some(position as u32);
    }

    /// Appends an instruction, as one with the next if the two are a frequent pair. Returns how many were taken.
    fn pair(&mut self, first: I, second: Option<I>) -> usize {
        let both = second.and_then(|second| fused(first, second));
        self.code.push(both.unwrap_or(first));
        1 + usize::from(both.is_some())
    }

    /// A `Get` and what belongs to it. Returns how many instructions were taken.
    fn group(&mut self, code: &[I]) -> usize {
        let count = 1 + code[1..].iter().take_while(|instruction| twin(**instruction).is_some()).count();
        match *code[..count].as_ref() {
            [I::GetList(a, _), I::UnifyVariableX(head), I::UnifyVariableX(tail)] => {
                self.code.push(I::GetListVariables(a, head, tail));
                return count;
            }
            [I::GetList(a, _), I::UnifyValueX(head), I::UnifyVariableX(tail)] => {
                self.code.push(I::GetListValue(a, head, tail));
                return count;
            }
            _ => {}
        }
        let back = self.label();
        let mut twin_of = Twin { code: Vec::new(), entries: Vec::new(), back };
        let mut rest = &code[..count];
        while let Some(&instruction) = rest.first() {
            if let Some(building) = twin(instruction) {
                twin_of.code.push(building);
            }
            let mut entry = || {
                let label = self.label();
                twin_of.entries.push((label, twin_of.code.len()));
                label.0
            };
            let instruction = match instruction {
                I::GetList(a, _) => I::GetList(a, entry()),
                I::GetStructure(a, _, functor) => I::GetStructure(a, entry(), functor),
                I::UnifyTailList(_) => I::UnifyTailList(entry()),
                I::UnifyTailStructure(_, functor) => I::UnifyTailStructure(entry(), functor),
                other => other,
            };
            let taken = self.pair(instruction, rest.get(1).copied());
            if taken == 2
                && let Some(building) = rest.get(1).copied().and_then(twin)
            {
                twin_of.code.push(building);
            }
            rest = &rest[taken..];
        }
        let end = self.code.len();
        self.set_label(back, end);
        self.twins.push(twin_of);
        count
    }

    fn append_twins(&mut self) {
        for twin in std::mem::take(&mut self.twins) {
            let mut rest = &twin.code[..];
            let mut entries = twin.entries.into_iter().peekable();
            loop {
                let position = twin.code.len() - rest.len();
                while let Some((label, _)) = entries.next_if(|&(_, at)| at == position) {
                    let here = self.code.len();
                    self.set_label(label, here);
                }
                let Some(&instruction) = rest.first() else { break };
                // An entry always follows a `SetTail`, which is the first of no pair.
                let taken = self.pair(instruction, rest.get(1).copied());
                rest = &rest[taken..];
            }
            self.code.push(I::Jump(twin.back.0));
        }
    }
}

/// What builds the argument that an instruction matches.
fn twin(instruction: I) -> Option<I> {
    Some(match instruction {
        I::UnifyVariableX(x) => I::SetVariableX(x),
        I::UnifyVariableY(y) => I::SetVariableY(y),
        I::UnifyValueX(x) => I::SetValueX(x),
        I::UnifyValueY(y) => I::SetValueY(y),
        I::UnifyConstant(cell) => I::SetConstant(cell),
        I::UnifyVoid(count) => I::SetVoid(count),
        I::UnifyTailList(_) => I::SetTailList,
        I::UnifyTailStructure(_, functor) => I::SetTailStructure(functor),
        _ => return None,
    })
}

/// Two instructions as one.
fn fused(first: I, second: I) -> Option<I> {
    Some(match (first, second) {
        (I::UnifyVariableX(a), I::UnifyVariableX(b)) => I::UnifyVariables(a, b),
        (I::SetValueX(a), I::SetValueX(b)) => I::SetValuesX(a, b),
        (I::PutValueY(a, b), I::PutValueY(c, d)) => I::PutValuesY(a, b, c, d),
        (I::GetVariableY(a, b), I::GetVariableY(c, d)) => I::GetVariablesY(a, b, c, d),
        (I::Move(a, b), I::Move(c, d)) => I::Moves(a, b, c, d),
        (I::Deallocate, I::Execute(predicate)) => I::DeallocateExecute(predicate),
        (I::Deallocate, I::Proceed) => I::DeallocateProceed,
        _ => return None,
    })
}
