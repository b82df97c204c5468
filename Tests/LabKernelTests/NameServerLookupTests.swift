import Glibc
import InternetAddresses
import LabKernel
import NetworkMonitor
import Testing

/// A DNS server with one address on loopback, which replies a given number of times.
@Suite struct NameServerLookupTests {
    /// Replies to every query over TCP with `records` (their count and bytes) after the question, and this code.
    private func withServer(
        code: UInt8 = 0, records: (UInt8, [UInt8]) = (0, []), connections: Int = 1,
        _ body: (NameServerSettings) throws -> Void
    ) throws {
        let listener = try NetworkNamespace.current().listenTCP(on: SocketAddress(.loopbackV4, port: 0))
        let address = try listener.localAddress()
        let server = try DedicatedThread(name: "name-server") {
            let deadline = MonotonicClock.deadline(after: 20_000_000_000)
            for _ in 0..<connections {
                guard let ready = try? listener.withRaw({ try Poller.wait(for: $0, .readable, until: deadline) }),
                    !ready.isEmpty,
                    let connection = try? listener.accept()
                else { return }
                var question: [UInt8] = []
                while question.count < 2 || question.count < 2 + Int(question[1]) {
                    _ = try? connection.withRaw { try Poller.wait(for: $0, .readable, until: deadline) }
                    guard let piece = try? connection.receive(), !piece.isEmpty else { return }
                    question += piece
                }
                let message =
                    Array(question[2..<4]) + [0x80, 0x80 | code, 0, 1, 0, records.0, 0, 0, 0, 0] + question[14...]
                    + records.1
                // In two pieces, as TCP may deliver it.
                let whole = [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
                _ = try? connection.send(Array(whole.prefix(5)))
                _ = try? connection.send(Array(whole.dropFirst(5)))
            }
        }
        var settings = NameServerSettings(servers: [NameServerSettings.Server(address)])
        settings.usesTCP = true
        settings.timeout = 10
        settings.attempts = 1
        try body(settings)
        withExtendedLifetime(server) {}
    }

    private static let address: (UInt8, [UInt8]) = (1, [0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 192, 0, 2, 1])

    @Test func `a reply in pieces is read by a socket bound to an interface`() throws {
        try withServer(records: Self.address) { settings in
            let found = try NameServerLookup.addresses(of: "a.test", v6: false, settings: settings) { _ in
                .interface("lo")
            }
            #expect(found == [.v4(0xC000_0201)])
        }
    }

    @Test(arguments: [(UInt8(3), HostLookupError.noSuchName), (0, .noAddress), (2, .unanswered), (5, .unanswered)])
    func `each response code has its error`(code: UInt8, error: HostLookupError) throws {
        try withServer(code: code) { settings in
            #expect(throws: error) {
                try NameServerLookup.addresses(of: "a.test", v6: false, settings: settings) { _ in .loopback }
            }
        }
    }

    @Test func `a name missing in one search domain is tried in the next`() throws {
        try withServer(code: 3, connections: 2) { settings in
            var settings = settings
            settings.search = ["lab.test"]
            #expect(throws: HostLookupError.noSuchName) {
                try NameServerLookup.addresses(of: "printer", v6: false, settings: settings) { _ in .loopback }
            }
        }
    }

    @Test func `a server without an allowed interface is skipped`() throws {
        try withServer(records: Self.address) { settings in
            let forbidden = NameServerSettings.Server(SocketAddress(.v4(0xC000_0235), port: 53))
            var settings = settings
            settings.servers.insert(forbidden, at: 0)
            let start = MonotonicClock.now()
            let found = try NameServerLookup.addresses(of: "a.test", v6: false, settings: settings) {
                $0 == forbidden ? .none : .loopback
            }
            #expect(found == [.v4(0xC000_0201)])
            #expect(MonotonicClock.now() - start < 5_000_000_000)
        }
    }

    @Test func `a missing interface and a refusing port count as unanswered`() throws {
        // Port 9 of loopback lacks a listener: the refusal comes immediately, over UDP and TCP.
        var settings = NameServerSettings(servers: [NameServerSettings.Server(SocketAddress(.loopbackV4, port: 9))])
        settings.attempts = 1
        for usesTCP in [false, true] {
            settings.usesTCP = usesTCP
            #expect(throws: HostLookupError.unanswered) {
                try NameServerLookup.addresses(of: "a.test", v6: false, settings: settings) { _ in .loopback }
            }
        }
        #expect(throws: HostLookupError.unanswered) {
            try NameServerLookup.addresses(of: "a.test", v6: false, settings: settings) { _ in .interface("nowhere0") }
        }
        #expect(throws: HostLookupError.unanswered) {
            try NameServerLookup.addresses(of: "a.test", v6: false, settings: settings) { _ in .none }
        }
    }
}
