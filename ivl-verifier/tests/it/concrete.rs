//! A claim that an execution refutes is never verified.
//!
//! Random programs over variables that are 0 or 1 are executed on all their states at once, so what is true
//! at each place is known exactly. The claims in a program say just that, in roundabout ways
//! ([`formula`]): through `let`, quantifiers over values and types, lambdas, functions, code expressions,
//! `old`, polymorphic maps and datatypes. Such a program verifies. Then one claim loses one state that is
//! met there: the check that it belongs to must fail, from scratch and with what is known of the program
//! before.

mod formula;
mod machine;

use std::collections::BTreeSet;

use cache_core::mode::Mode;
use formula::{PRELUDE, Scope, Writer};
use ivl_verifier::service::{Inlining, Instrument};
use machine::{Machine, changed};

use crate::support::{Seen, Session, options};

/// Which programs are looked at, unless this variable of the environment says otherwise.
const PROGRAMS: (&str, &str) = ("40", "52");
const MORE: &str = "IVL_CONCRETE";

/// How many claims of each program lose a state, one after the other.
const MUTANTS: usize = 2;

/// Values of the variables, in the order of [`NAMES`]; of expressions, in their order.
type State = Vec<u8>;
type States = BTreeSet<State>;

/// The input, the result, a local variable, the global variable, and that at the start.
const NAMES: [&str; 5] = ["a", "r", "x", "g", "old(g)"];
const INPUT: usize = 0;
const RESULT: usize = 1;
const LOCAL: usize = 2;
const GLOBAL: usize = 3;
const BEFORE: usize = 4;

/// A sequence of numbers that look random and are the same in every run.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit.max(1)
    }
}

/// A value that is 0 or 1.
#[derive(Clone, Copy)]
enum Value {
    Of(usize),
    Not(usize),
    Sum(usize, usize),
    Is(u8),
}

impl Value {
    fn any(numbers: &mut Numbers) -> Self {
        let (one, other) = (numbers.below(5), numbers.below(5));
        match numbers.below(4) {
            0 => Self::Of(one),
            1 => Self::Not(one),
            2 => Self::Sum(one, other),
            _ => Self::Is(u8::from(one > 2)),
        }
    }

    fn of(self, state: &State) -> u8 {
        match self {
            Self::Of(one) => state[one],
            Self::Not(one) => 1 - state[one],
            Self::Sum(one, other) => (state[one] + state[other]) % 2,
            Self::Is(value) => value,
        }
    }

    fn text(self) -> String {
        match self {
            Self::Of(one) => NAMES[one].to_owned(),
            Self::Not(one) => format!("1 - {}", NAMES[one]),
            Self::Sum(one, other) => format!("({} + {}) mod 2", NAMES[one], NAMES[other]),
            Self::Is(value) => value.to_string(),
        }
    }
}

/// A statement; numbers are those of checks, callees those of procedures.
enum Statement {
    Assign(Vec<(usize, Value)>),
    Havoc(usize),
    Assume(Vec<usize>, States),
    Assert(usize),
    /// Without a condition, either way is taken.
    If(Option<Value>, Vec<Statement>, Vec<Statement>),
    While(Option<Value>, usize, Vec<Statement>),
    Break,
    Call {
        callee: usize,
        argument: Value,
        result: usize,
    },
}

/// What a procedure does.
enum Body {
    Statements(Vec<Statement>),
    /// Each with a check at its start, and where it goes; where it goes nowhere, it returns.
    Blocks(Vec<(usize, Vec<Statement>, Vec<usize>)>),
}

struct Procedure {
    name: &'static str,
    inlined: bool,
    /// The input and the global variable.
    requires: States,
    ensures: usize,
    /// What is assumed of the result and of the local variable whenever they get any value, each together with the
    /// global one.
    conditions: [States; 2],
    body: Body,
}

impl Procedure {
    /// Whether a state meets the condition of a variable, if it has one.
    fn meets(&self, variable: usize, state: &State) -> bool {
        let condition = [RESULT, LOCAL].iter().position(|it| *it == variable).map(|at| &self.conditions[at]);
        condition.is_none_or(|it| it.contains(&vec![state[variable], state[GLOBAL]]))
    }
}

/// A claim about some variables: all states that are met at its place.
struct Check {
    about: Vec<usize>,
    met: States,
}

struct Program {
    procedures: Vec<Procedure>,
    checks: Vec<Check>,
}

fn all_states(count: usize) -> States {
    (0..1_u8 << count).map(|bits| (0..count).map(|at| (bits >> at) & 1).collect()).collect()
}

/// Makes programs.
struct Maker {
    numbers: Numbers,
    program: Program,
}

impl Maker {
    fn check(&mut self, about: &[usize]) -> usize {
        self.program.checks.push(Check { about: about.to_vec(), met: States::new() });
        self.program.checks.len() - 1
    }

    fn target(&mut self) -> usize {
        [RESULT, LOCAL, GLOBAL][self.numbers.below(3)]
    }

    /// A condition, or none.
    fn condition(&mut self) -> Option<Value> {
        (self.numbers.below(3) > 0).then(|| Value::any(&mut self.numbers))
    }

    fn simple(&mut self) -> Statement {
        let callees = self.program.procedures.len();
        match self.numbers.below(7) {
            0 | 1 => Statement::Assign(vec![(self.target(), Value::any(&mut self.numbers))]),
            2 => {
                let (one, other) = (Value::any(&mut self.numbers), Value::any(&mut self.numbers));
                Statement::Assign(vec![(LOCAL, one), ([RESULT, GLOBAL][self.numbers.below(2)], other)])
            }
            3 => Statement::Havoc(self.target()),
            4 => {
                let about: Vec<usize> = (0..5).filter(|_| self.numbers.below(2) == 0).collect();
                let mut states = all_states(about.len());
                states.retain(|_| self.numbers.below(4) > 0);
                Statement::Assume(about, states)
            }
            5 if callees > 0 => Statement::Call {
                callee: self.numbers.below(callees),
                argument: Value::any(&mut self.numbers),
                result: self.target(),
            },
            _ => Statement::Assert(self.check(&[INPUT, RESULT, LOCAL, GLOBAL, BEFORE])),
        }
    }

    fn statements(&mut self, depth: usize, in_loop: bool) -> Vec<Statement> {
        let mut all = Vec::new();
        for _ in 0..=self.numbers.below(3) {
            all.push(match self.numbers.below(6) {
                0 if depth > 0 => {
                    let condition = self.condition();
                    let then = self.statements(depth - 1, in_loop);
                    Statement::If(condition, then, self.statements(depth - 1, in_loop))
                }
                1 if depth > 0 => {
                    let invariant = self.check(&[INPUT, RESULT, LOCAL, GLOBAL, BEFORE]);
                    Statement::While(self.condition(), invariant, self.statements(depth - 1, true))
                }
                2 if in_loop => {
                    let condition = self.condition();
                    Statement::If(condition, vec![Statement::Break], Vec::new())
                }
                _ => self.simple(),
            });
        }
        all
    }

    fn blocks(&mut self) -> Vec<(usize, Vec<Statement>, Vec<usize>)> {
        let count = 1 + self.numbers.below(4);
        let mut blocks = Vec::new();
        for _ in 0..count {
            let check = self.check(&[INPUT, RESULT, LOCAL, GLOBAL, BEFORE]);
            let statements = (0..self.numbers.below(3)).map(|_| self.simple()).collect();
            let targets = if self.numbers.below(4) == 0 {
                // Goes round for ever.
                vec![blocks.len()]
            } else {
                (0..self.numbers.below(4)).map(|_| self.numbers.below(count)).collect()
            };
            blocks.push((check, statements, targets));
        }
        blocks
    }

    fn procedure(&mut self, name: &'static str, inlined: bool) {
        let mut requires = all_states(2);
        requires.retain(|_| inlined || self.numbers.below(4) > 0);
        let ensures = self.check(&[INPUT, RESULT, GLOBAL, BEFORE]);
        let body = if self.numbers.below(2) == 0 {
            Body::Statements(self.statements(2, false))
        } else {
            Body::Blocks(self.blocks())
        };
        // At the head of a loop they are assumed of what it changes, and where loops of blocks are is not plain.
        let changed = match &body {
            Body::Statements(_) => BTreeSet::new(),
            Body::Blocks(blocks) => {
                blocks.iter().flat_map(|(_, statements, _)| changed(statements)).collect()
            }
        };
        let conditions = [RESULT, LOCAL].map(|variable| {
            let mut states = all_states(2);
            if !changed.contains(&variable) && self.numbers.below(3) > 0 {
                // Often no value fits one of the global variable's.
                let never = u8::from(self.numbers.below(2) > 0);
                let some = self.numbers.below(2) > 0;
                states.retain(|it| (some || it[1] != never) && self.numbers.below(6) > 0);
            }
            states
        });
        self.program.procedures.push(Procedure { name, inlined, requires, ensures, conditions, body });
    }
}

/// Programs as text.
struct Printer<'p> {
    program: &'p Program,
    writer: Writer,
    numbers: Numbers,
    /// Whether implementations are asked in pieces.
    divided: bool,
    text: String,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn formula(&mut self, about: &[usize], tuples: &States, two_state: bool) -> String {
        let env: Vec<String> = about.iter().map(|at| NAMES[*at].to_owned()).collect();
        let depth = self.numbers.below(3);
        let tuples: Vec<State> = tuples.iter().cloned().collect();
        self.writer.formula(&env, &tuples, Scope { two_state, changes: true }, depth, &mut self.numbers)
    }

    fn claim(&mut self, check: usize) -> String {
        let Check { about, met } = &self.program.checks[check];
        format!("{} // check {check}", self.formula(about, met, true) + ";")
    }

    fn condition(condition: Option<Value>) -> String {
        condition.map_or("*".to_owned(), |value| format!("{} == 1", value.text()))
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match statement {
                Statement::Assign(pairs) => {
                    let targets: Vec<&str> = pairs.iter().map(|(target, _)| NAMES[*target]).collect();
                    let values: Vec<String> = pairs.iter().map(|(_, value)| value.text()).collect();
                    self.line(&format!("{} := {};", targets.join(", "), values.join(", ")));
                }
                Statement::Havoc(target) => self.line(&format!("havoc {};", NAMES[*target])),
                Statement::Assume(about, allowed) => {
                    let formula = self.formula(about, allowed, true);
                    self.line(&format!("assume {formula};"));
                }
                Statement::Assert(check) => {
                    let attribute = ["", "{:subsumption 0} ", "{:verified_under g != g} ", ""];
                    let attribute = attribute[self.numbers.below(4)];
                    let piece = ["{:split_here} ", "", "{:isolate} ", "{:focus} "][*check % 4];
                    let piece = if self.divided { piece } else { "" };
                    let claim = self.claim(*check);
                    self.line(&format!("assert {attribute}{piece}{claim}"));
                }
                Statement::If(condition, then, otherwise) => {
                    self.line(&format!("if ({}) {{", Self::condition(*condition)));
                    self.statements(then);
                    self.line("} else {");
                    self.statements(otherwise);
                    self.line("}");
                }
                Statement::While(condition, invariant, body) => {
                    self.line(&format!("while ({})", Self::condition(*condition)));
                    let claim = self.claim(*invariant);
                    self.line(&format!("invariant {claim}"));
                    self.line("{");
                    self.statements(body);
                    self.line("}");
                }
                Statement::Break => self.line("break;"),
                Statement::Call { callee, argument, result } => {
                    let name = self.program.procedures[*callee].name;
                    let any = ["true", "2", "heap", "e"][self.numbers.below(4)];
                    self.line(&format!("call {} := {name}({any}, {});", NAMES[*result], argument.text()));
                }
            }
        }
    }

    fn procedure(&mut self, procedure: &Procedure) {
        let bit = |name: &str| format!("{name}: int where 0 <= {name} && {name} <= 1");
        let attribute = if procedure.inlined { "{:inline 1} " } else { "" };
        let name = procedure.name;
        let [result, local] = [RESULT, LOCAL].map(|it| {
            let condition = &procedure.conditions[it - RESULT];
            format!("{} && {}", bit(NAMES[it]), self.formula(&[it, GLOBAL], condition, false))
        });
        self.line(&format!("procedure {attribute}{name}<t>(e: t, {}) returns ({result})", bit("a")));
        let requires = self.formula(&[INPUT, GLOBAL], &procedure.requires, false);
        self.line(&format!("requires {requires};"));
        self.line("modifies g;");
        let claim = self.claim(procedure.ensures);
        self.line(&format!("ensures {claim}"));
        self.line(&format!("{{ var {local};"));
        match &procedure.body {
            Body::Statements(statements) => self.statements(statements),
            Body::Blocks(blocks) => {
                for (at, (check, statements, targets)) in blocks.iter().enumerate() {
                    let claim = self.claim(*check);
                    self.line(&format!("L{at}: assert {claim}"));
                    self.statements(statements);
                    let labels: Vec<String> = targets.iter().map(|target| format!("L{target}")).collect();
                    self.line(&if labels.is_empty() {
                        "return;".to_owned()
                    } else {
                        format!("goto {};", labels.join(", "))
                    });
                }
            }
        }
        self.line("}");
    }
}

impl Program {
    fn new(seed: u64) -> (Self, bool) {
        let program = Self { procedures: Vec::new(), checks: Vec::new() };
        let mut maker = Maker { numbers: Numbers::new(seed), program };
        maker.procedure("callee", false);
        maker.procedure("inlined", true);
        maker.procedure("main", false);
        let Self { procedures, mut checks } = maker.program;
        let mut machine = Machine { procedures: &procedures, checks: &mut checks, refuted: false };
        for (at, procedure) in procedures.iter().enumerate() {
            // What is inlined is met where it is called.
            if !procedure.inlined {
                let starts: Vec<(u8, u8)> = procedure.requires.iter().map(|it| (it[0], it[1])).collect();
                machine.body(at, &starts);
            }
        }
        let refuted = machine.refuted;
        (Self { procedures, checks }, refuted)
    }

    fn text(&self, seed: u64) -> String {
        let mut printer = Printer {
            program: self,
            writer: Writer::default(),
            numbers: Numbers::new(seed ^ 0x5bd1_e995),
            divided: seed.is_multiple_of(3),
            text: PRELUDE.to_owned(),
        };
        printer.line("var g: int where 0 <= g && g <= 1;");
        for procedure in &self.procedures {
            printer.procedure(procedure);
        }
        let Printer { text, writer, .. } = printer;
        text + &writer.functions
    }
}

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
    for _ in 0..MUTANTS {
        let at = numbers.below(program.checks.len());
        let met: Vec<State> = program.checks[at].met.iter().cloned().collect();
        if met.is_empty() {
            continue;
        }
        let lost = met[numbers.below(met.len())].clone();
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

/// The real verifier, under options that change how it asks and not what is true.
fn verified(seed: u64, text: &str, then: Option<&str>) -> Seen {
    let mut options = options();
    match seed % 8 {
        1 => options.expansion.subsumption = Some(0),
        2 => options.expansion.subsumption = Some(1),
        3 => options.lift_variables = true,
        4 => options.expansion.inline_depth = Some(1),
        5 => options.expansion.inlining = Inlining::Spec,
        6 => options.expansion.inlining = Inlining::Assert,
        _ => {}
    }
    options.each_check = seed.is_multiple_of(5);
    options.expansion.intervals = match seed / 8 % 3 {
        0 => None,
        1 => Some(Instrument::Loops),
        _ => Some(Instrument::Everywhere),
    };
    if then.is_none() {
        options.mode = Mode::Off;
    }
    let mut session = Session::with(options);
    let seen = session.verify("p.bpl", text);
    then.map_or(seen, |then| session.verify("p.bpl", then))
}

#[test]
fn a_claim_that_an_execution_refutes_is_never_verified() {
    let more = std::env::var(MORE).ok();
    let range = more.as_deref().and_then(|it| it.split_once("..")).unwrap_or(PROGRAMS);
    let (Ok(from), Ok(to)) = (range.0.parse::<u64>(), range.1.parse::<u64>()) else {
        panic!("no range of seeds")
    };
    let mut proved = 0;
    for seed in from..to {
        match law(seed, &mut verified) {
            Ok(all) => proved += u64::from(all),
            Err(why) => panic!("{why}"),
        }
    }
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
        let condition = |start: &str, end| line.split_once(start)?.1.strip_suffix(end);
        let (result, local) =
            (condition("returns (r: int where ", ")"), condition("{ var x: int where ", ";"));
        for (name, condition) in [("r", result), ("x", local)] {
            if let (true, Some(condition)) = (inlined, condition) {
                // On a line that is there, so that errors stay where they are.
                known += &format!(" free requires (exists {name}: int :: {condition});");
            }
        }
    }
    let main = text.find("procedure main").unwrap_or(0);
    let (before, main) = text.split_at(main);
    main.split_once('\n').map_or_else(String::new, |(head, rest)| format!("{before}{head}{known}\n{rest}"))
}

/// The law notices verifiers that see less than what is there.
#[test]
fn the_law_about_executions_notices_verifiers_that_believe_too_much() {
    let lies: [(&str, Lie); 3] = [
        ("invariants are free", |text| text.replace("\ninvariant ", "\nfree invariant ")),
        ("assertions are assumptions", |text| text.replace("\nassert ", "\nassume ")),
        ("conditions of inlined variables hold from the start", believing_early),
    ];
    for (what, lie) in lies {
        let mut lying =
            |seed: u64, text: &str, then: Option<&str>| verified(seed, &lie(text), then.map(lie).as_deref());
        let noticed =
            (40..70).any(|seed| law(seed, &mut lying).is_err_and(|why| why.contains("is verified")));
        assert!(noticed, "{what}");
    }
}
