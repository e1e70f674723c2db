//! Proofs replayed from the instances of quantifiers that they need.
//!
//! Of the thousands of instances that the solver makes a proof uses a few dozen. `marked` puts a query so that the
//! solver's proof tells which: quantifiers are skolemized here, under names that say what they stand for and where,
//! and each that is left asserts, beside what it says, a predicate of its own about its variables, which is free to
//! hold. The predicate of an instance then has the terms of the instance, and those of the instances around it, as its
//! arguments. `ground` takes a later query and puts the instances in the place of the quantifiers: no quantifier is
//! left, nothing is matched, and what costs the solver seconds costs it milliseconds.
//!
//! Why that is a proof of the later query: the instances are made of the quantifiers that are in it, so the ground
//! query follows from it; an instance whose quantifier is gone, or whose terms have nothing to stand for any more, is
//! left out. Whatever is stored, only a query that is refuted counts, and nothing is believed but that.
//!
//! A quantifier is known by the digest of what it says and of those around it, without the numbers that variables get
//! one after the other where they are assigned to (`Name`): an edit moves these. Quantifiers that differ in such
//! numbers alone share their instances. They do not share what they choose: the name of a skolem function has a number
//! for each quantifier that there is, and the function takes what is bound by the universal quantifiers around it, so
//! one name stands for one choice.

mod instances;
mod named;
mod quantifiers;

use std::collections::BTreeMap;

use cache_core::digest::{Confirm, Encoder};
use rustc_hash::FxHashMap;

use crate::base::arena::Id;
use crate::smt::term::{Bound, Builder, Function, FunctionId, Op, Query, Sort, SortId, Term, TermId};
use crate::smt::text::sort_text;
pub use instances::{Instance, Instances, Node};

/// What the names of marks begin with; no name of a program has an `@`.
const MARK: &str = "@mark ";
/// What the names of skolem functions begin with.
const SKOLEM: &str = "@skolem ";

/// Settings under which cases are split that matter to the goal: the shortest way to what is known to be true.
const SETTINGS: [(&str, &str); 2] = [("auto_config", "false"), ("case_split", "3")];

/// The solver for arithmetic where a proof is kept: Z3's newer one is slow as soon as it is to say why.
const TELLING_SETTINGS: [(&str, &str); 1] = [("arith.solver", "2")];

/// Whether a name is that of a mark.
#[must_use]
pub fn is_mark(name: &str) -> bool {
    name.starts_with(MARK)
}

/// The query with its quantifiers skolemized and marked; nothing if a quantifier stands where it is no formula's part.
pub(crate) fn marked(query: &Query) -> Option<Query> {
    let mut writer = Writer::new(query, None, false);
    writer.settings(&SETTINGS);
    writer.settings(&TELLING_SETTINGS);
    writer.finish()
}

/// The query with instances in the place of its quantifiers; nothing if a quantifier stands where it is no formula's
/// part.
pub(crate) fn ground(query: &Query, instances: &[Instances], one_choice: bool) -> Option<Query> {
    let mut writer = Writer::new(query, Some(instances), one_choice);
    writer.settings(&SETTINGS);
    // A failing check says nothing here, so there is no use in looking for the next one.
    writer.out.query.error_limit = 1;
    writer.mention_named()?;
    writer.finish()
}

/// A digest in a name.
fn written(id: Confirm) -> String {
    id.to_bytes().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a term is wanted as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Want {
    /// A formula that stands for the term where that is true, or is not.
    Formula(bool),
    /// The term itself.
    Copy,
}

/// The quantifiers around a place: as they are, and without the numbers in names.
type Around = Option<(Confirm, Confirm)>;

/// A name as the numbering of a variable's values makes it: what is numbered, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Name<'n> {
    base: &'n str,
    number: Option<u32>,
}

impl<'n> Name<'n> {
    fn of(name: &'n str) -> Self {
        let numbered = name.rsplit_once('@').and_then(|(base, number)| Some((base, number.parse().ok()?)));
        match numbered {
            Some((base, number)) => Self { base, number: Some(number) },
            None => Self { base: name.strip_suffix('@').unwrap_or(name), number: None },
        }
    }
}

/// What bound variables stand for at a place.
#[derive(Clone, Default)]
struct Scope {
    /// The quantifiers around it.
    around: Around,
    variables: FxHashMap<Bound, TermId>,
    /// What the universal ones among them range over, or were instantiated with.
    universal: Vec<TermId>,
    sorts: Vec<SortId>,
}

struct Writer<'q> {
    query: &'q Query,
    out: Builder,
    /// By the index of a term: what it says, whether a quantifier is in it, and whether a bound variable is.
    digests: Vec<Confirm>,
    /// The same without the numbers in names.
    shapes: Vec<Confirm>,
    quantified: Vec<bool>,
    open: Vec<bool>,
    scopes: Vec<Scope>,
    known: FxHashMap<(TermId, Want, usize), TermId>,
    /// The quantifiers that choose something, by their shapes.
    choosing: BTreeMap<Confirm, Vec<Confirm>>,
    /// The functions that were added, by their names.
    added: BTreeMap<String, FunctionId>,
    /// The arguments of the instances of each mark, if they are to be put in.
    instances: Option<FxHashMap<String, Vec<Vec<TermId>>>>,
    /// A lie: skolem functions are the same wherever they stand.
    one_choice: bool,
}

impl<'q> Writer<'q> {
    fn new(query: &'q Query, instances: Option<&[Instances]>, one_choice: bool) -> Self {
        let mut out = Builder::default();
        out.query = Query {
            options: query.options.clone(),
            sorts: query.sorts.clone(),
            datatypes: query.datatypes.clone(),
            functions: query.functions.clone(),
            error_limit: query.error_limit,
            ..Query::default()
        };
        let mut writer = Self {
            query,
            out,
            digests: Vec::new(),
            shapes: Vec::new(),
            quantified: Vec::new(),
            open: Vec::new(),
            scopes: vec![Scope::default()],
            known: FxHashMap::default(),
            choosing: BTreeMap::new(),
            added: BTreeMap::new(),
            instances: None,
            one_choice,
        };
        writer.look();
        writer.declare_choices();
        if let Some(instances) = instances {
            let mut all: FxHashMap<String, Vec<Vec<TermId>>> = FxHashMap::default();
            for instances in instances {
                instances.read(&mut writer.out, &mut all);
            }
            writer.instances = Some(all);
        }
        writer
    }

    fn settings(&mut self, settings: &[(&str, &str)]) {
        let named = |name: &str| name.to_ascii_lowercase().trim_start_matches("smt.").to_owned();
        let options = &mut self.out.query.options;
        options.retain(|(name, _)| settings.iter().all(|(setting, _)| named(name) != *setting));
        options.extend(settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    }

    /// Finds out what each term says and what is in it.
    fn look(&mut self) {
        let sorts: Vec<String> = self.query.sorts.ids().map(|id| sort_text(self.query, id)).collect();
        let mut encoder = Encoder::new();
        for (_, term) in self.query.terms.iter() {
            encoder.clear();
            self.say(term, &sorts, &self.digests, |name| (name, true), &mut encoder);
            let digest = encoder.confirm();
            encoder.clear();
            self.say(term, &sorts, &self.shapes, |name| (Name::of(name).base, false), &mut encoder);
            self.shapes.push(encoder.confirm());
            self.digests.push(digest);
            let mut quantified = matches!(term, Term::Quantifier(_));
            let mut open = matches!(term, Term::Bound(_));
            term.for_each_part(|part| {
                quantified |= self.quantified[part.index()];
                open |= self.open[part.index()];
            });
            self.quantified.push(quantified);
            self.open.push(open);
        }
    }

    fn say<'n>(
        &'n self,
        term: &Term,
        sorts: &[String],
        digests: &[Confirm],
        named: impl Fn(&'n str) -> (&'n str, bool),
        out: &mut Encoder,
    ) {
        let variable = |bound: &Bound, out: &mut Encoder| {
            out.text(&bound.name);
            out.u64(u64::from(bound.level));
            out.text(sorts.get(bound.sort.index()).map_or("", String::as_str));
        };
        match term {
            Term::Bool(_)
            | Term::Int(_)
            | Term::Real(..)
            | Term::BitVector(..)
            | Term::Text(_)
            | Term::RoundingMode(_)
            | Term::Control(_) => {
                out.variant(0);
                out.text(&format!("{term:?}"));
            }
            Term::Apply(function, _) => {
                out.variant(1);
                let (name, whole) = named(&self.query.functions[*function].name);
                out.text(name);
                out.bool(whole);
            }
            Term::Bound(bound) => {
                out.variant(2);
                variable(bound, out);
            }
            Term::Op(Op::ConstArray(sort), _) => {
                out.variant(3);
                out.text(sorts.get(sort.index()).map_or("", String::as_str));
            }
            Term::Op(op, _) => {
                out.variant(4);
                out.text(&format!("{op:?}"));
            }
            Term::Quantifier(quantifier) => {
                out.variant(5);
                out.bool(quantifier.universal);
                out.sequence(quantifier.bound.len());
                quantifier.bound.iter().for_each(|bound| variable(bound, out));
                quantifier.triggers.iter().for_each(|terms| out.sequence(terms.len()));
            }
        }
        let mut parts = Vec::new();
        term.for_each_part(|part| parts.push(digests[part.index()]));
        out.sequence(parts.len());
        parts.into_iter().for_each(|part| out.nested_confirm(part));
    }

    fn finish(mut self) -> Option<Query> {
        let mut background = Vec::new();
        for root in &self.query.background {
            background.push(self.term(*root, Want::Formula(true), 0)?);
        }
        let goal = match self.query.goal {
            Some(goal) => Some(self.term(goal, Want::Formula(true), 0)?),
            None => None,
        };
        self.out.query.background = background;
        self.out.query.goal = goal;
        Some(self.out.query)
    }

    /// A term at a place. Terms are deep where programs are long, so that parts wait on a list; quantifiers in
    /// quantifiers are as deep as somebody wrote them.
    fn term(&mut self, root: TermId, want: Want, scope: usize) -> Option<TermId> {
        let root = self.wanted(root, want, scope);
        let mut work = vec![root];
        while let Some(next) = work.last().copied() {
            if self.known.contains_key(&next) {
                work.pop();
                continue;
            }
            let before = work.len();
            for (part, want) in self.parts(next.0, next.1)? {
                let part = self.wanted(part, want, next.2);
                if !self.known.contains_key(&part) {
                    work.push(part);
                }
            }
            if work.len() == before {
                let made = self.make(next)?;
                self.known.insert(next, made);
                work.pop();
            }
        }
        self.known.get(&root).copied()
    }

    /// What is really wanted: what has no quantifier in it is itself, and what has no variable is the same everywhere.
    fn wanted(&self, term: TermId, want: Want, scope: usize) -> (TermId, Want, usize) {
        if self.quantified[term.index()] {
            return (term, want, scope);
        }
        (term, Want::Copy, if self.open[term.index()] { scope } else { 0 })
    }

    /// The parts of a term that are needed to make it.
    fn parts(&self, term: TermId, want: Want) -> Option<Vec<(TermId, Want)>> {
        let mut parts = Vec::new();
        let Want::Formula(holds) = want else {
            if self.quantified[term.index()] {
                return None;
            }
            self.query.terms[term].for_each_part(|part| parts.push((part, Want::Copy)));
            return Some(parts);
        };
        let both = |part: TermId| [true, false].map(|holds| (part, Want::Formula(holds)));
        match &self.query.terms[term] {
            // What it binds is bound in a scope of its own.
            Term::Quantifier(_) => {}
            Term::Op(Op::Not, of) => parts.extend(of.iter().map(|part| (*part, Want::Formula(!holds)))),
            Term::Op(Op::And | Op::Or, of) => {
                parts.extend(of.iter().map(|part| (*part, Want::Formula(holds))));
            }
            Term::Op(Op::Implies, of) => {
                let [premise, conclusion] = **of else { return None };
                parts.extend([(premise, Want::Formula(!holds)), (conclusion, Want::Formula(holds))]);
            }
            Term::Op(Op::Eq, of) if of.len() == 2 && self.is_formula(of[0]) => {
                parts.extend(of.iter().flat_map(|part| both(*part)));
            }
            Term::Op(Op::IfThenElse, of) if self.is_formula(term) => {
                let [condition, yes, no] = **of else { return None };
                parts.extend(both(condition));
                parts.extend([(yes, Want::Formula(holds)), (no, Want::Formula(holds))]);
            }
            _ => return None,
        }
        Some(parts)
    }

    fn is_formula(&self, mut term: TermId) -> bool {
        loop {
            return match &self.query.terms[term] {
                Term::Bool(_) | Term::Quantifier(_) => true,
                Term::Bound(bound) => self.query.sorts[bound.sort] == Sort::Bool,
                Term::Apply(function, _) => {
                    self.query.sorts[self.query.functions[*function].result] == Sort::Bool
                }
                Term::Op(Op::IfThenElse, of) => {
                    let Some(branch) = of.get(1) else { return false };
                    term = *branch;
                    continue;
                }
                Term::Op(op, _) => matches!(
                    op,
                    Op::Not
                        | Op::And
                        | Op::Or
                        | Op::Implies
                        | Op::Eq
                        | Op::Distinct
                        | Op::Lt
                        | Op::Le
                        | Op::Gt
                        | Op::Ge
                        | Op::Test(..)
                ),
                _ => false,
            };
        }
    }

    /// A term whose parts were made.
    fn make(&mut self, (term, want, scope): (TermId, Want, usize)) -> Option<TermId> {
        let query = self.query;
        let known = |writer: &Self, part: TermId, want: Want| {
            writer.known.get(&writer.wanted(part, want, scope)).copied()
        };
        let Want::Formula(holds) = want else {
            return self.copy(term, scope);
        };
        Some(match &query.terms[term] {
            Term::Quantifier(quantifier) => return self.quantifier(term, quantifier, holds, scope),
            Term::Op(Op::Eq, of) => {
                let [left, right] = **of else { return None };
                let holding = |writer: &Self, part| known(writer, part, Want::Formula(holds));
                let failing = |writer: &Self, part| known(writer, part, Want::Formula(!holds));
                let forth = (failing(self, left)?, holding(self, right)?);
                let back = (failing(self, right)?, holding(self, left)?);
                let forth = self.out.op(Op::Implies, vec![forth.0, forth.1]);
                let back = self.out.op(Op::Implies, vec![back.0, back.1]);
                self.out.op(Op::And, vec![forth, back])
            }
            Term::Op(Op::IfThenElse, of) => {
                let [condition, yes, no] = **of else { return None };
                let failing = known(self, condition, Want::Formula(!holds))?;
                let holding = known(self, condition, Want::Formula(holds))?;
                let (yes, no) =
                    (known(self, yes, Want::Formula(holds))?, known(self, no, Want::Formula(holds))?);
                let yes = self.out.op(Op::Implies, vec![failing, yes]);
                let no = self.out.op(Op::Or, vec![holding, no]);
                self.out.op(Op::And, vec![yes, no])
            }
            Term::Op(op, _) => {
                let mut parts = Vec::new();
                for (part, want) in self.parts(term, want)? {
                    parts.push(known(self, part, want)?);
                }
                self.out.op(op.clone(), parts)
            }
            _ => return None,
        })
    }

    fn copy(&mut self, term: TermId, scope: usize) -> Option<TermId> {
        let query = self.query;
        let mut parts = Vec::new();
        query.terms[term].for_each_part(|part| {
            parts.push(self.known.get(&self.wanted(part, Want::Copy, scope)).copied());
        });
        let parts: Option<Vec<TermId>> = parts.into_iter().collect();
        Some(match &query.terms[term] {
            Term::Bound(bound) => *self.scopes.get(scope)?.variables.get(bound)?,
            Term::Apply(function, _) => self.out.term(Term::Apply(*function, parts?)),
            Term::Op(op, _) => self.out.op(op.clone(), parts?),
            Term::Quantifier(_) => return None,
            other => self.out.term(other.clone()),
        })
    }

    fn added(&mut self, name: &str, arguments: &[SortId], result: SortId) -> FunctionId {
        if let Some(id) = self.added.get(name) {
            return *id;
        }
        let function =
            Function { name: name.to_owned(), arguments: arguments.to_vec(), result, anchored: false };
        let id = self.out.query.functions.push(function);
        self.added.insert(name.to_owned(), id);
        id
    }

    /// The sort of truth values.
    fn formulas(&mut self) -> SortId {
        let found = self.out.query.sorts.iter().find(|(_, sort)| **sort == Sort::Bool);
        match found.map(|(id, _)| id) {
            Some(id) => id,
            None => self.out.query.sorts.push(Sort::Bool),
        }
    }
}
