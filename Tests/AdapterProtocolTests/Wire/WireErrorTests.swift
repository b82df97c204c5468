import Testing

@testable import AdapterProtocol

/// Covers each way in which a line can be wrong, and checks that its message lets the adapter's author find it.
@Suite struct WireErrorTests {
    private static func error(_ line: String) -> WireError? {
        do throws(WireError) {
            _ = try SessionEvent.decode(line: Array(line.utf8))
            return nil
        } catch { return error }
    }

    @Test func `a line that is not a JSON object is quoted and truncated`() {
        #expect(
            Self.error("Traceback (most recent call last):") == .notJSON(excerpt: "Traceback (most recent call last):"))
        #expect(Self.error("[1]") == .notJSON(excerpt: "[1]"))
        #expect(Self.error(#"{"v":2"#) == .notJSON(excerpt: #"{"v":2"#))
        let long = Self.error(String(repeating: "x", count: 5000))
        #expect(long == .notJSON(excerpt: String(repeating: "x", count: 200) + "…"))
    }

    @Test func `another version is refused and both numbers are named`() {
        #expect(
            Self.error(#"{"v":1,"seq":1,"time":1,"event":"log","text":""}"#) == .wrongVersion(found: "1", supported: 2))
        #expect(
            Self.error(#"{"seq":1,"time":1,"event":"log","text":""}"#) == .wrongVersion(found: "none", supported: 2))
        #expect(Self.error(#"{"v":"2","seq":1,"time":1,"event":"log"}"#) == .wrongVersion(found: "\"2\"", supported: 2))
        #expect(
            "\(WireError.wrongVersion(found: "1", supported: 2))"
                == "protocol version 1, but this side supports version 2")
    }

    @Test func `a missing field is named together with its event`() {
        #expect(Self.error(#"{"v":2,"seq":1,"time":1}"#) == .missingField("event", in: "a line"))
        #expect(Self.error(#"{"v":2,"time":1,"event":"log","text":""}"#) == .missingField("seq", in: "log"))
        #expect(Self.error(#"{"v":2,"seq":1,"event":"log","text":""}"#) == .missingField("time", in: "log"))
        #expect(
            Self.error(#"{"v":2,"seq":1,"time":1,"event":"didCreateTask"}"#)
                == .missingField("task", in: "didCreateTask"))
        #expect(
            Self.error(#"{"v":2,"seq":1,"time":1,"event":"didComplete","task":"a","error":{"domain":"d","text":"t"}}"#)
                == .missingField("code", in: "didComplete.error"))
        #expect("\(WireError.missingField("seq", in: "log"))" == "log without the field 'seq'")
    }

    @Test func `a field of the wrong kind is named together with the expected kind`() {
        #expect(
            Self.error(#"{"v":2,"seq":-1,"time":1,"event":"log","text":""}"#)
                == .wrongType("seq", in: "log", expected: "number of at least 0"))
        #expect(
            Self.error(#"{"v":2,"seq":1,"time":1.5,"event":"log","text":""}"#)
                == .wrongType("time", in: "log", expected: "whole number"))
        #expect(
            Self.error(#"{"v":2,"seq":1,"time":1,"event":"didReceiveData","task":"a","base64":"?"}"#)
                == .wrongType("base64", in: "didReceiveData", expected: "base64"))
        #expect(
            Self.error(
                #"{"v":2,"seq":1,"time":1,"event":"didReceiveResponse","task":"a","status":200,"url":"","headers":[["a"]],"#
                    + #""expectedLength":1}"#)
                == .wrongType("headers", in: "didReceiveResponse", expected: "list of [name, value] pairs"))
    }
}
