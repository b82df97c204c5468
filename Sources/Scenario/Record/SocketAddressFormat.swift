/// The text form of an address and a port that both ends of a connection use, so that the texts can be compared.
package enum SocketAddressFormat {
    package static func of(_ address: String, _ port: Int) -> String {
        address.contains(":") ? "[\(address)]:\(port)" : "\(address):\(port)"
    }
}
