//! What the library's limits on calls, time and depth are made of; see `machine::budget` and `machine::depth`.

use crate::machine::{Budget, DepthLimit, Machine, Resource};
use crate::term::{Cell, Tag};
use std::time::Duration;

pub(super) fn define(machine: &mut Machine) {
    // '$begin_budget'(Resource, Owner, Amount, Before): Owner is given a number if it has none yet.
    machine.define_builtin("$begin_budget", 4, |m| {
        if m.argument(1).tag() == Tag::Ref {
            let owner = Cell::int(m.new_owner() as i64);
            m.unify_argument(1, owner);
        }
        let (owner, amount) = (m.argument(1).int_value() as u64, m.argument(2).int_value() as u64);
        let resource = resource(m);
        let before = m.begin_budget(resource, owner, amount);
        let name = m.atoms.intern("before");
        let parts = [Cell::int(before.bound as i64), Cell::int(before.owner as i64)];
        let before = m.store.compound(name, &parts);
        Ok(m.unify_argument(3, before))
    });
    // '$end_budget'(Resource, Bound, Owner, Left): the bound and the owner that held before.
    machine.define_builtin("$end_budget", 4, |m| {
        let (bound, owner) = (m.argument(1).int_value() as u64, m.argument(2).int_value() as u64);
        let resource = resource(m);
        let left = m.end_budget(resource, Budget { bound, owner });
        let left = Cell::int((left as i64).min(Cell::MAX_INT));
        Ok(m.unify_argument(3, left))
    });
    machine.define_builtin("$met_budget", 1, |m| {
        let owner = Cell::int(m.met_budget() as i64);
        Ok(m.unify_argument(0, owner))
    });
    // '$set_depth'(Limit, Reached, Before, Depth): Before is depth(Limit, Reached), as before; -1 is no limit. Depth is
    // that of the clause.
    machine.define_builtin("$set_depth", 4, |m| {
        let (limit, reached) = (m.argument(0).int_value(), m.argument(1).int_value());
        let depth = m.clause_depth();
        let new = DepthLimit { limit: u64::try_from(limit).ok(), reached: reached.max(0) as u64 };
        let before = m.set_depth_limit(new);
        let limit = before.limit.map_or(-1, |limit| limit as i64);
        let name = m.atoms.intern("depth");
        let before = m.store.compound(name, &[Cell::int(limit), Cell::int(before.reached as i64)]);
        Ok(m.unify_argument(2, before) && m.unify_argument(3, Cell::int(depth as i64)))
    });
    // A short sleep, after which the loop looks up: long ones are made of them, so that they can be interrupted.
    machine.define_builtin("$sleep", 1, |m| {
        let milliseconds = m.argument(0).int_value().max(0) as u64;
        m.sleep(Duration::from_millis(milliseconds));
        Ok(true)
    });
}

/// The resource that the first argument names, which only the library writes.
fn resource(m: &mut Machine) -> Resource {
    let time = Cell::atom(m.atoms.intern("time"));
    if m.argument(0) == time { Resource::Time } else { Resource::Inferences }
}
