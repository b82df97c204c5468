import Dispatch
import Foundation
import Synchronization

/// Ctrl-C: the first one ends cleanly, the second one at once (the kernel then takes the labs away).
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

    /// `stop` is called once, from a thread of Dispatch's.
    init(_ stop: @escaping @Sendable () -> Void) {
        let counter = counter
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if counter.raise() > 1 { _exit(130) }
                FileHandle.standardError.write(Data("\ncrosswind: ending; once more ends at once\n".utf8))
                stop()
            }
            source.resume()
            return source
        }
    }

    var happened: Bool { counter.value > 0 }
}
