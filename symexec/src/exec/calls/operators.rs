//! `operator new` and `operator delete` of C++: objects are given back in the way in which they were taken, and what
//! the program defines itself takes the place of what the library has.
//!
//! The library's forms of `operator new` are the runtime's (`runtime/cxx/memory.cpp`), those of `operator delete` the
//! engine's. By the standard each form that a program does not define calls another one, which it may have defined:
//! arrays that for single objects, those with a size or without exceptions the plain one.

use std::collections::BTreeMap;

use crate::exec::{ErrorKind, Executor, PathError, State, Step};
use crate::memory::{Origin, Value};
use crate::module::{FunctionId, Module};

/// The beginnings of the operators' names.
const OPERATORS: [&str; 4] = ["_Znw", "_Zna", "_Zdl", "_Zda"];

/// Forms of `operator delete`, and those that they call in turn.
const CALLS: [(&str, &str); 10] = [
    ("_ZdlPvm", "_ZdlPv"),
    ("_ZdlPvRKSt9nothrow_t", "_ZdlPv"),
    ("_ZdaPv", "_ZdlPv"),
    ("_ZdaPvm", "_ZdaPv"),
    ("_ZdaPvRKSt9nothrow_t", "_ZdaPv"),
    ("_ZdlPvmSt11align_val_t", "_ZdlPvSt11align_val_t"),
    ("_ZdlPvSt11align_val_tRKSt9nothrow_t", "_ZdlPvSt11align_val_t"),
    ("_ZdaPvSt11align_val_t", "_ZdlPvSt11align_val_t"),
    ("_ZdaPvmSt11align_val_t", "_ZdaPvSt11align_val_t"),
    ("_ZdaPvSt11align_val_tRKSt9nothrow_t", "_ZdaPvSt11align_val_t"),
];

/// The operators that a program defines.
#[derive(Debug, Default)]
pub(in crate::exec) struct OwnOperators {
    /// Whether it defines some.
    some: bool,
    /// Whether it defines the plain `operator new`, and the one with an alignment.
    new: [bool; 2],
    /// What is called in the place of a form of `operator delete`.
    delete: BTreeMap<FunctionId, FunctionId>,
}

impl OwnOperators {
    /// Those of a program.
    pub(in crate::exec) fn of(module: &Module) -> Self {
        let mut all = BTreeMap::new();
        for (place, function) in module.functions.iter().enumerate() {
            if OPERATORS.iter().any(|operator| function.name.starts_with(operator)) {
                let own = function.is_defined() && !function.runtime;
                all.insert(function.name.as_str(), (FunctionId::at(place), own));
            }
        }
        let own = |name: &str| all.get(name).filter(|(_, own)| *own).map(|(id, _)| *id);
        let mut delete = BTreeMap::new();
        for (name, (id, _)) in all.iter().filter(|(_, (_, own))| !own) {
            let mut next = *name;
            while let Some((_, called)) = CALLS.iter().find(|(form, _)| *form == next) {
                next = called;
                if let Some(target) = own(next) {
                    delete.insert(*id, target);
                    break;
                }
            }
        }
        Self {
            some: all.values().any(|(_, own)| *own),
            new: ["_Znwm", "_ZnwmSt11align_val_t"].map(|name| own(name).is_some()),
            delete,
        }
    }

    /// What is called where an operator of the library is.
    pub(in crate::exec) fn instead_of(&self, callee: FunctionId) -> FunctionId {
        if self.some { self.delete.get(&callee).copied().unwrap_or(callee) } else { callee }
    }

    /// Whether the program has an own `operator new`, plain or with an alignment.
    pub(in crate::exec) fn replaces_new(&self, aligned: bool) -> bool {
        self.new[usize::from(aligned)]
    }
}

impl Executor<'_> {
    /// Gives an object back in one of three ways, which has to be that in which it was taken.
    pub(in crate::exec) fn give_back(&mut self, state: &mut State, pointer: Value, way: Origin) -> Step<()> {
        let Some(object) = self.freed(state, pointer, "free")? else { return Ok(()) };
        let origin = state.memory.object(object).map_or(Origin::Malloc, |object| object.origin);
        // A program with operators of its own may well allocate for those that it leaves to the library.
        if origin != way && !self.own_operators.some {
            let (given, taken) = (called(way, false), called(origin, true));
            let message = format!("memory error: {given} of an object that {taken} gave");
            return Err(PathError::new(ErrorKind::Free, message).into());
        }
        state.free(object);
        Ok(())
    }
}

/// Whose objects the form of `operator delete` under a name gives back.
pub(in crate::exec) fn deletes(name: &str) -> Option<Origin> {
    let known =
        name == "_ZdlPv" || name == "_ZdlPvSt11align_val_t" || CALLS.iter().any(|(form, _)| *form == name);
    let way = if name.starts_with("_Zda") { Origin::NewArray } else { Origin::New };
    known.then_some(way)
}

/// How an object is taken and given back, as messages say it.
fn called(origin: Origin, gives: bool) -> &'static str {
    match (origin, gives) {
        (Origin::Malloc, true) => "malloc",
        (Origin::Malloc, false) => "free",
        (Origin::New, true) => "new",
        (Origin::New, false) => "delete",
        (Origin::NewArray, true) => "new[]",
        (Origin::NewArray, false) => "delete[]",
    }
}
