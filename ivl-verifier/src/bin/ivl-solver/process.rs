//! Another solver's program, which is talked to in SMT-LIB 2 over its standard input and output.
//!
//! It is started anew for each query, so that its answers do not depend on what was asked before, and ended
//! when the query is answered. It belongs to the worker's group of processes: who ends the worker for being
//! late ends it as well.

use std::io::Write;
use std::path::Path;

use ivl_verifier::base::engine::Family;
use ivl_verifier::smt::answer::{Model, Request};
use ivl_verifier::smt::term::{CONTROL, Query};
use ivl_verifier::smt::text;
use reprise_tools::program::Program;

use crate::solve::{Budget, Said, Solver};
use crate::spoken::Spoken;

/// The program, told of a query.
pub(crate) struct Process<'q> {
    family: Family,
    query: &'q Query,
    request: &'q Request,
    program: Program,
    kept: Vec<Model>,
}

impl<'q> Process<'q> {
    /// Starts the program, and tells it of the query under settings and a budget.
    ///
    /// # Errors
    /// That it cannot be started, or does not have a setting.
    pub(crate) fn start(
        program: &Path,
        family: Family,
        query: &'q Query,
        request: &'q Request,
        settings: &[(String, String)],
        budget: Budget,
    ) -> Result<Self, String> {
        let arguments: &[&str] = match family {
            Family::Z3 => &["-smt2", "-in"],
            Family::Cvc5 => {
                &["--lang=smt2", "--incremental", "--produce-models", "--produce-unsat-assumptions"]
            }
        };
        let started = Program::start(program, arguments);
        let program = started
            .map_err(|error| format!("the solver {} cannot be started: {error}", program.display()))?;
        let mut process = Self { family, query, request, program, kept: Vec::new() };
        process.begin(settings, budget)?;
        Ok(process)
    }

    fn begin(&mut self, settings: &[(String, String)], budget: Budget) -> Result<(), String> {
        let script = text::told(self.query, self.family);
        match self.family {
            Family::Z3 => {
                self.tell("(set-option :produce-unsat-assumptions true)")?;
                for (name, value) in settings {
                    self.set(name, value)?;
                }
            }
            // The settings are Z3's.
            Family::Cvc5 => {
                // Without it cvc5 refuses most operations on sequences and strings; with it, it goes through quantifiers
                // in another way.
                if ["(seq.", "(str.", "(re.", " seq.", " str.", " re."].iter().any(|it| script.contains(it)) {
                    self.tell("(set-option :strings-exp true)")?;
                }
                self.tell("(set-logic ALL)")?;
            }
        }
        let [resource, wall] = match self.family {
            Family::Z3 => ["rlimit", "timeout"],
            Family::Cvc5 => ["rlimit-per", "tlimit-per"],
        };
        for (name, limit) in [(resource, budget.resource), (wall, budget.wall_ms)] {
            if let Some(limit) = limit {
                let limit = u32::try_from(limit).unwrap_or(u32::MAX);
                self.tell(&format!("(set-option :{name} {limit})"))?;
            }
        }
        self.tell(&script)
    }

    /// Sets an option: one of the solver's core (`smt.NAME`) if it has one of that name, or else one of all of Z3.
    fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        const MARK: &str = "set";
        for name in [format!("smt.{name}"), name.to_owned()] {
            self.tell(&format!("(set-option :{name} {value})(echo \"{MARK}\")"))?;
            self.flush()?;
            let mut refused = false;
            loop {
                // Some versions say strings as they are, without their quotes.
                match Spoken::read(&mut self.program.output)? {
                    Spoken::Text(text) | Spoken::Word(text) if text == MARK => break,
                    _ => refused = true,
                }
            }
            if !refused {
                return Ok(());
            }
        }
        Err(format!("the solver has no option {name}, or it cannot be {value}"))
    }

    fn tell(&mut self, text: &str) -> Result<(), String> {
        let told =
            self.program.input.write_all(text.as_bytes()).and_then(|()| self.program.input.write_all(b"\n"));
        told.map_err(|error| format!("the solver does not listen: {error}"))
    }

    fn flush(&mut self) -> Result<(), String> {
        self.program.input.flush().map_err(|error| format!("the solver does not listen: {error}"))
    }

    /// Says something, and gives the answer. Whatever the program did not understand before it is an error now.
    fn ask(&mut self, text: &str) -> Result<Spoken, String> {
        self.tell(text)?;
        self.flush()?;
        let answer = Spoken::read(&mut self.program.output)?;
        match answer.error() {
            Some(message) => Err(format!("the solver refused the query: {message}")),
            None => Ok(answer),
        }
    }
}

impl Solver for Process<'_> {
    fn check(&mut self, assumed: &[usize]) -> Result<Said, String> {
        let answer = if assumed.is_empty() {
            self.ask("(check-sat)")?
        } else {
            let names: Vec<String> =
                assumed.iter().map(|place| text::declared(&self.request.tracked[*place])).collect();
            self.ask(&format!("(check-sat-assuming ({}))", names.join(" ")))?
        };
        match &answer {
            Spoken::Word(word) if word == "unsat" => Ok(Said::Unsat),
            Spoken::Word(word) if word == "sat" => Ok(Said::Sat),
            // Z3 says so of some limits.
            Spoken::Word(word) if word == "timeout" => Ok(Said::Unknown(word.clone())),
            Spoken::Word(word) if word == "unknown" => {
                let reason = self.ask("(get-info :reason-unknown)")?;
                Ok(Said::Unknown(match reason.second() {
                    Some(Spoken::Text(text) | Spoken::Word(text)) => text.clone(),
                    _ => reason.to_string(),
                }))
            }
            other => Err(format!("the solver's answer is not understood: {other}")),
        }
    }

    fn core(&mut self) -> Result<Vec<usize>, String> {
        let Spoken::List(core) = self.ask("(get-unsat-assumptions)")? else { return Ok(Vec::new()) };
        let needed = |name: &String| {
            let symbol = text::declared(name);
            let word = symbol.trim_matches('|');
            core.iter().any(|it| matches!(it, Spoken::Word(said) if said == word))
        };
        let places = self.request.tracked.iter().enumerate();
        Ok(places.filter(|(_, name)| needed(name)).map(|(place, _)| place).collect())
    }

    fn next(&mut self, block: u32) -> Result<Option<i64>, String> {
        // After `unknown` there may be no model, which is no fault of the query.
        let answer = self.ask(&format!("(get-value (({CONTROL} 0 {block})))"));
        let value = answer.ok().and_then(|answer| answer.second()?.integer());
        Ok(value.and_then(|value| i64::try_from(value).ok()))
    }

    /// The values of the constants; of functions and of other terms nothing is told.
    fn keep_model(&mut self) -> Result<(), String> {
        let constants = self.query.functions.iter().filter(|(_, it)| it.arguments.is_empty());
        let names: Vec<&String> = constants.map(|(_, it)| &it.name).collect();
        let mut model = Model::default();
        if !names.is_empty() {
            let symbols: Vec<String> = names.iter().map(|name| text::declared(name)).collect();
            if let Ok(Spoken::List(pairs)) = self.ask(&format!("(get-value ({}))", symbols.join(" "))) {
                let values = names.iter().zip(&pairs);
                let told =
                    |(name, pair): (&&String, &Spoken)| Some(((*name).clone(), pair.second()?.value()));
                model.constants = values.filter_map(told).collect();
            }
        }
        if let Some((_, wanted)) = &self.request.wanted {
            model.terms = wanted.iter().map(|_| None).collect();
        }
        self.kept.push(model);
        Ok(())
    }

    fn exclude(&mut self, block: u32, next: i64) -> Result<(), String> {
        let next = if next < 0 { format!("(- {})", next.unsigned_abs()) } else { next.to_string() };
        self.tell(&format!("(assert (not (= ({CONTROL} 0 {block}) {next})))"))
    }

    fn resource(&mut self) -> Result<u64, String> {
        if self.family != Family::Z3 {
            return Ok(0);
        }
        let spent = self.ask("(get-info :rlimit)")?;
        Ok(spent.second().and_then(Spoken::integer).and_then(|it| u64::try_from(it).ok()).unwrap_or(0))
    }

    fn models(&mut self) -> Vec<Model> {
        std::mem::take(&mut self.kept)
    }
}
