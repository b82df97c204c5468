import LinuxNet
import Testing

@testable import AdaptableSession

@Suite struct NetworkViewTests {
    private let open = NetworkState([
        NetworkInterface(
            index: 2, name: "wlan0", kind: .wifi, addresses: [.v4(1)], routes: [NetworkInterface.Route(to: .allV4)])
    ])

    @Test func `Before it is said that there is no way the kernel is asked, once for all that began before`() {
        var looks = 0
        let view = NetworkView(NetworkState([]), policy: PathPolicy()) {
            looks += 1
            return open
        }
        let began = MonotonicTime.now()
        for _ in 0..<1_000 { #expect(view.path(to: "api.test", forbidding: [], since: began).isOpen) }
        #expect(looks == 1)
        // What the monitor says later counts as before.
        #expect(view.state == NetworkState([]))
    }

    @Test func `A task that begins after the last look is not judged by it`() {
        var found = NetworkState([])
        let view = NetworkView(NetworkState([]), policy: PathPolicy()) { found }
        #expect(!view.path(to: "api.test", forbidding: [], since: MonotonicTime.now()).isOpen)
        found = open
        #expect(view.path(to: "api.test", forbidding: [], since: MonotonicTime.now()).isOpen)
    }

    @Test func `What the monitor tells is newer than every look`() {
        var found = open
        let view = NetworkView(NetworkState([]), policy: PathPolicy()) { found }
        #expect(view.path(to: "api.test", forbidding: [], since: 0).isOpen)
        found = NetworkState([])
        view.received(NetworkState([]))
        #expect(!view.path(to: "api.test", forbidding: [], since: 0).isOpen)
    }

    @Test func `With a way nobody is asked`() {
        let view = NetworkView(open, policy: PathPolicy()) {
            Issue.record("the kernel was asked")
            return nil
        }
        #expect(view.path(to: "api.test", forbidding: [], since: .max).isOpen)
    }

    @Test func `A network that cannot be seen is taken for open`() {
        #expect(NetworkView(nil, policy: PathPolicy()).path(to: "api.test", forbidding: .cellular, since: 0).isOpen)
    }
}
