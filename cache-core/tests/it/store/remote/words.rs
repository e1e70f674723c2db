//! What a team is told when its server refuses: the words lead to what has to be changed, and whatever a server
//! answers that is no record is a miss.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

use cache_core::key::Checksum;
use cache_core::store::remote::{MAX_RECORD, Redis, without_password};
use cache_core::store::{Usage, Verified};

use super::*;

fn said(store: &Remote) -> String {
    let said: Vec<String> = store.take_troubles().iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    said[0].clone()
}

#[test]
fn each_status_of_a_refusal_has_its_hint() {
    let hints = [
        (300, ": it sends elsewhere; give the URL that answers itself"),
        (399, ": it sends elsewhere; give the URL that answers itself"),
        (401, ": it wants other credentials"),
        (403, ": it wants other credentials"),
        (404, ": it takes none at this place"),
        (405, ": it takes none at this place"),
        (413, ": it is too long for it"),
        (507, ": it is full"),
        (400, ""),
        (500, ""),
    ];
    for (status, hint) in hints {
        let server = Server::start();
        server.refuses_puts(status);
        let store = writer(&server.url(), 1);
        put(&store, &["a"]);
        let end = format!("given a record{hint}, so nothing more is sent to it in this run");
        let told = said(&store);
        assert!(told.contains(&format!("it said {status} when")) && told.contains(&end), "{told}");
        assert!(store.is_far(), "what takes nothing may still give");
        assert_eq!(store.counters().puts, 0);
    }
}

#[test]
fn a_server_that_takes_a_record_in_other_words_has_taken_it() {
    for status in [200, 202, 204, 299] {
        let server = Server::start();
        server.refuses_puts(status);
        let store = writer(&server.url(), 1);
        put(&store, &["a", "b"]);
        assert_eq!((store.counters().puts, store.take_troubles().len()), (2, 0), "{status}");
    }
}

#[test]
fn a_server_that_has_nothing_says_so_in_several_ways() {
    for status in [204, 404, 410] {
        let server = Server::start();
        server.lies(Lie::Status(status));
        let store = reader(&server.url(), &[1]);
        assert_eq!(store.get(&id("a")).unwrap(), missing(MissReason::Absent), "{status}");
        assert_eq!(store.take_troubles().len(), 0, "{status}");
    }
    let server = Server::start();
    server.lies(Lie::Status(206));
    let store = reader(&server.url(), &[1]);
    assert_eq!(store.get(&id("a")).unwrap(), missing(MissReason::Unreachable));
    assert!(said(&store).contains("it said 206 when it was asked for a record, so it is not asked any more"));
}

/// A server that gives these answers in the protocol of Redis, one to each command, and hangs up when it has no more.
fn scripted(answers: &'static [&'static str]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("redis://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        let (mut to, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(to.try_clone().unwrap()).lines();
        for answer in answers {
            // `*N`, and two lines for each of its words.
            let Some(Ok(count)) = lines.next() else { return };
            let words: usize = count[1..].parse().unwrap();
            lines.by_ref().take(2 * words).for_each(drop);
            to.write_all(answer.as_bytes()).unwrap();
        }
    });
    url
}

#[test]
fn each_refusal_of_a_redis_has_its_hint() {
    let refusals: [(&[&str], &str); 5] = [
        (&["-ERR unknown command\r\n"], "it refuses what it is asked"),
        (&["*2\r\n$-1\r\n$-1\r\n"], "it answers something else than what it was asked"),
        (&["*0\r\n"], "it answers something else than what it was asked"),
        (&["-LOADING Redis is loading the dataset in memory\r\n"], "it refuses what it is asked"),
        (&[], "it cannot be reached"),
    ];
    for (answers, hint) in refusals {
        let transport = Redis::new(&scripted(answers)).unwrap();
        let store = Remote::new(Box::new(transport), patient().trust(trusting(&[1])));
        assert_eq!(store.get(&id("a")).unwrap(), missing(MissReason::Unreachable), "{hint}");
        let told = said(&store);
        assert!(told.contains(hint), "{told}");
    }
}

#[test]
fn a_redis_that_refuses_over_a_connection_that_was_kept_is_not_asked_again() {
    let transport = Redis::new(&scripted(&["*1\r\n$-1\r\n", "-ERR not now\r\n"])).unwrap();
    let store = Remote::new(Box::new(transport), patient().trust(trusting(&[1])));
    assert_eq!(store.get(&id("a")).unwrap(), missing(MissReason::Absent));
    assert_eq!(store.get(&id("b")).unwrap(), missing(MissReason::Unreachable));
    assert!(said(&store).contains("not now"));
}

#[test]
fn a_record_may_be_so_long_and_no_longer() {
    for (length, why) in [(MAX_RECORD, MissReason::Untrusted), (MAX_RECORD + 1, MissReason::Unreachable)] {
        let answer = format!("*1\r\n${length}\r\n{}\r\n", "x".repeat(length)).leak() as &'static str;
        let transport = Redis::new(&scripted(vec![answer].leak())).unwrap();
        let store = Remote::new(Box::new(transport), patient().trust(trusting(&[1])));
        assert_eq!(store.get(&id("a")).unwrap(), missing(why));
        assert_eq!(said(&store).contains("it sent more than 8388608 bytes"), length > MAX_RECORD);
    }
}

#[test]
fn a_redis_that_refuses_a_user_is_not_told_the_password_again() {
    let url = scripted(&["-WRONGPASS invalid username-password pair\r\n"]);
    let url = url.replace("redis://", "redis://ada:secret@");
    let store = Remote::new(Box::new(Redis::new(&url).unwrap()), patient().trust(trusting(&[1])));
    assert_eq!(store.get(&id("a")).unwrap(), missing(MissReason::Unreachable));
    assert!(said(&store).contains("it wants other credentials"));
}

#[test]
fn what_was_fetched_for_one_question_is_not_given_to_another_of_its_digest() {
    let server = Server::start();
    put(&writer(&server.url(), 1), &["a"]);
    let store = reader(&server.url(), &[1]);
    store.prefetch(&[id("a")]);
    let other = Checksum { confirm: id("b").confirm, ..id("a") };
    assert_eq!(store.get(&other).unwrap(), missing(MissReason::Absent));
    assert_eq!(store.get(&id("a")).unwrap(), hit("a"));
    let missing = Checksum { confirm: id("b").confirm, ..id("c") };
    store.prefetch(&[missing]);
    put(&writer(&server.url(), 1), &["c"]);
    assert_eq!(store.get(&id("c")).unwrap(), hit("c"));
    let counters = store.counters();
    assert_eq!((counters.hits, counters.missed()), (2, 1));
}

#[test]
fn what_a_folder_lists_and_has_lost_is_counted_when_it_is_pushed() {
    let (server, here) = (Server::start(), fresh_folder());
    let mine = open(&here);
    for name in ["a", "b", "c"] {
        mine.put(&id(name), &[1; 1000]).unwrap();
    }
    for path in &super::super::files(&here, "large", ".large")[..2] {
        std::fs::remove_file(path).unwrap();
    }
    let pushed = exchange::push(&mine, &writer(&server.url(), 1), "ivl").unwrap();
    assert_eq!(pushed, Exchanged { carried: 1, missing: 2, ..Exchanged::default() });
}

#[test]
fn a_redis_that_knows_no_users_is_told_the_password_alone() {
    let url =
        scripted(&["-ERR wrong number of arguments for 'auth' command\r\n", "+OK\r\n", "*1\r\n$-1\r\n"]);
    let url = url.replace("redis://", "redis://ada:secret@");
    let store = Remote::new(Box::new(Redis::new(&url).unwrap()), patient().trust(trusting(&[1])));
    assert_eq!(store.get(&id("a")).unwrap(), missing(MissReason::Absent));
    assert_eq!(store.take_troubles().len(), 0);
    assert_eq!(store.place(), without_password(&url));
    assert!(!store.place().contains("secret"));
}

#[test]
fn a_url_of_something_else_is_none_of_redis() {
    let told = Redis::new("mailto:ada@example.org").err().unwrap().to_string();
    assert!(told.contains("no URL of a Redis server"), "{told}");
}

#[test]
fn what_a_server_cannot_say_is_nothing() {
    let server = Server::start();
    let store = writer(&server.url(), 1);
    put(&store, &["a"]);
    assert_eq!(store.usage().unwrap(), Usage::default());
    assert_eq!(store.verify().unwrap(), Verified::default());
}

#[test]
fn a_place_is_shown_without_what_proves_who_asks() {
    for (url, shown) in [
        ("redis://ada:secret@cache.example:6379/3", "redis://cache.example:6379/3"),
        ("https://ada:se@cret@cache.example", "https://cache.example"),
        ("http://cache.example/a@b", "http://cache.example/a@b"),
        ("redis+unix:///run/redis.sock?db=3&pass=secret", "redis+unix:///run/redis.sock"),
        ("http://cache.example?token=secret", "http://cache.example"),
        ("http://ada:se?cret@cache.example/a", "http://cache.example/a"),
        ("cache.example", "cache.example"),
    ] {
        assert_eq!(without_password(url), shown);
    }
}

#[test]
fn options_of_a_remote_cache_leave_each_other_alone() {
    let (patience, request) = (Duration::from_secs(7), Duration::from_secs(3));
    let options =
        RemoteOptions::default().request(request).patience(patience).sign(key(1)).trust(trusting(&[1]));
    assert_eq!((options.request, options.patience), (request, patience));
    assert!(!options.trust.is_empty());
    assert_eq!(options.sign.unwrap().public(), key(1).public());
}
