//! Terms: taking apart, building, copying, comparing.

use crate::machine::{Global, Machine, Outcome, RunOutcome, TEMPLATE, Throw};
use crate::term::{
    Atom, Cell, Number, Record, Tag, atom, compare, is_variant, nullary, occurrences, variables,
};
use std::cmp::Ordering;

pub(super) fn define(machine: &mut Machine) {
    machine.define_builtin("functor", 3, functor);
    machine.define_builtin("arg", 3, arg);
    machine.define_builtin("=..", 2, univ);
    // '$nullary'(Term, Name): Term is Name(). In either direction.
    machine.define_builtin("$nullary", 2, |m| {
        let (term, name) = (m.argument(0), m.argument(1));
        if term.tag() == Tag::Ref && name.tag() == Tag::Atm {
            let new = nullary::new(&mut m.store, name.as_atom());
            return Ok(m.unify_argument(0, new));
        }
        Ok(nullary::name(&m.store, term).is_some_and(|name| m.unify_argument(1, Cell::atom(name))))
    });
    machine.define_builtin("copy_term", 2, |m| {
        let copy = Record::new(&m.store, m.argument(0)).restore(&mut m.store);
        Ok(m.unify_argument(1, copy))
    });
    machine.define_builtin("\\=", 2, |m| {
        let (left, right) = (m.argument(0), m.argument(1));
        let mut woken = false;
        let unified = tentatively(m, left, right, |m| {
            woken = m.store.woken() > 0;
            true
        });
        if !woken {
            return Ok(!unified);
        }
        // What waits for the variables may object.
        let name = m.atoms.intern("$not_unifiable");
        let goal = m.store.compound(name, &[left, right]);
        m.run_inside(goal)
    });
    machine.define_builtin("unify_with_occurs_check", 2, |m| {
        let (left, right) = (m.argument(0), m.argument(1));
        if !m.store.unify(left, right) {
            return Ok(false);
        }
        Ok(m.store.is_acyclic(left))
    });
    machine.define_builtin("subsumes_term", 2, |m| {
        let (general, specific) = (m.argument(0), m.argument(1));
        let mut before = variables(&m.store, specific);
        let (woken, mut wakes) = (m.store.woken(), false);
        let subsumes = tentatively(m, general, specific, |m| {
            wakes = m.store.woken() > woken;
            // The specific term did not change if its variables are still as many different ones.
            let count = before.len();
            before.iter_mut().for_each(|variable| *variable = m.store.deref(*variable));
            before.sort_unstable();
            before.dedup();
            before.len() == count && before.iter().all(|cell| cell.tag() == Tag::Ref)
        });
        // What waits for variables of the general term has a say.
        Ok(subsumes && (!wakes || subsumes_awake(m, general, specific)?))
    });
    machine.define_builtin("=@=", 2, |m| Ok(is_variant(&m.store, m.argument(0), m.argument(1))));
    machine.define_builtin("\\=@=", 2, |m| Ok(!is_variant(&m.store, m.argument(0), m.argument(1))));
    machine.define_builtin("?=", 2, |m| {
        let (left, right) = (m.argument(0), m.argument(1));
        Ok(compare(&m.store, &m.atoms, left, right).is_eq() || !tentatively(m, left, right, |_| true))
    });
    // The same cell: what destructive assignment to one of them shows in the other.
    machine.define_builtin("same_term", 2, |m| {
        let [left, right] = [0, 1].map(|i| m.store.deref(m.argument(i)));
        let compound = matches!(left.tag(), Tag::Str | Tag::Lis);
        Ok(if compound { left == right } else { compare(&m.store, &m.atoms, left, right).is_eq() })
    });
    machine.define_builtin("acyclic_term", 1, |m| Ok(m.store.is_acyclic(m.argument(0))));
    machine.define_builtin("cyclic_term", 1, |m| Ok(!m.store.is_acyclic(m.argument(0))));
    machine.define_builtin("compare", 3, |m| {
        let order = m.argument(0);
        if order.tag() != Tag::Ref {
            if order.tag() != Tag::Atm {
                return m.type_error(atom::ATOM, order);
            }
            if !matches!(order.as_atom(), atom::LESS | atom::EQUALS | atom::GREATER) {
                return m.domain_error("order", order);
            }
        }
        let order = match compare(&m.store, &m.atoms, m.argument(1), m.argument(2)) {
            Ordering::Less => atom::LESS,
            Ordering::Equal => atom::EQUALS,
            Ordering::Greater => atom::GREATER,
        };
        Ok(m.unify_argument(0, Cell::atom(order)))
    });
    machine.define_builtin("ground", 1, |m| Ok(variables(&m.store, m.argument(0)).is_empty()));
    machine.define_builtin("term_variables", 2, |m| {
        super::lists::check_result_list(m, 1)?;
        term_variables(m, Cell::atom(atom::NIL))
    });
    machine.define_builtin("term_variables", 3, |m| {
        let tail = m.argument(2);
        term_variables(m, tail)
    });
    // '$singletons'(Term, Vs): the variables that occur once, in order.
    machine.define_builtin("$singletons", 2, |m| {
        let found = occurrences(&m.store, &[m.argument(0)]).into_iter();
        let single: Vec<Cell> =
            found.filter(|&(_, several)| !several).map(|(variable, _)| variable).collect();
        let list = m.store.list(&single, Cell::atom(atom::NIL));
        Ok(m.unify_argument(1, list))
    });
    machine.define_builtin("setarg", 3, |m| setarg(m, false));
    machine.define_builtin("nb_setarg", 3, |m| setarg(m, true));
    machine.define_builtin("$nb_set", 2, |m| {
        let key = global_key(m)?;
        let record = Record::new(&m.store, m.argument(1));
        let Global { root, version, .. } = m.globals.get(&key).cloned().unwrap_or_default();
        if let Some(root) = root {
            // The copy holds from here on, whatever was set to be undone.
            m.store.assign_root(root, Cell::atom(atom::NIL));
        }
        m.globals.insert(key, Global { record: Some(record), root, version: version + 1 });
        Ok(true)
    });
    // '$share'(Key, Value), '$shared'(Key, Value): what all engines share. A global variable of that name is this in each
    // engine until it is set there.
    machine.define_builtin("$share", 2, |m| {
        let key = global_key(m)?;
        let record = Record::new(&m.store, m.argument(1));
        m.shared.insert(key, record);
        Ok(true)
    });
    machine.define_builtin("$shared", 2, |m| {
        let key = global_key(m)?;
        let Some(record) = m.shared.get(&key).cloned() else { return Ok(false) };
        let value = record.restore(&mut m.store);
        Ok(m.unify_argument(1, value))
    });
    // '$shared_keys'(Prefix, Keys): those that begin so, in order.
    machine.define_builtin("$shared_keys", 2, |m| {
        let prefix = global_key(m)?;
        let Machine { shared, atoms, .. } = m;
        let begins = |key: &Atom| atoms.text(*key).starts_with(atoms.text(prefix));
        let mut keys: Vec<Atom> = shared.keys().copied().filter(begins).collect();
        keys.sort_unstable_by(|&left, &right| atoms.text(left).cmp(atoms.text(right)));
        let cells: Vec<Cell> = keys.into_iter().map(Cell::atom).collect();
        let list = m.store.list(&cells, Cell::atom(atom::NIL));
        Ok(m.unify_argument(1, list))
    });
    machine.define_builtin("$b_set", 2, |m| {
        let key = global_key(m)?;
        let root = global_root(m, key);
        let value = m.argument(1);
        let value = m.store.compound(atom::DOLLAR, &[value]);
        m.store.assign_root(root, value);
        Ok(true)
    });
    machine.define_builtin("nb_delete", 1, |m| {
        let key = global_key(m)?;
        if let Some(global) = m.globals.get_mut(&key) {
            global.record = None;
            global.version += 1;
            if let Some(root) = global.root {
                m.store.assign_root(root, Cell::atom(atom::NIL));
            }
        }
        Ok(true)
    });
    machine.define_builtin("nb_getval", 2, |m| {
        let key = global_key(m)?;
        match global_value(m, key).or_else(|| first_value(m, key)).or_else(|| provided_value(m, key)) {
            Some(value) => Ok(m.unify_argument(1, value)),
            None => m.existence_error("variable", Cell::atom(key)),
        }
    });
    machine.define_builtin("$nb_is", 1, |m| {
        let key = global_key(m)?;
        Ok(global_value(m, key).is_some())
    });
    machine.define_builtin("$nb_keys", 1, |m| {
        let mut keys: Vec<Atom> = m.globals.keys().copied().collect();
        keys.sort_unstable_by(|&left, &right| m.atoms.text(left).cmp(m.atoms.text(right)));
        keys.retain(|&key| global_value(m, key).is_some());
        let cells: Vec<Cell> = keys.into_iter().map(Cell::atom).collect();
        let list = m.store.list(&cells, Cell::atom(atom::NIL));
        Ok(m.unify_argument(0, list))
    });
}

fn global_key(m: &mut Machine) -> Result<Atom, Throw> {
    let key = m.argument(0);
    if key.tag() == Tag::Atm { Ok(key.as_atom()) } else { m.type_error(atom::ATOM, key) }
}

/// What a library says that its variable is at first.
fn first_value(m: &mut Machine, key: Atom) -> Option<Cell> {
    let record = m.shared.get(&key)?.clone();
    m.globals.entry(key).or_default().record = Some(record);
    global_value(m, key)
}

/// What `user:exception(undefined_global_variable, Key, retry)` of the program makes the value of a variable that has
/// none.
fn provided_value(m: &mut Machine, key: Atom) -> Option<Cell> {
    let hook = m.atoms.find("exception")?;
    m.find_predicate_in(atom::USER, hook, 3)?;
    let [kind, retry] = ["undefined_global_variable", "retry"].map(|name| Cell::atom(m.atoms.intern(name)));
    let goal = m.store.compound(hook, &[kind, Cell::atom(key), retry]);
    let goal = m.qualified(atom::USER, goal);
    matches!(m.run(goal), RunOutcome::Succeeded).then(|| global_value(m, key)).flatten()
}

/// The root of a global variable, which has one from now on.
fn global_root(m: &mut Machine, key: Atom) -> usize {
    let known = m.globals.get(&key).and_then(|global| global.root);
    let others = m.globals.values().filter(|global| global.root.is_some()).count();
    let root = known.unwrap_or(TEMPLATE + 1 + others);
    m.globals.entry(key).or_default().root = Some(root);
    root
}

/// What a global variable holds: what was assigned with the means of backtracking, or else the copy. A copy that is a
/// variable or a compound term is made once for all who ask until backtracking takes it away.
fn global_value(m: &mut Machine, key: Atom) -> Option<Cell> {
    let Machine { globals, store, .. } = m;
    let Global { record, root, version } = globals.get(&key)?;
    let version = Cell::count(*version);
    if let Some(held) = root.map(|root| store.root(root)) {
        if let Some([value]) = store.match_structure::<1>(held, atom::DOLLAR) {
            return Some(value);
        }
        if let Some([value, of]) = store.match_structure::<2>(held, atom::DOLLAR)
            && of == version
        {
            return Some(value);
        }
    }
    let value = record.as_ref()?.restore(store);
    if matches!(value.tag(), Tag::Ref | Tag::Str | Tag::Lis) {
        let held = store.compound(atom::DOLLAR, &[value, version]);
        let root = global_root(m, key);
        m.store.assign_root(root, held);
    }
    Some(value)
}

/// Unifies two terms, asks something about the result, and undoes the bindings. False if they do not unify.
fn tentatively(m: &mut Machine, left: Cell, right: Cell, mut ask: impl FnMut(&Machine) -> bool) -> bool {
    // The trail holds every binding of this attempt if all cells count as old.
    let trail = m.store.trail.len();
    let woken = m.store.woken();
    let boundary = std::mem::replace(&mut m.store.boundary, usize::MAX);
    let unchecked = m.store.unchecked();
    let unified = m.store.unify(left, right) && m.store.cyclic_binding(unchecked).is_none();
    let answer = unified && ask(m);
    m.store.undo_to(trail);
    m.store.forget_woken(woken);
    m.store.boundary = boundary;
    answer
}

/// `subsumes_term/2` where the unification wakes goals: `'$subsumes_awake'/2` of the library, without its bindings.
fn subsumes_awake(m: &mut Machine, general: Cell, specific: Cell) -> Outcome {
    let scope = m.begin_scope();
    let name = m.atoms.intern("$subsumes_awake");
    let goal = m.store.compound(name, &[general, specific]);
    let goal = m.store.compound(atom::COLON, &[Cell::atom(atom::SYSTEM), goal]);
    let outcome = m.run(goal);
    if let Some(code) = m.end_scope(scope) {
        return Err(Throw::Halt(code));
    }
    match outcome {
        RunOutcome::Succeeded => Ok(true),
        RunOutcome::Failed => Ok(false),
        RunOutcome::Halted(code) => Err(Throw::Halt(code)),
        RunOutcome::Threw(ball) => Err(Throw::Ball(ball)),
    }
}

fn term_variables(m: &mut Machine, tail: Cell) -> Outcome {
    let variables = variables(&m.store, m.argument(0));
    let list = m.store.list(&variables, tail);
    Ok(m.unify_argument(1, list))
}

/// Throws for a compound term without arguments: `functor/3` and `=../2` would make an atom of what they tell of it.
fn has_arguments(m: &mut Machine, term: Cell) -> Result<(), Throw> {
    match nullary::name(&m.store, term) {
        Some(_) => m.domain_error("compound_non_zero_arity", term),
        None => Ok(()),
    }
}

/// Where the arguments of a term begin, and how many there are.
fn arguments(m: &Machine, term: Cell) -> (usize, usize) {
    let (first, count) = m.store.arguments(term);
    (first, if nullary::name(&m.store, term).is_some() { 0 } else { count })
}

fn functor(m: &mut Machine) -> Outcome {
    let term = m.argument(0);
    if term.tag() != Tag::Ref {
        has_arguments(m, term)?;
        let (name, arity) = match m.store.functor(term) {
            Some((name, arity)) => (Cell::atom(name), arity),
            None => (term, 0),
        };
        return Ok(m.unify_argument(1, name) && m.unify_argument(2, Cell::count(arity)));
    }
    let (name, arity) = (m.argument(1), m.argument(2));
    if name.tag() == Tag::Ref || arity.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    if !name.is_atomic() {
        return m.type_error(atom::ATOMIC, name);
    }
    if !m.store.is_integer(arity) {
        return m.type_error(atom::INTEGER, arity);
    }
    // Larger integers are too large in any case.
    let count = match m.store.number(arity) {
        Some(Number::Int(count)) => count,
        Some(Number::Big(count)) if count.sign() == num_bigint::Sign::Minus => -1,
        _ => i64::MAX,
    };
    if count < 0 {
        return m.domain_error("not_less_than_zero", arity);
    }
    if count == 0 {
        return Ok(m.unify_argument(0, name));
    }
    if name.tag() != Tag::Atm {
        return m.type_error(atom::ATOM, name);
    }
    if count as usize > Cell::MAX_ARITY {
        return m.representation_error("max_arity");
    }
    let arguments: Vec<Cell> = (0..count).map(|_| m.store.variable()).collect();
    let term = m.store.compound(name.as_atom(), &arguments);
    Ok(m.unify_argument(0, term))
}

fn arg(m: &mut Machine) -> Outcome {
    let (n, term) = (m.argument(0), m.argument(1));
    if n.tag() == Tag::Ref {
        if m.flags.strict || term.tag() == Tag::Ref {
            return m.instantiation_error();
        }
        if !matches!(term.tag(), Tag::Str | Tag::Lis) {
            return m.type_error(atom::COMPOUND, term);
        }
        // Every argument is tried, which takes choicepoints.
        let name = m.atoms.intern("arg");
        let goal = m.store.compound(name, &[n, term, m.argument(2)]);
        m.call_next(goal);
        return Ok(true);
    }
    if !m.store.is_integer(n) {
        return m.type_error(atom::INTEGER, n);
    }
    if !matches!(term.tag(), Tag::Str | Tag::Lis) {
        return m.type_error(atom::COMPOUND, term);
    }
    let (first, count) = arguments(m, term);
    let position = match m.store.number(n) {
        Some(Number::Int(position)) => position,
        Some(Number::Big(position)) if position.sign() == num_bigint::Sign::Minus => -1,
        _ => i64::MAX,
    };
    let Ok(position) = usize::try_from(position) else { return m.domain_error("not_less_than_zero", n) };
    if position == 0 || position > count {
        return Ok(false);
    }
    let argument = m.store.at(first + position - 1);
    Ok(m.unify_argument(2, argument))
}

fn univ(m: &mut Machine) -> Outcome {
    let term = m.argument(0);
    if term.tag() != Tag::Ref {
        has_arguments(m, term)?;
        super::lists::check_result_list(m, 1)?;
        let mut elements = vec![match m.store.functor(term) {
            Some((name, _)) => Cell::atom(name),
            None => term,
        }];
        let (first, count) = m.store.arguments(term);
        elements.extend((first..first + count).map(|i| m.store.at(i)));
        let list = m.store.list(&elements, Cell::atom(atom::NIL));
        return Ok(m.unify_argument(1, list));
    }
    let elements = match m.store.list_elements(m.argument(1)) {
        Ok(elements) => elements,
        Err(tail) if tail.tag() == Tag::Ref => return m.instantiation_error(),
        Err(_) => {
            let list = m.argument(1);
            // Without a name nothing can be said of the rest.
            if list.tag() == Tag::Lis && m.store.argument(list, 0).tag() == Tag::Ref {
                return m.instantiation_error();
            }
            return m.type_error(atom::LIST, list);
        }
    };
    let Some((&name, arguments)) = elements.split_first() else {
        let list = m.argument(1);
        return m.domain_error("non_empty_list", list);
    };
    if name.tag() == Tag::Ref {
        return m.instantiation_error();
    }
    let term = if arguments.is_empty() {
        if !name.is_atomic() {
            return m.type_error(atom::ATOMIC, name);
        }
        name
    } else {
        if name.tag() != Tag::Atm {
            return m.type_error(atom::ATOM, name);
        }
        m.store.compound(name.as_atom(), arguments)
    };
    Ok(m.unify_argument(0, term))
}

/// Destructive assignment, undone on backtracking or not. What was checked may be false now.
fn setarg(m: &mut Machine, forever: bool) -> Outcome {
    let (n, term, value) = (m.argument(0), m.argument(1), m.argument(2));
    if n.tag() != Tag::Int {
        return m.type_error(atom::INTEGER, n);
    }
    if !matches!(term.tag(), Tag::Str | Tag::Lis) {
        return m.type_error(atom::COMPOUND, term);
    }
    let (first, count) = arguments(m, term);
    let position = n.int_value();
    if position < 0 {
        return m.domain_error("not_less_than_zero", n);
    }
    if position == 0 || position as usize > count {
        return Ok(false);
    }
    let mut index = first + position as usize - 1;
    // An argument that is a free variable is this variable, wherever it lies: all that share it see the change, as in
    // SWI-Prolog. Which of them holds it is nobody's business, and a collection may change it.
    let variable = m.store.deref(m.store.at(index));
    if variable.tag() == Tag::Ref && !m.store.is_attributed(variable.index()) {
        index = variable.index();
    }
    if forever {
        let value =
            if value.is_immediate() { value } else { Record::new(&m.store, value).restore(&mut m.store) };
        m.assign_forever(index, value);
        m.give_up_changed_proofs();
    } else {
        m.store.assign(index, value);
    }
    m.checker.clear();
    Ok(true)
}
