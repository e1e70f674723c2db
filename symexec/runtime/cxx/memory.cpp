// `operator new` and what it throws. `operator delete` is the engine's: it knows how memory was allocated.
#include "abi.hpp"

namespace std {
enum class align_val_t : size_t {};
struct nothrow_t {};
extern const nothrow_t nothrow;
const nothrow_t nothrow{};

class bad_alloc : public exception {
public:
  bad_alloc() noexcept;
  ~bad_alloc() override;
  const char *what() const noexcept override;
};
class bad_array_new_length : public bad_alloc {
public:
  bad_array_new_length() noexcept;
  ~bad_array_new_length() override;
  const char *what() const noexcept override;
};
class bad_cast : public exception {
public:
  bad_cast() noexcept;
  ~bad_cast() override;
  const char *what() const noexcept override;
};
class bad_typeid : public exception {
public:
  bad_typeid() noexcept;
  ~bad_typeid() override;
  const char *what() const noexcept override;
};
class bad_exception : public exception {
public:
  bad_exception() noexcept {}
  ~bad_exception() override;
  const char *what() const noexcept override;
};

bad_alloc::bad_alloc() noexcept {}
bad_alloc::~bad_alloc() {}
const char *bad_alloc::what() const noexcept { return "std::bad_alloc"; }
bad_array_new_length::bad_array_new_length() noexcept {}
bad_array_new_length::~bad_array_new_length() {}
const char *bad_array_new_length::what() const noexcept { return "bad_array_new_length"; }
bad_cast::bad_cast() noexcept {}
bad_cast::~bad_cast() {}
const char *bad_cast::what() const noexcept { return "std::bad_cast"; }
bad_typeid::bad_typeid() noexcept {}
bad_typeid::~bad_typeid() {}
const char *bad_typeid::what() const noexcept { return "std::bad_typeid"; }
bad_exception::~bad_exception() {}
const char *bad_exception::what() const noexcept { return "std::bad_exception"; }

static new_handler current_handler;
new_handler set_new_handler(new_handler handler) noexcept {
  new_handler before = current_handler;
  current_handler = handler;
  return before;
}
new_handler get_new_handler() noexcept { return current_handler; }
} // namespace std

extern "C" {
void *__cxa_allocate_exception(size_t size) noexcept;
[[noreturn]] void __cxa_throw(void *object, const void *type, void (*destructor)(void *));
}
// Placement, under a name that no program has.
namespace __cxxabiv1 {
struct At {
  void *place;
};
} // namespace __cxxabiv1
void *operator new(size_t, __cxxabiv1::At at) noexcept { return at.place; }

// What throw expressions are compiled to.
template <class Exception> [[noreturn]] static void throw_new() {
  void *object = __cxa_allocate_exception(sizeof(Exception));
  new (__cxxabiv1::At{object}) Exception;
  __cxa_throw(object, &typeid(Exception), [](void *gone) { ((Exception *)gone)->~Exception(); });
}

extern "C" [[noreturn]] void __cxa_bad_cast() { throw_new<std::bad_cast>(); }
extern "C" [[noreturn]] void __cxa_bad_typeid() { throw_new<std::bad_typeid>(); }
extern "C" [[noreturn]] void __cxa_throw_bad_array_new_length() { throw_new<std::bad_array_new_length>(); }

enum { SINGLE = 1, ARRAY = 2, ALIGNMENT = 16 };

// Memory, asking the program's handler for more as long as it has one.
static void *memory(size_t size, size_t alignment, int form, bool throws) {
  for (;;) {
    void *object = __symexec_new(size, alignment, form);
    if (object != nullptr)
      return object;
    if (std::current_handler == nullptr) {
      if (throws)
        throw_new<std::bad_alloc>();
      return nullptr;
    }
    std::current_handler();
  }
}

void *operator new(size_t size) { return memory(size, ALIGNMENT, SINGLE, true); }
void *operator new(size_t size, const std::nothrow_t &) noexcept {
  if (__symexec_replaces_new(0))
    return operator new(size);
  return memory(size, ALIGNMENT, SINGLE, false);
}
void *operator new(size_t size, std::align_val_t alignment) {
  return memory(size, (size_t)alignment, SINGLE, true);
}
void *operator new(size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  if (__symexec_replaces_new(1))
    return operator new(size, alignment);
  return memory(size, (size_t)alignment, SINGLE, false);
}
// Arrays come from the program's `operator new` if it has one.
void *operator new[](size_t size) {
  if (__symexec_replaces_new(0))
    return operator new(size);
  return memory(size, ALIGNMENT, ARRAY, true);
}
void *operator new[](size_t size, const std::nothrow_t &) noexcept {
  if (__symexec_replaces_new(0))
    return operator new(size);
  return memory(size, ALIGNMENT, ARRAY, false);
}
void *operator new[](size_t size, std::align_val_t alignment) {
  if (__symexec_replaces_new(1))
    return operator new(size, alignment);
  return memory(size, (size_t)alignment, ARRAY, true);
}
void *operator new[](size_t size, std::align_val_t alignment, const std::nothrow_t &) noexcept {
  if (__symexec_replaces_new(1))
    return operator new(size, alignment);
  return memory(size, (size_t)alignment, ARRAY, false);
}
