// The connection to the network in which the program was started.
//
// Started without root, the program runs in its own user namespace, from which setns(2) into the first network
// namespace is always refused: it needs CAP_SYS_ADMIN in the user namespace that owns it. So a small process stays
// behind. It resolves names and creates sockets there, and passes them over; a socket belongs to the namespace in which
// it was created.
#define _GNU_SOURCE
#include "CLabKernel.h"
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static const char variable[] = "CROSSWIND_HOST_NETWORK";

// One datagram of the control socket: a request and its reply have the same size.
struct broker_message {
    int32_t kind; // 4 or 6: create a TCP socket of that family; 0: resolve
    int32_t result;
    int32_t count;
    char host[256];
    struct cw_host_address addresses[CW_HOST_ADDRESSES];
};

int cw_host_resolve(const char *host, struct cw_host_address *addresses, int capacity, const char **reason) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found = NULL;
    int result = getaddrinfo(host, NULL, &hints, &found);
    if (result == EAI_SYSTEM) return -errno;
    if (result != 0) {
        if (reason) *reason = gai_strerror(result);
        return result == EAI_NONAME ? -ENOENT : -EAGAIN;
    }
    int count = 0;
    for (struct addrinfo *each = found; each && count < capacity; each = each->ai_next) {
        struct cw_host_address *address = &addresses[count];
        if (each->ai_family == AF_INET) {
            address->family = 4;
            memcpy(address->bytes, &((struct sockaddr_in *)each->ai_addr)->sin_addr, 4);
        } else if (each->ai_family == AF_INET6) {
            address->family = 6;
            memcpy(address->bytes, &((struct sockaddr_in6 *)each->ai_addr)->sin6_addr, 16);
        } else {
            continue;
        }
        count++;
    }
    freeaddrinfo(found);
    return count;
}

static void answer(int broker) {
    for (;;) {
        struct broker_message word;
        ssize_t got = recv(broker, &word, sizeof word, 0);
        if (got < 0 && errno == EINTR) continue;
        if (got != sizeof word) return; // end of file: the program is gone
        int made = -1;
        if (word.kind == 0) {
            word.host[sizeof word.host - 1] = 0;
            word.count = cw_host_resolve(word.host, word.addresses, CW_HOST_ADDRESSES, NULL);
            word.result = word.count;
        } else {
            made = socket(word.kind == 6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
            word.result = made < 0 ? -errno : 0;
        }
        union {
            struct cmsghdr header;
            char bytes[CMSG_SPACE(sizeof(int))];
        } ancillary;
        struct iovec vector = {.iov_base = &word, .iov_len = sizeof word};
        struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
        if (made >= 0) {
            message.msg_control = &ancillary;
            message.msg_controllen = sizeof ancillary.bytes;
            struct cmsghdr *header = CMSG_FIRSTHDR(&message);
            header->cmsg_level = SOL_SOCKET;
            header->cmsg_type = SCM_RIGHTS;
            header->cmsg_len = CMSG_LEN(sizeof(int));
            memcpy(CMSG_DATA(header), &made, sizeof made);
        }
        ssize_t sent;
        do sent = sendmsg(broker, &message, MSG_NOSIGNAL);
        while (sent < 0 && errno == EINTR);
        if (made >= 0) close(made);
        if (sent < 0) return;
    }
}

int cw_host_fork_broker(void) {
    if (getenv(variable)) return 0;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) < 0) return -errno;
    pid_t child = fork();
    if (child < 0) {
        int error = errno;
        close(pair[0]);
        close(pair[1]);
        return -error;
    }
    if (child == 0) {
        // Detached from the terminal: Ctrl-C is for the program, and end-of-file signals that the program is gone. None
        // of the program's descriptors stays open, so that a reader of its output sees the end of file.
        setsid();
        signal(SIGHUP, SIG_IGN);
        signal(SIGINT, SIG_IGN);
        signal(SIGTERM, SIG_IGN);
        signal(SIGPIPE, SIG_IGN);
        int broker = fcntl(pair[1], F_DUPFD, 3);
        int nothing = open("/dev/null", O_RDWR);
        for (int fd = 0; nothing >= 0 && fd < 3; fd++) dup2(nothing, fd);
        for (int fd = 3; fd < 1024; fd++)
            if (fd != broker) close(fd);
        if (chdir("/") == 0) answer(broker);
        _exit(0);
    }
    close(pair[1]);
    char number[32];
    snprintf(number, sizeof number, "%d %d", pair[0], (int)child);
    if (setenv(variable, number, 1) < 0) return -errno;
    return 0;
}

int cw_host_adopt_broker(int *process) {
    const char *number = getenv(variable);
    if (!number) return -ENOENT;
    int broker = -1, child = -1;
    int read = sscanf(number, "%d %d", &broker, &child);
    unsetenv(variable);
    *process = child;
    if (read != 2 || broker < 3 || fcntl(broker, F_SETFD, FD_CLOEXEC) < 0) return -EBADF;
    return broker;
}

static int ask(int broker, struct broker_message *word, int *received) {
    ssize_t done;
    do done = send(broker, word, sizeof *word, MSG_NOSIGNAL);
    while (done < 0 && errno == EINTR);
    if (done < 0) return -errno;
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } ancillary;
    struct iovec vector = {.iov_base = word, .iov_len = sizeof *word};
    struct msghdr message = {
        .msg_iov = &vector, .msg_iovlen = 1, .msg_control = &ancillary, .msg_controllen = sizeof ancillary.bytes};
    do done = recvmsg(broker, &message, MSG_CMSG_CLOEXEC);
    while (done < 0 && errno == EINTR);
    if (done < 0) return -errno;
    if (done != sizeof *word) return -EPIPE;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
        memcpy(received, CMSG_DATA(header), sizeof *received);
    return word->result;
}

int cw_host_broker_resolve(int broker, const char *host, struct cw_host_address *addresses, int capacity) {
    struct broker_message word = {.kind = 0};
    if (strlen(host) >= sizeof word.host) return -ENAMETOOLONG;
    strcpy(word.host, host);
    int unused = -1;
    int count = ask(broker, &word, &unused);
    if (count > CW_HOST_ADDRESSES) return -EPROTO;
    for (int each = 0; each < count && each < capacity; each++) addresses[each] = word.addresses[each];
    return count < capacity ? count : capacity;
}

int cw_host_broker_socket(int broker, int ipv6) {
    struct broker_message word = {.kind = ipv6 ? 6 : 4};
    int made = -1;
    int result = ask(broker, &word, &made);
    if (result < 0) return result;
    return made < 0 ? -EPROTO : made;
}
