import Foundation
import TransferProtocol

/// A connection of a person to the daemon. It does not start one: without a daemon there is nothing to show.
final class DaemonConnection {
    private let socket: LocalSocket
    private var lines = LineBuffer()
    private var received: [[UInt8]] = []

    private init(_ socket: LocalSocket) { self.socket = socket }

    static func open() throws -> DaemonConnection {
        do throws(SocketError) {
            return DaemonConnection(try LocalSocket.connect(to: TransferPlaces.own.socket))
        } catch {
            guard error.meansNobodyListens else { throw error }
            throw DaemonProblem("The transfer daemon does not run; programs with a background session start it.")
        }
    }

    func sessions() throws -> [TransferListing] {
        send(.list(version: TransferWire.version))
        while true { if case .listing(let sessions) = try next() { return sessions } }
    }

    func cancel(_ task: Int, of session: String) throws {
        send(.cancelOf(version: TransferWire.version, identifier: session, task: task))
        while true {
            guard case .reply(_, let failure, _) = try next() else { continue }
            if let failure { throw DaemonProblem(failure.message) }
            return
        }
    }

    /// Passes lines of the log until the daemon ends.
    func watch(_ show: (String) -> Void) throws {
        send(.watch(version: TransferWire.version))
        while true { if case .log(let line) = try next() { show(line) } }
    }

    private func send(_ command: TransferCommand) {
        // A lost connection is found by the read that follows.
        _ = socket.send(TransferWire.line(TransferCommandLine(number: 0, command: command)))
    }

    private func next() throws -> TransferMessage {
        while true {
            if received.isEmpty {
                guard let bytes = socket.receive(), let complete = lines.append(bytes) else {
                    throw DaemonProblem("The transfer daemon has ended.")
                }
                received = complete
                continue
            }
            switch TransferWire.message(received.removeFirst()) {
            case .refused(_, let message)?: throw DaemonProblem(message)
            case let message?: return message
            case nil: continue
            }
        }
    }
}

/// A reason to end with status 1 that is not a mistake in the command.
struct DaemonProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
