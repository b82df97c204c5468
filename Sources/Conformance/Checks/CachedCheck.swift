import Record
import ScenarioLanguage
import AdapterProtocol

/// The cache's entry for a task's request when a step inspects it (CACH-27, CACH-28).
struct CachedCheck: Check {
    static let key = "cached"
    static let summary = "The k-th inspection of the cache for the task's request finds this, or nothing."
    static let shape = Shape.object([
        .task, .number("inspection"),
        Field("found", .boolean, "True: a response is stored; default true."),
        Field("status", .integer(100...999), "The status of the stored response."),
        Field("text", .text, "The stored body."),
        Field("length", .byteCount, "The length of the stored body."),
        Field(
            "memoryUsage", NumberRange.shape,
            "The bytes that the cache reports to hold in memory: a number or a range such as 0..65536."),
        Field("diskUsage", NumberRange.shape, "The bytes that the cache reports to hold on disk."),
    ])

    private let task: TaskName
    private let number: Int
    private let isFound: Bool?
    private let status: Int?
    private let text: String?
    private let length: Int64?
    private let memory: NumberRange?
    private let disk: NumberRange?

    init(_ fields: Fields) throws(ScenarioError) {
        task = try fields.task()
        number = fields.number()
        status = fields.integer("status").map { Int(clamping: $0) }
        text = fields.text("text")
        length = fields.byteCount("length")?.bytes
        memory = try NumberRange("memoryUsage", of: fields)
        disk = try NumberRange("diskUsage", of: fields)
        let details = ["status", "text", "length"].filter(fields.has)
        isFound = fields.boolean("found") ?? (details.isEmpty ? nil : true)
        if isFound == false, let detail = details.first {
            throw fields.error(
                detail, "`\(detail)` describes a stored response, but `found: false` expects none")
        }
        try fields.requireOne(of: ["found", "status", "text", "length", "memoryUsage", "diskUsage"])
    }

    var neededEvents: Set<String> { [TaskEventName.cacheInspected.rawValue] }
    var needs: Set<Capability> { [.cache, .cacheLookup] }

    func judge(_ record: RecordView) -> [Mismatch] {
        let looks = record.occurrences(of: task, .cacheInspected)
        guard number <= looks.count, case .cacheInspected(let stored, let usage) = looks[number - 1].event else {
            return mismatch(
                expected: "inspection \(number) of the cache for \(task)", found: counted(looks.count, "inspection"),
                evidence: looks.map(\.moment))
        }
        var differences: [(expected: String, found: String)] = []
        if let isFound, isFound != (stored != nil) {
            differences.append(
                (
                    isFound ? "a stored response" : "nothing stored",
                    stored.map { "status \($0.response.status), \($0.body.count) bytes" } ?? "nothing stored"
                ))
        }
        if let stored { compare(stored, &differences) }
        for (name, range, value) in [("memory", memory, usage.memory), ("disk", disk, usage.disk)] {
            if let range, value.map(range.contains) != true {
                differences.append(
                    (
                        "\(range.description) bytes in \(name)",
                        value.map { "\($0) bytes in \(name)" } ?? "the \(name) was not reported"
                    ))
            }
        }
        guard !differences.isEmpty else { return [] }
        return mismatch(
            expected: "inspection \(number) of the cache for \(task): "
                + differences.map(\.expected).joined(separator: ", "),
            found: differences.map(\.found).joined(separator: ", "), evidence: [looks[number - 1].moment])
    }

    private func compare(_ stored: TaskEvent.StoredResponse, _ differences: inout [(expected: String, found: String)]) {
        if let status, stored.response.status != status {
            differences.append(("status \(status)", "status \(stored.response.status)"))
        }
        if let length, Int64(stored.body.count) != length {
            differences.append(("\(length) bytes", "\(stored.body.count) bytes"))
        }
        if let text, stored.body != Array(text.utf8) {
            let shown =
                String(validating: stored.body, as: UTF8.self).map(quoted)
                ?? "\(stored.body.count) bytes that are not text"
            differences.append(("the body \(quoted(text))", "the body \(shown)"))
        }
    }
}
