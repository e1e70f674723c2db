//! `ivl watch`: verifies a program again on every save.
//!
//! One thread verifies, the other looks at the files. The first sends each result as it arrives; between
//! two of them the second compares the files with what is being verified, and throws the switch as soon as
//! they differ: what runs then is out of date. Results that were stored meanwhile stay stored.
//!
//! The time stamps of files tell where to look. For a while after a change the files are read all the
//! same, since two saves can carry one stamp. A file that cannot be read is being replaced, and one that
//! differs between two looks is being written: the last text counts until it is there again and rests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use cache_core::worker::Cancel;
use ivl_verifier::base::diagnostic::Diagnostic;
use ivl_verifier::base::source::{FileId, Sources, Span};
use ivl_verifier::base::system::{Stamp, System};
use ivl_verifier::report::boogie::Tally;
use ivl_verifier::report::{Origin, Report, Snapshot, Verdict, human};
use ivl_verifier::service::Verifier;

use crate::arguments::Watch;
use crate::{session, verify};

/// How many looks after a change read the files whatever their stamps say.
const ALERT: u32 = 20;

/// What the verifying thread tells.
enum Event {
    Report(Box<Report>),
    Done(Box<Snapshot>),
}

/// Runs the subcommand until it is interrupted, and gives the exit code if it cannot go on.
pub(crate) fn run(arguments: &Watch, system: &Arc<dyn System>) -> u8 {
    let cache = &arguments.run.cache;
    let (store, warnings) = session::store_for(&**system, cache);
    for warning in warnings {
        system.print_error(&format!("warning: {warning}\n"));
    }
    let options = match verify::options(&arguments.run, &**system) {
        Ok(options) => options,
        Err(message) => return session::unusable(&**system, &message),
    };
    let mut verifier = Verifier::new(options, store, Arc::clone(system));
    let mut files = Files::new(&arguments.files);
    files.look(&**system);
    if let Some(missing) = files.missing() {
        system.print_error(&format!("error: cannot read {missing}\n"));
        return session::UNUSABLE;
    }
    let mut shown = Shown { system: &**system, arguments, known: BTreeMap::new() };
    let interval = Duration::from_millis(arguments.interval);
    let (sender, receiver) = channel();
    loop {
        let Some((sources, ids)) = files.sources(&**system) else {
            files.wait(&**system, &receiver, interval);
            continue;
        };
        let cancel = Cancel::new();
        let whole = std::thread::scope(|scope| {
            let sender = &sender;
            let (verifier, sources, ids, cancel) = (&mut verifier, &sources, &ids, &cancel);
            scope.spawn(move || work(verifier, sources, ids, cancel, sender));
            follow(&mut files, &mut shown, sources, cancel, &receiver, interval)
        });
        for warning in verifier.take_warnings() {
            system.print_error(&format!("warning: {warning}\n"));
        }
        let Some(lost) = whole else { continue };
        if lost {
            verifier.finish();
            return session::UNUSABLE;
        }
        files.wait(&**system, &receiver, interval);
    }
}

/// Verifies one version and tells its results.
fn work(verifier: &mut Verifier, sources: &Sources, ids: &[FileId], cancel: &Cancel, sender: &Sender<Event>) {
    let snapshot = verifier.verify(sources, ids, cancel, |report| {
        // Nobody listens only where the run is over.
        drop(sender.send(Event::Report(Box::new(report.clone()))));
    });
    drop(sender.send(Event::Done(Box::new(snapshot))));
}

/// Shows results as they arrive, until the version is done or out of date. `None` if it is out of date;
/// otherwise, whether nobody reads what is printed.
fn follow(
    files: &mut Files,
    shown: &mut Shown<'_>,
    sources: &Sources,
    cancel: &Cancel,
    receiver: &Receiver<Event>,
    interval: Duration,
) -> Option<bool> {
    let mut reports = Vec::new();
    let mut outdated = false;
    let mut lost = false;
    loop {
        match receiver.recv_timeout(interval) {
            Ok(Event::Report(report)) if !outdated => {
                lost |= shown.report(sources, &report);
                reports.push(*report);
            }
            Ok(Event::Report(_)) => {}
            Ok(Event::Done(_)) if outdated => return None,
            Ok(Event::Done(snapshot)) => return Some(lost | shown.done(sources, &snapshot, &reports)),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
        }
        if !outdated && files.look(shown.system) {
            outdated = true;
            cancel.cancel();
        }
    }
}

/// The files as they were seen last.
struct Files {
    files: Vec<Seen>,
    /// How many more looks read the files whatever their stamps say.
    alert: u32,
}

struct Seen {
    path: PathBuf,
    stamp: Option<Stamp>,
    bytes: Option<Vec<u8>>,
    /// Another content that was seen once.
    coming: Option<Vec<u8>>,
}

impl Files {
    fn new(paths: &[PathBuf]) -> Self {
        let seen = |path: &PathBuf| Seen { path: path.clone(), stamp: None, bytes: None, coming: None };
        Self { files: paths.iter().map(seen).collect(), alert: ALERT }
    }

    /// Looks at the files; says whether one has another content than before.
    fn look(&mut self, system: &dyn System) -> bool {
        let mut changed = false;
        let alert = self.alert > 0;
        self.alert = self.alert.saturating_sub(1);
        for file in &mut self.files {
            let stamp = system.stamp(&file.path);
            if stamp.is_none() || (stamp == file.stamp && !alert) {
                continue;
            }
            let Ok(bytes) = system.read(&file.path) else { continue };
            if stamp != file.stamp {
                self.alert = ALERT;
            }
            file.stamp = stamp;
            if file.bytes.as_ref() == Some(&bytes) {
                file.coming = None;
            } else if file.bytes.is_none() || file.coming.as_ref() == Some(&bytes) {
                file.bytes = Some(bytes);
                file.coming = None;
                changed = true;
            } else {
                file.coming = Some(bytes);
                self.alert = ALERT;
            }
        }
        changed
    }

    /// The name of a file that could not be read so far.
    fn missing(&self) -> Option<String> {
        let missing = self.files.iter().find(|file| file.bytes.is_none());
        missing.map(|file| file.path.display().to_string())
    }

    /// The program; `None`, with a message, if a file is no text.
    fn sources(&self, system: &dyn System) -> Option<(Sources, Vec<FileId>)> {
        let mut sources = Sources::default();
        let mut ids = Vec::new();
        for file in &self.files {
            let bytes = file.bytes.clone().unwrap_or_default();
            match session::text(&file.path.display().to_string(), bytes) {
                Ok(text) => ids.push(sources.add(&file.path.display().to_string(), &text)),
                Err(message) => {
                    system.print_error(&format!("error: {message}\n"));
                    return None;
                }
            }
        }
        Some((sources, ids))
    }

    /// Waits until a file changes. Nothing arrives meanwhile: the receiver is a clock here.
    fn wait(&mut self, system: &dyn System, receiver: &Receiver<Event>, interval: Duration) {
        while !self.look(system) {
            drop(receiver.recv_timeout(interval));
        }
    }
}

/// What was said about each implementation, by who it is across versions: a procedure can have several.
struct Shown<'a> {
    system: &'a dyn System,
    arguments: &'a Watch,
    known: BTreeMap<String, Said>,
}

/// What was said last about an implementation.
struct Said {
    /// What people call it.
    title: String,
    /// Its summary, and the lines that fail.
    essence: [String; 2],
}

impl Shown<'_> {
    fn print(&self, text: &str) -> bool {
        self.system.print(text).is_err()
    }

    /// Shows a result if it differs from the last one; says whether nobody reads that.
    fn report(&mut self, sources: &Sources, report: &Report) -> bool {
        if report.verdict == Verdict::Cancelled {
            return false;
        }
        let mut text = String::new();
        if self.arguments.explain {
            text.push_str(&human::explanation(sources, report));
        }
        let news = human::report(sources, report, self.system.is_terminal());
        let (title, said) = (title(report), summary(report));
        let essence = [said.clone(), failing(sources, report)];
        let now = Said { title: title.clone(), essence: essence.clone() };
        let before = self.known.insert(report.identity.clone(), now).map(|before| before.essence);
        match before {
            // What verifies from the start is no news.
            None if news.is_empty() => {}
            Some(before) if before == essence => {
                if !said.is_empty() {
                    text.push_str(&format!("{title}: as before: {said}\n"));
                }
            }
            Some(_) if news.is_empty() => text.push_str(&format!("{title}: now verified\n")),
            _ => text.push_str(&news),
        }
        !text.is_empty() && self.print(&text)
    }

    /// Closes a version; says whether nobody reads that.
    fn done(&mut self, sources: &Sources, snapshot: &Snapshot, reports: &[Report]) -> bool {
        let mut text = String::new();
        let colours = self.system.is_terminal();
        for diagnostic in &snapshot.diagnostics {
            text.push_str(&human::diagnostic(sources, diagnostic, colours));
        }
        if snapshot.is_broken() {
            text.push_str("not verified: the program has errors\n");
            return self.print(&text);
        }
        let there: BTreeSet<&str> = reports.iter().map(|report| report.identity.as_str()).collect();
        self.known.retain(|identity, said| {
            let stays = there.contains(identity.as_str());
            if !stays {
                text.push_str(&format!("{}: gone\n", said.title));
            }
            stays
        });
        let mut tally = Tally::default();
        reports.iter().for_each(|report| tally.add(report));
        let asked = reports.iter().filter(|report| report.origin == Origin::Solver).count();
        let reused = reports.len() - asked;
        text.push_str(&format!("{} ({asked} asked, {reused} reused)\n", tally.line(true).trim()));
        self.print(&text)
    }
}

/// What people call an implementation.
fn title(report: &Report) -> String {
    match report.sibling {
        None => report.name.clone(),
        Some(number) => format!("{} (implementation {number})", report.name),
    }
}

/// What a result says in short: empty for what is verified.
fn summary(report: &Report) -> String {
    let mut said: Vec<&str> = report.errors.iter().map(|error| error.diagnostic.message.as_str()).collect();
    said.extend(match &report.verdict {
        Verdict::Unsupported(message) | Verdict::Offline(message) | Verdict::Failed(message) => {
            Some(message.as_str())
        }
        Verdict::Decided(outcome) if report.errors.is_empty() => match outcome {
            ivl_verifier::smt::answer::Outcome::Valid => None,
            _ => Some("could not be decided within its limits"),
        },
        Verdict::Decided(_) if report.limits_met => Some("its limits were met before all was decided"),
        Verdict::Decided(_) | Verdict::Cancelled => None,
    });
    said.join("; ")
}

/// The lines on which the checks stand that fail, and what belongs to them: not where these lines are, since that
/// another line came above is no news.
fn failing(sources: &Sources, report: &Report) -> String {
    let mut lines = String::new();
    for Diagnostic { span, related, .. } in report.errors.iter().map(|error| &error.diagnostic) {
        for span in [*span].into_iter().chain(related.iter().map(|(span, _)| *span)) {
            if span != Span::NOWHERE {
                let file = sources.file(span.file);
                let (_, place) = file.lines_around(&(span.start as usize..span.end as usize));
                lines.push_str(file.text().get(place).unwrap_or_default());
            }
        }
    }
    lines
}
