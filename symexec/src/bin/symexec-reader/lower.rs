//! From LLVM's module to ours, once: types become widths and offsets, aggregates and vectors become
//! scalars in a row, phi instructions become moves on edges.
//!
//! [`Lowering`] holds what all functions share (tables of constants, positions and texts, and the ids of
//! symbols); [`function`] lowers one body at a time.

mod aggregates;
mod arguments;
mod assembly;
mod constants;
mod constrained;
mod float_intrinsics;
mod function;
mod exceptions;
mod indirect;
mod inline;
mod intrinsics;
mod masked;
mod operations;
mod predicated;
mod reach;
mod signatures;
mod types;
mod vectors;
mod x86;
mod x86_ciphers;
mod x86_texts;
mod x86_vectors;

use rustc_hash::{FxHashMap, FxHashSet};
use symexec::module::reader::Request;
use symexec::module::{
    self, Constant, ConstantId, Function, FunctionId, Global, GlobalId, Instruction, Location, LocationId,
    Module, Operand, Symbol, TextId,
};

use crate::llvm::{DESTRUCTORS, Program, Type, TypeKind, Value, attribute_kind};

/// What cannot be lowered at all. What cannot be *executed* is lowered to a refusal instead.
pub(crate) type Failure = String;

/// The state of a module's lowering.
pub(crate) struct Lowering<'p> {
    program: &'p Program,
    module: Module,
    functions: FxHashMap<Value<'p>, FunctionId>,
    globals: FxHashMap<Value<'p>, GlobalId>,
    /// The variables of functions that resolvers choose.
    resolved: FxHashMap<Value<'p>, GlobalId>,
    constants: FxHashMap<Constant, ConstantId>,
    locations: FxHashMap<Location, LocationId>,
    texts: FxHashMap<String, TextId>,
    /// The numbers by which landing pads call the types that they catch.
    selectors: FxHashMap<Option<Symbol>, i32>,
    byval: u32,
    signext: u32,
    align: u32,
    /// What is lowered at all.
    reachable: FxHashSet<Value<'p>>,
    /// Functions that cannot be called, and why.
    refused: FxHashMap<Value<'p>, Failure>,
    /// Whether weak symbols that nobody defines have an address, which is a lie.
    keeps_missing: bool,
}

/// Lowers a whole program; `wanted` are functions of the runtime that are needed as well.
///
/// Where the request wants it, the program's text in LLVM's assembly language and the lines of its instructions are
/// kept.
pub(crate) fn lower(program: &Program, wanted: &[&str], request: &Request) -> Result<Module, Failure> {
    let assembly = request.assembly;
    let text = if assembly { program.text() } else { String::new() };
    let mut lines = assembly::instruction_lines(&text);
    let mut lowering = Lowering {
        program,
        module: Module { format: module::FORMAT, ..Module::default() },
        functions: FxHashMap::default(),
        globals: FxHashMap::default(),
        resolved: FxHashMap::default(),
        constants: FxHashMap::default(),
        locations: FxHashMap::default(),
        texts: FxHashMap::default(),
        selectors: FxHashMap::default(),
        byval: attribute_kind("byval"),
        signext: attribute_kind("signext"),
        align: attribute_kind("align"),
        reachable: reach::reachable(program, wanted),
        refused: FxHashMap::default(),
        #[cfg(feature = "plant")]
        keeps_missing: request.keeps_missing,
        #[cfg(not(feature = "plant"))]
        keeps_missing: false,
    };
    lowering.location(Location::default());
    lowering.declare_symbols()?;
    lowering.declare_indirect()?;
    lowering.initialize_globals()?;
    lowering.module.constructors = lowering.functions_in("llvm.global_ctors")?;
    lowering.module.initializers = lowering.initializers();
    lowering.module.destructors = lowering.functions_in(DESTRUCTORS)?;
    lowering.module.destructors.reverse();
    for value in program.functions() {
        if let Some(&id) = lowering.functions.get(&value)
            && !value.is_declaration()
        {
            let lines = lines.remove(&value.name()).unwrap_or_default();
            let lowered = match lowering.refused.get(&value).cloned() {
                None => function::lower(&mut lowering, value, lines),
                Some(what) => Err(what),
            };
            // What cannot be lowered is an error for the path that calls it.
            let lowered = lowered.unwrap_or_else(|what| lowering.refusal(id, &what));
            let place = &mut lowering.module.functions[id.index()];
            *place = Function { name: std::mem::take(&mut place.name), runtime: place.runtime, ..lowered };
        }
    }
    if let Some(starter) = lowering.lower_indirect() {
        lowering.module.constructors.insert(0, starter);
    }
    lowering.module.assembly = text;
    Ok(lowering.module)
}

impl<'p> Lowering<'p> {
    /// Gives every function and variable its id, so that later references find it.
    fn declare_symbols(&mut self) -> Result<(), Failure> {
        for value in self.program.functions() {
            let name = value.name();
            if name.starts_with("llvm.") || !self.reachable.contains(&value) {
                continue;
            }
            self.declare_function(value)?;
        }
        for value in self.program.globals() {
            let name = value.name();
            if name.starts_with("llvm.") || !self.reachable.contains(&value) {
                continue;
            }
            let ty = value.content_type().ok_or_else(|| format!("`{name}` has no type"))?;
            let id = GlobalId::at(self.module.globals.len());
            self.module.globals.push(Global {
                name,
                size: self.program.size(ty),
                alignment: value.alignment().max(self.program.alignment(ty)).max(1),
                constant: value.is_read_only(),
                thread_local: value.is_thread_local(),
                defined: !value.is_declaration(),
                bytes: Vec::new(),
                relocations: Vec::new(),
                unreadable: None,
            });
            self.globals.insert(value, id);
        }
        Ok(())
    }

    /// Gives a function its id, with what its type says.
    fn declare_function(&mut self, value: Value<'p>) -> Result<FunctionId, Failure> {
        let name = value.name();
        let id = FunctionId::at(self.module.functions.len());
        let (result, parameters, variadic) =
            value.content_type().and_then(Type::signature).ok_or_else(|| format!("`{name}` has no type"))?;
        let mut function =
            Function { name, variadic, runtime: !self.program.is_own(value), ..Function::default() };
        let named = if value.is_function() { value.parameters() } else { Vec::new() };
        for (place, ty) in parameters.into_iter().enumerate() {
            let Ok(lanes) = self.lanes(ty) else {
                self.refused.insert(
                    value,
                    format!("`{name}` has a parameter that no register holds", name = function.name),
                );
                break;
            };
            function.parameters.extend(lanes.iter().map(|lane| lane.width));
            let text = named.get(place).map(|parameter| parameter.name()).filter(|text| !text.is_empty());
            let text = text.map(|text| self.text(&text));
            function.names.resize(function.parameters.len(), text);
        }
        function.signature = value.pair(c"func_sanitize").unwrap_or_default();
        function.returns_pointer = matches!(result.kind(), TypeKind::LLVMPointerTypeKind);
        match self.lanes(result) {
            Ok(lanes) => function.results = lanes.iter().map(|lane| lane.width).collect(),
            Err(what) => {
                self.refused.insert(value, what);
            }
        }
        self.module.functions.push(function);
        self.functions.insert(value, id);
        Ok(id)
    }

    /// The body of a function that cannot be lowered.
    fn refusal(&mut self, id: FunctionId, what: &str) -> Function {
        let text = self.text(what);
        let declared = &self.module.functions[id.index()];
        let registers = u32::try_from(declared.parameters.len()).unwrap_or(u32::MAX);
        Function {
            registers,
            code: vec![Instruction::Refuse(text)],
            locations: vec![LocationId(0)],
            ..declared.clone()
        }
    }

    fn initialize_globals(&mut self) -> Result<(), Failure> {
        for value in self.program.globals() {
            let (Some(&id), Some(initial)) = (self.globals.get(&value), value.initializer()) else {
                continue;
            };
            let size = usize::try_from(self.module.globals[id.index()].size).unwrap_or(usize::MAX);
            let mut image = constants::Image { bytes: Vec::new(), relocations: Vec::new() };
            let read = if size > types::MOST_BYTES {
                Err(format!("its {size} bytes are more than the engine takes"))
            } else {
                image.bytes.resize(size, 0);
                self.initialize(&mut image, initial, 0, 0)
            };
            let unreadable =
                read.err().map(|what| self.text(&format!("variable `{}`: {what}", value.name())));
            let global = &mut self.module.globals[id.index()];
            if unreadable.is_some() {
                image = constants::Image { bytes: vec![0], relocations: Vec::new() };
                global.size = 1;
            }
            global.bytes = image.bytes;
            global.relocations = image.relocations;
            global.unreadable = unreadable;
        }
        Ok(())
    }

    /// The functions in a list of those to run before or after `main`, by priority.
    fn functions_in(&self, list: &str) -> Result<Vec<FunctionId>, Failure> {
        let list = self.program.globals().find(|value| value.name() == list);
        let Some(list) = list.and_then(Value::initializer) else { return Ok(Vec::new()) };
        let mut found = Vec::new();
        for index in 0..list.ty().count() {
            let entry = list.constant_element(index);
            let part = |field| entry.and_then(|entry| entry.constant_element(field));
            let priority = part(0).and_then(Value::small_int).unwrap_or(u64::MAX);
            let Some(target) = part(1).filter(|target| !target.is_zero()) else { continue };
            match self.symbol(target) {
                Some((Symbol::Function(id), 0)) => found.push((priority, id)),
                _ => return Err("a constructor or destructor that is no function".to_owned()),
            }
        }
        found.sort_by_key(|(priority, _)| *priority);
        Ok(found.into_iter().map(|(_, id)| id).collect())
    }

    /// The functions whose addresses lie in sections `.init_array`, by the order of these.
    fn initializers(&self) -> Vec<FunctionId> {
        let mut found = Vec::new();
        for value in self.program.globals().filter(|value| self.reachable.contains(value)) {
            let section = value.section();
            if !section.starts_with(".init_array") {
                continue;
            }
            let mut left: Vec<Value<'p>> = value.initializer().into_iter().collect();
            while let Some(value) = left.pop() {
                match self.symbol(value) {
                    Some((Symbol::Function(id), 0)) => found.push((section.clone(), id)),
                    _ => {
                        let parts = (0..value.ty().count()).rev();
                        left.extend(parts.filter_map(|index| value.constant_element(index)));
                    }
                }
            }
        }
        found.sort_by(|left, right| left.0.cmp(&right.0));
        found.into_iter().map(|(_, id)| id).collect()
    }

    fn constant(&mut self, constant: Constant) -> Operand {
        let next = ConstantId::at(self.module.constants.len());
        let id = *self.constants.entry(constant.clone()).or_insert(next);
        if id == next {
            self.module.constants.push(constant);
        }
        Operand::constant(id)
    }

    fn constant_id(&mut self, constant: Constant) -> ConstantId {
        match self.constant(constant).get() {
            Ok(_) => ConstantId(0),
            Err(id) => id,
        }
    }

    /// A constant of up to 128 bits.
    fn wide_bits(&mut self, width: u32, value: u128) -> Operand {
        if width <= 64 {
            return self.bits(width, value as u64);
        }
        let mut bytes = value.to_le_bytes().to_vec();
        bytes.resize(width.div_ceil(8) as usize, 0);
        self.constant(Constant::Wide { width, bytes })
    }

    /// A constant of up to 64 bits.
    fn bits(&mut self, width: u32, value: u64) -> Operand {
        if width > 64 {
            let mut bytes = value.to_le_bytes().to_vec();
            bytes.resize(width.div_ceil(8) as usize, 0);
            return self.constant(Constant::Wide { width, bytes });
        }
        self.constant(Constant::Bits { width, value: value & symexec::base::bits::mask(width) })
    }

    fn text(&mut self, text: &str) -> TextId {
        if let Some(&id) = self.texts.get(text) {
            return id;
        }
        let id = TextId::at(self.module.texts.len());
        self.module.texts.push(text.to_owned());
        self.texts.insert(text.to_owned(), id);
        id
    }

    fn location(&mut self, location: Location) -> LocationId {
        let next = LocationId::at(self.module.locations.len());
        let id = *self.locations.entry(location).or_insert(next);
        if id == next {
            self.module.locations.push(location);
        }
        id
    }

    fn location_of(&mut self, value: Value<'p>) -> LocationId {
        match value.location() {
            None => LocationId(0),
            Some((file, line, column)) => {
                let file = (!file.is_empty()).then(|| self.text(&file));
                self.location(Location { file, line, column })
            }
        }
    }
}
