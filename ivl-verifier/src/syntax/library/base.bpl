// Maps, options, vectors, sequences, sets and finite maps.

// Pointwise operations.
function {:builtin "MapConst"} MapConst<T, U>(element: U): [T]U;
function {:builtin "MapEq"} MapEq<T, U>(a: [T]U, b: [T]U): [T]bool;
function {:builtin "MapIte"} MapIte<T, U>(c: [T]bool, a: [T]U, b: [T]U): [T]U;
function {:builtin "MapOr"} MapOr<T>(a: [T]bool, b: [T]bool): [T]bool;
function {:builtin "MapAnd"} MapAnd<T>(a: [T]bool, b: [T]bool): [T]bool;
function {:builtin "MapNot"} MapNot<T>(a: [T]bool): [T]bool;
function {:builtin "MapImp"} MapImp<T>(a: [T]bool, b: [T]bool): [T]bool;
function {:builtin "MapIff"} MapIff<T>(a: [T]bool, b: [T]bool): [T]bool;
function {:builtin "MapAdd"} MapAdd<T>(a: [T]int, b: [T]int): [T]int;
function {:builtin "MapSub"} MapSub<T>(a: [T]int, b: [T]int): [T]int;
function {:builtin "MapMul"} MapMul<T>(a: [T]int, b: [T]int): [T]int;
function {:builtin "MapDiv"} MapDiv<T>(a: [T]int, b: [T]int): [T]int;
function {:builtin "MapMod"} MapMod<T>(a: [T]int, b: [T]int): [T]int;
function {:builtin "MapGt"} MapGt<T>(a: [T]int, b: [T]int): [T]bool;
function {:builtin "MapGe"} MapGe<T>(a: [T]int, b: [T]int): [T]bool;
function {:builtin "MapLt"} MapLt<T>(a: [T]int, b: [T]int): [T]bool;
function {:builtin "MapLe"} MapLe<T>(a: [T]int, b: [T]int): [T]bool;
function {:inline} MapOne<T>(t: T): [T]bool { MapConst(false)[t := true] }
function {:inline} MapDiff<T>(a: [T]bool, b: [T]bool): [T]bool { MapAnd(a, MapNot(b)) }
function {:inline} ToMultiset<T>(set: [T]bool): [T]int { MapIte(set, MapConst(1), MapConst(0)) }
function {:inline} IsSubset<T>(a: [T]bool, b: [T]bool): bool { MapImp(a, b) == MapConst(true) }
function {:inline} IsDisjoint<T>(a: [T]bool, b: [T]bool): bool { MapAnd(a, b) == MapConst(false) }
function {:inline} Id<T>(t: T): T { t }
function Default<T>(): T;

datatype Unit { Unit() }
datatype Option<T> { None(), Some(t: T) }
datatype One<T> { One(val: T) }
type Loc;

// Vectors: what is beyond the length is of no account, and the same in all of them.
datatype Vec<T> { Vec(contents: [int]T, len: int) }
axiom (forall<T> v: Vec T :: { v->len } v->len >= 0);
axiom (forall<T> v: Vec T, i: int :: { v->contents[i] }
  (0 <= i && i < v->len) || v->contents[i] == Default());
function {:inline} Vec_Empty<T>(): Vec T { Vec(MapConst(Default()), 0) }
function {:inline} Vec_Len<T>(v: Vec T): int { v->len }
function {:inline} Vec_Nth<T>(v: Vec T, i: int): T { v->contents[i] }
function {:inline} Vec_Contains<T>(v: Vec T, i: int): bool { 0 <= i && i < v->len }
function {:inline} Vec_Append<T>(v: Vec T, x: T): Vec T { Vec(v->contents[v->len := x], v->len + 1) }
function {:inline} Vec_Update<T>(v: Vec T, i: int, x: T): Vec T
{
  if 0 <= i && i < v->len then Vec(v->contents[i := x], v->len) else v
}
function {:inline} Vec_Swap<T>(v: Vec T, i: int, j: int): Vec T
{
  if 0 <= i && i < v->len && 0 <= j && j < v->len
  then Vec(v->contents[i := v->contents[j]][j := v->contents[i]], v->len)
  else v
}
function {:inline} Vec_Remove<T>(v: Vec T): Vec T
{
  if 0 < v->len then Vec(v->contents[v->len - 1 := Default()], v->len - 1) else v
}
function {:inline} Vec_Concat<T>(a: Vec T, b: Vec T): Vec T
{
  Vec((lambda i: int ::
         if 0 <= i && i < a->len then a->contents[i]
         else if a->len <= i && i < a->len + b->len then b->contents[i - a->len]
         else Default()),
      a->len + b->len)
}
function {:inline} Vec_Slice<T>(v: Vec T, i: int, j: int): Vec T
{
  if 0 <= i && i <= j && j <= v->len
  then Vec((lambda k: int :: if 0 <= k && k < j - i then v->contents[k + i] else Default()), j - i)
  else Vec_Empty()
}

// Sequences of the solver.
type {:builtin "Seq"} Seq _;
function {:builtin "seq.empty"} Seq_Empty<T>(): Seq T;
function {:builtin "seq.len"} Seq_Len<T>(a: Seq T): int;
function {:builtin "seq.++"} Seq_Concat<T>(a: Seq T, b: Seq T): Seq T;
function {:builtin "seq.unit"} Seq_Unit<T>(v: T): Seq T;
function {:builtin "seq.nth"} Seq_Nth<T>(a: Seq T, i: int): T;
function {:builtin "seq.extract"} Seq_Extract<T>(a: Seq T, pos: int, length: int): Seq T;

// Sets.
function {:inline} Set_Empty<T>(): [T]bool { MapConst(false) }
function {:inline} Set_Singleton<T>(t: T): [T]bool { MapConst(false)[t := true] }
function {:inline} Set_Contains<T>(a: [T]bool, t: T): bool { a[t] }
function {:inline} Set_IsSubset<T>(a: [T]bool, b: [T]bool): bool { MapImp(a, b) == MapConst(true) }
function {:inline} Set_IsDisjoint<T>(a: [T]bool, b: [T]bool): bool { MapAnd(a, b) == MapConst(false) }
function {:inline} Set_Add<T>(a: [T]bool, t: T): [T]bool { a[t := true] }
function {:inline} Set_Remove<T>(a: [T]bool, t: T): [T]bool { a[t := false] }
function {:inline} Set_Union<T>(a: [T]bool, b: [T]bool): [T]bool { MapOr(a, b) }
function {:inline} Set_Difference<T>(a: [T]bool, b: [T]bool): [T]bool { MapAnd(a, MapNot(b)) }
function {:inline} Set_Intersection<T>(a: [T]bool, b: [T]bool): [T]bool { MapAnd(a, b) }
function Set_Choose<T>(a: [T]bool): T;
axiom (forall<T> a: [T]bool :: { Set_Choose(a) } a == Set_Empty() || a[Set_Choose(a)]);

// Maps with a domain.
datatype Map<T, U> { Map(dom: [T]bool, val: [T]U) }
function {:inline} Map_Empty<T, U>(): Map T U { Map(MapConst(false), MapConst(Default())) }
function {:inline} Map_Singleton<T, U>(t: T, u: U): Map T U
{
  Map(MapOne(t), MapConst(Default())[t := u])
}
function {:inline} Map_Contains<T, U>(a: Map T U, t: T): bool { a->dom[t] }
function {:inline} Map_At<T, U>(a: Map T U, t: T): U { a->val[t] }
function {:inline} Map_Update<T, U>(a: Map T U, t: T, u: U): Map T U { Map(a->dom[t := true], a->val[t := u]) }
function {:inline} Map_Remove<T, U>(a: Map T U, t: T): Map T U
{
  Map(a->dom[t := false], a->val[t := Default()])
}
function {:inline} Map_Swap<T, U>(a: Map T U, t1: T, t2: T): Map T U
{
  Map_Update(Map_Update(a, t1, Map_At(a, t2)), t2, Map_At(a, t1))
}
function {:inline} Map_IsDisjoint<T, U>(a: Map T U, b: Map T U): bool { IsDisjoint(a->dom, b->dom) }
function {:inline} Map_Extract<T, U>(a: Map T U, t: [T]bool): Map T U
{
  Map(MapAnd(t, a->dom), MapIte(t, a->val, MapConst(Default())))
}
function {:inline} Map_Exclude<T, U>(a: Map T U, t: [T]bool): Map T U
{
  Map(MapDiff(a->dom, t), MapIte(t, MapConst(Default()), a->val))
}
function {:inline} Map_Union<T, U>(a: Map T U, b: Map T U): Map T U
{
  Map(MapOr(a->dom, b->dom), MapIte(a->dom, a->val, b->val))
}
