import LinkEmulator
import Record
import Synchronization

/// Counts the lab's own packets per interface, for an engine whose counters do not distinguish them.
final class ProbeTally: Sendable {
    private struct Place: Hashable {
        var kind: InterfaceKind
        var direction: LinkDirectionName
    }
    private let packets = Mutex<[Place: UInt64]>([:])

    /// Returns an observer that counts the packets of a measurement and passes its reports on.
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

    /// Returns a counter's packets without those of the lab. A link that goes down during a measurement drops probes
    /// that the interface never counted, so there may be more probes than counted packets.
    func leaving(of counted: UInt64, _ kind: InterfaceKind, _ direction: LinkDirectionName) -> UInt64 {
        let probes = packets.withLock { $0[Place(kind: kind, direction: direction)] ?? 0 }
        return counted - min(counted, probes)
    }

    func forget() { packets.withLock { $0.removeAll() } }
}
