//! Random edits of random programs: what a person may change between two runs.

use super::generate::{Due, Generator, MARKS, scope_of};
use super::program::{
    Clause, DATATYPES, Declaration, Procedure, Program, Statement, is_of_word, replace_words,
};

impl Generator<'_> {
    /// The next version: the last one with one edit, or sometimes an older one that comes back.
    pub(super) fn edit(&mut self, versions: &[Program]) -> Program {
        if versions.len() > 2 && self.random.chance(1, 8) {
            return versions[self.random.below(versions.len() - 1)].clone();
        }
        let mut program = versions.last().cloned().unwrap_or(Program { declarations: Vec::new() });
        if let Some(due) = self.due.take() {
            self.weaken_callee(&mut program, due);
            return program;
        }
        // Edits of one kind may find nothing to change; several together are one edit of a person.
        for _ in 0..self.random.from(1..=2) {
            self.change(&mut program, versions);
        }
        program
    }

    fn change(&mut self, program: &mut Program, versions: &[Program]) {
        self.fresh += 1;
        let count = program.declarations.len();
        match self.random.weighted(&[5, 6, 7, 2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 2, 5, 2]) {
            0 => self.change_number(program),
            1 => self.change_body(program),
            2 => self.change_clauses(program),
            // An axiom comes or goes.
            3 => {
                let axioms: Vec<usize> = indices(program, |one| matches!(one, Declaration::Axiom(_)));
                if !axioms.is_empty() && self.random.chance(1, 2) {
                    program.declarations.remove(self.random.one(&axioms));
                } else if let Some(axiom) = self.some_axiom(&scope_of(program)) {
                    let axiom = Declaration::Axiom(axiom);
                    program.declarations.insert(self.random.below(count + 1), axiom);
                }
            }
            // Conditions of variables.
            4 => {
                let number = self.random.below(4);
                let all = indices(program, |one| matches!(one, Declaration::Global { .. }));
                if !all.is_empty()
                    && let Some(Declaration::Global { name, condition, .. }) =
                        program.declarations.get_mut(self.random.one(&all))
                {
                    *condition = if condition.is_some() { None } else { Some(format!("{name} >= {number}")) };
                }
            }
            5 => {
                if let Some(procedure) = self.some_procedure(program) {
                    let number = self.random.below(4);
                    if let Some((name, condition)) = procedure.locals.first_mut() {
                        *condition =
                            if condition.is_some() { None } else { Some(format!("{name} >= {number}")) };
                    }
                }
            }
            // A constant becomes unique, or ceases to be; a function gets or loses its body.
            6 => {
                let number = self.random.below(4);
                let all = indices(program, |one| {
                    matches!(one, Declaration::Constant { .. } | Declaration::Function { .. })
                });
                if all.is_empty() {
                    return;
                }
                match program.declarations.get_mut(self.random.one(&all)) {
                    Some(Declaration::Constant { unique, .. }) => *unique = !*unique,
                    Some(Declaration::Function { body, .. }) => {
                        *body = if body.is_some() { None } else { Some(format!("x - {number}")) };
                    }
                    _ => {}
                }
            }
            // Renaming, everywhere.
            7 => {
                let names: Vec<String> =
                    program.procedures().map(|procedure| procedure.name.clone()).collect();
                let mut names: Vec<String> = names.into_iter().chain(scope_of(program).writable).collect();
                names.extend(
                    program
                        .procedures()
                        .flat_map(|procedure| procedure.locals.iter().map(|(name, _)| name.clone())),
                );
                let name = self.variable(&names);
                let by = format!("n{}_{name}", self.fresh);
                for text in program.texts() {
                    *text = replace_words(text, &[(&name, &by)]);
                }
            }
            // Moving a declaration.
            8 => {
                let declaration = program.declarations.remove(self.random.below(count));
                program.declarations.insert(self.random.below(count), declaration);
            }
            // Deleting a procedure that nobody calls, or bringing an old one back.
            9 => {
                let before = program.clone();
                let old = versions[self.random.below(versions.len())].clone();
                let known: Vec<String> =
                    program.procedures().map(|procedure| procedure.name.clone()).collect();
                match old.procedures().find(|procedure| !known.contains(&procedure.name)) {
                    Some(back) => program.declarations.push(Declaration::Procedure(back.clone())),
                    None => {
                        let procedures = indices(program, |one| matches!(one, Declaration::Procedure(_)));
                        if procedures.len() > 1 {
                            program.declarations.remove(procedures[procedures.len() - 1]);
                        }
                    }
                }
                if !program.has_what_it_calls() {
                    *program = before;
                }
            }
            // A type becomes another one.
            10 => {
                let all =
                    indices(program, |one| matches!(one, Declaration::Type(_) | Declaration::Datatype(_)));
                if all.is_empty() {
                    return;
                }
                match program.declarations.get_mut(self.random.one(&all)) {
                    Some(Declaration::Type(declaration)) => *declaration = self.element_type(),
                    Some(Declaration::Datatype(shape)) => *shape = self.random.below(DATATYPES.len()),
                    _ => {}
                }
            }
            // What can be hidden, what is inlined, and what is divided further.
            12 => {
                let functions = indices(program, |one| matches!(one, Declaration::Function { .. }));
                if !functions.is_empty() && self.random.chance(1, 2) {
                    if let Some(Declaration::Function { name, hideable, .. }) =
                        program.declarations.get_mut(self.random.one(&functions))
                    {
                        *hideable = if hideable.is_some() { None } else { Some(self.axiom(name)) };
                    }
                } else if let Some(procedure) = self.some_procedure(program) {
                    let toggled =
                        if self.random.chance(1, 3) { &mut procedure.divided } else { &mut procedure.inline };
                    *toggled = !*toggled;
                }
            }
            // A variable that nothing mentions but the condition of another one gets any value.
            13 => {
                let mut related = Vec::new();
                for (at, declaration) in program.declarations.iter().enumerate() {
                    let Declaration::Procedure(Procedure { locals, body: Some(_), .. }) = declaration else {
                        continue;
                    };
                    for (name, _) in locals.iter().filter(|(_, own)| own.is_none()) {
                        let mut conditions = locals.iter().filter_map(|(_, condition)| condition.as_ref());
                        if conditions.any(|condition| replace_words(condition, &[(name, "")]) != *condition) {
                            related.push((at, name.clone()));
                        }
                    }
                }
                if !related.is_empty() {
                    let (at, name) = related.swap_remove(self.random.below(related.len()));
                    if let Some(Declaration::Procedure(Procedure { body: Some(body), .. })) =
                        program.declarations.get_mut(at)
                    {
                        body.insert(0, Statement::Simple(format!("havoc {name}")));
                    }
                }
            }
            14 => self.call_for_later(program),
            // The heap comes, or goes if nothing mentions it.
            15 => match indices(program, |one| matches!(one, Declaration::Heap(_))).first() {
                Some(at) => {
                    let without = Program {
                        declarations: [&program.declarations[..*at], &program.declarations[at + 1..]]
                            .concat(),
                    };
                    if !without.text().contains("heap") {
                        *program = without;
                    }
                }
                None => program.declarations.push(Declaration::Heap("heap".to_owned())),
            },
            // A new procedure.
            _ => {
                let procedure = self.procedure(program, format!("q{}", self.fresh));
                program.declarations.insert(self.random.below(count + 1), Declaration::Procedure(procedure));
            }
        }
    }

    fn some_procedure<'p>(&mut self, program: &'p mut Program) -> Option<&'p mut Procedure> {
        let all = indices(program, |one| matches!(one, Declaration::Procedure(_)));
        if all.is_empty() {
            return None;
        }
        match program.declarations.get_mut(self.random.one(&all)) {
            Some(Declaration::Procedure(procedure)) => Some(procedure),
            _ => None,
        }
    }

    /// Another number somewhere: in a body, a specification, an axiom, a `where` clause.
    fn change_number(&mut self, program: &mut Program) {
        let mut texts = program.texts();
        // A digit is a number of its own where neither a letter nor a digit stands before it.
        let numbers = |text: &str| -> Vec<usize> {
            let bytes = text.as_bytes();
            let own = |at: &usize| {
                bytes[*at].is_ascii_digit()
                    && at.checked_sub(1).is_none_or(|before| !is_of_word(char::from(bytes[before])))
            };
            (0..bytes.len()).filter(own).collect()
        };
        texts.retain(|text| !numbers(text).is_empty());
        if texts.is_empty() {
            return;
        }
        let at = self.random.below(texts.len());
        let number = self.random.below(7).to_string();
        if let Some(text) = texts.get_mut(at) {
            let places = numbers(text);
            let place = self.random.one(&places);
            text.replace_range(place..=place, &number);
        }
    }

    /// A statement comes, goes, or changes places.
    fn change_body(&mut self, program: &mut Program) {
        let whole = program.clone();
        let kind = self.random.below(6);
        let mut scope = scope_of(&whole);
        scope.writable.clear();
        let Some(procedure) = self.some_procedure(program) else { return };
        scope.readable.extend(procedure.parameters.iter().chain(&procedure.result).cloned());
        scope.readable.extend(procedure.locals.iter().map(|(name, _)| name.clone()));
        scope.writable.extend(procedure.locals.iter().map(|(name, _)| name.clone()));
        scope.old = scope_of(&whole).writable;
        scope.writable_maps.retain(|map| procedure.modifies.contains(map));
        scope.writable_records.retain(|record| procedure.modifies.contains(record));
        scope.writable_heaps.retain(|heap| procedure.modifies.contains(heap));
        let others: Vec<&String> = scope.maps.iter().chain(&scope.records).chain(&scope.heaps).collect();
        let plain = procedure.modifies.iter().filter(|name| !others.contains(name));
        let written: Vec<String> = plain.chain(&procedure.result).cloned().collect();
        scope.writable.extend(written);
        let modifies = procedure.modifies.clone();
        let Some(body) = &mut procedure.body else { return };
        let length = body.len();
        match kind {
            0 | 1 => {
                let statement = self.statement(&whole, &modifies, &mut scope, 1);
                body.insert(self.random.below(length + 1), statement);
            }
            2 if length > 0 => drop(body.remove(self.random.below(length))),
            // What is known of a check before it is asked comes or goes.
            5 => {
                let checks = |at: &usize| {
                    matches!(&body[*at], Statement::Simple(text)
                        if text.starts_with("call ") || text.starts_with("assert "))
                };
                let checks: Vec<usize> = (0..length).filter(checks).collect();
                if !checks.is_empty()
                    && let Some(Statement::Simple(text)) = body.get_mut(self.random.one(&checks))
                    && let Some((word, rest)) = text.clone().split_once(' ')
                {
                    *text = match rest.strip_prefix("{:").and_then(|rest| rest.split_once("} ")) {
                        Some((_, rest)) => format!("{word} {rest}"),
                        None if word == "assert" && self.random.chance(1, 3) => {
                            format!("{word} {}{rest}", self.random.one(&MARKS))
                        }
                        None => format!("{word} {}{rest}", self.under(&scope)),
                    };
                }
            }
            3 if length > 1 => {
                let (one, other) = (self.random.below(length), self.random.below(length));
                body.swap(one, other);
            }
            _ => {
                let space = self.random.one(&["", "// A remark.", "  "]);
                body.insert(self.random.below(length + 1), Statement::Space(space.to_owned()));
            }
        }
    }

    /// A new call, of which the next edit makes use: either it is not checked everywhere for something that the
    /// callee demands, or what the callee promises is asserted behind it.
    fn call_for_later(&mut self, program: &mut Program) {
        let whole = program.clone();
        let mut pairs = Vec::new();
        for at in indices(&whole, |one| matches!(one, Declaration::Procedure(it) if !it.locals.is_empty())) {
            let Some(Declaration::Procedure(caller)) = whole.declarations.get(at) else { continue };
            for callee in whole.procedures().filter(|callee| !callee.inline && callee.name != caller.name) {
                if callee.modifies.iter().all(|name| caller.modifies.contains(name)) {
                    let relied = callee.clauses.iter().filter(|it| !it.before || !it.free);
                    let relied = relied.filter(|it| !it.text.contains("old("));
                    pairs.extend(relied.map(|clause| (at, callee, clause)));
                }
            }
        }
        if pairs.is_empty() {
            return;
        }
        let (at, callee, clause) = pairs.swap_remove(self.random.below(pairs.len()));
        let Some(Declaration::Procedure(caller)) = program.declarations.get_mut(at) else { return };
        let mut scope = scope_of(&whole);
        scope.readable.extend(caller.parameters.iter().cloned());
        let note = match self.random.below(6) {
            _ if !clause.before => String::new(),
            0 => "{:subsumption 0} ".to_owned(),
            1 => self.under(&scope),
            2 => format!("{{:verified_under {0} >= {0}}} ", self.variable(&scope.readable)),
            _ => "{:verified_under true} ".to_owned(),
        };
        let arguments: Vec<String> =
            callee.parameters.iter().map(|_| self.variable(&scope.readable)).collect();
        let locals: Vec<String> = caller.locals.iter().map(|(name, _)| name.clone()).collect();
        let target = self.variable(&locals);
        let mut meant: Vec<(&str, &str)> =
            callee.parameters.iter().map(String::as_str).zip(arguments.iter().map(String::as_str)).collect();
        meant.extend(callee.result.iter().map(|result| (result.as_str(), target.as_str())));
        let assertion = Statement::Simple(format!("assert {}", replace_words(&clause.text, &meant)));
        let result = if callee.result.is_some() { format!("{target} := ") } else { String::new() };
        let call = format!("call {note}{result}{}({})", callee.name, arguments.join(", "));
        let Some(body) = &mut caller.body else { return };
        let place = self.random.below(body.len() + 1);
        body.insert(place, Statement::Simple(call.clone()));
        if !clause.before {
            body.insert(place + 1, assertion.clone());
        }
        let assertion = clause.before.then_some((call, assertion));
        self.due = Some(Due { callee: callee.name.clone(), clause: clause.text.clone(), assertion });
    }

    /// What a callee demands or promises is dropped or becomes less. What it demanded is asserted behind the call.
    fn weaken_callee(&mut self, program: &mut Program, due: Due) {
        let callees =
            indices(program, |one| matches!(one, Declaration::Procedure(it) if it.name == due.callee));
        let Some(Declaration::Procedure(callee)) =
            callees.first().and_then(|at| program.declarations.get_mut(*at))
        else {
            return;
        };
        let Some(at) = callee.clauses.iter().position(|clause| clause.text == due.clause) else { return };
        let parameter = callee.parameters.first().cloned().unwrap_or_default();
        if self.random.chance(1, 2) {
            callee.clauses.remove(at);
        } else {
            callee.clauses[at].text = format!("({}) || {parameter} <= {}", due.clause, self.random.below(4));
        }
        let Some((call, assertion)) = due.assertion else { return };
        for declaration in &mut program.declarations {
            if let Declaration::Procedure(Procedure { body: Some(body), .. }) = declaration
                && let Some(at) =
                    body.iter().position(|it| matches!(it, Statement::Simple(it) if *it == call))
            {
                body.insert(at + 1, assertion);
                return;
            }
        }
    }

    /// A specification comes, goes, or becomes free.
    fn change_clauses(&mut self, program: &mut Program) {
        let mut scope = scope_of(program);
        let kind = self.random.below(4);
        // What is promised to callers matters most.
        let called = called(program);
        let procedure = match self.random.chance(1, 2) && !called.is_empty() {
            true => match program.declarations.get_mut(self.random.one(&called)) {
                Some(Declaration::Procedure(procedure)) => Some(procedure),
                _ => None,
            },
            false => self.some_procedure(program),
        };
        let Some(procedure) = procedure else { return };
        scope.readable.extend(procedure.parameters.iter().cloned());
        let before = self.random.chance(1, 2);
        if !before {
            scope.old = std::mem::take(&mut scope.writable);
            scope.readable.extend(procedure.result.iter().cloned());
        }
        let count = procedure.clauses.len();
        match kind {
            0 if count > 0 => drop(procedure.clauses.remove(self.random.below(count))),
            1 if count > 0 => {
                let at = self.random.below(count);
                if let Some(clause) = procedure.clauses.get_mut(at) {
                    clause.free = !clause.free;
                }
            }
            2 if count > 1 => procedure.clauses.swap(0, count - 1),
            _ => {
                let text = self.condition(&scope);
                procedure.clauses.push(Clause { before, free: false, text });
            }
        }
    }
}

/// Procedures that are called for what they promise.
fn called(program: &Program) -> Vec<usize> {
    let text = program.text();
    indices(program, |one| match one {
        Declaration::Procedure(Procedure { name, inline: false, .. }) => {
            text.matches(&format!(" {name}(")).count() > 1
        }
        _ => false,
    })
}

fn indices(program: &Program, which: impl Fn(&Declaration) -> bool) -> Vec<usize> {
    (0..program.declarations.len()).filter(|at| which(&program.declarations[*at])).collect()
}
