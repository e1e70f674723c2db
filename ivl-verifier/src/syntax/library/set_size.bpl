// The number of elements of finite sets.

function Set_Size<T>(a: [T]bool): int;
axiom (forall<T> a: [T]bool :: { Set_Size(a) } Set_Size(a) >= 0);
axiom (forall<T> a: [T]bool :: { Set_Size(a) } Set_Size(a) == 0 <==> a == Set_Empty());
axiom (forall<T> a: [T]bool, t: T :: { Set_Size(a[t := true]) }
  Set_Size(a[t := true]) == Set_Size(a) + (if a[t] then 0 else 1));
axiom (forall<T> a: [T]bool, t: T :: { Set_Size(a[t := false]) }
  Set_Size(a[t := false]) == Set_Size(a) - (if a[t] then 1 else 0));
axiom (forall<T> a: [T]bool, b: [T]bool :: { Set_Size(Set_Union(a, b)) }
  Set_Size(Set_Union(a, b)) + Set_Size(Set_Intersection(a, b)) == Set_Size(a) + Set_Size(b));
axiom (forall<T> a: [T]bool, b: [T]bool :: { Set_Size(Set_Difference(a, b)) }
  Set_Size(Set_Difference(a, b)) + Set_Size(Set_Intersection(a, b)) == Set_Size(a));

pure procedure Lemma_SetSize_Add<T>(a: [T]bool, t: T);
  ensures Set_Size(Set_Add(a, t)) == Set_Size(a) + (if a[t] then 0 else 1);

pure procedure Lemma_SetSize_Subset<T>(a: [T]bool, b: [T]bool);
  requires Set_IsSubset(a, b);
  ensures Set_Size(a) <= Set_Size(b);
  ensures Set_Size(a) + Set_Size(Set_Difference(b, a)) == Set_Size(b);
  ensures a == b || Set_Size(a) < Set_Size(b);
