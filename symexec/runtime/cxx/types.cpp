// Type descriptions: what `catch` catches, and `dynamic_cast`.
//
// Descriptions of one type are one object, since programs are linked to one module; so types are compared by
// address.
#include "abi.hpp"

namespace std {
type_info::~type_info() {}
} // namespace std

namespace __cxxabiv1 {

// Compilers emit the descriptions of int, char * and their like beside the first of these.
__fundamental_type_info::~__fundamental_type_info() {}
__shim::~__shim() {}
__array_type_info::~__array_type_info() {}
__function_type_info::~__function_type_info() {}
__enum_type_info::~__enum_type_info() {}
__class_type_info::~__class_type_info() {}
__si_class_type_info::~__si_class_type_info() {}
__vmi_class_type_info::~__vmi_class_type_info() {}
__pbase_type_info::~__pbase_type_info() {}
__pointer_type_info::~__pointer_type_info() {}
__pointer_to_member_type_info::~__pointer_to_member_type_info() {}

bool __shim::catches(const __shim *thrown, void *&) const { return this == thrown; }
const __class_type_info *__shim::as_class() const { return nullptr; }
const __pbase_type_info *__shim::as_pointer() const { return nullptr; }
bool __shim::is_function() const { return false; }
bool __shim::is_void() const { return false; }
bool __shim::is_null() const { return false; }
bool __fundamental_type_info::is_void() const { return strcmp(name, "v") == 0; }
bool __fundamental_type_info::is_null() const { return strcmp(name, "Dn") == 0; }
bool __function_type_info::is_function() const { return true; }
const __class_type_info *__class_type_info::as_class() const { return this; }
const __pbase_type_info *__pbase_type_info::as_pointer() const { return this; }
const __shim *__pbase_type_info::member_of() const { return nullptr; }
const __shim *__pointer_to_member_type_info::member_of() const { return context; }

// ---- Bases ----

void *__base_class_type_info::in(void *object) const {
  if (object == nullptr)
    return nullptr;
  ptrdiff_t offset = offset_flags >> SHIFT;
  // The place of a virtual base is in the table of the object that has it.
  if (offset_flags & VIRTUAL)
    offset = *(ptrdiff_t *)(*(char **)object + offset);
  return (char *)object + offset;
}

void __class_type_info::look_for(Bases &bases, void *object, bool accessible) const {
  if (this != bases.wanted) {
    look_in_bases(bases, object, accessible);
    return;
  }
  if (bases.found == nullptr) {
    bases.found = object;
    bases.accessible = accessible;
  } else if (bases.found == object) {
    bases.accessible |= accessible;
  } else {
    bases.several = true;
  }
}

void __class_type_info::look_in_bases(Bases &, void *, bool) const {}

void __si_class_type_info::look_in_bases(Bases &bases, void *object, bool accessible) const {
  base->look_for(bases, object, accessible);
}

void __vmi_class_type_info::look_in_bases(Bases &search, void *object, bool accessible) const {
  for (unsigned i = 0; i < count; i++)
    bases[i].type->look_for(search, bases[i].in(object),
                            accessible && (bases[i].offset_flags & __base_class_type_info::PUBLIC));
}

// Whether a class is a public base of another, of which there is one; `object` becomes it.
static bool public_base(const __class_type_info *derived, const __class_type_info *base, void *&object) {
  if (derived == base)
    return true;
  Bases bases = {base, nullptr, false, false};
  derived->look_for(bases, object, true);
  if (bases.found == nullptr || bases.several || !bases.accessible)
    return false;
  object = bases.found;
  return true;
}

bool __class_type_info::catches(const __shim *thrown, void *&object) const {
  const __class_type_info *type = thrown->as_class();
  return type != nullptr && public_base(type, this, object);
}

// The same by descriptions alone: a null pointer leads to no table that has the places of virtual bases.
static bool mentions(const __shim *derived, const __shim *base);

// ---- Pointers ----

bool __pbase_type_info::converts(const __pbase_type_info *from, bool constant_so_far) const {
  // Qualifiers may be added, and `noexcept` taken away.
  if ((from->flags & QUALIFIERS) & ~(flags & QUALIFIERS))
    return false;
  if ((flags & NO_EXCEPTIONS) & ~(from->flags & NO_EXCEPTIONS))
    return false;
  // What is added further in needs `const` all the way out.
  if ((flags & QUALIFIERS) != (from->flags & QUALIFIERS) && !constant_so_far)
    return false;
  if (member_of() != from->member_of())
    return false;
  if (pointee == from->pointee)
    return true;
  const __pbase_type_info *inner = pointee->as_pointer(), *from_inner = from->pointee->as_pointer();
  return inner != nullptr && from_inner != nullptr &&
         (inner->member_of() == nullptr) == (from_inner->member_of() == nullptr) &&
         inner->converts(from_inner, constant_so_far && (flags & 1));
}

bool __pointer_type_info::catches(const __shim *thrown, void *&object) const {
  if (thrown->is_null()) {
    object = nullptr;
    return true;
  }
  const __pbase_type_info *from = thrown->as_pointer();
  if (from == nullptr || from->member_of() != nullptr)
    return false;
  void *value = *(void **)object;
  bool fits = converts(from, true);
  if (!fits && !((from->flags & QUALIFIERS) & ~(flags & QUALIFIERS))) {
    const __class_type_info *base = pointee->as_class(), *derived = from->pointee->as_class();
    if (pointee->is_void())
      fits = !from->pointee->is_function();
    else if (base != nullptr && derived != nullptr)
      fits = value == nullptr ? mentions(derived, base) : public_base(derived, base, value);
  }
  if (fits)
    object = value;
  return fits;
}

bool __pointer_to_member_type_info::catches(const __shim *thrown, void *&object) const {
  // What a handler gets for nullptr: no function, and no member.
  static const struct {
    ptrdiff_t function, adjustment;
  } no_function = {0, 0};
  static const ptrdiff_t no_member = -1;
  if (thrown->is_null()) {
    object = pointee->is_function() ? (void *)&no_function : (void *)&no_member;
    return true;
  }
  const __pbase_type_info *from = thrown->as_pointer();
  return from != nullptr && from->member_of() != nullptr && converts(from, true);
}

extern "C" {
extern void *_ZTVN10__cxxabiv120__si_class_type_infoE[];
extern void *_ZTVN10__cxxabiv121__vmi_class_type_infoE[];
}

static bool mentions(const __shim *derived, const __shim *base) {
  if (derived == base)
    return true;
  void *table = *(void **)derived;
  if (table == _ZTVN10__cxxabiv120__si_class_type_infoE + 2)
    return mentions(((const __si_class_type_info *)derived)->base, base);
  if (table == _ZTVN10__cxxabiv121__vmi_class_type_infoE + 2) {
    const __vmi_class_type_info *type = (const __vmi_class_type_info *)derived;
    for (unsigned i = 0; i < type->count; i++)
      if ((type->bases[i].offset_flags & __base_class_type_info::PUBLIC) && mentions(type->bases[i].type, base))
        return true;
  }
  return false;
}

// ---- dynamic_cast ----

void __class_type_info::walk(Walk &walk, void *object, Place place) const {
  if (this == walk.source_type && object == walk.source) {
    walk.source_accessible |= place.accessible;
    if (place.target != nullptr && place.accessible_from_target) {
      walk.several_down |= walk.down != nullptr && walk.down != place.target;
      walk.down = place.target;
    }
  }
  if (this == walk.target_type) {
    if (walk.across == nullptr || walk.across == object) {
      walk.across_accessible |= place.accessible;
      walk.across = object;
    } else {
      walk.several_across = true;
    }
    place.target = object;
    place.accessible_from_target = true;
  }
  walk_bases(walk, object, place);
}

void __class_type_info::walk_bases(Walk &, void *, Place) const {}

void __si_class_type_info::walk_bases(Walk &walk, void *object, Place place) const {
  base->walk(walk, object, place);
}

void __vmi_class_type_info::walk_bases(Walk &walk, void *object, Place place) const {
  for (unsigned i = 0; i < count; i++) {
    bool accessible = bases[i].offset_flags & __base_class_type_info::PUBLIC;
    Place inside = {place.accessible && accessible, place.target, place.accessible_from_target && accessible};
    bases[i].type->walk(walk, bases[i].in(object), inside);
  }
}

extern "C" void *__dynamic_cast(const void *source, const __class_type_info *source_type,
                                const __class_type_info *target_type, ptrdiff_t) {
  // Before the functions of an object's table stand its description and how far the whole object is.
  void **table = *(void ***)source;
  void *whole = (char *)source + (ptrdiff_t)table[-2];
  const __class_type_info *type = (const __class_type_info *)table[-1];
  Walk walk = {source, source_type, target_type, nullptr, false, nullptr, false, false, false};
  type->walk(walk, whole, {true, nullptr, false});
  if (walk.down != nullptr && !walk.several_down)
    return walk.down;
  if (walk.down == nullptr && walk.source_accessible && walk.across_accessible && !walk.several_across)
    return walk.across;
  return nullptr;
}

} // namespace __cxxabiv1
