/// The traits of an interface that a request may forbid.
package struct PathTraits: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let cellular = PathTraits(rawValue: 1 << 0)
    package static let expensive = PathTraits(rawValue: 1 << 1)
    package static let constrained = PathTraits(rawValue: 1 << 2)
}
