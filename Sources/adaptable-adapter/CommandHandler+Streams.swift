import AdaptableSession
import AdapterProtocol
import AdapterSupport
import Foundation

extension AdaptableSessionStreamTask {
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
