import InternetAddresses
import NetworkMonitor
import LabKernel

/// Replies to each byte of one TCP connection with a byte, on its own thread.
struct TCPPeer {
    let address: SocketAddress
    private let thread: DedicatedThread

    init(in namespace: NetworkNamespace, at own: IPAddress) throws {
        let box = Listener(socket: try namespace.listenTCP(on: SocketAddress(own, port: 0)))
        address = try box.socket.localAddress()
        thread = try DedicatedThread(name: "bench-echo") { box.serve() }
    }

    /// Waits for the end of the connection.
    func finish() { withExtendedLifetime(thread) {} }

    private final class Listener: Sendable {
        let socket: OwnedDescriptor
        init(socket: consuming OwnedDescriptor) { self.socket = socket }

        func serve() {
            let end = MonotonicClock.deadline(after: 20_000_000_000)
            var buffer = [UInt8](repeating: 0, count: 64)
            // The other end then gets fewer replies than it expects, which is visible in the result.
            do throws(SystemCallError) {
                try Poller.minimizeTimerSlack()
                let listening = socket.withRaw { $0 }
                _ = try Poller.wait(for: listening, .readable, until: end)
                guard let connection = try socket.accept() else { return }
                let raw = connection.withRaw { $0 }
                while MonotonicClock.now() < end {
                    guard let count = try connection.receive(into: &buffer) else {
                        _ = try Poller.wait(for: raw, .readable, until: end)
                        continue
                    }
                    if count == 0 { return }
                    _ = try connection.send([buffer[0]])
                }
            } catch {}
        }
    }

    /// Returns the microseconds of each round trip, one after the other.
    static func roundTrips(from namespace: NetworkNamespace, to address: SocketAddress, count: Int64) throws -> [Double]
    {
        let connection = try namespace.connectTCP(to: address)
        let raw = connection.withRaw { $0 }
        let patience: Int64 = 2_000_000_000
        _ = try Poller.wait(for: raw, .writable, until: MonotonicClock.deadline(after: patience))
        var buffer = [UInt8](repeating: 0, count: 64)
        var trips: [Double] = []
        for number in 0..<count {
            let begun = MonotonicClock.now()
            _ = try connection.send([UInt8(truncatingIfNeeded: number)])
            _ = try Poller.wait(for: raw, .readable, until: MonotonicClock.deadline(after: patience))
            guard try connection.receive(into: &buffer) != nil else { continue }
            trips.append(Double(MonotonicClock.now() - begun) / 1_000)
        }
        return trips
    }
}
