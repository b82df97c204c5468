import Record

/// Adds terminal colours when they are enabled; otherwise returns the text unchanged.
struct ANSIStyle {
    enum Colour: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case magenta = "35"
        case bold = "1"
    }
    var isOn: Bool

    func callAsFunction(_ text: String, _ colour: Colour) -> String {
        isOn ? "\u{1b}[\(colour.rawValue)m\(text)\u{1b}[0m" : text
    }

    static func colour(_ outcome: Outcome) -> Colour {
        switch outcome {
        case .pass: .green
        case .fail: .red
        case .unsupported, .skipped: .yellow
        case .error: .magenta
        }
    }
}
