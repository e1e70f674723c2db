//! The syntax tree of a Boogie program.
//!
//! Expressions and types live in arenas; children have smaller ids than their parents. Every node
//! carries the span of the token at which Boogie reports about it (an operator's own place for a
//! binary expression, for example).
//!
//! Length: one type for each form of syntax.

use serde::{Deserialize, Serialize};

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::base::arena::Arena;
use crate::base::names::{Names, Symbol};
use crate::base::source::Span;

crate::base::arena::typed_ids! {
    /// An expression of an [`Ast`].
    pub ExprId;
    /// A type expression of an [`Ast`].
    pub TypeExprId;
}

/// The declarations of one program, from one file or several.
#[derive(Debug, Default)]
pub struct Ast {
    /// The names that the tree uses.
    pub names: Names,
    /// The expressions, children first.
    pub exprs: Arena<ExprId, Expr>,
    /// The type expressions, children first.
    pub types: Arena<TypeExprId, TypeExpr>,
    /// The declarations in the order of the text.
    pub declarations: Vec<Declaration>,
    /// Whether a statement says which axioms may be used.
    pub has_visibility: bool,
    /// Whether `<:` or `extends` occurs.
    pub has_order: bool,
    /// How many files were parsed into it.
    pub files: usize,
    /// Whether the rest of a file was given up.
    pub is_partial: bool,
    /// Where declarations began in the text, once they have the places at which they were printed.
    pub starts: Vec<Span>,
    /// What calls stand for, by their places, where that is to be printed.
    pub(crate) desugared: FxHashMap<Span, Body>,
}

/// A name at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name.
    pub name: Symbol,
    /// Where it stands.
    pub span: Span,
}

/// A type expression.
#[derive(Clone, Debug)]
pub struct TypeExpr {
    /// What it is.
    pub kind: TypeExprKind,
    /// Where it starts.
    pub span: Span,
}

/// The forms of type expressions.
#[derive(Clone, Debug)]
pub enum TypeExprKind {
    /// `bool`
    Bool,
    /// `int`
    Int,
    /// `real`
    Real,
    /// A named type, a type parameter or one of the named built-in types (`bv32`, `float24e8`,
    /// `rmode`, `string`, `regex`), with arguments.
    Named(Ident, Vec<TypeExprId>),
    /// `<parameters>[arguments]result`
    Map {
        /// The bound type parameters.
        parameters: Vec<Ident>,
        /// The types of the arguments.
        arguments: Vec<TypeExprId>,
        /// The type of the result.
        result: TypeExprId,
    },
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// The token at which Boogie reports about it.
    pub span: Span,
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Neg,
    /// `int(e)`
    ToInt,
    /// `real(e)`
    ToReal,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum BinaryOp {
    /// `<==>`
    Iff,
    /// `==>`
    Implies,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `++`
    Concat,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `div`
    Div,
    /// `mod`
    Mod,
    /// `/`
    RealDiv,
    /// `**`
    Pow,
}

impl BinaryOp {
    /// The operator as written.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Iff => "<==>",
            Self::Implies => "==>",
            Self::And => "&&",
            Self::Or => "||",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::Concat => "++",
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "div",
            Self::Mod => "mod",
            Self::RealDiv => "/",
            Self::Pow => "**",
        }
    }
}

/// The binders of expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Binder {
    /// `forall`
    Forall,
    /// `exists`
    Exists,
    /// `lambda`
    Lambda,
}

/// A quantifier or a lambda.
#[derive(Clone, Debug)]
pub struct Quantifier {
    /// Which one.
    pub binder: Binder,
    /// Bound type variables.
    pub type_parameters: Vec<Ident>,
    /// Bound variables.
    pub bound: Vec<TypedName>,
    /// Attributes such as `{:weight 3}`.
    pub attributes: Vec<Attribute>,
    /// Triggers, each a list of terms.
    pub triggers: Vec<Trigger>,
    /// The body.
    pub body: ExprId,
}

/// Names for values in an expression.
#[derive(Clone, Debug)]
pub struct Binding {
    /// The names, each with its attributes.
    pub names: Vec<(Vec<Attribute>, Ident)>,
    /// What they stand for.
    pub values: Vec<ExprId>,
    /// The attributes of the whole.
    pub attributes: Vec<Attribute>,
    /// Where they may be used.
    pub body: ExprId,
}

/// A trigger of a quantifier.
#[derive(Clone, Debug)]
pub struct Trigger {
    /// Whether it is `{:nopats e}`, a term that must not be used as a trigger.
    pub negative: bool,
    /// The terms that must all be matched.
    pub terms: Vec<ExprId>,
    /// Where it starts.
    pub span: Span,
}

/// The forms of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// `true`, `false`
    Bool(bool),
    /// A whole number.
    Int(BigInt),
    /// A decimal number: mantissa and power of ten.
    Real(BigInt, i32),
    /// `5bv32`
    BitVector(BigInt, u32),
    /// A floating-point literal, as written.
    Float(String),
    /// A rounding mode, by its short name (`RNE`).
    RoundingMode(&'static str),
    /// A string.
    Text(String),
    /// A variable or constant.
    Name(Symbol),
    /// `op e`
    Unary(UnaryOp, ExprId),
    /// `e op e`
    Binary(BinaryOp, ExprId, ExprId),
    /// `f(e, ...)`
    Apply(Ident, Vec<ExprId>),
    /// `m[i, ...]`
    Select(ExprId, Vec<ExprId>),
    /// `m[i, ... := v]`
    Store(ExprId, Vec<ExprId>, ExprId),
    /// `e[high:low]`
    Extract(ExprId, u32, u32),
    /// `5:2` where it is no part of an extraction.
    Bounds(u32, u32),
    /// `d->f`
    Field(ExprId, Ident),
    /// `d->(f := v)`
    FieldUpdate(ExprId, Ident, ExprId),
    /// `d is C`
    Is(ExprId, Ident),
    /// `e : T`
    Coerce(ExprId, TypeExprId),
    /// `old(e)`
    Old(ExprId),
    /// `if c then a else b`
    IfThenElse(ExprId, ExprId, ExprId),
    /// A quantifier or lambda.
    Quantifier(Box<Quantifier>),
    /// `(var x, y := a, b; body)`
    Let(Box<Binding>),
    /// `|{ blocks }|`
    Code(Box<Body>),
    /// Stands where nothing could be parsed; an error was reported.
    Missing,
}

impl ExprKind {
    /// Calls a function with each expression that it is directly made of; with none of a code expression's.
    pub(crate) fn for_each_part(&mut self, visit: &mut dyn FnMut(&mut ExprId)) {
        match self {
            Self::Bool(_)
            | Self::Int(_)
            | Self::Real(..)
            | Self::BitVector(..)
            | Self::Float(_)
            | Self::RoundingMode(_)
            | Self::Text(_)
            | Self::Name(_)
            | Self::Bounds(..)
            | Self::Code(_)
            | Self::Missing => {}
            Self::Unary(_, a)
            | Self::Extract(a, ..)
            | Self::Field(a, _)
            | Self::Is(a, _)
            | Self::Coerce(a, _)
            | Self::Old(a) => visit(a),
            Self::Binary(_, a, b) | Self::FieldUpdate(a, _, b) => [a, b].into_iter().for_each(visit),
            Self::IfThenElse(a, b, c) => [a, b, c].into_iter().for_each(visit),
            Self::Apply(_, parts) => parts.iter_mut().for_each(visit),
            Self::Select(map, indices) => std::iter::once(map).chain(indices).for_each(visit),
            Self::Store(map, indices, value) => {
                std::iter::once(map).chain(indices).chain([value]).for_each(visit);
            }
            Self::Let(binding) => binding.values.iter_mut().chain([&mut binding.body]).for_each(visit),
            Self::Quantifier(quantifier) => {
                let triggers = quantifier.triggers.iter_mut().flat_map(|it| &mut it.terms);
                triggers.chain([&mut quantifier.body]).for_each(visit);
            }
        }
    }
}

/// `{:name parameters}`
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The name without its colon.
    pub name: Ident,
    /// Where it starts.
    pub span: Span,
    /// The parameters.
    pub parameters: Vec<AttributeValue>,
    /// The token before the closing brace.
    pub last: Span,
}

/// A parameter of an attribute.
#[derive(Clone, Debug)]
pub enum AttributeValue {
    /// A string.
    Text(String),
    /// An expression.
    Expr(ExprId),
}

/// A name with its type, as in parameters and variable declarations.
#[derive(Clone, Debug)]
pub struct TypedName {
    /// The name.
    pub name: Ident,
    /// Its type.
    pub ty: TypeExprId,
    /// The condition after `where`.
    pub condition: Option<ExprId>,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
}

/// A declaration.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// What it declares.
    pub kind: DeclarationKind,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// Where it stands: the declared name, or the keyword if it has none.
    pub span: Span,
}

/// The forms of declarations.
#[derive(Clone, Debug)]
pub enum DeclarationKind {
    /// `type T a b;`
    TypeConstructor {
        /// The name.
        name: Ident,
        /// Its parameters.
        parameters: Vec<Ident>,
    },
    /// `type T a b = body;`
    TypeSynonym {
        /// The name.
        name: Ident,
        /// Its parameters.
        parameters: Vec<Ident>,
        /// What it stands for.
        body: TypeExprId,
    },
    /// `datatype D<a> { C(x: a), ... }`
    Datatype {
        /// The name.
        name: Ident,
        /// Its parameters.
        parameters: Vec<Ident>,
        /// Its constructors with their fields.
        constructors: Vec<(Ident, Vec<TypedName>)>,
    },
    /// `const unique a, b: T extends c;`
    Constants {
        /// Whether each differs from every other unique constant of its type.
        unique: bool,
        /// The names.
        names: Vec<TypedName>,
        /// What stands above them in the order of their type, where that is said.
        order: Option<Box<Order>>,
        /// Indices (into the program's declarations) of what stands in its `uses` clause.
        uses: Vec<usize>,
    },
    /// `function f<a>(x: a): T { body }`
    Function(Box<Function>),
    /// `axiom e;`
    Axiom(ExprId),
    /// `var a, b: T where e;`
    Variables(Vec<TypedName>),
    /// `procedure P(...)`
    Procedure(Box<Procedure>),
    /// `implementation P(...)`
    Implementation(Box<Implementation>),
    /// A declaration that another one took the place of.
    Dropped,
}

/// `extends a, unique b complete`: what stands directly above a constant, and perhaps that nothing is below it but what
/// is below those constants that say the same of it.
#[derive(Clone, Debug)]
pub struct Order {
    /// The constants above it, each with whether what is below it there is apart from what is below others.
    pub parents: Vec<(bool, Ident)>,
    /// Whether the constants below it are all that there is.
    pub complete: bool,
}

/// The function that stands for `<:`, which is no name that a program can have.
pub const ORDER: &str = "<:";

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The name.
    pub name: Ident,
    /// Its type parameters.
    pub type_parameters: Vec<Ident>,
    /// Its parameters; names may be absent.
    pub parameters: Vec<(Option<Ident>, TypeExprId)>,
    /// The attributes of each parameter.
    pub parameter_attributes: Vec<Vec<Attribute>>,
    /// The name of its result, which nothing but another parameter can meet.
    pub result_name: Option<Ident>,
    /// The type of its result.
    pub result: TypeExprId,
    /// Its body.
    pub body: Option<ExprId>,
    /// Indices (into the program's declarations) of what stands in its `uses` clause.
    pub uses: Vec<usize>,
}

/// What a procedure or implementation takes and gives.
#[derive(Clone, Debug)]
pub struct Signature {
    /// The name.
    pub name: Ident,
    /// Type parameters.
    pub type_parameters: Vec<Ident>,
    /// Parameters.
    pub inputs: Vec<TypedName>,
    /// Results.
    pub outputs: Vec<TypedName>,
}

/// A procedure.
#[derive(Clone, Debug)]
pub struct Procedure {
    /// What it takes and gives.
    pub signature: Signature,
    /// Whether it is `pure`.
    pub pure: bool,
    /// Preconditions.
    pub requires: Vec<Condition>,
    /// Postconditions.
    pub ensures: Vec<Condition>,
    /// The global variables it may change.
    pub modifies: Vec<Ident>,
    /// The body, if it is declared together with one.
    pub body: Option<Body>,
}

/// A precondition or postcondition.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Whether it is assumed where it would be checked.
    pub free: bool,
    /// What must hold.
    pub expr: ExprId,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// The keyword.
    pub span: Span,
}

/// An implementation.
#[derive(Clone, Debug)]
pub struct Implementation {
    /// What it takes and gives.
    pub signature: Signature,
    /// The body.
    pub body: Body,
}

/// The body of an implementation.
#[derive(Clone, Debug)]
pub struct Body {
    /// Local variables.
    pub locals: Vec<TypedName>,
    /// The statements as they are written, where the others are blocks made of them and both are to be printed.
    pub written: Option<Statements>,
    /// The statements.
    pub statements: Statements,
}

/// A list of statements, cut into blocks after each structured statement or jump.
#[derive(Clone, Debug)]
pub struct Statements {
    /// The blocks; never empty.
    pub blocks: Vec<BigBlock>,
    /// The closing brace.
    pub end: Span,
}

/// A run of simple commands with what follows it.
#[derive(Clone, Debug)]
pub struct BigBlock {
    /// Its label, if it has one.
    pub label: Option<Ident>,
    /// Where it starts: its label or its first command.
    pub span: Span,
    /// The simple commands.
    pub commands: Vec<Command>,
    /// What follows them.
    pub end: BlockEnd,
    /// The attributes of the jump that follows them.
    pub jump: Vec<Attribute>,
    /// Whether a loop is cut here; said of what is printed, never of what was read.
    pub cut: bool,
}

impl BigBlock {
    /// A block without a label, whose jump has no attributes.
    pub(crate) fn of(span: Span, commands: Vec<Command>, end: BlockEnd) -> Self {
        Self { label: None, span, commands, end, jump: Vec::new(), cut: false }
    }
}

/// How a block ends.
#[derive(Clone, Debug)]
pub enum BlockEnd {
    /// It runs into the next one.
    FallThrough,
    /// `goto a, b;`
    Goto(Span, Vec<Ident>),
    /// `return;`
    Return(Span),
    /// `return e;` in a code expression.
    ReturnValue(Span, ExprId),
    /// `break;` or `break label;`
    Break(Span, Option<Ident>),
    /// `if ... else if ... else ...`
    If {
        /// The branches, in order; a guard of `*` is absent.
        branches: Vec<Branch>,
        /// The last `else`.
        otherwise: Option<Statements>,
    },
    /// `while ...`
    While {
        /// The keyword.
        span: Span,
        /// The guard; `*` is absent.
        guard: Option<ExprId>,
        /// The invariants.
        invariants: Vec<Condition>,
        /// The body.
        body: Statements,
    },
}

/// A branch of an `if`.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The keyword `if`.
    pub span: Span,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// The guard; `*` is absent.
    pub guard: Option<ExprId>,
    /// What is done if it holds.
    pub then: Statements,
}

/// A simple command.
#[derive(Clone, Debug)]
pub struct Command {
    /// What it does.
    pub kind: CommandKind,
    /// Its attributes.
    pub attributes: Vec<Attribute>,
    /// The token at which Boogie reports about it.
    pub span: Span,
}

impl Command {
    /// Whether it changes nothing, and stands only for a place: no text has such a command.
    pub(crate) fn is_nothing(&self) -> bool {
        matches!(&self.kind, CommandKind::Havoc(names) if names.is_empty())
    }
}

/// The forms of simple commands.
#[derive(Clone, Debug)]
pub enum CommandKind {
    /// `assert e;`
    Assert(ExprId),
    /// `assume e;`
    Assume(ExprId),
    /// `havoc x, y;`
    Havoc(Vec<Ident>),
    /// `x, m[i] := e, f;`
    Assign(Vec<Target>, Vec<ExprId>),
    /// `C(x, y) := e;`
    Unpack(Ident, Vec<Ident>, ExprId),
    /// `call x, y := P(e, f);`
    Call {
        /// Whether the callee's preconditions are not checked.
        free: bool,
        /// What takes the results.
        outputs: Vec<Ident>,
        /// The callee.
        callee: Ident,
        /// The arguments.
        arguments: Vec<ExprId>,
    },
    /// A change of which axioms may be used.
    Visibility(Visibility),
}

/// The statements that say which hideable axioms may be used; without names, all.
#[derive(Clone, Debug)]
pub enum Visibility {
    /// `hide f, g;` or `hide *;`
    Hide(Option<Vec<Ident>>),
    /// `reveal f, g;` or `reveal *;`
    Reveal(Option<Vec<Ident>>),
    /// `push;`
    Push,
    /// `pop;`
    Pop,
}

/// What an assignment changes.
#[derive(Clone, Debug)]
pub struct Target {
    /// The variable.
    pub base: Ident,
    /// The way into it.
    pub steps: Vec<TargetStep>,
}

/// A step into a map or a datatype.
#[derive(Clone, Debug)]
pub enum TargetStep {
    /// `[i, j]`
    Index(Span, Vec<ExprId>),
    /// `->f`
    Field(Ident),
}

/// The attribute of a name, the first one if there are several.
#[must_use]
pub fn attribute<'a>(attributes: &'a [Attribute], names: &Names, name: &str) -> Option<&'a Attribute> {
    let symbol = names.find(name)?;
    attributes.iter().find(|attribute| attribute.name.name == symbol)
}

impl DeclarationKind {
    /// Whether it gives a procedure a body.
    #[must_use]
    pub fn has_body(&self) -> bool {
        match self {
            Self::Procedure(procedure) => procedure.body.is_some(),
            Self::Implementation(_) => true,
            _ => false,
        }
    }

    /// Whether it declares a type.
    #[must_use]
    pub fn is_type(&self) -> bool {
        matches!(self, Self::TypeConstructor { .. } | Self::TypeSynonym { .. } | Self::Datatype { .. })
    }
}

impl Ast {
    /// A type by its text, for printing: it reads as a name that needs no further look.
    pub(crate) fn spelled_type(&mut self, text: &str) -> TypeExprId {
        let kind = match text {
            "bool" => TypeExprKind::Bool,
            "int" => TypeExprKind::Int,
            "real" => TypeExprKind::Real,
            _ => {
                let name = self.names.intern(text);
                TypeExprKind::Named(Ident { name, span: Span::NOWHERE }, Vec::new())
            }
        };
        self.types.push(TypeExpr { kind, span: Span::NOWHERE })
    }

    /// Whether an attribute such as `{:inline}` or `{:inline true}` is there and not switched off.
    pub(crate) fn flag(&self, attributes: &[Attribute], name: &str) -> bool {
        attribute(attributes, &self.names, name).is_some() && !self.switched_off(attributes, name)
    }

    /// Whether an attribute such as `{:selective_checking}` or `{:selective_checking true}` switches something on.
    pub(crate) fn switched_on(&self, attributes: &[Attribute], name: &str) -> bool {
        let Some(symbol) = self.names.find(name) else { return false };
        // One that does is enough, also behind others.
        attributes.iter().filter(|it| it.name.name == symbol).any(|it| match it.parameters.as_slice() {
            [] => true,
            [AttributeValue::Expr(expr)] => matches!(self.exprs[*expr].kind, ExprKind::Bool(true)),
            _ => false,
        })
    }

    /// Whether an attribute such as `{:verify false}` switches something off.
    pub(crate) fn switched_off(&self, attributes: &[Attribute], name: &str) -> bool {
        let value = attribute(attributes, &self.names, name).and_then(|it| it.parameters.first());
        let no = |it: &ExprId| matches!(self.exprs[*it].kind, ExprKind::Bool(false));
        matches!(value, Some(AttributeValue::Expr(expr)) if no(expr))
    }

    /// The negation of an expression, without a sign where another comparison says the same.
    pub fn negation(&mut self, expr: ExprId) -> ExprId {
        let Expr { kind, span } = self.exprs[expr].clone();
        let (op, a, b) = match kind {
            ExprKind::Unary(UnaryOp::Not, a) => return a,
            ExprKind::Binary(BinaryOp::Eq, a, b) => (BinaryOp::Ne, a, b),
            ExprKind::Binary(BinaryOp::Ne, a, b) => (BinaryOp::Eq, a, b),
            ExprKind::Binary(BinaryOp::Lt, a, b) => (BinaryOp::Le, b, a),
            ExprKind::Binary(BinaryOp::Le, a, b) => (BinaryOp::Lt, b, a),
            ExprKind::Binary(BinaryOp::Gt, a, b) => (BinaryOp::Ge, b, a),
            ExprKind::Binary(BinaryOp::Ge, a, b) => (BinaryOp::Gt, b, a),
            _ => return self.exprs.push(Expr { kind: ExprKind::Unary(UnaryOp::Not, expr), span }),
        };
        self.exprs.push(Expr { kind: ExprKind::Binary(op, a, b), span })
    }
}
