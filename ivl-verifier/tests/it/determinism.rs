//! The same question makes the same query, wherever the declarations stand and whatever else is there.

use std::collections::BTreeMap;
use std::sync::Arc;

use ivl_verifier::base::system::OperatingSystem;
use ivl_verifier::service::{Options, Verifier};
use proptest::prelude::*;

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

/// The text of every query by implementation.
fn queries(program: &str) -> BTreeMap<String, String> {
    let options = Options { log_queries: true, mode: cache_core::mode::Mode::Off, ..options() };
    let mut session = Session { verifier: Verifier::new(options, None, Arc::new(OperatingSystem::new())) };
    let seen = session.verify("p.bpl", program);
    assert_eq!(seen.reports.len(), 2, "{}", seen.text);
    seen.reports.into_iter().map(|report| (report.name, report.query.unwrap_or_default())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_order_of_declarations_does_not_reach_the_query(order in Just(DECLARATIONS.to_vec()).prop_shuffle()) {
        let (given, shuffled) = (queries(&DECLARATIONS.join("\n")), queries(&order.join("\n")));
        prop_assert_eq!(given, shuffled);
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
