//! `run.istats`: what happened at each instruction, in callgrind's format as KLEE writes it, for
//! kcachegrind and callgrind_annotate.
//!
//! The first position of a line is that in `assembly.ll`, the second one that in the source. Executions
//! (`I`) are counted only if that was asked for, since counting them slows every instruction down.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use super::files::position;
use crate::exec::{Coverage, Hot};
use crate::module::{FunctionId, Module};

/// The file's name in an output folder.
pub(super) const ISTATS: &str = "run.istats";

/// What happened at an instruction of the assembly file.
#[derive(Clone, Copy, Default)]
struct Events {
    covered: bool,
    executed: u64,
    forks: u64,
    questions: u64,
    time: Duration,
}

/// The text of the file.
pub(super) fn istats(
    module: &Module,
    command: &str,
    coverage: &Coverage,
    spots: &BTreeMap<(FunctionId, u32), Hot>,
    executions: Option<&BTreeMap<(FunctionId, u32), u64>>,
) -> String {
    let mut out = format!("version: 1\ncreator: symexec\ncmd: {command}\n\n\npositions: instr line\n");
    let counted = if executions.is_some() { "I " } else { "" };
    let _ = writeln!(out, "events: Icov Forks {counted}Iuncov Q Qtime\nob=assembly.ll");
    for (place, function) in module.functions.iter().enumerate().filter(|(_, function)| function.is_defined())
    {
        let id = FunctionId::at(place);
        let _ = writeln!(out, "fn={}", function.name);
        let mut file = None;
        // One instruction of LLVM's may be several here, and is covered if the last of them is.
        let mut lines: BTreeMap<u32, (Option<(String, u32)>, Events)> = BTreeMap::new();
        for (at, line) in function.assembly.iter().enumerate() {
            let key = (id, u32::try_from(at).unwrap_or(u32::MAX));
            let source = function.locations.get(at).and_then(|location| position(module, *location));
            let (known, events) = lines.entry(*line).or_default();
            *known = known.take().or(source);
            events.covered = coverage.is_covered(id, at);
            events.executed = executions.and_then(|counts| counts.get(&key)).copied().unwrap_or(0);
            if let Some(hot) = spots.get(&key) {
                events.forks += hot.forks;
                events.questions += hot.questions;
                events.time += hot.time;
            }
        }
        for (line, (source, events)) in lines {
            if let Some((name, _)) = &source
                && file.as_ref() != Some(name)
            {
                let _ = writeln!(out, "fl={name}");
                file = Some(name.clone());
            }
            let executed = if executions.is_some() { format!("{} ", events.executed) } else { String::new() };
            let _ = writeln!(
                out,
                "{line} {} {} {} {executed}{} {} {}",
                source.map_or(0, |(_, line)| line),
                u8::from(events.covered),
                events.forks,
                u8::from(!events.covered),
                events.questions,
                events.time.as_micros(),
            );
        }
    }
    out
}
