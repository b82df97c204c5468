/// Text for the cells of a terminal. Names and paths come from the program in the lab and from the network, so nothing in
/// them may move the cursor, change colours or take more cells than counted.
package enum TerminalText {
    /// Returns the text on one line, with characters that a terminal interprets, or whose width terminals do not agree on,
    /// replaced by U+FFFD.
    package static func clean(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.value {
            // Variation selectors and skin tones change the width in some terminals only.
            case 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF: continue
            // Halves of flags.
            case 0x1F1E6...0x1F1FF: result.append("\u{fffd}")
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate:
                    result.append("\u{fffd}")
                // A mark needs a character before it.
                case .nonspacingMark, .enclosingMark: result.append(result.isEmpty ? "\u{fffd}" : scalar)
                case _: result.append(scalar)
                }
            }
        }
        return String(result)
    }

    /// The number of cells of a cleaned text.
    package static func width(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + width($1) } }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        // East Asian Width W and F (UAX #11), by block.
        switch scalar.value {
        case 0x1160...0x11FF: return 0
        case 0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0, 0x23F3, 0x25FD...0x25FE,
            0x2614...0x2615, 0x2648...0x2653, 0x267F, 0x2693, 0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE,
            0x26C4...0x26C5, 0x26CE, 0x26D4, 0x26EA, 0x26F2...0x26F3, 0x26F5, 0x26FA, 0x26FD, 0x2705, 0x270A...0x270B,
            0x2728, 0x274C, 0x274E, 0x2753...0x2755, 0x2757, 0x2795...0x2797, 0x27B0, 0x27BF, 0x2B1B...0x2B1C, 0x2B50,
            0x2B55, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
            0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F004, 0x1F0CF, 0x1F18E, 0x1F191...0x1F19A,
            0x1F200...0x1F265, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F7E0...0x1F7EB, 0x1F90C...0x1F9FF,
            0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }

    /// Returns a cleaned text in at most `width` cells; a cut text ends with `…`.
    package static func cut(_ text: String, to width: Int) -> String {
        guard self.width(text) > width else { return text }
        guard width > 0 else { return "" }
        var (result, used) = ("", 0)
        for character in text {
            let size = self.width(String(character))
            if used + size > width - 1 { break }
            result.append(character)
            used += size
        }
        return result + "…"
    }

    /// Returns a cleaned text in exactly `width` cells.
    package static func fit(_ text: String, to width: Int, alignsRight: Bool = false) -> String {
        let cut = cut(text, to: width)
        let space = String(repeating: " ", count: max(0, width - self.width(cut)))
        return alignsRight ? space + cut : cut + space
    }
}
