import DNSMessages
import Glibc
import enum InternetAddresses.IPAddress
import NIOCore
import NIOEmbedded
import NIOPosix
import Record
import ScenarioLanguage
import Synchronization
import Testing

@testable import TestServer

extension LoopbackTests {
    /// End to end over loopback, on sockets bound elsewhere as in the lab. Serialized: the last test counts
    /// descriptors.
    @Suite(.serialized) struct DNSServerTests {
        private final class Facts: Sendable {
            private let facts = Mutex<[DNSFact]>([])
            var all: [DNSFact] { facts.withLock { $0 } }
            func add(_ fact: DNSFact) { facts.withLock { $0.append(fact) } }
        }

        /// A running server with one socket of each kind, and their addresses.
        private struct Served {
            var server: DNSServer
            var facts: Facts
            var udp: SocketAddress
            var tcp: SocketAddress
        }

        private func serving<Result>(
            _ rules: [DNSRule] = [], family: CInt = AF_INET, _ body: (Served) async throws -> Result
        ) async throws -> Result {
            let udp = try BoundSocket.loopback(SOCK_DGRAM, family: family)
            let tcp = try BoundSocket.loopback(SOCK_STREAM, family: family)
            let facts = Facts()
            let server = try await DNSServer.start(
                try DNSServiceTests.service(rules), udp: [udp.descriptor], tcp: [tcp.descriptor],
                on: .singletonMultiThreadedEventLoopGroup,
                record: facts.add)
            let served = Served(server: server, facts: facts, udp: udp.address, tcp: tcp.address)
            do {
                let result = try await body(served)
                await server.stop()
                return result
            } catch {
                await server.stop()
                throw error
            }
        }

        /// Returns the first message that arrives.
        private final class FirstMessage<In: Sendable>: ChannelInboundHandler {
            typealias InboundIn = In
            let promise: EventLoopPromise<In>
            init(_ promise: EventLoopPromise<In>) { self.promise = promise }
            func channelRead(context: ChannelHandlerContext, data: NIOAny) { promise.succeed(unwrapInboundIn(data)) }
            func channelInactive(context: ChannelHandlerContext) { promise.fail(ChannelError.eof) }
        }

        private func queryDatagram(_ query: [UInt8], _ server: SocketAddress) async throws -> DNSMessage {
            let group = MultiThreadedEventLoopGroup.singleton
            let promise = group.next().makePromise(of: AddressedEnvelope<ByteBuffer>.self)
            let channel = try await DatagramBootstrap(group: group)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(FirstMessage(promise))
                    }
                }
                .bind(host: server.ipAddress ?? "", port: 0).get()
            try await channel.writeAndFlush(AddressedEnvelope(remoteAddress: server, data: ByteBuffer(bytes: query)))
            let reply = try await promise.futureResult.get()
            try await channel.close()
            #expect(reply.remoteAddress == server)
            return try DNSMessage(parsing: Array(reply.data.readableBytesView))
        }

        private func connect(_ server: SocketAddress) async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
            try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup).connect(to: server) { channel in
                channel.eventLoop.makeCompletedFuture { try NIOAsyncChannel(wrappingChannelSynchronously: channel) }
            }
        }

        /// Reads length-prefixed messages until `count` have arrived or the server closes.
        private func messages(_ inbound: NIOAsyncChannelInboundStream<ByteBuffer>, _ count: Int) async throws
            -> [DNSMessage]
        {
            var received = ByteBuffer()
            var messages: [DNSMessage] = []
            for try await var part in inbound {
                received.writeBuffer(&part)
                while let message = received.readLengthPrefixedSlice(as: UInt16.self) {
                    messages.append(try DNSMessage(parsing: Array(message.readableBytesView)))
                }
                if messages.count >= count { break }
            }
            return messages
        }

        private func framed(_ query: [UInt8]) -> [UInt8] {
            [UInt8(query.count >> 8), UInt8(query.count & 0xff)] + query
        }

        @Test(arguments: [AF_INET, AF_INET6])
        func `a datagram gets a reply and is recorded`(family: CInt) async throws {
            try await serving(family: family) { served in
                let reply = try await queryDatagram(try DNSServiceTests.query("api.TEST", .a), served.udp)
                #expect(reply.answers.map(\.data) == [.a(0xcb00_710a)])
                let client = family == AF_INET ? "127.0.0.1" : "::1"
                let fact = DNSFact(
                    host: "api.test", type: "A", reply: "203.0.113.10", client: client, transport: .udp, server: client,
                    timeToLive: 0)
                #expect(served.facts.all == [fact])
            }
        }

        @Test(arguments: [AF_INET, AF_INET6])
        func `queries over TCP get whole replies, however they are split`(family: CInt) async throws {
            let many = DNSRule(host: "many.test", content: .addresses((1...200).map { "192.0.2.\($0)" }))
            try await serving([many], family: family) { served in
                let queries =
                    framed(try DNSServiceTests.query("many.test", .a))
                    + framed(try DNSServiceTests.query("api.test", .aaaa))
                let answers = try await connect(served.tcp).executeThenClose { inbound, outbound in
                    // The second split is inside a length.
                    try await outbound.write(ByteBuffer(bytes: queries.prefix(1)))
                    try await outbound.write(ByteBuffer(bytes: queries.dropFirst(1).prefix(queries.count / 2)))
                    try await outbound.write(ByteBuffer(bytes: queries.dropFirst(1 + queries.count / 2)))
                    return try await messages(inbound, 2)
                }
                #expect(answers.map(\.answers.count) == [200, 1])
                #expect(answers.allSatisfy { !$0.isTruncated })
                #expect(served.facts.all.map(\.type) == ["A", "AAAA"])
            }
        }

        @Test func `a delayed reply is overtaken and does not come early`() async throws {
            let slow = DNSRule(host: "slow.test", content: .origin, delay: .milliseconds(60))
            try await serving([slow]) { served in
                let queries =
                    framed(try DNSServiceTests.query("slow.test", .a))
                    + framed(try DNSServiceTests.query("api.test", .aaaa))
                let begin = ContinuousClock.now
                let answers = try await connect(served.tcp).executeThenClose { inbound, outbound in
                    try await outbound.write(ByteBuffer(bytes: queries))
                    return try await messages(inbound, 2)
                }
                #expect(ContinuousClock.now - begin >= .milliseconds(60))
                #expect(answers.compactMap { $0.questions.first?.type } == [.aaaa, .a])
                let start = ContinuousClock.now
                _ = try await queryDatagram(try DNSServiceTests.query("slow.test", .a), served.udp)
                #expect(ContinuousClock.now - start >= .milliseconds(60))
            }
        }

        @Test func `a rule changed during the run applies to the next query`() async throws {
            try await serving { served in
                try served.server.change(DNSRule(host: "api.test", content: .servfail))
                let reply = try await queryDatagram(try DNSServiceTests.query("api.test", .a), served.udp)
                #expect(reply.responseCode == .serverFailure)
            }
        }

        @Test func `silence is recorded, and garbage does not end the service`() async throws {
            try await serving([DNSRule(host: "dead.test", content: .silent)]) { served in
                // Both are sent from one socket before the query with a reply, so they were handled by then.
                let group = MultiThreadedEventLoopGroup.singleton
                let promise = group.next().makePromise(of: AddressedEnvelope<ByteBuffer>.self)
                let channel = try await DatagramBootstrap(group: group)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(FirstMessage(promise))
                        }
                    }
                    .bind(host: "127.0.0.1", port: 0).get()
                for bytes in [
                    try DNSServiceTests.query("dead.test", .a), [1, 2, 3], try DNSServiceTests.query("api.test", .a),
                ] {
                    try await channel.writeAndFlush(
                        AddressedEnvelope(remoteAddress: served.udp, data: ByteBuffer(bytes: bytes)))
                }
                let first = try await promise.futureResult.get()
                #expect(
                    try DNSMessage(parsing: Array(first.data.readableBytesView)).questions.first?.name
                        == DNSName("api.test"))
                #expect(
                    served.facts.all.map(\.reply) == ["silent", "ignored: the message is too short", "203.0.113.10"])
                try await channel.close()
            }
        }

        @Test func `a query that is too long ends its connection only`() async throws {
            try await serving { served in
                let closed = try await connect(served.tcp).executeThenClose { inbound, outbound in
                    try await outbound.write(ByteBuffer(bytes: [0xff, 0xff, 0]))
                    return try await messages(inbound, 1)
                }
                #expect(closed.isEmpty)
                #expect(
                    try await queryDatagram(try DNSServiceTests.query("api.test", .a), served.udp).answers.count == 1)
            }
        }

        @Test func `one connection too many is closed, and its place becomes free again`() async throws {
            try await serving { served in
                // The event loops decide which one is refused; the test observes that one of them ends.
                let group = MultiThreadedEventLoopGroup.singleton
                let refused = group.next().makePromise(of: Void.self)
                var open: [any Channel] = []
                for _ in 0...DNSServerContext.maximumConnections {
                    let channel = try await ClientBootstrap(group: group).connect(to: served.tcp).get()
                    channel.closeFuture.whenComplete { _ in refused.succeed() }
                    open.append(channel)
                }
                try await refused.futureResult.get()
                open.removeAll { !$0.isActive }
                #expect(open.count == DNSServerContext.maximumConnections)
                for channel in open { try await channel.close() }
                // The server sees the ends a moment later: the test queries until it has.
                var answers: [DNSMessage] = []
                for _ in 0..<200 where answers.isEmpty {
                    answers =
                        (try? await connect(served.tcp).executeThenClose { inbound, outbound in
                            try await outbound.write(
                                ByteBuffer(bytes: framed(try DNSServiceTests.query("api.test", .a))))
                            return try await messages(inbound, 1)
                        }) ?? []
                }
                #expect(answers.count == 1)
            }
        }

        /// A connection that is accepted while the server ends would outlive it.
        @Test func `no connection is admitted after the end`() throws {
            let context = DNSServerContext(try DNSServiceTests.service()) { _ in }
            let before = EmbeddedChannel()
            #expect(context.admit(before))
            #expect(context.endAllConnections().map(ObjectIdentifier.init) == [ObjectIdentifier(before)])
            #expect(!context.admit(EmbeddedChannel()))
        }

        @Test func `stop closes every socket while replies are pending`() async throws {
            func descriptors() throws -> Int {
                guard let directory = unsafe opendir("/proc/self/fd") else { throw BoundSocket.Failure(errno: errno) }
                defer { unsafe closedir(directory) }
                var count = 0
                while unsafe readdir(directory) != nil { count += 1 }
                return count
            }
            _ = MultiThreadedEventLoopGroup.singleton
            try await serving { _ in }
            let before = try descriptors()
            let never = DNSRule(host: "*", content: .origin, delay: .seconds(3600))
            let answers = try await serving([never]) { served in
                try await connect(served.tcp).executeThenClose { inbound, outbound in
                    try await outbound.write(ByteBuffer(bytes: framed(try DNSServiceTests.query("api.test", .a))))
                    // Recorded means decided: from now on the reply waits.
                    while served.facts.all.isEmpty { await Task.yield() }
                    await served.server.stop()
                    return try await messages(inbound, 1)
                }
            }
            #expect(answers.isEmpty)
            #expect(try descriptors() == before)
        }
    }
}
