//! `ivl`: what caching saves over edit sessions, as section 5 of its paper measures it; that it never costs; and
//! how fast the tool is beside Boogie.
//!
//! [`sessions`] replays programs and their edits, [`brought`] finds those that somebody brings, [`runs`]
//! verifies them in every way, [`figures`] shows the paper's Figures 6 to 8 and what fine-grained caching costs
//! where, [`peers`] runs Debian's `boogie` and `dafny`, [`single`] measures single runs and edits of one
//! method, [`keystroke`] how long an editor waits, [`goals`] compares with what the project set out to reach.
//! Every cached verdict is compared with the verdict from scratch; a difference ends the bench.

mod brought;
mod figures;
mod goals;
mod keystroke;
mod peers;
mod runs;
mod sessions;
mod single;

use super::Size;
use super::report::Section;
use crate::error::Error;
use crate::phases::bar;
use crate::programs::Programs;
pub(crate) use brought::Brought;
use figures::Measured;
pub(super) use peers::printed_programs;
use runs::Way;

/// Where the sessions are.
const SESSIONS: &str = "fixtures/boogie/sessions";

/// Which snapshots of a session of so many are verified: all, or a stretch from where the program has grown; to see
/// that everything runs, two from where it is small.
fn part(size: Size, length: usize) -> (usize, usize) {
    let (count, tenths) = match size {
        Size::Smoke => (2, 1),
        Size::Default => (8, 6),
        Size::Full => (length, 0),
    };
    let count = count.min(length);
    ((length - count) * tenths / 10, count)
}

/// Measures the sessions and shows them; with `peers`, other systems as well.
pub(super) fn section(
    programs: &Programs,
    size: Size,
    peers: bool,
    brought: &Brought,
) -> Result<Section, Error> {
    let mut section = Section { tool: "ivl", ..Section::default() };
    section.notes.push(format!(
        "Eight edit sessions, verified snapshot by snapshot with one solver. The resource is Z3's own count of its \
         work, the same on every machine; an implementation that exceeds {} of it is a time-out. Time is processor \
         time of the tool and the solver.",
        runs::RESOURCE
    ));
    let mut sessions = sessions::all(SESSIONS, "bpl")?;
    let (more, left_out) = brought.sessions(programs)?;
    section.notes.extend(left_out);
    sessions.extend(more);
    let ways = [Way::NoCache, Way::TwoSolvers, Way::Basic, Way::FineGrained, Way::Replay];
    let progress = bar(sessions.len() * ways.len());
    let mut measured = Vec::new();
    let mut differences = Vec::new();
    for session in sessions {
        let part = part(size, session.snapshots.len());
        let mut run = |way: Way| {
            let run = runs::run(programs, &session, part, way, &mut section);
            progress.inc(1);
            run
        };
        let [none, two] = [run(ways[0])?, run(ways[1])?];
        let [basic, fine, replay] = [run(ways[2])?, run(ways[3])?, run(ways[4])?];
        let cached = [(Way::Basic, &basic), (Way::FineGrained, &fine), (Way::Replay, &replay)];
        for (way, run) in cached.into_iter().chain([(Way::TwoSolvers, &two)]) {
            let found = runs::differences(&none, run);
            differences.extend(found.iter().map(|it| format!("{}, {}: {it}", session.name, way.name())));
        }
        measured.push(Measured { session, part, none, two, basic, fine, replay });
    }
    progress.finish_and_clear();
    if !differences.is_empty() {
        return Err(Error::Findings(format!(
            "cached verdicts differ from those from scratch:\n{}",
            differences.join("\n")
        )));
    }
    figures::add_to(&measured, size == Size::Full, &mut section);
    let against = if peers { peers::compare(programs, size, &measured, &mut section)? } else { None };
    goals::add_to(programs, size, &measured, against.as_ref(), &mut section)?;
    Ok(section)
}

#[cfg(test)]
mod tests {
    use super::{Size, part};

    #[test]
    fn a_part_lies_within_the_session() {
        for length in [1, 7, 13, 255] {
            for size in [Size::Smoke, Size::Default, Size::Full] {
                let (from, count) = part(size, length);
                assert!(count > 0 && from + count <= length);
            }
        }
        assert_eq!(part(Size::Full, 70), (0, 70));
    }
}
