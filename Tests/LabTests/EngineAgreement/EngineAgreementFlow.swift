import Record
import Lab
import InternetAddresses
import LabKernel
@testable import LinkEngines
import NetworkMonitor
import ScenarioLanguage
import Testing

/// Numbered datagrams from the client that are sent and awaited in separate steps, so that a test can act in between.
struct EngineAgreementFlow: ~Copyable {
    private let sender: OwnedDescriptor
    private let receiver: OwnedDescriptor

    static func make(_ lab: Lab) throws -> EngineAgreementFlow {
        let far = try #require(IPAddress(Addressing.interface(.wifi).network4))
        let receiver = try lab.internet.bindUDP(on: SocketAddress(far, port: 0))
        let sender = try lab.client.connectUDP(to: try receiver.localAddress(), device: "wlan0")
        return EngineAgreementFlow(sender: sender, receiver: receiver)
    }

    private init(sender: consuming OwnedDescriptor, receiver: consuming OwnedDescriptor) {
        self.sender = sender
        self.receiver = receiver
    }

    /// Returns when the kernel has accepted all of them.
    func send(_ packets: Range<Int>) throws {
        for packet in packets {
            var payload = [UInt8(packet)]
            Self.append(MonotonicClock.now(), to: &payload)
            #expect(try sender.send(payload) == payload.count)
        }
    }

    /// Returns the packets in the order of arrival, with the delay of each in nanoseconds.
    func collect(_ count: Int, within patience: Int64) throws -> [(packet: Int, delay: Int64)] {
        let deadline = MonotonicClock.deadline(after: patience)
        var arrivals: [(packet: Int, delay: Int64)] = []
        while arrivals.count < count {
            if let bytes = try receiver.receive(upTo: 64) {
                let departure = bytes.dropFirst().reduce(Int64(0)) { $0 << 8 | Int64($1) }
                arrivals.append((Int(bytes[0]), MonotonicClock.now() - departure))
                continue
            }
            let readiness = try receiver.withRaw { raw throws(SystemCallError) in
                try Poller.wait(for: raw, .readable, until: deadline)
            }
            if readiness.isEmpty { break }
        }
        return arrivals
    }

    private static func append(_ time: Int64, to payload: inout [UInt8]) {
        for shift in stride(from: 56, through: 0, by: -8) { payload.append(UInt8(truncatingIfNeeded: time >> shift)) }
    }
}
