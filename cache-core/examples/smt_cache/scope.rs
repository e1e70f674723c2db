//! What holds at a point of a script: the declarations, definitions and assertions of all levels, and the options.
//!
//! Everything that was said and holds is a *statement*: a shape with a number. The statements together are the
//! question of a `check-sat`; their order and the order of levels are no part of it. What is said twice is told from
//! what is said once where that can be an error.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use cache_core::digest::Encoder;
use cache_core::key::Checksum;
use cache_core::limits::Limits;
use cache_core::rename::AtomId;
use rustc_hash::FxHashMap;
use yaspar::tokens::Command;

use super::read::{NodeId, Symbol, Tree};
use super::term::{Bound, Names, Row, Term, named};

/// The number of a statement or an option.
pub(crate) type Id = u64;

/// Options whose value is a budget: milliseconds, or the solver's own measure of work.
const TIME: [&str; 3] = [":timeout", ":tlimit", ":tlimit-per"];
const WORK: [&str; 3] = [":rlimit", ":rlimit-per", ":reproducible-resource-limit"];
/// What Z3 takes for no bound.
const FOREVER: u64 = u32::MAX as u64;
/// Information about a script, which says nothing to a solver.
const REMARKS: [&str; 5] = [":source", ":license", ":category", ":notes", ":smt-lib-version"];

#[derive(Debug)]
struct Statement {
    term: Term,
    declares: Vec<Rc<Symbol>>,
    /// Whether it is an assertion, which holds for its level even where declarations hold for ever.
    asserts: bool,
}

/// How far a script has come: what a solver does with an option, and whether it takes it, depends on that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Nothing but settings was said.
    #[default]
    Settings,
    /// Something was stated, or a level opened.
    Stated,
    /// Something was asked.
    Checked,
}

/// A setting: its name, its value, and how far the script had come.
#[derive(Debug)]
struct Setting {
    name: String,
    value: String,
    stage: Stage,
    /// Whether it was left by a reset.
    left: bool,
}

/// See the [module](self).
#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(crate) names: Names,
    statements: BTreeMap<Id, Statement>,
    /// By name, the statements that declare it, some of them gone.
    declared_by: FxHashMap<AtomId, Vec<Id>>,
    /// The first number of each level but the lowest.
    levels: Vec<Id>,
    settings: BTreeMap<Id, Setting>,
    /// Whether `reset` leaves them as they are.
    settings_survive: bool,
    next: Id,
    stage: Stage,
    /// Whether there was a check; absent for a solver to which that makes no difference.
    checked: Option<bool>,
    /// All that was said since the last reset, in order.
    history: Heard,
    /// The last command, as it is written.
    heard: Vec<u8>,
    /// All that was said to this process.
    session: Heard,
}

/// What was said, as it was written, in order.
#[derive(Debug, Default)]
struct Heard {
    /// The last of it, behind what confirms all before.
    last: Encoder,
}

impl Heard {
    /// So many bytes are read again for each checksum at most.
    const LONGEST: usize = 1 << 14;

    fn add(&mut self, command: &[u8]) {
        self.last.raw(command);
        if self.last.bytes().len() > Self::LONGEST {
            let before = self.last.confirm();
            self.last.clear();
            self.last.nested_confirm(before);
        }
    }

    /// Absent where nothing was said.
    fn checksum(&self) -> Option<Checksum> {
        (!self.last.bytes().is_empty()).then(|| Checksum::of_encoded(&self.last))
    }
}

impl Scope {
    /// Of a script for Z3, whose options survive `reset`, or for another solver, which may refuse a second check.
    pub(crate) fn new(is_z3: bool) -> Self {
        Self { checked: (!is_z3).then_some(false), settings_survive: is_z3, ..Self::default() }
    }

    /// There was a check; a solver may refuse options from now on.
    pub(crate) fn note_check(&mut self) {
        self.stage = Stage::Checked;
        self.checked = self.checked.map(|_| true);
    }

    /// Whether a statement is an option, and no mere budget, that came behind a check.
    pub(crate) fn is_option_behind_check(&self, id: Id) -> bool {
        let setting = self.settings.get(&id);
        setting.is_some_and(|it| it.stage == Stage::Checked && !it.is_remark() && it.budget().is_none())
    }

    /// Takes in a command that the solver answers by nothing, if it accepts it; absent for any other command.
    pub(crate) fn state(&mut self, command: Command, tree: &Tree) -> Option<Id> {
        let arguments = tree.members(tree.root()).get(1..).unwrap_or_default().to_vec();
        let id = self.next;
        if let (Command::SetOption | Command::SetInfo | Command::SetLogic, [name, rest @ ..]) =
            (command, arguments.as_slice())
        {
            let (name, value) = match command {
                Command::SetLogic => ("logic".to_owned(), tree.text(*name).to_owned()),
                _ => {
                    let value = rest.first().map_or("", |value| tree.text(*value));
                    (tree.text(*name).to_owned(), value.to_owned())
                }
            };
            let name = if command == Command::SetInfo { format!("info {name}") } else { name };
            self.next += 1;
            self.settings.insert(id, Setting { name, value, stage: self.stage, left: false });
            return Some(id);
        }
        let under = self.read_under();
        let mut row = Row::new(&mut self.names, "statement");
        row.text(&under);
        let declares = statement(&mut row, command, tree, &arguments)?;
        // A name that is declared already is another matter: mostly an error.
        for name in &declares {
            let earlier = row.names.declare(name);
            row.number(earlier);
            row.name(name);
        }
        let made = row.finish();
        self.next += 1;
        self.stage = self.stage.max(Stage::Stated);
        for name in &declares {
            let atom = self.names.atom(name);
            let statements = &self.statements;
            let by = self.declared_by.entry(atom).or_default();
            by.retain(|id| statements.contains_key(id));
            by.push(id);
        }
        self.statements.insert(id, Statement { term: made, declares, asserts: command == Command::Assert });
        self.remember();
        Some(id)
    }

    /// A command as it is written, which the next call of [`Self::remember`] adds to all that was said.
    pub(crate) fn hear(&mut self, command: &[u8]) {
        self.heard.clear();
        self.heard.extend_from_slice(command);
        self.session.add(command);
    }

    /// All that was said to this process, as it was written: what it did for that counts towards a budget that holds
    /// for all of it.
    pub(crate) fn session(&self) -> Option<Checksum> {
        self.session.checksum()
    }

    /// Adds what was heard last to all that was said.
    pub(crate) fn remember(&mut self) {
        self.history.add(&self.heard);
    }

    /// All that was said, as it was written: whether a solver gives up may depend on names, too.
    pub(crate) fn history(&self) -> Option<Checksum> {
        self.history.checksum()
    }

    /// Takes back a statement that the solver did not accept, or an option.
    pub(crate) fn take_back(&mut self, id: Id) {
        self.settings.remove(&id);
        if let Some(statement) = self.statements.remove(&id) {
            for name in &statement.declares {
                self.names.undeclare(name);
            }
        }
    }

    pub(crate) fn push(&mut self, count: usize) {
        self.stage = self.stage.max(Stage::Stated);
        self.levels.extend(std::iter::repeat_n(self.next, count));
        self.remember();
    }

    /// Leaves levels; false, and nothing happens, where there are not so many, or where solvers differ in what stays.
    pub(crate) fn pop(&mut self, count: usize) -> bool {
        let Some(left) = self.levels.len().checked_sub(count) else { return false };
        if let Some(first) = self.levels.get(left).copied() {
            let global = self.declares_for_ever();
            // A label may outlive its assertion.
            let labels = |it: &Statement| it.asserts && !it.declares.is_empty();
            if global && self.statements.range(first..).any(|(_, it)| labels(it)) {
                return false;
            }
            for (id, statement) in self.statements.split_off(&first) {
                if global && !statement.asserts {
                    self.statements.insert(id, statement);
                    continue;
                }
                for name in &statement.declares {
                    self.names.undeclare(name);
                }
            }
        }
        self.levels.truncate(left);
        self.remember();
        true
    }

    /// Forgets everything but settings that survive it.
    pub(crate) fn reset(&mut self) {
        self.names.forget();
        self.statements.clear();
        self.declared_by.clear();
        self.levels.clear();
        self.stage = Stage::Settings;
        self.history = Heard::default();
        if !self.settings_survive {
            self.settings.clear();
            return;
        }
        for setting in self.settings.values_mut() {
            setting.stage = Stage::Settings;
            setting.left = true;
        }
        let left: Vec<_> = self.settings.values().map(|it| (&it.name, &it.value)).collect();
        if !left.is_empty() {
            self.history.add(format!("{left:?}").as_bytes());
        }
    }

    /// Leaves all levels and forgets the assertions. Solvers differ in which declarations stay: they are kept as a
    /// remark that they were there, so that whoever uses one asks another question than before.
    pub(crate) fn reset_assertions(&mut self) {
        self.levels.clear();
        let before: Vec<Term> = self.terms();
        let remark = self.names.build(("reset-assertions", 0), &before);
        // The names are taken for declared, as a solver that keeps them would.
        let all = std::mem::take(&mut self.statements);
        let declares = all.into_values().flat_map(|statement| statement.declares).collect();
        let id = self.next;
        self.next += 1;
        self.statements.insert(id, Statement { term: remark, declares, asserts: false });
        for atom in self.names.shapes.atoms_of(remark.0.atoms) {
            self.declared_by.insert(atom, vec![id]);
        }
        self.remember();
    }

    /// Everything that holds.
    pub(crate) fn terms(&self) -> Vec<Term> {
        self.statements.values().map(|statement| statement.term).collect()
    }

    /// Some statements, and the declarations of what they speak of.
    pub(crate) fn closure(&self, ids: &[Id]) -> Vec<Term> {
        let mut all: BTreeSet<Id> = BTreeSet::new();
        let mut open: Vec<Id> = ids.to_vec();
        while let Some(id) = open.pop() {
            let Some(statement) = self.statements.get(&id).filter(|_| all.insert(id)) else { continue };
            for atom in self.names.shapes.atoms_of(statement.term.0.atoms) {
                open.extend(self.declared_by.get(&atom).into_iter().flatten());
            }
        }
        all.iter().filter_map(|id| self.statements.get(id)).map(|statement| statement.term).collect()
    }

    /// The settings that came behind statements, which may be read differently from then on.
    fn read_under(&self) -> String {
        let changes = |it: &&Setting| it.stage > Stage::Settings && !it.is_remark() && it.budget().is_none();
        let settings: Vec<_> =
            self.settings.values().filter(changes).map(|it| (&it.name, &it.value)).collect();
        if settings.is_empty() { String::new() } else { format!("{settings:?}") }
    }

    /// The settings that can change an answer, in order. Those that are budgets are none of them. What a reset
    /// left counts until it is said again, so that a client that resets the solver and says all options again
    /// asks what it asked before. Each has its name, its value, and the number of the [`Stage`] at which it came.
    pub(crate) fn options(&self) -> Vec<(String, String, u8)> {
        let settings = self.settings.values().filter(|it| !it.is_remark() && it.budget().is_none());
        let settings: Vec<&Setting> = settings.collect();
        let last: FxHashMap<&str, usize> =
            settings.iter().enumerate().map(|(at, it)| (it.name.as_str(), at)).collect();
        let counts = |at: &usize, it: &Setting| !it.left || last.get(it.name.as_str()) == Some(at);
        let settings = settings.iter().enumerate().filter(|(at, it)| counts(at, it)).map(|(_, it)| *it);
        let checked = self.checked.map(|checked| ("checked".to_owned(), checked.to_string(), 0));
        let settings = settings.map(|it| (it.name.clone(), it.value.clone(), it.stage as u8));
        settings.chain(checked).collect()
    }

    /// Whether the solver was told to say `success`.
    pub(crate) fn says_success(&self) -> bool {
        let last = self.settings.values().rfind(|it| it.name == ":print-success" && it.is_remark());
        last.is_some_and(|it| it.value == "true")
    }

    /// Whether the script uses an option that moves what is told beside its answers, or one of two minds on how long
    /// declarations hold.
    pub(crate) fn is_opaque(&self) -> bool {
        const STREAMS: [&str; 2] = ["\"stdout\"", "\"stderr\""];
        self.settings.values().any(|it| match it.name.as_str() {
            ":diagnostic-output-channel" => !STREAMS.contains(&it.value.as_str()),
            ":verbosity" => true,
            _ => it.is_global() && (it.stage > Stage::Settings || it.value != "true"),
        })
    }

    /// Whether declarations and definitions outlive their levels.
    pub(crate) fn declares_for_ever(&self) -> bool {
        self.settings.values().any(Setting::is_global)
    }

    /// The budget of the next check, on top of that of the command line.
    pub(crate) fn limits(&self, outer: &Limits) -> Limits {
        let mut limits = outer.clone();
        for setting in self.settings.values() {
            match setting.budget() {
                Some(Budget::Time(time)) => limits.wall_ms = time,
                Some(Budget::Work(work)) => limits.resource = work,
                None => {}
            }
        }
        limits
    }
}

/// A budget; absent for none.
#[derive(Clone, Copy, Debug)]
enum Budget {
    Time(Option<u64>),
    Work(Option<u64>),
}

impl Setting {
    /// The budget that this sets. A value that is none is left to the solver to judge.
    fn budget(&self) -> Option<Budget> {
        let value: u64 = self.value.parse().ok().filter(|value| *value <= FOREVER)?;
        if TIME.contains(&self.name.as_str()) && value > 0 {
            return Some(Budget::Time(Some(value).filter(|value| *value < FOREVER)));
        }
        WORK.contains(&self.name.as_str()).then(|| Budget::Work(Some(value).filter(|value| *value > 0)))
    }

    /// Whether this says how long declarations hold; Z3 has two names for it.
    fn is_global(&self) -> bool {
        matches!(self.name.as_str(), ":global-declarations" | ":global-decls")
    }

    /// Whether this changes no answer.
    fn is_remark(&self) -> bool {
        let information = self.name.strip_prefix("info ").is_some_and(|name| REMARKS.contains(&name));
        let success = self.name == ":print-success" && matches!(self.value.as_str(), "true" | "false");
        information || success
    }
}

/// Writes a declaration, a definition or an assertion; what it declares. Absent for any other command.
fn statement(
    row: &mut Row<'_>,
    command: Command,
    tree: &Tree,
    arguments: &[NodeId],
) -> Option<Vec<Rc<Symbol>>> {
    let symbol = |node: NodeId| tree.symbol(node);
    let first_of = |list: &NodeId| tree.members(*list).first().copied();
    Some(match (command, arguments) {
        (Command::Assert, [assertion]) => {
            row.text("assert");
            row.term(tree, *assertion, None, Bound::Renamed);
            named(tree, *assertion)
        }
        // A constant is a function of nothing.
        (Command::DeclareConst, [name, sort]) => {
            row.text("declare-fun");
            row.term(tree, *sort, None, Bound::Renamed);
            vec![symbol(*name)?]
        }
        (Command::DeclareFun, [name, arguments, sort]) => {
            row.text("declare-fun");
            for argument in tree.members(*arguments).iter().chain([sort]) {
                row.term(tree, *argument, None, Bound::Renamed);
            }
            vec![symbol(*name)?]
        }
        (Command::DeclareSort, [name, arity]) => {
            row.text("declare-sort");
            row.text(tree.text(*arity));
            vec![symbol(*name)?]
        }
        (Command::DefineSort, [name, parameters, sort]) => {
            row.text("define-sort");
            row.number(tree.members(*parameters).len() as u64);
            row.term(tree, *sort, Some(*parameters), Bound::Renamed);
            vec![symbol(*name)?]
        }
        (Command::DefineConst, [name, sort, body]) => {
            row.text("define-const");
            row.term(tree, *sort, None, Bound::Renamed);
            row.term(tree, *body, None, Bound::Renamed);
            [vec![symbol(*name)?], named(tree, *body)].concat()
        }
        (Command::DefineFun, [name, parameters, sort, body]) => {
            row.text("define-fun");
            function(row, tree, [*parameters, *sort, *body]);
            [vec![symbol(*name)?], named(tree, *body)].concat()
        }
        (Command::DefineFunRec, [name, parameters, sort, body]) => {
            row.text("define-fun-rec");
            let name = symbol(*name)?;
            // It may stand in its own body.
            let earlier = row.names.declare(&name);
            row.number(earlier);
            function(row, tree, [*parameters, *sort, *body]);
            row.names.undeclare(&name);
            [vec![name], named(tree, *body)].concat()
        }
        (Command::DefineFunsRec, [heads, bodies]) => {
            let heads: Vec<&[NodeId]> = tree.members(*heads).iter().map(|head| tree.members(*head)).collect();
            let declares: Option<Vec<_>> = heads.iter().map(|head| symbol(*head.first()?)).collect();
            let declares = declares?;
            row.text("define-funs-rec");
            row.number(declares.len() as u64);
            for name in &declares {
                row.names.declare(name);
            }
            for (head, body) in heads.iter().zip(tree.members(*bodies)) {
                if let [_, parameters, sort] = head {
                    function(row, tree, [*parameters, *sort, *body]);
                }
            }
            for name in &declares {
                row.names.undeclare(name);
            }
            [declares, named(tree, *bodies)].concat()
        }
        (Command::DeclareDatatype | Command::DeclareDatatypes, [heads, rest]) => {
            let single = command == Command::DeclareDatatype;
            let types = if single { std::slice::from_ref(rest) } else { tree.members(*rest) };
            let sorts: Vec<NodeId> = match single {
                true => vec![*heads],
                false => tree.members(*heads).iter().filter_map(first_of).collect(),
            };
            let all = sorts.into_iter().chain(types.iter().flat_map(|of| constructors(tree, *of)));
            let declares: Option<Vec<_>> = all.map(symbol).collect();
            let declares = declares?;
            row.text("declare-datatypes");
            row.number(u64::from(single));
            for name in &declares {
                row.names.declare(name);
            }
            for part in [*heads, *rest] {
                row.term(tree, part, None, Bound::Renamed);
            }
            for name in &declares {
                row.names.undeclare(name);
            }
            declares
        }
        _ => return None,
    })
}

/// Writes the parameters, the result and the body of a function.
fn function(row: &mut Row<'_>, tree: &Tree, [parameters, sort, body]: [NodeId; 3]) {
    let pairs = tree.members(parameters);
    row.number(pairs.len() as u64);
    for sort in pairs.iter().filter_map(|pair| tree.members(*pair).get(1)).chain([&sort]) {
        row.term(tree, *sort, None, Bound::Renamed);
    }
    row.term(tree, body, Some(parameters), Bound::Renamed);
}

/// The names of the constructors and selectors of a datatype.
fn constructors(tree: &Tree, datatype: NodeId) -> Vec<NodeId> {
    let members = match tree.members(datatype) {
        [head, _, constructors] if tree.text(*head) == "par" => tree.members(*constructors),
        members => members,
    };
    let mut names = Vec::new();
    for constructor in members {
        let [name, selectors @ ..] = tree.members(*constructor) else { continue };
        names.push(*name);
        names.extend(selectors.iter().filter_map(|selector| tree.members(*selector).first()));
    }
    names
}
