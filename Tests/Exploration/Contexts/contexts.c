#define _GNU_SOURCE
#include "contexts.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

enum { stack_size = 1 << 20 };

struct ExplorerContext {
  void *stack_pointer;
};

// Saves the callee-saved registers on the old stack, and restores them from the new one.
#if defined(__x86_64__)
__attribute__((naked, noinline)) static void switch_stacks(void **from, void *to) {
  __asm__ volatile(
      "pushq %rbp\n pushq %rbx\n pushq %r12\n pushq %r13\n pushq %r14\n pushq %r15\n"
      "movq %rsp, (%rdi)\n movq %rsi, %rsp\n"
      "popq %r15\n popq %r14\n popq %r13\n popq %r12\n popq %rbx\n popq %rbp\n retq\n");
}
#elif defined(__aarch64__)
__attribute__((naked, noinline)) static void switch_stacks(void **from, void *to) {
  __asm__ volatile(
      "sub sp, sp, #160\n stp x19, x20, [sp, #0]\n stp x21, x22, [sp, #16]\n stp x23, x24, [sp, #32]\n"
      "stp x25, x26, [sp, #48]\n stp x27, x28, [sp, #64]\n stp x29, x30, [sp, #80]\n"
      "stp d8, d9, [sp, #96]\n stp d10, d11, [sp, #112]\n stp d12, d13, [sp, #128]\n stp d14, d15, [sp, #144]\n"
      "mov x9, sp\n str x9, [x0]\n mov sp, x1\n"
      "ldp x19, x20, [sp, #0]\n ldp x21, x22, [sp, #16]\n ldp x23, x24, [sp, #32]\n"
      "ldp x25, x26, [sp, #48]\n ldp x27, x28, [sp, #64]\n ldp x29, x30, [sp, #80]\n"
      "ldp d8, d9, [sp, #96]\n ldp d10, d11, [sp, #112]\n ldp d12, d13, [sp, #128]\n ldp d14, d15, [sp, #144]\n"
      "add sp, sp, #160\n ret\n");
}
#else
#error "switching contexts is written for x86-64 and ARM64"
#endif

ExplorerContext *explorer_context_main(void) { return calloc(1, sizeof(ExplorerContext)); }

ExplorerContext *explorer_context_make(void (*body)(void)) {
  ExplorerContext *made = calloc(1, sizeof(ExplorerContext));
  char *top = (char *)aligned_alloc(4096, stack_size) + stack_size;
  void **frame = (void **)top;
#if defined(__x86_64__)
  *--frame = 0;             // the return address of `body`, which never returns; keeps the stack aligned
  *--frame = (void *)body;  // the return address of the switch
  for (int i = 0; i < 6; i++) *--frame = 0;
#else
  frame -= 20;
  for (int i = 0; i < 20; i++) frame[i] = 0;
  frame[11] = (void *)body;
#endif
  made->stack_pointer = frame;
  return made;
}

void explorer_context_switch(ExplorerContext *from, ExplorerContext *to) {
  switch_stacks(&from->stack_pointer, to->stack_pointer);
}

static void *run(void *body) {
  ((void (*)(void))body)();
  return 0;
}

void explorer_on_thread(void (*body)(void)) {
  pthread_t thread;
  if (pthread_create(&thread, 0, run, (void *)body)) abort();
  pthread_join(thread, 0);
}

void explorer_limit(int seconds) {
  struct itimerval timer = {.it_value = {.tv_sec = seconds}};
  setitimer(ITIMER_VIRTUAL, &timer, 0);
}

int explorer_fork(void) { return fork(); }

static void (*crash_body)(int);
static void crashed(int signal) { crash_body(signal); }

void explorer_on_crash(void (*body)(int)) {
  crash_body = body;
  stack_t stack = {.ss_sp = malloc(1 << 18), .ss_size = 1 << 18};
  sigaltstack(&stack, 0);
  struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER};
  int signals[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGVTALRM};
  for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, 0);
}
