:- module(queues, [queue/1, queue/2, queue_head/3, queue_head_list/3, queue_last/3, queue_last_list/3, list_queue/2, queue_length/2]).

% Queues as differences of lists, after O'Keefe's library as SICStus Prolog, YAP and Scryer Prolog have it. The numbers of
% what came and went, as terms of s/1, tell where the queue is empty.

queue(queue(0, Back, Back)).
queue(X, queue(s(0), [X|Back], Back)).
queue_head(Queue, X, queue(s(N), [X|Front], Back)) :- Queue = queue(N, Front, Back).
queue_head_list([], Queue, Queue).
queue_head_list([X|Xs], queue(N, Front, Back), Queue) :-
    queue_head_list(Xs, queue(N, Front, Back), Queue1), queue_head(Queue1, X, Queue).
queue_last(Queue, X, queue(s(N), Front, Back)) :- Queue = queue(N, Front, [X|Back]).
queue_last_list([], Queue, Queue).
queue_last_list([X|Xs], Queue0, Queue) :- queue_last(Queue0, X, Queue1), queue_last_list(Xs, Queue1, Queue).
list_queue(List, queue(N, Front, Back)) :- counted(List, N, Front, Back).
counted([], 0, Back, Back).
counted([X|Xs], s(N), [X|Front], Back) :- counted(Xs, N, Front, Back).
queue_length(queue(N, _, _), Length) :- steps(N, 0, Length).
steps(0, Length, Length).
steps(s(N), Length0, Length) :- Length1 is Length0 + 1, steps(N, Length1, Length).
