//! What is kept beyond a run: the query cache in a folder, and behind it on a server that others share; programs as
//! their reader tells them, in the folder alone.
//!
//! Programs are kept by what makes them: the bytes of their files and of the reader, the list of the C++
//! library's parts and what they were made from, and all that is asked of the reader. So a hit is what the
//! reader would say, and only costs its time. Sources are not kept: what they include is not known before they
//! are compiled.

use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use cache_core::key::{Checksum, KeyBuilder};
use cache_core::mode::Mode;
use cache_core::store::{DiskOptions, DiskStore, Found, Store, Tiered};

use super::options::Options;
use super::program;
use super::run_error::RunError;
use super::workers::locate;
use crate::base::system::System;
use crate::exec::Observer;
use crate::module::reader::{Request, is_source};
use crate::module::{FORMAT, Module, library};

/// Changes whenever what is kept of a program changes its meaning.
const SCHEMA: u32 = 1;

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
        match DiskStore::open(folder, disk(options)) {
            Ok(store) => tiers.push(Box::new(store)),
            Err(error) => output.warn(&format!("the query cache is not kept: {error}")),
        }
    }
    let disk = tiers.first().map(|disk| &**disk);
    match options.remote.open_behind(disk, &|name| system.environment(name)) {
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

fn disk(options: &Options) -> DiskOptions {
    DiskOptions::default().read_only(!options.mode.writes()).allow_shared(options.allow_shared_cache)
}

/// The program, and the bytes in which its reader tells it, from an earlier run if that asked the same.
///
/// # Errors
/// Those of the reader.
pub(super) fn read(
    request: &Request,
    options: &Options,
    system: &Rc<dyn System>,
) -> Result<(Vec<u8>, Module), RunError> {
    let folder = options.cache_dir.as_ref().filter(|_| options.mode != Mode::Off);
    // What cannot be opened is told where the query cache is.
    let store = folder.and_then(|folder| DiskStore::open(folder, disk(options)).ok());
    // The reader's program is large, and read only where something is kept.
    let kept = store.and_then(|store| Some((store, identity(request, options, &**system)?)));
    if let Some((store, key)) = kept.as_ref().filter(|_| options.mode.reads())
        && let Some(answer) = store.get(key).ok().and_then(Found::payload)
        && let Ok(module) = program::understand(&answer)
    {
        return Ok((answer, module));
    }
    let answer = program::read(request, system)?;
    // What is wrong with a program is found again.
    let module = program::understand(&answer)?;
    if let Some((store, key)) = kept.filter(|_| options.mode.writes()) {
        // A folder that takes nothing costs the next run its time.
        let _ = store.put(&key, &answer);
    }
    Ok((answer, module))
}

/// Everything that decides what the reader says; `None` if that is not known.
#[cfg_attr(
    not(feature = "plant"),
    expect(unused_variables, reason = "only faults are options of what is kept")
)]
fn identity(request: &Request, options: &Options, system: &dyn System) -> Option<Checksum> {
    let Request {
        files,
        defines,
        include,
        flags,
        clang,
        start,
        assembly,
        bitcode,
        optimize,
        strip,
        #[cfg(feature = "plant")]
        keeps_missing,
    } = request;
    if files.iter().any(|file| is_source(file)) {
        return None;
    }
    let bytes = |path: &Path| system.read_file(path).ok().map(|bytes| Checksum::of(bytes.as_slice()));
    let contents = files.iter().map(|file| bytes(file)).collect::<Option<Vec<Checksum>>>()?;
    #[cfg(feature = "plant")]
    let contents =
        if options.fault == Some(crate::base::plant::Fault::StaleProgram) { Vec::new() } else { contents };
    let library = library::folder(system);
    let parts = [library::INDEX, library::STAMP]
        .map(|file| library.as_ref().and_then(|folder| bytes(&folder.join(file))));
    let key = KeyBuilder::new("symexec program", SCHEMA)
        .engine("format", &FORMAT.to_string())
        .content("reader", &bytes(&locate(system, "symexec-reader"))?)
        .content("files", &contents)
        .content("library", parts.as_slice())
        .option("paths", &(files, &library))
        .option("compiler", &(defines, include, flags, clang))
        .option("wanted", &(*start, *assembly, *bitcode, *optimize, *strip));
    #[cfg(feature = "plant")]
    let key = key.option("fault", keeps_missing);
    let key = key.finish();
    Some(key.checksum())
}
