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
}
