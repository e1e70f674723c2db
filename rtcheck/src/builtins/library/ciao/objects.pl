% O'Ciao's packages class, objects and interface. A class is a module; what it declares as data belongs to an object, and
% is kept with the object in front. While a method runs, a variable that backtracking sets back says for which object.
:- module(objects, [
    new/2, destroy/1, self/1, instance_of/2, send/2,
    op(700, xfx, new), op(700, xfx, instance_of), op(700, xfx, derived_from), op(150, fx, inherited)
]).

% The classes that were read, what they inherit, their data as Name/Arity and the name it is kept under, what a new object
% has, what a class of an object may define anew, and the classes of objects.
:- dynamic class/1, base/2, attribute/4, initial/2, virtual/3, object/2.
:- meta_predicate send(?, :).

sentence((:- Declaration), Terms, M) :- declared(Declaration, M, Terms), !.
sentence(Term, [], _) :- Term = (:- Declaration), ignored(Declaration), !.
sentence((Head :- Body0), [(Head :- Body)], M) :- !, body(Body0, M, Body).
sentence((Head --> Body0), [(Head --> Body)], M) :- !, rule_body(Body0, M, Body).
sentence(Fact, [], M) :-
    callable(Fact), functor(Fact, Name, N), attribute(M, Name, N, Kept),
    kept(Fact, Kept, Object, Initial), assertz(initial(M, Object-Initial)).

begin(M) :- ( class(M) -> true ; assertz(class(M)) ).

declared((data Specs), M, Terms) :- class(M), each(Specs, M, attribute, Terms).
declared(data(Specs), M, Terms) :- class(M), each(Specs, M, attribute, Terms).
declared(dynamic(Specs), M, Terms) :- class(M), each(Specs, M, attribute, Terms).
declared(public(Specs), _, [(:- export(Specs))]).
declared(inheritable(Specs), _, [(:- export(Specs))]).
declared(virtual(Specs), M, Terms) :- each(Specs, M, virtual, Terms).
declared(inherit_class(File), M, [(:- redefining(_)), (:- use_module(File))]) :- name_of(File, Base), assertz(base(M, Base)).
declared(use_class(File), _, [(:- use_module(File, []))]).
declared(use_class(File, _), _, [(:- use_module(File, []))]).
declared(initialization(Goal0), M, [(:- initialization(Goal))]) :- body(Goal0, M, Goal).
ignored(implements(_)).
ignored(instance_of(_, _)).
ignored(derived_from(_, _)).

name_of(File, Name) :- ( File =.. [_, Inner] -> true ; Inner = File ), last_part(Inner, Name).
last_part(Part, Name) :- ( Part = (_/Last) -> Name = Last ; Name = Part ).

each(Specs, _, _, _) :- var(Specs), !, instantiation_error(Specs).
each((A, B), M, What, Terms) :- !, each(A, M, What, As), each(B, M, What, Bs), append(As, Bs, Terms).
each([], _, _, Terms) :- !, Terms = [].
each([A|As], M, What, Terms) :- !, each(A, M, What, Bs), each(As, M, What, Cs), append(Bs, Cs, Terms).
each(Name/N, M, virtual, []) :- ( virtual(M, Name, N) -> true ; assertz(virtual(M, Name, N)) ).
each(Name/N, M, attribute, [(:- dynamic(Kept/N1)), (Head :- objects:self(Object), Goal)]) :-
    must_be(atom, Name), must_be(nonneg, N), N1 is N + 1, atomic_list_concat([Name, ' of'], Kept),
    assertz(attribute(M, Name, N, Kept)), functor(Head, Name, N), kept(Head, Kept, Object, Goal).

% What a class says of its data is said of the object's.
kept(Fact, Kept, Object, Goal) :- Fact =.. [_|As], Goal =.. [Kept, Object|As].

body(G, _, New) :- var(G), !, New = G.
body(O:G, M, New) :- var(O), !, body(G, M, H), New = objects:send(O, H).
body(inherited(G), M, New) :- base(M, Base), !, New = Base:G.
body(G, M, New) :-
    callable(G), functor(G, Name, N), ( virtual(M, Name, N) ; base_virtual(M, Name, N) ), !,
    New = ( objects:self(O), objects:send(O, G) ).
body(G0, M, New) :-
    G0 =.. [Change, Fact0|Others], changes(Change), nonvar(Fact0),
    ( Fact0 = (Head :- Condition) -> true ; Head = Fact0 ),
    callable(Head), functor(Head, Name, N), attribute(M, Name, N, Kept), !,
    kept(Head, Kept, O, Fact1),
    ( nonvar(Condition) -> Fact = (Fact1 :- Condition) ; Fact = Fact1 ),
    G =.. [Change, Fact|Others],
    % The only fact of an object's is not the only one that there is.
    ( Change == set_fact -> N1 is N + 1, functor(Any, Kept, N1), arg(1, Any, O), Before = retractall(Any), After = assertz(Fact)
    ; Before = true, After = G
    ),
    New = ( objects:self(O), Before, After ).
body(G0, M, New) :- goals_in(G0, Modes), !, G0 =.. [F|As0], bodies(Modes, As0, M, As), New =.. [F|As].
body(G, _, G).

base_virtual(M, Name, N) :- base(M, Base), ( virtual(Base, Name, N) ; base_virtual(Base, Name, N) ).

bodies([], [], _, []).
bodies([goal|Modes], [A0|As0], M, [A|As]) :- body(A0, M, A), bodies(Modes, As0, M, As).
bodies([term|Modes], [A|As0], M, [A|As]) :- bodies(Modes, As0, M, As).

rule_body(B, _, New) :- var(B), !, New = B.
rule_body({G0}, M, {G}) :- !, body(G0, M, G).
rule_body(B0, M, B) :- B0 =.. [F, X0, Y0], memberchk(F, [',', ;, ->, '|']), !, B =.. [F, X, Y], rule_body(X0, M, X), rule_body(Y0, M, Y).
rule_body(B, _, B).

goals_in((_, _), [goal, goal]).
goals_in((_ ; _), [goal, goal]).
goals_in((_ -> _), [goal, goal]).
goals_in((_ *-> _), [goal, goal]).
goals_in(\+ _, [goal]).
goals_in(call(_), [goal]).
goals_in(once(_), [goal]).
goals_in(ignore(_), [goal]).
goals_in(_ ^ _, [term, goal]).
goals_in(forall(_, _), [goal, goal]).
goals_in(findall(_, _, _), [term, goal, term]).
goals_in(bagof(_, _, _), [term, goal, term]).
goals_in(setof(_, _, _), [term, goal, term]).
goals_in(catch(_, _, _), [goal, term, goal]).

changes(Name) :-
    memberchk(Name, [asserta, assertz, assert, retract, retractall, asserta_fact, assertz_fact, retract_fact, retractall_fact,
        current_fact, set_fact, retract_fact_nb, current_fact_nb, clause, erase]).

self(Object) :- ( nb_current('$self', Object0), Object0 \== [] -> Object = Object0 ; existence_error(object, self) ).

% Another object's methods see it as the one for which they run, also when they are entered again.
send(Object, Q) :-
    strip_module(Q, _, Goal),
    ( var(Object) -> instantiation_error(Object) ; object(Object, Class) -> true ; existence_error(object, Object) ),
    as(Object, Class, Goal).
as(Object, Class, Goal) :-
    ( nb_current('$self', Before) -> true ; Before = [] ),
    b_setval('$self', Object),
    call(Class:Goal),
    b_setval('$self', Before).

new(Object, Goal) :-
    ( var(Object) -> true ; uninstantiation_error(Object) ), must_be(callable, Goal),
    functor(Goal, Class, N), ( class(Class) -> true ; existence_error(class, Class) ),
    gensym('$object', Id), Object = '$object'(Id), assertz(object(Object, Class)),
    begin_as(Class, Object),
    (   current_predicate(Class:Class/N) -> send(Object, Goal)
    ;   N =:= 0 -> true
    ;   existence_error(procedure, Class:Class/N)
    ).
begin_as(Class, Object) :-
    forall(base(Class, Base), begin_as(Base, Object)),
    forall(initial(Class, Object-Fact), assertz(Class:Fact)).

destroy(Object) :-
    ( object(Object, Class) -> true ; existence_error(object, Object) ),
    end_as(Class, Object), retractall(object(Object, _)).
end_as(Class, Object) :-
    ( current_predicate(Class:destructor/0) -> ignore(as(Object, Class, destructor)) ; true ),
    forall(( attribute(Class, _, N, Kept), N1 is N + 1 ), ( functor(Fact, Kept, N1), arg(1, Fact, Object), retractall(Class:Fact) )),
    forall(base(Class, Base), end_as(Base, Object)).

instance_of(Object, Class) :- object(Object, Own), is_or_inherits(Own, Class).
is_or_inherits(Class, Class).
is_or_inherits(Own, Class) :- base(Own, Base), is_or_inherits(Base, Class).
