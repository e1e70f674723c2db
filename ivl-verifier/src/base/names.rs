//! Interned names: a name is a number while a program is processed, and text wherever it leaves.
//!
//! Numbers differ from run to run, so a [`Symbol`] never enters a key or a query.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::base::arena::Id;

crate::base::arena::typed_ids! {
    /// An interned name; meaningful only together with the [`Names`] that made it.
    pub Symbol;
}

/// The table of interned names.
#[derive(Clone, Debug, Default)]
pub struct Names {
    texts: Vec<Arc<str>>,
    symbols: FxHashMap<Arc<str>, Symbol>,
}

impl Names {
    /// The symbol of a name.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(symbol) = self.symbols.get(text) {
            return *symbol;
        }
        let symbol = Symbol::from_index(self.texts.len());
        let text: Arc<str> = Arc::from(text);
        self.texts.push(Arc::clone(&text));
        self.symbols.insert(text, symbol);
        symbol
    }

    /// The symbol of a name that was interned before.
    #[must_use]
    pub fn find(&self, text: &str) -> Option<Symbol> {
        self.symbols.get(text).copied()
    }

    /// The text of a symbol.
    #[must_use]
    pub fn text(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.index()]
    }
}
