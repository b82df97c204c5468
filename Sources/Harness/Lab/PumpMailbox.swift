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

    let inbox: Inbox<Entry>

    init() throws(SystemCallError) { inbox = try Inbox() }

    /// Returns at once; the pump may be gone already.
    func post(_ order: PumpOrder) { inbox.tell(Entry(order: order, done: DispatchSemaphore(value: 0))) }

    /// Returns when the order is in force.
    func perform(_ order: PumpOrder) {
        let entry = Entry(order: order, done: DispatchSemaphore(value: 0))
        inbox.tell(entry)
        // The bound only matters when the pump's thread has died, which its observer has been told.
        _ = entry.done.wait(timeout: .now() + .seconds(10))
    }
}
