import Record
import ScenarioLanguage
import AdapterProtocol

/// The requests to a proxy and their number (PRXY-01, PRXY-04).
struct ProxyRequestCheck: Check {
    static let key = "proxyRequest"
    static let summary = "The k-th request to this proxy, and the number of its requests."
    static let shape = Shape.object(
        [
            Field("proxy", .text, required: true, "Its name under `proxies`."),
            .number("request"),
            Field(
                "form", .word(ProxyFact.Form.allCases.map(\.rawValue)),
                "absolute: a request in absolute form; connect: a request for a tunnel; socks5."),
            Field("target", .text, "host:port, as the client sends it."),
            Field("refused", .integer(1...599), "The status or SOCKS reply with which the proxy refuses it."),
            Field("connected", .boolean, "True: the proxy connected to the target."),
            .expectedHeaders,
        ] + Bounds.shape("requests to the proxy"))

    private let proxy: String
    private let number: Int
    private let form: String?
    private let target: String?
    private let refused: Int64?
    private let connected: Bool?
    private let headers: HeaderExpectations
    private let bounds: Bounds?
    private let isForSingle: Bool

    init(_ fields: Fields) throws(ScenarioError) {
        proxy = try fields.need("proxy")
        number = fields.number()
        form = fields.text("form")
        target = fields.text("target")?.lowercased()
        refused = fields.integer("refused")
        connected = fields.boolean("connected")
        headers = try HeaderExpectations("headers", of: fields)
        bounds = try Bounds(ifGiven: fields)
        let details = ["number", "form", "target", "refused", "connected", "headers"]
        isForSingle = details.contains(where: fields.has)
        try fields.requireOne(of: details + ["count", "atLeast", "atMost"])
    }

    func judge(_ record: RecordView) -> [Mismatch] {
        let requests = record.requests(toProxy: proxy)
        if let bounds, !bounds.contains(Int64(requests.count)) {
            return mismatch(
                expected: "\(bounds.description("request")) to the proxy \(proxy)", found: "\(requests.count)",
                evidence: (requests.isEmpty ? record.connections.map(\.moment) : requests.map(\.moment)).suffix(5))
        }
        guard isForSingle else { return [] }
        guard number <= requests.count else {
            return mismatch(
                expected: "request \(number) to the proxy \(proxy)", found: counted(requests.count, "request"),
                evidence: record.connections.map(\.moment).suffix(5))
        }
        let request = requests[number - 1]
        var compared: [(expected: String, found: String)] = []
        if let form, form != request.form.rawValue {
            compared.append(("form \(form)", "form \(request.form.rawValue)"))
        }
        if let target, target != request.target.lowercased() {
            compared.append(("target \(target)", "target \(request.target)"))
        }
        if let refused, Int(refused) != request.reply {
            compared.append(("refused with \(refused)", request.reply.map { "refused with \($0)" } ?? "not refused"))
        }
        if let connected, connected != request.isConnected {
            compared.append(
                (connected ? "connected" : "not connected", request.isConnected ? "connected" : "not connected"))
        }
        compared += headers.differences(from: request.headers)
        guard !compared.isEmpty else { return [] }
        return mismatch(
            expected: "request \(number) to the proxy \(proxy): " + compared.map(\.expected).joined(separator: ", "),
            found: compared.map(\.found).joined(separator: ", "), evidence: [request.moment])
    }

    func problem(in scenario: Scenario) -> String? {
        let names = scenario.proxies.map(\.name)
        guard !names.contains(proxy) else { return nil }
        return "`\(proxy.shortened)` is not listed under `proxies`\(Spelling.hint(for: proxy, among: names))"
    }
}
