:- module(bounds, [
    op(760, yfx, #<=>), op(750, xfy, #=>), op(750, yfx, #<=), (#<=>)/2, (#=>)/2, (#<=)/2, (in)/2]).

% The older name of constraints over integers in SWI-Prolog: `in/2` takes lists too, and truth has arrows without a
% second line.

:- reexport(library(clpfd), except([(in)/2])).

X in Domain :- ( is_list(X) -> X ins Domain ; clpfd:(X in Domain) ).
A #<=> B :- spelled(A, C), spelled(B, D), C #<==> D.
A #=> B :- spelled(A, C), spelled(B, D), C #==> D.
A #<= B :- B #=> A.

spelled(A, A) :- var(A), !.
spelled(A #<=> B, C #<==> D) :- !, spelled(A, C), spelled(B, D).
spelled(A #=> B, C #==> D) :- !, spelled(A, C), spelled(B, D).
spelled(A #<= B, C #<== D) :- !, spelled(A, C), spelled(B, D).
spelled(A #/\ B, C #/\ D) :- !, spelled(A, C), spelled(B, D).
spelled(A #\/ B, C #\/ D) :- !, spelled(A, C), spelled(B, D).
spelled(A #\ B, C #\ D) :- !, spelled(A, C), spelled(B, D).
spelled(#\ A, #\ B) :- !, spelled(A, B).
spelled(A, A).
