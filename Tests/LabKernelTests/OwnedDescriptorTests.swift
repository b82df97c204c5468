import Glibc
import InternetAddresses
import LabKernel
import NetworkMonitor
import Testing

extension KernelTests {
    struct OwnedDescriptorTests {
        private func isOpen(_ raw: CInt) -> Bool { fcntl(raw, F_GETFD) >= 0 }

        @Test func `the end of a descriptor's lifetime closes it`() throws {
            let raw: CInt
            do {
                let owned = try NetworkNamespace.current().bindUDP(on: SocketAddress(.loopbackV4, port: 0))
                raw = owned.withRaw { $0 }
                #expect(isOpen(raw))
                #expect(fcntl(raw, F_GETFD) & FD_CLOEXEC != 0)
            }
            #expect(!isOpen(raw))
        }

        @Test func `a released descriptor stays open`() throws {
            let raw = try NetworkNamespace.current().bindUDP(on: SocketAddress(.loopbackV4, port: 0)).release()
            #expect(isOpen(raw))
            close(raw)
        }
    }
}
