//! What the paper's section 6 says in words, each statement compared with the measurements.

use super::super::table::{Table, ratio};
use super::Extent;
use super::figures::{TIE, View};
use super::grid::{Depth, Policy, Setting, geometric_mean, limit, seconds};
use super::workload::{PROGRAMS, Program};

/// The paper's two policies.
const PAPERS: [Policy; 2] = [Policy::Direct, Policy::Lru];

/// Points beside the grid that a statement is about: small B-trees under deeper limits.
pub(super) fn further_points(extent: &Extent, program: &Program) -> Vec<(usize, Setting)> {
    if program.name != "btree" {
        return Vec::new();
    }
    let Some(&n) = extent.ns.first() else { return Vec::new() };
    let mut points = vec![(n, Setting::Unchecked)];
    for policy in PAPERS {
        points.extend((1..=4).map(|depth| (n, Setting::Cached { policy, size: 256, depth: Some(depth) })));
    }
    points
}

/// A statement and what became of it.
struct Statement {
    says: &'static str,
    /// `None` where there are no measurements to tell.
    holds: Option<bool>,
    numbers: String,
    /// Why it is so here, if it is, and why not otherwise.
    reasons: [&'static str; 2],
}

/// The checklist.
pub(super) fn table(view: &View<'_>) -> Table {
    let n = view.extent.counted;
    let mut table = Table::new(
        &format!(
            "rtcheck: what section 6 says, and what is so here (N = {n}, 256 entries, unless said otherwise)"
        ),
        &format!(
            "Policies are compared by {}, overheads by processor time. D is direct-mapped, L is LRU; costs within \
             2 % are a tie.",
            view.by_name
        ),
        &["statement", "here", "numbers", "reason"],
    );
    for statement in view.statements() {
        let here = match statement.holds {
            Some(true) => "confirmed",
            Some(false) => "not so",
            None => "not measured",
        };
        table.rows.push(vec![
            statement.says.to_owned(),
            here.to_owned(),
            statement.numbers,
            statement.reasons[usize::from(statement.holds == Some(false))].to_owned(),
        ]);
    }
    table
}

impl View<'_> {
    fn statements(&self) -> Vec<Statement> {
        vec![
            self.limit_two_is_enough(),
            self.limit_one_is_not(),
            self.no_limit_overwrites(),
            self.small_b_trees_like_deeper_limits(),
            self.direct_is_cheaper_on_the_whole(),
            self.checks_still_cost(),
            self.orders_of_magnitude(),
            self.almost_constant(),
            self.set_is_worst(),
            self.small_caches_are_direct(),
            self.larger_caches_sometimes_lru(),
            self.depth_is_halved(),
            self.group_prefers('a', Policy::Direct, "group (a), lists: D is better", REASON_LISTS),
            self.group_prefers('b', Policy::Lru, "group (b), AVL and heap: L is better", REASON_BALANCED),
            self.group_prefers(
                'c',
                Policy::Direct,
                "group (c), B-tree and RB-tree: D is better",
                REASON_CHANGED,
            ),
            self.group_prefers('d', Policy::Direct, "group (d), tree: D is better", REASON_UNBALANCED),
            self.table_one_agrees(),
        ]
    }

    fn by_limit(&self, program: &Program, policy: Policy, depth: Depth) -> Option<f64> {
        self.cost(program, self.extent.counted, policy, 256, depth)
    }

    /// A quantity's ratio for every program and policy of the paper, with a name for each.
    fn each(&self, of: impl Fn(&Program, Policy) -> Option<f64>) -> Vec<(String, f64)> {
        let pairs = PROGRAMS.iter().flat_map(|program| PAPERS.map(|policy| (program, policy)));
        pairs
            .filter_map(|(program, policy)| {
                Some((format!("{} {}", program.title, policy.letter()), of(program, policy)?))
            })
            .collect()
    }

    fn limit_two_is_enough(&self) -> Statement {
        let ratios = self.each(|program, policy| {
            Some(self.by_limit(program, policy, Some(2))? / self.by_limit(program, policy, None)?)
        });
        let worse = ratios.iter().filter(|(_, ratio)| *ratio > TIE);
        Statement {
            says: "depth limit 2 costs at most what no limit costs",
            holds: all(&ratios, |ratio| ratio <= TIE),
            numbers: format!("limit 2 : none is {}; above: {}", span(&ratios), list(worse)),
            reasons: [
                "cells that nobody asks for again are neither inserted nor push others out",
                "with 256 entries the limit changes little either way, except where what is asked for next \
                 lies just below it, as a B-tree's children do below their list",
            ],
        }
    }

    fn limit_one_is_not(&self) -> Statement {
        let ratios = self.each(|program, policy| {
            Some(self.by_limit(program, policy, Some(1))? / self.by_limit(program, policy, Some(2))?)
        });
        let dearer = ratios.iter().filter(|(_, ratio)| *ratio > TIE);
        let queue = ratios.iter().filter(|(name, _)| name.starts_with("amqueue"));
        Statement {
            says: "depth limit 1 remembers too little for most structures, amqueue above all",
            holds: (!ratios.is_empty()).then(|| {
                dearer.clone().count() * 2 > ratios.len() && queue.clone().all(|(_, ratio)| *ratio > TIE)
            }),
            numbers: format!("limit 1 : 2 is {}; dearer with 1: {}", span(&ratios), list(dearer)),
            reasons: [
                "the parts of what is built become the arguments of the next call (a queue's lists lie one \
                 level below its pair), and with limit 1 they are walked again",
                "terms that were checked as arguments themselves are in the table whatever the limit, and \
                 these programs build around such terms",
            ],
        }
    }

    fn no_limit_overwrites(&self) -> Statement {
        let evicted = |depth: Depth| -> u64 {
            let settings = PAPERS.map(|policy| Setting::Cached { policy, size: 256, depth });
            let points = PROGRAMS.iter().flat_map(|program| settings.map(|setting| (program, setting)));
            points
                .filter_map(|(program, setting)| self.grid.get(program.name, self.extent.counted, setting))
                .map(|cost| cost.evicted)
                .sum()
        };
        let (two, none) = (evicted(Some(2)), evicted(None));
        Statement {
            says: "without a limit entries are overwritten more often",
            holds: Some(none > two),
            numbers: format!(
                "entries that left for room, all programs, D and L: {two} with limit 2, {none} without"
            ),
            reasons: [
                "every cell of a walked term asks for a place, whether it will be asked for again or not",
                "the structures fit into the table with and without a limit",
            ],
        }
    }

    fn small_b_trees_like_deeper_limits(&self) -> Statement {
        let n = self.extent.ns.first().copied().unwrap_or(0);
        let program = &PROGRAMS[4];
        let mut numbers = Vec::new();
        let mut holds = None;
        for policy in PAPERS {
            let visits = |depth: u32| {
                let setting = Setting::Cached { policy, size: 256, depth: Some(depth) };
                Some(self.grid.get(program.name, n, setting)?.visits as f64)
            };
            let found: Vec<(u32, f64)> = (1..=4).filter_map(|depth| Some((depth, visits(depth)?))).collect();
            let least = |from: u32, to: u32| {
                let within = found.iter().filter(|(depth, _)| (from..=to).contains(depth));
                within.map(|(_, visits)| *visits).fold(f64::INFINITY, f64::min)
            };
            if !found.is_empty() {
                holds = Some(holds.unwrap_or(true) && least(3, 4) * TIE < least(1, 2));
            }
            let shown: Vec<String> =
                found.iter().map(|(depth, visits)| format!("{depth}: {visits}")).collect();
            numbers.push(format!("{} {}", policy.letter(), shown.join(", ")));
        }
        Statement {
            says: "B-tree, small inputs: limits of 3 or 4 do better than 2",
            holds,
            numbers: format!("node visits at N = {n} by limit: {}", numbers.join("; ")),
            reasons: [
                "a node's children lie two levels below it, below their list, and their own lists below \
                 them: limits of 3 and 4 remember what the next insertion asks for",
                "the spine of a list is one level here, so limit 2 already holds most of what the next \
                 insertion asks for",
            ],
        }
    }

    /// Costs of one policy as multiples of those of another, by program.
    fn against(&self, size: usize, depth: Depth, one: Policy, other: Policy) -> Vec<(String, f64)> {
        let n = self.extent.counted;
        let ratio = |program: &Program| {
            Some(self.cost(program, n, one, size, depth)? / self.cost(program, n, other, size, depth)?)
        };
        PROGRAMS.iter().filter_map(|program| Some((program.title.to_owned(), ratio(program)?))).collect()
    }

    fn direct_is_cheaper_on_the_whole(&self) -> Statement {
        let ratios = self.against(256, Some(2), Policy::Direct, Policy::Lru);
        Statement {
            says: "D costs less than L on the whole, because its operations are cheaper",
            holds: (!ratios.is_empty()).then(|| mean(&ratios) < 1.0),
            numbers: format!("D : L is {}; geometric mean {:.2}", listed(&ratios), mean(&ratios)),
            reasons: [
                "a direct-mapped look-up compares one key, LRU searches and moves a link of a list",
                "what collisions cost in walks outweighs the cheaper look-up",
            ],
        }
    }

    fn overheads(&self, setting: Setting) -> Vec<(String, f64)> {
        let overhead = |program: &Program| {
            self.grid.ratio((program.name, self.extent.counted, setting), Setting::Unchecked, seconds)
        };
        PROGRAMS.iter().filter_map(|program| Some((program.title.to_owned(), overhead(program)?))).collect()
    }

    fn checks_still_cost(&self) -> Statement {
        let direct = Setting::Cached { policy: Policy::Direct, size: 256, depth: Some(2) };
        let ratios = self.overheads(direct);
        Statement {
            says: "with caching, checks still cost significantly",
            holds: (!ratios.is_empty()).then(|| mean(&ratios) > 1.5),
            numbers: format!(
                "times no checks, D, limit 2: {}; geometric mean {}",
                listed(&ratios),
                ratio(mean(&ratios))
            ),
            reasons: [
                "each call asks one question per argument and success, and a step of an insertion is a few \
                 dozen instructions itself",
                "a look-up is cheap beside a step of these programs",
            ],
        }
    }

    fn orders_of_magnitude(&self) -> Statement {
        let setting = Setting::Cached { policy: Policy::Lru, size: 256, depth: Some(2) };
        let reductions: Vec<(String, f64)> = PROGRAMS
            .iter()
            .filter_map(|program| {
                let n = self.extent.ns(program).last().copied()?;
                Some((format!("{} (N = {n})", program.title), self.reduction(program, n, setting)?))
            })
            .collect();
        Statement {
            says: "caching makes the overhead 1 to 2 orders of magnitude less (Fig. 2: heap, L)",
            holds: (!reductions.is_empty()).then(|| mean(&reductions) >= 10.0),
            numbers: format!("{}; geometric mean {:.0}", listed(&reductions), mean(&reductions)),
            reasons: [
                "without a cache a check walks the whole structure, which grows with N, and the factor with \
                 it",
                "at this N a walk of the whole structure is short; the factor grows with N",
            ],
        }
    }

    fn almost_constant(&self) -> Statement {
        let growth = |program: &Program, setting: Setting| {
            let ns = self.extent.ns(program);
            let at = |n: &usize| self.grid.ratio((program.name, *n, setting), Setting::Unchecked, seconds);
            Some(at(ns.last()?)? / at(ns.first()?)?)
        };
        let all = |setting: Setting| -> Vec<(String, f64)> {
            let named = PROGRAMS
                .iter()
                .filter_map(|program| Some((program.title.to_owned(), growth(program, setting)?)));
            named.collect()
        };
        let cached = all(Setting::Cached { policy: Policy::Lru, size: 256, depth: Some(2) });
        let uncached = all(Setting::Uncached);
        let far = |ratios: &[(String, f64)]| ratios.iter().map(|(_, ratio)| *ratio).fold(0.0, f64::max);
        let (first, last) = (self.extent.ns.first().copied(), self.extent.ns.last().copied());
        Statement {
            says: "the ratio is almost constant with caching, linear or worse in N without",
            holds: (!cached.is_empty())
                .then(|| far(&cached) <= 2.0 && mean(&uncached) >= 2.0 * mean(&cached)),
            numbers: format!(
                "from N = {} to {} (set: {}) the ratio grows by, L: {}; without cache: {}",
                first.unwrap_or(0),
                last.unwrap_or(0),
                self.extent.set_ns.last().copied().unwrap_or(0),
                listed(&cached),
                listed(&uncached)
            ),
            reasons: [
                "the nodes that insertions touch are remembered or lie near one that is; where N is several \
                 times the number of entries, the ratio grows slowly",
                "with few elements the first checks, which find an empty table, weigh more, and structures \
                 are too small for whole walks to be dear",
            ],
        }
    }

    fn set_is_worst(&self) -> Statement {
        let mut ratios =
            self.overheads(Setting::Cached { policy: Policy::Direct, size: 256, depth: Some(2) });
        ratios.sort_by(|one, other| other.1.total_cmp(&one.1));
        Statement {
            says: "the overhead is highest for set",
            holds: ratios.first().map(|(name, _)| name == "set"),
            numbers: format!("times no checks, D, limit 2, highest first: {}", listed(&ratios)),
            reasons: [
                "every step along the list is a checked call",
                "a step along the list finds what the step before it left, and a cell of a spine costs a \
                 few instructions here; calls with more arguments (a tree's, a red-black tree's) cost as \
                 much or more",
            ],
        }
    }

    fn small_caches_are_direct(&self) -> Statement {
        let ratios: Vec<(String, f64)> = [Some(2), None]
            .into_iter()
            .flat_map(|depth| {
                let named = move |(name, ratio)| (format!("{name}/{}", limit(depth)), ratio);
                self.against(32, depth, Policy::Direct, Policy::Lru).into_iter().map(named)
            })
            .collect();
        Statement {
            says: "with 32 entries D is best for every program",
            holds: all(&ratios, |ratio| ratio <= TIE),
            numbers: format!("D : L by limit: {}", listed(&ratios)),
            reasons: [
                "in a small table most look-ups miss, whichever entries are kept, and the cheaper operation \
                 wins",
                "without a limit so many cells ask for a place that the cheaper operation wins; with limit \
                 2 few do, and LRU keeps the nodes near the root even in 32 entries, where each collision \
                 costs a walk",
            ],
        }
    }

    fn larger_caches_sometimes_lru(&self) -> Statement {
        let mut cases = Vec::new();
        for size in self.extent.sizes.iter().copied().filter(|size| (64..=256).contains(size)) {
            for depth in [Some(2), None] {
                for (name, ratio) in self.against(size, depth, Policy::Direct, Policy::Lru) {
                    cases.push((format!("{name} {size}/{}", limit(depth)), ratio));
                }
            }
        }
        let better = cases.iter().filter(|(_, ratio)| *ratio > TIE);
        Statement {
            says: "with 64 entries or more L is better in some cases",
            holds: (!cases.is_empty()).then(|| better.clone().next().is_some()),
            numbers: format!(
                "L is better in {} of {}: {}",
                better.clone().count(),
                cases.len(),
                list(better)
            ),
            reasons: [
                "collisions push out what is still needed, and each costs a walk",
                "no collision here costs as much as LRU's bookkeeping",
            ],
        }
    }

    fn depth_is_halved(&self) -> Statement {
        let deepest = |program: &Program, policy: Policy, depth: Depth| {
            let setting = Setting::Cached { policy, size: 256, depth };
            Some(self.grid.get(program.name, self.extent.counted, setting)?.deepest as f64)
        };
        let ratios: Vec<(String, f64)> = PROGRAMS
            .iter()
            .filter(|program| program.group == 'b')
            .flat_map(|program| [Some(2), None].map(|depth| (program, depth)))
            .filter_map(|(program, depth)| {
                let ratio = deepest(program, Policy::Lru, depth)? / deepest(program, Policy::Direct, depth)?;
                Some((format!("{}/{}", program.title, limit(depth)), ratio))
            })
            .collect();
        Statement {
            says: "group (b): the worst-case depth with L is almost half of that with D",
            holds: (!ratios.is_empty()).then(|| (0.25..=0.75).contains(&mean(&ratios))),
            numbers: format!("L : D by limit: {}; geometric mean {:.2}", listed(&ratios), mean(&ratios)),
            reasons: [
                "LRU keeps the nodes near the root, where every insertion passes, so that a walk stops \
                 sooner; the worst case counts the unluckiest collision",
                "a walk stops sooner with LRU, but by less: its worst case is a subtree that was not asked \
                 for since 256 other checks, which both policies have lost",
            ],
        }
    }

    fn group_prefers(
        &self,
        group: char,
        policy: Policy,
        says: &'static str,
        reasons: [&'static str; 2],
    ) -> Statement {
        let other = if policy == Policy::Lru { Policy::Direct } else { Policy::Lru };
        let mut ratios = Vec::new();
        let mut visits = Vec::new();
        for program in PROGRAMS.iter().filter(|program| program.group == group) {
            let of = |policy| {
                let setting = Setting::Cached { policy, size: 256, depth: Some(2) };
                Some(self.grid.get(program.name, self.extent.counted, setting)?.visits as f64)
            };
            if let (Some(one), Some(other)) = (of(policy), of(other)) {
                visits.push((program.title.to_owned(), one / other));
            }
        }
        for size in [64, 128, 256] {
            for (program, (name, ratio)) in PROGRAMS.iter().zip(self.against(size, Some(2), policy, other)) {
                if program.group == group {
                    ratios.push((format!("{name}/{size}"), ratio));
                }
            }
        }
        Statement {
            says,
            holds: all(&ratios, |ratio| ratio <= TIE),
            numbers: format!(
                "{} : {} by size, limit 2: {}",
                policy.letter(),
                other.letter(),
                listed(&ratios)
            ),
            reasons,
        }
    }

    fn table_one_agrees(&self) -> Statement {
        let (agreeing, cells) = self.agreement();
        Statement {
            says: "Table 1: the best policy in each of 56 cells",
            holds: (cells > 0).then_some(agreeing == cells),
            numbers: format!("the paper's letter is best here, or ties, in {agreeing} of {cells} cells"),
            reasons: [
                "the same trade of look-ups against walks",
                "the cost of a node's visit against that of a look-up decides, and it differs: a visit is a \
                 few instructions here, so that a miss costs little and the cheaper look-up wins more often",
            ],
        }
    }
}

const REASON_LISTS: [&str; 2] = [
    "the few entries that matter do not push each other out, so the cheaper operation wins",
    "collisions cost more than LRU's bookkeeping",
];
const REASON_BALANCED: [&str; 2] = [
    "the nodes near the root are asked for most; LRU keeps them, a collision loses them",
    "LRU does save visits, but a visit is a few instructions here, fewer than its bookkeeping at each look-up",
];
const REASON_CHANGED: [&str; 2] = [
    "insertion makes inner nodes anew, so LRU fills with entries of nodes that are gone, and its look-ups are dearer",
    "of a small table's slots a B-tree's lists and nodes ask for many at each insertion, so that collisions lose \
     what LRU keeps; with more entries D is better",
];
const REASON_UNBALANCED: [&str; 2] = [
    "long paths write many entries that are not asked for again; what a collision saves of the older ones is worth \
     more than order",
    "the nodes near the root are asked for most; LRU keeps them",
];

fn all(ratios: &[(String, f64)], holds: impl Fn(f64) -> bool) -> Option<bool> {
    (!ratios.is_empty()).then(|| ratios.iter().all(|(_, ratio)| holds(*ratio)))
}

fn mean(ratios: &[(String, f64)]) -> f64 {
    let values: Vec<f64> = ratios.iter().map(|(_, ratio)| *ratio).collect();
    geometric_mean(&values)
}

/// The least and the greatest.
fn span(ratios: &[(String, f64)]) -> String {
    let values = || ratios.iter().map(|(_, ratio)| *ratio);
    format!("{:.2} to {:.2}", values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max))
}

fn listed(ratios: &[(String, f64)]) -> String {
    list(ratios.iter())
}

fn list<'r>(ratios: impl Iterator<Item = &'r (String, f64)>) -> String {
    let shown: Vec<String> = ratios.map(|(name, ratio)| format!("{name} {ratio:.2}")).collect();
    if shown.is_empty() { "none".to_owned() } else { shown.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::{all, list, mean, span};

    #[test]
    fn summaries_of_ratios_say_what_they_are_of() {
        let ratios = vec![("a".to_owned(), 0.5), ("b".to_owned(), 2.0)];
        assert_eq!(span(&ratios), "0.50 to 2.00");
        assert!((mean(&ratios) - 1.0).abs() < 1e-12);
        assert_eq!(list(ratios.iter().filter(|(_, ratio)| *ratio > 3.0)), "none");
        assert_eq!(list(ratios.iter()), "a 0.50, b 2.00");
        assert_eq!(all(&ratios, |ratio| ratio <= 1.02), Some(false));
        assert_eq!(all(&[], |_| false), None);
    }
}
