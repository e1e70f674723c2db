//! Algorithm 1 and its cache.

use crate::support::{fixture, run_files, run_with};
use cache_core::audit::Audit;
use rtcheck::check::{CacheKind, Configuration, Counters};
use rtcheck::machine::OnViolation;
use rtcheck::session::Options;

fn options(cache: CacheKind, depth_limit: Option<u32>) -> Options {
    let configuration =
        Configuration { cache, depth_limit, audit: Audit::Always, ..Configuration::default() };
    Options { configuration, ..Options::default() }
}

fn counters(program: &str, n: u32, cache: CacheKind, depth_limit: Option<u32>) -> Counters {
    let ran = run_with(program, &[&n.to_string()], options(cache, depth_limit));
    assert_eq!((ran.exit, ran.error.as_str()), (0, ""));
    assert_eq!(ran.output.trim(), n.to_string());
    assert_eq!(ran.counters.disagreements, 0);
    ran.counters
}

#[test]
fn amqueue_visits_seven_nodes_per_insertion_with_a_cache() {
    let program = fixture("amqueue.pl");
    for cache in [CacheKind::Lru, CacheKind::Direct, CacheKind::S3Fifo] {
        let (small, large) =
            (counters(&program, 64, cache, Some(2)), counters(&program, 1064, cache, Some(2)));
        assert_eq!(
            (large.visits - small.visits, large.checks - small.checks),
            (7 * 1000, 3 * 1000),
            "{cache:?}"
        );
    }
}

#[test]
fn without_a_cache_or_with_depth_limit_1_amqueue_is_quadratic() {
    let program = fixture("amqueue.pl");
    for (cache, limit) in [(CacheKind::None, None), (CacheKind::Lru, Some(1))] {
        let (once, twice) = (counters(&program, 128, cache, limit), counters(&program, 256, cache, limit));
        assert!(twice.visits > 3 * once.visits, "{cache:?} {limit:?}: {} {}", once.visits, twice.visits);
    }
}

#[test]
fn tree_visits_one_to_two_orders_of_magnitude_fewer_nodes_with_a_cache() {
    let program = fixture("tree.pl");
    let none = counters(&program, 256, CacheKind::None, None);
    let lru = counters(&program, 256, CacheKind::Lru, Some(2));
    assert_eq!(none.checks, lru.checks);
    assert!(lru.visits * 10 < none.visits, "{} {}", lru.visits, none.visits);
}

/// `X = f(Y)`, a choicepoint, `Y = []`, a check that holds; then `Y` is free again.
const UNDONE: &str = "
:- regtype t/1.
t(f(X)) :- list(X).
:- pred p(X) : t(X).
p(_).
:- initialization(main).
main :- X = f(Y), ( Y = [], p(X), write(held), nl, fail ; true ), catch(p(X), rtcheck(_,_,_,_,_,_), write(violated)).
";

#[test]
fn backtracking_forgets_what_was_checked_since() {
    for cache in CacheKind::ALL {
        let ran = run_with(UNDONE, &[], options(cache, None));
        assert_eq!(ran.output, "held\nviolated", "{cache:?}");
        assert_eq!(ran.counters.disagreements, 0);
    }
}

#[test]
fn exceptions_and_setarg_forget_as_well() {
    let thrown = UNDONE.replace(
        "( Y = [], p(X), write(held), nl, fail ; true )",
        "catch((Y = [], p(X), write(held), nl, throw(x)), x, true)",
    );
    let changed = UNDONE.replace(
        "( Y = [], p(X), write(held), nl, fail ; true )",
        "Y = [], p(X), write(held), nl, setarg(1, X, 1)",
    );
    for program in [thrown, changed] {
        let ran = run_with(&program, &[], options(CacheKind::Lru, None));
        assert_eq!((ran.output.as_str(), ran.error.as_str()), ("held\nviolated", ""));
    }
}

#[test]
fn a_cyclic_term_has_no_recursive_type() {
    // The second column: whether it is a list of any terms, the third: a ground term.
    for (cycle, list) in [
        ("L = [a|L]", "no"),
        ("L = [a,b,c|M], M = [d|L]", "no"),
        ("L = [L]", "yes"),
        ("L = [[x|M]], M = [L]", "yes"),
        ("L = [f(M)], M = g(a,M)", "yes"),
    ] {
        let program = format!(
            ":- pred q(X) : list(X).\nq(_).\n:- pred g(X) : gnd(X).\ng(_).\n:- initialization(main).\n\
             main :- {cycle}, try(q(L)), try(g(L)).\n\
             try(G) :- catch((G, write(yes)), rtcheck(_,_,_,_,_,_), write(no)).\n"
        );
        let ran = run_with(&program, &[], options(CacheKind::Lru, None));
        assert_eq!((ran.output, ran.exit), (format!("{list}no"), 0), "{cycle}");
    }
}

#[test]
fn deep_terms_are_checked_without_the_native_stack() {
    let program = "
:- regtype nat/1.
nat(z).
nat(s(X)) :- nat(X).
:- regtype left/1.
left(e).
left(n(X, _)) :- left(X).
:- pred p(X) : nat(X).
p(_).
:- pred q(X) : left(X).
q(_).
:- initialization(main).
build(0, X, Y, X, Y) :- !.
build(N, X0, Y0, X, Y) :- N1 is N - 1, build(N1, s(X0), n(Y0, a), X, Y).
main :- build(1000000, z, e, X, Y), p(X), q(Y), write(done).
";
    let ran = run_with(program, &[], options(CacheKind::Lru, Some(2)));
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("done", ""));
    assert_eq!(ran.counters.visits, 2 * 1_000_001 + 1_000_000);
}

#[test]
fn going_down_a_checked_list_is_linear() {
    let program = "
:- pred len(L, N, M) : list(L).
len([], N, N).
len([_|T], N0, N) :- N1 is N0 + 1, len(T, N1, N).
main([A]) :- atom_number(A, N), numlist(1, N, L), len(L, 0, K), write(K).
";
    let visits = |n: u32| {
        let configuration = Configuration { audit: Audit::Never, ..Configuration::default() };
        let options = Options { configuration, ..Options::default() };
        let ran = run_with(program, &[&n.to_string()], options);
        assert_eq!((ran.output, ran.error.as_str()), (n.to_string(), ""));
        ran.counters.visits
    };
    // The list once, with its elements, and then one cell per step.
    assert_eq!(visits(1000), 2 * 1000 + 1000 + 1);
    assert_eq!(visits(100_000), 3 * 100_000 + 1);
}

#[test]
fn a_failure_is_not_remembered() {
    // Violations are reported and not thrown: throwing would undo what was remembered.
    let program = "
:- pred p(X) : list(X).
p(_).
:- initialization(main).
main :- X = [a|T], p(X), p(X), T = [], p(X), write(done).
";
    for cache in CacheKind::ALL {
        let options = Options { on_violation: OnViolation::Report, ..options(cache, None) };
        let ran = run_with(program, &[], options);
        assert_eq!(ran.output, "done", "{cache:?}");
        assert_eq!(ran.error.matches("Requires in *calls*").count(), 2, "{cache:?}: {}", ran.error);
    }
}

#[test]
fn loading_forgets_what_was_checked() {
    // The second file gives the type another meaning; a term that had it has it no more.
    let first = "
:- regtype t/1.
t(a).
t(f(X)) :- t(X).
:- pred p(X) : t(X).
p(_).
";
    let second = first.replace("t(a).", "t(b).");
    let program = format!(
        "{first}
:- initialization(main).
main :- X = f(f(a)), p(X), consult(second), catch((p(X), write(wrong)), rtcheck(_,_,_,_,_,_), write(forgotten)).
"
    );
    for cache in CacheKind::ALL {
        let files = [("v.pl", program.as_str()), ("second.pl", second.as_str())];
        let ran = run_files(&files, &[], options(cache, None));
        assert_eq!(ran.output, "forgotten", "{cache:?}: {}", ran.error);
        assert_eq!(ran.counters.disagreements, 0);
    }
}
