//! What users may say of a remote cache, and where keys come from.
#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use cache_core::store::remote::{Remote, SecretKey, Trust};
use reprise_tools::remote::{RemoteMode, Settings, SettingsError, variables};
use tempfile::TempDir;

/// A key that is always the same, so that tests are.
fn key(number: u8) -> SecretKey {
    SecretKey::parse(&format!("ed25519-secret:{}", format!("{number:02x}").repeat(32)), "a test").unwrap()
}

fn open(settings: &Settings, environment: &[(&str, &str)]) -> Result<Option<Remote>, SettingsError> {
    let find =
        |name: &str| environment.iter().find(|(of, _)| *of == name).map(|(_, value)| (*value).to_owned());
    settings.open(&find)
}

fn refused(settings: &Settings, environment: &[(&str, &str)]) -> String {
    open(settings, environment).unwrap_err().to_string()
}

const URL: (&str, &str) = (variables::URL, "https://cache.example/team");

#[test]
fn the_command_line_counts_before_the_environment_and_silence_means_none() {
    let trust = format!("ci={}", key(1).public());
    let trusted = (variables::TRUST, trust.as_str());
    assert!(open(&Settings::default(), &[]).unwrap().is_none());
    assert!(open(&Settings::default(), &[(variables::URL, ""), trusted]).unwrap().is_none());
    assert!(
        open(&Settings { url: Some(String::new()), ..Settings::default() }, &[URL, trusted])
            .unwrap()
            .is_none()
    );
    let place = |settings: &Settings| open(settings, &[URL, trusted]).unwrap().unwrap().place().to_owned();
    assert_eq!(place(&Settings::default()), "https://cache.example/team");
    let redis =
        Settings { url: Some("redis://:secret@cache.example:7000/2".to_owned()), ..Settings::default() };
    assert_eq!(place(&redis), "redis://cache.example:7000/2");
}

#[test]
fn what_cannot_be_meant_is_an_error_with_a_way_out() {
    assert!(refused(&Settings::default(), &[URL]).contains("REPRISE_REMOTE_TRUST"));
    let trust = key(1).public().to_string();
    let trusted = (variables::TRUST, trust.as_str());
    let other = Settings { url: Some("ftp://ada:secret@cache".to_owned()), ..Settings::default() };
    let told = refused(&other, &[trusted]);
    assert!(told.contains("redis://") && !told.contains("secret"), "{told}");
    let writes = (variables::MODE, "read-write");
    assert!(refused(&Settings::default(), &[URL, trusted, writes]).contains("--remote-sign"));
    let told = refused(&Settings::default(), &[URL, trusted, (variables::MODE, "write")]);
    assert!(told.contains("REPRISE_REMOTE_MODE") && told.contains("read-write"), "{told}");
    let told = refused(&Settings::default(), &[URL, (variables::TRUST, "ed25519:12")]);
    assert!(told.contains("keygen"), "{told}");
    let told = refused(&Settings::default(), &[URL, (variables::TRUST, "no/such/file")]);
    assert!(told.contains("no/such/file"), "{told}");
}

#[test]
fn a_secret_in_the_wrong_place_is_not_shown() {
    let secret = format!("ed25519-secret:{}", "ab".repeat(32));
    let told = refused(&Settings::default(), &[URL, (variables::TRUST, &secret)]);
    assert!(!told.contains("ab"), "{told}");
    let wrong = format!("{secret}0");
    let writes = (variables::MODE, "read-write");
    let told = refused(&Settings::default(), &[URL, writes, (variables::KEY, &wrong)]);
    assert!(told.contains("REPRISE_REMOTE_KEY") && !told.contains("abab"), "{told}");
    assert!(!format!("{:?}", key(0xab)).contains("abab"));
}

#[test]
fn a_key_that_others_can_read_is_refused() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("key");
    let made = SecretKey::generate().unwrap();
    assert_ne!(made.public(), SecretKey::generate().unwrap().public());
    made.write_new(&path).unwrap();
    assert_eq!(SecretKey::read(&path).unwrap().public(), made.public());
    assert!(made.write_new(&path).unwrap_err().to_string().contains("write"));
    let mode = Some(RemoteMode::ReadWrite);
    let settings = Settings {
        url: Some("http://cache.example".to_owned()),
        mode,
        sign: Some(path.clone()),
        ..Settings::default()
    };
    assert!(open(&settings, &[]).unwrap().is_some());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        assert!(refused(&settings, &[]).contains("chmod 600"));
    }
    let missing = Settings { sign: Some("no/such/key".into()), ..settings };
    assert!(refused(&missing, &[]).contains("no/such/key"));
}

#[test]
fn files_of_trusted_keys_hold_names_and_remarks() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("trusted");
    let text = format!(
        "# who fills the cache\nci = {} # since May\n\n{}, ada={}\n",
        key(1).public(),
        key(2).public(),
        key(1).public()
    );
    std::fs::write(&path, text).unwrap();
    let mut expected = Trust::nobody();
    expected.add("ci", key(1).public());
    expected.add(&key(2).public().to_string(), key(2).public());
    let mut read = Trust::nobody();
    read.add_all(&std::fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(read, expected);
    let trust = [path.to_str().unwrap().to_owned()];
    assert!(
        open(
            &Settings {
                url: Some("http://cache.example".to_owned()),
                trust: trust.into(),
                ..Settings::default()
            },
            &[]
        )
        .unwrap()
        .is_some()
    );
}
