internal import CBrotli

/// A decompressor based on libbrotlidec.
@safe final class BrotliDecompressor: Decompressor {
    private let state: OpaquePointer
    private(set) var isEnded = false

    init() throws(DecompressionError) {
        guard let state = unsafe BrotliDecoderCreateInstance(nil, nil, nil) else { throw .outOfMemory }
        unsafe self.state = unsafe state
    }

    deinit { unsafe BrotliDecoderDestroyInstance(state) }

    func advance(_ input: Span<UInt8>, into output: inout [UInt8], limit: Int) throws(DecompressionError) -> Int {
        guard !isEnded, limit > 0 else { return 0 }
        var taken = 0
        var result = BROTLI_DECODER_RESULT_ERROR
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: limit) { room, count in
            unsafe input.withUnsafeBufferPointer { bytes in
                var availableIn = bytes.count
                var nextIn = bytes.baseAddress
                var availableOut = limit
                var nextOut = room.baseAddress
                result = unsafe BrotliDecoderDecompressStream(
                    state, &availableIn, &nextIn, &availableOut, &nextOut, nil)
                taken = bytes.count - availableIn
                count = limit - availableOut
            }
        }
        output += piece
        switch result {
        case BROTLI_DECODER_RESULT_SUCCESS:
            isEnded = true
            return taken
        case BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT, BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT: return taken
        default:
            let code = unsafe BrotliDecoderGetErrorCode(state)
            throw .corrupt(reason: unsafe String(cString: BrotliDecoderErrorString(code)))
        }
    }
}
