import Foundation
import Testing

@testable import Harness

/// A Python program in a lab changes its own network through the library in `scripts/control/python`.
@Suite(
    .serialized,
    .enabled(if: SessionRun.canRun, "needs a machine that can build a lab (crosswind doctor), python3 and curl"))
struct ControlFromInsideTests {
    /// Runs the program in a lab and returns the lines that it printed.
    private func lines(_ body: String, options: [String] = []) throws -> [String] {
        let run = try SessionRun()
        defer { run.end() }
        let library = run.program.layout.folder + "/scripts/control/python/src"
        let script = try run.program.write(
            "inside.py",
            """
            import os, socket, sys, threading, urllib.request
            sys.path.insert(0, \(library.debugDescription))
            from crosswind_control import Network, Refused
            network = Network.current()

            def get(path, timeout=5):
                try:
                    return len(urllib.request.urlopen("http://api.test" + path, timeout=timeout).read())
                except Exception:
                    return "failed"

            def refused(body):
                try:
                    return body()
                except Refused as reason:
                    return str(reason)

            """ + body)
        let process = try run.start(["exec", "--network", "perfect"] + options + ["--", "python3", script])
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(run.errors)")
        return try run.program.text("output").split(separator: "\n").map(String.init)
    }

    @Test func `the program finds its own lab, takes an interface down and restores it`() throws {
        let found = try lines(
            """
            print(os.environ["CROSSWIND_CONTROL"], network.describe()["interfaces"])
            print(get("/hello"))
            print(network.wifi.down(), get("/hello"))
            print(network.reset(), get("/hello"))
            print(refused(lambda: network.wifi.set("dwon")))
            print(refused(lambda: network.cellular.down()))
            print(refused(lambda: network.after({"wifi": "down"}, event="a.didComplete")))
            """)
        try #require(found.count == 7)
        #expect(found[0] == "/mnt/crosswind.socket ['wifi']")
        #expect(Array(found[1...3]) == ["6", "['wifi down'] failed", "['wifi up'] 6"])
        #expect(found[4].contains("did you mean `down`") && found[5].contains("--interface cellular"))
        #expect(found[6].contains("cannot be observed"))
    }

    /// Without the variable, two running labs would be an error.
    @Test func `a command inside a lab changes that lab`() throws {
        let run = try SessionRun()
        defer { run.end() }
        _ = try run.start(["exec", "--", "sh", "-c", "touch other; while :; do sleep 0.1; done"])
        #expect(run.waitForFile("other"), "\(run.errors)")
        let program = run.program.layout.programFolder + "/crosswind"
        let process = try run.start(["exec", "--", program, "set", "wifi", "down"])
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(run.errors)")
        #expect(try run.program.text("output") == "wifi down\n")
    }

    @Test func `requests, queries and changes are listed, from the place that the program chooses`() throws {
        let found = try lines(
            """
            get("/hello")
            network.dns("gone.test", "nxdomain")
            network.begin()
            urllib.request.urlopen(urllib.request.Request("http://b.test/echo", b"a note", method="PUT")).read()
            for request in network.requests(): print(request.method, request.target, request.status, request.body)
            print({query.host for query in network.queries()}, network.changes())
            network.wifi.set("edge")
            for change in network.changes(): print(change.cause, change.changes[0].split(":")[0])
            """)
        #expect(found == ["PUT /echo 200 a note", "{'b.test'} []", "on request wifi edge"])
    }

    /// 300 packets are less than the file, so without the change the download would succeed.
    @Test func `changes at moments count from the request`() throws {
        let found = try lines(
            """
            get("/big")
            network.after({"wifi": "down"}, packet=300)
            print(get("/big", 3), network.changes()[-1].cause.startswith("packet "))
            network.reset()
            network.after({"wifi": "down"}, response_sent="64KiB")
            print(get("/big", 3), network.changes()[-1].cause)
            network.reset()
            network.after({"dns": {"*": "nxdomain"}}, query="api.test", count=1)
            print(get("/hello"), get("/hello"))
            network.reset()
            network.wait(since_start="100ms")
            waiting = threading.Thread(target=lambda: network.wait(request=1))
            waiting.start()
            while waiting.is_alive(): get("/hello")
            network.after({"wifi": "down"}, request=1)
            network.reset()
            print(get("/hello"), get("/hello"))
            """)
        // Three requests before: two of /big, and the present one.
        #expect(
            found == ["failed True", "failed byte 65536 of response 3", "6 failed", "6 6"], "\(found)")
    }

    @Test func `NAT64 is switched on and off while the program runs`() throws {
        let found = try lines(
            """
            def four():
                try:
                    socket.create_connection(("203.0.113.10", 80), 2).close()
                    return "IPv4"
                except OSError:
                    return "no IPv4"


            print(get("/hello"), four())
            print(network.nat64(), get("/hello"), four(), get("/big"))
            network.wifi.down(); network.wifi.up()
            print(get("/hello"), four())
            print(network.nat64(), network.reset()[0], get("/hello"), four())
            """)
        #expect(
            found == [
                "6 IPv4", "['NAT64 on'] 6 no IPv4 1048576", "6 no IPv4", "[] NAT64 off 6 IPv4",
            ])
    }

    @Test func `faults of the origin are replaced`() throws {
        let found = try lines(
            """
            print(network.faults([{"at": {"responseBody": 1000}, "do": "reset", "for": {"path": "/big", "first": 1}}]))
            print(get("/big"), get("/big"))
            network.faults([{"at": "responseHead", "do": "close"}])
            print(get("/hello"), network.faults([]), get("/hello"))
            network.faults([{"at": "responseHead", "do": "close"}])
            network.reset()
            print(get("/hello"))
            print(refused(lambda: network.faults([{"at": "responseHaed", "do": "close"}])))
            """)
        try #require(found.count == 5)
        #expect(
            Array(found[0...3])
                == ["['1 fault at the origin']", "failed 1048576", "failed ['0 faults at the origin'] 6", "6"])
        #expect(found[4].contains("responseHead"))
    }
}
