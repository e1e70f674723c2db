//! Functions that a resolver chooses when the program starts (`ifunc`).
//!
//! Each has a variable for what its resolver gave. A function that runs before all constructors, as the
//! dynamic linker's work is done before them, calls the resolvers and fills the variables. Calls by name go
//! through the variable; the address is that of a function that does so as well, as the address in a program
//! with fixed places is that of its linkage table.

use symexec::module::{
    Argument, Call, CallId, Callee, Class, Constant, Function, FunctionId, Global, GlobalId, Instruction,
    LocationId, Operand, Register, Symbol,
};

use super::function::length;
use super::{Failure, Lowering};
use crate::llvm::{Type, Value};

/// The name of the function that calls the resolvers.
const STARTER: &str = "__symexec_resolve";

impl<'p> Lowering<'p> {
    /// Gives every such function its id and its variable.
    pub(super) fn declare_indirect(&mut self) -> Result<(), Failure> {
        let program = self.program;
        for value in program.indirect_functions() {
            if !self.reachable.contains(&value) {
                continue;
            }
            let id = self.declare_function(value)?;
            self.module.functions[id.index()].runtime = true;
            let slot = GlobalId::at(self.module.globals.len());
            self.module.globals.push(Global {
                name: format!("{} (resolved)", value.name()),
                size: 8,
                alignment: 8,
                constant: false,
                thread_local: false,
                defined: true,
                bytes: vec![0; 8],
                relocations: Vec::new(),
                unreadable: None,
            });
            self.resolved.insert(value, slot);
        }
        Ok(())
    }

    /// The place of the variable of a function that a resolver chooses.
    pub(super) fn resolved_place(&mut self, value: Value<'p>) -> Option<Operand> {
        let slot = *self.resolved.get(&value)?;
        Some(self.constant(Constant::Address { symbol: Symbol::Global(slot), offset: 0 }))
    }

    /// Their bodies, and the function that calls the resolvers, if there are any.
    pub(super) fn lower_indirect(&mut self) -> Option<FunctionId> {
        let mut starter = Function { name: STARTER.to_owned(), runtime: true, ..Function::default() };
        let program = self.program;
        for value in program.indirect_functions() {
            let (Some(place), Some(&id)) = (self.resolved_place(value), self.functions.get(&value)) else {
                continue;
            };
            let body = self.passing_on(value, id, place);
            self.module.functions[id.index()] = body.unwrap_or_else(|what| self.refusal(id, &what));
            let chosen = Register(starter.registers);
            match value.resolver().and_then(|resolver| self.symbol(resolver)) {
                Some((Symbol::Function(resolver), 0)) => {
                    starter.registers += 1;
                    let callee = Callee::Function(resolver);
                    starter.calls.push(Call {
                        callee,
                        arguments: Vec::new(),
                        to: chosen,
                        results: vec![64],
                        pad: None,
                    });
                    starter.code.push(Instruction::Call(CallId::at(starter.calls.len() - 1)));
                    let value = Operand::register(chosen);
                    starter.code.push(Instruction::Store { width: 64, value, pointer: place });
                }
                _ => {
                    let text = self.text(&format!("the resolver of `{}` is no function", value.name()));
                    starter.code.push(Instruction::Refuse(text));
                }
            }
        }
        if starter.code.is_empty() {
            return None;
        }
        starter.code.push(Instruction::Return { first: 0, count: 0 });
        starter.locations = vec![LocationId(0); starter.code.len()];
        self.module.functions.push(starter);
        Some(FunctionId::at(self.module.functions.len() - 1))
    }

    /// The body of a function that calls what was chosen, with what it got.
    fn passing_on(&mut self, value: Value<'p>, id: FunctionId, place: Operand) -> Result<Function, Failure> {
        let declared = self.module.functions[id.index()].clone();
        if declared.variadic {
            return Err(format!("calling `{}` by its address: a resolver chooses it", declared.name));
        }
        let (_, parameters, _) =
            value.content_type().and_then(Type::signature).ok_or("a function without type")?;
        let mut arguments = Vec::new();
        for ty in parameters {
            for lane in self.lanes(ty)? {
                let value = Operand::register(Register(length(arguments.len())));
                let class = if lane.float.is_some() { Class::Vector } else { Class::Integer };
                arguments.push(Argument { value, width: lane.width, signed: false, class, copied: None });
            }
        }
        let chosen = Register(length(arguments.len()));
        let to = Register(chosen.0 + 1);
        let results = declared.results.clone();
        let count = length(results.len());
        Ok(Function {
            registers: to.0 + count,
            code: vec![
                Instruction::Load { width: 64, to: chosen, pointer: place },
                Instruction::Call(CallId(0)),
                Instruction::Return { first: 0, count },
            ],
            locations: vec![LocationId(0); 3],
            operands: (to.0..to.0 + count).map(|index| Operand::register(Register(index))).collect(),
            calls: vec![Call {
                callee: Callee::Pointer(Operand::register(chosen)),
                arguments,
                to,
                results,
                pad: None,
            }],
            ..declared
        })
    }
}
