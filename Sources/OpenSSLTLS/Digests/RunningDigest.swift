internal import COpenSSL

/// A digest of bytes that arrive incrementally.
@safe package final class RunningDigest {
    package let algorithm: DigestAlgorithm
    private let context: OpaquePointer
    private var result: [UInt8]?

    package init(_ algorithm: DigestAlgorithm) {
        self.algorithm = algorithm
        ErrorQueue.clear()
        guard let context = unsafe EVP_MD_CTX_new() else { fatalError("not enough memory for a digest") }
        unsafe self.context = unsafe context
        let isReady = unsafe EVP_DigestInit_ex(context, algorithm.type, nil) == 1
        precondition(isReady, "this machine's OpenSSL refuses the digest: \(ErrorQueue.drainText())")
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    /// Adds bytes; they are ignored after `value` was read.
    package func update(_ bytes: Span<UInt8>) {
        guard result == nil else { return }
        unsafe bytes.withUnsafeBufferPointer { part in
            guard let start = part.baseAddress else { return }
            _ = unsafe EVP_DigestUpdate(context, start, part.count)
        }
    }

    package var value: [UInt8] {
        if let result { return result }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { output, count in
            var length: CUnsignedInt = 0
            _ = unsafe EVP_DigestFinal_ex(context, output.baseAddress, &length)
            count = Int(length)
        }
        result = bytes
        return bytes
    }
}
