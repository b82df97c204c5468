import InternetAddresses
import NetworkMonitor
import Testing

@testable import AdaptableSession

@Suite struct NetworkViewTests {
    private let open = NetworkState([
        NetworkInterface(
            index: 2, name: "wlan0", kind: .wifi, addresses: [.v4(1)], routes: [NetworkInterface.Route(to: .allV4)])
    ])

    @Test func `before a missing route is reported the kernel is queried, once for all tasks that started before`() {
        var looks = 0
        let view = NetworkView(NetworkState([]), policy: PathPolicy()) {
            looks += 1
            return open
        }
        let began = MonotonicTime.now()
        for _ in 0..<1_000 { #expect(view.path(to: "api.test", forbidding: [], since: began).isOpen) }
        #expect(looks == 1)
        // Later reports of the monitor are used as usual.
        #expect(view.state == NetworkState([]))
    }

    @Test func `a task that starts after the last query causes a new one`() {
        var found = NetworkState([])
        let view = NetworkView(NetworkState([]), policy: PathPolicy()) { found }
        #expect(!view.path(to: "api.test", forbidding: [], since: MonotonicTime.now()).isOpen)
        found = open
        #expect(view.path(to: "api.test", forbidding: [], since: MonotonicTime.now()).isOpen)
    }

    @Test func `a report of the monitor is newer than every query`() {
        var found = open
        let view = NetworkView(NetworkState([]), policy: PathPolicy()) { found }
        #expect(view.path(to: "api.test", forbidding: [], since: 0).isOpen)
        found = NetworkState([])
        view.received(NetworkState([]))
        #expect(!view.path(to: "api.test", forbidding: [], since: 0).isOpen)
    }

    @Test func `with a route the kernel is not queried`() {
        let view = NetworkView(open, policy: PathPolicy()) {
            Issue.record("the kernel was queried")
            return nil
        }
        #expect(view.path(to: "api.test", forbidding: [], since: .max).isOpen)
    }

    /// The kernel removes a route before the session has read the notification.
    @Test func `after a failed attempt the kernel is queried although the last report was of an open path`() {
        var found: NetworkState? = NetworkState([])
        let view = NetworkView(open, policy: PathPolicy()) { found }
        #expect(view.path(to: "api.test", forbidding: [], since: .max).isOpen)
        #expect(!view.pathAfterFailure(to: "api.test", forbidding: []).isOpen)
        found = open
        #expect(view.pathAfterFailure(to: "api.test", forbidding: []).isOpen)
        found = nil
        #expect(view.pathAfterFailure(to: "api.test", forbidding: []).isOpen, "the last report is used")
    }

    @Test func `an unreadable network state counts as connected`() {
        #expect(NetworkView(nil, policy: PathPolicy()).path(to: "api.test", forbidding: .cellular, since: 0).isOpen)
    }
}
