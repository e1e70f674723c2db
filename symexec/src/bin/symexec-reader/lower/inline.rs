//! Inline assembly: what compilers and the headers of libraries have, on integers and memory.
//!
//! The registers that a text names or that its constraints ask for are followed through its
//! instructions, and so are the flags that something in it asks for. What is not known is refused as a
//! whole, so that only a path that reaches it ends there. What each instruction does is in [`effects`].

mod effects;

use symexec::base::bits::BinaryOp;
use symexec::module::{Instruction, Operand, Predicate, Register};

use super::Failure;
use super::function::Body;
use super::x86::{Condition, Constraint, Kind, Part, Place, Step, Test, constraints, steps};
use crate::llvm::Value;

/// What is in a register or stands for an operand.
#[derive(Clone, Copy, Debug)]
enum Slot {
    /// A number of 64 bits; none was put there yet if there is none.
    Value(Option<Operand>),
    /// Memory at an address.
    Memory(Operand),
}

/// The flags after an instruction; those that nobody asks for are not computed, and those that are not
/// followed are not there.
#[derive(Clone, Copy, Debug, Default)]
struct Flags {
    carry: Option<Operand>,
    zero: Option<Operand>,
    sign: Option<Operand>,
    overflow: Option<Operand>,
    parity: Option<Operand>,
}

/// The state of a text.
struct Machine {
    slots: Vec<Slot>,
    /// The slot of each operand of the text, with its width.
    operands: Vec<(usize, u32)>,
    /// The slot of each register.
    registers: [usize; 16],
    flags: Flags,
    /// Whether anything asks for flags.
    flags_matter: bool,
}

/// What one instruction cannot be followed for; the text is refused.
type Known<T> = Option<T>;

impl<'p> Body<'_, 'p> {
    /// Lowers inline assembly; whether it is known.
    pub(super) fn inline_assembly(
        &mut self,
        value: Value<'p>,
        text: &str,
        constraint: Option<&str>,
    ) -> Result<bool, Failure> {
        let results = self.lowering.lanes(value.ty())?;
        let mut arguments = Vec::new();
        for index in 0..value.argument_count() {
            let argument = value.operand(index).ok_or("assembly without an operand")?;
            let lanes = self.lowering.lanes(argument.ty())?;
            let operands = self.operands(argument)?;
            arguments.push((lanes.iter().map(|lane| lane.width).collect::<Vec<_>>(), operands));
        }
        let to = self.result(value);
        // What the compiler is only not to look through, whatever its type is.
        let lanes: Vec<Operand> = arguments.iter().flat_map(|(_, operands)| operands.clone()).collect();
        if text.is_empty() && (results.is_empty() || lanes.len() == results.len()) {
            for (place, (lane, argument)) in results.iter().zip(lanes).enumerate() {
                self.copy(lane.width, Self::after(to, place), argument);
            }
            return Ok(true);
        }
        let widths: Vec<u32> = results.iter().map(|lane| lane.width).collect();
        let mut scalars = Vec::new();
        for (widths, operands) in arguments {
            match (widths.as_slice(), operands.as_slice()) {
                ([width @ 1..=64], [operand]) => scalars.push((*width, *operand)),
                _ => return Ok(false),
            }
        }
        let (Some(steps), Some(constraints)) = (steps(text), constraint.and_then(constraints)) else {
            return Ok(false);
        };
        Ok(self.assemble(&steps, &constraints, &scalars, &widths, to).is_some())
    }

    fn assemble(
        &mut self,
        steps: &[Step],
        constraints: &[Constraint],
        arguments: &[(u32, Operand)],
        results: &[u32],
        to: Register,
    ) -> Known<()> {
        let mut machine = self.machine(steps, constraints, arguments, results)?;
        for step in steps {
            self.step(&mut machine, step)?;
        }
        let outputs = constraints.iter().enumerate().filter(|(_, of)| of.is_output && !of.is_memory);
        for (place, ((number, constraint), width)) in outputs.zip(results).enumerate() {
            let value = match constraint.kind {
                Kind::Flag(condition) => {
                    let flag = self.condition(&machine, condition)?;
                    self.extend(false, 1, *width, flag)
                }
                _ => {
                    let (slot, _) = *machine.operands.get(number)?;
                    self.part_of(&machine, slot, Part { low: 0, width: *width })?
                }
            };
            self.copy(*width, Self::after(to, place), value);
        }
        Some(())
    }

    /// Where everything is before the first instruction.
    fn machine(
        &mut self,
        steps: &[Step],
        constraints: &[Constraint],
        arguments: &[(u32, Operand)],
        results: &[u32],
    ) -> Known<Machine> {
        let asks =
            |step: &Step| ["adc", "sbb", "set", "cmov"].iter().any(|asking| step.name.starts_with(asking));
        let asked = constraints.iter().any(|constraint| matches!(constraint.kind, Kind::Flag(_)));
        let mut machine = Machine {
            slots: vec![Slot::Value(None); 16],
            operands: Vec::new(),
            registers: std::array::from_fn(|number| number),
            flags: Flags::default(),
            flags_matter: asked || steps.iter().any(asks),
        };
        let (mut arguments, mut results) = (arguments.iter(), results.iter());
        for constraint in constraints {
            let own = match constraint.is_memory {
                true => Slot::Memory(arguments.next()?.1),
                false => Slot::Value(None),
            };
            let mut width = 64;
            let slot = match constraint.kind {
                Kind::Register(number) => *machine.registers.get(usize::from(number))?,
                Kind::Same(other) => machine.operands.get(other)?.0,
                Kind::Any | Kind::Flag(_) => {
                    machine.slots.push(own);
                    machine.slots.len() - 1
                }
            };
            match (constraint.is_memory, constraint.is_output) {
                (true, _) => {}
                (false, true) => {
                    width = *results.next()?;
                    // Others are not integers.
                    if width > 64 {
                        return None;
                    }
                }
                (false, false) => {
                    let (of, operand) = *arguments.next()?;
                    width = of;
                    // An operand that is also a result in memory would have to be put there.
                    if matches!(machine.slots.get(slot)?, Slot::Memory(_)) {
                        return None;
                    }
                    let wide = self.extend(false, of, 64, operand);
                    machine.slots[slot] = Slot::Value(Some(wide));
                }
            }
            machine.operands.push((slot, width));
        }
        (arguments.next().is_none() && results.next().is_none()).then_some(machine)
    }

    fn number(&mut self, width: u32, value: u64) -> Operand {
        let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
        self.lowering.bits(width, value & mask)
    }

    /// A part of what is in a slot.
    fn part_of(&mut self, machine: &Machine, slot: usize, part: Part) -> Known<Operand> {
        match *machine.slots.get(slot)? {
            Slot::Value(None) => Some(self.number(part.width, 0)),
            Slot::Value(Some(value)) => Some(self.extract(64, part.low, part.width, value)),
            Slot::Memory(pointer) => {
                let to = self.fresh(1);
                self.emit(Instruction::Load { width: part.width, to, pointer });
                Some(Operand::register(to))
            }
        }
    }

    /// The slot and the part that a place of this width is, if it is no memory and no number.
    fn slot(machine: &Machine, place: &Place, width: u32) -> Known<(usize, Part)> {
        match place {
            Place::Operand(number, part) => {
                let (slot, _) = *machine.operands.get(*number)?;
                Some((slot, Part { low: part.map_or(0, |part| part.low), width }))
            }
            Place::Register(number, part) => {
                Some((*machine.registers.get(usize::from(*number))?, Part { low: part.low, width }))
            }
            Place::Number(_) | Place::Memory(..) => None,
        }
    }

    fn address(
        &mut self,
        machine: &Machine,
        displacement: u64,
        base: Option<&Place>,
        index: Option<(&Place, u64)>,
    ) -> Known<Operand> {
        let mut sum = match base {
            Some(base) => self.read(machine, base, 64)?,
            None => self.number(64, 0),
        };
        if let Some((index, scale)) = index {
            let index = self.read(machine, index, 64)?;
            let scale = self.number(64, scale);
            let scaled = self.binary(BinaryOp::Mul, 64, index, scale);
            sum = self.binary(BinaryOp::Add, 64, sum, scaled);
        }
        if displacement != 0 {
            let displacement = self.number(64, displacement);
            sum = self.binary(BinaryOp::Add, 64, sum, displacement);
        }
        Some(sum)
    }

    fn read(&mut self, machine: &Machine, place: &Place, width: u32) -> Known<Operand> {
        match place {
            Place::Number(value) => Some(self.number(width, *value)),
            Place::Memory(displacement, base, index) => {
                let index = index.as_ref().map(|(index, scale)| (&**index, *scale));
                let pointer = self.address(machine, *displacement, base.as_deref(), index)?;
                let to = self.fresh(1);
                self.emit(Instruction::Load { width, to, pointer });
                Some(Operand::register(to))
            }
            _ => {
                let (slot, part) = Self::slot(machine, place, width)?;
                self.part_of(machine, slot, part)
            }
        }
    }

    fn write(&mut self, machine: &mut Machine, place: &Place, width: u32, value: Operand) -> Known<()> {
        if let Place::Memory(displacement, base, index) = place {
            let index = index.as_ref().map(|(index, scale)| (&**index, *scale));
            let pointer = self.address(machine, *displacement, base.as_deref(), index)?;
            self.emit(Instruction::Store { width, value, pointer });
            return Some(());
        }
        let (slot, part) = Self::slot(machine, place, width)?;
        self.put(machine, slot, part, value)
    }

    /// Puts a value into a part of a slot. The upper half of a register is cleared by what writes the lower
    /// one; smaller parts leave the others as they are.
    fn put(&mut self, machine: &mut Machine, slot: usize, part: Part, value: Operand) -> Known<()> {
        if let Slot::Memory(pointer) = *machine.slots.get(slot)? {
            self.emit(Instruction::Store { width: part.width, value, pointer });
            return Some(());
        }
        let whole = match part.width {
            64 => value,
            32 => self.extend(false, 32, 64, value),
            width => {
                let end = part.low + width;
                let rest = Part { low: end, width: 64 - end };
                let above = self.part_of(machine, slot, rest)?;
                let upper = self.concat((above, rest.width), (value, width));
                if part.low == 0 {
                    upper
                } else {
                    let below = self.part_of(machine, slot, Part { low: 0, width: part.low })?;
                    self.concat((upper, 64 - part.low), (below, part.low))
                }
            }
        };
        machine.slots[slot] = Slot::Value(Some(whole));
        Some(())
    }

    fn register_part(machine: &Machine, number: u8, width: u32) -> (usize, Part) {
        (machine.registers[usize::from(number)], Part { low: 0, width })
    }

    fn read_register(&mut self, machine: &Machine, number: u8, width: u32) -> Known<Operand> {
        let (slot, part) = Self::register_part(machine, number, width);
        self.part_of(machine, slot, part)
    }

    fn write_register(&mut self, machine: &mut Machine, number: u8, width: u32, value: Operand) -> Known<()> {
        let (slot, part) = Self::register_part(machine, number, width);
        self.put(machine, slot, part, value)
    }

    fn condition(&mut self, machine: &Machine, condition: Condition) -> Known<Operand> {
        let flags = machine.flags;
        let holds = match condition.test {
            Test::Overflow => flags.overflow?,
            Test::Carry => flags.carry?,
            Test::Zero => flags.zero?,
            Test::Sign => flags.sign?,
            Test::Parity => flags.parity?,
            Test::CarryOrZero => self.binary(BinaryOp::Or, 1, flags.carry?, flags.zero?),
            Test::Less => self.binary(BinaryOp::Xor, 1, flags.sign?, flags.overflow?),
            Test::LessOrEqual => {
                let less = self.binary(BinaryOp::Xor, 1, flags.sign?, flags.overflow?);
                self.binary(BinaryOp::Or, 1, less, flags.zero?)
            }
        };
        Some(if condition.negated { self.opposite(holds) } else { holds })
    }

    fn opposite(&mut self, flag: Operand) -> Operand {
        let one = self.number(1, 1);
        self.binary(BinaryOp::Xor, 1, flag, one)
    }

    fn is_zero(&mut self, width: u32, value: Operand) -> Operand {
        let zero = self.number(width, 0);
        self.compare(Predicate::Eq, width, value, zero)
    }

    fn bit(&mut self, width: u32, place: u32, value: Operand) -> Operand {
        self.extract(width, place, 1, value)
    }
}
