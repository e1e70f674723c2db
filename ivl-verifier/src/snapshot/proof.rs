//! What a run found out about an implementation, check by check, and what of it holds of a later version:
//! fine-grained caching, section 4 of the paper.
//!
//! Length: what is put into a proof and what is read out of it stand side by side, part by part.
//!
//! A [`Proof`] is stored beside the result of an implementation. It names every check by its statement
//! checksum and says how it came out; it keeps the specifications of the procedures that were called, in
//! words, and the checksum of every declaration that a proof could have used. [`recollect`] compares it
//! with the present version.
//!
//! Why a check that held then holds now, in the states that the earlier run met: it is the same condition
//! behind the same statements, with the same meaning of all that they mention (statement checksums), and
//! everything else that its proof could use is sent now as well: axioms, recursive functions, unique
//! constants, conditions of variables ([`Background::required`]). Only what is *sent* counts and not what is merely
//! declared, because the new result is stored under a key that covers what is sent.
//!
//! Definitions of functions that are not recursive may change or go if the check does not lead to them:
//! a definition adds nothing to what is true without it. That is what an edit of a predicate needs that
//! only some checks mention.

use cache_core::cache::Answer;
use cache_core::digest::{Confirm, Encoder};
use cache_core::key::{Key, KeyBuilder};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::lower::cut::{Cut, CutCommand, Required, assertion};
use crate::lower::recall::{Mark, RecalledCall, RecalledSpecification, Recollection};
use crate::resolve::graph::{NodeId, VariableId};
use crate::resolve::program::{ImplementationId, Procedure, ProcedureId, Program, Variable, VariableKind};
use crate::resolve::reach::{Entity, Reach};
use crate::snapshot::checksum::Checksums;
use crate::snapshot::closure::{Closures, Mentions, name};
use crate::snapshot::key::KeyOptions;
use crate::snapshot::portable::{Dictionary, Phrases, Writer};
use crate::snapshot::statement::{Counted, Statements, preconditions};
use crate::snapshot::ways;

/// Raised whenever the meaning of a proof's parts changes; what also counts is the version of lowering.
const VERSION: u32 = 8;

/// What a run found out about the checks of an implementation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Proof {
    settings: Confirm,
    background: Background,
    /// The checks that were asked or known, sorted by their statement checksums.
    checks: Vec<(Confirm, Found)>,
    /// The [marks](super::statement) of its checks and assumptions, sorted.
    marks: Vec<Confirm>,
    /// The ways to the checks that fail, as [`ways::steps`] tells them.
    ways: Vec<(Confirm, Vec<Confirm>)>,
    /// The specifications that were relied upon, sorted by the procedures' names.
    specifications: Vec<Specification>,
    effort: Effort,
}

/// What the run took: by it a later run judges how much an attempt with a part of the query may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Effort {
    /// What the solver last spent for a whole query of the implementation, in its resource count.
    pub(crate) whole: u64,
    /// Whether the solver gave up on a check, by itself or because of a limit.
    pub(crate) gave_up: bool,
}

/// How a check came out; the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum Found {
    /// The solver gave up on it. It is reported as failing, but that says nothing about a later version: with
    /// quantifiers the solver finds a proof or not depending on terms anywhere in the query.
    GaveUp,
    /// It fails: there is a model.
    Failed,
    /// It holds.
    Held,
}

/// What is declared around an implementation and sent with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Background {
    /// What a proof may have used without mentioning it, sorted.
    required: Vec<Confirm>,
    /// All of it.
    sent: Confirm,
}

/// A specification that calls relied upon.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Specification {
    procedure: String,
    /// The checksum of the procedure with all that it depends on.
    dependency: Confirm,
    /// The specification in words, if it can be put into words.
    promise: Option<Promise>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Promise {
    phrases: Phrases,
    /// The numbers of the parameters' types.
    inputs: Vec<u32>,
    outputs: Vec<u32>,
    /// The preconditions that callers check or know.
    requires: Vec<(Said, Precondition)>,
    /// What callers know afterwards.
    ensures: Vec<Said>,
    modifies: Vec<String>,
    /// Every function, constant and type that occurs, with its dependency checksum.
    mentioned: Vec<(String, Confirm)>,
}

/// A condition of a specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Said {
    /// Its checksum, by which the present specification's own condition is found, if it says the same. What it
    /// mentions is compared for the specification as a whole.
    checksum: Confirm,
    /// Its number in the phrases, if it can be put into words.
    phrase: Option<u32>,
}

/// What callers do about a precondition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Precondition {
    Checked,
    Known,
}

impl Answer for Proof {
    fn out_of_limits(&self) -> bool {
        false
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        self == fresh
    }
}

/// The key of the proof beside the result with a given key.
pub(crate) fn proof_key(result: Confirm) -> Key {
    KeyBuilder::new("ivl proof", VERSION).content("result", &result.to_bytes().to_vec()).finish()
}

/// The settings under which proofs of an implementation that has options of the solver of its own may be compared.
pub(crate) fn settings(options: &KeyOptions, own: &[(String, String)]) -> Confirm {
    let KeyOptions {
        engine,
        error_limit: _,
        each_check: _,
        max_pieces: _,
        keep_going: _,
        solver,
        drop_dependencies: _,
    } = options;
    KeyBuilder::new("ivl settings", VERSION)
        .option("lowering", &crate::snapshot::key::VERSION)
        .engine(engine.family.name(), &engine.version)
        .option("solver", solver)
        .option("own options of the solver", own)
        .finish()
        .confirm()
}

/// Everything around an implementation that is sent with it.
pub(crate) fn background(
    program: &Program,
    closures: &Closures,
    id: ImplementationId,
    reach: &Reach,
) -> Background {
    let mut digester = Declarations { program, closures, checksums: Checksums::new(program) };
    let mut required = Vec::new();
    let mut all = Vec::new();
    for axiom in &reach.axioms {
        let expr = program.axioms[*axiom].expr;
        let mut mentions = Mentions::new(program);
        mentions.expr(expr);
        let checksum = digester.checksums.axiom(*axiom);
        required.push(digester.declaration(0, checksum, mentions));
    }
    for constant in reach.constants.iter().copied() {
        let checksum = digester.entity(1, Entity::Constant(constant));
        if program.constants[constant].unique { &mut required } else { &mut all }.push(checksum);
    }
    for function in reach.functions.iter().copied() {
        let checksum = digester.entity(2, Entity::Function(function));
        if closures.is_recursive(function) { &mut required } else { &mut all }.push(checksum);
    }
    for ty in reach.types.iter().copied() {
        all.push(digester.entity(3, Entity::Type(ty)));
    }
    let implementation = &program.implementations[id];
    // Of a local variable without a condition nothing is sent but what statements say of it.
    let conditional = |id: &&VariableId| program.variables[**id].condition.is_some();
    let own = implementation.inputs.iter().chain(&implementation.outputs);
    let own = own.chain(implementation.locals.iter().filter(conditional));
    for variable in reach.globals.iter().chain(own).copied() {
        let checksum = digester.variable(variable);
        let conditional = program.variables[variable].condition.is_some();
        if conditional { &mut required } else { &mut all }.push(checksum);
    }
    required.sort_unstable();
    required.dedup();
    all.extend(&required);
    all.sort_unstable();
    all.dedup();
    let mut out = Encoder::new();
    out.sequence(all.len());
    all.into_iter().for_each(|checksum| out.nested_confirm(checksum));
    Background { required, sent: out.confirm() }
}

struct Declarations<'p> {
    program: &'p Program,
    closures: &'p Closures,
    checksums: Checksums<'p>,
}

impl Declarations<'_> {
    fn declaration(&self, kind: u32, checksum: Confirm, mentions: Mentions<'_>) -> Confirm {
        let mut out = Encoder::new();
        out.variant(kind);
        out.nested_confirm(checksum);
        self.closures.mentioned_into(self.program, mentions, &mut out);
        out.confirm()
    }

    fn entity(&self, kind: u32, entity: Entity) -> Confirm {
        let mut out = Encoder::new();
        out.variant(kind);
        out.text(&name(self.program, entity));
        match self.closures.entity(entity) {
            Some(checksum) => {
                out.some();
                out.nested_confirm(checksum);
            }
            None => out.none(),
        }
        out.confirm()
    }

    fn variable(&mut self, id: VariableId) -> Confirm {
        let checksum = self.checksums.global(id);
        let variable = &self.program.variables[id];
        let mut mentions = Mentions::new(self.program);
        mentions.ty(variable.ty);
        if let Some(condition) = variable.condition {
            mentions.expr(condition);
        }
        self.declaration(4, checksum, mentions)
    }

    /// A procedure with all that its callers rely on.
    fn procedure(&mut self, id: ProcedureId) -> Confirm {
        let checksum = self.checksums.procedure(id);
        let procedure = &self.program.procedures[id];
        let mut mentions = Mentions::new(self.program);
        let mut out = Encoder::new();
        for variable in procedure.inputs.iter().chain(&procedure.outputs) {
            let variable = &self.program.variables[*variable];
            mentions.ty(variable.ty);
            if let Some(condition) = variable.condition {
                mentions.expr(condition);
            }
        }
        for condition in procedure.requires.iter().chain(&procedure.ensures) {
            mentions.expr(condition.expr);
        }
        let mut modified = procedure.modifies.clone();
        modified.sort_by_key(|id| self.program.names.text(self.program.variables[*id].name));
        for variable in modified {
            out.nested_confirm(self.variable(variable));
        }
        out.nested_confirm(self.declaration(5, checksum, mentions));
        out.confirm()
    }
}

/// The specifications of the procedures that an implementation reaches.
fn specifications(program: &Program, closures: &Closures, reach: &Reach) -> Vec<Specification> {
    let mut digester = Declarations { program, closures, checksums: Checksums::new(program) };
    let mut all: Vec<Specification> = reach
        .procedures
        .iter()
        .map(|id| Specification {
            procedure: program.names.text(program.procedures[*id].name).to_owned(),
            dependency: digester.procedure(*id),
            promise: promise(program, closures, *id),
        })
        .collect();
    all.sort_by(|a, b| a.procedure.cmp(&b.procedure));
    all
}

fn promise(program: &Program, closures: &Closures, id: ProcedureId) -> Option<Promise> {
    let procedure = &program.procedures[id];
    if !procedure.type_parameters.is_empty() {
        return None;
    }
    let parameters: Vec<VariableId> = procedure.inputs.iter().chain(&procedure.outputs).copied().collect();
    let mut writer = Writer::new(program, &parameters);
    let mut mentions = Mentions::new(program);
    let mut modified = procedure.modifies.clone();
    modified.sort_by_key(|id| program.names.text(program.variables[*id].name));
    let mut types = |variables: &[VariableId], writer: &mut Writer<'_>| {
        let all = variables.iter().map(|variable| {
            let ty = program.variables[*variable].ty;
            mentions.ty(ty);
            writer.ty(ty)
        });
        all.collect::<Option<Vec<u32>>>()
    };
    let inputs = types(&procedure.inputs, &mut writer)?;
    let outputs = types(&procedure.outputs, &mut writer)?;
    types(&modified, &mut writer)?;
    let mut checksums = Checksums::new(program);
    let mut say = |expr, writer: &mut Writer<'_>| {
        mentions.expr(expr);
        let checksum = condition(program, closures, &mut checksums, &parameters, expr);
        Said { checksum, phrase: writer.expr(expr) }
    };
    let mut requires = Vec::new();
    for condition in &procedure.requires {
        let said = say(condition.expr, &mut writer);
        if condition.always {
            requires.push((said, Precondition::Known));
        }
        if !condition.free {
            requires.push((said, Precondition::Checked));
        }
    }
    let mut ensures = Vec::new();
    for variable in procedure.outputs.iter().chain(&modified) {
        if let Some(condition) = program.variables[*variable].condition {
            ensures.push(say(condition, &mut writer));
        }
    }
    for condition in &procedure.ensures {
        ensures.push(say(condition.expr, &mut writer));
    }
    let mut mentioned = Vec::new();
    for entity in mentions.found {
        if !matches!(entity, Entity::Global(_)) {
            mentioned.push((name(program, entity), closures.entity(entity)?));
        }
    }
    mentioned.sort();
    let modifies =
        modified.iter().map(|id| program.names.text(program.variables[*id].name).to_owned()).collect();
    Some(Promise { phrases: writer.finish(), inputs, outputs, requires, ensures, modifies, mentioned })
}

/// What a run has to say about one check.
#[derive(Clone, Debug)]
pub(crate) struct Finding {
    /// The number of the check.
    pub(crate) check: usize,
    pub(crate) found: Found,
    /// The blocks on the way to it, if it fails.
    pub(crate) way: Vec<usize>,
}

impl Proof {
    /// What is stored of a run: its findings about the checks of the present program.
    pub(crate) fn new(
        program: &Program,
        closures: &Closures,
        reach: &Reach,
        (settings, background): (Confirm, Background),
        statements: &Statements,
        findings: &[Finding],
        effort: Effort,
    ) -> Self {
        let mut checks = Vec::new();
        let mut ways = Vec::new();
        for finding in findings {
            let Some(checksum) = statements.checks.get(finding.check).copied().flatten() else { continue };
            checks.push((checksum, finding.found));
            if finding.found == Found::Failed {
                ways.push((checksum, ways::steps(&finding.way, statements)));
            }
        }
        // The same check behind the same statements is one check; the weakest finding about it counts.
        checks.sort_unstable();
        checks.dedup_by_key(|(checksum, _)| *checksum);
        ways.sort_unstable();
        ways.dedup_by_key(|(checksum, _)| *checksum);
        let specifications = specifications(program, closures, reach);
        let marks = statements.marks.clone();
        Self { settings, background, checks, marks, ways, specifications, effort }
    }

    /// What it was proved under, for a lie about it.
    #[cfg(feature = "plant")]
    pub(crate) fn background(&self) -> &Background {
        &self.background
    }

    pub(crate) fn effort(&self) -> Effort {
        self.effort
    }

    /// The checks and assumptions that it knew: others are additions.
    pub(crate) fn known(&self) -> Counted<'_> {
        Counted::Known(&self.marks)
    }

    /// The way to a check that failed.
    fn steps(&self, checksum: Confirm) -> Option<&[Confirm]> {
        let at = self.ways.binary_search_by_key(&checksum, |(checksum, _)| *checksum).ok()?;
        self.ways.get(at).map(|(_, steps)| steps.as_slice())
    }

    fn found(&self, checksum: Confirm) -> Option<Found> {
        let at = self.checks.binary_search_by_key(&checksum, |(checksum, _)| *checksum).ok()?;
        self.checks.get(at).map(|(_, found)| *found)
    }

    /// Whether it may say anything about the present version: all that its proofs could use is there now too.
    pub(crate) fn is_usable(&self, settings: Confirm, background: &Background) -> bool {
        self.settings == settings
            && self.background.required.iter().all(|it| background.required.binary_search(it).is_ok())
    }

    /// How much a usable proof can say about the present version, to choose among several: 0 is nothing.
    /// A check that held is worth more than one that failed.
    pub(crate) fn worth(&self, statements: &Statements) -> usize {
        let value = |checksum: &Confirm| match self.found(*checksum) {
            Some(Found::Held) => 2,
            Some(Found::Failed) => 1,
            Some(Found::GaveUp) | None => 0,
        };
        statements.checks.iter().flatten().map(value).sum()
    }
}

/// What a proof says about the present version of an implementation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recollected {
    pub(crate) recollection: Recollection,
    /// The ways, in blocks of the present version, to the checks that failed.
    pub(crate) ways: FxHashMap<usize, Vec<usize>>,
}

/// Says a proof that is worth something about the present version of an implementation: which checks held is looked up
/// under the checksums of `held`, without additions if these are looked past, and which failed under those with all.
/// Assumption variables are added to the program; they are part of nothing that is digested.
pub(crate) fn recollect(
    program: &mut Program,
    closures: &Closures,
    dictionary: &Dictionary,
    proof: &Proof,
    background: &Background,
    cut: &Cut,
    (statements, held): (&Statements, &Statements),
) -> Recollected {
    let mut result = Recollected::default();
    // An error is only known to be one if nothing that was sent is missing or new.
    let same = proof.background.sent == background.sent;
    for (check, checksum) in held.checks.iter().enumerate() {
        if checksum.and_then(|checksum| proof.found(checksum)) == Some(Found::Held) {
            result.recollection.marks.insert(check, Mark::Held);
        }
    }
    for (check, checksum) in statements.checks.iter().enumerate() {
        let Some(checksum) = checksum else { continue };
        match proof.found(*checksum) {
            Some(Found::Failed) if same => {
                if let Some(steps) = proof.steps(*checksum)
                    && let Some(way) = ways::found_again(steps, check, cut, statements)
                {
                    result.recollection.marks.insert(check, Mark::Failed);
                    result.ways.insert(check, way);
                }
            }
            Some(Found::GaveUp) if same => drop(result.recollection.marks.insert(check, Mark::GaveUp)),
            _ => {}
        }
    }
    let mut dependencies: FxHashMap<ProcedureId, Confirm> = FxHashMap::default();
    let mut promises: FxHashMap<ProcedureId, Option<RecalledSpecification>> = FxHashMap::default();
    for ((block, index), before) in &held.calls {
        let CutCommand::Call(call, _) = &cut.blocks[*block].commands[*index] else { continue };
        let callee = call.callee;
        let earlier = {
            let procedure = program.names.text(program.procedures[callee].name);
            let found = proof.specifications.binary_search_by(|it| it.procedure.as_str().cmp(procedure));
            found.ok().and_then(|at| proof.specifications.get(at))
        };
        let dependency = *dependencies.entry(callee).or_insert_with(|| {
            Declarations { program, closures, checksums: Checksums::new(program) }.procedure(callee)
        });
        if earlier.is_some_and(|earlier| earlier.dependency == dependency) {
            continue;
        }
        let promise = match promises.get(&callee) {
            Some(known) => known.clone(),
            None => {
                let promise = earlier.and_then(|earlier| earlier.promise.as_ref());
                let said = promise.and_then(|it| say(it, program, closures, dictionary, callee));
                promises.insert(callee, said.clone());
                said
            }
        };
        let specification = promise.map(|mut specification| {
            specification.under = call.notes.verified_under;
            if call.free {
                // Nothing was checked or known.
                specification.requires.clear();
                return specification;
            }
            let required: Vec<Required> = specification
                .requires
                .iter()
                .map(|(condition, checked)| match checked {
                    false => Required::Known(*condition),
                    true => Required::Check(assertion(program, 0, *condition, &call.notes)),
                })
                .collect();
            let checksums = preconditions(program, closures, *before, &required);
            for (require, checksum) in specification.requires.iter_mut().zip(checksums) {
                require.1 = require.1 && proof.found(checksum) == Some(Found::Held);
            }
            specification
        });
        let variable = assumption(program, result.recollection.calls.len());
        result.recollection.calls.insert((*block, *index), RecalledCall { variable, specification });
    }
    result
}

/// A fresh assumption variable. Its name cannot occur in a program.
fn assumption(program: &mut Program, number: usize) -> VariableId {
    let name = program.names.intern(&format!("earlier state {number}"));
    let ty = program.types.bool();
    program.variables.push(Variable::made(name, ty, VariableKind::Local))
}

/// An earlier specification in the present program, if it can be expressed there.
fn say(
    promise: &Promise,
    program: &mut Program,
    closures: &Closures,
    dictionary: &Dictionary,
    callee: ProcedureId,
) -> Option<RecalledSpecification> {
    let Promise { phrases, inputs, outputs, requires, ensures, modifies, mentioned } = promise;
    for (name, checksum) in mentioned {
        let (kind, name) = name.split_once(' ')?;
        let entity = match kind {
            "function" => Entity::Function(dictionary.function(name)?),
            "constant" => Entity::Constant(dictionary.constant(name)?),
            "type" => Entity::Type(dictionary.type_name(name)?),
            _ => return None,
        };
        if closures.entity(entity) != Some(*checksum) {
            return None;
        }
    }
    let procedure = program.procedures[callee].clone();
    if !procedure.type_parameters.is_empty()
        || procedure.inputs.len() != inputs.len()
        || procedure.outputs.len() != outputs.len()
    {
        return None;
    }
    let parameters: Vec<VariableId> = procedure.inputs.iter().chain(&procedure.outputs).copied().collect();
    let meaning = phrases.read(program, dictionary, &parameters)?;
    for (variable, ty) in parameters.iter().zip(inputs.iter().chain(outputs)) {
        if program.variables[*variable].ty != *meaning.types.get(*ty as usize)? {
            return None;
        }
    }
    let present = conditions(program, closures, &procedure);
    let meant = |said: &Said| match present.get(&said.checksum) {
        Some(condition) => Some(*condition),
        None => meaning.expr(said.phrase?),
    };
    let then: FxHashSet<VariableId> =
        modifies.iter().map(|name| dictionary.global(name)).collect::<Option<_>>()?;
    let mut newly_modified: Vec<VariableId> =
        procedure.modifies.iter().filter(|variable| !then.contains(variable)).copied().collect();
    newly_modified.sort_by_key(|id| program.names.text(program.variables[*id].name));
    Some(RecalledSpecification {
        requires: requires
            .iter()
            .map(|(it, what)| Some((meant(it)?, *what == Precondition::Checked)))
            .collect::<Option<_>>()?,
        under: None,
        ensures: ensures.iter().map(meant).collect::<Option<_>>()?,
        newly_modified,
    })
}

/// The checksum of a condition over a procedure's parameters, which are known by their names and places.
fn condition(
    program: &Program,
    closures: &Closures,
    checksums: &mut Checksums<'_>,
    parameters: &[VariableId],
    expr: NodeId,
) -> Confirm {
    let mut out = Encoder::new();
    out.variant(6);
    checksums.names(parameters, &mut out);
    out.nested_confirm(checksums.expr(expr));
    let mut mentions = Mentions::new(program);
    mentions.expr(expr);
    closures.mentioned_into(program, mentions, &mut out);
    out.confirm()
}

/// All conditions of a procedure's specification by their checksums, the first of those that say the same.
fn conditions(program: &Program, closures: &Closures, procedure: &Procedure) -> FxHashMap<Confirm, NodeId> {
    let mut checksums = Checksums::new(program);
    let parameters: Vec<VariableId> = procedure.inputs.iter().chain(&procedure.outputs).copied().collect();
    let variables = procedure.outputs.iter().chain(&procedure.modifies);
    let own = variables.filter_map(|id| program.variables[*id].condition);
    let written = procedure.requires.iter().chain(&procedure.ensures).map(|it| it.expr);
    let mut all = FxHashMap::default();
    for expr in own.chain(written) {
        all.entry(condition(program, closures, &mut checksums, &parameters, expr)).or_insert(expr);
    }
    all
}
