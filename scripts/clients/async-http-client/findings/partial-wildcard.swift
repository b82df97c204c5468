// AsyncHTTPClient accepts a certificate for s*.example.test as one for shop.example.test.
//
// RFC 9525 §6.3: a presented identifier with a wildcard matches only if "The wildcard character appears only as the complete content of the left-most
// label". "If the requirements are not met, the presented identifier is invalid and MUST be ignored."
//
// Run: ./run partial-wildcard. Exit status 1 while the defect is there. Needs the program openssl.
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// Responds to whatever arrives.
final class Server: ChannelInboundHandler, Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let response = ByteBuffer(string: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        context.writeAndFlush(wrapOutboundOut(response), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

@main
enum Main {
    static func main() async throws {
        let folder = NSTemporaryDirectory() + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        openssl.arguments = """
            openssl req -x509 -newkey rsa:2048 -nodes -keyout \(folder)/key -out \(folder)/certificate -subj /CN=test \
            -addext subjectAltName=DNS:s*.example.test
            """.split(separator: " ").map(String.init)
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        let certificates = try NIOSSLCertificate.fromPEMFile("\(folder)/certificate")
        let key = try NIOSSLPrivateKey(file: "\(folder)/key", format: .pem)
        let serverContext = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: certificates.map { .certificate($0) }, privateKey: .privateKey(key)))
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandlers(NIOSSLServerHandler(context: serverContext), Server())
            }
        }.bind(host: "127.0.0.1", port: 0).get()

        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates(certificates)
        var configuration = HTTPClient.Configuration(tlsConfiguration: tls)
        configuration.dnsOverride = ["shop.example.test": "127.0.0.1"]
        let client = HTTPClient(configuration: configuration)
        let request = HTTPClientRequest(url: "https://shop.example.test:\(listener.localAddress!.port!)/")
        do {
            let response = try await client.execute(request, timeout: .seconds(5))
            print("AsyncHTTPClient 1.37.0: status \(response.status.code)")
            exit(1)
        } catch {
            print("AsyncHTTPClient 1.37.0: \(error)")
            exit("\(error)".contains("failedToValidateHostname") ? 0 : 2)
        }
    }
}
