% Reads a term from a file and calls it, as the head of conformity.txt says: what it prints, and behind it a line with `#`
% and the result. Written for every Prolog system that one wants to compare.
run(File) :-
    operators, open(File, read, S), catch(read_term(S, T, [variable_names(Names)]), E, true),
    ( nonvar(E) -> end, thrown(E)
    ; T == end_of_file -> end, write(error)
    ; set_input(S), catch(goal(T, Names), F, ( end, thrown(F) ))
    ),
    nl, close(S).
goal(T, Names) :- call(T), !, end, write(true), bindings(Names, ' ').
goal(_, _) :- end, write(false).
end :- nl, put_char(#).
thrown(error(syntax_error(_), _)) :- !, write(error).
thrown(error(E, _)) :- !, write('throws '), writeq(E).
thrown(B) :- write('throws ball '), writeq(B).
bindings([], _).
bindings([_ = V|Names], Between) :- var(V), !, bindings(Names, Between).
bindings([N = V|Names], Between) :- write(Between), write(N), write(' = '), value(V), bindings(Names, ' & ').
value((A, B)) :- !, write('('), writeq((A, B)), write(')').
value(V) :- writeq(V).
