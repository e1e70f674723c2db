:- module(bf, [bf_solve/2, op(1200, xfx, <-)]).

% Ciao's package bf: predicates whose clauses are written `Head <- Body` are searched breadth first, so that every
% answer comes that a finite derivation has. Other goals in their bodies give all of their answers at once.

% What the texts of a module say: rule(Module, Head, Goals), and the predicates that the text being read has begun.
:- dynamic rule/3, begun/2.

sentence(end_of_file, [end_of_file], M) :- retract(begun(M, _)), fail.
sentence((Head <- Body), Clauses, M) :-
    callable(Head), functor(Head, Name, Arity), functor(General, Name, Arity),
    (   begun(M, Name/Arity) -> Clauses = []
    ;   assertz(begun(M, Name/Arity)), retractall(rule(M, General, _)), Clauses = [(General :- bf:bf_solve(M, General))]
    ),
    goals(Body, Goals), assertz(rule(M, Head, Goals)).

goals(G, [G]) :- var(G), !.
goals((A, B), Goals) :- !, goals(A, As), goals(B, Bs), append(As, Bs, Goals).
goals(true, []) :- !.
goals(G, [G]).

bf_solve(M, Goal) :- search([state(Goal, [Goal])], [], M, Goal).

% The states that are next, and those behind them, the last one first.
search([state(Answer, [])|_], _, _, Answer).
search([state(_, [])|Next], Last, M, Goal) :- !, again(Next, Last, M, Goal).
search([state(Answer, [G|Gs])|Next], Last, M, Goal) :-
    findall(state(Answer, New), step(M, G, Gs, New), States),
    reverse(States, Back), append(Back, Last, Last1),
    again(Next, Last1, M, Goal).
again([], Last, M, Goal) :- !, Last = [_|_], reverse(Last, Next), search(Next, [], M, Goal).
again(Next, Last, M, Goal) :- search(Next, Last, M, Goal).

step(M, G, Gs, New) :-
    (   callable(G), functor(G, F, N), functor(General, F, N), \+ \+ rule(M, General, _) ->
        rule(M, G, Body), append(Body, Gs, New)
    ;   call(M:G), New = Gs
    ).
