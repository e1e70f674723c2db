//! Random programs and edits. Assertions are made from facts that hold where they stand, mostly
//! weakened, sometimes strengthened too far: so some are provable, some are not, and an edit elsewhere
//! (a specification, an axiom, a `where` clause) turns one into the other.

use super::super::random::Random;
use super::PLENTY;
use super::program::{Case, Clause, Declaration, Procedure, Program, Run, Statement, replace_words};

/// A random program with a few edits.
pub(super) fn case(random: &mut Random, edits: usize) -> Case {
    let mut generator = Generator { random, fresh: 0 };
    let mut versions = vec![generator.program()];
    for _ in 0..edits {
        let next = generator.edit(&versions);
        versions.push(next);
    }
    let runs = generator.runs();
    Case { versions, runs }
}

struct Generator<'r> {
    random: &'r mut Random,
    /// Numbers names that edits introduce.
    fresh: usize,
}

/// What may be mentioned at some place, and what is known to hold there.
#[derive(Debug, Clone, Default)]
struct Scope {
    /// Integer variables that may be read.
    readable: Vec<String>,
    /// Those that may be assigned.
    writable: Vec<String>,
    /// Maps from integers that may be read.
    maps: Vec<String>,
    /// Those that may be assigned.
    writable_maps: Vec<String>,
    functions: Vec<String>,
    constants: Vec<String>,
    /// Conditions, of which the latest are the likeliest still to hold.
    facts: Vec<String>,
}

impl Scope {
    fn assigned(&mut self, name: &str) {
        self.facts.retain(|fact| replace_words(fact, &[(name, "")]) == *fact);
    }
}

impl Generator<'_> {
    /// The settings of two runs or three: mostly the same ones again, as after a restart.
    fn runs(&mut self) -> Vec<Run> {
        let first = Run {
            error_limit: self.random.one(&[5, 5, 5, 2, 1, 0]),
            resource: if self.random.chance(1, 8) { self.scarce() } else { PLENTY },
            options: Vec::new(),
            audit: false,
        };
        let mut second = first.clone();
        match self.random.weighted(&[5, 2, 1, 1]) {
            0 => {}
            1 => second.error_limit = self.random.one(&[1, 2, 5, 0]),
            2 => second.resource = if first.resource == PLENTY { self.scarce() } else { PLENTY },
            _ => second.options = vec!["--solver-option", "smt.random_seed=7"],
        }
        let audited = Run { audit: true, ..second.clone() };
        let mut runs = vec![first, second];
        if self.random.chance(1, 4) {
            runs.push(audited);
        }
        runs
    }

    /// About what the queries take.
    fn scarce(&mut self) -> u64 {
        200 + 100 * self.random.below(20) as u64
    }

    /// What the type of constants may be: something unknown, numbers, or so few values that unique
    /// constants may be too many.
    fn element_type(&mut self) -> String {
        self.random.one(&["type E;", "type E;", "type E = int;", "datatype E { A(), B(), C() }"]).to_owned()
    }

    fn program(&mut self) -> Program {
        let mut declarations = vec![Declaration::Type(self.element_type())];
        for index in 0..self.random.from(1..=3) {
            let unique = self.random.chance(2, 3);
            declarations.push(Declaration::Constant { name: format!("c{index}"), unique });
        }
        for index in 0..self.random.from(1..=2) {
            let name = format!("f{index}");
            let body = self.random.chance(1, 3).then(|| format!("x + {}", self.random.below(4)));
            if body.is_none() {
                declarations.push(Declaration::Axiom(self.axiom(&name)));
            }
            declarations.push(Declaration::Function { name, body });
        }
        for index in 0..self.random.from(1..=3) {
            let name = format!("g{index}");
            let condition = self.random.chance(1, 3).then(|| format!("{name} >= {}", self.random.below(3)));
            declarations.push(Declaration::Global { name, kind: "int", condition });
        }
        for index in 0..self.random.from(0..=1) {
            let name = format!("m{index}");
            declarations.push(Declaration::Global { name, kind: "[int]int", condition: None });
        }
        let mut program = Program { declarations };
        for index in 0..self.random.from(2..=4) {
            let procedure = self.procedure(&program, format!("p{index}"));
            program.declarations.push(Declaration::Procedure(procedure));
        }
        program
    }

    fn axiom(&mut self, function: &str) -> String {
        let number = self.random.below(3);
        match self.random.below(4) {
            0 => format!("(forall x: int :: {{{function}(x)}} {function}(x) >= {number})"),
            1 => format!("(forall x: int :: {{{function}(x)}} {function}(x) > x)"),
            2 => format!("{function}({number}) == {}", self.random.below(5)),
            _ => format!(
                "(forall x: int :: {{{function}(x)}} x >= {number} ==> {function}(x) == x + {number})"
            ),
        }
    }

    /// A procedure that may call those of the program.
    fn procedure(&mut self, program: &Program, name: String) -> Procedure {
        let mut scope = scope_of(program);
        let globals = std::mem::take(&mut scope.writable);
        let maps = std::mem::take(&mut scope.writable_maps);
        let mut modifies: Vec<String> =
            globals.iter().filter(|_| self.random.chance(1, 2)).cloned().collect();
        scope.writable_maps = maps.into_iter().filter(|_| self.random.chance(2, 3)).collect();
        let parameters: Vec<String> =
            (0..self.random.from(1..=2)).map(|index| format!("a{index}_{name}")).collect();
        let result = self.random.chance(2, 3).then(|| format!("r_{name}"));
        scope.readable.extend(parameters.iter().cloned());

        let mut clauses = Vec::new();
        for _ in 0..self.random.from(0..=2) {
            let text = self.demand(&parameters, &scope);
            scope.facts.push(text.clone());
            clauses.push(Clause { before: true, free: self.random.chance(1, 6), text });
        }
        let mut locals = Vec::new();
        for index in 0..self.random.from(1..=2) {
            let local = format!("l{index}_{name}");
            let condition = self.random.chance(1, 4).then(|| format!("{local} >= {}", self.random.below(4)));
            scope.facts.extend(condition.clone());
            scope.readable.push(local.clone());
            scope.writable.push(local.clone());
            locals.push((local, condition));
        }
        scope.writable.extend(modifies.iter().cloned());
        modifies.extend(scope.writable_maps.iter().cloned());
        scope.readable.extend(result.iter().cloned());
        scope.writable.extend(result.iter().cloned());
        let length = self.random.from(3..=7);
        let body = self.statements(program, &modifies, &mut scope, length, 0);
        for _ in 0..self.random.from(0..=2) {
            scope.readable.retain(|variable| !locals.iter().any(|(local, _)| local == variable));
            scope
                .facts
                .retain(|fact| locals.iter().all(|(local, _)| replace_words(fact, &[(local, "")]) == *fact));
            let text = self.claim(&scope);
            clauses.push(Clause { before: false, free: self.random.chance(1, 6), text });
        }
        Procedure { name, parameters, result, modifies, clauses, locals, body: Some(body) }
    }

    fn statements(
        &mut self,
        program: &Program,
        modifies: &[String],
        scope: &mut Scope,
        length: usize,
        depth: usize,
    ) -> Vec<Statement> {
        (0..length).map(|_| self.statement(program, modifies, scope, depth)).collect()
    }

    fn statement(
        &mut self,
        program: &Program,
        modifies: &[String],
        scope: &mut Scope,
        depth: usize,
    ) -> Statement {
        let nested = usize::from(depth < 2);
        let callable: Vec<&Procedure> = program
            .procedures()
            .filter(|callee| callee.modifies.iter().all(|name| modifies.contains(name)))
            .collect();
        let calls = 4 * usize::from(!callable.is_empty());
        let maps = 4 * usize::from(!scope.writable_maps.is_empty());
        match self.random.weighted(&[6, 7, 1, 1, calls, 2 * nested, nested, maps]) {
            0 => {
                let variable = self.variable(&scope.writable);
                let value = self.integer(scope);
                scope.assigned(&variable);
                if replace_words(&value, &[(&variable, "")]) == value {
                    scope.facts.push(format!("{variable} == {value}"));
                }
                Statement::Simple(format!("{variable} := {value}"))
            }
            1 => {
                let claim = self.claim(scope);
                scope.facts.push(claim.clone());
                Statement::Simple(format!("assert {claim}"))
            }
            2 => {
                let condition = self.condition(scope);
                scope.facts.push(condition.clone());
                Statement::Simple(format!("assume {condition}"))
            }
            3 => {
                let variable = self.variable(&scope.writable);
                scope.assigned(&variable);
                Statement::Simple(format!("havoc {variable}"))
            }
            4 => {
                let callee = callable[self.random.below(callable.len())].clone();
                self.call(&callee, scope)
            }
            5 => {
                let guard = self.condition(scope);
                let mut one = scope.clone();
                one.facts.push(guard.clone());
                let length = self.random.from(1..=3);
                let then = self.statements(program, modifies, &mut one, length, depth + 1);
                let length = self.random.from(0..=2);
                let mut other = scope.clone();
                other.facts.push(format!("!({guard})"));
                let otherwise = self.statements(program, modifies, &mut other, length, depth + 1);
                scope.facts = one.facts.into_iter().filter(|fact| other.facts.contains(fact)).collect();
                Statement::If(guard, then, otherwise)
            }
            7 => {
                let map = self.variable(&scope.writable_maps);
                let (index, value) = (self.integer(scope), self.integer(scope));
                scope.assigned(&map);
                let element = format!("{map}[{index}]");
                if ![&index, &value].iter().any(|text| replace_words(text, &[(&map, "")]) != **text) {
                    scope.facts.push(format!("{element} == {value}"));
                }
                Statement::Simple(format!("{element} := {value}"))
            }
            _ => {
                let variable = self.variable(&scope.writable);
                let bound = self.random.from(1..=5);
                let guard = format!("{variable} < {bound}");
                scope.facts.clear();
                let mut invariants = Vec::new();
                for _ in 0..self.random.from(0..=2) {
                    invariants.push(match self.random.weighted(&[6, 3, 1]) {
                        0 => format!("{variable} <= {bound} || {variable} > {}", self.random.below(bound)),
                        1 => "true".to_owned(),
                        _ => self.condition(scope),
                    });
                }
                let mut inner = scope.clone();
                inner.facts.push(guard.clone());
                let length = self.random.from(0..=2);
                let mut body = self.statements(program, modifies, &mut inner, length, depth + 1);
                body.push(Statement::Simple(format!("{variable} := {variable} + 1")));
                scope.facts.extend(invariants.iter().cloned());
                scope.facts.push(format!("{variable} >= {bound}"));
                Statement::While { guard, invariants, body }
            }
        }
    }

    fn call(&mut self, callee: &Procedure, scope: &mut Scope) -> Statement {
        let argument = |_| {
            if self.random.chance(3, 4) {
                (2 + self.random.below(6)).to_string()
            } else {
                self.integer(scope)
            }
        };
        let arguments: Vec<String> = callee.parameters.iter().map(argument).collect();
        let target = callee.result.as_ref().map(|_| self.variable(&scope.writable));
        let assigned: Vec<&String> = callee.modifies.iter().chain(&target).collect();
        for name in &assigned {
            scope.assigned(name);
        }
        let mut replacements: Vec<(&str, String)> = Vec::new();
        for (parameter, argument) in callee.parameters.iter().zip(&arguments) {
            replacements.push((parameter, format!("({argument})")));
        }
        if let (Some(result), Some(target)) = (&callee.result, &target) {
            replacements.push((result, target.clone()));
        }
        let replacements: Vec<(&str, &str)> =
            replacements.iter().map(|(name, by)| (*name, by.as_str())).collect();
        // A fact about an argument that the call itself changes would not be what the callee promised.
        let changed = |text: &String| assigned.iter().any(|name| replace_words(text, &[(name, "")]) != *text);
        if !arguments.iter().any(changed) {
            let promised = callee.clauses.iter().filter(|clause| !clause.before);
            scope.facts.extend(promised.map(|clause| replace_words(&clause.text, &replacements)));
        }
        let target = target.map(|target| format!("{target} := ")).unwrap_or_default();
        Statement::Simple(format!("call {target}{}({})", callee.name, arguments.join(", ")))
    }

    /// Something to demand of callers, which they mostly fulfil.
    fn demand(&mut self, parameters: &[String], scope: &Scope) -> String {
        let number = self.random.below(3);
        match self.random.below(6) {
            0 => self.condition(scope),
            1 => format!("{} < {}", self.variable(parameters), 20 + number),
            _ => format!("{} >= {number}", self.variable(parameters)),
        }
    }

    /// One of some names; the callers see to it that there is one.
    fn variable(&mut self, names: &[String]) -> String {
        names.get(self.random.below(names.len())).cloned().unwrap_or_default()
    }

    fn integer(&mut self, scope: &Scope) -> String {
        let number = self.random.below(6);
        if scope.readable.is_empty() {
            return number.to_string();
        }
        let variable = self.variable(&scope.readable);
        let maps = 2 * usize::from(!scope.maps.is_empty());
        match self.random.weighted(&[4, 2, 3, 2, 1, 2, maps]) {
            0 => number.to_string(),
            6 => {
                let map = self.variable(&scope.maps);
                if self.random.chance(1, 2) {
                    format!("{map}[{variable}]")
                } else {
                    format!("{map}[{number}]")
                }
            }
            1 => variable,
            2 => format!("{variable} + {number}"),
            3 => format!("{variable} - {number}"),
            4 => format!("{variable} + {}", self.variable(&scope.readable)),
            _ => match scope.functions.as_slice() {
                [] => variable,
                functions => format!("{}({variable})", functions[self.random.below(functions.len())]),
            },
        }
    }

    fn condition(&mut self, scope: &Scope) -> String {
        if scope.constants.len() > 1 && self.random.chance(1, 6) {
            let (one, other) = (self.variable(&scope.constants), self.variable(&scope.constants));
            return format!("{one} != {other}");
        }
        let operator = self.random.one(&["==", "<=", ">=", "<", "!="]);
        format!("{} {operator} {}", self.integer(scope), self.integer(scope))
    }

    /// Something to assert: mostly what follows from what is known.
    fn claim(&mut self, scope: &Scope) -> String {
        let Some(known) = scope.facts.len().checked_sub(1 + self.random.below(scope.facts.len().min(3)))
        else {
            return self.condition(scope);
        };
        let fact = scope.facts.get(known).cloned().unwrap_or_default();
        match self.random.weighted(&[12, 5, 5, 1, 1]) {
            0 => fact,
            1 => format!("({fact}) || {}", self.condition(scope)),
            2 => fact.replacen("==", ">=", 1),
            3 => self.condition(scope),
            _ => fact.replacen("==", ">", 1),
        }
    }

    /// The next version: the last one with one edit, or sometimes an older one that comes back.
    fn edit(&mut self, versions: &[Program]) -> Program {
        if versions.len() > 2 && self.random.chance(1, 8) {
            return versions[self.random.below(versions.len() - 1)].clone();
        }
        let mut program = versions.last().cloned().unwrap_or(Program { declarations: Vec::new() });
        // Edits of one kind may find nothing to change; several together are one edit of a person.
        for _ in 0..self.random.from(1..=2) {
            self.change(&mut program, versions);
        }
        program
    }

    fn change(&mut self, program: &mut Program, versions: &[Program]) {
        self.fresh += 1;
        let count = program.declarations.len();
        match self.random.weighted(&[5, 6, 5, 2, 2, 2, 2, 1, 1, 1, 1, 2]) {
            0 => self.change_number(program),
            1 => self.change_body(program),
            2 => self.change_clauses(program),
            // An axiom comes or goes.
            3 => {
                let functions = scope_of(program).functions;
                let axioms: Vec<usize> = indices(program, |one| matches!(one, Declaration::Axiom(_)));
                if !axioms.is_empty() && self.random.chance(1, 2) {
                    program.declarations.remove(self.random.one(&axioms));
                } else if !functions.is_empty() {
                    let function = self.variable(&functions);
                    let axiom = Declaration::Axiom(self.axiom(&function));
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
            }
            // A type becomes another one.
            10 => {
                let all = indices(program, |one| matches!(one, Declaration::Type(_)));
                if !all.is_empty()
                    && let Some(Declaration::Type(declaration)) =
                        program.declarations.get_mut(self.random.one(&all))
                {
                    *declaration = self.element_type();
                }
            }
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
                    && at
                        .checked_sub(1)
                        .is_none_or(|before| !bytes[before].is_ascii_alphanumeric() && bytes[before] != b'_')
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
        let kind = self.random.below(5);
        let mut scope = scope_of(&whole);
        scope.writable.clear();
        let Some(procedure) = self.some_procedure(program) else { return };
        scope.readable.extend(procedure.parameters.iter().chain(&procedure.result).cloned());
        scope.readable.extend(procedure.locals.iter().map(|(name, _)| name.clone()));
        scope.writable.extend(procedure.locals.iter().map(|(name, _)| name.clone()));
        scope.writable_maps.retain(|map| procedure.modifies.contains(map));
        let plain = procedure.modifies.iter().filter(|name| !scope.maps.contains(name));
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

    /// A specification comes, goes, or becomes free.
    fn change_clauses(&mut self, program: &mut Program) {
        let mut scope = scope_of(program);
        let kind = self.random.below(4);
        let Some(procedure) = self.some_procedure(program) else { return };
        scope.readable.extend(procedure.parameters.iter().cloned());
        let before = self.random.chance(1, 2);
        if !before {
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

/// What every procedure of a program may mention. Globals are readable and writable.
fn scope_of(program: &Program) -> Scope {
    let mut scope = Scope::default();
    for declaration in &program.declarations {
        match declaration {
            Declaration::Constant { name, .. } => scope.constants.push(name.clone()),
            Declaration::Function { name, .. } => scope.functions.push(name.clone()),
            Declaration::Global { name, kind: "[int]int", .. } => {
                scope.maps.push(name.clone());
                scope.writable_maps.push(name.clone());
            }
            Declaration::Global { name, .. } => {
                scope.readable.push(name.clone());
                scope.writable.push(name.clone());
            }
            Declaration::Type(_) | Declaration::Axiom(_) | Declaration::Procedure(_) => {}
        }
    }
    scope
}

fn indices(program: &Program, which: impl Fn(&Declaration) -> bool) -> Vec<usize> {
    (0..program.declarations.len()).filter(|at| which(&program.declarations[*at])).collect()
}

#[cfg(test)]
mod tests {
    use super::{Random, case};

    #[test]
    fn edits_change_programs_and_every_case_can_be_made_smaller() {
        for number in 0..20 {
            let case = case(&mut Random::of_case(5, number), 6);
            let texts: Vec<String> = case.versions.iter().map(super::Program::text).collect();
            assert_eq!(texts.len(), 7);
            assert!(texts.iter().any(|text| *text != texts[0]), "{}", texts[0]);
            assert!(case.smaller().len() > 7);
        }
    }
}
