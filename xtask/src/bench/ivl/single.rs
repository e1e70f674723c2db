//! Single runs of `ivl verify`, and what an edit of one method takes beside a run from scratch.

use std::fs;
use std::path::Path;

use super::super::Size;
use super::super::measure::children_seconds;
use crate::error::Error;
use crate::process;
use crate::programs::Programs;
use crate::scratch::Scratch;

/// Processor seconds of a run of `ivl verify` with a cache folder.
pub(super) fn seconds(programs: &Programs, scratch: &Scratch, file: &Path) -> Result<f64, Error> {
    let mut command = programs.command("ivl", scratch);
    command.args(["verify", "--cores", "1", "--rlimit", "20000000", "--json"]).arg(file);
    let start = children_seconds();
    process::output(&mut command)?;
    Ok(children_seconds() - start)
}

pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A program as dafny prints it.
pub(super) struct Printed<'t> {
    pub(super) text: &'t str,
}

/// How many methods of a printed program are edited in a quick run.
const SMOKE_METHODS: usize = 4;

/// What edits of single methods take.
pub(super) struct Edits {
    pub(super) methods: usize,
    /// How much less a run after an edit takes than one from scratch.
    pub(super) median: f64,
}

/// Verifies a program, and then each of the programs in which one implementation begins with another statement.
pub(super) fn one_method_edits(
    programs: &Programs,
    printed: &Printed<'_>,
    size: Size,
) -> Result<Edits, Error> {
    let mut variants = variants(printed.text);
    let methods = variants.len();
    if size == Size::Smoke {
        // The first ones are the smallest, so a few from everywhere.
        variants = variants.into_iter().step_by(methods.div_ceil(SMOKE_METHODS).max(1)).collect();
    }
    let scratch = Scratch::new()?;
    let file = scratch.path().join("program.bpl");
    let run = |text: &str| {
        fs::write(&file, text).map_err(Error::writing(&file))?;
        seconds(programs, &scratch, &file)
    };
    let cold = run(printed.text)?;
    let warm: Result<Vec<f64>, Error> = variants.iter().map(|text| run(text)).collect();
    Ok(Edits { methods, median: cold / median(warm?) })
}

/// The program once for each implementation, which begins with one more assertion there: behind its first label,
/// or behind its variables.
fn variants(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let mut variants = Vec::new();
    for (start, line) in lines.iter().enumerate() {
        if !line.starts_with("implementation") {
            continue;
        }
        let body = lines.iter().skip(start).position(|line| line.starts_with('{')).map(|at| start + at + 1);
        let Some(mut at) = body else { continue };
        // The condition of a variable may stand on a line of its own.
        let mut open = false;
        while let Some(line) = lines.get(at) {
            open |= line.trim_start().starts_with("var ");
            if !open && !line.trim().is_empty() {
                break;
            }
            open &= !line.trim_end().ends_with(';');
            at += 1;
        }
        let is_label = lines.get(at).is_some_and(|line| line.trim_end().ends_with(':'));
        let (before, after) = lines.split_at(at + usize::from(is_label));
        variants.push(format!("{}\n    assert 1 < 2;\n{}\n", before.join("\n"), after.join("\n")));
    }
    variants
}

#[cfg(test)]
mod tests {
    use super::variants;

    #[test]
    fn each_implementation_is_edited_once() {
        let text = "implementation A()\n{\n  var x: int\n     where x > 0;\n\n  anon0:\n    x := 1;\n    return;\n}\nimplementation B()\n{\n  assert true;\n}\n";
        let found = variants(text);
        assert_eq!(found.len(), 2);
        assert!(found[0].contains("anon0:\n    assert 1 < 2;\n    x := 1;"), "{}", found[0]);
        assert!(found[1].contains("{\n    assert 1 < 2;\n  assert true;"), "{}", found[1]);
    }
}
