//! The query cache by itself, over a solver that says what it is told and notes what it is asked.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use cache_core::audit::Audit;
use cache_core::cache::CacheConfig;
use symexec::base::bits::BinaryOp;
use symexec::base::system::RealSystem;
use symexec::expr::{Arena, Evaluator, ExprId, Model, RenameInputs};
use symexec::solver::counterexample::Counterexamples;
use symexec::solver::layouts::Layouts;
use symexec::solver::process::{Patience, Process, ProcessConfig};
use symexec::solver::query_cache::{Naming, QueryCache, key_digest};
use symexec::solver::{Counts, Query, Solver, SolverError};

/// What the solver below says next.
enum Say {
    Truth(bool),
    Model(Option<Model>),
    Fail,
}

/// A solver that says what it is told, in order; the number of questions is what is left over.
#[derive(Clone, Default)]
struct Told(Rc<RefCell<VecDeque<Say>>>);

impl Told {
    fn to(says: impl IntoIterator<Item = Say>) -> Self {
        Self(Rc::new(RefCell::new(says.into_iter().collect())))
    }

    fn left(&self) -> usize {
        self.0.borrow().len()
    }
}

impl Solver for Told {
    fn satisfiable(&mut self, _: &mut Arena, _: &Query) -> Result<bool, SolverError> {
        match self.0.borrow_mut().pop_front() {
            Some(Say::Truth(truth)) => Ok(truth),
            Some(Say::Fail) => Err(SolverError::Unknown("told to".to_owned())),
            _ => panic!("asked for a truth unexpectedly"),
        }
    }

    fn model(&mut self, _: &mut Arena, _: &Query) -> Result<Option<Model>, SolverError> {
        match self.0.borrow_mut().pop_front() {
            Some(Say::Model(model)) => Ok(model),
            Some(Say::Fail) => Err(SolverError::Unknown("told to".to_owned())),
            _ => panic!("asked for a model unexpectedly"),
        }
    }
}

/// Inputs `a` and `b` of two bytes, and a cache over what is told.
struct Bench {
    arena: Arena,
    a: [ExprId; 2],
    b: [ExprId; 2],
    told: Told,
    audits: Told,
    cache: QueryCache,
}

fn bench(says: impl IntoIterator<Item = Say>, naming: Naming, rename: bool, audit: Audit) -> Bench {
    let mut arena = Arena::new(RenameInputs(rename));
    let mut input = |name| {
        let array = arena.input_array(name, 2);
        let bytes = arena.array(array).bytes.clone();
        [arena.input_byte(bytes[0]), arena.input_byte(bytes[1])]
    };
    let (a, b) = (input("a"), input("b"));
    let (told, audits) = (Told::to(says), Told::default());
    let config = CacheConfig::default().audit(audit);
    let cache = QueryCache::new(Box::new(told.clone()), Box::new(audits.clone()), naming, config);
    Bench { arena, a, b, told, audits, cache }
}

impl Bench {
    /// `byte < number`.
    fn below(&mut self, byte: ExprId, number: u64) -> ExprId {
        let number = self.arena.constant(8, number);
        self.arena.less(byte, number)
    }

    fn truth(&mut self, constraints: &[ExprId], expr: ExprId) -> Result<bool, SolverError> {
        self.cache.satisfiable(&mut self.arena, &Query { constraints: constraints.to_vec(), expr })
    }

    fn model(&mut self, constraints: &[ExprId]) -> Result<Option<Model>, SolverError> {
        let expr = self.arena.truth(true);
        self.cache.model(&mut self.arena, &Query { constraints: constraints.to_vec(), expr })
    }

    /// A model in which the input bytes `expr` stands for have a value.
    fn giving(&self, values: &[(ExprId, u8)]) -> Model {
        let byte = |id| match self.arena.node(id) {
            symexec::expr::Node::Input(input) => input,
            _ => panic!("an input byte"),
        };
        Model::new(values.iter().map(|(id, value)| (byte(*id), *value)))
    }

    fn counted(&self, name: &str) -> u64 {
        let mut counts = Counts::default();
        self.cache.count(&mut counts);
        counts.get(name)
    }
}

#[test]
fn that_a_truth_has_no_solution_says_nothing_about_its_negation() {
    // Asked in one order and the other, with addresses and names renamed and without.
    for (naming, first) in [(Naming::AddressAware, 0), (Naming::AddressAware, 1), (Naming::Plain, 0)] {
        let mut bench = bench([], naming, true, Audit::Never);
        let small = bench.below(bench.a[0], 5);
        let other = bench.below(bench.a[1], 7);
        let large = bench.arena.not(small);
        let found = bench.giving(&[(bench.a[0], 200), (bench.a[1], 1)]);
        let mut asked = [(small, None), (large, Some(found))];
        if first == 1 {
            asked.reverse();
        }
        bench.told.0.borrow_mut().extend(asked.iter().map(|(_, model)| Say::Model(model.clone())));
        for again in ["new", "stored"] {
            for (expr, model) in &asked {
                let query = Query { constraints: vec![other], expr: *expr };
                let answer = bench.cache.model(&mut bench.arena, &query);
                assert_eq!(answer.map(|model| model.is_some()), Ok(model.is_some()), "{again} {first}");
            }
        }
        assert_eq!(bench.told.left(), 0);
    }
}

#[test]
fn a_failed_call_is_never_stored() {
    let says = [Say::Fail, Say::Truth(true), Say::Fail, Say::Model(None)];
    let mut bench = bench(says, Naming::AddressAware, true, Audit::Never);
    let small = bench.below(bench.a[0], 5);
    assert!(bench.truth(&[], small).is_err());
    assert_eq!(bench.truth(&[], small), Ok(true), "asked again");
    assert_eq!(bench.truth(&[], small), Ok(true), "stored");
    assert!(bench.model(&[small]).is_err());
    assert_eq!(bench.model(&[small]), Ok(None), "asked again");
    assert_eq!(bench.model(&[small]), Ok(None), "stored");
    assert_eq!(bench.told.left(), 0);
}

#[test]
fn both_sides_of_a_truth_are_one_entry_that_is_completed() {
    let says = [Say::Truth(true), Say::Truth(true), Say::Truth(false)];
    let mut bench = bench(says, Naming::AddressAware, true, Audit::Never);
    let small = bench.below(bench.a[0], 5);
    let large = bench.arena.not(small);
    // One side says nothing of the other; asked once, both are known for ever.
    assert_eq!(bench.truth(&[], small), Ok(true));
    assert_eq!(bench.truth(&[], large), Ok(true));
    for _ in 0..3 {
        assert_eq!((bench.truth(&[], small), bench.truth(&[], large)), (Ok(true), Ok(true)));
    }
    assert_eq!((bench.counted("query_cache_upgraded"), bench.counted("query_cache_entries")), (1, 1));
    // The constraints have a solution: if one side has none, the other has.
    let smaller = bench.below(bench.a[0], 3);
    assert_eq!(bench.truth(&[large], smaller), Ok(false));
    let opposite = bench.arena.not(smaller);
    assert_eq!(bench.truth(&[large], opposite), Ok(true));
    assert_eq!(bench.told.left(), 0);
}

#[test]
fn inputs_are_renamed_unless_their_names_are_kept_and_constraints_have_no_order() {
    for (naming, rename, same) in [
        (Naming::AddressAware, true, true),
        (Naming::AddressAware, false, false),
        (Naming::Plain, true, false),
    ] {
        let mut bench = bench([], naming, rename, Audit::Never);
        let mut key = |bytes: [ExprId; 2], turned: bool| {
            let (low, high) = (bench.below(bytes[0], 5), bench.below(bytes[1], 7));
            let expr = bench.arena.equal(bytes[0], bytes[1]);
            let constraints = if turned { vec![high, low] } else { vec![low, high] };
            key_digest(&mut bench.arena, &Query { constraints, expr }, naming)
        };
        let (a, b) = (bench_inputs(0), bench_inputs(1));
        let (first, turned, other) = (key(a, false), key(a, true), key(b, false));
        assert_eq!(first, turned, "{naming:?}");
        assert_eq!(first == other, same, "{naming:?} {rename}");
        // A bijection: two inputs never become one.
        let [x, y] = a;
        assert_ne!(key([x, y], false), key([x, x], false), "{naming:?}");
    }
}

/// The input bytes of every bench have the same ids.
fn bench_inputs(number: usize) -> [ExprId; 2] {
    let bench = bench([], Naming::Plain, true, Audit::Never);
    [bench.a, bench.b][number]
}

#[test]
fn sizes_of_objects_and_contents_of_arrays_are_in_the_key() {
    let mut arena = Arena::new(RenameInputs(true));
    let array = arena.input_array("i", 1);
    let byte = arena.array(array).bytes[0];
    let byte = arena.input_byte(byte);
    let index = arena.zero_extend(byte, 64);
    let (mut number, mut sizes, mut contents) = (0, Vec::new(), Vec::new());
    // Two objects of these sizes: is the pointer at the index the first?
    for pair in [[16, 16], [16, 16], [16, 24], [24, 16]] {
        let objects = pair.map(|size| {
            number += 1;
            arena.new_address(size, 0x1000 * u64::from(number), number)
        });
        let table = arena.literal_array(&objects);
        let read = arena.read(table, index);
        let expr = arena.equal(objects[0], read);
        sizes.push(key_digest(&mut arena, &Query { constraints: Vec::new(), expr }, Naming::AddressAware));
    }
    assert!(sizes[0] == sizes[1] && sizes[0] != sizes[2] && sizes[2] != sizes[3]);
    // Is the element at the index 7? In arrays that differ in one element, or in their length.
    for elements in [&[1, 7, 2][..], &[1, 7, 2], &[1, 7, 3], &[1, 7, 2, 0]] {
        let elements: Vec<ExprId> = elements.iter().map(|value| arena.constant(8, *value)).collect();
        let table = arena.literal_array(&elements);
        let read = arena.read(table, index);
        let wanted = arena.constant(8, 7);
        let expr = arena.equal(wanted, read);
        contents.push(key_digest(&mut arena, &Query { constraints: Vec::new(), expr }, Naming::AddressAware));
    }
    assert!(contents[0] == contents[1] && contents[0] != contents[2] && contents[0] != contents[3]);
}

#[test]
fn a_model_is_given_in_the_inputs_of_who_asks() {
    let mut bench = bench([], Naming::AddressAware, true, Audit::Never);
    let ([a0, a1], [b0, b1]) = (bench.a, bench.b);
    let model = bench.giving(&[(a0, 3), (a1, 4)]);
    bench.told.0.borrow_mut().push_back(Say::Model(Some(model)));
    let (low, order) = (bench.below(a0, 5), bench.arena.less(a0, a1));
    bench.model(&[low, order]).unwrap().unwrap();
    // The same of `b`, in which the first byte is to be the greater one, and written the other way.
    let (low, order) = (bench.below(b1, 5), bench.arena.less(b1, b0));
    let found = bench.model(&[order, low]).unwrap().unwrap();
    assert_eq!(found, bench.giving(&[(b1, 3), (b0, 4)]));
    assert_eq!(bench.counted("query_cache_model_hits"), 1);
}

#[test]
fn a_model_that_does_not_fit_is_a_counted_miss() {
    let mut bench = bench([], Naming::AddressAware, true, Audit::Never);
    let (small, a) = (bench.below(bench.a[0], 5), bench.a[0]);
    let (wrong, right) = (bench.giving(&[(a, 9)]), bench.giving(&[(a, 2)]));
    bench.told.0.borrow_mut().extend([Say::Model(Some(wrong)), Say::Model(Some(right.clone()))]);
    bench.model(&[small]).unwrap();
    let second = bench.model(&[small]).unwrap().unwrap();
    assert!(Evaluator::new(&bench.arena, &second).holds(small), "asked again, not taken as it was");
    assert_eq!((bench.counted("query_cache_unfit_models"), bench.told.left()), (1, 0));
    assert_eq!(bench.model(&[small]), Ok(Some(right)), "the one that fits replaced the other");
    assert_eq!(bench.counted("query_cache_model_hits"), 1);
}

#[test]
fn audits_ask_again_for_truths_and_for_the_want_of_a_solution() {
    let says = [Say::Truth(true), Say::Model(None)];
    let mut bench = bench(says, Naming::AddressAware, true, Audit::Always);
    let small = bench.below(bench.a[0], 5);
    bench.truth(&[], small).unwrap();
    bench.model(&[small]).unwrap();
    let model = bench.giving(&[(bench.a[0], 1)]);
    bench.audits.0.borrow_mut().extend([Say::Truth(false), Say::Model(Some(model.clone()))]);
    // Both were wrong: the fresh answers are given, and the disagreements counted.
    assert_eq!(bench.truth(&[], small), Ok(false));
    assert_eq!(bench.model(&[small]), Ok(Some(model)));
    let mut counts = Counts::default();
    bench.cache.count(&mut counts);
    assert_eq!((counts.disagreements, bench.audits.left()), (2, 0));
}

fn process() -> Process {
    Process::new(ProcessConfig {
        budget: symexec::solver::process::Budget::default(),
        exact: false,
        system: Rc::new(RealSystem::default()),
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
    })
}

#[test]
fn a_question_that_is_wrongly_called_agnostic_is_found_in_other_layouts() {
    let mut arena = Arena::new(RenameInputs(true));
    let array = arena.input_array("i", 1);
    let byte = arena.array(array).bytes[0];
    let byte = arena.input_byte(byte);
    let index = arena.zero_extend(byte, 64);
    let objects = [1, 2, 3].map(|number| arena.new_address(16, 0x1000 * u64::from(number), number));
    let table = arena.literal_array(&objects);
    let read = arena.read(table, index);
    let two = arena.constant(64, 2);
    let inside = arena.less(index, two);
    let same = arena.equal(objects[1], read);
    // Is the first object above the pointer? In the state's own layout it never is.
    let above = arena.less(read, objects[0]);
    // Is bit 12 set in it? That of the first is.
    let bit = arena.constant(64, 0x1000);
    let masked = arena.binary(BinaryOp::And, bit, read);
    let zero = arena.constant(64, 0);
    let bit = arena.equal(zero, masked);
    let mut run = |expr, answer, believes_all| {
        let told = Box::new(Told::to([Say::Truth(answer)]));
        let mut layouts = Layouts::new(told, process(), 6, believes_all);
        let query = Query { constraints: vec![inside], expr };
        assert_eq!(layouts.satisfiable(&mut arena, &query), Ok(answer));
        let mut counts = Counts::default();
        layouts.count(&mut counts);
        (counts.get("layout_checks"), counts.disagreements)
    };
    assert_eq!(run(same, true, false), (6, 0), "equality of pointers is the same everywhere");
    assert_eq!(run(same, false, false), (1, 1), "a wrong answer is found at once");
    assert_eq!(run(above, false, false), (0, 0), "order is not believed to be, and not checked");
    assert_eq!(run(above, false, true).1, 1, "a planted class that is wrong");
    assert_eq!(run(bit, false, true).1, 1);
}

#[test]
fn what_the_cache_answers_is_known_to_the_counterexample_cache() {
    let mut bench = bench([], Naming::AddressAware, true, Audit::Never);
    let ([a, _], [b, _]) = (bench.a, bench.b);
    let seven = bench.giving(&[(a, 7)]);
    let told = Told::to([Say::Model(Some(seven)), Say::Model(None)]);
    let behind = Counterexamples::new(Box::new(told.clone()), false, Rc::new(RealSystem::default()));
    let config = CacheConfig::default();
    bench.cache = QueryCache::new(Box::new(behind), Box::new(Told::default()), Naming::AddressAware, config);
    let mut known = Vec::new();
    for byte in [a, b] {
        let (nine, eight) = (bench.below(byte, 9), bench.below(byte, 8));
        assert_eq!(bench.truth(&[nine], eight), Ok(true), "asked of the first, known of the second");
        let three = bench.below(byte, 3);
        let large = bench.arena.not(three);
        known.push((nine, eight, large));
    }
    // The second is 7, as the first was; this question is new, and nobody is asked.
    let (nine, eight, large) = known[1];
    assert_eq!(bench.truth(&[nine, eight], large), Ok(true));
    assert_eq!(told.left(), 1, "the solver was asked once");
    // A contradiction is known for more constraints as well.
    for (byte, more) in [(a, false), (b, false), (b, true)] {
        let (five, four) = (bench.below(byte, 5), bench.below(byte, 4));
        let at_least = bench.below(byte, 6);
        let above = bench.arena.not(at_least);
        let constraints = if more { vec![five, four] } else { vec![five] };
        assert_eq!(bench.truth(&constraints, above), Ok(false));
    }
    assert_eq!(told.left(), 0, "the solver was asked once more");
    assert_eq!(bench.counted("counterexamples_learned"), 2);
}

#[test]
fn what_was_forgotten_is_asked_again_under_the_same_key() {
    for naming in [Naming::Plain, Naming::AddressAware] {
        let mut bench = bench([Say::Truth(true), Say::Truth(true)], naming, true, Audit::Never);
        let [first, second] = bench.a;
        let (known, asked) = (bench.below(first, 9), bench.below(second, 5));
        let query = Query { constraints: vec![known], expr: asked };
        let digest = key_digest(&mut bench.arena, &query, naming);
        assert_eq!((bench.truth(&[known], asked), bench.told.left()), (Ok(true), 1));
        assert_eq!((bench.truth(&[known], asked), bench.told.left()), (Ok(true), 1));
        bench.cache.forget();
        bench.arena.forget();
        assert_eq!((bench.truth(&[known], asked), bench.told.left()), (Ok(true), 0));
        assert_eq!(key_digest(&mut bench.arena, &query, naming), digest);
        // The same of other inputs: atoms are what they were.
        let other = Query { constraints: vec![bench.below(bench.b[0], 9)], expr: bench.below(bench.b[1], 5) };
        let is_same = key_digest(&mut bench.arena, &other, naming) == digest;
        assert_eq!(is_same, naming == Naming::AddressAware);
        assert_eq!((bench.counted("truth_queries"), bench.counted("query_cache_truth_hits")), (3, 1));
    }
}

#[test]
fn solutions_of_the_newest_subsets_are_tried_and_supersets_are_found() {
    let clock = Rc::new(RealSystem::default());
    let mut bench = bench([], Naming::Plain, true, Audit::Never);
    let [first, second] = bench.a;
    let model = bench.giving(&[(first, 3), (second, 4)]);
    let told = Told::to([Say::Model(Some(model)), Say::Model(None)]);
    let mut solver = Counterexamples::new(Box::new(told.clone()), false, clock);
    let small = bench.below(first, 9);
    let (less, none) = (bench.below(second, 5), bench.below(second, 2));
    let mut ask = |arena: &mut Arena, constraints: &[ExprId], expr| {
        solver.satisfiable(arena, &Query { constraints: constraints.to_vec(), expr })
    };
    let arena = &mut bench.arena;
    assert_eq!((ask(arena, &[small], less), told.left()), (Ok(true), 1));
    // A subset of what has a solution, and more that this solution solves.
    assert_eq!((ask(arena, &[less], small), ask(arena, &[], less)), (Ok(true), Ok(true)));
    let four = arena.constant(8, 4);
    let is_four = arena.equal(four, second);
    assert_eq!(ask(arena, &[small, less], is_four), Ok(true));
    // What it does not solve is asked, and supersets of what has no solution have none.
    assert_eq!((ask(arena, &[small], none), told.left()), (Ok(false), 0));
    assert_eq!(ask(arena, &[small, less], none), Ok(false));
}
