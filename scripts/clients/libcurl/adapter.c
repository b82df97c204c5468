// Crosswind adapter for libcurl's easy interface. A session has one cookie jar and reuses its handles with their connections.
#include "crosswind_kit.h"
#include <curl/curl.h>
#include <errno.h>
#include <strings.h>

typedef struct {
    ck_json *configuration;
    CURLSH *shared;
    pthread_mutex_t lock[CURL_LOCK_DATA_LAST], idle_lock;
    CURL *idle[64];
    int idle_count;
} session_t;

typedef struct {
    ck_task *task;
    CURL *curl;
    ck_buffer headers;
    int status;
    size_t sent;
    bool is_following, has_location, is_reported;
} transfer_t;

static void lock_shared(CURL *curl, curl_lock_data data, curl_lock_access access, void *session) {
    (void)curl, (void)access;
    pthread_mutex_lock(&((session_t *)session)->lock[data]);
}

static void unlock_shared(CURL *curl, curl_lock_data data, void *session) {
    (void)curl;
    pthread_mutex_unlock(&((session_t *)session)->lock[data]);
}

static void *make_session(ck_json *configuration) {
    session_t *session = ck_memory(calloc(1, sizeof *session));
    session->configuration = configuration;
    for (int i = 0; i < CURL_LOCK_DATA_LAST; i++) pthread_mutex_init(&session->lock[i], NULL);
    pthread_mutex_init(&session->idle_lock, NULL);
    session->shared = ck_memory(curl_share_init());
    curl_share_setopt(session->shared, CURLSHOPT_LOCKFUNC, lock_shared);
    curl_share_setopt(session->shared, CURLSHOPT_UNLOCKFUNC, unlock_shared);
    curl_share_setopt(session->shared, CURLSHOPT_USERDATA, session);
    curl_share_setopt(session->shared, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
    return session;
}

static const char *make_task(void *session, ck_task *task) {
    (void)session;
    if (ck_is(task->description, "redirect", "to")) return "another target for a redirect";
    ck_json *decisions = ck_member(task->description, "challenges");
    if (!decisions) return NULL;
    if (decisions->first->next) return "several decisions about challenges";
    if (ck_is(decisions->first, "decision", "cancel")) return "the decision cancel";
    return NULL;
}

static void report_head(transfer_t *transfer) {
    if (transfer->is_reported || !transfer->status) return;
    char *url = "";
    curl_off_t length = -1;
    curl_easy_getinfo(transfer->curl, CURLINFO_EFFECTIVE_URL, &url);
    curl_easy_getinfo(transfer->curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    transfer->is_reported = true;
    ck_response(transfer->task, transfer->status, url, &transfer->headers, length);
}

static size_t on_header(char *line, size_t size, size_t count, void *user) {
    transfer_t *transfer = user;
    size_t length = size * count, end = length;
    while (end && (line[end - 1] == '\n' || line[end - 1] == '\r')) end--;
    char *colon = memchr(line, ':', end);
    if (transfer->is_reported) return length;  // a trailer
    if (!strncmp(line, "HTTP/", 5)) {  // the first line of each response
        char *status = memchr(line, ' ', end);
        transfer->status = status ? atoi(status) : 0;
        transfer->headers.length = 0;
        transfer->has_location = false;
    } else if (!end) {
        // libcurl requests again after these; if it does not, the first byte of the body or the end reports the head.
        bool is_redirect = transfer->status / 100 == 3 && transfer->has_location && transfer->is_following;
        if (transfer->status >= 200 && !is_redirect && transfer->status != 401 && transfer->status != 407) report_head(transfer);
    } else if (colon) {
        char *value = colon + 1;
        while (value < line + end && (*value == ' ' || *value == '\t')) value++;
        if (!strncasecmp(line, "location:", 9)) transfer->has_location = true;
        while (end && line + end > value && (line[end - 1] == ' ' || line[end - 1] == '\t')) end--;  // as curl_easy_header does
        ck_add_header(&transfer->headers, line, (size_t)(colon - line), value, (size_t)(line + end - value));
    }
    return ck_is_cancelled(transfer->task) ? 0 : length;
}

static size_t on_data(char *data, size_t size, size_t count, void *user) {
    transfer_t *transfer = user;
    report_head(transfer);
    if (ck_is_cancelled(transfer->task)) return 0;
    if (size > 0 && count > 0) ck_data(transfer->task, data, size * count);
    return size * count;
}

static size_t on_read(char *out, size_t size, size_t count, void *user) {
    transfer_t *transfer = user;
    size_t left = transfer->task->body.length - transfer->sent, length = size * count < left ? size * count : left;
    memcpy(out, transfer->task->body.bytes + transfer->sent, length);
    transfer->sent += length;
    return length;
}

static int on_seek(void *user, curl_off_t offset, int origin) {
    if (origin != SEEK_SET) return CURL_SEEKFUNC_CANTSEEK;
    ((transfer_t *)user)->sent = (size_t)offset;
    return CURL_SEEKFUNC_OK;
}

static int on_progress(void *user, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d) {
    (void)a, (void)b, (void)c, (void)d;
    return ck_is_cancelled(((transfer_t *)user)->task);
}

static long tls_version(const char *text, long shift) {
    long versions[] = {CURL_SSLVERSION_TLSv1_0, CURL_SSLVERSION_TLSv1_1, CURL_SSLVERSION_TLSv1_2, CURL_SSLVERSION_TLSv1_3};
    return text ? versions[text[2] - '0'] << shift : 0;
}

static void set_method(CURL *curl, ck_task *task, transfer_t *transfer) {
    bool has_body = task->body.bytes != NULL;
    if (!strcmp(task->method, "HEAD")) curl_easy_setopt(curl, CURLOPT_NOBODY, 1L);
    else if (!strcmp(task->method, "PUT") && has_body) {
        curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
        curl_easy_setopt(curl, CURLOPT_READFUNCTION, on_read);
        curl_easy_setopt(curl, CURLOPT_READDATA, transfer);
        curl_easy_setopt(curl, CURLOPT_SEEKFUNCTION, on_seek);
        curl_easy_setopt(curl, CURLOPT_SEEKDATA, transfer);
        curl_easy_setopt(curl, CURLOPT_INFILESIZE_LARGE, (curl_off_t)task->body.length);
    } else if (has_body || !strcmp(task->method, "POST")) {
        curl_easy_setopt(curl, CURLOPT_POST, 1L);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)task->body.length);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, has_body ? task->body.bytes : "");
        if (strcmp(task->method, "POST")) curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, task->method);
    } else if (strcmp(task->method, "GET")) curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, task->method);
}

static void set_session(CURL *curl, session_t *session, ck_task *task) {
    ck_json *configuration = session->configuration, *proxy = ck_member(configuration, "proxy");
    const char *authorities = getenv("SSL_CERT_FILE");  // libcurl itself does not read it
    if (authorities) {
        curl_easy_setopt(curl, CURLOPT_CAINFO, authorities);
        curl_easy_setopt(curl, CURLOPT_PROXY_CAINFO, authorities);
    }
    curl_easy_setopt(curl, CURLOPT_SHARE, session->shared);
    curl_easy_setopt(curl, CURLOPT_COOKIEFILE, "");
    curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, "");
    curl_easy_setopt(curl, CURLOPT_SSLVERSION, tls_version(ck_text_of(configuration, "minimumTLSVersion"), 0)
        | tls_version(ck_text_of(configuration, "maximumTLSVersion"), 16));
    double silence = ck_number_of(task->description, "timeout", ck_number_of(configuration, "requestTimeout", 0));
    if (silence > 0) {
        curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, (long)(silence * 1000));
        curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
        curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, (long)(silence + 0.999));
    }
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)(ck_number_of(configuration, "resourceTimeout", 0) * 1000));
    if (!proxy) return;
    char address[512];
    snprintf(address, sizeof address, "%s://%s:%s", ck_is(proxy, "kind", "socks5") ? "socks5h" : ck_text_of(proxy, "kind"),
             ck_text_of(proxy, "host"), ck_text_of(proxy, "port"));
    curl_easy_setopt(curl, CURLOPT_PROXY, address);
    if (ck_text_of(proxy, "user")) {
        curl_easy_setopt(curl, CURLOPT_PROXYUSERNAME, ck_text_of(proxy, "user"));
        curl_easy_setopt(curl, CURLOPT_PROXYPASSWORD, ck_text_of(proxy, "password"));
    }
}

static ck_failure failure_of(CURL *curl, CURLcode code, const char *detail) {
    char text[400];
    long number = 0;
    snprintf(text, sizeof text, "%d %s: %s", code, curl_easy_strerror(code), detail);
    curl_easy_getinfo(curl, CURLINFO_OS_ERRNO, &number);
    ck_failure failure = ck_fail("other", text);
    switch (code) {
    case CURLE_OK: return ck_success;
    case CURLE_COULDNT_RESOLVE_HOST: case CURLE_COULDNT_RESOLVE_PROXY: return ck_fail("nameResolution", text);
    case CURLE_COULDNT_CONNECT: return ck_fail(number == ENETUNREACH ? "offline" : "refused", text);
    case CURLE_PROXY: return ck_fail("refused", text);
    case CURLE_OPERATION_TIMEDOUT: return ck_fail("timedOut", text);
    case CURLE_PARTIAL_FILE: return ck_fail("truncated", text);
    case CURLE_RECV_ERROR: if (strstr(detail, "chunk")) return ck_fail("malformedResponse", text); /* fall through */
    case CURLE_SEND_ERROR: case CURLE_GOT_NOTHING: return ck_fail("lost", text);
    case CURLE_SSL_CONNECT_ERROR: case CURLE_PEER_FAILED_VERIFICATION: case CURLE_SSL_CERTPROBLEM: case CURLE_SSL_CIPHER:
    case CURLE_SSL_INVALIDCERTSTATUS: return ck_fail("tlsRejected", text);
    case CURLE_WEIRD_SERVER_REPLY: case CURLE_BAD_CONTENT_ENCODING: case CURLE_HTTP2: case CURLE_HTTP2_STREAM:
        return ck_fail("malformedResponse", text);
    case CURLE_URL_MALFORMAT: failure.code = -1000; return failure;
    case CURLE_UNSUPPORTED_PROTOCOL:  // also "Received HTTP/0.9 when not allowed" and "Unsupported HTTP version"
        if (strstr(detail, "HTTP")) return ck_fail("malformedResponse", text);
        failure.code = -1002;
        return failure;
    case CURLE_TOO_MANY_REDIRECTS: failure.code = -1007; return failure;
    default: return failure;
    }
}

static ck_failure load(void *user, ck_task *task) {
    session_t *session = user;
    pthread_mutex_lock(&session->idle_lock);
    CURL *curl = session->idle_count ? session->idle[--session->idle_count] : ck_memory(curl_easy_init());
    pthread_mutex_unlock(&session->idle_lock);
    char detail[CURL_ERROR_SIZE] = "";
    transfer_t transfer = {.task = task, .curl = curl, .is_following = !ck_is(task->description, "redirect", "refuse")};
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, detail);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_URL, task->url);
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, (long)transfer.is_following);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_data);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &transfer);
    set_session(curl, session, task);
    set_method(curl, task, &transfer);
    ck_json *decisions = ck_member(task->description, "challenges");
    if (decisions && ck_is(decisions->first, "decision", "credential")) {
        curl_easy_setopt(curl, CURLOPT_HTTPAUTH, CURLAUTH_BASIC | CURLAUTH_DIGEST);  // the first request goes without
        curl_easy_setopt(curl, CURLOPT_USERNAME, ck_text_of(decisions->first, "user"));
        curl_easy_setopt(curl, CURLOPT_PASSWORD, ck_text_of(decisions->first, "password"));
    }
    struct curl_slist *headers = NULL;
    ck_json *list = ck_member(task->description, "headers");
    for (ck_json *one = list ? list->first : NULL; one; one = one->next) {
        ck_buffer line = {0};
        const char *value = one->first->next->text;
        if (*value) ck_print(&line, "%s: %s", one->first->text, value);
        else ck_print(&line, "%s;", one->first->text);
        headers = curl_slist_append(headers, line.bytes);
        free(line.bytes);
    }
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    CURLcode code = curl_easy_perform(curl);
    if (code == CURLE_OK) report_head(&transfer);
    ck_failure failure = failure_of(curl, code, detail);
    curl_slist_free_all(headers);
    free(transfer.headers.bytes);
    curl_easy_reset(curl);  // keeps the connections
    pthread_mutex_lock(&session->idle_lock);
    if (session->idle_count < 64) session->idle[session->idle_count++] = curl;
    else curl_easy_cleanup(curl);
    pthread_mutex_unlock(&session->idle_lock);
    return failure;
}

int main(int count, char **arguments) {
    (void)arguments;
    curl_global_init(CURL_GLOBAL_ALL);
    const char *version = curl_version_info(CURLVERSION_NOW)->version;
    if (count > 1) return printf("%s\n", version) < 0;
    ck_client client = {"libcurl", version,
        "data upload download delegate completionHandler requestTimeout resourceTimeout tls tlsVersionLimits basicChallenge "
        "digestChallenge cancel http2 followRedirects redirectDecision responseDisposition downloadProgress cookies sessionProxy "
        "socksProxy secureProxy systemProxy contentDecoding connectionReuse idempotentRetry incrementalData",
        "didReceiveResponse didReceiveData didWriteData fileContent didFinishDownloading didComplete completionHandler",
        make_session, make_task, load};
    return ck_run(&client);
}
