import Testing

@testable import ScenarioLanguage

struct SpellingTests {
    @Test(arguments: [
        ("kitten", "sitting", 3), ("", "abc", 3), ("abc", "", 3), ("same", "same", 0), ("wifi", "wfii", 1),
        ("lte", "let", 1),
    ])
    func `the distance counts edits, with a swap as one`(left: String, right: String, distance: Int) {
        #expect(Spelling.distance(Array(left.utf8), Array(right.utf8)) == distance)
    }

    @Test func `the nearest word is suggested only if it is similar`() {
        let words = ["down", "up", "noRoute", "blackhole"]
        #expect(Spelling.nearest(to: "dwon", among: words) == "down")
        #expect(Spelling.nearest(to: "noroute", among: words) == "noRoute")
        #expect(Spelling.nearest(to: "black-hole", among: words) == "blackhole")
        #expect(Spelling.nearest(to: "sideways", among: words) == nil)
        #expect(Spelling.nearest(to: "", among: words) == nil)
        #expect(Spelling.nearest(to: "x", among: []) == nil)
    }
}
