/* The network: there is none. Sockets cannot be made, names are not known; numbers of addresses are read and
 * written as anywhere. */
#include "../source/runtime.h"

enum { EACCES = 13, ENOSYS = 38, ENOTSOCK = 88, EAFNOSUPPORT = 97, INTERNET = 2, INTERNET_6 = 10 };

int snprintf(char *to, size_t size, const char *format, ...);
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
unsigned if_nametoindex(const char *name) { return (void)name, fail(19), 0u; }
char *if_indextoname(unsigned index, char *to) { return (void)index, (void)to, fail(6), NULL; }

/* ---- Addresses as texts ---- */

/* Four numbers below 256 with points between; how many characters they took, 0 if they are none. */
static size_t four_numbers(const char *text, unsigned char *to) {
  const char *start = text;
  for (int i = 0; i < 4; i++) {
    unsigned value = 0;
    const char *digits = text;
    while (is_digit((unsigned char)*text) && value < 256) {
      if (text > digits && *digits == '0')
        return 0;
      value = value * 10 + (unsigned)(*text++ - '0');
    }
    if (text == digits || value > 255)
      return 0;
    to[i] = (unsigned char)value;
    if (i < 3 && *text++ != '.')
      return 0;
  }
  return (size_t)(text - start);
}

static int six(const char *text, unsigned char *to) {
  unsigned char bytes[16] = {0};
  int count = 0, gap = -1;
  if (text[0] == ':') {
    if (text[1] != ':')
      return 0;
    text++;
  }
  while (*text != 0) {
    if (*text == ':') {
      if (gap >= 0)
        return 0;
      gap = count;
      text++;
      continue;
    }
    if (count == 16)
      return 0;
    unsigned char four[4];
    size_t length = count <= 12 ? four_numbers(text, four) : 0;
    if (length != 0 && text[length] == 0) {
      memcpy(bytes + count, four, 4);
      count += 4;
      text += length;
      break;
    }
    unsigned value = 0;
    int digits = 0;
    for (; digits < 4 && digit_value((unsigned char)*text) < 16; digits++)
      value = value * 16 + digit_value((unsigned char)*text++);
    if (digits == 0)
      return 0;
    bytes[count++] = (unsigned char)(value >> 8);
    bytes[count++] = (unsigned char)value;
    if (*text == 0)
      break;
    if (*text++ != ':' || *text == 0)
      return 0;
  }
  if (gap < 0 ? count != 16 : count == 16)
    return 0;
  if (gap >= 0) {
    memmove(bytes + 16 - (count - gap), bytes + gap, (size_t)(count - gap));
    memset(bytes + gap, 0, (size_t)(16 - count));
  }
  memcpy(to, bytes, 16);
  return 1;
}

int inet_pton(int family, const char *text, void *to) {
  unsigned char four[4];
  if (family == INTERNET_6)
    return six(text, to);
  if (family != INTERNET)
    return fail(EAFNOSUPPORT);
  size_t length = four_numbers(text, four);
  if (length == 0 || text[length] != 0)
    return 0;
  memcpy(to, four, 4);
  return 1;
}

const char *inet_ntop(int family, const void *from, char *to, unsigned size) {
  const unsigned char *bytes = from;
  char text[48];
  int length;
  if (family == INTERNET)
    length = snprintf(text, sizeof text, "%d.%d.%d.%d", bytes[0], bytes[1], bytes[2], bytes[3]);
  else if (family == INTERNET_6) {
    /* The first longest run of at least two zero words is left out. */
    int best = -1, best_length = 1;
    for (int i = 0; i < 8; i++) {
      int run = 0;
      while (i + run < 8 && bytes[2 * (i + run)] == 0 && bytes[2 * (i + run) + 1] == 0)
        run++;
      if (run > best_length)
        best = i, best_length = run;
      i += run;
    }
    bool mapped = best == 0 && (best_length == 6 || (best_length == 5 && bytes[10] == 255 && bytes[11] == 255));
    length = 0;
    for (int i = 0; i < 8; i++) {
      if (i == best) {
        length += snprintf(text + length, sizeof text - (size_t)length, i == 0 ? "::" : ":");
        i += best_length - 1;
        continue;
      }
      if (mapped && i == 6) {
        length += snprintf(text + length, sizeof text - (size_t)length, "%d.%d.%d.%d", bytes[12], bytes[13],
                           bytes[14], bytes[15]);
        break;
      }
      length += snprintf(text + length, sizeof text - (size_t)length, i == 7 ? "%x" : "%x:",
                         (unsigned)bytes[2 * i] << 8 | bytes[2 * i + 1]);
    }
  } else {
    errno = EAFNOSUPPORT;
    return NULL;
  }
  if ((unsigned)length >= size) {
    errno = ENOSPC;
    return NULL;
  }
  return memcpy(to, text, (size_t)length + 1);
}

/* One to four numbers, decimal, octal or hexadecimal; the last one fills what is left. */
int inet_aton(const char *text, uint32_t *to) {
  uint64_t value = 0, numbers[4];
  int count = 0;
  for (;;) {
    unsigned base = 10;
    if (*text == '0') {
      base = (text[1] | 32) == 'x' ? 16 : 8;
      if (base == 16)
        text += 2;
    }
    const char *digits = text;
    value = 0;
    while (digit_value((unsigned char)*text) < base && value <= UINT32_MAX)
      value = value * base + digit_value((unsigned char)*text++);
    if (text == digits || value > UINT32_MAX)
      return 0;
    numbers[count++] = value;
    if (*text != '.')
      break;
    if (count == 4 || value > 255)
      return 0;
    text++;
  }
  if ((*text != 0 && !is_space((unsigned char)*text)) || value >> (8 * (5 - count)) != 0)
    return 0;
  for (int i = 0; i < count - 1; i++)
    value |= numbers[i] << (24 - 8 * i);
  if (to != NULL)
    *to = __builtin_bswap32((uint32_t)value);
  return 1;
}
uint32_t inet_addr(const char *text) {
  uint32_t address;
  return inet_aton(text, &address) ? address : UINT32_MAX;
}
char *inet_ntoa(uint32_t address) {
  static char text[16];
  return (char *)inet_ntop(INTERNET, &address, text, sizeof text);
}
