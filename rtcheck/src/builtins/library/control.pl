% Control: what call/1 does with control constructs, and predicates over goals.

% Interpretation of control constructs that are met in call/1. L is the choicepoint a cut returns to.
'$exec'(V, _) :- var(V), !, call(V).
'$exec'((A, B), L) :- !, '$exec'(A, L), '$exec'(B, L).
'$exec'(!, L) :- !, '$cut'(L).
'$exec'((C -> T ; E), L) :- !, ( call(C) -> '$exec'(T, L) ; '$exec'(E, L) ).
'$exec'((C *-> T ; E), L) :- !, ( call(C) *-> '$exec'(T, L) ; '$exec'(E, L) ).
'$exec'((A ; B), L) :- !, ( '$exec'(A, L) ; '$exec'(B, L) ).
'$exec'((C -> T), L) :- !, ( call(C) -> '$exec'(T, L) ).
'$exec'((C *-> T), L) :- !, call(C), '$exec'(T, L).
'$exec'(\+ G, _) :- !, \+ call(G).
'$exec'(G, _) :- call(G).

','(A, B) :- call((A, B)).
;(A, B) :- call((A ; B)).
->(A, B) :- call((A -> B)).
*->(A, B) :- call((A *-> B)).
\+(G) :- \+ call(G).
! .
not(G) :- \+ call(G).
once(G) :- call(G), !.
ignore(G) :- ( call(G) -> true ; true ).
repeat.
repeat :- repeat.
forall(C, A) :- \+ ( call(C), \+ call(A) ).
apply(G, Extra) :- G =.. L0, append(L0, Extra, L), G2 =.. L, call(G2).
