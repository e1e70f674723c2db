//! Servers that lie, and servers that are out of order: what they cost, and that no lie is served.

use std::net::TcpListener;

use cache_core::cache::{Answer, Asked, Cache, CacheConfig, Cost, Provenance};
use cache_core::key::{Key, KeyBuilder};
use cache_core::limits::Limits;
use serde::{Deserialize, Serialize};

use super::*;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Verdict {
    Valid,
    OutOfLimits,
}

impl Answer for Verdict {
    fn out_of_limits(&self) -> bool {
        *self == Self::OutOfLimits
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        self == fresh
    }
}

fn question() -> Key {
    KeyBuilder::new("proof", 1).content("goal", "x < 3").finish()
}

/// What a run says that is answered by an engine that needs so much resource.
fn run(store: Remote, resource: Option<u64>) -> (Verdict, Provenance) {
    let store: Arc<dyn Store> = Arc::new(store);
    let mut cache: Cache<Verdict> = Cache::new(CacheConfig::default().store(store));
    let limits = Limits { resource, ..Limits::default() };
    let enough = resource.is_none_or(|resource| resource >= 10);
    let answer = if enough { Verdict::Valid } else { Verdict::OutOfLimits };
    let ask = || Ok::<_, std::convert::Infallible>(Asked { answer, cost: Cost::default() });
    let answered = cache.answer(&question(), &limits, ask).unwrap();
    cache.finish();
    (answered.answer, answered.provenance)
}

/// A reader that waits for no more than this, and so shows what a server costs.
fn impatient(url: &str) -> Remote {
    let options = RemoteOptions::default()
        .trust(trusting(&[1]))
        .sign(key(1))
        .patience(Duration::from_millis(400))
        .request(Duration::from_millis(100));
    Remote::new(Box::new(Http::new(url, None)), options)
}

/// Whether every record that a server gives in place of the right ones is a miss, told once.
fn is_refused(server: &Server, lie: &Lie, told: &str) {
    server.lies(lie.clone());
    let store = reader(&server.url(), &[1]);
    for name in ["a", "b", "c"] {
        let found = store.get(&id(name)).unwrap();
        assert!(matches!(found, Found::Missing(_)), "{lie:?} gave {found:?}");
    }
    let troubles: Vec<String> = store.take_troubles().iter().map(ToString::to_string).collect();
    assert!(matches!(troubles.as_slice(), [one] if one.contains(told)), "{lie:?}: {troubles:?}");
    assert_eq!(store.counters().damaged, 3);
}

fn filled(number: u8) -> Server {
    let server = Server::start();
    put(&writer(&server.url(), number), &["a", "b", "c"]);
    server
}

#[test]
fn records_of_strangers_are_refused() {
    is_refused(&filled(2), &Lie::None, "nobody who is trusted");
}

#[test]
fn a_good_record_of_another_question_is_refused() {
    is_refused(&filled(1), &Lie::Neighbour, "not signed for its question");
}

#[test]
fn a_batch_that_was_believed_lends_its_signature_to_nothing_else() {
    let server = filled(1);
    let store = reader(&server.url(), &[1]);
    for name in ["a", "b", "c"] {
        assert_eq!(store.get(&id(name)).unwrap(), hit(name));
    }
    // The same records under other questions, and each with any bit changed, path and signature included.
    server.lies(Lie::Neighbour);
    for name in ["a", "b", "c"] {
        assert_eq!(store.get(&id(name)).unwrap(), missing(MissReason::Untrusted));
    }
    for bit in 0..server.records()[0].1.len() * 8 {
        server.lies(Lie::Flip(bit));
        let found = store.get(&id("a")).unwrap();
        assert!(matches!(found, Found::Missing(_)), "bit {bit} gave {found:?}");
    }
    server.lies(Lie::None);
    assert_eq!(store.get(&id("a")).unwrap(), hit("a"));
}

#[test]
fn a_record_that_claims_another_signer_is_refused() {
    let server = filled(2);
    let (_, mut record) = server.records().swap_remove(0);
    // Behind the tag, its length and the version the signer is named.
    let at = 3 + record[1..].iter().position(|byte| byte & 0x80 == 0).unwrap();
    let (_, good) = filled(1).records().swap_remove(0);
    record[at..at + 8].copy_from_slice(&good[at..at + 8]);
    is_refused(&server, &Lie::Always(record), "not signed for its question");
}

#[test]
fn records_cut_anywhere_are_refused() {
    let server = filled(1);
    let shortest = server.records().iter().map(|(_, record)| record.len()).min().unwrap();
    for length in 0..shortest {
        is_refused(&server, &Lie::Cut(length), "damaged");
    }
}

#[test]
fn records_with_any_bit_changed_are_refused() {
    let server = filled(1);
    let bits = server.records()[0].1.len() * 8;
    let store = reader(&server.url(), &[1]);
    for bit in 0..bits {
        server.lies(Lie::Flip(bit));
        let found = store.get(&id("a")).unwrap();
        assert!(matches!(found, Found::Missing(_)), "bit {bit} gave {found:?}");
    }
    assert_eq!(store.take_troubles().len(), 1);
}

#[test]
fn random_records_are_refused() {
    let server = filled(1);
    let random = |length: usize| -> Vec<u8> {
        (0..length).map(|at| id(&format!("{length} {at}")).digest.to_bytes()[0]).collect()
    };
    for length in [1, 2, 10, 100, 1000] {
        is_refused(&server, &Lie::Always(random(length)), "damaged");
        // As the record that a message holds.
        #[expect(clippy::cast_possible_truncation, reason = "the low seven bits are what is meant")]
        let head = [5 << 3 | 2, length as u8 | 0x80, (length >> 7) as u8, 1];
        is_refused(&server, &Lie::Always([head.as_slice(), &random(length)[1..]].concat()), "");
    }
}

#[test]
fn what_a_server_adds_of_its_own_is_passed_over() {
    let server = filled(1);
    server.lies(Lie::Extend);
    assert_eq!(reader(&server.url(), &[1]).get(&id("a")).unwrap(), hit("a"));
}

#[test]
fn a_server_that_withholds_costs_misses_and_no_warning() {
    let server = filled(1);
    server.lies(Lie::Withhold);
    let store = reader(&server.url(), &[1]);
    assert_eq!(store.get(&id("a")).unwrap(), missing(MissReason::Absent));
    assert!(store.take_troubles().is_empty());
}

#[test]
fn an_older_answer_is_judged_by_its_limits_as_ever() {
    let server = Server::start();
    // Out of limits first, decided later.
    assert_eq!(run(writer(&server.url(), 1), Some(5)).0, Verdict::OutOfLimits);
    assert_eq!(run(writer(&server.url(), 1), Some(20)).0, Verdict::Valid);
    assert_eq!(run(reader(&server.url(), &[1]), Some(3)), (Verdict::Valid, Provenance::Store));
    server.lies(Lie::Oldest);
    // It speaks for smaller budgets, as it always did, and for no other.
    assert_eq!(run(reader(&server.url(), &[1]), Some(3)), (Verdict::OutOfLimits, Provenance::Store));
    let fresh = Provenance::Fresh(MissReason::Limits);
    assert_eq!(run(reader(&server.url(), &[1]), Some(20)), (Verdict::Valid, fresh));
    assert_eq!(run(reader(&server.url(), &[1]), None), (Verdict::Valid, fresh));
}

#[test]
fn an_older_answer_that_was_wrong_is_not_served_once_its_key_is_not_trusted() {
    let server = Server::start();
    let wrong = writer(&server.url(), 1);
    wrong.put(&id("a"), b"wrong").unwrap();
    drop(wrong);
    let right = writer(&server.url(), 2);
    right.put(&id("a"), b"right").unwrap();
    drop(right);
    assert_eq!(reader(&server.url(), &[1, 2]).get(&id("a")).unwrap(), hit("right"));
    server.lies(Lie::Oldest);
    // While both are trusted, the server chooses which of them is heard: so a key that signed a wrong answer goes.
    assert_eq!(reader(&server.url(), &[1, 2]).get(&id("a")).unwrap(), hit("wrong"));
    assert_eq!(reader(&server.url(), &[2]).get(&id("a")).unwrap(), missing(MissReason::Untrusted));
}

#[test]
fn what_a_disk_kept_is_not_served_once_its_key_is_not_trusted() {
    let (server, folder) = (Server::start(), fresh_folder());
    for (number, word) in [(1, "wrong"), (2, "right")] {
        writer(&server.url(), number).put(&id("a"), word.as_bytes()).unwrap();
        if number == 1 {
            let disk = Box::new(open(&folder));
            let store = Tiered::new(vec![disk, Box::new(reader(&server.url(), &[1]))]);
            assert_eq!(store.get(&id("a")).unwrap(), hit("wrong"));
        }
    }
    let asked = |trusted: &[u8]| {
        let disk = Box::new(open(&folder));
        Tiered::new(vec![disk, Box::new(reader(&server.url(), trusted))]).get(&id("a")).unwrap()
    };
    // Who trusts the first one still gets what it signed, without asking; who does not asks, and keeps the other.
    assert_eq!(asked(&[1]), hit("wrong"));
    assert_eq!(asked(&[2]), hit("right"));
    server.lies(Lie::Status(500));
    assert_eq!(asked(&[2]), hit("right"));
    assert_eq!(asked(&[3]), missing(MissReason::Unreachable));
    // And what knows of no server has nothing of the kind.
    assert_eq!(open(&folder).get(&id("a")).unwrap(), missing(MissReason::Absent));
}

#[test]
fn runs_that_name_no_server_believe_whom_the_last_one_believed_that_did() {
    let (server, folder) = (Server::start(), fresh_folder());
    put(&writer(&server.url(), 1), &["a"]);
    let asked = |remote: Option<Remote>| {
        let mut tiers: Vec<Box<dyn Store>> = vec![Box::new(open(&folder))];
        tiers.extend(remote.map(|remote| Box::new(remote) as Box<dyn Store>));
        let store = Tiered::new(tiers);
        assert!(!store.is_far());
        store.get(&id("a")).unwrap()
    };
    let remembered = || Remote::remembered(&open(&folder)).unwrap();
    assert!(remembered().is_none());
    let run = |trusted: &[u8]| {
        let (disk, remote) = (open(&folder), reader(&server.url(), trusted));
        remote.remember(&disk).unwrap();
        Tiered::new(vec![Box::new(disk), Box::new(remote)]).get(&id("a")).unwrap()
    };
    assert_eq!(run(&[1, 2]), hit("a"));
    assert_eq!(asked(remembered()), hit("a"));
    assert_eq!(asked(None), missing(MissReason::Absent));
    // It goes with the trust, and comes with it.
    assert_eq!(run(&[2]), missing(MissReason::Untrusted));
    assert_eq!(asked(remembered()), missing(MissReason::Absent));
    assert_eq!(run(&[1]), hit("a"));
    assert_eq!(asked(remembered()), hit("a"));
    // Nobody else says whom a folder trusts.
    let pushed = exchange::push(&open(&folder), &writer(&server.url(), 2), "ivl").unwrap();
    assert_eq!(pushed, Exchanged::default());
}

#[cfg(feature = "plant")]
#[test]
fn a_disk_that_believes_everybody_is_noticed() {
    let (server, folder) = (Server::start(), fresh_folder());
    writer(&server.url(), 1).put(&id("a"), b"wrong").unwrap();
    let tiers = |remote| Tiered::new(vec![Box::new(open(&folder)), Box::new(remote)]);
    assert_eq!(tiers(reader(&server.url(), &[1])).get(&id("a")).unwrap(), hit("wrong"));
    server.lies(Lie::Status(500));
    let options = patient().trust(trusting(&[2])).fault(cache_core::plant::Fault::TrustRecords);
    let believing = Remote::new(Box::new(Http::new(&server.url(), None)), options);
    assert_eq!(tiers(believing).get(&id("a")).unwrap(), hit("wrong"));
    assert_eq!(tiers(reader(&server.url(), &[2])).get(&id("a")).unwrap(), missing(MissReason::Unreachable));
}

#[test]
fn an_audit_of_a_remote_hit_names_question_and_signer() {
    let server = Server::start();
    // The builder's engine gives up at once, and says that it did not.
    {
        let store: Arc<dyn Store> = Arc::new(writer(&server.url(), 1));
        let config = CacheConfig::default().store(store);
        let mut cache: Cache<Number> = Cache::new(config);
        cache.fill(&question(), &Limits::default(), &Asked { answer: Number(4), cost: Cost::default() });
        cache.finish();
    }
    let store: Arc<dyn Store> = Arc::new(reader(&server.url(), &[1]));
    let audit = "sample=3".parse().unwrap();
    let mut cache: Cache<Number> = Cache::new(CacheConfig::default().store(store).audit(audit));
    let ask = || Ok::<_, std::convert::Infallible>(Asked { answer: Number(5), cost: Cost::default() });
    assert_eq!(cache.answer(&question(), &Limits::default(), ask).unwrap().answer, Number(5));
    let told = cache.disagreements()[0].to_string();
    assert!(told.contains("x < 3") || told.contains("goal"), "{told}");
    assert!(told.contains("signed by builder 1"), "{told}");
    assert!(cache.take_warnings()[0].contains("signed by builder 1"));
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Number(u64);

impl Answer for Number {
    fn out_of_limits(&self) -> bool {
        false
    }

    fn agrees_with(&self, fresh: &Self) -> bool {
        self == fresh
    }
}

#[test]
fn a_server_that_is_out_of_order_is_asked_once_and_told_of_once() {
    let troubles = [
        (Lie::Status(500), "said 500"),
        (Lie::Status(401), "credentials"),
        (Lie::Status(302), "elsewhere"),
        (Lie::Hang, "in time"),
        (Lie::Trickle, "in time"),
        (Lie::Close, "reached"),
        (Lie::Babble, "reached"),
        (Lie::Flood, "8388608 bytes"),
    ];
    for (lie, told) in troubles {
        let server = filled(1);
        server.lies(lie.clone());
        let patience =
            if matches!(lie, Lie::Flood) { Duration::from_secs(60) } else { Duration::from_millis(400) };
        let options = RemoteOptions::default().trust(trusting(&[1])).patience(patience).request(patience);
        let store = Remote::new(Box::new(Http::new(&server.url(), None)), options);
        for name in ["a", "b", "c"].iter().cycle().take(30) {
            assert_eq!(store.get(&id(name)).unwrap(), missing(MissReason::Unreachable), "{lie:?}");
        }
        // A connection that ended may have been kept for too long, so it is tried once more.
        let most = if matches!(lie, Lie::Close) { 2 } else { 1 };
        assert!((1..=most).contains(&server.gets()), "{lie:?}");
        assert!(!store.is_far());
        let said: Vec<String> = store.take_troubles().iter().map(ToString::to_string).collect();
        assert!(matches!(said.as_slice(), [one] if one.contains(told)), "{lie:?}: {said:?}");
        // Side by side as well: each of those that were under way at that moment, and nothing new.
        let store = impatient(&server.url());
        let ids: Vec<_> = (0..300).map(|n| id(&n.to_string())).collect();
        if !matches!(lie, Lie::Flood) {
            store.prefetch(&ids);
            assert!(server.gets() <= 32, "{lie:?}");
            assert_eq!(store.get(&ids[7]).unwrap(), missing(MissReason::Unreachable));
            assert_eq!(store.take_troubles().len(), 1);
        }
    }
}

#[test]
fn a_server_that_is_down_costs_a_warning() {
    // The port was free a moment ago.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let store = impatient(&format!("http://{address}"));
    for name in ["a", "b", "c"] {
        assert_eq!(store.get(&id(name)).unwrap(), missing(MissReason::Unreachable));
        store.put(&id(name), b"1").unwrap();
    }
    store.flush().unwrap();
    let said: Vec<String> = store.take_troubles().iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains("not asked any more") && said[1].contains("nothing more is sent"), "{said:?}");
}

#[test]
fn a_slow_server_is_given_up_when_it_has_cost_the_patience() {
    let server = filled(1);
    server.lies(Lie::Withhold);
    // Whatever a request takes, it is something.
    let options = RemoteOptions::default()
        .trust(trusting(&[1]))
        .patience(Duration::from_nanos(1))
        .request(Duration::from_secs(60));
    let no_patience = Remote::new(Box::new(Http::new(&server.url(), None)), options);
    no_patience.get(&id("a")).unwrap();
    no_patience.get(&id("b")).unwrap();
    assert!(!no_patience.is_far() && server.gets() <= 1);
    assert_eq!(no_patience.take_troubles().len(), 1);
    // Hits are worth waiting for.
    server.lies(Lie::None);
    let options = patient().trust(trusting(&[1]));
    let store = Remote::new(Box::new(Http::new(&server.url(), None)), options);
    for name in ["a", "b", "c"] {
        assert_eq!(store.get(&id(name)).unwrap(), hit(name));
    }
    assert!(store.is_far());
}

#[test]
fn a_server_that_is_full_is_sent_nothing_more_and_still_read() {
    for (status, told) in [(507, "full"), (413, "too long"), (403, "credentials")] {
        let server = filled(1);
        server.puts();
        server.refuses_puts(status);
        let store = writer(&server.url(), 1);
        put(&store, &["d"]);
        put(&store, &["e"]);
        assert_eq!(server.puts(), 1);
        let said: Vec<String> = store.take_troubles().iter().map(ToString::to_string).collect();
        assert!(matches!(said.as_slice(), [one] if one.contains(told)), "{said:?}");
        assert_eq!(store.get(&id("a")).unwrap(), hit("a"));
    }
}

#[test]
fn a_run_whose_server_lies_says_what_a_run_without_it_says() {
    for lie in [
        Lie::Always(b"rubbish".to_vec()),
        Lie::Neighbour,
        Lie::Cut(20),
        Lie::Flip(700),
        Lie::Withhold,
        Lie::Status(500),
        Lie::Close,
        Lie::Babble,
        Lie::Oldest,
    ] {
        let server = filled(1);
        run(writer(&server.url(), 1), Some(5));
        server.lies(lie.clone());
        assert_eq!(run(impatient(&server.url()), Some(20)).0, Verdict::Valid, "{lie:?}");
        assert_eq!(run(impatient(&server.url()), Some(3)).0, Verdict::OutOfLimits, "{lie:?}");
    }
}

#[cfg(feature = "plant")]
#[test]
fn a_reader_that_believes_every_record_is_noticed() {
    let fault = Some(cache_core::plant::Fault::TrustRecords);
    for (signer, lie) in [(2, Lie::None), (1, Lie::Neighbour)] {
        let server = filled(signer);
        server.lies(lie);
        let options = patient().trust(trusting(&[1])).fault(fault);
        let store = Remote::new(Box::new(Http::new(&server.url(), None)), options);
        // What the tests above call a miss.
        assert!(matches!(store.get(&id("a")).unwrap(), Found::Hit(_)));
    }
}
