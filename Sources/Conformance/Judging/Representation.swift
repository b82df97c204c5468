import GeneratedBodies
import ScenarioLanguage

/// The whole bytes of one version of one path, as the origin serves them.
struct Representation: Hashable {
    enum Content: Hashable {
        case pattern(key: PatternBody.Key, length: Int64)
        case bytes([UInt8])
    }
    var path: String
    /// 1 for the first version; a replacement has a different number.
    var version: UInt64
    var content: Content

    var length: Int64 {
        switch content {
        case .pattern(_, let length): length
        case .bytes(let bytes): Int64(bytes.count)
        }
    }

    /// Returns at most `count` bytes from `offset` on, fewer at the end.
    func bytes(from offset: Int64, count: Int) -> [UInt8] {
        let count = Int(min(Int64(count), max(0, length - offset)))
        switch content {
        case .pattern(let key, _): return PatternBody.bytes(key: key, from: offset, count: count)
        case .bytes(let bytes): return count > 0 ? Array(bytes[Int(offset)..<Int(offset) + count]) : []
        }
    }

    /// The name in messages: `/big`, or `version 2 of /big`.
    var description: String { version == 1 ? path : "version \(version) of \(path)" }
}

extension OriginPlan {
    /// Every version of every path with different bytes.
    var representations: [Representation] {
        routes.flatMap { route in
            route.contents.flatMap { content -> [Representation] in
                // A bomb is never compared byte for byte.
                guard case .resource(let resource) = content, resource.encoding?.bomb == nil else { return [] }
                var found = [
                    Representation(
                        resource.body, path: route.path, version: resource.version, repeats: resource.repeats)
                ]
                if let next = resource.replacedAt {
                    found.append(
                        Representation(
                            next.body ?? resource.body, path: route.path, version: next.version,
                            repeats: resource.repeats))
                }
                return found
            }
        }
    }

    /// Returns the representation for a path; `//host/path` selects the route of this host. nil if the origin does not
    /// serve it.
    func representation(_ text: String, version: UInt64) -> Representation? {
        representations(text, version: version).first
    }

    /// Returns the representations of a version; nil: of every version.
    func representations(_ text: String, version: UInt64?) -> [Representation] {
        let target = ParsedURL(text)
        let serving = routes.filter {
            $0.path == target.path && (target.host.isEmpty || $0.host?.lowercased() == target.host)
        }
        let plan = OriginPlan(routes: serving)
        return plan.representations.filter { version == nil || $0.version == version }
    }

    private init(routes: [Route]) {
        self.init()
        self.routes = routes
    }
}

extension Representation {
    fileprivate init(_ body: Resource.Body, path: String, version: UInt64, repeats: Int64) {
        self.path = path
        self.version = version
        switch body {
        case .pattern(let size):
            content = .pattern(key: PatternBody.key(path: path, version: version, repeats: repeats), length: size.bytes)
        case .text(let text): content = .bytes(Array(text.utf8))
        }
    }
}
