//! What users say of a remote cache, on command lines and in the environment.

use std::path::{Path, PathBuf};
use std::time::Duration;

use cache_core::store::Store;
use cache_core::store::remote::{
    Http, KeyError, Redis, Remote, RemoteOptions, SecretKey, Transport, Trust, without_password,
};

/// The environment variables that say what a command line leaves open. Empty ones count as absent.
pub mod variables {
    /// The server's URL.
    pub const URL: &str = "REPRISE_REMOTE";
    /// The mode.
    pub const MODE: &str = "REPRISE_REMOTE_MODE";
    /// The public keys that are trusted, or the path of a file that holds them.
    pub const TRUST: &str = "REPRISE_REMOTE_TRUST";
    /// The path of the file with the secret key that signs.
    pub const SIGN: &str = "REPRISE_REMOTE_SIGN";
    /// The secret key itself, as services for continuous integration keep secrets.
    pub const KEY: &str = "REPRISE_REMOTE_KEY";
    /// A token that HTTP servers ask for.
    pub const TOKEN: &str = "REPRISE_REMOTE_TOKEN";
}

/// Whether answers are only taken from a remote cache or left there as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RemoteMode {
    /// Answers are taken.
    #[default]
    Read,
    /// Answers are taken, and new ones are signed and left.
    ReadWrite,
}

crate::names!(RemoteMode, "remote mode": Read = "read", ReadWrite = "read-write");

/// Why there is no remote cache although one was asked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SettingsError {
    /// The URL names no kind of server that this program reaches.
    #[error("`{0}` names no remote cache: use http://, https://, redis:// or rediss://")]
    Url(String),
    /// The URL is none of its kind of server.
    #[error("{0}")]
    Server(String),
    /// An environment variable holds no mode.
    #[error("REPRISE_REMOTE_MODE: {0}")]
    Mode(crate::names::UnknownName),
    /// Nobody is trusted, so that nothing would be served.
    #[error(
        "the remote cache is of no use while nobody is trusted: name the public keys of who fills it (--remote-trust, or \
         REPRISE_REMOTE_TRUST)"
    )]
    NobodyTrusted,
    /// Nothing to sign with.
    #[error(
        "the remote mode read-write needs a key to sign with: name its file (--remote-sign, or REPRISE_REMOTE_SIGN) or put \
         the key into REPRISE_REMOTE_KEY; `ivl cache keygen FILE` makes one"
    )]
    NoKey,
    /// A key cannot be used.
    #[error(transparent)]
    Key(#[from] KeyError),
}

/// What a command line says. Fill in what differs from `Settings::default()`, which leaves everything to the
/// environment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Settings {
    /// The server's URL; an empty one is none, whatever the environment says.
    pub url: Option<String>,
    /// The mode.
    pub mode: Option<RemoteMode>,
    /// Public keys that are trusted, or paths of files that hold such.
    pub trust: Vec<String>,
    /// The file with the secret key.
    pub sign: Option<PathBuf>,
    /// How long a run waits in vain, if not as long as usual.
    pub patience: Option<Duration>,
}

impl Settings {
    /// The remote cache that is asked for, if one is. `variable` reads the environment. Who may sign is trusted too.
    ///
    /// # Errors
    /// [`SettingsError`] for what was said and cannot be meant. A server that cannot be reached is no error, here
    /// or later.
    pub fn open(&self, variable: &dyn Fn(&str) -> Option<String>) -> Result<Option<Remote>, SettingsError> {
        let variable = |name| variable(name).filter(|text| !text.is_empty());
        let url = self.url.clone().or_else(|| variable(variables::URL));
        let Some(url) = url.filter(|url| !url.is_empty()) else { return Ok(None) };
        let mode = match (self.mode, variable(variables::MODE)) {
            (Some(mode), _) => mode,
            (None, Some(text)) => text.parse().map_err(SettingsError::Mode)?,
            (None, None) => RemoteMode::default(),
        };
        let sign = match mode {
            RemoteMode::Read => None,
            RemoteMode::ReadWrite => Some(self.key(&variable)?.ok_or(SettingsError::NoKey)?),
        };
        let mut trust = Trust::nobody();
        match variable(variables::TRUST) {
            Some(text) if self.trust.is_empty() => believe(&mut trust, &text)?,
            _ => {}
        }
        for text in &self.trust {
            believe(&mut trust, text)?;
        }
        if let Some(key) = &sign {
            trust.add(&key.public().to_string(), key.public());
        }
        if trust.is_empty() {
            return Err(SettingsError::NobodyTrusted);
        }
        let transport = transport(&url, variable(variables::TOKEN).as_deref())?;
        let mut options = RemoteOptions::default().trust(trust).sign(sign);
        if let Some(patience) = self.patience {
            options = options.patience(patience);
        }
        Ok(Some(Remote::new(transport, options)))
    }

    /// [`Settings::open`] behind a store, which learns who is trusted if it may. Where no server is named, what it has of
    /// those is served whom the last run trusted that named one.
    ///
    /// # Errors
    /// As [`Settings::open`].
    pub fn open_behind(
        &self,
        front: Option<&dyn Store>,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<Remote>, SettingsError> {
        let remote = self.open(variable)?;
        // What cannot be written or read tells so where answers are.
        Ok(match (remote, front) {
            (Some(remote), Some(front)) => {
                let _ = remote.remember(front);
                Some(remote)
            }
            (None, Some(front)) => Remote::remembered(front).ok().flatten(),
            (remote, None) => remote,
        })
    }

    /// The key that signs: of the file that the command line names, or else of the environment.
    fn key(&self, variable: &dyn Fn(&'static str) -> Option<String>) -> Result<Option<SecretKey>, KeyError> {
        let file = |path: &Path| SecretKey::read(path).map(Some);
        match (self.sign.as_deref(), variable(variables::KEY), variable(variables::SIGN)) {
            (Some(path), ..) => file(path),
            (None, Some(text), _) => SecretKey::parse(&text, variables::KEY).map(Some),
            (None, None, Some(path)) => file(&PathBuf::from(path)),
            (None, None, None) => Ok(None),
        }
    }
}

/// Believes the keys of a text, or of the file that it names.
fn believe(trust: &mut Trust, text: &str) -> Result<(), KeyError> {
    if text.contains(':') {
        return trust.add_all(text);
    }
    let read = std::fs::read_to_string(text);
    let read = read.map_err(|source| KeyError::File { what: "read", path: PathBuf::from(text), source })?;
    trust.add_all(&read)
}

fn transport(url: &str, token: Option<&str>) -> Result<Box<dyn Transport>, SettingsError> {
    match url.split_once("://") {
        Some(("http" | "https", host)) if !host.is_empty() => Ok(Box::new(Http::new(url, token))),
        Some(("redis" | "rediss", _)) => match Redis::new(url) {
            Ok(redis) => Ok(Box::new(redis)),
            Err(error) => Err(SettingsError::Server(error.to_string())),
        },
        _ => Err(SettingsError::Url(without_password(url))),
    }
}
