import Testing

@testable import AdaptableSession

/// A body of 10,000 bytes; the server's fields are those of each version of draft-ietf-httpbis-resumable-upload.
@Suite struct UploadResumptionTests {
    private static let mark = FileIdentity(length: 10_000, modified: 801_234_567.123_456_7, number: 77)

    private static let url = "https://api.test/files"

    private func upload(_ change: (inout UploadResumePolicy) -> Void = { _ in }) -> UploadResumption {
        var policy = UploadResumePolicy()
        change(&policy)
        return UploadResumption(url: Self.url, length: 10_000, isRepeatable: true, policy: policy)
    }

    private func interim(_ fields: HeaderFields, version: Int = 8) -> HeaderFields {
        HeaderFields(fields: [.init(name: "Upload-Draft-Interop-Version", value: "\(version)")] + fields.fields)
    }

    /// An upload that is created, announced and completely sent.
    private func running(_ change: (inout UploadResumePolicy) -> Void = { _ in }) -> UploadResumption {
        var upload = upload(change)
        _ = upload.begin()
        _ = upload.informational(status: 104, fields: interim(["Location": "/files/1"]))
        upload.didSend(upTo: 10_000)
        return upload
    }

    private func step(_ action: UploadResumption.Action) -> UploadResumption.Step? {
        if case .send(let step) = action { step } else { nil }
    }

    @Test(arguments: UploadVersion.allCases) func `each draft version offers resumption with its own fields`(
        _ version: UploadVersion
    )
        throws
    {
        var upload = upload { $0.version = version }
        let first = try #require(step(upload.begin()))
        #expect(first.fields["Upload-Draft-Interop-Version"] == "\(version.rawValue)")
        #expect(
            first.fields[version == .version3 ? "Upload-Incomplete" : "Upload-Complete"]
                == (version == .version3 ? "?0" : "?1"))
        #expect(first.body == 0..<10_000)
        #expect(first.location == nil)
    }

    @Test func `without an offer the upload is an ordinary one`() throws {
        var upload = upload { $0.offers = false }
        #expect(try #require(step(upload.begin())).fields == HeaderFields())
        #expect(upload.informational(status: 104, fields: interim(["Location": "/files/1"])) == .proceed)
        #expect(upload.lost() == .fail(because: "the connection was lost", isResumable: false))
        var stream = UploadResumption(url: Self.url, length: 5, isRepeatable: false)
        #expect(try #require(step(stream.begin())).fields == HeaderFields())
    }

    @Test(arguments: UploadVersion.allCases) func `an interrupted upload requests the offset and appends the rest`(
        _ version: UploadVersion
    ) throws {
        var upload = upload { $0.version = version }
        _ = upload.begin()
        _ = upload.informational(status: 104, fields: interim(["Location": "/files/1"], version: version.rawValue))
        upload.didSend(upTo: 6_000)
        let ask = try #require(step(upload.lost()))
        #expect(ask.method == "HEAD")
        #expect(ask.location == "https://api.test/files/1")
        #expect(ask.body == nil)
        #expect(ask.after == 0)
        let append = try #require(
            step(upload.didReceiveResponse(status: 204, fields: ["Upload-Offset": "4096", "Upload-Complete": "?0"])))
        #expect(append.method == "PATCH")
        #expect(append.body == 4_096..<10_000)
        #expect(append.fields["Upload-Offset"] == "4096")
        #expect(
            append.fields[version == .version3 ? "Upload-Incomplete" : "Upload-Complete"]
                == (version == .version3 ? "?0" : "?1"))
        #expect(append.fields["Content-Type"] == (version.rawValue >= 6 ? "application/partial-upload" : nil))
        #expect(upload.didReceiveResponse(status: 200, fields: ["Upload-Complete": "?1"]) == .deliver)
    }

    @Test func `without a 104 the upload cannot be resumed`() {
        var upload = upload()
        _ = upload.begin()
        #expect(upload.record(method: "POST", fields: [:], body: .file("/x", Self.mark)) == nil)
        #expect(upload.lost() == .fail(because: "the connection was lost", isResumable: false))
    }

    @Test(arguments: ["https://evil.test/1", "http://api.test/files/1"])
    func `a 104 with a location of another origin is ignored`(location: String) {
        var upload = upload()
        _ = upload.begin()
        _ = upload.informational(status: 104, fields: interim(["Location": location]))
        #expect(upload.location == nil)
    }

    @Test func `a 104 with another version is ignored`() {
        for (fields, change): (HeaderFields, (inout UploadResumePolicy) -> Void) in [
            (interim(["Location": "/files/1"], version: 6), { $0.honoursInteropVersion = false }),
            (["Location": "/files/1"], { $0.honoursInteropVersion = false }),
        ] {
            var strict = upload()
            _ = strict.begin()
            _ = strict.informational(status: 104, fields: fields)
            #expect(strict.location == nil)
            var credulous = upload(change)
            _ = credulous.begin()
            _ = credulous.informational(status: 104, fields: fields)
            #expect(credulous.location != nil)
        }
        var other = upload()
        _ = other.begin()
        #expect(other.informational(status: 103, fields: interim(["Location": "/files/1"])) == .proceed)
        #expect(other.location == nil)
    }

    @Test func `progress is reported once it is stored, and never backwards or beyond the sent bytes`() {
        var upload = upload()
        _ = upload.begin()
        upload.didSend(upTo: 5_000)
        #expect(upload.informational(status: 104, fields: interim(["Upload-Offset": "4000"])) == .acknowledged(4_000))
        #expect(upload.informational(status: 104, fields: interim(["Upload-Offset": "3000"])) == .proceed)
        #expect(upload.informational(status: 104, fields: interim(["Upload-Offset": "6000"])) == .proceed)
    }

    @Test func `a response without resumption is the task's response`() {
        for status in [200, 201, 400, 401, 413, 500] {
            var upload = running()
            #expect(upload.didReceiveResponse(status: status, fields: [:]) == .deliver)
        }
    }

    @Test func `a created but incomplete upload continues`() throws {
        var upload = upload()
        _ = upload.begin()
        upload.didSend(upTo: 10_000)
        let response: HeaderFields = ["Upload-Complete": "?0", "Location": "/files/2", "Upload-Offset": "100"]
        #expect(
            try #require(step(upload.didReceiveResponse(status: 201, fields: response))).location
                == "https://api.test/files/2")
    }

    @Test func `the offset of a conflict is used, but not endlessly`() throws {
        var upload = running()
        _ = upload.lost()
        _ = upload.didReceiveResponse(status: 204, fields: ["Upload-Offset": "4000"])
        #expect(
            try #require(step(upload.didReceiveResponse(status: 409, fields: ["Upload-Offset": "5000"]))).body
                == 5_000..<10_000)
        for _ in 0..<3 { _ = upload.didReceiveResponse(status: 409, fields: ["Upload-Offset": "5000"]) }
        #expect(
            upload.didReceiveResponse(status: 409, fields: ["Upload-Offset": "5000"])
                == .fail(because: "the server's offset does not advance", isResumable: true))
    }

    @Test func `an impossible offset is refused`() {
        func told(_ offset: String, _ change: (inout UploadResumePolicy) -> Void = { _ in }) -> UploadResumption.Action
        {
            var upload = upload(change)
            _ = upload.begin()
            _ = upload.informational(status: 104, fields: interim(["Location": "/files/1"]))
            upload.didSend(upTo: 6_000)
            _ = upload.informational(status: 104, fields: interim(["Upload-Offset": "3000"]))
            _ = upload.lost()
            return upload.didReceiveResponse(status: 204, fields: ["Upload-Offset": offset])
        }
        for offset in ["2999", "6001", "10001"] {
            #expect(
                told(offset)
                    == .fail(
                        because: "the server reports an impossible offset of \(offset) bytes", isResumable: false))
            #expect(step(told(offset) { $0.refusesImpossibleOffset = false }) != nil)
        }
        #expect(step(told("3000"))?.body == 3_000..<10_000)
        #expect(step(told("3000") { $0.offsetShift = 1 })?.body == 3_001..<10_000)
        if case .fail = told("many") {} else { Issue.record("a word was accepted as an offset") }
    }

    @Test func `a 4xx response ends the upload, and after a 5xx response the offset is requested again`() throws {
        var gone = running()
        _ = gone.lost()
        #expect(gone.didReceiveResponse(status: 404, fields: [:]) == .deliver)
        var stubborn = running { $0.endsOnClientError = false }
        _ = stubborn.lost()
        #expect(try #require(step(stubborn.didReceiveResponse(status: 404, fields: [:]))).method == "HEAD")
        var busy = running()
        _ = busy.lost()
        let again = try #require(step(busy.didReceiveResponse(status: 503, fields: [:])))
        #expect(again.method == "HEAD")
        #expect(again.after == 1_000_000_000)
    }

    @Test func `without progress the upload fails with resume data`() {
        var upload = running()
        for _ in 0..<3 { #expect(step(upload.lost()) != nil) }
        #expect(upload.lost() == .fail(because: "the connection was lost", isResumable: true))
        #expect(
            upload.record(method: "POST", fields: [:], body: .file("/x", Self.mark))?.location
                == "https://api.test/files/1")
        var patient = running()
        for offset in ["1000", "2000", "3000", "4000", "5000", "6000"] {
            #expect(step(patient.lost()) != nil)
            #expect(step(patient.didReceiveResponse(status: 204, fields: ["Upload-Offset": offset])) != nil)
        }
    }

    @Test func `an upload that the server already has is complete`() {
        var upload = running()
        _ = upload.lost()
        #expect(
            upload.didReceiveResponse(status: 204, fields: ["Upload-Complete": "?1", "Upload-Offset": "10000"])
                == .deliver)
    }

    @Test func `the limit of an append is respected`() throws {
        var upload = running()
        _ = upload.lost()
        let first = try #require(
            step(
                upload.didReceiveResponse(
                    status: 204, fields: ["Upload-Offset": "0", "Upload-Limit": "max-size=20000, max-append-size=6000"])
            ))
        #expect(first.body == 0..<6_000)
        #expect(first.fields["Upload-Complete"] == "?0")
        let second = try #require(
            step(upload.didReceiveResponse(status: 204, fields: ["Upload-Complete": "?0", "Upload-Offset": "6000"])))
        #expect(second.body == 6_000..<10_000)
        #expect(second.fields["Upload-Complete"] == "?1")
        var greedy = running { $0.keepsAppendLimit = false }
        _ = greedy.lost()
        let all = step(
            greedy.didReceiveResponse(
                status: 204, fields: ["Upload-Offset": "0", "Upload-Limit": "max-append-size=6000"]))
        #expect(all?.body == 0..<10_000)
    }

    @Test func `without an offset request the upload continues from the sent bytes`() throws {
        var upload = upload { $0.requestsOffset = false }
        _ = upload.begin()
        _ = upload.informational(status: 104, fields: interim(["Location": "/files/1"]))
        upload.didSend(upTo: 6_000)
        #expect(try #require(step(upload.lost())).body == 6_000..<10_000)
    }

    @Test func `resuming from data starts with a request for the offset`() throws {
        let key = ResumeKey(bytes: Array(0..<32))
        let running = running()
        for body in [UploadResumeRecord.Body.file("/tmp/a b", Self.mark), .bytes([0, 10, 255])] {
            let record = try #require(running.record(method: "PUT", fields: ["X-A": "1"], body: body))
            #expect(try UploadResumeData.read(UploadResumeData.write(record, key: key), key: key) == record)
            var later = UploadResumption(record)
            let ask = try #require(step(later.begin()))
            #expect(ask.method == "HEAD")
            #expect(ask.location == "https://api.test/files/1")
            #expect(
                try #require(step(later.didReceiveResponse(status: 204, fields: ["Upload-Offset": "7000"]))).body
                    == 7_000..<10_000)
        }
        #expect(
            throws: ResumeDataError.otherKind(found: "AdaptableSession download", wanted: "AdaptableSession upload")
        ) {
            try UploadResumeData.read(Array("AdaptableSession download 1\n".utf8), key: key)
        }
    }
}
