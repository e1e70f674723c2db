//! Strings where they meet the rest: clauses and indexes, assertions and what is remembered of them, files, the flag.

use crate::support::{run, run_files, run_with};
use rtcheck::check::{CacheKind, Configuration};
use rtcheck::read::Quotes;
use rtcheck::session::Options;

fn with_strings() -> Options {
    Options { double_quotes: Quotes::String, ..Options::default() }
}

/// What a program under the flag `string` prints.
fn printed(program: &str) -> String {
    let ran = run_with(program, &[], with_strings());
    assert_eq!(ran.error, "", "{program}");
    ran.output
}

#[test]
fn a_string_is_no_atom_to_clauses_and_their_indexes() {
    let facts = "p(\"a\", 1).\np(a, 2).\np(\"b\", 3).\np(97, 4).\np(f(\"a\"), 5).\np(f(a), 6).\n";
    let goals = ":- initialization(main).\n
        of(X, L) :- findall(N, p(X, N), L).
        main :- of(\"a\", A), of(a, B), of(\"b\", C), of(f(\"a\"), D), of(f(a), E), of(_, F), of(\"c\", G),
            print([A, B, C, D, E, F, G]).\n";
    let expected = "[[1],[2],[3],[5],[6],[1,2,3,4,5,6],[]]";
    assert_eq!(printed(&format!("{facts}{goals}")), expected);
    assert_eq!(printed(&format!(":- dynamic p/2.\n{facts}{goals}")), expected);
    // Many clauses with an early cut are decided without choicepoints.
    let cuts = "q(\"a\", N) :- !, N = 1.\nq(a, N) :- !, N = 2.\nq(_, 3).\n";
    let main = ":- initialization(main).\nmain :- q(\"a\", A), q(a, B), q(\"b\", C), print([A, B, C]).\n";
    assert_eq!(printed(&format!("{cuts}{main}")), "[1,2,3]");
}

#[test]
fn a_keyed_retract_finds_the_string_and_leaves_the_atom() {
    let program = ":- dynamic d/1.\nd(\"a\").\nd(a).\n:- initialization(main).\n
        main :- retract(d(\"a\")), findall(X, d(X), L), print(L), assertz(d(\"a\")), retractall(d(a)),
            findall(X, d(X), M), print(M).\n";
    assert_eq!(printed(program), "[a][\"a\"]");
}

const ASSERTED: &str = "
:- initialization(main).
:- regtype text/1.
text(\"a\").
text(b).
text(f(X)) :- text(X).
:- regtype name/1.
name(a).
name(b).
name(f(X)) :- name(X).
:- pred p(X) : text(X).
p(_).
:- pred q(X) : name(X).
q(_).
:- pred s(X) : string(X).
s(_).
:- pred a(X) : atm(X).
a(_).
:- pred c(X) : constant(X).
c(_).
:- pred l(X) : list(string, X).
l(_).
try(G) :- catch((G, write(y)), E, ( E = rtcheck(_, _, _, _, _, _), write(n) )).
twice(G) :- try(G), try(G).
main :-
    A = f(\"a\"), B = f(a), twice(p(A)), twice(q(A)), twice(p(B)), twice(q(B)), twice(p(f(b))), nl,
    twice(s(\"a\")), twice(s(a)), twice(s([0'a])), twice(s([])), twice(a(\"a\")), twice(a(a)), twice(c(\"a\")), nl,
    twice(l([\"a\", \"b\"])), twice(l([\"a\", b])), twice(l([])), nl.
";

#[test]
fn types_tell_strings_from_atoms_under_every_policy() {
    for cache in [CacheKind::None, CacheKind::Cells, CacheKind::Lru, CacheKind::Direct] {
        for analysis in [false, true] {
            let configuration = Configuration { cache, ..Configuration::default() };
            let ran = run_with(ASSERTED, &[], Options { configuration, analysis, ..with_strings() });
            assert_eq!(
                (ran.output.as_str(), ran.error.as_str()),
                ("yynnnnyyyy\nyynnnnnnnnyyyy\nyynnyy\n", ""),
                "{cache:?} {analysis}"
            );
        }
    }
}

#[test]
fn the_type_string_is_ciaos_where_text_is_codes_and_takes_strings_too() {
    let program = ":- module(_, [main/0], [assertions]).\n:- initialization(main).\n
        :- pred s(X) : string(X).\ns(_).\n
        try(G) :- catch((G, write(y)), E, ( E = rtcheck(_, _, _, _, _, _), write(n) )).
        main :- atom_string(abc, S), try(s(\"abc\")), try(s(S)), try(s(abc)), try(s([a])), try(s([])),
            ( string(\"abc\"), string(S), \\+ string(abc) -> write(y) ; write(n) ).\n";
    let ran = run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("yynnyy", ""));
    // A text that is read as strings means strings.
    let module = ":- module(_, [main/0], [assertions]).\n:- set_prolog_flag(double_quotes, string).\n";
    let program = program.replace(":- module(_, [main/0], [assertions]).\n", module);
    let program = program.replace("string(\"abc\"), ", "\\+ string([0'a]), string(\"abc\"), ");
    let ran = run(&program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("yynnny", ""));
    // A program without assertions means SWI-Prolog's test.
    let plain =
        ":- initialization(main).\nmain :- atom_string(a, S), ( string(\"a\") -> write(y) ; write(n) ),
        ( string(S) -> write(y) ; write(n) ), ( string([]) -> write(y) ; write(n) ).\n";
    assert_eq!(run(plain).output, "nyn");
}

#[test]
fn the_flag_is_that_of_a_text() {
    let module = ":- module(m, [p/1]).\n:- set_prolog_flag(double_quotes, string).\np(\"a\").\n";
    let main = ":- use_module(m).\n:- initialization(main).\nq(\"a\").\nmain :- p(X), q(Y), print(X-Y).\n";
    let files = [("main.pl", main), ("m.pl", module)];
    let ran = run_files(&files, &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("\"a\"-[97]", ""));
}

#[test]
fn strings_go_through_files_tables_and_collections() {
    let program = ":- initialization(main).\n:- table t/1.\nt(\"a\").\nt(a).\n:- dynamic k/1.\n
        g(X) --> \"ab\", !, { X = 1 }.\ng(2) --> \"c\", \"\".\n
        main :- findall(X, t(X), L0), msort(L0, L), print(L), nl,
            phrase(g(A), `ab`), phrase(g(B), `c`), print(A-B), nl,
            open(f, write, S), writeq(S, f(\"a\\\\b\\n\", 'A', \"\")), write(S, ' .\\n'), close(S),
            open(f, read, R), read(R, T), close(R), print(T), nl,
            portray_clause(k(\"x y\", 'B')), assertz(k(\"x y\")), listing(k/1),
            garbage_collect, print(T), nl, numbervars(T, 0, _), print(T), nl.\n";
    let expected = "[\"a\",a]\n1-2\nf(\"a\\\\b\\n\",'A',\"\")\nk(\"x y\", 'B').\n:- dynamic k/1.\n\nk(\"x y\").\n\n\
        f(\"a\\\\b\\n\",'A',\"\")\nf(\"a\\\\b\\n\",'A',\"\")\n";
    assert_eq!(printed(program), expected);
    let options = Options { collect_every: Some(1), ..with_strings() };
    assert_eq!(run_with(program, &[], options).output, expected);
}

#[test]
fn an_uncaught_string_is_told_as_it_is_read() {
    let ran = run_with(":- initialization(main).\nmain :- throw(\"a \\\"b\\\"\").\n", &[], with_strings());
    assert!(ran.error.contains(r#"uncaught exception: "a \"b\"""#), "{}", ran.error);
}

#[test]
fn the_standards_predicates_refuse_strings_where_the_standard_is_asked_for() {
    let program = ":- initialization(main).\nt(G) :- catch(G, error(E, _), true), print(E), nl.\n
        main :- t(atom_length(\"a\", _)), t(atom_codes(\"a\", _)), t(atom_concat(a, \"b\", _)), t(sub_atom(\"a\", _, _, _, _)),
            t(atom_chars(_, \"a\")), t(open(\"f\", read, _)).\n";
    let ran = run_with(program, &[], Options { iso: true, ..with_strings() });
    let expected = "type_error(atom,\"a\")\ntype_error(atom,\"a\")\ntype_error(atom,\"b\")\ntype_error(atom,\"a\")\n\
        type_error(list,\"a\")\ndomain_error(source_sink,\"f\")\n";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

/// A program that prints for each goal what it leaves of itself, `no`, or the error's term.
fn answers(goals: &[&str]) -> String {
    let tried: String = goals.iter().map(|goal| format!("    t(({goal})),\n")).collect();
    printed(&format!(
        ":- initialization(main).\n
        t(G) :- catch(( call(G) -> writeq(G) ; write(no) ), error(E, _), writeq(E)), nl.\n
        main :-\n{tried}    true.\n"
    ))
}

#[test]
fn a_result_that_is_known_is_compared_as_text_or_is_an_error() {
    let goals = [
        "upcase_atom(abc, \"ABC\")",
        "upcase_atom(12, \"12\")",
        "downcase_atom('1', 1)",
        "upcase_atom(a, f(x))",
        "downcase_atom(a, [a])",
        "upcase_atom(a, 'B')",
        "string_upper(ab, 'AB')",
        "string_lower(\"A\", f(x))",
        "upcase_atom(straße, _)",
        "atom_concat(1, 1, 11)",
        "atom_concat(a, b, f(x))",
        "string_concat(a, b, f(x))",
        "string_concat(a, b, ab)",
        "atom_string(a, f(x))",
        "string_to_atom(\"a\", f(x))",
    ];
    let expected = "upcase_atom(abc,\"ABC\")\nupcase_atom(12,\"12\")\ndowncase_atom('1',1)\ntype_error(atom,f(x))\n\
                    type_error(atom,[a])\nno\nstring_upper(ab,'AB')\ntype_error(string,f(x))\n\
                    upcase_atom(straße,'STRAßE')\natom_concat(1,1,11)\ntype_error(atomic,f(x))\n\
                    type_error(atomic,f(x))\nstring_concat(a,b,ab)\nno\nno\n";
    assert_eq!(answers(&goals), expected);
}

#[test]
fn parts_of_a_text_that_are_one_variable_are_the_same() {
    let goals = [
        "findall(X, string_concat(X, X, \"abab\"), [\"ab\"])",
        "findall(X, atom_concat(X, X, abab), [ab])",
        "string_concat(X, X, \"aba\")",
        "findall(X, text_concat(X, X, abab), [ab])",
    ];
    let found = answers(&goals);
    assert_eq!(found.lines().filter(|line| line.starts_with("findall(")).count(), 3, "{found}");
    assert!(found.lines().nth(2) == Some("no"), "{found}");
}

#[test]
fn a_term_is_compared_with_any_text_and_no_text_is_the_end_of_one() {
    let goals = [
        "term_to_atom(1, 1)",
        "term_to_atom(f(x), g(x))",
        "term_to_atom(f(x, b), 'f(x,  b)')",
        "term_to_atom(_, '')",
        "term_string(_, \" \")",
        "is_of_type(no_such_type, a)",
        "is_of_type(_, a)",
        "plus(1.5, 2, _)",
        "plus(1, 2, 4)",
    ];
    let expected = "term_to_atom(1,1)\ntype_error(text,g(x))\nterm_to_atom(f(x,b),'f(x,  b)')\n\
                    term_to_atom(end_of_file,'')\nterm_string(end_of_file,\" \")\nno\ninstantiation_error\n\
                    type_error(integer,1.5)\nno\n";
    assert_eq!(answers(&goals), expected);
}

/// What SWI-Prolog prints with `--traditional`, where `[]` is an atom as here.
#[test]
fn brackets_in_a_text_are_its_characters() {
    let program = ":- initialization(main).\n
        t(G, X) :- ( G -> writeq(X) ; write(no) ), nl.
        main :- t(format(string(X1), \"~w\", [[]]), X1), t(with_output_to(string(X2), print([])), X2), t(sformat(X3, \"~w\", [[]]), X3),
            t(term_string([], X4), X4), t(term_string(X5, \"[]\"), X5), t(string_concat(X6, \"b\", \"[]b\"), X6),
            t(findall(X, sub_string(\"[]\", _, 2, _, X), X7), X7), t(normalize_space(string(X8), \" [] \"), X8),
            t(( open_string(\"[]\", S9), read_string(S9, _, X9) ), X9), t(( open_string(\"[]\", S10), read_line_to_string(S10, X10) ), X10),
            t(split_string(\"[],a\", \",\", \"\", X11), X11), t(string_concat([], a, X12), X12), t(string_upper([], X13), X13),
            t(sub_string([], 0, 1, _, X14), X14), t(text_to_string([], X15), X15), t(string_length([], X16), X16),
            t(string_to_atom(X17, []), X17).\n";
    let expected = "\"[]\"\n\"[]\"\n\"[]\"\n\"[]\"\n[]\n\"[]\"\n[\"[]\"]\n\"[]\"\n\"[]\"\n\"[]\"\n[\"[]\",\"a\"]\n\"[]a\"\n\"[]\"\n\
                    \"[\"\n\"\"\n0\n\"\"\n";
    assert_eq!(printed(program), expected);
}

#[test]
fn streams_of_text_are_repositioned_and_looked_into() {
    let program = ":- initialization(main).\n
        main :- open_string(\"hello\\nyou\", S), peek_string(S, 3, A), get_char(S, C), stream_property(S, position(P)),
            read_line_to_string(S, L), set_stream_position(S, P), get_char(S, D), seek(S, 7, bof, N), peek_string(S, 9, B),
            print([A, C, L, D, N, B]), nl, peek_string(user_input, 2, E), peek_string(user_input, 2, F), print(E-F).\n";
    assert_eq!(printed(program), "[\"hel\",h,\"ello\",e,7,\"ou\"]\n\"\"-\"\"");
}

#[test]
fn tabulators_and_backspaces_move_the_column() {
    let program = ":- initialization(main).\n
        main :- open_string(\"a\\tbc\\b\", S), forall(between(1, 5, _), ( get_char(S, _), line_position(S, P), print(P), nl )),
            format(\"a\\tb~t~20|c~n\"), write('\\t'), line_position(user_output, Q), print(Q).\n";
    assert_eq!(printed(program), "1\n8\n9\n10\n9\na\tb           c\n\t8");
}

#[test]
fn options_of_write_term_that_change_nothing_are_taken_and_a_goal_portrays() {
    let program = ":- initialization(main).\n
        star(x, _) :- write(*).\n
        main :- write_term('\\u200b', [quoted(true), character_escapes_unicode(false), quote_non_ascii(true)]), nl,
            write_term(f(x, [y, x]), [portray_goal(star)]), nl, write_term(f(x), [portray_goal(star), portray(true)]), nl,
            catch(write_term(x, [no_such(x)]), error(E, _), print(E)).\n";
    assert_eq!(printed(program), "'\\x200B\\'\nf(*,[y,*])\nf(*)\ndomain_error(write_option,no_such(x))");
}
