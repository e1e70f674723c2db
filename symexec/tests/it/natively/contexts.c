/* Contexts: stacks that take turns, generators, and what comes back more than once. */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

enum { STACK = 65536 };
typedef void plain(void);

static void on(ucontext_t *context, char *stack, ucontext_t *after) {
  getcontext(context);
  context->uc_stack.ss_sp = stack;
  context->uc_stack.ss_size = STACK;
  context->uc_link = after;
}

/* ---- Two stacks that take turns ---- */

static ucontext_t outside, ping, pong;
static char first_stack[STACK], second_stack[STACK];
static void pings(int x, int y) {
  int local = x * y;
  for (int i = 0; i < 3; i++) {
    printf("ping %d\n", local + i);
    swapcontext(&ping, &pong);
  }
  puts("pinged");
}
static void pongs(long x) {
  long local = x;
  for (int i = 0; i < 3; i++) {
    printf("pong %ld\n", local - i);
    swapcontext(&pong, &ping);
  }
}
static void turns(void) {
  on(&ping, first_stack, &outside);
  makecontext(&ping, (plain *)pings, 2, 6, -7);
  on(&pong, second_stack, &outside);
  makecontext(&pong, (plain *)pongs, 1, 1L << 40);
  printf("turns %d\n", swapcontext(&outside, &ping));
}

/* ---- Trees that are walked side by side ---- */

struct node {
  int value;
  struct node *left, *right;
};
struct generator {
  ucontext_t inside, outside;
  struct node *tree;
  char *stack;
  int value, is_done;
};
static void walk(struct generator *generator, const struct node *node) {
  if (node == NULL)
    return;
  walk(generator, node->left);
  generator->value = node->value;
  swapcontext(&generator->inside, &generator->outside);
  walk(generator, node->right);
}
static void walks(unsigned high, unsigned low) {
  struct generator *generator = (struct generator *)((uintptr_t)high << 32 | low);
  walk(generator, generator->tree);
  generator->is_done = 1;
}
static struct node *with(struct node *node, int value) {
  if (node == NULL) {
    node = calloc(1, sizeof *node);
    node->value = value;
  } else if (value < node->value)
    node->left = with(node->left, value);
  else
    node->right = with(node->right, value);
  return node;
}
static struct generator *generator(const int *values, int count) {
  struct generator *made = calloc(1, sizeof *made);
  for (int i = 0; i < count; i++)
    made->tree = with(made->tree, values[i]);
  made->stack = malloc(STACK);
  on(&made->inside, made->stack, &made->outside);
  makecontext(&made->inside, (plain *)walks, 2, (unsigned)((uintptr_t)made >> 32), (unsigned)(uintptr_t)made);
  return made;
}
static int next(struct generator *generator) {
  swapcontext(&generator->outside, &generator->inside);
  return !generator->is_done;
}
static void fringes(void) {
  struct generator *one = generator((int[]){5, 2, 8, 1, 9}, 5), *other = generator((int[]){1, 8, 2, 5, 7}, 5);
  while (next(one) && next(other))
    printf("%d %d\n", one->value, other->value);
  free(one->stack);
  free(other->stack);
}

/* ---- What comes back more than once ---- */

static int times;
static ucontext_t again;
static void begins(int a, int b, int c, int d, int e, int f) {
  printf("%d%d%d%d%d%d, %d\n", a, b, c, d, e, f, times);
  if (times++ < 2)
    setcontext(&again);
}
static void counts(void) {
  for (;;) {
    times++;
    setcontext(&outside);
  }
}
static void more_than_once(void) {
  volatile int here = 0;
  ucontext_t context;
  int result = getcontext(&context);
  here++;
  printf("here %d, %d\n", here, result);
  if (here < 4)
    setcontext(&context);
  on(&context, first_stack, &outside);
  makecontext(&context, (plain *)begins, 6, 1, 2, 3, 4, 5, 6);
  again = context;
  swapcontext(&outside, &context);
  printf("begun %d\n", times);
  on(&context, second_stack, NULL);
  makecontext(&context, counts, 0);
  times = here = 0;
  getcontext(&outside);
  if (here++ < 3)
    setcontext(&context);
  printf("counted %d\n", times);
}

/* ---- Jumps between stacks, and blocked signals ---- */

static sigjmp_buf inside_jump, outside_jump;
static void jumps(void) {
  puts("one");
  if (!sigsetjmp(inside_jump, 0))
    siglongjmp(outside_jump, 1);
  puts("two");
  if (!sigsetjmp(inside_jump, 0))
    siglongjmp(outside_jump, 2);
  puts("three");
}
static volatile int seen;
static void sees(int number) { seen = number; }
static int is_blocked(void) {
  sigset_t now;
  sigprocmask(SIG_BLOCK, NULL, &now);
  return sigismember(&now, SIGUSR1);
}
static void jumps_and_signals(void) {
  ucontext_t context;
  on(&context, first_stack, &outside);
  makecontext(&context, jumps, 0);
  volatile int jumped = 0;
  if (sigsetjmp(outside_jump, 0) == 0)
    setcontext(&context);
  printf("jumped %d\n", ++jumped);
  if (jumped < 2)
    siglongjmp(inside_jump, 1);
  getcontext(&outside);
  if (jumped++ < 3)
    siglongjmp(inside_jump, 1);
  printf("linked %d\n", jumped);
  signal(SIGUSR1, sees);
  sigset_t some;
  sigemptyset(&some);
  sigaddset(&some, SIGUSR1);
  jumped = 0;
  getcontext(&context);
  printf("seen %d, blocked %d\n", seen, is_blocked());
  if (jumped++ == 0) {
    sigprocmask(SIG_BLOCK, &some, NULL);
    raise(SIGUSR1);
    printf("seen %d, blocked %d\n", seen, is_blocked());
    setcontext(&context);
  }
  jumped = 0;
  getcontext(&context);
  printf("blocked %d\n", is_blocked());
  if (jumped++ == 0) {
    sigaddset(&context.uc_sigmask, SIGUSR1);
    setcontext(&context);
  }
}

static void blocks(int number, siginfo_t *info, void *context) {
  sigset_t *mask = &((ucontext_t *)context)->uc_sigmask;
  printf("signal %d, %d\n", number, sigismember(mask, SIGUSR1));
  sigaddset(mask, SIGUSR1);
  sigaddset(mask, SIGKILL);
}
static void handlers_change_what_is_blocked(void) {
  sigset_t now;
  sigemptyset(&now);
  sigprocmask(SIG_SETMASK, &now, NULL);
  struct sigaction action = {.sa_sigaction = blocks, .sa_flags = SA_SIGINFO};
  sigaction(SIGUSR2, &action, NULL);
  raise(SIGUSR2);
  sigprocmask(SIG_BLOCK, NULL, &now);
  printf("blocked %d, %d\n", sigismember(&now, SIGUSR1), sigismember(&now, SIGKILL));
}

/* ---- The end of a stack without another one behind it ---- */

static void says_so(void) { puts("at the end"); }
static void ends(void) { puts("last"); }

int main(void) {
  turns();
  fringes();
  more_than_once();
  jumps_and_signals();
  handlers_change_what_is_blocked();
  atexit(says_so);
  on(&ping, second_stack, NULL);
  makecontext(&ping, ends, 0);
  setcontext(&ping);
  return 3;
}
