//! Claims as formulas of Boogie, each said in a roundabout way that means the same.

use super::numbers::Numbers;
use super::program::State;

/// Writes formulas, and the functions that they need.
#[derive(Default)]
pub(super) struct Writer {
    pub(super) functions: String,
    count: usize,
}

/// What is around a formula.
#[derive(Clone, Copy)]
pub(super) struct Scope {
    /// Whether `old` may be used.
    pub(super) two_state: bool,
    /// Whether a value may change with the state, so that `old` would make it older.
    pub(super) changes: bool,
}

/// What every program declares for its formulas.
pub(super) const PRELUDE: &str = "\
type Field _;
const unique number: Field int;
const unique other: Field int;
const unique flag: Field bool;
const heap: <t>[Field t]t;
function same<t>(x: t): t;
axiom (forall<t> x: t :: {same(x)} same(x) == x);
axiom same(1) == 1;
function truth(b: bool): bool;
axiom (forall b: bool :: {truth(b)} truth(b) <==> b);
function {:inline} either<t>(c: bool, x: t, y: t): t { if c then x else y }
datatype Pair { Pair(first: int, second: int), Single(first: int) }
datatype Box<t> { Box(inside: t) }
datatype Either { None(), One(value: int) }
";

/// Names that binders choose from: those of the program's variables among them.
const NAMES: [&str; 9] = ["a", "r", "x", "g", "t", "u", "v", "w", "q"];

/// Whether a name occurs in an expression.
fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
}

impl Writer {
    /// That the values of some expressions, each 0 or 1, are one of the given tuples.
    fn plain(env: &[String], tuples: &[State]) -> String {
        let mut parts: Vec<String> = env.iter().map(|it| format!("0 <= {it} && {it} <= 1")).collect();
        let code =
            |tuple: &State| (0..).zip(tuple).map(|(at, value)| usize::from(*value) << at).sum::<usize>();
        let terms: Vec<String> = (0..)
            .zip(env)
            .map(|(at, it)| if at == 0 { it.clone() } else { format!("{} * {it}", 1 << at) })
            .collect();
        let number = if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") };
        let all = 1_usize << env.len();
        let codes: Vec<usize> = tuples.iter().map(code).collect();
        if codes.len() <= all / 2 {
            let cases: Vec<String> = codes.iter().map(|code| format!("{number} == {code}")).collect();
            parts.push(if cases.is_empty() {
                "false".to_owned()
            } else {
                format!("({})", cases.join(" || "))
            });
        } else {
            let missing = (0..all).filter(|code| !codes.contains(code));
            parts.extend(missing.map(|code| format!("{number} != {code}")));
        }
        if parts.is_empty() { "true".to_owned() } else { format!("({})", parts.join(" && ")) }
    }

    /// Names for binders; `apart` from what the expressions mention.
    fn names(env: &[String], apart: bool, numbers: &mut Numbers) -> Vec<&'static str> {
        let mut free: Vec<&str> = NAMES.to_vec();
        if apart {
            free.retain(|name| !env.iter().any(|it| mentions(it, name)));
        }
        let mut chosen = Vec::new();
        while chosen.len() < env.len() && !free.is_empty() {
            chosen.push(free.swap_remove(numbers.below(free.len())));
        }
        chosen
    }

    /// A formula that says the same as [`Self::plain`].
    pub(super) fn formula(
        &mut self,
        env: &[String],
        tuples: &[State],
        scope: Scope,
        depth: usize,
        numbers: &mut Numbers,
    ) -> String {
        if depth == 0 || env.is_empty() {
            return Self::plain(env, tuples);
        }
        let form = numbers.below(19);
        let apart = matches!(form, 1 | 2 | 5 | 6);
        let names = Self::names(env, apart, numbers);
        if names.len() < env.len() {
            // Make room for new names.
            return Self::plain(env, tuples);
        }
        let owned: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        let bound = Scope { changes: false, ..scope };
        let list = names.join(", ");
        let typed = names.iter().map(|name| format!("{name}: int")).collect::<Vec<_>>().join(", ");
        // What such a quantifier chooses, others have instances of.
        let pooled = names.iter().map(|name| format!("{{:pool \"bits\"}} {name}: int"));
        let pooled = pooled.collect::<Vec<_>>().join(", ");
        let offered = format!("{{:add_to_pool \"bits\", {list}}}");
        let values = env.join(", ");
        let equal = names
            .iter()
            .zip(env)
            .map(|(name, it)| format!("{name} == {it}"))
            .collect::<Vec<_>>()
            .join(" && ");
        let at = numbers.below(env.len());
        let with = |new: String| {
            let mut env = env.to_vec();
            env[at] = new;
            env
        };
        match form {
            0 => {
                let inner = self.formula(&owned, tuples, bound, depth - 1, numbers);
                format!("(var {list} := {values}; {inner})")
            }
            1 => {
                let inner = self.formula(&owned, tuples, bound, depth - 1, numbers);
                format!("(forall {pooled} :: {offered} {equal} ==> {inner})")
            }
            2 => {
                let inner = self.formula(&owned, tuples, bound, depth - 1, numbers);
                format!("(exists {pooled} :: {offered} {equal} && {inner})")
            }
            3 => {
                let inner = self.formula(&owned, tuples, bound, depth - 1, numbers);
                format!("(lambda {typed} :: {inner})[{values}]")
            }
            4 => {
                let attribute = ["", "{:inline} ", "{:define} "][numbers.below(3)];
                let alone = Scope { two_state: false, changes: false };
                let inner = self.formula(&owned, tuples, alone, depth - 1, numbers);
                self.count += 1;
                let name = format!("f{}", self.count);
                if numbers.below(2) == 0 {
                    self.functions += &format!("function {attribute}{name}({typed}): bool {{ {inner} }}\n");
                    format!("{name}({values})")
                } else {
                    // What it is polymorphic in does not matter; a definition may not be so.
                    let attribute = if attribute == "{:define} " { "" } else { attribute };
                    self.functions +=
                        &format!("function {attribute}{name}<t>(unused: t, {typed}): bool {{ {inner} }}\n");
                    format!("{name}({}, {values})", ["true", "1", "heap"][numbers.below(3)])
                }
            }
            5 | 6 => {
                let inner = self.formula(&owned, tuples, bound, depth - 1, numbers);
                let declared =
                    names.iter().map(|name| format!("var {name}: int;")).collect::<Vec<_>>().join(" ");
                let assigned = names
                    .iter()
                    .zip(env)
                    .map(|(name, it)| format!("{name} := {it};"))
                    .collect::<Vec<_>>()
                    .join(" ");
                let first = names[0];
                let chosen =
                    names.iter().zip(env).map(|(name, it)| format!("havoc {name}; assume {name} == {it};"));
                let chosen = chosen.collect::<Vec<_>>().join(" ");
                let start = if form == 5 { assigned } else { chosen };
                format!(
                    "|{{ {declared} A: {start} goto B, C; \
                     B: assume {first} == 0; return {inner}; C: assume {first} != 0; return {inner}; }}|"
                )
            }
            7 => {
                let env = with(format!("heap[number := {}][flag := true][number]", env[at]));
                self.formula(&env, tuples, scope, depth - 1, numbers)
            }
            8 => {
                let env = with(format!("heap[number := {}][other := 7][number]", env[at]));
                self.formula(&env, tuples, scope, depth - 1, numbers)
            }
            9 => {
                let made = ["Pair({}, 7)->first", "Single(7)->(first := {})->first", "Box({})->inside"];
                let env = with(made[numbers.below(3)].replace("{}", &env[at]));
                self.formula(&env, tuples, scope, depth - 1, numbers)
            }
            10 => {
                let env = with(format!("same({})", env[at]));
                self.formula(&env, tuples, scope, depth - 1, numbers)
            }
            11 => {
                let env = with(format!("either({} == 0, 0, {})", env[at], env[at]));
                self.formula(&env, tuples, scope, depth - 1, numbers)
            }
            12 => {
                let inner = self.formula(env, tuples, scope, depth - 1, numbers);
                format!("(forall<s{depth}> one: s{depth} :: {inner})")
            }
            13 => {
                let inner = self.formula(env, tuples, scope, depth - 1, numbers);
                format!(
                    "(forall<s{depth}> one: s{depth}, two: s{depth} :: same(one) == two ==> one == two && {inner})"
                )
            }
            14 if scope.two_state && !scope.changes => {
                let inner = self.formula(env, tuples, scope, depth - 1, numbers);
                format!("old({inner})")
            }
            14 | 15 => {
                let inner = self.formula(env, tuples, scope, depth - 1, numbers);
                format!("truth({inner})")
            }
            16 => {
                let inner = self.formula(env, tuples, scope, depth - 1, numbers);
                let form = ["(true ==> {})", "!(!{})", "({} <==> true)", "(if {} then true else false)"];
                form[numbers.below(4)].replace("{}", &inner)
            }
            17 => {
                let inner = self.formula(env, tuples, scope, depth - 1, numbers);
                format!("truth((forall<s{depth}> one: s{depth} :: same(one) == one && {inner}))")
            }
            _ => {
                let inner = self.formula(env, tuples, scope, depth - 1, numbers);
                format!(
                    "(lambda<s{depth}> one: s{depth} :: {inner})[{}]",
                    ["true", "5", "number"][numbers.below(3)]
                )
            }
        }
    }
}
