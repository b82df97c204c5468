// A child that cannot outlive us and leaves nothing behind.
//
//   us ──clone──► B: process 1 of a new process namespace, in a new mount namespace
//                 └──clone──► C: the program
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
#include "CLabKernel.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct step {
    enum cw_spawn_step kind;
    char *path;
    char *source;
    unsigned char *bytes;
    size_t count;
    uint32_t mode;
};

struct cw_spawn_plan {
    char *program;
    char *directory;
    int niceness;
    char **arguments;
    size_t argument_count;
    char **variables;
    size_t variable_count;
    struct step *steps;
    size_t step_count;
    int stdio[3];
    int network_namespace;
    int control;
    int terminal; // -1: not in the foreground of a terminal
    int is_confined;
    uint64_t capabilities; // those that a confined program keeps
    uint64_t processes;    // the limit of a confined program; 0: none
    int group;             // the cgroup.procs file to join; -1: none
};

// The plan, made by the parent

static int append_string(char ***list, size_t *count, const char *text) {
    char **grown = realloc(*list, (*count + 2) * sizeof *grown);
    if (!grown) return -ENOMEM;
    *list = grown;
    grown[*count] = strdup(text);
    if (!grown[*count]) return -ENOMEM;
    grown[++*count] = NULL;
    return 0;
}

cw_spawn_plan *cw_spawn_plan_make(const char *program) {
    cw_spawn_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return NULL;
    plan->program = strdup(program);
    plan->arguments = calloc(1, sizeof *plan->arguments);
    plan->variables = calloc(1, sizeof *plan->variables);
    plan->terminal = -1;
    plan->group = -1;
    if (!plan->program || !plan->arguments || !plan->variables) {
        cw_spawn_plan_free(plan);
        return NULL;
    }
    return plan;
}

void cw_spawn_plan_free(cw_spawn_plan *plan) {
    for (size_t i = 0; i < plan->argument_count; i++) free(plan->arguments[i]);
    for (size_t i = 0; i < plan->variable_count; i++) free(plan->variables[i]);
    for (size_t i = 0; i < plan->step_count; i++) {
        free(plan->steps[i].path);
        free(plan->steps[i].source);
        free(plan->steps[i].bytes);
    }
    free(plan->arguments);
    free(plan->variables);
    free(plan->steps);
    free(plan->program);
    free(plan->directory);
    free(plan);
}

int cw_spawn_plan_add_argument(cw_spawn_plan *plan, const char *argument) {
    return append_string(&plan->arguments, &plan->argument_count, argument);
}

int cw_spawn_plan_add_variable(cw_spawn_plan *plan, const char *assignment) {
    return append_string(&plan->variables, &plan->variable_count, assignment);
}

int cw_spawn_plan_add_step(cw_spawn_plan *plan, enum cw_spawn_step kind, const char *path, const char *source,
                           const void *bytes, size_t count, uint32_t mode) {
    struct step *grown = realloc(plan->steps, (plan->step_count + 1) * sizeof *grown);
    if (!grown) return -ENOMEM;
    plan->steps = grown;
    struct step step = {.kind = kind, .count = count, .mode = mode};
    step.path = strdup(path);
    step.source = source ? strdup(source) : NULL;
    if (count) {
        step.bytes = malloc(count);
        if (step.bytes) memcpy(step.bytes, bytes, count);
    }
    if (!step.path || (source && !step.source) || (count && !step.bytes)) {
        free(step.path);
        free(step.source);
        free(step.bytes);
        return -ENOMEM;
    }
    grown[plan->step_count++] = step;
    return 0;
}

void cw_spawn_plan_set_niceness(cw_spawn_plan *plan, int niceness) { plan->niceness = niceness; }

int cw_spawn_plan_set_directory(cw_spawn_plan *plan, const char *directory) {
    plan->directory = strdup(directory);
    return plan->directory ? 0 : -ENOMEM;
}

void cw_spawn_plan_set_descriptors(cw_spawn_plan *plan, int standard_input, int standard_output, int standard_error,
                                   int network_namespace, int control) {
    plan->stdio[0] = standard_input;
    plan->stdio[1] = standard_output;
    plan->stdio[2] = standard_error;
    plan->network_namespace = network_namespace;
    plan->control = control;
}

void cw_spawn_plan_set_foreground(cw_spawn_plan *plan, int terminal) { plan->terminal = terminal; }

void cw_spawn_plan_confine(cw_spawn_plan *plan, uint64_t capabilities, uint64_t processes) {
    plan->is_confined = 1;
    plan->capabilities = capabilities;
    plan->processes = processes;
}

void cw_spawn_plan_set_group(cw_spawn_plan *plan, int members) { plan->group = members; }

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

static int write_file(const struct step *step) {
    int fd;
    do fd = open(step->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, step->mode);
    while (fd < 0 && errno == EINTR);
    if (fd < 0) return -errno;
    size_t done = 0;
    while (done < step->count) {
        ssize_t wrote = write(fd, step->bytes + done, step->count - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) {
            int error = errno;
            close(fd);
            return -error;
        }
        done += (size_t)wrote;
    }
    int error = fchmod(fd, step->mode) < 0 ? -errno : 0; // the inherited umask must not narrow it
    close(fd);
    return error;
}

/// Makes what is below `path` read-only, without the mounts further down. The flags that the kernel may have locked for a user
/// namespace are set as well, because it refuses to remount without them.
static int seal(const char *path) {
    struct stat status;
    if (stat(path, &status) < 0) return errno == ENOENT ? 0 : -errno;
    if (mount(path, path, NULL, MS_BIND | MS_REC, NULL) < 0) return -errno;
    unsigned long flags = MS_BIND | MS_REMOUNT | MS_RDONLY;
    if (mount(NULL, path, NULL, flags, NULL) == 0) return 0;
    return mount(NULL, path, NULL, flags | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0 ? -errno : 0;
}

/// Makes a file look empty and a directory look empty and read-only.
static int mask(const char *path) {
    struct stat status;
    if (stat(path, &status) < 0) return errno == ENOENT ? 0 : -errno;
    unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY;
    if (S_ISDIR(status.st_mode)) return mount("tmpfs", path, "tmpfs", flags, "mode=0555,size=4k") < 0 ? -errno : 0;
    return mount("/dev/null", path, NULL, MS_BIND, NULL) < 0 ? -errno : 0;
}

/// Returns `directory/name` in `buffer`, which only one call at a time may use.
static const char *beside(const char *directory, const char *name) {
    static char buffer[512];
    size_t length = strlen(directory), more = strlen(name);
    if (length + more + 2 > sizeof buffer) return "";
    memcpy(buffer, directory, length);
    buffer[length] = '/';
    memcpy(buffer + length + 1, name, more + 1);
    return buffer;
}

static int bind_file(const char *source, const char *directory, const char *name) {
    const char *target = beside(directory, name);
    int fd = open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return -errno;
    close(fd);
    return mount(source, target, NULL, MS_BIND, NULL) < 0 ? -errno : 0;
}

/// Builds on `scratch` a /dev with the devices that any program may use: no disks, no memory, no other terminals.
/// `terminal` is the program's terminal, or empty: as /dev/console it can still be found by its name (ttyname(3)).
static int make_devices(const char *scratch, const char *terminal) {
    static const char *const devices[] = {"null", "zero", "full", "random", "urandom", "tty"};
    char source[32] = "/dev/";
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        memcpy(source + 5, devices[i], strlen(devices[i]) + 1);
        int error = bind_file(source, scratch, devices[i]);
        if (error < 0 && error != -ENOENT) return error;
    }
    if (symlink("/proc/self/fd", beside(scratch, "fd")) < 0) return -errno;
    if (symlink("/proc/self/fd/0", beside(scratch, "stdin")) < 0) return -errno;
    if (symlink("/proc/self/fd/1", beside(scratch, "stdout")) < 0) return -errno;
    if (symlink("/proc/self/fd/2", beside(scratch, "stderr")) < 0) return -errno;
    if (symlink("pts/ptmx", beside(scratch, "ptmx")) < 0) return -errno;
    if (mkdir(beside(scratch, "pts"), 0755) < 0 || mkdir(beside(scratch, "shm"), 0755) < 0) return -errno;
    // An instance of its own: a terminal outside cannot be opened, and a new one is visible only here.
    if (mount("devpts", beside(scratch, "pts"), "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620") < 0)
        return -errno;
    if (mount("tmpfs", beside(scratch, "shm"), "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=25%") < 0) return -errno;
    if (*terminal) (void)bind_file(terminal, scratch, "console");
    return 0;
}

/// Replaces /dev. The new one is built elsewhere and then moved, because its files are bound from the old one.
static int replace_devices(const char *path, const char *scratch, const char *terminal) {
    if (mount("tmpfs", scratch, "tmpfs", MS_NOSUID, "mode=0755,size=64k") < 0) return -errno;
    int error = make_devices(scratch, terminal);
    if (error == 0 && mount(scratch, path, NULL, MS_MOVE, NULL) < 0) error = -errno;
    if (error < 0) umount2(scratch, MNT_DETACH);
    return error;
}

static int perform(const struct step *step) {
    switch (step->kind) {
    case CW_STEP_TMPFS:
        if (mount("tmpfs", step->path, "tmpfs", MS_NOSUID | MS_NODEV, step->source ? step->source : "mode=0755") < 0) return -errno;
        return 0;
    case CW_STEP_DIRECTORY: return mkdir(step->path, step->mode) < 0 && errno != EEXIST ? -errno : 0;
    case CW_STEP_WRITE: return write_file(step);
    case CW_STEP_BIND: return mount(step->source, step->path, NULL, MS_BIND, NULL) < 0 ? -errno : 0;
    case CW_STEP_BIND_TREE: return mount(step->source, step->path, NULL, MS_BIND | MS_REC, NULL) < 0 ? -errno : 0;
    case CW_STEP_LINK: return symlink(step->source, step->path) < 0 && errno != EEXIST ? -errno : 0;
    case CW_STEP_SEAL: return seal(step->path);
    case CW_STEP_MASK: return mask(step->path);
    case CW_STEP_DEVICES:
        return replace_devices(step->path, step->source, step->count ? (const char *)step->bytes : "");
    case CW_STEP_DETACH: return umount2(step->path, MNT_DETACH) < 0 ? -errno : 0;
    case CW_STEP_PROC:
        return mount("proc", step->path, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0 ? -errno : 0;
    case CW_STEP_SYSFS:
        // Read-only: /sys/kernel/uevent_helper, for one, names a program that the kernel starts outside.
        // The instance of a network namespace may be mounted already, so that only this mount becomes read-only.
        if (mount("sysfs", step->path, "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0) return -errno;
        return seal(step->path);
    }
    return -EINVAL;
}

static void fail_start(int status_pipe, int stage, int error) {
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

/// The steps without which the program can still run. Some containers forbid these mounts.
static int weakness(enum cw_spawn_step kind) {
    switch (kind) {
    case CW_STEP_PROC: return CW_WEAK_PROC;
    case CW_STEP_SYSFS: return CW_WEAK_SYS;
    case CW_STEP_SEAL:
    case CW_STEP_MASK: return CW_WEAK_SEAL;
    case CW_STEP_DEVICES: return CW_WEAK_DEVICES;
    default: return 0;
    }
}

/// Gives up every capability except the kept ones, and the right to gain any: by a set-user-ID program, by file capabilities,
/// or by being uid 0, whose capabilities after exec are those of the bounding set.
static int confine(const cw_spawn_plan *plan) {
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

/// C: the program.
static void run_program(const cw_spawn_plan *plan, int status_pipe) {
    // B closed everything below, so the pipe may have become descriptor 1.
    status_pipe = fcntl(status_pipe, F_DUPFD_CLOEXEC, 3);
    if (status_pipe < 0) _exit(127);
    if (plan->terminal >= 0) {
        // Ctrl-C and Ctrl-\ reach only the program's group.
        setpgid(0, 0);
        while (tcsetpgrp(plan->terminal, getpid()) < 0 && errno == EINTR) {}
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
        int error = confine(plan);
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
    if (kill(-program, signal) < 0) kill(program, signal);
}

/// The main loop of B after the start: reap, forward signals, end with the program.
static void keep_watch(const cw_spawn_plan *plan, pid_t program, int signals) {
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
            _exit(0);
        }
        struct pollfd sources[2] = {{.fd = signals, .events = POLLIN}, {.fd = plan->control, .events = POLLIN}};
        if (poll(sources, 2, -1) < 0) continue;
        if (sources[0].revents & POLLIN) {
            struct signalfd_siginfo information;
            ssize_t got = read(signals, &information, sizeof information);
            (void)got;
        }
        if (sources[1].revents) {
            int32_t signal;
            ssize_t got = recv(plan->control, &signal, sizeof signal, MSG_DONTWAIT);
            if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) _exit(1); // our parent has ended
            if (got == sizeof signal) {
                send_signal(program, signal);
                if (signal != SIGKILL) send_signal(program, SIGCONT); // so that a stopped program handles it too
            }
        }
    }
}

/// B: process 1 of the new process namespace.
static void run_first_process(const cw_spawn_plan *plan) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) < 0) give_up(plan, CW_STAGE_DEATH_SIGNAL, 0, errno);
    prctl(PR_SET_NAME, "crosswind-init", 0, 0, 0);
    default_signals();
    // Everything that B starts belongs to the group as well.
    if (plan->group >= 0 && write(plan->group, "0", 1) < 0) give_up(plan, CW_STAGE_GROUP, 0, errno);
    int keep[5] = {plan->stdio[0], plan->stdio[1], plan->stdio[2], plan->network_namespace, plan->control};
    int control = plan->control, network = plan->network_namespace;
    close_others(keep, 5);
    if (network >= 0) {
        if (setns(network, CLONE_NEWNET) < 0) give_up(plan, CW_STAGE_NETWORK, 0, errno);
        close(network);
    }
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0) give_up(plan, CW_STAGE_PRIVATE_MOUNTS, 0, errno);
    int weak = 0;
    for (size_t i = 0; i < plan->step_count; i++) {
        int error = perform(&plan->steps[i]);
        if (error < 0 && weakness(plan->steps[i].kind) == 0) give_up(plan, CW_STAGE_STEP, (int)i, -error);
        if (error < 0) weak |= weakness(plan->steps[i].kind);
    }

    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    int signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    int status_pipe[2];
    if (signals < 0 || pipe2(status_pipe, O_CLOEXEC) < 0) give_up(plan, CW_STAGE_FORK, 0, errno);
    pid_t program = fork_raw(0);
    if (program < 0) give_up(plan, CW_STAGE_FORK, 0, errno);
    if (program == 0) run_program(plan, status_pipe[1]);
    close(status_pipe[1]);
    // The pipes must end with the program, not with B.
    for (int i = 0; i < 3; i++)
        if (plan->stdio[i] != control) close(plan->stdio[i]);

    int32_t words[2];
    ssize_t got;
    do got = read(status_pipe[0], words, sizeof words);
    while (got < 0 && errno == EINTR);
    close(status_pipe[0]);
    if (got == sizeof words) give_up(plan, words[0], 0, words[1]);
    cw_spawn_report started = {.message = CW_STARTED, .status = weak};
    send_report(control, &started);
    keep_watch(plan, program, signals);
}

// In the parent

int cw_spawn(const cw_spawn_plan *plan) {
    // The child must not run any of our handlers before it has reset them.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork_raw(CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWUTS);
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

int cw_control_receive(int descriptor, cw_spawn_report *report) {
    for (;;) {
        ssize_t got = recv(descriptor, report, sizeof *report, 0);
        if (got == sizeof *report) return 1;
        if (got >= 0) return 0;
        if (errno == ECONNRESET) return 0; // it ended before reading a signal of ours
        if (errno != EINTR) return -errno;
    }
}
