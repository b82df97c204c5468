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
