import LinuxNet

/// The network in which the program was started, where forwarded connections go on.
package final class SessionHost: Sendable {
    let network: HostNetwork

    /// Before `Privilege.acquire`, which may move the program to a network from which the first cannot be reached.
    package static func stayReachable() throws(HarnessError) {
        do throws(SystemCallError) { try HostNetwork.stayReachable() } catch {
            throw .machine("the host's network cannot be kept at hand: \(error)", mend: "leave --forward out, or run as root")
        }
    }

    /// After it; once.
    package init() throws(HarnessError) {
        do throws(SystemCallError) { network = try HostNetwork.open() } catch { throw .lab("\(error)") }
    }
}

/// How much room there is to draw in.
package enum Screen {
    /// Rows and columns of standard output; nil when it is no terminal.
    package static var size: (rows: Int, columns: Int)? { TerminalSize.of(1) }
}
