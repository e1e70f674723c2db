//! Questions put to another solver's program, in SMT-LIB 2 over its standard input and output.
//!
//! An answer, a model above all, is to be a function of its question. So Yices is started anew for each question,
//! which takes it a millisecond or two and lets it simplify as much as it can; Bitwuzla forgets everything between
//! two questions (`reset`). What a program does not understand or does not decide by itself (floating-point
//! arithmetic: the conversion of numbers to their bits is no part of the standard) is answered by the linked Z3.
//!
//! The program belongs to the worker's group of processes: who ends the worker for being late ends it as well.

use std::io::{self, BufRead, Write};
use std::path::PathBuf;

use reprise_tools::program::Program;
use symexec::solver::engine::Family;
use symexec::solver::question::{Question, Request, Response, Verdict, Wanted};
use symexec::solver::smtlib;

use crate::engine;

/// How long an answer may be, in bytes: more than a model of the largest questions takes.
const LONGEST: usize = 64 << 20;

/// A solver's program, and the process that runs it if there is one.
pub(crate) struct Outside {
    family: Family,
    path: PathBuf,
    running: Option<Program>,
    /// A lie for the oracle to find: answers are those of the question before.
    #[cfg(feature = "plant")]
    late: bool,
    #[cfg(feature = "plant")]
    last: Option<Verdict>,
}

impl Outside {
    /// The program of a family, not started yet.
    pub(crate) fn new(family: Family, path: PathBuf) -> Self {
        Self {
            family,
            path,
            running: None,
            #[cfg(feature = "plant")]
            late: false,
            #[cfg(feature = "plant")]
            last: None,
        }
    }

    /// One that answers late.
    #[cfg(feature = "plant")]
    pub(crate) fn late(self) -> Self {
        Self { late: true, ..self }
    }

    /// Answers a question.
    pub(crate) fn answer(&mut self, request: &Request) -> Response {
        if request.question.has_floats() {
            return engine::answer(request);
        }
        let verdict = match self.ask(&request.question, request.wanted) {
            Ok(Verdict::Unknown(_)) => {
                self.running = None;
                return engine::answer(request);
            }
            Ok(verdict) => verdict,
            // A program that broke down may be the fault of this question, or have none: it is told, and started anew.
            Err(error) => {
                self.running = None;
                Verdict::Unknown(format!("{}: {error}", self.path.display()))
            }
        };
        #[cfg(feature = "plant")]
        let verdict = self.delayed(verdict);
        Response { verdict, resource: 0, buffers: false }
    }

    /// That there is no solution, if there was none of the question before and this is what is to be planted.
    #[cfg(feature = "plant")]
    fn delayed(&mut self, verdict: Verdict) -> Verdict {
        let before = self.last.replace(verdict.clone());
        before.filter(|before| self.late && *before == Verdict::Unsatisfiable).unwrap_or(verdict)
    }

    fn ask(&mut self, question: &Question, wanted: Wanted) -> io::Result<Verdict> {
        let mut program = match self.running.take() {
            Some(program) => program,
            None => {
                let arguments: &[&str] = match self.family {
                    Family::Bitwuzla => &["--lang=smt2"],
                    Family::Yices => &[],
                };
                Program::start(&self.path, arguments)?
            }
        };
        program.input.write_all(b"(set-option :produce-models true)\n")?;
        program.input.write_all(smtlib::print(question).as_bytes())?;
        program.input.flush()?;
        let said = answer(&mut program.output)?;
        let verdict = match said.as_str() {
            "unsat" => Verdict::Unsatisfiable,
            "sat" if wanted == Wanted::Truth || question.inputs == 0 => Verdict::Satisfiable(Vec::new()),
            "sat" => {
                let names: Vec<String> = (0..question.inputs).map(|input| format!("in{input}")).collect();
                writeln!(program.input, "(get-value ({}))", names.join(" "))?;
                program.input.flush()?;
                let said = answer(&mut program.output)?;
                let values = values(&said, question.inputs as usize);
                Verdict::Satisfiable(values.ok_or_else(|| unexpected(&said))?)
            }
            "unknown" => Verdict::Unknown("the program gave up".to_owned()),
            _ => return Err(unexpected(&said)),
        };
        if self.family == Family::Bitwuzla {
            program.input.write_all(b"(reset)\n")?;
            self.running = Some(program);
        }
        Ok(verdict)
    }
}

fn unexpected(said: &str) -> io::Error {
    let start: String = said.chars().take(200).collect();
    io::Error::other(format!("its answer is not understood: {start}"))
}

/// The next answer: a word in a line, or what stands between parentheses.
fn answer(output: &mut impl BufRead) -> io::Result<String> {
    let mut said = String::new();
    loop {
        let before = said.len();
        if output.read_line(&mut said)? == 0 {
            return Err(io::Error::other("it ended without an answer"));
        }
        if said.len() > LONGEST {
            return Err(io::Error::other("its answer has no end"));
        }
        if said.get(before..).is_none_or(|line| line.trim().is_empty()) {
            continue;
        }
        let open = said.matches('(').count();
        if open <= said.matches(')').count() {
            return Ok(said.trim().to_owned());
        }
    }
}

/// The bytes in `((in0 #b00000000) (in1 #xff) (in2 (_ bv7 8)))`, by number; the inputs may come in any order.
fn values(said: &str, inputs: usize) -> Option<Vec<u8>> {
    let mut values = vec![None; inputs];
    let mut words =
        said.split(|it: char| it.is_whitespace() || "()".contains(it)).filter(|it| !it.is_empty());
    while let Some(word) = words.next() {
        let input: usize = word.strip_prefix("in")?.parse().ok()?;
        let value = match words.next()? {
            "_" => {
                let value = words.next()?.strip_prefix("bv")?.parse().ok()?;
                words.next()?;
                value
            }
            word => match (word.strip_prefix("#b"), word.strip_prefix("#x")) {
                (Some(bits), _) => u8::from_str_radix(bits, 2).ok()?,
                (_, Some(digits)) => u8::from_str_radix(digits, 16).ok()?,
                _ => return None,
            },
        };
        *values.get_mut(input)? = Some(value);
    }
    values.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::{answer, values};

    #[test]
    fn values_are_read_in_every_notation() {
        let said = "((in1 #b00000011)\n (in0 #xff)\n (in2 (_ bv7 8)))";
        assert_eq!(values(said, 3), Some(vec![255, 3, 7]));
        for bad in ["((in0 #b1))", "((in3 #xff))", "((x #xff))", "(error \"no model\")", "((in0 #b2))", ""] {
            assert_eq!(values(bad, 3), None, "{bad}");
        }
    }

    #[test]
    fn an_answer_ends_with_its_last_parenthesis() {
        let mut said: &[u8] = b"\nsat\n((in0 #x00)\n (in1 #x01))\nunsat\n";
        assert_eq!(answer(&mut said).ok().as_deref(), Some("sat"));
        assert_eq!(answer(&mut said).ok().as_deref(), Some("((in0 #x00)\n (in1 #x01))"));
        assert_eq!(answer(&mut said).ok().as_deref(), Some("unsat"));
        assert!(answer(&mut said).is_err());
    }
}
