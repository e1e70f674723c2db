//! Questions over few bytes, decided by trying their values.

use std::collections::BTreeSet;

use symexec::base::bits::{BinaryOp, CompareOp};
use symexec::solver::enumerate::{Vectors, decide, decide_few, possible};
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
fn of_a_number_with_few_values_each_is_tried() {
    let text = "#include <time.h>\n#include <string.h>\n
        int main(void) { int days = klee_range(0, 400, \"days\"); unsigned n; klee_make_symbolic(&n, 4, \"n\");
        klee_assume(n - 1000 < 5000); struct tm t = {.tm_year = 124, .tm_mon = 1, .tm_mday = days}; time_t time = timegm(&t);
        if (time == 1709164800) { klee_assert(days == 29); return 1; } klee_assert(n * n != 1234322);
        return n * n % 1009 == 7 && (n ^ 1234) / 7 == 311; }";
    let ran = explored(text, &[]);
    assert_eq!(ran.engine("solver_queries"), 0, "{}", ran.stderr);
    let dates = "static int day(int y, int m) { static int t[] = {0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4};
        y -= m < 3; return (y + y / 4 - y / 100 + y / 400 + t[m - 1] + 1) % 7; }
        int main(void) { int y = klee_range(1970, 2100, \"y\"), m = klee_range(1, 13, \"m\"); int d = day(y, m);
        klee_assert(d >= 0 && d < 7); if (y % 100 == 1 && m == 8) { klee_assert(d == 3); return 1; } return d == 6 && y == 2099; }";
    let dates = explored(dates, &[]);
    assert_eq!(dates.engine("solver_queries"), 0, "{}", dates.stderr);
    let without = explored(
        "int main(void) { unsigned n; klee_make_symbolic(&n, 4, \"n\"); klee_assume(n - 1000 < 5000);
        return n * n % 1009 == 7; }",
        &["--no-enumeration"],
    );
    assert!(without.engine("solver_queries") > 1, "{}", without.stderr);
}

/// Nine digits, as programs read numbers, and what is asked of the number.
const DIGITS: &str = "int main(void) { char text[10]; klee_make_symbolic(text, 10, \"text\"); unsigned long n = 0;
    for (int i = 0; i < 9; i++) { klee_assume((text[i] >= '0') & (text[i] <= '9')); n = n * 10 + (text[i] - '0'); }
    static const unsigned char primes[] = {3, 5, 7, 11, 13, 17, 19, 23, 29};
    for (int i = 0; i < 9; i++) if (n % primes[i] == 0) return 1;
    if (n % 4993 != 0) return 2; klee_assert(n % 4993 == 0 && n % 3 != 0); return n > 500000000; }";

#[test]
fn solutions_that_a_search_finds_ask_no_solver() {
    let ran = explored(DIGITS, &[]);
    assert_eq!(ran.engine("solver_queries"), 0, "{}", ran.stderr);
    assert!(ran.engine("searched_queries") > 15, "{}", ran.stderr);
    assert_eq!(ran.result("completed"), 11);
}

/// What no byte can be alone needs no solver, however many bytes are asked about.
#[test]
fn what_terms_can_be_refutes_questions_without_a_solver() {
    let text = "int main(void) { unsigned char b[6]; klee_make_symbolic(b, 6, \"b\"); unsigned sum = 0;
        for (int i = 0; i < 6; i++) { klee_assume(((b[i] & 3) == 1) & (b[i] < 100)); sum += b[i] * 10; }
        if (sum > 5821) return 1; klee_assert(sum < 6000 && sum / 10 >= 6); return 0; }";
    let ran = explored(text, &[]);
    assert_eq!(ran.engine("solver_queries"), 0, "{}", ran.stderr);
    assert!(ran.engine("refuted_queries") > 1, "{}", ran.stderr);
    let without = explored(text, &["--no-enumeration"]);
    assert!(without.engine("solver_queries") > 1, "{}", without.stderr);
    assert_eq!(ran.result("completed"), without.result("completed"));
}

/// Terms over numbers of two bytes each, and what is to hold.
struct Numbers {
    terms: Vec<(u32, Term)>,
    roots: Vec<u32>,
    inputs: u32,
}

impl Numbers {
    fn add(&mut self, width: u32, term: Term) -> u32 {
        self.terms.push((width, term));
        self.terms.len() as u32 - 1
    }

    /// A number.
    fn number(&mut self) -> u32 {
        let high = self.add(8, Term::Input(self.inputs));
        let low = self.add(8, Term::Input(self.inputs + 1));
        self.inputs += 2;
        self.add(16, Term::Concat(high, low))
    }

    /// Whether a number is less than a bound.
    fn is_less(&mut self, op: CompareOp, number: u32, bound: u64) -> u32 {
        let bound = self.add(16, Term::Constant(bound));
        self.add(1, Term::Compare(op, number, bound))
    }

    fn holds(&mut self, root: u32) {
        self.roots.push(root);
    }

    /// An operation on two numbers has a result.
    fn gives(&mut self, op: BinaryOp, a: u32, b: u32, result: u64) {
        let value = self.add(16, Term::Binary(op, a, b));
        let result = self.add(16, Term::Constant(result));
        let is_equal = self.add(1, Term::Compare(CompareOp::Eq, value, result));
        self.holds(is_equal);
    }

    /// The numbers that are found; none if there is no solution.
    fn decide(self) -> Option<Vec<u16>> {
        let question = question(self.inputs, self.terms, self.roots);
        Some(match decide_few(&question)? {
            Verdict::Satisfiable(bytes) => {
                bytes.chunks(2).map(|pair| u16::from(pair[0]) << 8 | u16::from(pair[1])).collect()
            }
            _ => Vec::new(),
        })
    }
}

#[test]
fn few_values_are_tried_up_to_the_last_one() {
    let new = || Numbers { terms: Vec::new(), roots: Vec::new(), inputs: 0 };
    // As many values together as are tried, of which the last ones are a solution; and one more.
    for (bound, expected) in [(256, Some(vec![255, 255])), (257, None)] {
        let mut numbers = new();
        let (a, b) = (numbers.number(), numbers.number());
        for (number, bound) in [(a, 256), (b, bound)] {
            let is_less = numbers.is_less(CompareOp::Ult, number, bound);
            numbers.holds(is_less);
        }
        numbers.gives(BinaryOp::Add, a, b, 510);
        numbers.gives(BinaryOp::Mul, a, b, 255 * 255);
        assert_eq!(numbers.decide(), expected, "{bound}");
    }
    // Zero is among the divisors, and numbers below zero among those with a sign; the least number is found.
    for (op, result, expected) in [
        (BinaryOp::UDiv, 0xffff, vec![0]),
        (BinaryOp::URem, 1000, vec![0]),
        (BinaryOp::URem, 1, vec![3]),
        (BinaryOp::SDiv, 500, vec![2]),
        (BinaryOp::SDiv, (-500_i16 as u16).into(), vec![0xfffe]),
        (BinaryOp::SRem, 1, vec![3]),
    ] {
        let mut numbers = new();
        let number = numbers.number();
        let [least, most] =
            [-2_i16, 4].map(|bound| numbers.is_less(CompareOp::Slt, number, bound as u16 as u64));
        let is_at_least = numbers.add(1, Term::Not(least));
        numbers.holds(is_at_least);
        numbers.holds(most);
        let thousand = numbers.add(16, Term::Constant(1000));
        numbers.gives(op, thousand, number, result);
        assert_eq!(numbers.decide(), Some(expected), "{op:?} {result}");
    }
    // Either end of a number's range; of two numbers in one disjunction neither is bounded.
    for (is_same, expected) in [(true, Some(vec![65534, 0])), (false, None)] {
        let mut numbers = new();
        let (a, b) = (numbers.number(), numbers.number());
        let low = numbers.is_less(CompareOp::Ult, a, 3);
        let rest = numbers.is_less(CompareOp::Ult, if is_same { a } else { b }, 65533);
        let high = numbers.add(1, Term::Not(rest));
        let either = numbers.add(1, Term::Binary(BinaryOp::Or, low, high));
        numbers.holds(either);
        let is_zero = numbers.is_less(CompareOp::Ult, b, 1);
        numbers.holds(is_zero);
        numbers.gives(BinaryOp::Mul, a, a, 4);
        let is_high = numbers.is_less(CompareOp::Slt, a, 0);
        numbers.holds(is_high);
        if !is_same {
            numbers.roots.truncate(1);
            numbers.gives(BinaryOp::Mul, a, b, 4);
        }
        assert_eq!(numbers.decide(), expected);
    }
    // Nothing is left of one of two numbers.
    let mut numbers = new();
    let (a, b) = (numbers.number(), numbers.number());
    let is_less = numbers.is_less(CompareOp::Ult, a, 0);
    numbers.holds(is_less);
    let is_small = numbers.is_less(CompareOp::Ult, b, 9);
    numbers.holds(is_small);
    numbers.gives(BinaryOp::Mul, a, b, 4);
    assert_eq!(numbers.decide(), Some(Vec::new()));
}

#[test]
fn reads_behind_very_many_stores_are_left_to_the_solver() {
    // Of 256 values each read passes by all stores before it.
    let reading = |stores: u64| {
        let mut numbers = Numbers { terms: Vec::new(), roots: Vec::new(), inputs: 0 };
        let number = numbers.number();
        let is_less = numbers.is_less(CompareOp::Ult, number, 256);
        numbers.holds(is_less);
        let zero = numbers.add(16, Term::Constant(0));
        let mut array = numbers.add(16, Term::Literal(vec![zero; 300]));
        for place in 0..stores {
            let place = numbers.add(16, Term::Constant(place % 300));
            array = numbers.add(16, Term::Store(array, place, number));
            let read = numbers.add(16, Term::Read(array, number));
            let is_less = numbers.is_less(CompareOp::Ult, read, 300);
            numbers.holds(is_less);
        }
        numbers.gives(BinaryOp::Mul, number, number, 9);
        numbers.decide()
    };
    assert_eq!(reading(300), Some(vec![3]));
    assert_eq!(reading(800), None);
}

#[test]
fn few_values_of_numbers_and_the_solver_agree() {
    // Widths from 1 to 128 bits, both orders, wrap-around, either of several comparisons, divisors among which there is
    // zero, tables read and written at such numbers.
    let bounds = [
        ("unsigned char x, y, z", "(x > 250) & (y < 3) & ((z < 2) | (z == 77))"),
        ("short x; unsigned short y; _Bool z", "(x > -4) & (x < 5) & ((y == 1) | ((y > 1000) & (y < 1004)))"),
        ("int x; unsigned y; char z", "(x + 2147483600 < -2147483640) & (y - 7 < 5) & (z > -3) & (z <= 0)"),
        ("long x; unsigned long y; int z", "(x >= -2) & (x < 3) & (y + 3 < 6) & (z > 0x7ffffffa)"),
        ("__int128 x; unsigned short y; int z", "(x > -3) & (x < 2) & (y > 65530) & (z >= 4) & (z < 7)"),
    ];
    for (declared, bounds) in bounds {
        let text = format!(
            "static int table[] = {{3, 1, 4, 1, 5, 9, 2, 6}};
            int main(void) {{ {declared};
            klee_make_symbolic(&x, sizeof x, \"x\"); klee_make_symbolic(&y, sizeof y, \"y\");
            klee_make_symbolic(&z, sizeof z, \"z\"); klee_assume({bounds});
            int paths = 0;
            if ((unsigned)x * (unsigned)y % 7 == 3) paths |= 1;
            if (((int)x * 5 ^ (int)z) % 3 < 0) paths |= 2;
            if (z != 0 && (long)y / (long)z == 1) paths |= 4;
            table[y % 8] = 7;
            if (table[(unsigned)(x + z) % 8] == 7) paths |= 8;
            if ((unsigned)x >> (y & 31) == (unsigned)z << 1) paths |= 16;
            return paths; }}"
        );
        let (tried, asked) = (explored(&text, &[]), explored(&text, &["--no-enumeration"]));
        // Vectors of more than 64 bits are the solver's.
        if !declared.contains("__int128") {
            assert!(tried.engine("enumerated_queries") > 3, "{declared}: {}", tried.stderr);
            assert!(tried.engine("solver_queries") < asked.engine("solver_queries"), "{declared}");
        }
        for count in ["completed", "instructions"] {
            assert_eq!(tried.result(count), asked.result(count), "{declared}: {}", tried.stderr);
        }
        let audited = explored(&text, &["--audit", "always"]);
        assert_eq!((audited.code, audited.result("completed")), (0, asked.result("completed")), "{declared}");
    }
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
