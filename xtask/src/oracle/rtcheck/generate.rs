//! Random cases: terms that nearly satisfy their types, and goals that do and undo.

use super::super::random::Random;
use super::program::{Case, Element, Shape, Step, Term, VARIABLES};

/// How many steps that try several ways a goal may hold: its solutions multiply with each.
const BRANCHES: usize = 5;

/// A random case.
pub(super) fn case(random: &mut Random) -> Case {
    let mut types = Vec::new();
    for kind in 0..random.from(1..=3) {
        types.push(shape(random, kind));
    }
    let mut generator = Generator { random, types, branches: BRANCHES, kinds: [None; VARIABLES] };
    let mut goal = Vec::new();
    // A few variables are bound at once, so that there is something to check.
    for variable in 1..VARIABLES {
        if generator.random.chance(1, 2) {
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
    /// The type that each variable was last bound to a term of, on whatever branch.
    kinds: [Option<usize>; VARIABLES],
}

impl Generator<'_> {
    fn steps(&mut self, length: usize, depth: usize) -> Vec<Step> {
        (0..length).map(|_| self.step(depth)).collect()
    }

    fn step(&mut self, depth: usize) -> Step {
        let deep = usize::from(depth < 3);
        let branch = deep * usize::from(self.branches > 0);
        let weights = [
            6,
            16,
            4,
            3,
            1,
            1,
            2,
            3 * branch,
            3 * branch,
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
                Step::SetArgument { position: 1, variable, value }
            }
            3 => Step::Show(variable),
            4 => Step::Litter,
            5 => Step::Collect,
            6 => self.bind(variable),
            7 => {
                self.branches -= 1;
                let variable = self.free_variable();
                let kind = self.random.below(self.types.len());
                self.kinds[variable] = Some(kind);
                let count = self.random.from(2..=3);
                Step::Choose(variable, (0..count).map(|_| self.typed(Element::Type(kind), 2)).collect())
            }
            8 => {
                self.branches -= 1;
                Step::Either(self.inner(depth), self.inner(depth))
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

    /// A call of a checked predicate, mostly with a type that the variable was made for. A violation
    /// ends what it is in, so it is mostly caught at once.
    fn question(&mut self) -> Step {
        let variable = self.random.below(VARIABLES);
        let any = self.random.below(self.types.len());
        let kind = match self.kinds[variable] {
            Some(kind) if self.random.chance(3, 4) => kind,
            _ => any,
        };
        let step = match self.random.weighted(&[4, 3, 3]) {
            0 => Step::Check { kind, variable },
            1 => Step::Walk { kind, variable },
            _ => {
                let after = if self.random.chance(2, 3) { kind } else { any };
                let to = self.free_variable();
                self.kinds[to] = Some(after);
                Step::Convert { before: kind, after, from: variable, to }
            }
        };
        if self.random.chance(3, 4) { Step::Catch(vec![step]) } else { step }
    }

    /// A variable that is probably not bound yet.
    fn free_variable(&mut self) -> usize {
        let free: Vec<usize> = (0..VARIABLES).filter(|variable| self.kinds[*variable].is_none()).collect();
        if free.is_empty() { self.random.below(VARIABLES) } else { self.random.one(&free) }
    }

    fn inner(&mut self, depth: usize) -> Vec<Step> {
        let length = self.random.from(1..=4);
        self.steps(length, depth + 1)
    }

    fn bind(&mut self, variable: usize) -> Step {
        let kind = self.random.below(self.types.len());
        self.kinds[variable] = Some(kind);
        let value = self.typed(Element::Type(kind), 4);
        Step::Unify(variable, value)
    }

    /// A term that satisfies a type but for what chance puts into it: a variable, or something else.
    fn typed(&mut self, element: Element, depth: usize) -> Term {
        match self.random.weighted(&[12, 2, 1]) {
            0 => {}
            1 => return Term::Variable(self.random.below(VARIABLES)),
            _ if depth < 4 => return Term::Compound("bad", Vec::new()),
            _ => {}
        }
        let shape = match element {
            Element::Integer => return Term::Integer(self.random.below(10)),
            Element::Atom => return Term::Compound(self.random.one(&["a", "b", "leaf"]), Vec::new()),
            Element::Type(kind) => self.types.get(kind).copied().unwrap_or(Shape::Chain),
        };
        let ends = depth == 0 || self.random.chance(1, 4);
        let less = depth.saturating_sub(1);
        match shape {
            Shape::List(_) if ends => Term::Compound("[]", Vec::new()),
            Shape::Tree(_) if ends => Term::Compound("leaf", Vec::new()),
            Shape::Chain if ends => Term::Compound("z", Vec::new()),
            Shape::Option(_) if ends => Term::Compound("none", Vec::new()),
            Shape::List(of) => Term::Compound("[|]", vec![self.typed(of, less), self.typed(element, less)]),
            Shape::Tree(of) => {
                let parts = vec![self.typed(element, less), self.typed(of, less), self.typed(element, less)];
                Term::Compound("node", parts)
            }
            Shape::Chain => Term::Compound("s", vec![self.typed(element, less)]),
            Shape::Option(of) => Term::Compound("some", vec![self.typed(of, less)]),
            Shape::Pair(one, other) => {
                Term::Compound("pair", vec![self.typed(one, less), self.typed(other, less)])
            }
        }
    }

    /// A small term without variables: `setarg` must not tie a knot.
    fn ground(&mut self) -> Term {
        match self.random.below(4) {
            0 => Term::Integer(self.random.below(10)),
            1 => Term::Compound("[]", Vec::new()),
            2 => Term::Compound("leaf", Vec::new()),
            _ => Term::Compound("s", vec![Term::Compound("z", Vec::new())]),
        }
    }
}
