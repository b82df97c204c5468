#define _GNU_SOURCE
#include "CLabKernel.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

// Since Linux 6.2; Debian 12's headers are older.
#ifndef TUN_F_USO4
#define TUN_F_USO4 0x20
#define TUN_F_USO6 0x40
#endif
#ifndef VIRTIO_NET_HDR_GSO_UDP_L4
#define VIRTIO_NET_HDR_GSO_UDP_L4 5
#endif

_Static_assert(sizeof(cw_tun_header) == sizeof(struct virtio_net_hdr), "the kernel's header");
_Static_assert((int)CW_TUN_NEEDS_CHECKSUM == VIRTIO_NET_HDR_F_NEEDS_CSUM && (int)CW_TUN_TCP4 == VIRTIO_NET_HDR_GSO_TCPV4 &&
                   (int)CW_TUN_TCP6 == VIRTIO_NET_HDR_GSO_TCPV6 && (int)CW_TUN_UDP == VIRTIO_NET_HDR_GSO_UDP_L4 &&
                   (int)CW_TUN_ECN == VIRTIO_NET_HDR_GSO_ECN,
               "the kernel's numbers");

static int set_offloads(int fd) {
    unsigned tcp = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN;
    int result;
    do result = ioctl(fd, TUNSETOFFLOAD, tcp | TUN_F_USO4 | TUN_F_USO6);
    while (result < 0 && errno == EINTR);
    if (result == 0 || errno != EINVAL) return result;
    do result = ioctl(fd, TUNSETOFFLOAD, tcp);
    while (result < 0 && errno == EINTR);
    return result;
}

int cw_tun_attach(const char *name, int offloads, int *stage) {
    *stage = CW_TUN_OPEN;
    int fd;
    do fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC | O_NONBLOCK);
    while (fd < 0 && errno == EINTR);
    if (fd < 0) return -errno;
    *stage = CW_TUN_ATTACH;
    struct ifreq request;
    memset(&request, 0, sizeof request);
    if (strlen(name) >= sizeof request.ifr_name) {
        close(fd);
        return -ENAMETOOLONG;
    }
    strcpy(request.ifr_name, name);
    request.ifr_flags = IFF_TUN | IFF_NO_PI | (offloads ? IFF_VNET_HDR : 0);
    int result;
    do result = ioctl(fd, TUNSETIFF, &request);
    while (result < 0 && errno == EINTR);
    if (result == 0 && offloads) {
        *stage = CW_TUN_OFFLOAD;
        result = set_offloads(fd);
    }
    if (result < 0) {
        int error = errno;
        close(fd);
        return -error;
    }
    return fd;
}

int cw_tun_leave_to_namespace(int descriptor) {
    int result;
    do result = ioctl(descriptor, TUNSETPERSIST, 1UL);
    while (result < 0 && errno == EINTR);
    return result < 0 ? -errno : 0;
}

int64_t cw_tun_read(int descriptor, cw_tun_header *header, void *bytes, size_t count) {
    struct iovec parts[2] = {{header, sizeof *header}, {bytes, count}};
    ssize_t result;
    do result = readv(descriptor, parts, 2);
    while (result < 0 && errno == EINTR);
    if (result < 0) return -errno;
    return result < (ssize_t)sizeof *header ? 0 : result - (ssize_t)sizeof *header;
}

int64_t cw_tun_write(int descriptor, const cw_tun_header *header, const void *bytes, size_t count) {
    struct iovec parts[2] = {{(void *)header, sizeof *header}, {(void *)bytes, count}};
    ssize_t result;
    do result = writev(descriptor, parts, 2);
    while (result < 0 && errno == EINTR);
    if (result < 0) return -errno;
    return result - (ssize_t)sizeof *header;
}
