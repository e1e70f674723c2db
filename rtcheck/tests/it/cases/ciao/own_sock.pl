:- module(own_sock, [go/2], [assertions]).
:- use_module(library(sockets/sockets)).
:- use_module(library(sockets), [connect_to_socket/3, socket_recv/2]).
:- use_module(library(io_alias_redirection), [set_stream/3]).
:- use_module(library(fastrw), [fast_read/1, fast_write/1]).
:- use_module(library(profiler/profiler_utils)).
:- use_module(library(xrefs/xrefs)).
:- use_module(library(librowser/librowser)).
:- use_module(library(tester/tester)).
:- use_module(library(hashtables)).
:- use_module(library(graphs/lgraphs)).
:- use_module(library(bitcodesets)).
:- use_module(library(queues)).
go(H, P) :- connect_to_socket(H, P, S), socket_recv(S, M), display(M), close(S), set_stream(user_input, S, _).
