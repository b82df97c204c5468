import Foundation
import Lab
import LinkEngines
import NetworkMonitor

/// The time to set up and stop a lab, next to the same topology created with `ip`.
enum LabBenchmark {
    static func measure(_ options: BenchOptions) throws -> [Measurement] {
        let count = options.repetitions(31)
        var up: [EngineChoice: [Double]] = [:]
        var down: [EngineChoice: [Double]] = [:]
        var commands: (up: [Double], down: [Double]) = ([], [])
        try BenchLab.make(.emulator).stop()  // The first lab loads code and kernel tables.
        // The measurements alternate, so that all run under the same load.
        for turn in 0..<count {
            for engine in [EngineChoice.emulator, .kernel] {
                var lab: Lab?
                up[engine, default: []].append(try milliseconds { lab = try BenchLab.make(engine) })
                down[engine, default: []].append(
                    milliseconds {
                        lab?.stop()
                        lab = nil
                    })
            }
            if turn < options.repetitions(11), let taken = try withCommands() {
                commands.up.append(taken.up)
                commands.down.append(taken.down)
            }
        }
        let peers = (
            Measurement("the same by `ip`: up", .milliseconds, commands.up),
            Measurement("the same by `ip`: down", .milliseconds, commands.down)
        )
        return [
            Measurement("lab up, emulator", .milliseconds, up[.emulator] ?? [], against: peers.0),
            Measurement("lab up, kernel engine", .milliseconds, up[.kernel] ?? [], against: peers.0), peers.0,
            Measurement("lab down, emulator", .milliseconds, down[.emulator] ?? [], against: peers.1),
            Measurement("lab down, kernel engine", .milliseconds, down[.kernel] ?? [], against: peers.1), peers.1,
        ]
    }

    /// Returns nil if `ip` is missing or may not name namespaces (which requires root).
    private static func withCommands() throws -> (up: Double, down: Double)? {
        let (near, far) = ("cw-bench-\(getpid())-a", "cw-bench-\(getpid())-b")
        let up = """
            ip netns add \(near); ip netns add \(far)
            ip -n \(near) link set lo up; ip -n \(far) link set lo up
            ip -n \(near) link add wlan0 type veth peer name wlan0-isp netns \(far)
            ip -n \(near) link set wlan0 up; ip -n \(far) link set wlan0-isp up
            ip -n \(near) addr add 192.0.2.2/24 dev wlan0; ip -n \(far) addr add 192.0.2.1/24 dev wlan0-isp
            ip -n \(near) addr add 2001:db8:1::2/64 dev wlan0 nodad; ip -n \(far) addr add 2001:db8:1::1/64 dev wlan0-isp nodad
            ip -n \(near) route add default via 192.0.2.1; ip -n \(near) route add default via 2001:db8:1::1
            """
        let down = "ip netns del \(near); ip netns del \(far)"
        var succeeded = true
        let upTime = try milliseconds { succeeded = try shell(up) }
        let downTime = try milliseconds { succeeded = try shell(down) && succeeded }
        return succeeded ? (upTime, downTime) : nil
    }

    private static func shell(_ script: String) throws -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "set -e\n\(script)"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let begun = MonotonicClock.now()
        try body()
        return Double(MonotonicClock.now() - begun) / 1e6
    }
}
