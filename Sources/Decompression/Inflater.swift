internal import CZlib

/// A decompressor based on zlib's inflate. The stream is allocated separately, because zlib keeps a pointer to it.
@safe final class Inflater: Decompressor {
    private let stream: UnsafeMutablePointer<z_stream>
    private(set) var isEnded = false

    /// Creates a decompressor. `windowBits` as in inflateInit2: negative for no wrapper, 16 more for gzip.
    init(windowBits: CInt) throws(DecompressionError) {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        unsafe self.stream = unsafe stream
        guard unsafe cw_inflate_init(stream, windowBits) == Z_OK else { throw .outOfMemory }
    }

    deinit {
        _ = unsafe inflateEnd(stream)
        unsafe stream.deinitialize(count: 1)
        unsafe stream.deallocate()
    }

    func advance(_ input: Span<UInt8>, into output: inout [UInt8], limit: Int) throws(DecompressionError) -> Int {
        guard !isEnded, limit > 0 else { return 0 }
        var taken = 0
        var status = Z_OK
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: limit) { room, count in
            unsafe input.withUnsafeBufferPointer { bytes in
                unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: bytes.baseAddress)
                unsafe stream.pointee.avail_in = CUnsignedInt(clamping: bytes.count)
                unsafe stream.pointee.next_out = room.baseAddress
                unsafe stream.pointee.avail_out = CUnsignedInt(clamping: limit)
                let offered = unsafe Int(stream.pointee.avail_in)
                let wanted = unsafe Int(stream.pointee.avail_out)
                status = unsafe inflate(stream, Z_NO_FLUSH)
                taken = unsafe offered - Int(stream.pointee.avail_in)
                count = unsafe wanted - Int(stream.pointee.avail_out)
                unsafe stream.pointee.next_in = nil
                unsafe stream.pointee.next_out = nil
            }
        }
        output += piece
        switch status {
        case Z_OK, Z_BUF_ERROR: return taken
        case Z_STREAM_END:
            isEnded = true
            return taken
        case Z_MEM_ERROR: throw .outOfMemory
        case Z_NEED_DICT: throw .corrupt(reason: "it needs a preset dictionary")
        default:
            let message = unsafe stream.pointee.msg.map { unsafe String(cString: $0) }
            throw .corrupt(reason: message ?? "zlib error \(status)")
        }
    }
}
