extension [UInt8] {
    /// Returns the first index of a line feed from `start` on.
    package func firstLineFeed(from start: Int) -> Int? { self[start...].firstIndex(of: UInt8(ascii: "\n")) }
}
