#define _GNU_SOURCE
#include "CLabKernel.h"
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const char marker[] = "CROSSWIND_REENTERED";

int cw_may_administer(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct sets[2];
    memset(sets, 0, sizeof sets);
    if (syscall(SYS_capget, &header, sets) < 0) return 0;
    uint32_t wanted = (1U << CAP_SYS_ADMIN) | (1U << CAP_NET_ADMIN);
    return (sets[0].effective & wanted) == wanted;
}

static int write_text(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0) return -errno;
    ssize_t wrote;
    do wrote = write(fd, text, strlen(text));
    while (wrote < 0 && errno == EINTR);
    int error = wrote < 0 ? -errno : 0;
    close(fd);
    return error;
}

int cw_reenter_rootless(char *const argv[], int *stage) {
    if (cw_may_administer()) return 0;
    *stage = CW_ROOTLESS_MARKED;
    if (getenv(marker)) return -EPERM; // already re-executed without success

    char uid_map[32], gid_map[32];
    snprintf(uid_map, sizeof uid_map, "0 %u 1\n", (unsigned)geteuid());
    snprintf(gid_map, sizeof gid_map, "0 %u 1\n", (unsigned)getegid());

    *stage = CW_ROOTLESS_UNSHARE;
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWNET) < 0) return -errno;
    // user_namespaces(7): without CAP_SETGID outside, gid_map may only be written after setgroups is denied.
    *stage = CW_ROOTLESS_SETGROUPS;
    int error = write_text("/proc/self/setgroups", "deny");
    if (error < 0 && error != -ENOENT) return error;
    *stage = CW_ROOTLESS_UID_MAP;
    if ((error = write_text("/proc/self/uid_map", uid_map)) < 0) return error;
    *stage = CW_ROOTLESS_GID_MAP;
    if ((error = write_text("/proc/self/gid_map", gid_map)) < 0) return error;
    *stage = CW_ROOTLESS_MOUNTS;
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) return -errno;
    *stage = CW_ROOTLESS_LOOPBACK;
    if ((error = cw_loopback_up()) < 0) return error;
    *stage = CW_ROOTLESS_EXEC;
    if (setenv(marker, "1", 1) < 0) return -errno;
    execv("/proc/self/exe", argv);
    return -errno;
}

int cw_try(enum cw_trial trial) {
    int flags = 0;
    switch (trial) {
    case CW_TRY_USER_NAMESPACE: flags = CLONE_NEWUSER; break;
    case CW_TRY_NETWORK_NAMESPACE: flags = CLONE_NEWNET; break;
    case CW_TRY_MOUNT: flags = CLONE_NEWNS; break;
    case CW_TRY_PROCESS_NAMESPACE: flags = CLONE_NEWPID; break;
    }
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = (pid_t)syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        if (trial == CW_TRY_MOUNT) {
            if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) _exit(errno);
            if (mount("tmpfs", "/tmp", "tmpfs", 0, NULL) < 0) _exit(errno);
        }
        _exit(0);
    }
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (child < 0) return -error;
    int status;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return -errno;
    return WIFEXITED(status) ? -WEXITSTATUS(status) : -ECHILD;
}
