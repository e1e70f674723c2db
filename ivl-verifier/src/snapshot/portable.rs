//! Expressions in words: names instead of ids, so that what an earlier program said can be said again in
//! the present one.
//!
//! A [`Phrases`] is a table of types and nodes, children before parents, each once. Reading it back gives
//! `None` wherever the present program has no such name or another type; nothing is ever guessed.
//! Quantifiers with type parameters, and the few forms that name a solver's theory, are not put into
//! words: a specification with one of them is known again only if the present one says the same.

use num_bigint::BigInt;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::resolve::graph::{
    BoundVariable, ConstantId, ConstructorId, FunctionId, NodeId, NodeKind, QuantifierNode, Spelled,
    VariableId,
};
use crate::resolve::program::{Program, VariableKind};
use crate::resolve::types::{Type, TypeId, TypeNameId};
use crate::syntax::ast::{BinaryOp, Binder, UnaryOp};

/// Types and expressions in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Phrases {
    types: Vec<TypePhrase>,
    nodes: Vec<(Phrase, u32)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum TypePhrase {
    Bool,
    Int,
    Real,
    BitVector(u32),
    Named(String, Vec<u32>),
    /// With so many type parameters of its own.
    Map(u32, Vec<u32>, u32),
    /// A type parameter of a map type: how many map types out, which one.
    Bound(u32, u32),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Phrase {
    Bool(bool),
    Int(String),
    Real(String, i32),
    BitVector(String, u32),
    Text(String),
    Global(String),
    /// A parameter of the procedure, by its position among inputs and outputs.
    Parameter(u32),
    Constant(String),
    Bound(BoundPhrase),
    Unary(UnaryOp, u32),
    Binary(BinaryOp, u32, u32),
    Apply(String, Vec<u32>, Vec<u32>),
    Construct(String, Vec<u32>),
    Select(u32, Vec<u32>),
    Store(u32, Vec<u32>, u32),
    Extract(u32, u32, u32),
    Field(String, u32, u32),
    Is(String, u32),
    Old(u32),
    IfThenElse(u32, u32, u32),
    Quantifier(Box<QuantifierPhrase>),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct BoundPhrase {
    name: String,
    ty: u32,
    level: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct QuantifierPhrase {
    binder: Binder,
    bound: Vec<BoundPhrase>,
    weight: Option<u32>,
    triggers: Vec<Vec<u32>>,
    no_triggers: Vec<u32>,
    body: u32,
}

/// Puts types and expressions of one program into words.
pub(crate) struct Writer<'p> {
    program: &'p Program,
    /// The procedure's parameters by position.
    parameters: FxHashMap<VariableId, u32>,
    types: FxHashMap<TypeId, u32>,
    nodes: FxHashMap<NodeId, u32>,
    phrases: Phrases,
}

impl<'p> Writer<'p> {
    pub(crate) fn new(program: &'p Program, parameters: &[VariableId]) -> Self {
        let parameters = parameters.iter().zip(0..).map(|(variable, at)| (*variable, at)).collect();
        Self {
            program,
            parameters,
            types: FxHashMap::default(),
            nodes: FxHashMap::default(),
            phrases: Phrases::default(),
        }
    }

    pub(crate) fn finish(self) -> Phrases {
        self.phrases
    }

    fn text(&self, symbol: crate::base::names::Symbol) -> String {
        self.program.names.text(symbol).to_owned()
    }

    /// The number of a type. The depth of types is bounded by the parser.
    pub(crate) fn ty(&mut self, id: TypeId) -> Option<u32> {
        if let Some(at) = self.types.get(&id) {
            return Some(*at);
        }
        let phrase = match self.program.types.get(id).clone() {
            Type::Bool => TypePhrase::Bool,
            Type::Int => TypePhrase::Int,
            Type::Real => TypePhrase::Real,
            Type::BitVector(width) => TypePhrase::BitVector(width),
            Type::Named(name, arguments) => {
                let arguments = arguments.iter().map(|it| self.ty(*it)).collect::<Option<_>>()?;
                TypePhrase::Named(self.text(self.program.type_constructors[name].name), arguments)
            }
            Type::Map(parameters, arguments, result) => {
                let arguments = arguments.iter().map(|it| self.ty(*it)).collect::<Option<_>>()?;
                TypePhrase::Map(parameters, arguments, self.ty(result)?)
            }
            Type::Bound(out, parameter) => TypePhrase::Bound(out, parameter),
            _ => return None,
        };
        self.phrases.types.push(phrase);
        let at = u32::try_from(self.phrases.types.len() - 1).ok()?;
        self.types.insert(id, at);
        Some(at)
    }

    fn types(&mut self, ids: &[TypeId]) -> Option<Vec<u32>> {
        ids.iter().map(|it| self.ty(*it)).collect()
    }

    /// The number of an expression.
    pub(crate) fn expr(&mut self, root: NodeId) -> Option<u32> {
        for id in self.program.graph.below(&[root]) {
            if !self.nodes.contains_key(&id) {
                let phrase = self.phrase(id)?;
                let ty = self.ty(self.program.graph.ty(id))?;
                self.phrases.nodes.push((phrase, ty));
                let at = u32::try_from(self.phrases.nodes.len() - 1).ok()?;
                self.nodes.insert(id, at);
            }
        }
        self.nodes.get(&root).copied()
    }

    fn bound(&mut self, bound: &BoundVariable) -> Option<BoundPhrase> {
        let BoundVariable { name, ty, level } = bound;
        Some(BoundPhrase { name: self.text(*name), ty: self.ty(*ty)?, level: *level })
    }

    fn phrase(&mut self, id: NodeId) -> Option<Phrase> {
        let program = self.program;
        // Children come first.
        let at = |writer: &Self, id: &NodeId| writer.nodes.get(id).copied();
        let all =
            |writer: &Self, ids: &[NodeId]| ids.iter().map(|it| at(writer, it)).collect::<Option<Vec<_>>>();
        Some(match program.graph.kind(id) {
            NodeKind::Bool(value) => Phrase::Bool(*value),
            NodeKind::Int(value) => Phrase::Int(value.to_string()),
            NodeKind::Real(mantissa, exponent) => Phrase::Real(mantissa.to_string(), *exponent),
            NodeKind::BitVector(value, width) => Phrase::BitVector(value.to_string(), *width),
            NodeKind::Text(text) => Phrase::Text(text.clone()),
            NodeKind::Variable(variable) => match self.parameters.get(variable) {
                Some(at) => Phrase::Parameter(*at),
                None if program.variables[*variable].kind == VariableKind::Global => {
                    Phrase::Global(self.text(program.variables[*variable].name))
                }
                None => return None,
            },
            NodeKind::Constant(constant) => Phrase::Constant(self.text(program.constants[*constant].name)),
            NodeKind::Bound(bound) => Phrase::Bound(self.bound(bound)?),
            NodeKind::Unary(op, a) => Phrase::Unary(*op, at(self, a)?),
            NodeKind::Binary(op, a, b) => Phrase::Binary(*op, at(self, a)?, at(self, b)?),
            NodeKind::Apply(function, types, arguments) => {
                let types = self.types(types)?;
                Phrase::Apply(self.text(program.functions[*function].name), types, all(self, arguments)?)
            }
            NodeKind::Construct(constructor, arguments) => {
                Phrase::Construct(self.text(program.constructors[*constructor].name), all(self, arguments)?)
            }
            NodeKind::Select(map, indices) => Phrase::Select(at(self, map)?, all(self, indices)?),
            NodeKind::Store(map, indices, value) => {
                Phrase::Store(at(self, map)?, all(self, indices)?, at(self, value)?)
            }
            NodeKind::Extract(a, high, low) => Phrase::Extract(at(self, a)?, *high, *low),
            NodeKind::Field(constructor, index, a) => {
                Phrase::Field(self.text(program.constructors[*constructor].name), *index, at(self, a)?)
            }
            NodeKind::Is(constructor, a) => {
                Phrase::Is(self.text(program.constructors[*constructor].name), at(self, a)?)
            }
            NodeKind::Old(a) => Phrase::Old(at(self, a)?),
            NodeKind::IfThenElse(a, b, c) => Phrase::IfThenElse(at(self, a)?, at(self, b)?, at(self, c)?),
            NodeKind::Quantifier(quantifier) => {
                let QuantifierNode {
                    binder,
                    type_parameters,
                    bound,
                    pools,
                    weight,
                    triggers,
                    no_triggers,
                    attributes,
                    spelled: _,
                    body,
                } = &**quantifier;
                if !type_parameters.is_empty() || attributes.is_some() || !pools.is_empty() {
                    return None;
                }
                Phrase::Quantifier(Box::new(QuantifierPhrase {
                    binder: *binder,
                    bound: bound.iter().map(|it| self.bound(it)).collect::<Option<_>>()?,
                    weight: *weight,
                    triggers: triggers.iter().map(|terms| all(self, terms)).collect::<Option<_>>()?,
                    no_triggers: all(self, no_triggers)?,
                    body: at(self, body)?,
                }))
            }
            NodeKind::Float(_)
            | NodeKind::RoundingMode(_)
            | NodeKind::Incarnation(..)
            | NodeKind::Hinted(..)
            | NodeKind::Code(_) => return None,
        })
    }
}

/// The names of a program, to read phrases by.
#[derive(Clone, Debug)]
pub(crate) struct Dictionary {
    functions: FxHashMap<String, FunctionId>,
    constants: FxHashMap<String, ConstantId>,
    constructors: FxHashMap<String, ConstructorId>,
    globals: FxHashMap<String, VariableId>,
    types: FxHashMap<String, TypeNameId>,
}

impl Dictionary {
    pub(crate) fn new(program: &Program) -> Self {
        let text = |symbol| program.names.text(symbol).to_owned();
        Self {
            functions: program.functions.iter().map(|(id, it)| (text(it.name), id)).collect(),
            constants: program.constants.iter().map(|(id, it)| (text(it.name), id)).collect(),
            constructors: program.constructors.iter().map(|(id, it)| (text(it.name), id)).collect(),
            globals: program.globals.iter().map(|id| (text(program.variables[*id].name), *id)).collect(),
            types: program.type_constructors.iter().map(|(id, it)| (text(it.name), id)).collect(),
        }
    }

    pub(crate) fn function(&self, name: &str) -> Option<FunctionId> {
        self.functions.get(name).copied()
    }

    pub(crate) fn constant(&self, name: &str) -> Option<ConstantId> {
        self.constants.get(name).copied()
    }

    pub(crate) fn global(&self, name: &str) -> Option<VariableId> {
        self.globals.get(name).copied()
    }

    pub(crate) fn type_name(&self, name: &str) -> Option<TypeNameId> {
        self.types.get(name).copied()
    }
}

/// What phrases mean in a program.
pub(crate) struct Meaning {
    pub(crate) types: Vec<TypeId>,
    nodes: Vec<NodeId>,
}

impl Meaning {
    pub(crate) fn expr(&self, number: u32) -> Option<NodeId> {
        self.nodes.get(number as usize).copied()
    }
}

impl Phrases {
    /// Says the phrases in a program, with its own parameters. `None` if something of it is not there.
    pub(crate) fn read(
        &self,
        program: &mut Program,
        dictionary: &Dictionary,
        parameters: &[VariableId],
    ) -> Option<Meaning> {
        let mut meaning = Meaning { types: Vec::new(), nodes: Vec::new() };
        for phrase in &self.types {
            let ty = self.read_type(phrase, program, dictionary, &meaning)?;
            meaning.types.push(ty);
        }
        for (phrase, ty) in &self.nodes {
            let ty = *meaning.types.get(*ty as usize)?;
            let kind = read_node(phrase, program, dictionary, parameters, &meaning)?;
            if let NodeKind::Variable(variable) = &kind
                && program.variables[*variable].ty != ty
            {
                return None;
            }
            meaning.nodes.push(program.graph.add(kind, ty));
        }
        Some(meaning)
    }

    fn read_type(
        &self,
        phrase: &TypePhrase,
        program: &mut Program,
        dictionary: &Dictionary,
        meaning: &Meaning,
    ) -> Option<TypeId> {
        let at = |number: &u32| meaning.types.get(*number as usize).copied();
        let all = |numbers: &[u32]| numbers.iter().map(at).collect::<Option<Vec<_>>>();
        let ty = match phrase {
            TypePhrase::Bool => Type::Bool,
            TypePhrase::Int => Type::Int,
            TypePhrase::Real => Type::Real,
            TypePhrase::BitVector(width) => Type::BitVector(*width),
            TypePhrase::Named(name, arguments) => {
                let name = dictionary.type_name(name)?;
                if program.type_constructors[name].arity != arguments.len() {
                    return None;
                }
                Type::Named(name, all(arguments)?)
            }
            TypePhrase::Map(parameters, arguments, result) => {
                Type::Map(*parameters, all(arguments)?, at(result)?)
            }
            TypePhrase::Bound(out, parameter) => Type::Bound(*out, *parameter),
        };
        Some(program.types.intern(ty))
    }
}

fn read_node(
    phrase: &Phrase,
    program: &mut Program,
    dictionary: &Dictionary,
    parameters: &[VariableId],
    meaning: &Meaning,
) -> Option<NodeKind> {
    let at = |number: &u32| meaning.expr(*number);
    let all = |numbers: &[u32]| numbers.iter().map(at).collect::<Option<Vec<_>>>();
    let ty = |number: &u32| meaning.types.get(*number as usize).copied();
    let constructor = |name: &String| dictionary.constructors.get(name).copied();
    let mut bound = |bound: &BoundPhrase| {
        let BoundPhrase { name, ty: number, level } = bound;
        Some(BoundVariable { name: program.names.intern(name), ty: ty(number)?, level: *level })
    };
    let number = |text: &str| text.parse::<BigInt>().ok();
    Some(match phrase {
        Phrase::Bool(value) => NodeKind::Bool(*value),
        Phrase::Int(value) => NodeKind::Int(number(value)?),
        Phrase::Real(mantissa, exponent) => NodeKind::Real(number(mantissa)?, *exponent),
        Phrase::BitVector(value, width) => NodeKind::BitVector(number(value)?, *width),
        Phrase::Text(text) => NodeKind::Text(text.clone()),
        Phrase::Global(name) => NodeKind::Variable(dictionary.global(name)?),
        Phrase::Parameter(at) => NodeKind::Variable(*parameters.get(*at as usize)?),
        Phrase::Constant(name) => NodeKind::Constant(dictionary.constant(name)?),
        Phrase::Bound(it) => NodeKind::Bound(bound(it)?),
        Phrase::Unary(op, a) => NodeKind::Unary(*op, at(a)?),
        Phrase::Binary(op, a, b) => NodeKind::Binary(*op, at(a)?, at(b)?),
        Phrase::Apply(name, types, arguments) => {
            let types = types.iter().map(ty).collect::<Option<_>>()?;
            NodeKind::Apply(dictionary.function(name)?, types, all(arguments)?)
        }
        Phrase::Construct(name, arguments) => NodeKind::Construct(constructor(name)?, all(arguments)?),
        Phrase::Select(map, indices) => NodeKind::Select(at(map)?, all(indices)?),
        Phrase::Store(map, indices, value) => NodeKind::Store(at(map)?, all(indices)?, at(value)?),
        Phrase::Extract(a, high, low) => NodeKind::Extract(at(a)?, *high, *low),
        Phrase::Field(name, index, a) => NodeKind::Field(constructor(name)?, *index, at(a)?),
        Phrase::Is(name, a) => NodeKind::Is(constructor(name)?, at(a)?),
        Phrase::Old(a) => NodeKind::Old(at(a)?),
        Phrase::IfThenElse(a, b, c) => NodeKind::IfThenElse(at(a)?, at(b)?, at(c)?),
        Phrase::Quantifier(quantifier) => {
            let QuantifierPhrase { binder, bound: variables, weight, triggers, no_triggers, body } =
                &**quantifier;
            NodeKind::Quantifier(Box::new(QuantifierNode {
                binder: *binder,
                type_parameters: Vec::new(),
                bound: variables.iter().map(bound).collect::<Option<_>>()?,
                pools: Vec::new(),
                weight: *weight,
                triggers: triggers.iter().map(|terms| all(terms)).collect::<Option<_>>()?,
                no_triggers: all(no_triggers)?,
                attributes: None,
                spelled: Spelled::default(),
                body: at(body)?,
            }))
        }
    })
}
