/* Addresses of networks as texts and back, and names of domains in messages. */
#include "compare.h"

#include <arpa/inet.h>
#include <netinet/ether.h>
#include <resolv.h>

OURS(inet_pton);
OURS(inet_ntop);
OURS(inet_aton);
OURS(inet_addr);
OURS(inet_ntoa);
OURS(inet_lnaof);
OURS(inet_netof);
OURS(inet_makeaddr);
OURS(ether_aton);
OURS(ether_aton_r);
OURS(ether_ntoa);
OURS(ether_ntoa_r);
OURS(dn_expand);
OURS(dn_skipname);

/* Messages of lengths, pointers and labels, in rooms that end where they do. */
static void compare_names_of_domains(void) {
  for (int round = 0; round < 3000; round++) {
    size_t size = 1 + below(sometimes(5) ? 400 : 24), at = below(size);
    unsigned char *message = (unsigned char *)room_end(0, size);
    for (size_t i = 0; i < size; i++)
      message[i] = (unsigned char)(sometimes(3) ? below(5) : sometimes(3) ? 0xc0 : sometimes(4) ? 0 : sometimes(2) ? below(64) : draw());
    char ours[1024] = "", system[1024] = "";
    int length = (int)below(sometimes(3) ? 20 : sizeof ours + 1);
    ours_errno = errno = 0;
    int result = ours_dn_expand(message, message + size, message + at, ours, length), known = dn_expand(message, message + size, message + at, system, length);
    same_number(result, known, "dn_expand at %zu of %zu, %d bytes", at, size, length);
    same_number(ours_errno, errno, "errno of dn_expand at %zu of %zu", at, size);
    if (result >= 0 && known >= 0)
      same_truth(strcmp(ours, system) == 0, 1, "dn_expand: '%s', '%s'", ours, system);
    same_number(ours_dn_skipname(message + at, message + size), dn_skipname(message + at, message + size), "dn_skipname at %zu of %zu", at, size);
  }
}

static void draw_address(unsigned char *to, size_t size) {
  for (size_t i = 0; i < size; i++)
    to[i] = sometimes(2) ? 0 : sometimes(3) ? 255 : (unsigned char)draw();
}

void compare_addresses(void) {
  compare_names_of_domains();
  for (int round = 0; round < 3000; round++) {
    unsigned char address[16], mine[16] = {0}, theirs[16] = {0};
    char text[64], our_text[64] = "", their_text[64] = "";
    draw_address(address, sizeof address);
    for (int family = AF_INET; family <= AF_INET6; family += AF_INET6 - AF_INET) {
      socklen_t size = sometimes(3) ? (socklen_t)below(46) : sizeof our_text;
      const char *ours = ours_inet_ntop(family, address, our_text, size), *system = inet_ntop(family, address, their_text, size);
      same_number(ours == NULL, system == NULL, "inet_ntop in %u bytes", size);
      if (ours != NULL && system != NULL)
        same_truth(strcmp(ours, system) == 0, 1, "inet_ntop: '%s', '%s'", ours, system);
      /* Texts of addresses with a character changed. */
      if (ours != NULL && sometimes(2)) {
        strcpy(text, ours);
        text[below(strlen(text))] = ".:019af"[below(7)];
      } else
        draw_text(text, below(12), "01.:a");
      int result = ours_inet_pton(family, room_text(0, text), mine), known = inet_pton(family, text, theirs);
      same_number(result, known, "inet_pton of '%s'", text);
      if (result == 1)
        same_bytes(mine, theirs, family == AF_INET ? 4 : 16, "inet_pton of '%s'", text);
    }
    draw_text(text, below(14), "0129.xa");
    struct in_addr one = {0}, other = {0};
    same_number(ours_inet_aton(room_text(0, text), &one), inet_aton(text, &other), "inet_aton of '%s'", text);
    same_number(one.s_addr, other.s_addr, "the address of '%s'", text);
    same_number(ours_inet_addr(text), inet_addr(text), "inet_addr of '%s'", text);
    memcpy(&one, address, sizeof one);
    same_truth(strcmp(ours_inet_ntoa(one), inet_ntoa(one)) == 0, 1, "inet_ntoa");
    same_number(ours_inet_lnaof(one), inet_lnaof(one), "inet_lnaof of %x", one.s_addr);
    same_number(ours_inet_netof(one), inet_netof(one), "inet_netof of %x", one.s_addr);
    in_addr_t network = (in_addr_t)below((size_t)1 << below(33)), host = (in_addr_t)below((size_t)1 << below(26));
    same_number(ours_inet_makeaddr(network, host).s_addr, inet_makeaddr(network, host).s_addr, "inet_makeaddr of %x and %x", network, host);
    struct ether_addr interface, found = {0}, known = {0};
    memcpy(&interface, address, sizeof interface);
    same_truth(strcmp(ours_ether_ntoa(&interface), ether_ntoa(&interface)) == 0, 1, "ether_ntoa");
    same_truth(strcmp(ours_ether_ntoa_r(&interface, our_text), ether_ntoa_r(&interface, their_text)) == 0, 1, "ether_ntoa_r");
    if (sometimes(2))
      our_text[below(strlen(our_text))] = ":0aFg "[below(6)];
    same_number(ours_ether_aton_r(room_text(0, our_text), &found) != NULL, ether_aton_r(our_text, &known) != NULL, "ether_aton_r of '%s'", our_text);
    struct ether_addr *mine_again = ours_ether_aton(our_text), *theirs_again = ether_aton(our_text);
    if (mine_again != NULL && theirs_again != NULL)
      same_bytes(mine_again, theirs_again, sizeof known, "ether_aton of '%s'", our_text);
  }
}
