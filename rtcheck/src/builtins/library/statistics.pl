% Statistics.

statistics(runtime, [T, 0]) :- !, '$cpu_time'(T).
statistics(cputime, T) :- !, '$cpu_time'(M), T is M / 1000.0.
statistics(process_cputime, T) :- !, '$cpu_time'(M), T is M / 1000.0.
statistics(walltime, [T, 0]) :- !, '$wall_time'(T).
statistics(real_time, [T, 0]) :- !, '$wall_time'(M), T is M // 1000.
statistics(inferences, N) :- '$inferences'(N).
