import ArgumentParser
import Dispatch
import Foundation
import Lab
import Synchronization

/// Shows the live screen of a lab and sends the changes of its keys. One thread draws; the others only send it events.
final class LiveScreen {
    private enum Event: Sendable {
        case view(LabView)
        /// The lab's reply to a change.
        case reply(ControlReply)
        case failed(String)
        case keys([UInt8])
        case resized
        case signal(CInt)
        case labEnded
        case inputEnded
    }

    /// The events in order.
    private final class Events: Sendable {
        private let waiting = Mutex<[Event]>([])
        private let isReady = DispatchSemaphore(value: 0)

        func post(_ event: Event) {
            waiting.withLock { $0.append(event) }
            isReady.signal()
        }

        func next() -> Event {
            isReady.wait()
            return waiting.withLock { $0.removeFirst() }
        }

        var isEmpty: Bool { waiting.withLock { $0.isEmpty } }
    }

    private let events = Events()
    private let lab: String
    private var screen: WatchScreen
    private var sources: [any DispatchSourceSignal] = []
    /// Changes are sent in order, and an interface may need a second to come up.
    private let changes = DispatchQueue(label: "changes")

    init(lab: String) {
        self.lab = lab
        let environment = ProcessInfo.processInfo.environment
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        let isUTF8 = locale.uppercased().contains("UTF-8") || locale.uppercased().contains("UTF8")
        screen = WatchScreen(isPlain: !isUTF8)
    }

    /// Runs until `q`, a signal, or the end of the lab, and restores the terminal on every way out. Returns nil if
    /// standard input is not a terminal.
    func run(_ client: ControlClient) throws -> Void? {
        guard RawTerminal.enter() else { return nil }
        atexit { RawTerminal.leave() }
        defer { RawTerminal.leave() }
        handleSignals()
        readViews(client)
        readKeys()
        draw()
        while true {
            switch events.next() {
            case .view(let view): screen.show(view)
            case .reply(let reply): screen.show(reply)
            case .failed(let reason): screen.show(message: reason)
            case .keys(let bytes): if !press(bytes) { return () }
            case .resized: RawTerminal.write("\u{1B}[2J")
            case .signal(SIGTSTP): suspend()
            case .signal(let number):
                RawTerminal.leave()
                throw ExitCode(128 + number)
            case .labEnded:
                RawTerminal.leave()
                LabOptions.log("the lab has ended")
                return ()
            case .inputEnded: return ()
            }
            if events.isEmpty { draw() }
        }
    }

    /// Returns false for the key that ends the screen.
    private func press(_ bytes: [UInt8]) -> Bool {
        // Arrow and function keys arrive as one sequence, whose letters are not keys.
        if bytes.first == 0x1B { return true }
        for byte in bytes where byte < 0x80 {
            switch screen.press(Character(UnicodeScalar(byte))) {
            case .quit: return false
            case .set(let change): send(.set(change))
            case nil: break
            }
        }
        return true
    }

    private func send(_ request: ControlRequest) {
        let (events, lab) = (events, lab)
        changes.async {
            do throws(ControlError) {
                // Its own connection: the other one is waiting for the end of the window.
                events.post(.reply(try ControlClient(lab: lab).send(request)))
            } catch {
                events.post(.failed("not changed: \(error)"))
            }
        }
    }

    private func draw() {
        let size = WatchScreen.Size(columns: Terminal.width, rows: Terminal.height)
        let lines = screen.lines(size).map { line in
            line.map { "\u{1B}[0;\($0.style.parameters)m\($0.text)" }.joined() + "\u{1B}[0m"
        }
        RawTerminal.write("\u{1B}[H" + lines.joined(separator: "\r\n"))
    }

    /// Ctrl-Z: the shell gets the terminal as it was, and `fg` brings the screen back.
    private func suspend() {
        RawTerminal.leave()
        kill(getpid(), SIGSTOP)
        _ = RawTerminal.enter()
    }

    // MARK: - Threads

    private func handleSignals() {
        let events = events
        sources = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { events.post(number == SIGWINCH ? .resized : .signal(number)) }
            source.resume()
            return source
        }
    }

    private func readViews(_ client: ControlClient) {
        let events = events
        Thread.detachNewThread {
            while true {
                let reply: ControlReply
                do throws(ControlError) { reply = try client.send(.watch) } catch { return events.post(.labEnded) }
                if case .view(let view) = reply { events.post(.view(view)) }
            }
        }
    }

    private func readKeys() {
        let events = events
        Thread.detachNewThread {
            while true {
                let bytes = RawTerminal.read()
                if bytes.isEmpty { return events.post(.inputEnded) }
                events.post(.keys(bytes))
            }
        }
    }
}

extension WatchScreen.Span.Style {
    /// The parameters of the escape sequence for colours.
    fileprivate var parameters: String {
        switch self {
        case .plain: "39"
        case .title: "1"
        case .selected: "1;4"
        case .bar: "7"
        case .bad: "31"
        case .soft: "2"
        }
    }
}
