% Statistics.

statistics :-
    statistics(inferences, I), statistics(cputime, T), statistics(memory, [M, _]),
    format(user_error, '~3f seconds of processor time, ~D calls, ~D bytes in use~n', [T, I, M]).
statistics(Key, Value) :- must_be(atom, Key), '$statistics'(Key, Value0), !, Value = Value0.
statistics(Key, _) :- domain_error(statistics_key, Key).
'$statistics'(runtime, [T, D]) :- '$cpu_time'(T), '$since'(runtime, T, D).
'$statistics'(cputime, T) :- '$cpu_nanoseconds'(N), T is N / 1.0e9.
'$statistics'(process_cputime, T) :- '$statistics'(cputime, T).
'$statistics'(process_runtime, V) :- '$statistics'(runtime, V).
'$statistics'(system_time, [0, 0]).
'$statistics'(systemtime, [0, 0]).
'$statistics'(usertime, [T, D]) :- '$cpu_time'(T), '$since'(usertime, T, D).
'$statistics'(walltime, [T, D]) :- '$wall_time'(T), '$since'(walltime, T, D).
'$statistics'(real_time, [T, D]) :- '$wall_time'(M), T is M // 1000, '$since'(real_time, T, D).
'$statistics'(inferences, N) :- '$inferences'(N).
'$statistics'(epoch, 0.0).
'$statistics'(threads, 1).
% Memory: what is used in bytes, and what is left of the limit for all of it.
'$statistics'(memory, [U, F]) :- '$used'(1, U), '$left'(F).
'$statistics'(program, [U, 0]) :- '$used'(1, All), '$stacks'(Stacks), U is All - Stacks.
'$statistics'(global_stack, [U, F]) :- '$used'(3, U), '$left'(F).
'$statistics'(local_stack, [U, F]) :- '$used'(4, U), '$left'(F).
'$statistics'(trail, [U, F]) :- '$used'(5, U), '$left'(F).
'$statistics'(choice, [U, F]) :- '$used'(6, U), '$left'(F).
'$statistics'(choicepoints, V) :- '$statistics'(choice, V).
'$statistics'(globalused, U) :- '$used'(3, U).
'$statistics'(localused, U) :- '$used'(4, U).
'$statistics'(trailused, U) :- '$used'(5, U).
'$statistics'(stack, U) :- '$stacks'(U).
'$statistics'(atoms, N) :- '$used'(7, N).
'$statistics'(garbage_collection, [N, 0, 0]) :- '$used'(8, N).
'$statistics'(atom_space, N) :- '$used'(9, N).
'$statistics'(agc, N) :- '$used'(10, N).
'$statistics'(agc_gained, N) :- '$used'(11, N).
'$statistics'(agc_time, 0.0).
'$statistics'(stack_shifts, [0, 0, 0]).
'$used'(I, N) :- '$memory'(M), arg(I, M, N).
'$left'(F) :- '$used'(1, U), '$used'(2, L), F is max(0, L - U).
'$stacks'(U) :- '$memory'(M), arg(3, M, G), arg(4, M, L), arg(5, M, T), arg(6, M, C), U is G + L + T + C.
% Time since the last question.
'$since'(Key, T, D) :-
    atom_concat('$since ', Key, K),
    ( nb_current(K, T0) -> true ; T0 = 0 ),
    D is T - T0,
    nb_setval(K, T).

