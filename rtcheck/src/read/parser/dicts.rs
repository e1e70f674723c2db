//! Dicts and functions on them, as SWI-Prolog writes both: `Tag{key: Value}`, `Dict.key`.

use super::frames::{Frame, FrameKind};
use super::{FUNCTION_NAME, Parser};
use crate::read::lexer::{SyntaxError, Token};
use crate::term::{Atom, Atoms, Cell, OperatorDefinition, OperatorKind, Store, atom};

/// A function of a dict, as SWI-Prolog writes it: `Dict.key` and `Dict.put(key, Value)`.
pub(super) const FUNCTION: OperatorDefinition = OperatorDefinition { priority: 100, kind: OperatorKind::Yfx };

impl Parser<'_> {
    /// Opens the dict whose tag was just read. True if it is empty, and so complete.
    pub(super) fn dict(&mut self, tag: Cell, store: &mut Store) -> Result<bool, SyntaxError> {
        self.open(FrameKind::Dict);
        self.token()?;
        let mut ahead = self.lexer.clone();
        if ahead.token() != Ok(Token::Punctuation('}')) {
            self.constant(tag, 0, store);
            return Ok(false);
        }
        self.lexer = ahead;
        self.frames.pop();
        let dict = store.compound(atom::DICT_FUNCTOR, &[tag, Cell::atom(atom::NIL)]);
        self.constant(dict, 0, store);
        self.before_point = Some(self.lexer.span().end);
        Ok(true)
    }

    /// The functor whose bracket was read last, if that is so.
    pub(super) fn opened_arguments(&self) -> Option<Atom> {
        let frame = self.frame();
        match frame.kind {
            FrameKind::Arguments(name)
                if frame.operands == self.operands.len() && frame.operators == self.operators.len() =>
            {
                Some(name)
            }
            _ => None,
        }
    }

    /// Whether what was read in a dict ends with a key.
    pub(super) fn awaits_value(&self, frame: Frame) -> bool {
        self.operators.len() == frame.operators && (self.operands.len() - frame.operands).is_multiple_of(2)
    }

    /// Refuses a key of a dict without a value.
    pub(super) fn dict_value(&self, frame: Frame) -> Result<(), SyntaxError> {
        if self.awaits_value(frame) {
            self.error("a key of a dict without a value: expected `:`")
        } else {
            Ok(())
        }
    }

    /// Whether a point is a function of what is before it: it stands between a variable, dict, bracket or function, which ends where
    /// `before_point` says, and a name, without layout. The standard has no such term.
    pub(super) fn is_function(&self, before_point: Option<usize>, frame: Frame, atoms: &Atoms) -> bool {
        let point = self.lexer.span();
        let pending = self.operators.len() > frame.operators
            && self.operators.last().is_some_and(|last| atoms.text(last.name) == FUNCTION_NAME);
        !self.flags.strict && (before_point == Some(point.start) || pending) && self.lexer.at_word()
    }
}
