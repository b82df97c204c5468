package import LabKernel
package import LinkEmulator
package import Record
package import ScenarioLanguage

/// Realises the conditions of links. Both engines implement a condition with the same meaning, or refuse it by name.
package protocol LinkEngine: AnyObject {
    var name: String { get }
    /// Creates the two ends of one interface's link, `linuxName` in the client namespace and its counterpart in the
    /// internet namespace, both down, under the given condition.
    func makeLink(_ kind: InterfaceKind, client: NetworkNamespace, internet: NetworkNamespace, _ link: LinkState)
        throws(LabError)
    /// Applies another condition; returns when it is in force.
    func change(_ kind: InterfaceKind, _ link: LinkState) throws(LabError)
    /// True when addresses have to be resolved on the link, so that the lab must configure the neighbours.
    var hasNeighbours: Bool { get }
    /// Ends connections that cross an interface; returns when it is done.
    func kill(_ cut: ConnectionKillPlan) throws(LabError)
    /// Adds a breakpoint at the k-th packet of this interface and direction from now. Returns the packet's number since
    /// the start.
    func addBreakpoint(_ kind: InterfaceKind, _ direction: LinkDirectionName, packetsFromNow count: Int)
        throws(LabError) -> Int
    /// Resumes the network after the changes of a packet mark are in force. Called once for each reported mark.
    func resume()
    /// The number of bytes that a link lets through at once after a pause; none for a serial line.
    var burst: LinkBurst { get }
    /// Starts to count packets as the client's; those of the lab's own probes so far are excluded.
    func startCounting() throws(LabError)
    /// Returns the observer for a measurement during the run, whose packets must not count as the client's.
    func probeObserver(before observer: @escaping LinkObserver) -> LinkObserver
    /// Reports the measurements on the traffic of this interface since the last change.
    func measure(_ kind: InterfaceKind)
    /// Reports the packet counts of every interface.
    func count()
    /// Returns what every link has carried so far.
    func traffic() -> [LinkTraffic]
    /// Releases all links.
    func stop()
}

/// The way in which the cable of an interface is unplugged.
package enum LinkCable: Hashable, Sendable {
    /// Both devices can be set to have their carrier off, and neighbours need not be configured.
    case device
    /// Ethernet: the far end goes down.
    case farEnd
}

/// Returns the bytes that a link lets through at once, depending on its rate.
package typealias LinkBurst = @Sendable (BitRate) -> Int

/// The condition of a link for the engine.
package struct LinkState: Hashable, Sendable {
    package var plan: LinkPlan
    /// A black hole: every packet is silently dropped, in both directions.
    package var swallowsEverything: Bool

    package init(plan: LinkPlan, swallowsEverything: Bool) {
        self.plan = plan
        self.swallowsEverything = swallowsEverything
    }
}

extension InterfaceKind {
    /// The name of the far end, in the internet namespace.
    package var networkName: String { "\(linuxName)-isp" }
}

/// The link engine to use.
package enum EngineChoice: String, CaseIterable, Hashable, Sendable {
    /// The emulator where TUN devices can be created, else the kernel engine.
    case auto
    case emulator
    case kernel
}
