import CLabKernel
import Glibc
package import NetworkMonitor

/// A network namespace that exists only as a descriptor, and the private thread inside it.
///
/// Nothing is created under /run/netns: when the last descriptor, socket and process is gone (by kill -9 too) the
/// kernel removes the namespace and every interface in it.
@safe package final class NetworkNamespace: NetworkScope {
    private let descriptor: OwnedDescriptor
    private nonisolated(unsafe) let worker: OpaquePointer

    /// Creates an empty namespace with its loopback interface up.
    package static func make() throws(SystemCallError) -> NetworkNamespace {
        try NetworkNamespace(CW_NAMESPACE_NEW, entering: -1)
    }

    /// Returns the namespace of the calling thread.
    package static func current() throws(SystemCallError) -> NetworkNamespace {
        try NetworkNamespace(CW_NAMESPACE_CURRENT, entering: -1)
    }

    /// Returns the namespace of the process as a whole, whatever namespace the calling thread is in.
    static func ofProcess() throws(SystemCallError) -> NetworkNamespace {
        let path = "/proc/self/ns/net"
        let namespace = try SystemCallError.descriptor(unsafe open(path, O_RDONLY | O_CLOEXEC).orErrno, "open", path)
        return try namespace.withRaw { raw throws(SystemCallError) in
            try NetworkNamespace(CW_NAMESPACE_ENTER, entering: raw)
        }
    }

    private init(_ home: cw_worker_namespace, entering: CInt) throws(SystemCallError) {
        var worker: OpaquePointer?
        var namespace: CInt = -1
        var call: UnsafePointer<CChar>?
        let result = unsafe cw_worker_start("cw-namespace", home, entering, &worker, &namespace, &call)
        guard result >= 0, let worker = unsafe worker else {
            let name = unsafe call.map { unsafe String(cString: $0) } ?? "pthread_create"
            throw SystemCallError(call: name, errno: -result)
        }
        unsafe self.worker = worker
        descriptor = OwnedDescriptor(adopting: namespace)
    }

    deinit {
        unsafe cw_worker_end(worker)
    }

    /// Runs `body` on the thread inside this namespace and waits for it. One body runs at a time; a `perform` inside a
    /// `perform` of the same namespace runs at once.
    ///
    /// Sockets and TUN devices created inside belong to this namespace permanently, wherever they are used afterwards.
    package func perform<Value: ~Copyable, Failure: Error>(
        _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var outcome: Result<Value, Failure>?
        run {
            do throws(Failure) {
                outcome = .success(try body())
            } catch {
                outcome = .failure(error)
            }
        }
        guard let outcome = outcome.take() else { preconditionFailure("the worker runs every job") }
        return try outcome.get()
    }

    /// Safe although `job` is not `Sendable`: the caller is blocked while the worker runs it.
    private func run(_ job: () -> Void) {
        withoutActuallyEscaping(job) { escapable in
            var job = escapable
            unsafe withUnsafeMutablePointer(to: &job) { pointer in
                unsafe cw_worker_run(
                    worker,
                    { context in
                        guard let context = unsafe context else { return }
                        unsafe context.assumingMemoryBound(to: (() -> Void).self).pointee()
                    }, pointer)
            }
        }
    }

    package func withRaw<Value: ~Copyable, Failure: Error>(
        _ body: (CInt) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try descriptor.withRaw(body)
    }

    /// The number that identifies the namespace in the kernel (`readlink /proc/PID/ns/net`).
    package var inode: UInt64 {
        descriptor.withRaw { raw in
            var status = stat()
            guard unsafe fstat(raw, &status) == 0 else { return 0 }
            return UInt64(status.st_ino)
        }
    }

    /// Writes a per-namespace setting: `setSysctl("net/ipv6/conf/wlan0/accept_dad", "0")`. Dots may replace slashes if
    /// no interface name contains a dot.
    package func setSysctl(_ name: String, _ value: String) throws(SystemCallError) {
        let path = Self.sysctlPath(name)
        try perform { () throws(SystemCallError) in
            let opened = try SystemCallError.check(
                unsafe Glibc.open(path, O_WRONLY | O_CLOEXEC).orErrno, "open", path)
            let file = OwnedDescriptor(adopting: opened)
            let bytes = Array(value.utf8)
            try file.withRaw { raw throws(SystemCallError) in
                _ = try SystemCallError.check(unsafe Glibc.write(raw, bytes, bytes.count).orErrno, "write", path)
            }
        }
    }

    package func sysctl(_ name: String) throws(SystemCallError) -> String {
        let path = Self.sysctlPath(name)
        return try perform { () throws(SystemCallError) in
            let opened = try SystemCallError.check(
                unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC).orErrno, "open", path)
            let file = OwnedDescriptor(adopting: opened)
            var bytes = [UInt8](repeating: 0, count: 4096)
            let count = try file.withRaw { raw throws(SystemCallError) in
                try SystemCallError.check(unsafe Glibc.read(raw, &bytes, bytes.count).orErrno, "read", path)
            }
            var text = bytes.prefix(count)
            while text.last == UInt8(ascii: "\n") { text.removeLast() }
            return String(decoding: text, as: UTF8.self)
        }
    }

    private static func sysctlPath(_ name: String) -> String {
        let relative = name.contains("/") ? name : name.split(separator: ".").joined(separator: "/")
        return "/proc/sys/\(relative)"
    }
}
