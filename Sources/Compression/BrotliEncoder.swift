internal import CBrotliEncoder

/// libbrotlienc, at a quality that servers use for what they do not store, and the largest window of RFC 7932 that decoders expect.
@safe final class BrotliEncoder {
    private let state: OpaquePointer
    private var output: [UInt8] = []

    init() {
        guard let state = unsafe BrotliEncoderCreateInstance(nil, nil, nil) else {
            preconditionFailure("not enough memory for a Brotli encoder")
        }
        unsafe self.state = unsafe state
        // Measured: 16 MiB in a third of a second; from 5 on text takes seconds, at 11, the default of the library, minutes.
        _ = unsafe BrotliEncoderSetParameter(state, BROTLI_PARAM_QUALITY, 4)
        _ = unsafe BrotliEncoderSetParameter(state, BROTLI_PARAM_LGWIN, 22)
    }

    deinit { unsafe BrotliEncoderDestroyInstance(state) }

    func add(_ bytes: [UInt8]) { work(bytes, BROTLI_OPERATION_PROCESS) }

    func finish() -> [UInt8] {
        work([], BROTLI_OPERATION_FINISH)
        return output
    }

    private func work(_ bytes: [UInt8], _ operation: BrotliEncoderOperation) {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            var availableIn = bytes.count
            var nextIn = bytes.baseAddress
            let size = 64 << 10
            repeat {
                output += unsafe [UInt8](unsafeUninitializedCapacity: size) { room, count in
                    var availableOut = size
                    var nextOut = room.baseAddress
                    let isDone = unsafe BrotliEncoderCompressStream(
                        state, operation, &availableIn, &nextIn, &availableOut, &nextOut, nil)
                    precondition(isDone == BROTLI_TRUE, "Brotli cannot compress")
                    count = size - availableOut
                }
            } while unsafe availableIn > 0 || BrotliEncoderHasMoreOutput(state) == BROTLI_TRUE
        }
    }
}
