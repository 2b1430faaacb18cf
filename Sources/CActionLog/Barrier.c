#define _GNU_SOURCE
#include "CActionLog.h"
#include "Internal.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

#if defined(__linux__) && __has_include(<linux/membarrier.h>)
#include <linux/membarrier.h>
#include <sys/syscall.h>
#define AL_BARRIER 1
#endif
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#endif

#if !defined(__x86_64__) && !defined(__aarch64__)
static _Thread_local char mark_of_thread;
uint64_t al_thread(void) { return (uint64_t)(uintptr_t)&mark_of_thread; }
#endif

#if AL_BARRIER

/// Whether the process has asked to be able to.
static bool is_registered;

static void register_process(void) {
  if (syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) == 0)
    __atomic_store_n(&is_registered, true, __ATOMIC_RELEASE);
}

// With one thread that costs nothing; with several the system takes tens of milliseconds.
__attribute__((constructor)) static void register_early(void) {
#if __has_include(<sys/single_threaded.h>)
  if (__libc_single_threaded) register_process();
#endif
}

static void run_register(void *nothing) {
  (void)nothing;
  register_process();
}

static void register_late(void) {
  if (!al_can_own()) al_thread_start(run_register, NULL);
}

void prepare_barrier(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_late);
}

bool al_can_own(void) { return __atomic_load_n(&is_registered, __ATOMIC_ACQUIRE); }

bool pass_barrier(void) {
  while (syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0) != 0) {
    // Without memory for it just now the system may have some in a moment.
    if (errno != ENOMEM && errno != EINTR) return false;
    sched_yield();
  }
  return true;
}

#else

void prepare_barrier(void) {}
bool al_can_own(void) { return false; }
bool pass_barrier(void) { return false; }

#endif

void wait_for_stores(void) {
  struct timespec pause = {.tv_nsec = 2000000};
  while (nanosleep(&pause, &pause) != 0) {}
}
