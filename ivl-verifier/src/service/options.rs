//! How snapshots are verified: what a run may ask for.

use std::num::NonZeroUsize;

use cache_core::audit::Audit;
use cache_core::limits::MachineId;
use cache_core::mode::Mode;
use cache_core::worker::WorkerConfig;

use super::{Axioms, Expansion, KeepGoing, Maps};
use crate::base::engine::Engine;
use crate::smt::disturb::Disturbance;

/// How snapshots are verified.
#[derive(Clone, Debug)]
pub struct Options {
    /// The worker program.
    pub solver: WorkerConfig,
    /// How many worker programs work side by side.
    pub cores: NonZeroUsize,
    /// After how many failing checks of an implementation to stop; 0 means never.
    pub error_limit: u32,
    /// The budget of an implementation in the solver's resource count.
    pub resource_limit: Option<u64>,
    /// The budget of an implementation in milliseconds.
    pub time_limit_ms: Option<u64>,
    /// Where time is measured: results that ran out of time are replayed on the same machine only.
    pub machine: Option<MachineId>,
    /// Further options of the solver, such as `smt.arith.solver` and `2`.
    pub solver_options: Vec<(String, String)>,
    /// The solver that the worker program asks, as it says of itself.
    pub engine: Engine,
    /// How far the resource count of a query with quantifiers goes before it is asked afresh with [case splits that
    /// follow the goal](crate::smt::turns); 0 means that it never is. Programs with polymorphic maps begin with these.
    pub switch_after: u64,
    /// What is done to a program before it is verified.
    pub expansion: Expansion,
    /// Whether it is to be found out which `{:existential}` constants can hold.
    pub infer_contracts: bool,
    /// Which axioms a query is sent with.
    pub axioms: Axioms,
    /// Whether lambdas are functions of the variables in them, not of the largest parts that stay the same.
    pub lift_variables: bool,
    /// What maps are for the solver.
    pub maps: Maps,
    /// Whether to look for code that control cannot reach, in what is verified.
    pub smoke: bool,
    /// Whether to look for what is proved because control does not get there or assumptions contradict each other;
    /// only together with [`Expansion::track`](crate::transform::Expansion).
    pub vacuity: bool,
    /// Believes `{:checksum}` as Boogie does at this level of its `-verifySnapshots`, and traces what
    /// becomes of checks: for Boogie's own tests of its caching.
    pub client_checksums: Option<u32>,
    /// Which implementations to verify, by name; all if there are none. `*` stands for any text.
    pub only: Vec<String>,
    /// Which implementations not to verify, by name, in the same way.
    pub except: Vec<String>,
    /// What the cache may take and leave.
    pub mode: Mode,
    /// How often a cached result is checked against the solver.
    pub audit: Audit,
    /// Whether earlier proofs of single checks are used where an implementation's result is not known.
    pub fine_grained: bool,
    /// Whether a part of a query is asked only where that is likely to be cheaper than to ask the whole.
    pub thrifty: bool,
    /// Whether what held behind fewer checks and assumptions is known to hold: of the paper's rules this is none.
    pub past_additions: bool,
    /// What becomes of the instances of quantifiers that proofs need.
    pub replay: Replay,
    /// How much more than a proof itself telling its instances may take.
    pub telling: u64,
    /// Whether each check is a query of its own, within limits of its own.
    pub each_check: bool,
    /// Into how many pieces the checks of an implementation are shared out otherwise; 0 and 1 leave them together.
    pub max_pieces: u32,
    /// What becomes of pieces that run out of their limits.
    pub keep_going: KeepGoing,
    /// Whether the text of queries is wanted, as SMT-LIB 2.
    pub log_queries: bool,
    /// Whether reports of results that were known say what was asked and what it took, as those of fresh ones do.
    pub retell: bool,
    /// Whether reports come in the order in which Boogie verifies: those with `{:priority n}` of more than 1 first.
    pub by_priority: bool,
    /// Whether results are told in the order of the program, each as soon as those before it are there, and not as they
    /// arrive.
    pub in_order: bool,
    /// Whether one worker program alone is given each query as soon as it is made, and not when all are: whoever reads
    /// along has the first result at once. Of two implementations with the same query the second is then known.
    pub at_once: bool,
    /// Whether values are wanted with which checks fail. They are stored apart from results: what is known to fail and
    /// has none is asked again for them, and changed implementations are asked as a whole. No verdict and no key
    /// depends on it.
    pub values: bool,
    /// How queries are put otherwise, with the same meaning; the query is what is digested, so nothing is mixed up.
    pub disturbance: Option<Disturbance>,
    /// Which part of the implementations is verified, where several machines share them.
    pub share: Option<super::Share>,
    /// A lie that is to be told.
    #[cfg(feature = "plant")]
    pub fault: Option<crate::base::plant::Fault>,
}

/// What becomes of the instances of quantifiers that proofs need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replay {
    /// Nobody asks for them.
    #[default]
    Never,
    /// What has an earlier version is asked with the instances of that one's proof first. Those of a proof are found
    /// and kept when it is made again after an edit, from this resource count on.
    AfterEdits(u64),
    /// Those of each proof are found and kept, whatever it took, and none is asked: what is measured is the proof.
    Record,
}

impl Options {
    /// Boogie's defaults with the given worker program on one core: five errors, 10 seconds.
    #[must_use]
    pub fn new(solver: WorkerConfig) -> Self {
        Self {
            solver,
            cores: NonZeroUsize::MIN,
            error_limit: 5,
            resource_limit: None,
            time_limit_ms: Some(10_000),
            machine: None,
            solver_options: Vec::new(),
            engine: Engine::linked(),
            switch_after: crate::smt::turns::SHARE,
            expansion: Expansion::default(),
            infer_contracts: false,
            axioms: Axioms::Reached,
            lift_variables: false,
            maps: Maps::Chosen,
            smoke: false,
            vacuity: false,
            client_checksums: None,
            only: Vec::new(),
            except: Vec::new(),
            mode: Mode::default(),
            audit: Audit::Never,
            fine_grained: true,
            thrifty: true,
            past_additions: true,
            replay: Replay::Never,
            telling: 4,
            each_check: false,
            max_pieces: 1,
            disturbance: None,
            keep_going: KeepGoing::default(),
            log_queries: false,
            retell: false,
            by_priority: false,
            in_order: false,
            at_once: false,
            values: false,
            share: None,
            #[cfg(feature = "plant")]
            fault: None,
        }
    }
}
