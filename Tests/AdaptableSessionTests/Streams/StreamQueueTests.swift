import Foundation
import Testing

@testable import AdaptableSession

/// The order of a stream task's operations, as values.
struct StreamQueueTests {
    private func connected() -> StreamQueue {
        var queue = StreamQueue()
        #expect(queue.connected().isEmpty)
        return queue
    }

    private func data(_ text: String) -> Data { Data(text.utf8) }

    @Test func `operations before the connection is open wait for it`() {
        var queue = StreamQueue()
        #expect(queue.add(.write(1, data("a"))).isEmpty)
        #expect(queue.add(.write(2, data("b"))).isEmpty)
        #expect(!queue.needsInput)
        #expect(queue.connected() == [.send(1, data("a"))])
        #expect(queue.sent(1) == [.send(2, data("b"))])
        #expect(queue.waiting == [2])
    }

    @Test func `a read returns at least its minimum, at most its maximum, and less only at the end`() {
        var queue = connected()
        #expect(queue.add(.read(1, minimum: 3, maximum: 4)).isEmpty)
        #expect(queue.add(.read(2, minimum: 1, maximum: 9)).isEmpty)
        #expect(queue.received(data("ab")).isEmpty)
        #expect(
            queue.received(data("cdef")) == [
                .deliver(1, data("abcd"), atEnd: false), .deliver(2, data("ef"), atEnd: false),
            ])
        #expect(queue.add(.read(3, minimum: 5, maximum: 9)).isEmpty)
        #expect(queue.received(data("gh")).isEmpty)
        #expect(queue.inputEnded() == [.deliver(3, data("gh"), atEnd: true)])
        #expect(queue.add(.read(4, minimum: 1, maximum: 9)) == [.deliver(4, Data(), atEnd: true)])
    }

    @Test func `the end is reported only with the last bytes`() {
        var queue = connected()
        _ = queue.received(data("abcd"))
        _ = queue.inputEnded()
        #expect(queue.add(.read(1, minimum: 1, maximum: 3)) == [.deliver(1, data("abc"), atEnd: false)])
        #expect(queue.add(.read(2, minimum: 1, maximum: 3)) == [.deliver(2, data("d"), atEnd: true)])
    }

    @Test func `closing waits for earlier operations in its direction`() {
        var queue = connected()
        #expect(queue.add(.read(1, minimum: 1, maximum: 9)).isEmpty)
        #expect(queue.add(.closeRead).isEmpty)
        #expect(queue.add(.write(2, data("a"))) == [.send(2, data("a"))])
        #expect(queue.add(.closeWrite).isEmpty)
        #expect(queue.sent(2) == [.closeOutput])
        #expect(!queue.isOver)
        #expect(queue.received(data("x")) == [.deliver(1, data("x"), atEnd: false), .closeInput])
        #expect(queue.isOver)
    }

    @Test
    func
        `The connection is handed over when everything before is through, with what was not read; then nothing begins`()
    {
        var queue = connected()
        #expect(queue.add(.read(1, minimum: 3, maximum: 3)).isEmpty)
        #expect(queue.add(.write(2, data("a"))) == [.send(2, data("a"))])
        #expect(queue.add(.capture).isEmpty)
        #expect(queue.add(.write(3, data("b"))).isEmpty)
        #expect(queue.received(data("abcdef")) == [.deliver(1, data("abc"), atEnd: false)])
        #expect(queue.needsInput)
        #expect(queue.sent(2) == [.capture])
        #expect(!queue.needsInput)
        #expect(queue.received(data("g")).isEmpty)
        let left = queue.handOver()
        #expect(left.unread == data("defg") && !left.hasInputEnded && !left.isOutputClosed)
    }

    @Test func `a direction that ended before the capture stays ended`() {
        var queue = connected()
        #expect(queue.received(data("a")).isEmpty)
        #expect(queue.inputEnded().isEmpty)
        #expect(queue.add(.closeWrite) == [.closeOutput])
        #expect(queue.add(.capture) == [.capture])
        let left = queue.handOver()
        #expect(left.unread == data("a") && left.hasInputEnded && left.isOutputClosed)
    }

    @Test func `TLS starts after all earlier operations, and later ones wait until it is established`() {
        var queue = connected()
        #expect(queue.add(.write(1, data("STARTTLS"))) == [.send(1, data("STARTTLS"))])
        #expect(queue.add(.read(2, minimum: 2, maximum: 2)).isEmpty)
        #expect(queue.add(.secure).isEmpty)
        #expect(queue.add(.write(3, data("secret"))).isEmpty)
        #expect(queue.sent(1).isEmpty)
        #expect(queue.received(data("OK")) == [.deliver(2, data("OK"), atEnd: false), .secure])
        #expect(!queue.needsInput && queue.add(.write(4, data("more"))).isEmpty)
        #expect(queue.secured() == [.send(3, data("secret"))])
        #expect(queue.needsInput && queue.sent(3) == [.send(4, data("more"))])
    }

    @Test func `bytes received before TLS are not accepted as part of TLS`() {
        var queue = connected()
        #expect(queue.add(.read(1, minimum: 2, maximum: 2)).isEmpty)
        #expect(queue.add(.secure).isEmpty)
        #expect(queue.received(data("OKinjected")) == [.deliver(1, data("OK"), atEnd: false), .refuseEarlyBytes])
    }

    @Test func `bytes are read up to the capacity, and beyond it for a read that needs them`() {
        var queue = connected()
        #expect(queue.needsInput)
        _ = queue.received(Data(count: StreamQueue.capacity))
        #expect(!queue.needsInput)
        #expect(queue.add(.read(1, minimum: StreamQueue.capacity + 1, maximum: 1 << 20)).isEmpty)
        #expect(queue.needsInput)
        _ = queue.inputEnded()
        #expect(!queue.needsInput)
    }
}
