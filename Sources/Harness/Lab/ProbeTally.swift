import Scenario
import Synchronization

/// Counts the lab's own packets that were handed to an interface, for an engine whose counters cannot tell them apart.
final class ProbeTally: Sendable {
    private struct Place: Hashable {
        var kind: InterfaceKind
        var direction: LinkDirectionName
    }
    private let packets = Mutex<[Place: UInt64]>([:])

    /// An observer that counts what a measurement tells and passes it on.
    func counting(before observer: @escaping LinkObserver) -> LinkObserver {
        { observation in
            if case .fact(.conditionMeasured(let kind, let direction, let measured)) = observation {
                self.packets.withLock {
                    $0[Place(kind: kind, direction: direction), default: 0] += UInt64(max(0, measured.packets))
                }
            }
            observer(observation)
        }
    }

    /// What of a counter's packets was not the lab's. A link that goes down in the midst of a measurement takes probes with it that
    /// the interface never counted, so there may be more of them than the counter has.
    func leaving(of counted: UInt64, _ kind: InterfaceKind, _ direction: LinkDirectionName) -> UInt64 {
        let probes = packets.withLock { $0[Place(kind: kind, direction: direction)] ?? 0 }
        return counted - min(counted, probes)
    }

    func forget() { packets.withLock { $0.removeAll() } }
}
