:- module(own_prof, [p/0], [profiler]).
:- cost_center p/0, q/0.
p :- q. q.
