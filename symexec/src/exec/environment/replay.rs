//! From a test back to the arguments, files and variables that it stands for.

use std::collections::BTreeMap;

use super::{Entry, Environment, InputFile, variable_input};

/// A test turned back into what a program is started with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Replayed {
    /// The arguments behind the program's name.
    pub arguments: Vec<Vec<u8>>,
    /// Names and contents of files; standard input has no name.
    pub files: Vec<(Option<String>, Vec<u8>)>,
    /// Variables of the environment.
    pub variables: Vec<(String, Vec<u8>)>,
    /// Whether calls of the system may have failed, which they do not when the test is replayed.
    pub failures: bool,
}

impl Environment {
    /// The arguments and files of a test, given its inputs by name: the program's arguments, then files
    /// with their names (none for standard input).
    #[must_use]
    pub fn replay(&self, inputs: &[(String, Vec<u8>)]) -> Replayed {
        let mut replayed = Replayed::default();
        let (mut counts, mut unknown) = (0, 0);
        let mut uses = BTreeMap::new();
        let find = |wanted: &str| inputs.iter().find(|(name, _)| name == wanted).map(|(_, bytes)| bytes);
        for entry in &self.entries {
            match entry {
                Entry::Argument(text) => replayed.arguments.push(text.clone().into_bytes()),
                Entry::Unknown { least, most, .. } => {
                    let mut count = *least;
                    if least != most {
                        // A name that is used again has a number behind it.
                        let name = if counts == 0 { "n_args".to_owned() } else { format!("n_args_{counts}") };
                        counts += 1;
                        let bytes = find(&name).and_then(|bytes| <[u8; 4]>::try_from(bytes.as_slice()).ok());
                        count = bytes.map_or(*least, u32::from_le_bytes).clamp(*least, *most);
                    }
                    for _ in 0..count {
                        let name = unique_argument(unknown);
                        unknown += 1;
                        let bytes = find(&name).cloned().unwrap_or_default();
                        let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
                        // The last byte is the final zero, whatever the test says.
                        let end = end.min(bytes.len().saturating_sub(1));
                        replayed.arguments.push(bytes[..end].to_vec());
                    }
                }
                Entry::Variable { name, length } => {
                    let bytes = find(&variable_input(name)).cloned().unwrap_or_default();
                    let most = usize::try_from(*length).unwrap_or(usize::MAX);
                    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len()).min(most);
                    replayed.variables.push((name.clone(), bytes[..end].to_vec()));
                }
                // The machine has it already, where the program looks for it.
                Entry::File(InputFile { name: Some(name), real: true, .. }) if name.starts_with('/') => {}
                // What the machine does, nobody tells it.
                Entry::Failures { .. } => replayed.failures = true,
                // Its inputs are told by name, and what was in a file before it was written matters to nobody.
                Entry::Metadata | Entry::Output | Entry::Processes(_) => {}
                Entry::File(file) => {
                    // A name that is used again has a number behind it; the last file of a name counts.
                    let mut name = file.input_name();
                    let uses = uses.entry(name.clone()).or_insert(0u32);
                    if *uses > 0 {
                        name = format!("{name}_{uses}");
                    }
                    *uses += u32::from(!file.is_known());
                    let mut bytes = match (&file.shape, find(&name)) {
                        (_, Some(bytes)) => bytes.clone(),
                        (Some(shape), None) => shape.clone(),
                        (None, None) => Vec::new(),
                    };
                    bytes.resize(usize::try_from(file.size).unwrap_or(0), 0);
                    replayed.files.push((file.name.clone(), bytes));
                }
            }
        }
        replayed
    }
}

/// The name of an unknown argument in tests: two digits, and a number behind if they are used again.
fn unique_argument(number: u32) -> String {
    let name = format!("arg{:02}", number % 100);
    if number < 100 { name } else { format!("{name}_{}", number / 100) }
}
