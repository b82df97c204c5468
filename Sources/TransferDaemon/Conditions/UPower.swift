import CLinux
import Foundation
import TransferProtocol

/// The power as UPower knows it, for example of a UPS that the kernel does not list, and in a container that has the
/// system bus but not the files of the machine.
enum UPower {
    /// The longest time for all steps of a question. A reply takes a few milliseconds.
    static let timeout = Duration.milliseconds(500)

    /// Asks UPower; nil if it does not run, and after any failure. Blocks for at most `timeout`.
    static func read(
        environment: [String: String] = ProcessInfo.processInfo.environment, timeout: Duration = UPower.timeout
    ) -> PowerSupply? {
        let deadline = cw_monotonic_now() + timeout.nanoseconds
        guard let path = socketPath(environment), let socket = try? LocalSocket.connect(to: path, waits: false),
            socket.send(UPowerExchange.questions)
        else { return nil }
        var exchange = UPowerExchange()
        while cw_poll_one(socket.descriptor, CW_READABLE.rawValue, deadline) > 0, let bytes = socket.receive() {
            switch exchange.receive(bytes) {
            case .incomplete where cw_monotonic_now() < deadline: continue
            case .incomplete, .absent: return nil
            case .power(let power): return power
            }
        }
        return nil
    }

    /// Returns the path of the system bus: the first one of DBUS_SYSTEM_BUS_ADDRESS, or the usual one without the variable
    /// (D-Bus Specification, "Server Addresses" and "System message bus"). Addresses without a path are not supported.
    static func socketPath(_ environment: [String: String]) -> String? {
        guard let addresses = environment["DBUS_SYSTEM_BUS_ADDRESS"] else { return "/run/dbus/system_bus_socket" }
        for address in addresses.split(separator: ";") where address.hasPrefix("unix:") {
            for pair in address.dropFirst("unix:".count).split(separator: ",") where pair.hasPrefix("path=") {
                return String(pair.dropFirst("path=".count)).removingPercentEncoding
            }
        }
        return nil
    }
}

/// The conversation with the system bus in which UPower is asked, as a value: the questions are sent at once, and the
/// replies are read as they arrive.
struct UPowerExchange {
    enum Progress: Hashable {
        case incomplete
        case absent
        case power(PowerSupply)
    }

    private enum Serial {
        static let hello: UInt32 = 1
        static let onBattery: UInt32 = 2
        static let isPresent: UInt32 = 3
        static let percentage: UInt32 = 4
    }

    /// The most bytes that are read. The replies of a bus have less than 1 KiB.
    private static let limit = 64 << 10

    /// The authentication by the credentials of the socket, which also holds between user namespaces, and the calls. The
    /// display device is the battery or the UPS that a desktop shows.
    static let questions: [UInt8] = {
        let bus = "org.freedesktop.DBus"
        let hello = DBusCall(
            serial: Serial.hello, destination: bus, path: "/org/freedesktop/DBus", interface: bus, member: "Hello")
        let service = "org.freedesktop.UPower"
        func get(_ serial: UInt32, _ path: String, _ interface: String, _ property: String) -> [UInt8] {
            DBusCall(
                serial: serial, destination: service, path: path, interface: "org.freedesktop.DBus.Properties",
                member: "Get", arguments: [interface, property]
            ).bytes
        }
        let daemon = "/org/freedesktop/UPower"
        let display = daemon + "/devices/DisplayDevice"
        return Array("\0AUTH EXTERNAL\r\nDATA\r\nBEGIN\r\n".utf8) + hello.bytes
            + get(Serial.onBattery, daemon, service, "OnBattery")
            + get(Serial.isPresent, display, service + ".Device", "IsPresent")
            + get(Serial.percentage, display, service + ".Device", "Percentage")
    }()

    private var buffer: [UInt8] = []
    private var received = 0
    private var isAuthenticated = false
    private var replies: [UInt32: DBusMessage] = [:]

    mutating func receive(_ bytes: [UInt8]) -> Progress {
        received += bytes.count
        guard received <= Self.limit else { return .absent }
        buffer += bytes
        while !isAuthenticated {
            guard let end = buffer.firstIndex(of: UInt8(ascii: "\n")) else { return .incomplete }
            let line = buffer[..<end]
            isAuthenticated = line.starts(with: "OK ".utf8)
            // The bus asks for the name of the user, to which the line DATA has replied already.
            guard isAuthenticated || line.starts(with: "DATA".utf8) else { return .absent }
            buffer.removeFirst(end + 1)
        }
        do throws(DBusMessageError) {
            while let message = try DBusMessage.take(from: &buffer) {
                guard let serial = message.replySerial else { continue }
                let isError = message.kind == DBusMessage.error
                // Without a display device the level is unknown.
                if isError, serial == Serial.hello || serial == Serial.onBattery { return .absent }
                if isError || message.kind == DBusMessage.methodReturn { replies[serial] = message }
            }
        } catch { return .absent }
        return power
    }

    private var power: Progress {
        guard let onBattery = replies[Serial.onBattery], let isPresent = replies[Serial.isPresent],
            let percentage = replies[Serial.percentage]
        else { return .incomplete }
        guard case .boolean(let isOnBattery) = onBattery.value else { return .absent }
        var level: Double?
        // The percentage of a machine without a battery is 0.
        if isPresent.value == .boolean(true), case .double(let percent) = percentage.value, percent.isFinite {
            level = min(max(percent / 100, 0), 1)
        }
        return .power(PowerSupply(hasExternalPower: !isOnBattery, batteryLevel: level))
    }
}
