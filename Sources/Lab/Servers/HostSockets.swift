import InternetAddresses
import LabKernel
import NetworkMonitor
import TestServer

/// Sockets on the loopback addresses of the machine's own network, IPv6 included where available.
struct HostSockets {
    struct Listening {
        var port: UInt16
        var descriptors: [CInt]
    }

    private let network: NetworkNamespace

    init() throws(LabError) {
        do throws(SystemCallError) { network = try NetworkNamespace.current() } catch { throw .origin("\(error)") }
    }

    /// Listens on the same port of both families; 0 selects a free one.
    func listen(_ port: UInt16) throws(LabError) -> Listening {
        do throws(SystemCallError) {
            let four = try network.listenTCP(on: SocketAddress(.loopbackV4, port: port))
            let taken = try four.localAddress().port
            var listening = Listening(port: taken, descriptors: [four.release()])
            // Only IPv4 is served on a machine without IPv6, or where another program uses that port.
            if let six = HostSockets.attempt({ () throws(SystemCallError) -> CInt in
                try network.listenTCP(on: SocketAddress(.loopbackV6, port: taken)).release()
            }) {
                listening.descriptors.append(six)
            }
            return listening
        } catch {
            throw .machine(
                "cannot listen on port \(port) of this machine: \(error)", fix: "choose another one, or 0 for any")
        }
    }

    private static func attempt(_ body: () throws(SystemCallError) -> CInt) -> CInt? {
        do throws(SystemCallError) { return try body() } catch { return nil }
    }

    /// Returns a dialer that connects every name to the origin and translates the ports of URLs to the ports served
    /// here.
    func dialer(plain: UInt16, secure: UInt16?) -> ProxyDialer {
        let network = network
        return { target in
            let port: UInt16? =
                switch target.port {
                case 80, Int(plain): plain
                case 443: secure
                case let other: secure.flatMap { Int($0) == other ? $0 : nil }
                }
            guard let port else { return .failure(.refused("\(target.host):\(target.port)")) }
            return ProxyDialing.connect(
                to: [SocketAddress(.loopbackV4, port: port)], in: network, place: "\(target.host):\(target.port)")
        }
    }
}
