//! Table 1 and the figures of the paper, as tables and as charts, from one grid of measurements.

use super::super::chart::{Chart, Lines};
use super::super::report::Section;
use super::super::table::{Table, ratio};
use super::Extent;
use super::grid::{Cost, Depth, Grid, Policy, Setting, limit, seconds};
use super::workload::{PROGRAMS, Program};

/// Costs within so much of each other are a tie.
pub(super) const TIE: f64 = 1.02;

/// The letters of the paper's Table 1: by size (256, 128, 64, 32), then by program, with depth limit 2 and with
/// none.
const PAPER: [(usize, [[char; 2]; 7]); 4] = [
    (256, [['D', 'D'], ['D', 'D'], ['L', 'L'], ['L', 'L'], ['L', 'L'], ['L', 'D'], ['D', 'L']]),
    (128, [['D', 'D'], ['D', 'D'], ['L', 'L'], ['L', 'L'], ['D', 'D'], ['L', 'D'], ['D', 'D']]),
    (64, [['D', 'D'], ['D', 'D'], ['L', 'L'], ['L', 'L'], ['D', 'D'], ['L', 'D'], ['D', 'D']]),
    (32, [['D', 'D'], ['D', 'D'], ['D', 'D'], ['D', 'D'], ['D', 'D'], ['D', 'D'], ['D', 'D']]),
];

/// The worst-case depths of the paper's Table 1, by program: direct-mapped, LRU.
const PAPER_DEPTHS: [[&str; 2]; 7] = [
    ["2", "2"],
    ["1", "1"],
    ["7:11", "3:11"],
    ["5:11", "1:11"],
    ["13:21", "4:21"],
    ["6:21", "6:20"],
    ["9:20", "6:20"],
];

/// A view of the grid.
pub(super) struct View<'g> {
    pub(super) grid: &'g Grid,
    pub(super) extent: &'g Extent,
    /// What decides which policy is best, and its name.
    pub(super) by: fn(&Cost) -> Option<f64>,
    pub(super) by_name: &'static str,
}

impl View<'_> {
    /// What a setting of the cache costs, as [`View::by`] counts.
    pub(super) fn cost(
        &self,
        program: &Program,
        n: usize,
        policy: Policy,
        size: usize,
        depth: Depth,
    ) -> Option<f64> {
        (self.by)(self.grid.get(program.name, n, Setting::Cached { policy, size, depth })?)
    }

    /// The policies that cost least, with those that tie.
    fn best(&self, program: &Program, size: usize, depth: Depth, among: &[Policy]) -> Vec<Policy> {
        let cost = |policy: &Policy| self.cost(program, self.extent.counted, *policy, size, depth);
        let Some(least) = among.iter().filter_map(cost).reduce(f64::min) else { return Vec::new() };
        among.iter().filter(|policy| cost(policy).is_some_and(|cost| cost <= least * TIE)).copied().collect()
    }

    /// In how many cells the paper's letter is among the best here, and of how many.
    pub(super) fn agreement(&self) -> (usize, usize) {
        let mut agreeing = (0, 0);
        for (size, letters) in PAPER {
            for (program, letters) in PROGRAMS.iter().zip(letters) {
                for (depth, letter) in [Some(2), None].into_iter().zip(letters) {
                    let best = self.best(program, size, depth, &[Policy::Direct, Policy::Lru]);
                    if best.is_empty() {
                        continue;
                    }
                    agreeing.1 += 1;
                    agreeing.0 +=
                        usize::from(best.iter().any(|policy| policy.letter() == letter.to_string()));
                }
            }
        }
        agreeing
    }

    /// The least and the greatest worst-case depth of a program under a policy, over sizes up to 256 and limits.
    fn depths(&self, program: &Program, policy: Policy) -> Option<(u64, u64)> {
        let points = self.extent.sizes.iter().filter(|size| (32..=256).contains(*size));
        let depths = points.flat_map(|size| [Some(2), None].map(|depth| (*size, depth)));
        let found: Vec<u64> = depths
            .filter_map(|(size, depth)| {
                let setting = Setting::Cached { policy, size, depth };
                Some(self.grid.get(program.name, self.extent.counted, setting)?.deepest)
            })
            .collect();
        Some((*found.iter().min()?, *found.iter().max()?))
    }

    /// Table 1.
    pub(super) fn table_one(&self) -> Table {
        let n = self.extent.counted;
        let mut table = Table::new(
            &format!("rtcheck: Table 1, N = {n}"),
            &format!(
                "Which policy costs least, in {}: D is direct-mapped, L is LRU; two letters are a tie within 2 %. \
                 In brackets the paper's letter. Behind the bar the best when S, ours (S3-FIFO with inherited \
                 types), may win too. Depths are the least and the greatest worst case over the sizes and limits \
                 of this table.",
                self.by_name
            ),
            &[
                "benchmark",
                "group",
                "assertions",
                "regtypes",
                "depth limit",
                "256",
                "128",
                "64",
                "32",
                "max depth D",
                "max depth L",
                "max depth S",
            ],
        );
        for (number, program) in PROGRAMS.iter().enumerate() {
            for (column, depth) in [Some(2), None].into_iter().enumerate() {
                let mut row = if column == 0 {
                    vec![
                        program.title.to_owned(),
                        format!("({})", program.group),
                        program.assertions.to_string(),
                        program.regtypes.to_string(),
                    ]
                } else {
                    vec![String::new(); 4]
                };
                row.push(limit(depth));
                let letters = |best: Vec<Policy>| best.into_iter().map(Policy::letter).collect::<String>();
                for (size, paper) in PAPER {
                    let two = letters(self.best(program, size, depth, &[Policy::Direct, Policy::Lru]));
                    let three = letters(self.best(program, size, depth, &Policy::COMPARED));
                    row.push(if two.is_empty() {
                        "-".to_owned()
                    } else {
                        format!("{two} [{}] | {three}", paper[number][column])
                    });
                }
                if column == 0 {
                    for (policy, paper) in Policy::COMPARED.into_iter().zip([Some(0), Some(1), None]) {
                        let span = self.depths(program, policy).map_or_else(
                            || "-".to_owned(),
                            |(low, high)| if low == high { low.to_string() } else { format!("{low}:{high}") },
                        );
                        row.push(match paper {
                            Some(paper) => format!("{span} [{}]", PAPER_DEPTHS[number][paper]),
                            None => span,
                        });
                    }
                }
                table.rows.push(row);
            }
        }
        table
    }

    /// Everything of section 6 and of the appendix that is a picture there.
    pub(super) fn add_to(&self, section: &mut Section) {
        section.tables.push(self.table_one());
        self.figure_one(section);
        self.times(section);
        self.figure_three(section);
        for policy in Policy::COMPARED {
            self.figures_of_overheads(policy, section);
            self.deepest(policy, section);
        }
    }

    /// The overhead of a cached setting in time, for the figures.
    fn overhead(&self, program: &Program, n: usize, setting: Setting) -> Option<f64> {
        self.grid.ratio((program.name, n, setting), Setting::Unchecked, seconds)
    }

    /// A line per program (or another thing) over N.
    fn over_n(&self, program: &Program, of: impl Fn(usize) -> Option<f64>) -> Vec<(f64, f64)> {
        self.extent.ns(program).into_iter().filter_map(|n| Some((n as f64, of(n)?))).collect()
    }

    fn figure_one(&self, section: &mut Section) {
        let mut table = Table::new(
            "rtcheck: Fig. 1, overhead of checks with 256 entries",
            "Processor time as a multiple of the run without checks.",
            &["policy", "depth limit", "N"],
        );
        table.heads.extend(PROGRAMS.iter().map(|program| program.title.to_owned()));
        let mut charts = Vec::new();
        for policy in Policy::COMPARED {
            for &depth in &self.extent.depths {
                let setting = Setting::Cached { policy, size: 256, depth };
                for n in self.extent.all_ns() {
                    let overheads = PROGRAMS.iter().map(|program| self.overhead(program, n, setting));
                    let start = [policy.name().to_owned(), limit(depth), n.to_string()];
                    table.rows.push(start.into_iter().chain(overheads.map(shown)).collect());
                }
                charts.push(lines(
                    format!("Fig. 1: {}, 256 entries, depth limit {}", policy.name(), limit(depth)),
                    "overhead",
                    PROGRAMS.iter().map(|program| {
                        let line = self.over_n(program, |n| self.overhead(program, n, setting));
                        (program.title.to_owned(), line)
                    }),
                ));
            }
        }
        section.tables.push(table);
        section.groups.push(("Fig. 1: overheads with 256 entries".to_owned(), charts));
    }

    /// Fig. 2 (the heap), and A4 and A8 (all programs): absolute and relative times, instructions and visits.
    fn times(&self, section: &mut Section) {
        let mut table = Table::new(
            "rtcheck: Fig. 2, A4 and A8, absolute and relative cost, 256 entries, depth limit 2",
            "Fig. 2 is the heap. Times are of this machine and only to be compared with each other. \"Less \
             overhead\" is the overhead without a cache divided by that with it: (checked - unchecked) time each.",
            &[
                "benchmark",
                "N",
                "checks done as",
                "microseconds",
                "instructions",
                "node visits",
                "times no checks",
                "less overhead",
            ],
        );
        let mut charts = Vec::new();
        for program in &PROGRAMS {
            let mut settings = vec![
                ("no checks".to_owned(), Setting::Unchecked),
                ("no cache".to_owned(), Setting::Uncached),
                ("no cache, older transformation".to_owned(), Setting::Older),
            ];
            for policy in Policy::COMPARED {
                let cached = Setting::Cached { policy, size: 256, depth: Some(2) };
                settings.push((policy.name().to_owned(), cached));
            }
            for n in self.extent.ns(program) {
                for (name, setting) in &settings {
                    let Some(cost) = self.grid.get(program.name, n, *setting) else { continue };
                    let whole = |value: Option<f64>, scale: f64, digits: usize| {
                        value.map_or_else(|| "-".to_owned(), |value| format!("{:.digits$}", value * scale))
                    };
                    table.rows.push(vec![
                        program.title.to_owned(),
                        n.to_string(),
                        name.clone(),
                        whole(cost.seconds, 1e6, 1),
                        whole(cost.instructions, 1.0, 0),
                        cost.visits.to_string(),
                        shown(self.overhead(program, n, *setting)),
                        shown(match setting {
                            Setting::Cached { .. } => self.reduction(program, n, *setting),
                            _ => None,
                        }),
                    ]);
                }
            }
            let figure = if program.name == "heap" { "Fig. 2, A4, A8" } else { "A4, A8" };
            let named = |of: &dyn Fn(usize, Setting) -> Option<f64>| {
                settings
                    .iter()
                    .map(|(name, setting)| (name.clone(), self.over_n(program, |n| of(n, *setting))))
                    .collect::<Vec<_>>()
            };
            let absolute = named(&|n, setting| Some(self.grid.get(program.name, n, setting)?.seconds? * 1e6));
            let relative = named(&|n, setting| self.overhead(program, n, setting));
            let visits = named(&|n, setting| Some(self.grid.get(program.name, n, setting)?.visits as f64));
            charts.push(lines(format!("{figure}: {}, time", program.title), "microseconds", absolute));
            charts.push(lines(
                format!("{figure}: {}, relative time", program.title),
                "times no checks",
                relative,
            ));
            charts.push(lines(
                format!("{figure}: {}, node visits", program.title),
                "node visits",
                visits.into_iter().filter(|(name, _)| name != "no checks"),
            ));
        }
        section.tables.push(table);
        section.groups.push(("Fig. 2, A4 and A8: absolute and relative cost".to_owned(), charts));
    }

    /// How many times less a cache lets the checks cost: overhead without it divided by overhead with it.
    pub(super) fn reduction(&self, program: &Program, n: usize, setting: Setting) -> Option<f64> {
        let cost = |setting| self.grid.get(program.name, n, setting)?.seconds;
        let base = cost(Setting::Unchecked)?;
        Some((cost(Setting::Uncached)? - base) / (cost(setting)? - base).max(1e-9))
    }

    fn figure_three(&self, section: &mut Section) {
        let groups = || PROGRAMS.iter().filter(|program| ['b', 'c'].contains(&program.group));
        let mut table = Table::new(
            "rtcheck: Fig. 3, worst-case depth of checks, groups (b) and (c)",
            "The greatest depth at which a check visited a node, with 256 entries. The root of a checked term has \
             depth 0, and the spine of a list is one level.",
            &["policy", "depth limit", "N"],
        );
        table.heads.extend(groups().map(|program| program.title.to_owned()));
        let mut charts = Vec::new();
        for policy in Policy::COMPARED {
            for &depth in &self.extent.depths {
                let setting = Setting::Cached { policy, size: 256, depth };
                let deepest =
                    |program: &Program, n| Some(self.grid.get(program.name, n, setting)?.deepest as f64);
                for n in self.extent.all_ns() {
                    let start = [policy.name().to_owned(), limit(depth), n.to_string()];
                    let row = groups().map(|program| {
                        deepest(program, n).map_or_else(|| "-".to_owned(), |depth| depth.to_string())
                    });
                    table.rows.push(start.into_iter().chain(row).collect());
                }
                charts.push(lines(
                    format!("Fig. 3: {}, depth limit {}", policy.name(), limit(depth)),
                    "worst-case depth",
                    groups().map(|program| {
                        (program.title.to_owned(), self.over_n(program, |n| deepest(program, n)))
                    }),
                ));
            }
        }
        section.tables.push(table);
        section.groups.push(("Fig. 3: worst-case depths with 256 entries".to_owned(), charts));
    }

    /// A1 and A2 (LRU), A5 and A6 (direct-mapped): overheads by size and limit, and by program and limit.
    fn figures_of_overheads(&self, policy: Policy, section: &mut Section) {
        let figures = match policy {
            Policy::Lru => "A1 and A2",
            Policy::Direct => "A5 and A6",
            _ => "as A1 and A2, ours",
        };
        let mut table = Table::new(
            &format!("rtcheck: {figures}, overhead of checks, {}", policy.name()),
            "Processor time as a multiple of the run without checks.",
            &["entries", "depth limit", "N"],
        );
        table.heads.extend(PROGRAMS.iter().map(|program| program.title.to_owned()));
        let mut by_size = Vec::new();
        for &size in &self.extent.sizes {
            for &depth in &self.extent.depths {
                let setting = Setting::Cached { policy, size, depth };
                for n in self.extent.all_ns() {
                    let start = [size.to_string(), limit(depth), n.to_string()];
                    let overheads = PROGRAMS.iter().map(|program| shown(self.overhead(program, n, setting)));
                    table.rows.push(start.into_iter().chain(overheads).collect());
                }
                by_size.push(lines(
                    format!("{}, {size} entries, depth limit {}", policy.name(), limit(depth)),
                    "overhead",
                    PROGRAMS.iter().map(|program| {
                        let line = self.over_n(program, |n| self.overhead(program, n, setting));
                        (program.title.to_owned(), line)
                    }),
                ));
            }
        }
        let mut by_program = Vec::new();
        for program in &PROGRAMS {
            for &depth in &self.extent.depths {
                by_program.push(lines(
                    format!("{}: {}, depth limit {}", program.title, policy.name(), limit(depth)),
                    "overhead",
                    self.extent.sizes.iter().map(|&size| {
                        let setting = Setting::Cached { policy, size, depth };
                        let line = self.over_n(program, |n| self.overhead(program, n, setting));
                        (format!("{size} entries"), line)
                    }),
                ));
            }
        }
        section.tables.push(table);
        section.groups.push((format!("{figures}: overheads by size and limit"), by_size));
        section.groups.push((format!("{figures}: overheads by program and limit"), by_program));
    }

    /// A3 (LRU) and A7 (direct-mapped): worst-case depths by program and size.
    fn deepest(&self, policy: Policy, section: &mut Section) {
        let figure = match policy {
            Policy::Lru => "A3",
            Policy::Direct => "A7",
            _ => "as A3, ours",
        };
        let mut table = Table::new(
            &format!("rtcheck: {figure}, worst-case depth of checks, {}", policy.name()),
            "The greatest depth at which a check visited a node.",
            &["entries", "depth limit", "N"],
        );
        table.heads.extend(PROGRAMS.iter().map(|program| program.title.to_owned()));
        let mut charts = Vec::new();
        let deepest = |program: &Program, n, size, depth| {
            Some(self.grid.get(program.name, n, Setting::Cached { policy, size, depth })?.deepest as f64)
        };
        for &size in &self.extent.sizes {
            for &depth in &self.extent.depths {
                for n in self.extent.all_ns() {
                    let start = [size.to_string(), limit(depth), n.to_string()];
                    let row = PROGRAMS.iter().map(|program| {
                        deepest(program, n, size, depth)
                            .map_or_else(|| "-".to_owned(), |depth| depth.to_string())
                    });
                    table.rows.push(start.into_iter().chain(row).collect());
                }
            }
        }
        for program in &PROGRAMS {
            for &size in &self.extent.sizes {
                charts.push(lines(
                    format!("{figure}: {}, {}, {size} entries", program.title, policy.name()),
                    "worst-case depth",
                    self.extent.depths.iter().map(|&depth| {
                        let line = self.over_n(program, |n| deepest(program, n, size, depth));
                        (format!("limit {}", limit(depth)), line)
                    }),
                ));
            }
        }
        section.tables.push(table);
        section.groups.push((format!("{figure}: worst-case depths"), charts));
    }
}

fn lines(title: String, up: &str, series: impl IntoIterator<Item = (String, Vec<(f64, f64)>)>) -> Chart {
    Chart::Lines(Lines {
        title,
        across: "N".to_owned(),
        up: up.to_owned(),
        series: series.into_iter().filter(|(_, line)| !line.is_empty()).collect(),
    })
}

/// A ratio, or that there is none.
pub(super) fn shown(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), ratio)
}
