//! Something that matters is not in the key: never. Every program of a large family is looked at, each of which
//! differs from another one in one place ([`Edits`]), under several settings. Two implementations with the same key,
//! whatever programs they stand in, have the same query to the byte, and the same is said of their checks.
//!
//! Nothing is asked: the law is about questions. `IVL_KEYS=1` in the environment looks at every edit, `IVL_KEYS=50` at
//! each fiftieth.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use cache_core::audit::Audit;
use cache_core::digest::{Confirm, Digest, Encoder};
use cache_core::key::{Key, PartKind};
use cache_core::limits::MachineId;
use cache_core::mode::Mode;
use cache_core::worker::WorkerConfig;
use ivl_verifier::base::source::Sources;
use ivl_verifier::base::system::OperatingSystem;
use ivl_verifier::service::{
    Axioms, Disturbance, Expansion, Hiding, Inlining, Instrument, KeepGoing, Maps, Options, Question,
    Verifier, on_deep_stack,
};
use rustc_hash::{FxHashMap, FxHashSet};

use ivl_verifier::base::engine::{Engine, Family};

use crate::edits::Edits;
use crate::support::fixture;

/// Of how many edits one is looked at (see [`Edits::sample`]), unless this variable of the environment says otherwise.
const STRIDE: usize = 80;
const MORE: &str = "IVL_KEYS";

/// The programs, which cover the language.
const PROGRAMS: &[&str] = &[
    "keys/declarations.bpl",
    "keys/statements.bpl",
    "keys/expressions.bpl",
    "keys/histories.bpl",
    "language/bodies.bpl",
    "language/bound.bpl",
    "language/clients.bpl",
    "language/code.bpl",
    "language/conditions.bpl",
    "language/maps.bpl",
    "language/named.bpl",
    "language/names.bpl",
    "language/polymorphic.bpl",
    "language/pools.bpl",
    "language/theories.bpl",
    "language/values.bpl",
    "dutch_flag.v4.bpl",
    "abs.v3.bpl",
];

pub(crate) fn verifier(options: Options) -> Verifier {
    Verifier::new(options, None, Arc::new(OperatingSystem::new()))
}

pub(crate) fn options() -> Options {
    Options::new(WorkerConfig::new("/there/is/no/such/program"))
}

/// The settings under which programs are looked at.
pub(crate) fn settings() -> Vec<Verifier> {
    let expanded = |expansion: Expansion| Options { expansion, ..options() };
    let all = [
        options(),
        Options {
            axioms: Axioms::AsPruned,
            maps: Maps::Axioms,
            ..expanded(Expansion { hiding: Hiding::Together, loop_unroll: Some(1), ..Expansion::default() })
        },
        options(),
        Options {
            lift_variables: true,
            error_limit: 1,
            each_check: true,
            ..expanded(Expansion {
                inlining: Inlining::Spec,
                infer_modifies: true,
                subsumption: Some(1),
                intervals: Some(Instrument::Everywhere),
                ..Expansion::default()
            })
        },
    ];
    all.into_iter().map(verifier).collect()
}

/// What a key stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Meaning {
    queries: Confirm,
    checks: Vec<String>,
}

impl Meaning {
    fn of(question: &Question) -> Self {
        let mut queries = Encoder::new();
        question.queries.iter().for_each(|query| queries.nested_confirm(Confirm::of(query)));
        Self { queries: queries.confirm(), checks: question.checks.clone() }
    }
}

/// What every key so far stands for, and where it was first met.
#[derive(Default)]
pub(crate) struct Met {
    keys: FxHashMap<Confirm, (Meaning, String)>,
    /// How often a key was met again in another program.
    pub(crate) again: usize,
}

impl Met {
    /// How many keys there are.
    pub(crate) fn count(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn question(&mut self, question: &Question, place: &dyn Fn() -> String) -> Result<(), String> {
        let meaning = Meaning::of(question);
        match self.keys.entry(question.key.confirm()) {
            Entry::Vacant(entry) => drop(entry.insert((meaning, place()))),
            Entry::Occupied(entry) => {
                self.again += 1;
                let (before, where_before) = entry.get();
                if *before != meaning {
                    return Err(format!(
                        "{} has one key and two {}:\n{where_before}\n{}",
                        question.name,
                        if before.queries == meaning.queries { "lists of checks" } else { "queries" },
                        place(),
                    ));
                }
            }
        }
        Ok(())
    }
}

/// The questions about a program.
pub(crate) fn questions(verifier: &Verifier, text: &str) -> Vec<Question> {
    let mut sources = Sources::default();
    let file = sources.add("p.bpl", text);
    verifier.questions(&sources, &[file])
}

/// Calls a function with the questions about every `stride`th change of each program, and with where they are met.
/// Gives how many changes there were.
fn each_mutant(
    programs: &[(&str, String)],
    stride: usize,
    mut each: impl FnMut(&[Question], &dyn Fn() -> String) -> Result<(), String>,
) -> Result<usize, String> {
    let settings = settings();
    let mut looked_at = 0;
    for (name, text) in programs {
        for (number, verifier) in settings.iter().enumerate() {
            each(&questions(verifier, text), &|| format!("{name}, setting {number}"))?;
        }
        let edits = Edits::of(text);
        for (turn, number) in edits.sample(stride).enumerate() {
            let text = edits.text(number);
            looked_at += 1;
            // Under the usual settings and, in turn, under others.
            let other = turn % settings.len();
            for setting in if other > 0 { vec![0, other] } else { vec![0] } {
                let found = questions(&settings[setting], &text);
                let place =
                    || format!("{name}, setting {setting}, change {number}:\n{}", edits.describe(number));
                each(&found, &place)?;
            }
        }
    }
    Ok(looked_at)
}

fn programs() -> Vec<(&'static str, String)> {
    let read = |name| (name, std::fs::read_to_string(fixture(name)).expect("a fixture"));
    PROGRAMS.iter().copied().map(read).collect()
}

fn stride() -> usize {
    std::env::var(MORE).ok().and_then(|it| it.parse().ok()).unwrap_or(STRIDE).max(1)
}

#[test]
fn implementations_with_one_key_have_one_query() {
    let mut met = Met::default();
    let mut asked = 0;
    let looked_at = on_deep_stack_mut(|| {
        let mut law = |found: &[Question], place: &dyn Fn() -> String| {
            asked += found.len();
            found.iter().try_for_each(|question| met.question(question, place))
        };
        let small = each_mutant(&[("a small program", SMALL.to_owned())], 1, &mut law)?;
        Ok::<usize, String>(small + each_mutant(&programs(), stride(), &mut law)?)
    });
    let looked_at = looked_at.unwrap_or_else(|why| panic!("{why}"));
    println!("{looked_at} programs, {asked} questions, {} keys, {} met again", met.keys.len(), met.again);
    // Otherwise the edits are none that programs survive, or none after which a key is met again.
    assert!(asked > looked_at && met.again > looked_at && met.keys.len() > looked_at / 4);
}

/// Parts of an implementation are told by numbers once they were written out: neither where else they occur nor in
/// which order a program has them may show, and what is shared where must.
#[test]
fn a_key_shows_which_parts_are_shared_and_not_where_they_were_met_first() {
    let verifier = verifier(options());
    let key = |before: &str, condition: &str| {
        let text =
            format!("{before} procedure P(x: int, y: int) {{ assert {condition}; assert x - y < y - x; }}");
        let found = questions(&verifier, &text);
        found.iter().find(|it| it.name == "P").map(|it| it.key.digest()).expect("a question about P")
    };
    let same = "x + y == y + x";
    let others = [
        "",
        "procedure A(x: int, y: int) { assert y - x < x - y; assert y + x == x; }",
        "function f(x: int, y: int): bool { y + x < x + y }",
        "axiom (forall x, y: int :: x - y < y - x); axiom (forall y, x: int :: y + x == x + y);",
    ];
    let keys: FxHashSet<Digest> = others[..3].iter().map(|before| key(before, same)).collect();
    assert_eq!(keys.len(), 1);
    assert_eq!(key(others[3], same), key(&format!("{} {}", others[3], others[1]), same));
    let different =
        ["x + y == x + y", "y + x == y + x", "y + x == x + y", "x + x == y + y", "x + y == y + y", same];
    let keys: FxHashSet<Digest> = different.iter().map(|condition| key("", condition)).collect();
    assert_eq!(keys.len(), different.len());
    // A part that is there twice in each part of the next one is written once.
    let doubled = (0..200).fold("x".to_owned(), |inner, at| format!("(var v{at} := {inner}; v{at} + v{at})"));
    key("", &format!("{doubled} >= x"));
}

/// Does something on a deep stack that changes what is around.
pub(crate) fn on_deep_stack_mut<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    let work = std::sync::Mutex::new(Some(work));
    on_deep_stack(&|| {
        let work = work.lock().expect("nobody else has it").take();
        work.map(|work| work())
    })
    .expect("it is done once")
}

/// A small program in which every part of a key has something to say, and most things stand beside others that could
/// be in their place: every change of it is looked at.
const SMALL: &str = "type T;
datatype D { One(of: int, or: int), Two(at: int, by: int), None(), Nil() }
const unique a: T;
const unique b: T;
function f(x: int): int { x + 1 }
function e(x: int): int;
axiom (forall x: int :: {f(x)} {e(x)} f(x) > x);
var g: int where g > 0;
var h: int;
procedure P(x: int) returns (r: int where r > 1); requires x > 0; modifies g; ensures r > x;
procedure R(x: int) returns (r: int); free requires x > 0; modifies g, h; ensures r > x;
procedure Q(d: D, k: int) modifies g, h;
{
  var r: int;
  call r := P(f(g));
  call r := R(r);
  havoc g;
  assert {:verified_under r > k} g > 0 && a != b && d != Two(k, r);
  assert d is One ==> d->of > d->or || One(r, k) == d || e(h) < f(h);
  assert d->at != r;
  goto A, B;
A: assume d != None();
B: assert 5bv8[4:2] == 3bv2 || k > r;
}
";

/// A key as it would be without some of its parts.
fn without(key: &Key, dropped: &dyn Fn(PartKind, &str) -> bool) -> Digest {
    let mut out = Encoder::new();
    for part in key.parts().iter().filter(|part| !dropped(part.kind, &part.name)) {
        out.text(&part.name);
        out.nested(part.digest);
    }
    out.digest()
}

#[test]
fn the_law_of_keys_notices_each_part_that_is_left_out() {
    let parts = ["procedure ", "function ", "constant ", "variable ", "type ", "axioms"];
    let mut met: Vec<FxHashMap<Digest, Meaning>> = vec![FxHashMap::default(); parts.len() + 1];
    let mut noticed = vec![false; parts.len() + 1];
    let result = on_deep_stack_mut(|| {
        each_mutant(&[("a small program", SMALL.to_owned())], 1, |found, _| {
            for question in found {
                for at in 0..noticed.len() {
                    let key = without(&question.key, &|kind, name| match parts.get(at) {
                        Some(part) => kind == PartKind::Dependency && name.starts_with(part),
                        None => kind == PartKind::Content,
                    });
                    let meaning = Meaning::of(question);
                    noticed[at] |= *met[at].entry(key).or_insert_with(|| meaning.clone()) != meaning;
                }
            }
            Ok(())
        })
    });
    assert!(result.is_ok());
    assert_eq!(noticed, vec![true; parts.len() + 1], "{parts:?}");
}

/// Whether a setting can change what is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reaches {
    Queries,
    Nothing,
}

/// Is asked the same, and may say something else: it is in the key for its answers' sake.
fn another_solver() -> Engine {
    Engine { family: Family::Z3, version: "another".to_owned() }
}

#[test]
fn another_solver_has_keys_of_its_own() {
    let programs = programs();
    let keys = |settings: Options| -> FxHashSet<_> {
        all_questions(&programs, settings).into_iter().map(|(_, question)| question.key.digest()).collect()
    };
    let usual = keys(options());
    let others = keys(Options { engine: another_solver(), ..options() });
    assert!(!usual.is_empty() && usual.is_disjoint(&others));
}

/// Settings that differ from the usual ones in one field, for every field.
fn other_settings() -> Vec<(&'static str, Reaches, Options)> {
    use Reaches::{Nothing, Queries};
    // A new field does not compile until someone decides about it, here as in the key.
    let Options {
        solver: _,
        cores: _,
        error_limit: _,
        each_check: _,
        max_pieces: _,
        keep_going: _,
        resource_limit: _,
        time_limit_ms: _,
        machine: _,
        solver_options: _,
        engine: _,
        switch_after: _,
        expansion,
        infer_contracts: _,
        axioms: _,
        maps: _,
        lift_variables: _,
        disturbance: _,
        smoke: _,
        vacuity: _,
        client_checksums: _,
        only: _,
        except: _,
        mode: _,
        audit: _,
        fine_grained: _,
        replay: _,
        telling: _,
        thrifty: _,
        past_additions: _,
        log_queries: _,
        in_order: _,
        at_once: _,
        retell: _,
        by_priority: _,
        values: _,
        share: _,
        #[cfg(feature = "plant")]
            fault: _,
    } = options();
    let Expansion {
        inlining: _,
        inline_depth: _,
        loop_unroll: _,
        sound_unrolling: _,
        induction: _,
        infer_modifies: _,
        subsumption: _,
        assume_free_invariants: _,
        intervals: _,
        check_inferred: _,
        hiding: _,
        keep_empty_blocks: _,
        show_added_blocks: _,
        keep_blocks_apart: _,
        merge_exits: _,
        overlook: _,
        track: _,
    } = expansion;
    let text = |text: &str| text.to_owned();
    let expanded = |expansion: Expansion| Options { expansion, ..options() };
    let inferred = |depth| Options {
        infer_contracts: true,
        ..expanded(Expansion { inline_depth: Some(depth), ..Expansion::default() })
    };
    let usual = Expansion::default;
    let unrolled = Expansion { loop_unroll: Some(2), ..usual() };
    let one = std::num::NonZeroUsize::MIN;
    let going = KeepGoing::default();
    vec![
        ("the usual ones", Nothing, options()),
        ("another solver program", Nothing, Options { solver: WorkerConfig::new("/nowhere"), ..options() }),
        ("cores", Nothing, Options { cores: one.saturating_add(1), ..options() }),
        ("in order", Nothing, Options { in_order: true, ..options() }),
        ("at once", Nothing, Options { at_once: true, ..options() }),
        ("an error limit", Queries, Options { error_limit: 1, ..options() }),
        ("no error limit", Queries, Options { error_limit: 0, ..options() }),
        ("each check by itself", Queries, Options { each_check: true, ..options() }),
        ("checks in two pieces", Queries, Options { max_pieces: 2, ..options() }),
        ("another order", Queries, Options { disturbance: Some(Disturbance::Order(3)), ..options() }),
        ("other names", Queries, Options { disturbance: Some(Disturbance::Names(3)), ..options() }),
        ("keep going", Queries, Options { keep_going: KeepGoing { pieces: 2, ..going }, ..options() }),
        ("keep going long", Nothing, Options { keep_going: KeepGoing { limit_ms: 7, ..going }, ..options() }),
        ("the last longer", Nothing, Options { keep_going: KeepGoing { last_ms: 7, ..going }, ..options() }),
        ("a resource limit", Nothing, Options { resource_limit: Some(7), ..options() }),
        ("no time limit", Nothing, Options { time_limit_ms: None, ..options() }),
        ("a machine", Nothing, Options { machine: Some(MachineId(text("it"))), ..options() }),
        (
            "an option of the solver",
            Queries,
            Options { solver_options: vec![(text("smt.arith.solver"), text("2"))], ..options() },
        ),
        (
            "another value of it",
            Queries,
            Options { solver_options: vec![(text("smt.arith.solver"), text("6"))], ..options() },
        ),
        ("another solver", Nothing, Options { engine: another_solver(), ..options() }),
        ("other settings sooner", Queries, Options { switch_after: 1_000, ..options() }),
        ("no other settings", Queries, Options { switch_after: 0, ..options() }),
        ("contracts", Queries, Options { infer_contracts: true, ..options() }),
        ("maps", Queries, Options { maps: Maps::Axioms, ..options() }),
        ("pruning", Queries, Options { axioms: Axioms::AsPruned, ..options() }),
        ("lambdas by variables", Queries, Options { lift_variables: true, ..options() }),
        ("smoke", Nothing, Options { smoke: true, ..options() }),
        ("what is proved in vain", Nothing, Options { vacuity: true, ..options() }),
        ("a client's checksums", Nothing, Options { client_checksums: Some(2), ..options() }),
        ("only some", Nothing, Options { only: vec![text("P*")], ..options() }),
        ("all but some", Nothing, Options { except: vec![text("P*")], ..options() }),
        ("no cache", Nothing, Options { mode: Mode::Off, ..options() }),
        ("audits", Nothing, Options { audit: Audit::Always, ..options() }),
        ("whole results", Nothing, Options { fine_grained: false, ..options() }),
        ("eager", Nothing, Options { thrifty: false, ..options() }),
        ("past additions", Nothing, Options { past_additions: false, ..options() }),
        ("logged", Nothing, Options { log_queries: true, ..options() }),
        ("values", Nothing, Options { values: true, ..options() }),
        ("nothing inlined", Queries, expanded(Expansion { inlining: Inlining::None, ..usual() })),
        ("inlined, else checked", Queries, expanded(Expansion { inlining: Inlining::Assert, ..usual() })),
        ("inlined, else specified", Queries, expanded(Expansion { inlining: Inlining::Spec, ..usual() })),
        ("all inlined", Queries, inferred(1)),
        ("all inlined deeper", Queries, inferred(2)),
        ("unrolled", Queries, expanded(Expansion { loop_unroll: Some(1), ..usual() })),
        ("unrolled twice", Queries, expanded(unrolled)),
        ("soundly", Queries, expanded(Expansion { sound_unrolling: true, ..unrolled })),
        ("by induction", Queries, expanded(Expansion { induction: Some(1), ..usual() })),
        ("by more of it", Queries, expanded(Expansion { induction: Some(2), ..usual() })),
        ("inferred modifies", Queries, expanded(Expansion { infer_modifies: true, ..usual() })),
        ("no subsumption", Queries, expanded(Expansion { subsumption: Some(0), ..usual() })),
        ("half a subsumption", Queries, expanded(Expansion { subsumption: Some(1), ..usual() })),
        (
            "free invariants everywhere",
            Queries,
            expanded(Expansion { assume_free_invariants: true, ..usual() }),
        ),
        ("bounds at loops", Queries, expanded(Expansion { intervals: Some(Instrument::Loops), ..usual() })),
        (
            "bounds that are checked",
            Queries,
            expanded(Expansion { intervals: Some(Instrument::Loops), check_inferred: true, ..usual() }),
        ),
        ("bounds", Queries, expanded(Expansion { intervals: Some(Instrument::Everywhere), ..usual() })),
        ("hidden together", Queries, expanded(Expansion { hiding: Hiding::Together, ..usual() })),
        ("nothing hidden", Queries, expanded(Expansion { hiding: Hiding::Ignored, ..usual() })),
        ("empty blocks", Nothing, expanded(Expansion { keep_empty_blocks: true, ..usual() })),
        ("added blocks", Nothing, expanded(Expansion { show_added_blocks: true, ..usual() })),
        ("tracked", Nothing, expanded(Expansion { track: true, ..usual() })),
        ("overlooking", Nothing, expanded(Expansion { overlook: true, ..usual() })),
        ("blocks apart", Nothing, expanded(Expansion { keep_blocks_apart: true, ..usual() })),
    ]
}

/// The questions of all programs under settings, with where they are met.
fn all_questions(programs: &[(&str, String)], settings: Options) -> Vec<(String, Question)> {
    let verifier = verifier(settings);
    let of = |(name, text): &(&str, String)| {
        let name = (*name).to_owned();
        questions(&verifier, text).into_iter().map(move |question| (name.clone(), question))
    };
    programs.iter().flat_map(of).collect()
}

#[test]
fn settings_that_change_a_query_change_its_key() {
    let mut programs = programs();
    programs.truncate(5);
    let lacking = LACKING.iter().map(|text| ("a program of its own", (*text).to_owned()));
    programs.extend(lacking);
    let usual = all_questions(&programs, options());
    let mut met = Met::default();
    let mut parts =
        ["error limit", "pieces", "solver options"].map(|part| (part, FxHashMap::default(), false));
    for (name, reaches, settings) in other_settings() {
        let found = all_questions(&programs, settings);
        for (program, question) in &found {
            met.question(question, &|| format!("{program} with {name}"))
                .unwrap_or_else(|why| panic!("{why}"));
            // The law notices an option that is left out.
            for (part, met, noticed) in &mut parts {
                let key = without(&question.key, &|_, name| name == *part);
                let meaning = Meaning::of(question);
                *noticed |= *met.entry(key).or_insert_with(|| meaning.clone()) != meaning;
            }
        }
        let queries = |all: &[(String, Question)]| {
            all.iter()
                .map(|(program, it)| (program.clone(), it.name.clone(), it.queries.clone()))
                .collect::<FxHashSet<_>>()
        };
        let (before, now) = (queries(&usual), queries(&found));
        // A setting that changes nothing says nothing here, and one that needs not be in the key does not change
        // anything.
        let changes = now.difference(&before).next().is_some();
        assert_eq!(changes, reaches == Reaches::Queries, "{name}");
        assert!(!now.is_empty(), "{name}");
    }
    assert!(parts.iter().all(|(_, _, noticed)| *noticed), "an option could be left out of the key");
}

/// What the other programs lack: a lambda over something large, and clauses that do not say everything.
const LACKING: &[&str] = &[
    "procedure A(m: [int]bool, k: int, j: int) {
       assert (lambda i: int :: m[i + k * j])[j] || (forall i: int :: m[i]);
     }",
    "procedure D(n: int) { var i: int; while (i < n) free invariant i > n; invariant i >= n; { i := i + 1; } }",
    "var g: int; procedure B() { g := 1; } procedure C() { call B(); assert g == old(g); }",
];
