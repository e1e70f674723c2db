//! The state before the first instruction.

use std::rc::Rc;

use super::environment::{Entry, Environment, OUTPUT_INPUT, OUTPUT_SIZE, variable_input};
use super::{Executor, Frame, StartError, State, Trail};
use crate::base::bits::{BinaryOp, mask};
use crate::memory::{Kind, Memory, NewObject, ObjectId, Value};
use crate::module::{FunctionId, Global, LocationId, Symbol};

/// The runtime's function that starts a program whose arguments or files are unknown.
pub const START: &str = "__symexec_start";

/// The runtime's function that ends a program whose `main` has returned.
pub const FINISH: &str = "__symexec_finish";

impl Executor<'_> {
    pub(super) fn initial_state(&mut self) -> Result<State, StartError> {
        let module = self.module;
        let entry = module
            .function(&self.config.entry)
            .filter(|id| module.functions[id.index()].is_defined())
            .ok_or_else(|| StartError::NoEntry(self.config.entry.clone()))?;
        let memory = Memory::new(self.config.placement, self.config.symbolic_bases);
        #[cfg(feature = "plant")]
        let memory = memory.ignoring_overlaps(self.config.ignore_overlaps);
        let mut state = State {
            id: self.next_state,
            frames: Vec::new(),
            memory,
            constraints: Rc::default(),
            facts: Rc::default(),
            assumed: rpds::RedBlackTreeSet::new(),
            inputs: Rc::default(),
            names: Rc::default(),
            preferences: Rc::default(),
            targets: rpds::RedBlackTreeMap::new(),
            whereabouts: rpds::RedBlackTreeMap::new(),
            landings: rpds::RedBlackTreeMap::new(),
            landing_numbers: rpds::RedBlackTreeMap::new(),
            stack: 0,
            stacks: rpds::RedBlackTreeMap::new(),
            stack_places: rpds::RedBlackTreeMap::new(),
            aliases: rpds::RedBlackTreeMap::new(),
            meetings: Vec::new(),
            large_sizes: rpds::RedBlackTreeMap::new(),
            depth: 0,
            trail: Trail::default(),
            shown: false,
            dear: None,
            fresh: false,
            new_coverage: false,
            since_new: None,
            is_example: false,
            reads: 0,
            spent: 0,
            questions: 0,
            seeds: self.seeds_of_the_start(),
            replay: self.replayed,
            new_lines: Rc::default(),
            branches: rpds::Vector::new(),
            selected: rpds::RedBlackTreeSet::new(),
            choices: rpds::Vector::new(),
            forks: true,
            globals: Rc::default(),
            functions: Rc::default(),
            errno: ObjectId(0),
        };
        self.next_state += 1;
        self.make_globals(&mut state)?;
        match &self.config.environment {
            None => {
                let arguments = self.arguments(&mut state, entry)?;
                self.push(&mut state, entry, arguments.clone());
                self.initialize(&mut state, &arguments);
            }
            Some(environment) => {
                let start = module.function(START).filter(|id| module.functions[id.index()].is_defined());
                let start = start.ok_or_else(|| StartError::NoEntry(START.to_owned()))?;
                self.variables(&mut state)?;
                let arguments = self.entries(&mut state, environment)?;
                self.push(&mut state, start, arguments);
            }
        }
        // Constructors run before, each returning to the next.
        for constructor in module.constructors.iter().rev() {
            if module.functions[constructor.index()].is_defined() {
                self.push(&mut state, *constructor, Vec::new());
            }
        }
        Ok(state)
    }

    fn new_object(
        &mut self,
        state: &mut State,
        kind: Kind,
        size: u64,
        alignment: u64,
    ) -> Result<ObjectId, StartError> {
        let new = NewObject { kind, size, alignment, site: LocationId(0) };
        state.memory.allocate(&mut self.allocator, new).ok_or(StartError::TooLarge)
    }

    fn make_globals(&mut self, state: &mut State) -> Result<(), StartError> {
        let module = self.module;
        let (mut functions, mut globals) = (Vec::new(), Vec::new());
        for index in 0..module.functions.len() {
            functions.push(self.new_object(state, Kind::Function(FunctionId::at(index)), 1, 16)?);
        }
        for global in &module.globals {
            globals.push(self.new_object(state, Kind::Global, global.size, global.alignment)?);
        }
        state.errno = self.new_object(state, Kind::Global, 4, 4)?;
        for (global, id) in module.globals.iter().zip(&globals) {
            self.fill(state, global, *id, (&globals, &functions));
            state.memory.mark(*id, |object| {
                object.read_only = global.constant;
                object.undefined = !global.defined || global.unreadable.is_some();
            });
        }
        state.globals = Rc::new(globals);
        state.functions = Rc::new(functions);
        Ok(())
    }

    /// Gives a global variable its initial value.
    pub(super) fn fill(
        &mut self,
        state: &mut State,
        global: &Global,
        id: ObjectId,
        (globals, functions): (&[ObjectId], &[ObjectId]),
    ) {
        state.memory.store_bytes(&mut self.arena, &mut self.allocator, id, 0, &global.bytes);
        for relocation in &global.relocations {
            let place = |symbol: Symbol, offset: i64| {
                let object = match symbol {
                    Symbol::Global(target) => globals[target.index()],
                    Symbol::Function(target) => functions[target.index()],
                };
                Value::Pointer { object, offset: offset as u64 }
            };
            let mut value = place(relocation.symbol, relocation.addend);
            let bytes = relocation.bytes;
            if let Some((symbol, offset)) = relocation.less {
                let one = self.expression(state, value, 64);
                let other = self.expression(state, place(symbol, offset), 64);
                let distance = self.arena.binary(BinaryOp::Sub, one, other);
                let distance = self.arena.extract(distance, 0, bytes * 8);
                value = self.value(distance);
            }
            state.memory.store(&mut self.arena, &mut self.allocator, id, relocation.offset, bytes, value);
        }
    }

    /// What `main` is called with: a count, strings, and the environment. A function that a user starts
    /// with gets as many of these as it has parameters, as in KLEE.
    fn arguments(&mut self, state: &mut State, entry: FunctionId) -> Result<Vec<Value>, StartError> {
        let parameters = &self.module.functions[entry.index()].parameters;
        if parameters.len() > 3 || parameters.first().is_some_and(|width| *width > 64) {
            return Err(StartError::Parameters(self.config.entry.clone()));
        }
        let config = self.config;
        let count = config.arguments.len() as u64;
        let texts: Vec<&[u8]> = config.arguments.iter().map(String::as_bytes).collect();
        let table = self.strings(state, &texts)?;
        let environment = self.variables(state)?;
        let first = parameters.first().map_or(u64::MAX, |width| mask(*width));
        let all = [
            Value::Bits(count & first),
            Value::Pointer { object: table, offset: 0 },
            Value::Pointer { object: environment, offset: 0 },
        ];
        Ok(all[..parameters.len()].to_vec())
    }

    /// The environment, which the program's `environ` points to as well.
    fn variables(&mut self, state: &mut State) -> Result<ObjectId, StartError> {
        let variables: Vec<&[u8]> = self.config.variables.iter().map(Vec::as_slice).collect();
        let table = self.strings(state, &variables)?;
        for name in ["environ", "__environ", "_environ"] {
            let known = self.module.globals.iter().position(|global| global.name == name && global.size == 8);
            if let Some(object) = known.and_then(|place| state.globals.get(place)).copied()
                && !variables.is_empty()
            {
                let value = Value::Pointer { object: table, offset: 0 };
                state.memory.store(&mut self.arena, &mut self.allocator, object, 0, 8, value);
            }
        }
        Ok(table)
    }

    /// A table of strings, null behind the last one.
    fn strings(&mut self, state: &mut State, texts: &[&[u8]]) -> Result<ObjectId, StartError> {
        let table = self.new_object(state, Kind::Global, (texts.len() as u64 + 1) * 8, 8)?;
        for (place, text) in (0u64..).zip(texts) {
            let string = self.new_object(state, Kind::Global, text.len() as u64 + 1, 1)?;
            state.memory.store_bytes(&mut self.arena, &mut self.allocator, string, 0, text);
            let value = Value::Pointer { object: string, offset: 0 };
            state.memory.store(&mut self.arena, &mut self.allocator, table, place * 8, 8, value);
        }
        Ok(table)
    }

    /// What the runtime's start is called with: a table of entries (`start.c` has their layout) and
    /// their number.
    fn entries(&mut self, state: &mut State, environment: &Environment) -> Result<Vec<Value>, StartError> {
        const ENTRY: u64 = 48;
        const ARGUMENT: u32 = 0;
        const UNKNOWN_ARGUMENTS: u32 = 1;
        const NAMED_FILE: u32 = 2;
        const STANDARD_INPUT: u32 = 3;
        const FAILURES: u32 = 4;
        const VARIABLE: u32 = 5;
        const METADATA: u32 = 6;
        const OUTPUT: u32 = 7;
        const PROCESSES: u32 = 8;
        let program = Entry::Argument(self.config.arguments.first().cloned().unwrap_or_default());
        let count = environment.entries.len() as u64 + 1;
        let table = self.new_object(state, Kind::Global, count * ENTRY, 8)?;
        for (place, entry) in (0u64..).zip(std::iter::once(&program).chain(&environment.entries)) {
            // kind, least, most, whether all is known; size; then three strings, null if absent.
            let (numbers, size, texts) = match entry {
                Entry::Argument(text) => {
                    ([ARGUMENT, 1, 1, 1], 0, [Some(text.as_bytes().to_vec()), None, None])
                }
                Entry::Unknown { least, most, length } => {
                    ([UNKNOWN_ARGUMENTS, *least, *most, 0], *length, [None, None, None])
                }
                Entry::Variable { name, length } => {
                    let input = variable_input(name).into_bytes();
                    ([VARIABLE, 0, 0, 0], *length, [Some(name.clone().into_bytes()), Some(input), None])
                }
                Entry::Metadata => ([METADATA, 0, 0, 0], 0, [None, None, None]),
                Entry::Output => {
                    let input = OUTPUT_INPUT.as_bytes().to_vec();
                    ([OUTPUT, 0, 0, 0], OUTPUT_SIZE, [None, Some(input), None])
                }
                Entry::Processes(follow) => ([PROCESSES, 0, follow.bits(), 0], 0, [None, None, None]),
                Entry::Failures { most } => ([FAILURES, 0, *most, 0], 0, [None, None, None]),
                Entry::File(file) => {
                    let kind = if file.name.is_some() { NAMED_FILE } else { STANDARD_INPUT };
                    // Standard input has a name that no program can open.
                    let name = file.name.clone().unwrap_or_default().into_bytes();
                    let input = file.input_name().into_bytes();
                    let texts = [Some(name), Some(input), file.shape.clone()];
                    ([kind, 0, 0, u32::from(file.is_known() && file.shape.is_some())], file.size, texts)
                }
            };
            let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
            bytes.extend(size.to_le_bytes());
            state.memory.store_bytes(&mut self.arena, &mut self.allocator, table, place * ENTRY, &bytes);
            for (field, text) in (0u64..).zip(texts) {
                let Some(text) = text else { continue };
                let string = self.new_object(state, Kind::Global, text.len() as u64 + 1, 1)?;
                state.memory.store_bytes(&mut self.arena, &mut self.allocator, string, 0, &text);
                let value = Value::Pointer { object: string, offset: 0 };
                let at = place * ENTRY + 24 + field * 8;
                state.memory.store(&mut self.arena, &mut self.allocator, table, at, 8, value);
            }
        }
        Ok(vec![Value::Pointer { object: table, offset: 0 }, Value::Bits(count)])
    }

    /// The activation that follows the end of `main`: registered functions run, if the program registers
    /// any. `None` if the path just ends.
    pub(super) fn finish(&mut self, state: &mut State, status: Option<Value>) -> Option<()> {
        let finish = self.module.function(FINISH)?;
        if !self.module.functions[finish.index()].is_defined() || state.position().0 == finish {
            return None;
        }
        state.frames.clear();
        self.push(state, finish, vec![status.unwrap_or_default()]);
        Some(())
    }

    /// Puts the program's initializers on top of `main`, which has just been entered with these arguments.
    pub(super) fn initialize(&mut self, state: &mut State, arguments: &[Value]) {
        for initializer in self.module.initializers.iter().rev() {
            let function = &self.module.functions[initializer.index()];
            if function.is_defined() {
                let mut arguments = arguments.to_vec();
                arguments.resize(function.parameters.len(), Value::Bits(0));
                self.push(state, *initializer, arguments);
            }
        }
    }

    /// Puts an activation with these arguments on top.
    fn push(&mut self, state: &mut State, function: FunctionId, arguments: Vec<Value>) {
        let registers = self.module.functions[function.index()].registers;
        state.frames.push(Rc::new(Frame::entering(function, registers as usize, arguments)));
    }
}
