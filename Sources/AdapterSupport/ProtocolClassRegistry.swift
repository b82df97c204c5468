package import AdapterProtocol
package import Foundation
package import FoundationNetworking
import Synchronization

/// A type for each protocol class of the script. The methods that decide which requests a class takes are class methods
/// without an instance, so each class of the script must be a distinct Swift class: a generic one, specialised for one
/// of these slots.
package protocol ProtocolSlot: SendableMetatype { static var depth: Int { get } }

package enum FirstSlot: ProtocolSlot { package static var depth: Int { 0 } }

package enum NextSlot<Before: ProtocolSlot>: ProtocolSlot { package static var depth: Int { Before.depth + 1 } }

/// The scripts of the protocol classes, by their slots.
package enum ProtocolClassRegistry {
    struct Script: Sendable {
        /// The position in its session's list, from 1.
        var number: Int
        var session: SessionName
        var protocolClass: ProtocolClass
        var output: EventOutput

        /// Reports that the class loads. `task` is nil when the implementation does not pass the task to the class.
        func reportLoad(of url: URL?, for task: TaskName?) {
            let text = url?.absoluteString ?? ""
            guard let task else {
                return output.emit(.log("class \(number) of \(session) loads \(text) without knowing the task"))
            }
            output.emit(task, .protocolLoad(number: number, url: text))
        }
    }

    private struct State: Sendable {
        var scripts: [Int: Script] = [:]
        var next: any ProtocolSlot.Type = FirstSlot.self
    }

    private static let state = Mutex(State())

    /// Returns a slot that no other class has.
    static func register(_ script: Script) -> any ProtocolSlot.Type {
        state.withLock { state in
            let slot = state.next
            state.scripts[slot.depth] = script
            state.next = following(slot)
            return slot
        }
    }

    static func script(of slot: any ProtocolSlot.Type) -> Script? { state.withLock { $0.scripts[slot.depth] } }

    package static func canHandle(_ url: URL?, _ slot: any ProtocolSlot.Type) -> Bool {
        guard let url, let asked = script(of: slot)?.protocolClass else { return false }
        return (asked.scheme.map { $0 == url.scheme?.lowercased() } ?? true)
            && (asked.host.map { $0 == url.host?.lowercased() } ?? true)
    }

    private static func following(_ slot: any ProtocolSlot.Type) -> any ProtocolSlot.Type {
        func next<Slot: ProtocolSlot>(_ slot: Slot.Type) -> any ProtocolSlot.Type { NextSlot<Slot>.self }
        return next(slot)
    }
}

/// An object of a protocol class of the script, which loads one request.
package protocol ScriptedLoad: AnyObject {
    var request: URLRequest { get }
    /// The name of its task; nil when the implementation does not pass the task to the class.
    var taskName: TaskName? { get }
    func receive(_ response: URLResponse)
    func receive(_ data: Data)
    func complete(_ error: (any Error)?)
    /// Loads the response with a task of another session.
    func forward(to target: URL)
}

extension ScriptedLoad {
    /// Loads the request as the script of the slot requires.
    package func start(_ slot: any ProtocolSlot.Type) {
        guard let script = ProtocolClassRegistry.script(of: slot), let url = request.url else { return }
        script.reportLoad(of: url, for: taskName)
        switch script.protocolClass.response {
        case .canned(let status, let headers, let body):
            let fields = Dictionary(headers.map { ($0.name, $0.value) }) { "\($0), \($1)" }
            guard
                let response = HTTPURLResponse(
                    url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
            else { return }
            receive(response)
            if !body.isEmpty { receive(Data(body)) }
            complete(nil)
        case .forwarded(let target):
            if let target = URL(string: target) { forward(to: target) }
        }
    }
}
