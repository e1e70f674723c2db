//! Random scripts: levels that come and go, names that come back with another sort, models, values and cores asked for.

use crate::oracle::random::Random;

/// What a script has declared.
#[derive(Clone, Default)]
struct Level {
    /// Names with their sorts, by [`SORTS`].
    names: Vec<(String, usize)>,
    /// Labels of assertions.
    labels: Vec<String>,
}

const SORTS: [&str; 4] = ["Bool", "Int", "(_ BitVec 16)", "(Array Int Int)"];
const BOOL: usize = 0;
const INT: usize = 1;
const BITS: usize = 2;

/// So many scripts come back under other options.
const RECURRING: usize = 4;
/// Options under which Z3 gives other answers to the same assertions: other words, an error, a model or core that is
/// not there, a check that it gives up.
const OPTIONS: [&str; 8] = [
    "(set-option :produce-models false)",
    "(set-option :produce-models true)",
    "(set-option :produce-unsat-cores true)",
    "(set-option :produce-unsat-cores false)",
    "(set-option :smt.max_conflicts 0)",
    "(set-option :pp.bv_literals false)",
    "(set-option :auto_config false)",
    "(set-logic ALL)",
];

struct Writer<'a> {
    random: &'a mut Random,
    levels: Vec<Level>,
    next: usize,
    script: Vec<String>,
}

/// A script, as commands.
pub(super) fn script(random: &mut Random) -> Vec<String> {
    let cores = random.chance(1, 2);
    let mut writer = Writer { random, levels: vec![Level::default()], next: 0, script: Vec::new() };
    writer.put("(set-option :produce-models true)");
    if cores {
        writer.put("(set-option :produce-unsat-cores true)");
    }
    if writer.random.chance(1, 4) {
        let budget = writer.random.from(100_000..=200_000);
        writer.put(&format!("(set-option :timeout {budget})"));
    }
    for _ in 0..writer.random.from(3..=6) {
        writer.declare();
    }
    for _ in 0..writer.random.from(12..=40) {
        writer.command(cores);
    }
    writer.check(cores);
    writer.script
}

/// One of a few scripts, under options that can change its answers: what holds is the same in many cases.
pub(super) fn under_options(random: &mut Random) -> Vec<String> {
    let body = script(&mut Random::of_case(0, random.below(RECURRING) as u64));
    let options = (0..=random.below(3)).map(|_| random.one(&OPTIONS).to_owned());
    let options: Vec<String> = options.collect();
    // Its own come first, unless they would undo these.
    let own = body.iter().filter(|it| it.starts_with("(set-option :timeout"));
    let rest = body.iter().filter(|it| !it.starts_with("(set-option"));
    own.cloned().chain(options).chain(rest.cloned()).collect()
}

/// Commands of few words: what scripts made of them say differs in one thing often, and what is known of one must
/// not be told of the other.
const WORDS: [&str; 35] = [
    "(declare-const p Bool)",
    "(declare-const p Bool)",
    "(declare-const p Int)",
    "(declare-const x Int)",
    "(declare-const x Int)",
    "(declare-fun f (Int) Int)",
    "(define-fun two () Int 2)",
    "(define-fun two () Int 3)",
    "(assert p)",
    "(assert (not p))",
    "(assert (! p :named a))",
    "(assert (! (not p) :named b))",
    "(assert (or p (> x 1)))",
    "(assert (> x 3))",
    "(assert (< x 3))",
    "(assert (= x two))",
    "(assert (+ x 1))",
    "(assert (= (f x) (+ (f 1) 1)))",
    "(assert (forall ((y Int)) (> (f y) (* y y y))))",
    "(push 1)",
    "(pop 1)",
    "(reset)",
    "(reset-assertions)",
    "(check-sat)",
    "(check-sat-assuming (p))",
    "(get-model)",
    "(get-value (p))",
    "(get-value (x two))",
    "(get-value ((f 1)))",
    "(get-unsat-core)",
    "(get-assignment)",
    "(get-info :reason-unknown)",
    "(get-option :rlimit)",
    "(echo \"said\")",
    "(exit)",
];
/// Options that scripts of few words begin with, or set anywhere.
const SETTINGS: [&str; 8] = [
    "(set-option :print-success true)",
    "(set-option :print-success false)",
    "(set-option :produce-unsat-cores true)",
    "(set-option :produce-assignments true)",
    "(set-option :global-declarations true)",
    "(set-option :rlimit 300)",
    "(set-option :rlimit 3000000)",
    "(set-option :smt.random_seed 7)",
];
/// The first line of such scripts: most of what they ask is asked of what was refused, or given up, and so of the
/// solver.
pub(super) const OF_FEW_WORDS: &str = "; of few words";
/// How many beginnings there are: scripts that begin alike go on differently.
const BEGINNINGS: usize = 12;

/// A script of few words: one of some beginnings, with words changed, and some more words.
pub(super) fn few_words(random: &mut Random) -> Vec<String> {
    let mut own = Random::of_case(1, random.below(BEGINNINGS) as u64);
    let mut script = vec![OF_FEW_WORDS.to_owned()];
    let settings = own.below(3);
    script.extend((0..settings).map(|_| own.one(&SETTINGS).to_owned()));
    script.extend(["(declare-const p Bool)", "(declare-const x Int)"].map(str::to_owned));
    for _ in 0..own.from(6..=12) {
        let word = if own.chance(1, 10) { own.one(&SETTINGS) } else { own.one(&WORDS) };
        script.push(word.to_owned());
        if own.chance(1, 4) {
            script.push("(check-sat)".to_owned());
        }
        if own.chance(1, 10) {
            script.push("(get-option :print-success)".to_owned());
        }
    }
    let change = |random: &mut Random, script: &mut Vec<String>| {
        let at = random.from(1..=script.len() - 1);
        let word = if random.chance(1, 3) { random.one(&SETTINGS) } else { random.one(&WORDS) }.to_owned();
        match random.below(3) {
            0 => drop(script.remove(at)),
            1 => script.insert(at, word),
            _ => script[at] = word,
        }
    };
    for _ in 0..random.below(3) {
        change(random, &mut script);
    }
    script.push("(check-sat)".to_owned());
    script.extend((0..random.below(3)).map(|_| random.one(&WORDS).to_owned()));
    script
}

/// The first line of scripts in sections: whether the solver gives up is asked of the solver.
pub(super) const IN_SECTIONS: &str = "; in sections";
/// Products that Z3 finds the factors of within a small budget at a later check only, if it does.
const PRODUCTS: [usize; 3] = [391, 899, 1147];
/// Budgets of Z3's resource count.
const BUDGETS: [usize; 2] = [4_000, 8_000];
/// What comes in front of a check of a product.
const BEHIND: [&[&str]; 3] = [&[], &["(check-sat)"], &["(push 1)", "(check-sat)", "(pop 1)"]];
/// Statements with several models: which one Z3 finds depends on their order, and on whether they stand on a level.
const MANY_MODELS: [&str; 6] = [
    "(assert (or p q))",
    "(assert (or (not q) (not p)))",
    "(assert (=> q (> x 3)))",
    "(assert (=> p (< x 1)))",
    "(assert (or (= y x) (= y (+ x 1))))",
    "(assert (not (= (> y 7) q)))",
];

/// The same statements again and again, said in another order or behind something else: what the solver gave up behind
/// one history it decides behind another, and a value is told beside values of the same model only.
pub(super) fn sections(random: &mut Random) -> Vec<String> {
    let mut script = vec![IN_SECTIONS.to_owned()];
    for _ in 0..random.from(3..=5) {
        if script.len() > 1 {
            script.push("(reset)".to_owned());
        }
        if random.chance(1, 2) { given_up(random, &mut script) } else { of_many_models(random, &mut script) }
    }
    script
}

/// A product under a small budget.
fn given_up(random: &mut Random, script: &mut Vec<String>) {
    let (budget, product) = (random.one(&BUDGETS), random.one(&PRODUCTS));
    script.push(format!("(set-option :rlimit {budget})"));
    script.extend(["x", "y"].map(|name| format!("(declare-const {name} Int)")));
    script.extend(["(> x 1)", "(> y 1)", "(< x y)"].map(|term| format!("(assert {term})")));
    script.push(format!("(assert (= (* x y) {product}))"));
    script.extend(random.one(&BEHIND).iter().map(|&it| it.to_owned()));
    script.push("(check-sat)".to_owned());
    if random.chance(1, 2) {
        script.push("(get-info :reason-unknown)".to_owned());
    }
}

/// Statements in any order, and values that are asked for one after the other.
fn of_many_models(random: &mut Random, script: &mut Vec<String>) {
    let sorts = [("p", "Bool"), ("q", "Bool"), ("x", "Int"), ("y", "Int")];
    script.extend(sorts.map(|(name, sort)| format!("(declare-const {name} {sort})")));
    let mut put = |command: &str| script.push(command.to_owned());
    if random.chance(1, 2) {
        put("(push 1)");
    }
    let mut left = MANY_MODELS.to_vec();
    while !left.is_empty() {
        put(left.remove(random.below(left.len())));
    }
    put("(check-sat)");
    let mut left = vec!["(get-value (x))", "(get-value (y))", "(get-value ((+ x y)))"];
    for _ in 0..random.from(1..=3) {
        put(left.remove(random.below(left.len())));
    }
}

impl Writer<'_> {
    fn put(&mut self, command: &str) {
        let comment = if self.random.chance(1, 20) { " ; (a comment \"with | signs\n" } else { "" };
        self.script.push(format!("{command}{comment}"));
    }

    fn command(&mut self, cores: bool) {
        match self.random.weighted(&[6, 14, 4, 3, 8, 1, 1, 2]) {
            0 => self.declare(),
            1 => self.assert(cores),
            2 => {
                self.put("(push 1)");
                self.levels.push(Level::default());
                self.assert(cores);
            }
            3 if self.levels.len() > 1 => {
                self.put("(pop 1)");
                self.levels.pop();
            }
            4 => self.check(cores),
            5 => self.put("(echo \"said-so\")"),
            6 => self.put("(get-info :name)"),
            7 => self.define(),
            _ => self.declare(),
        }
    }

    fn fresh(&mut self) -> String {
        // Names of levels that were left come back.
        let depth = self.levels.len();
        self.next = if depth == 1 { self.next + 1 } else { self.next };
        let number =
            if depth == 1 { self.next } else { self.levels.iter().map(|it| it.names.len()).sum::<usize>() };
        match self.random.below(4) {
            0 => format!("|x {depth}.{number}|"),
            _ => format!("x{depth}_{number}"),
        }
    }

    fn declare(&mut self) {
        let (name, sort) = (self.fresh(), self.random.weighted(&[3, 5, 3, 1]));
        if self.levels.iter().any(|level| level.names.iter().any(|(known, _)| *known == name)) {
            return;
        }
        self.put(&format!("(declare-const {name} {})", SORTS[sort]));
        if let Some(level) = self.levels.last_mut() {
            level.names.push((name, sort));
        }
    }

    fn define(&mut self) {
        let (name, sort) = (format!("d{}", self.fresh().replace(['|', ' '], "_")), self.random.below(3));
        if self.levels.iter().any(|level| level.names.iter().any(|(known, _)| *known == name)) {
            return;
        }
        let body = self.term(sort, 2);
        self.put(&format!("(define-fun {name} () {} {body})", SORTS[sort]));
        if let Some(level) = self.levels.last_mut() {
            level.names.push((name, sort));
        }
    }

    fn assert(&mut self, cores: bool) {
        let term = self.term(BOOL, 3);
        if cores && self.random.chance(2, 3) {
            let label = format!(
                "a{}_{}",
                self.levels.len(),
                self.levels.iter().map(|it| it.labels.len()).sum::<usize>()
            );
            self.put(&format!("(assert (! {term} :named {label}))"));
            if let Some(level) = self.levels.last_mut() {
                level.labels.push(label);
            }
        } else {
            self.put(&format!("(assert {term})"));
        }
    }

    fn check(&mut self, cores: bool) {
        if self.random.chance(1, 5) {
            let literals: Vec<String> = (0..2).filter_map(|_| self.name(BOOL)).collect();
            self.put(&format!("(check-sat-assuming ({}))", literals.join(" ")));
        } else {
            self.put("(check-sat)");
        }
        if self.random.chance(1, 3) {
            self.put("(get-model)");
        }
        for _ in 0..self.random.below(3) {
            let sort = self.random.below(3);
            let term = self.term(sort, 1);
            self.put(&format!("(get-value ({term}))"));
        }
        if cores && self.random.chance(1, 3) {
            self.put("(get-unsat-core)");
        }
    }

    fn name(&mut self, sort: usize) -> Option<String> {
        let names = self.levels.iter().flat_map(|level| &level.names);
        let names: Vec<&String> = names.filter(|(_, of)| *of == sort).map(|(name, _)| name).collect();
        if names.is_empty() { None } else { Some(names[self.random.below(names.len())].clone()) }
    }

    fn term(&mut self, sort: usize, depth: usize) -> String {
        if depth == 0 || self.random.chance(1, 5) {
            if let Some(name) = self.name(sort) {
                return name;
            }
            return match sort {
                BOOL => self.random.one(&["true", "false"]).to_owned(),
                INT => self.random.below(20).to_string(),
                BITS => format!("#x{:04x}", self.random.below(1 << 16)),
                _ => "((as const (Array Int Int)) 0)".to_owned(),
            };
        }
        let less = depth - 1;
        let (bool, int, bits) = (BOOL, INT, BITS);
        match sort {
            BOOL => match self.random.below(9) {
                0 => format!("(not {})", self.term(bool, less)),
                1 => format!("(or {} {})", self.term(bool, less), self.term(bool, less)),
                2 => format!("(and {} {})", self.term(bool, less), self.term(bool, less)),
                3 => format!("(let ((x1_1 {})) (= x1_1 {}))", self.term(int, less), self.term(int, less)),
                4 => format!("(<= {} {})", self.term(int, less), self.term(int, less)),
                5 => format!("(bvult {} {})", self.term(bits, less), self.term(bits, less)),
                6 => format!("(= {} {})", self.term(bits, less), self.term(bits, less)),
                7 => format!(
                    "(exists ((q Int)) (and (< q {}) (> q {})))",
                    self.term(int, less),
                    self.term(int, 0)
                ),
                _ => format!("(distinct {} {})", self.term(int, less), self.term(int, less)),
            },
            INT => match self.random.below(4) {
                0 => format!("(+ {} {})", self.term(int, less), self.term(int, less)),
                1 => format!("(- {} {})", self.term(int, less), self.term(int, less)),
                2 => format!(
                    "(ite {} {} {})",
                    self.term(bool, less),
                    self.term(int, less),
                    self.term(int, less)
                ),
                _ => format!("(select {} {})", self.term(3, less), self.term(int, less)),
            },
            BITS => match self.random.below(4) {
                0 => format!("(bvmul {} {})", self.term(bits, less), self.term(bits, less)),
                1 => format!("(bvadd {} {})", self.term(bits, less), self.term(bits, less)),
                2 => format!("(bvxor {} {})", self.term(bits, less), self.term(bits, less)),
                _ => format!("(bvudiv {} {})", self.term(bits, less), self.term(bits, less)),
            },
            _ => format!("(store {} {} {})", self.term(3, less), self.term(int, less), self.term(int, less)),
        }
    }
}
