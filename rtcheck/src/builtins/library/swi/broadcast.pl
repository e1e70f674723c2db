:- module(broadcast, [listen/2, listen/3, unlisten/1, unlisten/2, unlisten/3, listening/3, broadcast/1, broadcast_request/1]).

% SWI-Prolog's library(broadcast): who listens to a kind of message has a goal called for each one.

:- meta_predicate listen(+, 0), listen(+, +, 0).
:- dynamic listener/3.

listen(Message, Goal) :- '$strip_module'(Goal, Module, _), listen(Module, Message, Goal).
listen(Listener, Message, Goal) :- assertz(listener(Message, Listener, Goal)).

unlisten(Listener) :- unlisten(Listener, _, _).
unlisten(Listener, Message) :- unlisten(Listener, Message, _).
unlisten(Listener, Message, Goal) :-
    forall(( clause(listener(Message0, Listener, Goal), true, Reference), subsumes_term(Message, Message0) ), erase(Reference)).

listening(Listener, Message, Goal) :- listener(Message, Listener, Goal).

% Whether a listener succeeds, fails or throws, the others hear the message as well.
broadcast(Message) :- forall(listener(Message, _, Goal), catch(ignore(Goal), Error, print_message(error, Error))).

broadcast_request(Message) :- listener(Message, _, Goal), call(Goal).
