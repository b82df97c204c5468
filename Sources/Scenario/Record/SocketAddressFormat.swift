/// An address and a port as both ends of a connection write them, so that the two texts can be compared.
package enum SocketAddressFormat {
    package static func of(_ address: String, _ port: Int) -> String {
        address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}
