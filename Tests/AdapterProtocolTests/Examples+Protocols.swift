import AdapterProtocol

/// The fields about protocol classes.
extension Examples {
    static var loading: SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.protocolClasses = [
            ProtocolClass(
                scheme: "moof", answer: .canned(status: 203, headers: [HeaderField("X-Lab", "a\"b")], body: [0, 255]), isRegistered: true),
            ProtocolClass(host: "api.test", answer: .canned(status: 204, headers: [], body: [])),
            ProtocolClass(scheme: "clarus", host: "dogcow", answer: .forwarded(to: "http://api.test/real?a=ü")),
        ]
        return configuration
    }
}
