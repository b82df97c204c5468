import LabKernel
import LinkEmulator
import NetworkMonitor
import Record
import Synchronization

/// Captures the packets of the client's interfaces for the kernel engine, on a thread beside the traffic.
final class KernelCapture: Sendable {
    private struct State: ~Copyable {
        var isRunning = true
        var sockets: [(kind: InterfaceKind, socket: SocketBox)] = []
    }

    private final class SocketBox: Sendable {
        let socket: PacketSocket
        init(socket: consuming PacketSocket) { self.socket = socket }
    }

    private let state = Mutex(State())
    private let namespace: NetworkNamespace
    private let waker: Waker
    private let capture: Capture
    private let thread = Mutex<DedicatedThread?>(nil)

    init(into capture: Capture, in namespace: NetworkNamespace, observer: @escaping LinkObserver)
        throws(SystemCallError)
    {
        self.capture = capture
        self.namespace = namespace
        waker = try Waker.make()
        let thread = try DedicatedThread(name: "cw-capture") { [self] in
            do throws(SystemCallError) { try run() } catch { observer(.failed("the capture stopped: \(error)")) }
        }
        self.thread.withLock { $0 = thread }
    }

    func add(_ kind: InterfaceKind, index: CInt) throws(SystemCallError) {
        let box = SocketBox(socket: try PacketSocket.make(index, in: namespace))
        state.withLock { $0.sockets.append((kind, box)) }
        waker.wake()
    }

    func stop() {
        state.withLock { $0.isRunning = false }
        waker.wake()
        thread.withLock { $0 = nil }
    }

    private func run() throws(SystemCallError) {
        var poller = try Poller.make()
        try waker.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .readable, token: .max) }
        var known = 0
        var buffer = [UInt8](repeating: 0, count: 65_600)
        while true {
            let (isRunning, sockets) = state.withLock { ($0.isRunning, $0.sockets) }
            for index in known..<sockets.count {
                try sockets[index].socket.socket.withRaw { raw throws(SystemCallError) in
                    try poller.add(raw, for: .readable, token: UInt64(index))
                }
            }
            known = sockets.count
            for (kind, box) in sockets {
                while let seen = try box.socket.receive(into: &buffer) {
                    guard seen.isIP else { continue }
                    capture.packet(
                        buffer.span.extracting(0..<min(seen.length, buffer.count)), interface: kind,
                        direction: seen.isOutgoing ? .uplink : .downlink, at: MonotonicClock.now(), comment: nil)
                }
            }
            if !isRunning { return }
            try poller.wait { _ in }
            _ = waker.clear()
        }
    }
}
