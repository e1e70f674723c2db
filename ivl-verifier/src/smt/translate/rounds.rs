//! Rounds of translation: at which types what ranges over types is used.
//!
//! [`super::polymorphic`] instantiates assumptions at the types that are met, and instances meet new types. What a
//! query is made of is the least set of types that meets nothing new. A round that makes the whole query to find that
//! out is dear, and most types are met in axioms, which the implementations of a program have in common. So the types
//! are looked for first: in the axioms by themselves, once for all implementations with the same axioms, then with what
//! is asked, where axioms are looked at again only if they say something else than before. Terms are made on the way
//! and thrown away.
//!
//! Every type that is found is one that rounds over the whole query meet, since more types that are known only make
//! more instances. Not everything is found: bodies of functions are looked at once. So the query is made in rounds all
//! the same, until one meets nothing new. Mostly that is the first.

use rustc_hash::FxHashMap;

use super::fixed::Fixed;
use super::met::Met;
use super::polymorphic::Facts;
use super::{Made, Task, Translated, Translator};
use crate::lower::Unsupported;
use crate::resolve::graph::{ConstantId, NodeId};
use crate::resolve::program::{Axiom, AxiomId, Program};

/// How often translation is repeated with the types that it met.
const ROUNDS: usize = 6;

/// What the queries of one program have in common.
#[derive(Default)]
pub(crate) struct Shared {
    facts: Facts,
    /// The constants that axioms mention.
    mentions: FxHashMap<AxiomId, Vec<ConstantId>>,
    /// The axioms that were looked at last.
    axioms: Option<AxiomTypes>,
}

/// The types that some axioms meet without anything else.
struct AxiomTypes {
    axioms: Vec<AxiomId>,
    /// Whether one of them holds quantifiers over types; nothing else is known of them if none does.
    over_types: bool,
    known: Met,
    /// How deep the types are nested that are met before anything is known.
    depth: usize,
    /// What each axiom says with these types known.
    said: Vec<NodeId>,
}

/// Makes the query of an implementation.
pub(crate) fn query(
    program: &mut Program,
    task: &Task<'_>,
    shared: &mut Shared,
) -> Result<Made, Unsupported> {
    let fixed = Fixed::by(program, task.condition, task.lies);
    let axioms = fixed.ordered(program, task.axioms, &mut shared.mentions);
    // Where something cannot be translated, the round below says so.
    let (mut known, mut depth) = match found(program, task, &fixed, shared) {
        Ok(Some((known, depth))) => (known, Some(depth)),
        Ok(None) | Err(_) => (Met::default(), None),
    };
    let mut round = 0;
    loop {
        round += 1;
        let facts = &mut shared.facts;
        let translator = Translator::new(program, task, (&fixed, facts), known.clone());
        let (made, met) = translator.translate(task, &axioms)?;
        let Some(mut met) = met else { return Ok(made) };
        let depth = *depth.get_or_insert_with(|| met.max_depth(&program.types) + 1);
        met.limit(&program.types, depth);
        if !known.add(&met) || round == ROUNDS {
            return Ok(made);
        }
    }
}

/// The types that are met by axioms and what is asked, and how deep they may be nested; nothing where no axiom holds
/// quantifiers over types.
fn found(
    program: &mut Program,
    task: &Task<'_>,
    fixed: &Fixed,
    shared: &mut Shared,
) -> Translated<Option<(Met, usize)>> {
    if shared.axioms.as_ref().is_none_or(|it| it.axioms != task.axioms) {
        shared.axioms = Some(AxiomTypes::new(program, task, &mut shared.facts)?);
    }
    let Some(axioms) = shared.axioms.as_ref().filter(|it| it.over_types) else { return Ok(None) };
    let facts = &mut shared.facts;
    // Sorts that axioms choose have names, which the question must not give to others.
    let chosen = Met { chosen: axioms.known.chosen.clone(), others: axioms.known.others, ..Met::default() };
    let mut look = Translator::new(program, task, (fixed, facts), chosen);
    look.look_at_question(task)?;
    let mut met = std::mem::take(&mut look.met);
    let depth = axioms.depth.max(met.max_depth(&look.program.types)) + 1;
    met.limit(&look.program.types, depth);
    look.known = axioms.known.clone();
    let mut is_new = look.known.add(&met);
    let mut said = axioms.said.clone();
    for _ in 1..ROUNDS {
        look.look_at_question(task)?;
        if is_new {
            look.look_at_axioms(task.axioms, &mut said)?;
        }
        let mut met = std::mem::take(&mut look.met);
        met.limit(&look.program.types, depth);
        is_new = look.known.add(&met);
        if !is_new {
            break;
        }
    }
    Ok(Some((look.known, depth)))
}

impl AxiomTypes {
    fn new(program: &mut Program, task: &Task<'_>, facts: &mut Facts) -> Translated<Self> {
        let fixed = Fixed::default();
        let mut look = Translator::new(program, task, (&fixed, facts), Met::default());
        let mut axioms = Self {
            axioms: task.axioms.to_vec(),
            over_types: false,
            known: Met::default(),
            depth: 0,
            said: Vec::new(),
        };
        for axiom in task.axioms {
            let Axiom { expr, tracked, .. } = look.program.axioms[*axiom];
            axioms.over_types |= look.holds_type_quantifier(tracked.unwrap_or(expr));
        }
        if !axioms.over_types {
            return Ok(axioms);
        }
        for round in 1..ROUNDS {
            look.look_at_axioms(task.axioms, &mut axioms.said)?;
            let mut met = std::mem::take(&mut look.met);
            if round == 1 {
                axioms.depth = met.max_depth(&look.program.types);
            }
            met.limit(&look.program.types, axioms.depth + 1);
            if !look.known.add(&met) {
                break;
            }
        }
        axioms.known = look.known;
        Ok(axioms)
    }
}

impl Translator<'_> {
    /// Looks at axioms that do not say what they said before, and notes what each says now.
    fn look_at_axioms(&mut self, axioms: &[AxiomId], said: &mut Vec<NodeId>) -> Translated<()> {
        for (at, axiom) in axioms.iter().enumerate() {
            let says = self.axiom_without_types(*axiom)?;
            if said.get(at) != Some(&says) {
                self.term(says)?;
            }
            match said.get_mut(at) {
                Some(before) => *before = says,
                None => said.push(says),
            }
        }
        self.finish_definitions()?;
        self.finish_datatypes()
    }

    /// Looks at what is asked, and at the functions that it reaches.
    fn look_at_question(&mut self, task: &Task<'_>) -> Translated<()> {
        self.declared(task)?;
        self.goal(task.condition)?;
        self.finish_definitions()?;
        self.finish_datatypes()
    }
}
