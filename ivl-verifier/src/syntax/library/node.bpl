// Nodes of linked structures, to be used after "base", and which of them lie on the way from one to another.

datatype Node<T> { Node(next: Option Loc, val: T) }

// Every node from l on is in the map.
function {:inline} InDomain<T>(nodes: Map (One Loc) (Node T), l: Option Loc): bool
{
  (forall x: Loc :: { nodes->dom[One(x)] } { BetweenSet(nodes->val, l, None())[Some(x)] }
    BetweenSet(nodes->val, l, None())[Some(x)] ==> nodes->dom[One(x)])
}

// From x one comes to y, and from there to z, without passing z before.
function Between<T>(f: [One Loc]Node T, x: Option Loc, y: Option Loc, z: Option Loc): bool;

// From x one comes to y without passing z.
function Avoiding<T>(f: [One Loc]Node T, x: Option Loc, y: Option Loc, z: Option Loc): bool;

// What lies between two places, both included.
function BetweenSet<T>(f: [One Loc]Node T, x: Option Loc, z: Option Loc): [Option Loc]bool;

axiom (forall<T> f: [One Loc]Node T, x: Option Loc, y: Option Loc, z: Option Loc ::
  { BetweenSet(f, x, z)[y] }
  BetweenSet(f, x, z)[y] <==> Between(f, x, y, z));
axiom (forall<T> f: [One Loc]Node T, x: Option Loc, y: Option Loc, z: Option Loc ::
  { Between(f, x, y, z), BetweenSet(f, x, z) }
  Between(f, x, y, z) ==> BetweenSet(f, x, z)[y]);
axiom (forall<T> f: [One Loc]Node T, x: Option Loc, z: Option Loc ::
  { BetweenSet(f, x, z) }
  Between(f, x, x, x) && Between(f, z, z, z));

// Everything is between itself and itself.
axiom (forall<T> f: [One Loc]Node T, x: Option Loc :: Between(f, x, x, x));
// One step leads to what follows.
axiom (forall<T> f: [One Loc]Node T, x: Loc ::
  { f[One(x)] }
  Between(f, Some(x), f[One(x)]->next, f[One(x)]->next));
// What can be reached is the place itself, or can be reached from what follows.
axiom (forall<T> f: [One Loc]Node T, x: Loc, y: Option Loc ::
  { f[One(x)], Between(f, Some(x), y, y) }
  Between(f, Some(x), y, y) ==> Some(x) == y || Between(f, Some(x), f[One(x)]->next, y));
// From a place that follows itself, nothing else can be reached.
axiom (forall<T> f: [One Loc]Node T, x: Loc, y: Option Loc ::
  { f[One(x)], Between(f, Some(x), y, y) }
  f[One(x)]->next == Some(x) && Between(f, Some(x), y, y) ==> Some(x) == y);
// From the end, nothing else can be reached.
axiom (forall<T> f: [One Loc]Node T, y: Option Loc ::
  { Between(f, None(), y, y) }
  Between(f, None(), y, y) ==> None() == y);
// Between a place and itself there is nothing else.
axiom (forall<T> f: [One Loc]Node T, x: Option Loc, y: Option Loc ::
  { Between(f, x, y, x) }
  Between(f, x, y, x) ==> x == y);
// Of two places that can be reached, one comes first.
axiom (forall<T> f: [One Loc]Node T, x: Option Loc, y: Option Loc, z: Option Loc ::
  { Between(f, x, y, y), Between(f, x, z, z) }
  Between(f, x, y, y) && Between(f, x, z, z) ==> Between(f, x, y, z) || Between(f, x, z, y));
// What lies between can be reached, and from there the rest.
axiom (forall<T> f: [One Loc]Node T, x: Option Loc, y: Option Loc, z: Option Loc ::
  { Between(f, x, y, z) }
  Between(f, x, y, z) ==> Between(f, x, y, y) && Between(f, y, z, z));
// Ways can be put together.
axiom (forall<T> f: [One Loc]Node T, x: Option Loc, y: Option Loc, z: Option Loc ::
  { Between(f, x, y, y), Between(f, y, z, z) }
  Between(f, x, y, y) && Between(f, y, z, z) ==> Between(f, x, z, z));
axiom (forall<T> f: [One Loc]Node T, x: Option Loc, y: Option Loc, z: Option Loc, w: Option Loc ::
  { Between(f, x, y, z), Between(f, y, w, z) }
  Between(f, x, y, z) && Between(f, y, w, z) ==> Between(f, x, y, w) && Between(f, x, w, z));
axiom (forall<T> f: [One Loc]Node T, x: Option Loc, y: Option Loc, z: Option Loc, w: Option Loc ::
  { Between(f, x, y, z), Between(f, x, w, y) }
  Between(f, x, y, z) && Between(f, x, w, y) ==> Between(f, x, w, z) && Between(f, w, y, z));
// Avoiding a place is coming by before it, or never coming to it.
axiom (forall<T> f: [One Loc]Node T, x: Option Loc, y: Option Loc, z: Option Loc ::
  { Avoiding(f, x, y, z) }
  Avoiding(f, x, y, z) <==> Between(f, x, y, z) || (Between(f, x, y, y) && !Between(f, x, z, z)));
// Coming by one place before another is coming to it without passing the other, and from there to that.
axiom (forall<T> f: [One Loc]Node T, u: Loc, n: Node T, x: Option Loc, y: Option Loc, z: Option Loc ::
  { Between(f[One(u) := n], x, y, z) }
  Between(f[One(u) := n], x, y, z) <==>
    Avoiding(f[One(u) := n], x, y, z) && Avoiding(f[One(u) := n], y, z, z));
// What a changed node changes: a way that does not leave through it stays; any other one leads to it, and
// goes on from where it points now, without coming back to it.
axiom (forall<T> f: [One Loc]Node T, u: Loc, n: Node T, x: Option Loc, y: Option Loc, z: Option Loc ::
  { Avoiding(f[One(u) := n], x, y, z) }
  Avoiding(f[One(u) := n], x, y, z) <==>
    (Avoiding(f, x, y, z) && Avoiding(f, x, y, Some(u))) ||
    (Some(u) != z && Avoiding(f, x, Some(u), z) &&
     Avoiding(f, n->next, y, z) && Avoiding(f, n->next, y, Some(u))));
