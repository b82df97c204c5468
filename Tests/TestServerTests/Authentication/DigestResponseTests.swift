import OpenSSLTLS
import ScenarioLanguage
import Testing

@testable import TestServer

/// The worked examples of RFC 7616 §3.9 and RFC 2069 §2.4; for cases without an example, the same formulas written out.
struct DigestResponseTests {
    private func response(_ algorithm: AuthenticationPlan.Digest.Algorithm) -> DigestResponse {
        DigestResponse(
            algorithm: algorithm, user: "Mufasa", realm: "http-auth@example.org", password: "Circle of Life",
            method: "GET",
            uri: "/dir/index.html", nonce: "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nonceCount: "00000001",
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
    }

    @Test func `MD5 gives the RFC's response`() {
        #expect(response(.md5).value == "8ca523f5e9506fed4657c9700eebdbec")
    }

    @Test func `SHA-256 gives the RFC's response`() {
        #expect(response(.sha256).value == "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1")
    }

    /// The names of §3.9.2, whose values there belong to another digest (erratum 4897 has the hashed name); the
    /// response was computed with Python's hashlib.
    @Test func `SHA-512-256 gives the erratum's hashed name and another program's response`() {
        let response = DigestResponse(
            algorithm: .sha512t256, user: "J\u{E4}s\u{F8}n Doe", realm: "api@example.org", password: "Secret, or not?",
            method: "GET", uri: "/doe.json", nonce: "5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK",
            nonceCount: "00000001",
            clientNonce: "NTg6RKcb9boFIAS3KrFK9BGeh+niz/sm")
        #expect(response.userHash == "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b")
        #expect(response.value == "7a4e1192babbba02e91182d2895bfdbf7adafc6e48d4e517ca301974843d840c")
    }

    /// The example of RFC 2069 §2.4 as corrected by its erratum.
    @Test func `without qop the response is RFC 2069's`() {
        let response = DigestResponse(
            algorithm: .md5, user: "Mufasa", realm: "testrealm@host.com", password: "CircleOfLife", method: "GET",
            uri: "/dir/index.html", nonce: "dcd98b7102dd2f0e8b11d0f600bfb0c093", nonceCount: "", clientNonce: "",
            quality: nil)
        #expect(response.value == "1949323746fe6a43ef61f9606e7febea")
    }

    @Test func `the session variant adds both nonces to the secret, and auth-int the body to the request`() {
        func md5(_ text: String) -> String { Digests.hexadecimal(Digests.md5(Array(text.utf8))) }
        var response = response(.md5Session)
        let inner = md5("Mufasa:http-auth@example.org:Circle of Life")
        let secret = md5("\(inner):\(response.nonce):\(response.clientNonce)")
        let middle = "\(response.nonce):00000001:\(response.clientNonce)"
        #expect(response.value == md5("\(secret):\(middle):auth:\(md5("GET:/dir/index.html"))"))
        response.quality = .integrity
        response.bodyDigest = Digests.md5(Array("body".utf8))
        #expect(response.value == md5("\(secret):\(middle):auth-int:\(md5("GET:/dir/index.html:\(md5("body"))"))"))
        #expect(response.value != self.response(.md5).value)
    }

    @Test func `a name in the extended form is decoded`() {
        #expect(ExtendedParameterValue.decode("UTF-8''J%C3%A4s%C3%B8n%20Doe") == "J\u{E4}s\u{F8}n Doe")
        for text in ["J", "ISO-8859-1''a", "UTF-8''%C", "UTF-8''%zz", "UTF-8''%FF"] {
            #expect(ExtendedParameterValue.decode(text) == nil)
        }
    }
}
