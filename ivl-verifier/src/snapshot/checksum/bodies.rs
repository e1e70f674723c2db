//! Checksums of implementations: their blocks, their commands and what is noted of checks.

use cache_core::digest::{Confirm, Encoder};
use cache_core::key::CacheKey;

use super::Checksums;
use crate::resolve::graph::FunctionId;
use crate::resolve::program::{
    Block, Call, CheckNotes, CheckOrigin, Command, CommandKind, Implementation, ImplementationId, Isolation,
    Observation, Transfer, Visibility,
};

impl<'p> Checksums<'p> {
    /// The checksum of an implementation, without what it refers to.
    ///
    /// Labels of blocks and most wishes of attributes are left out: labels are shown from the current
    /// program, and limits and priorities are no part of the question.
    pub(crate) fn implementation(&mut self, id: ImplementationId) -> Confirm {
        let program = self.program;
        let Implementation {
            name,
            identity: _,
            sibling: _,
            procedure,
            type_parameters,
            inputs,
            outputs,
            locals,
            blocks,
            wishes,
            span: _,
            end: _,
        } = &program.implementations[id];
        let mut out = self.begin();
        out.text(self.text(*name));
        out.text(self.text(program.procedures[*procedure].name));
        self.type_parameters(type_parameters, &mut out);
        self.variables_into(inputs, &mut out);
        self.variables_into(outputs, &mut out);
        self.variables_into(locals, &mut out);
        out.sequence(blocks.len());
        for block in blocks {
            let Block { label: _, span: _, commands, transfer, continues, tested: _ } = block;
            // What leads a loop goes on into what continues its head.
            out.variant(u8::from(*continues).into());
            // What is only to be told of the state changes no verdict.
            let counts = |command: &&Command| match &command.kind {
                CommandKind::Observe(it) => it.divides() || wishes.selective && *it == Observation::Start,
                _ => true,
            };
            out.sequence(commands.iter().filter(counts).count());
            for command in commands.iter().filter(counts) {
                self.command(command, &mut out);
            }
            match transfer {
                Transfer::Goto(targets) => {
                    out.variant(0);
                    out.sequence(targets.len());
                    for target in targets {
                        out.u64(*target as u64);
                    }
                }
                Transfer::Return(_) => out.variant(1),
            }
        }
        // The wishes that change what is asked.
        if wishes.selective {
            out.variant(1);
        }
        if wishes.each_check.is_some() || wishes.max_pieces.is_some() {
            out.variant(2);
            wishes.each_check.encode(&mut out);
            wishes.max_pieces.encode(&mut out);
        }
        if !wishes.solver_options.is_empty() {
            out.variant(3);
            wishes.solver_options.encode(&mut out);
        }
        if wishes.keep_going.is_some() {
            out.variant(4);
            wishes.keep_going.encode(&mut out);
        }
        if program.assumes_free_invariants {
            out.variant(5);
        }
        if program.subsumption.is_some() {
            out.variant(6);
            program.subsumption.encode(&mut out);
        }
        self.end(out)
    }

    fn notes(&mut self, notes: &CheckNotes, out: &mut Encoder) {
        // What is tracked is a variant of the program, whose results are kept nowhere.
        let CheckNotes {
            message: _,
            verified_under,
            subsumption,
            origin,
            isolation,
            tracked: _,
            possibly_unreachable: _,
        } = notes;
        match verified_under {
            None => out.none(),
            Some(under) => {
                out.some();
                self.expr_into(*under, out);
            }
        }
        subsumption.encode(out);
        out.variant(match origin {
            CheckOrigin::Assertion => 0,
            CheckOrigin::Precondition(_) => 1,
            CheckOrigin::Postcondition(_) => 2,
            CheckOrigin::Inferred => 3,
            CheckOrigin::Unpacking => 4,
        });
        out.variant(match isolation {
            Isolation::Together => 0,
            Isolation::Apart => 1,
            Isolation::OnEachPath => 2,
        });
    }

    /// What a statement says can be used is noted with each check; here it only ends the invariants of a loop.
    fn visibility(&self, change: &Visibility, out: &mut Encoder) {
        let mut functions = |variant: u32, functions: &Option<Vec<FunctionId>>| {
            out.variant(variant);
            let Some(functions) = functions else { return out.none() };
            out.some();
            out.sequence(functions.len());
            for function in functions {
                out.text(self.text(self.program.functions[*function].name));
            }
        };
        match change {
            Visibility::Push => out.variant(0),
            Visibility::Pop => out.variant(1),
            Visibility::Hide(names) => functions(2, names),
            Visibility::Reveal(names) => functions(3, names),
        }
    }

    fn command(&mut self, command: &Command, out: &mut Encoder) {
        let Command { kind, span: _ } = command;
        match kind {
            CommandKind::Assert(expr, notes) => {
                out.variant(0);
                self.expr_into(*expr, out);
                self.notes(notes, out);
            }
            CommandKind::Assume(expr) => {
                out.variant(1);
                self.expr_into(*expr, out);
            }
            CommandKind::Invariant { expr, free, notes } => {
                out.variant(2);
                self.expr_into(*expr, out);
                free.encode(out);
                self.notes(notes, out);
            }
            CommandKind::Observe(it) => {
                out.variant(7);
                out.variant(match it {
                    Observation::Start => 0,
                    Observation::SplitHere => 1,
                    Observation::Focus => 2,
                    Observation::IsolatedReturn(Isolation::OnEachPath) => 5,
                    Observation::IsolatedReturn(_) => 3,
                    Observation::AllowSplit => 6,
                    // These do not count.
                    Observation::Print(_) | Observation::Capture(_) | Observation::Id(_) => 4,
                });
            }
            CommandKind::Havoc(variables) => {
                out.variant(3);
                self.names(variables, out);
            }
            CommandKind::Enter(variables) => {
                out.variant(8);
                self.names(variables, out);
            }
            CommandKind::Assign(pairs) => {
                out.variant(4);
                out.sequence(pairs.len());
                for (variable, value) in pairs {
                    self.variable_name_and_kind(*variable, out);
                    self.expr_into(*value, out);
                }
            }
            CommandKind::Visibility(change) => {
                out.variant(6);
                self.visibility(change, out);
            }
            CommandKind::Call(call) => {
                out.variant(5);
                let Call { callee, free, type_arguments, arguments, outputs, notes } = &**call;
                out.text(self.text(self.program.procedures[*callee].name));
                free.encode(out);
                self.type_list(type_arguments, out);
                out.sequence(arguments.len());
                for argument in arguments {
                    self.expr_into(*argument, out);
                }
                self.names(outputs, out);
                self.notes(notes, out);
            }
        }
    }
}
