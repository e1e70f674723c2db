//! Choices by chance among elements that come and go.
//!
//! Uniform ones, by weights, and by weights within crowds: those of one crowd together count as one of them would.

use rustc_hash::FxHashMap;

use crate::module::FunctionId;

/// The weight 1; small enough that a million of them can be added.
pub(in crate::exec) const ONE: u64 = 1 << 40;

/// The weight of what is a thousand steps from anything new.
pub(in crate::exec) const HOPELESS: u64 = ONE / (1_000 * 1_000);

/// What elements of one crowd have in common: the place at which their states wait, and those of the last calls that
/// led there.
pub(in crate::exec) type Crowd = Option<Box<[(FunctionId, u32)]>>;

/// Elements of which each can be taken out and each is equally easy to choose.
#[derive(Debug, Default)]
pub(in crate::exec) struct Uniform {
    all: Vec<u64>,
    places: FxHashMap<u64, usize>,
}

impl Uniform {
    pub(in crate::exec) fn add(&mut self, element: u64) {
        self.places.insert(element, self.all.len());
        self.all.push(element);
    }

    pub(in crate::exec) fn remove(&mut self, element: u64) {
        let Some(place) = self.places.remove(&element) else { return };
        self.all.swap_remove(place);
        if let Some(moved) = self.all.get(place) {
            self.places.insert(*moved, place);
        }
    }

    pub(in crate::exec) fn pick(&self, random: u64) -> Option<u64> {
        let place = random.checked_rem(self.all.len() as u64)?;
        self.all.get(usize::try_from(place).ok()?).copied()
    }
}

/// Elements with weights, in crowds: first a crowd is chosen, by the mean weight of its elements, and then one of these
/// by its own. So the many states that an exploration leaves behind at one place are as likely, together, as a single
/// one elsewhere. A crowd that was chosen in vain is chosen less, until that pays again: what is near new code for ever
/// and never gets there would otherwise have the turns of what could.
#[derive(Debug, Default)]
pub(in crate::exec) struct Chances {
    crowds: Vec<Weights>,
    /// The crowd of each place, and of each element; those that have become empty stay.
    numbers: FxHashMap<Crowd, usize>,
    of: FxHashMap<u64, usize>,
    /// How often each crowd was chosen in vain since it last paid.
    tries: Vec<u64>,
    /// Crowds by their number, with the mean weights of their elements, less those that were tried in vain.
    means: Weights,
}

impl Chances {
    /// Takes an element in. All without a place are one crowd.
    pub(in crate::exec) fn add(&mut self, element: u64, weight: u64, crowd: Crowd) {
        let next = self.crowds.len();
        let number = *self.numbers.entry(crowd).or_insert(next);
        if number == next {
            self.crowds.push(Weights::default());
            self.tries.push(0);
        }
        self.of.insert(element, number);
        self.crowds[number].add(element, weight);
        self.weigh(number);
    }

    /// Gives an element another weight.
    pub(in crate::exec) fn change(&mut self, element: u64, weight: u64) {
        if let Some(number) = self.of.get(&element).copied() {
            self.crowds[number].change(element, weight);
            self.weigh(number);
        }
    }

    /// Takes an element out.
    pub(in crate::exec) fn remove(&mut self, element: u64) {
        if let Some(number) = self.of.remove(&element) {
            self.crowds[number].remove(element);
            self.weigh(number);
        }
    }

    /// Notes that an element's crowd was chosen, which makes it less likely until that pays; its number.
    pub(in crate::exec) fn tried(&mut self, element: u64) -> Option<usize> {
        let number = *self.of.get(&element)?;
        *self.tries.get_mut(number)? += 1;
        self.weigh(number);
        Some(number)
    }

    /// Notes that it has paid to choose a crowd.
    pub(in crate::exec) fn paid(&mut self, number: usize) {
        if let Some(tries) = self.tries.get_mut(number) {
            *tries = 0;
            self.weigh(number);
        }
    }

    pub(in crate::exec) fn weight(&self, element: u64) -> u64 {
        let number = self.of.get(&element);
        number.and_then(|number| self.crowds.get(*number)).map_or(0, |crowd| crowd.weight(element))
    }

    /// An element, by two random numbers.
    pub(in crate::exec) fn pick(&self, random: [u64; 2]) -> Option<u64> {
        let number = usize::try_from(self.means.pick(random[0])?).ok()?;
        self.crowds.get(number)?.pick(random[1])
    }

    fn weigh(&mut self, number: usize) {
        let tries = self.tries.get(number).copied().unwrap_or(0);
        let mean = self.crowds[number].mean().map(|mean| (mean / (1 + tries)).max(1));
        let element = number as u64;
        match mean {
            None => self.means.remove(element),
            Some(mean) if self.means.has(element) => self.means.change(element, mean),
            Some(mean) => self.means.add(element, mean),
        }
    }
}

/// Elements with weights: a binary tree of sums in an array.
#[derive(Debug, Default)]
struct Weights {
    /// Node `n` is the sum of nodes `2n` and `2n + 1`; the second half are the elements' places.
    sums: Vec<u64>,
    elements: Vec<u64>,
    places: FxHashMap<u64, usize>,
    free: Vec<usize>,
}

impl Weights {
    fn has(&self, element: u64) -> bool {
        self.places.contains_key(&element)
    }

    fn weight(&self, element: u64) -> u64 {
        self.places.get(&element).map_or(0, |place| self.sums[self.sums.len() / 2 + place])
    }

    /// The mean weight; `None` without elements.
    fn mean(&self) -> Option<u64> {
        let total = self.sums.get(1).copied().unwrap_or(0);
        total.checked_div(self.places.len() as u64)
    }

    fn add(&mut self, element: u64, weight: u64) {
        let place = self.free.pop().unwrap_or_else(|| {
            self.elements.push(element);
            self.elements.len() - 1
        });
        self.elements[place] = element;
        self.places.insert(element, place);
        if self.elements.len() * 2 > self.sums.len() {
            self.grow();
        }
        self.set(place, weight.max(1));
    }

    /// Doubles the tree.
    fn grow(&mut self) {
        let old = self.sums.len() / 2;
        let half = self.elements.len().next_power_of_two();
        let mut sums = vec![0; half * 2];
        sums[half..half + old].copy_from_slice(&self.sums[old..]);
        for node in (1..half).rev() {
            sums[node] = sums[node * 2] + sums[node * 2 + 1];
        }
        self.sums = sums;
    }

    fn set(&mut self, place: usize, weight: u64) {
        let mut node = self.sums.len() / 2 + place;
        self.sums[node] = weight;
        while node > 1 {
            node /= 2;
            self.sums[node] = self.sums[node * 2] + self.sums[node * 2 + 1];
        }
    }

    fn change(&mut self, element: u64, weight: u64) {
        if let Some(place) = self.places.get(&element).copied() {
            self.set(place, weight.max(1));
        }
    }

    fn remove(&mut self, element: u64) {
        if let Some(place) = self.places.remove(&element) {
            self.set(place, 0);
            self.free.push(place);
        }
    }

    fn pick(&self, random: u64) -> Option<u64> {
        let total = self.sums.get(1).copied().filter(|total| *total > 0)?;
        let mut rest = random % total;
        let half = self.sums.len() / 2;
        let mut node = 1;
        while node < half {
            node *= 2;
            if rest >= self.sums[node] {
                rest -= self.sums[node];
                node += 1;
            }
        }
        self.elements.get(node - half).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::{Chances, Crowd, Uniform, Weights};
    use crate::module::FunctionId;

    /// A place without callers.
    fn crowd(position: u32) -> Crowd {
        Some(Box::new([(FunctionId(1), position)]))
    }

    #[test]
    fn a_weighted_choice_falls_on_each_element_as_often_as_its_weight_says() {
        let mut weights = Weights::default();
        for element in 0..6 {
            weights.add(element, element + 1);
        }
        weights.remove(2);
        weights.change(0, 4);
        weights.add(9, 3);
        let mut hits = std::collections::BTreeMap::new();
        let total = 4 + 2 + 4 + 5 + 6 + 3;
        for random in 0..total {
            *hits.entry(weights.pick(random)).or_insert(0) += 1;
        }
        let expected = [(0, 4), (1, 2), (3, 4), (4, 5), (5, 6), (9, 3)];
        assert_eq!(
            hits.into_iter().collect::<Vec<_>>(),
            expected.map(|(element, count)| (Some(element), count))
        );
        for element in [0, 1, 3, 4, 5, 9] {
            weights.remove(element);
        }
        assert_eq!(weights.pick(7), None);
    }

    #[test]
    fn a_uniform_choice_can_reach_everything_that_is_left_and_nothing_else() {
        let mut uniform = Uniform::default();
        for element in 0..5 {
            uniform.add(element);
        }
        uniform.remove(0);
        uniform.remove(4);
        let mut reached: Vec<u64> = (0..30).filter_map(|random| uniform.pick(random)).collect();
        reached.sort_unstable();
        reached.dedup();
        assert_eq!(reached, [1, 2, 3]);
    }

    #[test]
    fn a_crowd_that_was_chosen_in_vain_is_chosen_less_until_that_pays() {
        let mut chances = Chances::default();
        let here = crowd(4);
        chances.add(1, 30, here.clone());
        chances.add(2, 30, crowd(5));
        let first = |chances: &Chances| (0..120).filter(|at| chances.pick([*at, 0]) == Some(1)).count();
        assert_eq!(first(&chances), 60);
        let crowd = chances.tried(1);
        chances.tried(1);
        // A third of 30 is left beside 30; what comes to the crowd shares that.
        assert_eq!(first(&chances), 30);
        chances.remove(1);
        chances.add(1, 30, here.clone());
        assert_eq!((first(&chances), chances.weight(1)), (30, 30));
        chances.paid(crowd.unwrap());
        assert_eq!(first(&chances), 60);
        assert_eq!((chances.tried(7), chances.weight(7)), (None, 0));
    }

    #[test]
    fn a_crowd_counts_as_one_of_its_elements_would() {
        let mut chances = Chances::default();
        let here = crowd(4);
        for element in 0..100 {
            chances.add(element, 3, here.clone());
        }
        chances.add(100, 3, crowd(5));
        let alone = |chances: &Chances| (0..18).filter(|at| chances.pick([*at, *at]) == Some(100)).count();
        assert_eq!(alone(&chances), 9);
        // The mean counts, and what has gone does not.
        chances.change(7, 303);
        assert_eq!(alone(&chances), 6);
        for element in 0..100 {
            chances.remove(element);
        }
        assert_eq!(alone(&chances), 18);
        chances.add(5, 1, here);
        assert_eq!((0..4).filter(|at| chances.pick([*at, 0]) == Some(5)).count(), 1);
        chances.remove(100);
        chances.remove(5);
        assert_eq!(chances.pick([0, 0]), None);
    }
}
