//! Random programs over most of the language that Boogie 2.4.1 and `ivl` share: every type, datatypes in the old
//! notation, heaps, types with parameters, orders, lambdas, `where`, specifications, procedures of every type, inlining,
//! loops with `break`, bodies of blocks, marks at which checking begins or is divided, and candidates for contracts.

use super::super::random::Random;
use super::expression::{Function, Named, Scope, Type};
use super::program::{Case, Item};

/// Options that change how a program is verified; half of all cases have none.
const OPTIONS: [&[&str]; 20] = [
    &["-loopUnroll:2"],
    &["-loopUnroll:2", "-soundLoopUnrolling"],
    &["-inline:assert"],
    &["-inline:assume"],
    &["-inline:none"],
    &["-subsumption:0"],
    &["-subsumption:1"],
    &["-useArrayTheory"],
    &["-doModSetAnalysis"],
    &["-removeEmptyBlocks:0"],
    &["-coalesceBlocks:0"],
    &["-liveVariableAnalysis:0"],
    &["-typeEncoding:p"],
    &["-vcsSplitOnEveryAssert"],
    &["-alwaysAssumeFreeLoopInvariants"],
    &["-inlineDepth:1"],
    &["-kInductionDepth:2"],
    &["-infer:j"],
    &["-infer:j", "-instrumentInfer:e"],
    &["-proc:P1", "-proc:P2"],
];

/// Under which the candidates among a program's conditions are kept that hold.
pub(super) const INFER: [&str; 2] = ["-contractInfer", "-printAssignment"];

const BIT_FUNCTIONS: &str = "\
function {:bvbuiltin \"bvadd\"} add(bv8, bv8) returns (bv8);
function {:bvbuiltin \"bvsub\"} sub(bv8, bv8) returns (bv8);
function {:bvbuiltin \"bvand\"} band(bv8, bv8) returns (bv8);
function {:bvbuiltin \"bvxor\"} bxor(bv8, bv8) returns (bv8);
function {:bvbuiltin \"bvshl\"} shl(bv8, bv8) returns (bv8);
function {:bvbuiltin \"bvlshr\"} lshr(bv8, bv8) returns (bv8);
function {:bvbuiltin \"bvult\"} ult(bv8, bv8) returns (bool);
function {:bvbuiltin \"bvsle\"} sle(bv8, bv8) returns (bool);";

const LIST: &str = "\
type {:datatype} D;
function {:constructor} Nil(): D;
function {:constructor} Cons(hd: int, tl: D): D;";

const HEAP: &str = "\
type Field a;
type Heap = <a>[U, Field a]a;
const unique fi: Field int;
const unique fj: Field int;
const unique fb: Field bool;
function pr<a, b>(x: a, y: b): a;
axiom (forall<a, b> x: a, y: b :: {pr(x, y)} pr(x, y) == x);";

const ORDER: &str = "\
const unique u2: U;
const unique u3: U extends unique u2 complete;
const unique u1: U extends unique u3;
const u4: U extends;";

const GENERIC: &str = "\
type V a;
function len<a>(v: V a): int;
function at<a>(v: V a, i: int): a;
axiom (forall<a> v: V a :: {len(v)} len(v) >= 0);
const w: V int;
const z: V bool;
procedure Swap<a>(x: a, y: a) returns (p: a, q: a);
  ensures p == y && q == x;
procedure Put<a>(m: [int]a, i: int, x: a) returns (r: [int]a)
  ensures r[i] == x;
{
  r := m[i := x];
}";

/// Terms over what [`GENERIC`] declares.
const GENERIC_TERMS: [(&str, Type); 4] =
    [("len(w)", Type::Int), ("len(z)", Type::Int), ("at(w, c)", Type::Int), ("at(z, 1)", Type::Bool)];

/// What callers know of a procedure.
#[derive(Clone)]
struct Procedure {
    name: String,
    parameters: Vec<Named>,
    results: Vec<Named>,
    modifies: Vec<Named>,
}

/// A random program and its options.
pub(super) fn case(random: &mut Random) -> Case {
    let mut options = if random.chance(1, 2) { Vec::new() } else { random.one(&OPTIONS).to_vec() };
    let mut writer = Writer::new(random);
    if writer.scope.random.chance(1, 7) {
        writer.candidates = writer.scope.random.from(2..=5);
        options = INFER.to_vec();
    }
    writer.declarations();
    Case { options, items: writer.items }
}

struct Writer<'a> {
    scope: Scope<'a>,
    items: Vec<Item>,
    procedures: Vec<Procedure>,
    /// What may be assigned in the body that is written, and what its procedure may change.
    assignable: Vec<Named>,
    modifies: Vec<Named>,
    /// The labels of the loops around a statement, innermost last; a loop may have none.
    loops: Vec<Option<String>>,
    labels: usize,
    /// Whether the procedure that is written is inlined.
    inlined: bool,
    /// How many constants stand in front of conditions that hold only where they are true (`-contractInfer`).
    candidates: usize,
    /// Whether there are types with parameters, and functions and procedures of every type.
    generic: bool,
    /// Whether what the procedure checks that is written begins at a mark.
    selective: bool,
}

impl<'a> Writer<'a> {
    fn new(random: &'a mut Random) -> Self {
        let mut types = vec![Type::Int, Type::Bool, Type::Map, Type::Named];
        let rare = [
            (Type::Bits, 3),
            (Type::Real, 4),
            (Type::List, 4),
            (Type::Set, 3),
            (Type::Pairs, 5),
            (Type::Nested, 5),
            (Type::Heap, 4),
        ];
        types.extend(rare.iter().filter(|(_, of)| random.chance(1, *of)).map(|(kind, _)| *kind));
        let [quantifiers, lambdas, order, generic] =
            [(1, 3), (1, 4), (1, 8), (1, 5)].map(|(part, of)| random.chance(part, of));
        // Beside polymorphic types, and orders, Boogie 2.4.1 does not know that a value has one constructor only.
        if order || generic || types.contains(&Type::Heap) {
            types.retain(|kind| *kind != Type::List);
        }
        let scope = Scope {
            random,
            types,
            quantifiers,
            lambdas,
            order,
            constants: Vec::new(),
            globals: Vec::new(),
            locals: Vec::new(),
            functions: Vec::new(),
            old: false,
            bound: 0,
        };
        let (items, procedures, assignable, modifies, loops) = Default::default();
        let (labels, inlined, selective, candidates) = Default::default();
        Self {
            scope,
            items,
            procedures,
            assignable,
            modifies,
            loops,
            labels,
            inlined,
            candidates,
            generic,
            selective,
        }
    }

    fn has(&self, kind: Type) -> bool {
        self.scope.types.contains(&kind)
    }

    fn chance(&mut self, part: usize, whole: usize) -> bool {
        self.scope.random.chance(part, whole)
    }

    /// A type that a variable may have; the heap has a variable of its own.
    fn kind(&mut self) -> Type {
        let types: Vec<Type> = self.scope.types.iter().copied().filter(|it| *it != Type::Heap).collect();
        self.scope.random.one(&types)
    }

    fn lines(&mut self, text: &str) {
        self.items.extend(text.lines().map(Item::line));
    }

    fn declarations(&mut self) {
        self.lines("type U;");
        if self.scope.order {
            self.lines(ORDER);
        } else {
            for index in 1..=3 {
                let unique = self.scope.random.one(&["", "unique "]);
                self.lines(&format!("const {unique}u{index}: U;"));
            }
        }
        self.scope.constants.extend((1..=3).map(|index| (format!("u{index}"), Type::Named)));
        let (comparison, bound) =
            (self.scope.random.one(&[">", "<", ">=", "!="]), self.scope.random.below(9));
        self.lines(&format!("const c: int;\naxiom c {comparison} {bound};"));
        self.scope.constants.push(("c".to_owned(), Type::Int));
        if self.generic {
            self.lines(GENERIC);
            let terms = GENERIC_TERMS.map(|(term, kind)| (term.to_owned(), kind));
            self.scope.constants.extend(terms);
        }
        for (kind, text) in [(Type::Bits, BIT_FUNCTIONS), (Type::List, LIST), (Type::Heap, HEAP)] {
            if self.has(kind) {
                self.lines(text);
            }
        }
        if self.has(Type::Heap) {
            let inline = self.scope.random.one(&["", "{:inline} "]);
            self.lines(&format!("function {inline}rd<a>(h: Heap, x: U, f: Field a): a {{ h[x, f] }}"));
        }
        self.functions();
        self.globals();
        for index in 0..self.candidates {
            self.lines(&format!("const {{:existential true}} e{index}: bool;"));
        }
        for index in 0..self.scope.random.from(2..=4) {
            self.procedure(format!("P{index}"));
        }
    }

    fn functions(&mut self) {
        self.lines("function f(x: int): int;");
        let function = |name: &str, parameters: &[Type], result| Function {
            name: name.to_owned(),
            parameters: parameters.to_vec(),
            result,
        };
        self.scope.functions.push(function("f", &[Type::Int], Type::Int));
        if self.chance(1, 2) {
            let (comparison, other) =
                (self.scope.random.one(&[">=", ">", "!="]), self.scope.random.one(&["0", "x - 1", "x"]));
            self.lines(&format!("axiom (forall x: int :: {{f(x)}} f(x) {comparison} {other});"));
        }
        // What front ends wrap numbers in.
        if self.chance(1, 4) {
            self.lines(
                "function {:identity} lit(x: int): int;\naxiom (forall x: int :: {lit(x)} lit(x) == x);",
            );
            self.scope.functions.push(function("lit", &[Type::Int], Type::Int));
        }
        let parameters = [("x", Type::Int), ("b", Type::Bool), ("m", Type::Map)];
        for index in 0..self.scope.random.below(4) {
            let result = self.scope.random.one(&[Type::Int, Type::Bool]);
            let inline = self.scope.random.one(&["", "{:inline} "]);
            self.scope.locals = parameters.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect();
            let body = self.scope.of(result, 2);
            let name = format!("h{index}");
            let head = "x: int, b: bool, m: [int]int";
            self.lines(&format!("function {inline}{name}({head}): {} {{ {body} }}", result.text()));
            self.scope.functions.push(function(&name, &parameters.map(|(_, kind)| kind), result));
        }
        self.scope.locals.clear();
    }

    fn globals(&mut self) {
        for index in 0..self.scope.random.from(2..=4) {
            let (name, kind) = (format!("g{index}"), self.kind());
            self.scope.locals = vec![(name.clone(), kind)];
            let condition = self.condition_of_variable();
            self.lines(&format!("var {name}: {}{condition};", kind.text()));
            self.scope.globals.push((name, kind));
        }
        self.scope.locals.clear();
        if self.has(Type::Heap) {
            self.lines("var H: Heap;");
            self.scope.globals.push(("H".to_owned(), Type::Heap));
        }
    }

    /// ` where CONDITION`, in one of six cases; not of variables of bodies that are inlined, since `ivl` and Boogie assume
    /// these in other places (docs/boogie.md).
    fn condition_of_variable(&mut self) -> String {
        if !self.inlined && self.chance(1, 6) {
            format!(" where {}", self.scope.condition(1))
        } else {
            String::new()
        }
    }

    /// A condition of a specification or a loop; in three of four cases one that a candidate stands for, where there are
    /// candidates.
    fn clause(&mut self) -> String {
        let condition = self.scope.condition(2);
        if self.candidates == 0 || self.chance(1, 4) {
            return condition;
        }
        format!("e{} ==> {condition}", self.scope.random.below(self.candidates))
    }

    /// New variables, each with a condition over those in front of it, which stay in scope.
    fn variables(&mut self, prefix: &str, count: usize) -> (Vec<Named>, Vec<String>) {
        let (mut names, mut texts) = (Vec::new(), Vec::new());
        for index in 0..count {
            let (name, kind) = (format!("{prefix}{index}"), self.kind());
            self.scope.locals.push((name.clone(), kind));
            let condition = self.condition_of_variable();
            texts.push(format!("{name}: {}{condition}", kind.text()));
            names.push((name, kind));
        }
        (names, texts)
    }

    fn procedure(&mut self, name: String) {
        self.scope.locals.clear();
        self.inlined = self.chance(1, 4);
        self.scope.old = false;
        let count = self.scope.random.below(4);
        let (parameters, before) = self.variables("a", count);
        let count = self.scope.random.below(3);
        let (results, after) = self.variables("r", count);
        let apart = self.chance(1, 5);
        let inline = if self.inlined {
            format!("{{:inline {}}} ", self.scope.random.from(1..=2))
        } else {
            String::new()
        };
        let end = if apart { ";" } else { "" };
        self.selective = self.chance(1, 12);
        let selective = if self.selective { "{:selective_checking} " } else { "" };
        self.lines(&format!(
            "procedure {selective}{inline}{name}({}) returns ({}){end}",
            before.join(", "),
            after.join(", ")
        ));
        self.scope.locals.truncate(parameters.len());
        for _ in 0..self.scope.random.below(3) {
            let free = self.scope.random.one(&["", "", "free "]);
            let condition = self.clause();
            self.lines(&format!("  {free}requires {condition};"));
        }
        let globals = self.scope.globals.clone();
        let modifies: Vec<Named> = globals.into_iter().filter(|_| self.chance(1, 2)).collect();
        if !modifies.is_empty() {
            let names: Vec<&str> = modifies.iter().map(|(name, _)| name.as_str()).collect();
            self.lines(&format!("  modifies {};", names.join(", ")));
        }
        self.scope.locals.extend(results.iter().cloned());
        self.scope.old = true;
        for _ in 0..self.scope.random.below(3) {
            let free = self.scope.random.one(&["", "", "", "free "]);
            let condition = self.clause();
            self.lines(&format!("  {free}ensures {condition};"));
        }
        let bare = |all: &[Named]| -> String {
            let all: Vec<String> =
                all.iter().map(|(name, kind)| format!("{name}: {}", kind.text())).collect();
            all.join(", ")
        };
        if apart {
            self.lines(&format!("implementation {name}({}) returns ({})", bare(&parameters), bare(&results)));
        }
        self.modifies = modifies.clone();
        self.assignable = [&results[..], &modifies].concat();
        self.procedures.push(Procedure { name, parameters, results, modifies });
        let body = self.body();
        self.items.push(Item::block("{", body));
    }

    fn body(&mut self) -> Vec<Item> {
        self.scope.old = false;
        let count = self.scope.random.from(1..=4);
        let (locals, texts) = self.variables("v", count);
        let mut body: Vec<Item> = texts.iter().map(|text| Item::line(format!("var {text};"))).collect();
        self.assignable.extend(locals);
        self.scope.old = true;
        self.labels = 0;
        if self.chance(1, 4) {
            body.extend(self.blocks());
        } else {
            let count = self.scope.random.from(3..=8);
            body.extend(self.statements(count, 2));
        }
        body
    }

    /// Blocks that jump forwards, and back to the first.
    fn blocks(&mut self) -> Vec<Item> {
        let count = self.scope.random.from(3..=6);
        let mut blocks = vec![self.simple()];
        for index in 0..count {
            blocks.push(Item::line(format!("B{index}:")));
            for _ in 0..self.scope.random.below(4) {
                blocks.push(self.simple());
            }
            let mut targets = Vec::new();
            if index + 1 < count {
                targets.push(self.scope.random.from(index + 1..=count - 1));
                targets.push(self.scope.random.from(index + 1..=count - 1));
            }
            if index > 0 && self.chance(1, 4) {
                targets.push(0);
            }
            targets.sort_unstable();
            targets.dedup();
            let targets: Vec<String> = targets.iter().map(|target| format!("B{target}")).collect();
            let jumps = !targets.is_empty() && self.chance(9, 10);
            blocks.push(Item::line(if jumps {
                format!("goto {};", targets.join(", "))
            } else {
                "return;".to_owned()
            }));
        }
        blocks
    }

    fn statements(&mut self, count: usize, depth: usize) -> Vec<Item> {
        let mut all = Vec::new();
        for _ in 0..count {
            match (self.scope.random.below(33), depth.checked_sub(1)) {
                (0..4, Some(less)) => {
                    let guard = self.guard();
                    let inside = self.some_statements(3, less);
                    all.push(Item::block(format!("if ({guard}) {{"), inside));
                    if self.chance(1, 3) {
                        let condition = self.scope.condition(1);
                        let inside = self.some_statements(2, less);
                        all.push(Item::block(format!("else if ({condition}) {{"), inside));
                    }
                    if self.chance(1, 2) {
                        let inside = self.some_statements(2, less);
                        all.push(Item::block("else {", inside));
                    }
                }
                (4..8, Some(less)) => {
                    let label = self.chance(2, 5).then(|| {
                        self.labels += 1;
                        format!("L{}", self.labels)
                    });
                    all.extend(label.iter().map(|label| Item::line(format!("{label}:"))));
                    let mut head = format!("while ({})", self.guard());
                    for _ in 0..self.scope.random.below(3) {
                        let free = self.scope.random.one(&["", "", "free "]);
                        head.push_str(&format!("\n    {free}invariant {};", self.clause()));
                    }
                    self.loops.push(label);
                    let inside = self.some_statements(4, less);
                    self.loops.pop();
                    all.push(Item::block(format!("{head}\n  {{"), inside));
                }
                (8, _) if !self.loops.is_empty() => {
                    let labels: Vec<String> = self.loops.iter().flatten().cloned().collect();
                    let label = match labels.len() {
                        0 => String::new(),
                        some => format!(" {}", labels[self.scope.random.below(some)]),
                    };
                    let condition = self.scope.condition(1);
                    all.push(Item::block(
                        format!("if ({condition}) {{"),
                        vec![Item::line(format!("break{label};"))],
                    ));
                }
                (9, _) => {
                    let condition = self.scope.condition(1);
                    all.push(Item::block(format!("if ({condition}) {{"), vec![Item::line("return;")]));
                }
                _ => all.push(self.simple()),
            }
        }
        all
    }

    fn some_statements(&mut self, most: usize, depth: usize) -> Vec<Item> {
        let count = self.scope.random.from(1..=most);
        self.statements(count, depth)
    }

    fn guard(&mut self) -> String {
        if self.chance(1, 5) { "*".to_owned() } else { self.scope.condition(2) }
    }

    fn simple(&mut self) -> Item {
        let statement = match self.scope.random.below(12) {
            0..4 => self.assignment(),
            4 => self.one_assignable().map(|(name, _)| match self.one_assignable() {
                Some((other, _)) if other != name => format!("havoc {name}, {other};"),
                _ => format!("havoc {name};"),
            }),
            5 => Some(format!("assume {};", self.scope.condition(2))),
            6 | 7 if self.generic && self.chance(1, 2) => self.generic_call(),
            6 | 7 => self.call(),
            8 if self.chance(1, 4) => {
                let mark = if self.selective { "start_checking_here" } else { "split_here" };
                Some(format!("assume {{:{mark}}} true;"))
            }
            _ => None,
        };
        Item::line(statement.unwrap_or_else(|| {
            let note = self.scope.random.one(&["", "", "", "", "{:subsumption 0} "]);
            format!("assert {note}{};", self.scope.condition(2))
        }))
    }

    fn one_assignable(&mut self) -> Option<Named> {
        let count = self.assignable.len();
        (count > 0).then(|| self.assignable[self.scope.random.below(count)].clone())
    }

    fn assignment(&mut self) -> Option<String> {
        let (name, kind) = self.one_assignable()?;
        Some(match kind {
            Type::Heap => {
                let object = self.scope.of(Type::Named, 0);
                let (field, kind) =
                    self.scope.random.one(&[("fi", Type::Int), ("fj", Type::Int), ("fb", Type::Bool)]);
                format!("{name}[{object}, {field}] := {};", self.scope.of(kind, 1))
            }
            Type::Map if self.chance(1, 2) => {
                format!("{name}[{}] := {};", self.scope.of(Type::Int, 1), self.scope.of(Type::Int, 1))
            }
            Type::Nested if self.chance(1, 2) => {
                let [first, second, value] = [1, 0, 1].map(|depth| self.scope.of(Type::Int, depth));
                format!("{name}[{first}][{second}] := {value};")
            }
            _ => match self.one_assignable() {
                Some((other, also)) if other != name && also != Type::Heap && self.chance(1, 3) => {
                    format!("{name}, {other} := {}, {};", self.scope.of(kind, 2), self.scope.of(also, 2))
                }
                _ => format!("{name} := {};", self.scope.of(kind, 2)),
            },
        })
    }

    /// A call of a procedure that may change no more than this one, if there is room for its results.
    fn call(&mut self) -> Option<String> {
        let may = |it: &&Procedure| it.modifies.iter().all(|changed| self.modifies.contains(changed));
        let callable: Vec<Procedure> = self.procedures.iter().filter(may).cloned().collect();
        let callee = callable.get(self.scope.random.below(callable.len()))?.clone();
        let mut targets: Vec<String> = Vec::new();
        for (_, kind) in &callee.results {
            let free = |(name, it): &&Named| {
                it == kind
                    && !targets.contains(name)
                    && callee.modifies.iter().all(|(changed, _)| changed != name)
            };
            let (target, _) = self.assignable.iter().find(free)?;
            targets.push(target.clone());
        }
        let arguments: Vec<String> =
            callee.parameters.iter().map(|(_, kind)| self.scope.of(*kind, 1)).collect();
        let targets = if targets.is_empty() { String::new() } else { format!("{} := ", targets.join(", ")) };
        Some(format!("call {targets}{}({});", callee.name, arguments.join(", ")))
    }

    /// A call of a procedure that takes values of every type, if there is room for its results.
    fn generic_call(&mut self) -> Option<String> {
        let (name, kind) = self.one_assignable()?;
        if kind == Type::Map {
            let [place, value] = [0; 2].map(|_| self.scope.of(Type::Int, 1));
            return Some(format!("call {name} := Put({}, {place}, {value});", self.scope.of(Type::Map, 1)));
        }
        let (other, _) = self.assignable.iter().find(|(other, it)| *it == kind && *other != name)?.clone();
        let [left, right] = [0; 2].map(|_| self.scope.of(kind, 1));
        Some(format!("call {name}, {other} := Swap({left}, {right});"))
    }
}
