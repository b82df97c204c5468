import Testing

@testable import AdaptableSession

/// A partial file with 1,000 bytes of a resource of 5,000, whose version is `"v1"`: all responses of a server to the
/// request for the rest.
@Suite struct DownloadResumptionTests {
    private static let here = "https://api.test/big"

    private func record(_ validator: DownloadValidator = .entityTag("\"v1\""), total: Int64? = 5_000)
        -> DownloadResumeRecord
    {
        DownloadResumeRecord(
            url: Self.here, respondedBy: Self.here, received: 1_000, total: total, validator: validator,
            file: "/tmp/part", tail: "abc")
    }

    private func resumption(
        _ record: DownloadResumeRecord? = nil, length: Int64? = 1_000, tail: String? = "abc",
        _ change: (inout DownloadResumePolicy) -> Void = { _ in }
    ) -> DownloadResumption {
        var policy = DownloadResumePolicy()
        change(&policy)
        return DownloadResumption(record ?? self.record(), fileLength: length, tail: tail, policy: policy)
    }

    private func judge(
        _ status: Int, _ fields: HeaderFields, from source: String = here, of record: DownloadResumeRecord? = nil,
        _ change: (inout DownloadResumePolicy) -> Void = { _ in }
    ) -> DownloadResumption.Judgement {
        var resumption = resumption(record, change)
        return resumption.evaluate(status: status, fields: fields, respondedBy: source)
    }

    private func isRepeated(_ judgement: DownloadResumption.Judgement) -> Bool {
        if case .requestWhole = judgement { true } else { false }
    }

    /// A sparse file may be as long as Int64.max, and resume data may claim all of it.
    @Test func `the byte count does not overflow`() {
        var long = record(total: nil)
        long.received = .max - 10
        var resumption = resumption(long, length: .max)
        #expect(resumption.isRanged)
        #expect(resumption.receive(10) == 10)
        #expect(resumption.receive(1) == 0)
        #expect(resumption.received == .max)
    }

    // MARK: Requests

    @Test func `the rest is requested on the condition that nothing has changed`() {
        #expect(resumption().request == ["Range": "bytes=1000-", "If-Range": "\"v1\"", "Accept-Encoding": "identity"])
        let dated = resumption(record(.date("Sat, 01 Jan 2022 00:00:00 GMT")))
        #expect(dated.request["If-Range"] == "Sat, 01 Jan 2022 00:00:00 GMT")
        #expect(resumption { $0.sendsIfRange = false }.request["If-Range"] == nil)
        #expect(resumption { $0.offsetShift = 1 }.request["Range"] == "bytes=1001-")
    }

    @Test func `a partial file that is missing, too short or changed leads to an ordinary request`() {
        #expect(resumption(length: nil, tail: nil).request == HeaderFields())
        #expect(resumption(length: 999).request == HeaderFields())
        #expect(resumption(tail: "other").request == HeaderFields())
        #expect(resumption(tail: "other") { $0.checksPartialFile = false }.isRanged)
        // Bytes beyond those of the resume data are cut off.
        #expect(resumption(length: 2_000).isRanged)
    }

    // MARK: Responses

    @Test func `a part that starts at the requested offset is appended`() {
        let fields: HeaderFields = ["Content-Range": "bytes 1000-4999/5000", "ETag": "\"v1\""]
        #expect(judge(206, fields) == .proceed(offset: 1_000, total: 5_000))
        #expect(judge(206, ["Content-Range": "bytes 1000-4999/5000"]) == .proceed(offset: 1_000, total: 5_000))
        #expect(judge(206, ["Content-Range": "bytes 1000-4999/*"]) == .proceed(offset: 1_000, total: 5_000))
    }

    @Test func `a whole response starts again, whatever its entity tag`() {
        #expect(judge(200, ["ETag": "\"v1\"", "Content-Length": "5000"]) == .restart)
        #expect(judge(200, ["ETag": "\"v2\""]) == .restart)
        #expect(judge(200, [:]) { $0.restartsOnWholeResponse = false } == .proceed(offset: 1_000, total: 5_000))
    }

    /// The length of an encoded body is not comparable to the bytes that `receive` counts.
    @Test func `all bytes of an encoded whole response are accepted`() {
        for coding in ["gzip", "identity"] {
            var resumption = resumption()
            let fields: HeaderFields = ["Content-Length": "24", "Content-Encoding": coding]
            #expect(resumption.evaluate(status: 200, fields: fields, respondedBy: Self.here) == .restart)
            #expect(resumption.receive(428) == (coding == "gzip" ? 428 : 24))
        }
    }

    @Test func `a part from another file of the same host is not combined, and a signed query is ignored`() {
        let range: HeaderFields = ["Content-Range": "bytes 1000-4999/5000", "ETag": "\"v1\""]
        #expect(isRepeated(judge(206, range, from: "https://api.test/other")))
        #expect(judge(206, range, from: Self.here + "?signature=2") == .proceed(offset: 1_000, total: 5_000))
    }

    @Test func `a partial file that disappears before the response leads to an ordinary request`() {
        var resumption = resumption()
        resumption.lose()
        #expect(!resumption.isRanged)
        #expect(resumption.request.fields.isEmpty)
        #expect(
            resumption.evaluate(status: 200, fields: ["Content-Length": "5000"], respondedBy: Self.here) == .restart)
    }

    @Test func `a part that starts earlier continues there, and one that starts later is refused`() {
        #expect(judge(206, ["Content-Range": "bytes 0-4999/5000"]) == .proceed(offset: 0, total: 5_000))
        #expect(isRepeated(judge(206, ["Content-Range": "bytes 1001-4999/5000"])))
        #expect(
            judge(206, ["Content-Range": "bytes 1001-4999/5000"]) { $0.refusesLaterStart = false }
                == .proceed(offset: 1_000, total: 5_000))
    }

    @Test(
        arguments: [
            [:], ["Content-Range": "bytes 4999-1000/5000"], ["Content-Range": "bytes 1000-5000/5000"],
            ["Content-Range": "items 1000-4999/5000"],
            ["Content-Range": "bytes */5000"], ["Content-Range": "bytes 1000-4999"],
            ["Content-Range": "bytes -1000-4999/5000"],
            ["Content-Range": "bytes 1000-99999999999999999999/*"],
        ] as [HeaderFields])
    func `a part without a valid position is not combined`(_ fields: HeaderFields) {
        #expect(isRepeated(judge(206, fields)))
    }

    @Test func `a part of another version is not combined`() {
        let range = HeaderFields.Field(name: "Content-Range", value: "bytes 1000-4999/5000")
        for tag in ["\"v2\"", "W/\"v1\""] {
            let fields = HeaderFields(fields: [range, .init(name: "ETag", value: tag)])
            #expect(isRepeated(judge(206, fields)))
            #expect(judge(206, fields) { $0.comparesValidator = false } == .proceed(offset: 1_000, total: 5_000))
        }
        let old = record(.date("Sat, 01 Jan 2022 00:00:00 GMT"))
        let changed = HeaderFields(fields: [
            range, .init(name: "Last-Modified", value: "Sun, 02 Jan 2022 00:00:00 GMT"),
        ])
        #expect(isRepeated(judge(206, changed, of: old)))
    }

    @Test func `a part of a resource with another length is not combined`() {
        #expect(isRepeated(judge(206, ["Content-Range": "bytes 1000-5999/6000"])))
        #expect(isRepeated(judge(206, ["Content-Range": "bytes 1000-5999/*"])))
        #expect(
            judge(206, ["Content-Range": "bytes 1000-5999/6000"]) { $0.comparesLength = false }
                == .proceed(offset: 1_000, total: 6_000))
    }

    @Test func `several ranges, an encoded part and a part from another origin are not combined`() {
        let range = HeaderFields.Field(name: "Content-Range", value: "bytes 1000-4999/5000")
        let multipart = HeaderFields(fields: [
            range, .init(name: "Content-Type", value: "multipart/byteranges; boundary=x"),
        ])
        #expect(isRepeated(judge(206, multipart)))
        let encoded = HeaderFields(fields: [range, .init(name: "Content-Encoding", value: "gzip")])
        #expect(isRepeated(judge(206, encoded)))
        #expect(isRepeated(judge(206, HeaderFields(fields: [range]), from: "https://other.test/big")))
        #expect(
            judge(206, HeaderFields(fields: [range]), from: "https://API.test:443/big")
                == .proceed(offset: 1_000, total: 5_000))
        let elsewhere = judge(206, HeaderFields(fields: [range]), from: "https://other.test/big") {
            $0.staysWithResource = false
        }
        #expect(elsewhere == .proceed(offset: 1_000, total: 5_000))
    }

    @Test func `416 means that the file is complete if the length matches, and otherwise a restart`() {
        let whole = record(total: nil)
        #expect(judge(416, ["Content-Range": "bytes */1000"], of: whole) == .complete(length: 1_000))
        #expect(isRepeated(judge(416, ["Content-Range": "bytes */1000"], of: whole) { $0.acceptsCompleteFile = false }))
        #expect(isRepeated(judge(416, ["Content-Range": "bytes */1000", "ETag": "\"v2\""], of: whole)))
        // The first response announced 5000 bytes, so the resource has changed.
        #expect(isRepeated(judge(416, ["Content-Range": "bytes */1000"])))
        #expect(isRepeated(judge(416, ["Content-Range": "bytes */900"])))
        #expect(isRepeated(judge(416, [:])))
    }

    @Test func `a redirect or a challenge does not concern the range`() {
        for status in [301, 302, 307, 308, 401, 407] { #expect(judge(status, [:]) == .passOn) }
    }

    @Test func `an error status is delivered and the partial file is kept`() {
        for status in [400, 403, 404, 410, 500, 503] { #expect(judge(status, [:]) == .deliver) }
        #expect(isRepeated(judge(304, [:])))
    }

    @Test func `the whole is requested once, and a partial response to that fails the download`() {
        var resumption = resumption()
        #expect(isRepeated(resumption.evaluate(status: 206, fields: [:], respondedBy: Self.here)))
        #expect(resumption.request == HeaderFields())
        #expect(resumption.received == 0)
        let second = resumption.evaluate(
            status: 206, fields: ["Content-Range": "bytes 0-4999/5000"], respondedBy: Self.here)
        #expect(second == .fail(because: "the server sent a part, although the whole file was requested"))
        #expect(
            judge(206, [:]) { $0.restartsWhenRefused = false } == .fail(because: "the part lacks a valid Content-Range")
        )
        #expect(judge(206, [:]) { $0.needsContentRange = false } == .proceed(offset: 1_000, total: 5_000))
    }

    // MARK: The body

    @Test func `the file is complete when all of it was received`() {
        var resumption = resumption()
        _ = resumption.evaluate(status: 206, fields: ["Content-Range": "bytes 1000-4999/5000"], respondedBy: Self.here)
        #expect(resumption.receive(3_000) == 3_000)
        // Bytes beyond the announced ones do not belong to the file.
        #expect(resumption.receive(1_001) == 1_000)
        #expect(resumption.ended(isIntact: true) == .complete(length: 5_000))
    }

    @Test func `a part shorter than announced is a lost connection, and the next resume data has the new offset`() {
        var resumption = resumption()
        _ = resumption.evaluate(status: 206, fields: ["Content-Range": "bytes 1000-4999/5000"], respondedBy: Self.here)
        #expect(resumption.receive(500) == 500)
        #expect(resumption.ended(isIntact: true) == .incomplete(received: 1_500))
        let next = resumption.record(file: "/tmp/other")
        #expect(next?.received == 1_500)
        #expect(next?.validator == .entityTag("\"v1\""))
        #expect(next?.file == "/tmp/other")
    }

    @Test func `a part that covers less than requested is followed by a request for the rest`() {
        for asks in [true, false] {
            var resumption = resumption { $0.requestsRemainder = asks }
            _ = resumption.evaluate(
                status: 206, fields: ["Content-Range": "bytes 1000-1999/5000"], respondedBy: Self.here)
            #expect(resumption.receive(1_000) == 1_000)
            #expect(resumption.ended(isIntact: true) == (asks ? .requestRemainder : .incomplete(received: 2_000)))
            #expect(resumption.request["Range"] == "bytes=2000-")
        }
    }

    @Test func `an early end counts as complete only under a faulty policy`() {
        var resumption = resumption { $0.checksWholeLength = false }
        _ = resumption.evaluate(status: 206, fields: ["Content-Range": "bytes 1000-1999/5000"], respondedBy: Self.here)
        #expect(resumption.receive(1_000) == 1_000)
        #expect(resumption.ended(isIntact: true) == .complete(length: 2_000))
    }

    @Test func `a server that makes no progress does not cause endless requests`() {
        var resumption = resumption()
        _ = resumption.evaluate(status: 206, fields: ["Content-Range": "bytes 0-0/5000"], respondedBy: Self.here)
        #expect(resumption.ended(isIntact: true) == .incomplete(received: 0))
    }

    @Test func `after a restart the next resume data is for the new version`() {
        var resumption = resumption()
        _ = resumption.evaluate(
            status: 200, fields: ["ETag": "\"v2\"", "Content-Length": "6000"], respondedBy: Self.here)
        #expect(resumption.receive(10) == 10)
        #expect(resumption.ended(isIntact: false) == .incomplete(received: 10))
        #expect(resumption.record(file: "x")?.validator == .entityTag("\"v2\""))
        #expect(resumption.record(file: "x")?.total == 6_000)
        var weak = self.resumption()
        _ = weak.evaluate(status: 200, fields: ["ETag": "W/\"v2\""], respondedBy: Self.here)
        #expect(weak.receive(10) == 10)
        #expect(weak.record(file: "x") == nil)
    }
}
