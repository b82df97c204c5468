import LabKernel
import LinkEmulator
import NetworkMonitor

/// Runs the translator on its device: packets that come out are translated and written back. Offloads are disabled on
/// the device, so the kernel segments trains before.
final class Translation {
    private let device: TranslatorDevice
    private var translator: NAT64Translator
    private var output: [UInt8] = []

    init(device: TranslatorDevice, translator: NAT64Translator) {
        self.device = device
        self.translator = translator
    }

    /// Maximum number of packets translated before the links are served.
    private static let burst = 64

    func serve(_ buffer: inout [UInt8]) throws(SystemCallError) {
        for _ in 0..<Translation.burst {
            guard let count = try device.tun.read(into: &buffer) else { return }
            let now = LinkTime(nanoseconds: MonotonicClock.now())
            switch translator.translate(buffer.span.extracting(0..<count), at: now, into: &output) {
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
