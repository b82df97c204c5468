import Glibc
import LabKernel
import NetworkMonitor
import Synchronization
import Testing

extension KernelTests {
    struct NetworkNamespaceTests {
        @Test func `a new namespace is different and contains only an active loopback interface`() throws {
            let namespace = try NetworkNamespace.make()
            #expect(namespace.inode != 0)
            #expect(namespace.inode != (try NetworkNamespace.current().inode))
            let links = try NetlinkSocket(in: namespace).links().filter(\.isUp)
            #expect(links.map(\.name) == ["lo"])
        }

        @Test func `perform runs in the namespace and leaves the caller in its own`() throws {
            let namespace = try NetworkNamespace.make()
            let before = link("/proc/thread-self/ns/net")
            let inside = namespace.perform { link("/proc/thread-self/ns/net") }
            #expect(inside == "net:[\(namespace.inode)]")
            #expect(link("/proc/thread-self/ns/net") == before)
            #expect(before != inside)
        }

        @Test func `perform inside perform runs at once`() throws {
            let namespace = try NetworkNamespace.make()
            #expect(namespace.perform { namespace.perform { pthread_self() } == pthread_self() })
        }

        @Test func `an error of the body is rethrown unchanged`() throws {
            let namespace = try NetworkNamespace.make()
            let thrown = SystemCallError(call: "x", errno: 7)
            #expect(throws: thrown) {
                try namespace.perform { () throws(SystemCallError) -> Int in throw thrown }
            }
        }

        @Test func `concurrent callers run one at a time`() throws {
            let namespace = try NetworkNamespace.make()
            let count = Mutex(0)
            do {
                let threads = try (0..<4).map { number in
                    try DedicatedThread(name: "caller\(number)") {
                        for _ in 0..<200 { namespace.perform { count.withLock { $0 += 1 } } }
                    }
                }
                _ = threads
            }
            #expect(count.withLock { $0 } == 800)
        }

        @Test func `a released namespace leaves nothing in this process`() throws {
            let before = openDescriptors()
            let inode: UInt64
            do {
                let cable = try Cable()
                inode = cable.near.inode
                #expect(holders(of: inode) > 0)
            }
            // A joined thread stays in the kernel for a moment.
            #expect(eventually { holders(of: inode) == 0 })
            #expect(openDescriptors() == before)
            #expect(!listing("/run/netns").contains { link("/run/netns/\($0)").contains("\(inode)") })
        }

        /// Returns the number of threads in the namespace and descriptors of it, in this process.
        private func holders(of inode: UInt64) -> Int {
            let name = "net:[\(inode)]"
            return listing("/proc/self/task").count { link("/proc/self/task/\($0)/ns/net") == name }
                + openDescriptors().count { $0 == name }
        }

        @Test func `a sysctl applies to its namespace only`() throws {
            let namespace = try NetworkNamespace.make()
            let here = try NetworkNamespace.current().sysctl("net.ipv4.ip_forward")
            let other = here == "1" ? "0" : "1"
            try namespace.setSysctl("net.ipv4.ip_forward", other)
            #expect(try namespace.sysctl("net/ipv4/ip_forward") == other)
            #expect(try NetworkNamespace.current().sysctl("net.ipv4.ip_forward") == here)
        }

        @Test func `the error about a missing sysctl contains its path`() throws {
            let namespace = try NetworkNamespace.make()
            #expect {
                try namespace.setSysctl("net/ipv4/conf/nowhere0/forwarding", "1")
            } throws: { error in
                "\(error)".contains("/proc/sys/net/ipv4/conf/nowhere0/forwarding failed: No such file")
            }
        }
    }
}
