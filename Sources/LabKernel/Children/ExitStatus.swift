/// The way a program ended.
package enum ExitStatus: Hashable, Sendable {
    case exited(CInt)
    case signalled(CInt, coreDumped: Bool)

    /// The status that a shell would report.
    package var shellStatus: CInt {
        switch self {
        case .exited(let code): code
        case .signalled(let number, _): 128 + number
        }
    }

    /// Decodes the status of wait(2).
    init(waitStatus status: Int32) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .signalled(signal, coreDumped: status & 0x80 != 0)
    }
}

extension ExitStatus: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exited(let code): "exit status \(code)"
        case .signalled(let number, let dumped): "signal \(number)\(dumped ? " (core dumped)" : "")"
        }
    }
}
