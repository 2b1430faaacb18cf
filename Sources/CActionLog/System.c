#define _GNU_SOURCE
#include "CActionLog.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#if defined(__linux__)
#include <sys/vfs.h>
#endif
#include <time.h>
#include <unistd.h>

// MARK: Bell

struct al_bell {
  pthread_mutex_t mutex;
  pthread_cond_t condition;
  bool rung;
};

al_bell *al_bell_make(void) {
  al_bell *bell = calloc(1, sizeof(al_bell));
  if (!bell) abort();
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_mutex_init(&bell->mutex, NULL);
  pthread_cond_init(&bell->condition, &attributes);
  pthread_condattr_destroy(&attributes);
  return bell;
}

void al_bell_free(al_bell *bell) {
  pthread_cond_destroy(&bell->condition);
  pthread_mutex_destroy(&bell->mutex);
  free(bell);
}

void al_bell_ring(al_bell *bell) {
  pthread_mutex_lock(&bell->mutex);
  bell->rung = true;
  pthread_cond_signal(&bell->condition);
  pthread_mutex_unlock(&bell->mutex);
}

void al_bell_wait(al_bell *bell, int64_t microseconds) {
  struct timespec until;
  if (microseconds >= 0) {
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += microseconds / 1000000;
    until.tv_nsec += (microseconds % 1000000) * 1000;
    if (until.tv_nsec >= 1000000000) {
      until.tv_sec += 1;
      until.tv_nsec -= 1000000000;
    }
  }
  pthread_mutex_lock(&bell->mutex);
  while (!bell->rung) {
    if (microseconds < 0) {
      pthread_cond_wait(&bell->condition, &bell->mutex);
    } else if (pthread_cond_timedwait(&bell->condition, &bell->mutex, &until) == ETIMEDOUT) {
      break;
    }
  }
  bell->rung = false;
  pthread_mutex_unlock(&bell->mutex);
}

// MARK: Thread

struct start {
  void (*run)(void *);
  void *context;
};

static void *started(void *argument) {
  struct start start = *(struct start *)argument;
  free(argument);
  start.run(start.context);
  return NULL;
}

int al_thread_start(void (*run)(void *), void *context) {
  struct start *start = malloc(sizeof(struct start));
  if (!start) return ENOMEM;
  start->run = run;
  start->context = context;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // As deep as a main thread: whole states are encoded here.
  pthread_attr_setstacksize(&attributes, 8 << 20);
  sigset_t all, old;
  sigfillset(&all);
  // A fault of this thread's own must still reach the program's handlers.
  sigdelset(&all, SIGSEGV);
  sigdelset(&all, SIGBUS);
  sigdelset(&all, SIGILL);
  sigdelset(&all, SIGFPE);
  sigdelset(&all, SIGTRAP);
  sigdelset(&all, SIGABRT);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  pthread_t thread;
  int result = pthread_create(&thread, &attributes, started, start);
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  pthread_attr_destroy(&attributes);
  if (result != 0) free(start);
  return result;
}

void al_thread_be_patient(void) {
#if defined(__linux__)
  // There a thread has a priority of its own.
  setpriority(PRIO_PROCESS, (id_t)gettid(), 19);
#endif
}

// MARK: Memory

bool al_make_present(void *pages, size_t count) {
#if defined(MADV_POPULATE_WRITE)
  return madvise(pages, count, MADV_POPULATE_WRITE) == 0;
#else
  (void)pages;
  (void)count;
  return false;
#endif
}

// MARK: Files

uint32_t al_file_system_type(const char *path) {
#if defined(__linux__)
  struct statfs status;
  if (statfs(path, &status) == 0) return (uint32_t)status.f_type;
#endif
  return 0;
}

int al_mark_writer(int descriptor) {
#ifdef F_OFD_SETLK
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0};
  return fcntl(descriptor, F_OFD_SETLK, &whole) == 0 ? 0 : errno;
#else
  return 0;
#endif
}

void al_unmark_writer(int descriptor) {
#ifdef F_OFD_SETLK
  struct flock whole = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0};
  fcntl(descriptor, F_OFD_SETLK, &whole);
#endif
  flock(descriptor, LOCK_UN);
}

int al_has_writer(int descriptor) {
#ifdef F_OFD_GETLK
  struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 0};
  if (fcntl(descriptor, F_OFD_GETLK, &whole) != 0) return -1;
  return whole.l_type == F_UNLCK ? 0 : 1;
#else
  return -1;
#endif
}
