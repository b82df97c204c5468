/// A first-in-first-out queue of plain values that allocates only when it has to double its capacity.
struct Ring<Element: BitwiseCopyable & Sendable>: Sendable {
    private var storage: [Element]
    private var head = 0
    private(set) var count = 0

    /// Creates an empty ring. `filler` occupies unused places; `capacity` is rounded up to a power of two.
    init(capacity: Int, filler: Element) {
        var size = 1
        while size < capacity { size *= 2 }
        storage = [Element](repeating: filler, count: size)
    }

    var isEmpty: Bool { count == 0 }
    var first: Element { storage[head] }
    var last: Element { storage[(head &+ count &- 1) & (storage.count &- 1)] }

    subscript(position: Int) -> Element { storage[(head &+ position) & (storage.count &- 1)] }

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == storage.count { double() }
        storage[(head &+ count) & (storage.count &- 1)] = element
        count &+= 1
    }

    @inline(__always)
    mutating func removeFirst() -> Element {
        let element = storage[head]
        head = (head &+ 1) & (storage.count &- 1)
        count &-= 1
        return element
    }

    /// Keeps the oldest `kept` elements.
    mutating func truncate(to kept: Int) { count = min(count, kept) }

    private mutating func double() {
        var larger: [Element] = []
        larger.reserveCapacity(storage.count * 2)
        for position in 0..<count { larger.append(self[position]) }
        larger.append(contentsOf: storage)
        storage = larger
        head = 0
    }
}
