//! The loop that executes instructions.
//!
//! Length: the loop is one match over all instructions, which the compiler turns into one jump table.

use super::contract::Gate;
use super::{Address, Arithmetic, ENVIRONMENT_HEADER, Instruction, Machine, Test, Throw, fixed};
use crate::term::{Cell, OccursCheck, Tag, atom, compare, identical};

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
        self.store.has_attributes()
            || self.depths.are_limited()
            || self.store.has_undo_goals()
            || self.store.occurs_check() != OccursCheck::Off
    }

    /// The loop, in two forms: `WAKING` looks before each instruction whether variables with attributes were bound, and
    /// how deep calls are, and is used while there are any or that is limited; the other one does nothing for their
    /// sake.
    fn steps<const WAKING: bool>(&mut self, start: Address) -> Result<Exit, Throw> {
        use Instruction as I;
        let mut p = self.code.position(start);
        macro_rules! bind {
            ($failed:lifetime, $variable:expr, $value:expr) => {
                if !self.store.bind($variable.index(), $value) {
                    break $failed;
                }
            };
        }
        macro_rules! goto {
            ($address:expr) => {{
                let address = $address;
                p = self.code.position(address);
            }};
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
        // Goes on behind the second of two instructions in one.
        macro_rules! skip {
            () => {
                // SAFETY: the second instruction stands behind the first, and is none that fails.
                #[expect(unsafe_code, reason = "see `CodeArea::take`")]
                {
                    p = unsafe { self.code.take(p) }.1;
                }
            };
        }
        // What throws says where.
        macro_rules! attempt {
            ($here:expr, $outcome:expr) => {
                match $outcome {
                    Ok(value) => value,
                    Err(thrown) => {
                        self.failed_at = $here.address();
                        return Err(thrown);
                    }
                }
            };
        }
        // Enters a contract without a frame.
        macro_rules! enter_bare {
            ($here:expr, $contract:expr, $body:expr, $passed:expr) => {
                goto!(match WAKING || !self.knows_all_exits() {
                    true => self.enter_by_gate($contract, p.address()),
                    false => {
                        let passed = $passed;
                        self.enter_bare(passed, $body, $here.address())
                    }
                })
            };
        }
        // Enters a contract with a frame that keeps few arguments.
        macro_rules! enter_framed {
            ($here:expr, $arity:expr, $body:expr, $passed:expr) => {
                goto!(match $passed {
                    Ok(()) => {
                        self.keep_few($arity, p.address() + 1);
                        $body
                    }
                    Err(open) => self.enter_open_at($here.address(), open),
                })
            };
        }
        macro_rules! execute {
            ($here:expr, $predicate:expr) => {{
                let (here, predicate) = ($here, $predicate);
                self.cut_barrier = self.choices.len();
                self.fuel -= 1;
                if self.fuel == 0 {
                    goto!(attempt!(here, self.look_up(predicate)));
                } else {
                    goto!(self.predicates[predicate.0 as usize].entry);
                }
            }};
        }
        macro_rules! get_list {
            ($failed:lifetime, $a:expr, $build:expr, $first:ident => $matched:expr) => {{
                let cell = self.store.deref(x!($a));
                match cell.tag() {
                    Tag::Lis => {
                        let $first = cell.index();
                        $matched
                    }
                    Tag::Ref => {
                        let list = Cell::list(self.store.len());
                        bind!($failed, cell, list);
                        goto!($build);
                    }
                    _ => break $failed,
                }
            }};
        }
        // A term must be this constant, or be a variable, which becomes it.
        macro_rules! meet_constant {
            ($failed:lifetime, $cell:expr, $constant:expr) => {
                if $cell.tag() == Tag::Ref {
                    bind!($failed, $cell, $constant);
                } else if $cell != $constant {
                    break $failed;
                }
            };
        }
        // The arguments of a structure come next, or those that are built where there was a variable.
        macro_rules! meet_structure {
            ($failed:lifetime, $cell:expr, $build:expr, $functor:expr) => {
                match $cell.tag() {
                    Tag::Str if self.store.at($cell.index()) == $functor => self.next = $cell.index() + 1,
                    Tag::Ref => {
                        let structure = Cell::structure(self.store.push($functor));
                        bind!($failed, $cell, structure);
                        goto!($build);
                    }
                    _ => break $failed,
                }
            };
        }
        macro_rules! get_list_value {
            ($failed:lifetime, $a:expr, $head:expr, $tail:expr) => {{
                let cell = self.store.deref(x!($a));
                match cell.tag() {
                    Tag::Lis => {
                        let [first, second] = self.store.pair(cell.index());
                        if !self.store.unify(x!($head), first) {
                            break $failed;
                        }
                        x!($tail) = second;
                    }
                    Tag::Ref => {
                        let index = self.store.len();
                        let second = Cell::reference(index + 1);
                        self.store.push_pair(x!($head), second);
                        bind!($failed, cell, Cell::list(index));
                        x!($tail) = second;
                    }
                    _ => break $failed,
                }
            }};
        }
        macro_rules! add_small {
            ($here:expr, $a:expr, $to:expr, $addend:expr) => {{
                let (cell, addend) = (self.store.deref(x!($a)), i64::from($addend));
                // Cells hold 61 bits, so the sum of one and a 32-bit number fits into 64.
                let sum = (cell.tag() == Tag::Int).then(|| Cell::small(cell.int_value() + addend));
                x!($to) = match sum.flatten() {
                    Some(sum) => sum,
                    None => {
                        attempt!($here, self.general_arithmetic(Arithmetic::Add, cell, Cell::int(addend)))
                    }
                };
            }};
        }
        'run: loop {
            let here = p;
            'failed: {
                if WAKING {
                    if self.depths.are_limited() && self.is_too_deep(here.address()) {
                        break 'failed;
                    }
                    self.store.cover_attributed();
                    if self.store.unchecked() > 0
                        && crate::machine::goals::wake::is_place(self.code_at(here.address()))
                        && let Some((variable, value)) = self.store.cyclic_binding(0)
                    {
                        if self.store.occurs_check() == OccursCheck::Fail {
                            break 'failed;
                        }
                        attempt!(here, self.occurs_error(variable, value));
                    }
                    if self.store.woken() > 0
                        && crate::machine::goals::wake::is_place(self.code_at(here.address()))
                    {
                        goto!(self.wake(here.address()));
                        continue 'run;
                    }
                }
                // SAFETY: `here` was looked up by `goto!` or stands behind the instruction before, which was
                // not `Fail`: that is left by way of `goto!` only.
                #[expect(unsafe_code, reason = "see `CodeArea::take`")]
                let (instruction, next) = unsafe { self.code.take(here) };
                p = next;
                // Fields are read where they are needed: a copy of the instruction would fill the processor's
                // registers. What waits for variables may have to be called between two instructions in one.
                let alone;
                let instruction = if WAKING {
                    alone = instruction.alone();
                    &alone
                } else {
                    instruction
                };
                match *instruction {
                    I::Move(from, to) => x!(to) = x!(from),
                    I::Moves(from, to, other_from, other_to) => {
                        x!(to) = x!(from);
                        x!(other_to) = x!(other_from);
                    }
                    I::GetList(a, build) => get_list!('failed, a, build, first => self.next = first),
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
                                bind!('failed, cell, Cell::list(index));
                                x!(head) = first;
                                x!(tail) = second;
                            }
                            _ => break 'failed,
                        }
                    }
                    I::GetListValue(a, head, tail) => get_list_value!('failed, a, head, tail),
                    I::GetStructure(a, build, functor) => {
                        let cell = self.store.deref(x!(a));
                        meet_structure!('failed, cell, build, functor);
                    }
                    I::GetConstant(a, constant) => {
                        let cell = self.store.deref(x!(a));
                        meet_constant!('failed, cell, constant);
                    }
                    I::GetVariableY(slot, a) => y!(slot) = x!(a),
                    I::GetVariablesY(slot, a, other, b) => {
                        let frame = &mut self.environments[self.environment + ENVIRONMENT_HEADER..];
                        (frame[slot as usize], frame[other as usize]) = (x!(a), x!(b));
                    }
                    I::GetValueX(a, b) | I::Unify(a, b) => {
                        if !self.store.unify_here(x!(a), x!(b)) {
                            break 'failed;
                        }
                    }
                    I::GetValueY(slot, a) => {
                        if !self.store.unify_here(y!(slot), x!(a)) {
                            break 'failed;
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
                        if !self.store.unify_here(x!(a), Cell::reference(self.next)) {
                            break 'failed;
                        }
                        self.next += 1;
                    }
                    I::UnifyValueY(slot) => {
                        if !self.store.unify(y!(slot), Cell::reference(self.next)) {
                            break 'failed;
                        }
                        self.next += 1;
                    }
                    I::UnifyConstant(constant) => {
                        let cell = self.store.deref(self.store.at(self.next));
                        meet_constant!('failed, cell, constant);
                        self.next += 1;
                    }
                    I::UnifyVoid(count) => self.next += count as usize,
                    I::UnifyTailList(build) => {
                        let cell = self.store.deref(self.store.at(self.next));
                        match cell.tag() {
                            Tag::Lis => self.next = cell.index(),
                            Tag::Ref => {
                                let list = Cell::list(self.store.len());
                                bind!('failed, cell, list);
                                goto!(build);
                            }
                            _ => break 'failed,
                        }
                    }
                    I::UnifyTailStructure(build, functor) => {
                        let cell = self.store.deref(self.store.at(self.next));
                        meet_structure!('failed, cell, build, functor);
                    }

                    I::PutVariableX(a) => x!(a) = self.store.variable(),
                    I::PutVariableY(slot, a) => {
                        let variable = self.store.variable();
                        y!(slot) = variable;
                        x!(a) = variable;
                    }
                    I::PutValueY(slot, a) => x!(a) = y!(slot),
                    I::PutValuesY(slot, a, other, b) => {
                        let frame = &self.environments[self.environment + ENVIRONMENT_HEADER..];
                        (x!(a), x!(b)) = (frame[slot as usize], frame[other as usize]);
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
                        goto!(self.continuation);
                    }
                    I::DeallocateExecute(predicate) => {
                        self.deallocate();
                        execute!(here, predicate);
                    }
                    I::Call(predicate, _) => {
                        self.continuation = p.address();
                        execute!(here, predicate);
                    }
                    I::Execute(predicate) => execute!(here, predicate),
                    I::CallBody(predicate) => {
                        self.continuation = p.address();
                        self.cut_barrier = self.choices.len();
                        goto!(self.predicates[predicate.0 as usize].body);
                    }
                    I::Proceed => goto!(self.continuation),
                    I::Jump(address) => goto!(address),

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
                        goto!(address);
                    }
                    I::SwitchList(a, variable, list, empty) => {
                        let cell = self.store.deref(x!(a));
                        let address = match cell.tag() {
                            Tag::Lis => list,
                            Tag::Ref => variable,
                            _ if cell == Cell::atom(atom::NIL) => empty,
                            _ => fixed::FAIL,
                        };
                        goto!(address);
                    }
                    I::SwitchListVariables(a, head, tail, variable, empty) => {
                        let cell = self.store.deref(x!(a));
                        match cell.tag() {
                            Tag::Lis => {
                                let [first, second] = self.store.pair(cell.index());
                                x!(head) = first;
                                x!(tail) = second;
                                // Behind this the clause begins with the same for itself.
                                goto!(here.address() + 2);
                            }
                            Tag::Ref => goto!(variable),
                            _ if cell == Cell::atom(atom::NIL) => goto!(empty),
                            _ => break 'failed,
                        }
                    }
                    I::CopyList(a, other, predicate, next) => {
                        // The predicate may have got another entry, with a contract or for the tracer, and calls go
                        // there; and what waits for a variable is called behind each clause.
                        let own = self.predicates[predicate.0 as usize].entry == here.address();
                        if own && !WAKING {
                            let mut list = self.store.deref(x!(a));
                            let mut copy = x!(other);
                            // At the last step of its fuel the loop looks up, at a call.
                            while list.tag() == Tag::Lis && self.fuel > 1 {
                                let [first, rest] = self.store.pair(list.index());
                                let cell = self.store.deref(copy);
                                match cell.tag() {
                                    Tag::Ref => {
                                        bind!('failed, cell, Cell::list(self.store.len()));
                                        (list, copy) = self.copy_list(list);
                                        continue;
                                    }
                                    Tag::Lis => {
                                        let [head, tail] = self.store.pair(cell.index());
                                        if !self.store.unify(first, head) {
                                            break 'failed;
                                        }
                                        copy = tail;
                                    }
                                    _ => break 'failed,
                                }
                                list = self.store.deref(rest);
                                self.fuel -= 1;
                            }
                            x!(a) = list;
                            x!(other) = copy;
                        }
                        goto!(next);
                    }
                    I::JumpIfFree(a, address) => {
                        let cell = self.store.deref(x!(a));
                        if cell.tag() == Tag::Ref && cell.index() >= self.store.watched {
                            goto!(address);
                        }
                    }
                    I::MatchConstant(a, otherwise, constant) => {
                        if self.store.deref(x!(a)) != constant {
                            goto!(otherwise);
                        }
                    }
                    I::MatchList(a, otherwise) => {
                        let cell = self.store.deref(x!(a));
                        self.next = cell.index();
                        if cell.tag() != Tag::Lis {
                            goto!(otherwise);
                        }
                    }
                    I::MatchStructure(a, otherwise, functor) => {
                        let cell = self.store.deref(x!(a));
                        if cell.tag() == Tag::Str && self.store.at(cell.index()) == functor {
                            self.next = cell.index() + 1;
                        } else {
                            goto!(otherwise);
                        }
                    }
                    I::MatchValue(a, b, otherwise, unknown) => {
                        let (left, right) = (self.store.deref(x!(a)), self.store.deref(x!(b)));
                        if left != right {
                            // Compound terms may have variables inside, and boxed numbers may be equal.
                            let differ = left.tag() != Tag::Ref
                                && right.tag() != Tag::Ref
                                && (left.tag() != right.tag() || left.is_immediate());
                            goto!(if differ { otherwise } else { unknown });
                        }
                    }
                    I::MatchNumbers(comparison, a, b, otherwise, unknown) => {
                        let (left, right) = (self.store.deref(x!(a)), self.store.deref(x!(b)));
                        let holds = if left.tag() == Tag::Int && right.tag() == Tag::Int {
                            comparison.accepts(left.int_value().cmp(&right.int_value()))
                        } else if self.passes(Test::Number, left) && self.passes(Test::Number, right) {
                            attempt!(here, self.compare_numbers(comparison, left, right))
                        } else {
                            goto!(unknown);
                            continue 'run;
                        };
                        if !holds {
                            goto!(otherwise);
                        }
                    }
                    I::MatchSmall(comparison, a, number, otherwise, unknown) => {
                        let (left, right) = (self.store.deref(x!(a)), Cell::int(i64::from(number)));
                        let holds = if left.tag() == Tag::Int {
                            comparison.accepts(left.int_value().cmp(&right.int_value()))
                        } else if self.passes(Test::Number, left) {
                            attempt!(here, self.compare_numbers(comparison, left, right))
                        } else {
                            goto!(unknown);
                            continue 'run;
                        };
                        if !holds {
                            goto!(otherwise);
                        }
                    }
                    I::Try(address, arity) => {
                        self.push_choice(arity as usize, p.address());
                        goto!(address);
                    }
                    I::Retry(address) => {
                        if let Some(choice) = self.choices.last_mut() {
                            choice.alternative = p.address();
                        }
                        self.cut_barrier = self.choices.len() - 1;
                        goto!(address);
                    }
                    I::Trust(address) => {
                        self.pop_choice();
                        self.cut_barrier = self.choices.len();
                        goto!(address);
                    }
                    I::TryElse(address) => self.push_choice(0, address),
                    I::TrustElse(_) => self.pop_choice(),
                    I::SaveLevel(slot) => y!(slot) = Cell::count(self.choices.len()),
                    I::SaveCut(slot) => y!(slot) = Cell::count(self.cut_barrier),
                    I::Cut(slot) => {
                        let level = y!(slot).int_value() as usize;
                        self.cut_to(level);
                        if self.cleanups.is_due() {
                            self.waiting_at = p.address();
                            attempt!(here, self.run_cleanups());
                            if WAKING != self.is_watched() {
                                return Ok(Exit::Changed(p.address()));
                            }
                        }
                    }
                    I::RestoreCut(slot) => self.cut_barrier = y!(slot).int_value() as usize,
                    I::NeckCut => {
                        self.cut_to(self.cut_barrier);
                        // Only what was woken in front of it leaves something to clean up.
                        if WAKING && self.cleanups.is_due() {
                            self.waiting_at = p.address();
                            attempt!(here, self.run_cleanups());
                        }
                    }
                    I::SoftCut(slot) => {
                        let level = y!(slot).int_value() as usize;
                        if level + 1 == self.choices.len() {
                            self.cut_to(level);
                        } else if let Some(choice) = self.choices.get_mut(level) {
                            choice.alternative = fixed::POP_FAIL;
                        }
                    }
                    I::Fail => break 'failed,
                    I::PopFail => {
                        self.pop_choice();
                        break 'failed;
                    }
                    I::Cleanup => goto!(self.fail_into_cleanup()),

                    I::Test(test, a, otherwise) => {
                        let cell = self.store.deref(x!(a));
                        if !self.passes(test, cell) {
                            goto!(otherwise);
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
                            goto!(otherwise);
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
                            goto!(otherwise);
                        }
                    }
                    I::CompareSmall(comparison, a, number, otherwise) => {
                        let left = self.store.deref(x!(a));
                        let holds = if left.tag() == Tag::Int {
                            comparison.accepts(left.int_value().cmp(&i64::from(number)))
                        } else {
                            attempt!(
                                here,
                                self.compare_numbers(comparison, left, Cell::int(i64::from(number)))
                            )
                        };
                        if !holds {
                            goto!(otherwise);
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
                    I::AddSmall(a, to, addend) => add_small!(here, a, to, addend),
                    I::ArithmeticSmall(operation, a, to, number) => {
                        let left = self.store.deref(x!(a));
                        x!(to) =
                            attempt!(here, self.arithmetic(operation, left, Cell::int(i64::from(number))));
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
                    I::Builtin(builtin, base) => {
                        self.base = base as usize;
                        self.waiting_at = p.address();
                        if !attempt!(here, self.builtins[builtin as usize](self)) {
                            // What it ran may have left something that the way back must see.
                            if !WAKING && self.collectable() > self.store.collect_at && self.is_watched() {
                                return Ok(Exit::Changed(fixed::FAIL));
                            }
                            break 'failed;
                        }
                        if self.collectable() > self.store.collect_at {
                            if let Some(next) = self.take_next_call(p.address()) {
                                goto!(next);
                                continue 'run;
                            }
                            self.store.loop_knows_attributes();
                            if WAKING != self.is_watched() {
                                return Ok(Exit::Changed(p.address()));
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
                        goto!(self.enter_contract(contract, p.address()));
                    }
                    I::EnterBare(contract, first, body, count) => {
                        enter_bare!(here, contract, body, self.pass_registers(first.range(count)));
                    }
                    I::EnterBareTwo(contract, first, body) => {
                        enter_bare!(here, contract, body, self.pass_few_registers::<2>(first));
                    }
                    I::EnterBareThree(contract, first, body) => {
                        enter_bare!(here, contract, body, self.pass_few_registers::<3>(first));
                    }
                    I::EnterFramed(_, first, body, count, arity) => {
                        enter_framed!(here, arity, body, self.pass_registers(first.range(count)));
                    }
                    I::EnterFramedTwo(_, first, body, arity) => {
                        enter_framed!(here, arity, body, self.pass_few_registers::<2>(first));
                    }
                    I::EnterFramedThree(_, first, body, arity) => {
                        enter_framed!(here, arity, body, self.pass_few_registers::<3>(first));
                    }
                    I::EnterFramedWide(_, first, body, count, arity) => {
                        goto!(self.enter_wide(first.range(count), body, arity, here.address()));
                    }
                    I::KeepArguments(arity, back) => self.keep_arguments(arity as usize, Gate::HELD, back),
                    I::FinishOne(contract, argument, counter) => {
                        goto!(self.finish_one(contract, argument, counter));
                    }
                    I::Finish(contract, first, count) => goto!(self.finish(contract, first, count)),
                    I::EnterProved(contract, back) => goto!(self.enter_proved(contract, back)),
                    I::EnterTrusted(second) => {
                        if self.trusts_proofs() && self.guarded.is_none() {
                            goto!(second);
                        }
                    }
                    I::LeaveContract(contract) => goto!(self.leave_contract(contract, p.address())),
                    I::LeaveOne(contract, argument, counter) => {
                        goto!(match self.leave_one(argument, counter, here.address()) {
                            Ok(()) => self.continuation,
                            Err(open) => self.leave_open(contract, p.address(), open),
                        });
                    }
                    I::LeaveTwo(contract, argument, other, counter) => {
                        goto!(match self.leave_two(argument, other, counter) {
                            Ok(()) => self.continuation,
                            Err(open) => self.leave_open(contract, p.address(), open),
                        });
                    }
                    I::ResumeContract(contract) => goto!(self.resume_contract(contract, p.address())),
                    I::ContractBody => goto!(self.contract_body()),
                    I::Shift => goto!(attempt!(here, self.shift())),
                    I::Continue => goto!(attempt!(here, self.call_continuation())),

                    I::Traced(predicate, outside) => goto!(self.traced(predicate, outside)),
                    I::Forward(predicate) => goto!(self.forward(predicate)),
                    I::MetaCall(additional) => goto!(attempt!(here, self.meta_call(additional as usize))),
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
                    I::Dynamic(predicate) => goto!(attempt!(here, self.first_clause(predicate))),
                    I::DynamicNext => goto!(attempt!(here, self.next_clause())),
                    I::Undefined(predicate) => goto!(attempt!(here, self.undefined(predicate))),
                    I::Uncompiled(predicate) => goto!(self.compile_called(predicate, here.address())),
                    I::MoveExecute(from, to, predicate) => {
                        x!(to) = x!(from);
                        execute!(p, predicate);
                    }
                    I::UnifyVariableExecute(a, predicate) => {
                        x!(a) = self.store.at(self.next);
                        execute!(p, predicate);
                    }
                    I::GetListValueExecute(a, head, tail, predicate) => {
                        get_list_value!('failed, a, head, tail);
                        execute!(p, predicate);
                    }
                    I::PutVariableCall(slot, a, predicate) => {
                        let variable = self.store.variable();
                        y!(slot) = variable;
                        x!(a) = variable;
                        self.continuation = p.address() + 1;
                        execute!(p, predicate);
                    }
                    I::PutValueCall(slot, a, predicate) => {
                        x!(a) = y!(slot);
                        self.continuation = p.address() + 1;
                        execute!(p, predicate);
                    }
                    I::PutValuesLeave(slot, a, other, b, predicate) => {
                        let frame = &self.environments[self.environment + ENVIRONMENT_HEADER..];
                        (x!(a), x!(b)) = (frame[slot as usize], frame[other as usize]);
                        self.deallocate();
                        execute!(p, predicate);
                    }
                    I::PutValueLeave(slot, a, predicate) => {
                        x!(a) = y!(slot);
                        self.deallocate();
                        execute!(p, predicate);
                    }
                    I::GetConstantProceed(a, constant) => {
                        let cell = self.store.deref(x!(a));
                        meet_constant!('failed, cell, constant);
                        goto!(self.continuation);
                    }
                    I::GetValueProceed(a, b) | I::UnifyProceed(a, b) => {
                        if !self.store.unify_here(x!(a), x!(b)) {
                            break 'failed;
                        }
                        goto!(self.continuation);
                    }
                    I::GetListVariable(a, build, head) => {
                        get_list!('failed, a, build, first => {
                            x!(head) = self.store.at(first);
                            self.next = first + 1;
                            skip!();
                        });
                    }
                    I::GetListSame(a, build, head) => {
                        get_list!('failed, a, build, first => {
                            if !self.store.unify_here(x!(head), Cell::reference(first)) {
                                break 'failed;
                            }
                            self.next = first + 1;
                            skip!();
                        });
                    }
                    I::GetListVoid(a, build, count) => {
                        get_list!('failed, a, build, first => {
                            self.next = first + count as usize;
                            skip!();
                        });
                    }
                    I::UnifyVoidVariable(count, a) => {
                        self.next += count as usize;
                        x!(a) = self.store.at(self.next);
                        self.next += 1;
                        skip!();
                    }
                    I::AllocateSaveCut(slots, slot) => {
                        self.allocate(slots);
                        y!(slot) = Cell::count(self.cut_barrier);
                        skip!();
                    }
                    I::AddSmallMove(a, to, addend, from, other) => {
                        add_small!(here, a, to, addend);
                        x!(other) = x!(from);
                        skip!();
                    }
                    I::Stop => return Ok(Exit::Ended(true)),
                    I::StopFail => return Ok(Exit::Ended(false)),
                }
                continue 'run;
            }
            // What did not fail has gone on.
            goto!(self.backtrack());
            if WAKING {
                self.store.forget_woken(0);
                self.depths.return_to(self.choices.len());
                if self.store.has_undone() {
                    goto!(self.undone_entry());
                } else if !self.is_watched() {
                    return Ok(Exit::Changed(p.address()));
                }
            }
        }
    }

    /// Copies list cells to the end of the store, one at least and as many as calls may be made before the loop
    /// looks up. The results are what the list ends in and the new variable that the copy ends in.
    #[inline(always)]
    fn copy_list(&mut self, mut list: Cell) -> (Cell, Cell) {
        let mut fuel = self.fuel;
        while list.tag() == Tag::Lis && fuel > 1 {
            let [first, rest] = self.store.pair(list.index());
            // The next cell will lie behind this one, even where the list that is copied is the copy itself.
            let next = Cell::list(self.store.len() + 2);
            self.store.push_pair(first, next);
            list = self.store.deref(rest);
            fuel -= 1;
        }
        self.fuel = fuel;
        let end = self.store.len() - 1;
        let variable = Cell::reference(end);
        self.store.cells[end] = variable;
        (list, variable)
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

    #[inline(always)]
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
}

/// Instructions stay compact.
const _: () = assert!(size_of::<Instruction>() == 16);
