// How a protocol class stands in the configuration of a session.

extension ProtocolClass {
    var wire: WireObject {
        var object = WireObject()
        object.set("scheme", scheme)
        object.set("host", host)
        switch answer {
        case .canned(let status, let headers, let body):
            object.set("status", Int64(status))
            object.set("headers", headers: headers)
            object.set(bytes: body)
        case .forwarded(let url): object.set("forward", url)
        }
        if isRegistered { object.set("isRegistered", true) }
        return object
    }

    init(_ fields: WireFields) throws(WireError) {
        let answer: Answer
        if fields.has("forward") {
            answer = .forwarded(to: try fields.text("forward"))
        } else {
            answer = .canned(
                status: try fields.count("status"), headers: try fields.headers("headers"), body: try fields.bytes("base64"))
        }
        self.init(
            scheme: try fields.optional("scheme", fields.text), host: try fields.optional("host", fields.text), answer: answer,
            isRegistered: try fields.optional("isRegistered", fields.boolean) ?? false)
    }
}
