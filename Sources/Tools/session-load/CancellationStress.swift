import AdaptableSession
import Dispatch
import Foundation
import FoundationNetworking
import Synchronization

/// Many tasks of all kinds, each cancelled at a random time, mostly from another thread.
final class CancellationStress: Sendable {
    let tally: StressStatistics
    private let session: AdaptableSession
    private let delegateQueue: OperationQueue
    private let url: URL
    private let large: URL
    private let others = DispatchQueue(label: "cancellations", attributes: .concurrent)
    private let upload = Data(repeating: 0x55, count: 8_192)

    init(url: URL, large: URL, count: Int) {
        // Each may be resumed once.
        let tally = StressStatistics(tasks: 2 * count + Self.trials, atATime: Self.atATime)
        self.tally = tally
        delegateQueue = OperationQueue()
        delegateQueue.maxConcurrentOperationCount = 4
        let configuration = AdaptableSessionConfiguration.ephemeral
        configuration.httpMaximumConnectionsPerHost = Self.connections
        session = AdaptableSession(
            configuration: configuration, delegate: StressDelegate(tally), delegateQueue: delegateQueue)
        self.url = url
        self.large = large
    }

    static let connections = 16
    /// More than the connections, so that some tasks wait for one and are cancelled there too.
    private static let atATime = 24
    private static let trials = 200

    /// Returns the duration of an exchange, in microseconds: on a slow machine, or under a sanitizer, cancellations
    /// must come later to hit it. Returns nil if one of them never ended.
    func lifecycle() -> Int? {
        let begun = DispatchTime.now().uptimeNanoseconds
        for number in 0..<Self.trials {
            guard begin(StressPlan(uncut: number % 2 == 0 ? .data : .download)) else { return nil }
        }
        guard tally.settle() else { return nil }
        return Int(DispatchTime.now().uptimeNanoseconds - begun) / 1_000 * Self.atATime / Self.trials
    }

    /// Runs `count` tasks; returns false if one of them never completed. `span`, the range of the cancellation times,
    /// adapts to the machine, so that about half of the tasks are cancelled while running.
    func run(_ count: Int, _ random: inout SplitMix, span: inout Int) -> Bool {
        var last = tally.now
        for number in 0..<count {
            guard begin(StressPlan(&random, span: span)) else { return false }
            guard number % 500 == 499 else { continue }
            let now = tally.now
            let share = Double(now.cancelled - last.cancelled) / Double(max(1, now.ended - last.ended))
            if share < 0.5 { span = max(100, span * 2 / 3) } else if share > 0.7 { span = span * 3 / 2 + 1 }
            last = now
        }
        return tally.settle()
    }

    private func begin(_ draw: StressPlan) -> Bool {
        guard tally.acquireSlot() else { return false }
        tally.enter()
        cancelTask(draw)
        return true
    }

    /// Returns the number of tasks that the session still lists; expected to be 0.
    func tasksLeft() -> Int? {
        let counted = DispatchSemaphore(value: 0)
        let count = StressCounter()
        session.getAllTasks {
            count.set($0.count)
            counted.signal()
        }
        return counted.wait(timeout: .now() + 60) == .success ? count.value : nil
    }

    func end() { session.invalidateAndCancel() }

    private func cancelTask(_ draw: StressPlan) {
        // The number is known only after the task is created, and the handler is called no earlier than its resume or
        // cancel.
        let number = StressCounter()
        let task: AdaptableSessionTask
        switch draw.kind {
        case .data: task = session.dataTask(with: url) { [tally] _, _, error in tally.completed(number.value, error) }
        case .dataOfDelegate: task = session.dataTask(with: large)
        case .download:
            task = session.downloadTask(with: large) { [tally] _, _, error in tally.completed(number.value, error) }
        case .downloadOfDelegate: task = session.downloadTask(with: large)
        case .downloadWithResumeData: task = session.downloadTask(with: large)
        case .upload:
            var request = URLRequest(url: url)
            request.httpMethod = "POST"
            task = session.uploadTask(with: request, from: upload) { [tally] _, _, error in
                tally.completed(number.value, error)
            }
        }
        number.set(task.taskIdentifier)
        let cancel: @Sendable () -> Void = { [self] in self.cancel(task, draw.kind) }
        switch draw.timing {
        case .never: task.resume()
        case .beforeResume:
            cancel()
            task.resume()
        case .atOnce:
            task.resume()
            cancel()
        case .after(let moment):
            task.resume()
            later(moment, cancel)
        case .twice(let moment):
            task.resume()
            later(moment, cancel)
            later(moment, cancel)
        case .suspendedThenCancelled(let moment):
            task.resume()
            later(moment / 2) { task.suspend() }
            later(moment, cancel)
        case .suspendedResumedCancelled(let moment):
            task.resume()
            later(moment / 3) { task.suspend() }
            later(moment / 2) { task.resume() }
            later(moment, cancel)
        }
    }

    private func later(_ microseconds: Int, _ act: @escaping @Sendable () -> Void) {
        others.asyncAfter(deadline: .now() + .microseconds(microseconds), execute: act)
    }

    private func cancel(_ task: AdaptableSessionTask, _ kind: StressPlan.Kind) {
        switch kind {
        case .data, .dataOfDelegate, .download, .downloadOfDelegate, .upload: task.cancel()
        case .downloadWithResumeData:
            guard let download = task as? AdaptableSessionDownloadTask else {
                preconditionFailure("it was created as a download task")
            }
            tally.enter()
            download.cancel { [self] data in if let data { continueTask(data) } else { tally.leave() } }
        }
    }

    /// Resumes an interrupted download to its end, which must come too, and which removes the part from the disk.
    private func continueTask(_ data: Data) {
        others.async { [self] in
            // Without a slot the run does not settle, and reports that.
            guard tally.acquireSlot() else { return }
            tally.resumed()
            let number = StressCounter()
            let task = session.downloadTask(withResumeData: data) { [tally] _, _, error in
                tally.completed(number.value, error)
            }
            number.set(task.taskIdentifier)
            task.resume()
        }
    }
}

/// A number that one thread writes and another reads.
final class StressCounter: Sendable {
    private let held = Mutex(0)
    var value: Int { held.withLock { $0 } }
    func set(_ value: Int) { held.withLock { $0 = value } }
}
