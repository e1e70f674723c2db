//! The same programs through Debian's `boogie`, and programs printed by Debian's `dafny`, where they are
//! installed: processor time of the verifier and its solver, as ratios within one run.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::json;

use super::super::Size;
use super::super::measure::children_seconds;
use super::super::report::Section;
use super::super::table::{Table, percent, ratio};
use super::figures::Measured;
use super::sessions::{self, Session};
use super::single::{Printed, one_method_edits};
use crate::error::Error;
use crate::phases::bar;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;
use crate::setup::{root, starts};

/// Dafny programs and their edits, in the same format as the sessions.
const DAFNY: &str = "fixtures/boogie/dafny";
/// Test data that is there on some machines only, relative to the checkout.
const CONFORMANCE: &str = "../shared/conformance/boogie";
/// Seconds for each implementation, for both.
const SECONDS: &str = "10";
/// What a verifier prints last if it got as far as verifying.
const FINISHED: &str = "Boogie program verifier finished with";

/// What goals need to know of other systems.
#[derive(Debug, Default)]
pub(super) struct Against {
    /// Our processor time over the conformance tests that both answer, as a part of Boogie's.
    pub(super) conformance: Option<f64>,
    /// Our time for each Dafny-printed program from scratch, as a part of Boogie's.
    pub(super) printed: Vec<f64>,
    /// How much less a run after an edit of one method takes than a run from scratch, the median of each program.
    pub(super) edits: Vec<f64>,
}

/// A run of some verifier.
struct Answer {
    seconds: f64,
    /// Whether it verified anything.
    is_answer: bool,
}

fn timed(mut command: Command) -> Result<Answer, Error> {
    let start = children_seconds();
    let output = process::output(&mut command)?;
    let seconds = children_seconds() - start;
    Ok(Answer { seconds, is_answer: String::from_utf8_lossy(&output.stdout).contains(FINISHED) })
}

fn boogie(options: &[&str], file: &Path) -> Result<Answer, Error> {
    let mut command = Command::new("boogie");
    command.args(["/errorTrace:0", &format!("/timeLimit:{SECONDS}")]).args(options).arg(file);
    timed(command)
}

fn ivl(programs: &Programs, scratch: &Scratch, options: &[&str], file: &Path) -> Result<Answer, Error> {
    let mut command = programs.command("ivl", scratch);
    command.args(["verify", "--cores", "1", "--time-limit", SECONDS]).args(options).arg(file);
    timed(command)
}

/// Compares; nothing, with a note, where `boogie` is not installed.
pub(super) fn compare(
    programs: &Programs,
    size: Size,
    measured: &[Measured],
    section: &mut Section,
) -> Result<Option<Against>, Error> {
    if !starts("boogie") {
        section.notes.push("boogie is not installed, so nothing is compared with it".to_owned());
        return Ok(None);
    }
    let mut against = Against::default();
    section.tables.push(whole_sessions(programs, measured, &mut section.raw)?);
    let suite = root().join(CONFORMANCE);
    if suite.is_dir() {
        section.tables.push(conformance(programs, &suite, size, &mut against)?);
    } else {
        section.notes.push("the conformance tests are not on this machine".to_owned());
    }
    if starts("dafny") {
        section.tables.extend(printed(programs, size, &mut against, &mut section.raw)?);
    } else {
        section.notes.push("dafny is not installed, so no printed programs are compared".to_owned());
    }
    Ok(Some(against))
}

/// The sessions from scratch: all snapshots in one process of each.
fn whole_sessions(
    programs: &Programs,
    measured: &[Measured],
    raw: &mut Vec<serde_json::Value>,
) -> Result<Table, Error> {
    let mut table = Table::new(
        "ivl: the sessions beside Debian's boogie 2.4.1",
        "Processor seconds for the same snapshots, one after the other in one process, without a cache and with 10 \
         seconds for each implementation. Boogie's own cache needs checksums that only front ends write. A dash: \
         this Boogie does not know datatypes.",
        &["session", "snapshots", "boogie", "ivl", "ivl/boogie", "ivl, fine-grained/boogie"],
    );
    let progress = bar(measured.len());
    for one in measured {
        let scratch = Scratch::new()?;
        one.session.write(scratch.path(), "bpl", one.part)?;
        let file = scratch.path().join("session.bpl");
        let theirs = boogie(&["/verifySnapshots:0", "/verifySeparately"], &file)?;
        let ours = ivl(programs, &scratch, &["--snapshots", "--cache", "off"], &file)?;
        let cached = ivl(programs, &scratch, &["--snapshots"], &file)?;
        let known = |value: f64| if theirs.is_answer { value } else { f64::NAN };
        raw.push(json!({
            "session": one.session.name, "boogie": theirs.seconds, "ivl": ours.seconds, "cached": cached.seconds,
        }));
        table.rows.push(vec![
            one.session.name.clone(),
            one.part.1.to_string(),
            if theirs.is_answer { format!("{:.2}", theirs.seconds) } else { "-".to_owned() },
            format!("{:.2}", ours.seconds),
            ratio(known(ours.seconds / theirs.seconds)),
            ratio(known(cached.seconds / theirs.seconds)),
        ]);
        progress.inc(1);
    }
    progress.finish_and_clear();
    Ok(table)
}

/// The conformance tests, each alone and without options of its own.
fn conformance(programs: &Programs, suite: &Path, size: Size, against: &mut Against) -> Result<Table, Error> {
    let mut files = Vec::new();
    let mut open = vec![suite.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).map_err(Error::reading(&folder))? {
            let path = entry.map_err(Error::reading(&folder))?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|it| it == "bpl") {
                files.push(path);
            }
        }
    }
    files.sort();
    let step = match size {
        Size::Smoke => 40,
        Size::Default => 8,
        Size::Full => 1,
    };
    let chosen: Vec<&PathBuf> = files.iter().step_by(step).collect();
    let progress = bar(chosen.len());
    let (mut theirs, mut ours, mut both) = (0.0, 0.0, 0);
    let scratch = Scratch::new()?;
    for file in &chosen {
        let answer = boogie(&[], file)?;
        let mut command = programs.command("ivl", &scratch);
        command.arg("boogie").args(["/errorTrace:0", &format!("/timeLimit:{SECONDS}")]).arg(file);
        let own = timed(command)?;
        if answer.is_answer && own.is_answer {
            theirs += answer.seconds;
            ours += own.seconds;
            both += 1;
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    against.conformance = (both > 0).then_some(ours / theirs);
    let mut table = Table::new(
        "ivl: the conformance tests beside Debian's boogie",
        "Processor seconds of a process for each test that both verify, with no options but a limit of 10 seconds.",
        &["tests", "both answer", "boogie", "ivl", "ivl/boogie"],
    );
    table.rows.push(vec![
        chosen.len().to_string(),
        both.to_string(),
        format!("{theirs:.2}"),
        format!("{ours:.2}"),
        ratio(ours / theirs),
    ]);
    Ok(table)
}

/// The Dafny programs: from scratch, and as sessions in every mode of both.
fn printed(
    programs: &Programs,
    size: Size,
    against: &mut Against,
    raw: &mut Vec<serde_json::Value>,
) -> Result<Vec<Table>, Error> {
    let mut cold = Table::new(
        "ivl: programs printed by Debian's dafny",
        "Processor seconds for the last snapshot from scratch, and of a run after an edit of one method, the median \
         over the methods, as a multiple of the run from scratch.",
        &["program", "lines", "methods", "boogie", "ivl", "ivl/boogie", "after an edit, from scratch/cached"],
    );
    let mut warm = Table::new(
        "ivl: edit sessions of programs printed by dafny",
        "Processor seconds over all snapshots in one process; Boogie with the checksums that dafny writes. What \
         fine-grained caching takes off basic caching is positive where it helps; the paper: 17 % on average, 42 % at \
         best.",
        &[
            "program",
            "snapshots",
            "boogie: none",
            "basic",
            "fine-grained",
            "fine-grained takes off",
            "ivl: none",
            "basic",
            "fine-grained",
            "fine-grained takes off",
            "in resource",
            "ivl/boogie, fine-grained",
        ],
    );
    for session in sessions::all(DAFNY, "dfy")? {
        let scratch = Scratch::new()?;
        let Some(count) = print(&session, &scratch, size)? else {
            cold.rows.push(vec![session.name.clone(), "dafny refuses it".to_owned()]);
            continue;
        };
        let file = scratch.path().join("session.bpl");
        let last = scratch.path().join(format!("session.v{}.bpl", count - 1));
        let theirs = boogie(&[], &last)?.seconds;
        let ours = ivl(programs, &scratch, &["--cache", "off"], &last)?.seconds;
        let text = fs::read_to_string(&last).map_err(Error::reading(&last))?;
        let edits = one_method_edits(programs, &Printed { text: &text }, size)?;
        against.printed.push(ours / theirs);
        against.edits.push(edits.median);
        cold.rows.push(vec![
            session.name.clone(),
            text.lines().count().to_string(),
            edits.methods.to_string(),
            format!("{theirs:.2}"),
            format!("{ours:.2}"),
            ratio(ours / theirs),
            ratio(edits.median),
        ]);
        let mut their = Vec::new();
        for mode in ["0", "1", "2"] {
            let option = format!("/verifySnapshots:{mode}");
            their.push(boogie(&[&option, "/verifySeparately"], &file)?.seconds);
        }
        let mut own = Vec::new();
        let mut resource = Vec::new();
        for options in [["--cache", "off"], ["--caching", "basic"], ["--caching", "fine-grained"]] {
            let fresh = Scratch::new()?;
            let mut command = programs.command("ivl", &fresh);
            command.args(["verify", "--snapshots", "--cores", "1", "--time-limit", SECONDS]).arg(&file);
            let run = super::super::measure::run_any(command, &options, &[0, 1, 2])?;
            own.push(run.seconds);
            resource.push(run.engine("solver_resource"));
        }
        raw.push(json!({ "program": session.name, "boogie": their, "ivl": own, "resource": resource }));
        let ([none, basic, fine], [off, whole, part], [_, of, spent]) =
            (their.as_slice(), own.as_slice(), resource.as_slice())
        else {
            continue;
        };
        let off_basic = |fine: f64, basic: f64| format!("{:.1} %", 100.0 * (1.0 - fine / basic));
        let less =
            if spent <= of { percent(of - spent, *of) } else { format!("-{}", percent(spent - of, *of)) };
        warm.rows.push(vec![
            session.name.clone(),
            count.to_string(),
            format!("{none:.2}"),
            format!("{basic:.2}"),
            format!("{fine:.2}"),
            off_basic(*fine, *basic),
            format!("{off:.2}"),
            format!("{whole:.2}"),
            format!("{part:.2}"),
            off_basic(*part, *whole),
            less,
            ratio(part / fine),
        ]);
    }
    Ok(vec![cold, warm])
}

/// Lets dafny print every snapshot, with checksums, as `session.vN.bpl`; how many there are, unless it refuses one.
fn print(session: &Session, scratch: &Scratch, size: Size) -> Result<Option<usize>, Error> {
    let count = if size == Size::Smoke { 2 } else { session.snapshots.len() };
    let from = session.snapshots.len() - count;
    for (version, snapshot) in session.snapshots.iter().skip(from).enumerate() {
        let Some(printed) = printed_by_dafny(&snapshot.text)? else { return Ok(None) };
        let to = scratch.path().join(format!("session.v{version}.bpl"));
        fs::write(&to, printed).map_err(Error::writing(&to))?;
    }
    Ok(Some(count))
}

/// The last version of each Dafny program, as dafny prints it, under the session's name; absent where dafny is not
/// installed.
pub(in crate::bench) fn printed_programs() -> Result<Option<Vec<(String, String)>>, Error> {
    if !starts("dafny") {
        return Ok(None);
    }
    let mut all = Vec::new();
    for session in sessions::all(DAFNY, "dfy")? {
        let Some(last) = session.snapshots.last() else { continue };
        if let Some(printed) = printed_by_dafny(&last.text)? {
            all.push((session.name, printed));
        }
    }
    Ok(Some(all))
}

/// What dafny prints of a program, with checksums; nothing if it refuses it.
pub(super) fn printed_by_dafny(text: &str) -> Result<Option<String>, Error> {
    // Dafny writes checksums for files that are named like versions, each in a folder of its own.
    let folder = Scratch::new()?;
    let source = folder.path().join("p.v0.dfy");
    fs::write(&source, text).map_err(Error::writing(&source))?;
    let mut command = Command::new("dafny");
    command.current_dir(folder.path());
    command.args([
        "/compile:0",
        "/noVerify",
        "/verifySnapshots:1",
        "/print:out.bpl",
        "/printModel:0",
        "p.dfy",
    ]);
    process::output(&mut command)?;
    let printed = folder.path().join("out.bpl");
    if !printed.is_file() {
        return Ok(None);
    }
    fs::read_to_string(&printed).map(Some).map_err(Error::reading(&printed))
}
