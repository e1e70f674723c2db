//! What an exploration is told.

use std::time::Duration;

use super::environment::Environment;
use super::{
    ErrorKind, External, ExternalCalls, ExternalWarnings, OverMemory, Replay, Search, Seeds, Undefined,
};
use crate::memory::{Placement, SymbolicBases};

/// What error files are called by of paths that reached the function that was to be reached.
pub const REACHED: &str = "reached";

/// What happens where a pointer may be one of several objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MemoryModel {
    /// One path for each.
    #[default]
    Forking,
    /// They become one segment.
    Segmented,
}

reprise_tools::names!(MemoryModel, "memory model": Forking = "forking", Segmented = "segmented");

/// Limits and ways of an exploration.
#[derive(Clone, Debug)]
pub struct ExecConfig {
    /// Who decides where objects lie.
    pub placement: Placement,
    /// Whose base addresses are symbols in questions.
    pub symbolic_bases: SymbolicBases,
    /// What happens where a pointer may be one of several objects.
    pub memory_model: MemoryModel,
    /// Whether questions see a segment at the place of an earlier one of the same objects, made by the same
    /// instruction on whatever path; for comparison.
    pub reuse_segments: bool,
    /// Whether the search for the objects that a pointer may be is cut short by questions about the order
    /// of objects, as in the query-caching paper. They save nothing here and are for comparison.
    pub ordering_queries: bool,
    /// Which state runs next: these orders by turns; depth first if there is none.
    pub search: Vec<Search>,
    /// Whether a state that goes on is older than those that a choice made beside it, and these are in the order of their
    /// sides, as in KLEE; otherwise it is the newest, and depth first takes first sides first.
    pub ages_at_forks: bool,
    /// States wait until all others have ended whose last question cost the solver more than so many units, or
    /// whose next one would, on which no more is spent before; none does, if absent. What a question cost is
    /// kept with its answer, so that a cache changes no order.
    pub put_off: Option<u64>,
    /// Whether a state that is put off leaves one with known inputs that goes on, where tests are for new coverage
    /// only.
    pub examples: bool,
    /// Whether states become one where the program says that they may.
    pub merging: bool,
    /// Whether states that could become one go on where others come to twice as many choices before they could.
    pub incomplete_merging: bool,
    /// Whether it is told which states became one.
    pub log_merges: bool,
    /// Whether it is told where states that could become one wait no longer for others.
    pub log_incomplete_merges: bool,
    /// The seed of random searchers.
    pub seed: u64,
    /// The function to start with.
    pub entry: String,
    /// The program's arguments, its name first.
    pub arguments: Vec<String>,
    /// What follows the program's name, where not all of that is known; it then replaces the arguments,
    /// and the program must have been read with the runtime's start.
    pub environment: Option<Environment>,
    /// The environment variables that it sees, as `NAME=VALUE`.
    pub variables: Vec<Vec<u8>>,
    /// Whether each case of a switch is a choice of its own, also where several lead to the same place.
    pub split_switches: bool,
    /// Stop after so much time.
    pub max_time: Option<Duration>,
    /// Stop after so many instructions.
    pub max_instructions: Option<u64>,
    /// End a path after so many choices.
    pub max_depth: Option<u64>,
    /// Stop when more states than this are live.
    pub max_states: Option<usize>,
    /// Stop after so many tests.
    pub max_tests: Option<u64>,
    /// Stop when this process has so many bytes of memory.
    pub max_memory: Option<u64>,
    /// What happens then instead, if anything.
    pub over_memory: OverMemory,
    /// After so many choices with several sides, follow one side only.
    pub max_forks: Option<u64>,
    /// Activations may nest so deep.
    pub max_stack: usize,
    /// Whether a path on which they would nest deeper ends early, with a warning, as in KLEE; otherwise with an error.
    pub deep_is_early: bool,
    /// Whether every error gets a test, and not only the first one at its place.
    pub all_errors: bool,
    /// Whether the run stops at the first error.
    pub exit_on_error: bool,
    /// Sorts of errors of which the first one stops the run.
    pub exit_on: Vec<ErrorKind>,
    /// And of those whose files are named so, without `.err`: what sanitized code reports has names of its own.
    pub exit_on_named: Vec<String>,
    /// Whether tests are wanted.
    pub tests: bool,
    /// Whether paths without an error get a test only if they executed something for the first time.
    pub new_coverage_only: bool,
    /// Whether the sides of branches and of choices between values count as well: one that no path had taken is
    /// something new, and is looked for.
    pub new_sides: bool,
    /// A function whose call ends the path, as an error of kind [`ErrorKind::Report`] with the suffix [`REACHED`].
    pub reach: Option<String>,
    /// Whether states that are live where the run stops get a test.
    pub dump_states: bool,
    /// Whether paths on which an assumption cannot hold end without an error.
    pub silent_assumptions: bool,
    /// Whether an allocation of no bytes gives null.
    pub no_empty_objects: bool,
    /// Whether shifting too far is an error; otherwise all bits are gone.
    pub check_overshift: bool,
    /// Whether dividing by zero is an error; otherwise the quotient has all bits set.
    pub check_div_zero: bool,
    /// What may be called outside of the program.
    pub external_calls: ExternalCalls,
    /// Whether calls of the C library are told, and refused where nothing outside may be called, as they are
    /// in KLEE without a C library. They are followed all the same.
    pub library_is_outside: bool,
    /// Which of such calls are told.
    pub external_warnings: ExternalWarnings,
    /// What happens where an undefined function is called.
    pub undefined: Undefined,
    /// Functions in which, and in what these call, one side of each choice is followed, errors besides.
    pub one_way: Vec<String>,
    /// Functions outside of the program that may be called beside those of `math.h`.
    pub externals: Vec<External>,
    /// Whether the observer is given what the program writes.
    pub echo: bool,
    /// Known inputs whose paths are followed first.
    pub seeds: Seeds,
    /// Tests that are replayed, one after the other, instead of an exploration.
    pub replays: Vec<Replay>,
    /// The sides that branches take; what is left open is explored. Needs [`Self::record_branches`].
    pub path: Option<Vec<bool>>,
    /// Whether paths are told with their conditions.
    pub conditions: bool,
    /// Whether paths are told with the sides that branches took. All instructions then run one by one.
    pub record_branches: bool,
    /// Whether findings are put together with those of others that explore other parts of the program. Paths
    /// are then told with their decisions, and an error at a place that had one is told again if its path comes
    /// before.
    pub in_parts: bool,
    /// Whether the observer is shown each instruction before it is executed. All instructions then run one by one.
    pub show_instructions: bool,
    /// Whether executions are counted for each instruction. All instructions then run one by one.
    pub count_executions: bool,
    /// Of how many known values that are read one is taken for an unknown one that equals it, to try out what that
    /// changes; of none if absent. All instructions then run one by one.
    pub doubted_reads: Option<u64>,
    /// Whether writes over a part of a field that is an array are lost: a planted fault.
    #[cfg(feature = "plant")]
    pub ignore_overlaps: bool,
    /// Whether every jump goes where the first `setjmp` was called: a planted fault.
    #[cfg(feature = "plant")]
    pub first_landing: bool,
    /// Whether the last digit of numbers that are compared by their digits is left out: a planted fault.
    #[cfg(feature = "plant")]
    pub forget_digit: bool,
    /// Whether of two states that become one each has the values of the other one: a planted fault.
    #[cfg(feature = "plant")]
    pub swap_merged: bool,
    /// Whether what a program writes to its files is lost: a planted fault.
    #[cfg(feature = "plant")]
    pub lose_writes: bool,
    /// At every so many looks at expressions those that nobody has go, as many as there may be.
    #[cfg(feature = "plant")]
    pub collect_every: Option<u64>,
    /// Whether expressions go that a waiting state has: a planted fault.
    #[cfg(feature = "plant")]
    pub forget_waiting: bool,
}

impl ExecConfig {
    /// Whether instructions are executed one by one, also where several in a row need nothing but that.
    pub(super) fn runs_singly(&self) -> bool {
        self.record_branches || self.show_instructions || self.doubted_reads.is_some()
    }
}

impl Default for ExecConfig {
    fn default() -> Self {
        Self {
            placement: Placement::Shared,
            symbolic_bases: SymbolicBases::default(),
            memory_model: MemoryModel::Forking,
            reuse_segments: false,
            ordering_queries: false,
            search: Vec::new(),
            ages_at_forks: false,
            put_off: None,
            examples: false,
            merging: false,
            incomplete_merging: false,
            log_merges: false,
            log_incomplete_merges: false,
            seed: 0,
            entry: "main".to_owned(),
            arguments: vec!["program".to_owned()],
            environment: None,
            variables: Vec::new(),
            split_switches: false,
            max_time: None,
            max_instructions: None,
            max_depth: None,
            max_states: None,
            max_tests: None,
            max_memory: None,
            over_memory: OverMemory::default(),
            max_forks: None,
            max_stack: 8192,
            deep_is_early: false,
            all_errors: false,
            exit_on_error: false,
            exit_on: Vec::new(),
            exit_on_named: Vec::new(),
            tests: true,
            new_coverage_only: false,
            new_sides: false,
            reach: None,
            dump_states: true,
            silent_assumptions: false,
            no_empty_objects: false,
            check_overshift: true,
            check_div_zero: true,
            external_calls: ExternalCalls::default(),
            library_is_outside: false,
            external_warnings: ExternalWarnings::default(),
            undefined: Undefined::default(),
            one_way: Vec::new(),
            externals: Vec::new(),
            echo: false,
            seeds: Seeds::default(),
            replays: Vec::new(),
            path: None,
            conditions: false,
            record_branches: false,
            in_parts: false,
            show_instructions: false,
            count_executions: false,
            doubted_reads: None,
            #[cfg(feature = "plant")]
            ignore_overlaps: false,
            #[cfg(feature = "plant")]
            first_landing: false,
            #[cfg(feature = "plant")]
            forget_digit: false,
            #[cfg(feature = "plant")]
            swap_merged: false,
            #[cfg(feature = "plant")]
            lose_writes: false,
            #[cfg(feature = "plant")]
            collect_every: None,
            #[cfg(feature = "plant")]
            forget_waiting: false,
        }
    }
}
