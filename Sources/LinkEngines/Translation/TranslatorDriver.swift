import LinkEmulator
import LabKernel
import NetworkMonitor

/// A translator of the packets that come out of a TUN device.
protocol DeviceTranslator: Sendable {
    /// Replaces `output` with the packets for the device; empty if nothing leaves the translator.
    mutating func translate(_ packet: Span<UInt8>, into output: inout [UInt8])
    /// Follows a change of the namespace's interfaces, addresses or routes.
    mutating func follow() throws(SystemCallError)
}

/// Runs a translator on its TUN device, on a thread of its own: packets that come out are translated and written back.
/// Offloads are disabled on the device, so the kernel segments trains before.
final class TranslatorDriver {
    private let waker: StopWaker
    private let thread: DedicatedThread

    /// - Parameter title: the name of the translator in messages.
    init(
        _ title: String, _ translator: any DeviceTranslator, on device: TranslatorDevice,
        in namespace: NetworkNamespace, thread name: String, observer: @escaping LinkObserver
    ) throws(SystemCallError) {
        let waker = try StopWaker()
        self.waker = waker
        thread = try DedicatedThread(name: name) {
            do throws(NetlinkError) {
                try TranslatorDriver.run(translator, device, namespace, until: waker)
            } catch {
                observer(.failed("\(title) stopped: \(error)"))
            }
        }
    }

    /// Releasing the thread waits for its end.
    deinit { waker.wake() }

    func stop() { waker.wake() }

    private static let stopToken: UInt64 = 0
    private static let monitorToken: UInt64 = 1
    private static let deviceToken: UInt64 = 2
    /// Maximum number of packets read before changes are handled.
    private static let burst = 64

    private static func run(
        _ translator: any DeviceTranslator, _ device: TranslatorDevice, _ namespace: NetworkNamespace,
        until waker: StopWaker
    ) throws(NetlinkError) {
        var translator = translator
        var packet = [UInt8](repeating: 0, count: 65_536)
        var output: [UInt8] = []
        // A monitor reports only changes after its creation, so the state is read again when there is one.
        var monitor = try NetlinkMonitor.make(in: namespace)
        do throws(SystemCallError) {
            Poller.preferThisThread()
            try translator.follow()
            var poller = try Poller.make()
            try waker.register(in: poller, token: stopToken)
            try monitor.withRaw { raw throws(SystemCallError) in
                try poller.add(raw, for: .readable, token: monitorToken)
            }
            try device.tun.withRaw { raw throws(SystemCallError) in
                try poller.add(raw, for: .readable, token: deviceToken)
            }
            var isStopped = false
            while true {
                try poller.wait { event in if event.token == stopToken { isStopped = true } }
                if isStopped { return }
                // The kernel announces a route before it is used, so changes are handled before packets.
                var hasChanged = false
                while try monitor.next(until: 0) != nil { hasChanged = true }
                if hasChanged { try translator.follow() }
                for _ in 0..<burst {
                    guard let count = try device.tun.read(into: &packet) else { break }
                    translator.translate(packet.span.extracting(0..<count), into: &output)
                    var failure: SystemCallError?
                    IPPacketSequence.forEach(in: output.span) { packet in
                        do throws(SystemCallError) { _ = try device.tun.write(packet) } catch { failure = error }
                    }
                    if let failure { throw failure }
                }
            }
        } catch {
            // Deleting the device in its namespace turns the translator off.
            if error.deviceHasDisappeared { return }
            throw .system(error)
        }
    }
}

/// The translator's only device: a packet of one IP version comes out and is written back as the other, and vice versa.
final class TranslatorDevice: Sendable {
    let tun: TunDevice
    init(tun: consuming TunDevice) { self.tun = tun }
}

/// Stops the translator's thread.
private final class StopWaker: Sendable {
    private let waker: Waker
    init() throws(SystemCallError) { waker = try Waker.make() }
    func wake() { waker.wake() }
    func register(in poller: borrowing Poller, token: UInt64) throws(SystemCallError) {
        try waker.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .readable, token: token) }
    }
}
