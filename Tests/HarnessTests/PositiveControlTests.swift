import Foundation
import Testing

@testable import Harness

/// The scenarios that the available adapters cannot run (waiting, cellular, the pool) must be passable by a correct
/// implementation, and each of its mutants must fail where its one wrong decision shows. The control is a fixture:
/// PositiveControl/control_session.py.
@Suite(
    .serialized, .enabled(if: Doctor.examine().canRun, "this machine cannot build a lab: see crosswind doctor"),
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "needs python3"))
struct PositiveControlTests {
    private func run(_ scenarios: [String], mutant: String? = nil) throws -> (passed: Set<String>, others: Set<String>)
    {
        try ControlRun.perform(scenarios, adapter: "control_adapter.py", mutant: mutant)
    }

    @Test func `a correct implementation passes scenarios that stock ones do not support`() throws {
        let (passed, others) = try run([
            "connectivity", "pool", "handover", "cellular", "timing", "tcp", "names", "nat64",
        ])
        #expect(others == Self.beyond)
        #expect(passed.count > 40)
    }

    /// Expected results other than a pass: the control does not support suspension, streams and sessions without a
    /// delegate, does not close connections with their interface, and does not end the wait of a task whose path
    /// differs from that of the task beside it. AdaptableSession passes these.
    private static let beyond: Set<String> = [
        "unsupported connectivity/suspended-while-it-waits", "unsupported timing/suspended-longer-than-the-timeout",
        "unsupported nat64/stream-and-upload-by-name", "unsupported timing/timeout-resets-the-stream",
        "unsupported connectivity/waits-without-a-delegate", "fail connectivity/each-waits-for-a-path-of-its-own",
        "fail connectivity/forbidden-cellular-connection-beside-wifi",
        "fail connectivity/open-cellular-connection-is-forbidden-too",
        "fail handover/idle-connection-of-a-lost-interface",
    ]

    /// Streams, held answers, kept deliveries and continued uploads: PositiveControl/control_client.py.
    private static let client = [
        "auth/waits-for-the-decision", "data/becomes-a-download", "data/kept-data-stays-valid",
        "data/small-body-becomes-a-download",
        "download/left-file-is-deleted", "download/moved-file-stays", "order/response-decided-later",
        "redirect/waits-for-the-decision",
        "upload/cancelled-upload-continues", "upload/interim-responses-report-progress", "upload/lost-upload-continues",
        "upload/no-address-no-resume-data", "upload/no-second-stream", "upload/stream-again-after-a-challenge",
        "upload/body-stream-is-requested-late", "upload/streamed", "tcp/cut-at-an-acknowledged-byte",
    ]

    @Test func `a correct implementation passes scenarios that need its own client`() throws {
        let (passed, others) = try run(Self.client.map { $0 + ".yaml" })
        #expect(others == [])
        #expect(passed == Set(Self.client))
    }

    @Test(arguments: [
        ("reports-twice", ["connectivity/waits-through-flapping"]),
        ("times-the-wait", ["connectivity/waiting-does-not-run-request-timer"]),
        ("uses-cellular", ["connectivity/cellular-forbidden", "connectivity/cellular-forbidden-waits"]),
        ("no-reuse", ["pool/keep-alive", "pool/one-connection"]),
        ("ignores-limit", ["pool/limit-of-two"]),
        ("one-limit-for-all", ["pool/limit-is-per-host"]),
        ("polls", ["connectivity/no-hammering"]),
        ("no-attempt", ["connectivity/failed-attempt-waits"]),
        ("waits-again", ["connectivity/lost-after-connecting-is-an-error"]),
        ("keeps-connection", ["timing/timeout-closes-the-connection"]),
        (
            "does-not-wait",
            ["redirect/waits-for-the-decision", "auth/waits-for-the-decision", "order/response-decided-later"]
        ),
        ("leaves-the-file", ["download/left-file-is-deleted"]), ("spoils-the-file", ["download/moved-file-stays"]),
        ("asks-once", ["upload/stream-again-after-a-challenge", "upload/no-second-stream"]),
        ("guesses-the-offset", ["upload/cancelled-upload-continues", "upload/lost-upload-continues"]),
    ])
    func `each wrong decision is detected`(mutant: String, scenarios: [String]) throws {
        let (passed, others) = try run(scenarios.map { $0 + ".yaml" }, mutant: mutant)
        #expect(passed == [])
        #expect(others == Set(scenarios.map { "fail \($0)" }))
    }
}
