//! Laws of `cache_core::limits`: when an old "out of limits" speaks for a new request.

use cache_core::limits::{Limits, MachineId};
use proptest::prelude::*;

use crate::planted::is_broken;

fn component() -> impl Strategy<Value = Option<u64>> {
    proptest::option::of(0_u64..3)
}

fn limits() -> impl Strategy<Value = Limits> {
    let machine = proptest::option::of("[ab]").prop_map(|name| name.map(MachineId));
    (component(), component(), component(), machine).prop_map(|(wall_ms, resource, memory_bytes, machine)| {
        Limits { wall_ms, resource, memory_bytes, machine }
    })
}

/// What a run needs to be answered: it runs out of limits where a limit is at most its need.
#[derive(Clone, Copy, Debug)]
struct Need {
    wall_ms: u64,
    resource: u64,
    memory_bytes: u64,
}

impl Need {
    fn exceeds(self, limits: &Limits) -> bool {
        let beyond = |need: u64, limit: Option<u64>| limit.is_some_and(|limit| need > limit);
        beyond(self.wall_ms, limits.wall_ms)
            || beyond(self.resource, limits.resource)
            || beyond(self.memory_bytes, limits.memory_bytes)
    }
}

fn need() -> impl Strategy<Value = Need> {
    (0_u64..4, 0_u64..4, 0_u64..4).prop_map(|(wall_ms, resource, memory_bytes)| Need {
        wall_ms,
        resource,
        memory_bytes,
    })
}

type Judge = fn(&Limits, &Limits) -> bool;

/// A replayed "out of limits" is what a run under the new limits would have ended with, whatever it needs.
fn replays_only_what_would_happen_again(
    judge: Judge,
    (old, new, need): &(Limits, Limits, Need),
) -> Result<(), TestCaseError> {
    if judge(old, new) && need.exceeds(old) {
        prop_assert!(need.exceeds(new));
        prop_assert!(old.wall_ms.is_none() || old.machine == new.machine, "the clock of another machine");
    }
    Ok(())
}

/// Wrong: one component that is not larger is enough.
fn any_component(old: &Limits, new: &Limits) -> bool {
    let within =
        |old: Option<u64>, new: Option<u64>| matches!((old, new), (Some(old), Some(new)) if new <= old);
    within(old.wall_ms, new.wall_ms)
        || within(old.resource, new.resource)
        || within(old.memory_bytes, new.memory_bytes)
}

/// Wrong: the machine does not matter.
fn any_machine(old: &Limits, new: &Limits) -> bool {
    let new = Limits { machine: old.machine.clone(), ..new.clone() };
    old.exhausted_for(&new)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn out_of_limits_is_replayed_only_where_it_would_happen_again(old in limits(), new in limits(), need in need()) {
        replays_only_what_would_happen_again(Limits::exhausted_for, &(old, new, need))?;
    }

    #[test]
    fn it_is_replayed_where_no_component_is_larger(old in limits(), less in (0_u64..2, 0_u64..2, 0_u64..2)) {
        let lower = |limit: Option<u64>, less: u64| limit.map(|limit| limit.saturating_sub(less));
        let new = Limits {
            wall_ms: lower(old.wall_ms, less.0),
            resource: lower(old.resource, less.1),
            memory_bytes: lower(old.memory_bytes, less.2),
            machine: old.machine.clone(),
        };
        prop_assert_eq!(old.exhausted_for(&new), old.wall_ms.is_none() || old.machine.is_some());
    }

    #[test]
    fn a_larger_component_is_asked_again(old in limits(), which in 0_usize..3, limit in 0_u64..3) {
        let component = |limits: &Limits, value: Option<u64>| {
            let mut changed = limits.clone();
            *[&mut changed.wall_ms, &mut changed.resource, &mut changed.memory_bytes][which] = value;
            changed
        };
        let old = component(&old, Some(limit));
        prop_assert!(!old.exhausted_for(&component(&old, Some(limit + 1))));
        prop_assert!(!old.exhausted_for(&component(&old, None)), "absent is infinite");
    }

    #[test]
    fn speaking_for_others_is_transitive(a in limits(), b in limits(), c in limits()) {
        if a.exhausted_for(&b) && b.exhausted_for(&c) {
            prop_assert!(a.exhausted_for(&c));
        }
    }
}

#[test]
fn the_law_of_limits_catches_wrong_judges() {
    let case = || (limits(), limits(), need());
    let broken =
        |judge: Judge| is_broken(4000, &case(), |case| replays_only_what_would_happen_again(judge, &case));
    assert!(broken(|_, _| true));
    assert!(broken(any_component));
    assert!(broken(any_machine));
    assert!(!broken(Limits::exhausted_for));
}

#[test]
fn wall_clock_verdicts_stay_on_their_machine() {
    let at = |machine: Option<&str>, wall_ms| Limits {
        wall_ms,
        machine: machine.map(|name| MachineId(name.to_owned())),
        ..Limits::default()
    };
    assert!(at(Some("a"), Some(10)).exhausted_for(&at(Some("a"), Some(10))));
    assert!(!at(Some("a"), Some(10)).exhausted_for(&at(Some("b"), Some(10))));
    assert!(!at(Some("a"), Some(10)).exhausted_for(&at(None, Some(10))));
    assert!(
        !at(None, Some(10)).exhausted_for(&at(None, Some(10))),
        "an unknown machine is not the same machine"
    );
    // Without a wall-clock limit the machine does not matter.
    let resource = |machine: Option<&str>| Limits { resource: Some(5), ..at(machine, None) };
    assert!(resource(Some("a")).exhausted_for(&resource(Some("b"))));
    assert!(Limits::unlimited().exhausted_for(&Limits::unlimited()));
}
