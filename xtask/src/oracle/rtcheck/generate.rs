//! Random cases: terms that nearly satisfy their types, and goals that do and undo.
//!
//! Each variable is meant for one type and mostly gets a term of it. Terms mention other variables where
//! their types fit, bound or not, so that a check may hold on one branch and not on the next.

use super::super::random::Random;
use super::program::{Case, Place, Question, Step, VARIABLES};
use super::relay;
use super::setting::Setting;
use super::term::{Element, Shape, Term};

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
    let relays = relay::relays(random, &types);
    let heads = relays.iter().map(|relay| relay.before).collect();
    let handing: Vec<usize> = (0..relays.len()).filter(|&number| relays[number].hands_on()).collect();
    let mut generator =
        Generator { heads, random, types, branches: BRANCHES, meant, bound: [false; VARIABLES] };
    let mut goal = Vec::new();
    if !handing.is_empty() && generator.random.chance(1, 2) {
        let number = generator.random.one(&handing);
        goal.push(generator.tried(number));
    }
    // A few variables are bound at once, so that there is something to check.
    for variable in 2..VARIABLES {
        if generator.random.chance(2, 3) {
            goal.push(generator.bind(variable));
        }
    }
    let length = generator.random.from(4..=14);
    goal.extend(generator.steps(length, 0));
    let drawn = Setting::draw(generator.random);
    Case { types: generator.types, goal, relays, drawn }
}

fn shape(random: &mut Random, earlier: usize) -> Shape {
    let one = element(random, earlier);
    match random.weighted(&[4, 4, 2, 2, 1, 2, 2, 2]) {
        0 => Shape::List(one),
        1 => Shape::Tree(one),
        2 => Shape::Chain,
        3 => Shape::Pair(one, element(random, earlier)),
        4 => Shape::Option(one),
        5 => Shape::Rose(one),
        6 => Shape::Sequence(one),
        _ => Shape::Library(one),
    }
}

fn element(random: &mut Random, earlier: usize) -> Element {
    if earlier > 0 && random.chance(1, 2) {
        Element::Type(random.below(earlier))
    } else {
        random.one(&[
            Element::Integer,
            Element::Integer,
            Element::Integer,
            Element::Atom,
            Element::Text,
            Element::Ground,
            Element::Any,
        ])
    }
}

struct Generator<'r> {
    random: &'r mut Random,
    types: Vec<Shape>,
    /// What the relays want for their first argument.
    heads: Vec<Option<Element>>,
    /// How many more steps may try several ways.
    branches: usize,
    /// What each variable is meant for.
    meant: [Element; VARIABLES],
    /// Which variables a step written so far binds, on whatever branch.
    bound: [bool; VARIABLES],
}

/// Makes a step, given how deep it stands and a variable.
type Make<'r> = fn(&mut Generator<'r>, usize, usize) -> Step;

impl<'r> Generator<'r> {
    fn steps(&mut self, length: usize, depth: usize) -> Vec<Step> {
        (0..length).map(|_| self.step(depth)).collect()
    }

    fn step(&mut self, depth: usize) -> Step {
        let deep = usize::from(depth < 3);
        let branch = deep * usize::from(self.branches > 0);
        let variable = self.random.below(VARIABLES);
        let kinds: [(usize, Make<'r>); 22] = [
            (5, |own, _, _| {
                let variable = own.free_variable();
                own.bind(variable)
            }),
            (18, |own, _, _| own.question()),
            (2, |own, _, variable| own.change(variable)),
            (2, |_, _, variable| Step::Show(variable)),
            (1, |_, _, _| Step::Litter),
            (1, |_, _, _| Step::Collect),
            (1, |own, _, from| Step::CopyTerm { from, to: own.free_variable() }),
            (1, |own, _, variable| Step::Keep(own.place(), variable)),
            (1, |own, _, _| {
                let variable = own.free_variable();
                own.bound[variable] = true;
                Step::Recall(own.place(), variable)
            }),
            (2, |own, _, from| own.grow(from)),
            (3 * branch, |own, _, _| {
                own.branches -= 1;
                let variable = own.free_variable();
                let count = own.random.from(2..=3);
                let meant = own.meant[variable];
                Step::Choose(variable, (0..count).map(|_| own.typed(meant, 2, variable)).collect())
            }),
            (3 * branch, |own, depth, _| {
                own.branches -= 1;
                Step::Either(own.inner(depth), own.inner(depth))
            }),
            (4 * branch, |own, _, _| {
                own.branches -= 1;
                own.undone()
            }),
            (2 * deep, |own, depth, _| {
                Step::IfThenElse(own.inner(depth), own.inner(depth), own.inner(depth))
            }),
            (deep, |own, depth, _| {
                Step::SoftIfThenElse(own.inner(depth), own.inner(depth), own.inner(depth))
            }),
            (2 * deep, |own, depth, _| Step::Not(own.inner(depth))),
            (deep, |own, depth, _| Step::ForAll(own.inner(depth), own.inner(depth))),
            (deep, |own, depth, _| Step::Once(own.inner(depth))),
            (2 * deep, |own, depth, _| Step::Catch(own.inner(depth))),
            (deep, |own, depth, variable| Step::FindAll(variable, own.inner(depth))),
            // What ends a goal stands inside another one mostly.
            (
                usize::from(depth > 0),
                |own, _, _| if own.random.chance(1, 3) { Step::Cut } else { Step::Fail },
            ),
            (usize::from(depth > 1), |_, _, variable| Step::Throw(variable)),
        ];
        let chosen = self.random.weighted(&kinds.map(|(weight, _)| weight));
        kinds[chosen].1(self, depth, variable)
    }

    /// Changes an argument, mostly between two questions about the term.
    fn change(&mut self, variable: usize) -> Step {
        let value = self.ground();
        let change = Step::SetArgument { position: self.random.from(1..=3), variable, value };
        match self.meant[variable] {
            Element::Type(kind) if self.random.chance(3, 4) => {
                let ask = |question| Step::Catch(vec![Step::Ask(question)]);
                let after = if self.random.chance(1, 2) {
                    Question::Check { kind, variable }
                } else {
                    Question::Walk { kind, variable }
                };
                Step::Once(vec![ask(Question::Check { kind, variable }), change, ask(after)])
            }
            _ => change,
        }
    }

    fn place(&mut self) -> Place {
        self.random.one(&[Place::Database, Place::Global, Place::LastingGlobal])
    }

    /// All answers of a relay to a small term of what it wants, while nothing is bound; nothing is bound behind it.
    fn tried(&mut self, number: usize) -> Step {
        let (from, to) = (2, 3);
        let mut steps = Vec::new();
        if let Some(before) = self.heads[number] {
            steps.push(Step::Unify(from, self.typed(before, 0, from)));
        }
        steps.extend([Step::Ask(Question::Relay { number, from, to }), Step::Show(to), Step::Fail]);
        Step::Not(vec![Step::Catch(steps)])
    }

    /// A deep term around a variable's value.
    fn grow(&mut self, from: usize) -> Step {
        let any = self.random.below(self.types.len());
        let kind = if let Element::Type(kind) = self.meant[from] { kind } else { any };
        let to = self.free_variable();
        self.bound[to] = true;
        Step::Grow { kind, levels: self.random.one(&[2, 5, 12, 40]), from, to }
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
        let question = match self.random.weighted(&[5, 4, 1, 3, 2, 1, 2, 10]) {
            0 => Question::Check { kind, variable },
            1 => Question::Walk { kind, variable },
            2 => Question::OneOf { kind: any, other: kind, variable },
            3 => Question::Rebuild { kind, from: variable, to: self.newly_bound() },
            4 => {
                let after = if self.random.chance(2, 3) { kind } else { any };
                Question::Convert { before: kind, after, from: variable, to: self.newly_bound() }
            }
            5 => Question::Make { kind, to: self.newly_bound() },
            6 => Question::Churn { kind, levels: self.random.from(1..=6), variable },
            _ => {
                let number = self.random.below(self.heads.len());
                let fits = |&other: &usize| self.heads[number] == Some(self.meant[other]);
                let fitting: Vec<usize> = (0..VARIABLES).filter(fits).collect();
                let from = if fitting.is_empty() { variable } else { self.random.one(&fitting) };
                Question::Relay { number, from, to: self.newly_bound() }
            }
        };
        let step = Step::Ask(question);
        if self.random.chance(3, 4) { Step::Catch(vec![step]) } else { step }
    }

    fn newly_bound(&mut self) -> usize {
        let variable = self.free_variable();
        self.bound[variable] = true;
        variable
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
            Element::Atom | Element::Text => {
                // Mostly of the type, else the other with the same text.
                let strings = (element == Element::Text) != self.random.chance(1, 10);
                let texts = if strings { ["\"a\"", "\"b\"", "\"leaf\""] } else { ["a", "b", "leaf"] };
                return Term::Compound(self.random.one(&texts), Vec::new());
            }
            Element::Ground | Element::Any => return self.ground(),
            Element::Type(kind) => self.types.get(kind).copied().unwrap_or(Shape::Chain),
        };
        let ends = depth == 0 || self.random.chance(1, 4);
        let less = depth.saturating_sub(1);
        let mut part = |element| self.typed(element, less, of);
        match shape {
            Shape::List(_) | Shape::Library(_) if ends => Term::Compound("[]", Vec::new()),
            Shape::Tree(_) if ends => Term::Compound("leaf", Vec::new()),
            Shape::Chain if ends => Term::Compound("z", Vec::new()),
            Shape::Sequence(_) if ends => Term::Compound("nil", Vec::new()),
            Shape::Option(_) if ends => Term::Compound("none", Vec::new()),
            Shape::List(one) | Shape::Library(one) => Term::Compound("[|]", vec![part(one), part(element)]),
            Shape::Tree(one) => Term::Compound("node", vec![part(element), part(one), part(element)]),
            Shape::Chain => Term::Compound("s", vec![part(element)]),
            Shape::Sequence(one) => Term::Compound("cons", vec![part(one), part(element)]),
            Shape::Rose(one) => {
                let first = part(one);
                let mut children = Term::Compound("[]", Vec::new());
                for _ in 0..if ends { 0 } else { self.random.from(1..=2) } {
                    let child = self.typed(element, less.saturating_sub(1), of);
                    children = Term::Compound("[|]", vec![child, children]);
                }
                Term::Compound("rose", vec![first, children])
            }
            Shape::Option(one) => Term::Compound("some", vec![part(one)]),
            Shape::Pair(one, other) => Term::Compound("pair", vec![part(one), part(other)]),
        }
    }

    /// A small term without variables: `setarg` must not tie a knot.
    fn ground(&mut self) -> Term {
        match self.random.below(6) {
            0 | 1 => Term::Integer(self.random.below(10)),
            5 => Term::Compound("\"leaf\"", Vec::new()),
            2 => Term::Compound("[]", Vec::new()),
            3 => Term::Compound("leaf", Vec::new()),
            _ => Term::Compound("s", vec![Term::Compound("z", Vec::new())]),
        }
    }
}
