//! The same question makes the same query, wherever the declarations stand and whatever else is there; and what is
//! printed depends on neither cores nor caches.

use ivl_verifier::base::source::Sources;
use ivl_verifier::report::{Report, Verdict};
use ivl_verifier::service::{Axioms, Options};
use proptest::prelude::*;
use std::collections::BTreeMap;

use crate::command::{run, write};
use crate::support::{Session, options};

/// Declarations that can stand in any order.
const DECLARATIONS: &[&str] = &[
    "type Ref;",
    "const unique null: Ref;",
    "const unique root: Ref;",
    "const unique other: Ref;",
    "var heap: [Ref]int where 0 <= heap[null];",
    "var count: int where 0 <= count;",
    "function size(r: Ref): int;",
    "function twice(x: int): int { x + x }",
    "function {:inline} thrice(x: int): int { x + twice(x) }",
    "axiom (forall r: Ref :: {size(r)} 0 <= size(r));",
    "axiom size(null) == 0;",
    "axiom size(root) == 7;",
    "procedure Touch(r: Ref) returns (n: int); requires r != null; modifies heap, count; ensures n == old(count) + size(r); ensures count == n;",
    "implementation Touch(r: Ref) returns (n: int) { heap[r] := thrice(size(r)); n := count + size(r); count := n; }",
    "procedure Use(); modifies heap, count;",
    "implementation Use() { var k: int; var i: int; i := 0; while (i < 3) invariant 0 <= i; { call k := Touch(root); i := i + 1; } assert k == 7 || 0 <= size(other); assert count < 0; }",
];

/// Further implementations, so that there are several for each solver.
const OTHERS: &[&str] = &[
    "procedure Square(x: int); implementation Square(x: int) { assert x * x >= 0; assert x != 3; }",
    "procedure Half(x: int) returns (y: int); requires 0 <= x; ensures y <= x;",
    "implementation Half(x: int) returns (y: int) { y := x div 2; assert twice(y) <= x; assert y < 5; }",
    "procedure Sizes(a: Ref, b: Ref); implementation Sizes(a: Ref, b: Ref) { assert size(a) + size(b) >= 0; assert size(a) > size(b); }",
];

/// What is asked of an implementation, and what is said about it wherever it stands.
#[derive(Debug, PartialEq)]
struct Answer {
    query: String,
    verdict: Verdict,
    errors: Vec<String>,
    resource: u64,
}

/// The answer for every implementation, asked by so many solvers.
fn answers(program: &str, cores: usize) -> BTreeMap<String, Answer> {
    let options = Options {
        log_queries: true,
        mode: cache_core::mode::Mode::Off,
        cores: cores.try_into().expect("not zero"),
        ..options()
    };
    let seen = Session::with(options).verify("p.bpl", program);
    let answer = |report: Report| {
        let errors = report.errors.into_iter().map(|error| error.diagnostic.message).collect();
        let query = report.query.unwrap_or_default();
        (report.name, Answer { query, verdict: report.verdict, errors, resource: report.resource })
    };
    seen.reports.into_iter().map(answer).collect()
}

/// The text of every query by implementation.
fn queries(program: &str) -> BTreeMap<String, String> {
    answers(program, 1).into_iter().map(|(name, answer)| (name, answer.query)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_declarations_does_not_reach_the_query(
        order in Just([DECLARATIONS, OTHERS].concat()).prop_shuffle(),
        cores in 1..=3_usize,
    ) {
        let given = answers(&[DECLARATIONS, OTHERS].concat().join("\n"), 1);
        prop_assert_eq!(given.len(), 5);
        prop_assert!(given.values().all(|answer| answer.query.contains("(check-sat)") && answer.resource > 0));
        prop_assert!(given.values().filter(|answer| !answer.errors.is_empty()).count() > 2);
        prop_assert_eq!(given, answers(&order.join("\n"), cores));
    }
}

#[test]
fn what_an_implementation_cannot_reach_does_not_reach_its_query() {
    let program = DECLARATIONS.join("\n");
    let before = queries(&program);
    assert!(before["Use"].contains("(check-sat)"), "{}", before["Use"]);
    let unrelated = "const elsewhere: Ref; function away(x: int): int; axiom (forall x: int :: {away(x)} away(x) == x); var unused: int where unused == 3;";
    assert_eq!(before, queries(&format!("// a comment\n{unrelated}\n{program}")));
}

#[test]
fn a_new_declaration_that_matters_not_leaves_results_cached() {
    let mut session = Session::in_memory();
    let program = DECLARATIONS.join("\n");
    assert_eq!(session.verify("p.bpl", &program).asked(), ["Touch", "Use"]);
    let seen =
        session.verify("p.bpl", &format!("function away(x: int): int;\naxiom away(1) == 1;\n{program}"));
    assert_eq!(seen.asked(), Vec::<&str>::new(), "{}", seen.explanations);
}

#[test]
fn what_is_printed_depends_neither_on_the_cores_nor_on_what_is_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let product = "(forall x, y: int :: x > 1 && y > 1 ==> x * y > x)";
    let text = |number: u32| match number % 3 {
        // Dear, so that those behind it end first.
        0 => format!(
            "procedure dear{number}(a: int) requires a > 3; {{ assert {product} && a * a > a + 5; }}\n"
        ),
        1 => format!("procedure wrong{number}(a: int) {{ assert a > {number}; }}\n"),
        _ => format!("procedure right{number}(a: int) {{ assert a + {number} > a; }}\n"),
    };
    let program = |numbers: std::ops::Range<u32>| numbers.map(text).collect::<String>();
    write(folder.path(), "some.bpl", &program(4..8));
    write(folder.path(), "all.bpl", &program(0..12));
    for format in ["text", "sarif", "github"] {
        let said = |mode: &str, cores: &str| {
            run(folder.path(), &["verify", "--cache", mode, "--cores", cores, "--format", format, "all.bpl"])
        };
        let usual = said("off", "1");
        assert!(usual.0.matches("could not be proved").count() >= 4, "{}", usual.0);
        assert_eq!(said("off", "3"), usual);
        // Some of it is known already.
        run(folder.path(), &["verify", "some.bpl"]);
        assert_eq!(said("read", "3"), usual);
    }
}

/// Values, sequences and heaps of every type, as front ends print them.
const POLYMORPHIC: &str = "
    type Box; type Seq T; type Field T; type Ref; type Heap = <T>[Ref, Field T]T;
    function Wrap<T>(x: T): Box; function Unwrap<T>(b: Box): T;
    axiom (forall<T> x: T :: { Wrap(x) } Unwrap(Wrap(x)): T == x);
    function Length<T>(s: Seq T): int; axiom (forall<T> s: Seq T :: { Length(s) } 0 <= Length(s));
    function Build<T>(s: Seq T, x: T): Seq T;
    axiom (forall<T> s: Seq T, x: T :: { Build(s, x) } Length(Build(s, x)) == 1 + Length(s));
    function Boxed<T>(s: Seq T): Seq Box; axiom (forall<T> s: Seq T :: { Boxed(s) } Length(Boxed(s)) == Length(s));
    function Good<T>(x: T): bool; axiom !(forall<T> x: T :: Good(x)); function Fine(r: Ref): bool;
    axiom (forall r: Ref :: { Fine(r) } Fine(r) <==> (forall<T> x: Field T :: Good(Wrap(x)) && Good(x)));
    const f: Field int; const g: Field (Seq Ref); var H: Heap;
    procedure Plain(x: int) { assert x + 0 == x; }
    procedure Numbers(s: Seq int) { assert Length(Boxed(Build(s, 1))) > 0; }
    procedure Nested(s: Seq (Seq bool)) { assert Length(Build(s, Unwrap(Wrap(Unwrap(Wrap(s)): Seq bool)))) > 0; }
    procedure Heaps(r: Ref) modifies H; { H[r, f] := 1; H[r, g] := Build(H[r, g], r); assert H[r, f] == 1; }
    procedure Any() { assert (forall<T> s: Seq T :: Length(Boxed(s)) >= 0); assert (forall<T> x: T :: Good(x)); }
    procedure Again(s: Seq int, b: Box) { assert Length(Build(s, Unwrap(b))) > Length(s); }
";

#[test]
fn queries_do_not_depend_on_those_that_are_made_before_them() {
    let queries = |axioms: Axioms, only: Vec<String>| {
        let options = Options { axioms, only, ..options() };
        let mut sources = Sources::default();
        let file = sources.add("p.bpl", POLYMORPHIC);
        Session::with(options).verifier.questions(&sources, &[file])
    };
    for axioms in [Axioms::All, Axioms::Reached] {
        let all = queries(axioms, Vec::new());
        assert_eq!(all.len(), 6);
        for question in all {
            let alone = queries(axioms, vec![question.name.clone()]);
            let [alone] = alone.as_slice() else { panic!("{} is one implementation", question.name) };
            assert!(alone.queries == question.queries, "{axioms:?}: the query of {} differs", question.name);
        }
    }
}
