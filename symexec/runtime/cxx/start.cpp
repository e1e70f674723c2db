// Variables with constructors: those inside of functions, and what is called where there is nothing to call.
#include "abi.hpp"

extern "C" int __cxa_atexit(void (*function)(void *), void *argument, void *library);
extern "C" unsigned long __symexec_threads_self();
extern "C" bool __symexec_threads_wait(const void *until);
extern "C" [[noreturn]] void __symexec_threads_forever();
extern "C" bool __symexec_threads_at_end(void (*function)(void *), void *argument);

// The first byte of a guard is looked at by the code that the compiler makes: whether the variable is there. The
// second one is set while it is being made, and behind it is the thread that does so.
extern "C" int __cxa_guard_acquire(char *guard) {
  unsigned *maker = (unsigned *)(guard + 4), self = (unsigned)__symexec_threads_self();
  if (!guard[0] && guard[1] && *maker == self)
    __symexec_fail(FAIL_ABORT, "a static variable is used while it is initialized", nullptr);
  while (!guard[0] && guard[1])
    if (!__symexec_threads_wait(nullptr))
      __symexec_threads_forever();
  if (guard[0])
    return 0;
  guard[1] = 1;
  *maker = self;
  return 1;
}

extern "C" void __cxa_guard_release(char *guard) {
  guard[0] = 1;
  guard[1] = 0;
}

extern "C" void __cxa_guard_abort(char *guard) { guard[1] = 0; }

// The first thread ends with the program.
extern "C" int __cxa_thread_atexit(void (*function)(void *), void *argument, void *library) {
  return __symexec_threads_at_end(function, argument) ? 0 : __cxa_atexit(function, argument, library);
}

extern "C" [[noreturn]] void __cxa_pure_virtual() {
  __symexec_fail(FAIL_ABORT, "pure virtual function called", nullptr);
}

extern "C" [[noreturn]] void __cxa_deleted_virtual() {
  __symexec_fail(FAIL_ABORT, "deleted virtual function called", nullptr);
}
