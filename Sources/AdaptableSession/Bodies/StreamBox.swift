import Dispatch
import Foundation
import Synchronization

/// A stream that the session took over, and the thread that reads it. A read can block until the producer supplies
/// data, which would occupy a shared thread for that time.
final class StreamBox: Sendable {
    private typealias ReadRequest = (count: Int, done: @Sendable (Result<Data, any Error>) -> Void)

    /// The state of the thread, which outlives the box if a read does not return.
    private final class Reading: Sendable {
        private let stream: Mutex<InputStream>
        /// nil after the end: no further read will be requested.
        private let readRequests = Mutex<[ReadRequest]?>([])
        private let signal = DispatchSemaphore(value: 0)

        init(_ stream: sending InputStream) {
            stream.open()
            self.stream = Mutex(stream)
        }

        deinit { stream.withLock { $0.close() } }

        func readRequest(_ readRequest: ReadRequest) {
            readRequests.withLock { $0?.append(readRequest) }
            signal.signal()
        }

        func end() {
            let left = readRequests.withLock { readRequests in
                defer { readRequests = nil }
                return readRequests ?? []
            }
            for readRequest in left { readRequest.done(.failure(CocoaError(.userCancelled))) }
            signal.signal()
        }

        func run() {
            while true {
                signal.wait()
                let (readRequest, isOver) = readRequests.withLock { readRequests in
                    guard readRequests != nil else { return (nil as ReadRequest?, true) }
                    return (readRequests?.isEmpty == false ? readRequests?.removeFirst() : nil, false)
                }
                if isOver { return }
                if let readRequest { readRequest.done(Result { try read(upTo: readRequest.count) }) }
            }
        }

        private func read(upTo count: Int) throws -> Data {
            try stream.withLock { stream in
                var bytes = [UInt8](repeating: 0, count: count)
                let length = unsafe stream.read(&bytes, maxLength: count)
                if length < 0 { throw stream.streamError ?? CocoaError(.fileReadUnknown) }
                return Data(bytes.prefix(length))
            }
        }
    }

    private let reading: Reading
    private let hasThread = Mutex(false)

    init(_ stream: sending InputStream) { reading = Reading(stream) }

    deinit { reading.end() }

    /// Reads the next bytes; empty at the end. `done` is called on the stream's thread, for one read after another.
    func read(upTo count: Int, _ done: @escaping @Sendable (Result<Data, any Error>) -> Void) {
        let begins = hasThread.withLock { hasThread in
            defer { hasThread = true }
            return !hasThread
        }
        if begins {
            let thread = Thread { [reading] in reading.run() }
            thread.name = "body stream"
            thread.start()
        }
        reading.readRequest((count, done))
    }
}
