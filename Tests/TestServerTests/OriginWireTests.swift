import Record
import AdapterProtocol
import ScenarioLanguage
import Testing

@testable import TestServer

extension LoopbackTests {
    /// The effect of a route's wire settings, byte for byte; `/next` on the same connection shows where the response
    /// ended.
    @Suite struct OriginWireTests {
        /// Returns the bytes of the response to one request, up to the next one or to the end of the connection.
        private func response(
            _ method: String = "GET", text: String = "0123456789", status: Int = 200,
            framing: Resource.Framing = .contentLength,
            _ change: (inout WirePlan) -> Void
        ) async throws -> (text: String, closes: Bool) {
            var resource = Resource(body: .text(text))
            resource.framing = framing
            resource.status = status
            var plan = OriginPlan()
            plan.routes = [
                Route(path: "/x", content: .resource(resource)),
                Route(path: "/next", content: .redirect(status: 307, to: "/")),
            ]
            change(&plan.routes[0].wire)
            var found = ("", false)
            try await OriginRun.serving(plan) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send(
                    "\(method) /x HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                )
                #expect(await client.end() == .eof)
                let parts = client.text.components(until: "HTTP/1.1 307")
                found = (parts.before, !parts.found)
            }
            return found
        }

        @Test func `interim responses come before the response`() async throws {
            let response = try await response {
                $0.interim = [
                    .init(status: 100), .init(status: 102), .init(status: 103, headers: [HeaderField("Link", "</a>")]),
                ]
            }
            #expect(
                response.text.hasPrefix(
                    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\n"
                ))
        }

        /// curl and every other client receive these bytes, so the record must contain them.
        @Test func `interim responses and trailing bytes are facts of the record`() async throws {
            var plan = OriginPlan()
            var route = Route(path: "/x", content: .resource(Resource(body: .text("0123456789"))))
            route.wire.interim = [.init(status: 103, headers: [HeaderField("Link", "</a>")])]
            route.wire.surplus = "behind"
            plan.routes = [route, Route(path: "/echo", content: .echo)]
            try await OriginRun.serving(plan) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
                await run.wait(for: .responseEnded(request: 1, bytes: 10))
                let facts = run.facts
                let interim = facts.firstIndex(
                    of: .interim(request: 1, status: 103, headers: [HeaderField("Link", "</a>")]))
                let head = facts.firstIndex { if case .responseHead(1, 200, _) = $0 { true } else { false } }
                let surplus = facts.firstIndex(of: .surplus(request: 1, bytes: 6))
                let end = facts.firstIndex(of: .responseEnded(request: 1, bytes: 10))
                #expect(interim != nil && head != nil && surplus != nil && end != nil)
                if let interim, let head, let surplus, let end {
                    #expect(interim < head && head < surplus && surplus < end)
                }
                let other = try await RawClient.connect(to: run.address)
                other.send("POST /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
                await run.wait(for: .interim(request: 2, status: 100, headers: []))
                other.send("ab")
                await run.wait { $0.contains { if case .responseEnded(2, _) = $0 { true } else { false } } }
            }
        }

        @Test func `chunks have their size and trailers follow the last`() async throws {
            let response = try await response(framing: .chunked) {
                $0.chunkSize = ByteCount(4)!
                $0.trailers = [HeaderField("X-Sum", "45"), HeaderField("X-More", "1")]
            }
            #expect(response.text.contains("Trailer: X-Sum, X-More\r\n"))
            #expect(
                response.text.hasSuffix(
                    "\r\n\r\n4\r\n0123\r\n4\r\n4567\r\n2\r\n89\r\n0\r\nX-Sum: 45\r\nX-More: 1\r\n\r\n"))
        }

        @Test func `Content-Length can be wrong, absent and repeated`() async throws {
            for (values, lines) in [
                ([], ""), (["5"], "Content-Length: 5\r\n"),
                (["10", "12"], "Content-Length: 10\r\nContent-Length: 12\r\n"),
                (["-1"], "Content-Length: -1\r\n"),
            ] {
                let response = try await response { $0.contentLength = values }
                #expect(response.text.hasSuffix("\r\n\(lines)\r\n0123456789"))
                #expect(response.text.split(separator: "Content-Length").count == values.count + 1)
                #expect(!response.closes)
            }
        }

        @Test func `a size line can be wrong and the last chunk missing`() async throws {
            let bad = try await response(framing: .chunked) {
                $0.chunkSize = ByteCount(5)!
                $0.chunkLines = [2: "xyz"]
            }
            #expect(bad.text.hasSuffix("\r\n\r\n5\r\n01234\r\nxyz\r\n56789\r\n0\r\n\r\n"))
            let endless = try await response(framing: .chunked) { $0.omitsLastChunk = true }
            #expect(endless.text.hasSuffix("\r\n\r\na\r\n0123456789\r\n"))
        }

        @Test func `a head can have any status line, any lines and any line end`() async throws {
            let response = try await response {
                $0.statusLine = "HTTP/1.1 banana"
                $0.lines = ["X-Nul: a\u{0}b", "X-Folded: a", "\tb", "no colon", "X-Tight:1"]
            }
            #expect(response.text.hasPrefix("HTTP/1.1 banana\r\nDate: "))
            #expect(
                response.text.hasSuffix(
                    "\r\nX-Nul: a\u{0}b\r\nX-Folded: a\r\n\tb\r\nno colon\r\nX-Tight:1\r\n\r\n0123456789"))
            let bare = try await self.response { $0.lineEnd = .lf }
            #expect(!bare.text.unicodeScalars.contains("\r") && bare.text.hasSuffix("\n\n0123456789"))
        }

        @Test func `a head can be long and have many fields`() async throws {
            let long = try await response { $0.longHeader = ByteCount(65_536)! }
            #expect(long.text.contains("\r\nX-Long: \(String(repeating: "a", count: 65_536))\r\n"))
            let many = try await response { $0.manyHeaders = 1_000 }
            #expect(many.text.split(separator: "X-Many-").count == 1_001)
        }

        @Test func `HTTP 0 9 sends only a body and ends with the connection`() async throws {
            let response = try await response { $0.omitsHead = true }
            #expect(response.text == "0123456789")
            #expect(response.closes)
        }

        @Test func `a body can follow where it is not allowed`() async throws {
            for (method, status) in [("HEAD", 200), ("GET", 204), ("GET", 304)] {
                let legal = try await response(method, status: status) { _ in }
                #expect(legal.text.hasSuffix("\r\n\r\n"))
                let illegal = try await response(method, status: status) { $0.sendsForbiddenBody = true }
                #expect(illegal.text.hasSuffix("\r\n\r\n0123456789"))
            }
            let chunked = try await response("HEAD", framing: .chunked) { $0.sendsForbiddenBody = true }
            #expect(chunked.text.hasSuffix("\r\n\r\na\r\n0123456789\r\n0\r\n\r\n"))
        }

        @Test func `bytes can follow the response, and the connection can end in spite of its head`() async throws {
            let more = try await response { $0.surplus = "HTTP/1.1 200 Forged\r\n\r\n" }
            #expect(more.text.hasSuffix("0123456789HTTP/1.1 200 Forged\r\n\r\n"))
            let closed = try await response { $0.closes = true }
            #expect(closed.closes && !closed.text.contains("close"))
        }

        @Test func `the record has the announced lengths`() async throws {
            var plan = OriginPlan()
            plan.routes = [Route(path: "/x", content: .resource(Resource(body: .text("0123456789"))))]
            plan.routes[0].wire.contentLength = ["12", "13"]
            try await OriginRun.serving(plan) { run in
                let client = try await RawClient.connect(to: run.address)
                client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
                await run.wait(for: .responseEnded(request: 1, bytes: 10))
                let lengths = run.facts.compactMap { fact -> [String]? in
                    guard case .responseHead(_, _, let headers) = fact else { return nil }
                    return headers.filter { $0.name == "Content-Length" }.map(\.value)
                }
                #expect(lengths == [["12", "13"]])
            }
        }
    }
}

extension String {
    fileprivate func components(until text: String) -> (before: String, found: Bool) {
        // By scalars: a CR LF is one character in Swift.
        let all = Array(utf8)
        let wanted = Array(text.utf8)
        for index in all.indices where all[index...].starts(with: wanted) {
            return (String(decoding: all[..<index], as: UTF8.self), true)
        }
        return (self, false)
    }
}
