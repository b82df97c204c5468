import GeneratedBodies
import NIOCore

enum PatternFiller {
    static func append(key: PatternBody.Key, from offset: Int64, count: Int, to buffer: inout ByteBuffer) {
        unsafe buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { space in
            unsafe PatternBody.fill(UnsafeMutableRawBufferPointer(rebasing: space[..<count]), key: key, from: offset)
            return count
        }
    }
}
