import AdapterProtocol
package import Foundation
package import FoundationNetworking

/// A call of one of a session's asynchronous methods.
package enum AsyncRequest: Sendable {
    case data(URLRequest)
    case bytes(URLRequest)
    case upload(URLRequest, Data)
    case fileUpload(URLRequest, URL)
    case download(URLRequest)
    case resumedDownload(Data)
}

/// The result of such a method.
package enum AsyncResult: Sendable {
    case data(Data, URLResponse)
    /// The file belongs to the caller.
    case file(URL, URLResponse)
}

/// Takes the place of the task, which an asynchronous method does not return. The call begins with `resume`, and
/// cancelling the Swift task cancels it; it cannot be suspended.
final class AsyncCall: ClientTask {
    private let call: @Sendable () async -> Void
    private var running: Task<Void, Never>?

    let taskIdentifier = 0
    var taskDescription: String?
    var priority: Float = 0.5
    let progress = Progress(totalUnitCount: 0)
    let originalRequest: URLRequest? = nil
    let currentRequest: URLRequest? = nil
    let response: URLResponse? = nil
    let countOfBytesReceived: Int64 = 0
    let countOfBytesSent: Int64 = 0
    let countOfBytesExpectedToReceive: Int64 = 0
    let countOfBytesExpectedToSend: Int64 = 0
    var countOfBytesClientExpectsToSend: Int64 = -1
    var countOfBytesClientExpectsToReceive: Int64 = -1
    var state: String { running == nil ? "suspended" : "running" }

    init(_ call: @escaping @Sendable () async -> Void) { self.call = call }

    func resume() { if running == nil { running = Task { [call] in await call() } } }

    func suspend() {}

    /// A call that is cancelled before it begins is made by a cancelled Swift task.
    func cancel() {
        if let running { return running.cancel() }
        let gate = AsyncStream<Void>.makeStream()
        running = Task { [call] in
            for await _ in gate.stream {}
            await call()
        }
        running?.cancel()
        gate.continuation.finish()
    }
}
