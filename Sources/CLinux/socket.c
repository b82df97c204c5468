#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static int option(int fd, int level, int name, int value) {
    return setsockopt(fd, level, name, &value, sizeof value) < 0 ? -errno : 0;
}

int cw_socket_make(int ipv6, enum cw_socket_kind kind) {
    int type = (kind == CW_TCP ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC | SOCK_NONBLOCK;
    int fd = socket(ipv6 ? AF_INET6 : AF_INET, type, 0);
    return fd < 0 ? -errno : fd;
}

int cw_socket_bind(int fd, const void *address, uint32_t length) {
    return bind(fd, address, length) < 0 ? -errno : 0;
}

int cw_socket_connect(int fd, const void *address, uint32_t length) {
    // An interrupted connect continues by itself; a second call returns EALREADY or EISCONN.
    if (connect(fd, address, length) == 0) return 0;
    return errno == EINTR ? -EINPROGRESS : -errno;
}

int cw_socket_listen(int fd, int backlog) { return listen(fd, backlog) < 0 ? -errno : 0; }

int cw_socket_name(int fd, void *address, uint32_t capacity) {
    socklen_t length = capacity;
    return getsockname(fd, address, &length) < 0 ? -errno : (int)length;
}

int cw_socket_accept(int fd) {
    int accepted;
    do accepted = accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    while (accepted < 0 && errno == EINTR);
    return accepted < 0 ? -errno : accepted;
}

int cw_socket_reuse_address(int fd) { return option(fd, SOL_SOCKET, SO_REUSEADDR, 1); }
int cw_socket_only_ipv6(int fd) { return option(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1); }
int cw_socket_stamp_arrivals(int fd) { return option(fd, SOL_SOCKET, SO_TIMESTAMPNS, 1); }

int cw_socket_bind_to_device(int fd, const char *name) {
    return setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, name, (socklen_t)strlen(name)) < 0 ? -errno : 0;
}

int cw_socket_buffers(int fd, int send_bytes, int receive_bytes) {
    // The FORCE options exceed net.core.*mem_max and need CAP_NET_ADMIN in the first user namespace; the plain ones are
    // capped.
    if (option(fd, SOL_SOCKET, SO_SNDBUFFORCE, send_bytes) < 0) {
        int error = option(fd, SOL_SOCKET, SO_SNDBUF, send_bytes);
        if (error < 0) return error;
    }
    if (option(fd, SOL_SOCKET, SO_RCVBUFFORCE, receive_bytes) < 0) return option(fd, SOL_SOCKET, SO_RCVBUF, receive_bytes);
    return 0;
}

int cw_socket_reset_on_close(int fd) {
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    return setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof linger) < 0 ? -errno : 0;
}

int cw_socket_error(int fd) {
    int error = 0;
    socklen_t length = sizeof error;
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) < 0) return -errno;
    return -error;
}

int64_t cw_socket_send(int fd, const void *bytes, size_t count) {
    for (;;) {
        ssize_t sent = send(fd, bytes, count, MSG_NOSIGNAL);
        if (sent >= 0) return sent;
        if (errno != EINTR) return -errno;
    }
}

int64_t cw_socket_receive_stamped(int fd, void *bytes, size_t count, int64_t *arrived) {
    char ancillary[128] __attribute__((aligned(8)));
    struct iovec vector = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1, .msg_control = ancillary, .msg_controllen = sizeof ancillary};
    ssize_t received;
    do received = recvmsg(fd, &message, 0);
    while (received < 0 && errno == EINTR);
    if (received < 0) return -errno;
    *arrived = 0;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c)) {
        if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
            struct timespec t;
            memcpy(&t, CMSG_DATA(c), sizeof t);
            *arrived = (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
        }
    }
    return received;
}

int cw_loopback_up(void) {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    struct ifreq request;
    memset(&request, 0, sizeof request);
    strcpy(request.ifr_name, "lo");
    int error = 0;
    if (ioctl(fd, SIOCGIFFLAGS, &request) < 0) {
        error = -errno;
    } else {
        request.ifr_flags |= IFF_UP;
        if (ioctl(fd, SIOCSIFFLAGS, &request) < 0) error = -errno;
    }
    close(fd);
    return error;
}
