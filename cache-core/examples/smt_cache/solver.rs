//! The real solver, started when something is not known. It is given what the asker wrote, command by command, each at
//! the column where the asker wrote it; lines are counted back in what it says of places. A mark that it echoes
//! ends each response.
//!
//! Under `:print-success` cvc5 says `success` to an `echo` too, and Z3 does not. Whether the option holds is
//! the solver's to know, so a solver that may do so echoes a second mark in front of what it is given: if
//! something stood between the mark that ended the response before and this one, one `success` behind this one
//! is the mark's.
//!
//! A solver that was to read a file reads its standard input instead. In what cvc5 says of places, the file's
//! name and its way of counting lines in files are put back; and since cvc5 1.0 cannot read a symbol over
//! several lines from its standard input, comments of `set-info`, which often have some, become one line.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use super::script::{Place, is_called};

/// How a solver goes about things.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// As Z3 does.
    Z3,
    /// As cvc5 does: it may say `success` to an `echo`. With the name of the script, if it was to read a file.
    Other(Option<String>),
}

/// A solver at work.
pub(crate) struct Solver {
    child: Child,
    input: Option<BufWriter<ChildStdin>>,
    lines: Receiver<Vec<u8>>,
    /// The line that is written now.
    line: usize,
    mark: String,
    marks: u64,
    manner: Manner,
    /// The mark in front of what it was given since its last response, if it was given anything.
    opening: Option<String>,
}

/// What the solver said to one command or several.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) text: Vec<u8>,
    /// Whether the solver is still there.
    pub(crate) alive: bool,
}

impl Response {
    /// The response where it is text.
    pub(crate) fn as_text(&self) -> Option<&str> {
        str::from_utf8(&self.text).ok().filter(|_| self.alive)
    }
}

impl Solver {
    /// Starts the program. `mark` is something that the script does not contain.
    pub(crate) fn start(mut command: Command, mark: String, manner: Manner) -> io::Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (send, lines) = channel();
        if let Some(output) = child.stdout.take() {
            // Reads on whatever is written meanwhile, so that neither side waits for the other.
            thread::spawn(move || {
                let mut output = BufReader::new(output);
                loop {
                    let mut line = Vec::new();
                    match output.read_until(b'\n', &mut line) {
                        Ok(count) if count > 0 && send.send(line).is_ok() => {}
                        _ => break,
                    }
                }
            });
        }
        let input = child.stdin.take().map(BufWriter::new);
        Ok(Self { child, input, lines, line: 1, mark, marks: 0, manner, opening: None })
    }

    /// Writes a command as it stands at a place of the script; says by how many lines the solver counts more.
    pub(crate) fn write(&mut self, command: &[u8], place: Place) -> isize {
        self.open();
        self.put(if place.behind_comment { &b";\n"[..] } else { b"\n" });
        self.put(&vec![b' '; place.column]);
        let shift = self.line.cast_signed() - place.line.cast_signed();
        match &self.manner {
            Manner::Other(Some(_)) if is_called(command, "set-info") => {
                let line: Vec<u8> =
                    command.iter().map(|byte| if *byte == b'\n' { b' ' } else { *byte }).collect();
                self.put(&line);
            }
            _ => self.put(command),
        }
        shift
    }

    fn put(&mut self, bytes: &[u8]) {
        self.line += bytes.iter().filter(|byte| **byte == b'\n').count();
        // A solver that is gone shows in what it says.
        if let Some(input) = &mut self.input
            && input.write_all(bytes).is_err()
        {
            self.input = None;
        }
    }

    /// Everything that the solver says to what was written.
    pub(crate) fn response(&mut self) -> Response {
        let mut text = Vec::new();
        self.read_opening(&mut text);
        let mark = self.put_mark();
        self.flush();
        let alive = self.read_until(&mark, &mut text);
        Response { text, alive }
    }

    /// Puts the mark in front of what is written next.
    fn open(&mut self) {
        if self.manner != Manner::Z3 && self.opening.is_none() {
            self.opening = Some(self.put_mark());
        }
    }

    fn put_mark(&mut self) -> String {
        self.marks += 1;
        let mark = format!("{}-{}", self.mark, self.marks);
        self.put(format!("\n(echo \"{mark}\")\n").as_bytes());
        mark
    }

    /// Reads the mark in front of what was written, and the `success` that is its own.
    fn read_opening(&mut self, text: &mut Vec<u8>) {
        let Some(mark) = self.opening.take() else { return };
        self.flush();
        let mut between = Vec::new();
        let alive = self.read_until(&mark, &mut between);
        let praised = alive && between.trim_ascii() == b"success";
        if !praised {
            text.extend(between);
        } else if let Ok(line) = self.lines.recv()
            && line.trim_ascii() != b"success"
        {
            text.extend(line);
        }
    }

    /// Adds what the solver says up to a mark; whether the mark came.
    fn read_until(&mut self, mark: &str, text: &mut Vec<u8>) -> bool {
        for line in &self.lines {
            let end = line.trim_ascii_end();
            let end = end.strip_suffix(b"\"").unwrap_or(end);
            if let Some(before) = end.strip_suffix(mark.as_bytes()) {
                text.extend(before.strip_suffix(b"\"").unwrap_or(before));
                return true;
            }
            text.extend(line);
        }
        false
    }

    fn flush(&mut self) {
        if let Some(input) = &mut self.input
            && input.flush().is_err()
        {
            self.input = None;
        }
    }

    /// Gives the solver all that follows in the script as it stands, and the asker all that it says.
    pub(crate) fn pass(
        &mut self,
        rest: &[u8],
        mut more: Box<dyn Read + Send>,
        place: Place,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        let shift = self.write(rest, place);
        self.flush();
        if let Some(input) = self.input.take() {
            // Ends with the input or with the process.
            thread::spawn(move || {
                let mut input = input.into_inner().ok()?;
                let mut buffer = [0; 1 << 14];
                loop {
                    match more.read(&mut buffer) {
                        Ok(count) if count > 0 => input.write_all(buffer.get(..count)?).ok()?,
                        _ => return Some(()),
                    }
                }
            });
        }
        self.drain(shift, out)
    }

    /// What the solver said, with the places of its errors as the asker counts them.
    pub(crate) fn counted_back(&self, said: &[u8], shift: isize) -> Vec<u8> {
        let mut own = Vec::with_capacity(said.len());
        for line in said.split_inclusive(|byte| *byte == b'\n') {
            let place = line_number(line).and_then(|range| {
                let number: isize = str::from_utf8(line.get(range.clone())?).ok()?.parse().ok()?;
                Some((line.get(..range.start)?, number - shift, line.get(range.end..)?))
            });
            let Some((before, number, behind)) = place else {
                own.extend(line);
                continue;
            };
            match (&self.manner, before.strip_suffix(b"<stdin>:")) {
                // Lines of files are counted from 1, those of the standard input from 0; columns of a file's
                // first line are one less.
                (Manner::Other(Some(file)), Some(before)) => {
                    own.extend(before);
                    own.extend(format!("{file}:{}", number + 1).as_bytes());
                    if number == 0
                        && let Some((column, rest)) = column(behind)
                    {
                        own.extend(format!(".{}", column - 1).as_bytes());
                        own.extend(rest);
                        continue;
                    }
                }
                _ => {
                    own.extend(before);
                    own.extend(number.to_string().as_bytes());
                }
            }
            own.extend(behind);
        }
        own
    }

    fn drain(&mut self, shift: isize, out: &mut dyn Write) -> io::Result<()> {
        let mut text = Vec::new();
        self.read_opening(&mut text);
        out.write_all(&self.counted_back(&text, shift))?;
        for line in &self.lines {
            out.write_all(&self.counted_back(&line, shift))?;
            out.flush()?;
        }
        Ok(())
    }

    /// Ends the input, gives the asker what is still said, and says with which status the solver ended.
    pub(crate) fn finish(&mut self, out: &mut dyn Write) -> io::Result<u8> {
        self.open();
        self.flush();
        self.input = None;
        self.drain(0, out)?;
        let status = self.child.wait()?;
        #[cfg(unix)]
        let signal = std::os::unix::process::ExitStatusExt::signal(&status).map(|signal| 128 + signal);
        #[cfg(not(unix))]
        let signal = None;
        Ok(status.code().or(signal).and_then(|code| u8::try_from(code & 255).ok()).unwrap_or(1))
    }
}

impl Drop for Solver {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where an error names a line: `(error "line 3 column 4: ...`, or `(error "Parse Error: <stdin>:3.4: ...`.
fn line_number(line: &[u8]) -> Option<std::ops::Range<usize>> {
    if !line.starts_with(b"(error \"") {
        return None;
    }
    let begins = [&b"line "[..], b"<stdin>:"];
    let begin = begins.iter().find_map(|text| {
        let at = line.windows(text.len()).position(|window| window == *text)?;
        Some(at + text.len())
    })?;
    let digits = line.get(begin..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (digits > 0).then_some(begin..begin + digits)
}

/// The column at the beginning of what follows a line's number, and what follows the column.
fn column(text: &[u8]) -> Option<(isize, &[u8])> {
    let text = text.strip_prefix(b".")?;
    let (digits, rest) = text.split_at(text.iter().take_while(|byte| byte.is_ascii_digit()).count());
    Some((str::from_utf8(digits).ok()?.parse().ok()?, rest))
}
