// The process that makes first processes in our place.
//
// A fork copies the page tables of its caller, and afterwards every page that the caller writes faults once more. A harness has
// tens of megabytes and many threads that write, and it starts a program for every run: those faults were a twentieth of the
// processor time of a run. So it forks one server, and the server, which does nothing else, forks the rest.
//
//   us ──clone, once──► the server ──clone(CLONE_PARENT)──► B (spawn.c), which is therefore our child, not the server's
//
// The server dies with the thread that made it: by PR_SET_PDEATHSIG, and by end-of-file on its socket. It is used by that
// thread only. Between the clone and the end it makes only async-signal-safe calls, like everything in spawn.c.
#define _GNU_SOURCE
#include "spawn.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/// The descriptors of a request: the three streams, the control socket, and if the plan has them the network namespace and the
/// group; the working directory is the last one.
enum { MOST_DESCRIPTORS = 7 };

// The plan as bytes: the structure itself, then its strings and arrays in one order for both sides.

/// Bytes that are written (`bytes` may be NULL, to count them) or read in place.
struct tape {
    unsigned char *bytes;
    size_t at;
};

static size_t aligned(size_t count) { return (count + 15) & ~(size_t)15; }

static void put(struct tape *tape, const void *bytes, size_t count) {
    if (tape->bytes && count) memcpy(tape->bytes + tape->at, bytes, count);
    tape->at += aligned(count);
}

static void put_string(struct tape *tape, const char *text) {
    if (text) put(tape, text, strlen(text) + 1);
}

static void put_strings(struct tape *tape, char **list, size_t count) {
    put(tape, list, (count + 1) * sizeof *list);
    for (size_t i = 0; i < count; i++) put_string(tape, list[i]);
}

static size_t put_plan(unsigned char *bytes, const cw_spawn_plan *plan) {
    struct tape tape = {.bytes = bytes};
    put(&tape, plan, sizeof *plan);
    put_string(&tape, plan->program);
    put_string(&tape, plan->directory);
    put_strings(&tape, plan->arguments, plan->argument_count);
    put_strings(&tape, plan->variables, plan->variable_count);
    put(&tape, plan->steps, plan->step_count * sizeof *plan->steps);
    for (size_t i = 0; i < plan->step_count; i++) {
        put_string(&tape, plan->steps[i].path);
        put_string(&tape, plan->steps[i].source);
        if (plan->steps[i].bytes) put(&tape, plan->steps[i].bytes, plan->steps[i].count);
    }
    return tape.at;
}

static void *take(struct tape *tape, size_t count) {
    void *found = tape->bytes + tape->at;
    tape->at += aligned(count);
    return found;
}

/// A string that was NULL stays NULL.
static void take_string(struct tape *tape, char **text) {
    if (*text) *text = take(tape, strlen((char *)tape->bytes + tape->at) + 1);
}

static void take_strings(struct tape *tape, char ***list, size_t count) {
    *list = take(tape, (count + 1) * sizeof **list);
    for (size_t i = 0; i < count; i++) take_string(tape, &(*list)[i]);
}

/// The inverse of put_plan; the plan and everything that it points to are parts of `bytes`.
static cw_spawn_plan *take_plan(unsigned char *bytes) {
    struct tape tape = {.bytes = bytes};
    cw_spawn_plan *plan = take(&tape, sizeof *plan);
    take_string(&tape, &plan->program);
    take_string(&tape, &plan->directory);
    take_strings(&tape, &plan->arguments, plan->argument_count);
    take_strings(&tape, &plan->variables, plan->variable_count);
    plan->steps = take(&tape, plan->step_count * sizeof *plan->steps);
    for (size_t i = 0; i < plan->step_count; i++) {
        take_string(&tape, &plan->steps[i].path);
        take_string(&tape, &plan->steps[i].source);
        if (plan->steps[i].bytes) plan->steps[i].bytes = take(&tape, plan->steps[i].count);
    }
    return plan;
}

/// Moves all bytes with `call`; returns 1, 0 at the end of file, or a negative error number.
static int move_all(ssize_t (*call)(int, void *, size_t), int socket, unsigned char *bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        ssize_t moved = call(socket, bytes + done, count - done);
        if (moved < 0 && errno == EINTR) continue;
        if (moved <= 0) return moved < 0 ? -errno : 0;
        done += (size_t)moved;
    }
    return 1;
}

static ssize_t send_part(int socket, void *bytes, size_t count) { return send(socket, bytes, count, MSG_NOSIGNAL); }
static ssize_t receive_part(int socket, void *bytes, size_t count) { return recv(socket, bytes, count, 0); }

union descriptor_buffer {
    char bytes[CMSG_SPACE(MOST_DESCRIPTORS * sizeof(int))];
    struct cmsghdr aligned;
};

// In the server

/// Receives the number of bytes of a plan with the descriptors. Returns the number of descriptors, or a negative number at the end.
static int receive_head(int socket, uint64_t *count, int descriptors[MOST_DESCRIPTORS]) {
    union descriptor_buffer buffer;
    struct iovec part = {.iov_base = count, .iov_len = sizeof *count};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = buffer.bytes, .msg_controllen = sizeof buffer.bytes};
    ssize_t got;
    do got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got != sizeof *count) return -1;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (!header || header->cmsg_type != SCM_RIGHTS) return -1;
    size_t found = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    memcpy(descriptors, CMSG_DATA(header), found * sizeof(int));
    return (int)found;
}

/// Gives the plan the descriptors that arrived in place of the sender's. Returns the working directory.
static int adopt(cw_spawn_plan *plan, const int *descriptors) {
    int next = 0;
    for (int i = 0; i < 3; i++) plan->stdio[i] = descriptors[next++];
    plan->control = descriptors[next++];
    if (plan->network_namespace >= 0) plan->network_namespace = descriptors[next++];
    if (plan->group >= 0) plan->group = descriptors[next++];
    // A program in the foreground has the terminal as its standard input.
    if (plan->terminal >= 0) plan->terminal = plan->stdio[0];
    return descriptors[next];
}

static void serve(int socket) {
    for (;;) {
        uint64_t size;
        int descriptors[MOST_DESCRIPTORS];
        int count = receive_head(socket, &size, descriptors);
        if (count < 0) _exit(0);
        unsigned char *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (bytes == MAP_FAILED) _exit(1);
        if (move_all(receive_part, socket, bytes, size) != 1) _exit(0);
        cw_spawn_plan *plan = take_plan(bytes);
        int32_t reply;
        if (fchdir(adopt(plan, descriptors)) < 0) {
            reply = -errno;
        } else {
            reply = cw_clone_first_process(plan, CLONE_PARENT);
        }
        for (int i = 0; i < count; i++) close(descriptors[i]);
        munmap(bytes, size);
        if (move_all(send_part, socket, (unsigned char *)&reply, sizeof reply) != 1) _exit(0);
    }
}

static void run_server(int socket) {
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    prctl(PR_SET_NAME, "crosswind-spawn", 0, 0, 0);
    // Ours are open elsewhere as well: a reader of our output must see its end when we end.
    int high = fcntl(socket, F_DUPFD_CLOEXEC, 3);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (high < 0 || nothing < 0) _exit(1);
    for (int i = 0; i < 3; i++)
        if (dup2(nothing, i) < 0) _exit(1);
    syscall(SYS_close_range, 3, (unsigned int)high - 1, 0);
    syscall(SYS_close_range, (unsigned int)high + 1, ~0U, 0);
    serve(high);
}

// In the parent, on the one thread that spawns

static int server = -1;
static pid_t server_process = -1;

static void stop_server(void) {
    if (server < 0) return;
    close(server);
    server = -1;
    cw_kill(server_process, SIGKILL);
    cw_reap(server_process);
}

static int start_server(void) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0) return -errno;
    // The server keeps all signals blocked: those of the terminal are for the program.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        run_server(pair[1]);
        _exit(1);
    }
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(pair[1]);
    if (child < 0) {
        close(pair[0]);
        return -error;
    }
    server = pair[0];
    server_process = child;
    return 0;
}

/// Returns the process id of B, a negative error number of its clone, or 0 if the server did not reply.
static int ask_server(const cw_spawn_plan *plan) {
    uint64_t size = put_plan(NULL, plan);
    unsigned char *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bytes == MAP_FAILED) return -errno;
    put_plan(bytes, plan);
    int directory = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (directory < 0) {
        int error = errno;
        munmap(bytes, size);
        return -error;
    }
    int descriptors[MOST_DESCRIPTORS];
    size_t count = 0;
    for (int i = 0; i < 3; i++) descriptors[count++] = plan->stdio[i];
    descriptors[count++] = plan->control;
    if (plan->network_namespace >= 0) descriptors[count++] = plan->network_namespace;
    if (plan->group >= 0) descriptors[count++] = plan->group;
    descriptors[count++] = directory;

    union descriptor_buffer buffer;
    memset(&buffer, 0, sizeof buffer);
    struct iovec part = {.iov_base = &size, .iov_len = sizeof size};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = buffer.bytes,
        .msg_controllen = CMSG_SPACE(count * sizeof(int))};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(count * sizeof(int));
    memcpy(CMSG_DATA(header), descriptors, count * sizeof(int));
    ssize_t sent;
    do sent = sendmsg(server, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    int error = sent < 0 ? errno : 0;
    close(directory);

    int32_t reply = 0;
    // A stream that is not open is the caller's error; anything else means that the server is gone.
    if (sent < 0) {
        reply = error == EBADF ? -EBADF : 0;
    } else if (move_all(send_part, server, bytes, size) != 1 ||
               move_all(receive_part, server, (unsigned char *)&reply, sizeof reply) != 1) {
        reply = 0;
    }
    munmap(bytes, size);
    return reply;
}

int cw_spawn(cw_spawn_plan *plan) {
    for (int tries = 0; tries < 2; tries++) {
        int error = server < 0 ? start_server() : 0;
        if (error < 0) return error;
        int reply = ask_server(plan);
        if (reply != 0) return reply;
        // It was killed, by the kernel for lack of memory or by someone.
        stop_server();
    }
    return -ECHILD;
}
