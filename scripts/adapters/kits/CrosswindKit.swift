// The Crosswind adapter kit for Swift: lines, numbers, clock, flush, and the order of a task's events.
//
// Implement Client and call run. `load` runs at `resume`, in a Swift task of its own: it calls the client under test and reports
// to the task what arrives. Its return completes the task, an error completes it with the error that `classify` returns.
// `cancel` cancels the Swift task.
import Foundation
import Synchronization

private let version: Int64 = 2
private let piece = 64 * 1024
private let longest = 4 * 1024 * 1024  // bytes in a line of didReceiveData

enum JSON: Codable, Hashable, Sendable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSON])
    case object([String: JSON])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() { self = .null }
        else if let flag = try? value.decode(Bool.self) { self = .flag(flag) }
        else if let integer = try? value.decode(Int64.self) { self = .integer(integer) }
        else if let number = try? value.decode(Double.self) { self = .number(number) }
        else if let text = try? value.decode(String.self) { self = .text(text) }
        else if let list = try? value.decode([JSON].self) { self = .list(list) }
        else { self = .object(try value.decode([String: JSON].self)) }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .flag(let flag): try value.encode(flag)
        case .integer(let integer): try value.encode(integer)
        case .number(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .list(let list): try value.encode(list)
        case .object(let fields): try value.encode(fields)
        }
    }

    /// The member of an object; nil where it is absent or null.
    subscript(_ name: String) -> JSON? {
        guard case .object(let fields) = self, let value = fields[name], value != .null else { return nil }
        return value
    }
    func text(_ name: String) -> String? { if case .text(let text) = self[name] { text } else { nil } }
    func list(_ name: String) -> [JSON] { if case .list(let list) = self[name] { list } else { [] } }
    func number(_ name: String) -> Double? {
        switch self[name] {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        default: nil
        }
    }

    /// The object on one line.
    var line: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return try! encoder.encode(self)  // a value of this type always has a form
    }
}

extension JSON: ExpressibleByStringLiteral {
    init(stringLiteral text: String) { self = .text(text) }
}

/// Thrown by `makeSession` and `makeTask` for what the client cannot be asked for.
struct Unsupported: Error { var feature: String }

/// An error with its class and, if it is more exact than the class, its URL error code.
struct Failure: Error {
    enum Kind: String, Sendable {
        case offline, nameResolution, refused, lost, truncated, timedOut, tlsRejected, malformedResponse, cancelled, other

        /// The URL error code that stands for the class, for checks that compare codes.
        fileprivate var code: Int64 {
            switch self {
            case .offline: -1009
            case .nameResolution: -1003
            case .refused: -1004
            case .lost, .truncated: -1005
            case .timedOut: -1001
            case .tlsRejected: -1200
            case .malformedResponse: -1017
            case .cancelled: -999
            case .other: -1
            }
        }
    }
    var kind: Kind
    var text: String
    var code: Int64

    init(_ kind: Kind, _ text: String, code: Int64? = nil) {
        self.kind = kind
        self.text = text
        self.code = code ?? kind.code
    }
}

private let sequence = Mutex<Int64>(0)

/// Writes one event: numbered, timed, and flushed before this returns.
func emit(_ event: String, _ fields: [String: JSON] = [:], data: Data? = nil) {
    var fields = fields
    if let data {
        fields["length"] = .integer(Int64(data.count))
        fields["base64"] = .text(data.base64EncodedString())
    }
    sequence.withLock { sequence in
        sequence += 1
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        fields["v"] = .integer(version)
        fields["seq"] = .integer(sequence)
        fields["time"] = .integer(Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
        fields["event"] = .text(event)
        do { try FileHandle.standardOutput.write(contentsOf: JSON.object(fields).line + [0x0A]) }
        catch { exit(1) }  // the harness is gone
    }
}

protocol Client: Sendable {
    associatedtype Session: Sendable
    var name: String { get }
    var version: String { get }
    /// Names with spaces between.
    var capabilities: String { get }
    /// Names of events with spaces between, if this client cannot report every event.
    var reports: String? { get }
    func makeSession(_ configuration: JSON) throws -> Session
    func makeTask(_ session: Session, _ task: LoadTask) throws
    func load(_ session: Session, _ task: LoadTask) async throws
    func classify(_ error: any Error, _ task: LoadTask) -> Failure
}

extension Client {
    var reports: String? { nil }
    func makeTask(_ session: Session, _ task: LoadTask) throws {}
    func classify(_ error: any Error, _ task: LoadTask) -> Failure { Failure(.other, "\(error)") }
}

/// A task of the protocol.
final class LoadTask: Sendable {
    let name: String
    let url: String
    let method: String
    let headers: [(name: String, value: String)]
    let description: JSON
    private let isDownload: Bool
    private let hasHandler: Bool
    private let state = Mutex(State())

    private struct State {
        var running: Task<Void, Never>?
        var isCancelled = false
        var isCompleted = false
        var head: [String: JSON]?
        var content: Data?
        var received = 0
    }

    fileprivate init(_ description: JSON) {
        self.description = description
        name = description.text("task") ?? ""
        url = description.text("url") ?? ""
        isDownload = description.text("kind") == "download"
        hasHandler = description.text("delivery") == "completionHandler"
        method = description.text("method") ?? (description.text("kind") == "upload" ? "POST" : "GET")
        headers = description.list("headers").compactMap { pair in
            guard case .list(let two) = pair, case .text(let name) = two[0], case .text(let value) = two[1] else { return nil }
            return (name, value)
        }
    }

    /// Returns the request's bytes, or nil for a request without a body.
    func body() throws -> Data? {
        guard let body = description["body"] else { return nil }
        if let path = body.text("path") { return try Data(contentsOf: URL(fileURLWithPath: path)) }
        return Data(base64Encoded: body.text("base64") ?? "")
    }

    /// True once the head of the response has been reported.
    var hasHead: Bool { state.withLock { $0.head != nil } }

    func redirect(status: Int, url: String, method: String) {
        report("willPerformRedirect", ["status": .integer(Int64(status)), "url": .text(url), "method": .text(method)])
    }

    /// Reports the head. The load must end if this returns false; the task is then cancelled.
    func response(status: Int, url: String, headers: [(name: String, value: String)], expected: Int64 = -1) -> Bool {
        let head: [String: JSON] = [
            "status": .integer(Int64(status)), "url": .text(url), "expectedLength": .integer(expected),
            "headers": .list(headers.map { .list([.text($0.name), .text($0.value)]) }),
        ]
        return state.withLock { state in
            state.head = head
            if isDownload || hasHandler { state.content = Data() } else { report(state, "didReceiveResponse", head) }
            if !hasHandler, description.text("response") == "cancel" { state.isCancelled = true }
            return !state.isCancelled
        }
    }

    /// Reports bytes of the body; for a download or a completion handler they are kept until the end.
    func receive(_ bytes: Data) {
        state.withLock { state in
            state.received += bytes.count
            guard state.content != nil else {
                return parts(of: bytes, longest) { report(state, "didReceiveData", data: $1) }
            }
            state.content?.append(bytes)
            guard isDownload, !hasHandler else { return }
            report(state, "didWriteData", [
                "written": .integer(Int64(bytes.count)), "totalWritten": .integer(Int64(state.received)),
                "expected": state.head?["expectedLength"] ?? .integer(-1),
            ])
        }
    }

    /// Writes an event of the task; never after its completion.
    private func report(_ event: String, _ fields: [String: JSON]) { state.withLock { report($0, event, fields) } }

    private func report(_ state: State, _ event: String, _ fields: [String: JSON] = [:], data: Data? = nil) {
        if !state.isCompleted { emit(event, fields.merging(["task": .text(name)]) { $1 }, data: data) }
    }

    fileprivate func start<C: Client>(_ client: C, _ session: C.Session) {
        state.withLock { state in
            guard state.running == nil, !state.isCompleted else { return }
            state.running = Task.detached {
                var failure: Failure?
                do { try await client.load(session, self) }
                catch { failure = error as? Failure ?? client.classify(error, self) }
                self.state.withLock { self.complete(&$0, failure) }
            }
        }
    }

    fileprivate func cancel() {
        state.withLock { state in
            state.isCancelled = true
            if let running = state.running { running.cancel() } else { complete(&state, nil) }
        }
    }

    /// Completes the task once.
    private func complete(_ state: inout State, _ failure: Failure?) {
        if state.isCompleted { return }
        var end: [String: JSON] = [:]
        if let failure = state.isCancelled ? Failure(.cancelled, "cancelled") : failure {
            end["error"] = .object([
                "domain": "NSURLErrorDomain", "code": .integer(failure.code), "class": .text(failure.kind.rawValue),
                "text": .text(failure.text),
            ])
        } else {
            handOver(state)
            if hasHandler { end["response"] = .object(state.head ?? [:]) }
        }
        report(state, hasHandler ? "completionHandler" : "didComplete", end)
        state.isCompleted = true
    }

    private func handOver(_ state: State) {
        guard let content = state.content else { return }
        parts(of: content, piece) { offset, part in
            if isDownload { report(state, "fileContent", ["offset": .integer(Int64(offset))], data: part) }
            else { report(state, "didReceiveData", data: part) }
        }
        if isDownload, !hasHandler { report(state, "didFinishDownloading", ["length": .integer(Int64(content.count))]) }
    }
}

private func parts(of data: Data, _ length: Int, _ body: (Int, Data) -> Void) {
    for offset in stride(from: 0, to: data.count, by: length) { body(offset, Data(data.dropFirst(offset).prefix(length))) }
}

/// Reads commands until `end` or the end of the input.
func run<C: Client>(_ client: C) -> Never {
    var sessions: [String: C.Session] = [:]
    var tasks: [String: (task: LoadTask, session: C.Session)] = [:]
    let offered = Set(client.capabilities.split { $0.isWhitespace }.map(String.init))
    var isDeclined = false  // `unsupported` ends the run; later commands would only fail

    func perform(_ command: JSON) throws {
        func found<Value>(_ key: String, in values: [String: Value]) throws -> Value {
            guard let value = values[command.text(key) ?? ""] else { throw Failure(.other, "no such \(key)") }
            return value
        }
        switch command.text("command") {
        case "hello":
            var reply: [String: JSON] = [
                "implementation": .object(["name": .text(client.name), "version": .text(client.version), "language": "Swift"])
            ]
            let asked = command.list("capabilities").compactMap { if case .text(let name) = $0 { name } else { nil } }
            reply["capabilities"] = .object(Dictionary(asked.map { ($0, .flag(offered.contains($0))) }) { $1 })
            if let reports = client.reports { reply["reports"] = .list(reports.split { $0.isWhitespace }.map { .text(String($0)) }) }
            emit("hello", reply)
        case "makeSession":
            sessions[command.text("session") ?? ""] = try client.makeSession(command["configuration"] ?? .object([:]))
        case "makeTask":
            let kind = command.text("kind") ?? ""
            guard ["data", "upload", "download"].contains(kind) else { throw Unsupported(feature: "tasks of the kind \(kind)") }
            let session = try found("session", in: sessions)
            let task = LoadTask(command)
            try client.makeTask(session, task)
            tasks[task.name] = (task, session)
        case "resume":
            let (task, session) = try found("task", in: tasks)
            task.start(client, session)
        case "cancel" where offered.contains("cancel"): try found("task", in: tasks).task.cancel()
        case let name: throw Unsupported(feature: "the command \(name ?? "")")
        }
    }

    while let line = readLine() {
        guard let command = try? JSONDecoder().decode(JSON.self, from: Data(line.utf8)), command["v"] == .integer(version) else {
            FileHandle.standardError.write(Data("this adapter supports version \(version) of the protocol: \(line)\n".utf8))
            exit(1)
        }
        if command.text("command") == "end" { break }
        if isDeclined { continue }
        do { try perform(command) }
        catch let missing as Unsupported {
            isDeclined = true
            emit("unsupported", ["feature": .text(missing.feature)])
        } catch { emit("adapterFailed", ["message": .text("\(command.text("command") ?? ""): \(error)")]) }
    }
    exit(0)  // tasks may still run
}
