//! Laws of `cache_core::deps`.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking, in helpers as well")]

use std::collections::{BTreeMap, BTreeSet};

use cache_core::deps::{ChangeClass, DepsError, Entity, Priority, Snapshot, Unresolved};
use cache_core::key::Checksum;
use proptest::prelude::*;

use crate::planted::is_broken;

mod components;

/// A program: for each entity its content and, by number, what it refers to. Numbers beyond the last
/// entity are names that nothing has.
#[derive(Clone, Debug)]
struct Program(Vec<(u8, Vec<usize>)>);

fn name(number: usize) -> String {
    format!("e{number}")
}

impl Program {
    fn entities(&self) -> Vec<Entity> {
        let entities = self.0.iter().enumerate();
        entities
            .map(|(number, (content, references))| Entity {
                name: name(number),
                checksum: Checksum::of(content),
                depends_on: references.iter().map(|number| name(*number)).collect(),
            })
            .collect()
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot::of(self.entities(), Unresolved::Absent).unwrap()
    }

    /// What an entity reaches, itself included.
    fn reached(&self, from: usize) -> BTreeSet<usize> {
        let (mut reached, mut stack) = (BTreeSet::new(), vec![from]);
        while let Some(number) = stack.pop() {
            if reached.insert(number) {
                stack.extend(self.0.get(number).into_iter().flat_map(|(_, references)| references));
            }
        }
        reached
    }
}

fn program() -> impl Strategy<Value = Program> {
    let entity = (0_u8..3, proptest::collection::vec(0_usize..10, 0..4));
    proptest::collection::vec(entity, 2..9).prop_map(Program)
}

/// A way to compute dependency checksums; the real one, and wrong ones that the laws must catch.
type Scheme = fn(&Program) -> BTreeMap<usize, Vec<u8>>;

fn real(program: &Program) -> BTreeMap<usize, Vec<u8>> {
    let snapshot = program.snapshot();
    let checksum = |number| snapshot.get(&name(number)).unwrap().dependency;
    (0..program.0.len()).map(|number| (number, checksum(number).confirm.to_bytes().to_vec())).collect()
}

/// Wrong: combined by exclusive or over everything that is reached.
fn cancelling(program: &Program) -> BTreeMap<usize, Vec<u8>> {
    combined(program, |bytes, other| {
        for (byte, other) in bytes.iter_mut().zip(other) {
            *byte ^= other;
        }
    })
}

/// Wrong: sorted contents without the names of what has them.
fn nameless(program: &Program) -> BTreeMap<usize, Vec<u8>> {
    let contents = |number| {
        let reached = program.reached(number).into_iter();
        let mut contents: Vec<u8> =
            reached.filter_map(|number| program.0.get(number)).map(|(content, _)| *content).collect();
        contents.sort_unstable();
        contents
    };
    (0..program.0.len()).map(|number| (number, contents(number))).collect()
}

/// Wrong: of the entity and what it refers to directly.
fn shallow(program: &Program) -> BTreeMap<usize, Vec<u8>> {
    let text = |number: usize| format!("{number}:{:?}", program.0.get(number).map(|(content, _)| content));
    let own = |number: usize| {
        let below: Vec<String> = program.0[number].1.iter().map(|number| text(*number)).collect();
        (text(number) + &below.join(",")).into_bytes()
    };
    (0..program.0.len()).map(|number| (number, own(number))).collect()
}

fn combined(program: &Program, combine: impl Fn(&mut [u8; 32], [u8; 32])) -> BTreeMap<usize, Vec<u8>> {
    let one = |number| {
        let mut bytes = [0; 32];
        for number in program.reached(number) {
            if let Some((content, _)) = program.0.get(number) {
                combine(&mut bytes, Checksum::of(content).confirm.to_bytes());
            }
        }
        bytes.to_vec()
    };
    (0..program.0.len()).map(|number| (number, one(number))).collect()
}

fn moves_exactly_what_reaches_the_change(
    scheme: Scheme,
    (program, which): &(Program, prop::sample::Index),
) -> Result<(), TestCaseError> {
    let changed = which.index(program.0.len());
    let mut edited = program.clone();
    edited.0[changed].0 += 3;
    let (before, after) = (scheme(program), scheme(&edited));
    for number in 0..program.0.len() {
        let reaches = program.reached(number).contains(&changed);
        prop_assert_eq!(
            before[&number] != after[&number],
            reaches,
            "e{} after an edit of e{}",
            number,
            changed
        );
    }
    Ok(())
}

fn an_exchange_shows(
    scheme: Scheme,
    (program, a, b): &(Program, prop::sample::Index, prop::sample::Index),
) -> Result<(), TestCaseError> {
    let (a, b) = (a.index(program.0.len()), b.index(program.0.len()));
    let mut exchanged = program.clone();
    (exchanged.0[a].0, exchanged.0[b].0) = (program.0[b].0, program.0[a].0);
    let differ = program.0[a].0 != program.0[b].0;
    let (before, after) = (scheme(program), scheme(&exchanged));
    for number in 0..program.0.len() {
        let reached = program.reached(number);
        let reaches = reached.contains(&a) || reached.contains(&b);
        prop_assert_eq!(before[&number] != after[&number], reaches && differ, "e{}", number);
    }
    Ok(())
}

fn edited() -> impl Strategy<Value = (Program, prop::sample::Index)> {
    (program(), any::<prop::sample::Index>())
}

fn exchanged() -> impl Strategy<Value = (Program, prop::sample::Index, prop::sample::Index)> {
    (program(), any::<prop::sample::Index>(), any::<prop::sample::Index>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_change_moves_exactly_what_reaches_it(edited in edited()) {
        moves_exactly_what_reaches_the_change(real, &edited)?;
    }

    #[test]
    fn exchanging_the_contents_of_two_entities_shows(exchanged in exchanged()) {
        an_exchange_shows(real, &exchanged)?;
    }

    #[test]
    fn the_order_of_entities_and_references_does_not_matter(program in program(), seed: u64) {
        let mut shuffled = program.entities();
        for place in 0..shuffled.len() {
            let other = usize::try_from(seed >> 3).unwrap().wrapping_mul(place + 7) % shuffled.len();
            shuffled.swap(place, other);
        }
        for entity in &mut shuffled {
            entity.depends_on.reverse();
            entity.depends_on.extend(entity.depends_on.first().cloned());
        }
        prop_assert_eq!(program.snapshot(), Snapshot::of(shuffled, Unresolved::Absent).unwrap());
    }

    #[test]
    fn both_digests_of_a_checksum_move_together(edited in edited()) {
        let (program, which) = edited;
        let mut after = program.clone();
        after.0[which.index(program.0.len())].0 += 3;
        for ((_, before), (_, after)) in program.snapshot().iter().zip(after.snapshot().iter()) {
            let (before, after) = (before.dependency, after.dependency);
            prop_assert_eq!(before.digest == after.digest, before.confirm == after.confirm);
        }
    }

    #[test]
    fn an_entity_has_causes_exactly_if_it_is_not_unchanged(before in program(), after in program()) {
        let (before, after) = (before.snapshot(), after.snapshot());
        for (name, class) in after.changes_since(&before) {
            let causes = after.causes(&name, &before);
            prop_assert_eq!(causes.is_empty(), class == ChangeClass::Unchanged, "{}", name);
            for cause in causes {
                prop_assert_ne!(after.changes_since(&before)[&cause.name], ChangeClass::Unchanged);
            }
        }
    }

    #[test]
    fn the_causes_of_one_edit_are_that_edit(edited in edited()) {
        let (program, which) = edited;
        let changed = which.index(program.0.len());
        let mut after = program.clone();
        after.0[changed].0 += 3;
        let (then, now) = (program.snapshot(), after.snapshot());
        for number in 0..program.0.len() {
            let causes: Vec<String> = now.causes(&name(number), &then).into_iter().map(|cause| cause.name).collect();
            let expected = if program.reached(number).contains(&changed) { vec![name(changed)] } else { vec![] };
            prop_assert_eq!(causes, expected);
        }
    }
}

#[test]
fn the_laws_of_checksums_catch_wrong_ones() {
    let edits = |scheme: Scheme| {
        is_broken(1000, &edited(), |case| moves_exactly_what_reaches_the_change(scheme, &case))
    };
    let exchanges = |scheme: Scheme| is_broken(1000, &exchanged(), |case| an_exchange_shows(scheme, &case));
    assert!(edits(shallow));
    assert!(exchanges(cancelling));
    assert!(exchanges(nameless));
    assert!(!edits(real) && !exchanges(real));
}

#[test]
fn the_confirming_digest_covers_the_confirming_digests_of_all_that_is_reached() {
    // Contents whose short digests collide, as an adversary could make them.
    let main = |content: &str| {
        let checksum = Checksum { confirm: Checksum::of(content).confirm, ..Checksum::of("same") };
        let entities = vec![
            entity("main", "m", &["middle"]),
            entity("middle", "m", &["deep"]),
            Entity { checksum, ..entity("deep", "", &[]) },
        ];
        snapshot(&entities).get("main").unwrap().dependency.confirm
    };
    assert_ne!(main("one"), main("two"));
}

fn entity(name: &str, content: &str, depends_on: &[&str]) -> Entity {
    Entity {
        name: name.to_owned(),
        checksum: Checksum::of(content),
        depends_on: depends_on.iter().map(|name| (*name).to_owned()).collect(),
    }
}

fn snapshot(entities: &[Entity]) -> Snapshot {
    Snapshot::of(entities.to_vec(), Unresolved::Absent).unwrap()
}

#[test]
fn each_entity_has_its_change_class_and_priority() {
    let before = snapshot(&[
        entity("gone", "g", &[]),
        entity("same", "s", &[]),
        entity("edited", "1", &[]),
        entity("above", "a", &["edited"]),
        entity("both", "1", &["edited"]),
    ]);
    let after = snapshot(&[
        entity("same", "s", &[]),
        entity("edited", "2", &[]),
        entity("above", "a", &["edited"]),
        entity("both", "2", &["edited"]),
        entity("added", "n", &[]),
    ]);
    let expected = [
        ("above", ChangeClass::DependencyChanged, Some(Priority::Low)),
        ("added", ChangeClass::New, Some(Priority::High)),
        ("both", ChangeClass::EntityChanged, Some(Priority::Medium)),
        ("edited", ChangeClass::EntityChanged, Some(Priority::Medium)),
        ("gone", ChangeClass::Removed, None),
        ("same", ChangeClass::Unchanged, Some(Priority::Highest)),
    ];
    let found = after.changes_since(&before);
    let found: Vec<_> = found.iter().map(|(name, class)| (name.as_str(), *class, class.priority())).collect();
    assert_eq!(found, expected);
    assert!(
        Priority::Low < Priority::Medium
            && Priority::Medium < Priority::High
            && Priority::High < Priority::Highest
    );
}

#[test]
fn the_four_outcomes_of_figure_2_of_the_paper() {
    // Both implementations depend on procedure `abs`; an implementation is referred to by nobody.
    let program = |procedure: &str, implementation: &str| {
        snapshot(&[
            entity("procedure abs", procedure, &[]),
            entity("implementation abs", implementation, &["procedure abs"]),
            entity("procedure main", "modifies nothing", &[]),
            entity("implementation main", "call y := abs(x)", &["procedure abs", "procedure main"]),
        ])
    };
    let before = program("ensures 0 <= r", "r := x");
    let main = |after: &Snapshot| after.changes_since(&before)["implementation main"];
    let abs = |after: &Snapshot| after.changes_since(&before)["implementation abs"];
    let procedure_edited = program("ensures 1 <= r", "r := x");
    assert_eq!(main(&procedure_edited), ChangeClass::DependencyChanged);
    assert_eq!(abs(&procedure_edited), ChangeClass::DependencyChanged);
    let implementation_edited = program("ensures 0 <= r", "r := -x");
    assert_eq!(main(&implementation_edited), ChangeClass::Unchanged);
    assert_eq!(abs(&implementation_edited), ChangeClass::EntityChanged);
}

#[test]
fn a_cause_names_the_way_that_leads_to_it() {
    let program = |content: &str| {
        snapshot(&[
            entity("main", "m", &["middle", "other"]),
            entity("middle", "m", &["deep"]),
            entity("other", "o", &[]),
            entity("deep", content, &["main"]),
        ])
    };
    let (before, after) = (program("1"), program("2"));
    let causes: Vec<String> = after.causes("main", &before).iter().map(ToString::to_string).collect();
    assert_eq!(causes, ["`deep` changed, through `middle`"]);
    let causes: Vec<String> = after.causes("deep", &before).iter().map(ToString::to_string).collect();
    assert_eq!(causes, ["`deep` changed"]);
    assert_eq!(after.causes("other", &before), []);
    assert_eq!(after.causes("nobody", &before), []);
}

#[test]
fn a_name_that_does_not_resolve_is_an_error_or_marked() {
    let entities = vec![entity("main", "m", &["nowhere"])];
    let error = Snapshot::of(entities.clone(), Unresolved::Error).unwrap_err();
    assert_eq!(error, DepsError::Unresolved { entity: "main".to_owned(), name: "nowhere".to_owned() });
    assert_eq!(
        error.to_string(),
        "`main` depends on `nowhere`, which no entity is named: declare it or mark it as absent"
    );

    let absent = snapshot(&entities);
    let none = snapshot(&[entity("main", "m", &[])]);
    let declared = snapshot(&[entity("main", "m", &["nowhere"]), entity("nowhere", "", &[])]);
    let main = |snapshot: &Snapshot| snapshot.get("main").unwrap().dependency;
    assert_ne!(main(&absent), main(&none));
    assert_ne!(main(&absent), main(&declared));
    let causes: Vec<String> = declared.causes("main", &absent).iter().map(ToString::to_string).collect();
    assert_eq!(causes, ["`nowhere` is new"]);
    let causes: Vec<String> = absent.causes("main", &declared).iter().map(ToString::to_string).collect();
    assert_eq!(causes, ["`nowhere` is gone"]);
    let causes: Vec<String> = absent.causes("main", &none).iter().map(ToString::to_string).collect();
    assert_eq!(causes, ["`main` refers to other entities"]);
}

#[test]
fn two_entities_of_one_name_are_an_error() {
    let error =
        Snapshot::of(vec![entity("f", "1", &[]), entity("f", "1", &[])], Unresolved::Absent).unwrap_err();
    assert_eq!(error.to_string(), "two entities are named `f`: give each a name of its own");
}

#[test]
fn long_chains_and_large_components_are_digested_without_recursion() {
    const COUNT: usize = 100_000;
    let chain = |closed: bool, first: u8| {
        let entities = (0..COUNT).map(|number| Entity {
            name: name(number),
            checksum: Checksum::of(&if number == 0 { first } else { 9 }),
            depends_on: if number + 1 < COUNT {
                vec![name(number + 1)]
            } else if closed {
                vec![name(0)]
            } else {
                vec![]
            },
        });
        Snapshot::of(entities.collect(), Unresolved::Error).unwrap()
    };
    let moved = |closed| {
        let changes = chain(closed, 2).changes_since(&chain(closed, 1));
        changes.values().filter(|class| **class != ChangeClass::Unchanged).count()
    };
    assert_eq!(moved(false), 1, "nothing refers to the first of a chain");
    assert_eq!(moved(true), COUNT, "in a ring everything reaches everything");
}

#[test]
fn the_checksum_of_a_program_is_the_same_on_every_run_and_machine() {
    let program = snapshot(&[
        entity("f", "1", &["g", "nowhere"]),
        entity("g", "2", &["f", "h"]),
        entity("h", "3", &[]),
    ]);
    insta::assert_snapshot!(program.get("f").unwrap().dependency.digest, @"1807903238f36aa82fa8d3770e2da719");
    insta::assert_snapshot!(program.get("f").unwrap().dependency.confirm, @"23d17c6eb6b41ec00d007918f7c2804fe30074628654cb4c062703bc051e9f38");
}

/// A way to bring a snapshot up to date; the real one, and wrong ones that the law must catch.
type Update = fn(&mut Snapshot, Vec<Entity>, &[&str]) -> usize;

fn real_update(snapshot: &mut Snapshot, changed: Vec<Entity>, removed: &[&str]) -> usize {
    snapshot.update(changed, removed, Unresolved::Absent).unwrap()
}

/// Wrong: what is gone stays.
fn forgetful(snapshot: &mut Snapshot, changed: Vec<Entity>, _removed: &[&str]) -> usize {
    snapshot.update(changed, &[], Unresolved::Absent).unwrap()
}

/// Wrong: references that moved while the content did not are not looked at.
fn by_content(snapshot: &mut Snapshot, mut changed: Vec<Entity>, removed: &[&str]) -> usize {
    changed.retain(|entity| snapshot.get(&entity.name).is_none_or(|record| record.entity != entity.checksum));
    snapshot.update(changed, removed, Unresolved::Absent).unwrap()
}

/// A walk through versions of a program in which entities change, come and go. Each is given as the entities of
/// the version and whether each of them is there.
fn walk() -> impl Strategy<Value = Vec<(Program, Vec<bool>)>> {
    let version = (program(), proptest::collection::vec(any::<bool>(), 10));
    proptest::collection::vec(version, 2..5)
}

fn an_update_is_the_snapshot_from_scratch(
    update: Update,
    versions: &[(Program, Vec<bool>)],
) -> Result<(), TestCaseError> {
    let entities = |(program, there): &(Program, Vec<bool>)| -> Vec<Entity> {
        program
            .entities()
            .into_iter()
            .zip(there)
            .filter(|(_, there)| **there)
            .map(|(entity, _)| entity)
            .collect()
    };
    let mut known = Snapshot::of(entities(&versions[0]), Unresolved::Absent).unwrap();
    for version in &versions[1..] {
        let now = entities(version);
        let gone: Vec<String> = known.iter().map(|(name, _)| name.to_owned()).collect();
        let gone =
            gone.iter().map(String::as_str).filter(|name| now.iter().all(|entity| entity.name != *name));
        let gone: Vec<&str> = gone.collect();
        let before = known.clone();
        // All are handed in, whether they changed or not.
        let digested = update(&mut known, now.clone(), &gone);
        let scratch = Snapshot::of(now, Unresolved::Absent).unwrap();
        prop_assert_eq!(&known, &scratch);
        let components = |snapshot: &Snapshot| -> Vec<Vec<String>> {
            snapshot.components().map(<[String]>::to_vec).collect()
        };
        prop_assert_eq!(components(&known), components(&scratch));
        let moved = scratch.changes_since(&before).into_iter();
        let moved =
            moved.filter(|(_, class)| !matches!(class, ChangeClass::Unchanged | ChangeClass::Removed));
        prop_assert_eq!(digested, moved.count(), "no more is digested than what moved");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_snapshot_that_is_updated_is_the_one_from_scratch(versions in walk()) {
        an_update_is_the_snapshot_from_scratch(real_update, &versions)?;
    }

    #[test]
    fn an_update_that_fails_leaves_the_snapshot_as_it_was(before in program(), after in program(), gone in 0_usize..10) {
        let mut snapshot = before.snapshot();
        let changed = after.entities();
        let removed = name(gone);
        let scratch = || {
            let kept = before.entities().into_iter().filter(|entity| {
                entity.name != removed && changed.iter().all(|other| other.name != entity.name)
            });
            kept.chain(changed.clone()).collect::<Vec<Entity>>()
        };
        let complete = Snapshot::of(before.entities(), Unresolved::Error).is_ok();
        match snapshot.update(changed.clone(), &[&removed], Unresolved::Error) {
            Ok(_) if complete => prop_assert_eq!(&snapshot, &Snapshot::of(scratch(), Unresolved::Error).unwrap()),
            Ok(_) => prop_assert_eq!(&snapshot, &Snapshot::of(scratch(), Unresolved::Absent).unwrap()),
            Err(_) => {
                prop_assert!(Snapshot::of(scratch(), Unresolved::Error).is_err());
                prop_assert_eq!(&snapshot, &before.snapshot());
            }
        }
        snapshot.update(vec![entity("new", "n", &[])], &[], Unresolved::Absent).unwrap();
        prop_assert!(snapshot.get("new").is_some());
    }
}

#[test]
fn the_law_of_updates_catches_wrong_ones() {
    let broken = |update: Update| {
        is_broken(2000, &walk(), |versions| an_update_is_the_snapshot_from_scratch(update, &versions))
    };
    assert!(broken(forgetful));
    assert!(broken(by_content));
    assert!(!broken(real_update));
}

#[test]
fn what_is_changed_and_removed_at_once_is_changed() {
    let caller = || entity("caller", "1", &["callee"]);
    let mut snapshot = Snapshot::of(vec![caller(), entity("callee", "1", &[])], Unresolved::Error).unwrap();
    let edited = || entity("callee", "2", &[]);
    assert_eq!(snapshot.update(vec![edited()], &["callee"], Unresolved::Error).unwrap(), 2);
    assert_eq!(snapshot, Snapshot::of(vec![caller(), edited()], Unresolved::Error).unwrap());
}

#[test]
fn what_is_removed_must_leave_no_reference_behind() {
    let entities =
        || vec![entity("caller", "1", &["callee"]), entity("callee", "1", &[]), entity("other", "1", &[])];
    let before = || Snapshot::of(entities(), Unresolved::Error).unwrap();
    let mut snapshot = before();
    let left = snapshot.update(vec![], &["callee"], Unresolved::Error).unwrap_err();
    assert!(
        matches!(&left, DepsError::Unresolved { entity, name } if entity == "caller" && name == "callee"),
        "{left}"
    );
    assert_eq!(snapshot, before());
    snapshot.update(vec![], &["callee", "caller"], Unresolved::Error).unwrap();
    assert_eq!(snapshot, Snapshot::of(vec![entity("other", "1", &[])], Unresolved::Error).unwrap());
    // Who refers to it may be changed in the same edit.
    let mut snapshot = before();
    snapshot.update(vec![entity("caller", "2", &["other"])], &["callee"], Unresolved::Error).unwrap();
    assert!(snapshot.get("callee").is_none() && snapshot.get("caller").is_some());
}

#[test]
fn an_update_costs_what_the_edit_moves() {
    const COUNT: usize = 100_000;
    // Each entity refers to two before it, as callers to their callees: 0 is below all, the last is below none.
    let made = |number: usize, content: &str| Entity {
        name: name(number),
        checksum: Checksum::of(content),
        depends_on: if number == 0 { vec![] } else { vec![name((number - 1) / 2), name((number - 1) / 3)] },
    };
    let mut snapshot =
        Snapshot::of((0..COUNT).map(|number| made(number, "1")).collect(), Unresolved::Error).unwrap();
    let mut digested =
        |number: usize| snapshot.update(vec![made(number, "2")], &[], Unresolved::Error).unwrap();
    assert_eq!(digested(COUNT - 1), 1, "nothing refers to it");
    assert_eq!(digested(COUNT - 1), 0, "it is as it was");
    // What refers to it directly and on: about a doubling for each level between it and the end.
    let costs = [COUNT / 8, COUNT / 64, COUNT / 512].map(&mut digested);
    assert!(costs.is_sorted() && costs[0] < 30 && costs[2] < COUNT / 10, "{costs:?}");
    assert_eq!(digested(0), COUNT);
}

#[test]
fn a_snapshot_of_nothing_is_empty_and_of_something_is_not() {
    assert!(snapshot(&[]).is_empty());
    assert!(!snapshot(&[entity("one", "1", &[])]).is_empty());
}

#[test]
fn the_entities_of_a_snapshot_are_counted() {
    assert_eq!(Program(vec![]).snapshot().len(), 0);
    let snapshot = Program(vec![(0, vec![1]), (1, vec![]), (2, vec![0, 1])]).snapshot();
    assert_eq!((snapshot.len(), snapshot.is_empty()), (3, false));
    assert_eq!(snapshot.len(), snapshot.iter().count());
}

#[test]
fn snapshots_are_equal_if_their_entities_are() {
    let of =
        |content: u8, reference: usize| Program(vec![(content, vec![reference]), (2, vec![])]).snapshot();
    assert_eq!(of(1, 1), of(1, 1));
    assert_ne!(of(1, 1), of(3, 1));
    assert_ne!(of(1, 1), of(1, 0));
}
