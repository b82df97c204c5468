import CNetlink
import Glibc
import InternetAddresses
package import NetworkMonitor

extension NetlinkSocket {
    /// Waits until an interface that is up actually sends, and receives for its addresses. Returns false at `deadline`.
    ///
    /// Call it for both ends of a link, after adding the addresses. Two steps are completed by kernel workers after the
    /// calls have returned, and a packet lost to them costs the second until the neighbour is queried again:
    /// - The end that was set up first is activated some time after the other one. Until then its discipline is `noop`.
    /// - The local route of an IPv6 address is created by the worker for duplicate address detection, even with
    ///   `nodad`.
    package func waitUntilReady(_ index: CInt, until deadline: Int64) throws(NetlinkError) -> Bool {
        try wait(until: deadline) { () throws(NetlinkError) in try isReady(index) }
    }

    /// Waits until the kernel has noticed that an interface has, or lacks, what it needs to run; its monitors are
    /// notified from then on. The kernel checks at most once a second for a lost carrier. An interface that is down has
    /// no such transition.
    package func waitUntilRunning(_ index: CInt, _ isRunning: Bool) throws(NetlinkError) {
        let deadline = MonotonicClock.deadline(after: 3_000_000_000)
        let noticed = try wait(until: deadline) { () throws(NetlinkError) in
            let link = try link(index)
            return !link.isUp || link.isRunning == isRunning
        }
        guard noticed else {
            throw .unsupported("the kernel has not noticed the carrier within 3 s; the machine may be overloaded")
        }
    }

    private func wait(
        until deadline: Int64, _ isDone: () throws(NetlinkError) -> Bool
    ) throws(NetlinkError) -> Bool {
        while try !isDone() {
            let now = MonotonicClock.now()
            if now >= deadline { return false }
            do throws(SystemCallError) {
                var pause = try Poller.make(capacity: 1)
                try pause.wait(until: min(deadline, now + 100_000)) { _ in }
            } catch {
                throw .system(error)
            }
        }
        return true
    }

    private func isReady(_ index: CInt) throws(NetlinkError) -> Bool {
        let link = try link(index)
        guard link.hasCarrier, link.rootQdisc != "noop" else { return false }
        // The kernel's own link-local address takes a second or more of duplicate address detection, and nothing here
        // waits for it.
        for entry in try addresses(of: index) where entry.prefix.address.isV6 && !entry.prefix.address.isLinkLocal {
            let receives = try isLocal(entry.prefix.address)
            guard receives, !entry.isTentative else { return false }
        }
        return true
    }

    /// Returns true if the kernel would deliver a packet for `address` locally.
    private func isLocal(_ address: IPAddress) throws(NetlinkError) -> Bool {
        // struct rtmsg
        let header: [UInt8] = [UInt8(AF_INET6), 128] + [UInt8](repeating: 0, count: 10)
        var request = NetlinkRequest(RTM_GETROUTE, header: header)
        request.put(Int(RTA_DST.rawValue), bytes: address.bytes)
        do throws(NetlinkError) {
            let reply = try exchange(request, "querying the route to \(address)", dump: false).first
            return reply?.header(12)?[7] == UInt8(RTN_LOCAL)
        } catch {
            guard case .refused(_, ENETUNREACH, _) = error else { throw error }
            return false
        }
    }
}
