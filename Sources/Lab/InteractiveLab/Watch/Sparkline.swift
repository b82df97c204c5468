/// The last values of a measurement as a row of bars.
struct Sparkline: Hashable, Sendable {
    /// nil where nothing was measured.
    var values: [Double?]
    /// The value of a full bar, unless a shown value is larger.
    var least: Double

    private static let bars: [Character] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    private static let plainBars: [Character] = [".", ":", "-", "=", "+", "*", "#", "@"]

    /// Returns the last `width` values, the newest at the right end.
    func text(width: Int, isPlain: Bool) -> String {
        guard width > 0 else { return "" }
        let shown = Array(values.suffix(width))
        let most = max(least, shown.compactMap(\.self).max() ?? 0)
        let bars = isPlain ? Sparkline.plainBars : Sparkline.bars
        let text = shown.map { value -> Character in
            guard let value, value.isFinite, most > 0 else { return " " }
            return bars[min(bars.count - 1, max(0, Int((value / most * Double(bars.count)).rounded(.up)) - 1))]
        }
        return String(repeating: " ", count: width - text.count) + String(text)
    }
}
