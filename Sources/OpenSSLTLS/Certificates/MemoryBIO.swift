internal import COpenSSL

/// A memory BIO into which OpenSSL writes text, or from which it reads text.
@safe struct MemoryBIO: ~Copyable {
    let pointer: OpaquePointer

    init() throws(TLSError) {
        ErrorQueue.clear()
        guard let pointer = unsafe cw_bio_new_memory() else { throw ErrorQueue.error("creating a memory BIO") }
        unsafe self.pointer = unsafe pointer
    }

    /// Returns a BIO with a text for OpenSSL to read.
    static func holding(_ text: String) throws(TLSError) -> MemoryBIO {
        let memory = try MemoryBIO()
        let bytes = Array(text.utf8)
        guard let count = CInt(exactly: bytes.count) else {
            throw .invalid(what: "a PEM text", found: "\(bytes.count) bytes", allowed: "at most \(CInt.max) bytes")
        }
        _ = unsafe BIO_write(memory.pointer, bytes, count)
        return memory
    }

    deinit { unsafe BIO_free_all(pointer) }

    func text() -> String {
        let pending = unsafe BIO_ctrl_pending(pointer)
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: pending) { bytes, count in
            count = unsafe pending == 0 ? 0 : max(0, Int(BIO_read(pointer, bytes.baseAddress, CInt(clamping: pending))))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
