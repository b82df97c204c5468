import InternetAddresses
import Testing
@testable import LabKernel
@testable import NetworkMonitor

/// The kernel's list of connections, in a namespace without other connections.
@Suite(.enabled(if: Rootless.mayAdminister, "needs root: makes network namespaces"))
struct SocketTableTests {
    @Test func `a connection is listed from both ends with its byte counts`() throws {
        let namespace = try NetworkNamespace.make()
        let listener = try namespace.listenTCP(on: SocketAddress(.loopbackV4, port: 0))
        let place = try listener.localAddress()
        let table = try SocketTable(in: namespace)
        #expect(try table.tcp() == [])
        #expect(try table.tcp(listening: true).map(\.state) == [.listening])
        let client = try namespace.connectTCP(to: place)
        let ready = try client.withRaw { raw throws(SystemCallError) in
            try Poller.wait(for: raw, .writable, until: MonotonicClock.deadline(after: 2_000_000_000))
        }
        #expect(ready.contains(.writable))
        #expect(try client.send([UInt8](repeating: 7, count: 1000)) == 1000)
        let found = try table.tcp()
        #expect(found.map(\.state) == [.established, .established])
        let near = try #require(found.first { $0.remote == place })
        let far = try #require(found.first { $0.local == place })
        #expect(near.local == (try client.localAddress()) && far.remote == near.local)
        // Loopback acknowledges within the call. The SYN counts as a byte (a property of tcp_info).
        #expect(near.bytesAcknowledged == 1001)
        #expect(far.bytesReceived == 1000 && far.unread == 1000)
        #expect(near.roundTrip ?? 0 > 0 && near.retransmits == 0)
    }

    @Test func `IPv6 sockets are listed as such`() throws {
        let namespace = try NetworkNamespace.make()
        let listener = try namespace.listenTCP(on: SocketAddress(.loopbackV6, port: 0))
        let place = try listener.localAddress()
        let found = try SocketTable(in: namespace).tcp(listening: true)
        #expect(found.map(\.local) == [place])
    }
}
