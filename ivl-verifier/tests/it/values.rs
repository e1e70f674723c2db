//! Values with which checks fail: what they are, where they are told, and that no verdict depends on them.

use std::collections::BTreeSet;

use cache_core::mode::Mode;
use ivl_verifier::report::{Counterexample, PrintedValue, Step, Verdict};
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
    let known = Session::on_disk(folder.path(), with_values()).verify("p.bpl", text);
    assert!(known.asked().is_empty(), "{}", known.explanations);
    assert_eq!((&known.text, found(&known)), (&valued.text, found(&valued)));
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

/// Two implementations with errors, of which one has the same query wherever it stands.
const FAILING: &str = "var g: int;\nprocedure P(x: int) requires x == 4; modifies g; {\n  g := x;\n  \
    assume {:print \"g is \", g + 1} true;\n  if (*) { assert g == 5; }\n  assert g == 6;\n}\n\
    procedure R(y: int) requires y == 7; { assert y == 8; }\nprocedure S() { assert 1 < 2; }\n";

#[test]
fn values_that_are_known_are_told_without_a_question() {
    let all: [fn(Options) -> Options; 3] = [
        |it| it,
        |it| Options { each_check: true, ..it },
        |it| Options { retell: true, max_pieces: 2, ..it },
    ];
    for set in all {
        let folder = tempfile::tempdir().expect("a folder");
        let on_disk = |options: Options| Session::on_disk(folder.path(), set(options));
        let first = on_disk(with_values()).verify("p.bpl", FAILING);
        assert!(found(&first).len() == first.errors() && first.errors() > 2, "{}", first.text);
        let mut session = on_disk(with_values());
        let second = session.verify("p.bpl", FAILING);
        assert_eq!(session.verifier.counters().queries, 0, "{}", second.explanations);
        assert_eq!((&second.text, found(&second)), (&first.text, found(&first)));
        let resources = |seen: &Seen| seen.reports.iter().map(|it| it.resource).collect::<Vec<_>>();
        if set(options()).retell {
            assert_eq!(resources(&second), resources(&first));
        }
        // Places are those of the present text, values those that were found.
        let moved = format!("\n// moved\n{FAILING}");
        let scratch =
            Session::with(Options { mode: Mode::Off, ..set(with_values()) }).verify("p.bpl", &moved);
        let offline = Options { mode: Mode::Offline, ..with_values() };
        for options in [with_values(), offline] {
            let mut session = on_disk(options);
            let seen = session.verify("p.bpl", &moved);
            assert_eq!(session.verifier.counters().queries, 0, "{}", seen.explanations);
            assert_eq!((&seen.text, found(&seen)), (&scratch.text, found(&scratch)));
        }
        // Who wants none is told none.
        let plain = on_disk(options()).verify("p.bpl", FAILING);
        assert!(plain.asked().is_empty() && found(&plain).is_empty(), "{}", plain.explanations);
        let lines = |seen: &Seen| seen.text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
        assert_eq!(lines(&plain), lines(&first));
        // An edit that reaches one implementation costs that one.
        let edited = FAILING.replace("y == 8", "y == 9");
        let seen = on_disk(with_values()).verify("p.bpl", &edited);
        assert_eq!(seen.asked(), ["R"], "{}", seen.explanations);
        assert_eq!(found(&seen).len(), seen.errors());
    }
}

#[test]
fn values_are_those_of_the_query_and_of_what_is_printed() {
    let folder = tempfile::tempdir().expect("a folder");
    let on_disk = |text: &str| Session::on_disk(folder.path(), with_values()).verify("p.bpl", text);
    let first = on_disk(FAILING);
    // The query is the same; its values are wanted of another term beside it.
    let printed = FAILING.replace("g + 1", "g + 2");
    let seen = on_disk(&printed);
    assert_eq!(seen.asked(), ["P"], "{}", seen.explanations);
    let lines = |seen: &Seen| found(seen).iter().flat_map(|it| it.printed.clone()).collect::<Vec<_>>();
    let is =
        |number: &str| vec![PrintedValue::Text("g is ".to_owned()), PrintedValue::Value(Some(int(number)))];
    assert_eq!((lines(&first), lines(&seen)), (vec![is("5"); 2], vec![is("6"); 2]));
    // Another name is another query.
    let named = FAILING.replace("x", "z");
    let seen = on_disk(&named);
    let scratch = Session::with(Options { mode: Mode::Off, ..with_values() }).verify("p.bpl", &named);
    assert_eq!(found(&seen), found(&scratch));
    // What is the same query under another key is no question.
    let widened = FAILING.replace("R(y: int)", "R(y: int, unused: int)");
    let seen = on_disk(&widened);
    assert!(seen.asked().is_empty(), "{}", seen.explanations);
    let models = |seen: &Seen| found(seen).iter().map(|it| it.model.clone()).collect::<Vec<_>>();
    assert_eq!(models(&seen), models(&first));
}

#[test]
fn offline_tells_errors_without_values_where_none_are_stored() {
    let folder = tempfile::tempdir().expect("a folder");
    let plain = Session::on_disk(folder.path(), options()).verify("p.bpl", FAILING);
    let offline = Options { mode: Mode::Offline, ..with_values() };
    let mut session = Session::on_disk(folder.path(), offline.clone());
    let seen = session.verify("p.bpl", FAILING);
    assert_eq!((session.verifier.counters().queries, &seen.text), (0, &plain.text));
    assert!(found(&seen).is_empty());
    assert_eq!(seen.explanations.matches("values of its errors are not stored").count(), 2);
    // Of the pieces of P nothing is stored; R and S are the same questions.
    let mut session = Session::on_disk(folder.path(), Options { each_check: true, ..offline });
    let seen = session.verify("p.bpl", FAILING);
    let untold = seen.reports.iter().filter(|it| matches!(it.verdict, Verdict::Offline(_)));
    assert_eq!(untold.map(|it| it.name.as_str()).collect::<Vec<_>>(), ["P"], "{}", seen.explanations);
    assert_eq!((session.verifier.counters().queries, seen.errors()), (0, 1));
}

#[cfg(feature = "plant")]
#[test]
fn values_of_another_query_are_found_by_an_audit() {
    use cache_core::audit::Audit;
    use ivl_verifier::base::plant::Fault;
    let folder = tempfile::tempdir().expect("a folder");
    let lying = || Options { fault: Some(Fault::OtherValues), ..with_values() };
    Session::on_disk(folder.path(), lying()).verify("p.bpl", FAILING);
    let told = Session::on_disk(folder.path(), lying()).verify("p.bpl", FAILING);
    let scratch = Session::with(Options { mode: Mode::Off, ..with_values() }).verify("p.bpl", FAILING);
    assert_ne!(found(&told), found(&scratch), "the lie is told");
    let mut audited = Session::on_disk(folder.path(), Options { audit: Audit::Always, ..lying() });
    let seen = audited.verify("p.bpl", FAILING);
    assert!(audited.verifier.disagreements() > 0);
    assert_eq!(found(&seen), found(&scratch), "what the solver says is told");
    let mut honest = Session::on_disk(folder.path(), Options { audit: Audit::Always, ..with_values() });
    honest.verify("p.bpl", FAILING);
    honest.verify("p.bpl", FAILING);
    assert_eq!(honest.verifier.disagreements(), 0);
}
