internal import COpenSSL

/// The certificates in a PEM text.
package enum PEMCertificates {
    package static func read(_ pem: String) throws(TLSError) -> [[UInt8]] {
        let memory = try MemoryBIO.holding(pem)
        var found: [[UInt8]] = []
        while let pointer = unsafe PEM_read_bio_X509(memory.pointer, nil, nil, nil) {
            found.append(try unsafe OwnedCertificate(adopting: pointer).der())
        }
        // OpenSSL reports the end of the text as an error.
        ErrorQueue.clear()
        guard !found.isEmpty else {
            throw .invalid(
                what: "the trust roots", found: String(pem.prefix(40)), allowed: "PEM with at least one certificate")
        }
        return found
    }
}
