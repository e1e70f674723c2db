//! A path that is being followed.

pub(super) mod packed;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

use rpds::{RedBlackTreeMap, RedBlackTreeSet};

use crate::exec::access::pointers::{Targets, Wanted, Whereabouts};
use crate::exec::decisions::trail::Trail;
use crate::expr::{ArrayId, ExprId, Model};
use crate::memory::{Memory, ObjectId, Value};
use crate::module::{Copied, FunctionId, LocationId};
use packed::Packed;

/// An activation of a function.
#[derive(Clone, Debug)]
pub struct Frame {
    /// Which function.
    pub function: FunctionId,
    /// The instruction that is executed, by position in the code.
    pub position: u32,
    /// Where that instruction came from.
    pub location: LocationId,
    /// The registers.
    pub registers: Vec<Value>,
    /// Local variables, the oldest first.
    pub locals: Vec<ObjectId>,
    /// Where its arguments beyond the fixed ones lie, once it has asked for them. They are there until it ends.
    pub areas: Vec<ObjectId>,
    /// Arguments beyond the fixed ones.
    pub variadic: Vec<Variadic>,
    /// Whether a call made it, and not the start of the program.
    pub called: bool,
    /// The registers of a state that waits, which then are not above.
    pub(super) packed: Option<Packed>,
}

impl Frame {
    /// An activation at the start of a function with so many registers, of which the first hold its arguments.
    pub(super) fn entering(function: FunctionId, registers: usize, arguments: Vec<Value>) -> Self {
        let mut values = arguments;
        values.resize(registers, Value::Bits(0));
        Self {
            function,
            position: 0,
            location: LocationId(0),
            registers: values,
            locals: Vec::new(),
            areas: Vec::new(),
            variadic: Vec::new(),
            called: false,
            packed: None,
        }
    }

    /// The same, with its registers in few bytes.
    fn small(&self) -> Self {
        let Self { function, position, location, called, .. } = *self;
        let (locals, areas, variadic) = (self.locals.clone(), self.areas.clone(), self.variadic.clone());
        let packed = Some(Packed::new(&self.registers));
        Self { function, position, location, registers: Vec::new(), locals, areas, variadic, called, packed }
    }

    /// Its objects end with it.
    pub(super) fn leave(&self, memory: &mut Memory) {
        memory.leave(&self.locals);
        memory.leave(&self.areas);
    }
}

/// An argument beyond the fixed ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variadic {
    /// The value; a pointer to the callee's copy if it is passed in memory.
    pub value: Value,
    /// Its width.
    pub width: u32,
    /// What lies there if it is passed in memory.
    pub copied: Option<Copied>,
    /// The class of registers that it is passed in, and how many of them.
    pub registers: Option<(usize, u32)>,
}

/// An input that the program asked for.
#[derive(Clone, Debug)]
pub struct SymbolicObject {
    /// Its name, made unique on the path.
    pub name: String,
    /// Its bytes.
    pub array: ArrayId,
    /// Which bytes are known, if some are: those that are no question marks here.
    pub shape: Option<Rc<[u8]>>,
    /// How many of the bytes it has, if that is unknown.
    pub length: Option<ExprId>,
}

/// Where a jump goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Landing {
    /// The stack on which it is.
    pub(super) stack: u64,
    /// How many activations there were; none if the first one of its stack is to begin.
    pub(super) depth: usize,
    pub(super) function: FunctionId,
    /// The place of the call in its function.
    pub(super) position: u32,
    /// The blocked signals that come back with the jump, of `sigsetjmp`.
    pub(super) blocked: Option<Value>,
    /// How many local variables its activation had.
    pub(super) locals: usize,
}

/// What tells landings from each other that change no signals: stack, activations, function, place, and local variables.
pub(super) type LandingPlace = (u64, usize, FunctionId, u32, usize);

impl Landing {
    /// Its place, if it changes no signals.
    pub(super) fn place(&self) -> Option<LandingPlace> {
        let Self { stack, depth, function, position, blocked, locals } = *self;
        blocked.is_none().then_some((stack, depth, function, position, locals))
    }
}

/// A stack of activations.
#[derive(Clone, Debug)]
pub struct Stack {
    /// What it was left with, outermost first; nothing while it runs.
    pub(super) frames: Vec<Rc<Frame>>,
    /// The activation that it begins with, and the memory that the program gave for it; nothing for the stack that the
    /// program starts with.
    pub(super) made: Option<(Rc<Frame>, (ObjectId, u64))>,
}

/// A meeting that a state belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Belongs {
    /// Which one.
    pub(super) meeting: u64,
    /// How many choices there were before.
    pub(super) depth: u64,
}

/// A seed that a state follows.
#[derive(Clone, Debug)]
pub struct Followed {
    /// Which one.
    pub(super) seed: usize,
    /// Which of its inputs were given out.
    pub(super) used: Rc<[bool]>,
    /// What it says of the inputs that the path has made.
    pub(super) values: Rc<Model>,
}

/// A path that is being followed. Cloning shares everything that is large.
#[derive(Clone, Debug)]
pub struct State {
    /// Its number, in the order in which states were made.
    pub id: u64,
    /// Activations, outermost first; never empty while the state runs.
    pub frames: Vec<Rc<Frame>>,
    /// Its memory.
    pub memory: Memory,
    /// What was chosen so far, oldest first.
    pub constraints: Rc<Vec<ExprId>>,
    /// Comparisons of numbers that hold since those of their digits do, which are among the constraints.
    pub(super) facts: Rc<Vec<ExprId>>,
    /// What was chosen, as a set.
    pub assumed: RedBlackTreeSet<ExprId>,
    /// Inputs, oldest first.
    pub inputs: Rc<Vec<SymbolicObject>>,
    /// What tests of this path should fulfil if they can, oldest first.
    pub preferences: Rc<Vec<ExprId>>,
    /// How often each name of an input was asked for.
    pub names: Rc<BTreeMap<String, u32>>,
    /// What pointers may point to that were not resolved to one object, by their bases. What was found
    /// impossible stays so, since a path only learns more. The number says which was the first to be asked for.
    pub targets: RedBlackTreeMap<ExprId, (usize, Rc<Targets>)>,
    /// The objects that unknown pointers may point into, by what is wanted of them.
    pub(super) whereabouts: RedBlackTreeMap<(ExprId, Wanted), Rc<Whereabouts>>,
    /// Which value is followed of unknown sizes that are too large for an object of unknown size.
    pub(super) large_sizes: RedBlackTreeMap<ExprId, u64>,
    /// Where `longjmp` may go, by what `setjmp` left in buffers.
    pub(super) landings: RedBlackTreeMap<u64, Landing>,
    /// The numbers of landings that change no signals: what waits in a loop has one for all turns.
    pub(super) landing_numbers: RedBlackTreeMap<LandingPlace, u64>,
    /// The stack that runs; 0 is the one that the program starts with.
    pub(super) stack: u64,
    /// The stacks that there are, by their numbers, once there are several.
    pub(super) stacks: RedBlackTreeMap<u64, Rc<Stack>>,
    /// The stack whose memory begins at a place.
    pub(super) stack_places: RedBlackTreeMap<(ObjectId, u64), u64>,
    /// The functions that are called instead of others.
    pub(super) aliases: RedBlackTreeMap<FunctionId, FunctionId>,
    /// Where it may become one with others, outermost first.
    pub(super) meetings: Vec<Belongs>,
    /// How many choices were made.
    pub depth: u64,
    /// The sides that it took.
    pub trail: Trail,
    /// Whether the instruction at which it is was shown already.
    pub(super) shown: bool,
    /// Whether it has done nothing since its last choice, so that its trail is all of it.
    pub fresh: bool,
    /// Whether it was the first to execute something.
    pub new_coverage: bool,
    /// How many instructions it has executed since a turn in which it was the first to execute something, if there was
    /// one.
    pub since_new: Option<u64>,
    /// What the dearest question of its last turn cost, if states with such questions are put off.
    pub(super) dear: Option<u64>,
    /// Whether all bytes of its inputs are fixed, since another state's questions were dear.
    pub(super) is_example: bool,
    /// What the dearest questions of its turns cost, all together, since it last left an example.
    pub(super) spent: u64,
    /// How many known values it read, if some of them are doubted.
    pub(super) reads: u64,
    /// How many questions were asked about it, whoever answered them.
    pub questions: u64,
    /// The seeds that lead down its path, the oldest first.
    pub seeds: Rc<Vec<Followed>>,
    /// The test that it replays, by its number.
    pub replay: Option<usize>,
    /// Lines that it was the first to execute something of.
    pub new_lines: Rc<BTreeSet<LocationId>>,
    /// Which side each branch took, if that is recorded.
    pub branches: rpds::Vector<bool>,
    /// The same of those where both sides were possible.
    pub choices: rpds::Vector<bool>,
    /// Values that were chosen by a condition which the path decided, by their instructions.
    pub(super) selected: RedBlackTreeSet<(FunctionId, u32)>,
    /// Whether it becomes several states at choices with several sides.
    pub forks: bool,
    /// The object of each global variable.
    pub globals: Rc<Vec<ObjectId>>,
    /// The object of each function.
    pub functions: Rc<Vec<ObjectId>>,
    /// The object in which `errno` lies.
    pub errno: ObjectId,
}

/// So many activations, the innermost ones, are made small.
const MOST_PACKED: usize = 4;

/// An activation and its small form.
pub(super) type SmallForm = (Rc<Frame>, Rc<Frame>);

/// An activation with so few references has a part of the weight of whoever waits with it: those of the states that
/// share it, and the one of [`SmallForm`] where its small form is remembered.
const MOST_SHARED: usize = 5;

/// So many small forms are remembered: states that share an activation are made one after the other.
const MOST_RECENT: usize = 16;

impl State {
    /// Makes itself small, to wait. Where a few others share an activation, these share the small form too, if they are
    /// made small soon; what many share is no weight.
    pub(super) fn pack(&mut self, recent: &mut VecDeque<SmallForm>) {
        pack(&mut self.frames, recent);
        self.memory.rest();
    }

    /// Is as it was before [`Self::pack`].
    pub(super) fn unpack(&mut self) {
        unpack(&mut self.frames);
    }

    /// Whether registers are to be read only after [`Self::unpack`].
    pub(super) fn is_packed(&self) -> bool {
        self.frames.iter().any(|frame| frame.packed.is_some())
    }

    /// Ends the local variables that the innermost activation has got since it had so many.
    pub(super) fn end_locals(&mut self, count: usize) {
        let Some(frame) = self.frames.last_mut().filter(|frame| frame.locals.len() > count) else { return };
        let ended = Rc::make_mut(frame).locals.split_off(count);
        self.memory.leave(&ended);
    }

    /// Adds what is known from now on.
    pub fn assume(&mut self, truth: ExprId) {
        if !self.assumed.contains(&truth) {
            self.assumed.insert_mut(truth);
            Rc::make_mut(&mut self.constraints).push(truth);
        }
    }

    /// A name that no input has yet. One that was used before gets a number, as in KLEE.
    pub fn new_name(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        let mut next = self.names.get(name).copied().unwrap_or(0);
        while self.names.contains_key(&unique) {
            next += 1;
            unique = format!("{name}_{next}");
        }
        let names = Rc::make_mut(&mut self.names);
        names.insert(name.to_owned(), next);
        names.entry(unique.clone()).or_insert(0);
        unique
    }

    /// Where the innermost activation is.
    #[must_use]
    pub fn position(&self) -> (FunctionId, u32) {
        self.frames.last().map_or((FunctionId(0), 0), |frame| (frame.function, frame.position))
    }

    /// Functions and source positions, innermost first.
    #[must_use]
    pub fn stack(&self) -> Vec<(FunctionId, LocationId)> {
        self.frames.iter().rev().map(|frame| (frame.function, frame.location)).collect()
    }

    /// The innermost activation, to be changed.
    pub fn frame_mut(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut().map(Rc::make_mut)
    }
}

fn pack(frames: &mut [Rc<Frame>], recent: &mut VecDeque<SmallForm>) {
    for frame in frames.iter_mut().rev().take(MOST_PACKED) {
        if frame.packed.is_some() || Rc::strong_count(frame) > MOST_SHARED {
            continue;
        }
        if let Some(frame) = Rc::get_mut(frame) {
            frame.packed = Some(Packed::new(&std::mem::take(&mut frame.registers)));
        } else if let Some((_, small)) = recent.iter().find(|(large, _)| Rc::ptr_eq(large, frame)) {
            *frame = Rc::clone(small);
        } else {
            let small = Rc::new(frame.small());
            if recent.len() == MOST_RECENT {
                recent.pop_front();
            }
            recent.push_back((std::mem::replace(frame, Rc::clone(&small)), small));
        }
    }
}

fn unpack(frames: &mut [Rc<Frame>]) {
    for frame in frames.iter_mut().rev().take(MOST_PACKED) {
        if frame.packed.is_some() {
            let frame = Rc::make_mut(frame);
            frame.registers = frame.packed.take().map(|packed| packed.registers()).unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Activations with registers that tell them from each other.
    fn frames(count: u32) -> Vec<Rc<Frame>> {
        let frame = |number: u32| Frame {
            function: FunctionId(number),
            position: number,
            location: LocationId(0),
            registers: vec![Value::Bits(0), Value::Bits(1000 + u64::from(number)), Value::Bits(7)],
            locals: Vec::new(),
            areas: Vec::new(),
            variadic: Vec::new(),
            called: true,
            packed: None,
        };
        (0..count).map(|number| Rc::new(frame(number))).collect()
    }

    fn registers(frames: &[Rc<Frame>]) -> Vec<Vec<Value>> {
        frames.iter().map(|frame| frame.registers.clone()).collect()
    }

    fn are_packed(frames: &[Rc<Frame>]) -> Vec<bool> {
        frames.iter().map(|frame| frame.packed.is_some()).collect()
    }

    #[test]
    fn the_innermost_activations_are_packed_and_the_others_are_left() {
        let mut one = frames(6);
        let mut recent = VecDeque::new();
        pack(&mut one, &mut recent);
        assert_eq!(are_packed(&one), [false, false, true, true, true, true]);
        assert!(one[2..].iter().all(|frame| frame.registers.is_empty()) && recent.is_empty());
        unpack(&mut one);
        assert_eq!((are_packed(&one), registers(&one)), (vec![false; 6], registers(&frames(6))));
    }

    #[test]
    fn what_is_packed_twice_is_unpacked_once() {
        for shared in [false, true] {
            let mut one = frames(2);
            let other = shared.then(|| one.clone());
            let mut recent = VecDeque::new();
            pack(&mut one, &mut recent);
            pack(&mut one, &mut recent);
            unpack(&mut one);
            assert_eq!((are_packed(&one), registers(&one)), (vec![false; 2], registers(&frames(2))));
            unpack(&mut one);
            assert_eq!(registers(&one), registers(&frames(2)));
            assert!(other.is_none_or(|other| registers(&other) == registers(&frames(2))));
        }
    }

    #[test]
    fn states_that_share_an_activation_share_its_small_form() {
        for count in [2, 3] {
            let mut all = vec![frames(2); count];
            let mut recent = VecDeque::new();
            for one in &mut all {
                pack(one, &mut recent);
            }
            assert_eq!(recent.len(), 2);
            for one in &all {
                assert_eq!(are_packed(one), [true; 2]);
                assert!(Rc::ptr_eq(&one[1], &all[0][1]) && Rc::ptr_eq(&one[0], &all[0][0]));
            }
            // The others wait as they are while one goes on and changes what is its own.
            for place in 0..count {
                unpack(&mut all[place]);
                assert_eq!(registers(&all[place]), registers(&frames(2)));
                Rc::make_mut(&mut all[place][1]).registers[0] = Value::Bits(9);
                for other in &all[place + 1..] {
                    assert_eq!(are_packed(other), [true; 2]);
                }
            }
        }
    }

    #[test]
    fn what_was_packed_and_went_on_does_not_become_an_older_small_form() {
        let mut one = frames(1);
        let mut other = one.clone();
        let mut recent = VecDeque::new();
        pack(&mut one, &mut recent);
        unpack(&mut one);
        Rc::make_mut(&mut one[0]).registers[2] = Value::Bits(8);
        let mut third = one.clone();
        pack(&mut one, &mut recent);
        pack(&mut other, &mut recent);
        pack(&mut third, &mut recent);
        for (frames, last) in [(&mut one, 8), (&mut other, 7), (&mut third, 8)] {
            assert_eq!(are_packed(frames), [true]);
            unpack(frames);
            assert_eq!(frames[0].registers[2], Value::Bits(last));
        }
    }

    #[test]
    fn what_many_share_and_what_is_no_longer_remembered_stay_right() {
        let mut one = frames(1);
        let others = vec![one[0].clone(); MOST_SHARED];
        let mut recent = VecDeque::new();
        pack(&mut one, &mut recent);
        assert_eq!((are_packed(&one), recent.len()), (vec![false], 0));
        drop(others);
        let mut pairs: Vec<_> =
            (0..MOST_RECENT + 2).map(|_| frames(1)).map(|one| (one.clone(), one)).collect();
        for (one, _) in &mut pairs {
            pack(one, &mut recent);
        }
        assert_eq!(recent.len(), MOST_RECENT);
        for (one, other) in &mut pairs {
            pack(other, &mut recent);
            unpack(one);
            unpack(other);
            assert_eq!([registers(one), registers(other)], [registers(&frames(1)), registers(&frames(1))]);
        }
    }
}
