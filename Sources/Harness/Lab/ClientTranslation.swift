import InternetAddresses
import LabKernel
import LinkEmulator
import NetworkMonitor
import Scenario

/// Runs the client's translator on its device, on a thread of its own.
final class ClientTranslation {
    private let device: TranslatorDevice
    private let uplinks: ClientUplinks
    private let prefix: NAT64Prefix
    private var kind: InterfaceKind
    private var translator: CLATTranslator
    private var packet = [UInt8](repeating: 0, count: 65_536)
    private var output: [UInt8] = []

    private static let stopToken: UInt64 = 0
    private static let monitorToken: UInt64 = 1
    private static let deviceToken: UInt64 = 2

    init(_ device: TranslatorDevice, _ uplinks: ClientUplinks, _ prefix: NAT64Prefix, _ kind: InterfaceKind) {
        self.device = device
        self.uplinks = uplinks
        self.prefix = prefix
        self.kind = kind
        translator = CLATTranslator(Self.configuration(prefix, kind))
    }

    private static func configuration(_ prefix: NAT64Prefix, _ kind: InterfaceKind) -> CLATConfiguration {
        // Every address of the lab is documentation space, so even the well-known prefix has to represent such
        // addresses here.
        CLATConfiguration(prefix: prefix, client6: ClientUplinks.translatorAddress(on: kind), allowsNonGlobal: true)
    }

    func run(in client: NetworkNamespace, until waker: StopWaker) throws(NetlinkError) {
        var monitor = try NetlinkMonitor.make(in: client)
        do throws(SystemCallError) {
            try follow()
            var poller = try Poller.make()
            try waker.register(in: poller, token: Self.stopToken)
            try monitor.withRaw { raw throws(SystemCallError) in
                try poller.add(raw, for: .readable, token: Self.monitorToken)
            }
            try device.tun.withRaw { raw throws(SystemCallError) in
                try poller.add(raw, for: .readable, token: Self.deviceToken)
            }
            var isStopped = false
            while true {
                try poller.wait { event in if event.token == Self.stopToken { isStopped = true } }
                if isStopped { return }
                // The kernel announces a route before it is used, so changes are handled before packets.
                var hasChanged = false
                while try monitor.next(until: 0) != nil { hasChanged = true }
                if hasChanged { try follow() }
                try serve()
            }
        } catch {
            // Deleting the device in its namespace turns the translator off.
            if error.deviceHasDisappeared { return }
            throw .system(error)
        }
    }

    /// Follows the IPv6 default route. Without one the last address stays; the kernel then reports that the destination
    /// is unreachable.
    private func follow() throws(SystemCallError) {
        do throws(NetlinkError) {
            guard let found = try uplinks.current(), found != kind else { return }
            kind = found
            translator.move(to: Self.configuration(prefix, kind))
        } catch {
            switch error {
            case .system(let cause): throw cause
            // A listed item was removed before it could be queried; the monitor reports that next.
            case .refused, .noSuchInterface, .missingQdisc, .unsupported: return
            }
        }
    }

    /// Maximum number of packets read before changes are handled.
    private static let burst = 64

    private func serve() throws(SystemCallError) {
        for _ in 0..<Self.burst {
            guard let count = try device.tun.read(into: &packet) else { return }
            switch translator.translate(packet.span.extracting(0..<count), into: &output) {
            case .translated, .replied:
                var failure: SystemCallError?
                IPPacketSequence.forEach(in: output.span) { packet in
                    do throws(SystemCallError) { _ = try device.tun.write(packet) } catch { failure = error }
                }
                if let failure { throw failure }
            case .ignored, .dropped, .held: break
            }
        }
    }
}
