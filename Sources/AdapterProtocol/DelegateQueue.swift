/// The queue for a session's delegate callbacks (DLGT-01).
package struct DelegateQueue: Hashable, Sendable {
    /// The number of callbacks that may run at a time: 1 is a serial queue.
    package var width: Int
    package init(width: Int) { self.width = width }
}

extension DelegateQueue: WireStructure {
    var wire: WireObject { WireObject(["width": .integer(Int64(width))]) }
    init(_ fields: WireFields) throws(WireError) { self.init(width: try fields.count("width")) }
}
