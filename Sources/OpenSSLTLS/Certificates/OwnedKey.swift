internal import COpenSSL

/// One reference to an OpenSSL key pair.
@safe package struct OwnedKey: ~Copyable {
    package let pointer: OpaquePointer

    package init(adopting pointer: OpaquePointer) { unsafe self.pointer = unsafe pointer }

    deinit { unsafe EVP_PKEY_free(pointer) }

    package static func parse(der: [UInt8]) throws(TLSError) -> OwnedKey {
        ErrorQueue.clear()
        let pointer = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            return unsafe d2i_AutoPrivateKey(nil, &next, bytes.count)
        }
        guard let pointer = unsafe pointer else { throw ErrorQueue.error("reading a private key") }
        return unsafe OwnedKey(adopting: pointer)
    }

    package func der() throws(TLSError) -> [UInt8] {
        ErrorQueue.clear()
        let length = unsafe i2d_PrivateKey(pointer, nil)
        guard length > 0 else { throw ErrorQueue.error("encoding a private key") }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { bytes, count in
            var next = bytes.baseAddress
            count = unsafe Int(i2d_PrivateKey(pointer, &next))
        }
    }
}
