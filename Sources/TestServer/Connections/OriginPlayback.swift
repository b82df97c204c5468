import GeneratedBodies
import NIOCore
package import Record
package import ScenarioLanguage

/// The origin's side of one connection without a socket: bytes in, bytes and facts out; every write is accepted
/// immediately, and time does not pass.
package struct OriginPlayback {
    private var machine: ConnectionMachine
    private var origin: OriginState
    /// The facts about requests and responses, in order.
    package private(set) var facts: [ServerFact] = []
    package private(set) var written: [UInt8] = []
    /// True once the origin has ended the connection or is about to.
    package private(set) var isEnding = false

    package init(plan: OriginPlan) {
        origin = OriginState(plan: plan, seed: 1, breakpoints: [], limits: OriginLimits())
        machine = ConnectionMachine(number: origin.countConnection(), isSecure: false)
        handle(.opened(client: "192.0.2.1", port: 1))
    }

    package mutating func receive(_ bytes: ArraySlice<UInt8>) { handle(.bytes(ByteBuffer(bytes: bytes))) }

    private mutating func handle(_ input: ConnectionInput) {
        var inputs = [input]
        while let next = inputs.popLast() {
            for action in machine.handle(next, at: 0, &origin) {
                switch action {
                case .write(.bytes(let bytes)), .writeRaw(let bytes):
                    written += bytes
                    inputs.insert(.written, at: 0)
                case .write(.pattern(let key, let from, let count)):
                    written += PatternBody.bytes(key: key, from: from, count: count)
                    inputs.insert(.written, at: 0)
                case .record(let fact): facts.append(fact)
                case .countUnacknowledged: inputs.insert(.unacknowledged(0), at: 0)
                case .finish, .close, .reset: isEnding = true
                case .startTLS, .read, .start, .cancel, .flood: break
                }
            }
        }
    }
}
