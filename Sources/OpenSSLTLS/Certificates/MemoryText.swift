internal import COpenSSL

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
