//! Regular types as automata.

use crate::support::open;
use rtcheck::session::Options;

fn automaton(program: &str, regtype: &str) -> Result<String, String> {
    open(program, Options::default()).0.automaton(regtype)
}

/// Example 2 of the paper.
const BINTREE: &str = "
:- regtype bintree/2.
bintree(empty,_T).
bintree(tree(LC,X,RC),T) :- bintree(LC,T),T(X),bintree(RC,T).
";

#[test]
fn example_2_is_the_papers_automaton() {
    insta::assert_snapshot!(automaton(BINTREE, "bintree(int)").expect("it is regular"), @r#"
empty -> bintree(int)
tree(bintree(int),int,bintree(int)) -> bintree(int)
"#);
}

#[test]
fn instances_are_states_of_one_automaton() {
    insta::assert_snapshot!(automaton(BINTREE, "list(bintree(list(atm)))").expect("it is regular"), @r#"
[] -> list(bintree(list(atm)))
'.'(bintree(list(atm)),list(bintree(list(atm)))) -> list(bintree(list(atm)))
empty -> bintree(list(atm))
tree(bintree(list(atm)),list(atm),bintree(list(atm))) -> bintree(list(atm))
[] -> list(atm)
'.'(atm,list(atm)) -> list(atm)
"#);
}

#[test]
fn what_is_not_deterministic_is_refused() {
    let reason = automaton(":- regtype t/1.\nt(f(X)) :- int(X).\nt(f(X)) :- atm(X).\n", "t").unwrap_err();
    assert!(reason.contains("not deterministic"), "{reason}");
    let reason =
        automaton(":- regtype t/2.\nt(f(X), T) :- t(X, list(T)).\nt(a, _).\n", "t(int)").unwrap_err();
    assert!(reason.contains("ever more instances"), "{reason}");
    let reason = automaton("", "nonsense").unwrap_err();
    assert!(reason.contains("unknown type"), "{reason}");
}
