#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <limits.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int64_t now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

int64_t cw_monotonic_now(void) { return now(CLOCK_MONOTONIC); }
int64_t cw_realtime_now(void) { return now(CLOCK_REALTIME); }
int64_t cw_boottime_now(void) { return now(CLOCK_BOOTTIME); }

static struct timespec remaining(int64_t deadline) {
    int64_t left = deadline - now(CLOCK_MONOTONIC);
    if (left < 0) left = 0;
    return (struct timespec){.tv_sec = left / 1000000000, .tv_nsec = left % 1000000000};
}

int cw_epoll_make(void) {
    int fd = epoll_create1(EPOLL_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

static int control(int epoll, int operation, int descriptor, uint32_t events, uint64_t token) {
    struct epoll_event event = {.events = events, .data.u64 = token};
    return epoll_ctl(epoll, operation, descriptor, &event) < 0 ? -errno : 0;
}

int cw_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token) {
    return control(epoll, EPOLL_CTL_ADD, descriptor, events, token);
}

int cw_epoll_modify(int epoll, int descriptor, uint32_t events, uint64_t token) {
    return control(epoll, EPOLL_CTL_MOD, descriptor, events, token);
}

int cw_epoll_remove(int epoll, int descriptor) { return control(epoll, EPOLL_CTL_DEL, descriptor, 0, 0); }

int cw_epoll_wait(int epoll, cw_event *events, int capacity, int64_t deadline) {
    struct epoll_event ready[64];
    if (capacity > 64) capacity = 64;
    int count;
    for (;;) {
        struct timespec left = {0}, *timeout = NULL;
        if (deadline != INT64_MAX) {
            left = remaining(deadline);
            timeout = &left;
        }
        count = epoll_pwait2(epoll, ready, capacity, timeout, NULL);
        if (count < 0 && errno == ENOSYS) { // before Linux 5.11: ppoll keeps the nanoseconds
            struct pollfd one = {.fd = epoll, .events = POLLIN};
            count = ppoll(&one, 1, timeout, NULL);
            if (count > 0) count = epoll_wait(epoll, ready, capacity, 0);
        }
        if (count >= 0) break;
        if (errno != EINTR) return -errno;
    }
    for (int i = 0; i < count; i++) {
        events[i].token = ready[i].data.u64;
        events[i].events = ready[i].events;
    }
    return count;
}

int cw_poll_one(int descriptor, uint32_t events, int64_t deadline) {
    struct pollfd one = {.fd = descriptor, .events = (short)events};
    for (;;) {
        struct timespec left = {0}, *timeout = NULL;
        if (deadline != INT64_MAX) {
            left = remaining(deadline);
            timeout = &left;
        }
        int count = ppoll(&one, 1, timeout, NULL);
        if (count > 0) return one.revents;
        if (count == 0) return 0;
        if (errno != EINTR) return -errno;
    }
}

int cw_eventfd_make(void) {
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return fd < 0 ? -errno : fd;
}

int cw_eventfd_raise(int descriptor) {
    uint64_t one = 1;
    for (;;) {
        if (write(descriptor, &one, sizeof one) == sizeof one) return 0;
        if (errno == EAGAIN) return 0; // the counter is full: already woken
        if (errno != EINTR) return -errno;
    }
}

int cw_eventfd_clear(int descriptor) {
    uint64_t count;
    for (;;) {
        if (read(descriptor, &count, sizeof count) == sizeof count) return 1;
        if (errno == EAGAIN) return 0;
        if (errno != EINTR) return -errno;
    }
}

int cw_set_priority(int thread, int nice) {
    id_t which = thread != 0 ? (id_t)thread : (id_t)syscall(SYS_gettid);
    return setpriority(PRIO_PROCESS, which, nice) < 0 ? -errno : 0;
}

int cw_timer_slack_minimal(void) { return prctl(PR_SET_TIMERSLACK, 1UL, 0, 0, 0) < 0 ? -errno : 0; }

int cw_usable_processors(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) < 0 ? -errno : CPU_COUNT(&set);
}

int cw_loadavg_open(void) {
    int fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

int cw_running_threads(int loadavg) {
    char text[128];
    ssize_t count = pread(loadavg, text, sizeof text - 1, 0);
    if (count < 0) return -errno;
    text[count] = 0;
    // "0.20 0.18 0.12 1/80 11206": the number before the slash.
    char *slash = strchr(text, '/');
    if (!slash) return -EINVAL;
    while (slash > text && slash[-1] != ' ') slash--;
    return atoi(slash);
}
