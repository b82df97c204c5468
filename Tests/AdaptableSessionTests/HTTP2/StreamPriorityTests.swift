import Testing

@testable import AdaptableSession

@Suite struct StreamPriorityTests {
    @Test(arguments: [(0.0, "u=7"), (0.25, "u=5"), (0.5, nil), (0.75, "u=1"), (1.0, "u=0")] as [(Float, String?)])
    func `a task's priority becomes an urgency, and the default is not sent`(_ priority: Float, _ field: String?) {
        #expect(StreamPriority.field(priority, policy: HTTP2Policy()) == field)
        var silent = HTTP2Policy()
        silent.sendsPriority = false
        #expect(StreamPriority.field(priority, policy: silent) == nil)
    }

    @Test(arguments: [
        (Float.greatestFiniteMagnitude, "u=0"), (-Float.greatestFiniteMagnitude, "u=7"), (1e20, "u=0"), (-2, "u=7"),
    ])
    func `a priority outside the range is clamped`(_ priority: Float, _ field: String) {
        #expect(StreamPriority.field(priority, policy: HTTP2Policy()) == field)
    }

    @Test func `a priority that is not a number is not sent`() {
        #expect(StreamPriority.field(.nan, policy: HTTP2Policy()) == nil)
    }
}
