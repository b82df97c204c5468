import Record
import ScenarioLanguage
import AdapterProtocol

/// The number of HTTP/2 frames of a kind among the recorded ones, for example how a client ends a stream, which
/// settings it sends, or that it acknowledges (RFC 9113 §6).
struct FramesCheck: Check {
    static let key = "frames"
    static let summary = "The number of HTTP/2 frames of this type; HEADERS, DATA and WINDOW_UPDATE are not recorded."
    static let shape = Shape.object(
        Bounds.shape("frames") + [
            Field(
                "type", .text, required: true, "The name in RFC 9113: SETTINGS, PRIORITY, RST_STREAM, PING, GOAWAY …"),
            Field("by", .word(["client", "server"]), "Only frames from this side."),
            Field("text", .text, "Only frames whose recorded text contains this: CANCEL, acknowledged, a setting …"),
            Field("connection", .integer(1...1_000_000), "Only frames of this connection, counted from 1."),
            Field("request", .integer(1...1_000_000), "Only frames of this request's stream."),
        ])

    private let bounds: Bounds
    private let type: String
    private let side: ServerFact.Side?
    private let text: String?
    private let connection: Int?
    private let request: Int?

    init(_ fields: Fields) throws(ScenarioError) {
        bounds = try Bounds(fields)
        type = try fields.need("type")
        side = fields.text("by").flatMap(ServerFact.Side.init)
        text = fields.text("text")
        connection = Findings.int(fields.integer("connection"))
        request = Findings.int(fields.integer("request"))
    }

    var needs: Set<Capability> { [.http2] }

    func judge(_ record: RecordView) -> [Mismatch] {
        let found = record.frames.filter { frame, _ in
            guard case .frame(let connection, _, let request, let by, let type, let text) = frame else { return false }
            return type == self.type && (side ?? by) == by && self.text.map(text.contains) ?? true
                && (self.connection ?? connection) == connection && (self.request == nil || self.request == request)
        }
        guard !bounds.contains(Int64(found.count)) else { return [] }
        let scope = [side.map { "from the \($0.rawValue)" }, text.map { "that contain \(quoted($0))" }].compactMap(
            \.self
        )
        .joined(
            separator: " ")
        return mismatch(
            expected: "\(bounds.description("frame")) \(type)" + (scope.isEmpty ? "" : " \(scope)"),
            found: counted(found.count, "frame"),
            evidence: (found.isEmpty ? record.frames : found).suffix(5).map(\.moment))
    }
}
