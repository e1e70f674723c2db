//! Laws of everything that reads: for the tests, which try them on random inputs, and for the fuzz targets.

use std::sync::Arc;

use cache_core::codec;
use cache_core::worker::WorkerConfig;
use ivl_verifier::base::source::{Sources, Span};
use ivl_verifier::base::system::OperatingSystem;
use ivl_verifier::service::{Options, Verifier};
use ivl_verifier::smt::answer::{Reply, Request, Response};
use ivl_verifier::smt::{text, wire};
use ivl_verifier::syntax::ast::Ast;
use ivl_verifier::syntax::parser::parse;
use ivl_verifier::syntax::print;

/// What a text that can be read is printed as.
pub(crate) fn printed(text: &str) -> Option<String> {
    let mut sources = Sources::default();
    let file = sources.add("p.bpl", text);
    let mut ast = Ast::default();
    parse(&sources, file, &mut ast).is_empty().then(|| print::program(&ast))
}

/// Any text is answered, with places that lie in it; and what can be read is printed so that it reads back
/// the same.
pub(crate) fn program(text: &str) {
    let mut sources = Sources::default();
    let file = sources.add("p.bpl", text);
    let options = Options::new(WorkerConfig::new("/nowhere"));
    let verifier = Verifier::new(options, None, Arc::new(OperatingSystem::new()));
    for diagnostic in verifier.check(&sources, &[file]).diagnostics {
        assert!(
            diagnostic.span == Span::NOWHERE || diagnostic.span.end as usize <= text.len(),
            "{diagnostic:?}"
        );
        // Directives say which line it is.
        let position = sources.position(diagnostic.span);
        let known = text.contains("#line") || position.line as usize <= text.lines().count() + 1;
        assert!(known, "{diagnostic:?}");
    }
    if let Some(once) = printed(text) {
        assert_eq!(printed(&once).as_ref(), Some(&once), "printed from {text}");
    }
}

/// Any bytes are read or refused, wherever bytes are read.
pub(crate) fn bytes(bytes: &[u8]) {
    if let Ok(query) = wire::read(bytes) {
        assert_eq!(wire::write(&query), bytes);
        drop(text::write(&query, None));
    }
    drop(codec::decode::<Request>(bytes));
    drop(codec::decode::<Response>(bytes));
    drop(codec::decode::<Reply>(bytes));
}
