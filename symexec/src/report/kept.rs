//! Where the query cache is kept beyond a run: in a folder, and behind it on a server that others share.

use std::sync::Arc;

use cache_core::mode::Mode;
use cache_core::store::{DiskOptions, DiskStore, Store, Tiered};

use super::run::Options;
use crate::base::system::System;
use crate::exec::Observer;

/// Opens what the options ask for. What cannot be used is a warning, and the run does without.
pub(super) fn open(
    options: &Options,
    system: &dyn System,
    output: &mut dyn Observer,
) -> Option<Arc<dyn Store>> {
    if options.mode == Mode::Off {
        return None;
    }
    let mut tiers: Vec<Box<dyn Store>> = Vec::new();
    if let Some(folder) = &options.cache_dir {
        let disk =
            DiskOptions::default().read_only(!options.mode.writes()).allow_shared(options.allow_shared_cache);
        match DiskStore::open(folder, disk) {
            Ok(store) => tiers.push(Box::new(store)),
            Err(error) => output.warn(&format!("the query cache is not kept: {error}")),
        }
    }
    match options.remote.open(&|name| system.environment(name)) {
        Ok(Some(remote)) => tiers.push(Box::new(remote)),
        Ok(None) => {}
        Err(error) => output.warn(&format!("the remote cache is not used: {error}")),
    }
    match tiers.len() {
        0 => None,
        1 => tiers.pop().map(Arc::from),
        _ => Some(Arc::new(Tiered::new(tiers))),
    }
}
