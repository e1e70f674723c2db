//! The same question put otherwise: other names, another order of what is known.
//!
//! Nothing here changes what a query means, so a solver that finds a proof of one and not of the other was lucky or
//! not. Which of both it is, is what `ivl stability` measures, in the way of Mariposa (Zhou, Bosamiya, Takashima, Li,
//! Heule and Parno: "Mariposa: Measuring SMT Instability in Automated Program Verification", FMCAD 2023).

use crate::base::arena::Id;
use crate::smt::term::{FunctionId, Query};

/// How a query is put otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disturbance {
    /// What is known comes in another order, which this number tells.
    Order(u64),
    /// Functions and constants have other names, which this number tells.
    Names(u64),
}

impl Disturbance {
    /// What it is called in keys.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Self::Order(seed) => format!("order {seed}"),
            Self::Names(seed) => format!("names {seed}"),
        }
    }
}

/// Puts a query otherwise.
pub(crate) fn disturb(query: &mut Query, disturbance: Disturbance) {
    match disturbance {
        Disturbance::Order(seed) => {
            let mut numbers = Numbers(seed);
            for last in (1..query.background.len()).rev() {
                query.background.swap(last, numbers.below(last + 1));
            }
        }
        Disturbance::Names(seed) => {
            let mut numbers = Numbers(seed);
            for function in query.functions.ids().collect::<Vec<FunctionId>>() {
                // The place keeps names apart, whatever the numbers are.
                let name = format!("n{:08x}_{}", numbers.next() >> 32, function.index());
                query.functions[function].name = name;
            }
        }
    }
}

/// Numbers that follow from a seed (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    }

    /// A number below another one, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.next() % end).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Disturbance, disturb};
    use crate::smt::term::{Builder, Sort, Term};

    #[test]
    fn a_query_keeps_what_it_says() {
        let mut builder = Builder::default();
        let sort = builder.sort(Sort::Bool);
        let functions: Vec<_> = (0..20).map(|_| builder.declare("f", Vec::new(), sort)).collect();
        for function in &functions {
            let term = builder.term(Term::Apply(*function, Vec::new()));
            builder.query.background.push(term);
        }
        let query = builder.query;
        let disturbed = |disturbance| {
            let mut other = query.clone();
            disturb(&mut other, disturbance);
            other
        };
        let (once, again) = (disturbed(Disturbance::Order(1)), disturbed(Disturbance::Order(1)));
        assert_eq!(once.background, again.background);
        assert_ne!(once.background, query.background);
        assert_ne!(once.background, disturbed(Disturbance::Order(2)).background);
        assert_eq!(
            once.background.iter().collect::<BTreeSet<_>>(),
            query.background.iter().collect::<BTreeSet<_>>()
        );
        let named = disturbed(Disturbance::Names(7));
        let names: BTreeSet<&str> = named.functions.iter().map(|(_, it)| it.name.as_str()).collect();
        assert_eq!(names.len(), functions.len());
        assert_eq!(named.background, query.background);
    }
}
