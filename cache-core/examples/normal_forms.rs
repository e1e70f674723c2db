//! When are two questions the same? Four questions to a prover of small Boolean formulas, each in the normal form that
//! fits it, and the answers on their way back.
//!
//! | question | does not matter | normal form |
//! | --- | --- | --- |
//! | do these assumptions contradict each other, and which of them? | their order, and repetitions | [`Unordered`] |
//! | is this formula true? | whether it or its opposite is asked | [`UpToNegation`] |
//! | which check of a text fails? | on which lines they stand, how bound variables are called | [`AsParameters`] |
//! | is there a model of this formula? | which variables it speaks of | [`TermShapes`], held against [`compare`] |
//!
//! The prover tries all values of at most eight variables, so that everything here is about the questions.
#![expect(clippy::print_stdout, reason = "a program whose user reads what it prints")]

use cache_core::cache::{Answer, Asked, Cache, CacheConfig, Cost, Provenance};
use cache_core::digest::Encoder;
use cache_core::key::{Checksum, KeyBuilder};
use cache_core::limits::Limits;
use cache_core::rename::{
    AsParameters, AtomId, Atoms, Bijection, NameChecksum, Normalizer, Opposites, Parameters, Query, Shapes,
    TermShapes, Terms, Translate, Unordered, UpToNegation, canonicalize, compare,
};
use serde::{Deserialize, Serialize};

/// Any answer of the prover, in terms of a normal form.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Said {
    /// Members that contradict each other, by their places.
    Core(Option<Vec<usize>>),
    Truth(bool),
    /// The number of the check that fails.
    Fails(Option<u32>),
}

impl Answer for Said {
    fn out_of_limits(&self) -> bool {
        false
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        self == fresh
    }
}

/// A variable, or its negation.
type Literal<'a> = (&'a str, bool);

/// The cache, and what was done to answer.
struct Prover {
    cache: Cache<Said>,
    report: String,
}

impl Prover {
    /// An answer to a question in normal form, from the cache or from `prove`.
    fn answer(&mut self, kind: &str, form: &Checksum, prove: impl FnOnce() -> Option<Said>) -> Option<Said> {
        let key = KeyBuilder::new(kind, 1).engine("truth tables", "1").content("form", form).finish();
        let asked = || {
            let answer = prove().ok_or("the answer speaks of something else than the question")?;
            Ok::<_, &str>(Asked { answer, cost: Cost::default() })
        };
        let answered = self.cache.answer(&key, &Limits::unlimited(), asked).ok()?;
        self.report.push_str(match answered.provenance {
            Provenance::Fresh(_) => "  proved: ",
            Provenance::Memory | Provenance::Store => "  known:  ",
        });
        Some(answered.answer)
    }

    /// Two of the assumptions that contradict each other; each says several things at once. Names count, order and
    /// repetition do not: neither of the assumptions, nor inside one of them.
    fn contradiction(&mut self, assumptions: &[&[Literal<'_>]]) -> Option<()> {
        let literal = |literal: &Literal<'_>| NameChecksum::node(literal, &[]);
        let assumption = |all: &&[Literal<'_>]| {
            NameChecksum::set("all of", &all.iter().map(literal).collect::<Vec<NameChecksum>>())
        };
        let members: Vec<NameChecksum> = assumptions.iter().map(assumption).collect();
        let normal = Unordered.normalize(&members[..]);
        let prove = || {
            let opposite = |all: &[Literal<'_>]| {
                assumptions
                    .iter()
                    .position(|other| all.iter().any(|(name, truth)| other.contains(&(*name, !truth))))
            };
            let core = assumptions.iter().enumerate().find_map(|(at, all)| Some(vec![at, opposite(all)?]));
            Some(Said::Core(match core {
                Some(core) => Some(normal.back.to_form(&core)?),
                None => None,
            }))
        };
        let Said::Core(core) = self.answer("contradiction", &normal.checksum, prove)? else { return None };
        let words = match core {
            Some(places) => {
                let own = normal.back.to_own(&places)?;
                let own = own.into_iter().map(|member| together(assumptions[member]));
                format!("{} contradict each other", own.collect::<Vec<_>>().join(" and "))
            }
            None => "no contradiction".to_owned(),
        };
        let asked: Vec<String> = assumptions.iter().map(|all| together(all)).collect();
        self.report.push_str(&format!("{}: {words}\n", asked.join(", ")));
        Some(())
    }

    /// Whether one literal follows from another. The opposite question has the opposite answer.
    fn follows(&mut self, from: Literal<'_>, to: Literal<'_>, negated: bool) -> Option<()> {
        let checksum = |negated: bool| Checksum::of(&(from, to, negated));
        let question = Opposites { asked: checksum(negated), negated: checksum(!negated) };
        let normal = UpToNegation.normalize(question);
        let prove = || Some(Said::Truth(normal.back.to_form(&((from == to) != negated))?));
        let Said::Truth(truth) = self.answer("truth", &normal.checksum, prove)? else { return None };
        let relation = if negated { "does not follow" } else { "follows" };
        let own = normal.back.to_own(&truth)?;
        self.report.push_str(&format!("{} {relation} from {}: {own}\n", written(to), written(from)));
        Some(())
    }

    /// The line of the first check that fails. Each is a line, and two variables of which it says that they are equal.
    fn first_failure(&mut self, checks: &[(u32, &str, &str)]) -> Option<()> {
        let write = |out: &mut Encoder, lines: &mut Parameters<u32>, names: &mut Parameters<String>| {
            for (line, left, right) in checks {
                out.text("assert equal");
                lines.occurrence(*line, out);
                names.name((*left).to_owned(), out);
                names.name((*right).to_owned(), out);
            }
        };
        let normal = AsParameters::new().normalize(write);
        let lines = &normal.back.0;
        let prove = || {
            let failing = checks.iter().find(|(_, left, right)| left != right);
            Some(Said::Fails(match failing {
                Some((line, ..)) => Some(lines.to_form(line)?),
                None => None,
            }))
        };
        let Said::Fails(number) = self.answer("checks", &normal.checksum, prove)? else { return None };
        let words = match number {
            Some(number) => format!("line {} fails", lines.to_own(&number)?),
            None => "no check fails".to_owned(),
        };
        let asked: Vec<String> =
            checks.iter().map(|(line, left, right)| format!("{line}: {left} == {right}")).collect();
        self.report.push_str(&format!("{}: {words}\n", asked.join(", ")));
        Some(())
    }
}

fn written((name, truth): Literal<'_>) -> String {
    format!("{}{name}", if truth { "" } else { "!" })
}

/// What is said at once.
fn together(all: &[Literal<'_>]) -> String {
    all.iter().map(|literal| written(*literal)).collect::<Vec<_>>().join(" & ")
}

/// A formula of an engine that keeps no shapes in its terms: nodes by number, each a variable or made of two others.
#[derive(Default)]
struct Formulas {
    nodes: Vec<Formula>,
}

enum Formula {
    Variable(AtomId),
    And(usize, usize),
    Or(usize, usize),
}

impl Formulas {
    fn add(&mut self, formula: Formula) -> usize {
        self.nodes.push(formula);
        self.nodes.len() - 1
    }
}

impl Terms for Formulas {
    type Node = usize;

    fn atom(&self, node: usize) -> Option<AtomId> {
        match self.nodes[node] {
            Formula::Variable(atom) => Some(atom),
            _ => None,
        }
    }

    fn label(&self, node: usize, out: &mut Encoder) {
        out.text(match self.nodes[node] {
            Formula::Variable(_) => "variable",
            Formula::And(..) => "and",
            Formula::Or(..) => "or",
        });
    }

    fn children(&self, node: usize, out: &mut Vec<usize>) {
        if let Formula::And(left, right) | Formula::Or(left, right) = self.nodes[node] {
            out.extend([left, right]);
        }
    }
}

/// Which of three formulas are one question, by shapes and by walking two at a time under one bijection.
fn up_to_renaming() -> String {
    let (mut shapes, mut known, mut formulas) = (Shapes::new(), TermShapes::new(), Formulas::default());
    let [a, b, c] = [(); 3].map(|()| {
        let (atom, _) = shapes.fresh("Boolean");
        formulas.add(Formula::Variable(atom))
    });
    let mut formula = |left: usize, right: usize, third: usize| {
        let both = formulas.add(Formula::And(left, right));
        formulas.add(Formula::Or(both, third))
    };
    let questions = [
        ("(a & b) | a", formula(a, b, a)),
        ("(b & c) | b", formula(b, c, b)),
        ("(a & b) | c", formula(a, b, c)),
    ];
    let mut report = String::new();
    for (at, (left, one)) in questions.iter().enumerate() {
        for (right, other) in &questions[at + 1..] {
            let [first, second] = [*one, *other].map(|root| {
                let expression = Some(known.of(&mut shapes, &formulas, root));
                canonicalize(&shapes, &Query { expression, constraints: &[] }).digest
            });
            let (atoms, mut mapping): (&Atoms, _) = (shapes.atoms(), Bijection::new());
            let walked = compare(atoms, (&formulas, &[*one]), (&formulas, &[*other]), &mut mapping);
            let word = match (first == second, walked.equal) {
                (true, true) => "one question",
                (false, false) => "two questions",
                // Shapes and walks never differ.
                _ => "NOT AGREED UPON",
            };
            let renamed = mapping.len();
            report.push_str(&format!("  {left} and {right}: {word}, {renamed} variables renamed\n"));
        }
    }
    report
}

/// All questions, each of them twice in different words.
pub(crate) fn report() -> String {
    let mut prover = Prover { cache: Cache::new(CacheConfig::default()), report: String::new() };
    let (x, not_x, y) = (("x", true), ("x", false), ("y", true));
    prover.report.push_str("order and repetition\n");
    prover.contradiction(&[&[x], &[y], &[not_x]]);
    prover.contradiction(&[&[not_x], &[y], &[y], &[x]]);
    prover.contradiction(&[&[y], &[x]]);
    prover.contradiction(&[&[x, y], &[not_x]]);
    prover.contradiction(&[&[not_x], &[y, x, y]]);
    prover.report.push_str("a truth and its opposite\n");
    prover.follows(x, y, false);
    prover.follows(x, y, true);
    prover.follows(x, x, false);
    prover.report.push_str("positions and bound names\n");
    prover.first_failure(&[(3, "i", "i"), (4, "i", "j")]);
    prover.first_failure(&[(7, "n", "n"), (9, "n", "m")]);
    prover.first_failure(&[(7, "n", "n"), (9, "m", "m")]);
    prover.report.push_str("names of variables\n");
    prover.report.push_str(&up_to_renaming());
    prover.report
}

fn main() {
    print!("{}", report());
}
