//! Random programs and edits. Assertions are made from facts that hold where they stand, mostly
//! weakened, sometimes strengthened too far: so some are provable, some are not, and an edit elsewhere
//! (a specification, an axiom, a `where` clause) turns one into the other.

use super::super::random::Random;
use super::PLENTY;
use super::heights;
use super::program::{
    Case, Clause, DATATYPES, Declaration, Procedure, Program, Run, Statement, replace_words,
};

/// A random program with a few edits.
pub(super) fn case(random: &mut Random, edits: usize) -> Case {
    let mut generator = Generator { random, fresh: 0, due: None };
    let mut versions = vec![generator.program()];
    for _ in 0..edits {
        let next = generator.edit(&versions);
        versions.push(next);
    }
    let runs = generator.runs();
    if random.chance(1, 4) {
        heights::give(random, &mut versions);
    }
    Case { versions, runs }
}

pub(super) struct Generator<'r> {
    pub(super) random: &'r mut Random,
    /// Numbers names that edits introduce.
    pub(super) fresh: usize,
    /// What the next edit is to do, if that is certain.
    pub(super) due: Option<Due>,
}

/// What the next edit is to do: to weaken what a procedure demands or promises.
pub(super) struct Due {
    pub(super) callee: String,
    pub(super) clause: String,
    /// What is to be asserted behind which call.
    pub(super) assertion: Option<(String, Statement)>,
}

/// What may be mentioned at some place, and what is known to hold there.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope {
    /// Integer variables that may be read.
    pub(super) readable: Vec<String>,
    /// Those that may be assigned.
    pub(super) writable: Vec<String>,
    /// Maps from integers that may be read.
    pub(super) maps: Vec<String>,
    /// Those that may be assigned.
    pub(super) writable_maps: Vec<String>,
    /// Variables of the datatype `D` that may be read.
    pub(super) records: Vec<String>,
    /// Those that may be assigned.
    pub(super) writable_records: Vec<String>,
    /// Heaps that may be read.
    pub(super) heaps: Vec<String>,
    /// Those that may be assigned.
    pub(super) writable_heaps: Vec<String>,
    /// Global variables whose earlier values may be mentioned.
    pub(super) old: Vec<String>,
    pub(super) functions: Vec<String>,
    /// Functions of any type.
    pub(super) generics: Vec<String>,
    pub(super) constants: Vec<String>,
    /// Functions with axioms that can be hidden.
    pub(super) hideable: Vec<String>,
    /// What the variables of procedures are called where these are inlined.
    pub(super) copies: Vec<String>,
    /// Conditions, of which the latest are the likeliest still to hold.
    pub(super) facts: Vec<String>,
}

impl Scope {
    fn assigned(&mut self, name: &str) {
        self.facts.retain(|fact| replace_words(fact, &[(name, "")]) == *fact);
    }
}

/// Which checks are asked together.
pub(super) const MARKS: [&str; 4] = ["{:split_here} ", "{:isolate} ", "{:isolate \"paths\"} ", "{:focus} "];

impl Generator<'_> {
    /// The settings of two runs or three: mostly the same ones again, as after a restart.
    fn runs(&mut self) -> Vec<Run> {
        let mut first = Run {
            error_limit: self.random.one(&[5, 5, 5, 2, 1, 0]),
            resource: if self.random.chance(1, 8) { self.scarce() } else { PLENTY },
            // Whether queries are asked under other settings where they take long, and when: about what they take.
            options: match self.random.weighted(&[3, 1, 1, 1]) {
                0 => Vec::new(),
                1 => vec!["--switch-after", "0"],
                2 => vec!["--switch-after", "300"],
                _ => vec!["--switch-after", "1200"],
            },
            caching: self.random.one(&[
                "eager",
                "eager",
                "eager",
                "fine-grained",
                "fine-grained",
                "basic",
                "replay",
                "replay",
            ]),
            audit: false,
        };
        if self.random.chance(1, 4) {
            first.options.push("--counterexample");
        }
        let mut second = first.clone();
        match self.random.weighted(&[10, 4, 2, 2, 2, 1]) {
            0 => {}
            1 => second.error_limit = self.random.one(&[1, 2, 5, 0]),
            2 => second.resource = if first.resource == PLENTY { self.scarce() } else { PLENTY },
            3 => second.options = vec!["--switch-after", "700"],
            4 => second.options.extend(["--solver-option", "smt.random_seed=7"]),
            _ => second.options.push("--each-check"),
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
    pub(super) fn element_type(&mut self) -> String {
        self.random.one(&["type E;", "type E;", "type E = int;", "datatype E { A(), B(), C() }"]).to_owned()
    }

    fn program(&mut self) -> Program {
        let mut declarations = vec![Declaration::Type(self.element_type())];
        for index in 0..self.random.from(1..=3) {
            let unique = self.random.chance(2, 3);
            let name =
                self.name(&[&format!("c{index}"), &format!("visible$f{index}"), &format!("$t{index}")]);
            declarations.push(Declaration::Constant { name, unique });
        }
        for index in 0..self.random.from(1..=2) {
            let name = format!("f{index}");
            let body = self.random.chance(1, 3).then(|| format!("x + {}", self.random.below(4)));
            let hideable = self.random.chance(1, 4).then(|| self.axiom(&name));
            if body.is_none() {
                declarations.push(Declaration::Axiom(self.axiom(&name)));
            }
            declarations.push(Declaration::Function { name, body, hideable });
        }
        if self.random.chance(1, 4) {
            let name = self.name(&["h0", "any$f0", "h#0"]);
            declarations.push(Declaration::Axiom(self.generic_axiom(&name)));
            declarations.push(Declaration::Generic(name));
        }
        if self.random.chance(1, 4) {
            declarations.push(Declaration::Datatype(self.random.below(DATATYPES.len())));
            declarations.push(Declaration::Global { name: "d0".to_owned(), kind: "D", condition: None });
        }
        for index in 0..self.random.from(1..=3) {
            let name = self.name(&[&format!("g{index}"), &format!("lambda#{index}"), &format!("g#{index}")]);
            let condition = self.random.chance(1, 3).then(|| format!("{name} >= {}", self.random.below(3)));
            declarations.push(Declaration::Global { name, kind: "int", condition });
        }
        if self.random.chance(1, 5) {
            declarations.push(Declaration::Heap("heap".to_owned()));
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

    /// A procedure that may call those of the program.
    pub(super) fn procedure(&mut self, program: &Program, name: String) -> Procedure {
        let mut scope = scope_of(program);
        let globals = std::mem::take(&mut scope.writable);
        let maps = std::mem::take(&mut scope.writable_maps);
        let records = std::mem::take(&mut scope.writable_records);
        let heaps = std::mem::take(&mut scope.writable_heaps);
        let mut modifies: Vec<String> =
            globals.iter().filter(|_| self.random.chance(1, 2)).cloned().collect();
        scope.writable_maps = maps.into_iter().filter(|_| self.random.chance(2, 3)).collect();
        scope.writable_records = records.into_iter().filter(|_| self.random.chance(2, 3)).collect();
        scope.writable_heaps = heaps.into_iter().filter(|_| self.random.chance(2, 3)).collect();
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
        let mut related = None;
        for index in 0..self.random.from(1..=2) {
            let mut local = format!("l{index}_{name}");
            if index == 0 && !scope.copies.is_empty() && self.random.chance(1, 3) {
                local = self.variable(&scope.copies);
            }
            let condition = match (self.random.below(8), locals.last()) {
                (0 | 1, _) => Some(format!("{local} >= {}", self.random.below(4))),
                (2..=4, Some((before, None))) => {
                    let condition = format!("{local} > {before}");
                    related = Some(condition.clone());
                    Some(condition)
                }
                (2, _) => Some(format!("{local} > {}", self.variable(&scope.readable))),
                _ => None,
            };
            scope.facts.extend(condition.clone());
            scope.readable.push(local.clone());
            scope.writable.push(local.clone());
            locals.push((local, condition));
        }
        scope.writable.extend(modifies.iter().cloned());
        let others = scope.writable_maps.iter().chain(&scope.writable_records).chain(&scope.writable_heaps);
        modifies.extend(others.cloned());
        scope.old = globals;
        scope.readable.extend(result.iter().cloned());
        scope.writable.extend(result.iter().cloned());
        let length = self.random.from(3..=7);
        let mut body = self.statements(program, &modifies, &mut scope, length, 0);
        if let Some(condition) = related.filter(|_| self.random.chance(3, 4)) {
            body.insert(0, Statement::Simple(format!("assert {condition}")));
        }
        for _ in 0..self.random.from(0..=2) {
            scope.readable.retain(|variable| !locals.iter().any(|(local, _)| local == variable));
            scope
                .facts
                .retain(|fact| locals.iter().all(|(local, _)| replace_words(fact, &[(local, "")]) == *fact));
            let text = self.claim(&scope);
            clauses.push(Clause { before: false, free: self.random.chance(1, 6), text });
        }
        let (inline, divided) = match self.random.below(8) {
            0 => (true, false),
            1 => (false, true),
            _ => (false, false),
        };
        Procedure { name, inline, divided, parameters, result, modifies, clauses, locals, body: Some(body) }
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

    pub(super) fn statement(
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
        let hides = usize::from(!scope.hideable.is_empty());
        let records = 2 * usize::from(!scope.writable_records.is_empty());
        let heaps = 4 * usize::from(!scope.writable_heaps.is_empty());
        match self.random.weighted(&[6, 7, 1, 1, calls, 2 * nested, nested, maps, hides, records, heaps]) {
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
                let note = match self.random.below(24) {
                    0 | 1 => self.under(scope),
                    2 => format!("{{:msg \"message {}\"}} ", self.random.below(9)),
                    3 => self.random.one(&MARKS).to_owned(),
                    _ => String::new(),
                };
                Statement::Simple(format!("assert {note}{claim}"))
            }
            2 => {
                let choices = if self.random.chance(1, 3) { self.choices(scope) } else { None };
                let condition = choices.unwrap_or_else(|| self.condition(scope));
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
                let guard = if self.random.chance(1, 8) { "*".to_owned() } else { self.condition(scope) };
                let known = guard != "*";
                let mut one = scope.clone();
                one.facts.extend(known.then(|| guard.clone()));
                let length = self.random.from(1..=3);
                let then = self.statements(program, modifies, &mut one, length, depth + 1);
                let length = self.random.from(0..=2);
                let mut other = scope.clone();
                other.facts.extend(known.then(|| format!("!({guard})")));
                let otherwise = self.statements(program, modifies, &mut other, length, depth + 1);
                scope.facts = one.facts.into_iter().filter(|fact| other.facts.contains(fact)).collect();
                Statement::If(guard, then, otherwise)
            }
            8 => Statement::Simple(self.hiding(scope)),
            7 => {
                let map = self.variable(&scope.writable_maps);
                if self.random.chance(1, 4) {
                    let (value, fact) = self.lambda(&map, scope);
                    scope.assigned(&map);
                    // What the lambda says of the map is about its earlier value.
                    if replace_words(&value, &[(&map, "")]) == value {
                        scope.facts.push(fact);
                    }
                    return Statement::Simple(format!("{map} := {value}"));
                }
                let (index, value) = (self.integer(scope), self.integer(scope));
                scope.assigned(&map);
                let element = format!("{map}[{index}]");
                if ![&index, &value].iter().any(|text| replace_words(text, &[(&map, "")]) != **text) {
                    scope.facts.push(format!("{element} == {value}"));
                }
                Statement::Simple(format!("{element} := {value}"))
            }
            9 => {
                let record = self.variable(&scope.writable_records);
                let value = self.integer(scope);
                scope.assigned(&record);
                let same = replace_words(&value, &[(&record, "")]) == value;
                let (text, fact) = match self.random.below(3) {
                    0 => (format!("{record}->v := {value}"), format!("{record}->v == {value}")),
                    1 => (format!("{record} := L({value})"), format!("{record} is L")),
                    _ => (format!("{record} := L({value})"), format!("{record}->v == {value}")),
                };
                scope.facts.extend(same.then_some(fact));
                Statement::Simple(text)
            }
            10 => {
                let heap = self.variable(&scope.writable_heaps);
                let place = format!("{heap}[{}]", self.random.one(&["slot0", "slot1"]));
                let value = self.integer(scope);
                scope.assigned(&heap);
                let same = replace_words(&value, &[(&heap, "")]) == value;
                scope.facts.extend(same.then(|| format!("{place} == {value}")));
                Statement::Simple(format!("{place} := {value}"))
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
                if self.random.chance(1, 5) {
                    let leave = vec![Statement::Simple("break".to_owned())];
                    let place = self.random.below(body.len());
                    body.insert(place, Statement::If(self.condition(&inner), leave, Vec::new()));
                } else {
                    scope.facts.push(format!("{variable} >= {bound}"));
                }
                Statement::While { guard, invariants, body }
            }
        }
    }

    /// A statement about which axioms may be used.
    fn hiding(&mut self, scope: &Scope) -> String {
        let function = self.variable(&scope.hideable);
        match self.random.below(6) {
            0 | 1 => format!("hide {function}"),
            2 => "hide *".to_owned(),
            3 => format!("reveal {function}"),
            4 => "reveal *".to_owned(),
            _ => {
                let word = self.random.one(&["hide", "reveal"]);
                format!("push; {word} {function}; assert {}; pop", self.condition(scope))
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
            let promised =
                callee.clauses.iter().filter(|clause| !clause.before && !clause.text.contains("old("));
            scope.facts.extend(promised.map(|clause| replace_words(&clause.text, &replacements)));
        }
        let target = target.map(|target| format!("{target} := ")).unwrap_or_default();
        let under = match self.random.below(20) {
            0 | 1 => self.under(scope),
            2 => "{:subsumption 0} ".to_owned(),
            _ => String::new(),
        };
        Statement::Simple(format!("call {under}{target}{}({})", callee.name, arguments.join(", ")))
    }
}

/// What every procedure of a program may mention. Globals are readable and writable.
pub(super) fn scope_of(program: &Program) -> Scope {
    let mut scope = Scope::default();
    for declaration in &program.declarations {
        match declaration {
            Declaration::Constant { name, .. } => scope.constants.push(name.clone()),
            Declaration::Function { name, hideable, .. } => {
                scope.functions.push(name.clone());
                scope.hideable.extend(hideable.is_some().then(|| name.clone()));
            }
            Declaration::Procedure(Procedure { name, inline: true, locals, parameters, .. }) => {
                let theirs = locals.iter().map(|(local, _)| local).chain(parameters);
                scope.copies.extend(theirs.map(|local| format!("inline${name}$0${local}")));
            }
            Declaration::Global { name, kind: "[int]int", .. } => {
                scope.maps.push(name.clone());
                scope.writable_maps.push(name.clone());
            }
            Declaration::Global { name, kind: "D", .. } => {
                scope.records.push(name.clone());
                scope.writable_records.push(name.clone());
            }
            Declaration::Generic(name) => scope.generics.push(name.clone()),
            Declaration::Heap(name) => {
                scope.heaps.push(name.clone());
                scope.writable_heaps.push(name.clone());
            }
            Declaration::Global { name, .. } => {
                scope.readable.push(name.clone());
                scope.writable.push(name.clone());
            }
            Declaration::Type(_)
            | Declaration::Height(_)
            | Declaration::Datatype(_)
            | Declaration::Axiom(_)
            | Declaration::Procedure(_) => {}
        }
    }
    scope
}

#[cfg(test)]
mod tests {
    use super::{Random, case};

    #[test]
    fn what_is_called_is_there() {
        for number in 0..200 {
            for version in case(&mut Random::of_case(5, number), 6).versions {
                assert!(version.has_what_it_calls(), "{}", version.text());
            }
        }
    }

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
