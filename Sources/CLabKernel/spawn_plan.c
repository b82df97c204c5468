// The plan of a child, made by the parent.
#include "spawn.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

void cw_spawn_plan_set_foreground(cw_spawn_plan *plan, int terminal, int reports_interrupts) {
    plan->terminal = terminal;
    plan->reports_interrupts = reports_interrupts;
}

void cw_spawn_plan_confine(cw_spawn_plan *plan, uint64_t capabilities, uint64_t processes) {
    plan->is_confined = 1;
    plan->capabilities = capabilities;
    plan->processes = processes;
}

void cw_spawn_plan_set_group(cw_spawn_plan *plan, int members) { plan->group = members; }

void cw_spawn_plan_set_restartable(cw_spawn_plan *plan) { plan->is_restartable = 1; }
