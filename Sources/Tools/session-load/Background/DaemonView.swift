import Foundation
import TransferProtocol

/// A short connection to the transfer daemon, as `adaptable-transfers` makes it.
struct DaemonView {
    private let socket: LocalSocket

    /// Connects to a running daemon; nil without one.
    init?(_ path: String) {
        guard let socket = try? LocalSocket.connect(to: path) else { return nil }
        self.socket = socket
    }

    /// The process that listens, as the kernel knows it.
    var process: Int32? { socket.peer?.process }

    /// Asks for the sessions with their tasks; nil if the daemon ends before it replies.
    func sessions() -> [TransferListing]? {
        reply(to: .list(version: TransferWire.version)) {
            if case .listing(let sessions) = $0 { sessions } else { nil }
        }
    }

    /// Connects as the owner of another session; false if the daemon ends before it accepts that.
    func isServed() -> Bool {
        let hello = TransferCommand.hello(
            version: TransferWire.version, settings: TransferSettings(identifier: "probe"), state: .foreground)
        return reply(to: hello) { if case .welcome = $0 { true } else { nil } } ?? false
    }

    private func reply<Value>(to command: TransferCommand, _ pick: (TransferMessage) -> Value?) -> Value? {
        guard socket.send(TransferWire.line(TransferCommandLine(number: 0, command: command))) else { return nil }
        var lines = LineBuffer()
        while let bytes = socket.receive(), let complete = lines.append(bytes) {
            for line in complete { if let value = TransferWire.message(line).flatMap(pick) { return value } }
        }
        return nil
    }
}
