import Scenario

extension Fault.Point {
    /// As in a scenario file, for the record.
    var words: String {
        switch self {
        case .accept: "accept"
        case .tlsClientHello: "tlsClientHello"
        case .requestHead: "requestHead"
        case .requestBody(let bytes): "requestBody: \(bytes)"
        case .responseHead(after: 0): "responseHead"
        case .responseHead(let bytes): "responseHead: \(bytes)"
        case .responseBody(let bytes): "responseBody: \(bytes)"
        case .idle: "idle"
        case .reusedRequest: "reusedRequest"
        }
    }
}

extension Fault.Effect {
    var words: String {
        switch self {
        case .close: "close"
        case .reset: "reset"
        case .halfClose: "halfClose"
        case .stall: "stall"
        case .pause(let duration): "pause: \(duration)"
        case .throttle(let rate): "throttle: \(rate)"
        case .garbage(let text): "garbage: \(text.prefix(40))"
        case .tlsAlert(let alert): "tlsAlert: \(alert)"
        }
    }
}
