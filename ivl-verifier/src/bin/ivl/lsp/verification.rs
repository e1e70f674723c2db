//! The thread that verifies: takes a version of a document after the other, and tells what it finds.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender};

use cache_core::worker::Cancel;
use ivl_verifier::base::diagnostic::Diagnostic;
use ivl_verifier::base::source::{FileId, Sources};
use ivl_verifier::base::system::System;
use ivl_verifier::report::Report;
use ivl_verifier::service::Verifier;
use lsp_types::Uri;

use super::Event;
use crate::session;

/// A version of a document that is to be verified.
pub(super) struct Job {
    pub(super) uri: Uri,
    pub(super) content: String,
    pub(super) cancel: Cancel,
}

/// What is told of a version.
pub(super) struct News {
    pub(super) uri: Uri,
    /// The program, of which the document is the last file.
    pub(super) sources: Arc<Sources>,
    pub(super) file: FileId,
    pub(super) what: What,
}

/// What there is to tell.
pub(super) enum What {
    /// What is wrong with the text.
    Checked(Vec<Diagnostic>),
    /// The result of an implementation.
    Report(Box<Report>),
    /// There is no more; whether every implementation was looked at.
    Done { whole: bool },
}

/// What the thread needs.
pub(super) struct Verification {
    pub(super) verifier: Verifier,
    pub(super) system: Arc<dyn System>,
    /// Files that belong to every program, in front of the document.
    pub(super) prelude: Vec<PathBuf>,
}

impl Verification {
    /// Verifies until there are no more jobs, and gives what went wrong with the cache.
    pub(super) fn run(mut self, jobs: &Receiver<Job>, events: &Sender<Event>) {
        for job in jobs {
            self.verify(&job, events);
            for warning in self.verifier.take_warnings() {
                drop(events.send(Event::Warning(warning)));
            }
        }
        self.verifier.finish();
    }

    fn verify(&mut self, job: &Job, events: &Sender<Event>) {
        let mut sources = Sources::default();
        let mut files = Vec::new();
        for path in &self.prelude {
            match session::read(&*self.system, &mut sources, path) {
                Ok(file) => files.push(file),
                Err(message) => drop(events.send(Event::Warning(message))),
            }
        }
        let file = sources.add(job.uri.as_str(), &job.content);
        files.push(file);
        let sources = Arc::new(sources);
        // Nobody listens only where the server ends.
        let tell = |what: What| {
            let (uri, sources) = (job.uri.clone(), Arc::clone(&sources));
            drop(events.send(Event::News(News { uri, sources, file, what })));
        };
        let checked = self.verifier.check(&sources, &files);
        tell(What::Checked(checked.diagnostics.clone()));
        if checked.is_broken() || job.cancel.is_cancelled() {
            tell(What::Done { whole: false });
            return;
        }
        let snapshot = self.verifier.verify_checked(checked, &job.cancel, |report| {
            tell(What::Report(Box::new(report.clone())));
        });
        let broken = snapshot.is_broken();
        if broken {
            // What is done to a program before it is verified found something.
            tell(What::Checked(snapshot.diagnostics));
        }
        tell(What::Done { whole: !broken && !job.cancel.is_cancelled() });
    }
}
