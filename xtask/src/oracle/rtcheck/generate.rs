//! Random cases: terms that nearly satisfy their types, and goals that do and undo.
//!
//! Each variable is meant for one type and mostly gets a term of it. Terms mention other variables where
//! their types fit, bound or not, so that a check may hold on one branch and not on the next.

use super::super::random::Random;
use super::program::{Case, Element, Shape, Step, Term, VARIABLES};

/// How many steps that try several ways a goal may hold: its solutions multiply with each.
const BRANCHES: usize = 4;

/// A random case.
pub(super) fn case(random: &mut Random) -> Case {
    let mut types = Vec::new();
    for kind in 0..random.from(1..=3) {
        types.push(shape(random, kind));
    }
    let meant = std::array::from_fn(|variable| match variable {
        0 => Element::Integer,
        1 => Element::Type(0),
        _ => Element::Type(random.below(types.len())),
    });
    let mut generator = Generator { random, types, branches: BRANCHES, meant, bound: [false; VARIABLES] };
    let mut goal = Vec::new();
    // A few variables are bound at once, so that there is something to check.
    for variable in 2..VARIABLES {
        if generator.random.chance(2, 3) {
            goal.push(generator.bind(variable));
        }
    }
    let length = generator.random.from(4..=14);
    goal.extend(generator.steps(length, 0));
    Case { types: generator.types, goal }
}

fn shape(random: &mut Random, earlier: usize) -> Shape {
    let one = element(random, earlier);
    match random.weighted(&[4, 4, 2, 2, 1]) {
        0 => Shape::List(one),
        1 => Shape::Tree(one),
        2 => Shape::Chain,
        3 => Shape::Pair(one, element(random, earlier)),
        _ => Shape::Option(one),
    }
}

fn element(random: &mut Random, earlier: usize) -> Element {
    if earlier > 0 && random.chance(1, 2) {
        Element::Type(random.below(earlier))
    } else if random.chance(3, 4) {
        Element::Integer
    } else {
        Element::Atom
    }
}

struct Generator<'r> {
    random: &'r mut Random,
    types: Vec<Shape>,
    /// How many more steps may try several ways.
    branches: usize,
    /// What each variable is meant for.
    meant: [Element; VARIABLES],
    /// Which variables a step written so far binds, on whatever branch.
    bound: [bool; VARIABLES],
}

impl Generator<'_> {
    fn steps(&mut self, length: usize, depth: usize) -> Vec<Step> {
        (0..length).map(|_| self.step(depth)).collect()
    }

    fn step(&mut self, depth: usize) -> Step {
        let deep = usize::from(depth < 3);
        let branch = deep * usize::from(self.branches > 0);
        let weights = [
            5,
            16,
            2,
            2,
            1,
            1,
            3 * branch,
            3 * branch,
            4 * branch,
            2 * deep,
            2 * deep,
            2 * deep,
            deep,
            usize::from(depth > 0),
        ];
        let variable = self.random.below(VARIABLES);
        match self.random.weighted(&weights) {
            0 => {
                let variable = self.free_variable();
                self.bind(variable)
            }
            1 => self.question(),
            2 => {
                let value = self.ground();
                Step::SetArgument { position: self.random.from(1..=2), variable, value }
            }
            3 => Step::Show(variable),
            4 => Step::Litter,
            5 => Step::Collect,
            6 => {
                self.branches -= 1;
                let variable = self.free_variable();
                let count = self.random.from(2..=3);
                let meant = self.meant[variable];
                Step::Choose(variable, (0..count).map(|_| self.typed(meant, 2, variable)).collect())
            }
            7 => {
                self.branches -= 1;
                Step::Either(self.inner(depth), self.inner(depth))
            }
            8 => {
                self.branches -= 1;
                self.undone()
            }
            9 => Step::IfThenElse(self.inner(depth), self.inner(depth), self.inner(depth)),
            10 => Step::Not(self.inner(depth)),
            11 => Step::Catch(self.inner(depth)),
            12 => Step::FindAll(variable, self.inner(depth)),
            _ => {
                if self.random.chance(1, 3) {
                    Step::Cut
                } else {
                    Step::Fail
                }
            }
        }
    }

    fn inner(&mut self, depth: usize) -> Vec<Step> {
        let length = self.random.from(1..=4);
        self.steps(length, depth + 1)
    }

    /// Binds, asks and undoes: by failure, or by a negation.
    fn undone(&mut self) -> Step {
        let bound = self.bound;
        let mut steps = vec![];
        for _ in 0..self.random.from(1..=2) {
            let variable = self.free_variable();
            steps.push(self.bind(variable));
        }
        for _ in 0..self.random.from(1..=3) {
            steps.push(self.question());
        }
        self.bound = bound;
        if self.random.chance(1, 2) {
            steps.push(Step::Fail);
            Step::Either(steps, vec![self.question()])
        } else {
            Step::Not(vec![Step::Not(steps)])
        }
    }

    /// A call of a checked predicate, mostly with what the variable is meant for. A violation ends what
    /// it is in, so it is mostly caught at once.
    fn question(&mut self) -> Step {
        let variable = self.random.from(1..=VARIABLES - 1);
        let any = self.random.below(self.types.len());
        let kind = match self.meant[variable] {
            Element::Type(kind) if self.random.chance(5, 6) => kind,
            _ => any,
        };
        let step = match self.random.weighted(&[5, 4, 2]) {
            0 => Step::Check { kind, variable },
            1 => Step::Walk { kind, variable },
            _ => {
                let after = if self.random.chance(2, 3) { kind } else { any };
                let to = self.free_variable();
                self.bound[to] = true;
                Step::Convert { before: kind, after, from: variable, to }
            }
        };
        if self.random.chance(3, 4) { Step::Catch(vec![step]) } else { step }
    }

    /// A variable that is probably not bound yet.
    fn free_variable(&mut self) -> usize {
        let free: Vec<usize> = (0..VARIABLES).filter(|variable| !self.bound[*variable]).collect();
        if free.is_empty() { self.random.below(VARIABLES) } else { self.random.one(&free) }
    }

    fn bind(&mut self, variable: usize) -> Step {
        self.bound[variable] = true;
        let value = self.typed(self.meant[variable], 4, variable);
        Step::Unify(variable, value)
    }

    /// A term that satisfies a type but for what chance puts into it: a variable, or something else.
    /// `of` is the variable that it is for, and in which it must not occur.
    fn typed(&mut self, element: Element, depth: usize, of: usize) -> Term {
        if self.random.chance(1, 6) {
            let fits = |other: &usize| *other != of && self.meant[*other] == element;
            let fitting: Vec<usize> = (0..VARIABLES).filter(fits).collect();
            if !fitting.is_empty() {
                return Term::Variable(self.random.one(&fitting));
            }
        }
        if depth < 4 && self.random.chance(1, 30) {
            return Term::Compound("bad", Vec::new());
        }
        let shape = match element {
            Element::Integer => return Term::Integer(self.random.below(10)),
            Element::Atom => return Term::Compound(self.random.one(&["a", "b", "leaf"]), Vec::new()),
            Element::Type(kind) => self.types.get(kind).copied().unwrap_or(Shape::Chain),
        };
        let ends = depth == 0 || self.random.chance(1, 4);
        let less = depth.saturating_sub(1);
        let mut part = |element| self.typed(element, less, of);
        match shape {
            Shape::List(_) if ends => Term::Compound("[]", Vec::new()),
            Shape::Tree(_) if ends => Term::Compound("leaf", Vec::new()),
            Shape::Chain if ends => Term::Compound("z", Vec::new()),
            Shape::Option(_) if ends => Term::Compound("none", Vec::new()),
            Shape::List(one) => Term::Compound("[|]", vec![part(one), part(element)]),
            Shape::Tree(one) => Term::Compound("node", vec![part(element), part(one), part(element)]),
            Shape::Chain => Term::Compound("s", vec![part(element)]),
            Shape::Option(one) => Term::Compound("some", vec![part(one)]),
            Shape::Pair(one, other) => Term::Compound("pair", vec![part(one), part(other)]),
        }
    }

    /// A small term without variables: `setarg` must not tie a knot.
    fn ground(&mut self) -> Term {
        match self.random.below(5) {
            0 | 1 => Term::Integer(self.random.below(10)),
            2 => Term::Compound("[]", Vec::new()),
            3 => Term::Compound("leaf", Vec::new()),
            _ => Term::Compound("s", vec![Term::Compound("z", Vec::new())]),
        }
    }
}
