internal import COpenSSL

/// Random bytes from OpenSSL's generator.
package enum RandomBytes {
    package static func make(_ count: Int) throws(TLSError) -> [UInt8] {
        ErrorQueue.clear()
        var bytes = [UInt8](repeating: 0, count: count)
        guard unsafe RAND_bytes(&bytes, CInt(count)) == 1 else { throw ErrorQueue.error("generating random bytes") }
        return bytes
    }
}
