//! The assertion language: `:- [Status] Kind Head [:: Compat] [: Calls] [=> Success] [+ Comp] [# "text"].`

use crate::term::{Atom, Atoms, Cell, Store, Tag, atom};

/// Conjunctions of property literals, of which one must hold. An empty conjunction is `true`.
pub(super) type Formula = Vec<Vec<Cell>>;

/// More alternatives than this in one formula are refused.
const MAX_ALTERNATIVES: usize = 64;

/// The predicate an assertion speaks of.
#[derive(Clone, Debug)]
pub struct Head {
    /// Its name.
    pub name: Atom,
    /// Its arguments: distinct free variables.
    pub arguments: Vec<Cell>,
}

/// An assertion on the calls and successes of a predicate.
#[derive(Clone, Debug)]
pub struct Assertion {
    /// The predicate.
    pub head: Head,
    /// What calls may look like; `None` if the assertion does not say (a `success` assertion whose
    /// precondition only guards its postcondition has one, but [`Assertion::restricts_calls`] is false).
    pub calls: Formula,
    /// What must hold on success.
    pub success: Formula,
    /// Whether calls that do not satisfy [`Assertion::calls`] are violations.
    pub restricts_calls: bool,
    /// Parts that are read but not checked at run time, in words.
    pub unchecked: Vec<&'static str>,
}

/// A declaration of the assertion language.
#[derive(Clone, Debug)]
pub enum Declaration {
    /// `pred`, `calls`, `success`, `entry`, `exit`.
    Assertion(Assertion),
    /// `regtype`: the predicate is a regular type. `prop`: it is a property.
    Property {
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

/// Reads the term of a directive. `None` if it is not a declaration of the assertion language.
///
/// # Errors
/// What is wrong with the declaration.
pub fn parse(store: &mut Store, atoms: &mut Atoms, directive: Cell) -> Option<Result<Declaration, String>> {
    let directive = store.deref(directive);
    let (name, arity) = store.functor(directive)?;
    let mut kind = atoms.text(name).to_owned();
    let mut body = directive;
    let mut status = "check".to_owned();
    if arity == 1 && matches!(kind.as_str(), "check" | "trust" | "true" | "false" | "checked") {
        let inner = store.argument(directive, 0);
        let (inner_name, 1) = store.functor(inner)? else { return None };
        status = std::mem::replace(&mut kind, atoms.text(inner_name).to_owned());
        body = inner;
    }
    let known =
        ["pred", "calls", "success", "comp", "entry", "exit", "prop", "regtype", "test", "texec", "decl"];
    if !known.contains(&kind.as_str()) || store.functor(body)?.1 != 1 {
        return None;
    }
    let body = store.argument(body, 0);
    let mut parser = Parser { store, atoms };
    Some(match kind.as_str() {
        "prop" | "regtype" => parser.property(body, kind == "regtype"),
        "test" | "texec" | "decl" | "comp" => Ok(Declaration::Ignored),
        // What is proved or known to be false is not checked again.
        _ if matches!(status.as_str(), "true" | "checked" | "false") => Ok(Declaration::Ignored),
        _ => parser.assertion(&kind, body),
    })
}

struct Parser<'a> {
    store: &'a mut Store,
    atoms: &'a mut Atoms,
}

impl Parser<'_> {
    fn property(&mut self, body: Cell, regtype: bool) -> Result<Declaration, String> {
        let (head, _) = self.peel(body);
        let head = match self.store.match_structure::<2>(head, atom::IMPLIES) {
            Some([head, _]) => head,
            None => head,
        };
        let head = match self.store.match_structure::<2>(head, atom::COLON) {
            Some([head, _]) => head,
            None => head,
        };
        let (name, arity) = match self.indicator(head) {
            Some(indicator) => indicator,
            None => self.store.functor(head).ok_or("expected the name of a property")?,
        };
        Ok(Declaration::Property { name, arity, regtype })
    }

    /// `Name/Arity`.
    fn indicator(&self, term: Cell) -> Option<(Atom, usize)> {
        let [name, arity] = self.store.match_structure::<2>(term, atom::SLASH)?;
        let arity = (arity.tag() == Tag::Int).then(|| usize::try_from(arity.int_value()).ok())??;
        (name.tag() == Tag::Atm && arity <= 255).then(|| (name.as_atom(), arity))
    }

    /// Takes computation properties and comments off the right end of a field.
    fn peel(&self, term: Cell) -> (Cell, bool) {
        let mut term = self.store.deref(term);
        let mut computational = false;
        loop {
            if let Some([inner, _]) = self.store.match_structure::<2>(term, atom::HASH) {
                term = inner;
            } else if let Some([inner, _]) = self.store.match_structure::<2>(term, atom::PLUS) {
                term = inner;
                computational = true;
            } else {
                return (term, computational);
            }
        }
    }

    fn assertion(&mut self, kind: &str, body: Cell) -> Result<Declaration, String> {
        let mut unchecked = Vec::new();
        let (mut rest, mut computational) = self.peel(body);
        let mut compatibility = None;
        let mut head = None;
        if let Some([left, right]) = self.store.match_structure::<2>(rest, atom::DOUBLE_COLON) {
            head = Some(left);
            compatibility = Some(right);
            rest = right;
        }
        let mut success_field = None;
        if let Some([left, right]) = self.store.match_structure::<2>(rest, atom::IMPLIES) {
            let (field, plus) = self.peel(right);
            success_field = Some(field);
            computational |= plus;
            rest = left;
        }
        let mut calls_field = None;
        if let Some([left, right]) = self.store.match_structure::<2>(rest, atom::COLON) {
            let (field, plus) = self.peel(right);
            calls_field = Some(field);
            computational |= plus;
            rest = left;
        }
        if computational {
            unchecked.push("computation properties (`+`)");
        }
        if compatibility.is_some() {
            unchecked.push("compatibility properties (`::`)");
        }
        let (head_term, _) = self.peel(head.unwrap_or(rest));
        let mut modes = Modes::default();
        let head = self.head(head_term, &mut modes)?;
        let mut calls = self.field(calls_field, &head)?;
        let mut success = self.field(success_field, &head)?;
        for conjunction in &mut calls {
            conjunction.splice(0..0, modes.calls.iter().copied());
        }
        for conjunction in &mut success {
            conjunction.splice(0..0, modes.success.iter().copied());
        }
        let restricts_calls = matches!(kind, "pred" | "calls" | "entry");
        if matches!(kind, "calls" | "entry") {
            success = vec![Vec::new()];
        }
        Ok(Declaration::Assertion(Assertion { head, calls, success, restricts_calls, unchecked }))
    }

    /// The predicate and its arguments; modes become properties.
    fn head(&mut self, term: Cell, modes: &mut Modes) -> Result<Head, String> {
        if let Some((name, arity)) = self.indicator(term) {
            let arguments = (0..arity).map(|_| self.store.variable()).collect();
            return Ok(Head { name, arguments });
        }
        let (name, arity) =
            self.store.functor(term).ok_or("expected a predicate, `Name/Arity` or `Name(...)`")?;
        let mut arguments = Vec::with_capacity(arity);
        for i in 0..arity {
            let argument = self.store.argument(term, i);
            let variable = if argument.tag() == Tag::Ref { argument } else { self.mode(argument, modes)? };
            if arguments.contains(&variable) {
                return Err("the arguments of an assertion's head must be distinct".to_owned());
            }
            arguments.push(variable);
        }
        Ok(Head { name, arguments })
    }

    /// An argument with a mode: `+X`, `-X`, `?X`, `@X`, or `+T` and so on with a type in place of the variable
    /// (reference: isomodes). The properties go to the fields.
    fn mode(&mut self, argument: Cell, modes: &mut Modes) -> Result<Cell, String> {
        let mode = match self.store.functor(argument) {
            Some((name, 1)) => self.atoms.text(name).to_owned(),
            Some((name, 0)) => {
                // A mode alone, as in `p(+, -)`.
                let variable = self.store.variable();
                self.mode_properties(self.atoms.text(name).to_owned().as_str(), variable, None, modes)?;
                return Ok(variable);
            }
            _ => return Err("expected a variable or a mode as an argument of the head".to_owned()),
        };
        let inner = self.store.argument(argument, 0);
        let (variable, property) =
            if inner.tag() == Tag::Ref { (inner, None) } else { (self.store.variable(), Some(inner)) };
        self.mode_properties(&mode, variable, property, modes)?;
        Ok(variable)
    }

    fn mode_properties(
        &mut self,
        mode: &str,
        variable: Cell,
        property: Option<Cell>,
        modes: &mut Modes,
    ) -> Result<(), String> {
        let typed = property.map(|property| self.apply(property, variable)).transpose()?;
        match (mode, typed) {
            ("+", Some(typed)) => modes.calls.push(typed),
            ("+", None) => modes.calls.push(self.store.compound(atom::NONVAR, &[variable])),
            ("-", typed) => {
                modes.calls.push(self.store.compound(atom::VAR, &[variable]));
                modes.success.extend(typed);
            }
            ("?" | "@", typed) => modes.success.extend(typed),
            _ => return Err(format!("unknown mode `{mode}`: use +, -, ? or @")),
        }
        Ok(())
    }

    /// A property's name, perhaps with parameters, applied to a term.
    fn apply(&mut self, property: Cell, term: Cell) -> Result<Cell, String> {
        let property = self.store.deref(property);
        let (name, arity) = self.store.functor(property).ok_or("expected the name of a property")?;
        let mut arguments: Vec<Cell> = (0..arity).map(|i| self.store.argument(property, i)).collect();
        arguments.push(term);
        Ok(self.store.compound(name, &arguments))
    }

    /// A field as a disjunction of conjunctions; an absent field is `true`.
    fn field(&mut self, field: Option<Cell>, head: &Head) -> Result<Formula, String> {
        let Some(field) = field else { return Ok(vec![Vec::new()]) };
        if self.store.match_structure::<2>(field, atom::STAR).is_some()
            || (head.arguments.len() == 1 && field.tag() == Tag::Atm && field != Cell::atom(atom::TRUE))
        {
            return self.star_form(field, head);
        }
        // Conjunctions and disjunctions nest to the right as a rule; others are multiplied out as they come.
        let mut done: Formula = Vec::new();
        let mut pending = vec![(Vec::new(), vec![field])];
        while let Some((mut literals, mut rest)) = pending.pop() {
            let Some(term) = rest.pop() else {
                done.push(literals);
                if done.len() > MAX_ALTERNATIVES {
                    return Err(format!("more than {MAX_ALTERNATIVES} alternatives in one assertion"));
                }
                continue;
            };
            let term = self.store.deref(term);
            if let Some([left, right]) = self.store.match_structure::<2>(term, atom::COMMA) {
                rest.extend([right, left]);
                pending.push((literals, rest));
            } else if let Some([left, right]) = self.store.match_structure::<2>(term, atom::SEMICOLON) {
                let mut other = rest.clone();
                other.push(right);
                rest.push(left);
                pending.push((literals.clone(), other));
                pending.push((literals, rest));
            } else {
                if self.store.functor(term).is_none() {
                    return Err("expected a property".to_owned());
                }
                if term != Cell::atom(atom::TRUE) {
                    literals.push(term);
                }
                pending.push((literals, rest));
            }
        }
        Ok(done)
    }

    /// `int * list(int) * {atm, nonvar}`: one entry per argument.
    fn star_form(&mut self, field: Cell, head: &Head) -> Result<Formula, String> {
        let mut entries = Vec::new();
        let mut rest = field;
        while let Some([left, right]) = self.store.match_structure::<2>(rest, atom::STAR) {
            entries.push(right);
            rest = left;
        }
        entries.push(rest);
        entries.reverse();
        if entries.len() != head.arguments.len() {
            return Err(format!(
                "the field has {} entries, the predicate {} arguments",
                entries.len(),
                head.arguments.len()
            ));
        }
        let mut literals = Vec::new();
        for (entry, &argument) in entries.into_iter().zip(&head.arguments) {
            let mut properties = vec![entry];
            if let Some([inner]) = self.store.match_structure::<1>(entry, atom::CURLY) {
                properties = vec![inner];
            }
            while let Some(property) = properties.pop() {
                if let Some([left, right]) = self.store.match_structure::<2>(property, atom::COMMA) {
                    properties.extend([right, left]);
                } else {
                    literals.push(self.apply(property, argument)?);
                }
            }
        }
        Ok(vec![literals])
    }
}

/// Properties that modes stand for.
#[derive(Default)]
struct Modes {
    calls: Vec<Cell>,
    success: Vec<Cell>,
}
