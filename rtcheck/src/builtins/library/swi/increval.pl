:- module(increval, [incr_is_invalid/1, incr_invalidate_calls/1, incr_propagate_calls/1, incr_table_update/0]).

% Tables whose answers may have changed. Stale ones are evaluated again when they are called.

:- meta_predicate incr_is_invalid(:), incr_invalidate_calls(:), incr_propagate_calls(:).

incr_is_invalid(Goal) :- '$strip_module'(Goal, M, Plain), system:'$table_is_stale'(M:Plain).

incr_invalidate_calls(_) :- abolish_all_tables.
incr_propagate_calls(_) :- abolish_all_tables.
incr_table_update.
