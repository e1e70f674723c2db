// Exceptions: throwing, finding who catches, unwinding, catching.
//
// The engine tells which activations wait for calls with landing pads and what these pads catch, and goes on at one
// of them. Everything else is here: whoever catches is looked for before anything is unwound, so that an exception
// that nobody catches is told where it was thrown. What is caught, and how many exceptions are on their way, is in
// variables, so it forks with the path.
#include "abi.hpp"

namespace std {
exception::~exception() {}
const char *exception::what() const noexcept { return "std::exception"; }
} // namespace std

namespace __cxxabiv1 {

struct _Unwind_Exception {
  uint64_t language;
  void (*cleanup)(int reason, _Unwind_Exception *exception);
  // The activation that catches.
  uintptr_t handler;
  uintptr_t unused;
} __attribute__((aligned(16)));

enum { FOREIGN_EXCEPTION_CAUGHT = 1, END_OF_STACK = 5 };

// What stands before an exception object.
struct Header {
  // Itself, or what was thrown again by std::rethrow_exception.
  Header *primary;
  // Handlers, pointers to the exception, and throws of it again.
  size_t references;
  const __shim *type;
  void (*destructor)(void *);
  // The one that was caught before.
  Header *next;
  // How many handlers are at work on it; negative while it is thrown again.
  intptr_t handlers;
  // What the handler gets.
  void *adjusted;
  _Unwind_Exception unwind;

  void *object() { return primary + 1; }
};
static_assert(sizeof(Header) % 16 == 0, "objects behind headers are aligned");

// "SYMXC++\0", so that exceptions of other languages are told.
static constexpr uint64_t LANGUAGE = 0x53594d58432b2b00;

static thread_local Header *caught;
static thread_local unsigned on_their_way;
static std::terminate_handler terminate_handler;
static std::unexpected_handler unexpected_handler;

static Header *header_of(void *object) { return (Header *)object - 1; }
static Header *header_of(_Unwind_Exception *exception) {
  return (Header *)((char *)exception - offsetof(Header, unwind));
}
static bool is_own(const _Unwind_Exception *exception) { return exception->language == LANGUAGE; }

// ---- Looking for a landing pad ----

struct Found {
  // Whether somebody catches, and else whether something wants to be cleaned up.
  bool catches, cleans;
  int64_t selector;
  void *adjusted;
};

// What a landing pad does with an exception.
static Found ask(size_t activation, _Unwind_Exception *exception) {
  const __shim *thrown = is_own(exception) ? header_of(exception)->type : nullptr;
  Found found = {false, false, 0, is_own(exception) ? header_of(exception)->object() : exception + 1};
  // Whether a type of the filter that is being read lets the exception pass.
  bool allowed = false;
  __symexec_clause_t clause;
  for (size_t i = 0; __symexec_clause(activation, i, &clause); i++) {
    const __shim *type = (const __shim *)clause.type;
    void *adjusted = found.adjusted;
    switch (clause.kind) {
    case __symexec_clause_t::CLEANUP:
      found.cleans = true;
      break;
    case __symexec_clause_t::CATCH:
      // What catches everything gets the object as it is, a pointer by its value.
      if (type == nullptr) {
        if (thrown != nullptr && thrown->as_pointer() != nullptr && thrown->as_pointer()->member_of() == nullptr)
          adjusted = *(void **)adjusted;
      } else if (thrown == nullptr || !type->catches(thrown, adjusted)) {
        break;
      }
      return {true, found.cleans, clause.selector, adjusted};
    case __symexec_clause_t::ALLOWED:
      allowed |= type == nullptr || (thrown != nullptr && type->catches(thrown, adjusted));
      break;
    case __symexec_clause_t::FILTER:
      if (!allowed)
        return {true, found.cleans, clause.selector, adjusted};
      allowed = false;
      break;
    }
  }
  return found;
}

// Goes on at the next landing pad on the way to the handler.
[[noreturn]] static void unwind(_Unwind_Exception *exception) {
  for (size_t activation = __symexec_pad(SIZE_MAX); activation > exception->handler;
       activation = __symexec_pad(activation - 1))
    if (ask(activation, exception).cleans)
      __symexec_land(activation, exception, 0);
  Found found = ask(exception->handler, exception);
  if (is_own(exception))
    header_of(exception)->adjusted = found.adjusted;
  __symexec_land(exception->handler, exception, found.selector);
}

extern "C" int _Unwind_RaiseException(_Unwind_Exception *exception) {
  for (size_t activation = __symexec_pad(SIZE_MAX); activation > 0; activation = __symexec_pad(activation - 1))
    if (ask(activation, exception).catches) {
      exception->handler = activation;
      unwind(exception);
    }
  return END_OF_STACK;
}

// What `resume` calls.
extern "C" [[noreturn]] void _Unwind_Resume(_Unwind_Exception *exception) { unwind(exception); }

extern "C" int _Unwind_Resume_or_Rethrow(_Unwind_Exception *exception) {
  return _Unwind_RaiseException(exception);
}

extern "C" void _Unwind_DeleteException(_Unwind_Exception *exception) {
  if (exception->cleanup != nullptr)
    exception->cleanup(FOREIGN_EXCEPTION_CAUGHT, exception);
}

// ---- Exception objects ----

extern "C" void *__cxa_allocate_exception(size_t size) noexcept {
  Header *header = (Header *)malloc(sizeof(Header) + size);
  if (header == nullptr)
    std::terminate();
  memset(header, 0, sizeof *header);
  header->primary = header;
  return header->object();
}

extern "C" void __cxa_free_exception(void *object) noexcept { free(header_of(object)); }

static void release(Header *header) {
  Header *primary = header->primary;
  if (header != primary)
    free(header);
  if (--primary->references > 0)
    return;
  if (primary->destructor != nullptr)
    primary->destructor(primary->object());
  free(primary);
}

static void clean_up(int, _Unwind_Exception *exception) { release(header_of(exception)); }

static void prepare(Header *header) {
  header->unwind.language = LANGUAGE;
  header->unwind.cleanup = clean_up;
}

extern "C" Header *__cxa_init_primary_exception(void *object, const __shim *type, void (*destructor)(void *)) noexcept {
  Header *header = header_of(object);
  header->type = type;
  header->destructor = destructor;
  prepare(header);
  return header;
}

extern "C" void *__cxa_begin_catch(void *thrown) noexcept;

// An exception that nobody catches counts as caught while the program is told.
[[noreturn]] static void raise(Header *header) {
  on_their_way++;
  _Unwind_RaiseException(&header->unwind);
  __cxa_begin_catch(&header->unwind);
  std::terminate();
}

extern "C" [[noreturn]] void __cxa_throw(void *object, const __shim *type, void (*destructor)(void *)) {
  Header *header = __cxa_init_primary_exception(object, type, destructor);
  header->references = 1;
  raise(header);
}

extern "C" void *__cxa_get_exception_ptr(void *thrown) noexcept {
  return header_of((_Unwind_Exception *)thrown)->adjusted;
}

extern "C" void *__cxa_begin_catch(void *thrown) noexcept {
  _Unwind_Exception *exception = (_Unwind_Exception *)thrown;
  if (!is_own(exception))
    return exception + 1;
  Header *header = header_of(exception);
  header->handlers = (header->handlers < 0 ? -header->handlers : header->handlers) + 1;
  if (header != caught) {
    header->next = caught;
    caught = header;
  }
  on_their_way--;
  return header->adjusted;
}

extern "C" void __cxa_end_catch() {
  Header *header = caught;
  if (header == nullptr)
    return;
  if (header->handlers < 0) {
    // Thrown again: it lives on.
    if (++header->handlers == 0)
      caught = header->next;
  } else if (--header->handlers == 0) {
    caught = header->next;
    release(header);
  }
}

extern "C" [[noreturn]] void __cxa_rethrow() {
  Header *header = caught;
  if (header == nullptr)
    std::terminate();
  header->handlers = -header->handlers;
  raise(header);
}

extern "C" const type_info *__cxa_current_exception_type() noexcept {
  return caught == nullptr ? nullptr : caught->type;
}

extern "C" unsigned __cxa_uncaught_exceptions() noexcept { return on_their_way; }
extern "C" bool __cxa_uncaught_exception() noexcept { return on_their_way > 0; }

// ---- Pointers to exceptions ----

extern "C" void __cxa_increment_exception_refcount(void *object) noexcept {
  if (object != nullptr)
    header_of(object)->references++;
}

extern "C" void __cxa_decrement_exception_refcount(void *object) noexcept {
  if (object != nullptr)
    release(header_of(object));
}

extern "C" void *__cxa_current_primary_exception() noexcept {
  if (caught == nullptr)
    return nullptr;
  caught->primary->references++;
  return caught->object();
}

extern "C" void __cxa_rethrow_primary_exception(void *object) {
  if (object == nullptr)
    return;
  // It may be at work elsewhere, so that it is thrown through a header of its own.
  Header *primary = header_of(object), *header = (Header *)malloc(sizeof(Header));
  if (header == nullptr)
    std::terminate();
  memset(header, 0, sizeof *header);
  header->primary = primary;
  header->type = primary->type;
  primary->references++;
  prepare(header);
  raise(header);
}

// ---- The end ----

static const char *what_it_says() {
  void *object = caught->object();
  if (!((const __shim &)typeid(std::exception)).catches(caught->type, object))
    return nullptr;
  return ((std::exception *)object)->what();
}

[[noreturn]] static void give_up(int kind) {
  if (caught == nullptr)
    __symexec_fail(FAIL_ABORT, "std::terminate is called without an exception", nullptr);
  __symexec_fail(kind, what_it_says(), caught->type->name);
}

} // namespace __cxxabiv1

using namespace __cxxabiv1;

namespace std {
[[noreturn]] void terminate() noexcept {
  std::terminate_handler handler = __cxxabiv1::terminate_handler;
  if (handler != nullptr) {
    handler();
    __symexec_fail(FAIL_ABORT, "the handler of std::terminate returned", nullptr);
  }
  give_up(FAIL_UNCAUGHT);
}

terminate_handler set_terminate(terminate_handler handler) noexcept {
  std::terminate_handler before = __cxxabiv1::terminate_handler;
  __cxxabiv1::terminate_handler = handler;
  return before != nullptr ? before : (std::terminate_handler)terminate;
}

terminate_handler get_terminate() noexcept {
  return __cxxabiv1::terminate_handler != nullptr ? __cxxabiv1::terminate_handler
                                                  : (std::terminate_handler)terminate;
}

[[noreturn]] void unexpected() {
  if (__cxxabiv1::unexpected_handler != nullptr) {
    __cxxabiv1::unexpected_handler();
    terminate();
  }
  if (__cxxabiv1::terminate_handler != nullptr)
    terminate();
  give_up(FAIL_UNEXPECTED);
}

unexpected_handler set_unexpected(unexpected_handler handler) noexcept {
  std::unexpected_handler before = __cxxabiv1::unexpected_handler;
  __cxxabiv1::unexpected_handler = handler;
  return before != nullptr ? before : (std::unexpected_handler)terminate;
}

unexpected_handler get_unexpected() noexcept {
  return __cxxabiv1::unexpected_handler != nullptr ? __cxxabiv1::unexpected_handler
                                                   : (std::unexpected_handler)terminate;
}

bool uncaught_exception() noexcept { return on_their_way > 0; }
int uncaught_exceptions() noexcept { return (int)on_their_way; }
} // namespace std

// What a filter that an exception does not pass leads to.
extern "C" [[noreturn]] void __cxa_call_unexpected(void *thrown) {
  __cxa_begin_catch(thrown);
  std::unexpected();
}

// What newer compilers call where an exception leaves a function that is `noexcept`.
extern "C" [[noreturn]] void __cxa_call_terminate(void *thrown) noexcept {
  __cxa_begin_catch(thrown);
  std::terminate();
}
