//! The paper's Figures 6, 7 and 8 over the sessions, and where fine-grained caching costs more than basic.

use super::super::chart::{Bars, Chart};
use super::super::report::Section;
use super::super::table::{Table, ratio};
use super::runs::{Implementation, Run};
use super::sessions::Session;

/// A row of Fig. 6: what the paper's own sessions took.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) snapshots: usize,
    /// Seconds without a cache, with basic and with fine-grained caching.
    seconds: [f64; 3],
    time_outs: [u32; 3],
}

const fn row(snapshots: usize, seconds: [f64; 3], time_outs: [u32; 3]) -> Row {
    Row { snapshots, seconds, time_outs }
}

/// Fig. 6.
pub(super) const PAPER: [Row; 8] = [
    row(70, [4395.3, 315.3, 277.5], [58, 3, 1]),
    row(13, [758.5, 88.2, 74.8], [11, 4, 2]),
    row(59, [3648.0, 220.2, 206.1], [83, 5, 4]),
    row(254, [13977.6, 1734.7, 1008.7], [2, 1, 0]),
    row(255, [6698.6, 533.8, 499.8], [16, 6, 5]),
    row(27, [1956.0, 785.7, 519.7], [0, 0, 0]),
    row(29, [106.9, 33.3, 27.3], [0, 0, 0]),
    row(7, [765.5, 20.5, 20.0], [0, 0, 0]),
];

/// The session that Figures 7 and 8 show.
const SHOWN: usize = 5;
/// A snapshot is listed if fine-grained caching takes more than this much of basic caching's resource.
const LISTED: f64 = 1.10;

/// A session in every way.
#[derive(Debug)]
pub(super) struct Measured {
    pub(super) session: Session,
    /// The first snapshot and how many.
    pub(super) part: (usize, usize),
    pub(super) none: Run,
    pub(super) two: Run,
    pub(super) basic: Run,
    pub(super) fine: Run,
    pub(super) replay: Run,
}

/// Adds all tables and charts.
pub(super) fn add_to(measured: &[Measured], whole: bool, section: &mut Section) {
    section.tables.push(sessions(measured, whole));
    section.tables.push(solvers(measured));
    section.tables.push(reduction(measured));
    section.tables.push(listed(measured));
    section.tables.push(replayed(measured));
    section.overview.push(resource(measured));
    for (number, one) in measured.iter().enumerate() {
        let charts = vec![priorities(one), actions(one)];
        if number == SHOWN {
            section.charts.extend(charts);
            section.tables.push(by_snapshot(one));
        } else {
            let title = format!("Figures 7 and 8 for session {}: {}", one.session.name, one.session.title);
            section.groups.push((title, charts));
        }
    }
}

/// Fig. 6.
fn sessions(measured: &[Measured], whole: bool) -> Table {
    let mut table = Table::new(
        "ivl: Fig. 6, each session without a cache (NC), with basic (BC) and with fine-grained caching (FGC)",
        "Seconds of processor time, Z3's resource count in thousands, implementations that ran out of it. The paper's \
         sessions are others of the same length, verified by Boogie; its figures stand beside as it states them, its \
         time as a multiple of basic caching.",
        &[
            "session",
            "snapshots",
            "seconds: NC",
            "BC",
            "FGC",
            "resource: NC",
            "BC",
            "FGC",
            "time-outs: NC",
            "BC",
            "FGC",
            "NC/BC",
            "the paper's",
            "FGC/BC, resource",
            "FGC/BC, time",
            "the paper's, time",
            "its time-outs",
        ],
    );
    let mut sum = [0.0; 3];
    let mut spent = [0; 3];
    let mut outs = [0; 3];
    for (one, paper) in measured.iter().zip(&PAPER) {
        let runs = [&one.none, &one.basic, &one.fine];
        for (at, run) in runs.iter().enumerate() {
            sum[at] += run.seconds;
            spent[at] += run.resource;
            outs[at] += run.time_outs();
        }
        let [no, basic, fine] = paper.seconds;
        let count = one.part.1;
        let snapshots = if whole { count.to_string() } else { format!("{count} of {}", paper.snapshots) };
        table.rows.push(
            [one.session.name.clone(), snapshots]
                .into_iter()
                .chain(runs.map(|run| format!("{:.2}", run.seconds)))
                .chain(runs.map(|run| thousands(run.resource)))
                .chain(runs.map(|run| run.time_outs().to_string()))
                .chain([
                    ratio(one.none.seconds / one.basic.seconds),
                    ratio(no / basic),
                    ratio(quotient(one.fine.resource, one.basic.resource)),
                    ratio(one.fine.seconds / one.basic.seconds),
                    ratio(fine / basic),
                    paper.time_outs.map(|it| it.to_string()).join(" "),
                ])
                .collect(),
        );
    }
    let paper = |at: usize| PAPER.iter().map(|row| row.seconds[at]).sum::<f64>();
    table.rows.push(
        ["all".to_owned(), measured.iter().map(|it| it.part.1).sum::<usize>().to_string()]
            .into_iter()
            .chain(sum.map(|seconds| format!("{seconds:.2}")))
            .chain(spent.map(thousands))
            .chain(outs.map(|count| count.to_string()))
            .chain([
                ratio(sum[0] / sum[1]),
                ratio(paper(0) / paper(1)),
                ratio(quotient(spent[2], spent[1])),
                ratio(sum[2] / sum[1]),
                ratio(paper(2) / paper(1)),
                [0, 1, 2]
                    .map(|at| PAPER.iter().map(|row| row.time_outs[at]).sum::<u32>().to_string())
                    .join(" "),
            ])
            .collect(),
    );
    table
}

fn quotient(part: u64, whole: u64) -> f64 {
    part as f64 / whole as f64
}

fn thousands(resource: u64) -> String {
    format!("{:.0}", resource as f64 / 1e3)
}

/// The paper's remark that caching matters more than solving in parallel.
fn solvers(measured: &[Measured]) -> Table {
    let mut table = Table::new(
        "ivl: caching against more solvers",
        "Elapsed time, as a multiple of one solver without a cache. The paper says that caching had a more significant \
         effect than several solvers; what a second solver can give depends on the machine's free processors.",
        &["session", "two solvers", "basic, one solver", "fine-grained, one solver"],
    );
    for one in measured {
        let against = |run: &Run| ratio(run.elapsed / one.none.elapsed);
        table.rows.push(vec![
            one.session.name.clone(),
            against(&one.two),
            against(&one.basic),
            against(&one.fine),
        ]);
    }
    table
}

/// The reduction of fine-grained caching over basic caching: the paper's 17 % on average and 42 % at best.
fn reduction(measured: &[Measured]) -> Table {
    let mut table = Table::new(
        "ivl: how much fine-grained caching takes off basic caching",
        "Positive is less work. The paper: 17 % of time on average over its sessions, 42 % at best. The resource \
         is what the goal is about: at most basic, summed over each session.",
        &["", "average over sessions", "best session", "worst session", "sessions above basic"],
    );
    let mut add = |name: &str, of: fn(&Run) -> f64| {
        let less: Vec<f64> = measured
            .iter()
            .filter(|it| of(&it.basic) > 0.0)
            .map(|it| 100.0 * (1.0 - of(&it.fine) / of(&it.basic)))
            .collect();
        let average = less.iter().sum::<f64>() / less.len().max(1) as f64;
        let best = less.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let worst = less.iter().copied().fold(f64::INFINITY, f64::min);
        let above = less.iter().filter(|it| **it < 0.0).count();
        table.rows.push(vec![
            name.to_owned(),
            format!("{average:.1} %"),
            format!("{best:.1} %"),
            format!("{worst:.1} %"),
            above.to_string(),
        ]);
    };
    add("processor time", |run| run.seconds);
    add("resource", |run| run.resource as f64);
    table.rows.push(vec!["the paper, time".into(), "17 %".into(), "42 %".into(), String::new(), "0".into()]);
    table
}

/// How often a session's implementations were asked with the instances of an earlier proof, and how often these
/// proved them.
pub(super) fn attempts(measured: &[Measured]) -> (usize, usize) {
    let outcomes = measured.iter().flat_map(|it| it.replay.snapshots.iter().flatten());
    let outcomes: Vec<bool> = outcomes.filter_map(Implementation::replayed).collect();
    (outcomes.len(), outcomes.iter().filter(|it| **it).count())
}

/// Replayed proofs.
fn replayed(measured: &[Measured]) -> Table {
    let mut table = Table::new(
        "ivl: proofs replayed by the instances that they needed, beside fine-grained caching",
        "Attempts are implementations that were asked with the instances of an earlier proof alone; they succeed if these          prove them. The resource, in thousands, holds what it takes to find the instances, too. The goal: four of five          attempts succeed.",
        &["session", "attempts", "succeeded", "resource: BC", "FGC", "replay", "replay/FGC"],
    );
    let mut row = |name: String, some: &[Measured]| {
        let (count, succeeded) = attempts(some);
        let sum = |of: fn(&Measured) -> u64| some.iter().map(of).sum::<u64>();
        let (fine, replay) = (sum(|it| it.fine.resource), sum(|it| it.replay.resource));
        table.rows.push(vec![
            name,
            count.to_string(),
            succeeded.to_string(),
            thousands(sum(|it| it.basic.resource)),
            thousands(fine),
            thousands(replay),
            ratio(quotient(replay, fine)),
        ]);
    };
    for one in measured {
        row(one.session.name.clone(), std::slice::from_ref(one));
    }
    row("all".to_owned(), measured);
    table
}

fn spent(snapshot: &[Implementation]) -> u64 {
    snapshot.iter().map(|it| it.resource).sum()
}

/// Every snapshot that takes more than basic caching, with what it was spent for.
fn listed(measured: &[Measured]) -> Table {
    let mut table = Table::new(
        "ivl: every snapshot where fine-grained caching takes more than 1.10 of basic caching's resource",
        "The cause is told for the implementation that costs most more. Basic caching asks the same whole query as no \
         cache; fine-grained caching asks a part of it, and the whole as well where the part was not decided.",
        &["session", "snapshot", "edit", "basic", "fine-grained", "ratio", "implementation", "cause"],
    );
    for one in measured {
        for (number, (basic, fine)) in one.basic.snapshots.iter().zip(&one.fine.snapshots).enumerate() {
            let (before, after) = (spent(basic), spent(fine));
            if after as f64 <= before as f64 * LISTED {
                continue;
            }
            let more = basic.iter().zip(fine).max_by_key(|(b, f)| f.resource.saturating_sub(b.resource));
            let (name, cause) = more.map_or_else(Default::default, |(b, f)| (f.name.clone(), cause(b, f)));
            let number = number + one.part.0;
            let intent = one.session.snapshots.get(number).map_or("", |it| it.intent.as_str());
            table.rows.push(vec![
                one.session.name.clone(),
                number.to_string(),
                intent.to_owned(),
                before.to_string(),
                after.to_string(),
                ratio(quotient(after, before)),
                name,
                cause,
            ]);
        }
    }
    table
}

/// Why an implementation took more with fine-grained caching.
fn cause(basic: &Implementation, fine: &Implementation) -> String {
    let of = |action: &str| fine.actions.get(action).copied().unwrap_or(0);
    let known = of("skipped") + of("partly-verified") + of("recycled");
    if fine.because.iter().any(|why| why.contains("whole query")) {
        let parts = fine.resource.saturating_sub(basic.resource);
        return format!(
            "{known} checks were known, but the solver did not decide the {} others; that cost {parts}",
            of("proved")
        );
    }
    format!(
        "{known} checks were known and {} asked: the solver took another way through a smaller query",
        of("proved") + of("partly-verified")
    )
}

/// Figures 7 and 8 as one table.
fn by_snapshot(one: &Measured) -> Table {
    let mut table = Table::new(
        &format!("ivl: Figures 7 and 8, each snapshot of session {}", one.session.name),
        "Implementations by priority (highest: its result was there), and checks by what became of them. Where no \
         earlier version was of use, all checks of an implementation are asked and not counted here.",
        &[
            "snapshot",
            "edit",
            "highest",
            "high",
            "medium",
            "low",
            "fully verified",
            "partly verified",
            "recycled",
            "proved",
        ],
    );
    for (number, snapshot) in one.fine.snapshots.iter().enumerate() {
        let number = number + one.part.0;
        let intent = one.session.snapshots.get(number).map_or("", |it| it.intent.as_str());
        table.rows.push(
            [number.to_string(), intent.to_owned()]
                .into_iter()
                .chain(PRIORITIES.map(|priority| of_priority(snapshot, priority).to_string()))
                .chain(ACTIONS.map(|(action, _)| of_action(snapshot, action).to_string()))
                .collect(),
        );
    }
    table
}

const PRIORITIES: [&str; 4] = ["highest", "high", "medium", "low"];
const ACTIONS: [(&str, &str); 4] = [
    ("skipped", "fully verified"),
    ("partly-verified", "partly verified"),
    ("recycled", "recycled"),
    ("proved", "proved"),
];

fn of_priority(snapshot: &[Implementation], priority: &str) -> usize {
    snapshot.iter().filter(|it| it.priority == priority).count()
}

fn of_action(snapshot: &[Implementation], action: &str) -> u64 {
    snapshot.iter().filter_map(|it| it.actions.get(action)).sum()
}

fn groups(one: &Measured) -> Vec<String> {
    // Numbers below the bars are readable for few snapshots only.
    let step = one.part.1.div_ceil(30);
    (0..one.part.1)
        .map(|it| if it % step == 0 { (it + one.part.0).to_string() } else { String::new() })
        .collect()
}

fn priorities(one: &Measured) -> Chart {
    let values =
        |priority: &str| one.fine.snapshots.iter().map(|it| of_priority(it, priority) as f64).collect();
    Chart::Bars(Bars {
        title: format!("Fig. 7: implementations by priority, session {}", one.session.name),
        up: "implementations".to_owned(),
        groups: groups(one),
        series: PRIORITIES.iter().map(|priority| ((*priority).to_owned(), values(priority))).collect(),
    })
}

fn actions(one: &Measured) -> Chart {
    let values = |action: &str| one.fine.snapshots.iter().map(|it| of_action(it, action) as f64).collect();
    Chart::Bars(Bars {
        title: format!("Fig. 8: checks by action, session {}", one.session.name),
        up: "checks".to_owned(),
        groups: groups(one),
        series: ACTIONS.iter().map(|(action, name)| ((*name).to_owned(), values(action))).collect(),
    })
}

/// Fig. 6 as bars.
fn resource(measured: &[Measured]) -> Chart {
    let series = |name: &str, of: fn(&Measured) -> f64| (name.to_owned(), measured.iter().map(of).collect());
    Chart::Bars(Bars {
        title: "ivl: resource over each session, as a part of no cache (Fig. 6)".to_owned(),
        up: "resource".to_owned(),
        groups: measured.iter().map(|it| it.session.name.clone()).collect(),
        series: vec![
            series("no cache", |_| 1.0),
            series("basic", |it| quotient(it.basic.resource, it.none.resource)),
            series("fine-grained", |it| quotient(it.fine.resource, it.none.resource)),
        ],
    })
}

#[cfg(test)]
mod tests {
    use super::{Implementation, PAPER, cause};

    #[test]
    fn the_papers_sums_give_its_averages() {
        // 17 % on average and 42 % at best are stated beside the table.
        let less = |it: &super::Row| 100.0 * (1.0 - it.seconds[2] / it.seconds[1]);
        let average = PAPER.iter().map(less).sum::<f64>() / 8.0;
        let best = PAPER.iter().map(less).fold(0.0, f64::max);
        assert_eq!((average.round(), best.round()), (17.0, 42.0));
    }

    #[test]
    fn a_cause_tells_apart_a_second_query_and_another_way() {
        let basic = Implementation { resource: 10, ..Implementation::default() };
        let mut fine = Implementation { resource: 25, ..Implementation::default() };
        fine.actions = [("skipped".to_owned(), 3), ("proved".to_owned(), 2)].into();
        assert!(cause(&basic, &fine).starts_with("3 checks were known and 2 asked"));
        fine.because.push("the whole query had to be asked as well".to_owned());
        assert_eq!(
            cause(&basic, &fine),
            "3 checks were known, but the solver did not decide the 2 others; that cost 15"
        );
    }
}
