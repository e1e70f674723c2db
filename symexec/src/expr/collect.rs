//! Expressions that go: those that nobody has any more.
//!
//! Every instruction on unknown values makes expressions, and most are of no state after a while: their registers
//! were overwritten, their paths have ended. Whoever has expressions *marks* them ([`Marks`]): states, and caches that
//! do not forget them at that moment. What is marked stays, with all that it consists of; the rest goes
//! ([`Arena::collect`]).
//!
//! **Numbers never change, and none is used twice.** So no state changes, and whoever was forgotten among those who mark
//! finds nothing, which ends the run, and not another expression, which would be a wrong answer. An expression that went
//! and is made again has a new number. That shows nowhere, since nothing that matters is in the order of numbers:
//! operands stay in the order in which they were given, constraints in that of the path or of their digests.
//!
//! Operands have lower numbers than what they are operands of. So marks spread in one pass from the highest number down,
//! without a stack.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::{Arena, Class, ExprId, Info, InputId, Node};

/// Truths about numbers from 0 on.
#[derive(Debug)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// None of so many.
    pub(super) fn of(count: usize) -> Self {
        Self(vec![0; count.div_ceil(64)])
    }

    pub(super) fn has(&self, number: usize) -> bool {
        self.word(number / 64) >> (number % 64) & 1 == 1
    }

    pub(super) fn set(&mut self, number: usize) {
        if let Some(word) = self.0.get_mut(number / 64) {
            *word |= 1 << (number % 64);
        }
    }

    /// Those of 64 numbers.
    pub(super) fn word(&self, word: usize) -> u64 {
        self.0.get(word).copied().unwrap_or(0)
    }
}

/// The expressions that stay, as far as somebody has said so.
#[derive(Debug)]
pub struct Marks {
    nodes: Bits,
    literals: Bits,
    /// Those things that several have and that were entered.
    entered: Places,
}

/// Where things lie: nothing moves or goes while marks are made.
///
/// A truth for each sixteen bytes of the pieces of memory in which there are some, since marks are made where memory is
/// short: a hundredth of what is looked through, where a set of places would be a tenth.
#[derive(Debug, Default)]
struct Places(FxHashMap<usize, Box<[u64; Places::WORDS]>>);

impl Places {
    const WORDS: usize = 64;

    /// Whether a place was not there; it is then. Counts stand in front of what is shared, so that no two such things
    /// are within the same sixteen bytes.
    fn insert(&mut self, address: usize) -> bool {
        let place = address / 16;
        let (word, bit) = (place / 64, 1 << (place % 64));
        let words = self.0.entry(word / Self::WORDS).or_insert_with(|| Box::new([0; Self::WORDS]));
        let word = &mut words[word % Self::WORDS];
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

impl Marks {
    /// Somebody has this expression.
    pub fn mark(&mut self, expr: ExprId) {
        self.nodes.set(expr.index());
    }

    /// Whether something that may be shared is met for the first time, so that it is looked at once, however many have
    /// it.
    pub fn enters<T>(&mut self, shared: &Rc<T>) -> bool {
        Rc::strong_count(shared) == 1 || self.entered.insert(Rc::as_ptr(shared).addr())
    }
}

/// Expressions are looked through again after at least so many were made.
const LEAST: usize = 1 << 18;

/// Where memory is short, after so many.
const LEAST_SHORT: usize = 1 << 16;

/// An unknown byte that no input has.
const NOTHING: (Node, Info) =
    (Node::Input(InputId(u32::MAX)), Info { width: 0, class: Class::Layout, addresses: false });

impl Arena {
    /// Marks for a collection of what there is now.
    #[must_use]
    pub fn marks(&self) -> Marks {
        let (nodes, literals) = (Bits::of(self.nodes.len()), Bits::of(self.literals.len()));
        Marks { nodes, literals, entered: Places::default() }
    }

    /// Whether there are twice as many as the last collection has left, so that one more costs little beside what it
    /// took to make them.
    #[must_use]
    pub fn has_doubled(&self) -> bool {
        self.nodes.len() - self.looked_through.0 >= self.looked_through.1.max(LEAST)
    }

    /// Whether enough were made since the last collection that one more may find something, where memory is short.
    #[must_use]
    pub fn has_grown(&self) -> bool {
        self.nodes.len() - self.looked_through.0 >= (self.looked_through.1 / 4).max(LEAST_SHORT)
    }

    /// Takes away what is neither marked nor an operand of it; what can be found again about expressions is forgotten.
    /// `strictly` even where that gives no memory back, so that whoever still has one that went is found out.
    pub fn collect(&mut self, mut marks: Marks, strictly: bool) {
        self.forget();
        self.elsewhere.values().for_each(|moved| marks.mark(*moved));
        self.spread(&mut marks);
        let Self { nodes, unique, literals, unique_literals, .. } = self;
        unique.retain(
            |number| marks.nodes.has(number as usize),
            |number| {
                let (node, info) = *nodes.at(number as usize);
                (node, info.width)
            },
        );
        unique_literals
            .retain(|number| marks.literals.has(number as usize), |number| &*literals[number as usize]);
        nodes.keep(&marks.nodes, strictly.then_some(NOTHING));
        for (number, literal) in literals.iter_mut().enumerate() {
            if !literal.is_empty() && !marks.literals.has(number) {
                self.literal_elements -= literal.len();
                *literal = Box::default();
            }
        }
        self.looked_through = (self.nodes.len(), self.nodes.kept());
    }

    /// Marks what marked expressions consist of.
    fn spread(&self, marks: &mut Marks) {
        let mut children = Vec::new();
        for word in (0..marks.nodes.0.len()).rev() {
            // Those of this word that are not looked at yet; operands may be among them.
            let mut below = u64::MAX;
            loop {
                let left = marks.nodes.word(word) & below;
                let Some(bit) = left.checked_ilog2() else { break };
                below = (1 << bit) - 1;
                let id = ExprId::at(word * 64 + bit as usize);
                if let Node::Literal(literal) = self.node(id) {
                    marks.literals.set(literal.index());
                }
                children.clear();
                self.children(id, &mut children);
                children.iter().for_each(|child| marks.mark(*child));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use proptest::prelude::{any, prop, proptest};

    use super::super::{Arena, Evaluator, ExprId, InputId, Model, RenameInputs};
    use crate::base::bits::{BinaryOp, CompareOp};

    /// A step of making expressions: which kind, of which ones.
    type Step = (u8, usize, usize, u8);

    /// Expressions, each of those before it, and arrays; made again they are the same.
    fn made(arena: &mut Arena, inputs: &[InputId], steps: &[Step]) -> Vec<ExprId> {
        let mut all: Vec<ExprId> = inputs.iter().map(|input| arena.input_byte(*input)).collect();
        let mut arrays = Vec::new();
        for (kind, one, other, number) in steps {
            let (a, b) = (all[one % all.len()], all[other % all.len()]);
            let known = arena.constant(8, u64::from(*number));
            all.push(match kind % 8 {
                0 => arena.binary(BinaryOp::Add, a, b),
                1 => arena.binary(BinaryOp::Mul, a, known),
                2 => arena.binary(BinaryOp::Xor, a, b),
                3 => {
                    let condition = arena.compare(CompareOp::Ult, a, b);
                    arena.choose(condition, a, known)
                }
                4 | 5 => {
                    let array = arena.literal_array(&[a, b, known]);
                    let index = arena.zero_extend(b, 64);
                    arrays.push(array);
                    arena.read(array, index)
                }
                6 if !arrays.is_empty() => {
                    let array = arrays[other % arrays.len()];
                    let index = arena.zero_extend(a, 64);
                    let stored = arena.store(array, index, known);
                    arrays.push(stored);
                    let place = arena.constant(64, u64::from(number % 3));
                    arena.read(stored, place)
                }
                _ => arena.not(a),
            });
        }
        all
    }

    proptest! {
        #[test]
        fn what_is_marked_stays_what_it_is_and_the_rest_can_be_made_again(
            steps in prop::collection::vec((0u8..8, any::<usize>(), any::<usize>(), any::<u8>()), 1..60),
            kept in any::<u64>(),
            bytes in any::<[u8; 3]>(),
        ) {
            let mut arena = Arena::new(RenameInputs(true));
            let array = arena.input_array("text", 3);
            let inputs = arena.array(array).bytes.clone();
            let model = Model::new(inputs.iter().copied().zip(bytes));
            let all = made(&mut arena, &inputs, &steps);
            let value = |arena: &Arena, expr| Evaluator::new(arena, &model).value(expr);
            let before: Vec<_> = all.iter().map(|expr| value(&arena, *expr)).collect();
            let names: Vec<_> = all.iter().map(|expr| arena.name(*expr)).collect();
            let is_kept = |place: usize| kept >> (place % 64) & 1 == 1;
            let (count, taken) = (arena.len(), arena.bytes());
            let mut marks = arena.marks();
            (0..all.len()).filter(|place| is_kept(*place)).for_each(|place| marks.mark(all[place]));
            arena.collect(marks, true);
            assert!(arena.len() == count && arena.bytes() <= taken);
            for place in (0..all.len()).filter(|place| is_kept(*place)) {
                assert_eq!(value(&arena, all[place]), before[place]);
                assert_eq!(arena.name(all[place]), names[place]);
            }
            let again = made(&mut arena, &inputs, &steps);
            for (place, expr) in again.iter().enumerate() {
                assert!(*expr == all[place] || !is_kept(place));
                assert_eq!((&value(&arena, *expr), arena.name(*expr)), (&before[place], names[place]));
            }
            // All is there now, so nothing is made.
            let count = arena.len();
            assert_eq!((made(&mut arena, &inputs, &steps), arena.len()), (again, count));
        }
    }

    #[test]
    fn shared_things_are_entered_once_wherever_they_lie() {
        let shared: Vec<Rc<u8>> = (0..5_000).map(|_| Rc::new(7)).collect();
        let others = shared.clone();
        let mut marks = Arena::new(RenameInputs(true)).marks();
        assert!(shared.iter().all(|shared| marks.enters(shared)));
        assert!(!others.iter().any(|shared| marks.enters(shared)));
        let own = Rc::new(8);
        assert!(marks.enters(&own) && marks.enters(&own));
    }

    #[test]
    fn what_nobody_has_gives_its_memory_back() {
        let mut arena = Arena::new(RenameInputs(true));
        let array = arena.input_array("text", 1);
        let byte = arena.array(array).bytes[0];
        let byte = arena.input_byte(byte);
        let wide = arena.zero_extend(byte, 64);
        assert!(!arena.has_doubled() && !arena.has_grown());
        for number in 1..200_000_u64 {
            let number = arena.constant(64, 3 * number);
            arena.binary(BinaryOp::Add, number, wide);
        }
        assert!(arena.has_doubled() && arena.has_grown());
        let before = arena.bytes();
        let mut marks = arena.marks();
        marks.mark(wide);
        arena.collect(marks, false);
        assert!(!arena.has_doubled() && !arena.has_grown());
        // The first piece has one that stays, the last one grows.
        assert!(arena.bytes() * 30 < before, "{} of {before}", arena.bytes());
        assert_eq!(arena.zero_extend(byte, 64), wide);
    }
}
