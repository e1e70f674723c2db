//! The main thread: takes what the client and the verifying thread tell, in order.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::mpsc::{Receiver, Sender, TryRecvError};

use cache_core::worker::Cancel;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Exit, LogMessage,
    Notification as _, Progress, PublishDiagnostics,
};
use lsp_types::request::{
    CodeLensRefresh, CodeLensRequest, DocumentHighlightRequest, DocumentSymbolRequest, GotoDefinition,
    HoverRequest, References, Request as _, Shutdown, WorkDoneProgressCreate,
};
use lsp_types::{
    ClientCapabilities, CodeLensParams, DidChangeTextDocumentParams, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, DidSaveTextDocumentParams, DocumentHighlightParams, DocumentSymbolParams,
    DocumentSymbolResponse, GotoDefinitionParams, GotoDefinitionResponse, HoverParams, LogMessageParams,
    MessageType, NumberOrString, ProgressParams, ProgressParamsValue, PublishDiagnosticsParams,
    ReferenceParams, Uri, WorkDoneProgress, WorkDoneProgressBegin, WorkDoneProgressCreateParams,
    WorkDoneProgressEnd, WorkDoneProgressReport,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::document::{Document, Version};
use super::text::Encoding;
use super::verification::{Job, News, What};
use super::{Event, answers};

/// The notification with how the implementations of a document stand.
const IMPLEMENTATIONS: &str = "ivl/implementations";

/// The exit code of a client that leaves without having said so, as the protocol has it.
const LEFT_AT_ONCE: u8 = 1;

/// What a client can do beyond what every client can.
#[derive(Clone, Copy)]
pub(super) struct Abilities {
    progress: bool,
    lens_refresh: bool,
}

impl Abilities {
    pub(super) fn of(client: &ClientCapabilities) -> Self {
        let progress = client.window.as_ref().and_then(|it| it.work_done_progress).unwrap_or(false);
        let lenses = client.workspace.as_ref().and_then(|it| it.code_lens.as_ref());
        Self { progress, lens_refresh: lenses.and_then(|it| it.refresh_support).unwrap_or(false) }
    }
}

/// A version that is being verified.
struct Running {
    uri: Uri,
    version: i32,
    cancel: Cancel,
    /// Whether its text is no longer that of a document: what it tells is for the cache alone, also where another
    /// document was opened under the same name and number.
    outdated: bool,
    /// How many implementations were answered.
    answered: usize,
    /// Under which name the client shows progress, if it does.
    shown: Option<NumberOrString>,
}

/// The state of the main thread.
pub(super) struct Server {
    client: Box<dyn Fn(Message)>,
    abilities: Abilities,
    encoding: Encoding,
    /// Whether only what is saved is verified.
    on_save: bool,
    documents: BTreeMap<String, Document>,
    jobs: Sender<Job>,
    running: Option<Running>,
    /// Documents whose present text is to be verified, the most urgent first.
    waiting: VecDeque<String>,
    /// Documents of which the client is to be shown something new.
    changed: BTreeSet<String>,
    /// How many requests were made of the client.
    requests: i32,
    /// Whether the client said that it will leave.
    leaves: bool,
}

impl Server {
    pub(super) fn new(
        client: Box<dyn Fn(Message)>,
        abilities: Abilities,
        encoding: Encoding,
        on_save: bool,
        jobs: Sender<Job>,
    ) -> Self {
        Self {
            client,
            abilities,
            encoding,
            on_save,
            documents: BTreeMap::new(),
            jobs,
            running: None,
            waiting: VecDeque::new(),
            changed: BTreeSet::new(),
            requests: 0,
            leaves: false,
        }
    }

    /// Serves until the client leaves, and gives the exit code.
    pub(super) fn run(mut self, events: &Receiver<Event>) -> u8 {
        let code = loop {
            let event = match events.try_recv() {
                Ok(event) => event,
                Err(TryRecvError::Disconnected) => break LEFT_AT_ONCE,
                Err(TryRecvError::Empty) => {
                    self.show();
                    let Ok(event) = events.recv() else { break LEFT_AT_ONCE };
                    event
                }
            };
            match event {
                Event::Client(Message::Request(request)) => self.request(request),
                Event::Client(Message::Notification(told)) if told.method == Exit::METHOD => {
                    break if self.leaves { 0 } else { LEFT_AT_ONCE };
                }
                Event::Client(Message::Notification(told)) => self.told(told),
                // Nothing rests on what clients answer.
                Event::Client(Message::Response(_)) => {}
                Event::Gone => break LEFT_AT_ONCE,
                Event::News(news) => self.news(&news),
                Event::Warning(warning) => self.warn(warning),
            }
        };
        if let Some(running) = &self.running {
            running.cancel.cancel();
        }
        code
    }

    /// Tells the client of something that changes no verdict.
    pub(super) fn warn(&self, message: String) {
        self.notify::<LogMessage>(LogMessageParams { typ: MessageType::WARNING, message });
    }

    fn notify<N: lsp_types::notification::Notification>(&self, parameters: N::Params) {
        (self.client)(Message::Notification(Notification::new(N::METHOD.to_owned(), parameters)));
    }

    fn ask<R: lsp_types::request::Request>(&mut self, parameters: R::Params) {
        self.requests = self.requests.wrapping_add(1);
        let id = RequestId::from(self.requests);
        (self.client)(Message::Request(Request::new(id, R::METHOD.to_owned(), parameters)));
    }

    /// Answers a request.
    fn request(&mut self, request: Request) {
        let Request { id, method, params, .. } = request;
        let answer = match method.as_str() {
            Shutdown::METHOD => {
                self.leaves = true;
                Ok(serde_json::Value::Null)
            }
            HoverRequest::METHOD => parameters(params).and_then(|it: HoverParams| {
                let at = it.text_document_position_params;
                let document = self.document(&at.text_document.uri);
                value(document.and_then(|document| answers::hover(document, at.position)))
            }),
            GotoDefinition::METHOD => parameters(params).and_then(|it: GotoDefinitionParams| {
                let at = it.text_document_position_params;
                let document = self.document(&at.text_document.uri);
                let found = document.map(|document| answers::definition(document, at.position));
                value(found.map(GotoDefinitionResponse::Array))
            }),
            References::METHOD => parameters(params).and_then(|it: ReferenceParams| {
                let at = it.text_document_position;
                let definition = it.context.include_declaration;
                let document = self.document(&at.text_document.uri);
                value(document.map(|document| answers::references(document, at.position, definition)))
            }),
            DocumentHighlightRequest::METHOD => parameters(params).and_then(|it: DocumentHighlightParams| {
                let at = it.text_document_position_params;
                let document = self.document(&at.text_document.uri);
                value(document.map(|document| answers::highlights(document, at.position)))
            }),
            DocumentSymbolRequest::METHOD => parameters(params).and_then(|it: DocumentSymbolParams| {
                let document = self.document(&it.text_document.uri);
                value(document.map(|document| DocumentSymbolResponse::Nested(answers::symbols(document))))
            }),
            CodeLensRequest::METHOD => parameters(params).and_then(|it: CodeLensParams| {
                let document = self.document(&it.text_document.uri);
                value(document.map(|document| answers::lenses(document)))
            }),
            _ => Err((ErrorCode::MethodNotFound, format!("`{method}` is not answered here"))),
        };
        let response = match answer {
            Ok(result) => Response::new_ok(id, result),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        };
        (self.client)(Message::Response(response));
    }

    fn document(&mut self, uri: &Uri) -> Option<&mut Document> {
        self.documents.get_mut(uri.as_str())
    }

    /// Takes what the client tells without asking.
    fn told(&mut self, told: Notification) {
        let Notification { method, params } = told;
        let understood = match method.as_str() {
            DidOpenTextDocument::METHOD => parameters(params).map(|it: DidOpenTextDocumentParams| {
                let it = it.text_document;
                let name = it.uri.as_str().to_owned();
                self.documents
                    .insert(name.clone(), Document::new(it.uri, it.version, it.text, self.encoding));
                self.verify(name);
            }),
            DidChangeTextDocument::METHOD => parameters(params).map(|it: DidChangeTextDocumentParams| {
                let name = it.text_document.uri.as_str().to_owned();
                let Some(document) = self.documents.get_mut(&name) else { return };
                document.change(it.text_document.version, &it.content_changes);
                self.changed.insert(name.clone());
                if self.on_save {
                    self.cancel(&name);
                } else {
                    self.verify(name);
                }
            }),
            DidSaveTextDocument::METHOD => parameters(params).map(|it: DidSaveTextDocumentParams| {
                if self.on_save {
                    self.verify(it.text_document.uri.as_str().to_owned());
                }
            }),
            DidCloseTextDocument::METHOD => parameters(params).map(|it: DidCloseTextDocumentParams| {
                let uri = it.text_document.uri;
                self.cancel(uri.as_str());
                self.waiting.retain(|name| name != uri.as_str());
                self.changed.remove(uri.as_str());
                self.documents.remove(uri.as_str());
                let diagnostics = Vec::new();
                self.notify::<PublishDiagnostics>(PublishDiagnosticsParams {
                    uri,
                    diagnostics,
                    version: None,
                });
            }),
            // What is not known here needs no answer.
            _ => Ok(()),
        };
        if let Err((_, message)) = understood {
            self.warn(format!("`{method}` is not understood: {message}"));
        }
    }

    /// Lets the present text of a document be verified before all others.
    fn verify(&mut self, name: String) {
        self.cancel(&name);
        self.waiting.retain(|other| *other != name);
        self.waiting.push_front(name);
        self.start();
    }

    /// Ends the run over a document, if there is one.
    fn cancel(&mut self, name: &str) {
        if let Some(running) = self.running.as_mut().filter(|running| running.uri.as_str() == name) {
            running.outdated = true;
            running.cancel.cancel();
        }
    }

    /// Starts the next run unless one is going on.
    fn start(&mut self) {
        if self.running.is_some() {
            return;
        }
        let Some(name) = self.waiting.pop_front() else { return };
        let Some(document) = self.documents.get(&name) else { return self.start() };
        let (uri, version, cancel) = (document.uri.clone(), document.version, Cancel::new());
        let content = document.text.content().to_owned();
        // The thread ends after this one only.
        drop(self.jobs.send(Job { uri: uri.clone(), content, cancel: cancel.clone() }));
        self.running = Some(Running { uri, version, cancel, outdated: false, answered: 0, shown: None });
    }

    /// Takes what is told of a version.
    fn news(&mut self, news: &News) {
        let name = news.uri.as_str().to_owned();
        // One run goes on at a time, so the news is its news.
        let outdated = self.running.as_ref().is_none_or(|running| running.outdated);
        let present = self.documents.get_mut(&name).filter(|_| !outdated);
        if let Some(document) = present {
            let version = Version { sources: &news.sources, file: news.file };
            match &news.what {
                What::Checked(diagnostics) => document.checked(&version, diagnostics),
                What::Report(report) => document.answered(&version, report),
                What::Done { whole: true } => document.completed(),
                What::Done { whole: false } => {}
            }
            self.changed.insert(name);
        }
        let Some(running) = &mut self.running else { return };
        match &news.what {
            What::Report(_) => running.answered += 1,
            What::Done { .. } => {
                if let Some(token) = running.shown.take() {
                    let end = WorkDoneProgress::End(WorkDoneProgressEnd { message: None });
                    self.progress(token, end);
                }
                self.running = None;
                self.start();
            }
            What::Checked(_) => {}
        }
    }

    fn progress(&self, token: NumberOrString, value: WorkDoneProgress) {
        self.notify::<Progress>(ProgressParams { token, value: ProgressParamsValue::WorkDone(value) });
    }

    /// Shows the client what changed, now that nothing waits to be taken.
    fn show(&mut self) {
        self.show_progress();
        let changed = std::mem::take(&mut self.changed);
        for name in &changed {
            let Some(document) = self.documents.get(name) else { continue };
            let (uri, version) = (document.uri.clone(), Some(document.version));
            let diagnostics = document.diagnostics();
            let standings = serde_json::json!({
                "uri": uri,
                "version": version,
                "implementations": answers::standings(document),
            });
            self.notify::<PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics, version });
            (self.client)(Message::Notification(Notification::new(IMPLEMENTATIONS.to_owned(), standings)));
        }
        if !changed.is_empty() && self.abilities.lens_refresh {
            self.ask::<CodeLensRefresh>(());
        }
    }

    /// Lets the client show that a run goes on.
    fn show_progress(&mut self) {
        let Some(running) = self.running.as_ref().filter(|_| self.abilities.progress) else { return };
        let message = Some(format!("{} implementations answered", running.answered));
        if let Some(token) = running.shown.clone() {
            let report = WorkDoneProgressReport { message, ..WorkDoneProgressReport::default() };
            self.progress(token, WorkDoneProgress::Report(report));
            return;
        }
        let token = NumberOrString::String(format!("ivl/{}/{}", running.uri.as_str(), running.version));
        let begin = WorkDoneProgressBegin { title: "verifying".to_owned(), message, ..Default::default() };
        self.ask::<WorkDoneProgressCreate>(WorkDoneProgressCreateParams { token: token.clone() });
        self.progress(token.clone(), WorkDoneProgress::Begin(begin));
        if let Some(running) = &mut self.running {
            running.shown = Some(token);
        }
    }
}

/// What is wrong with a request.
type Refusal = (ErrorCode, String);

fn parameters<T: DeserializeOwned>(value: serde_json::Value) -> Result<T, Refusal> {
    serde_json::from_value(value).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

fn value(answer: impl Serialize) -> Result<serde_json::Value, Refusal> {
    serde_json::to_value(answer).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}
