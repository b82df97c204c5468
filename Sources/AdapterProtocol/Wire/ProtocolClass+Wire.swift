// The wire form of a protocol class in a session's configuration.

extension ProtocolClass: WireStructure {
    var wire: WireObject {
        var object = WireObject()
        object.set("scheme", scheme)
        object.set("host", host)
        switch response {
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
        let response: Response
        if fields.has("forward") {
            response = .forwarded(to: try fields.text("forward"))
        } else {
            response = .canned(
                status: try fields.count("status"), headers: try fields.optional("headers", fields.headers) ?? [],
                body: try fields.bytes("base64"))
        }
        self.init(
            scheme: try fields.optional("scheme", fields.text), host: try fields.optional("host", fields.text),
            response: response,
            isRegistered: try fields.optional("isRegistered", fields.boolean) ?? false)
    }
}
