//! Who signs, and who is believed.
//!
//! Keys are ed25519's. A public key is written `ed25519:` and 64 hexadecimal digits, a secret one
//! `ed25519-secret:` and as many. A secret key comes from a file that nobody else can read or from an environment
//! variable, never from a command line, which every user of a machine can see.

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};

use crate::digest::Confirm;

const PUBLIC: &str = "ed25519:";
const SECRET: &str = "ed25519-secret:";

/// Why a key cannot be used. No message contains a secret.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The text, whose beginning this is, is no public key.
    #[error(
        "`{0}` is no public key: expected `ed25519:` and 64 hexadecimal digits, as `cache keygen` prints it"
    )]
    Public(String),
    /// The text is no secret key. It is not repeated.
    #[error(
        "{0} holds no secret key: expected `ed25519-secret:` and 64 hexadecimal digits, as `cache keygen` writes it"
    )]
    Secret(String),
    /// A file with a secret key can be read by others.
    #[error("the secret key in `{0}` can be read by others: make it yours alone (chmod 600)")]
    Readable(PathBuf),
    /// A file cannot be read or written.
    #[error("cannot {what} the key in `{path}`: {source}")]
    File {
        /// `read` or `write`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The system gives no random bytes.
    #[error("no key can be made: the system gives no random bytes ({0})")]
    Random(String),
}

/// The beginning of a public key's confirming digest, by which records and copies name keys that an answer rests on.
pub(super) type Fingerprint = [u8; 16];

/// A key that readers trust.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// What records say of who signed them; the signature says it for certain.
    pub(super) fn hint(&self) -> [u8; 8] {
        let bytes = self.0.as_bytes();
        std::array::from_fn(|at| bytes[at])
    }

    pub(super) fn fingerprint(&self) -> Fingerprint {
        let digest = Confirm::of(self.to_string().as_bytes()).to_bytes();
        std::array::from_fn(|at| digest[at])
    }

    pub(super) fn has_signed(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        self.0.verify_strict(message, &Signature::from_bytes(signature)).is_ok()
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PUBLIC}{}", hex(self.0.as_bytes()))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PublicKey({self})")
    }
}

impl FromStr for PublicKey {
    type Err = KeyError;

    /// Keys under which anyone could sign (those of small order) are none.
    fn from_str(text: &str) -> Result<Self, KeyError> {
        let bytes = text.strip_prefix(PUBLIC).and_then(unhex);
        let key = bytes.and_then(|bytes| VerifyingKey::from_bytes(&bytes).ok());
        key.filter(|key| !key.is_weak()).map(Self).ok_or_else(|| KeyError::Public(beginning(text)))
    }
}

/// A key that signs. Wiped from memory when it is dropped; shown by no formatter.
#[derive(Clone)]
pub struct SecretKey(SigningKey);

impl SecretKey {
    /// A new key, of random bytes of the system.
    ///
    /// # Errors
    /// [`KeyError::Random`].
    pub fn generate() -> Result<Self, KeyError> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| KeyError::Random(error.to_string()))?;
        Ok(Self(SigningKey::from_bytes(&bytes)))
    }

    /// The key that a text holds, which came from `place`.
    ///
    /// # Errors
    /// [`KeyError::Secret`], which names the place and not the text.
    pub fn parse(text: &str, place: &str) -> Result<Self, KeyError> {
        let bytes = text.trim().strip_prefix(SECRET).and_then(unhex);
        bytes
            .map(|bytes| Self(SigningKey::from_bytes(&bytes)))
            .ok_or_else(|| KeyError::Secret(place.to_owned()))
    }

    /// The key in a file, which nobody else may be able to read.
    ///
    /// # Errors
    /// [`KeyError::File`], [`KeyError::Readable`], [`KeyError::Secret`].
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        let failed = |source| KeyError::File { what: "read", path: path.to_owned(), source };
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::metadata(path).map_err(failed)?.permissions().mode();
            if mode & 0o077 != 0 {
                return Err(KeyError::Readable(path.to_owned()));
            }
        }
        let text = std::fs::read_to_string(path).map_err(failed)?;
        Self::parse(&text, &format!("`{}`", path.display()))
    }

    /// Writes the key into a new file that its user alone can read.
    ///
    /// # Errors
    /// [`KeyError::File`], also where the file exists.
    pub fn write_new(&self, path: &Path) -> Result<(), KeyError> {
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let written =
            options.open(path).and_then(|mut file| writeln!(file, "{SECRET}{}", hex(self.0.as_bytes())));
        written.map_err(|source| KeyError::File { what: "write", path: path.to_owned(), source })
    }

    /// The key by which others recognize what this one signed.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    pub(super) fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretKey(of {})", self.public())
    }
}

/// The keys that a reader believes, each with a name for messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    signers: Vec<(String, PublicKey)>,
    /// Of the keys, in the same order.
    fingerprints: Vec<Fingerprint>,
}

impl Trust {
    /// Believes nobody.
    #[must_use]
    pub fn nobody() -> Self {
        Self::default()
    }

    /// Believes one more key. One that is known keeps its name.
    pub fn add(&mut self, name: &str, key: PublicKey) {
        if self.signers.iter().all(|(_, known)| *known != key) {
            self.signers.push((name.to_owned(), key));
            self.fingerprints.push(key.fingerprint());
        }
    }

    /// Believes the keys of a text: `KEY` or `NAME=KEY`, with commas or line breaks between them; from `#` to the end
    /// of its line a text is for people.
    ///
    /// # Errors
    /// [`KeyError::Public`] for the first that is none; then nothing of the text is believed.
    pub fn add_all(&mut self, text: &str) -> Result<(), KeyError> {
        let mut more = self.clone();
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or(""));
        for entry in lines.flat_map(|line| line.split(',')).map(str::trim).filter(|entry| !entry.is_empty()) {
            let (name, key) =
                entry.split_once('=').map_or(("", entry), |(name, key)| (name.trim(), key.trim()));
            let key: PublicKey = key.parse()?;
            let name = if name.is_empty() { key.to_string() } else { name.to_owned() };
            more.add(&name, key);
        }
        *self = more;
        Ok(())
    }

    /// Whether nobody is believed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.signers.is_empty()
    }

    /// The name of the n-th key.
    pub(super) fn name(&self, number: usize) -> Option<&str> {
        self.signers.get(number).map(|(name, _)| name.as_str())
    }

    /// The fingerprint of the n-th key.
    pub(super) fn fingerprint(&self, number: usize) -> Option<&Fingerprint> {
        self.fingerprints.get(number)
    }

    /// Which key has this fingerprint.
    pub(super) fn position(&self, key: &Fingerprint) -> Option<usize> {
        self.fingerprints.iter().position(|known| known == key)
    }

    /// Whether all of these keys are believed, or the reader's own.
    pub(super) fn covers(&self, keys: &[Fingerprint], own: Option<&Fingerprint>) -> bool {
        keys.iter().all(|key| self.fingerprints.contains(key) || own == Some(key))
    }

    /// Which of the keys that a record may be signed by signed it.
    pub(super) fn signer(&self, hint: [u8; 8], message: &[u8], signature: &[u8; 64]) -> Option<usize> {
        let signed =
            |(_, key): &(String, PublicKey)| key.hint() == hint && key.has_signed(message, signature);
        self.signers.iter().position(signed)
    }

    /// Whether a record may be signed by one of the keys.
    pub(super) fn knows(&self, hint: [u8; 8]) -> bool {
        self.signers.iter().any(|(_, key)| key.hint() == hint)
    }
}

/// As [`Trust::add_all`] reads it: `NAME=KEY`, a line each.
impl fmt::Display for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, key) in &self.signers {
            let name: String = name.chars().filter(|c| !matches!(c, ',' | '\n' | '\r' | '#' | '=')).collect();
            writeln!(f, "{name}={key}")?;
        }
        Ok(())
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |value: u8| char::from(DIGITS[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// The beginning of a text: it may be a secret that was put in the wrong place.
fn beginning(text: &str) -> String {
    const SHOWN: usize = 12;
    text.chars().take(SHOWN).chain(text.chars().nth(SHOWN).map(|_| '…')).collect()
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let digits: Vec<u8> =
        text.chars().map(|c| c.to_digit(16)).map(|d| d.map(|d| d as u8)).collect::<Option<_>>()?;
    let digits: [u8; 64] = digits.try_into().ok()?;
    Some(std::array::from_fn(|at| digits[2 * at] << 4 | digits[2 * at + 1]))
}
