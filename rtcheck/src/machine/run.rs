//! The loop that executes instructions, choicepoints and backtracking.
//!
//! Length: the loop is one match over all instructions, which the compiler turns into one jump table.

use super::{
    Address, Arithmetic, Choice, ENVIRONMENT_HEADER, Instruction, Machine, REGISTERS, Test, Throw, fixed,
};
use crate::term::{Atom, Cell, Tag, atom, compare, identical};

/// Why the loop ended.
enum Exit {
    /// The run did, with success or failure.
    Ended(bool),
    /// The other form of the loop goes on at an address.
    Changed(Address),
}

impl Machine {
    /// Executes instructions from an address until the run ends. The loop's own state is in local variables;
    /// everything that backtracking or a call must find is in the machine.
    pub(super) fn execute(&mut self, start: Address) -> Result<bool, Throw> {
        let outer = self.waking;
        let mut address = start;
        let result = loop {
            self.waking = self.is_watched();
            let exit = if self.waking {
                self.store.loop_knows_attributes();
                self.steps::<true>(address)
            } else {
                self.steps::<false>(address)
            };
            match exit {
                Ok(Exit::Ended(succeeded)) => break Ok(succeeded),
                Ok(Exit::Changed(next)) => address = next,
                Err(thrown) => break Err(thrown),
            }
        };
        self.waking = outer;
        result
    }

    /// Whether the form of the loop is needed that looks before each instruction.
    fn is_watched(&self) -> bool {
        self.store.has_attributes() || self.depths.are_limited()
    }

    /// The loop, in two forms: `WAKING` looks before each instruction whether variables with attributes were bound, and
    /// how deep calls are, and is used while there are any or that is limited; the other one does nothing for their
    /// sake.
    fn steps<const WAKING: bool>(&mut self, start: Address) -> Result<Exit, Throw> {
        use Instruction as I;
        let mut p = start as usize;
        macro_rules! fail {
            () => {{
                p = self.backtrack() as usize;
                if WAKING {
                    self.store.forget_woken(0);
                    self.depths.return_to(self.choices.len());
                    if !self.is_watched() {
                        return Ok(Exit::Changed(p as Address));
                    }
                }
                continue;
            }};
        }
        macro_rules! bind {
            ($variable:expr, $value:expr) => {
                if !self.store.bind($variable.index(), $value) {
                    fail!();
                }
            };
        }
        macro_rules! y {
            ($slot:expr) => {
                self.environments[self.environment + ENVIRONMENT_HEADER + $slot as usize]
            };
        }
        macro_rules! x {
            ($register:expr) => {
                self.x[$register as usize]
            };
        }
        // What throws says where.
        macro_rules! attempt {
            ($here:expr, $outcome:expr) => {
                match $outcome {
                    Ok(value) => value,
                    Err(thrown) => {
                        self.failed_at = $here as Address;
                        return Err(thrown);
                    }
                }
            };
        }
        loop {
            let here = p;
            p += 1;
            if WAKING {
                if self.depths.are_limited() && self.is_too_deep(here as Address) {
                    fail!();
                }
                self.store.cover_attributed();
                if self.store.woken() > 0 && super::wake::is_place(self.code[here]) {
                    p = self.wake(here as Address) as usize;
                    continue;
                }
            }
            // Fields are read where they are needed: a copy of the instruction would fill the processor's registers.
            match self.code[here] {
                I::Move(from, to) => x!(to) = x!(from),
                I::Moves(from, to, other_from, other_to) => {
                    x!(to) = x!(from);
                    x!(other_to) = x!(other_from);
                }
                I::GetList(a, build) => {
                    let cell = self.store.deref(x!(a));
                    match cell.tag() {
                        Tag::Lis => self.next = cell.index(),
                        Tag::Ref => {
                            let list = Cell::list(self.store.len());
                            bind!(cell, list);
                            p = build as usize;
                        }
                        _ => fail!(),
                    }
                }
                I::GetListVariables(a, head, tail) => {
                    let cell = self.store.deref(x!(a));
                    match cell.tag() {
                        Tag::Lis => {
                            let [first, second] = self.store.pair(cell.index());
                            x!(head) = first;
                            x!(tail) = second;
                        }
                        Tag::Ref => {
                            let index = self.store.len();
                            let (first, second) = (Cell::reference(index), Cell::reference(index + 1));
                            self.store.push_pair(first, second);
                            bind!(cell, Cell::list(index));
                            x!(head) = first;
                            x!(tail) = second;
                        }
                        _ => fail!(),
                    }
                }
                I::GetListValue(a, head, tail) => {
                    let cell = self.store.deref(x!(a));
                    match cell.tag() {
                        Tag::Lis => {
                            let [first, second] = self.store.pair(cell.index());
                            if !self.store.unify(x!(head), first) {
                                fail!();
                            }
                            x!(tail) = second;
                        }
                        Tag::Ref => {
                            let index = self.store.len();
                            let second = Cell::reference(index + 1);
                            self.store.push_pair(x!(head), second);
                            bind!(cell, Cell::list(index));
                            x!(tail) = second;
                        }
                        _ => fail!(),
                    }
                }
                I::GetStructure(a, build, functor) => {
                    let cell = self.store.deref(x!(a));
                    match cell.tag() {
                        Tag::Str if self.store.at(cell.index()) == functor => self.next = cell.index() + 1,
                        Tag::Ref => {
                            let structure = Cell::structure(self.store.push(functor));
                            bind!(cell, structure);
                            p = build as usize;
                        }
                        _ => fail!(),
                    }
                }
                I::GetConstant(a, constant) => {
                    let cell = self.store.deref(x!(a));
                    if cell.tag() == Tag::Ref {
                        bind!(cell, constant);
                    } else if cell != constant {
                        fail!();
                    }
                }
                I::GetVariableY(slot, a) => y!(slot) = x!(a),
                I::GetVariablesY(slot, a, other, b) => {
                    y!(slot) = x!(a);
                    y!(other) = x!(b);
                }
                I::GetValueX(a, b) => {
                    if !self.store.unify(x!(a), x!(b)) {
                        fail!();
                    }
                }
                I::GetValueY(slot, a) => {
                    if !self.store.unify(y!(slot), x!(a)) {
                        fail!();
                    }
                }

                I::UnifyVariableX(a) => {
                    x!(a) = self.store.at(self.next);
                    self.next += 1;
                }
                I::UnifyVariables(a, b) => {
                    let [first, second] = self.store.pair(self.next);
                    x!(a) = first;
                    x!(b) = second;
                    self.next += 2;
                }
                I::UnifyVariableY(slot) => {
                    y!(slot) = self.store.at(self.next);
                    self.next += 1;
                }
                I::UnifyValueX(a) => {
                    if !self.store.unify(x!(a), Cell::reference(self.next)) {
                        fail!();
                    }
                    self.next += 1;
                }
                I::UnifyValueY(slot) => {
                    if !self.store.unify(y!(slot), Cell::reference(self.next)) {
                        fail!();
                    }
                    self.next += 1;
                }
                I::UnifyConstant(constant) => {
                    let cell = self.store.deref(self.store.at(self.next));
                    if cell.tag() == Tag::Ref {
                        bind!(cell, constant);
                    } else if cell != constant {
                        fail!();
                    }
                    self.next += 1;
                }
                I::UnifyVoid(count) => self.next += count as usize,
                I::UnifyTailList(build) => {
                    let cell = self.store.deref(self.store.at(self.next));
                    match cell.tag() {
                        Tag::Lis => self.next = cell.index(),
                        Tag::Ref => {
                            let list = Cell::list(self.store.len());
                            bind!(cell, list);
                            p = build as usize;
                        }
                        _ => fail!(),
                    }
                }
                I::UnifyTailStructure(build, functor) => {
                    let cell = self.store.deref(self.store.at(self.next));
                    match cell.tag() {
                        Tag::Str if self.store.at(cell.index()) == functor => self.next = cell.index() + 1,
                        Tag::Ref => {
                            let structure = Cell::structure(self.store.push(functor));
                            bind!(cell, structure);
                            p = build as usize;
                        }
                        _ => fail!(),
                    }
                }

                I::PutVariableX(a) => x!(a) = self.store.variable(),
                I::PutVariableY(slot, a) => {
                    let variable = self.store.variable();
                    y!(slot) = variable;
                    x!(a) = variable;
                }
                I::PutValueY(slot, a) => x!(a) = y!(slot),
                I::PutValuesY(slot, a, other, b) => {
                    x!(a) = y!(slot);
                    x!(b) = y!(other);
                }
                I::PutConstant(a, constant) => x!(a) = constant,
                I::PutBoxed(a, number) => {
                    let cell = self
                        .numbers
                        .get(number)
                        .map_or(Cell::int(0), |number| number.restore(&mut self.store));
                    x!(a) = cell;
                }
                I::PutStructure(a, functor) => x!(a) = Cell::structure(self.store.push(functor)),
                I::PutList(a) => x!(a) = Cell::list(self.store.len()),
                I::FillStructure(a, functor) => {
                    let structure = Cell::structure(self.store.push(functor));
                    let slot = x!(a).index();
                    self.store.cells[slot] = structure;
                }
                I::FillList(a) => {
                    let list = Cell::list(self.store.len());
                    let slot = x!(a).index();
                    self.store.cells[slot] = list;
                }
                I::SetVariableX(a) => x!(a) = self.store.variable(),
                I::SetVariableY(slot) => y!(slot) = self.store.variable(),
                I::SetValueX(a) => {
                    self.store.push(x!(a));
                }
                I::SetValuesX(a, b) => self.store.push_pair(x!(a), x!(b)),
                I::SetValueY(slot) => {
                    self.store.push(y!(slot));
                }
                I::SetConstant(constant) => {
                    self.store.push(constant);
                }
                I::SetVoid(count) => {
                    for _ in 0..count {
                        self.store.variable();
                    }
                }
                I::SetTailList => {
                    let list = Cell::list(self.store.len() + 1);
                    self.store.push(list);
                }
                I::SetTailStructure(functor) => {
                    let structure = Cell::structure(self.store.len() + 1);
                    self.store.push_pair(structure, functor);
                }

                I::Allocate(slots) => self.allocate(slots),
                I::Deallocate => self.deallocate(),
                I::DeallocateProceed => {
                    self.deallocate();
                    p = self.continuation as usize;
                }
                I::DeallocateExecute(predicate) => {
                    self.deallocate();
                    self.cut_barrier = self.choices.len();
                    self.fuel -= 1;
                    if self.fuel == 0 {
                        attempt!(here, self.look_up(predicate));
                    }
                    p = self.predicates[predicate.0 as usize].entry as usize;
                }
                I::Call(predicate, _) => {
                    self.continuation = p as Address;
                    self.cut_barrier = self.choices.len();
                    self.fuel -= 1;
                    if self.fuel == 0 {
                        attempt!(here, self.look_up(predicate));
                    }
                    p = self.predicates[predicate.0 as usize].entry as usize;
                }
                I::Execute(predicate) => {
                    self.cut_barrier = self.choices.len();
                    self.fuel -= 1;
                    if self.fuel == 0 {
                        attempt!(here, self.look_up(predicate));
                    }
                    p = self.predicates[predicate.0 as usize].entry as usize;
                }
                I::CallBody(predicate) => {
                    self.continuation = p as Address;
                    self.cut_barrier = self.choices.len();
                    p = self.predicates[predicate.0 as usize].body as usize;
                }
                I::Proceed => p = self.continuation as usize,
                I::Jump(address) => p = address as usize,

                I::Switch(table) => {
                    let table = self.table_at(table);
                    let cell = self.store.deref(self.x[table.argument as usize]);
                    let address = match cell.tag() {
                        Tag::Ref => table.variable,
                        Tag::Lis => table.list,
                        Tag::Str => table.cases.get(self.store.at(cell.index())).unwrap_or(table.other),
                        Tag::Atm | Tag::Int | Tag::Txt => table.cases.get(cell).unwrap_or(table.other),
                        _ => table.other,
                    };
                    p = address as usize;
                }
                I::SwitchList(a, variable, list, empty) => {
                    let cell = self.store.deref(x!(a));
                    let address = match cell.tag() {
                        Tag::Lis => list,
                        Tag::Ref => variable,
                        _ if cell == Cell::atom(atom::NIL) => empty,
                        _ => fixed::FAIL,
                    };
                    p = address as usize;
                }
                I::SwitchListVariables(a, head, tail, variable, empty) => {
                    let cell = self.store.deref(x!(a));
                    match cell.tag() {
                        Tag::Lis => {
                            let [first, second] = self.store.pair(cell.index());
                            x!(head) = first;
                            x!(tail) = second;
                            // Behind this the clause begins with the same for itself.
                            p += 1;
                        }
                        Tag::Ref => p = variable as usize,
                        _ if cell == Cell::atom(atom::NIL) => p = empty as usize,
                        _ => fail!(),
                    }
                }
                I::JumpIfFree(a, address) => {
                    let cell = self.store.deref(x!(a));
                    if cell.tag() == Tag::Ref && cell.index() >= self.store.watched {
                        p = address as usize;
                    }
                }
                I::MatchConstant(a, otherwise, constant) => {
                    if self.store.deref(x!(a)) != constant {
                        p = otherwise as usize;
                    }
                }
                I::MatchList(a, otherwise) => {
                    let cell = self.store.deref(x!(a));
                    self.next = cell.index();
                    if cell.tag() != Tag::Lis {
                        p = otherwise as usize;
                    }
                }
                I::MatchStructure(a, otherwise, functor) => {
                    let cell = self.store.deref(x!(a));
                    if cell.tag() == Tag::Str && self.store.at(cell.index()) == functor {
                        self.next = cell.index() + 1;
                    } else {
                        p = otherwise as usize;
                    }
                }
                I::MatchValue(a, b, otherwise, unknown) => {
                    let (left, right) = (self.store.deref(x!(a)), self.store.deref(x!(b)));
                    if left != right {
                        // Compound terms may have variables inside, and boxed numbers may be equal.
                        let differ = left.tag() != Tag::Ref
                            && right.tag() != Tag::Ref
                            && (left.tag() != right.tag() || left.is_immediate());
                        p = if differ { otherwise as usize } else { unknown as usize };
                    }
                }
                I::Try(address, arity) => {
                    self.push_choice(arity as usize, p as Address);
                    p = address as usize;
                }
                I::Retry(address) => {
                    if let Some(choice) = self.choices.last_mut() {
                        choice.alternative = p as Address;
                    }
                    self.cut_barrier = self.choices.len() - 1;
                    p = address as usize;
                }
                I::Trust(address) => {
                    self.pop_choice();
                    self.cut_barrier = self.choices.len();
                    p = address as usize;
                }
                I::TryElse(address) => self.push_choice(0, address),
                I::TrustElse(_) => self.pop_choice(),
                I::SaveLevel(slot) => y!(slot) = Cell::count(self.choices.len()),
                I::SaveCut(slot) => y!(slot) = Cell::count(self.cut_barrier),
                I::Cut(slot) => {
                    let level = y!(slot).int_value() as usize;
                    self.cut_to(level);
                    if self.cleanups.is_due() {
                        self.waiting_at = p as Address;
                        attempt!(here, self.run_cleanups());
                        if !WAKING && self.store.has_attributes() {
                            return Ok(Exit::Changed(p as Address));
                        }
                    }
                }
                I::RestoreCut(slot) => self.cut_barrier = y!(slot).int_value() as usize,
                I::NeckCut => self.cut_to(self.cut_barrier),
                I::SoftCut(slot) => {
                    let level = y!(slot).int_value() as usize;
                    if level + 1 == self.choices.len() {
                        self.cut_to(level);
                    } else if let Some(choice) = self.choices.get_mut(level) {
                        choice.alternative = fixed::POP_FAIL;
                    }
                }
                I::Fail => fail!(),
                I::PopFail => {
                    self.pop_choice();
                    fail!();
                }
                I::Cleanup => p = self.fail_into_cleanup() as usize,

                I::Test(test, a, otherwise) => {
                    let cell = self.store.deref(x!(a));
                    if !self.passes(test, cell) {
                        p = otherwise as usize;
                    }
                }
                I::CompareTerms(comparison, a, b, otherwise) => {
                    let (left, right) = (x!(a), x!(b));
                    let holds = match comparison {
                        super::Comparison::Equal => identical(&self.store, &self.atoms, left, right),
                        super::Comparison::NotEqual => !identical(&self.store, &self.atoms, left, right),
                        _ => comparison.accepts(compare(&self.store, &self.atoms, left, right)),
                    };
                    if !holds {
                        p = otherwise as usize;
                    }
                }
                I::CompareNumbers(comparison, a, b, otherwise) => {
                    let (left, right) = (self.store.deref(x!(a)), self.store.deref(x!(b)));
                    let holds = if left.tag() == Tag::Int && right.tag() == Tag::Int {
                        comparison.accepts(left.int_value().cmp(&right.int_value()))
                    } else {
                        attempt!(here, self.compare_numbers(comparison, left, right))
                    };
                    if !holds {
                        p = otherwise as usize;
                    }
                }
                I::CompareSmall(comparison, a, number, otherwise) => {
                    let left = self.store.deref(x!(a));
                    let holds = if left.tag() == Tag::Int {
                        comparison.accepts(left.int_value().cmp(&i64::from(number)))
                    } else {
                        attempt!(here, self.compare_numbers(comparison, left, Cell::int(i64::from(number))))
                    };
                    if !holds {
                        p = otherwise as usize;
                    }
                }
                I::Evaluate(a, to) => {
                    let cell = self.store.deref(x!(a));
                    x!(to) = if cell.tag() == Tag::Int {
                        cell
                    } else {
                        let value = attempt!(here, self.evaluate(cell));
                        self.store.make_number(&value)
                    };
                }
                I::AddSmall(a, to, addend) => {
                    let cell = self.store.deref(x!(a));
                    // Cells hold 61 bits, so the sum of one and a 32-bit number fits into 64.
                    let sum =
                        (cell.tag() == Tag::Int).then(|| Cell::small(cell.int_value() + i64::from(addend)));
                    x!(to) = match sum.flatten() {
                        Some(sum) => sum,
                        None => attempt!(
                            here,
                            self.arithmetic(Arithmetic::Add, cell, Cell::int(i64::from(addend)))
                        ),
                    };
                }
                I::Add(a, b, to) => {
                    let (left, right) = (self.store.deref(x!(a)), self.store.deref(x!(b)));
                    x!(to) = attempt!(here, self.arithmetic(Arithmetic::Add, left, right));
                }
                I::Subtract(a, b, to) => {
                    let (left, right) = (self.store.deref(x!(a)), self.store.deref(x!(b)));
                    x!(to) = attempt!(here, self.arithmetic(Arithmetic::Subtract, left, right));
                }
                I::Arithmetic(operation, a, b, to) => {
                    let (left, right) = (self.store.deref(x!(a)), self.store.deref(x!(b)));
                    x!(to) = attempt!(here, self.arithmetic(operation, left, right));
                }
                I::Unify(a, b) => {
                    if !self.store.unify(x!(a), x!(b)) {
                        fail!();
                    }
                }
                I::Builtin(builtin, base) => {
                    self.base = base as usize;
                    self.waiting_at = p as Address;
                    if !attempt!(here, self.builtins[builtin as usize](self)) {
                        fail!();
                    }
                    if self.collectable() > self.store.collect_at {
                        if let Some(next) = self.take_next_call(p as Address) {
                            p = next as usize;
                            continue;
                        }
                        self.store.loop_knows_attributes();
                        if WAKING != self.is_watched() {
                            return Ok(Exit::Changed(p as Address));
                        }
                        if self.collectable() > self.store.collect_at {
                            self.look_up_soon();
                        }
                    }
                }
                I::Collect => {
                    // What waits for variables is not called yet, and nothing else holds it.
                    if !WAKING || self.store.woken() == 0 {
                        self.collect(0);
                    }
                }

                I::EnterContract(contract) => {
                    p = self.enter_contract(contract, p as Address) as usize;
                }
                I::EnterProved(contract, back) => p = self.enter_proved(contract, back) as usize,
                I::EnterTrusted(second) => {
                    if self.trusts_proofs() && self.guarded.is_none() {
                        p = second as usize;
                    }
                }
                I::LeaveContract(contract) => p = self.leave_contract(contract, p as Address) as usize,
                I::ResumeContract(contract) => p = self.resume_contract(contract, p as Address) as usize,
                I::ContractBody => p = self.contract_body() as usize,
                I::Shift => p = attempt!(here, self.shift()) as usize,
                I::Continue => p = attempt!(here, self.call_continuation()) as usize,

                I::Traced(predicate, outside) => p = self.traced(predicate, outside) as usize,
                I::Forward(predicate) => p = self.forward(predicate) as usize,
                I::MetaCall(additional) => p = attempt!(here, self.meta_call(additional as usize)) as usize,
                I::PushCatch => {
                    self.push_choice(3, fixed::POP_FAIL);
                    y!(0) = Cell::count(self.choices.len() - 1);
                }
                I::PopCatch => {
                    let level = y!(0).int_value() as usize;
                    if level + 1 == self.choices.len() {
                        self.cut_to(level);
                    }
                }
                I::Dynamic(predicate) => p = attempt!(here, self.first_clause(predicate)) as usize,
                I::DynamicNext => p = self.next_clause() as usize,
                I::Undefined(predicate) => p = attempt!(here, self.undefined(predicate)) as usize,
                I::Stop => return Ok(Exit::Ended(true)),
                I::StopFail => return Ok(Exit::Ended(false)),
            }
        }
    }

    pub(super) fn environment_top(&self) -> usize {
        let size = self.environments[self.environment + 2].int_value() as usize & 0xffff;
        let top = self.environment + ENVIRONMENT_HEADER + size;
        self.choices.last().map_or(top, |choice| top.max(choice.environment_top))
    }

    #[inline]
    pub(super) fn allocate(&mut self, slots: u16) {
        let start = self.environment_top();
        let end = start + ENVIRONMENT_HEADER + slots as usize;
        if end > self.environments.len() {
            self.environments.resize(2 * end, Cell::int(0));
        }
        let depth = self.environments[self.environment + 2].int_value() >> 16;
        // Slots keep what dead environments left: nobody reads them before they are written.
        self.environments[start] = Cell::count(self.environment);
        self.environments[start + 1] = Cell::count(self.continuation as usize);
        self.environments[start + 2] = Cell::int((depth + 1) << 16 | i64::from(slots));
        self.environment = start;
    }

    #[inline]
    pub(super) fn deallocate(&mut self) {
        self.continuation = self.environments[self.environment + 1].int_value() as Address;
        self.environment = self.environments[self.environment].int_value() as usize;
    }

    /// Makes a choicepoint that saves this many argument registers.
    #[inline]
    pub(super) fn push_choice(&mut self, arity: usize, alternative: Address) {
        let environment_top = self.environment_top();
        let arguments = self.choice_arguments.len();
        // Few arguments are copied without a call of memcpy.
        match self.x[..arity] {
            [] => {}
            [a] => self.choice_arguments.push(a),
            [a, b] => self.choice_arguments.extend_from_slice(&[a, b]),
            [a, b, c] => self.choice_arguments.extend_from_slice(&[a, b, c]),
            [a, b, c, d] => self.choice_arguments.extend_from_slice(&[a, b, c, d]),
            ref many => self.choice_arguments.extend_from_slice(many),
        }
        let mark = self.checker.mark();
        self.choices.push(Choice {
            alternative,
            continuation: self.continuation,
            environment: self.environment,
            environment_top,
            store: self.store.len(),
            trail: self.store.trail.len(),
            arguments,
            mark,
        });
        self.store.boundary = self.store.len();
    }

    #[inline]
    pub(super) fn pop_choice(&mut self) {
        if let Some(choice) = self.choices.pop() {
            self.choice_arguments.truncate(choice.arguments);
        }
        self.store.boundary = self.choices.last().map_or(0, |choice| choice.store);
    }

    /// Drops choicepoints until this many are left.
    #[inline]
    pub(crate) fn cut_to(&mut self, count: usize) {
        if count < self.choices.len() {
            if self.cleanups.concerned(count) {
                self.take_cleanups(count);
            }
            self.choice_arguments.truncate(self.choices[count].arguments);
            self.choices.truncate(count);
            self.store.boundary = self.choices.last().map_or(0, |choice| choice.store);
        }
    }

    /// Writes a cell so that backtracking leaves it as it is. What it refers to must be new and its own: it is kept
    /// from now on at every choicepoint there is, which costs their number.
    pub(crate) fn assign_forever(&mut self, index: usize, value: Cell) {
        self.store.cells[index] = value;
        if value.is_immediate() {
            return;
        }
        let length = self.store.len();
        // Below the floor of the innermost run nothing is collected or moved: what a cell there refers to must
        // come to lie there as well. Else the floor stays, so that what is above can be collected.
        let below = self.choices.get(self.run_base).is_some_and(|base| index < base.store);
        let first = if below { 0 } else { (self.run_base + 1).min(self.choices.len()) };
        for choice in &mut self.choices[first..] {
            choice.store = length;
        }
        self.store.boundary = self.choices.last().map_or(0, |choice| choice.store);
    }

    /// How many choicepoints there are.
    pub(crate) fn level(&self) -> usize {
        self.choices.len()
    }

    /// Returns to the newest choicepoint and gives the address to continue at.
    #[inline]
    pub(super) fn backtrack(&mut self) -> Address {
        self.restore_choice();
        self.choices.last().map_or(fixed::STOP_FAIL, |choice| choice.alternative)
    }

    /// Brings stacks, bindings and argument registers back to how they were at the newest choicepoint, and
    /// forgets what was checked since: the bindings that made it true are gone.
    #[inline]
    pub(super) fn restore_choice(&mut self) {
        let Some(&choice) = self.choices.last() else { return };
        let mark = self.checker.backtrack(&self.store, choice.mark, choice.trail, choice.store);
        if let Some(choice) = self.choices.last_mut() {
            choice.mark = mark;
        }
        self.store.undo_to(choice.trail);
        self.store.cells.truncate(choice.store);
        self.environment = choice.environment;
        self.continuation = choice.continuation;
        match self.choice_arguments[choice.arguments..] {
            [] => {}
            [a] => self.x[0] = a,
            [a, b] => (self.x[0], self.x[1]) = (a, b),
            [a, b, c] => (self.x[0], self.x[1], self.x[2]) = (a, b, c),
            [a, b, c, d] => (self.x[0], self.x[1], self.x[2], self.x[3]) = (a, b, c, d),
            ref many => self.x[..many.len()].copy_from_slice(many),
        }
    }

    /// Always a part of the loop: both forms of it have it, and the compiler would make it a call.
    #[inline(always)]
    fn passes(&self, test: Test, cell: Cell) -> bool {
        let tag = cell.tag();
        match test {
            Test::Var => tag == Tag::Ref,
            Test::Nonvar => tag != Tag::Ref,
            Test::Atom => tag == Tag::Atm,
            Test::Integer => tag == Tag::Int || self.store.is_integer(cell),
            Test::Float => self.store.is_float(cell),
            Test::Number => matches!(tag, Tag::Int | Tag::Box),
            Test::Atomic => cell.is_atomic(),
            Test::Compound => matches!(tag, Tag::Str | Tag::Lis),
            Test::Callable => matches!(tag, Tag::Atm | Tag::Str | Tag::Lis),
        }
    }

    #[cold]
    fn compare_numbers(
        &mut self,
        comparison: super::Comparison,
        left: Cell,
        right: Cell,
    ) -> Result<bool, Throw> {
        let left = self.evaluate(left)?;
        let right = self.evaluate(right)?;
        // Only NaN has no order: it differs from everything.
        let order = left.compare(&right);
        Ok(order.map_or(comparison == super::Comparison::NotEqual, |order| comparison.accepts(order)))
    }

    #[inline]
    fn arithmetic(&mut self, operation: Arithmetic, left: Cell, right: Cell) -> Result<Cell, Throw> {
        if left.tag() == Tag::Int
            && right.tag() == Tag::Int
            && let Some(value) = super::arithmetic::small(operation, left.int_value(), right.int_value())
            && let Some(cell) = Cell::small(value)
        {
            return Ok(cell);
        }
        self.general_arithmetic(operation, left, right)
    }

    /// Calls the goal in X0 with additional arguments from X1 on, in the module that it says. Control constructs go
    /// to the library's interpreter, which keeps their cuts local.
    fn meta_call(&mut self, additional: usize) -> Result<Address, Throw> {
        let whole = self.store.deref(self.x[0]);
        let (module, mut goal) = self.strip_module(atom::USER, whole);
        let (name, mut arity) = match self.store.functor(goal) {
            Some(functor) => functor,
            None => return self.type_error(atom::CALLABLE, goal),
        };
        let control = matches!(
            (name, arity + additional),
            (atom::COMMA | atom::SEMICOLON | atom::ARROW | atom::SOFT_ARROW, 2) | (atom::NOT, 1)
        );
        let mut additional = additional;
        if control && additional > 0 {
            // The goal that the arguments complete, such as `;(If -> Then, Else)`, is called as a whole.
            let (first, count) = self.store.arguments(goal);
            let mut arguments: Vec<Cell> = (first..first + count).map(|i| self.store.at(i)).collect();
            arguments.extend_from_slice(&self.x[1..=additional]);
            goal = self.store.compound(name, &arguments);
            (arity, additional) = (arity + additional, 0);
        }
        if (name, arity) == (atom::COLON, 2) {
            let qualifier = self.store.argument(goal, 0);
            return match qualifier.tag() {
                Tag::Ref => self.instantiation_error(),
                // Only of a cyclic term there are qualifiers left.
                Tag::Atm => self.representation_error("cyclic_term"),
                _ => self.type_error(atom::ATOM, qualifier),
            };
        }
        if additional == 0 {
            if control {
                self.check_body(goal)?;
                let goal = self.with_calls(goal, true);
                self.x[0] = if module == atom::USER { goal } else { self.qualified(module, goal) };
                self.x[1] = Cell::count(self.choices.len());
                return Ok(self.enter(atom::SYSTEM, atom::EXEC, 2));
            }
            if goal == Cell::atom(atom::CUT) {
                return Ok(self.continuation);
            }
        }
        let (first, _) = self.store.arguments(goal);
        let total = arity + additional;
        // Behind the arguments a dynamic predicate keeps two cells.
        if total > REGISTERS - 16 {
            return self.representation_error("max_procedure_arity");
        }
        self.reserve_registers(total + 16);
        self.x.copy_within(1..=additional, arity);
        for i in 0..arity {
            self.x[i] = self.store.at(first + i);
        }
        Ok(self.enter(module, name, total))
    }

    /// Prepares a call of a predicate, whose arguments are in their registers, as the continuation's next step.
    pub(super) fn enter(&mut self, module: Atom, name: Atom, arity: usize) -> Address {
        let predicate = self.predicate_in(module, name, arity);
        self.cut_barrier = self.choices.len();
        if self.predicate_at(predicate).link == super::Link::Own && self.qualifies(predicate) {
            self.qualify_arguments(predicate, module);
        }
        self.predicate_at(predicate).exported
    }
}

/// Instructions stay compact.
const _: () = assert!(size_of::<Instruction>() == 16);
