:- module(dcgs, [op(1105, xfy, '|'), seq//1, seqq//1, (...)//0]).

% Scryer Prolog's library of grammars; phrase/2 and phrase/3 are always there.

% A sequence, as it is; the elements of a sequence of sequences; any sequence, the shortest first.
seq(List, S0, S) :- seq_(List, S0, S).
seq_([], S, S).
seq_([X|Xs], [X|S0], S) :- seq_(Xs, S0, S).

seqq([], S, S).
seqq([Xs|Xss], S0, S) :- seq_(Xs, S0, S1), seqq(Xss, S1, S).

...(S, S).
...([_|S0], S) :- ...(S0, S).
