import AdapterProtocol

/// The parameters, other than the version, that a completed handshake negotiated.
package struct TLSAgreement: Hashable, Sendable {
    /// The cipher suite by its OpenSSL name.
    package var cipher: String
    /// The application protocol; nil when none was negotiated.
    package var alpn: String?
    package var isResumed: Bool
    package var earlyData: EarlyData
    /// The subject of the origin's certificate, in the format of RFC 2253.
    package var certificate: String?
    /// The subject of the client's certificate; nil if it sent none.
    package var clientCertificate: String?

    /// The result of the client's early data (RFC 8446 §4.2.10).
    package enum EarlyData: String, CaseIterable, Hashable, Sendable { case notSent, refused, accepted }

    package init(
        cipher: String, alpn: String? = nil, isResumed: Bool = false, earlyData: EarlyData = .notSent,
        certificate: String? = nil,
        clientCertificate: String? = nil
    ) {
        self.cipher = cipher
        self.alpn = alpn
        self.isResumed = isResumed
        self.earlyData = earlyData
        self.certificate = certificate
        self.clientCertificate = clientCertificate
    }
}

extension TLSAgreement {
    func write(to object: RecordObject) -> RecordObject {
        object.with("cipher", cipher).with("alpn", alpn).with("resumed", isResumed ? "yes" : "no").with(
            "earlyData", earlyData.rawValue
        )
        .with("certificate", certificate).with("clientCertificate", clientCertificate)
    }

    init(_ fields: RecordFields) throws(RecordError) {
        self.init(
            cipher: try fields.text("cipher"), alpn: try fields.optional("alpn", fields.text),
            isResumed: try fields.text("resumed") == "yes", earlyData: try fields.word("earlyData"),
            certificate: try fields.optional("certificate", fields.text),
            clientCertificate: try fields.optional("clientCertificate", fields.text))
    }

    package var description: String {
        var parts = [cipher, alpn ?? "no ALPN"]
        if isResumed { parts.append("resumed") }
        if earlyData != .notSent { parts.append("early data \(earlyData.rawValue)") }
        if let certificate { parts.append("showing \(certificate)") }
        parts.append(clientCertificate.map { "client certificate \($0)" } ?? "no client certificate")
        return parts.joined(separator: ", ")
    }
}
