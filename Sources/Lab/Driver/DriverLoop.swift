import LabKernel
package import LinkEngines
package import NetworkMonitor
package import Record
import ScenarioLanguage

/// An event of a lab's servers or links, which may reach a trigger.
package enum LabEvent: Hashable, Sendable {
    case server(ServerFact)
    case name(DNSFact)
    case proxy(ProxyFact)
    /// A packet that a trigger names reached its link, and the network waits.
    case breakpoint(PacketBreakpoint)
    /// The launch command was run.
    case relaunch
}

/// Messages from other threads to the thread of a lab.
package enum LabMessage: Sendable {
    case event(LabEvent)
    /// A request from another terminal.
    case control(ControlRequest, ControlServer.Reply)
    /// The harness itself failed.
    case failed(String)
    /// The lab has to end: Ctrl-C was pressed, or the terminal was closed.
    case stopped
}

/// The program inside a lab, or the servers without one, and the rules that it is driven by.
package protocol LabDriverDelegate: AnyObject {
    var hasEnded: Bool { get }
    /// The time by which `tick` must be called.
    var nextDeadline: Int64 { get }
    /// Adds the program's own descriptors; their tokens are lower than `DriverLoop.inboxToken`.
    func register(in poller: borrowing Poller) throws(SystemCallError)
    func handle(_ event: Poller.Event, in poller: borrowing Poller) throws(SystemCallError)
    /// Handles a message; every change that it causes must be in force on return.
    func handle(_ message: LabMessage)
    /// Handles the passing of time. Called after all messages and events that were ready.
    func tick(_ now: Int64, in poller: borrowing Poller) throws(SystemCallError)
}

/// The loop of the one thread that changes a lab or its servers, and its messages.
package struct DriverLoop: Sendable {
    package let inbox: Inbox<LabMessage>
    private let stopSignal: StopSignal

    package static let inboxToken: UInt64 = 100

    init(stop: StopSignal) throws(LabError) {
        do throws(SystemCallError) { inbox = try Inbox() } catch { throw .failed("\(error)") }
        stopSignal = stop
    }

    /// Sends a server's fact to the loop if it may reach a trigger.
    func post(_ fact: RecordEntry.Fact) {
        if let event = LabEvent(fact) { inbox.post(.event(event)) }
    }

    /// Waits for the delegate's descriptors, messages and the clock until the delegate has ended. Calls `finish` after
    /// the delegate has handled a message.
    func run(_ delegate: some LabDriverDelegate, finish: (LabMessage) -> Void = { _ in }) throws(SystemCallError) {
        stopSignal.register(inbox)
        defer { stopSignal.forget(inbox) }
        var poller = try Poller.make()
        try inbox.register(in: poller, token: DriverLoop.inboxToken)
        try delegate.register(in: poller)
        try delegate.tick(MonotonicClock.now(), in: poller)
        while !delegate.hasEnded {
            var ready: [Poller.Event] = []
            try poller.wait(until: delegate.nextDeadline) { ready.append($0) }
            for event in ready {
                guard event.token == DriverLoop.inboxToken else {
                    try delegate.handle(event, in: poller)
                    continue
                }
                for message in inbox.drain() {
                    delegate.handle(message)
                    finish(message)
                }
            }
            try delegate.tick(MonotonicClock.now(), in: poller)
        }
    }
}

extension LabEvent {
    fileprivate init?(_ fact: RecordEntry.Fact) {
        switch fact {
        case .server(let fact): self = .server(fact)
        case .name(let fact): self = .name(fact)
        case .proxy(let fact): self = .proxy(fact)
        default: return nil
        }
    }
}
