:- module(clpqr, [post/2, entailed/2, all_posted/2, all_entailed/2, bound_of/4, bound_of/6, optimum/3, integer_optimum/6, dump/4]).

% Linear constraints over rational or floating-point numbers: what library(clpq) and library(clpr) have in common.
%
% Everything is rational inside. A linear form is lin(Constant, [I-Factor, ...]) over variables by number, in order. The
% store is st(Equations, Inequalities, Different, Delayed): an equation says what a variable is in terms of others that
% no equation is for; an inequality is Strictness-Form, the form at least 0 or above it; Different are forms that are
% not 0, Delayed constraints that are not linear yet. Whatever is said goes through `settled/2`: one linear program asks
% whether all inequalities can hold, the strict ones strictly, and which of them can only be equations; those are, until
% nothing changes. A variable that is a constant is bound.
%
% The attribute of a variable is v(I, Domain), the Domain `q` or `r`: which kind of number it becomes.

:- use_module(library(simplex)).
:- initialization(( empty_assoc(E), '$share'('$clpqr', st(E, [], [], [])), '$share'('$clpqr_variables', vs(0, E)) ), now).

% --- Forms.

form(E, D, F) :- var(E), !, variable(E, D, I), known(I, F).
form(E, _, lin(C, [])) :- number(E), !, C is rationalize(E).
form(+A, D, F) :- !, form(A, D, F).
form(-A, D, F) :- !, form(A, D, G), scaled(G, -1, F).
form(A+B, D, F) :- !, form(A, D, G), form(B, D, H), sum(G, H, F).
form(A-B, D, F) :- !, form(A, D, G), form(B, D, H), scaled(H, -1, K), sum(G, K, F).
form(A*B, D, F) :- !, form(A, D, G), form(B, D, H),
    ( G = lin(C, []) -> scaled(H, C, F) ; H = lin(C, []) -> scaled(G, C, F) ; throw('$clpqr_later') ).
form(A/B, D, F) :- !, form(A, D, G), form(B, D, H),
    ( H = lin(C, []) -> C =\= 0, I is 1 rdiv C, scaled(G, I, F) ; throw('$clpqr_later') ).
form(E, D, lin(C, [])) :- function(E, Args), !,
    constants(Args, D, Values),
    E =.. [Name|_], G =.. [Name|Values],
    applied(G, C).
form(E, D, _) :- is_no(expression, D, E).

is_no(What, D, E) :- atomic_list_concat([clp, D, '_', What], Type), throw(error(type_error(Type, E), _)).

function(A^B, [A, B]).
function(A**B, [A, B]).
function(pow(A, B), [A, B]).
function(exp(A, B), [A, B]).
function(min(A, B), [A, B]).
function(max(A, B), [A, B]).
function(abs(A), [A]).
function(sin(A), [A]).
function(cos(A), [A]).
function(tan(A), [A]).
function(sqrt(A), [A]).
applied(G, C) :-
    (   ( G = A^B ; G = A**B ; G = pow(A, B) ; G = exp(A, B) )
    ->  ( integer(B) -> ( B >= 0 -> C is A^B ; A =\= 0, N is -B, C is 1 rdiv A^N ) ; X is float(A)**float(B), C is rationalize(X) )
    ;   X is G, C is rationalize(X)
    ).
constants([], _, []).
constants([A|As], D, [C|Cs]) :- form(A, D, F), ( F = lin(C, []) -> true ; throw('$clpqr_later') ), constants(As, D, Cs).

scaled(lin(C, Ts), F, lin(D, Us)) :- D is C*F, ( F =:= 0 -> Us = [] ; scaled_(Ts, F, Us) ).
scaled_([], _, []).
scaled_([I-C|Ts], F, [I-D|Us]) :- D is C*F, scaled_(Ts, F, Us).
sum(lin(A, As), lin(B, Bs), lin(C, Cs)) :- C is A+B, merged(As, Bs, Cs).
merged([], Bs, Bs) :- !.
merged(As, [], As) :- !.
merged([I-A|As], [J-B|Bs], Cs) :-
    (   I < J -> Cs = [I-A|Cs1], merged(As, [J-B|Bs], Cs1)
    ;   I > J -> Cs = [J-B|Cs1], merged([I-A|As], Bs, Cs1)
    ;   C is A+B, ( C =:= 0 -> Cs = Cs1 ; Cs = [I-C|Cs1] ), merged(As, Bs, Cs1)
    ).

variable(X, D, I) :-
    (   get_attr(X, clpqr, v(I0, _)) -> I = I0
    ;   b_getval('$clpqr_variables', vs(I, Vs)),
        I1 is I+1,
        put_assoc(I, Vs, X, Vs1),
        b_setval('$clpqr_variables', vs(I1, Vs1)),
        put_attr(X, clpqr, v(I, D))
    ).
object(I, X) :- b_getval('$clpqr_variables', vs(_, Vs)), get_assoc(I, Vs, X).

known(I, F) :- b_getval('$clpqr', st(Eqs, _, _, _)), ( get_assoc(I, Eqs, F0) -> F = F0 ; F = lin(0, [I-1]) ).
% A form in terms of variables for which there is no equation.
reduced(lin(C, Ts), Eqs, F) :- reduced(Ts, Eqs, lin(C, []), F).
reduced([], _, F, F).
reduced([I-C|Ts], Eqs, F0, F) :-
    ( get_assoc(I, Eqs, G) -> scaled(G, C, H) ; H = lin(0, [I-C]) ),
    sum(F0, H, F1),
    reduced(Ts, Eqs, F1, F).

% --- What is said.

post(C, D) :- said(C, D, [], News), b_getval('$clpqr', St), settled(News, St).

said(C, _, _, _) :- var(C), !, throw(error(instantiation_error, _)).
said((A, B), D, News0, News) :- !, said(A, D, News0, News1), said(B, D, News1, News).
said((A ; B), D, News0, News) :- !, ( said(A, D, News0, News) ; said(B, D, News0, News) ).
said([], _, News, News) :- !.
% A square that is known has two roots.
said(C, r, News0, News) :- square(C, X, E), form(E, r, lin(V, [])), !, V >= 0, R is sqrt(V),
    ( R =:= 0 -> said(X = 0, r, News0, News) ; said(X = R, r, News0, News) ; said(X = -R, r, News0, News) ).
said(C, D, News0, [New|News0]) :- relation(C, Kind, L, R), !, new(Kind, L, R, D, New).
said(C, D, _, _) :- is_no(constraint, D, C).

square(C, X, E) :- ( C = (L = R) ; C = (L =:= R) ), ( A = L, E = R ; A = R, E = L ), nonvar(A), A = X^N, N == 2, var(X), \+ get_attr(X, clpqr, _), ground(E), !.

relation(L = R, eq, L, R).
relation(L =:= R, eq, L, R).
relation(L =\= R, ne, L, R).
relation(L >= R, ge, L, R).
relation(L =< R, ge, R, L).
relation(L > R, gt, L, R).
relation(L < R, gt, R, L).

new(Kind, L, R, D, New) :-
    catch(( form(L-R, D, F), New = Kind-F ), '$clpqr_later', ( variables_of(L-R, D), New = later-c(Kind, L, R, D) )).
variables_of(E, D) :- term_variables(E, Vs), numbered(Vs, D).
numbered([], _).
numbered([V|Vs], D) :- variable(V, D, _), numbered(Vs, D).

settled(News, st(Eqs, Ins, Nes, Later)) :- settled(News, Eqs, Ins, Nes, Later, no, []).

% The last argument has the variables for which there are new equations.
settled([], Eqs, Ins, Nes, Later, Asked, Fixed) :-
    (   Later \== [], Fixed \== [], Asked \== again, woken(Later, Eqs, News, Later1), News \== []
    ->  settled(News, Eqs, Ins, Nes, Later1, Asked, Fixed)
    ;   Asked == no -> stored(Eqs, Ins, Nes, Later, Fixed)
    ;   feasible(Ins, Equal, Rest),
        ( Equal == [] -> stored(Eqs, Ins, Nes, Later, Fixed) ; settled(Equal, Eqs, Rest, Nes, Later, ask, Fixed) )
    ).
settled([Kind-F0|News], Eqs, Ins, Nes, Later, Asked, Fixed) :-
    (   Kind == later -> settled(News, Eqs, Ins, Nes, [F0|Later], Asked, Fixed)
    ;   reduced(F0, Eqs, F),
        settle(Kind, F, News, Eqs, Ins, Nes, Later, Asked, Fixed)
    ).
settle(eq, F, News, Eqs, Ins, Nes, Later, Asked, Fixed) :-
    (   F = lin(C, []) -> nothing(C), settled(News, Eqs, Ins, Nes, Later, Asked, Fixed)
    ;   F = lin(C, Ts), last(Ts, I-A), append(Us, [_], Ts), !,
        B is -1 rdiv A, scaled(lin(C, Us), B, G),
        eliminated_in(Eqs, I, G, Eqs1, Changed),
        put_assoc(I, Eqs1, G, Eqs2),
        substituted(Ins, Eqs2, Ins1), substituted(Nes, Eqs2, Nes1),
        split(Ins1, Ins2), differ(Nes1, Nes2),
        ( Ins2 == [] -> Asked1 = Asked ; Asked1 = ask ),
        append([I|Changed], Fixed, Fixed1),
        settled(News, Eqs2, Ins2, Nes2, Later, Asked1, Fixed1)
    ).
settle(ge, F, News, Eqs, Ins, Nes, Later, Asked, Fixed) :-
    ( F = lin(C, []) -> C >= 0, settled(News, Eqs, Ins, Nes, Later, Asked, Fixed) ; settled(News, Eqs, [ge-F|Ins], Nes, Later, ask, Fixed) ).
settle(gt, F, News, Eqs, Ins, Nes, Later, Asked, Fixed) :-
    ( F = lin(C, []) -> C > 0, settled(News, Eqs, Ins, Nes, Later, Asked, Fixed) ; settled(News, Eqs, [gt-F|Ins], Nes, Later, ask, Fixed) ).
settle(ne, F, News, Eqs, Ins, Nes, Later, Asked, Fixed) :-
    ( F = lin(C, []) -> C =\= 0, settled(News, Eqs, Ins, Nes, Later, Asked, Fixed) ; settled(News, Eqs, Ins, [ne-F|Nes], Later, Asked, Fixed) ).
% What floating-point numbers leave of 0.
nothing(C) :- ( C =:= 0 -> true ; abs(C) =< 1.0e-10 ).

eliminated_in(Eqs, I, G, Eqs1, Changed) :-
    assoc_to_list(Eqs, Pairs), eliminated_pairs(Pairs, I, G, Pairs1, Changed), list_to_assoc(Pairs1, Eqs1).
eliminated_pairs([], _, _, [], []).
eliminated_pairs([J-lin(C, Ts)|Ps], I, G, [J-F|Qs], Changed) :-
    (   append(Before, [I-A|Behind], Ts)
    ->  append(Before, Behind, Us), scaled(G, A, H), sum(lin(C, Us), H, F), Changed = [J|Changed1]
    ;   F = lin(C, Ts), Changed = Changed1
    ),
    eliminated_pairs(Ps, I, G, Qs, Changed1).
substituted([], _, []).
substituted([K-F0|Fs], Eqs, [K-F|Gs]) :- reduced(F0, Eqs, F), substituted(Fs, Eqs, Gs).
split([], []).
split([K-F|Fs], Gs) :-
    ( F = lin(C, []) -> ( K == ge -> ( C >= 0 -> true ; nothing(C) ) ; C > 0 ), Gs = Gs1 ; Gs = [K-F|Gs1] ),
    split(Fs, Gs1).
differ([], []).
differ([K-F|Fs], Gs) :- ( F = lin(C, []) -> C =\= 0, Gs = Gs1 ; Gs = [K-F|Gs1] ), differ(Fs, Gs1).

% Delayed constraints that are linear with what is known now.
woken(Later, Eqs, News, Still) :-
    b_getval('$clpqr', St), St = st(_, Ins, Nes, _),
    b_setval('$clpqr', st(Eqs, Ins, Nes, [])),
    woken_(Later, News, Still).
woken_([], [], []).
woken_([c(Kind, L, R, D)|Cs], News, Still) :-
    new(Kind, L, R, D, New),
    ( New = later-C -> News = News1, Still = [C|Still1] ; News = [New|News1], Still = Still1 ),
    woken_(Cs, News1, Still1).

stored(Eqs, Ins, Nes, Later, Fixed) :-
    b_setval('$clpqr', st(Eqs, Ins, Nes, Later)),
    sort(Fixed, Is),
    constants_of(Is, Eqs, Bindings),
    bound(Bindings).
constants_of([], _, []).
constants_of([I|Is], Eqs, Bs) :-
    (   get_assoc(I, Eqs, lin(C, [])), object(I, X), var(X), get_attr(X, clpqr, v(_, D))
    ->  value(D, C, V), Bs = [X=V|Bs1]
    ;   Bs = Bs1
    ),
    constants_of(Is, Eqs, Bs1).
value(q, C, C).
value(r, C, V) :- V is float(C).
bound([]).
bound([X=V|Bs]) :- ( var(X) -> del_attr(X, clpqr) ; true ), ( number(X) -> X =:= V ; X = V ), bound(Bs).

attr_unify_hook(v(I, D), Other) :-
    (   number(Other) -> C is rationalize(Other), b_getval('$clpqr', St), known(I, F), scaled(F, -1, G), sum(lin(C, []), G, H), settled([eq-H], St)
    ;   var(Other) ->
        (   get_attr(Other, clpqr, v(J, _))
        ->  b_getval('$clpqr', St), known(I, F), known(J, G), scaled(G, -1, H), sum(F, H, K), settled([eq-K], St)
        ;   put_attr(Other, clpqr, v(I, D)), renamed(I, Other)
        )
    ;   throw(error(type_error(number, Other), _))
    ).
renamed(I, X) :- b_getval('$clpqr_variables', vs(N, Vs)), put_assoc(I, Vs, X, Vs1), b_setval('$clpqr_variables', vs(N, Vs1)).

% --- Linear programs. Variables have any sign here, two columns each.

program([], []).
program([K-F|Fs], [C|Cs]) :- constraint_of(F, K, C), program(Fs, Cs).
constraint_of(lin(C, Ts), K, c('$none', Us, >=, B)) :-
    signed(Ts, Us0),
    ( K = slack(N) -> Us = [t(N)-(-1), w-C|Us0], B = 0 ; Us = Us0, B is -C ).
signed([], []).
signed([I-C|Ts], [p(I)-C, n(I)-D|Us]) :- D is -C, signed(Ts, Us).

% All inequalities can hold, the strict ones strictly; some only as equations. Each leaves as much as a number of its
% own, at most 1, and everything may be larger by a factor, so that all that can leave something leave 1.
feasible([], [], []) :- !.
feasible(Ins, Equal, Rest) :-
    with_slacks(Ins, 1, Numbered, Limits, Objective),
    program(Numbered, Cs0), append(Cs0, [c('$none', [w-1], >=, 1)|Limits], Cs),
    simplex:relaxed(Objective, Cs, solved(_, Values, _)),
    apart(Ins, 1, Values, Equal, Rest).
with_slacks([], _, [], [], []).
with_slacks([_-F|Ins], N, [slack(N)-F|Fs], [c('$none', [t(N)-1], =<, 1)|Ls], [t(N)-1|Os]) :-
    N1 is N+1, with_slacks(Ins, N1, Fs, Ls, Os).
apart([], _, _, [], []).
apart([K-F|Ins], N, Values, Equal, Rest) :-
    memberchk(t(N)-T, Values),
    (   T > 0 -> Equal = Equal1, Rest = [K-F|Rest1]
    ;   K == ge, Equal = [eq-F|Equal1], Rest = Rest1
    ),
    N1 is N+1,
    apart(Ins, N1, Values, Equal1, Rest1).

% The greatest value of a form; fails where there is none.
greatest(lin(C, []), _, C) :- !.
greatest(F, Ins, Value) :- F = lin(C, Ts), program(Ins, Cs), signed(Ts, Os), simplex:relaxed(Os, Cs, solved(V, _, _)), Value is C+V.

sense(sup, F, F).
sense(inf, F, G) :- scaled(F, -1, G).
bound_of(Sense, E, D, Value) :-
    form(E, D, F), b_getval('$clpqr', st(_, Ins, _, _)),
    sense(Sense, F, G), greatest(G, Ins, V0), sense(Sense, lin(V0, []), lin(V, [])), value(D, V, Value).
bound_of(Sense, E, D, Value, Vector, Vertex) :-
    bound_of(Sense, E, D, Value),
    \+ \+ ( post(E = Value, D), values(Vector, D, Vertex0), nb_setval('$clpqr_vertex', Vertex0) ),
    nb_getval('$clpqr_vertex', Vertex).
values([], _, []).
values([E|Es], D, [V|Vs]) :- ( bound_of(inf, E, D, V0) -> V = V0 ; bound_of(sup, E, D, V) ), values(Es, D, Vs).
optimum(Sense, E, D) :- bound_of(Sense, E, D, Value), post(E = Value, D).

entailed(C, D) :- relation(C, Kind, L, R), negation(Kind, L, R, Not), \+ post(Not, D).
negation(eq, L, R, L =\= R).
negation(ne, L, R, L = R).
negation(ge, L, R, L < R).
negation(gt, L, R, L =< R).

% The least value where some variables are integers: branch and bound.
integer_optimum(Ints, E, D, Value, Vertex, Eps) :-
    nb_setval('$clpqr_best', none),
    (   least_integer(Ints, E, D, Eps), fail
    ;   nb_getval('$clpqr_best', best(Value, Vertex))
    ).
least_integer(Ints, E, D, Eps) :-
    bound_of(inf, E, D, V),
    ( nb_getval('$clpqr_best', best(Best, _)) -> V < Best ; true ),
    findall(R, once(at_optimum(Ints, E, V, D, Eps, R)), [Result]),
    (   Result = fractional(K, N)
    ->  nth1(K, Ints, X), Low is floor(N), High is Low+1,
        ( post(X =< Low, D) ; post(X >= High, D) ),
        least_integer(Ints, E, D, Eps)
    ;   Result = integral(Vertex), nb_setval('$clpqr_best', best(V, Vertex))
    ).
% The place of a variable that is no integer at an optimum, and its value there; or the values of all.
at_optimum(Ints, E, V, D, Eps, Result) :-
    post(E = V, D),
    at_corner(Ints, 1, D, Eps, Values, Fractional),
    ( nonvar(Fractional) -> Result = Fractional ; Result = integral(Values) ).
at_corner([], _, _, _, [], _).
at_corner([X|Xs], K, D, Eps, [N|Ns], Fractional) :-
    bound_of(inf, X, D, N),
    ( abs(N-round(N)) > Eps -> Fractional = fractional(K, N), Ns = [] ; post(X = N, D), K1 is K+1, at_corner(Xs, K1, D, Eps, Ns, Fractional) ).

% --- Residual goals: once, told by the first variable that is still free.

attribute_goals(X) -->
    { get_attr(X, clpqr, v(I, D)), b_getval('$clpqr', st(Eqs, Ins, Nes, Later)) },
    { sort(Ins, Ins0), needed(Ins0, [], Ins1) },
    { findall(C, told(I, D, Eqs, Ins1, Nes, C), Cs0), delayed(Later, X, Cs1) },
    { names(Cs0, D, Cs2), append(Cs2, Cs1, Cs) },
    told_all(Cs).
told(I, _, Eqs, _, _, eq(I, F)) :- get_assoc(I, Eqs, F).
told(I, _, _, Ins, _, in(K, F)) :- member(K-F, Ins), F = lin(_, [I-_|_]).
told(I, _, _, _, Nes, in(K, F)) :- member(K-F, Nes), F = lin(_, [I-_|_]).
delayed([], _, []).
delayed([c(Kind, L, R, _)|Cs], X, Gs) :-
    ( term_variables(L-R, [Y|_]), X == Y, relation(G, Kind, L, R) -> Gs = [G|Gs1] ; Gs = Gs1 ),
    !,
    delayed(Cs, X, Gs1).
% Without those that follow from the others.
needed([], Ins0, Ins) :- reverse(Ins0, Ins).
needed([In|Ins0], Kept, Ins) :-
    append(Kept, Ins0, Others),
    ( follows(In, Others) -> needed(Ins0, Kept, Ins) ; needed(Ins0, [In|Kept], Ins) ).
follows(K-F, Others) :- scaled(F, -1, G), greatest(G, Others, V), ( K == ge -> V =< 0 ; V < 0 ).
names([], _, []).
names([C|Cs], D, [G|Gs]) :- named(C, D, G), names(Cs, D, Gs).
named(eq(I, lin(C, Ts)), D, X = E) :- object(I, X), written(Ts, C, D, E).
named(in(K, lin(C, [I-A|Ts])), D, G) :-
    object(I, X),
    B is -1 rdiv A, scaled(lin(C, Ts), B, lin(C1, Ts1)),
    written(Ts1, C1, D, E),
    ( K == ne -> G = (X =\= E) ; A > 0 -> ( K == ge -> G = (X >= E) ; G = (X > E) ) ; K == ge -> G = (X =< E) ; G = (X < E) ).
written([], C, D, V) :- value(D, C, V).
written([I-A|Ts], C, D, E) :-
    object(I, X), product(A, X, D, P),
    ( C =:= 0 -> E0 = P ; value(D, C, V), E0 = V+P ),
    written_(Ts, D, E0, E).
written_([], _, E, E).
written_([I-A|Ts], D, E0, E) :-
    object(I, X),
    ( A < 0 -> B is -A, product(B, X, D, P), E1 = E0-P ; product(A, X, D, P), E1 = E0+P ),
    written_(Ts, D, E1, E).
product(A, X, D, P) :- ( A =:= 1 -> P = X ; A =:= -1 -> P = -X ; value(D, A, V), P = V*X ).
told_all([]) --> [].
told_all([C|Cs]) --> [{C}], told_all(Cs).

dump(Vs, Names, _, Cs) :- copy_term(Vs, Vs1, Gs), plain(Gs, Cs), Vs1 = Names.
plain([], []).
plain([G|Gs], Cs) :- ( ( G = {C} ; G = _:{C} ) -> Cs = [C|Cs1] ; Cs = Cs1 ), plain(Gs, Cs1).

% --- What is in a list or a conjunction, for Ciao's packages, whose relations have dots.

all_posted(Cs, _) :- var(Cs), !, instantiation_error(Cs).
all_posted([], _) :- !.
all_posted([C|Cs], D) :- !, all_posted(C, D), all_posted(Cs, D).
all_posted((A, B), D) :- !, all_posted(A, D), all_posted(B, D).
all_posted((A ; B), D) :- !, ( all_posted(A, D) ; all_posted(B, D) ).
all_posted(C, D) :- without_points(C, Plain), post(Plain, D).

all_entailed(Cs, _) :- var(Cs), !, instantiation_error(Cs).
all_entailed([], _) :- !.
all_entailed([C|Cs], D) :- !, all_entailed(C, D), all_entailed(Cs, D).
all_entailed((A, B), D) :- !, all_entailed(A, D), all_entailed(B, D).
all_entailed(C, D) :- without_points(C, Plain), entailed(Plain, D).

without_points('.=.'(X, Y), C) :- !, C = (X = Y).
without_points('.<>.'(X, Y), C) :- !, C = (X =\= Y).
without_points('.<.'(X, Y), C) :- !, C = (X < Y).
without_points('.=<.'(X, Y), C) :- !, C = (X =< Y).
without_points('.>.'(X, Y), C) :- !, C = (X > Y).
without_points('.>=.'(X, Y), C) :- !, C = (X >= Y).
without_points(C, C).
