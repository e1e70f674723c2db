//! Snapshots: the dependency checksums of all entities of a program.

use std::collections::BTreeMap;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use serde::{Deserialize, Serialize};

use super::checksum::Checksum;
use crate::digest::Encoder;

/// A declaration, as the engine hands it in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entity {
    /// Its name, unique in the program.
    pub name: String,
    /// The checksum of its own content.
    pub checksum: Checksum,
    /// The names of the entities that it refers to; order and repetitions do not matter.
    pub depends_on: Vec<String>,
}

/// What to do about a reference to a name that no entity has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// It is an error.
    Error,
    /// The name is part of the checksum, marked as absent: the checksum changes when the name appears.
    Absent,
}

/// Why entities have no dependency checksums.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DepsError {
    /// Two entities have one name.
    #[error("two entities are named `{name}`: give each a name of its own")]
    Duplicate {
        /// The name.
        name: String,
    },
    /// A reference resolves to nothing.
    #[error("`{entity}` depends on `{name}`, which no entity is named: declare it or mark it as absent")]
    Unresolved {
        /// The entity that refers.
        entity: String,
        /// The name that it refers to.
        name: String,
    },
}

/// What a snapshot says of one entity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The checksum of the entity itself.
    pub entity: Checksum,
    /// The checksum of the entity and of all that it reaches.
    pub dependency: Checksum,
    /// The names that it refers to, sorted, each once.
    pub depends_on: Vec<String>,
}

/// All entities of one version of a program, with their dependency checksums.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    records: BTreeMap<String, Record>,
}

/// How digests of dependencies are combined: always in order, except where a fault is planted.
type Combine = fn(&[(&str, Option<Checksum>)], &mut Encoder);

impl Snapshot {
    /// Computes the dependency checksums of a program.
    ///
    /// # Errors
    /// Two entities with one name; a reference that resolves to nothing, unless it is to be marked.
    pub fn of(entities: Vec<Entity>, unresolved: Unresolved) -> Result<Self, DepsError> {
        Self::combined(entities, unresolved, in_order)
    }

    /// As [`Snapshot::of`], committing [`crate::plant::Fault::CancelDigests`]: the digests of dependencies
    /// are combined by exclusive or and without names, so equal ones cancel out and exchanges do not show.
    ///
    /// # Errors
    /// As [`Snapshot::of`].
    #[cfg(feature = "plant")]
    pub fn with_cancelling_digests(entities: Vec<Entity>, unresolved: Unresolved) -> Result<Self, DepsError> {
        Self::combined(entities, unresolved, cancelling)
    }

    fn combined(
        mut entities: Vec<Entity>,
        unresolved: Unresolved,
        combine: Combine,
    ) -> Result<Self, DepsError> {
        entities.sort_by(|a, b| a.name.cmp(&b.name));
        for entity in &mut entities {
            entity.depends_on.sort();
            entity.depends_on.dedup();
        }
        let graph = graph(&entities, unresolved)?;
        let mut dependencies: Vec<Option<Checksum>> = vec![None; entities.len()];
        let mut component_of = vec![usize::MAX; entities.len()];
        // Dependencies first: components come in reverse topological order. (Tarjan's algorithm, as the
        // library has it, recurses; this one does not.)
        for (number, mut component) in kosaraju_scc(&graph).into_iter().enumerate() {
            component.sort();
            for member in &component {
                component_of[member.index()] = number;
            }
            let checksum = component_checksum(&entities, &graph, &component, combine, |other| {
                (component_of[other] != number).then(|| dependencies[other]).flatten()
            });
            for member in component {
                let mut out = Encoder::new();
                out.text(&entities[member.index()].name);
                out.nested(checksum.digest);
                out.nested_confirm(checksum.confirm);
                dependencies[member.index()] = Some(Checksum::of_encoded(&out));
            }
        }
        let records = entities
            .into_iter()
            .zip(dependencies)
            .filter_map(|(entity, dependency)| {
                let Entity { name, checksum, depends_on } = entity;
                Some((name, Record { entity: checksum, dependency: dependency?, depends_on }))
            })
            .collect();
        Ok(Self { records })
    }

    /// What is known of an entity.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Record> {
        self.records.get(name)
    }

    /// All entities, by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Record)> {
        self.records.iter().map(|(name, record)| (name.as_str(), record))
    }

    /// How many entities there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether there are no entities.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }
}

/// The graph of references between entities, which are sorted by name: node numbers are their places.
fn graph(entities: &[Entity], unresolved: Unresolved) -> Result<DiGraph<(), ()>, DepsError> {
    if let Some(twins) = entities.windows(2).find(|pair| pair[0].name == pair[1].name) {
        return Err(DepsError::Duplicate { name: twins[0].name.clone() });
    }
    let references = entities.iter().map(|entity| entity.depends_on.len()).sum();
    let mut graph = DiGraph::with_capacity(entities.len(), references);
    for _ in entities {
        graph.add_node(());
    }
    for (place, entity) in entities.iter().enumerate() {
        for name in &entity.depends_on {
            match entities.binary_search_by(|other| other.name.cmp(name)) {
                Ok(other) => {
                    graph.add_edge(NodeIndex::new(place), NodeIndex::new(other), ());
                }
                Err(_) if unresolved == Unresolved::Absent => {}
                Err(_) => {
                    let (entity, name) = (entity.name.clone(), name.clone());
                    return Err(DepsError::Unresolved { entity, name });
                }
            }
        }
    }
    Ok(graph)
}

/// The checksum of a component, whose members are sorted. `outside` gives the dependency checksum of an
/// entity of another component.
fn component_checksum(
    entities: &[Entity],
    graph: &DiGraph<(), ()>,
    component: &[NodeIndex],
    combine: Combine,
    outside: impl Fn(usize) -> Option<Checksum>,
) -> Checksum {
    let mut out = Encoder::new();
    out.sequence(component.len());
    let mut reached: Vec<(&str, Option<Checksum>)> = Vec::new();
    for member in component {
        let Entity { name, checksum, depends_on } = &entities[member.index()];
        out.text(name);
        out.nested(checksum.digest);
        out.nested_confirm(checksum.confirm);
        // The references themselves, in case they moved while the content did not.
        out.sequence(depends_on.len());
        for name in depends_on {
            out.text(name);
        }
        let mut resolved: Vec<usize> = graph.neighbors(*member).map(NodeIndex::index).collect();
        resolved.sort_unstable();
        let mut resolved = resolved.into_iter().peekable();
        for name in depends_on {
            // Both are sorted by name, so one walk tells which references resolved.
            match resolved.next_if(|place| entities[*place].name == *name) {
                None => reached.push((name, None)),
                Some(place) => {
                    if let Some(checksum) = outside(place) {
                        reached.push((name, Some(checksum)));
                    }
                }
            }
        }
    }
    reached.sort();
    reached.dedup();
    combine(&reached, &mut out);
    Checksum::of_encoded(&out)
}

fn in_order(reached: &[(&str, Option<Checksum>)], out: &mut Encoder) {
    out.sequence(reached.len());
    for (name, checksum) in reached {
        out.text(name);
        match checksum {
            None => out.none(),
            Some(checksum) => {
                out.some();
                out.nested(checksum.digest);
                out.nested_confirm(checksum.confirm);
            }
        }
    }
}

#[cfg(feature = "plant")]
fn cancelling(reached: &[(&str, Option<Checksum>)], out: &mut Encoder) {
    let mut bytes = [0; 32];
    for (_, checksum) in reached {
        let Some(checksum) = checksum else { continue };
        for (byte, other) in bytes.iter_mut().zip(checksum.confirm.to_bytes()) {
            *byte ^= other;
        }
    }
    out.raw(&bytes);
}
