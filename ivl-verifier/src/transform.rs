//! What a run asks to be done to a program, between names and types and the way to the solver.
//!
//! [`expand`] does it in this order: what procedures change ([`modifies`]), loops with several entries copied
//! ([`reducible`]), code expressions made formulas ([`code`]), local variables dropped that nothing mentions
//! ([`unused`]), calls inlined ([`inline`]), bounds of variables inferred ([`intervals`]), loops unrolled
//! ([`unroll`]) or proved by k-induction ([`induction`]), and which axioms each check may use
//! ([`visibility`]). Each takes a [`Program`] and leaves one, so that what follows does not know which of them
//! ran; each costs time in the size of what it makes. [`track()`] and [`name_parts`] are done apart, where it is to be
//! found out what a proof needs.

mod acyclic;
mod code;
mod goals;
mod induction;
mod inline;
mod intervals;
mod modifies;
pub(crate) mod passified;
mod reducible;
mod track;
mod unroll;
mod unused;
mod visibility;

pub(crate) use acyclic::{acyclic, targets};
pub(crate) use goals::{Goal, name_parts};
pub use inline::Inlining;
pub(crate) use inline::inline_for_inference;
pub use intervals::Instrument;
pub use passified::Passifying;
pub(crate) use track::track;
pub use visibility::Hiding;

use crate::base::diagnostic::{Diagnostic, Stage};
use crate::resolve::control;
use crate::resolve::program::{self, CommandKind, Program};

/// What is done to a program before it is looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Expansion {
    /// What becomes of calls of `{:inline}` procedures.
    pub inlining: Inlining,
    /// How deep every procedure with a body is inlined where it is to be found out which constants can hold.
    pub inline_depth: Option<u32>,
    /// How many back edges of each loop are followed, if loops are unrolled.
    pub loop_unroll: Option<u32>,
    /// Whether control must not get beyond an unrolled loop.
    pub sound_unrolling: bool,
    /// The depth of k-induction, by which the loops that are left are proved if it is given.
    pub induction: Option<u32>,
    /// Whether procedures may change what their bodies change, whatever they say.
    pub infer_modifies: bool,
    /// Whether what follows a check may rely on it: 0 never, 1 unless it is a quantifier, 2 always; for
    /// checks that do not say so themselves.
    pub subsumption: Option<u32>,
    /// Whether free invariants are assumed where invariants are checked, too, and not at the heads of loops alone.
    pub assume_free_invariants: bool,
    /// Where bounds of variables are inferred and assumed, if anywhere.
    pub intervals: Option<Instrument>,
    /// Whether these bounds are checked, and not only assumed.
    pub check_inferred: bool,
    /// What `hide` applies to.
    pub hiding: Hiding,
    /// Whether execution traces show blocks in which nothing is left to be said.
    pub keep_empty_blocks: bool,
    /// Whether execution traces show the blocks that Boogie adds in front and behind.
    pub show_added_blocks: bool,
    /// Whether a return that nothing is said before has no place of its own, as in Boogie: the place is the body's end.
    pub merge_exits: bool,
    /// Whether execution traces show a block that can only come after another one, and is all that does, as one of
    /// its own.
    pub keep_blocks_apart: bool,
    /// Whether implementations in which names mean nothing are left out, and not the whole program refused.
    pub overlook: bool,
    /// Whether `{:id "..."}` counts: it is to be found out what proofs need.
    pub track: bool,
}

/// Expands a program, and gives what is wrong with that.
pub(crate) fn expand(program: &mut Program, expansion: &Expansion) -> Vec<Diagnostic> {
    let mut diagnostics = put_in_place(program, expansion);
    bound(program, expansion);
    diagnostics.extend(follow_loops(program, expansion));
    diagnostics
}

/// The first part of [`expand`], up to bodies in the place of calls.
pub(crate) fn put_in_place(program: &mut Program, expansion: &Expansion) -> Vec<Diagnostic> {
    let Expansion {
        inlining,
        inline_depth: _,
        loop_unroll: _,
        sound_unrolling: _,
        induction: _,
        infer_modifies,
        subsumption,
        assume_free_invariants,
        intervals: _,
        check_inferred: _,
        hiding: _,
        keep_empty_blocks,
        show_added_blocks,
        merge_exits,
        keep_blocks_apart,
        overlook: _,
        track,
    } = *expansion;
    if infer_modifies {
        modifies::infer(program);
    }
    if !track {
        for id in program.implementations.ids().collect::<Vec<_>>() {
            for block in &mut program.implementations[id].blocks {
                let counts =
                    |kind: &CommandKind| !matches!(kind, CommandKind::Observe(program::Observation::Id(_)));
                block.commands.retain(|command| counts(&command.kind));
            }
        }
    }
    program.keeps_empty_blocks = keep_empty_blocks;
    program.shows_added_blocks = show_added_blocks;
    program.merges_exits = merge_exits;
    program.assumes_free_invariants = assume_free_invariants;
    program.subsumption = subsumption;
    if !keep_blocks_apart {
        program.implementations.ids().collect::<Vec<_>>().into_iter().for_each(|id| {
            control::join(&program.graph, &mut program.implementations[id].blocks);
        });
    }
    if let Some(level) = subsumption {
        let ids: Vec<_> = program.implementations.ids().collect();
        for id in ids {
            for command in program.implementations[id].blocks.iter_mut().flat_map(|it| &mut it.commands) {
                match &mut command.kind {
                    CommandKind::Assert(_, notes) | CommandKind::Invariant { notes, .. } => {
                        notes.subsumption.get_or_insert(level);
                    }
                    CommandKind::Call(call) => {
                        call.notes.subsumption.get_or_insert(level);
                    }
                    CommandKind::Assume(_)
                    | CommandKind::Havoc(_)
                    | CommandKind::Enter(_)
                    | CommandKind::Assign(_)
                    | CommandKind::Observe(_)
                    | CommandKind::Visibility(_) => {}
                }
            }
        }
    }
    // An implementation that is inlined is not verified by itself, unless calls of it are left.
    if matches!(inlining, Inlining::Assume | Inlining::Assert) {
        let ids: Vec<_> = program.implementations.ids().collect();
        for id in ids {
            let procedure = program.implementations[id].procedure;
            let inlined =
                program.implementations[id].wishes.inline.or(program.procedures[procedure].inline).is_some();
            program.implementations[id].wishes.skip |= inlined;
        }
    }
    let mut diagnostics = Vec::new();
    let ids: Vec<_> = program.implementations.ids().collect();
    for id in ids {
        let implementation = &mut program.implementations[id];
        match reducible::make_reducible(&mut implementation.blocks) {
            // What leads into a loop was met by ways from inside, and the copy of it is not.
            Ok(copied) if copied && !keep_blocks_apart => {
                control::join(&program.graph, &mut implementation.blocks);
            }
            Ok(_) => {}
            Err(message) => {
                diagnostics.push(Diagnostic::error(Stage::Declarations, implementation.span, message));
            }
        }
    }
    if !program.codes.is_empty() {
        let mut bodies = inline::Bodies::new(program, inlining);
        diagnostics.extend(code::eliminate(program, &mut bodies));
    }
    unused::drop_unused(program);
    let bodies = inline::Bodies::new(program, inlining);
    diagnostics.extend(inline::inline(program, &bodies));
    diagnostics
}

/// The second part of [`expand`]: what is inferred of variables, if anything is.
pub(crate) fn bound(program: &mut Program, expansion: &Expansion) {
    if let Some(instrument) = expansion.intervals {
        intervals::infer(program, instrument, expansion.check_inferred);
    }
}

/// The last part of [`expand`]: loops, and which axioms are to be seen where.
pub(crate) fn follow_loops(program: &mut Program, expansion: &Expansion) -> Vec<Diagnostic> {
    let Expansion { loop_unroll, sound_unrolling, induction, hiding, .. } = *expansion;
    let mut diagnostics = Vec::new();
    if let Some(times) = loop_unroll {
        diagnostics.extend(unroll::unroll(program, times, sound_unrolling));
    }
    if let Some(depth) = induction {
        diagnostics.extend(induction::induct(program, depth));
    }
    diagnostics.extend(visibility::settle(program, hiding));
    diagnostics
}
