//! Libraries that are compiled when a program asks for them, and those that are loaded at the first call.

use crate::support::{run, run_files, run_with};
use rtcheck::base::MemorySystem;
use rtcheck::builtins::{LIBRARY, library_mistakes, new_machine};
use rtcheck::check::Configuration;
use rtcheck::report::REPORTERS;
use rtcheck::session::Options;

#[test]
fn the_index_of_the_library_finds_what_the_reader_finds_and_all_of_it_compiles() {
    let mut machine =
        new_machine(Box::<MemorySystem>::default(), Configuration::default(), REPORTERS).unwrap();
    assert_eq!(library_mistakes(&mut machine, LIBRARY), Vec::<String>::new());

    let wrong = "a(1).\n  a(2).\nb(X) :-\n    c(X.\nd --> e.\nf(1, 2). g(1).\n";
    let mistakes = library_mistakes(&mut machine, &[("wrong", wrong), ("again", "a(1).\n")]);
    let names = [
        "wrong:1: a/1 has a clause",
        "wrong:3: b/1",
        "wrong:5: d/0",
        "wrong:6: f/2 has",
        "wrong: ",
        "again:1: a/1 is",
    ];
    assert!(
        mistakes.len() == names.len()
            && mistakes.iter().zip(names).all(|(told, name)| told.starts_with(name)),
        "{mistakes:#?}"
    );
}

#[test]
fn a_library_is_loaded_at_the_first_call_wherever_that_is() {
    let ran = run(
        ":- initialization(main).
         main :- first(X), writeln(X), G = base64(ab, Y), call(G), writeln(Y), maplist(add, [b, a], Z), writeln(Z).
         first(X) :- oset_union([b], [a], X).
         add(X, Y) :- oset_addel([c], X, Y).",
    );
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("[a,b]\nYWI=\n[[b,c],[a,c]]\n", ""));
}

#[test]
fn a_program_s_own_predicate_comes_first_and_strict_programs_load_nothing() {
    let ran = run(":- initialization(main).
         main :- oset_union(a, b, X), writeln(X), catch(no_such(1), error(E, _), true), print(E), nl.
         oset_union(X, Y, X+Y).");
    assert_eq!(ran.output, "a+b\nexistence_error(procedure,no_such/1)\n");
    let strict = Options { iso: true, ..Options::default() };
    let ran = run_with(
        ":- initialization(main).
         main :- catch(oset_union([b], [a], _), error(E, _), true), writeq(E), nl.",
        &[],
        strict,
    );
    assert_eq!(ran.output, "existence_error(procedure,oset_union/3)\n");
}

#[test]
fn a_program_may_say_that_it_redefines_what_is_protected() {
    let ran = run(
        ":- redefine_system_predicate(atom_length(_, _)).
         :- dynamic(user:no/0).
         atom_length(X, own(X)).
         :- redefine_system_predicate(false).
         :- dynamic(false/0).
         :- initialization(main).
         main :- atom_length(ab, N), atom_concat(ab, c, A), assertz((false :- N, A)), clause(false, B), print(B), nl,
             catch(redefine_system_predicate((_, _)), error(E, _), true), print(E), nl, length([x], L), print(L), nl.",
    );
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("own(ab),abc\npermission_error(redefine,built_in_procedure,(',')/2)\n1\n", "")
    );
}

#[test]
fn records_are_defined_by_a_directive() {
    let ran = run(
        ":- use_module(library(record)).
         :- record point(x:integer=0, y:integer=0), seg(from, to, name:atom=none).
         :- initialization(main).
         main :-
             default_point(P), make_point([y(3)], Q), set_x_of_point(5, Q, R), point_y(R, Y), print([P, Q, R, Y]), nl,
             make_point([z(1), x(2)], S, Rest), print(S-Rest), nl,
             ( make_point([z(1)], _) -> true ; writeln(left) ),
             catch(make_point([x(a)], _), error(F, _), true), print(F), nl,
             findall(N = V, point_data(N, R, V), Vs), print(Vs), nl,
             ( is_point(point(a, 1)) -> true ; writeln(no) ),
             default_seg(T), seg_name(T, Name), writeln(Name),
             set_point_fields([x(7), y(8)], P, U), nb_set_x_of_point(9, U), print(U), nl.",
    );
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        (
            "[point(0,0),point(0,3),point(5,3),3]\npoint(2,0)-[z(1)]\nleft\ntype_error(integer,a)\n[x=5,y=3]\nno\nnone\n\
         point(9,8)\n",
            "",
        )
    );
}

#[test]
fn a_command_line_is_taken_apart_with_and_without_types() {
    let program = ":- use_module(library(main)).
         :- initialization(main, main).
         TYPES
         main(Argv) :- argv_options(Argv, P, O), print(P-O), nl.";
    let arguments = ["--name=bob", "--no-color", "file", "-v", "--", "-x"];
    let ran = run_with(&program.replace("TYPES", ""), &arguments, Options::default());
    assert_eq!(ran.output, "[file,'-v','-x']-[name(bob),color(false)]\n");
    let types = "opt_type(name, name, atom). opt_type(n, name, atom). opt_type(color, color, boolean).
         opt_type(v, verbose, boolean). opt_type(size, size, integer).";
    let ran = run_with(&program.replace("TYPES", types), &arguments, Options::default());
    assert_eq!(ran.output, "[file,'-x']-[name(bob),color(false),verbose(true)]\n");
    let ran = run_with(&program.replace("TYPES", types), &["-vn", "amy", "--size", "7"], Options::default());
    assert_eq!(ran.output, "[]-[verbose(true),name(amy),size(7)]\n");
    let ran = run_with(&program.replace("TYPES", types), &["--size=x"], Options::default());
    assert_eq!(
        (ran.error.as_str(), ran.exit),
        ("ERROR: option --size takes a value of the type integer, not x\n", 1)
    );
    for (argument, says) in [
        ("--size", "option --size needs a value of the type integer"),
        ("--nope", "there is no option --nope (--help shows those that there are)"),
        ("-q", "there is no option -q (--help shows those that there are)"),
    ] {
        let ran = run_with(&program.replace("TYPES", types), &[argument], Options::default());
        assert_eq!((ran.error, ran.exit), (format!("ERROR: {says}\n"), 1));
    }
    // Who asks for an exception gets one.
    let throwing =
        "main(Argv) :- catch(argv_options(Argv, _, _, [on_error(error)]), error(E, _), true), print(E), nl.";
    let program =
        format!(":- use_module(library(main)).\n:- initialization(main, main).\n{types}\n{throwing}\n");
    let ran = run_with(&program, &["--nope"], Options::default());
    assert_eq!((ran.output.as_str(), ran.exit), ("existence_error(commandline_option,nope)\n", 0));
}

#[test]
fn help_on_a_command_line_is_made_of_what_is_said_of_its_options() {
    let program = ":- use_module(library(main)).
         :- initialization(main, main).
         opt_type(verbose, verbose, boolean). opt_type(v, verbose, boolean). opt_type(count, count, integer).
         opt_type(n, count, integer). opt_type(mode, mode, oneof([a, b])).
         opt_help(verbose, 'Says more'). opt_help(count, 'How many'). opt_help(help(header), 'Counts.').
         opt_help(help(usage), ' [options] file ...'). opt_help(help(footer), 'The end.').
         opt_meta(count, 'N').
         main(Argv) :- argv_options(Argv, P, O), print(P-O), nl.";
    let shown = "Counts.
Usage: rtcheck run main.pl [options] file ...

Options:
    -h, -?, --help   Show this help message and exit
    -v, --verbose    Says more
    -n N, --count=N  How many
    --mode=ONEOF     \n\nThe end.\n";
    for argument in ["--help", "-h"] {
        let ran = run_files(&[("main.pl", program)], &["file", argument], Options::default());
        assert_eq!((ran.error.as_str(), ran.output.as_str(), ran.exit), (shown, "", 0));
    }
    // Behind `--` it is no option.
    let ran = run_files(&[("main.pl", program)], &["--", "--help"], Options::default());
    assert_eq!(ran.output, "['--help']-[]\n");
}

#[test]
fn names_that_json_has_are_texts_in_classic_terms_and_a_text_that_ends_early_is_told() {
    let ran = run(":- use_module(library(http/json)).
         :- initialization(main).
         main :- json_write(current_output, json([a=null, b= @(null), c=[true]])), nl,
             json_write_dict(current_output, _{a:null, b:true}), nl,
             forall(member(T, ['{\"a\":', '[1,', '']),
                 ( catch(atom_json_term(T, _, []), error(E, _), true), print(E), nl )).");
    // What SWI-Prolog prints, but that it calls the second text illegal.
    assert_eq!(
        ran.output,
        "{\"a\":\"null\", \"b\":null, \"c\": [\"true\" ]}\n{\"a\":null, \"b\":true}\n\
         syntax_error(json(unexpected_end_of_file))\nsyntax_error(json(unexpected_end_of_file))\n\
         syntax_error(json(unexpected_end_of_file))\n"
    );
}

#[test]
fn a_dict_s_function_may_be_defined_with_empty_brackets() {
    let ran = run(":- module(point, []).
         M.len() := L :- L is sqrt(M.x**2 + M.y**2).
         M.twice(N) := V :- V is M.x * N.
         :- initialization(main).
         main :- P = point{x: 3, y: 4}, X = P.len(), print(X), nl, Y = P.twice(2), print(Y), nl.");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("5.0\n6\n", ""));
}

#[test]
fn predicates_are_tabled_while_a_program_runs() {
    let ran = run(":- initialization(main).
         fib(0, 0). fib(1, 1). fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
         :- dynamic e/2.
         e(a, b). e(b, a). e(b, c).
         path(X, Y) :- path(X, Z), e(Z, Y). path(X, Y) :- e(X, Y).
         main :- table((fib/2, path/2)), fib(200, F), print(F), nl, findall(Y, path(a, Y), Ys), sort(Ys, S), print(S), nl,
             table(fib/2), catch(table(nope/1), error(E, _), true), print(E), nl.");
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("280571172992510140037611932413038677189525\n[a,b,c]\nexistence_error(procedure,nope/1)\n", "")
    );
}

const LIBRARIES: &[&str] = &[
    "clpfd",
    "record",
    "ansi_term",
    "base64",
    "charsio",
    "codesio",
    "csv",
    "ctypes",
    "date",
    "dcg/high_order",
    "main",
    "nb_set",
    "occurs",
    "oset",
    "prolog_code",
    "strings",
    "thread",
    "varnumbers",
    "hashtable",
    "operators",
    "pprint",
    "more/apply",
    "more/builtin",
    "more/engines",
    "more/tries",
    "more/heaps",
    "more/random",
    "more/sequences",
    "more/terms",
    "more/threads",
    "more/ugraphs",
    "backcomp",
    "lazy_lists",
    "optparse",
    "settings",
    "uri",
    "url",
    "more/attributes",
    "more/hashes",
    "more/intercept",
    "more/others",
    "more/system",
];

/// What a library defines and what the list at its head says is the same, and its text gives no warning.
#[test]
fn every_library_on_demand_loads_without_a_word() {
    let mut program = String::from(":- initialization(main).\nmain.\n");
    for library in LIBRARIES {
        program.push_str(&format!(":- use_module(library({library})).\n"));
    }
    let ran = run(&program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("", ""));
}

/// Of two definitions of one predicate the first would hide the other.
#[test]
fn no_library_on_demand_defines_what_is_always_there_or_in_another() {
    let mut program = String::from(
        ":- initialization(main).
         main :- findall(N/A, offered(_, N/A), All),
             forall(( offered(M, N/A), functor(H, N, A), predicate_property(system:H, defined) ), (writeq(M:N/A), nl)),
             forall(( select(I, All, Rest), memberchk(I, Rest) ), (writeq(I), nl)).
         offered(M, I) :- current_module(M), M \\== user, module_property(M, exports(Is)), member(I, Is), \\+ passed_on(M, I).
         passed_on(M, N/A) :- functor(H, N, A), predicate_property(M:H, imported_from(_)).\n",
    );
    for library in LIBRARIES {
        program.push_str(&format!(":- use_module(library({library}), []).\n"));
    }
    let ran = run(&program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("", ""));
}

#[test]
fn what_a_library_has_in_a_part_of_its_own_can_be_imported_by_name() {
    let ran = run(":- use_module(library(terms), [subsumes/2, mapsubterms/3]).
         :- use_module(library(apply)).
         :- initialization(main).
         main :- mapsubterms([a, b]>>true, f(a), X), scanl(plus, [1, 2], 0, Y), writeln(X-Y).");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("f(b)-[0,1,3]\n", ""));
}

#[test]
fn rows_of_a_file_come_one_by_one() {
    let program = ":- initialization(main, main).
         main([File]) :-
             forall(csv_read_file_row(File, Row, [line(Line)]), (print(Line-Row), nl)),
             catch(csv_read_file(File, _), error(E, _), true), print(E), nl,
             csv_read_file(File, Rows, [match_arity(false)]), length(Rows, N), print(N), nl.";
    let rows = "a,1\n\n\"b\nc\",\"d\"\"e\"\n";
    let ran = run_files(&[("v.pl", program), ("rows.csv", rows)], &["rows.csv"], Options::default());
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("1-row(a,1)\n2-row('')\n3-row('b\\nc','d\"e')\ndomain_error(row_arity(2),1)\n3\n", "")
    );
}

/// What a program defines, and which operators and expansions it has, is nothing to the library.
#[test]
fn a_library_means_what_it_says_whatever_the_program_defines() {
    let ran = run(":- initialization(main).
         append(_, _, _) :- throw(mine).
         member(_, _) :- throw(mine).
         maplist(_, _) :- throw(mine).
         goal_expansion(format(_, _, _), fail).
         :- op(0, xfx, =..).
         :- op(0, xfy, ->).
         main :- format_time(atom(A), '%F %d', 0), writeln(A), oset_power([a], P), writeln(P),
             catch(format_time(atom(_), '%Q', 0), error(E, _), true), print(E), nl.");
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("1970-01-01 01\n[[],[a]]\nexistence_error(format,'%Q')\n", "")
    );
}

#[test]
fn goals_that_are_passed_on_are_expanded_too() {
    let ran = run("
:- use_module(library(apply)).
:- use_module(library(yall)).
:- meta_predicate my(1, ?).
goal_expansion(foo(X), bar(X)).
goal_expansion(dbl(X, Y), Y is X * 2).
goal_expansion(add(X, Y, Z), Z is X + Y).
goal_expansion(konst(X), X = k).
bar(X) :- write(bar(X)), nl.
my(G, X) :- call(G, X).
main :-
    maplist(dbl, [1,2], A), N = 10, maplist(add(N), [1,2], B), maplist(foo, [a]), foldl(add, [1,2,3], 0, S),
    my(foo, 1), forall(member(X, [1,2]), my(foo, X)), maplist([Y]>>foo(Y), [z]), length(L, 2), maplist(konst, L),
    print([A,B,S,L]), nl.
:- initialization(main).
");
    let output = "bar(a)\nbar(1)\nbar(1)\nbar(2)\nbar(z)\n[[2,4],[11,12],6,[k,k]]\n";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (output, ""));
}

/// A free variable would be every tree, one after the other.
#[test]
fn a_tree_that_is_none_is_an_error() {
    for (goal, error) in [
        ("get_assoc(k, T, _)", "instantiation_error"),
        ("get_assoc(k, x, _), T = 1", "type_error(btree,x)"),
        ("min_assoc(T, _, _)", "existence_error(matching_rule,assoc:min_assoc(A,B,C))"),
        ("del_assoc(k, T, _, _)", "existence_error(matching_rule,assoc:del_assoc(k,A,B,C))"),
        ("put_assoc(k, T, v, _)", "existence_error(matching_rule,assoc:put_assoc(k,A,v,B))"),
        ("gen_assoc(_, T, _)", "existence_error(matching_rule,assoc:gen_assoc(A,B,C))"),
        ("rb_lookup(k, _, T)", "existence_error(matching_rule,rbtrees:rb_lookup(k,A,B))"),
        ("rb_delete(T, k, _)", "existence_error(matching_rule,rbtrees:rb_delete(A,k,B))"),
    ] {
        let ran = run(&format!(
            ":- initialization(main).\nmain :- catch(({goal}, print(T)), error(E, _), ( numbervars(E, 0, _), print(E), nl )).\n"
        ));
        assert_eq!((ran.output.as_str(), ran.error.as_str()), (format!("{error}\n").as_str(), ""), "{goal}");
    }
    let trees =
        "list_to_assoc([b-1], A), put_assoc(a, A, 2, B), print(B), nl, put_assoc(c, A, 3, C), print(C), nl";
    let ran = run(&format!(":- initialization(main).\nmain :- {trees}.\n"));
    // As SWI-Prolog writes them.
    assert_eq!(ran.output, "t(b,1,<,t(a,2,-,t,t),t)\nt(b,1,>,t,t(c,3,-,t,t))\n");
}

#[test]
fn goals_for_the_end_run_when_the_program_has_ended() {
    let ran = run(
        ":- at_halt(writeln(first)), at_halt(fail), at_halt(writeln(last)).\nmain :- writeln(main), halt(3).\n",
    );
    assert_eq!((ran.output.as_str(), ran.exit), ("main\nfirst\nlast\n", 3));
    let ran = run(":- at_halt(halt(4)).\nmain :- writeln(main).\n");
    assert_eq!((ran.output.as_str(), ran.exit), ("main\n", 4));
}

#[test]
fn texts_that_may_be_missing_are_looked_for() {
    let ran = run(":- initialization(main).
         main :- forall(member(S, [library(lists), library(chr), library(nope), nope]),
             ( exists_source(S) -> writeln(S-yes) ; writeln(S-no) )),
             ( absolute_file_name(library(nope), F, [file_type(prolog), file_errors(fail)]) -> writeln(F) ; writeln(none) ),
             ( current_arithmetic_function(sin(_)), \\+ current_arithmetic_function(foo(_)) -> writeln(sin) ; true ),
             nb_setval(k, 1), nb_delete(k), \\+ nb_current(k, _), memberchk_eq(X, [Y, X]), \\+ memberchk_eq(Y, [X]),
             current_prolog_flag(unix, U), writeln(U), \\+ ( stream_property(S1, tty(true)), S1 == x ).");
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("library(lists)-yes\nlibrary(chr)-yes\nlibrary(nope)-no\nnope-no\nnone\nsin\ntrue\n", "")
    );
}

#[test]
fn json_is_read_and_written_as_terms_and_as_dicts() {
    let ran = run(r#":- use_module(library(http/json)).
        :- set_prolog_flag(double_quotes, string).
        :- initialization(main).
        main :-
            r('{"a": 1, "b": [true, false, null, "x\\u00e9y\\n\\ud83d\\ude00"], "c": {"d": -1.5e3, "7": {}}}'),
            r('[]'), r('"s"'), r(' 12 '), r('{"a" 1}'), r('[1,]'), r(''), r('[1 2]'), r('"abc'), r('tru'), r('"\\q"'),
            w(_{a: 1, b: [1, 2, 3], c: "s", d: null, f: x, g: 1.5, h: _{}, i: []}),
            w(_{aaaaaaaaaaaaaaaaaaaaaaaaaa: _{b: "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", c: "ccccccccccccccccccccc"},
                f: ["ddddddddddddddddddddddddddddddddd", "eeeeeeeeeeeeeeeeeeeeeeeee", [1]]}),
            w([_{a: 1}, _{b: 2}]), w("a\n\"\\/\t\u0001"), w(json([a = 1, b - x, c(@(null))])), w(f(x)), w([_]),
            atom_json_dict(X, _{a: "b"}, []), atom_json_term(Y, json([k = v]), [as(string)]), print([X, Y]), nl,
            atom_json_dict('{"a":"b"}', D, [value_string_as_atom(true), default_tag(t)]), print(D), nl,
            open_string("{\"a\":1}\n[2]", S), json_read_dict(S, A), json_read(S, B),
            catch(json_read(S, _), error(E, _), true), json_read(S, F, [end_of_file(eof)]), p([A, B, E, F]), nl.
        r(Text) :- c(atom_json_dict(Text, D, []), D), c(atom_json_term(Text, T, []), T).
        c(G, T) :- catch((G, p(T)), error(E, _), print(E)), nl.
        p(T) :- \+ \+ (numbervars(T, 0, _), print(T)).
        w(T) :- catch(json_write(current_output, T), error(E, _), print(E)), nl."#);
    insta::assert_snapshot!(format!("{}{}", ran.output, ran.error), @r#"
    A{a:1,b:[true,false,null,"xéy\n😀"],c:B{7:C{},d: -1500.0}}
    json([a=1,b=[@(true),@(false),@(null),'xéy\n😀'],c=json([d= -1500.0,'7'=json([])])])
    []
    []
    "s"
    s
    12
    12
    syntax_error(json(illegal_json))
    syntax_error(json(illegal_json))
    syntax_error(json(illegal_json))
    syntax_error(json(illegal_json))
    syntax_error(json(unexpected_end_of_file))
    syntax_error(json(unexpected_end_of_file))
    syntax_error(json(illegal_array))
    syntax_error(json(illegal_array))
    syntax_error(json(eof_in_string))
    syntax_error(json(eof_in_string))
    syntax_error(json(json_expected(true)))
    syntax_error(json(json_expected(true)))
    syntax_error(json(illegal_string_escape))
    syntax_error(json(illegal_string_escape))
    {
      "a":1,
      "b": [1, 2, 3 ],
      "c":"s",
      "d":"null",
      "f":"x",
      "g":1.5,
      "h": {},
      "i": []
    }
    {
      "aaaaaaaaaaaaaaaaaaaaaaaaaa": {"b":"bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "c":"ccccccccccccccccccccc"},
      "f": [
        "ddddddddddddddddddddddddddddddddd",
        "eeeeeeeeeeeeeeeeeeeeeeeee",
        [1 ]
      ]
    }
    [ {"a":1},  {"b":2} ]
    "a\n\"\\/\t\u0001"
    {"a":1, "b":"x", "c":null}
    type_error(json_term,f(x))
    instantiation_error
    ['{"a":"b"}',"{\"k\":\"v\"}"]
    t{a:b}
    [A{a:1},[2],syntax_error(json(unexpected_end_of_file)),eof]
    "#);
}

#[test]
fn folders_and_paths_are_made_looked_through_and_removed() {
    let ran = run_files(
        &[
            ("main.pl", ":- initialization(main).
             main :-
                 make_directory_path('a/b/c'), directory_file_path('a/b', 'x.txt', X), writeq(X), nl,
                 open(X, write, S), write(S, 'hé'), close(S), copy_file(X, 'a/b/c'), copy_directory(a, d),
                 findall(M, directory_member(d, M, [recursive(true), extensions([txt])]), Ms), writeq(Ms), nl,
                 read_file_to_codes('d/b/c/x.txt', Cs, []), atom_codes(T, Cs), writeq(T), nl,
                 directory_file_path(D, F, 'a/b/x.txt'), directory_file_path(a, R, 'a/b/x.txt'), writeq([D, F, R]), nl,
                 relative_file_name('/a/b/c', '/a/d/e', Q), writeq(Q), nl,
                 delete_directory_and_contents(d), ( exists_directory(d) -> writeq(there) ; writeq(gone) ), nl."),
        ],
        &[],
        Options::default(),
    );
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("'a/b/x.txt'\n['d/b/c/x.txt','d/b/x.txt']\nhé\n['a/b','x.txt','b/x.txt']\n'../b/c'\ngone\n", "")
    );
}

#[test]
fn dicts_in_lists_are_filled_joined_and_sliced() {
    let ran = run(":- use_module(library(dicts)).
         t(G) :- ( catch(G, error(E, _), ( print(E), nl )) -> true ; writeln(no) ).
         main :-
             t(( dicts_to_same_keys([p{a:1}, p{b:2}], dict_fill(null), L), print(L), nl )),
             t(dicts_to_same_keys([p{a:1}, p{b:2}], dict_no_fill, _)),
             t(( dicts_join(k, [r{k:1, a:1}, r{k:3, a:3}], [r{k:1, b:2}, r{k:2, b:3}], J), print(J), nl )),
             t(dicts_join(k, [r{k:1, a:1}, r{k:1, a:2}], _)),
             t(( dicts_slice([c, a], [p{a:1, b:2, c:3}, p{a:4}], S), print(S), nl )),
             t(( dicts_to_compounds([p{a:1, b:2}, _{a:3}], [b, a], dict_fill(null), C), print(C), nl )),
             t(( dicts_to_compounds(D, [a, b], dict_fill(null), [p(1, 2)]), print(D), nl )),
             t(( dicts_same_tag([_{a:1}, p{b:2}], T), dict_size(p{a:1, b:2}, N), print(T/N), nl )),
             t(dicts_same_keys([p{a:1}, p{b:1}], _)).");
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        (
            "[p{a:1,b:null},p{a:null,b:2}]\nexistence_error(key,b,p{a:1})\n[r{a:1,b:2,k:1},r{b:3,k:2},r{a:3,k:3}]\nno\n\
             [p{a:1,c:3},p{a:4}]\n[p(2,1),row(null,3)]\n[p{a:1,b:2}]\np/2\nno\n",
            ""
        )
    );
}

#[test]
fn coinductive_goals_succeed_where_they_unify_with_one_that_they_are_part_of() {
    let ran = run(":- use_module(library(coinduction)).
         :- coinductive stream/1, p/1.
         stream([H|T]) :- num(H), stream(T).
         num(0). num(s(N)) :- num(N).
         p([1|T]) :- p(T).
         p([2|T]) :- p(T).
         :- initialization(main).
         main :- X = [s(s(A))|X], stream(X), print(A), nl, ( Y = [1,2|Y], p(Y) -> writeln(yes) ; writeln(no) ),
             ( Z = [1,3|Z], p(Z) -> writeln(yes) ; writeln(no) ),
             findall(Q, limit(3, ( p(W), W = [Q|_] )), L), print(L), nl,
             catch(coinductive(a/1), error(E, _), ( print(E), nl )).");
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("0\nyes\nno\n[1,1,1]\ncontext_error(nodirective,(coinductive a/1))\n", "")
    );
}

#[test]
fn solutions_are_found_when_somebody_looks_at_them() {
    let ran = run(":- initialization(main).
         main :- lazy_findall(X, ( between(1, inf, X), write(X), write(' ') ), L), write(now), L = [_,B|_], print(B), nl,
             lazy_findall(2, Y, member(Y, [a,b,c]), M), length(M, N), print(M/N), nl.");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("now1 2 2\n[a,b,c]/3\n", ""));
}

#[test]
fn directives_of_format_may_be_a_program_s_own() {
    let ran = run(":- initialization(main).
         quoted(default, X) :- !, format('<~w>', [X]).
         quoted(N, X) :- format('<~w:~w>', [N, X]).
         pair(_, X, Y) :- format('~w=~w', [X, Y]).
         main :- format_predicate(y, quoted(_, _)), format_predicate(0'z, pair(_, _, _)), format('~y ~3y~t~12|~z~n', [a, b, c, d]),
             forall(current_format_predicate(C, P), ( functor(P, N, A), format('~c ~w/~w~n', [C, N, A]) )),
             catch(format_predicate(yy, quoted(_, _)), error(E, _), ( print(E), nl )).");
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("<a> <3:b>   c=d\ny quoted/2\nz pair/3\ntype_error(character,yy)\n", "")
    );
}

#[test]
fn facts_that_a_file_keeps_are_there_again() {
    let program = ":- use_module(library(persistency)).\n\
        :- persistent fact(name:atom, age:integer), other(any).\n\
        t(G) :- catch(( G -> true ; write(no) ), error(E, _), print(E)), nl.\n\
        all :- findall(X-Y, fact(X, Y), L), print(L).\n\
        main :- t(assert_fact(early, 1)), t(retractall(fact(_, _))), t(db_attach(f, [])), t(assert_fact(bob, 3)),\n\
            t(assert_fact(al, 4)), t(assert_fact(bob, x)), t(assert_fact(_, 3)), t(retract_fact(bob, _)),\n\
            t(retractall_fact(zoe, _)), t(( assert_fact(z, 1), retractall_fact(z, _) )), t(assert_other(f('A', [1]))),\n\
            t(asserta_fact(first, 0)), t(all), t(db_sync(gc)), t(db_detach), t(all), t(db_attach(f, [sync(close)])), t(all),\n\
            t(retract_fact(_, 0)), t(db_sync(reload)), t(all), t(db_sync_all(gc(always))),\n\
            db_attached(F), open(F, read, S), read(S, created(_)), read(S, A), read(S, B), read(S, C), close(S), print([A,B,C]), nl,\n\
            t(db_attach(g, [])).\n";
    let expected = "existence_error(db_file,user)\n\n\n\n\ntype_error(integer,x)\ninstantiation_error\n\n\n\n\n\n\
        [first-0,al-4]\n\n\n[]\n\n[first-0,al-4]\n\n\n[al-4]\n\n\
        [assert(fact(al,4)),assert(other(f('A',[1]))),end_of_file]\npermission_error(attach,db,";
    let ran = run(program);
    assert!(ran.output.starts_with(expected) && ran.error.is_empty(), "{}{}", ran.output, ran.error);
}
