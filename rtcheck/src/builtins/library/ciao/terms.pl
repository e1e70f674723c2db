:- module(ciao_terms,
    [copy_args/3, varset/2, intersect_vars/3, member_var/2, diff_vars/3, varsbag/3, varset_in_args/2, ask/2,
     most_general_instance/3, most_specific_generalization/3, list_functor/1, prettyvars/1, printable_char/1,
     read_from_string/2, read_from_string/3, read_from_string_atmvars/2, read_from_atom/2, read_from_atom_atmvars/2,
     atom_to_term/2, parse_term/3, current_prefixop/3, current_infixop/4, current_postfixop/3]).

% Predicates on terms of Ciao's libraries terms, terms_vars, terms_check, write, read_from_string and operators.

% The first N arguments of two terms are the same.
copy_args(0, _, _) :- !.
copy_args(N, Term, Copy) :- arg(N, Term, A), arg(N, Copy, A), N1 is N-1, copy_args(N1, Term, Copy).

varset(Term, Vars) :- term_variables(Term, Vars).

varset_in_args(Term, Varsets) :- Term =.. [_|Args], varsets(Args, Varsets).

varsets([], []).
varsets([A|As], [Vs|Vss]) :- term_variables(A, Vs), varsets(As, Vss).

% Each occurrence of a variable, from left to right, in front of a tail.
varsbag(Term, Vars, Vars0) :- var(Term), !, Vars = [Term|Vars0].
varsbag(Term, Vars, Vars0) :- Term =.. [_|Args], varsbags(Args, Vars, Vars0).

varsbags([], Vars, Vars).
varsbags([A|As], Vars, Vars0) :- varsbag(A, Vars, Vars1), varsbags(As, Vars1, Vars0).

member_var(V, [X|Xs]) :- ( V == X -> true ; member_var(V, Xs) ).

intersect_vars([], _, []).
intersect_vars([V|Vs], Others, Common) :-
    ( member_var(V, Others) -> Common = [V|Common1] ; Common = Common1 ),
    intersect_vars(Vs, Others, Common1).

diff_vars([], _, []).
diff_vars([V|Vs], Others, Left) :-
    ( member_var(V, Others) -> Left = Left1 ; Left = [V|Left1] ),
    diff_vars(Vs, Others, Left1).

% They unify, and nothing of the first is bound.
ask(Term1, Term2) :- subsumes_term(Term2, Term1), Term1 = Term2.

most_general_instance(Term1, Term2, Instance) :- copy_term(Term1, Instance), copy_term(Term2, Instance).
most_specific_generalization(Term1, Term2, General) :- term_subsumer(Term1, Term2, General).

list_functor('.').

prettyvars(Term) :- numbervars(Term, 0, _, [singletons(true)]).

printable_char(Code) :- integer(Code), Code >= 32, Code =\= 127.

read_from_string(Codes, Term) :- text_term(Codes, Term, _).
read_from_string_atmvars(Codes, Term) :- text_term(Codes, Term, Names), named(Names).
read_from_atom(Atom, Term) :- text_term(Atom, Term, _).
read_from_atom_atmvars(Atom, Term) :- text_term(Atom, Term, Names), named(Names).
atom_to_term(Atom, Term) :- text_term(Atom, Term, _).

text_term(Text, Term, Names) :-
    text_to_string(Text, String),
    term_string(Term0, String, [variable_names(Names)]),
    Term = Term0.

% A term may end in front of other text, behind a full stop.
read_from_string(Codes, Rest, Term) :- parse_term(Codes, Term, Rest).
parse_term(Codes, Term, Rest) :-
    text_to_string(Codes, String),
    setup_call_cleanup(
        open_string(String, Stream),
        ( read_term(Stream, Term0, []), read_stream_to_codes(Stream, Rest0) ),
        close(Stream)),
    Term = Term0, Rest = Rest0.

% Variables become atoms of their names.
named([]).
named([Name=Name|Names]) :- named(Names).

current_prefixop(Op, Priority, Right) :-
    current_op(Priority, Type, Op), right(Type, Priority, Right).
current_postfixop(Op, Left, Priority) :-
    current_op(Priority, Type, Op), left(Type, Priority, Left).
current_infixop(Op, Left, Priority, Right) :-
    current_op(Priority, Type, Op), both(Type, Priority, Left, Right).

right(fy, P, P).
right(fx, P, Q) :- Q is P-1.
left(yf, P, P).
left(xf, P, Q) :- Q is P-1.
both(xfx, P, Q, Q) :- Q is P-1.
both(xfy, P, Q, P) :- Q is P-1.
both(yfx, P, P, Q) :- Q is P-1.
