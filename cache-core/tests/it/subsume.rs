//! Laws of `cache_core::subsume`: the tree agrees with a scan over all sets.

use std::collections::BTreeMap;

use cache_core::digest::Digest;
use cache_core::rename::{NameDigest, Shapes};
use cache_core::subsume::{NameSet, SetTree};
use proptest::prelude::*;

fn name(number: u8) -> NameDigest {
    NameDigest::from_digest(Digest::of(&[number]))
}

fn set(numbers: &[u8]) -> NameSet {
    numbers.iter().map(|number| name(*number)).collect()
}

#[derive(Clone, Debug)]
enum Step {
    Insert(Vec<u8>, u32),
    Remove(Vec<u8>),
    Ask(Vec<u8>, u32),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    // Few members, so that sets often contain each other; repeated members, to be merged.
    let members = || proptest::collection::vec(0_u8..7, 0..7);
    let step = prop_oneof![
        3 => (members(), 0_u32..4).prop_map(|(set, value)| Step::Insert(set, value)),
        1 => members().prop_map(Step::Remove),
        4 => (members(), 0_u32..4).prop_map(|(set, value)| Step::Ask(set, value)),
    ];
    proptest::collection::vec(step, 0..60)
}

type Model = BTreeMap<NameSet, u32>;

fn is_subset(small: &NameSet, large: &NameSet) -> bool {
    small.members().iter().all(|member| large.members().contains(member))
}

fn agrees_with_a_scan(
    steps: &[Step],
    is_subset: impl Fn(&NameSet, &NameSet) -> bool,
) -> Result<(), TestCaseError> {
    let mut tree = SetTree::new();
    let mut model = Model::new();
    for step in steps {
        match step {
            Step::Insert(members, value) => {
                prop_assert_eq!(tree.insert(&set(members), *value), model.insert(set(members), *value));
            }
            Step::Remove(members) => {
                prop_assert_eq!(tree.remove(&set(members)), model.remove(&set(members)));
            }
            Step::Ask(members, least) => {
                let asked = set(members);
                // Sets are ordered by their members, so the first of the scan is the first of the tree.
                let first = |fits: &dyn Fn(&NameSet) -> bool| {
                    model
                        .iter()
                        .find(|(stored, value)| fits(stored) && *value >= least)
                        .map(|(_, value)| value)
                };
                prop_assert_eq!(tree.get(&asked), model.get(&asked));
                prop_assert_eq!(
                    tree.subset(&asked, |value| value >= least),
                    first(&|stored| is_subset(stored, &asked))
                );
                prop_assert_eq!(
                    tree.superset(&asked, |value| value >= least),
                    first(&|stored| is_subset(&asked, stored))
                );
            }
        }
        prop_assert_eq!(tree.len(), model.len());
        prop_assert_eq!(tree.is_empty(), model.is_empty());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn the_tree_agrees_with_a_linear_scan(steps in steps()) {
        agrees_with_a_scan(&steps, is_subset)?;
    }
}

#[test]
fn the_law_of_the_tree_catches_a_wrong_subset_test() {
    // Wrong: proper subsets only.
    let wrong = |small: &NameSet, large: &NameSet| small != large && is_subset(small, large);
    assert!(crate::planted::is_broken(1000, &steps(), |steps| agrees_with_a_scan(&steps, wrong)));
}

#[test]
fn a_contradiction_is_not_found_in_two_harmless_bounds() {
    let (x, y) = (NameDigest::node("x", &[]), NameDigest::node("y", &[]));
    let bound = |text: &str, variable| NameDigest::node(text, &[variable]);
    let contradiction: NameSet = [bound("< 3", x), bound("> 5", x)].into_iter().collect();
    let harmless: NameSet = [bound("< 3", x), bound("> 5", y)].into_iter().collect();
    let mut tree = SetTree::new();
    tree.insert(&contradiction, "unsatisfiable");
    assert_eq!(tree.subset(&harmless, |_| true), None);
    assert_eq!(tree.superset(&harmless, |_| true), None);

    // By shapes the two could not be told apart, which is why shapes are no members of these sets.
    let mut shapes = Shapes::new();
    let [x, y] = [(); 2].map(|()| shapes.fresh("int").1);
    let about = [shapes.node("> 5", &[x]), shapes.node("> 5", &[y])];
    assert_eq!(about[0].digest, about[1].digest);
}

#[test]
fn the_empty_set_is_a_subset_of_all_and_all_are_its_supersets() {
    let mut tree = SetTree::new();
    assert_eq!(tree.subset(&set(&[1]), |_| true), None::<&i32>);
    tree.insert(&set(&[]), 0);
    tree.insert(&set(&[1, 2]), 12);
    assert_eq!(tree.subset(&set(&[9]), |_| true), Some(&0));
    assert_eq!(tree.superset(&set(&[]), |value| *value > 0), Some(&12));
    assert_eq!(tree.superset(&set(&[9]), |_| true), None);
    tree.clear();
    assert!(tree.is_empty());
    assert_eq!(tree.superset(&set(&[]), |_| true), None);
}

#[test]
fn a_set_of_a_hundred_thousand_members_is_searched_without_recursion() {
    let long: NameSet = (0_u32..100_000).map(|number| NameDigest::node(&number, &[])).collect();
    let part: NameSet = long.members().iter().copied().step_by(3).collect();
    let mut tree = SetTree::new();
    tree.insert(&long, "long");
    tree.insert(&part, "part");
    assert_eq!(tree.subset(&long, |value| *value == "part"), Some(&"part"));
    assert_eq!(tree.superset(&part, |value| *value == "long"), Some(&"long"));
    assert_eq!(tree.remove(&long), Some("long"));
    assert_eq!(tree.superset(&part, |value| *value == "long"), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Long sets with few branches: the search leaves many members out between two that are stored.
    #[test]
    fn long_sets_are_found_as_in_a_linear_scan(
        sets in proptest::collection::vec(proptest::collection::vec(0_u8..40, 4..12), 1..6),
        more in proptest::collection::vec(0_u8..40, 0..30),
        of in 0_usize..6,
    ) {
        let mut tree = SetTree::new();
        for (number, members) in sets.iter().enumerate() {
            tree.insert(&set(members), number);
        }
        let asked = set(&[sets[of % sets.len()].as_slice(), &more].concat());
        let below = sets.iter().filter(|members| is_subset(&set(members), &asked)).count();
        let mut found = 0;
        tree.subset(&asked, |_| { found += 1; false });
        let distinct: std::collections::BTreeSet<NameSet> =
            sets.iter().map(|members| set(members)).filter(|stored| is_subset(stored, &asked)).collect();
        prop_assert!(below > 0);
        prop_assert_eq!(found, distinct.len());
    }
}
