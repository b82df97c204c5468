import Foundation
import Testing

@testable import TransferDaemon

@Suite struct TransferRetryPolicyTests {
    /// BKGD-20.
    @Test func `the delay grows to its limit`() {
        var policy = TransferRetryPolicy()
        policy.spread = 0
        var generator = SeededGenerator(state: 1)
        let delays = (1...12).map { policy.delay(failures: $0, using: &generator).inSeconds }
        #expect(delays == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
        #expect(policy.delay(failures: .max, using: &generator) == .seconds(900))
    }

    @Test func `tasks that failed together return apart`() {
        var generator = SeededGenerator(state: 1)
        let policy = TransferRetryPolicy()
        let delays = (1...200).map { _ in policy.delay(failures: 4, using: &generator).inSeconds }
        #expect(delays.allSatisfy { (6.4...9.6).contains($0) })
        #expect(Set(delays).count == 200)
        #expect((delays.max() ?? 0) > 9 && (delays.min() ?? 9) < 7)
    }

    @Test func `progress starts the count again`() {
        #expect(TransferRetryPolicy().failures(after: 7, madeProgress: false) == 8)
        #expect(TransferRetryPolicy().failures(after: 7, madeProgress: true) == 1)
    }

    /// BKGD-17: failures of the network are silent; answers of a person, of the server's certificate, or of the disk end
    /// the task.
    @Test(arguments: [
        (-1001, true), (-1003, true), (-1004, true), (-1005, true), (-1009, true), (-1200, true), (-999, false),
        (-1002, false), (-1012, false), (-1100, false), (-1202, false), (-3003, false),
    ]) func `only failures of the network are retried`(code: Int, isRecoverable: Bool) {
        #expect(TransferRetryPolicy.isRecoverable(code: code) == isRecoverable)
    }
}
