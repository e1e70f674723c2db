//! `ivl cache`: looks at the cache on disk, checks it, or empties it.

use std::sync::Arc;

use cache_core::mode::Mode;
use cache_core::store::{DiskStore, Store};
use ivl_verifier::base::system::System;

use crate::arguments::{CacheAction, CacheCommand};
use crate::session;

/// Runs the subcommand and gives the exit code.
pub(crate) fn run(arguments: &CacheCommand, system: &dyn System) -> u8 {
    let mode = if arguments.action == CacheAction::Clean { Mode::ReadWrite } else { Mode::Read };
    let allow_shared = arguments.allow_shared_cache;
    let store = match session::disk(system, mode, arguments.cache_dir.as_deref(), allow_shared) {
        Ok(store) => store,
        Err(message) => return unusable(system, &message),
    };
    match act(arguments.action, &store) {
        Ok((text, code)) => session::print(system, &text).max(code),
        Err(message) => unusable(system, &message),
    }
}

fn unusable(system: &dyn System, message: &str) -> u8 {
    system.print_error(&format!("error: {message}\n"));
    session::UNUSABLE
}

/// Does what is asked for, and gives what there is to say with the exit code.
fn act(action: CacheAction, store: &Arc<DiskStore>) -> Result<(String, u8), String> {
    let folder = store.folder().display().to_string();
    let said = |error: cache_core::store::StoreError| error.to_string();
    Ok(match action {
        CacheAction::Stats => {
            let usage = store.usage().map_err(said)?;
            (format!("{folder}\n{} entries, {} bytes\n", usage.entries, usage.bytes), session::FINE)
        }
        CacheAction::Clean => {
            let before = store.usage().map_err(said)?;
            store.clean().map_err(said)?;
            (format!("{folder}\nforgot {} entries\n", before.entries), session::FINE)
        }
        CacheAction::Verify => {
            let verified = store.verify().map_err(said)?;
            let code = if verified.damaged == 0 { session::FINE } else { session::CACHE_FAULT };
            (
                format!("{folder}\n{} entries are whole, {} are damaged\n", verified.whole, verified.damaged),
                code,
            )
        }
    })
}
