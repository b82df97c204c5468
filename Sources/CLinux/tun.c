#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int cw_tun_attach(const char *name, int *stage) {
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
    request.ifr_flags = IFF_TUN | IFF_NO_PI;
    int result;
    do result = ioctl(fd, TUNSETIFF, &request);
    while (result < 0 && errno == EINTR);
    if (result < 0) {
        int error = errno;
        close(fd);
        return -error;
    }
    return fd;
}
