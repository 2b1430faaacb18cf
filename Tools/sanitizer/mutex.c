// Tells the thread sanitizer what Swift's Mutex does when two threads want it at once.
//
// A mutex that is free is taken and given back by atomic operations in the program itself, which the
// sanitizer sees. One that is not is waited for in libswiftSynchronization, which is built without
// it. This library goes in front of that one (LD_PRELOAD) and does the same, with a word to the
// sanitizer. Outside of a program with the sanitizer it does no more than pass calls on.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

// _MutexHandle._lockSlow(_:), ._tryLockSlow() and ._unlockSlow().
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lockSlow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool tryLockSlow(SELF) __asm__(TRY_LOCK);
SWIFT void unlockSlow(SELF) __asm__(UNLOCK);

typedef SWIFT void Lock(uint32_t, SELF);
typedef SWIFT bool TryLock(SELF);
typedef SWIFT void Unlock(SELF);

// Found before the first thread starts, and only read from then on.
static Lock *realLock;
static TryLock *realTryLock;
static Unlock *realUnlock;

__attribute__((constructor)) static void find(void) {
  realLock = (Lock *)dlsym(RTLD_NEXT, LOCK);
  realTryLock = (TryLock *)dlsym(RTLD_NEXT, TRY_LOCK);
  realUnlock = (Unlock *)dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void lockSlow(uint32_t thread, SELF) {
  realLock(thread, self);
  if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool tryLockSlow(SELF) {
  bool isTaken = realTryLock(self);
  if (isTaken && __tsan_acquire) __tsan_acquire(self);
  return isTaken;
}

SWIFT void unlockSlow(SELF) {
  if (__tsan_release) __tsan_release(self);
  realUnlock(self);
}
