import Record
import NIOCore
import Testing

@testable import TestServer

/// The bytes are the fields of RFC 1928 and RFC 1929, and they come one at a time, which reveals a reader that counts
/// wrongly.
@Suite struct SOCKSReaderTests {
    /// Returns the steps that are not `incomplete`, fed byte by byte.
    private func read(_ bytes: [UInt8], login: (user: String, password: String)? = nil) -> (
        steps: [SOCKSReader.Step], rest: Int
    ) {
        var reader = SOCKSReader(login: login)
        var input = ByteBuffer()
        var steps: [SOCKSReader.Step] = []
        for byte in bytes {
            input.writeInteger(byte)
            while true {
                let step = reader.next(&input)
                if step == .incomplete { break }
                steps.append(step)
                guard case .reply = step else { return (steps, input.readableBytes) }
            }
        }
        return (steps, input.readableBytes)
    }

    private static func request(_ host: String, _ port: Int) -> SOCKSReader.Step {
        .request(ProxyRequest(form: .socks5, target: ProxyTarget(host: host, port: port)))
    }

    @Test func `names, IPv4 and IPv6 addresses are targets`() {
        let name = read([5, 1, 0] + [5, 1, 0, 3, 8] + Array("api.test".utf8) + [0x1F, 0x90])
        #expect(name.steps == [.reply([5, 0]), Self.request("api.test", 8_080)])
        let four = read([5, 2, 0, 2, 5, 1, 0, 1, 192, 0, 2, 1, 0, 80])
        #expect(four.steps == [.reply([5, 0]), Self.request("192.0.2.1", 80)])
        let six = read([5, 1, 0, 5, 1, 0, 4, 0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 1, 0xBB])
        #expect(six.steps == [.reply([5, 0]), Self.request("2001:db8:0:0:0:0:0:9", 443)])
    }

    @Test func `a login is requested and verified before the request continues`() {
        let login = (user: "ann", password: "pw")
        let right = [5, 1, 2, 1, 3] + Array("ann".utf8) + [2] + Array("pw".utf8)
        #expect(
            read(right + [5, 1, 0, 1, 1, 2, 3, 4, 0, 80], login: login).steps == [
                .reply([5, 2]), .reply([1, 0]), Self.request("1.2.3.4", 80),
            ])
        let wrong = [5, 1, 2, 1, 3] + Array("ann".utf8) + [2] + Array("no".utf8)
        #expect(
            read(wrong, login: login).steps == [
                .reply([5, 2]), .refused([1, 1], reply: 1, reason: "the user name or the password is wrong"),
            ])
        guard case .refused([5, 0xFF], 0xFF, _) = read([5, 1, 0], login: login).steps.last else {
            Issue.record("a client without a login must be refused")
            return
        }
    }

    @Test func `other commands, address types and versions are refused by their own codes`() {
        guard case .refused(let bind, 7, _) = read([5, 1, 0, 5, 2, 0, 1, 1, 2, 3, 4, 0, 80]).steps.last else {
            Issue.record("BIND must be refused with 7")
            return
        }
        #expect(bind.prefix(2) == [5, 7] && bind.count == 10)
        guard case .refused(let kind, 8, _) = read([5, 1, 0, 5, 1, 0, 9]).steps.last else {
            Issue.record("an unknown address type must be refused with 8")
            return
        }
        #expect(kind.prefix(2) == [5, 8])
        #expect(read([5, 1, 0, 5, 1, 0, 3, 0, 0, 80]).steps.last == .bad("an empty host name"))
        #expect(read([4, 1]).steps == [.bad("the version is 4, not 5")])
    }

    @Test func `the reply of success names the proxy's own end`() {
        func reply(_ address: String, _ port: Int, name: String? = nil) -> [UInt8] {
            SOCKSReader.succeeded(
                ProxyConnection(
                    descriptor: -1, localAddress: address, localPort: port, remoteAddress: "", remotePort: 0),
                boundName: name)
        }
        #expect(reply("203.0.113.10", 0x1234) == [5, 0, 0, 1, 203, 0, 113, 10, 0x12, 0x34])
        #expect(
            reply("2001:db8::9", 80) == [5, 0, 0, 4, 0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 80])
        #expect(reply("203.0.113.10", 80, name: "a.test") == [5, 0, 0, 3, 6] + Array("a.test".utf8) + [0, 80])
        #expect(reply("::1", 80) == [5, 0, 0, 4] + Array(repeating: 0, count: 15) + [1, 0, 80])
    }

    @Test func `bytes after the request stay for the tunnel`() {
        var reader = SOCKSReader(login: nil)
        var input = ByteBuffer(bytes: [5, 1, 0, 5, 1, 0, 1, 1, 2, 3, 4, 0, 80] + Array("GET".utf8))
        #expect(reader.next(&input) == .reply([5, 0]))
        #expect(reader.next(&input) == Self.request("1.2.3.4", 80))
        #expect(String(buffer: input) == "GET")
    }
}
