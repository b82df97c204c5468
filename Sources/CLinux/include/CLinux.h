// Functions that Swift cannot import, or must not run itself, behind plain integers and pointers.
//
// `linux/if.h` and related headers clash with Glibc's module, `clone`/`setns`/`ioctl`/`prctl` are variadic or hidden
// behind _GNU_SOURCE, and the child of a fork in a threaded process may only make async-signal-safe calls. Every
// function returns a value >= 0, or -errno. Every descriptor is created with O_CLOEXEC.
#ifndef CLINUX_H
#define CLINUX_H

#include <stddef.h>
#include <stdint.h>

// Threads (thread.c)

typedef struct cw_thread cw_thread;
int cw_thread_start(const char *name, void (*body)(void *), void *context, cw_thread **thread);
/// Joins the thread; called on the thread itself it detaches instead, since a thread cannot wait for its own end.
void cw_thread_join(cw_thread *thread);

// Waiting and time (wait.c)

typedef struct cw_event {
    uint64_t token;
    uint32_t events;
    uint32_t reserved;
} cw_event;

enum cw_interest { CW_READABLE = 0x001, CW_WRITABLE = 0x004, CW_ERROR = 0x008 };

int64_t cw_monotonic_now(void);
int64_t cw_realtime_now(void);
/// Returns the nanoseconds since the machine started, including time in suspend (CLOCK_BOOTTIME).
int64_t cw_boottime_now(void);
int cw_epoll_make(void);
int cw_epoll_add(int epoll, int descriptor, uint32_t events, uint64_t token);
int cw_epoll_modify(int epoll, int descriptor, uint32_t events, uint64_t token);
int cw_epoll_remove(int epoll, int descriptor);
/// Waits until `deadline` on CLOCK_MONOTONIC (INT64_MAX: no deadline); returns the number of events filled in, 0 at the
/// deadline.
int cw_epoll_wait(int epoll, cw_event *events, int capacity, int64_t deadline);
/// Waits for one descriptor; returns the ready events, 0 at the deadline.
int cw_poll_one(int descriptor, uint32_t events, int64_t deadline);
int cw_eventfd_make(void);
int cw_eventfd_raise(int descriptor);
int cw_eventfd_clear(int descriptor);
/// Sets the timers of the calling thread to fire within 1 ns of slack instead of 50 us.
int cw_timer_slack_minimal(void);
/// Sets the nice value of this thread, 0 for the calling one; returns a negative errno, for example if not permitted.
int cw_set_priority(int thread, int nice);

/// Returns the number of processors that the calling thread may use.
int cw_usable_processors(void);
int cw_loadavg_open(void);
/// Returns the number of runnable threads of the whole machine, from an open /proc/loadavg.
int cw_running_threads(int loadavg);

// Sockets (socket.c); `address` is a struct sockaddr of `length` bytes

enum cw_socket_kind { CW_TCP = 0, CW_UDP = 1 };
int cw_socket_make(int ipv6, enum cw_socket_kind kind);
int cw_socket_bind(int descriptor, const void *address, uint32_t length);
int cw_socket_connect(int descriptor, const void *address, uint32_t length);
int cw_socket_listen(int descriptor, int backlog);
int cw_socket_accept(int descriptor);
int cw_socket_name(int descriptor, void *address, uint32_t capacity);
int cw_socket_reuse_address(int descriptor);
int cw_socket_only_ipv6(int descriptor);
int cw_socket_bind_to_device(int descriptor, const char *name);
int cw_socket_buffers(int descriptor, int send_bytes, int receive_bytes);
/// Makes close send RST instead of FIN (RFC 9293, section 3.10.4: ABORT).
int cw_socket_reset_on_close(int descriptor);
int cw_socket_error(int descriptor);
int cw_socket_stamp_arrivals(int descriptor);
int64_t cw_socket_send(int descriptor, const void *bytes, size_t count);
/// Receives one datagram and the kernel's CLOCK_REALTIME time of its arrival in nanoseconds (0: no stamp).
int64_t cw_socket_receive_stamped(int descriptor, void *bytes, size_t count, int64_t *arrived);
/// Brings `lo` up in the calling thread's network namespace.
int cw_loopback_up(void);

// DNS queries (dns.c), with glibc's own message writer and parser

/// The settings of resolv.conf(5), including its environment variables.
typedef struct cw_resolver_settings {
    int32_t timeout; ///< seconds
    int32_t attempts;
    int32_t dots;
    int32_t uses_tcp;
    int32_t servers; ///< the number filled in
} cw_resolver_settings;

typedef struct cw_resolver_server {
    uint8_t family; ///< 4 or 6
    uint8_t bytes[16];
    uint16_t port;
    uint32_t zone; ///< the interface of a link-local address, 0 without one
} cw_resolver_server;

enum cw_dns_reply {
    CW_DNS_REPLY_FOUND = 0,
    CW_DNS_REPLY_NO_SUCH_NAME = 1,
    CW_DNS_REPLY_NO_ADDRESS = 2,
    CW_DNS_REPLY_REFUSED = 3, ///< the server failed or refused
    CW_DNS_REPLY_TRUNCATED = 4,     ///< repeat the query over TCP
    CW_DNS_REPLY_MISMATCHED = 5, ///< not the reply to this query
    CW_DNS_REPLY_MALFORMED = 6
};

/// Reads the settings. `domains` receives the search list, a space after each.
int cw_resolver_read_settings(cw_resolver_settings *settings, cw_resolver_server *servers, int capacity, char *domains, size_t room);
/// Writes a query for the addresses of one family with a random id; returns its length.
int cw_dns_write_query(const char *name, int ipv6, uint8_t *message, size_t capacity);
/// Parses a message: returns a `cw_dns_reply`, with the addresses (4 or 16 bytes each) to which the name's chain of
/// aliases leads.
int cw_dns_parse_reply(const uint8_t *question, size_t question_length, const uint8_t *message, size_t length, uint8_t *addresses,
                    int capacity, int *count);

#endif
