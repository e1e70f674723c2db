:- module(own_tr, [tr/3, trt/2, trg/2], [assertions, datafacts, nodebug]).
:- data mode/1.
:- op(980, xfx, ===>).
tr(0, 0, M) :- !, retractall_fact(mode(M)).
tr(end_of_file, [x(1), end_of_file], _) :- !.
tr((:- own_decl(X)), [], _) :- assertz_fact(mode(X)).
tr((A ===> B), (A :- B), _).
trt(a_term, b_term).
trg(old, new).
