/// The reason why resume data cannot be used.
package enum ResumeDataError: Error, Equatable, Sendable {
    /// The data was not created by AdaptableSession.
    case notOurs
    /// The data belongs to the other kind of task.
    case otherKind(found: String, wanted: String)
    case unknownVersion(found: Int, known: Int)
    /// The data was truncated or changed, or was created by another user or on another machine.
    case damaged
    case missing(String)
}

extension ResumeDataError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notOurs: "this is not resume data of AdaptableSession; start the transfer again"
        case .otherKind(let found, let wanted): "this is resume data for '\(found)', but '\(wanted)' was expected"
        case .unknownVersion(let found, let known):
            "the resume data has version \(found), but this session reads version \(known); start the transfer again"
        case .damaged:
            "the resume data was truncated or changed, or comes from another user or machine; start the transfer again"
        case .missing(let name): "the resume data lacks '\(name)'; start the transfer again"
        }
    }
}
