import NIOCore
package import Record
package import ScenarioLanguage

/// A proxy's side of one connection without a socket: the client's bytes in, the bytes sent to either side and the
/// facts out. Every target can be reached.
package struct ProxyPlayback {
    private var machine: ProxyMachine
    private var state: ProxyState
    package private(set) var facts: [ProxyFact.Event] = []
    package private(set) var toClient: [UInt8] = []
    package private(set) var toTarget: [UInt8] = []

    package init(plan: ProxyPlan) {
        state = ProxyState(plan: plan, seed: 1)
        machine = ProxyMachine(number: state.countConnection(), name: plan.name)
        handle(.opened(client: "192.0.2.1", port: 1))
    }

    package mutating func receive(_ bytes: ArraySlice<UInt8>) { handle(.bytes(.uplink, ByteBuffer(bytes: bytes))) }

    private mutating func handle(_ input: ProxyInput) {
        var inputs = [input]
        while let next = inputs.popLast() {
            for action in machine.handle(next, at: 0, &state) {
                switch action {
                case .write(.uplink, let bytes): toTarget += bytes.readableBytesView
                case .write(.downlink, let bytes): toClient += bytes.readableBytesView
                case .dial:
                    inputs.insert(
                        .dialed(
                            .success(
                                ProxyConnection(
                                    descriptor: -1, localAddress: "192.0.2.2", localPort: 2, remoteAddress: "192.0.2.3",
                                    remotePort: 3))),
                        at: 0)
                case .record(let event): facts.append(event)
                case .startTLS, .finish, .close, .reset, .read, .start: break
                }
            }
        }
    }
}
