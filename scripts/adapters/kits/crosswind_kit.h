// The Crosswind adapter kit for C: JSON, lines, numbers, clock, flush, and the order of a task's events. One file, to be included
// once. Needs POSIX threads.
//
// Fill in a ck_client and call ck_run. `load` runs at `resume`, on a thread of its own: it calls the client under test and reports to
// the task what arrives, with ck_response and ck_data. It returns ck_success, or ck_fail(...) for an error. It must end soon after
// ck_is_cancelled becomes true.
#ifndef CROSSWIND_KIT_H
#define CROSSWIND_KIT_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { ck_version = 2, ck_piece = 64 * 1024, ck_longest = 4 * 1024 * 1024 };  // a line of didReceiveData carries at most ck_longest

// A JSON value. Members of an object and elements of an array are a list of `next`; numbers keep their text, so they stay exact.
typedef struct ck_json {
    enum { ck_null, ck_flag, ck_number, ck_text, ck_array, ck_object } type;
    char *key, *text;  // text: of a text, a number or a flag
    struct ck_json *first, *next;
} ck_json;

typedef struct { char *bytes; size_t length, room; } ck_buffer;

typedef struct { const char *kind; int code; char text[512]; } ck_failure;  // kind NULL: success

typedef struct ck_task {
    const char *name, *url, *method;
    bool is_download, has_handler;
    ck_json *description;
    ck_buffer body;   // body.bytes NULL: a request without a body
    void *session, *context;  // context: for the client
    atomic_bool is_cancelled;
    const struct ck_client *client;
    pthread_mutex_t lock;
    enum { ck_suspended, ck_running, ck_completed } state;
    ck_buffer head, content;
    bool has_head;
    int64_t received, expected;
    struct ck_task *next;
} ck_task;

typedef struct ck_client {
    const char *name, *version, *capabilities, *reports;  // names with spaces between; reports NULL: every event
    void *(*make_session)(ck_json *configuration);
    const char *(*make_task)(void *session, ck_task *task);  // may be NULL; returns what is unsupported, or NULL
    ck_failure (*load)(void *session, ck_task *task);
} ck_client;

// Numbers, texts and parts of lines.

static inline void *ck_memory(void *memory) {
    if (!memory) abort();
    return memory;
}

static void ck_add(ck_buffer *out, const void *bytes, size_t length) {
    if (out->length + length + 1 > out->room) {
        out->room = (out->length + length + 1) * 2;
        out->bytes = ck_memory(realloc(out->bytes, out->room));
    }
    if (length) memcpy(out->bytes + out->length, bytes, length);
    out->bytes[out->length += length] = 0;
}

__attribute__((format(printf, 2, 3))) static void ck_print(ck_buffer *out, const char *format, ...) {
    va_list list;
    va_start(list, format);
    char *text;
    int length = vasprintf(&text, format, list);
    va_end(list);
    if (length < 0) abort();
    ck_add(out, text, (size_t)length);
    free(text);
}

// The number of bytes of the UTF-8 character at `text`, or 0 if it is not valid.
static size_t ck_character(const unsigned char *text, size_t left) {
    size_t length = text[0] < 0x80 ? 1 : text[0] >= 0xC2 && text[0] < 0xE0 ? 2 : text[0] >= 0xE0 && text[0] < 0xF0 ? 3
        : text[0] >= 0xF0 && text[0] < 0xF5 ? 4 : 0;
    if (length > left) return 0;
    for (size_t i = 1; i < length; i++) if ((text[i] & 0xC0) != 0x80) return 0;
    if ((text[0] == 0xE0 && text[1] < 0xA0) || (text[0] == 0xED && text[1] > 0x9F) || (text[0] == 0xF0 && text[1] < 0x90)
        || (text[0] == 0xF4 && text[1] > 0x8F)) return 0;
    return length;
}

// Bytes that are not UTF-8, which a header may have, are written as the Latin-1 characters of their values.
static void ck_add_text(ck_buffer *out, const char *text, size_t length) {
    ck_add(out, "\"", 1);
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)text[i];
        size_t size = ck_character((const unsigned char *)text + i, length - i);
        if (c < ' ' || size == 0) ck_print(out, "\\u%04x", c);
        else {
            if (c == '"' || c == '\\') ck_add(out, "\\", 1);
            ck_add(out, text + i, size);
        }
        i += size ? size : 1;
    }
    ck_add(out, "\"", 1);
}

static void ck_add_base64(ck_buffer *out, const unsigned char *data, size_t length) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < length; i += 3) {
        uint32_t bits = (uint32_t)data[i] << 16 | (i + 1 < length ? (uint32_t)data[i + 1] << 8 : 0) | (i + 2 < length ? data[i + 2] : 0);
        char four[4] = {digits[bits >> 18], digits[bits >> 12 & 63], i + 1 < length ? digits[bits >> 6 & 63] : '=', i + 2 < length ? digits[bits & 63] : '='};
        ck_add(out, four, 4);
    }
}

static void ck_decode_base64(ck_buffer *out, const char *text) {
    uint32_t bits = 0;
    int count = 0;
    ck_add(out, "", 0);
    for (; *text && *text != '='; text++) {
        char c = *text;
        uint32_t value = c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 : c >= '0' && c <= '9' ? c - '0' + 52 : c == '+' ? 62 : 63;
        bits = bits << 6 | value;
        if (++count % 4 != 1) {
            unsigned char byte = (unsigned char)(bits >> (6 - 2 * ((count - 1) % 4)));
            ck_add(out, &byte, 1);
        }
    }
}

static inline void ck_format(ck_buffer *out, const ck_json *value) {
    if (value->type == ck_text) ck_add_text(out, value->text, strlen(value->text));
    else if (value->type < ck_text) ck_print(out, "%s", value->type == ck_null ? "null" : value->text);
    else {
        ck_print(out, value->type == ck_array ? "[" : "{");
        for (ck_json *one = value->first; one; one = one->next) {
            if (one != value->first) ck_print(out, ",");
            if (one->key) {
                ck_add_text(out, one->key, strlen(one->key));
                ck_print(out, ":");
            }
            ck_format(out, one);
        }
        ck_print(out, value->type == ck_array ? "]" : "}");
    }
}

// Lines from the harness are valid JSON; anything else ends the adapter.

static void ck_bad(const char *at) {
    fprintf(stderr, "not JSON: %.40s\n", at);
    exit(1);
}

static void ck_skip(const char **at) { *at += strspn(*at, " \t\r\n"); }

static unsigned ck_hex(const char *at) {
    char digits[5] = {at[0], at[1], at[2], at[3], 0};
    return (unsigned)strtoul(digits, NULL, 16);
}

static char *ck_parse_text(const char **at) {
    ck_buffer out = {0};
    ck_add(&out, "", 0);
    for ((*at)++; **at != '"'; (*at)++) {
        char c = **at;
        if (!c) ck_bad("the line ends in a text");
        if (c == '\\') {
            c = *++*at;
            const char *found = c ? strchr("bfnrt", c) : NULL;
            if (found) c = "\b\f\n\r\t"[found - "bfnrt"];
            else if (c == 'u') {
                if (strlen(*at) < 6) ck_bad(*at);
                unsigned code = ck_hex(*at + 1);
                *at += 4;
                if (code >= 0xD800 && code < 0xDC00 && (*at)[1] == '\\' && (*at)[2] == 'u' && strlen(*at) > 6) {
                    code = 0x10000 + ((code - 0xD800) << 10) + (ck_hex(*at + 3) - 0xDC00);
                    *at += 6;
                }
                unsigned char utf8[4];
                size_t size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
                for (size_t i = size; i-- > 1; code >>= 6) utf8[i] = 0x80 | (code & 0x3F);
                utf8[0] = (unsigned char)(code | (size == 1 ? 0 : size == 2 ? 0xC0 : size == 3 ? 0xE0 : 0xF0));
                ck_add(&out, utf8, size);
                continue;
            }
        }
        ck_add(&out, &c, 1);
    }
    (*at)++;
    return out.bytes;
}

static ck_json *ck_parse(const char **at) {
    ck_json *value = ck_memory(calloc(1, sizeof *value));
    ck_skip(at);
    if (**at == '"') {
        value->type = ck_text;
        value->text = ck_parse_text(at);
    } else if (**at == '{' || **at == '[') {
        char close = **at == '{' ? '}' : ']';
        value->type = close == '}' ? ck_object : ck_array;
        ck_json **end = &value->first;
        for ((*at)++, ck_skip(at); **at != close; ck_skip(at)) {
            char *key = NULL;
            if (close == '}') {
                if (**at != '"') ck_bad(*at);
                key = ck_parse_text(at);
                ck_skip(at);
                if (*(*at)++ != ':') ck_bad(*at);
            }
            *end = ck_parse(at);
            (*end)->key = key;
            end = &(*end)->next;
            ck_skip(at);
            if (**at == ',') (*at)++, ck_skip(at);
        }
        (*at)++;
    } else {
        size_t length = strcspn(*at, ",]} \t\r\n");
        value->type = **at == 'n' ? ck_null : **at == 't' || **at == 'f' ? ck_flag : ck_number;
        if (!length) ck_bad(*at);
        value->text = ck_memory(strndup(*at, length));
        *at += length;
    }
    return value;
}

// The member of an object; NULL where it is absent or null.
static ck_json *ck_member(const ck_json *object, const char *key) {
    for (ck_json *one = object ? object->first : NULL; one; one = one->next)
        if (one->key && !strcmp(one->key, key)) return one->type == ck_null ? NULL : one;
    return NULL;
}

static const char *ck_text_of(const ck_json *object, const char *key) {
    ck_json *found = ck_member(object, key);
    return found ? found->text : NULL;
}

static double ck_number_of(const ck_json *object, const char *key, double without) {
    const char *text = ck_text_of(object, key);
    return text ? strtod(text, NULL) : without;
}

// True when the text of this member is `value`.
static bool ck_is(const ck_json *object, const char *key, const char *value) {
    const char *text = ck_text_of(object, key);
    return text && !strcmp(text, value);
}

// Events.

static pthread_mutex_t ck_writing = PTHREAD_MUTEX_INITIALIZER;
static long ck_sequence;

// Writes one event: numbered, timed, and flushed before this returns. `fields` is JSON without braces, or ""; data NULL means none.
static void ck_emit(const char *event, const char *fields, const void *data, size_t length) {
    ck_buffer out = {0};
    struct timespec now;
    pthread_mutex_lock(&ck_writing);
    clock_gettime(CLOCK_MONOTONIC, &now);
    ck_print(&out, "{\"v\":%d,\"seq\":%ld,\"time\":%lld,\"event\":\"%s\"%s%s", ck_version, ++ck_sequence,
             (long long)now.tv_sec * 1000000000 + now.tv_nsec, event, *fields ? "," : "", fields);
    if (data) {
        ck_print(&out, ",\"length\":%zu,\"base64\":\"", length);
        ck_add_base64(&out, data, length);
        ck_print(&out, "\"");
    }
    ck_print(&out, "}\n");
    fwrite(out.bytes, 1, out.length, stdout);
    fflush(stdout);
    pthread_mutex_unlock(&ck_writing);
    free(out.bytes);
}

static inline void ck_emit_text(const char *event, const char *field, const char *text) {
    ck_buffer out = {0};
    ck_print(&out, "\"%s\":", field);
    ck_add_text(&out, text, strlen(text));
    ck_emit(event, out.bytes, NULL, 0);
    free(out.bytes);
}

// Reports an event of a task; never after its completion. The caller holds the lock.
static void ck_report_locked(ck_task *task, const char *event, const char *fields, const void *data, size_t length) {
    if (task->state == ck_completed) return;
    ck_buffer out = {0};
    ck_print(&out, "\"task\":");
    ck_add_text(&out, task->name, strlen(task->name));
    ck_print(&out, "%s%s", *fields ? "," : "", fields);
    ck_emit(event, out.bytes, data, length);
    free(out.bytes);
}

static void ck_report(ck_task *task, const char *event, const char *fields, const void *data, size_t length) {
    pthread_mutex_lock(&task->lock);
    ck_report_locked(task, event, fields, data, length);
    pthread_mutex_unlock(&task->lock);
}

static inline void ck_redirect(ck_task *task, int status, const char *url, const char *method) {
    ck_buffer out = {0};
    ck_print(&out, "\"status\":%d,\"url\":", status);
    ck_add_text(&out, url, strlen(url));
    ck_print(&out, ",\"method\":");
    ck_add_text(&out, method, strlen(method));
    ck_report(task, "willPerformRedirect", out.bytes, NULL, 0);
    free(out.bytes);
}

static bool ck_is_cancelled(ck_task *task) { return atomic_load(&task->is_cancelled); }

// Adds one field to a list of headers: [["Name","value"],…, without the last bracket.
static inline void ck_add_header(ck_buffer *headers, const char *name, size_t name_length, const char *value, size_t length) {
    ck_print(headers, headers->length ? ",[" : "[[");
    ck_add_text(headers, name, name_length);
    ck_print(headers, ",");
    ck_add_text(headers, value, length);
    ck_print(headers, "]");
}

// Reports the head. The load must end if this returns false; the task is then cancelled.
static bool ck_response(ck_task *task, int status, const char *url, const ck_buffer *headers, int64_t expected) {
    task->head.length = 0;
    ck_print(&task->head, "\"status\":%d,\"expectedLength\":%lld,\"headers\":%s],\"url\":", status, (long long)expected,
             headers->length ? headers->bytes : "[");
    ck_add_text(&task->head, url, strlen(url));
    task->expected = expected;
    task->has_head = true;
    if (!task->is_download && !task->has_handler) ck_report(task, "didReceiveResponse", task->head.bytes, NULL, 0);
    if (!task->has_handler && ck_is(task->description, "response", "cancel")) atomic_store(&task->is_cancelled, true);
    return !ck_is_cancelled(task);
}

// Reports bytes of the body; for a download or a completion handler they are kept until the end.
static void ck_data(ck_task *task, const void *data, size_t length) {
    task->received += (int64_t)length;
    if (!task->is_download && !task->has_handler) {
        for (size_t start = 0; start < length; start += ck_longest) {
            ck_report(task, "didReceiveData", "", (const char *)data + start, length - start < ck_longest ? length - start : ck_longest);
        }
        return;
    }
    ck_add(&task->content, data, length);
    if (task->has_handler) return;
    ck_buffer out = {0};
    ck_print(&out, "\"written\":%zu,\"totalWritten\":%lld,\"expected\":%lld", length, (long long)task->received, (long long)task->expected);
    ck_report(task, "didWriteData", out.bytes, NULL, 0);
    free(out.bytes);
}

static void ck_hand_over(ck_task *task) {
    if (!task->has_head || (!task->is_download && !task->has_handler)) return;
    char fields[64];
    for (size_t offset = 0; offset < task->content.length; offset += ck_piece) {
        size_t left = task->content.length - offset, length = left < ck_piece ? left : ck_piece;
        snprintf(fields, sizeof fields, "\"offset\":%zu", offset);
        ck_report_locked(task, task->is_download ? "fileContent" : "didReceiveData", task->is_download ? fields : "",
                         task->content.bytes + offset, length);
    }
    snprintf(fields, sizeof fields, "\"length\":%zu", task->content.length);
    if (task->is_download && !task->has_handler) ck_report_locked(task, "didFinishDownloading", fields, NULL, 0);
}

static const ck_failure ck_success = {0};

// An error of a class, with the URL error code that stands for the class; set `code` for one that is more exact.
static ck_failure ck_fail(const char *kind, const char *text) {
    static const struct { const char *kind; int code; } codes[] = {
        {"offline", -1009}, {"nameResolution", -1003}, {"refused", -1004}, {"lost", -1005}, {"truncated", -1005}, {"timedOut", -1001},
        {"tlsRejected", -1200}, {"malformedResponse", -1017}, {"cancelled", -999}};
    ck_failure failure = {"other", -1, ""};
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (!strcmp(kind, codes[i].kind)) failure.kind = codes[i].kind, failure.code = codes[i].code;
    snprintf(failure.text, sizeof failure.text, "%s", text);
    return failure;
}

static void ck_complete_locked(ck_task *task, ck_failure failure) {
    if (task->state == ck_completed) return;
    ck_buffer out = {0};
    ck_add(&out, "", 0);
    if (failure.kind) {
        ck_print(&out, "\"error\":{\"domain\":\"NSURLErrorDomain\",\"code\":%d,\"class\":\"%s\",\"text\":", failure.code, failure.kind);
        ck_add_text(&out, failure.text, strlen(failure.text));
        ck_print(&out, "}");
    } else {
        ck_hand_over(task);
        if (task->has_handler && task->has_head) ck_print(&out, "\"response\":{%s}", task->head.bytes);
    }
    ck_report_locked(task, task->has_handler ? "completionHandler" : "didComplete", out.bytes, NULL, 0);
    task->state = ck_completed;
    free(out.bytes);
}

static void *ck_run_task(void *argument) {
    ck_task *task = argument;
    ck_failure failure = task->client->load(task->session, task);
    if (ck_is_cancelled(task)) failure = ck_fail("cancelled", "cancelled");
    pthread_mutex_lock(&task->lock);
    ck_complete_locked(task, failure);
    pthread_mutex_unlock(&task->lock);
    return NULL;
}

static bool ck_contains(const char *names, const char *name) {
    size_t length = strlen(name);
    for (const char *at = names; (at = strstr(at, name)); at += length)
        if ((at == names || at[-1] == ' ') && (at[length] == ' ' || !at[length])) return true;
    return false;
}

static void ck_hello(const ck_client *client, const ck_json *command) {
    ck_buffer out = {0};
    ck_print(&out, "\"implementation\":{\"name\":\"%s\",\"version\":\"%s\",\"language\":\"C\"},\"capabilities\":{", client->name, client->version);
    ck_json *names = ck_member(command, "capabilities");
    for (ck_json *one = names ? names->first : NULL; one; one = one->next) {
        if (one != names->first) ck_print(&out, ",");
        ck_add_text(&out, one->text, strlen(one->text));
        ck_print(&out, ":%s", ck_contains(client->capabilities, one->text) ? "true" : "false");
    }
    ck_print(&out, "}");
    if (client->reports) {
        ck_print(&out, ",\"reports\":[\"");
        for (const char *at = client->reports; *at; at++) ck_print(&out, *at == ' ' ? "\",\"" : "%c", *at);
        ck_print(&out, "\"]");
    }
    ck_emit("hello", out.bytes, NULL, 0);
    free(out.bytes);
}

static ck_task *ck_make_task(const ck_client *client, ck_json *c, void *session) {
    ck_task *task = ck_memory(calloc(1, sizeof *task));
    task->client = client;
    task->session = session;
    task->description = c;
    task->name = ck_text_of(c, "task");
    task->url = ck_text_of(c, "url");
    task->method = ck_text_of(c, "method");
    if (!task->method) task->method = ck_is(c, "kind", "upload") ? "POST" : "GET";
    task->is_download = ck_is(c, "kind", "download");
    task->has_handler = ck_is(c, "delivery", "completionHandler");
    pthread_mutex_init(&task->lock, NULL);
    ck_json *body = ck_member(c, "body");
    const char *path = ck_text_of(body, "path"), *text = ck_text_of(body, "base64");
    if (text) ck_decode_base64(&task->body, text);
    if (path) {
        FILE *file = fopen(path, "rb");
        if (!file) ck_emit_text("adapterFailed", "message", "cannot read the file of the body");
        char bytes[4096];
        ck_add(&task->body, "", 0);
        for (size_t count; file && (count = fread(bytes, 1, sizeof bytes, file)) > 0;) ck_add(&task->body, bytes, count);
        if (file) fclose(file);
    }
    return task;
}

// Reads commands until `end` or the end of the input. Sessions and tasks live as long as the process.
static int ck_run(const ck_client *client) {
    struct named { const char *name; void *session; struct named *next; } *sessions = NULL;
    ck_task *tasks = NULL;
    char *line = NULL;
    size_t room = 0;
    bool is_declined = false;  // `unsupported` ends the run; later commands would only fail
    while (getline(&line, &room, stdin) >= 0) {
        const char *at = line;
        ck_json *c = ck_parse(&at);
        if (ck_number_of(c, "v", 0) != ck_version) {
            fprintf(stderr, "this adapter supports version %d of the protocol, not %s\n", ck_version, ck_text_of(c, "v"));
            return 1;
        }
        const char *command = ck_text_of(c, "command"), *named_task = ck_text_of(c, "task"), *named_session = ck_text_of(c, "session");
        ck_task *task = tasks;
        struct named *session = sessions;
        while (task && named_task && strcmp(task->name, named_task)) task = task->next;
        while (session && named_session && strcmp(session->name, named_session)) session = session->next;
        if (!strcmp(command, "end")) break;
        if (is_declined) continue;
        const char *missing = NULL;
        if (!strcmp(command, "hello")) ck_hello(client, c);
        else if (!strcmp(command, "makeSession")) {
            struct named *made = ck_memory(malloc(sizeof *made));
            *made = (struct named){named_session, client->make_session(ck_member(c, "configuration")), sessions};
            sessions = made;
        } else if (!strcmp(command, "makeTask")) {
            task = ck_make_task(client, c, session ? session->session : NULL);
            if (!ck_contains("data upload download", ck_text_of(c, "kind"))) missing = "tasks of this kind";
            else if (client->make_task) missing = client->make_task(task->session, task);
            task->next = tasks;
            tasks = task;
        } else if (strcmp(command, "resume") && (strcmp(command, "cancel") || !ck_contains(client->capabilities, "cancel"))) {
            missing = command;
        } else if (!task) {
            ck_emit_text("adapterFailed", "message", "no such task");
        } else {
            pthread_mutex_lock(&task->lock);
            if (!strcmp(command, "cancel")) {
                atomic_store(&task->is_cancelled, true);
                if (task->state == ck_suspended) ck_complete_locked(task, ck_fail("cancelled", "cancelled"));
            } else if (task->state == ck_suspended) {
                pthread_t thread;
                task->state = ck_running;
                if (pthread_create(&thread, NULL, ck_run_task, task) == 0) pthread_detach(thread);
                else ck_emit_text("adapterFailed", "message", "cannot start a thread");
            }
            pthread_mutex_unlock(&task->lock);
        }
        if (missing) {
            is_declined = true;
            ck_emit_text("unsupported", "feature", missing);
        }
    }
    fflush(stdout);
    _exit(0);  // tasks may still run
}

#endif
