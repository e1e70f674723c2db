//! Runs of the real program on fixtures; every test has a folder of its own.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use reprise_tools::report::Report;
use symexec::testcase::KTest;
use tempfile::TempDir;

/// Puts a copy of a program, or the text of a script, where it can be started. Another process writes it: while one of
/// this process writes, a child of another test may hold the file open, and what is open cannot be started.
pub(crate) fn install(from: &Path, path: &Path) {
    let status = Command::new("install").args(["-m", "755", "--"]).args([from, path]).status().unwrap();
    assert!(status.success(), "{} is not installed", path.display());
}

/// A script that can be started.
pub(crate) fn script(path: &Path, text: &str) {
    let mut written = tempfile::NamedTempFile::new().unwrap();
    written.write_all(text.as_bytes()).unwrap();
    install(written.path(), path);
}

/// What a run left behind.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) folder: PathBuf,
    pub(crate) report: Option<Report>,
}

/// The path of a fixture.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/c").join(name)
}

/// Runs `symexec run` on files with further arguments; what it leaves lies in `folder`.
pub(crate) fn explore_files(folder: &TempDir, files: &[PathBuf], arguments: &[&str]) -> Ran {
    explore_where(folder, files, arguments, &[])
}

/// The same with some variables in its environment.
pub(crate) fn explore_where(
    folder: &TempDir,
    files: &[PathBuf],
    arguments: &[&str],
    variables: &[(&str, PathBuf)],
) -> Ran {
    let number = std::fs::read_dir(folder.path()).unwrap().count();
    let output = folder.path().join(format!("out-{number}"));
    let stats = folder.path().join(format!("stats-{number}.json"));
    let result = Command::new(env!("CARGO_BIN_EXE_symexec"))
        .arg("run")
        .args(files)
        .arg("--output-dir")
        .arg(&output)
        .arg("--stats")
        .arg(&stats)
        .args(arguments)
        .envs(variables.iter().map(|(name, value)| (name, value)))
        .output()
        .unwrap();
    let report = std::fs::read(&stats).ok().map(|bytes| serde_json::from_slice(&bytes).unwrap());
    Ran {
        code: result.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&result.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&result.stderr).into_owned(),
        folder: output,
        report,
    }
}

/// Runs `symexec run` on a fixture.
pub(crate) fn explore(folder: &TempDir, name: &str, arguments: &[&str]) -> Ran {
    explore_files(folder, &[fixture(name)], arguments)
}

impl Ran {
    /// A number of the result.
    pub(crate) fn result(&self, name: &str) -> u64 {
        self.report.as_ref().unwrap().result[name].as_u64().unwrap()
    }

    /// A number of the engine.
    pub(crate) fn engine(&self, name: &str) -> u64 {
        self.report.as_ref().unwrap().engine[name].as_u64().unwrap()
    }

    /// The tests by file name.
    pub(crate) fn tests(&self) -> BTreeMap<String, KTest> {
        let mut tests = BTreeMap::new();
        for entry in std::fs::read_dir(&self.folder).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "ktest") {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                tests.insert(name, KTest::from_bytes(&std::fs::read(&path).unwrap()).unwrap());
            }
        }
        tests
    }

    /// The inputs of all tests, sorted: which ones there are, whatever their order.
    pub(crate) fn inputs(&self) -> Vec<Vec<(String, Vec<u8>)>> {
        let mut inputs: Vec<_> = self.tests().into_values().map(|test| test.objects).collect();
        inputs.sort();
        inputs
    }

    /// The kinds of error files, sorted, with their first lines.
    pub(crate) fn errors(&self) -> Vec<(String, String)> {
        let mut errors = Vec::new();
        for entry in std::fs::read_dir(&self.folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if let Some(rest) = name.strip_suffix(".err") {
                let kind = rest.split('.').nth(1).unwrap().to_owned();
                let text = std::fs::read_to_string(&path).unwrap();
                errors.push((kind, text.lines().next().unwrap().to_owned()));
            }
        }
        errors.sort();
        errors
    }
}

/// Tells, past the capture of what tests print, that this machine cannot run a part of a test.
pub(crate) fn tell_left_out(what: &str) {
    let text = format!("left out, since this processor has no AVX2, FMA or BMI2: {what}\n");
    let _ = std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes());
}
