//! Algorithm 1 and its cache.
//!
//! Length: one law, how checks are remembered and forgotten, tried by many small programs under every policy.

use crate::support::{fixture, open, run_files, run_with};
use cache_core::audit::Audit;
use rtcheck::check::{CacheKind, Configuration, Counters, Site};
use rtcheck::machine::OnViolation;
use rtcheck::read::Parser;
use rtcheck::regtype::{TypeExpression, TypeId};
use rtcheck::session::{Options, Session};
use rtcheck::term::Cell;
use std::num::NonZeroU32;

/// The policies that remember.
const REMEMBERING: [CacheKind; 4] = [CacheKind::Lru, CacheKind::Direct, CacheKind::S3Fifo, CacheKind::Cells];

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
    for cache in REMEMBERING {
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

/// What a remembered check must survive and what it must not: goals after one another, where `p/1` asks for a list of
/// integers, and what they print.
const HISTORIES: [(&str, &str); 13] = [
    // An address that backtracking frees and another term takes.
    ("( X = [1,2], p(X), fail ; Y = [a,b], p(Y) )", "yn"),
    // A choicepoint's own bindings undone, one by one.
    ("X = [Y], ( member(Y, [1,2,a]), p(X), fail ; p(X) )", "yynn"),
    // Nested choicepoints: the inner one's checks are undone with it, the outer one's stay.
    ("X = [1|T], ( ( T = [], p(X), fail ; T = [2], p(X), fail ; T = [a], p(X), fail ) ; p(X) )", "yynn"),
    // A cut drops a choicepoint; what was checked behind it still ends with the older one.
    ("X = [1|T], ( once(( T = [] ; T = [a] )), p(X), fail ; p(X) )", "yn"),
    ("X = [1|T], ( ( T = [], p(X) -> fail ; true ) ; true ), p(X)", "yn"),
    ("X = [1|T], \\+ ( T = [], p(X), fail ), p(X)", "yn"),
    ("X = [1|T], \\+ \\+ ( T = [], p(X) ), p(X), T = [2], p(X)", "yny"),
    ("X = [1|T], forall(member(T, [[], [a], [2]]), p(X)), p(X)", "ynyn"),
    ("X = [1|T], findall(T, ( member(T, [[], [b]]), p(X) ), _), p(X)", "ynn"),
    // Balls from within, caught outside.
    ("X = [1|T], catch(( T = [], p(X), catch(throw(a), b, true) ), a, true), p(X)", "yn"),
    // Destructive assignment, undone and not.
    ("X = [1,2], p(X), ( setarg(1, X, a), p(X), fail ; p(X) )", "yny"),
    ("X = [1,2], p(X), ( nb_setarg(1, X, a), fail ; p(X) )", "yn"),
    ("X = [1|T], ( T = [], p(X), setarg(1, X, 2), p(X), fail ; T = [a], p(X) )", "yyn"),
];

#[test]
fn remembered_checks_live_as_long_as_they_are_true() {
    for (goal, expected) in HISTORIES {
        let program = format!(
            ":- pred q(X) : list(int, X).\nq(_).\n:- initialization(main).\nmain :- {goal}.\nmain.\n\
             p(X) :- ( catch((q(X), R = y), rtcheck(_,_,_,_,_,_), R = n) -> write(R) ; true ).\n"
        );
        // A violation that is thrown undoes what was checked since the catch, so also once with violations reported.
        for cache in CacheKind::ALL {
            for audit in [Audit::Never, Audit::Always] {
                for inherit in [true, cache != CacheKind::Lru] {
                    let configuration = Configuration {
                        cache,
                        audit,
                        inherit,
                        depth_limit: None,
                        ..Configuration::default()
                    };
                    let ran = run_with(&program, &[], Options { configuration, ..Options::default() });
                    assert_eq!(ran.output, expected, "{goal} {cache:?}");
                    assert_eq!(ran.counters.disagreements, 0, "{goal} {cache:?}");
                }
            }
            let configuration = Configuration { cache, depth_limit: None, ..Configuration::default() };
            let options = Options { configuration, on_violation: OnViolation::Report, ..Options::default() };
            let ran = run_with(&program, &[], options);
            let violated = expected.matches('n').count();
            assert_eq!(ran.error.matches("Requires in *calls*").count(), violated, "{goal} {cache:?}");
        }
    }
}

#[test]
fn a_check_before_a_choicepoint_is_remembered_after_it() {
    // The list is walked once; each of the thousand retries finds it.
    let program = "
:- pred q(X) : list(int, X).
q(_).
:- initialization(main).
main :- numlist(1, 1000, L), q(L), ( between(1, 1000, _), q(L), fail ; true ).
";
    let ran = run_with(program, &[], options(CacheKind::Lru, Some(1)));
    assert_eq!((ran.counters.visits, ran.error.as_str()), (2001 + 1000, ""));
}

#[test]
fn a_failure_driven_loop_walks_an_old_structure_once() {
    // What is remembered inside the loop does not rest on the bindings that each failure undoes.
    let program = "
:- pred q(X) : list(int, X).
q(_).
:- pred r(X, Y) : (list(int, X), int(Y)).
r(_, _).
:- initialization(main).
main :-
    numlist(1, 1000, L),
    ( between(1, 100, _), q(L), fail ; true ),
    ( between(1, 100, I), r(L, I), fail ; true ),
    forall(member(X, L), r(L, X)),
    findall(X, ( member(X, [1,2,3]), q(L) ), _),
    ( \\+ q(L) ; true ).
";
    for cache in REMEMBERING {
        let ran = run_with(program, &[], options(cache, Some(1)));
        assert_eq!(ran.error, "");
        // The first walk, and one visit for each of the other checks; 100 and 1000 of them also look at an integer.
        assert_eq!(ran.counters.visits, 2001 + 99 + 2 * 100 + 2 * 1000 + 3 + 1, "{cache:?}");
        assert_eq!(ran.counters.disagreements, 0);
    }
}

#[test]
fn a_collection_moves_what_is_remembered() {
    // The list stays, garbage around it goes, and no step walks the list again.
    let program = "
:- pred q(X) : list(int, X).
q(_).
:- initialization(main).
main :- length(_, 300), numlist(1, 1000, L), q(L), loop(50, L), write(done).
loop(0, _) :- !.
loop(N, L) :- length(_, 100), garbage_collect, q(L), N1 is N - 1, loop(N1, L).
";
    for cache in REMEMBERING {
        let options = Options {
            configuration: Configuration { cache, depth_limit: Some(1), ..Configuration::default() },
            ..Options::default()
        };
        let ran = run_with(program, &[], options);
        assert_eq!((ran.output.as_str(), ran.error.as_str()), ("done", ""));
        assert_eq!(ran.counters.visits, 2001 + 50, "{cache:?}");
    }
}

#[test]
fn what_is_remembered_of_a_term_means_nothing_on_the_stacks_of_an_engine() {
    // One of the program's lists lies where that of the engine is, which alone is of integers.
    let program = "
:- pred q(X) : list(int, X).
q(_).
:- initialization(main).
main :- findall(R, ( between(900, 1000, K), member(M, [1, 2]), once(bad(K, M, R)) ), Rs), sort(Rs, Kinds), print(Kinds).
good :- functor(_, g, 1000), L = [A, B, C], ( memberchk(x(A), [x(A)]) -> true ; true ), A = 1, B = 2, C = 3, q(L).
bad(K, M, R) :-
    functor(_, g, K), functor(_, h, M), L = [A, B, C], ( memberchk(x(A), [x(A)]) -> true ; true ), A = x, B = y, C = z,
    engine_create(done, good, E), engine_next(E, done),
    catch(( q(L), R = held ), _, R = violated).
";
    for cache in REMEMBERING {
        let options = Options { analysis: false, ..options(cache, None) };
        let ran = run_with(program, &[], options);
        assert_eq!((ran.output.as_str(), ran.counters.disagreements), ("[violated]", 0), "{cache:?}");
    }
}

#[test]
fn what_is_remembered_beside_terms_is_as_much_as_there_are_terms() {
    // Four types of one list, asked for in turn: each cell keeps all of them.
    let program = "
:- pred q(X) : list(int, X).
q(_).
:- pred r(X) : list(X).
r(_).
:- pred s(X) : (list(num, X), list(constant, X)).
s(_).
:- initialization(main).
main :- numlist(1, 2000, L), loop(50, L).
loop(0, _) :- !.
loop(N, L) :- q(L), r(L), s(L), down(L), N1 is N - 1, loop(N1, L).
down([]).
down([X|Xs]) :- q([X|Xs]), down(Xs).
";
    let ran = run_with(program, &[], options(CacheKind::Cells, None));
    assert_eq!(ran.error, "");
    // Each list is walked once for each type, but for the cell that is made anew each time: it, its head and its tail.
    assert_eq!(ran.counters.visits, 4 * (4001 + 49) + 50 * 2000 * 3);
    assert_eq!(ran.counters.disagreements, 0);
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
        for cache in CacheKind::ALL {
            let ran = run_with(&program, &[], options(cache, None));
            assert_eq!((ran.output.as_str(), ran.error.as_str()), ("held\nviolated", ""), "{cache:?}");
        }
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
        for cache in CacheKind::ALL {
            let ran = run_with(&program, &[], options(cache, None));
            assert_eq!((ran.output, ran.exit), (format!("{list}no"), 0), "{cycle} {cache:?}");
        }
    }
}

/// Where nothing is wrong, and where an element or the end is. The terms are made behind the choicepoint of `catch/3`, for
/// what is older is not looked at as new, and checks are not audited, for those that are go another way.
#[test]
fn new_lists_in_new_terms_have_their_types_at_any_length() {
    let program = ":- regtype keys/1.\nkeys([]).\nkeys([K|Ks]) :- int(K), keys(Ks).\n\
         :- regtype node/1.\nnode(leaf(Ks)) :- keys(Ks).\nnode(inner(Ks,Cs)) :- keys(Ks), nodes(Cs).\n\
         node(held(Ks,N)) :- keys(Ks), node(N).\n\
         :- regtype nodes/1.\nnodes([]).\nnodes([C|Cs]) :- node(C), nodes(Cs).\n\
         :- pred p(N) : node(N).\np(_).\n:- pred q(_,N) => node(N).\nq(N,N).\n:- pred k(Ks) : keys(Ks).\nk(_).\n\
         :- initialization(main).\n\
         main :- forall(( member(N, [0,1,2,3,14,15,16,17,40]), member(W, [none,first,last,end,open,cycle]), between(1, 8, S) ), one(S, N, W)).\n\
         one(S, N, W) :- catch((shape(S, N, W), write(y)), rtcheck(_,_,_,_,_,_), write(n)).\n\
         shape(S, N, W) :- keys_of(N, N, W, _, Ks), checked(S, Ks).\n\
         checked(1, Ks) :- T = leaf(Ks), p(T), p(T).\n\
         checked(2, Ks) :- p(held(Ks,leaf([]))).\n\
         checked(3, Ks) :- p(held([],leaf(Ks))).\n\
         checked(4, Ks) :- T = leaf(Ks), p(inner([],[T,leaf([]),T])).\n\
         checked(5, Ks) :- p(inner([1,2],[inner(Ks,[])])).\n\
         checked(6, Ks) :- q(inner(Ks,[leaf(Ks)]), _).\n\
         checked(7, Ks) :- q(held([1,2,3|Ks],leaf([4|Ks])), T), p(T).\n\
         checked(8, Ks) :- k(Ks), T = leaf(Ks), p(T), p(held(Ks,T)).\n\
         keys_of(0, _, W, Ks, Ks0) :- !, end(W, Ks, Ks0).\n\
         keys_of(I, N, W, All, Ks) :- ( I == N -> All = Ks ; true ), element(W, I, N, K), I1 is I-1, Ks = [K|Ks1], keys_of(I1, N, W, All, Ks1).\n\
         end(end, _, no) :- !.\nend(open, _, _) :- !.\nend(cycle, Ks, Ks) :- !.\nend(_, _, []).\n\
         element(first, N, N, a) :- !.\nelement(last, 1, _, a) :- !.\nelement(_, I, _, I).\n";
    let expected: String = [0, 1, 2, 3, 14, 15, 16, 17, 40]
        .iter()
        .flat_map(|&length| ["none", "first", "last", "end", "open", "cycle"].map(|wrong| (length, wrong)))
        .map(|(length, wrong)| match (length, wrong) {
            (_, "none") | (0, "first" | "last") => "yyyyyyyy",
            _ => "nnnnnnnn",
        })
        .collect();
    for (cache, audit) in
        CacheKind::ALL.into_iter().flat_map(|cache| [(cache, Audit::Never), (cache, Audit::Always)])
    {
        let Options { configuration, .. } = options(cache, None);
        let options =
            Options { configuration: Configuration { audit, ..configuration }, ..Options::default() };
        let ran = run_with(program, &[], options);
        assert_eq!(
            (ran.output, ran.error, ran.exit),
            (expected.clone(), String::new(), 0),
            "{cache:?} {audit:?}"
        );
    }
}

/// Of a list that has two types, the one that held last is known first: a term around it asks for the other.
#[test]
fn a_new_list_ends_where_any_of_the_types_of_its_rest_is_known() {
    let program = ":- regtype node/1.\nnode(leaf(Ks)) :- list(int,Ks).\n\
         :- pred ints(L) : list(int,L).\nints(_).\n:- pred nums(L) : list(num,L).\nnums(_).\n\
         :- pred p(N) : node(N).\np(_).\n:- initialization(main).\n\
         main :- L = [1,2,3,4,5,6,7,8,9,10], ints(L), nums(L), p(leaf([0|L])), p(leaf([0,0|L])).\n";
    let options = Options { analysis: false, ..Options::default() };
    let ran = run_with(program, &[], options);
    // Two lists of ten cells, then two terms, each with its argument and what the cells in front of the list hold.
    assert_eq!((ran.counters.visits, ran.error.as_str()), (2 * 21 + 4 + 2 * 3, ""));
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
        let options = Options { configuration, analysis: false, ..Options::default() };
        let ran = run_with(program, &[&n.to_string()], options);
        assert_eq!((ran.output, ran.error.as_str()), (n.to_string(), ""));
        ran.counters.visits
    };
    // The list once, with its elements, and then one cell per step.
    assert_eq!(visits(1000), 2 * 1000 + 1000 + 1);
    assert_eq!(visits(100_000), 3 * 100_000 + 1);
}

/// Types and terms without a program that runs: what each check costs can be seen by itself.
struct Bench {
    session: Session,
}

impl Bench {
    fn new(definitions: &str, configuration: Configuration) -> Self {
        let (mut session, _) = open(definitions, Options::default());
        session.machine.checker.restart(configuration);
        Self { session }
    }

    fn id(&mut self, regtype: &str) -> TypeId {
        let machine = &mut self.session.machine;
        let text = format!("{regtype} .");
        let mut parser = Parser::new(&text, 0, machine.flags);
        let read = parser.read(&mut machine.store, &mut machine.atoms, &machine.operators);
        let term = machine.store.deref(read.expect("a term").expect("it is there").term);
        let expression = TypeExpression::read(&machine.store, term, 0, &|_| None).expect("a type");
        machine.types.resolve(&machine.atoms, &expression).expect("it is regular")
    }

    fn compound(&mut self, name: &str, arguments: &[Cell]) -> Cell {
        let name = self.session.machine.atoms.intern(name);
        self.session.machine.store.compound(name, arguments)
    }

    fn atom(&mut self, name: &str) -> Cell {
        Cell::atom(self.session.machine.atoms.intern(name))
    }

    /// Whether a term has a type, and how many nodes were visited to know.
    fn check(&mut self, term: Cell, id: TypeId) -> (bool, u64) {
        let machine = &mut self.session.machine;
        let before = machine.checker.counters().visits;
        let holds = machine.checker.check(&machine.store, &machine.types, term, id, Site(0));
        (holds, machine.checker.counters().visits - before)
    }
}

const FULL: &str = ":- regtype full/1.\nfull(leaf).\nfull(n(L,R)) :- full(L), full(R).\n";

/// Section 5: caching every c-th level of a full binary tree of n nodes needs about n/2^c entries, and then a check of
/// any subtree visits at most the nodes of c levels.
#[test]
fn caching_every_cth_level_bounds_each_check() {
    const LEVELS: u32 = 12;
    for every in 1..=4 {
        let configuration = Configuration {
            cache: CacheKind::Lru,
            size: 1 << 14,
            depth_limit: None,
            every: NonZeroU32::new(every).expect("it is not 0"),
            audit: Audit::Never,
            inherit: false,
        };
        let mut bench = Bench::new(FULL, configuration);
        let full = bench.id("full");
        let leaf = bench.atom("leaf");
        // All subtrees, level by level from the root; atoms are the level below the last.
        let mut levels = vec![vec![leaf; 1 << LEVELS]];
        for _ in 0..LEVELS {
            let below = levels.last().expect("there is one").clone();
            levels.push(below.chunks(2).map(|pair| bench.compound("n", pair)).collect());
        }
        levels.reverse();
        let nodes = (1_u64 << (LEVELS + 1)) - 1;
        assert_eq!(bench.check(levels[0][0], full), (true, nodes));
        let entries = bench.session.machine.checker.counters().inserted;
        // Levels 0, c, 2c, ... of trees with c levels each: (2^12 - 1) / (2^c - 1).
        assert_eq!(entries * ((1 << every) - 1), (1 << LEVELS) - 1);
        let mut most = 0;
        for level in levels.iter().skip(1).step_by(every as usize) {
            for &subtree in level {
                let (holds, visits) = bench.check(subtree, full);
                assert!(holds);
                most = most.max(visits);
            }
        }
        assert_eq!(most, (1 << every) - 1, "every {every}");
    }
}

#[test]
fn a_walk_down_a_list_needs_few_visits_per_cell_without_inheriting() {
    // As long as the marks along the list survive in a cache of 256; without them it is half the list per cell.
    for (length, most) in [(100_u64, 8), (1000, 12), (5000, 32)] {
        for cache in [CacheKind::Lru, CacheKind::S3Fifo] {
            let configuration = Configuration { cache, inherit: false, ..Configuration::default() };
            let mut bench = Bench::new("", configuration);
            let list = bench.id("list(int)");
            let mut cells = vec![bench.atom("[]")];
            for i in 0..length {
                let head = Cell::small(i as i64).expect("it is small");
                let tail = *cells.last().expect("there is one");
                cells.push(bench.session.machine.store.list(&[head], tail));
            }
            let mut visits = 0;
            for &cell in cells.iter().rev() {
                let (holds, spent) = bench.check(cell, list);
                assert!(holds);
                visits += spent;
            }
            assert!(visits < most * length, "{cache:?} {length}: {visits}");
        }
    }
}

#[test]
fn shared_subterms_are_not_walked_for_each_path_to_them() {
    let definitions = "
:- regtype full/1.
full(leaf).
full(n(L,R)) :- full(L), full(R).
:- regtype lists/1.
lists([]).
lists([X|Xs]) :- lists(X), lists(Xs).
";
    for cache in CacheKind::ALL {
        let configuration = Configuration { cache, ..Configuration::default() };
        let mut bench = Bench::new(definitions, configuration);
        let (full, lists, ground) = (bench.id("full"), bench.id("lists"), bench.id("gnd"));
        let (mut tree, mut nested) = (bench.atom("leaf"), bench.atom("[]"));
        for _ in 0..60 {
            tree = bench.compound("n", &[tree, tree]);
            nested = bench.session.machine.store.list(&[nested], nested);
        }
        let bound = 2 * bench.session.machine.store.len() as u64 + 10_000;
        for (term, id) in [(tree, full), (nested, lists), (tree, ground), (nested, ground)] {
            let (holds, visits) = bench.check(term, id);
            assert!(holds && visits < bound, "{cache:?} {visits}");
        }
        // All tails of one list as elements of another one.
        let mut tail = bench.atom("[]");
        let mut tails = tail;
        for i in 0..3000 {
            tail = bench.session.machine.store.list(&[Cell::small(i).expect("it is small")], tail);
            tails = bench.session.machine.store.list(&[tail], tails);
        }
        let id = bench.id("list(list(int))");
        let bound = 4 * bench.session.machine.store.len() as u64;
        let (holds, visits) = bench.check(tails, id);
        assert!(holds && visits < bound, "{cache:?} {visits}");
    }
}

#[test]
fn ten_million_cells_are_checked_in_memory_of_the_terms_depth() {
    let mut bench = Bench::new(FULL, Configuration::default());
    let (list, full) = (bench.id("list(int)"), bench.id("full"));
    let mut cells = bench.atom("[]");
    for i in 0..3_300_000 {
        cells = bench.session.machine.store.list(&[Cell::small(i).expect("it is small")], cells);
    }
    assert_eq!(bench.check(cells, list), (true, 1 + 2 * 3_300_000));
    let mut level = vec![bench.atom("leaf"); 1 << 20];
    while level.len() > 1 {
        level = level.chunks(2).map(|pair| bench.compound("n", pair)).collect();
    }
    assert!(bench.session.machine.store.len() > 9_700_000);
    assert_eq!(bench.check(level[0], full), (true, (1 << 21) - 1));
}

#[test]
fn primitive_tests_are_never_remembered() {
    let mut bench = Bench::new("", Configuration { depth_limit: None, ..Configuration::default() });
    let structure = bench.atom("a");
    let structure = bench.compound("f", &[structure, structure]);
    let regtypes = ["int", "num", "atm", "callable", "struct", "term", "constant", "nnegint", "flt"];
    for regtype in regtypes {
        let id = bench.id(regtype);
        for term in [structure, Cell::small(1).expect("it is small")] {
            assert_eq!(bench.check(term, id).1, 1, "{regtype}");
        }
    }
    assert_eq!(bench.session.machine.checker.counters().inserted, 0);
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

#[test]
fn a_checker_that_starts_over_checks_what_is_compiled_already() {
    let program = "
:- pred p(X,Y) : int(X) => atm(Y).
p(1,a).
p(2,b).
:- initialization(main).
main :- p(1,_), p(2,_), \\+ p(3,_).
";
    let configuration = |cache| Configuration { cache, ..Configuration::default() };
    let (mut session, system) = open(program, Options { analysis: false, ..Options::default() });
    let mut rounds = Vec::new();
    for cache in [CacheKind::Direct, CacheKind::Direct, CacheKind::Lru] {
        session.machine.checker.restart(configuration(cache));
        assert_eq!(session.run(Vec::new()), 0, "{}", String::from_utf8_lossy(&system.borrow().error));
        rounds.push(session.machine.checker.counters().checks);
    }
    assert_eq!(rounds, [5, 5, 5]);
}
