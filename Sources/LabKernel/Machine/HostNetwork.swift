import CLabKernel
import CLinux
import Glibc
package import InternetAddresses
package import NetworkMonitor
import Synchronization

/// The network in which the program was started, accessible from inside a lab: names are resolved and connections
/// opened there.
///
/// With root it is simply the network of the process. Without root the program has moved into its own namespaces, and
/// the kernel does not let it return; a small process that stayed behind then creates the sockets and passes them over.
package final class HostNetwork: Sendable {
    private final class SocketBroker: Sendable {
        /// One request at a time.
        private let descriptor: Mutex<OwnedDescriptor?>
        private let process: CInt

        init(_ descriptor: consuming OwnedDescriptor, process: CInt) {
            self.descriptor = Mutex(descriptor)
            self.process = process
        }

        /// Closes the descriptor; the process ends at the end of file.
        deinit {
            descriptor.withLock { $0 = nil }
            _ = cw_reap(process)
        }

        func perform(_ question: (CInt) -> CInt) -> CInt {
            descriptor.withLock { descriptor in
                switch descriptor {
                case .some(let descriptor): descriptor.withRaw(question)
                case nil: -EBADF
                }
            }
        }
    }

    private let namespace: NetworkNamespace?
    private let broker: SocketBroker?

    /// Starts the process that stays in this network. Call it before `Rootless.reenterIfNeeded`; not needed with root
    /// privileges.
    package static func forkBroker() throws(SystemCallError) {
        if Rootless.mayAdminister { return }
        _ = try SystemCallError.check(cw_host_fork_broker(), "socketpair")
    }

    /// Connects to that process after re-entering; at most once per process.
    package static func open() throws(SystemCallError) -> HostNetwork {
        var process: CInt = -1
        let broker = unsafe cw_host_adopt_broker(&process)
        if broker >= 0 {
            return HostNetwork(
                namespace: nil, broker: SocketBroker(OwnedDescriptor(adopting: broker), process: process))
        }
        return HostNetwork(namespace: try NetworkNamespace.ofProcess(), broker: nil)
    }

    private init(namespace: NetworkNamespace?, broker: SocketBroker?) {
        self.namespace = namespace
        self.broker = broker
    }

    /// Returns the addresses of `host` in that network, in the order to try them; empty if the name does not exist.
    package func addresses(of host: String) throws(SystemCallError) -> [IPAddress] {
        if let literal = IPAddress(host) { return [literal] }
        var found = [cw_host_address](repeating: cw_host_address(), count: Int(CW_HOST_ADDRESSES))
        let capacity = CInt(found.count)
        let count: CInt =
            if let broker {
                broker.perform { unsafe cw_host_broker_resolve($0, host, &found, capacity) }
            } else {
                unsafe cw_host_resolve(host, &found, capacity, nil)
            }
        if count == -ENOENT { return [] }
        try SystemCallError.check(count, "getaddrinfo", host)
        return found.prefix(Int(count)).compactMap { address in
            var bytes: [UInt8] = []
            unsafe withUnsafeBytes(of: address.bytes) { unsafe bytes = Array($0) }
            return IPAddress(bytes: bytes.prefix(address.family == 6 ? 16 : 4))
        }
    }

    /// Connects to the first of these addresses that accepts. Blocks, so do not call it on an event loop.
    package func connect(
        to addresses: [SocketAddress], until deadline: Int64
    ) throws(SystemCallError) -> OwnedDescriptor {
        var failure = SystemCallError(call: "connect", errno: EADDRNOTAVAIL)
        for address in addresses {
            do throws(SystemCallError) { return try connect(to: address, until: deadline) } catch { failure = error }
        }
        throw failure
    }

    private func connect(to address: SocketAddress, until deadline: Int64) throws(SystemCallError) -> OwnedDescriptor {
        let socket = try startConnecting(to: address)
        let ready = try socket.withRaw { raw throws(SystemCallError) in
            try Poller.wait(for: raw, .writable, until: deadline)
        }
        if ready.isEmpty { throw SystemCallError(call: "connect", errno: ETIMEDOUT, context: "\(address)") }
        if let error = socket.pendingError() {
            throw SystemCallError(call: "connect", errno: error.errno, context: "\(address)")
        }
        return socket
    }

    private func startConnecting(to address: SocketAddress) throws(SystemCallError) -> OwnedDescriptor {
        if let namespace { return try namespace.connectTCP(to: address) }
        guard let broker else { throw SystemCallError(call: "connect", errno: ENETUNREACH) }
        let made = broker.perform { cw_host_broker_socket($0, address.address.isV6 ? 1 : 0) }
        let socket = try SystemCallError.descriptor(made, "socket")
        try socket.withRaw { raw throws(SystemCallError) in
            let bytes = address.kernelBytes
            let result = unsafe cw_socket_connect(raw, bytes, UInt32(bytes.count))
            if result != -EINPROGRESS { try SystemCallError.check(result, "connect", "\(address)") }
        }
        return socket
    }
}
