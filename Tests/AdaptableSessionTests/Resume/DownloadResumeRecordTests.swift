import Testing

@testable import AdaptableSession

/// The conditions in the documentation of `cancel(byProducingResumeData:)`, and those of RFC 9110 for If-Range.
@Suite struct DownloadResumeRecordTests {
    private func validator(
        _ responseFields: HeaderFields, method: String = "GET", scheme: String = "https", status: Int = 200,
        received: Int64 = 10,
        ranged: Bool = false, _ change: (inout DownloadResumePolicy) -> Void = { _ in }
    ) -> DownloadValidator? {
        var policy = DownloadResumePolicy()
        change(&policy)
        return DownloadResumeRecord.validator(
            method: method, scheme: scheme, status: status, responseFields: responseFields, received: received,
            requestHasRange: ranged, policy: policy)
    }

    @Test func `an entity tag is preferred to a date`() {
        #expect(
            validator([
                "ETag": "\"v1\"", "Last-Modified": "Sat, 01 Jan 2022 00:00:00 GMT",
                "Date": "Sun, 02 Jan 2022 00:00:00 GMT",
            ]) == .entityTag("\"v1\""))
    }

    @Test func `a weak entity tag is not used to resume`() {
        #expect(validator(["ETag": "W/\"v1\""]) == nil)
        #expect(validator(["ETag": "v1"]) == nil)
        #expect(validator(["ETag": "W/\"v1\""]) { $0.needsStrongValidator = false } == .weak("W/\"v1\""))
        // A date does not replace it either: there is a tag (RFC 9110 §13.1.5).
        #expect(
            validator([
                "ETag": "W/\"v1\"", "Last-Modified": "Sat, 01 Jan 2022 00:00:00 GMT",
                "Date": "Sun, 02 Jan 2022 00:00:00 GMT",
            ]) == nil)
    }

    @Test func `a date is strong when the response is at least a second later`() {
        let modified = "Sat, 01 Jan 2022 00:00:00 GMT"
        #expect(validator(["Last-Modified": modified, "Date": "Sat, 01 Jan 2022 00:00:01 GMT"]) == .date(modified))
        #expect(validator(["Last-Modified": modified, "Date": modified]) == nil)
        #expect(validator(["Last-Modified": modified, "Date": modified]) { $0.dateMargin = 0 } == .date(modified))
        #expect(validator(["Last-Modified": modified]) == nil)
        #expect(
            validator(["Last-Modified": modified, "Date": "Sat, 01 Jan 2022 00:00:09 GMT"]) { $0.acceptsDates = false }
                == nil)
    }

    @Test func `only a part of a plain 200 to a GET over HTTP can be resumed`() {
        let responseFields: HeaderFields = ["ETag": "\"v1\""]
        #expect(validator(responseFields) != nil)
        #expect(validator(responseFields, method: "POST") == nil)
        #expect(validator(responseFields, scheme: "file") == nil)
        #expect(validator(responseFields, status: 404) == nil)
        #expect(validator(responseFields, status: 206) == nil)
        #expect(validator(responseFields, ranged: true) == nil)
        #expect(validator(responseFields, received: 0) == nil)
        #expect(validator([:]) == nil)
    }

    @Test func `neither refused ranges nor encoded content can be resumed`() {
        #expect(validator(["ETag": "\"v1\"", "Accept-Ranges": "none"]) == nil)
        #expect(validator(["ETag": "\"v1\"", "Accept-Ranges": "none"]) { $0.honoursRefusedRanges = false } != nil)
        #expect(validator(["ETag": "\"v1\"", "Accept-Ranges": "bytes"]) != nil)
        #expect(validator(["ETag": "\"v1\"", "Content-Encoding": "gzip"]) == nil)
        #expect(validator(["ETag": "\"v1\"", "Content-Encoding": "gzip"]) { $0.resumesEncodedContent = true } != nil)
    }
}
