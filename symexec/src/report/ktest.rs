//! Tests for people to read, as KLEE's ktest-tool shows them: texts in the notation of Python.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::base::system::System;
use crate::testcase::KTest;

/// Why a test cannot be shown.
#[derive(Debug, thiserror::Error)]
#[error("the test {}: {error}", path.display())]
pub struct ShowError {
    path: PathBuf,
    error: String,
}

/// What is shown of tests, one after the other.
///
/// # Errors
/// If a file cannot be read, or is no test.
pub fn show_tests(system: &dyn System, files: &[PathBuf]) -> Result<String, ShowError> {
    let mut out = String::new();
    for path in files {
        let failed = |error: String| ShowError { path: path.clone(), error };
        let bytes = system.read_file(path).map_err(|error| failed(error.to_string()))?;
        let test = KTest::from_bytes(&bytes).map_err(|error| failed(error.to_string()))?;
        show(path, &test, &mut out);
    }
    Ok(out)
}

fn show(path: &Path, test: &KTest, out: &mut String) {
    let arguments: Vec<String> = test.arguments.iter().map(|argument| text(argument)).collect();
    let _ = writeln!(out, "ktest file : {}", text(&path.display().to_string()));
    let _ = writeln!(out, "args       : [{}]", arguments.join(", "));
    let _ = writeln!(out, "num objects: {}", test.objects.len());
    for (number, (name, bytes)) in test.objects.iter().enumerate() {
        let mut line = |what: &str, value: &str| {
            let _ = writeln!(out, "object {number}: {what}: {value}");
        };
        line("name", &text(name));
        line("size", &bytes.len().to_string());
        line("data", &format!("b{}", quoted(bytes)));
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        line("hex ", &format!("0x{digits}"));
        if matches!(bytes.len(), 1 | 2 | 4 | 8) {
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            let unsigned = u64::from_le_bytes(whole);
            let unused = 64 - 8 * bytes.len();
            line("int ", &((unsigned << unused).cast_signed() >> unused).to_string());
            line("uint", &unsigned.to_string());
        }
        let seen = |byte: &u8| if (b' '..=b'~').contains(byte) { char::from(*byte) } else { '.' };
        line("text", &bytes.iter().map(seen).collect::<String>());
    }
}

/// A text in Python's notation; characters outside of ASCII are shown as they are.
fn text(text: &str) -> String {
    if text.is_ascii() { quoted(text.as_bytes()) } else { format!("'{text}'") }
}

/// Bytes in quotes.
fn quoted(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    let mut out = String::from(quote);
    for byte in bytes {
        match *byte {
            b'\t' => out.push_str("\\t"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\\' => out.push_str("\\\\"),
            byte if char::from(byte) == quote => {
                out.push('\\');
                out.push(quote);
            }
            byte @ b' '..=b'~' => out.push(char::from(byte)),
            byte => {
                let _ = write!(out, "\\x{byte:02x}");
            }
        }
    }
    out.push(quote);
    out
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::show;
    use crate::testcase::KTest;

    #[test]
    fn bytes_are_shown_as_python_writes_them_and_as_numbers() {
        let objects = vec![
            ("c".to_owned(), vec![0xfe]),
            ("it's".to_owned(), b"a\n\"'\\\x00\xc3".to_vec()),
            ("n".to_owned(), vec![1, 0, 0, 0x80]),
        ];
        let test = KTest { arguments: vec!["p.bc".to_owned(), "-x".to_owned()], objects, ..KTest::default() };
        let mut out = String::new();
        show(Path::new("t.ktest"), &test, &mut out);
        let expected = "ktest file : 't.ktest'\n\
            args       : ['p.bc', '-x']\n\
            num objects: 3\n\
            object 0: name: 'c'\n\
            object 0: size: 1\n\
            object 0: data: b'\\xfe'\n\
            object 0: hex : 0xfe\n\
            object 0: int : -2\n\
            object 0: uint: 254\n\
            object 0: text: .\n\
            object 1: name: \"it's\"\n\
            object 1: size: 7\n\
            object 1: data: b'a\\n\"\\'\\\\\\x00\\xc3'\n\
            object 1: hex : 0x610a22275c00c3\n\
            object 1: text: a.\"'\\..\n\
            object 2: name: 'n'\n\
            object 2: size: 4\n\
            object 2: data: b'\\x01\\x00\\x00\\x80'\n\
            object 2: hex : 0x01000080\n\
            object 2: int : -2147483647\n\
            object 2: uint: 2147483649\n\
            object 2: text: ....\n";
        assert_eq!(out, expected);
    }
}
