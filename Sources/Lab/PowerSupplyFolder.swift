import Foundation
import LabKernel
import LinkEngines
import Record

/// The client's `/sys/class/power_supply` (Documentation/ABI/testing/sysfs-class-power of Linux): a mains adapter and a
/// battery, whose files change while the program runs.
enum PowerSupplyFolder {
    static let path = "/sys/class/power_supply"

    static func overlay(_ state: PowerState) -> SpawnRequest.Overlay { .device(path: path, files: files(state)) }

    private static func files(_ state: PowerState) -> [String: [UInt8]] {
        let status = !state.isExternal ? "Discharging" : state.battery < 100 ? "Charging" : "Full"
        let texts = [
            "AC/type": "Mains", "AC/online": state.isExternal ? "1" : "0", "BAT0/type": "Battery",
            "BAT0/scope": "System", "BAT0/present": "1", "BAT0/capacity": "\(state.battery)", "BAT0/status": status,
        ]
        return texts.mapValues { Array("\($0)\n".utf8) }
    }

    /// Writes the state for the running program. Each file is replaced at once, so that no reader finds it empty.
    static func write(_ state: PowerState, for process: SpawnedProcess) throws(LabError) {
        do {
            for (name, contents) in files(state) {
                let file = URL(fileURLWithPath: process.fileSystemRoot + path + "/" + name)
                try Data(contents).write(to: file, options: .atomic)
            }
        } catch {
            // The program has ended, and its files no longer exist.
            guard FileManager.default.fileExists(atPath: process.fileSystemRoot) else { return }
            throw .failed("the program's \(path) cannot be written: \(error.localizedDescription)")
        }
    }
}
