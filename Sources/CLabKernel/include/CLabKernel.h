// The C part of LabKernel: namespaces, TUN devices, packet sockets and child processes. The conventions are those of
// CLinux.h: every function returns a value >= 0, or -errno, and every descriptor is created with O_CLOEXEC.
#ifndef CLABKERNEL_H
#define CLABKERNEL_H

#include <stddef.h>
#include <stdint.h>

// Namespaces and the threads that live in them (worker.c)

typedef struct cw_worker cw_worker;

enum cw_worker_namespace { CW_NAMESPACE_CURRENT = 0, CW_NAMESPACE_NEW = 1, CW_NAMESPACE_ENTER = 2 };

/// Starts a thread that stays in one network namespace: the caller's, a new one (with loopback up), or that of
/// `enter_fd`. `*namespace_fd` receives a descriptor of that namespace, `*call` the name of the call that failed.
int cw_worker_start(const char *name, enum cw_worker_namespace namespace, int enter_fd, cw_worker **worker, int *namespace_fd,
                    const char **call);
/// Runs `job(context)` on the worker and waits for it. Called on the worker itself, the job runs at once.
void cw_worker_run(cw_worker *worker, void (*job)(void *), void *context);
/// Ends the thread and waits for it (called on the worker itself: lets it end by itself).
void cw_worker_end(cw_worker *worker);

// Allocations (allocations.c)

/// Logs every allocation to the file in MALLOC_TRACE, in a process that was started with glibc's libc_malloc_debug.
void cw_allocations_trace(int on);
/// Returns the number of bytes allocated and not freed.
long cw_allocated_bytes(void);

// TUN (tun.c)

enum cw_tun_stage { CW_TUN_OPEN = 0, CW_TUN_ATTACH = 1, CW_TUN_OFFLOAD = 2 };

/// The work that the kernel leaves to a network card; precedes each packet of a device with offloads (struct
/// virtio_net_hdr).
typedef struct cw_tun_header {
    uint8_t flags;
    uint8_t segmentation;
    uint16_t header_length;
    uint16_t segment_length;
    uint16_t checksum_start;
    uint16_t checksum_offset;
} cw_tun_header;

enum cw_tun_flag { CW_TUN_NEEDS_CHECKSUM = 1 };
enum cw_tun_segmentation { CW_TUN_WHOLE = 0, CW_TUN_TCP4 = 1, CW_TUN_TCP6 = 4, CW_TUN_UDP = 5, CW_TUN_ECN = 0x80 };

/// Opens /dev/net/tun non-blocking and attaches it as `name` (IFF_TUN | IFF_NO_PI) in the calling thread's namespace;
/// with `offloads` also IFF_VNET_HDR and every offload that this kernel's TUN supports.
int cw_tun_attach(const char *name, int offloads, int *stage);
/// The interface then stays when the descriptor is closed, and goes with its namespace.
int cw_tun_leave_to_namespace(int descriptor);
/// Reads one packet of a device with offloads. Returns its length without the header, or -errno.
int64_t cw_tun_read(int descriptor, cw_tun_header *header, void *bytes, size_t count);
int64_t cw_tun_write(int descriptor, const cw_tun_header *header, const void *bytes, size_t count);

// Packets of an interface (packet.c)

/// Opens a socket that receives every packet of an interface, without its link-layer header.
int cw_packet_open(int interface_index);
/// Returns the packet's length, or -EAGAIN if none is waiting.
int64_t cw_packet_receive(int descriptor, void *bytes, size_t count, int *outgoing, int *is_ip);

// Children (spawn.c)

typedef struct cw_spawn_plan cw_spawn_plan;

enum cw_spawn_step {
    CW_STEP_TMPFS = 0,     ///< mount an empty tmpfs on `path`; `source`: its options
    CW_STEP_DIRECTORY = 1, ///< create the directory `path`; it may exist
    CW_STEP_WRITE = 2,     ///< write the file `path`
    CW_STEP_BIND = 3,      ///< bind `source` to `path`
    CW_STEP_DETACH = 4,    ///< unmount `path`; its binds stay
    CW_STEP_PROC = 5,      ///< a /proc of the new process namespace, when permitted
    CW_STEP_SYSFS = 6,     ///< a read-only /sys of the network namespace, when permitted
    CW_STEP_BIND_TREE = 7, ///< bind `source` with the mounts below it to `path`
    CW_STEP_LINK = 8,      ///< a symbolic link `path` to `source`
    CW_STEP_SEAL = 9,      ///< make `path` read-only, when permitted
    CW_STEP_MASK = 10,     ///< make `path` look empty, when permitted
    CW_STEP_DEVICES = 11   ///< a /dev with harmless devices, built on `source`, when permitted; the bytes: a terminal's path
};

enum cw_spawn_stage {
    CW_STAGE_DEATH_SIGNAL = 0,
    CW_STAGE_NETWORK = 1,
    CW_STAGE_PRIVATE_MOUNTS = 2,
    CW_STAGE_STEP = 3,
    CW_STAGE_FORK = 4,
    CW_STAGE_DIRECTORY = 5,
    CW_STAGE_STDIO = 6,
    CW_STAGE_EXEC = 7,
    CW_STAGE_CONFINE = 8,
    CW_STAGE_GROUP = 9
};

/// Parts of the isolation that the machine did not permit although the program was started.
enum cw_spawn_weakness {
    CW_WEAK_PROC = 1,   ///< the program sees the outer /proc
    CW_WEAK_SYS = 2,    ///< the program sees the outer /sys
    CW_WEAK_SEAL = 4,   ///< a path is writable or visible that should not be
    CW_WEAK_DEVICES = 8 ///< the program sees the outer /dev
};

enum cw_spawn_message { CW_STARTED = 1, CW_FAILED = 2, CW_ENDED = 3, CW_INTERRUPTED = 4 };

/// A request to process 1 that is not the number of a signal.
enum { CW_START = -1 };

typedef struct cw_spawn_report {
    int32_t message;
    int32_t stage;  ///< of CW_FAILED
    int32_t index;  ///< of the step that failed; the program's process id in its own namespace of CW_STARTED
    int32_t error;  ///< errno of CW_FAILED
    int32_t status; ///< wait status of CW_ENDED; the weaknesses of CW_STARTED
} cw_spawn_report;

cw_spawn_plan *cw_spawn_plan_make(const char *program);
void cw_spawn_plan_free(cw_spawn_plan *plan);
int cw_spawn_plan_add_argument(cw_spawn_plan *plan, const char *argument);
int cw_spawn_plan_add_variable(cw_spawn_plan *plan, const char *assignment);
int cw_spawn_plan_add_step(cw_spawn_plan *plan, enum cw_spawn_step kind, const char *path, const char *source,
                           const void *bytes, size_t count, uint32_t mode);
void cw_spawn_plan_set_niceness(cw_spawn_plan *plan, int niceness);
int cw_spawn_plan_set_directory(cw_spawn_plan *plan, const char *directory);
void cw_spawn_plan_set_descriptors(cw_spawn_plan *plan, int standard_input, int standard_output, int standard_error,
                                   int network_namespace, int control);
/// The program becomes the foreground group of the terminal. If `reports_interrupts` is 1, each Ctrl-C there is also reported.
void cw_spawn_plan_set_foreground(cw_spawn_plan *plan, int terminal, int reports_interrupts);
/// The program keeps only these capabilities (a mask) and cannot gain others; `processes` limits those of the user, 0 does not.
void cw_spawn_plan_confine(cw_spawn_plan *plan, uint64_t capabilities, uint64_t processes);
/// The descriptor of a cgroup.procs file; -1 for none.
void cw_spawn_plan_set_group(cw_spawn_plan *plan, int members);
/// Process 1 stays when the program ends, with its mounts and all other processes, and starts it again on request.
void cw_spawn_plan_set_restartable(cw_spawn_plan *plan);

/// Creates process 1 of a new process namespace, which prepares the mounts and starts the program. Returns its process
/// id. Always the same thread must call it, and live as long as the processes: they are made by a server that this thread forks
/// once (spawn_server.c), and PR_SET_PDEATHSIG fires when the *thread* that forked ends.
int cw_spawn(cw_spawn_plan *plan);
/// Creates a connected pair of message sockets: [0] for the parent, [1] for the child.
int cw_control_pair(int descriptors[2]);
int cw_control_send_signal(int descriptor, int signal);
/// Starts the ended program of a restartable plan again, with these descriptors as its streams. A report follows.
int cw_control_send_start(int descriptor, int standard_input, int standard_output, int standard_error);
/// Reads one report; returns 0 if the other side is gone, 1 if `report` is filled in.
int cw_control_receive(int descriptor, cw_spawn_report *report);
/// Reads one report of Ctrl-C without waiting; returns 1, or 0 if there is none and the next report, if any, is another one.
int cw_control_take_interrupt(int descriptor);
int cw_pidfd_open(int pid);
int cw_kill(int pid, int signal);
/// Sends a signal to the process of a pidfd, which cannot be mistaken for a later one with the same number.
int cw_pidfd_send_signal(int descriptor, int signal);
/// Waits for process `pid` to end and reaps it.
int cw_reap(int pid);
/// Makes our process group the foreground group of the terminal again.
int cw_set_terminal_foreground(int terminal);
/// Returns 1 if `descriptor` is a terminal whose foreground group is ours.
int cw_owns_terminal(int descriptor);
int cw_pipe(int descriptors[2]);

// Running without root (rootless.c)

enum cw_rootless_stage {
    CW_ROOTLESS_UNSHARE = 0,
    CW_ROOTLESS_SETGROUPS = 1,
    CW_ROOTLESS_UID_MAP = 2,
    CW_ROOTLESS_GID_MAP = 3,
    CW_ROOTLESS_MOUNTS = 4,
    CW_ROOTLESS_LOOPBACK = 5,
    CW_ROOTLESS_EXEC = 6,
    CW_ROOTLESS_MARKED = 7
};

/// Returns 1 if the effective set contains both CAP_SYS_ADMIN and CAP_NET_ADMIN in the current user namespace.
int cw_may_administer(void);
/// Re-executes the program as uid 0 of its own user, mount and network namespaces. Returns 0 if that is not needed.
/// Must run before the process has a second thread.
int cw_reenter_rootless(char *const argv[], int *stage);

// The network in which the program was started (host.c)

#define CW_HOST_ADDRESSES 8
struct cw_host_address {
    uint8_t family; ///< 4 or 6
    uint8_t bytes[16];
};

/// Resolves `host` in the calling thread's network; returns the number of addresses filled in.
int cw_host_resolve(const char *host, struct cw_host_address *addresses, int capacity, const char **reason);
/// Starts a small process that stays in this network and serves requests after the program has moved to its own
/// namespaces. It ends with the program. Must run before the process has a second thread.
int cw_host_fork_broker(void);
/// Returns the descriptor for requests to that process, once; -ENOENT if there is none. Reap `*process` after closing
/// it.
int cw_host_adopt_broker(int *process);
int cw_host_broker_resolve(int broker, const char *host, struct cw_host_address *addresses, int capacity);
/// Returns a non-blocking TCP socket that belongs to that network.
int cw_host_broker_socket(int broker, int ipv6);

enum cw_trial {
    CW_TRY_USER_NAMESPACE = 0,
    CW_TRY_NETWORK_NAMESPACE = 1,
    CW_TRY_MOUNT = 2,
    CW_TRY_PROCESS_NAMESPACE = 3
};
/// Tries one operation in a temporary child; returns 0 or -errno.
int cw_try(enum cw_trial trial);

#endif
