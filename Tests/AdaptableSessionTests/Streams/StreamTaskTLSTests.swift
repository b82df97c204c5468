import Foundation
import FoundationNetworking
import NIOCore
import NIOPosix
import OpenSSLTLS
import Synchronization
import TLSTestKit
import Testing

@testable import AdaptableSession

/// STARTTLS: plain lines, then TLS on the same connection. No client trusts the server's certificate authority, so that
/// the tests also show that the server is rejected.
struct StreamTaskTLSTests {
    /// Responds to the first line in plain text, then speaks TLS; the second response reports which bytes arrived
    /// through it.
    private final class Server: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let identity: ServerIdentity
        private let response: String
        private var isSecure = false

        init(_ identity: ServerIdentity, response: String) {
            self.identity = identity
            self.response = response
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if isSecure { return context.writeAndFlush(data, promise: nil) }
            isSecure = true
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: response)), promise: nil)
            do {
                try context.pipeline.syncOperations.addHandler(
                    TLSServerHandler(context: .server(ServerTLSOptions(identity: identity))), position: .first)
            } catch {
                context.fireErrorCaught(error)
            }
        }

        // The client's refusal.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }

    private func server(response: String) async throws -> any Channel {
        let identity = try CertificateAuthority.make(commonName: "Nobody").issue(
            CertificateRequest(commonName: "127.0.0.1", dnsNames: [], addresses: ["127.0.0.1"]))
        return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Server(identity, response: response))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
    }

    private func failure(response: String) async throws -> URLError? {
        let server = try await server(response: response)
        let task = AdaptableSession(configuration: .ephemeral).streamTask(
            withHostName: "127.0.0.1", port: server.localAddress?.port ?? 0)
        task.resume()
        try await task.write(Data("STARTTLS\n".utf8), timeout: 0)
        #expect(try await task.readData(ofMinLength: 3, maxLength: 3, timeout: 0).0 == Data("OK\n".utf8))
        task.startSecureConnection()
        defer { server.close(promise: nil) }
        do {
            try await task.write(Data("secret".utf8), timeout: 10)
            return nil
        } catch {
            return error as? URLError
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `TLS starts on an open connection, and a server without a trusted certificate receives nothing more`()
        async throws
    {
        #expect(try await failure(response: "OK\n")?.code == .serverCertificateHasUnknownRoot)
    }

    @Test(.timeLimit(.minutes(1))) func `a server that sent more bytes before TLS is rejected`() async throws {
        #expect(try await failure(response: "OK\n250 injected\n")?.code == .secureConnectionFailed)
    }
}
