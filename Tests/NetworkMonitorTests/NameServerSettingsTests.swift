import InternetAddresses
import NetworkMonitor
import Testing

/// The rules of resolv.conf(5) for `search`, `ndots` and `timeout`.
@Suite struct NameServerSettingsTests {
    private var settings: NameServerSettings {
        var settings = NameServerSettings(servers: [
            NameServerSettings.Server(SocketAddress(.v4(1), port: 53)),
            NameServerSettings.Server(SocketAddress(.v4(2), port: 53)),
        ])
        settings.search = ["lab.test", "test"]
        return settings
    }

    @Test func `a short name is tried with the search domains first, a long one unchanged`() {
        #expect(settings.candidates(for: "printer") == ["printer.lab.test", "printer.test", "printer"])
        #expect(settings.candidates(for: "www.example") == ["www.example", "www.example.lab.test", "www.example.test"])
        #expect(settings.candidates(for: "printer.") == ["printer."])
        var patient = settings
        patient.dots = 2
        #expect(patient.candidates(for: "www.example").last == "www.example")
    }

    @Test func `the timeouts of all servers together are about twice that of one`() {
        #expect(settings.timeout(with: 0) == 5_000_000_000)
        #expect(settings.timeout(with: 1) == 5_000_000_000)
        var hasty = settings
        hasty.timeout = 1
        #expect(hasty.timeout(with: 1) == 1_000_000_000)
    }

    @Test func `this machine's settings can be read`() throws {
        let read = try NameServerSettings.read()
        #expect(read.timeout >= 1 && read.attempts >= 1)
        #expect(read.servers.allSatisfy { $0.address.port == 53 })
    }
}
