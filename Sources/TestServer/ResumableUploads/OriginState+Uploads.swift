import AdapterProtocol

extension OriginState {
    /// Returns the response when the exchange is about an upload; nil for an ordinary one.
    mutating func uploadDecision(_ exchange: Exchange, connection: Int) -> ResponsePlan? {
        guard let decision = uploads.decision(to: exchange.head, request: exchange.request) else { return nil }
        let writer = ResponseWriter(head: exchange.head, date: date)
        switch decision {
        case .own(let status, let fields, let body):
            return body.map { writer.text(status, $0, fields) } ?? writer.plan(status, fields)
        case .target(let target, let fields):
            var plan = responder.response(
                to: target, pathRequest: exchange.faultContext.pathRequest ?? 1, connection: connection,
                body: exchange.inspection, date: date)
            plan.headers += fields
            return plan
        }
    }
}
