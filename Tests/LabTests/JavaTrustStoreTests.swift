import Testing

@testable import Lab

/// The bytes of a store with a certificate of three bytes, field by field: Java refuses a store with a wrong length.
@Suite struct JavaTrustStoreTests {
    @Test func `a store holds the certificate of a PEM text`() {
        let pem = "Subject: lab\n-----BEGIN CERTIFICATE-----\nAQ\nID\n-----END CERTIFICATE-----\n"
        let head: [UInt8] = [0xFE, 0xED, 0xFE, 0xED, 0, 0, 0, 2, 0, 0, 0, 1]
        let entry: [UInt8] = [0, 0, 0, 2, 0, 9] + Array("crosswind".utf8) + Array(repeating: 0, count: 8)
        let certificate: [UInt8] = [0, 5] + Array("X.509".utf8) + [0, 0, 0, 3, 1, 2, 3]
        #expect(
            JavaTrustStore.contents(certificatePEM: pem)
                == head + entry + certificate + Array(repeating: 0, count: 20))
    }
}
