//! Calls of one function that go to another: KLEE's `--function-alias`.

use super::{Callee, Constant, FunctionId, Module, Symbol};

/// Why functions cannot be replaced.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AliasError {
    /// There is no function of this name.
    #[error("function-alias: no function `{0}` is in the program")]
    Unknown(String),
    /// The two do not take the same parameters, or do not give the same result.
    #[error("function-alias: `{0}` and `{1}` differ in what they take or give")]
    Different(String, String),
}

impl Module {
    /// Lets every use of the function `from` mean the function `to`.
    ///
    /// # Errors
    /// If one is not there, or they do not fit.
    pub fn alias(&mut self, from: &str, to: &str) -> Result<(), AliasError> {
        let find = |name: &str| self.function(name).ok_or_else(|| AliasError::Unknown(name.to_owned()));
        let (old, new) = (find(from)?, find(to)?);
        let signature = |id: FunctionId| {
            let function = &self.functions[id.index()];
            (&function.parameters, &function.results, function.variadic)
        };
        if signature(old) != signature(new) {
            return Err(AliasError::Different(from.to_owned(), to.to_owned()));
        }
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
        Ok(())
    }
}
