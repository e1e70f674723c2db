//! Table I of the query-caching paper, on the questions that the engine really asks.
//!
//! The program of Figure 1 with two rows has the execution tree of Figure 2: one branch, then on each
//! side two rows. At the branch on the element (line 17 of the paper) four states ask one question each,
//! q1 to q4 with numeric addresses and q5 to q8 with symbolic ones; q5 is q7 and q6 is q8 up to renaming,
//! and nothing else is the same.

use std::cell::RefCell;
use std::rc::Rc;

use cache_core::digest::Digest;
use cache_core::worker::{Supervisor, WorkerConfig};
use symexec::base::system::{RealSystem, System};
use symexec::exec::{ExecConfig, Executor, Observer, Path};
use symexec::expr::{Arena, Class, ExprId, Model, Node, RenameInputs};
use symexec::memory::Placement;
use symexec::module::Module;
use symexec::module::reader::{Request, Response, decode, encode};
use symexec::solver::independence::Independence;
use symexec::solver::process::{Patience, Process, ProcessConfig};
use symexec::solver::query_cache::{Naming, key_digest};
use symexec::solver::{Front, Query, Solver, SolverError};

use crate::program::fixture;

/// The wanted element.
const WANTED: u64 = 7;

/// A question with its digests under both models, and whether it is address-agnostic.
type Seen = (Digest, Digest, bool);

/// Notes the questions about the element on their way.
struct Recorder {
    inner: Box<dyn Solver>,
    seen: Rc<RefCell<Vec<Seen>>>,
}

impl Solver for Recorder {
    fn inner(&self) -> Option<&dyn Solver> {
        Some(&*self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn Solver> {
        Some(&mut *self.inner)
    }

    fn satisfiable(&mut self, arena: &mut Arena, query: &Query) -> Result<bool, SolverError> {
        if let Node::Compare(_, wanted, read) = arena.node(query.expr)
            && matches!(arena.node(wanted), Node::Constant(WANTED))
            && matches!(arena.node(read), Node::Read(..))
        {
            let constraints =
                query.constraints.iter().copied().filter(|id| !mentions_branch(arena, *id)).collect();
            let asked = Query { constraints, expr: query.expr };
            let plain = key_digest(arena, &asked, Naming::Plain);
            let aware = key_digest(arena, &asked, Naming::AddressAware);
            let parts = asked.constraints.iter().chain([&asked.expr]);
            let agnostic = parts.clone().all(|id| arena.class(*id) == Class::Integer);
            assert!(
                parts.into_iter().any(|id| arena.info(*id).addresses),
                "the question is address-dependent"
            );
            self.seen.borrow_mut().push((plain, aware, agnostic));
        }
        self.inner.satisfiable(arena, query)
    }

    fn model(&mut self, arena: &mut Arena, query: &Query) -> Result<Option<Model>, SolverError> {
        self.inner.model(arena, query)
    }
}

/// Whether a constraint is about the branch before the allocation. The paper's slice drops only these;
/// the engine's own drops the whole table of addresses, because it compares bases and offsets apart.
fn mentions_branch(arena: &Arena, root: ExprId) -> bool {
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        match arena.node(id) {
            Node::Input(input) if arena.input(input).0 == "choice" => return true,
            _ => arena.children(id, &mut stack),
        }
    }
    false
}

struct Silent;

impl Observer for Silent {
    fn path(&mut self, _: &Module, _: &Path) {}

    fn warn(&mut self, _: &str) {}
}

fn read(name: &str) -> Module {
    let mut reader = Supervisor::new(WorkerConfig::new(env!("CARGO_BIN_EXE_symexec-reader")));
    let request = Request { files: vec![fixture(name)], ..Request::default() };
    let answer = reader.ask(&encode(&request).unwrap(), None).unwrap();
    decode::<Response>(&answer).unwrap().unwrap()
}

fn questions(placement: Placement) -> Vec<Seen> {
    let module = read("matrix.ll");
    let system: Rc<dyn System> = Rc::new(RealSystem::default());
    let process = Process::new(ProcessConfig {
        budget: symexec::solver::process::Budget::default(),
        exact: false,
        system: Rc::clone(&system),
        program: env!("CARGO_BIN_EXE_symexec-solver").into(),
        engines: vec![symexec::solver::engine::Engine::default()],
        patience: Patience::default(),
        enumerate: false,
        #[cfg(feature = "plant")]
        skip_values: false,
        #[cfg(feature = "plant")]
        move_bounds: false,
        #[cfg(feature = "plant")]
        mix_bytes: false,
        #[cfg(feature = "plant")]
        late_answers: false,
        #[cfg(feature = "plant")]
        trust_search: false,
        wall: None,
        resource: None,
        memory_bytes: None,
        log: None,
        own_layout: false,
    });
    let seen = Rc::default();
    let inner = Box::new(Independence::new(Box::new(process)));
    let solver = Front::new(Box::new(Recorder { inner, seen: Rc::clone(&seen) }), Rc::clone(&system));
    let config = ExecConfig { placement, ..ExecConfig::default() };
    let mut observer = Silent;
    let arena = Arena::new(RenameInputs(true));
    let mut executor = Executor::new(&module, &config, system, arena, solver, &mut observer);
    executor.run().unwrap();
    assert_eq!(executor.explored().completed, 6);
    drop(executor);
    Rc::try_unwrap(seen).unwrap().into_inner()
}

#[test]
fn q5_is_q7_and_q6_is_q8_and_nothing_else_is_the_same() {
    let seen = questions(Placement::Shared);
    assert_eq!(seen.len(), 4, "one question in each of the four states");
    assert!(seen.iter().all(|(_, _, agnostic)| *agnostic));
    for one in 0..4 {
        for other in 0..one {
            assert_ne!(seen[one].0, seen[other].0, "q{} and q{}", one + 1, other + 1);
            // The two sides of the branch ask in the same order.
            let same = one == other + 2;
            assert_eq!(seen[one].1 == seen[other].1, same, "q{} and q{}", one + 5, other + 5);
        }
    }
}
