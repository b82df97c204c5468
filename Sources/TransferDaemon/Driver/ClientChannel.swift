import Foundation
import Synchronization
import TransferProtocol

/// The connection of one program. Messages are sent in order by a thread of its own, so that a program that is suspended
/// does not delay the daemon.
final class ClientChannel: Sendable {
    private struct State {
        var waiting: [[UInt8]] = []
        var bytes = 0
        var isClosed = false
        var holdsBack = false
    }

    /// The bytes that may wait for a program that does not read.
    private static let limit = 1 << 20

    let socket: LocalSocket
    let process: Int32
    private let state = Mutex(State())
    /// Guards nothing but the waiting of the two sides for each other.
    private let condition = NSCondition()

    init(_ socket: LocalSocket, process: Int32) {
        self.socket = socket
        self.process = process
        // The thread keeps the channel until its last message is sent: after a refusal the reader releases it at once.
        let thread = Thread { [self] in while let line = nextLine(), socket.send(line) {} }
        thread.name = "client \(process)"
        thread.start()
    }

    /// True if messages wait, so that ones that can be left out should be.
    var isBusy: Bool { state.withLock { $0.bytes > 64 << 10 } }

    /// While true, messages wait.
    var holdsBack: Bool {
        get { state.withLock { $0.holdsBack } }
        set {
            state.withLock { $0.holdsBack = newValue }
            signal()
        }
    }

    func send(_ message: TransferMessage) {
        let line = TransferWire.line(message)
        state.withLock { state in
            state.waiting.append(line)
            state.bytes += line.count
        }
        signal()
    }

    /// Sends an event that may be large, once there is room for it. Returns at once when the connection is gone.
    func sendWaiting(_ event: TransferEvent) {
        condition.lock()
        while state.withLock({ $0.bytes > Self.limit && !$0.isClosed }) { condition.wait() }
        condition.unlock()
        send(.event(event: event))
    }

    /// Sends what waits and ends the connection.
    func refuse(_ reason: TransferRefusal, _ message: String) {
        send(.refused(reason: reason, message: message))
        close()
    }

    /// Ends the connection after the messages that wait.
    func close() {
        state.withLock { $0.isClosed = true }
        signal()
    }

    private func signal() {
        condition.lock()
        condition.broadcast()
        condition.unlock()
    }

    private func nextLine() -> [UInt8]? {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        while true {
            let (line, isClosed) = state.withLock { state in
                guard !state.waiting.isEmpty, !state.holdsBack else { return ([UInt8]?.none, state.isClosed) }
                let line = state.waiting.removeFirst()
                state.bytes -= line.count
                return (line, state.isClosed)
            }
            if let line { return line }
            if isClosed {
                socket.shutDown()
                return nil
            }
            condition.wait()
        }
    }
}
