// Shows the thread sanitizer what Swift's Mutex does when threads contend for it; preloaded by scripts/tsan.
//
// On Linux the uncontended path of Synchronization.Mutex is inlined into the caller, an atomic operation that the sanitizer sees. The
// contended path lies in libswiftSynchronization.so, which is not instrumented: there the kernel hands the lock over (FUTEX_LOCK_PI),
// and the sanitizer, which saw no hand-over, reports what the lock protects as a race. These three functions stand before the real
// ones and say what happened: an acquire after a lock, a release before an unlock. Nothing is suppressed, so a race stays a report;
// scripts/tsan proves both with control.swift before it trusts a silence.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// The sanitizer's, in the program itself; missing in programs that have none.
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
    fprintf(stderr, "seen-mutex: this Swift has no %s; its Mutex has changed\n", name);
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
