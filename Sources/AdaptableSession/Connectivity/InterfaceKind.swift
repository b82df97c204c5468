/// What an interface is, as its Linux name and the driver's words in sysfs say.
package enum InterfaceKind: String, Hashable, Sendable, CaseIterable {
    case loopback, wired, wifi, cellular, vpn, other

    /// By the names that drivers and network managers give (systemd's predictable ones included); nil for any other.
    package init?(name: String) {
        func begins(_ prefixes: String...) -> Bool { prefixes.contains { name.hasPrefix($0) } }
        if name == "lo" {
            self = .loopback
        } else if begins("wwan", "wwp", "wws", "wwx", "rmnet", "ccmni", "cdc-wdm") {
            self = .cellular
        } else if begins("wlan", "wlp", "wls", "wlx", "wlo", "wifi") {
            self = .wifi
        } else if begins("tun", "tap", "wg", "ipsec", "xfrm", "vti", "nordlynx", "tailscale", "utun") {
            self = .vpn
        } else if begins("eth", "enp", "ens", "eno", "enx", "end", "enc", "usb") {
            self = .wired
        } else {
            return nil
        }
    }

    /// By `DEVTYPE=` of the device's uevent file; nil when it says nothing of these.
    package init?(deviceType: String) {
        switch deviceType {
        case "wlan": self = .wifi
        case "wwan": self = .cellular
        case "wireguard": self = .vpn
        default: return nil
        }
    }
}
