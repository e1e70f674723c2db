//! Types as text.

use rustc_hash::FxHashMap;

use super::{Type, TypeId, TypeNames, Types};
use crate::base::names::{Names, Symbol};

/// A type as Boogie writes it, with the type parameters of maps by the names that are known for them.
pub(super) fn shown(
    types: &Types,
    id: TypeId,
    (names, of): (&Names, &TypeNames),
    written: &FxHashMap<TypeId, Vec<Symbol>>,
) -> String {
    let mut writer = Writer { types, names, of, written, scopes: Vec::new(), out: String::new() };
    writer.write(id, false);
    writer.out
}

/// A type that is being written.
struct Writer<'a> {
    types: &'a Types,
    names: &'a Names,
    of: &'a TypeNames,
    /// The type parameters of maps that have names.
    written: &'a FxHashMap<TypeId, Vec<Symbol>>,
    /// The type parameters of the maps around, outermost first.
    scopes: Vec<Vec<String>>,
    out: String,
}

impl Writer<'_> {
    /// Writes a type, in parentheses if it is an argument that needs them. The depth of types is bounded by the
    /// parser.
    fn write(&mut self, id: TypeId, argument: bool) {
        let (types, names, of) = (self.types, self.names, self.of);
        let id = types.shallow(id);
        match types.get(id) {
            Type::Hole(number) => {
                let name = types.hole_names[*number as usize].map(|name| names.text(name).to_owned());
                self.out.push_str(&types.show_shape(*number).or(name).unwrap_or_else(|| "?".to_owned()));
            }
            Type::Unknown => self.out.push('?'),
            Type::Bool => self.out.push_str("bool"),
            Type::Int => self.out.push_str("int"),
            Type::Real => self.out.push_str("real"),
            Type::BitVector(width) => self.out.push_str(&format!("bv{width}")),
            Type::Float(exponent, significand) => {
                self.out.push_str(&format!("float{significand}e{exponent}"));
            }
            Type::RoundingMode => self.out.push_str("rmode"),
            Type::Text => self.out.push_str("string"),
            Type::Regex => self.out.push_str("regex"),
            Type::Named(name, arguments) => {
                let parentheses = argument && !arguments.is_empty();
                self.out.push_str(if parentheses { "(" } else { "" });
                self.out.push_str(names.text(of.constructors[*name]));
                for argument in arguments {
                    self.out.push(' ');
                    self.write(*argument, true);
                }
                self.out.push_str(if parentheses { ")" } else { "" });
            }
            Type::Map(parameters, arguments, result) => {
                let written = self.written.get(&id);
                let name = |index: u32| match written.and_then(|written| written.get(index as usize)) {
                    Some(name) => names.text(*name).to_owned(),
                    None => bound_name(u32::try_from(self.scopes.len()).unwrap_or(u32::MAX), index),
                };
                let scope: Vec<String> = (0..*parameters).map(name).collect();
                if *parameters > 0 {
                    self.out.push_str(&format!("<{}>", scope.join(",")));
                }
                self.scopes.push(scope);
                self.out.push('[');
                for (index, argument) in arguments.iter().enumerate() {
                    self.out.push_str(if index > 0 { "," } else { "" });
                    self.write(*argument, false);
                }
                self.out.push(']');
                self.write(*result, false);
                self.scopes.pop();
            }
            Type::Bound(back, index) => {
                // The map type `back` levels out is the one that binds it.
                let scope = self.scopes.iter().rev().nth(*back as usize);
                let name = scope.and_then(|scope| scope.get(*index as usize)).cloned();
                self.out.push_str(&name.unwrap_or_else(|| bound_name(0, *index)));
            }
            Type::Variable(variable) => self.out.push_str(names.text(of.variables[*variable])),
        }
    }
}

fn bound_name(depth: u32, index: u32) -> String {
    let letter = char::from(b'a' + u8::try_from(index % 26).unwrap_or(0));
    if depth == 0 && index < 26 { letter.to_string() } else { format!("{letter}{depth}") }
}
