% O'Ciao's packages class, objects and interface. A class is a module; what it declares as data belongs to an object, and
% is kept with the object in front. While a method runs, a variable that backtracking sets back says for which object.
:- module(objects, [
    new/2, destroy/1, self/1, instance_of/2, derived_from/2, interface/2, send/2,
    op(700, xfx, new), op(700, xfx, instance_of), op(700, xfx, derived_from), op(700, xfx, interface), op(900, fx, destroy),
    op(150, fx, inherited)
]).

% The classes and interfaces that were read, what they inherit, their data as Name/Arity and the name it is kept under,
% what a new object has, how many arguments constructors have, what a class of an object may define anew, what a class
% implements and an interface exports; the classes of objects, and how those with names were made.
:- dynamic class/2, base/2, attribute/4, initial/2, constructor/2, virtual/3, implements/2, exported/3, object/2, named/2.
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
    kept(Head, Kept, Object, Initial), assertz(initial(M, Object-Initial)).
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
% What a class inherits those inherit that inherit from it.
declared(inherit_class(File), M, [(:- redefining(_)), (:- reexport(File))]) :- name_of(File, Base), assertz(base(M, Base)).
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
    ;   assertz(attribute(M, Name, N, Kept)), functor(Head, Name, N), kept(Head, Kept, Object, Goal), N1 is N + 1,
        Terms = [(:- dynamic(Kept/N1)), (Head :- objects:self(Object), Goal)]
    ).

% A class has in public what its interface says.
public_in(I, Name, N) :- exported(I, Name, N).
public_in(I, Name, N) :- class(I, class), '$module_exports'(I, L), member(Name/N, L), Name \== I.
public_in(I, Name, N) :- implements(I, J), public_in(J, Name, N).

% What a class says of its data is said of the object's.
kept(Fact, Kept, Object, Goal) :- Fact =.. [_|As], Goal =.. [Kept, Object|As].

% The class that keeps data: the nearest one that declares it.
attribute_of(M, Name, N, Home, Kept) :-
    ( attribute(M, Name, N, Kept0) -> Home = M, Kept = Kept0 ; base(M, Base), attribute_of(Base, Name, N, Home, Kept) ).

% What a goal is.
goal(O:G, New, _) :- !, ( var(O) -> true ; atom(O), object(O, _) ), New = objects:send(O, G).
goal(call(G), objects:called(M, G), M) :- var(G), !.
goal(inherited(G), New, M) :- !, base(M, Base), ( is_virtual(M, G) -> New = objects:inherited_by(Base, G) ; New = Base:G ).
goal(G, New, M) :- is_virtual(M, G), !, New = ( objects:self(O), objects:send(O, G) ).
goal(G, New, M) :-
    class(M, _), callable(G), G =.. [Change, Fact|Others], changes(Change),
    ( var(Fact) -> New = objects:changed(M, G) ; change(Fact, Change, Others, M, New) ).

is_virtual(M, G) :- callable(G), functor(G, Name, N), virtual_in(M, Name, N), !.
virtual_in(M, Name, N) :- virtual(M, Name, N).
virtual_in(M, Name, N) :- base(M, Base), virtual_in(Base, Name, N).

change(Fact0, Change, Others, M, New) :-
    ( Fact0 = (Head0 :- Condition) -> true ; Head0 = Fact0 ),
    ( nonvar(Head0), Head0 = inherited(Head) -> base(M, Start) ; Head = Head0, Start = M ),
    callable(Head), functor(Head, Name, N), attribute_of(Start, Name, N, Home, Kept),
    kept(Head, Kept, O, Fact1),
    ( nonvar(Condition) -> Fact = (Fact1 :- Condition) ; Fact = Fact1 ),
    G =.. [Change, Home:Fact|Others],
    % The only fact of an object's is not the only one that there is.
    (   Change == set_fact -> N1 is N + 1, functor(Any, Kept, N1), arg(1, Any, O),
        Goal = ( retractall(Home:Any), assertz(Home:Fact) )
    ;   Goal = G
    ),
    New = ( objects:self(O), Goal ).

changes(Name) :-
    memberchk(Name, [asserta, assertz, assert, retract, retractall, asserta_fact, assertz_fact, retract_fact, retractall_fact,
        current_fact, set_fact, retract_fact_nb, current_fact_nb, clause]).

% Where the fact is known when it is changed.
changed(M, G) :- arg(1, G, Fact), ( nonvar(Fact), goal(G, New, M) -> call(M:New) ; call(M:G) ).

called(M, G) :- ( nonvar(G), G = O:H, nonvar(O), object(O, _) -> send(O, H) ; call(M:G) ).

inherited_by(Base, G) :- call(Base:G).

self(Object) :-
    var(Object),
    ( nb_current('$self', Object0), Object0 \== [] -> Object = Object0 ; existence_error(object, self) ).

% Another object's methods see it as the one for which they run, also when they are entered again.
send(Object, Q) :-
    strip_module(Q, _, Goal),
    (   var(Object) -> instantiation_error(Object)
    ;   object(Object, Class) -> as(Object, Class, Goal)
    ;   atom(Object) -> call(Object:Goal)
    ;   existence_error(object, Object)
    ).
as(Object, Class, Goal) :-
    ( nb_current('$self', Before) -> true ; Before = [] ),
    b_setval('$self', Object),
    call(Class:Goal),
    b_setval('$self', Before).

new(Object, Goal) :-
    ( var(Object) -> true ; uninstantiation_error(Object) ), must_be(callable, Goal),
    functor(Goal, Class, _), gensym('$object', Id), New =.. [Class, Id], make(New, Goal), Object = New.

% An object with a name, which texts may declare several times.
name(Object, Goal) :-
    must_be(atom, Object), must_be(callable, Goal),
    (   named(Object, Known) -> ( Known =@= Goal -> true ; permission_error(create, object, Object) )
    ;   make(Object, Goal), assertz(named(Object, Goal))
    ).

make(Object, Goal) :-
    functor(Goal, Class, N),
    ( class(Class, class) -> true ; existence_error(class, Class) ),
    ( constructor(Class, N) -> Constructs = true ; N =:= 0, \+ constructor(Class, _) -> Constructs = false
    ; existence_error(constructor, Class/N) ),
    assertz(object(Object, Class)), begin_as(Class, Object),
    ( Constructs == false -> true ; as(Object, Class, Goal) -> true ; destroy(Object), fail ).
begin_as(Class, Object) :-
    forall(base(Class, Base), begin_as(Base, Object)),
    forall(initial(Class, Object-Fact), assertz(Class:Fact)).

destroy(Object) :-
    nonvar(Object), object(Object, Class), !,
    end_as(Class, Object), retractall(object(Object, _)), retractall(named(Object, _)).
end_as(Class, Object) :-
    ( current_predicate(Class:destructor/0) -> ignore(as(Object, Class, destructor)) ; true ),
    forall(base(Class, Base), end_as(Base, Object)),
    forall(( attribute(Class, _, N, Kept), N1 is N + 1 ), ( functor(Fact, Kept, N1), arg(1, Fact, Object), retractall(Class:Fact) )).

% What an object is: of a class that it was made by, or that this inherits from or implements.
instance_of(Object, Class) :- nonvar(Object), object(Object, Own), ( atom(Class) -> is_kind(Own, Class), ! ; is_kind(Own, Class) ).
is_kind(Class, Class).
is_kind(Own, Class) :- ( base(Own, Next) ; implements(Own, Next) ), is_kind(Next, Class).
derived_from(Object, Class) :- nonvar(Object), object(Object, Class).
interface(Object, I) :- instance_of(Object, I), class(I, interface).
