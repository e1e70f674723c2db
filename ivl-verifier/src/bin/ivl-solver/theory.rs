//! Functions and sorts of Z3's theories that are only known by their SMT-LIB text.
//!
//! A text such as `fp.add`, `(_ to_fp 8 24) RNE` or `str.replace` is applied to placeholders of the
//! arguments' sorts and handed to Z3's own reader; in what it makes of it the placeholders are replaced
//! by the arguments. So every function of every theory can be named without a list of them here.

use z3::Solver;
use z3::ast::{Ast, Dynamic};

/// The text for a placeholder of an argument; no name of a program has two exclamation marks.
fn placeholder(index: usize) -> String {
    format!("placeholder!!{index}")
}

/// Whether a text is one term: its parentheses match, and it holds nothing that could end it.
fn is_balanced(text: &str) -> bool {
    let mut depth = 0_i32;
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ';' | '|' | '"' => return false,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// The term that a function with this text makes of terms. `declarations` holds those of the sorts and datatypes
/// that the sorts of the terms are made of; without them, a term of a declared sort brings its own.
pub(crate) fn applied(text: &str, parts: &[&Dynamic], declarations: &str) -> Option<Dynamic> {
    let text = text.trim();
    if text.is_empty() || !is_balanced(text) {
        return None;
    }
    let mut script = declarations.to_owned();
    let mut term = format!("({text}");
    for (index, part) in parts.iter().enumerate() {
        let sort = part.get_sort();
        if declarations.is_empty() && sort.kind() == z3::SortKind::Uninterpreted {
            script.push_str(&format!("(declare-sort {sort} 0)"));
        }
        script.push_str(&format!("(declare-const {} {sort})", placeholder(index)));
        term.push(' ');
        term.push_str(&placeholder(index));
    }
    term.push(')');
    if parts.is_empty() {
        text.clone_into(&mut term);
    }
    let template = read(&format!("{script}(assert (= {term} {term}))"), 1)?.pop()?;
    let names: Vec<Dynamic> = parts
        .iter()
        .enumerate()
        .map(|(index, part)| Dynamic::new_const(placeholder(index), &part.get_sort()))
        .collect();
    let pairs: Vec<(&Dynamic, &Dynamic)> = names.iter().zip(parts.iter().copied()).collect();
    Some(template.substitute(&pairs))
}

/// The left sides of the equations that a script asserts, of which there must be as many as expected.
pub(crate) fn read(script: &str, expected: usize) -> Option<Vec<Dynamic>> {
    let solver = Solver::new();
    solver.from_string(script);
    let equations = solver.get_assertions();
    if equations.len() != expected {
        return None;
    }
    // An equation of a term with itself is left as it is by Z3's reader.
    equations
        .iter()
        .map(|equation| if equation.num_children() == 2 { equation.nth_child(0) } else { None })
        .collect()
}

/// The sort with this text.
pub(crate) fn sort(text: &str) -> Option<z3::Sort> {
    if !is_balanced(text) {
        return None;
    }
    let name = placeholder(0);
    let term = read(&format!("(declare-const {name} {text})(assert (= {name} {name}))"), 1)?.pop()?;
    Some(term.get_sort())
}
