package import LinuxNet
import Synchronization

/// Tells the state of the network whenever the kernel says that something about links, addresses, routes or rules changed.
///
/// One thread sleeps on the kernel's messages; nothing is polled. `onChange` is called on that thread, and only for a state that
/// differs from the one told before.
package final class PathMonitor: Sendable {
    private let waker: Stop
    private let thread: DedicatedThread
    private let latest: Latest

    private final class Stop: Sendable {
        let waker: Waker
        init() throws(SystemCallError) { waker = try Waker.make() }
    }

    private final class Latest: Sendable {
        let state: Mutex<NetworkState>
        init(_ state: NetworkState) { self.state = Mutex(state) }
    }

    /// The state as it was told last.
    package var current: NetworkState { latest.state.withLock { $0 } }

    package init(
        policy: PathPolicy = PathPolicy(), in namespace: NetworkNamespace? = nil,
        onChange: @escaping @Sendable (NetworkState) -> Void
    ) throws(NetlinkError) {
        // First the ear, then the look: what changes in between is heard.
        let monitor = try NetworkMonitor.make(in: namespace)
        let netlink = try NetlinkSocket(in: namespace)
        let latest = Latest(try NetworkState.read(netlink, policy))
        self.latest = latest
        do throws(SystemCallError) {
            let waker = try Stop()
            self.waker = waker
            // A noncopyable monitor cannot be captured by a closure that could run twice.
            let reference = MonitorReference(monitor)
            thread = try DedicatedThread(name: "as-path") {
                PathMonitor.listen(reference, netlink, policy, waker, latest, onChange)
            }
        } catch {
            throw .system(error)
        }
    }

    deinit { waker.waker.wake() }

    private final class MonitorReference: Sendable {
        private let monitor: Mutex<NetworkMonitor?>
        init(_ monitor: consuming NetworkMonitor) { self.monitor = Mutex(consume monitor) }
        func release() -> NetworkMonitor? { monitor.withLock { $0.take() } }
    }

    private static func listen(
        _ reference: MonitorReference, _ netlink: NetlinkSocket, _ policy: PathPolicy, _ stop: Stop, _ latest: Latest,
        _ onChange: @Sendable (NetworkState) -> Void
    ) {
        guard var monitor = reference.release() else { return }
        do throws(SystemCallError) {
            var poller = try Poller.make(capacity: 2)
            let received = monitor.withRaw { $0 }
            try poller.add(received, for: .readable, token: 0)
            let stopping = stop.waker.withRaw { $0 }
            try poller.add(stopping, for: .readable, token: 1)
            while true {
                var isOver = false
                try poller.wait { if $0.token == 1 { isOver = true } }
                if isOver { return }
                var isNew = false
                // All that waits is one change: what counts is the state that it leads to.
                while let event = try monitor.next(until: 0) { isNew = isNew || PathMonitor.matters(event) }
                guard isNew else { continue }
                // A list that the kernel refuses is followed by another message, since it refuses only while things change.
                guard let state = try? NetworkState.read(netlink, policy) else { continue }
                let isOther = latest.state.withLock { last in
                    defer { last = state }
                    return last != state
                }
                if isOther { onChange(state) }
            }
        } catch {
            // Without its socket there is nothing to tell; the last state stays true as far as anybody knows.
            return
        }
    }

    private static func matters(_ event: NetworkEvent) -> Bool {
        switch event {
        case .link(_, let changes): !changes.isEmpty
        case .linkRemoved, .addressAdded, .addressRemoved, .routeAdded, .routeRemoved, .ruleAdded, .ruleRemoved, .other,
            .overrun:
            true
        }
    }
}

extension NetworkState {
    package static func read(_ netlink: NetlinkSocket, _ policy: PathPolicy = PathPolicy()) throws(NetlinkError)
        -> NetworkState
    {
        NetworkState(
            links: try netlink.links(), addresses: try netlink.addresses(), routes: try netlink.routesOfAllTables(),
            policy: policy,
            deviceType: InterfaceFacts.deviceType)
    }
}
