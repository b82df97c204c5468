import Record
import ScenarioLanguage
import Testing

@testable import Reports

struct ProgressLineTests {
    private var line: ProgressLine {
        var line = ProgressLine(total: 40)
        for label in ["resume/reset-at-byte", "order/body", "tls/version-limits", "order/done"] { line.started(label) }
        line.finished("order/done", .pass)
        line.finished("never/started", .error("x"))
        return line
    }

    @Test func `the line shows as much as fits`() {
        let text = { self.line.text(elapsed: .seconds(31), width: $0) }
        #expect(
            text(120) == "2/40  00:31  1 passed, 1 error  running: resume/reset-at-byte, order/body, tls/version-limits"
        )
        #expect(text(80) == "2/40  00:31  1 passed, 1 error  running: resume/reset-at-byte, order/body (+1)")
        #expect(text(70) == "2/40  00:31  1 passed, 1 error  running: resume/reset-at-byte (+2)")
        #expect(text(50) == "2/40  00:31  1 passed, 1 error  running: 3")
        #expect(text(35) == "2/40  00:31  1 passed, 1 error")
        #expect(text(20) == "2/40  00:31  1 pass…")
    }

    @Test func `the line never exceeds the width`() {
        for width in 0...130 { #expect(line.text(elapsed: .seconds(31), width: width).count <= width) }
    }

    @Test func `the line counts outcomes while nothing runs`() {
        var line = ProgressLine(total: 3)
        #expect(line.text(elapsed: .zero, width: 80) == "0/3  00:00")
        line.started("a")
        line.finished("a", .unsupported("x"))
        line.finished("b", .fail(.wrong, []))
        line.finished("c", .skipped(after: "b"))
        #expect(line.text(elapsed: .seconds(4000), width: 80) == "3/3  1:06:40  1 failed, 1 unsupported, 1 skipped")
    }
}
