//! From a query over expressions to its canonical question.

use std::cell::RefCell;
use std::rc::Rc;

use cache_core::digest::Digest;
use cache_core::rename::{self, Shape, canonicalize};
use rustc_hash::FxHashMap;

use super::Query;
use super::question::{Question, Term};
use crate::expr::{AddressId, Arena, Class, ExprId, InputId, Node};

/// Distance of objects' ends from the next object's start in the canonical layout, at least.
const GAP: u64 = 4096;

/// Where the canonical layout begins: above all real addresses, of which a question may hold some too.
const CANONICAL_BASE: u64 = 1 << 50;

/// A query in canonical form.
#[derive(Clone)]
pub(super) struct Canonical {
    /// What is asked, as it was or with addresses replaced.
    pub(super) expr: ExprId,
    /// The constraints in canonical order, each once.
    pub(super) constraints: Vec<ExprId>,
    /// The digest of the form, or of its negation.
    pub(super) digest: Digest,
    /// Symmetric ties that may have been broken differently in an equal query.
    pub(super) ties: u32,
    /// Whether addresses are still symbols: the answer is the same in every layout.
    pub(super) agnostic: bool,
}

/// The canonical form of the question that was asked last, shared by the cache that looks it up and the
/// solver that is asked next: on a miss it is computed once.
#[derive(Clone, Default)]
pub struct LastForm(Rc<RefCell<Option<Known>>>);

/// A question with its form.
type Known = (Query, Rc<Canonical>);

impl LastForm {
    /// Forgets it.
    pub(super) fn forget(&self) {
        self.0.take();
    }

    /// [`canonical`], remembered.
    pub(super) fn of(&self, arena: &mut Arena, query: &Query) -> Rc<Canonical> {
        let last = self.0.borrow().as_ref().and_then(|(last, form)| {
            (last.constraints == query.constraints).then(|| (last.expr, Rc::clone(form)))
        });
        match last {
            Some((expr, form)) if expr == query.expr => return form,
            // Negation changes neither the atoms nor their order, and so nothing but the root.
            Some((expr, form)) if form.agnostic && arena.node(query.expr) == Node::Not(expr) => {
                return Rc::new(Canonical { expr: query.expr, ..Canonical::clone(&form) });
            }
            _ => {}
        }
        let form = Rc::new(canonical(arena, query));
        *self.0.borrow_mut() = Some((query.clone(), Rc::clone(&form)));
        form
    }
}

/// A canonical question, and what its inputs are here.
pub(super) struct Translated {
    pub(super) question: Question,
    pub(super) inputs: Vec<InputId>,
}

/// Whether an answer is the same in every layout.
pub(super) fn is_agnostic(arena: &Arena, query: &Query) -> bool {
    query.constraints.iter().chain([&query.expr]).all(|id| arena.class(*id) == Class::Integer)
}

/// The query with every address replaced by its number.
pub(super) fn concrete(arena: &mut Arena, query: &Query) -> Query {
    let constraints = query.constraints.iter().map(|id| arena.concrete(*id)).collect();
    Query { constraints, expr: arena.concrete(query.expr) }
}

/// The canonical form. Addresses stay symbols if the answer does not depend on them; otherwise they are
/// replaced by the state's own, and the form says so by containing the numbers.
pub(super) fn canonical(arena: &mut Arena, query: &Query) -> Canonical {
    if is_agnostic(arena, query) {
        return canonical_as_if_agnostic(arena, query);
    }
    let query = concrete(arena, query);
    Canonical { agnostic: false, ..canonical_as_if_agnostic(arena, &query) }
}

/// The canonical form with addresses as symbols, whether the answer depends on them or not.
pub(super) fn canonical_as_if_agnostic(arena: &mut Arena, query: &Query) -> Canonical {
    let asked = (!arena.is_true(query.expr)).then(|| arena.shape(query.expr));
    let constraints: Vec<ExprId> =
        query.constraints.iter().copied().filter(|id| !arena.is_true(*id)).collect();
    let shapes: Vec<Shape> = constraints.iter().map(|id| arena.shape(*id)).collect();
    let form = canonicalize(arena.shapes(), &rename::Query { expression: asked, constraints: &shapes });
    Canonical {
        expr: query.expr,
        constraints: form.order.places().iter().map(|place| constraints[*place]).collect(),
        digest: form.digest,
        ties: form.ties,
        agnostic: true,
    }
}

/// The canonical question of a canonical form.
pub(super) fn question(arena: &Arena, form: &Canonical) -> Translated {
    write(arena, form, None)
}

/// The question of a canonical form with objects at given places.
pub(super) fn question_in(arena: &Arena, form: &Canonical, layout: &Layout) -> Translated {
    write(arena, form, Some(layout))
}

/// A question of constraints in their order, without a canonical form.
pub(super) fn in_order(arena: &mut Arena, constraints: &[ExprId]) -> Translated {
    let form = Canonical {
        expr: arena.truth(true),
        constraints: constraints.to_vec(),
        digest: Digest::of(&[]),
        ties: 0,
        agnostic: false,
    };
    question(arena, &form)
}

fn write(arena: &Arena, form: &Canonical, layout: Option<&Layout>) -> Translated {
    let mut writer = Writer {
        arena,
        question: Question::default(),
        numbers: FxHashMap::default(),
        inputs: Vec::new(),
        layout,
        next_base: CANONICAL_BASE,
    };
    let roots = std::iter::once(form.expr)
        .filter(|expr| !arena.is_true(*expr))
        .chain(form.constraints.iter().copied());
    for root in roots {
        let number = writer.write(root);
        writer.question.roots.push(number);
    }
    writer.question.inputs = number(writer.inputs.len());
    Translated { question: writer.question, inputs: writer.inputs }
}

/// Places of objects.
pub(super) type Layout = FxHashMap<AddressId, u64>;

struct Writer<'a> {
    arena: &'a Arena,
    /// Where objects lie, if not in the canonical layout.
    layout: Option<&'a Layout>,
    question: Question,
    numbers: FxHashMap<ExprId, u32>,
    inputs: Vec<InputId>,
    /// Where the next object of the canonical layout lies.
    next_base: u64,
}

impl Writer<'_> {
    /// Writes a term and all below it that are not written yet; its number.
    fn write(&mut self, root: ExprId) -> u32 {
        let mut stack = vec![(root, false)];
        let mut children = Vec::new();
        let mut last = 0;
        while let Some((id, opened)) = stack.pop() {
            if let Some(number) = self.numbers.get(&id) {
                last = *number;
                continue;
            }
            children.clear();
            self.arena.children(id, &mut children);
            if !opened && !children.is_empty() {
                stack.push((id, true));
                stack.extend(children.iter().rev().map(|child| (*child, false)));
                continue;
            }
            let term = self.term(id);
            last = number(self.question.terms.len());
            self.question.terms.push((self.arena.width(id), term));
            self.numbers.insert(id, last);
        }
        last
    }

    fn term(&mut self, id: ExprId) -> Term {
        let of = |id: ExprId| self.numbers.get(&id).copied().unwrap_or(0);
        match self.arena.node(id) {
            Node::Constant(value) => Term::Constant(value),
            Node::Wide(_) => {
                Term::Wide(self.arena.as_bits(id).map(|bits| bits.to_le_bytes()).unwrap_or_default())
            }
            Node::Address(address) if let Some(layout) = self.layout => {
                Term::Constant(layout.get(&address).copied().unwrap_or(0))
            }
            // Addresses without a name of their own keep their places.
            Node::Address(address) if self.arena.renamable(id).is_none() => {
                Term::Constant(self.arena.address(address).base)
            }
            Node::Address(address) => {
                let base = self.next_base;
                let size = self.arena.address(address).size;
                // Sizes are bounded far below 2^63 and addresses are few, so this does not wrap around.
                self.next_base = base.saturating_add(size).saturating_add(GAP).next_multiple_of(GAP);
                Term::Constant(base)
            }
            Node::Input(input) => {
                self.inputs.push(input);
                Term::Input(number(self.inputs.len() - 1))
            }
            Node::Not(a) => Term::Not(of(a)),
            Node::Binary(op, a, b) => Term::Binary(op, of(a), of(b)),
            Node::Compare(op, a, b) => Term::Compare(op, of(a), of(b)),
            Node::Extract(a, low) => Term::Extract(of(a), low),
            Node::Concat(high, low) => Term::Concat(of(high), of(low)),
            Node::ZeroExtend(a) => Term::ZeroExtend(of(a)),
            Node::SignExtend(a) => Term::SignExtend(of(a)),
            Node::Choose(condition, yes, no) => Term::Choose(of(condition), of(yes), of(no)),
            Node::Float(operation, operands) => {
                Term::Float(self.arena.operation(operation), operands.map(of))
            }
            Node::Read(array, index) => Term::Read(of(array), of(index)),
            Node::Literal(literal) => {
                Term::Literal(self.arena.literal(literal).iter().map(|element| of(*element)).collect())
            }
            Node::Store(array, index, value) => Term::Store(of(array), of(index), of(value)),
        }
    }
}

/// A count as a number of a term; arenas end before it could not be.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
