//! Canonical forms of questions with sets of constraints.

use cache_core::digest::Confirm;
use cache_core::rename::{
    Bijection, Canonical, Confirmed, Normalizer, Query, Shape, Shapes, Terms, Translate, canonicalize,
    compare,
};
use proptest::prelude::*;

use crate::planted::is_broken;

use super::terms::{Arena, Node, Plan, pair, plan, wide_pair, wide_plan};

/// A question: a query expression, if any, and constraints, all over the same atoms.
#[derive(Clone, Debug)]
struct Roots {
    query: Option<Node>,
    constraints: Vec<Node>,
}

/// All nodes of a plan but its atoms are the constraints; the last one is the query, if there is one.
fn roots(plan: &Plan, arena: &mut Arena, reversed: bool, with_query: bool) -> Roots {
    let atoms = plan.atoms(arena, reversed);
    let mut constraints = plan.grow(arena, &atoms).split_off(atoms.len());
    let query = if with_query { constraints.pop() } else { None };
    Roots { query, constraints }
}

fn form(arena: &Arena, roots: &Roots) -> Canonical {
    let shapes: Vec<_> = roots.constraints.iter().map(|node| arena.shape(*node)).collect();
    canonicalize(
        &arena.shapes,
        &Query { expression: roots.query.map(|node| arena.shape(node)), constraints: &shapes },
    )
}

/// Whether Algorithm 1 confirms that two forms are of one question: the constraints are compared in
/// canonical order, under the mapping between equal canonical numbers.
fn confirmed(arena: &Arena, left: (&Roots, &Canonical), right: (&Roots, &Canonical)) -> bool {
    let mut mapping = Bijection::new();
    let ordered = |(roots, form): (&Roots, &Canonical)| -> Vec<Node> {
        let constraints = form.order.places().iter().map(|place| roots.constraints[*place]);
        roots.query.into_iter().chain(constraints).collect()
    };
    let numbers = left.1.renaming.atoms().iter().zip(right.1.renaming.atoms());
    left.1.renaming.atoms().len() == right.1.renaming.atoms().len()
        && numbers.into_iter().all(|(a, b)| mapping.pair(arena.shapes.atoms(), *a, *b))
        && compare(arena.shapes.atoms(), (arena, &ordered(left)), (arena, &ordered(right)), &mut mapping)
            .equal
}

/// What a wrong canonical form would be compared by: the set of shapes, without the numbers of atoms.
fn set_of_shapes(arena: &Arena, roots: &Roots) -> Vec<cache_core::digest::Digest> {
    let mut set: Vec<_> = roots.constraints.iter().map(|node| arena.digest(*node)).collect();
    set.extend(roots.query.map(|node| arena.digest(node)));
    set.sort();
    set.dedup();
    set
}

fn equal_forms_are_confirmed(
    (left, right): &(Plan, Plan),
    with_query: bool,
    same: impl Fn(&Arena, &Roots, &Roots) -> bool,
) -> Result<(), TestCaseError> {
    let mut arena = Arena::default();
    let (left, right) =
        (roots(left, &mut arena, false, with_query), roots(right, &mut arena, true, with_query));
    if same(&arena, &left, &right) {
        let forms = (form(&arena, &left), form(&arena, &right));
        prop_assert!(confirmed(&arena, (&left, &forms.0), (&right, &forms.1)));
    }
    Ok(())
}

fn renamed_copies_are_found(plan: &Plan, with_query: bool) -> Result<(), TestCaseError> {
    let mut arena = Arena::default();
    let left = roots(plan, &mut arena, false, with_query);
    let mut right = roots(plan, &mut arena, true, with_query);
    right.constraints.reverse();
    let (left, right) = (form(&arena, &left), form(&arena, &right));
    prop_assert_eq!(left.ties == 0, right.ties == 0);
    if left.ties == 0 {
        prop_assert_eq!(left.digest, right.digest);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn equal_forms_always_imply_a_bijection(plans in pair(), with_query: bool) {
        equal_forms_are_confirmed(&plans, with_query, |arena, left, right| {
            form(arena, left).digest == form(arena, right).digest
        })?;
    }

    #[test]
    fn equal_forms_of_questions_with_many_atoms_imply_a_bijection(plans in wide_pair(), with_query: bool) {
        equal_forms_are_confirmed(&plans, with_query, |arena, left, right| {
            form(arena, left).digest == form(arena, right).digest
        })?;
    }

    #[test]
    fn a_renamed_copy_has_the_same_form_unless_a_tie_was_counted(plan in plan(), with_query: bool) {
        renamed_copies_are_found(&plan, with_query)?;
    }

    #[test]
    fn so_has_one_with_many_atoms(plan in wide_plan(), with_query: bool) {
        renamed_copies_are_found(&plan, with_query)?;
    }

    #[test]
    fn order_and_repetition_of_constraints_do_not_matter(
        (plan, order) in (plan(), proptest::collection::vec(any::<prop::sample::Index>(), 0..20)),
        with_query: bool,
    ) {
        let mut arena = Arena::default();
        let question = roots(&plan, &mut arena, false, with_query);
        let mut shuffled = question.clone();
        for index in order {
            if !shuffled.constraints.is_empty() {
                let place = index.index(shuffled.constraints.len());
                let constraint = shuffled.constraints[place];
                shuffled.constraints.push(constraint);
                shuffled.constraints.swap(0, place);
            }
        }
        let (left, right) = (form(&arena, &question), form(&arena, &shuffled));
        prop_assert_eq!(left.digest, right.digest);
        prop_assert_eq!(left.renaming.atoms(), right.renaming.atoms());
        prop_assert_eq!(left.order.places().len(), right.order.places().len());
        for (a, b) in left.order.places().iter().zip(right.order.places()) {
            prop_assert_eq!(arena.shape(question.constraints[*a]), arena.shape(shuffled.constraints[*b]));
        }
    }

    #[test]
    fn confirming_digests_of_questions_agree_with_their_forms(plans in pair(), with_query: bool) {
        let mut arena = Arena::default();
        let left = roots(&plans.0, &mut arena, false, with_query);
        let right = roots(&plans.1, &mut arena, true, with_query);
        let forms = [form(&arena, &left), form(&arena, &right)];
        let mut confirm = |roots: &Roots, form: &Canonical| {
            let query = roots.query.map(|node| arena.confirm(node));
            let each: Vec<_> = roots.constraints.iter().map(|node| arena.confirm(*node)).collect();
            let below: Vec<_> = roots.constraints.iter().map(|node| arena.shape(*node)).collect();
            let question = Query { expression: roots.query.map(|node| arena.shape(node)), constraints: &below };
            form.confirm(&arena.shapes, &question, query, |place| each[place])
        };
        let equal = confirm(&left, &forms[0]) == confirm(&right, &forms[1]);
        prop_assert_eq!(equal, forms[0].digest == forms[1].digest);
    }
}

#[test]
fn the_law_of_equal_forms_catches_sets_of_shapes() {
    let broken = is_broken(2000, &pair(), |plans| {
        equal_forms_are_confirmed(&plans, false, |arena, left, right| {
            set_of_shapes(arena, left) == set_of_shapes(arena, right)
        })
    });
    assert!(broken);
}

/// Questions over variables named by letters: each constraint is an operator and its variables.
fn check(constraints: &[&str]) -> Canonical {
    check_under(None, constraints, false)
}

fn check_under(query: Option<&str>, constraints: &[&str], reversed: bool) -> Canonical {
    let mut shapes = Shapes::new();
    let mut names: Vec<(&str, Shape)> = Vec::new();
    let mut letters: Vec<&str> =
        constraints.iter().chain(&query).flat_map(|text| text.split(' ').skip(1)).collect();
    if reversed {
        letters.reverse();
    }
    for letter in letters {
        if !names.iter().any(|(known, _)| *known == letter) {
            let shape = shapes.fresh("variable").1;
            names.push((letter, shape));
        }
    }
    let mut shape = |text: &str| {
        let mut words = text.split(' ');
        let operator = words.next().unwrap();
        let below: Vec<_> =
            words.map(|word| names.iter().find(|(known, _)| *known == word).unwrap().1).collect();
        shapes.node(operator, &below)
    };
    let query = query.map(&mut shape);
    let constraints: Vec<_> = constraints.iter().map(|text| shape(text)).collect();
    let question = Query { expression: query, constraints: &constraints };
    canonicalize(&shapes, &question)
}

#[test]
fn a_contradiction_and_two_harmless_bounds_never_match() {
    // {x < 3, x > 5} is unsatisfiable, {x < 3, y > 5} is not, and the sets of their shapes are equal.
    let contradiction = check(&["<3 x", ">5 x"]);
    let harmless = check(&["<3 x", ">5 y"]);
    assert_ne!(contradiction.digest, harmless.digest);
    assert_eq!(harmless.digest, check(&[">5 a", "<3 b"]).digest);
    assert_eq!(contradiction.digest, check(&[">5 a", "<3 a"]).digest);
}

#[test]
fn with_and_without_a_query_are_two_questions() {
    assert_ne!(check_under(Some("<3 x"), &[], false).digest, check(&["<3 x"]).digest);
    assert_ne!(
        check_under(Some("<3 x"), &[">5 x"], false).digest,
        check_under(Some(">5 x"), &["<3 x"], false).digest
    );
}

#[test]
fn sharing_between_constraints_breaks_ties_that_shapes_leave() {
    // All constraints of each question have one shape; their places in the chain or the star differ.
    let questions: [&[&str]; 4] = [
        &["< a b", "< b c"],
        &["< a b", "< b c", "< c d", "< d e", "< e f"],
        &["< a b", "< a c", "< c d"],
        &["< a b", "< b c", "< d e", "< e f", "< f g"],
    ];
    for question in questions {
        let (left, right) = (check_under(None, question, false), check_under(None, question, true));
        assert_eq!(left.digest, right.digest, "{question:?}");
        assert_eq!(left.ties, 0, "{question:?}");
    }
}

#[test]
fn interchangeable_constraints_are_no_ties() {
    let question: Vec<String> = (0..50).map(|number| format!("<3 x{number}")).collect();
    let question: Vec<&str> = question.iter().map(String::as_str).collect();
    let (left, right) = (check_under(None, &question, false), check_under(None, &question, true));
    assert_eq!(left.digest, right.digest);
    assert_eq!(left.ties, 0);
}

#[test]
fn symmetric_questions_are_counted_as_ties() {
    // A ring looks the same from each of its members. Every choice is equally good here, but nothing that
    // the algorithm knows proves it.
    let ring = ["< a b", "< b c", "< c d", "< d a"];
    let (left, right) = (check_under(None, &ring, false), check_under(None, &ring, true));
    assert!(left.ties > 0);
    assert_eq!(left.digest, right.digest);
    // Two rings of three have the same shapes and the same local view as one of six, and another form.
    let two = check(&["< a b", "< b c", "< c a", "< d e", "< e f", "< f d"]);
    let one = check(&["< a b", "< b c", "< c d", "< d e", "< e f", "< f a"]);
    assert_ne!(two.digest, one.digest);
}

#[test]
fn a_member_keeps_its_place_when_it_is_repeated() {
    let form = check(&["<3 x", ">5 y", "<3 x"]);
    assert_eq!(form.order.places().len(), 2);
    assert_eq!(form.order.to_form(&vec![0, 1]), Some(vec![0, 1]));
    assert_eq!(form.order.to_form(&vec![2]), None, "it is the first one again");
    assert_eq!(form.order.to_form(&vec![3]), None);
}

#[test]
fn canonical_numbers_follow_the_query_expression() {
    let mut arena = Arena::default();
    let (x, y, z) = (arena.fresh(1), arena.fresh(1), arena.fresh(1));
    let query = arena.node("q", &[z, x]);
    let constraint = arena.node("c", &[y, x]);
    let form = form(&arena, &Roots { query: Some(query), constraints: vec![constraint] });
    let ids = [z, x, y].map(|node| arena.atom(node).unwrap());
    assert_eq!(form.renaming.atoms(), ids);
}

#[test]
fn a_normal_form_has_both_digests_of_the_canonical_form() {
    let (mut terms, mut confirms) = (Shapes::new(), Vec::new());
    let atoms: Vec<_> = (0..3).map(|_| terms.fresh("variable")).collect();
    for (atom, _) in &atoms {
        confirms.push(terms.confirm_atom(*atom));
    }
    let mut bound = |operator: &str, of: usize| {
        let shape = terms.node(operator, &[atoms[of].1]);
        let confirm = terms.confirm_node(|out| out.text(operator), &[(atoms[of].1, confirms[of])]);
        (shape, confirm)
    };
    let [small, large, other] = [bound("<3", 0), bound(">5", 1), bound(">5", 2)];
    let normal =
        |expression, constraints: &[_]| terms.normalize(Confirmed { expression, constraints }).checksum;
    // Names and order do not matter to either digest, and what matters to one matters to the other.
    assert_eq!(normal(None, &[small, large]), normal(None, &[other, small]));
    assert_eq!(normal(Some(small), &[large]), normal(Some(small), &[other]));
    for (one, another) in [
        (normal(None, &[small, large]), normal(None, &[small, small])),
        (normal(Some(small), &[large]), normal(None, &[small, large])),
        (normal(Some(small), &[large]), normal(Some(large), &[small])),
    ] {
        assert_ne!(one.digest, another.digest);
        assert_ne!(one.confirm, another.confirm);
    }
}

#[test]
fn confirming_digests_do_not_depend_on_what_was_digested_before() {
    // More names than a merge is done anew for.
    let confirms = |digested: bool| {
        let mut shapes = Shapes::new();
        let atoms: Vec<_> = (0..60).map(|_| shapes.fresh("variable")).collect();
        let leaves: Vec<_> = atoms.iter().map(|(atom, shape)| (*shape, shapes.confirm_atom(*atom))).collect();
        let mut node = |label: &str, children: &[(Shape, Confirm)]| {
            let inner: Vec<Shape> = children.iter().map(|(shape, _)| *shape).collect();
            let shape = shapes.node(label, &inner);
            (shape, shapes.confirm_node(|out| out.text(label), children))
        };
        let (left, right) = (node("f", &leaves[..30]), node("f", &leaves[30..]));
        let inner = [left.0, right.0];
        if digested {
            shapes.node("over", &inner);
        }
        [(); 2].map(|()| shapes.confirm_node(|out| out.text("over"), &[left, right]))
    };
    let [first, second] = confirms(false);
    assert_eq!(first, second);
    assert_eq!(confirms(true), [first; 2]);
}
