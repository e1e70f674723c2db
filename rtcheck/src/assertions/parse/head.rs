//! The head of an assertion: the predicate that it speaks of, and the modes of its arguments.

use super::Parser;
use crate::assertions::modes::ModeFields;
use crate::term::{Atom, Cell, Tag, atom};

/// The predicate an assertion speaks of.
#[derive(Clone, Debug)]
pub struct Head {
    /// The module that stands in front of it, if one does.
    pub module: Option<Atom>,
    /// Its name.
    pub name: Atom,
    /// Its arguments: distinct free variables.
    pub arguments: Vec<Cell>,
    /// Whether one of them was a term, of whose variables conditions may speak.
    pub has_terms: bool,
}

impl Parser<'_> {
    /// The predicate and its arguments; modes become properties. With `terms` arguments that are not variables are no
    /// modes but the terms to call the predicate with. With `repeated` a variable may be several arguments.
    pub(super) fn head(
        &mut self,
        term: Cell,
        terms: bool,
        repeated: bool,
        modes: &mut ModeFields,
    ) -> Result<Head, String> {
        if let Some((name, arity)) = self.indicator(term) {
            let arguments = (0..arity).map(|_| self.store.variable()).collect();
            return Ok(Head { module: None, name, arguments, has_terms: false });
        }
        let (name, arity) =
            self.store.functor(term).ok_or("expected a predicate, `Name/Arity` or `Name(...)`")?;
        let is_argument = |cell: Cell| match self.store.functor(cell) {
            None => true,
            Some((mode, 1)) => [atom::PLUS, atom::MINUS, atom::QUESTION, atom::AT].contains(&mode),
            Some(_) => false,
        };
        let is_head = (0..arity).all(|i| is_argument(self.store.argument(term, i)));
        if arity == 2 && [atom::COMMA, atom::SEMICOLON].contains(&name) && !is_head {
            let message = "`,` and `;` bind less tightly than `:`, `=>` and `+`: put what one of these has into brackets";
            return Err(message.to_owned());
        }
        let mut arguments = Vec::with_capacity(arity);
        let mut has_terms = false;
        for i in 0..arity {
            let argument = self.store.argument(term, i);
            let again = argument.tag() == Tag::Ref && arguments.contains(&argument);
            let variable = if argument.tag() == Tag::Ref && !(repeated && again) {
                argument
            } else if terms || again || self.is_term(argument, repeated) {
                let variable = self.store.variable();
                modes.calls.push(self.store.compound(atom::EQUALS, &[variable, argument]));
                has_terms = true;
                variable
            } else {
                self.mode(argument, modes)?
            };
            if arguments.contains(&variable) {
                return Err("the arguments of an assertion's head must be distinct".to_owned());
            }
            arguments.push(variable);
        }
        Ok(Head { module: None, name, arguments, has_terms })
    }

    /// Whether an argument is a term that the assertion speaks of calls with: `p(0, X)`, `p([a|T])`; in a `test`, whatever
    /// is no mode. Elsewhere an atom or a structure is rather a mode or a type that was spelled wrong.
    fn is_term(&self, argument: Cell, test: bool) -> bool {
        match self.store.functor(argument) {
            None => argument.tag() != Tag::Ref,
            Some((atom::NIL, 0) | (atom::DOT, 2)) => true,
            Some((name, arity)) => {
                let parameters = match arity {
                    0 => 0,
                    _ if self.store.argument(argument, 0).tag() == Tag::Ref => arity - 1,
                    _ => arity,
                };
                test && !self.modes.is_mode(self.atoms, name, parameters)
            }
        }
    }

    /// An argument with a mode: alone (`+`), of a variable (`+X`), of a property in place of the variable
    /// (`+list(int)`), or of both (`in(X,list(int))`).
    fn mode(&mut self, argument: Cell, fields: &mut ModeFields) -> Result<Cell, String> {
        let expected = "expected a variable or a mode as an argument of the head";
        let (name, arity) = self.store.functor(argument).ok_or(expected)?;
        let arguments: Vec<Cell> = (0..arity).map(|i| self.store.argument(argument, i)).collect();
        let (variable, parameters) = match arguments.split_first() {
            None => (None, Vec::new()),
            Some((&first, rest)) if first.tag() == Tag::Ref => (Some(first), rest.to_vec()),
            Some(_) => (None, arguments.clone()),
        };
        if !self.modes.is_mode(self.atoms, name, parameters.len()) {
            let text = self.atoms.text(name);
            return Err(format!("unknown mode `{text}/{arity}`: use +, -, ?, @ or one defined by `modedef`"));
        }
        let variable = variable.unwrap_or_else(|| self.store.variable());
        let parameter = parameters.first().copied();
        if let (Some(parameter), 1) = (parameter, parameters.len())
            && self.store.match_structure::<1>(parameter, atom::CURLY).is_some()
        {
            // `+{int,nnegint}` is both.
            let mut properties = Vec::new();
            self.conjuncts(parameter, &mut properties);
            for property in properties {
                self.modes.apply(self.store, self.atoms, name, variable, &[property], fields)?;
            }
            return Ok(variable);
        }
        self.modes.apply(self.store, self.atoms, name, variable, &parameters, fields)?;
        Ok(variable)
    }
}
