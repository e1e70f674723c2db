//! Modules and their predicates: who is called when a clause says `p(X)`.
//!
//! A predicate is known by module, name and number of arguments, and has a number ([`PredicateId`]) from the moment
//! that anything speaks of it. Calls hold numbers and go through `predicates[number].entry`, so nothing is looked up
//! while a program runs, and what a name stands for may change at any time.
//!
//! Not every number has clauses of its own. `p/1` of a module may be *imported*, or *inherited*: a module that
//! neither defines nor imports a predicate sees that of `user`, and else that of `system` (the built-ins and
//! the engine's library); a unit of tests looks into the module of its text before. Such a number follows
//! another one ([`Link`]): its entry is the address that the other one offers to other modules, and is set
//! again whenever that changes. Links form a forest with arrows to the root, kept in both directions; a new
//! definition in `user` or `system` costs a look at each module, everything else the followers that it
//! concerns.
//!
//! Calls inside a module enter at `entry`, calls from other modules at `exported`. So the two can be checked
//! differently: an import is its own number, `module:goal` in a clause is compiled to a *door*, a number whose only
//! purpose is to be outside, and `call/N` enters at `exported` as well.
//!
//! A goal that is passed as an argument must be called in the module of the caller. `:- meta_predicate` says which
//! arguments those are; a number that follows a predicate with such arguments has an entry of its own which makes them
//! `Module:Goal` first ([`Instruction::Forward`]). A goal without a module is one of `user`, so calls from `user` of
//! the engine's library need none. Calls inside a module of a
//! program make them so as well, since `p(M:G)` may be the head of a clause; inside the library nothing is wrapped.
//! Built-ins that the compiler expands are expanded
//! in other modules only if they have no such arguments.
//!
//! Length: links, doors and entries keep each other right.

use crate::machine::database::dynamic::Keys;
use crate::machine::{
    Address, Builtin, ClauseId, Instruction, Kind, Lie, Machine, PredicateId, Throw, fixed,
};
use crate::term::{Atom, Cell, OperatorDefinition, Tag, atom};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a predicate does with an argument, as `:- meta_predicate` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meta {
    /// Nothing that needs a module; the mode as it was written, such as `?` or `+`.
    Plain(Atom),
    /// Calls it with this many more arguments.
    Goal(u8),
    /// Needs its module for another purpose, as the database does: `:`.
    Module,
    /// Calls the elements of a list, or needs their module: Ciao's `list(goal)`.
    Each,
    /// Calls it behind `Variable^`: `^`.
    Exists,
    /// A grammar body: `//`.
    Grammar,
    /// It is none of the predicate's arguments, but stands behind them: the module of who calls.
    Context,
}

impl Meta {
    pub(crate) fn needs_module(self) -> bool {
        !matches!(self, Self::Plain(_))
    }
}

/// Where a predicate's clauses are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// Here, if it has any.
    Own,
    /// In `user` or `system`, because the module says nothing of it.
    Inherited(PredicateId),
    /// In the module from which it is imported.
    Imported {
        /// The predicate there.
        from: PredicateId,
        /// The import did not name the predicate, so that a definition may take its place.
        weak: bool,
    },
}

impl Link {
    pub(in crate::machine) fn target(self) -> Option<PredicateId> {
        match self {
            Self::Own => None,
            Self::Inherited(from) | Self::Imported { from, .. } => Some(from),
        }
    }
}

/// A predicate.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// The module that speaks of it.
    pub module: Atom,
    /// Its name.
    pub name: Atom,
    /// Its number of arguments.
    pub arity: usize,
    /// Where its clauses come from.
    pub kind: Kind,
    /// Where calls in its module go.
    pub entry: Address,
    /// Where calls of other modules go.
    pub exported: Address,
    /// Where its clauses start.
    pub body: Address,
    /// Where its wrapper starts, if it has a contract.
    pub wrapper: Option<Address>,
    /// Where its wrapper for calls of other modules starts, if that is another one.
    pub exported_wrapper: Option<Address>,
    /// Whose clauses it has.
    pub link: Link,
    /// What its arguments are called with; empty if none of them is a goal.
    pub meta: Vec<Meta>,
    /// Whether clauses in several files belong together.
    pub multifile: bool,
    /// Whether its clauses need not stand together.
    pub discontiguous: bool,
    /// Whether it was declared as a property.
    pub(crate) property: bool,
    /// Where its text is, if it has one.
    pub place: Option<Place>,
    /// The first and the last clause of a dynamic predicate.
    pub(crate) clauses: Option<(ClauseId, ClauseId)>,
    /// Whether these are rules with `=>`, one of which must match.
    pub(crate) rules: bool,
    /// Whether tables are stale once its clauses change.
    pub(crate) incremental: bool,
    /// Those clauses by their first arguments.
    pub(in crate::machine) keys: Keys,
    /// Those that follow this one.
    pub(in crate::machine) followers: Vec<PredicateId>,
}

impl Predicate {
    /// Whether its calls bring the module of who calls.
    pub(crate) fn passes_context(&self) -> bool {
        self.meta.last() == Some(&Meta::Context)
    }
}

/// Where the clauses of a predicate are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub file: Atom,
    /// The line of the first clause.
    pub line: usize,
}

/// A module.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name.
    pub name: Atom,
    /// The file that defines it.
    pub file: Option<Atom>,
    /// What other modules may import, in the order of its declarations.
    pub exports: Vec<(Atom, usize)>,
    /// The operators that come with an import.
    pub operators: Vec<(Atom, OperatorDefinition)>,
    /// What its text changes of the table of operators, for terms that are read and written as the module's.
    pub own_operators: Vec<(Atom, OperatorDefinition)>,
    /// Ciao's packages that it uses.
    pub packages: Vec<Atom>,
    /// Text in double quotes is read as strings there, so that the type `string` is that of strings only.
    pub strings: bool,
    /// It is a part of the engine's library: what it does not define is the library's, whatever the program defines.
    pub library: bool,
    /// The module whose predicates it sees before those of `user`: a unit of tests sees those of its text.
    pub base: Option<Atom>,
    /// The predicates it speaks of, in the order in which they were first seen.
    pub predicates: Vec<PredicateId>,
}

/// All modules.
#[derive(Debug, Default)]
pub(crate) struct Modules {
    all: Vec<Module>,
    positions: FxHashMap<Atom, usize>,
    predicates: FxHashMap<(Atom, Atom, usize), PredicateId>,
    doors: FxHashMap<PredicateId, PredicateId>,
    /// Those that stand for a built-in which some clause calls as an instruction.
    expanded: FxHashSet<PredicateId>,
}

impl Modules {
    /// Whether there is a module of that name.
    pub(crate) fn has(&self, name: Atom) -> bool {
        self.positions.contains_key(&name)
    }
}

/// Why a predicate cannot be defined or imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// It belongs to the language.
    Protected,
    /// It is imported by name from this module.
    Imported(Atom),
    /// It is defined here.
    Defined,
}

impl Machine {
    /// A module, made if there is none of that name yet.
    pub fn module(&mut self, name: Atom) -> &mut Module {
        let modules = &mut self.modules;
        let position = *modules.positions.entry(name).or_insert_with(|| {
            modules.all.push(Module {
                name,
                file: None,
                exports: Vec::new(),
                operators: Vec::new(),
                own_operators: Vec::new(),
                packages: Vec::new(),
                strings: false,
                library: false,
                base: None,
                predicates: Vec::new(),
            });
            modules.all.len() - 1
        });
        &mut modules.all[position]
    }

    /// A module, if there is one of that name.
    #[must_use]
    pub fn find_module(&self, name: Atom) -> Option<&Module> {
        self.modules.positions.get(&name).map(|&position| &self.modules.all[position])
    }

    /// All modules in the order in which they were first seen.
    #[must_use]
    pub fn all_modules(&self) -> &[Module] {
        &self.modules.all
    }

    /// The predicate of a name and arity in the module of the text that is being loaded.
    pub fn predicate(&mut self, name: Atom, arity: usize) -> PredicateId {
        self.predicate_in(self.source_module, name, arity)
    }

    /// The predicate of a name and arity as a module sees it, made if nothing spoke of it yet.
    pub fn predicate_in(&mut self, module: Atom, name: Atom, arity: usize) -> PredicateId {
        if let Some(&id) = self.modules.predicates.get(&(module, name, arity)) {
            return id;
        }
        let id = self.new_predicate(module, name, arity);
        self.modules.predicates.insert((module, name, arity), id);
        self.module(module).predicates.push(id);
        self.inherit(id);
        // Calls put all arguments into registers, one more for call/N.
        self.reserve_registers(arity + 16);
        id
    }

    pub(in crate::machine) fn new_predicate(
        &mut self,
        module: Atom,
        name: Atom,
        arity: usize,
    ) -> PredicateId {
        let id = PredicateId(self.predicates.len() as u32);
        let entry = self.add_code(&[Instruction::Undefined(id)]);
        self.predicates.push(Predicate {
            module,
            name,
            arity,
            kind: Kind::Undefined,
            entry,
            exported: entry,
            body: entry,
            wrapper: None,
            exported_wrapper: None,
            link: Link::Own,
            meta: Vec::new(),
            multifile: false,
            discontiguous: false,
            property: false,
            place: None,
            clauses: None,
            rules: false,
            incremental: false,
            keys: Keys::default(),
            followers: Vec::new(),
        });
        id
    }

    /// The predicate that `Module:Name/Arity` calls from outside the module.
    pub fn predicate_from_outside(&mut self, module: Atom, name: Atom, arity: usize) -> PredicateId {
        let id = self.predicate_in(module, name, arity);
        if let Some(&door) = self.modules.doors.get(&id) {
            return door;
        }
        let door = self.new_predicate(module, name, arity);
        self.modules.doors.insert(id, door);
        self.set_link(door, Link::Imported { from: id, weak: true });
        door
    }

    /// The predicate of a name and arity as the module of the text that is being loaded sees it, if it has clauses or
    /// is declared.
    #[must_use]
    pub fn find_predicate(&self, name: Atom, arity: usize) -> Option<PredicateId> {
        self.find_predicate_in(self.source_module, name, arity)
    }

    /// The predicate whose clauses `Name/Arity` stands for in a module. `None` if there is none.
    #[must_use]
    pub fn find_predicate_in(&self, module: Atom, name: Atom, arity: usize) -> Option<PredicateId> {
        let places = match module {
            atom::SYSTEM => [module; 4],
            _ if self.is_of_library(module) => [module, module, module, atom::SYSTEM],
            _ => [module, self.base_of(module).unwrap_or(module), atom::USER, atom::SYSTEM],
        };
        places.into_iter().find_map(|module| {
            let &id = self.modules.predicates.get(&(module, name, arity))?;
            let id = self.origin(id);
            (self.predicate_at(id).kind != Kind::Undefined).then_some(id)
        })
    }

    /// Whether a module is one of the engine's library.
    fn is_of_library(&self, module: Atom) -> bool {
        self.find_module(module).is_some_and(|module| module.library)
    }

    /// The module whose predicates a module sees before those of `user`.
    #[must_use]
    pub fn base_of(&self, module: Atom) -> Option<Atom> {
        self.find_module(module).and_then(|module| module.base)
    }

    /// Lets a module that no text defines see what the engine's library defines, whatever `user` does.
    pub fn set_library(&mut self, module: Atom) {
        if matches!(module, atom::USER | atom::SYSTEM) {
            return;
        }
        let module = self.module(module);
        if module.file.is_none() && !std::mem::replace(&mut module.library, true) {
            for id in module.predicates.clone() {
                self.inherit(id);
            }
        }
    }

    /// Lets a module see the predicates of another one before those of `user`.
    pub fn set_base(&mut self, module: Atom, base: Atom) {
        let module = self.module(module);
        module.base = Some(base);
        for id in module.predicates.clone() {
            self.inherit(id);
        }
    }

    /// The predicate whose clauses this one has: itself unless it is imported or inherited.
    #[must_use]
    pub fn origin(&self, mut id: PredicateId) -> PredicateId {
        while let Some(target) = self.predicate_at(id).link.target() {
            id = target;
        }
        id
    }

    /// A predicate by its number.
    #[must_use]
    pub fn predicate_at(&self, id: PredicateId) -> &Predicate {
        &self.predicates[id.0 as usize]
    }

    pub(crate) fn predicate_mut(&mut self, id: PredicateId) -> &mut Predicate {
        &mut self.predicates[id.0 as usize]
    }

    /// All predicates in the order in which they were first seen, those that follow others too.
    pub fn predicates(&self) -> impl Iterator<Item = (PredicateId, &Predicate)> {
        self.predicates.iter().enumerate().map(|(i, predicate)| (PredicateId(i as u32), predicate))
    }

    /// The predicate to which a module adds clauses: its own, in place of one that it inherits or imported together
    /// with others.
    ///
    /// # Errors
    /// It belongs to the language, or was imported by its name.
    pub fn own_predicate(&mut self, module: Atom, name: Atom, arity: usize) -> Result<PredicateId, Denied> {
        let id = self.predicate_in(module, name, arity);
        match self.predicate_at(id).link {
            Link::Own
                if self.predicate_at(id).kind == Kind::Control && self.source_module != atom::SYSTEM =>
            {
                Err(Denied::Protected)
            }
            Link::Own => Ok(id),
            Link::Inherited(from) if self.predicate_at(self.origin(from)).kind == Kind::Control => {
                Err(Denied::Protected)
            }
            Link::Imported { from, weak: false } => {
                Err(Denied::Imported(self.predicate_at(self.origin(from)).module))
            }
            Link::Inherited(_) | Link::Imported { weak: true, .. } => {
                self.set_link(id, Link::Own);
                Ok(id)
            }
        }
    }

    /// Lets a module have a predicate of its own where it sees a built-in one that is protected.
    pub fn replace_built_in(&mut self, id: PredicateId) -> PredicateId {
        if matches!(self.predicate_at(id).link, Link::Inherited(_)) {
            self.set_link(id, Link::Own);
        }
        id
    }

    /// Lets a module see a predicate of another one under a name. A `weak` import gives way to a definition.
    ///
    /// # Errors
    /// The name is taken: by a definition, or by an import from the module given back.
    pub fn import(&mut self, module: Atom, from: PredicateId, name: Atom, weak: bool) -> Result<(), Denied> {
        let from = self.origin(from);
        let arity = self.predicate_at(from).arity;
        let id = self.predicate_in(module, name, arity);
        if id == from {
            return Ok(());
        }
        let predicate = self.predicate_at(id);
        match predicate.link {
            Link::Own if predicate.kind != Kind::Undefined => return Err(Denied::Defined),
            Link::Imported { from: known, .. } if self.origin(known) != from => {
                return Err(Denied::Imported(self.predicate_at(self.origin(known)).module));
            }
            _ => {}
        }
        self.set_link(id, Link::Imported { from, weak });
        Ok(())
    }

    /// Makes a predicate see what its module inherits, if it says nothing itself.
    fn inherit(&mut self, id: PredicateId) {
        let Predicate { module, name, arity, kind, link, .. } = *self.predicate_at(id);
        if kind != Kind::Undefined || matches!(link, Link::Imported { .. }) || module == atom::SYSTEM {
            return;
        }
        let defined = |machine: &Self, module: Atom| {
            let &found = machine.modules.predicates.get(&(module, name, arity))?;
            let predicate = machine.predicate_at(found);
            let defined = match predicate.link {
                Link::Own => predicate.kind != Kind::Undefined,
                Link::Imported { .. } => true,
                Link::Inherited(_) => false,
            };
            defined.then_some(found)
        };
        let alone = module == atom::USER || self.is_of_library(module);
        let base = self.base_of(module).and_then(|base| defined(self, base));
        let found = if alone { None } else { base.or_else(|| defined(self, atom::USER)) };
        let new = found.or_else(|| defined(self, atom::SYSTEM)).map_or(Link::Own, Link::Inherited);
        if new != link {
            self.set_link(id, new);
        }
    }

    /// Lets a predicate follow another one or stand for itself, and tells its followers.
    pub(in crate::machine) fn set_link(&mut self, id: PredicateId, link: Link) {
        // A circle of imports ends at the predicate that nobody defines.
        let mut step = link.target();
        while let Some(target) = step {
            if target == id {
                return;
            }
            step = self.predicate_at(target).link.target();
        }
        let seen = self.seen_by_others(id);
        if let Some(old) = self.predicate_at(id).link.target() {
            self.predicate_mut(old).followers.retain(|&follower| follower != id);
        }
        if let Some(new) = link.target() {
            self.predicate_mut(new).followers.push(id);
        }
        self.predicate_mut(id).link = link;
        self.refresh(id);
        // Doors and shadows have a predicate's name and are not what the module has under it.
        let Predicate { module, name, arity, .. } = *self.predicate_at(id);
        if seen != self.seen_by_others(id) && self.modules.predicates.get(&(module, name, arity)) == Some(&id)
        {
            self.inherit_everywhere(id);
        }
    }

    /// Whether modules may inherit a predicate.
    fn seen_by_others(&self, id: PredicateId) -> bool {
        let predicate = self.predicate_at(id);
        match predicate.link {
            Link::Own => predicate.kind != Kind::Undefined,
            Link::Imported { .. } => true,
            Link::Inherited(_) => false,
        }
    }

    /// After a change in a module from which others inherit, `user` and `system` above all: sees to those who do.
    fn inherit_everywhere(&mut self, id: PredicateId) {
        let Predicate { module, name, arity, .. } = *self.predicate_at(id);
        let all = matches!(module, atom::USER | atom::SYSTEM);
        for position in 0..self.modules.all.len() {
            let Module { name: other, base, .. } = self.modules.all[position];
            if (all || base == Some(module))
                && let Some(&other) = self.modules.predicates.get(&(other, name, arity))
            {
                self.inherit(other);
            }
        }
    }

    /// Computes the entries of a predicate and of all that follow it.
    pub(in crate::machine) fn refresh(&mut self, id: PredicateId) {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            self.doubt(id);
            let predicate = self.predicate_at(id);
            let (entry, exported) = match predicate.link.target() {
                None if self.watches(id) => self.watched(id),
                None => {
                    let inner = predicate.wrapper.unwrap_or(predicate.body);
                    let exported = predicate.exported_wrapper.unwrap_or(inner);
                    (if self.qualifies(id) { self.own_forward(id) } else { inner }, exported)
                }
                Some(target) => {
                    let entry = self.forwarding_entry(id, target);
                    (entry, entry)
                }
            };
            let predicate = self.predicate_mut(id);
            predicate.entry = entry;
            predicate.exported = exported;
            pending.extend_from_slice(&predicate.followers);
        }
    }

    /// Whether a predicate's arguments get their module in calls of its own module too: its clauses may take them
    /// apart. The engine's library knows that a goal without a module is one of `user`.
    pub(in crate::machine) fn qualifies(&self, id: PredicateId) -> bool {
        let predicate = self.predicate_at(id);
        predicate.module != atom::SYSTEM
            && !self.tells(Lie::OwnArguments)
            && predicate.meta.iter().any(|meta| meta.needs_module())
    }

    /// The entry of a predicate for calls of its own module that give its arguments their module.
    fn own_forward(&mut self, id: PredicateId) -> Address {
        let known = self.predicate_at(id).entry;
        if self.code_at(known) == Instruction::Forward(id) {
            return known;
        }
        self.add_code(&[Instruction::Forward(id)])
    }

    /// Gives the goals among the arguments of a predicate, which are in their registers, a module.
    pub(in crate::machine) fn qualify_arguments(&mut self, id: PredicateId, module: Atom) {
        for i in 0..self.predicate_at(id).meta.len() {
            let meta = self.predicate_at(id).meta[i];
            if meta.needs_module() {
                self.x[i] = self.with_module(meta, module, self.x[i]);
            }
        }
    }

    /// What a predicate gets for an argument that a module calls it with.
    pub(crate) fn with_module(&mut self, meta: Meta, module: Atom, argument: Cell) -> Cell {
        match meta {
            Meta::Plain(_) => argument,
            Meta::Each => self.each_qualified(module, argument),
            Meta::Context => Cell::atom(module),
            _ => self.qualified(module, argument),
        }
    }

    /// A list whose elements have a module; what is no list, or has no end, stays as it is.
    fn each_qualified(&mut self, module: Atom, list: Cell) -> Cell {
        let mut elements = Vec::new();
        let mut rest = self.store.deref(list);
        while rest.tag() == Tag::Lis {
            if elements.len() > self.store.len() {
                return list;
            }
            elements.push(self.store.argument(rest, 0));
            rest = self.store.argument(rest, 1);
        }
        for element in &mut elements {
            *element = self.qualified(module, *element);
        }
        self.store.list(&elements, rest)
    }

    /// Where calls of a predicate that follows another one go.
    fn forwarding_entry(&mut self, id: PredicateId, target: PredicateId) -> Address {
        // What is imported on the way gives no module to what comes from further away.
        let (caller, callee) = (self.predicate_at(id), self.predicate_at(self.origin(target)));
        let goals = callee.meta.iter().any(|meta| meta.needs_module());
        let user_of_library = caller.module == atom::USER && callee.module == atom::SYSTEM;
        // Clauses of a program may take its arguments apart whoever calls, those of the library need no module.
        let known_module = caller.module == callee.module && !self.qualifies(self.origin(target));
        if !goals || known_module || user_of_library {
            return callee.exported;
        }
        let known = caller.entry;
        if self.code_at(known) == Instruction::Forward(id) {
            return known;
        }
        self.add_code(&[Instruction::Forward(id)])
    }

    /// Executes [`Instruction::Forward`]: gives the goals among the arguments the caller's module.
    pub(in crate::machine) fn forward(&mut self, id: PredicateId) -> Address {
        let Predicate { module, link, .. } = *self.predicate_at(id);
        let origin = self.origin(id);
        self.qualify_arguments(origin, module);
        match link.target() {
            Some(_) => self.predicate_at(origin).exported,
            None => {
                let predicate = self.predicate_at(id);
                predicate.wrapper.unwrap_or(predicate.body)
            }
        }
    }

    /// `Module:Term`, or the term itself if it says its module; of several modules the innermost one counts.
    pub(crate) fn qualified(&mut self, module: Atom, term: Cell) -> Cell {
        let mut term = self.store.deref(term);
        let mut left = self.store.len();
        while let Some([known, inner]) = self.store.match_structure::<2>(term, atom::COLON)
            && known.tag() == Tag::Atm
        {
            let is_qualified = self
                .store
                .match_structure::<2>(inner, atom::COLON)
                .is_some_and(|[module, _]| module.tag() == Tag::Atm);
            if !is_qualified || left == 0 {
                return term;
            }
            term = inner;
            left -= 1;
        }
        self.store.compound(atom::COLON, &[Cell::atom(module), term])
    }

    /// Takes the modules off a term: the innermost one and what it qualifies. `module` is that of a term without.
    pub(crate) fn strip_module(&self, mut module: Atom, term: Cell) -> (Atom, Cell) {
        let mut term = self.store.deref(term);
        // More qualifiers than cells are those of a cyclic term.
        let mut left = self.store.len();
        while let Some([qualifier, inner]) = self.store.match_structure::<2>(term, atom::COLON)
            && qualifier.tag() == Tag::Atm
            && left > 0
        {
            (module, term) = (qualifier.as_atom(), inner);
            left -= 1;
        }
        (module, term)
    }

    /// Says which arguments of a predicate are goals.
    pub fn set_meta(&mut self, id: PredicateId, meta: Vec<Meta>) {
        let passes_context = self.predicate_at(id).passes_context();
        self.predicate_mut(id).meta = meta;
        if passes_context {
            self.pass_context(id);
        } else {
            self.refresh(id);
        }
    }

    /// Lets calls of a predicate bring the module of who calls, behind the arguments.
    pub(crate) fn pass_context(&mut self, id: PredicateId) {
        let predicate = self.predicate_mut(id);
        predicate.meta.resize(predicate.arity, Meta::Plain(atom::QUESTION));
        predicate.meta.push(Meta::Context);
        self.refresh(id);
    }

    /// Lets them bring it no longer.
    pub(crate) fn drop_context(&mut self, id: PredicateId) {
        let predicate = self.predicate_mut(id);
        if predicate.passes_context() {
            predicate.meta.pop();
            if !predicate.meta.iter().any(|meta| meta.needs_module()) {
                predicate.meta.clear();
            }
            self.refresh(id);
        }
    }

    /// Gives a predicate its clauses' code.
    pub fn define(&mut self, id: PredicateId, kind: Kind, address: Address) {
        if kind != Kind::Undefined && matches!(self.predicate_at(id).link, Link::Inherited(_)) {
            // What is defined here came into sight elsewhere while its clauses were read.
            self.set_link(id, Link::Own);
        }
        let seen = self.seen_by_others(id);
        let predicate = self.predicate_mut(id);
        predicate.kind = kind;
        predicate.body = address;
        self.refresh_entering(id);
        self.refresh(id);
        if !seen {
            self.inherit_everywhere(id);
        }
        // Loaded anew under its wrappers, it is the new clauses that these call.
        if let Some(&innermost) = self.wrapped.get(&id) {
            self.define(innermost, Kind::Static, address);
        }
    }

    /// Lets calls of a predicate go through a wrapper, or directly to its clauses.
    pub fn set_wrapper(&mut self, id: PredicateId, wrapper: Option<Address>) {
        self.predicate_mut(id).wrapper = wrapper;
        self.refresh(id);
    }

    /// Lets calls from other modules go through another wrapper than those of its own module.
    pub fn set_exported_wrapper(&mut self, id: PredicateId, wrapper: Option<Address>) {
        self.predicate_mut(id).exported_wrapper = wrapper;
        self.refresh(id);
    }

    /// Adds a built-in, callable as a predicate and as an instruction.
    pub fn define_builtin(&mut self, name: &str, arity: usize, builtin: Builtin) {
        let number = self.builtins.len() as u32;
        self.builtins.push(builtin);
        self.builtin_arities.push(arity as u16);
        let name = self.atoms.intern(name);
        let id = self.predicate_in(atom::SYSTEM, name, arity);
        self.define_code(id, &[Instruction::Builtin(number, 0), Instruction::Proceed]);
    }

    /// The number of the built-in behind a predicate, if it may be called as an instruction.
    #[must_use]
    pub fn builtin_of(&self, id: PredicateId) -> Option<u32> {
        let caller = self.predicate_at(id).module;
        let predicate = self.predicate_at(self.origin(id));
        let goals = predicate.meta.iter().any(|meta| meta.needs_module());
        let code = (self.code_at(predicate.body), self.code.get(predicate.body + 1));
        match (predicate.kind, code) {
            // A clause of the library may begin with a built-in as well.
            (
                Kind::Control | Kind::Library,
                (Instruction::Builtin(number, _), Some(Instruction::Proceed)),
            ) if !goals || matches!(caller, atom::USER | atom::SYSTEM) => Some(number),
            _ => None,
        }
    }

    /// Notes that a clause calls a built-in as an instruction, where a later definition would not be seen.
    pub(crate) fn note_expanded(&mut self, id: PredicateId) {
        if self.predicate_at(self.origin(id)).kind == Kind::Library {
            self.modules.expanded.insert(id);
        }
    }

    /// Whether a clause calls the built-in behind a predicate as an instruction.
    #[must_use]
    pub fn is_expanded(&self, id: PredicateId) -> bool {
        self.modules.expanded.contains(&id)
    }

    /// Forgets the clauses of a predicate.
    pub fn undefine(&mut self, id: PredicateId) {
        let entry = self.add_code(&[Instruction::Undefined(id)]);
        // What goes around the calls of a predicate while the program runs stays: it may be defined anew.
        let innermost = self.wrapped.get(&id).copied();
        let predicate = self.predicate_mut(id);
        predicate.kind = Kind::Undefined;
        predicate.body = entry;
        predicate.rules = false;
        predicate.property = false;
        if predicate.passes_context() {
            predicate.meta.clear();
        }
        if innermost.is_none() {
            predicate.wrapper = None;
        }
        predicate.exported_wrapper = None;
        predicate.clauses = None;
        predicate.keys = Keys::default();
        predicate.place = None;
        self.refresh_entering(id);
        if let Some(innermost) = innermost {
            self.define(innermost, Kind::Static, entry);
        }
        self.refresh(id);
        self.inherit(id);
        self.inherit_everywhere(id);
    }

    /// The goal whose arguments are in the registers.
    pub(in crate::machine) fn called(&mut self, name: Atom, arity: usize) -> Cell {
        match arity {
            0 => Cell::atom(name),
            _ => {
                let arguments: Vec<Cell> = self.x[..arity].to_vec();
                self.store.compound(name, &arguments)
            }
        }
    }

    /// A predicate without clauses was called. One that a library defines which nobody has asked for is loaded and
    /// called by `'$autoload'/2`, as SWI-Prolog does.
    pub(in crate::machine) fn undefined(&mut self, id: PredicateId) -> Result<Address, Throw> {
        let Predicate { module, name, arity, kind, .. } = *self.predicate_at(id);
        let unknown = self.atoms.find("unknown").and_then(|flag| self.prolog_flags.get(&flag).copied());
        if kind == Kind::Dynamic || unknown == Some(Cell::atom(atom::FAIL)) {
            return Ok(fixed::FAIL);
        }
        let warning = self.atoms.find("warning").map(Cell::atom);
        if unknown.is_some() && unknown == warning {
            self.warn_of_unknown(module, name, arity);
            return Ok(fixed::FAIL);
        }
        if !self.flags.strict
            && module != atom::SYSTEM
            && let Some(library) = (self.hooks.library_of)(self.atoms.text(name), arity)
        {
            let goal = self.called(name, arity);
            self.x[0] = self.qualified(module, goal);
            self.x[1] = Cell::atom(self.atoms.intern(library));
            return Ok(self.enter(atom::SYSTEM, atom::AUTOLOAD, 2));
        }
        let mut indicator = self.indicator(name, arity);
        if module != atom::USER {
            indicator = self.store.compound(atom::COLON, &[Cell::atom(module), indicator]);
        }
        self.existence_error("procedure", indicator)
    }
}
