:- module(dcg_high_order,
    [sequence//2, sequence//3, sequence//5, optional//2, foreach//2, foreach//3]).

% SWI-Prolog's library(dcg/high_order): grammar rules that take grammar rules. Parsing is greedy and leaves its choices.

:- meta_predicate
    sequence(3, ?, ?, ?), sequence(3, //, ?, ?, ?), sequence(//, 3, //, //, ?, ?, ?), optional(//, //, ?, ?),
    foreach(0, //, ?, ?), foreach(0, //, //, ?, ?).

sequence(Element, List) --> elements(List, Element).

elements([X|Xs], Element) --> call(Element, X), elements(Xs, Element).
elements([], _) --> [].

sequence(Element, Separator, List) --> separated(List, Element, Separator).

% No elements only where there is no first one.
separated(List, Element, Separator, S0, S) :-
    ( List = [X|Xs], call(Element, X, S0, S1) *-> others(Xs, Element, Separator, S1, S)
    ; List = [], S0 = S
    ).


others(Xs, Element, Separator) --> { var(Xs) }, Separator, !, separated_on(Xs, Element, Separator).
others([X|Xs], Element, Separator) --> Separator, !, separated_on([X|Xs], Element, Separator).
others([], _, _) --> [].

separated_on([X|Xs], Element, Separator) --> call(Element, X), others(Xs, Element, Separator).

sequence(Start, Element, Separator, End, List) -->
    Start, separated(List, Element, Separator), End, !.

optional(Match, _) --> Match, !.
optional(_, Default) --> Default.

foreach(Generator, Element, S0, S) :- foreach(Generator, Element, user:[], S0, S).

foreach(Generator, Element, Separator, S0, S) :-
    term_variables(Generator, Made), term_variables(Element, Used), common(Made, Used, Shared),
    findall(Shared, Generator, Found),
    bodies(Found, Shared, Element, Bodies),
    generated(Bodies, Separator, S0, S).

% Only what the generator makes is told from solution to solution.
common([], _, []).
common([V|Vs], Used, Shared) :-
    ( member(U, Used), U == V -> Shared = [V|Rest] ; Shared = Rest ),
    common(Vs, Used, Rest).

bodies([], _, _, []).
bodies([Values|Found], Shared, Element, [Body|Bodies]) :-
    copy_term(Shared-Element, Values-Body),
    bodies(Found, Shared, Element, Bodies).

generated([], _) --> [].
generated([Body|Bodies], Separator) --> Body, generated_on(Bodies, Separator).

generated_on([], _) --> [].
generated_on([Body|Bodies], Separator) --> Separator, Body, generated_on(Bodies, Separator).
