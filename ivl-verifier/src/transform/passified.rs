//! The passive form of an implementation as Boogie has it, for what prints it.
//!
//! What is sent to the solver is made elsewhere ([`crate::lower`]), from the same program and by other means: there the
//! same question must have the same bytes, here the blocks, their names, their order and the numbers of incarnations
//! must be Boogie's. The steps are Boogie's, in its order: back edges are cut, control leaves through one block, what is
//! known on entry and promised at the exit is said, blocks are put between where ways meet, variables become
//! incarnations, empty blocks go; then attributes divide what is left into parts.

mod acyclic;
mod call;
pub(crate) mod cost;
pub(crate) mod flow;
mod incarnate;
pub(crate) mod parts;
mod tidy;

use crate::base::source::Span;
use crate::resolve::graph::{NodeId, NodeKind, VariableId};
use crate::resolve::program::{ImplementationId, Program};
use crate::resolve::unparse::plain::PlainBlock;
use flow::Flow;
use parts::{Part, Wanted};
use tidy::Facts;

/// A passive body.
#[derive(Clone, Debug)]
pub(crate) struct Passified {
    pub(crate) flow: Flow,
    /// The incarnations of variables, in the order in which they were made.
    pub(crate) incarnations: Vec<VariableId>,
    /// What always holds.
    yes: NodeId,
}

/// How a body is made passive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Passifying {
    /// Whether empty blocks stay.
    pub keep_empty: bool,
    /// Whether each check is to be asked by itself.
    pub each: bool,
    /// Whether `{:focus}` marks are looked at from the last one on.
    pub relax_focus: bool,
}

/// Makes the body of an implementation, whose blocks these are, passive. Nothing if it has a loop with several entries.
pub(crate) fn passify(
    program: &mut Program,
    id: ImplementationId,
    blocks: Vec<PlainBlock>,
    passifying: Passifying,
) -> Option<Passified> {
    let bool = program.types.bool();
    let yes = program.graph.add(NodeKind::Bool(true), bool);
    let mut flow = Flow::of(blocks);
    flow.prune(&program.graph);
    acyclic::cut_loops(program, &mut flow)?;
    let exit = acyclic::unify_exits(&mut flow)?;
    let implementation = program.implementations[id].clone();
    acyclic::add_specification(program, &implementation, &mut flow, exit);
    acyclic::put_blocks_between(&mut flow);
    let incarnations = incarnate::incarnate(program, &mut flow)?;
    if !passifying.keep_empty {
        tidy::remove_empty(&mut flow);
        flow.prune(&program.graph);
    }
    if implementation.wishes.selective || program.procedures[implementation.procedure].selective {
        tidy::check_selectively(&mut flow, Facts { graph: &program.graph, yes });
    }
    Some(Passified { flow, incarnations, yes })
}

impl Passified {
    /// The parts in which it is asked, given whether a jump at a place is written there.
    pub(crate) fn parts(
        &self,
        program: &Program,
        id: ImplementationId,
        passifying: Passifying,
        written: &dyn Fn(Span) -> bool,
    ) -> Vec<Part> {
        let facts = Facts { graph: &program.graph, yes: self.yes };
        let each = program.implementations[id].wishes.each_check.unwrap_or(passifying.each);
        parts::parts(&self.flow, Wanted { facts, each, written, relax_focus: passifying.relax_focus })
    }
}
