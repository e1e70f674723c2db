//! Values with which checks fail: models in the program's words.
//!
//! Where values are wanted, lowering notes what happens to the state in each block; going through the
//! blocks of a failing way gives every variable's incarnation at every place, and the model its value.
//! Which values are told is the solver's choice, and no verdict depends on them; [`super::models`] keeps models.

use num_bigint::BigInt;
use num_integer::Integer;
use rustc_hash::FxHashMap;

use crate::base::source::Span;
use crate::lower::{Event, Passive, PrintedPiece};
use crate::report::{Binding, Counterexample, PrintedValue, Step};
use crate::resolve::graph::{NodeId, NodeKind, VariableId};
use crate::resolve::program::{Program, VariableKind};
use crate::smt::answer::{Model, Value};
use crate::smt::translate::{OFFSET, ValueNames};

/// What is needed to read a model.
pub(super) struct Told {
    pub(super) names: ValueNames,
    /// The expressions whose values the model has beside those of constants, in its order.
    pub(super) wanted: Vec<NodeId>,
}

/// The expressions that are printed.
pub(super) fn printed(passive: &Passive) -> Vec<NodeId> {
    let mut found = Vec::new();
    for event in passive.history.iter().flatten() {
        let Event::Print(pieces) = event else { continue };
        for piece in pieces {
            if let PrintedPiece::Value(node) = piece
                && !found.contains(node)
            {
                found.push(*node);
            }
        }
    }
    found
}

/// The state on the way, and what of it was told.
#[derive(Default)]
struct State {
    current: FxHashMap<VariableId, NodeId>,
    told: Values,
    captured: Values,
}

/// The incarnations and values that were told.
type Values = FxHashMap<VariableId, (NodeId, Option<Value>)>;

/// A model that values are looked up in.
struct Reader<'r> {
    program: &'r Program,
    told: &'r Told,
    constants: FxHashMap<&'r str, &'r Value>,
    model: &'r Model,
}

impl Told {
    /// A model in which constants have their own values, not what these are more than the values that are assumed.
    fn in_words(&self, model: &Model) -> Model {
        let ValueNames { constants, fixed, .. } = &self.names;
        let values: FxHashMap<&str, &BigInt> =
            fixed.iter().filter_map(|(id, value)| Some((constants.get(id)?.as_str(), value))).collect();
        let mut model = model.clone();
        for (name, value) in &mut model.constants {
            if let Some(own) = values.get(name.as_str()) {
                name.truncate(name.len() - OFFSET.len());
                *value = Value::Int(own.to_string());
            }
        }
        model
    }

    /// What a model says about the way to a check.
    pub(super) fn counterexample(
        &self,
        program: &Program,
        passive: &Passive,
        path: &[u32],
        check: usize,
        model: &Model,
    ) -> Counterexample {
        let constants = model.constants.iter().map(|(name, value)| (name.as_str(), value)).collect();
        let reader = Reader { program, told: self, constants, model };
        let mut found = Counterexample { model: self.in_words(model), ..Counterexample::default() };
        let mut state = State::default();
        let last = path.len().saturating_sub(1);
        'way: for (index, block) in path.iter().enumerate() {
            let Some(events) = passive.history.get(*block as usize) else { break };
            for event in events {
                match event {
                    Event::Set(variable, node) => {
                        state.current.insert(*variable, *node);
                    }
                    Event::Start if index == 0 => {
                        found.initial = reader.changes(&state.current, &mut Values::default());
                    }
                    Event::Start => {
                        if let Some((label, span)) = passive.blocks[*block as usize].label {
                            let values = reader.changes(&state.current, &mut state.told);
                            let label = Some(program.names.text(label).to_owned());
                            found.steps.push(Step { span, label, values });
                        }
                    }
                    Event::Check(number) if index == last && *number == check => break 'way,
                    Event::Check(_) => {}
                    Event::Capture(name) => {
                        let values = reader.changes(&state.current, &mut state.captured);
                        found.captured.push((name.clone(), values));
                    }
                    Event::Print(pieces) => {
                        let line = pieces.iter().map(|piece| reader.piece(piece, &state.current));
                        found.printed.push(line.collect());
                    }
                }
            }
        }
        let span = passive.checks.get(check).map_or(Span::NOWHERE, |check| check.span);
        let values = reader.changes(&state.current, &mut state.told);
        found.steps.push(Step { span, label: None, values });
        found
    }
}

impl Reader<'_> {
    /// The values of variables that changed, globals first, then by name. A new incarnation with the old
    /// value is no change.
    fn changes(&self, current: &FxHashMap<VariableId, NodeId>, told: &mut Values) -> Vec<Binding> {
        let mut changed: Vec<(VariableKind, &str, VariableId, NodeId)> = current
            .iter()
            .filter(|(variable, node)| told.get(variable).is_none_or(|(known, _)| known != *node))
            .map(|(variable, node)| {
                let entity = &self.program.variables[*variable];
                (entity.kind, self.program.names.text(entity.name), *variable, *node)
            })
            .collect();
        changed.sort_unstable();
        let mut found = Vec::new();
        for (_, name, variable, node) in changed {
            let value = self.value(node);
            let known = told.insert(variable, (node, value.clone())).and_then(|(_, known)| known);
            if let Some(value) = value.filter(|value| known.as_ref() != Some(value)) {
                found.push((name.to_owned(), value));
            }
        }
        found
    }

    fn piece(&self, piece: &PrintedPiece, current: &FxHashMap<VariableId, NodeId>) -> PrintedValue {
        match piece {
            PrintedPiece::Text(text) => PrintedValue::Text(text.clone()),
            PrintedPiece::Variable(variable) => {
                PrintedValue::Value(current.get(variable).and_then(|node| self.value(*node)))
            }
            PrintedPiece::Value(node) => PrintedValue::Value(self.value(*node)),
        }
    }

    fn value(&self, node: NodeId) -> Option<Value> {
        let named = |name: &String| self.constants.get(name.as_str()).map(|value| (*value).clone());
        match self.program.graph.kind(node) {
            NodeKind::Incarnation(variable, number) => {
                self.told.names.incarnations.get(&(*variable, *number)).and_then(named)
            }
            NodeKind::Constant(id) => match self.program.constants[*id].value {
                Some(value) => Some(Value::Bool(value)),
                None => match self.told.names.fixed.get(id) {
                    Some(value) => Some(Value::Int(value.to_string())),
                    None => self.told.names.constants.get(id).and_then(named),
                },
            },
            NodeKind::Bool(value) => Some(Value::Bool(*value)),
            NodeKind::Int(value) => Some(Value::Int(value.to_string())),
            NodeKind::Real(mantissa, exponent) => {
                let power = BigInt::from(10).pow(exponent.unsigned_abs());
                Some(if *exponent < 0 {
                    let common = mantissa.gcd(&power);
                    Value::Real((mantissa / &common).to_string(), (power / common).to_string())
                } else {
                    Value::Real((mantissa * power).to_string(), "1".to_owned())
                })
            }
            NodeKind::BitVector(value, width) => Some(Value::BitVector(value.to_string(), *width)),
            _ => {
                let at = self.told.wanted.iter().position(|it| *it == node)?;
                self.model.terms.get(at)?.clone()
            }
        }
    }
}
