//! The command line.

use std::path::Path;
use std::process::{Command, Output};

fn rtcheck(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtcheck")).args(arguments).output().expect("the program starts")
}

fn fixture(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/prolog").join(name).display().to_string()
}

#[test]
fn the_benchmarks_print_what_is_expected() {
    for name in ["amqueue", "avl", "btree", "heap", "length", "rbtree", "set", "tree"] {
        let out = rtcheck(&["run", &fixture(&format!("{name}.pl")), "--", "256"]);
        let expected =
            std::fs::read(fixture(&format!("{name}.256.out"))).expect("it lies beside the program");
        assert_eq!((out.status.code(), out.stdout), (Some(0), expected));
        assert!(out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
    }
}

#[test]
fn a_tree_checked_by_levels_has_all_its_nodes() {
    let out = rtcheck(&["run", &fixture("levels.pl"), "--cache-every", "3", "--", "12"]);
    let expected = std::fs::read(fixture("levels.12.out")).expect("it lies beside the program");
    assert_eq!((out.status.code(), out.stdout, out.stderr), (Some(0), expected, Vec::new()));
}

/// The expected output is SWI-Prolog's.
#[test]
fn the_classics_print_what_other_systems_print() {
    for name in ["nrev", "tak", "queens", "zebra", "crypt", "deriv", "poly_10", "browse"] {
        let out = rtcheck(&["run", &fixture(&format!("classics/{name}.pl")), "--", "1"]);
        let expected =
            std::fs::read(fixture(&format!("classics/{name}.out"))).expect("it lies beside the program");
        assert_eq!((out.status.code(), out.stdout, out.stderr), (Some(0), expected, Vec::new()), "{name}");
    }
}

#[test]
fn statistics_have_the_shape_of_all_tools() {
    let folder = tempfile::tempdir().expect("a folder");
    let stats = folder.path().join("stats.json");
    let (file, stats_file) = (fixture("amqueue.pl"), stats.display().to_string());
    let out = rtcheck(&["run", &file, "--analysis", "off", "--stats", &stats_file, "--", "64"]);
    assert_eq!(out.status.code(), Some(0));
    let text = std::fs::read_to_string(stats).expect("it was written");
    let report: reprise_tools::report::Report = serde_json::from_str(&text).expect("it is a report");
    assert_eq!(report.tool, "rtcheck");
    assert_eq!(report.engine["violations"], 0);
    assert!(report.cache.hits > 0 && report.engine["node_visits"].as_u64() > Some(0));
}

#[test]
fn the_readme_tells_how_many_nodes_checks_visit() {
    let folder = tempfile::tempdir().expect("a folder");
    let stats = folder.path().join("stats.json");
    let stats_file = stats.display().to_string();
    let command = "rtcheck run fixtures/prolog/amqueue.pl ";
    let mut count = 0;
    for line in include_str!("../../../README.md").lines().filter_map(|line| line.strip_prefix(command)) {
        let (options, told) = line.split_once('#').expect("a figure");
        let (options, _) = options.split_once("--stats").expect("statistics");
        let file = fixture("amqueue.pl");
        let mut arguments = vec!["run", &file];
        arguments.extend(options.split_whitespace());
        arguments.extend(["--stats", &stats_file, "--", "1000"]);
        assert_eq!(rtcheck(&arguments).status.code(), Some(0));
        let text = std::fs::read_to_string(&stats).expect("it was written");
        let report: reprise_tools::report::Report = serde_json::from_str(&text).expect("it is a report");
        assert_eq!(told.trim().replace(',', ""), report.engine["node_visits"].to_string(), "{line}");
        count += 1;
    }
    assert_eq!(count, 3);
}

#[test]
fn a_profile_has_a_row_per_property_and_tells_what_would_help() {
    let out = rtcheck(&[
        "profile",
        &fixture("tree.pl"),
        "--check-cache",
        "lru",
        "--cache-size",
        "4",
        "--json",
        "--compare",
        "--",
        "256",
    ]);
    assert_eq!(out.status.code(), Some(0), "{}", String::from_utf8_lossy(&out.stderr));
    let profile: serde_json::Value = serde_json::from_slice(&out.stdout).expect("it is JSON");
    let rows = profile["rows"].as_array().expect("there are rows");
    // insert: a key and a tree at the call, a tree at the success; contains: a key and a tree.
    let mut kinds: Vec<(&str, &str, &str)> = rows
        .iter()
        .map(|row| {
            let text = |key: &str| row[key].as_str().expect("it is text");
            (text("predicate"), text("when"), text("property"))
        })
        .collect();
    kinds.sort_unstable();
    assert_eq!(
        kinds,
        [
            ("tree:contains/2", "calls", "bintree(T,int)"),
            ("tree:contains/2", "calls", "int(K)"),
            ("tree:insert/3", "calls", "bintree(T0,int)"),
            ("tree:insert/3", "calls", "int(K)"),
            ("tree:insert/3", "success", "bintree(T,int)"),
        ]
    );
    let find = |when: &str| {
        rows.iter()
            .find(|row| {
                row["predicate"] == "tree:insert/3" && row["when"] == when && row["property"] != "int(K)"
            })
            .expect("it is among them")
    };
    let (calls, success) = (find("calls"), find("success"));
    assert_eq!(calls["checks"], success["checks"]);
    let better = success["better"]["visits"].as_u64().expect("a larger cache helps");
    assert!(better < success["visits"].as_u64().expect("a count") / 2);

    let table = rtcheck(&["profile", &fixture("tree.pl"), "--", "64"]);
    let table = String::from_utf8(table.stdout).expect("it is text");
    let mut lines = table.lines();
    assert_eq!(lines.next(), Some("64"), "the program's own output comes first");
    let summary = lines.next().expect("a summary");
    assert!(summary.contains(" checks visited ") && summary.ends_with("that the program ran"), "{summary}");
    assert_eq!(table.matches("tree:insert/3 calls: bintree(T0,int)").count(), 1);
}

#[test]
fn a_missing_file_is_unusable_input() {
    let out = rtcheck(&["run", "no-such-file.pl"]);
    assert_eq!(out.status.code(), Some(2));
    let error = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(error.contains("no-such-file.pl") && error.contains("is the path right"), "{error}");
}

#[test]
fn wrong_options_are_usage_errors() {
    for arguments in [
        &["run", "x.pl", "--check-cache", "fast"][..],
        &["run", "x.pl", "--audit", "sometimes"],
        &["run", "x.pl", "--depth-limit", "deep"],
        &["walk"],
    ] {
        assert_eq!(rtcheck(arguments).status.code(), Some(2), "{arguments:?}");
    }
}

/// A program in a folder of its own.
fn program(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("p.pl");
    std::fs::write(&path, text).expect("it is written");
    let path = path.display().to_string();
    (folder, path)
}

#[test]
fn arguments_need_no_separator() {
    let (_folder, path) = program("main(As) :- writeq(As).\n");
    for arguments in [&["a", "1"][..], &["--", "a", "1"], &["a", "--audit", "never", "1"]] {
        let mut all = vec!["run", path.as_str()];
        all.extend(arguments);
        let out = rtcheck(&all);
        assert_eq!(
            (out.status.code(), out.stdout.as_slice()),
            (Some(0), b"[a,'1']".as_slice()),
            "{arguments:?}"
        );
    }
}

#[test]
fn limits_are_errors_of_the_program() {
    let (_folder, path) = program(
        "main([What]) :- catch(What, error(resource_error(R), _), (write(R), nl)).\n\
         loop :- loop.\n\
         deep :- deep, halt.\n\
         build :- build([]).\n\
         build(L) :- build([L|L]).\n\
         collect :- findall(X, repeat, X).\n\
         assert :- catch(fill, E, (retractall(f(_)), fill(1000), throw(E))).\n\
         fill :- repeat, assertz(f(f(a,b,c,d,e,f,g,h))), fail.\n\
         fill(N) :- forall(between(1, N, I), assertz(f(I))), aggregate_all(count, f(_), N).\n\
         text :- text(aa).\n\
         text(A) :- atom_concat(A, A, B), text(B).\n\
         texts :- texts(0, []).\n\
         texts(N, As) :- atom_concat(a, N, A), N1 is N + 1, texts(N1, [A|As]).\n",
    );
    for (goal, limit, resource) in [
        ("loop", ["--time-limit", "0.3"], "time\n"),
        ("deep", ["--frame-limit", "10000"], "depth\n"),
        ("deep", ["--memory-limit", "64M"], "memory\n"),
        ("build", ["--memory-limit", "64M"], "memory\n"),
        ("collect", ["--memory-limit", "32M"], "memory\n"),
        ("assert", ["--memory-limit", "32M"], "memory\n"),
        ("text", ["--memory-limit", "32M"], "memory\n"),
        ("texts", ["--memory-limit", "16M"], "memory\n"),
    ] {
        let out = rtcheck(&["run", &path, limit[0], limit[1], "--", goal]);
        assert_eq!(String::from_utf8_lossy(&out.stdout), resource, "{goal} {limit:?}");
        assert_eq!(out.status.code(), Some(0));
    }
}

#[test]
fn an_interrupt_stops_a_runaway_goal() {
    use std::io::Read as _;
    let (_folder, path) = program("main :- write(ready), nl, flush_output, loop.\nloop :- loop.\n");
    let mut child = Command::new(env!("CARGO_BIN_EXE_rtcheck"))
        .args(["run", &path])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut ready = [0; 6];
    child.stdout.as_mut().expect("a pipe").read_exact(&mut ready).expect("it says that it is ready");
    let killed =
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill is there");
    assert!(killed.success());
    let out = child.wait_with_output().expect("it ends");
    assert_eq!(out.status.code(), Some(130));
    assert_eq!(String::from_utf8_lossy(&out.stderr), "error: interrupted\n");
}

#[test]
fn input_that_is_no_program_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("it is written");
        path.display().to_string()
    };
    let directory = folder.path().display().to_string();
    for (path, error, code) in [
        (directory, "cannot read", 2),
        (file("latin.pl", b"p(\xe4)."), "is not UTF-8 text: the byte at offset 2", 2),
        (file("nul.pl", b"p :- \0.\n"), "syntax error", 2),
        (file("empty.pl", b""), "", 0),
        (file("blank.pl", b"\n % nothing\n"), "", 0),
        (file("open.pl", b"p :- q"), "syntax error", 2),
    ] {
        let out = rtcheck(&["run", &path]);
        let told = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(code), "{path}: {told}");
        assert!(if error.is_empty() { told.is_empty() } else { told.contains(error) }, "{path}: {told}");
    }
}

#[test]
fn a_file_is_known_by_its_place_whichever_folder_the_program_is_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
        std::fs::write(path, text).expect("it is written");
    };
    write("a/m.pl", ":- module(ma, [p/1]).\n:- use_module(n).\np(X) :- n(X).\n");
    write("a/n.pl", ":- module(na, [n/1]).\nn(a).\n");
    write("b/m.pl", ":- module(mb, [q/1]).\nq(b).\n");
    write("c.pl", "c(c).\n");
    let directives = ":- working_directory(_, a).\n:- use_module(m).\n:- working_directory(_, '../b').\n:- use_module(m).\n\
                      :- use_module('../a/m').\n:- ensure_loaded(c).\nmain :- p(X), q(Y), c(Z), writeq(X/Y/Z).\n";
    let goals = "main :- working_directory(_, a), consult(m), working_directory(_, '../b'), consult(m), consult('../a/m'),\n\
                 consult('../c'), ma:p(X), mb:q(Y), c(Z), writeq(X/Y/Z).\n";
    for program in [directives, goals] {
        write("main.pl", &format!("{program}:- initialization(main).\n"));
        let out = Command::new(env!("CARGO_BIN_EXE_rtcheck"))
            .args(["run", "main.pl"])
            .current_dir(folder.path())
            .output()
            .expect("it runs");
        let told = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(
            (String::from_utf8_lossy(&out.stdout).as_ref(), told.as_str()),
            ("a/b/c", ""),
            "{program}"
        );
    }
}

#[test]
fn names_of_texts_are_absolute_as_they_were_when_these_were_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().canonicalize().expect("a folder");
    std::fs::create_dir(root.join("a")).expect("it is made");
    let module = ":- module(ma, [p/1]).\n:- working_directory(_, '..').\n\
        :- source_location(F, _), assertz(user:told(F)).\n\
        :- prolog_load_context(directory, D), assertz(user:told(D)).\np(1).\n";
    std::fs::write(root.join("a/m.pl"), module).expect("it is written");
    let program = ":- dynamic told/1.\n:- use_module('a/m').\n:- working_directory(_, '/').\n\
        main :- forall(told(F), (print(F), nl)), forall(member(H, [main, p(_)]), (predicate_property(H, file(F)), print(F), nl)),\n\
        forall((source_file(F), \\+ sub_atom(F, 0, _, _, library)), (print(F), nl)), module_property(ma, file(M)), print(M), nl,\n\
        source_file(p(_), S), print(S), nl, findall(P, (predicate_property(p(_), P), P = file(_)), L), print(L), nl.\n\
        :- initialization(main).\n";
    std::fs::write(root.join("main.pl"), program).expect("it is written");
    let out = Command::new(env!("CARGO_BIN_EXE_rtcheck"))
        .args(["run", "main.pl"])
        .current_dir(&root)
        .output()
        .expect("it runs");
    let told = String::from_utf8_lossy(&out.stdout).replace(&root.display().to_string(), "R");
    let expected = "'R/a/m.pl'\n'R/a'\n'R/main.pl'\n'R/a/m.pl'\n'R/main.pl'\n'R/a/m.pl'\n'R/a/m.pl'\n'R/a/m.pl'\n\
        [file('R/a/m.pl')]\n";
    assert_eq!((told.as_str(), String::from_utf8_lossy(&out.stderr).as_ref()), (expected, ""));
}

#[test]
fn the_flag_iso_reads_as_the_standard_says() {
    let (_folder, path) = program(":- initialization(main).\nmain :- X = 'a\nb', print(X), nl.\n");
    let lenient = rtcheck(&["run", &path]);
    assert_eq!(String::from_utf8_lossy(&lenient.stdout), "'a\\nb'\n");
    let strict = rtcheck(&["run", "--iso", &path]);
    assert_eq!(strict.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&strict.stderr).contains("inside quotes"));
}

#[test]
fn an_analysis_tells_what_is_proved_and_ends_with_1_where_something_is_refuted() {
    let out = rtcheck(&["analyze", &fixture("set.pl")]);
    let text = String::from_utf8(out.stdout).expect("it is text");
    assert_eq!(out.status.code(), Some(0));
    let mut lines = text.lines();
    assert_eq!(
        lines.next(),
        Some("6 conditions, 12 places: 8 proved, 0 refuted, 4 left to run time (0 inside the program)")
    );
    assert_eq!(lines.next(), Some("set:insert/3 calls: int(X), intset(S0)"));
    assert_eq!(lines.next(), Some("    proved in set:insert_by/5, line 16"));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("wrong.pl");
    let program = ":- pred p(X) : int(X).\np(_).\n:- pred q(X) : int(X).\nq(X) :- p(f(X)).\n";
    std::fs::write(&file, program).expect("it is written");
    let out = rtcheck(&["analyze", &file.display().to_string(), "--json"]);
    assert_eq!(out.status.code(), Some(1));
    let found: serde_json::Value = serde_json::from_slice(&out.stdout).expect("it is JSON");
    let place = &found["conditions"][0]["places"][0];
    assert_eq!((&place["verdict"], &place["lines"]), (&"refuted".into(), &serde_json::json!([4, 4])));
    assert_eq!(place["reason"], "`int(X)` cannot hold");
}

/// What a program writes that runs in a folder of its own, and its messages.
fn ran_in_a_folder(program: &str, double_quotes: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    // A shell takes this name apart where nobody puts it between quotes.
    std::fs::create_dir(folder.path().join("it's temporary")).expect("a folder");
    let temporary = ":- absolute_file_name('it''s temporary', T), set_prolog_flag(tmp_dir, T).\n";
    let program = format!("{temporary}{program}");
    std::fs::write(folder.path().join("v.pl"), program).expect("it can be written");
    let out = Command::new(env!("CARGO_BIN_EXE_rtcheck"))
        .args(["run", "--double-quotes", double_quotes, "v.pl"])
        .current_dir(folder.path())
        .output()
        .expect("the program starts");
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

#[test]
fn other_programs_run_and_are_given_and_asked_for_text() {
    let program = r#"
:- use_module(library(process)).
:- initialization(main).
main :-
    process_create(path(tr), [a-z, 'A-Z'], [stdin(pipe(In)), stdout(pipe(Out)), process(Pid)]),
    format(In, "it's~nhere~n", []), close(In), read_string(Out, _, Text), close(Out), process_wait(Pid, Status),
    print(Text-Status), nl,
    process_create(path(sh), ['-c', 'exit 3'], [process(P2)]), process_wait(P2, S2), print(S2), nl,
    catch(process_create(path(sh), ['-c', 'exit 4'], []), error(E, _), ( print(E), nl )),
    catch(process_create(path(no_such_program_), [], []), error(E2, _), ( print(E2), nl )),
    process_create(path(sleep), [60], [process(P3)]), ( is_process(P3) -> true ; print(no) ), process_kill(P3, 9),
    process_wait(P3, S3), print(S3), nl,
    process_create(path(sleep), [60], [process(P4)]), process_wait(P4, S4, [timeout(0)]), print(S4), nl, process_kill(P4),
    process_create(path(sh), ['-c', 'echo "$V" >&2; pwd'], [environment(['V'='a b']), cwd('/'), stdout(pipe(O5)), stderr(pipe(E5))]),
    read_string(O5, _, T5), read_string(E5, _, T6), close(O5), close(E5), print(T5-T6), nl.
"#;
    assert_eq!(
        ran_in_a_folder(program, "string"),
        "\"IT'S\\nHERE\\n\"-exit(0)\nexit(3)\nprocess_error(path(sh),exit(4))\n\
         existence_error(source_sink,path(no_such_program_))\nkilled(9)\ntimeout\n\"/\\n\"-\"a b\\n\"\n"
    );
}

#[test]
fn processes_are_called_and_piped_as_in_ciao() {
    let program = r#"
:- use_module(library(process)).
:- initialization(main).
main :-
    process_call(path(cat), [], [stdin(string("one\ntwo\n")), stdout(atmlist(L))]), print(L), nl,
    process_call(path(echo), ['it''s', [b, "c d"]], [stdout(line(T))]), format("~s~n", [T]),
    process_call(path(sh), ['-c', 'exit 2'], [status(S)]), print(S), nl,
    catch(process_call(path(false), [], []), error(E, _), ( print(E), nl )),
    process_pipe([process_call(path(echo), ['axb\ncxd\nefg']), process_call(path(grep), [x]),
                  process_call(path(grep), [q], [status(Q)])], [stdout(string(N))]), print(Q-N), nl,
    process_call(path(sh), ['-c', 'echo e >&2; echo o'], [stderr(stdout), stdout(atmlist(B))]), print(B), nl,
    process_call(path(echo), ['f(x, ''A''). g.'], [stdout(terms(Ts))]), print(Ts), nl,
    process_call(path(sh), ['-c', 'pwd; echo $V'], [cwd('/'), env(['V'=1]), stdout(atmlist(W))]), print(W), nl.
"#;
    insta::assert_snapshot!(ran_in_a_folder(program, "codes"), @r"
    [one,two]
    it's b c d
    2
    process_error(path(false),exit(1))
    1-[]
    [e,o]
    [f(x,'A'),g]
    [/,'1']
    ");
}
