//! Random expressions: axioms, conditions, and what is asserted.

use super::generate::{Generator, Scope};
use super::program::replace_words;

impl Generator<'_> {
    /// One of some names; the callers see to it that there is one.
    pub(super) fn variable(&mut self, names: &[String]) -> String {
        names.get(self.random.below(names.len())).cloned().unwrap_or_default()
    }

    /// The first of some names, and sometimes another one: those look like what is made while programs are
    /// verified.
    pub(super) fn name(&mut self, names: &[&str]) -> String {
        let other = if self.random.chance(1, 6) { self.random.below(names.len()) } else { 0 };
        names[other].to_owned()
    }

    /// An axiom about a function of integers.
    pub(super) fn axiom(&mut self, function: &str) -> String {
        let number = self.random.below(3);
        match self.random.below(4) {
            0 => format!("(forall x: int :: {{{function}(x)}} {function}(x) >= {number})"),
            // Whatever there is of things is put for it, too.
            1 => format!("(forall {{:pool \"things\"}} x: int :: {{{function}(x)}} {function}(x) > x)"),
            2 => format!("{function}({number}) == {}", self.random.below(5)),
            _ => format!(
                "(forall x: int :: {{{function}(x)}} x >= {number} ==> {function}(x) == x + {number})"
            ),
        }
    }

    /// An axiom about a function of any type.
    pub(super) fn generic_axiom(&mut self, function: &str) -> String {
        let number = self.random.below(3);
        match self.random.below(4) {
            0 | 1 => format!("(forall<T> x: T :: {{{function}(x)}} {function}(x) >= {number})"),
            2 => format!("(forall x: int :: {{{function}(x)}} {function}(x) == x + {number})"),
            _ => format!("(forall e: E :: {{{function}(e)}} {function}(e) == {number})"),
        }
    }

    /// An axiom about one of the functions of a program, if it has any.
    pub(super) fn some_axiom(&mut self, scope: &Scope) -> Option<String> {
        if !scope.generics.is_empty() && (scope.functions.is_empty() || self.random.chance(1, 3)) {
            let function = self.variable(&scope.generics);
            return Some(self.generic_axiom(&function));
        }
        let function = (!scope.functions.is_empty()).then(|| self.variable(&scope.functions))?;
        Some(self.axiom(&function))
    }

    /// `{:verified_under C}`: what a check is known under. Mostly it is something that holds there.
    pub(super) fn under(&mut self, scope: &Scope) -> String {
        let condition = match scope.facts.iter().rfind(|fact| !fact.contains('{')) {
            Some(fact) if self.random.chance(1, 2) => fact.clone(),
            _ => self.condition(scope),
        };
        format!("{{:verified_under {condition}}} ")
    }

    /// Something to demand of callers, which they mostly fulfil.
    pub(super) fn demand(&mut self, parameters: &[String], scope: &Scope) -> String {
        let number = self.random.below(3);
        match self.random.below(7) {
            0 => self.condition(scope),
            6 => self.choices(scope).unwrap_or_else(|| "true".to_owned()),
            1 => format!("{} < {}", self.variable(parameters), 20 + number),
            _ => format!("{} >= {number}", self.variable(parameters)),
        }
    }

    /// That there are things of two kinds, which need not be one thing: often they cannot be.
    pub(super) fn choices(&mut self, scope: &Scope) -> Option<String> {
        let function = (!scope.functions.is_empty()).then(|| self.variable(&scope.functions))?;
        let (number, more) = (self.random.below(6), self.random.below(3));
        let other = self.random.one(&["==", "<", ">="]);
        let there_is = |operator, number| {
            let hint = if more == 0 { "" } else { "{:add_to_pool \"things\", x} " };
            format!("(exists x: int :: {hint}{{{function}(x)}} {function}(x) {operator} {number})")
        };
        Some(format!("{} && {}", there_is("==", number + more), there_is(other, number)))
    }

    pub(super) fn integer(&mut self, scope: &Scope) -> String {
        let number = self.random.below(6);
        if scope.readable.is_empty() {
            return number.to_string();
        }
        let variable = self.variable(&scope.readable);
        let maps = 2 * usize::from(!scope.maps.is_empty());
        let records = usize::from(!scope.records.is_empty());
        let generics = usize::from(!scope.generics.is_empty());
        let old = usize::from(!scope.old.is_empty());
        let heaps = 2 * usize::from(!scope.heaps.is_empty());
        match self.random.weighted(&[4, 2, 3, 2, 1, 2, maps, records, generics, old, heaps]) {
            0 => number.to_string(),
            1 => variable,
            2 => format!("{variable} + {number}"),
            3 => format!("{variable} - {number}"),
            4 => format!("{variable} + {}", self.variable(&scope.readable)),
            5 => match scope.functions.as_slice() {
                [] => variable,
                functions => format!("{}({variable})", functions[self.random.below(functions.len())]),
            },
            6 => {
                let map = self.variable(&scope.maps);
                if self.random.chance(1, 2) {
                    format!("{map}[{variable}]")
                } else {
                    format!("{map}[{number}]")
                }
            }
            7 => format!("{}->{}", self.variable(&scope.records), self.random.one(&["v", "w"])),
            8 => {
                let function = self.variable(&scope.generics);
                let mut any = vec![variable, number.to_string()];
                any.extend(scope.constants.iter().chain(&scope.maps).chain(&scope.records).cloned());
                format!("{function}({})", self.variable(&any))
            }
            9 => format!("old({})", self.variable(&scope.old)),
            _ => format!("{}[{}]", self.variable(&scope.heaps), self.random.one(&["slot0", "slot1"])),
        }
    }

    pub(super) fn condition(&mut self, scope: &Scope) -> String {
        if scope.constants.len() > 1 && self.random.chance(1, 6) {
            let (one, other) = (self.variable(&scope.constants), self.variable(&scope.constants));
            return format!("{one} != {other}");
        }
        if !scope.records.is_empty() && self.random.chance(1, 6) {
            let record = self.variable(&scope.records);
            // All that there is, unless the type has another constructor.
            let kinds = [format!("{record} is L"), format!("({record} is L || {record} is R)")];
            return self.variable(&kinds);
        }
        if !scope.heaps.is_empty() && !scope.old.is_empty() && self.random.chance(1, 6) {
            // Nothing but one place of the heap changed.
            let (heap, field) = (self.variable(&scope.heaps), self.random.one(&["slot0", "slot1"]));
            return format!(
                "(forall<V> field: F V :: field == {field} || {heap}[field] == old({heap}[field]))"
            );
        }
        let operator = self.random.one(&["==", "<=", ">=", "<", "!="]);
        format!("{} {operator} {}", self.integer(scope), self.integer(scope))
    }

    /// What a map has at the place `place`, as a lambda says it, and something that the map then fulfils.
    pub(super) fn lambda(&mut self, map: &str, scope: &Scope) -> (String, String) {
        let number = self.random.below(5);
        let value = match self.random.below(4) {
            0 => format!("place + {number}"),
            1 => format!("{map}[place] + {number}"),
            2 => format!("(if place == {number} then {} else {map}[place])", self.integer(scope)),
            _ => match scope.functions.as_slice() {
                [] => format!("place - {number}"),
                functions => format!("{}(place)", functions[self.random.below(functions.len())]),
            },
        };
        let fact = match self.random.below(2) {
            0 => {
                let place = self.random.below(4).to_string();
                format!("{map}[{place}] == {}", replace_words(&value, &[("place", &place)]))
            }
            _ => format!("(forall place: int :: {{{map}[place]}} {map}[place] == {value})"),
        };
        (format!("(lambda place: int :: {value})"), fact)
    }

    /// Something to assert: mostly what follows from what is known.
    pub(super) fn claim(&mut self, scope: &Scope) -> String {
        let Some(known) = scope.facts.len().checked_sub(1 + self.random.below(scope.facts.len().min(3)))
        else {
            return self.condition(scope);
        };
        let fact = scope.facts.get(known).cloned().unwrap_or_default();
        match self.random.weighted(&[24, 10, 10, 2, 2, 1]) {
            0 => fact,
            1 => format!("({fact}) || {}", self.condition(scope)),
            2 => fact.replacen("==", ">=", 1),
            3 => self.condition(scope),
            4 => fact.replacen("==", ">", 1),
            // The same as a code expression.
            _ => format!(
                "|{{ var here: int; Begin: here := {}; goto One, Other; One: assume here >= {}; return {fact}; \
                 Other: havoc here; return ({fact}) || here == here + 1; }}|",
                self.integer(scope),
                self.random.below(4)
            ),
        }
    }
}
