//! The assertion language: `:- [Status] Kind Head [:: Compat] [: Calls] [=> Success] [+ Comp] [# "text"].`

mod formula;
mod head;
mod qualified;

pub(super) use self::formula::Formula;
pub use self::head::Head;
use super::modes::{ModeFields, Modes};
use crate::machine::CheckFlags;
use crate::term::{Atom, Atoms, Cell, Store, Tag, atom};

/// What an assertion says of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AssertionKind {
    /// What calls look like, and for those calls what holds on success and of the computation.
    Pred,
    /// What calls look like.
    Calls,
    /// What holds on success of some calls.
    Success,
    /// What holds of the computation of some calls.
    Comp,
    /// What calls from other modules look like.
    Entry,
    /// What holds on success of calls from other modules.
    Exit,
    /// A unit test.
    Test,
    /// A goal that shows how the predicate is used: a unit test that checks nothing by itself.
    Texec,
}

/// Whether an assertion is to be believed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AssertionStatus {
    /// To be checked.
    #[default]
    Check,
    /// Believed by analysers, checked while running unless a flag says otherwise.
    Trust,
    /// Proved by an analyser.
    True,
    /// Proved to hold where it was to be checked.
    Checked,
    /// Proved not to hold.
    False,
}

impl AssertionStatus {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "check" => Self::Check,
            "trust" => Self::Trust,
            "true" => Self::True,
            "checked" => Self::Checked,
            "false" => Self::False,
            _ => return None,
        })
    }
}

/// An assertion, its modes and star forms written out as properties.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// What it says.
    pub kind: AssertionKind,
    /// Whether it is to be believed.
    pub status: AssertionStatus,
    /// The predicate.
    pub head: Head,
    /// What calls, and then successes, must be compatible with.
    pub compat: Formula,
    /// What calls look like. In an assertion that does not restrict calls: which calls it speaks of.
    pub calls: Formula,
    /// What holds on success.
    pub success: Formula,
    /// What holds of the computation.
    pub comp: Vec<Cell>,
    /// The calls, success and computation fields as they were written.
    pub written: [Option<Cell>; 3],
    /// Whether the calls field is a goal to be run, as in a unit test; [`Assertion::calls`] is without it.
    pub goal: bool,
    /// The text behind `#`.
    pub comment: Option<Cell>,
}

impl Assertion {
    /// Whether the flags let it be checked.
    #[must_use]
    pub fn is_checked(&self, flags: CheckFlags) -> bool {
        let status = match self.status {
            AssertionStatus::Check => true,
            AssertionStatus::Trust => flags.trust,
            AssertionStatus::True | AssertionStatus::Checked | AssertionStatus::False => false,
        };
        let kind = match self.kind {
            AssertionKind::Entry => flags.entry,
            AssertionKind::Exit => flags.exit,
            AssertionKind::Test => flags.test,
            AssertionKind::Texec => false,
            _ => true,
        };
        status && kind
    }
}

/// A declaration of the assertion language.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// An assertion on a predicate.
    Assertion(Assertion),
    /// `regtype`: the predicate is a regular type. `prop`: it is a property.
    Property {
        /// The module that stands in front of it, if one does.
        module: Option<Atom>,
        /// Its name.
        name: Atom,
        /// Its number of arguments.
        arity: usize,
        /// Whether it is declared to be a regular type.
        regtype: bool,
    },
    /// Read, and without meaning at run time.
    Ignored,
}

/// Reads the term of a directive. `None` if it is not a declaration of the assertion language. `is_module` tells the
/// names in front of a `:` that are modules from predicates without arguments, of which a condition follows.
///
/// # Errors
/// What is wrong with the declaration.
pub fn parse(
    store: &mut Store,
    atoms: &mut Atoms,
    modes: &mut Modes,
    is_module: &dyn Fn(Atom) -> bool,
    directive: Cell,
) -> Option<Result<Declaration, String>> {
    let directive = store.deref(directive);
    let (name, arity) = store.functor(directive)?;
    let mut word = atoms.text(name).to_owned();
    let mut body = directive;
    let mut status = AssertionStatus::Check;
    if let (Some(given), 1) = (AssertionStatus::named(&word), arity) {
        let inner = store.argument(directive, 0);
        let (inner_name, 1) = store.functor(inner)? else { return None };
        status = given;
        word = atoms.text(inner_name).to_owned();
        body = inner;
    }
    let kind = match word.as_str() {
        "pred" => Some(AssertionKind::Pred),
        "calls" => Some(AssertionKind::Calls),
        "success" => Some(AssertionKind::Success),
        "comp" => Some(AssertionKind::Comp),
        "entry" => Some(AssertionKind::Entry),
        "exit" => Some(AssertionKind::Exit),
        "test" => Some(AssertionKind::Test),
        "texec" => Some(AssertionKind::Texec),
        "prop" | "regtype" | "modedef" | "decl" => None,
        _ => return None,
    };
    if store.functor(body)?.1 != 1 {
        return None;
    }
    let body = store.argument(body, 0);
    let mut parser = Parser { store, atoms, modes, is_module };
    Some(match (kind, word.as_str()) {
        (Some(kind), _) => parser.assertion(kind, status, body).map(Declaration::Assertion),
        (None, "modedef") => parser.mode_definition(body).map(|()| Declaration::Ignored),
        (None, "decl") => Ok(Declaration::Ignored),
        (None, word) => parser.property(body, word == "regtype"),
    })
}

/// The fields of an assertion as they were written.
struct Fields {
    /// The module in front of the head.
    module: Option<Atom>,
    head: Cell,
    compat: Option<Cell>,
    calls: Option<Cell>,
    success: Option<Cell>,
    comp: Vec<Cell>,
    comment: Option<Cell>,
}

struct Parser<'a> {
    store: &'a mut Store,
    atoms: &'a mut Atoms,
    modes: &'a mut Modes,
    is_module: &'a dyn Fn(Atom) -> bool,
}

impl Parser<'_> {
    /// Takes an assertion apart at its fields' marks.
    fn split(&mut self, body: Cell) -> Fields {
        let mut fields = Fields {
            module: None,
            head: body,
            compat: None,
            calls: None,
            success: None,
            comp: Vec::new(),
            comment: None,
        };
        let mut body = self.store.deref(body);
        // `m:(p(X) => q(X))`: the module stands in front of all of it.
        if let Some([module, inner]) = self.store.match_structure::<2>(body, atom::COLON)
            && module.tag() == Tag::Atm
            && (self.is_module)(module.as_atom())
            && [atom::IMPLIES, atom::DOUBLE_COLON, atom::PLUS, atom::HASH]
                .iter()
                .any(|&mark| self.store.match_structure::<2>(inner, mark).is_some())
        {
            fields.module = Some(module.as_atom());
            body = self.store.deref(inner);
        }
        let mut rest = self.peel(body, &mut fields);
        let mut head = None;
        if let Some([left, right]) = self.store.match_structure::<2>(rest, atom::DOUBLE_COLON) {
            head = Some(self.peel(left, &mut fields));
            rest = self.peel(right, &mut fields);
        }
        if let Some([left, right]) = self.store.match_structure::<2>(rest, atom::IMPLIES) {
            fields.success = Some(self.peel(right, &mut fields));
            rest = self.peel(left, &mut fields);
        }
        // `Head : X > 0` without brackets reads as `(Head : X) > 0`.
        if let Some([left, right]) = self.comparison(rest)
            && let Some([first, field]) = self.store.match_structure::<2>(left, atom::COLON)
        {
            let right = self.peel(right, &mut fields);
            let (name, _) = self.store.functor(rest).unwrap_or((atom::EQUALS, 2));
            rest = match self.qualified_head(first, field) {
                // `m:p(X) : X > 0` reads as `(m:(p(X) : X)) > 0`.
                Some((head, Some(field))) => {
                    let field = self.store.compound(name, &[field, right]);
                    let inner = self.store.compound(atom::COLON, &[head, field]);
                    self.store.compound(atom::COLON, &[first, inner])
                }
                _ => {
                    let field = self.store.compound(name, &[field, right]);
                    self.store.compound(atom::COLON, &[first, field])
                }
            };
        }
        if head.is_none()
            && let Some([module, inner]) = self.store.match_structure::<2>(rest, atom::COLON)
            && let Some((inner, calls)) = self.qualified_head(module, inner)
        {
            fields.module = Some(module.as_atom());
            if let Some(calls) = calls {
                fields.calls = Some(self.peel(calls, &mut fields));
            }
            rest = self.peel(inner, &mut fields);
        } else if let Some([left, right]) = self.store.match_structure::<2>(rest, atom::COLON) {
            fields.calls = Some(self.peel(right, &mut fields));
            rest = self.peel(left, &mut fields);
        }
        match head {
            Some(head) => {
                fields.head = head;
                fields.compat = Some(rest);
            }
            None => fields.head = rest,
        }
        self.take_module(&mut fields);
        fields
    }

    /// The sides of an equation or comparison.
    fn comparison(&self, term: Cell) -> Option<[Cell; 2]> {
        let (name, 2) = self.store.functor(term)? else { return None };
        matches!(
            name,
            atom::EQUALS
                | atom::NOT_EQUALS
                | atom::IDENTICAL
                | atom::NOT_IDENTICAL
                | atom::TERM_LESS
                | atom::TERM_GREATER
                | atom::TERM_LESS_EQUAL
                | atom::TERM_GREATER_EQUAL
                | atom::UNIV
                | atom::IS
                | atom::ARITH_EQUAL
                | atom::ARITH_NOT_EQUAL
                | atom::LESS
                | atom::GREATER
                | atom::LESS_EQUAL
                | atom::GREATER_EQUAL
        )
        .then(|| [self.store.argument(term, 0), self.store.argument(term, 1)])
    }

    /// Takes computation properties and comments off the right end of a field.
    fn peel(&mut self, term: Cell, fields: &mut Fields) -> Cell {
        let mut term = self.store.deref(term);
        let mut comp = Vec::new();
        loop {
            if let Some([inner, comment]) = self.store.match_structure::<2>(term, atom::HASH) {
                fields.comment.get_or_insert(comment);
                term = inner;
            } else if let Some([inner, property]) = self.store.match_structure::<2>(term, atom::PLUS)
                // `'+'(A,T)` is the head of a mode.
                && self.store.deref(inner).tag() != Tag::Ref
            {
                comp.push(property);
                term = inner;
            } else if let Some([left, right]) = self.comparison(term)
                && let Some([inner, comment]) = self.store.match_structure::<2>(right, atom::HASH)
                && self.is_text(comment)
            {
                // `=> X = 1 # "text"` reads as `X = (1 # "text")`.
                fields.comment.get_or_insert(comment);
                let (name, _) = self.store.functor(term).unwrap_or((atom::EQUALS, 2));
                term = self.store.compound(name, &[left, inner]);
            } else {
                break;
            }
        }
        comp.reverse();
        // What stands further left was taken off later, but comes first.
        fields.comp.splice(0..0, comp);
        term
    }

    /// Whether a term can be the text behind `#`.
    fn is_text(&self, term: Cell) -> bool {
        matches!(term.tag(), Tag::Atm | Tag::Txt | Tag::Lis | Tag::Str)
    }

    fn property(&mut self, body: Cell, regtype: bool) -> Result<Declaration, String> {
        let fields = self.split(body);
        let (name, arity) = match self.indicator(fields.head) {
            Some(indicator) => indicator,
            None => self.store.functor(fields.head).ok_or("expected the name of a property")?,
        };
        let mut said = Vec::new();
        for &comp in &fields.comp {
            self.conjuncts(comp, &mut said);
        }
        let word = self.atoms.intern("regtype");
        let regtype = regtype
            || said.iter().any(|&cell| self.store.functor(cell).is_some_and(|(name, _)| name == word));
        Ok(Declaration::Property { module: fields.module, name, arity, regtype })
    }

    /// `Name/Arity`.
    fn indicator(&self, term: Cell) -> Option<(Atom, usize)> {
        let [name, arity] = self.store.match_structure::<2>(term, atom::SLASH)?;
        let arity = (arity.tag() == Tag::Int).then(|| usize::try_from(arity.int_value()).ok())??;
        (name.tag() == Tag::Atm && arity <= 255).then(|| (name.as_atom(), arity))
    }

    fn assertion(
        &mut self,
        kind: AssertionKind,
        status: AssertionStatus,
        body: Cell,
    ) -> Result<Assertion, String> {
        let fields = self.split(body);
        let mut modes = ModeFields::default();
        let terms = kind == AssertionKind::Texec;
        let is_test = matches!(kind, AssertionKind::Test | AssertionKind::Texec);
        let mut head = self.head(fields.head, terms, is_test, &mut modes)?;
        head.module = fields.module;
        // The precondition of a test is a goal that is run, however it is built.
        let calls_as_goal = is_test && fields.calls.is_some_and(|field| !formula::is_star(self.store, field));
        // Of what nothing else in the assertion speaks, only a test's goals can have made something.
        let others = |parser: &Self, own: Option<Cell>| {
            let parts = [Some(fields.head), fields.compat, fields.calls, fields.success];
            let parts = parts.into_iter().filter(|&part| part != own).flatten();
            let variables = parts.chain(fields.comp.iter().copied());
            (!is_test)
                .then(|| variables.flat_map(|part| crate::term::variables(parser.store, part)).collect())
        };
        let [of_compat, of_calls, of_success]: [Option<Vec<Cell>>; 3] =
            [fields.compat, fields.calls, fields.success].map(|field| others(self, field));
        let compat = self.with_modes(fields.compat, &modes.compat, &head, of_compat.as_deref())?;
        let calls = if calls_as_goal {
            vec![modes.calls.clone()]
        } else {
            self.with_modes(fields.calls, &modes.calls, &head, of_calls.as_deref())?
        };
        let success = self.with_modes(fields.success, &modes.success, &head, of_success.as_deref())?;
        let mut comp = modes.comp;
        for &property in &fields.comp {
            self.conjuncts(property, &mut comp);
        }
        if let Some(&bad) = comp.iter().find(|&&cell| self.store.functor(cell).is_none()) {
            let what = if bad.tag() == Tag::Ref { "a variable" } else { "a number" };
            return Err(format!("expected a property of the computation, found {what}"));
        }
        let misplaced = match kind {
            AssertionKind::Calls | AssertionKind::Entry if fields.success.is_some() => Some("success (`=>`)"),
            AssertionKind::Calls | AssertionKind::Entry | AssertionKind::Success | AssertionKind::Exit
                if !fields.comp.is_empty() =>
            {
                Some("computation (`+`)")
            }
            AssertionKind::Comp if fields.success.is_some() => Some("success (`=>`)"),
            _ => None,
        };
        if let Some(field) = misplaced {
            return Err(format!("this kind of assertion has no {field} field: use `pred`"));
        }
        let written_comp = (!fields.comp.is_empty()).then(|| {
            let all = comp.clone();
            self.store.list(&all, Cell::atom(atom::NIL))
        });
        Ok(Assertion {
            kind,
            status,
            head,
            compat,
            calls,
            success,
            comp,
            written: [fields.calls, fields.success, written_comp],
            goal: calls_as_goal,
            comment: fields.comment,
        })
    }

    /// `modedef Mode(Argument, Parameter...) ...`.
    fn mode_definition(&mut self, body: Cell) -> Result<(), String> {
        let split = self.split(body);
        let expected = "expected a mode such as `in(A)` or `in(A,T)` with distinct variables";
        let (name, arity @ 1..) = self.store.functor(split.head).ok_or(expected)? else {
            return Err(expected.to_owned());
        };
        let arguments: Vec<Cell> = (0..arity).map(|i| self.store.argument(split.head, i)).collect();
        let distinct = |i: usize| arguments[i].tag() == Tag::Ref && !arguments[..i].contains(&arguments[i]);
        if !(0..arity).all(distinct) {
            return Err(expected.to_owned());
        }
        let conjunction = |field: Option<Cell>| -> Result<Vec<Cell>, String> {
            let formula = formula::alternatives(self.store, field)?;
            match <[Vec<Cell>; 1]>::try_from(formula) {
                Ok([literals]) => Ok(literals),
                Err(_) => Err("the definition of a mode cannot have alternatives".to_owned()),
            }
        };
        let (compat, calls, success) =
            (conjunction(split.compat)?, conjunction(split.calls)?, conjunction(split.success)?);
        let mut fields = ModeFields { compat, calls, success, comp: Vec::new() };
        for &property in &split.comp {
            self.conjuncts(property, &mut fields.comp);
        }
        self.modes.define(self.store, name, arguments[0], &arguments[1..], &fields);
        Ok(())
    }

    /// The elements of a conjunction, of a list or of braces, without `true`.
    fn conjuncts(&self, term: Cell, into: &mut Vec<Cell>) {
        let mut pending = vec![term];
        while let Some(term) = pending.pop() {
            let term = self.store.deref(term);
            if let Some([left, right]) = self.store.match_structure::<2>(term, atom::COMMA) {
                pending.extend([right, left]);
            } else if let Some([inner]) = self.store.match_structure::<1>(term, atom::CURLY) {
                pending.push(inner);
            } else if let Some([head, tail]) = self.store.match_structure::<2>(term, atom::DOT) {
                pending.extend([tail, head]);
            } else if term != Cell::atom(atom::TRUE) && term != Cell::atom(atom::NIL) {
                into.push(term);
            }
        }
    }

    fn with_modes(
        &mut self,
        field: Option<Cell>,
        of_modes: &[Cell],
        head: &Head,
        others: Option<&[Cell]>,
    ) -> Result<Formula, String> {
        let mut formula = formula::field(self.store, field, head, others)?;
        for conjunction in &mut formula {
            conjunction.splice(0..0, of_modes.iter().copied());
        }
        Ok(formula)
    }
}
