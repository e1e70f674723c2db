//! One function's body: registers, blocks, edges, terminators and calls.
//!
//! First every parameter and instruction gets its registers, so that later code may refer to earlier
//! and, through phi instructions, to later ones. Then the blocks are lowered in order; an edge carries
//! the moves that stand for the phi instructions of its target. What cannot be executed becomes a
//! refusal at its place, so that only a path that reaches it ends there.

use rustc_hash::FxHashMap;
use symexec::base::bits::BinaryOp;
use symexec::module::{
    Argument, Call, CallId, Callee, Class, Constant, Copied, Edge, EdgeId, FloatFormat, Function,
    Instruction, LocationId, Move, Operand, Predicate, Register, Switch, SwitchId, Symbol,
};

use super::{Failure, Lowering};
use crate::llvm::{Block, Opcode, TypeKind, Value};

/// The state of a body's lowering.
pub(super) struct Body<'a, 'p> {
    pub(super) lowering: &'a mut Lowering<'p>,
    function: Value<'p>,
    pub(super) code: Function,
    registers: FxHashMap<Value<'p>, u32>,
    blocks: FxHashMap<Block<'p>, usize>,
    /// For each edge: the block that it leads to. `None` if its target is a position already.
    targets: Vec<Option<usize>>,
    /// Edges of the terminator that is being lowered, by target.
    outgoing: FxHashMap<usize, EdgeId>,
    current: Option<Block<'p>>,
    location: LocationId,
    /// Whether its machine code rounds a product and a sum once where the text allows that.
    pub(super) fuses: bool,
    /// The line of the current instruction in the assembly file; 0 if there is no such file.
    line: u32,
}

/// Lowers the body of a function; `lines` are those of its instructions in the assembly file, if there is
/// one.
pub(super) fn lower<'p>(
    lowering: &mut Lowering<'p>,
    function: Value<'p>,
    lines: Vec<u32>,
) -> Result<Function, Failure> {
    let mut lines = lines.into_iter();
    let blocks = function.blocks();
    let declared = lowering.functions.get(&function).map(|id| lowering.module.functions[id.index()].clone());
    let mut body = Body {
        lowering,
        function,
        code: Function { name: String::new(), ..declared.unwrap_or_default() },
        registers: FxHashMap::default(),
        blocks: blocks.iter().enumerate().map(|(index, block)| (*block, index)).collect(),
        targets: Vec::new(),
        outgoing: FxHashMap::default(),
        current: None,
        location: LocationId(0),
        fuses: function.has_feature("+fma"),
        line: 0,
    };
    body.assign_registers(&blocks).map_err(|what| format!("function `{}`: {what}", function.name()))?;
    let mut starts = Vec::with_capacity(blocks.len());
    for block in &blocks {
        starts.push(body.position());
        body.current = Some(*block);
        body.outgoing.clear();
        for instruction in block.instructions() {
            body.location = body.lowering.location_of(instruction);
            body.line = lines.next().unwrap_or(0);
            if let Err(what) = body.instruction(instruction) {
                body.refuse(&what);
            }
        }
    }
    for (edge, target) in body.code.edges.iter_mut().zip(&body.targets) {
        if let Some(block) = target {
            edge.target = starts[*block];
        }
    }
    Ok(body.code)
}

impl<'p> Body<'_, 'p> {
    fn assign_registers(&mut self, blocks: &[Block<'p>]) -> Result<(), Failure> {
        for parameter in self.function.parameters() {
            self.assign(parameter)?;
        }
        for block in blocks {
            for instruction in block.instructions() {
                self.assign(instruction)?;
            }
        }
        Ok(())
    }

    fn assign(&mut self, value: Value<'p>) -> Result<(), Failure> {
        // A type that cannot be held in registers is refused where the value is made.
        let count = self.lowering.lane_count(value.ty()).unwrap_or(0);
        let first = self.fresh(count);
        self.registers.insert(value, first.0);
        if self.code.registers >= 1 << 30 {
            return Err("it needs too many registers".to_owned());
        }
        Ok(())
    }

    /// New registers in a row.
    pub(super) fn fresh(&mut self, count: usize) -> Register {
        let first = Register(self.code.registers);
        self.code.registers = self.code.registers.saturating_add(u32::try_from(count).unwrap_or(u32::MAX));
        first
    }

    fn position(&self) -> u32 {
        u32::try_from(self.code.code.len()).unwrap_or(u32::MAX)
    }

    /// Appends an instruction.
    pub(super) fn emit(&mut self, instruction: Instruction) {
        self.code.code.push(instruction);
        self.code.locations.push(self.location);
        if self.line > 0 {
            self.code.assembly.push(self.line);
        }
    }

    /// An error for the case that a condition holds.
    pub(super) fn refuse_where(&mut self, condition: Operand, what: &str) {
        let skipped = self.skip_unless(condition);
        self.refuse(what);
        self.land_here(skipped);
    }

    /// Goes on behind this only where a condition holds; the edge that is taken otherwise is still to get its
    /// target, from [`Self::land_here`].
    pub(super) fn skip_unless(&mut self, condition: Operand) -> EdgeId {
        let one = self.lowering.constant_id(Constant::Bits { width: 1, value: 1 });
        let after = self.position() + 1;
        let [taken, skipped] = [(); 2].map(|()| {
            let edge = EdgeId::at(self.code.edges.len());
            self.code.edges.push(Edge { target: after, first: 0, count: 0 });
            self.targets.push(None);
            edge
        });
        self.add_switch(Switch { value: condition, width: 1, cases: vec![(one, taken)], default: skipped });
        skipped
    }

    /// An edge leads to what comes next.
    pub(super) fn land_here(&mut self, edge: EdgeId) {
        let target = self.position();
        if let Some(edge) = self.code.edges.get_mut(edge.index()) {
            edge.target = target;
        }
    }

    pub(super) fn refuse(&mut self, what: &str) {
        let text = self.lowering.text(what);
        self.emit(Instruction::Refuse(text));
    }

    /// The registers of an instruction's result.
    pub(super) fn result(&self, value: Value<'p>) -> Register {
        Register(self.registers.get(&value).copied().unwrap_or(0))
    }

    /// The scalars of a value.
    pub(super) fn operands(&mut self, value: Value<'p>) -> Result<Vec<Operand>, Failure> {
        if let Some(&first) = self.registers.get(&value) {
            let count = self.lowering.lane_count(value.ty())?;
            return Ok((first..).take(count).map(|index| Operand::register(Register(index))).collect());
        }
        if let Some(lanes) = self.lowering.constant_lanes(value, 0)? {
            return Ok(lanes);
        }
        if value.is_expression()
            && let Some(opcode) = value.opcode()
        {
            let count = self.lowering.lane_count(value.ty())?;
            let to = self.fresh(count);
            self.operation(opcode, value, to)?;
            return Ok((to.0..).take(count).map(|index| Operand::register(Register(index))).collect());
        }
        Err(format!("the operand `{}` is not supported", value.text()))
    }

    /// The only scalar of a value.
    pub(super) fn scalar(&mut self, value: Option<Value<'p>>) -> Result<Operand, Failure> {
        let value = value.ok_or("an operand is missing")?;
        match self.operands(value)?.as_slice() {
            [operand] => Ok(*operand),
            _ => Err(format!("`{}` is not a scalar", value.text())),
        }
    }

    fn instruction(&mut self, value: Value<'p>) -> Result<(), Failure> {
        let Some(opcode) = value.opcode() else { return Ok(()) };
        match opcode {
            Opcode::LLVMPHI => Ok(()),
            Opcode::LLVMRet => self.lower_return(value),
            Opcode::LLVMBr => self.lower_branch(value),
            Opcode::LLVMSwitch => self.lower_switch(value),
            Opcode::LLVMIndirectBr => self.lower_indirect_branch(value),
            Opcode::LLVMUnreachable => {
                self.emit(Instruction::Unreachable);
                Ok(())
            }
            Opcode::LLVMCall => self.lower_call(value),
            // What it gives is written by whoever goes on there.
            Opcode::LLVMLandingPad => Ok(()),
            Opcode::LLVMResume => self.lower_resume(value),
            Opcode::LLVMInvoke => {
                self.lower_call(value)?;
                let normal = value.normal_destination().ok_or("an invoke without destination")?;
                let edge = self.edge(normal)?;
                self.emit(Instruction::Jump(edge));
                Ok(())
            }
            _ => {
                let to = self.result(value);
                self.operation(opcode, value, to)
            }
        }
    }

    fn lower_return(&mut self, value: Value<'p>) -> Result<(), Failure> {
        let lanes = match value.operand(0) {
            Some(result) => self.operands(result)?,
            None => Vec::new(),
        };
        let first = length(self.code.operands.len());
        let count = length(lanes.len());
        self.code.operands.extend(lanes);
        self.emit(Instruction::Return { first, count });
        Ok(())
    }

    /// The edge from the current block to another, with the moves for the phi instructions there.
    pub(super) fn edge(&mut self, to: Block<'p>) -> Result<EdgeId, Failure> {
        let target = *self.blocks.get(&to).ok_or("a jump out of the function")?;
        if let Some(&edge) = self.outgoing.get(&target) {
            return Ok(edge);
        }
        let mut moves = Vec::new();
        for phi in to.instructions().take_while(|value| value.opcode() == Some(Opcode::LLVMPHI)) {
            let incoming = phi.incoming().into_iter().find(|(_, from)| Some(*from) == self.current);
            let (value, _) = incoming.ok_or("a phi instruction lacks a predecessor")?;
            let registers = self.result(phi).0..;
            let lanes = self.operands(value)?;
            moves.extend(registers.zip(lanes).map(|(to, value)| Move { to: Register(to), value }));
        }
        let first = length(self.code.moves.len());
        let count = length(moves.len());
        self.code.moves.extend(moves);
        let edge = EdgeId::at(self.code.edges.len());
        self.code.edges.push(Edge { target: 0, first, count });
        self.targets.push(Some(target));
        self.outgoing.insert(target, edge);
        Ok(edge)
    }

    fn lower_branch(&mut self, value: Value<'p>) -> Result<(), Failure> {
        let successors = value.successors();
        match (value.condition(), successors.as_slice()) {
            (None, [only]) => {
                let edge = self.edge(*only)?;
                self.emit(Instruction::Jump(edge));
            }
            (Some(condition), [yes, no]) => {
                let condition = self.scalar(Some(condition))?;
                let (yes, no) = (self.edge(*yes)?, self.edge(*no)?);
                self.emit(Instruction::Branch { condition, yes, no });
            }
            _ => return Err("a branch of unknown form".to_owned()),
        }
        Ok(())
    }

    fn lower_switch(&mut self, value: Value<'p>) -> Result<(), Failure> {
        let tested = value.operand(0).ok_or("a switch without value")?;
        let width = tested.ty().integer_width();
        let operand = self.scalar(Some(tested))?;
        let default = value.default_destination().ok_or("a switch without default")?;
        let default = self.edge(default)?;
        // Operands: value, default, then pairs of constant and block; successors: default, then cases.
        let successors = value.successors();
        let mut cases = Vec::new();
        for (index, target) in successors.iter().enumerate().skip(1) {
            let label = value.operand(length(2 * index)).ok_or("a switch without label")?;
            let constant =
                self.lowering.scalar_constant(label)?.ok_or("a switch with a label that is no number")?;
            let constant = self.lowering.constant_id(constant);
            cases.push((constant, self.edge(*target)?));
        }
        self.add_switch(Switch { value: operand, width, cases, default });
        Ok(())
    }

    fn add_switch(&mut self, switch: Switch) {
        let id = SwitchId::at(self.code.switches.len());
        self.code.switches.push(switch);
        self.emit(Instruction::Switch(id));
    }

    /// A computed jump is a switch over the numbers of the blocks that it may lead to.
    fn lower_indirect_branch(&mut self, value: Value<'p>) -> Result<(), Failure> {
        let operand = self.scalar(value.operand(0))?;
        let mut cases = Vec::new();
        for target in value.successors() {
            let number =
                self.lowering.block_number(self.function, target).ok_or("a jump to an unknown block")?;
            let constant = self.lowering.constant_id(Constant::Bits { width: 64, value: number });
            let edge = self.edge(target)?;
            if !cases.contains(&(constant, edge)) {
                cases.push((constant, edge));
            }
        }
        let default = EdgeId::at(self.code.edges.len());
        let after = self.position() + 1;
        self.code.edges.push(Edge { target: after, first: 0, count: 0 });
        self.targets.push(None);
        self.add_switch(Switch { value: operand, width: 64, cases, default });
        self.refuse("indirectbr: illegal label address");
        Ok(())
    }

    fn lower_call(&mut self, value: Value<'p>) -> Result<(), Failure> {
        let called = value.callee().ok_or("a call of nothing")?;
        if let Some((text, constraints)) = called.assembly() {
            if self.inline_assembly(value, text.trim(), constraints.as_deref())? {
                return Ok(());
            }
            return Err(format!("inline assembly is not supported: {text}"));
        }
        if called.is_function() {
            let name = called.name();
            if name.starts_with("llvm.") {
                return self.intrinsic(value, &name);
            }
        }
        let callee = match (self.lowering.resolved_place(called), self.lowering.symbol(called)) {
            (Some(pointer), _) => {
                let chosen = self.fresh(1);
                self.emit(Instruction::Load { width: 64, to: chosen, pointer });
                Callee::Pointer(Operand::register(chosen))
            }
            (None, Some((Symbol::Function(id), 0))) => Callee::Function(id),
            (None, _) => Callee::Pointer(self.scalar(Some(called))?),
        };
        let mut arguments = Vec::new();
        let fixed = value.fixed_arguments();
        for index in 0..value.argument_count() {
            let argument = value.operand(index).ok_or("a call without argument")?;
            let copied = value.call_attribute_type(index, self.lowering.byval).map(|ty| Copied {
                size: self.lowering.program.size(ty),
                alignment: match value.call_attribute_number(index, self.lowering.align) {
                    0 => self.lowering.program.alignment(ty),
                    given => given,
                },
            });
            let lanes = self.lowering.lanes(argument.ty())?;
            let operands = self.operands(argument)?;
            let vector = argument.ty().kind() == TypeKind::LLVMVectorTypeKind;
            let signed = value.has_call_attribute(index, self.lowering.signext);
            // A vector is one value to whoever reads it from the variable arguments.
            if vector && index >= fixed {
                let widths: Vec<u32> = lanes.iter().map(|lane| lane.width).collect();
                let class = if widths.iter().sum::<u32>() <= 128 { Class::Vector } else { Class::Memory };
                let joined = self.join(&widths, &operands);
                arguments.extend(joined.map(|(value, width)| Argument {
                    value,
                    width,
                    signed,
                    class,
                    copied,
                }));
                continue;
            }
            arguments.extend(operands.iter().zip(&lanes).enumerate().map(|(place, (value, lane))| {
                let class = match lane.float {
                    _ if copied.is_some() => Class::Memory,
                    _ if vector && place > 0 => Class::Continued,
                    // The numbers of the x87 have no registers that pass arguments.
                    Some(FloatFormat::Extended | FloatFormat::Other(_)) => Class::Memory,
                    Some(_) => Class::Vector,
                    None if vector => Class::Vector,
                    None if lane.width <= 128 => Class::Integer,
                    None => Class::Memory,
                };
                Argument { value: *value, width: lane.width, signed, class, copied }
            }));
        }
        // What nobody looks at may also be missing: the callee may be one that returns nothing.
        let results = match value.is_used() {
            true => self.lowering.lanes(value.ty())?.iter().map(|lane| lane.width).collect(),
            false => Vec::new(),
        };
        let to = self.result(value);
        let pad = self.landing_pad(value)?;
        self.add_call(Call { callee, arguments, to, results, pad });
        Ok(())
    }

    /// Appends a call.
    pub(super) fn add_call(&mut self, call: Call) {
        let id = CallId::at(self.code.calls.len());
        self.code.calls.push(call);
        self.emit(Instruction::Call(id));
    }

    /// Appends scaled terms; the position of the first and how many they are.
    pub(super) fn add_terms(&mut self, terms: Vec<symexec::module::Term>) -> (u32, u32) {
        let first = length(self.code.terms.len());
        let count = length(terms.len());
        self.code.terms.extend(terms);
        (first, count)
    }

    /// An operation into a new register.
    pub(super) fn binary(&mut self, op: BinaryOp, width: u32, left: Operand, right: Operand) -> Operand {
        let to = self.fresh(1);
        self.emit(Instruction::Binary { op, width, to, left, right });
        Operand::register(to)
    }

    /// A comparison into a new register.
    pub(super) fn compare(
        &mut self,
        predicate: Predicate,
        width: u32,
        left: Operand,
        right: Operand,
    ) -> Operand {
        let to = self.fresh(1);
        self.emit(Instruction::Compare { predicate, width, to, left, right });
        Operand::register(to)
    }

    /// A choice into a new register.
    pub(super) fn select(&mut self, width: u32, condition: Operand, yes: Operand, no: Operand) -> Operand {
        let to = self.fresh(1);
        self.emit(Instruction::Select { width, to, condition, yes, no });
        Operand::register(to)
    }

    /// A wider value in a new register.
    pub(super) fn extend(&mut self, signed: bool, from: u32, width: u32, value: Operand) -> Operand {
        if from == width {
            return value;
        }
        let to = self.fresh(1);
        self.emit(Instruction::Extend { signed, from, width, to, value });
        Operand::register(to)
    }

    /// Some bits of a value in a new register.
    pub(super) fn extract(&mut self, from: u32, low: u32, width: u32, value: Operand) -> Operand {
        if from == width {
            return value;
        }
        let to = self.fresh(1);
        self.emit(Instruction::Extract { from, low, width, to, value });
        Operand::register(to)
    }

    /// One value above another in a new register.
    pub(super) fn concat(&mut self, high: (Operand, u32), low: (Operand, u32)) -> Operand {
        let to = self.fresh(1);
        self.emit(Instruction::Concat { high_width: high.1, low_width: low.1, to, high: high.0, low: low.0 });
        Operand::register(to)
    }

    /// A value into a given register.
    pub(super) fn copy(&mut self, width: u32, to: Register, value: Operand) {
        self.emit(Instruction::Copy { width, to, value });
    }

    /// A register some places after another.
    pub(super) fn after(register: Register, places: usize) -> Register {
        Register(register.0 + length(places))
    }
}

/// A length of a table; tables that do not fit are refused when registers are counted.
pub(super) fn length(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
