package import AdapterProtocol
package import Foundation
import Synchronization

/// A type for each protocol class of the script. The methods that decide which requests a class takes are class methods
/// without an instance, so each class of the script must be a distinct Swift class: a generic one, specialised for one
/// of these slots.
package protocol ProtocolSlot: SendableMetatype { static var depth: Int { get } }

package enum FirstSlot: ProtocolSlot { package static var depth: Int { 0 } }

package enum NextSlot<Before: ProtocolSlot>: ProtocolSlot { package static var depth: Int { Before.depth + 1 } }

/// The scripts of the protocol classes, by their slots.
package enum ProtocolClassRegistry {
    package struct Script: Sendable {
        /// The position in its session's list, from 1.
        package var number: Int
        package var session: SessionName
        package var protocolClass: ProtocolClass
        package var output: EventOutput

        package init(number: Int, session: SessionName, protocolClass: ProtocolClass, output: EventOutput) {
            self.number = number
            self.session = session
            self.protocolClass = protocolClass
            self.output = output
        }

        /// Reports that the class loads. `task` is nil when the implementation does not pass the task to the class.
        package func reportLoad(of url: URL?, for task: TaskName?) {
            let text = url?.absoluteString ?? ""
            guard let task else {
                return output.emit(.log("class \(number) of \(session) loads \(text) for a task that it is not told"))
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
    package static func register(_ script: Script) -> any ProtocolSlot.Type {
        state.withLock { state in
            let slot = state.next
            state.scripts[slot.depth] = script
            state.next = following(slot)
            return slot
        }
    }

    package static func script(of slot: any ProtocolSlot.Type) -> Script? { state.withLock { $0.scripts[slot.depth] } }

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
