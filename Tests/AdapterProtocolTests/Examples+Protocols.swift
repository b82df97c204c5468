import AdapterProtocol

/// The fields about protocol classes.
extension Examples {
    static var loading: SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.protocolClasses = [
            ProtocolClass(
                scheme: "moof",
                response: .canned(status: 203, headers: [HeaderField("X-Lab", "a\"b")], body: [0, 255]),
                isRegistered: true),
            ProtocolClass(host: "api.test", response: .canned(status: 204, headers: [], body: [])),
            ProtocolClass(scheme: "clarus", host: "dogcow", response: .forwarded(to: "http://api.test/real?a=ü")),
        ]
        return configuration
    }
}
