internal import COpenSSL

/// One reference to an OpenSSL certificate.
@safe package struct OwnedCertificate: ~Copyable {
    package let pointer: OpaquePointer

    /// Takes over a reference from the caller.
    package init(adopting pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe X509_free(pointer) }

    package static func parse(der: [UInt8]) throws(TLSError) -> OwnedCertificate {
        ErrorQueue.clear()
        let pointer = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_X509(nil, &next, bytes.count)
        }
        guard let pointer = unsafe pointer else { throw ErrorQueue.error("reading a certificate") }
        return unsafe OwnedCertificate(adopting: pointer)
    }

    package func der() throws(TLSError) -> [UInt8] {
        ErrorQueue.clear()
        let length = unsafe i2d_X509(pointer, nil)
        guard length > 0 else { throw ErrorQueue.error("encoding a certificate") }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { bytes, count in
            var next = bytes.baseAddress
            count = unsafe Int(i2d_X509(pointer, &next))
        }
    }
}
