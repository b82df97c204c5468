import OpenSSLTLS
import TLSTestKit
import Testing

/// RFC 9525 §6.3: the names that a certificate is valid for. Each pair is judged by a handshake and by the authority's
/// own verification.
struct ServerNameTests {
    struct Case: Sendable, CustomStringConvertible {
        var names: [String] = []
        var addresses: [String] = []
        var commonName = "someone"
        var server: String

        var description: String { "\(server) with \(names + addresses), subject \(commonName)" }
    }

    private func request(_ one: Case) -> CertificateRequest {
        CertificateRequest(commonName: one.commonName, dnsNames: one.names, addresses: one.addresses)
    }

    private func isAccepted(_ one: Case) throws -> Bool {
        let identity = try ConnectionPair.authority.get().issue(request(one))
        let pair = try ConnectionPair(
            server: .server(ServerTLSOptions(identity: identity)),
            client: .client(ClientTLSOptions(trust: ConnectionPair.trust())),
            serverName: one.server)
        pair.pump()
        let isVerified = (try? ConnectionPair.authority.get().verify(identity, serverName: one.server)) != nil
        #expect(isVerified == (pair.clientInfo != nil), "the two verifications disagree")
        return pair.clientInfo != nil
    }

    @Test(arguments: [
        Case(names: ["origin.test"], server: "origin.test"),
        Case(names: ["ORIGIN.Test"], server: "origin.test"),
        Case(names: ["origin.test"], server: "Origin.TEST"),
        Case(names: ["origin.test"], server: "origin.test."),
        Case(names: ["*.wild.test"], server: "good.wild.test"),
        Case(names: ["*.WILD.test"], server: "GOOD.wild.test"),
        Case(names: ["*.wild.test"], server: "xn--bcher-kva.wild.test"),
        Case(names: ["xn--bcher-kva.wild.test"], server: "xn--bcher-kva.wild.test"),
        Case(names: ["other.test", "g*.wild.test", "good.wild.test"], server: "good.wild.test"),
        Case(addresses: ["10.0.0.1"], server: "10.0.0.1"),
        Case(addresses: ["fd00::1"], server: "fd00:0::1"),
    ])
    func `a name, a whole label and an address are matched`(one: Case) throws {
        #expect(try isAccepted(one))
    }

    @Test(arguments: [
        // A part of a label, which RFC 9525 no longer allows.
        Case(names: ["g*.wild.test"], server: "good.wild.test"),
        Case(names: ["*d.wild.test"], server: "good.wild.test"),
        Case(names: ["g*d.wild.test"], server: "good.wild.test"),
        Case(names: ["good*.wild.test"], server: "good.wild.test"),
        Case(names: ["xn--*.wild.test"], server: "xn--bcher-kva.wild.test"),
        Case(names: ["xn--bcher-*.wild.test"], server: "xn--bcher-kva.wild.test"),
        // A wildcard covers exactly one label, the first one, with two labels after it.
        Case(names: ["*.wild.test"], server: "wild.test"),
        Case(names: ["*.wild.test"], server: "a.b.wild.test"),
        Case(names: ["a.*.test"], server: "a.wild.test"),
        Case(names: ["*.*.test"], server: "a.wild.test"),
        Case(names: ["*.test"], server: "origin.test"),
        Case(names: ["*"], server: "origin.test"),
        Case(names: ["*"], server: "localhost"),
        Case(names: ["**.wild.test"], server: "good.wild.test"),
        // An address is not a name, and a name is not an address.
        Case(names: ["10.0.0.1"], server: "10.0.0.1"),
        Case(names: ["*.0.0.1"], server: "10.0.0.1"),
        Case(addresses: ["10.0.0.1"], server: "10.0.0.2"),
        Case(commonName: "10.0.0.1", server: "10.0.0.1"),
        // The subject does not count, with other names and without.
        Case(commonName: "origin.test", server: "origin.test"),
        Case(names: ["other.test"], commonName: "origin.test", server: "origin.test"),
        Case(addresses: ["10.0.0.1"], commonName: "origin.test", server: "origin.test"),
        Case(names: ["origin.test."], server: "origin.test"),
        Case(names: ["good.wild.test"], server: "wild.test"),
    ])
    func `no other name or address matches`(one: Case) throws {
        #expect(try !isAccepted(one))
    }

    /// OpenSSL verifies no name for an empty name, and accepts every subdomain for a name with a leading dot.
    @Test(arguments: [
        "", ".", ".wild.test", "a..wild.test", "good.wild.test..", "\0", "\0good.wild.test",
        "good.wild.test\0.evil.test",
    ])
    func `a name with an empty label or a zero byte is rejected`(name: String) throws {
        let client = try TLSContext.client(ClientTLSOptions(trust: ConnectionPair.trust()))
        #expect(throws: TLSError.self) { try TLSConnection(client: client, serverName: name) }
        let identity = try ConnectionPair.authority.get().issue(
            CertificateRequest(commonName: "x", dnsNames: ["*.wild.test", "good.wild.test"]))
        #expect(throws: TLSError.self) { try ConnectionPair.authority.get().verify(identity, serverName: name) }
    }
}
