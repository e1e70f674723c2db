//! Values with which checks fail: what they are, where they are told, and that no verdict depends on them.

use ivl_verifier::report::{Counterexample, PrintedValue, Step};
use ivl_verifier::service::Options;
use ivl_verifier::smt::answer::Value;

use crate::support::{Seen, Session, options};

fn with_values() -> Options {
    Options { values: true, ..options() }
}

fn found(seen: &Seen) -> Vec<&Counterexample> {
    let errors = seen.reports.iter().flat_map(|report| &report.errors);
    errors.filter_map(|error| error.counterexample.as_deref()).collect()
}

/// The counterexample of a program with one failing check.
fn only(text: &str) -> Counterexample {
    let seen = Session::with(with_values()).verify("p.bpl", text);
    let found = found(&seen);
    assert_eq!(found.len(), 1, "{}", seen.text);
    found[0].clone()
}

fn int(number: &str) -> Value {
    Value::Int(number.to_owned())
}

#[test]
fn a_value_that_is_fixed_is_told() {
    let front = "type T;\ndatatype D { A(n: int, b: bool), B() }\n";
    let table: Vec<(&str, &str, Value)> = vec![
        ("bool", "x", Value::Bool(true)),
        ("int", "x == 3", int("3")),
        ("int", "x == -100000000000000000000000000000000", int("-100000000000000000000000000000000")),
        ("real", "4.0 * x == -1.0", Value::Real("-1".to_owned(), "4".to_owned())),
        ("real", "x == 2e3", Value::Real("2000".to_owned(), "1".to_owned())),
        ("bv8", "x == 200bv8", Value::BitVector("200".to_owned(), 8)),
        ("bv7", "x == 100bv7", Value::BitVector("100".to_owned(), 7)),
        ("D", "x == B()", Value::Construct("B".to_owned(), Vec::new())),
        ("D", "x == A(1, false)", Value::Construct("A".to_owned(), vec![int("1"), Value::Bool(false)])),
    ];
    for (ty, condition, expected) in table {
        let text = format!("{front}procedure P(x: {ty}) requires {condition}; {{ assert false; }}\n");
        assert_eq!(only(&text).initial, [("x".to_owned(), expected)], "{condition}");
    }
}

#[test]
fn maps_have_their_elements() {
    let text = "procedure P(m: [int]int) requires m[1] == 5 && m[2] == 6; { assert false; }\n";
    let found = only(text);
    let at = |index: &str| match found.initial.as_slice() {
        [(name, Value::Map(entries, otherwise))] if name == "m" => {
            let entry = entries.iter().find(|(at, _)| *at == int(index));
            entry.map(|(_, value)| value).or(otherwise.as_deref()).cloned()
        }
        _ => None,
    };
    assert_eq!((at("1"), at("2")), (Some(int("5")), Some(int("6"))));
}

#[test]
fn each_place_tells_what_changed_before_it() {
    let text = "var g: int;\nprocedure Q(); modifies g; ensures g == 9;\nprocedure P(x: int) returns (y: int)\n  \
        modifies g;\n  requires x == 1 && g == 2;\n{\n  y := x + 3;\n  if (y == 4) {\n    call Q();\n  } else {\n    \
        y := 0;\n  }\n  y := y + g;\n  assert y == 0;\n}\n";
    let found = only(text);
    let shown = |step: &Step| {
        let values: Vec<String> =
            step.values.iter().map(|(name, value)| format!("{name}={value:?}")).collect();
        (step.label.clone().unwrap_or_default(), values.join(" "))
    };
    let steps: Vec<(String, String)> = found.steps.iter().map(shown).collect();
    let expected = [
        ("anon0", "g=Int(\"2\") x=Int(\"1\")"),
        ("anon4_Then", "y=Int(\"4\")"),
        ("anon3", "g=Int(\"9\")"),
        ("", "y=Int(\"13\")"),
    ];
    let expected: Vec<(String, String)> =
        expected.iter().map(|(label, values)| ((*label).to_owned(), (*values).to_owned())).collect();
    assert_eq!(steps, expected);
}

#[test]
fn the_values_of_a_loop_are_those_of_some_round() {
    // On the way out, the invariant and the condition fix the counter.
    let text = "procedure P() {\n  var i: int;\n  i := 0;\n  while (i < 5) invariant i <= 5; { i := i + 1; }\n  \
        assert i != 5;\n}\n";
    let found = only(text);
    let head = found.steps.iter().find(|step| step.label.as_deref() == Some("anon3_LoopHead"));
    assert_eq!(head.map(|step| step.values.clone()), Some(vec![("i".to_owned(), int("5"))]), "{found:?}");
}

#[test]
fn what_assumptions_print_and_capture_is_told() {
    let text = "procedure {:inline 1} Q(a: int) { assume {:print \"a is \", a} true; }\n\
        procedure P(x: int) requires x == 1; {\n  var y: int;\n  y := x + 1;\n  \
        assume {:print \"y=\", y, \", \", y * 10 + x} {:captureState \"first\"} true;\n  \
        y := 7;\n  call Q(y);\n  assume {:captureState \"second\"} true;\n  assert false;\n}\n";
    let found = only(text);
    let text = |text: &str| PrintedValue::Text(text.to_owned());
    let value = |number: &str| PrintedValue::Value(Some(int(number)));
    assert_eq!(
        found.printed,
        [vec![text("y="), value("2"), text(", "), value("21")], vec![text("a is "), value("7")]]
    );
    let of = |state: usize, name: &str| {
        let values = &found.captured.get(state)?.1;
        values.iter().find(|(it, _)| it == name).map(|(_, value)| value.clone())
    };
    assert_eq!((of(0, "x"), of(0, "y")), (Some(int("1")), Some(int("2"))));
    assert_eq!((of(1, "x"), of(1, "y")), (None, Some(int("7"))));
}

#[test]
fn no_verdict_and_no_key_depends_on_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = "var g: int;\nprocedure Q(); modifies g; ensures g > 0;\nprocedure P(x: int) modifies g; {\n  \
        assume {:print x} true;\n  call Q();\n  assert g > x;\n  assert g > 1;\n}\nprocedure R() { assert 1 < 2; }\n";
    // The first run stores, the others find what it stored, with values and without.
    let plain = Session::on_disk(folder.path(), options()).verify("p.bpl", text);
    assert_eq!(plain.asked(), ["P", "R"]);
    assert!(found(&plain).is_empty() && plain.errors() == 2);
    let valued = Session::on_disk(folder.path(), with_values()).verify("p.bpl", text);
    assert_eq!(valued.text, plain.text);
    assert_eq!(valued.asked(), ["P"], "only what fails is asked again");
    assert_eq!(found(&valued).len(), 2);
    let again = Session::on_disk(folder.path(), options()).verify("p.bpl", text);
    assert!(again.asked().is_empty() && found(&again).is_empty());
    assert_eq!(again.text, plain.text);
    // What is stored by a run that wants values is what is stored by any other.
    let folder = tempfile::tempdir().expect("a folder");
    let first = Session::on_disk(folder.path(), with_values()).verify("p.bpl", text);
    let resources = |seen: &Seen| seen.reports.iter().map(|report| report.resource).collect::<Vec<_>>();
    assert_eq!(first.asked(), ["P", "R"]);
    let scratch = Session::from_scratch().verify("p.bpl", text);
    assert_eq!((resources(&first), first.text), (resources(&scratch), scratch.text));
    let second = Session::on_disk(folder.path(), options()).verify("p.bpl", text);
    assert!(second.asked().is_empty());
    // Another text to print is no other question.
    let edited = text.replace("{:print x}", "{:print \"x\", x + 1} {:captureState \"s\"}");
    let third = Session::on_disk(folder.path(), options()).verify("p.bpl", &edited);
    assert!(third.asked().is_empty(), "{}", third.explanations);
}

#[test]
fn errors_of_an_edited_implementation_have_values() {
    let mut session = Session::with(with_values());
    let before = session.verify("p.bpl", "procedure P(x: int) {\n  assert x > 0;\n}\n");
    let after = session.verify("p.bpl", "procedure P(x: int) {\n  assert x > 0;\n  assert x < 9;\n}\n");
    assert_eq!((found(&before).len(), found(&after).len(), after.errors()), (1, 2, 2));
}
