//! Keys: what is asked, in the names that it has or up to a renaming, with all that decides the answer.

use cache_core::digest::{Confirm, Digest, Encoder};

use super::super::translate::{Canonical, LastForm, Translated, concrete, question};
use super::super::{Query, Z3_VERSION};
use crate::expr::Arena;

/// Changes whenever keys or answers change their meaning, and whenever questions are put to solvers in another
/// form: what ran out of limits in one form need not in another, and models may differ.
const SCHEMA: u64 = 13;

/// What is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Whether there is a solution.
    Truth,
    /// A solution.
    Model,
    /// A solution in which what is asked does not hold. The digest of a canonical form may be that of its
    /// negation, so the key says which side is meant.
    NegatedModel,
}

impl Kind {
    /// The name in keys.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Truth => "truth",
            Self::Model => "model",
            Self::NegatedModel => "negated model",
        }
    }
}

/// When two questions are the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Naming {
    /// When all names and addresses are equal.
    Plain,
    /// When they are equal after a renaming of addresses and inputs.
    AddressAware,
}

/// The digest by which a truth is found: two queries with equal ones have the same answer.
#[must_use]
pub fn key_digest(arena: &mut Arena, query: &Query, naming: Naming) -> Digest {
    key_content(arena, query, naming, Kind::Truth.name(), &LastForm::default(), Z3_VERSION).0.digest()
}

/// What a key is the digest of, and how many symmetric ties its canonical form has.
pub(super) fn key_content(
    arena: &mut Arena,
    query: &Query,
    naming: Naming,
    kind: &str,
    forms: &LastForm,
    engines: &str,
) -> (Encoder, u32) {
    let mut out = Encoder::new();
    out.text("symexec query");
    out.text(kind);
    out.u64(SCHEMA);
    out.text(engines);
    match naming {
        Naming::AddressAware => {
            let form = forms.of(arena, query);
            out.variant(0);
            out.bool(form.agnostic);
            out.nested(form.digest);
            (out, form.ties)
        }
        Naming::Plain => {
            let query = concrete(arena, query);
            let mut names: Vec<Digest> =
                query.constraints.iter().map(|id| arena.name(*id).digest()).collect();
            names.sort_unstable();
            names.dedup();
            out.variant(1);
            out.nested(arena.name(query.expr).digest());
            out.sequence(names.len());
            for name in names {
                out.nested(name);
            }
            (out, 0)
        }
    }
}

/// The collision-resistant digest of a canonical question, with what precedes it in the key.
pub(super) fn confirm(arena: &Arena, form: &Canonical, head: &[u8]) -> Confirm {
    let Translated { question, .. } = question(arena, form);
    let mut out = Encoder::new();
    out.raw(head);
    out.raw(&cache_core::codec::encode(&question).unwrap_or_default());
    out.confirm()
}
