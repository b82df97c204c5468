import CNetlink
import Glibc

/// The reason why an operation on links, addresses, routes or queueing disciplines failed.
package enum NetlinkError: Error, Equatable, Sendable {
    /// The kernel refused; `explanation` is its own message (extended ack), if it sent one.
    case refused(operation: String, errno: CInt, explanation: String?)
    case noSuchInterface(String)
    /// The kernel lacks this queueing discipline, both built in and as a module that it can load.
    case missingQdisc(String)
    /// The request cannot be expressed, or this kernel does not support it.
    case unsupported(String)
    /// An error below netlink: a socket, a descriptor, a thread.
    case system(SystemCallError)
}

extension NetlinkError: CustomStringConvertible {
    package var description: String { problem + (fix.map { "; to fix it, \($0)" } ?? "") }

    /// The step that usually removes the cause.
    package var fix: String? {
        switch self {
        case .refused(_, let errno, _): SystemCallError(call: "", errno: errno).fix
        case .missingQdisc(let kind):
            "modprobe sch_\(kind), or install the kernel's extra modules, or choose the link engine 'emulator'"
        case .system(let error): error.fix
        case .noSuchInterface, .unsupported: nil
        }
    }

    /// The description without the fix.
    package var problem: String {
        switch self {
        case .refused(let operation, let errno, let explanation):
            let own = explanation.map { ": \($0)" } ?? ""
            return "\(operation) failed: \(SystemCallError.text(of: errno))\(own)"
        case .noSuchInterface(let name):
            return "this network namespace does not contain an interface \(name)"
        case .missingQdisc(let kind):
            return "this kernel lacks the queueing discipline '\(kind)'"
        case .unsupported(let what):
            return "not supported: \(what)"
        case .system(let error):
            return error.problem
        }
    }
}
