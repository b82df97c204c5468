internal import COpenSSL

/// One reference to an OpenSSL certificate.
@safe struct OwnedCertificate: ~Copyable {
    let pointer: OpaquePointer

    /// Takes over a reference from the caller.
    init(adopting pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe X509_free(pointer) }

    static func make() throws(TLSError) -> OwnedCertificate {
        ErrorQueue.clear()
        guard let pointer = unsafe X509_new() else { throw ErrorQueue.error("creating a certificate") }
        return unsafe OwnedCertificate(adopting: pointer)
    }

    static func parse(der: [UInt8]) throws(TLSError) -> OwnedCertificate {
        ErrorQueue.clear()
        let pointer = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_X509(nil, &next, bytes.count)
        }
        guard let pointer = unsafe pointer else { throw ErrorQueue.error("reading a certificate") }
        return unsafe OwnedCertificate(adopting: pointer)
    }

    func der() throws(TLSError) -> [UInt8] {
        ErrorQueue.clear()
        let length = unsafe i2d_X509(pointer, nil)
        guard length > 0 else { throw ErrorQueue.error("encoding a certificate") }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { bytes, count in
            var next = bytes.baseAddress
            count = unsafe Int(i2d_X509(pointer, &next))
        }
    }

    func pem() throws(TLSError) -> String {
        let memory = try MemoryBIO()
        guard unsafe PEM_write_bio_X509(memory.pointer, pointer) == 1 else {
            throw ErrorQueue.error("writing a certificate as PEM")
        }
        return memory.text()
    }

    /// Returns 8 hexadecimal digits: the file name, without `.0`, in a hashed directory.
    func subjectHash() -> String {
        let digits = unsafe String(X509_subject_name_hash(pointer) & 0xffff_ffff, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
