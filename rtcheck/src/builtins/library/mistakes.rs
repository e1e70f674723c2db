//! Mistakes in the library's own texts: what a program would meet only where it calls what is wrong.

use super::compile;
use super::index::Index;
use crate::machine::Machine;
use crate::read::{Flags, Parser};
use crate::term::{Operators, atom};
use std::collections::BTreeSet;

/// Reads texts of the library ([`LIBRARY`](super::TEXTS)) as a whole and clause by clause, compares what the index says of
/// them with what the reader finds, and compiles every predicate. Gives a line for each mistake: a clause that is
/// not read, is another predicate's or stands outside of the index, a predicate of two texts, or one without code.
///
/// Cost: all of the library is compiled, which programs have done as they call it.
pub fn library_mistakes(machine: &mut Machine, texts: &[(&str, &'static str)]) -> Vec<String> {
    let mut mistakes = Vec::new();
    let standard = Operators::new(&mut machine.atoms);
    // Clauses are read with the operators that the library has when it compiles them.
    let own = machine.library.operators.clone().unwrap_or_else(|| standard.clone());
    let mut all = BTreeSet::new();
    for &(name, text) in texts {
        let mut found = Vec::new();
        for predicate in Index::of(text).predicates {
            let indicator = (predicate.name.into_owned(), predicate.arity);
            let place = format!("{name}:{}: {}/{}", predicate.line, indicator.0, indicator.1);
            if !all.insert(indicator.clone()) {
                mistakes.push(format!("{place} is defined in two texts"));
            }
            let known = mistakes.len();
            for clause in &predicate.clauses {
                let mistake = match clauses(machine, &own, clause) {
                    Ok(read) if read == [indicator.clone()] => {
                        found.push(indicator.clone());
                        continue;
                    }
                    Ok(read) => format!("{place} has a clause that is read as {read:?}: {clause}"),
                    Err(mistake) => format!("{place}: {mistake}"),
                };
                mistakes.push(mistake);
            }
            if mistakes.len() == known && compile(machine, &predicate.clauses) == 0 {
                mistakes.push(format!("{place} cannot be compiled"));
            }
        }
        match clauses(machine, &standard, text) {
            Ok(mut read) => {
                found.sort();
                read.sort();
                if found != read {
                    mistakes.push(format!("{name}: the index and the reader find other clauses"));
                }
            }
            Err(mistake) => mistakes.push(format!("{name}: {mistake}")),
        }
    }
    mistakes
}

/// The clauses of a text as the reader finds them: name and arity of each.
fn clauses(machine: &mut Machine, operators: &Operators, text: &str) -> Result<Vec<(String, usize)>, String> {
    let mut parser = Parser::new(text, 0, Flags::default());
    let mut found = Vec::new();
    loop {
        let read = parser.read(&mut machine.store, &mut machine.atoms, operators);
        let Some(read) = read.map_err(|error| format!("{error:?}"))? else { return Ok(found) };
        let store = &machine.store;
        if store.match_structure::<1>(read.term, atom::NECK).is_some() {
            continue;
        }
        let head = store.match_structure::<2>(read.term, atom::NECK).map_or(read.term, |[head, _]| head);
        let Some((name, arity)) = store.functor(head) else { return Err(format!("no clause: {text}")) };
        let name = machine.atoms.text(name);
        if ["-->", "=>", "==>", "?=>"].contains(&name) {
            return Err(format!("a rule must be translated, which runs goals: {text}"));
        }
        found.push((name.to_owned(), arity));
    }
}
