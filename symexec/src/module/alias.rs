//! Calls of one function that go to another: KLEE's `--function-alias`, with its messages.

use regex_lite::Regex;

use super::{Callee, Constant, FunctionId, Module, Symbol};

/// Why functions cannot be replaced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AliasError {
    /// There is no function that could stand for others.
    #[error("function-alias: replacement function @{0} could not be found")]
    Unknown(String),
    /// Nothing is to be replaced, or by nothing.
    #[error("function-alias: the name or pattern and the replacement must not be empty")]
    Empty,
    /// A function is to be replaced by itself.
    #[error("function-alias: @{0} cannot replace itself")]
    Itself(String),
    /// What is no function's name is no pattern either.
    #[error("function-alias: '{0}' is not a valid regex: {1}")]
    Pattern(String, String),
    /// There is nothing that could be replaced.
    #[error("function-alias: no (replacable) match for '{0}' found")]
    NoMatch(String),
    /// The two do not take the same parameters, or do not give the same result.
    #[error(
        "function-alias: @{0} could not be replaced with @{1}: they differ in what they take or give, so no \
         (replacable) match for '{0}' found"
    )]
    Different(String, String),
}

impl Module {
    /// Lets every use of a function mean the function `to`: of the one called `from`, or else of all whose whole name
    /// this matches as a regular expression. Says what was replaced and what was not.
    ///
    /// # Errors
    /// If one is not there, or they do not fit.
    pub fn alias(&mut self, from: &str, to: &str) -> Result<Vec<String>, AliasError> {
        if from.is_empty() || to.is_empty() {
            return Err(AliasError::Empty);
        }
        let new = self.function(to).ok_or_else(|| AliasError::Unknown(to.to_owned()))?;
        if from == to {
            return Err(AliasError::Itself(from.to_owned()));
        }
        if let Some(old) = self.function(from) {
            if !self.are_alike(old, new) {
                return Err(AliasError::Different(from.to_owned(), to.to_owned()));
            }
            self.replace(old, new);
            return Ok(vec![format!("function-alias: replaced @{from} with @{to}")]);
        }
        let pattern = Regex::new(&format!("^(?:{from})$"))
            .map_err(|error| AliasError::Pattern(from.to_owned(), error.to_string()))?;
        let (mut said, mut matched) = (Vec::new(), Vec::new());
        for (id, function) in (0..).map(FunctionId).zip(&self.functions) {
            let name = &function.name;
            if !pattern.is_match(name) {
                continue;
            }
            let with = format!("@{name} (matching '{from}') with @{to}");
            if id == new {
                said.push(format!("function-alias: do not replace {with}: cannot replace itself"));
            } else if self.are_alike(id, new) {
                said.push(format!("function-alias: replaced {with}"));
                matched.push(id);
            } else {
                said.push(format!("function-alias: {with}: they differ in what they take or give"));
            }
        }
        if matched.is_empty() {
            return Err(AliasError::NoMatch(from.to_owned()));
        }
        for old in matched {
            self.replace(old, new);
        }
        Ok(said)
    }

    /// Whether two functions take and give the same.
    pub(crate) fn are_alike(&self, one: FunctionId, two: FunctionId) -> bool {
        let signature = |id: FunctionId| {
            let function = &self.functions[id.index()];
            (&function.parameters, &function.results, function.variadic)
        };
        signature(one) == signature(two)
    }

    /// Lets every use of one function mean another one.
    fn replace(&mut self, old: FunctionId, new: FunctionId) {
        let replace = |id: &mut FunctionId| {
            if *id == old {
                *id = new;
            }
        };
        for function in &mut self.functions {
            for call in &mut function.calls {
                if let Callee::Function(callee) = &mut call.callee {
                    replace(callee);
                }
            }
        }
        for constant in &mut self.constants {
            if let Constant::Address { symbol: Symbol::Function(id), .. } = constant {
                replace(id);
            }
        }
        for relocation in self.globals.iter_mut().flat_map(|global| &mut global.relocations) {
            if let Symbol::Function(id) = &mut relocation.symbol {
                replace(id);
            }
        }
    }
}
