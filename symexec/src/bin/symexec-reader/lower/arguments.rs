//! Variable arguments: the list of x86_64's convention, and the instruction that takes the next one out.

use symexec::base::bits::BinaryOp;
use symexec::module::{FloatFormat, Instruction, Operand, Predicate, Register, Term};

use super::Failure;
use super::function::Body;
use crate::llvm::Value;

/// The size of a `va_list` on x86_64.
const VA_LIST_BYTES: u64 = 24;

/// Where parts of it lie: the next argument in memory, and where the registers were saved.
const OVERFLOW: u64 = 8;
const SAVED: u64 = 16;

/// Registers of one sort in a list.
struct Sort {
    /// Where the list says how far into them it is.
    progress: u64,
    /// Where they end among all that were saved.
    end: u64,
    /// How many bytes each takes there.
    step: u64,
}

const INTEGERS: Sort = Sort { progress: 0, end: 48, step: 8 };
const NUMBERS: Sort = Sort { progress: 4, end: 176, step: 16 };

impl<'p> Body<'_, 'p> {
    /// Lowers `va_start` and its relatives; `None` if it is something else.
    pub(super) fn list_intrinsic(&mut self, value: Value<'p>, name: &str) -> Option<Result<(), Failure>> {
        let is =
            |whole: &str| name == whole || name.strip_prefix(whole).is_some_and(|it| it.starts_with('.'));
        if is("va_start") {
            let list = self.scalar(value.operand(0));
            return Some(list.map(|list| self.emit(Instruction::StartArguments { list })));
        }
        is("va_copy").then(|| {
            let target = self.scalar(value.operand(0))?;
            let source = self.scalar(value.operand(1))?;
            let length = self.lowering.bits(64, VA_LIST_BYTES);
            self.emit(Instruction::CopyMemory { to: target, from: source, length, width: 64 });
            Ok(())
        })
    }

    /// The next argument of a list. clang takes lists apart itself, other compilers have this instruction;
    /// what it does is what LLVM's code for it does.
    pub(super) fn next_argument(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let list = self.scalar(value.operand(0))?;
        let ty = value.ty();
        let lanes = self.lowering.lanes(ty)?;
        let refused = || format!("the instruction `{}` is not supported", value.text().trim());
        let [lane] = lanes.as_slice() else { return Err(refused()) };
        let size = self.lowering.program.size(ty).next_multiple_of(8);
        let sort = match lane.float {
            None if lane.width <= 64 => Some(INTEGERS),
            None => return Err(refused()),
            Some(FloatFormat::Extended | FloatFormat::Other(_)) => None,
            Some(_) => Some(NUMBERS),
        };
        let overflow = self.moved(list, OVERFLOW);
        let next = self.load_word(64, overflow);
        let next = match self.lowering.program.alignment(ty) {
            // As for the numbers of the x87.
            alignment @ 9.. => {
                let up = self.moved(next, alignment - 1);
                let down = self.lowering.bits(64, alignment.wrapping_neg());
                self.binary(BinaryOp::And, 64, up, down)
            }
            _ => next,
        };
        let after = self.moved(next, size);
        let (place, after) = match sort {
            None => (next, after),
            Some(sort) => {
                let progress = self.moved(list, sort.progress);
                let done = self.load_word(32, progress);
                let limit = self.lowering.bits(32, sort.end + 8 - size.min(sort.end));
                let fits = self.compare(Predicate::Ult, 32, done, limit);
                let step = self.lowering.bits(32, if sort.step == 8 { size } else { sort.step });
                let further = self.binary(BinaryOp::Add, 32, done, step);
                let further = self.select(32, fits, further, done);
                self.emit(Instruction::Store { width: 32, value: further, pointer: progress });
                let saved = self.moved(list, SAVED);
                let saved = self.load_word(64, saved);
                let index = self.extend(false, 32, 64, done);
                let (first, count) = self.add_terms(vec![Term { index, width: 64, scale: 1 }]);
                let inside = self.fresh(1);
                self.emit(Instruction::Offset { to: inside, base: saved, constant: 0, first, count });
                let place = self.select(64, fits, Operand::register(inside), next);
                (place, self.select(64, fits, next, after))
            }
        };
        self.emit(Instruction::Store { width: 64, value: after, pointer: overflow });
        self.emit(Instruction::Load { width: lane.width, to, pointer: place });
        Ok(())
    }

    fn load_word(&mut self, width: u32, pointer: Operand) -> Operand {
        let to = self.fresh(1);
        self.emit(Instruction::Load { width, to, pointer });
        Operand::register(to)
    }
}
