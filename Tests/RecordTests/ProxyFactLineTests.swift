import AdapterProtocol
import LinkEmulator
import Testing

@testable import Record

/// Tests of proxy lines. Records outlive the program that wrote them, so the lines are given here literally.
@Suite struct ProxyFactLineTests {
    private static let examples: [(ProxyFact.Event, String)] = [
        (
            .accepted(client: "192.0.2.2", port: 9),
            #""client":"192.0.2.2","connection":2,"fact":"proxyAccepted","port":9,"proxy":"p""#
        ),
        (
            .tlsEstablished(version: "1.3", serverName: nil),
            #""connection":2,"fact":"proxyTLSEstablished","proxy":"p","version":"1.3""#
        ),
        (
            .tlsEstablished(version: "1.2", serverName: "p.test"),
            #""connection":2,"fact":"proxyTLSEstablished","proxy":"p","serverName":"p.test","version":"1.2""#
        ),
        (.tlsFailed(reason: "r"), #""connection":2,"fact":"proxyTLSFailed","proxy":"p","reason":"r""#),
        (
            .request(1, form: .connect, target: "a:1", headers: [HeaderField("A", "b")]),
            #""connection":2,"fact":"proxyRequest","form":"connect","headers":[["A","b"]],"proxy":"p","request":1,"target":"a:1""#
        ),
        (
            .refused(request: 1, reply: 407),
            #""connection":2,"fact":"proxyRefused","proxy":"p","reply":407,"request":1"#
        ),
        (
            .connected(request: 1, from: "a:1", to: "b:2"),
            #""connection":2,"fact":"proxyConnected","from":"a:1","proxy":"p","request":1,"to":"b:2""#
        ),
        (
            .carried(request: 1, .uplink, bytes: 65_536),
            #""bytes":65536,"connection":2,"direction":"uplink","fact":"proxyCarried","proxy":"p","request":1"#
        ),
        (
            .carried(request: 2, .downlink, bytes: 7),
            #""bytes":7,"connection":2,"direction":"downlink","fact":"proxyCarried","proxy":"p","request":2"#
        ),
        (
            .fault(point: "accept", effect: "close"),
            #""connection":2,"effect":"close","fact":"proxyFault","point":"accept","proxy":"p""#
        ),
        (.badRequest(reason: "r"), #""connection":2,"fact":"proxyBadRequest","proxy":"p","reason":"r""#),
        (
            .closed(by: .proxy, up: 1, down: 2),
            #""by":"proxy","connection":2,"downlink":2,"fact":"proxyClosed","proxy":"p","uplink":1"#
        ),
    ]

    @Test func `every fact of a proxy is one line and is read back from it`() throws {
        for (event, line) in Self.examples {
            let entry = RecordEntry(time: 5, fact: .proxy(ProxyFact(proxy: "p", connection: 2, event: event)))
            #expect(entry.encodedLine() == #"{"at":5,"# + line + "}")
            #expect(try RecordEntry.decode(line: entry.encodedLine()) == entry)
        }
    }

    @Test func `both ends of a connection have the same text`() {
        #expect(SocketAddressFormat.of("203.0.113.10", 80) == "203.0.113.10:80")
        #expect(SocketAddressFormat.of("2001:db8::1", 80) == "[2001:db8::1]:80")
    }
}
