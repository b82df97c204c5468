/// The versions that one side offers.
package struct TLSVersionRange: Hashable, Sendable {
    package var minimum: TLSVersion
    package var maximum: TLSVersion

    package init(minimum: TLSVersion = .tls12, maximum: TLSVersion = .tls13) {
        self.minimum = minimum
        self.maximum = maximum
    }
}
