:- module(clpb, [
    op(300, fy, ~), op(500, yfx, #), sat/1, taut/2, labeling/1, sat_count/2, weighted_maximum/3, random_labeling/2]).

% Constraints over truth values, as in SWI-Prolog's library of this name, by ordered decision diagrams.
%
% A node is 0, 1 or n(Id, I, Low, High): a test of the variable number I. Nodes that test the same and lead to the same
% are one node, which a table says (the global variable `$clpb_nodes`), so that equal functions have equal numbers. The
% attribute of a variable is b(I, Root); the term root(Id, State) has the state r(Node, Pairs): all that is known of the
% variables I-X among the pairs, which constraints brought together; or to(Root), where another one has taken them over.
% Whatever is said or bound makes a new node of it, what follows for single variables and pairs is done, and 0 fails.
% When several variables are bound at once each is told of by itself: until then the node tests it, though its pair is a
% number's.
%
% An atom stands for any value: it has a number and a pair like a variable, and whatever it is, there must be values for
% the variables.

:- initialization(( empty_assoc(T), '$share'('$clpb_nodes', T), '$share'('$clpb_count', 2), '$share'('$clpb_variables', 0), '$share'('$clpb_roots', 0), '$share'('$clpb_atoms', T) ), now).

% --- Diagrams.

id(0, 0) :- !.
id(1, 1) :- !.
id(n(Id, _, _, _), Id).

node(I, Low, High, Node) :-
    id(Low, L), id(High, H),
    (   L =:= H -> Node = Low
    ;   Key = k(I, L, H),
        b_getval('$clpb_nodes', Table),
        (   get_assoc(Key, Table, Node0) -> Node = Node0
        ;   b_getval('$clpb_count', Id), Next is Id+1, b_setval('$clpb_count', Next),
            Node = n(Id, I, Low, High),
            put_assoc(Key, Table, Node, Table1), b_setval('$clpb_nodes', Table1)
        )
    ).

apply(Op, F, G, H) :- empty_assoc(M), apply(Op, F, G, H, M, _).
apply(Op, F, G, H, M, M) :- at_once(Op, F, G, H0), !, H = H0.
apply(Op, F, G, H, M0, M) :-
    id(F, A), id(G, B), Key = A-B,
    (   get_assoc(Key, M0, H0) -> H = H0, M = M0
    ;   level(F, I1), level(G, I2), I is min(I1, I2),
        parts(F, I, F0, F1), parts(G, I, G0, G1),
        apply(Op, F0, G0, L, M0, M1), apply(Op, F1, G1, R, M1, M2),
        node(I, L, R, H),
        put_assoc(Key, M2, H, M)
    ).
at_once(and, F, G, H) :- ( F == 0 -> H = 0 ; G == 0 -> H = 0 ; F == 1 -> H = G ; G == 1 -> H = F ; same(F, G), H = F ).
at_once(or, F, G, H) :- ( F == 1 -> H = 1 ; G == 1 -> H = 1 ; F == 0 -> H = G ; G == 0 -> H = F ; same(F, G), H = F ).
at_once(xor, F, G, H) :- ( F == 0 -> H = G ; G == 0 -> H = F ; same(F, G), H = 0 ).
same(F, G) :- id(F, A), id(G, B), A =:= B.
level(F, I) :- ( F = n(_, I0, _, _) -> I = I0 ; I = inf ).
parts(F, I, Low, High) :- ( F = n(_, I, Low0, High0) -> Low = Low0, High = High0 ; Low = F, High = F ).
negation(F, G) :- apply(xor, F, 1, G).

% The function where variable I has a value.
restricted(F, I, V, G) :- empty_assoc(M), restricted(F, I, V, G, M, _).
restricted(F, I, V, G, M0, M) :-
    level(F, J),
    (   J == inf -> G = F, M = M0
    ;   J > I -> G = F, M = M0
    ;   F = n(Id, _, L, H),
        (   J =:= I -> ( V =:= 0 -> G = L ; G = H ), M = M0
        ;   get_assoc(Id, M0, G0) -> G = G0, M = M0
        ;   restricted(L, I, V, L1, M0, M1), restricted(H, I, V, H1, M1, M2),
            node(J, L1, H1, G), put_assoc(Id, M2, G, M)
        )
    ).
quantified(Op, I, F, G) :- restricted(F, I, 0, A), restricted(F, I, 1, B), apply(Op, A, B, G).
all_quantified([], _, F, F).
all_quantified([I|Is], Op, F, G) :- quantified(Op, I, F, F1), all_quantified(Is, Op, F1, G).

support(F, Is) :- empty_assoc(E), nodes(F, E, Seen), assoc_to_values(Seen, Is0), sort(Is0, Is).
nodes(F, S0, S) :-
    (   F = n(Id, I, L, H), \+ get_assoc(Id, S0, _) -> put_assoc(Id, S0, I, S1), nodes(L, S1, S2), nodes(H, S2, S)
    ;   S = S0
    ).

% --- Expressions, and the pairs I-a of their atoms.

function(E, F, Atoms) :- function(E, F, [], Atoms0), sort(Atoms0, Atoms).

function(X, F, As, As) :- var(X), !, variable(X, I), node(I, 0, 1, F).
function(E, E, As, As) :- ( E == 0 ; E == 1 ), !.
function(A, F, As0, As) :- atom(A), !,
    atom_variable(A, I),
    As = [I-A|As0],
    node(I, 0, 1, F).
function(~E, F, As0, As) :- !, function(E, G, As0, As), negation(G, F).
function(A*B, F, As0, As) :- !, two(and, A, B, F, As0, As).
function(A+B, F, As0, As) :- !, two(or, A, B, F, As0, As).
function(A#B, F, As0, As) :- !, two(xor, A, B, F, As0, As).
function(A =\= B, F, As0, As) :- !, two(xor, A, B, F, As0, As).
function(A =:= B, F, As0, As) :- !, two(xor, A, ~B, F, As0, As).
function(A =< B, F, As0, As) :- !, two(or, ~A, B, F, As0, As).
function(A >= B, F, As0, As) :- !, two(or, A, ~B, F, As0, As).
function(A < B, F, As0, As) :- !, two(and, ~A, B, F, As0, As).
function(A > B, F, As0, As) :- !, two(and, A, ~B, F, As0, As).
function(+(Es), F, As0, As) :- is_list(Es), !, functions(Es, Fs, As0, As), folded(Fs, or, 0, F).
function(*(Es), F, As0, As) :- is_list(Es), !, functions(Es, Fs, As0, As), folded(Fs, and, 1, F).
function(X^E, F, As0, As) :- var(X), !, function(E, G, As0, As), variable(X, I), quantified(or, I, G, F).
function(card(Is, Es), F, As0, As) :- is_list(Is), is_list(Es), !,
    functions(Es, Fs, As0, As),
    length(Fs, N),
    counts(Is, Ns),
    counted(Fs, N, Ns, F).
function(E, _, _, _) :- domain_error(clpb_expr, E).

two(Op, A, B, F, As0, As) :- function(A, G, As0, As1), function(B, H, As1, As), apply(Op, G, H, F).
functions([], [], As, As).
functions([E|Es], [F|Fs], As0, As) :- function(E, F, As0, As1), functions(Es, Fs, As1, As).
folded([], _, F, F).
folded([G|Gs], Op, F0, F) :- apply(Op, F0, G, F1), folded(Gs, Op, F1, F).

counts(Is, Ns) :- findall(N, ( member(I, Is), count(I, N) ), Ns0), sort(Ns0, Ns).
count(A-B, N) :- !, between(A, B, N).
count(N, N).
% The functions that say that so many of those that are still to come are true, for each number from 0.
counted(Fs, N, Ns, F) :-
    findall(T, ( between(0, N, K), ( memberchk(K, Ns) -> T = 1 ; T = 0 ) ), Ts),
    counted(Fs, Ts, F).
counted([], [F], F).
counted([G|Gs], Ts, F) :- negation(G, H), chosen(Ts, G, H, Us), counted(Gs, Us, F).
chosen([_], _, _, []) :- !.
chosen([A, B|Ts], G, H, [U|Us]) :- apply(and, H, A, X), apply(and, G, B, Y), apply(or, X, Y, U), chosen([B|Ts], G, H, Us).

% --- Variables and what is known of them.

new_number(I) :- b_getval('$clpb_variables', I), J is I+1, b_setval('$clpb_variables', J).
variable(X, I) :-
    (   get_attr(X, clpb, b(I0, _)) -> I = I0
    ;   new_number(I), new_root([I-X], Root), put_attr(X, clpb, b(I, Root))
    ).
atom_variable(A, I) :-
    b_getval('$clpb_atoms', Table),
    (   get_assoc(A, Table, I0) -> I = I0
    ;   new_number(I), put_assoc(A, Table, I, Table1), b_setval('$clpb_atoms', Table1)
    ).
new_root(Pairs, root(Id, r(1, Pairs))) :- b_getval('$clpb_roots', Id), Next is Id+1, b_setval('$clpb_roots', Next).

final(Root0, Root) :- arg(2, Root0, R), ( R = to(Root1) -> final(Root1, Root) ; Root = Root0 ).

% All that is known of the variables of an expression, together with it, and where it is.
known(Vs, F, G, Atoms, Pairs, Roots) :-
    roots(Vs, Roots0), sort(1, @<, Roots0, Roots), joined(Roots, F, G, Atoms, Pairs0), sort(1, @<, Pairs0, Pairs).
roots([], []).
roots([X|Xs], Roots) :-
    ( get_attr(X, clpb, b(_, Root0)) -> final(Root0, Root), Roots = [Root|Roots1] ; Roots = Roots1 ),
    roots(Xs, Roots1).
joined([], F, F, Pairs, Pairs).
joined([Root|Roots], F0, F, Pairs0, Pairs) :-
    arg(2, Root, r(G, Pairs1)),
    apply(and, F0, G, F1),
    append(Pairs1, Pairs0, Pairs2),
    joined(Roots, F1, F, Pairs2, Pairs).

sat(E) :-
    function(E, F, Atoms),
    term_variables(E, Vs),
    known(Vs, F, G, Atoms, Pairs, Roots),
    settled(G, Pairs, Roots).

settled(F, Pairs0, Roots) :-
    F \== 0,
    support(F, All),
    free(All, Pairs0, Is),
    ( Is == All -> true ; all_quantified(Is, or, F, N), support(N, As), all_quantified(As, and, N, 1) ),
    fixed(Is, F, F1, Values),
    alike(Is, F1, Alike),
    merged(Alike, F1, F2),
    open_pairs(Pairs0, Pairs0, Values, Alike, Pairs, Bindings),
    ( Roots = [Root|Others] -> setarg(2, Root, r(F2, Pairs)), moved(Others, Root) ; true ),
    bound(Bindings).

% The numbers that are no atoms'.
free([], _, []).
free([I|Is], Pairs, Js) :-
    ( memberchk(I-X, Pairs), atom(X) -> Js = Js1 ; Js = [I|Js1] ),
    free(Is, Pairs, Js1).

moved([], _).
moved([Other|Others], Root) :- setarg(2, Other, to(Root)), moved(Others, Root).
bound([]).
bound([X=Y|Bs]) :- X = Y, bound(Bs).

fixed([], F, F, []).
fixed([I|Is], F0, F, Values) :-
    restricted(F0, I, 0, L), restricted(F0, I, 1, H),
    (   L == 0 -> F1 = H, Values = [I-1|Values1]
    ;   H == 0 -> F1 = L, Values = [I-0|Values1]
    ;   F1 = F0, Values = Values1
    ),
    fixed(Is, F1, F, Values1).

% Variables that are fixed, or are the same as another one, lose the attribute before they are bound. What is bound
% already and will be told of later is only compared.
open_pairs([], _, _, _, [], []).
open_pairs([I-X|Pairs], All, Values, Alike, Open, Bindings) :-
    (   memberchk(I-V, Values) -> told_once(X), Open = Open1, Bindings = [X=V|Bindings1]
    ;   memberchk(I=J, Alike) -> memberchk(J-Y, All), told_once(X), Open = Open1, Bindings = [X=Y|Bindings1]
    ;   integer(X) -> Open = Open1, Bindings = Bindings1
    ;   Open = [I-X|Open1], Bindings = Bindings1
    ),
    open_pairs(Pairs, All, Values, Alike, Open1, Bindings1).
told_once(X) :- ( var(X) -> del_attr(X, clpb) ; true ).

% Pairs J=I of variables that have the same value wherever the function is true, I before J. A variable that a way to 1
% does not test is like no other one; those that differ on one of some ways are not looked at.
alike(Is, F, Alike) :-
    (   F = n(_, _, _, _)
    ->  findall(Way, ( member(Prefer, [low, high]), way(F, Prefer, Way) ), Ways),
        signatures(Is, Ways, Ss0),
        keysort(Ss0, Ss),
        same_signatures(Ss, F, Alike)
    ;   Alike = []
    ).
way(1, _, []) :- !.
way(n(_, I, L, H), Prefer, [I-V|Way]) :-
    (   Prefer == low -> ( L \== 0 -> V = 0, F = L ; V = 1, F = H )
    ;   H \== 0 -> V = 1, F = H
    ;   V = 0, F = L
    ),
    way(F, Prefer, Way).
signatures([], _, []).
signatures([I|Is], Ways, Ss) :- ( values_on(Ways, I, S) -> Ss = [S-I|Ss1] ; Ss = Ss1 ), signatures(Is, Ways, Ss1).
values_on([], _, []).
values_on([Way|Ways], I, [V|Vs]) :- memberchk(I-V, Way), values_on(Ways, I, Vs).
same_signatures([], _, []).
same_signatures([S-I|Ss], F, Alike) :-
    equal_to(Ss, S, I, F, Rest, Alike, Alike1),
    same_signatures(Rest, F, Alike1).
equal_to([S1-J|Ss], S, I, F, Rest, Alike, Alike1) :- S1 == S, !,
    (   equal(I, J, F) -> Alike = [J=I|Alike0], Rest = Rest0 ; Alike = Alike0, Rest = [S1-J|Rest0] ),
    equal_to(Ss, S, I, F, Rest0, Alike0, Alike1).
equal_to(Ss, _, _, _, Ss, Alike, Alike).
equal(I, J, F) :- node(I, 0, 1, A), node(J, 0, 1, B), apply(xor, A, B, C), apply(and, F, C, 0).
merged([], F, F).
merged([J=_|Alike], F0, F) :- quantified(or, J, F0, F1), merged(Alike, F1, F).

attr_unify_hook(b(I, Root0), Other) :-
    final(Root0, Root),
    (   integer(Other)
    ->  memberchk(Other, [0, 1]),
        arg(2, Root, r(F, Pairs)),
        restricted(F, I, Other, G),
        settled(G, Pairs, [Root])
    ;   var(Other) ->
        (   get_attr(Other, clpb, b(J, Root1))
        ->  final(Root1, Root2),
            sort(1, @<, [Root, Root2], Roots),
            joined(Roots, 1, F, [], Pairs0),
            sort(1, @<, Pairs0, Pairs1),
            without(Pairs1, I, Pairs),
            replaced(I, J, F, G),
            settled(G, Pairs, Roots)
        ;   put_attr(Other, clpb, b(I, Root))
        )
    ;   atom(Other)
    ->  atom_variable(Other, J),
        arg(2, Root, r(F, Pairs0)),
        sort(1, @<, [J-Other|Pairs0], Pairs1),
        without(Pairs1, I, Pairs),
        replaced(I, J, F, G),
        settled(G, Pairs, [Root])
    ;   type_error(integer, Other)
    ).
% Variable J is variable I from now on.
replaced(I, J, F, G) :-
    node(I, 0, 1, A), node(J, 0, 1, B),
    apply(xor, A, B, C), negation(C, D), apply(and, F, D, E),
    quantified(or, I, E, G).
without([], _, []).
without([J-X|Pairs], I, Ps) :- ( I =:= J -> Ps = Ps1 ; Ps = [J-X|Ps1] ), without(Pairs, I, Ps1).

% --- Residual goals: sums of products modulo 2, told by the first variable of the pairs.

attribute_goals(X) -->
    { get_attr(X, clpb, b(I, Root0)), final(Root0, Root), arg(2, Root, r(F, Pairs)) },
    (   { F = n(_, _, _, _), support(F, Is0), free(Is0, Pairs, [I|_]) } -> { sum(F, Ms0), sort(Ms0, Ms), equation(Ms, Pairs, E) }, [clpb:sat(E)] ; [] ),
    (   { support(F, Is), \+ memberchk(I, Is) } -> [clpb:sat(X =:= X)] ; [] ).

sum(0, []) :- !.
sum(1, [[]]) :- !.
sum(n(_, I, L, H), Ms) :- apply(xor, L, H, D), sum(L, Ms0), sum(D, Ms1), with_factor(Ms1, I, Ms0, Ms).
with_factor([], _, Ms, Ms).
with_factor([M|Ms0], I, Ms1, [[I|M]|Ms]) :- with_factor(Ms0, I, Ms1, Ms).

equation([[], M|Ms], Pairs, A =:= B) :- !, product(M, Pairs, A), sum_of(Ms, Pairs, 0, B).
equation([M|Ms], Pairs, A =\= B) :- product(M, Pairs, A), sum_of(Ms, Pairs, 0, B).
sum_of([], _, E, E).
sum_of([M|Ms], Pairs, E0, E) :- product(M, Pairs, P), ( E0 == 0 -> E1 = P ; E1 = E0#P ), sum_of(Ms, Pairs, E1, E).
product([I|Is], Pairs, P) :- memberchk(I-X, Pairs), product(Is, Pairs, X, P).
product([], _, P, P).
product([I|Is], Pairs, P0, P) :- memberchk(I-X, Pairs), product(Is, Pairs, P0*X, P).

% --- Questions and search.

taut(E, T) :-
    function(E, F, Atoms),
    term_variables(E, Vs),
    known(Vs, 1, G, Atoms, _, _),
    (   apply(and, F, G, 0) -> T = 0
    ;   negation(F, N), apply(and, N, G, 0), T = 1
    ).

labeling(Vs) :- must_be(list, Vs), label(Vs).
label([]).
label([V|Vs]) :- value(V), label(Vs).
value(V) :- var(V), !, ( V = 0 ; V = 1 ).
value(V) :- ( V == 0 ; V == 1 ), !.
value(V) :- type_error(boolean, V).

% The function of these variables alone that the constraints leave, and their numbers in order.
left_of(E, Vs, F, Is) :-
    function(E, F0, Atoms),
    numbers_of(Vs, Is0), sort(Is0, Is),
    known(Vs, F0, F1, Atoms, _, _),
    support(F1, All),
    ord_subtract(All, Is, Others),
    all_quantified(Others, or, F1, F).
numbers_of([], []).
numbers_of([V|Vs], [I|Is]) :- variable(V, I), numbers_of(Vs, Is).

sat_count(E, N) :- \+ \+ ( counted_solutions(E, M), nb_setval('$clpb_found', M) ), nb_getval('$clpb_found', N).
counted_solutions(E, N) :-
    term_variables(E, Vs),
    left_of(E, Vs, F, Is),
    empty_assoc(M),
    solutions(F, Is, N, M, _).
% How many values of the variables Is make a function true.
solutions(0, _, 0, M, M) :- !.
solutions(1, Is, N, M, M) :- !, length(Is, K), N is 2**K.
solutions(F, Is, N, M0, M) :-
    F = n(Id, I, L, H),
    skipped(Is, I, 0, K, Rest),
    (   get_assoc(Id, M0, N0) -> M = M0
    ;   solutions(L, Rest, A, M0, M1), solutions(H, Rest, B, M1, M2), N0 is A+B, put_assoc(Id, M2, N0, M)
    ),
    N is N0 * 2**K.
skipped([J|Is], I, K0, K, Rest) :- ( J =:= I -> K = K0, Rest = Is ; K1 is K0+1, skipped(Is, I, K1, K, Rest) ).

weighted_maximum(Ws, Vs, Max) :-
    must_be(list(integer), Ws), must_be(list, Vs),
    weights(Ws, Vs, 0, Base, Open, Pairs0),
    keysort(Pairs0, Pairs),
    left_of(1, Open, F, _),
    empty_assoc(M),
    greatest(F, Pairs, Best, M, _), Best \== none,
    Max is Base+Best,
    reached(F, Pairs, Best).
weights([], [], Base, Base, [], []).
weights([W|Ws], [V|Vs], Base0, Base, Open, Pairs) :-
    (   var(V) -> variable(V, I), Base1 = Base0, Open = [V|Open1], Pairs = [I-w(W, V)|Pairs1]
    ;   Base1 is Base0 + W*V, Open = Open1, Pairs = Pairs1
    ),
    weights(Ws, Vs, Base1, Base, Open1, Pairs1).
greatest(0, _, none, M, M) :- !.
greatest(_, [], 0, M, M) :- !.
greatest(F, [I-w(W, _)|Pairs], Best, M0, M) :-
    id(F, Id), Key = Id-I,
    (   get_assoc(Key, M0, Best0) -> Best = Best0, M = M0
    ;   parts(F, I, L, H),
        greatest(L, Pairs, A, M0, M1), greatest(H, Pairs, B, M1, M2),
        better(A, B, W, Best), put_assoc(Key, M2, Best, M)
    ).
better(A, B, W, Best) :- ( B == none -> Best = A ; A == none -> Best is B+W ; Best is max(A, B+W) ).
reached(_, [], 0).
reached(F, [I-w(W, V)|Pairs], Best) :-
    parts(F, I, L, H),
    (   best_of(L, Pairs, Best), V = 0, reached(L, Pairs, Best)
    ;   Rest is Best-W, best_of(H, Pairs, Rest), V = 1, reached(H, Pairs, Rest)
    ).
best_of(F, Pairs, Best) :- empty_assoc(M), greatest(F, Pairs, Best0, M, _), Best0 == Best.

random_labeling(Seed, Vs) :-
    must_be(integer, Seed), must_be(list, Vs),
    set_random(seed(Seed)),
    random_values(Vs).
random_values([]).
random_values([V|Vs]) :-
    (   var(V)
    ->  term_variables([V|Vs], All),
        sat_count(+([1|All]), N), N > 0,
        ( \+ V = 0 -> N0 = 0 ; \+ \+ ( V = 0, sat_count(+([1|All]), M), nb_setval('$clpb_found', M) ), nb_getval('$clpb_found', N0) ),
        R is random(N),
        ( R < N0 -> V = 0 ; V = 1 )
    ;   true
    ),
    random_values(Vs).
