@testable import Conformance
@testable import Record
import AdapterProtocol
import Testing

@testable import ScenarioLanguage

/// Tests with two tasks whose callbacks overlap once, and with readings of one task's progress: 0, a quarter, and all.
@Suite struct CallbackCheckTests {
    static func run(overlaps: Bool = true, isOnQueue: Bool = true, middle: Double = 0.25) -> Run {
        var run = Run(
            """
            network: { wifi: perfect }
            origin: { /hello: { text: "hello" } }
            session: { delegateQueue: { width: 2 } }
            steps:
              - { data: /hello, as: first, jointProgress: both, blockCallback: didReceiveData }
              - { data: /hello, as: second, jointProgress: both }
              - release: first
              - { data: /hello, as: third, completionHandler: true }
            """)
        run.start("first")
        run.report("first", .callbackBegan(.didReceiveData, isOnQueue: isOnQueue))
        run.report("first", .progressRead(reading(0)))
        if !overlaps { run.report("first", .callbackEnded(.didReceiveData)) }
        run.report("second", .callbackBegan(.didComplete, isOnQueue: true))
        run.report("second", .callbackEnded(.didComplete))
        if overlaps { run.report("first", .callbackEnded(.didReceiveData)) }
        run.report("second", .callbackBegan(.didReceiveResponse, isOnQueue: false))
        run.report("second", .callbackEnded(.didReceiveResponse))
        run.report("first", .progressRead(reading(middle, joint: middle / 2)))
        var last = reading(1, joint: 0.5)
        (last.isCancelled, last.isPaused) = (true, true)
        (last.description, last.additionalDescription) = ("100%", "5 bytes")
        run.report("first", .progressRead(last))
        run.report("second", .progressRead(reading(0.5)))
        run.end()
        return run
    }

    private static func reading(_ fraction: Double, joint: Double? = nil) -> ProgressReading {
        var reading = ProgressReading(completed: Int64(fraction * 100), total: 100, fraction: fraction)
        reading.joint = joint
        return reading
    }

    @Test func `the maximum of concurrent callbacks counts all tasks`() throws {
        let two = "callbacks: { of: [first, second], atOnce: 2 }"
        #expect(try Self.run().found(two) == nil)
        #expect(try Self.run(overlaps: false).found(two) == "1")
        #expect(try Self.run().found("callbacks: { of: [first, second], atOnce: 1 }") == "2")
        #expect(try Self.run().found("callbacks: { of: first, atOnce: 1 }") == nil)
    }

    @Test func `a single callback outside the queue fails the check`() throws {
        #expect(try Self.run().found("callbacks: { of: first, onQueue: true }") == nil)
        #expect(
            try Self.run(isOnQueue: false).found("callbacks: { of: first, onQueue: true }") == "it ran on another queue"
        )
    }

    @Test func `callbacks that are not reported cannot be checked`() {
        func problem(_ check: String) -> String {
            do {
                _ = try Self.run().scenario([check])
                return "none"
            } catch {
                return "\(error)"
            }
        }
        #expect(problem("callbacks: { of: third, atOnce: 1 }").contains("has a completion handler"))
        #expect(problem("callbacks: { of: frist, atOnce: 1 }").contains("does not create a task"))
        #expect(problem("callbacks: { of: first }").contains("nothing to check"))
        #expect(problem("callbacks: { of: first, onQueue: false }").contains("checks nothing"))
        let without =
            "network: { wifi: perfect }\norigin: { /a: { size: 1KiB } }\nsteps:\n  - { data: /a, as: first }\n"
        let unasked = without + "expect:\n  - callbacks: { of: first, atOnce: 1 }\n"
        #expect(
            Sample.errors("scenario: s\nproves: DLGT-01\n" + unasked).contains {
                "\($0)".contains("`delegateQueue: { width: 1 }`")
            })
    }

    @Test func `a fraction outside 0 to 1 or a decreasing one fails every progress check`() throws {
        let watched = "progressWatched: { task: first, values: 3, last: 100 }"
        #expect(try Self.run().found(watched) == nil)
        #expect(try Self.run(middle: 1.5).found(watched) == "1.5")
        #expect(try Self.run(middle: -0.5).found(watched) == "-0.5")
        #expect(
            try Self.run(middle: 1.5).found("progressRead: { task: first, number: 2, percent: 0..200 }")
                == "a fraction of 1.5")
        #expect(try Self.run().found("progressWatched: { task: second, values: 2 }") == "1")
        #expect(try Self.run().found("progressWatched: { task: third, values: 2 }") == "none")
    }

    /// Two reads with their border inside a word.
    static func stream(_ failure: Failure? = nil) -> Run {
        var run = Run(
            """
            network: { wifi: perfect }
            origin: { /hello: { text: "hello" } }
            steps:
              - { stream: "api.test:80", as: first }
              - { data: /hello, as: other }
            """)
        run.start("first")
        run.report("first", .streamRead(Array("HTTP/1.1 200 OK he".utf8), isAtEnd: false, nil))
        run.report("first", .streamRead(Array("llo".utf8), isAtEnd: true, failure))
        run.end()
        return run
    }

    @Test func `the data of several reads form one text`() throws {
        #expect(try Self.stream().found("streamRead: { task: first, contains: [\"200\", hello] }") == nil)
        #expect(
            try Self.stream().found("streamRead: { task: first, contains: [hello, \"200\"] }")
                == "21 bytes: \"HTTP/1.1 200 OK hello\"")
        let lost = Failure(domain: Failure.urlErrorDomain, code: -1005, text: "")
        #expect(try Self.stream(lost).found("streamRead: { task: first, contains: hello }") == lost.summary)
    }

    /// A response in two reads whose body lacks the given bytes.
    private static func answered(without gap: Range<Int> = 0..<0) throws -> Run {
        var run = Run(
            """
            network: { wifi: perfect }
            origin: { /big: { size: 4KiB } }
            steps:
              - { stream: "api.test:80", as: first }
            """)
        var body = try #require(try run.scenario().origin.representation("/big", version: 1)).bytes(
            from: 0, count: 4096)
        body.removeSubrange(gap)
        run.start("first")
        run.report("first", .streamRead(Array("HTTP/1.1 200 OK\r\n\r\n".utf8) + body.prefix(1000), isAtEnd: false, nil))
        run.report("first", .didBecomeStreams)
        run.report("first", .streamRead(Array(body.dropFirst(1000)) + Array("HTTP/1.1 404".utf8), isAtEnd: true, nil))
        run.end()
        return run
    }

    @Test func `the body in the data of reads is compared to the byte`() throws {
        let check = "streamRead: { task: first, body: /big, contains: [\"HTTP/1.1 200\", \"HTTP/1.1 404\"] }"
        #expect(try Self.answered().found(check) == nil)
        #expect(try Self.answered(without: 1000..<1008).found(check)?.contains("1000") == true)
        #expect(try Self.answered(without: 1000..<4096).found(check) != nil)
    }

    @Test func `each field of a reading is compared`() throws {
        #expect(
            try Self.run().found(
                "progressRead: { task: first, number: 2, percent: 25, joint: 12, cancelled: false, paused: false }")
                == nil)
        #expect(
            try Self.run().found("progressRead: { task: first, number: 1, joint: 0, described: true }")
                == "no parent, no description and no additional description")
    }
}
