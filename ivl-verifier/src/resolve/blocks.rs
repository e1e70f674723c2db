//! Structured statements to labelled blocks.
//!
//! Labels of unnamed blocks follow Boogie's scheme (`anon0`, `anon3_Then`, `anon4_LoopHead`, ...), so
//! that execution traces read the same. Recursion is over nested statements, whose depth the parser
//! bounds.

use rustc_hash::FxHashSet;

use crate::base::diagnostic::{Diagnostic, Stage};
use crate::base::names::{Names, Symbol};
use crate::base::source::Span;
use crate::resolve::program::Isolation;
use crate::syntax::ast::{
    Ast, Attribute, AttributeValue, BigBlock, BlockEnd, Branch, Command, CommandKind, Condition,
    DeclarationKind, ExprId, Ident, Statements, attribute,
};

/// A block before its commands are resolved.
pub(super) struct FlatBlock<'a> {
    pub(super) label: Symbol,
    pub(super) span: Span,
    pub(super) commands: Vec<FlatCommand<'a>>,
    pub(super) transfer: FlatTransfer,
    /// Whether its branches tell paths apart, from `{:allow_split}`.
    pub(super) allows_split: bool,
}

/// A command before it is resolved.
#[derive(Clone, Copy)]
pub(super) enum FlatCommand<'a> {
    Simple(&'a Command),
    /// What is known after a test came out one way.
    Guard {
        expr: ExprId,
        negated: bool,
        span: Span,
    },
    Invariant(&'a Condition),
}

/// Where control goes, by labels.
pub(super) enum FlatTransfer {
    Goto(Vec<Symbol>),
    /// Out; whether postconditions are asked apart here.
    Return(Span, Isolation),
    /// Out of a code expression, with this value.
    ReturnValue(Span, ExprId),
}

/// A list of statements with names for its blocks.
struct Named<'a> {
    statements: &'a Statements,
    blocks: Vec<NamedBlock<'a>>,
    /// Put before the commands of the first block.
    prefix: Vec<FlatCommand<'a>>,
}

struct NamedBlock<'a> {
    block: &'a BigBlock,
    label: Symbol,
    anonymous: bool,
    /// The lists inside: the branches of an `if` and its `else`, or the body of a loop.
    inner: Vec<Named<'a>>,
}

/// Does nothing, at a place that the text does not have.
static BEHIND_A_LOOP: BigBlock = BigBlock {
    label: None,
    span: Span::NOWHERE,
    commands: Vec::new(),
    end: BlockEnd::FallThrough,
    jump: Vec::new(),
    cut: false,
};

/// Around a statement: a label that `break` can name, and where it leads.
struct Enclosure {
    label: Option<Symbol>,
    is_loop: bool,
    after: Option<Symbol>,
}

pub(super) struct Flattener<'a, 'n> {
    names: &'n mut Names,
    prefix: String,
    counter: u32,
    blocks: Vec<FlatBlock<'a>>,
    diagnostics: Vec<Diagnostic>,
    enclosures: Vec<Enclosure>,
    /// Every label of the text.
    labels: FxHashSet<Symbol>,
    /// Whether the statements are those of a code expression.
    is_code: bool,
}

/// Cuts statements, those of a code expression or of a body, into blocks; the first one is the entry. What is
/// wrong with the jumps of bodies counts as syntax, as it does in Boogie.
pub(super) fn flatten<'a>(
    statements: &'a Statements,
    names: &mut Names,
    is_code: bool,
) -> (Vec<FlatBlock<'a>>, Vec<Diagnostic>) {
    let mut flattener = Flattener {
        names,
        prefix: "anon".to_owned(),
        counter: 0,
        blocks: Vec::new(),
        diagnostics: Vec::new(),
        enclosures: Vec::new(),
        labels: FxHashSet::default(),
        is_code,
    };
    let mut seen = FxHashSet::default();
    flattener.check_labels(statements, &mut seen);
    flattener.choose_prefix(statements);
    flattener.labels = seen;
    let named = flattener.name(statements, false);
    flattener.list(named, None, None);
    (flattener.blocks, flattener.diagnostics)
}

/// What is wrong with the jumps of a program that has syntax errors: Boogie finds both while it reads.
pub(crate) fn jumps(ast: &Ast) -> Vec<(Span, Diagnostic)> {
    let mut found = Vec::new();
    if ast.is_partial {
        return found;
    }
    let mut names = ast.names.clone();
    for declaration in &ast.declarations {
        let body = match &declaration.kind {
            DeclarationKind::Procedure(procedure) => procedure.body.as_ref(),
            DeclarationKind::Implementation(implementation) => Some(&implementation.body),
            _ => None,
        };
        if let Some(body) = body {
            let end = body.statements.end;
            found.extend(flatten(&body.statements, &mut names, false).1.into_iter().map(|it| (end, it)));
        }
    }
    found.retain(|(_, diagnostic)| diagnostic.stage == Stage::Syntax);
    found
}

/// Makes the bodies of a program labelled blocks; perhaps beside what they were.
pub(crate) fn unstructured(ast: &mut Ast, keep: bool) {
    let mut declarations = std::mem::take(&mut ast.declarations);
    for declaration in &mut declarations {
        let body = match &mut declaration.kind {
            DeclarationKind::Procedure(procedure) => procedure.body.as_mut(),
            DeclarationKind::Implementation(implementation) => Some(&mut implementation.body),
            _ => None,
        };
        let Some(body) = body else { continue };
        let (flat, _) = flatten(&body.statements, &mut ast.names, false);
        let ident = |name| Ident { name, span: Span::NOWHERE };
        let mut blocks = Vec::new();
        for block in flat {
            let commands = block.commands.iter().map(|command| plain(ast, *command)).collect();
            let end = match block.transfer {
                FlatTransfer::Goto(labels) => {
                    BlockEnd::Goto(Span::NOWHERE, labels.into_iter().map(ident).collect())
                }
                FlatTransfer::Return(span, _) => BlockEnd::Return(span),
                FlatTransfer::ReturnValue(span, value) => BlockEnd::ReturnValue(span, value),
            };
            let made = BigBlock::of(block.span, commands, end);
            blocks.push(BigBlock { label: Some(ident(block.label)), ..made });
        }
        let blocks = Statements { blocks, end: body.statements.end };
        body.written = Some(std::mem::replace(&mut body.statements, blocks)).filter(|_| keep);
    }
    ast.declarations = declarations;
}

/// The outcome of a test that the block with this label is for; it assumes it first.
pub(crate) fn outcome(label: &str) -> Option<bool> {
    // Copies in unrolled loops are numbered, and so are those of k-induction, one number for each loop around.
    let mut label = match label.rsplit_once('#') {
        Some((label, number)) if number.bytes().all(|it| it.is_ascii_digit()) => label,
        _ => label,
    };
    loop {
        let unnumbered = label.trim_end_matches(|it: char| it.is_ascii_digit());
        let copied = ["_base_", "_step_"].iter().find_map(|it| unnumbered.strip_suffix(it));
        match copied.or_else(|| label.strip_suffix("_step_assertion")) {
            Some(original) => label = original,
            None => break,
        }
    }
    if label.ends_with("_Then") || label.ends_with("_LoopBody") {
        Some(true)
    } else if label.ends_with("_Else") || label.ends_with("_LoopDone") {
        Some(false)
    } else {
        None
    }
}

/// A command of a block as one of the text.
fn plain(ast: &mut Ast, command: FlatCommand<'_>) -> Command {
    match command {
        FlatCommand::Simple(command) => command.clone(),
        FlatCommand::Invariant(Condition { free, attributes, expr, span }) => Command {
            kind: if *free { CommandKind::Assume(*expr) } else { CommandKind::Assert(*expr) },
            attributes: attributes.clone(),
            span: *span,
        },
        FlatCommand::Guard { expr, negated, span } => {
            let expr = if negated { ast.negation(expr) } else { expr };
            let name = Ident { name: ast.names.intern("partition"), span };
            let attribute = Attribute { name, span, parameters: Vec::new(), last: span };
            Command { kind: CommandKind::Assume(expr), attributes: vec![attribute], span }
        }
    }
}

impl<'a> Flattener<'a, '_> {
    /// Makes the prefix of generated labels differ from the beginning of every label in the text: those of a list
    /// first, then those of the lists in it, as Boogie goes through them.
    fn choose_prefix(&mut self, statements: &Statements) {
        for label in statements.blocks.iter().filter_map(|block| block.label) {
            let text = self.names.text(label.name);
            if let Some(rest) = text.strip_prefix(&self.prefix) {
                let digit = if rest.starts_with('0') { '1' } else { '0' };
                self.prefix.push(digit);
            }
        }
        for inner in statements.blocks.iter().flat_map(inner_lists) {
            self.choose_prefix(inner);
        }
    }

    /// Finds labels that are declared twice.
    fn check_labels(&mut self, statements: &Statements, seen: &mut FxHashSet<Symbol>) {
        for block in &statements.blocks {
            if let Some(label) = block.label {
                let text = self.names.text(label.name).to_owned();
                if !seen.insert(label.name) {
                    let message = format!("more than one declaration of block name: {text}");
                    self.diagnostics.push(Diagnostic::error(Stage::Names, label.span, message));
                }
            }
            for inner in inner_lists(block) {
                self.check_labels(inner, seen);
            }
        }
    }

    fn fresh(&mut self) -> u32 {
        let number = self.counter;
        self.counter += 1;
        number
    }

    fn label(&mut self, number: u32, suffix: &str) -> Symbol {
        self.names.intern(&format!("{}{number}{suffix}", self.prefix))
    }

    /// Names every block that has no label, of the body of a loop or of another list.
    fn name(&mut self, statements: &'a Statements, in_loop: bool) -> Named<'a> {
        let mut blocks = Vec::new();
        for block in &statements.blocks {
            let (label, anonymous) = match block.label {
                Some(label) => (label.name, false),
                None => {
                    let number = self.fresh();
                    (self.label(number, ""), true)
                }
            };
            let is_loop = matches!(block.end, BlockEnd::While { .. });
            let inner = inner_lists(block).into_iter().map(|list| self.name(list, is_loop)).collect();
            blocks.push(NamedBlock { block, label, anonymous, inner });
        }
        // Boogie has a place behind a loop that ends another one's body, for what leaves it.
        let ends_with_loop =
            statements.blocks.last().is_some_and(|it| matches!(it.end, BlockEnd::While { .. }));
        if in_loop && ends_with_loop {
            let number = self.fresh();
            let label = self.label(number, "");
            blocks.push(NamedBlock { block: &BEHIND_A_LOOP, label, anonymous: true, inner: Vec::new() });
        }
        Named { statements, blocks, prefix: Vec::new() }
    }

    fn emit(&mut self, span: Span, label: Symbol, commands: Vec<FlatCommand<'a>>, transfer: FlatTransfer) {
        self.blocks.push(FlatBlock { label, span, commands, transfer, allows_split: false });
    }

    /// Notes whether the branches of the last block tell paths apart.
    fn note_split(&mut self, attributes: &[Attribute]) {
        if let Some(block) = self.blocks.last_mut() {
            block.allows_split = attribute(attributes, self.names, "allow_split").is_some();
        }
    }

    /// Emits the blocks of a list. `after` is what follows the list; `None` leaves the implementation.
    /// `head` is the loop to return to, if the list ends a loop's body.
    fn list(&mut self, named: Named<'a>, after: Option<Symbol>, head: Option<Symbol>) {
        let Named { statements, blocks, prefix } = named;
        let labels: Vec<Symbol> = blocks.iter().map(|block| block.label).collect();
        let mut prefix = Some(prefix);
        let count = blocks.len();
        for (index, block) in blocks.into_iter().enumerate() {
            let last = index + 1 == count;
            let next = if last { head.or(after) } else { Some(labels[index + 1]) };
            let mut commands = prefix.take().unwrap_or_default();
            commands.extend(block.block.commands.iter().map(FlatCommand::Simple));
            self.block(block, commands, next, statements.end);
        }
    }

    fn goto_or_return(next: Option<Symbol>, at: Span) -> FlatTransfer {
        next.map_or(FlatTransfer::Return(at, Isolation::Together), |label| FlatTransfer::Goto(vec![label]))
    }

    fn block(
        &mut self,
        named: NamedBlock<'a>,
        commands: Vec<FlatCommand<'a>>,
        next: Option<Symbol>,
        end: Span,
    ) {
        let NamedBlock { block, label, inner, .. } = named;
        let user_label = block.label.map(|label| label.name);
        match &block.end {
            BlockEnd::FallThrough => self.emit(block.span, label, commands, Self::goto_or_return(next, end)),
            BlockEnd::Goto(at, targets) => {
                self.check_targets(*at, targets);
                let targets = targets.iter().map(|target| target.name).collect();
                self.emit(block.span, label, commands, FlatTransfer::Goto(targets));
                self.note_split(&block.jump);
            }
            BlockEnd::Return(at) => {
                let isolation = isolation(&block.jump, self.names);
                self.emit(block.span, label, commands, FlatTransfer::Return(*at, isolation));
            }
            BlockEnd::ReturnValue(at, value) => {
                self.emit(block.span, label, commands, FlatTransfer::ReturnValue(*at, *value));
            }
            BlockEnd::Break(at, target) => {
                let after = self.left_by(*at, target.as_ref());
                self.emit(block.span, label, commands, Self::goto_or_return(after, *at));
            }
            BlockEnd::While { span, guard, invariants, .. } => {
                self.enclosures.push(Enclosure { label: user_label, is_loop: true, after: next });
                let at = (block.span, label);
                self.repetition(at, commands, (*span, *guard, invariants.as_slice()), inner, next);
                self.enclosures.pop();
            }
            BlockEnd::If { branches, otherwise } => {
                self.enclosures.push(Enclosure { label: user_label, is_loop: false, after: next });
                let at = (block.span, label);
                self.choice(at, commands, (branches.as_slice(), otherwise.is_some()), inner, next);
                self.enclosures.pop();
            }
        }
    }

    /// Finds labels that are not declared.
    fn check_targets(&mut self, at: Span, targets: &[Ident]) {
        for target in targets.iter().filter(|it| !self.labels.contains(&it.name)) {
            let label = self.names.text(target.name);
            let (stage, message) = if self.is_code {
                (Stage::Names, format!("goto to unknown block: {label}"))
            } else {
                (Stage::Syntax, format!("Error: goto label '{label}' is undefined"))
            };
            self.diagnostics.push(Diagnostic::error(stage, at, message));
        }
    }

    /// Where a `break` leads; `None` leaves the implementation.
    fn left_by(&mut self, at: Span, target: Option<&Ident>) -> Option<Symbol> {
        let found = self.enclosures.iter().rev().find(|enclosure| match target {
            Some(target) => enclosure.label == Some(target.name),
            None => enclosure.is_loop,
        });
        if found.is_none() {
            let message = match target {
                Some(target) => {
                    let label = self.names.text(target.name);
                    format!("Error: break label '{label}' must designate an enclosing statement")
                }
                None => "Error: break statement is not inside a loop".to_owned(),
            };
            self.diagnostics.push(Diagnostic::error(Stage::Syntax, at, message));
        }
        found.and_then(|enclosure| enclosure.after)
    }

    /// Emits a block that ends in a choice, and those of the branches.
    fn choice(
        &mut self,
        (mut start, mut label): (Span, Symbol),
        mut commands: Vec<FlatCommand<'a>>,
        (branches, has_else): (&'a [Branch], bool),
        inner: Vec<Named<'a>>,
        next: Option<Symbol>,
    ) {
        let mut inner = inner.into_iter();
        for (index, branch) in branches.iter().enumerate() {
            let number = self.fresh();
            let (met, unmet) = guards(branch.guard, branch.span);
            let mut then_label = self.label(number, "_Then");
            let mut else_label = self.label(number, "_Else");
            // The test of an `else if` stands where its `if` does.
            let another = branches.get(index + 1);
            let Some(mut then) = inner.next() else { return };
            let mut alternative = if another.is_none() && has_else { inner.next() } else { None };
            let then_joined = prefix_first(&mut then, &met, &mut then_label);
            let else_joined =
                alternative.as_mut().is_some_and(|it| prefix_first(it, &unmet, &mut else_label));
            let transfer = FlatTransfer::Goto(vec![then_label, else_label]);
            self.emit(start, label, std::mem::take(&mut commands), transfer);
            self.note_split(&branch.attributes);
            self.outcome(branch.span, then_label, (met, then_joined), then, (next, None));
            if let Some(alternative) = alternative {
                self.outcome(branch.span, else_label, (unmet, else_joined), alternative, (next, None));
            } else if let Some(another) = another {
                (start, label, commands) = (another.span, else_label, unmet);
            } else {
                self.emit(branch.span, else_label, unmet, Self::goto_or_return(next, branch.span));
            }
        }
    }

    /// Emits what is done where a test came out one way: what is known then, in a block of its own unless it was joined
    /// to the first one of the list, and the list.
    fn outcome(
        &mut self,
        span: Span,
        label: Symbol,
        (known, joined): (Vec<FlatCommand<'a>>, bool),
        list: Named<'a>,
        (after, head): (Option<Symbol>, Option<Symbol>),
    ) {
        if !joined {
            let first = list.blocks[0].label;
            self.emit(span, label, known, FlatTransfer::Goto(vec![first]));
        }
        self.list(list, after, head);
    }

    /// Emits a block that ends in a loop, and those of the loop.
    fn repetition(
        &mut self,
        (start, label): (Span, Symbol),
        commands: Vec<FlatCommand<'a>>,
        (span, guard, invariants): (Span, Option<ExprId>, &'a [Condition]),
        inner: Vec<Named<'a>>,
        next: Option<Symbol>,
    ) {
        let number = self.fresh();
        let head = self.label(number, "_LoopHead");
        let mut body_label = self.label(number, "_LoopBody");
        let done = self.label(number, "_LoopDone");
        let (met, unmet) = guards(guard, span);
        let Some(mut body) = inner.into_iter().next() else { return };
        let joined = prefix_first(&mut body, &met, &mut body_label);
        self.emit(start, label, commands, FlatTransfer::Goto(vec![head]));
        let invariants = invariants.iter().map(FlatCommand::Invariant).collect();
        self.emit(span, head, invariants, FlatTransfer::Goto(vec![done, body_label]));
        self.outcome(span, body_label, (met, joined), body, (Some(head), Some(head)));
        self.emit(span, done, unmet, Self::goto_or_return(next, span));
    }
}

/// What an `{:isolate}` among attributes asks for.
pub(super) fn isolation(attributes: &[Attribute], names: &Names) -> Isolation {
    let by_paths = |value: &AttributeValue| matches!(value, AttributeValue::Text(text) if text == "paths");
    match attribute(attributes, names, "isolate") {
        None => Isolation::Together,
        Some(attribute) if attribute.parameters.first().is_some_and(by_paths) => Isolation::OnEachPath,
        Some(_) => Isolation::Apart,
    }
}

/// What is known where a test holds, and where it does not; nothing where the choice is free.
fn guards<'a>(test: Option<ExprId>, span: Span) -> (Vec<FlatCommand<'a>>, Vec<FlatCommand<'a>>) {
    let known = |negated| test.map(|expr| FlatCommand::Guard { expr, negated, span }).into_iter().collect();
    (known(false), known(true))
}

/// Puts commands before a list's first block if no jump can bypass them; chooses that block's label.
fn prefix_first<'a>(list: &mut Named<'a>, commands: &[FlatCommand<'a>], label: &mut Symbol) -> bool {
    let Some(first) = list.blocks.first_mut() else { return false };
    if first.anonymous {
        first.label = *label;
        list.prefix = commands.to_vec();
        true
    } else if commands.is_empty() {
        *label = first.label;
        true
    } else {
        false
    }
}

fn inner_lists(block: &BigBlock) -> Vec<&Statements> {
    match &block.end {
        BlockEnd::If { branches, otherwise } => {
            branches.iter().map(|branch| &branch.then).chain(otherwise.as_ref()).collect()
        }
        BlockEnd::While { body, .. } => vec![body],
        _ => Vec::new(),
    }
}
