//! What `-printSplit`, `-vcsDumpSplits` and `-printPassive` write.

use std::collections::VecDeque;
use std::path::Path;

use ivl_verifier::base::source::{FileId, Sources};
use ivl_verifier::base::system::System;
use ivl_verifier::report::Report;
use ivl_verifier::service::{
    Axioms, Passifying, PassiveImplementation, PassivePrinting, Pruned, passive_parts, print_passive, pruned,
};

use super::options::Request;
use super::{FATAL, file_name};

/// The passive forms of implementations that were not told of yet.
#[derive(Default)]
pub(super) struct Printed {
    left: VecDeque<PassiveImplementation>,
    /// What the files of parts begin with, `-` for the output.
    split: Option<String>,
    /// Whether they are written with their costs.
    dump: bool,
    /// What pruning leaves, where it is wanted.
    pruned: Vec<Pruned>,
    /// Whether that is written with each part.
    declarations: bool,
    /// What the files begin with that it is written to.
    pruned_target: Option<String>,
}

impl Printed {
    /// What is wanted of a program, unless there is something wrong with it.
    pub(super) fn of(
        request: &Request,
        system: &dyn System,
        sources: &Sources,
        ids: &[FileId],
        broken: bool,
    ) -> Result<Self, u8> {
        if broken || !request.verify {
            return Ok(Self::default());
        }
        let expansion = &request.options.expansion;
        let passifying = Passifying {
            keep_empty: expansion.keep_empty_blocks,
            each: request.options.each_check,
            relax_focus: request.relax_focus,
        };
        let printing = PassivePrinting { passifying, flat: !request.pretty };
        if let Some(target) = &request.print_passive {
            let text = print_passive(sources, ids, expansion, printing).unwrap_or_default();
            write(system, target, &text)?;
        }
        let mut left = VecDeque::new();
        if request.print_split.is_some() || request.dump_splits {
            left.extend(passive_parts(sources, ids, expansion, printing).unwrap_or_default());
        }
        let prunes = request.options.axioms == Axioms::AsPruned;
        let declarations = prunes && request.print_declarations && request.print_split.is_some();
        let pruned_target = request.print_pruned.clone().filter(|_| prunes);
        let pruned = match declarations || pruned_target.is_some() {
            true => pruned(sources, ids, expansion, !request.pretty).unwrap_or_default(),
            false => Vec::new(),
        };
        let (split, dump) = (request.print_split.clone(), request.dump_splits);
        Ok(Self { left, split, dump, pruned, declarations, pruned_target })
    }

    /// Writes what is wanted of an implementation, and gives what is printed before its result.
    pub(super) fn before(&mut self, system: &dyn System, report: &Report) -> Result<String, u8> {
        let own = self.pruned.iter().position(|it| it.name == report.name);
        let own = own.map(|at| self.pruned.remove(at));
        if let (Some(own), Some(prefix)) = (&own, &self.pruned_target) {
            write(system, &format!("{prefix}-before-{}", file_name(&own.name)), &own.before)?;
            write(system, &format!("{prefix}-after-{}", file_name(&own.name)), &own.after)?;
        }
        let declarations = own.filter(|_| self.declarations).map_or_else(String::new, |own| own.program);
        let Some(at) = self.left.iter().position(|it| it.name == report.name) else {
            return Ok(String::new());
        };
        let Some(PassiveImplementation { name, parts }) = self.left.remove(at) else {
            return Ok(String::new());
        };
        let mut text = String::new();
        let several = parts.len() > 1;
        for (index, part) in parts.iter().enumerate() {
            match self.split.as_deref() {
                Some("-") => text.push_str(&format!("{}{declarations}", part.text)),
                Some(prefix) => {
                    let target = format!("{prefix}-{}.spl", file_name(&part.name));
                    write(system, &target, &format!("{}{declarations}", part.text))?;
                }
                None => {}
            }
            if self.dump {
                // What is asked at once has no number.
                let number = if several { index.to_string() } else { "-1".to_owned() };
                write(system, &format!("{}.split.{number}.dot", file_name(&name)), &part.dot)?;
                write(system, &format!("{}.split.{number}.bpl", file_name(&name)), &part.whole)?;
            }
        }
        Ok(text)
    }
}

fn write(system: &dyn System, target: &str, text: &str) -> Result<(), u8> {
    system.write(Path::new(target), text.as_bytes()).map_err(|error| {
        system.print_error(&format!("Error: cannot write {target}: {error}\n"));
        FATAL
    })
}
