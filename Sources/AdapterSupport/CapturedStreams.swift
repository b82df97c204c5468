package import AdapterProtocol
package import Foundation
import Synchronization

/// The pair of streams that a stream task became. Both block their caller, so each direction has its own queue.
package final class CapturedStreams: Sendable {
    private let input: Mutex<InputStream>
    private let output: Mutex<Foundation.OutputStream>
    private let reading = DispatchQueue(label: "captured-reads")
    private let writing = DispatchQueue(label: "captured-writes")

    private let failure: @Sendable (any Error) -> Failure

    /// Opens the streams. `failure` converts an error of theirs.
    package init(
        _ input: sending InputStream, _ output: sending Foundation.OutputStream,
        failure: @escaping @Sendable (any Error) -> Failure
    ) {
        input.open()
        output.open()
        self.input = Mutex(input)
        self.output = Mutex(output)
        self.failure = failure
    }

    package func read(minimum: Int, maximum: Int, as name: TaskName, to events: EventOutput) {
        reading.async { [self] in
            input.withLock { stream in
                var bytes: [UInt8] = []
                var isAtEnd = false
                var fault: Failure?
                while bytes.count < max(1, minimum), bytes.count < maximum, !isAtEnd, fault == nil {
                    var piece = [UInt8](repeating: 0, count: maximum - bytes.count)
                    let count = unsafe stream.read(&piece, maxLength: piece.count)
                    if count > 0 { bytes += piece.prefix(count) }
                    isAtEnd = count == 0
                    if count < 0 { fault = failure(stream.streamError ?? CocoaError(.fileReadUnknown)) }
                }
                events.emit(name, .streamRead(bytes, isAtEnd: isAtEnd, fault))
            }
        }
    }

    package func write(_ bytes: [UInt8], as name: TaskName, to events: EventOutput) {
        writing.async { [self] in
            output.withLock { stream in
                var rest = bytes[...]
                var fault: Failure?
                while !rest.isEmpty, fault == nil {
                    let count = unsafe stream.write(Array(rest), maxLength: rest.count)
                    if count > 0 {
                        rest = rest.dropFirst(count)
                    } else {
                        fault = failure(stream.streamError ?? CocoaError(.fileWriteUnknown))
                    }
                }
                events.emit(name, .streamWritten(fault))
            }
        }
    }

    /// Closes each stream after its earlier actions.
    package func close() {
        writing.async { [self] in output.withLock { $0.close() } }
        reading.async { [self] in input.withLock { $0.close() } }
    }
}
