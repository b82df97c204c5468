import GeneratedBodies
import NIOCore
import ScenarioLanguage

/// The encoded bodies of a plan, made before the first request so that none waits for them.
struct EncodedBodies {
    private struct Key: Hashable {
        var path: String
        var version: UInt64
        var repeats: Int64
        var body: Resource.Body
        var plan: EncodingPlan
    }
    private var made: [Key: [UInt8]] = [:]

    init(_ routes: [Route]) {
        for route in routes {
            for case .resource(let resource) in route.contents {
                guard let plan = resource.encoding else { continue }
                add(resource.body, route.path, resource.version, resource.repeats, plan)
                if let next = resource.replacedAt {
                    add(next.body ?? resource.body, route.path, next.version, resource.repeats, plan)
                }
            }
        }
    }

    func bytes(_ body: Resource.Body, _ path: String, _ version: UInt64, _ repeats: Int64, _ plan: EncodingPlan)
        -> [UInt8]?
    {
        made[Key(path: path, version: version, repeats: repeats, body: body, plan: plan)]
    }

    private mutating func add(
        _ body: Resource.Body, _ path: String, _ version: UInt64, _ repeats: Int64, _ plan: EncodingPlan
    ) {
        let key = Key(path: path, version: version, repeats: repeats, body: body, plan: plan)
        guard made[key] == nil else { return }
        switch body {
        case .text(let text): made[key] = EncodedBody.bytes(Array(text.utf8), plan)
        case .pattern(let size):
            var buffer = ByteBuffer()
            let pattern = PatternBody.key(path: path, version: version, repeats: repeats)
            PatternFiller.append(key: pattern, from: 0, count: Int(size.bytes), to: &buffer)
            made[key] = EncodedBody.bytes(Array(buffer.readableBytesView), plan)
        }
    }
}
