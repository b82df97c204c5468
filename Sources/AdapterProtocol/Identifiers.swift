/// The name of a task in a scenario; it is the task's name on the wire and in the record as well.
package struct TaskName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    package let text: String
    package init(_ text: String) { self.text = text }
    package init(stringLiteral value: String) { self.text = value }
    package var description: String { text }
}

/// The name of a session in a scenario; a scenario with one session calls it `main`.
package struct SessionName: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    package let text: String
    package init(_ text: String) { self.text = text }
    package init(stringLiteral value: String) { self.text = value }
    package var description: String { text }
    package static let main: SessionName = "main"
}
