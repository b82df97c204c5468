import LabKernel
import Testing

@testable import Lab

/// A certificate of three bytes, whose stores are compared byte by byte: Java refuses a store with a wrong length, and a
/// browser silently ignores a policy that is not valid.
@Suite struct TrustStoresTests {
    private let pem = "Subject: lab\n-----BEGIN CERTIFICATE-----\nAQ\nID\n-----END CERTIFICATE-----\n"

    @Test func `Java's store holds the certificate of a PEM text`() {
        let head: [UInt8] = [0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2, 0, 0, 0, 1]
        let entry: [UInt8] = [0, 0, 0, 2, 0, 9] + Array("crosswind".utf8) + Array(repeating: 0, count: 8)
        let certificate: [UInt8] = [0, 5] + Array("X.509".utf8) + [0, 0, 0, 3, 1, 2, 3]
        #expect(
            JavaTrustStore.contents(certificatePEM: pem)
                == head + entry + certificate + Array(repeating: 0, count: 20))
    }

    @Test func `the browsers' policy holds the certificate in one line`() {
        let policies = BrowserPolicy.overlays(certificatePEM: pem).map { overlay -> [String: String] in
            guard case .directory(_, let files, _) = overlay else { return [:] }
            return files.mapValues { String(decoding: $0, as: UTF8.self) }
        }
        let expected = ["policies/managed/crosswind.json": "{\"CACertificates\": [\"AQID\"]}\n"]
        #expect(policies == [expected, expected])
    }
}
