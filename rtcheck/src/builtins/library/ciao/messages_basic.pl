:- module(ciao_messages_basic, [message/1, message/2, error/1, warning/1, note/1, debug/1]).

% The short names of Ciao's engine(messages_basic), which a program imports. What a message may be, see lformat/2.

message(Message) :- lformat(user_error, Message), nl(user_error).
message(Kind, Message) :-
    label(Kind, Label),
    write(user_error, Label), lformat(user_error, Message), nl(user_error).

label(error, 'ERROR: ') :- !.
label(warning, 'WARNING: ') :- !.
label(note, 'NOTE: ') :- !.
label(debug, 'DEBUG: ') :- !.
label(_, '').

error(Message) :- message(error, Message).
warning(Message) :- message(warning, Message).
note(Message) :- message(note, Message).
debug(_).
