/// Bytes delivered in chunks, each from one entry of the record.
package struct DeliveredChunks: Sendable {
    package private(set) var bytes: [UInt8] = []
    private var origins: [(end: Int, entry: Int)] = []

    mutating func append(_ piece: [UInt8], from entry: Int) {
        bytes += piece
        origins.append((bytes.count, entry))
    }

    /// Returns the entry that delivered the byte at this offset; the last one for a byte after the end.
    package func entry(of offset: Int) -> Int? { (origins.first { offset < $0.end } ?? origins.last)?.entry }
}
