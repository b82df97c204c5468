@testable import AdaptableSession
import LinuxNet
import Testing

@Suite struct NetworkViewTests {
    private let open = NetworkState([
        NetworkInterface(index: 2, name: "wlan0", kind: .wifi, addresses: [.v4(1)], ways: [NetworkInterface.Way(to: .allV4)])
    ])

    @Test func `Before it is said that there is no way the kernel is asked, once for many`() {
        var looks = 0
        let view = NetworkView(NetworkState([]), policy: PathPolicy()) {
            looks += 1
            return open
        }
        for _ in 0..<1_000 { #expect(view.path(to: "api.test", forbidding: []).isOpen) }
        #expect(looks >= 1)
        #expect(looks < 1_000)
        // What the monitor says later counts as before.
        #expect(view.state == NetworkState([]))
    }

    @Test func `With a way nobody is asked`() {
        let view = NetworkView(open, policy: PathPolicy()) {
            Issue.record("the kernel was asked")
            return nil
        }
        #expect(view.path(to: "api.test", forbidding: []).isOpen)
    }

    @Test func `A network that cannot be seen is taken for open`() {
        #expect(NetworkView(nil, policy: PathPolicy()).path(to: "api.test", forbidding: .cellular).isOpen)
    }
}
