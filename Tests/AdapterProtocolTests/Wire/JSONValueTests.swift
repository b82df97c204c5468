import Testing

@testable import AdapterProtocol

/// Times are nanoseconds and offsets may exceed 2^53, so whole numbers must not be converted through Double.
@Suite struct JSONValueTests {
    @Test(arguments: [0, -1, Int64.max, Int64.min, 9_007_199_254_740_993])
    func `whole numbers are exact in both directions`(_ number: Int64) {
        let value = JSONValue.object(["n": .integer(number)])
        #expect(value.line == "{\"n\":\(number)}")
        #expect(JSONValue.parse(Array(value.line.utf8)) == value)
    }

    @Test func `a number too large for 64 bits is never decoded as a wrong whole number`() {
        let value = JSONValue.parse(Array("18446744073709551616".utf8))
        #expect(value?.integer == nil)
        #expect(value?.number == 18_446_744_073_709_551_616)
    }

    @Test func `every kind of value keeps its kind`() {
        let line = #"{"a":[1,2.5,"1",true,false,null,{},[]],"b":"line\nend \"ü\" /","c":{"d":{}}}"#
        let value = JSONValue.parse(Array(line.utf8))
        #expect(
            value
                == .object([
                    "a": .list([
                        .integer(1), .number(2.5), .text("1"), .boolean(true), .boolean(false), .null, .object([:]),
                        .list([]),
                    ]), "b": .text("line\nend \"ü\" /"), "c": .object(["d": .object([:])]),
                ]))
        #expect(value?.line == line)
    }

    /// An adapter may compute any number, for example 0 divided by 0.
    @Test func `a number that JSON cannot represent is encoded as null`() {
        for number in [Double.nan, .infinity, -.infinity] {
            #expect(JSONValue.list([.number(number), .integer(1)]).line == "[null,1]")
        }
    }

    @Test func `broken, doubled and endlessly nested JSON gives nil and does not trap`() {
        for text in ["", "{", "{}{}", "{\"a\":}", "nul", "\u{0}", "1e999", "{\"a\":\"\\ud800\"}", "NaN"] {
            #expect(JSONValue.parse(Array(text.utf8)) == nil, "\(text)")
        }
        #expect(JSONValue.parse([0xFF, 0xFE]) == nil)
        #expect(JSONValue.parse(Array(String(repeating: "[", count: 100_000).utf8)) == nil)
    }

    /// Strings are scanned eight bytes at once, so a special byte is tried at every place of such a group and behind it.
    @Test(arguments: ["\"", "\\", "\n", "\u{1}", "\u{1f}", "\u{7f}", "ü", "😀", "/"])
    func `a special character keeps its place in a text`(_ special: String) {
        for before in 0..<18 {
            for after in [0, 1, 7, 8, 9] {
                let text = String(repeating: "a", count: before) + special + String(repeating: "b", count: after)
                let value = JSONValue.object([text: .text(text)])
                #expect(JSONValue.parse(Array(value.line.utf8)) == value, "\(value.line)")
                #expect(value.line.unicodeScalars.allSatisfy { $0.value >= 0x20 }, "\(value.line)")
            }
        }
    }

    @Test func `control characters, quotation marks and backslashes are escaped, and nothing else`() {
        let text = JSONValue.text("\u{0}\u{8}\t\n\u{b}\u{c}\r\u{1f}\"\\/\u{7f}ü\u{2028}")
        #expect(text.line == "\"\\u0000\\b\\t\\n\\u000b\\f\\r\\u001f\\\"\\\\/\u{7f}ü\u{2028}\"")
    }

    @Test func `every escape is read`() {
        let line = #""\"\\\/\b\f\n\r\t\u00e9\u00E9\ud83d\ude00""#
        #expect(JSONValue.parse(Array(line.utf8)) == .text("\"\\/\u{8}\u{c}\n\r\téé😀"))
    }

    /// RFC 8259 allows none of these; other decoders accept some of them.
    @Test(arguments: [
        "[1,]", #"{"a":1,}"#, "[,1]", "[1 2]", #"{"a" 1}"#, "{a:1}", #"{1:1}"#, "01", "-", "+1", ".5", "5.", "1e",
        "1e+", "0x1",
        "\"a", "\"\t\"", #""\x""#, #""\u12g4""#, #""\u12""#, #""\udc00""#, #""\ud800a""#, #""\ud800\u0041""#, "True",
        "[1]]",
    ])
    func `text that is not exactly JSON is refused`(_ text: String) {
        #expect(JSONValue.parse(Array(text.utf8)) == nil)
    }

    @Test func `bytes that are not UTF-8 are refused inside a text too`() {
        for bytes: [UInt8] in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0x80]] {
            #expect(JSONValue.parse([0x22] + bytes + [0x22]) == nil)
            #expect(JSONValue.parse([0x22, 0x5C, 0x6E] + bytes + [0x22]) == nil, "after an escape")
        }
    }

    @Test func `numbers with a fraction of zero or an exponent are whole as long as they are exact`() {
        let line = "[1.0,1e3,-0,-2.50e1,1E-2,9007199254740993.0,1e18]"
        #expect(
            JSONValue.parse(Array(line.utf8))
                == .list([
                    .integer(1), .integer(1000), .integer(0), .integer(-25), .number(0.01),
                    .number(9_007_199_254_740_992),
                    .number(1e18),
                ]))
    }

    @Test func `of members with the same name the first one counts`() {
        #expect(JSONValue.parse(Array(#"{"a":1,"a":2}"#.utf8)) == .object(["a": .integer(1)]))
    }

    @Test func `a mark of UTF-8 and spaces around the value are ignored`() {
        #expect(
            JSONValue.parse([0xEF, 0xBB, 0xBF] + Array(" \t\r\n[ 1 , { } ] \n".utf8))
                == .list([.integer(1), .object([:])]))
    }

    @Test func `values are nested 512 deep and no deeper`() {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(JSONValue.parse(nested(512)) != nil)
        #expect(JSONValue.parse(nested(513)) == nil)
    }
}
