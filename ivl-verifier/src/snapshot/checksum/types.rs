//! Checksums of types, and of what names them.

use cache_core::digest::{Confirm, Encoder};
use cache_core::key::CacheKey;

use super::Checksums;
use crate::resolve::program::{Constructor, TypeConstructor};
use crate::resolve::types::{Type, TypeId, TypeNameId, TypeVariableId};

impl<'p> Checksums<'p> {
    pub(super) fn ty(&mut self, id: TypeId) -> Confirm {
        if let Some(digest) = self.types.get(&id) {
            return *digest;
        }
        // The depth of types is bounded by the parser.
        let mut out = Encoder::new();
        match self.program.types.get(id).clone() {
            Type::Unknown => out.variant(0),
            Type::Bool => out.variant(1),
            Type::Int => out.variant(2),
            Type::Real => out.variant(3),
            Type::BitVector(width) => {
                out.variant(4);
                width.encode(&mut out);
            }
            Type::Float(exponent, significand) => {
                out.variant(5);
                (exponent, significand).encode(&mut out);
            }
            Type::RoundingMode => out.variant(6),
            Type::Text => out.variant(7),
            Type::Regex => out.variant(8),
            Type::Named(name, arguments) => {
                out.variant(9);
                out.text(self.text(self.program.type_constructors[name].name));
                self.nested_types(&arguments, &mut out);
            }
            Type::Map(parameters, arguments, result) => {
                out.variant(10);
                parameters.encode(&mut out);
                self.nested_types(&arguments, &mut out);
                out.nested_confirm(self.ty(result));
            }
            Type::Bound(back, index) => {
                out.variant(11);
                (back, index).encode(&mut out);
            }
            Type::Variable(variable) => {
                out.variant(12);
                out.text(self.variable_name(variable));
            }
            Type::Hole(_) => out.variant(13),
        }
        let digest = out.confirm();
        self.types.insert(id, digest);
        digest
    }

    fn nested_types(&mut self, types: &[TypeId], out: &mut Encoder) {
        out.sequence(types.len());
        for ty in types {
            out.nested_confirm(self.ty(*ty));
        }
    }

    pub(super) fn type_into(&mut self, id: TypeId, out: &mut Encoder) {
        match self.written_types.get(id).filter(|_| self.written_out) {
            Some(number) => out.variant(number),
            None => {
                out.nested_confirm(self.ty(id));
                if self.written_out {
                    self.written_types.add(id);
                }
            }
        }
    }

    pub(crate) fn type_list(&mut self, types: &[TypeId], out: &mut Encoder) {
        out.sequence(types.len());
        for ty in types {
            self.type_into(*ty, out);
        }
    }

    pub(crate) fn type_parameters(&self, variables: &[TypeVariableId], out: &mut Encoder) {
        out.sequence(variables.len());
        for variable in variables {
            out.text(self.variable_name(*variable));
        }
    }

    /// The type variables in a type count by name: which declaration binds them is clear where they
    /// stand.
    fn variable_name(&self, variable: TypeVariableId) -> &'p str {
        self.text(self.program.type_names.variables[variable])
    }

    /// The checksum of a type constructor or datatype.
    pub(crate) fn type_name(&mut self, id: TypeNameId) -> Confirm {
        if let Some(digest) = self.type_names.get(&id) {
            return *digest;
        }
        let program = self.program;
        let TypeConstructor { name, arity, parameters, constructors, datatype, builtin } =
            &program.type_constructors[id];
        let mut out = Encoder::new();
        out.text(self.text(*name));
        out.u64(*arity as u64);
        self.type_parameters(parameters, &mut out);
        out.sequence(constructors.len());
        for constructor in constructors {
            let Constructor { name, datatype: _, fields } = &program.constructors[*constructor];
            out.text(self.text(*name));
            out.sequence(fields.len());
            for (name, ty) in fields {
                out.text(self.text(*name));
                out.nested_confirm(self.ty(*ty));
            }
        }
        datatype.encode(&mut out);
        builtin.encode(&mut out);
        let digest = out.confirm();
        self.type_names.insert(id, digest);
        digest
    }
}
