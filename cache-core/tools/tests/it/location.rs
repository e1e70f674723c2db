//! Where a tool's cache lies: the command line, then the tools' own variable, then XDG, then home.

use std::path::{Path, PathBuf};

use reprise_tools::location::{Environment, cache_folder};

fn full() -> Environment<'static> {
    Environment {
        flag: Some(Path::new("given")),
        cache_dir: Some("/own".as_ref()),
        xdg_cache_home: Some("/xdg".as_ref()),
        home: Some("/home/ada".as_ref()),
    }
}

fn check(environment: &Environment<'_>, expected: &str) {
    assert_eq!(cache_folder("ivl", environment), Some(PathBuf::from(expected)));
}

#[test]
fn the_first_thing_that_was_said_counts() {
    check(&full(), "given");
    check(&Environment { flag: None, ..full() }, "/own/ivl");
    check(&Environment { flag: None, cache_dir: None, ..full() }, "/xdg/reprise/ivl");
    let home = Environment { flag: None, cache_dir: None, xdg_cache_home: None, ..full() };
    check(&home, "/home/ada/.cache/reprise/ivl");
    assert_eq!(cache_folder("ivl", &Environment::default()), None);
}

#[test]
fn empty_values_count_as_absent_and_relative_system_folders_are_ignored() {
    let empty = Environment { flag: Some(Path::new("")), cache_dir: Some("".as_ref()), ..full() };
    check(&empty, "/xdg/reprise/ivl");
    check(
        &Environment { xdg_cache_home: Some("relative".as_ref()), ..empty },
        "/home/ada/.cache/reprise/ivl",
    );
    let nowhere = Environment { xdg_cache_home: None, home: Some("relative".as_ref()), ..empty };
    assert_eq!(cache_folder("ivl", &nowhere), None);
}
