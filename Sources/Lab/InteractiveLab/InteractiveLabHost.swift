import NetworkMonitor
import LabKernel
package import LinkEngines

/// The network in which the program was started, in which forwarded connections continue.
package final class InteractiveLabHost: Sendable {
    let network: HostNetwork

    /// Must be called before `Privilege.acquire`, which may move the program to a network from which the host's network
    /// cannot be reached.
    package static func forkBroker() throws(LabError) {
        do throws(SystemCallError) { try HostNetwork.forkBroker() } catch {
            throw .machine(
                "the host's network cannot be kept accessible: \(error)", fix: "omit --forward, or run as root")
        }
    }

    /// Must be called once, after `Privilege.acquire`.
    package init() throws(LabError) {
        do throws(SystemCallError) { network = try HostNetwork.open() } catch { throw .failed("\(error)") }
    }
}

/// The size of the terminal.
package enum Screen {
    /// Rows and columns of standard output; nil when it is not a terminal.
    package static var size: (rows: Int, columns: Int)? { TerminalSize.of(1) }
}
