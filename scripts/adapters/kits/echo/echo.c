// An adapter whose client works without a network: it responds with the request's body. scripts/adapters/kits/check compares its lines.
#include "crosswind_kit.h"

static void log_json(const ck_json *value) {
    ck_buffer out = {0};
    ck_format(&out, value);
    ck_emit_text("log", "text", out.bytes);
    free(out.bytes);
}

static void *make_session(ck_json *configuration) {
    log_json(configuration);
    return configuration;
}

static ck_failure load(void *session, ck_task *task) {
    (void)session;
    log_json(task->description);
    const char *path = strstr(task->url, "echo.test");
    path = path ? path + strlen("echo.test") : "";
    while (!strcmp(path, "/wait")) {
        if (ck_is_cancelled(task)) return ck_fail("other", "stopped");
        usleep(1000);
    }
    if (!strncmp(path, "/fail/", 6)) return ck_fail(path + 6, "as\nasked");
    if (!strcmp(path, "/redirect")) ck_redirect(task, 302, task->url, "GET");
    ck_buffer headers = {0};
    ck_json *list = ck_member(task->description, "headers");
    for (ck_json *one = list ? list->first : NULL; one; one = one->next) {
        const char *name = one->first->text, *value = one->first->next->text;
        ck_add_header(&headers, name, strlen(name), value, strlen(value));
    }
    if (ck_response(task, 200, task->url, &headers, (int64_t)task->body.length) && task->body.length) {
        ck_data(task, task->body.bytes, task->body.length);
    }
    free(headers.bytes);
    return ck_success;
}

int main(void) {
    ck_client client = {"echo", "1", "data upload download delegate completionHandler cancel responseDisposition",
        "didReceiveResponse didReceiveData didComplete", make_session, NULL, load};
    return ck_run(&client);
}
