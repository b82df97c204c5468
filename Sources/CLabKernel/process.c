// Other processes and their terminal.
#define _GNU_SOURCE
#include "CLabKernel.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int cw_pidfd_open(int pid) {
    int fd = (int)syscall(SYS_pidfd_open, pid, 0); // always close-on-exec
    return fd < 0 ? -errno : fd;
}

int cw_kill(int pid, int signal) { return kill(pid, signal) < 0 ? -errno : 0; }

int cw_pidfd_send_signal(int descriptor, int signal) {
    return syscall(SYS_pidfd_send_signal, descriptor, signal, NULL, 0) < 0 ? -errno : 0;
}

int cw_reap(int pid) {
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR) return -errno;
    return 0;
}

int cw_owns_terminal(int descriptor) { return isatty(descriptor) && tcgetpgrp(descriptor) == getpgrp(); }

int cw_set_terminal_foreground(int terminal) {
    // We are a background group at this point, so the call would stop us with SIGTTOU.
    sigset_t output, before;
    sigemptyset(&output);
    sigaddset(&output, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &output, &before);
    int error = tcsetpgrp(terminal, getpgrp()) < 0 ? -errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

int cw_pipe(int descriptors[2]) { return pipe2(descriptors, O_CLOEXEC) < 0 ? -errno : 0; }
