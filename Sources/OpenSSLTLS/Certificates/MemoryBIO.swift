internal import COpenSSL

/// A memory BIO into which OpenSSL writes text, or from which it reads text.
@safe package struct MemoryBIO: ~Copyable {
    package let pointer: OpaquePointer

    package init() throws(TLSError) {
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
}
