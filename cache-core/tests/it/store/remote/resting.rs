//! Answers that may be made of others': nothing that was signed wrongly is handed on under another key.

use super::*;

/// A machine that signs with one key and believes others.
fn machine(url: &str, own: u8, trusted: &[u8]) -> Remote {
    let options = patient().sign(key(own)).trust(trusting(trusted));
    Remote::new(Box::new(Http::new(url, None)), options)
}

/// A server with `a`, which the first builder signed, `before` and `after`, which the second one put before and after it
/// was given that, and `third`, which the third one put after it was given `after`.
fn handed_on() -> Server {
    let server = Server::start();
    put(&writer(&server.url(), 1), &["a"]);
    let second = machine(&server.url(), 2, &[1, 2]);
    // What is fetched beforehand is not given yet.
    second.prefetch(&[id("a")]);
    put(&second, &["before"]);
    assert_eq!(second.get(&id("a")).unwrap(), hit("a"));
    put(&second, &["after"]);
    let third = machine(&server.url(), 3, &[1, 2, 3]);
    assert_eq!(third.get(&id("after")).unwrap(), hit("after"));
    put(&third, &["third"]);
    server
}

#[test]
fn records_that_may_rest_on_what_a_stranger_signed_are_refused() {
    let server = handed_on();
    let found = |trusted: &[u8], name: &str| reader(&server.url(), trusted).get(&id(name)).unwrap();
    let refused = missing(MissReason::Untrusted);
    assert_eq!(found(&[2], "before"), hit("before"));
    assert_eq!(found(&[2], "after"), refused);
    assert_eq!(found(&[1, 2], "after"), hit("after"));
    for trusted in [&[3][..], &[2, 3], &[1, 3]] {
        assert_eq!(found(trusted, "third"), refused, "{trusted:?}");
    }
    assert_eq!(found(&[3, 1, 2], "third"), hit("third"));
    let store = reader(&server.url(), &[2]);
    store.get(&id("after")).unwrap();
    let told = store.take_troubles()[0].to_string();
    assert!(told.contains("may rest on what a key signed that is not trusted"), "{told}");
    let store = reader(&server.url(), &[1, 2]);
    store.get(&id("after")).unwrap();
    assert_eq!(store.signer(&id("after")).as_deref(), Some("builder 2, who may have built on builder 1"));
}

#[test]
fn ones_own_answers_are_nobody_elses() {
    let server = handed_on();
    let first = machine(&server.url(), 1, &[1]);
    assert_eq!(first.get(&id("a")).unwrap(), hit("a"));
    put(&first, &["more"]);
    assert_eq!(reader(&server.url(), &[1]).get(&id("more")).unwrap(), hit("more"));
    // Who trusts the second builder, and signs as the first, believes what rests on himself.
    assert_eq!(machine(&server.url(), 1, &[2]).get(&id("after")).unwrap(), hit("after"));
}

#[test]
fn what_a_disk_has_that_may_rest_on_a_stranger_is_not_served() {
    let (server, folder) = (Server::start(), fresh_folder());
    put(&writer(&server.url(), 1), &["a"]);
    let run = |trusted: &[u8]| {
        let remote = reader(&server.url(), trusted);
        remote.remember(&open(&folder)).unwrap();
        Tiered::new(vec![Box::new(open(&folder)), Box::new(remote)])
    };
    let store = run(&[1, 2]);
    put(&store, &["before", "again"]);
    assert_eq!(store.get(&id("a")).unwrap(), hit("a"));
    put(&store, &["after"]);
    store.put(&id("again"), b"better").unwrap();
    store.flush().unwrap();
    for (trusted, after, again) in [
        (&[1][..], hit("after"), hit("better")),
        (&[2], missing(MissReason::Absent), missing(MissReason::Absent)),
        (&[2, 1], hit("after"), hit("better")),
    ] {
        let next = run(trusted);
        assert_eq!(next.get(&id("before")).unwrap(), hit("before"), "{trusted:?}");
        assert_eq!(next.get(&id("after")).unwrap(), after, "{trusted:?}");
        assert_eq!(next.get(&id("again")).unwrap(), again, "{trusted:?}: nor is what it took the place of");
        if after == hit("after") {
            assert_eq!(next.signer(&id("after")), None, "it was made here");
        }
        // Nor by runs that name no server.
        let remembered = Remote::remembered(&open(&folder)).unwrap().unwrap();
        let next = Tiered::new(vec![Box::new(open(&folder)), Box::new(remembered)]);
        assert_eq!(next.get(&id("after")).unwrap(), after, "{trusted:?}");
        // Given such an answer, a run rests on the same; and what is known beforehand to be there is not given yet.
        let later = if trusted.len() == 1 { "later" } else { "latest" };
        next.prefetch(&[id("after")]);
        if after != missing(MissReason::Absent) {
            put(&next, &[later]);
            assert_eq!(open(&folder).get(&id(later)).unwrap(), missing(MissReason::Absent));
        }
    }
    assert_eq!(run(&[1]).get(&id("later")).unwrap(), hit("later"));
    assert_eq!(run(&[2]).get(&id("later")).unwrap(), missing(MissReason::Absent));
}

#[test]
fn what_a_disk_has_is_not_served_once_ones_own_key_is_another() {
    let (server, folder) = (Server::start(), fresh_folder());
    put(&writer(&server.url(), 1), &["a"]);
    let run = |own, trusted: &[u8]| {
        let remote = machine(&server.url(), own, trusted);
        Tiered::new(vec![Box::new(open(&folder)), Box::new(remote)])
    };
    // Another machine that signs with the same key.
    let store = run(1, &[1]);
    assert_eq!(store.get(&id("a")).unwrap(), hit("a"));
    put(&store, &["after"]);
    assert_eq!(run(1, &[1]).get(&id("after")).unwrap(), hit("after"));
    // The key was stolen, and there is a new one.
    assert_eq!(run(2, &[2]).get(&id("after")).unwrap(), missing(MissReason::Untrusted));
    let pushed = exchange::push(&open(&folder), &machine(&server.url(), 2, &[2]), "ivl").unwrap();
    assert_eq!(pushed, Exchanged::default());
}

#[test]
fn what_rests_on_an_own_key_that_is_not_trusted_says_so() {
    let (server, folder) = (handed_on(), fresh_folder());
    let run = |own, trusted: &[u8]| {
        Tiered::new(vec![Box::new(open(&folder)), Box::new(machine(&server.url(), own, trusted))])
    };
    let store = run(1, &[2]);
    assert_eq!(store.get(&id("after")).unwrap(), hit("after"));
    put(&store, &["more"]);
    for name in ["after", "more"] {
        assert_eq!(run(3, &[2]).get(&id(name)).unwrap(), missing(MissReason::Untrusted), "{name}");
    }
    let pushed = exchange::push(&open(&folder), &machine(&server.url(), 3, &[2]), "ivl").unwrap();
    assert_eq!(pushed, Exchanged::default());
}

#[test]
fn what_was_pulled_is_not_handed_on_under_another_key() {
    let (server, theirs, folder) = (Server::start(), fresh_folder(), fresh_folder());
    put(&open(&theirs), &["a", "b"]);
    exchange::push(&open(&theirs), &writer(&server.url(), 1), "ivl").unwrap();
    let pull = || exchange::pull(&reader(&server.url(), &[1]), &open(&folder), "ivl").unwrap();
    assert_eq!(pull(), Exchanged { carried: 2, ..Exchanged::default() });
    assert_eq!(pull(), Exchanged { present: 2, ..Exchanged::default() });
    // Runs that name no server have it, while its key is trusted.
    let remembered = || Remote::remembered(&open(&folder)).unwrap().unwrap();
    let alone = || Tiered::new(vec![Box::new(open(&folder)), Box::new(remembered())]);
    assert_eq!(alone().get(&id("a")).unwrap(), hit("a"));
    server.lies(Lie::Withhold);
    let with =
        |trusted: &[u8]| Tiered::new(vec![Box::new(open(&folder)), Box::new(reader(&server.url(), trusted))]);
    assert_eq!(with(&[1]).get(&id("a")).unwrap(), hit("a"));
    assert_eq!(with(&[2]).get(&id("a")).unwrap(), missing(MissReason::Absent));
    server.lies(Lie::None);
    let pushed = exchange::push(&open(&folder), &machine(&server.url(), 2, &[1, 2]), "ivl").unwrap();
    assert_eq!(pushed, Exchanged::default());
}

#[test]
fn what_waits_to_be_sent_is_not_kept_again_as_if_it_rested_on_nobody() {
    let (server, folder) = (Server::start(), fresh_folder());
    put(&writer(&server.url(), 1), &["a"]);
    let disk = Arc::new(open(&folder));
    let remote = machine(&server.url(), 2, &[1, 2]);
    let store = Tiered::new(vec![Box::new(Arc::clone(&disk)), Box::new(remote)]);
    assert_eq!(store.get(&id("a")).unwrap(), hit("a"));
    store.put(&id("after"), b"after").unwrap();
    // Somebody empties the folder before the record is sent.
    disk.clean().unwrap();
    assert_eq!(store.get(&id("after")).unwrap(), hit("after"));
    assert_eq!(store.signer(&id("after")), None);
    assert_eq!(disk.ids().unwrap(), []);
}

#[test]
fn what_was_fetched_beforehand_is_noted_as_what_it_is() {
    let (server, folder) = (Server::start(), fresh_folder());
    put(&writer(&server.url(), 1), &["a"]);
    let disk = Arc::new(open(&folder));
    let tiers = |remote| Tiered::new(vec![Box::new(Arc::clone(&disk)), Box::new(remote)]);
    let store = tiers(machine(&server.url(), 3, &[1, 2]));
    store.prefetch(&[id("a")]);
    // Meanwhile another process keeps the same from another builder, and then the folder is emptied.
    put(&writer(&server.url(), 2), &["a"]);
    assert_eq!(tiers(reader(&server.url(), &[2])).get(&id("a")).unwrap(), hit("a"));
    assert_eq!(store.get(&id("a")).unwrap(), hit("a"));
    assert_eq!(store.signer(&id("a")).as_deref(), Some("builder 2"));
    disk.clean().unwrap();
    assert_eq!(store.get(&id("a")).unwrap(), hit("a"));
    assert_eq!(store.signer(&id("a")).as_deref(), Some("builder 1"));
    assert_eq!(tiers(reader(&server.url(), &[2])).get(&id("a")).unwrap(), hit("a"), "from the server");
    assert_eq!(server.gets(), 3);
}

#[test]
fn a_store_of_several_in_front_of_others_keeps_what_was_given_as_what_it_is() {
    let (server, inner, outer) = (Server::start(), fresh_folder(), fresh_folder());
    put(&writer(&server.url(), 1), &["a"]);
    let run = |trusted: &[u8]| {
        let remote = reader(&server.url(), trusted);
        let store = Tiered::new(vec![Box::new(open(&inner)), Box::new(remote)]);
        Tiered::new(vec![Box::new(open(&outer)), Box::new(store)])
    };
    let store = run(&[1]);
    assert_eq!(store.get(&id("a")).unwrap(), hit("a"));
    put(&store, &["after"]);
    for trusted in [&[1][..], &[2]] {
        let next = run(trusted);
        assert_eq!(next.get(&id("a")).unwrap() == hit("a"), trusted == [1]);
        assert_eq!(next.get(&id("after")).unwrap() == hit("after"), trusted == [1]);
    }
}

#[test]
fn what_is_pushed_says_on_whom_it_may_rest() {
    let (server, folder) = (Server::start(), fresh_folder());
    put(&writer(&server.url(), 1), &["a"]);
    let disk = Arc::new(open(&folder));
    let store = Tiered::new(vec![Box::new(Arc::clone(&disk)), Box::new(reader(&server.url(), &[1]))]);
    put(&store, &["before"]);
    assert_eq!(store.get(&id("a")).unwrap(), hit("a"));
    put(&store, &["after"]);
    // Who does not trust the first builder does not hand on what rests on it.
    let pushed = exchange::push(&disk, &machine(&server.url(), 2, &[2]), "ivl").unwrap();
    assert_eq!(pushed, Exchanged { carried: 1, ..Exchanged::default() });
    let pushed = exchange::push(&disk, &machine(&server.url(), 2, &[1, 2]), "ivl").unwrap();
    assert_eq!(pushed, Exchanged { carried: 1, present: 1, ..Exchanged::default() });
    let found = |trusted: &[u8], name: &str| reader(&server.url(), trusted).get(&id(name)).unwrap();
    assert_eq!(found(&[2], "before"), hit("before"));
    assert_eq!(found(&[2], "after"), missing(MissReason::Untrusted));
    assert_eq!(found(&[1, 2], "after"), hit("after"));
    let mut listed = exchange::listing(&reader(&server.url(), &[2]), "ivl").unwrap().ids;
    let mut own = vec![id("after"), id("before")];
    listed.sort_unstable();
    own.sort_unstable();
    assert_eq!(listed, own, "the listing rests on nobody");
    // Where the folder has it by itself as well, that is newer.
    disk.put(&id("after"), b"newer").unwrap();
    exchange::push(&disk, &machine(&server.url(), 2, &[1, 2]), "ivl").unwrap();
    assert_eq!(found(&[2], "after"), hit("newer"));
}

#[test]
fn what_the_server_has_that_rests_on_more_is_pushed_anew() {
    let (server, folder) = (handed_on(), fresh_folder());
    put(&open(&folder), &["after"]);
    let push = || exchange::push(&open(&folder), &machine(&server.url(), 2, &[1, 2]), "ivl").unwrap();
    let found = || reader(&server.url(), &[2]).get(&id("after")).unwrap();
    assert_eq!(found(), missing(MissReason::Untrusted));
    assert_eq!(push(), Exchanged { carried: 1, ..Exchanged::default() });
    assert_eq!(found(), hit("after"), "it was found here without anybody's answers");
    assert_eq!(push(), Exchanged { present: 1, ..Exchanged::default() });
}

#[test]
fn a_copy_is_served_for_its_own_question_alone() {
    let (server, folder) = (handed_on(), fresh_folder());
    let disk = Arc::new(open(&folder));
    let store = Tiered::new(vec![Box::new(Arc::clone(&disk)), Box::new(machine(&server.url(), 3, &[1]))]);
    assert_eq!(store.get(&id("a")).unwrap(), hit("a"));
    put(&store, &["made here"]);
    let copy_of = |name: &str| store.copies().unwrap().copy_id(&id(name));
    let copy = disk.get(&copy_of("made here")).unwrap().payload().unwrap();
    disk.put(&copy_of("another question"), &copy).unwrap();
    assert_eq!(store.get(&id("made here")).unwrap(), hit("made here"));
    assert_eq!(store.get(&id("another question")).unwrap(), missing(MissReason::Absent));
}

#[test]
fn what_a_disk_may_not_serve_is_fetched_beforehand() {
    let (server, folder) = (Server::start(), fresh_folder());
    let run =
        |trusted: &[u8]| Tiered::new(vec![Box::new(open(&folder)), Box::new(reader(&server.url(), trusted))]);
    put(&writer(&server.url(), 1), &["a"]);
    assert_eq!(run(&[1]).get(&id("a")).unwrap(), hit("a"));
    put(&writer(&server.url(), 2), &["a"]);
    for (trusted, asked) in [(&[1][..], 0), (&[2], 1)] {
        let store = run(trusted);
        server.gets();
        store.prefetch(&[id("a")]);
        assert_eq!(server.gets(), asked, "{trusted:?}");
        assert_eq!(store.get(&id("a")).unwrap(), hit("a"));
        assert_eq!(server.gets(), 0, "{trusted:?}");
    }
}

#[test]
fn a_reader_that_believes_whatever_a_record_rests_on_is_noticed() {
    let server = handed_on();
    let options = patient().trust(trusting(&[2])).fault(cache_core::plant::Fault::TrustRecords);
    let believing = Remote::new(Box::new(Http::new(&server.url(), None)), options);
    assert_eq!(believing.get(&id("after")).unwrap(), hit("after"), "what the tests above call a miss");
}
