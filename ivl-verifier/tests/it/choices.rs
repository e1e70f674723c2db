//! The law of [keys](crate::keys) for edits that no change of one token is: other widths, another spelling of a
//! literal, clauses that are there or not, parameters in another order, and what is shared between statements.

use crate::concrete::Numbers;
use crate::keys::{Met, on_deep_stack_mut, options, questions, settings, verifier};

/// A program with places at which one of several texts stands: `⟦this¦that⟧`.
const PROGRAM: &str = r#"
type T;
type Q a;
type S = ⟦int¦bool¦[int]int⟧;
type M a b = ⟦[a]b¦[b]a¦[a]a⟧;
datatype D { A⟦(p: int, q: int)¦(q: int, p: int)¦(p: int, q: bool)¦(p: int)⟧, B(r: ⟦int¦real⟧)⟦¦, C()⟧ }
const ⟦¦unique ⟧u: T;
const unique v: T;
const ⟦k, l: int¦l, k: int¦k: int; const l: real⟧;
var g: int⟦¦ where g > 0¦ where g >= 0⟧;
var s: S;
var mm: M int bool;
var b8: ⟦bv8¦bv9¦bv16⟧;
var fl: ⟦float24e8¦float53e11¦float24e9⟧;
var pm: ⟦<a>[a]int¦<a>[a]a¦<a>[Q a]a⟧;
function f(x: int⟦¦, y: int⟧) returns (⟦¦r: ⟧int);
function fb(x: bool): int;
function {:inline⟦¦ true¦ false⟧} h(x: int): int { x ⟦+¦-¦*⟧ ⟦1¦2⟧ }
function {:⟦builtin "abs"¦builtin "-"¦smtdefined "abs"⟧} ab(x: int): int;
function ⟦{:bvbuiltin "bvadd"}¦{:bvbuiltin "bvsub"}¦⟧ ba(x: bv8, y: bv8): bv8;
function rec(x: int): int { if x ⟦<=¦<⟧ 0 then 0 else rec(x - 1) + ⟦1¦k⟧ }
axiom ⟦¦{:include_dep} ⟧k ⟦>¦>=¦<⟧ ⟦0¦00¦1⟧;
axiom (forall ⟦x, y: int¦y, x: int¦x: int, y: int¦x: int, y: real⟧ :: ⟦¦{h(x)}¦{fb(x == x)}¦{:weight 3}¦{:qid "n"}¦{:nopats fb(true)}¦{h(x)}{fb(true)}⟧ h(x) ⟦>¦!=⟧ k);
axiom (forall ⟦<t> z: t¦<t, w> z: t, zz: w¦z: int⟧ :: z == z ==> k ⟦>¦<⟧ ⟦3¦l⟧);

procedure P(x: int⟦¦ where x > 0¦ where x > g⟧, y: int) returns (r: int⟦¦ where r > x⟧);
  ⟦¦free ⟧requires ⟦¦{:always_assume} ⟧x ⟦<¦<=⟧ y;
  ⟦modifies g;¦modifies g, s;¦modifies s, g;¦modifies s; modifies g;⟧
  ⟦¦free ⟧ensures r ⟦==¦<==>¦>⟧ ⟦old(g)¦g¦old(x)¦x⟧;
  ensures ⟦¦{:msg "m"}⟧ ⟦old(g + x)¦old(g) + x⟧ < g;

procedure ⟦¦{:inline 1}¦{:inline 2}⟧ I(x: int) returns (z: int) ⟦modifies g;¦modifies g, b8;⟧
{ g := g ⟦+¦-⟧ x; ⟦z := x¦z := g⟧; ⟦¦if (x > 0) { call z := I(x - 1); }⟧ }

procedure ⟦¦{:verify false}¦{:timeLimit 3}¦{:rlimit 9}¦{:vcs_split_on_every_assert}¦{:selective_checking}¦{:random_seed 2}⟧ Main(x: int, y: int, n: [int]int, d: D) returns (o: int)
  requires ⟦x + y > y + x¦y + x > x + y¦x + y > x + y¦y + x > y + x¦x + x > y + y⟧;
  modifies g, s, b8, mm;
⟦¦  ensures o > 0;
⟧{
  var i, j: int⟦¦ where i > 0¦ where j > 0⟧;
  var e: bool;
  var w: ⟦[int]int¦[int,int]int⟧;
  var t: ⟦bool¦int⟧;
  var bits: bv8;
#line ⟦5¦6¦70⟧ "⟦a¦b⟧.c"
  ⟦Start¦Other⟧:
  assert ⟦¦{:subsumption 0} ¦{:subsumption 1} ¦{:focus} ¦{:split_here} ¦{:id "7"} ¦{:isolate} ⟧⟦x < y¦x <= y¦y < x¦!(x < y)¦x < y && true¦(x) < (y)⟧;
  assume ⟦¦{:captureState "s"} ⟧⟦n[i := j]¦n[j := i]¦n[i := j][j := i]¦n⟧[⟦i¦j⟧] ⟦==¦!=⟧ ⟦1¦01¦2⟧;
  n1: e := ⟦(forall q: int ::  n[q] > x)¦(exists q: int ::  n[q] > x)¦(forall p: int :: n[p] > x)¦(forall q: int :: {n[q]} n[q] > x)¦(forall q: int, p: int :: n[q] > x)¦(forall q: int :: n[q] > n[x])¦(forall q: int :: n[q] > q)¦(forall q: int :: (forall r: int :: n[q] > r))¦(forall q: int :: (forall r: int :: n[r] > q))⟧;
  ⟦call o := P(x, y);¦call o := P(y, x);¦free call o := P(x, y);¦call i := P(x, y);¦call {:verified_under e} o := P(x, y);⟧
  ⟦call i := I(j);¦call j := I(i);¦⟧
  assert ⟦2.0¦2.00¦20e-1¦2.5¦0.2e1⟧ > real(⟦x¦y⟧) || e;
  assert ⟦3bv8¦03bv8¦4bv8¦3bv8 ⟧ != bits ⟦&&¦||¦==>¦<==>¦<==⟧ e;
  assert ⟦(3bv4 ++ 4bv4)¦(4bv4 ++ 3bv4)¦(3bv5 ++ 4bv3)¦(3bv2 ++ 4bv6)⟧ == ⟦bits¦bits[8:4] ++ bits[4:0]¦bits[8:5] ++ bits[5:0]⟧;
  assert ⟦0x1.0e0f24e8¦0x1.0e1f24e8¦0x10.0e0f24e8¦0x1.0e0f53e11⟧ == ⟦0x1.0e0f24e8¦0NaN24e8¦0+oo24e8¦-0x1.0e0f24e8¦0x1.0e0f53e11⟧;
  assert ⟦"a"¦"b"¦"\n"¦"a "⟧ != "c";
  ⟦i, j := j, i;¦j, i := i, j;¦i := j; j := i;¦j := i; i := j;¦i, j := i, j;⟧
  ⟦havoc i, j;¦havoc j, i;¦havoc i; havoc j;¦havoc i;⟧
  ⟦s := s;¦havoc s;¦⟧
  assert (lambda q: int :: ⟦q + x¦x + q¦q + y⟧)[⟦3¦x⟧] > 0;
  assert (lambda ⟦q: int, p: int¦p: int, q: int⟧ :: ⟦q¦p⟧ - x)[x, y] > 0;
  assert (var q⟦, p := x, y¦, p := y, x¦, p := x, x⟧; q ⟦-¦+⟧ p > 0);
  assert ⟦d is A¦d is B¦A(1, 2) == d¦A(2, 1) == d¦B(1) == d⟧ ⟦||¦==>⟧ d->p == ⟦d->p¦d->q¦0⟧;
  assert |{ ⟦¦var c: int; ¦var c: bool; ⟧Aa: ⟦goto Bb;¦goto Bb, Cc;¦goto Cc;¦goto Cc, Bb;⟧ Bb: return x > ⟦1¦2⟧; Cc: ⟦¦assume x > 5; ⟧return ⟦true¦false⟧; }|;
  while (⟦i < x¦i <= x¦*⟧) ⟦¦free ⟧invariant ⟦i <= x¦j <= x¦true⟧; ⟦¦invariant g > 0;⟧ { i := i + ⟦1¦2⟧; ⟦¦break;¦if (e) { break; }¦if (e) { goto End; }⟧ }
  if (⟦e¦!e¦*⟧) { ⟦o := 1;¦o := 2;⟧ } else ⟦{ }¦{ o := 3; }¦if (e) { o := 3; }⟧
  ⟦goto End, Two;¦goto Two, End;¦goto End;⟧
  Two: o := ⟦f(x)¦f(y)¦fb(e)¦fb(!e)¦h(x)¦ab(x)¦rec(x)¦-x¦- -x¦x div y¦x mod y¦y div x¦if e then x else y¦if e then y else x⟧;
  assert ⟦int(2.5) == x¦int(3.0) == x¦2.0 ** 3.0 == 8.0¦3.0 ** 2.0 == 8.0¦real(x) / 2.0 > 1.0¦pm[x] == 0¦pm[e] == 0¦pm[u] == 0¦k == x¦l == x¦u == v⟧;
  ⟦¦push; hide *; assert h(x) > 0; pop;¦push; reveal *; assert h(x) > 0; pop;⟧
  ⟦return;¦⟧
  End: assert ⟦old(g) == g¦old(old(g)) == g¦old(g == g)¦g == g⟧; ⟦¦assert fl == fl;¦assert b8 == b8;¦assert mm == mm;¦assert pm == pm;¦assert ba(bits, bits) == bits;⟧
}
procedure ⟦Main2¦Zmain⟧(x: int) { var i: int; assert ⟦x¦i⟧ == ⟦i¦x⟧ ⟦&& x == x¦|| x == x¦⟧; }
implementation P(⟦x: int, y: int¦y: int, x: int¦a: int, b: int⟧) returns (r: int) { ⟦r := g;¦havoc r;¦⟧ ⟦¦havoc g;¦g := g + 1;⟧ }
"#;

/// How many programs with several choices are looked at; `IVL_KEYS_CHOICES` in the environment sets another number.
const MIXED: usize = 150;
const MORE: &str = "IVL_KEYS_CHOICES";

/// The texts between places, and the texts of each place.
fn parts() -> (Vec<&'static str>, Vec<Vec<&'static str>>) {
    let mut fixed = Vec::new();
    let mut places = Vec::new();
    let mut rest = PROGRAM;
    while let Some((before, (place, after))) =
        rest.split_once('⟦').and_then(|(before, rest)| Some((before, rest.split_once('⟧')?)))
    {
        fixed.push(before);
        places.push(place.split('¦').collect());
        rest = after;
    }
    fixed.push(rest);
    (fixed, places)
}

fn how_many() -> usize {
    std::env::var(MORE).ok().and_then(|it| it.parse().ok()).unwrap_or(MIXED)
}

#[test]
fn one_key_has_one_query_whatever_is_chosen() {
    let (fixed, places) = parts();
    let text = |choice: &[usize]| {
        let chosen = places.iter().zip(choice).map(|(texts, at)| texts[*at]).chain([""]);
        fixed.iter().copied().zip(chosen).flat_map(<[&str; 2]>::from).collect::<String>()
    };
    let usual = vec![0; places.len()];
    let mut programs = vec![usual.clone()];
    for (place, texts) in places.iter().enumerate() {
        for at in 1..texts.len() {
            let mut choice = usual.clone();
            choice[place] = at;
            programs.push(choice);
        }
    }
    let singles = programs.len();
    let mut numbers = Numbers::new(1);
    for _ in 0..how_many() {
        let mut choice = usual.clone();
        for _ in 0..2 + numbers.below(4) {
            let place = numbers.below(places.len());
            choice[place] = numbers.below(places[place].len());
        }
        programs.push(choice);
    }
    let mut met = Met::default();
    let mut empty = 0;
    let result = on_deep_stack_mut(|| {
        let settings = settings();
        for (turn, choice) in programs.iter().enumerate() {
            let text = text(choice);
            let other = turn % settings.len();
            for setting in if other > 0 { vec![0, other] } else { vec![0] } {
                let found = questions(&settings[setting], &text);
                empty += usize::from(found.is_empty() && turn < singles);
                let place = || {
                    let chosen = choice.iter().enumerate().filter(|(_, at)| **at > 0);
                    let told: Vec<_> = chosen.map(|(place, at)| (place, places[place][*at])).collect();
                    format!("setting {setting}: {told:?}")
                };
                found.iter().try_for_each(|question| met.question(question, &place))?;
            }
        }
        Ok::<(), String>(())
    });
    result.unwrap_or_else(|why| panic!("{why}"));
    println!("{} programs, {} keys, {} met again, {empty} none", programs.len(), met.count(), met.again);
    assert!(empty < singles / 10, "{empty} of {singles} are no programs");
}

fn one_of(numbers: &mut Numbers, texts: &[&'static str]) -> &'static str {
    texts[numbers.below(texts.len())]
}

/// A small program of few words, so that much in it is the same.
fn small(numbers: &mut Numbers) -> String {
    fn number(numbers: &mut Numbers, depth: usize) -> String {
        if depth == 0 || numbers.below(2) == 0 {
            return one_of(numbers, &["x", "y", "g", "old(g)", "m[y]"]).to_owned();
        }
        let [a, b] = [(); 2].map(|()| number(numbers, depth - 1));
        match numbers.below(8) {
            0 => format!("m[{a}]"),
            1 => format!("m[{a} := {b}][x]"),
            2 => format!("f({a}, {b})"),
            3 => format!("old({a})"),
            4 => format!("(if {a} < {b} then {b} else {a})"),
            5 => format!("({a} - {b})"),
            6 => format!("(lambda x: int :: {a})[{b}]"),
            _ => format!("({a} + {b})"),
        }
    }
    fn truth(numbers: &mut Numbers, depth: usize) -> String {
        let [a, b] = [(); 2].map(|()| number(numbers, depth));
        match numbers.below(if depth == 0 { 3 } else { 8 }) {
            0 => format!("{a} < {b}"),
            1 => format!("{a} == {b}"),
            2 => format!("p({a})"),
            3 => format!("(forall y: int :: {})", truth(numbers, depth - 1)),
            4 => format!("(exists<t> z: t :: {})", truth(numbers, depth - 1)),
            5 => format!("(forall x: int, y: int :: {{f(x, y)}} {})", truth(numbers, depth - 1)),
            6 => format!("({} && {})", truth(numbers, depth - 1), truth(numbers, depth - 1)),
            _ => format!("({} ==> {})", truth(numbers, depth - 1), truth(numbers, depth - 1)),
        }
    }
    let mut text =
        "var g: int; var m: [int]int; function f(x: int, y: int): int; function p(x: int): bool;\n"
            .to_owned();
    if numbers.below(2) == 0 {
        text += &format!(
            "function d(x: int, y: int): int {{ {} }}\n",
            one_of(numbers, &["x + y", "y + x", "x + x", "x - y"])
        );
    }
    text += "procedure P(x: int, y: int) returns (z: int";
    if numbers.below(3) == 0 {
        text += &format!(" where {}", one_of(numbers, &["z > x", "z > y", "x > z"]));
    }
    text += ");\n";
    for clause in ["requires", "modifies g, m; ensures"] {
        if clause.starts_with('m') || numbers.below(4) == 0 {
            text += &format!("  {clause} {};\n", truth(numbers, 0));
        }
    }
    text += "implementation P(x: int, y: int) returns (z: int) {\n  var l: int;\n";
    for _ in 0..1 + numbers.below(2) {
        let depth = numbers.below(2);
        text += &match numbers.below(6) {
            0 => format!("  assume {};\n", truth(numbers, depth)),
            1 => format!("  z := {};\n", number(numbers, depth)),
            2 => format!("  z, l := {}, {};\n", number(numbers, depth), number(numbers, depth)),
            3 => format!("  m[{}] := {};\n", number(numbers, depth), number(numbers, depth)),
            4 => format!("  call z := P({}, {});\n", number(numbers, depth), number(numbers, depth)),
            _ => format!("  assert {};\n", truth(numbers, depth)),
        };
    }
    text + "}\n"
}

#[test]
fn one_key_has_one_query_in_programs_of_few_words() {
    let mut numbers = Numbers::new(2);
    let mut met = Met::default();
    let mut asked = 0;
    let result = on_deep_stack_mut(|| {
        let verifier = verifier(options());
        for _ in 0..how_many() * 4 {
            let text = small(&mut numbers);
            let found = questions(&verifier, &text);
            asked += found.len();
            found.iter().try_for_each(|question| met.question(question, &|| text.clone()))?;
        }
        Ok::<(), String>(())
    });
    result.unwrap_or_else(|why| panic!("{why}"));
    println!("{asked} questions, {} keys, {} met again", met.count(), met.again);
    assert!(asked > how_many() && met.count() > asked / 4);
}
