import AdapterProtocol
import Scenario

extension OriginState {
    /// The answer when the exchange is about an upload; nil when it is an ordinary one.
    mutating func uploadAnswer(_ exchange: Exchange, connection: Int) -> ResponsePlan? {
        guard let answer = uploads.answer(to: exchange.head, request: exchange.request) else { return nil }
        let writer = ResponseWriter(head: exchange.head, date: date)
        switch answer {
        case .own(let status, let fields, let body):
            return body.map { writer.text(status, $0, fields) } ?? writer.plan(status, fields)
        case .target(let target, let fields):
            var plan = responder.answer(
                to: target, pathRequest: exchange.occasion.pathRequest ?? 1, connection: connection, body: exchange.inspection, date: date)
            plan.headers += fields
            return plan
        }
    }
}
