% --- Sequences that automata accept.

% A state between any two elements of a sequence, by number, and the arc that led to it; counters change with the arc.
automaton(Vs, Nodes, Arcs) :- automaton(Vs, _, Vs, Nodes, Arcs, [], [], []).
automaton(Sequence, Template, Signature, Nodes, Arcs, Counters, Initials, Finals) :-
    must_be(list(list), [Sequence, Signature, Nodes, Arcs, Counters, Initials, Finals]),
    findall(N, ( member(A, Arcs), A =.. [_, B, _, C|_], ( N = B ; N = C ) ; member(S, Nodes), arg(1, S, N) ), Names0),
    sort(Names0, Names),
    findall(I, ( member(source(N), Nodes), nth1(I, Names, N) ), Sources),
    findall(I, ( member(sink(N), Nodes), nth1(I, Names, N) ), Sinks),
    findall([I, L, K, J], ( nth1(K, Arcs, A), A =.. [_, N, L, M|_], nth1(I, Names, N), nth1(J, Names, M) ), Rows),
    maplist(counter_terms(Counters), Arcs, Terms),
    domain_of_values(Sources, D0), domain_term(D0, First), Start in First,
    steps(Signature, Sequence, Rows, Template-Counters-Terms, Start, End, Initials, Finals),
    domain_of_values(Sinks, D1), domain_term(D1, Last), End in Last.
% An arc without counters leaves them as they are.
counter_terms(Counters, Arc, Terms) :- ( Arc = arc(_, _, _, Terms0) -> Terms = Terms0 ; Terms = Counters ).
steps([], [], _, _, S, S, Cs, Cs).
steps([L|Ls], [X|Xs], Rows, Counting, S0, S, Cs0, Cs) :-
    tuples_in([[S0, L, K, S1]], Rows),
    copy_term(Counting, X-Cs0-Terms),
    same_length(Cs0, Cs1),
    counted_by(Terms, 1, K, Cs1),
    steps(Ls, Xs, Rows, Counting, S1, S, Cs1, Cs).
counted_by([], _, _, _).
counted_by([Ts|Terms], I, K, Cs) :- counters_are(Ts, I, K, Cs), I1 is I + 1, counted_by(Terms, I1, K, Cs).
counters_are([], _, _, []).
counters_are([T|Ts], I, K, [C|Cs]) :- K #= I #==> C #= T, counters_are(Ts, I, K, Cs).
