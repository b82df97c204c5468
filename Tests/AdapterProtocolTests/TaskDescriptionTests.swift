import Testing

@testable import AdapterProtocol

@Suite struct TaskDescriptionTests {
    private let plain = TaskDescription(task: TaskName("first"), kind: .data, url: "http://api.test/")

    @Test func `a description with only a URL is a bare URL`() {
        #expect(plain.isOfBareURL)
        var told = plain
        told.delivery = .completionHandler
        told.priority = 0.75
        told.retainsDelivered = true
        told.policies.response = .cancel
        #expect(told.isOfBareURL)
    }

    @Test(
        arguments: [
            { $0.method = "GET" }, { $0.headers = [HeaderField("A", "b")] }, { $0.timeout = .seconds(3) },
            { $0.body = .bytes([]) },
            { $0.requestBody = [1] }, { $0.stream = .init() }, { $0.allowsCellularAccess = true },
            { $0.cachePolicy = .reloadIgnoringLocalCacheData },
            { $0.handlesCookies = false }, { $0.mainDocument = "http://a.test/" },
        ] as [@Sendable (inout TaskDescription) -> Void])
    func `a description with any other field is not a bare URL`(change: @Sendable (inout TaskDescription) -> Void) {
        var description = plain
        change(&description)
        #expect(!description.isOfBareURL)
    }
}
