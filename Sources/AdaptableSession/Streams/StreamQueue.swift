import Foundation

/// The queue of a stream task's operations: reads run one after the other, writes run one after the other, and a switch
/// to TLS runs after everything before it. Bytes that arrive before they are read are buffered here.
///
/// Each call returns the actions to perform. The caller of `send` reports its end with `sent`, and of `secure` with
/// `secured`.
struct StreamQueue {
    enum Item: Equatable {
        case read(Int, minimum: Int, maximum: Int)
        case write(Int, Data)
        case closeRead, closeWrite, secure, capture
    }

    enum Action: Equatable {
        /// Complete a read. `atEnd`: no bytes follow.
        case deliver(Int, Data, atEnd: Bool)
        case send(Int, Data)
        /// Report that no more bytes can be read.
        case closeInput
        case closeOutput
        case secure
        /// The peer sent bytes before TLS that it must not send there: accepting them allows command injection (RFC
        /// 3207 §6).
        case refuseEarlyBytes
        /// All earlier operations have finished: pass the connection to the captured streams.
        case capture
    }

    /// True when a capture waits for all earlier operations.
    var captureWaits = true
    private var items: [Item] = []
    private var buffer = Data()
    private var isConnected = false
    private var isSecuring = false
    private var isCaptured = false
    private var sending: Int?
    private(set) var hasInputEnded = false
    private var isInputClosed = false
    private var isOutputClosed = false

    /// The number of buffered bytes above which the connection is not read.
    static let capacity = 64 << 10

    /// True when more bytes should be read from the connection.
    var needsInput: Bool {
        guard isConnected, !hasInputEnded, !isInputClosed, !isSecuring, !isCaptured else { return false }
        if case .read(_, let minimum, _) = items.first(where: { if case .read = $0 { true } else { false } }),
            buffer.count < minimum
        {
            return true
        }
        return buffer.count < StreamQueue.capacity
    }

    /// True when both directions have ended.
    var isOver: Bool { isOutputClosed && sending == nil && (isInputClosed || hasInputEnded && buffer.isEmpty) }

    /// The identifiers of reads and writes that have not completed.
    var waiting: [Int] {
        items.compactMap { item in
            switch item {
            case .read(let id, _, _), .write(let id, _): id
            case .closeRead, .closeWrite, .secure, .capture: nil
            }
        } + (sending.map { [$0] } ?? [])
    }

    mutating func add(_ item: Item) -> [Action] {
        items.append(item)
        return go()
    }

    mutating func connected() -> [Action] {
        isConnected = true
        return go()
    }

    mutating func received(_ data: Data) -> [Action] {
        guard !isInputClosed else { return [] }
        buffer.append(data)
        return go()
    }

    mutating func inputEnded() -> [Action] {
        hasInputEnded = true
        return go()
    }

    mutating func sent(_ id: Int) -> [Action] {
        if sending == id { sending = nil }
        return go()
    }

    /// Returns the received and unread bytes, once, and which directions have ended.
    mutating func handOver() -> (unread: Data, hasInputEnded: Bool, isOutputClosed: Bool) {
        defer { buffer = Data() }
        return (buffer, hasInputEnded || isInputClosed, isOutputClosed)
    }

    mutating func secured() -> [Action] {
        isSecuring = false
        return go()
    }

    private mutating func go() -> [Action] {
        guard isConnected else { return [] }
        var actions: [Action] = []
        while !isSecuring, !isCaptured, let action = next() { actions.append(action) }
        return actions
    }

    /// Returns the action of the first operation that may run: no operation of the same direction and no switch to TLS
    /// precedes it.
    private mutating func next() -> Action? {
        var isReadBlocked = false
        let isWriteBlocked = sending != nil
        for index in items.indices {
            switch items[index] {
            case .read(let id, let minimum, let maximum):
                if isReadBlocked { continue }
                isReadBlocked = true
                guard let part = part(minimum, maximum) else { continue }
                items.remove(at: index)
                return .deliver(id, part, atEnd: (hasInputEnded || isInputClosed) && buffer.isEmpty)
            case .closeRead:
                if isReadBlocked { continue }
                items.remove(at: index)
                isInputClosed = true
                buffer = Data()
                return .closeInput
            case .write(let id, let data):
                if isWriteBlocked { continue }
                items.remove(at: index)
                sending = id
                return .send(id, data)
            case .closeWrite:
                if isWriteBlocked { continue }
                items.remove(at: index)
                isOutputClosed = true
                return .closeOutput
            case .secure:
                guard index == items.startIndex, sending == nil else { return nil }
                items.remove(at: index)
                isSecuring = true
                return buffer.isEmpty ? .secure : .refuseEarlyBytes
            case .capture:
                guard !captureWaits || index == items.startIndex && sending == nil else { return nil }
                items.remove(at: index)
                isCaptured = true
                return .capture
            }
        }
        return nil
    }

    /// Returns the bytes for a read; nil when more bytes must arrive first.
    private mutating func part(_ minimum: Int, _ maximum: Int) -> Data? {
        let isEnough = buffer.count >= max(1, minimum) || hasInputEnded || isInputClosed
        guard isEnough else { return nil }
        let part = Data(buffer.prefix(max(0, maximum)))
        buffer = Data(buffer.dropFirst(part.count))
        return part
    }
}
