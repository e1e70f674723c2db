//! The remote cache: what a team gets from it, and what a server that lies can do to it.

mod liars;
mod real;
mod resting;
mod server;
mod words;

use std::sync::Arc;
use std::time::Duration;

use cache_core::cache::{Answer, Cache, CacheConfig};
use cache_core::stats::MissReason;
use cache_core::store::remote::exchange::{self, Exchanged};
use cache_core::store::remote::{Http, PublicKey, Remote, RemoteOptions, SecretKey, Trust};
use cache_core::store::{DiskOptions, DiskStore, Found, MemoryStore, Store, Tiered};
use serde::{Deserialize, Serialize};
use server::{Lie, Server};

use super::{fresh_folder, hit, id, open};

/// A key that is always the same, so that tests are.
fn key(number: u8) -> SecretKey {
    SecretKey::parse(&format!("ed25519-secret:{}", format!("{number:02x}").repeat(32)), "a test").unwrap()
}

fn trusting(numbers: &[u8]) -> Trust {
    let mut trust = Trust::nobody();
    for number in numbers {
        trust.add(&format!("builder {number}"), key(*number).public());
    }
    trust
}

/// Long enough for a machine with other things to do.
fn patient() -> RemoteOptions {
    let minute = Duration::from_secs(60);
    RemoteOptions::default().patience(minute).request(minute)
}

fn writer(url: &str, number: u8) -> Remote {
    let options = patient().sign(key(number)).trust(trusting(&[number]));
    Remote::new(Box::new(Http::new(url, None)), options)
}

fn reader(url: &str, trusted: &[u8]) -> Remote {
    Remote::new(Box::new(Http::new(url, None)), patient().trust(trusting(trusted)))
}

fn put(store: &dyn Store, names: &[&str]) {
    for name in names {
        store.put(&id(name), name.as_bytes()).unwrap();
    }
    store.flush().unwrap();
}

fn missing(why: MissReason) -> Found {
    Found::Missing(why)
}

#[test]
fn what_one_machine_puts_another_finds_and_keeps_on_its_disk() {
    let (server, folder) = (Server::start(), fresh_folder());
    put(&writer(&server.url(), 1), &["a", "b"]);
    let disk = Arc::new(open(&folder));
    let tiers: Vec<Box<dyn Store>> = vec![Box::new(Arc::clone(&disk)), Box::new(reader(&server.url(), &[1]))];
    let store = Tiered::new(tiers);
    assert_eq!(store.get(&id("a")).unwrap(), hit("a"));
    assert_eq!(store.signer(&id("a")).as_deref(), Some("builder 1"));
    assert_eq!(store.get(&id("c")).unwrap(), missing(MissReason::Absent));
    assert_eq!(server.gets(), 2);
    // The next time, and without the server, the disk has it, and knows whose it is.
    let reopened = |trusted: &[u8]| {
        let tiers: Vec<Box<dyn Store>> =
            vec![Box::new(Arc::clone(&disk)), Box::new(reader(&server.url(), trusted))];
        Tiered::new(tiers)
    };
    let next = reopened(&[2, 1]);
    assert_eq!(next.get(&id("a")).unwrap(), hit("a"));
    assert_eq!(next.signer(&id("a")).as_deref(), Some("builder 1"));
    assert_eq!(disk.get(&id("a")).unwrap(), missing(MissReason::Absent), "it is not its own");
    assert_eq!(server.gets(), 0);
    assert!(store.take_troubles().is_empty() && next.take_troubles().is_empty());
    next.prefetch(&[id("a"), id("b")]);
    assert_eq!(server.gets(), 1);
    // What is removed is removed there too.
    next.remove(&id("a")).unwrap();
    assert_eq!(next.get(&id("a")).unwrap(), missing(MissReason::Absent));
    assert_eq!(reopened(&[1]).get(&id("a")).unwrap(), hit("a"));
    assert_eq!(server.gets(), 1);
}

#[test]
fn what_others_signed_is_not_pushed_as_ones_own() {
    let (server, folder) = (Server::start(), fresh_folder());
    put(&writer(&server.url(), 1), &["theirs"]);
    let disk = Arc::new(open(&folder));
    let store = Tiered::new(vec![Box::new(Arc::clone(&disk)), Box::new(reader(&server.url(), &[1]))]);
    assert_eq!(store.get(&id("theirs")).unwrap(), hit("theirs"));
    put(&disk, &["own"]);
    let pushed = exchange::push(&disk, &writer(&server.url(), 2), "ivl").unwrap();
    assert_eq!(pushed, Exchanged { carried: 1, ..Exchanged::default() });
    let listed = exchange::listing(&reader(&server.url(), &[2]), "ivl").unwrap();
    assert_eq!(listed.ids, [id("own")]);
    assert_eq!(reader(&server.url(), &[2]).get(&id("theirs")).unwrap(), missing(MissReason::Untrusted));
}

#[test]
fn a_disk_that_is_only_read_is_no_trouble() {
    let (server, folder) = (Server::start(), fresh_folder());
    put(&writer(&server.url(), 1), &["a"]);
    let options = DiskOptions::default().read_only(true);
    let disk = DiskStore::open(folder.path(), options).unwrap();
    let store = Tiered::new(vec![Box::new(disk), Box::new(reader(&server.url(), &[1]))]);
    assert_eq!(store.get(&id("a")).unwrap(), hit("a"));
    assert!(store.take_troubles().is_empty());
}

#[test]
fn records_lie_where_bazels_caches_have_them_and_say_nothing_of_their_question() {
    let server = Server::start();
    put(&writer(&server.url(), 1), &["the content of a question"]);
    let records = server.records();
    let path = records[0].0.strip_prefix("/team/ac/").unwrap();
    assert_eq!(path.len(), 64);
    assert!(path.bytes().all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit)));
    for digest in [
        id("the content of a question").confirm.to_bytes().as_slice(),
        &id("the content of a question").digest.to_bytes(),
    ] {
        assert!(!records[0].1.windows(digest.len()).any(|window| window == digest));
    }
    // A message whose field 5 is the record: an `ActionResult` with an output.
    assert_eq!(records[0].1[0], 5 << 3 | 2);
}

#[test]
fn long_payloads_travel_compressed_and_random_ones_as_they_are() {
    let server = Server::start();
    let store = writer(&server.url(), 1);
    let regular = "assert x < 3; ".repeat(5000);
    let random: Vec<u8> = (0..5000_u32).flat_map(|n| id(&n.to_string()).digest.to_bytes()).collect();
    store.put(&id("regular"), regular.as_bytes()).unwrap();
    store.put(&id("random"), &random).unwrap();
    store.put(&id("empty"), b"").unwrap();
    store.flush().unwrap();
    let lengths: usize = server.records().iter().map(|(_, record)| record.len()).sum();
    assert!(lengths < random.len() + 1000, "{lengths}");
    let store = reader(&server.url(), &[1]);
    assert_eq!(store.get(&id("regular")).unwrap(), hit(regular));
    assert_eq!(store.get(&id("random")).unwrap(), hit(random));
    assert_eq!(store.get(&id("empty")).unwrap(), hit(""));
}

#[test]
fn records_that_travel_together_are_read_one_by_one() {
    for count in [1, 2, 3, 63, 64, 65, 150] {
        let server = Server::start();
        let names: Vec<String> = (0..count).map(|n| n.to_string()).collect();
        put(&writer(&server.url(), 1), &names.iter().map(String::as_str).collect::<Vec<_>>());
        for name in names.iter().rev().step_by(7) {
            assert_eq!(reader(&server.url(), &[1]).get(&id(name)).unwrap(), hit(name.as_str()), "{count}");
        }
    }
}

#[test]
fn look_ups_go_out_side_by_side_and_each_once() {
    let server = Server::start();
    let names: Vec<String> = (0..200).map(|n| n.to_string()).collect();
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    put(&writer(&server.url(), 1), &all[..150]);
    // With fewer at one time nobody would be answered.
    server.lies(Lie::Together(4));
    let store = reader(&server.url(), &[1]);
    let ids: Vec<_> = all.iter().map(|name| id(name)).collect();
    store.prefetch(&ids);
    assert_eq!(server.gets(), 200);
    assert!((4..=16).contains(&server.most_asking()));
    for (at, name) in all.iter().enumerate() {
        let expected = if at < 150 { hit(*name) } else { missing(MissReason::Absent) };
        assert_eq!(store.get(&id(name)).unwrap(), expected);
    }
    assert_eq!(server.gets(), 0);
    // What was missing is not asked for again, what was given would be.
    store.prefetch(&ids[150..]);
    assert_eq!(server.gets(), 0);
}

#[test]
fn only_what_the_disk_lacks_is_asked_of_the_server() {
    let (server, folder) = (Server::start(), fresh_folder());
    put(&writer(&server.url(), 1), &["a", "b"]);
    let disk = open(&folder);
    put(&disk, &["a"]);
    let store = Tiered::new(vec![Box::new(disk), Box::new(reader(&server.url(), &[1]))]);
    store.prefetch(&[id("a"), id("b")]);
    assert_eq!(server.gets(), 1);
    assert_eq!(store.get(&id("a")).unwrap(), hit("a"));
    assert_eq!(store.get(&id("b")).unwrap(), hit("b"));
    assert_eq!(server.gets(), 0);
}

#[test]
fn without_a_key_nothing_is_sent() {
    let server = Server::start();
    let store = reader(&server.url(), &[1]);
    store.put(&id("a"), b"a").unwrap();
    assert_eq!(store.get(&id("a")).unwrap(), missing(MissReason::Absent), "it waits for nothing either");
    store.flush().unwrap();
    assert_eq!(server.puts(), 0);
}

#[test]
fn a_server_that_ends_what_it_kept_open_is_asked_again() {
    let server = Server::start();
    put(&writer(&server.url(), 1), &["a", "b"]);
    server.lies(Lie::Once);
    let store = reader(&server.url(), &[1]);
    for name in ["a", "b"] {
        assert_eq!(store.get(&id(name)).unwrap(), hit(name));
    }
    assert_eq!(store.take_troubles().len(), 0);
}

#[test]
fn what_was_put_is_sent_at_the_latest_when_the_store_is_dropped_and_given_before() {
    let server = Server::start();
    let store = writer(&server.url(), 1);
    store.put(&id("a"), b"1").unwrap();
    store.put(&id("a"), b"2").unwrap();
    assert_eq!(store.get(&id("a")).unwrap(), hit("2"));
    assert_eq!(server.puts(), 0);
    drop(store);
    assert_eq!(server.puts(), 1);
    assert_eq!(reader(&server.url(), &[1]).get(&id("a")).unwrap(), hit("2"));
}

#[test]
fn what_waits_to_be_sent_is_newer_than_what_is_fetched_beforehand() {
    let server = Server::start();
    put(&writer(&server.url(), 1), &["a"]);
    let store =
        Remote::new(Box::new(Http::new(&server.url(), None)), patient().sign(key(1)).trust(trusting(&[1])));
    store.put(&id("a"), b"better").unwrap();
    store.prefetch(&[id("a"), id("b")]);
    for hits in 1..=3 {
        assert_eq!(store.get(&id("a")).unwrap(), hit("better"));
        assert_eq!(store.counters().hits, hits);
    }
    assert_eq!(store.get(&id("b")).unwrap(), missing(MissReason::Absent));
    assert_eq!(server.gets(), 2, "both were asked for beforehand");
}

#[test]
fn what_is_removed_is_not_taken_from_the_server_again() {
    let server = Server::start();
    put(&writer(&server.url(), 1), &["a"]);
    let store = reader(&server.url(), &[1]);
    assert_eq!(store.get(&id("a")).unwrap(), hit("a"));
    store.remove(&id("a")).unwrap();
    assert_eq!(store.get(&id("a")).unwrap(), missing(MissReason::Absent));
    // Others have it still, and nobody empties what they share.
    assert!(store.clean().unwrap_err().to_string().contains("others"));
    assert_eq!(reader(&server.url(), &[1]).get(&id("a")).unwrap(), hit("a"));
}

#[test]
fn credentials_are_sent_and_never_shown() {
    let server = Server::start();
    let url = server.url().replace("http://", "http://ada:secret@");
    let store = Remote::new(Box::new(Http::new(&url, None)), patient().trust(trusting(&[1])));
    // Until it is found to be out of order it counts as a store that is far.
    assert!(store.is_far());
    assert_eq!(store.place(), server.url());
    store.get(&id("a")).unwrap();
    assert_eq!(server.authorization().as_deref(), Some("Basic YWRhOnNlY3JldA=="));
    server.lies(Lie::Status(403));
    store.get(&id("b")).unwrap();
    let told = store.take_troubles()[0].to_string();
    assert!(told.contains("credentials") && !told.contains("secret"), "{told}");
    assert!(!store.is_far());
    let http = Http::new(&server.url(), Some("t0ken"));
    Remote::new(Box::new(http), patient()).get(&id("a")).unwrap();
    assert_eq!(server.authorization().as_deref(), Some("Bearer t0ken"));
}

#[test]
fn what_a_folder_has_is_pushed_once_and_pulled_by_others() {
    let (server, here, there) = (Server::start(), fresh_folder(), fresh_folder());
    let mine = open(&here);
    let names: Vec<String> = (0..50).map(|n| n.to_string().repeat(1 + n * 7)).collect();
    put(&mine, &names.iter().map(String::as_str).collect::<Vec<_>>());
    mine.put(&id("gone"), b"1").unwrap();
    mine.remove(&id("gone")).unwrap();
    mine.put(&id("0"), b"newer").unwrap();

    let push = |store: &DiskStore| exchange::push(store, &writer(&server.url(), 1), "ivl").unwrap();
    assert_eq!(push(&mine), Exchanged { carried: 50, ..Exchanged::default() });
    assert_eq!(push(&mine), Exchanged { present: 50, ..Exchanged::default() });
    // Another one adds to what is listed.
    let theirs = open(&there);
    put(&theirs, &["theirs", "0"]);
    assert_eq!(push(&theirs), Exchanged { carried: 2, ..Exchanged::default() });

    let all = reader(&server.url(), &[1]);
    let listing = exchange::listing(&all, "ivl").unwrap();
    assert_eq!((listing.ids.len(), listing.signer.as_deref()), (51, Some("builder 1")));
    let folder = fresh_folder();
    let fresh = open(&folder);
    put(&fresh, &["theirs"]);
    let pulled = exchange::pull(&all, &fresh, "ivl").unwrap();
    assert_eq!(pulled, Exchanged { carried: 50, present: 1, missing: 0 });
    let remembered = Remote::remembered(&fresh).unwrap().unwrap();
    let offline = Tiered::new(vec![Box::new(fresh), Box::new(remembered)]);
    assert_eq!(offline.get(&id(&names[40])).unwrap(), hit(names[40].as_str()));
    // Who trusts nobody that pushed finds nothing listed.
    assert!(exchange::listing(&reader(&server.url(), &[2]), "ivl").unwrap().ids.is_empty());
    assert!(exchange::listing(&all, "symexec").unwrap().ids.is_empty());
}

#[test]
fn a_key_is_made_once_for_its_user_alone() {
    let folder = fresh_folder();
    let path = folder.path().join("key");
    let made = SecretKey::generate().unwrap();
    assert_ne!(made.public(), SecretKey::generate().unwrap().public());
    made.write_new(&path).unwrap();
    assert_eq!(SecretKey::read(&path).unwrap().public(), made.public());
    assert!(made.write_new(&path).unwrap_err().to_string().contains("write"));
}

#[test]
fn a_key_under_which_anyone_can_sign_is_none() {
    let identity = format!("ed25519:01{}", "00".repeat(31));
    assert!(Trust::nobody().add_all(&identity).is_err());
}

#[test]
fn a_cache_is_far_while_its_server_is_asked() {
    let server = Server::start();
    let far = |store: Arc<dyn Store>| Cache::<Plain>::new(CacheConfig::default().store(store)).is_far();
    let store = Arc::new(reader(&server.url(), &[1]));
    assert!(far(Arc::clone(&store) as Arc<dyn Store>));
    server.lies(Lie::Status(500));
    store.get(&id("a")).unwrap();
    assert!(!far(store));
    assert!(!far(Arc::new(MemoryStore::new())));
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Plain;

impl Answer for Plain {
    fn out_of_limits(&self) -> bool {
        false
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        self == fresh
    }
}

#[test]
fn what_waits_goes_out_once_it_is_much() {
    let server = Server::start();
    let store = writer(&server.url(), 1);
    let payload = vec![7; 500_000];
    for name in ["a", "b"] {
        store.put(&id(name), &payload).unwrap();
    }
    assert_eq!(server.puts(), 0);
    store.put(&id("c"), &payload).unwrap();
    assert_eq!(server.puts(), 3);
}

#[test]
fn what_is_removed_before_it_was_sent_is_not_sent() {
    let server = Server::start();
    let store = writer(&server.url(), 1);
    for name in ["a", "b"] {
        store.put(&id(name), name.as_bytes()).unwrap();
    }
    store.remove(&id("a")).unwrap();
    store.flush().unwrap();
    let store = reader(&server.url(), &[1]);
    assert_eq!(store.get(&id("a")).unwrap(), missing(MissReason::Absent));
    assert_eq!(store.get(&id("b")).unwrap(), hit("b"));
}

#[test]
fn what_is_listed_and_cannot_be_had_is_counted() {
    let (server, here, there) = (Server::start(), fresh_folder(), fresh_folder());
    let mine = open(&here);
    put(&mine, &["a", "b", "c"]);
    exchange::push(&mine, &writer(&server.url(), 1), "ivl").unwrap();
    // Somebody whom nobody trusts writes over two of them.
    put(&writer(&server.url(), 2), &["a", "c"]);
    let pulled = exchange::pull(&reader(&server.url(), &[1]), &open(&there), "ivl").unwrap();
    assert_eq!(pulled, Exchanged { carried: 1, missing: 2, ..Exchanged::default() });
}

#[test]
fn keys_are_shown_and_secrets_are_not() {
    let (secret, public) = (key(1), key(1).public());
    let digits = "01".repeat(32);
    for shown in [format!("{secret:?}"), format!("{public:?}"), public.to_string()] {
        assert!(shown.contains(&public.to_string()) && !shown.contains(&digits), "{shown}");
    }
    assert_eq!(public.to_string().parse::<PublicKey>().unwrap(), public);
    assert!(public.to_string().starts_with("ed25519:") && public.to_string().len() == 8 + 64);
    assert!(Trust::nobody().is_empty() && !trusting(&[1]).is_empty());
    // What was put in the wrong place may be a secret: its beginning is enough to find it.
    let wrong = format!("ed25519-secret:{digits}");
    let message = wrong.parse::<PublicKey>().unwrap_err().to_string();
    assert!(message.contains("`ed25519-secr…`") && !message.contains("0101"), "{message}");
    let short = "ed25519:12".parse::<PublicKey>().unwrap_err().to_string();
    assert!(short.contains("`ed25519:12`"), "{short}");
    let remote = reader("http://cache.example:1/a", &[1]);
    assert!(format!("{remote:?}").contains("cache.example"), "{remote:?}");
}
