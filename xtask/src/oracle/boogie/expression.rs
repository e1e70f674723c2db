//! Random expressions of every type that Boogie has, over what is in scope.

use super::super::random::Random;

/// The types of the programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Int,
    Bool,
    /// `bv8`.
    Bits,
    Real,
    /// `U`, an uninterpreted type with constants.
    Named,
    /// `D`, a datatype of lists.
    List,
    /// `[int]int`.
    Map,
    /// `[U]bool`.
    Set,
    /// `[int, bool]int`.
    Pairs,
    /// `[int][int]int`.
    Nested,
    /// `<a>[U, Field a]a`.
    Heap,
}

impl Type {
    pub(super) fn text(self) -> &'static str {
        match self {
            Type::Int => "int",
            Type::Bool => "bool",
            Type::Bits => "bv8",
            Type::Real => "real",
            Type::Named => "U",
            Type::List => "D",
            Type::Map => "[int]int",
            Type::Set => "[U]bool",
            Type::Pairs => "[int, bool]int",
            Type::Nested => "[int][int]int",
            Type::Heap => "Heap",
        }
    }

    fn is_map(self) -> bool {
        matches!(self, Type::Map | Type::Set | Type::Pairs | Type::Nested | Type::Heap)
    }
}

/// What may be named, with its type.
pub(super) type Named = (String, Type);

/// A function of the program.
#[derive(Debug, Clone)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) parameters: Vec<Type>,
    pub(super) result: Type,
}

/// What expressions are made of.
pub(super) struct Scope<'a> {
    pub(super) random: &'a mut Random,
    /// The types that the program has.
    pub(super) types: Vec<Type>,
    /// Whether there are quantifiers and lambdas in expressions, and an order of constants.
    pub(super) quantifiers: bool,
    pub(super) lambdas: bool,
    pub(super) order: bool,
    pub(super) constants: Vec<Named>,
    pub(super) globals: Vec<Named>,
    /// Parameters, results, local and bound variables.
    pub(super) locals: Vec<Named>,
    pub(super) functions: Vec<Function>,
    /// Whether `old` may be written.
    pub(super) old: bool,
    /// How many variables were bound, which tells their names apart.
    pub(super) bound: usize,
}

const COMPARISONS: [&str; 6] = ["<", "<=", "==", "!=", ">", ">="];

impl Scope<'_> {
    /// A name of a type that is in scope, if there is one.
    fn named(&mut self, wanted: Type) -> Option<String> {
        let all = self.locals.iter().chain(&self.globals).chain(&self.constants);
        let names: Vec<&String> = all.filter(|(_, it)| *it == wanted).map(|(name, _)| name).collect();
        (!names.is_empty()).then(|| names[self.random.below(names.len())].clone())
    }

    /// A call of one of the program's functions with a result of this type, if there is one.
    fn application(&mut self, wanted: Type, depth: usize) -> Option<String> {
        let names: Vec<usize> =
            (0..self.functions.len()).filter(|at| self.functions[*at].result == wanted).collect();
        let function = self.functions[*names.get(self.random.below(names.len()))?].clone();
        let arguments: Vec<String> = function.parameters.iter().map(|it| self.of(*it, depth)).collect();
        Some(format!("{}({})", function.name, arguments.join(", ")))
    }

    /// An expression with a variable of type `int` bound around it.
    fn under(&mut self, prefix: &str, wanted: Type, depth: usize) -> (String, String) {
        self.bound += 1;
        let name = format!("{prefix}{}", self.bound);
        self.locals.push((name.clone(), Type::Int));
        let body = self.of(wanted, depth);
        self.locals.pop();
        (name, body)
    }

    pub(super) fn condition(&mut self, depth: usize) -> String {
        self.of(Type::Bool, depth)
    }

    /// An expression of a type, of at most a depth.
    pub(super) fn of(&mut self, wanted: Type, depth: usize) -> String {
        let (likely, of) = if depth > 0 { (1, 2) } else { (4, 5) };
        if self.random.chance(likely, of)
            && let Some(name) = self.named(wanted)
        {
            return if self.old && self.random.chance(1, 5) { format!("old({name})") } else { name };
        }
        let Some(less) = depth.checked_sub(1) else { return self.leaf(wanted) };
        if self.old && self.random.chance(1, 16) {
            return format!("old({})", self.of(wanted, less));
        }
        if self.random.chance(1, 12) {
            let condition = self.condition(less);
            return format!("(if {condition} then {} else {})", self.of(wanted, less), self.of(wanted, less));
        }
        if self.random.chance(1, 8)
            && let Some(text) = self.polymorphic(wanted, less)
        {
            return text;
        }
        match wanted {
            Type::Int => self.number(less),
            Type::Bool => self.truth(less),
            Type::Bits => self.bits(less),
            Type::Real => self.real(less),
            Type::Named => self.leaf(Type::Named),
            Type::List => match (self.random.below(3), self.named(Type::List)) {
                (0, Some(name)) => format!("tl#Cons({name})"),
                _ => format!("Cons({}, {})", self.of(Type::Int, less), self.of(Type::List, less)),
            },
            map => self.map(map, less),
        }
    }

    /// The smallest expressions of a type.
    fn leaf(&mut self, wanted: Type) -> String {
        let small = self.random.below(9);
        match wanted {
            Type::Int if small == 8 => format!("(0 - {})", self.random.from(1..=9)),
            Type::Int => format!("{small}"),
            Type::Bool => {
                let [left, right] = [0; 2].map(|_| self.of(Type::Int, 0));
                let comparison = self.random.one(&COMPARISONS);
                match small {
                    0 => "false".to_owned(),
                    1 | 2 => "true".to_owned(),
                    _ => format!("({left} {comparison} {right})"),
                }
            }
            Type::Bits => format!("{}bv8", self.random.one(&[0, 1, 2, 127, 128, 255])),
            Type::Real => self.random.one(&["0.0", "1.5", "2.0", "1e1"]).to_owned(),
            Type::Named => self.random.one(&["u1", "u2", "u3"]).to_owned(),
            Type::List => "Nil()".to_owned(),
            map => self.map(map, 0),
        }
    }

    /// A selection from the heap, or of a polymorphic function.
    fn polymorphic(&mut self, wanted: Type, less: usize) -> Option<String> {
        let fields: &[&str] = match wanted {
            Type::Int => &["fi", "fj"],
            Type::Bool => &["fb"],
            _ => return None,
        };
        if !self.types.contains(&Type::Heap) {
            return None;
        }
        let field = self.random.one(fields);
        let object = self.of(Type::Named, 0);
        match (self.named(Type::Heap), self.random.below(3)) {
            (Some(heap), 0) => Some(format!("rd({heap}, {object}, {field})")),
            (Some(heap), 1) => Some(format!("{heap}[{object}, {field}]")),
            _ => Some(format!("pr({}, {})", self.of(wanted, less), self.of(Type::Int, 0))),
        }
    }

    fn number(&mut self, less: usize) -> String {
        let selected = match self.random.below(11) {
            0..3 => {
                let sign = self.random.one(&["+", "-"]);
                Some(format!("({} {sign} {})", self.of(Type::Int, less), self.of(Type::Int, less)))
            }
            3 => Some(format!("({} * {})", self.random.from(2..=3), self.of(Type::Int, less))),
            4 => {
                let (operator, divisor) =
                    (self.random.one(&["div", "mod"]), self.random.one(&["2", "3", "-2", "5"]));
                Some(format!("({} {operator} {divisor})", self.of(Type::Int, less)))
            }
            5 => self.application(Type::Int, less),
            6 => Some(format!("{}[{}]", self.of(Type::Map, less), self.of(Type::Int, less))),
            7 => self.named(Type::List).map(|list| format!("hd#Cons({list})")),
            8 => self
                .named(Type::Pairs)
                .map(|map| format!("{map}[{}, {}]", self.of(Type::Int, less), self.condition(less))),
            9 => self
                .named(Type::Nested)
                .map(|map| format!("{map}[{}][{}]", self.of(Type::Int, less), self.of(Type::Int, less))),
            _ if self.types.contains(&Type::Real) => Some(format!("int({})", self.of(Type::Real, less))),
            _ => None,
        };
        selected.unwrap_or_else(|| self.leaf(Type::Int))
    }

    fn truth(&mut self, less: usize) -> String {
        let comparison = self.random.one(&COMPARISONS);
        let between = |here: &mut Self, kind: Type, operator: &str| {
            format!("({} {operator} {})", here.of(kind, less), here.of(kind, less))
        };
        let equality = self.random.one(&["==", "!="]);
        let flat: Vec<Type> = self.types.iter().copied().filter(|it| !it.is_map()).collect();
        let part = match self.random.below(14) {
            0..4 => Some(between(self, Type::Int, comparison)),
            4..6 => {
                let connective = self.random.one(&["&&", "||", "==>", "<==>", "<=="]);
                Some(between(self, Type::Bool, connective))
            }
            6 => Some(format!("!{}", self.condition(less))),
            7 => {
                let kind = self.random.one(&flat);
                Some(between(self, kind, equality))
            }
            8 if self.types.contains(&Type::Bits) => {
                let function = self.random.one(&["ult", "sle"]);
                Some(format!("{function}({}, {})", self.of(Type::Bits, less), self.of(Type::Bits, less)))
            }
            9 if self.types.contains(&Type::Real) => Some(between(self, Type::Real, "<=")),
            10 if self.order => Some(between(self, Type::Named, "<:")),
            11 if self.types.contains(&Type::List) => {
                let constructor = self.random.one(&["Nil", "Cons"]);
                Some(format!("is#{constructor}({})", self.of(Type::List, less)))
            }
            12 if self.quantifiers => {
                let (name, body) = self.under("q", Type::Bool, less);
                let trigger =
                    if self.random.chance(1, 2) { format!(" {{f({name})}}") } else { String::new() };
                Some(if self.random.chance(3, 5) {
                    let most = self.random.from(2..=4);
                    format!("(forall {name}: int ::{trigger} {name} > 0 && {name} < {most} ==> {body})")
                } else {
                    format!("(exists {name}: int ::{trigger} {name} == {} && {body})", self.random.below(6))
                })
            }
            13 => match self.named(Type::Set) {
                Some(set) => Some(format!("{set}[{}]", self.of(Type::Named, less))),
                None => self.application(Type::Bool, less),
            },
            _ => None,
        };
        part.unwrap_or_else(|| self.leaf(Type::Bool))
    }

    fn bits(&mut self, less: usize) -> String {
        let left = self.of(Type::Bits, less);
        match self.random.below(10) {
            0 => format!("({left}[8:4] ++ {left}[4:0])"),
            1 => format!("({left}[4:0] ++ {left}[8:4])"),
            _ => {
                let function = self.random.one(&["add", "sub", "band", "shl", "lshr", "bxor"]);
                format!("{function}({left}, {})", self.of(Type::Bits, less))
            }
        }
    }

    fn real(&mut self, less: usize) -> String {
        match self.random.below(6) {
            0 | 1 => format!("real({})", self.of(Type::Int, less)),
            2 => format!("({} / 2.0)", self.of(Type::Real, less)),
            3 => format!("({} - {})", self.of(Type::Real, less), self.of(Type::Real, less)),
            _ => format!("({} + {})", self.of(Type::Real, less), self.of(Type::Real, less)),
        }
    }

    /// A map in scope, with an element changed where there may be more, or a lambda.
    fn map(&mut self, map: Type, depth: usize) -> String {
        let known = self.named(map);
        let less = depth.saturating_sub(1);
        if map == Type::Heap {
            // Wherever the type is in use, there is a variable of it.
            return known.unwrap_or_else(|| "H".to_owned());
        }
        let changed = known.filter(|_| !(self.lambdas && depth > 0 && self.random.chance(1, 3)));
        let Some(name) = changed else {
            let (variable, body) = match map {
                Type::Set => {
                    self.bound += 1;
                    let name = format!("l{}", self.bound);
                    return format!("(lambda {name}: U :: {})", self.condition(0));
                }
                Type::Nested => self.under("l", Type::Map, less),
                _ => self.under("l", Type::Int, less),
            };
            let second = if map == Type::Pairs { format!(", {variable}b: bool") } else { String::new() };
            return format!("(lambda {variable}: int{second} :: {body})");
        };
        if depth == 0 {
            return name;
        }
        match map {
            Type::Set => format!("{name}[{} := {}]", self.of(Type::Named, 0), self.condition(less)),
            Type::Pairs => {
                let at = format!("{}, {}", self.of(Type::Int, less), self.condition(less));
                format!("{name}[{at} := {}]", self.of(Type::Int, less))
            }
            Type::Nested => format!("{name}[{} := {}]", self.of(Type::Int, less), self.of(Type::Map, less)),
            _ => format!("{name}[{} := {}]", self.of(Type::Int, less), self.of(Type::Int, less)),
        }
    }
}
