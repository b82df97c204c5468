import Dispatch
import LinkEmulator
import NetworkMonitor
import Record
import ScenarioLanguage
import Synchronization

/// Orders from other threads to the emulator's thread.
enum PumpCommand: Sendable {
    case attach(InterfaceKind, TunPair, PerDirection<LinkParameters>)
    case change(InterfaceKind, PerDirection<LinkParameters>)
    /// Ends connections and reports which.
    case kill(ConnectionKillPlan)
    /// Reports the measurements on the traffic since the last change.
    case measure(InterfaceKind)
    /// Reports the packet counts of every interface.
    case count
    /// Fills in what every link has carried, without disturbing its measurement.
    case traffic(TrafficReply)
    /// Adds a breakpoint at the k-th packet from now, and fills in its number.
    case addBreakpoint(InterfaceKind, LinkDirectionName, packetsFromNow: Int, PacketNumberReply)
    /// The changes of a reported mark are in force.
    case resume
    case stop
}

/// A reply that the emulator's thread fills in.
final class TrafficReply: Sendable {
    private let found = Mutex<[LinkTraffic]>([])
    func add(_ traffic: LinkTraffic) { found.withLock { $0.append(traffic) } }
    var all: [LinkTraffic] { found.withLock { $0 } }
}

/// The number of a packet that the emulator's thread fills in; nil while the interface does not exist.
final class PacketNumberReply: Sendable {
    private let found = Mutex<Int?>(nil)
    var number: Int? {
        get { found.withLock { $0 } }
        set { found.withLock { $0 = newValue } }
    }
}

/// The queue of orders for the emulator's thread; each has a semaphore that is signalled when it is in force.
final class CommandQueue: Sendable {
    struct Entry: Sendable {
        var order: PumpCommand
        var done: DispatchSemaphore
    }

    let inbox: Inbox<Entry>

    init() throws(SystemCallError) { inbox = try Inbox() }

    /// Posts an order and returns at once; the pump may have ended already.
    func post(_ order: PumpCommand) { inbox.post(Entry(order: order, done: DispatchSemaphore(value: 0))) }

    /// Posts an order and returns when it is in force.
    func perform(_ order: PumpCommand) {
        let entry = Entry(order: order, done: DispatchSemaphore(value: 0))
        inbox.post(entry)
        // The timeout applies only when the pump's thread has failed, which it has reported to its observer.
        _ = entry.done.wait(timeout: .now() + .seconds(10))
    }
}
