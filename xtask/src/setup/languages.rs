//! `cargo xtask setup --languages`: what `symexec` needs for C++ and Rust.
//!
//! For Rust it is a compiler whose bitcode LLVM 19 reads: Debian's package `rustc`. For C++ it is a library as
//! bitcode, in `.deps/cxx`: libc++ of LLVM 19.1.7. Its sources and headers come out of the pinned wheel of Zig,
//! which carries them to build it where a program needs it; nothing else of the wheel is kept. They are
//! compiled here by clang 19. What libc++abi is to libc++, `symexec`'s own runtime is here
//! (`symexec/runtime/cxx`), but for the exception classes of `<stdexcept>`.
//!
//! ```text
//! .deps/cxx/include/    headers, with the configuration below
//! .deps/cxx/*.bc        a file for each source, taken one by one as out of an archive
//! .deps/cxx/index       what each of them defines
//! ```

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{create, remove, root, wheel_for, write};
use crate::error::SetupError;
use crate::workers::side_by_side;

/// The wheel that has the sources.
const WHEEL: &str = "ziglang==0.14.1";
/// Its platform: the sources are the same in all.
const PLATFORM: &str = "manylinux_2_12_x86_64";
/// Its SHA-256.
const HASH: &str = "6eb9d4d759b292c83810dbee2e9e8e3fbfbf01d864e6e9811bae711fd74e1c2f";

/// How the library is configured: as Debian's, but for algorithms in threads and the data of time zones.
const SITE: &str = "#define _LIBCPP_ABI_VERSION 1\n\
    #define _LIBCPP_ABI_NAMESPACE __1\n\
    #define _LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS\n\
    #define _LIBCPP_HAS_NO_TIME_ZONE_DATABASE\n\
    #define _LIBCPP_PSTL_BACKEND_SERIAL\n\
    #define _LIBCPP_HARDENING_MODE_DEFAULT 2\n";

/// How sources are compiled. Some optimisation, since nobody explores the library for its own sake; no vectors.
const OPTIONS: [&str; 20] = [
    "-O1",
    "-fno-vectorize",
    "-fno-slp-vectorize",
    "-gline-tables-only",
    "-w",
    "-std=c++23",
    "-nostdinc++",
    "-include",
    "include/__config_site",
    "-isystem",
    "include",
    "-Isource/libcxx/src",
    "-Isource/libcxxabi/include",
    "-Isource/libcxxabi/src",
    "-D_LIBCPP_BUILDING_LIBRARY",
    "-DLIBCXX_BUILDING_LIBCXXABI",
    "-D_LIBCXXABI_BUILDING_LIBRARY",
    "-D_GNU_SOURCE",
    "-emit-llvm",
    "-c",
];

/// Folders of sources, and single files.
const SOURCES: [&str; 5] = [
    "libcxx/src",
    "libcxx/src/ryu",
    "libcxx/src/filesystem",
    "libcxxabi/src/cxa_vector.cpp",
    "libcxxabi/src/stdlib_stdexcept.cpp",
];
/// What the runtime has instead, or no program needs.
const LEFT_OUT: [&str; 4] = ["new.cpp", "new_handler.cpp", "typeinfo.cpp", "int128_builtins.cpp"];

fn folder() -> PathBuf {
    root().join(".deps/cxx")
}

fn stamp() -> String {
    format!("{WHEEL} {HASH}\n{}\n{SITE}", OPTIONS.join(" "))
}

/// Whether the library is there.
pub(crate) fn has_cxx() -> bool {
    fs::read_to_string(folder().join("stamp")).is_ok_and(|text| text == stamp())
}

/// Debian's compiler of Rust.
const RUSTC: &str = "/usr/bin/rustc";
/// The newest LLVM whose bitcode is read.
const LLVM: u32 = 19;

/// Whether there is a compiler of Rust whose bitcode is read.
pub(crate) fn rustc_is_present() -> bool {
    let Some(text) = super::output(RUSTC, &["--version", "--verbose"]) else { return false };
    let version = text.lines().find_map(|line| line.strip_prefix("LLVM version: "));
    let major = version.and_then(|version| version.split('.').next()?.parse::<u32>().ok());
    major.is_some_and(|major| major <= LLVM)
}

/// Makes the library and installs the compiler, unless they are there or `check` is set.
pub(crate) fn languages(check: bool) -> Result<(), SetupError> {
    match rustc_is_present() {
        true => println!("setup: {RUSTC} makes bitcode that symexec reads"),
        false if check => return Err(SetupError::Missing("Debian's rustc (`--languages`)".to_owned())),
        false => super::install_packages(&["rustc"])?,
    }
    cxx(check)
}

/// Makes the library, unless it is there or `check` is set.
fn cxx(check: bool) -> Result<(), SetupError> {
    if has_cxx() {
        println!("setup: the C++ library of symexec is in .deps/cxx");
        return Ok(());
    }
    if check {
        return Err(SetupError::Missing("the C++ library of symexec (`--languages`)".to_owned()));
    }
    println!("setup: fetching libc++ in {WHEEL} (about 83 MB)");
    let folder = folder();
    let aside = folder.with_extension("part");
    remove(&aside)?;
    create(&aside)?;
    let fetched = aside.join("wheel");
    wheel_for(Some(PLATFORM), WHEEL, &[HASH], &fetched)?;
    let moved = |from: &str, to: &str| {
        let target = aside.join(to);
        fs::rename(fetched.join("ziglang/lib").join(from), &target)
            .map_err(|source| SetupError::Write { path: target, source })
    };
    create(&aside.join("source"))?;
    moved("libcxx", "source/libcxx")?;
    moved("libcxxabi", "source/libcxxabi")?;
    remove(&fetched)?;
    let include = aside.join("source/libcxx/include");
    fs::rename(&include, aside.join("include"))
        .map_err(|source| SetupError::Write { path: include, source })?;
    write(&aside.join("include/__config_site"), SITE)?;
    let sources = sources(&aside.join("source"))?;
    println!("setup: compiling {} sources of libc++ to bitcode", sources.len());
    compile(&aside, &sources)?;
    let index = index(&aside, &sources)?;
    remove(&aside.join("source"))?;
    write(&aside.join("index"), &index)?;
    write(&aside.join("stamp"), &stamp())?;
    remove(&folder)?;
    fs::rename(&aside, &folder).map_err(|source| SetupError::Write { path: folder.clone(), source })?;
    println!("setup: the C++ library of symexec is in .deps/cxx");
    Ok(())
}

/// The sources, relative to a folder, in order.
fn sources(from: &Path) -> Result<Vec<String>, SetupError> {
    let mut found = Vec::new();
    for place in SOURCES {
        let path = from.join(place);
        if path.is_file() {
            found.push(place.to_owned());
            continue;
        }
        let entries =
            fs::read_dir(&path).map_err(|source| SetupError::Write { path: path.clone(), source })?;
        for name in entries.filter_map(Result::ok).map(|entry| entry.file_name()) {
            let name = name.to_string_lossy();
            if name.ends_with(".cpp") && !LEFT_OUT.contains(&&*name) {
                found.push(format!("{place}/{name}"));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The file of bitcode that is made of a source.
fn bitcode(source: &str) -> String {
    source.replace('/', "-").replace(".cpp", ".bc")
}

/// Compiles the sources, as many at once as there are processors.
fn compile(folder: &Path, sources: &[String]) -> Result<(), SetupError> {
    let compiled = side_by_side(sources, |source| {
        let mut clang = Command::new("clang-19");
        clang.current_dir(folder).args(OPTIONS).arg("-o").arg(bitcode(source));
        super::status(clang.arg(Path::new("source").join(source)))
    });
    compiled.into_iter().collect()
}

/// What each file defines: what only one may define comes first, so that it is the one that is found.
fn index(folder: &Path, sources: &[String]) -> Result<String, SetupError> {
    let mut text = String::new();
    for source in sources {
        let name = bitcode(source);
        let mut list = Command::new("llvm-nm-19");
        list.current_dir(folder).args(["--defined-only", "--extern-only", "--format=posix"]).arg(&name);
        let failed = |detail: String| SetupError::Failed { command: format!("llvm-nm-19 {name}"), detail };
        let output = list.stdin(Stdio::null()).output().map_err(|error| failed(format!(": {error}")))?;
        if !output.status.success() {
            return Err(failed(format!(" ({})", output.status)));
        }
        let _ = writeln!(text, "{name}");
        let listed = String::from_utf8_lossy(&output.stdout).into_owned();
        for line in listed.lines() {
            if let Some(symbol) = line.split(' ').next() {
                let _ = writeln!(text, " {symbol}");
            }
        }
    }
    Ok(text)
}
