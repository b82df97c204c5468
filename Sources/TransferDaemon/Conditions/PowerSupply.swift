import Foundation

/// The power of the machine, read from the kernel's list of power supplies
/// (Documentation/ABI/testing/sysfs-class-power), or from UPower where that list lacks a battery.
///
/// sysfs does not announce a change of these files to inotify, so the reader has to read again while a task waits for
/// power.
package struct PowerSupply: Hashable, Sendable {
    package static let folder = "/sys/class/power_supply"

    package var hasExternalPower: Bool
    /// 0…1, the mean of all batteries of the machine; nil without one.
    package var batteryLevel: Double?

    /// The power of a machine without a known battery.
    package static let external = PowerSupply(hasExternalPower: true, batteryLevel: nil)

    package init(hasExternalPower: Bool, batteryLevel: Double?) {
        self.hasExternalPower = hasExternalPower
        self.batteryLevel = batteryLevel
    }

    /// Reads the supplies below a folder. Returns nil without a battery of the machine, or without the folder: the kernel
    /// then does not know whether a UPS supplies the machine.
    package static func read(_ folder: String = PowerSupply.folder) -> PowerSupply? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        var levels: [Double] = []
        var isOnline = false
        var hasBattery = false
        var isDischarging = false
        for name in names {
            func value(_ file: String) -> String? {
                let text = try? String(contentsOfFile: "\(folder)/\(name)/\(file)", encoding: .utf8)
                return text?.trimmingCharacters(in: .whitespacesAndNewlines)
            }
            // A mouse or a headset.
            guard value("scope") != "Device" else { continue }
            switch value("type") {
            case "Battery":
                guard value("present") != "0" else { continue }
                hasBattery = true
                if let level = value("capacity").flatMap(Double.init) { levels.append(min(max(level / 100, 0), 1)) }
                if value("status") == "Discharging" { isDischarging = true }
            case "Mains", "USB", "Wireless": if let online = value("online"), online != "0" { isOnline = true }
            default: break
            }
        }
        guard hasBattery else { return nil }
        // Some machines list no mains supply; then the battery shows whether it is charged.
        return PowerSupply(
            hasExternalPower: isOnline || !isDischarging,
            batteryLevel: levels.isEmpty ? nil : levels.reduce(0, +) / Double(levels.count))
    }
}
