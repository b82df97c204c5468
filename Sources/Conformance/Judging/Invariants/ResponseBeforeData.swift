import Record
import AdapterProtocol

/// Data follow a response that was reported before (DLGT-03). A completion handler gets both at once and must have a
/// response with its data.
enum ResponseBeforeData: Invariant {
    static let name = "response before data"
    static let summary = "Data never arrives before its response."

    static func judge(_ record: RecordView) -> [Mismatch] {
        guard record.canReport(.didReceiveResponse, .didReceiveData) else { return [] }
        return record.taskNames.compactMap { task in
            guard let data = record.occurrences(of: task, .didReceiveData).first else { return nil }
            let responses = record.responses(of: task)
            if record.description(of: task)?.delivery == .completionHandler {
                guard responses.isEmpty, let end = record.completions(of: task).first, end.failure == nil else {
                    return nil
                }
                return mismatch(
                    expected: "a response with the data of \(task)", found: "none", evidence: [data.moment, end.moment])
            }
            if let response = responses.first, response.moment < data.moment { return nil }
            return mismatch(
                expected: "\(task).didReceiveResponse before \(task).didReceiveData",
                found: responses.isEmpty ? "no response" : "the response after the data",
                evidence: [data.moment] + responses.prefix(1).map(\.moment))
        }
    }
}
