// Makes contended operations of Swift's Mutex visible to the thread sanitizer; preloaded by scripts/tsan.
//
// On Linux the uncontended path of Synchronization.Mutex is inlined into the caller, an atomic operation that the sanitizer sees. The
// contended path is in libswiftSynchronization.so, which is not instrumented: there the kernel passes the lock on (FUTEX_LOCK_PI),
// and the sanitizer, which does not see that, reports the protected data as a race. These three functions wrap the real
// ones and annotate them: an acquire after a lock, a release before an unlock. Nothing is suppressed, so races are still reported;
// scripts/tsan verifies both with control.swift first.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Functions of the sanitizer in the program itself; null without a sanitizer.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static void *real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (found) return found;
    fprintf(stderr, "seen-mutex: this Swift lacks %s; its Mutex has changed\n", name);
    abort();
}

SWIFT void cw_lock(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void cw_lock(uint32_t thread, SELF void *mutex) {
    SWIFT void (*lock)(uint32_t, SELF void *) = real(LOCK);
    lock(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool cw_try_lock(SELF void *mutex) __asm__(TRY_LOCK);
SWIFT bool cw_try_lock(SELF void *mutex) {
    SWIFT bool (*lock)(SELF void *) = real(TRY_LOCK);
    bool isLocked = lock(mutex);
    if (isLocked && __tsan_acquire) __tsan_acquire(mutex);
    return isLocked;
}

SWIFT void cw_unlock(SELF void *mutex) __asm__(UNLOCK);
SWIFT void cw_unlock(SELF void *mutex) {
    SWIFT void (*unlock)(SELF void *) = real(UNLOCK);
    if (__tsan_release) __tsan_release(mutex);
    unlock(mutex);
}
