//! Programs with a few tokens changed: nothing makes the verifier give up, from the parser to the queries.
//!
//! Most mutants of a program are still nearly one, so many get as far as to queries. The solver's program
//! is not there, so nothing is asked.

use cache_core::mode::Mode;
use cache_core::worker::WorkerConfig;
use ivl_verifier::report::Verdict;
use ivl_verifier::service::Options;

use crate::laws;
use crate::support::{Session, fixture};

/// How many mutants of each program are looked at.
const MUTANTS: usize = 40;

/// A sequence of numbers that look random and are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % limit.max(1)
    }
}

/// A text cut into words, signs and what is between them.
fn tokens(text: &str) -> Vec<&str> {
    let class = |c: char| match c {
        c if c.is_alphanumeric() || "_$#.'`~^?@".contains(c) => 0,
        c if c.is_whitespace() => 1,
        _ => 2,
    };
    let mut found = Vec::new();
    let mut start = 0;
    let mut before = None;
    for (at, c) in text.char_indices() {
        // Signs of one character are tokens of their own, most of the time.
        if before.is_some_and(|before| before != class(c) || "(){}[];,".contains(c)) {
            found.push(&text[start..at]);
            start = at;
        }
        before = Some(if "(){}[];,".contains(c) { 3 } else { class(c) });
    }
    found.push(&text[start..]);
    found
}

fn mutant(tokens: &[&str], numbers: &mut Numbers) -> String {
    let mut mutant: Vec<&str> = tokens.to_vec();
    for _ in 0..=numbers.below(3) {
        let (at, other) = (numbers.below(mutant.len()), numbers.below(tokens.len()));
        match numbers.below(4) {
            0 => drop(mutant.remove(at)),
            1 => mutant.insert(at, tokens[other]),
            2 => mutant[at] = tokens[other],
            _ => {
                let other = numbers.below(mutant.len());
                mutant.swap(at, other);
            }
        }
        if mutant.is_empty() {
            break;
        }
    }
    mutant.concat()
}

#[test]
fn mutants_are_answered_or_refused() {
    let options = Options {
        mode: Mode::Off,
        values: true,
        ..Options::new(WorkerConfig::new("/there/is/no/such/program"))
    };
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let mut asked = 0;
    for name in ["bodies", "code", "named", "polymorphic", "theories"] {
        let text = std::fs::read_to_string(fixture(&format!("language/{name}.bpl"))).expect("a fixture");
        let tokens = tokens(&text);
        for _ in 0..MUTANTS {
            let mutant = mutant(&tokens, &mut numbers);
            laws::program(&mutant);
            let seen = Session::with(options.clone()).verify("p.bpl", &mutant);
            let queried = |verdict: &Verdict| matches!(verdict, Verdict::Failed(_));
            asked += usize::from(seen.reports.iter().any(|report| queried(&report.verdict)));
        }
    }
    assert!(asked > 0, "no mutant got as far as to a query");
}
