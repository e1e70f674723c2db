//! Unloading: what a file defines and says is taken back, when it is loaded anew or for good.

use super::Loader;
use super::compiling::compile_shared;
use super::declarations::{define_type_anew, drop_contracts};
use crate::base::Source;
use crate::machine::{Kind, Link, Machine};
use std::rc::Rc;

/// Takes back a file for good.
pub(super) fn forget(machine: &mut Machine, file: usize) {
    unload(machine, file);
    machine.loading.files[file].gone = true;
    let path = machine.atoms.text(machine.loading.files[file].path).to_owned();
    let first = machine.contracts.len() as u32;
    let module = machine.source_module;
    let loader = Loader::new(Rc::new(Source::new(path, String::new())), Some(file));
    loader.check_again(machine);
    loader.follow_types(machine, first);
    machine.source_module = module;
    machine.checker.clear();
    machine.abolish_tables();
}

/// Takes back what a file defines. What others say of its predicates is checked again when it has been loaded anew, or
/// when it is gone for good.
pub(super) fn unload(machine: &mut Machine, file: usize) {
    let path = machine.loading.files[file].path;
    for clause in std::mem::take(&mut machine.loading.files[file].clauses) {
        machine.erase_clause(clause);
    }
    let mut unchecked = machine.loading.drop_assertions(path);
    for &id in &unchecked {
        drop_contracts(machine, id);
    }
    for id in std::mem::take(&mut machine.loading.files[file].predicates) {
        let predicate = machine.predicate_at(id);
        let is_shared = predicate.multifile && predicate.kind == Kind::Static;
        let is_here = predicate.place.is_some_and(|place| place.file == path);
        if predicate.link != Link::Own || !is_here && !is_shared {
            continue;
        }
        machine.loading.share_clauses(id, path, 0, Vec::new());
        if is_shared && compile_shared(machine, id) {
            define_type_anew(machine, id);
            continue;
        }
        machine.undefine(id);
        machine.loading.drop_contracts(id);
        unchecked.push(id);
    }
    machine.loading.files[file].unchecked = unchecked;
    let module = machine.loading.files[file].module;
    if std::mem::take(&mut machine.loading.files[file].is_module) {
        let module = machine.module(module);
        module.exports.clear();
        module.operators.clear();
        module.packages.clear();
    }
}
