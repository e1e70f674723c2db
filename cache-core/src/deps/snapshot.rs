//! Snapshots: the dependency checksums of all entities of a program.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::digest::Encoder;
use crate::key::Checksum;

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
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Snapshot {
    records: BTreeMap<String, Record>,
    /// The strongly connected components, what is referred to first; found when they are asked for, and kept until
    /// references change: contents do not matter to them.
    #[serde(skip)]
    components: OnceLock<Vec<Vec<String>>>,
    /// Who refers to each name, whether an entity has it or not; found at the first update.
    #[serde(skip)]
    referrers: Option<BTreeMap<String, BTreeSet<String>>>,
}

/// Snapshots are equal if their entities are; the rest follows from those.
impl PartialEq for Snapshot {
    fn eq(&self, other: &Self) -> bool {
        self.records == other.records
    }
}

impl Eq for Snapshot {}

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

    fn combined(entities: Vec<Entity>, unresolved: Unresolved, combine: Combine) -> Result<Self, DepsError> {
        let entities = sorted(entities)?;
        let nodes: Vec<Node<'_>> = entities.iter().map(Node::of).collect();
        if unresolved == Unresolved::Error {
            let places = places(&nodes);
            resolved(&entities, |name| places.contains_key(name))?;
        }
        let dependencies = dependencies(&nodes, |_| None, combine);
        let records = entities.into_iter().zip(dependencies).map(|(entity, dependency)| {
            let Entity { name, checksum, depends_on } = entity;
            (name, Record { entity: checksum, dependency, depends_on })
        });
        Ok(Self { records: records.collect(), ..Self::default() })
    }

    /// Makes this the snapshot of the program after an edit: `changed` entities are put in the place of those of their
    /// names or are new, `removed` ones are gone (what is in both is changed). The result is that of
    /// [`Snapshot::of`] for all entities, and costs what the edit moves: only entities that reach one that changed,
    /// appeared or went are digested. Returns how many those were. The first update also looks at all references
    /// once, without digesting anything; so does the next [`Snapshot::components`], where an entity came, went, or refers
    /// to others than before. After an edit of contents alone the components are those that were found.
    ///
    /// # Errors
    /// Two changed entities with one name; with [`Unresolved::Error`] a reference of a changed entity, or one to a
    /// removed entity, that resolves to nothing. The snapshot is as it was then.
    pub fn update(
        &mut self,
        changed: Vec<Entity>,
        removed: &[&str],
        unresolved: Unresolved,
    ) -> Result<usize, DepsError> {
        let changed = sorted(changed)?;
        let is_changed =
            |name: &str| changed.binary_search_by(|entity| entity.name.as_str().cmp(name)).is_ok();
        let removed: BTreeSet<&str> = removed
            .iter()
            .copied()
            .filter(|name| self.records.contains_key(*name) && !is_changed(name))
            .collect();
        let referrers = self.referrers.take().unwrap_or_else(|| self.all_referrers());
        if unresolved == Unresolved::Error {
            let is_there =
                |name: &str| is_changed(name) || (self.records.contains_key(name) && !removed.contains(name));
            let left = |name: &&&str| {
                let mut left = referrers.get(**name).into_iter().flatten();
                left.find(|referrer| !removed.contains(referrer.as_str()) && !is_changed(referrer)).cloned()
            };
            let missed = removed.iter().find_map(|name| Some((left(&name)?, (*name).to_owned())));
            let checked = resolved(&changed, is_there).and(match missed {
                None => Ok(()),
                Some((entity, name)) => Err(DepsError::Unresolved { entity, name }),
            });
            if let Err(error) = checked {
                self.referrers = Some(referrers);
                return Err(error);
            }
        }
        let refers_otherwise = |entity: &Entity| {
            self.records.get(&entity.name).is_none_or(|record| record.depends_on != entity.depends_on)
        };
        if !removed.is_empty() || changed.iter().any(refers_otherwise) {
            self.components = OnceLock::new();
        }
        let mut moved = self.replace(changed, &removed, referrers);
        if moved.is_empty() {
            return Ok(0);
        }
        // Whoever refers to a name that moved has moved. What reaches a name only through new references does so
        // through a changed entity, so the referrers of now are enough.
        let mut pending: Vec<String> = moved.iter().cloned().collect();
        while let Some(name) = pending.pop() {
            for referrer in self.referrers.iter().filter_map(|referrers| referrers.get(&name)).flatten() {
                if moved.insert(referrer.clone()) {
                    pending.push(referrer.clone());
                }
            }
        }
        let nodes: Vec<Node<'_>> =
            moved.iter().filter_map(|name| Some(Node::recorded(name, self.records.get(name)?))).collect();
        let outside = |name: &str| self.records.get(name).map(|record| record.dependency);
        let dependencies = dependencies(&nodes, outside, in_order);
        let names: Vec<String> = nodes.iter().map(|node| node.name.to_owned()).collect();
        for (name, dependency) in names.iter().zip(dependencies) {
            if let Some(record) = self.records.get_mut(name) {
                record.dependency = dependency;
            }
        }
        Ok(names.len())
    }

    /// Enters what changed and takes out what is gone; the names of what is not as it was.
    fn replace(
        &mut self,
        changed: Vec<Entity>,
        removed: &BTreeSet<&str>,
        mut referrers: BTreeMap<String, BTreeSet<String>>,
    ) -> BTreeSet<String> {
        let mut moved = BTreeSet::new();
        let forget = |name: &str, record: &Record, referrers: &mut BTreeMap<String, BTreeSet<String>>| {
            for referred in &record.depends_on {
                if let Some(all) = referrers.get_mut(referred) {
                    all.remove(name);
                    if all.is_empty() {
                        referrers.remove(referred);
                    }
                }
            }
        };
        for name in removed {
            if let Some(record) = self.records.remove(*name) {
                forget(name, &record, &mut referrers);
                moved.insert((*name).to_owned());
            }
        }
        for Entity { name, checksum, depends_on } in changed {
            if let Some(record) = self.records.get(&name) {
                if record.entity == checksum && record.depends_on == depends_on {
                    continue;
                }
                forget(&name, record, &mut referrers);
            }
            for referred in &depends_on {
                referrers.entry(referred.clone()).or_default().insert(name.clone());
            }
            // The dependency checksum comes when those of all that it reaches are there.
            let record = Record { entity: checksum, dependency: checksum, depends_on };
            self.records.insert(name.clone(), record);
            moved.insert(name);
        }
        self.referrers = Some(referrers);
        moved
    }

    fn all_referrers(&self) -> BTreeMap<String, BTreeSet<String>> {
        let mut referrers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (name, record) in &self.records {
            for referred in &record.depends_on {
                referrers.entry(referred.clone()).or_default().insert(name.clone());
            }
        }
        referrers
    }

    /// What is known of an entity.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Record> {
        self.records.get(name)
    }

    /// The strongly connected components, each after all that it refers to; their members by name. A component of
    /// several members is a recursion, whose answers depend on each other; one of a single member is one only if
    /// the member refers to itself. The order depends on names and references alone.
    ///
    /// An analysis whose answers are much coarser than its questions (a summary of a function, say) takes the
    /// components in this order and makes a key of an entity's own checksum and of the *answers* to what it refers
    /// to. Where an edit changes an entity and its answer stays the same, everything above is known (early cut-off);
    /// a key made of the dependency checksum would move with every edit below. `examples/summaries` does it.
    pub fn components(&self) -> impl Iterator<Item = &[String]> {
        let components = self.components.get_or_init(|| {
            let nodes: Vec<Node<'_>> =
                self.records.iter().map(|(name, record)| Node::recorded(name, record)).collect();
            let named = |component: Vec<usize>| -> Vec<String> {
                component.into_iter().map(|member| nodes[member].name.to_owned()).collect()
            };
            components(&nodes).into_iter().map(named).collect()
        });
        components.iter().map(Vec::as_slice)
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

/// An entity while its component is looked for; nodes are sorted by name.
struct Node<'a> {
    name: &'a str,
    checksum: Checksum,
    /// Sorted, each once.
    depends_on: &'a [String],
}

impl<'a> Node<'a> {
    fn of(entity: &'a Entity) -> Self {
        Self { name: &entity.name, checksum: entity.checksum, depends_on: &entity.depends_on }
    }

    fn recorded(name: &'a str, record: &'a Record) -> Self {
        Self { name, checksum: record.entity, depends_on: &record.depends_on }
    }
}

/// Entities by name, each with its references by name.
fn sorted(mut entities: Vec<Entity>) -> Result<Vec<Entity>, DepsError> {
    entities.sort_by(|a, b| a.name.cmp(&b.name));
    for entity in &mut entities {
        entity.depends_on.sort();
        entity.depends_on.dedup();
    }
    match entities.windows(2).find(|pair| pair[0].name == pair[1].name) {
        Some(twins) => Err(DepsError::Duplicate { name: twins[0].name.clone() }),
        None => Ok(entities),
    }
}

/// Whether all references resolve.
fn resolved(entities: &[Entity], is_there: impl Fn(&str) -> bool) -> Result<(), DepsError> {
    for entity in entities {
        if let Some(name) = entity.depends_on.iter().find(|name| !is_there(name)) {
            return Err(DepsError::Unresolved { entity: entity.name.clone(), name: name.clone() });
        }
    }
    Ok(())
}

/// The place of each name. Looked up, never listed.
fn places<'a>(nodes: &[Node<'a>]) -> FxHashMap<&'a str, usize> {
    nodes.iter().enumerate().map(|(place, node)| (node.name, place)).collect()
}

/// The strongly connected components of nodes, what is referred to first; the members of each are sorted.
fn components(nodes: &[Node<'_>]) -> Vec<Vec<usize>> {
    let places = places(nodes);
    let references = nodes.iter().map(|node| node.depends_on.len()).sum();
    let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(nodes.len(), references);
    for _ in nodes {
        graph.add_node(());
    }
    for (place, node) in nodes.iter().enumerate() {
        for other in node.depends_on.iter().filter_map(|name| places.get(name.as_str())) {
            graph.add_edge(NodeIndex::new(place), NodeIndex::new(*other), ());
        }
    }
    // Dependencies first: components come in reverse topological order. (Tarjan's algorithm, as the
    // library has it, recurses; this one does not.)
    let mut components = kosaraju_scc(&graph);
    components.iter_mut().for_each(|component| component.sort());
    components.into_iter().map(|component| component.into_iter().map(NodeIndex::index).collect()).collect()
}

/// The dependency checksums of nodes. What they refer to is among them, or `outside` knows its dependency checksum,
/// or it is absent.
fn dependencies(
    nodes: &[Node<'_>],
    outside: impl Fn(&str) -> Option<Checksum>,
    combine: Combine,
) -> Vec<Checksum> {
    let places = places(nodes);
    // What is not digested yet is in the component that is.
    let mut dependencies: Vec<Option<Checksum>> = vec![None; nodes.len()];
    for component in components(nodes) {
        let checksum = component_checksum(nodes, &component, combine, |name| match places.get(name) {
            Some(place) => dependencies[*place].map_or(Reference::Inside, Reference::To),
            None => outside(name).map_or(Reference::Absent, Reference::To),
        });
        for member in component {
            let mut out = Encoder::new();
            out.text(nodes[member].name);
            out.nested(checksum.digest);
            out.nested_confirm(checksum.confirm);
            dependencies[member] = Some(Checksum::of_encoded(&out));
        }
    }
    // Each node is in a component.
    dependencies.into_iter().zip(nodes).map(|(found, node)| found.unwrap_or(node.checksum)).collect()
}

/// What a name stands for, seen from a component.
enum Reference {
    /// Another member.
    Inside,
    /// An entity of another component, with its dependency checksum.
    To(Checksum),
    /// Nothing.
    Absent,
}

/// The checksum of a component, whose members are sorted.
fn component_checksum(
    nodes: &[Node<'_>],
    component: &[usize],
    combine: Combine,
    resolve: impl Fn(&str) -> Reference,
) -> Checksum {
    let mut out = Encoder::new();
    out.sequence(component.len());
    let mut reached: Vec<(&str, Option<Checksum>)> = Vec::new();
    for member in component {
        let Node { name, checksum, depends_on } = &nodes[*member];
        out.text(name);
        out.nested(checksum.digest);
        out.nested_confirm(checksum.confirm);
        // The references themselves, in case they moved while the content did not.
        out.sequence(depends_on.len());
        for name in *depends_on {
            out.text(name);
            match resolve(name) {
                Reference::Inside => {}
                Reference::To(checksum) => reached.push((name, Some(checksum))),
                Reference::Absent => reached.push((name, None)),
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
