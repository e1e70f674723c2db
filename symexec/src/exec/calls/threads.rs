//! What the runtime's threads (`runtime/world/threads.c`) need of the engine beside stacks: variables of which each thread
//! has one of its own.
//!
//! Such a variable is one object, that of the thread that runs. The runtime puts its contents away where another thread
//! is to run, so here it only says which there are, and makes them what they are when a thread begins.

use std::rc::Rc;

use crate::exec::{Executor, State, Step};
use crate::memory::Value;
use crate::module::Module;

/// The places of the variables of which each thread has one of its own, among all.
pub(in crate::exec) fn variables(module: &Module) -> Rc<[usize]> {
    let all = module.globals.iter().enumerate();
    all.filter(|(_, global)| global.thread_local && global.defined && !global.constant)
        .map(|(place, _)| place)
        .collect()
}

impl Executor<'_> {
    /// A variable of threads, by its place among them, with its size; null behind the last one. The first one is `errno`.
    pub(in crate::exec) fn thread_variable(
        &mut self,
        state: &mut State,
        place: u64,
        size: Value,
    ) -> Step<Value> {
        let variable = match place.checked_sub(1) {
            None => Some((state.errno, 4)),
            Some(place) => usize::try_from(place)
                .ok()
                .and_then(|place| self.thread_variables.get(place))
                .and_then(|place| state.globals.get(*place).zip(self.module.globals.get(*place)))
                .map(|(object, global)| (*object, global.size)),
        };
        let Some((object, bytes)) = variable else { return Ok(Value::Bits(0)) };
        let (to, at) = self.known_place(state, size, 8, true)?;
        state.memory.store(&mut self.arena, &mut self.allocator, to, at, 8, Value::Bits(bytes));
        Ok(Value::Pointer { object, offset: 0 })
    }

    /// Variables of threads are what they are when a thread begins.
    pub(in crate::exec) fn begin_thread(&mut self, state: &mut State) {
        let module = self.module;
        state.memory.store(&mut self.arena, &mut self.allocator, state.errno, 0, 4, Value::Bits(0));
        let (globals, functions) = (Rc::clone(&state.globals), Rc::clone(&state.functions));
        for &place in Rc::clone(&self.thread_variables).iter() {
            if let Some((global, id)) = module.globals.get(place).zip(globals.get(place)) {
                self.fill(state, global, *id, (&globals, &functions));
            }
        }
    }
}
