//! What the query-caching paper states: its normal-form example (section II-B) and Table I.

use cache_core::rename::{Bijection, Canonical, Query, Terms, canonicalize, compare};

use super::terms::{Arena, Node};

/// `sum of the variables + added < bound`: enough arithmetic for the example of section II-B.
struct Less {
    variables: Vec<char>,
    added: i64,
    bound: i64,
}

impl Less {
    /// Arithmetic normalization: constants go to the right.
    fn normalized(self) -> Self {
        let Self { variables, added, bound } = self;
        Self { variables, added: 0, bound: bound - added }
    }
}

fn less(variables: &str, added: i64, bound: i64) -> Less {
    Less { variables: variables.chars().collect(), added, bound }
}

/// The canonical form, and the form as the paper writes it.
fn normal_form(question: Vec<Less>) -> (Canonical, String) {
    let mut arena = Arena::default();
    let mut names: Vec<(char, Node)> = Vec::new();
    let mut roots = Vec::new();
    let mut bounds = Vec::new();
    for constraint in question.into_iter().map(Less::normalized) {
        let children: Vec<Node> = constraint
            .variables
            .iter()
            .map(|name| match names.iter().find(|(known, _)| known == name) {
                Some((_, node)) => *node,
                None => {
                    let node = arena.fresh(0);
                    names.push((*name, node));
                    node
                }
            })
            .collect();
        bounds.push(constraint.bound);
        roots.push(arena.node(&format!("sum < {} after {}", constraint.bound, constraint.added), &children));
    }
    let shapes: Vec<_> = roots.iter().map(|root| arena.shape(*root)).collect();
    let form = canonicalize(&arena.shapes, &Query { expression: None, constraints: &shapes });
    let mut written: Vec<String> = form
        .order
        .places()
        .iter()
        .map(|place| {
            let atoms = arena.shapes.atoms_of(shapes[*place].atoms);
            let sum: Vec<String> =
                atoms.iter().map(|atom| format!("v{}", form.renaming.number(*atom).unwrap())).collect();
            format!("{} < {}", sum.join(" + "), bounds[*place])
        })
        .collect();
    written.sort();
    (form, written.join(", "))
}

#[test]
fn the_two_queries_of_section_ii_b_have_one_normal_form() {
    let (first, written) = normal_form(vec![less("x", 0, 1), less("xy", 4, 7)]);
    let (second, same) = normal_form(vec![less("xz", 1, 4), less("x", 0, 1)]);
    assert_eq!(first.digest, second.digest);
    assert_eq!(written, same);
    assert_eq!((first.ties, second.ties), (0, 0));
    // Which variable is first numbered is free; that x is the shared one is not.
    assert!(["v0 + v1 < 3, v0 < 1", "v1 + v0 < 3, v1 < 1"].contains(&written.as_str()), "{written}");
    let (other, _) = normal_form(vec![less("xz", 1, 4), less("z", 0, 1)]);
    assert_ne!(first.digest, other.digest, "z < 1 is about the other summand");
    let (other, _) = normal_form(vec![less("xz", 1, 5), less("x", 0, 1)]);
    assert_ne!(first.digest, other.digest, "another bound");
}

/// One row of Table I: bases are numbers in the existing model and atoms in the symbolic one.
struct Row {
    query: Node,
    constraints: Vec<Node>,
}

#[derive(Clone, Copy, PartialEq)]
enum Contents {
    /// As the program leaves them: `array[0][1]` is MAGIC, the rest is zero.
    OfTheProgram,
    /// All zero, so that the objects differ in nothing but their role.
    Equal,
}

fn table(arena: &mut Arena, contents: Contents) -> Vec<Row> {
    let numbers: Vec<Node> = ["200", "300", "500", "600"].map(|number| arena.leaf(number)).to_vec();
    let symbols: Vec<Node> = (0..4).map(|_| arena.fresh(2)).collect();
    [numbers, symbols].into_iter().flat_map(|bases| half(arena, &bases, contents)).collect()
}

/// The queries of the states s3 to s6 in one model, given the bases of the objects 2, 3, 5 and 6.
fn half(arena: &mut Arena, bases: &[Node], contents: Contents) -> Vec<Row> {
    let zeros = arena.leaf("zeros");
    let [zero, one, two, magic] = ["0", "1", "2", "7"].map(|number| arena.leaf(number));
    let [i, j] = ["i", "j"].map(|input| arena.leaf(input));
    let with_magic = match contents {
        Contents::OfTheProgram => arena.node("wr", &[zeros, one, magic]),
        Contents::Equal => zeros,
    };
    let mut rows = Vec::new();
    for pair in bases.chunks(2) {
        for (resolved, array) in [(pair[0], with_magic), (pair[1], zeros)] {
            let rows_of = arena.node("wr", &[zeros, zero, pair[0]]);
            let rows_of = arena.node("wr", &[rows_of, one, pair[1]]);
            let cell = arena.node("rd", &[rows_of, i]);
            let pointer = arena.node("+", &[cell, j]);
            let end = arena.node("+", &[resolved, two]);
            let offset = arena.node("-", &[pointer, resolved]);
            let value = arena.node("rd", &[array, offset]);
            let constraints = vec![
                arena.node("<", &[i, two]),
                arena.node("<", &[j, two]),
                arena.node("<=", &[resolved, pointer]),
                arena.node("<", &[pointer, end]),
            ];
            rows.push(Row { query: arena.node("=", &[value, magic]), constraints });
        }
    }
    rows
}

#[test]
fn of_the_queries_of_table_i_exactly_q5_q7_and_q6_q8_are_equal() {
    for contents in [Contents::OfTheProgram, Contents::Equal] {
        let mut arena = Arena::default();
        let rows = table(&mut arena, contents);
        for (a, first) in rows.iter().enumerate() {
            for (b, second) in rows.iter().enumerate() {
                let expected = a == b || [(4, 6), (6, 4), (5, 7), (7, 5)].contains(&(a, b));
                let name = format!("q{} and q{}", a + 1, b + 1);

                let roots = |row: &Row| {
                    let mut roots = vec![row.query];
                    roots.extend(&row.constraints);
                    roots
                };
                let (left, right) = (roots(first), roots(second));
                let mut mapping = Bijection::new();
                let found = compare(arena.shapes.atoms(), (&arena, &left), (&arena, &right), &mut mapping);
                assert_eq!(found.equal, expected, "{name}, Algorithm 1");

                let digest = |row: &Row, reversed: bool| {
                    let mut shapes: Vec<_> = row.constraints.iter().map(|node| arena.shape(*node)).collect();
                    if reversed {
                        shapes.reverse();
                    }
                    let question = Query { expression: Some(arena.shape(row.query)), constraints: &shapes };
                    let form = canonicalize(&arena.shapes, &question);
                    assert_eq!(form.ties, 0);
                    form.digest
                };
                assert_eq!(digest(first, false) == digest(second, true), expected, "{name}, shapes");
            }
        }
    }
}

#[test]
fn the_mapping_of_q5_to_q7_is_the_one_that_the_paper_names() {
    let mut arena = Arena::default();
    let symbols: Vec<Node> = (0..4).map(|_| arena.fresh(2)).collect();
    let rows = half(&mut arena, &symbols, Contents::OfTheProgram);
    let mut mapping = Bijection::new();
    let found =
        compare(arena.shapes.atoms(), (&arena, &[rows[0].query]), (&arena, &[rows[2].query]), &mut mapping);
    assert!(found.equal);
    let atom = |node| arena.atom(node).unwrap();
    let [b2, b3, b5, b6] = [0, 1, 2, 3].map(|place: usize| atom(symbols[place]));
    assert_eq!(mapping.pairs().collect::<Vec<_>>(), [(b2, b5), (b3, b6)]);
}

#[test]
fn another_size_of_an_object_tells_q5_from_q7() {
    let mut arena = Arena::default();
    let symbols: Vec<Node> = [2, 2, 2, 4].map(|size| arena.fresh(size)).to_vec();
    let rows = half(&mut arena, &symbols, Contents::OfTheProgram);
    assert_ne!(arena.digest(rows[0].query), arena.digest(rows[2].query));
}
