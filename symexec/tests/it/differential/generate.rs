//! Random C programs without undefined behaviour, which print what they compute.
//!
//! A program is a prelude (types, helpers that guard what C leaves undefined), some functions that
//! compute on their arguments, locals and globals, and a `main` that calls them with input bytes. The
//! bytes are constants, or, with `SYMBOLIC` defined, unknown and then assumed to be these constants, so
//! that the engine computes the same through expressions and the solver.
//! Length: one grammar, a function per construct of C.

use std::fmt::Write as _;

/// A small generator of random numbers (splitmix64).
pub(super) struct Random(pub(super) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn one<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

/// A scalar type.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Ty {
    name: &'static str,
    bits: u32,
    signed: bool,
    float: bool,
}

const fn int(name: &'static str, bits: u32, signed: bool) -> Ty {
    Ty { name, bits, signed, float: false }
}

const INTEGERS: [Ty; 11] = [
    int("i8", 8, true),
    int("u8", 8, false),
    int("i16", 16, true),
    int("u16", 16, false),
    int("i32", 32, true),
    int("u32", 32, false),
    int("i64", 64, true),
    int("u64", 64, false),
    int("i128", 128, true),
    int("u128", 128, false),
    int("bool1", 1, false),
];
const FLOATS: [Ty; 3] = [
    Ty { name: "f32", bits: 32, signed: true, float: true },
    Ty { name: "f64", bits: 64, signed: true, float: true },
    Ty { name: "f80", bits: 80, signed: true, float: true },
];
const I32: Ty = INTEGERS[4];
const U64: Ty = INTEGERS[7];

/// How many input bytes a program has.
const INPUTS: usize = 8;

/// What may occur in a program.
#[derive(Clone, Copy)]
pub(super) struct Features {
    /// Floating-point numbers.
    pub(super) floats: bool,
    /// How many functions.
    pub(super) functions: usize,
}

/// A variable in scope.
#[derive(Clone)]
struct Variable {
    name: String,
    ty: Ty,
    /// Set for arrays of eight elements.
    array: bool,
}

struct Writer<'a> {
    random: &'a mut Random,
    features: Features,
    text: String,
    scope: Vec<Variable>,
    next: usize,
    indent: usize,
    /// Functions that can be called: name, result, parameters.
    functions: Vec<(String, Ty, Vec<Ty>)>,
    /// Statements that may still be written into this function.
    fuel: usize,
    loops: usize,
}

/// A program of a seed.
pub(super) fn program(seed: u64, features: Features) -> String {
    let random = &mut Random(seed);
    let mut writer = Writer {
        random,
        features,
        text: String::new(),
        scope: Vec::new(),
        next: 0,
        indent: 0,
        functions: Vec::new(),
        fuel: 0,
        loops: 0,
    };
    let bytes: Vec<u8> = (0..INPUTS).map(|_| writer.random.next() as u8).collect();
    let list: Vec<String> = bytes.iter().map(u8::to_string).collect();
    let _ = writeln!(writer.text, "#define INPUTS {INPUTS}\n#define VALUES {}", list.join(", "));
    writer.text.push_str(include_str!("prelude.h"));
    writer.globals();
    for _ in 0..features.functions {
        writer.function();
    }
    writer.main();
    writer.text
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.text.push_str("  ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn open(&mut self, text: &str) {
        self.line(&format!("{text} {{"));
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.next += 1;
        format!("{prefix}{}", self.next)
    }

    fn integer(&mut self) -> Ty {
        *self.random.one(&INTEGERS)
    }

    fn any(&mut self) -> Ty {
        if self.features.floats && self.random.chance(25) {
            *self.random.one(&FLOATS)
        } else {
            self.integer()
        }
    }

    fn globals(&mut self) {
        for _ in 0..4 {
            let (ty, name) = (self.any(), self.fresh("g"));
            let value = self.constant(ty);
            let storage = *self.random.one(&["", "static ", "const "]);
            self.line(&format!("{storage}{} {name} = {value};", ty.name));
            if storage != "const " {
                self.scope.push(Variable { name, ty, array: false });
            }
        }
        for _ in 0..2 {
            let (ty, name) = (self.any(), self.fresh("ga"));
            let values: Vec<String> = (0..self.random.below(8)).map(|_| self.constant(ty)).collect();
            let list = if values.is_empty() { "0".to_owned() } else { values.join(", ") };
            self.line(&format!("static {} {name}[8] = {{{list}}};", ty.name));
            self.line(&format!("static {} *{name}_end = {name} + {};", ty.name, self.next % 8));
            self.scope.push(Variable { name: name.clone(), ty, array: true });
            self.scope.push(Variable { name: format!("(*{name}_end)"), ty, array: false });
        }
    }

    fn function(&mut self) {
        let name = self.fresh("call");
        let result = self.any();
        let parameters: Vec<Ty> = (0..1 + self.random.below(3)).map(|_| self.any()).collect();
        let outer = self.scope.len();
        let mut list = Vec::new();
        for ty in &parameters {
            let parameter = self.fresh("p");
            list.push(format!("{} {parameter}", ty.name));
            self.scope.push(Variable { name: parameter, ty: *ty, array: false });
        }
        let linkage = *self.random.one(&["", "static "]);
        self.open(&format!("{linkage}{} {name}({})", result.name, list.join(", ")));
        self.fuel = 14;
        self.statements(4 + self.random.0 as usize % 4);
        let value = self.expression(result, 3);
        self.line(&format!("return {value};"));
        self.close();
        self.scope.truncate(outer);
        self.functions.push((name, result, parameters));
    }

    fn main(&mut self) {
        self.open("static int run(void)");
        for (name, result, parameters) in self.functions.clone() {
            for _ in 0..2 {
                let arguments: Vec<String> = parameters.iter().map(|ty| self.leaf(*ty)).collect();
                self.say(result, &format!("{name}({})", arguments.join(", ")));
            }
        }
        for variable in self.scope.clone() {
            if variable.array {
                for place in 0..8 {
                    self.say(variable.ty, &format!("{}[{place}]", variable.name));
                }
            } else {
                self.say(variable.ty, &variable.name);
            }
        }
        let code = self.expression(I32, 2);
        self.line(&format!("return ({code}) & 127;"));
        self.close();
        self.text.push_str("int main(void) { begin(); int code = run(); say(code); return code; }\n");
    }

    fn say(&mut self, ty: Ty, value: &str) {
        let say = match (ty.float, ty.bits) {
            (true, 32) => "say_f32",
            (true, 64) => "say_f64",
            (true, _) => "say_f80",
            (false, 128) => "say128",
            (false, _) => "say",
        };
        self.line(&format!("{say}({value});"));
    }

    fn constant(&mut self, ty: Ty) -> String {
        if ty.float {
            let number =
                *self.random.one(&["0.0", "1.0", "-2.5", "3.25e3", "1e-3", "123456.789", "-0.0", "7e7"]);
            return format!("({}){number}", ty.name);
        }
        if ty.bits == 128 {
            let (high, low) = (self.random.next() >> self.random.below(64), self.random.next());
            return format!("(({})((u128){high}u << 64 | {low}u))", ty.name);
        }
        let value = match self.random.below(4) {
            0 => self.random.next(),
            1 => u64::MAX - self.random.next() % 4,
            2 => 1u64 << self.random.below(64),
            _ => self.random.next() % 100,
        };
        format!("({}){value}u", ty.name)
    }

    /// A variable, an input, or a constant.
    fn leaf(&mut self, ty: Ty) -> String {
        match self.random.below(10) {
            0..=4 => {
                let variables: Vec<Variable> =
                    self.scope.iter().filter(|variable| variable.ty == ty).cloned().collect();
                let any = if variables.is_empty() { self.scope.clone() } else { variables };
                if any.is_empty() {
                    return self.constant(ty);
                }
                let variable = self.random.one(&any).clone();
                let read = if variable.array {
                    let index = self.index();
                    format!("{}[{index}]", variable.name)
                } else {
                    variable.name
                };
                convert(variable.ty, ty, &read)
            }
            5..=7 => {
                let byte = self.random.below(INPUTS);
                format!("({})in[{byte}]", ty.name)
            }
            _ => self.constant(ty),
        }
    }

    /// An index below eight.
    fn index(&mut self) -> String {
        if self.random.chance(40) {
            return self.random.below(8).to_string();
        }
        let ty = *self.random.one(&INTEGERS[..10]);
        let value = self.leaf(ty);
        format!("(({value}) & 7)")
    }

    fn expression(&mut self, ty: Ty, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(ty);
        }
        if ty.float {
            return self.float_expression(ty, depth);
        }
        let name = ty.name;
        match self.random.below(22) {
            0..=5 => {
                let (a, b) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1));
                let op = *self.random.one(&["+", "-", "*", "&", "|", "^"]);
                format!("({name})(({a}) {op} ({b}))")
            }
            6 | 7 => {
                let (a, b) = (self.expression(ty, depth - 1), self.leaf(I32));
                let op = *self.random.one(&["<<", ">>"]);
                let most = ty.bits.max(32) - 1;
                // What is shifted left is unsigned, as C wants it.
                let wide = if ty.bits == 128 { "u128" } else { "u64" };
                if op == "<<" {
                    format!("({name})(({wide})({a}) << (({b}) & {most}))")
                } else {
                    format!("({name})(({a}) >> (({b}) & {most}))")
                }
            }
            8 | 9 if ty.bits >= 8 => {
                let (a, b) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1));
                let op = *self.random.one(&["div", "rem"]);
                format!("{op}_{name}({a}, {b})")
            }
            10 | 11 => {
                let from = self.any();
                let value = self.expression(from, depth - 1);
                convert(from, ty, &value)
            }
            12 | 13 => {
                let of = self.any();
                let (a, b) = (self.expression(of, depth - 1), self.expression(of, depth - 1));
                let op = *self.random.one(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({name})(({a}) {op} ({b}))")
            }
            14 => {
                let condition = self.condition(depth - 1);
                let (a, b) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1));
                format!("({condition} ? {a} : {b})")
            }
            15 => {
                let op = *self.random.one(&["~", "-", "!"]);
                let a = self.expression(ty, depth - 1);
                format!("({name})({op}({a}))")
            }
            16 if !self.functions.is_empty() && self.loops == 0 => {
                let (function, result, parameters) = self.random.one(&self.functions.clone()).clone();
                let arguments: Vec<String> =
                    parameters.iter().map(|ty| self.expression(*ty, depth - 1)).collect();
                convert(result, ty, &format!("{function}({})", arguments.join(", ")))
            }
            17 => self.builtin(ty, depth),
            18 => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                let op = *self.random.one(&["&&", "||"]);
                format!("({name})({a} {op} {b})")
            }
            19 => {
                let value = self.expression(I32, depth - 1);
                let count = self.index();
                format!("({name})recurse({count}, {value})")
            }
            20 => {
                let value = self.expression(U64, depth - 1);
                let which = self.index();
                format!("({name})operations[{which}]({value}, {})", self.random.below(60))
            }
            _ => self.leaf(ty),
        }
    }

    fn builtin(&mut self, ty: Ty, depth: usize) -> String {
        let a = self.expression(U64, depth - 1);
        let b = self.leaf(U64);
        let call = match self.random.below(10) {
            0 => format!("__builtin_popcountll({a})"),
            1 => format!("__builtin_clzll(({a}) | 1)"),
            2 => format!("__builtin_ctz((u32)({a}) | 65536)"),
            3 => format!("__builtin_bswap64({a})"),
            4 => format!("__builtin_bswap16((u16)({a}))"),
            5 => format!("__builtin_bitreverse32((u32)({a}))"),
            6 => format!("__builtin_rotateleft32((u32)({a}), (u32)({b}))"),
            7 => format!("overflows((i64)({a}), (i64)({b}))"),
            8 => format!("__builtin_parityll({a}) + __builtin_ffsll({b})"),
            _ => format!("__builtin_clz((u32)({a}) | 1)"),
        };
        format!("({})({call})", ty.name)
    }

    fn float_expression(&mut self, ty: Ty, depth: usize) -> String {
        match self.random.below(9) {
            0..=3 => {
                let (a, b) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1));
                let op = *self.random.one(&["+", "-", "*", "/"]);
                format!("(({a}) {op} ({b}))")
            }
            4 | 5 => {
                let from = if self.random.chance(50) { self.integer() } else { *self.random.one(&FLOATS) };
                let value = self.expression(from, depth - 1);
                format!("({})({value})", ty.name)
            }
            6 => {
                let condition = self.condition(depth - 1);
                let (a, b) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1));
                format!("({condition} ? {a} : {b})")
            }
            7 => format!("(-({}))", self.expression(ty, depth - 1)),
            _ => self.leaf(ty),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let ty = self.any();
        let (a, b) = (self.expression(ty, depth), self.leaf(ty));
        let op = *self.random.one(&["<", "<=", ">", ">=", "==", "!="]);
        format!("(({a}) {op} ({b}))")
    }

    fn statements(&mut self, count: usize) {
        for _ in 0..count {
            if self.fuel == 0 {
                return;
            }
            self.fuel -= 1;
            self.statement();
        }
    }

    /// Something that can be assigned to.
    fn target(&mut self) -> (String, Ty) {
        if self.scope.is_empty() {
            let (ty, name) = (self.any(), self.fresh("v"));
            let value = self.constant(ty);
            self.line(&format!("{} {name} = {value};", ty.name));
            self.scope.push(Variable { name, ty, array: false });
        }
        let variable = self.random.one(&self.scope.clone()).clone();
        if variable.array {
            let index = self.index();
            (format!("{}[{index}]", variable.name), variable.ty)
        } else {
            (variable.name, variable.ty)
        }
    }

    fn statement(&mut self) {
        match self.random.below(20) {
            0..=2 => {
                let (ty, name) = (self.any(), self.fresh("v"));
                let value = self.expression(ty, 3);
                let storage = if self.random.chance(15) { "volatile " } else { "" };
                self.line(&format!("{storage}{} {name} = {value};", ty.name));
                self.scope.push(Variable { name, ty, array: false });
            }
            3..=5 => {
                let (target, ty) = self.target();
                let value = self.expression(ty, 3);
                self.line(&format!("{target} = {value};"));
            }
            6 | 7 => {
                let condition = self.condition(2);
                self.block(&format!("if {condition}"), 2);
                if self.random.chance(50) {
                    self.block("else", 2);
                }
            }
            8 if self.loops < 1 => self.repeat(),
            9 => {
                let value = self.expression(I32, 2);
                let (target, ty) = self.target();
                let outer = self.scope.len();
                self.open(&format!("switch (({value}) & 7)"));
                for label in [0, 1, 3, 6] {
                    let value = self.expression(ty, 1);
                    self.line(&format!("case {label}: {target} = {value};"));
                    if self.random.chance(60) {
                        self.line("break;");
                    }
                }
                let value = self.expression(ty, 1);
                self.line(&format!("default: {target} = {value};"));
                self.close();
                self.scope.truncate(outer);
            }
            10 | 11 => {
                let (ty, name) = (self.any(), self.fresh("a"));
                let values: Vec<String> =
                    (0..1 + self.random.below(8)).map(|_| self.expression(ty, 1)).collect();
                self.line(&format!("{} {name}[8] = {{{}}};", ty.name, values.join(", ")));
                self.scope.push(Variable { name, ty, array: true });
            }
            12 => self.pointers(),
            13 => self.structures(),
            14 => self.union(),
            15 => {
                let (a, b, c) = (self.expression(I32, 2), self.expression(U64, 2), self.leaf(I32));
                let real =
                    if self.features.floats { self.expression(FLOATS[1], 2) } else { "1.5".to_owned() };
                self.line(&format!(
                    "say(variadic(4, 'i', {a}, 'l', {b}, 'd', {real}, 's', make_small({c})));"
                ));
            }
            16 => {
                let (index, value) = (self.index(), self.expression(INTEGERS[1], 2));
                self.line(&format!("say(text_hash(\"symbolic execution\" + {index}, {value}));"));
            }
            17 => self.memory(),
            18 => self.vector(),
            _ => {
                let ty = self.any();
                let value = self.expression(ty, 3);
                self.say(ty, &value);
            }
        }
    }

    fn block(&mut self, head: &str, statements: usize) {
        let outer = self.scope.len();
        self.open(head);
        self.statements(statements);
        self.close();
        self.scope.truncate(outer);
    }

    fn repeat(&mut self) {
        self.loops += 1;
        let counter = self.fresh("n");
        let times = 1 + self.random.below(5);
        let outer = self.scope.len();
        match self.random.below(3) {
            0 => self.open(&format!("for (u32 {counter} = 0; {counter} < {times}; {counter}++)")),
            1 => {
                self.line(&format!("u32 {counter} = 0;"));
                self.open(&format!("while ({counter}++ < {times})"));
            }
            _ => {
                self.line(&format!("u32 {counter} = 0;"));
                self.open("do");
            }
        }
        let until = self.text.trim_end().ends_with("do {");
        self.scope.push(Variable { name: counter.clone(), ty: INTEGERS[5], array: false });
        // The counter is read, never written.
        let hidden = self.scope.pop();
        if self.random.chance(40) {
            let condition = self.condition(1);
            let leave = if until { "break" } else { *self.random.one(&["break", "continue"]) };
            self.line(&format!("if {condition} {leave};"));
        }
        self.statements(3);
        let (target, ty) = self.target();
        let value = convert(INTEGERS[5], ty, &counter);
        self.line(&format!("{target} = {value};"));
        drop(hidden);
        if until {
            self.indent -= 1;
            self.line(&format!("}} while (++{counter} < {times});"));
        } else {
            self.close();
        }
        self.scope.truncate(outer);
        self.loops -= 1;
    }

    fn pointers(&mut self) {
        let arrays: Vec<Variable> = self.scope.iter().filter(|variable| variable.array).cloned().collect();
        let Some(array) = arrays.first().map(|_| self.random.one(&arrays).clone()) else { return };
        let (pointer, other) = (self.fresh("q"), self.fresh("q"));
        let (first, second) = (self.index(), self.index());
        let (ty, name) = (array.ty, array.name);
        self.line(&format!("{} *{pointer} = {name} + {first}, *{other} = &{name}[{second}];", ty.name));
        let value = self.expression(ty, 2);
        self.line(&format!("*{pointer} = {value};"));
        self.line(&format!("say({other} - {pointer}); say({pointer} < {other}); say({pointer} == {other});"));
        self.line(&format!("{} **{pointer}_ = in[0] & 1 ? &{pointer} : &{other};", ty.name));
        let value = self.expression(ty, 2);
        self.line(&format!("**{pointer}_ = {value};"));
        self.say(ty, &format!("*{other}"));
        self.line(&format!("while ({pointer} > {name}) {pointer}--;"));
        self.say(ty, &format!("*{pointer}"));
    }

    fn structures(&mut self) {
        let (one, two) = (self.fresh("s"), self.fresh("s"));
        let values: Vec<String> =
            [I32, INTEGERS[0], U64, INTEGERS[3]].iter().map(|ty| self.expression(*ty, 2)).collect();
        self.line(&format!("struct mixed {one} = make_mixed({}), {two} = {one};", values.join(", ")));
        let value = self.expression(I32, 2);
        let index = self.index();
        self.line(&format!("{one}.low = {value}; {one}.inner.bytes[{index}] ^= {};", values[1]));
        self.line(&format!("{two} = change({one}, &{two});"));
        for field in ["whole", "low", "middle", "high", "inner.bytes[3]", "inner.wide", "tail"] {
            self.line(&format!("say({one}.{field}); say({two}.{field});"));
        }
    }

    fn union(&mut self) {
        let name = self.fresh("view");
        let (value, index) = (self.expression(U64, 3), self.index());
        let byte = self.expression(INTEGERS[1], 2);
        self.line(&format!("union view {name}; {name}.whole = {value}; {name}.bytes[{index}] = {byte};"));
        self.line(&format!("say({name}.whole); say({name}.halves[1]); say({name}.fields.b);"));
    }

    fn memory(&mut self) {
        let (name, length) = (self.fresh("m"), self.random.below(17));
        let (value, byte) = (self.expression(U64, 2), self.expression(INTEGERS[1], 2));
        self.line(&format!("u8 {name}[32]; __builtin_memset({name}, {byte}, 32);"));
        let (to, from, at) = (self.random.below(15), self.random.below(15), self.random.below(24));
        self.line(&format!("u64 {name}_ = {value}; __builtin_memcpy({name} + {at}, &{name}_, 8);"));
        self.line(&format!("__builtin_memmove({name} + {to}, {name} + {from}, {length});"));
        self.line(&format!(
            "for (int k = 0; k < 32; k += 8) {{ __builtin_memcpy(&{name}_, {name} + k, 8); say({name}_); }}"
        ));
        let count = self.index();
        self.line(&format!("say(dynamic({count}, {value}));"));
        self.line(&format!("say(atomics({value}, {byte})); say(computed(({byte}) & 3, {value}));"));
    }

    fn vector(&mut self) {
        let (one, two) = (self.fresh("w"), self.fresh("w"));
        let values: Vec<String> = (0..8).map(|_| self.expression(I32, 1)).collect();
        self.line(&format!(
            "v4 {one} = {{{}}}, {two} = {{{}}};",
            values[..4].join(", "),
            values[4..].join(", ")
        ));
        let op = *self.random.one(&["+", "-", "*", "&", "|", "^", "<", "==", ">"]);
        let index = self.index();
        self.line(&format!("{one} = (v4)({one} {op} {two}); {one}[{index} & 3] = {}; {two} = __builtin_shufflevector({one}, {two}, 0, 5, 2, 7);", values[0]));
        self.line(&format!("for (int k = 0; k < 4; k++) {{ say({one}[k]); say({two}[k]); }}"));
        self.line(&format!("say(__builtin_reduce_add({one})); say(__builtin_reduce_max({two}));"));
    }
}

/// A conversion that C defines for every value.
fn convert(from: Ty, to: Ty, value: &str) -> String {
    if from.float && !to.float && to.bits != 1 {
        return format!("({})narrow({value})", to.name);
    }
    format!("({})({value})", to.name)
}
