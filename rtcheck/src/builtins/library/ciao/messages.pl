:- module(ciao_messages,
    [error_message/1, error_message/2, error_message/3, warning_message/1, warning_message/2, warning_message/3,
     note_message/1, note_message/2, note_message/3, simple_message/1, simple_message/2, optional_message/2,
     optional_message/3, debug_message/1, debug_message/2, debug_goal/2, debug_goal/3, messages/1, lformat/1,
     lformat/2, show_message/2, show_message/3, show_message/4, port_reify/2, error_protect/2, error_protect/3,
     default_error_message/1, handle_error/2, pretty_print/2, pretty_print/3, pretty_print/4]).

% Messages of Ciao's libraries messages, messages_basic, errhandle and pretty_print: on the standard error stream.

:- meta_predicate debug_goal(0, ?), debug_goal(0, ?, ?), port_reify(0, ?), error_protect(0, ?), error_protect(0, ?, ?).

error_message(Text) :- told('ERROR: ', Text, []).
error_message(Text, Arguments) :- told('ERROR: ', Text, Arguments).
error_message(_, Text, Arguments) :- told('ERROR: ', Text, Arguments).
warning_message(Text) :- told('WARNING: ', Text, []).
warning_message(Text, Arguments) :- told('WARNING: ', Text, Arguments).
warning_message(_, Text, Arguments) :- told('WARNING: ', Text, Arguments).
note_message(Text) :- told('NOTE: ', Text, []).
note_message(Text, Arguments) :- told('NOTE: ', Text, Arguments).
note_message(_, Text, Arguments) :- told('NOTE: ', Text, Arguments).
simple_message(Text) :- told('', Text, []).
simple_message(Text, Arguments) :- told('', Text, Arguments).

show_message(Kind, Text) :- show_message(Kind, Text, []).
show_message(Kind, Text, Arguments) :- label(Kind, Label), told(Label, Text, Arguments).
show_message(Kind, _, Text, Arguments) :- show_message(Kind, Text, Arguments).

label(error, 'ERROR: ') :- !.
label(warning, 'WARNING: ') :- !.
label(note, 'NOTE: ') :- !.
label(debug, 'DEBUG: ') :- !.
label(_, '').

% Only where they were asked for, which they are not here.
optional_message(_, _).
optional_message(_, _, _).
debug_message(_).
debug_message(_, _).
debug_goal(_, _).
debug_goal(_, _, _).

told(Label, Text, Arguments) :-
    format(user_error, "{~w", [Label]),
    format(user_error, Text, Arguments),
    format(user_error, "}~n", []).

messages([]).
messages([Message|Messages]) :- one_message(Message), messages(Messages).

one_message(message(Text)) :- !, lformat(user_error, Text), nl(user_error).
one_message(message(Kind, Text)) :- !, labelled(Kind, Text).
one_message(message_lns(_, _, _, Kind, Text)) :- !, labelled(Kind, Text).
one_message(Message) :- functor(Message, Kind, _), arg(1, Message, Text), labelled(Kind, Text).

labelled(Kind, Text) :-
    label(Kind, Label),
    write(user_error, Label), lformat(user_error, Text), nl(user_error).

% Items: '$$'(Text) and texts as they are, ''(Term) quoted, ~~(Term) written, [](Items) among other items.
lformat(Items) :- current_output(Stream), lformat(Stream, Items).
lformat(Stream, Items) :- is_list(Items), !, items(Items, Stream).
lformat(Stream, Item) :- item(Item, Stream).

items([], _).
items([Item|Items], Stream) :- item(Item, Stream), items(Items, Stream).

item(Item, Stream) :- var(Item), !, write(Stream, Item).
item('$$'(Codes), Stream) :- !, format(Stream, "~s", [Codes]).
item(''(Term), Stream) :- !, writeq(Stream, Term).
item(~~(Term), Stream) :- !, write(Stream, Term).
item([](Items), Stream) :- !, lformat(Stream, Items).
item(Item, Stream) :- write(Stream, Item).

% How a goal ends: success, fail or exception(E).
port_reify(Goal, Port) :-
    catch(( call(Goal) -> Port0 = success ; Port0 = fail ), E, Port0 = exception(E)),
    Port = Port0.

error_protect(Goal, Action) :- error_protect(Goal, Action, _).
error_protect(Goal, Action, _) :-
    catch(Goal, error(Error, Where), ( handle_error(Error, Where), ended(Action) )).

ended(abort) :- !, abort.
ended(fail) :- fail.

handle_error(Error, Where) :- told('ERROR: ', "~p in ~p", [Error, Where]).
default_error_message(Error) :- told('ERROR: ', "No handle found for thrown exception ~p", [Error]).

% Clauses, each perhaps with what is known of its variables.
pretty_print(Clauses, Flags) :- current_output(Stream), pretty_print(Stream, Clauses, Flags).
pretty_print(Stream, Clauses, _) :- is_list(Clauses), !, printed(Clauses, Stream).
pretty_print(Stream, Clause, _) :- printed([Clause], Stream).
pretty_print(Stream, Clauses, Flags, _) :- pretty_print(Stream, Clauses, Flags).

printed([], _).
printed([Clause|Clauses], Stream) :- portray_clause(Stream, Clause), printed(Clauses, Stream).
