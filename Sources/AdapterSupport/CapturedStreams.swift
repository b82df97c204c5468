import AdapterProtocol
import Foundation
import Synchronization

/// The pair of streams that a stream task became. Both block their caller, so each direction has its own queue.
final class CapturedStreams: Sendable {
    private let input: Mutex<InputStream>
    private let output: Mutex<Foundation.OutputStream>
    private let reading = DispatchQueue(label: "captured-reads")
    private let writing = DispatchQueue(label: "captured-writes")

    /// Opens the streams.
    init(_ input: sending InputStream, _ output: sending Foundation.OutputStream) {
        input.open()
        output.open()
        self.input = Mutex(input)
        self.output = Mutex(output)
    }

    func read(minimum: Int, maximum: Int, as name: TaskName, to events: EventOutput) {
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
                    if count < 0 { fault = Failure(stream.streamError ?? CocoaError(.fileReadUnknown)) }
                }
                events.emit(name, .streamRead(bytes, isAtEnd: isAtEnd, fault))
            }
        }
    }

    func write(_ bytes: [UInt8], as name: TaskName, to events: EventOutput) {
        writing.async { [self] in
            output.withLock { stream in
                var rest = bytes[...]
                var fault: Failure?
                while !rest.isEmpty, fault == nil {
                    let count = unsafe stream.write(Array(rest), maxLength: rest.count)
                    if count > 0 {
                        rest = rest.dropFirst(count)
                    } else {
                        fault = Failure(stream.streamError ?? CocoaError(.fileWriteUnknown))
                    }
                }
                events.emit(name, .streamWritten(fault))
            }
        }
    }

    /// Closes each stream after its earlier actions.
    func close() {
        writing.async { [self] in output.withLock { $0.close() } }
        reading.async { [self] in input.withLock { $0.close() } }
    }
}

extension ClientStreamTask {
    /// Performs the harness's action and reports its outcome as events. Returns the reason if it could not.
    func play(_ action: StreamAction, as name: TaskName, _ registry: TaskRegistry, to output: EventOutput) -> String? {
        switch action {
        case .read(let minimum, let maximum):
            readData(ofMinLength: minimum, maxLength: maximum, timeout: 0) { data, isAtEnd, error in
                output.emit(name, .streamRead(Array(data ?? Data()), isAtEnd: isAtEnd, error.map { Failure($0) }))
            }
        case .write(let bytes):
            write(Data(bytes), timeout: 0) { error in output.emit(name, .streamWritten(error.map { Failure($0) })) }
        case .secure: startSecureConnection()
        case .closeRead: closeRead()
        case .closeWrite: closeWrite()
        case .captureStreams: captureStreams()
        case .readCaptured(let minimum, let maximum):
            return through(registry, name) { $0.read(minimum: minimum, maximum: maximum, as: name, to: output) }
        case .writeCaptured(let bytes): return through(registry, name) { $0.write(bytes, as: name, to: output) }
        case .closeCaptured: return through(registry, name) { $0.close() }
        }
        return nil
    }

    private func through(_ registry: TaskRegistry, _ name: TaskName, _ act: (CapturedStreams) -> Void) -> String? {
        guard let streams = registry.streams(of: name) else { return "\(name) has not become streams" }
        act(streams)
        return nil
    }
}
