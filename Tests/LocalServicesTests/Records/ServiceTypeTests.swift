import DNSMessages
import Testing

@testable import LocalServices

struct ServiceTypeTests {
    @Test func `a type is parsed with and without the last dot, without case`() throws {
        let type = try #require(ServiceType("_HTTP._tcp."))
        #expect(type == ServiceType("_http._tcp") && type.description == "_http._tcp")
        #expect(type.dnsName == DNSName("_http._tcp.local"))
    }

    @Test(arguments: [
        "", "_tcp", "http._tcp", "_http.tcp", "_http._sctp", "_._tcp", "_a.b._tcp", "_sixteen-letters-x._tcp",
    ])
    func `other texts are not types`(_ text: String) { #expect(ServiceType(text) == nil) }

    @Test func `a name with dots and non-ASCII letters is one label`() throws {
        let type = try #require(ServiceType("_http._tcp"))
        let instance = try #require(ServiceInstance(name: "Büro 1.2", type: type))
        #expect(instance.dnsName.labels.count == 4)
        #expect(ServiceInstance(instance.dnsName, of: type) == instance)
    }

    @Test func `a name has 1 to 63 bytes and no control characters`() throws {
        let type = try #require(ServiceType("_http._tcp"))
        #expect(ServiceInstance(name: String(repeating: "é", count: 31), type: type) != nil)
        for name in ["", String(repeating: "é", count: 32), "a\nb", "a\u{7f}"] {
            #expect(ServiceInstance(name: name, type: type) == nil)
        }
    }

    @Test func `a target of another type, or one that is not UTF-8, is not an instance`() throws {
        let type = try #require(ServiceType("_http._tcp"))
        #expect(ServiceInstance(try #require(DNSName("a._ipp._tcp.local")), of: type) == nil)
        #expect(ServiceInstance(type.dnsName, of: type) == nil)
        #expect(ServiceInstance(DNSName(labels: [[0xff]] + type.dnsName.labels), of: type) == nil)
    }

    @Test func `a name in use is counted on`() throws {
        let type = try #require(ServiceType("_http._tcp"))
        let names = [
            ("Printer", "Printer (2)"), ("Printer (2)", "Printer (3)"), ("(x)", "(x) (2)"), ("a (b)", "a (b) (2)"),
            ("a (1)", "a (1) (2)"), ("a (99999999999999999999)", "a (99999999999999999999) (2)"),
        ]
        for (name, next) in names {
            #expect(try #require(ServiceInstance(name: name, type: type)).renamed.name == next)
        }
        let long = try #require(ServiceInstance(name: String(repeating: "é", count: 31), type: type)).renamed.name
        #expect(long == String(repeating: "é", count: 29) + " (2)")
        #expect(ServiceInstance.renamedHost("box") == "box-2" && ServiceInstance.renamedHost("box-9") == "box-10")
        #expect(ServiceInstance.renamedHost("my-box") == "my-box-2")
    }
}
