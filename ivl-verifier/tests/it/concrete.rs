//! A claim that an execution refutes is never verified.
//!
//! Random programs over variables that keep 0 or 1, in one way or another ([`shape`]), are executed on all their
//! states at once ([`machine`]), so what is true at each place is known exactly. The claims in a program say just that,
//! in roundabout ways ([`formula`]): through `let`, quantifiers over values and types, lambdas, functions, code
//! expressions, `old`, polymorphic maps and datatypes. Such a program verifies. Then one claim loses one state that is
//! met there: the check that it belongs to must fail, from scratch and with what is known of the program before.

mod formula;
mod generate;
mod machine;
mod numbers;
mod print;
mod program;
mod shape;

use cache_core::mode::Mode;
use ivl_verifier::service::{Inlining, Instrument, Maps, Options};
use program::{Program, State, UNROLLED};

pub(crate) use numbers::Numbers;

use crate::support::{Seen, Session, options};

/// Which programs are looked at, unless this variable of the environment says otherwise: those of seeds 40 and 43 take a
/// verifier ten times as long as most.
const PROGRAMS: (&str, &str) = ("44", "56");
const MORE: &str = "IVL_CONCRETE";

/// How many claims of each program lose a state, one after the other: first one that is
/// met late, then one of the procedure that calls the others.
const MUTANTS: usize = 2;

/// The lines at which errors are reported, and related to.
fn lines_of_errors(text: &str) -> Vec<usize> {
    let told = text.lines().filter(|line| line.contains("): Error") || line.contains("): Related location"));
    told.filter_map(|line| line.split_once('(')?.1.split(',').next()?.parse().ok()).collect()
}

/// What a verifier says of a program; the second text is what it is asked after the first one.
type Verify<'v> = &'v mut dyn FnMut(u64, &str, Option<&str>) -> Seen;

/// Whether what is said of the program of this seed agrees with its executions, and whether all of it is proved.
fn law(seed: u64, verify: Verify<'_>) -> Result<bool, String> {
    let (mut program, refuted) = Program::new(seed);
    let text = program.text(seed);
    let seen = verify(seed, &text, None);
    if seen.text.contains("errors detected") {
        return Err(format!("seed {seed} is refused: {}\n{text}", seen.text));
    }
    let before = lines_of_errors(&seen.text);
    let proved = before.is_empty() && !seen.text.contains("erification ");
    if refuted && proved {
        return Err(format!("seed {seed} is verified, and a call does not meet its precondition\n{text}"));
    }
    let mut numbers = Numbers::new(seed ^ 77);
    for which in 0..MUTANTS {
        let all = program.checks.iter().enumerate();
        let mut met: Vec<(usize, &State, u8)> = all
            .flat_map(|(at, check)| check.rounds.iter().map(move |(state, it)| (at, state, *it)))
            .collect();
        met.retain(|(_, _, rounds)| !unrolls(seed) || *rounds < UNROLLED);
        if which == 0 {
            // What takes longest is what a verifier misses first.
            let last = met.iter().map(|(_, _, rounds)| *rounds).max();
            met.retain(|(_, _, rounds)| Some(*rounds) == last);
        } else {
            met.retain(|(at, _, _)| program.main.contains(at));
        }
        if met.is_empty() {
            continue;
        }
        let (at, lost, _) = met[numbers.below(met.len())];
        let lost = lost.clone();
        program.checks[at].met.remove(&lost);
        let mutant = program.text(seed);
        program.checks[at].met.insert(lost);
        let mark = format!("// check {at}");
        let line = mutant.lines().take_while(|line| !line.ends_with(&mark)).count() + 1;
        if before.contains(&line) {
            // Too hard for the solver as it was.
            continue;
        }
        for earlier in [None, Some(text.as_str())] {
            let seen = verify(seed, earlier.unwrap_or(&mutant), earlier.map(|_| mutant.as_str()));
            // The limit of errors may hide it.
            let hidden = seen.text.contains("erification ") || seen.errors() >= 5;
            if !lines_of_errors(&seen.text).contains(&line) && !hidden {
                let how = if earlier.is_some() { "with a cache" } else { "from scratch" };
                return Err(format!(
                    "seed {seed}: line {line} is verified {how}, which an execution refutes\n{mutant}"
                ));
            }
        }
    }
    Ok(proved)
}

/// Whether loops are unrolled in the program of this seed: only what is met soon is met.
fn unrolls(seed: u64) -> bool {
    // What is inlined beside what asks for it has more rounds.
    (seed / 3).is_multiple_of(4) && seed % 8 != 4
}

/// How deep the loops of the program of this seed are proved by k-induction, if they are.
fn inducts(seed: u64) -> Option<u32> {
    (seed % 7 == 2).then_some(u32::try_from(seed / 7 % 3).unwrap_or_default())
}

/// Options that change how is asked and not what is true, but for unrolled loops.
fn asked(seed: u64) -> Options {
    let mut options = options();
    match seed % 8 {
        1 => options.expansion.subsumption = Some(0),
        2 => options.expansion.subsumption = Some(1),
        3 => options.lift_variables = true,
        4 => (options.infer_contracts, options.expansion.inline_depth) = (true, Some(1)),
        5 => options.expansion.inlining = Inlining::Spec,
        6 => options.expansion.inlining = Inlining::Assert,
        _ => {}
    }
    options.expansion.intervals = match seed / 8 % 3 {
        0 => None,
        1 => Some(Instrument::Loops),
        _ => Some(Instrument::Everywhere),
    };
    // What is inferred holds, so nothing fails that would not without.
    options.expansion.check_inferred = (seed / 24).is_multiple_of(2);
    options.maps = match seed % 3 {
        0 => Maps::Axioms,
        1 => Maps::Arrays,
        _ => Maps::Chosen,
    };
    options.each_check = seed.is_multiple_of(5);
    options.expansion.loop_unroll = unrolls(seed).then_some(u32::from(UNROLLED));
    options.expansion.induction = inducts(seed);
    options.expansion.infer_modifies = seed / 3 % 4 == 1;
    options
}

/// The real verifier.
fn verified(seed: u64, text: &str, then: Option<&str>) -> Seen {
    verified_with(asked(seed), text, then)
}

fn verified_with(mut options: Options, text: &str, then: Option<&str>) -> Seen {
    if then.is_none() {
        options.mode = Mode::Off;
    }
    // What is inferred need not be said.
    let said = |text: &str| match options.expansion.infer_modifies {
        true => text.replace("\nmodifies g;\n", "\n\n"),
        false => text.to_owned(),
    };
    let (text, then) = (said(text), then.map(said));
    let mut session = Session::with(options);
    let seen = session.verify("p.bpl", &text);
    then.map_or(seen, |then| session.verify("p.bpl", &then))
}

#[test]
fn a_claim_that_an_execution_refutes_is_never_verified() {
    let more = std::env::var(MORE).ok();
    let range = more.as_deref().and_then(|it| it.split_once("..")).unwrap_or(PROGRAMS);
    let (Ok(from), Ok(to)) = (range.0.parse::<u64>(), range.1.parse::<u64>()) else {
        panic!("no range of seeds")
    };
    let laws: Vec<Result<bool, String>> = (from..to).map(|seed| law(seed, &mut verified)).collect();
    let broken: Vec<&String> = laws.iter().filter_map(|it| it.as_ref().err()).collect();
    assert!(broken.is_empty(), "{} programs: {}", broken.len(), broken[0]);
    let proved = laws.iter().filter(|it| **it == Ok(true)).count() as u64;
    // Otherwise the programs are too hard to say anything about the verifier.
    assert!(2 * proved >= to - from, "{proved} of {} programs are proved", to - from);
}

/// What is verified instead of a text.
type Lie = fn(&str) -> String;

/// A program whose procedure `main` relies from its start on what is assumed only where a body is inlined.
fn believing_early(text: &str) -> String {
    let mut known = String::new();
    let mut inlined = false;
    for line in text.lines() {
        inlined = line.starts_with("procedure {:inline") || inlined && !line.starts_with("procedure");
        let condition = |start: &str, end| line.split_once(start)?.1.strip_suffix(end)?.split_once(" where ");
        for (name, found) in [("r", condition("returns (r: ", ")")), ("x", condition("{ var x: ", ";"))] {
            if let (true, Some((ty, condition))) = (inlined, found) {
                // On a line that is there, so that errors stay where they are.
                known += &format!(" free requires (exists {name}: {ty} :: {condition});");
            }
        }
    }
    let main = text.find("procedure main").unwrap_or(0);
    let (before, main) = text.split_at(main);
    main.split_once('\n').map_or_else(String::new, |(head, rest)| format!("{before}{head}{known}\n{rest}"))
}

/// The law notices verifiers that see less than what is there. The search for a program that shows it begins at one that
/// did, since some in front of it take the solver long; where programs are made otherwise it goes on from there.
#[test]
fn the_law_about_executions_notices_verifiers_that_believe_too_much() {
    let lies: [(&str, u64, Lie); 4] = [
        ("invariants are free", 44, |text| text.replace("\ninvariant ", "\nfree invariant ")),
        ("assertions are assumptions", 46, |text| text.replace("\nassert ", "\nassume ")),
        ("what is written is read as it was", 50, |text| {
            // On a line that is there, so that errors stay where they are.
            let maps = "const heap: <t>[Field t]t;";
            let kept = "axiom (forall<t> h: <s>[Field s]s, f: Field t, x: t, g: Field t :: \
                        {h[f := x][g]} h[f := x][g] == h[g]);";
            text.replace(maps, &format!("{maps} {kept}"))
        }),
        ("conditions of inlined variables hold from the start", 50, believing_early),
    ];
    for (what, first, lie) in lies {
        noticed(what, first, |seed, text, then| verified(seed, &lie(text), then.map(lie).as_deref()));
    }
    noticed("loops end after their first round", 64, |seed, text, then| {
        let mut options = asked(seed);
        options.expansion.loop_unroll = Some(1);
        verified_with(options, text, then)
    });
}

/// One of some programs shows that a verifier believes too much.
fn noticed(what: &str, first: u64, mut lying: impl FnMut(u64, &str, Option<&str>) -> Seen) {
    let shown = |seed| law(seed, &mut lying).is_err_and(|why| why.contains("is verified"));
    assert!((first..first + 26).any(shown), "{what}");
}
