// The files and mounts that a child finds, made in its own mount namespace before the program starts.
#define _GNU_SOURCE
#include "spawn.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

static int write_file(const struct step *step) {
    int fd;
    do fd = open(step->path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, step->mode);
    while (fd < 0 && errno == EINTR);
    if (fd < 0) return -errno;
    size_t done = 0;
    while (done < step->count) {
        ssize_t wrote = write(fd, step->bytes + done, step->count - done);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) {
            int error = errno;
            close(fd);
            return -error;
        }
        done += (size_t)wrote;
    }
    int error = fchmod(fd, step->mode) < 0 ? -errno : 0; // the inherited umask must not narrow it
    close(fd);
    return error;
}

/// Makes what is below `path` read-only, without the mounts further down. The flags that the kernel may have locked for a user
/// namespace are set as well, because it refuses to remount without them.
static int seal(const char *path) {
    struct stat status;
    if (stat(path, &status) < 0) return errno == ENOENT ? 0 : -errno;
    if (mount(path, path, NULL, MS_BIND | MS_REC, NULL) < 0) return -errno;
    unsigned long flags = MS_BIND | MS_REMOUNT | MS_RDONLY;
    if (mount(NULL, path, NULL, flags, NULL) == 0) return 0;
    return mount(NULL, path, NULL, flags | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0 ? -errno : 0;
}

/// Makes a file look empty and a directory look empty and read-only.
static int mask(const char *path) {
    struct stat status;
    if (stat(path, &status) < 0) return errno == ENOENT ? 0 : -errno;
    unsigned long flags = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY;
    if (S_ISDIR(status.st_mode)) return mount("tmpfs", path, "tmpfs", flags, "mode=0555,size=4k") < 0 ? -errno : 0;
    return mount("/dev/null", path, NULL, MS_BIND, NULL) < 0 ? -errno : 0;
}

/// Returns `directory/name` in `buffer`, which only one call at a time may use.
static const char *beside(const char *directory, const char *name) {
    static char buffer[512];
    size_t length = strlen(directory), more = strlen(name);
    if (length + more + 2 > sizeof buffer) return "";
    memcpy(buffer, directory, length);
    buffer[length] = '/';
    memcpy(buffer + length + 1, name, more + 1);
    return buffer;
}

static int bind_file(const char *source, const char *directory, const char *name) {
    const char *target = beside(directory, name);
    int fd = open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return -errno;
    close(fd);
    return mount(source, target, NULL, MS_BIND, NULL) < 0 ? -errno : 0;
}

/// Builds on `scratch` a /dev with the devices that any program may use: no disks, no memory, no other terminals.
/// `terminal` is the program's terminal, or empty: as /dev/console it can still be found by its name (ttyname(3)).
static int make_devices(const char *scratch, const char *terminal) {
    static const char *const devices[] = {"null", "zero", "full", "random", "urandom", "tty"};
    char source[32] = "/dev/";
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        memcpy(source + 5, devices[i], strlen(devices[i]) + 1);
        int error = bind_file(source, scratch, devices[i]);
        if (error < 0 && error != -ENOENT) return error;
    }
    if (symlink("/proc/self/fd", beside(scratch, "fd")) < 0) return -errno;
    if (symlink("/proc/self/fd/0", beside(scratch, "stdin")) < 0) return -errno;
    if (symlink("/proc/self/fd/1", beside(scratch, "stdout")) < 0) return -errno;
    if (symlink("/proc/self/fd/2", beside(scratch, "stderr")) < 0) return -errno;
    if (symlink("pts/ptmx", beside(scratch, "ptmx")) < 0) return -errno;
    if (mkdir(beside(scratch, "pts"), 0755) < 0 || mkdir(beside(scratch, "shm"), 0755) < 0) return -errno;
    // An instance of its own: a terminal outside cannot be opened, and a new one is visible only here.
    if (mount("devpts", beside(scratch, "pts"), "devpts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620") < 0)
        return -errno;
    if (mount("tmpfs", beside(scratch, "shm"), "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=25%") < 0) return -errno;
    if (*terminal) (void)bind_file(terminal, scratch, "console");
    return 0;
}

/// Replaces /dev. The new one is built elsewhere and then moved, because its files are bound from the old one.
static int replace_devices(const char *path, const char *scratch, const char *terminal) {
    if (mount("tmpfs", scratch, "tmpfs", MS_NOSUID, "mode=0755,size=64k") < 0) return -errno;
    int error = make_devices(scratch, terminal);
    if (error == 0 && mount(scratch, path, NULL, MS_MOVE, NULL) < 0) error = -errno;
    if (error < 0) umount2(scratch, MNT_DETACH);
    return error;
}

int cw_perform(const struct step *step) {
    switch (step->kind) {
    case CW_STEP_TMPFS:
        if (mount("tmpfs", step->path, "tmpfs", MS_NOSUID | MS_NODEV, step->source ? step->source : "mode=0755") < 0) return -errno;
        return 0;
    case CW_STEP_DIRECTORY: return mkdir(step->path, step->mode) < 0 && errno != EEXIST ? -errno : 0;
    case CW_STEP_WRITE: return write_file(step);
    case CW_STEP_BIND: return mount(step->source, step->path, NULL, MS_BIND, NULL) < 0 ? -errno : 0;
    case CW_STEP_BIND_TREE: return mount(step->source, step->path, NULL, MS_BIND | MS_REC, NULL) < 0 ? -errno : 0;
    case CW_STEP_LINK: return symlink(step->source, step->path) < 0 && errno != EEXIST ? -errno : 0;
    case CW_STEP_SEAL: return seal(step->path);
    case CW_STEP_MASK: return mask(step->path);
    case CW_STEP_DEVICES:
        return replace_devices(step->path, step->source, step->count ? (const char *)step->bytes : "");
    case CW_STEP_DETACH: return umount2(step->path, MNT_DETACH) < 0 ? -errno : 0;
    case CW_STEP_PROC:
        return mount("proc", step->path, "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0 ? -errno : 0;
    case CW_STEP_SYSFS:
        // Read-only: /sys/kernel/uevent_helper, for one, names a program that the kernel starts outside.
        // The instance of a network namespace may be mounted already, so that only this mount becomes read-only.
        if (mount("sysfs", step->path, "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0) return -errno;
        return seal(step->path);
    }
    return -EINVAL;
}

// Some containers forbid these mounts, and the program can run without them.
int cw_weakness(enum cw_spawn_step kind) {
    switch (kind) {
    case CW_STEP_PROC: return CW_WEAK_PROC;
    case CW_STEP_SYSFS: return CW_WEAK_SYS;
    case CW_STEP_SEAL:
    case CW_STEP_MASK: return CW_WEAK_SEAL;
    case CW_STEP_DEVICES: return CW_WEAK_DEVICES;
    default: return 0;
    }
}
