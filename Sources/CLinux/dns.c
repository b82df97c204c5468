#define _GNU_SOURCE
#include "CLinux.h"
#include <arpa/nameser.h>
#include <errno.h>
#include <netinet/in.h>
#include <resolv.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

int cw_resolver_read_settings(cw_resolver_settings *settings, cw_resolver_server *servers, int capacity, char *domains, size_t room) {
    struct __res_state state = {0};
    if (res_ninit(&state) != 0) return -EIO;
    memset(settings, 0, sizeof *settings);
    settings->timeout = state.retrans;
    settings->attempts = state.retry;
    settings->dots = state.ndots;
    settings->uses_tcp = (state.options & RES_USEVC) != 0;
    int count = 0;
    for (int i = 0; i < state.nscount && i < MAXNS && count < capacity; i++) {
        cw_resolver_server *server = &servers[count];
        memset(server, 0, sizeof *server);
        // glibc stores IPv6 servers separately; the entry in the plain list then has family 0.
        const struct sockaddr_in6 *ipv6 = state._u._ext.nsaddrs[i];
        if (state.nsaddr_list[i].sin_family == AF_INET) {
            server->family = 4;
            server->port = ntohs(state.nsaddr_list[i].sin_port);
            memcpy(server->bytes, &state.nsaddr_list[i].sin_addr, 4);
        } else if (ipv6 && ipv6->sin6_family == AF_INET6) {
            server->family = 6;
            server->port = ntohs(ipv6->sin6_port);
            server->zone = ipv6->sin6_scope_id;
            memcpy(server->bytes, &ipv6->sin6_addr, 16);
        } else {
            continue;
        }
        count++;
    }
    settings->servers = count;
    size_t used = 0;
    for (int i = 0; i < MAXDNSRCH && state.dnsrch[i]; i++) {
        size_t length = strlen(state.dnsrch[i]);
        if (used + length + 2 > room) break;
        memcpy(domains + used, state.dnsrch[i], length);
        used += length;
        domains[used++] = ' ';
    }
    domains[used] = 0;
    res_nclose(&state);
    return 0;
}

int cw_dns_write_query(const char *name, int ipv6, uint8_t *message, size_t capacity) {
    struct __res_state state = {0};
    if (res_ninit(&state) != 0) return -EIO;
    int length = res_nmkquery(&state, ns_o_query, name, ns_c_in, ipv6 ? ns_t_aaaa : ns_t_a, NULL, 0, NULL, message, (int)capacity);
    res_nclose(&state);
    if (length < NS_HFIXEDSZ) return -EINVAL;
    // The id must be unpredictable (RFC 5452).
    ssize_t got;
    do got = getrandom(message, 2, 0);
    while (got < 0 && errno == EINTR);
    return got == 2 ? length : -EIO;
}

/// Returns true if the message repeats our question.
static int repeats(ns_msg *message, ns_msg *question) {
    ns_rr asked, reply;
    if (ns_parserr(question, ns_s_qd, 0, &asked) != 0 || ns_parserr(message, ns_s_qd, 0, &reply) != 0) return 0;
    return ns_rr_type(asked) == ns_rr_type(reply) && ns_rr_class(asked) == ns_rr_class(reply)
        && strcasecmp(ns_rr_name(asked), ns_rr_name(reply)) == 0;
}

/// Reads the record of `type` at `index` that belongs to `owner`; returns 1 if it matches, 0 if not, -1 if the message
/// is broken.
static int find(ns_msg *message, int index, const char *owner, ns_type type, ns_rr *record) {
    if (ns_parserr(message, ns_s_an, index, record) != 0) return -1;
    return ns_rr_class(*record) == ns_c_in && ns_rr_type(*record) == type && strcasecmp(ns_rr_name(*record), owner) == 0;
}

enum { LONGEST_CHAIN = 16 };

int cw_dns_parse_reply(const uint8_t *question, size_t question_length, const uint8_t *message, size_t length, uint8_t *addresses,
                    int capacity, int *count) {
    ns_msg asked, reply;
    ns_rr record;
    *count = 0;
    if (length < 2 || question_length < 2 || memcmp(message, question, 2) != 0) return CW_DNS_REPLY_MISMATCHED;
    if (ns_initparse(question, (int)question_length, &asked) != 0) return -EINVAL;
    // A truncated message cannot be parsed to its end; only its header counts.
    int cut = length >= NS_HFIXEDSZ && (message[2] & 0x82) == 0x82;
    if (cut) return CW_DNS_REPLY_TRUNCATED;
    if (ns_initparse(message, (int)length, &reply) != 0) return CW_DNS_REPLY_MALFORMED;
    if (!ns_msg_getflag(reply, ns_f_qr)) return CW_DNS_REPLY_MISMATCHED;
    int code = ns_msg_getflag(reply, ns_f_rcode);
    // Some servers omit the question when they refuse.
    if (ns_msg_count(reply, ns_s_qd) == 0 && code != ns_r_noerror) return CW_DNS_REPLY_REFUSED;
    if (ns_msg_count(reply, ns_s_qd) != 1 || !repeats(&reply, &asked)) return CW_DNS_REPLY_MISMATCHED;
    switch (code) {
    case ns_r_noerror: break;
    case ns_r_nxdomain: return CW_DNS_REPLY_NO_SUCH_NAME;
    default: return CW_DNS_REPLY_REFUSED;
    }
    if (ns_parserr(&asked, ns_s_qd, 0, &record) != 0) return -EINVAL;
    ns_type type = ns_rr_type(record);
    size_t width = type == ns_t_aaaa ? 16 : 4;
    char owner[NS_MAXDNAME];
    strncpy(owner, ns_rr_name(record), sizeof owner - 1);
    owner[sizeof owner - 1] = 0;
    int records = ns_msg_count(reply, ns_s_an);
    for (int step = 0; step < LONGEST_CHAIN; step++) {
        int is_alias = 0;
        for (int i = 0; i < records; i++) {
            int found = find(&reply, i, owner, type, &record);
            if (found < 0) return CW_DNS_REPLY_MALFORMED;
            if (!found || ns_rr_rdlen(record) != width || *count >= capacity) continue;
            memcpy(addresses + (size_t)*count * width, ns_rr_rdata(record), width);
            (*count)++;
        }
        if (*count > 0) return CW_DNS_REPLY_FOUND;
        for (int i = 0; i < records && !is_alias; i++) {
            int found = find(&reply, i, owner, ns_t_cname, &record);
            if (found < 0) return CW_DNS_REPLY_MALFORMED;
            if (!found) continue;
            char target[NS_MAXDNAME];
            if (ns_name_uncompress(ns_msg_base(reply), ns_msg_end(reply), ns_rr_rdata(record), target, sizeof target) < 0)
                return CW_DNS_REPLY_MALFORMED;
            strcpy(owner, target);
            is_alias = 1;
        }
        if (!is_alias) break;
    }
    return CW_DNS_REPLY_NO_ADDRESS;
}
