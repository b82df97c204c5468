import Foundation
import InternetAddresses
import LabKernel
import NetworkMonitor

/// The benchmark's own end inside a peer's shell: sends a stream, or measures round trips, towards the benchmark
/// outside.
struct PeerEnd {
    private enum Role { case streams, pings }
    private let role: Role
    private let target: SocketAddress
    /// The nanoseconds to send for, or the number of round trips.
    private let amount: Int64

    /// Parses `--stream-to ADDRESS PORT NANOSECONDS` or `--ping ADDRESS PORT COUNT`; nil for any other command line.
    init?(_ arguments: ArraySlice<String>) throws {
        let words = Array(arguments)
        guard words.count == 4, let role: Role = ["--stream-to": .streams, "--ping": .pings][words[0]] else {
            return nil
        }
        guard let port = UInt16(words[2]), let amount = Int64(words[3]) else {
            throw BenchOptions.Misuse.unknown(words[2])
        }
        self.role = role
        self.amount = amount
        target = SocketAddress(try IPAddress.required(words[1]), port: port)
    }

    func play() throws {
        switch role {
        case .streams: try stream()
        case .pings: try ping()
        }
    }

    private func stream() throws {
        let here = try NetworkNamespace.current()
        let connection = try here.connectTCP(to: target)
        let raw = connection.withRaw { $0 }
        let end = MonotonicClock.deadline(after: amount)
        _ = try Poller.wait(for: raw, .writable, until: end)
        let block = [UInt8](repeating: 0x5A, count: 256 * 1024)
        // The benchmark outside stops reading first, which ends the connection.
        do throws(SystemCallError) {
            while MonotonicClock.now() < end {
                if try connection.send(block) == nil { _ = try Poller.wait(for: raw, .writable, until: end) }
            }
        } catch {}
    }

    /// Prints the round trips in microseconds, one per line.
    private func ping() throws {
        for trip in try TCPPeer.roundTrips(from: try NetworkNamespace.current(), to: target, count: amount) {
            print(trip)
        }
    }
}
