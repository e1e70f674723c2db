//! Programs that are written for Scryer Prolog, and for SICStus Prolog where that has the same: what they import is there.

use crate::support::{run, run_files, run_with};
use rtcheck::session::Options;

/// Runs a program whose texts in double quotes are lists of characters, as there, and demands its output.
fn says(program: &str, output: &str) {
    let program = format!(":- set_prolog_flag(double_quotes, chars).\n{program}");
    let ran = run(&program);
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (output, ""), "{program}");
}

/// Variables that may be one of a list of values, as SICStus Prolog's manual introduces attributes.
const DOMAIN: &str = "
:- module(domain, [domain/2, narrowed/1]).
:- use_module(library(atts)).
:- use_module(library(ordsets)).
:- attribute dom/1, seen/0.
verify_attributes(Var, Other, Goals) :-
    get_atts(Var, dom(Da)), !,
    (   var(Other) ->
        (   get_atts(Other, dom(Db)) ->
            ord_intersection(Da, Db, Dc), Dc = [El|Els],
            ( Els = [] -> Goals = [Other = El] ; Goals = [], put_atts(Other, dom(Dc)) )
        ;   Goals = [], put_atts(Other, dom(Da))
        )
    ;   Goals = [], ord_memberchk(Other, Da)
    ).
verify_attributes(_, _, []).
attribute_goal(Var, domain(Var, Dom)) :- get_atts(Var, dom(Dom)).
domain(X, Dom) :- var(Dom), !, get_atts(X, dom(Dom)).
domain(X, List) :- list_to_ord_set(List, Set), put_atts(Fresh, dom(Set)), X = Fresh.
narrowed(X) :- put_atts(X, +seen), get_atts(X, [seen, -other(_)]), put_atts(X, -seen), \\+ get_atts(X, seen), get_atts(X, -seen).
";

#[test]
fn attributes_are_declared_and_verified() {
    let program = ":- use_module(domain).\n:- initialization(main).\n\
        main :- domain(X, [a, b]), ( X = c -> true ; writeln(no) ), domain(Y, [b, c]), X = Y, writeln(X),\n\
            domain(Z, [c, d, e]), domain(Z, [d, e, f]), domain(Z, L), writeln(L), narrowed(Z),\n\
            copy_term(Z, Z1, Gs), Gs = [domain(V, D)], ( V == Z1 -> writeln(D) ; true ),\n\
            catch(domain:put_atts(a, dom([])), error(E, _), true), print(E), nl,\n\
            catch(domain:get_atts(b, _), error(F, _), true), print(F), nl.\n";
    let ran = run_files(&[("v.pl", program), ("domain.pl", DOMAIN)], &[], Options::default());
    let expected = "no\nb\n[d,e]\n[d,e]\nuninstantiation_error(a)\nuninstantiation_error(b)\n";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn goals_of_attributes_are_changes_where_the_module_says_nothing() {
    let module = ":- module(m, [mark/2]).\n:- use_module(library(atts)).\n:- attribute mark/1.\nmark(X, M) :- put_atts(X, mark(M)).\n";
    let program = ":- use_module(m).\n:- initialization(main).\n\
        main :- mark(X, 1), copy_term(X, Y, Gs), ( Gs = [m:put_atts(Z, A)], Z == Y -> print(A) ; print(Gs) ), nl.\n";
    let ran = run_files(&[("v.pl", program), ("m.pl", module)], &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("mark(1)\n", ""));
}

#[test]
fn put_atts_of_a_program_s_own_is_nobody_else_s() {
    says(
        "put_atts(X, V) :- put_attr(X, user, V).
         main :- put_atts(X, 1), copy_term(X, Y, Gs), ( Gs = [put_attr(Z, user, V)], Z == Y -> print(V) ; print(Gs) ), nl,
             catch(get(_, user, _), error(E, _), true), print(E), nl.",
        "1\nexistence_error(procedure,get/3)\n",
    );
}

#[test]
fn grammars_have_sequences() {
    says(
        ":- use_module(library(dcgs)).
         :- use_module(library(format)).
         main :- phrase((..., \"b\", seq(Rest)), \"abc\"), print(Rest), nl,
             phrase(seqq([\"ab\", \"c\"]), Cs), print(Cs), nl,
             phrase(format_(\"~w-~d\", [f(X), 12]), Text), ( append(_, [-, '1', '2'], Text) -> writeln(yes) ; print(Text-X) ),
             phrase(portray_clause_((a :- b)), Clause), atom_chars(A, Clause), write(A).",
        "[c]\n[a,b,c]\nyes\na :-\n    b.\n",
    );
}

#[test]
fn tests_of_what_is_not_known_yet_are_errors() {
    says(
        ":- use_module(library(si)).
         main :- forall(member(G, [list_si(_), list_si([a|_]), atom_si(_), chars_si([a|_]), chars_si([_]), dif_si(_, a), when_si(nonvar(_), true), term_si(f(_)), character_si(_)]),
                 ( catch(G, error(E, _), true) -> ( E == instantiation_error -> true ; print(G-E), nl ) ; print(failed(G)), nl )),
             list_si([_, _]), \\+ list_si([a|b]), chars_si(\"abc\"), \\+ chars_si([ab]), character_si(a), \\+ character_si(ab),
             dif_si(a, b), \\+ dif_si(a, a), when_si(nonvar(a), X = 1), integer_si(3), atomic_si(a), term_si(f(a)), writeln(X).",
        "1\n",
    );
}

#[test]
fn text_is_characters_and_bytes() {
    says(
        ":- use_module(library(charsio)).
         main :- chars_utf8bytes(\"aé€😀\", Bs), print(Bs), nl, chars_utf8bytes(Cs, Bs), writeln(Cs),
             chars_utf8bytes(Bad, [0xc3, 0x28]), atom_chars(A, Bad), atom_length(A, N), writeln(N),
             chars_base64(\"hé\", B64, []), writeln(B64), chars_base64(Back, B64, []), writeln(Back),
             read_from_chars(\"f(X, Y, X).\", T), T = f(x, y, Z), print(Z), nl,
             read_term_from_chars(\"g(A, B).\", T2, [variable_names(Ns)]), T2 = g(1, 2), print(Ns), nl,
             write_term_to_chars('A b', [quoted(true)], Q), writeln(Q).",
        "[97,195,169,226,130,172,240,159,152,128]\n[a,é,€,😀]\n2\n[a,M,O,p]\n[h,é]\nx\n['A'=1,'B'=2]\n[',A, ,b,']\n",
    );
}

#[test]
fn lambdas_of_the_library_rename_all_but_the_free_variables() {
    says(
        ":- use_module(library(lambda)).
         main :- maplist(\\X^Y^(Y is X*2), [1, 2], L), print(L), nl, foldl(\\A^S0^S^(S is S0+A), L, 0, T), print(T), nl,
             ( maplist(F+\\Z^(Z = F), [1, 2]) -> true ; writeln(shared) ).",
        "[2,4]\n6\nshared\n",
    );
}

#[test]
fn numbers_have_what_there_is_besides() {
    says(
        ":- use_module(library(arithmetic)).
         :- use_module(library(between)).
         main :- lcm(4, 6, M), popcount(255, P), msb(1000, H), lsb(48, L), expmod(3, 100, 7, E), print([M, P, H, L, E]), nl,
             number_to_rational(0.25, R), rational_numerator_denominator(R, N, D), print(N/D), nl,
             number_to_rational(0.01, 3.14159, Pi), print(Pi), nl,
             findall(I, ( gen_int(I), ( I =:= -2 -> ! ; true ) ), Is), print(Is), nl,
             numlist(3, Ns), list_max([3, 9, 2], Max), list_min([3, 9, 2], Min), print(Ns-Max-Min), nl.",
        "[12,8,9,4,4]\n1/4\n22r7\n[0,1,-1,2,-2]\n[1,2,3]-9-2\n",
    );
}

#[test]
fn constraints_are_conditions_and_count_values() {
    says(
        ":- use_module(library(clpz)).
         :- use_module(library(reif)).
         main :- [X, Y, Z] ins 0..2, nvalue(1, [X, Y, Z]), X = 2, print(Y-Z), nl,
             nvalue(N, [1, 2, 1]), print(N), nl, catch(nvalue(_, [_]), error(E, _), true), print(E), nl,
             tfilter(small, [1, 5, 2], L), print(L), nl,
             findall(D-R, ( P in 0..5, if_(clpz_t(P #> 3), R = more, R = less), fd_dom(P, D) ), Rs), print(Rs), nl.
         small(V, T) :- #<(V, 3, T).",
        "2-2\n2\ninstantiation_error\n[1,2]\n[4..5-more,0..3-less]\n",
    );
}

#[test]
fn json_is_a_grammar() {
    says(
        ":- use_module(library(serialization/json)).
         main :- phrase(json_chars(J), \"{\\\"a\\\": [1, -2.5e1, true, null, \\\"x\\\\n\\\\u00e9\\\"], \\\"b\\\": {}}\"), print(J), nl,
             phrase(json_chars(J), Cs), atom_chars(A, Cs), writeln(A),
             ( phrase(json_chars(_), \"[1,]\") -> true ; writeln(no) ).",
        "pairs([string([a])-list([number(1),number(-25.0),boolean(true),null,string([x,'\\n',é])]),string([b])-pairs([])])\n\
         {\"a\":[1,-25.0,true,null,\"x\\né\"],\"b\":{}}\nno\n",
    );
}

#[test]
fn names_of_files_are_text_of_any_kind() {
    for (quotes, library) in
        [("chars", ":- use_module(library(files)).\n"), ("chars", ""), ("codes", ""), ("string", "")]
    {
        let exists = if library.is_empty() { "exists_file" } else { "file_exists" };
        let program = format!(
            ":- set_prolog_flag(double_quotes, {quotes}).\n{library}\
             main :- F = \"f.txt\", open(F, write, S), write(S, abc), close(S), {exists}(F), file_base_name(F, B), writeln(B),\n\
                 file_name_extension(_, E, \"a.b\"), writeln(E), phrase_from_file(everything(T), F), atom_length(T, N), writeln(N),\n\
                 delete_file(F), \\+ {exists}(F).\n\
             everything(A) --> rest(L), {{ ( L = [C|_], atom(C) -> atom_chars(A, L) ; atom_codes(A, L) ) }}.\n\
             rest([C|Cs]) --> [C], !, rest(Cs).\nrest([]) --> [].\n"
        );
        let ran = run(&program);
        assert_eq!((ran.output.as_str(), ran.error.as_str()), ("f.txt\nb\n3\n", ""), "{program}");
    }
    for quotes in ["chars", "codes", "string"] {
        let program = format!(
            ":- set_prolog_flag(double_quotes, {quotes}).\n\
             main :- wildcard_match(\"*.pl\", \"a.pl\"), writef(\"x\"), put(\"y\"), sub_atom_icasechk(\"aBc\", S, \"b\"), writeln(S),\n\
                 expand_file_name(\"/no/such.pl\", L), print(L), nl.\n"
        );
        let ran = run(&program);
        assert_eq!((ran.output.as_str(), ran.error.as_str()), ("xy1\n['/no/such.pl']\n", ""), "{program}");
    }
    let strict = Options { iso: true, ..Options::default() };
    let ran = run_with(
        "main :- catch(open([a], read, _), error(E, _), true), writeq(E), nl.\n:- initialization(main).\n",
        &[],
        strict,
    );
    assert_eq!(ran.output, "domain_error(source_sink,[a])\n");
}

#[test]
fn a_file_is_the_same_however_it_is_reached() {
    let folder = tempfile::tempdir().expect("a folder");
    let module = folder.path().join("m.pl");
    std::fs::write(&module, ":- module(m, [p/1]).\np(1).\n").expect("the folder is ours");
    let program = folder.path().join("v.pl");
    let text = format!(
        ":- use_module(m).\n:- use_module('{}').\n:- use_module('../{}/m.pl').\n:- initialization(main).\nmain :- p(X), writeln(X).\n",
        module.display(),
        folder.path().file_name().and_then(|name| name.to_str()).expect("it has a name"),
    );
    std::fs::write(&program, text).expect("the folder is ours");
    let ended = std::process::Command::new(env!("CARGO_BIN_EXE_rtcheck"))
        .current_dir(folder.path())
        .args(["run", "v.pl"])
        .output()
        .expect("the program starts");
    assert_eq!(
        (String::from_utf8_lossy(&ended.stdout).as_ref(), String::from_utf8_lossy(&ended.stderr).as_ref()),
        ("1\n", "")
    );
}
