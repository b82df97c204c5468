#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct cw_thread {
    pthread_t thread;
};

struct start {
    void (*body)(void *);
    void *context;
    char name[16];
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    pthread_setname_np(pthread_self(), start.name);
    start.body(start.context);
    return NULL;
}

int cw_thread_start(const char *name, void (*body)(void *), void *context, cw_thread **thread) {
    struct cw_thread *made = calloc(1, sizeof *made);
    struct start *start = calloc(1, sizeof *start);
    if (!made || !start) {
        free(made);
        free(start);
        return -ENOMEM;
    }
    start->body = body;
    start->context = context;
    strncpy(start->name, name, sizeof start->name - 1);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&made->thread, NULL, run, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error != 0) {
        free(made);
        free(start);
        return -error;
    }
    *thread = made;
    return 0;
}

void cw_thread_join(cw_thread *thread) {
    if (pthread_equal(pthread_self(), thread->thread))
        pthread_detach(thread->thread);
    else
        pthread_join(thread->thread, NULL);
    free(thread);
}
