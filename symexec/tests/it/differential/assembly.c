// Inline assembly on integers and memory, with the flags that it leaves.
void klee_warning(const char *);
typedef unsigned long word;

static void say(word value) {
  static char line[17];
  for (int k = 15; k >= 0; k--, value >>= 4)
    line[k] = "0123456789abcdef"[value & 15];
  klee_warning(line);
}

static word sum;
static void add(word value) { sum = sum * 1000003 + value; }

// Every condition after an instruction, as bytes in registers and in memory.
#define FLAGS(text, ...)                                                                                     \
  do {                                                                                                       \
    unsigned char c, z, s, o, p, a, g;                                                                       \
    asm(text "\n\tsetc %b[c]\n\tsetz %b[z]\n\tsets %b[s]\n\tseto %b[o]\n\tsetp %b[p]"                         \
        : [c] "=&q"(c), [z] "=&q"(z), [s] "=&q"(s), [o] "=&q"(o), [p] "=&q"(p) : __VA_ARGS__ : "cc");          \
    asm(text "\n\tseta %[a]\n\tsetg %[g]" : [a] "=&q"(a), [g] "=m"(g) : __VA_ARGS__ : "cc");                 \
    add(c | z << 1 | s << 2 | o << 3 | p << 4 | a << 5 | g << 6);                                            \
  } while (0)

#define TWO(name, letter, type)                                                                              \
  do {                                                                                                       \
    type t = (type)x;                                                                                        \
    asm(name letter " %1, %0" : "+r"(t) : "r"((type)y) : "cc");                                              \
    add(t);                                                                                                  \
  } while (0)
#define EACH(name) TWO(name, "b", unsigned char); TWO(name, "w", unsigned short); TWO(name, "l", unsigned); TWO(name, "q", word)

#define CARRY(name)                                                                                          \
  do {                                                                                                       \
    word low = x, high = y; unsigned char c, o;                                                              \
    asm("add %5, %0\n\t" name " %6, %1; setb %2; seto %3" : "+&r"(low), "+&r"(high), "=q"(c), "=q"(o) : "r"(1ul), "rme"(y), "rme"(x) : "cc"); \
    add(low), add(high), add(c | o << 1);                                                                    \
  } while (0)

#define ROTATE(name)                                                                                         \
  do {                                                                                                       \
    word q = x; unsigned l = (unsigned)x; unsigned short w = (unsigned short)x; unsigned char b = (unsigned char)x; \
    asm(name "q %%cl, %0" : "+r"(q) : "c"((unsigned)y) : "cc"); add(q);                                      \
    asm(name "l %%cl, %0" : "+r"(l) : "c"((unsigned)y) : "cc"); add(l);                                      \
    asm(name "w $5, %0" : "+r"(w) : : "cc"); add(w);                                                         \
    asm(name "b %0" : "+r"(b) : : "cc"); add(b);                                                             \
    unsigned char c; asm(name "l $3, %0; setc %1" : "+r"(l), "=q"(c) : : "cc"); add(l);                      \
  } while (0)

static void two(word x, word y) {
  EACH("add"); EACH("sub"); EACH("and"); EACH("or"); EACH("xor"); EACH("mov");
  FLAGS("cmpb %b[x], %b[y]", [x] "r"(x), [y] "r"(y));
  FLAGS("cmpl %k[x], %k[y]", [x] "r"(x), [y] "r"(y));
  say(sum);
  ROTATE("shl"); ROTATE("shr"); ROTATE("sar"); ROTATE("rol"); ROTATE("ror");
  say(sum);
  CARRY("adc"); CARRY("sbb");
  say(sum);
  word low, high;
  asm("mulq %3" : "=a"(low), "=d"(high) : "%0"(x), "rm"(y) : "cc"); add(low), add(high);
  if (high < y) {
    word quotient, rest;
    asm("divq %4" : "=a"(quotient), "=d"(rest) : "0"(low), "1"(high), "rm"(y) : "cc"); add(quotient), add(rest);
  }
  asm("imulq %3" : "=a"(low), "=d"(high) : "0"(x), "rm"(y) : "cc"); add(low), add(high);
  int upper, lower = (int)x;
  if ((int)y > 1) {
    asm("cltd; idivl %2" : "+a"(lower), "=&d"(upper) : "r"((int)y) : "cc"); add(lower), add(upper);
  }
  asm("imull $-7, %1, %0" : "=r"(lower) : "rm"((int)y) : "cc"); add(lower);
  say(sum);
  word found = 5, bits = x;
  asm("bsfq %1, %0" : "+r"(found) : "rm"(x) : "cc"); if (x) add(found);
  asm("bsrq %1, %0" : "+r"(found) : "rm"(y) : "cc"); if (y) add(found);
  asm("bswap %0" : "+r"(bits)); add(bits);
  int bit; asm("btq %2, %1" : "=@ccc"(bit) : "r"(x), "r"(y)); add(bit);
  asm("cmp %2, %1" : "=@ccge"(bit) : "r"(x), "r"(y)); add(bit);
  asm("cmpw %w2, %w1; cmovlel %k1, %0" : "+r"(bit) : "r"(x), "r"(y) : "cc"); add(bit);
  say(sum);
  word memory[3] = {x, y, 3}, old = y;
  asm volatile("lock; xaddq %0, %1" : "+r"(old), "+m"(memory[0]) : : "memory", "cc"); add(old), add(memory[0]);
  asm volatile("xchgl %k0, %1" : "+r"(old), "+m"(memory[1]) : : "memory"); add(old), add(memory[1]);
  word expected = memory[2] - (x & 1); unsigned char same;
  asm volatile("lock cmpxchgq %3, %1\n\tsete %2" : "+a"(expected), "+m"(memory[2]), "=q"(same) : "r"(x) : "memory", "cc");
  add(expected), add(memory[2]), add(same);
  asm volatile("incl 8(%0)\n\tdecb (%0)\n\tnotw 2(%0,%1,8)\n\tnegq (%0,%1)" : : "r"(memory), "r"(1ul) : "memory", "cc");
  add(memory[0]), add(memory[1]), add(memory[2]);
  say(sum);
  char buffer[16]; void *to = buffer; word count = 11;
  asm volatile("rep stosb" : "+D"(to), "+c"(count) : "a"((int)x) : "memory"); add(buffer[0]), add(buffer[10]), add(count), add(to == buffer + 11);
  word address; asm("leaq 5(%1,%2,4), %0" : "=r"(address) : "r"(x), "r"(y)); add(address);
  asm("movb %%ah, %%bl\n\tmovw %w2, %%ax\n\tmovb %%bl, %%ah" : "=a"(address) : "0"(x), "r"(y) : "rbx"); add(address);
  asm("movzbl %b1, %k0" : "=r"(address) : "q"(y)); add(address);
  asm("movslq %k1, %0" : "=r"(address) : "r"(y)); add(address);
  asm("movq $0x10, %0; testq %1, %1; cmovnzq %1, %0" : "=&r"(address) : "r"(x) : "cc"); add(address);
  unsigned short control; asm("fnstcw %0" : "=m"(control)); add(control);
  asm volatile("# nothing\n\tpause\n\trep; nop" : : : "memory");
  say(sum);
}

int main(void) {
  static const word values[] = {0, 1, 2, 7, 0x7f, 0x80, 0xff, 0x8000, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff,
                                0x8000000000000000, 0xffffffffffffffff, 0x123456789abcdef0};
  int count = sizeof values / sizeof *values;
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++)
      two(values[i], values[j]);
  int code = sum & 0x7f;
  say(code);
  return code;
}
