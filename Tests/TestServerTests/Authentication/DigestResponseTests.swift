import Scenario
import Testing

@testable import TestServer

/// The worked example of RFC 7616 §3.9.1, both algorithms.
struct DigestResponseTests {
    private func response(_ algorithm: AuthenticationPlan.DigestAlgorithm) -> String {
        DigestResponse(
            algorithm: algorithm, user: "Mufasa", realm: "http-auth@example.org", password: "Circle of Life", method: "GET",
            uri: "/dir/index.html", nonce: "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", nonceCount: "00000001",
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
        ).value
    }

    @Test func `MD5 gives the RFC's answer`() {
        #expect(response(.md5) == "8ca523f5e9506fed4657c9700eebdbec")
    }

    @Test func `SHA-256 gives the RFC's answer`() {
        #expect(response(.sha256) == "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1")
    }
}
