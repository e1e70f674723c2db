//! Where the cache folder of a tool lies.
//!
//! Pure: the environment is read by the tools (through their `System`) and given in.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The environment variable that names the folder under which all tools keep their caches.
pub const CACHE_DIR: &str = "REPRISE_CACHE_DIR";
/// The environment variable of the XDG base directory specification.
pub const XDG_CACHE_HOME: &str = "XDG_CACHE_HOME";
/// The environment variable that names the user's home.
pub const HOME: &str = "HOME";

/// What was said about the place, in the order in which it counts. Empty values count as absent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Environment<'a> {
    /// The folder given on the command line; used as it is.
    pub flag: Option<&'a Path>,
    /// The value of [`CACHE_DIR`]; each tool has its own folder in it.
    pub cache_dir: Option<&'a OsStr>,
    /// The value of [`XDG_CACHE_HOME`]; ignored unless absolute, as its specification says.
    pub xdg_cache_home: Option<&'a OsStr>,
    /// The value of [`HOME`]; ignored unless absolute.
    pub home: Option<&'a OsStr>,
}

/// The cache folder of `tool`, or nothing where nothing says where it could be.
///
/// ```
/// use std::path::Path;
/// use reprise_tools::location::{Environment, cache_folder};
/// let environment = Environment { home: Some("/home/ada".as_ref()), ..Environment::default() };
/// assert_eq!(cache_folder("ivl", &environment).as_deref(), Some(Path::new("/home/ada/.cache/reprise/ivl")));
/// ```
#[must_use]
pub fn cache_folder(tool: &str, environment: &Environment<'_>) -> Option<PathBuf> {
    let Environment { flag, cache_dir, xdg_cache_home, home } = *environment;
    let given = |value: Option<&OsStr>| value.filter(|value| !value.is_empty()).map(PathBuf::from);
    let absolute = |value| given(value).filter(|path| path.is_absolute());
    if let Some(flag) = flag.filter(|flag| !flag.as_os_str().is_empty()) {
        return Some(flag.to_owned());
    }
    given(cache_dir)
        .map(|folder| folder.join(tool))
        .or_else(|| absolute(xdg_cache_home).map(|folder| folder.join("reprise").join(tool)))
        .or_else(|| absolute(home).map(|folder| folder.join(".cache").join("reprise").join(tool)))
}
