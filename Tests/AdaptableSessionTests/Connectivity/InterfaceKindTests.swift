import AdaptableSession
import Testing

@Suite struct InterfaceKindTests {
    @Test(arguments: [
        ("lo", InterfaceKind.loopback), ("eth0", .wired), ("enp3s0", .wired), ("eno1", .wired), ("wlan0", .wifi),
        ("wlp2s0", .wifi),
        ("wwan0", .cellular), ("wwp0s20", .cellular), ("rmnet_data0", .cellular), ("tun0", .vpn), ("wg0", .vpn),
        ("tailscale0", .vpn),
    ])
    func `a Linux interface name determines the kind`(_ name: String, _ kind: InterfaceKind) {
        #expect(InterfaceKind(name: name) == kind)
    }

    @Test func `for other names the driver determines the kind`() {
        #expect(InterfaceKind(name: "br-12ab") == nil)
        #expect(InterfaceKind(deviceType: "wlan") == .wifi)
        #expect(InterfaceKind(deviceType: "wwan") == .cellular)
        #expect(InterfaceKind(deviceType: "bridge") == nil)
        #expect(InterfaceFacts.deviceType(of: "no-such-interface") == nil)
        #expect(InterfaceFacts.deviceType(of: "../../../etc") == nil)
    }
}
