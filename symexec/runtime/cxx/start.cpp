// Variables with constructors: those inside of functions, and what is called where there is nothing to call.
#include "abi.hpp"

extern "C" int __cxa_atexit(void (*function)(void *), void *argument, void *library);

// The first byte of a guard is looked at by the code that the compiler makes: whether the variable is there. The
// second one is set while it is being made.
extern "C" int __cxa_guard_acquire(char *guard) {
  if (guard[0])
    return 0;
  if (guard[1])
    __symexec_fail(FAIL_ABORT, "a static variable is used while it is initialized", nullptr);
  guard[1] = 1;
  return 1;
}

extern "C" void __cxa_guard_release(char *guard) {
  guard[0] = 1;
  guard[1] = 0;
}

extern "C" void __cxa_guard_abort(char *guard) { guard[1] = 0; }

// There is one thread, which ends with the program.
extern "C" int __cxa_thread_atexit(void (*function)(void *), void *argument, void *library) {
  return __cxa_atexit(function, argument, library);
}

extern "C" [[noreturn]] void __cxa_pure_virtual() {
  __symexec_fail(FAIL_ABORT, "pure virtual function called", nullptr);
}

extern "C" [[noreturn]] void __cxa_deleted_virtual() {
  __symexec_fail(FAIL_ABORT, "deleted virtual function called", nullptr);
}
