//! Queries as SMT-LIB 2, for people and for other solvers.
//!
//! Closed terms that are used more than once are bound by `let`, so the text is as long as the graph is
//! large; terms with bound variables are written out where they stand.

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::base::arena::Id;
use crate::base::engine::Family;
use crate::smt::joints::ANCHOR;
use crate::smt::term::{Bound, CONTROL, Datatype, Op, Quantifier, Query, Sort, SortId, Term, TermId, Turn};

/// What stands between two queries in one text: each declares everything, so a solver that reads them has to forget.
pub const BETWEEN: &str = "(reset)\n";

/// What Z3 calls an element of a sequence that is inside of it: it makes `seq.nth` a choice, so that no pattern can have
/// that.
pub(crate) const ELEMENT_INSIDE: &str = "seq.nth_i";

/// The text of a query, ending in `(check-sat)`; before that the name of what it is about, where Boogie's clients
/// look for it.
#[must_use]
pub fn write(query: &Query, name: Option<&str>) -> String {
    let mut writer = Writer::new(query, Family::Z3);
    writer.settings();
    writer.script();
    if let Some(name) = name {
        writer.line(&format!("(set-info :boogie-vc-id {})", symbol(name)));
    }
    writer.line("(check-sat)");
    writer.out
}

/// What a solver of a family is told of a query, up to what is asked; its options are not among it.
#[must_use]
pub fn told(query: &Query, family: Family) -> String {
    let mut writer = Writer::new(query, family);
    writer.script();
    writer.out
}

/// How often each term is used.
fn uses(query: &Query) -> Vec<u32> {
    let mut uses = vec![0_u32; query.terms.len()];
    for (_, term) in query.terms.iter() {
        term.for_each_part(|part| uses[part.index()] += 1);
    }
    uses
}

/// Which terms have no bound variable that is free in them. Levels tell: a quantifier closes those that
/// it binds.
fn closed(query: &Query) -> Vec<bool> {
    let mut free: Vec<Vec<TermId>> = Vec::with_capacity(query.terms.len());
    for (id, term) in query.terms.iter() {
        let mut found: Vec<TermId> = Vec::new();
        if matches!(term, Term::Bound(_)) {
            found.push(id);
        }
        term.for_each_part(|part| {
            for leaf in &free[part.index()] {
                if !found.contains(leaf) {
                    found.push(*leaf);
                }
            }
        });
        if let Term::Quantifier(quantifier) = term {
            found.retain(
                |leaf| !matches!(&query.terms[*leaf], Term::Bound(bound) if quantifier.bound.contains(bound)),
            );
        }
        free.push(found);
    }
    free.iter().map(Vec::is_empty).collect()
}

struct Writer<'q> {
    query: &'q Query,
    /// Who reads it.
    family: Family,
    out: String,
    uses: Vec<u32>,
    closed: Vec<bool>,
}

/// What is written next.
enum Piece {
    /// A term, by its name if it is shared.
    Term(TermId),
    /// A term that is written out even if it is shared; its parts may be names.
    Whole(TermId),
    Text(String),
}

impl<'q> Writer<'q> {
    fn new(query: &'q Query, family: Family) -> Self {
        Self { query, family, out: String::new(), uses: uses(query), closed: closed(query) }
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn settings(&mut self) {
        let query = self.query;
        for (name, value) in &query.options {
            self.line(&format!("(set-option :smt.{name} {value})"));
        }
        for Turn { share, options } in &query.turns {
            let options: Vec<String> =
                options.iter().map(|(name, value)| format!(" (set-option :smt.{name} {value})")).collect();
            let share = if *share == u64::MAX { "all that is left".to_owned() } else { share.to_string() };
            self.line(&format!("; up to a resource count of {share}:{}", options.concat()));
        }
    }

    fn script(&mut self) {
        let query = self.query;
        let declarations = sort_declarations(query);
        self.out.push_str(&declarations);
        self.line(&format!("(declare-fun {CONTROL} (Int Int) Int)"));
        if query.functions.iter().any(|(_, function)| function.anchored) {
            self.line(&format!("(declare-sort {ANCHOR} 0)"));
            self.line(&format!("(declare-fun {ANCHOR} () {ANCHOR})"));
        }
        for (_, function) in query.functions.iter() {
            let anchor = function.anchored.then(|| ANCHOR.to_owned());
            let arguments = function.arguments.iter().map(|sort| self.sort(*sort));
            let arguments: Vec<String> = anchor.into_iter().chain(arguments).collect();
            let result = self.sort(function.result);
            self.line(&format!(
                "(declare-fun {} ({}) {result})",
                declared(&function.name),
                arguments.join(" ")
            ));
        }
        for assertion in &query.background {
            self.assertion(*assertion);
        }
        self.line("(push 1)");
        if let Some(goal) = query.goal {
            self.assertion(goal);
        }
    }

    fn sort(&self, id: SortId) -> String {
        sort_text(self.query, id)
    }

    fn shared(&self, id: TermId) -> bool {
        let mut parts = 0;
        self.query.terms[id].for_each_part(|_| parts += 1);
        parts > 0 && self.closed[id.index()] && self.uses[id.index()] > 1
    }

    /// The shared terms below a root come first, each bound to a name of its own.
    fn assertion(&mut self, root: TermId) {
        let mut below: Vec<TermId> = Vec::new();
        let mut seen = vec![false; self.query.terms.len()];
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            if !std::mem::replace(&mut seen[id.index()], true) {
                below.push(id);
                self.query.terms[id].for_each_part(|part| work.push(part));
            }
        }
        below.retain(|id| *id != root && self.shared(*id));
        below.sort_unstable_by_key(|id| id.index());
        self.out.push_str("(assert ");
        for id in &below {
            self.out.push_str(&format!("(let (({} ", name(*id)));
            self.body(*id);
            self.out.push_str("))\n  ");
        }
        self.body(root);
        for _ in &below {
            self.out.push(')');
        }
        self.line(")");
    }

    /// A term, its shared parts by their names.
    fn body(&mut self, root: TermId) {
        let mut work = vec![Piece::Term(root)];
        while let Some(piece) = work.pop() {
            match piece {
                Piece::Text(text) => self.out.push_str(&text),
                Piece::Term(id) if id != root && self.shared(id) => self.out.push_str(&name(id)),
                Piece::Term(id) | Piece::Whole(id) => {
                    let first = work.len();
                    self.pieces(id, &mut work);
                    work[first..].reverse();
                }
            }
        }
    }

    fn pieces(&self, id: TermId, out: &mut Vec<Piece>) {
        let text = |text: String| Piece::Text(text);
        match &self.query.terms[id] {
            Term::Bool(value) => out.push(text(value.to_string())),
            Term::Int(value) => out.push(text(number(&value.to_string()))),
            Term::Real(numerator, denominator) => {
                let numerator = decimal(&numerator.to_string());
                let denominator = denominator.to_string();
                out.push(text(if denominator == "1" {
                    numerator
                } else {
                    format!("(/ {numerator} {denominator}.0)")
                }));
            }
            Term::BitVector(value, width) => out.push(text(format!("(_ bv{value} {width})"))),
            Term::Text(value) => out.push(text(format!("\"{}\"", value.replace('"', "\"\"")))),
            Term::RoundingMode(mode) => out.push(text(mode.clone())),
            Term::Control(block) => out.push(text(format!("({CONTROL} 0 {block})"))),
            Term::Bound(bound) => out.push(text(symbol(&format!("{}!{}", bound.name, bound.level)))),
            Term::Apply(function, parts) => {
                let function = &self.query.functions[*function];
                let name = declared(&function.name);
                let head = if function.anchored { format!("{name} {ANCHOR}") } else { name };
                self.applied(&head, parts, out);
            }
            Term::Op(op, parts) => self.applied(&self.operation(op), parts, out),
            Term::Quantifier(quantifier) => {
                let binder = if quantifier.universal { "forall" } else { "exists" };
                let bound: Vec<String> = quantifier
                    .bound
                    .iter()
                    .map(|it| {
                        format!("({} {})", symbol(&format!("{}!{}", it.name, it.level)), self.sort(it.sort))
                    })
                    .collect();
                let patterns: Vec<&Vec<TermId>> = self.patterns(quantifier).collect();
                let no_patterns = if patterns.is_empty() { quantifier.no_triggers.as_slice() } else { &[] };
                // Weights are Z3's own, and what has no attribute has no mark for them.
                let weighted = self.family == Family::Z3;
                let marked = weighted || !patterns.is_empty() || !no_patterns.is_empty();
                let mark = if marked { "(! " } else { "" };
                out.push(text(format!("({binder} ({}) {mark}", bound.join(" "))));
                out.push(Piece::Term(quantifier.body));
                for terms in patterns {
                    out.push(text(" :pattern (".to_owned()));
                    for (index, term) in terms.iter().enumerate() {
                        out.push(text(if index > 0 { " " } else { "" }.to_owned()));
                        // A name is no beginning of a pattern.
                        out.push(Piece::Whole(*term));
                    }
                    out.push(text(")".to_owned()));
                }
                for term in no_patterns {
                    out.push(text(" :no-pattern ".to_owned()));
                    out.push(Piece::Term(*term));
                }
                let weight = if weighted { format!(" :weight {}", quantifier.weight) } else { String::new() };
                out.push(text(format!("{weight}{}", if marked { "))" } else { ")" })));
            }
        }
    }

    /// The triggers that a solver takes as patterns: no connectives or binders in them, none that is no
    /// application, and none that leaves a bound variable out (as where an inlined function does not use its
    /// argument). Where none is left the solver chooses its own. The linked solver is given the same ones.
    fn patterns<'t>(&self, quantifier: &'t Quantifier) -> impl Iterator<Item = &'t Vec<TermId>> {
        quantifier.triggers.iter().filter(|terms| {
            let mut met = FxHashSet::default();
            let accepted = terms.iter().all(|term| self.is_pattern(*term, &mut met));
            let mentioned = |bound: &Bound| {
                met.iter().any(|id| matches!(&self.query.terms[*id], Term::Bound(it) if it == bound))
            };
            accepted && quantifier.bound.iter().all(mentioned)
        })
    }

    /// Whether a term can be part of a pattern; adds its parts to those that were met.
    fn is_pattern(&self, root: TermId, met: &mut FxHashSet<TermId>) -> bool {
        let mut applies = false;
        let mut work = vec![root];
        while let Some(id) = work.pop() {
            let parts = work.len();
            let term = &self.query.terms[id];
            term.for_each_part(|part| work.push(part));
            applies |= work.len() > parts;
            let connective = match term {
                Term::Quantifier(_) => true,
                Term::Op(op, parts) => {
                    !parts.is_empty()
                        && matches!(
                            op,
                            Op::Not | Op::And | Op::Or | Op::Implies | Op::Eq | Op::Distinct | Op::IfThenElse
                        )
                }
                _ => false,
            };
            if connective {
                return false;
            }
            if !met.insert(id) {
                work.truncate(parts);
            }
        }
        applies
    }

    fn applied(&self, head: &str, parts: &[TermId], out: &mut Vec<Piece>) {
        if parts.is_empty() {
            out.push(Piece::Text(head.to_owned()));
            return;
        }
        out.push(Piece::Text(format!("({head}")));
        for part in parts {
            out.push(Piece::Text(" ".to_owned()));
            out.push(Piece::Term(*part));
        }
        out.push(Piece::Text(")".to_owned()));
    }

    fn operation(&self, op: &Op) -> String {
        let constructor = |name: &str, index: u32| {
            let datatype = self.query.datatypes.iter().find(|it| it.name == name);
            datatype.and_then(|it| it.constructors.get(index as usize))
        };
        match op {
            Op::Not => "not".to_owned(),
            Op::And => "and".to_owned(),
            Op::Or => "or".to_owned(),
            Op::Implies => "=>".to_owned(),
            Op::Eq => "=".to_owned(),
            Op::Distinct => "distinct".to_owned(),
            Op::IfThenElse => "ite".to_owned(),
            Op::Neg | Op::Sub => "-".to_owned(),
            Op::Add => "+".to_owned(),
            Op::Mul => "*".to_owned(),
            Op::Div => "div".to_owned(),
            Op::Mod => "mod".to_owned(),
            Op::RealDiv => "/".to_owned(),
            Op::Lt => "<".to_owned(),
            Op::Le => "<=".to_owned(),
            Op::Gt => ">".to_owned(),
            Op::Ge => ">=".to_owned(),
            Op::ToReal => "to_real".to_owned(),
            Op::ToInt => "to_int".to_owned(),
            Op::Select => "select".to_owned(),
            Op::Store => "store".to_owned(),
            Op::Concat => "concat".to_owned(),
            Op::Extract(high, low) => format!("(_ extract {high} {low})"),
            Op::Construct(name, index) => {
                constructor(name, *index).map_or_else(|| symbol(name), |it| symbol(&it.name))
            }
            Op::Test(name, index) => {
                format!(
                    "(_ is {})",
                    constructor(name, *index).map_or_else(|| symbol(name), |it| symbol(&it.name))
                )
            }
            Op::Field(name, index, field) => constructor(name, *index)
                .and_then(|it| it.fields.get(*field as usize))
                .map_or_else(|| symbol(name), |(field, _)| symbol(field)),
            Op::ConstArray(sort) => format!("(as const {})", self.sort(*sort)),
            // `(_ to_fp 8 24) RNE` is a head with a first argument.
            // Others have one name for both of Z3's, for elements that are there and for what is no element.
            Op::Named(name) if name == ELEMENT_INSIDE && self.family != Family::Z3 => "seq.nth".to_owned(),
            Op::Named(name) => name.clone(),
        }
    }
}

/// Declares the sorts and datatypes of a query.
#[must_use]
pub fn sort_declarations(query: &Query) -> String {
    let mut text = String::new();
    for (_, sort) in query.sorts.iter() {
        if let Sort::Declared(name) = sort {
            text.push_str(&format!("(declare-sort {} 0)\n", symbol(name)));
        }
    }
    for group in datatype_groups(query) {
        let names: Vec<String> = group.iter().map(|it| format!("({} 0)", symbol(&it.name))).collect();
        text.push_str(&format!("(declare-datatypes ({}) (", names.join(" ")));
        for datatype in group {
            text.push('(');
            for constructor in &datatype.constructors {
                text.push_str(&format!("({}", symbol(&constructor.name)));
                for (field, sort) in &constructor.fields {
                    text.push_str(&format!(" ({} {})", symbol(field), sort_text(query, *sort)));
                }
                text.push(')');
            }
            text.push(')');
        }
        text.push_str("))\n");
    }
    text
}

/// The datatypes, those together that refer to each other, each group after those it refers to: the solver
/// refuses some references to a datatype of the same group that it takes to an earlier one.
fn datatype_groups(query: &Query) -> Vec<Vec<&Datatype>> {
    let index: FxHashMap<&str, usize> =
        query.datatypes.iter().enumerate().map(|(index, it)| (it.name.as_str(), index)).collect();
    let mut references: DiGraph<(), ()> = DiGraph::new();
    for _ in &query.datatypes {
        references.add_node(());
    }
    for (from, datatype) in query.datatypes.iter().enumerate() {
        let fields = datatype.constructors.iter().flat_map(|it| &it.fields);
        let mut work: Vec<SortId> = fields.map(|(_, sort)| *sort).collect();
        while let Some(sort) = work.pop() {
            match &query.sorts[sort] {
                Sort::Datatype(name) => {
                    if let Some(to) = index.get(name.as_str()) {
                        references.add_edge(NodeIndex::new(from), NodeIndex::new(*to), ());
                    }
                }
                Sort::Array(index, element) => work.extend([*index, *element]),
                Sort::Theory(_, arguments) => work.extend(arguments),
                _ => {}
            }
        }
    }
    let mut groups = Vec::new();
    for mut group in tarjan_scc(&references) {
        group.sort_unstable();
        groups.push(group.into_iter().map(|node| &query.datatypes[node.index()]).collect());
    }
    groups
}

/// A sort. Sorts nest no deeper than types in a program.
#[must_use]
pub fn sort_text(query: &Query, id: SortId) -> String {
    match &query.sorts[id] {
        Sort::Bool => "Bool".to_owned(),
        Sort::Int => "Int".to_owned(),
        Sort::Real => "Real".to_owned(),
        Sort::BitVector(width) => format!("(_ BitVec {width})"),
        Sort::Float(exponent, significand) => format!("(_ FloatingPoint {exponent} {significand})"),
        Sort::RoundingMode => "RoundingMode".to_owned(),
        Sort::Text => "String".to_owned(),
        Sort::Regex => "(RegEx String)".to_owned(),
        Sort::Declared(name) | Sort::Datatype(name) => symbol(name),
        Sort::Theory(name, arguments) if arguments.is_empty() => name.clone(),
        Sort::Theory(name, arguments) => {
            let arguments: Vec<String> = arguments.iter().map(|it| sort_text(query, *it)).collect();
            format!("({name} {})", arguments.join(" "))
        }
        Sort::Array(index, element) => {
            format!("(Array {} {})", sort_text(query, *index), sort_text(query, *element))
        }
    }
}

fn name(id: TermId) -> String {
    format!("$t{}", id.index())
}

/// The symbol of a declared function. No function of a theory has an `@`, of those of a program only what was made of
/// them has: so a program may call its own `select` or `ite`.
#[must_use]
pub fn declared(name: &str) -> String {
    if name.contains('@') { symbol(name) } else { symbol(&format!("{name}@")) }
}

/// A name as a symbol, quoted where SMT-LIB asks for it.
#[must_use]
pub fn symbol(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    if name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit()) && !name.is_empty() {
        name.to_owned()
    } else {
        format!("|{name}|")
    }
}

fn number(text: &str) -> String {
    text.strip_prefix('-').map_or_else(|| text.to_owned(), |positive| format!("(- {positive})"))
}

fn decimal(text: &str) -> String {
    text.strip_prefix('-').map_or_else(|| format!("{text}.0"), |positive| format!("(- {positive}.0)"))
}
