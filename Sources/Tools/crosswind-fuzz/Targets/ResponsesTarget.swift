import AdaptableSession
import Foundation
import FoundationNetworking
import HTTPFields
import NIOCore
import NIOHTTP1

/// Responses with numbers, dates, cookies and challenges that no server should send: every parser returns a valid
/// result or none.
struct ResponsesTarget: FuzzTarget {
    static let name = "responses"
    static let subject =
        "responses for AdaptableSession: lengths, ranges, dates, cookies, caching, challenges, proxy responses"

    private var jar = CookieJar()
    private var authentication = SessionAuthentication { Array(repeating: 7, count: $0) }

    init() {}

    mutating func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        let fields = ResponsesTarget.fields(&random)
        let status =
            random.happens(oneIn: 2)
            ? 200 : random.pick([100, 104, 206, 301, 302, 304, 401, 407, 409, 416, 500, 999, 0])
        try responses(status, fields, &random)
        guard let url = URL(string: "http://a.h.test:8080/x/y?z") else { throw FuzzFinding("no URL", []) }
        let response = HTTPURLResponse(
            url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields.dictionary)
        _ = (
            response?.expectedContentLength, response?.suggestedFilename, response?.mimeType, response?.textEncodingName
        )
        cookies(fields, url, &random)
        caching(status, fields, url, &random)
        try challenges(fields, url, &random)
        try tunnel(&random)
        _ = KeepAliveField.time(fields).map { $0 * 2 }
        try decode(fields, &random)
        return response != nil
    }

    // MARK: Fields

    private static func fields(_ random: inout FuzzRandom) -> HeaderFields {
        var fields = HeaderFields()
        for _ in 0..<random.below(8) {
            let field = field(&random)
            fields.append(field.name, HostileText.damaged(field.value, &random, oneIn: 10))
        }
        return fields
    }

    // Only the chosen field is made: a list of all of them costs more than the parsers under test.
    private static func field(_ random: inout FuzzRandom) -> (name: String, value: String) {
        func number() -> String { HostileText.number(&random) }
        func date() -> String { HostileText.date(&random) }
        switch random.below(34) {
        case 0: return ("Content-Length", number())
        case 1: return ("Content-Length", "\(number()), \(number())")
        case 2: return ("Age", number())
        case 3: return ("Retry-After", number())
        case 4: return ("Retry-After", date())
        case 5: return ("Content-Range", "bytes \(number())-\(number())/\(random.happens(oneIn: 2) ? "*" : number())")
        case 6: return ("Content-Range", "bytes */\(number())")
        case 7: return ("Cache-Control", "max-age=\(number()), s-maxage=\"\(number())\"")
        case 8: return ("Cache-Control", "no-cache=\"a\", max-age=\(number()), stale-if-error=\(number())")
        case 9: return ("Expires", date())
        case 10: return ("Date", date())
        case 11: return ("Last-Modified", date())
        case 12: return ("ETag", random.pick(["\"a\"", "W/\"a\"", "\"", "", "a", "W/"]))
        case 13: return ("Vary", random.pick(["*", "Cookie", "a, b,,"]))
        case 14: return ("Keep-Alive", "timeout=\(number()), max=\(number())")
        case 15: return ("Keep-Alive", "timeout=\"\(number())\"")
        case 16: return ("Location", HostileText.url(&random))
        case 17:
            return ("Content-Type", random.pick(types) + (random.happens(oneIn: 3) ? "; boundary=\(number())" : ""))
        case 18: return ("Content-Disposition", random.pick(dispositions))
        case 19: return ("Set-Cookie", cookie(&random))
        case 20: return ("Set-Cookie", random.pick(cookies))
        case 21: return ("WWW-Authenticate", digest(&random))
        case 22: return ("WWW-Authenticate", random.pick(challenges))
        case 23: return ("WWW-Authenticate", "NTLM \(Data(ntlm(&random)).base64EncodedString())")
        case 24: return ("Authentication-Info", "nextnonce=\"\(number())\", rspauth=\"\(number())\", nc=\(number())")
        case 25: return ("Upload-Offset", number())
        case 26: return ("Upload-Length", number())
        case 27: return ("Upload-Limit", "max-append-size=\(number()), max-size=\(number())")
        case 28: return ("Upload-Complete", random.pick(["?0", "?1", "1"]))
        case 29: return ("Upload-Draft-Interop-Version", random.happens(oneIn: 3) ? number() : random.pick(["8", "3"]))
        case 30: return ("Accept-Ranges", random.pick(["bytes", "none"]))
        case 31: return ("Content-Encoding", random.pick(codings))
        case 32: return ("Transfer-Encoding", "chunked")
        default: return ("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
        }
    }

    private static let types = [
        "text/html; charset=\"", "multipart/byteranges", "a/b;charset=;;", "/", "text/plain; charset=utf-8",
    ]
    private static let dispositions = [
        "attachment; filename=", "attachment; filename=\"../x\"", "attachment; filename*=UTF-8''%", "inline;;;=",
        "a; filename=\"\\",
    ]
    private static let cookies = [
        "", "=", ";", "__Host-a=b; Path=/", "a", "=b; Domain=.", "a=b; Max-Age=-", "\u{1F36A}=1; Domain=..test",
    ]
    private static let challenges = [
        "Basic", "Basic realm", "Basic realm=\"\\", "Negotiate =", "NTLM",
        "Basic realm=a, Digest nonce=b, realm=\"c\"", ",,=,a =b", "NTLM ====",
    ]
    private static let codings = [
        "gzip", "br", "deflate", "gzip, br, deflate", "gzip,gzip,gzip,gzip,gzip", "identity", "x",
    ]

    private static func cookie(_ random: inout FuzzRandom) -> String {
        let (value, age) = (HostileText.number(&random), HostileText.number(&random))
        let (date, host) = (HostileText.date(&random), HostileText.host(&random))
        let path = random.pick(["", "/", "x", "/x/y"])
        return "a=\(value); Max-Age=\(age); Expires=\(date); Domain=\(host); Path=\(path); SameSite=None; Secure"
    }

    private static func digest(_ random: inout FuzzRandom) -> String {
        let (nonce, count) = (HostileText.number(&random), HostileText.number(&random))
        let algorithm = random.pick(["MD5", "SHA-256-sess", "x", "SHA-512-256"])
        let stale = random.happens(oneIn: 2)
        return "Digest realm=\"r\", nonce=\"\(nonce)\", qop=\"auth,auth-int\", algorithm=\(algorithm), nc=\(count), "
            + "userhash=true, stale=\(stale), domain=\"\(HostileText.url(&random)) /\""
    }

    private static func ntlm(_ random: inout FuzzRandom) -> [UInt8] {
        var facts: [UInt8] = [2, 0, 2, 0, 65, 0]
        if random.happens(oneIn: 2) { facts += [7, 0, 8, 0] + random.bytes(8) }
        facts += [0, 0, 0, 0]
        let length = UInt8(facts.count)
        var bytes =
            Array("NTLMSSP\0".utf8) + [2, 0, 0, 0] + [0, 0, 0, 0, 48, 0, 0, 0] + [0x33, 0x82, 0x8A, 0xE2]
            + random.bytes(8)
        bytes += [UInt8](repeating: 0, count: 8) + [length, 0, length, 0, 48, 0, 0, 0] + facts
        if random.happens(oneIn: 2) { random.damage(&bytes) }
        return bytes
    }

    // MARK: Readers

    /// The parts of a response and the error at its end, with the pieces of a body joined.
    private struct Parsed: Equatable {
        var parts: [HTTPClientResponsePart] = []
        var bodyBytes = 0
        var error: ResponseSyntaxError?
        var surplus = 0
    }

    private func parse(_ pieces: [ArraySlice<UInt8>], _ method: HTTPMethod) -> Parsed {
        var parser = ResponseParser(method: method)
        var parsed = Parsed()
        func add(_ part: HTTPClientResponsePart) {
            if case .body(let bytes) = part {
                parsed.bodyBytes += bytes.readableBytes
                if case .body(var known)? = parsed.parts.last {
                    known.writeImmutableBuffer(bytes)
                    parsed.parts[parsed.parts.count - 1] = .body(known)
                    return
                }
            }
            parsed.parts.append(part)
        }
        do throws(ResponseSyntaxError) {
            for piece in pieces {
                var bytes = ByteBuffer(bytes: piece)
                while let part = try parser.next(&bytes) { add(part) }
                parsed.surplus += bytes.readableBytes
            }
            if let part = try parser.inputEnded() { add(part) }
        } catch {
            parsed.error = error
        }
        return parsed
    }

    private func responses(_ status: Int, _ fields: HeaderFields, _ random: inout FuzzRandom) throws(FuzzFinding) {
        let lineEnd = random.pick(["\r\n", "\n", "\r\n "])
        var bytes = Array(random.pick(["", "\r\n", "HTTP/1.1 103 Early\r\nA: 1\r\n\r\n"]).utf8)
        bytes += Array("HTTP/1.\(random.pick(["1", "0", "7", ""])) \(status) X\r\n".utf8)
        for field in fields.fields { bytes += Array("\(field.name): \(field.value)\(lineEnd)".utf8) }
        let framing = random.pick(["", "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"])
        let body = random.pick([
            "hello", "5\r\nhello\r\n0\r\n\r\n", "5;x=y\r\nhello\r\n0 \r\nB: 2\r\n\r\nHTTP", "zz\r\n",
        ])
        bytes += Array("\(framing)\r\n\(body)".utf8)
        if random.happens(oneIn: 2) { random.damage(&bytes) }
        let method = random.pick([HTTPMethod.GET, .HEAD])
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            pieces.append(rest.prefix(1 + random.below(random.happens(oneIn: 2) ? 3 : rest.count)))
            rest = rest.dropFirst(pieces[pieces.count - 1].count)
        }
        let whole = parse([bytes[...]], method)
        guard parse(pieces, method) == whole else {
            throw FuzzFinding("the boundaries between reads change the response", bytes)
        }
        guard whole.bodyBytes + whole.surplus <= bytes.count else {
            throw FuzzFinding("the body is longer than the input", bytes)
        }
    }

    private mutating func cookies(_ fields: HeaderFields, _ url: URL, _ random: inout FuzzRandom) {
        let now = Date(timeIntervalSince1970: random.happens(oneIn: 20) ? HostileText.seconds(&random) : 1_800_000_000)
        for value in fields.values("Set-Cookie") {
            guard let cookie = SetCookieReader().read(value, from: url, now: now) else { continue }
            _ = cookie.httpCookie.map { AdaptableCookie($0) }
            jar.store(cookie, from: CookieJar.Site(url), now: now)
        }
        _ = AdaptableCookie.requestField(with: jar.cookies(for: CookieJar.Site(url), now: now))
    }

    private func caching(_ status: Int, _ fields: HeaderFields, _ url: URL, _ random: inout FuzzRandom) {
        func time(_ random: inout FuzzRandom) -> Date {
            Date(timeIntervalSince1970: random.happens(oneIn: 4) ? HostileText.seconds(&random) : 1_800_000_000)
        }
        let exchange = StoredExchange(
            url: url, status: status, fields: fields, requestTime: time(&random), responseTime: time(&random))
        let judge = CacheEvaluator()
        let request = URLRequest(url: url)
        let now = time(&random)
        let entry =
            judge.storing(request, sent: fields, exchange: exchange, data: Data())
            ?? AdaptableCachedURLResponse(exchange, data: Data())
        for policy in [
            NSURLRequest.CachePolicy.useProtocolCachePolicy, .returnCacheDataElseLoad, .reloadRevalidatingCacheData,
        ] {
            _ = judge.plan(request, sent: fields, found: entry, by: policy, now: now)
        }
        _ = judge.validated(entry, by: fields, requestTime: now, responseTime: now)
        _ = judge.invalidated(method: "POST", url: url, status: 200, fields: fields)
        _ = HTTPDate(fields["Date"] ?? "", now: HTTPDate(now))?.description
        _ = HTTPDate(now).description
        _ = CookieDate.parse(fields["Expires"] ?? "")
    }

    private mutating func challenges(_ fields: HeaderFields, _ url: URL, _ random: inout FuzzRandom) throws(FuzzFinding)
    {
        var task = RequestAuthentication()
        let credential = URLCredential(
            user: random.pick(["ann", "D\\u", "\u{FC}", "a:b", ""]), password: "p", persistence: .forSession)
        let request = AuthenticatedRequest(url: url, method: "GET", target: "/x/y?z")
        let now = Date(timeIntervalSince1970: HostileText.seconds(&random))
        for _ in 0..<3 {
            guard case .lookUp = authentication.refused(&task, fields: fields, url: url, connection: 1),
                case .send = authentication.stored(&task, credential, url: url)
            else { break }
            if let field = authentication.field(&task, request, connection: 1, now: now),
                // A tab is allowed in a quoted string (RFC 9110 §5.6.4), and a realm is returned as it was received.
                field.value.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F })
            {
                throw FuzzFinding("credentials with a control character", Array(field.value.utf8))
            }
        }
        _ = authentication.accepted(&task, fields: fields, url: url, connection: 1)
    }

    private func tunnel(_ random: inout FuzzRandom) throws(FuzzFinding) {
        var request = TunnelRequest(host: "h.test", port: 443)
        _ = request.begin(["User-Agent": "x"])
        var bytes =
            Array(
                "HTTP/1.\(random.below(2)) \(HostileText.number(&random)) X\r\nContent-Length: \(HostileText.number(&random))\r\n\r\n"
                    .utf8) + random.bytes(random.below(20))
        if random.happens(oneIn: 3) { random.damage(&bytes) }
        while !bytes.isEmpty {
            let count = 1 + random.below(bytes.count)
            if case .refused(let status, _, _)? = request.received(Array(bytes.prefix(count))),
                !(300...599).contains(status)
            {
                throw FuzzFinding("a refusal with status \(status)", bytes)
            }
            bytes.removeFirst(count)
        }
        _ = request.closed()
    }

    private static let gzip: [UInt8] = [
        0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
    ]

    private func decode(_ fields: HeaderFields, _ random: inout FuzzRandom) throws(FuzzFinding) {
        guard case .decode(let codings) = ContentEncoding().plan(method: "GET", status: 200, fields: fields) else {
            return
        }
        let decoder = ContentDecoder(codings)
        var bytes =
            random.happens(oneIn: 2) ? ResponsesTarget.gzip + ResponsesTarget.gzip : random.bytes(random.below(60))
        if random.happens(oneIn: 2) { random.damage(&bytes) }
        do throws(ContentDecodingError) {
            while !bytes.isEmpty {
                let count = 1 + random.below(bytes.count)
                decoder.append(Array(bytes.prefix(count)))
                bytes.removeFirst(count)
                while let piece = try decoder.next() {
                    guard !piece.isEmpty else { break }
                }
            }
            try decoder.finish()
        } catch {
            // Corrupt data must be reported as corrupt.
        }
    }
}
