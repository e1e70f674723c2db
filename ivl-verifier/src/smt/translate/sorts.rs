//! Types to sorts, and datatypes with the constructors that a query mentions.

use rustc_hash::FxHashMap;

use super::{Translated, Translator, narrow};
use crate::resolve::graph::ConstructorId;
use crate::resolve::types::{Type, TypeId};
use crate::smt::term::{CONSTRUCTOR, Constructor, Datatype, Sort, SortId};

impl Translator<'_> {
    /// The sort of a type, the same one each time.
    pub(super) fn sort(&mut self, id: TypeId) -> Translated<SortId> {
        if let Some(sort) = self.sorts.get(&id) {
            return Ok(*sort);
        }
        self.meet_type(id);
        let sort = match self.program.types.get(id).clone() {
            Type::Bool => Sort::Bool,
            Type::Int => Sort::Int,
            Type::Real => Sort::Real,
            Type::BitVector(0) => return self.unsupported("bit vectors of width 0 are not supported"),
            Type::BitVector(width) => Sort::BitVector(width),
            Type::Float(exponent, significand) => Sort::Float(exponent, significand),
            Type::RoundingMode => Sort::RoundingMode,
            Type::Text => Sort::Text,
            Type::Regex => Sort::Regex,
            Type::Named(name, arguments) => {
                if let Some(builtin) = self.program.type_constructors[name].builtin.clone() {
                    let arguments =
                        arguments.into_iter().map(|it| self.sort(it)).collect::<Translated<Vec<SortId>>>()?;
                    let sort = self.builder.sort(Sort::Theory(builtin, arguments));
                    self.sorts.insert(id, sort);
                    return Ok(sort);
                }
                let mut text = self.name(self.program.type_constructors[name].name);
                for argument in &arguments {
                    text.push_str(&format!(" ({})", self.shown(*argument)));
                }
                // Sorts of the solver's theories have names without a prefix.
                text.insert_str(0, "T@");
                if self.program.type_constructors[name].datatype {
                    self.datatypes.insert(id, text.clone());
                    self.datatype_work.push((self.made.now(), name, arguments, text.clone()));
                    Sort::Datatype(text)
                } else {
                    Sort::Declared(text)
                }
            }
            Type::Map(0, ..) => {
                let sort = self.map_sort(id)?;
                self.sorts.insert(id, sort);
                return Ok(sort);
            }
            Type::Map(..) => self.polymorphic_map_sort(id),
            // What is left of type variables stands for any type: nothing is known of it.
            Type::Variable(variable) => {
                let name = self.program.type_names.variables[variable];
                Sort::Declared(format!("V@{}", self.name(name)))
            }
            Type::Bound(..) | Type::Hole(_) => {
                return self.unsupported("a type is not known here");
            }
            Type::Unknown => return self.unsupported("an expression has no type"),
        };
        let sort = self.builder.sort(sort);
        self.sorts.insert(id, sort);
        Ok(sort)
    }

    /// Declares the datatypes that were met, with their constructors.
    pub(super) fn finish_datatypes(&mut self) -> Translated<()> {
        while let Some((needed_by, name, arguments, text)) = self.datatype_work.pop() {
            let entity = self.program.type_constructors[name].clone();
            if !self.made.enter(name, (&self.program.types, &arguments), needed_by) {
                let name = self.name(entity.name);
                return self.unsupported(format!("datatype {name} is made of itself at ever larger types"));
            }
            let map: FxHashMap<_, _> = entity.parameters.iter().copied().zip(arguments).collect();
            let mut constructors = Vec::new();
            for id in entity.constructors {
                let constructor = self.program.constructors[id].clone();
                let constructor_name =
                    format!("{}{CONSTRUCTOR}{}", self.name(constructor.name), instance_suffix(&text));
                let mut fields = Vec::new();
                for (field, ty) in constructor.fields {
                    let ty = self.program.types.substitute(ty, &map);
                    let field = format!("{}#{constructor_name}", self.name(field));
                    fields.push((field, self.sort(ty)?));
                }
                let constructor_name = self.builder.unique(&constructor_name);
                constructors.push(Constructor { name: constructor_name, fields });
            }
            self.builder.query.datatypes.push(Datatype { name: text, constructors });
        }
        Ok(())
    }

    /// The name of a value's datatype and the index of a constructor in it.
    pub(super) fn constructor(
        &mut self,
        constructor: ConstructorId,
        whole: TypeId,
    ) -> Translated<(String, u32)> {
        self.sort(whole)?;
        let datatype = self.program.constructors[constructor].datatype;
        let index =
            self.program.type_constructors[datatype].constructors.iter().position(|it| *it == constructor);
        match (self.datatypes.get(&whole), index) {
            (Some(name), Some(index)) => Ok((name.clone(), narrow(index))),
            _ => self.unsupported("a constructor is applied to a value of another type"),
        }
    }
}

/// What distinguishes the constructors of an instance of a generic datatype.
fn instance_suffix(name: &str) -> &str {
    name.find(' ').map_or("", |at| &name[at..])
}
