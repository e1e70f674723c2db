:- module(hashes, [md5_hash/3, sha_hash/3, hmac_sha/4, crypto_data_hash/3, hash_atom/2, uuid/1, uuid/2]).

% What SWI-Prolog's libraries md5, sha, crypto and uuid say of texts.

% md5_hash(Text, Hash, Options): 32 hexadecimal digits.
md5_hash(Text, Hash, Options) :- encoding(Options, Encoding), '$digest'(md5, Encoding, Text, Bytes), hash_atom(Bytes, Hash).

% sha_hash(Text, Bytes, Options): the algorithm is sha1 unless an option says otherwise.
sha_hash(Text, Hash, Options) :-
    ( memberchk(algorithm(Algorithm), Options) -> true ; Algorithm = sha1 ),
    encoding(Options, Encoding), '$digest'(Algorithm, Encoding, Text, Hash).
hmac_sha(Key, Text, Hash, Options) :-
    ( memberchk(algorithm(Algorithm), Options) -> true ; Algorithm = sha1 ),
    encoding(Options, Encoding),
    '$text_bytes'(Encoding, Key, KeyBytes), '$text_bytes'(Encoding, Text, TextBytes),
    hmac(Algorithm, KeyBytes, TextBytes, Hash).

crypto_data_hash(Text, Hash, Options) :-
    ( memberchk(algorithm(Algorithm), Options), nonvar(Algorithm) -> true ; Algorithm = sha256, ignore(memberchk(algorithm(sha256), Options)) ),
    encoding(Options, Encoding),
    (   memberchk(hmac(Key), Options) ->
        '$text_bytes'(Encoding, Key, KeyBytes), '$text_bytes'(Encoding, Text, TextBytes),
        hmac(Algorithm, KeyBytes, TextBytes, Bytes)
    ;   '$digest'(Algorithm, Encoding, Text, Bytes)
    ),
    hash_atom(Bytes, Hash).

encoding(Options, Encoding) :- must_be(list, Options), ( memberchk(encoding(Encoding0), Options) -> Encoding = Encoding0 ; Encoding = utf8 ).

% RFC 2104.
hmac(Algorithm, Key0, Text, Hash) :-
    ( memberchk(Algorithm, [sha384, sha512]) -> Block = 128 ; Block = 64 ),
    length(Key0, Length),
    ( Length > Block -> '$digest'(Algorithm, octet, Key0, Key1) ; Key1 = Key0 ),
    length(Key1, Length1), Missing is Block - Length1, length(Zeros, Missing), maplist(=(0), Zeros),
    append(Key1, Zeros, Key),
    maplist(masked(0x36), Key, Inner), append(Inner, Text, InnerText), '$digest'(Algorithm, octet, InnerText, InnerHash),
    maplist(masked(0x5c), Key, Outer), append(Outer, InnerHash, OuterText), '$digest'(Algorithm, octet, OuterText, Hash).
masked(Mask, Byte, Masked) :- Masked is Byte xor Mask.

hash_atom(Bytes, Hash) :- hex_bytes(Hash0, Bytes), Hash = Hash0.

% A random UUID of the fourth version.
uuid(UUID) :- uuid(UUID, []).
uuid(UUID, Options) :-
    must_be(list, Options),
    length(Bytes0, 16), maplist(random_byte, Bytes0),
    Bytes0 = [A, B, C, D, E, F, G0, H, I0|Rest],
    G is G0 /\ 0x0f \/ 0x40, I is I0 /\ 0x3f \/ 0x80,
    Rest = [J|Last],
    maplist(hex_bytes, [W, X, Y, Z], [[A, B, C, D], [E, F], [G, H], [I, J]]),
    hex_bytes(V, Last), atomic_list_concat([W, X, Y, Z, V], -, UUID).
random_byte(Byte) :- random_between(0, 255, Byte).
