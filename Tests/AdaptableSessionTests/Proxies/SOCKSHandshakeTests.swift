import AdaptableSession
import Testing

/// The messages of RFC 1928 §3–6 and RFC 1929 §2, byte by byte.
@Suite struct SOCKSHandshakeTests {
    @Test func `without a login the host name is sent to be resolved by the proxy`() {
        var socks = SOCKSHandshake(host: "a.test", port: 443)
        #expect(socks.begin() == .send([5, 1, 0]))
        #expect(socks.received([5]) == nil)
        #expect(socks.received([0]) == .send([5, 1, 0, 3, 6] + Array("a.test".utf8) + [1, 187]))
        #expect(socks.received([5, 0, 0, 1, 0, 0, 0]) == nil)
        #expect(socks.received([0, 0, 0, 22, 3]) == .established(rest: [22, 3]))
    }

    @Test func `a configured login is offered and sent`() {
        var socks = SOCKSHandshake(host: "192.0.2.1", port: 80, user: "ann", password: "pw")
        #expect(socks.begin() == .send([5, 2, 0, 2]))
        #expect(socks.received([5, 2]) == .send([1, 3] + Array("ann".utf8) + [2] + Array("pw".utf8)))
        #expect(socks.received([1, 0]) == .send([5, 1, 0, 1, 192, 0, 2, 1, 0, 80]))
        #expect(socks.received([5, 0, 0, 3, 1, 65, 0, 0]) == .established(rest: []))
    }

    @Test func `an IPv6 address is sent in binary form`() {
        var socks = SOCKSHandshake(host: "::1", port: 80)
        _ = socks.begin()
        #expect(socks.received([5, 0]) == .send([5, 1, 0, 4] + [UInt8](repeating: 0, count: 15) + [1, 0, 80]))
        #expect(socks.received([5, 0, 0, 4] + [UInt8](repeating: 0, count: 18)) == .established(rest: []))
    }

    @Test func `refusals have descriptions`() {
        func failure(_ answers: [UInt8]..., user: String? = nil) -> SOCKSHandshake.Action? {
            var socks = SOCKSHandshake(host: "a.test", port: 1, user: user, password: "x")
            _ = socks.begin()
            return answers.map { socks.received($0) }.last.flatMap(\.self)
        }
        #expect(failure([5, 0xFF]) == .failed(.notAdmitted("it requires a password, and none is configured")))
        #expect(failure([5, 2]) == .failed(.notAdmitted("it requires a password, and none is configured")))
        #expect(failure([5, 2], [1, 1], user: "ann") == .failed(.notAdmitted("the user name or password is wrong")))
        #expect(failure([5, 0], [5, 5, 0, 1, 0]) == .failed(.refused(code: 5)))
        #expect(failure([4, 0]) == .failed(.malformed("version 4")))
        #expect(failure([5, 0], [5, 0, 0, 9, 0]) == .failed(.malformed("address type 9")))
        var long = SOCKSHandshake(host: String(repeating: "a", count: 256), port: 1)
        #expect(long.begin() == .failed(.tooLong("host name")))
        var closed = SOCKSHandshake(host: "a", port: 1)
        _ = closed.begin()
        #expect(closed.closed() == .failed(.malformed("it closed the connection")))
    }
}
