import AdapterProtocol
import ScenarioLanguage

/// The upload resources of an origin and their progress (draft-ietf-httpbis-resumable-upload).
struct ResumableUploads {
    /// The maximum number of uploads; beyond it the oldest are forgotten, and requests for them get 404.
    static let remembered = 4_096

    /// The start of a request's body on an upload.
    struct Opening: Hashable {
        /// The path of the pattern that these bytes follow, and their offset.
        var path: String
        var offset: Int64
        /// A 104 response to send before anything else.
        var interim: WirePlan.Interim?
    }

    enum Decision {
        case own(status: Int, [HeaderField], body: String?)
        /// The upload is complete: the target of its creation responds, with these fields beside its own.
        case target(RequestHead, [HeaderField])
    }

    struct Upload {
        let location: String
        let plan: ResumableUploadPlan
        let target: RequestHead
        /// The request that may append to it, until it ends or another replaces it.
        var request: Int?
        /// True if its current request is the last one.
        var isFinal: Bool
        var offset: Int64 = 0
        /// The offset last reported to the client.
        var reported: Int64 = 0
        var length: Int64?
        var isComplete = false

        /// The number of received bytes that are stored safely.
        var kept: Int64 { offset - offset % plan.keepsMultiplesOf.bytes }
    }

    private enum Part {
        case creation, append
        case refused(Decision)
    }

    private let routes: [Route]
    private var uploads: [String: Upload] = [:]
    private var order: [String] = []
    private var parts: [Int: (location: String, part: Part)] = [:]
    private var count = 0

    init(_ routes: [Route]) { self.routes = routes.filter { $0.resumableUpload != nil } }

    /// Returns nil when the request does not belong to an upload, or is an ordinary one.
    mutating func begin(_ head: RequestHead, request: Int, route: Route?) -> Opening? {
        guard !routes.isEmpty else { return nil }
        if uploads[head.path] != nil { return append(head, request) }
        guard let plan = route?.resumableUpload?.speaking(to: head),
            head.body != .none || head.method == "POST" || head.method == "PUT"
        else { return nil }
        // "A server must not send 104 to a request with a missing or another version": it is then an ordinary upload.
        guard let fields = UploadFields(head, plan.version), let isFinal = fields.isComplete else { return nil }
        count += 1
        let location = "\(head.path)/upload-\(count)"
        var upload = Upload(location: location, plan: plan, target: head, request: request, isFinal: isFinal)
        upload.length = fields.length(of: head, from: 0)
        if let limit = plan.maximumSize, let length = upload.length, length > limit.bytes {
            refuse(
                request, location, .own(status: 413, UploadFields.version(plan) + UploadFields.limit(plan), body: nil))
            return nil
        }
        uploads[location] = upload
        order.append(location)
        if order.count > ResumableUploads.remembered { uploads[order.removeFirst()] = nil }
        parts[request] = (location, .creation)
        let interim =
            plan.announces ? interim(plan, [HeaderField("Location", location)] + UploadFields.limit(plan)) : nil
        return Opening(path: head.path, offset: 0, interim: interim)
    }

    private mutating func append(_ head: RequestHead, _ request: Int) -> Opening? {
        settle(head.path)
        guard let upload = uploads[head.path], head.method == "PATCH" else { return nil }
        let common = UploadFields.version(upload.plan)
        guard let fields = UploadFields(head, upload.plan.version), let offset = fields.offset else {
            refuse(
                request, head.path,
                .own(
                    status: 400, common,
                    body: "Upload-Offset or Upload-Draft-Interop-Version is missing or malformed."))
            return nil
        }
        if upload.plan.version >= .version6,
            head.value(of: "content-type")?.equalsIgnoringCase("application/partial-upload") != true
        {
            refuse(
                request, head.path,
                .own(status: 415, common, body: "The content type is not application/partial-upload."))
            return nil
        }
        if upload.isComplete {
            refuse(
                request, head.path,
                .own(status: 400, common + UploadFields.state(upload), body: "The upload is complete."))
            return nil
        }
        guard offset == upload.offset else {
            refuse(request, head.path, .own(status: 409, common + UploadFields.state(upload), body: nil))
            return nil
        }
        let length = fields.length(of: head, from: offset)
        if let length, let known = upload.length, length != known {
            refuse(
                request, head.path,
                .own(status: 400, common, body: "The length of the upload changed from \(known) to \(length)."))
            return nil
        }
        uploads[head.path]?.length = length ?? upload.length
        uploads[head.path]?.request = request
        // Version 3 treats an append without the field as the last one.
        uploads[head.path]?.isFinal = fields.isComplete ?? true
        parts[request] = (head.path, .append)
        return Opening(path: upload.target.path, offset: offset, interim: nil)
    }

    /// Counts body bytes of this request; returns the 104 response that is due.
    mutating func receive(_ bytes: Int, of request: Int) -> WirePlan.Interim? {
        guard let location = parts[request]?.location, var upload = uploads[location], upload.request == request else {
            return nil
        }
        upload.offset += Int64(bytes)
        defer { uploads[location] = upload }
        guard let every = upload.plan.progressEvery, upload.plan.version >= .version5,
            upload.kept - upload.reported >= every.bytes
        else { return nil }
        upload.reported = upload.kept
        return interim(upload.plan, [HeaderField("Upload-Offset", "\(upload.kept)")])
    }

    /// Called when the request's body is complete.
    mutating func end(_ request: Int) {
        guard let location = parts[request]?.location, let upload = uploads[location], upload.request == request else {
            return
        }
        uploads[location]?.request = nil
        if upload.isFinal { uploads[location]?.isComplete = true }
    }

    /// Returns nil if the request does not belong to an upload.
    mutating func decision(to head: RequestHead, request: Int) -> Decision? {
        if let (location, part) = parts.removeValue(forKey: request) {
            switch part {
            case .refused(let decision): return decision
            case .creation, .append:
                guard let upload = uploads[location] else { return gone }
                return decision(upload, isCreation: { if case .creation = part { true } else { false } }())
            }
        }
        guard !routes.isEmpty, head.path.contains("/upload-") else { return nil }
        settle(head.path)
        guard let upload = uploads[head.path] else {
            return order.contains(head.path) || isOfRoute(head.path) ? gone : nil
        }
        let common = UploadFields.version(upload.plan)
        switch head.method {
        case "HEAD", "GET":
            return .own(
                status: 204,
                common + UploadFields.state(upload) + UploadFields.limit(upload.plan) + [
                    HeaderField("Cache-Control", "no-store")
                ],
                body: nil)
        case "DELETE":
            uploads[head.path] = nil
            return .own(status: 204, common, body: nil)
        default:
            return .own(
                status: 405, common + [HeaderField("Allow", "HEAD, GET, PATCH, DELETE")],
                body: "An upload does not support \(head.method).")
        }
    }

    private func decision(_ upload: Upload, isCreation: Bool) -> Decision {
        let common = UploadFields.version(upload.plan) + UploadFields.state(upload)
        let location = isCreation ? [HeaderField("Location", upload.location)] : []
        if upload.isComplete {
            if let length = upload.length, length != upload.offset {
                return .own(
                    status: 400, UploadFields.version(upload.plan),
                    body: "\(upload.offset) bytes arrived, but \(length) were announced.")
            }
            return .target(upload.target, common + location)
        }
        // From draft -06 on, the response to an append that is not the last is 204.
        return .own(
            status: isCreation || upload.plan.version < .version8 ? 201 : 204,
            common + location + UploadFields.limit(upload.plan),
            body: nil)
    }

    /// A request that ended early is over when the next one comes; its safely stored bytes remain.
    private mutating func settle(_ location: String) {
        guard let upload = uploads[location], upload.request != nil else { return }
        uploads[location]?.request = nil
        uploads[location]?.offset = upload.kept
    }

    private mutating func refuse(_ request: Int, _ location: String, _ decision: Decision) {
        parts[request] = (location, .refused(decision))
    }

    private func isOfRoute(_ path: String) -> Bool { routes.contains { path.hasPrefix("\($0.path)/upload-") } }

    private var gone: Decision { .own(status: 404, [], body: "The upload does not exist.") }

    private func interim(_ plan: ResumableUploadPlan, _ fields: [HeaderField]) -> WirePlan.Interim {
        WirePlan.Interim(status: 104, headers: UploadFields.version(plan) + fields)
    }
}
