import CNetlink
import NetworkMonitor

/// The kernel's accounting of processes (taskstats, `Documentation/accounting/taskstats.rst`).
///
/// Unlike the files of `/proc/PID/task`, a query leaves nothing behind that must be cleaned up when the process ends.
package final class TaskStatistics: Sendable {
    private let netlink: NetlinkSocket
    private let family: Int

    /// Opens the accounting; nil if the kernel does not provide it, or provides it to root only.
    package init?() {
        do throws(NetlinkError) {
            netlink = try NetlinkSocket(in: nil, protocol: Layout.generic)
            var question = NetlinkRequest(Layout.controller, header: Layout.header(Layout.getFamily))
            question.put(Layout.familyName, "TASKSTATS")
            let reply = try netlink.exchange(question, "querying taskstats", dump: false).first
            guard let number = reply?.attributes(after: Layout.headerSize)[Layout.familyNumber] else { return nil }
            family = Int(UInt16(hostBytes: number[..<2]))
        } catch {
            return nil
        }
    }

    /// Returns the time that the threads of `process` together were runnable but not running, in nanoseconds.
    package func runQueueDelay(of process: Int32) -> Int64? {
        var question = NetlinkRequest(family, header: Layout.header(Layout.get))
        question.put(Layout.processGroup, UInt32(process))
        guard let reply = try? netlink.exchange(question, "querying taskstats", dump: false).first,
            let group = reply.attributes(after: Layout.headerSize)[Layout.groupAndStatistics],
            let statistics = NetlinkReply.attributes(in: group)[Layout.statistics],
            statistics.count >= Layout.processorDelay.upperBound
        else { return nil }
        return Int64(UInt64(hostBytes: statistics[Layout.processorDelay]))
    }

    /// <linux/genetlink.h> and <linux/taskstats.h>
    private enum Layout {
        static let generic: CInt = 16
        static let controller = 16
        static let getFamily: UInt8 = 3
        static let familyNumber = 1
        static let familyName = 2
        static let get: UInt8 = 1
        static let processGroup = 2
        static let statistics = 3
        static let groupAndStatistics = 5
        static let headerSize = 4
        /// `cpu_delay_total`
        static let processorDelay = 24..<32

        /// `struct genlmsghdr`
        static func header(_ command: UInt8) -> [UInt8] { [command, 1, 0, 0] }
    }
}
