:- module(own_foreign, [sin_/2, inc/2, obj/1], [assertions, basicmodes, regtypes, foreign_interface]).
:- doc(title, "foreign").
:- true pred sin_(in(X), go(Y)) :: c_double * c_double + (foreign(sin), returns(Y)).
:- true pred inc(in(X), go(Y)) :: c_int * c_int + (foreign, returns(Y)) # "incs".
:- true pred init_(in(A)) :: address + (foreign_low(i)).
:- regtype obj(X) # "o".
obj('$obj'(X)) :- int(X).
:- use_foreign_source(['a.c']).
:- use_foreign_source('Linux', 'b.c').
:- use_foreign_library('LINUXi86', ['m']).
:- extra_compiler_opts(['-O2']).
:- extra_compiler_opts('LINUXi86', ['-DLINUX']).
:- use_compiler(gcc).
:- use_linker(gcc).
:- impl_defined([init_/1]).
