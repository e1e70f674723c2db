//! Our terms to Z3's, in the order in which they stand in the query.

use std::str::FromStr;

use ivl_verifier::base::arena::Id;
use ivl_verifier::smt::joints::ANCHOR;
use ivl_verifier::smt::term::{Bound, CONTROL, Op, Quantifier, Query, Sort, SortId, Term, TermId};
use ivl_verifier::smt::text as smt_text;
use rustc_hash::FxHashMap;
use z3::ast::{Ast, Bool, Dynamic, Int, Real, RoundingMode};
use z3::{FuncDecl, Pattern, Symbol};

use crate::operations::{operation, pointwise};
use crate::theory;

/// A datatype that Z3 was told.
struct Declared {
    sort: z3::Sort,
    variants: Vec<Variant>,
}

struct Variant {
    constructor: FuncDecl,
    tester: FuncDecl,
    accessors: Vec<FuncDecl>,
}

/// The datatypes of a query as a script that asserts an equation for each constructor, test and field.
struct Script {
    text: String,
    count: usize,
}

impl Script {
    fn new(query: &Query) -> Self {
        let mut text = smt_text::sort_declarations(query);
        let mut count = 0;
        let mut equation = |text: &mut String, term: &str| {
            text.push_str(&format!("(assert (= {term} {term}))\n"));
            count += 1;
        };
        for (number, datatype) in query.datatypes.iter().enumerate() {
            let whole = format!("whole!!{number}");
            text.push_str(&format!("(declare-const {whole} {})\n", smt_text::symbol(&datatype.name)));
            for (index, constructor) in datatype.constructors.iter().enumerate() {
                let name = smt_text::symbol(&constructor.name);
                let mut parts = String::new();
                for (field, (_, sort)) in constructor.fields.iter().enumerate() {
                    let part = format!("part!!{number}!{index}!{field}");
                    text.push_str(&format!("(declare-const {part} {})\n", smt_text::sort_text(query, *sort)));
                    parts.push(' ');
                    parts.push_str(&part);
                }
                if parts.is_empty() {
                    equation(&mut text, &name);
                } else {
                    equation(&mut text, &format!("({name}{parts})"));
                }
                equation(&mut text, &format!("((_ is {name}) {whole})"));
                for (field, _) in &constructor.fields {
                    equation(&mut text, &format!("({} {whole})", smt_text::symbol(field)));
                }
            }
        }
        Self { text, count }
    }
}

/// Everything of a query that Z3 was told.
pub(crate) struct Builder {
    sorts: Vec<z3::Sort>,
    datatypes: FxHashMap<String, Declared>,
    /// By the index of the function.
    pub(crate) functions: Vec<FuncDecl>,
    /// Which of them are anchored, by the index of the function.
    anchored: Vec<bool>,
    /// What anchored functions take in front.
    anchor: Dynamic,
    /// By the index of the term.
    pub(crate) terms: Vec<Dynamic>,
    /// `ControlFlow`.
    control: FuncDecl,
    quantifiers: u32,
    /// Declares the sorts and datatypes for Z3's reader, where there are any.
    declarations: String,
}

/// Builds all terms of a query.
pub(crate) fn build(query: &Query) -> Result<Builder, String> {
    let int = z3::Sort::int();
    let mut builder = Builder {
        sorts: Vec::new(),
        datatypes: FxHashMap::default(),
        functions: Vec::new(),
        anchored: Vec::new(),
        anchor: Dynamic::new_const(ANCHOR, &z3::Sort::uninterpreted(Symbol::from(ANCHOR))),
        terms: Vec::new(),
        control: FuncDecl::new(CONTROL, &[&int, &int], &int),
        quantifiers: 0,
        declarations: smt_text::sort_declarations(query),
    };
    builder.sorts(query)?;
    builder.extend(query)?;
    Ok(builder)
}

impl Builder {
    pub(crate) fn bool(&self, id: TermId) -> Result<Bool, String> {
        self.terms
            .get(id.index())
            .and_then(Dynamic::as_bool)
            .ok_or_else(|| "an assertion is no truth value".to_owned())
    }

    /// `ControlFlow(0, block)`
    pub(crate) fn control(&self, block: u32) -> Option<Int> {
        self.control.apply(&[&Int::from_u64(0), &Int::from_u64(u64::from(block))]).as_int()
    }

    /// The name of the constructor that a test of a value looks for.
    pub(crate) fn tested(&self, test: &Dynamic, value: &Dynamic) -> Option<String> {
        let sort = value.get_sort();
        // At most one makes this term.
        let variants = self.datatypes.values().filter(|it| it.sort == sort).flat_map(|it| &it.variants);
        let found = variants.into_iter().find(|it| it.tester.apply(&[value]) == *test)?;
        Some(found.constructor.name())
    }

    /// The sort of the query that was made to this one.
    pub(crate) fn sort_id(&self, sort: &z3::Sort) -> Option<SortId> {
        self.sorts.iter().position(|it| it == sort).map(SortId::from_index)
    }

    /// Builds what a query has behind what was built: sorts, functions and terms.
    pub(crate) fn extend(&mut self, query: &Query) -> Result<(), String> {
        for sort in query.sorts.as_slice().iter().skip(self.sorts.len()) {
            let known: Vec<Option<z3::Sort>> = self.sorts.iter().cloned().map(Some).collect();
            self.sorts.push(self.sort(sort, &known).ok_or("a sort is not declared")?);
        }
        for function in query.functions.as_slice().iter().skip(self.functions.len()) {
            let anchor = function.anchored.then(|| self.anchor.get_sort());
            let arguments = function.arguments.iter().map(|sort| &self.sorts[sort.index()]);
            let arguments: Vec<&z3::Sort> = anchor.iter().chain(arguments).collect();
            let result = &self.sorts[function.result.index()];
            self.functions.push(FuncDecl::new(function.name.as_str(), &arguments, result));
            self.anchored.push(function.anchored);
        }
        for (id, term) in query.terms.iter().skip(self.terms.len()) {
            let built = self.term(term).map_err(|error| format!("term {}: {error}", id.index()))?;
            self.terms.push(built);
        }
        Ok(())
    }

    /// The sorts. Those that are made of datatypes wait until all datatypes, which may refer to each
    /// other, are there.
    fn sorts(&mut self, query: &Query) -> Result<(), String> {
        let mut known: Vec<Option<z3::Sort>> = Vec::new();
        for (_, sort) in query.sorts.iter() {
            let made = self.sort(sort, &known);
            known.push(made);
        }
        if !query.datatypes.is_empty() {
            self.datatypes(query)?;
        }
        for (id, sort) in query.sorts.iter() {
            if known[id.index()].is_none() {
                let made = match sort {
                    Sort::Datatype(name) => self.datatypes.get(name).map(|datatype| datatype.sort.clone()),
                    _ => self.sort(sort, &known),
                };
                known[id.index()] = made;
            }
        }
        self.sorts =
            known.into_iter().collect::<Option<_>>().ok_or("a sort has parts that are not declared")?;
        Ok(())
    }

    fn sort(&self, sort: &Sort, known: &[Option<z3::Sort>]) -> Option<z3::Sort> {
        Some(match sort {
            Sort::Bool => z3::Sort::bool(),
            Sort::Int => z3::Sort::int(),
            Sort::Real => z3::Sort::real(),
            Sort::BitVector(width) => z3::Sort::bitvector(*width),
            Sort::Float(exponent, significand) => z3::Sort::float(*exponent, *significand),
            Sort::RoundingMode => RoundingMode::round_towards_zero().get_sort(),
            Sort::Text => z3::Sort::string(),
            Sort::Regex => z3::ast::Regexp::empty().get_sort(),
            Sort::Declared(name) => z3::Sort::uninterpreted(Symbol::from(name.as_str())),
            Sort::Array(index, element) => {
                let index = known.get(index.index())?.as_ref()?;
                z3::Sort::array(index, known.get(element.index())?.as_ref()?)
            }
            Sort::Theory(name, arguments) if arguments.is_empty() => theory::sort(name)?,
            Sort::Theory(name, arguments) => {
                let mut sorts = Vec::new();
                for argument in arguments {
                    sorts.push(known.get(argument.index())?.as_ref()?);
                }
                match (name.as_str(), sorts.as_slice()) {
                    ("Seq", [element]) => z3::Sort::seq(element),
                    ("Set", [element]) => z3::Sort::set(element),
                    ("Array", [index, element]) => z3::Sort::array(index, element),
                    _ => {
                        let sorts: Vec<String> = sorts.iter().map(ToString::to_string).collect();
                        theory::sort(&format!("({name} {})", sorts.join(" ")))?
                    }
                }
            }
            Sort::Datatype(_) => return None,
        })
    }

    /// The datatypes, which may refer to each other through maps as well: Z3's reader knows how.
    fn datatypes(&mut self, query: &Query) -> Result<(), String> {
        let script = Script::new(query);
        let terms = theory::read(&script.text, script.count)
            .ok_or("the solver does not accept the datatypes of this program")?;
        let mut terms = terms.into_iter();
        let mut decl = || {
            let term = terms.next().ok_or("a part of a datatype is missing")?;
            Ok::<_, String>((term.decl(), term))
        };
        for datatype in &query.datatypes {
            let mut variants = Vec::new();
            let mut sort = None;
            for constructor in &datatype.constructors {
                let (make, made) = decl()?;
                sort = Some(made.get_sort());
                let (test, _) = decl()?;
                let mut accessors = Vec::new();
                for _ in &constructor.fields {
                    accessors.push(decl()?.0);
                }
                variants.push(Variant { constructor: make, tester: test, accessors });
            }
            let sort = sort.ok_or("a datatype has no constructors")?;
            self.datatypes.insert(datatype.name.clone(), Declared { sort, variants });
        }
        Ok(())
    }

    fn part(&self, id: TermId) -> Result<&Dynamic, String> {
        self.terms.get(id.index()).ok_or_else(|| "a part is missing".to_owned())
    }

    fn parts(&self, ids: &[TermId]) -> Result<Vec<&Dynamic>, String> {
        ids.iter().map(|id| self.part(*id)).collect()
    }

    fn term(&mut self, term: &Term) -> Result<Dynamic, String> {
        Ok(match term {
            Term::Bool(value) => Bool::from_bool(*value).into(),
            Term::Int(value) => {
                Int::from_str(&value.to_string()).map_err(|()| "no number".to_owned())?.into()
            }
            Term::Real(numerator, denominator) => {
                Real::from_rational_str(&numerator.to_string(), &denominator.to_string())
                    .ok_or("no number")?
                    .into()
            }
            Term::BitVector(value, width) => {
                z3::ast::BV::from_str(*width, &value.to_string()).ok_or("no number")?.into()
            }
            Term::Text(text) => z3::ast::String::from(text.as_str()).into(),
            Term::RoundingMode(mode) => Dynamic::from_ast(&match mode.as_str() {
                "RNE" => RoundingMode::round_nearest_ties_to_even(),
                "RNA" => RoundingMode::round_nearest_ties_to_away(),
                "RTP" => RoundingMode::round_towards_positive(),
                "RTN" => RoundingMode::round_towards_negative(),
                _ => RoundingMode::round_towards_zero(),
            }),
            Term::Control(block) => {
                self.control.apply(&[&Int::from_u64(0), &Int::from_u64(u64::from(*block))])
            }
            Term::Apply(function, arguments) => {
                let arguments = self.parts(arguments)?;
                let declared = self.functions.get(function.index()).ok_or("a function is missing")?;
                let anchor = self.anchored[function.index()].then_some(&self.anchor as &dyn Ast);
                let arguments = arguments.iter().map(|it| *it as &dyn Ast);
                let arguments: Vec<&dyn Ast> = anchor.into_iter().chain(arguments).collect();
                declared.apply(&arguments)
            }
            Term::Bound(bound) => self.bound(bound)?,
            Term::Op(op, parts) => {
                let parts = self.parts(parts)?;
                match op {
                    Op::Construct(name, index) => apply(&self.variant(name, *index)?.constructor, &parts),
                    Op::Test(name, index) => apply(&self.variant(name, *index)?.tester, &parts),
                    Op::Field(name, index, field) => {
                        let variant = self.variant(name, *index)?;
                        let accessor = variant.accessors.get(*field as usize).ok_or("a field is missing")?;
                        apply(accessor, &parts)
                    }
                    Op::ConstArray(sort) => {
                        let sort = self.sorts.get(sort.index()).ok_or("a sort is missing")?;
                        let domain = sort.array_domain().ok_or("a constant map is no map")?;
                        let [element] = *parts else {
                            return Err("a constant map has one element".to_owned());
                        };
                        let map: Dynamic = z3::ast::Array::const_array(&domain, element).into();
                        if map.get_sort() != *sort {
                            return Err("a constant map has elements of another type".to_owned());
                        }
                        map
                    }
                    Op::Named(name) => operation(op, &parts).or_else(|error| {
                        let declared = (!self.declarations.is_empty())
                            .then(|| {
                                let name = pointwise(name).unwrap_or(name);
                                theory::applied(name, &parts, &self.declarations)
                            })
                            .flatten();
                        declared.ok_or(error)
                    })?,
                    _ => operation(op, &parts)?,
                }
            }
            Term::Quantifier(quantifier) => self.quantifier(quantifier)?,
        })
    }

    fn variant(&self, name: &str, index: u32) -> Result<&Variant, String> {
        let datatype = self.datatypes.get(name).ok_or("a datatype is missing")?;
        datatype.variants.get(index as usize).ok_or_else(|| "a constructor is missing".to_owned())
    }

    /// Bound variables are constants with names of their own, which Z3 abstracts from the body.
    fn bound(&self, bound: &Bound) -> Result<Dynamic, String> {
        let sort = self.sorts.get(bound.sort.index()).ok_or("a sort is missing")?;
        Ok(Dynamic::new_const(format!("{}!{}", bound.name, bound.level), sort))
    }

    fn quantifier(&mut self, quantifier: &Quantifier) -> Result<Dynamic, String> {
        let number = self.quantifiers;
        self.quantifiers += 1;
        let mut bound = Vec::new();
        for variable in &quantifier.bound {
            bound.push(self.bound(variable)?);
        }
        let bound: Vec<&dyn Ast> = bound.iter().map(|it| it as &dyn Ast).collect();
        let mut patterns = Vec::new();
        for terms in &quantifier.triggers {
            let terms = self.parts(terms)?;
            // The solver has no pattern with connectives or binders in it, and none that leaves a bound variable
            // out (as where an inlined function does not use its argument): it chooses its own instead.
            if !terms.iter().all(|term| is_pattern(term)) || !mention_all(&terms, &bound) {
                continue;
            }
            let terms: Vec<&dyn Ast> = terms.iter().map(|it| *it as &dyn Ast).collect();
            patterns.push(Pattern::new(&terms));
        }
        let patterns: Vec<&Pattern> = patterns.iter().collect();
        // Patterns say which instances are made; what is no pattern is only to be told where the solver chooses.
        let no_triggers = if patterns.is_empty() { quantifier.no_triggers.as_slice() } else { &[] };
        let no_patterns = self.parts(no_triggers)?;
        let no_patterns: Vec<&dyn Ast> = no_patterns.iter().map(|it| *it as &dyn Ast).collect();
        let body =
            self.part(quantifier.body)?.as_bool().ok_or("the body of a quantifier is no truth value")?;
        Ok(z3::ast::quantifier_const(
            quantifier.universal,
            quantifier.weight,
            format!("q{number}"),
            format!("sk{number}"),
            &bound,
            &patterns,
            &no_patterns,
            &body,
        )
        .into())
    }
}

fn apply(function: &FuncDecl, parts: &[&Dynamic]) -> Dynamic {
    let parts: Vec<&dyn Ast> = parts.iter().map(|it| *it as &dyn Ast).collect();
    function.apply(&parts)
}

/// Whether each bound variable occurs in one of some terms.
fn mention_all(terms: &[&Dynamic], bound: &[&dyn Ast]) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut work: Vec<Dynamic> = terms.iter().map(|term| (*term).clone()).collect();
    while let Some(term) = work.pop() {
        if seen.insert(term.clone()) {
            work.extend(term.children());
        }
    }
    bound.iter().all(|variable| seen.contains(&Dynamic::from_ast(*variable)))
}

/// Whether the solver accepts a term as part of a pattern.
fn is_pattern(term: &Dynamic) -> bool {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut work = vec![term.clone()];
    let mut applies = false;
    while let Some(term) = work.pop() {
        if !seen.insert(term.clone()) {
            continue;
        }
        let Ok(decl) = term.safe_decl() else { return false };
        let connective = matches!(
            decl.kind(),
            z3::DeclKind::Not
                | z3::DeclKind::And
                | z3::DeclKind::Or
                | z3::DeclKind::Xor
                | z3::DeclKind::Implies
                | z3::DeclKind::Iff
                | z3::DeclKind::Eq
                | z3::DeclKind::Distinct
                | z3::DeclKind::Ite
        );
        if connective && term.num_children() > 0 {
            return false;
        }
        applies |= term.num_children() > 0;
        work.extend(term.children());
    }
    applies
}
