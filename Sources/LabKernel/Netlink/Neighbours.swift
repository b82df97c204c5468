import CNetlink
import Glibc
package import InternetAddresses
package import NetworkMonitor

extension NetlinkSocket {
    /// Adds a permanent neighbour, so that ARP or neighbour discovery does not delay the first packet.
    package func setPermanentNeighbour(
        _ address: IPAddress, hardwareAddress: [UInt8], on index: CInt
    ) throws(NetlinkError) {
        // struct ndmsg
        let header: [UInt8] =
            [UInt8(address.isV6 ? AF_INET6 : AF_INET), 0, 0, 0] + index.hostBytes
            + UInt16(NUD_PERMANENT).hostBytes + [0, UInt8(RTN_UNICAST)]
        var request = NetlinkRequest(RTM_NEWNEIGH, flags: NLM_F_CREATE | NLM_F_REPLACE, header: header)
        request.put(Int(NDA_DST), bytes: address.bytes)
        request.put(Int(NDA_LLADDR), bytes: hardwareAddress)
        try send(request, "setting neighbour \(address)")
    }

    package func removeNeighbour(_ address: IPAddress, on index: CInt) throws(NetlinkError) {
        let header: [UInt8] =
            [UInt8(address.isV6 ? AF_INET6 : AF_INET), 0, 0, 0] + index.hostBytes + UInt16(0).hostBytes + [0, 0]
        var request = NetlinkRequest(RTM_DELNEIGH, header: header)
        request.put(Int(NDA_DST), bytes: address.bytes)
        try send(request, "removing neighbour \(address)")
    }
}
