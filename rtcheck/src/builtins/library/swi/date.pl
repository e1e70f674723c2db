:- module(date,
    [format_time/3, format_time/4, stamp_date_time/3, date_time_stamp/2, date_time_value/3, parse_time/2, parse_time/3,
     day_of_the_week/2, day_of_the_year/2]).

% Dates and times as SWI-Prolog has them: a stamp is seconds since 1970, date(Y,M,D,H,Mn,S,Off,TZ,DST) a moment with an
% offset in seconds west of Greenwich. The local time zone is UTC. The calendar is the Gregorian one, before it began too.

% Days since 1970; months may lie outside of 1 to 12. A year is counted from March, so that leap days end it.
days(Y, M, D, Days) :-
    Months is Y * 12 + M - 3,
    Year is Months div 12, Month is Months mod 12,
    Days is Year * 365 + Year div 4 - Year div 100 + Year div 400 + (153 * Month + 2) // 5 + D - 1 - 719468.

day(Days, Y, M, D) :-
    Day is Days + 719468,
    Era is Day div 146097, E is Day mod 146097,
    Of is (E - E // 1460 + E // 36524 - E // 146096) // 365,
    Rest is E - (365 * Of + Of // 4 - Of // 100),
    Month is (5 * Rest + 2) // 153,
    D is Rest - (153 * Month + 2) // 5 + 1,
    ( Month < 10 -> M is Month + 3, Y is Era * 400 + Of ; M is Month - 9, Y is Era * 400 + Of + 1 ).

stamp_date_time(Stamp, date(Y, M, D, H, Mn, S, Offset, Zone, -), Where) :-
    ( var(Where) -> Where = local ; true ),
    ( Where == 'UTC' -> Offset = 0, Zone = 'UTC'
    ; Where == local -> Offset = 0, Zone = 'UTC'
    ; integer(Where) -> Offset = Where, Zone = (-)
    ; throw(error(type_error(timezone, Where), _))
    ),
    Seconds is floor(Stamp) - Offset,
    Fraction is float(Stamp - floor(Stamp)),
    Days is Seconds div 86400, Time is Seconds mod 86400,
    day(Days, Y, M, D),
    H is Time // 3600, Mn is Time // 60 mod 60, S is Time mod 60 + Fraction.

date_time_stamp(date(Y, M, D), Stamp) :- !, moment(Y, M, D, 0, 0, 0, 0, Stamp).
date_time_stamp(date(Y, M, D, H, Mn, S, Offset, _, _), Stamp) :- !,
    ( integer(Offset) -> West = Offset ; West = 0 ),
    moment(Y, M, D, H, Mn, S, West, Stamp).
date_time_stamp(Date, _) :- throw(error(type_error(date, Date), _)).

moment(Y, M, D, H, Mn, S, West, Stamp) :-
    days(Y, M, D, Days),
    Stamp is float(Days * 86400 + H * 3600 + Mn * 60 + S + West).

date_time_value(year, Date, V) :- arg(1, Date, V).
date_time_value(month, Date, V) :- arg(2, Date, V).
date_time_value(day, Date, V) :- arg(3, Date, V).
date_time_value(hour, date(_, _, _, V, _, _, _, _, _), V).
date_time_value(minute, date(_, _, _, _, V, _, _, _, _), V).
date_time_value(second, date(_, _, _, _, _, V, _, _, _), V).
date_time_value(utc_offset, date(_, _, _, _, _, _, V, _, _), V) :- V \== (-).
date_time_value(time_zone, date(_, _, _, _, _, _, _, V, _), V) :- V \== (-).
date_time_value(daylight_saving, date(_, _, _, _, _, _, _, _, V), V) :- V \== (-).
date_time_value(date, date(Y, M, D, _, _, _, _, _, _), date(Y, M, D)).
date_time_value(time, date(_, _, _, H, M, S, _, _, _), time(H, M, S)).

day_of_the_week(date(Y, M, D), Day) :- days(Y, M, D, Days), Day is (Days + 3) mod 7 + 1.
day_of_the_year(date(Y, M, D), Day) :- days(Y, M, D, This), days(Y, 1, 1, First), Day is This - First + 1.

% --- As text.

format_time(Out, Format, Moment) :- format_time(Out, Format, Moment, posix).

format_time(Out, Format, Moment, _) :-
    completed(Moment, Date),
    text_codes(Format, Codes),
    phrase(text(Date, Text), Codes),
    format(Out, '~s', [Text]).

text_codes(Text, Codes) :- ( is_list(Text) -> atom_codes(Atom, Text) ; Atom = Text ), atom_codes(Atom, Codes).

completed(Stamp, Date) :- number(Stamp), !, stamp_date_time(Stamp, Date, local).
completed(date(Y, M, D), date(Y, M, D, 0, 0, 0, 0, -, -)) :- !.
completed(date(Y, M, D, H, Mn, S, Offset, Zone, Dst), date(Y, M, D, H, Mn, S, West, Zone, Dst)) :- !,
    ( integer(Offset) -> West = Offset ; West = 0 ).
completed(Moment, _) :- throw(error(type_error(time, Moment), _)).

text(Date, Text) --> [0'%], !, known_mark(Date, Codes), { append(Codes, Rest, Text) }, text(Date, Rest).
text(Date, [C|Text]) --> [C], !, text(Date, Text).
text(_, []) --> [].

known_mark(Date, Codes) --> mark(Date, Codes), !.
known_mark(_, _, [C|_], _) :- !, char_code(Mark, C), atom_concat('%', Mark, What), throw(error(existence_error(format, What), _)).
known_mark(_, _, [], _) :- throw(error(existence_error(format, '%'), _)).

mark(Date, Codes) --> [0':, 0'z], { offset(Date, ':', Codes) }.
mark(Date, Codes) --> ( [0'E] ; [0'O] ; [0'_] ), mark(Date, Codes).
mark(date(_, _, _, _, _, S, _, _, _), Codes) --> [Digit, 0'f], { code_type(Digit, digit(N)), fraction(S, N, Codes) }.
mark(date(_, _, _, _, _, S, _, _, _), Codes) --> [0'f], { fraction(S, 6, Codes) }.
mark(Date, Codes) --> [C], { char_code(Mark, C), shown(Mark, Date, Codes) }.

fraction(_, 0, []) :- !.
fraction(S, Places, Codes) :-
    % A fraction that would be rounded to a whole second is shown as none, as in SWI-Prolog.
    Value is round((S - floor(S)) * 10 ** Places) mod 10 ** Places, format(codes(Codes), '~`0t~d~*|', [Value, Places]).

% Marks that stand for others.
short('D', '%m/%d/%y').
short('F', '%Y-%m-%d').
short('T', '%H:%M:%S').
short('X', '%H:%M:%S').
short('R', '%H:%M').
short(r, '%I:%M:%S %p').
short(x, '%m/%d/%y').
short(c, '%a %b %e %H:%M:%S %Y').
short(+, '%a %b %e %H:%M:%S %Y').

shown(Mark, Date, Codes) :- short(Mark, Format), !, format_time(codes(Codes), Format, Date).
shown('%', _, [0'%]).
shown(n, _, [0'\n]).
shown(t, _, [0'\t]).
shown('Y', date(Y, _, _, _, _, _, _, _, _), Codes) :- format(codes(Codes), '~d', [Y]).
shown('C', date(Y, _, _, _, _, _, _, _, _), Codes) :- V is Y div 100, two(V, Codes).
shown(y, date(Y, _, _, _, _, _, _, _, _), Codes) :- V is Y mod 100, two(V, Codes).
shown(m, date(_, M, _, _, _, _, _, _, _), Codes) :- two(M, Codes).
shown(d, date(_, _, D, _, _, _, _, _, _), Codes) :- two(D, Codes).
shown(e, date(_, _, D, _, _, _, _, _, _), Codes) :- padded(D, Codes).
shown('H', date(_, _, _, H, _, _, _, _, _), Codes) :- two(H, Codes).
shown(k, date(_, _, _, H, _, _, _, _, _), Codes) :- padded(H, Codes).
shown('I', date(_, _, _, H, _, _, _, _, _), Codes) :- V is (H + 11) mod 12 + 1, two(V, Codes).
shown(l, date(_, _, _, H, _, _, _, _, _), Codes) :- V is (H + 11) mod 12 + 1, padded(V, Codes).
shown('M', date(_, _, _, _, Mn, _, _, _, _), Codes) :- two(Mn, Codes).
shown('S', date(_, _, _, _, _, S, _, _, _), Codes) :- V is floor(S), two(V, Codes).
shown(p, date(_, _, _, H, _, _, _, _, _), Codes) :- ( H < 12 -> atom_codes('AM', Codes) ; atom_codes('PM', Codes) ).
shown('P', date(_, _, _, H, _, _, _, _, _), Codes) :- ( H < 12 -> atom_codes(am, Codes) ; atom_codes(pm, Codes) ).
shown(s, Date, Codes) :- date_time_stamp(Date, Stamp), V is floor(Stamp), format(codes(Codes), '~d', [V]).
shown(j, date(Y, M, D, _, _, _, _, _, _), Codes) :- day_of_the_year(date(Y, M, D), V), format(codes(Codes), '~`0t~d~3|', [V]).
shown(u, date(Y, M, D, _, _, _, _, _, _), Codes) :- day_of_the_week(date(Y, M, D), V), format(codes(Codes), '~d', [V]).
shown(w, date(Y, M, D, _, _, _, _, _, _), Codes) :- day_of_the_week(date(Y, M, D), W), V is W mod 7, format(codes(Codes), '~d', [V]).
shown(a, date(Y, M, D, _, _, _, _, _, _), Codes) :- day_of_the_week(date(Y, M, D), W), weekday(W, Name), sub_atom(Name, 0, 3, _, Short), atom_codes(Short, Codes).
shown('A', date(Y, M, D, _, _, _, _, _, _), Codes) :- day_of_the_week(date(Y, M, D), W), weekday(W, Name), atom_codes(Name, Codes).
shown(b, date(_, M, _, _, _, _, _, _, _), Codes) :- month(M, Name), sub_atom(Name, 0, 3, _, Short), atom_codes(Short, Codes).
shown(h, Date, Codes) :- shown(b, Date, Codes).
shown('B', date(_, M, _, _, _, _, _, _, _), Codes) :- month(M, Name), atom_codes(Name, Codes).
shown('U', date(Y, M, D, _, _, _, _, _, _), Codes) :-
    day_of_the_year(date(Y, M, D), Day), day_of_the_week(date(Y, M, D), W), V is (Day + 6 - W mod 7) // 7, two(V, Codes).
shown('W', date(Y, M, D, _, _, _, _, _, _), Codes) :-
    day_of_the_year(date(Y, M, D), Day), day_of_the_week(date(Y, M, D), W), V is (Day + 6 - (W + 6) mod 7) // 7, two(V, Codes).
shown('V', Date, Codes) :- week(Date, _, V), two(V, Codes).
shown('G', Date, Codes) :- week(Date, Y, _), format(codes(Codes), '~d', [Y]).
shown(g, Date, Codes) :- week(Date, Y, _), V is Y mod 100, two(V, Codes).
shown(z, Date, Codes) :- offset(Date, '', Codes).
shown('Z', date(_, _, _, _, _, _, _, Zone, _), Codes) :- ( Zone == (-) -> Codes = [] ; atom_codes(Zone, Codes) ).

two(V, Codes) :- format(codes(Codes), '~`0t~d~2|', [V]).
padded(V, Codes) :- format(codes(Codes), '~t~d~2|', [V]).

offset(date(_, _, _, _, _, _, West, _, _), Between, Codes) :-
    ( West > 0 -> Sign = (-) ; Sign = (+) ),
    Minutes is abs(West) // 60, H is Minutes // 60, M is Minutes mod 60,
    two(H, Hours), two(M, Minutes1), format(codes(Codes), '~w~s~w~s', [Sign, Hours, Between, Minutes1]).

% The week of ISO 8601 and its year: that of its Thursday.
week(date(Y, M, D, _, _, _, _, _, _), Year, Week) :-
    days(Y, M, D, Days),
    Thursday is Days - (Days + 3) mod 7 + 3,
    day(Thursday, Year, _, _),
    days(Year, 1, 1, First),
    Week is (Thursday - First) // 7 + 1.

weekday(1, 'Monday').
weekday(2, 'Tuesday').
weekday(3, 'Wednesday').
weekday(4, 'Thursday').
weekday(5, 'Friday').
weekday(6, 'Saturday').
weekday(7, 'Sunday').

month(1, 'January').
month(2, 'February').
month(3, 'March').
month(4, 'April').
month(5, 'May').
month(6, 'June').
month(7, 'July').
month(8, 'August').
month(9, 'September').
month(10, 'October').
month(11, 'November').
month(12, 'December').

% --- From text.

parse_time(Text, Stamp) :- parse_time(Text, _, Stamp).

parse_time(Text, Form, Stamp) :-
    text_codes(Text, Codes),
    phrase(written(Form, Y, M, D, H, Mn, S, West), Codes), !,
    M >= 1, M =< 12, H =< 23,
    moment(Y, M, D, H, Mn, S, West, Stamp).

written(iso_8601, Y, M, D, H, Mn, S, West) --> calendar(Y, M, D), clock(H, Mn, S, West).
written(rfc_1123, Y, M, D, H, Mn, S, West) -->
    letters(_), [0',, 0' ], digits(1, 2, D), [0' ], letters(Short), { month_of(Short, M) }, [0' ], digits(4, 4, Y), [0' ],
    digits(2, 2, H), [0':], digits(2, 2, Mn), [0':], digits(2, 2, S), [0' ], distance(West).
written(rfc_1036, Y, M, D, H, Mn, S, 0) -->
    letters(_), [0',, 0' ], digits(2, 2, D), [0'-], letters(Short), { month_of(Short, M) }, [0'-], digits(2, 2, Y0), [0' ],
    { Y0 < 70 -> Y is Y0 + 2000 ; Y is Y0 + 1900 },
    digits(2, 2, H), [0':], digits(2, 2, Mn), [0':], digits(2, 2, S), [0' ], [0'G, 0'M, 0'T].

distance(0) --> [0'G, 0'M, 0'T], !.
distance(West) --> ( [0'+] -> { Sign = -1 } ; [0'-], { Sign = 1 } ), digits(2, 2, Hours), digits(2, 2, Minutes),
    { West is Sign * (Hours * 3600 + Minutes * 60) }.

calendar(Y, M, D) --> digits(4, 4, Y), [0'-], digits(2, 2, M), [0'-], digits(2, 2, D).
calendar(Y, M, D) --> digits(4, 4, Y), digits(2, 2, M), digits(2, 2, D).
calendar(Y, 1, D) --> digits(4, 4, Y), [0'-], digits(3, 3, D).
calendar(Y, 1, D) --> digits(4, 4, Y), [0'-, 0'W], digits(2, 2, W), [0'-], digits(1, 1, Of), { of_week(Y, W, Of, D) }.
calendar(Y, 1, D) --> digits(4, 4, Y), [0'W], digits(2, 2, W), digits(1, 1, Of), { of_week(Y, W, Of, D) }.
calendar(Y, M, 1) --> digits(4, 4, Y), [0'-], digits(2, 2, M).

% The day of the year, counted from 1; the first week has the fourth of January.
of_week(Year, Week, Of, Day) :-
    day_of_the_week(date(Year, 1, 4), Fourth), Day is 4 - Fourth + (Week - 1) * 7 + Of.

clock(H, Mn, S, West) --> ( [0'T] ; [0' ] ), time_of_day(H, Mn, S), zone(West).
clock(0, 0, 0, 0) --> [].

time_of_day(H, Mn, S) --> digits(2, 2, H), [0':], digits(2, 2, Mn), [0':], seconds(S).
time_of_day(H, Mn, 0) --> digits(2, 2, H), [0':], digits(2, 2, Mn).
time_of_day(H, Mn, S) --> digits(2, 2, H), digits(2, 2, Mn), seconds(S).
time_of_day(H, Mn, 0) --> digits(2, 2, H), digits(2, 2, Mn).

seconds(S) --> digits(2, 2, W), ( [0'.] ; [0',] ), digit_codes(Ds), { Ds = [_|_], length(Ds, N), number_codes(F, Ds), S is W + F / 10 ** N }.
seconds(S) --> digits(2, 2, S).

zone(0) --> [0'Z].
zone(West) --> ( [0'+], { Sign = -1 } ; [0'-], { Sign = 1 } ), digits(2, 2, H), ( [0':] ; [] ), digits(2, 2, M), { West is Sign * (H * 3600 + M * 60) }.
zone(West) --> ( [0'+], { Sign = -1 } ; [0'-], { Sign = 1 } ), digits(2, 2, H), { West is Sign * H * 3600 }.
zone(0) --> [].

digits(Least, Most, Value) --> { between(Least, Most, N0), N is Least + Most - N0, length(Ds, N) }, all_digits(Ds), { number_codes(Value, Ds) }.

all_digits([]) --> [].
all_digits([D|Ds]) --> [D], { D >= 0'0, D =< 0'9 }, all_digits(Ds).

digit_codes([D|Ds]) --> [D], { D >= 0'0, D =< 0'9 }, !, digit_codes(Ds).
digit_codes([]) --> [].

letters([C|Cs]) --> [C], { code_type(C, alpha) }, !, letters(Cs).
letters([]) --> [].

month_of(Short, M) :- month(M, Name), sub_atom(Name, 0, 3, _, Abbreviated), atom_codes(Abbreviated, Short), !.
