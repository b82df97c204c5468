/// Writes a value of a shape as an example; `LanguageReferenceTests` reads each with the reader.
enum ShapeExample {
    /// Returns the key with a value, as one line of YAML.
    static func line(of entry: LanguageReference.Entry) -> String {
        "\(entry.field.name): \(chosen[entry.path] ?? value(of: entry.field.shape, key: entry.field.name))"
    }

    /// Examples that are better than the first allowed value.
    private static let chosen = [
        "network": "{ wifi: good-wifi }", "dns": "{ gone.test: nxdomain }", "session": "{ requestTimeout: 5s }",
        "origin": "{ /hello: { text: hello } }", "proxies": "{ front: {} }", "steps": "[{ data: /hello }]",
        "timeline": "[{ when: { responseSent: 64KiB }, set: { wifi: down } }]", "expect": "[{ succeeds: all }]",
        "origin.faults": "[{ at: { responseBody: 64KiB }, do: reset }]", "origin.faults.do": "reset",
        "origin.faults.at": "{ responseBody: 64KiB }", "parameters": "[{ name: early, byte: 4KiB }]",
        "steps.await": "{ request: 1 }", "steps.set": "{ wifi: down }", "timeline.when": "{ request: 1 }",
        "timeline.set": "{ wifi: down }", "expect.frames": "{ type: RST_STREAM, by: client }",
        "expect.frames.type": "RST_STREAM", "expect.frames.text": "CANCEL",
        "steps.redirect.to": "/new", "session.proxy.except": "'*.example.test'",
    ]

    /// Texts by their key; others are `name`.
    private static let texts = [
        "scenario": "A body arrives", "proves": "DNLD-09", "cites": "RFC 9110 §15.4",
        "report": "https://example.test/issues/1", "tags": "slow", "dependsOn": "download/completes",
        "networks": "lte", "network": "lte", "because": "the link lacks IPv4", "data": "/hello", "download": "/big",
        "upload": "/upload", "stream": "api.test:8080", "as": "first", "task": "first", "session": "main",
        "succeeds": "all", "url": "/hello", "path": "/hello", "host": "api.test", "method": "POST", "text": "hello",
        "type": "text/plain", "etag": "\"v1\"", "redirect": "/new", "location": "/new",
        "lastModified": "Sat, 01 Aug 2026 12:00:00 GMT", "body": "hello", "event": "first.didComplete",
        "await": "first.didComplete", "when": "first.didReceiveData", "query": "api.test", "user": "ann",
        "password": "secret", "realm": "lab", "resumeData": "first", "resume": "first", "cancel": "first",
        "equals": "/big", "from": "first.didReceiveResponse", "to": "first.didComplete",
        "first": "first.didReceiveData",
        "then": "first.didComplete", "never": "first.didFinishDownloading", "order": "first.didReceiveResponse",
        "number": "1", "rangeStart": "1..65536", "responseHeader": "ETag", "garbage": "not HTTP",
        "after": "first.didReceiveResponse", "before": "first.didComplete", "prefix": "2001:db8:64::/96",
        "proxy": "front", "target": "api.test:443", "events": "didComplete",
    ]

    private static func value(of shape: Shape, key: String) -> String {
        switch shape {
        case .text, .anything: quoted(texts[key] ?? "name")
        case .word(let words): quoted(words.first ?? "name")
        case .boolean: "true"
        case .integer(let range): "\(min(max(1, range.lowerBound), range.upperBound))"
        case .duration: "2s"
        case .bitRate: "1Mbit/s"
        case .byteCount: "64KiB"
        case .probability: "1%"
        case .list(let element): "[\(value(of: element, key: key))]"
        case .oneOrMore(let element): value(of: element, key: key)
        case .object(let fields): object(fields.filter(\.required).isEmpty ? fields.first.map { [$0] } ?? [] : fields)
        case .open(let fields, _, _, let element):
            fields.contains(where: \.required) ? object(fields) : "{ /hello: \(value(of: element, key: "")) }"
        case .mapping(let names, let element):
            "{ \(names == "header names" ? "Accept" : "name"): \(value(of: element, key: "text")) }"
        case .either(let shapes): shapes.first.map { value(of: $0, key: key) } ?? "name"
        case .choice(let alternatives, let beside):
            object(alternatives.prefix(1) + beside.filter(\.required), all: true)
        }
    }

    /// Returns a mapping with the required fields, or with all of them.
    private static func object(_ fields: [Field], all: Bool = false) -> String {
        let written = fields.count == 1 || all ? fields : fields.filter(\.required)
        if written.isEmpty { return "{}" }
        return "{ " + written.map { "\($0.name): \(value(of: $0.shape, key: $0.name))" }.joined(separator: ", ") + " }"
    }

    /// Returns the text as a scalar that is the same in block and flow style.
    static func quoted(_ text: String) -> String {
        let isPlain = text.wholeMatch(of: #/[A-Za-z0-9/][A-Za-z0-9_.\/§% -]*/#) != nil && !text.hasSuffix(" ")
        return isPlain ? text : "'\(text.replacing("'", with: "''"))'"
    }
}
