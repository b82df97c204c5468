/// The number of bytes of DATA that one direction of a stream or connection may still carry (RFC 9113 §6.9).
struct FlowWindow: Hashable {
    static let largest = 0x7FFF_FFFF
    /// May become negative when SETTINGS shrink it.
    private(set) var left: Int

    init(_ size: Int) { left = size }

    mutating func spend(_ bytes: Int) { left -= bytes }

    /// Returns false when the window would exceed 2^31-1, which is an error of the side that granted it.
    mutating func grant(_ bytes: Int) -> Bool {
        guard left + bytes <= FlowWindow.largest else { return false }
        left += bytes
        return true
    }
}
