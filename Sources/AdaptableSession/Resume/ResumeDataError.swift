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
        case .notOurs: "this is no resume data of AdaptableSession; start the transfer anew"
        case .otherKind(let found, let wanted): "this is the resume data of '\(found)', and '\(wanted)' was expected"
        case .unknownVersion(let found, let known):
            "the resume data is of version \(found), and this session reads version \(known); start the transfer anew"
        case .damaged:
            "the resume data was cut or changed since it was made, or made by another user or on another machine; start the transfer anew"
        case .missing(let name): "the resume data says nothing about '\(name)'; start the transfer anew"
        }
    }
}
