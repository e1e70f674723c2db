//! The transformed program of section 4, as text.
//!
//! The machine evaluates the same structure natively; here it is written as the paper writes it, so that one
//! can see which literal is reified where and which statuses are shared. The older transformation, which shares
//! nothing, can be shown as well.

use crate::machine::{Contract, Literal, Machine, PropertyTest};
use crate::term::{Cell, WriteOptions, Writer, quoted_atom};
use std::fmt::Write as _;

/// The wrapper clauses of a contract.
#[must_use]
pub fn expand(machine: &mut Machine, contract: &Contract) -> String {
    let names = contract.assertions[0].names.clone();
    let name = machine.atoms.text(machine.predicate_at(contract.predicate).name).to_owned();
    let variables: Vec<String> = names.iter().map(|&name| machine.atoms.text(name).to_owned()).collect();
    let [before, after] = [(&contract.before, 0), (&contract.after, 1)].map(|(properties, side)| {
        let tests = properties.iter().map(|property| property.test);
        tests
            .zip(&contract.literals[side])
            .map(|(test, literal)| show(machine, literal, test, &names))
            .collect()
    });
    let comps: Vec<String> =
        contract.comps.iter().map(|comp| show(machine, &comp.literal, PropertyTest::Call, &names)).collect();
    let text = Text { contract, name, variables, before, after, comps, out: String::new() };
    if machine.rtchecks.shares { text.shared() } else { text.older() }
}

fn show(machine: &mut Machine, literal: &Literal, test: PropertyTest, names: &[crate::term::Atom]) -> String {
    let (term, _) = machine.named_literal(literal, names);
    let options = WriteOptions { named_variables: true, ..WriteOptions::QUOTED };
    let text =
        |cell: Cell| Writer::new(&machine.store, &machine.atoms, &machine.operators, options).text(cell, 999);
    match test {
        PropertyTest::Compatible(_) | PropertyTest::CallCompatible => format!("compat({})", text(term)),
        _ => text(term),
    }
}

struct Text<'a> {
    contract: &'a Contract,
    name: String,
    variables: Vec<String>,
    before: Vec<String>,
    after: Vec<String>,
    comps: Vec<String>,
    out: String,
}

impl Text<'_> {
    fn call(&self, suffix: &str, extra: &[String]) -> String {
        let arguments: Vec<&str> = self.variables.iter().chain(extra).map(String::as_str).collect();
        let name = quoted_atom(&format!("{}{suffix}", self.name));
        if arguments.is_empty() { name } else { format!("{name}({})", arguments.join(",")) }
    }

    fn clause(&mut self, head: &str, goals: &[String]) {
        let _ = writeln!(self.out, "{head} :-\n    {}.", goals.join(",\n    "));
    }

    /// Numbering as in Example 1: literals before, preconditions, literals after.
    fn precondition(&self, i: u16) -> String {
        format!("R{}", self.before.len() + i as usize)
    }

    fn literal_after(&self, i: u16) -> String {
        format!("R{}", self.before.len() + self.contract.preconditions.len() + i as usize)
    }

    fn shared(mut self) -> String {
        let contract = self.contract;
        let shared: Vec<String> = (0..contract.preconditions.len() as u16)
            .filter(|&i| contract.shared >> i & 1 == 1)
            .map(|i| self.precondition(i))
            .collect();
        let checks_calls = !contract.preconditions.is_empty();
        let mut goals = Vec::new();
        if checks_calls {
            goals.push(self.call("_c", &shared));
        }
        let mut body = self.call("'", &[]);
        for (comp, text) in contract.comps.iter().zip(&self.comps).rev() {
            let guard: Vec<String> = comp.preconditions.iter().map(|&i| self.precondition(i)).collect();
            body = match guard.as_slice() {
                [] => format!("check_comp({text},{body})"),
                guard => format!("check_comp(({}->{text}),{body})", guard.join("\\/")),
            };
        }
        goals.push(body);
        if contract.checks_after() {
            goals.push(self.call("_s", &shared));
        }
        let head = self.call("", &[]);
        self.clause(&head, &goals);
        if checks_calls {
            self.calls_clause(&shared);
        }
        if contract.checks_after() {
            self.success_clause(&shared);
        }
        self.out
    }

    fn calls_clause(&mut self, shared: &[String]) {
        let contract = self.contract;
        let mut goals: Vec<String> = self
            .before
            .iter()
            .enumerate()
            .map(|(i, literal)| format!("reify_check({literal},R{i})"))
            .collect();
        for (i, conjunction) in contract.preconditions.iter().enumerate() {
            let mut numbers = conjunction.clone();
            numbers.sort_unstable();
            let statuses: Vec<String> = numbers.iter().map(|literal| format!("R{literal}")).collect();
            goals.push(format!("{} is {}", self.precondition(i as u16), statuses.join("/\\")));
        }
        for (result, alternatives) in [("Rp", &contract.compat), ("Rc", &contract.calls)] {
            if !alternatives.is_empty() {
                let statuses: Vec<String> = alternatives
                    .iter()
                    .map(|alternative| self.precondition(alternative.precondition))
                    .collect();
                goals.push(format!("{result} is {}", statuses.join("\\/")));
                goals.push(format!("error_if_false({result})"));
            }
        }
        let head = self.call("_c", shared);
        self.clause(&head, &goals);
    }

    fn success_clause(&mut self, shared: &[String]) {
        let mut goals: Vec<String> = self
            .after
            .iter()
            .enumerate()
            .map(|(i, literal)| format!("reify_check({literal},{})", self.literal_after(i as u16)))
            .collect();
        let conditions: Vec<String> = self
            .contract
            .successes
            .iter()
            .map(|success| {
                let postconditions: Vec<String> = success
                    .postconditions
                    .iter()
                    .map(|conjunction| {
                        let statuses: Vec<String> =
                            conjunction.iter().map(|&i| self.literal_after(i)).collect();
                        format!("({})", statuses.join("/\\"))
                    })
                    .collect();
                let post = postconditions.join("\\/");
                let pre: Vec<String> = success.preconditions.iter().map(|&i| self.precondition(i)).collect();
                match pre.as_slice() {
                    [] => post,
                    [one] => format!("({one}#1\\/{post})"),
                    more => format!("(({})#1\\/{post})", more.join("\\/")),
                }
            })
            .collect();
        goals.push(format!("Rs is {}", conditions.join("/\\")));
        goals.push("error_if_false(Rs)".to_owned());
        let head = self.call("_s", shared);
        self.clause(&head, &goals);
    }

    /// Each condition evaluates its own properties: preconditions once for the call and once for each condition on
    /// success, postconditions once for each condition.
    fn older(mut self) -> String {
        let contract = self.contract;
        let conjunction = |literals: &[String], numbers: &[u16]| -> String {
            let goals: Vec<&str> = numbers.iter().map(|&i| literals[i as usize].as_str()).collect();
            format!("({})", goals.join(","))
        };
        let pre = |text: &Self, i: u16| conjunction(&text.before, &contract.preconditions[i as usize]);
        let alternatives = |text: &Self, numbers: &mut dyn Iterator<Item = u16>| {
            numbers.map(|i| pre(text, i)).collect::<Vec<_>>().join(" ; ")
        };
        let mut goals = Vec::new();
        for (name, list) in [("check_compat", &contract.compat), ("check_calls", &contract.calls)] {
            if !list.is_empty() {
                let all = alternatives(&self, &mut list.iter().map(|alternative| alternative.precondition));
                goals.push(format!("{name}({all})"));
            }
        }
        goals.push(self.call("$rtc0", &[]));
        let head = self.call("", &[]);
        self.clause(&head, &goals);
        let mut goals = Vec::new();
        let mut after = Vec::new();
        for (i, success) in contract.successes.iter().enumerate() {
            let post: Vec<String> =
                success.postconditions.iter().map(|numbers| conjunction(&self.after, numbers)).collect();
            let post = post.join(" ; ");
            if success.preconditions.is_empty() {
                after.push(format!("check_success({post})"));
            } else {
                let all = alternatives(&self, &mut success.preconditions.iter().copied());
                goals.push(format!("holds({all},S{i})"));
                after.push(format!("check_success_if(S{i},{post})"));
            }
        }
        let mut body = self.call("$rtc1", &[]);
        for (i, (comp, text)) in contract.comps.iter().zip(&self.comps).enumerate().rev() {
            if comp.preconditions.is_empty() {
                body = format!("check_comp({text},{body})");
            } else {
                let all = alternatives(&self, &mut comp.preconditions.iter().copied());
                goals.push(format!("holds({all},C{i})"));
                body = format!("check_comp((C{i}->{text}),{body})");
            }
        }
        goals.push(body);
        goals.extend(after);
        let head = self.call("$rtc0", &[]);
        self.clause(&head, &goals);
        self.out
    }
}
