import OpenSSLTLS
import Testing

@testable import AdaptableSession

/// Vectors of RFC 7616 §3.9.1 and RFC 7617 §2; the others were made with Python's hashlib after RFC 7616 §3.4.
struct CredentialTextTests {
    private func challenge(_ parameters: [String: String]) throws -> DigestChallenge {
        try #require(
            DigestChallenge(ReceivedChallenge(scheme: "Digest", parameters: parameters)))
    }

    private static let mufasa = [
        "realm": "http-auth@example.org", "qop": "auth, auth-int",
        "nonce": "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v",
        "opaque": "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",
    ]

    private func response(_ challenge: DigestChallenge, quality: DigestChallenge.Quality? = .authentication)
        -> DigestResponse
    {
        DigestResponse(
            challenge: challenge, user: "Mufasa", password: "Circle of Life", method: "GET", uri: "/dir/index.html",
            quality: quality,
            count: 1, clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
    }

    @Test(arguments: [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func `the Digest response equals that of the RFC`(algorithm: String, response: String) throws {
        let answer = self.response(try challenge(Self.mufasa.merging(["algorithm": algorithm]) { $1 }))
        #expect(answer.response == response)
        #expect(
            answer.text
                == #"username="Mufasa", realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", "#
                + #"uri="/dir/index.html", response="\#(response)", algorithm=\#(algorithm), "#
                + #"opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", qop=auth, nc=00000001, "#
                + #"cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ""#)
    }

    @Test func `the hashed user name equals that of the RFC`() throws {
        let challenge = try challenge([
            "realm": "api@example.org", "qop": "auth", "algorithm": "SHA-512-256", "userhash": "true",
            "nonce": "5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK",
        ])
        let answer = DigestResponse(
            challenge: challenge, user: "J\u{E4}s\u{F8}n Doe", password: "Secret, or not?", method: "GET",
            uri: "/doe.json",
            quality: .authentication, count: 1, clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm")
        // RFC 7616 §3.9.2 prints a truncated SHA-512, which differs from SHA-512/256; these values come from hashlib.
        #expect(answer.userHash == "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b")
        #expect(answer.response == "7a4e1192babbba02e91182d2895bfdbf7adafc6e48d4e517ca301974843d840c")
        #expect(answer.text.contains("userhash=true"))
        var plain = answer
        plain.challenge.acceptsUserHash = false
        #expect(plain.text.hasPrefix("username*=UTF-8''J%C3%A4s%C3%B8n%20Doe, "))
        #expect(!plain.text.contains("userhash"))
    }

    @Test func `Digest without qop has neither a count nor a client nonce`() throws {
        var parameters = Self.mufasa
        parameters["qop"] = nil
        let text = response(try challenge(parameters), quality: nil).text
        #expect(text.contains("response=\"7b2cc3b30e75b4777ea31027084363fd\""))
        #expect(
            !text.contains("cnonce") && !text.contains("nc=") && !text.contains("qop") && !text.contains("algorithm"))
    }

    @Test func `auth-int hashes the body and a session algorithm hashes its nonces`() throws {
        var integrity = response(try challenge(Self.mufasa), quality: .integrity)
        integrity.bodyDigest = Digests.md5(Array("a=1".utf8))
        #expect(integrity.response != response(try challenge(Self.mufasa)).response)
        var other = integrity
        other.bodyDigest = Digests.md5(Array("a=2".utf8))
        #expect(integrity.response != other.response)
        let session = response(try challenge(Self.mufasa.merging(["algorithm": "MD5-sess"]) { $1 }))
        #expect(session.response == "e783283f46242139c486a698fec7211d")
    }

    @Test(arguments: [
        ["realm": "r"], ["nonce": "n"], ["realm": "r", "nonce": "n", "algorithm": "SHA-1"],
        ["realm": "r", "nonce": "n", "qop": "other"],
    ])
    func `a Digest challenge that is not supported is ignored`(parameters: [String: String]) {
        #expect(
            DigestChallenge(ReceivedChallenge(scheme: "Digest", parameters: parameters)) == nil)
    }

    @Test func `Basic encodes user, colon and password in UTF-8 and normalization form C`() {
        #expect(BasicCredentials.text(user: "Aladdin", password: "open sesame") == "QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
        #expect(BasicCredentials.text(user: "test", password: "123\u{A3}") == "dGVzdDoxMjPCow==")
        #expect(
            BasicCredentials.text(user: "e\u{301}", password: "") == BasicCredentials.text(user: "\u{E9}", password: "")
        )
        #expect(BasicCredentials.text(user: "a:b", password: "c") == nil)
        #expect(BasicCredentials.text(user: "a", password: "b\r\nX: y") == nil)
    }

    /// The values would be repeated in the credentials, which could not be sent then. HTTP/2 transmits them.
    @Test(arguments: ["realm", "nonce", "opaque"], ["a\u{B}b", "\u{7F}", "\u{0}", "a\u{1B}[0m"])
    func `a challenge with a control character in a value that has to be repeated is ignored`(
        name: String, text: String
    ) {
        var parameters = ["realm": "r", "nonce": "n", "opaque": "o"]
        #expect(DigestChallenge(ReceivedChallenge(scheme: "Digest", parameters: parameters)) != nil)
        parameters[name] = text
        #expect(DigestChallenge(ReceivedChallenge(scheme: "Digest", parameters: parameters)) == nil)
    }
}
