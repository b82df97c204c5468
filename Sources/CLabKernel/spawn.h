// What a child is started with, for the files of this module that prepare and start it. Everything here but the plan's
// construction runs between clone and exec, so it makes only async-signal-safe calls.
#pragma once

#include "CLabKernel.h"
#include <stddef.h>
#include <stdint.h>

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
    int reports_interrupts; // a listener reports each Ctrl-C that the terminal sends to the program's group
    int is_confined;
    uint64_t capabilities; // those that a confined program keeps
    uint64_t processes;    // the limit of a confined program; 0: none
    int group;             // the cgroup.procs file to join; -1: none
    int is_restartable;    // B stays when the program ends, and starts it again on request
};

/// Carries out one step of the plan in the child's mount namespace. Returns 0 or a negative error number.
int cw_perform(const struct step *step);

/// Returns the weakness (CW_WEAK_…) that the program runs with if a step of this kind fails, or 0 if it cannot run without.
int cw_weakness(enum cw_spawn_step kind);

/// Gives up every capability except the kept ones, and the right to gain any: by a set-user-ID program, by file capabilities,
/// or by being uid 0, whose capabilities after exec are those of the bounding set. Returns 0 or a negative error number.
int cw_confine(const cw_spawn_plan *plan);

/// Makes process 1 of a new process namespace, which carries out the plan (spawn.c). Returns its process id or a negative error number.
int cw_clone_first_process(cw_spawn_plan *plan, int flags);
