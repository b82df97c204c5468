/// The fields of a route that describe its response.
enum ContentShape {
    static let fields =
        body + places + [
            Field("variants", .list(variant), "Other answers for some requests; the first whose `when` holds answers."),
            Field(
                "cookies", .oneOrMore(.either([.text, cookie])),
                "Set-Cookie with every answer of the route, also a redirect or a 401."),
            Field("delay", .duration, "Time between the complete request and the response head."),
        ]

    private static let body = [
        Field("size", .byteCount, "A body of this many position-dependent bytes."),
        Field("text", .text, "A body of this text."),
        Field("redirect", .text, "Answer with a redirect to this path or URL."),
        Field(
            "location", .text, "Answer with this Location, byte for byte: relative, with user and password, malformed."),
        Field(
            "hops", .integer(1...1_000_000),
            "So many redirects to this route itself, each with another query, come first."),
        Field("echo", .boolean, "Answer with the request as received."),
        Field("status", .integer(200...599), "Default 200; of a redirect 302."),
        Field("type", .text, "Content-Type; default application/octet-stream, text/plain for a text."),
        Field("headers", .headers, "Further response headers."),
        Field("version", .integer(1...1_000_000), "Which bytes a `size` has; default 1."),
        Field(
            "repeats", .integer(1...1_000_000),
            "How often each 64 bytes of a `size` come in a row, which is about how well the body compresses; default 1, not at all."
        ),
        Field("framing", .word(Resource.Framing.allCases.map(\.rawValue)), "Default contentLength."),
        Field(
            "encoding", .either([.word(EncodingPlan.Coding.allCases.map(\.rawValue)), encoding]), "The content coding."),
    ]

    private static let places = [
        Field("etag", .text, "As on the wire, quotes included: '\"v1\"'."),
        Field("lastModified", .text, "An HTTP date as on the wire."),
        Field("modifiedAgo", .duration, "Last-Modified is this long before the origin's first answer."),
        Field("expiresIn", .duration, "Expires is this long after each answer."),
        Field("validation", validation, "How conditional requests are answered; default by the book."),
        Field("ranges", .either([.boolean, ranges]), "How ranges are served; default true, by the book."),
        Field(
            "replacedBy",
            .object([
                Field(
                    "fromRequest", .integer(2...1_000_000), required: true,
                    "From this request of the path on, counted from 1."),
                Field("etag", .text, "The new entity tag."),
                Field("lastModified", .text, "The new date."),
                Field("size", .byteCount, "The new size; default as before, with other bytes."),
                Field("text", .text, "The new text."),
            ]), "Another version takes this one's place."),
    ]

    private static let variant = Shape.object(
        [Field("when", condition, required: true, "Everything that is said here must hold.")] + body + places)

    private static let condition = Shape.object([
        Field("request", .integer(1...1_000_000), "The k-th request of the path."),
        Field("fromRequest", .integer(1...1_000_000), "This request of the path and all after it."),
        Field("method", .text, "The method."),
        Field("query", .text, "The query, without its question mark."),
        Field("headers", HeaderExpectations.shape, HeaderExpectations.summary),
        Field("cookie", .text, "The request carries this cookie: a name, or name=value."),
        Field("withoutCookie", .text, "The request does not carry this cookie."),
    ])

    private static let cookie = Shape.object([
        Field("name", .text, required: true, "Its name."),
        Field("value", .text, "Its value; default empty."),
        Field("size", .byteCount, "In place of a value: so long a one."),
        Field("domain", .text, "Domain."),
        Field("path", .text, "Path."),
        Field("expiresIn", .duration, "Expires is this long after the answer."),
        Field("expiredSince", .duration, "Expires is this long before the answer: the cookie is removed."),
        Field("maxAge", .integer(Int64.min...Int64.max), "Max-Age in seconds; 0 removes the cookie."),
        Field("secure", .boolean, "Secure."),
        Field("httpOnly", .boolean, "HttpOnly."),
        Field("sameSite", .word(CookiePlan.Made.SameSite.allCases.map(\.rawValue)), "SameSite."),
    ])

    private static let validation = Shape.object([
        Field(
            "response", .word(ValidationPlan.Response.allCases.map(\.rawValue)),
            "`ignored`: as though there were no condition; `alwaysMatches`: 304 to every conditional read. Default right."
        ),
        Field("headers", .headers, "Fields of the 304, in place of the 200's."),
    ])

    private static let ranges = Shape.object([
        Field(
            "response", .word(RangePlan.Response.allCases.map(\.rawValue)),
            "`whole`: 200 though a part is asked for; `multipart`: also for one part; `unsatisfiable`: always 416. Default part."
        ),
        Field("advertise", .word(RangePlan.Advertisement.allCases.map(\.rawValue)), "Accept-Ranges; default bytes."),
        Field(
            "ifRange", .word(RangePlan.IfRange.allCases.map(\.rawValue)),
            "`ignored`: 206 though the validator does not match; `never`: 200 though it does. Default honoured."),
        Field("start", .byteCount, "The part begins here, whatever is asked, and Content-Range says so."),
        Field("shift", .integer(-(1 << 40)...1 << 40), "It begins so many bytes later than asked; negative: earlier."),
        Field("short", .byteCount, "It ends so many bytes too early, and Content-Range says so."),
        Field("contentRange", .text, "`absent`, `unknownLength` (bytes N-M/*), or the value whatever is sent."),
        Field("etag", .text, "ETag of the 206: another one, or `absent`."),
        Field("lastModified", .text, "Last-Modified of the 206: another one, or `absent`."),
        Field("unsatisfied", .text, "Content-Range of a 416: `absent`, or the value; default bytes */L."),
    ])

    private static let encoding = Shape.object([
        Field(
            "coding", .oneOrMore(.word(EncodingPlan.Coding.allCases.map(\.rawValue))), required: true,
            "Applied in this order; rawDeflate is deflate without its zlib wrapping."),
        Field("always", .boolean, "Also for clients whose Accept-Encoding does not allow it; default false."),
        Field("contentEncoding", .text, "Content-Encoding as written, or `absent`; default the truth."),
        Field("truncateBy", .byteCount, "So many bytes are missing at the end of the encoded body."),
        Field("corruptByteAt", .byteCount, "The byte at this place of the encoded body is wrong."),
        Field("checksum", .boolean, "false: the checksum at the end of gzip or deflate is wrong."),
        Field("trailingBytes", .text, "Bytes behind the encoded body."),
        Field("zipBomb", .byteCount, "In place of a body: so many zero bytes, encoded."),
    ])
}
