import Foundation
import Testing

@testable import Harness

/// Without root the program runs in a network from which the host's network is unreachable; forwards and a second
/// terminal must work all the same.
@Suite(
    .enabled(
        if: OrdinaryUser.canBeMade && SessionRun.canRun,
        "needs root, unshare and setpriv to become an ordinary user, python3 and curl"))
struct OrdinaryUserForwardTests {
    @Test func `a host server responds, host names resolve, and the helper process ends with the lab`() throws {
        let run = try SessionRun()
        defer { run.end() }
        let port = try run.startHostServer()
        let (layout, folder) = (run.program.layout, run.program.folder)
        // The second terminal is outside the lab, in which the sockets of labs are hidden.
        _ = try run.program.write(
            "both.sh",
            """
            ./crosswind exec --network perfect --forward a.test:80=localhost:\(port) \
            --forward b.test:443=127.0.0.1:\(port),tls=terminate -- timeout 60 sh -c \
            'curl -sS -m 10 http://a.test/1; echo; curl -sS -m 10 https://b.test/2; echo; touch ready; \
            until [ -e changed ]; do sleep 0.05; done; curl -s -m 1 http://a.test/; echo $?' &
            timeout 60 sh -c 'until [ -e ready ]; do sleep 0.05; done'
            ./crosswind set wifi down
            touch changed
            wait
            """)
        let script = """
            set -e
            mknod "$D/tun" c 10 200; chmod 666 "$D/tun"; mount --bind "$D/tun" /dev/net/tun
            cp -r "$BIN/crosswind" "$HOME_FOLDER/Scenarios" "$HOME_FOLDER/scripts" "$D/"
            mkdir "$D/mine"; chown 65534 "$D/mine"; chmod 700 "$D/mine"; chmod -R a+rX "$D"; chmod a+w "$D" "$D/tmp"; cd "$D"
            exec setpriv --reuid 65534 --regid 65534 --clear-groups \
            env HOME="$D/tmp" CROSSWIND_HOME="$D" XDG_RUNTIME_DIR="$D/mine" bash ./both.sh
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["-m", "bash", "-c", script]
        process.environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "D": folder, "BIN": layout.programFolder,
            "HOME_FOLDER": layout.folder, "TMPDIR": folder + "/tmp",
        ]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let reported = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let lines = said.split(separator: "\n").map(String.init)
        #expect(lines.prefix(3) == ["from the host /1", "from the host /2", "wifi down"], "\(said)\(reported)")
        // curl: 6 or 28, because the name server cannot be reached any more.
        #expect(["6", "28", "7"].contains(lines.last ?? ""))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/mine/crosswind") == [])
        let helpers = try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { name in
            guard let bytes = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else { return false }
            return String(decoding: bytes, as: UTF8.self).contains("127.0.0.1:\(port),tls=terminate")
        }
        #expect(helpers == [])
    }
}
