:- module(builtin,
    [sub_atom_icasechk/3, copy_predicate_clauses/2, nb_linkval/2, nb_linkarg/3, functor/4, bounded_number/3,
     prolog_current_choice/1, prolog_cut_to/1, var_number/2, sig_atomic/1, float_class/2, float_parts/4, term_hash/4,
     variant_hash/2, variant_sha1/2, get_single_char/1]).

% Built-in predicates of SWI-Prolog that programs call now and then.

:- meta_predicate copy_predicate_clauses(:, :), sig_atomic(0).

% Small letters of the part match themselves and capitals, others themselves; the first place, or the one that is given.
sub_atom_icasechk(Text, Start, Part) :-
    '$atom_of_text'(Text, Atom), atom_chars(Atom, Chars), '$atom_of_text'(Part, Wanted0), atom_chars(Wanted0, Wanted),
    ( between_starts(Start, Chars, Rest), half_matches(Wanted, Rest) -> true ).
between_starts(Start, Chars, Rest) :-
    (   integer(Start) -> Start >= 0, length(Before, Start), append(Before, Rest, Chars)
    ;   must_be(var, Start), append(Before, Rest, Chars), length(Before, Start)
    ).
half_matches([], _).
half_matches([W|Ws], [C|Cs]) :- ( W == C -> true ; downcase_atom(C, W) ), half_matches(Ws, Cs).

copy_predicate_clauses(From, To) :-
    '$strip_module'(From, FM, FName), '$strip_module'(To, TM, TName),
    indicator(FName, Name, Arity), indicator(TName, NewName, NewArity),
    functor(Head, Name, Arity),
    ( catch(predicate_property(FM:Head, defined), _, fail) -> true ; existence_error(procedure, FM:Name/Arity) ),
    ( Arity == NewArity -> true ; domain_error(same_arity, NewName/NewArity) ),
    Head =.. [_|Args], NewHead =.. [NewName|Args],
    findall(NewHead-Body, clause(FM:Head, Body), Clauses),
    forall(member(H-B, Clauses), assertz(TM:(H :- B))).

indicator(Indicator, Name, Arity) :-
    (   nonvar(Indicator), Indicator = N/A -> Name = N, Arity = A
    ;   callable(Indicator) -> functor(Indicator, Name, Arity)
    ;   must_be(callable, Indicator)
    ).

nb_linkval(Key, Value) :- nb_setval(Key, Value).
nb_linkarg(Arg, Term, Value) :- nb_setarg(Arg, Term, Value).

% functor(Term, Name, Arity, Type): Type is atom, compound, callable or atomic; of a compound term without arguments it
% says what the name and the arity do not.
functor(Term, Name, Arity, Type) :-
    (   nonvar(Term) ->
        ( compound(Term) -> compound_name_arity(Term, Name, Arity), Type0 = compound
        ; functor(Term, Name, Arity), ( atom(Term) -> Type0 = atom ; Type0 = atomic )
        ),
        ( var(Type) -> Type = Type0 ; Type == callable -> callable(Term) ; Type = Type0 )
    ;   Type == compound -> compound_name_arity(Term, Name, Arity)
    ;   functor(Term, Name, Arity),
        ( compound(Term) -> Type0 = compound ; atom(Term) -> Type0 = atom ; Type0 = atomic ),
        ( Type == callable -> true ; Type = Type0 )
    ).

% A number strictly within bounds, or an integer that fits between them.
bounded_number(Low, High, Number) :-
    must_be(number, Low), must_be(number, High), must_be(number, Number),
    Number > Low, Number < High.

prolog_current_choice(Choice) :- '$level'(Choice).
prolog_cut_to(Choice) :- must_be(nonneg, Choice), '$cut'(Choice).

var_number(Term, Number) :- nonvar(Term), Term = '$VAR'(Number).
sig_atomic(Goal) :- once(Goal).

float_class(Float, Class) :-
    must_be(float, Float),
    (   Float =\= Float -> Class0 = nan
    ;   ( Float =:= inf ; Float =:= -inf ) -> Class0 = infinite
    ;   Float =:= 0.0 -> Class0 = zero
    ;   abs(Float) < 2.2250738585072014e-308 -> Class0 = subnormal
    ;   Class0 = normal
    ),
    Class = Class0.

% float_parts(Float, Mantissa, 2, Exponent): Float is Mantissa * 2^Exponent, 0.5 =< Mantissa < 1.
float_parts(Float, Mantissa, Base, Exponent) :-
    must_be(float, Float), Base = 2,
    ( Float =:= 0.0 -> Mantissa = Float, Exponent = 0 ; Guess is floor(log2(abs(Float))), parts(Float, Guess, Mantissa, Exponent) ).
parts(Float, Guess, Mantissa, Exponent) :-
    scaled(Float, Guess, M),
    (   abs(M) >= 2.0 -> Guess1 is Guess + 1, parts(Float, Guess1, Mantissa, Exponent)
    ;   abs(M) < 1.0 -> Guess1 is Guess - 1, parts(Float, Guess1, Mantissa, Exponent)
    ;   Mantissa is M / 2, Exponent is Guess + 1
    ).
scaled(Float, Guess, M) :- ( abs(Guess) > 1000 -> Half is Guess // 2, Rest is Guess - Half, M is Float / 2.0 ** Half / 2.0 ** Rest ; M is Float / 2.0 ** Guess ).

% Variables below a depth count; a range of hashes may be given.
term_hash(Term, Depth, Range, Hash) :-
    must_be(integer, Depth), must_be(positive_integer, Range),
    ( Depth < 0 -> Part = Term ; pruned(Depth, Term, Part) ),
    term_hash(Part, Hash0),
    ( integer(Hash0) -> Hash is Hash0 mod Range ; true ).
pruned(0, _, '...') :- !.
pruned(Depth, Term, Part) :-
    (   compound(Term) ->
        compound_name_arguments(Term, Name, Args), Below is Depth - 1,
        maplist(pruned(Below), Args, Parts), compound_name_arguments(Part, Name, Parts)
    ;   Part = Term
    ).

% The same text for terms that are equal up to renaming, of 24 and of 40 hexadecimal digits.
variant_hash(Term, Text) :- digits(Term, 3, Text).
variant_sha1(Term, Text) :- ( term_attvars(Term, [V|_]) -> type_error(free_of_attvar, V) ; true ), digits(Term, 5, Text).
digits(Term, Count, Text) :-
    ( acyclic_term(Term) -> true ; type_error(acyclic_term, Term) ),
    copy_term_nat(Term, Form), numbervars(Form, 0, _),
    findall(Part, ( between(1, Count, I), term_hash(I-Form, Hash), Part0 is Hash /\ 0xffffffff, format(atom(Part), '~|~`0t~16r~8+', [Part0]) ), Parts),
    atomic_list_concat(Parts, Text).

get_single_char(Code) :- flush_output, ( '$read_key'(Key) -> Code = Key ; get_code(user_input, Code) ).
