//! What a command line of a compiler asks for, as far as it matters for capturing bitcode.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A source among the inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file.
    pub file: PathBuf,
    /// Its language, where an option before it says so (`-x`).
    pub language: Option<OsString>,
}

/// What the compiler makes of its sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// No object and no program: preprocessed text, assembly, information.
    Other,
    /// An object for each source (`-c`).
    Objects,
    /// A program or a library.
    Linked,
}

/// What the linker is given beside the sources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A file.
    File(PathBuf),
    /// A library by its name (`-l`), which lies in one of the folders.
    Library {
        /// The name without `lib`, or behind a colon the file's.
        name: OsString,
        /// Whether shared libraries are passed over.
        only_static: bool,
    },
}

/// A command line, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The sources that are captured: those in C and C++.
    pub sources: Vec<Source>,
    /// What is made of them.
    pub product: Product,
    /// Where it goes (`-o`).
    pub output: Option<PathBuf>,
    /// The options that decide what a source means, for another compilation of it.
    pub options: Vec<OsString>,
    /// What else is linked, in order.
    pub inputs: Vec<Input>,
    /// Where libraries are looked for, in order (`-L`).
    pub folders: Vec<PathBuf>,
}

/// Options whose value is the next word, and that say what a source means.
const MEANING: &[&str] = &[
    "-D",
    "-U",
    "-I",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isysroot",
    "--sysroot",
    "-target",
    "--target",
    "-Xclang",
    "-Xpreprocessor",
    "-mllvm",
    "--param",
    "-working-directory",
    "-stdlib",
];

/// Options whose value is the next word, and that bitcode does without.
const BESIDE: &[&str] = &[
    "-MF",
    "-MT",
    "-MQ",
    "-Xassembler",
    "-T",
    "-u",
    "-z",
    "-e",
    "-rpath",
    "-soname",
    "-h",
    "-aux-info",
    "-dumpbase",
    "-dumpdir",
    "-b",
    "-framework",
    "-arch",
];

/// Options in one word that bitcode does without: how fast the object is, what it is watched by, what
/// else is written, how it is linked.
const DROPPED: &[&str] = &[
    "-O",
    "-g",
    "-M",
    "-flto",
    "-fno-lto",
    "-ffat-lto",
    "-fprofile",
    "-fcoverage",
    "-ftest-coverage",
    "--coverage",
    "-save-temps",
    "--save-temps",
    "-Wa,",
    "-shared",
    "-rdynamic",
    "-pie",
    "-no-pie",
    "-pipe",
    "-s",
    "-c",
    "-nostartfiles",
    "-nodefaultlibs",
    "-nostdlib",
    "-fuse-ld",
    "-Werror",
    "-fsplit-dwarf",
    "-gsplit-dwarf",
    "-fdiagnostics-color",
    "-ftime-report",
    "-fstack-usage",
    "-fembed-bitcode",
    "-r",
];

/// Of the words above, those that are no prefixes of other options.
const WHOLE: &[&str] = &["-s", "-c", "-r", "-pie", "-no-pie", "-shared", "-pipe"];

impl Command {
    /// Understands a command line without the compiler's name. `read` gives the text of a response file
    /// (`@FILE`); such a word stays as it is where it gives none.
    pub fn parse(arguments: &[OsString], read: impl Fn(&Path) -> Option<Vec<u8>>) -> Self {
        let words = expand(arguments, &read, 0);
        let mut command = Self {
            sources: Vec::new(),
            product: Product::Linked,
            output: None,
            options: Vec::new(),
            inputs: Vec::new(),
            folders: Vec::new(),
        };
        let mut language: Option<OsString> = None;
        let mut only_static = false;
        let mut only_files = false;
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let text = word.to_string_lossy();
            if only_files || !text.starts_with('-') || text == "-" {
                command.input(word, language.as_ref());
                continue;
            }
            match &*text {
                "--" => only_files = true,
                "-o" | "--output" => command.output = rest.next().map(PathBuf::from),
                "-x" | "--language" => language = rest.next().filter(|name| *name != "none").cloned(),
                "-E" | "-S" | "-M" | "-MM" | "-fsyntax-only" | "-###" | "--version" | "--help"
                | "-emit-llvm" | "-emit-ast" | "--precompile" | "--analyze" | "-dumpversion"
                | "-dumpmachine" | "-dumpspecs" => {
                    command.product = Product::Other;
                }
                "-c" if command.product == Product::Linked => command.product = Product::Objects,
                _ if text.starts_with("-print-") || text.starts_with("--print-") => {
                    command.product = Product::Other;
                }
                _ if text.starts_with("-o") && !text.starts_with("-objc") => {
                    command.output = Some(OsStr::from_bytes(&word.as_bytes()[2..]).into());
                }
                _ if text.starts_with("-x") => {
                    let name = OsStr::from_bytes(&word.as_bytes()[2..]);
                    language = (name != "none").then(|| name.to_owned());
                }
                "-Xlinker" => {
                    let passed = rest.next().map(OsString::as_os_str);
                    passed.into_iter().for_each(|word| command.linked(word, &mut only_static));
                }
                "-static" => only_static = true,
                "-l" | "-L" => {
                    let value = rest.next().map(OsString::as_os_str);
                    value.into_iter().for_each(|value| command.library(&text, value, only_static));
                }
                _ if text.starts_with("-l") || text.starts_with("-L") => {
                    let (option, value) = text.split_at(2);
                    let value = word.as_bytes().get(2..).map_or(OsStr::new(value), OsStr::from_bytes);
                    command.library(option, value, only_static);
                }
                _ if text.starts_with("-Wl,") => {
                    for passed in word.as_bytes().split(|byte| *byte == b',').skip(1) {
                        command.linked(OsStr::from_bytes(passed), &mut only_static);
                    }
                }
                name if MEANING.contains(&name) => {
                    command.options.push(word.clone());
                    command.options.extend(rest.next().cloned());
                }
                name if BESIDE.contains(&name) => drop(rest.next()),
                name if is_dropped(name) => {}
                _ => command.options.push(word.clone()),
            }
        }
        if command.product == Product::Objects && command.output.is_some() && command.sources.len() > 1 {
            // The compiler refuses this itself.
            command.product = Product::Other;
        }
        command
    }

    /// Takes a word that is passed to the linker.
    fn linked(&mut self, word: &OsStr, only_static: &mut bool) {
        let text = word.to_string_lossy();
        match &*text {
            "-Bstatic" | "-dn" | "-non_shared" | "-static" => *only_static = true,
            "-Bdynamic" | "-dy" | "-call_shared" => *only_static = false,
            _ if text.starts_with("-l") || text.starts_with("-L") => {
                self.library(&text[..2], OsStr::from_bytes(&word.as_bytes()[2..]), *only_static);
            }
            _ if text.starts_with('-') => {}
            _ => self.inputs.push(Input::File(word.into())),
        }
    }

    /// Takes the value of `-l` or `-L`.
    fn library(&mut self, option: &str, value: &OsStr, only_static: bool) {
        match option {
            "-L" => self.folders.push(value.into()),
            _ => self.inputs.push(Input::Library { name: value.to_owned(), only_static }),
        }
    }

    /// Takes an input: sources are captured, all others are the linker's.
    fn input(&mut self, word: &OsStr, language: Option<&OsString>) {
        let file = PathBuf::from(word);
        let is_source = match language {
            Some(name) => ["c", "c++", "cpp-output", "c++-cpp-output"].iter().any(|known| name == *known),
            None => {
                let extension = file.extension().unwrap_or_default();
                ["c", "i", "ii", "cc", "cp", "cxx", "cpp", "CPP", "c++", "C"]
                    .iter()
                    .any(|known| extension == *known)
            }
        };
        // What is read from standard input can be read only once.
        if is_source && word != "-" {
            self.sources.push(Source { file, language: language.cloned() });
        } else if !is_source {
            self.inputs.push(Input::File(file));
        }
    }

    /// The libraries among what is linked, as files that `exists` knows: archives and shared libraries,
    /// where a linker looks for them, but for those of the system's own folders.
    pub fn libraries(&self, exists: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
        let find = |name: &OsStr, only_static: bool| {
            let named = |before: &str, after: &str| {
                let mut file = OsString::from(before);
                file.push(name);
                file.push(after);
                file
            };
            let files = match name.as_bytes().strip_prefix(b":") {
                Some(file) => vec![OsStr::from_bytes(file).to_owned()],
                None if only_static => vec![named("lib", ".a")],
                None => vec![named("lib", ".so"), named("lib", ".a")],
            };
            let places = self.folders.iter().flat_map(|folder| files.iter().map(|file| folder.join(file)));
            places.into_iter().find(|place| exists(place))
        };
        self.inputs
            .iter()
            .filter_map(|input| match input {
                Input::File(file) => (!is_object(file) && exists(file)).then(|| file.clone()),
                Input::Library { name, only_static } => find(name, *only_static),
            })
            .collect()
    }

    /// Where the object of a source goes.
    pub fn object(&self, source: &Source) -> PathBuf {
        self.output.clone().unwrap_or_else(|| {
            let name = source.file.file_name().unwrap_or_default();
            Path::new(name).with_extension("o")
        })
    }
}

/// Objects carry their bitcode into what is linked.
fn is_object(file: &Path) -> bool {
    ["o", "lo", "obj"].iter().any(|known| file.extension().unwrap_or_default() == *known)
}

fn is_dropped(option: &str) -> bool {
    DROPPED.iter().any(|dropped| match WHOLE.contains(dropped) {
        true => option == *dropped,
        false => option.starts_with(dropped),
    })
}

/// How deep response files may name others.
const NESTED: usize = 10;

/// Puts the words of response files in their place: separated by white space, with quotes and backslashes.
fn expand(arguments: &[OsString], read: &impl Fn(&Path) -> Option<Vec<u8>>, depth: usize) -> Vec<OsString> {
    let mut words = Vec::new();
    for word in arguments {
        let text = word.as_bytes().strip_prefix(b"@").filter(|_| depth < NESTED);
        match text.and_then(|name| read(Path::new(OsStr::from_bytes(name)))) {
            Some(text) => words.extend(expand(&split(&text), read, depth + 1)),
            None => words.push(word.clone()),
        }
    }
    words
}

/// The words of a response file.
fn split(text: &[u8]) -> Vec<OsString> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (byte, quote) {
            (b'\\', _) => word.get_or_insert_default().extend(bytes.next()),
            (b'\'' | b'"', None) => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (_, Some(open)) if byte == open => quote = None,
            (_, None) if byte.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words.iter().map(|word| OsStr::from_bytes(word).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::path::{Path, PathBuf};

    use super::{Command, Product};

    fn parse(line: &str) -> Command {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        Command::parse(&words, |file| {
            (file == Path::new("words")).then(|| b"-DA='1 2' -O3\n\"b c.c\" -c".to_vec())
        })
    }

    fn sources(command: &Command) -> Vec<PathBuf> {
        command.sources.iter().map(|source| source.file.clone()).collect()
    }

    #[test]
    fn an_object_is_made_of_a_source() {
        let command = parse(
            "-DX=1 -D Y -I../inc -O2 -g3 -MT a.o -MD -MF .deps/a.Tpo -std=gnu99 -Werror -c -o d/a.o s/a.c",
        );
        assert_eq!(command.product, Product::Objects);
        assert_eq!(sources(&command), [PathBuf::from("s/a.c")]);
        assert_eq!(command.object(&command.sources[0]), PathBuf::from("d/a.o"));
        assert_eq!(command.options, ["-DX=1", "-D", "Y", "-I../inc", "-std=gnu99"]);
        let without = parse("-c s/a.c");
        assert_eq!(without.object(&without.sources[0]), PathBuf::from("a.o"));
    }

    #[test]
    fn a_program_is_linked_of_sources_and_objects() {
        let command =
            parse("-shared -fPIC -s a.c b.o -x c++ strange -x none d.cpp libe.a -L/x -lm -Wl,-z,now -oprog");
        assert_eq!(command.product, Product::Linked);
        assert_eq!(sources(&command), ["a.c", "strange", "d.cpp"].map(PathBuf::from));
        assert_eq!(command.sources[1].language.as_deref(), Some("c++".as_ref()));
        assert_eq!(command.output, Some(PathBuf::from("prog")));
        assert_eq!(command.options, ["-fPIC"]);
    }

    #[test]
    fn what_makes_no_object_is_left_alone() {
        for line in
            ["-E a.c", "-S a.c -o a.s", "-MM a.c", "--version", "-print-search-dirs", "-c a.c b.c -o c.o"]
        {
            assert_eq!(parse(line).product, Product::Other, "{line}");
        }
        assert_eq!(sources(&parse("-x c - -o a.out")), Vec::<PathBuf>::new());
        assert_eq!(sources(&parse("-c start.S table.s")), Vec::<PathBuf>::new());
    }

    #[test]
    fn response_files_are_read() {
        let command = parse("@words @missing");
        assert_eq!(sources(&command), [PathBuf::from("b c.c")]);
        assert_eq!((command.product, command.options), (Product::Objects, vec!["-DA=1 2".into()]));
    }
}
