internal import COpenSSL

/// One reference to an OpenSSL certificate.
@safe struct OwnedCertificate: ~Copyable {
    let pointer: OpaquePointer

    /// Takes over a reference that the caller holds.
    init(adopting pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe X509_free(pointer) }

    static func make() throws(TLSError) -> OwnedCertificate {
        ErrorQueue.clear()
        guard let pointer = unsafe X509_new() else { throw ErrorQueue.error("making a certificate") }
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
        let memory = try MemoryText()
        guard unsafe PEM_write_bio_X509(memory.pointer, pointer) == 1 else {
            throw ErrorQueue.error("writing a certificate as PEM")
        }
        return memory.text()
    }

    /// 8 hexadecimal digits: the file name, less `.0`, under which a hashed directory is searched.
    func subjectHash() -> String {
        let digits = unsafe String(X509_subject_name_hash(pointer) & 0xffff_ffff, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

/// One reference to an OpenSSL key pair.
@safe struct OwnedKey: ~Copyable {
    let pointer: OpaquePointer

    init(adopting pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// P-256: every TLS client of today takes it, and it is made in well under a millisecond.
    static func make() throws(TLSError) -> OwnedKey {
        ErrorQueue.clear()
        guard let pointer = unsafe cw_key_new_p256() else { throw ErrorQueue.error("making a P-256 key") }
        return unsafe OwnedKey(adopting: pointer)
    }

    static func parse(der: [UInt8]) throws(TLSError) -> OwnedKey {
        ErrorQueue.clear()
        let pointer = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_AutoPrivateKey(nil, &next, bytes.count)
        }
        guard let pointer = unsafe pointer else { throw ErrorQueue.error("reading a private key") }
        return unsafe OwnedKey(adopting: pointer)
    }

    func der() throws(TLSError) -> [UInt8] {
        ErrorQueue.clear()
        let length = unsafe i2d_PrivateKey(pointer, nil)
        guard length > 0 else { throw ErrorQueue.error("encoding a private key") }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { bytes, count in
            var next = bytes.baseAddress
            count = unsafe Int(i2d_PrivateKey(pointer, &next))
        }
    }

    func pem() throws(TLSError) -> String {
        let memory = try MemoryText()
        guard unsafe PEM_write_bio_PrivateKey(memory.pointer, pointer, nil, nil, 0, nil, nil) == 1 else {
            throw ErrorQueue.error("writing a private key as PEM")
        }
        return memory.text()
    }
}

/// A memory BIO that OpenSSL writes text into.
@safe struct MemoryText: ~Copyable {
    let pointer: OpaquePointer

    init() throws(TLSError) {
        ErrorQueue.clear()
        guard let pointer = unsafe cw_bio_new_memory() else { throw ErrorQueue.error("making a memory BIO") }
        unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe BIO_free_all(pointer) }

    func text() -> String {
        let pending = unsafe BIO_ctrl_pending(pointer)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: pending) { bytes, count in
            count = unsafe pending == 0 ? 0 : max(0, Int(BIO_read(pointer, bytes.baseAddress, CInt(pending))))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
