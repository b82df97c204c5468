import Foundation
import Testing

@testable import Harness

/// Checks for the means to run a program without privileges.
enum OrdinaryUser {
    static var canBeMade: Bool {
        getuid() == 0
            && ["/usr/bin/unshare", "/usr/bin/setpriv"].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
            && Doctor.examine().canRun
    }
}

/// The program without root: it creates namespaces of its own, and reports what is missing where the machine does not
/// permit them.
@Suite(.enabled(if: OrdinaryUser.canBeMade, "needs root, unshare and setpriv to become an ordinary user"))
struct OrdinaryUserTests {
    /// Runs `command` as user 65534 in a copy that this user can read, with a TUN device of this mode and separate
    /// mounts.
    private func run(tunMode: String, _ command: String) throws -> (status: Int32, output: String) {
        let program = try BuiltProgram()
        defer { program.remove() }
        let script = """
            set -e
            mknod "$D/tun" c 10 200; chmod \(tunMode) "$D/tun"; mount --bind "$D/tun" /dev/net/tun
            cp -r "$BIN/crosswind" "$HOME_FOLDER/Scenarios" "$HOME_FOLDER/scripts" "$D/"; chmod -R a+rX "$D"; chmod a+w "$D" "$D/tmp"
            cd "$D"
            exec setpriv --reuid 65534 --regid 65534 --clear-groups env HOME="$D/tmp" CROSSWIND_HOME="$D" \(command)
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["-m", "bash", "-c", script]
        process.environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "D": program.folder,
            "BIN": program.layout.programFolder,
            "HOME_FOLDER": program.layout.folder, "TMPDIR": program.folder + "/tmp",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    @Test func `scenarios run with a world-accessible TUN device, with NAT64 too`() throws {
        let (status, output) = try run(
            tunMode: "666",
            "./crosswind run Scenarios/order/data-task.yaml Scenarios/nat64/by-name.yaml --adapter python --out out")
        #expect(status == 0, "\(output)")
        #expect(output.contains("2 passed"))
    }

    @Test func `without an accessible TUN device the reason and the fix are reported with status 3`() throws {
        let (status, output) = try run(
            tunMode: "600", "./crosswind run Scenarios/order/data-task.yaml --adapter python --out out")
        #expect(status == 3, "\(output)")
        #expect(output.contains("/dev/net/tun") && output.contains("chmod 666 /dev/net/tun"))
    }

    @Test func `doctor checks with the rights of a run`() throws {
        let (status, output) = try run(tunMode: "666", "./crosswind doctor")
        #expect(status == 0, "\(output)")
        #expect(output.contains("ok       TUN devices"))
    }
}
