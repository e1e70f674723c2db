//! Sources of the distribution: fetched by `apt-get`, checked against a digest, unpacked into the build folder.
//!
//! `apt-get` is told to use a list of sources, indexes and a cache in that folder, so the system's own
//! configuration is read (for the mirror) and nothing of it touched. An archive that is there already is
//! checked again and not fetched again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::Error;
use crate::process;

/// The distribution's keys; where they lie elsewhere, apt's own are used.
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// A source package at one version of its authors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Archive {
    pub(super) package: &'static str,
    /// The release of the distribution that has this version.
    pub(super) release: &'static str,
    pub(super) file: &'static str,
    /// SHA-256 of the file, in hexadecimal digits.
    pub(super) digest: &'static str,
}

impl Archive {
    /// Fetches the archive if it is not in `folder`, and unpacks it into `into`; the folder that it holds.
    pub(super) fn unpack(&self, folder: &Path, into: &Path) -> Result<PathBuf, Error> {
        let archives = folder.join("archives");
        fs::create_dir_all(&archives).map_err(Error::writing(&archives))?;
        let file = archives.join(self.file);
        if self.check(&archives).is_err() {
            self.fetch(folder, &archives)?;
            self.check(&archives)?;
        }
        fs::create_dir_all(into).map_err(Error::writing(into))?;
        let mut tar = Command::new("tar");
        tar.arg("xf").arg(&file).arg("-C").arg(into);
        process::stdout(&mut tar)?;
        let mut entries = fs::read_dir(into).map_err(Error::reading(into))?;
        match entries.next() {
            Some(entry) => Ok(entry.map_err(Error::reading(into))?.path()),
            None => Err(Error::Findings(format!("{} is empty", self.file))),
        }
    }

    fn check(&self, archives: &Path) -> Result<(), Error> {
        let path = archives.join(self.file);
        if !path.exists() {
            return Err(Error::Findings(format!("{} was not fetched: there is another version", self.file)));
        }
        let mut command = Command::new("sha256sum");
        let found = process::stdout(command.arg(&path))?;
        let found = found.split_whitespace().next().unwrap_or_default();
        if found == self.digest {
            return Ok(());
        }
        Err(Error::Findings(format!("{} has the digest {found}, not {}", self.file, self.digest)))
    }

    fn fetch(&self, folder: &Path, archives: &Path) -> Result<(), Error> {
        let apt = Apt::new(&folder.join(format!("apt-{}", self.release)), self.release)?;
        let mut command = apt.command(&["source", "--download-only", "--tar-only", self.package]);
        process::stdout(command.current_dir(archives)).map(|_| ())
    }
}

/// `apt-get` with a folder of its own.
struct Apt {
    folder: PathBuf,
}

impl Apt {
    /// With the indexes of a release's sources, which are fetched once.
    fn new(folder: &Path, release: &str) -> Result<Apt, Error> {
        let apt = Apt { folder: folder.to_owned() };
        if folder.join("updated").exists() {
            return Ok(apt);
        }
        for name in ["lists/partial", "cache/archives/partial"] {
            fs::create_dir_all(folder.join(name)).map_err(Error::writing(folder))?;
        }
        let mut targets = Command::new("apt-get");
        targets.args([
            "indextargets",
            "--format",
            "$(REPO_URI) $(COMPONENT) $(ORIGIN)",
            "Created-By: Packages",
        ]);
        let known = process::stdout(&mut targets)?;
        // The mirror of the distribution itself, not those of updates or of others.
        let mirror = known.lines().find_map(|line| {
            let (place, _) = line.split_once(" main Debian")?;
            (!place.contains("security")).then(|| place.to_owned())
        });
        let Some(mirror) = mirror else {
            return Err(Error::Findings("apt-get knows no mirror".to_owned()));
        };
        let signed = if Path::new(KEYS).exists() { format!(" [signed-by={KEYS}]") } else { String::new() };
        let list = folder.join("sources.list");
        let line = format!("deb-src{signed} {mirror} {release} main\n");
        fs::write(&list, line).map_err(Error::writing(&list))?;
        process::stdout(&mut apt.command(&["update"]))?;
        let mark = folder.join("updated");
        fs::write(&mark, "").map_err(Error::writing(&mark))?;
        Ok(apt)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let place = |name: &str| self.folder.join(name).display().to_string();
        let mut command = Command::new("apt-get");
        for (option, value) in [
            ("Dir::Etc::sourcelist", place("sources.list")),
            ("Dir::Etc::sourceparts", "/dev/null".to_owned()),
            ("Dir::State::lists", place("lists")),
            ("Dir::Cache", place("cache")),
            ("APT::Sandbox::User", String::new()),
        ] {
            command.args(["-o", &format!("{option}={value}")]);
        }
        command.arg("-q").args(arguments);
        command
    }
}
