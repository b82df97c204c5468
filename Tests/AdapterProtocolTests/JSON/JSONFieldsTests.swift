import Testing

@testable import AdapterProtocol

/// Record, adapter protocol and control socket read their lines with these types.
@Suite struct JSONFieldsTests {
    private enum Side: String, CaseIterable { case client, server }

    private static func fields(_ text: String) throws -> WireFields {
        WireFields(kind: "line", values: try #require(JSONValue.parse(Array(text.utf8))?.object))
    }

    @Test func `an object survives its line`() throws {
        let object = JSONObject().with("text", "a \"b\"\n").with("count", UInt32.max).with("bytes", Int64.min)
            .with("seconds", Duration.milliseconds(1500)).with("is", true).with("none", nil as String?)
            .with("names", ["x", "y"]).with("headers", [HeaderField("A", "1"), HeaderField("A", "2")])
            .with("inner", JSONObject().with("side", "server"))
        let fields = try Self.fields(object.line)
        #expect(try fields.text("text") == "a \"b\"\n")
        #expect(try fields.whole("count") == UInt32.max)
        #expect(try fields.integer("bytes") == .min)
        #expect(try fields.duration("seconds") == .milliseconds(1500))
        #expect(try fields.boolean("is"))
        #expect(!fields.has("none"))
        #expect(try fields.texts("names") == ["x", "y"])
        #expect(try fields.headers("headers") == [HeaderField("A", "1"), HeaderField("A", "2")])
        #expect(try fields.object("inner").word("side", Side.self) == .server)
    }

    @Test func `null counts as absent`() throws {
        let fields = try Self.fields(#"{"a":null}"#)
        #expect(!fields.has("a"))
        #expect(try fields.optional("a", fields.text) == nil)
        #expect(throws: WireError.missingField("a", in: "line")) { try fields.text("a") }
    }

    @Test func `an error names the field and the expected type`() throws {
        let fields = try Self.fields(#"{"a":1,"b":-1,"c":300,"d":["x",1],"e":"up"}"#)
        #expect(throws: WireError.wrongType("a", in: "line", expected: "text")) { try fields.text("a") }
        #expect(throws: WireError.wrongType("b", in: "line", expected: "number of at least 0")) {
            try fields.count("b")
        }
        #expect(throws: WireError.wrongType("c", in: "line", expected: "whole number")) {
            let _: Int8 = try fields.whole("c")
        }
        #expect(throws: WireError.wrongType("d", in: "line", expected: "list of texts")) { try fields.texts("d") }
        #expect(throws: WireError.unknownValue("up", field: "e", allowed: ["client", "server"])) {
            try fields.word("e", Side.self)
        }
    }
}

@Suite struct OrderedJSONTests {
    @Test func `members keep their order, and text is escaped`() {
        let value = OrderedJSON.object([
            ("b", .string("\"\\\n\u{1}\u{2028}")), ("a", .array([.count(1), .null, .bool(true), .number("0.5")])),
            ("c", .object([])),
        ])
        #expect(
            value.written() == """
                {
                  "b": "\\"\\\\\\n\\u0001\\u2028",
                  "a": [1, null, true, 0.5],
                  "c": {}
                }
                """)
    }

    @Test func `short objects of plain members are written on one line where that is wanted`() {
        let value = OrderedJSON.object([("a", .count(1)), ("b", .count(2))])
        #expect(value.written() == #"{"a": 1, "b": 2}"#)
        #expect(value.written(shortest: 1) == "{\n  \"a\": 1,\n  \"b\": 2\n}")
    }
}
