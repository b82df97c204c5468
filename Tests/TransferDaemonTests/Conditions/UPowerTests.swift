import Foundation
import Glibc
import Testing
import TransferProtocol

@testable import TransferDaemon

/// A `dbus-daemon` of the test, and a service with the name and the properties of UPower.
private final class PrivateBus {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("upower-\(UUID().uuidString)")
    private var processes: [Process] = []

    var environment: [String: String] { ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path)/bus,guid=0"] }
    /// Exists after the bus has started the service by itself.
    var wasStarted: Bool { FileManager.default.fileExists(atPath: folder.path + "/started") }

    /// Returns once the bus listens. Programs can start the service by a call.
    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let configuration = """
            <busconfig><type>session</type><listen>unix:path=\(folder.path)/bus</listen><auth>EXTERNAL</auth>
            <servicedir>\(folder.path)</servicedir>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            <allow own="*"/><allow user="*"/></policy></busconfig>
            """
        try Data(configuration.utf8).write(to: folder.appendingPathComponent("configuration"))
        let service = "[D-BUS Service]\nName=org.freedesktop.UPower\nExec=/usr/bin/touch \(folder.path)/started\n"
        try Data(service.utf8).write(to: folder.appendingPathComponent("org.freedesktop.UPower.service"))
        _ = try start([
            "/usr/bin/env", "dbus-daemon", "--config-file=\(folder.path)/configuration", "--nofork", "--nopidfile",
            "--print-address",
        ])
    }

    /// Ends the bus and the service.
    func end() {
        for process in processes.reversed() { end(process) }
        try? FileManager.default.removeItem(at: folder)
    }

    /// Programs inherit the signals that the thread of a test blocks, SIGTERM among them.
    func end(_ process: Process) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Starts a service that has these values, and returns once it owns the name of UPower.
    func serve(onBattery: Bool, isPresent: Bool, percentage: Double) throws -> Process {
        // The library GLib, and thus another implementation of the protocol.
        let script = """
            import sys
            from gi.repository import Gio, GLib
            values = {"OnBattery": GLib.Variant("b", sys.argv[2] == "true"),
                "IsPresent": GLib.Variant("b", sys.argv[3] == "true"), "Percentage": GLib.Variant("d", float(sys.argv[4]))}
            flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
            bus = Gio.DBusConnection.new_for_address_sync("unix:path=" + sys.argv[1], flags, None, None)
            node = Gio.DBusNodeInfo.new_for_xml('''<node><interface name="org.freedesktop.UPower">
                <property name="OnBattery" type="b" access="read"/></interface>
                <interface name="org.freedesktop.UPower.Device"><property name="IsPresent" type="b" access="read"/>
                <property name="Percentage" type="d" access="read"/></interface></node>''')
            path = "/org/freedesktop/UPower"
            for place, interface in zip((path, path + "/devices/DisplayDevice"), node.interfaces):
                bus.register_object(place, interface, None, lambda *call: values[call[4]], None)
            def acquired(*_): print("ready", flush=True)
            Gio.bus_own_name_on_connection(bus, "org.freedesktop.UPower", Gio.BusNameOwnerFlags.NONE, acquired, None)
            GLib.MainLoop().run()
            """
        return try start([
            "/usr/bin/python3", "-c", script, folder.path + "/bus", "\(onBattery)", "\(isPresent)", "\(percentage)",
        ])
    }

    /// Starts a program and waits for its first output.
    private func start(_ command: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        processes.append(process)
        try #require(!output.fileHandleForReading.availableData.isEmpty, "\(command.prefix(2)) ended")
        return process
    }
}

private func messages(_ replies: (serial: UInt8, bytes: [UInt8])...) -> [UInt8] {
    replies.flatMap { serial, bytes in
        var bytes = bytes
        // The field with the serial of the call is the last of GLib's header.
        let fields = 16 + Int(bytes[12])
        bytes[fields - 4] = serial
        return bytes
    }
}

@Suite struct UPowerTests {
    private let accepted = Array("DATA\r\nOK 0123456789abcdef0123456789abcdef\r\n".utf8)

    /// GLib's messages: 42.5 %, and on battery. The rows leave out each reply once, or replace it by an error.
    @Test(arguments: [
        (
            messages((2, GLibMessage.boolean), (3, GLibMessage.boolean), (4, GLibMessage.double)),
            UPowerExchange.Progress.power(PowerSupply(hasExternalPower: false, batteryLevel: 0.425))
        ),
        // Replies of different services may overtake each other, so the order does not matter.
        (
            messages(
                (4, GLibMessage.double), (3, GLibMessage.boolean), (1, GLibMessage.boolean), (2, GLibMessage.boolean)),
            .power(PowerSupply(hasExternalPower: false, batteryLevel: 0.425))
        ),
        (
            messages((2, GLibMessage.boolean), (3, GLibMessage.error), (4, GLibMessage.double)),
            .power(PowerSupply(hasExternalPower: false, batteryLevel: nil))
        ),
        (
            messages((2, GLibMessage.boolean), (3, GLibMessage.boolean), (4, GLibMessage.error)),
            .power(PowerSupply(hasExternalPower: false, batteryLevel: nil))
        ),
        (messages((2, GLibMessage.boolean), (3, GLibMessage.boolean)), .incomplete),
        (messages((2, GLibMessage.boolean), (4, GLibMessage.double)), .incomplete),
        (messages((3, GLibMessage.boolean), (4, GLibMessage.double)), .incomplete),
        // Values of other types than those of UPower.
        (messages((2, GLibMessage.double), (3, GLibMessage.boolean), (4, GLibMessage.double)), .absent),
        (messages((1, GLibMessage.error)), .absent), (messages((2, GLibMessage.error)), .absent), ([0], .absent),
    ]) func `the replies give the power`(replies: [UInt8], expected: UPowerExchange.Progress) {
        var exchange = UPowerExchange()
        #expect(exchange.receive(accepted + replies) == expected)
        // The same, byte by byte.
        var slow = UPowerExchange()
        var last = UPowerExchange.Progress.incomplete
        for byte in accepted + replies where last == .incomplete { last = slow.receive([byte]) }
        #expect(last == expected)
    }

    @Test(arguments: [-.infinity, .nan, .signalingNaN, .infinity, -5, 250, 1e308] as [Double])
    func `a percentage that UPower never has gives a level within its range, or none`(percentage: Double) {
        var reply = GLibMessage.double
        for index in 0..<8 {
            reply[reply.count - 8 + index] = UInt8(truncatingIfNeeded: percentage.bitPattern >> (8 * UInt64(index)))
        }
        var exchange = UPowerExchange()
        let replies = messages((2, GLibMessage.boolean), (3, GLibMessage.boolean), (4, reply))
        let level: Double? = percentage.isFinite ? (percentage < 0 ? 0 : 1) : nil
        #expect(
            exchange.receive(accepted + replies) == .power(PowerSupply(hasExternalPower: false, batteryLevel: level)))
    }

    @Test func `a bus that refuses or sends too much counts as absent`() {
        for line in ["REJECTED EXTERNAL\r\n", "ERROR\r\n", "\r\n", "HTTP/1.1 400 Bad Request\r\n"] {
            var exchange = UPowerExchange()
            #expect(exchange.receive(Array(line.utf8)) == .absent)
        }
        var endless = UPowerExchange()
        let block = [UInt8](repeating: UInt8(ascii: "D"), count: 32 << 10)
        #expect(endless.receive(block) == .incomplete)
        #expect(endless.receive(block) == .incomplete)
        #expect(endless.receive([0]) == .absent)
    }

    @Test(
        arguments: [
            ([:], "/run/dbus/system_bus_socket"), (["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/a%20b,guid=1"], "/a b"),
            (["DBUS_SYSTEM_BUS_ADDRESS": "tcp:host=::1,port=1;unix:guid=1,path=/c;unix:path=/d"], "/c"),
            (["DBUS_SYSTEM_BUS_ADDRESS": "unix:abstract=/e"], nil), (["DBUS_SYSTEM_BUS_ADDRESS": ""], nil),
            (["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/%zz"], nil),
        ] as [([String: String], String?)])
    func `the address of the bus gives the path of its socket`(environment: [String: String], path: String?) {
        #expect(UPower.socketPath(environment) == path)
    }

    /// The bus and the service are programs of other projects, so they prove that the bytes are D-Bus.
    @Test func `a real bus passes the power of a service with the name of UPower`() throws {
        let bus = try PrivateBus()
        defer { bus.end() }
        // Without a service the reply is an error, and the bus does not start one. The time is that of a busy machine.
        #expect(UPower.read(environment: bus.environment, timeout: .seconds(30)) == nil)
        #expect(!bus.wasStarted)
        let ups = try bus.serve(onBattery: true, isPresent: true, percentage: 41)
        #expect(
            UPower.read(environment: bus.environment, timeout: .seconds(30))
                == PowerSupply(hasExternalPower: false, batteryLevel: 0.41))
        bus.end(ups)
        // A desktop: UPower reports 0 % of a battery that does not exist.
        _ = try bus.serve(onBattery: false, isPresent: false, percentage: 0)
        #expect(
            UPower.read(environment: bus.environment, timeout: .seconds(30))
                == PowerSupply(hasExternalPower: true, batteryLevel: nil))
    }

    /// Without a limit the second and the third call would never return. 10 s is the time that a busy machine may take.
    @Test func `a bus that is absent, silent or full does not delay the reader`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/bus"
        let environment = ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(path)"]
        let elapsed = try ContinuousClock().measure {
            #expect(UPower.read(environment: environment, timeout: .milliseconds(100)) == nil)
            let listener = try LocalSocket.listen(at: path)
            // The kernel accepts the connection, and nothing reads from it.
            #expect(UPower.read(environment: environment, timeout: .milliseconds(100)) == nil)
            var waiting: [LocalSocket] = []
            while waiting.count < 1_000, let next = try? LocalSocket.connect(to: path, waits: false) {
                waiting.append(next)
            }
            #expect(waiting.count < 1_000)
            #expect(UPower.read(environment: environment, timeout: .milliseconds(100)) == nil)
            listener.shutDown()
        }
        #expect(elapsed < .seconds(10))
    }
}
