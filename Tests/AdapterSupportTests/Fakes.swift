@testable import AdapterSupport
import AdapterProtocol
import Foundation
import FoundationNetworking
import Synchronization

/// Values in the order in which any thread added them.
final class Collected<Element: Sendable>: Sendable {
    private let collected = Mutex<[Element]>([])
    var all: [Element] { collected.withLock { $0 } }
    func add(_ element: Element) { collected.withLock { $0.append(element) } }
}

extension Collected<[UInt8]> {
    /// An output whose lines are collected here.
    var output: EventOutput { EventOutput(write: { self.add(Array($0.dropLast())) }) }

    var kinds: [SessionEvent.Kind] { get throws { try all.map { try SessionEvent.decode(line: $0).kind } } }
}

final class FakeTask: ClientTask {
    enum State { case suspended }
    let taskIdentifier = 7
    var taskDescription: String?
    let state = State.suspended
    var priority: Float = 0.5
    let progress = Progress(totalUnitCount: 1)
    let originalRequest: URLRequest? = nil
    let currentRequest: URLRequest? = nil
    let response: URLResponse? = nil
    let countOfBytesReceived: Int64 = 0
    let countOfBytesSent: Int64 = 0
    let countOfBytesExpectedToReceive: Int64 = 0
    let countOfBytesExpectedToSend: Int64 = 0
    var countOfBytesClientExpectsToSend: Int64 = 0
    var countOfBytesClientExpectsToReceive: Int64 = 0
    func resume() {}
    func suspend() {}
    func cancel() {}

    init(_ name: String?) { taskDescription = name }
}

struct FakeChallenge: ClientChallenge {
    static let trust = URLCredential(user: "trust", password: "", persistence: .none)
    static let identity = URLCredential(user: "identity", password: "", persistence: .none)

    var method: String
    var protectionSpace: URLProtectionSpace {
        URLProtectionSpace(
            host: "api.test", port: 443, protocol: "https", realm: "zone", authenticationMethod: method)
    }
    let previousFailureCount = 0
    var trustCredential: URLCredential? {
        method == TaskEvent.Challenge.serverTrustMethod ? FakeChallenge.trust : nil
    }

    func identity(chainPath: String, keyPath: String) throws -> URLCredential? {
        if chainPath == "/missing" { throw CocoaError(.fileReadNoSuchFile) }
        return FakeChallenge.identity
    }
}

enum FakeDisposition: ClientChallengeDisposition {
    case useCredential, performDefaultHandling, cancelAuthenticationChallenge, rejectProtectionSpace
}
