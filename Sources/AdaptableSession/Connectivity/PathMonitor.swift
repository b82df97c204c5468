import Foundation
package import NetworkMonitor
import Synchronization

/// Reports the state of the network when the kernel announces a change of links, addresses, routes or rules.
///
/// One thread blocks on the kernel's messages; nothing is polled. `onChange` is called on that thread or in `look()`, and
/// only for a state that differs from the one reported before. It must not call `look()`.
package final class PathMonitor: Sendable {
    private let waker: Stop
    private let thread: DedicatedThread
    private let reports: Reports

    private final class Stop: Sendable {
        let waker: Waker
        init() throws(SystemCallError) { waker = try Waker.make() }
    }

    private final class Reports: Sendable {
        let last: Mutex<NetworkState>
        /// Held while a state is read and reported, so that the reports have the order of the states.
        private let turn = Mutex(())
        private let netlink: NetlinkSocket
        private let onChange: @Sendable (NetworkState) -> Void

        init(_ netlink: NetlinkSocket, _ onChange: @escaping @Sendable (NetworkState) -> Void) throws(NetlinkError) {
            self.netlink = netlink
            self.onChange = onChange
            last = Mutex(try NetworkState.read(netlink))
        }

        func update() throws(NetlinkError) -> NetworkState {
            try turn.withLock { _ throws(NetlinkError) in
                let state = try NetworkState.read(netlink)
                let isOther = last.withLock { last in
                    defer { last = state }
                    return last != state
                }
                if isOther { onChange(state) }
                return state
            }
        }
    }

    /// The state that was reported last.
    package var current: NetworkState { reports.last.withLock { $0 } }

    /// Reads the state from the kernel, and reports it if it differs from the one reported before. So a caller who decides by it
    /// also receives a report of the change back, even if both changes are read at once.
    package func look() -> NetworkState? { try? reports.update() }

    package init(
        in namespace: (any NetworkScope)? = nil,
        onChange: @escaping @Sendable (NetworkState) -> Void
    ) throws(NetlinkError) {
        // Subscribe first, then read the state: a change in between is then reported.
        let monitor = try NetlinkMonitor.make(in: namespace)
        let reports = try Reports(NetlinkSocket(in: namespace), onChange)
        self.reports = reports
        do throws(SystemCallError) {
            let waker = try Stop()
            self.waker = waker
            // A closure that could run twice cannot capture a noncopyable monitor.
            let reference = MonitorReference(monitor)
            thread = try DedicatedThread(name: "as-path") {
                PathMonitor.listen(reference, waker, reports)
            }
        } catch {
            throw .system(error)
        }
    }

    deinit { waker.waker.wake() }

    private final class MonitorReference: Sendable {
        private let monitor: Mutex<NetlinkMonitor?>
        init(_ monitor: consuming NetlinkMonitor) { self.monitor = Mutex(consume monitor) }
        func release() -> NetlinkMonitor? { monitor.withLock { $0.take() } }
    }

    private static func listen(
        _ reference: MonitorReference, _ stop: Stop, _ reports: Reports
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
                // All pending messages count as one change, because only the resulting state matters.
                while let event = try monitor.next(until: 0) { isNew = isNew || PathMonitor.matters(event) }
                // If reading fails, another message follows: the kernel interrupts a list only while things change.
                if isNew { _ = try? reports.update() }
            }
        } catch {
            // Without its socket the monitor cannot report changes; the last state remains.
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
    package static func read(_ netlink: NetlinkSocket) throws(NetlinkError)
        -> NetworkState
    {
        NetworkState(
            links: try netlink.links(), addresses: try netlink.addresses(), routes: try netlink.routesOfAllTables(),
            deviceType: InterfaceFacts.deviceType)
    }
}

/// Facts about an interface that sysfs has and netlink does not report.
package enum InterfaceFacts {
    /// Returns the value of the line `DEVTYPE=` in `/sys/class/net/<name>/uevent`, which exists for devices other than
    /// plain Ethernet. nil without the file, as in a mount namespace without sysfs.
    package static func deviceType(of name: String) -> String? {
        guard !name.contains("/"),
            let text = try? String(contentsOfFile: "/sys/class/net/\(name)/uevent", encoding: .utf8)
        else { return nil }
        return text.split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }.map { String($0.dropFirst(8)) }
    }
}
