import ScenarioLanguage
import NIOCore

/// Splits a client's bytes into frames, after the preface, one at a time, without interpreting them.
struct FrameReader {
    /// SETTINGS_MAX_FRAME_SIZE as the client has acknowledged it.
    var longestPayload = 1 << 14
    private var isBehindPreface = false
    /// The stream whose header block is unfinished: no other frame may come before its end (RFC 9113 §6.10).
    private var openBlock: Int?

    /// Returns the next frame; nil when more bytes must come first.
    mutating func next(_ input: inout ByteBuffer) throws(HTTP2Violation) -> Frame? {
        if !isBehindPreface {
            guard try FrameReader.verifyPreface(input) else { return nil }
            input.moveReaderIndex(forwardBy: Frame.preface.count)
            isBehindPreface = true
        }
        guard input.readableBytes >= Frame.headSize, let (length, type, flags, id) = FrameReader.head(input) else {
            return nil
        }
        guard length <= longestPayload else {
            throw HTTP2Violation(.frameSizeError, "a frame of \(length) bytes; at most \(longestPayload) are allowed")
        }
        guard input.readableBytes >= Frame.headSize + length else { return nil }
        input.moveReaderIndex(forwardBy: Frame.headSize)
        guard let payload = input.readSlice(length: length) else { return nil }
        let frame = Frame(type: type, flags: flags, stream: id, payload: payload)
        try follow(frame)
        return frame
    }

    /// Throws if the bytes differ from the client's preface; returns false when it is not complete.
    static func verifyPreface(_ input: ByteBuffer) throws(HTTP2Violation) -> Bool {
        let bytes = input.readableBytesView.prefix(Frame.preface.count)
        guard Frame.preface.starts(with: bytes) else {
            throw HTTP2Violation(.protocolError, "the connection does not begin with HTTP/2's preface (RFC 9113 §3.4)")
        }
        return bytes.count == Frame.preface.count
    }

    private static func head(_ input: ByteBuffer) -> (length: Int, type: UInt8, flags: UInt8, stream: Int)? {
        guard let bytes = input.getBytes(at: input.readerIndex, length: Frame.headSize) else { return nil }
        let id = (Int(bytes[5]) & 0x7F) << 24 | Int(bytes[6]) << 16 | Int(bytes[7]) << 8 | Int(bytes[8])
        return (Int(bytes[0]) << 16 | Int(bytes[1]) << 8 | Int(bytes[2]), bytes[3], bytes[4], id)
    }

    private mutating func follow(_ frame: Frame) throws(HTTP2Violation) {
        if let openBlock {
            guard frame.kind == .continuation, frame.stream == openBlock else {
                throw HTTP2Violation(
                    .protocolError, "a frame between the parts of the header block of stream \(openBlock)")
            }
            if frame.has(Frame.Flag.endHeaders) { self.openBlock = nil }
            return
        }
        switch frame.kind {
        case .continuation: throw HTTP2Violation(.protocolError, "CONTINUATION without preceding HEADERS")
        case .headers: if !frame.has(Frame.Flag.endHeaders) { openBlock = frame.stream }
        case .data, .priority, .resetStream, .settings, .pushPromise, .ping, .goAway, .windowUpdate, .priorityUpdate,
            nil:
            break
        }
    }
}
