//! Modules and loading. Expected outputs are those of SWI-Prolog where it has the feature.

use crate::support::run_files;
use rtcheck::session::Options;

/// Runs the first of some files and demands its output; `error` must occur on standard error, or nothing may be
/// there if it is empty.
pub(crate) fn check(files: &[(&str, &str)], output: &str, error: &str, exit: i32) {
    let ran = run_files(files, &["one", "2"], Options::default());
    let context = format!("{files:?}\n{}", ran.error);
    assert_eq!(ran.output, output, "{context}");
    assert!(if error.is_empty() { ran.error.is_empty() } else { ran.error.contains(error) }, "{context}");
    assert_eq!(ran.exit, exit, "{context}");
}

/// The output of a program with a module beside it.
fn with_module(module: &str, program: &str, output: &str) {
    check(&[("v.pl", program), ("m.pl", module)], output, "", 0);
}

#[test]
fn a_goal_that_is_passed_through_what_user_imports_keeps_its_module() {
    let m = ":- module(m, [each/2]).\n:- meta_predicate each(1, ?).\neach(G, L) :- member(X, L), call(G, X), fail.\neach(_, _).\n";
    let n = ":- module(n, [go/0]).\ngo :- each(show, [a]).\nshow(X) :- write(n(X)).\n";
    let program = ":- use_module(m).\n:- use_module(n).\nshow(X) :- write(user(X)).\nmain :- each(show, [a]), go.\n:- initialization(main).\n";
    check(&[("v.pl", program), ("m.pl", m), ("n.pl", n)], "user(a)n(a)", "", 0);
}

const SHAPES: &str = "
:- module(m, [area/2, each/2, double/2, op(700, xfx, ===>), (===>)/2, counter/1, bump/0]).
:- use_module(library(lists)).
:- use_module(library(apply)).
:- dynamic counter/1.
:- meta_predicate each(1, ?).
counter(0).
bump :- retract(counter(N)), N1 is N + 1, assertz(counter(N1)).
area(square(X), A) :- helper(X, X, A).
area(rect(X, Y), A) :- helper(X, Y, A).
helper(X, Y, A) :- A is X * Y.
each(G, L) :- member(X, L), call(G, X), fail.
each(_, _).
double(L, D) :- maplist(twice, L, D).
twice(X, Y) :- Y is 2 * X.
show(_) :- write(wrong).
A ===> B :- B = arrow(A).
";

#[test]
fn names_belong_to_modules() {
    // A goal with the module beside it, and what it prints.
    for (goal, output) in [
        ("area(square(3), A), write(A)", "9"),
        ("helper(1, 2, A), write(A)", "user"),
        ("m:helper(2, 5, A), write(A)", "10"),
        ("double([1,2], D), write(D)", "[2,4]"),
        ("maplist(twice, [1,2], D), write(D)", "[mine(1),mine(2)]"),
        ("each(show, [a,b])", "ab"),
        ("m:each(show, [a])", "wrong"),
        ("@(m:each(show, [a]), user)", "a"),
        ("x ===> Z, write(Z)", "arrow(x)"),
        ("bump, bump, counter(C), m:counter(D), write(C-D)", "2-2"),
        ("findall(X, m:twice(4, X), L), write(L)", "[8]"),
        ("G = m:twice(5), call(G, R), write(R)", "10"),
        ("m:(twice(1, P), P > 1 -> Q = yes ; Q = no), write(Q)", "yes"),
        ("m:bagof(K, member(K, [3,1]), Ks), write(Ks)", "[3,1]"),
        ("( bagof(Y, m:twice(3, Y), L) -> write(L) ; true )", "[6]"),
        ("setof(A, K^m:(member(K, [3,1]), twice(K, A)), L), write(L)", "[2,6]"),
        ("bagof(A, K^J^m:(member(K-J, [3-a,1-b]), twice(K, A)), L), write(L)", "[6,2]"),
        ("assertz(m:(rule(X) :- twice(X, 2))), m:rule(1), write(yes)", "yes"),
        ("assertz(m:fact(1)), retract(m:fact(X)), write(X), \\+ m:fact(_)", "1"),
        ("assertz((m:here(X) :- helper(_, _, X))), m:here(X), write(X)", "user"),
        ("catch(m:nothing, error(E, _), (print(E)))", "existence_error(procedure,m:nothing/0)"),
        ("catch(nothing, error(E, _), (print(E)))", "existence_error(procedure,nothing/0)"),
        ("catch(no:where(1), error(E, _), (print(E)))", "existence_error(procedure,no:where/1)"),
        ("catch(call(m:1), error(E, _), (print(E)))", "type_error(callable,1)"),
        ("forall(predicate_property(area(_, _), imported_from(M)), write(M))", "m"),
        ("( predicate_property(m:each(_, _), meta_predicate(H)) -> write(H) ; true )", "each(1,?)"),
        ("( predicate_property(area(_, _), dynamic) -> write(yes) ; write(no) )", "no"),
        // Clauses are counted where they are, also behind an import and of what does not change.
        ("forall(predicate_property(area(_, _), number_of_clauses(N)), write(N))", "2"),
        ("forall(predicate_property(m:area(_, _), number_of_clauses(N)), write(N))", "2"),
        ("forall(predicate_property(counter(_), number_of_clauses(N)), write(N))", "1"),
        ("forall(predicate_property(append(_, _, _), number_of_clauses(N)), write(N))", ""),
        ("( predicate_property(area(_, _), interpreted) -> write(yes) ; write(no) )", "yes"),
        ("assertz(new(1)), ( predicate_property(new(_), interpreted) -> write(yes) ; write(no) )", "yes"),
        ("( predicate_property(atom_length(_, _), interpreted) -> write(yes) ; write(no) )", "no"),
        ("( current_module(m) -> write(yes) ; write(no) )", "yes"),
        ("module_property(m, exports(L)), length(L, N), write(N)", "6"),
        ("( current_predicate(m:twice/2) -> write(yes) ; write(no) )", "yes"),
        ("( current_predicate(area/N) -> write(N) ; write(no) )", "2"),
        ("( current_predicate(bump/3) -> write(yes) ; write(no) )", "no"),
        ("catch(current_predicate(4), error(E, _), (print(E)))", "type_error(predicate_indicator,4)"),
    ] {
        let program = format!(
            ":- use_module(m).\n:- initialization(main).\nmain :- {goal}.\n\
             helper(_, _, user).\ntwice(X, mine(X)).\nshow(X) :- write(X).\n"
        );
        with_module(SHAPES, &program, output);
    }
}

#[test]
fn imports_choose_rename_and_leave_out() {
    let module = ":- module(m, [p/1, q/1, r/1]).\np(mp).\nq(mq).\nr(mr).\n";
    for (import, goal, output) in [
        ("use_module(m, [p/1])", "p(X), write(X)", "mp"),
        ("use_module(m, [p/1 as pp])", "pp(X), write(X)", "mp"),
        (
            "use_module(m, except([p/1]))",
            "q(X), write(X), catch(p(_), error(existence_error(_, I), _), write(I))",
            "mqp/1",
        ),
        ("use_module(m, except([p/1 as pp]))", "pp(X), r(Y), write(X-Y)", "mp-mr"),
        ("use_module(m, all)", "p(X), write(X)", "mp"),
        ("use_module([m])", "p(X), write(X)", "mp"),
        ("ensure_loaded(m)", "p(X), write(X)", "mp"),
        ("consult(m)", "p(X), write(X)", "mp"),
        ("[m]", "p(X), write(X)", "mp"),
        ("load_files(m, [if(not_loaded)])", "p(X), write(X)", "mp"),
        ("use_module('./m.pl')", "p(X), write(X)", "mp"),
        ("use_module(m, []), import(m, [q/1])", "q(X), write(X)", "mq"),
    ] {
        let directives = import.replace("), import", ").\n:- import");
        let program = format!(":- {directives}.\n:- initialization(({goal})).\n");
        with_module(module, &program, output);
    }
}

#[test]
fn modules_may_need_each_other() {
    check(
        &[
            ("v.pl", ":- use_module(even).\n:- initialization((even(10), write(yes))).\n"),
            (
                "even.pl",
                ":- module(even, [even/1]).\n:- use_module(odd).\neven(0).\neven(N) :- N > 0, M is N - 1, odd(M).\n",
            ),
            (
                "odd.pl",
                ":- module(odd, [odd/1]).\n:- use_module(even).\nodd(N) :- N > 0, M is N - 1, even(M).\n",
            ),
        ],
        "yes",
        "",
        0,
    );
}

#[test]
fn reexports_offer_what_was_imported() {
    check(
        &[
            ("v.pl", ":- use_module(outer).\n:- initialization((p(X), q(Y), write(X-Y))).\n"),
            ("outer.pl", ":- module(outer, [q/1]).\n:- reexport(inner).\nq(2).\n"),
            ("inner.pl", ":- module(inner, [p/1]).\np(1).\n"),
        ],
        "1-2",
        "",
        0,
    );
}

#[test]
fn paths_are_relative_to_the_file_that_names_them() {
    check(
        &[
            ("v.pl", ":- use_module(lib/one).\n:- initialization((p(X), write(X))).\n"),
            (
                "lib/one.pl",
                ":- module(one, [p/1]).\n:- use_module('../other/two').\n:- include(part).\np(X) :- q(X).\n",
            ),
            ("lib/part.pl", "unused.\n"),
            ("other/two.pl", ":- module(two, [q/1]).\nq(found).\n"),
        ],
        "found",
        "",
        0,
    );
    check(
        &[
            (
                "v.pl",
                "user:file_search_path(here, lib).\n:- use_module(here(one)).\n:- initialization((p(X), write(X))).\n",
            ),
            ("lib/one.pl", ":- module(one, [p/1]).\np(found).\n"),
        ],
        "found",
        "",
        0,
    );
}

#[test]
fn programs_start_as_users_of_swi_and_ciao_expect() {
    for (program, output) in [
        ("main :- write(a).", "a"),
        ("main(As) :- write(As).", "[one,2]"),
        (":- initialization(main).\nmain :- write(a).", "a"),
        (":- initialization(main, main).\nmain :- write(a).", "a"),
        (":- use_module(library(main)).\n:- initialization(main, main).\nmain(As) :- write(As).", "[one,2]"),
        (":- initialization(start).\nstart :- write(a).\nmain :- write(b).", "a"),
        (":- initialization(write(a), now).\nmain :- write(b).", "ab"),
        (":- module(_, [main/0], [assertions, regtypes]).\nmain :- write(a).", "a"),
        (":- module(_, _, [assertions]).\n:- initialization(write(a)).\nmain(As) :- write(As).", "a[one,2]"),
        (":- module(prog, [main/1]).\n:- use_module(engine(io_basic)).\nmain([A|_]) :- display(A).", "one"),
        ("#!/usr/bin/env rtcheck\nmain :- write(a).", "a"),
        ("\u{feff}main :- write(a).", "a"),
        ("main :- write(a).\nend_of_file.\nmain :- (.", "a"),
    ] {
        check(&[("v.pl", program)], output, "", 0);
    }
}

#[test]
fn parts_of_a_text_may_be_left_out() {
    for (program, output) in [
        (":- if(true).\np(1).\n:- else.\np(2).\n:- endif.", "[1]"),
        (
            ":- if(fail).\np(1).\n:- elif(1 =:= 1).\np(2).\n:- elif(true).\np(3).\n:- else.\np(4).\n:- endif.",
            "[2]",
        ),
        (":- if(fail).\n:- if(true).\np(1).\n:- else.\np(2).\n:- endif.\n:- else.\np(3).\n:- endif.", "[3]"),
        (":- if(catch(no_such_goal, _, fail)).\np(1).\n:- else.\np(2).\n:- endif.", "[2]"),
        ("q.\n:- if(q).\np(1).\n:- endif.\n:- if(\\+ catch(r, _, fail)).\np(2).\n:- endif.", "[1,2]"),
        ("term_expansion(gen(N), [p(N), p(M)]) :- M is N + 1.\ngen(1).", "[1,2]"),
        ("user:term_expansion((:- make(X)), p(X)).\n:- make(3).", "[3]"),
        (":- discontiguous p/1.\np(1).\nq(1).\np(2).", "[1,2]"),
        (":- dynamic p/1, q/2.\np(1).", "[1]"),
        (":- dynamic([p/1]).\np(1).", "[1]"),
        (":- data p/1.\np(1).", "[1]"),
        (":- multifile p/1.", "[]"),
        (":- op(700, xfx, ===).\na === b.\np(X) :- X === b.", "[a]"),
    ] {
        let program = format!(":- initialization((findall(X, p(X), L), write(L))).\n{program}\n");
        check(&[("v.pl", &program)], output, "", 0);
    }
}

#[test]
fn a_module_reads_text_in_its_own_way_whoever_asks_for_it() {
    let module = ":- module(m, [s/1]).\ns(\"q\").\n";
    let program = ":- set_prolog_flag(double_quotes, atom).\n:- use_module(m).\np(\"x\").\n\
        :- initialization((s(X), print(X), p(Y), print(Y))).\n";
    with_module(module, program, "[113]x");
}

#[test]
fn modules_are_enumerated_where_a_predicate_is_asked_for_in_any() {
    let module = ":- module(m, [a/0]).\n:- dynamic only/1.\na.\nonly(1).\n";
    let program = ":- use_module(m).\n:- initialization(main).\nmain :- findall(M, current_predicate(M:a/0), Ms), print(Ms),\n\
            findall(M-A, current_predicate(M:only/A), L), print(L), current_predicate(only, M1:H), print(M1:H).\n";
    let ran = run_files(&[("v.pl", program), ("m.pl", module)], &[], Options::default());
    let output = ran.output.split_inclusive('(').next().unwrap_or_default();
    assert_eq!((output, ran.error.as_str()), ("[user,m][m-1]m:only(", ""));
}

#[test]
fn a_program_exports_and_imports_while_it_runs() {
    let module = ":- module(m, [a/0]).\na.\nb(1).\nc(2).\n";
    let program = ":- use_module(m).\n:- initialization(main).\n\
        main :- m:export((b/1, c/1)), import(m:b/1), b(X), module_property(m, exports(L)), print(X-L),\n\
            catch(export(_), error(E, _), true), print(E).\n";
    with_module(module, program, "1-[a/0,b/1,c/1]instantiation_error");
}

#[test]
fn a_call_that_names_the_module_gives_its_goals_that_module() {
    let module = ":- module(m, [t/1]).\n:- meta_predicate t(0), u(:).\nt(M:G) :- write(M-G), nl.\n\
        u(M:X) :- write(M-X), nl.\nv :- t(x), m:t(x).\n";
    let program = ":- use_module(m).\n:- initialization(main).\n\
        main :- t(foo), m:t(foo), call(m:t(foo)), call(m:t, foo), m:u(1), m:v, @(m:t(foo), user), m:t(k:foo).\n";
    let output = "user-foo\nm-foo\nm-foo\nm-foo\nm-1\nm-x\nm-x\nuser-foo\nk-foo\n";
    with_module(module, program, output);
}

#[test]
fn a_file_may_be_loaded_again() {
    // The program writes nothing of its own: what counts is that clauses do not add up, also of dynamic predicates.
    let main = ":- initialization((consult(more), consult(more), findall(X, p(X), L), findall(X, d(X), M), write(L-M))).\n";
    let more = ":- dynamic d/1.\np(1).\np(2).\nd(3).\n";
    check(&[("v.pl", main), ("more.pl", more)], "[1,2]-[3]", "", 0);
}

#[test]
fn operators_and_flags_of_a_module_stay_in_it() {
    let module = ":- module(m, [p/1]).\n:- op(700, xfx, ===).\n:- set_prolog_flag(double_quotes, atom).\np(X) :- X = (a === \"b\").\n";
    let program =
        ":- use_module(m).\n:- initialization((p(X), X =.. L, write_canonical(L), Y = \"b\", write(Y))).\n";
    with_module(module, program, "[===,a,b][98]");
    check(&[("v.pl", ":- use_module(m).\np(a === b).\n"), ("m.pl", module)], "", "syntax error", 1);
}

#[test]
fn terms_are_read_and_written_with_the_operators_of_a_module_where_it_is_asked_for() {
    with_module(
        ":- module(m, [p/0]).\n:- op(700, xfx, ===>).\n:- op(0, xfx, is).\np.\n",
        ":- use_module(m).\n\
         r(T, O) :- open_string(T, S), catch(read_term(S, X, O), error(syntax_error(_), _), X = no), writeq(X), nl.\n\
         main :- p, r('a ===> b.', [module(m)]), r('a ===> b.', []), r('a ===> b.', [module(other)]),\n\
             r('a is b.', [module(m)]), r('a is b.', []), X = ===>(a, b), writeq(X), nl,\n\
             write_term(X, [module(m), quoted(true)]), nl, write_term(X, [module(user)]), nl.\n",
        "===>(a,b)\nno\nno\nno\na is b\n===>(a,b)\na===>b\n===>(a,b)\n",
    );
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    let m = ("m.pl", ":- module(m, [p/1]).\np(1).\n");
    // The program, what is told, the exit code.
    for (program, error, exit) in [
        (":- use_module(nowhere).", "cannot find `nowhere`\n --> v.pl:1:1", 2),
        (":- use_module(nowhere).", "looked for nowhere.pl, nowhere.pro, nowhere", 2),
        (":- use_module(m, [q/7]).", "`m` does not export `q/7`", 2),
        (":- use_module(m, [p/1]).\np(2).", "`p/1` is imported from `m`", 2),
        (":- use_module(m).\np(2).", "`p/1` is defined here, so that of `m` is not imported", 0),
        (
            ":- use_module(m).\n:- use_module(n).",
            "`p/1` cannot be imported from `n`: it is imported from `m`",
            2,
        ),
        (":- use_module(plain).", "plain.pl is not a module", 2),
        (":- use_module(library(no_such_library)).", "there is no library `library(no_such_library)`", 0),
        (":- module(v, [p/1]).", "`p/1` is exported and not defined", 2),
        // What the engine defines is what importers find.
        (":- module(v, [atom_length/2, append/3]).\n:- foo(2).", "unknown procedure v:foo/1", 1),
        ("p(1).\n:- module(v, []).", "`:- module` must come first in its file", 2),
        (":- module(user, []).", "`user` and `system` are modules already", 2),
        (":- use_module(m).\n:- use_module(m2).", "the module `m` is defined by m.pl already", 2),
        (":- module(v, [], [wonders]).", "the package `wonders` is not known", 0),
        ("p(1).\nq(1).\np(2).", "clauses of `p/1` do not stand together: others end on line 1", 0),
        (":- table p/1.\np(1).\nq(1).\np(2).", "`:- discontiguous p/1.`", 0),
        (
            ":- det(p/1).\np(1).\nq(1).\np(2).",
            "clauses of `p/1` do not stand together: others end on line 2",
            0,
        ),
        (":- if(true).", "`:- if` without `:- endif`", 2),
        (":- endif.", "there is no `:- if` that this belongs to", 2),
        (":- begin_tests(t).\ntest(a) :- fail.\n", "`:- begin_tests` without `:- end_tests`", 2),
        (":- begin_tests(t).\ntest(a) :- fail.\n:- end_tests(u).", "that end here are those of `t`", 2),
        ("p(1).\n:- table p/1.", "declare it tabled before its clauses", 2),
        (":- table p(_, least).\np(1, 2).", "no modes of a table: `p(_", 2),
        (":- include(nowhere).", "cannot find `nowhere`", 2),
        (":- dynamic p.", "expected Name/Arity, found `p`", 2),
        ("p(1).\n:- dynamic p/1.", "`p/1` has clauses already: declare it dynamic before them", 0),
        ("atom_length(_, 3).", "`atom_length/2` is built in", 2),
        (":- fail.", "v.pl:1: warning: the goal fail failed", 1),
        (":- foo(1).", "v.pl:1: error: unknown procedure foo/1", 1),
        (":- include(v).", "files include each other without end", 2),
        ("p :- \0.", "syntax error", 2),
    ] {
        let files = [
            ("v.pl", program),
            m,
            ("n.pl", ":- module(n, [p/1]).\np(2).\n"),
            ("m2.pl", ":- module(m, []).\n"),
            ("plain.pl", "p(3).\n"),
        ];
        check(&files, "", error, exit);
    }
}

#[test]
fn loading_errors_are_iso_errors_where_a_goal_loads() {
    for (goal, error) in [
        ("consult(nowhere)", "existence_error(source_sink,nowhere)"),
        ("use_module(library(no_such_library))", "existence_error(source_sink,library(no_such_library))"),
        ("use_module(plain)", "domain_error(module_file,plain)"),
        ("consult(_)", "instantiation_error"),
        ("consult(1)", "domain_error(source_sink,1)"),
        ("consult(latin)", "permission_error(load,source_sink,latin)"),
    ] {
        let program = format!(":- initialization((catch({goal}, error(E, _), (print(E))))).\n");
        let mut system = rtcheck::base::MemorySystem::with_file("v.pl", &program);
        system.files.insert("plain.pl".into(), b"p(3).\n".to_vec());
        system.files.insert("latin.pl".into(), vec![b'p', 0xe4]);
        let system = std::rc::Rc::new(std::cell::RefCell::new(system));
        let mut session = rtcheck::session::Session::open(
            Box::new(std::rc::Rc::clone(&system)),
            std::path::Path::new("v.pl"),
            Options::default(),
        )
        .expect("the file is there");
        assert_eq!(session.run(Vec::new()), 0);
        assert_eq!(String::from_utf8_lossy(&system.borrow().output), error, "{goal}");
    }
}

#[test]
fn files_that_load_each_other_for_ever_end_with_an_error() {
    // Each file loads another one; a new name each time, so none of them is known already.
    let files: Vec<(String, String)> =
        (0..200).map(|i| (format!("f{i}.pl"), format!(":- consult(f{}).\n", i + 1))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    check(&files, "", "more than 100 levels deep", 2);
}

#[test]
fn a_module_calls_what_its_own_definition_takes_the_place_of() {
    // Through `system` or through the library's module.
    let module = ":- module(m, [last/2, forall/2, delete/3, run/0]).\n\
        :- use_module(library(lists), []).\n\
        last(A, x(D)) :- system:last(A, D).\nforall(A, B) :- write(f), system:forall(A, B).\n\
        delete(A, B, y(C)) :- lists:delete(A, B, C).\n\
        run :- last([1], X), m:last([2], Y), forall(member(Z, [3]), print(Z)), print([X, Y]), nl.\n";
    let program = ":- use_module(m).\n:- initialization(main).\n\
        main :- run, last([1], X), m:last([2], Y), G = m:forall(true, true), G, delete([a], b, Z), print([X, Y, Z]), nl.\n";
    with_module(module, program, "f3[x(1),x(2)]\nf[x(1),x(2),y([a])]\n");
}

#[test]
fn programs_are_told_where_their_texts_are_from_the_root() {
    let program = "\
        :- prolog_load_context(directory, D), prolog_load_context(source, S), prolog_load_context(file, F),\n\
           absolute_file_name('.', D), absolute_file_name('v.pl', S), S == F, write(yes), nl.\n\
        :- use_module(m).\n:- initialization(main).\n\
        main :- source_file(main, F), absolute_file_name('v.pl', F), source_file(m:p, G), absolute_file_name('m.pl', G),\n\
            module_property(m, file(G)), once(source_file(G)), source_file_property('m.pl', module(M)),\n\
            write(M), nl.\n";
    with_module(":- module(m, [p/0]).\np.\n", program, "yes\nm\n");
}

#[test]
fn the_module_of_a_plain_term_is_that_of_who_asks() {
    let module = ":- module(m, [own/1, given/2]).\n:- meta_predicate given(:, ?).\n\
        own([M, N, O]) :- strip_module(f, M, _), G = strip_module(f, N, _), G, strip_module(a:f, O, f).\n\
        given(G, M) :- strip_module(G, M, _).\n";
    let program = ":- use_module(m).\n:- initialization(main).\n\
        main :- own(L), given(f, M), given(a:b:f, N), strip_module(f, O, _), print([L, M, N, O]), nl.\n";
    with_module(module, program, "[[m,m,a],user,b,user]\n");
}

#[test]
fn checks_see_calls_of_other_modules() {
    let module =
        ":- module(m, [p/1, r/1], [assertions, regtypes]).\n:- pred p(X) : list(X).\np(_).\nr(X) :- p(X).\n";
    for goal in ["p(a)", "m:p(a)", "call(p, a)", "G = m:p(a), call(G)", "r(a)", "maplist(p, [a])"] {
        let program = format!(":- use_module(m).\n:- initialization(({goal})).\n");
        let files = [("v.pl", program.as_str()), ("m.pl", module)];
        check(&files, "", "Requires in *calls*", 1);
    }
    let off = module.replace("regtypes]", "nortchecks]");
    with_module(&off, ":- use_module(m).\n:- initialization(p(a)).\n", "");
}

#[test]
fn goals_are_expanded_where_clauses_are_read() {
    let program = "
:- module(v, []).
:- multifile user:goal_expansion/2.
user:goal_expansion(old(X), new(X)).
goal_expansion(twice(G), (G, G)).
new(X) :- write(X).
p(X) :- old(X), ( X > 1 -> twice(old(b)) ; \\+ old(c) ), findall(Y, old(Y), _), G =.. [old, X], call(G), call(old, X).
old(X) :- write(not_expanded(X)).
g --> [X], { old(X) }.
:- dynamic d/1.
d(X) :- old(X).
:- old(directive).
:- initialization((p(2), phrase(g, [3]), d(4))).
";
    // What is built only when it is called is not seen.
    let ran = crate::support::run(program);
    let letters = ran.output.replace(|c: char| c == '_' || c.is_ascii_digit(), "");
    assert_eq!((letters.as_str(), ran.error.as_str()), ("directivebbnotexpanded()", ""));
}

#[test]
fn declarations_of_other_systems_are_understood() {
    let program = ":- module(v, [main/0]).
:- autoload(library(lists), [append/3]).
:- autoload(library(apply)).
:- use_module(library(pairs), [pairs_keys/2, op(_, _, pairs)]).
:- thread_local
    seen/1,
    other/2.
:- volatile seen/1.
:- public main/0.
:- det(main/0).
:- module_transparent main/0.
fact(a => b).
main :- assertz(seen(1)), seen(X), append([X], [public], L), write(L), [volatile-Y, det] = [_-2, Z],
    write(Y), write(Z), fact(A => B), write(A-B), nl.
";
    check(&[("v.pl", program)], "[1,public]2deta-b\n", "", 0);
}

#[test]
fn declarations_of_ciao_packages_are_understood() {
    let translation = "
:- module(tr, [tr/3, twice/2]).
tr(double(F), [F, copy_of(F)], _).
twice(copy_of(F), copied(F)).
";
    let program = "
:- module(v, [main/0], [assertions]).
:- package(v).
:- use_module(library(port_reify)).
:- load_compilation_module(tr).
:- add_sentence_trans(tr/3, 100).
:- attribute foo/1.
:- if(defined(absent)).
p(wrong).
:- else.
p(1).
:- endif.
:- compilation_fact(here).
:- if(defined(here)).
p(2).
:- endif.
double(q(3)).
main :- findall(X, ( p(X) ; q(X) ; copy_of(q(X)) ), L), print(L),
    once_port_reify(fail, A), once_port_reify(throw(x), B), once_port_reify(p(_), C), print(A/B/C),
    catch(port_call(B), x, true), \\+ port_call(A), port_call(C).
";
    let ran = run_files(&[("v.pl", program), ("tr.pl", translation)], &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.exit), ("[1,2,3,3]fail/exception(x)/success", 0), "{}", ran.error);
}

#[test]
fn a_syntax_error_costs_its_clause() {
    let ran = run_files(
        &[("v.pl", "p(1).\np(2.\np(3).\n:- initialization(main).\nmain :- forall(p(X), print(X)).\n")],
        &[],
        Options::default(),
    );
    assert_eq!((ran.output.as_str(), ran.exit), ("13", 1));
    assert!(
        ran.error.contains("syntax error") && ran.error.contains("the rest of the program runs"),
        "{}",
        ran.error
    );
}

#[test]
fn of_several_modules_in_front_of_an_argument_the_innermost_counts() {
    let ran = crate::support::run(
        ":- initialization(main).
        :- meta_predicate p(:, ?), q(0).
        p(X, Y) :- print(X-Y), nl.
        q(X) :- print(X), nl.
        main :- p(x:y:a, b), q(x:y:foo), p(a, b), G = p(a:b:c, d), call(G), call(p(u:v:w), z).",
    );
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("(y:a)-b\ny:foo\n(user:a)-b\n(b:c)-d\n(v:w)-z\n", "")
    );
}

#[test]
fn a_text_is_loaded_from_a_stream_and_takes_the_place_of_what_had_its_name() {
    let program = r#"
:- initialization(main).
given(Name, Text) :- open_string(Text, S), load_files(Name, [stream(S)]), close(S).
main :- given('a.pl', ':- module(a, [p/1]). p(1). p(2).'), findall(X, p(X), L), print(L),
    given('a.pl', ':- module(a, [p/1]). p(3).'), findall(X, p(X), M), print(M),
    given(plain, 'q(1). q(X) :- X = 2.'), findall(X, q(X), N), print(N), nl.
"#;
    check(&[("v.pl", program)], "[1,2][3][1,2]\n", "", 0);
}

#[test]
fn of_two_whole_libraries_that_export_one_name_the_first_stays() {
    let program = "
:- use_module(library(clpq)).
:- use_module(library(clpr)).
main :- {X = 1/3 + Y, Y = 1}, clpr:{Z = 1/4 + W, W = 1}, print(X-Z), nl.
";
    check(
        &[("v.pl", program)],
        "4r3-1.25\n",
        "`{}/1` cannot be imported from `clpr`: it is imported from `clpq`",
        0,
    );
}

#[test]
fn names_of_libraries_are_free_for_modules_of_programs() {
    for name in ["date", "dicts", "threads", "engines", "builtin", "others", "tries", "simplex", "terms"] {
        let module = format!(":- module({name}, [mine/1]).\nmine(X) :- X = {name}.\n");
        let program = format!(
            ":- use_module({name}).\n:- initialization(main).\n\
             main :- mine(X), print(X), format_time(atom(Y), '%Y', 0), print(Y), dict_pairs(D, t, [a-1]), get_dict(a, D, V), print(V),\n\
             engine_create(E, member(E, [1, 2]), N), engine_next(N, F), print(F), thread_self(T), print(T), sleep(0.001),\n\
             trie_new(R), trie_insert(R, a, 1), trie_lookup(R, a, W), print(W), use_module(library(clpr)), term_hash(a, H), integer(H).\n"
        );
        let file = format!("{name}.pl");
        let ran = run_files(&[("v.pl", &program), (&file, &module)], &[], Options::default());
        let expected = format!("{name}'1970'11main1");
        assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected.as_str(), ""), "{name}");
    }
}
