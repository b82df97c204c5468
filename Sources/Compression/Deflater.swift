internal import CZlib

/// zlib's deflate without a wrapper, at its usual level. The stream has a place of its own in memory, since zlib keeps a pointer to it.
@safe final class Deflater {
    private let stream: UnsafeMutablePointer<z_stream>
    private var output: [UInt8] = []

    private init() {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe self.stream = unsafe stream
        // 8 is zlib's own default for the memory level.
        let status = unsafe cw_deflate_init(stream, 6, -15, 8)
        precondition(status == Z_OK, "zlib cannot start compressing: status \(status)")
    }

    deinit {
        _ = unsafe deflateEnd(stream)
        unsafe stream.deinitialize(count: 1)
        unsafe stream.deallocate()
    }

    static func compress(_ bytes: [UInt8]) -> [UInt8] {
        let deflater = Deflater()
        deflater.add(bytes, Z_FINISH)
        return deflater.output
    }

    /// Compresses one block and repeats the outcome: after a full flush, data begins at a whole byte and refers to nothing before it, so that
    /// 16 GiB cost no more time than 16 MiB.
    static func compressZeros(_ count: Int64) -> [UInt8] {
        let block: Int64 = 16 << 20
        var output: [UInt8] = []
        if count >= block {
            let deflater = Deflater()
            deflater.addZeros(block, Z_FULL_FLUSH)
            for _ in 0..<(count / block) { output += deflater.output }
        }
        let deflater = Deflater()
        deflater.addZeros(count % block, Z_FINISH)
        return output + deflater.output
    }

    private func addZeros(_ count: Int64, _ flush: CInt) {
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<(count / Int64(piece.count)) { add(piece, Z_NO_FLUSH) }
        add([UInt8](repeating: 0, count: Int(count % Int64(piece.count))), flush)
    }

    private func add(_ bytes: [UInt8], _ flush: CInt) {
        precondition(bytes.count <= Int(CUnsignedInt.max), "zlib accepts at most 4 GiB at a time")
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
            unsafe stream.pointee.avail_in = CUnsignedInt(bytes.count)
            let size = 64 << 10
            var isFull = true
            // Until it leaves room: then everything that was given is in the output.
            while isFull {
                output += unsafe [UInt8](unsafeUninitializedCapacity: size) { room, count in
                    unsafe stream.pointee.next_out = room.baseAddress
                    unsafe stream.pointee.avail_out = CUnsignedInt(size)
                    let status = unsafe CZlib.deflate(stream, flush)
                    precondition(
                        status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR,
                        "zlib cannot compress: status \(status)")
                    count = unsafe size - Int(stream.pointee.avail_out)
                    isFull = unsafe stream.pointee.avail_out == 0
                }
            }
            unsafe stream.pointee.next_in = nil
            unsafe stream.pointee.next_out = nil
        }
    }
}
