//! What a walk over an expression writes down.

use crate::base::arena::Id;
use crate::base::names::Symbol;
use crate::resolve::graph::{BoundVariable, ConstantId, ConstructorId, FunctionId, NodeId, VariableId};
use crate::resolve::types::{TypeId, TypeVariableId};
use crate::syntax::ast::{ExprId, TypeExprId};

/// What a name means in an expression.
#[derive(Clone)]
pub(in crate::resolve) enum NameMeaning {
    Variable(VariableId),
    Constant(ConstantId),
    Bound(BoundVariable),
    /// Bound by `let` to this expression.
    Value(ExprId),
}

/// A name that a binder of the expression brought into scope.
pub(in crate::resolve) struct ScopeEntry {
    pub(in crate::resolve) name: Symbol,
    pub(in crate::resolve) meaning: NameMeaning,
    pub(in crate::resolve) ty: TypeId,
    /// The type that it was declared with.
    pub(in crate::resolve) written: Option<TypeExprId>,
    /// Whether `old` is around the binder.
    pub(in crate::resolve) in_old: bool,
}

/// What the walk found out about an expression besides its type.
#[derive(Clone)]
pub(in crate::resolve) enum Finding {
    Name(NameMeaning),
    Function(FunctionId, Vec<TypeId>),
    Constructor(ConstructorId),
    /// `is#C` of a constructor.
    Test(ConstructorId),
    /// A field by its constructors and indices there.
    Field(Vec<(ConstructorId, u32)>),
    /// Its type parameters and variables, and whether its attributes say who it is.
    Quantifier(Vec<TypeVariableId>, Vec<BoundVariable>, bool),
    /// Its place in the program's list, and the variables that stand for values of `let` around it.
    Code(u32, Vec<(VariableId, ExprId)>),
    /// `+` and its like between a whole number and a real one: which side is converted.
    ToReal(bool, bool),
}

/// What the walk does next.
pub(in crate::resolve) enum Step {
    Enter(ExprId),
    /// With how many type errors there were when the walk came to it.
    Leave(ExprId, usize),
    /// Brings the names of a `let` into scope, after its values were visited.
    BindLet(ExprId),
    /// Ends the scope of a binder: lengths of the value and type scopes to return to, and whether a lambda
    /// is around it.
    EndScope(usize, usize, u32, bool),
}

/// What became of an expression.
#[derive(Clone, Copy, Default)]
pub(in crate::resolve) struct Slot {
    pub(in crate::resolve) ty: Option<TypeId>,
    pub(in crate::resolve) node: Option<NodeId>,
    /// The place of what the walk found out about it.
    pub(in crate::resolve) finding: Option<u32>,
}

/// What a walk writes into. It is handed from one walk to the next, so that most walks, which are short,
/// allocate nothing.
#[derive(Default)]
pub(in crate::resolve) struct Tables {
    pub(in crate::resolve) steps: Vec<Step>,
    pub(in crate::resolve) scope: Vec<ScopeEntry>,
    /// By expression; empty for all that the walk did not come to.
    pub(in crate::resolve) slots: Vec<Slot>,
    pub(in crate::resolve) findings: Vec<Finding>,
    pub(in crate::resolve) order: Vec<ExprId>,
    /// The expressions in the order in which the walk came to them.
    pub(in crate::resolve) order_entered: Vec<ExprId>,
}

impl Tables {
    /// The declared type of what is bound around an expression, if the name is.
    pub(in crate::resolve) fn written(&self, name: Symbol) -> Option<Option<TypeExprId>> {
        self.scope.iter().rev().find(|entry| entry.name == name).map(|entry| entry.written)
    }

    pub(super) fn for_expressions(count: usize) -> Self {
        Self { slots: vec![Slot::default(); count], ..Self::default() }
    }

    pub(super) fn find(&mut self, expr: ExprId, finding: Finding) {
        self.slots[expr.index()].finding = u32::try_from(self.findings.len()).ok();
        self.findings.push(finding);
    }

    pub(super) fn finding(&self, expr: ExprId) -> Option<&Finding> {
        self.findings.get(self.slots[expr.index()].finding? as usize)
    }

    /// Forgets the walk.
    pub(super) fn clear(&mut self) {
        for expr in self.order_entered.drain(..) {
            self.slots[expr.index()] = Slot::default();
        }
        self.steps.clear();
        self.scope.clear();
        self.findings.clear();
        self.order.clear();
    }
}
