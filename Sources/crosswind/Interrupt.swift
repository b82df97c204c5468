import Dispatch
import Foundation
import Lab
import Synchronization

/// Handles Ctrl-C: the first one stops cleanly, the second one immediately (the kernel then removes the labs).
final class Interrupt {
    private final class Counter: Sendable {
        private let count = Mutex(0)
        func raise() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
        var value: Int { count.withLock { $0 } }
    }

    private let counter = Counter()
    private let sources: [any DispatchSourceSignal]

    /// Calls `stop` once, on a Dispatch thread.
    init(_ stop: @escaping @Sendable () -> Void) {
        let counter = counter
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if counter.raise() > 1 {
                    InteractiveLab.removeControlSocket()
                    _exit(130)
                }
                Terminal.writeError("\ncrosswind: stopping; press Ctrl-C again to stop immediately")
                stop()
            }
            source.resume()
            return source
        }
    }

    var happened: Bool { counter.value > 0 }
}
