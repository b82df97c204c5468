import Foundation
import NIOCore
import Synchronization

/// The buffer between the two streams of a bound pair. It keeps the bytes in order; reading blocks while it is empty and
/// writing while it is full.
final class BoundStreamBuffer: StreamSource, StreamSink {
    private struct State {
        var bytes = ByteBuffer()
        var isOutputClosed = false
        var isInputClosed = false
    }

    let inputSchedule = StreamSchedule()
    let outputSchedule = StreamSchedule()
    private let capacity: Int
    private let state = Mutex(State())
    private let change = NSCondition()

    /// `capacity` is in bytes; values below 1 count as 1.
    init(capacity: Int) { self.capacity = max(1, capacity) }

    func open() {}

    var isOpen: Bool { true }

    /// The error of writing; reading does not fail.
    var failure: (any Error)? { state.withLock { $0.isInputClosed ? POSIXError(.EPIPE) : nil } }

    func read(upTo count: Int) -> StreamPart {
        defer { changed() }
        return wait { state in
            if state.isInputClosed { return .end }
            if state.bytes.readableBytes > 0 || count == 0 {
                let bytes = state.bytes.readBytes(length: min(count, state.bytes.readableBytes)) ?? []
                // The buffer moves its bytes only when half of it is unused.
                if state.bytes.readerIndex > state.bytes.readableBytes { state.bytes.discardReadBytes() }
                return .bytes(bytes)
            }
            return state.isOutputClosed ? .end : nil
        }
    }

    func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Result<Int, any Error> {
        defer { changed() }
        return wait { state in
            if state.isInputClosed || state.isOutputClosed {
                return .failure(POSIXError(.EPIPE))
            }
            let room = capacity - state.bytes.readableBytes
            guard room > 0 else { return nil }
            let count = min(room, bytes.count)
            unsafe state.bytes.writeBytes(UnsafeBufferPointer(rebasing: bytes.prefix(count)))
            return .success(count)
        }
    }

    var readiness: Stream.Event? {
        state.withLock { state in
            if state.bytes.readableBytes > 0 { return .hasBytesAvailable }
            return state.isOutputClosed ? .endEncountered : nil
        }
    }

    var writability: Stream.Event? {
        state.withLock { state in
            if state.isInputClosed { return .errorOccurred }
            return !state.isOutputClosed && state.bytes.readableBytes < capacity ? .hasSpaceAvailable : nil
        }
    }

    func closeInput() {
        change.withLock {
            state.withLock { state in
                state.isInputClosed = true
                state.bytes = ByteBuffer()
            }
            change.broadcast()
        }
        outputSchedule.changed()
    }

    func closeOutput() {
        change.withLock {
            state.withLock { $0.isOutputClosed = true }
            change.broadcast()
        }
        inputSchedule.changed()
    }

    func dropInput(_ offer: Int) { closeInput() }

    func dropOutput(_ offer: Int) { closeOutput() }

    /// Both streams report again: one read or write may leave bytes and room for more.
    private func changed() {
        inputSchedule.changed()
        outputSchedule.changed()
    }

    /// Repeats `attempt` until it returns a value, and wakes the other side then.
    private func wait<Answer>(_ attempt: (inout State) -> Answer?) -> Answer {
        change.withLock {
            while true {
                if let answer = state.withLock({ attempt(&$0) }) {
                    change.broadcast()
                    return answer
                }
                change.wait()
            }
        }
    }
}
