/// The direction in which a packet crosses a link.
package enum LinkDirectionName: String, CaseIterable, Hashable, Sendable {
    /// Towards the client.
    case downlink
    /// From the client.
    case uplink

    package var opposite: LinkDirectionName {
        switch self {
        case .uplink: .downlink
        case .downlink: .uplink
        }
    }
}

/// One value for each direction.
package struct PerDirection<Value: ~Copyable>: ~Copyable {
    package var uplink: Value
    package var downlink: Value

    package init(uplink: consuming Value, downlink: consuming Value) {
        self.uplink = uplink
        self.downlink = downlink
    }

    package subscript(_ direction: LinkDirectionName) -> Value {
        // Reading a member of a large value does not copy the value.
        _read {
            switch direction {
            case .uplink: yield uplink
            case .downlink: yield downlink
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

extension PerDirection: Copyable where Value: Copyable {}
extension PerDirection: Sendable where Value: Sendable & ~Copyable {}
extension PerDirection: Equatable where Value: Equatable {}
extension PerDirection: Hashable where Value: Hashable {}
