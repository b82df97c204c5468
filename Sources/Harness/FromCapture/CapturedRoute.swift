import AdapterProtocol

/// A route of the origin that is made of all captured responses of one host and path.
struct CapturedRoute {
    private let exchanges: [CapturedExchange]

    static func all(in exchanges: [CapturedExchange]) -> [CapturedRoute] {
        var order: [String] = []
        var groups: [String: [CapturedExchange]] = [:]
        for exchange in exchanges {
            let key = exchange.url.host + exchange.url.path
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(exchange)
        }
        return order.map { CapturedRoute(exchanges: groups[$0] ?? []) }
    }

    private var url: CapturedURL { exchanges[0].url }

    var lines: [String] {
        let place = url.host == CapturedURL.ownHost && !url.path.hasPrefix("//") ? url.path : "//\(url.host)\(url.path)"
        var fields = base.fields
        let waits = exchanges.map(\.wait).sorted()
        let wait = waits[waits.count / 2] / 1_000_000
        if wait > 0 { fields.append("delay: \(wait)ms") }
        guard !variants.isEmpty else { return ["  \(YAMLText.quoted(place)): { \(fields.joined(separator: ", ")) }"] }
        return ["  \(YAMLText.quoted(place)):"] + fields.map { "    \($0)" } + ["    variants:"]
            + variants.map { when, response in
                "      - { \((["when: { \(when) }"] + response.fields).joined(separator: ", ")) }"
            }
    }

    // MARK: - Variants

    /// True if the requests differ in nothing but their order; then the order selects the response.
    private var isOrdered: Bool {
        exchanges.allSatisfy { $0.method == exchanges[0].method && $0.url.query == url.query }
    }

    /// The exchange whose response the route itself has. A request without a query cannot be selected by its query, so it
    /// comes first.
    private var model: CapturedExchange {
        isOrdered ? exchanges[exchanges.count - 1] : exchanges.first { $0.url.query == nil } ?? exchanges[0]
    }

    private var base: CapturedResponse { CapturedResponse(model) }

    private var variants: [(when: String, response: CapturedResponse)] {
        if isOrdered {
            return exchanges.enumerated().compactMap { index, exchange in
                let response = CapturedResponse(exchange)
                return response == base ? nil : ("request: \(index + 1)", response)
            }
        }
        var known: Set<[String?]> = [[model.method, model.url.query]]
        var found: [(when: String, response: CapturedResponse)] = []
        // The first variant that holds is used, so those with a query come first.
        for exchange in exchanges.filter({ $0.url.query != nil }) + exchanges.filter({ $0.url.query == nil })
        where known.insert([exchange.method, exchange.url.query]).inserted {
            let query = exchange.url.query.map { ["query: \(YAMLText.quoted($0))"] } ?? []
            let when = ["method: \(YAMLText.inFlow(exchange.method))"] + query
            found.append((when.joined(separator: ", "), CapturedResponse(exchange)))
        }
        return found
    }
}

/// The response of a route or of one of its variants.
private struct CapturedResponse: Hashable {
    /// Keys with their values, in their order in the file.
    let fields: [String]

    init(_ exchange: CapturedExchange) {
        // A part is served as a whole body of its size.
        let status = exchange.status == 206 ? 200 : exchange.status
        var fields: [String] = []
        if let redirect = exchange.redirect {
            self.fields = ["redirect: \(YAMLText.inFlow(redirect.text))", "status: \(status)"]
            return
        }
        if status != 200 { fields.append("status: \(status)") }
        // RFC 9110 §15.3.5, §15.3.6, §15.4.5: without a body.
        if ![204, 205, 304].contains(status), exchange.method != "HEAD" {
            if let text = exchange.text, exchange.announcedBytes == nil {
                fields.append("text: \(YAMLText.quoted(text))")
            } else {
                fields.append("size: \(exchange.announcedBytes ?? exchange.responseBytes)")
            }
            if let type = exchange.contentType { fields.append("type: \(YAMLText.inFlow(type))") }
        } else if fields.isEmpty {
            fields.append("size: \(exchange.responseBytes)")
        }
        self.fields = fields
    }
}
