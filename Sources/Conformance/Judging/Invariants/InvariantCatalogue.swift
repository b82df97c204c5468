/// Every invariant; to add one, add its file and a line here.
package enum InvariantCatalogue {
    package static let all: [any Invariant.Type] = [
        OneCompletion.self,
        SilenceAfterCompletion.self,
        SilenceAfterInvalidation.self,
        ResponseBeforeData.self,
        ReceivedBytes.self,
        NoTrafficWithoutPath.self,
    ]
}
