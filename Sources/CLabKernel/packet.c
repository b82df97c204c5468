#define _GNU_SOURCE
#include "CLabKernel.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int cw_packet_open(int interface_index) {
    int descriptor = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, htons(ETH_P_ALL));
    if (descriptor < 0) return -errno;
    struct sockaddr_ll address;
    memset(&address, 0, sizeof address);
    address.sll_family = AF_PACKET;
    address.sll_protocol = htons(ETH_P_ALL);
    address.sll_ifindex = interface_index;
    int size = 8 << 20;
    (void)setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) {
        int error = errno;
        close(descriptor);
        return -error;
    }
    return descriptor;
}

int64_t cw_packet_receive(int descriptor, void *bytes, size_t count, int *outgoing, int *is_ip) {
    struct sockaddr_ll from;
    socklen_t length = sizeof from;
    ssize_t got;
    do got = recvfrom(descriptor, bytes, count, 0, (struct sockaddr *)&from, &length);
    while (got < 0 && errno == EINTR);
    if (got < 0) return -errno;
    *outgoing = from.sll_pkttype == PACKET_OUTGOING;
    *is_ip = from.sll_protocol == htons(ETH_P_IP) || from.sll_protocol == htons(ETH_P_IPV6);
    return got;
}
