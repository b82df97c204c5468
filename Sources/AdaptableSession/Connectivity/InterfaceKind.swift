/// The kind of an interface, derived from its Linux name and the driver's device type in sysfs.
package enum InterfaceKind: String, Hashable, Sendable, CaseIterable {
    case loopback, wired, wifi, cellular, vpn, other

    /// Detects the kind by the names that drivers and network managers assign (including systemd's predictable names);
    /// nil for any other name.
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

    /// Detects the kind by `DEVTYPE=` of the device's uevent file; nil for any other type.
    package init?(deviceType: String) {
        switch deviceType {
        case "wlan": self = .wifi
        case "wwan": self = .cellular
        case "wireguard": self = .vpn
        default: return nil
        }
    }
}
