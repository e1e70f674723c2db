//! `ivl lsp`: the editor protocol over standard input and output.
//!
//! Three threads: one reads what the client sends, one verifies (`verification`), and the main one, which alone
//! changes documents, takes what both tell, in order. A request is answered at once from what is known. An edit moves
//! what is known and makes it old (`document`), ends the run over the version before, and starts one over the new:
//! what it touches not is in the cache and answered first. What clients are shown is sent when nothing waits to be
//! taken, so that a hundred answers from the cache are one message.
//!
//! An edit costs what the front end takes for the program: what is wrong with the text is told before anything is
//! proved, and what was resolved for that is then verified. Where a request asks what names mean, the text is parsed
//! once more.

mod answers;
mod document;
mod server;
mod text;
mod verification;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::channel;

use ivl_verifier::base::system::System;
use ivl_verifier::service::{Options, Verifier};
use lsp_server::{Connection, Message};
use lsp_types::{
    ClientCapabilities, CodeLensOptions, HoverProviderCapability, InitializeParams, OneOf,
    PositionEncodingKind, ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions,
};
use serde::Deserialize;

use crate::arguments::Lsp;
use crate::{session, verify};
use server::{Abilities, Server};
use text::Encoding;
use verification::{News, Verification};

/// What the main thread takes.
enum Event {
    /// The client said something.
    Client(Message),
    /// The client says nothing more.
    Gone,
    /// There is news of a version.
    News(News),
    /// Something is wrong that changes no verdict.
    Warning(String),
}

/// What a client may set when it starts the server.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Settings {
    /// Files in front of every document.
    prelude: Vec<PathBuf>,
    /// Whether to show values with which checks fail.
    counterexample: bool,
    /// Whether to verify only what is saved, not what is typed.
    on_save: bool,
}

/// Serves a client until it leaves, and gives the exit code.
pub(crate) fn run(arguments: &Lsp, system: &Arc<dyn System>) -> u8 {
    let (connection, threads) = Connection::stdio();
    let code = serve(arguments, system, connection);
    // Neither has anything left to lose: the client is gone.
    drop(threads.join());
    code
}

fn serve(arguments: &Lsp, system: &Arc<dyn System>, connection: Connection) -> u8 {
    let (id, parameters) = match connection.initialize_start() {
        Ok(started) => started,
        Err(error) => {
            return session::unusable(&**system, &format!("no client of the editor protocol: {error}"));
        }
    };
    let parameters: InitializeParams = match serde_json::from_value(parameters) {
        Ok(parameters) => parameters,
        Err(error) => {
            return session::unusable(&**system, &format!("what the client can is not told: {error}"));
        }
    };
    let (settings, mut warnings) = settings(&parameters);
    let encoding = encoding(&parameters.capabilities);
    let said = serde_json::json!({
        "capabilities": capabilities(encoding),
        "serverInfo": { "name": "ivl", "version": env!("CARGO_PKG_VERSION") },
    });
    if connection.initialize_finish(id, said).is_err() {
        return session::UNUSABLE;
    }
    let (store, problems) = session::store_for(&**system, &arguments.run.cache);
    warnings.extend(problems);
    let options = match verify::options(&arguments.run, &**system) {
        Ok(options) => Options { values: settings.counterexample, ..options },
        Err(message) => return session::unusable(&**system, &message),
    };
    let (events, received) = channel();
    let (jobs, taken) = channel();
    let verification = Verification {
        verifier: Verifier::new(options, store, Arc::clone(system)),
        system: Arc::clone(system),
        prelude: settings.prelude.clone(),
    };
    std::thread::scope(|scope| {
        let told = events.clone();
        scope.spawn(move || verification.run(&taken, &told));
        let Connection { sender, receiver } = connection;
        scope.spawn(move || {
            // Nobody listens only where the server ends.
            receiver.iter().for_each(|message| drop(events.send(Event::Client(message))));
            drop(events.send(Event::Gone));
        });
        // A client that does not read is a client that leaves.
        let client = move |message| drop(sender.send(message));
        let abilities = Abilities::of(&parameters.capabilities);
        let server = Server::new(Box::new(client), abilities, encoding, settings.on_save, jobs);
        warnings.into_iter().for_each(|warning| server.warn(warning));
        server.run(&received)
    })
}

/// What a client set; what cannot be understood is told.
fn settings(parameters: &InitializeParams) -> (Settings, Vec<String>) {
    let Some(value) = parameters.initialization_options.clone().filter(|value| !value.is_null()) else {
        return (Settings::default(), Vec::new());
    };
    match serde_json::from_value(value) {
        Ok(settings) => (settings, Vec::new()),
        Err(error) => (Settings::default(), vec![format!("the settings are not used: {error}")]),
    }
}

fn encoding(client: &ClientCapabilities) -> Encoding {
    let offered = client.general.as_ref().and_then(|it| it.position_encodings.as_ref());
    match offered.is_some_and(|kinds| kinds.contains(&PositionEncodingKind::UTF8)) {
        true => Encoding::Utf8,
        false => Encoding::Utf16,
    }
}

fn capabilities(encoding: Encoding) -> ServerCapabilities {
    ServerCapabilities {
        position_encoding: Some(match encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::Supported(true)),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        ..ServerCapabilities::default()
    }
}
