//! What programs add to libraries: types, words for messages, directives of `format/2`, terms that JSON is made of.

use crate::support::{run, run_with};
use rtcheck::read::Quotes;
use rtcheck::session::Options;

#[test]
fn types_that_a_program_adds_are_types() {
    let ran = run(":- initialization(main).
         :- multifile error:has_type/2.
         error:has_type(even, X) :- integer(X), 0 =:= X mod 2.
         t(G) :- catch(( G -> true ; writeln(no) ), error(E, _), ( print(E), nl )).
         main :-
             t(must_be(even, 2)), t(must_be(even, 3)), t(must_be(even, _)), t(must_be(list(even), [2, 5])),
             t(is_of_type(even, 4)), t(is_of_type(even, 5)), t(is_of_type(list_of(even), [2, 4])), t(must_be(odd, 1)),
             t(must_be(type, even)), t(must_be(type, odd)), t(is_of_type(integer, 7)),
             t(( current_type(even, Y, B), print(Y-B), nl )).");
    let told = "type_error(even,3)\ninstantiation_error\ntype_error(even,5)\nno\nexistence_error(type,odd)\n\
                type_error(type,odd)\n";
    assert!(ran.output.starts_with(told), "{}", ran.output);
    assert!(ran.output.ends_with("mod 2))\n") && ran.error.is_empty(), "{} {}", ran.output, ran.error);
}

#[test]
fn a_program_words_errors_and_takes_debug_messages() {
    let ran = run(":- initialization(main).
         :- multifile prolog:error_message//1, prolog:debug_print_hook/3, user:message_hook/3.
         prolog:error_message(odd(X)) --> ['~w is odd'-[X], nl, 'indeed'].
         prolog:debug_print_hook(mine, F, As) :- format(F, As), nl.
         user:message_hook(M, debug(heard), _) :- print(M), nl.
         main :-
             print_message(error, error(odd(3), _)),
             debug(mine), debug(mine, 'one ~w', [a]), debug(other, 'no', []),
             debug(heard), debug(heard, 'two ~w', [b]), nodebug(heard), debug(heard, 'three', []),
             print_message(debug(other), format('no', [])), debug(other), print_message(debug(other), format('yes', [])).");
    assert_eq!(ran.output, "one a\nformat('two ~w',[b])\n");
    assert_eq!(ran.error, "ERROR: 3 is odd\nERROR: indeed\n% yes\n");
}

#[test]
fn a_directive_of_format_is_defined_by_a_directive_too() {
    let ran = run(":- initialization(main).
         :- format_predicate(z, angles(_, _)).
         angles(N, X) :- format('<~w:~w>', [N, X]).
         main :- format('~z ~3z~n', [a, b]), ( current_format_predicate(z, _) -> true ; writeln(no) ).");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("<default:a> <3:b>\nno\n", ""));
}

#[test]
fn all_predicates_of_a_module_are_listed() {
    let ran = run(":- initialization(main).
         main :- dynamic([here:a/1, here:b/0], []), assertz(here:a(1)), assertz(here:(b :- a(_))), listing(here:_).");
    assert_eq!(ran.output, ":- dynamic a/1.\n\na(1).\n\n:- dynamic b/0.\n\nb :-\n    a(_).\n\n");
}

#[test]
fn json_takes_a_program_s_terms_tags_and_numbers() {
    let text = r#":- initialization(main).
         :- use_module(library(http/json)).
         :- multifile json:json_write_hook/4.
         json:json_write_hook(pair(A, B), S, _, _) :- format(S, '"~w=~w"', [A, B]).
         t(G) :- catch(( G -> true ; writeln(no) ), error(E, _), print(E)), nl.
         main :-
             t(json_write(current_output, [pair(a, 1), json([k=pair(b, 2)])])),
             t(json_write_dict(current_output, tag{a:sub{b:2}}, [tag(type)])),
             t(( atom_json_dict('{"type":"p", "x":{"type":"q"}}', D, [tag(type)]), print(D) )),
             t(( atom_json_dict('{"x":{}}', E, [tag(type), default_tag(t)]), print(E) )),
             t(json_write(current_output, [1r4, 1.5])),
             t(json_write_dict(current_output, f(x))),
             t(json_write_dict(current_output, f('X'), [serialize_unknown(true)])),
             t(json_write(current_output, json([l=[json([a=1]), json([b="long string long string long string long string"])]]))).
    "#;
    let ran = run_with(text, &[], Options { double_quotes: Quotes::String, ..Options::default() });
    let expected = r#"["a=1",  {"k":"b=2"} ]
{"type":"tag", "a": {"type":"sub", "b":2}}
p{x:q{}}
t{x:t{}}
[0.25, 1.5 ]
type_error(json_term,f(x))
"f('X')"
{
  "l": [ {"a":1},  {"b":"long string long string long string long string"} ]
}
"#;
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn goals_that_run_side_by_side_are_the_caller_s() {
    let program = ":- module(m, [main/0]).
         work(N, R) :- R is N * N.
         main :-
             concurrent(2, [work(1, A), work(2, B)], []), print(A-B), nl,
             first_solution(X, [fail, member(X, [a, b])], []), print(X), nl,
             first_solution(_, [member(Y, [a])], []), ( var(Y) -> writeln(free) ; writeln(Y) ).
         :- initialization(main).";
    assert_eq!(run(program).output, "1-4\na\nfree\n");
}

#[test]
fn expansions_may_have_places_and_go_first() {
    let ran = run(":- initialization(main).
         :- multifile user:term_expansion/4, user:goal_expansion/4.
         :- dynamic user:term_expansion/4, user:goal_expansion/4.
         term_expansion(with(X), Place, four(X, yes), Place).
         term_expansion(with(X), two(X)).
         term_expansion(plain(X), two(X)).
         goal_expansion(say(X), Place, writeln(X), Place).
         with(1).
         plain(2).
         main :- four(X, Y), two(Z), say(X-Y-Z), expand_term(with(3), T), print(T), nl,
             expand_goal(say(a), G), print(G), nl.");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("1-yes-2\nfour(3,yes)\nwriteln(a)\n", ""));
}

#[test]
fn a_unit_without_tests_is_a_unit() {
    let ran = run(":- initialization(main).
         :- begin_tests(empty).
         :- end_tests(empty).
         main :- ( run_tests(empty) -> writeln(yes) ; writeln(no) ), catch(run_tests(none), error(E, _), true), print(E), nl.");
    assert_eq!(ran.output, "yes\nexistence_error(unit_test,none)\n");
}

#[test]
fn flags_of_a_program_take_values_of_one_type() {
    let ran = run(":- initialization(main).
         t(G) :- catch(( G -> true ; writeln(no) ), error(E, _), ( print(E), nl )).
         s(F, V) :- t(( set_prolog_flag(F, V), current_prolog_flag(F, W), print(W), nl )).
         main :-
             create_prolog_flag(count, 5, []), s(count, 6), s(count, a), t(create_prolog_flag(count, b, [])),
             t(create_prolog_flag(count, 7, [keep(true)])), s(count, 8),
             create_prolog_flag(switch, off, [type(boolean)]), s(switch, on), s(switch, 1),
             create_prolog_flag(ratio, 1, [type(float)]), s(ratio, 2), s(ratio, x),
             create_prolog_flag(name, ab, []), s(name, cd), s(name, 1),
             create_prolog_flag(any, f(x), []), s(any, 'A'), s(any, 1),
             create_prolog_flag(fixed, 1, [access(read_only)]), s(fixed, 2),
             t(create_prolog_flag(odd, 1, [type(odd)])), t(create_prolog_flag(wrong, a, [type(integer)])), s(none, 1),
             set_prolog_flag(user_flags, silent), s(none, 1), s(none, a).");
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        (
            "6\ntype_error(integer,a)\ntype_error(integer,b)\n8\ntrue\ntype_error(bool,1)\n2.0\ntype_error(float,x)\ncd\n\
             type_error(atom,1)\n'A'\n1\npermission_error(modify,flag,fixed)\ndomain_error(prolog_flag_type,odd)\n\
             type_error(integer,a)\ndomain_error(prolog_flag,none)\n1\ntype_error(integer,a)\n",
            ""
        )
    );
}
