% format/1,2,3. Goals among the arguments are those of the caller's module.

:- meta_predicate format(?, :), format(?, ?, :).

format(F) :- current_output(S), '$format'(S, F, []).
format(F, Args) :- current_output(S), '$format'(S, F, Args).
format(Sink, F, Args) :-
    nonvar(Sink), '$is_sink'(Sink), !,
    '$capture'(C, O),
    current_output(S),
    catch('$format'(S, F, Args), E, ( '$captured'(C, O, _), throw(E) )),
    '$captured'(C, O, Text), '$to_sink'(Sink, Text).
format(S, F, Args) :- '$format'(S, F, Args).
