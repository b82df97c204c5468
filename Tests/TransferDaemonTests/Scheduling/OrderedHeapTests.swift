import Testing

@testable import TransferDaemon

@Test(arguments: 1...10 as ClosedRange<UInt64>) func `a heap returns its elements in order`(seed: UInt64) {
    var generator = SeededGenerator(state: seed)
    let values = (0..<200).map { _ in Int.random(in: 0...50, using: &generator) }
    var heap = OrderedHeap<Int>()
    for value in values { heap.insert(value) }
    heap.keep { $0 % 3 != 0 }
    var found: [Int] = []
    while let value = heap.popFirst() { found.append(value) }
    #expect(found == values.filter { $0 % 3 != 0 }.sorted())
}
