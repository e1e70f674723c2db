// What the files of the C++ runtime share: the type descriptions and exceptions of the Itanium C++ ABI.
//
// The runtime includes no header of any C++ library. Names and layouts that compilers and headers rely on are the
// ABI's; what is private here (the header of an exception, the functions of type descriptions) is our own.
//
// House rules: those of runtime.h. These files are compiled without exceptions; what they throw they throw by
// calling the ABI's functions.
#ifndef SYMEXEC_CXX_ABI_HPP
#define SYMEXEC_CXX_ABI_HPP

#include <stddef.h>
#include <stdint.h>

extern "C" {
void *malloc(size_t size);
void free(void *object);
void *memset(void *to, int byte, size_t count);
int strcmp(const char *left, const char *right);

// ---- What the engine provides ----

// A clause of a landing pad, in the order of the program's text.
struct __symexec_clause_t {
  // CLEANUP: a pad that wants to be entered whatever is thrown. CATCH: of a type, null for every one. ALLOWED: one of
  // the types of a filter, which ends with FILTER.
  enum : uint64_t { CLEANUP, CATCH, ALLOWED, FILTER } kind;
  const void *type;
  // What the pad expects if the clause is the one that was found.
  int64_t selector;
};
// The innermost activation, of the first `below` ones, that waits for a call with a landing pad, counted from 1; 0 if
// there is none.
size_t __symexec_pad(size_t below);
// The clause of a number of that activation's landing pad; whether there is one.
int __symexec_clause(size_t activation, size_t number, __symexec_clause_t *clause);
// Ends the activations above one, and goes on at its landing pad.
[[noreturn]] void __symexec_land(size_t activation, void *exception, int64_t selector);
// Memory of `operator new` (form 1) or `new[]` (form 2); null if there is none.
void *__symexec_new(size_t size, size_t alignment, int form);
// Whether the program has an own definition of `operator new`, of the plain one or of the one with an alignment.
int __symexec_replaces_new(int aligned);
// Ends the path at the program's innermost activation. A name of a type is made readable.
[[noreturn]] void __symexec_fail(int kind, const char *message, const char *type);
enum { FAIL_ABORT, FAIL_UNCAUGHT, FAIL_UNEXPECTED };
}

namespace std {
class type_info {
public:
  virtual ~type_info();
  const char *name;
};

class exception {
public:
  virtual ~exception();
  virtual const char *what() const noexcept;
};

using terminate_handler = void (*)();
using unexpected_handler = void (*)();
using new_handler = void (*)();
[[noreturn]] void terminate() noexcept;
} // namespace std

namespace __cxxabiv1 {
using std::type_info;

class __class_type_info;

// A type as `catch` sees it.
class __shim : public type_info {
public:
  ~__shim() override;
  // Whether an exception of a type is caught as this one. `object` is the exception object, for pointers their
  // value; it becomes what the handler gets.
  virtual bool catches(const __shim *thrown, void *&object) const;
  virtual const __class_type_info *as_class() const;
  virtual const class __pbase_type_info *as_pointer() const;
  virtual bool is_function() const;
  virtual bool is_void() const;
  virtual bool is_null() const;
};

// The search for a base of a class.
struct Bases {
  const __class_type_info *wanted;
  void *found;
  // Whether there are several, and whether some way to it is public.
  bool several, accessible;
};

// A way through the subobjects of an object, for `dynamic_cast`.
struct Walk {
  const void *source;
  const __class_type_info *source_type, *target_type;
  // Targets that have the source as a public base.
  void *down;
  bool several_down;
  // All targets.
  void *across;
  bool several_across, across_accessible;
  // Whether the source is a public base of the whole.
  bool source_accessible;
};

// Whether a place is inside a target, and how it is reached.
struct Place {
  bool accessible;
  void *target;
  bool accessible_from_target;
};

class __fundamental_type_info : public __shim {
public:
  ~__fundamental_type_info() override;
  bool is_void() const override;
  bool is_null() const override;
};
class __array_type_info : public __shim {
public:
  ~__array_type_info() override;
};
class __function_type_info : public __shim {
public:
  ~__function_type_info() override;
  bool is_function() const override;
};
class __enum_type_info : public __shim {
public:
  ~__enum_type_info() override;
};

// A class without bases, and what all classes share.
class __class_type_info : public __shim {
public:
  ~__class_type_info() override;
  bool catches(const __shim *thrown, void *&object) const override;
  const __class_type_info *as_class() const override;
  void look_for(Bases &bases, void *object, bool accessible) const;
  void walk(Walk &walk, void *object, Place place) const;

protected:
  virtual void look_in_bases(Bases &bases, void *object, bool accessible) const;
  virtual void walk_bases(Walk &walk, void *object, Place place) const;
};

// A class with one base, public, not virtual, at its start.
class __si_class_type_info : public __class_type_info {
public:
  ~__si_class_type_info() override;
  const __class_type_info *base;

protected:
  void look_in_bases(Bases &bases, void *object, bool accessible) const override;
  void walk_bases(Walk &walk, void *object, Place place) const override;
};

struct __base_class_type_info {
  const __class_type_info *type;
  long offset_flags;
  static constexpr long VIRTUAL = 1, PUBLIC = 2, SHIFT = 8;
  void *in(void *object) const;
};

// Any other class.
class __vmi_class_type_info : public __class_type_info {
public:
  ~__vmi_class_type_info() override;
  unsigned flags;
  unsigned count;
  __base_class_type_info bases[1];

protected:
  void look_in_bases(Bases &bases, void *object, bool accessible) const override;
  void walk_bases(Walk &walk, void *object, Place place) const override;
};

// What pointers and pointers to members share.
class __pbase_type_info : public __shim {
public:
  ~__pbase_type_info() override;
  unsigned flags;
  const __shim *pointee;
  static constexpr unsigned QUALIFIERS = 7, NO_EXCEPTIONS = 64;
  const __pbase_type_info *as_pointer() const override;
  virtual const __shim *member_of() const;

protected:
  bool converts(const __pbase_type_info *from, bool constant_so_far) const;
};
class __pointer_type_info : public __pbase_type_info {
public:
  ~__pointer_type_info() override;
  bool catches(const __shim *thrown, void *&object) const override;
};
class __pointer_to_member_type_info : public __pbase_type_info {
public:
  ~__pointer_to_member_type_info() override;
  const __shim *context;
  bool catches(const __shim *thrown, void *&object) const override;
  const __shim *member_of() const override;
};
} // namespace __cxxabiv1

#endif
