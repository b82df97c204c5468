import Glibc
import InternetAddresses
import LabKernel
import NetworkMonitor
import Testing

extension KernelTests {
    struct NamespaceSocketsTests {
        @Test(arguments: [(IPAddress.anyV4, Cable.far4), (.anyV6, Cable.far6)])
        func `a connection crosses from one namespace to the other`(bound: IPAddress, destination: IPAddress) throws {
            let cable = try Cable()
            let listener = try cable.far.listenTCP(on: SocketAddress(bound, port: 0))
            let port = try listener.localAddress().port
            let client = try cable.near.connectTCP(to: SocketAddress(destination, port: port))
            let deadline = MonotonicClock.deadline(after: milliseconds(2_000))
            let ready = try client.withRaw { try Poller.wait(for: $0, .writable, until: deadline) }
            #expect(ready == .writable)
            let refused = client.pendingError()
            #expect(refused == nil)
            let server = try taken(try listener.accept())
            let sent = try client.send([1, 2, 3])
            #expect(sent == 3)
            _ = try server.withRaw { try Poller.wait(for: $0, .readable, until: deadline) }
            let received = try server.receive()
            #expect(received == [1, 2, 3])
        }

        @Test func `a port without a listener refuses`() throws {
            let cable = try Cable()
            let client = try cable.near.connectTCP(to: SocketAddress(Cable.far4, port: 9))
            let deadline = MonotonicClock.deadline(after: milliseconds(2_000))
            _ = try client.withRaw { try Poller.wait(for: $0, .writable, until: deadline) }
            let refused = client.pendingError()
            #expect(refused?.errno == ECONNREFUSED)
        }

        @Test(arguments: [true, false])
        func `a socket with reset on close sends a RST, another a FIN`(armed: Bool) throws {
            let namespace = try NetworkNamespace.make()
            let listener = try namespace.listenTCP(on: SocketAddress(.loopbackV4, port: 0))
            let client = try namespace.connectTCP(to: try listener.localAddress())
            let deadline = MonotonicClock.deadline(after: milliseconds(2_000))
            _ = try listener.withRaw { try Poller.wait(for: $0, .readable, until: deadline) }
            do {
                let server = try taken(try listener.accept())
                if armed { try server.resetOnClose() }
            }
            _ = try client.withRaw { try Poller.wait(for: $0, .readable, until: deadline) }
            var reset: SystemCallError?
            var bytes: [UInt8]?
            do { bytes = try client.receive() } catch { reset = error }
            #expect(reset == (armed ? SystemCallError(call: "read", errno: ECONNRESET) : nil))
            #expect(bytes == (armed ? nil : []))
        }

        @Test func `an address of another namespace cannot be bound`() throws {
            let cable = try Cable()
            #expect(throws: SystemCallError(call: "bind", errno: EADDRNOTAVAIL, context: "10.0.0.2:80")) {
                _ = try cable.near.listenTCP(on: SocketAddress(Cable.far4, port: 80))
            }
        }
    }
}
