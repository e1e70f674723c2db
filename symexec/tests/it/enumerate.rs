//! Questions over few bytes, decided by trying their values.

use std::collections::BTreeSet;

use symexec::base::bits::{BinaryOp, CompareOp};
use symexec::solver::enumerate::{Vectors, decide, possible};
use symexec::solver::question::{Question, Term, Verdict};

use crate::program::explore_files;

fn question(inputs: u32, terms: Vec<(u32, Term)>, roots: Vec<u32>) -> Question {
    Question { terms, roots, inputs }
}

#[test]
fn the_least_solution_is_found_and_the_want_of_one() {
    // in0 * 3 = 30 modulo 256, in0 > n.
    let product = |least: u64| {
        vec![
            (8, Term::Input(0)),
            (8, Term::Constant(3)),
            (8, Term::Binary(BinaryOp::Mul, 0, 1)),
            (8, Term::Constant(30)),
            (1, Term::Compare(CompareOp::Eq, 2, 3)),
            (8, Term::Constant(least)),
            (1, Term::Compare(CompareOp::Ult, 5, 0)),
        ]
    };
    assert_eq!(decide(&question(1, product(3), vec![4, 6])), Some(Verdict::Satisfiable(vec![10])));
    assert_eq!(decide(&question(1, product(10), vec![4, 6])), Some(Verdict::Unsatisfiable));
    // The last value counts too, and so do signs: -1 of 8 bits is -1 of 16.
    let last = vec![
        (8, Term::Input(0)),
        (16, Term::SignExtend(0)),
        (16, Term::Constant(0xffff)),
        (1, Term::Compare(CompareOp::Eq, 1, 2)),
    ];
    assert_eq!(decide(&question(1, last, vec![3])), Some(Verdict::Satisfiable(vec![255])));
}

#[test]
fn arrays_and_two_bytes_are_tried_and_other_things_are_left() {
    // table[in0] = in1, with table[5] replaced by in1, and zeros behind the end.
    let mut terms = vec![(8, Term::Input(0)), (8, Term::Input(1)), (64, Term::ZeroExtend(0))];
    terms.extend((0..4).map(|value| (8, Term::Constant(200 + value))));
    terms.push((8, Term::Literal(vec![3, 4, 5, 6])));
    terms.push((64, Term::Constant(5)));
    terms.push((8, Term::Store(7, 8, 1)));
    terms.push((8, Term::Read(9, 2)));
    terms.push((8, Term::Constant(202)));
    terms.push((1, Term::Compare(CompareOp::Eq, 10, 11)));
    terms.push((1, Term::Compare(CompareOp::Eq, 1, 11)));
    terms.push((1, Term::Not(13)));
    assert_eq!(decide(&question(2, terms.clone(), vec![12, 14])), Some(Verdict::Satisfiable(vec![2, 0])));
    assert_eq!(decide(&question(2, terms.clone(), vec![12])), Some(Verdict::Satisfiable(vec![2, 0])));
    terms.push((64, Term::Compare(CompareOp::Ult, 8, 2)));
    assert_eq!(decide(&question(2, terms, vec![12, 15, 13])), Some(Verdict::Unsatisfiable));
    let wide = vec![(8, Term::Input(0)), (80, Term::ZeroExtend(0)), (1, Term::Compare(CompareOp::Eq, 1, 1))];
    assert_eq!(decide(&question(1, wide, vec![2])), None);
    assert_eq!(decide(&question(3, vec![(1, Term::Constant(1))], vec![0])), None);
    assert_eq!(decide(&question(1, vec![(1, Term::Constant(1))], vec![9])), None);
}

/// Tables of characters have thousands of different elements, which are no work: 1000 * in0 + in1 is looked up in one.
#[test]
fn elements_of_tables_do_not_make_a_question_large() {
    let mut terms = vec![(8, Term::Input(0)), (8, Term::Input(1)), (64, Term::ZeroExtend(0))];
    terms.extend([
        (64, Term::ZeroExtend(1)),
        (64, Term::Constant(1000)),
        (64, Term::Binary(BinaryOp::Mul, 2, 4)),
        (64, Term::Binary(BinaryOp::Add, 3, 5)),
    ]);
    let first = terms.len() as u32;
    terms.extend((0..9000).map(|place| (32, Term::Constant(place * 7))));
    terms.push((32, Term::Literal((first..first + 9000).collect())));
    terms.push((32, Term::Read(first + 9000, 6)));
    terms.push((32, Term::Constant(3200 * 7)));
    terms.push((1, Term::Compare(CompareOp::Eq, first + 9001, first + 9002)));
    assert_eq!(decide(&question(2, terms, vec![first + 9003])), Some(Verdict::Satisfiable(vec![3, 200])));
}

const TEXT: &str = "#include <klee/klee.h>\n#include <ctype.h>\n#include <stdlib.h>\n\
    static const unsigned char table[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};\n\
    int main(void) { char s[4]; klee_make_symbolic(s, 4, \"s\"); s[3] = 0; unsigned char k = s[2];\n\
    int n = atoi(s); if (isspace(s[0])) return 1; if (n == 17) return 2; if (n % 7 == 3 && n > 20) return 3;\n\
    if (table[k & 15] * 3 == 27) return 4; if ((k ^ 0x55) < 9) return 5; if (k * k % 251 == 4) return 6;\n\
    if ((unsigned char)(s[0] + s[1]) == 200) return 7; if (k >= 254) return 8; return (signed char)k < -120; }";

#[test]
fn trying_all_values_and_asking_the_solver_agree() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("text.c");
    std::fs::write(&file, TEXT).unwrap();
    let files = [file];
    for model in ["forking", "segmented"] {
        let run =
            |more: &[&str]| explore_files(&folder, &files, &[&["--memory-model", model], more].concat());
        let tried = run(&[]);
        let asked = run(&["--no-enumeration"]);
        for number in ["completed", "instructions", "forks", "covered_instructions", "tests"] {
            assert_eq!(tried.result(number), asked.result(number), "{number}");
        }
        assert!(tried.engine("enumerated_queries") > 20);
        assert!(tried.engine("solver_queries") < asked.engine("solver_queries") / 2);
        // Every answer is asked of the solver as well.
        let audited = run(&["--audit", "always", "--no-counterexample-cache"]);
        assert_eq!(
            (audited.code, audited.result("instructions")),
            (tried.code, tried.result("instructions"))
        );
        assert_eq!(audited.inputs(), tried.inputs());
    }
}

/// Two bytes in six conditions about `float` and `double`: results that are no numbers, roundings in two formats,
/// numbers without their fraction. A solver takes seconds for some of them.
const FLOATS: &str = "#include <klee/klee.h>\n\
    int main(void) { unsigned char in[2]; klee_make_symbolic(in, 2, \"in\");\n\
    float f = (signed char)in[0] / 4.0f; double d = in[1] * 0.1;\n\
    if (f * 2 > 30.25f) return 1; if (d == 0.30000000000000004) return 2; if (f + d < -31) return 3;\n\
    if ((int)(f * 3) == 7) return 4; float q = f / (float)(d - 0.1 * in[1]); if (q != q) return 5;\n\
    if ((float)(f * d) == 1.5f) return 6; return 7; }";

#[test]
fn floating_point_numbers_made_of_two_bytes_are_tried() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("floats.c");
    std::fs::write(&file, FLOATS).unwrap();
    let tried = explore_files(&folder, &[file], &[]);
    assert_eq!((tried.code, tried.result("completed"), tried.engine("solver_queries")), (0, 7, 0));
    // What the program returns, computed here for all 65,536 inputs; each path has an own result.
    let result = |in0: u8, in1: u8| {
        let (f, d) = (f32::from(in0 as i8) / 4.0, f64::from(in1) * 0.1);
        let q = f / (d - 0.1 * f64::from(in1)) as f32;
        match () {
            () if f * 2.0 > 30.25 => 1,
            () if d == 0.300_000_000_000_000_04 => 2,
            () if f64::from(f) + d < -31.0 => 3,
            () if (f * 3.0) as i32 == 7 => 4,
            () if q.is_nan() => 5,
            () if (f64::from(f) * d) as f32 == 1.5 => 6,
            () => 7,
        }
    };
    let all: BTreeSet<i32> =
        (0..=255).flat_map(|in0| (0..=255).map(move |in1| (in0, in1))).map(|(a, b)| result(a, b)).collect();
    let tests = tried.inputs();
    let results = tests.iter().map(|objects| result(objects[0].1[0], objects[0].1[1]));
    let found: BTreeSet<i32> = results.collect();
    assert_eq!((tests.len(), found), (all.len(), all));
}

#[test]
fn all_sides_of_a_choice_are_decided_at_once() {
    // in0 < n beside in0 = v, for three values of v, one of which is out of reach, and what is left of them.
    let sides = |least: u64| {
        let mut terms =
            vec![(8, Term::Input(0)), (8, Term::Constant(least)), (1, Term::Compare(CompareOp::Ult, 1, 0))];
        let mut roots = Vec::new();
        for value in [7, 9, 255] {
            let constant = terms.len() as u32;
            terms.extend([(8, Term::Constant(value)), (1, Term::Compare(CompareOp::Eq, constant, 0))]);
            roots.push(constant + 1);
        }
        let last = terms.len() as u32;
        terms.extend([
            (1, Term::Binary(BinaryOp::Or, roots[0], roots[1])),
            (1, Term::Binary(BinaryOp::Or, last, roots[2])),
            (1, Term::Not(last + 1)),
        ]);
        roots.extend([last + 2, 2]);
        question(1, terms, roots)
    };
    assert_eq!(possible(&sides(3), 4, 256, &mut Vectors::default()), Some(vec![true; 4]));
    assert_eq!(possible(&sides(7), 4, 256, &mut Vectors::default()), Some(vec![false, true, true, true]));
    assert_eq!(possible(&sides(254), 4, 256, &mut Vectors::default()), Some(vec![false, false, true, false]));
    // What is said of fewer values, of fewer sides, and of too many.
    assert_eq!(possible(&sides(7), 4, 64, &mut Vectors::default()), Some(vec![false, true, false, true]));
    assert_eq!(possible(&sides(7), 0, 256, &mut Vectors::default()), Some(Vec::new()));
    assert_eq!(possible(&sides(7), 6, 256, &mut Vectors::default()), None);
    // in0 + in1 is 300 for some two bytes and 600 for none.
    let mut terms =
        vec![(8, Term::Input(0)), (8, Term::Input(1)), (16, Term::ZeroExtend(0)), (16, Term::ZeroExtend(1))];
    terms.push((16, Term::Binary(BinaryOp::Add, 2, 3)));
    for sum in [300, 600, 0] {
        let constant = terms.len() as u32;
        terms.extend([(16, Term::Constant(sum)), (1, Term::Compare(CompareOp::Eq, constant, 4))]);
    }
    assert_eq!(
        possible(&question(2, terms, vec![6, 8, 10]), 3, 256, &mut Vectors::default()),
        Some(vec![true, false, true])
    );
}

const SWITCH: &str = "#include <klee/klee.h>\n#include <string.h>\n\
    int main(void) { unsigned char c, d; klee_make_symbolic(&c, 1, \"c\"); klee_make_symbolic(&d, 1, \"d\");\n\
    klee_assume(c > 'b'); int kind = 0;\n\
    switch (c) { case 'a': kind = 9; break; case 'c': case 'e': kind = 1; break; case 'd': kind = 2; break;\n\
    case 200 ... 255: kind = 3; break; default: kind = 4; }\n\
    switch (c * 2 + d) { case 700: kind += 10; break; case 800: kind += 50; break; case 206: kind += 20; break; case 5: kind += 100; }\n\
    switch (kind == 4 ? d : c) { case 1: kind += 200; break; case 'd': kind += 300; break; case 'x': kind += 400; }\n\
    return strchr(\"xyz,;\", d) != 0 ? kind : -1; }";

/// One look where there was a question for each side: the same paths and tests, and less is asked.
#[test]
fn choices_about_few_bytes_ask_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("switch.c");
    std::fs::write(&file, SWITCH).unwrap();
    let files = [file];
    for model in ["forking", "segmented"] {
        let run =
            |more: &[&str]| explore_files(&folder, &files, &[&["--memory-model", model], more].concat());
        let tried = run(&[]);
        let asked = run(&["--no-enumeration"]);
        for number in ["completed", "instructions", "forks", "covered_instructions", "tests"] {
            assert_eq!(tried.result(number), asked.result(number), "{number}");
        }
        assert!(tried.result("completed") > 20 && tried.engine("choices_enumerated") >= 10);
        assert_eq!(asked.engine("choices_enumerated"), 0);
        assert!(tried.engine("queries") + 30 <= asked.engine("queries"), "{}", tried.engine("queries"));
        // An audit asks for each side by itself.
        let audited = run(&["--audit", "always"]);
        assert_eq!(audited.engine("choices_enumerated"), 0);
        assert_eq!(audited.result("instructions"), tried.result("instructions"));
    }
}

/// Explores a program of C; it has no errors.
fn explored(text: &str, arguments: &[&str]) -> crate::program::Ran {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("p.c");
    std::fs::write(&file, format!("#include <klee/klee.h>\n#include <stdlib.h>\n{text}")).unwrap();
    let ran = explore_files(&folder, &[file], arguments);
    assert_eq!(ran.errors(), [], "{}", ran.stderr);
    ran
}

#[test]
fn loops_up_to_an_unknown_number_ask_no_solver() {
    let text = "int main(void) { int n; unsigned long m; klee_make_symbolic(&n, 4, \"n\"); klee_make_symbolic(&m, 8, \"m\");
        klee_assume((n > -5) & (n != 7)); int i = 0; while (i < n && i < 40) i++;
        klee_assert(i == (n < 0 ? 0 : n < 40 ? n : 40)); if (m + 9 < 9 && m != -1) return 1; return i == 7; }";
    let ran = explored(text, &[]);
    assert_eq!(ran.engine("solver_queries"), 0, "{}", ran.stderr);
    assert!(ran.engine("interval_queries") > 40, "{}", ran.stderr);
    let without = explored(text, &["--no-enumeration"]);
    assert!(without.engine("solver_queries") > 40, "{}", without.stderr);
    assert_eq!(ran.result("completed"), without.result("completed"));
}

#[test]
fn packets_are_read_at_unknown_places() {
    // Fields of two and four bytes behind a header of unknown length, in three kilobytes of unknown bytes, some of them
    // known by themselves; what was written there is read as well.
    let text = "int main(void) {
        unsigned char *p = malloc(3000); klee_make_symbolic(p, 3000, \"packet\");
        unsigned short at; klee_make_symbolic(&at, 2, \"at\"); klee_assume(at < 2990);
        unsigned length = p[at] << 8 | p[at + 1]; if (length < 8 || length > 3000) return 1;
        unsigned sum = 0; for (int i = 2; i < 6; i++) sum += p[at + i];
        if (sum == 1000 && p[100] == 250 && p[2989] == 1) { klee_assert(at != 99 || length != 0x01f9);
          p[at + 7] = 9; return p[at + 7] == 9 && p[at + 6] != p[at + 2] ? 2 : 3; }
        return 0; }";
    let ran = explored(text, &["--solver-resource", "20000000", "--max-time", "300"]);
    assert_eq!((ran.code, ran.result("completed")), (0, 7), "{}", ran.stderr);
    assert!(ran.engine("buffer_queries") > 3, "{}", ran.stderr);
}
