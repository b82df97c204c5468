import Glibc

/// A failed system call: its name, its error number and, if known, the step that fixes it.
package struct SystemCallError: Error, Equatable, Sendable, CustomStringConvertible {
    package let call: String
    package let errno: CInt
    /// The object of the call: a path, an interface, an address.
    package let context: String?

    package init(call: String, errno: CInt, context: String? = nil) {
        self.call = call
        self.errno = errno
        self.context = context
    }

    package var cause: String { Self.text(of: errno) }

    /// The step that usually removes the cause.
    package var fix: String? {
        switch errno {
        case EPERM:
            "run as root, or as a user who may create user namespaces (see `crosswind doctor`)"
        case EACCES where context == "/dev/net/tun":
            "make the device usable: chmod 666 /dev/net/tun"
        case ENOENT where context == "/dev/net/tun", ENODEV where context == "/dev/net/tun",
            ENXIO where context == "/dev/net/tun":
            "load the driver: modprobe tun (in a container: add --device /dev/net/tun)"
        case EMFILE:
            "raise the limit of open files: ulimit -n 65536"
        case ENFILE:
            "raise the system's limit of open files: sysctl -w fs.file-max=1000000"
        case ENOSPC where call.contains("unshare") || call.contains("clone"):
            "raise the limit of namespaces: sysctl -w user.max_net_namespaces=10000 user.max_mnt_namespaces=10000"
        case ENOSPC:
            "free space on the device, or raise the limit that the call names"
        case ENOMEM, ENOBUFS:
            "free memory, or run fewer labs at a time"
        case EBUSY where call.contains("TUNSETIFF"):
            "another program holds that device name: choose another"
        default:
            nil
        }
    }

    package var description: String { problem + (fix.map { "; to fix it, \($0)" } ?? "") }

    /// The description without the fix.
    package var problem: String { "\(call)\(context.map { " on \($0)" } ?? "") failed: \(cause)" }

    package static func text(of errno: CInt) -> String {
        guard let text = unsafe strerror(errno) else { return "error \(errno)" }
        return "\(unsafe String(cString: text)) (errno \(errno))"
    }
}

extension SystemCallError {
    /// Turns the "value or -errno" of a C function into a value or a thrown error.
    @discardableResult
    package static func check<Value: SignedInteger>(
        _ value: Value, _ call: String, _ context: String? = nil
    ) throws(SystemCallError) -> Value {
        guard value >= 0 else { throw SystemCallError(call: call, errno: CInt(-value), context: context) }
        return value
    }

    package static func descriptor(
        _ value: CInt, _ call: String, _ context: String? = nil
    ) throws(SystemCallError) -> OwnedDescriptor {
        OwnedDescriptor(adopting: try check(value, call, context))
    }
}

extension FixedWidthInteger where Self: SignedInteger {
    /// The result of a C library call as "value or -errno", so that errno is read immediately.
    package var orErrno: Self { self < 0 ? Self(-Glibc.errno) : self }
}
