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
        let failed = others.filter { !$0.hasPrefix("unsupported") }
        #expect(failed.subtracting(Self.beyond) == [])
        #expect(Self.beyond.subtracting(failed) == [])
        #expect(passed.count > 40)
    }

    /// Expected failures. The control does not close connections with their interface, does not end the wait of a task
    /// whose path differs from that of the task beside it, does not wait for a proxy or a name server, does not connect
    /// through a tunnel, waits for both DNS replies, keeps a connection whose address is gone, gives no resume data without
    /// an ETag, opens a connection for each HTTP/2 task, keeps its connection after its invalidation, does
    /// not read the body of a redirect, and takes an informational response above 100 for the final one. AdaptableSession
    /// passes these.
    private static let beyond: Set<String> = [
        "fail connectivity/each-waits-for-a-path-of-its-own",
        "fail connectivity/waits-while-no-name-server-replies", "fail names/no-reply-for-ipv6",
        "fail pool/limit-is-per-host-behind-a-tunnel",
        "fail connectivity/forbidden-cellular-connection-beside-wifi",
        "fail connectivity/open-cellular-connection-is-forbidden-too",
        "fail handover/idle-connection-of-a-lost-interface", "fail connectivity/unreachable-proxy-waits",
        "fail connectivity/waits-and-then-uses-the-proxy", "fail nat64/waits-and-then-uses-the-proxy",
        "fail cellular/waits-and-then-uses-the-socks-proxy", "fail cellular/post-waits-for-a-new-address",
        "fail nat64/renumbered-while-waiting", "fail cellular/resume-of-a-changed-file",
        "fail nat64/order-of-two-http2-tasks", "fail tcp/acknowledged-by-a-client-that-closes",
        "fail pool/chunked-redirect-keeps-the-connection[redirect]", "fail handover/renumbered-idle-connection",
        "fail timing/interim-responses-restart-the-timer[early-hints]",
        "fail timing/interim-responses-restart-the-timer[processing]",
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
