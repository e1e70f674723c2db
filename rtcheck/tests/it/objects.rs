//! Ciao's traits, and O'Ciao's classes and objects.

use crate::ciao::ran;
use crate::support::run_files;
use rtcheck::session::Options;

#[test]
fn traits_say_what_terms_of_several_kinds_have() {
    let shapes = ":- module(m, [go/0], [traits]).
        :- trait(shape, [area/1, name/1, is_flat/0, grown/2]).
        :- impl(shape, square/1).
        (square(S) as shape).area(A) :- A is S * S.
        (square(_) as shape).name(square).
        (square(S) as shape).grown(By, square(T)) :- T is S + By.
        (square(_) as shape).is_flat :- !.
        :- impl(shape, unit).
        (unit as shape).area(1).
        (unit as shape).name(N) :- N = unit.
        (unit as shape).is_flat :- fail.
        (unit as shape).grown(By, X) :- (square(1) as shape).grown(By, X).
        go :- member(X, [square(3), unit]), (X as shape).area(A), (X as shape).name(N), print(N-A), nl, fail.
        go :- X = unit, maplist((X as shape).grown, [1, 2], Xs), print(Xs), nl,
            ( member(Y, [unit, square(1)]), (Y as shape).is_flat -> print(Y), nl ; true ).
        :- use_module(library(lists)).
        ";
    let ran = ran(shapes, "go");
    assert_eq!(
        (ran.output.as_str(), ran.error.as_str()),
        ("square-9\nunit-1\n[square(2),square(3)]\nsquare(1)\n", "")
    );
    // Another module may say what it is for its terms; a point behind a bracket ends other texts' clauses.
    let main =
        ":- use_module(m).\n:- use_module(n).\n:- initialization(main).\nmain :- go.\np(a) :- (true).\n";
    let more = ":- module(n, [], [traits]).\n:- impl(shape, dot).\n(dot as shape).area(0).\n(dot as shape).name(dot).\n";
    let shapes = shapes.replace("[square(3), unit]", "[square(3), dot]");
    let ran = run_files(&[("v.pl", main), ("m.pl", &shapes), ("n.pl", more)], &[], Options::default());
    assert!(ran.output.starts_with("square-9\ndot-0\n"), "{}{}", ran.output, ran.error);
    assert_eq!(ran.error, "");
}

#[test]
fn objects_of_classes_have_data_of_their_own() {
    let stack = ":- module(stack, [], [class, assertions]).
        :- export([push/1, pop/1, top/1, describe/0]).
        :- data storage/1.
        :- data size/1.
        size(0).
        :- inheritable(size/1).
        :- virtual([name/1]).
        :- export(name/1).
        stack.
        stack(L) :- forall(member(X, L), push(X)).
        push(X) :- nonvar(X), asserta_fact(storage(X)), size(N), N1 is N + 1, set_fact(size(N1)).
        pop(X) :- retract_fact(storage(X)), retract(size(N)), N1 is N - 1, assertz(size(N1)).
        top(X) :- storage(X), !.
        name(stack).
        describe :- name(N), size(S), self(Me), Me instance_of stack, print(N-S), nl.
        destructor :- print(gone), nl.
        ";
    let counted = ":- module(counted, [], [class]).
        :- inherit_class(stack).
        :- export([push/1, pushes/1, name/1]).
        :- data pushes/1.
        pushes(0).
        counted(L) :- forall(member(X, L), push(X)).
        push(X) :- inherited push(X), retract(pushes(N)), N1 is N + 1, assertz(pushes(N1)).
        name(counted).
        ";
    let main = ":- module(v, [main/0], [objects]).
        :- use_class(stack).
        :- use_class(counted).
        main :- S new stack([a, b]), T new counted([x]), S:push(c), T:push(y), T:push(z),
           S:pop(P), T:pop(Q), print(P-Q), nl, S:describe, T:describe, T:pushes(N), print(N), nl,
           findall(X, S:storage(X), Xs), print(Xs), nl,
           ( S:storage(X1), T:top(Y), X1 == a -> print(X1-Y), nl ; true ),
           ( T instance_of stack -> print(yes) ; print(no) ), nl,
           destroy(S), catch(S:top(_), error(E, _), ( print(E), nl )), T:top(Z), print(Z), nl, destroy(T).
        ";
    let files = [("v.pl", main), ("stack.pl", stack), ("counted.pl", counted)];
    let ran = run_files(&files, &[], Options::default());
    let expected = "c-z\nstack-2\ncounted-2\n3\n[b,a]\na-y\nyes\ngone\n\
        existence_error(object,stack($object1))\ny\ngone\n";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn traits_of_one_name_are_those_of_their_modules() {
    let one = ":- module(one, [first/1, one/0], [traits]).
        :- trait(shape, [area/1]).
        :- impl(shape, unit).
        (unit as shape).area(1).
        one.
        first(L) :- findall(A, (unit as shape).area(A), L).
        ";
    let two =
        one.replace("(one, [first/1, one/0]", "(two, [second/1, two/0]").replace("first(L)", "second(L)");
    let two = two.replace("area(1)", "area(2)").replace("one.", "two.");
    // Whose trait a third one means is told by what it imports.
    let three = ":- module(three, [third/1], [traits]).
        :- use_module(two).
        :- impl(shape, dot).
        (dot as shape).area(3).
        third(L) :- findall(X-A, (X as shape).area(A), L).
        ";
    let main = ":- use_module(one).\n:- use_module(two).\n:- use_module(three).\n:- initialization(main).\n\
        main :- first(A), second(B), third(C), print([A, B, C]).\n";
    let files = [("v.pl", main), ("one.pl", one), ("two.pl", &two), ("three.pl", three)];
    let ran = run_files(&files, &[], Options::default());
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("[[1],[2],[unit-2,dot-3]]", ""));
}

#[test]
fn what_a_trait_is_for_one_kind_of_term_is_a_predicate_of_its_own() {
    let shapes = ":- module(m, [go/0], [traits]).
        :- use_module(library(lists)).
        :- trait(shape, [area/1]).
        :- impl(shape, unit).
        :- impl(shape, dot).
        :- impl(shape, box/2).
        (box(W, H) as shape).area(A) :- A is W * H.
        (dot as shape).area(0).
        (unit as shape).area(1) :- !.
        (unit as shape).area(2).
        go :- findall(X-A, ( member(X, [unit, dot, _]), X \\= box(_, _), (X as shape).area(A) ), L), print(L), nl,
            T = [(box(1, 2) as shape).area(_)], length(T, N), print(N), nl,
            maplist((box(4, 5) as shape).area, [B]), ( \\+ (dot as shape).area(7) -> print(B) ; true ), nl,
            forall((dot as shape).area(C), ( print(C), nl )), phrase(areas([box(1, 2), dot]), Cs), print(Cs), nl.
        areas([]) --> [].
        areas([X|Xs]) --> { (X as shape).area(A) }, [A], areas(Xs).
        ";
    let ran = ran(shapes, "go");
    assert_eq!((ran.output.as_str(), ran.error.as_str()), ("[unit-1,dot-0]\n1\n20\n0\n[2,0]\n", ""));
    let wrong = |text: &str| {
        let program = format!(":- module(m, [go/0], [traits]).\n:- trait(shape, [area/1]).\ngo.\n{text}\n");
        crate::support::run(&program).error
    };
    for (text, error) in [
        (":- impl(form, dot).", "existence_error(trait,form)"),
        (":- impl(shape, x/y).", "domain_error(functor,x/y)"),
        (":- trait(form, [(S.a(D) :- D = S)]).", "domain_error(trait_member,"),
        ("(dot as T).area(1) :- T = shape.", "instantiation_error"),
        ("(X as shape).area(X).", "instantiation_error"),
    ] {
        let told = wrong(text);
        assert!(told.contains(error) && !told.contains("unknown"), "{text}: {told}");
    }
}

#[test]
fn objects_are_what_their_classes_inherit_implement_and_change() {
    let point = ":- class(point, [], [assertions]).
        :- data coord/2.
        :- inheritable(coord/2).
        :- export([move/2, where/2, show/0, kind/1]).
        :- virtual([kind/1]).
        coord(0, 0).
        point.
        point(X, Y) :- set_fact(coord(X, Y)).
        move(DX, DY) :- retract_fact(coord(X, Y)), X1 is X + DX, Y1 is Y + DY, asserta_fact(coord(X1, Y1)).
        where(X, Y) :- coord(X, Y).
        kind(point).
        show :- kind(K), where(X, Y), print(K-X-Y), nl.
        destructor :- print(gone), nl.
        ";
    let colored_point = ":- class(colored_point).
        :- inherit_class(point).
        :- implements(colored).
        :- data color/1.
        :- export([kind/1, reset/0, where/2]).
        colored_point(X, Y, C) :- point(X, Y), asserta_fact(color(C)).
        kind(colored_point).
        color_of(C) :- color(C).
        reset :- set_fact(coord(0, 0)).
        where(X, Y) :- inherited where(X0, Y0), X is X0 * 10, Y is Y0 * 10.
        ";
    let named = ":- class(named).
        :- inherit_class(colored_point).
        :- export([name/1, all/1]).
        :- data name/1.
        named(N) :- colored_point(1, 2, blue), F = name(N), assertz(F), maplist(assertz, [name(other)]).
        named(_, _) :- fail.
        all(L) :- findall(N, name(N), L).
        destructor :- print(unnamed), nl, fail.
        ";
    let main = ":- module(v, [main/0], [objects]).
        :- use_class(colored_point).
        :- use_class(named).
        :- use_class(colored).
        :- instance_of(origin, point).
        main :- P new point(3, 4), P:move(1, 1), P:show, Q new colored_point(1, 2, red), Q:move(1, 1), Q:show,
           Q:where(X, Y), print(X/Y), nl, Q:reset, Q:show, P:show, Q:color_of(C), print(C), nl,
           Z new named(z), Z:move(5, 5), Z:show, Z:all(L), print(L), nl, Z:color_of(D), print(D), nl,
           findall(K, Z instance_of K, Ks), print(Ks), nl, Z derived_from named, Z interface colored,
           \\+ P instance_of colored, origin:move(1, 0), origin:show, Y1 = lists, Y1:append([a], [b], M), print(M), nl,
           t(_ new named), t(_ new colored), t(_ new named(a, b)), t(P new point), t(destroy(nobody)), t(P:fly), destroy(Z).
        t(G) :- catch(( call(G) -> print(yes) ; print(no) ), error(E, _), print(E)), nl.
        ";
    let colored = ":- interface(colored).\n:- export(color_of/1).\n";
    let files = [
        ("v.pl", main),
        ("point.pl", point),
        ("colored_point.pl", colored_point),
        ("named.pl", named),
        ("colored.pl", colored),
    ];
    let ran = run_files(&files, &[], Options::default());
    let expected = "point-4-5\ncolored_point-2-3\n20/30\ncolored_point-0-0\npoint-4-5\nred\ncolored_point-6-7\n\
        [z,other]\nblue\n[named,colored_point,point,colored]\npoint-1-0\n[a,b]\n\
        existence_error(constructor,named/0)\nexistence_error(class,colored)\nno\n\
        uninstantiation_error(point($object1))\nno\nexistence_error(procedure,point:fly/0)\nunnamed\ngone\n";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn objects_keep_apart_what_others_do_to_them() {
    let base = ":- class(base).
        :- data seen/1.
        :- inheritable(seen/1).
        :- export([each/1, later/1, all/1, note/1, destructor/0, shown/1, print/1]).
        :- meta_predicate each(1).
        :- virtual(shown/1).
        base(throws) :- assertz(seen(1)), throw(oops).
        base(fails) :- assertz(seen(1)), !, fail.
        base(Xs) :- forall(member(X, Xs), assertz(seen(X))).
        each(G) :- forall(seen(X), call(G, X)).
        later(X) :- freeze(X, ( assertz(seen(X)), shown(S), user:print(S), nl )).
        note(X) :- assertz(seen(X)).
        all(L) :- findall(X, seen(X), L).
        shown(base).
        print(_).
        destructor :- user:print(end), nl.
        ";
    let middle = ":- class(middle).\n:- inherit_class(base).\n:- data n/1.\n:- inheritable(n/1).\nn(0).\nmiddle(X) :- base(X).\n";
    let derived = ":- class(derived).
        :- inherit_class(middle).
        :- export([copy/1, bind/1, ns/1]).
        derived(Xs) :- middle(Xs).
        shown(derived).
        bind(X) :- X = bound, inherited note(b).
        copy(Other) :- Other:each(note).
        ns(Ns) :- findall(N, n(N), Ns).
        ";
    let main = ":- module(v, [main/0], [objects]).
        :- use_class(base).
        :- use_class(derived).
        show(X) :- print(mine(X)), nl.
        main :- A new base([1, 2]), reset_gensym, B new derived([3]), A \\== B, A:each(show), A:each([X]>>show(X)),
            B:copy(A), A:all(As), B:all(Bs), print(As-Bs), nl,
            A:later(Y), B:bind(Y), A:all(Cs), B:all(Ds), print(Cs-Ds), nl,
            B:later(Z), Z = z, B:shown(S), print(S), nl,
            catch(_ new derived(throws), E, ( print(E), nl )), \\+ _ new derived(fails),
            findall(F, base:'seen of'(_, F), Fs), print(Fs), nl,
            destroy(B), destroy(A), findall(F, base:'seen of'(_, F), Gs), print(Gs), nl,
            ( destroy(_) -> true ; print(no), nl ), x:consult(derived), y:consult(middle),
            C new derived([]), C:ns(Ns), print(Ns), nl.
        ";
    let files = [("v.pl", main), ("base.pl", base), ("middle.pl", middle), ("derived.pl", derived)];
    let ran = run_files(&files, &[], Options::default());
    let expected = "mine(1)\nmine(2)\nmine(1)\nmine(2)\n[1,2]-[3,1,2]\nbase\n[1,2,bound]-[3,1,2,b]\nderived\nderived\n\
        oops\n[1,2,3,1,2,bound,b,z]\nend\nend\n[]\nno\n[0]\n";
    assert_eq!((ran.output.as_str(), ran.error.as_str()), (expected, ""));
}

#[test]
fn the_engines_translations_change_no_meaning_and_classes_redefine_only_what_they_inherit() {
    for package in ["class", "objects", "traits"] {
        let text = format!(
            ":- module(m, [go/0], [{package}]).\ngo :- atom_length(abc, N), print(N), nl.\natom_length(_, wrong).\n"
        );
        assert_eq!(ran(&text, "go").output, "wrong\n", "{package}");
    }
    let library = ":- module(lib, [foo/1]).\nfoo(1).\n";
    let base = ":- class(base).\n:- export(own/1).\nown(1).\n";
    for (header, own) in [
        (":- module(m, [], [noprelude]).", false),
        (":- module(m, []).\n:- redefining(_).", false),
        (":- class(m).\n:- inherit_class(base).", false),
        (":- module(m, []).\n:- redefining(foo/1).", true),
    ] {
        let text = format!("{header}\n:- use_module(lib).\nfoo(2).\natom_length(_, wrong).\nown(2).\n");
        let main = ":- use_module(m).\n";
        let files = [("v.pl", main), ("m.pl", &text), ("lib.pl", library), ("base.pl", base)];
        let error = run_files(&files, &[], Options::default()).error;
        assert_eq!(error.contains("so that of `lib` is not imported"), !own, "{header}: {error}");
        assert!(!error.contains("`own/1`"), "{header}: {error}");
        if header.contains("class") {
            assert!(error.contains("`atom_length/2` is built in"), "{error}");
        }
    }
}
