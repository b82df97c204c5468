import Foundation
import Testing

@testable import TransferDaemon

struct SupplyRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Folders with the content of their files, as the kernel writes them, with a line end.
    let supplies: [String: [String: String]]
    /// nil where the kernel does not list a battery of the machine.
    let power: PowerSupply?

    /// A row of a machine with a battery.
    init(
        testDescription: String, supplies: [String: [String: String]], hasExternalPower: Bool, batteryLevel: Double?
    ) {
        self.testDescription = testDescription
        self.supplies = supplies
        power = PowerSupply(hasExternalPower: hasExternalPower, batteryLevel: batteryLevel)
    }

    init(withoutBattery testDescription: String, supplies: [String: [String: String]]) {
        self.testDescription = testDescription
        self.supplies = supplies
        power = nil
    }
}

private func battery(_ status: String, _ capacity: String) -> [String: String] {
    ["type": "Battery", "status": status, "capacity": capacity]
}

private let offline = ["type": "Mains", "online": "0"]

private let rows: [SupplyRow] = [
    SupplyRow(withoutBattery: "no supply", supplies: [:]),
    SupplyRow(
        withoutBattery: "desktop with a port that could be charged from",
        supplies: ["usb": ["type": "USB", "online": "0"]]),
    SupplyRow(
        testDescription: "laptop on mains",
        supplies: ["AC": ["type": "Mains", "online": "1"], "BAT0": battery("Charging", "50")], hasExternalPower: true,
        batteryLevel: 0.5),
    SupplyRow(
        testDescription: "laptop on battery", supplies: ["AC": offline, "BAT0": battery("Discharging", "7")],
        hasExternalPower: false, batteryLevel: 0.07),
    SupplyRow(
        testDescription: "full battery without a mains supply", supplies: ["BAT0": battery("Full", "100")],
        hasExternalPower: true, batteryLevel: 1),
    SupplyRow(
        testDescription: "battery without a mains supply", supplies: ["BAT0": battery("Discharging", "99")],
        hasExternalPower: false, batteryLevel: 0.99),
    SupplyRow(
        testDescription: "two batteries, charged over USB",
        supplies: [
            "BAT0": battery("Discharging", "20"), "BAT1": battery("Charging", "80"),
            "usb": ["type": "USB", "online": "2"],
        ], hasExternalPower: true, batteryLevel: 0.5),
    SupplyRow(
        withoutBattery: "desktop with the battery of a mouse",
        supplies: ["hid": battery("Discharging", "3").merging(["scope": "Device"]) { $1 }]),
    SupplyRow(
        withoutBattery: "empty bay of a battery",
        supplies: ["AC": offline, "BAT1": ["type": "Battery", "present": "0", "status": "Discharging"]]),
    SupplyRow(
        testDescription: "unreadable capacity", supplies: ["AC": offline, "BAT0": battery("Discharging", "full")],
        hasExternalPower: false, batteryLevel: nil),
    SupplyRow(
        testDescription: "capacity beyond its range",
        supplies: ["AC": offline, "BAT0": battery("Discharging", "130")], hasExternalPower: false, batteryLevel: 1),
]

@Suite struct PowerSupplyTests {
    @Test(arguments: rows) func `the supplies of the kernel show power and level`(_ row: SupplyRow) throws {
        let folder = NSTemporaryDirectory() + "power-supply-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for (name, files) in row.supplies {
            try FileManager.default.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
            for (file, text) in files {
                try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)/\(file)"))
            }
        }
        #expect(PowerSupply.read(folder) == row.power)
    }
}
