//! Test suites as XML, in the format of the International Competition on Software Testing (Test-Comp), which KLEE's
//! `--write-xml-tests` writes as well: `metadata.xml`, and a file for each test with its values in the order in which
//! the program asks for them.

use std::fmt::Write;
use std::path::PathBuf;

use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::base::system::System;

/// The functions whose values are told by type, by what follows `__VERIFIER_nondet_`, with the type in C.
const FUNCTIONS: [(&str, &str, Shape); 30] = [
    ("bool", "bool", Shape::Truth),
    ("char", "char", Shape::Signed),
    ("uchar", "unsigned char", Shape::Unsigned),
    ("u8", "unsigned char", Shape::Unsigned),
    ("U8", "unsigned char", Shape::Unsigned),
    ("unsigned_char", "unsigned char", Shape::Unsigned),
    ("short", "short", Shape::Signed),
    ("ushort", "unsigned short", Shape::Unsigned),
    ("u16", "unsigned short", Shape::Unsigned),
    ("U16", "unsigned short", Shape::Unsigned),
    ("int", "int", Shape::Signed),
    ("uint", "unsigned int", Shape::Unsigned),
    ("u32", "unsigned int", Shape::Unsigned),
    ("U32", "unsigned int", Shape::Unsigned),
    ("unsigned", "unsigned int", Shape::Unsigned),
    ("size_t", "size_t", Shape::Unsigned),
    ("long", "long", Shape::Signed),
    ("ulong", "unsigned long", Shape::Unsigned),
    ("longlong", "long long", Shape::Signed),
    ("ulonglong", "unsigned long long", Shape::Unsigned),
    ("u64", "unsigned long", Shape::Unsigned),
    ("U64", "unsigned long", Shape::Unsigned),
    ("int128", "__int128", Shape::Signed),
    ("uint128", "unsigned __int128", Shape::Unsigned),
    ("loff_t", "loff_t", Shape::Signed),
    ("sector_t", "sector_t", Shape::Unsigned),
    ("pthread_t", "pthread_t", Shape::Unsigned),
    ("pointer", "void *", Shape::Unsigned),
    ("pchar", "char *", Shape::Unsigned),
    ("string", "char *", Shape::Text),
];

/// How bytes are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Truth,
    Signed,
    Unsigned,
    Text,
}

/// What a suite is told to say of itself; what is absent is found out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Suite {
    /// The property that it is for; all branches, if absent.
    pub specification: Option<String>,
    /// The program's file.
    pub program: Option<String>,
    /// The program's SHA-256.
    pub hash: Option<String>,
}

/// The property of a suite that is for no other one.
const ALL_BRANCHES: &str = "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )";

impl Suite {
    /// What a suite says of itself that is made now, of a program in files of which the first one counts.
    pub(super) fn metadata(&self, files: &[PathBuf], entry: &str, system: &dyn System) -> Metadata {
        let Self { specification, program, hash } = self.clone();
        let file = files.first().cloned().unwrap_or_default();
        let found = || {
            let bytes = system.read_file(&file).unwrap_or_default();
            Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect()
        };
        Metadata {
            specification: specification.unwrap_or_else(|| ALL_BRANCHES.to_owned()),
            program: program.unwrap_or_else(|| file.display().to_string()),
            hash: hash.unwrap_or_else(found),
            entry: entry.to_owned(),
            created: timestamp(system.now()),
        }
    }
}

/// What a suite says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Metadata {
    /// The property that the tests are for.
    pub specification: String,
    /// The program's file.
    pub program: String,
    /// Its SHA-256, in hexadecimal digits.
    pub hash: String,
    /// The function that it starts with.
    pub entry: String,
    /// When the suite was made, as `YYYY-MM-DDTHH:MM:SSZ`.
    pub created: String,
}

impl Metadata {
    /// The content of `metadata.xml`.
    #[must_use]
    pub fn document(&self) -> String {
        let producer = format!("symexec {}", env!("CARGO_PKG_VERSION"));
        let fields = [
            ("sourcecodelang", "C"),
            ("producer", &producer),
            ("specification", &self.specification),
            ("programfile", &self.program),
            ("programhash", &self.hash),
            ("entryfunction", &self.entry),
            ("architecture", "64bit"),
            ("creationtime", &self.created),
        ];
        let fields: String =
            fields.iter().map(|(name, value)| format!("\t<{name}>{}</{name}>\n", escaped(value))).collect();
        format!("{}<test-metadata>\n{fields}</test-metadata>\n", head("test-metadata", "test-metadata"))
    }
}

/// The content of a test's file: its inputs in order, each by name and bytes.
#[must_use]
pub fn test_case(inputs: &[(String, Vec<u8>)], reaches_error: bool) -> String {
    let mut out = head("testcase", "test-format testcase");
    out.push_str(if reaches_error { "<testcase coversError=\"true\">\n" } else { "<testcase>\n" });
    for (name, bytes) in inputs {
        let (variable, ty, value) = told(name, bytes);
        let (variable, ty, value) = (escaped(&variable), escaped(&ty), escaped(&value));
        // Writing to a string cannot fail.
        let _ = writeln!(out, "\t<input variable=\"{variable}\" type=\"{ty}\">{value}</input>");
    }
    out.push_str("</testcase>\n");
    out
}

/// The beginning of a document.
fn head(root: &str, title: &str) -> String {
    let file = if root == "testcase" { "testcase" } else { root };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n<!DOCTYPE {root} PUBLIC \"+//IDN \
         sosy-lab.org//DTD {title} 1.1//EN\" \"https://sosy-lab.org/test-format/{file}-1.1.dtd\">\n"
    )
}

/// The name, type and value of an input.
fn told(name: &str, bytes: &[u8]) -> (String, String, String) {
    let function = name.strip_prefix("__VERIFIER_nondet_");
    if let Some((function, value)) = function.and_then(|function| Some((function, float(function, bytes)?))) {
        return (name.to_owned(), numbered(function).to_owned(), value);
    }
    let known =
        function.and_then(|function| FUNCTIONS.iter().find(|(known, ..)| *known == numbered(function)));
    let (ty, shape) = known.map_or((of_size(bytes.len()), Shape::Signed), |(_, ty, shape)| (*ty, *shape));
    let value = match shape {
        Shape::Text => {
            bytes.iter().take_while(|byte| **byte != 0).map(|byte| char::from(*byte)).collect::<String>()
        }
        Shape::Truth => (bytes.first().copied().unwrap_or(0) & 1).to_string(),
        Shape::Unsigned => number(bytes).map_or_else(|| hexadecimal(bytes), |number| number.to_string()),
        Shape::Signed => match number(bytes) {
            Some(number) => {
                let unused = 128 - 8 * bytes.len().clamp(1, 16);
                (((number << unused) as i128) >> unused).to_string()
            }
            None => hexadecimal(bytes),
        },
    };
    (name.to_owned(), ty.to_owned(), value)
}

/// A floating-point number, with as many digits as tell it from all others.
fn float(function: &str, bytes: &[u8]) -> Option<String> {
    let text = |number: f64, shown: String| match number {
        number if number.is_nan() => "nan".to_owned(),
        number if number.is_infinite() => if number > 0.0 { "inf" } else { "-inf" }.to_owned(),
        _ => shown,
    };
    match numbered(function) {
        "float" => {
            let number = f32::from_le_bytes(bytes.try_into().ok()?);
            Some(text(f64::from(number), format!("{number:e}")))
        }
        "double" => {
            let number = f64::from_le_bytes(bytes.try_into().ok()?);
            Some(text(number, format!("{number:e}")))
        }
        _ => None,
    }
}

/// A name without the number that tells inputs of one name apart.
fn numbered(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((name, number)) if !number.is_empty() && number.bytes().all(|digit| digit.is_ascii_digit()) => {
            name
        }
        _ => name,
    }
}

/// The type of an input that a program named itself.
fn of_size(size: usize) -> &'static str {
    match size {
        1 => "char",
        2 => "short",
        4 => "int",
        8 => "long",
        _ => "array",
    }
}

/// Bytes as a number, the lowest first; nothing if there are too many.
fn number(bytes: &[u8]) -> Option<u128> {
    (bytes.len() <= 16).then(|| bytes.iter().rev().fold(0, |number, byte| (number << 8) | u128::from(*byte)))
}

fn hexadecimal(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
    format!("0x{digits}")
}

/// A text as XML has it, without the letters that it cannot have.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter if letter < ' ' && !matches!(letter, '\t' | '\n' | '\r') => out.push('?'),
            letter => out.push(letter),
        }
    }
    out
}

/// A time since 1970 as `YYYY-MM-DDTHH:MM:SSZ`, by the calendar's 400 years of 146,097 days.
#[must_use]
pub fn timestamp(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Years begin with March, so that a leap day is a year's last.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", rest / 3600, rest / 60 % 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::{Metadata, test_case, timestamp};

    #[test]
    fn values_are_told_by_the_function_that_made_them() {
        let name = |text: &str| format!("__VERIFIER_nondet_{text}");
        let inputs = [
            (name("int"), vec![0xff, 0xff, 0xff, 0xff]),
            (name("int_1"), vec![7, 0, 0, 0]),
            (name("uint"), vec![0xff, 0xff, 0xff, 0xff]),
            (name("bool_12"), vec![3]),
            (name("unsigned_char_2"), vec![200]),
            (name("char"), vec![200]),
            (name("u32"), vec![1, 1, 0, 0]),
            (name("ulonglong"), vec![0xff; 8]),
            (name("float"), 0.1_f32.to_le_bytes().to_vec()),
            (name("double_3"), f64::NEG_INFINITY.to_le_bytes().to_vec()),
            (name("double"), (-1.5e300_f64).to_le_bytes().to_vec()),
            (name("string"), b"a<b\0\0\0\0\0".to_vec()),
            ("x&y".to_owned(), vec![1, 0x80]),
            ("array".to_owned(), vec![1; 20]),
        ];
        let text = test_case(&inputs, true);
        let values: Vec<&str> = text.lines().filter_map(|line| line.trim().strip_prefix("<input ")).collect();
        let expected = [
            r#"variable="__VERIFIER_nondet_int" type="int">-1</input>"#,
            r#"variable="__VERIFIER_nondet_int_1" type="int">7</input>"#,
            r#"variable="__VERIFIER_nondet_uint" type="unsigned int">4294967295</input>"#,
            r#"variable="__VERIFIER_nondet_bool_12" type="bool">1</input>"#,
            r#"variable="__VERIFIER_nondet_unsigned_char_2" type="unsigned char">200</input>"#,
            r#"variable="__VERIFIER_nondet_char" type="char">-56</input>"#,
            r#"variable="__VERIFIER_nondet_u32" type="unsigned int">257</input>"#,
            r#"variable="__VERIFIER_nondet_ulonglong" type="unsigned long long">18446744073709551615</input>"#,
            r#"variable="__VERIFIER_nondet_float" type="float">1e-1</input>"#,
            r#"variable="__VERIFIER_nondet_double_3" type="double">-inf</input>"#,
            r#"variable="__VERIFIER_nondet_double" type="double">-1.5e300</input>"#,
            r#"variable="__VERIFIER_nondet_string" type="char *">a&lt;b</input>"#,
            r#"variable="x&amp;y" type="short">-32767</input>"#,
        ];
        assert_eq!(values[..expected.len()], expected);
        assert!(values[expected.len()].contains("0x0101"), "{values:?}");
        assert!(text.contains("coversError=\"true\""));
    }

    #[test]
    fn times_follow_the_calendar() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00Z");
        assert_eq!(timestamp(951_827_696), "2000-02-29T12:34:56Z");
        assert_eq!(timestamp(4_107_542_399), "2100-02-28T23:59:59Z");
        assert_eq!(timestamp(4_107_542_400), "2100-03-01T00:00:00Z");
        assert_eq!(timestamp(1_704_067_199), "2023-12-31T23:59:59Z");
    }

    #[test]
    fn a_suite_says_what_it_is_for() {
        let text = Metadata { program: "a<b.c".to_owned(), ..Metadata::default() }.document();
        assert!(text.contains("<programfile>a&lt;b.c</programfile>"), "{text}");
        assert!(text.contains("<architecture>64bit</architecture>"), "{text}");
    }
}
