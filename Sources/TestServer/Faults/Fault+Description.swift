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
    /// The effect in the words of a scenario file, for the record.
    var recorded: Labelled<Word> {
        switch self {
        case .close: Labelled(.close)
        case .closeWithoutNotify: Labelled(.closeWithoutNotify)
        case .reset: Labelled(.reset)
        case .halfClose: Labelled(.halfClose)
        case .stopReading: Labelled(.stopReading)
        case .stall: Labelled(.stall)
        case .pause(let duration): Labelled(.pause, "\(duration)")
        case .throttle(let rate): Labelled(.throttle, "\(rate)")
        case .dribble(let bytes, let every): Labelled(.dribble, "\(bytes)B every \(every)")
        case .garbage(let text): Labelled(.garbage, "\(text.prefix(40))")
        case .noise(let count): Labelled(.noise, "\(count)")
        case .tlsGarbage(let text): Labelled(.tlsGarbage, "\(text.prefix(40))")
        case .tlsAlert(let alert): Labelled(.tlsAlert, "\(alert)")
        case .answer: Labelled(.respond)
        case .status(let status, _): Labelled(.status, "\(status)")
        case .stream(let effect): effect.recorded
        }
    }
}

extension Fault {
    /// The effect, and its delay.
    var recordedEffect: Labelled<Effect.Word> { effect.recorded.adding(delay.map { ", \($0) after" } ?? "") }
}
