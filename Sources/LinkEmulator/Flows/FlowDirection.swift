/// The direction in which a packet crosses the interface.
package enum FlowDirection: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// Uplink: from the client.
    case uplink
    /// Downlink: towards the client.
    case downlink

    package var opposite: FlowDirection {
        switch self {
        case .uplink: .downlink
        case .downlink: .uplink
        }
    }
}

/// One value for each direction.
struct PerDirection<Value> {
    var uplink: Value
    var downlink: Value

    subscript(_ direction: FlowDirection) -> Value {
        get {
            switch direction {
            case .uplink: uplink
            case .downlink: downlink
            }
        }
        _modify {
            switch direction {
            case .uplink: yield &uplink
            case .downlink: yield &downlink
            }
        }
    }
}

extension PerDirection: Sendable where Value: Sendable {}
extension PerDirection: Equatable where Value: Equatable {}
extension PerDirection: Hashable where Value: Hashable {}
