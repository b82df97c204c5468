import AdapterProtocol
import NIOCore
import Testing

@testable import TestServer

extension LoopbackTests {
    /// The effect of a route's content settings on an independent client: the output of curl, over a real socket.
    @Suite(.enabled(if: !Command.isMissing("curl"), "needs curl")) struct OriginContentTests {
        private func curl(_ routes: String, _ arguments: [String]) async throws -> Command.Result {
            let plan = try WrittenOrigin.plan(routes)
            var result: Command.Result?
            try await OriginRun.serving(plan) { run in
                let port = run.address.port ?? 0
                let given = arguments.map {
                    $0.hasPrefix("/") && $0 != "/dev/null"
                        ? "http://127.0.0.1:\(port)\($0)" : $0.replacing("PORT", with: "\(port)")
                }
                result = try await Command.run(["curl", "-sS", "--max-time", "20"] + given)
            }
            return try #require(result)
        }

        private static let text =
            "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabcabcabc, Grüße, \(String(repeating: "wind ", count: 200))"

        @Test(arguments: ["gzip", "deflate", "br", "zstd"])
        func `curl decodes every coding that it requests`(coding: String) async throws {
            let result = try await curl(
                "/a: { text: '\(Self.text)', encoding: \(coding) }",
                ["--compressed", "-w", "|%header{content-encoding}", "/a"])
            #expect(result.output == Self.text + "|\(coding)")
        }

        /// A line of 64 bytes repeated 100 times takes less than twice its own length; one that appears once takes more
        /// than its length.
        @Test(arguments: ["gzip", "deflate", "br"])
        func `a body compresses according to its repetition, and curl gets it whole`(coding: String) async throws {
            for (repeats, range) in [(1, 1_048_577..<1_060_000), (100, 10_000..<22_000)] {
                let size = try await curl(
                    "/a: { size: 1MiB, repeats: \(repeats), encoding: \(coding) }",
                    ["-H", "Accept-Encoding: \(coding)", "-o", "/dev/null", "-w", "%{size_download}", "/a"])
                #expect(range.contains(try #require(Int(size.output))), "\(repeats): \(size.output)")
                let plan = try WrittenOrigin.plan("/a: { size: 1MiB, repeats: \(repeats), encoding: \(coding) }")
                try await OriginRun.serving(plan) { run in
                    let url = "http://127.0.0.1:\(run.address.port ?? 0)/a"
                    let same = try await Command.run([
                        "sh", "-c", "curl -sS --compressed \(url) | cksum; curl -sS \(url) | cksum",
                    ])
                    let sums = same.output.split(separator: "\n")
                    #expect(sums.count == 2 && sums.first == sums.last && sums.first?.hasSuffix(" 1048576") == true)
                }
            }
        }

        @Test func `deflate without its wrapper is decoded by lenient clients`() async throws {
            let result = try await curl(
                "/a: { text: '\(Self.text)', encoding: rawDeflate }",
                ["--compressed", "-w", "|%header{content-encoding}", "/a"])
            #expect(result.output == Self.text + "|deflate")
        }

        @Test func `codings can be nested`() async throws {
            let result = try await curl(
                "/a: { text: '\(Self.text)', encoding: { coding: [gzip, br, zstd, deflate] } }",
                ["--compressed", "-w", "|%header{content-encoding}", "/a"])
            #expect(result.output == Self.text + "|gzip, br, zstd, deflate")
        }

        @Test func `a client that does not request a coding gets none, and another tag`() async throws {
            let route = "/a: { text: hi, etag: '\"v1\"', encoding: br }"
            let plain = try await curl(route, ["-w", "|%header{etag}|%header{vary}|%header{content-encoding}", "/a"])
            #expect(plain.output == "hi|\"v1\"|Accept-Encoding|")
            let refused = try await curl(route, ["-H", "Accept-Encoding: br;q=0, gzip", "/a"])
            #expect(refused.output == "hi")
            let coded = try await curl(
                route, ["-o", "/dev/null", "-H", "Accept-Encoding: br", "-w", "%header{etag}", "/a"])
            #expect(coded.output == "\"v1-br\"")
        }

        @Test(arguments: [
            ("gzip", 110_000), ("deflate", 110_000), ("br", 200), ("zstd", 4_000), ("[gzip, gzip]", 2_000),
        ])
        func `a compression bomb is small on the wire only`(coding: String, most: Int) async throws {
            let route = "/a: { encoding: { coding: \(coding), zipBomb: 100MiB } }"
            let wire = try await curl(
                route, ["-H", "Accept-Encoding: *", "-o", "/dev/null", "-w", "%{size_download}", "/a"])
            let size = try #require(Int(wire.output))
            #expect(size < most)
            let plan = try WrittenOrigin.plan(route)
            try await OriginRun.serving(plan) { run in
                let url = "http://127.0.0.1:\(run.address.port ?? 0)/a"
                let count = try await Command.run(["sh", "-c", "curl -sS --max-time 60 --compressed \(url) | wc -c"])
                #expect(count.output == "104857600\n")
            }
        }

        /// The results of curl 7.88: 23 and 61 are its codes for content that cannot be decoded.
        @Test(arguments: [
            "coding: gzip, corruptByteAt: 12", "coding: br, corruptByteAt: 0", "coding: zstd, corruptByteAt: 0",
            "coding: deflate, corruptByteAt: 0",
            "coding: br, contentEncoding: gzip, always: true", "coding: gzip, contentEncoding: zstd",
            "coding: gzip, checksum: false",
            "coding: deflate, checksum: false",
        ])
        func `content that cannot be decoded is an error for curl`(plan: String) async throws {
            let result = try await curl(
                "/a: { text: '\(Self.text)', encoding: { \(plan) } }", ["--compressed", "-o", "/dev/null", "/a"])
            #expect([23, 61].contains(result.status), "\(result.status) \(result.output)")
        }

        @Test func `an encoding can be truncated, hidden and followed by more`() async throws {
            let whole = try await curl(
                "/a: { text: hello, encoding: zstd }",
                ["-H", "Accept-Encoding: zstd", "-o", "/dev/null", "-w", "%{size_download}", "/a"])
            #expect(whole.output == "14")
            let cut = try await curl(
                "/a: { text: hello, encoding: { coding: zstd, truncateBy: 4 } }",
                ["-H", "Accept-Encoding: zstd", "-o", "/dev/null", "-w", "%{size_download}", "/a"])
            #expect(cut.output == "10")
            let hidden = try await curl(
                "/a: { text: hello, encoding: { coding: zstd, always: true, contentEncoding: absent } }",
                ["-o", "/dev/null", "-w", "%{size_download}|%header{content-encoding}", "/a"])
            #expect(hidden.output == "14|")
            let more = try await curl(
                "/a: { text: hello, encoding: { coding: zstd, trailingBytes: '!!' } }",
                ["-H", "Accept-Encoding: zstd", "-o", "/dev/null", "-w", "%{size_download}", "/a"])
            #expect(more.output == "16")
        }

        @Test func `curl follows a chain to its end and gives up when it is longer than its limit`() async throws {
            let routes = "/a: { redirect: /end, status: 302, hops: 3 }\n/end: { text: there }"
            let short = try await curl(routes, ["-L", "-w", "|%{num_redirects}|%{url_effective}", "/a"])
            #expect(short.output.hasPrefix("there|4|http://127.0.0.1:") && short.output.hasSuffix("/end"))
            let long = try await curl(routes, ["-L", "--max-redirs", "3", "/a"])
            #expect(long.status == 47)
        }

        @Test(arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
        func `each redirect code changes a POST as its RFC specifies`(status: Int, method: String) async throws {
            let result = try await curl(
                "/a: { redirect: /end, status: \(status) }\n/end: { echo: true }", ["-L", "-d", "a=1", "/a"])
            #expect(result.output.hasPrefix("\(method) /end"))
            #expect(result.output.hasSuffix("a=1") == (method == "POST"))
        }

        @Test(arguments: [
            ("next?x=1", "/dir/next?x=1"), ("../up", "/up"), ("?q=2", "/dir/a?q=2"), ("//127.0.0.1:PORT/net", "/net"),
            ("http://u:p@127.0.0.1:PORT/login", "/login"), ("/frag#part", "/frag#part"),
        ])
        func `a Location is sent as written`(location: String, target: String) async throws {
            let plan = try WrittenOrigin.plan("/dir/a: { text: '' }")
            try await OriginRun.serving(plan) { run in
                // The port is not known before the origin runs, so a second one uses it.
                let port = run.address.port ?? 0
                let written = location.replacing("PORT", with: "\(port)")
                let result = try await curl(
                    "/dir/a: { location: '\(written)', status: 302 }",
                    ["-o", "/dev/null", "-D", "-", "-w", "%{redirect_url}", "/dir/a"])
                #expect(result.output.contains("\r\nLocation: \(written)\r\n"))
                #expect(result.output.hasSuffix(target))
            }
        }

        @Test func `cookies come with every response and a request without them gets another`() async throws {
            let routes = """
                /login: { redirect: /home, cookies: [{ name: s, value: '1', path: /, maxAge: 60 }] }
                /home: { text: in, variants: [{ when: { withoutCookie: s=1 }, status: 401, text: out }] }
                /gone: { text: bye, cookies: { name: s, expiredSince: 1h, path: / } }
                """
            let out = try await curl(routes, ["-w", "|%{http_code}", "/home"])
            #expect(out.output == "out|401")
            let login = try await curl(routes, ["-L", "-b", "", "-w", "|%{http_code}", "/login"])
            #expect(login.output == "in|200")
        }

        @Test func `a cookie has every attribute of its plan`() async throws {
            let routes = """
                /a: { basic: { user: u, password: p }, text: hi, cookies: ['raw = x; odd', { name: n, value: v, domain: api.test, path: /x, expiresIn: 1h, maxAge: 0, secure: true, httpOnly: true, sameSite: Lax }, { name: big, size: 4096 }] }
                """
            let result = try await curl(routes, ["-o", "/dev/null", "-D", "-", "/a"])
            #expect(result.output.hasPrefix("HTTP/1.1 401 Unauthorized\r\n"))
            let lines = result.output.components(separatedByLines: "Set-Cookie: ")
            #expect(lines.count == 3)
            #expect(lines.first == "raw = x; odd")
            #expect(
                lines.count > 1 && lines[1].hasPrefix("n=v; Path=/x; Domain=api.test; Expires=")
                    && lines[1].hasSuffix(" GMT; Max-Age=0; Secure; HttpOnly; SameSite=Lax"))
            #expect(lines.last == "big=" + String(repeating: "c", count: 4096))
        }

        @Test func `the k-th request, a method, a query and a header select their response`() async throws {
            let routes = """
                /a: { text: usual, variants: [{ when: { request: 1 }, status: 503, text: first }, { when: { query: x=1 }, text: asked }, { when: { headers: { Accept-Language: de } }, text: hallo }, { when: { fromRequest: 5 }, text: late }] }
                """
            let result = try await curl(routes, ["/a", "/a", "/a?x=1", "/a"])
            #expect(result.output == "firstusualaskedusual")
            let german = try await curl(routes, ["-H", "Accept-Language: de", "/a", "/a"])
            #expect(german.output == "firsthallo")
        }

        @Test func `curl continues a file from a part, and reports when ranges are not served`() async throws {
            let part = try await curl("/a: { text: 0123456789 }", ["-r", "3-5", "/a"])
            #expect(part.output == "345")
            let refused = try await curl("/a: { text: 0123456789, ranges: false }", ["-C", "4", "/a"])
            #expect(refused.status == 33)
        }
    }
}

extension String {
    /// Returns the rest of each line with this beginning.
    fileprivate func components(separatedByLines start: String) -> [String] {
        split(separator: "\r\n").filter { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }
}
