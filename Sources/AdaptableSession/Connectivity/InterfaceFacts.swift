import Foundation

/// Facts about an interface that sysfs has and netlink does not report.
package enum InterfaceFacts {
    /// Returns the value of the line `DEVTYPE=` in `/sys/class/net/<name>/uevent`, which exists for devices other than
    /// plain Ethernet. nil without the file, as in a mount namespace without sysfs.
    package static func deviceType(of name: String) -> String? {
        guard !name.contains("/"),
            let text = try? String(contentsOfFile: "/sys/class/net/\(name)/uevent", encoding: .utf8)
        else { return nil }
        return text.split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }.map { String($0.dropFirst(8)) }
    }
}
