import AdaptableSession
import Testing

@Suite struct KeepAliveFieldTests {
    @Test(
        arguments: [
            ("timeout=5", 5), ("max=100, timeout=5", 5), ("Timeout = \"15\"", 15), ("timeout=0", 0),
            ("timeout=-1", nil), ("timeout=x", nil),
            ("timeout=99999999", nil), ("max=5", nil),
        ] as [(String, Int64?)])
    func `a valid timeout of the server is used`(_ value: String, _ seconds: Int64?) {
        #expect(KeepAliveField.time(["Keep-Alive": value]) == seconds.map { $0 * 1_000_000_000 })
    }

    @Test func `without the field the timeout is unknown`() { #expect(KeepAliveField.time([:]) == nil) }
}
