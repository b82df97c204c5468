/// A binary heap that returns its smallest element first.
struct OrderedHeap<Element: Comparable> {
    private var elements: [Element] = []

    var first: Element? { elements.first }
    var count: Int { elements.count }

    mutating func insert(_ element: Element) {
        elements.append(element)
        var child = elements.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard elements[child] < elements[parent] else { return }
            elements.swapAt(child, parent)
            child = parent
        }
    }

    mutating func popFirst() -> Element? {
        guard let last = elements.popLast() else { return nil }
        guard let first = elements.first else { return last }
        elements[0] = last
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < elements.count else { return first }
            if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
            guard elements[child] < elements[parent] else { return first }
            elements.swapAt(child, parent)
            parent = child
        }
    }

    mutating func removeAll() { elements.removeAll() }

    /// Removes the elements for which `isKept` returns false.
    mutating func keep(where isKept: (Element) -> Bool) {
        let old = elements
        elements.removeAll(keepingCapacity: true)
        for element in old where isKept(element) { insert(element) }
    }
}

extension OrderedHeap: Sendable where Element: Sendable {}
