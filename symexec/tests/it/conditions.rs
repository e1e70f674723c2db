//! What is written beside tests: conditions of paths in two languages, lines, and sides of branches.
//!
//! Two small readers evaluate the conditions: a test fulfils the condition of its own path and that of no
//! other, whatever language it is written in.

use std::collections::BTreeMap;
use std::process::Command;

use symexec::testcase::KTest;
use tempfile::TempDir;

use crate::klee::klee;
use crate::program::{Ran, explore_files};

/// Reads through pointers at unknown places, of constants and of what was written; all widths; terms that
/// occur more than once; inputs of odd names, one of them twice.
const PROGRAM: &str = r#"
#include <klee/klee.h>
static const unsigned char primes[6] = {2, 3, 5, 7, 11, 13};
static unsigned wide[3] = {70000, 5, 9};
int main(void) {
  unsigned x;
  unsigned char i;
  short s, s2;
  int steps = 0;
  unsigned char buffer[4] = {1, 2, 3, 4};
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&i, sizeof i, "an index");
  klee_make_symbolic(&s, sizeof s, "1");
  klee_make_symbolic(&s2, sizeof s2, "1");
  klee_assume(i < 6);
  if (primes[i] > 6)
    steps++;
  if (x * 3 + primes[i] == 70)
    steps += 2;
  else if ((int)x < -5 && x / 16 % 3 == s >> 2)
    steps += 4;
  buffer[i & 3] = (unsigned char)(x ^ 5);
  if (buffer[(i + 1) & 3] == 3 && wide[i % 3] > 8)
    steps += 7;
  if ((long)s * s2 > 1L << 20)
    steps += 1;
  return steps;
}
"#;

#[derive(Clone, Debug, PartialEq)]
enum Value {
    /// Its width, 0 if the text does not say.
    Bits(u32, u64),
    Array(BTreeMap<u64, u64>, u32),
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn signed(width: u32, value: u64) -> i64 {
    ((value << (64 - width)) as i64) >> (64 - width)
}

impl Value {
    fn bits(&self) -> (u32, u64) {
        match self {
            Value::Bits(width, value) => (*width, *value),
            Value::Array(..) => panic!("an array where a number is expected"),
        }
    }

    fn truth(holds: bool) -> Self {
        Value::Bits(1, u64::from(holds))
    }

    fn read(&self, index: u64) -> Self {
        match self {
            Value::Array(elements, width) => Value::Bits(*width, elements.get(&index).copied().unwrap_or(0)),
            Value::Bits(..) => panic!("a number where an array is expected"),
        }
    }

    fn with(&self, index: u64, value: u64) -> Self {
        match self {
            Value::Array(elements, width) => {
                let mut elements = elements.clone();
                elements.insert(index, value);
                Value::Array(elements, *width)
            }
            Value::Bits(..) => panic!("a number where an array is expected"),
        }
    }
}

/// An operation of either language, by the name that KLEE's has.
fn operation(name: &str, a: &Value, b: &Value) -> Value {
    let ((v, a), (w, b)) = (a.bits(), b.bits());
    let width = v.max(w);
    assert!(v == 0 || w == 0 || v == w, "{name} of {v} and {w} bits");
    let bits = |value: u64| Value::Bits(width, value & mask(width));
    match name {
        "Add" => bits(a.wrapping_add(b)),
        "Sub" => bits(a.wrapping_sub(b)),
        "Mul" => bits(a.wrapping_mul(b)),
        "UDiv" => bits(a.checked_div(b).unwrap_or(u64::MAX)),
        "URem" => bits(a.checked_rem(b).unwrap_or(a)),
        "SDiv" => bits(signed(width, a).wrapping_div(signed(width, b)) as u64),
        "SRem" => bits(signed(width, a).wrapping_rem(signed(width, b)) as u64),
        "And" => bits(a & b),
        "Or" => bits(a | b),
        "Xor" => bits(a ^ b),
        "Shl" => bits(if b < u64::from(width) { a << b } else { 0 }),
        "LShr" => bits(if b < u64::from(width) { a >> b } else { 0 }),
        "AShr" => bits((signed(width, a) >> b.min(63)) as u64),
        "Eq" => Value::truth(a == b),
        "Ult" => Value::truth(a < b),
        "Slt" => Value::truth(signed(width, a) < signed(width, b)),
        _ => panic!("the operation {name}"),
    }
}

/// A reader of KLEE's query language that evaluates as it reads.
pub(crate) struct Query<'a> {
    words: Vec<&'a str>,
    next: usize,
    known: BTreeMap<String, Value>,
}

impl<'a> Query<'a> {
    /// Whether all constraints of a query hold for these inputs, given in the order of declarations, and what they
    /// should imply does not.
    pub(crate) fn holds(text: &'a str, inputs: &[(String, Vec<u8>)]) -> bool {
        let (head, body) = text.split_at(text.find("(query").unwrap());
        let mut known = BTreeMap::new();
        let mut inputs = inputs.iter();
        for line in head.lines() {
            let words: Vec<&str> = line.split(['[', ']', ' ', ':']).filter(|word| !word.is_empty()).collect();
            let ["array", name, size, "w32", "->", range, "=", values @ ..] = words.as_slice() else {
                panic!("{line}");
            };
            let elements: Vec<u64> = if values == ["symbolic"] {
                inputs.next().unwrap().1.iter().map(|byte| u64::from(*byte)).collect()
            } else {
                values.iter().map(|value| value.parse().unwrap()).collect()
            };
            assert_eq!(elements.len(), size.parse::<usize>().unwrap());
            let elements = (0..).zip(elements).collect();
            assert!(
                known
                    .insert((*name).to_owned(), Value::Array(elements, range[1..].parse().unwrap()))
                    .is_none()
            );
        }
        assert!(inputs.next().is_none());
        let mut words = Vec::new();
        let mut start = None;
        for (place, c) in body.char_indices() {
            if c.is_whitespace() || "()[]@=,:".contains(c) {
                words.extend(start.take().map(|start| &body[start..place]));
                if !c.is_whitespace() {
                    words.push(&body[place..=place]);
                }
            } else {
                start = start.or(Some(place));
            }
        }
        let mut query = Query { words, next: 0, known };
        query.expect("(");
        query.expect("query");
        query.expect("[");
        let mut holds = true;
        while query.peek() != "]" {
            holds &= query.value() == Value::truth(true);
        }
        query.expect("]");
        holds &= query.value() == Value::truth(false);
        // Values that are wanted: expressions, and whole arrays.
        if query.peek() == "[" {
            query.expect("[");
            query.expect("]");
            query.expect("[");
            while query.peek() != "]" {
                let name = query.take();
                assert!(query.known.contains_key(name), "{name}");
            }
            query.expect("]");
        }
        query.expect(")");
        assert_eq!(query.next, query.words.len());
        holds
    }

    fn peek(&self) -> &'a str {
        self.words[self.next]
    }

    fn take(&mut self) -> &'a str {
        self.next += 1;
        self.words[self.next - 1]
    }

    fn expect(&mut self, word: &str) {
        assert_eq!(self.take(), word, "word {}", self.next);
    }

    fn width(&mut self) -> u32 {
        match self.peek().strip_prefix('w').and_then(|digits| digits.parse().ok()) {
            Some(width) => {
                self.next += 1;
                width
            }
            None => 1,
        }
    }

    /// An expression, or an array with what was written to it.
    fn value(&mut self) -> Value {
        let word = self.take();
        if word == "(" {
            return self.inside();
        }
        if word == "[" {
            return self.version();
        }
        if self.words.get(self.next) == Some(&":") {
            self.next += 1;
            let value = self.value();
            assert!(self.known.insert(word.to_owned(), value.clone()).is_none(), "{word} means two things");
            return value;
        }
        match word {
            "true" => Value::truth(true),
            "false" => Value::truth(false),
            _ => match word.parse() {
                Ok(number) => Value::Bits(0, number),
                Err(_) => self.known[word].clone(),
            },
        }
    }

    fn version(&mut self) -> Value {
        let mut writes = Vec::new();
        loop {
            let index = self.value().bits().1;
            self.expect("=");
            writes.push((index, self.value().bits().1));
            if self.take() == "]" {
                break;
            }
        }
        self.expect("@");
        let below = self.value();
        // The first one is the newest.
        writes.iter().rev().fold(below, |array, (index, value)| array.with(*index, *value))
    }

    fn inside(&mut self) -> Value {
        if self.peek().starts_with('w') {
            let width = self.width();
            let value = self.value().bits().1;
            self.expect(")");
            return Value::Bits(width, value);
        }
        let name = self.take();
        let width = self.width();
        let sized = |value: u64| Value::Bits(width, value & mask(width));
        let value =
            match name {
                "Not" => sized(!self.value().bits().1),
                "Extract" => {
                    let low: u32 = self.take().parse().unwrap();
                    sized(self.value().bits().1 >> low)
                }
                "ZExt" => sized(self.value().bits().1),
                "SExt" => {
                    let (from, value) = self.value().bits();
                    sized(signed(from, value) as u64)
                }
                "Concat" => {
                    let (_, high) = self.value().bits();
                    let (low_width, low) = self.value().bits();
                    sized(high << low_width | low)
                }
                "Select" => {
                    let (condition, yes, no) = (self.value(), self.value(), self.value());
                    if condition == Value::truth(true) { yes } else { no }
                }
                "Read" | "ReadLSB" => {
                    let index = self.value().bits().1;
                    let array = self.value();
                    let Value::Array(_, element) = &array else { panic!("{array:?}") };
                    let bytes = (0..u64::from(width / element)).rev();
                    sized(bytes.fold(0, |whole, place| {
                        whole << (*element % 64) | array.read(index + place).bits().1
                    }))
                }
                _ => operation(name, &self.value(), &self.value()),
            };
        self.expect(")");
        match value {
            Value::Bits(0, value) => Value::Bits(width, value),
            value => value,
        }
    }
}

/// An expression of SMT-LIB.
enum Lisp<'a> {
    Word(&'a str),
    List(Vec<Lisp<'a>>),
}

fn lisp(text: &str) -> Vec<Lisp<'_>> {
    let mut stack = vec![Vec::new()];
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (word, after) = match rest.find(|c: char| c.is_whitespace() || c == '(' || c == ')') {
            Some(0) => rest.split_at(1),
            Some(end) => rest.split_at(end),
            None => (rest, ""),
        };
        match word {
            "(" => stack.push(Vec::new()),
            ")" => {
                let list = stack.pop().unwrap();
                stack.last_mut().unwrap().push(Lisp::List(list));
            }
            _ => stack.last_mut().unwrap().push(Lisp::Word(word)),
        }
        rest = after.trim_start();
    }
    assert_eq!(stack.len(), 1);
    stack.pop().unwrap()
}

/// Whether all assertions of a script hold for these inputs, given in the order of declarations.
pub(crate) fn script_holds(text: &str, inputs: &[(String, Vec<u8>)]) -> bool {
    let mut known: BTreeMap<&str, Value> = BTreeMap::new();
    let mut inputs = inputs.iter();
    let mut holds = true;
    for command in lisp(text) {
        let Lisp::List(command) = command else { panic!("a word outside of commands") };
        match command.as_slice() {
            [Lisp::Word("set-option" | "set-logic" | "check-sat" | "get-value" | "exit"), ..] => {}
            [Lisp::Word("declare-fun"), Lisp::Word(name), ..] => {
                let bytes = inputs.next().unwrap().1.iter().map(|byte| u64::from(*byte));
                let array = Value::Array((0..).zip(bytes).collect(), 8);
                assert!(known.insert(name, array).is_none());
            }
            [Lisp::Word("define-fun"), Lisp::Word(name), _, _, body] => {
                let value = script_value(body, &known);
                assert!(known.insert(name, value).is_none());
            }
            [Lisp::Word("assert"), body] => holds &= script_value(body, &known) == Value::truth(true),
            _ => panic!("an unknown command"),
        }
    }
    assert!(inputs.next().is_none());
    holds
}

fn script_value(text: &Lisp<'_>, known: &BTreeMap<&str, Value>) -> Value {
    let value = |part: &Lisp<'_>| script_value(part, known);
    let number = |word: &Lisp<'_>| match word {
        Lisp::Word(word) => word.parse::<u32>().unwrap(),
        Lisp::List(_) => panic!("a list where a number is expected"),
    };
    let list = match text {
        Lisp::Word("#b0") => return Value::truth(false),
        Lisp::Word("#b1") => return Value::truth(true),
        Lisp::Word(word) => return known[word].clone(),
        Lisp::List(list) => list.as_slice(),
    };
    match list {
        [Lisp::Word("_"), Lisp::Word(constant), width] => {
            Value::Bits(number(width), constant.strip_prefix("bv").unwrap().parse().unwrap())
        }
        [Lisp::List(head), rest @ ..] => match (head.as_slice(), rest) {
            ([_, Lisp::Word("extract"), high, low], [part]) => {
                let (high, low) = (number(high), number(low));
                let width = high - low + 1;
                Value::Bits(width, value(part).bits().1 >> low & mask(width))
            }
            ([_, Lisp::Word("zero_extend"), more], [part]) => {
                let (width, bits) = value(part).bits();
                Value::Bits(width + number(more), bits)
            }
            ([_, Lisp::Word("sign_extend"), more], [part]) => {
                let (width, bits) = value(part).bits();
                let wide = width + number(more);
                Value::Bits(wide, signed(width, bits) as u64 & mask(wide))
            }
            ([Lisp::Word("as"), Lisp::Word("const"), _], [element]) => {
                let (width, bits) = value(element).bits();
                assert_eq!(bits, 0);
                Value::Array(BTreeMap::new(), width)
            }
            _ => panic!("an unknown head"),
        },
        [Lisp::Word("ite"), condition, yes, no] => {
            if value(condition) == Value::truth(true) {
                value(yes)
            } else {
                value(no)
            }
        }
        [Lisp::Word("bvnot"), part] => {
            let (width, bits) = value(part).bits();
            Value::Bits(width, !bits & mask(width))
        }
        [Lisp::Word("concat"), high, low] => {
            let ((high_width, high), (low_width, low)) = (value(high).bits(), value(low).bits());
            Value::Bits(high_width + low_width, high << low_width | low)
        }
        [Lisp::Word("select"), array, index] => value(array).read(value(index).bits().1),
        [Lisp::Word("store"), array, index, element] => {
            value(array).with(value(index).bits().1, value(element).bits().1)
        }
        [Lisp::Word(name), a, b] => {
            let names = [
                ("=", "Eq"),
                ("bvult", "Ult"),
                ("bvslt", "Slt"),
                ("bvadd", "Add"),
                ("bvsub", "Sub"),
                ("bvmul", "Mul"),
                ("bvudiv", "UDiv"),
                ("bvurem", "URem"),
                ("bvsdiv", "SDiv"),
                ("bvsrem", "SRem"),
                ("bvand", "And"),
                ("bvor", "Or"),
                ("bvxor", "Xor"),
                ("bvshl", "Shl"),
                ("bvlshr", "LShr"),
                ("bvashr", "AShr"),
            ];
            let known = names.iter().find(|(one, _)| one == name);
            operation(known.unwrap_or_else(|| panic!("the operation {name}")).1, &value(a), &value(b))
        }
        _ => panic!("an unknown expression"),
    }
}

fn run(folder: &TempDir, text: &str, arguments: &[&str]) -> Ran {
    let file = folder.path().join("program.c");
    std::fs::write(&file, text).unwrap();
    let ran = explore_files(folder, &[file], arguments);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran
}

/// The files with an ending, in the order of their tests.
fn files(ran: &Ran, ending: &str) -> Vec<String> {
    let name = |number: usize| ran.folder.join(format!("test{number:06}.{ending}"));
    (1..)
        .map(name)
        .take_while(|path| path.exists())
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect()
}

#[test]
fn a_test_fulfils_the_written_condition_of_its_own_path_and_of_no_other() {
    let folder = TempDir::new().unwrap();
    let ran = run(&folder, PROGRAM, &["--write-kqueries", "--write-smt2s"]);
    let tests: Vec<KTest> = ran.tests().into_values().collect();
    let (queries, scripts) = (files(&ran, "kquery"), files(&ran, "smt2"));
    assert!(tests.len() > 10, "{}", tests.len());
    assert_eq!((queries.len(), scripts.len()), (tests.len(), tests.len()));
    for (place, test) in tests.iter().enumerate() {
        for (other, (query, script)) in queries.iter().zip(&scripts).enumerate() {
            assert_eq!(Query::holds(query, &test.objects), place == other, "{test:?}\n{query}");
            assert_eq!(script_holds(script, &test.objects), place == other, "{test:?}\n{script}");
        }
    }
    // Labels, arrays of constants and writes to them did occur.
    let all = queries.concat();
    for part in ["N1:", "const_arr", "] @ ", "array an_index[1]", "array _1_1[2]", "(ReadLSB w32 0 x)"] {
        assert!(all.contains(part), "{part}: {all}");
    }
}

/// A loop of known length, then two branches on inputs, the second one decided where the first is.
const BRANCHES: &str = r#"
#include <klee/klee.h>
int main(void) {
  unsigned char x;
  int sum = 0;
  klee_make_symbolic(&x, sizeof x, "x");
  for (int k = 0; k < 2; k++)
    sum += k;
  if (x < 10)
    sum++;
  if (x < 20)
    sum += 2;
  return sum;
}
"#;

#[test]
fn sides_of_branches_and_new_lines_are_written_beside_tests() {
    let folder = TempDir::new().unwrap();
    let ran =
        run(&folder, BRANCHES, &["--write-paths", "--write-sym-paths", "--write-cov", "--write-test-info"]);
    // Twice into the loop and out of it; then x < 10 implies x < 20.
    let expected = BTreeMap::from([
        ("1 1 0 1 1".to_owned(), "1".to_owned()),
        ("1 1 0 0 1".to_owned(), "0 1".to_owned()),
        ("1 1 0 0 0".to_owned(), "0 0".to_owned()),
    ]);
    let joined = |text: &String| text.lines().collect::<Vec<_>>().join(" ");
    let (paths, choices) = (files(&ran, "path"), files(&ran, "sym.path"));
    let found: BTreeMap<String, String> = paths.iter().map(joined).zip(choices.iter().map(joined)).collect();
    assert_eq!(found, expected);
    // Each line is new on one path only, and together they are the lines with code.
    let mut lines: Vec<u32> = files(&ran, "cov")
        .iter()
        .flat_map(|text| text.lines())
        .map(|line| line.rsplit_once(':').unwrap().1.parse().unwrap())
        .collect();
    lines.sort_unstable();
    let once = lines.clone();
    lines.dedup();
    assert_eq!(lines, [5, 6, 7, 8, 9, 10, 11, 12, 13]);
    // A line may have instructions that different paths are the first to execute, as the head of the loop.
    assert!(once.len() <= lines.len() + 3, "{once:?}");
    assert!(files(&ran, "info").iter().all(|text| text.starts_with("Time to generate test case: ")));
    assert_eq!(files(&ran, "info").len(), 3);
}

#[test]
fn nothing_is_written_beside_tests_unless_it_is_asked_for() {
    let folder = TempDir::new().unwrap();
    let ran = run(&folder, BRANCHES, &[]);
    for ending in ["kquery", "smt2", "cov", "path", "sym.path", "info"] {
        assert!(files(&ran, ending).is_empty(), "{ending}");
    }
    let ran = run(&folder, BRANCHES, &["--write-no-tests", "--write-kqueries"]);
    assert!(files(&ran, "kquery").is_empty());
}

#[test]
fn a_condition_with_floating_point_numbers_has_no_query() {
    let folder = TempDir::new().unwrap();
    let text = "#include <klee/klee.h>\n\
        int main(void) { float x; klee_make_symbolic(&x, sizeof x, \"x\"); if (x > 1.5f) return 1; return 0; }";
    let ran = run(&folder, text, &["--write-kqueries", "--write-smt2s"]);
    assert!(files(&ran, "kquery").is_empty());
    assert_eq!(files(&ran, "smt2").len(), 2);
    assert!(
        ran.stderr.contains("no test000001.kquery: queries of KLEE and of CVC have no floating-point"),
        "{}",
        ran.stderr
    );
}

#[test]
fn conditions_are_written_in_cvcs_language_too() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("program.c");
    std::fs::write(&file, PROGRAM).unwrap();
    let ran = klee(&folder, &["--write-cvcs"], &file, &[]);
    assert!(!ran.stderr.contains("has no effect"), "{}", ran.stderr);
    let (tests, queries): (Vec<_>, Vec<_>) = ran
        .files()
        .into_iter()
        .filter(|name| name.starts_with("test"))
        .partition(|name| name.ends_with(".ktest"));
    assert!(tests.len() > 10 && queries.len() == tests.len(), "{queries:?}");
    let mut judged = 0;
    for (test, query) in tests.iter().zip(&queries) {
        let path = ran.folder.join(query);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains("an_index : ARRAY BITVECTOR(32) OF BITVECTOR(8);"), "{text}");
        assert!(text.contains("ASSERT(") && text.ends_with("QUERY(FALSE);\n"), "{text}");
        // A path's condition has a solution, and the test's bytes are one.
        let test = KTest::from_bytes(&std::fs::read(ran.folder.join(test)).unwrap()).unwrap();
        let names: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_suffix(" : ARRAY BITVECTOR(32) OF BITVECTOR(8);"))
            .collect();
        let mut with_values = text.replace("QUERY(FALSE);\n", "");
        for (name, (_, bytes)) in names.iter().zip(&test.objects) {
            for (place, byte) in bytes.iter().enumerate() {
                with_values.push_str(&format!("ASSERT({name}[0hex{place:08x}] = 0hex{byte:02x});\n"));
            }
        }
        with_values.push_str("QUERY(FALSE);\n");
        let file = folder.path().join("query.cvc");
        std::fs::write(&file, with_values).unwrap();
        // Where there is a program that reads them, it agrees.
        if let Ok(said) = Command::new("cvc4").args(["--lang=cvc4"]).arg(&file).output() {
            let said = String::from_utf8_lossy(&said.stdout).into_owned();
            assert_eq!(said.trim(), "not_entailed", "{text}");
            judged += 1;
        }
    }
    assert!(judged == 0 || judged == tests.len());
}
