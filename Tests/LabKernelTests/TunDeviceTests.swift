import Glibc
import InternetAddresses
import LabKernel
import NetworkMonitor
import Testing

extension KernelTests {
    @Suite(.enabled(if: Machine.hasTUN, "needs /dev/net/tun: modprobe tun && chmod 666 /dev/net/tun"))
    struct TunDeviceTests {
        @Test func `a device has the name, MTU and queue of its request`() throws {
            let namespace = try NetworkNamespace.make()
            let device = try TunDevice.make("wwan0", in: namespace, mtu: 1430)
            let link = try NetlinkSocket(in: namespace).link(named: "wwan0")
            let index = device.index
            #expect(link.index == index)
            #expect(link.mtu == 1430)
            #expect(link.queueLength == 5_000)
        }

        /// Removing one interface takes the kernel 15 ms and more; the removal of a namespace is not waited for.
        @Test func `a device stays in its namespace when its value goes`() throws {
            let namespace = try NetworkNamespace.make()
            let netlink = try NetlinkSocket(in: namespace)
            do { _ = try TunDevice.make("wwan0", in: namespace, offloads: true) }
            let link = try netlink.link(named: "wwan0")
            #expect(!link.hasCarrier, "its owner is gone")
            try netlink.setUp(link.index)
        }

        @Test func `a failed attach leaks no descriptor`() throws {
            let namespace = try NetworkNamespace.make()
            let first = try TunDevice.make("tun0", in: namespace)
            let before = openDescriptors()
            let error = #expect(throws: NetlinkError.self) { _ = try TunDevice.make("tun0", in: namespace) }
            #expect(error == .system(SystemCallError(call: "ioctl(TUNSETIFF)", errno: EBUSY, context: "tun0")))
            #expect(error?.description.contains("choose another") == true)
            #expect(throws: NetlinkError.self) {
                _ = try TunDevice.make("a-name-that-is-too-long", in: namespace)
            }
            #expect(openDescriptors() == before)
            withExtendedLifetime(first) {}
        }

        @Test func `an idle device has nothing to read, and a device that is down accepts nothing`() throws {
            let device = try TunDevice.make("tun0", in: try NetworkNamespace.make())
            var slab = [UInt8](repeating: 0, count: 2048)
            let nothing = try device.read(into: &slab)
            #expect(nothing == nil)
            let packet: [UInt8] = [0x45] + [UInt8](repeating: 0, count: 27)
            let isTaken = try device.write(packet.span)
            #expect(!isTaken)
        }

        @Test func `bytes that are not a packet are lost without an error`() throws {
            let namespace = try NetworkNamespace.make()
            let device = try TunDevice.make("tun0", in: namespace)
            let index = device.index
            try NetlinkSocket(in: namespace).setUp(index)
            let noVersion = [UInt8](repeating: 0xF0, count: 28)
            let isTaken = try device.write(noVersion.span)
            #expect(!isTaken)
        }

        @Test func `a device that comes up without making addresses has none`() throws {
            let namespace = try NetworkNamespace.make()
            let device = try TunDevice.make("tun0", in: namespace)
            let netlink = try NetlinkSocket(in: namespace)
            try netlink.change(device.index, LinkChange(isUp: true, makesNoIPv6Addresses: true))
            #expect(try netlink.addresses(of: device.index) == [])
        }

        @Test func `packets pass between two devices, in both families and directions`() throws {
            let ends = [try NetworkNamespace.make(), try NetworkNamespace.make()]
            let left = try TunDevice.make("tun0", in: ends[0])
            let right = try TunDevice.make("tun0", in: ends[1])
            let addresses = [("10.9.0.1", "fd09::1"), ("10.9.0.2", "fd09::2")]
            for (end, pair) in zip(ends, addresses) {
                let netlink = try NetlinkSocket(in: end)
                let index = try netlink.link(named: "tun0").index
                try netlink.change(index, LinkChange(isUp: true, makesNoIPv6Addresses: true))
                try netlink.addAddress(try #require(AddressPrefix("\(pair.0)/24")), to: index)
                try netlink.addAddress(try #require(AddressPrefix("\(pair.1)/64")), to: index)
                try #require(
                    try netlink.waitUntilReady(index, until: MonotonicClock.deadline(after: milliseconds(5_000))))
            }
            let waker = try Waker.make()
            let pump = try Pump(left: left, right: right, waker: waker)
            defer { pump.stop() }
            for (from, to, destination) in [
                (0, 1, addresses[1].0), (0, 1, addresses[1].1), (1, 0, addresses[0].0), (1, 0, addresses[0].1),
            ] {
                let probe = try LinkProbe.make(
                    from: ends[from], device: "tun0", to: ends[to], destination: try #require(IPAddress(destination)))
                let got = try probe.measure(
                    .init(packets: 50, payloadBytes: 1_000), until: MonotonicClock.deadline(after: milliseconds(2_000)))
                #expect(got.lost == 0 && got.duplicates == 0 && got.overtaken == 0)
            }
        }
    }
}

/// Carries packets from each of two devices to the other until it is stopped.
private final class Pump: Sendable {
    private let thread: DedicatedThread
    private let stopping: CInt

    init(left: borrowing TunDevice, right: borrowing TunDevice, waker: borrowing Waker) throws {
        // Duplicates, because the devices stay with the test.
        let sides = [left.withRaw { fcntl($0, F_DUPFD_CLOEXEC, 3) }, right.withRaw { fcntl($0, F_DUPFD_CLOEXEC, 3) }]
        let wake = waker.withRaw { fcntl($0, F_DUPFD_CLOEXEC, 3) }
        stopping = wake
        thread = try DedicatedThread(name: "test-pump") {
            guard var poller = try? Poller.make() else { return }
            try? Poller.minimizeTimerSlack()
            for (number, side) in sides.enumerated() { try? poller.add(side, for: .readable, token: UInt64(number)) }
            try? poller.add(wake, for: .readable, token: 2)
            var running = true
            var slab = [UInt8](repeating: 0, count: 2048)
            while running {
                _ = try? poller.wait { event in
                    guard event.token < 2 else {
                        running = false
                        return
                    }
                    while true {
                        let count = unsafe read(sides[Int(event.token)], &slab, slab.count)
                        guard count > 0 else { break }
                        _ = unsafe write(sides[1 - Int(event.token)], slab, count)
                    }
                }
            }
            for side in sides { close(side) }
            close(wake)
        }
    }

    func stop() {
        var one: UInt64 = 1
        _ = unsafe write(stopping, &one, 8)
    }
}
