// Tells the thread sanitizer of the contended half of Swift's Synchronization.Mutex.
//
// A Mutex that nobody waits for is locked and unlocked by atomic operations that are compiled into its user and that the
// sanitizer sees. One that is waited for is handed over by the kernel, inside libswiftSynchronization, which was
// compiled without the sanitizer: what its last holder wrote under the lock then looks like a race with whoever waited.
// This library stands before that one and says what it does. Real races are found as before: nothing is suppressed.
//
// Source: Mutex/LinuxImpl.swift of the Swift 6.3 standard library; sanitizer/tsan_interface.h of LLVM.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

extern void __tsan_acquire(void *address);
extern void __tsan_release(void *address);

typedef SWIFT void LockSlow(uint32_t thread, SELF void *mutex);
typedef SWIFT _Bool TryLockSlow(SELF void *mutex);
typedef SWIFT void UnlockSlow(SELF void *mutex);

LockSlow lockSlow __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
TryLockSlow tryLockSlow __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
UnlockSlow unlockSlow __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

static void *original(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) abort();
    return found;
}

SWIFT void lockSlow(uint32_t thread, SELF void *mutex) {
    static LockSlow *wait;
    if (!wait) wait = (LockSlow *)original("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    wait(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT _Bool tryLockSlow(SELF void *mutex) {
    static TryLockSlow *try;
    if (!try) try = (TryLockSlow *)original("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
    _Bool isLocked = try(mutex);
    if (isLocked) __tsan_acquire(mutex);
    return isLocked;
}

SWIFT void unlockSlow(SELF void *mutex) {
    static UnlockSlow *wake;
    if (!wake) wake = (UnlockSlow *)original("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    __tsan_release(mutex);
    wake(mutex);
}
