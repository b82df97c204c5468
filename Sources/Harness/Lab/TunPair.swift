import LinuxNet

/// Both ends of one emulated link; the pump's thread reads and writes them, and they vanish with the last reference.
final class TunPair: Sendable {
    let client: TunDevice
    let network: TunDevice

    init(client: consuming TunDevice, network: consuming TunDevice) {
        self.client = client
        self.network = network
    }
}

/// The translator's one device: IPv6 comes out of it, IPv4 goes back in, and the other way round.
final class TranslatorDevice: Sendable {
    let tun: TunDevice
    init(tun: consuming TunDevice) { self.tun = tun }
}
