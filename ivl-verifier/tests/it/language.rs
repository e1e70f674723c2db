//! The language, construct by construct: programs in which `// expect: error` stands behind every check that must
//! fail, and every other one must be proved.

use crate::support::{Session, fixture};

/// Verifies a fixture, twice in one session: what fails is what is marked, and the second time nothing
/// is asked.
fn check(name: &str) {
    let file = format!("{name}.bpl");
    let text = std::fs::read_to_string(fixture(&format!("language/{file}"))).expect("a fixture");
    let marked: Vec<String> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.ends_with("// expect: error"))
        .map(|(index, _)| format!("{file}({}", index + 1))
        .collect();
    let mut session = Session::in_memory();
    for round in 0..2 {
        let seen = session.verify(&file, &text);
        let mut found: Vec<String> = seen
            .text
            .lines()
            .filter(|line| line.contains("): Error"))
            .filter_map(|line| line.split_once(',').map(|(place, _)| place.to_owned()))
            .collect();
        found.sort_by_key(|place| (place.len(), place.clone()));
        assert_eq!(found, marked, "{}", seen.text);
        assert!(
            !seen.text.contains("not verified") && !seen.text.contains("errors detected"),
            "{}",
            seen.text
        );
        assert!(round == 0 || seen.asked().is_empty(), "asked again: {:?}", seen.asked());
    }
}

#[test]
fn polymorphic_programs_are_proved_for_all_types() {
    check("polymorphic");
}

#[test]
fn theories_of_the_solver_are_reached_by_their_names() {
    check("theories");
}
