import AdapterProtocol
import HTTPFields
import ScenarioLanguage

/// The fields of the draft, in the spelling of each of its versions.
struct UploadFields {
    /// nil: absent, or not parsable.
    var isComplete: Bool?
    var offset: Int64?
    var declaredLength: Int64?

    /// Returns nil when the request does not name this version.
    init?(_ head: RequestHead, _ version: ResumableUploadPlan.Version) {
        guard head.value(of: "upload-draft-interop-version") == "\(version.rawValue)" else { return nil }
        switch version {
        case .version3: isComplete = StructuredField.boolean(head.value(of: "upload-incomplete")).map { !$0 }
        case .version5, .version6, .version8: isComplete = StructuredField.boolean(head.value(of: "upload-complete"))
        }
        offset = StructuredField.integer(head.value(of: "upload-offset"))
        declaredLength = StructuredField.integer(head.value(of: "upload-length"))
    }

    /// Returns the length of the whole upload, if this request contains it.
    func length(of head: RequestHead, from offset: Int64) -> Int64? {
        if isComplete == true, case .length(let bytes) = head.body { return offset + bytes }
        return declaredLength
    }

    static func version(_ plan: ResumableUploadPlan) -> [HeaderField] {
        [HeaderField("Upload-Draft-Interop-Version", "\(plan.version.rawValue)")]
    }

    static func state(_ upload: ResumableUploads.Upload) -> [HeaderField] {
        let completeness =
            switch upload.plan.version {
            case .version3: HeaderField("Upload-Incomplete", upload.isComplete ? "?0" : "?1")
            case .version5, .version6, .version8: HeaderField("Upload-Complete", upload.isComplete ? "?1" : "?0")
            }
        var fields = [completeness, HeaderField("Upload-Offset", "\(upload.offset)")]
        if upload.plan.version >= .version6, let length = upload.length {
            fields.append(HeaderField("Upload-Length", "\(length)"))
        }
        return fields
    }

    /// A server of version 8 without limits declares `min-size=0`.
    static func limit(_ plan: ResumableUploadPlan) -> [HeaderField] {
        if let size = plan.maximumSize { return [HeaderField("Upload-Limit", "max-size=\(size.bytes)")] }
        return plan.version == .version8 ? [HeaderField("Upload-Limit", "min-size=0")] : []
    }
}

extension ResumableUploadPlan {
    /// Returns the plan with the version that this creation names, when it accepts any.
    func speaking(to head: RequestHead) -> ResumableUploadPlan {
        guard acceptsAnyVersion,
            let named = Version.allCases.first(where: {
                head.value(of: "upload-draft-interop-version") == "\($0.rawValue)"
            })
        else { return self }
        var plan = self
        plan.version = named
        return plan
    }
}
