import Foundation

/// The order of what a stream task was told: reads one after the other, writes one after the other, a switch to TLS after everything
/// before it. Bytes that come before they are read wait here.
///
/// Each call gives what is to be done. Whoever performs `send` says `sent`, and after `secure` says `secured`.
struct StreamQueue {
    enum Item: Equatable {
        case read(Int, minimum: Int, maximum: Int)
        case write(Int, Data)
        case closeRead, closeWrite, secure, capture
    }

    enum Action: Equatable {
        /// `atEnd`: nothing follows.
        case deliver(Int, Data, atEnd: Bool)
        case send(Int, Data)
        /// No read will be answered any more.
        case closeInput
        case closeOutput
        case secure
        /// The peer said something before TLS that it must not say there (RFC 3207 §6 is what comes of believing it).
        case refuseEarlyBytes
        /// Everything before it is through; the connection goes to somebody else.
        case capture
    }

    /// Everything that stands before it goes before the connection is handed over.
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

    /// So many bytes wait at most; then nothing is read from the connection.
    static let capacity = 64 << 10

    /// Whether bytes of the connection are welcome.
    var needsInput: Bool {
        guard isConnected, !hasInputEnded, !isInputClosed, !isSecuring, !isCaptured else { return false }
        if case .read(_, let minimum, _) = items.first(where: { if case .read = $0 { true } else { false } }),
            buffer.count < minimum
        {
            return true
        }
        return buffer.count < StreamQueue.capacity
    }

    /// Both directions are through.
    var isOver: Bool { isOutputClosed && sending == nil && (isInputClosed || hasInputEnded && buffer.isEmpty) }

    /// Those who wait for an answer.
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

    /// What has come and was not read, once; and what has ended.
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

    /// The first item that may go: no other of its direction stands before it, and no switch to TLS.
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

    /// nil: more has to come.
    private mutating func part(_ minimum: Int, _ maximum: Int) -> Data? {
        let isEnough = buffer.count >= max(1, minimum) || hasInputEnded || isInputClosed
        guard isEnough else { return nil }
        let part = Data(buffer.prefix(max(0, maximum)))
        buffer = Data(buffer.dropFirst(part.count))
        return part
    }
}
