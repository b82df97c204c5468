/// The queue for a session's delegate callbacks (DLGT-01).
package struct DelegateQueue: Hashable, Sendable {
    /// The number of callbacks that may run at a time: 1 is a serial queue.
    package var width: Int
    package init(width: Int) { self.width = width }
}
