//! `ivl boogie`: Boogie's command line, with Boogie 3.5's output and exit codes: 0 whatever the verdicts
//! are, 1 where the command line cannot be followed or a file or the solver is not there.

mod help;
mod options;
mod passive;
mod results;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cache_core::mode::Mode;
use ivl_verifier::base::diagnostic::Diagnostic;
use ivl_verifier::base::source::{FileId, Sources};
use ivl_verifier::base::system::System;
use ivl_verifier::report::boogie::{Progress, Style, diagnostics, models};
use ivl_verifier::report::{Report, Snapshot, xml};
use ivl_verifier::service::{
    Options, Printing, Prints, Verifier, print_expanded, print_flow, print_inlined, print_parsed,
};
use ivl_verifier::smt::text;
use ivl_verifier::syntax::ast::Ast;
use ivl_verifier::syntax::library::library;
use ivl_verifier::syntax::parser::parse;
use reprise_tools::remote::Settings;

use crate::session;
use help::{ATTRIBUTE_HELP, ATTRIBUTES, HELP, PROVER_HELP, PROVER_OPTIONS, USAGE};
use options::Request;
use results::version;

/// The command line cannot be followed, or something is not there.
const FATAL: u8 = 1;
/// Standard output cannot be written, so that there is no more to be done; told as [`FATAL`].
const UNHEARD: u8 = 2;

/// What asks for the version, and the answer: clients look for Boogie's.
const VERSION: &[&str] = &["-version", "/version", "--version"];
const NUMBER: &str = "3.5.7.0";
/// Sets another number: clients look whether it is in a range.
const VERSION_VARIABLE: &str = "IVL_BOOGIE_VERSION";

/// The number of the version that is told.
fn number(system: &dyn System) -> String {
    system.variable(VERSION_VARIABLE).filter(|text| !text.is_empty()).unwrap_or_else(|| NUMBER.to_owned())
}

/// Runs the subcommand and gives the exit code.
pub(crate) fn run(arguments: &[String], system: &Arc<dyn System>) -> u8 {
    if arguments.iter().any(|argument| HELP.contains(&argument.as_str())) {
        return session::print(&**system, USAGE);
    }
    for (asked, answer) in [(ATTRIBUTE_HELP, ATTRIBUTES), (PROVER_HELP, PROVER_OPTIONS)] {
        if arguments.iter().any(|argument| asked.contains(&argument.as_str())) {
            return session::print(&**system, answer);
        }
    }
    if arguments.iter().any(|argument| VERSION.contains(&argument.as_str())) {
        return session::print(&**system, &version_line(&**system));
    }
    let request = match options::parse(arguments, &**system) {
        Ok(request) => request,
        Err(mistakes) => {
            let said: String = mistakes.iter().map(|it| format!("Boogie: Error: {it}\n")).collect();
            system.print_error(&said);
            session::print(&**system, "Use /help for available options\n");
            return FATAL;
        }
    };
    if let Some(why) = &request.linked_instead {
        let own = ivl_verifier::base::engine::SOLVER_VERSION;
        system.print_error(&format!("ivl: the linked Z3 {own} answers: {why}\n"));
    }
    if request.show_arguments {
        let words: String = arguments.iter().map(|word| format!("{word}\n")).collect();
        session::print(&**system, &format!("---Command arguments\n{words}--------------------\n"));
    }
    let files = match input_files(&request.files, &**system) {
        Ok(files) => files,
        Err(message) => {
            session::print(&**system, &format!("*** Error: {message}\n"));
            return FATAL;
        }
    };
    let programs: Vec<Vec<PathBuf>> =
        if request.separately { files.iter().map(|file| vec![file.clone()]).collect() } else { vec![files] };
    let mut protocol = String::new();
    let mut code = session::FINE;
    for files in programs {
        let result = match request.snapshots {
            None => program(&request, system, &files, &mut protocol),
            Some(level) => snapshots(&request, system, &files, level, &mut protocol),
        };
        match result {
            Ok(()) => {}
            // What becomes of one program is nothing to the next.
            Err(FATAL) => code = FATAL,
            Err(UNHEARD) => return FATAL,
            // Nobody reads any more.
            Err(_) => break,
        }
    }
    if let Some(target) = &request.xml {
        let text = xml::opening(&number(&**system), &system.arguments()) + &protocol + xml::closing();
        if let Err(error) = system.write(Path::new(target), text.as_bytes()) {
            system.print_error(&format!("*** Error: cannot write {target}: {error}\n"));
            return FATAL;
        }
    }
    code
}

/// The files of programs, those that lists (`.txt`) name among them.
fn input_files(given: &[PathBuf], system: &dyn System) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for file in given {
        let extension = file.extension().map(|it| it.to_string_lossy().to_lowercase()).unwrap_or_default();
        match extension.as_str() {
            "bpl" => files.push(file.clone()),
            "txt" => {
                let text = system.read(file).map_err(|error| format!("{}: {error}", file.display()))?;
                files.extend(String::from_utf8_lossy(&text).split_whitespace().map(PathBuf::from));
            }
            _ if file.as_os_str() == "-" => files.push(PathBuf::from("stdin.bpl")),
            _ => {
                let dot = if extension.is_empty() { "" } else { "." };
                return Err(format!(
                    "'{}': Filename extension '{dot}{extension}' is not supported. Input files must be BoogiePL \
                     programs (.bpl).",
                    file.display()
                ));
            }
        }
    }
    if files.is_empty() { Err("No input files were specified.".to_owned()) } else { Ok(files) }
}

/// Verifies a program once.
fn program(
    request: &Request,
    system: &Arc<dyn System>,
    files: &[PathBuf],
    protocol: &mut String,
) -> Result<(), u8> {
    let mut sources = Sources::default();
    let Some(ids) = read(request, &**system, &mut sources, files)? else { return Ok(()) };
    let (prints, printed) = match print_program(request, &**system, &mut sources, &ids) {
        Ok(prints) => (prints, Ok(())),
        // A file that cannot be written is no reason not to verify.
        Err(FATAL) => (Prints::default(), Err(FATAL)),
        Err(code) => return Err(code),
    };
    let (store, warnings) =
        session::store(&**system, request.options.mode, None, false, &Settings::default());
    let mut verifier = Verifier::new(request.options.clone(), store, Arc::clone(system));
    let result = version(request, system, &mut verifier, (&sources, &ids, prints), files, protocol);
    verifier.finish();
    for warning in warnings.into_iter().chain(verifier.take_warnings()) {
        system.print_error(&format!("warning: {warning}\n"));
    }
    result.and(printed)
}

/// Verifies the versions `F.v0.bpl`, `F.v1.bpl`, ... of files one after the other; those of the same number
/// are one program.
fn snapshots(
    request: &Request,
    system: &Arc<dyn System>,
    files: &[PathBuf],
    level: u32,
    protocol: &mut String,
) -> Result<(), u8> {
    let options = Options {
        mode: if level == 0 { Mode::Off } else { Mode::ReadWrite },
        fine_grained: level >= 2,
        // What becomes of each check is told, in Boogie's way.
        past_additions: false,
        client_checksums: Some(level),
        by_priority: false,
        ..request.options.clone()
    };
    let mut verifier = Verifier::new(options, None, Arc::clone(system));
    // One table for all versions: errors of earlier ones are told at their places there.
    let mut sources = Sources::default();
    let versions: Vec<Vec<PathBuf>> = files.iter().map(|file| session::versions(&**system, file)).collect();
    let count = versions.iter().map(Vec::len).max().unwrap_or(0);
    if count == 0 {
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        system.print_error(&format!("Error opening file: there are no versions of {}\n", names.join(", ")));
        return Err(FATAL);
    }
    let mut result = Ok(());
    for number in 0..count {
        let files: Vec<PathBuf> = versions.iter().filter_map(|it| it.get(number).cloned()).collect();
        let Some(ids) = read(request, &**system, &mut sources, &files)? else { continue };
        match version(request, system, &mut verifier, (&sources, &ids, Prints::default()), &files, protocol) {
            Err(FATAL) => result = Err(FATAL),
            told => told?,
        }
    }
    result
}

/// Reads libraries and files. Where a file cannot be opened, that is told of each such file, and of the others what
/// the parser has to say of them. The same where each file is told that is looked at, so that what is wrong with it
/// stands below its name; there are no files then.
fn read(
    request: &Request,
    system: &dyn System,
    sources: &mut Sources,
    files: &[PathBuf],
) -> Result<Option<Vec<FileId>>, u8> {
    let mut ids = Vec::new();
    for name in &request.libraries {
        match library(name) {
            Some(text) => ids.push(sources.add(&format!("{name}.bpl"), text)),
            None => {
                system.print_error(&format!("*** Error: there is no library {name}\n"));
                return Err(FATAL);
            }
        }
    }
    let read: Vec<_> = files.iter().map(|file| session::read(system, sources, file)).collect();
    let missing = read.iter().any(Result::is_err);
    let style = request.style;
    let wrong = |id: &FileId| parse(sources, *id, &mut Ast::default());
    let each = style.progress == Progress::Full && files.len() > 1;
    let broken = each && read.iter().flatten().any(|id| wrong(id).iter().any(Diagnostic::is_error));
    for (file, read) in files.iter().zip(read) {
        let name = shown(file, style);
        if style.progress == Progress::Full {
            printed(system, &format!("Parsing {name}\n"))?;
        }
        match read {
            Ok(id) if missing || broken => {
                let alone = Snapshot { diagnostics: wrong(&id), ..Snapshot::default() };
                printed(system, &diagnostics(sources, &alone, &name, style))?;
            }
            Ok(id) => ids.push(id),
            Err(message) => {
                let folder = file.parent().filter(|it| !it.as_os_str().is_empty());
                let message = match (system.exists(file), folder.is_none_or(|it| system.exists(it))) {
                    (true, _) => message,
                    (false, true) => format!("Could not find file '{}'.", file.display()),
                    (false, false) => format!("Could not find a part of the path '{}'.", file.display()),
                };
                printed(system, &format!("Error opening file \"{name}\": {message}\n"))?;
            }
        }
    }
    if missing { Err(FATAL) } else { Ok((!broken).then_some(ids)) }
}

/// Prints the program as it was parsed, and what is made of it, as far as that is wanted; gives where.
fn print_program(
    request: &Request,
    system: &dyn System,
    sources: &mut Sources,
    ids: &[FileId],
) -> Result<Prints, u8> {
    let Request { print_inlined: inlined, print_instrumented: instrumented, .. } = *request;
    let expansion = &request.options.expansion;
    let mut prints = if request.pretty { Prints::default() } else { Prints::flat() };
    if let Some(target) = &request.print {
        let name = if target == "-" { "<console>" } else { target };
        let level = if inlined || instrumented { 2 } else { request.unstructured };
        let header = if request.print_header { header(system) } else { String::new() };
        let lines_before = i64::try_from(header.lines().count()).unwrap_or_default();
        // Once as it was parsed, and once more when names and types are known.
        for desugared in [false, true] {
            if desugared && (!request.print_desugared || request.resolve_only) {
                continue;
            }
            let printing = Printing {
                unstructured: level > 0,
                structured: level == 1,
                lines_before,
                desugared,
                infer_modifies: expansion.infer_modifies,
            };
            match print_parsed(sources, ids, printing, (name, &mut prints)).map(|text| header.clone() + &text)
            {
                Some(text) if target == "-" => printed(system, &text)?,
                Some(text) => system.write(Path::new(target), text.as_bytes()).map_err(|error| {
                    system.print_error(&format!("Error: cannot write {target}: {error}\n"));
                    FATAL
                })?,
                None => return Ok(prints),
            }
        }
    }
    // Whether anything is proved of the program does not matter here: `-noVerify` ends behind this.
    let prepared = !request.parse_only && !request.resolve_only;
    if let (Some(prefix), true) = (&request.flow, prepared) {
        let flow = print_flow(sources, ids, expansion.infer_modifies).unwrap_or_default();
        for (implementation, text) in flow {
            let target = format!("{prefix}.{}.dot", file_name(&implementation));
            system.write(Path::new(&target), text.as_bytes()).map_err(|error| {
                system.print_error(&format!("Error: cannot write {target}: {error}\n"));
                FATAL
            })?;
        }
    }
    let mut text = String::new();
    if inlined && prepared {
        text.push_str(&print_inlined(sources, ids, expansion, &mut prints).unwrap_or_default());
    }
    if instrumented && prepared {
        text.push_str(&print_expanded(sources, ids, expansion, &mut prints).unwrap_or_default());
    }
    if !text.is_empty() {
        printed(system, &text)?;
    }
    Ok(prints)
}

/// What stands over a printed program: by what it was printed.
fn header(system: &dyn System) -> String {
    let words = system.arguments().into_iter().skip(1).skip_while(|word| word == "boogie");
    let words: Vec<String> = words.collect();
    format!("// {}// Command Line Options: {}\n", version_line(system), words.join(" "))
}

/// What `-version` says.
fn version_line(system: &dyn System) -> String {
    let number = number(system);
    format!("Boogie program verifier version {number}, Copyright (c) 2003-2014, Microsoft.\n")
}

/// The name of a file in messages.
fn shown(file: &Path, style: Style) -> String {
    let name = if style.base_names { file.file_name().map(Path::new) } else { None };
    name.unwrap_or(file).display().to_string()
}

fn printed(system: &dyn System, text: &str) -> Result<(), u8> {
    if session::print(system, text) == session::FINE { Ok(()) } else { Err(UNHEARD) }
}

/// Writes the queries into a file, or each into its own where the name says `@PROC@`.
fn write_queries(system: &dyn System, log: &Path, snapshot: &Snapshot) -> Result<(), u8> {
    let asked = snapshot.reports.iter().filter_map(|it| Some((it, it.query.clone()?)));
    write_parts(system, &log.display().to_string(), asked.collect(), text::BETWEEN)
}

/// Writes texts about implementations into one file, or each into its own where the name says `@PROC@`.
fn write_parts(
    system: &dyn System,
    name: &str,
    parts: Vec<(&Report, String)>,
    between: &str,
) -> Result<(), u8> {
    let files: Vec<(String, String)> = if name.contains("@PROC@") {
        parts
            .into_iter()
            .map(|(report, text)| (name.replace("@PROC@", &file_name(&report.name)), text))
            .collect()
    } else {
        let texts: Vec<String> = parts.into_iter().map(|(_, text)| text).collect();
        vec![(name.to_owned(), texts.join(between))]
    };
    for (name, text) in files {
        if let Err(error) = system.write(Path::new(&name), text.as_bytes()) {
            system.print_error(&format!("Error: cannot write {name}: {error}\n"));
            return Err(FATAL);
        }
    }
    Ok(())
}

/// The name of an implementation as a part of the name of a file.
fn file_name(implementation: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "_.$-".contains(c) { c } else { '_' };
    implementation.chars().map(plain).collect()
}

/// Writes the models of errors into a file, or those of each implementation into its own where the name says
/// `@PROC@`.
fn write_models(system: &dyn System, target: &str, snapshot: &Snapshot) -> Result<(), u8> {
    let texts = snapshot.reports.iter().map(|report| (report, models(report)));
    write_parts(system, target, texts.filter(|(_, text)| !text.is_empty()).collect(), "")
}
