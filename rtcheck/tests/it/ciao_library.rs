//! Modules in the manner of Ciao's library: each loads without an error, whatever packages and libraries it names, and
//! what these have does what it says.

use crate::support::{run, run_files};
use rtcheck::session::Options;
use std::path::Path;

#[test]
fn modules_in_the_manner_of_its_library_load() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/cases/ciao");
    let mut texts: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it can be listed").path())
        .map(|path| {
            let name = path.file_name().expect("files have names").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("it is text"))
        })
        .collect();
    texts.sort();
    assert!(texts.len() > 40);
    for (name, text) in &texts {
        let mut files = vec![(name.as_str(), text.as_str())];
        files.extend(texts.iter().filter(|(other, _)| other != name).map(|(name, text)| (&**name, &**text)));
        let ran = run_files(&files, &[], Options::default());
        let errors: Vec<&str> = ran.error.lines().filter(|line| line.contains("error: ")).collect();
        assert!(errors.is_empty(), "{name}: {errors:#?}");
    }
}

/// Runs a module whose head is given from the packages on, up to its `main/0`.
#[track_caller]
fn check(head: &str, goal: &str, expected: &str) {
    let program = format!(":- module(v, [main/0], {head}\n:- initialization(main).\nmain :- {goal}.\n");
    let ran = run(&program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""), "{program}");
}

#[test]
fn regular_expressions_match_the_longest_and_tell_their_parts() {
    let head = "[regexp]).\n:- use_module(library(regexp/regexp_code)).
parts(E, T) :- match_posix(E, T, Ps, R), forall(member(P, [R|Ps]), format(\"~s,\", [P])).";
    check(
        head,
        "'aXXb' =~ \"a.*b\", \\+ \"aXXc\" =~ \"a.*b\", parts(\"a(b*)([0-9]+)c\", \"abb12cXY\")",
        "XY,bb,12,",
    );
    check(head, "match_posix(\"x{2,3}\", \"xxx\"), \\+ match_posix(\"x{2}\", \"x\"), write(y)", "y");
    check(
        head,
        "match_posix(\"^(ab|c[^d])*$\", \"abceab\"), match_posix(\"[[:digit:]]+\\\\.?\", \"12.\"), write(y)",
        "y",
    );
    check(
        head,
        "match_shell(\"*.p[lm]\", \"foo.pl\"), \\+ match_shell(\"*.p?\", \"foo.ps1\"), write(y)",
        "y",
    );
    check(head, "replace_all(\"a1b22c\", \"[0-9]+\", \"#\", N), format(\"~s\", [N])", "a#b#c");
    check(head, "replace_first(\"a1b22c\", \"[0-9]+\", \"#\", N), format(\"~s\", [N])", "a#b22c");
    check(
        head,
        "catch(match_posix(\"(a\", \"a\"), error(E, _), (print(E), nl))",
        "domain_error(regular_expression,(a)\n",
    );
}

#[test]
fn packages_bring_their_operators_and_libraries_what_others_lack() {
    let head = "[fd, iso_char, iso_incomplete, mutables, assertions]).
:- use_module(library(vndict), [create_dict/2, rename/2]).
:- use_module(library(system), [is_dir/1, file_dir_name/3]).
:- use_module(library(write), [print/1]).
:- use_module(library(graphs/ugraphs)).
:- use_module(library(process/process)).";
    check(head, "X in 1..3, Y in 1..9, X .>. 2, X + 1 .=. Y, labeling([X,Y]), print(X-Y)", "3-4");
    check(head, "T = f(V,_,V), create_dict(T, D), rename(T, D), print(T)", "f(A,B,A)");
    check(
        head,
        "number_codes(X, 16, \"ff\"), number_codes(255, 2, Cs), format(\"~w ~s\", [X, Cs])",
        "255 11111111",
    );
    check(head, "getopts(['-o', x, a, '-h', --, '-z'], ['-o'/1, h], O, R), print(O-R)", "[o(x),h]-[a,-z]");
    check(
        head,
        "file_dir_name('/a/b', D, F), print(D-F), create_mutable(1, M), get_mutable(X, M), print(X)",
        "/a-b1",
    );
}
