import Scenario

extension Fault.Point {
    /// The fault in the words of a scenario file, for the record.
    var description: String {
        switch self {
        case .accept: "accept"
        case .tlsStart: "tlsStart"
        case .tlsClientHello: "tlsClientHello"
        case .tlsFinished: "tlsFinished"
        case .requestHead: "requestHead"
        case .requestBody(let bytes): "requestBody: \(bytes)"
        case .responseHead(after: 0): "responseHead"
        case .responseHead(let bytes): "responseHead: \(bytes)"
        case .statusLine: "statusLine"
        case .responseHeader(let name): "responseHeader: \(name)"
        case .responseBody(let bytes): "responseBody: \(bytes)"
        case .afterChunks(let count): "afterChunks: \(count)"
        case .insideChunk(let number): "insideChunk: \(number)"
        case .trailers: "trailers"
        case .idle: "idle"
        case .reusedRequest: "reusedRequest"
        }
    }
}

extension Fault.Effect {
    var description: String {
        switch self {
        case .close: "close"
        case .closeWithoutNotify: "closeWithoutNotify"
        case .reset: "reset"
        case .halfClose: "halfClose"
        case .stopReading: "stopReading"
        case .stall: "stall"
        case .pause(let duration): "pause: \(duration)"
        case .throttle(let rate): "throttle: \(rate)"
        case .dribble(let bytes, let every): "dribble: \(bytes)B every \(every)"
        case .garbage(let text): "garbage: \(text.prefix(40))"
        case .noise(let count): "noise: \(count)"
        case .tlsGarbage(let text): "tlsGarbage: \(text.prefix(40))"
        case .tlsAlert(let alert): "tlsAlert: \(alert)"
        case .answer: "respond"
        case .status(let status, _): "status: \(status)"
        case .stream(let effect): effect.description
        }
    }
}

extension Fault {
    /// The effect, and its delay.
    var effectDescription: String { effect.description + (delay.map { ", \($0) after" } ?? "") }
}
