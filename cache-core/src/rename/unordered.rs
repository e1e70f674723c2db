//! Unordered sets: the order in which members were collected and repetitions do not matter.

use super::name::NameChecksum;
use super::normalizer::{Normal, Normalizer, Translate};
use crate::digest::Encoder;
use crate::key::Checksum;

/// Sorts sets of terms whose names are kept. Not of shapes: members that share renamable atoms are normalized
/// together by [`super::canonicalize`], because a set of shape digests has forgotten which atoms are the
/// same ({x < 3, x > 5} and {x < 3, y > 5} have equal sets of shapes).
#[derive(Clone, Copy, Debug, Default)]
pub struct Unordered;

/// Which member of the question stands at which place of the normal form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// For each place of the form, the first member of the question that stands there.
    places: Vec<usize>,
    /// For each member of the question, its place.
    members: Vec<usize>,
}

impl Order {
    /// Sorts and merges the members `0..count` by what `compare` says about them.
    pub(super) fn by(count: usize, mut compare: impl FnMut(usize, usize) -> std::cmp::Ordering) -> Self {
        let mut sorted: Vec<usize> = (0..count).collect();
        sorted.sort_by(|a, b| compare(*a, *b).then(a.cmp(b)));
        let mut order = Self { places: Vec::new(), members: vec![0; count] };
        for member in sorted {
            let repeats = order.places.last().is_some_and(|last| compare(*last, member).is_eq());
            if !repeats {
                order.places.push(member);
            }
            order.members[member] = order.places.len() - 1;
        }
        order
    }

    /// For each place of the form, the first member of the question that stands there. Members that repeat
    /// another one do not appear.
    #[must_use]
    pub fn places(&self) -> &[usize] {
        &self.places
    }

    /// The place of a member of the question.
    pub(crate) fn place(&self, member: usize) -> Option<usize> {
        self.members.get(member).copied()
    }
}

impl Normalizer<&[NameChecksum]> for Unordered {
    type Back = Order;

    fn normalize(&self, question: &[NameChecksum]) -> Normal<Order> {
        let back = Order::by(question.len(), |a, b| question[a].cmp(&question[b]));
        let (mut short, mut long) = (Encoder::new(), Encoder::new());
        short.sequence(back.places.len());
        long.sequence(back.places.len());
        for place in &back.places {
            short.nested(question[*place].digest().digest());
            long.nested_confirm(question[*place].confirm());
        }
        Normal { checksum: Checksum { digest: short.digest(), confirm: long.confirm() }, back }
    }
}

/// Answers that name members, such as the core of an unsatisfiable set: sorted member numbers on the
/// question's side, sorted places on the form's. A member that repeats an earlier one is not named.
impl Translate<Vec<usize>> for Order {
    type Form = Vec<usize>;

    fn to_form(&self, own: &Vec<usize>) -> Option<Vec<usize>> {
        let mut places: Vec<usize> = own
            .iter()
            .map(|member| self.place(*member).filter(|place| self.places[*place] == *member))
            .collect::<Option<_>>()?;
        places.sort_unstable();
        Some(places)
    }

    fn to_own(&self, form: &Vec<usize>) -> Option<Vec<usize>> {
        let mut members: Vec<usize> =
            form.iter().map(|place| self.places.get(*place).copied()).collect::<Option<_>>()?;
        members.sort_unstable();
        Some(members)
    }
}
