//! Bodies as goals and branches.

use super::CompileError;
use crate::machine::{Comparison, Machine, PredicateId, Test};
use crate::term::{Atom, Cell, Store, Tag, atom, nullary};

/// Control constructs nested deeper are interpreted, so that the compiler may recurse over them.
const MAX_NESTING: usize = 100;

/// A goal. Terms are cells of the store in which the clause lies.
#[derive(Clone, Debug)]
pub(crate) enum Goal {
    Cut,
    Fail,
    /// A call; the arguments start at this index of the store.
    Call(PredicateId, usize, usize),
    /// The call of a goal known at run time, or nested too deep: `call/1` of the term.
    MetaCall(Cell),
    /// A deeply nested goal, interpreted with the clause's own cut.
    Interpret(Cell),
    Builtin(u32, usize, usize),
    Unify(Cell, Cell),
    Test(Test, Cell),
    CompareNumbers(Comparison, Cell, Cell),
    CompareTerms(Comparison, Cell, Cell),
    Is(Cell, Cell),
    Branches(Vec<Branch>),
}

/// One branch of a disjunction or if-then-else.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    pub(crate) condition: Option<Condition>,
    pub(crate) body: Vec<Goal>,
}

#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) goals: Vec<Goal>,
    /// `*->`: the condition's other solutions stay possible.
    pub(crate) soft: bool,
}

impl Branch {
    /// Whether the branch is entered by tests alone, without a choicepoint.
    pub(crate) fn is_simple(&self) -> bool {
        self.condition.as_ref().is_some_and(|condition| condition.goals.iter().all(Goal::is_test))
    }
}

impl Goal {
    fn is_test(&self) -> bool {
        matches!(self, Self::Test(..) | Self::CompareNumbers(..) | Self::CompareTerms(..) | Self::Fail)
    }
}

/// Whether all branches but perhaps the last are entered by tests alone.
pub(crate) fn branches_are_simple(branches: &[Branch]) -> bool {
    match branches.split_last() {
        Some((last, others)) => {
            others.iter().all(Branch::is_simple) && (last.condition.is_none() || last.is_simple())
        }
        None => true,
    }
}

/// The predicates that goals call.
pub(crate) fn called(goals: &[Goal]) -> Vec<PredicateId> {
    let mut all = Vec::new();
    let mut pending: Vec<&Goal> = goals.iter().collect();
    while let Some(goal) = pending.pop() {
        match goal {
            Goal::Call(id, ..) => all.push(*id),
            Goal::Branches(branches) => pending.extend(branches.iter().flat_map(|branch| {
                branch.body.iter().chain(branch.condition.iter().flat_map(|condition| &condition.goals))
            })),
            _ => {}
        }
    }
    all
}

/// Where a goal stands.
#[derive(Clone, Copy)]
struct Scope {
    /// How many control constructs are around it.
    depth: usize,
    /// Whether a cut is one of the clause; inside a condition it is local, as it is in call/1.
    clause: bool,
    /// The module that the goal is called in, if the clause says one: it is called from outside.
    module: Option<Atom>,
}

impl Scope {
    fn condition(self) -> Self {
        Self { clause: false, ..self }
    }

    /// A goal as a term that tells its module.
    fn term(self, machine: &mut Machine, goal: Cell) -> Cell {
        match self.module {
            Some(module) => machine.qualified(module, goal),
            None => goal,
        }
    }
}

/// Reads a body.
pub(crate) fn read_body(machine: &mut Machine, body: Cell) -> Result<Vec<Goal>, CompileError> {
    sequence(machine, body, Scope { depth: 0, clause: true, module: None })
}

fn sequence(machine: &mut Machine, body: Cell, scope: Scope) -> Result<Vec<Goal>, CompileError> {
    let mut goals = Vec::new();
    let mut pending = vec![body];
    while let Some(goal) = pending.pop() {
        let goal = machine.store.deref(goal);
        if let Some([left, right]) = machine.store.match_structure::<2>(goal, atom::COMMA) {
            pending.extend([right, left]);
        } else if let Some(goal) = read_goal(machine, goal, scope)? {
            goals.push(goal);
        }
    }
    Ok(goals)
}

/// A goal that is not a conjunction; `None` for `true`.
fn read_goal(machine: &mut Machine, goal: Cell, scope: Scope) -> Result<Option<Goal>, CompileError> {
    let goal = nullary::as_goal(&machine.store, goal);
    let Some((name, arity)) = machine.store.functor(goal) else {
        return if goal.tag() == Tag::Ref {
            Ok(Some(Goal::MetaCall(scope.term(machine, goal))))
        } else {
            Err(CompileError::Goal(goal))
        };
    };
    let control =
        matches!((name, arity), (atom::SEMICOLON | atom::ARROW | atom::SOFT_ARROW, 2) | (atom::NOT, 1));
    if control {
        if scope.depth >= MAX_NESTING {
            let goal = machine.with_calls(goal, true);
            let term = scope.term(machine, goal);
            return Ok(Some(if scope.clause { Goal::Interpret(term) } else { Goal::MetaCall(term) }));
        }
        let scope = Scope { depth: scope.depth + 1, ..scope };
        return match branches(machine, goal, scope) {
            // A negation is a predicate to the standard: what is no goal is an error where it is called.
            Err(CompileError::Goal(_)) if name == atom::NOT => {
                Ok(Some(Goal::MetaCall(scope.term(machine, goal))))
            }
            branches => branches.map(|branches| Some(Goal::Branches(branches))),
        };
    }
    if (name, arity) == (atom::DOLLAR, 0) && !machine.flags.strict && promises_determinism(machine, scope) {
        // SWI-Prolog's cut that promises that the rest succeeds once; the promise is not checked.
        return Ok(Some(Goal::Cut));
    }
    let store = &machine.store;
    let (first, _) = store.arguments(goal);
    let argument = |i: usize| store.argument(goal, i);
    let inline = match (name, arity) {
        (atom::TRUE, 0) => return Ok(None),
        (atom::FAIL | atom::FALSE, 0) => Some(Goal::Fail),
        (atom::CUT, 0) => Some(Goal::Cut),
        (atom::EQUALS, 2) => Some(Goal::Unify(argument(0), argument(1))),
        (atom::IS, 2) => Some(Goal::Is(argument(0), argument(1))),
        (atom::COLON, 2) if argument(0).tag() == Tag::Atm && argument(1).tag() != Tag::Ref => {
            let (module, inner) = (argument(0).as_atom(), argument(1));
            let module = (module != machine.source_module).then_some(module);
            return sequence(machine, inner, Scope { module, ..scope }).map(|mut goals| match goals.len() {
                0 => None,
                1 => goals.pop(),
                _ => Some(Goal::Branches(vec![Branch { condition: None, body: goals }])),
            });
        }
        (_, 1) => test_named(name).map(|test| Goal::Test(test, argument(0))),
        (_, 2) => comparison_named(name).map(|(comparison, numbers)| {
            let compare = if numbers { Goal::CompareNumbers } else { Goal::CompareTerms };
            compare(comparison, argument(0), argument(1))
        }),
        _ => None,
    };
    if inline.is_some() {
        return Ok(inline);
    }
    let predicate = match scope.module {
        Some(module) => machine.predicate_from_outside(module, name, arity),
        None => machine.predicate(name, arity),
    };
    Ok(Some(match machine.builtin_of(predicate) {
        Some(builtin) => {
            machine.note_expanded(predicate);
            Goal::Builtin(builtin, first, arity)
        }
        None => {
            let redirected = machine.proofs.redirected.get(&first).copied();
            Goal::Call(redirected.unwrap_or(predicate), first, arity)
        }
    }))
}

/// Whether `$/0` is the system's here, not the program's own.
fn promises_determinism(machine: &mut Machine, scope: Scope) -> bool {
    let predicate = match scope.module {
        Some(module) => machine.predicate_from_outside(module, atom::DOLLAR, 0),
        None => machine.predicate(atom::DOLLAR, 0),
    };
    machine.note_expanded(predicate);
    machine.predicate_at(machine.origin(predicate)).module == atom::SYSTEM
}

/// The branches of a disjunction, an if-then-else or a negation.
fn branches(machine: &mut Machine, goal: Cell, scope: Scope) -> Result<Vec<Branch>, CompileError> {
    let mut branches = Vec::new();
    let mut rest = Some(goal);
    while let Some(goal) = rest.take() {
        let goal = machine.store.deref(goal);
        let first = match machine.store.match_structure::<2>(goal, atom::SEMICOLON) {
            Some([first, others]) => {
                rest = Some(others);
                first
            }
            None => goal,
        };
        let condition = |store: &Store, name: Atom| store.match_structure::<2>(first, name);
        if let Some([condition, body]) = condition(&machine.store, atom::ARROW) {
            let goals = sequence(machine, condition, scope.condition())?;
            let body = sequence(machine, body, scope)?;
            branches.push(Branch { condition: Some(Condition { goals, soft: false }), body });
        } else if let Some([condition, body]) = condition(&machine.store, atom::SOFT_ARROW) {
            let goals = sequence(machine, condition, scope.condition())?;
            let body = sequence(machine, body, scope)?;
            branches.push(Branch { condition: Some(Condition { goals, soft: true }), body });
        } else if let (Some([inner]), None, true) =
            (machine.store.match_structure::<1>(first, atom::NOT), rest, branches.is_empty())
        {
            let goals = sequence(machine, inner, scope.condition())?;
            let condition = Some(Condition { goals, soft: false });
            branches.push(Branch { condition, body: vec![Goal::Fail] });
            branches.push(Branch { condition: None, body: Vec::new() });
        } else {
            let body = sequence(machine, first, scope)?;
            branches.push(Branch { condition: None, body });
        }
    }
    Ok(branches)
}

fn test_named(name: Atom) -> Option<Test> {
    Some(match name {
        atom::VAR => Test::Var,
        atom::NONVAR => Test::Nonvar,
        atom::ATOM => Test::Atom,
        atom::INTEGER => Test::Integer,
        atom::FLOAT => Test::Float,
        atom::NUMBER => Test::Number,
        atom::ATOMIC => Test::Atomic,
        atom::COMPOUND => Test::Compound,
        atom::CALLABLE => Test::Callable,
        _ => return None,
    })
}

/// The comparison of a name, and whether it compares numbers.
fn comparison_named(name: Atom) -> Option<(Comparison, bool)> {
    Some(match name {
        atom::ARITH_EQUAL => (Comparison::Equal, true),
        atom::ARITH_NOT_EQUAL => (Comparison::NotEqual, true),
        atom::LESS => (Comparison::Less, true),
        atom::LESS_EQUAL => (Comparison::LessEqual, true),
        atom::GREATER => (Comparison::Greater, true),
        atom::GREATER_EQUAL => (Comparison::GreaterEqual, true),
        atom::IDENTICAL => (Comparison::Equal, false),
        atom::NOT_IDENTICAL => (Comparison::NotEqual, false),
        atom::TERM_LESS => (Comparison::Less, false),
        atom::TERM_LESS_EQUAL => (Comparison::LessEqual, false),
        atom::TERM_GREATER => (Comparison::Greater, false),
        atom::TERM_GREATER_EQUAL => (Comparison::GreaterEqual, false),
        _ => return None,
    })
}
