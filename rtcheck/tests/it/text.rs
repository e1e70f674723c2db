//! Built-ins of text: the tables `text/*.txt`, a goal and what it prints.

use crate::support::{open, run, run_with};
use rtcheck::session::Options;

/// Runs the goals of a table in one program, each with its own variables. A goal that fails prints `no`, one that
/// throws prints `E: ` and the formal term of the error.
fn table(text: &str) {
    let cases: Vec<(&str, &str)> = text
        .lines()
        .filter(|line| !(line.is_empty() || line.starts_with("# ")))
        .map(|line| line.split_once(" || ").expect("a case has two parts"))
        .collect();
    let mut program = "
:- initialization(main).
main :- case(N, G), nl, write('@@'), write(N), nl, try(G), fail.
main.
try(G) :- catch(G, E, told(E)), !.
try(_) :- write(no).
told(error(F, _)) :- !, write('E: '), writeq(F).
told(B) :- write('B: '), writeq(B).
"
    .to_owned();
    for (n, (goal, _)) in cases.iter().enumerate() {
        program.push_str(&format!("case({n}, ({goal})).\n"));
    }
    let ran = run(&program);
    assert_eq!(ran.exit, 0, "{}", ran.error);
    let found: Vec<&str> = ran.output.split("\n@@").skip(1).collect();
    assert_eq!(found.len(), cases.len());
    let mut wrong = Vec::new();
    for (n, ((goal, expected), found)) in cases.iter().zip(found).enumerate() {
        let found = found.strip_prefix(&format!("{n}\n")).expect("the cases run in order");
        if name_variables(found).replace('\n', "¶") != *expected {
            wrong.push(format!("{goal}\n  expected {expected}\n  found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}

/// A text with the numbers of variables in order of their first occurrence.
fn name_variables(text: &str) -> String {
    let mut known: Vec<&str> = Vec::new();
    let mut named = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("_") {
        let digits =
            rest[start + 1..].find(|next: char| !next.is_ascii_digit()).unwrap_or(rest.len() - start - 1);
        let end = start + 1 + digits;
        named.push_str(&rest[..=start]);
        // Digits in front of it make it part of a number.
        if digits > 0 && !named.trim_end_matches('_').ends_with(char::is_alphanumeric) {
            let number = &rest[start + 1..end];
            let position = known.iter().position(|&other| other == number).unwrap_or(known.len());
            if position == known.len() {
                known.push(number);
            }
            named.push_str(&(position + 1).to_string());
        } else {
            named.push_str(&rest[start + 1..end]);
        }
        rest = &rest[end..];
    }
    named + rest
}

#[test]
fn streams_behave_as_the_standard_says() {
    table(include_str!("text/streams.txt"));
}

#[test]
fn operators_are_defined_and_found() {
    table(include_str!("text/operators.txt"));
}

#[test]
fn a_full_standard_output_is_an_error_to_the_program_and_told_at_the_end() {
    let program = ":- initialization(main).
main :- catch(count(0), error(E, _), (write(user_error, E), nl(user_error))).
count(N) :- write(N), nl, N1 is N + 1, count(N1).
";
    let (mut session, system) = open(program, Options::default());
    system.borrow_mut().output_limit = Some(100_000);
    assert_eq!(session.run(Vec::new()), 2);
    let error = String::from_utf8(system.borrow().error.clone()).expect("messages are text");
    let (first, last) = error.split_once('\n').expect("there are two lines");
    assert_eq!(first, "io_error(write,$stream(1))");
    assert!(last.starts_with("error: cannot write standard output: "), "{last}");
}

#[test]
fn text_that_is_lost_only_at_the_end_is_told_too() {
    let (mut session, system) = open(":- initialization(write(a)).\n", Options::default());
    system.borrow_mut().output_limit = Some(0);
    assert_eq!(session.run(Vec::new()), 2);
    assert!(
        String::from_utf8_lossy(&system.borrow().error).starts_with("error: cannot write standard output: ")
    );
}

#[test]
fn a_reader_that_went_away_ends_the_program_quietly() {
    let program = ":- initialization(main).\nmain :- repeat, write(hello), nl, fail.\n";
    let (mut session, system) = open(program, Options::default());
    system.borrow_mut().output_closed = true;
    assert_eq!(session.run(Vec::new()), 0);
    assert!(system.borrow().error.is_empty());
}

#[test]
fn format_has_the_directives_that_programs_use() {
    table(include_str!("text/format.txt"));
}

#[test]
fn flags_have_values_and_act() {
    table(include_str!("text/flags.txt"));
}

#[test]
fn rounding_is_of_floating_point_numbers_alone_where_the_standard_is_asked_for() {
    let program = ":- initialization(main).\nt(E) :- catch((X is E, write(X)), error(F, _), print(F)), nl.\n
        main :- t(floor(9)), t(truncate(3 + 6)), t(2 + round(9)), t(ceiling(9)), t(float_integer_part(9)),
            t(float_fractional_part(9)), t(floor(9.5)), X = float_integer_part(9.5), t(X), t(sign(9)).\n";
    let ran = run_with(program, &[], Options { iso: true, ..Options::default() });
    let expected = format!("{}9\n9.0\n1\n", "type_error(float,9)\n".repeat(6));
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected.as_str(), ""));
    let ran = run_with(program, &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("9\n9\n11\n9\n9\n0\n9\n9.0\n1\n", ""));
}

#[test]
fn options_and_operators_are_the_standards_where_it_is_asked_for() {
    let program =
        ":- initialization(main).\nt(G) :- catch((G -> write(yes) ; write(no)), error(E, _), print(E)), nl.\n
        main :- t(op(200, xfy, [])), t(op(0, xfy, [])),
            open(f, write, S), write(S, 'f(X, Y). '), close(S),
            t(term([variables(a)])), t(term([variable_names([_|a])])), t(term([singletons(f(x))])),
            t(term([variables([_,_|_]), variable_names(_), singletons([_|_])])).
        term(Options) :- open(f, read, S), read_term(S, _, Options).\n";
    let ran = run_with(program, &[], Options { iso: true, ..Options::default() });
    let expected = "permission_error(create,operator,[])\npermission_error(create,operator,[])\n\
        domain_error(read_option,variables(a))\n";
    assert!(ran.output.starts_with(expected), "{}{}", ran.output, ran.error);
    assert!(ran.output.ends_with("domain_error(read_option,singletons(f(x)))\nyes\n"), "{}", ran.output);
    // Beyond the standard an empty list names no operator, and what is no list is not what was read.
    let ran = run_with(program, &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("yes\nyes\nno\nno\nno\nyes\n", ""));
}

#[test]
fn the_version_is_a_term_of_the_dialect() {
    let ran = run(":- initialization(main).
        main :- current_prolog_flag(dialect, D), current_prolog_flag(version_data, V), V =.. [D, Major, Minor, Patch, []],
            maplist(integer, [Major, Minor, Patch]), catch(set_prolog_flag(version_data, x), error(E, _), true), print(E).");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("permission_error(modify,flag,version_data)", ""));
}

#[test]
fn an_unknown_predicate_is_warned_of_if_the_flag_says_so() {
    let ran = run(
        ":- set_prolog_flag(unknown, warning).\n:- initialization(main).\nmain :- \\+ 'no such'(1), write(yes).\n",
    );
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("yes", "warning: unknown procedure 'no such'/1\n")
    );
}

#[test]
fn terms_are_written_as_the_options_say() {
    table(include_str!("text/write.txt"));
}

#[test]
fn portray_writes_the_subterms_that_it_knows() {
    let program = "
:- initialization(main).
portray(secret(_)) :- write(hidden).
portray(N) :- integer(N), N > 9, write('#').
main :-
    print(f(secret(1), [12, 3, secret(x)|T], 'A b')), T = 1, nl,
    format(\"~p ~w\", [secret(1), secret(1)]), nl,
    write_term([10], [portray(true)]), write_term([10], []), nl,
    print(secret), print(secret(secret(_))).
";
    let ran = run(program);
    assert_eq!(ran.error, "");
    let shown = name_variables(&ran.output);
    assert_eq!(shown, "f(hidden,[#,3,hidden|_1],'A b')\nhidden secret(1)\n[#][10]\nsecrethidden");
}

#[test]
fn messages_go_to_standard_error() {
    let program = "
:- initialization(main).
main :-
    print_message(error, format(\"~w is ~w\", [a, b])), print_message(warning, error(type_error(t, x), _)),
    print_message(informational, format(\"~w\", [told])), print_message(silent, x),
    set_prolog_flag(verbose, silent), print_message(informational, format(\"nothing\", [])), write(out).
";
    let ran = run(program);
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("out", "ERROR: a is b\nWarning: expected a t, found x\n% told\n")
    );
}

#[test]
fn what_was_caught_is_told_in_words() {
    let program = "
:- multifile prolog:message/1.
prolog:message(my(X)) --> ['~w of'-[X], nl, mine].
:- pred p(X) : int(X).
p(_).
tell(G) :- catch(G, E, print_message(error, E)).
:- initialization(main).
main :-
    tell(atom_length(_, _)), tell(_ is foo+1), tell(throw(error(odd(1), _))), tell(throw(ball)), tell(throw(my(1))),
    tell(throw(error(type_error(t, x), context(q/1, because)))), tell(p(a)), print_message(error, _).
";
    let ran = run(program);
    let expected = "ERROR: an argument is a free variable where a value is needed
ERROR: foo/0 is no arithmetic function
ERROR: odd(1)
ERROR: ball
ERROR: 1 of
ERROR: mine
ERROR: q/1: expected a t, found x (because)
{In v.pl
ERROR: (lns 4-4) v:p(X) run-time check failure.
Requires in *calls*: 
    int(X).
But instead:
    X=a
ERROR: (lns 5-5) Failed in v:p(X).
ERROR: (lns 8-10) Failed during invocation of v:main/0.
}
ERROR: _
";
    assert_eq!((ran.output.as_str(), name_variables(&ran.error).replace("_1", "_").as_str()), ("", expected));
}

#[test]
fn clauses_of_a_text_are_listed_with_its_names_for_variables() {
    let program = ":- dynamic d/2.
d(Key, [Key|_Rest]) :- Other = Key, \\+ Other = b, _Seen = _Seen.
d(One, Two) :- s(One, _), write(hello).
s(Long_1, X) :- d(Long_1, X), write(Single).
:- initialization((assertz((d(P, Q) :- s(Q, P))), listing(d/2), listing(s/2), retract((d(_, _) :- _)), listing(d/2))).
";
    let expected = ":- dynamic d/2.

d(Key, [Key|_]) :-
    Other=Key,
    \\+ Other=b,
    _Seen=_Seen.
d(One, _) :-
    s(One, _),
    write(hello).
d(A, B) :-
    s(B, A).

s(Long_1, X) :-
    d(Long_1, X),
    write(_).

:- dynamic d/2.

d(One, _) :-
    s(One, _),
    write(hello).
d(A, B) :-
    s(B, A).

";
    assert_eq!(run(program).output, expected);
}

#[test]
fn declarations_may_stand_in_one_directive() {
    let program = ":- dynamic(d/1), multifile(e/1), discontiguous([f/1, g/1]).
f(1).
g(2).
f(3).
:- initialization((assertz(d(4)), d(X), findall(Y, f(Y), Ys), print(X-Ys), findall(Z, e(Z), Zs), print(Zs))).
";
    let ran = run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str(), ran.exit), ("4-[1,3][]", "", 0));
}

#[test]
fn a_hook_is_given_the_lines_of_messages() {
    let program = ":- multifile user:message_hook/3, prolog:message//1.
prolog:message(m(X)) --> ['Hello ~w'-[X], nl, second].
user:message_hook(T, Kind, Lines) :- nonvar(T), T \\= other, print(Kind-Lines), nl.
:- initialization((print_message(error, m(b)), print_message(silent, m(c)), print_message(help, format('~w', [x])))).
:- initialization((print_message(warning, foo), print_message(silent, other))).
:- initialization(('$messages':translate_message(m(d), Lines, [x]), print(Lines), nl)).
";
    let expected = "error-['Hello ~w'-[b],nl,second]
silent-['Hello ~w'-[c],nl,second]
help-['~w'-[x]]
warning-['Unknown message: ~p'-[foo]]
['Hello ~w'-[d],nl,second,x]
";
    assert_eq!(run(program).output, expected);
}

#[test]
fn static_predicates_are_listed_as_they_were_compiled() {
    let program = ":- initialization((listing(app/3), listing(g//1), listing(m:q))).
app([], L, L).
app([X|Xs], L, [X|Ys]) :- app(Xs, L, Ys).
g(X) --> [X], h.
h --> [].
:- dynamic m:q/1.
m:q(1).
";
    let ran = run(program);
    let expected = "app([], L, L).
app([X|Xs], L, [X|Ys]) :-
    app(Xs, L, Ys).

g(A, [A|B], C) :-
    h(B, C).

:- dynamic q/1.

q(1).

";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn goals_inside_format_are_those_of_the_caller() {
    let program = ":- module(m, []).
:- initialization(main).
p(X) :- write(p(X)).
main :- format(\"~@ ~w~n\", [p(1), x]), format(atom(A), \"~@\", [p(2)]), write(A), format(\" ~w ~w\", [a:b, c]),
    format(\" ~w\", x:n).
";
    let ran = run(program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("p(1) x\np(2) a:b c x:n", ""));
}

#[test]
fn streams_have_encodings_and_marks_that_tell_them() {
    let ran = run(
        ":- initialization(main).
         main :- forall(member(E-T, [utf8-'aé€𝄞b', octet-'aé', iso_latin_1-'aé', ascii-ab, utf16le-'é𝄞', utf16be-'é𝄞']), t(E, T)),
             forall(member(E, [utf8, utf16le, utf16be]), marked(E)),
             catch(( open(f, write, S, [encoding(ascii)]), put_char(S, 'é') ), error(Err, _), ( print(Err), nl )),
             half, catch(open(f, write, _, [encoding(ebcdic)]), error(Err1, _), ( print(Err1), nl )).
         t(E, T) :-
             open(f, write, S, [encoding(E)]), stream_property(S, encoding(E1)), write(S, T), close(S), bytes(L),
             open(f, read, Q, [encoding(E)]), chars(Q, Cs), close(Q), atom_chars(A, Cs),
             ( A == T -> Same = same ; Same = A ), print(E1/L/Same), nl.
         marked(E) :-
             open(f, write, S, [encoding(E), bom(true)]), write(S, 'é'), close(S), bytes(L),
             open(f, read, Q), chars(Q, Cs), stream_property(Q, encoding(E1)), close(Q),
             open(f, read, P, [bom(false), encoding(E)]), chars(P, [C|_]), close(P), char_code(C, Code), print(L/E1/Cs/Code), nl.
         % Half a character at the end, and half a pair at the end and in the middle.
         half :- forall(member(Bytes, [[97,0,98], [97,0,0,216], [0,216,97,0]]), (
             open(f, write, S, [type(binary)]), forall(member(B, Bytes), put_byte(S, B)), close(S),
             open(f, read, R, [encoding(utf16le)]), catch(( chars(R, L), print(L) ), error(E, _), print(E)), close(R), nl )).
         bytes(L) :- open(f, read, S, [type(binary)]), more(S, L), close(S).
         more(S, L) :- get_byte(S, B), ( B =:= -1 -> L = [] ; L = [B|T], more(S, T) ).
         chars(S, L) :- get_char(S, C), ( C == end_of_file -> L = [] ; L = [C|T], chars(S, T) ).",
    );
    let expected = "utf8/[97,195,169,226,130,172,240,157,132,158,98]/same\noctet/[97,233]/same\niso_latin_1/[97,233]/same\n\
                    ascii/[97,98]/same\nutf16le/[233,0,52,216,30,221]/same\nutf16be/[0,233,216,52,221,30]/same\n\
                    [239,187,191,195,169]/utf8/[é]/65279\n[255,254,233,0]/utf16le/[é]/65279\n[254,255,0,233]/utf16be/[é]/65279\n\
                    representation_error(character)\nrepresentation_error(character)\nrepresentation_error(character)\n\
                    representation_error(character)\ndomain_error(stream_option,encoding(ebcdic))\n";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn the_lines_of_a_message_end_and_begin_as_they_say() {
    let ran = run(":- initialization(main).
        t(P, L) :- write('['), print_message_lines(user_output, P, L), write(']'), nl.
        main :- t('P ', []), t('P ', [a]), t('P ', [a,nl]), t('P ', [a,nl,b]), t('P ', [a,flush]), t('P ', [nl]),
            t('P ', [begin(x,_),ansi(bold,'~w!',[u]),end(_),url('f'),url(f:3)]), t('P ', [at_same_line,'~w'-[q]]),
            t(kind(error), [a,nl,b]), t('~Nx: ', [a]).");
    let expected = "[P \n]\n[P a\n]\n[P a\n]\n[P a\nP b\n]\n[P a]\n[P \n]\n[P u!ff:3\n]\n[q\n]\n\
        [\nERROR: a\nERROR: b\n]\n[\nx: a\n]\n";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn read_term_gives_comments_and_goes_on_behind_errors() {
    let ran = run(":- initialization(main).
        comments(S) :-
            read_term(S, T, [comments(C)]), print(T-C), nl, ( T == end_of_file -> true ; comments(S) ).
        main :- open_string('% one\\nfoo(/* two */ x). % three\\nbar.\\n%last', S), comments(S),
            read_term_from_atom('/* a */ b', T, [comments(C)]), print(T-C), nl,
            open_string('a. b c. d.', D), read_term(D, A, [syntax_errors(dec10)]),
            read_term(D, B, [syntax_errors(dec10)]), print(A-B), nl.");
    let expected = "foo(x)-['$stream_position'(0,1,0,0)-\"% one\",'$stream_position'(10,2,4,10)-\"/* two */\"]\n\
        bar-['$stream_position'(24,2,18,24)-\"% three\"]\n\
        end_of_file-['$stream_position'(37,4,0,37)-\"%last\"]\n\
        b-['$stream_position'(0,1,0,0)-\"/* a */\"]\na-d\n";
    assert_eq!(ran.output, expected, "{}", ran.error);
    assert!(ran.error.contains("unexpected `c`"), "{}", ran.error);
}
