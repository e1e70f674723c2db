//! `cargo xtask compare symexec DIR`: every C program of a folder under every cache, memory model and
//! allocation, as a table of counts.
//!
//! Equal paths, errors (with their reports), executed instructions and coverage are demanded of all caches
//! under one memory model and allocation, and no more paths of the segmented than of the forking model. The
//! layout of memory may matter to a program, so allocations are not compared with each other.
//!
//! # Settings in a file
//! A line `// symexec: OPTIONS` says how a file is explored; several such lines are several programs. Options
//! are separated by spaces. `-DNAME=VALUE` and `-IDIR` (relative to the folder) go to the compiler, all others
//! to `symexec run`. Without such a line the file is explored once, as it is.

use std::fs;
use std::path::Path;

use crate::bench::table::Table;
use crate::error::Error;
use crate::explore::{
    Allocation, Bitcode, Cache, Explored, Model, Setting, Tests, demand_equal, demand_fewer, explore,
};
use crate::phases::bar;
use crate::programs::{Build, Programs};
use crate::scratch::Scratch;
use crate::setup;

/// What a line with settings begins with.
const MARK: &str = "// symexec:";

/// A file with one line of settings.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Program {
    file: String,
    settings: Vec<String>,
}

impl Program {
    fn name(&self) -> String {
        format!("{} {}", self.file, self.settings.join(" ")).trim_end().to_owned()
    }

    /// The settings for the compiler, and those for the engine.
    fn split(&self, folder: &Path) -> (Vec<String>, Vec<&str>) {
        let (mut compiler, mut engine) = (vec![format!("-I{}", folder.display())], Vec::new());
        for setting in &self.settings {
            if setting.starts_with("-D") {
                compiler.push(setting.clone());
            } else if let Some(include) = setting.strip_prefix("-I") {
                compiler.push(format!("-I{}", folder.join(include).display()));
            } else {
                engine.push(setting.as_str());
            }
        }
        (compiler, engine)
    }
}

/// The programs of a file.
fn programs_of(file: &str, text: &str) -> Vec<Program> {
    let program = |settings: &str| Program {
        file: file.to_owned(),
        settings: settings.split_whitespace().map(str::to_owned).collect(),
    };
    let marked: Vec<Program> =
        text.lines().filter_map(|line| line.trim().strip_prefix(MARK)).map(program).collect();
    if marked.is_empty() { vec![program("")] } else { marked }
}

/// Explores every program in every way; `options` go to each run.
pub(crate) fn symexec(folder: &Path, options: &[String]) -> Result<(), Error> {
    setup::run(false)?;
    let tools = Programs::build(Build::Release)?;
    let programs = programs_in(folder)?;
    if programs.is_empty() {
        return Err(Error::Findings(format!("{} holds no `.c` files", folder.display())));
    }
    let mut table = Table::new(
        "symexec: every cache, memory model and allocation",
        "A solver query is a satisfiability check that reached the solver; entries are of the query cache.",
        &[
            "program",
            "model",
            "allocation",
            "cache",
            "paths",
            "errors",
            "instructions",
            "queries",
            "solver queries",
            "cache hits",
            "entries",
            "CPU s",
        ],
    );
    let progress = bar(programs.len());
    let mut differences = Vec::new();
    for program in &programs {
        progress.set_message(program.name());
        match compare(&tools, folder, program, options, &mut table) {
            Ok(()) => {}
            Err(Error::Findings(difference)) => differences.push(difference),
            Err(error) => return Err(error),
        }
        progress.inc(1);
    }
    progress.finish_and_clear();
    println!("\n{}", table.text());
    match differences.as_slice() {
        [] => {
            println!("{} programs: equal paths, errors and coverage with every cache", programs.len());
            Ok(())
        }
        some => Err(Error::Findings(some.join("\n"))),
    }
}

/// The programs of all `.c` files of a folder, by name.
fn programs_in(folder: &Path) -> Result<Vec<Program>, Error> {
    let mut programs = Vec::new();
    for entry in fs::read_dir(folder).map_err(Error::reading(folder))? {
        let path = entry.map_err(Error::reading(folder))?.path();
        if path.extension().is_some_and(|suffix| suffix == "c") {
            let text = fs::read(&path).map_err(Error::reading(&path))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            programs.extend(programs_of(&name, &String::from_utf8_lossy(&text)));
        }
    }
    programs.sort_by_key(Program::name);
    Ok(programs)
}

/// One program in every way: a row each. What differs is told after all rows are there.
fn compare(
    tools: &Programs,
    folder: &Path,
    program: &Program,
    options: &[String],
    table: &mut Table,
) -> Result<(), Error> {
    let scratch = Scratch::new()?;
    let (compiler, mut engine) = program.split(folder);
    engine.extend(options.iter().map(String::as_str));
    let bitcode = Bitcode::compile(scratch.path(), "program", &[folder.join(&program.file)], &compiler)?;
    let mut differences = Vec::new();
    let mut demand = |demanded: Result<(), Error>| {
        if let Err(Error::Findings(difference)) = demanded {
            differences.push(difference);
        }
    };
    for allocation in Allocation::ALL {
        let mut first_of: Vec<Explored> = Vec::new();
        for model in Model::ALL {
            let mut first: Option<(Setting, Explored)> = None;
            for cache in Cache::ALL {
                let setting = Setting { model, allocation, cache };
                let explored = explore(tools, &bitcode, setting, Tests::Written, &engine)?;
                table.rows.push(row(program, setting, &explored));
                // A run that was cut off has no outcome to compare.
                if explored.stopped().is_some() {
                    continue;
                }
                match &first {
                    None => first = Some((setting, explored)),
                    Some((one, known)) => demand(demand_equal(
                        &program.name(),
                        (*one, &known.outcome),
                        (setting, &explored.outcome),
                    )),
                }
            }
            first_of.extend(first.map(|(_, explored)| explored));
        }
        if let [forking, segmented] = first_of.as_slice() {
            demand(demand_fewer(&program.name(), &forking.outcome, &segmented.outcome));
        }
    }
    if differences.is_empty() { Ok(()) } else { Err(Error::Findings(differences.join("\n"))) }
}

fn row(program: &Program, setting: Setting, explored: &Explored) -> Vec<String> {
    let run = &explored.run;
    let stopped = if explored.stopped().is_some() { " (stopped)" } else { "" };
    vec![
        program.name(),
        setting.model.name().to_owned(),
        setting.allocation.name().to_owned(),
        setting.cache.name().to_owned(),
        format!("{}{stopped}", explored.outcome.paths),
        explored.outcome.errors.to_string(),
        explored.outcome.instructions.to_string(),
        run.engine("queries").to_string(),
        explored.solver_queries().to_string(),
        run.cache("hits").to_string(),
        explored.cache_size().to_string(),
        format!("{:.2}", run.seconds),
    ]
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::programs_of;

    #[test]
    fn a_file_is_a_program_per_line_of_settings_and_one_without() {
        let plain = programs_of("a.c", "int main(void) { return 0; }\n");
        assert_eq!(plain.iter().map(super::Program::name).collect::<Vec<_>>(), ["a.c"]);
        let text = "// symexec: -DN=4 --max-depth 9\n  // symexec: -DN=5 -Iinclude\nint main(void);\n";
        let two = programs_of("b.c", text);
        assert_eq!(
            two.iter().map(super::Program::name).collect::<Vec<_>>(),
            ["b.c -DN=4 --max-depth 9", "b.c -DN=5 -Iinclude"]
        );
        let folder = Path::new("folder");
        let (compiler, engine) = two[0].split(folder);
        assert_eq!(compiler, ["-Ifolder", "-DN=4"]);
        assert_eq!(engine, ["--max-depth", "9"]);
        assert_eq!(two[1].split(folder).0, ["-Ifolder", "-DN=5", "-Ifolder/include"]);
    }
}
