import LinkEmulator
import LinuxNet
import Scenario

/// The emulator's thread: carries packets between TUN devices through `LinkDirection`s, and through the translator. One
/// thread serves a whole lab.
final class EmulatorPump: Sendable {
    private let mailbox: PumpMailbox
    private let thread: DedicatedThread

    init(
        seed: UInt64, capture: Capture?, marks: [PacketMark], decisions: DecisionBook, observer: @escaping LinkObserver
    ) throws(SystemCallError) {
        let mailbox = try PumpMailbox()
        self.mailbox = mailbox
        thread = try DedicatedThread(name: "cw-pump") {
            do throws(SystemCallError) {
                try Poller.sharpenTimersOfThisThread()
                Poller.preferThisThread()
                let poller = try Poller.make()
                try mailbox.inbox.register(in: poller, token: PumpLoop.wakerToken)
                let loop = PumpLoop(
                    mailbox: mailbox, poller: poller, spare: try SpareProcessor.make(), seed: seed, capture: capture, marks: marks,
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
    func post(_ order: PumpOrder) { mailbox.post(order) }

    /// Posts an order and waits until it is in force. After `.stop` the thread ends and closes the devices.
    func perform(_ order: PumpOrder) { mailbox.perform(order) }
}
