import GeneratedBodies
import NIOCore
import OpenSSLTLS
import ScenarioLanguage

/// Compares a request body with the pattern of its path while it arrives; keeps a short text, and the bytes for an
/// echo. A body that a redirect led here still has the pattern of its first path.
struct BodyInspection {
    static let longestText = 4 * 1024
    static let longestEcho = 1024 * 1024

    /// The patterns that the body may have, that of its own path first, each with the first byte that differs.
    private var patterns: [(key: PatternBody.Key, mismatch: Int64?)]
    private let keeps: Int
    private let from: Int64
    private(set) var count: Int64 = 0
    private(set) var kept: [UInt8] = []
    /// The digest of the whole body, when credentials cover it.
    private(set) var digest: RunningDigest?

    /// Inspects the body that follows this head; credentials may cover it.
    ///
    /// - Parameter redirects: The paths from which redirects lead to this one.
    init(of head: RequestHead, echoes: Bool, redirects: [String] = []) {
        self.init(path: head.path, echoes: echoes)
        for path in redirects where path != head.path {
            patterns.append((PatternBody.key(path: path, version: 1), nil))
        }
        digest = BodyDigest.running(for: head)
    }

    /// - Parameter from: The position in the pattern at which the body begins.
    init(path: String, echoes: Bool, from: Int64 = 0) {
        self.from = from
        patterns = [(PatternBody.key(path: path, version: 1), nil)]
        self.keeps = echoes ? BodyInspection.longestEcho : BodyInspection.longestText
    }

    mutating func update(_ part: ByteBuffer) {
        digest?.update(part.readableBytesUInt8Span)
        for index in patterns.indices where patterns[index].mismatch == nil {
            var expected = ByteBuffer()
            PatternFiller.append(key: patterns[index].key, from: from + count, count: part.readableBytes, to: &expected)
            if expected != part {
                let wrong = zip(expected.readableBytesView, part.readableBytesView).enumerated().first {
                    $0.element.0 != $0.element.1
                }
                patterns[index].mismatch = wrong.map { count + Int64($0.offset) }
            }
        }
        let space = keeps - kept.count
        if space > 0 { kept.append(contentsOf: part.readableBytesView.prefix(space)) }
        count += Int64(part.readableBytes)
    }

    /// True if `kept` is the whole body.
    var isKept: Bool { count == Int64(kept.count) }

    /// The body when it is short and printable text.
    var text: String? {
        guard count > 0, count <= Int64(BodyInspection.longestText), isKept,
            kept.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D })
        else { return nil }
        return String(validating: kept, as: UTF8.self)
    }

    /// The position of the first byte that differs from the pattern; nil for a text.
    var differsAt: Int64? {
        text == nil && patterns.allSatisfy({ $0.mismatch != nil }) ? patterns.first?.mismatch : nil
    }
}

/// The digest of the entity body that auth-int credentials cover (RFC 7616 §3.4.3).
enum BodyDigest {
    /// Returns nil when the request does not have such credentials.
    static func running(for head: RequestHead) -> RunningDigest? {
        for field in head.values(of: "authorization") + head.values(of: "proxy-authorization") {
            let scheme = field.prefix { $0 != " " }
            guard scheme.equalsIgnoringCase("digest"),
                let given = AuthenticationParameters(field.dropFirst(scheme.count)),
                given["qop"] == AuthenticationPlan.Digest.Quality.integrity.rawValue
            else { continue }
            let named = AuthenticationPlan.Digest.Algorithm.allCases.first {
                $0.rawValue.equalsIgnoringCase(given["algorithm"] ?? "MD5")
            }
            return named.map { RunningDigest($0.digest) }
        }
        return nil
    }
}
