/// The direction in which a packet crosses the interface.
package enum FlowDirection: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// Uplink: from the client.
    case up
    /// Downlink: towards the client.
    case down

    package var opposite: FlowDirection {
        switch self {
        case .up: .down
        case .down: .up
        }
    }
}

/// One value for each direction.
struct PerDirection<Value> {
    var up: Value
    var down: Value

    subscript(_ direction: FlowDirection) -> Value {
        get {
            switch direction {
            case .up: up
            case .down: down
            }
        }
        _modify {
            switch direction {
            case .up: yield &up
            case .down: yield &down
            }
        }
    }
}

extension PerDirection: Sendable where Value: Sendable {}
extension PerDirection: Equatable where Value: Equatable {}
extension PerDirection: Hashable where Value: Hashable {}
