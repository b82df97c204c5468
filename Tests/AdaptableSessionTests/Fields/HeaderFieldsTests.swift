import AdaptableSession
import Testing

struct HeaderFieldsTests {
    @Test func `names are compared without case and lines keep their order`() {
        let fields = HeaderFields([
            (name: "Set-Cookie", value: "a=1"), (name: "X", value: " v\t"), (name: "set-cookie", value: "b=2, c"),
        ])
        #expect(fields.values("SET-COOKIE") == ["a=1", "b=2, c"])
        #expect(fields["x"] == "v")
        #expect(fields["absent"] == nil)
        #expect(fields.dictionary == ["Set-Cookie": "a=1, b=2, c", "X": "v"])
    }

    @Test func `setting a name replaces all its lines`() {
        var fields: HeaderFields = ["A": "1", "a": "2", "B": "3"]
        fields["A"] = "4"
        #expect(fields.values("a") == ["4"])
        fields["A"] = nil
        #expect(fields == ["B": "3"])
    }

    @Test func `a comma inside quotes does not separate members`() {
        let fields: HeaderFields = ["Vary": "a , b,,", "vary": #""c, \" d", e"#]
        #expect(fields.list("Vary") == ["a", "b", #""c, \" d""#, "e"])
    }
}
