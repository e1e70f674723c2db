:- module(html_write,
    [html//1, page//1, page//2, page//3, html_begin//1, html_end//1, html_quoted//1, html_quoted_attribute//1,
     html_post//2, html_receive//1, html_receive//2, html_root_attribute//2, html_set_options/1, html_current_option/1,
     print_html/1, print_html/2, reply_html_page/2, reply_html_page/3, op(1150, fx, html_meta)]).

% SWI-Prolog's library(http/html_write): a term becomes tokens, and tokens become text. A token is text as it is, nl(N),
% cdata(Element, Texts), or mailbox(Name, post(Content)) and mailbox(Name, accept(Grammar)): what is posted anywhere is
% written where it is accepted. What users add: expand//1, layout/3, user:head//2, user:body//2.

:- meta_predicate
    html(:, ?, ?), page(:, ?, ?), page(:, :, ?, ?), page(+, :, :, ?, ?), html_post(+, :, ?, ?), html_receive(+, 3, ?, ?),
    reply_html_page(:, :), reply_html_page(+, :, :).
:- multifile expand//1, layout/3, user:head//2, user:body//2, user:term_expansion/2.
:- dynamic expand//1, layout/3, user:head//2, user:body//2, user:term_expansion/2, option/1.

option(dialect(html5)).
option(doctype(html)).
option(content_type('text/html; charset=UTF-8')).

html_set_options([]) :- !.
html_set_options([Option|Options]) :- !, html_set_options(Option), html_set_options(Options).
html_set_options(Option) :-
    must_be(callable, Option),
    functor(Option, Name, 1), functor(Old, Name, 1),
    ( option(Old), ( Name == dialect -> Option == Old ; true ) -> true ; domain_error(html_option, Option) ),
    retractall(option(Old)), assertz(option(Option)).
html_current_option(Option) :- option(Option).

% Arguments declared `html` are terms for html//1 of the module that calls.
user:term_expansion((:- html_meta(Heads)), (:- meta_predicate(Modes))) :- html_write:heads_modes(Heads, Modes).
heads_modes((A0, B0), (A, B)) :- !, heads_modes(A0, A), heads_modes(B0, B).
heads_modes(Head, Mode) :- Head =.. [Name|Args0], modes(Args0, Args), Mode =.. [Name|Args].
modes([], []).
modes([A0|As0], [A|As]) :- ( A0 == html -> A = (:) ; A = A0 ), modes(As0, As).

page(Content) --> doctype, html(html(Content)).
page(Head, Body) --> page(default, Head, Body).
page(Style, M:Head, N:Body) -->
    doctype,
    { option(content_type(Type)) },
    html_post(head, html_write:meta(['http-equiv'='content-type', content=Type], [])),
    html(html([\styled_head(Style, M:Head), \styled_body(Style, N:Body)])).

doctype --> { option(doctype(Type)) }, ['<!DOCTYPE ', Type, '>'].
styled_head(Style, Head) --> user:head(Style, Head), !.
styled_head(_, M:Head) --> html(M:head(Head)).
styled_body(Style, Body) --> user:body(Style, Body), !.
styled_body(_, M:Body) --> html(M:body(Body)).

html(M:Spec) --> content(Spec, M).

content(Spec, _) --> { var(Spec) }, !, { instantiation_error(Spec) }.
content([], _) --> !.
content([X|Xs], M) --> !, content(X, M), content(Xs, M).
content(M:Spec, _) --> { atom(M) }, !, content(Spec, M).
content(Spec, M) --> translated(Spec, M), !.
content(Spec, _) --> { print_message(error, format("Failed to translate to HTML: ~p", [Spec])) }.

translated(Spec, _) --> expand(Spec), !.
translated(Text, _) --> { atomic(Text) }, !, html_quoted(Text).
translated(\Tokens, _) --> { is_list(Tokens) }, !, Tokens.
translated(\Goal, M) --> !, call(M:Goal).
translated(Format-Arguments, _) --> !, { format(string(Text), Format, Arguments) }, html_quoted(Text).
translated(&(Entity), _) --> !, { ( integer(Entity) -> format(string(Text), "&#~d;", [Entity]) ; format(string(Text), "&~w;", [Entity]) ) }, [Text].
translated(element(Name, Attributes, Content), M) --> !, element(Name, Attributes, Content, M).
translated(Term, M) --> { compound(Term), Term =.. [Name, Attributes, Content] }, !, element(Name, Attributes, Content, M).
translated(Term, M) -->
    { compound(Term), Term =.. [Name, Argument] },
    ( { line_breaks(Name, _, empty) } -> element(Name, Argument, [], M) ; element(Name, [], Argument, M) ).

element(Name, Attributes, Content0, _) -->
    { raw(Name) }, !,
    { is_list(Content0) -> Content = Content0 ; Content = [Content0] },
    begin(Name, Attributes), [cdata(Name, Content)], html_end(Name).
element(Name, Attributes, [], _) --> { line_breaks(Name, _, empty) }, !, begin(Name, Attributes).
element(Name, Attributes, Content, M) --> begin(Name, Attributes), content(Content, M), received(Name), html_end(Name).

raw(script).
raw(style).
received(head) --> !, html_receive(head).
received(_) --> [].

html_begin(Term) --> { Term =.. [Name|Attributes0], flat(Attributes0, Attributes) }, begin(Name, Attributes).
flat([Attributes], Attributes) :- is_list(Attributes), !.
flat(Attributes, Attributes).

begin(Name, Attributes) -->
    { line_breaks(Name, Open, _) },
    before(Open), ['<', Name], attributes(Attributes), root(Name), ['>'],
    after(Open).
root(html) --> !, [mailbox(html_begin, accept(html_write:root_attributes))].
root(_) --> [].
root_attributes([]) --> [].
root_attributes([Attribute|Attributes]) --> attribute(Attribute), root_attributes(Attributes).

html_end(Name) --> { line_breaks(Name, _, Close) }, ( { Close == empty } -> [] ; before(Close), ['</', Name, '>'], after(Close) ).

before(none) --> !.
before(N-_) --> [nl(N)].
after(none) --> !.
after(_-N) --> [nl(N)].

% Line breaks in front of and behind the first tag of an element, and of the second.
line_breaks(Name, Open, Close) :- layout(Name, Open0, Close0), !, breaks(Open0, Open), breaks(Close0, Close).
line_breaks(Name, Open, Close) :- breaks_of(Name, Open, Close), !.
line_breaks(_, none, none).
breaks(-, none) :- !.
breaks(Breaks, Breaks).

breaks_of(Name, 2-1, 1-2) :- memberchk(Name, [address, blockquote, center, dl, form, frameset, ol, table]).
breaks_of(Name, 1-1, 1-1) :- memberchk(Name, [body, caption, head, html, iframe, map, script, select, style, ul]).
breaks_of(Name, 2-0, 0-2) :- memberchk(Name, [h1, h2, h3, h4]).
breaks_of(Name, 1-0, 0-1) :- memberchk(Name, [div, li, option, title, tr]).
breaks_of(td, 0-0, 0-0).
breaks_of(dt, 1-0, none).
breaks_of(dd, 0-0, none).
breaks_of(p, 2-1, none).
breaks_of(pre, 2-1, 0-2).
breaks_of(textarea, 1-1, 0-1).
breaks_of(Name, 1-1, empty) :- memberchk(Name, [base, frame, hr, link, meta]).
breaks_of(Name, 1-0, empty) :- memberchk(Name, [area, param]).
breaks_of(Name, 0-0, empty) :- memberchk(Name, [col, img, input]).
breaks_of(br, 0-1, empty).

attributes([]) --> !.
attributes([A|As]) --> !, attribute(A), attributes(As).
attributes(A) --> attribute(A).

attribute(A) --> { var(A) }, !, { instantiation_error(A) }.
attribute(Name=Value) --> !, valued(Name, Value).
attribute(Name) --> { atom(Name) }, !, [' ', Name].
attribute(Term) --> { compound(Term), Term =.. [Name, Value] }, valued(Name, Value).

valued(Name, Value) --> [' ', Name, '="'], value(Value), ['"'].

value(Value) --> { var(Value) }, !, { instantiation_error(Value) }.
value([]) --> !.
value([V]) --> !, value(V).
value([V|Vs]) --> !, value(V), [' '], value(Vs).
value(Base+Parameters) --> { is_list(Parameters) }, !, value(Base), parameters(Parameters, ?).
value(A+B) --> !, value(A), value(B).
value(Format-Arguments) --> !, { format(string(Text), Format, Arguments) }, html_quoted_attribute(Text).
value(encode(Value)) --> !, { uri_encoded(query_value, Value, Encoded) }, html_quoted_attribute(Encoded).
value(Value) --> { atomic(Value) }, !, html_quoted_attribute(Value).
value(Value) --> { type_error(atomic, Value) }.

parameters([], _) --> [].
parameters([Parameter|Parameters], Sign) -->
    { parameter(Parameter, Name, Value), uri_encoded(query_value, Name, N), uri_encoded(query_value, Value, V) },
    [Sign, N, =, V],
    parameters(Parameters, '&amp;').
parameter(Name=Value, Name, Value) :- !.
parameter(Name-Value, Name, Value) :- !.
parameter(Term, Name, Value) :- Term =.. [Name, Value].

html_quoted(Text) --> { escaped(Text, "<>&", Token) }, [Token].
html_quoted_attribute(Text) --> { escaped(Text, "<>&\"", Token) }, [Token].

escaped(Text, Special, Token) :-
    format(codes(Codes), "~w", [Text]),
    (   member(C, Special), memberchk(C, Codes) -> escapes(Codes, Special, Escaped), atom_codes(Token, Escaped)
    ;   Token = Text
    ).
escapes([], _, []).
escapes([C|Cs], Special, Es) :-
    ( memberchk(C, Special), escape(C, E) -> append(E, Es1, Es) ; Es = [C|Es1] ),
    escapes(Cs, Special, Es1).
escape(0'<, "&lt;").
escape(0'>, "&gt;").
escape(0'&, "&amp;").
escape(0'", "&quot;").

html_post(Mailbox, Content) --> [mailbox(Mailbox, post(Content))].
html_receive(Mailbox) --> [mailbox(Mailbox, accept(html_write:posted))].
html_receive(Mailbox, Grammar) --> [mailbox(Mailbox, accept(Grammar))].
html_root_attribute(Name, Value) --> [mailbox(html_begin, post(Name=Value))].

posted(Contents) --> { sort(Contents, Sorted) }, each_posted(Sorted).
each_posted([]) --> [].
each_posted([M:Content|Contents]) --> content(Content, M), each_posted(Contents).

reply_html_page(Head, Body) :- reply_html_page(default, Head, Body).
reply_html_page(Style, Head, Body) :-
    phrase(page(Style, Head, Body), Tokens),
    option(content_type(Type)),
    format("Content-type: ~w~n~n", [Type]),
    print_html(Tokens).

print_html(Tokens) :- current_output(Stream), print_html(Stream, Tokens).
print_html(Stream, Tokens) :- deliver(Tokens, Tokens1), print_tokens(Tokens1, Stream).

% What is accepted may post something that is accepted inside it. A mailbox keeps line breaks apart.
deliver(Tokens, Delivered) :-
    findall(Name-Content, member(mailbox(Name, post(Content)), Tokens), Posts),
    delivered(Tokens, Posts, Delivered).
delivered([], _, []).
delivered([Token|Tokens], Posts, Ts) :-
    (   Token = mailbox(Name, accept(Grammar)) ->
        findall(Content, member(Name-Content, Posts), Contents),
        ( Contents == [] -> Inner1 = [] ; phrase(call(Grammar, Contents), Inner), deliver(Inner, Inner1) ),
        Ts = [Inner1|Ts1]
    ;   Token = mailbox(_, _) -> Ts = [[]|Ts1]
    ;   Ts = [Token|Ts1]
    ),
    delivered(Tokens, Posts, Ts1).

print_tokens([], _).
print_tokens([Token|Tokens], Stream) :-
    (   Token = nl(N0) -> most_breaks(Tokens, N0, N, Rest), forall(between(1, N, _), nl(Stream))
    ;   Rest = Tokens, print_token(Token, Stream)
    ),
    print_tokens(Rest, Stream).
most_breaks([nl(M)|Tokens], N0, N, Rest) :- !, N1 is max(M, N0), most_breaks(Tokens, N1, N, Rest).
most_breaks(Rest, N, N, Rest).

print_token(cdata(_, Texts), Stream) :- !, forall(member(Text, Texts), raw_text(Text, Stream)).
print_token(Tokens, Stream) :- is_list(Tokens), !, print_tokens(Tokens, Stream).
print_token(Text, Stream) :- write(Stream, Text).

raw_text(Format-Arguments, Stream) :- !, format(Stream, Format, Arguments).
raw_text(\Goal, Stream) :- !, phrase(Goal, Tokens), print_tokens(Tokens, Stream).
raw_text(Text, Stream) :- write(Stream, Text).
