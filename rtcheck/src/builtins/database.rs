//! The database: assertz, retract, clause.

use super::lists::list_argument;
use crate::machine::{ClauseId, Kind, Link, Machine, Outcome, PredicateId, Throw};
use crate::term::{Atom, Cell, Tag, atom, nullary};

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("assertz", 1, |m| add(m, false));
    machine.define_builtin("assert", 1, |m| add(m, false));
    machine.define_builtin("asserta", 1, |m| add(m, true));
    machine.define_builtin("assertz", 2, |m| add_referred(m, false));
    machine.define_builtin("assert", 2, |m| add_referred(m, false));
    machine.define_builtin("asserta", 2, |m| add_referred(m, true));
    machine.define_builtin("$clause_reference", 2, |m| {
        let id = ClauseId(m.argument(0).int_value() as u32);
        let reference = reference(m, id);
        Ok(m.unify_argument(1, reference))
    });
    machine.define_builtin("$referred_clause", 2, |m| match referred(m, 0) {
        Some(id) => Ok(m.unify_argument(1, Cell::int(i64::from(id.0)))),
        None => Ok(false),
    });
    machine.define_builtin("$clause_predicate", 4, |m| {
        let id = ClauseId(m.argument(0).int_value() as u32);
        let predicate = m.predicate_at(m.clause(id).predicate);
        let (module, name, arity) = (predicate.module, predicate.name, predicate.arity);
        Ok(m.unify_argument(1, Cell::atom(module))
            && m.unify_argument(2, Cell::atom(name))
            && m.unify_argument(3, Cell::count(arity)))
    });
    machine.define_builtin("$first_clause", 4, first_clause);
    machine.define_builtin("$next_clause", 4, next_clause);
    // '$shown_body'(Body, Shown): goals that are variables are calls of them.
    machine.define_builtin("$shown_body", 2, |m| {
        let body = m.argument(0);
        let shown = m.with_calls(body, false);
        Ok(m.unify_argument(1, shown))
    });
    machine.define_builtin("$clause_term", 2, |m| {
        let id = ClauseId(m.argument(0).int_value() as u32);
        let term = m.clause(id).term.clone().restore(&mut m.store);
        Ok(m.unify_argument(1, term))
    });
    machine.define_builtin("$clause_head", 2, |m| {
        let id = ClauseId(m.argument(0).int_value() as u32);
        let term = m.clause(id).term.clone().restore(&mut m.store);
        let head = m.store.argument(term, 0);
        Ok(m.unify_argument(1, head))
    });
    machine.define_builtin("$abolish", 1, |m| {
        let (module, name, arity) = indicator(m, 0)?;
        let Some(id) = m.find_predicate_in(module, name, arity) else { return Ok(true) };
        if m.abolish(id) {
            return Ok(true);
        }
        let culprit = m.indicator(name, arity);
        m.permission_error("modify", "static_procedure", culprit)
    });
    machine.define_builtin("$erase", 1, |m| {
        let id = ClauseId(m.argument(0).int_value() as u32);
        // A search sees the clauses that were there when it began, so that `retract/1` (ISO 8.9.3) succeeds for
        // each of them, though somebody else erased it meanwhile.
        m.erase_clause(id);
        Ok(true)
    });
    machine.define_builtin("$wrap", 2, wrap);
    // '$begin_transaction'(Outer), '$commit'(Outer), '$roll_back'(Outer): Outer is how many were under way before.
    machine.define_builtin("$begin_transaction", 1, |m| {
        let outer = Cell::count(m.begin_transaction());
        Ok(m.unify_argument(0, outer))
    });
    machine.define_builtin("$commit", 1, |m| {
        m.commit(m.argument(0).int_value() as usize);
        Ok(true)
    });
    machine
        .define_builtin("$roll_back", 1, |m| m.roll_back(m.argument(0).int_value() as usize).map(|()| true));
    machine.define_builtin("$dynamic", 1, |m| {
        let (module, name, arity) = indicator(m, 0)?;
        modifiable(m, module, name, arity, "modify").map(|_| true)
    });
    // '$incremental'(Indicator): tables are stale once the predicate's clauses change.
    machine.define_builtin("$incremental", 1, |m| {
        let (module, name, arity) = indicator(m, 0)?;
        let id = modifiable(m, module, name, arity, "modify")?;
        m.predicate_mut(id).incremental = true;
        Ok(true)
    });
    machine.define_builtin("$defined", 1, |m| {
        let (module, head) = m.strip_module(atom::USER, m.argument(0));
        let Some((name, arity)) = m.store.functor(head) else { return Ok(false) };
        Ok(m.find_predicate_in(module, name, arity).is_some())
    });
    machine.define_builtin("$strip_module", 3, |m| {
        let (module, term) = m.strip_module(atom::USER, m.argument(0));
        Ok(m.unify_argument(1, Cell::atom(module)) && m.unify_argument(2, term))
    });
}

/// `Name/Arity` or `Module:Name/Arity` as an argument.
pub(super) fn indicator(m: &mut Machine, i: usize) -> Result<(Atom, Atom, usize), Throw> {
    let (module, term) = m.strip_module(atom::USER, m.argument(i));
    let Some([name, arity]) = m.store.match_structure::<2>(term, atom::SLASH) else {
        return m.type_error(atom::PREDICATE_INDICATOR, term);
    };
    if name.tag() != Tag::Atm {
        return m.type_error(atom::ATOM, name);
    }
    if arity.tag() != Tag::Int {
        return m.type_error(atom::INTEGER, arity);
    }
    match usize::try_from(arity.int_value()) {
        Ok(count) if count <= u16::MAX as usize => Ok((module, name.as_atom(), count)),
        Ok(_) => m.representation_error("max_arity"),
        Err(_) => m.domain_error("not_less_than_zero", arity),
    }
}

/// Module, head and body of a clause to be added. The body is one of the head's module.
fn clause_parts(m: &mut Machine, clause: Cell) -> Result<(Atom, Cell, Cell), Throw> {
    let (context, clause) = m.strip_module(atom::USER, clause);
    let (head, body) = match m.store.match_structure::<2>(clause, atom::NECK) {
        Some([head, body]) => (head, body),
        None => (clause, Cell::atom(atom::TRUE)),
    };
    let (module, head) = m.strip_module(context, head);
    let head = nullary::as_goal(&m.store, head);
    if m.store.functor(head).is_none() {
        return m.type_error(atom::CALLABLE, head);
    }
    m.check_body(body)?;
    let fact = body == Cell::atom(atom::TRUE);
    let body = if module == context || fact { body } else { m.qualified(context, body) };
    Ok((module, head, body))
}

/// The clause that a rule `Head, Guard => Body` stands for; `None` if the term is no rule.
fn as_matching_rule(m: &mut Machine, clause: Cell) -> Result<Option<Cell>, Throw> {
    let (module, rule) = m.strip_module(atom::USER, clause);
    let Some(head) = m.rule_head(rule) else { return Ok(None) };
    if head.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    let name = m.atoms.intern("$matching_rule");
    let result = m.store.variable();
    let goal = m.store.compound(name, &[rule, result]);
    let goal = m.qualified(atom::SYSTEM, goal);
    if !m.run_inside(goal)? {
        return m.type_error(atom::CALLABLE, head);
    }
    let clause = m.store.deref(result);
    Ok(Some(m.qualified(module, clause)))
}

/// `assertz(Clause, Reference)` and its like.
fn add_referred(m: &mut Machine, front: bool) -> Outcome {
    let free = m.argument(1);
    if free.tag() != Tag::Ref {
        return m.uninstantiation_error(free);
    }
    let id = add_clause(m, front)?;
    let reference = reference(m, id);
    Ok(m.unify_argument(1, reference))
}

/// The term that stands for a clause, `'$clause'(Number, Born)`: numbers are given again, generations are not.
fn reference(m: &mut Machine, id: ClauseId) -> Cell {
    let born = m.clause(id).born();
    let name = m.atoms.intern("$clause");
    m.store.compound(name, &[Cell::int(i64::from(id.0)), Cell::int(born as i64)])
}

/// The clause that an argument stands for, unless it is erased.
pub(super) fn referred(m: &mut Machine, i: usize) -> Option<ClauseId> {
    let name = m.atoms.intern("$clause");
    let [id, born] = m.store.match_structure::<2>(m.argument(i), name)?;
    let (Tag::Int, Tag::Int) = (id.tag(), born.tag()) else { return None };
    let id = u32::try_from(id.int_value()).ok().map(ClauseId)?;
    (m.clause_is_alive(id, born.int_value() as u64)).then_some(id)
}

fn add(m: &mut Machine, front: bool) -> Outcome {
    add_clause(m, front).map(|_| true)
}

fn add_clause(m: &mut Machine, front: bool) -> Result<ClauseId, Throw> {
    let clause = m.argument(0);
    if !m.store.is_acyclic(clause) {
        return m.representation_error("cyclic_term");
    }
    let rule = as_matching_rule(m, clause)?;
    let (module, head, body) = clause_parts(m, rule.unwrap_or(clause))?;
    let Some((name, arity)) = m.store.functor(head) else { return m.type_error(atom::CALLABLE, head) };
    let id = modifiable(m, module, name, arity, "modify")?;
    if m.predicate_at(id).rules != rule.is_some() {
        if m.count_clauses(id) > 0 {
            let culprit = m.indicator(name, arity);
            return m.permission_error("assert", "procedure", culprit);
        }
        m.predicate_mut(id).rules = rule.is_some();
    }
    let clause = m.store.compound(atom::NECK, &[head, body]);
    m.add_clause(id, clause, front)
}

/// The predicate whose clauses a name stands for in a module, made dynamic if it is new.
fn modifiable(
    m: &mut Machine,
    module: Atom,
    name: Atom,
    arity: usize,
    action: &str,
) -> Result<PredicateId, Throw> {
    // What is imported is changed where it is.
    let id = m.predicate_in(module, name, arity);
    let id = match m.predicate_at(id).link {
        Link::Imported { .. } => Some(m.origin(id)),
        Link::Own | Link::Inherited(_) => m.own_predicate(module, name, arity).ok(),
    };
    if let Some(id) = id
        && m.make_dynamic(id)
    {
        return Ok(id);
    }
    let culprit = m.indicator(name, arity);
    let kind = if action == "access" { "private_procedure" } else { "static_procedure" };
    m.permission_error(action, kind, culprit)
}

/// `'$first_clause'(Head, Action, Generation, Id)`: the first clause that may match, and when the search began.
/// Fails if there is none.
fn first_clause(m: &mut Machine) -> Outcome {
    let (module, head) = m.strip_module(atom::USER, m.argument(0));
    let Some((name, arity)) = m.store.functor(head) else { return m.type_error(atom::CALLABLE, head) };
    let Some(id) = m.find_predicate_in(module, name, arity) else { return Ok(false) };
    match m.predicate_at(id).kind {
        Kind::Undefined => return Ok(false),
        Kind::Dynamic => {}
        Kind::Control | Kind::Library | Kind::Static => {
            let access = m.argument(1) == Cell::atom(atom::ACCESS);
            let culprit = m.indicator(name, arity);
            return if access {
                m.permission_error("access", "private_procedure", culprit)
            } else {
                m.permission_error("modify", "static_procedure", culprit)
            };
        }
    }
    let (found, search) = m.search_clauses(id, head);
    let Some(found) = found else { return Ok(false) };
    Ok(m.unify_argument(2, search) && m.unify_argument(3, Cell::int(found)))
}

/// `'$next_clause'(Id, Generation, Head, Next)`: the next clause of a search.
fn next_clause(m: &mut Machine) -> Outcome {
    let found = m.argument(0).int_value();
    let search = m.argument(1);
    let head = m.argument(2);
    match m.search_on(found, search, head) {
        Some(next) => Ok(m.unify_argument(3, Cell::int(next))),
        None => Ok(false),
    }
}

/// `'$wrap'(Module:Name/Arity, [Wrapper-Wrapped, ...])`: calls of the predicate go through the named ones, the outermost
/// last. Fails if there is nothing to wrap.
fn wrap(m: &mut Machine) -> Outcome {
    let (module, name, arity) = indicator(m, 0)?;
    let Some(id) = m.find_predicate_in(module, name, arity) else { return Ok(false) };
    let mut wrappers = Vec::new();
    for pair in list_argument(m, 1)? {
        let Some([wrapper, wrapped]) = m.store.match_structure::<2>(pair, atom::MINUS) else {
            return Ok(false);
        };
        wrappers.push((
            m.predicate_in(module, wrapper.as_atom(), arity),
            m.predicate_in(module, wrapped.as_atom(), arity),
        ));
    }
    let id = m.origin(id);
    Ok(m.wrap(id, &wrappers))
}
