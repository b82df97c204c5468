#define _GNU_SOURCE
#include "CLabKernel.h"
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum state { STARTING, IDLE, POSTED, FINISHED, ENDING };

struct cw_worker {
    pthread_t thread;
    pthread_mutex_t turn; // one caller at a time
    pthread_mutex_t lock;
    pthread_cond_t changed;
    enum state state;
    int detached;
    void (*job)(void *);
    void *context;
    // start-up only
    enum cw_worker_namespace namespace;
    int enter_fd;
    int namespace_fd;
    int error;
    const char *call;
    char name[16];
};

static int settle(struct cw_worker *w) {
    if (w->namespace == CW_NAMESPACE_NEW) {
        w->call = "unshare(CLONE_NEWNET)";
        if (unshare(CLONE_NEWNET) != 0) return -errno;
    }
    if (w->namespace == CW_NAMESPACE_ENTER) {
        w->call = "setns";
        if (setns(w->enter_fd, CLONE_NEWNET) != 0) return -errno;
    }
    w->call = "open(/proc/thread-self/ns/net)";
    int fd;
    do fd = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
    while (fd < 0 && errno == EINTR);
    if (fd < 0) return -errno;
    if (w->namespace == CW_NAMESPACE_NEW) {
        w->call = "ioctl(SIOCSIFFLAGS, lo)";
        int up = cw_loopback_up();
        if (up < 0) {
            close(fd);
            return up;
        }
    }
    w->namespace_fd = fd;
    return 0;
}

static void dispose(struct cw_worker *w) {
    pthread_mutex_destroy(&w->turn);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->changed);
    free(w);
}

static void *live(void *argument) {
    struct cw_worker *w = argument;
    pthread_setname_np(pthread_self(), w->name);
    int error = settle(w);
    pthread_mutex_lock(&w->lock);
    w->error = error;
    w->state = IDLE;
    pthread_cond_broadcast(&w->changed);
    while (error == 0) {
        while (w->state != POSTED && w->state != ENDING) pthread_cond_wait(&w->changed, &w->lock);
        if (w->state == ENDING) break;
        pthread_mutex_unlock(&w->lock);
        w->job(w->context);
        pthread_mutex_lock(&w->lock);
        if (w->state == ENDING) break; // ended from inside the job
        w->state = FINISHED;
        pthread_cond_broadcast(&w->changed);
    }
    int detached = w->detached;
    pthread_mutex_unlock(&w->lock);
    if (detached) dispose(w);
    return NULL;
}

int cw_worker_start(const char *name, enum cw_worker_namespace namespace, int enter_fd, cw_worker **worker, int *namespace_fd,
                    const char **call) {
    struct cw_worker *w = calloc(1, sizeof *w);
    if (!w) {
        *call = "calloc";
        return -ENOMEM;
    }
    pthread_mutex_init(&w->turn, NULL);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    w->namespace = namespace;
    w->enter_fd = enter_fd;
    w->namespace_fd = -1;
    strncpy(w->name, name, sizeof w->name - 1);

    // The worker blocks all signals: they are handled by the program's threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int made = pthread_create(&w->thread, NULL, live, w);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (made != 0) {
        *call = "pthread_create";
        dispose(w);
        return -made;
    }
    pthread_mutex_lock(&w->lock);
    while (w->state == STARTING) pthread_cond_wait(&w->changed, &w->lock);
    int error = w->error;
    pthread_mutex_unlock(&w->lock);
    if (error < 0) {
        *call = w->call;
        pthread_join(w->thread, NULL);
        dispose(w);
        return error;
    }
    *worker = w;
    *namespace_fd = w->namespace_fd;
    return 0;
}

void cw_worker_run(cw_worker *w, void (*job)(void *), void *context) {
    if (pthread_equal(pthread_self(), w->thread)) {
        job(context);
        return;
    }
    pthread_mutex_lock(&w->turn);
    pthread_mutex_lock(&w->lock);
    w->job = job;
    w->context = context;
    w->state = POSTED;
    pthread_cond_broadcast(&w->changed);
    while (w->state != FINISHED) pthread_cond_wait(&w->changed, &w->lock);
    w->state = IDLE;
    pthread_mutex_unlock(&w->lock);
    pthread_mutex_unlock(&w->turn);
}

void cw_worker_end(cw_worker *w) {
    int own = pthread_equal(pthread_self(), w->thread);
    pthread_mutex_lock(&w->lock);
    w->state = ENDING;
    w->detached = own;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    if (own) {
        pthread_detach(w->thread);
        return;
    }
    pthread_join(w->thread, NULL);
    dispose(w);
}
