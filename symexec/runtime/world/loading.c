/* Libraries that are loaded while the program runs: none is found. Stacks cannot be walked. */
#include "../source/runtime.h"

int snprintf(char *restrict, size_t, const char *restrict, ...);

void *dlopen(const char *path, int flags) { return (void)path, (void)flags, NULL; }
void *dlsym(void *library, const char *name) { return (void)library, (void)name, NULL; }
int dlclose(void *library) { return (void)library, 0; }
char *dlerror(void) { return "libraries cannot be loaded here"; }
int dl_iterate_phdr(int (*visit)(void *, size_t, void *), void *data) { return (void)visit, (void)data, 0; }
int _Unwind_Backtrace(int (*visit)(void *, void *), void *data) { return (void)visit, (void)data, 0; }
uintptr_t _Unwind_GetIP(void *activation) { return (void)activation, 0; }
int backtrace(void **to, int count) { return (void)to, (void)count, 0; }
/* What glibc says of addresses in no library. */
char **backtrace_symbols(void *const *from, int count) {
  enum { LENGTH = 24 };
  size_t many = count < 0 ? 0 : (size_t)count;
  char **texts = malloc(many * (sizeof *texts + LENGTH) + 1);
  for (size_t i = 0; texts != NULL && i < many; i++) {
    texts[i] = (char *)(texts + many) + i * LENGTH;
    snprintf(texts[i], LENGTH, "[%p]", from[i]);
  }
  return texts;
}
int dladdr(const void *address, void *to) { return (void)address, (void)to, 0; }
void backtrace_symbols_fd(void *const *from, int count, int descriptor) {
  (void)from, (void)count, (void)descriptor;
}
