import Dispatch
import LinkEmulator
import LinuxNet
import Scenario
import Synchronization

/// What other threads ask of the emulator's thread.
enum PumpOrder: Sendable {
    case attach(InterfaceKind, TunPair, up: LinkParameters, down: LinkParameters, FilterRules)
    case attachTranslator(TranslatorDevice, NAT64Translator)
    case change(InterfaceKind, up: LinkParameters, down: LinkParameters, FilterRules)
    /// Ends connections, and tells which.
    case cut(ConnectionCut)
    /// Reports what the traffic met since the last change.
    case measure(InterfaceKind)
    /// Reports the packet counts of every interface.
    case count
    /// Fills in what every link has carried, without disturbing its measurement.
    case traffic(TrafficAnswer)
    /// A mark that was told has been acted on.
    case goOn
    case stop
}

/// Filled in by the emulator's thread.
final class TrafficAnswer: Sendable {
    private let found = Mutex<[LinkTraffic]>([])
    func add(_ traffic: LinkTraffic) { found.withLock { $0.append(traffic) } }
    var all: [LinkTraffic] { found.withLock { $0 } }
}

/// Orders on their way to the emulator's thread, each with a flag that is raised once it is in force.
final class PumpMailbox: Sendable {
    struct Entry: Sendable {
        var order: PumpOrder
        var done: DispatchSemaphore
    }

    private let entries = Mutex<[Entry]>([])
    private let waker: Waker

    init() throws(SystemCallError) { waker = try Waker.make() }

    /// Returns at once; the pump may be gone already.
    func post(_ order: PumpOrder) { _ = enter(order) }

    private func enter(_ order: PumpOrder) -> Entry {
        let entry = Entry(order: order, done: DispatchSemaphore(value: 0))
        entries.withLock { $0.append(entry) }
        waker.wake()
        return entry
    }

    /// Returns when the order is in force.
    func perform(_ order: PumpOrder) {
        let entry = enter(order)
        // The bound only matters when the pump's thread has died, which its observer has been told.
        _ = entry.done.wait(timeout: .now() + .seconds(10))
    }

    /// By the pump: returns when there is an order, or at the deadline.
    func wait(until deadline: Int64) throws(SystemCallError) {
        _ = try waker.withRaw { raw throws(SystemCallError) in try Poller.wait(for: raw, .readable, until: deadline) }
    }

    func take() -> [Entry] {
        _ = waker.clear()
        return entries.withLock { entries in
            let taken = entries
            entries.removeAll()
            return taken
        }
    }

    func register(in poller: borrowing Poller, token: UInt64) throws(SystemCallError) {
        try waker.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .readable, token: token) }
    }
}
