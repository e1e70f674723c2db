//! `llvm.vp.*`: operations on the elements of vectors that a mask and a length want. What the others become is not
//! defined, so they are computed like these where that can do no harm.

use symexec::base::bits::BinaryOp;
use symexec::module::{FloatFormat, FloatOp, FloatUnary, Instruction, Operand, Predicate, Register};

use super::Failure;
use super::constrained::{float_predicate_named, word};
use super::function::Body;
use crate::llvm::{Opcode, Value};

/// What the names of these functions begin with, behind `llvm.`.
pub(super) const PREFIX: &str = "vp.";

impl<'p> Body<'_, 'p> {
    /// Lowers `llvm.vp.NAME`.
    pub(super) fn predicated(&mut self, value: Value<'p>, name: &str, to: Register) -> Result<(), Failure> {
        let base = name.split('.').next().unwrap_or_default();
        let count = value.argument_count();
        let last = count.checked_sub(1).ok_or("an operand is missing")?;
        match base {
            "load" | "gather" => {
                let places = self.operands_at(value, 0)?;
                let wanted = self.wanted(value, last - 1, last)?;
                let mut others = Vec::new();
                for lane in self.lowering.lanes(value.ty())? {
                    others.push(self.lowering.bits(lane.width, 0));
                }
                self.masked_load(value.ty(), &places, &wanted, &others, to)
            }
            "store" | "scatter" => {
                let places = self.operands_at(value, 1)?;
                let wanted = self.wanted(value, last - 1, last)?;
                self.masked_store(value.operand(0).ok_or("a store of nothing")?, &places, &wanted)
            }
            "select" | "merge" => {
                let wanted = self.wanted(value, 0, last)?;
                let (yes, no) = (self.operands_at(value, 1)?, self.operands_at(value, 2)?);
                let lanes = self.lowering.lanes(value.ty())?;
                for (index, lane) in lanes.iter().enumerate() {
                    let (Some(wanted), Some(yes), Some(no)) =
                        (wanted.get(index), yes.get(index), no.get(index))
                    else {
                        continue;
                    };
                    let chosen = self.select(lane.width, *wanted, *yes, *no);
                    self.copy(lane.width, Self::after(to, index), chosen);
                }
                Ok(())
            }
            "reduce" => self.predicated_reduction(value, name, to),
            "cttz" if name.starts_with("cttz.elts.") => self.predicated_position(value, to),
            "abs" => self.predicated_absolute(value, to),
            "icmp" | "fcmp" => self.predicated_comparison(value, base, to),
            "udiv" | "sdiv" | "urem" | "srem" => self.predicated_division(value, base, to),
            "add" => self.plain(Opcode::LLVMAdd, value, to),
            "sub" => self.plain(Opcode::LLVMSub, value, to),
            "mul" => self.plain(Opcode::LLVMMul, value, to),
            "and" => self.plain(Opcode::LLVMAnd, value, to),
            "or" => self.plain(Opcode::LLVMOr, value, to),
            "xor" => self.plain(Opcode::LLVMXor, value, to),
            "shl" | "lshr" | "ashr" => self.predicated_shift(value, base, to),
            "fadd" => self.float_binary(value, to, FloatOp::Add),
            "fsub" => self.float_binary(value, to, FloatOp::Sub),
            "fmul" => self.float_binary(value, to, FloatOp::Mul),
            "fdiv" => self.float_binary(value, to, FloatOp::Div),
            "frem" => self.float_binary(value, to, FloatOp::Rem),
            "fneg" => self.float_unary(value, to, FloatUnary::Neg),
            "trunc" | "zext" | "ptrtoint" | "inttoptr" => self.plain(Opcode::LLVMTrunc, value, to),
            "sext" => self.plain(Opcode::LLVMSExt, value, to),
            "fptosi" => self.plain(Opcode::LLVMFPToSI, value, to),
            "fptoui" => self.plain(Opcode::LLVMFPToUI, value, to),
            "sitofp" => self.plain(Opcode::LLVMSIToFP, value, to),
            "uitofp" => self.plain(Opcode::LLVMUIToFP, value, to),
            "fptrunc" | "fpext" => self.plain(Opcode::LLVMFPTrunc, value, to),
            // As the functions of these names are, which do not look at operands behind their own, and give as many
            // elements as they take.
            "smin" | "smax" | "umin" | "umax" | "bswap" | "bitreverse" | "ctpop" | "ctlz" | "cttz"
            | "fshl" | "fshr" | "sadd" | "uadd" | "ssub" | "usub" | "fabs" | "sqrt" | "floor" | "ceil"
            | "round" | "roundeven" | "rint" | "nearbyint" | "minnum" | "maxnum" | "minimum" | "maximum"
            | "copysign" | "fma" | "fmuladd" | "lrint" | "llrint"
                if self.lowering.lane_count(value.ty())? == self.operands_at(value, 0)?.len() =>
            {
                self.intrinsic(value, name)
            }
            "is" if name.starts_with("is.fpclass.") => self.intrinsic(value, name),
            "roundtozero" => self.float_unary(value, to, FloatUnary::Trunc),
            _ => Err(format!("the intrinsic function `llvm.{PREFIX}{name}` is not supported")),
        }
    }

    fn plain(&mut self, opcode: Opcode, value: Value<'p>, to: Register) -> Result<(), Failure> {
        self.operation(opcode, value, to)
    }

    /// Which elements are wanted: those of the mask below the length.
    fn wanted(&mut self, value: Value<'p>, mask: u32, length: u32) -> Result<Vec<Operand>, Failure> {
        let mask = self.operands_at(value, mask)?;
        let length = self.scalar(value.operand(length))?;
        let known = self.known_number(length);
        let mut wanted = Vec::new();
        for (index, bit) in mask.into_iter().enumerate() {
            let index = index as u64;
            wanted.push(match (known, self.known_bit(bit)) {
                (Some(length), _) if index < length => bit,
                (Some(_), _) | (None, Some(false)) => self.lowering.bits(1, 0),
                (None, _) => {
                    let number = self.lowering.bits(32, index);
                    let below = self.compare(Predicate::Ult, 32, number, length);
                    self.binary(BinaryOp::And, 1, bit, below)
                }
            });
        }
        Ok(wanted)
    }

    /// The divisor of what is not wanted may be anything, also zero.
    fn predicated_division(&mut self, value: Value<'p>, base: &str, to: Register) -> Result<(), Failure> {
        let op = match base {
            "udiv" => BinaryOp::UDiv,
            "sdiv" => BinaryOp::SDiv,
            "urem" => BinaryOp::URem,
            _ => BinaryOp::SRem,
        };
        self.harmless(value, op, 1, to)
    }

    /// Nor is the distance of what is not wanted one in range.
    fn predicated_shift(&mut self, value: Value<'p>, base: &str, to: Register) -> Result<(), Failure> {
        let op = match base {
            "shl" => BinaryOp::Shl,
            "lshr" => BinaryOp::LShr,
            _ => BinaryOp::AShr,
        };
        self.harmless(value, op, 0, to)
    }

    /// An operation on the elements that are wanted, and with a harmless second operand on the others.
    fn harmless(&mut self, value: Value<'p>, op: BinaryOp, second: u64, to: Register) -> Result<(), Failure> {
        let wanted = self.wanted(value, 2, 3)?;
        let (left, right) = (self.operands_at(value, 0)?, self.operands_at(value, 1)?);
        let lanes = self.lowering.lanes(value.ty())?;
        for (index, lane) in lanes.iter().enumerate() {
            let width = lane.width;
            let (Some(wanted), Some(left), Some(right)) =
                (wanted.get(index), left.get(index), right.get(index))
            else {
                continue;
            };
            let harmless = self.lowering.bits(width, second);
            let right = self.select(width, *wanted, *right, harmless);
            let to = Self::after(to, index);
            self.emit(Instruction::Binary { op, width, to, left: *left, right });
        }
        Ok(())
    }

    /// The least number is an error, where it is to be one, among the elements that are wanted only.
    fn predicated_absolute(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let refuses = value.operand(1).is_some_and(|flag| flag.small_int() == Some(1));
        let wanted = self.wanted(value, 2, 3)?;
        let lanes = self.lowering.lanes(value.ty())?;
        let elements = self.operands_at(value, 0)?;
        for (index, ((lane, element), wanted)) in lanes.iter().zip(elements).zip(wanted).enumerate() {
            let harmless = self.lowering.bits(lane.width, 0);
            let element = self.select(lane.width, wanted, element, harmless);
            let result = self.absolute(lane.width, element, refuses);
            self.copy(lane.width, Self::after(to, index), result);
        }
        Ok(())
    }

    /// The place of the first element that is wanted and not zero, or the length if there is none.
    fn predicated_position(&mut self, value: Value<'p>, to: Register) -> Result<(), Failure> {
        let width = self.width(value)?;
        let lanes = self.lowering.lanes(value.operand(0).ok_or("an operand is missing")?.ty())?;
        let wanted = self.wanted(value, 2, 3)?;
        let elements = self.operands_at(value, 0)?;
        let length = self.scalar(value.operand(3))?;
        let mut result = if width < 32 {
            self.extract(32, 0, width, length)
        } else {
            self.extend(false, 32, width, length)
        };
        for (index, ((lane, element), wanted)) in lanes.iter().zip(elements).zip(wanted).enumerate().rev() {
            let zero = self.lowering.bits(lane.width, 0);
            let is_set = self.compare(Predicate::Ne, lane.width, element, zero);
            let here = self.binary(BinaryOp::And, 1, wanted, is_set);
            let place = self.lowering.bits(width, index as u64);
            result = self.select(width, here, place, result);
        }
        self.copy(width, to, result);
        Ok(())
    }

    fn predicated_comparison(&mut self, value: Value<'p>, base: &str, to: Register) -> Result<(), Failure> {
        let how = value.operand(2).and_then(word).ok_or("a comparison without predicate")?;
        if base == "fcmp" {
            let predicate = float_predicate_named(&how).ok_or("a comparison without predicate")?;
            return self.float_compare(value, to, predicate);
        }
        let predicate = match how.as_str() {
            "eq" => Predicate::Eq,
            "ne" => Predicate::Ne,
            "ugt" => Predicate::Ugt,
            "uge" => Predicate::Uge,
            "ult" => Predicate::Ult,
            "ule" => Predicate::Ule,
            "sgt" => Predicate::Sgt,
            "sge" => Predicate::Sge,
            "slt" => Predicate::Slt,
            "sle" => Predicate::Sle,
            _ => return Err("a comparison without predicate".to_owned()),
        };
        let lanes = self.lowering.lanes(value.operand(0).ok_or("an operand is missing")?.ty())?;
        let (left, right) = (self.operands_at(value, 0)?, self.operands_at(value, 1)?);
        for (index, ((lane, left), right)) in lanes.iter().zip(left).zip(right).enumerate() {
            let result = self.compare(predicate, lane.width, left, right);
            self.copy(1, Self::after(to, index), result);
        }
        Ok(())
    }

    /// A number, and with it the elements that are wanted, in their order.
    fn predicated_reduction(&mut self, value: Value<'p>, name: &str, to: Register) -> Result<(), Failure> {
        let kind = name.split('.').nth(1).unwrap_or_default();
        let lanes = self.lowering.lanes(value.ty())?;
        let lane = *lanes.first().ok_or("no result")?;
        let width = lane.width;
        let wanted = self.wanted(value, 2, 3)?;
        let mut result = self.scalar(value.operand(0))?;
        for (element, wanted) in self.operands_at(value, 1)?.into_iter().zip(wanted) {
            let (binary, predicate) = match kind {
                "add" => (Some(BinaryOp::Add), None),
                "mul" => (Some(BinaryOp::Mul), None),
                "and" => (Some(BinaryOp::And), None),
                "or" => (Some(BinaryOp::Or), None),
                "xor" => (Some(BinaryOp::Xor), None),
                "smax" => (None, Some(Predicate::Sgt)),
                "smin" => (None, Some(Predicate::Slt)),
                "umax" => (None, Some(Predicate::Ugt)),
                "umin" => (None, Some(Predicate::Ult)),
                _ => (None, None),
            };
            let next = match (binary, predicate, kind) {
                (Some(op), ..) => self.binary(op, width, result, element),
                (_, Some(predicate), _) => self.choice(predicate, width, result, element),
                (.., "fadd" | "fmul") => {
                    let op = if kind == "fadd" { FloatOp::Add } else { FloatOp::Mul };
                    let format: FloatFormat = lane.format();
                    let sum = self.fresh(1);
                    self.emit(Instruction::Float { op, format, to: sum, left: result, right: element });
                    Operand::register(sum)
                }
                (.., "fmax") => self.float_chosen("maxnum", &lane, result, element),
                (.., "fmin") => self.float_chosen("minnum", &lane, result, element),
                (.., "fmaximum") => self.float_chosen("maximum", &lane, result, element),
                (.., "fminimum") => self.float_chosen("minimum", &lane, result, element),
                _ => return Err(format!("the intrinsic function `llvm.{PREFIX}{name}` is not supported")),
            };
            result = self.select(width, wanted, next, result);
        }
        self.copy(width, to, result);
        Ok(())
    }
}
