/* Libraries that are loaded while the program runs: none is found. Stacks cannot be walked. */
#include "../source/runtime.h"

void *dlopen(const char *path, int flags) { return (void)path, (void)flags, NULL; }
void *dlsym(void *library, const char *name) { return (void)library, (void)name, NULL; }
int dlclose(void *library) { return (void)library, 0; }
char *dlerror(void) { return "libraries cannot be loaded here"; }
int dl_iterate_phdr(int (*visit)(void *, size_t, void *), void *data) { return (void)visit, (void)data, 0; }
int _Unwind_Backtrace(int (*visit)(void *, void *), void *data) { return (void)visit, (void)data, 0; }
uintptr_t _Unwind_GetIP(void *activation) { return (void)activation, 0; }
int backtrace(void **to, int count) { return (void)to, (void)count, 0; }
void backtrace_symbols_fd(void *const *from, int count, int descriptor) {
  (void)from, (void)count, (void)descriptor;
}
