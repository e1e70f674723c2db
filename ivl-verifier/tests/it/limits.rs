//! Limits that are met behind errors: it is told that the search was cut short, from scratch and from the cache alike.

use std::collections::BTreeSet;

use ivl_verifier::base::source::Sources;
use ivl_verifier::report::{Report, Verdict, human, json};
use ivl_verifier::service::Options;

use crate::support::{Session, options};

/// More pigeons than holes, which takes long to prove, between two checks that fail at once.
fn pigeons(holes: usize) -> String {
    let pigeons: Vec<String> = (0..=holes).map(|number| format!("p{number}")).collect();
    let mut claims: Vec<String> = pigeons.iter().map(|it| format!("1 <= {it} && {it} <= {holes}")).collect();
    for (number, one) in pigeons.iter().enumerate() {
        claims.extend(pigeons.iter().skip(number + 1).map(|other| format!("{one} != {other}")));
    }
    format!(
        "procedure P(x: int, {}: int) {{\n  assert {{:subsumption 0}} x > 0;\n  assert !({});\n  \
            assert {{:subsumption 0}} x < 7;\n}}\n",
        pigeons.join(", "),
        claims.join(" && ")
    )
}

/// What is said of the only implementation: errors, whether the limits were met, and the same in texts.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    verdict: Verdict,
    errors: BTreeSet<u32>,
    limits_met: bool,
    texts: [String; 2],
}

fn told(session: &mut Session) -> Told {
    let text = pigeons(5);
    let seen = session.verify("p.bpl", &text);
    let Report { verdict, errors, limits_met, .. } = &seen.reports[0];
    let mut sources = Sources::default();
    sources.add("p.bpl", &text);
    Told {
        verdict: verdict.clone(),
        errors: errors.iter().map(|error| sources.position(error.diagnostic.span).line).collect(),
        limits_met: *limits_met,
        texts: [
            human::report(&sources, &seen.reports[0], false),
            json::verdict(&sources, &seen.reports[0]).to_string(),
        ],
    }
}

/// Whoever is not told that limits were met is told everything.
#[test]
fn what_is_cut_short_by_limits_says_so() {
    let limited = |limit: u64| Options { resource_limit: Some(limit), error_limit: 0, ..options() };
    let all = told(&mut Session::with(limited(20_000_000)));
    assert_eq!((all.errors.iter().copied().collect::<Vec<_>>(), all.limits_met), (vec![2, 4], false));
    let (mut with_errors, mut without) = (0, 0);
    for limit in [300, 700, 1_000, 2_000, 8_000, 40_000, 400_000] {
        let folder = tempfile::tempdir().expect("a folder");
        let scratch = told(&mut Session::on_disk(folder.path(), limited(limit)));
        let mut session = Session::on_disk(folder.path(), limited(limit));
        assert_eq!(told(&mut session), scratch, "{limit}");
        assert_eq!(session.verifier.counters().queries, 0, "{limit}");
        // What is told of smaller limits is known of larger ones.
        let mut session = Session::on_disk(folder.path(), limited(limit - 1));
        assert_eq!((told(&mut session), session.verifier.counters().queries), (scratch.clone(), 0));
        assert!(scratch.errors.is_subset(&all.errors), "{limit}: {scratch:?}");
        if !scratch.limits_met {
            assert_eq!((&scratch.errors, &scratch.verdict), (&all.errors, &all.verdict), "{limit}");
            continue;
        }
        let [text, json] = &scratch.texts;
        assert!(json.contains("\"limits_met\":true"), "{json}");
        match scratch.errors.is_empty() {
            true => without += 1,
            false => {
                with_errors += 1;
                let warning = "warning: P: the limits were met before all of its checks were decided\n";
                assert_eq!(text.matches(warning).count(), 1, "{text}");
            }
        }
    }
    assert!(with_errors > 1 && without > 1, "{with_errors} {without}");
}
