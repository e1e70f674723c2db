% Compares what goals give with what a table such as iso.txt says, in any Prolog system. A file has two terms for each
% case: a goal, and the list of what it is to give: (X = 1, Y = A) for a solution, true for one without variables, false,
% more, and the formal term of an error or throw(Ball) at the end. Prints a line `@@N ok`, or `@@N` and what came instead.
:- dynamic(answer/1).
run(File) :- open(File, read, S), cases(S, 1), close(S).
cases(S, N) :-
    catch(read_term(S, Goal, [variable_names(Names)]), _, Goal = '$unread'),
    ( Goal == end_of_file -> true
    ; catch(read(S, Expected), _, Expected = ['$unread']), one(N, Goal, Names, Expected), N1 is N + 1, cases(S, N1)
    ).
one(N, Goal, Names, Expected) :-
    shown(Names, Values), answers(Goal, Values), findall(A, retract(answer(A)), Answers),
    nl, write('@@'), write(N), write(' '),
    ( all_same(Answers, Expected) -> write(ok) ; told(Answers) ), nl, fail.
one(_, _, _, _).
shown([], []).
shown([Name = V|Names], Values) :-
    ( sub_atom(Name, 0, 1, _, '_') -> Values = Rest ; Values = [V|Rest] ), shown(Names, Rest).
answers('$unread', _) :- !, assertz(answer(unread)).
answers(Goal, Values) :- catch(( call(Goal), assertz(answer(s(Values))), enough, assertz(answer(more)) ), E, ball(E)), !.
answers(_, _) :- ( answer(_) -> true ; assertz(answer(false)) ).
enough :- findall(x, answer(_), L), L = [_, _, _, _, _, _|_].
ball(error(Formal, _)) :- !, assertz(answer(e(Formal))).
ball(B) :- assertz(answer(e(throw(B)))).
all_same([], []).
all_same([A|As], [E|Es]) :- one_same(A, E), all_same(As, Es).
one_same(false, E) :- E == false.
one_same(more, E) :- E == more.
one_same(s(Values), E) :- rights(E, Expected), variants(Values, Expected).
one_same(e(Formal), E) :- variants(Formal, E).
rights(E, Values) :- E == true, !, Values = [].
rights((L = V, E), [V|Values]) :- var(L), !, rights(E, Values).
rights(L = V, [V]) :- var(L).
variants(A, B) :- subsumes_term(A, B), subsumes_term(B, A).
told([]).
told([A|As]) :- described(A), ( As == [] -> true ; write('; ') ), told(As).
described(s([])) :- !, write(true).
described(s(Values)) :- !, term_variables(Values, Vs), named(Vs, 0), writeq(Values).
described(e(Formal)) :- !, term_variables(Formal, Vs), named(Vs, 0), writeq(Formal).
described(A) :- write(A).
named([], _).
named(['$VAR'(N)|Vs], N) :- N1 is N + 1, named(Vs, N1).
