//! How long an editor waits: from a keystroke that touches no proof to diagnostics of the new text.
//!
//! `ivl lsp` is started as an editor starts it. A blank is typed in front of the program again and again, and each time
//! the clock runs until the server tells that every implementation is answered.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::Instant;

use serde_json::{Value, json};

use super::single::median;
use crate::error::Error;
use crate::process::shown;
use crate::programs::Programs;
use crate::scratch::Scratch;

/// How many keystrokes are measured, behind one that is not.
const KEYSTROKES: i32 = 15;

/// The document.
const URI: &str = "file:///program.bpl";

/// Seconds from a keystroke to the diagnostics of its text, the median.
pub(super) fn seconds(programs: &Programs, text: &str) -> Result<f64, Error> {
    let scratch = Scratch::new()?;
    let mut command = programs.command("ivl", &scratch);
    command.arg("lsp").current_dir(scratch.path()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let name = shown(&command);
    let failed = |source: io::Error| Error::Start { command: name.clone(), source };
    let mut child = command.spawn().map_err(failed)?;
    let measured = Editor::of(&mut child).and_then(|mut editor| editor.measure(text));
    // Whatever became of it: it is not needed any more.
    child.kill().ok();
    child.wait().map_err(failed)?;
    measured.map_err(failed)
}

struct Editor {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Editor {
    fn of(child: &mut Child) -> io::Result<Self> {
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("its standard streams are closed"));
        };
        Ok(Self { input, output: BufReader::new(output) })
    }

    fn measure(&mut self, text: &str) -> io::Result<f64> {
        let parameters = json!({ "processId": null, "capabilities": {} });
        self.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": parameters }))?;
        while self.receive()?["id"] != 1 {}
        self.tell("initialized", &json!({}))?;
        let document = json!({ "uri": URI, "languageId": "boogie", "version": 0, "text": text });
        self.tell("textDocument/didOpen", &json!({ "textDocument": document }))?;
        self.answered(0)?;
        let mut waits = Vec::new();
        for version in 1..=KEYSTROKES + 1 {
            let place = json!({ "line": 0, "character": 0 });
            let change = json!([{ "range": { "start": place, "end": place }, "text": " " }]);
            let document = json!({ "uri": URI, "version": version });
            let start = Instant::now();
            self.tell(
                "textDocument/didChange",
                &json!({ "textDocument": document, "contentChanges": change }),
            )?;
            self.answered(version)?;
            waits.push(start.elapsed().as_secs_f64());
        }
        // The first one finds what only the run before it left.
        Ok(median(waits.split_off(1)))
    }

    /// Waits until every implementation of a version is answered.
    fn answered(&mut self, version: i32) -> io::Result<()> {
        loop {
            let told = self.receive()?;
            let (what, of) = (&told["params"]["implementations"], &told["params"]["version"]);
            let Some(all) = what.as_array().filter(|all| !all.is_empty() && *of == version) else { continue };
            if all.iter().all(|it| it["old"] == false) {
                return Ok(());
            }
        }
    }

    fn tell(&mut self, method: &str, parameters: &Value) -> io::Result<()> {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }))
    }

    fn send(&mut self, message: &Value) -> io::Result<()> {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        self.input.flush()
    }

    /// The next message: its length in a header, an empty line, JSON.
    fn receive(&mut self) -> io::Result<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
            }
            let line = line.trim_end();
            if line.is_empty() {
                break;
            }
            if let Some(number) = line.strip_prefix("Content-Length: ") {
                length = number.parse().map_err(io::Error::other)?;
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes)?;
        serde_json::from_slice(&bytes).map_err(io::Error::other)
    }
}
