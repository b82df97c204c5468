import InternetAddresses
import Testing
@testable import LabKernel
@testable import NetworkMonitor

/// The expected bytes are the kernel's structures on a little-endian machine, written out by hand.
struct NetlinkRequestTests {
    @Test func `attributes carry their length and are padded to four bytes`() {
        var request = NetlinkRequest(16, header: [1, 2, 3])
        request.put(5, "ab")
        #expect(request.body == [1, 2, 3, 0, 7, 0, 5, 0, 0x61, 0x62, 0, 0])
    }

    @Test func `a nested attribute has the length of its contents`() {
        var request = NetlinkRequest(16, header: [])
        request.nest(9) { nest in
            nest.put(1, UInt32(0x0102_0304))
            nest.put(2, UInt8(7))
        }
        #expect(request.body == [20, 0, 9, 0, 8, 0, 1, 0, 4, 3, 2, 1, 5, 0, 2, 0, 7, 0, 0, 0])
    }

    @Test func `attributes can be read back`() {
        var request = NetlinkRequest(16, header: [0, 0, 0, 0])
        request.put(3, "wlan0")
        request.nest(4) { $0.put(1, UInt16(500)) }
        let reply = NetlinkReply(type: 16, body: request.body)
        let found = reply.attributes(after: 4)
        #expect(found[3]?.netlinkText == "wlan0")
        #expect(found[4].map { NetlinkReply.attributes(in: $0) } == [1: [0xF4, 1]])
    }

    @Test func `a damaged attribute ends the list without a crash`() {
        #expect(NetlinkReply.attributes(in: [8, 0, 1, 0, 1, 2, 3, 4, 200, 0, 2, 0]) == [1: [1, 2, 3, 4]])
        #expect(NetlinkReply.attributes(in: [0, 0, 1, 0]).isEmpty)
        #expect(NetlinkReply.attributes(in: [8, 0]).isEmpty)
    }

    @Test func `a default route contains its gateway and no destination`() throws {
        let route = Route(to: .allV4, .gateway(.v4(0x0A00_0001), interface: 3, onLink: true), metric: 100)
        #expect(
            route.request(24, 0).body == [
                2, 0, 0, 0, 254, 4, 0, 1, 4, 0, 0, 0,  // rtmsg: AF_INET, main table, static, universe, unicast, on-link
                8, 0, 15, 0, 254, 0, 0, 0,  // RTA_TABLE
                8, 0, 6, 0, 100, 0, 0, 0,  // RTA_PRIORITY
                8, 0, 5, 0, 10, 0, 0, 1,  // RTA_GATEWAY
                8, 0, 4, 0, 3, 0, 0, 0,  // RTA_OIF
            ])
    }
}
