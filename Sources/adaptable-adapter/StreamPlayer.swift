import AdapterProgram
import AdapterProtocol
import AdaptableSession
import Foundation

extension AdaptableSessionStreamTask {
    /// Does what the harness asks; the answers are events.
    func play(_ action: StreamAction, as name: TaskName, to output: EventOutput) {
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
        }
    }
}
