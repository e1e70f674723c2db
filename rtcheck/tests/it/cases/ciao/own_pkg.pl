:- package(own_pkg).
:- use_module(library(lists)).
:- op(700, xfx, [(<==)]).
:- op(1150, fx, [own_decl]).
:- op(980, xfx, ===>).
:- new_declaration(own_decl/1).
:- load_compilation_module(.(own_tr)).
:- add_sentence_trans(own_tr:tr/3, 310).
:- add_term_trans(own_tr:trt/2, 310).
:- add_goal_trans(own_tr:trg/2, 310).
