/// The properties besides the key that decide whether a connection can serve a request. Requests with equal
/// requirements can use the same connections.
struct PoolRequirements: Hashable, Sendable {
    let forbids: PathTraits
    let newerThan: ConnectionID?
    /// The task's number if a connection is reserved for it.
    let pinnedOwner: Int?
}

/// The requests that wait for connections of one key: by priority, and in order of arrival within a priority.
///
/// The queue may hold ten thousand requests, so removing one from the middle leaves a gap instead of moving the others.
struct RequestQueue: Sendable {
    private struct Rank: Sendable {
        let priority: Float
        var entries: [(request: PoolRequest, requirements: PoolRequirements)?] = []
        /// The index of the first entry that is not a gap.
        var head = 0
        /// The number of entries removed from the front so far.
        var cut = 0
    }

    private var ranks: [Rank] = []
    private var places: [PoolRequestID: (priority: Float, place: Int)] = [:]

    private var counts: [PoolRequirements: Int] = [:]

    var isEmpty: Bool { places.isEmpty }
    var count: Int { places.count }
    func contains(_ id: PoolRequestID) -> Bool { places[id] != nil }

    mutating func append(_ request: PoolRequest, _ requirements: PoolRequirements, priority: Float) {
        counts[requirements, default: 0] += 1
        let index = ranks.firstIndex { $0.priority <= priority } ?? ranks.count
        if index == ranks.count || ranks[index].priority != priority {
            ranks.insert(Rank(priority: priority), at: index)
        }
        places[request.id] = (priority, ranks[index].cut + ranks[index].entries.count)
        ranks[index].entries.append((request, requirements))
    }

    /// Inserts a request before all others of its priority.
    mutating func prepend(_ request: PoolRequest, _ requirements: PoolRequirements, priority: Float) {
        guard let index = ranks.firstIndex(where: { $0.priority == priority }) else {
            return append(request, requirements, priority: priority)
        }
        counts[requirements, default: 0] += 1
        if ranks[index].head > 0 {
            ranks[index].head -= 1
            ranks[index].entries[ranks[index].head] = (request, requirements)
        } else {
            ranks[index].entries.insert((request, requirements), at: 0)
            // The indices of all other entries have grown by one.
            ranks[index].cut -= 1
        }
        places[request.id] = (priority, ranks[index].cut + ranks[index].head)
    }

    @discardableResult
    mutating func remove(_ id: PoolRequestID) -> PoolRequest? {
        guard let (priority, place) = places.removeValue(forKey: id),
            let index = ranks.firstIndex(where: { $0.priority == priority })
        else { return nil }
        let at = place - ranks[index].cut
        let entry = ranks[index].entries[at]
        if let requirements = entry?.requirements {
            counts[requirements] = counts[requirements].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        ranks[index].entries[at] = nil
        while ranks[index].head < ranks[index].entries.count, ranks[index].entries[ranks[index].head] == nil {
            ranks[index].head += 1
        }
        if ranks[index].head == ranks[index].entries.count {
            ranks.remove(at: index)
        } else if ranks[index].head > 64, ranks[index].head * 2 > ranks[index].entries.count {
            ranks[index].entries.removeFirst(ranks[index].head)
            ranks[index].cut += ranks[index].head
            ranks[index].head = 0
        }
        return entry?.request
    }

    /// Returns the first request in order for which `isNeeded` is true.
    func first(where isNeeded: (PoolRequest) -> Bool) -> PoolRequest? { first(except: [], where: isNeeded)?.request }

    /// Returns the first request in order for which `isNeeded` is true and whose requirements are not in `blocked`.
    func first(
        except blocked: Set<PoolRequirements>, where isNeeded: (PoolRequest) -> Bool
    ) -> (request: PoolRequest, requirements: PoolRequirements)? {
        if counts.keys.allSatisfy(blocked.contains) { return nil }
        for rank in ranks {
            for case let entry? in rank.entries[rank.head...]
            where !blocked.contains(entry.requirements) && isNeeded(entry.request) {
                return entry
            }
        }
        return nil
    }
}
