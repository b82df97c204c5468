import LinkEmulator

@testable import Harness

/// Composes a capture with raw IPv4 packets of a client and a server; checksums stay zero, because captures on the sending
/// machine have none either.
struct CapturedBytes {
    var bytes = PcapngBlocks.sectionHeader(application: "test") + PcapngBlocks.interface(name: "eth0")
    private let clientPort: UInt16 = 40_000
    private let serverPort: UInt16
    private var sequences: [Bool: UInt32] = [true: 1000, false: 4_294_967_290]

    init(serverPort: UInt16 = 80) { self.serverPort = serverPort }

    /// Adds a segment `time` milliseconds after the start; data advances the sender's sequence number unless it is a repetition.
    mutating func add(
        _ time: Double, fromClient: Bool, _ flags: TCPHeader.Flags = .ack, _ data: [UInt8] = [], repeats: UInt32? = nil,
        captured: Int? = nil
    ) {
        let sequence = repeats ?? sequences[fromClient, default: 0]
        let acknowledged = sequences[!fromClient, default: 0]
        func two(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)] }
        func four(_ value: UInt32) -> [UInt8] { two(UInt16(value >> 16)) + two(UInt16(truncatingIfNeeded: value)) }
        let ports = fromClient ? two(clientPort) + two(serverPort) : two(serverPort) + two(clientPort)
        let tcp = ports + four(sequence) + four(acknowledged) + [0x50, flags.rawValue, 0xFF, 0xFF, 0, 0, 0, 0] + data
        let (client, server): ([UInt8], [UInt8]) = ([192, 0, 2, 1], [198, 51, 100, 1])
        let packet =
            [0x45, 0] + two(UInt16(20 + tcp.count)) + [0, 1, 0x40, 0, 64, 6, 0, 0]
            + (fromClient ? client + server : server + client)
            + tcp
        bytes += PcapngBlocks.packet(
            Array(packet.prefix(captured ?? packet.count)).span, interface: 0,
            nanoseconds: UInt64(1_700_000_000_000_000_000) + UInt64(time * 1e6))
        if repeats == nil { sequences[fromClient] = sequence &+ UInt32(data.count) &+ (flags.contains(.syn) ? 1 : 0) }
    }

    mutating func add(_ time: Double, fromClient: Bool, text: String) {
        add(time, fromClient: fromClient, [.ack, .psh], Array(text.utf8))
    }

    /// The handshake of a connection, captured beside the client: the server answers after `roundTrip`.
    mutating func open(_ time: Double, roundTrip: Double) {
        add(time, fromClient: true, .syn)
        add(time + roundTrip, fromClient: false, [.syn, .ack])
        add(time + roundTrip + 0.1, fromClient: true)
    }

    func sequence(ofClient: Bool) -> UInt32 { sequences[ofClient, default: 0] }

    var traffic: CapturedTraffic {
        get throws { try CaptureFile.traffic(bytes) }
    }
}
