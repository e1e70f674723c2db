//! Components: found once, in order, and kept while no reference changes.

use super::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn components_are_what_reaches_each_other_and_come_after_what_they_refer_to(program in program()) {
        let snapshot = program.snapshot();
        let components: Vec<&[String]> = snapshot.components().collect();
        let place_of = |number: usize| components.iter().position(|members| members.contains(&name(number)));
        prop_assert_eq!(components.iter().map(|members| members.len()).sum::<usize>(), program.0.len());
        for one in 0..program.0.len() {
            let reached = program.reached(one);
            for other in reached.iter().copied().filter(|other| *other < program.0.len()) {
                let together = program.reached(other).contains(&one);
                prop_assert_eq!(place_of(one) == place_of(other), together);
                prop_assert!(place_of(one) >= place_of(other));
            }
        }
    }
}

/// What goes through the components after an edit of contents, as analyses by answers do, finds them as they were.
#[test]
fn components_stay_where_no_reference_changed() {
    let all = || [entity("a", "1", &["b"]), entity("b", "1", &["a", "c"]), entity("c", "1", &["gone"])];
    let at = |snapshot: &Snapshot| -> Vec<*const String> {
        snapshot.components().map(<[String]>::as_ptr).collect()
    };
    let mut known = snapshot(&all());
    let before = at(&known);
    let mut update = |changed: Entity, removed: &[&str]| {
        let digested = known.update(vec![changed], removed, Unresolved::Absent).unwrap();
        (digested, at(&known) == before)
    };
    assert_eq!(update(entity("c", "2", &["gone"]), &[]), (3, true));
    assert_eq!(update(entity("b", "2", &["c", "a", "c"]), &["nobody"]), (2, true), "the same references");
    assert_eq!(update(entity("b", "2", &["c"]), &[]), (2, false), "the circle is open");
    for (changed, removed) in [(entity("gone", "1", &[]), &[][..]), (entity("c", "2", &["gone"]), &["a"])] {
        let mut known = snapshot(&all());
        assert_eq!(known.components().count(), 2);
        known.update(vec![changed], removed, Unresolved::Absent).unwrap();
        let scratch = snapshot(
            &known
                .iter()
                .map(|(name, record)| Entity {
                    name: name.to_owned(),
                    checksum: record.entity,
                    depends_on: record.depends_on.clone(),
                })
                .collect::<Vec<_>>(),
        );
        assert!(known.components().eq(scratch.components()), "{removed:?}");
    }
}
