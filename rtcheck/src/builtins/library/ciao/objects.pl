% O'Ciao's packages class, objects and interface. A class is a module; what it declares as data belongs to an object, and
% is kept with the object's key in front: its name, or the atom in it. While a method runs, a variable that backtracking
% sets back says for which object.
:- module(objects, [
    new/2, destroy/1, self/1, instance_of/2, derived_from/2, interface/2, send/2,
    op(700, xfx, new), op(700, xfx, instance_of), op(700, xfx, derived_from), op(700, xfx, interface), op(900, fx, destroy),
    op(150, fx, inherited),
    op(1150, fx, virtual), op(1150, fx, inheritable)
]).

% The classes and interfaces that were read, what they inherit, their data as Name/Arity and the name it is kept under,
% what a new object has, how many arguments constructors have, what a class of an object may define anew, what a class
% implements and an interface exports; the keys, classes and terms of objects, the last number of one, and how those with
% names were made.
:- dynamic class/2, base/2, attribute/4, initial/2, constructor/2, virtual/3, implements/2, exported/3.
:- dynamic object/3, last/1, named/2.
:- meta_predicate send(?, :).

% A text that is read again begins anew.
begin(M, Kind) :-
    retractall(class(M, _)), retractall(base(M, _)), retractall(attribute(M, _, _, _)), retractall(initial(M, _)),
    retractall(constructor(M, _)), retractall(virtual(M, _, _)), retractall(implements(M, _)), retractall(exported(M, _, _)),
    assertz(class(M, Kind)).

sentence((:- Declaration), Terms, M) :- !, declared(Declaration, M, Terms), !.
sentence(Clause, Terms, M) :-
    class(M, _), ( Clause = (Head :- _) -> true ; Head = Clause ), callable(Head), functor(Head, Name, N),
    clause_of(Name, N, Clause, Head, M, Terms).
clause_of(Name, N, Clause, Head, M, []) :-
    attribute(M, Name, N, Kept), !,
    ( Clause == Head -> true ; domain_error(initial_fact, Clause) ),
    kept(Head, Kept, Key, Initial), assertz(initial(M, Key-Initial)).
% Constructors are there for classes that inherit them.
clause_of(M, N, Clause, _, M, [(:- export(M/N)), Clause]) :- \+ constructor(M, N), assertz(constructor(M, N)).

declared(data(Specs), M, Terms) :- class(M, Kind), data_of(Kind, Specs, M, Terms).
declared(dynamic(Specs), M, Terms) :- class(M, Kind), data_of(Kind, Specs, M, Terms).
declared(concurrent(Specs), M, Terms) :- class(M, Kind), data_of(Kind, Specs, M, Terms).
declared(export(Specs), M, []) :- class(M, interface), each(Specs, M, exported, _).
declared(public(Specs), M, Terms) :-
    ( class(M, interface) -> each(Specs, M, exported, Terms) ; Terms = [(:- export(Specs))] ).
declared(inheritable(Specs), _, [(:- export(Specs))]).
declared(virtual(Specs), M, Terms) :- each(Specs, M, virtual, Terms).
declared(inherit_class(File), M, Terms) :- class(M, interface), !, declared(implements(File), M, Terms).
% What a class inherits those inherit that inherit from it. It may define anew what its base exports.
declared(inherit_class(File), M, [(:- redefining(Public)), (:- reexport(File))]) :-
    name_of(File, Base), M:use_module(File, []), assertz(base(M, Base)),
    ( '$module_exports'(Base, Public) -> true ; Public = [] ).
declared(use_class(File), _, [(:- use_module(File, []))]).
declared(use_class(File, _), _, [(:- use_module(File, []))]).
declared(implements(File), M, [(:- export(Public))]) :-
    name_of(File, I), M:use_module(File, []), assertz(implements(M, I)),
    findall(Name/N, public_in(I, Name, N), Public).
declared(instance_of(Object, Goal), _, [(:- objects:name(Object, Goal))]).
declared(initialization(Goal0), M, [(:- initialization(Goal))]) :- '$expand_goals'(Goal0, ['$translation'(objects, goal, 3, M)], Goal).

data_of(class, Specs, M, Terms) :- each(Specs, M, attribute, Terms).
data_of(interface, Specs, M, Terms) :- each(Specs, M, exported, Terms).

name_of(File, Name) :- ( File =.. [_, Inner] -> true ; Inner = File ), last_part(Inner, Name).
last_part(Part, Name) :-
    ( Part = (_/Last) -> true ; atom(Part) -> atomic_list_concat(Parts, /, Part), last(Parts, Last) ; Last = Part ),
    ( atom(Last), atom_concat(Name0, '.pl', Last) -> Name = Name0 ; Name = Last ).

each(Specs, _, _, _) :- var(Specs), !, instantiation_error(Specs).
each((A, B), M, What, Terms) :- !, each(A, M, What, As), each(B, M, What, Bs), append(As, Bs, Terms).
each([], _, _, Terms) :- !, Terms = [].
each([A|As], M, What, Terms) :- !, each(A, M, What, Bs), each(As, M, What, Cs), append(Bs, Cs, Terms).
each(Name/N, M, What, Terms) :- must_be(atom, Name), must_be(nonneg, N), one(What, Name, N, M, Terms).

one(virtual, Name, N, M, [(:- export(Name/N))]) :- ( virtual(M, Name, N) -> true ; assertz(virtual(M, Name, N)) ).
one(exported, Name, N, M, []) :- ( exported(M, Name, N) -> true ; assertz(exported(M, Name, N)) ).
one(attribute, Name, N, M, Terms) :-
    atomic_list_concat([Name, ' of'], Kept),
    (   attribute(M, Name, N, _) -> Terms = []
    ;   assertz(attribute(M, Name, N, Kept)), functor(Head, Name, N), kept(Head, Kept, Key, Goal), N1 is N + 1,
        Terms = [(:- dynamic(Kept/N1)), (Head :- objects:own(Key), Goal)]
    ).

% A class has in public what its interface says.
public_in(I, Name, N) :- exported(I, Name, N).
public_in(I, Name, N) :- class(I, class), '$module_exports'(I, L), member(Name/N, L), Name \== I.
public_in(I, Name, N) :- implements(I, J), public_in(J, Name, N).

% What a class says of its data is said of the object's.
kept(Fact, Kept, Key, Goal) :- Fact =.. [_|As], Goal =.. [Kept, Key|As].

% The class that keeps data: the nearest one that declares it.
attribute_of(M, Name, N, Home, Kept) :-
    ( attribute(M, Name, N, Kept0) -> Home = M, Kept = Kept0 ; base(M, Base), attribute_of(Base, Name, N, Home, Kept) ).

% What a goal is.
goal(O:G, New, M) :- !, ( var(O) -> true ; atom(O), object(O, _, _) ), New = objects:send(O, M:G).
goal(call(G), objects:called(M, G), M) :- var(G), !.
goal(inherited(G), New, M) :- !, base(M, Base), ( is_virtual(M, G) -> New = objects:inherited_by(Base, G) ; New = Base:G ).
goal(G, New, M) :- is_virtual(M, G), !, New = ( objects:self(O), objects:send(O, M:G) ).
% What waits runs for the object for which it was left.
goal(G0, New, M) :-
    waits(G0, Later0, G, Later), !,
    class(M, class), callable(Later0), Later0 \= objects:_,
    '$expand_goals'(Later0, ['$translation'(objects, goal, 3, M)], Later1),
    Later = objects:run(O, M:Later1), New = ( objects:here(O), G ).
goal(G, New, M) :-
    class(M, _), callable(G), G =.. [Change, Fact|Others], changes(Change),
    ( var(Fact) -> New = objects:changed(M, G) ; change(Fact, Change, Others, M, New) ).

waits(freeze(V, G0), G0, freeze(V, G), G).
waits(when(Condition, G0), G0, when(Condition, G), G).

is_virtual(M, G) :- callable(G), functor(G, Name, N), virtual_in(M, Name, N), !.
virtual_in(M, Name, N) :- virtual(M, Name, N).
virtual_in(M, Name, N) :- base(M, Base), virtual_in(Base, Name, N).

change(Fact0, Change, Others, M, New) :-
    ( Fact0 = (Head0 :- Condition) -> true ; Head0 = Fact0 ),
    ( nonvar(Head0), Head0 = inherited(Head) -> base(M, Start) ; Head = Head0, Start = M ),
    callable(Head), functor(Head, Name, N), attribute_of(Start, Name, N, Home, Kept),
    kept(Head, Kept, Key, Fact1),
    ( nonvar(Condition) -> Fact = (Fact1 :- Condition) ; Fact = Fact1 ),
    G =.. [Change, Home:Fact|Others],
    % The only fact of an object's is not the only one that there is.
    (   Change == set_fact -> N1 is N + 1, functor(Any, Kept, N1), arg(1, Any, Key),
        Goal = ( retractall(Home:Any), assertz(Home:Fact) )
    ;   Goal = G
    ),
    New = ( objects:own(Key), Goal ).

changes(Name) :-
    memberchk(Name, [asserta, assertz, assert, retract, retractall, asserta_fact, assertz_fact, retract_fact, retractall_fact,
        current_fact, set_fact, retract_fact_nb, current_fact_nb, clause]).

% Where the fact is known when it is changed.
changed(M, G) :- arg(1, G, Fact), ( nonvar(Fact), goal(G, New, M) -> call(M:New) ; call(M:G) ).

called(M, G) :- ( nonvar(G), G = O:H, nonvar(O), known(O, _, _) -> send(O, M:H) ; call(M:G) ).

inherited_by(Base, G) :- call(Base:G).

self(Object) :-
    var(Object), here(Object0),
    ( Object0 \== [] -> Object = Object0 ; existence_error(object, self) ).
here(Object) :- ( nb_current('$self', Object) -> true ; Object = [] ).
own(Key) :- self(Object), key(Object, Key).

key(Object, Key) :- ( atom(Object) -> Key = Object ; compound(Object), functor(Object, _, 1), arg(1, Object, Key), atom(Key) ).
known(Object, Key, Class) :- key(Object, Key), object(Key, Class, Object0), Object0 == Object, !.

% Another object's methods see it as the one for which they run, also when they are entered again.
send(Object, Q) :-
    strip_module(Q, M, Goal),
    (   var(Object) -> instantiation_error(Object)
    ;   known(Object, _, Class) -> as(Object, Class, M, Goal)
    ;   atom(Object) -> call(Object:Goal)
    ;   existence_error(object, Object)
    ).
as(Object, Class, M, Goal0) :-
    (   callable(Goal0), '$meta_declaration'(Class:Goal0, Head)
    ->  here(Caller), Goal0 =.. [Name|As0], Head =.. [_|Specs], maplist(argument(Caller, Object, M), Specs, As0, As), Goal =.. [Name|As]
    ;   Goal = Goal0
    ),
    run(Object, Class:Goal).

% Goals and closures that a method is given are the caller's, and run for its object.
argument(Caller, Object, M, Spec, A0, A) :-
    (   ( integer(Spec) ; memberchk(Spec, [:, ^, //]) )
    ->  ( integer(Spec), Caller \== [], Caller \== Object -> A = objects:run(Caller, M:A0) ; A = M:A0 )
    ;   A = A0
    ).

run(Object, Goal) :-
    here(Before), b_setval('$self', Object),
    call(Goal),
    b_setval('$self', Before).
run(Object, G, A) :- run(Object, call(G, A)).
run(Object, G, A, B) :- run(Object, call(G, A, B)).
run(Object, G, A, B, C) :- run(Object, call(G, A, B, C)).
run(Object, G, A, B, C, D) :- run(Object, call(G, A, B, C, D)).
run(Object, G, A, B, C, D, E) :- run(Object, call(G, A, B, C, D, E)).
run(Object, G, A, B, C, D, E, F) :- run(Object, call(G, A, B, C, D, E, F)).

new(Object, Goal) :-
    ( var(Object) -> true ; uninstantiation_error(Object) ), must_be(callable, Goal),
    functor(Goal, Class, _), fresh(Key), New =.. [Class, Key], make(New, Goal), Object = New.
fresh(Key) :-
    ( retract(last(N0)) -> true ; N0 = 0 ), N is N0 + 1, assertz(last(N)), atom_concat('$object', N, Key0),
    ( object(Key0, _, _) -> fresh(Key) ; Key = Key0 ).

% An object with a name, which texts may declare several times.
name(Object, Goal) :-
    must_be(atom, Object), must_be(callable, Goal),
    (   named(Object, Known), Known =@= Goal -> true
    ;   object(Object, _, _) -> permission_error(create, object, Object)
    ;   make(Object, Goal), assertz(named(Object, Goal))
    ).

% Nothing is left of an object whose constructor fails or throws.
make(Object, Goal) :-
    functor(Goal, Class, N),
    ( class(Class, class) -> true ; existence_error(class, Class) ),
    ( constructor(Class, N) -> Constructs = true ; N =:= 0, \+ constructor(Class, _) -> Constructs = false
    ; existence_error(constructor, Class/N) ),
    key(Object, Key), assertz(object(Key, Class, Object)), begin_as(Class, Key),
    (   Constructs == false -> true
    ;   catch(as(Object, Class, Class, Goal), E, ( forget(Key, Class), throw(E) )) -> true
    ;   forget(Key, Class), fail
    ).
begin_as(Class, Key) :-
    forall(base(Class, Base), begin_as(Base, Key)),
    forall(initial(Class, Key-Fact), assertz(Class:Fact)).

destroy(Object) :-
    nonvar(Object), known(Object, Key, Class), !,
    end_as(Class, Object), forget(Key, Class).
% The destructors of an object's class and of those behind it, each where it is defined.
end_as(Class, Object) :-
    (   current_predicate(Class:destructor/0), \+ predicate_property(Class:destructor, imported_from(_))
    ->  ignore(run(Object, Class:destructor))
    ;   true
    ),
    forall(base(Class, Base), end_as(Base, Object)).
forget(Key, Class) :- retractall(object(Key, _, _)), retractall(named(Key, _)), forget_data(Class, Key).
forget_data(Class, Key) :-
    forall(base(Class, Base), forget_data(Base, Key)),
    forall(( attribute(Class, _, N, Kept), N1 is N + 1 ), ( functor(Fact, Kept, N1), arg(1, Fact, Key), retractall(Class:Fact) )).

% What an object is: of a class that it was made by, or that this inherits from or implements.
instance_of(Object, Class) :- nonvar(Object), known(Object, _, Own), ( atom(Class) -> is_kind(Own, Class), ! ; is_kind(Own, Class) ).
is_kind(Class, Class).
is_kind(Own, Class) :- ( base(Own, Next) ; implements(Own, Next) ), is_kind(Next, Class).
derived_from(Object, Class) :- nonvar(Object), known(Object, _, Class).
interface(Object, I) :- instance_of(Object, I), class(I, interface).
