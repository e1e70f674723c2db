//! Whole programs of the kinds people write: `fixtures/prolog/programs`, each with what it prints beside it. What those
//! without assertions print was taken from another Prolog system.

use crate::support::{fixture, run_with};
use cache_core::audit::Audit;
use rtcheck::check::{CacheKind, Configuration};
use rtcheck::session::Options;

fn prints_what_it_should(name: &str, options: Options) {
    let ran = run_with(&fixture(&format!("programs/{name}.pl")), &[], options);
    assert_eq!(ran.output, fixture(&format!("programs/{name}.out")), "{name}");
    assert_eq!((ran.error.as_str(), ran.exit), ("", 0), "{name}");
}

macro_rules! programs {
    ($($name:ident),* $(,)?) => {
        $(#[test]
        fn $name() {
            prints_what_it_should(stringify!($name), Options::default());
        })*
    };
}

programs!(calculator, functional, functions, inventory, machine, modules, planner, puzzles, text);

/// Programs with assertions, and the sizes of their workloads.
const ASSERTED: [(&str, u32); 10] = [
    ("colours", 40),
    ("huffman", 300),
    ("interpreter", 60),
    ("ledger", 200),
    ("life", 20),
    ("matcher", 200),
    ("parser", 60),
    ("paths", 9),
    ("planner", 300),
    ("types", 40),
];

#[test]
fn programs_with_assertions_print_what_they_should_whatever_is_proved_of_them() {
    let audited = Configuration { audit: Audit::Always, ..Configuration::default() };
    for (name, n) in ASSERTED {
        let expected = fixture(&format!("asserted/{name}.{n}.out"));
        for (analysis, configuration) in
            [(true, Configuration::default()), (false, Configuration::default()), (true, audited)]
        {
            let options = Options { analysis, configuration, ..Options::default() };
            let ran = run_with(&fixture(&format!("asserted/{name}.pl")), &[&n.to_string()], options);
            assert_eq!(
                (ran.output.as_str(), ran.error.as_str(), ran.exit),
                (expected.as_str(), "", 0),
                "{name}"
            );
            assert_eq!(ran.counters.disagreements, 0, "{name}");
        }
    }
}

#[test]
fn no_cache_believes_what_was_undone_or_changed() {
    for cache in CacheKind::ALL {
        for (size, depth_limit, inherit) in [(256, Some(2), true), (2, None, false), (256, None, true)] {
            let configuration =
                Configuration { cache, size, depth_limit, inherit, ..Configuration::default() };
            prints_what_it_should("cache_attacks", Options { configuration, ..Options::default() });
        }
    }
}
