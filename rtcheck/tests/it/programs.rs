//! Whole programs of the kinds people write: `fixtures/prolog/programs`, each with what it prints beside it. What those
//! without assertions print was taken from another Prolog system.

use crate::support::{fixture, run_with};
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
