/// The queue that a session is given for its delegate's callbacks (DLGT-01).
package struct DelegateQueue: Hashable, Sendable {
    /// How many callbacks may run at a time: 1 is a serial queue.
    package var width: Int
    package init(width: Int) { self.width = width }
}
