//! Which operator a name is where it stands, and which operators are applied in front of it.
//!
//! An operator is applied as soon as something follows that binds less tightly.

use super::frames::{Operand, Operator};
use super::{DOUBLE_BAR, Parser};
use crate::base::Span;
use crate::read::lexer::{Lexer, SyntaxError, Token};
use crate::term::{Atom, Atoms, Cell, OperatorDefinition, OperatorKind, Operators, Store, atom};

/// The words that start an assertion; operators only there.
pub(super) const ASSERTION_KINDS: [&str; 12] = [
    "pred", "calls", "success", "comp", "entry", "exit", "prop", "regtype", "test", "texec", "modedef",
    "decl",
];

/// The words that may stand before one of those.
pub(super) const STATUSES: [&str; 5] = ["check", "trust", "true", "false", "checked"];

/// The words of other systems' declarations: operators only where they begin a directive.
pub(super) const DECLARATIONS: [&str; 10] = [
    "thread_local",
    "volatile",
    "thread_initialization",
    "public",
    "module_transparent",
    "det",
    "attribute",
    "concurrent",
    "mode",
    "export",
];

pub(super) const DECLARATION: OperatorDefinition =
    OperatorDefinition { priority: 1150, kind: OperatorKind::Fy };

/// The arrow of assertions, and of rules.
pub(super) const RULE_ARROW: OperatorDefinition =
    OperatorDefinition { priority: 1200, kind: OperatorKind::Xfx };
/// The same arrow in assertions and where it is no rule's.
pub(super) const ASSERTION_ARROW: OperatorDefinition =
    OperatorDefinition { priority: 975, kind: OperatorKind::Xfx };

impl Parser<'_> {
    /// The largest priority that an operand may have here.
    pub(super) fn operand_limit(&self) -> u16 {
        let frame = self.frame();
        match self.operators.get(frame.operators..).and_then(<[Operator]>::last) {
            Some(operator) => operator.definition.right(),
            None => frame.kind.priority(self.flags.strict),
        }
    }

    /// Whether a word stands where an assertion's kind or status may stand: right behind the `:-` of a
    /// directive, or behind a status there.
    pub(super) fn starts_declaration(&self, word: &str) -> bool {
        let is_kind = ASSERTION_KINDS.contains(&word);
        if self.frames.len() != 1 || !(is_kind || STATUSES.contains(&word) || DECLARATIONS.contains(&word)) {
            return false;
        }
        match self.operators.as_slice() {
            [neck] => neck.name == atom::NECK,
            [neck, _status] => neck.name == atom::NECK && is_kind,
            _ => false,
        }
    }

    /// Whether the next token may be an infix operator.
    pub(super) fn infix_follows(&self, table: &Operators, atoms: &Atoms) -> bool {
        let mut ahead = self.lexer.clone();
        match ahead.token() {
            Ok(Token::Name(name) | Token::Quoted(name)) => {
                atoms.find(&name).is_some_and(|name| table.is_infix_or_postfix(name)) && !ahead.at_arguments()
            }
            _ => false,
        }
    }

    /// Whether the next token starts the operand of a prefix operator. What can only continue a term (a closing
    /// bracket, an infix operator) makes the prefix operator an atom.
    pub(super) fn operand_follows(
        &self,
        definition: OperatorDefinition,
        table: &Operators,
        atoms: &Atoms,
    ) -> bool {
        let mut ahead = self.lexer.clone();
        match ahead.token() {
            Ok(token) if ends_operand(&token) => false,
            Ok(Token::Name(name) | Token::Quoted(name)) => {
                let Some(name) = atoms.find(&name) else { return true };
                if ahead.at_arguments() || table.prefix(name).is_some() {
                    // Both prefix and infix, as in `- - 1`: the nearest reading is that of two prefix operators.
                    return true;
                }
                if table.postfix(name).is_some() {
                    return false;
                }
                // An infix operator, unless nothing follows that it could stand in front of.
                table.infix(name).is_none()
                    || ahead.token().is_ok_and(|token| {
                        ends_operand(&token) || is_left_operand(&token, &mut ahead, definition, table, atoms)
                    })
            }
            _ => true,
        }
    }

    /// Takes an infix or postfix operator. True if an operand is expected behind it.
    pub(super) fn operator(
        &mut self,
        name: Atom,
        store: &mut Store,
        table: &Operators,
    ) -> Result<bool, SyntaxError> {
        let span = self.lexer.span();
        let frame = self.frame();
        let (definition, infix) = match (table.infix(name), table.postfix(name)) {
            (Some(definition), _) => (definition, true),
            (None, Some(definition)) => (definition, false),
            (None, None) => return self.error("expected an operator"),
        };
        let definition = if name == atom::IMPLIES && definition == RULE_ARROW {
            if self.is_rule_arrow() { RULE_ARROW } else { ASSERTION_ARROW }
        } else {
            if definition.priority >= 1200 {
                self.demote_rule_arrow(store)?;
            }
            definition
        };
        if definition.priority > frame.kind.priority(self.flags.strict) {
            return self.error(format!(
                "operator of priority {} inside an argument: put the term in brackets",
                definition.priority
            ));
        }
        // Apply what binds tighter than the new operator's left side allows.
        while self.operators.len() > frame.operators {
            let top = self.operators[self.operators.len() - 1];
            // Between two operators of one priority that could each take the other as an argument, the one on the right
            // binds first: `fy 1 yf` is `fy(yf(1))`.
            let both = top.definition.priority == definition.priority
                && definition.priority <= top.definition.right();
            if both || top.definition.priority > definition.left() {
                if definition.priority > top.definition.right() {
                    return self.error(format!(
                        "operators of priorities {} and {} clash: use brackets",
                        top.definition.priority, definition.priority
                    ));
                }
                break;
            }
            self.reduce(store)?;
        }
        if self.operands.last().is_some_and(|operand| operand.priority > definition.left()) {
            return self.error(format!(
                "operand left of an operator of priority {} binds less tightly: use brackets",
                definition.priority
            ));
        }
        if infix {
            self.operators.push(Operator { name, definition, span });
            return Ok(true);
        }
        if let Some(operand) = self.operands.pop() {
            let operator = Operator { name, definition, span };
            self.applied(operator, &[operand], Span::new(operand.span.start, span.end), store);
        }
        Ok(false)
    }

    /// Whether `=>`, unless the program gave it another priority, binds as loosely as `:-`: outside of assertions,
    /// directives and bodies.
    pub(super) fn is_rule_arrow(&self) -> bool {
        let inner = self.frame().operators;
        !self.flags.strict
            && self.operators[inner..].iter().all(|operator| operator.definition.priority < 1200)
            && !self.operators.iter().any(|operator| operator.definition == DECLARATION)
    }

    /// In front of a neck `=>` is an operator of the head.
    pub(super) fn demote_rule_arrow(&mut self, store: &mut Store) -> Result<(), SyntaxError> {
        let frame = self.frame();
        let is_arrow =
            |operator: &Operator| operator.name == atom::IMPLIES && operator.definition == RULE_ARROW;
        if !self.operators.get(frame.operators).is_some_and(is_arrow) {
            return Ok(());
        }
        while self.operators.len() > frame.operators + 1 {
            self.reduce(store)?;
        }
        let operands = &self.operands[frame.operands..];
        if operands.iter().all(|operand| operand.priority < ASSERTION_ARROW.priority)
            && let Some(arrow) = self.operators.last_mut()
        {
            arrow.definition = ASSERTION_ARROW;
        }
        Ok(())
    }

    /// Applies all operators of the innermost frame.
    pub(super) fn reduce_all(&mut self, store: &mut Store) -> Result<(), SyntaxError> {
        let frame = self.frame();
        while self.operators.len() > frame.operators {
            self.reduce(store)?;
        }
        Ok(())
    }

    /// Applies the operator on top of the stack to the operands on top of theirs.
    pub(super) fn reduce(&mut self, store: &mut Store) -> Result<(), SyntaxError> {
        let (Some(operator), Some(right)) = (self.operators.pop(), self.operands.pop()) else {
            return Ok(());
        };
        let definition = operator.definition;
        if right.priority > definition.right() {
            return Err(SyntaxError {
                message: format!(
                    "operand right of an operator of priority {} binds less tightly: use brackets",
                    definition.priority
                ),
                span: operator.span,
            });
        }
        if definition.kind.is_prefix() {
            self.applied(operator, &[right], Span::new(operator.span.start, right.span.end), store);
            return Ok(());
        }
        let left = self.operands.pop().unwrap_or(right);
        let span = Span::new(left.span.start, right.span.end);
        if operator.name == atom::DOUBLE_BAR && definition == DOUBLE_BAR {
            let Ok(elements) = store.list_elements(left.term) else {
                let message = "`||` stands behind a text that is a list".to_owned();
                return Err(SyntaxError { message, span: operator.span });
            };
            let term = store.list(&elements, right.term);
            let layout = self.located(|whole, text| whole.constant(store, text, span));
            self.operands.push(Operand { term, priority: definition.priority, span, layout });
        } else {
            self.applied(operator, &[left, right], span, store);
        }
        Ok(())
    }

    /// Makes the term of an operator and its operands.
    pub(super) fn applied(
        &mut self,
        operator: Operator,
        operands: &[Operand],
        span: Span,
        store: &mut Store,
    ) {
        let mut terms = [Cell::atom(atom::NIL); 2];
        let mut layouts = terms;
        for (i, operand) in operands.iter().enumerate().take(2) {
            (terms[i], layouts[i]) = (operand.term, operand.layout);
        }
        let count = operands.len().min(2);
        let term = store.compound(operator.name, &terms[..count]);
        let spans = (span, operator.span);
        let layout = self.located(|whole, text| whole.compound(store, text, spans, &layouts[..count]));
        self.operands.push(Operand { term, priority: operator.definition.priority, span, layout });
    }
}

/// Whether an infix operator behind a prefix operator is the left operand of a token that follows it, as `mod` is in
/// `dynamic mod/2`: the token is an infix operator and no prefix operator, which binds more tightly than the prefix
/// operator's operand may, and has an operand of its own behind it.
pub(super) fn is_left_operand(
    token: &Token,
    behind: &mut Lexer<'_>,
    prefix: OperatorDefinition,
    table: &Operators,
    atoms: &Atoms,
) -> bool {
    let (Token::Name(name) | Token::Quoted(name)) = token else { return false };
    let Some(name) = atoms.find(name) else { return false };
    let binds = table.infix(name).is_some_and(|infix| infix.priority <= prefix.right());
    binds
        && table.prefix(name).is_none()
        && !behind.at_arguments()
        && behind.token().is_ok_and(|token| !ends_operand(&token))
}

/// Whether a token can only stand behind an operand.
pub(super) fn ends_operand(token: &Token) -> bool {
    matches!(token, Token::Punctuation(')' | ']' | '}' | ',' | '|') | Token::End | Token::EndOfText)
}
