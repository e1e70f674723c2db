//! The reader and the writer.

use crate::support::{output, run};

/// What `writeq/1` and `write_canonical/1` make of a term.
fn check(term: &str, quoted: &str, canonical: &str) {
    let text = output(&format!("X = ({term}), writeq(X), nl, write_canonical(X)"));
    assert_eq!(text, format!("{quoted}\n{canonical}"), "{term}");
}

#[test]
fn canonical_text_has_no_operators() {
    check("1+2*3-4", "1+2*3-4", "-(+(1,*(2,3)),4)");
    check("a:-b,c;d->e", "a:-b,c;d->e", ":-(a,;(','(b,c),->(d,e)))");
    check("{a,b}", "{a,b}", "{}(','(a,b))");
    check("[a,b|c]", "[a,b|c]", "[a,b|c]");
    check("- 1", "-1", "-1");
    check("-(1)", "- (1)", "-(1)");
    check("a= \\+", "a=(\\+)", "=(a,\\+)");
}

#[test]
fn a_syntax_error_names_its_place_and_reading_goes_on() {
    let ran = run("p(1).\np(2.\np(3) :- foo bar.\np(X) :- q(X,).\n:- initialization(p(1)).\n");
    assert_eq!(ran.exit, 1);
    insta::assert_snapshot!(ran.error, @r#"
error: syntax error
 --> v.pl:2:1
  |
2 | p(2.
  | ^ bracket is not closed: unexpected end of the clause: expected an operator or `,` or `)`
error: syntax error
 --> v.pl:3:13
  |
3 | p(3) :- foo bar.
  |             ^^^ unexpected `bar`: expected an operator or the end of the clause (is an operator not defined, or a full stop or comma missing before it?)
error: syntax error
 --> v.pl:4:13
  |
4 | p(X) :- q(X,).
  |             ^ unexpected `)`: expected a term
note: clauses are missing, the rest of the program runs
"#);
}

#[test]
fn a_million_levels_are_read_and_written() {
    let deep = 1_000_000;
    let program = format!(
        ":- initialization(main).\nt({}a{}).\nmain :- t(X), copy_term(X, Y), X == Y, X = Y, write(Y).\n",
        "f(".repeat(deep),
        ")".repeat(deep)
    );
    let ran = run(&program);
    assert_eq!(ran.exit, 0);
    assert_eq!(ran.output.len(), 3 * deep + 1);
}

#[test]
fn a_missing_quote_costs_one_clause() {
    let ran = run("p('a).\nq(\"a\nb\").\nr(0'').\ns(1) :- x.Y.\n:- initialization(main).\n");
    let lines: Vec<&str> = ran.error.lines().filter(|line| line.contains("-->")).collect();
    assert_eq!(lines, [" --> v.pl:1:3", " --> v.pl:5:10"]);
}

#[test]
fn quoted_texts_may_go_over_lines_and_a_missing_quote_still_costs_one_clause() {
    let program = "
p('two
lines', \"and
more
\").
a :- b('open).
q(1).
r('closed').
s(\"open).
t(`1`).
:- initialization(main).
main :- p(X, Y), atom_length(X, N), length(Y, M), print(N/M), r(Z), print(Z), q(A), print(A).
";
    let ran = run(program);
    let lines: Vec<&str> = ran.error.lines().filter(|line| line.contains("-->")).collect();
    assert_eq!(lines, [" --> v.pl:6:8", " --> v.pl:9:3"]);
    // Without the two mistakes the rest is a program.
    let sound = program.replace("a :- b('open).", "").replace("s(\"open).", "");
    assert_eq!(run(&sound).output, "9/9closed1");
    // What streams give is cut into clauses in the same way.
    assert_eq!(
        output(
            "open(e, write, S), write(S, 'p(''a).\\nq(''b\\nc'').\\nr.'), close(S), open(e, read, R), \
             catch(read(R, _), error(syntax_error(_), _), true), read(R, X), read(R, Y), close(R), print(X/Y)"
        ),
        "q('b\\nc')/r"
    );
    let strict = ":- set_prolog_flag(iso, true).\np('a\nb').\nq(a:-b).\n";
    let errors = run(strict).error;
    assert!(
        errors.contains("the line ends inside quotes") && errors.contains("put the term in brackets"),
        "{errors}"
    );
}

/// What `read_term/2` tells of the places of a text's parts; the expectations are SWI-Prolog's.
#[test]
fn the_places_of_the_parts_of_a_term_are_told() {
    for (text, expected) in [
        ("foo(X, bar).", "term_position(0,11,0,3,[4-5,7-10])"),
        ("  a + b * c .", "term_position(2,11,4,5,[2-3,term_position(6,11,8,9,[6-7,10-11])])"),
        ("[a,B|c].", "list_position(0,7,[1-2,3-4],5-6)"),
        ("[].", "0-2"),
        ("[ ].", "0-3"),
        ("{a, b}.", "brace_term_position(0,6,term_position(1,5,2,3,[1-2,4-5]))"),
        ("(a , b).", "parentheses_term_position(0,7,term_position(1,6,3,4,[1-2,5-6]))"),
        (
            "f((a:-b),\"str\").",
            "term_position(0,15,0,1,[parentheses_term_position(2,8,term_position(3,7,4,6,[3-4,6-7])),\
             string_position(9,14)])",
        ),
        ("'é ü' - x.", "term_position(0,9,6,7,[0-5,8-9])"),
        ("% c\n x:y.", "term_position(5,8,6,7,[5-6,7-8])"),
        (
            "f(-(1),[1],{x}).",
            "term_position(0,15,0,1,[term_position(2,6,2,3,[4-5]),list_position(7,10,[8-9],none),\
             brace_term_position(11,14,12-13)])",
        ),
        ("- - a.", "term_position(0,5,0,1,[term_position(2,5,2,3,[4-5])])"),
        ("f( ( a ) ).", "term_position(0,10,0,1,[parentheses_term_position(3,8,5-6)])"),
        ("- 12.", "0-4"),
    ] {
        let written = text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n");
        let goal = format!(
            "atom_string('{written}', S), open_string(S, In), read_term(In, _, [subterm_positions(P)]), print(P)"
        );
        assert_eq!(output(&goal), expected, "{text}");
    }
}

/// The quotes behind it would open what they close, up to the end of the text.
#[test]
fn what_is_wrong_inside_quotes_costs_one_clause() {
    let program = ":- initialization(main).
d(x, \"A \\q and f.\").
e('\\x110000\\ it.
 goes on.').
p :- write(\"yes. \").
main :- write('it is'), q(\"\").
q(_).
";
    for flag in ["", ":- set_prolog_flag(iso, true).\n"] {
        let program =
            program.replace(" it.\n goes", if flag.is_empty() { " it.\n goes" } else { " it. goes" });
        let ran = run(&format!("{flag}{program}"));
        assert_eq!(ran.output, "it is", "{}", ran.error);
        assert_eq!(ran.error.matches("error: ").count(), 2, "{}", ran.error);
    }
}
