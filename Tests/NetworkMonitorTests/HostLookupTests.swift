import InternetAddresses
import NetworkMonitor
import Testing

/// Uses only names that the machine itself resolves: the tests send no DNS queries.
@Suite struct HostLookupTests {
    @Test func `localhost resolves, and an address resolves to itself`() throws {
        #expect(try HostLookup.addresses(of: "localhost", v6: false) == [.loopbackV4])
        #expect(try HostLookup.addresses(of: "127.0.0.1", v6: false) == [.loopbackV4])
        #expect(try HostLookup.addresses(of: "::1", v6: true) == [.loopbackV6])
    }

    @Test func `an address of the other family is rejected`() {
        #expect(throws: HostLookupError.noAddress) { try HostLookup.addresses(of: "127.0.0.1", v6: true) }
    }
}
