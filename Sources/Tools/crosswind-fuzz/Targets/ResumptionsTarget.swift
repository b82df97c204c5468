import AdaptableSession
import Foundation

/// Resume data of downloads and uploads, and the server responses when they are resumed.
struct ResumptionsTarget: FuzzTarget {
    static let name = "resumptions"
    static let subject = "resume data and the responses to resumed transfers (RFC 9110 §14, resumable uploads)"

    private static let key = ResumeKey(bytes: Array(repeating: 3, count: ResumeKey.length))

    init() {}

    mutating func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        let isTaken = try download(&random)
        return try upload(&random) || isTaken
    }

    private func fields(_ random: inout FuzzRandom) -> HeaderFields {
        var fields = HeaderFields()
        for _ in 0..<random.below(5) {
            let field = field(&random)
            fields.append(field.name, field.value)
        }
        return fields
    }

    // Only the chosen field is made: a list of all of them costs more than the parser under test.
    private func field(_ random: inout FuzzRandom) -> (name: String, value: String) {
        func number() -> String { HostileText.number(&random) }
        switch random.below(12) {
        case 0: return ("Content-Length", number())
        case 1: return ("Content-Range", "bytes \(number())-\(number())/\(number())")
        case 2: return ("Content-Range", "bytes */\(number())")
        case 3: return ("Content-Range", "bytes 5-9/10")
        case 4: return ("ETag", random.pick(["\"a\"", "\"b\"", "W/\"a\""]))
        case 5: return ("Last-Modified", HostileText.date(&random))
        case 6: return ("Upload-Offset", number())
        case 7: return ("Upload-Complete", random.pick(["?0", "?1"]))
        case 8: return ("Upload-Limit", "max-append-size=\(number())")
        case 9: return ("Location", HostileText.url(&random))
        case 10: return ("Upload-Draft-Interop-Version", "8")
        default: return ("Content-Encoding", "gzip")
        }
    }

    // MARK: Downloads

    private func download(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        var record = DownloadResumeRecord(
            url: HostileText.url(&random), respondedBy: HostileText.url(&random), fields: fields(&random),
            received: max(0, HostileText.integer(&random)),
            total: random.happens(oneIn: 2) ? HostileText.integer(&random) : nil,
            validator: random.pick([.entityTag("\"a\""), .date("x"), .weak("W/\"a\"")]),
            file: random.pick(["/tmp/x", "", "a\nb", "%"]), tail: "",
            timeout: random.happens(oneIn: 2) ? HostileText.seconds(&random) : nil)
        var bytes = DownloadResumeData.write(record, key: Self.key)
        guard let read = try? DownloadResumeData.read(bytes, key: Self.key) else {
            throw FuzzFinding("resume data that cannot be read", bytes)
        }
        guard read.received == record.received, read.total == record.total, read.file == record.file else {
            throw FuzzFinding("resume data that is read as a different record", bytes)
        }
        let whole = bytes
        random.damage(&bytes)
        if bytes != whole, (try? DownloadResumeData.read(bytes, key: Self.key)) != nil {
            throw FuzzFinding("damaged resume data is accepted", bytes)
        }
        record.respondedBy = "http://h.test/a"
        let length =
            random.happens(oneIn: 3)
            ? nil : random.pick([record.received, record.received, HostileText.integer(&random)])
        var resumption = DownloadResumption(record, fileLength: length, tail: random.pick(["", "", "", "x", nil]))
        var isTaken = false
        for _ in 0..<3 {
            _ = resumption.request
            var given = fields(&random)
            if random.happens(oneIn: 2) {
                let first = min(resumption.received, 1 << 50)
                given = ["Content-Range": "bytes \(first)-\(first + Int64(random.below(5000)))/*", "ETag": "\"a\""]
            }
            let judgement = resumption.evaluate(
                status: random.pick([200, 206, 206, 206, 416, 304, 404]), fields: given,
                respondedBy: random.pick(["http://h.test/a", "http://h.test/a", HostileText.url(&random)]))
            if case .proceed(let offset, _) = judgement {
                guard offset >= 0 else { throw FuzzFinding("a file is truncated to \(offset) bytes", whole) }
                isTaken = true
            }
            for _ in 0..<random.below(4) {
                let count = Int64(random.below(1 << 30))
                guard (0...count).contains(resumption.receive(count)) else {
                    throw FuzzFinding("more bytes accepted than received", whole)
                }
            }
            _ = resumption.ended(isIntact: random.happens(oneIn: 2))
            _ = PartialFileTail.range(resumption.received)
            if let next = resumption.record(file: "/tmp/y"), next.received < 0 {
                throw FuzzFinding("a negative length is stored", whole)
            }
        }
        return isTaken
    }

    // MARK: Uploads

    private func upload(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        let length = max(0, HostileText.integer(&random))
        let record = UploadResumeRecord(
            url: "http://h.test/a", method: "PUT", fields: fields(&random), location: HostileText.url(&random),
            version: random.pick(UploadVersion.allCases), length: length,
            sent: max(0, HostileText.integer(&random)),
            body: .file(
                "/tmp/x",
                FileIdentity(
                    length: length, modified: HostileText.seconds(&random), number: max(0, HostileText.integer(&random))
                )))
        var bytes = UploadResumeData.write(record, key: Self.key)
        guard (try? UploadResumeData.read(bytes, key: Self.key))?.length == length else {
            throw FuzzFinding("resume data that is read as a different record", bytes)
        }
        let whole = bytes
        random.damage(&bytes)
        if bytes != whole, (try? UploadResumeData.read(bytes, key: Self.key)) != nil {
            throw FuzzFinding("damaged resume data is accepted", bytes)
        }
        var resumption =
            random.happens(oneIn: 2)
            ? UploadResumption(record) : UploadResumption(url: "http://h.test/a", length: length, isRepeatable: true)
        var action = resumption.begin()
        var isTaken = false
        for _ in 0..<6 {
            switch action {
            case .send(let step):
                if let body = step.body {
                    guard body.lowerBound >= 0, body.upperBound <= length else {
                        throw FuzzFinding("bytes \(body) of \(length) are to be sent", whole)
                    }
                    isTaken = isTaken || body.lowerBound > 0
                    resumption.didSend(upTo: random.pick([body.lowerBound, body.upperBound]))
                }
            case .proceed, .acknowledged: break
            case .deliver, .fail: return isTaken
            }
            var given = fields(&random)
            if random.happens(oneIn: 2) {
                given = [
                    "Upload-Offset": "\(random.below(Int(min(length, 1 << 30)) + 1))", "Upload-Complete": "?0",
                    "Upload-Draft-Interop-Version": "8", "Location": "/u",
                ]
            }
            switch random.below(3) {
            case 0: action = resumption.informational(status: random.pick([104, 100, 103]), fields: given)
            case 1: action = resumption.lost()
            default:
                action = resumption.didReceiveResponse(
                    status: random.pick([200, 201, 204, 400, 409, 500]), fields: given)
            }
        }
        return isTaken
    }
}
