//! `ivl cache`: looks at the cache on disk, checks it, or empties it; carries what it holds to a remote cache and back.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use cache_core::mode::Mode;
use cache_core::store::remote::SecretKey;
use cache_core::store::remote::exchange::{self, Exchanged};
use cache_core::store::{DiskStore, Remote, Store, StoreError};
use ivl_verifier::base::system::System;
use reprise_tools::remote::{RemoteMode, Settings};

use crate::arguments::{CacheAction, CacheCommand};
use crate::session;

/// Under which name results are listed in a remote cache.
const TOOL: &str = "ivl";
/// How long one waits in vain who asks for nothing but this.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs the subcommand and gives the exit code.
pub(crate) fn run(arguments: &CacheCommand, system: &dyn System) -> u8 {
    let done = match (arguments.action, &arguments.file) {
        (CacheAction::Keygen, Some(file)) => keygen(file),
        (_, Some(file)) => Err(format!("only keygen takes a file: what is `{}` for?", file.display())),
        _ => act(arguments, system),
    };
    match done {
        Ok((text, code)) => session::print(system, &text).max(code),
        Err(message) => {
            system.print_error(&format!("error: {message}\n"));
            session::UNUSABLE
        }
    }
}

/// Makes a key; says by which others recognize what it signs.
fn keygen(file: &Path) -> Result<(String, u8), String> {
    let key = SecretKey::generate().map_err(|error| error.to_string())?;
    key.write_new(file).map_err(|error| error.to_string())?;
    Ok((format!("{}\n", key.public()), session::FINE))
}

/// Does what is asked for, and gives what there is to say with the exit code.
fn act(arguments: &CacheCommand, system: &dyn System) -> Result<(String, u8), String> {
    let action = arguments.action;
    let mode =
        if matches!(action, CacheAction::Clean | CacheAction::Pull) { Mode::ReadWrite } else { Mode::Read };
    let store = session::disk(system, mode, arguments.cache_dir.as_deref(), arguments.allow_shared_cache)?;
    let folder = store.folder().display().to_string();
    let said = |error: StoreError| error.to_string();
    Ok(match action {
        CacheAction::Stats => {
            let usage = store.usage().map_err(said)?;
            let text = format!("{folder}\n{} entries, {} bytes\n", usage.entries, usage.bytes);
            match remote(arguments, system, None)? {
                None => (text, session::FINE),
                Some(remote) => (text + &listed(&remote)?, told(&remote, system)),
            }
        }
        CacheAction::Clean => {
            let before = store.usage().map_err(said)?;
            store.clean().map_err(said)?;
            (format!("{folder}\nforgot {} entries\n", before.entries), session::FINE)
        }
        CacheAction::Verify => {
            let verified = store.verify().map_err(said)?;
            let code = if verified.damaged == 0 { session::FINE } else { session::CACHE_FAULT };
            let text =
                format!("{folder}\n{} entries are whole, {} are damaged\n", verified.whole, verified.damaged);
            (text, code)
        }
        CacheAction::Push => exchanged(arguments, system, &store, RemoteMode::ReadWrite)?,
        CacheAction::Pull => exchanged(arguments, system, &store, RemoteMode::Read)?,
        // It needs no folder.
        CacheAction::Keygen => return Err("keygen needs a file".to_owned()),
    })
}

/// The remote cache, if one is asked for, in a mode of its own if one is given.
fn remote(
    arguments: &CacheCommand,
    system: &dyn System,
    mode: Option<RemoteMode>,
) -> Result<Option<Remote>, String> {
    let said = arguments.remote.settings();
    session::remote(system, &Settings { mode: mode.or(said.mode), patience: Some(PATIENCE), ..said })
}

/// Carries entries between the folder and the remote cache.
fn exchanged(
    arguments: &CacheCommand,
    system: &dyn System,
    store: &Arc<DiskStore>,
    mode: RemoteMode,
) -> Result<(String, u8), String> {
    let remote = remote(arguments, system, Some(mode))?;
    let remote = remote.ok_or("there is no remote cache: name one with --remote, or in REPRISE_REMOTE")?;
    let (verb, done) = match mode {
        RemoteMode::ReadWrite => ("sent", exchange::push(store, &remote, TOOL)),
        RemoteMode::Read => ("fetched", exchange::pull(&remote, &**store, TOOL)),
    };
    let Exchanged { carried, present, missing } = done.map_err(|error| error.to_string())?;
    store.maintain().map_err(|error| error.to_string())?;
    let place = remote.place();
    let text =
        format!("{place}\n{verb} {carried} entries; {present} were there, {missing} could not be had\n");
    Ok((text, told(&remote, system)))
}

/// What a remote cache lists.
fn listed(remote: &Remote) -> Result<String, String> {
    let listing = exchange::listing(remote, TOOL).map_err(|error| error.to_string())?;
    let signer = listing.signer.map_or_else(String::new, |signer| format!(", as {signer} says"));
    Ok(format!("{}\n{} entries were pushed{signer}\n", remote.place(), listing.ids.len()))
}

/// Tells what went wrong with a remote cache, and gives the exit code for it.
fn told(remote: &Remote, system: &dyn System) -> u8 {
    let troubles = remote.take_troubles();
    for trouble in &troubles {
        system.print_error(&format!("warning: {trouble}\n"));
    }
    if troubles.is_empty() { session::FINE } else { session::CACHE_FAULT }
}
