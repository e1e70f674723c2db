//! Threads that take turns, their messages, signals, limits of time and alarms. What is expected is what SWI-Prolog
//! 9.0.4 says, but where the comment says so.

use crate::coroutines::check;
use crate::support::run_with;
use rtcheck::session::Options;

#[test]
fn threads_take_turns() {
    check(
        "collect(L) :- thread_get_message(M), ( M == done -> L = [] ; M = v(X), L = [X|L1], collect(L1) ).
         worker(Q, R) :-
             thread_get_message(Q, M),
             ( M = job(N) -> N2 is N * N, thread_send_message(R, r(N2)), worker(Q, R) ; true ).",
        &[
            ("((thread_create(writeln(hello), I1), thread_join(I1, S1)), S1)", "hello\ntrue"),
            (
                "((thread_create(( thread_get_message(X), writeln(got(X)) ), I2), thread_send_message(I2, hi), thread_join(I2, S2)), S2)",
                "got(hi)\ntrue",
            ),
            (
                "((thread_self(Me), thread_create(( forall(member(X, [1, 2]), thread_send_message(Me, v(X))),
                   thread_send_message(Me, done) ), I3), collect(L3), thread_join(I3)), L3)",
                "[1,2]",
            ),
            (
                "((message_queue_create(Q), message_queue_create(R),
                   findall(I, ( between(1, 3, _), thread_create(worker(Q, R), I) ), Is),
                   forall(between(1, 6, N), thread_send_message(Q, job(N))), forall(member(_, Is), thread_send_message(Q, stop)),
                   findall(X, ( between(1, 6, _), thread_get_message(R, r(X)) ), Xs), msort(Xs, L4), maplist(thread_join, Is)), L4)",
                "[1,4,9,16,25,36]",
            ),
            (
                "((thread_create(( repeat, thread_get_message(X), ( X == stop -> ! ; thread_send_message(main, twice(X, X)), fail ) ), I9),
                   forall(member(X, [1, 2]), ( thread_send_message(I9, X), thread_get_message(twice(Y, Y)), writeln(Y) )),
                   thread_send_message(I9, stop), thread_join(I9, S9)), S9)",
                "1\n2\ntrue",
            ),
            // Where all wait, those go on first who have waited long enough.
            (
                "((message_queue_create(Q10), thread_create(thread_get_message(Q10, _, [timeout(0.02)]), I10), thread_join(I10, S10)), S10)",
                "false",
            ),
            (
                "((message_queue_create(Q11),
                   thread_create(( thread_get_message(Q11, _, [timeout(0.02)]) -> true ; thread_send_message(main, late) ), I11),
                   ( thread_get_message(main, late, [timeout(5)]) -> R11 = ok ; R11 = missed ), thread_join(I11)), R11)",
                "ok",
            ),
            ("((thread_create(throw(oops), I5), thread_join(I5, S5)), S5)", "exception(oops)"),
            ("((thread_create(fail, I6), thread_join(I6, S6)), S6)", "false"),
            ("((thread_create(thread_exit(bye), I7), thread_join(I7, S7)), S7)", "exited(bye)"),
            ("((thread_create(true, bob, [alias(bob)]), thread_join(bob, S8)), S8)", "true"),
            ("((thread_get_message(main, nothing, [timeout(0.1)])), [])", "no"),
            ("(thread_join(nobody, _), [])", "existence_error(thread,nobody)"),
            ("(thread_get_message(never), [])", "system_error(deadlock)"),
            ("((mutex_create(M), with_mutex(M, writeln(in))), [])", "in"),
        ],
    );
}

#[test]
fn limits_of_time_end_waits() {
    check(
        "limited(G) :- catch(call_with_time_limit(0.1, G), E, ( print(E), nl )).
         wait(G) :- thread_create(limited(G), T), thread_join(T, S), print(S), nl.",
        &[
            // In the main thread, and in others, which the main one joins.
            ("((message_queue_create(q1), limited(thread_get_message(q1, _))), [])", "time_limit_exceeded"),
            (
                "((message_queue_create(q2), wait(thread_get_message(q2, _))), [])",
                "time_limit_exceeded\ntrue",
            ),
            ("((mutex_create(m1), mutex_lock(m1), wait(mutex_lock(m1))), [])", "time_limit_exceeded\ntrue"),
            ("((limited(thread_wait(fail, []))), [])", "time_limit_exceeded"),
            ("((limited(sleep(1))), [])", "time_limit_exceeded"),
            ("(wait(sleep(1)), [])", "time_limit_exceeded\ntrue"),
            // The inner goal may take longer: its end is that of the outer one, told once.
            (
                "((limited(catch(call_with_time_limit(1, sleep(2)), E3, ( print(in(E3)), nl )))), [])",
                "in(time_limit_exceeded)",
            ),
        ],
    );
}

#[test]
fn limits_of_one_thread_do_not_end_what_others_do() {
    check(
        "count(0) :- !.
         count(N) :- M is N - 1, count(M).",
        &[
            (
                "((thread_self(Me),
                   thread_create(catch(call_with_time_limit(0.2, ( thread_send_message(Me, begun), thread_get_message(end) )), E, ( print(E), nl )), T),
                   thread_get_message(begun), sleep(0.5), writeln(slept), thread_join(T, S)), S)",
                "time_limit_exceeded\nslept\ntrue",
            ),
            // What an engine has left belongs to it, whatever is done while it waits.
            (
                "((engine_create(R, call_with_inference_limit(( engine_yield(z), count(100) ), 1000, R), E4), engine_next(E4, Z4),
                   count(5000), engine_next(E4, R4)), Z4-R4)",
                "z-!",
            ),
            (
                "((engine_create(x, call_with_time_limit(0.1, engine_yield(z)), E5), engine_next(E5, Z5), sleep(0.3), writeln(slept)), Z5)",
                "slept\nz",
            ),
            // Whoever asks an engine waits for it.
            (
                "((engine_create(x, count(1000000), E6), call_with_inference_limit(engine_next(E6, _), 1000, R6)), R6)",
                "inference_limit_exceeded",
            ),
            (
                "((engine_create(x, sleep(1), E7), catch(call_with_time_limit(0.1, engine_next(E7, _)), R7, true)), R7)",
                "time_limit_exceeded",
            ),
        ],
    );
}

#[test]
fn sleeping_threads_let_the_others_run() {
    check(
        "",
        &[
            (
                "((thread_create(( sleep(0.1), writeln(second) ), T1), writeln(first), thread_join(T1, S1)), S1)",
                "first\nsecond\ntrue",
            ),
            // It waits too short a time, while the main thread sleeps.
            (
                "((thread_self(M2), thread_create(thread_get_message(x), T2, [alias(t2)]),
                   thread_create(( thread_self(Me), thread_get_message(Me, x, [timeout(0.1)]) ), T3, [alias(t3)]),
                   sleep(0.3), catch(thread_send_message(t3, x), error(E3, _), true), thread_send_message(t2, x),
                   thread_join(T2, S2), thread_join(T3, S3)), M2-E3-S2-S3)",
                "main-existence_error(thread,t3)-true-false",
            ),
            // What it waits for is no message.
            (
                "((dynamic(fact/1), thread_create(( assertz(fact(5)), thread_get_message(end) ), T5), thread_wait(fact(X5)),
                   thread_send_message(T5, end), thread_join(T5)), X5)",
                "5",
            ),
            // An engine is no thread: what it waits for is not its answer.
            (
                "((thread_self(Me4), thread_create(( sleep(0.1), thread_send_message(Me4, m(4)) ), T4),
                   engine_create(X4, thread_get_message(m(X4)), E4), engine_next(E4, Y4), thread_join(T4)), Y4)",
                "4",
            ),
        ],
    );
}

#[test]
fn signals_interrupt_a_thread() {
    check(
        "spin :- repeat, fail.
         count(0) :- !, thread_self(Me), writeln(Me).
         count(N) :- M is N - 1, count(M).
         later(x).",
        &[
            ("((thread_create(thread_get_message(_), T1), thread_signal(T1, throw(stop)), thread_join(T1, S1)), S1)", "exception(stop)"),
            ("((thread_create(spin, T2), thread_signal(T2, throw(stop)), thread_join(T2, S2)), S2)", "exception(stop)"),
            ("((thread_self(Me3), thread_signal(Me3, writeln(signal)), later(X3)), X3)", "signal\nx"),
            ("((thread_self(Me4), catch(( thread_signal(Me4, throw(signal)), later(_) ), E4, true)), E4)", "signal"),
            // A goal that fails, or leaves choices, lets the thread go on.
            ("((thread_self(Me5), thread_signal(Me5, fail), thread_signal(Me5, member(_, [1, 2])), later(X5)), X5)", "x"),
            // Threads that make very many calls let the others go on.
            (
                "((thread_create(count(9000000), _, [alias(long)]), thread_create(count(5000000), _, [alias(short)]),
                   thread_join(long, S6), thread_join(short, S7)), S6-S7)",
                "short\nlong\ntrue-true",
            ),
            ("(thread_signal(nobody, true), [])", "existence_error(thread,nobody)"),
            ("(thread_signal(_, true), [])", "instantiation_error"),
        ],
    );
}

#[test]
fn what_a_thread_asks_for_is_called_when_it_ends() {
    check(
        "",
        &[
            (
                "((thread_create(( thread_at_exit(writeln(a)), thread_at_exit(writeln(b)) ), T1, [at_exit(writeln(c))]), thread_join(T1, S1)), S1)",
                "b\na\nc\ntrue",
            ),
            (
                "((thread_create(( thread_at_exit(writeln(a)), throw(x) ), T2), thread_join(T2, S2)), S2)",
                "a\nexception(x)",
            ),
        ],
    );
}

#[test]
fn alarms_interrupt_in_the_order_of_their_times() {
    check(
        "",
        &[
            (
                "((alarm(0.1, writeln(third), _, [remove(true)]), alarm(0.05, writeln(second), _), writeln(first), sleep(0.3)), end)",
                "first\nsecond\nthird\nend",
            ),
            ("((catch(( alarm(0.05, throw(late), _, [remove(true)]), sleep(1) ), E2, true)), E2)", "late"),
            ("((alarm(0.05, writeln(no), A3), remove_alarm(A3), sleep(0.2)), end)", "end"),
            (
                "((alarm(0.05, writeln(no), A4, [install(false)]), sleep(0.1), install_alarm(A4, 0.05), uninstall_alarm(A4), sleep(0.1)), end)",
                "end",
            ),
            // It ends a wait, in the thread that asked for it.
            (
                "((thread_create(( alarm(0.05, throw(late), _), thread_get_message(_) ), T5), thread_join(T5, S5)), S5)",
                "exception(late)",
            ),
            // Whoever sends itself a signal is interrupted at once, so that nothing waits.
            (
                "((thread_self(Me6), thread_signal(Me6, writeln(here)), sig_pending(P6), sig_remove(_, R6)), P6-R6)",
                "here\n[]-[]",
            ),
            ("(alarm(x, true, _), [])", "type_error(number,x)"),
            ("(alarm(1, _, _), [])", "instantiation_error"),
        ],
    );
}

#[test]
fn signals_come_between_any_two_calls() {
    let program = ":- initialization(main).
        :- dynamic n/1.
        n(0).
        bump :- retract(n(N)), M is N + 1, assertz(n(M)), length(L, 20), L = [a|_].
        send(0) :- !.
        send(N) :- thread_signal(main, bump), M is N - 1, helper(N, f(N, [N]), _), send(M).
        helper(N, f(N, [M]), z) :- N == M, !, freeze(X, N == X), X = N.
        choose(Xs, Ys) :- member(X, Xs), thread_signal(main, bump), member(Y, Ys), thread_signal(main, bump), X + Y =:= 5, print(X-Y), nl, fail.
        choose(_, _).
        main :- send(200), choose([1, 2, 3], [2, 3]), n(N), print(N), nl.\n";
    for collect_every in [None, Some(1), Some(3)] {
        let ran = run_with(program, &[], Options { collect_every, ..Options::default() });
        assert_eq!((ran.output.as_str(), ran.error.as_str()), ("2-3\n3-2\n209\n", ""), "{collect_every:?}");
    }
}
