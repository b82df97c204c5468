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

    /// Returns how much processor time `process` waited for and used, and how much the whole machine used.
    package func processorUse(of process: Int32) -> ProcessorUse? {
        var question = NetlinkRequest(family, header: Layout.header(Layout.get))
        question.put(Layout.processGroup, UInt32(process))
        guard let reply = try? netlink.exchange(question, "querying taskstats", dump: false).first,
            let group = reply.attributes(after: Layout.headerSize)[Layout.groupAndStatistics],
            let statistics = NetlinkReply.attributes(in: group)[Layout.statistics],
            statistics.count >= Layout.processorTime.upperBound, let machine = TaskStatistics.machineTime
        else { return nil }
        return ProcessorUse(
            waited: Int64(clamping: UInt64(hostBytes: statistics[Layout.processorDelay])),
            used: Int64(clamping: UInt64(hostBytes: statistics[Layout.processorTime])), machine: machine)
    }

    /// The processor time that all programs and the hypervisor have used, from `/proc/stat`:
    /// `cpu  user nice system idle iowait irq softirq steal guest guest_nice` in hundredths of a second. `user` contains
    /// `guest`.
    private static var machineTime: Int64? {
        guard let line = ProcFile.text(of: "/proc/stat")?.split(separator: "\n").first else { return nil }
        let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { Int64($0) }
        guard ticks.count == 8 else { return nil }
        let idle = ticks[3] + ticks[4]
        return (ticks.reduce(0, +) - idle) * 10_000_000
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
        /// `cpu_run_real_total`
        static let processorTime = 64..<72

        /// `struct genlmsghdr`
        static func header(_ command: UInt8) -> [UInt8] { [command, 1, 0, 0] }
    }
}

/// Processor time in nanoseconds, at one moment.
package struct ProcessorUse: Hashable, Sendable {
    /// The time that the threads of a process together were runnable but not running.
    package var waited: Int64
    /// The time that its threads together were running.
    package var used: Int64
    /// The time that the processors of the machine together were busy.
    package var machine: Int64
    package init(waited: Int64, used: Int64, machine: Int64) {
        self.waited = waited
        self.used = used
        self.machine = machine
    }
}
