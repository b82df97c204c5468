import HTTPFields
import Testing

struct HTTPFieldSyntaxTests {
    @Test func `a quoted string is written and read with its escapes`() {
        #expect(HTTPFieldSyntax.unquoted(#""c, \" d""#) == #"c, " d"#)
        #expect(HTTPFieldSyntax.quoted(#"c, " d"#) == #""c, \" d""#)
    }

    @Test func `a comma inside quotes does not separate members`() {
        #expect(HTTPFieldSyntax.listMembers(#"a , b,, "c, \" d", e"#) == ["a", "b", #""c, \" d""#, "e"])
    }

    @Test func `a Kelvin sign does not equal the letter K`() {
        #expect(!HTTPFieldSyntax.equal("Kelvin", "\u{212A}elvin"))
        #expect(HTTPFieldSyntax.equal("Kelvin", "kELVIN"))
    }

    @Test(arguments: ["", "?", "1", "?2", "true"]) func `other text is not a boolean`(text: String) {
        #expect(StructuredField.boolean(text) == nil)
        #expect(StructuredField.boolean("?1") == true)
        #expect(StructuredField.boolean("?0") == false)
    }

    @Test(arguments: ["", "-1", "+1", "1.0", " 1", "1000000000000000", "x"])
    func `other text is not an integer of fifteen digits`(text: String) {
        #expect(StructuredField.integer(text) == nil)
        #expect(StructuredField.integer("999999999999999") == 999_999_999_999_999)
    }
}
