//! Predicates that files define together. Expected outputs are those of SWI-Prolog 9.0.4.

use crate::modules::check;
use crate::support::run_files;
use rtcheck::check::{CacheKind, Configuration};
use rtcheck::session::Options;

#[test]
fn files_share_multifile_predicates_and_replace_others() {
    // What is loaded again comes last.
    let main = ":- multifile p/1.\n:- consult(more).\np(1).\nq(1).\n\
                :- initialization((consult(more), findall(X, p(X), L), findall(X, q(X), M), write(L-M))).\n";
    let more = ":- multifile p/1.\np(2).\n";
    check(&[("v.pl", main), ("more.pl", more)], "[1,2]-[1]", "", 0);
    // Without the declaration the file that is loaded later wins, and that is told.
    let main = main.replace(":- multifile p/1.\n", "");
    let more = more.replace(":- multifile p/1.\n", "");
    check(&[("v.pl", &main), ("more.pl", &more)], "[2]-[1]", "`p/1` replaces the definition at v.pl:2", 0);
}

#[test]
fn a_file_that_is_loaded_between_clauses_adds_its_own() {
    let main = ":- multifile p/1, q/1.\np(0).\n:- consult(more).\np(1).\n:- consult(more).\np(3).\n\
                :- initialization((findall(X, p(X), L), write(L))).\n";
    let more = ":- multifile p/1.\np(2).\n";
    check(&[("v.pl", main), ("more.pl", more)], "[0,2,1,3]", "", 0);
    // What it had when it was loaded before is no more.
    let again = ":- multifile p/1.\n:- dynamic(old/0).\np(0).\n:- consult(more).\np(1).\n\
                :- assertz(old), consult(more).\np(3).\n:- initialization((findall(X, p(X), L), msort(L, M), write(M))).\n";
    let more = ":- multifile p/1.\n:- if(old).\np(5).\n:- else.\np(2).\np(4).\n:- endif.\n";
    check(&[("v.pl", again), ("more.pl", more)], "[0,1,3,5]", "", 0);
    // Each is there once, whether it is called or looked at, and however many there are.
    for count in [1, 50] {
        let facts: String = (1..=count).map(|i| format!("p({i}).\n:- p({i}).\n")).collect();
        let later: String = (61..=70).map(|i| format!("p({i}).\n:- p({i}), p(b).\n")).collect();
        let more = ":- multifile p/1.\np(b).\n:- p(1), p(b).\np(c).\n";
        let program = format!(
            ":- multifile p/1.\n{facts}:- ensure_loaded(more).\n{later}\
             look(L-N) :- findall(X, p(X), Xs), findall(X, clause(p(X), true), Ys), sort(Xs, S), length(S, L), length(Xs, N),\n\
             \x20   ( Xs == Ys -> true ; write(Ys) ).\n\
             :- look(R), write(R), nl.\n:- initialization((look(R), write(R))).\n"
        );
        let all = count + 12;
        check(&[("v.pl", &program), ("more.pl", more)], &format!("{all}-{all}\n{all}-{all}"), "", 0);
    }
}

#[test]
fn clauses_in_front_of_the_declaration_multifile_stay_too() {
    let output = ":- initialization((findall(X, p(X), L), write(L))).\n";
    let more = ":- multifile p/1.\np(b).\n:- p(0), p(b).\n";
    for main in [
        "p(0).\n:- p(0).\np(1).\n:- multifile p/1.\n:- consult(more).\n",
        "p(0).\n:- p(0).\np(1).\n:- multifile p/1.\n:- p(1).\n:- consult(more).\n",
        // The other file says so.
        "p(0).\n:- p(0).\np(1).\n:- consult(more).\n",
        "p(0).\n:- consult(more).\np(1).\n",
    ] {
        let all = if main.ends_with("p(1).\n") { "[0,b,1]" } else { "[0,1,b]" };
        check(&[("v.pl", &format!("{main}{output}")), ("more.pl", more)], all, "", 0);
    }
    let first = "p(0).\np(1).\n";
    let main = format!(":- consult(first).\n:- consult(more).\n:- multifile p/1.\np(2).\n{output}");
    check(&[("v.pl", &main), ("first.pl", first), ("more.pl", more)], "[0,1,b,2]", "", 0);
    // What is loaded anew takes the place of its own clauses only.
    let main = ":- consult(first).\n:- consult(more).\n:- consult(first).\n\
                :- initialization((findall(X, p(X), L), msort(L, M), write(M))).\n";
    check(&[("v.pl", main), ("first.pl", first), ("more.pl", more)], "[0,1,b]", "", 0);
}

#[test]
fn files_may_share_rules() {
    let more = ":- multifile v/2.\n:- if(\\+ old).\nv(1, X) => X = one.\n:- endif.\n";
    let main = ":- multifile v/2.\n:- dynamic old/0.\nv(0, X) => X = zero.\n\
                t :- v(0, X), write(X), catch(v(1, Y), error(existence_error(K, _), _), Y = K), write(Y), nl.\n\
                :- initialization((consult(more), t, assertz(old), consult(more), t)).\n";
    check(&[("v.pl", main), ("more.pl", more)], "zeroone\nzeromatching_rule\n", "", 0);
    let more = ":- multifile v/2.\nv(1, one).\n";
    let output = "zeromatching_rule\nzeromatching_rule\n";
    check(&[("v.pl", main), ("more.pl", more)], output, "`v/2` has clauses with `:-` and with `=>`", 1);
}

#[test]
fn what_a_file_took_back_leaves_what_others_have() {
    let once = ":- multifile p/1.\n:- if(\\+ old).\np(b).\n:- endif.\n";
    let say = "say :- findall(X, p(X), L), write(L).\n";
    let main = format!(
        ":- multifile p/1.\n:- dynamic old/0.\np(0).\n{say}\
         :- initialization((consult(once), say, assertz(old), consult(once), say)).\n"
    );
    check(&[("v.pl", &main), ("once.pl", once)], "[0,b][0]", "", 0);
    // Whichever file was the last one.
    let main = main.replace("consult(once), say, assertz", "consult(once), consult(more), say, assertz");
    let more = ":- multifile p/1.\np(c).\n";
    check(&[("v.pl", &main), ("once.pl", once), ("more.pl", more)], "[0,b,c][0,c]", "", 0);
    // What is checked of it stays what the text says that is not loaded anew.
    let main = ":- multifile p/1.\n:- pred p(X) : int(X).\np(0).\n\
                t :- catch(p(a), rtcheck(K, _, _, _, _, _), ( write(K), nl )).\n\
                :- initialization((t, consult(more), t, consult(more), t)).\n";
    check(&[("v.pl", main), ("more.pl", more)], "calls\ncalls\ncalls\n", "", 0);
}

/// What a goal does: `ok`, `no`, or which kind of condition it violates.
const TRY: &str =
    "t(G) :- catch((G -> write(ok) ; write(no)), rtcheck(K, _, _, _, _, _), write(K)), write(' ').\n";

/// Runs a program with another file under every policy, with proofs and without.
fn says(main: &str, more: &str, output: &str) {
    let main = format!("{main}{TRY}");
    for analysis in [true, false] {
        for cache in [CacheKind::None, CacheKind::Cells, CacheKind::Lru, CacheKind::Direct] {
            let configuration = Configuration { cache, ..Configuration::default() };
            let options = Options { analysis, configuration, ..Options::default() };
            let ran = run_files(&[("v.pl", &main), ("more.pl", more)], &[], options);
            assert_eq!(
                (ran.output.trim_end(), ran.error.as_str()),
                (output, ""),
                "{analysis} {cache:?}\n{main}{more}"
            );
        }
    }
}

#[test]
fn what_several_files_say_of_a_predicate_is_checked_together() {
    // A call must look as one of them says; what succeeds must do so as each of them says.
    let own = ":- multifile p/2.\n:- pred p(X, Y) : int(X) => int(Y).\np(1, 1).\np(2, a).\n";
    let more = ":- multifile p/2.\n:- pred p(X, Y) : atm(X) => atm(Y).\n:- success p(_, Y) => ground(Y).\n\
                p(a, a).\np(b, 1).\np(3, _).\n";
    let goals = "t(p(1, _)), t(p(2, _)), t(p(a, _)), t(p(b, _)), t(p(3, _)), t(p(f(x), _)), t(p(c, _))";
    let output = "ok success ok success success calls no";
    for text in [
        format!("{own}:- consult(more).\n:- initialization(({goals})).\n"),
        format!(":- consult(more).\n{own}:- initialization(({goals})).\n"),
        format!(
            ":- multifile p/2.\n:- consult(more).\n:- pred p(X, Y) : int(X) => int(Y).\np(1, 1).\np(2, a).\n\
                 :- initialization(({goals})).\n"
        ),
        format!("{own}:- initialization((consult(more), {goals})).\n"),
        format!("{own}:- initialization((consult(more), consult(more), {goals})).\n"),
    ] {
        says(&text, more, output);
    }
    // The declaration may be the other file's, and clauses may be one's only.
    let own = own.replace(":- multifile p/2.\n", "");
    says(&format!("{own}:- initialization((consult(more), {goals})).\n"), more, output);
    let more = more.replace("p(a, a).\np(b, 1).\np(3, _).\n", "");
    says(
        &format!(
            "{own}p(a, a).\np(b, 1).\np(3, _).\n:- initialization((t(p(a, _)), consult(more), {goals})).\n"
        ),
        &more,
        &format!("calls {output}"),
    );
}

#[test]
fn a_file_that_is_loaded_anew_replaces_its_own_assertions_only() {
    let own = ":- multifile p/1.\n:- success p(X) => small(X).\np(1).\np(200).\np(-1).\n";
    let more = ":- multifile p/1, small/1.\n:- prop small/1.\nsmall(X) :- X < 100.\n:- if(\\+ old).\n:- success p(X) => X >= 0.\n:- endif.\n";
    let goals = "t(p(1)), t(p(200)), t(p(-1))";
    let goal = format!("consult(more), {goals}, assertz(old), consult(more), {goals}");
    says(
        &format!(
            ":- dynamic old/0.\n:- consult(more).\n{own}:- initialization(({goal}, retract(old), consult(more), {goals})).\n"
        ),
        more,
        "ok success success ok success ok ok success success",
    );
    // What is not checked in one text leaves what others say as it is.
    let own = own.replace("=> small(X)", "=> X < 100");
    let off = ":- use_package(nortchecks).\n:- multifile p/1.\n:- success p(X) => X >= 0.\n";
    says(&format!("{own}:- initialization((consult(more), {goals})).\n"), off, "ok success ok");
    // Flags are those of the text that has the assertions.
    let trusted =
        ":- multifile p/1.\n:- set_prolog_flag(rtchecks_trust, no).\n:- trust success p(X) => X >= 0.\n";
    let main = own.replace(":- success", ":- trust success");
    says(&format!("{main}:- initialization((consult(more), {goals})).\n"), trusted, "ok success ok");
    // A predicate whose clauses are all in the text that is loaded anew.
    let own = ":- multifile p/1.\n:- success p(X) => X < 100.\n";
    let clauses = ":- multifile p/1.\np(1).\np(200).\np(-1).\n";
    let goal = format!("consult(more), {goals}, consult(more), {goals}");
    says(&format!("{own}:- initialization(({goal})).\n"), clauses, "ok success ok ok success ok");
}

#[test]
fn proofs_end_where_another_file_says_more_of_a_predicate() {
    let own = ":- pred q(X) : int(X) => int(X).\nq(X) :- p(X, X).\n:- pred p(X, Y) : int(X) => int(Y).\np(X, X).\n\
               :- initialization((t(q(5)), consult(more), t(q(5)), t(q(500)))).\n";
    let more = ":- multifile p/2.\n:- success p(X, _) => X < 100.\n";
    says(own, more, "ok ok success");
}

#[test]
fn what_other_files_say_of_a_predicate_that_one_file_defines_is_checked_too() {
    let own = ":- success p(X) => X < 100.\np(1).\np(200).\np(-1).\n";
    let goals = "t(p(1)), t(p(200)), t(p(-1))";
    let more = ":- if(\\+ old).\n:- success p(X) => X >= 0.\n:- endif.\n";
    let goal = format!("consult(more), {goals}, assertz(old), consult(more), {goals}");
    says(
        &format!(
            ":- dynamic old/0.\n{own}:- initialization(({goal}, retract(old), consult(more), {goals})).\n"
        ),
        more,
        "ok success success ok success ok ok success success",
    );
    // The file with the definition is loaded anew: what the other one says stays.
    let main = format!(
        ":- dynamic old/0.\n:- consult(more).\n:- success p(X) => X >= 0.\n\
         :- initialization(({goals}, consult(more), {goals}, assertz(old), consult(more), {goals})).\n"
    );
    let text = own.replace(":- success p(X) => X < 100.\n", more).replace(">= 0", "< 100");
    says(&main, &text, "ok success success ok success success ok ok success");
    // A call must look as one of the files says.
    let more = ":- pred p(X) : int(X).\n";
    let goals = "t(p(1)), t(p(200)), t(p(a))";
    says(
        &format!("{own}:- initialization(({goals}, consult(more), {goals})).\n"),
        more,
        "ok success no ok success calls",
    );
}

#[test]
fn a_definition_that_takes_the_place_of_another_takes_that_of_its_assertions() {
    let main = format!(
        ":- success p(X) => X < 100.\np(1).\np(200).\n\
         :- initialization((t(p(200)), consult(more), t(p(200)), t(p(a)))).\n{TRY}"
    );
    let told = "`p/1` replaces the definition";
    let more = ":- pred p(X) : int(X).\np(200).\n";
    check(&[("v.pl", &main), ("more.pl", more)], "success ok calls ", told, 0);
    // Until there are others those of the first count.
    check(&[("v.pl", &main), ("more.pl", "p(200).\n")], "success success no ", told, 0);
}

#[test]
fn a_type_that_changes_changes_what_other_files_check() {
    let main = ":- dynamic old/0.\n:- consult(more).\n:- pred p(X) => c(X).\np(red).\np(blue).\n\
                :- regtype l/1.\nl([]).\nl([X|Y]) :- c(X), l(Y).\n:- pred q(X) => l(X).\nq([red]).\nq([blue]).\n\
                :- pred r(X) => c(X).\nr(X) :- p(X).\n";
    let more = ":- regtype c/1.\n:- if(old).\nc(blue).\n:- else.\nc(red).\n:- endif.\n";
    let goals = "t(p(red)), t(p(blue)), t(q([red])), t(q([blue])), t(r(red)), t(r(blue))";
    says(
        &format!(
            "{main}:- initialization(({goals}, assertz(old), consult(more), {goals}, consult(more), {goals})).\n"
        ),
        more,
        "ok success ok success ok success success ok success ok success ok success ok success ok success ok",
    );
    // What is no type any more is called.
    let more = ":- prop c/1.\n:- if(old).\nc(X) :- X == blue.\n:- else.\nc(red).\n:- endif.\n";
    says(
        &format!("{main}:- initialization(({goals}, assertz(old), consult(more), {goals})).\n"),
        more,
        "ok success ok success ok success success ok success ok success ok",
    );
}

#[test]
fn a_file_that_is_unloaded_takes_back_what_it_defines_and_says() {
    let main = format!(
        ":- multifile p/1.\n:- multifile c/1.\n:- regtype c/1.\nc(red).\n:- pred p(X) => c(X).\np(red).\np(blue).\np(green).\n\
         :- initialization((consult(more), {goals}, t(q), s, unload_file(more), {goals}, t(q), s, unload_file(more),\n\
         unload_file(nothing), t(unload_file(_)), t(unload_file(1)), ensure_loaded(more), {goals}, t(q), s)).\n\
         s :- ( source_file(F), sub_atom(F, _, _, 0, 'more.pl') -> write(here) ; write(gone) ), write(' ').\n\
         t(G) :- catch((G -> write(ok) ; write(no)), E, e(E)), write(' ').\n\
         e(rtcheck(K, _, _, _, _, _)) :- write(K).\ne(error(F, _)) :- write(F).\n",
        goals = "t(p(red)), t(p(blue)), t(p(green)), t(p(1))",
    );
    let more = ":- multifile p/1, c/1.\nc(blue).\n:- success p(X) => X \\== red.\np(1).\nq.\n";
    let there = "success ok success success ok here ";
    let gone = "ok success success no existence_error(procedure,q/0) gone ";
    let output = format!("{there}{gone}instantiation_error domain_error(source_sink,1) {there}");
    check(&[("v.pl", &main), ("more.pl", more)], &output, "", 0);
}
