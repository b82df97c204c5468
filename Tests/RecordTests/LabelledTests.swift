import Testing

@testable import Record

/// Old records are judged like new ones, so every text must be read as the value that wrote it.
@Suite struct LabelledTests {
    private enum Word: String, CaseIterable { case close, closeWithoutNotify }

    @Test(arguments: Word.allCases) private func `every word survives the record`(_ word: Word) {
        for label in [
            Labelled(word), Labelled(word, "a: b, c"), Labelled(word, ""),
            Labelled(word).adding(", 0.04 seconds after"),
        ] {
            #expect(Labelled(text: label.text) == label)
            #expect(Labelled<Word>(text: label.text).word == word)
        }
    }

    @Test func `a word is not confused with a longer word that begins with it`() {
        #expect(Labelled<Word>(text: "closeWithoutNotify").word == .closeWithoutNotify)
        #expect(Labelled<Word>(text: "close").word == .close)
        #expect(Labelled<Word>(text: "closer").word == nil)
    }

    @Test func `a name that is one of the words becomes it`() {
        let known = Labelled<NetworkFact.LinkName>(name: "perfect", "no effects")
        #expect(known == Labelled(.perfect, "no effects"))
        let other = Labelled<NetworkFact.LinkName>(name: "good-wifi", "52Mbit/s")
        #expect(other == Labelled(text: "good-wifi: 52Mbit/s"))
        #expect(other.word == nil)
    }

    @Test func `an unknown word keeps its text`() {
        let unknown = Labelled<KillReason>(text: "interrupted: by Ctrl-C")
        #expect(unknown.word == nil)
        #expect(unknown.text == "interrupted: by Ctrl-C")
        #expect(unknown.details == "interrupted: by Ctrl-C")
    }

    @Test func `details are returned without the separator`() {
        #expect(Labelled<KillReason>(.limit, "after 20 s").details == "after 20 s")
        #expect(Labelled<KillReason>(.limit, "after 20 s").text == "timeout: after 20 s")
    }
}
