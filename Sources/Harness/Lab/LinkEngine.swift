import LinuxNet
import Scenario

/// What makes the condition of a link real. Both engines mean the same by the same condition, or refuse it by name.
protocol LinkEngine: AnyObject {
    /// Makes the two ends of one interface's link, `linuxName` in the client namespace and its counterpart in the internet
    /// namespace, both down, under the condition given.
    func makeLink(_ kind: InterfaceKind, client: NetworkNamespace, internet: NetworkNamespace, _ link: LinkState)
        throws(HarnessError)
    /// Puts another condition in force; returns when it is.
    func change(_ kind: InterfaceKind, _ link: LinkState) throws(HarnessError)
    /// Whether addresses have to be resolved on the link, so that the lab must make the neighbours known.
    var hasNeighbours: Bool { get }
    /// Ends connections that cross an interface; returns when it is done.
    func cut(_ cut: ConnectionCut) throws(HarnessError)
    /// What a packet mark triggered is in force, so the network may go on. One call for each mark that was told.
    func goOn()
    /// What a link lets through at once after a pause; a serial line lets nothing.
    var burst: LinkBurst { get }
    /// Tells what the traffic of this interface met since the last change.
    func measure(_ kind: InterfaceKind)
    /// Tells the packet counts of every interface.
    func count()
    /// What every link has carried, as it stands now.
    func traffic() -> [LinkTraffic]
    /// Lets everything go.
    func stop()
}

/// How the cable of an interface is pulled.
enum LinkCable: Hashable, Sendable {
    /// Either device can be told that it has no carrier, and there are no neighbours to make known.
    case device
    /// Ethernet: the far end goes down.
    case farEnd
}

/// Bytes that a link lets through at once, by its rate.
typealias LinkBurst = @Sendable (BitRate) -> Int

/// A link's condition as the engine has to make it.
struct LinkState: Hashable, Sendable {
    var plan: LinkPlan
    /// The black hole: what is sent is swallowed without a word, both ways.
    var swallowsEverything: Bool
}

extension InterfaceKind {
    /// The name of the far end, in the internet namespace.
    var networkName: String { "\(linuxName)-isp" }
}

/// Which engine to use.
package enum EngineChoice: String, CaseIterable, Hashable, Sendable {
    /// The emulator where TUN devices can be made, else the kernel's.
    case auto
    case emulator
    case kernel
}
