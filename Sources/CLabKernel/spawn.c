// A child that cannot outlive us and leaves nothing behind.
//
//   us ──clone, by the server──► B: process 1 of a new process namespace, in a new mount namespace
//                                └──vfork──► C: the program
//
// The server (spawn_server.c) calls clone in our place; B is our child nevertheless.
//
// B prepares the mounts, starts C, reaps whatever is orphaned to it, reports C's wait status and ends; when process 1 ends the
// kernel kills everything else in its process namespace and drops the mounts. B itself dies with us: by PR_SET_PDEATHSIG, and
// by end-of-file on the control socket in case we died before that was set.
//
// A confined program (cw_spawn_plan_confine) loses its capabilities and the right to gain others just before exec. B keeps its
// own: they are more than the program has, so the program can neither trace B nor open B's descriptors and namespaces.
//
// Between clone and exec only async-signal-safe calls are made: the parent is threaded, so another thread may hold any lock.
#define _GNU_SOURCE
#include "spawn.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// In the child: system calls only

static pid_t fork_raw(int flags) { return (pid_t)syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0); }

static void send_report(int control, const cw_spawn_report *report) {
    ssize_t sent;
    do sent = send(control, report, sizeof *report, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
}

static void give_up(const cw_spawn_plan *plan, int stage, int index, int error) {
    cw_spawn_report report = {.message = CW_FAILED, .stage = stage, .index = index, .error = error};
    send_report(plan->control, &report);
    _exit(127);
}

/// Closes every descriptor except those in `keep`, which is sorted in place.
static void close_others(int *keep, int count) {
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && keep[j - 1] > keep[j]; j--) {
            int swap = keep[j];
            keep[j] = keep[j - 1];
            keep[j - 1] = swap;
        }
    unsigned int next = 0;
    for (int i = 0; i < count; i++) {
        if (keep[i] < 0 || (unsigned int)keep[i] < next) continue;
        if ((unsigned int)keep[i] > next) syscall(SYS_close_range, next, (unsigned int)keep[i] - 1, 0);
        next = (unsigned int)keep[i] + 1;
    }
    syscall(SYS_close_range, next, ~0U, 0);
}

static void default_signals(void) {
    struct sigaction plain;
    memset(&plain, 0, sizeof plain);
    plain.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; signal++) sigaction(signal, &plain, NULL);
}

__attribute__((noreturn)) static void fail_start(int status_pipe, int stage, int error) {
    int32_t words[2] = {stage, error};
    ssize_t wrote;
    do wrote = write(status_pipe, words, sizeof words);
    while (wrote < 0 && errno == EINTR);
    _exit(127);
}

/// Lowers the priority, which is always allowed. Where sessions are scheduled as groups (sched(7), autogroup) niceness
/// counts only within a group, and the program leads its own group, so the group needs a nice value as well. Best
/// effort: a kernel without such groups does not need it.
static void be_nice(int niceness) {
    if (niceness <= 0) return;
    (void)setpriority(PRIO_PROCESS, 0, niceness);
    int group = open("/proc/self/autogroup", O_WRONLY | O_CLOEXEC);
    if (group < 0) return;
    // Only 1 to 19 occurs here; printf is not async-signal-safe.
    char text[2] = {niceness < 10 ? ' ' : '1', (char)('0' + niceness % 10)};
    // Without privileges the kernel accepts one such request per tenth of a second from all processes together.
    for (int tries = 0; tries < 20 && write(group, text, sizeof text) < 0 && errno == EAGAIN; tries++)
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    close(group);
}

/// C: the program. Does not return.
__attribute__((noinline, noreturn)) static void run_program(const cw_spawn_plan *plan, int status_pipe, int listener) {
    // B closed everything below, so the pipe may have become descriptor 1.
    status_pipe = fcntl(status_pipe, F_DUPFD_CLOEXEC, 3);
    if (status_pipe < 0) _exit(127);
    if (plan->terminal >= 0) {
        // Ctrl-C and Ctrl-\ reach only the program's group, in which a listener reports Ctrl-C if that is asked for.
        setpgid(0, 0);
        while (tcsetpgrp(plan->terminal, getpid()) < 0 && errno == EINTR) {}
        // The listener is in the group before the program can react to anything. If it has ended, the read ends as well.
        int32_t id = getpid();
        char byte;
        if (listener >= 0 && send(listener, &id, sizeof id, MSG_NOSIGNAL) == sizeof id) (void)!read(listener, &byte, 1);
    } else if (setsid() < 0) {
        setpgid(0, 0);
    }
    // Move them to high numbers first: the descriptor meant for 1 may be 0.
    int high[3];
    for (int i = 0; i < 3; i++) {
        high[i] = fcntl(plan->stdio[i], F_DUPFD_CLOEXEC, 3);
        if (high[i] < 0) fail_start(status_pipe, CW_STAGE_STDIO, errno);
    }
    for (int i = 0; i < 3; i++)
        if (dup2(high[i], i) < 0) fail_start(status_pipe, CW_STAGE_STDIO, errno);
    if (plan->directory && chdir(plan->directory) < 0) fail_start(status_pipe, CW_STAGE_DIRECTORY, errno);
    be_nice(plan->niceness);
    if (plan->is_confined) {
        int error = cw_confine(plan);
        if (error < 0) fail_start(status_pipe, CW_STAGE_CONFINE, -error);
    }
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve(plan->program, plan->arguments, plan->variables);
    fail_start(status_pipe, CW_STAGE_EXEC, errno);
}

/// Sends a signal to the program's group, or to the program alone if it has moved to another group.
static void send_signal(pid_t program, int signal) {
    // The group may have others in it, such as the listener, when the program has left it.
    kill(getpgid(program) == program ? -program : program, signal);
}

/// Starts a process that joins the program's group, reports each Ctrl-C at its terminal, and ends with B. Returns the socket on
/// which C sends its process id and waits for a byte, and on which B then sends a byte when the program's start is reported; -1
/// if there is none, and then Ctrl-C reaches the program alone. B cannot join the group itself: the kernel lets a first process
/// end only when the ids of its namespace are free, and the group's id would be in use by B.
static int start_listener(const cw_spawn_plan *plan) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return -1;
    // Not fork(2) of the C library, which takes locks (see the top).
    pid_t listener = fork_raw(0);
    if (listener != 0) {
        close(pair[1]);
        if (listener > 0) return pair[0];
        close(pair[0]);
        return -1;
    }
    prctl(PR_SET_NAME, "crosswind-keys", 0, 0, 0);
    int keep[2] = {plan->control, pair[1]};
    close_others(keep, 2);
    sigset_t watched;
    sigemptyset(&watched);
    sigaddset(&watched, SIGINT);
    // All signals are blocked, as in B, so that one that comes early waits here.
    int signals = signalfd(-1, &watched, SFD_CLOEXEC);
    int32_t program;
    char byte = 0;
    if (signals < 0 || read(pair[1], &program, sizeof program) != sizeof program || setpgid(0, program) < 0 ||
        write(pair[1], &byte, 1) != 1 || read(pair[1], &byte, 1) != 1)
        _exit(1);
    for (;;) {
        struct signalfd_siginfo information;
        if (read(signals, &information, sizeof information) != sizeof information) continue;
        // The terminal's own, not one of kill(2) of a program in the group.
        if (information.ssi_code != SI_KERNEL) continue;
        cw_spawn_report report = {.message = CW_INTERRUPTED};
        send_report(plan->control, &report);
    }
}

/// Starts C in B. Returns its process id, or gives up; the pipes then belong to C alone, so that they end with it.
static pid_t start_program(const cw_spawn_plan *plan, int weak) {
    int status_pipe[2];
    if (pipe2(status_pipe, O_CLOEXEC) < 0) give_up(plan, CW_STAGE_FORK, 0, errno);
    int listener = plan->terminal >= 0 && plan->reports_interrupts ? start_listener(plan) : -1;
    // C borrows the memory of B until it is executed, instead of copying the page tables. It writes only its own frames.
    pid_t program = vfork();
    if (program < 0) give_up(plan, CW_STAGE_FORK, 0, errno);
    if (program == 0) run_program(plan, status_pipe[1], listener);
    close(status_pipe[1]);
    for (int i = 0; i < 3; i++)
        if (plan->stdio[i] != plan->control) close(plan->stdio[i]);

    int32_t words[2];
    ssize_t got;
    do got = read(status_pipe[0], words, sizeof words);
    while (got < 0 && errno == EINTR);
    close(status_pipe[0]);
    if (got == sizeof words) give_up(plan, words[0], 0, words[1]);
    cw_spawn_report started = {.message = CW_STARTED, .index = program, .status = weak};
    send_report(plan->control, &started);
    // The first report must be that of the start.
    if (listener >= 0) {
        (void)!send(listener, "", 1, MSG_NOSIGNAL);
        close(listener);
    }
    return program;
}

/// Reads a request: the number of a signal, or CW_START with the three streams of the next process in `streams`. Returns what
/// recvmsg(2) returned.
static ssize_t receive_request(int control, int32_t *request, int streams[3]) {
    union {
        char bytes[CMSG_SPACE(3 * sizeof(int))];
        struct cmsghdr aligned;
    } buffer;
    struct iovec part = {.iov_base = request, .iov_len = sizeof *request};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = buffer.bytes, .msg_controllen = sizeof buffer.bytes};
    streams[0] = streams[1] = streams[2] = -1;
    ssize_t got = recvmsg(control, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    struct cmsghdr *header = got < 0 ? NULL : CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(3 * sizeof(int)))
        memcpy(streams, CMSG_DATA(header), 3 * sizeof(int));
    return got;
}

/// The main loop of B after the start: reap, forward signals, end with the program, or start it again.
static void keep_watch(cw_spawn_plan *plan, pid_t program, int signals) {
    for (;;) {
        int status;
        pid_t ended;
        while ((ended = waitpid(-1, &status, WNOHANG | WUNTRACED | __WALL)) > 0) {
            if (ended != program) continue;
            if (WIFSTOPPED(status)) {
                // B is not a job-control shell: a stopped program would never be continued.
                if (plan->terminal >= 0) send_signal(program, SIGCONT);
                continue;
            }
            cw_spawn_report report = {.message = CW_ENDED, .status = status};
            send_report(plan->control, &report);
            if (!plan->is_restartable) _exit(0);
            program = -1;
        }
        struct pollfd sources[2] = {{.fd = signals, .events = POLLIN}, {.fd = plan->control, .events = POLLIN}};
        if (poll(sources, 2, -1) < 0) continue;
        if (sources[0].revents & POLLIN) {
            struct signalfd_siginfo information;
            ssize_t got = read(signals, &information, sizeof information);
            (void)got;
        }
        if (sources[1].revents) {
            int32_t request;
            int streams[3];
            ssize_t got = receive_request(plan->control, &request, streams);
            if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) _exit(1); // our parent has ended
            if (got != sizeof request) continue;
            if (request == CW_START) {
                if (program > 0 || streams[0] < 0) give_up(plan, CW_STAGE_FORK, 0, EBUSY);
                memcpy(plan->stdio, streams, sizeof streams);
                program = start_program(plan, 0);
            } else if (program > 0) {
                send_signal(program, request);
                // So that a stopped program handles it too.
                if (request != SIGKILL && request != SIGSTOP) send_signal(program, SIGCONT);
            }
        }
    }
}

/// B: process 1 of the new process namespace.
static void run_first_process(cw_spawn_plan *plan) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) give_up(plan, CW_STAGE_DEATH_SIGNAL, 0, errno);
    prctl(PR_SET_NAME, "crosswind-init", 0, 0, 0);
    default_signals();
    // Everything that B starts belongs to the group as well.
    if (plan->group >= 0 && write(plan->group, "0", 1) < 0) give_up(plan, CW_STAGE_GROUP, 0, errno);
    int keep[5] = {plan->stdio[0], plan->stdio[1], plan->stdio[2], plan->network_namespace, plan->control};
    int network = plan->network_namespace;
    close_others(keep, 5);
    if (network >= 0) {
        if (setns(network, CLONE_NEWNET) < 0) give_up(plan, CW_STAGE_NETWORK, 0, errno);
        close(network);
    }
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) give_up(plan, CW_STAGE_PRIVATE_MOUNTS, 0, errno);
    int weak = 0;
    for (size_t i = 0; i < plan->step_count; i++) {
        int error = cw_perform(&plan->steps[i]);
        if (error < 0 && cw_weakness(plan->steps[i].kind) == 0) give_up(plan, CW_STAGE_STEP, (int)i, -error);
        if (error < 0) weak |= cw_weakness(plan->steps[i].kind);
    }

    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    int signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals < 0) give_up(plan, CW_STAGE_FORK, 0, errno);
    keep_watch(plan, start_program(plan, weak), signals);
}

// In the server and in the parent

int cw_clone_first_process(cw_spawn_plan *plan, int flags) {
    // The child must not run any of our handlers before it has reset them.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork_raw(flags | CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS);
    if (child == 0) {
        run_first_process(plan);
        _exit(127);
    }
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return child < 0 ? -error : child;
}

int cw_control_pair(int descriptors[2]) {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, descriptors) < 0 ? -errno : 0;
}

int cw_control_send_signal(int descriptor, int signal) {
    int32_t number = signal;
    for (;;) {
        if (send(descriptor, &number, sizeof number, MSG_NOSIGNAL) >= 0) return 0;
        if (errno != EINTR) return -errno;
    }
}

int cw_control_send_start(int descriptor, int standard_input, int standard_output, int standard_error) {
    int streams[3] = {standard_input, standard_output, standard_error};
    union {
        char bytes[CMSG_SPACE(sizeof streams)];
        struct cmsghdr aligned;
    } buffer;
    memset(&buffer, 0, sizeof buffer);
    int32_t request = CW_START;
    struct iovec part = {.iov_base = &request, .iov_len = sizeof request};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = buffer.bytes, .msg_controllen = sizeof buffer.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof streams);
    memcpy(CMSG_DATA(header), streams, sizeof streams);
    for (;;) {
        if (sendmsg(descriptor, &message, MSG_NOSIGNAL) >= 0) return 0;
        if (errno != EINTR) return -errno;
    }
}

int cw_control_receive(int descriptor, cw_spawn_report *report) {
    for (;;) {
        ssize_t got = recv(descriptor, report, sizeof *report, 0);
        if (got == sizeof *report) return 1;
        if (got >= 0) return 0;
        if (errno == ECONNRESET) return 0; // it ended before reading a signal of ours
        if (errno != EINTR) return -errno;
    }
}

int cw_control_take_interrupt(int descriptor) {
    cw_spawn_report report;
    ssize_t got = recv(descriptor, &report, sizeof report, MSG_PEEK | MSG_DONTWAIT);
    if (got != sizeof report || report.message != CW_INTERRUPTED) return 0;
    return recv(descriptor, &report, sizeof report, MSG_DONTWAIT) == sizeof report;
}
