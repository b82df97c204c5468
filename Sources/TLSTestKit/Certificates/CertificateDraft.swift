internal import COpenSSL
internal import Glibc
import InternetAddresses
import OpenSSLTLS

/// A certificate without its signature.
@safe struct CertificateDraft: ~Copyable {
    private let certificate: OwnedCertificate

    init(subject: String, key: borrowing OwnedKey, validity: CertificateValidity) throws(TLSError) {
        let certificate = try OwnedCertificate.make()
        let x509 = unsafe certificate.pointer
        let now = Int64(time(nil))
        // 63 random bits: unique and positive (RFC 5280 §4.1.2.2).
        let serial = UInt64.random(in: 1..<1 << 63)
        ErrorQueue.clear()
        let name = Array(subject.utf8)
        // Version 3 is written as 2 (RFC 5280 §4.1.2.1).
        guard unsafe X509_set_version(x509, 2) == 1,
            unsafe ASN1_INTEGER_set_uint64(X509_get_serialNumber(x509), serial) == 1,
            unsafe cw_certificate_set_validity(
                x509, now + validity.notBefore.components.seconds, now + validity.notAfter.components.seconds) == 1,
            unsafe X509_set_pubkey(x509, key.pointer) == 1,
            unsafe cw_name_add(X509_get_subject_name(x509), "O", Array("Crosswind".utf8), 9) == 1,
            unsafe cw_name_add(X509_get_subject_name(x509), "CN", name, CInt(name.count)) == 1
        else { throw ErrorQueue.error("filling in the certificate of '\(subject)'") }
        self.certificate = certificate
    }

    /// Marks the certificate as an authority. `issuer` nil means that it signs itself.
    func markAuthority(pathLength: Int, issuedBy issuer: OpaquePointer?) throws(TLSError) {
        try unsafe add(NID_basic_constraints, "critical,CA:TRUE,pathlen:\(pathLength)", issuer)
        try unsafe add(NID_key_usage, "critical,keyCertSign,cRLSign", issuer)
        try unsafe add(NID_subject_key_identifier, "hash", issuer)
        if unsafe issuer != nil { try unsafe add(NID_authority_key_identifier, "keyid:always", issuer) }
    }

    func markEndEntity(_ request: CertificateRequest, issuedBy issuer: OpaquePointer?) throws(TLSError) {
        try unsafe add(NID_basic_constraints, "critical,CA:FALSE", issuer)
        try unsafe add(
            NID_key_usage,
            request.key == .p256 ? "critical,digitalSignature" : "critical,digitalSignature,keyEncipherment", issuer)
        switch request.usage {
        case .server: try unsafe add(NID_ext_key_usage, "serverAuth", issuer)
        case .client: try unsafe add(NID_ext_key_usage, "clientAuth", issuer)
        }
        try unsafe add(NID_subject_key_identifier, "hash", issuer)
        if unsafe issuer != nil { try unsafe add(NID_authority_key_identifier, "keyid:always", issuer) }
        let names = try Self.alternativeNames(request)
        if !names.isEmpty { try unsafe add(NID_subject_alt_name, names.joined(separator: ","), issuer) }
    }

    /// Signs the draft. `issuer` nil means that `key` is the certificate's own.
    consuming func signed(issuer: OpaquePointer?, key: borrowing OwnedKey) throws(TLSError) -> OwnedCertificate {
        let x509 = unsafe certificate.pointer
        ErrorQueue.clear()
        guard unsafe X509_set_issuer_name(x509, X509_get_subject_name(issuer ?? x509)) == 1,
            unsafe X509_sign(x509, key.pointer, EVP_sha256()) > 0
        else { throw ErrorQueue.error("signing a certificate") }
        return certificate
    }

    private func add(_ nid: CInt, _ value: String, _ issuer: OpaquePointer?) throws(TLSError) {
        ErrorQueue.clear()
        let x509 = unsafe certificate.pointer
        guard unsafe cw_certificate_add_extension(x509, issuer ?? x509, nid, value) == 1 else {
            throw ErrorQueue.error("adding the extension '\(value)'")
        }
    }

    /// Returns the subject alternative names. OpenSSL reads them from one text with commas, so their characters are
    /// checked first.
    private static func alternativeNames(_ request: CertificateRequest) throws(TLSError) -> [String] {
        var names: [String] = []
        for name in request.dnsNames {
            let fits = name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "*"),
                    UInt8(ascii: "_"):
                    true
                default: false
                }
            }
            guard fits, !name.isEmpty else {
                throw .invalid(what: "a DNS name", found: name, allowed: "letters, digits, '.', '-', '_' and '*'")
            }
            names.append("DNS:\(name)")
        }
        for address in request.addresses {
            guard IPAddress(address) != nil else {
                throw .invalid(
                    what: "an address", found: address, allowed: "an IPv4 or IPv6 address such as 10.0.0.1 or fd00::1")
            }
            names.append("IP:\(address)")
        }
        return names
    }
}

extension OwnedCertificate {
    /// Creates an empty certificate.
    fileprivate static func make() throws(TLSError) -> OwnedCertificate {
        ErrorQueue.clear()
        guard let pointer = unsafe X509_new() else { throw ErrorQueue.error("creating a certificate") }
        return unsafe OwnedCertificate(adopting: pointer)
    }
}
