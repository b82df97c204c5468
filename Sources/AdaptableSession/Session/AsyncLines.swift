extension AdaptableSession.AsyncBytes {
    /// The body as lines of UTF-8. A line ends with CR LF or with one of LF, VT, FF, CR, NEL, LS and PS, which are not part
    /// of it. Empty lines are left out, as in Foundation on other platforms.
    public var lines: AsyncLines { AsyncLines(bytes: self) }

    /// The lines of a body. Iterating throws the error that ends the load.
    public struct AsyncLines: AsyncSequence, Sendable {
        public typealias Element = String

        let bytes: AdaptableSession.AsyncBytes

        public struct AsyncIterator: AsyncIteratorProtocol {
            private var bytes: AdaptableSession.AsyncBytes.AsyncIterator
            private var line: [UInt8] = []

            init(_ bytes: AdaptableSession.AsyncBytes) { self.bytes = bytes.makeAsyncIterator() }

            /// Returns the next line that is not empty; nil after the last one. Throws the error that ended the load.
            public mutating func next() async throws -> String? {
                while let byte = try await bytes.next() {
                    line.append(byte)
                    guard let end = Self.lineEnd(line) else { continue }
                    line.removeLast(end)
                    if let line = take() { return line }
                }
                return take()
            }

            private mutating func take() -> String? {
                defer { line.removeAll(keepingCapacity: true) }
                return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
            }

            /// Returns the length of the line end that the bytes end with; nil without one.
            private static func lineEnd(_ line: [UInt8]) -> Int? {
                switch line.last {
                case 0x0A, 0x0B, 0x0C, 0x0D: 1
                // NEL is C2 85, LS and PS are E2 80 A8 and E2 80 A9.
                case 0x85 where line.dropLast().last == 0xC2: 2
                case 0xA8 where line.dropLast().suffix(2) == [0xE2, 0x80]: 3
                case 0xA9 where line.dropLast().suffix(2) == [0xE2, 0x80]: 3
                default: nil
                }
            }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes) }
    }
}
