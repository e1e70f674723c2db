/* The network: there is none. Sockets cannot be made, names are not known; numbers of addresses are read and
 * written as anywhere. */
#include "../source/runtime.h"

enum { EAGAIN = 11, EACCES = 13, ENOSYS = 38, ENOTSOCK = 88, EAFNOSUPPORT = 97, INTERNET = 2, INTERNET_6 = 10 };

int dprintf(int descriptor, const char *format, ...);
int fcntl(int descriptor, int command, ...);

/* struct in6_addr: no address, and this machine's. */
const uint8_t in6addr_any[16] = {0};
const uint8_t in6addr_loopback[16] = {[15] = 1};

static int fail(int error) {
  errno = error;
  return -1;
}

int socket(int family, int type, int protocol) {
  (void)family, (void)type, (void)protocol;
  return fail(EAFNOSUPPORT);
}
int socketpair(int family, int type, int protocol, int *ends) {
  (void)family, (void)type, (void)protocol, (void)ends;
  return fail(EAFNOSUPPORT);
}

/* No descriptor is a socket. */
static int no_socket(int descriptor) { return fcntl(descriptor, 1) < 0 ? -1 : fail(ENOTSOCK); }

int bind(int socket, const void *address, unsigned size) { return (void)address, (void)size, no_socket(socket); }
int connect(int socket, const void *address, unsigned size) { return (void)address, (void)size, no_socket(socket); }
int listen(int socket, int count) { return (void)count, no_socket(socket); }
int accept(int socket, void *address, unsigned *size) { return (void)address, (void)size, no_socket(socket); }
int accept4(int socket, void *address, unsigned *size, int flags) {
  return (void)address, (void)size, (void)flags, no_socket(socket);
}
int shutdown(int socket, int how) { return (void)how, no_socket(socket); }
int getsockname(int socket, void *address, unsigned *size) { return (void)address, (void)size, no_socket(socket); }
int getpeername(int socket, void *address, unsigned *size) { return (void)address, (void)size, no_socket(socket); }
int getsockopt(int socket, int level, int name, void *value, unsigned *size) {
  return (void)level, (void)name, (void)value, (void)size, no_socket(socket);
}
int setsockopt(int socket, int level, int name, const void *value, unsigned size) {
  return (void)level, (void)name, (void)value, (void)size, no_socket(socket);
}
ptrdiff_t send(int socket, const void *from, size_t count, int flags) {
  return (void)from, (void)count, (void)flags, no_socket(socket);
}
ptrdiff_t sendto(int socket, const void *from, size_t count, int flags, const void *address, unsigned size) {
  return (void)from, (void)count, (void)flags, (void)address, (void)size, no_socket(socket);
}
ptrdiff_t sendmsg(int socket, const void *message, int flags) {
  return (void)message, (void)flags, no_socket(socket);
}
ptrdiff_t recv(int socket, void *to, size_t count, int flags) {
  return (void)to, (void)count, (void)flags, no_socket(socket);
}
ptrdiff_t recvfrom(int socket, void *to, size_t count, int flags, void *address, unsigned *size) {
  return (void)to, (void)count, (void)flags, (void)address, (void)size, no_socket(socket);
}
ptrdiff_t recvmsg(int socket, void *message, int flags) {
  return (void)message, (void)flags, no_socket(socket);
}

/* ---- Names of machines and services: as where no server answers ---- */

int *__h_errno_location(void) {
  static int number;
  return &number;
}
static void *unknown(void) {
  *__h_errno_location() = 2;
  return NULL;
}
int getaddrinfo(const char *node, const char *service, const void *hints, void **to) {
  (void)node, (void)service, (void)hints, (void)to;
  return -3;
}
void freeaddrinfo(void *list) { (void)list; }
int getnameinfo(const void *address, unsigned size, char *host, unsigned host_size, char *service,
                unsigned service_size, int flags) {
  (void)address, (void)size, (void)host, (void)host_size, (void)service, (void)service_size, (void)flags;
  return -3;
}
const char *gai_strerror(int error) {
  switch (error) {
  case -1: return "Bad value for ai_flags";
  case -2: return "Name or service not known";
  case -3: return "Temporary failure in name resolution";
  case -4: return "Non-recoverable failure in name resolution";
  case -6: return "ai_family not supported";
  case -7: return "ai_socktype not supported";
  case -8: return "Servname not supported for ai_socktype";
  case -10: return "Memory allocation failure";
  case -11: return "System error";
  default: return "Unknown error";
  }
}
void *gethostbyname(const char *name) { return (void)name, unknown(); }
void *gethostbyname2(const char *name, int family) { return (void)name, (void)family, unknown(); }
void *gethostbyaddr(const void *address, unsigned size, int family) {
  return (void)address, (void)size, (void)family, unknown();
}
void *getservbyname(const char *name, const char *protocol) { return (void)name, (void)protocol, NULL; }
void *getservbyport(int port, const char *protocol) { return (void)port, (void)protocol, NULL; }
void *getprotobyname(const char *name) { return (void)name, NULL; }
void *getprotobynumber(int number) { return (void)number, NULL; }

/* The same into room of the caller's: that nothing was found is no error but for names of machines, where it may be
   another time. */
static int none(void **told, int *why) {
  *told = unknown();
  *why = *__h_errno_location();
  return EAGAIN;
}
int gethostbyname_r(const char *name, void *to, char *texts, size_t size, void **told, int *why) {
  return (void)name, (void)to, (void)texts, (void)size, none(told, why);
}
int gethostbyname2_r(const char *name, int family, void *to, char *texts, size_t size, void **told, int *why) {
  return (void)family, gethostbyname_r(name, to, texts, size, told, why);
}
int gethostbyaddr_r(const void *address, unsigned length, int family, void *to, char *texts, size_t size, void **told,
                    int *why) {
  return (void)address, (void)length, (void)family, (void)to, (void)texts, (void)size, none(told, why);
}
#define NONE_IN_ROOM(name, ...)                                                                                \
  int name(__VA_ARGS__, void *to, char *texts, size_t size, void **told) {                                     \
    (void)wanted, (void)to, (void)texts, (void)size;                                                           \
    *told = NULL;                                                                                              \
    return 0;                                                                                                  \
  }
NONE_IN_ROOM(getprotobyname_r, const char *wanted)
NONE_IN_ROOM(getprotobynumber_r, int wanted)
int getservbyname_r(const char *name, const char *protocol, void *to, char *texts, size_t size, void **told) {
  (void)name, (void)protocol, (void)to, (void)texts, (void)size;
  *told = NULL;
  return 0;
}
int getservbyport_r(int port, const char *protocol, void *to, char *texts, size_t size, void **told) {
  return (void)port, getservbyname_r(NULL, protocol, to, texts, size, told);
}

/* Lists of machines, networks, protocols and services, which are empty. */
#define EMPTY(name)                                                                                            \
  void set##name(int stays) { (void)stays; }                                                                   \
  void *get##name(void) { return NULL; }                                                                       \
  void end##name(void) {}
EMPTY(hostent)
EMPTY(netent)
EMPTY(protoent)
EMPTY(servent)
void *getnetbyname(const char *name) { return (void)name, unknown(); }
void *getnetbyaddr(uint32_t network, int family) { return (void)network, (void)family, unknown(); }

/* What is wrong with a name, from the number of gethostbyname. */
const char *hstrerror(int why) {
  static const char *const texts[] = {"Resolver Error 0 (no error)", "Unknown host", "Host name lookup failure",
                                      "Unknown server error", "No address associated with name"};
  return why < 0 ? "Resolver internal error" : why < 5 ? texts[why] : "Unknown resolver error";
}
void herror(const char *text) {
  const char *what = hstrerror(*__h_errno_location());
  if (text != NULL && *text != 0)
    dprintf(2, "%s: %s\n", text, what);
  else
    dprintf(2, "%s\n", what);
}

/* Interfaces are asked for by a socket. */
int getifaddrs(void **list) { return (void)list, fail(EAFNOSUPPORT); }
void freeifaddrs(void *list) { (void)list; }
void *if_nameindex(void) { return fail(EAFNOSUPPORT), NULL; }
void if_freenameindex(void *list) { (void)list; }
unsigned if_nametoindex(const char *name) { return (void)name, fail(19), 0u; }
char *if_indextoname(unsigned index, char *to) { return (void)index, (void)to, fail(6), NULL; }
