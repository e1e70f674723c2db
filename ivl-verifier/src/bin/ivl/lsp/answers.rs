//! Answers to what a client asks about a document: what stands at a place, where it is defined and used, what there
//! is, and how each implementation stands.

use std::ops::Range;

use ivl_verifier::base::source::Span;
use ivl_verifier::syntax::definitions::{DefinitionKind, describe};
use lsp_types::{
    CodeLens, Command, DocumentHighlight, DocumentSymbol, Hover, HoverContents, Location, MarkupContent,
    MarkupKind, Position, SymbolKind,
};
use serde::Serialize;

use super::document::{Document, Known, State};

/// How an implementation stands, for clients that ask for more than diagnostics.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Standing {
    /// Its name.
    name: String,
    /// Where its name stands.
    range: lsp_types::Range,
    /// How it stands.
    state: State,
    /// Whether it stood so before an edit, and is asked again.
    old: bool,
    /// Where the answer comes from, and why.
    reason: String,
    /// What the solver spent for it in this run.
    seconds: f64,
    /// The same in the solver's resource count.
    resource: u64,
}

/// How the implementations of a document stand, by place.
pub(super) fn standings(document: &Document) -> Vec<Standing> {
    let mut known: Vec<&Known> = document.known.values().collect();
    known.sort_by_key(|it| (it.place.start, it.place.end));
    let standing = |it: &Known| Standing {
        name: it.name.clone(),
        range: document.text.range(&it.place),
        state: it.state,
        old: it.old,
        reason: it.reason.clone(),
        seconds: it.seconds,
        resource: it.resource,
    };
    known.into_iter().map(standing).collect()
}

/// A line above each implementation that says how it stands and what it cost.
pub(super) fn lenses(document: &Document) -> Vec<CodeLens> {
    let lens = |it: &Known| CodeLens {
        range: document.text.range(&it.place),
        command: Some(Command { title: title(it), command: String::new(), arguments: None }),
        data: None,
    };
    document.known.values().map(lens).collect()
}

fn title(known: &Known) -> String {
    let state = match known.state {
        _ if known.old => "not answered since the last edit",
        State::Verified => "verified",
        State::Failed => "not verified",
        State::Undecided => "undecided",
        State::Unanswered => "no answer",
    };
    let cost = if known.resource == 0 && known.seconds == 0.0 {
        "nothing was asked".to_owned()
    } else {
        format!("{:.2} s, resource {}", known.seconds, known.resource)
    };
    if known.old { state.to_owned() } else { format!("{state} ({cost})") }
}

/// What stands at a place: what its name means, and how the implementations stand that have their names there.
pub(super) fn hover(document: &mut Document, position: Position) -> Option<Hover> {
    let byte = document.text.byte(position);
    let (range, mut parts) = {
        let names = document.names();
        let (span, meant) = names.definitions.at(place(names.file, byte))?;
        let described = meant.iter().map(|it| format!("```boogie\n{}\n```", describe(&names.ast, it)));
        (bytes(span), described.collect::<Vec<_>>())
    };
    let here = document.known.values().filter(|it| it.place.contains(&range.start));
    parts.extend(
        here.map(
            |it| if it.old { "Not answered since the last edit.".to_owned() } else { it.reason.clone() },
        ),
    );
    let value = parts.join("\n\n");
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(document.text.range(&range)) })
}

/// Where the name at a place is defined.
pub(super) fn definition(document: &mut Document, position: Position) -> Vec<Location> {
    let spans = meant(document, position);
    spans.into_iter().map(|span| location(document, &bytes(span))).collect()
}

/// Every place where what the name at a place means is meant; with its definition, if wanted.
pub(super) fn references(document: &mut Document, position: Position, definition: bool) -> Vec<Location> {
    let meant = meant(document, position);
    let uses = document.names().definitions.uses(&meant);
    let wanted = uses.into_iter().filter(|span| definition || !meant.contains(span));
    wanted.map(|span| location(document, &bytes(span))).collect()
}

/// The same places, for a client that marks them.
pub(super) fn highlights(document: &mut Document, position: Position) -> Vec<DocumentHighlight> {
    let places = references(document, position, true);
    places.into_iter().map(|it| DocumentHighlight { range: it.range, kind: None }).collect()
}

/// A definition that the outline of a document has.
struct Found {
    /// Whether it belongs to the one before it.
    inner: bool,
    name: String,
    kind: SymbolKind,
    whole: Range<usize>,
    selection: Range<usize>,
}

/// What the document declares, with constructors and fields below their datatypes.
pub(super) fn symbols(document: &mut Document) -> Vec<DocumentSymbol> {
    let length = document.text.content().len();
    let starts: Vec<usize> = {
        let names = document.names();
        let spans = names.ast.declarations.iter().map(|it| it.span.start as usize);
        spans.collect()
    };
    let starts: Vec<usize> = starts.into_iter().map(|it| document.text.line_start(it)).collect();
    // A declaration reaches to the line of the next one: a tree has no ends.
    let whole = |declaration: usize| {
        let start = starts.get(declaration).copied().unwrap_or(0);
        let end = starts.iter().copied().filter(|it| *it > start).min().unwrap_or(length);
        start..end
    };
    let found: Vec<Found> = {
        let names = document.names();
        let all = names.definitions.all.iter().filter_map(|it| {
            let parent = match it.kind {
                DefinitionKind::Constructor | DefinitionKind::Field => Some(it.declaration),
                _ if it.is_top_level() => None,
                _ => return None,
            };
            let selection = bytes(it.span);
            let whole = if parent.is_some() { selection.clone() } else { whole(it.declaration) };
            // What is selected lies within the whole.
            let whole = whole.start.min(selection.start)..whole.end.max(selection.end);
            let name = names.ast.names.text(it.name).to_owned();
            Some(Found { inner: parent.is_some(), name, kind: kind(it.kind), whole, selection })
        });
        all.collect()
    };
    let mut symbols: Vec<DocumentSymbol> = Vec::new();
    for Found { inner, name, kind, whole, selection } in found {
        #[expect(deprecated, reason = "the field has no default, and is left empty")]
        let symbol = DocumentSymbol {
            name,
            detail: None,
            kind,
            tags: None,
            deprecated: None,
            range: document.text.range(&whole),
            selection_range: document.text.range(&selection),
            children: None,
        };
        match symbols.last_mut().filter(|_| inner) {
            Some(last) => last.children.get_or_insert_default().push(symbol),
            None => symbols.push(symbol),
        }
    }
    symbols
}

/// The places of the definitions that the name at a position means.
fn meant(document: &mut Document, position: Position) -> Vec<Span> {
    let byte = document.text.byte(position);
    let names = document.names();
    let found = names.definitions.at(place(names.file, byte));
    found.map(|(_, meant)| meant.iter().map(|it| it.span).collect()).unwrap_or_default()
}

fn place(file: ivl_verifier::base::source::FileId, byte: usize) -> Span {
    let byte = u32::try_from(byte).unwrap_or(u32::MAX);
    Span { file, start: byte, end: byte }
}

fn bytes(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

fn location(document: &Document, bytes: &Range<usize>) -> Location {
    Location { uri: document.uri.clone(), range: document.text.range(bytes) }
}

fn kind(kind: DefinitionKind) -> SymbolKind {
    match kind {
        DefinitionKind::Type => SymbolKind::CLASS,
        DefinitionKind::TypeParameter => SymbolKind::TYPE_PARAMETER,
        DefinitionKind::Constructor => SymbolKind::CONSTRUCTOR,
        DefinitionKind::Field => SymbolKind::FIELD,
        DefinitionKind::Constant => SymbolKind::CONSTANT,
        DefinitionKind::Global
        | DefinitionKind::Parameter
        | DefinitionKind::Local
        | DefinitionKind::Bound
        | DefinitionKind::Label => SymbolKind::VARIABLE,
        DefinitionKind::Function => SymbolKind::FUNCTION,
        DefinitionKind::Procedure | DefinitionKind::Implementation => SymbolKind::METHOD,
    }
}
