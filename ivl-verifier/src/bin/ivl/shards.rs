//! `ivl costs` and `ivl merge`: what comes before and after a job that several machines share.

use std::sync::Arc;

use ivl_verifier::base::source::{FileId, Sources};
use ivl_verifier::base::system::System;
use ivl_verifier::report::parts::{self, Merged};
use ivl_verifier::service::Verifier;

use crate::arguments::{Costs, Merge};
use crate::session::{self, unusable};
use crate::verify;

/// Prints costs, and gives the exit code.
pub(crate) fn costs(arguments: &Costs, system: &Arc<dyn System>) -> u8 {
    let cache = &arguments.run.cache;
    let (store, warnings) = session::store_for(&**system, cache);
    let options = match verify::options(&arguments.run, &**system) {
        Ok(options) => options,
        Err(message) => return unusable(&**system, &message),
    };
    let mut verifier = Verifier::new(options, store, Arc::clone(system));
    let mut sources = Sources::default();
    let read: Result<Vec<FileId>, String> =
        arguments.files.iter().map(|file| session::read(&**system, &mut sources, file)).collect();
    let files = match read {
        Ok(files) => files,
        Err(message) => return unusable(&**system, &message),
    };
    let costs = verifier.costs(&sources, &files);
    for warning in warnings.into_iter().chain(verifier.take_warnings()) {
        system.print_error(&format!("warning: {warning}\n"));
    }
    match serde_json::to_string_pretty(&costs) {
        Ok(text) => session::print(&**system, &(text + "\n")),
        Err(error) => unusable(&**system, &error.to_string()),
    }
}

/// Merges reports, and gives the exit code that one machine would have given.
pub(crate) fn merge(arguments: &Merge, system: &dyn System) -> u8 {
    let mut reports = Vec::new();
    for path in &arguments.files {
        let name = path.display().to_string();
        let bytes = system.read(path).map_err(|error| format!("cannot read {name}: {error}"));
        match bytes.and_then(|bytes| session::text(&name, bytes)) {
            Ok(text) => reports.push((name, text)),
            Err(message) => return unusable(system, &message),
        }
    }
    let Merged { text, code, implementations, verified } = match parts::merge(&reports) {
        Ok(merged) => merged,
        Err(message) => return unusable(system, &message),
    };
    let printed = match &arguments.report {
        None => session::print(system, &text),
        Some(path) => match system.write(path, text.as_bytes()) {
            Ok(()) => {
                let shards = reports.len();
                let summary =
                    format!("{shards} shards, {implementations} implementations, {verified} verified\n");
                session::print(system, &summary)
            }
            Err(error) => unusable(system, &format!("cannot write {}: {error}", path.display())),
        },
    };
    printed.max(code)
}
