import LabKernel

/// Both ends of an emulated link. The pump's thread reads and writes them; they are removed with the last reference.
final class TunPair: Sendable {
    let client: TunDevice
    let network: TunDevice

    init(client: consuming TunDevice, network: consuming TunDevice) {
        self.client = client
        self.network = network
    }
}

/// The translator's only device: IPv6 comes out and is written back as IPv4, and vice versa.
final class TranslatorDevice: Sendable {
    let tun: TunDevice
    init(tun: consuming TunDevice) { self.tun = tun }
}
