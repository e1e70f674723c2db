/* Addresses of networks as texts and back: inet_pton, inet_aton, ether_aton and their relatives. */
#include "runtime.h"

int snprintf(char *to, size_t size, const char *format, ...);

enum { EAFNOSUPPORT = 97, INTERNET = 2, INTERNET_6 = 10 };

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
    {
    errno = EAFNOSUPPORT;
    return -1;
  }
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

/* ---- Networks and machines in them, by the classes of addresses ---- */

static unsigned host_bits(uint32_t address) { return address >> 31 == 0 ? 24 : address >> 30 == 2 ? 16 : 8; }

uint32_t inet_lnaof(uint32_t address) {
  address = __builtin_bswap32(address);
  return address & ((1u << host_bits(address)) - 1);
}
uint32_t inet_netof(uint32_t address) {
  address = __builtin_bswap32(address);
  return address >> host_bits(address);
}
uint32_t inet_makeaddr(uint32_t network, uint32_t host) {
  unsigned bits = network < 128 ? 24 : network < 65536 ? 16 : network < 1u << 24 ? 8 : 0;
  uint32_t mask = bits == 0 ? UINT32_MAX : (1u << bits) - 1;
  return __builtin_bswap32(bits == 0 ? network | host : network << bits | (host & mask));
}

/* ---- Six bytes of an interface ---- */

unsigned char *ether_aton_r(const char *text, unsigned char *to) {
  for (int i = 0; i < 6; i++) {
    unsigned value = digit_value((unsigned char)*text);
    if (value >= 16)
      return NULL;
    /* A second digit, if what follows is not the end of the six. */
    char behind = *++text;
    if (i < 5 ? behind != ':' : behind != 0 && !is_space((unsigned char)behind)) {
      unsigned next = digit_value((unsigned char)*text++);
      if (next >= 16)
        return NULL;
      value = value * 16 + next;
    }
    to[i] = (unsigned char)value;
    if (i < 5 && *text++ != ':')
      return NULL;
  }
  return to;
}
unsigned char *ether_aton(const char *text) {
  static unsigned char address[6];
  return ether_aton_r(text, address);
}
char *ether_ntoa_r(const unsigned char *from, char *to) {
  snprintf(to, 18, "%x:%x:%x:%x:%x:%x", from[0], from[1], from[2], from[3], from[4], from[5]);
  return to;
}
char *ether_ntoa(const unsigned char *from) {
  static char text[18];
  return ether_ntoa_r(from, text);
}
