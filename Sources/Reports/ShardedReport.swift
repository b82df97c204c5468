/// A report that shards of one command make, and that can be joined from their files.
package protocol ShardedReport: Hashable, Sendable {
    static var currentVersion: Int { get }
    /// The command's noun, as in "the report of a sweep".
    static var noun: String { get }
    /// The plural of `noun`, with the things in which shards must agree.
    static var agreement: String { get }

    var part: Int { get }
    var of: Int { get }
    var isComplete: Bool { get }
    /// True for shards of the same whole.
    func belongs(with other: Self) -> Bool
}

extension ShardedReport {
    /// Throws unless the parts, given with their files, are all shards of one whole; returns the first.
    static func whole(_ parts: [(file: String, report: Self)]) throws(ShardError<Self>) -> (file: String, report: Self)
    {
        guard let first = parts.first else { throw .nothingToMerge }
        var files: [Int: String] = [:]
        for (file, report) in parts {
            guard report.belongs(with: first.report) else { throw .doNotBelongTogether(first.file, file) }
            guard report.isComplete else { throw .cutShort(file) }
            if let other = files.updateValue(file, forKey: report.part) {
                throw .samePart(other, file, part: report.part, of: report.of)
            }
        }
        let missing = (1...max(1, first.report.of)).filter { files[$0] == nil }
        guard missing.isEmpty else { throw .missingParts(missing, of: first.report.of) }
        return first
    }
}

/// The reason why the reports of shards cannot be read or joined.
package enum ShardError<Report: ShardedReport>: Error, Hashable, CustomStringConvertible {
    case nothingToMerge
    case unreadable(String)
    case wrongVersion(String, found: Int)
    case doNotBelongTogether(String, String)
    case samePart(String, String, part: Int, of: Int)
    case missingParts([Int], of: Int)
    case cutShort(String)
    /// Two shards ran a client in different versions.
    case differentClients(String, String, String, String, client: String)

    package var description: String {
        switch self {
        case .nothingToMerge: "there is nothing to merge; give the folders of the shards"
        case .unreadable(let file): "\(file) is not the report of a \(Report.noun)"
        case .wrongVersion(let file, let found):
            "\(file) has the version \(found) of another Crosswind; this one reads \(Report.currentVersion)"
        case .doNotBelongTogether(let first, let second):
            "\(first) and \(second) are shards of different \(Report.agreement) must agree"
        case .samePart(let first, let second, let part, let of):
            "\(first) and \(second) are both shard \(part)/\(of)"
        case .missingParts(let parts, let of):
            "the \(Report.noun) is not complete: shard \(parts.map { "\($0)/\(of)" }.joined(separator: ", ")) is missing"
        case .cutShort(let file): "\(file) is the report of a shard that was interrupted; run that shard again"
        case .differentClients(let first, let version, let second, let other, let client):
            "\(first) has \(client) in the version \(version), \(second) in the version \(other); install the same one and run a shard again"
        }
    }
}
