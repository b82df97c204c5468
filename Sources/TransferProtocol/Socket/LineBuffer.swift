/// Splits received bytes into lines.
package struct LineBuffer: Sendable {
    /// The longest line in bytes: a message with the body of an upload's response has at most this size.
    package static let longestLine = 16 << 20

    private var partial: [UInt8] = []

    package init() {}

    /// Adds bytes and returns the complete lines, without their line feeds; nil if a line is too long, after which the
    /// connection cannot be used.
    package mutating func append(_ bytes: [UInt8]) -> [[UInt8]]? {
        var lines: [[UInt8]] = []
        var rest = bytes[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            partial += rest[..<end]
            guard partial.count <= Self.longestLine else { return nil }
            lines.append(partial)
            partial = []
            rest = rest[(end + 1)...]
        }
        partial += rest
        return partial.count <= Self.longestLine ? lines : nil
    }
}
