// The privileges that a confined program loses.
#define _GNU_SOURCE
#include "spawn.h"
#include <errno.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

int cw_confine(const cw_spawn_plan *plan) {
    if (plan->processes) {
        struct rlimit limit;
        if (getrlimit(RLIMIT_NPROC, &limit) == 0) {
            if (limit.rlim_max > plan->processes) limit.rlim_max = plan->processes;
            if (limit.rlim_cur > limit.rlim_max) limit.rlim_cur = limit.rlim_max;
            if (setrlimit(RLIMIT_NPROC, &limit) < 0) return -errno;
        }
    }
    // The session keyring of the caller may hold keys; an anonymous new one replaces it. Not every kernel has keyrings.
    (void)syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -errno;
    for (int capability = 0; capability < 64; capability++) {
        if (plan->capabilities >> capability & 1) continue;
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0) continue;
        // Beyond the kernel's last one; or a container without CAP_SETPCAP, where no_new_privs alone prevents the gain.
        if (errno == EINVAL || errno == EPERM) break;
        return -errno;
    }
    (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct sets[2];
    memset(sets, 0, sizeof sets);
    if (syscall(SYS_capget, &header, sets) < 0) return -errno;
    for (int half = 0; half < 2; half++) {
        // A container may have fewer to begin with.
        sets[half].permitted &= (uint32_t)(plan->capabilities >> (32 * half));
        sets[half].effective = sets[half].permitted;
        sets[half].inheritable = 0;
    }
    return syscall(SYS_capset, &header, sets) < 0 ? -errno : 0;
}
