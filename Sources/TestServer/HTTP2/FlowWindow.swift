import Scenario

/// How many more bytes of DATA one direction of a stream or connection may carry (RFC 9113 §6.9).
struct FlowWindow: Hashable {
    static let largest = 0x7FFF_FFFF
    /// May become negative when SETTINGS shrink it.
    private(set) var left: Int

    init(_ size: Int) { left = size }

    mutating func spend(_ bytes: Int) { left -= bytes }

    /// False when the window would exceed 2^31-1, which is an error of whoever granted it.
    mutating func grant(_ bytes: Int) -> Bool {
        guard left + bytes <= FlowWindow.largest else { return false }
        left += bytes
        return true
    }
}
