import Foundation

/// What sysfs knows of an interface and netlink does not say.
package enum InterfaceFacts {
    /// `/sys/class/net/<name>/uevent` holds a line `DEVTYPE=` for devices that are no plain Ethernet. nil without the file, as in a mount
    /// namespace without sysfs.
    package static func deviceType(of name: String) -> String? {
        guard !name.contains("/"),
            let text = try? String(contentsOfFile: "/sys/class/net/\(name)/uevent", encoding: .utf8)
        else { return nil }
        return text.split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }.map { String($0.dropFirst(8)) }
    }
}
