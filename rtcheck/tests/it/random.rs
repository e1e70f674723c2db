//! Random programs print the same with every cache as with none. The large search is
//! `cargo xtask oracle rtcheck`; this is the same idea small enough for every test run.

use crate::support::run_with;
use cache_core::audit::Audit;
use rtcheck::check::{CacheKind, Configuration};
use rtcheck::machine::CheckFlags;
use rtcheck::session::Options;

/// A small generator of pseudo-random numbers (xorshift).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }

    fn variable(&mut self) -> String {
        format!("V{}", self.below(4))
    }

    /// A list of integers for V0 and V1, a tree for V2 and V3: mostly, with variables of the same kind inside.
    fn term(&mut self, tree: bool, depth: u64) -> String {
        match self.below(if depth == 0 { 4 } else { 12 }) {
            0 => format!("V{}", self.below(2) + 2 * u64::from(tree)),
            1 if self.below(4) == 0 => self.variable(),
            1..=3 => if tree { "leaf" } else { "[]" }.to_owned(),
            _ if tree => {
                format!(
                    "node({},{},{})",
                    self.term(true, depth - 1),
                    self.below(3),
                    self.term(true, depth - 1)
                )
            }
            _ => format!("[{}|{}]", self.below(3), self.term(false, depth - 1)),
        }
    }

    fn goal(&mut self, depth: u64) -> String {
        let tree = self.below(2) == 1;
        let variable = format!("V{}", self.below(2) + 2 * u64::from(tree));
        let checked = if tree { "tree" } else { ["ints", "walk", "turn"][self.below(3) as usize] };
        match self.below(if depth == 0 { 8 } else { 14 }) {
            0..=1 => format!("unify_with_occurs_check({variable}, {})", self.term(tree, 3)),
            2..=5 => format!("{checked}({variable})"),
            6 if self.below(3) == 0 => format!("change({variable}, {})", self.below(3)),
            6 => format!("try({checked}({variable}))"),
            7 => "true".to_owned(),
            8 | 9 => format!("( {} ; {} )", self.goals(depth - 1), self.goals(depth - 1)),
            10 => format!(
                "( {} -> {} ; {} )",
                self.goals(depth - 1),
                self.goals(depth - 1),
                self.goals(depth - 1)
            ),
            11 => format!("\\+ \\+ ( {} )", self.goals(depth - 1)),
            12 => format!("try(( {} ))", self.goals(depth - 1)),
            _ => format!("findall(x, ( {} ), _)", self.goals(depth - 1)),
        }
    }

    fn goals(&mut self, depth: u64) -> String {
        let count = 1 + self.below(4);
        let goals: Vec<String> = (0..count).map(|_| self.goal(depth)).collect();
        goals.join(", ")
    }

    pub(crate) fn program(&mut self) -> String {
        let mut text = PRELUDE.to_owned();
        for case in 0..12 {
            let mut goals = Vec::new();
            for variable in 0..4 {
                let term = self.term(variable >= 2, 4);
                goals.push(format!("unify_with_occurs_check(V{variable}, {term})"));
            }
            goals.push(self.goals(3));
            goals.push(self.goals(2));
            let goals = goals.join(", ");
            text.push_str(&format!("case({case}, [V0,V1,V2,V3]) :- {goals}.\n"));
        }
        text
    }
}

const PRELUDE: &str = "
:- regtype tree_of/1.
tree_of(leaf).
tree_of(node(L, K, R)) :- tree_of(L), int(K), tree_of(R).
:- pred ints(X) : list(int, X).
ints(_).
:- pred tree(X) : tree_of(X).
tree(_).
:- pred walk(X) : list(X).
walk([]).
walk([_|Xs]) :- walk(Xs).
:- pred turn(X) : term(X) => list(X).
turn(_).
change(X, V) :- ( compound(X) -> setarg(1, X, V) ; true ).
try(G) :- catch(G, E, told(E)).
told(rtcheck(K,_,_,_,_,_)) :- !, write(K), nl.
told(E) :- throw(E).
:- initialization(main).
main :- between(0, 11, N), write(N), nl, try(solutions(N)), fail.
main.
solutions(N) :- case(N, Vs), copy_term(Vs, Copy), name_all(Copy), write(Copy), nl, fail.
solutions(_).
name_all(T) :- term_variables(T, Vs), number_all(Vs, 0).
number_all([], _).
number_all([v(N)|Vs], N) :- N1 is N + 1, number_all(Vs, N1).
";

#[test]
fn caches_never_change_what_a_program_prints() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut hits = 0;
    let mut violations = 0;
    for _ in 0..30 {
        let program = random.program();
        let run = |cache, size, depth_limit, audit| {
            let configuration = Configuration { cache, size, depth_limit, audit, ..Configuration::default() };
            // Without a cache there are no short ways through contracts either.
            let flags = CheckFlags { shares: cache != CacheKind::None, ..CheckFlags::default() };
            run_with(&program, &[], Options { configuration, flags, ..Options::default() })
        };
        let plain = run(CacheKind::None, 0, None, Audit::Never);
        assert_eq!(plain.exit, 0, "{program}\n{}", plain.error);
        violations += plain.output.matches("calls").count();
        for (cache, size, depth_limit) in [
            (CacheKind::Lru, 256, Some(2)),
            (CacheKind::Lru, 4, None),
            (CacheKind::Direct, 8, Some(1)),
            (CacheKind::S3Fifo, 16, None),
            (CacheKind::Cells, 0, None),
        ] {
            // Once as it is, once with every hit walked again.
            for audit in [Audit::Never, Audit::Always] {
                let cached = run(cache, size, depth_limit, audit);
                assert_eq!(cached.output, plain.output, "{cache:?} {size} {depth_limit:?}\n{program}");
                assert_eq!(cached.counters.disagreements, 0, "{cache:?} {size} {depth_limit:?}\n{program}");
                hits += cached.counters.hits;
            }
        }
    }
    // The programs are worth running: they hit the cache and violate assertions.
    assert!(hits > 1000 && violations > 20, "{hits} {violations}");
}
