//! What runs without a cache said, for all searches of an oracle. A search for a planted lie meets the cases that the
//! honest search meets, in the same order, and what it compares with is the same: it is asked for once.

use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::error::Error;

/// Answers by what was asked, which searches in several threads share. Two that ask the same at the same time both find
/// out; what they find is the same.
#[derive(Debug)]
pub(super) struct Known<T>(Mutex<BTreeMap<String, T>>);

impl<T> Default for Known<T> {
    fn default() -> Self {
        Known(Mutex::default())
    }
}

impl<T: Clone> Known<T> {
    /// The answer that is known, or what `ask` finds out. `question` is the program's text and all options: everything
    /// that the answer depends on, so what a cache in a folder has a part in is never asked for here.
    ///
    /// # Errors
    /// Those of `ask`, which are not kept.
    pub(super) fn answer(
        &self,
        question: String,
        ask: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        if let Ok(known) = self.0.lock()
            && let Some(answer) = known.get(&question)
        {
            return Ok(answer.clone());
        }
        let answer = ask()?;
        if let Ok(mut known) = self.0.lock() {
            known.insert(question, answer.clone());
        }
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::Known;
    use crate::error::Error;

    #[test]
    fn what_is_known_is_not_asked_again_and_errors_are() {
        let (known, asked) = (Known::<usize>::default(), Cell::new(0));
        let ask = |question: &str, fails: bool| {
            known.answer(question.to_owned(), || {
                asked.update(|count| count + 1);
                if fails { Err(Error::Findings(String::new())) } else { Ok(asked.get()) }
            })
        };
        assert!(ask("a", true).is_err());
        assert_eq!([ask("a", false).unwrap(), ask("a", true).unwrap(), ask("b", false).unwrap()], [2, 2, 3]);
    }
}
