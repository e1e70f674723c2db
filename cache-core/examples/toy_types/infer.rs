//! The engine: types by unification.

use std::collections::BTreeMap;
use std::fmt;

use cache_core::cache::Answer;
use serde::{Deserialize, Serialize};

use super::program::Expression;

/// A node of a stored type. Nodes come after those that they are made of; the last one is the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum TypeNode {
    Number,
    /// A type variable, numbered by first occurrence.
    Any(u32),
    Function(u32, u32),
}

/// What the engine says of a definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Verdict {
    Typed(Vec<TypeNode>),
    Wrong(String),
}

impl Answer for Verdict {
    fn out_of_limits(&self) -> bool {
        false
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        self == fresh
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let nodes = match self {
            Self::Wrong(why) => return write!(f, "({why})"),
            Self::Typed(nodes) => nodes,
        };
        let mut texts: Vec<String> = Vec::new();
        for node in nodes {
            texts.push(match node {
                TypeNode::Number => "number".to_owned(),
                TypeNode::Any(number) => format!("t{number}"),
                TypeNode::Function(from, to) => match nodes[*from as usize] {
                    TypeNode::Function(..) => {
                        format!("({}) -> {}", texts[*from as usize], texts[*to as usize])
                    }
                    _ => format!("{} -> {}", texts[*from as usize], texts[*to as usize]),
                },
            });
        }
        f.write_str(texts.last().map_or("", String::as_str))
    }
}

/// Infers the type of a definition's body, given those of the definitions above it.
pub(crate) fn infer(body: &Expression, above: &BTreeMap<&str, Verdict>) -> Verdict {
    let mut types = Types::default();
    match types.infer(body, &mut Vec::new(), above) {
        Ok(root) => Verdict::Typed(types.numbered(root)),
        Err(why) => Verdict::Wrong(why),
    }
}

/// A type under construction, by its place in the arena.
type TypeId = u32;

#[derive(Clone, Copy, Debug)]
enum Known {
    Unknown,
    SameAs(TypeId),
    Number,
    Function(TypeId, TypeId),
}

#[derive(Default)]
struct Types {
    arena: Vec<Known>,
}

impl Types {
    fn add(&mut self, known: Known) -> TypeId {
        self.arena.push(known);
        u32::try_from(self.arena.len() - 1).unwrap_or(u32::MAX)
    }

    fn resolved(&self, mut id: TypeId) -> (TypeId, Known) {
        while let Known::SameAs(other) = self.arena[id as usize] {
            id = other;
        }
        (id, self.arena[id as usize])
    }

    fn infer<'a>(
        &mut self,
        expression: &'a Expression,
        bound: &mut Vec<(&'a str, TypeId)>,
        above: &BTreeMap<&str, Verdict>,
    ) -> Result<TypeId, String> {
        Ok(match expression {
            Expression::Number(_) => self.add(Known::Number),
            Expression::Name(name) => match bound.iter().rev().find(|(variable, _)| variable == name) {
                Some((_, id)) => *id,
                None => self.instance(name, above)?,
            },
            Expression::Function(parameter, body) => {
                let from = self.add(Known::Unknown);
                bound.push((*parameter, from));
                let to = self.infer(body, bound, above)?;
                bound.pop();
                self.add(Known::Function(from, to))
            }
            Expression::Call(function, argument) => {
                let function = self.infer(function, bound, above)?;
                let from = self.infer(argument, bound, above)?;
                let to = self.add(Known::Unknown);
                let expected = self.add(Known::Function(from, to));
                self.unify(function, expected)?;
                to
            }
        })
    }

    /// The type of a definition, with fresh type variables.
    fn instance(&mut self, name: &str, above: &BTreeMap<&str, Verdict>) -> Result<TypeId, String> {
        let plus = [TypeNode::Number, TypeNode::Function(0, 0), TypeNode::Function(0, 1)];
        let nodes = match above.get(name) {
            Some(Verdict::Typed(nodes)) => nodes.as_slice(),
            Some(Verdict::Wrong(_)) => return Err(format!("{name} has no type")),
            None if name == "plus" => &plus,
            None => return Err(format!("{name} is not defined")),
        };
        let mut variables: BTreeMap<u32, TypeId> = BTreeMap::new();
        let mut ids: Vec<TypeId> = Vec::new();
        for node in nodes {
            let id = match node {
                TypeNode::Number => self.add(Known::Number),
                TypeNode::Any(number) => {
                    *variables.entry(*number).or_insert_with(|| self.add(Known::Unknown))
                }
                TypeNode::Function(from, to) => {
                    let known = Known::Function(ids[*from as usize], ids[*to as usize]);
                    self.add(known)
                }
            };
            ids.push(id);
        }
        ids.last().copied().ok_or_else(|| format!("{name} has no type"))
    }

    fn unify(&mut self, left: TypeId, right: TypeId) -> Result<(), String> {
        let mut open = vec![(left, right)];
        while let Some((left, right)) = open.pop() {
            let ((left, left_known), (right, right_known)) = (self.resolved(left), self.resolved(right));
            if left == right {
                continue;
            }
            match (left_known, right_known) {
                (Known::Unknown, _) => self.assign(left, right)?,
                (_, Known::Unknown) => self.assign(right, left)?,
                (Known::Number, Known::Number) => {}
                (Known::Function(from, to), Known::Function(other_from, other_to)) => {
                    open.extend([(from, other_from), (to, other_to)]);
                }
                _ => return Err("a number is called".to_owned()),
            }
        }
        Ok(())
    }

    fn assign(&mut self, unknown: TypeId, id: TypeId) -> Result<(), String> {
        let mut open = vec![id];
        while let Some(part) = open.pop() {
            match self.resolved(part) {
                (part, _) if part == unknown => return Err("its type would contain itself".to_owned()),
                (_, Known::Function(from, to)) => open.extend([from, to]),
                _ => {}
            }
        }
        self.arena[unknown as usize] = Known::SameAs(id);
        Ok(())
    }

    /// The type as it is stored: complete, and with variables numbered by first occurrence.
    fn numbered(&self, root: TypeId) -> Vec<TypeNode> {
        let mut nodes = Vec::new();
        let mut variables = BTreeMap::new();
        // What is still to be done, the next on top; results of what is done.
        let mut open = vec![(root, false)];
        let mut done: Vec<u32> = Vec::new();
        while let Some((id, parts_done)) = open.pop() {
            let (id, known) = self.resolved(id);
            let node = match known {
                Known::Function(from, to) if !parts_done => {
                    open.extend([(id, true), (to, false), (from, false)]);
                    continue;
                }
                Known::Function(..) => {
                    let (to, from) = (done.pop().unwrap_or(0), done.pop().unwrap_or(0));
                    TypeNode::Function(from, to)
                }
                Known::Number => TypeNode::Number,
                Known::Unknown | Known::SameAs(_) => {
                    let next = u32::try_from(variables.len()).unwrap_or(u32::MAX);
                    TypeNode::Any(*variables.entry(id).or_insert(next))
                }
            };
            done.push(u32::try_from(nodes.len()).unwrap_or(u32::MAX));
            nodes.push(node);
        }
        nodes
    }
}
