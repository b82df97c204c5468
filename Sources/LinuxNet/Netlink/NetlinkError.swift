import CNetlink
import Glibc

/// Why something about links, addresses, routes or queueing disciplines could not be done.
package enum NetlinkError: Error, Equatable, Sendable {
    /// The kernel refused; `explanation` is its own sentence (extended ack) when it gave one.
    case refused(operation: String, errno: CInt, explanation: String?)
    case noSuchInterface(String)
    /// The kernel has no such queueing discipline, neither built in nor as a module that it may load.
    case missingQdisc(String)
    /// Cannot be expressed, or this kernel does not know it.
    case unsupported(String)
    /// Below netlink: a socket, a descriptor, a thread.
    case system(SystemCallError)
}

extension NetlinkError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused(let operation, let errno, let explanation):
            let own = explanation.map { ": \($0)" } ?? ""
            let hint = SystemCallError(call: "", errno: errno).mend.map { "; to mend it, \($0)" } ?? ""
            return "\(operation) was refused: \(SystemCallError.text(of: errno))\(own)\(hint)"
        case .noSuchInterface(let name):
            return "there is no interface \(name) in this network namespace"
        case .missingQdisc(let kind):
            return "this kernel has no queueing discipline '\(kind)'; to mend it, modprobe sch_\(kind)"
                + ", or install the kernel's extra modules, or choose the link engine 'emulator'"
        case .unsupported(let what):
            return "not supported: \(what)"
        case .system(let error):
            return error.description
        }
    }
}
