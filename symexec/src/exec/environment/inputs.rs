//! What inputs that the runtime makes are called in tests.

/// The name in tests of an unknown value of a variable.
#[must_use]
pub fn variable_input(name: &str) -> String {
    format!("env_{name}")
}

/// What the names of inputs end with that are a file's metadata.
pub const METADATA_INPUT: &str = "_stat";

/// The inputs that say which process a path follows, which one was started, and how another one ended, by their names
/// in tests.
pub const PROCESS_INPUTS: [&str; 3] = ["fork_result", "spawn_result", "wait_status"];

/// The input that is the content of standard output before anything was written, where that is a file.
pub const OUTPUT_INPUT: &str = "stdout";

/// How many bytes it has, as in KLEE.
pub const OUTPUT_SIZE: u64 = 1024;

/// The inputs that say which call of each kind fails, by their names in tests.
pub const FAILURES: [&str; 5] = ["read_fail", "write_fail", "close_fail", "ftruncate_fail", "getcwd_fail"];
