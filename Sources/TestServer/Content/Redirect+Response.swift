import AdapterProtocol
import ScenarioLanguage

extension Redirect {
    /// Returns the redirect. The first of a chain does not have `hop` in its query, the next ones count it.
    func response(to head: RequestHead, _ writer: ResponseWriter) -> ResponsePlan {
        let hop = head.query.flatMap { $0.hasPrefix("hop=") ? Int($0.dropFirst(4)) : nil } ?? 0
        let target = hop < hops ? "\(head.path)?hop=\(hop + 1)" : to
        let type = body == nil ? [] : [HeaderField("Content-Type", "text/plain; charset=utf-8")]
        return writer.plan(
            status, [HeaderField("Location", target)] + type, body: .bytes(Array((body ?? "").utf8)),
            overriding: headers)
    }
}
