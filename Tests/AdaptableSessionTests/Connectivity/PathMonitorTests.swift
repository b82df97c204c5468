import AdaptableSession
import InternetAddresses
import LabKernel
import NetworkMonitor
import Synchronization
import Testing

@Suite(.enabled(if: Privilege.hasNamespaces, "needs CAP_SYS_ADMIN: run as root")) struct PathMonitorTests {
    private final class Received: Sendable {
        let states = Mutex<[NetworkState]>([])
        let bell: AsyncStream<NetworkState>
        let ring: AsyncStream<NetworkState>.Continuation

        init() { (bell, ring) = AsyncStream.makeStream() }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a change of the network is reported, from no path to a path and back`() async throws {
        let client = try NetworkNamespace.make()
        let peer = try NetworkNamespace.make()
        let netlink = try NetlinkSocket(in: client)
        try netlink.makeVirtualEthernetPair(name: "wlan0", peerName: "far0", peerIn: peer)
        let far = try NetlinkSocket(in: peer)
        try far.setUp(try far.link(named: "far0").index)
        let index = try netlink.link(named: "wlan0").index
        let received = Received()
        let monitor = try PathMonitor(in: client) { received.ring.yield($0) }
        #expect(monitor.current.path().obstacle == .noNetwork)

        try netlink.setUp(index)
        try netlink.addAddress(try #require(AddressPrefix("192.0.2.2/24")), to: index)
        try netlink.addRoute(Route(to: .allV4, .interface(index)))
        var states = received.bell.makeAsyncIterator()
        while let state = await states.next(), !state.path().isOpen {}
        #expect(monitor.current.path().isOpen)

        try netlink.setDown(index)
        while let state = await states.next(), state.path().isOpen {}
        #expect(monitor.current.path().obstacle == .noNetwork)
        withExtendedLifetime(peer) {}
    }

    /// Otherwise a task that found the path gone waits for a report that never comes. The monitor's thread is slow or fast by
    /// chance, so there are several rounds.
    @Test(.timeLimit(.minutes(1)))
    func `the return of a path is reported to a caller who saw that it had gone`() throws {
        let client = try NetworkNamespace.make()
        let netlink = try NetlinkSocket(in: client)
        let index = try netlink.link(named: "lo").index
        try netlink.setUp(index)
        let reports = Mutex<[Bool]>([])
        let monitor = try PathMonitor(in: client) { state in
            let isUp = state.interface(named: "lo")?.isRunning ?? false
            // Addresses and routes change one after the other.
            reports.withLock { if $0.last != isUp { $0.append(isUp) } }
        }
        for round in 1...200 {
            try netlink.setDown(index)
            #expect(monitor.look()?.interface(named: "lo")?.isRunning != true)
            try netlink.setUp(index)
            // Without a report of the thread, one more look has to find the change.
            _ = monitor.look()
            #expect(reports.withLock { $0.count } == 2 * round)
        }
    }

    @Test func `a released monitor ends its thread`() throws {
        let client = try NetworkNamespace.make()
        for _ in 0..<20 { _ = try PathMonitor(in: client) { _ in } }
    }
}
