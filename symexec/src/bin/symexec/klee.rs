//! KLEE's command line: `symexec klee ARGS`, and this program under the name `klee`.
//!
//! Options stand before the program, with one dash or two, their values behind `=` or in the next word;
//! everything behind the program is the program's own ([`options`] has the table). What asks for
//! something that this engine has is taken as that; what asks for something without meaning here is
//! accepted with a warning; what would change the result and cannot be done is refused.

mod options;
mod span;

use std::io::ErrorKind;
use std::path::PathBuf;

use symexec::exec::{ExecConfig, ExternalCalls, OverMemory, Search, StartError};
use symexec::memory::Placement;
use symexec::module::reader::Request;
use symexec::report::{Options, QueryCacheKind, RunError, STANDARD_INPUT, Style};

/// A command line, understood.
#[derive(Debug)]
pub(crate) enum Parsed {
    /// A run, with what is to be said before it.
    Run(Box<Options>, Vec<String>),
    /// A part of a run, for the process that does it.
    Part(Box<Options>),
    /// The list of options is wanted.
    Help(String),
    /// The version is wanted.
    Version,
}

/// Understands KLEE's command line, without the program's name.
///
/// # Errors
/// Says what is wrong with it.
pub(crate) fn parse(arguments: &[String]) -> Result<Parsed, String> {
    let mut given = options::Given::new(defaults());
    let mut is_part = false;
    let mut rest = arguments.iter();
    let program = loop {
        // Without a program it is read from standard input.
        let Some(word) = rest.next() else { break STANDARD_INPUT };
        let Some(option) = word.strip_prefix("--").or_else(|| word.strip_prefix('-')) else { break word };
        if word == STANDARD_INPUT {
            break STANDARD_INPUT;
        }
        if option.is_empty() {
            continue;
        }
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (option, None),
        };
        match name {
            "help" | "h" | "help-hidden" | "help-list" | "help-list-hidden" => {
                return Ok(Parsed::Help(options::help()));
            }
            "version" => return Ok(Parsed::Version),
            "as-worker" => is_part = true,
            _ => given.take(word, name, value, || rest.next().map(String::as_str))?,
        }
    };
    let (mut options, mut warnings) = given.finish();
    options.program.files.insert(0, program.into());
    let by_age = |search: &Search| matches!(search, Search::DepthFirst | Search::BreadthFirst);
    options.exec.ages_at_forks = options.exec.search.iter().all(by_age);
    options.exec.arguments = std::iter::once(program.to_owned()).chain(rest.cloned()).collect();
    let unknown = |word: &&String| word.trim_start_matches('-').starts_with("sym-") && word.starts_with('-');
    if let Some(word) = options.exec.arguments.iter().skip(1).find(unknown)
        && !options.symbolic_arguments
    {
        warnings.push(format!("{word}: an ordinary argument of the program without --posix-runtime"));
    }
    let options = Box::new(options);
    Ok(if is_part { Parsed::Part(options) } else { Parsed::Run(options, warnings) })
}

/// Why a run could not be done, beginning as KLEE's messages do; of which files.
pub(crate) fn in_its_words(error: &RunError, files: &[PathBuf]) -> String {
    match error {
        RunError::Start(StartError::NoEntry(name)) => {
            format!(
                "Entry function '{name}' not found in module. Give all files of the program, or another function by --entry-point"
            )
        }
        RunError::Program(text) => {
            // Others are about several files, or about none that was given.
            let named = files.iter().map(|file| file.display().to_string());
            let found = named.filter_map(|file| {
                let why = text.strip_prefix(&file)?.strip_prefix(": ")?;
                Some(format!("error loading program '{file}': Loading file {file} failed: {why}"))
            });
            found.max_by_key(String::len).unwrap_or_else(|| text.clone())
        }
        RunError::Write { path, error } if error.kind() == ErrorKind::AlreadyExists => {
            format!("cannot create \"{}\": File exists", path.display())
        }
        error => error.to_string(),
    }
}

/// What a question costs the solver at least, in its units, for its state to wait until others have ended: about a
/// third of a second.
const DEAR: u64 = 300_000;

/// What KLEE does if it is told nothing: each state has an allocator of its own, a random path and a
/// state near new code run by turns, and what the program writes is shown.
fn defaults() -> Options {
    Options {
        program: Request::default(),
        exec: ExecConfig {
            placement: Placement::PerState,
            search: vec![Search::RandomPath, Search::Coverage],
            deep_is_early: true,
            echo: true,
            external_calls: ExternalCalls::Concrete,
            library_is_outside: true,
            put_off: Some(DEAR),
            over_memory: OverMemory::GiveUp { inhibits: true },
            ..ExecConfig::default()
        },
        query_cache: QueryCacheKind::default(),
        style: Style::Klee,
        symbolic_metadata: true,
        ..Options::default()
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::time::Duration;

    use symexec::exec::Search;
    use symexec::report::RunError;

    use super::{Options, Parsed, in_its_words, parse};

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    fn run(line: &str) -> (Options, Vec<String>) {
        match parse(&words(line)) {
            Ok(Parsed::Run(options, warnings)) => (*options, warnings),
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn dashes_and_values_are_written_as_one_likes() {
        for line in [
            "--max-time=2min --search=dfs p.bc",
            "-max-time=2min -search=dfs p.bc",
            "--max-time 2min --search dfs p.bc",
            "-max-time 120 -search dfs p.bc",
        ] {
            let (options, warnings) = run(line);
            assert_eq!(options.exec.max_time, Some(Duration::from_secs(120)), "{line}");
            assert_eq!(options.exec.search, [Search::DepthFirst], "{line}");
            assert_eq!(options.program.files, [PathBuf::from("p.bc")], "{line}");
            assert!(warnings.is_empty(), "{line}: {warnings:?}");
        }
    }

    #[test]
    fn what_follows_the_program_is_the_programs() {
        let (options, _) = run("--search=bfs p.bc --search=dfs -x y");
        assert_eq!(options.exec.search, [Search::BreadthFirst]);
        assert_eq!(options.exec.arguments, ["p.bc", "--search=dfs", "-x", "y"]);
    }

    #[test]
    fn switches_can_be_turned_on_and_off() {
        for (line, expected) in [
            ("p.bc", true),
            ("--check-overshift p.bc", true),
            ("--check-overshift=true p.bc", true),
            ("--check-overshift=false p.bc", false),
            ("-check-overshift=0 p.bc", false),
            ("--check-overshift=false --check-overshift=1 p.bc", true),
        ] {
            assert_eq!(run(line).0.exec.check_overshift, expected, "{line}");
        }
        let message = parse(&words("--check-overshift=perhaps p.bc")).unwrap_err();
        assert!(message.contains("check-overshift") && message.contains("perhaps"), "{message}");
    }

    #[test]
    fn searches_are_combined_in_their_order() {
        let (options, _) = run("--search=random-path --search=nurs:md2u p.bc");
        assert_eq!(options.exec.search, [Search::RandomPath, Search::Distance]);
        for (name, search) in [
            ("depth", Search::Depth),
            ("icnt", Search::Executions),
            ("cpicnt", Search::CallPaths),
            ("qc", Search::Questions),
            ("covnew", Search::Coverage),
            ("rp", Search::RandomPath),
        ] {
            assert_eq!(run(&format!("--search=nurs:{name} p.bc")).0.exec.search, [search], "{name}");
        }
        assert!(parse(&words("--search=nurs:best p.bc")).is_err());
        assert_eq!(run("p.bc").0.exec.search, [Search::RandomPath, Search::Coverage]);
    }

    #[test]
    fn options_for_unknown_arguments_need_the_switch_that_allows_them() {
        for (line, expected) in [
            ("p.bc --sym-arg 3", 1),
            ("p.bc -sym-args 0 1 2 --sym-stdin 3", 1),
            ("--posix-runtime p.bc --sym-arg 3", 0),
            ("p.bc sym-arg x-sym- --", 0),
        ] {
            let (options, warnings) = run(line);
            assert_eq!(warnings.len(), expected, "{line}: {warnings:?}");
            assert_eq!(options.symbolic_arguments, line.starts_with("--posix"), "{line}");
        }
    }

    #[test]
    fn bad_values_are_refused_in_the_words_of_klee() {
        for (line, expected) in [
            ("--max-forks=many", "for the --max-forks option: 'many' value invalid for uint argument!"),
            (
                "--max-instructions=-1",
                "for the --max-instructions option: '-1' value invalid for ullong argument!",
            ),
            ("--batch-instructions=few", "for the --batch-instructions option: 'few' value invalid"),
            ("--max-static-fork-pct=x", "'x' value invalid for floating point argument!"),
            ("--batch-time=soon", "for the --batch-time option: Illegal number format: soon"),
            ("--search=luck", "for the --search option: Cannot find option named 'luck'!"),
            (
                "--exit-on-error-type=Luck",
                "for the --exit-on-error-type option: Cannot find option named 'Luck'!",
            ),
            ("--optimize-array=most", "for the --optimize-array option: Cannot find option named 'most'!"),
            (
                "--optimize=2",
                "for the --optimize option: '2' is invalid value for boolean argument! Try 0 or 1",
            ),
            ("--output-dir", "for the --output-dir option: requires a value!"),
            ("--serch=dfs", "Did you mean '--search'?"),
        ] {
            let message = parse(&[line.to_owned()]).unwrap_err();
            assert!(message.contains(expected), "{line}: {message}");
        }
        let message = parse(&words("--zzzzzzzzzzz p.bc")).unwrap_err();
        assert!(!message.contains("Did you mean"), "{message}");
        let (options, warnings) = run("--max-depth=0x10 --kdalloc-quarantine=-1 --batch-time=5min p.bc");
        assert_eq!((options.exec.max_depth, warnings.len()), (Some(16), 1), "{warnings:?}");
    }

    #[test]
    fn errors_of_a_file_that_was_given_are_told_in_the_words_of_klee() {
        let files = ["p.bc", "a: b.bc"].map(PathBuf::from);
        for (text, expected) in [
            ("p.bc: it is empty", "error loading program 'p.bc': Loading file p.bc failed: it is empty"),
            ("a: b.bc: it: is", "error loading program 'a: b.bc': Loading file a: b.bc failed: it: is"),
            ("linking p.bc: a name twice", "linking p.bc: a name twice"),
            ("the C runtime: no memory", "the C runtime: no memory"),
            ("LLVM does not optimize the program: why", "LLVM does not optimize the program: why"),
            ("p.bcc: what", "p.bcc: what"),
        ] {
            let error = RunError::Program(text.to_owned());
            assert_eq!(in_its_words(&error, &files), expected);
        }
    }

    #[test]
    fn what_has_no_effect_says_so_and_what_is_unknown_is_refused() {
        let (_, warnings) = run("--watchdog --use-forked-solver=0 --use-batching-search p.bc");
        assert_eq!(warnings.len(), 2, "{warnings:?}");
        assert!(warnings[0].contains("--watchdog"), "{warnings:?}");
        for (line, expected) in [
            ("--no-such-option p.bc", "Unknown command line argument '--no-such-option'"),
            ("-no-such-option=3 p.bc", "Unknown command line argument '-no-such-option=3'"),
            ("--search=luck p.bc", "luck"),
            ("--max-forks=many p.bc", "max-forks"),
            ("--max-time=soon p.bc", "soon"),
            ("--ignore-solver-failures p.bc", "ignore-solver-failures"),
            ("--output-dir", "output-dir"),
        ] {
            let message = parse(&words(line)).unwrap_err();
            assert!(message.contains(expected), "{line}: {message}");
        }
    }
}
