import LabKernel
import LinkEmulator
import NetworkMonitor

/// The emulator's thread: carries packets between TUN devices through the `LinkPipeline`s. One thread serves a whole lab.
final class EmulatorPump: Sendable {
    private let mailbox: CommandQueue
    private let thread: DedicatedThread

    init(
        seed: UInt64, capture: Capture?, breakpoints: [PacketBreakpoint], decisions: DecisionRecorder,
        observer: @escaping LinkObserver
    ) throws(SystemCallError) {
        let mailbox = try CommandQueue()
        self.mailbox = mailbox
        thread = try DedicatedThread(name: "cw-pump") {
            do throws(SystemCallError) {
                try Poller.minimizeTimerSlack()
                Poller.preferThisThread()
                let poller = try Poller.make()
                try mailbox.inbox.register(in: poller, token: PumpLoop.wakerToken)
                let loop = PumpLoop(
                    mailbox: mailbox, poller: poller, spare: try IdleCPUProbe.make(), seed: seed, capture: capture,
                    breakpoints: breakpoints,
                    decisions: decisions, observer: observer)
                try loop.run()
            } catch {
                observer(.failed("the emulator stopped: \(error)"))
            }
        }
    }

    /// A lab that fails during set-up is released without `.stop`, and releasing the thread waits for its end.
    deinit { mailbox.post(.stop) }

    /// Posts an order and returns at once.
    func post(_ order: PumpCommand) { mailbox.post(order) }

    /// Posts an order and waits until it is in force. After `.stop` the thread ends and closes the devices.
    func perform(_ order: PumpCommand) { mailbox.perform(order) }
}
